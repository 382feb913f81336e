"""Every metric on every object that holds what it needs gives the kernel's number."""

from __future__ import annotations

import dataclasses
import doctest
import functools
import inspect
import re
from functools import partial
from types import SimpleNamespace
from typing import Any, get_overloads

import brute
import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal.accessors import methods
from pandas_ordinal.accessors.array import ArrayOrdinal
from pandas_ordinal.accessors.base import Lifted, Ordinal
from pandas_ordinal.accessors.dataset import DatasetOrdinal
from pandas_ordinal.accessors.frame import FrameOrdinal
from pandas_ordinal.accessors.groupby import GroupByOrdinal
from pandas_ordinal.accessors.series import SeriesOrdinal
from pandas_ordinal.metrics import registry
from pandas_ordinal.metrics.metric import SURFACE_PARAMETERS
from pandas_ordinal.query import Query

K = 4
EDGES = [-1, 0, 3, 4, np.inf]
BINS = pd.IntervalIndex.from_breaks(EDGES).tolist()
COSTS = [[0, 1, 2, 9], [2, 0, 1, 4], [3, 2, 0, 1], [7, 3, 2, 0]]
DEFAULT = "accuracy accuracy_within mae amae mmae kappa kendall_tau r_int oci stc".split()
OF_LABELS = [name for name, metric in registry.items() if metric.needs in ("counts", "edges")]
SCALARS = [name for name in OF_LABELS if not registry[name].output]
VECTORS = [name for name in OF_LABELS if registry[name].output == ("true",)]
MATRICES = [name for name in OF_LABELS if registry[name].output == ("true", "pred")]
OF_COUNTS = [name for name in SCALARS if registry[name].needs == "counts"]
REPORTED = [name for name in OF_COUNTS if not registry[name].required]

FRAME = brute.frame()
CLASSES = FRAME["y"].cat.categories.tolist()
GROUPS = sorted(FRAME["g"].unique())
TRUE, PRED, OTHER = (FRAME[name].cat.codes.to_numpy() for name in ("y", "yhat", "other"))


def options(name: str) -> dict[str, Any]:
    """What a surface needs besides the labels."""
    bins = {"bins": EDGES} if registry[name].needs == "edges" else {}
    values = {"costs": COSTS, "beta2": 0.02}
    return {option: values[option] for option in registry[name].required} or bins


def table(rows: Any = slice(None), pred: np.ndarray = PRED, weights: Any = None) -> np.ndarray:
    weights = None if weights is None else weights[rows]
    return brute.counts(TRUE[rows], pred[rows], K, weights)


def kernel(name: str, counts: Any, **chosen: Any) -> Any:
    given = {"edges" if option == "bins" else option: v for option, v in options(name).items()}
    return registry[name].kernel(np.asarray(counts), **given | chosen)


def classes_of(name: str) -> list[Any]:
    return BINS if registry[name].needs == "edges" else CLASSES


WHOLE = table()
BY_GROUP = np.stack([table((FRAME["g"] == g).to_numpy()) for g in GROUPS])
WIDE = np.stack([WHOLE, table(pred=OTHER)])


