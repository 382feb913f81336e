"""Cubes as netCDF files and zarr stores: what is written comes back, or is refused."""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import cftime
import dask
import dask.array
import numpy as np
import pandas as pd
import pytest
import xarray as xr
import zarr
from class_sets import CLASSES, CLOSED, assert_same_labels, axes, frame
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from oracles.strategies import examples

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, files
from pandas_ordinal.files.dataset import cube_from_dataset, to_dataset

QUICK = examples(80)

# of xarray 2025.1, when it looks at missing labels among classes that are integers
MISSING = pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")


@st.composite
def arrays(draw: st.DrawFn) -> xr.DataArray:
    true, pred, group = draw(axes()), draw(axes()), draw(CLASSES)
    dtype = draw(st.sampled_from(["int64", "int32", "uint8", "float64", "float32", "bool"]))
    size = len(group) * len(true) * len(pred)
    values = np.random.default_rng(size).integers(0, 255, size).astype(dtype)
    if dtype.startswith("f") and size > 2:
        values[:3] = np.nan, np.inf, -0.0
    return xr.DataArray(
        values.reshape(len(group), len(true), len(pred)),
        {"g": group, "true": ("true", true, {"long name": "é"}), "pred": pred},
        ("g", "true", "pred"),
        draw(st.sampled_from([None, "count", "a name"])),
        {"units": "days since 2000-01-01", "scale_factor": 2.0, "note": "é"},
    )


def assert_same(one: xr.DataArray, other: xr.DataArray) -> None:
    if other.identical(other.copy(deep=True)):  # for xarray, an axis with pd.NA is never the same
        xr.testing.assert_identical(one, other)
    assert one.attrs == other.attrs and one.name == other.name and one.dims == other.dims
    assert one.dtype == other.dtype and one.values.tobytes() == other.values.tobytes()
    assert list(one.coords) == list(other.coords) and set(one.indexes) == set(other.indexes)
    for name, index in one.indexes.items():
        assert_same_labels(index, other.indexes[name])
        assert one[name].dtype == other[name].dtype


CUBE: xr.DataArray = frame(g=["a", "b"] * 20).ordinal.confusion("y", "yhat", by="g")


def on(**coords: Any) -> xr.DataArray:
    """Return an array over one other dimension."""
    ((dim, labels),) = coords.items()
    return xr.DataArray(np.arange(len(labels)), coords, [dim])


Save = Callable[[xr.DataArray, Path], None]
ZARR_FORMATS = (2, 3)
ENGINES = ["h5netcdf"]
try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it was built for another NumPy
        import netCDF4  # noqa: F401
except ImportError:
    pass
else:
    ENGINES.append("netcdf4")

SAVES: dict[str, Save] = {
    **{
        engine: lambda array, path, engine=engine: files.cube.to_netcdf(array, path, engine=engine)
        for engine in ENGINES
    },
    **{
        f"zarr{version}": lambda array, path, version=version: files.cube.to_zarr(
            array, path, zarr_format=version
        )
        for version in ZARR_FORMATS
    },
}


SECOND = {"h5netcdf", "zarr2"}  # their layout is that of the first of each kind


@pytest.fixture(
    params=[pytest.param(k, marks=[pytest.mark.slow] if k in SECOND else []) for k in SAVES]
)
def save(request: pytest.FixtureRequest) -> Save:
    return SAVES[request.param]


SLOW = examples(12, suppress_health_check=[HealthCheck.function_scoped_fixture])


# Datasets and back


def there_and_back(array: xr.DataArray) -> xr.DataArray:
    return cube_from_dataset(to_dataset(array))


@MISSING
@QUICK
@given(arrays())
def test_to_a_dataset_and_back(array: xr.DataArray) -> None:
    before = array.copy(deep=True)
    assert_same(there_and_back(array), array)
    assert_same(array, before)


def test_layout() -> None:
    bins = pd.CategoricalIndex(pd.cut([5, 15, np.nan], [0, 10, np.inf]))
    dataset = to_dataset(CUBE.isel(g=0, drop=True).isel(pred=[2, 0]).assign_coords(z=1.5))
    assert dataset["count"].dims == ("true", "pred") and dataset["pred"].values.tolist() == [2, 0]
    assert list(dataset.coords) == ["true", "pred", "z"] and dataset["true"].dtype == np.int32
    assert json.loads(dataset["true"].attrs["pandas_ordinal"]) == {
        "dtype": str(CUBE.indexes["true"].categories.dtype),
        "labels": ["low", "mid", "high", "top"],
        "ordered": True,
        "flags": True,
    }
    assert dataset["true"].attrs["flag_values"].tolist() == [0, 1, 2, 3]
    assert dataset["true"].attrs["flag_values"].dtype == np.int32  # like the codes
    assert dataset["true"].attrs["flag_meanings"] == "low mid high top"
    dataset = to_dataset(on(bins=bins))
    assert dataset["bins"].values.tolist() == [0, 1, -1]
    assert dataset["bins_bnds"].values.tolist() == [[0, 10], [10, np.inf]]
    assert json.loads(dataset["bins"].attrs["pandas_ordinal"])["closed"] == "right"
    for variable in (dataset, *dataset.variables.values()):
        assert all(isinstance(value, (str, int)) for value in variable.attrs.values())


@pytest.mark.parametrize(
    "labels", [["one word", "two"], ["a", "b\n"], ["", "b"], [], [1, "1"], [(0, 1), "b"]]
)
def test_no_flags_of_classes_that_are_not_words(labels: list[Any]) -> None:
    index = pd.Index(labels, dtype=object, tupleize_cols=False)
    classes = pd.CategoricalIndex(index[:0], index, ordered=True)
    if (0, 1) not in labels:
        assert "flag_values" not in to_dataset(on(true=classes))["true"].attrs


def test_flags_of_the_user_stay(save: Save, tmp_path: Path) -> None:
    array = on(true=pd.CategoricalIndex(["a", "b"]))
    array["true"].attrs |= {"flag_meanings": "mine"}
    save(array, tmp_path / "file")
    assert_same(files.cube.open_cube(tmp_path / "file"), array)


