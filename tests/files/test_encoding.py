"""Chunks and compression of the values in a file: what changes no value, and nothing else."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pandas as pd
import pytest
import xarray as xr
import zarr
from class_sets import frame

import pandas_ordinal as po
from pandas_ordinal import files

CUBE: xr.DataArray = frame(g=["a", "b"] * 20).ordinal.confusion("y", "yhat", by="g")
ENGINES = ["h5netcdf", "netcdf4"]
NEW_ZARR = zarr.__version__ >= "3"


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_netcdf(tmp_path: Path, engine: Any) -> None:
    big = xr.concat([CUBE.isel(g=[0])] * 3000, "g").assign_coords(g=np.arange(3000))
    big.ordinal.to_netcdf(tmp_path / "plain.nc", engine=engine)
    encoding = {"zlib": True, "complevel": 4, "shuffle": True, "chunksizes": (1000, 4, 4)}
    big.ordinal.to_netcdf(tmp_path / "small.nc", engine=engine, encoding=encoding)
    xr.testing.assert_identical(po.open_cube(tmp_path / "small.nc"), big)
    sizes = [(tmp_path / f"{name}.nc").stat().st_size for name in ("small", "plain")]
    assert 2 * sizes[0] < sizes[1]
    with xr.open_dataset(tmp_path / "small.nc", engine=engine, decode_times=False) as dataset:
        held = dataset["count"].encoding
        assert held["zlib"] and held["complevel"] == 4 and held["chunksizes"] == (1000, 4, 4)
    lazy = po.open_cube(tmp_path / "small.nc", chunks={})
    assert lazy.chunks == ((1000,) * 3, (4,), (4,))
    lazy.close()


@pytest.mark.parametrize("engine", ENGINES)
def test_netcdf_holds_chunks_as_asked_with_checksums(tmp_path: Path, engine: Any) -> None:
    encoding = {"zlib": True, "complevel": 4, "chunksizes": (1, 4, 2)}
    CUBE.ordinal.to_netcdf(tmp_path / "cube.nc", engine=engine, encoding=encoding)
    xr.testing.assert_identical(po.open_cube(tmp_path / "cube.nc"), CUBE)
    netcdf4 = pytest.importorskip("netCDF4")
    with netcdf4.Dataset(tmp_path / "cube.nc") as file:
        filters = [one.filters() for one in file.variables.values() if one.ndim]
        assert all(one["fletcher32"] for one in filters)
        counts = file["count"]
        assert counts.chunking() == [1, 4, 2]
        assert counts.filters()["zlib"] and counts.filters()["complevel"] == 4


@pytest.mark.parametrize("chunked", [False, True])
def test_zarr(tmp_path: Path, chunked: bool) -> None:
    cube = CUBE.chunk(true=(1, 2, 1)) if chunked else CUBE
    encodings: list[dict[str, Any]] = [{"chunks": (1, 4, 2)}]
    if NEW_ZARR:
        encodings.append({"chunks": (1, 2, 2), "shards": (2, 4, 4)})
        encodings.append({"compressors": [zarr.codecs.GzipCodec(level=2)]})
    for encoding in encodings:
        cube.ordinal.to_zarr(tmp_path / "cube", mode="w", encoding=encoding)
        xr.testing.assert_identical(po.open_cube(tmp_path / "cube"), CUBE)
        if "chunks" in encoding:
            held = zarr.open_group(str(tmp_path / "cube"), mode="r")["count"]
            assert held.chunks == encoding["chunks"]
            assert not NEW_ZARR or held.shards == encoding.get("shards")


@pytest.mark.parametrize("version", [2, 3])
def test_a_store_of_a_lazy_cube_has_its_largest_chunks(tmp_path: Path, version: Any) -> None:
    CUBE.chunk(g=1, true=(1, 2, 1)).ordinal.to_zarr(tmp_path / "cube", zarr_format=version)
    held = zarr.open_group(str(tmp_path / "cube"), mode="r")["count"]
    assert held.chunks == (1, 2, 4)
    assert held.fill_value == (0 if version == 3 else None)  # no count is one of other readers


@pytest.mark.skipif(not NEW_ZARR, reason="this version of zarr has no shards")
@pytest.mark.parametrize("codec", ["BloscCodec", "ZstdCodec", "GzipCodec"])
def test_a_shard_that_extends_beyond_the_array(tmp_path: Path, codec: str) -> None:
    """It has no chunk there."""
    three = frame(g=[*"abcd"] * 10).ordinal.confusion("y", "yhat", by="g").isel(g=slice(3))
    encoding = {"chunks": (1, 4, 4), "shards": (2, 4, 4)}
    compressors = [getattr(zarr.codecs, codec)()]
    three.ordinal.to_zarr(tmp_path / "cube", encoding={**encoding, "compressors": compressors})
    xr.testing.assert_identical(po.open_cube(tmp_path / "cube"), three)


@pytest.mark.skipif(not NEW_ZARR, reason="this version of zarr has no shards")
def test_many_small_chunks_of_a_shard(tmp_path: Path) -> None:
    counts = np.random.default_rng(0).integers(0, 2**40, (1000, 2, 2))
    classes = pd.CategoricalIndex([0, 1], ordered=True)
    cube = xr.DataArray(
        counts, {"true": classes, "pred": classes}, ("fold", "true", "pred"), name="count"
    )
    encoding = {"chunks": (1, 1, 1), "shards": (1000, 2, 2)}
    cube.ordinal.to_zarr(tmp_path / "cube", encoding=encoding)
    xr.testing.assert_identical(po.open_cube(tmp_path / "cube"), cube)


@pytest.mark.parametrize(
    "encoding",
    [
        {"dtype": "int8"},
        {"scale_factor": 10},
        {"_FillValue": 0},
        {"least_significant_digit": 1},
        {"fletcher32": False},
        {"zlib": 1},
        {"shuffle": "yes"},
        {"complevel": 10},
        {"complevel": "4"},
        {"chunks": (1, 4, 4), "zlib": True},
        {"chunksizes": (1, 4)},
        {"chunksizes": (1, 4, 5)},
        {"chunksizes": (1, 5, 4)},
        {"chunksizes": (0, 4, 4)},
        {"chunksizes": 4},
        {"chunksizes": (1.0, 4, 4)},
    ],
    ids=str,
)
def test_refused(tmp_path: Path, encoding: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"encoding="):
        CUBE.ordinal.to_netcdf(tmp_path / "cube.nc", encoding=encoding)
    of_zarr = {name.replace("sizes", "s"): value for name, value in encoding.items()}
    with pytest.raises(ValueError, match=r"encoding="):
        CUBE.ordinal.to_zarr(tmp_path / "cube.zarr", encoding=of_zarr)
    assert not list(tmp_path.iterdir())


def test_chunks_of_a_single_group(tmp_path: Path) -> None:
    one = CUBE.isel(g=[0])
    with pytest.raises(ValueError, match="a size from 1 to its own"):
        one.ordinal.to_netcdf(tmp_path / "cube.nc", encoding={"chunksizes": (2, 4, 4)})
    one.ordinal.to_netcdf(tmp_path / "cube.nc", encoding={"chunksizes": (1, 4, 4)})
    xr.testing.assert_identical(po.open_cube(tmp_path / "cube.nc"), one)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("encoding", [None, {"zlib": True}])
def test_values_in_netcdf_have_checksums(tmp_path: Path, engine: Any, encoding: Any) -> None:
    CUBE.ordinal.to_netcdf(tmp_path / "cube.nc", engine=engine, encoding=encoding)
    with h5py.File(tmp_path / "cube.nc") as file:
        held = {name: array for name, array in file.items() if array.shape}
        assert {"count", "g", "true", "pred"} <= {*held}
        assert all(array.fletcher32 for array in held.values())
        assert (held["count"].compression == "gzip") == (encoding is not None)


@pytest.mark.parametrize("encoding", ["zlib", [("zlib", True)]], ids=str)
def test_an_encoding_is_a_dict(tmp_path: Path, encoding: Any) -> None:
    for save in (CUBE.ordinal.to_netcdf, CUBE.ordinal.to_zarr):
        with pytest.raises(
            TypeError, match=r"encoding=.*must be a dict, such as \{\"(zlib|chunks)"
        ):
            save(tmp_path / "file", encoding=encoding)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("value", [["a", 1], ["a", b"b"], ["a", None]], ids=str)
def test_attributes_of_several_types_are_refused(tmp_path: Path, value: list[Any]) -> None:
    cube = CUBE.assign_attrs(note=value)
    with pytest.raises(TypeError, match="the attribute 'note' of .*, which netCDF cannot hold"):
        cube.ordinal.to_netcdf(tmp_path / "cube.nc")
    texts = CUBE.assign_attrs(note=["a", "b"])
    texts.ordinal.to_netcdf(tmp_path / "cube.nc")
    assert po.open_cube(tmp_path / "cube.nc").attrs["note"] == ["a", "b"]


HALF = chr(0xD800)
ATTRIBUTES: list[tuple[Any, bool, bool]] = [  # a value, and whether netCDF and zarr can hold it
    ("text", True, True),
    (np.array("text"), True, True),
    (["a", "b"], True, True),
    (HALF, False, True),
    (1, True, True),
    ([1, 2], True, True),
    (np.float32(0.5), True, True),
    (np.array([0.5]), True, True),
    (np.float16(0.5), False, True),
    (True, False, True),
    ([[1], [2]], False, True),
    ([[1], [2, 3]], False, True),
    (b"bytes", True, False),
    ([b"bytes"], False, False),
    (None, False, True),
    ({"a": 1}, False, True),
    (1j, False, False),
    (date(2020, 1, 1), False, False),
]


@pytest.mark.parametrize(("value", "in_netcdf", "in_zarr"), ATTRIBUTES, ids=repr)
def test_what_attributes_may_be(value: Any, in_netcdf: bool, in_zarr: bool) -> None:
    assert files.netcdf._fits(value) == in_netcdf
    assert files.zarr._fits(value) == in_zarr


def test_attributes_that_no_file_can_hold(tmp_path: Path) -> None:
    when = CUBE.assign_attrs(when=date(2020, 1, 1))
    with pytest.raises(TypeError, match="the attribute 'when' of 'count' is .*zarr cannot hold"):
        when.ordinal.to_zarr(tmp_path / "cube.zarr")
    with pytest.raises(TypeError, match="the attribute 'z' of 'count' is complex"):
        CUBE.assign_attrs(z=1j).ordinal.to_netcdf(tmp_path / "cube.nc")
    assert not list(tmp_path.iterdir())
