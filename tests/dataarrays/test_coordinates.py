"""Coordinates that differ: the error describes how, and the line that it prints mends it."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal.dataarrays.coordinates import difference

LINES = re.compile(
    r"(?:[gG]ive|with) (?:(\w+) = )?((?:true|pred|key)\.\S.*?)(?:; .*| and then (\w+) = (.*))?$"
)


def mended(error: Exception, **arrays: xr.DataArray) -> dict[str, xr.DataArray]:
    """Execute the lines that an error prints; the array that begins a line is replaced."""
    match = LINES.search(str(error))
    assert match, str(error)
    for name, line in ((match[1], match[2]), (match[3], match[4])):
        if line:
            arrays[name or line.split(".")[0]] = eval(line, {"np": np, "xr": xr} | arrays)
    return arrays


def accuracy(true: xr.DataArray, pred: xr.DataArray, told: str) -> tuple[int, float]:
    """Score after mending what the error describes; return n and accuracy."""
    for _ in range(4):
        error = refused(true, pred)
        if error is None:
            report = po.ordinal(true).report(pred, metrics=["accuracy"], classes=range(5))
            return int(report["n"]), float(report["accuracy"])
        assert re.search(told, str(error)), str(error)
        assert "never aligned" in str(error)
        true, pred = mended(error, true=true, pred=pred).values()
    raise AssertionError("still not mended")


def refused(true: xr.DataArray, pred: xr.DataArray) -> ValueError | None:
    try:
        po.ordinal(true).confusion(pred, classes=range(5))
    except ValueError as error:
        return error
    return None


def labels(dim: str, index: Any) -> xr.DataArray:
    values = np.random.default_rng(0).integers(0, 5, len(index))
    return xr.DataArray(values, {dim: index}, dim, name="class")


LAT, LON = np.arange(-87.5, 90, 5.1), np.arange(0, 360, 7.5)
CENTRED = np.where(LON >= 180, LON - 360, LON)


def grid(lat: Any = LAT, lon: Any = LON) -> xr.DataArray:
    values = np.random.default_rng(0).integers(0, 5, (len(lat), len(lon)))
    return xr.DataArray(values, {"lat": lat, "lon": lon}, ("lat", "lon"), name="class")


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda a: a.isel(lat=slice(None, None, -1)), "in another order"),
        (lambda a: a.assign_coords(lat=a["lat"].astype("float32")), "by up to .*e-06.* rounded"),
        (lambda a: a.assign_coords(lat=a["lat"].round(2) + 0.001)[::-1], "rounded"),
        (lambda a: a.assign_coords(lon=CENTRED), "longitudes"),
        (lambda a: a.assign_coords(lon=CENTRED).sortby("lon"), "longitudes.*-180.0 to 172.5"),
        (
            lambda a: a.assign_coords(lon=np.where(LON > 180, LON - 360, LON)).sortby("lon"),
            "longitudes",
        ),
        (lambda a: a.assign_coords(lon=CENTRED.astype("float32") + 1e-5), "longitudes"),
        (lambda a: a.assign_coords(lon=CENTRED)[::-1], "longitudes|another order"),
    ],
)
def test_grids(change: Any, told: str, swapped: bool, chunked: bool) -> None:
    true = grid()
    pred = change(true.chunk() if chunked else true)
    if swapped:
        true, pred = pred, true
    assert accuracy(true, pred, told) == (true.size, 1)


@pytest.mark.parametrize("kind", [int, float, str, "datetime64[ns]"])
def test_orders_and_other_cases(kind: Any) -> None:
    index = pd.Index(np.arange(10, 20)).astype(kind)
    true = labels("i", index)
    assert accuracy(true, true[[3, 1, 2, 0, *range(4, 10)]], "in another order") == (10, 1)
    assert accuracy(true[::2], true, r"not among the true labels") == (5, 1)
    error = refused(true[:8], true)
    assert error is not None and f"{index[8:].tolist()[0]}" in str(error)
    assert f"{index.tolist()[0]}" not in str(error).split("not among")[0]
    assert accuracy(true, true[::3], "they lack") == (4, 1)
    assert accuracy(true[:7], true[4:], "3 of 7 true labels are among them") == (3, 1)
    others = labels("i", pd.Index(np.arange(40, 50)).astype(kind))
    told = "none of them is a true label: they are .*40.* to .*, not .*10.*the same, in the same"
    assert accuracy(true, others, told) == (10, 1)
    with pytest.raises(ValueError, match="There are 4 cases, but 10 true labels: select"):
        po.ordinal(true).mae(others[:4])
    with pytest.raises(ValueError, match="occurs twice") as error:
        po.ordinal(true).mae(true[[0, 0, *range(2, 10)]])
    assert "drop_vars('i')" in str(error.value)


def test_stacked_dimensions() -> None:
    true = grid().stack(cell=("lat", "lon"))
    assert accuracy(true, true[::-1], "in another order") == (true.size, 1)
    assert accuracy(true, true[5:], "they lack") == (true.size - 5, 1)
    assert accuracy(true[:-5], true[5:], "are among them") == (true.size - 10, 1)
    other = grid(lat=LAT + 100).stack(cell=("lat", "lon"))
    assert accuracy(true, other, "none of them is a true label") == (true.size, 1)


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("calendar", ["standard", "noleap", "360_day"])
@pytest.mark.parametrize(("freq", "n"), [("MS", 48), ("D", 400)])
def test_calendars(freq: str, n: int, calendar: str, swapped: bool) -> None:
    pytest.importorskip("cftime")
    true = labels("time", pd.date_range("2019-01-01", periods=n, freq=freq))
    options = {"align_on": "date"} if calendar == "360_day" else {}
    pred = true.convert_calendar(calendar, dim="time", use_cftime=True, **options).astype(int)
    if swapped:
        true, pred = pred, true
    # days that one calendar lacks are left out: 29 February, or the last of long months
    days = {"standard": n, "noleap": n - (freq == "D" and n > 365 + 59), "360_day": pred.size}
    told = f"calendar '(proleptic_gregorian|standard|{calendar})' .*cftime|lack|among"
    found = accuracy(true, pred, told)
    assert found == (min(days[calendar], true.size, pred.size), 1)


def test_dates_that_a_calendar_lacks() -> None:
    """`convert_calendar` leaves no date, or refuses those before the Gregorian calendar."""
    pytest.importorskip("cftime")
    leap = labels("time", pd.DatetimeIndex(["2020-02-29"]))
    others = labels(
        "time", xr.date_range("2021-03-01", periods=1, calendar="noleap", use_cftime=True)
    )
    told = "calendar 'noleap' .*If the cases are the same, in the same order, give pred.drop_vars"
    assert accuracy(leap, others, told) == (1, 1)
    early = xr.date_range("1500-01-01", periods=2, calendar="julian", use_cftime=True)
    later = labels("time", pd.DatetimeIndex(["2020-01-01", "2020-01-02"]))
    assert accuracy(later, labels("time", early), "calendar 'julian'.*same order") == (2, 1)


@pytest.mark.parametrize(
    ("true", "pred", "place"),
    [
        ([350, 355, 0, 5], [-10, -5, 0, 5], "% 360 - 180"),
        ([-10, -5, 0, 5], [350, 355, 0, 5], "true['lon'].values % 360"),
        ([170, 175, 180, 185], [170, 175, -180, -175], "% 360 - 180"),
        ([170, 175, 180, 185], [170, 175, 180, -175], "180 - (180 - true['lon'].values) % 360"),
        ([-180, -175, -170], [180, 185, 190], "true['lon'].values % 360"),
        ([-181, -175], [179, 185], ""),
        ([0, 361], [360, 1], ""),
    ],
)
def test_longitudes_of_a_region(true: list[float], pred: list[float], place: str) -> None:
    described = difference("pred", "lon", pd.Index(pred), pd.Index(true))
    assert ("longitudes in another range" in described) == bool(place)
    assert place in described


def test_numbers_that_are_not_longitudes() -> None:
    true = labels("case", np.arange(10))
    told = "none of them is a true label: they are 360 to 369"
    assert accuracy(true, true.assign_coords(case=np.arange(360, 370)), told) == (10, 1)
    half = true.assign_coords(case=np.arange(10) + 0.5)
    assert accuracy(true, half, "none of them .* 0.5 to 9.5, not 0 to 9") == (10, 1)


@pytest.mark.parametrize(
    ("true", "pred", "told"),
    [
        ([0, 100, 200], [1, 101, 201], "by up to 1, as rounded"),  # a hundredth of a step
        ([0, 100, 200], [1, 101, 202], "none of them is a true label"),
        ([1000.0], [1000.0005], "by up to 0.0005, as rounded"),  # a millionth, without a step
        ([1000.0], [1000.01], "none of them is a true label"),
        ([1e-3], [1e-3 + 5e-7], "by up to 5e-07, as rounded"),
        ([0.0, 100, 200], [0.5, 101, 150], "none of them is a true label"),
        ([-180, -90, 0], [180, 270, 360], "longitudes in another range"),
        ([-90, 0], [270, 360], "longitudes in another range"),
        ([1, 2], [361, 362], "none of them is a true label"),
    ],
)
def test_limits_of_rounding_and_of_longitudes(
    true: list[float], pred: list[float], told: str
) -> None:
    assert told in difference("pred", "lon", pd.Index(pred), pd.Index(true))


INDEXES: dict[str, pd.Index] = {
    "levels": pd.MultiIndex.from_product([[0, 1], [0, 1]], names=["a", "b"]),
    "more levels": pd.MultiIndex.from_product([[0, 1], [0, 1], [5]], names=["a", "b", "c"]),
    "integers": pd.RangeIndex(4),
    "large": pd.Index(np.array([2**64 - 1, 1, 2, 3], "uint64")),
    "floats": pd.Index([0, np.inf, 2, np.nan]),
    "booleans": pd.Index([True, False]),
    "objects": pd.Index(["a", 1, 2.5, None], dtype=object),
    "dates": pd.date_range("2020", periods=4),
    "zoned": pd.date_range("2020", periods=4, tz="UTC"),
    "durations": pd.timedelta_range("1D", periods=4),
    "periods": pd.period_range("2020", periods=4, freq="M"),
    "categories": pd.CategoricalIndex(list("abcd")),
    "bins": pd.interval_range(0, 4),
    "overlapping": pd.IntervalIndex.from_tuples([(0, 2), (1, 3), (2, 4), (3, 5)]),
    "none": pd.Index([], dtype=float),
}


@pytest.mark.parametrize("one", INDEXES)
@pytest.mark.parametrize("other", INDEXES)
def test_labels_of_other_kinds(one: str, other: str) -> None:
    if one != other:
        assert "true" in difference("pred", "i", INDEXES[one], INDEXES[other])


def test_keys_of_other_coordinates() -> None:
    true = labels("i", [3, 4, 5])
    region = xr.DataArray(["a", "b", "a"], {"i": [5, 4, 3]}, "i", name="region")
    with pytest.raises(ValueError, match="'region'.*in another order") as error:
        po.ordinal(true).mae(true, by=region)
    key = mended(error.value, true=true, key=region)["key"]
    assert po.ordinal(true).mae(true, by=key).values.tolist() == [0, 0]
