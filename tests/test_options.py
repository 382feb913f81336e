"""Options of the wrong type: switches are bools, and options that take one value take no array."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, get_origin

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po

DF = pd.DataFrame(
    {"y": [0, 1, 2], "yhat": [0, 1, 1], "other": [2, 1, 1], "score": [0.1, 0.2, 0.3]}
)
CUBE = DF.ordinal.confusion("y", "yhat")
PROBA = np.eye(3)
SERIES = pd.Series(["half", "strict"])


OBJECTS = [DF, DF.groupby("y"), DF["y"], CUBE, DF.to_xarray()]


def methods() -> Iterator[Callable[..., Any]]:
    for given in OBJECTS:
        for name in dir(given.ordinal):
            if not name.startswith("_") and inspect.ismethod(getattr(given.ordinal, name)):
                yield getattr(given.ordinal, name)


def test_switches_of_all_methods_are_bools() -> None:
    n_switches = 0
    for method in methods():
        parameters = inspect.signature(method).parameters.values()
        due = [p for p in parameters if p.default is p.empty]
        args = [None for p in due if p.kind is not p.KEYWORD_ONLY]
        kwargs = {p.name: None for p in due if p.kind is p.KEYWORD_ONLY}
        call = functools.partial(method, *args, **kwargs)
        for option in [p.name for p in parameters if p.annotation == "bool"]:
            n_switches += 1
            for value in ("no", 1, None):
                with pytest.raises(TypeError, match=f"^{option}={value!r} must be True or False$"):
                    call(**{option: value})
            with pytest.raises(TypeError, match=f"^{option}= takes a single value, not an nd"):
                call(**{option: np.array([True])})
    assert n_switches > 300


SWITCHES: dict[str, tuple[Callable[[Any], object], str]] = {
    "cut": (lambda on: DF["score"].ordinal.cut([0, 1], right=on), "right"),
    "scaled": (lambda on: DF.ordinal.oci("y", "yhat", scaled=on), "scaled"),
    "scaled of a kernel": (lambda on: po.metrics.oci(CUBE.to_numpy(), scaled=on), "scaled"),
    "scaled in a report": (
        lambda on: CUBE.ordinal.report(metrics=[functools.partial(po.metrics.oci, scaled=on)]),
        "scaled",
    ),
    "scaled of an influence": (
        lambda on: po.influence(po.metrics.oci, CUBE.to_numpy(), scaled=on), "scaled"
    ),
    "normalized": (lambda on: po.metrics.rps([0, 1, 2], PROBA, normalized=on), "normalized"),
    "se": (lambda on: DF.ordinal.report("y", "yhat", se=on), "se"),
    "progress": (lambda on: DF.ordinal.report("y", "yhat", ci=0.9, progress=on), "progress"),
    "dropna of a counter": (
        lambda on: po.Counter(classes=[0, 1, 2]).update(DF, "y", "yhat", dropna=on), "dropna"
    ),
    "friedman": (
        lambda on: po.friedman(DF[["y", "yhat", "other"]], greater_is_better=on),
        "greater_is_better",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("call", "option"), SWITCHES.values(), ids=SWITCHES)
def test_switches_do_not_go_by_the_truth_of_a_value(
    call: Callable[[Any], object], option: str
) -> None:
    for value in ("no", "yes", 0, None):
        with pytest.raises(TypeError, match=f"^{option}={value!r} must be True or False$"):
            call(value)
    with pytest.raises(TypeError, match=f"^{option}= takes a single value, not a Series$"):
        call(SERIES)
    for value in (True, False):
        pd.testing.assert_series_equal(
            pd.Series([repr(call(np.bool_(value)))]), pd.Series([repr(call(value))])
        )


ARRAYS: dict[str, tuple[Callable[[Any], object], str]] = {
    "ci": (lambda many: DF.ordinal.report("y", "yhat", ci=many), "ci"),
    "method": (lambda many: DF.ordinal.report("y", "yhat", ci=0.9, method=many), "method"),
    "stratify": (lambda many: DF.ordinal.report("y", "yhat", se=True, stratify=many), "stratify"),
    "seed": (lambda many: DF.ordinal.report("y", "yhat", se=True, seed=many), "seed"),
    "compare": (lambda many: DF.ordinal.compare("y", ["yhat", "other"], ci=many), "ci"),
    "alternative": (
        lambda many: DF.ordinal.compare("y", ["yhat", "other"], alternative=many), "alternative"
    ),
    "adjust": (lambda many: DF.ordinal.compare("y", ["yhat", "other"], adjust=many), "adjust"),
    "ties": (lambda many: DF.ordinal.vus("y", "score", ties=many), "ties"),
    "ties of a kernel": (lambda many: po.metrics.vus([0, 1, 2], [1, 2, 3], 3, ties=many), "ties"),
    "level": (lambda many: DF.ordinal.krippendorff_alpha("y", "yhat", level=many), "level"),
    "variant": (lambda many: CUBE.ordinal.kendall_tau(variant=many), "variant"),
    "beta": (lambda many: CUBE.ordinal.oci(beta=many), "beta"),
    "k": (lambda many: po.metrics.accuracy_within(CUBE.to_numpy(), k=many), "k"),
    "normalize": (lambda many: CUBE.ordinal.normalize(many), "over"),
    "plot": (lambda many: CUBE.ordinal.plot(normalize=many), "normalize"),
    "engine": (lambda many: CUBE.ordinal.to_netcdf("cube.nc", engine=many), "engine"),
    "mode": (lambda many: CUBE.ordinal.to_zarr("cube", mode=many), "mode"),
    "dim": (lambda many: po.open_cube("cube.nc", dim=many), "dim"),
    "posthoc": (
        lambda many: po.friedman(DF[["y", "yhat", "other"]], greater_is_better=True, posthoc=many),
        "posthoc",
    ),
    "correlation": (lambda many: po.metric_correlation(DF, method=many), "method"),
    "escape": (
        lambda many: po.style(DF.ordinal.report("y", ["yhat"]), escape=many), "escape"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("call", "option"), ARRAYS.values(), ids=ARRAYS)
@pytest.mark.parametrize("many", [SERIES, np.array([0.9, 0.5]), pd.Index([1]), xr.DataArray([1])])
def test_an_array_where_one_value_is_due(
    call: Callable[[Any], object], option: str, many: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    kind = type(many).__name__
    with pytest.raises(TypeError, match=rf"^{option}= takes a single value, not an? {kind}$"):
        call(many)


def test_aliases_of_literals_are_spelled() -> None:
    assert get_origin(alias_of("Ties")) is Literal
    kernels = [metric.kernel for metric in po.metrics.registry.values()]
    for method in [*kernels, *methods()]:
        for parameter in inspect.signature(method).parameters.values():
            kinds = str(parameter.annotation).split(" | ")
            assert all(get_origin(alias_of(kind)) is not Literal for kind in kinds) or {
                "npt.ArrayLike"
            } & {*kinds}


CHOICES: dict[str, Callable[[Any], object]] = {
    'method= "influence" or "bootstrap"': lambda one: DF.ordinal.report("y", "yhat", method=one),
    'stratify= "true", "pred" or None': lambda one: DF.ordinal.report("y", "yhat", stratify=one),
    'alternative= "two-sided", "better" or "non-inferior"': lambda one: DF.ordinal.compare(
        "y", ["yhat", "other"], alternative=one
    ),
    'adjust= "holm" or "max-t"': lambda one: DF.ordinal.compare(
        "y", ["yhat", "other"], adjust=one
    ),
    'ties= "half" or "strict"': lambda one: po.metrics.vus([0, 1, 2], [1, 2, 3], 3, ties=one),
    'variant= "b" or "c"': lambda one: CUBE.ordinal.kendall_tau(variant=one),
    'normalize= "true", "pred", "all" or None': lambda one: CUBE.ordinal.plot(normalize=one),
    'zarr_format= 2, 3 or None': lambda one: CUBE.ordinal.to_zarr("cube", zarr_format=one),
}  # fmt: skip


WRONG = ["x", ["half"], int, 1j, 10**5000, {"true": 1}, pd.NA]


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("value", WRONG, ids=lambda one: type(one).__name__)
def test_options_take_the_values_of_their_literals(choice: str, value: Any) -> None:
    option, _, values = choice.partition(" ")
    with pytest.raises(ValueError, match=f"^{option}.* must be {values}$"):
        CHOICES[choice](value)


@pytest.mark.parametrize(
    "call",
    [
        lambda text: DF.ordinal.mae(text, "yhat"),
        lambda text: DF.ordinal.mae("y", [text, "yhat"]),
        lambda text: DF.ordinal.mae("y", "yhat", classes=[text, "x"]),
        lambda text: DF.ordinal.mae("y", "yhat", dropna=text),
        lambda text: DF.ordinal.report("y", "yhat", metrics=text),
        lambda text: CUBE.ordinal.oci(beta=text),
        lambda text: po.open_cube(text),
    ],
)
def test_long_values_are_shortened(call: Callable[[Any], object]) -> None:
    with pytest.raises((ValueError, TypeError, OSError), match=r"text.*\.\.\..*text") as caught:
        call("text" * 25_000)
    assert len(str(caught.value)) < 2000


IGNORED = [{"a": 1}, DF, DF.to_xarray(), DF.groupby("y"), int, 1j, [[0]], [{1}], object()]


@pytest.mark.parametrize("ignore", IGNORED, ids=lambda one: type(one).__name__)
def test_labels_to_ignore_are_labels(ignore: Any) -> None:
    text = DF[["y", "yhat"]].astype(str).astype(pd.CategoricalDtype(["0", "1", "2"], ordered=True))
    for frame in (DF, text):
        with pytest.raises(TypeError, match="^ignore= "):
            frame.ordinal.mae("y", "yhat", ignore=ignore)


def alias_of(name: str) -> Any:
    """Return what a name stands for in some module of the package."""
    modules = [m for key, m in sys.modules.items() if key.startswith("pandas_ordinal.")]
    return next((vars(module)[name] for module in modules if name in vars(module)), None)


def test_a_reference_without_dimensions_and_targets_that_do_not_sort() -> None:
    frame = pd.DataFrame({"y": [0, 1], "low": [0.8, 0.3], "high": [0.2, 0.7]})
    with pytest.raises((TypeError, ValueError), match="reference"):
        frame.ordinal.rps_skill("y", {0: "low", 1: "high"}, reference=np.array(0.5))
    from sklearn.linear_model import LinearRegression

    thresholds = po.sklearn.OrdinalThresholds(LinearRegression(), classes=["a", "b"])
    with pytest.raises(ValueError, match=r"^y "):
        thresholds.fit([[0.0], [1.0]], np.array(["a", None], dtype=object))


def test_an_empty_table_has_no_influence() -> None:
    with pytest.raises(ValueError, match="one array of counts"):
        po.influence(lambda counts: 0.0, pd.DataFrame())
