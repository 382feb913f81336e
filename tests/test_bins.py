"""Classes that are bins: cut from numbers, read from text, checked, scored on every surface."""

from __future__ import annotations

import functools
import io
import itertools
import math
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal, TypeAlias

import brute
import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr
from hypothesis import given
from hypothesis import strategies as st
from oracles import cost, errors, interval, kappa, oci, pairs
from oracles.strategies import QUICK, matrices

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, MissingValueError, UnknownClassError
from pandas_ordinal.metrics import registry

Closed: TypeAlias = Literal["left", "right", "both", "neither"]

INF, NAN = math.inf, math.nan
SIDES: list[Closed] = ["left", "right"]
CLOSED: list[Closed] = ["left", "right", "both", "neither"]
UNITS = ["s", "ms", "us", "ns"]
OF_BINS = [name for name, metric in registry.items() if metric.needs == "edges"]
DEFAULT = "accuracy accuracy_within mae amae mmae kappa kendall_tau r_int oci".split()

EDGES: list[float] = [0, 10, 20, 50]
OPEN: list[float] = [0, 10, 20, INF]
BOTH: list[float] = [-INF, 10, 20, INF]
LEVELS = ["low", "medium", "high"]
# Group a holds rows of each class, b lacks true ones of class 2 and predicts it, c lacks it wholly
ROWS = pd.DataFrame(
    {
        "y": [0, 1, 2, 2, 1, 0, 0, 1, 1, 0, 0, 1, 0],
        "yhat": [0, 2, 2, 1, 1, 1, 2, 1, 0, 0, 1, 1, 0],
        "other": [1, 1, 2, 0, 1, 0, 0, 1, 2, 0, 1, 0, 0],
        "g": list("aaaaaabbbcccc"),
        "w": [1.0, 2, 1, 3, 1, 1, 2, 1, 1, 4, 1, 1, 2],
    }
)


def predictions(true: Any, pred: Any) -> pd.DataFrame:
    return pd.DataFrame({"y": true, "yhat": pred})


def bins_of(edges: Any, closed: Closed = "right") -> pd.IntervalIndex:
    return pd.IntervalIndex.from_breaks(edges, closed=closed)


def tuples(*ends: tuple[float, float], closed: Closed = "right") -> pd.IntervalIndex:
    return pd.IntervalIndex.from_tuples(list(ends), closed=closed)


def coded(codes: Any, bins: Any) -> pd.Categorical:
    return pd.Categorical.from_codes(codes, categories=bins, ordered=True)


def binned(edges: Any, closed: Closed = "right") -> pd.DataFrame:
    """The rows, their labels replaced by bins."""
    bins = edges if isinstance(edges, pd.IntervalIndex) else bins_of(edges, closed)
    return ROWS.assign(**{name: coded(ROWS[name], bins) for name in ("y", "yhat", "other")})


def edges_of(column: pd.Series) -> list[float]:
    bins = column.cat.categories
    return [*bins.left.tolist(), bins.right[-1].item()]


def counts_of(df: pd.DataFrame, pred: str = "yhat") -> np.ndarray:
    codes = [
        df[name].cat.codes if df[name].dtype == "category" else df[name] for name in ("y", pred)
    ]
    return brute.counts(*codes, 3)


def by_definition(name: str, counts: Any, edges: Sequence[float], **options: Any) -> Any:
    """The interval measure by its slow and literal definition."""
    return _by_definition(
        name, tuple(map(tuple, np.asarray(counts).tolist())), tuple(edges), **options
    )


@functools.cache
def _by_definition(name: str, counts: Any, edges: Any, **options: Any) -> Any:
    return getattr(interval, name)(counts, edges, **options)


# s.ordinal.cut: each value is in the bin that holds it


def bin_of(value: Any, bins: Sequence[pd.Interval]) -> int:
    """The first bin that holds a value; infinity is in the bin that is open on its side."""
    for position, each in enumerate(bins):
        if value in each or (value in (INF, -INF) and value in (each.left, each.right)):
            return position
    return -1


def assert_cut(values: pd.Series, edges: Any, bins: list[pd.Interval], **options: Any) -> None:
    """Compare with a loop over the values and the bins."""
    present = [
        None if missing else value for value, missing in zip(values, values.isna(), strict=True)
    ]
    expected = [-1 if value is None else bin_of(value, bins) for value in present]
    found = values.ordinal.cut(edges, outside="missing", **options)
    assert found.cat.codes.tolist() == expected
    assert found.cat.ordered
    assert found.cat.categories.tolist() == bins  # the edges and the closed side, to the bit
    pd.testing.assert_index_equal(found.index, values.index)
    assert found.name == values.name

    outside = [
        value
        for value, position in zip(present, expected, strict=True)
        if value is not None and position < 0
    ]
    if not outside:
        pd.testing.assert_series_equal(values.ordinal.cut(edges, **options), found)
        return
    with pytest.raises(UnknownClassError, match=f"'x' holds {len(outside)} value") as caught:
        values.ordinal.cut(edges, **options)
    assert any(str(value) in str(caught.value) for value in outside)


def intervals(edges: Sequence[Any], closed: Closed) -> list[pd.Interval]:
    """Bins with these very edges, as Python has them."""
    return [pd.Interval(low, high, closed=closed) for low, high in itertools.pairwise(edges)]


@st.composite
def number_edges(draw: st.DrawFn) -> list[float]:
    """Integers or floats, -inf and inf among them."""
    numbers = st.floats(-1e6, 1e6) | st.integers(-9, 9).map(float)
    elements: Any = draw(st.sampled_from([st.integers(-9, 9), numbers]))
    inner = sorted(draw(st.lists(elements, min_size=1, max_size=5, unique=True)))
    first, last = draw(st.booleans()), draw(st.booleans())
    return [-INF] * first + inner + [INF] * (last or len(inner) + first < 2)


def numbers_near(edges: list[float], dtype: str) -> st.SearchStrategy[list[Any]]:
    """Values on the edges, next to them and far from them, infinite and missing ones."""
    if dtype.lower().strip("u").startswith("int"):
        low = 0 if dtype.startswith("u") else -12
        whole = st.integers(low, 12) | st.sampled_from([low, 127])
        return st.lists(whole | st.none() if dtype == "Int64" else whole, max_size=8)
    finite = [edge for edge in edges if math.isfinite(edge)]
    near = [math.nextafter(edge, to) for edge in finite for to in (-INF, INF)]
    special = st.sampled_from([*edges, *near, INF, -INF, 0.0, -0.0])
    return st.lists(special | st.floats(-1e6, 1e6) | st.none(), max_size=8)


DTYPES = ["float64", "float32", "Float64", "Float32", "uint8", "Int64"]


@pytest.mark.parametrize("dtype", DTYPES)
@QUICK
@given(data=st.data())
def test_numbers_fall_into_the_bin_that_holds_them(dtype: str, data: st.DataObject) -> None:
    edges = data.draw(number_edges())
    closed = data.draw(st.sampled_from(SIDES))
    values = pd.Series(
        data.draw(numbers_near(edges, dtype)), dtype=None if dtype == "Int64" else float
    )
    values = values.astype(dtype)
    bins = intervals(edges, closed)
    exact = values.tolist()  # Python's numbers: float32 as the float64 that it is
    expected = [-1 if pd.isna(value) else bin_of(value, bins) for value in exact]
    found = values.ordinal.cut(edges, right=closed == "right", outside="missing")
    assert found.cat.codes.tolist() == expected
    assert found.cat.categories.tolist() == bins


@pytest.mark.parametrize("container", [list, tuple, np.array, pd.Index, pd.Series, iter])
def test_edges_in_any_container(container: Callable[[Any], Any]) -> None:
    found = pd.Series([1, 2, 3]).ordinal.cut(container([0, 1, 3]))
    assert found.cat.codes.tolist() == [0, 1, 1]
    assert found.cat.categories.tolist() == intervals([0, 1, 3], "right")
    assert pd.Series([1, 2]).ordinal.cut(range(3)).cat.codes.tolist() == [0, 1]


@QUICK
@given(data=st.data())
def test_cutting_keeps_index_and_name_and_raises_outside(data: st.DataObject) -> None:
    edges = data.draw(number_edges())
    closed = data.draw(st.sampled_from(SIDES))
    numbers = data.draw(numbers_near(edges, "float64"))
    index = data.draw(
        st.lists(st.sampled_from("abc"), min_size=len(numbers), max_size=len(numbers))
    )
    values = pd.Series(numbers, index, dtype=float, name="x")
    assert_cut(values, edges, intervals(edges, closed), right=closed == "right")


