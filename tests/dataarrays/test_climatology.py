"""Edges of classes are quantiles by cell, month and year, as plain loops find them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal.dataarrays import climatology

TIME = pd.date_range("2001-01-01", periods=48, freq="MS")
TERCILES = [1 / 3, 2 / 3]
LEAVING = {"by": "time.month", "leave_out": "time.year"}


def rain(dtype: str = "float64") -> xr.DataArray:
    rng = np.random.default_rng(3)
    values = rng.gamma(1, 3, (48, 3, 2)).round(2)
    values[rng.random(values.shape) < 0.2] = np.nan
    values[:, 1, 1] = np.nan
    coords = {"time": TIME, "lat": ("lat", [50.0, 51.0, 52.0], {"units": "degrees_north"})}
    attrs = {"units": "mm", "long_name": "precipitation"}
    return xr.DataArray(values.astype(dtype), coords, ("time", "lat", "lon"), "rain", attrs)


def of_values(values: Any, q: Any) -> Any:
    """The edges of values, as NumPy computes quantiles."""
    known = np.asarray(values, float)
    known = known[~np.isnan(known)]
    if not len(known):
        return np.full(len(q) + 2, np.nan)
    return [-np.inf, *np.quantile(known, q), np.inf]


@pytest.mark.parametrize("chunks", [None, {"time": 7, "lat": 2}])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("q", [TERCILES, [0.5], [0.01, 0.1, 0.25, 0.9]])
def test_months_without_a_year(q: Any, dtype: str, chunks: Any) -> None:
    array = rain(dtype)
    edges = po.climatology_edges(array if chunks is None else array.chunk(chunks), q, **LEAVING)
    assert (edges.chunks is None) == (chunks is None)
    assert edges.dims == ("lat", "lon", "month", "year", "edge")
    found = edges.values
    for lat, lon, month, year in itertools.product(range(3), range(2), range(12), range(4)):
        chosen = (TIME.month == month + 1) & (TIME.year != 2001 + year)
        due = of_values(array.values[chosen, lat, lon], q)
        npt.assert_allclose(found[lat, lon, month, year], due, rtol=1e-15)
    assert edges.attrs == {"long_name": "edges of rain", "units": "mm"}
    assert edges["lat"].attrs == {"units": "degrees_north"}
    assert edges.indexes["year"].tolist() == [2001, 2002, 2003, 2004]


def test_dimensions_and_keys() -> None:
    array = rain()
    numbers = array.values
    npt.assert_array_equal(
        po.climatology_edges(array, TERCILES)[2, 1], of_values(numbers[:, 2, 1], TERCILES)
    )
    pooled = po.climatology_edges(array, TERCILES, dim=["lat", "time", "lon"])
    assert pooled.dims == ("edge",)
    npt.assert_array_equal(pooled, of_values(numbers, TERCILES))
    seasons = po.climatology_edges(array, [0.5], dim=["time", "lon"], by=["time.season"])
    assert seasons.dims == ("lat", "season", "edge")
    winter = numbers[np.isin(TIME.month, [12, 1, 2]), 0]
    npt.assert_array_equal(seasons.sel(season="DJF")[0], of_values(winter, [0.5]))
    station = xr.DataArray(["a", "b", "a"], dims="lat", name="station")
    by = po.climatology_edges(array, [0.5], dim=["lat", "time"], by=[station, "time.month"])
    npt.assert_array_equal(
        by.sel(station="a", month=3)[1], of_values(numbers[TIME.month == 3][:, [0, 2], 1], [0.5])
    )
    left = po.climatology_edges(array, [0.5], dim=["lat", "time"], leave_out=station)
    npt.assert_array_equal(left.sel(station="a")[0], of_values(numbers[:, 1, 0], [0.5]))


def test_a_key_has_the_name_of_the_dimension() -> None:
    array = rain()
    by_year = {"time": xr.groupers.TimeResampler("YS")}
    for values in (array, array.chunk(time=5, lat=2)):
        edges = po.climatology_edges(values, TERCILES, by=by_year)
        assert edges.dims == ("lat", "lon", "time", "edge")
        second = edges.sel(time="2002-01-01")
        npt.assert_array_equal(second[2, 1], of_values(array.values[12:24, 2, 1], TERCILES))
        due = po.climatology_edges(array, TERCILES, by="time.year").rename(year="time")
        npt.assert_array_equal(edges, due)
        codes = values.ordinal.cut(edges, by=by_year, errors="coerce")
        npt.assert_array_equal(
            codes, array.ordinal.cut(due.rename(time="year"), by="time.year", errors="coerce")
        )


def test_without_values_there_are_no_edges() -> None:
    none = rain()[:0]
    edges = po.climatology_edges(none, TERCILES)
    assert edges.shape == (3, 2, 4) and np.isnan(edges).all()
    assert po.climatology_edges(none, [0.5], by="time.month").shape == (3, 2, 0, 3)


def test_several_values_of_a_year_and_ties() -> None:
    rng = np.random.default_rng(0)
    days = pd.date_range("2001-01-01", periods=1200)
    array = xr.DataArray(rng.integers(0, 6, 1200), {"time": days}, ("time",), "n")
    edges = po.climatology_edges(array, [0.2, 0.5, 0.77], **LEAVING)
    for month, year in itertools.product(range(1, 13), range(2001, 2005)):
        chosen = (days.month == month) & (days.year != year)
        due = of_values(array.values[chosen], [0.2, 0.5, 0.77])
        npt.assert_array_equal(edges.sel(month=month, year=year), due)


def test_a_single_year_has_no_edges() -> None:
    edges = po.climatology_edges(rain()[:12], TERCILES, **LEAVING)
    assert np.isnan(edges).all() and edges.sizes["year"] == 1


def test_forecasts_are_cut_at_their_own_climatology() -> None:
    array = rain()
    asked: dict[str, Any] = {
        "by": ["time.month", "time.year"],
        "classes": ["below", "normal", "above"],
        "errors": "coerce",
    }
    codes = array.ordinal.cut(po.climatology_edges(array, TERCILES, **LEAVING), **asked)
    lazy = array.chunk(lat=1)
    chunked = lazy.ordinal.cut(po.climatology_edges(lazy, TERCILES, **LEAVING), **asked)
    assert chunked.chunks is not None and chunked.compute().identical(codes)
    for index in np.ndindex(array.shape):
        value, when = array.values[index], TIME[index[0]]
        others = (TIME.month == when.month) & (TIME.year != when.year)
        _, *inner, _ = of_values(array.values[others][:, index[1], index[2]], TERCILES)
        is_missing = np.isnan([value, *inner]).any()
        assert codes.values[index] == (-1 if is_missing else sum(value > e for e in inner))
    assert codes.ordinal.classes.tolist() == asked["classes"]
    assert (codes >= 0).mean() > 0.6


@pytest.mark.parametrize("size", [1, 100])
def test_rows_are_taken_a_few_at_a_time(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer values than a row has, and those of two of the six rows."""
    monkeypatch.setattr(climatology, "CASES_PER_TILE", size)
    array = rain()
    edges = po.climatology_edges(array, TERCILES, **LEAVING)
    for lat, lon, month, year in itertools.product(range(3), range(2), range(12), range(4)):
        chosen = (TIME.month == month + 1) & (TIME.year != 2001 + year)
        due = of_values(array.values[chosen, lat, lon], TERCILES)
        npt.assert_allclose(edges.values[lat, lon, month, year], due, rtol=1e-15)