def scores(name: str) -> dict[str, tuple[Any, np.ndarray]]:
    """What each object says, and the counts that it is about."""
    cube = FRAME.ordinal.confusion("y", "yhat", by="g")
    true = xr.DataArray(TRUE, dims="row")
    pred = xr.DataArray(np.stack([PRED, OTHER]), dims=("model", "row"))
    dataset = xr.Dataset({"y": true, "yhat": pred, "one": ("row", PRED)})

    def call(obj: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(obj.ordinal, name)(*args, **kwargs, **options(name))

    labels = {"dim": "row", "classes": CLASSES}
    label_cube = true.ordinal.confusion(pred, **labels)
    lazy_cube = true.chunk(row=33).ordinal.confusion(pred.chunk(row=33, model=1), **labels)
    return {
        "frame": (call(FRAME, "y", "yhat"), WHOLE),
        "frame by": (call(FRAME, "y", "yhat", by="g"), BY_GROUP),
        "frame wide": (call(FRAME, "y", ["yhat", "other"]), WIDE),
        "series": (call(FRAME["y"], FRAME["yhat"]), WHOLE),
        "groupby": (call(FRAME.groupby("g"), "y", "yhat"), BY_GROUP),
        "cube": (call(cube), BY_GROUP),
        "cube of one": (call(cube.sum("g")), WHOLE),
        "dask cube": (call(cube.chunk(g=1)), BY_GROUP),
        "dask cube of one": (call(cube.chunk(true=1, pred=2).sum("g")), WHOLE),
        "labels": (call(label_cube), WIDE),
        "dask labels": (call(lazy_cube), WIDE),
        "dataset": (call(dataset, "y", "yhat", **labels), WIDE),
        "dataset, one": (call(dataset, "y", "one", classes=CLASSES), WHOLE),
        "dask dataset": (call(dataset.chunk(row=50), "y", "yhat", **labels), WIDE),
    }


@pytest.mark.parametrize("name", OF_LABELS)
def test_every_surface_gives_the_number_of_the_kernel(name: str) -> None:
    for surface, (found, counts) in scores(name).items():
        expected = kernel(name, counts)
        assert surface.startswith("dask") == (getattr(found, "chunks", None) is not None), surface
        values = np.asarray(found, registry[name].dtype)
        npt.assert_allclose(
            values, np.ravel(expected) if isinstance(found, pd.Series) else expected,
            rtol=1e-12, err_msg=surface,
        )  # fmt: skip


@pytest.mark.parametrize("name", OF_LABELS)
def test_weights_on_every_surface(name: str) -> None:
    weights = FRAME["w"].to_numpy()
    expected = np.ravel(kernel(name, table(weights=weights)))
    dataset = xr.Dataset({"y": ("i", TRUE), "yhat": ("i", PRED), "w": ("i", weights)})
    o = options(name)
    for found in (
        getattr(FRAME.ordinal, name)("y", "yhat", sample_weight="w", **o),
        getattr(FRAME.assign(k=0).groupby("k").ordinal, name)("y", "yhat", sample_weight="w", **o),
        getattr(FRAME["y"].ordinal, name)(FRAME["yhat"], sample_weight=FRAME["w"], **o),
        getattr(dataset.ordinal, name)("y", "yhat", sample_weight="w", classes=CLASSES, **o),
    ):
        npt.assert_allclose(np.ravel(found), expected, rtol=1e-12)


def test_the_registry_and_the_surfaces_have_the_same_metrics() -> None:
    assert {name for name, value in vars(Ordinal).items() if isinstance(value, Lifted)} == set(
        registry
    )
    for obj in (FRAME, FRAME["y"], FRAME.groupby("g"), xr.DataArray(WHOLE), xr.Dataset()):
        accessor = obj.ordinal
        assert set(registry) <= set(dir(accessor))
        assert {"report", "confusion"} <= set(dir(accessor))
        assert all(callable(getattr(accessor, name)) for name in registry)
    assert set(registry) <= set(po.metrics.__all__)


# signatures and docstrings


SURFACE = {
    "frame": FRAME,
    "groupby": FRAME.groupby("g"),
    "series": FRAME["y"],
    "array": xr.DataArray(WHOLE),
    "dataset": xr.Dataset(),
}
POSITIONAL = {
    "frame": ["true"],
    "groupby": ["true"],
    "series": [],
    "array": [],
    "dataset": ["true"],
}
EXTRA = {"frame": ["by"], "groupby": [], "series": [], "array": ["dim"], "dataset": ["dim"]}
BESIDE = {"counts": "pred", "edges": "pred", "scores": "score", "probabilities": "proba"}
ARRAYS = ["counts", "edges", "true", "score", "n_classes", "proba", "sample_weight"]


def own_parameters(name: str, surface: str) -> tuple[list[str], list[str]]:
    """The parameters of a surface before the options of the kernel: required, optional."""
    needs = registry[name].needs
    if surface == "array" and name in OF_LABELS:  # a cube, which is counted already
        return [], ["bins"]
    bins = ["bins"] if name in OF_LABELS else []
    keywords = [*EXTRA[surface], "sample_weight", "classes", *bins, "dropna"]
    return [*POSITIONAL[surface], BESIDE[needs]], keywords


@pytest.mark.parametrize("surface", SURFACE)
@pytest.mark.parametrize("name", registry)
def test_signature_and_docstring(name: str, surface: str) -> None:
    method = getattr(SURFACE[surface].ordinal, name)
    parameters = inspect.signature(method).parameters
    by_position, by_keyword = own_parameters(name, surface)
    options = [o for o in inspect.signature(registry[name].kernel).parameters if o not in ARRAYS]
    assert list(parameters) == [*by_position, *by_keyword, *options]
    for parameter in parameters.values():
        assert (parameter.kind is inspect.Parameter.KEYWORD_ONLY) == (parameter.name in options)
    assert method.__name__ == name
    text = inspect.getdoc(method)
    assert text and text.splitlines()[0] == registry[name].kernel.__doc__.splitlines()[0]
    documented = text.split("Parameters\n----------\n")[1].split("\nReturns\n")[0]
    entries = re.findall(r"^(\w+) : ", documented, re.MULTILINE)
    assert entries == list(parameters)
    for section in ("Returns", "Notes", "References", "Examples"):
        assert text.count(f"\n{section}\n{'-' * len(section)}\n") == 1


@pytest.mark.parametrize("surface", SURFACE)
@pytest.mark.parametrize("name", registry)
def test_the_example_is_a_call_of_the_surface(name: str, surface: str) -> None:
    method = getattr(SURFACE[surface].ordinal, name)
    example = inspect.getdoc(method).split("Examples\n--------\n")[1]
    assert f".ordinal.{name}(" in example.splitlines()[-1]
    failures: list[str] = []
    (test,) = doctest.DocTestFinder(recurse=False).find(method, name, False, globs={})
    result = doctest.DocTestRunner(verbose=False).run(test, out=failures.append, clear_globs=False)
    assert result.attempted >= 4 and not result.failed, failures
    assert isinstance(test.globs[name], (float, pd.Series, xr.DataArray))
    assert np.isfinite(np.asarray(test.globs[name], float)).any()


@pytest.mark.parametrize("surface", SURFACE)
@pytest.mark.parametrize("name", ["confusion", "report"])
def test_confusion_and_report_are_documented(name: str, surface: str) -> None:
    method = getattr(SURFACE[surface].ordinal, name)
    text = inspect.getdoc(method)
    assert text
    for parameter in inspect.signature(method).parameters:
        assert f"\n{parameter} : " in text


# options


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("accuracy_within", {"k": 2}),
        ("kappa", {"weights": "linear"}),
        ("kappa", {"weights": np.eye(K)}),
        ("kendall_tau", {"variant": "c"}),
        ("oci", {"beta": 0.25, "gamma": 2}),
        ("oci_path", {"beta": 0.25}),
        ("oci_general", {"beta1": 0.25, "beta2": 0.05, "gamma": 2}),
        ("uoc", {"beta": 0.25}),
        ("stc", {"class_sizes": [9, 5, 7, 1]}),
        ("cost_matrix", {"class_sizes": [9, 5, 7, 1]}),
        ("expected_cost", {"costs": COSTS}),
        ("interval_stc", {"unbounded": 7}),
        ("interval_stc", {"class_sizes": [90, 50, 70, 10]}),
        ("interval_mae", {"distance": "midpoint"}),
        ("interval_lengths", {"class_sizes": [90, 50, 70, 10]}),
    ],
    ids=str,
)
def test_options_reach_the_kernel(name: str, chosen: dict[str, Any]) -> None:
    whole, groups = kernel(name, WHOLE, **chosen), kernel(name, BY_GROUP, **chosen)
    chosen = options(name) | chosen
    cube = FRAME.ordinal.confusion("y", "yhat", by="g")
    for found, expected in [
        (getattr(FRAME.ordinal, name)("y", "yhat", **chosen), whole),
        (getattr(FRAME["y"].ordinal, name)(FRAME["yhat"], **chosen), whole),
        (getattr(FRAME.groupby("g").ordinal, name)("y", "yhat", **chosen), groups),
        (getattr(cube.ordinal, name)(**chosen), groups),
        (getattr(cube.chunk(g=2).ordinal, name)(**chosen), groups),
    ]:
        npt.assert_allclose(np.ravel(found), np.ravel(expected), rtol=1e-12)