def test_many_long_labels(save: Save, tmp_path: Path) -> None:
    classes = pd.CategoricalIndex([f"é{label:099}" for label in range(1000)], ordered=True)
    save(on(true=classes), tmp_path / "file")
    assert_same(files.cube.open_cube(tmp_path / "file"), on(true=classes))


def test_labels_of_numpy_are_those_of_python() -> None:
    labels = pd.Index([np.str_("a"), np.int64(1)], dtype=object)
    read = there_and_back(on(true=pd.CategoricalIndex(labels, labels)))
    assert read.indexes["true"].categories.tolist() == ["a", 1]


def test_text_of_another_pandas() -> None:
    for dtype in ("str", "object"):
        dataset = to_dataset(on(g=["a"]))
        dataset["g"].attrs["pandas_ordinal"] = json.dumps({"labels": ["a\0"], "dtype": dtype})
        checksum = files.dataset.checksum(dataset.attrs["pandas_ordinal"], dataset.variables)
        for name in ("pandas_ordinal", "pandas_ordinal_g"):
            dataset[name] = xr.full_like(dataset[name], checksum)
        index = cube_from_dataset(dataset).indexes["g"]
        assert index.tolist() == ["a\0"] and index.dtype == pd.Index([], dtype=dtype).dtype


def test_chunks_stay() -> None:
    chunked = CUBE.chunk(g=1)
    dataset = to_dataset(chunked)
    assert dataset["count"].chunks == chunked.chunks
    assert cube_from_dataset(dataset).chunks == chunked.chunks
    assert_same(cube_from_dataset(dataset).compute(), CUBE)
    lazy = CUBE.assign_coords(w=CUBE.sum("pred").chunk())
    assert to_dataset(lazy)["w"].chunks is not None
    assert_same(there_and_back(lazy).compute(), lazy.compute())


def test_encodings_of_another_file_are_gone(save: Save, tmp_path: Path) -> None:
    packed = CUBE.copy()
    packed.encoding = {"dtype": "int8", "scale_factor": 100, "_FillValue": 0}
    packed["true"].encoding = {"dtype": "int8", "_FillValue": 0}
    save(packed, tmp_path / "file")
    assert_same(files.cube.open_cube(tmp_path / "file"), CUBE)
    assert packed.encoding["scale_factor"] == 100


# files


@MISSING
@SLOW
@given(array=arrays())
def test_files(save: Save, tmp_path_factory: pytest.TempPathFactory, array: xr.DataArray) -> None:
    path = tmp_path_factory.mktemp("files") / "file"
    save(array, path)
    assert_same(files.cube.open_cube(path), array)


@pytest.mark.parametrize("name", SAVES)
def test_files_read_by_xarray(name: str, tmp_path: Path) -> None:
    """Its default decoding touches neither codes nor edges."""
    bins = pd.IntervalIndex.from_breaks(np.array([0, 10, 99], "m8[s]"))
    array = CUBE.astype(float).where(CUBE > 3).expand_dims(bins=pd.CategoricalIndex(bins))
    SAVES[name](array, tmp_path / "file")
    options: dict[str, Any] = {"engine": name}
    if name.startswith("zarr"):
        options = {"engine": "zarr", "consolidated": False}
    with xr.open_dataset(tmp_path / "file", **options) as dataset:
        assert_same(cube_from_dataset(dataset.load()), array)


GROUPS = {
    "text": pd.Index(["", "b c", "é\0", "d,e"]),
    "object text": pd.Index(["a", "b"], dtype=object),
    "text and missing": pd.Index(["a", np.nan, None], dtype=object),
    "mixture": pd.Index(["a", 1, 1.5, False], dtype=object),
    "nullable text": pd.Index(["a", "b"], dtype="string"),
    "NumPy text": np.array(["a", "bcd", ""]),
    "nullable": pd.Index([2, 1], dtype="Int64"),
    "int": pd.Index([3, 1], dtype="int8"),
    "float": pd.Index([0.5, np.nan, -np.inf]),
    "bool": pd.Index([True, False]),
    "time": pd.DatetimeIndex(["2020-01-01 00:00:00.000000001", pd.NaT, "1970"]).as_unit("ns"),
    "zone": pd.DatetimeIndex(["2020-07-01", "2020-01-01"], tz="Europe/Berlin").as_unit("ns"),
    "delta": pd.TimedeltaIndex(["1D", "2ns"]).as_unit("ns"),
    "interval": pd.IntervalIndex.from_arrays([-np.inf, 0, 0], [0, 10, 5], closed="left"),
    "interval and missing": pd.IntervalIndex.from_tuples([(0, 1), np.nan, (0, 1)]),
    "month": pd.period_range("2020-01", periods=3, freq="M"),
    "period and missing": pd.PeriodIndex(["2020-01-01", None], freq="D"),
    "date": pd.Index([date(2020, 2, 29), date(1, 1, 1)], dtype=object),
    "time of seconds": pd.DatetimeIndex(np.array(["1066-10-14", "2020-01-01"], "M8[s]")),
    "delta of seconds": pd.TimedeltaIndex(["1D", pd.NaT]).as_unit("s"),
    "no leap years": xr.CFTimeIndex([cftime.DatetimeNoLeap(2020, 3, 1, 0, 0, 0, 7)]),
    "360 days": xr.CFTimeIndex(
        [cftime.Datetime360Day(2020, 2, 30), cftime.Datetime360Day(1, 1, 1)]
    ),
    "standard": xr.CFTimeIndex([cftime.DatetimeGregorian(1500, 3, 1)]),
    "time bins": pd.interval_range(pd.Timestamp("2020"), periods=2, freq="D"),
    "classes of periods": pd.CategoricalIndex(pd.period_range("2020", periods=2, freq="Q")),
    "classes of dates": pd.CategoricalIndex([date(2020, 2, 29)]),
    "classes without order": pd.CategoricalIndex(["b", "a", "b"], ["b", "c", "a"]),
}
if xr.__version__ < "2025.1.2":  # which makes nanoseconds of seconds
    del GROUPS["time of seconds"], GROUPS["delta of seconds"]


