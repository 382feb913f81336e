"""Datasets of cubes as netCDF 4 files, with a checksum on each chunk.

The last bytes of a file are a digest of all bytes before them. HDF5 ignores them. They are checked
before HDF5 reads the file, since a flipped bit in its own structures can end the process.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from numbers import Number
from typing import Any, BinaryIO

import numpy as np
import xarray as xr
from xarray import backends

from pandas_ordinal.counting.forks import forkable_lock
from pandas_ordinal.files.dataset import variables_of
from pandas_ordinal.files.hdf5 import refuse_foreign
from pandas_ordinal.files.reading import FilePath, errors_become, local_path
from pandas_ordinal.files.seal import (
    damaged,
    refuse_attributes,
    refuse_huge,
    refuse_lost_attributes,
    sealed,
)
from pandas_ordinal.files.writing import replacing
from pandas_ordinal.hints import import_extra

ENGINES = {"netcdf4": "netCDF4", "h5netcdf": "h5netcdf"}  # SciPy's netCDF 3 has no int64

# nothing was packed, and attributes such as "units" are those of the array
RAW: dict[str, Any] = dict.fromkeys(("mask_and_scale", "decode_times", "decode_timedelta"), False)

# netCDF4 ends the process if two threads use it at once
SAVING = forkable_lock()

END = b"\npandas_ordinal sha256 "  # and 32 bytes
BLOCK = 2**20


def write_netcdf(dataset: xr.Dataset, path: FilePath, engine: str | None = None) -> None:
    """Write the Dataset of a cube as a file that takes its place once it is complete."""
    options: dict[str, Any] = {"engine": engine_of(engine), "format": "NETCDF4"}
    if options["engine"] == "netcdf4" and not _netcdf4_finds(local_path(path)):
        raise ValueError(
            f"netCDF4 cannot find {os.fspath(path)!r}, since it reads a backslash as a slash, and "
            'names as UTF-8: rename the file or folder, or give engine="h5netcdf"'
        )
    refuse_attributes(dataset, "netCDF", _fits)
    dataset = sealed(dataset)
    encoding: dict[Any, Mapping[str, Any]] = {
        name: {**stored.encoding, "fletcher32": True} for name, stored in dataset.variables.items()
    }
    with SAVING, replacing(path) as place:
        try:
            dataset.to_netcdf(place, encoding=encoding, **options)
        except RuntimeError as error:
            if "HDF error" in str(error):
                raise OSError(f"{path} cannot be written: the disk may be full") from error
            raise ValueError(
                f"{path} cannot be written ({error}): rename what has a name that begins with a "
                "sign, or begins or ends with a space"
            ) from error
        unread = ValueError(
            f"{path} cannot be read back: a name or an attribute of the array or of a coordinate "
            "is one that netCDF cannot hold, or uses itself: leave it out, or rename it"
        )
        with open_netcdf(place, unread) as read:
            refuse_lost_attributes(dataset, read)
        if find_spec("netCDF4") and _netcdf4_finds(place):  # as others may open it
            with errors_become(unread):
                read = xr.open_dataset(place, engine="netcdf4", **RAW)
            with read:
                refuse_lost_attributes(dataset, read)
        with open(place, "r+b") as file:
            digest = _digest(file, file.seek(0, os.SEEK_END))
            file.write(END + digest)


def open_netcdf(path: str, unreadable: Exception, chunks: Any = None) -> xr.Dataset:
    """Open a file whose layout, shapes and dtypes are those of a cube, without reading values.

    Parameters
    ----------
    path : str
        The file.
    unreadable : Exception
        What to raise if it is not a netCDF 4 file.
    chunks : int, dict or "auto", optional
        As in `open_cube`.
    """
    for module in ("h5py", "h5netcdf"):
        import_extra(module)
    store, ours = None, set[str]()
    while store is None:
        with open(path, "rb") as file, errors_become(unreadable):
            _refuse_flipped(file, path)
            ours = variables_of(refuse_foreign(path, inflate=chunks is None))
            store = _opened(path, file)
    try:
        with errors_become(unreadable):
            variables, _ = store.load()
            refuse_huge(path, {name: stored.shape for name, stored in variables.items()})
            added = set(variables) - ours
            return xr.open_dataset(store, chunks=chunks, drop_variables=added, **RAW)
    except BaseException:
        store.close()
        raise


def _opened(path: str, verified: BinaryIO) -> Any:
    """Open a file for xarray, or return None if another one has taken its place.

    netCDF4 would end the process at some variables that others have added.
    """
    store: Any = backends.H5NetCDFStore.open(path, phony_dims="access")
    with suppress(FileNotFoundError):
        if os.path.samestat(os.fstat(verified.fileno()), os.stat(path)):
            return store
    store.close()
    return None


def engine_of(engine: str | None = None) -> str:
    """Return the engine for netCDF 4 files, if it is installed."""
    if engine is None:
        engine = next((name for name, module in ENGINES.items() if find_spec(module)), "netcdf4")
    import_extra(ENGINES[engine])
    return engine


def _netcdf4_finds(path: str) -> bool:
    """Whether netCDF4 finds a file by its path."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return os.sep == "\\" or "\\" not in path


def _fits(value: Any) -> bool:
    """Whether netCDF can hold an attribute: text, a number, or a list of these."""
    if not isinstance(value, (str, bytes, Number, np.ndarray, list, tuple)):
        return False
    try:
        array = np.asarray(value)
        if array.dtype.kind == "U":
            "".join(array.ravel().tolist()).encode()
            return array.ndim == 0 or all(
                isinstance(text, str) for text in np.array(value, object)
            )
    except ValueError:  # lists of different lengths, or half a character
        return False
    if array.dtype.kind == "S":  # refused later, since it comes back as text
        return array.ndim == 0
    return array.ndim <= 1 and (array.dtype.kind in "iu" or array.dtype in (np.float32, float))


def _refuse_flipped(file: BinaryIO, path: str) -> None:
    """Raise if a file has changed since its digest was written at its end."""
    size = file.seek(0, os.SEEK_END) - len(END) - hashlib.sha256().digest_size
    if size < 0:
        return
    file.seek(size)
    end = file.read()
    if end.startswith(END) and end[len(END) :] != _digest(file, size):
        raise damaged(path, "some of its bits have flipped")


def _digest(file: BinaryIO, size: int) -> bytes:
    """Return a digest of the first bytes of a file."""
    digest = hashlib.sha256()
    file.seek(0)
    for start in range(0, size, BLOCK):
        digest.update(file.read(min(BLOCK, size - start)))
    return digest.digest()
