"""Cubes in netCDF files and zarr stores: saved, and opened."""

from __future__ import annotations

import os
import warnings
from typing import Any, Literal

import xarray as xr

from pandas_ordinal.errors import ClassOrderError
from pandas_ordinal.files.dataset import decode, encode, names, read_layout
from pandas_ordinal.files.encoding import NETCDF, ZARR, Encoding, refuse_encoding
from pandas_ordinal.files.netcdf import open_netcdf, write_netcdf
from pandas_ordinal.files.parts import REPORT, FilePath, left_by_a_killed_process, untrusted
from pandas_ordinal.files.seal import refuse_damaged
from pandas_ordinal.files.zarr import open_zarr, write_zarr


def to_netcdf(
    array: xr.DataArray,
    path: FilePath,
    *,
    engine: Literal["netcdf4", "h5netcdf"] | None = None,
    encoding: Encoding | None = None,
) -> None:
    """Save a cube as a netCDF 4 file: `ArrayOrdinal.to_netcdf`."""
    write_netcdf(_laid_out(array, encoding, NETCDF), path, engine)


def to_zarr(
    array: xr.DataArray,
    store: Any,
    *,
    mode: Literal["w", "w-"] = "w-",
    zarr_format: Literal[2, 3] | None = None,
    encoding: Encoding | None = None,
) -> None:
    """Save a cube as a zarr store: `ArrayOrdinal.to_zarr`."""
    write_zarr(_laid_out(array, encoding, ZARR), store, mode, zarr_format)


def open_cube(path: FilePath, chunks: Any = None) -> xr.DataArray:
    """Read the cube of one file or store, into memory or lazily in chunks."""
    dataset = opened(path, chunks)
    try:
        if REPORT in dataset.attrs:
            raise ClassOrderError(
                f"{os.fspath(path)!r} holds a report: read it by po.open_report(path)"
            )
        cube = decode(dataset)
    except BaseException:
        dataset.close()
        raise
    if chunks is None:
        dataset.close()
    else:
        cube.set_close(dataset.close)
    return cube


def opened(path: FilePath, chunks: Any = None) -> xr.Dataset:
    """Open the dataset of a file that is what was saved: in memory, or lazily if chunked."""
    if not os.path.exists(path):
        left = left_by_a_killed_process(path)
        raise FileNotFoundError(f"there is no file or zarr store {os.fspath(path)!r}{left}")
    refused = (
        f"{os.fspath(path)!r} is no file or store of a cube that pandas_ordinal saved, or a "
        "damaged one"
    )
    read = open_zarr if os.path.isdir(path) else open_netcdf
    with warnings.catch_warnings():
        # small chunks are asked for of the values; the checksums beside them lie in one
        warnings.filterwarnings("ignore", "The specified chunks separate", UserWarning)
        dataset = read(os.fspath(path), refused, chunks)
    try:
        with untrusted(refused):
            if chunks is None:
                unknown = set(dataset.data_vars) - names(read_layout(dataset.attrs))
                known = dataset.drop_vars(unknown)
                known.set_close(dataset.close)
                dataset = known.load()
        refuse_damaged(dataset)
    except BaseException:
        dataset.close()
        raise
    return dataset


def _laid_out(
    array: xr.DataArray, encoding: Encoding | None, known: tuple[str, ...]
) -> xr.Dataset:
    """Return the dataset of a cube whose values are to be laid out as asked for."""
    dataset = encode(array)
    if encoding:
        refuse_encoding(encoding, array, known)
        dataset.variables[str(array.name or "values")].encoding.update(encoding)
    return dataset
