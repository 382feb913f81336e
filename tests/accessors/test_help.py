"""What the keyboard shows: options by name in signatures, in help, and on Tab."""

from __future__ import annotations

import inspect
import pydoc
import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

import dask.dataframe as dd
import jedi
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal.query import Comparison, Uncertainty

DF = pd.DataFrame({"g": list("aabb"), "y": [0, 1, 2, 2], "yhat": [0, 1, 1, 2], "w": [1, 1, 2, 1]})
ARRAY = xr.DataArray([0, 1, 2], dims="case")
ACCESSORS: dict[str, Any] = {
    "df": DF.ordinal,
    "grouped": DF.groupby("g").ordinal,
    "series": DF["y"].ordinal,
    "array": ARRAY.ordinal,
    "ds": ARRAY.to_dataset(name="y").ordinal,
    "ddf": po.ordinal(dd.from_pandas(DF, npartitions=2)),
}
REPORTS = {name: accessor.report for name, accessor in ACCESSORS.items()}
COMPARISONS = {
    name: accessor.compare for name, accessor in ACCESSORS.items() if hasattr(accessor, "compare")
}


def public(owner: Any) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The methods or functions that a completer offers, but the metrics."""
    for name in dir(owner):
        if not name.startswith("_") and name not in po.metrics.registry:
            member = getattr(owner, name)
            if inspect.isroutine(member):
                yield name, member


CALLS: dict[str, Callable[..., Any]] = {
    f"{of}.{name}": call
    for of, owner in [
        *((f"{name}.ordinal", accessor) for name, accessor in ACCESSORS.items()),
        ("cube.ordinal.plot", ARRAY.ordinal.plot),
        ("po", po),
        ("po.plot", po.plot),
        ("po.sklearn", po.sklearn),
    ]
    for name, call in public(owner)
}


def documented(call: Callable[..., Any]) -> list[str]:
    """The parameters that help describes; some share an entry, as in `row, col : str`."""
    text = inspect.getdoc(call) or ""
    section = text.partition("Parameters\n----------\n")[2]
    section = re.split(r"\n\n\w+\n-{3,}\n", section)[0]
    entries = re.findall(r"^(\w+(?:, \w+)*|\*+\w+)(?: :|$)", section, re.MULTILINE)
    return [name.lstrip("*") for entry in entries for name in entry.split(", ")]


@pytest.mark.parametrize("name", CALLS)
def test_help_describes_each_parameter_of_the_signature(name: str) -> None:
    parameters = inspect.signature(CALLS[name]).parameters
    assert documented(CALLS[name]) == list(parameters)
    of_any_kernel = name == "po.influence"
    assert of_any_kernel or all(p.kind is not p.VAR_KEYWORD for p in parameters.values())


@pytest.mark.parametrize("accessor", ACCESSORS.values(), ids=ACCESSORS)
def test_help_describes_each_parameter_of_a_metric(accessor: Any) -> None:
    calls = [getattr(accessor, name) for name in po.metrics.registry if hasattr(accessor, name)]
    assert len(calls) > 60
    for call in calls:
        assert documented(call) == list(inspect.signature(call).parameters), call


@pytest.mark.parametrize(
    ("calls", "options"),
    [(REPORTS, Uncertainty), (COMPARISONS, Comparison)],
    ids=["report", "compare"],
)
def test_signatures_have_the_options_with_their_defaults(calls: Any, options: Any) -> None:
    defaults = {field.name: field.default for field in fields(options)}
    for call in calls.values():
        parameters = list(inspect.signature(call).parameters.values())[-len(defaults) :]
        assert {p.name: p.default for p in parameters} == defaults
        assert {p.kind for p in parameters} == {inspect.Parameter.KEYWORD_ONLY}


@pytest.mark.parametrize(
    "surface", [DF, DF["y"], DF.groupby("y")], ids=["frame", "column", "group"]
)
def test_the_tolerance_of_sums_stands_between_options_of_labels_and_of_metrics(
    surface: Any,
) -> None:
    names = [*inspect.signature(surface.ordinal.rps).parameters]
    assert names[-3:] == ["ignore", "atol", "normalized"]


def test_a_signature_shows_the_values_of_an_option() -> None:
    shown = str(inspect.signature(DF.ordinal.report))
    assert "method: Literal['influence', 'bootstrap'] = 'influence', n_boot: 'int' = 2000" in shown
    assert "cluster: 'Hashable | None' = None" in shown
    shown = str(inspect.signature(DF.ordinal.compare))
    assert "method: Literal['influence', 'permutation'] = 'influence'" in shown


TYPES = {  # of predictions, scores and probabilities, and of clusters
    "df": ("Hashable | ColumnsLike", "Hashable | ColumnsLike", "ProbaLike", "Hashable | None"),
    "series": (
        "ValuesLike | dict[Any, ValuesLike]", "ValuesLike | dict[Any, ValuesLike]",
        "ForecastLike | dict[Any, ForecastLike]", "ValuesLike | None",
    ),
    "array": (
        "xr.DataArray | None", "xr.DataArray", "xr.DataArray",
        "Hashable | list[Any] | xr.DataArray | None",
    ),
    "ds": ("Hashable", "Hashable", "Hashable", "Hashable | xr.DataArray | None"),
}  # fmt: skip
TYPES |= {"grouped": TYPES["df"], "ddf": TYPES["df"]}


@pytest.mark.parametrize("name", ACCESSORS)
def test_composed_signatures_have_the_types_of_their_surface(name: str) -> None:
    def parameters(method: str) -> dict[str, inspect.Parameter]:
        return dict(inspect.signature(getattr(ACCESSORS[name], method)).parameters)

    pred, score, proba, cluster = TYPES[name]
    for method, option, annotation in (
        ("mae", "pred", pred), ("vus", "score", score), ("rps", "proba", proba),
        ("class_report", "pred", pred), ("cut_report", "pred", pred),
        ("class_report", "cluster", cluster), ("cut_report", "cluster", cluster),
    ):  # fmt: skip
        assert parameters(method)[option].annotation == annotation, method
    of_labels = inspect.Parameter.empty if name != "array" else None
    assert parameters("mae")["pred"].default is of_labels
    keyword = inspect.Parameter.KEYWORD_ONLY
    rps = parameters("rps")
    place = [*rps].index("atol")
    assert [*rps][place - 1] == "ignore"
    assert rps["atol"] == inspect.Parameter(
        "atol", keyword, default=None, annotation="float | None"
    )
    assert not {"bins", "pred", "score"} & rps.keys()
    members = {"member_dim": (None, "Hashable | None"), "fair": (False, "bool")}
    assert ("fair" in rps) == (name in ("array", "ds"))
    for option in members.keys() & rps.keys():
        found = rps[option]
        assert (found.kind, found.default, found.annotation) == (keyword, *members[option])
    if name in ("df", "grouped", "series"):
        assert parameters("calibration")["proba"].annotation == proba
        assert parameters("calibration")["cluster"].annotation == cluster
        assert parameters("calibration")["cluster"].default is None


def test_help_says_what_raises_and_shows_the_options_of_an_example() -> None:
    def words(call: Any) -> str:
        return " ".join((inspect.getdoc(call) or "").split())

    weights = "If weights are negative or not finite, or if beta is negative"
    for name in ("df", "grouped", "series", "ds", "ddf"):
        assert weights in words(ACCESSORS[name].oci)
    counts = (
        "If counts are negative, not finite or not square, weights are negative or not finite, or"
    )
    assert f"{counts} if beta is negative" in words(ARRAY.ordinal.oci)
    assert "ClassOrderError" in words(DF.ordinal.oci)
    assert "or an option has an unknown value" in words(DF.ordinal.vus)
    assert "do not sum to 1 within 1e-6, or `atol`" in words(DF.ordinal.rps)
    assert "coverage=0.5)" in words(DF.ordinal.set_limits)
    assert "coverage" not in words(DF.ordinal.calibration)
    assert "bins=[0, 10, 20, 40])" in words(DF.ordinal.interval_mae)
    assert "bins=[0" not in words(DF.ordinal.mae)


def test_help_has_the_type_the_default_and_the_words_of_an_option() -> None:
    text = pydoc.plain(pydoc.render_doc(DF.ordinal.report))
    assert re.search(r"n_boot : int, default 2000\n +The number of tables that the boot", text)
    assert re.search(r"cluster : label, optional\n +The column that identifies clusters", text)
    text = inspect.getdoc(DF["y"].ordinal.report) or ""
    assert re.search(r"cluster : Series or array, optional\n +The label of the cluster", text)


def test_help_of_the_package_has_its_public_names_alone() -> None:
    text = pydoc.plain(pydoc.render_doc(po))
    functions = re.findall(r"^    (\w+)\(", text.partition("\nFUNCTIONS\n")[2], re.MULTILINE)
    assert functions == [name for name, _ in public(po)]
    classes = re.findall(r"^    class (\w+)", text, re.MULTILINE)
    assert set(classes) == {name for name in po.__all__ if inspect.isclass(getattr(po, name))}


@pytest.fixture(autouse=True, scope="module")
def _cache_of_jedi(tmp_path_factory: pytest.TempPathFactory) -> None:
    jedi.settings.cache_directory = str(tmp_path_factory.mktemp("jedi"))


NAMES = {
    "df": DF, "grouped": DF.groupby("g"), "series": DF["y"], "array": ARRAY, "po": po,
    "ds": ARRAY.to_dataset(name="y"), "ddf": ACCESSORS["ddf"], "cube": ARRAY,
}  # fmt: skip


@pytest.mark.parametrize(
    ("code", "completions"),
    [
        ('df.ordinal.report("y", "yhat", cl', ["classes=", "cluster="]),
        ('df.ordinal.report("y", "yhat", n_b', ["n_boot="]),
        ('df.ordinal.report("y", "yhat", ci=0.9, str', ["stratify=", "stratum_shares="]),
        ('df.ordinal.compare("y", ["a", "b"], ref', ["reference="]),
        ('df.ordinal.compare("y", ["a", "b"], n_', ["n_permutations="]),
        ('df.ordinal.compare("y", ["a", "b"], al', ["alternative="]),
        ('df.ordinal.mae("y", "yhat", sam', ["sample_weight="]),
        ('df.ordinal.oci("y", "yhat", gam', ["gamma="]),
        ('df.ordinal.summary("y", "yhat", ov', ["over="]),
        ('grouped.ordinal.report("y", "yhat", pro', ["proba=", "progress="]),
        ("series.ordinal.report(pred, n_b", ["n_boot="]),
        ("series.ordinal.compare(preds, ref", ["reference="]),
        ("array.ordinal.report(pred, n_b", ["n_boot="]),
        ('ds.ordinal.report("y", "yhat", n_b', ["n_boot="]),
        ('ds.ordinal.compare("y", ["a", "b"], ref', ["reference="]),
        ('ddf.report("y", "yhat", n_b', ["n_boot="]),
        ('ddf.confusion("y", "yhat", gr', ["groups="]),
        ("cube.ordinal.plot.accuracy_within(c", ["ci="]),
        ("po.plot.forest(report, met", ["metrics="]),
        ('po.sklearn.scorer("oci", resp', ["response_method="]),
    ],
)
def test_tab_completes_options(code: str, completions: list[str]) -> None:
    found = [completion.name for completion in jedi.Interpreter(code, [NAMES]).complete()]
    assert [name for name in found if name.endswith("=")] == completions


@pytest.mark.parametrize("name", ["class_report", "cut_report"])
def test_types_of_tables_by_class_are_optional_once(name: str) -> None:
    arrays = DF[["y", "yhat"]].to_xarray()
    objects: list[Any] = [DF, DF.groupby("y"), DF["y"], arrays, arrays["y"]]
    for given in objects:
        text = inspect.getdoc(getattr(given.ordinal, name)) or ""
        for option in ("cluster", "score")[: 1 + (name == "cut_report")]:
            lines = re.findall(rf"^{option} : (.*)$", text, re.MULTILINE)
            assert len(lines) == 1 and lines[0].count("optional") == 1, (option, lines)
        options = inspect.signature(getattr(given.ordinal, name)).parameters
        assert options["cluster"].default is None
        assert str(options["cluster"].annotation).count("None") == 1