@pytest.mark.parametrize("labels", GROUPS.values(), ids=GROUPS)
def test_groups(save: Save, tmp_path: Path, labels: Any) -> None:
    array = on(g=labels)
    other = ("g", labels, {"note": "of a coordinate"})
    array = array.assign_coords(
        {"other": other, "with space": other, "s": array["g"][0].drop_vars("g")}
    )
    if isinstance(array["s"].item(), (pd.Interval, pd.Period)):
        array = array.drop_vars("s")  # which comes back as another object
    save(array, tmp_path / "file")
    assert_same(files.cube.open_cube(tmp_path / "file"), array)


def test_text_of_more_dimensions(save: Save, tmp_path: Path) -> None:
    array = CUBE.assign_coords(
        t=(("true", "pred"), np.array([["a", "é"] * 2] * 4)),
        when=(("true", "pred"), np.arange(16).astype("M8[ns]").reshape(4, 4)),
        scalar="a\0b",
    )
    save(array, tmp_path / "file")
    assert_same(files.cube.open_cube(tmp_path / "file"), array)


@pytest.mark.parametrize(
    "cube",
    [
        CUBE,
        CUBE.isel(true=[3, 1, 0, 2], pred=[2, 3, 1, 0]),
        CUBE.transpose("pred", "g", "true"),
        frame(g=pd.cut(range(40), [-1, 7, np.inf])).ordinal.confusion("y", "yhat", by="g"),
    ],
    ids=["cube", "permuted", "transposed", "binned"],
)
def test_scores(save: Save, tmp_path: Path, cube: xr.DataArray) -> None:
    save(cube, tmp_path / "file")
    opened = files.cube.open_cube(tmp_path / "file")
    assert_same(opened, cube)
    xr.testing.assert_identical(opened.ordinal.oci(), cube.ordinal.oci())


def test_no_cells(save: Save, tmp_path: Path) -> None:
    cube = frame(g="a").iloc[:0].ordinal.confusion("y", "yhat", by="g")
    for number, empty in enumerate([cube, CUBE.isel(g=[]), CUBE.isel(true=[], pred=0, drop=True)]):
        assert empty.size == 0
        save(empty, tmp_path / str(number))
        assert_same(files.cube.open_cube(tmp_path / str(number)), empty)


def test_chunked(save: Save, tmp_path: Path) -> None:
    save(CUBE.chunk(g=1), tmp_path / "file")
    assert_same(files.cube.open_cube(tmp_path / "file"), CUBE)
    save(CUBE.isel(g=[]).chunk(), tmp_path / "empty")
    assert_same(files.cube.open_cube(tmp_path / "empty"), CUBE.isel(g=[]))


def test_chunks_are_computed_once_while_they_are_saved(save: Save, tmp_path: Path) -> None:
    computed = []

    def block(values: np.ndarray) -> np.ndarray:
        computed.append(values.shape)
        return values

    counts = dask.array.from_array(CUBE.to_numpy(), (1, -1, -1)).map_blocks(block, dtype=int)
    computed.clear()
    save(CUBE.copy(data=counts), tmp_path / "file")
    assert computed == [(1, *CUBE.shape[1:])] * len(CUBE)


def test_the_file_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "cube.nc"
    files.cube.to_netcdf(CUBE, str(path))
    files.cube.to_netcdf(files.cube.open_cube(str(path)) + 1, path)
    assert int(files.cube.open_cube(path).sum()) == 40 + CUBE.size
    assert path.read_bytes()[1:4] == b"HDF"


def test_zarr_is_not_overwritten(tmp_path: Path) -> None:
    files.cube.to_zarr(CUBE, tmp_path / "cube.zarr")
    with pytest.raises(Exception, match=r"(?i)exist|contains"):
        files.cube.to_zarr(CUBE + 1, tmp_path / "cube.zarr")
    assert_same(files.cube.open_cube(tmp_path / "cube.zarr"), CUBE)
    files.cube.to_zarr(CUBE.isel(g=[1]), tmp_path / "cube.zarr", mode="w")
    assert_same(files.cube.open_cube(str(tmp_path / "cube.zarr")), CUBE.isel(g=[1]))


# what is refused


@pytest.mark.parametrize(
    "index",
    [
        pd.MultiIndex.from_product([["a"], [1, 2]]),
        pd.CategoricalIndex(pd.Index([(1, 2), (3, 4)], tupleize_cols=False)),
        pd.CategoricalIndex([b"a", b"b"]),
        pd.CategoricalIndex(pd.Index([1, 1j])),
        pd.Index([1, 1j]),
        pd.CategoricalIndex(pd.Index(["\ud83d\ude00"], dtype=object)),
        pd.Index(["a", pd.Timestamp("2020")]),
        pd.Index(["a", pd.NA], dtype="string"),
        pd.Index([date(2020, 1, 1), datetime(2020, 1, 1, 12)], dtype=object),
        pd.Index([date(2020, 1, 1), None], dtype=object),
        pd.Index([cftime.DatetimeNoLeap(2020, 1, 1), cftime.Datetime360Day(2020, 1, 1)]),
        pd.Index([cftime.DatetimeNoLeap(2020, 1, 1), None], dtype=object),
    ],
    ids=lambda index: str(index.dtype),
)
def test_labels_that_cannot_be_held(index: pd.Index) -> None:
    with pytest.raises(TypeError, match=r"'sex'.*: (save )?array\.(assign_coords|reset_index)"):
        to_dataset(on(sex=index))