@pytest.mark.parametrize("name", registry)
def test_unknown_options_are_type_errors(name: str) -> None:
    given: dict[str, Any] = {option: None for option in registry[name].required}
    of_array = () if name in OF_LABELS else ("yhat",)
    for call in (
        partial(getattr(FRAME.ordinal, name), "y", "yhat"),
        partial(getattr(FRAME["y"].ordinal, name), FRAME["yhat"]),
        partial(getattr(FRAME.groupby("g").ordinal, name), "y", "yhat"),
        partial(getattr(FRAME.ordinal.confusion("y", "yhat").ordinal, name), *of_array),
        partial(getattr(xr.Dataset({"y": 0}).ordinal, name), "y", "yhat"),
    ):
        with pytest.raises(TypeError, match="colour"):
            call(**given, colour="red")


def test_required_arguments_are_type_errors() -> None:
    with pytest.raises(TypeError, match="costs"):
        FRAME.ordinal.expected_cost("y", "yhat")
    with pytest.raises(TypeError, match="beta2"):
        FRAME.ordinal.oci_general("y", "yhat")
    with pytest.raises(TypeError, match="pred"):
        FRAME.ordinal.mae("y")
    with pytest.raises(TypeError, match="too many"):
        FRAME.ordinal.mae("y", "yhat", "g", "w", CLASSES, None, False, 1)