@QUICK
@given(data=st.data())
def test_bins_may_be_given_as_an_interval_index(data: st.DataObject) -> None:
    edges = data.draw(number_edges())
    closed = data.draw(st.sampled_from(CLOSED))
    if closed == "both":
        edges = edges[:2]
    values = pd.Series(data.draw(numbers_near(edges, "float64")), dtype=float, name="x")
    bins = bins_of(edges, closed)
    for given_bins in (bins, bins.tolist()):
        assert_cut(values, given_bins, intervals(edges, closed))
    pd.testing.assert_index_equal(values.ordinal.cut(bins, outside="missing").cat.categories, bins)


def times(offsets: Any, kind: str, unit: str) -> pd.Index:
    """Datetimes or timedeltas, given in their unit from the first of March 2026 on."""
    if kind == "timedelta":
        return pd.TimedeltaIndex(np.array(offsets, "int64").astype(f"timedelta64[{unit}]"))
    start = np.datetime64("2026-03-01", unit).astype("int64")
    naive = pd.DatetimeIndex((start + np.array(offsets, "int64")).astype(f"datetime64[{unit}]"))
    return naive if kind == "naive" else naive.tz_localize("UTC").tz_convert(kind)


KINDS = ["naive", "UTC", "Europe/Berlin", "timedelta"]


@pytest.mark.parametrize("kind", KINDS)
@QUICK
@given(data=st.data())
def test_times_fall_into_the_bin_that_holds_them(kind: str, data: st.DataObject) -> None:
    unit, closed = data.draw(st.sampled_from(UNITS)), data.draw(st.sampled_from(CLOSED))
    offsets = sorted(data.draw(st.sets(st.integers(-9, 9), min_size=2, max_size=5)))
    offsets = offsets[:2] if closed == "both" else offsets
    values = times(data.draw(st.lists(st.integers(-11, 11), max_size=8)), kind, unit)
    edges = times(offsets, "UTC" if kind == "Europe/Berlin" else kind, unit)
    bins = intervals(edges.tolist(), closed)
    series = pd.Series(values, name="x")
    assert_cut(series, bins_of(edges, closed), bins)
    if closed in SIDES:
        assert_cut(series, edges, bins, right=closed == "right")
        assert_cut(series, list(edges), bins, right=closed == "right")
    with_missing = pd.concat([series, pd.Series([pd.NaT], dtype=series.dtype, name="x")])
    found = with_missing.ordinal.cut(bins_of(edges, closed), outside="missing")
    assert found.isna().iloc[-1]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("edge_unit", UNITS)
def test_times_in_another_unit_than_the_edges(edge_unit: str, unit: str, kind: str) -> None:
    edges = times([0, 5, 9], kind, "s").as_unit(edge_unit)
    in_unit = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    values = times([5 * in_unit + step for step in (-1, 0, 1)], kind, unit)
    for closed, expected in (("left", [0, 1, 1]), ("right", [0, 0, 1])):
        found = pd.Series(values).ordinal.cut(edges, right=closed == "right")
        assert found.cat.codes.tolist() == expected


def test_edges_are_exact_where_pandas_rounds_them() -> None:
    edges = [0.0001, 0.12345678, 2 / 3, 1e5 + 1 / 3]
    values = pd.Series([0.1, 0.5, 7.0])
    found = values.ordinal.cut(edges).cat.categories
    assert found.left.tolist() == edges[:-1] and found.right.tolist() == edges[1:]
    rounded = pd.cut(values, edges).cat.categories
    assert rounded.right[0] == 0.123 and found.right[0] == 0.12345678
    between = pd.Series([0.1232], name="x")  # outside the label that pandas gives it
    assert between[0] not in pd.cut(between, edges)[0]
    assert between[0] in between.ordinal.cut(edges)[0]


def test_a_float_of_single_precision_is_not_the_edge_it_looks_like() -> None:
    values = pd.Series([0.1, 0.3], dtype="float32")  # 0.1000000015, 0.3000000119
    assert values.ordinal.cut([0, 0.1, 0.3, 1]).cat.codes.tolist() == [1, 2]


def test_integer_edges_stay_integers() -> None:
    found = pd.Series([1.5]).ordinal.cut([0, 1, 2]).cat.categories
    assert found.dtype == "interval[int64, right]"
    assert pd.Series([1]).ordinal.cut([0, 1, INF]).cat.categories.right[-1] == INF


@pytest.mark.parametrize("dtype", ["int64", "Int64", "uint64"])
@pytest.mark.parametrize("last", [2**60, INF])
def test_large_integers_are_not_rounded(dtype: str, last: float) -> None:
    large = 2**53
    values = pd.Series([large - 1, large, large + 1], dtype=dtype)
    assert values.ordinal.cut([0, large, last]).cat.codes.tolist() == [0, 0, 1]
    assert values.ordinal.cut([0, large, last], right=False).cat.codes.tolist() == [0, 1, 1]


def test_large_integer_edges_are_not_rounded() -> None:
    values = pd.Series([2.0**53, 2.0**53 + 2])
    assert values.ordinal.cut([0, 2**53 + 1, 2**60]).cat.codes.tolist() == [0, 1]
    assert values.ordinal.cut([0, 2**53 + 1, 2**60], right=False).cat.codes.tolist() == [0, 1]


@pytest.mark.parametrize("kind", ["naive", "UTC"])
def test_a_far_date_beside_edges_in_nanoseconds(kind: str) -> None:
    values = pd.Series(np.array(["2026-03-02", "9999-12-31", "0001-01-01"], "datetime64[us]"))
    values = values if kind == "naive" else values.dt.tz_localize(kind)
    edges = times([0, 9], kind, "ns") + pd.to_timedelta([0, 9], unit="D")
    found = values.ordinal.cut(edges, outside="missing")
    assert found.cat.codes.tolist() == [0, -1, -1]
    with pytest.raises(UnknownClassError, match="2 values.*9999-12-31"):
        values.ordinal.cut(edges)


@pytest.mark.parametrize("kind", ["numbers", *KINDS])
def test_columns_that_arrow_holds(kind: str) -> None:
    pytest.importorskip("pyarrow")
    plain = pd.Series([1, 3, 7]) if kind == "numbers" else pd.Series(times([1, 3, 7], kind, "us"))
    edges = [0, 3, 8] if kind == "numbers" else times([0, 3, 8], kind, "us")
    values = plain.convert_dtypes(dtype_backend="pyarrow")
    assert "pyarrow" in str(values.dtype)
    assert values.ordinal.cut(edges).cat.codes.tolist() == [0, 0, 1]
    values.iloc[0] = pd.NA
    assert values.ordinal.cut(edges, right=False).cat.codes.tolist() == [-1, 1, 1]


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("dtype", ["float64", "float32", "Float64"])
def test_infinite_values_fall_into_the_open_bins(right: bool, dtype: str) -> None:
    values = pd.Series([-INF, 5, INF], dtype=dtype)
    assert values.ordinal.cut([-INF, 0, 7, INF], right=right).cat.codes.tolist() == [0, 1, 2]
    assert values.ordinal.cut([-INF, INF], right=right).cat.codes.tolist() == [0, 0, 0]
    for edges in ([-INF, 0, 7], [0, 7, INF], [0, 7]):
        with pytest.raises(UnknownClassError, match="inf"):
            values.ordinal.cut(edges, right=right)
    lost = pd.cut(values.astype(float), [-INF, 0, 7, INF], right=right)
    assert lost.isna().sum() == 1


def test_the_edges_at_the_ends() -> None:
    values = pd.Series([0, 10], name="x")
    with pytest.raises(UnknownClassError, match=r"'x' holds 1 value.*\b0\b"):
        values.ordinal.cut([0, 5, 10])
    with pytest.raises(UnknownClassError, match=r"'x' holds 1 value.*\b10\b"):
        values.ordinal.cut([0, 5, 10], right=False)
    found = values.ordinal.cut([0, 5, 10], outside="missing")
    assert found.cat.codes.tolist() == [-1, 1]


def test_values_outside_are_counted_without_the_missing_ones() -> None:
    values = pd.Series([1, None, 70, 80, -3], name="age")
    with pytest.raises(
        UnknownClassError, match=r"'age' holds 3 values.*\b70\b.*outside="
    ) as caught:
        values.ordinal.cut([0, 10, 20])
    assert isinstance(caught.value, ValueError)
    found = values.ordinal.cut([0, 10, 20], outside="missing")
    assert found.cat.codes.tolist() == [0, -1, -1, -1, -1]
    df = predictions(found, coded([1, 0, 0, 0, 0], found.cat.categories))
    with pytest.raises(MissingValueError, match="'y' holds 4 missing"):
        df.ordinal.mae("y", "yhat")
    assert df.ordinal.report("y", "yhat", dropna=True)["n"] == 1