def test_the_remedies_work() -> None:
    keys = pd.Index([("a", 1), ("b", 2)], tupleize_cols=False)
    for name in ("y", "('y', 'b')"):
        array = on(**{name: keys})
        with pytest.raises(TypeError) as caught:
            to_dataset(array)
        remedied = eval(str(caught.value).split("periods: ")[1], {"array": array})
        assert there_and_back(remedied).indexes[name].tolist() == [
            "('a', 1)",
            "('b', 2)",
        ]
    classes = pd.CategoricalIndex([b"2020-01-01", b"2020-01-02"])
    array = on(**{"two words": classes})
    with pytest.raises(TypeError) as caught:
        to_dataset(array)
    remedied = eval(str(caught.value).split("periods: ")[1], {"array": array})
    assert there_and_back(remedied).indexes["two words"].tolist() == list(map(str, classes))
    stacked = CUBE.stack(cell=["g", "true"])
    remedied = there_and_back(stacked.reset_index("cell"))
    assert_same(remedied, stacked.reset_index("cell"))
    with pytest.raises(TypeError, match="reset_index"):
        to_dataset(stacked)


def test_arrays_that_cannot_be_held() -> None:
    with pytest.raises(TypeError, match="not a Dataset"):
        to_dataset(CUBE.to_dataset())
    kinds: list[Any] = [np.array([1, 2], kind) for kind in ("M8[ns]", "f2", "c8", "g", "O")]
    for values in (["a", "b"], *kinds):
        with pytest.raises(TypeError, match="the values are"):
            to_dataset(on(g=["x", "y"]).copy(data=values))
    for named in (
        CUBE.rename(7),
        xr.DataArray([1], dims=[3]),
        CUBE.rename("a/b"),
        CUBE.rename(g="a/b"),
        CUBE.assign_coords({("a",): 1}),
    ):
        with pytest.raises(TypeError, match="is not text"):
            to_dataset(named)
    for name in ("coordinates", "dtype"):
        with pytest.raises(ValueError, match=f"{name}' of 'count' would be lost.*rename"):
            to_dataset(CUBE.assign_attrs({name: "bool"}))
    bins = on(b=pd.interval_range(0, 2))
    for clash in (
        CUBE.rename("g"),
        bins.rename("b_bnds"),
        bins.assign_coords(b_bnds=1),
        bins.expand_dims("bnds"),
        bins.expand_dims("b_class"),
    ):
        with pytest.raises(ValueError, match="twice: rename"):
            to_dataset(clash)
    assert_same(there_and_back(CUBE.assign_coords(g_bnds=1)), CUBE.assign_coords(g_bnds=1))
    assert_same(there_and_back(CUBE.rename("")), CUBE.rename(""))


def test_a_dataset_without_classes() -> None:
    dataset = to_dataset(CUBE)
    bare = dataset.copy()
    del bare["true"].attrs["pandas_ordinal"]
    binned = to_dataset(on(b=pd.interval_range(0, 2)))
    lost = [
        xr.Dataset(),
        CUBE.to_dataset(),
        dataset.assign_attrs(pandas_ordinal="yes"),
        dataset.assign_attrs(pandas_ordinal=1),
        dataset.assign_attrs(pandas_ordinal="{}"),
        dataset.drop_attrs() if hasattr(dataset, "drop_attrs") else xr.Dataset(),
        dataset.drop_vars("true"),
        dataset.drop_vars("count"),
        bare,
        binned.drop_vars("b_bnds"),
    ]
    for number, foreign in enumerate(lost):
        with pytest.raises(ClassOrderError, match=r"no class order.*cube\.assign_coords\(true=pd"):
            print(number, cube_from_dataset(foreign))


def test_older_and_newer_formats() -> None:
    of_nothing = to_dataset(CUBE).assign_attrs(pandas_ordinal='{"format": 1}')
    with pytest.raises(ClassOrderError):
        cube_from_dataset(of_nothing)
    unknown = ClassOrderError("unknown")
    assert files.reading.read_marker('{"format": 2}', 2, unknown) == {"format": 2}
    with pytest.raises(ClassOrderError, match="unknown"):
        files.reading.read_marker('{"format": 1}', 2, unknown)
    newer = to_dataset(CUBE).assign_attrs(pandas_ordinal='{"format": 3}')
    with pytest.raises(ValueError, match="newer version.*format 3"):
        cube_from_dataset(newer)


def test_codes_that_stand_for_no_class() -> None:
    dataset = to_dataset(CUBE)
    codes = dataset["true"].to_numpy()
    assert codes.tolist() == [0, 1, 2, 3] and dataset["g"].values.tolist() == [0, 1]
    for name, other in (
        ("true", codes + 9), ("true", [0, 1, 2, 4]), ("true", [-2, 1, 2, 3]), ("g", [0, 2]),
        ("g", [-1, 1]),
    ):  # fmt: skip
        attrs = dataset[name].attrs
        wrong = dataset.assign_coords({name: (name, np.array(other, np.int32), attrs)})
        with pytest.raises(ValueError, match="no class order"):
            cube_from_dataset(wrong)
    attrs = dataset["true"].attrs
    missing = dataset.assign_coords(true=("true", np.array([-1, 0, 1, 2], np.int32), attrs))
    found = cube_from_dataset(missing).indexes["true"]
    assert found.codes.tolist() == [-1, 0, 1, 2]  # no class


def test_combined_datasets_are_not_read_as_the_first_one() -> None:
    def cube(labels: list[str], key: list[str]) -> xr.DataArray:
        y = pd.Categorical([labels[0]] * len(key), labels, ordered=True)
        return pd.DataFrame({"y": y, "k": key}).ordinal.confusion("y", "y", by="k")

    same, other = cube(["low", "mid"], ["x"]), cube(["mid", "high"], ["x"])
    together = xr.concat([to_dataset(same), to_dataset(same)], dim="fold")
    assert cube_from_dataset(together).dims == ("fold", "k", "true", "pred")
    with pytest.raises(ClassOrderError, match="po.cube_from_dataset before"):
        cube_from_dataset(xr.concat([to_dataset(same), to_dataset(other)], dim="fold"))
    encoded = [to_dataset(cube(["low", "mid"], [key])) for key in ("x", "y")]
    with pytest.raises(ClassOrderError, match="po.cube_from_dataset before"):
        cube_from_dataset(xr.concat(encoded, dim="k", data_vars="all"))