def test_parameters_can_be_given_by_position_as_they_are_typed() -> None:
    by = FRAME.ordinal.mae("y", "yhat", by="g", sample_weight="w", classes=CLASSES)
    assert FRAME.ordinal.mae("y", "yhat", "g", "w", CLASSES).equals(by)
    cube = FRAME.ordinal.confusion("y", "yhat", "g", "w", CLASSES)
    npt.assert_allclose(cube.ordinal.interval_mae(EDGES), cube.ordinal.interval_mae(bins=EDGES))
    npt.assert_allclose(cube.ordinal.mae(), by, rtol=1e-12)
    series = FRAME["y"].ordinal.mae(FRAME["yhat"], FRAME["w"])
    assert series == FRAME.ordinal.mae("y", "yhat", sample_weight="w")
    assert FRAME.groupby("g").ordinal.mae("y", "yhat", "w").equals(by)


def test_wrong_options_are_value_errors() -> None:
    for surface in (FRAME, FRAME.groupby("g")):
        with pytest.raises(ValueError, match="k=-1"):
            surface.ordinal.accuracy_within("y", "yhat", k=-1)
        with pytest.raises(ValueError, match="quadratc"):
            surface.ordinal.kappa("y", "yhat", weights="quadratc")


# results by class


@pytest.mark.parametrize("name", VECTORS)
def test_vectors_have_the_level_true(name: str) -> None:
    score = partial(getattr(FRAME.ordinal, name), "y", **options(name))
    one = score("yhat")
    assert isinstance(one, pd.Series) and one.name == name
    assert one.index.name == "true" and one.index.tolist() == classes_of(name)
    assert one.index.ordered and one.index.categories.tolist() == classes_of(name)
    by = score("yhat", by="g")
    assert by.index.names == ["g", "true"]
    assert by["b"].tolist() == pytest.approx(kernel(name, BY_GROUP)[1].tolist())
    wide = score(["yhat", "other"], by=["g", "fold"])
    assert wide.index.names == ["g", "fold", "model", "true"]
    assert len(wide) == 3 * 3 * 2 * K
    cube = FRAME.ordinal.confusion("y", "yhat", by="g")
    assert getattr(cube.ordinal, name)(**options(name)).dims == ("g", "true")


@pytest.mark.parametrize("name", MATRICES)
def test_matrices_are_arrays(name: str) -> None:
    o = options(name)
    score = partial(getattr(FRAME.ordinal, name), "y", **o)
    for found, dims in [
        (score("yhat"), ("true", "pred")),
        (score("yhat", by="g"), ("g", "true", "pred")),
        (score(["yhat"], by="g"), ("g", "model", "true", "pred")),
        (getattr(FRAME.groupby("g").ordinal, name)("y", "yhat", **o), ("g", "true", "pred")),
        (getattr(FRAME["y"].ordinal, name)(FRAME["yhat"], **o), ("true", "pred")),
    ]:
        assert isinstance(found, xr.DataArray) and found.name == name
        assert found.dims == dims
        assert found.dtype == registry[name].dtype
        assert found.indexes["true"].ordered and found.indexes["true"].tolist() == classes_of(name)


# shapes


def test_one_metric_is_a_float_or_a_series() -> None:
    one_group = FRAME.assign(key=1)
    assert type(FRAME.ordinal.mae("y", "yhat")) is float
    assert type(FRAME["y"].ordinal.mae(FRAME["yhat"])) is float
    for found, shape in [
        (one_group.ordinal.mae("y", "yhat", by="key"), (1,)),
        (one_group.ordinal.mae("y", "yhat", by=["key"]), (1,)),
        (one_group.ordinal.mae("y", ["yhat"]), (1,)),
        (one_group.groupby("key").ordinal.mae("y", "yhat"), (1,)),
        (one_group.ordinal.mae("y", "yhat", by=["g", "fold"]), (9,)),
    ]:
        assert isinstance(found, pd.Series)
        assert found.shape == shape and found.name == "mae" and found.dtype == float


def test_a_report_is_a_series_or_a_frame() -> None:
    one_group = FRAME.assign(key=1)
    for one in (FRAME.ordinal.report("y", "yhat"), FRAME["y"].ordinal.report(FRAME["yhat"])):
        assert isinstance(one, pd.Series) and one.index.tolist() == ["n", *DEFAULT]
        assert one["n"] == len(FRAME) and one.dtype == float
    for found, n_rows in [
        (one_group.ordinal.report("y", "yhat", by="key"), 1),
        (one_group.ordinal.report("y", ["yhat"]), 1),
        (one_group.groupby("key").ordinal.report("y", "yhat"), 1),
        (one_group.ordinal.report("y", ["yhat", "other"], by="g"), 6),
        (one_group.ordinal.report("y", "yhat", by="key", metrics=["mae"]), 1),
    ]:
        assert isinstance(found, pd.DataFrame) and len(found) == n_rows
        assert found["n"].dtype == np.int64
    assert FRAME.ordinal.report("y", "yhat", metrics=[]).tolist() == [len(FRAME)]


