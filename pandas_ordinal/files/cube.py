"""Cubes in netCDF files and zarr stores: saved, and opened."""

from __future__ import annotations

import os
from typing import Any, Literal

import xarray as xr

from pandas_ordinal.files.dataset import decode, encode
from pandas_ordinal.files.netcdf import open_netcdf, write_netcdf
from pandas_ordinal.files.parts import FilePath, left_by_a_killed_process, untrusted
from pandas_ordinal.files.seal import refuse_damaged
from pandas_ordinal.files.zarr import open_zarr, write_zarr


def to_netcdf(
    array: xr.DataArray, path: FilePath, *, engine: Literal["netcdf4", "h5netcdf"] | None = None
) -> None:
    """Save a cube as a netCDF 4 file: `ArrayOrdinal.to_netcdf`."""
    write_netcdf(encode(array), path, engine)


def to_zarr(
    array: xr.DataArray,
    store: Any,
    *,
    mode: Literal["w", "w-"] = "w-",
    zarr_format: Literal[2, 3] | None = None,
) -> None:
    """Save a cube as a zarr store: `ArrayOrdinal.to_zarr`."""
    write_zarr(encode(array), store, mode, zarr_format)


def open_cube(path: FilePath) -> xr.DataArray:
    """Read a cube from a netCDF file or a zarr store into memory.

    Parameters
    ----------
    path : str or path
        The file, or the folder of a zarr store.

    Returns
    -------
    DataArray
        The cube, as it was saved.

    Raises
    ------
    ClassOrderError
        If the file does not hold the classes, or is not what was saved: bits or chunks are lost,
        or another tool has changed it.
    FileNotFoundError
        If there is no such file. What a killed process has left beside it is named.

    Examples
    --------
    >>> import pandas as pd
    >>> from tempfile import TemporaryDirectory
    >>> import pandas_ordinal as po
    >>> cube = pd.DataFrame({"y": [3, 1], "yhat": [2, 1]}).ordinal.confusion("y", "yhat")
    >>> with TemporaryDirectory() as folder:
    ...     cube.ordinal.to_netcdf(f"{folder}/cube.nc")
    ...     po.open_cube(f"{folder}/cube.nc").indexes["true"].tolist()
    [1, 2, 3]
    """
    with opened(path) as dataset:
        return decode(dataset)


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
    dataset = read(os.fspath(path), refused, chunks)
    try:
        with untrusted(refused):
            if chunks is None:
                dataset.load()
        refuse_damaged(dataset)
    except BaseException:
        dataset.close()
        raise
    return dataset