def keyed(key: str, labels: list[str]) -> xr.DataArray:
    y = pd.Categorical(labels, labels, ordered=True)
    return pd.DataFrame({"y": y, "k": key}).ordinal.confusion("y", "y", by="k")


@pytest.mark.parametrize("compat", ["equals", "override"])
@pytest.mark.parametrize("data_vars", ["all", "minimal", "different"])
@pytest.mark.parametrize("dim", ["k", "fold"])
def test_combined_datasets_are_never_labelled_as_the_first_one(
    dim: Any, data_vars: Any, compat: Any
) -> None:
    one = keyed("u", ["low", "mid"])
    options: Any = {"data_vars": data_vars, "compat": compat, "coords": "minimal"}
    for other in (keyed("v", ["low", "mid"]), keyed("u", ["mid", "high"])):
        encoded = [cube.ordinal.to_dataset() for cube in (one, other)]
        try:
            joined = xr.concat(encoded, dim, join="override", **options)
        except ValueError:
            continue  # xarray itself refuses
        if (dim, data_vars, compat) == ("fold", "minimal", "override"):
            assert_same(cube_from_dataset(joined), one)  # xarray has left the other one out
            continue
        with pytest.raises(ClassOrderError, match="po.cube_from_dataset before"):
            cube_from_dataset(joined)


def test_combined_single_groups_of_one_cube() -> None:
    encoded = [CUBE.isel(g=[number]).ordinal.to_dataset() for number in (0, 1)]
    with pytest.raises(ClassOrderError, match="po.cube_from_dataset before"):
        cube_from_dataset(
            xr.concat(encoded, "g", data_vars="minimal", coords="minimal", compat="override")
        )
    dataset = CUBE.ordinal.to_dataset()
    parts = [dataset.isel(g=[number]) for number in (1, 0)]
    together = xr.concat(parts, "g", data_vars="minimal", coords="minimal", compat="override")
    assert_same(cube_from_dataset(together), CUBE.isel(g=[1, 0]))


def test_bins_transposed_or_along_a_new_dimension() -> None:
    bins = frame(g=pd.cut(range(40), [-1, 7, np.inf])).ordinal.confusion("y", "yhat", by="g")
    dataset = bins.ordinal.to_dataset()
    assert_same(cube_from_dataset(dataset.transpose()), bins.transpose())
    read = cube_from_dataset(xr.concat([dataset, dataset], "fold", data_vars="all"))
    assert read.dims == ("fold", "g", "true", "pred")
    assert_same(read.isel(fold=1), bins)


def test_aggregated_datasets_are_refused() -> None:
    dataset = (
        frame(g=list("abcd") * 10).ordinal.confusion("y", "yhat", by="g").ordinal.to_dataset()
    )
    coarse = dataset.coarsen(g=2)
    for changed in (coarse.mean(), coarse.sum(), coarse.max(), dataset * 2, dataset.astype(float)):
        with pytest.raises(ClassOrderError, match=r"aggregated|no class order"):
            cube_from_dataset(changed.assign_attrs(dataset.attrs))
    codes: Any = {"g": lambda values, axis: values.max(axis)}
    coarse = dataset.coarsen(g=2, coord_func=codes).sum().assign_attrs(dataset.attrs)
    with pytest.raises(ClassOrderError, match="aggregated"):
        cube_from_dataset(coarse)
    filled = dataset.reindex(g=[0, 1, 2, 3, 4])
    with pytest.raises(ClassOrderError, match="aggregated"):
        cube_from_dataset(filled)
    checksums = [name for name in dataset if str(name).startswith("pandas_ordinal")]
    assert len(checksums) == 4
    for lost in ("pandas_ordinal", "pandas_ordinal_g", checksums):
        with pytest.raises(ClassOrderError, match="lost its checksums"):
            cube_from_dataset(dataset.drop_vars(lost))


def test_coordinates_added_to_the_dataset_stay() -> None:
    dataset = CUBE.ordinal.to_dataset()
    added = {"n": ("g", [1, 2]), "date": "2026-01-01"}
    assert_same(cube_from_dataset(dataset.assign_coords(added)), CUBE.assign_coords(added))
    read = cube_from_dataset(dataset.expand_dims(fold=["x", "y"]))
    xr.testing.assert_identical(read, CUBE.expand_dims(fold=["x", "y"]))
    read = cube_from_dataset(xr.concat([dataset, dataset], pd.Index([3, 4], name="fold")))
    assert read.indexes["fold"].tolist() == [3, 4]
    assert_same(
        cube_from_dataset(dataset.isel(g=[1]).assign_coords(n=7)),
        CUBE.isel(g=[1]).assign_coords(n=7),
    )
    with pytest.raises(ValueError, match="stacked"):
        cube_from_dataset(dataset.stack(cell=["g", "true"]))
    of_cells = {"cells": (CUBE.dims, np.arange(CUBE.size).reshape(CUBE.shape))}
    assert_same(cube_from_dataset(dataset.assign_coords(of_cells)), CUBE.assign_coords(of_cells))
    of_cells["names"] = (CUBE.dims, np.arange(CUBE.size).reshape(CUBE.shape).astype(str))
    assert_same(there_and_back(CUBE.assign_coords(of_cells)), CUBE.assign_coords(of_cells))


def test_coordinates_that_end_as_edges_do() -> None:
    array = CUBE.assign_coords(g_bnds=("g", [1, 2]))
    assert_same(cube_from_dataset(to_dataset(array).isel(g=[1])), array.isel(g=[1]))
    for name in ("pandas_ordinal", "pandas_ordinal_g"):
        with pytest.raises(ValueError, match="twice: rename"):
            to_dataset(CUBE.rename(name))


def test_a_single_group_of_bins(save: Save, tmp_path: Path) -> None:
    for closed in CLOSED:
        bins = pd.IntervalIndex.from_breaks([0, 10, np.inf], closed=closed)
        df = pd.DataFrame({"y": [0, 1], "age": pd.Categorical(bins, ordered=True)})
        one = df.ordinal.confusion("y", "y", by="age").isel(age=1)
        read = there_and_back(one)
        assert read.coords["age"].item() == bins[1]
        np.testing.assert_array_equal(read, one)
    save(one, tmp_path / "file")
    read = files.cube.open_cube(tmp_path / "file")
    assert read.coords["age"].item() == bins[1]
    np.testing.assert_array_equal(read, one)