def test_a_list_of_predictions_names_its_level() -> None:
    wide = FRAME.rename_axis(columns="method")
    assert FRAME.ordinal.mae("y", ["yhat"]).index.name == "model"
    assert wide.ordinal.mae("y", ["yhat"]).index.name == "method"
    assert wide.ordinal.confusion("y", ["yhat"], by="g").dims == ("g", "method", "true", "pred")
    assert FRAME.ordinal.mae("y", pd.Index(["other", "yhat"])).index.tolist() == ["other", "yhat"]
    assert FRAME.ordinal.mae("y", np.array(["yhat", "other"])).index.tolist() == ["yhat", "other"]
    for pred in ([], ["yhat", "yhat"]):
        with pytest.raises(ValueError, match="pred="):
            FRAME.ordinal.mae("y", pred)


def test_truth_scored_against_itself() -> None:
    assert FRAME.ordinal.mae("y", "y") == 0
    assert FRAME.ordinal.accuracy("y", ["y", "yhat"])["y"] == 1


# reports


def test_the_default_report() -> None:
    report = FRAME.ordinal.report("y", "yhat", by="g")
    assert report.columns.tolist() == ["n", *DEFAULT]
    assert report.index.tolist() == GROUPS
    assert report["n"].tolist() == BY_GROUP.sum(axis=(1, 2)).tolist()
    for name in DEFAULT:
        npt.assert_allclose(report[name], kernel(name, BY_GROUP), rtol=1e-12)


def test_all_metrics_of_one_number() -> None:
    report = FRAME.ordinal.report("y", "yhat", metrics="all")
    assert report.index.tolist() == ["n", *REPORTED]


def test_the_order_of_names_is_the_order_of_columns() -> None:
    names = ["stc", "mae", "kappa", "accuracy"]
    first = FRAME.ordinal.report("y", "yhat", metrics=names, by="g")
    second = FRAME.ordinal.report("y", "yhat", metrics=names[::-1], by="g")
    assert first.columns.tolist() == ["n", *names]
    assert second.columns.tolist() == ["n", *names[::-1]]
    pd.testing.assert_frame_equal(first[second.columns], second)
    pd.testing.assert_frame_equal(
        FRAME.ordinal.report("y", "yhat", metrics=tuple(names), by="g"), first
    )


def test_callables() -> None:
    def hits(counts: np.ndarray) -> Any:
        return np.trace(counts, axis1=-2, axis2=-1)

    metrics = {
        "linear": partial(po.metrics.kappa, weights="linear"),
        "hits": hits,
        "cost": partial(po.metrics.expected_cost, costs=COSTS),
        "oci": po.metrics.oci,
    }
    expected = {label: scorer(BY_GROUP) for label, scorer in metrics.items()}
    cube = FRAME.ordinal.confusion("y", "yhat", by="g")
    for report in (
        FRAME.ordinal.report("y", "yhat", by="g", metrics=metrics),
        FRAME.groupby("g").ordinal.report("y", "yhat", metrics=metrics),
        cube.ordinal.report(metrics=metrics),
        cube.chunk(g=1).ordinal.report(metrics=metrics),
    ):
        assert list(report) == ["n", *metrics]
        for label, values in expected.items():
            npt.assert_allclose(report[label], values, rtol=1e-12)
    one = FRAME.ordinal.report("y", "yhat", metrics=metrics)
    assert one["hits"] == np.trace(WHOLE)


