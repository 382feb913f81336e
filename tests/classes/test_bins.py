"""Classes that are bins: cut from numbers, read from text, checked by the gate."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Sequence
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
    CLOSED,
    EDGES,
    INF,
    KINDS,
    NAN,
    OPEN,
    ROWS,
    SIDES,
    Closed,
    binned,
    bins_of,
    by_definition,
    coded,
    counts_of,
    intervals,
    number_edges,
    times,
    tuples,
)
from hypothesis import given
from hypothesis import strategies as st
from labelled import predictions
from oracles import interval
from oracles.strategies import QUICK

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, MissingValueError, UnknownClassError
from pandas_ordinal.classes import bins


def bin_of(value: Any, bins: Sequence[pd.Interval]) -> int:
    """The first bin that holds a value; infinity is in the bin that is open on its side."""
    for position, each in enumerate(bins):
        if value in each or (value in (INF, -INF) and value in (each.left, each.right)):
            return position
    return -1


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


def single(number: float) -> float:
    """The nearest float32, if it is finite."""
    with np.errstate(over="ignore"):
        nearest = float(np.float32(number))
    return number if math.isinf(nearest) else nearest


DTYPES = ["float64", "float32", "Float64", "Float32", "uint8", "Int64"]


def assert_cut(values: pd.Series, edges: Any, bins: list[pd.Interval], **options: Any) -> None:
    """Compare with a loop over the values and the bins."""
    present = [
        None if missing else value for value, missing in zip(values, values.isna(), strict=True)
    ]
    expected = [-1 if value is None else bin_of(value, bins) for value in present]
    result = values.ordinal.cut(edges, errors="coerce", **options)
    assert result.cat.codes.tolist() == expected
    assert result.cat.ordered
    assert result.cat.categories.tolist() == bins  # the edges and the closed side, to the bit
    pd.testing.assert_index_equal(result.index, values.index)
    assert result.name == values.name

    outside = [
        value
        for value, position in zip(present, expected, strict=True)
        if value is not None and position < 0
    ]
    if not outside:
        pd.testing.assert_series_equal(values.ordinal.cut(edges, **options), result)
        return
    with pytest.raises(UnknownClassError, match=f"'x' holds {len(outside)} value") as caught:
        values.ordinal.cut(edges, **options)
    assert any(str(value) in str(caught.value) for value in outside)


UNITS = ["s", "ms", "us", "ns"]


# s.ordinal.cut: each value is in the bin that holds it


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
    compared = intervals(map(single, edges), closed) if dtype.lower() == "float32" else bins
    expected = [-1 if pd.isna(value) else bin_of(value, compared) for value in exact]
    result = values.ordinal.cut(edges, right=closed == "right", errors="coerce")
    assert result.cat.codes.tolist() == expected
    assert result.cat.categories.tolist() == bins


@pytest.mark.parametrize("container", [list, tuple, np.array, pd.Index, pd.Series, iter])
def test_edges_in_any_container(container: Callable[[Any], Any]) -> None:
    result = pd.Series([1, 2, 3]).ordinal.cut(container([0, 1, 3]))
    assert result.cat.codes.tolist() == [0, 1, 1]
    assert result.cat.categories.tolist() == intervals([0, 1, 3], "right")
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
    pd.testing.assert_index_equal(values.ordinal.cut(bins, errors="coerce").cat.categories, bins)


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
    result = with_missing.ordinal.cut(bins_of(edges, closed), errors="coerce")
    assert result.isna().iloc[-1]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("edge_unit", UNITS)
def test_times_in_another_unit_than_the_edges(edge_unit: str, unit: str, kind: str) -> None:
    edges = times([0, 5, 9], kind, "s").as_unit(edge_unit)
    in_unit = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    values = times([5 * in_unit + step for step in (-1, 0, 1)], kind, unit)
    for closed, expected in (("left", [0, 1, 1]), ("right", [0, 0, 1])):
        result = pd.Series(values).ordinal.cut(edges, right=closed == "right")
        assert result.cat.codes.tolist() == expected


def test_edges_are_exact_where_pandas_rounds_them() -> None:
    edges = [0.0001, 0.12345678, 2 / 3, 1e5 + 1 / 3]
    values = pd.Series([0.1, 0.5, 7.0])
    result = values.ordinal.cut(edges).cat.categories
    assert result.left.tolist() == edges[:-1] and result.right.tolist() == edges[1:]
    rounded = pd.cut(values, edges).cat.categories
    assert rounded.right[0] == 0.123 and result.right[0] == 0.12345678
    between = pd.Series([0.1232], name="x")  # outside the label that pandas gives it
    assert between[0] not in pd.cut(between, edges)[0]
    assert between[0] in between.ordinal.cut(edges)[0]


NARROW = ["float16", "float32", "Float32", "Sparse[float32]", "float[pyarrow]"]


@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize("dtype", NARROW)
def test_equal_decimals_fall_into_equal_bins(dtype: str, right: bool) -> None:
    if "pyarrow" in dtype:
        pytest.importorskip("pyarrow")
    edges = [0, 0.1, 0.3, 0.7, 1]
    df = pd.DataFrame({"y": [0.1, 0.3, 0.7, 0.5], "yhat": [0.1, 0.3, 0.7, 0.2]})
    df["narrow"] = df["y"].astype(dtype)
    bins = pd.IntervalIndex.from_breaks(edges, closed="right" if right else "left")
    for ends in (edges, np.array(edges), bins):
        binned = pd.DataFrame({name: df[name].ordinal.cut(ends, right=right) for name in df})
        expected = [0, 1, 2, 2] if right else [1, 2, 3, 2]
        assert binned["narrow"].cat.codes.tolist() == binned["y"].cat.codes.tolist() == expected
        assert binned["narrow"].cat.categories.equals(bins)
        assert binned.ordinal.accuracy("y", "narrow") == 1
        assert binned.ordinal.accuracy("narrow", "yhat") == 0.75


WIDENED = pytest.mark.skipif(pd.__version__ < "3", reason="pandas 2 widens the edges of bins")


@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize(
    "dtype",
    [
        *(pytest.param(one, marks=WIDENED) for one in ("float64", "Float64", "double[pyarrow]")),
        *NARROW,
    ],
)
def test_equal_decimals_fall_into_equal_bins_of_narrow_edges(dtype: str, right: bool) -> None:
    if "pyarrow" in dtype:
        pytest.importorskip("pyarrow")
    edges = np.array([0, 0.1, 0.3, 0.7, 1], np.float32)
    bins = pd.IntervalIndex.from_breaks(edges, closed="right" if right else "left")
    expected = [0, 1, 2, 2] if right else [1, 2, 3, 2]
    values = pd.Series([0.1, 0.3, 0.7, 0.5], dtype=dtype)
    for ends in (edges, bins):
        assert values.ordinal.cut(ends, right=right).cat.codes.tolist() == expected
    widened = pd.Series(edges[1:4].astype(float), dtype="float64")
    assert widened.ordinal.cut(edges, right=right).cat.codes.tolist() == expected[:3]


@WIDENED
def test_integers_between_narrow_edges() -> None:
    edges = np.array([0, 16777217, 2**60], np.float32)  # 16777216
    whole = pd.Series([16777216, 16777217, 16777218])
    assert whole.ordinal.cut(edges).cat.codes.tolist() == [0, 0, 1]
    assert pd.Series([1, 2, 300]).ordinal.cut(np.float32([0, 1, 300])).cat.codes.tolist() == [
        0,
        1,
        1,
    ]


def test_edges_of_which_pandas_has_no_index() -> None:
    with pytest.raises(ValueError, match="edges=.* has the dtype float16, .* or float32"):
        pd.Series([0.1]).ordinal.cut(np.array([0, 0.5], np.float16))


def test_edges_beyond_the_range_of_the_values() -> None:
    values = pd.Series([1, INF], dtype="float16")
    assert values.ordinal.cut([0, 2, 1e6], errors="coerce").cat.codes.tolist() == [0, -1]
    assert values.ordinal.cut([-1e6, 2, INF]).cat.codes.tolist() == [0, 1]
    whole = pd.Series([16777216, 16777218], dtype="float32")
    assert whole.ordinal.cut([0, 16777217, 2**60]).cat.codes.tolist() == [0, 1]


def test_integer_edges_stay_integers() -> None:
    result = pd.Series([1.5]).ordinal.cut([0, 1, 2]).cat.categories
    assert result.dtype == "interval[int64, right]"
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


@pytest.mark.parametrize("sign", [1, -1])
def test_values_that_are_all_large_integers_are_not_rounded(sign: int) -> None:
    values = pd.Series([2**53, 2**53 + 1, 2**53 + 3]) * sign
    ends = [sign * 2.0**53, sign * (2.0**53 + 2)]
    expected = [0, 1, 2] if sign > 0 else [1, 1, 0]
    assert values.ordinal.cut([-INF, *sorted(ends), INF]).cat.codes.tolist() == expected


@pytest.mark.parametrize("dtype", ["float32", "Float32"])
def test_rounding_edges_to_narrow_values_raises_nothing(dtype: str) -> None:
    values = pd.Series([0.5, 1e30], dtype=dtype)
    with np.errstate(all="raise"):
        found = values.ordinal.cut([0, 1e-300, 1, 1e300])
    assert found.cat.codes.tolist() == [1, 2]


@pytest.mark.parametrize("kind", ["naive", "UTC"])
def test_a_far_date_beside_edges_in_nanoseconds(kind: str) -> None:
    values = pd.Series(np.array(["2026-03-02", "9999-12-31", "0001-01-01"], "datetime64[us]"))
    values = values if kind == "naive" else values.dt.tz_localize(kind)
    edges = times([0, 9], kind, "ns") + pd.to_timedelta([0, 9], unit="D")
    result = values.ordinal.cut(edges, errors="coerce")
    assert result.cat.codes.tolist() == [0, -1, -1]
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


@pytest.mark.parametrize("n_inner", [1, 14, 15, 16, 17, 40])
@pytest.mark.parametrize("right", [False, True])
def test_ends_of_few_and_of_many_edges(n_inner: int, right: bool) -> None:
    inner = [float(edge) for edge in range(n_inner)]
    values = pd.Series([-INF, -1, 0, n_inner - 1, n_inner, INF], dtype=float)
    for low, high in ((-INF, INF), (-INF, n_inner), (-1, INF), (-1, n_inner)):
        edges = [low, *inner, high]
        found = values.ordinal.cut(edges, right=right, errors="coerce").cat.codes
        sides = intervals(edges, "right" if right else "left")
        assert found.iloc[1:-1].tolist() == [bin_of(one, sides) for one in values[1:-1]]
        assert found.iloc[0] == (0 if low == -INF else -1)
        assert found.iloc[-1] == (n_inner if high == INF else -1)


@pytest.mark.parametrize(
    ("closed", "edges"),
    [
        *(("neither", edges) for edges in ([0, 10], [0, 10, 20], [-INF, 10], [-INF, 10, INF])),
        *(("both", edges) for edges in ([0, 10], [-INF, 10], [0, INF])),
    ],
    ids=str,
)
def test_bins_closed_on_no_side_or_on_both(closed: Closed, edges: list[float]) -> None:
    bins_ = pd.IntervalIndex.from_breaks(edges, closed=closed)
    values = pd.Series([-1, 0, 5, 10, 11, 20, 21])
    found = values.ordinal.cut(bins_, errors="coerce").cat.codes.tolist()
    assert found == [bin_of(value, list(bins_)) for value in values]
    ends = pd.Series([-INF, INF]).ordinal.cut(bins_, errors="coerce").cat.codes.tolist()
    assert ends == [0 if edges[0] == -INF else -1, len(bins_) - 1 if edges[-1] == INF else -1]


def test_only_numbers_have_infinite_ends() -> None:
    infinite = r"widen the bins \(-np\.inf and np\.inf may be the ends\),"
    with pytest.raises(UnknownClassError, match=infinite):
        pd.Series([5]).ordinal.cut([0, 1])
    days = pd.Series(pd.to_datetime(["2020-01-01"]))
    for late in (days, days - days[0]):
        with pytest.raises(UnknownClassError, match="widen the bins, close"):
            late.ordinal.cut(late[0] + pd.to_timedelta([1, 2], unit="D"))


def test_the_edges_at_the_ends() -> None:
    values = pd.Series([0, 10], name="x")
    with pytest.raises(UnknownClassError, match=r"'x' holds 1 value.*\b0\b"):
        values.ordinal.cut([0, 5, 10])
    with pytest.raises(UnknownClassError, match=r"'x' holds 1 value.*\b10\b"):
        values.ordinal.cut([0, 5, 10], right=False)
    result = values.ordinal.cut([0, 5, 10], errors="coerce")
    assert result.cat.codes.tolist() == [-1, 1]


def test_values_outside_are_counted_without_the_missing_ones() -> None:
    values = pd.Series([1, None, 70, 80, -3], name="age")
    with pytest.raises(
        UnknownClassError, match=r"'age' holds 3 values.*\b70\b.*errors="
    ) as caught:
        values.ordinal.cut([0, 10, 20])
    assert isinstance(caught.value, ValueError)
    result = values.ordinal.cut([0, 10, 20], errors="coerce")
    assert result.cat.codes.tolist() == [0, -1, -1, -1, -1]
    df = predictions(result, coded([1, 0, 0, 0, 0], result.cat.categories))
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
    result = values.ordinal.cut([0, 0.5, INF])
    assert len(result) == 0 and result.name == "x"
    assert result.cat.categories.tolist() == intervals([0, 0.5, INF], "right")
    days = pd.date_range("2026-01-01", periods=3)
    assert len(pd.Series([], dtype=days.dtype).ordinal.cut(days).cat.categories) == 2


def test_an_index_of_several_levels_and_repeated_labels_is_kept() -> None:
    index = pd.MultiIndex.from_tuples([("a", 1), ("a", 1), ("b", 2)], names=["g", "i"])
    values = pd.Series([1, 2, 3], index, name=("x", "y"))
    before = values.copy()
    result = values.ordinal.cut([0, 1, 3])
    pd.testing.assert_index_equal(result.index, index)
    assert result.name == ("x", "y")
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


def test_edges_in_an_array_with_coordinates_are_refused() -> None:
    edges = xr.DataArray([0, 1, 2], dims="edge")
    with pytest.raises(TypeError, match="edges= must be the edges of the bins in a list, not a D"):
        pd.Series([1, 2]).ordinal.cut(edges)
    with pytest.raises(TypeError, match="bins= must be the edges of the bins in a list, not a D"):
        predictions([0, 1], [0, 1]).ordinal.interval_mae("y", "yhat", bins=edges)
    cut = pd.Series([1, 2]).ordinal.cut(edges.values)
    assert cut.cat.codes.tolist() == [0, 1]


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


@pytest.mark.parametrize("errors", ["drop", None, True, "Raise", "ignore"])
def test_errors_says_what_it_may_be(errors: Any) -> None:
    with pytest.raises(ValueError, match='errors=.*"raise" or "coerce"'):
        pd.Series([1]).ordinal.cut([0, 1], errors=errors)


def test_columns_that_are_cut_alike_fit_together() -> None:
    rng = np.random.default_rng(3)
    edges = [0.12345678, 1 / 3, 2.5, INF]
    true, guess = rng.uniform(0.2, 9, 50), rng.uniform(0.2, 9, 50)
    df = pd.DataFrame({"y": true, "yhat": guess}).apply(lambda s: s.ordinal.cut(edges))
    bins = intervals(edges, "right")
    codes = [[bin_of(value, bins) for value in values] for values in (true, guess)]
    expected = interval.interval_mae(brute.counts(*codes, 3), edges)
    assert df.ordinal.interval_mae("y", "yhat") == pytest.approx(expected, rel=1e-12)


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
    result = values.ordinal.cut(bins)
    assert result.cat.codes.tolist() == [bin_of(value, list(closed)) for value in values]
    df = predictions(result, result.array[::-1])
    codes = result.cat.codes
    assert df.ordinal.mae("y", "yhat") == pytest.approx((codes - codes[::-1].array).abs().mean())


@pytest.mark.parametrize(
    "ends", [[(1, 2), (3, 7.5)], [(0.5, 2), (3, 7)], [(1, 2), (3, 7), (9, 12)]], ids=str
)
def test_other_bins_closed_on_both_sides_are_not_written_half_open(ends: Any) -> None:
    with pytest.raises(ClassOrderError, match="gap between the bins") as caught:
        cells(tuples(*ends, closed="both")).ordinal.mae("y", "yhat")
    assert "from_breaks" not in str(caught.value)


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
        ([-INF, 100, INF], [-INF, 100.09375, INF], ("100", "100.09375")),
        ([-INF, 100, INF], [-INF, 99.90625, INF], ("100", "99.90625")),
        ([0, 100, 200], [0, 100, 200.9921875], ("200", "200.9921875")),
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


def test_edges_that_are_a_hundredth_of_a_bin_apart_are_not_nearly_equal() -> None:
    for edges, others in (
        ([0, 100, 200], [0, 100, 201]),
        ([-INF, 1001, INF], [-INF, 1000, INF]),
    ):
        df = predictions(coded([0], bins_of(edges)), coded([0], bins_of(others)))
        with pytest.raises(ClassOrderError, match="has the bins .*, but column 'y' has"):
            df.ordinal.mae("y", "yhat")


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
    (line,) = re.findall(r"df\['y'\] = df.*from_breaks.*\)\)", str(caught.value))
    exec(line, {"df": df, "pd": pd})
    assert df["y"].cat.categories.tolist() == bins_of(EDGES).tolist()
    assert df.ordinal.interval_mae("y", "yhat") == 0


@pytest.mark.parametrize(
    "wrap",
    [lambda b: b, list, lambda b: pd.CategoricalDtype(b, ordered=True)],
    ids=["index", "list", "dtype"],
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
    result = po.parse_intervals(container(TEXTS))
    assert isinstance(result, pd.Categorical) and result.ordered
    assert result.codes.tolist() == [1, 2, 0, 1]
    assert result.categories.tolist() == intervals([0, 10, 20, INF], "right")


@pytest.mark.parametrize("dtype", [object, "string", "category"])
def test_a_series_of_text_keeps_index_name_and_missing_labels(dtype: Any) -> None:
    labels = pd.Series(["[10, 20)", None, "[0, 10)"], [7, 7, 9], dtype=dtype, name="age")
    result = po.parse_intervals(labels)
    expected = pd.Series(coded([1, -1, 0], bins_of([0, 10, 20], "left")), [7, 7, 9], name="age")
    pd.testing.assert_series_equal(result, expected)
    assert labels.iloc[0] == "[10, 20)"


@pytest.mark.parametrize("missing", [None, NAN, pd.NA])
def test_missing_text_stays_missing(missing: Any) -> None:
    assert po.parse_intervals(["(0, 1]", missing, "(1, 2]"]).codes.tolist() == [0, -1, 1]


def test_integers_stay_integers() -> None:
    assert po.parse_intervals(["[1, 3)", "[3, 8)"]).categories.dtype == "interval[int64, left]"
    result = po.parse_intervals(["[-3, 3)", f"[3, {2**53 + 1})"]).categories
    assert result.tolist() == intervals([-3, 3, 2**53 + 1], "left")
    assert po.parse_intervals(["[1, 3)", "[3, 8.0)"]).categories.dtype == "interval[float64, left]"
    assert po.parse_intervals(["[1, 3)", "[3, inf)"]).categories.dtype == "interval[float64, left]"


@pytest.mark.parametrize("text", ["(0,10]", " (0, 10] ", "( 0 , 10 ]", "(0.0, 1e1]", "(-0, 10.]"])
def test_spaces_and_ways_to_write_a_number_do_not_matter(text: str) -> None:
    result = po.parse_intervals([text, "(0, 10]", "(10, 20]"])
    assert result.codes.tolist() == [0, 0, 1]


ROUND_TRIPS = [
    [0, 10, 20, 100],
    [-7, -3, 0, 4],
    [0.0, 10.0, 20.5, 100.0],
    [-INF, 0.0, 2.5, INF],
    [0.1, 0.12345678901234567, 0.1 + 0.2, 2 / 3],
    [1e-300, 1e-5, 1e22, 1e300],
    [-INF, -1e17, 5e-324, INF],
]


def from_csv(df: pd.DataFrame) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(df.to_csv(index=False)))


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


@pytest.mark.parametrize("closed", CLOSED)
@pytest.mark.parametrize("as_index", [True, False])
def test_edges_tell_of_bins_that_no_row_has(closed: Closed, as_index: bool) -> None:
    bins = bins_of([0, 10, 20, 30, 40], closed)
    texts = [str(bins[2]), str(bins[0])]
    with pytest.raises(ClassOrderError, match=r"gap.*edges=\[|edges=\[.*gap"):
        po.parse_intervals(texts)
    result = po.parse_intervals(texts, edges=bins if as_index else [0, 10, 20, 30, 40])
    assert result.codes.tolist() == [2, 0]
    pd.testing.assert_index_equal(result.categories, bins)


def test_edges_in_floats_fit_text_in_integers() -> None:
    result = po.parse_intervals(["(10, 20]"], edges=[0.0, 10.0, 20.0, INF])
    assert result.codes.tolist() == [1]
    assert result.categories.tolist() == intervals([0, 10, 20, INF], "right")


def test_categories_that_no_row_has_are_bins() -> None:
    texts = pd.Series(pd.Categorical(["(0, 10]"], categories=["(0, 10]", "(10, 20]"]))
    result = po.parse_intervals(texts)
    assert result.cat.categories.tolist() == intervals([0, 10, 20], "right")


def test_edges_make_bins_even_without_labels() -> None:
    bins = bins_of([0, 10, 20], "left")
    for labels in ([], [None, None]):
        result = po.parse_intervals(pd.Series(labels, dtype=object), edges=bins)
        assert result.isna().all() and len(result) == len(labels)
        pd.testing.assert_index_equal(result.cat.categories, bins)


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
        ([], ValueError, "no label"),
        ([None], ValueError, "no label"),
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


# edges that are none


@pytest.mark.parametrize("edges", [{0: 1, 1: 2}, {0, 1}], ids=["dict", "set"])
def test_edges_without_an_order_are_refused(edges: Any) -> None:
    with pytest.raises(ValueError, match="must be the edges of the bins in a list"):
        pd.Series([0.5]).ordinal.cut(edges)


def test_ends_that_are_too_large_are_not_infinite() -> None:
    for text in ("(0, 1e400]", "(-1e999, 0]"):
        wrong = re.escape(f"{text!r} has an end that is too large for a float")
        with pytest.raises(ValueError, match=wrong):
            po.parse_intervals(["(-1, 0]", "(0, 1]", text])
    assert po.parse_intervals(["(0, inf]"]).categories[0].right == np.inf


def test_ends_that_are_too_large_for_an_integer_are_named() -> None:
    for far in ("(0, 9223372036854775808]", "(-18446744073709551617, 0]"):
        with pytest.raises(ValueError, match=re.escape(far)):
            po.parse_intervals(["(5, 7]", far, "(7, 9]"])


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ("abc", "edges='abc' must be increasing numbers"),
        (7, "edges=7 must be increasing numbers"),
        ({0, 1, 2}, "edges=.* must be increasing numbers"),
        ([0, 1], r"edges=\[0, 1\] must be 3 numbers"),
        ([0, 1, 2, 3], "must be 3 numbers"),
        (tuples((0, 1), (2, 3)), "gap between the bins"),
    ],
)
def test_edges_of_a_kernel_that_are_none(edges: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        po.metrics.interval_mae([[1, 1], [0, 1]], edges)


def test_edges_of_a_kernel_may_be_bins() -> None:
    counts = [[1, 1], [0, 1]]
    expected = po.metrics.interval_mae(counts, [0, 1, 3])
    assert po.metrics.interval_mae(counts, bins_of([0, 1, 3])) == expected


def test_intervals_that_are_dicts_are_refused_with_a_way_out() -> None:
    labels = [{"left": 0, "right": 1, "closed": "right"}]
    with pytest.raises(ValueError, match=r"dicts, not text.*pd\.IntervalIndex") as caught:
        po.parse_intervals(labels)
    line = str(caught.value).split("as with ")[1]
    assert eval(line, {"pd": pd, "labels": labels}).tolist() == bins_of([0, 1]).tolist()


def test_a_dict_beside_a_missing_label_is_refused_alike() -> None:
    for labels in ([{"left": 0, "right": 1}, None], ["(0, 1]", {"left": 0, "right": 1}]):
        with pytest.raises(ValueError, match="the labels are dicts, not text"):
            po.parse_intervals(labels)


def test_objects_that_are_bins_with_a_gap_are_not_written_as_edges() -> None:
    for ends in ([(0, 1), (2, 3)], [(0, 1), (1, 2), (3, 4)]):
        objects = pd.Series(tuples(*ends).tolist(), dtype=object)
        with pytest.raises(ClassOrderError, match=r"from_breaks\(\[\.\.\.\]\)"):
            predictions(objects, objects).ordinal.mae("y", "yhat")


@pytest.mark.parametrize(
    "bins",
    [
        pd.IntervalIndex.from_breaks(DAYS),
        [pd.Interval(0, 1, closed="left"), pd.Interval(1, 2, closed="right")],
    ],
    ids=["times", "two sides"],
)
def test_objects_that_are_bins_of_other_kinds_are_not_written_as_edges(bins: Any) -> None:
    objects = pd.Series(list(bins), dtype=object)
    with pytest.raises(ClassOrderError, match=r"from_breaks\(\[\.\.\.\]\)"):
        predictions(objects, objects).ordinal.mae("y", "yhat")


def test_bins_of_times_that_differ_are_listed() -> None:
    for kind in (pd.to_datetime, pd.to_timedelta):
        cut = [pd.cut(kind([15]), kind([0, 10, last])) for last in (20, 21)]
        with pytest.raises(ClassOrderError, match="'yhat' has the bins .*but column 'y' has"):
            predictions(*cut).ordinal.mae("y", "yhat")


def test_bins_in_an_index_of_objects_are_bins() -> None:
    bins = pd.IntervalIndex.from_breaks([0, 1, 2, 5])
    objects = pd.Index(list(bins), dtype=object)
    y = pd.Categorical.from_codes([0, 1, 2, 2], objects, ordered=True)
    assert y.categories.dtype == object
    df = pd.DataFrame({"y": y, "yhat": y[[0, 1, 1, 2]]})
    table = [[1, 0, 0], [0, 1, 0], [0, 1, 1]]
    for options in ({}, {"classes": objects}, {"classes": y.dtype}):
        cube = df.ordinal.confusion("y", "yhat", **options)
        assert cube.values.tolist() == table
        assert cube.indexes["true"].categories.equals(bins)
    usual = df.apply(lambda column: pd.Categorical(column, bins, ordered=True))
    mae = usual.ordinal.interval_mae("y", "yhat")
    assert mae > 0 and df.ordinal.interval_mae("y", "yhat") == mae
    axis = pd.CategoricalIndex(y.categories, y.categories, ordered=True)
    by_hand = xr.DataArray(table, {"true": axis, "pred": axis}, ("true", "pred"))
    assert by_hand.ordinal.interval_mae() == mae
    assert po.add(by_hand, cube).indexes["true"].categories.equals(bins)


def test_a_single_bin_among_objects_is_a_bin() -> None:
    dtype = pd.CategoricalDtype(pd.Index([pd.Interval(0, 10)], dtype=object), ordered=True)
    assert dtype.categories.dtype == object
    column = pd.Series([pd.Interval(0, 10)] * 2, dtype=dtype)
    due = pd.IntervalIndex.from_breaks([0, 10])
    for asked in ({}, {"classes": dtype}, {"bins": [0, 10]}):
        found = predictions(column, column).ordinal.confusion("y", "yhat", **asked)
        pd.testing.assert_index_equal(found.ordinal.classes, due, check_names=False)


def test_objects_closed_on_different_sides_are_not_bins() -> None:
    mixed = [pd.Interval(0, 1, "right"), pd.Interval(1, 2, "left")]
    y = pd.Categorical(mixed, pd.Index(mixed, dtype=object), ordered=True)
    with pytest.raises(ClassOrderError, match="mixes intervals"):
        pd.DataFrame({"y": y, "yhat": y}).ordinal.mae("y", "yhat")


@pytest.mark.parametrize("dtype", ["Int64", "UInt8", "Float64", "float32"])
@pytest.mark.parametrize("missing", [0, 1, 3])
def test_some_values_may_be_missing(dtype: str, missing: int) -> None:
    values = pd.Series([5, 15, 25, *[None] * missing], dtype=dtype)
    codes = values.ordinal.cut([0, 10, 20, 30]).cat.codes
    assert codes.tolist() == [0, 1, 2, *[-1] * missing]


def test_large_integers_beside_a_missing_one_are_not_rounded() -> None:
    values = pd.Series([2**53, 2**53 + 1, None, 2**53 + 2], dtype="Int64")
    codes = values.ordinal.cut([0, 2**53, 2**53 + 1, 2**53 + 2]).cat.codes
    assert codes.tolist() == [0, 1, -1, 2]


@pytest.mark.parametrize(
    ("labels", "are_in_order"),
    [
        (["(0, 1]"], True),
        (["(0, 1]", "(1, 2]", "(5, 6]"], True),
        (["(0, 0.5]", "(0.5, 1]"], True),
        (["(0.5, 1]", "(0, 0.5]"], True),
        (["(0, 1]", "(0, 2]", "(5, 6]"], True),
        (["(5, 6]", "(5, 7]", "(1, 2]"], True),
        (["(5, 6]", "(1, 2]", "(7, 8]"], False),
        (["(0, 1]", "(1, 2]", "(0, 1]"], False),
    ],
)
def test_intervals_as_text_are_sorted_up_or_down(labels: list[str], are_in_order: bool) -> None:
    assert bins.in_order(labels) == are_in_order


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ("(0, 1]", "labels= takes a list or a column of text, not"),
        (np.array([["(0, 1]"]]), "labels= takes a list or a column of text, not"),
        (pd.DataFrame({"a": ["(0, 1]"]}), "labels= takes a list or a column of text, not"),
        ({1, 2}, "labels= takes a list or a column of text, not"),
        (["(0, 1]", ["(1, 2]"]], r"holds \['\(1, 2\]'\], which is not text such as"),
    ],
)
def test_what_is_no_list_of_intervals(labels: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        po.parse_intervals(labels)