def test_a_class_selected_in_the_dataset() -> None:
    one = cube_from_dataset(to_dataset(CUBE).isel(true=0))
    assert one.coords["true"].item() == CUBE.indexes["true"][0]
    np.testing.assert_array_equal(one, CUBE.isel(true=0))


@pytest.mark.parametrize(
    "classes",
    [
        pd.cut([15, 5, np.nan], [0, 10, np.inf]),
        pd.Categorical(["b", "a", None], ["c", "a", "b"], ordered=True),
        pd.Categorical([3, 1, None], [1, 2, 3]),
    ],
)
def test_no_class_selected_in_the_dataset(classes: pd.Categorical) -> None:
    """It stays none, and does not become the last one."""
    dataset = to_dataset(xr.DataArray([1, 2, 3], {"k": ("i", pd.CategoricalIndex(classes))}, "i"))
    selected = [cube_from_dataset(dataset.isel(i=place)).coords["k"].item() for place in range(3)]
    assert selected[:2] == classes[:2].tolist() and pd.isna(selected[2])
    square = xr.DataArray([[0, 2], [2, 1]], dims=("p", "q"))
    found = cube_from_dataset(dataset.isel(i=square)).coords["k"].values
    assert pd.isna(found).tolist() == [[False, True], [True, False]]
    assert [found[0, 0], found[1, 1]] == classes[:2].tolist()


def test_attributes_that_files_need_for_times(tmp_path: Path) -> None:
    dates = pd.to_datetime(["2020-01-01", "2021-01-01"])
    for name in ("units", "calendar", "_FillValue"):
        cube = CUBE.isel(g=[0, 1]).assign_coords(g=dates)
        cube["g"].attrs[name] = "mine"
        for write in (files.cube.to_netcdf, files.cube.to_zarr):
            with pytest.raises(ValueError, match=f"the attribute '{name}' of 'g' would be lost"):
                write(cube, tmp_path / "cube")
    assert not os.listdir(tmp_path)


@pytest.mark.parametrize("kind", ["text", "dates"])
def test_chunked_coordinates_that_are_not_numbers(save: Save, tmp_path: Path, kind: str) -> None:
    dates = pd.to_datetime(["2020-01-01", "2021-01-01"]).to_numpy("M8[ns]")
    values = np.array(["ab", "c"]) if kind == "text" else dates
    cube = CUBE.isel(g=[0, 1])
    lazy = cube.assign_coords(note=("g", dask.array.from_array(values, 1)))
    assert lazy["note"].chunks is not None
    save(lazy, tmp_path / "cube")
    assert_same(files.cube.open_cube(tmp_path / "cube"), cube.assign_coords(note=("g", values)))


def test_bins_along_a_new_dimension_of_one(save: Save, tmp_path: Path) -> None:
    bins = pd.interval_range(0.5, periods=2)
    cube = CUBE.isel(g=[0, 1]).assign_coords(g=bins)
    opened = cube_from_dataset(to_dataset(cube).expand_dims(rep=1))
    np.testing.assert_array_equal(opened.isel(rep=0), cube)
    assert opened.indexes["g"].equals(bins)


# writing that fails


def test_a_failed_save_leaves_the_file_that_is_there(tmp_path: Path) -> None:
    path = tmp_path / "cube.nc"
    files.cube.to_netcdf(CUBE, path)
    with pytest.raises(TypeError):
        files.cube.to_netcdf(CUBE.assign_attrs(done=object()), path)
    assert_same(files.cube.open_cube(path), CUBE)
    assert os.listdir(tmp_path) == ["cube.nc"]


def one_by_one() -> Any:
    """Compute one chunk after the other, so that none is still written after a failure."""
    return dask.config.set(scheduler="synchronous")


def breaking(cube: xr.DataArray) -> xr.DataArray:
    """Return a chunked cube whose second group cannot be computed."""

    def fail(block: xr.DataArray) -> xr.DataArray:
        if "b" in block["g"]:
            raise RuntimeError("the disk is full")
        return block

    return cube.chunk(g=1).map_blocks(fail, template=cube.chunk(g=1))


def test_a_failed_save_leaves_the_store_that_is_there(tmp_path: Path) -> None:
    for mode in ("w-", "w"):
        with one_by_one(), pytest.raises(RuntimeError, match="disk is full"):
            files.cube.to_zarr(breaking(CUBE), tmp_path / "new", mode=mode)  # type: ignore[arg-type]
        assert os.listdir(tmp_path) == []
    files.cube.to_zarr(CUBE, tmp_path / "cube")
    with one_by_one(), pytest.raises(RuntimeError, match="disk is full"):
        files.cube.to_zarr(breaking(CUBE + 1), tmp_path / "cube", mode="w")
    assert os.listdir(tmp_path) == ["cube"]
    assert_same(files.cube.open_cube(tmp_path / "cube"), CUBE)


def test_a_store_that_cannot_take_its_place_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files.cube.to_zarr(CUBE, tmp_path / "cube")
    rename, renamed = os.rename, []

    def failing(one: str, other: str) -> None:
        renamed.append(one)
        if len(renamed) == 2:  # the old one is out of the way
            raise OSError("no place")
        rename(one, other)

    monkeypatch.setattr(os, "rename", failing)
    with pytest.raises(OSError, match="no place"):
        files.cube.to_zarr(CUBE + 1, tmp_path / "cube", mode="w")
    assert len(renamed) == 3 and os.listdir(tmp_path) == ["cube"]
    assert_same(files.cube.open_cube(tmp_path / "cube"), CUBE)


def store(path: Path) -> Any:
    return zarr.storage.LocalStore(str(path))


