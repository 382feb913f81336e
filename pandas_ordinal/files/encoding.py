"""How the values of a cube are laid out in a file: chunks and compression, which lose nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import xarray as xr

Encoding: TypeAlias = Mapping[str, Any]

NETCDF = ("zlib", "complevel", "shuffle", "chunksizes")
ZARR = ("chunks", "shards", "compressors")
SIZES = ("chunksizes", "chunks", "shards")


def refuse_encoding(encoding: Encoding, array: xr.DataArray, known: tuple[str, ...]) -> None:
    """Raise if an encoding is none, or is one that could change the values.

    Parameters
    ----------
    encoding : mapping
        What xarray is to lay the values out by.
    array : DataArray
        The values.
    known : tuple of str
        What the format has.
    """
    if not isinstance(encoding, Mapping):
        raise TypeError(f'encoding={encoding!r} must be a dict, such as {{"{known[0]}": ...}}')
    for name, value in encoding.items():
        if name not in known:
            raise ValueError(
                f"encoding= has {name!r}, which is none of {list(known)}: other options could "
                "change the counts, or are not those of this format"
            )
        if name in SIZES and not _are_sizes(value, array):
            raise ValueError(
                f"encoding={{{name!r}: {value!r}}} must give each of the dimensions "
                f"{dict(array.sizes)} a size from 1 to its own"
            )
        if name in ("zlib", "shuffle") and not isinstance(value, bool):
            raise ValueError(f"encoding={{{name!r}: {value!r}}} must be True or False")
        if name == "complevel" and value not in range(10):
            raise ValueError(f"encoding={{{name!r}: {value!r}}} must be an integer from 0 to 9")


def _are_sizes(value: Any, array: xr.DataArray) -> bool:
    """Tell whether a value is the size of a chunk along each dimension."""
    if not isinstance(value, (tuple, list)) or len(value) != array.ndim:
        return False
    return all(
        isinstance(size, int) and 1 <= size <= max(whole, 1)
        for size, whole in zip(value, array.shape, strict=True)
    )