def test_values_may_be_infinite() -> None:
    values = xr.DataArray([-np.inf, -np.inf, 1, 2, np.inf, np.inf], dims="time")
    edges = po.climatology_edges(values, [0.1, 0.5, 0.9])
    assert edges.values.tolist() == [-np.inf, -np.inf, 1.5, np.inf, np.inf]


def test_fill_values_are_left_out() -> None:
    packed = xr.DataArray(np.array([1, 2, 3, -9], "int16"), dims="time", attrs={"_FillValue": -9})
    edges = po.climatology_edges(packed, [0.5])
    assert edges.values.tolist() == [-np.inf, 2, np.inf]
    assert edges.attrs == {"long_name": "edges of values"}


WRONG: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "decreasing": (lambda: po.climatology_edges(rain(), [0.6, 0.3]), ValueError, "increasing"),
    "the ends": (lambda: po.climatology_edges(rain(), [0, 0.5]), ValueError, "between 0 and 1"),
    "percent": (lambda: po.climatology_edges(rain(), [33, 67]), ValueError, r"q=\[33, 67\] must"),
    "above 1": (
        lambda: po.climatology_edges(rain(), [0.5, 1.5]),
        ValueError,
        "q=.* between 0 and",
    ),
    "none": (lambda: po.climatology_edges(rain(), []), ValueError, r"q=\[\] must be a list"),
    "text": (lambda: po.climatology_edges(rain(), "half"), ValueError, "q='half' must"),  # type: ignore[arg-type]
    "one": (lambda: po.climatology_edges(rain(), 0.5), ValueError, "must be a list"),  # type: ignore[arg-type]
    "dimension": (
        lambda: po.climatology_edges(rain(), [0.5], dim="tine"),
        ValueError,
        "did you mean 'time'",
    ),
    "key": (
        lambda: po.climatology_edges(rain(), [0.5], by="mouth"),
        ValueError,
        "'mouth' for by=",
    ),
    "key twice": (
        lambda: po.climatology_edges(rain(), [0.5], by="time.year", leave_out="time.year"),
        ValueError,
        "key 'year' twice",
    ),
    "key that is missing": (
        lambda: po.climatology_edges(
            rain(), [0.5], by={"time": xr.groupers.BinGrouper(TIME[[11, 23, 47]])}
        ),
        ValueError,
        "the key 'time_bins' is missing in 12 cases: fill it in, or leave these cases out of the",
    ),
    "key of one case": (
        lambda: rain().ordinal.cut(
            po.climatology_edges(rain(), [0.5], by="time.month"),
            by=xr.DataArray([None, *TIME.month[1:]], dims="time", name="month"),
        ),
        ValueError,
        "the key 'month' is missing in 1 case: fill it in, or leave this case out of the array",
    ),
    "key of cells": (lambda: po.climatology_edges(rain(), [0.5], by="lat"), ValueError, "'lat'"),
    "key that remains": (
        lambda: po.climatology_edges(
            rain(), [0.5], by=xr.DataArray(TIME.year, dims="time", name="lat")
        ),
        ValueError,
        "two dimensions 'lat'",
    ),
    "dimension of the edges": (
        lambda: po.climatology_edges(rain().rename(lat="edge"), [0.5]),
        ValueError,
        "two dimensions 'edge'",
    ),
    "packed": (
        lambda: po.climatology_edges(
            rain().fillna(0).astype("int16").assign_attrs(add_offset=5.0), [0.5]
        ),
        ValueError,
        "values holds int16 packed by the attribute add_offset",
    ),
    "frame": (lambda: po.climatology_edges(pd.Series([1.0]), [0.5]), TypeError, "not a Series"),  # type: ignore[arg-type]
    "of text": (
        lambda: po.climatology_edges(xr.DataArray(["a"], dims="time"), [0.5]),
        TypeError,
        "numbers, not",
    ),
}


@pytest.mark.parametrize("kind", WRONG)
def test_wrong_arguments_are_refused(kind: str) -> None:
    call, error, message = WRONG[kind]
    with pytest.raises(error, match=message):
        call()
