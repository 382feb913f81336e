"""What an HDF5 file may hold for a cube, checked before its values are read.

HDF5 can read values from other files, by links, external storage and virtual datasets, and load
filters as plug-ins. No cube needs any of these.
"""

from __future__ import annotations

from typing import Any

from pandas_ordinal.errors import UnreadableFileError
from pandas_ordinal.files.dataset import read_layout, variables_of
from pandas_ordinal.files.expansion import CHECKSUM, chunk_bytes, refuse_expanding, refuse_stored
from pandas_ordinal.files.reading import KEY, STORED_KINDS, Json
from pandas_ordinal.hints import import_extra

DEFLATE, SHUFFLE, FLETCHER32 = 1, 2, 3  # numbers of filters


def refuse_foreign(path: str, inflate: bool) -> Json:
    """Raise if a file holds what no cube needs; return what it describes of its layout.

    Parameters
    ----------
    path : str
        The file.
    inflate : bool
        Whether to count what compressed chunks expand to.
    """
    h5py = import_extra("h5py")
    with h5py.File(path, "r") as file:
        text = file.attrs.get(KEY)
        marker = read_layout({KEY: text.decode() if isinstance(text, bytes) else text}, repr(path))
        names = variables_of(marker)
        for name in file:
            owner = f"{name!r} in {path!r}"
            if not isinstance(file.get(name, getlink=True), h5py.HardLink):
                raise UnreadableFileError(f"{owner} is a link, which no cube has")
            found = file[name]
            if isinstance(found, h5py.Dataset):
                _refuse_elsewhere(owner, found)
                if name in names:
                    _refuse_unknown(owner, found)
                    if found.chunks is not None:
                        _refuse_chunks(owner, found, inflate)
    return marker


def _refuse_elsewhere(owner: str, dataset: Any) -> None:
    """Raise if the values of a dataset are in another file, or in other datasets."""
    if dataset.external or dataset.is_virtual:
        raise UnreadableFileError(
            f"{owner} has its values in another file, or in another place of this one, which no "
            "cube has"
        )


def _refuse_unknown(owner: str, dataset: Any) -> None:
    """Raise if a dataset has a dtype or a filter that cubes do not need."""
    if dataset.dtype.kind not in STORED_KINDS:
        raise UnreadableFileError(f"{owner} is {dataset.dtype}, which no cube has")
    options = dataset.id.get_create_plist()
    filters = [options.get_filter(n)[0] for n in range(options.get_nfilters())]
    unknown = set(filters) - {DEFLATE, SHUFFLE, FLETCHER32}
    if unknown or filters.count(DEFLATE) > 1:
        raise UnreadableFileError(
            f"{owner} has the HDF5 filters {filters}, but cubes have {DEFLATE} (zlib), {SHUFFLE} "
            f"and {FLETCHER32}, once each: if you trust the file, open it with xarray, and use "
            "po.cube_from_dataset"
        )


def _refuse_chunks(owner: str, dataset: Any, inflate: bool) -> None:
    """Raise if a chunk has, or expands to, more bytes than the shape of the dataset needs."""
    n_bytes = chunk_bytes(owner, dataset.shape, dataset.chunks, dataset.dtype.itemsize)
    chunks: list[Any] = []
    dataset.id.chunk_iter(chunks.append)
    for chunk in chunks:
        place = f"the chunk at {chunk.chunk_offset} of {owner}"
        refuse_stored(place, chunk.size, n_bytes)
        if inflate and dataset.compression == "gzip":
            skipped, data = dataset.id.read_direct_chunk(chunk.chunk_offset)
            if not skipped:
                refuse_expanding(place, "zlib", data, n_bytes + CHECKSUM)