@pytest.mark.parametrize("missing", [None, NAN, pd.NA])
def test_missing_values_stay_missing(missing: Any) -> None:
    values = pd.Series(pd.array([1, missing], "Int64"))
    assert values.ordinal.cut([0, 1, 2]).isna().tolist() == [False, True]
    assert values.ordinal.cut([-INF, INF], right=False).isna().tolist() == [False, True]
    floats = pd.Series([1.0, NAN])
    for closed in CLOSED:
        assert floats.ordinal.cut(bins_of([-INF, INF], closed)).isna().tolist() == [False, True]


def test_nan_among_nullable_floats_is_missing() -> None:
    zeros = pd.Series([0, 1, None], dtype="Float64")
    values = zeros / zeros  # NaN, 1, NA on pandas 2
    assert values.ordinal.cut([0, 1]).isna().tolist() == [True, False, True]


@pytest.mark.parametrize("dtype", ["float64", "int64", "Int64", "Float64", "float32"])
def test_empty_series_keep_their_bins(dtype: str) -> None:
    values = pd.Series([], dtype=dtype, name="x")
    found = values.ordinal.cut([0, 0.5, INF])
    assert len(found) == 0 and found.name == "x"
    assert found.cat.categories.tolist() == intervals([0, 0.5, INF], "right")
    days = pd.date_range("2026-01-01", periods=3)
    assert len(pd.Series([], dtype=days.dtype).ordinal.cut(days).cat.categories) == 2


def test_an_index_of_several_levels_and_repeated_labels_is_kept() -> None:
    index = pd.MultiIndex.from_tuples([("a", 1), ("a", 1), ("b", 2)], names=["g", "i"])
    values = pd.Series([1, 2, 3], index, name=("x", "y"))
    before = values.copy()
    found = values.ordinal.cut([0, 1, 3])
    pd.testing.assert_index_equal(found.index, index)
    assert found.name == ("x", "y")
    pd.testing.assert_series_equal(values, before)


DAYS = pd.date_range("2026-01-01", periods=3)


@pytest.mark.parametrize(
    "edges",
    [
        [3, 2, 1],
        [0, 1, 1, 2],
        [0, NAN, 2],
        [0, None, 2],
        [0, 1, NAN],
        [-INF, -INF, 0],
        [0, INF, INF],
        [0, INF, 1],
        [1],
        [],
        [INF],
        5,
        2.5,
        None,
        "012",
        ["0", "1"],
        ["low", "high"],
        [False, True],
        [0, 1j],
        [[0, 1], [2, 3]],
        list(DAYS[::-1]),
        [DAYS[0], pd.NaT, DAYS[1]],
        [DAYS[0], 5],
    ],
    ids=str,
)
def test_edges_that_do_not_increase_are_refused(edges: Any) -> None:
    with pytest.raises(ValueError, match="edges="):
        pd.Series([1, 2], name="x").ordinal.cut(edges)
    with pytest.raises(ValueError, match="bins="):
        ROWS.ordinal.interval_stc("y", "yhat", bins=edges)


def test_a_number_of_bins_is_refused_with_a_way_out() -> None:
    with pytest.raises(ValueError, match="edges=5.*edges of the bins.*pd.cut and pd.qcut"):
        pd.Series([1, 2]).ordinal.cut(5)


@pytest.mark.parametrize(
    ("values", "edges"),
    [
        (["a", "b"], [0, 1, 2]),
        (["1", "2"], [0, 1, 2]),
        (pd.Series(["1", "2"], dtype="string"), [0, 1, 2]),
        (pd.Series([1, "2"], dtype=object), [0, 1, 2]),
        ([True, False], [0, 1, 2]),
        (pd.array([True, None], "boolean"), [0, 1, 2]),
        ([1j, 2j], [0, 1, 2]),
        (pd.Categorical([1, 2]), [0, 1, 2]),
        (bins_of([0, 1, 2]), [0, 1, 2]),
        (DAYS, [0, 1, 2]),
        ([1, 2], DAYS),
        (DAYS - DAYS[0], [0, 1, 2]),
        ([1, 2], DAYS - DAYS[0]),
        (DAYS - DAYS[0], DAYS),
        (DAYS, DAYS - DAYS[0]),
        (pd.period_range("2026-01", periods=2, freq="M"), DAYS),
        (DAYS.tz_localize("UTC"), DAYS),
        (DAYS, DAYS.tz_localize("UTC")),
    ],
    ids=lambda v: str(getattr(v, "dtype", v)),
)
def test_values_of_another_kind_than_the_edges_are_refused(values: Any, edges: Any) -> None:
    with pytest.raises((ValueError, TypeError), match="'x'"):
        pd.Series(values, name="x").ordinal.cut(edges)


