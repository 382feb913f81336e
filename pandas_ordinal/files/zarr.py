"""Datasets of cubes as zarr stores, with a checksum on each chunk."""

from __future__ import annotations

import json
import os
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
import xarray as xr
from xarray import conventions

from pandas_ordinal.errors import UnreadableFileError, an, kind_of
from pandas_ordinal.files.dataset import read_layout, variables_of
from pandas_ordinal.files.netcdf import RAW
from pandas_ordinal.files.overwriting import overwrites, refuse_path
from pandas_ordinal.files.reading import KEY, errors_become, is_address
from pandas_ordinal.files.seal import (
    refuse_attributes,
    refuse_huge,
    refuse_lost_attributes,
    sealed,
)
from pandas_ordinal.files.writing import replacing
from pandas_ordinal.files.zarr_chunks import (
    refuse_large_chunks,
    refuse_lost_chunks,
    refuse_special_files,
    refuse_unknown,
)
from pandas_ordinal.hints import import_extra


def write_zarr(
    dataset: xr.Dataset,
    store: Any,
    mode: Literal["w", "w-"] = "w-",
    zarr_format: Literal[2, 3] | None = None,
) -> None:
    """Write the Dataset of a cube as a store that takes its place once it is complete."""
    import_extra("zarr")
    for name in (*dataset.variables, *dataset.sizes):
        if "\\" in str(name) or name == "zarr.json":
            raise ValueError(
                f"the name {name!r} has a backslash, or is that of a file of zarr: rename it"
            )
    refuse_attributes(dataset, "zarr", _fits)
    dataset = sealed(dataset)
    _refuse_no_store(store)
    store = _folder_of(store)
    if not isinstance(store, (str, os.PathLike)) or is_address(store):
        _write(dataset, store, zarr_format, overwrite=overwrites(store, mode))
        return
    refuse_path(store, mode)
    with replacing(store, folders=mode == "w") as place:
        _write(dataset, Path(place), zarr_format)  # zarr reads text with "::" as an address
        with open_zarr(place, ValueError(f"{store} cannot be read back")) as read:
            refuse_lost_attributes(dataset, read)
        refuse_path(store, mode)  # once more: it may have changed in the meantime


def open_zarr(path: str, unreadable: Exception, chunks: Any = None) -> xr.Dataset:
    """Open a store whose metadata are those of a cube, without reading values.

    Parameters
    ----------
    path : str
        The folder of the store.
    unreadable : Exception
        What to raise if it is not a zarr store.
    chunks : int, dict or "auto", optional
        As in `open_cube`.
    """
    zarr = import_extra("zarr")
    with errors_become(unreadable):
        refuse_special_files(path)
        store = zarr.storage.LocalStore(path, read_only=True)
        group = zarr.open_group(store, mode="r", use_consolidated=False)
        attrs = group.attrs.asdict()
    marker = read_layout(attrs, repr(path))
    if not os.path.isdir(os.path.join(path, KEY)):
        raise UnreadableFileError(f"{path!r} was not written to its end: save the cube once more")
    with errors_become(unreadable):
        arrays, ours = _arrays(group, path), variables_of(marker)
        for name, array in arrays.items():
            refuse_unknown(path, name, array, name in ours)
        refuse_huge(path, {name: array.shape for name, array in arrays.items()})
        for name in marker.get("sealed", {}).get("held", {}):
            refuse_lost_chunks(path, name, arrays[name])
        for name in ours & set(arrays):
            refuse_large_chunks(path, name, arrays[name], expand=chunks is None)
        options = {"chunks": chunks, "zarr_format": group.metadata.zarr_format, **RAW}
        added = set(arrays) - ours
        return xr.open_dataset(
            store, engine="zarr", consolidated=False, drop_variables=added, **options
        )


def _refuse_no_store(store: Any) -> None:
    """Raise unless zarr can write there."""
    zarr = import_extra("zarr")
    kinds = str, os.PathLike, MutableMapping, zarr.abc.store.Store, zarr.storage.StorePath
    if not isinstance(store, kinds):
        raise TypeError(f"store= takes a path or a store of zarr, not {an(kind_of(store))}")


def _folder_of(store: Any) -> Any:
    """Return the folder that an address stands for, or any other store as it is."""
    if not isinstance(store, (str, os.PathLike)) or not is_address(store):
        return store
    fsspec = import_extra("fsspec")
    system, path = fsspec.core.url_to_fs(os.fspath(store))
    return path if isinstance(system, fsspec.get_filesystem_class("file")) else store


def _write(dataset: xr.Dataset, store: Any, zarr_format: Any, overwrite: bool = False) -> None:
    """Write a store, the checksum last: without it, nothing is read."""
    zarr = import_extra("zarr")
    variables, attrs = conventions.encode_dataset_coordinates(dataset)
    group = zarr.create_group(
        store=store,
        overwrite=overwrite,
        zarr_format=zarr_format,
        attributes={key: _as_json(value) for key, value in attrs.items()},
    )
    last = {KEY: variables.pop(KEY)}
    for batch in (variables, last):
        lazy = []
        for name, variable in batch.items():
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
            import_extra("dask.array").store(list(sources), list(targets), lock=False)


def _created(group: Any, name: Any, variable: xr.Variable) -> Any:
    """Create the array of a variable; every chunk is written and has a checksum."""
    codecs, numcodecs = import_extra("zarr.codecs"), import_extra("numcodecs")
    chunks = (
        "auto" if variable.chunks is None else tuple(max(1, *sizes) for sizes in variable.chunks)
    )
    encoding = variable.encoding
    attrs = {key: _as_json(value) for key, value in variable.attrs.items()}
    options: dict[str, Any]
    missing = encoding.get("_FillValue")
    if group.metadata.zarr_format == 3:
        if missing is not None:
            attrs["_FillValue"] = int(missing)
        compressors = [*encoding.get("compressors", [codecs.ZstdCodec()]), codecs.Crc32cCodec()]
        options = {"compressors": compressors, "dimension_names": list(variable.dims)}
        options["fill_value"] = np.zeros((), variable.dtype)[()]
    else:
        attrs["_ARRAY_DIMENSIONS"] = list(variable.dims)
        compressors = encoding.get("compressors", [numcodecs.Zstd()])
        options = {"filters": [numcodecs.CRC32()], "compressors": compressors}
        options["fill_value"] = missing
    return group.create_array(
        name,
        shape=variable.shape,
        dtype=variable.dtype,
        chunks=encoding.get("chunks", chunks) if variable.ndim else (),
        shards=encoding.get("shards"),
        attributes=attrs,
        config={"write_empty_chunks": True},
        **options,
    )


def _fits(value: Any) -> bool:
    """Whether an attribute can be written as JSON."""
    try:
        json.dumps(_as_json(value))
    except (TypeError, ValueError):
        return False
    return True


def _as_json(value: Any) -> Any:
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def _arrays(group: Any, path: str) -> dict[str, Any]:
    """Return the arrays of a store, whose metadata zarr reads one by one.

    It would read them all at once in `Group.arrays`, and log the errors that it does not raise.
    """
    zarr = import_extra("zarr")
    folders = [name for name in os.listdir(path) if os.path.isdir(os.path.join(path, name))]
    nodes = {name: group.get(name) for name in folders}
    return {name: node for name, node in nodes.items() if isinstance(node, zarr.Array)}