@pytest.mark.parametrize(
    ("metrics", "message"),
    [
        (["accuracy", "kapa"], "'kapa'.*did you mean 'kappa'"),
        (["kendal_tau"], "did you mean 'kendall_tau'"),
        (["zzzzzz"], "'zzzzzz'.*accuracy"),
        (["mae", "mae"], "different names"),
        ({"n": po.metrics.mae}, "'n'"),
        ("mae", "metrics='mae'"),
        (["class_mae"], r"class_mae.*\.ordinal\.class_mae"),
        (["cost_matrix"], r"cost_matrix.*\.ordinal\.cost_matrix"),
        (["expected_cost"], "expected_cost.*costs="),
        (["oci_general"], "oci_general.*beta2="),
        ([po.metrics.mae, "mae"], "different names"),
        ([partial(po.metrics.oci, beta=0.25), partial(po.metrics.oci, beta=0.75)], "give a dict"),
        (["oci", "n"], "no metric 'n'"),
        ([lambda counts: 0], "give a name"),
        ({"x": "maee"}, "did you mean 'mae'"),
        ({"x": 3}, r"metrics\['x'\]=3"),
        ({"recall": po.metrics.class_recall}, r"class_recall.*\.ordinal\.class_recall"),
        ({"path": po.metrics.oci_path}, r"oci_path.*\.ordinal\.oci_path"),
        ({"vus": "vus"}, "score="),
        (["rps"], "proba="),
        ({"constant": lambda counts: 1.0 if counts.ndim > 2 else [1.0]}, "'constant'.*shape"),
    ],
    ids=str,
)
def test_refused_metrics(metrics: Any, message: str) -> None:
    cube = FRAME.ordinal.confusion("y", "yhat", by="g")
    for call in (
        partial(FRAME.ordinal.report, "y", "yhat", by="g"),
        partial(FRAME.ordinal.report, "y", ["yhat"]),
        partial(FRAME.groupby("g").ordinal.report, "y", "yhat"),
        cube.ordinal.report,
    ):
        with pytest.raises(ValueError, match=message):
            call(metrics=metrics)


def test_names_kernels_and_partials_alike() -> None:
    quarter = partial(po.metrics.oci, beta=0.25)
    cube = FRAME.ordinal.confusion("y", "yhat")
    for call in (partial(FRAME.ordinal.report, "y", "yhat"), cube.ordinal.report):
        listed = call(metrics=["error_rate", po.metrics.mae, quarter])
        assert list(listed if isinstance(listed, xr.Dataset) else listed.index) == [
            "n", "error_rate", "mae", "oci"
        ]  # fmt: skip
        named = call(metrics={"MER": "error_rate", "MAE": po.metrics.mae, "OC25": quarter})
        for one, other in (("error_rate", "MER"), ("mae", "MAE"), ("oci", "OC25")):
            assert float(listed[one]) == float(named[other])
        assert float(named["OC25"]) == pytest.approx(kernel("oci", WHOLE, beta=0.25), rel=1e-12)


def test_a_metric_that_needs_an_option_says_a_line_that_works() -> None:
    with pytest.raises(ValueError) as caught:
        FRAME.ordinal.report("y", "yhat", metrics=["expected_cost"])
    line = str(caught.value).split("give it as ")[1].replace("costs=...", "costs=COSTS")
    metric = eval(line, {"functools": functools, "po": po, "COSTS": COSTS})
    report = FRAME.ordinal.report("y", "yhat", metrics=[metric])
    assert report["expected_cost"] == pytest.approx((WHOLE * COSTS).sum() / WHOLE.sum())


@pytest.mark.parametrize("by", [None, "g", ["g", "fold"]])
@pytest.mark.parametrize("pred", ["yhat", ["yhat", "other"]], ids=str)
@pytest.mark.parametrize("weight", [None, "w"])
def test_a_report_of_rows_is_the_report_of_their_cube(by: Any, pred: Any, weight: Any) -> None:
    report = FRAME.ordinal.report("y", pred, by=by, metrics="all", sample_weight=weight)
    cube = FRAME.ordinal.confusion("y", pred, by=by, sample_weight=weight)
    of_cube = cube.ordinal.report(metrics="all")
    assert isinstance(of_cube, xr.Dataset) and list(of_cube) == ["n", *REPORTED]
    for name in REPORTED:
        npt.assert_allclose(report[name], np.ravel(of_cube[name]), rtol=1e-12, atol=1e-12)
    n = FRAME.ordinal.confusion("y", pred, by=by).sum(["true", "pred"])
    assert np.ravel(report["n"]).tolist() == np.ravel(n).tolist()
    if weight is None:
        npt.assert_array_equal(of_cube["n"], n)


def test_the_report_of_a_dataset_counts_cases() -> None:
    dataset = xr.Dataset({"y": ("i", TRUE), "yhat": ("i", PRED), "w": ("i", FRAME["w"])})
    for ds in (dataset, dataset.chunk(i=64)):
        report = ds.ordinal.report("y", "yhat", sample_weight="w", classes=CLASSES)
        expected = FRAME.ordinal.report("y", "yhat", sample_weight="w")
        assert list(report) == expected.index.tolist()
        for name, value in expected.items():
            assert float(report[name]) == pytest.approx(value, rel=1e-12)


