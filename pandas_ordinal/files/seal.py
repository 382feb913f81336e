"""A digest of what a file holds, which tells a file that has changed from the one that was saved.

The checksums of netCDF and zarr find flipped bits in the values; the digest also finds those in
names, shapes, dtypes and attributes, chunks that have changed places, and other tools' changes.
"""

from __future__ import annotations

import hashlib
import json
import reprlib
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import xarray as xr

from pandas_ordinal.cube.layout import LARGEST_CUBE
from pandas_ordinal.errors import ClassOrderError
from pandas_ordinal.files.dataset import checks, checksum, read_layout
from pandas_ordinal.files.writing import KEY, Parts, untrusted

SEAL = f"{KEY}_sha256"

DAMAGED = (
    "the file is not what pandas_ordinal saved: bits or chunks of it are lost, or another tool "
    "has changed it. Save the cube once more; for what is left, unchecked, po.decode a Dataset "
    "that xarray has opened"
)


def sealed(dataset: xr.Dataset) -> xr.Dataset:
    """Return an encoded dataset that says what it holds, with a digest of it.

    The values of chunked variables are left to the checksums of their chunks.
    """
    marker = json.loads(dataset.attrs[KEY])
    held = {str(name): stored.chunks is None for name, stored in dataset.variables.items()}
    marker["sealed"] = {"attrs": [name for name in dataset.attrs if name != KEY], "held": held}
    text = json.dumps(marker)
    number = checksum(text, dataset.variables)
    checksums = {name: dataset[name] for name in checks(marker)}
    numbers = {
        name: stored.copy(data=np.full(stored.shape, number)) for name, stored in checksums.items()
    }
    dataset = dataset.assign(numbers).assign_attrs({KEY: text})
    digests = {"labels": _of_labels(dataset, marker), "values": _of_values(dataset, marker)}
    return dataset.assign_attrs({SEAL: json.dumps(digests)})


def refuse_damaged(dataset: xr.Dataset) -> None:
    """Raise if a dataset is not what was sealed; values that are not in memory stay unread."""
    marker = read_layout(dataset.attrs)
    if "sealed" not in marker:  # saved by xarray, or before there were seals
        return
    with untrusted(DAMAGED):
        digests = json.loads(dataset.attrs[SEAL])
        lazy = any(stored.chunks is not None for stored in dataset.variables.values())
        if digests["labels"] != _of_labels(dataset, marker) or not (
            lazy or digests["values"] == _of_values(dataset, marker)
        ):
            raise ClassOrderError(DAMAGED)


def refuse_attributes(dataset: xr.Dataset, kind: str, fits: Callable[[Any], bool]) -> None:
    """Raise if an attribute is none that files of a kind can hold."""
    owners: dict[Any, Any] = {"the dataset": dataset, **dataset.variables}
    for name, stored in owners.items():
        for key, value in stored.attrs.items():
            if not fits(value):
                raise TypeError(
                    f"the attribute {key!r} of {name if stored is dataset else repr(name)} is "
                    f"{reprlib.repr(value)}, which {kind} cannot hold: save it as text, or leave "
                    "it out"
                )


def refuse_lost_attributes(saved: xr.Dataset, found: xr.Dataset) -> None:
    """Raise if an attribute of what was saved would not come back as it is."""
    for name in saved.variables:
        _refuse_lost(f"{name!r}", saved.variables[name].attrs, found.variables[name].attrs)
    _refuse_lost("the dataset", saved.attrs, found.attrs)


def refuse_huge(name: Any, shape: Iterable[int]) -> None:
    """Raise if an array is too large to be that of a cube, before it is allocated."""
    cells = int(np.prod(list(shape), dtype=object))
    if cells > LARGEST_CUBE:
        raise ClassOrderError(
            f"the variable {name!r} says that it has {cells:,} cells, more than any cube in "
            "memory may have: open it in chunks by xarray, and po.decode the Dataset"
        )


def refuse_huge_whole(shapes: Iterable[Iterable[int]]) -> None:
    """Raise if all arrays together are too large to be those of a cube."""
    cells = sum(int(np.prod(list(shape), dtype=object)) for shape in shapes)
    if cells > LARGEST_CUBE:
        raise ClassOrderError(
            f"all variables together say that they have {cells:,} cells, more than any cube in "
            "memory may have: open them in chunks by xarray, and po.decode the Dataset"
        )


def _refuse_lost(what: str, saved: Any, found: Any) -> None:
    for name, value in saved.items():
        if name not in found or _plain(found[name]) != _plain(value):
            raise TypeError(
                f"the attribute {name!r} of {what} would come back as {found.get(name)!r}, not as "
                f"{value!r}: save it as text, or without it"
            )


def _of_labels(dataset: xr.Dataset, marker: Parts) -> str:
    """Return a digest of attributes, names, shapes, dtypes, codes and edges."""
    digest, sealed = hashlib.sha256(dataset.attrs[KEY].encode()), marker["sealed"]
    attrs = {name: _plain(dataset.attrs[name]) for name in sealed["attrs"]}
    digest.update(repr(attrs).encode())
    for name in sorted(sealed["held"]):
        stored = dataset.variables[name]
        attrs = {key: _plain(value) for key, value in sorted(stored.attrs.items())}
        attrs.pop("_FillValue", None)
        about = (name, stored.dims, stored.shape, _little(stored.dtype).str, attrs)
        digest.update(repr(about).encode())
        if _is_label(name, marker):
            digest.update(_bytes(stored))
    return digest.hexdigest()


def _of_values(dataset: xr.Dataset, marker: Parts) -> str:
    """Return a digest of numbers that were in memory when they were saved."""
    digest = hashlib.sha256()
    for name, held in sorted(marker["sealed"]["held"].items()):
        if held and not _is_label(name, marker):
            digest.update(_bytes(dataset.variables[name]))
    return digest.hexdigest()


def _is_label(name: str, marker: Parts) -> bool:
    """Tell whether a variable is read even if the values are not."""
    edges = {f"{labelled}_bnds" for labelled in marker["labelled"]}
    return name in {*marker["labelled"], *checks(marker)} | (edges - set(marker["coords"]))


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