@pytest.mark.parametrize(
    ("bins", "message"),
    [
        (tuples((0, 1), (2, 3)), "gap"),
        (tuples((0, 2), (1, 3)), "overlap"),
        (tuples((0, 1), (0, 1)), "overlap"),
        (tuples((1, 2), (0, 1)), "sort"),
        (tuples((0, 0), (0, 1), closed="both"), r"\[0, 0\]"),
        (tuples((1, 2), (3, 7), closed="both"), "gap"),
        (tuples((0, 1), (1, 2), closed="both"), "both"),
        (bins_of([-INF, 0, INF], "both"), "both"),
        (pd.IntervalIndex.from_tuples([(0, 1), NAN, (1, 2)]), "nan"),
        (pd.IntervalIndex.from_tuples([]), "edges="),
        ([pd.Interval(0, 1), pd.Interval(1, 2, closed="left")], "edges="),
    ],
    ids=str,
)
def test_bins_that_leave_a_value_without_its_one_bin(bins: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pd.Series([0.5, 1]).ordinal.cut(bins)


def test_right_is_not_for_bins_that_say_it_themselves() -> None:
    values = pd.Series([0, 1, 2])
    left = bins_of([0, 1, 3], "left")
    assert values.ordinal.cut(left).cat.codes.tolist() == [0, 1, 1]
    assert values.ordinal.cut(left, right=False).cat.codes.tolist() == [0, 1, 1]
    with pytest.raises(ValueError, match="right=False.*closed right"):
        values.ordinal.cut(bins_of([-1, 1, 3]), right=False)


@pytest.mark.parametrize("outside", ["drop", None, True, "Raise"])
def test_outside_says_what_it_may_be(outside: Any) -> None:
    with pytest.raises(ValueError, match='outside=.*"raise" or "missing"'):
        pd.Series([1]).ordinal.cut([0, 1], outside=outside)


def test_columns_that_are_cut_alike_fit_together() -> None:
    rng = np.random.default_rng(3)
    edges = [0.12345678, 1 / 3, 2.5, INF]
    true, guess = rng.uniform(0.2, 9, 50), rng.uniform(0.2, 9, 50)
    df = pd.DataFrame({"y": true, "yhat": guess}).apply(lambda s: s.ordinal.cut(edges))
    bins = intervals(edges, "right")
    codes = [[bin_of(value, bins) for value in values] for values in (true, guess)]
    expected = interval.interval_mae(brute.counts(*codes, 3), edges)
    assert df.ordinal.interval_mae("y", "yhat") == pytest.approx(expected, rel=1e-12)


# every surface


def surfaces(df: pd.DataFrame) -> dict[str, Callable[..., Any]]:
    """Ways to ask for a metric of the columns `y` and `yhat`, by its name and options."""
    keyed, cube = df.assign(k=0), df.ordinal.confusion("y", "yhat")
    codes = {name: ("i", df[name].cat.codes.to_numpy()) for name in ("y", "yhat")}
    dataset, classes = xr.Dataset(codes), df["y"].cat.categories
    labels = dataset.y.ordinal.confusion(dataset.yhat, classes=classes)

    def of(obj: Any, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        def call(name: str, **options: Any) -> Any:
            return getattr(po.ordinal(obj), name)(*args, **kwargs, **options)

        return call

    return {
        "frame": lambda name, **options: getattr(df.ordinal, name)("y", "yhat", **options),
        "typed frame": of(df, "y", "yhat"),
        "frame by": of(keyed, "y", "yhat", by="k"),
        "frame wide": of(df, "y", ["yhat"]),
        "groupby": of(keyed.groupby("k"), "y", "yhat"),
        "series": of(df["y"], df["yhat"]),
        "cube": of(cube),
        "dask cube": of(cube.chunk(true=1, pred=2)),
        "labels": of(labels),
        "dataset": of(dataset, "y", "yhat", classes=classes),
    }


def assert_everywhere(
    ways: dict[str, Callable[..., Any]], name: str, expected: Any, **options: Any
) -> None:
    for surface, call in ways.items():
        npt.assert_allclose(
            np.ravel(call(name, **options)),
            np.ravel(expected),
            rtol=1e-12,
            err_msg=f"{name}, {surface}",
        )


VALUES = pd.Series([3.0, 12.7, 35, 19.04, 0.5, 28.2, 44, 14.14, 9, 21.7, 38.9, 2.2, 16, 30.03])
GUESSES = pd.Series([5.5, 22.1, 31, 8.8, 1.5, 41.3, 43, 13.0, 25, 15.2, 27.6, 4.1, 17, 11.11])


def cut_both(bins: Any, **options: Any) -> pd.DataFrame:
    return predictions(*(pd.cut(values, bins, **options) for values in (VALUES, GUESSES)))


def quantile_bins() -> pd.DataFrame:
    y = pd.qcut(VALUES, 3)
    return predictions(y, pd.cut(GUESSES, y.cat.categories))


CUT: dict[str, pd.DataFrame] = {
    "cut": cut_both([0, 10, 20, 50]),
    "cut, left and open": cut_both([0, 10, 20, INF], right=False),
    "cut, rounded": cut_both([0, 10.12345, 20.98765, 50.5]),
    "cut, coarse": cut_both([0.4, 10.12345, 20.98765, 50.5], precision=1),
    "cut, lowest included": cut_both([0.5, 10, 20, 50], include_lowest=True),
    "cut, open above": cut_both([0, 10, 20, INF]),
    "cut, open below": cut_both([-INF, 10, 20, 50]),
    "cut, open": cut_both([-INF, 10, 20, INF]),
    "qcut": quantile_bins(),
}


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


@pytest.mark.parametrize("kind", CUT)
def test_reports_on_columns_of_pandas_cut(kind: str) -> None:
    df = CUT[kind]
    counts, edges = counts_of(df), edges_of(df["y"])
    last = "stc" if kind == "cut, open" else "interval_stc"
    expected = {
        "n": len(df),
        "mae": errors.mae(counts),
        "kappa": kappa.kappa(counts),
        "oci": oci.oci(counts),
        "stc": cost.stc(counts.tolist()),
        "interval_stc": NAN if last == "stc" else by_definition("interval_stc", counts, edges),
    }
    for report in reports(df).values():
        assert list(report) == ["n", *DEFAULT, last]
        for name in expected.keys() & set(report):
            assert report[name] == pytest.approx(expected[name], rel=1e-12)


def reports(df: pd.DataFrame, metrics: Any = None, **options: Any) -> dict[str, dict[str, float]]:
    """The report that each surface gives."""
    keyed = df.assign(k=0)
    cube = df.ordinal.confusion("y", "yhat", **options)
    codes = {
        name: ("i", df[name].cat.codes if df[name].dtype == "category" else df[name])
        for name in ("y", "yhat")
    }
    dataset, classes = xr.Dataset(codes), cube.indexes["true"].categories
    found = {
        "frame": df.ordinal.report("y", "yhat", metrics=metrics, **options),
        "frame by": keyed.ordinal.report("y", "yhat", by="k", metrics=metrics, **options).loc[0],
        "frame wide": df.ordinal.report("y", ["yhat"], metrics=metrics, **options).loc["yhat"],
        "groupby": keyed.groupby("k").ordinal.report(
            "y", "yhat", metrics=metrics, **options
        ).loc[0],
        "series": df["y"].ordinal.report(df["yhat"], metrics=metrics, **options),
        "cube": cube.ordinal.report(metrics=metrics),
        "dask cube": cube.chunk(true=1).ordinal.report(metrics=metrics),
        "dataset": dataset.ordinal.report("y", "yhat", classes=classes, metrics=metrics),
        "typed frame": po.ordinal(df).report("y", "yhat", metrics=metrics, **options),
    }  # fmt: skip
    return {
        surface: {str(name): float(report[name]) for name in (report.keys())}
        for surface, report in found.items()
    }


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


# the gate: bins in order, without gaps and overlaps, closed on the same side, with equal edges


def cells(bins: Any) -> pd.DataFrame:
    """A frame with these categories in both columns."""
    return predictions(*[coded([0, 1], bins)] * 2)


BAD = {
    "unsorted": (tuples((10, 20), (0, 10)), "sort"),
    "gap": (tuples((0, 10), (20, 30)), "gap"),
    "overlap": (tuples((0, 10), (5, 30)), "overlap"),
    "nested": (tuples((0, 30), (10, 20)), "overlap"),
    "no length": (tuples((0, 0), (0, 10), closed="both"), "length"),
    "mixed": (
        pd.Index([pd.Interval(0, 1), pd.Interval(1, 2, closed="left")], dtype=object),
        "closed",
    ),
    "not all intervals": (pd.Index([pd.Interval(0, 1), "older"], dtype=object), "intervals"),
    "gap in time": (
        pd.IntervalIndex.from_arrays(DAYS[[0, 2]], [DAYS[1], DAYS[2] + pd.Timedelta("1D")]),
        "gap",
    ),
}


@pytest.mark.parametrize("kind", BAD)
def test_bins_that_are_no_classes_are_refused(kind: str) -> None:
    bins, message = BAD[kind]
    df = cells(bins)
    other = predictions(df["y"].array, [0, 0]).assign(third=df["y"])
    for call in (
        partial(df.ordinal.mae, "y", "yhat"),
        partial(df.ordinal.interval_stc, "y", "yhat"),
        partial(df.ordinal.report, "y", "yhat"),
        partial(df.ordinal.confusion, "y", "yhat"),
        partial(df.groupby([0, 0]).ordinal.mae, "y", "yhat"),
        partial(df["y"].ordinal.mae, df["yhat"]),
        partial(other.ordinal.mae, "y", ["yhat", "third"]),
        lambda: df["y"].ordinal.classes,
    ):
        with pytest.raises(ClassOrderError, match=f"column 'y'.*{message}"):
            call()
    for classes in (bins, list(bins), pd.CategoricalDtype(bins, ordered=True)):
        with pytest.raises(ClassOrderError, match=f"classes=.*{message}"):
            ROWS.ordinal.mae("y", "yhat", classes=classes)
        with pytest.raises(ClassOrderError, match=f"classes=.*{message}"):
            xr.DataArray([0, 1]).ordinal.confusion(xr.DataArray([0, 1]), classes=classes)


@pytest.mark.parametrize("kind", [kind for kind in BAD if "time" not in kind])
def test_cubes_of_bins_that_are_no_classes_are_refused(kind: str) -> None:
    axis = pd.CategoricalIndex(coded([0, 1], BAD[kind][0]))
    cube = xr.DataArray([[1, 2], [0, 1]], {"true": axis, "pred": axis}, ["true", "pred"])
    for call in (cube.ordinal.mae, cube.ordinal.interval_mae, cube.ordinal.report):
        with pytest.raises(ClassOrderError):
            call()


def test_a_prediction_column_with_a_gap_is_named() -> None:
    df = predictions(coded([0, 1], bins_of([0, 10, 20])), coded([0, 1], tuples((0, 10), (20, 30))))
    with pytest.raises(ClassOrderError, match="'yhat'.*gap"):
        df.ordinal.mae("y", "yhat")


def half_open(message: str) -> pd.IntervalIndex:
    """Run the line that an error prints."""
    (line,) = re.findall(r"pd\.IntervalIndex\.from_breaks\(.*?\)", message)
    bins = eval(line, {"pd": pd, "np": np})
    assert isinstance(bins, pd.IntervalIndex)
    return bins


@pytest.mark.parametrize(
    ("ends", "shown"),
    [
        ([(1, 2), (3, 7), (8, 14), (15, INF)], "[1, 3, 8, 15, np.inf]"),
        ([(1, 2), (3, 7), (8, 14)], "[1, 3, 8, 15]"),
        ([(-INF, -4), (-3, 0), (1, 9)], "[-np.inf, -3, 1, 10]"),
        ([(0.0, 9.0), (10.0, 19.0)], "[0, 10, 20]"),
    ],
    ids=str,
)
def test_bins_of_integers_are_to_be_written_half_open(ends: Any, shown: str) -> None:
    closed = tuples(*ends, closed="both")
    with pytest.raises(ClassOrderError, match="column 'y'") as caught:
        cells(closed).ordinal.mae("y", "yhat")
    line = f"pd.IntervalIndex.from_breaks({shown}, closed='left')"
    assert line in str(caught.value)
    bins = half_open(str(caught.value))
    values = pd.Series([value for value in range(-9, 30) if bin_of(value, list(closed)) >= 0])
    found = values.ordinal.cut(bins)
    assert found.cat.codes.tolist() == [bin_of(value, list(closed)) for value in values]
    df = predictions(found, found.array[::-1])
    codes = found.cat.codes
    assert df.ordinal.mae("y", "yhat") == pytest.approx((codes - codes[::-1].array).abs().mean())


def test_single_integers_among_bins_are_to_be_written_half_open() -> None:
    bins = tuples((1, 1), (2, 5), (6, 9), closed="both")
    with pytest.raises(ClassOrderError, match="column 'y'") as caught:
        cells(bins).ordinal.mae("y", "yhat")
    assert half_open(str(caught.value)).tolist() == intervals([1, 2, 6, 10], "left")


def test_bins_closed_on_different_sides_are_refused() -> None:
    df = predictions(pd.cut([5, 15], bins_of(EDGES)), pd.cut([5, 15], bins_of(EDGES, "left")))
    with pytest.raises(ClassOrderError, match="'yhat'.*closed left.*'y'.*closed right"):
        df.ordinal.mae("y", "yhat")
    with pytest.raises(ClassOrderError, match="closed left.*classes=.*closed right"):
        df[["yhat"]].ordinal.mae("yhat", "yhat", classes=bins_of(EDGES))
    with pytest.raises(ClassOrderError, match="closed"):
        df["y"].ordinal.mae(df["yhat"])


@pytest.mark.parametrize(
    ("edges", "others", "pair"),
    [
        ([0, 0.1 + 0.2, 1], [0, 0.3, 1], ("0.30000000000000004", "0.3")),
        ([-INF, 0.1 + 0.2, INF], [-INF, 0.3, INF], ("0.30000000000000004", "0.3")),
        ([0.1 + 0.2, 1, INF], [0.3, 1, INF], ("0.30000000000000004", "0.3")),
        ([0, 1, 2], [0, 1, 2.0000001], ("2", "2.0000001")),
        ([0, 1000, 2000], [0, 1000, 2001], ("2000", "2001")),
    ],
    ids=str,
)
@pytest.mark.parametrize("first", [True, False])
def test_edges_that_are_nearly_equal_are_shown(
    edges: list[float], others: list[float], pair: tuple[str, str], first: bool
) -> None:
    columns = [coded([0, 1][: len(e) - 1], bins_of(e)) for e in (edges, others)]
    df = predictions(*columns) if first else predictions(*columns[::-1])
    for call in (
        partial(df.ordinal.mae, "y", "yhat"),
        partial(df[["y"]].ordinal.mae, "y", "y", classes=df["yhat"].cat.categories),
    ):
        with pytest.raises(ClassOrderError, match=r"'y'.*ordinal\.cut\(") as caught:
            call()
        numbers = re.findall(r"-?\d+(?:\.\d+)?", str(caught.value))
        assert set(map(float, numbers[:2])) == set(map(float, pair))


@pytest.mark.parametrize("last", [1.0, INF])
def test_rounded_edges_beside_exact_ones_are_refused(last: float) -> None:
    edges = [0, 0.12345678, last]
    values = pd.Series([0.1, 0.5])
    df = predictions(pd.cut(values, edges), values.ordinal.cut(edges))
    with pytest.raises(ClassOrderError, match=r"0\.12345678.*0\.123\b"):
        df.ordinal.mae("y", "yhat")
    df["y"] = pd.cut(values, edges, precision=15)
    assert df.ordinal.mae("y", "yhat") == 0


def test_the_lowest_edge_that_pandas_moves_is_another_edge() -> None:
    values = pd.Series([5, 15])
    df = predictions(pd.cut(values, [0, 10, 20], include_lowest=True), pd.cut(values, [0, 10, 20]))
    with pytest.raises(ClassOrderError, match=r"at 0\b.*-0\.001"):
        df.ordinal.mae("y", "yhat")


@pytest.mark.parametrize("edges", [EDGES, OPEN, [-INF, *EDGES[1:]], BOTH], ids=str)
def test_equal_bins_in_other_objects_are_the_same_classes(edges: list[float]) -> None:
    floats = [float(edge) for edge in edges]
    df = predictions(coded([0, 1, 2], bins_of(edges)), coded([1, 1, 0], bins_of(floats)))
    assert df.ordinal.mae("y", "yhat") == 1
    assert df.ordinal.mae("y", "yhat", classes=bins_of(floats)) == 1
    assert df.ordinal.mae("y", "yhat", bins=edges) == 1


@pytest.mark.parametrize("part", [slice(0, 2), slice(1, 3), slice(1, 2), slice(2, 3)], ids=str)
@pytest.mark.parametrize("edges", [[0, 10, 20, 50], OPEN, BOTH], ids=str)
@pytest.mark.parametrize("first", [True, False])
def test_neighbouring_bins_of_the_other_column_are_enough(
    part: slice, edges: list[float], first: bool
) -> None:
    bins = bins_of(edges)
    some = range(3)[part]
    small = coded(range(len(some)), pd.IntervalIndex(bins.tolist()[part]))
    large = coded([0] * len(some), bins)
    df = predictions(small, large) if first else predictions(large, small)
    assert df.ordinal.mae("y", "yhat") == pytest.approx(np.mean(some))
    assert df.ordinal.confusion("y", "yhat").indexes["true"].tolist() == bins.tolist()


@pytest.mark.parametrize(
    "others",
    [[0, 20, 50], [0, 10, 50], [10, 20, 50, 90], [0, 15, 20, 50], [0, 10, INF], [-INF, 10]],
    ids=str,
)
def test_bins_that_are_not_those_of_the_other_column(others: list[float]) -> None:
    df = predictions(coded([0], bins_of(EDGES)), coded([0], bins_of(others)))
    with pytest.raises(ClassOrderError, match="'y'.*'yhat'|'yhat'.*'y'"):
        df.ordinal.mae("y", "yhat")


@pytest.mark.parametrize("numbers", [[5, 35, 15], [5.5, 35, 15], pd.array([5, 35, 15], "Int64")])
def test_numbers_beside_bins_are_refused_and_the_hint_works(numbers: Any) -> None:
    df = predictions(pd.cut([5, 15, 40], bins_of(EDGES)), numbers)
    with pytest.raises(UnknownClassError, match="column 'yhat' holds") as caught:
        df.ordinal.mae("y", "yhat")
    (line,) = re.findall(
        r"df\['yhat'\] = df\['yhat'\]\.ordinal\.cut\(\[\.\.\.\]\)", str(caught.value)
    )
    exec(line.replace("[...]", str(EDGES)), {"df": df})
    assert df.ordinal.mae("y", "yhat") == pytest.approx(2 / 3)


def test_times_beside_bins_are_refused_with_the_hint() -> None:
    days = pd.date_range("2026-01-01", periods=4)
    df = predictions(pd.Series(days[1:]).ordinal.cut(days), days[1:])
    with pytest.raises(UnknownClassError, match=r"df\['yhat'\]\.ordinal\.cut\("):
        df.ordinal.mae("y", "yhat")


def run_line(message: str, df: pd.DataFrame, name: str) -> None:
    """Run the line that an error prints about a column."""
    (line,) = re.findall(rf"df\['{name}'\] = po\.parse_intervals\(.*?\]\)", message)
    exec(line.replace("[...]", str(EDGES)), {"df": df, "po": po})


@pytest.mark.parametrize("dtype", [object, "string", "category"])
def test_intervals_that_are_text_are_refused_and_the_printed_line_works(dtype: Any) -> None:
    texts = ["(10, 20]", "(0, 10]", "(100, inf]", "(20, 100]"]
    df = predictions(*[pd.Series(texts, dtype=dtype)] * 2)
    with pytest.raises(ClassOrderError, match="column 'y'.*text") as caught:
        df.ordinal.mae("y", "yhat")
    run_line(str(caught.value), df, "y")
    df["y"], df["yhat"] = df["yhat"], df["y"]
    with pytest.raises((ClassOrderError, UnknownClassError), match="column 'y'"):
        df.ordinal.mae("y", "yhat")
    df["y"] = po.parse_intervals(df["y"])
    assert df["y"].cat.codes.tolist() == [1, 0, 3, 2]
    assert df.ordinal.mae("y", "yhat") == 0


def test_text_beside_bins_is_refused_and_the_printed_line_works() -> None:
    df = predictions(pd.cut([5, 15], bins_of(EDGES)), ["(20, 50]", "(10, 20]"])
    with pytest.raises(UnknownClassError, match="column 'yhat'") as caught:
        df.ordinal.mae("y", "yhat")
    run_line(str(caught.value), df, "yhat")
    assert df.ordinal.mae("y", "yhat") == 1


@pytest.mark.parametrize("kind", ["intervals", "unordered"])
def test_intervals_without_an_order_are_refused_and_the_printed_line_works(kind: str) -> None:
    column: Any = bins_of(EDGES)
    column = column if kind == "intervals" else pd.Categorical(column)
    df = predictions(column, column)
    with pytest.raises(ClassOrderError, match="column 'y'.*order") as caught:
        df.ordinal.mae("y", "yhat")
    (line,) = re.findall(r"df\['y'\] = df.*ordered=True\)\)", str(caught.value))
    exec(line, {"df": df, "pd": pd})
    assert df["y"].cat.categories.tolist() == bins_of(EDGES).tolist()
    assert df.ordinal.interval_mae("y", "yhat") == 0


@pytest.mark.parametrize(
    "wrap", [lambda b: b, list, lambda b: pd.CategoricalDtype(b, ordered=True)]
)
@pytest.mark.parametrize("kind", ["bins", "intervals", "unordered", "objects"])
def test_classes_may_be_an_interval_index(wrap: Callable[[Any], Any], kind: str) -> None:
    bins, classes = bins_of(EDGES), wrap(bins_of([*EDGES, INF]))
    column: Any = {
        "bins": coded([0, 2], bins),
        "intervals": bins[[0, 2]],
        "unordered": pd.Categorical(bins[[0, 2]]),
        "objects": pd.Series(bins[[0, 2]].tolist(), dtype=object),
    }[kind]
    df = predictions(column, list(column)[::-1])
    df["yhat"] = df["yhat"].astype(df["y"].dtype)
    cube = df.ordinal.confusion("y", "yhat", classes=classes)
    assert cube.indexes["true"].tolist() == bins_of([*EDGES, INF]).tolist()
    expected = np.zeros((4, 4))
    expected[0, 2] = expected[2, 0] = 1
    npt.assert_array_equal(cube, expected)
    # 0 to 10 and 20 to 50 are 40 apart
    assert df.ordinal.interval_mae("y", "yhat", classes=classes, unbounded=9) == 40


def test_classes_without_a_bin_of_the_column_are_refused() -> None:
    df = predictions(*[coded([0, 1], bins_of(EDGES))] * 2)
    with pytest.raises(ClassOrderError, match="'y'.*classes="):
        df.ordinal.mae("y", "yhat", classes=bins_of([0, 10, 20]))


def test_integers_in_arrays_are_codes_of_interval_classes() -> None:
    true = xr.DataArray([0, 2, 1, -1], dims="i", name="y")
    pred = xr.DataArray([2, 2, -1, 0], dims="i", name="yhat")
    bins = bins_of([-1, 0, 2, 3])  # which hold the numbers 0, 1 and 2 themselves
    with pytest.raises(MissingValueError, match="'y'"):
        true.ordinal.confusion(pred, classes=bins)
    cube = true.ordinal.confusion(pred, classes=bins, dropna=True)
    npt.assert_array_equal(cube, [[0, 0, 1], [0, 0, 0], [0, 0, 1]])
    assert cube.indexes["pred"].tolist() == bins.tolist()
    dataset = xr.Dataset({"y": true, "yhat": pred})
    # from the first bin to the last: the starts are 3 apart, the ends 3
    assert dataset.ordinal.interval_mae("y", "yhat", classes=bins, dropna=True) == 1.5
    for wrong in (3, 15, -2):
        with pytest.raises(UnknownClassError, match=f"{wrong}.*0 to 2"):
            true.copy(data=[0, wrong, 0, 0]).ordinal.confusion(pred, classes=bins, dropna=True)
    with pytest.raises(UnknownClassError, match="'yhat' holds float64.*cut"):
        true.ordinal.confusion(pred.astype(float), classes=bins, dropna=True)


def test_intervals_in_arrays_are_labels() -> None:
    bins = bins_of(EDGES)
    labels = xr.DataArray(np.array(bins.tolist(), object), dims="i")
    cube = labels.ordinal.confusion(labels[::-1], classes=bins)
    npt.assert_array_equal(cube, np.eye(3)[::-1])


def test_cubes_of_other_bins_do_not_add() -> None:
    cube = binned(EDGES).ordinal.confusion("y", "yhat")
    left = binned(EDGES, "left").ordinal.confusion("y", "yhat")
    with pytest.raises(ClassOrderError, match="closed"):
        po.add(cube, left)
    near = binned([0, 10.0001, 20, 50]).ordinal.confusion("y", "yhat")
    with pytest.raises(ClassOrderError, match=r"10\.0001"):
        po.add(cube, near)
    twice = po.add(cube, binned(EDGES).ordinal.confusion("y", "yhat"))
    npt.assert_array_equal(twice, 2 * counts_of(ROWS))
    assert twice.ordinal.interval_stc() == pytest.approx(
        by_definition("interval_stc", counts_of(ROWS), EDGES), rel=1e-12
    )


# po.parse_intervals


TEXTS = ["(10, 20]", "(20, inf]", "(0, 10]", "(10, 20]"]


@pytest.mark.parametrize(
    "container",
    [
        list,
        tuple,
        np.array,
        lambda texts: np.array(texts, object),
        pd.Index,
        pd.Categorical,
        lambda texts: pd.array(texts, "string"),
    ],
    ids=["list", "tuple", "array", "objects", "Index", "Categorical", "string"],
)
def test_intervals_are_read_from_text(container: Callable[[Any], Any]) -> None:
    found = po.parse_intervals(container(TEXTS))
    assert isinstance(found, pd.Categorical) and found.ordered
    assert found.codes.tolist() == [1, 2, 0, 1]
    assert found.categories.tolist() == intervals([0, 10, 20, INF], "right")


@pytest.mark.parametrize("dtype", [object, "string", "category"])
def test_a_series_of_text_keeps_index_name_and_missing_labels(dtype: Any) -> None:
    labels = pd.Series(["[10, 20)", None, "[0, 10)"], [7, 7, 9], dtype=dtype, name="age")
    found = po.parse_intervals(labels)
    expected = pd.Series(coded([1, -1, 0], bins_of([0, 10, 20], "left")), [7, 7, 9], name="age")
    pd.testing.assert_series_equal(found, expected)
    assert labels.iloc[0] == "[10, 20)"


@pytest.mark.parametrize("missing", [None, NAN, pd.NA])
def test_missing_text_stays_missing(missing: Any) -> None:
    assert po.parse_intervals(["(0, 1]", missing, "(1, 2]"]).codes.tolist() == [0, -1, 1]


def test_integers_stay_integers() -> None:
    assert po.parse_intervals(["[1, 3)", "[3, 8)"]).categories.dtype == "interval[int64, left]"
    found = po.parse_intervals(["[-3, 3)", f"[3, {2**53 + 1})"]).categories
    assert found.tolist() == intervals([-3, 3, 2**53 + 1], "left")
    assert po.parse_intervals(["[1, 3)", "[3, 8.0)"]).categories.dtype == "interval[float64, left]"
    assert po.parse_intervals(["[1, 3)", "[3, inf)"]).categories.dtype == "interval[float64, left]"


@pytest.mark.parametrize("text", ["(0,10]", " (0, 10] ", "( 0 , 10 ]", "(0.0, 1e1]", "(-0, 10.]"])
def test_spaces_and_ways_to_write_a_number_do_not_matter(text: str) -> None:
    found = po.parse_intervals([text, "(0, 10]", "(10, 20]"])
    assert found.codes.tolist() == [0, 0, 1]


ROUND_TRIPS = [
    [0, 10, 20, 100],
    [-7, -3, 0, 4],
    [0.0, 10.0, 20.5, 100.0],
    [-INF, 0.0, 2.5, INF],
    [0.1, 0.12345678901234567, 0.1 + 0.2, 2 / 3],
    [1e-300, 1e-5, 1e22, 1e300],
    [-INF, -1e17, 5e-324, INF],
]


@pytest.mark.parametrize("edges", ROUND_TRIPS, ids=str)
@pytest.mark.parametrize("closed", CLOSED)
def test_bins_come_back_from_a_csv_file(closed: Closed, edges: list[float]) -> None:
    bins = bins_of(edges, closed)
    df = pd.DataFrame({"age": coded([1, 0, -1, 2, 2, 0], bins), "n": range(6)})
    back = from_csv(df)
    assert back["age"].dropna().map(type).unique().tolist() == [str]
    assert back["age"].dropna().tolist() == [str(label) for label in df["age"].dropna()]
    pd.testing.assert_series_equal(po.parse_intervals(back["age"]), df["age"])
    pd.testing.assert_series_equal(po.parse_intervals(back["age"], edges=bins), df["age"])


@QUICK
@given(edges=number_edges(), closed=st.sampled_from(CLOSED))
def test_any_bins_come_back_from_a_csv_file(edges: list[float], closed: Closed) -> None:
    df = pd.DataFrame({"age": coded(range(len(edges) - 1), bins_of(edges, closed))})
    pd.testing.assert_series_equal(po.parse_intervals(from_csv(df)["age"]), df["age"])


def from_csv(df: pd.DataFrame) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(df.to_csv(index=False)))


@pytest.mark.parametrize("closed", CLOSED)
@pytest.mark.parametrize("as_index", [True, False])
def test_edges_tell_of_bins_that_no_row_has(closed: Closed, as_index: bool) -> None:
    bins = bins_of([0, 10, 20, 30, 40], closed)
    texts = [str(bins[2]), str(bins[0])]
    with pytest.raises(ClassOrderError, match=r"gap.*edges=\[|edges=\[.*gap"):
        po.parse_intervals(texts)
    found = po.parse_intervals(texts, edges=bins if as_index else [0, 10, 20, 30, 40])
    assert found.codes.tolist() == [2, 0]
    pd.testing.assert_index_equal(found.categories, bins)


def test_edges_in_floats_fit_text_in_integers() -> None:
    found = po.parse_intervals(["(10, 20]"], edges=[0.0, 10.0, 20.0, INF])
    assert found.codes.tolist() == [1]
    assert found.categories.tolist() == intervals([0, 10, 20, INF], "right")


def test_categories_that_no_row_has_are_bins() -> None:
    texts = pd.Series(pd.Categorical(["(0, 10]"], categories=["(0, 10]", "(10, 20]"]))
    found = po.parse_intervals(texts)
    assert found.cat.categories.tolist() == intervals([0, 10, 20], "right")


def test_edges_make_bins_even_without_labels() -> None:
    bins = bins_of([0, 10, 20], "left")
    for labels in ([], [None, None]):
        found = po.parse_intervals(pd.Series(labels, dtype=object), edges=bins)
        assert found.isna().all() and len(found) == len(labels)
        pd.testing.assert_index_equal(found.cat.categories, bins)


@pytest.mark.parametrize(
    ("texts", "error", "message"),
    [
        (["(0, 10]", "(20, 30]"], ClassOrderError, r"gap.*\(0, 10\] and \(20, 30\]"),
        (["(0, 10]", "(5, 30]"], ClassOrderError, r"overlap.*\(0, 10\] and \(5, 30\]"),
        (["(0, 10]", "(0, 5]"], ClassOrderError, "overlap"),
        (["[1, 2]", "[3, 7]"], ClassOrderError, r"from_breaks\(\[1, 3, 8\], closed='left'\)"),
        (["(0, 10]", "[10, 20)"], ClassOrderError, "closed"),
        (["[0, 10]", "(10, 20]"], ClassOrderError, "closed"),
        (["(1, 1]", "(1, 2]"], ClassOrderError, r"\(1, 1\]"),
        (["low", "high"], ValueError, "'low'"),
        (["(0, 10]", "high"], ValueError, "'high'"),
        (["(0, 10]", "10-20"], ValueError, "'10-20'"),
        (["(0, 10]", ""], ValueError, "''"),
        (["(0, 10]", "(10, 20] years"], ValueError, r"'\(10, 20\] years'"),
        (["(0, 10", "(10, 20]"], ValueError, r"'\(0, 10'"),
        (["(0, 10, 20]"], ValueError, r"'\(0, 10, 20\]'"),
        (["(a, b]"], ValueError, r"'\(a, b\]'"),
        (["(2026-01-01, 2026-01-02]"], ValueError, "2026-01-01"),
        ([1, 2], ValueError, r"\b1\b"),
        (["(0, 10]", 15], ValueError, r"\b15\b"),
        (["(2, 1]", "(1, 3]"], ValueError, r"\(2, 1\]"),
        (["(nan, 1]", "(1, 3]"], ValueError, r"\(nan, 1\]"),
        (["(0, 1" + "0" * 30 + "]"], ValueError, "10{30}"),
        ([], ValueError, "labels"),
        ([None], ValueError, "labels"),
    ],
    ids=str,
)
def test_text_that_gives_no_bins_is_refused(
    texts: list[Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        po.parse_intervals(texts)
    with pytest.raises(error, match=message):
        po.parse_intervals(pd.Series(texts, dtype=object, name="age"))


@pytest.mark.parametrize("edges", [[0, 10, 20], bins_of([0, 10, 20])], ids=["edges", "bins"])
def test_labels_that_are_none_of_the_bins_are_refused(edges: Any) -> None:
    for text in ("(20, 30]", "(0, 20]", "(0, 9]"):
        with pytest.raises(UnknownClassError, match=re.escape(text)):
            po.parse_intervals(["(0, 10]", text], edges=edges)


def test_labels_closed_on_another_side_than_the_bins_are_refused() -> None:
    for closed in SIDES:
        labels = [str(label) for label in bins_of([0, 10], closed)]
        other: Closed = "left" if closed == "right" else "right"
        with pytest.raises(ValueError, match=f"closed {other}|{re.escape(labels[0])}") as caught:
            po.parse_intervals(labels, edges=bins_of([0, 10, 20], other))
        assert "right=" not in str(caught.value)  # there is no such option here


@pytest.mark.parametrize("edges", [[0, 20, 10], [0, 0, 10], [0, NAN], 3, "text", ["a", "b"]])
def test_bad_edges_for_text_are_refused(edges: Any) -> None:
    with pytest.raises(ValueError, match="edges="):
        po.parse_intervals(["(0, 10]"], edges=edges)


def test_parsed_columns_are_scored_like_the_bins_they_were() -> None:
    df = binned(OPEN)[["y", "yhat"]]
    back = from_csv(df).apply(po.parse_intervals)
    expected = by_definition("interval_stc", counts_of(ROWS), OPEN)
    assert back.ordinal.interval_stc("y", "yhat") == pytest.approx(expected, rel=1e-12)
    pd.testing.assert_series_equal(
        back.ordinal.report("y", "yhat"), df.ordinal.report("y", "yhat"), check_exact=True
    )


# bins= on every surface


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


def assert_same(found: Any, expected: Any) -> None:
    """The very same values, labels, dtypes and names."""
    assert type(found) is type(expected)
    if isinstance(found, pd.Series):
        pd.testing.assert_series_equal(found, expected, check_exact=True)
    elif isinstance(found, pd.DataFrame):
        pd.testing.assert_frame_equal(found, expected, check_exact=True)
    elif isinstance(found, (xr.DataArray, xr.Dataset)):
        xr.testing.assert_identical(found, expected)
    else:
        npt.assert_array_equal(found, expected)


def calls(df: pd.DataFrame, name: str, **options: Any) -> list[Any]:
    """Ask the pandas surfaces for a metric, the report or the confusion."""
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
    found = calls(LABELLED[kind], name, bins=bins)
    for one, other in zip(found, calls(binned(edges), name), strict=True):
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
        found = getattr(one.ordinal, name)(bins=bins)
        xr.testing.assert_identical(found, getattr(other.ordinal, name)())

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
        found = dataset.ordinal.report("y", "yhat", bins=bins, metrics=metrics)
        xr.testing.assert_identical(found, report)
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
        found = df.ordinal.report("y", "yhat", by="g", bins=bins)
        assert_same(found, binned(OPEN).ordinal.report("y", "yhat", by="g"))


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
    with pytest.raises(ClassOrderError, match=r"bins=.*3 bins.*31 classes.*\.ordinal\.cut\("):
        ages.ordinal.interval_mae("y", "yhat", bins=EDGES)
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


def test_reports_on_classes_without_edges_say_how_to_give_them() -> None:
    cube = ROWS.ordinal.confusion("y", "yhat")
    for metrics in (["mae", "interval_stc"], {"x": po.metrics.interval_stc}):
        for call in (
            partial(ROWS.ordinal.report, "y", "yhat"),
            partial(ROWS.groupby("g").ordinal.report, "y", "yhat"),
            partial(ROWS["y"].ordinal.report, ROWS["yhat"]),
            cube.ordinal.report,
        ):
            with pytest.raises(ClassOrderError, match=r"ordinal\.cut\(.*bins=\["):
                call(metrics=metrics)


# reports


NUMBERS_OF_BINS = [name for name in OF_BINS if not registry[name].output]
NUMBERS_OF_COUNTS = [
    name
    for name, metric in registry.items()
    if metric.needs == "counts" and not metric.output and not metric.required
]


@pytest.mark.parametrize("edges", [EDGES, OPEN, [-INF, 10, 20, 50]], ids=str)
def test_reports_have_the_interval_cost_where_the_lengths_are_known(edges: list[float]) -> None:
    expected = by_definition("interval_stc", counts_of(ROWS), edges)
    for report in (*reports(binned(edges)).values(), *reports(ROWS, bins=edges).values()):
        assert list(report) == ["n", *DEFAULT, "interval_stc"]
        assert report["interval_stc"] == pytest.approx(expected, rel=1e-12)
    for report in reports(binned(edges), "all").values():
        assert sorted(report) == sorted(["n", *NUMBERS_OF_COUNTS, *NUMBERS_OF_BINS])
        for name in NUMBERS_OF_BINS:
            expected = by_definition(name, counts_of(ROWS), edges)
            assert report[name] == pytest.approx(expected, rel=1e-12)


def test_reports_have_the_plain_cost_where_both_ends_are_open() -> None:
    expected = cost.stc(counts_of(ROWS).tolist())
    for report in (*reports(binned(BOTH)).values(), *reports(ROWS, bins=BOTH).values()):
        assert list(report) == ["n", *DEFAULT, "stc"]
        assert report["stc"] == pytest.approx(expected, rel=1e-12)
    for report in reports(binned(BOTH), "all").values():
        assert sorted(report) == sorted(["n", *NUMBERS_OF_COUNTS])


def test_an_interval_metric_of_bins_that_are_open_on_both_ends_needs_a_pair() -> None:
    df = binned(BOTH)
    for name in NUMBERS_OF_BINS:
        for metrics in ([name], {"x": getattr(po.metrics, name)}):
            for call in (
                partial(df.ordinal.report, "y", "yhat"),
                partial(df.groupby("g").ordinal.report, "y", "yhat"),
                df.ordinal.confusion("y", "yhat").ordinal.report,
            ):
                with pytest.raises(ValueError, match=r"unbounded=\(first, last\)"):
                    call(metrics=metrics)
        kernel = getattr(po.metrics, name)
        expected = by_definition(name, counts_of(ROWS), BOTH, unbounded=(4, 30))
        metrics = {"x": partial(kernel, unbounded=(4, 30))}
        for report in reports(df, metrics).values():
            assert report["x"] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("unbounded", ["raise", "optimal", 5])
def test_the_way_out_for_two_open_ends_is_a_pair(unbounded: Any) -> None:
    with pytest.raises(ValueError, match="pair|first, last"):
        binned(BOTH).ordinal.interval_stc("y", "yhat", unbounded=unbounded)


@pytest.mark.parametrize("edges", [EDGES, OPEN], ids=str)
def test_kernels_in_a_report_get_the_edges_of_the_classes(edges: list[float]) -> None:
    twice = partial(partial(po.metrics.interval_mae, distance="midpoint"), unbounded=3)
    metrics = {
        "plain": po.metrics.interval_stc,
        "five": functools.partial(po.metrics.interval_stc, unbounded=5),
        "twice": twice,
        "own": partial(po.metrics.interval_mae, edges=[0, 1, 2, 3]),
        "mine": lambda counts: np.trace(counts, axis1=-2, axis2=-1),
        "mae": po.metrics.mae,
    }
    counts = counts_of(ROWS)
    expected = {
        "n": len(ROWS),
        "plain": by_definition("interval_stc", counts, edges),
        "five": by_definition("interval_stc", counts, edges, unbounded=5),
        "twice": by_definition("interval_mae", counts, edges, distance="midpoint", unbounded=3),
        "own": errors.mae(counts),  # bins of length 1
        "mine": np.trace(counts),
        "mae": errors.mae(counts),
    }
    for report in (
        *reports(binned(edges), metrics).values(),
        *reports(ROWS, metrics, bins=edges).values(),
    ):
        assert report == pytest.approx(expected, rel=1e-12)


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


# labelled options


SIZES = [90.0, 40, 12]


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
        xr.DataArray(sizes.to_numpy(), {"true": pd.CategoricalIndex(sizes.index)}, ["true"]),
    ]
    for name in ("interval_stc", "interval_mae", "interval_lengths"):
        expected = by_definition(name, counts_of(df), edges, **frozen)
        for given_sizes in labelled:
            found = getattr(df.ordinal, name)("y", "yhat", class_sizes=given_sizes)
            npt.assert_allclose(found, expected, rtol=1e-12)
            found = getattr(ROWS.ordinal, name)("y", "yhat", bins=edges, class_sizes=given_sizes)
            npt.assert_allclose(found, expected, rtol=1e-12)
        assert_everywhere(ways, name, expected, class_sizes=sizes)
    expected = cost.stc(counts_of(df).tolist(), class_sizes=[int(size) for size in SIZES])
    assert df.ordinal.stc("y", "yhat", class_sizes=sizes) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("sizes", ["value_counts", "cube"])
def test_sizes_may_be_counted(sizes: str) -> None:
    df = binned(OPEN)
    counted = df["y"].value_counts()  # the most frequent bin first
    if sizes == "cube":
        counted = df.ordinal.confusion("y", "yhat").sum("pred").isel(true=[1, 2, 0])
    by = df.ordinal.interval_lengths("y", "yhat", by="g", class_sizes=counted)
    expected = by_definition("interval_lengths", counts_of(df), OPEN)
    for g in "abc":  # all groups have one and the same length of the open bin
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
        cube.ordinal.interval_stc(bins=edges, class_sizes=cube.sum(["fold", "pred"]))
        .notnull()
        .all()
    )


def test_costs_labelled_in_two_ways_are_refused() -> None:
    names, edges = ["short", "long"], [1, 3, np.inf]
    y = pd.Series(["short", "long"]).ordinal.as_ordered(names)
    costs = pd.DataFrame([[0, 1], [2, 0]], pd.IntervalIndex.from_breaks(edges), names)
    with pytest.raises(UnknownClassError, match="costs="):
        y.ordinal.expected_cost(y, bins=edges, costs=costs)


def test_labelled_sizes_of_a_kernel_in_a_report_are_not_taken_by_position() -> None:
    df = binned(EDGES)
    sizes = pd.Series(SIZES, index=bins_of(EDGES)).iloc[[2, 0, 1]]
    metrics = {"x": partial(po.metrics.interval_stc, class_sizes=sizes)}
    expected = by_definition("interval_stc", counts_of(df), EDGES, class_sizes=tuple(SIZES))
    try:
        found = df.ordinal.report("y", "yhat", metrics=metrics)["x"]
    except (TypeError, ValueError):
        return
    assert found == pytest.approx(expected, rel=1e-12)


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
    for found, groups in by_group:
        expected = [
            by_definition("interval_mae", counts_of(ROWS[(ROWS["g"] == g) | (g is None)]), OPEN)
            for g in groups
        ]
        npt.assert_allclose(np.ravel(found), expected, rtol=1e-12)
    values = pd.Series([3, 12, INF])
    assert po.ordinal(values).cut(OPEN).cat.codes.tolist() == [0, 1, 2]
    assert po.ordinal(po.ordinal(values).cut(OPEN)).classes.tolist() == bins_of(OPEN).tolist()


# edges that are none


@pytest.mark.parametrize("edges", [{0: 1, 1: 2}, {0, 1}], ids=["dict", "set"])
def test_edges_without_an_order_are_refused(edges: Any) -> None:
    with pytest.raises(ValueError, match="must be the edges of the bins in a list"):
        pd.Series([0.5]).ordinal.cut(edges)


def test_ends_that_are_too_large_are_not_infinite() -> None:
    for text in ("(0, 1e400]", "(-1e999, 0]"):
        with pytest.raises(ValueError, match=r"\(.*\]' has an end that is too large for a float"):
            po.parse_intervals([text])
    assert po.parse_intervals(["(0, inf]"]).categories[0].right == np.inf
