"""Values of arrays are sorted into bins, whose edges may differ by cell and key."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, UnknownClassError, UnknownNameError
from pandas_ordinal.dataarrays import cut

TIME = pd.date_range("2001-01-01", periods=24, freq="MS")
RNG = np.random.default_rng(5)


def rain(dtype: str = "float64") -> xr.DataArray:
    rng = np.random.default_rng(5)
    values = rng.gamma(1, 3, (24, 3, 2)).round(1)
    values[rng.random(values.shape) < 0.1] = np.nan
    coords = {
        "time": TIME,
        "lat": ("lat", [50.0, 51.0, 52.0], {"units": "degrees_north"}),
        "lon": [5, 6],
        "land": ("lat", [True, True, False]),
    }
    attrs = {"units": "mm", "valid_range": [0, 100]}
    return xr.DataArray(values.astype(dtype), coords, ("time", "lat", "lon"), "rain", attrs)


def literal(value: float, edges: Any, *, right: bool) -> int:
    """The bin of a value, by comparing it with each edge; -1 for none."""
    bins = [*pairwise(edges)]
    found = [
        k
        for k, (low, high) in enumerate(bins)
        if (low < value <= high if right else low <= value < high)
        or (value == -np.inf == low and k == 0)
        or (value == np.inf == high and k == len(bins) - 1)
    ]
    return found[0] if found else -1


def by_loops(array: xr.DataArray, edges_of: Callable[[Any], Any], *, right: bool) -> Any:
    """The bin of each value; `edges_of` gives the edges of the case at an index."""
    codes = np.full(array.shape, -1)
    for index in np.ndindex(array.shape):
        edges = edges_of(index)
        if not np.isnan(edges).any():
            codes[index] = literal(array.values[index], edges, right=right)
    return codes


@pytest.mark.parametrize("chunks", [None, {"time": 5, "lat": 2}])
@pytest.mark.parametrize("right", [True, False])
def test_common_edges(right: bool, chunks: Any) -> None:
    array = rain()
    edges = [-np.inf, 0.5, 3, 3.1, np.inf]
    codes = (array.chunk(chunks) if chunks else array).ordinal.cut(edges, right=right)
    assert (codes.chunks is not None) == (chunks is not None)
    assert codes.dtype == np.int8 and codes.name == "rain" and codes.dims == array.dims
    npt.assert_array_equal(codes, by_loops(array, lambda _: edges, right=right))
    binned = pd.cut(array.values.ravel(), pd.IntervalIndex.from_breaks(edges, "right"))
    if right:
        npt.assert_array_equal(codes.values.ravel(), binned.codes)
    assert codes.coords.identical(array.coords)
    assert codes["lat"].attrs == {"units": "degrees_north"}
    assert {"units", "valid_range"}.isdisjoint(codes.attrs)


WIDENED = pytest.mark.skipif(pd.__version__ < "3", reason="pandas 2 widens the edges of bins")


@pytest.mark.parametrize(
    "kind", ["float32", pytest.param("float64", marks=WIDENED), "int16", "int64", "uint8"]
)
def test_types_compare_as_those_of_a_series(kind: str) -> None:
    values = np.array([0, 1, 2, 3, 5, 8, 9]).astype(kind)
    if kind[0] == "f":
        values = np.append(values / 10, np.float64(0.3)).astype(kind)
    array = xr.DataArray(values, dims="i")
    edges = np.array([-1, 0.3, 2, 5.5, 9])
    for ends, right in itertools.product((edges, edges.astype(np.float32)), (True, False)):
        by_cell = xr.DataArray([ends] * len(values), dims=("i", "edge"))
        series = pd.Series(values).ordinal.cut(edges, right=right, errors="coerce")
        for given in (ends, by_cell, by_cell.chunk()):
            codes = array.ordinal.cut(given, right=right, errors="coerce")
            npt.assert_array_equal(codes, series.cat.codes)


def test_large_integers_are_not_rounded() -> None:
    array = xr.DataArray(np.array([2**53, 2**53 + 1]), dims="i")
    assert array.ordinal.cut([0.0, 2.0**53, 2.0**60]).values.tolist() == [0, 1]
    edges = xr.DataArray([[0.0, 2.0**53, 2.0**60]] * 2, dims=("i", "edge"))
    assert array.ordinal.cut(edges).values.tolist() == [0, 1]


def test_infinite_values_are_in_open_bins() -> None:
    array = xr.DataArray([-np.inf, 0, np.inf], dims="i")
    edges = xr.DataArray([[-np.inf, 0, np.inf]] * 3, dims=("i", "edge"))
    for given in (edges, [-np.inf, 0, np.inf]):
        assert array.ordinal.cut(given).values.tolist() == [0, 0, 1]
        assert array.ordinal.cut(given, right=False).values.tolist() == [0, 1, 1]
    huge = xr.DataArray(np.array([np.inf, 1], "float32"), dims="i")
    finite = xr.DataArray([[0, 1e300]] * 2, dims=("i", "edge"))
    assert huge.ordinal.cut(finite, errors="coerce").values.tolist() == [-1, 0]


@pytest.mark.parametrize("right", [True, False])
def test_times_and_durations(right: bool) -> None:
    edges = pd.DatetimeIndex(["2000-12-01", "2001-06-01", "2002-02-01", "2005-01-01"])
    when = xr.DataArray(TIME.values, dims="i", name="when")
    start = TIME[3]
    for array, given in ((when, edges), (when - start.to_datetime64(), edges - start)):
        series = array.to_series().ordinal.cut(given, right=right)
        for one in (array, array.chunk(i=7)):
            codes = one.ordinal.cut(given, right=right)
            npt.assert_array_equal(codes, series.cat.codes)
            assert codes.ordinal.classes.equals(series.cat.categories)
            assert codes.ordinal.mae(codes, bins=codes.ordinal.classes) == 0


def edges_by(dims: dict[str, Any]) -> xr.DataArray:
    """Edges that differ along some dimensions, with two equal ones."""
    shape = [len(labels) for labels in dims.values()]
    inner = np.sort(RNG.gamma(1, 3, (*shape, 2)), axis=-1)
    inner[0, ..., 1] = inner[0, ..., 0]
    ends = np.full((*shape, 1), np.inf)
    return xr.DataArray(np.concatenate([-ends, inner, ends], -1), dims, (*dims, "edge"))


MONTHS, YEARS, LATS, LONS = range(1, 13), [2001, 2002], [50.0, 51.0, 52.0], [5, 6]
VARYING: dict[str, tuple[dict[str, Any], Any]] = {
    "cell": ({"lat": LATS, "lon": LONS}, None),
    "cells in another order": ({"lon": LONS, "lat": LATS}, None),
    "time": ({"time": TIME}, None),
    "month": ({"month": MONTHS}, "time.month"),
    "month, cell": ({"month": MONTHS, "lat": LATS}, "time.month"),
    "cell, month, year": (
        {"lat": LATS, "month": MONTHS, "lon": LONS, "year": YEARS},
        ["time.month", "time.year"],
    ),
    "year, month, cell": (
        {"year": YEARS, "month": MONTHS, "lon": LONS},
        ["time.month", "time.year"],
    ),
    "labels": ({"land": [False, True]}, "land"),
    "a key of cells, and a month": (
        {"land": [True, False], "month": MONTHS},
        ["land", "time.month"],
    ),
}


@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize("kind", VARYING)
def test_edges_that_differ(kind: str, right: bool) -> None:
    dims, by = VARYING[kind]
    array, edges = rain(), edges_by(dims)
    labels = {
        "month": lambda i: TIME[i[0]].month,
        "year": lambda i: TIME[i[0]].year,
        "time": lambda i: TIME[i[0]],
        "lat": lambda i: LATS[i[1]],
        "lon": lambda i: LONS[i[2]],
        "land": lambda i: i[1] < 2,
    }

    def of_case(index: Any) -> Any:
        return edges.sel({d: labels[d](index) for d in dims}).values

    due = by_loops(array, of_case, right=right)
    for values in (array, array.chunk(time=7, lon=1)):
        for given in (edges, edges.chunk(dict.fromkeys(dims, 2) | {"edge": 3})):
            codes = values.ordinal.cut(given, by=by, right=right)
            assert (codes.chunks is None) == (values.chunks is None and given.chunks is None)
            npt.assert_array_equal(codes, due)
            assert codes.dims == array.dims and codes.coords.identical(array.coords)
            assert codes.ordinal.classes.tolist() == [0, 1, 2]


@pytest.mark.parametrize("size", [1, 2, 5])
@pytest.mark.parametrize("kind", VARYING)
def test_a_few_cases_at_a_time(kind: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    dims, by = VARYING[kind]
    array, edges = rain(), edges_by(dims)
    due = array.ordinal.cut(edges, by=by)
    monkeypatch.setattr(cut, "PROBABLE_PER_TILE", size)
    assert array.ordinal.cut(edges, by=by).identical(due)


def test_an_array_without_dimensions_or_cases() -> None:
    edges = xr.DataArray([0, 1, 2], dims="edge")
    assert xr.DataArray(1.5).ordinal.cut([0, 1, 2]).item() == 1
    assert xr.DataArray(1.5).ordinal.cut(edges).item() == 1
    empty = xr.DataArray(np.zeros((0, 3)), dims=("i", "j"))
    for given in (edges, [0, 1, 2]):
        assert empty.ordinal.cut(given).shape == (0, 3)


def test_keys_may_be_arrays() -> None:
    array = xr.DataArray([1.0, 5.0, 5.0], dims="i")
    region = xr.DataArray(["a", "b", "a"], dims="i", name="region")
    edges = xr.DataArray([[0, 2, 9], [0, 7, 9]], {"region": ["a", "b"]}, ("region", "limit"))
    codes = array.ordinal.cut(edges, by=region, edge_dim="limit", classes=["low", "high"])
    assert codes.values.tolist() == [0, 0, 1]
    assert codes.ordinal.classes.tolist() == ["low", "high"]
    assert codes.drop_attrs().equals(
        array.ordinal.cut(edges, by=[region], edge_dim="limit").drop_attrs()
    )


def test_two_equal_edges_leave_a_class_out() -> None:
    dry = xr.DataArray([0.0, 0.1], dims="i")
    edges = xr.DataArray([[-np.inf, 0, 0, np.inf]] * 2, dims=("i", "edge"))
    assert dry.ordinal.cut(edges).values.tolist() == [0, 2]
    assert dry.ordinal.cut(edges, right=False).values.tolist() == [2, 2]


@pytest.mark.parametrize("chunks", [None, 2])
def test_values_beyond_the_edges(chunks: Any) -> None:
    array = xr.DataArray([1.0, 20, np.nan, -3], dims="i", name="rain")
    edges = xr.DataArray([[0, 2, 9]] * 4, dims=("i", "edge"))
    holey = edges.astype(float)
    holey[0, 1] = np.nan
    array = array if chunks is None else array.chunk(i=chunks)
    for given in (edges, [0, 2, 9]):
        with pytest.raises(
            UnknownClassError, match=r"'rain' holds [12] values? outside the .*coerce"
        ):
            array.ordinal.cut(given).compute()
        assert array.ordinal.cut(given, errors="coerce").values.tolist() == [0, -1, -1, -1]
    with pytest.raises(
        UnknownClassError, match="'rain' holds 1 value whose edges are missing, such as 1"
    ):
        array[:1].ordinal.cut(holey[:1]).compute()
    assert array.ordinal.cut(holey, errors="coerce").values.tolist() == [-1] * 4
    unnamed = array.rename(None)
    with pytest.raises(UnknownClassError, match="the array holds"):
        unnamed.ordinal.cut(edges).compute()
    assert unnamed.ordinal.cut(edges, errors="coerce").name is None


def test_fill_values_are_missing() -> None:
    array = xr.DataArray(np.array([1, 5, -9], "int16"), dims="i", attrs={"_FillValue": -9})
    assert array.ordinal.cut([0, 2, 9]).values.tolist() == [0, 1, -1]


def test_packed_integers_are_refused() -> None:
    packed = xr.DataArray([1, 2], dims="i", attrs={"scale_factor": 0.1})
    with pytest.raises(ValueError, match="the array holds int64 packed by .* scale_factor"):
        packed.ordinal.cut([0, 1])
    edges = xr.DataArray([[0, 1, 2]] * 2, dims=("i", "edge"), attrs={"add_offset": 1})
    with pytest.raises(ValueError, match="edges= holds int64 packed"):
        packed.drop_attrs().ordinal.cut(edges)
    with pytest.raises(ValueError, match="values holds int64 packed"):
        po.climatology_edges(packed, [0.5], dim="i")
    assert (packed * 1.0).ordinal.cut([0, 1, 2]).values.tolist() == [0, 1]


def with_edges(edges: Any, **options: Any) -> Callable[[], object]:
    return lambda: rain().ordinal.cut(edges, **options)


GRID = xr.DataArray([[0, 1, 99]] * 3, {"lat": LATS}, ("lat", "edge"))
OF_MONTHS = xr.DataArray([[0, 1, 99]] * 12, {"month": MONTHS}, ("month", "edge"))
WRONG: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "decreasing": (with_edges([0, 2, 1]), ValueError, "higher than the one before"),
    "decreasing by cell": (with_edges(GRID[:, ::-1]), ValueError, r"\[99, 1, 0\], which decrease"),
    "other cells": (
        with_edges(GRID.assign_coords(lat=[1, 2, 3])),
        ValueError,
        "along 'lat' are not",
    ),
    "fewer cells": (with_edges(GRID[:2]), ValueError, "along 'lat' are not those of rain"),
    "fewer cells without labels": (
        with_edges(GRID[:2].drop_vars("lat")),
        ValueError,
        "along 'lat'",
    ),
    "no such dimension": (
        with_edges(GRID, edge_dim="edges"),
        ValueError,
        "'edges' is none of them: name the one",
    ),
    "the dimension of the values": (with_edges(GRID, edge_dim="lat"), ValueError, "another name"),
    "one edge": (with_edges(GRID[:, :1]), ValueError, "two edges or more"),
    "text": (with_edges(GRID.astype(str)), ValueError, "edges= holds .*are numbers"),
    "key without edges": (
        with_edges(GRID, by="time.month"),
        ValueError,
        "lacks the dimension 'month'",
    ),
    "key without labels": (
        with_edges(OF_MONTHS.drop_vars("month"), by="time.month"),
        ValueError,
        "different labels along 'month'",
    ),
    "labels twice": (
        with_edges(OF_MONTHS.assign_coords(month=[1] * 12), by="time.month"),
        ValueError,
        "different labels along 'month'",
    ),
    "key not named": (with_edges(OF_MONTHS), ValueError, "'month', which the values lack"),
    "label without edges": (
        with_edges(OF_MONTHS[:11], by="time.month"),
        UnknownNameError,
        r"month \[12\]",
    ),
    "key of a list": (
        with_edges([0, 1], by="time.month"),
        ValueError,
        "needs edges= in a DataArray",
    ),
    "unknown key": (with_edges(OF_MONTHS, by="mouth"), UnknownNameError, "mouth"),
    "too many names": (with_edges([0, 99], classes=["a", "b"]), ValueError, "names 2 bins"),
    "too few names": (with_edges(GRID, classes=["a"]), ValueError, r"names 1 bins, \['a'\]"),
    "the same name": (
        with_edges(GRID, classes=["a b", "a_b"]),
        ClassOrderError,
        "'a b' and 'a_b'",
    ),
    "no name": (with_edges(GRID, classes=["", "b"]), ClassOrderError, "the classes '' would be"),
    "closed": (
        with_edges(pd.IntervalIndex.from_breaks([0, 1, 99]), right=False),
        ValueError,
        "closed right",
    ),
    "of text": (lambda: xr.DataArray(["a"]).ordinal.cut([0, 1]), ValueError, "the array holds"),
    "of text, lazily": (
        lambda: xr.DataArray(["a"]).chunk().ordinal.cut([0, 1]),
        ValueError,
        "the array holds",
    ),
    "text by cell": (lambda: xr.DataArray(["a"]).ordinal.cut(GRID[0]), ValueError, "are numbers"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_wrong_edges_are_refused(kind: str) -> None:
    call, error, message = WRONG[kind]
    with pytest.raises(error, match=message):
        call()


def test_edges_that_decrease_in_a_chunk() -> None:
    lazy = rain().ordinal.cut(GRID[:, ::-1].chunk(lat=1), errors="coerce")
    with pytest.raises(ValueError, match="which decrease"):
        lazy.compute()


def test_no_array_of_all_edges_is_made() -> None:
    chunks = {"time": 12, "lat": 1}
    lazy = (
        rain().chunk(chunks).ordinal.cut(edges_by({"month": MONTHS, "lat": LATS}), by="time.month")
    )
    largest = max(np.prod(block.shape) for block in lazy.data.blocks.ravel())
    assert largest == 12 * 1 * 2
    assert po.ordinal(lazy).mae(lazy, dropna=True).chunks is not None