def test_a_store_that_is_not_written_to_its_end_is_refused(tmp_path: Path) -> None:
    files.cube.to_zarr(CUBE.chunk(g=1), store(tmp_path / "whole"))
    assert_same(files.cube.open_cube(tmp_path / "whole"), CUBE)
    with one_by_one(), pytest.raises(RuntimeError, match="disk is full"):
        files.cube.to_zarr(breaking(CUBE), store(tmp_path / "half"))
    with pytest.raises(OSError, match="not written to its end"):
        files.cube.open_cube(tmp_path / "half")
    files.cube.to_zarr(CUBE, store(tmp_path / "half"), mode="w")
    assert_same(files.cube.open_cube(tmp_path / "half"), CUBE)


def test_a_store_that_a_lazy_cube_is_read_from(tmp_path: Path) -> None:
    path = tmp_path / "cube"
    files.cube.to_zarr(CUBE, path)
    options: dict[str, Any] = {"engine": "zarr", "consolidated": False, "chunks": {}}
    with xr.open_dataset(path, **options) as dataset:
        lazy = cube_from_dataset(dataset)
        assert lazy.chunks is not None
        files.cube.to_zarr(lazy + 1, path, mode="w")
    assert_same(files.cube.open_cube(path), CUBE + 1)
    assert os.listdir(tmp_path) == ["cube"]


@pytest.mark.parametrize("kind", ["netcdf", "zarr"])
def test_counts_in_chunks_are_not_read_when_a_file_is_opened(kind: str, tmp_path: Path) -> None:
    sizes: list[int] = []

    def scheduler(graph: Any, keys: Any, **options: Any) -> Any:
        found = dask.get(graph, keys, **options)
        sizes.append(np.size(found))
        return found

    getattr(CUBE.ordinal, f"to_{kind}")(tmp_path / "cube")
    with dask.config.set(scheduler=scheduler):
        lazy = po.open_cube(tmp_path / "cube", chunks={})
        assert max(sizes, default=0) < CUBE.size
        assert_same(lazy.compute(), CUBE)
        assert max(sizes) == CUBE.size
        lazy.close()


def test_zarr_replaces_nothing_but_stores(tmp_path: Path) -> None:
    for mode in ("a", "r+", None):
        with pytest.raises(ValueError, match='must be "w" or "w-"'):
            CUBE.ordinal.to_zarr(tmp_path / "cube", mode=mode)
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "draft.txt").write_text("text")
    for name in ("papers", "papers/draft.txt"):
        with pytest.raises(FileExistsError, match="is not a zarr store"):
            files.cube.to_zarr(CUBE, tmp_path / name, mode="w")
    assert (tmp_path / "papers" / "draft.txt").read_text() == "text"
    (tmp_path / "empty").mkdir()
    files.cube.to_zarr(CUBE, tmp_path / "empty", mode="w")
    assert_same(files.cube.open_cube(tmp_path / "empty"), CUBE)


