"""A digest of what a file holds, which shows whether the file has changed since it was saved.

The checksums of netCDF and zarr find flipped bits in the values. The digest also finds them in
names, shapes, dtypes and attributes, and finds swapped chunks and changes by other tools.
"""

from __future__ import annotations

import hashlib
import json
import os
import reprlib
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import xarray as xr

from pandas_ordinal.cube.layout import LARGEST_CUBE
from pandas_ordinal.errors import UnreadableFileError
from pandas_ordinal.files.dataset import checksum, checksum_names, read_layout
from pandas_ordinal.files.reading import (
    KEY,
    FilePath,
    Json,
    changed_since_saved,
    errors_become,
)

SEAL = f"{KEY}_sha256"


def sealed(dataset: xr.Dataset) -> xr.Dataset:
    """Return the Dataset of a cube with an inventory and its digest.

    The values of chunked variables are left to the checksums of their chunks.
    """
    marker = json.loads(dataset.attrs[KEY])
    in_memory = {str(name): stored.chunks is None for name, stored in dataset.variables.items()}
    attrs = [name for name in dataset.attrs if name != KEY]
    marker["sealed"] = {"attrs": attrs, "held": in_memory}
    text = json.dumps(marker)
    number = checksum(text, dataset.variables)
    checksums = {name: dataset[name] for name in checksum_names(marker)}
    numbers = {
        name: stored.copy(data=np.full(stored.shape, number)) for name, stored in checksums.items()
    }
    dataset = dataset.assign(numbers).assign_attrs({KEY: text})
    digests = {"labels": _of_labels(dataset, marker), "values": _of_values(dataset, marker)}
    return dataset.assign_attrs({SEAL: json.dumps(digests)})


def refuse_damaged(dataset: xr.Dataset, path: FilePath) -> None:
    """Raise if a file is not what was sealed; values that are not in memory stay unread."""
    marker = read_layout(dataset.attrs, repr(os.fspath(path)))
    if "sealed" not in marker:  # xarray saved what `to_dataset` returned
        return
    error = damaged(path)
    with errors_become(error):
        digests = json.loads(dataset.attrs[SEAL])
        lazy = any(stored.chunks is not None for stored in dataset.variables.values())
        if digests["labels"] != _of_labels(dataset, marker) or not (
            lazy or digests["values"] == _of_values(dataset, marker)
        ):
            raise error


def damaged(path: FilePath, fault: str = "bits or chunks of it are lost") -> Exception:
    """Return the error for the file of a cube that is no longer what was saved."""
    path = os.fspath(path)
    options = ', engine="zarr", consolidated=False' if os.path.isdir(path) else ""
    remains = f"po.cube_from_dataset(xr.open_dataset({path!r}{options}))"
    return changed_since_saved(path, remains, fault)


def refuse_attributes(dataset: xr.Dataset, kind: str, fits: Callable[[Any], bool]) -> None:
    """Raise if files of a kind cannot hold one of the attributes."""
    owners: dict[Any, Any] = {"the dataset": dataset, **dataset.variables}
    for name, stored in owners.items():
        for key, value in stored.attrs.items():
            if not fits(value):
                raise TypeError(
                    f"the attribute {key!r} of {name if stored is dataset else repr(name)} is "
                    f"{reprlib.repr(value)}, which {kind} cannot hold: save it as text, or leave "
                    "it out"
                )


def refuse_lost_attributes(saved: xr.Dataset, read: xr.Dataset) -> None:
    """Raise if an attribute of what was saved would come back as another."""
    for name in saved.variables:
        _refuse_lost(f"{name!r}", saved.variables[name].attrs, read.variables[name].attrs)
    _refuse_lost("the dataset", saved.attrs, read.attrs)


def refuse_huge(path: FilePath, shapes: dict[Any, Iterable[int]]) -> None:
    """Raise if the arrays in a file are too large for a cube, before they are allocated.

    Parameters
    ----------
    path : str or path
        The file.
    shapes : dict
        The shapes of the arrays by their names.
    """
    sizes = {
        f"the variable {name!r}": int(np.prod(list(shape), dtype=object))
        for name, shape in shapes.items()
    }
    sizes["all variables together"] = sum(sizes.values())
    for what, cells in sizes.items():
        if cells > LARGEST_CUBE:
            raise UnreadableFileError(
                f"{os.fspath(path)!r} asks for {cells:,} cells in {what}, more than any cube in "
                "memory may have: open it with xarray, in chunks, and use po.cube_from_dataset"
            )


def _refuse_lost(owner: str, saved: Any, read: Any) -> None:
    for name, value in saved.items():
        if name not in read or _plain(read[name]) != _plain(value):
            raise TypeError(
                f"the attribute {name!r} of {owner} would come back as {read.get(name)!r}, not as "
                f"{value!r}: save it as text, or without it"
            )


def _of_labels(dataset: xr.Dataset, marker: Json) -> str:
    """Return a digest of attributes, names, shapes, dtypes, codes and edges."""
    digest, sealed = hashlib.sha256(dataset.attrs[KEY].encode()), marker["sealed"]
    attrs = {name: _plain(dataset.attrs[name]) for name in sealed["attrs"]}
    digest.update(repr(attrs).encode())
    for name in sorted(sealed["held"]):
        stored = dataset.variables[name]
        missing = {"_FillValue": stored.encoding.get("_FillValue")}  # before it is written
        known = missing if missing["_FillValue"] is not None else {}
        attrs = {key: _plain(value) for key, value in sorted({**known, **stored.attrs}.items())}
        about = (name, stored.dims, stored.shape, _little(stored.dtype).str, attrs)
        digest.update(repr(about).encode())
        if _is_label(name, marker):
            digest.update(_bytes(stored))
    return digest.hexdigest()


def _of_values(dataset: xr.Dataset, marker: Json) -> str:
    """Return a digest of the numbers that were in memory when they were saved."""
    digest = hashlib.sha256()
    for name, in_memory in sorted(marker["sealed"]["held"].items()):
        if in_memory and not _is_label(name, marker):
            digest.update(_bytes(dataset.variables[name]))
    return digest.hexdigest()


def _is_label(name: str, marker: Json) -> bool:
    """Whether a variable is read even if the values are not."""
    edges = {f"{labelled}_bnds" for labelled in marker["labelled"]}
    return name in {*marker["labelled"], *checksum_names(marker)} | (edges - set(marker["coords"]))


def _little(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return dtype.newbyteorder("<")


def _bytes(stored: xr.Variable) -> Any:
    values = stored.to_numpy()
    return np.ascontiguousarray(values, _little(values.dtype)).reshape(-1).view(np.uint8)


def _plain(value: Any) -> Any:
    """Return an attribute in the form in which every file gives it back."""
    try:
        listed = np.asarray(value).ravel().tolist()
    except ValueError:  # lists of different lengths
        listed = [value]
    return repr(listed)
