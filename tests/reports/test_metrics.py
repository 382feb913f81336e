"""Metrics on classes that are bins: of a dtype, or given as bins=, on every surface."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import brute
import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr
from binned import (
    BOTH,
    CUT,
    EDGES,
    INF,
    KINDS,
    NAN,
    NUMBERS_OF_BINS,
    OF_BINS,
    OPEN,
    ROWS,
    SIZES,
    assert_everywhere,
    binned,
    bins_of,
    by_definition,
    coded,
    counts_of,
    edges_of,
    intervals,
    surfaces,
    times,
    tuples,
)
from hypothesis import given
from hypothesis import strategies as st
from labelled import LEVELS, predictions
from oracles import cost, errors, kappa, oci, pairs
from oracles.strategies import QUICK, matrices

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, UnknownClassError

# columns of bins


@pytest.mark.parametrize("kind", CUT)
def test_columns_of_pandas_cut_are_scored_on_every_surface(kind: str) -> None:
    df = CUT[kind]
    counts, edges = counts_of(df), edges_of(df["y"])
    options = {"unbounded": (7.5, 12)} if kind == "cut, open" else {}
    ways = surfaces(df)
    assert_everywhere(ways, "mae", errors.mae(counts))
    for name in ("interval_stc", "interval_mae", "interval_lengths"):
        expected = by_definition(name, counts, edges, **options)
        assert_everywhere(ways, name, expected, **options)


@pytest.mark.parametrize("kind", CUT)
def test_the_class_axes_hold_the_bins(kind: str) -> None:
    df = CUT[kind]
    bins = df["y"].cat.categories
    dataset = xr.Dataset({name: ("i", df[name].cat.codes) for name in df})
    for cube in (
        df.ordinal.confusion("y", "yhat"),
        df.assign(k=0).ordinal.confusion("y", "yhat", by="k").isel(k=0),
        df.assign(k=0).groupby("k").ordinal.confusion("y", "yhat").isel(k=0),
        df["y"].ordinal.confusion(df["yhat"]),
        dataset.ordinal.confusion("y", "yhat", classes=bins),
        dataset["y"].ordinal.confusion(dataset["yhat"], classes=df["y"].dtype),
        po.ordinal(df).confusion("y", "yhat"),
    ):
        npt.assert_array_equal(cube, counts_of(df))
        for dim in ("true", "pred"):
            axis = cube.indexes[dim]
            assert isinstance(axis, pd.CategoricalIndex) and axis.ordered
            assert axis.tolist() == bins.tolist()
            pd.testing.assert_index_equal(axis.categories, bins, exact=True)


def test_the_metrics_of_three_bins_by_hand() -> None:
    bins = bins_of([0, 10, 20, 50])
    df = predictions(coded([0, 1, 2], bins), coded([1, 2, 0], bins))
    assert df.ordinal.mae("y", "yhat") == pytest.approx(4 / 3)
    # starts 0, 10, 20 and ends 10, 20, 50: 10, 30 and 40 apart; middles 5, 15, 35
    assert df.ordinal.interval_mae("y", "yhat") == pytest.approx(80 / 3)
    assert df.ordinal.interval_mae("y", "yhat", distance="midpoint") == pytest.approx(20)
    assert df.ordinal.interval_lengths("y", "yhat").tolist() == [10, 10, 30]


@pytest.mark.parametrize("kind", KINDS)
def test_bins_of_times_are_scored_in_seconds(kind: str) -> None:
    edges = times([0, 60, 120, 300], kind, "s")
    true = pd.Series(times([30, 90, 200], kind, "s")).ordinal.cut(edges)
    pred = pd.Series(times([90, 200, 30], kind, "s")).ordinal.cut(edges.as_unit("ns"))
    df = predictions(true, pred)
    assert df.ordinal.interval_mae("y", "yhat") == pytest.approx((60 + 180 + 240) / 3)
    assert df.ordinal.interval_lengths("y", "yhat").tolist() == pytest.approx([60, 60, 180])
    assert df.ordinal.report("y", "yhat").index[-1] == "interval_stc"


@pytest.mark.parametrize("edges", [EDGES, OPEN, [-INF, 10, 20, 50]], ids=str)
def test_groups_that_lack_a_class(edges: list[float]) -> None:
    df = binned(edges)
    cube = df.ordinal.confusion("y", "yhat", by="g")
    metrics = [*NUMBERS_OF_BINS, "mae"]
    for report in (
        df.ordinal.report("y", "yhat", by="g", metrics=metrics),
        df.groupby("g").ordinal.report("y", "yhat", metrics=metrics),
        cube.ordinal.report(metrics=metrics).to_dataframe(),
        cube.chunk(g=1).ordinal.report(metrics=metrics).compute().to_dataframe(),
        ROWS.ordinal.report("y", "yhat", by="g", metrics=metrics, bins=edges),
    ):
        for g, rows in ROWS.groupby("g"):
            counts = brute.counts(rows["y"], rows["yhat"], 3)
            for name in NUMBERS_OF_BINS:
                expected = by_definition(name, counts, edges)
                assert report.loc[g, name] == pytest.approx(expected, rel=1e-12, nan_ok=True)
            assert report.loc[g, "mae"] == pytest.approx(errors.mae(counts))
        assert np.isnan(report.loc["b", "interval_stc"])  # a class without true rows is predicted
        assert report["n"].tolist() == [6, 3, 4]
    with pytest.warns(po.UndefinedMetricWarning, match="interval_stc.*'b'"):
        alone = df.ordinal.interval_stc("y", "yhat", by="g")
    assert np.isnan(alone["b"]) and 0 < alone["c"] < 1


OPENED = [OPEN, [-INF, 10, 20, 50], BOTH, [0.1, 0.2, 0.4, INF], [-1e9, 0, 1e-9, INF]]


@pytest.mark.filterwarnings("ignore::pandas_ordinal.UndefinedMetricWarning")
@QUICK
@given(counts=matrices(3, 3), edges=st.sampled_from(OPENED))
def test_open_bins_never_give_infinity(counts: np.ndarray, edges: list[float]) -> None:
    true, pred = np.nonzero(np.ones((3, 3)))
    codes = [np.repeat(codes, counts.ravel()) for codes in (true, pred)]
    df = predictions(*(coded(each, bins_of(edges)) for each in codes))
    report = df.ordinal.report("y", "yhat", metrics="all")
    assert not np.isinf(report).any()
    expected = {
        "n": counts.sum(),
        "mae": errors.mae(counts.tolist()),
        "kappa": kappa.kappa(counts.tolist()),
        "kendall_tau": pairs.kendall_tau(counts.tolist()),
        "oci": oci.oci(counts.tolist()) if counts.sum() else NAN,
    }
    for name, value in expected.items():
        assert report[name] == pytest.approx(value, rel=1e-9, abs=1e-12, nan_ok=True)
    options = {"unbounded": (1, 2)} if edges == BOTH else {}
    cube = df.ordinal.confusion("y", "yhat")
    for name in OF_BINS:
        assert not np.isinf(getattr(cube.ordinal, name)(**options)).any()


# bins=


LABELLED = {
    "integers": ROWS,
    "ordered text": ROWS.assign(
        **{
            name: pd.Categorical.from_codes(ROWS[name], categories=LEVELS, ordered=True)
            for name in ("y", "yhat", "other")
        }
    ),
}
GIVEN = {
    "edges": (EDGES, EDGES),
    "open": (OPEN, OPEN),
    "left": (bins_of(EDGES, "left"), bins_of(EDGES, "left")),
}


def assert_same(result: Any, expected: Any) -> None:
    """Exactly the same values, labels, dtypes and names."""
    assert type(result) is type(expected)
    if isinstance(result, pd.Series):
        pd.testing.assert_series_equal(result, expected, check_exact=True)
    elif isinstance(result, pd.DataFrame):
        pd.testing.assert_frame_equal(result, expected, check_exact=True)
    elif isinstance(result, (xr.DataArray, xr.Dataset)):
        xr.testing.assert_identical(result, expected)
    else:
        npt.assert_array_equal(result, expected)


def calls(df: pd.DataFrame, name: str, **options: Any) -> list[Any]:
    """Call a metric, the report or the confusion on the pandas surfaces."""
    return [
        getattr(df.ordinal, name)("y", "yhat", **options),
        getattr(df.ordinal, name)("y", ["yhat", "other"], **options),
        getattr(df.ordinal, name)("y", "yhat", by="g", **options),
        getattr(df.ordinal, name)("y", "yhat", by="g", sample_weight="w", **options),
        getattr(df.groupby("g").ordinal, name)("y", "yhat", **options),
        getattr(df["y"].ordinal, name)(df["yhat"], **options),
        getattr(po.ordinal(df), name)("y", "yhat", **options),
    ]


@pytest.mark.filterwarnings("ignore::pandas_ordinal.UndefinedMetricWarning")
@pytest.mark.parametrize(
    ("given_bins", "kind"), [("edges", "ordered text"), ("open", "integers"), ("left", "integers")]
)
@pytest.mark.parametrize("name", [*OF_BINS, "mae", "class_recall", "report", "confusion"])
def test_bins_stand_for_the_labels_in_frames(name: str, given_bins: str, kind: str) -> None:
    bins, edges = GIVEN[given_bins]
    result = calls(LABELLED[kind], name, bins=bins)
    for one, other in zip(result, calls(binned(edges), name), strict=True):
        assert_same(one, other)


@pytest.mark.filterwarnings("ignore::pandas_ordinal.UndefinedMetricWarning")
@pytest.mark.parametrize("given_bins", GIVEN)
@pytest.mark.parametrize("name", [*OF_BINS, "mae", "class_recall"])
def test_bins_stand_for_the_labels_in_arrays(name: str, given_bins: str) -> None:
    bins, edges = GIVEN[given_bins]
    expected = binned(edges).ordinal.confusion("y", "yhat", by="g")
    cube = LABELLED["ordered text"].ordinal.confusion("y", "yhat", by="g")
    for one, other in (
        (cube, expected),
        (cube.isel(true=[2, 0, 1], pred=[1, 2, 0]), expected),
        (cube.chunk(g=1), expected.chunk(g=1)),
    ):
        result = getattr(one.ordinal, name)(bins=bins)
        xr.testing.assert_identical(result, getattr(other.ordinal, name)())

    whole = getattr(binned(edges).ordinal.confusion("y", "yhat").ordinal, name)()
    dataset = xr.Dataset({column: ("i", ROWS[column]) for column in ("y", "yhat")})
    for options in ({}, {"classes": LEVELS}):
        call = getattr(dataset.ordinal, name)
        xr.testing.assert_identical(call("y", "yhat", bins=bins, **options), whole)


@pytest.mark.parametrize("given_bins", GIVEN)
def test_bins_stand_for_the_labels_in_reports_and_cubes_of_arrays(given_bins: str) -> None:
    bins, edges = GIVEN[given_bins]
    expected = binned(edges).ordinal.confusion("y", "yhat")
    dataset = xr.Dataset({column: ("i", ROWS[column]) for column in ("y", "yhat")})
    xr.testing.assert_identical(dataset.ordinal.confusion("y", "yhat", bins=bins), expected)
    xr.testing.assert_identical(dataset.y.ordinal.confusion(dataset.yhat, bins=bins), expected)
    lazy = dataset.chunk(i=5)
    labels = lazy.y.ordinal.confusion(lazy.yhat, bins=bins, classes=[0, 1, 2])
    assert labels.chunks is not None
    xr.testing.assert_identical(labels.compute(), expected)
    cube = ROWS.ordinal.confusion("y", "yhat")
    for metrics in (None, "all", ["interval_mae"]):
        report = expected.ordinal.report(metrics=metrics)
        xr.testing.assert_identical(cube.ordinal.report(bins=bins, metrics=metrics), report)
        result = dataset.ordinal.report("y", "yhat", bins=bins, metrics=metrics)
        xr.testing.assert_identical(result, report)
    xr.testing.assert_identical(cube, ROWS.ordinal.confusion("y", "yhat"))  # left as it was


@pytest.mark.parametrize(
    "bins",
    [
        tuple(OPEN),
        np.array(OPEN),
        pd.Index(OPEN),
        pd.Series(OPEN),
        bins_of(OPEN),
        [*bins_of(OPEN)],
    ],
    ids=lambda bins: type(bins).__name__,
)
def test_bins_in_any_container(bins: Any) -> None:
    for df in LABELLED.values():
        result = df.ordinal.report("y", "yhat", by="g", bins=bins)
        assert_same(result, binned(OPEN).ordinal.report("y", "yhat", by="g"))


def test_bins_are_given_to_the_classes_not_to_the_values() -> None:
    df = predictions([5, 5, 7], [7, 6, 5])
    # 5, 6 and 7 are the classes, of 1, 1 and 8: 9, 1 and 9 apart
    assert df.ordinal.interval_mae("y", "yhat", bins=[0, 1, 2, 10]) == pytest.approx(19 / 3)
    assert predictions([True, False], [True, True]).ordinal.interval_mae(
        "y", "yhat", bins=[0, 1, 5]
    ) == pytest.approx(2)  # 0 to 1 and 1 to 5: the ends are 4 apart


def test_bins_and_classes_together() -> None:
    df = predictions(["low", "high"], ["high", "high"])
    bins = [0, 1, 3, 7]
    assert df.ordinal.interval_mae("y", "yhat", classes=LEVELS, bins=bins) == 3  # of 0 and 6
    cube = df.ordinal.confusion("y", "yhat", classes=LEVELS, bins=bins)
    assert cube.indexes["true"].tolist() == intervals(bins, "right")


def test_bins_may_repeat_what_the_classes_are() -> None:
    df = binned(EDGES)
    expected = df.ordinal.interval_stc("y", "yhat")
    for bins in (EDGES, [float(edge) for edge in EDGES], bins_of(EDGES)):
        assert df.ordinal.interval_stc("y", "yhat", bins=bins) == expected
    cube = df.ordinal.confusion("y", "yhat")
    assert cube.ordinal.interval_stc(bins=EDGES) == expected
    left = binned(EDGES, "left")
    assert left.ordinal.interval_stc("y", "yhat", bins=bins_of(EDGES, "left")) == expected


def with_bins(bins: Any, df: pd.DataFrame) -> list[Callable[[], Any]]:
    """Ways to give bins to the labels of a frame."""
    cube = df.ordinal.confusion("y", "yhat")
    codes = [df[n].cat.codes if df[n].dtype == "category" else df[n] for n in ("y", "yhat")]
    dataset = xr.Dataset({"y": ("i", codes[0]), "yhat": ("i", codes[1])})
    labels = {"classes": cube.indexes["true"].categories, "bins": bins}
    return [
        partial(df.ordinal.interval_stc, "y", "yhat", bins=bins),
        partial(df.ordinal.mae, "y", "yhat", bins=bins),
        partial(df.ordinal.report, "y", "yhat", bins=bins),
        partial(df.ordinal.confusion, "y", "yhat", bins=bins),
        partial(df.groupby("g").ordinal.interval_stc, "y", "yhat", bins=bins),
        partial(df["y"].ordinal.interval_stc, df["yhat"], bins=bins),
        partial(cube.ordinal.interval_stc, bins=bins),
        partial(cube.ordinal.report, bins=bins),
        partial(dataset.ordinal.interval_stc, "y", "yhat", **labels),
        partial(dataset.y.ordinal.confusion, dataset.yhat, **labels),
    ]


@pytest.mark.parametrize("bins", [EDGES[:3], [*EDGES, 70], [0, 1], bins_of([0, 1, 2])], ids=str)
@pytest.mark.parametrize("kind", LABELLED)
def test_another_number_of_bins_than_classes_is_refused(bins: Any, kind: str) -> None:
    for call in with_bins(bins, LABELLED[kind]):
        with pytest.raises(ClassOrderError, match=r"bins=.*3 classes.*one edge more"):
            call()


@pytest.mark.parametrize(
    "bins",
    [[0, 10, 20, 60], [0, 10, 20], [0, 10, 20, 50, 90], bins_of(EDGES, "left")],
    ids=str,
)
def test_bins_that_the_classes_are_not_are_refused(bins: Any) -> None:
    for call in with_bins(bins, binned(EDGES)):
        with pytest.raises(ClassOrderError, match=r"\(20, 50\].*bins=.*leave out bins="):
            call()


def test_integers_of_another_range_than_the_bins_get_a_remedy() -> None:
    ages = predictions([5, 35], [15, 35])
    with pytest.raises(ClassOrderError, match=r"28 integers that no row has: give classes="):
        ages.ordinal.interval_mae("y", "yhat", bins=EDGES)
    near = predictions([5, 8], [7, 6])
    with pytest.raises(ClassOrderError, match=r"bins=.*3 bins.*4 classes.*\.ordinal\.cut\("):
        near.ordinal.interval_mae("y", "yhat", bins=EDGES)
    with pytest.raises(ClassOrderError, match=r"bins=.*3 bins.*31 classes.*\.ordinal\.cut\("):
        ages.ordinal.interval_mae("y", "yhat", bins=EDGES, classes=range(5, 36))
    binned_ages = ages.apply(lambda s: s.ordinal.cut(EDGES))
    assert binned_ages.ordinal.interval_mae("y", "yhat") == 5  # of 10 and 0
    fewer = predictions([0, 1], [1, 1])
    with pytest.raises(ClassOrderError, match=r"3 bins to 2 classes.*classes=\["):
        fewer.ordinal.interval_mae("y", "yhat", bins=EDGES)
    assert fewer.ordinal.interval_mae("y", "yhat", bins=EDGES, classes=[0, 1, 2]) == 5


@pytest.mark.parametrize(
    ("bins", "message"),
    [
        (tuples((0, 1), (2, 3), (3, 4)), "gap"),
        (tuples((0, 2), (1, 3), (3, 4)), "overlap"),
        (tuples((1, 2), (0, 1), (2, 3)), "sort"),
        (tuples((1, 2), (3, 7), (8, 14), closed="both"), r"\[1, 3, 8, 15\], closed='left'"),
    ],
)
def test_bins_that_are_not_contiguous_are_refused(bins: Any, message: str) -> None:
    for df in (ROWS, binned(EDGES)):
        for call in with_bins(bins, df):
            with pytest.raises(ClassOrderError, match=f"bins=.*{message}"):
                call()


@pytest.mark.parametrize("name", OF_BINS)
def test_classes_without_edges_say_how_to_give_them(name: str) -> None:
    df = LABELLED["ordered text"]
    cube = df.ordinal.confusion("y", "yhat")
    dataset = xr.Dataset({column: ("i", ROWS[column]) for column in ("y", "yhat")})
    for call in (
        partial(getattr(df.ordinal, name), "y", "yhat"),
        partial(getattr(ROWS.ordinal, name), "y", ["yhat", "other"], by="g"),
        partial(getattr(df.groupby("g").ordinal, name), "y", "yhat"),
        partial(getattr(df["y"].ordinal, name), df["yhat"]),
        getattr(cube.ordinal, name),
        partial(getattr(dataset.ordinal, name), "y", "yhat"),
    ):
        with pytest.raises(ClassOrderError) as caught:
            call()
        assert "bins=[" in str(caught.value) and ".ordinal.cut([" in str(caught.value)


# labelled options


@pytest.mark.parametrize("edges", [EDGES, OPEN], ids=str)
@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1]], ids=str)
def test_sizes_labelled_by_bin_are_matched_by_label(edges: list[float], order: list[int]) -> None:
    df, bins = binned(edges), bins_of(edges)
    sizes = pd.Series(SIZES, index=bins).iloc[order]
    frozen: Any = {"class_sizes": tuple(SIZES)}
    ways = surfaces(df)
    labelled: list[Any] = [
        sizes,
        pd.Series(sizes.to_numpy(), index=coded(order, bins)),
        pd.Series(sizes.to_numpy(), index=bins_of([float(e) for e in edges])[order]),
        xr.DataArray(sizes.to_numpy(), {"class": pd.CategoricalIndex(sizes.index)}, ["class"]),
    ]
    for name in ("interval_stc", "interval_mae", "interval_lengths"):
        expected = by_definition(name, counts_of(df), edges, **frozen)
        for given_sizes in labelled:
            result = getattr(df.ordinal, name)("y", "yhat", class_sizes=given_sizes)
            npt.assert_allclose(result, expected, rtol=1e-12)
            result = getattr(ROWS.ordinal, name)("y", "yhat", bins=edges, class_sizes=given_sizes)
            npt.assert_allclose(result, expected, rtol=1e-12)
        assert_everywhere(ways, name, expected, class_sizes=sizes)
    expected = cost.stc(counts_of(df).tolist(), class_sizes=[int(size) for size in SIZES])
    assert df.ordinal.stc("y", "yhat", class_sizes=sizes) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("sizes", ["value_counts", "cube"])
def test_sizes_may_be_counted(sizes: str) -> None:
    df = binned(OPEN)
    counted = df["y"].value_counts()  # the most frequent bin first
    if sizes == "cube":
        counted = df.ordinal.confusion("y", "yhat").sum("pred").isel(true=[1, 2, 0])
        counted = counted.rename(true="class")
    by = df.ordinal.interval_lengths("y", "yhat", by="g", class_sizes=counted)
    expected = by_definition("interval_lengths", counts_of(df), OPEN)
    for g in "abc":  # all groups have the same length of the open bin
        npt.assert_allclose(by[g], expected, rtol=1e-12)


@pytest.mark.parametrize(
    "index",
    [
        bins_of(EDGES, "left"),
        bins_of([0, 10, 20, 51]),
        bins_of([0, 10, 20]),
        [1, 2, 3],
        [5, 15, 30],
        [str(label) for label in bins_of(EDGES)],
    ],
    ids=str,
)
def test_sizes_of_other_bins_are_refused(index: Any) -> None:
    sizes = pd.Series(1.0, index=index)
    for call in (
        partial(binned(EDGES).ordinal.interval_stc, "y", "yhat"),
        partial(ROWS.ordinal.interval_stc, "y", "yhat", bins=EDGES),
        binned(EDGES).ordinal.confusion("y", "yhat").ordinal.interval_stc,
    ):
        with pytest.raises(UnknownClassError, match=r"class_sizes=.*\[Interval\("):
            call(class_sizes=sizes)


def test_options_labelled_by_the_names_that_bins_replaces() -> None:
    names, edges = ["short", "moderate", "long"], [1, 3, 8, np.inf]
    df = pd.DataFrame({"y": list("001122"), "yhat": list("012120"), "fold": list("ababab")})
    for column in ("y", "yhat"):
        df[column] = df[column].map(dict(zip("012", names, strict=True))).ordinal.as_ordered(names)
    cube = df.ordinal.confusion("y", "yhat", by="fold")
    dataset = xr.Dataset({c: ("row", df[c].cat.codes) for c in ("y", "yhat")})
    sizes = pd.Series([4, 5, 6], names)
    costs = pd.DataFrame([[0, 1, 2], [3, 0, 1], [5, 4, 0]], names, names)
    for name, option, labelled_values, plain in [
        ("interval_stc", "class_sizes", sizes, [4, 5, 6]),
        ("interval_lengths", "class_sizes", sizes[::-1], [4, 5, 6]),
        ("stc", "class_sizes", sizes, [4, 5, 6]),
        ("expected_cost", "costs", costs.loc[names[::-1]], costs.to_numpy()),
        ("interval_cost_matrix", "class_sizes", sizes[::-1], [4, 5, 6]),
        ("cost_matrix", "class_sizes", sizes[::-1], [4, 5, 6]),
    ]:
        for call in (
            partial(getattr(df.ordinal, name), "y", "yhat"),
            partial(getattr(df.ordinal, name), "y", "yhat", by="fold"),
            partial(getattr(df.groupby("fold").ordinal, name), "y", "yhat"),
            partial(getattr(df["y"].ordinal, name), df["yhat"]),
            getattr(cube.ordinal, name),
            partial(getattr(dataset.ordinal, name), "y", "yhat", classes=names),
        ):
            labelled = call(**{option: labelled_values, "bins": edges})
            npt.assert_array_equal(labelled, call(**{option: plain, "bins": edges}))
        if name == "interval_stc":
            metrics = {"x": partial(po.metrics.interval_stc, class_sizes=sizes[::-1])}
            report = df.ordinal.report("y", "yhat", by="fold", bins=edges, metrics=metrics)
            npt.assert_array_equal(
                report["x"],
                df.ordinal.interval_stc("y", "yhat", by="fold", bins=edges, class_sizes=sizes),
            )
    assert (
        cube.ordinal.interval_stc(
            bins=edges, class_sizes=cube.sum(["fold", "pred"]).rename(true="class")
        )
        .notnull()
        .all()
    )


def test_costs_labelled_in_two_ways_are_refused() -> None:
    names, edges = ["short", "long"], [1, 3, np.inf]
    y = pd.Series(["short", "long"]).ordinal.as_ordered(names)
    costs = pd.DataFrame([[0, 1], [2, 0]], pd.IntervalIndex.from_breaks(edges), names)
    with pytest.raises(UnknownClassError, match="costs="):
        y.ordinal.expected_cost(y, bins=edges, costs=costs)


# po.ordinal(...)


def test_the_typed_entry_takes_bins_on_every_object() -> None:
    df = binned(OPEN)
    cube = po.ordinal(df).confusion("y", "yhat", by="g")
    dataset = xr.Dataset({column: ("i", ROWS[column]) for column in ("y", "yhat")})
    by_group: list[tuple[Any, Any]] = [
        (po.ordinal(df).interval_mae("y", "yhat", by="g"), ["a", "b", "c"]),
        (po.ordinal(df.groupby("g")).interval_mae("y", "yhat"), ["a", "b", "c"]),
        (po.ordinal(ROWS).interval_mae("y", "yhat", by="g", bins=OPEN), ["a", "b", "c"]),
        (po.ordinal(cube).interval_mae(), ["a", "b", "c"]),
        (po.ordinal(df["y"]).interval_mae(df["yhat"]), [None]),
        (po.ordinal(ROWS["y"]).interval_mae(ROWS["yhat"], bins=OPEN), [None]),
        (po.ordinal(dataset).interval_mae("y", "yhat", bins=OPEN), [None]),
        (po.ordinal(dataset).interval_mae("y", "yhat", classes=bins_of(OPEN)), [None]),
        (
            po.ordinal(dataset["y"]).confusion(dataset["yhat"], bins=OPEN).ordinal.interval_mae(),
            [None],
        ),
    ]
    for result, groups in by_group:
        expected = [
            by_definition("interval_mae", counts_of(ROWS[(ROWS["g"] == g) | (g is None)]), OPEN)
            for g in groups
        ]
        npt.assert_allclose(np.ravel(result), expected, rtol=1e-12)
    values = pd.Series([3, 12, INF])
    assert po.ordinal(values).cut(OPEN).cat.codes.tolist() == [0, 1, 2]
    assert po.ordinal(po.ordinal(values).cut(OPEN)).classes.tolist() == bins_of(OPEN).tolist()


def test_names_of_columns_that_intervals_add_are_refused() -> None:
    frame = pd.DataFrame({"y": [0, 1, 2], "yhat": [0, 1, 1]})
    for end, asked in (("low", {"ci": 0.9}), ("high", {"ci": 0.9}), ("se", {"se": True})):
        metrics = {"mae": "mae", f"mae_{end}": "mse"}
        with pytest.raises(ValueError, match=f"names a column 'mae_{end}', which ci= or se= adds"):
            frame.ordinal.report("y", "yhat", metrics=metrics, **asked)
        assert frame.ordinal.report("y", "yhat", metrics=metrics)[f"mae_{end}"] == 1 / 3


def test_metrics_of_columns_are_a_dict() -> None:
    report = pd.DataFrame({"n": [3, 3], "mae": [0.1, 0.2]}, index=["a", "b"])
    for wrong in (["mae"], "mae", {"mae"}):
        with pytest.raises(ValueError, match=r"^metrics=.* must be a dict \{column: metric\}"):
            po.style(report, metrics=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("n_groups", [1, 2, 3, 5])
@pytest.mark.parametrize("n_classes", [1, 2, 3])
def test_own_functions_that_reduce_other_axes_are_refused(n_groups: int, n_classes: int) -> None:
    """Also where a sum over the groups would have as many numbers as there are groups."""
    codes = np.arange(6 * n_groups)
    df = pd.DataFrame({"g": codes // 6, "y": codes % n_classes, "yhat": codes % 3 % n_classes})
    ordinal, asked = df.ordinal, {"by": "g", "classes": range(n_classes)}

    def over_groups(tables: np.ndarray) -> np.ndarray:
        return tables.sum(axis=(0, 1))

    def of_groups(tables: np.ndarray) -> np.ndarray:
        return np.trace(tables, axis1=-2, axis2=-1)

    with pytest.raises(
        ValueError, match=r"metrics\['own'\] gives shape .*reduce the last two axes"
    ):
        ordinal.report("y", "yhat", metrics={"own": over_groups}, **asked)
    right = ordinal.report("y", "yhat", metrics={"own": of_groups}, **asked)
    assert right["own"].tolist() == (df["y"] == df["yhat"]).groupby(df["g"]).sum().tolist()
