"""Datasets of cubes as zarr stores, with a checksum on each chunk.

A store names the code that is to decode its chunks, and its shapes may be of any size. So what is
in its metadata is checked before zarr sees it.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterator
from itertools import product
from typing import Any, Literal, NamedTuple

import numpy as np
import xarray as xr
from xarray import conventions

from pandas_ordinal.errors import ClassOrderError
from pandas_ordinal.files.dataset import UNFINISHED, read_layout
from pandas_ordinal.files.netcdf import RAW
from pandas_ordinal.files.seal import (
    DAMAGED,
    refuse_attributes,
    refuse_huge,
    refuse_huge_whole,
    refuse_lost_attributes,
    sealed,
)
from pandas_ordinal.files.writing import KEY, FilePath, Parts, beside, needed, untrusted

CODECS = {
    *("bytes", "crc32c", "zstd", "gzip", "blosc", "transpose", "sharding_indexed"),  # of format 3
    *("crc32", "fletcher32", "adler32", "zlib", "lz4", "shuffle"),  # of format 2
    "vlen-utf8",  # text of coordinates that xarray has added
}
DTYPES = re.compile(r"bool|u?int(8|16|32|64)|float(32|64)|string|[<>|][biuf][1248]|\|O")


class Stored(NamedTuple):
    """What the metadata of a zarr array say."""

    dtype: str
    shape: tuple[int, ...]
    chunks: tuple[int, ...]
    codecs: list[str]
    prefix: tuple[str, ...]  # of the names of chunks
    separator: str


def write_zarr(
    dataset: xr.Dataset,
    store: Any,
    mode: Literal["w", "w-"] = "w-",
    zarr_format: Literal[2, 3] | None = None,
) -> None:
    """Write an encoded dataset as a store that takes its place once it is whole."""
    needed("zarr")
    if mode not in ("w", "w-"):
        raise ValueError(f'mode={mode!r} must be "w" or "w-"')
    if zarr_format not in (None, 2, 3):
        raise ValueError(f"zarr_format={zarr_format!r} must be 2 or 3")
    for name in (*dataset.variables, *dataset.sizes):
        if "\\" in str(name) or name == "zarr.json":
            raise ValueError(
                f"the name {name!r} has a backslash, or is that of a file of zarr: rename it"
            )
    refuse_attributes(dataset, "zarr", _fits)
    dataset = sealed(dataset)
    if not isinstance(store, (str, os.PathLike)) or "://" in os.fspath(store):
        _write(dataset, store, mode, zarr_format)
        return
    _refuse_folder(store, mode)
    with beside(store, replaces=mode == "w") as place:
        _write(dataset, place, mode, zarr_format)
        with open_zarr(place, f"{store} cannot be read back") as found:
            refuse_lost_attributes(dataset, found)


def open_zarr(path: str, refused: str, chunks: Any = None) -> xr.Dataset:
    """Open a store whose metadata are those of a cube; no array is read yet."""
    needed("zarr")
    with untrusted(refused):
        version = 3 if os.path.exists(os.path.join(path, "zarr.json")) else 2
        attrs = _attributes(path, version)
    marker = read_layout(attrs)
    if not os.path.isdir(os.path.join(path, KEY)):
        raise ClassOrderError(UNFINISHED)
    with untrusted(refused):
        whole = marker.get("sealed", {}).get("held", {})
        shapes = []
        for name, folder in _folders(path):
            stored = _stored(folder, version)
            if stored is None:
                continue
            _refuse_unknown(name, stored)
            shapes.append(stored.shape)
            if name in whole:
                _refuse_lost_chunks(name, folder, stored)
        refuse_huge_whole(shapes)
        return xr.open_dataset(
            path, engine="zarr", consolidated=False, chunks=chunks, zarr_format=version, **RAW
        )


def _write(dataset: xr.Dataset, store: Any, mode: str, zarr_format: Any) -> None:
    """Write a store, the checksum last: without it, nothing is read."""
    zarr = needed("zarr")
    variables, attrs = conventions.encode_dataset_coordinates(dataset)
    group = zarr.create_group(
        store=store,
        overwrite=mode == "w",
        zarr_format=zarr_format,
        attributes={key: _as_json(value) for key, value in attrs.items()},
    )
    last = {KEY: variables.pop(KEY)}
    for some in (variables, last):
        lazy = []
        for name, variable in some.items():
            array = _created(group, name, variable)
            if not variable.size:
                continue
            if variable.chunks is not None:  # zarr takes chunks of one size only
                sizes = array.shards or array.chunks
                even = variable.chunk(dict(zip(variable.dims, sizes, strict=True)))
                lazy.append((even.data, array))
            else:
                array[...] = variable.to_numpy()
        if lazy:
            sources, targets = zip(*lazy, strict=True)
            needed("dask.array").store(list(sources), list(targets), lock=False)


def _created(group: Any, name: Any, variable: xr.Variable) -> Any:
    """Create the array of a variable, every chunk of which is written and has a checksum."""
    codecs, numcodecs = needed("zarr.codecs"), needed("numcodecs")
    chunks = (
        "auto" if variable.chunks is None else tuple(max(1, *sizes) for sizes in variable.chunks)
    )
    given = variable.encoding
    attrs = {key: _as_json(value) for key, value in variable.attrs.items()}
    options: dict[str, Any]
    missing = given.get("_FillValue")
    if group.metadata.zarr_format == 3:
        if missing is not None:
            attrs["_FillValue"] = int(missing)
        compressors = [*given.get("compressors", [codecs.ZstdCodec()]), codecs.Crc32cCodec()]
        options = {"compressors": compressors, "dimension_names": list(variable.dims)}
        options["fill_value"] = np.zeros((), variable.dtype)[()]
    else:
        attrs["_ARRAY_DIMENSIONS"] = list(variable.dims)
        compressors = given.get("compressors", [numcodecs.Zstd()])
        options = {"filters": [numcodecs.CRC32()], "compressors": compressors}
        options["fill_value"] = missing
    return group.create_array(
        name,
        shape=variable.shape,
        dtype=variable.dtype,
        chunks=given.get("chunks", chunks) if variable.ndim else (),
        shards=given.get("shards"),
        attributes=attrs,
        config={"write_empty_chunks": True},
        **options,
    )


def _fits(value: Any) -> bool:
    """Tell whether an attribute can be written as JSON."""
    try:
        json.dumps(_as_json(value))
    except (TypeError, ValueError):
        return False
    return True


def _as_json(value: Any) -> Any:
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def _folders(path: str) -> Iterator[tuple[str, str]]:
    for name in os.listdir(path):
        folder = os.path.join(path, name)
        if os.path.isdir(folder):
            yield name, folder


def _attributes(path: str, version: int) -> Parts:
    """Return the attributes of the group that a store is."""
    if version == 3:
        found = _json(path, "zarr.json")["attributes"]
    else:
        _json(path, ".zgroup")
        found = _json(path, ".zattrs") if os.path.exists(os.path.join(path, ".zattrs")) else {}
    return dict(found)


def _stored(folder: str, version: int) -> Stored | None:
    """Return the metadata of an array, or None if a folder is none."""
    name = "zarr.json" if version == 3 else ".zarray"
    if not os.path.exists(os.path.join(folder, name)):
        return None
    found = _json(folder, name)
    prefix: tuple[str, ...] = ()
    if version == 2:
        _json(folder, ".zattrs")  # zarr's own error would leave a task behind
        codecs = [found["compressor"], *(found["filters"] or [])]
        names = [codec["id"] for codec in codecs if codec is not None]
        separator = found.get("dimension_separator", ".")
        dtype, chunks = found["dtype"], found["chunks"]
    elif found["node_type"] != "array":
        return None
    else:
        if found["chunk_grid"]["name"] != "regular" or found.get("storage_transformers"):
            raise ClassOrderError(f"the array {folder!r} has no regular chunks")
        keys = found.get("chunk_key_encoding", {"name": "default"})
        of_chunks = {"default": (("c",), "/"), "v2": ((), ".")}
        prefix, separator = of_chunks[keys["name"]]
        separator = keys.get("configuration", {}).get("separator", separator)
        dtype, names = found["data_type"], list(_codecs(found["codecs"]))
        chunks = found["chunk_grid"]["configuration"]["chunk_shape"]
    if len(chunks) != len(found["shape"]) or not all(type(n) is int for n in found["shape"]):
        raise ClassOrderError(f"the array {folder!r} has no shape")
    return Stored(dtype, tuple(found["shape"]), tuple(chunks), names, prefix, separator)


def _codecs(found: Any) -> Iterator[str]:
    """Yield the names of codecs, those within shards too."""
    for codec in found:
        yield codec["name"]
        for within in ("codecs", "index_codecs"):
            yield from _codecs(codec.get("configuration", {}).get(within, []))


def _refuse_unknown(name: str, stored: Stored) -> None:
    """Raise if an array is to be decoded by other than known code, or is too large."""
    if not isinstance(stored.dtype, str) or not DTYPES.fullmatch(stored.dtype):
        raise ClassOrderError(f"the array {name!r} is of {stored.dtype!r}, which no cube has")
    for codec in stored.codecs:
        if codec not in CODECS:
            raise ClassOrderError(
                f"the array {name!r} is encoded by {codec!r}, which is none of {sorted(CODECS)}: "
                "if you trust the store, open it by xarray, and po.decode the Dataset"
            )
    refuse_huge(name, stored.shape)
    refuse_huge(name, stored.chunks)


def _refuse_lost_chunks(name: str, folder: str, stored: Stored) -> None:
    """Raise if a chunk is missing, which zarr takes for one of zeros."""
    counts = [math.ceil(n / size) for n, size in zip(stored.shape, stored.chunks, strict=True)]
    n_files = sum(len(files) for _, _, files in os.walk(folder))
    if math.prod(counts) > n_files:
        raise ClassOrderError(f"chunks of {name!r} are lost: {DAMAGED}")
    for position in product(*map(range, counts)):
        key = stored.separator.join([*stored.prefix, *map(str, position)]) or "0"
        if not os.path.isfile(os.path.join(folder, key)):
            raise ClassOrderError(f"the chunk {key} of {name!r} is lost: {DAMAGED}")


def _json(folder: str, name: str) -> Any:
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return json.load(file)


def _refuse_folder(store: FilePath, mode: str) -> None:
    """Raise if a zarr store must not take the place of what is there."""
    if not os.path.exists(store):
        return
    if mode == "w-":
        raise FileExistsError(f'{os.fspath(store)!r} exists already: mode="w" replaces it')
    names = set() if not os.path.isdir(store) else set(os.listdir(store))
    if os.path.isfile(store) or (names and not names & {".zgroup", "zarr.json"}):
        raise FileExistsError(f"{os.fspath(store)!r} is no zarr store: give another name")
