"""What xarray, netCDF4 and ncdump, which know nothing of classes, find in files of cubes."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import cftime
import netCDF4
import numpy as np
import pandas as pd
import pytest
import xarray as xr

from pandas_ordinal import ClassOrderError, files
from pandas_ordinal.files import times

LEVELS = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
KINDS = ["netcdf4", "h5netcdf", "zarr2", "zarr3"]


def cube(months: Any, codes: Any = (0, 1)) -> xr.DataArray:
    y = pd.Categorical.from_codes(codes, dtype=LEVELS)
    ages = pd.cut([3, 70], [0, 18, np.inf], right=False)
    df = pd.DataFrame({"y": y, "age": ages, "k": [0, 1]})
    counted: xr.DataArray = df.ordinal.confusion("y", "y", by=["k", "age"])
    return counted.rename(k="month").assign_coords(month=months)


def saved(array: xr.DataArray, path: Path, kind: str) -> dict[str, Any]:
    """Save a cube, and return what plain xarray opens it by."""
    if kind.startswith("zarr"):
        files.cube.to_zarr(array, path, zarr_format=int(kind[-1]))  # type: ignore[arg-type]
        return {"filename_or_obj": path, "engine": "zarr", "consolidated": False}
    files.cube.to_netcdf(array, path, engine=kind)  # type: ignore[arg-type]
    return {"filename_or_obj": path, "engine": kind}


@pytest.mark.parametrize("kind", KINDS)
def test_months_of_two_files_meet(tmp_path: Path, kind: str) -> None:
    one = cube(pd.to_datetime(["2020-01-01", "2020-02-01"]).as_unit("ns"))
    other = cube(pd.to_datetime(["2020-02-01", "2020-03-01"]).as_unit("ns"))
    with (
        xr.open_dataset(**saved(one, tmp_path / "one", kind)) as first,
        xr.open_dataset(**saved(other, tmp_path / "other", kind)) as second,
    ):
        added = first["count"] + second["count"]
        assert added.indexes["month"].tolist() == [pd.Timestamp("2020-02-01")]
        expected = one.values[1] + other.values[0]
        np.testing.assert_array_equal(added.transpose(*one.dims)[0], expected)
        joined = xr.concat([first["count"], second["count"]], "month")
        months = [str(month)[:7] for month in joined["month"].values]
        assert months == ["2020-01", "2020-02", "2020-02", "2020-03"]
        assert files.dataset.cube_from_dataset(first.load()).equals(one)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "of", [cftime.Datetime360Day, cftime.DatetimeNoLeap, cftime.DatetimeJulian]
)
def test_other_calendars(tmp_path: Path, kind: str, of: Any) -> None:
    months = xr.CFTimeIndex([of(2000, 2, 28), of(1, 3, 1, 12)])
    with xr.open_dataset(**saved(cube(months), tmp_path / "cube", kind)) as opened:
        assert opened["month"].values.tolist() == list(months)
        assert files.dataset.cube_from_dataset(opened.load()).identical(cube(months))
    assert files.cube.open_cube(tmp_path / "cube").identical(cube(months))


def on_times(times_: list[Any], shape: tuple[int, ...]) -> xr.DataArray:
    """Numbers with a coordinate of times of this shape."""
    held = np.empty(len(times_), object)
    held[:] = times_
    dims = ("i", "j")[: len(shape)]
    return xr.DataArray(np.zeros(shape), {"when": (dims, held.reshape(shape))}, dims, "x")


@pytest.mark.parametrize("shape", [(), (1,), (4,), (2, 2)])
def test_times_of_another_calendar_in_any_shape(shape: tuple[int, ...]) -> None:
    days = [cftime.DatetimeNoLeap(2000, 2, day, 12) for day in (27, 28, 1, 2)]
    array = on_times(days[: int(np.prod(shape))], shape)
    dataset = array.ordinal.to_dataset()
    assert dataset["when"].dtype.kind == "i" and dataset["when"].attrs["calendar"] == "noleap"
    assert dataset["when"].attrs["units"] == "hours since 1970-01-01"
    # 30 years of 365 days, January, and 26.5 days
    assert dataset["when"].values.flat[0] == 24 * (30 * 365 + 31) + 24 * 26 + 12
    read = files.dataset.cube_from_dataset(dataset)
    xr.testing.assert_identical(read, array)
    assert read["when"].shape == shape


@pytest.mark.filterwarnings("ignore:this date/calendar/year zero convention")
@pytest.mark.parametrize("has_year_zero", [True, False])
def test_times_with_and_without_a_year_zero(has_year_zero: bool) -> None:
    """Only years before 1 differ, but times of both kinds do not compare."""
    days = [cftime.DatetimeGregorian(y, 1, 1, has_year_zero=has_year_zero) for y in (1970, 1973)]
    array = on_times(days, (2, 1))  # xarray has no index of times with a year zero
    dataset = array.ordinal.to_dataset()
    assert dataset["when"].values.tolist() == [[0], [3 * 365 + 1]]
    read = files.dataset.cube_from_dataset(dataset)["when"].values.ravel().tolist()
    assert list(map(repr, read)) == list(map(repr, days))


def test_times_of_two_calendars_are_refused() -> None:
    days = [cftime.DatetimeNoLeap(2000, 1, 1), cftime.Datetime360Day(2000, 1, 1)]
    for mixed in (days, [days[0], "2000-01-01"], [cftime.DatetimeNoLeap(2000, 1, 1), 3]):
        with pytest.raises(TypeError, match="labels of the coordinate 'when' .* cannot be saved"):
            on_times(mixed, (2,)).ordinal.to_dataset()


@pytest.mark.parametrize("kind", KINDS)
def test_durations(tmp_path: Path, kind: str) -> None:
    deltas = pd.to_timedelta(["1D", "2D"]).as_unit("ns")
    options = saved(cube(deltas), tmp_path / "cube", kind)
    with xr.open_dataset(**options, decode_timedelta=True) as opened:
        assert (opened["month"].astype("m8[ns]").values == deltas.values).all()


@pytest.mark.parametrize(
    ("seconds", "units"),
    [
        ([], "days"),
        ([0, 86_400, -172_800], "days"),
        ([0, 86_401], "seconds"),
        ([3600, 86_400], "hours"),
        ([3601], "seconds"),
        ([90_000], "hours"),
        ([1.5, 3600], "milliseconds"),
        ([0.000_002], "microseconds"),
        ([0.000_000_003], "nanoseconds"),
    ],
    ids=str,
)
def test_the_coarsest_units(tmp_path: Path, seconds: list[float], units: str) -> None:
    ticks = np.array([round(one * 10**9) for one in seconds], "m8[ns]")
    durations = np.append(ticks, np.timedelta64("NaT", "ns"))
    array = xr.DataArray(np.zeros(len(durations)), {"wait": ("i", durations)}, "i", "x")
    saved(array, tmp_path / "x.nc", "h5netcdf")
    with xr.open_dataset(tmp_path / "x.nc", decode_times=False, decode_timedelta=False) as plain:
        assert plain["wait"].attrs["units"] == units
    opened = files.cube.open_cube(tmp_path / "x.nc")
    assert opened["wait"].dtype == "m8[ns]"
    np.testing.assert_array_equal(opened["wait"], durations)


@pytest.mark.parametrize(
    ("unit", "name"),
    [("s", "seconds"), ("ms", "milliseconds"), ("us", "microseconds"), ("ns", "nanoseconds")],
)
def test_the_coarsest_units_of_each_dtype(unit: str, name: str) -> None:
    for coarser, largest in (("h", "hours"), ("s", "seconds"), (unit, name)):
        durations = np.array([0, 1, -2], f"m8[{coarser}]").astype(f"m8[{unit}]")
        fields = times.times_to_json(pd.Index(durations))
        assert fields is not None and fields["units"] == largest
        in_ticks = np.timedelta64(1, coarser) // np.timedelta64(1, unit)
        assert fields["ticks"] == in_ticks


@pytest.mark.parametrize("missing", [False, True])
def test_a_fill_value_stands_for_missing_times_only(tmp_path: Path, missing: bool) -> None:
    months = pd.DatetimeIndex(["2020-01-01", None if missing else "2020-02-01"])
    saved(cube(months), tmp_path / "cube.nc", "h5netcdf")
    with netCDF4.Dataset(tmp_path / "cube.nc") as plain:
        assert ("_FillValue" in plain["month"].ncattrs()) == missing


@pytest.mark.parametrize("engine", ["netcdf4", "h5netcdf"])
def test_read_by_netcdf4_alone(tmp_path: Path, engine: str) -> None:
    months = pd.to_datetime(["2020-01-01", "2020-02-01"]).as_unit("ns")
    saved(cube(months, (0, 2)), tmp_path / "cube.nc", engine)
    with netCDF4.Dataset(tmp_path / "cube.nc") as dataset:
        true, month, edges = (dataset[name] for name in ("true", "month", "age_bnds"))
        words = true.flag_meanings.split()
        counts = dataset["count"][0, 0]
        counted = {words[code]: int(counts[n].sum()) for n, code in enumerate(true[:])}
        assert counted == {"low": 1, "mid": 0, "high": 0}
        assert true.flag_values.tolist() == [0, 1, 2] and true.flag_values.dtype == true.dtype
        times = cftime.num2date(month[:], month.units, month.calendar)
        assert [str(time) for time in times] == ["2020-01-01 00:00:00", "2020-02-01 00:00:00"]
        assert edges.dimensions == ("age_class", "bnds") and edges[:].tolist() == [
            [0, 18],
            [18, np.inf],
        ]
        assert edges.long_name == "edges of age, closed: left"


@pytest.mark.skipif(shutil.which("ncdump") is None, reason="ncdump is not installed")
@pytest.mark.parametrize("engine", ["netcdf4", "h5netcdf"])
def test_read_by_ncdump(tmp_path: Path, engine: str) -> None:
    months = pd.to_datetime(["2020-01-01", "2020-02-01"]).as_unit("ns")
    saved(cube(months), tmp_path / "cube.nc", engine)
    command = ["ncdump", "-h", str(tmp_path / "cube.nc")]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for line in (
        'true:flag_meanings = "low mid high"',
        "double age_bnds(age_class, bnds)",
        'month:units = "days since 1970-01-01"',
        'month:calendar = "proleptic_gregorian"',
        "int64 count(month, age, true, pred)",
    ):
        assert line in text


@pytest.mark.parametrize("dtype", ["datetime64[h]", "int64"])
def test_times_of_a_dtype_that_was_never_saved(tmp_path: Path, dtype: str) -> None:
    """Plain xarray has read the dates; which unit their numbers had is not known."""
    months = pd.to_datetime(["2020-01-01", "2020-02-01"]).as_unit("ns")
    with xr.open_dataset(**saved(cube(months), tmp_path / "cube", "h5netcdf")) as dataset:
        changed = dataset.load()
    parts = json.loads(changed["month"].attrs["pandas_ordinal"])
    changed["month"].attrs["pandas_ordinal"] = json.dumps({**parts, "dtype": dtype})
    number = files.dataset.checksum(changed.attrs["pandas_ordinal"], changed.variables)
    for name in ("pandas_ordinal", *(f"pandas_ordinal_{dim}" for dim in changed["count"].dims)):
        changed[name] = xr.full_like(changed[name], number)
    with pytest.raises(ClassOrderError, match="holds no class order"):
        files.dataset.cube_from_dataset(changed)
