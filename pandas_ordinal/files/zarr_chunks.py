"""What a zarr store may hold for a cube: regular files, known codecs, all chunks, none too large.

A store names the code that decodes its chunks, and its shapes may be of any size. So its metadata,
which zarr reads, are checked before any chunk is.
"""

from __future__ import annotations

import math
import os
import re
import stat
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from pandas_ordinal.errors import UnreadableFileError
from pandas_ordinal.files.expansion import CHECKSUM, chunk_bytes, refuse_expanding, refuse_stored
from pandas_ordinal.files.reading import STORED_KINDS
from pandas_ordinal.files.seal import damaged

COMPRESSORS = {"zstd", "gzip", "zlib", "blosc", "lz4"}
CODECS = COMPRESSORS | {
    *("bytes", "crc32c", "transpose", "sharding_indexed"),  # of format 3
    *("crc32", "fletcher32", "adler32", "shuffle"),  # of format 2
    "vlen-utf8",  # text of coordinates that others have added
}
ADDED_KINDS = f"{STORED_KINDS}OT"  # and text of any length, which others have added
CHUNK = re.compile(r"c|(c/)?[0-9]+([./][0-9]+)*")
OVERHEAD = 64  # bytes of a chunk in the index of its shard, and of one that cannot be compressed
NO_CHUNK = 2**64 - 1  # the place of a chunk that a shard does not have


def refuse_special_files(path: str, within: str = "") -> None:
    """Raise if anything in a store is neither a folder nor a regular file; open none of them."""
    with os.scandir(os.path.join(path, within)) as opened:
        entries = list(opened)
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            refuse_special_files(path, os.path.join(within, entry.name))
        elif not stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode):
            raise UnreadableFileError(
                f"{entry.path!r} is a link, a device, a pipe or a socket, which no store has: "
                f"cp -rL {path!r} to another place replaces links by what they point to"
            )


def refuse_unknown(path: str, name: str, array: Any, is_ours: bool) -> None:
    """Raise if an array would be read by code, or into values, that cubes do not need."""
    owner = f"the array {name!r} of {path!r}"
    metadata = array.metadata
    if getattr(metadata, "storage_transformers", ()):
        raise UnreadableFileError(f"{owner} has storage transformers, which zarr cannot apply")
    if array.dtype.kind not in (STORED_KINDS if is_ours else ADDED_KINDS):
        raise UnreadableFileError(f"{owner} is {array.dtype}, which no cube has")
    for codec in _all_codecs(array):
        if codec not in CODECS:
            raise UnreadableFileError(
                f"{owner} is encoded by {codec!r}, which is not one of {sorted(CODECS)}: if you "
                "trust the store, open it with xarray, and use po.cube_from_dataset"
            )


def refuse_lost_chunks(path: str, name: str, array: Any) -> None:
    """Raise if a chunk is missing, which zarr would read as zeros."""
    sizes = array.shards or array.chunks
    counts = [math.ceil(n / size) for n, size in zip(array.shape, sizes, strict=True)]
    folder = os.path.join(path, name)
    n_files = sum(len(files) for _, _, files in os.walk(folder))
    if math.prod(counts) > n_files:  # so many may be missing that naming one would take long
        raise damaged(path, f"chunks of {name!r} are lost")
    for position in product(*map(range, counts)):
        key = array.metadata.encode_chunk_key(position)
        if not os.path.isfile(os.path.join(folder, key)):
            raise damaged(path, f"the chunk {key} of {name!r} is lost")


def refuse_large_chunks(path: str, name: str, array: Any, expand: bool) -> None:
    """Raise if a chunk has, or expands to, more bytes than the shape of its array needs.

    Parameters
    ----------
    path : str
        The folder of the store.
    name : str
        The name of the array.
    array : zarr.Array
        The array.
    expand : bool
        Whether to look at what the chunks expand to.
    """
    owner, itemsize = f"the array {name!r} of {path!r}", array.dtype.itemsize
    stored = chunk_bytes(owner, array.shape, array.shards or array.chunks, itemsize)
    n_bytes = math.prod(array.chunks) * itemsize
    n_chunks = stored // n_bytes if array.shards and n_bytes else 0  # of a shard
    compressor, n_checksums = _compression(owner, array)
    for file in _chunk_files(os.path.join(path, name)):
        refuse_stored(f"the chunk {file!r}", os.path.getsize(file), stored + OVERHEAD * n_chunks)
        if expand and compressor:
            with open(file, "rb") as opened:
                data = opened.read()
            for chunk in _of_shard(file, data, n_chunks) if array.shards else [data]:
                content = chunk[: len(chunk) - CHECKSUM * n_checksums]
                refuse_expanding(f"the chunk {file!r}", compressor, content, n_bytes + CHECKSUM)


def _chunk_files(folder: str) -> Iterator[str]:
    """Yield the files of the chunks of an array."""
    for parent, _, files in os.walk(folder):
        for file in files:
            chunk = os.path.join(parent, file)
            if CHUNK.fullmatch(os.path.relpath(chunk, folder).replace(os.sep, "/")):
                yield chunk


def _all_codecs(array: Any) -> list[str]:
    """Return the names of codecs in the order in which they encode, those within shards too."""
    if array.metadata.zarr_format == 2:
        return [codec.codec_id for codec in (*array.filters, *array.compressors)]
    return list(_names(array.metadata.to_dict()["codecs"]))


def _names(described: Any) -> Iterator[str]:
    for codec in described:
        yield codec["name"]
        for within in ("codecs", "index_codecs"):
            yield from _names(codec.get("configuration", {}).get(within, []))


def _compression(owner: str, array: Any) -> tuple[str | None, int]:
    """Return how the chunks of an array are compressed, and the number of checksums after that."""
    codecs = _all_codecs(array)
    if array.shards:
        (outer, *others) = array.metadata.to_dict()["codecs"]
        shard = {"index_location": "end", **outer["configuration"]}
        codecs, index = (list(_names(shard[kind])) for kind in ("codecs", "index_codecs"))
        is_plain = index == ["bytes", "crc32c"] and shard["index_location"] == "end"
        if others or not is_plain or "sharding_indexed" in codecs:
            raise UnreadableFileError(f"{owner} has shards of another kind than cubes have")
    places = [n for n, codec in enumerate(codecs) if codec in COMPRESSORS]
    after = codecs[places[0] + 1 :] if places else []
    if set(after) - {"crc32c"}:
        raise UnreadableFileError(
            f"{owner} is encoded by {codecs}: cubes are compressed once, and last but for crc32c"
        )
    return (codecs[places[0]] if places else None), len(after)


def _of_shard(file: str, data: bytes, n_chunks: int) -> Iterator[bytes]:
    """Yield the chunks of a shard, which has their places at its end."""
    start = len(data) - 16 * n_chunks - CHECKSUM
    if start < 0:
        raise UnreadableFileError(f"the shard {file!r} has lost its index")
    places = np.frombuffer(data, "<u8", 2 * n_chunks, start).reshape(-1, 2).tolist()
    for place, size in places:
        if place != NO_CHUNK:
            yield data[place : place + size]