def test_sums_of_cubes_are_concatenated_rows() -> None:
    first, second = FRAME[:120], FRAME[100:]
    options: dict[str, Any] = {"by": ["g", "fold"]}
    cubes = [part.ordinal.confusion("y", "yhat", **options) for part in (first, second)]
    both = pd.concat([first, second])
    total = po.add(*cubes)
    xr.testing.assert_identical(total, both.ordinal.confusion("y", "yhat", **options))
    report = total.ordinal.report(metrics="all").to_dataframe()
    expected = both.ordinal.report("y", "yhat", metrics="all", **options)
    pd.testing.assert_frame_equal(report[expected.columns], expected, rtol=1e-12)


def test_wide_dropna_counts_each_column() -> None:
    df = FRAME.copy()
    df.loc[:4, "yhat"] = np.nan
    df.loc[2:30, "other"] = np.nan
    df.loc[[0, 50], "y"] = np.nan
    report = df.ordinal.report("y", ["yhat", "other"], dropna=True)
    for pred in ("yhat", "other"):
        kept = df.dropna(subset=["y", pred])
        assert report.loc[pred, "n"] == len(kept)
        expected = kept.ordinal.report("y", pred)
        npt.assert_allclose(report.loc[pred], expected, rtol=1e-12)
    by = df.ordinal.report("y", ["yhat", "other"], dropna=True, by="g")
    assert by["n"].groupby("model").sum().to_dict() == report["n"].to_dict()


def test_a_list_of_predictions_is_its_columns() -> None:
    both = FRAME.ordinal.report("y", ["other", "yhat"], by="g")
    for pred in ("other", "yhat"):
        one = FRAME.ordinal.report("y", pred, by="g")
        pd.testing.assert_frame_equal(both.xs(pred, level="model"), one)


# Series


def test_series_are_never_aligned() -> None:
    true, pred = FRAME["y"], FRAME["yhat"]
    with pytest.raises(ValueError, match="index of pred 'yhat'.*'y'"):
        true.ordinal.mae(pred[::-1])
    with pytest.raises(ValueError, match="index of pred"):
        true.ordinal.mae(pred[:-1])
    with pytest.raises(ValueError, match="index of sample_weight 'w'"):
        true.ordinal.mae(pred, sample_weight=FRAME["w"][::-1])
    for other in (pred.tolist(), pred.to_numpy(), "yhat", None):
        with pytest.raises(TypeError, match="pred must be a Series"):
            true.ordinal.mae(other)
    with pytest.raises(TypeError, match="sample_weight must be a Series"):
        true.ordinal.mae(pred, sample_weight=[1] * len(true))


def test_series_without_names() -> None:
    true, pred = pd.Series([0, 1, 2]), pd.Series([0, 2, 2])
    assert true.ordinal.mae(pred) == pytest.approx(1 / 3)
    with pytest.raises(po.MissingValueError, match="'pred'"):
        true.ordinal.mae(pd.Series([0, 1, None]))
    with pytest.raises(po.ClassOrderError, match="'true'"):
        pd.Series(["a"]).ordinal.mae(pd.Series(["a"]))


def test_series_of_one_name() -> None:
    true, pred = pd.Series([0, 1, 2], name="y"), pd.Series([0, 2, 2], name="y")
    assert true.ordinal.mae(pred) == pytest.approx(1 / 3)


# what keeps the places of an option together

ACCESSORS = {
    "frame": FrameOrdinal,
    "series": SeriesOrdinal,
    "groupby": GroupByOrdinal,
    "array": ArrayOrdinal,
    "dataset": DatasetOrdinal,
}
KINDS = {
    surface: [
        accessor,
        *(
            getattr(methods, accessor.__name__.removesuffix("Ordinal") + kind)
            for kind in ("Method", "ScoreMethod", "ProbaMethod")
        ),
    ]
    for surface, accessor in ACCESSORS.items()
}


@pytest.mark.parametrize("surface", KINDS)
def test_types_have_the_parameters_of_the_methods(surface: str) -> None:
    accessor, *protocols = KINDS[surface]
    for name, protocol in zip(("mae", "vus", "rps"), protocols, strict=True):
        method = inspect.signature(getattr(accessor, name)).parameters.values()
        own = {p.name: p.default for p in method if p.kind is not p.KEYWORD_ONLY}
        # at run time an overloaded function does not know its own name
        named = SimpleNamespace(
            __module__=protocol.__module__, __qualname__=f"{protocol.__name__}.__call__"
        )
        for call in get_overloads(named) or [protocol.__call__]:
            typed = list(inspect.signature(call).parameters.values())
            assert [p.name for p in typed] == [*own, "args", "kwargs"]
            for parameter in typed[1:-2]:  # an overload may ask for what is optional
                assert parameter.default in (own[parameter.name], inspect.Parameter.empty)


