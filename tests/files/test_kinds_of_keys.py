"""Keys of every kind, in results, through files and back, and added to what a file holds."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, time, timedelta
from decimal import Decimal
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import xarray as xr

import pandas_ordinal as po

Y, YHAT = np.array([0, 1, 1, 2, 0, 2]), np.array([0, 1, 0, 2, 2, 2])
ROWS = np.array([1, 0, 1, 2, 0, 1])  # the position of the key of each row
HAS_UNITS = version("xarray") > "2025.1.0"  # others than nanoseconds
NANOSECONDS_ONLY = pytest.mark.filterwarnings("ignore:Converting non-nanosecond")  # xarray 2025.1

DAYS = [pd.Timestamp("2019-12-31"), pd.Timestamp("2020-01-01"), pd.Timestamp("2020-02-01")]
PARIS = [day.tz_localize("Europe/Paris") for day in DAYS]
DATES = [day.date() for day in DAYS]
HOURS = [timedelta(hours=hours) for hours in (1, 2, 30)]
TIMES = [time(1), time(2), time(2, 30)]
DECIMALS = [Decimal("-0.5"), Decimal("1.0"), Decimal("2.5")]

OF_ARROW: dict[str, tuple[Any, list[Any]]] = {
    "string": (pa.string(), ["a", "b", "é"]),
    "large string": (pa.large_string(), ["a", "b", "é"]),
    "dictionary": (pa.dictionary(pa.int32(), pa.string()), ["a", "b", "é"]),
    "int64": (pa.int64(), [-(2**62) - 1, 0, 2**62 + 1]),
    "uint64": (pa.uint64(), [0, 1, 2**63 + 1]),
    "double": (pa.float64(), [0.1, 0.25, 1e300]),
    "timestamp": (pa.timestamp("ns"), DAYS),
    "timestamp in seconds": (pa.timestamp("s"), DAYS),
    "timestamp in Paris": (pa.timestamp("ns", "Europe/Paris"), PARIS),
    "date": (pa.date32(), DATES),
    "duration": (pa.duration("ns"), HOURS),
    "time": (pa.time64("us"), TIMES),
    "decimal": (pa.decimal128(5, 1), DECIMALS),
    "binary": (pa.binary(), [b"a", b"b", b"c"]),
}
OTHERS: dict[str, Any] = {
    "str": pd.array(["a", "b", "é"], dtype="str"),
    "string[python]": pd.array(["a", "b", "é"], dtype="string[python]"),
    "string[pyarrow]": pd.array(["a", "b", "é"], dtype="string[pyarrow]"),
    "Int64": pd.array([-(2**62) - 1, 0, 2**62 + 1], dtype="Int64"),
    "UInt8": pd.array([0, 1, 255], dtype="UInt8"),
    "Float64": pd.array([0.1, 0.25, 1e300], dtype="Float64"),
    "float16": np.array([0.25, 0.5, 2], "f2"),
    "boolean objects": np.array([False, True, "c"], object)[[0, 1, 1]],
    ">i4": np.array([1, 2, 300], ">i4"),
    ">f8": np.array([0.1, 0.25, 1e300], ">f8"),
    "datetime64[s]": np.array(["1066-10-14", "2020-01-01", "9999-12-31"], "M8[s]"),
    "period": pd.PeriodIndex(["2020-01", "2020-02", "2020-04"], freq="M").array,
    "dates": np.array(DATES, object),
    "interval": pd.IntervalIndex.from_breaks([0, 1, 2, 5]).array,
    "categories of Arrow": pd.Categorical(pd.array(DAYS, dtype=pd.ArrowDtype(pa.timestamp("ns")))),
}


def frame(keys: Any) -> pd.DataFrame:
    labels = keys.take(ROWS)
    return pd.DataFrame({"k": labels, "y": Y, "yhat": YHAT})


def of_arrow(name: str) -> Any:
    dtype, labels = OF_ARROW[name]
    values = pa.array(labels).dictionary_encode() if name == "dictionary" else labels
    return pd.array(values, dtype=pd.ArrowDtype(dtype))


def counts(n_keys: int = 3) -> Any:
    table = np.zeros((n_keys, 3, 3), int)
    for key, true, pred in zip(ROWS, Y, YHAT, strict=True):
        table[key, true, pred] += 1
    return table


def saved(cube: xr.DataArray, path: Path, kind: str) -> xr.DataArray:
    getattr(cube.ordinal, f"to_{kind}")(path / kind)
    return po.open_cube(path / kind)


def check_with_its_own_file(cube: xr.DataArray, path: Path) -> None:
    for kind in ("netcdf", "zarr"):
        read = saved(cube, path, kind)
        assert read.identical(cube)
        assert read.indexes["k"].dtype == cube.indexes["k"].dtype
        for cubes in ([cube, read], [read, cube]):
            added = po.add(*cubes)
            assert added.indexes["k"].equals(cube.indexes["k"])
            assert (added.values == 2 * cube.values).all()
        stacked = po.concat({"memory": cube, "file": read}, "source")
        assert stacked.indexes["k"].equals(cube.indexes["k"])
        parts = [cube.isel(k=[0, 2]), read.isel(k=[1])]
        joined = po.concat(parts, "k")
        assert joined.indexes["k"].equals(cube.indexes["k"])
        assert (joined.values == cube.values).all()


@NANOSECONDS_ONLY
@pytest.mark.parametrize("name", OF_ARROW)
def test_keys_of_arrow_are_those_of_numpy_or_pandas_in_a_cube(name: str, tmp_path: Path) -> None:
    _, labels = OF_ARROW[name]
    df = frame(of_arrow(name))
    cube = df.ordinal.confusion("y", "yhat", by="k")
    index = cube.indexes["k"]
    assert not isinstance(index.dtype, pd.ArrowDtype)
    assert index.tolist() == (DAYS if name.startswith("timestamp in s") else labels)
    assert (cube.values == counts()).all()
    mae = df.ordinal.mae("y", "yhat", by="k")
    np.testing.assert_allclose(mae, cube.ordinal.mae())
    if name not in ("time", "decimal", "binary"):
        check_with_its_own_file(cube, tmp_path)
        return
    with pytest.raises(TypeError, match="'k' .*cannot be saved exactly") as error:
        saved(cube, tmp_path, "netcdf")
    line = str(error.value)[str(error.value).index("array.assign_coords(") :]
    fixed = eval(line, {"array": cube})
    assert saved(fixed, tmp_path, "netcdf").indexes["k"].tolist() == list(map(str, labels))


@NANOSECONDS_ONLY
@pytest.mark.parametrize("name", OTHERS)
def test_keys_of_other_kinds(name: str, tmp_path: Path) -> None:
    df = frame(OTHERS[name])
    by_key = df.ordinal.mae("y", "yhat", by="k")
    for key, mae in zip(by_key.index, by_key, strict=True):
        rows = [label == key for label in df["k"]]
        assert mae == np.abs(Y - YHAT)[rows].mean()
    if name == "datetime64[s]" and not HAS_UNITS:
        return
    cube = df.ordinal.confusion("y", "yhat", by="k")
    assert cube.indexes["k"].dtype.kind != "S" and cube.sum() == len(Y)
    if len(cube["k"]) == 3:
        assert (cube.values == counts()).all()
        check_with_its_own_file(cube, tmp_path)


@pytest.mark.parametrize("dtype", [pa.int64(), pa.uint64()])
def test_integers_of_arrow_next_to_a_missing_key_are_not_rounded(dtype: Any) -> None:
    labels = pd.array([None, 2**53, 2**53 + 1], dtype=pd.ArrowDtype(dtype))
    grouped = frame(labels).groupby("k", dropna=False)
    assert grouped.ordinal.confusion("y", "yhat").indexes["k"].tolist()[:2] == [2**53, 2**53 + 1]


@pytest.mark.parametrize("dtype", ["Int64", "Float64", "int64[pyarrow]", "string[pyarrow]"])
def test_missing_keys_of_nullable_types_are_left_out(dtype: str) -> None:
    labels: list[Any] = [None, "a", "b"] if "string" in dtype else [None, 3, 5]
    df = frame(pd.array(labels, dtype=dtype))  # type: ignore[call-overload]
    with pytest.raises(po.MissingValueError, match="the key 'k' is missing in 2 rows"):
        df.ordinal.mae("y", "yhat", by="k")
    cube = df.ordinal.confusion("y", "yhat", by="k", dropna=True)
    assert cube["k"].values.tolist() == labels[1:]
    assert (cube.values == counts()[1:]).all()


def test_a_coordinate_of_arrow_is_saved_as_one_of_pandas(tmp_path: Path) -> None:
    cube = frame(pd.array(["a", "b", "c"])).ordinal.confusion("y", "yhat", by="k")
    for name in ("string", "timestamp", "date", "int64"):
        arrow = cube.assign_coords(k=pd.Index(of_arrow(name), name="k"))
        read = saved(arrow, tmp_path, "netcdf")
        assert read.indexes["k"].tolist() == OF_ARROW[name][1]
        added = po.add(arrow, read)
        assert added.indexes["k"].tolist() == OF_ARROW[name][1]
        assert (added.values == 2 * cube.values).all()


def test_keys_that_no_file_and_no_index_can_hold() -> None:
    df = frame(np.array([0.1, 0.25, 2], np.longdouble))
    if df["k"].dtype == float:
        pytest.skip("no longer double on this platform")
    with pytest.raises(TypeError, match=r"'k' is float\d+.*df\['k'\].astype\(float\)"):
        df.ordinal.mae("y", "yhat", by="k")
    cube = df.assign(k=df["k"].astype(float)).ordinal.confusion("y", "yhat", by="k")
    assert (cube.values == counts()).all()
    mixed = frame(np.array([pd.Period("2020-01", "M"), pd.Period("2020", "Y"), "c"], object))
    with pytest.raises(TypeError, match=r"without a common order.*df\['k'\].map\(str\)"):
        mixed.ordinal.mae("y", "yhat", by="k")


# cubes whose keys differ in more than their values


def cube_of(keys: Sequence[Any]) -> xr.DataArray:
    return frame(pd.Index(keys)).ordinal.confusion("y", "yhat", by="k")


def text_of(error: pytest.ExceptionInfo[ValueError], cubes: Sequence[xr.DataArray]) -> Any:
    """Follow the line of an error for each cube."""
    line = str(error.value)[str(error.value).index("cube.assign_coords(") :]
    return [eval(line, {"cube": cube}) for cube in cubes]


@pytest.mark.parametrize("combine", [po.add, lambda *cubes: po.concat([*cubes], "k")])
@pytest.mark.parametrize(
    ("keys", "others", "kinds"),
    [
        (
            pd.PeriodIndex(["2020-01", "2020-02", "2020-03"], freq="M"),
            pd.PeriodIndex(["2020", "2021", "2022"], freq="Y"),
            r"period\[M\] in one cube and period\[Y-DEC\]",
        ),
        (DAYS, pd.PeriodIndex(["2020", "2021", "2022"], freq="Y"), r"datetime64.*period\[Y-DEC\]"),
        (
            DAYS,
            pd.Index([date(2021, 1, day) for day in (1, 2, 3)], dtype=object),
            "datetime64.*object",
        ),
    ],
    ids=["periods", "period", "date"],
)
def test_keys_that_do_not_compare_become_text(
    combine: Any, keys: Any, others: Any, kinds: str
) -> None:
    cubes = [cube_of(keys), cube_of(others)]
    with pytest.raises(ValueError, match=f"'k' are labelled {kinds}") as error:
        combine(*cubes)
    joined = combine(*text_of(error, cubes))
    assert joined.sizes["k"] == 6 and joined.sum() == 2 * len(Y)


@NANOSECONDS_ONLY
@pytest.mark.parametrize("zone", [None, "UTC"])
def test_times_beyond_nanoseconds_next_to_nanoseconds(zone: Any) -> None:
    if not HAS_UNITS:
        pytest.skip("this xarray has no other unit than nanoseconds")
    far = ["2020-01-01", "2020-01-02", "9999-12-31"]
    near = ["2020-01-02", "2020-01-03", "2020-01-04"]
    cubes = [
        cube_of(pd.DatetimeIndex(np.array(days, f"M8[{unit}]"), tz=zone))
        for days, unit in ((far, "s"), (near, "ns"))
    ]
    added = po.add(*cubes)
    days = [pd.Timestamp(day, tz=zone) for day in sorted({*far, *near})]
    assert added.indexes["k"].tolist() == days
    assert added.sum(["true", "pred"]).values.tolist() == [2, 3 + 2, 3, 1, 1]
    fine = cube_of(cubes[1].indexes["k"] + pd.Timedelta(1, "ns"))
    with pytest.raises(ValueError, match=r"'k' are datetime64.*no unit holds all") as error:
        po.add(cubes[0], fine)
    assert po.add(*text_of(error, [cubes[0], fine])).sizes["k"] == 6