def test_links_stay(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    saves: dict[str, Callable[[Any, Any], None]] = {
        "cube.nc": files.cube.to_netcdf,
        "cube.zarr": lambda cube, path: files.cube.to_zarr(cube, path, mode="w"),
    }
    for name, save in saves.items():
        link = tmp_path / name
        link.symlink_to(tmp_path / "data" / name)
        for cube in (CUBE, CUBE + 1):
            save(cube, link)
            assert link.is_symlink()
            assert_same(files.cube.open_cube(tmp_path / "data" / name), cube)
    assert sorted(os.listdir(tmp_path / "data")) == ["cube.nc", "cube.zarr"]


# paths and engines


def test_a_missing_folder(tmp_path: Path) -> None:
    for save in (files.cube.to_netcdf, files.cube.to_zarr):
        with pytest.raises(FileNotFoundError, match="no folder .*nowhere.*os.makedirs"):
            save(CUBE, tmp_path / "nowhere" / "cube")
        (tmp_path / "folder").mkdir(exist_ok=True)
        with pytest.raises(OSError, match=r"is a folder|exists already"):
            save(CUBE, tmp_path / "folder")
    for name, error in (("nowhere/file", "no folder"), ("folder", "is a folder")):
        with pytest.raises(OSError, match=error):
            files.parquet.to_parquet(frame(), tmp_path / name)
    assert os.listdir(tmp_path) == ["folder"] and not os.listdir(tmp_path / "folder")


def test_chunks_of_different_sizes(tmp_path: Path) -> None:
    df = pd.DataFrame({"y": [0, 1, 0, 1], "k": [1, 2, 3, 4]})
    cube = df.ordinal.confusion("y", "y", by="k")
    files.cube.to_zarr(cube.chunk(k=(1, 2, 1)), tmp_path / "cube")
    assert_same(files.cube.open_cube(tmp_path / "cube"), cube)
    with pytest.raises(ValueError, match="zarr_format=5"):
        cube.ordinal.to_zarr(tmp_path / "other", zarr_format=5)


def test_files_of_another_kind(tmp_path: Path) -> None:
    (tmp_path / "text.nc").write_text("no cube")
    (tmp_path / "folder").mkdir()
    for name, kind in (("text.nc", "netCDF 4 file"), ("folder", "zarr store")):
        with pytest.raises(OSError, match=f"{name}' is not a {kind}, or is damaged"):
            files.cube.open_cube(tmp_path / name)
    with pytest.raises(OSError, match="text.nc' is not a Parquet file, or is damaged"):
        files.parquet.read_parquet(tmp_path / "text.nc")
    with pytest.raises(FileNotFoundError):
        files.parquet.read_parquet(tmp_path / "nothing")
    with pytest.raises(TypeError, match="not a list"):
        cube_from_dataset([1])
    with pytest.raises(TypeError, match="column labels .* are boolean"):
        files.parquet.to_parquet(pd.DataFrame({True: [1], False: [2]}), tmp_path / "booleans")


def test_foreign_files(tmp_path: Path) -> None:
    foreign = xr.Dataset({"count": (("time", "name"), [[1, 2]])}, {"time": [0], "name": [3, 4]})
    foreign["time"].attrs["units"] = "days since yesterday"
    paths = [tmp_path / f"{number}" for number in range(5)]
    for path, engine in zip(paths, ENGINES, strict=False):
        foreign.to_netcdf(path, engine=engine)
    for version in (2, 3):  # the lowest xarray writes no zarr 3
        group = zarr.create_group(str(paths[version]), zarr_format=version)
        group.create_array("count", shape=(2,), dtype="int64", chunks=(1,))
    for path in filter(Path.exists, paths):
        with pytest.raises(ClassOrderError, match=f"{path.name}' holds no class order"):
            files.cube.open_cube(path)
    with pytest.raises(FileNotFoundError, match="no file or zarr store.*nowhere"):
        files.cube.open_cube(tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError, match="labels.parquet"):
        files.parquet.read_parquet(tmp_path / "labels.parquet")


def test_engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for engine in ("scipy", "zarr"):
        with pytest.raises(ValueError, match='must be "netcdf4", "h5netcdf" or None'):
            CUBE.ordinal.to_netcdf(tmp_path / "cube.nc", engine=engine)
    files.cube.to_netcdf(CUBE, tmp_path / "cube.nc")
    files.cube.to_zarr(CUBE, tmp_path / "cube.zarr")
    monkeypatch.setattr(files.netcdf, "find_spec", lambda module: None)
    for module in ("netCDF4", "h5netcdf", "zarr", "pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, module, None)
    needy: list[Callable[[], Any]] = [
        lambda: files.cube.to_netcdf(CUBE, tmp_path / "new.nc"),
        lambda: files.cube.to_netcdf(CUBE, tmp_path / "new.nc", engine="netcdf4"),
        lambda: files.cube.to_zarr(CUBE, tmp_path / "new.zarr"),
        lambda: files.cube.open_cube(tmp_path / "cube.nc"),
        lambda: files.cube.open_cube(tmp_path / "cube.zarr"),
        lambda: files.parquet.to_parquet(frame(), tmp_path / "new.parquet"),
        lambda: files.parquet.read_parquet(tmp_path / "new.parquet"),
    ]
    for call in needy:
        with pytest.raises(ImportError, match=r'is missing: pip install "pandas_ordinal\[io\]"'):
            call()


def test_a_reader_without_netcdf4(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only = {"h5netcdf": True}
    monkeypatch.setattr(files.netcdf, "find_spec", only.get)
    files.cube.to_netcdf(CUBE, tmp_path / "cube.nc")
    xr.testing.assert_identical(files.cube.open_cube(tmp_path / "cube.nc"), CUBE)
    (tmp_path / "bad.nc").write_bytes((tmp_path / "cube.nc").read_bytes()[:600])
    with pytest.raises(OSError, match=r"bad\.nc' is not a netCDF 4 file, or is damaged"):
        files.cube.open_cube(tmp_path / "bad.nc")


@pytest.mark.parametrize("name", ["g ", " g", "-g"])
def test_names_that_netcdf4_refuses(tmp_path: Path, name: str) -> None:
    cube = frame(g=["a", "b"] * 20).ordinal.confusion("y", "yhat", by="g").rename(g=name)
    with pytest.raises(ValueError, match=r"cube\.nc cannot be written .*: rename what"):
        files.cube.to_netcdf(cube, tmp_path / "cube.nc", engine="netcdf4")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("version", ZARR_FORMATS)
def test_attributes_that_are_lists_of_lists(tmp_path: Path, version: Any) -> None:
    noted = CUBE.assign_attrs(note=[[1], [2, 3]])
    files.cube.to_zarr(noted, tmp_path / "cube", zarr_format=version)
    assert files.cube.open_cube(tmp_path / "cube").attrs == noted.attrs


@pytest.mark.parametrize("engine", ["netcdf4", "h5netcdf"])
@pytest.mark.parametrize("dims", [(), ("true",)])
def test_small_floats_of_a_coordinate_are_refused(
    tmp_path: Path, engine: Any, dims: tuple[str, ...]
) -> None:
    """HDF5 has them, and netCDF4 ends the process that opens them."""
    cube = pd.DataFrame({"y": [0, 1], "p": [0, 0]}).ordinal.confusion("y", "p")
    small = cube.assign_coords(s=(dims, np.ones((2,) * len(dims), np.float16)))
    with pytest.raises(TypeError, match="the coordinate 's' is float16"):
        small.ordinal.to_netcdf(tmp_path / "cube", engine=engine)


def test_dates_of_no_calendar_of_cftime_are_refused(tmp_path: Path) -> None:
    cube = pd.DataFrame({"y": [0, 1], "p": [0, 0]}).ordinal.confusion("y", "p")
    date = cftime.datetime(2000, 1, 1, calendar="noleap")  # comes back as a DatetimeNoLeap
    with pytest.raises(TypeError, match="labels of the coordinate 't'"):
        cube.expand_dims(t=xr.CFTimeIndex([date])).ordinal.to_netcdf(tmp_path / "cube")


def test_one_period(tmp_path: Path) -> None:
    cube = pd.DataFrame({"y": [0, 1], "p": [0, 0]}).ordinal.confusion("y", "p")
    one = cube.assign_coords(month=pd.Period("2020-01", "M"))
    one.ordinal.to_netcdf(tmp_path / "cube")
    assert files.cube.open_cube(tmp_path / "cube")["month"].item() == pd.Period("2020-01", "M")


def test_shares_in_a_file_stay_shares(tmp_path: Path) -> None:
    df = pd.DataFrame({"y": [0, 0, 1, 2], "yhat": [0, 1, 1, 1]})
    cube = df.ordinal.confusion("y", "yhat")
    shares = cube.ordinal.normalize("true")
    shares.ordinal.to_netcdf(tmp_path / "shares.nc")
    opened = po.open_cube(tmp_path / "shares.nc")
    xr.testing.assert_identical(opened, shares)
    with pytest.raises(ValueError, match="holds shares|are shares"):
        opened.ordinal.mae()
    with pytest.raises(ValueError, match="holds shares|are shares"):
        po.open_cube([tmp_path / "shares.nc"] * 2)