@pytest.mark.parametrize("surface", KINDS)
def test_reports_have_the_parameters_of_confusion(surface: str) -> None:
    accessor, *_ = KINDS[surface]
    report = set(inspect.signature(accessor.report).parameters)
    confusion = set(inspect.signature(accessor.confusion).parameters)
    assert (confusion if surface != "array" else {"self", "bins"}) <= report


def test_kernels_have_no_option_that_a_query_has() -> None:
    asked = {field.name for field in dataclasses.fields(Query)}
    assert asked - {"other"} | {"metrics"} == SURFACE_PARAMETERS
    for accessor, *_ in KINDS.values():
        assert set(inspect.signature(accessor.confusion).parameters) - {"self"} <= asked


def test_what_is_scored_has_its_own_type_in_the_help() -> None:
    annotations = {
        (surface, name): inspect.signature(getattr(accessor, name)).parameters
        for surface, (accessor, *_) in KINDS.items()
        for name in ("vus", "rps")
    }
    assert annotations["series", "rps"]["proba"].annotation == "pd.DataFrame"
    assert annotations["frame", "rps"]["proba"].annotation == "ProbaLike"
    assert annotations["frame", "vus"]["score"].annotation == "Hashable | list[Any]"


@pytest.mark.parametrize("name", ["mae", "kappa", "vus", "rps", "interval_stc"])
def test_help_says_what_a_surface_refuses(name: str) -> None:
    for surface, (accessor, *_) in KINDS.items():
        of_cube = surface == "array" and name in OF_LABELS
        text = inspect.getdoc(getattr(accessor, name)).split("\nRaises\n")[1]
        for error in ("ClassOrderError", "UnknownClassError", "MissingValueError"):
            assert (error in text) != of_cube
        assert ("counts are negative" in text) == of_cube
    assert "no such weights" in inspect.getdoc(FrameOrdinal.kappa)


def test_nothing_to_score_is_an_error_on_every_surface() -> None:
    dataset = xr.Dataset({"y": ("i", TRUE)})
    for report in (
        partial(FRAME.ordinal.report, "y"),
        partial(FRAME.groupby("g").ordinal.report, "y"),
        FRAME["y"].ordinal.report,
        partial(dataset.ordinal.report, "y", classes=CLASSES),
    ):
        with pytest.raises(ValueError, match="give pred=, score= or proba="):
            report()


def test_a_column_labelled_none_is_not_left_out_in_silence() -> None:
    df = pd.DataFrame({"y": [0, 1, 2, 1], None: [0, 2, 2, 1], "s": [1.0, 2, 3, 4]})
    assert df.ordinal.mae("y", None) == 0.25
    assert df.ordinal.report("y", [None], metrics=["mae"])["mae"].tolist() == [0.25]
    for report in (df.ordinal.report, df.assign(g=1).groupby("g").ordinal.report):
        with pytest.raises(ValueError, match=r"pred=\[None\]"):
            report("y", score="s")


def test_wrong_calls_of_a_cube_say_what_to_call() -> None:
    cube = FRAME.ordinal.confusion("y", "yhat")
    true = xr.DataArray(TRUE, dims="i")
    with pytest.raises(TypeError, match="a cube takes options only"):
        cube.ordinal.oci("y", "yhat")
    with pytest.raises(TypeError, match="bins= must be the edges .* not a DataArray"):
        cube.ordinal.oci(cube)
    with pytest.raises(ValueError, match=r"true\.ordinal\.confusion\(pred"):
        true.ordinal.oci(true)
    with pytest.raises(TypeError, match=r"true\.ordinal\.confusion\(pred\)\.ordinal\.oci"):
        true.ordinal.oci(true, dim="i")
    with pytest.raises(TypeError, match=r"true\.ordinal\.rps\(proba\)"):
        cube.ordinal.rps()


def test_lists_of_models_need_a_list_of_predictions() -> None:
    df = FRAME.assign(s=1.0, t=2.0)
    with pytest.raises(TypeError, match="score= lists 2 models, but pred= names one"):
        df.ordinal.report("y", "yhat", score=["s", "t"])
    with pytest.raises(TypeError, match="proba= lists 2 models"):
        df.ordinal.report("y", "yhat", proba=[["s", "t"], ["t", "s"]])


def test_attributes_of_labels_are_not_those_of_results() -> None:
    dataset = xr.Dataset({"y": ("i", TRUE), "yhat": ("i", PRED), "w": ("i", FRAME["w"])})
    dataset["y"].attrs["units"] = "grade"
    for weight in (None, "w"):
        report = dataset.ordinal.report("y", "yhat", sample_weight=weight, classes=CLASSES)
        assert all(not variable.attrs for variable in report.values())
