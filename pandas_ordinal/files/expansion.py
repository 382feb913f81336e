"""What the chunks of a file expand to, checked before they are decompressed.

A few bytes can stand for gigabytes. So each chunk is refused that has more bytes than the shape of
its array needs: in the file, or by what its compression declares. What zlib and gzip hold is
counted, since they do not declare it.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Iterable

from pandas_ordinal.errors import UnreadableFileError

SPARE = 2**26  # bytes that a chunk may have more than its array, which can grow
CHECKSUM = 4  # bytes that a chunk has in addition
MOST_DEFLATED = 1032  # zlib cannot make more bytes of one
ZSTD, RLE = 0xFD2FB528, 1  # the first bytes of a frame, and the kind of a block with one byte


def chunk_bytes(owner: str, shape: Iterable[int], chunks: Iterable[int], itemsize: int) -> int:
    """Return how many bytes a chunk has, or raise if they are more than its array needs."""
    needed, n_bytes = (math.prod(map(int, sizes)) * itemsize for sizes in (shape, chunks))
    if n_bytes > needed + SPARE:
        raise UnreadableFileError(
            f"{owner} asks for chunks of {n_bytes:,} bytes, but needs no more than {needed:,}"
        )
    return n_bytes


def refuse_stored(owner: str, stored: int, n_bytes: int) -> None:
    """Raise if a chunk has more bytes in the file than any compression would make of it."""
    if stored > n_bytes + n_bytes // 64 + 2**10:
        raise _too_large(owner, stored, n_bytes)


def refuse_expanding(owner: str, codec: str, data: bytes, n_bytes: int) -> None:
    """Raise if a compressed chunk expands to more bytes than it should have.

    Parameters
    ----------
    owner : str
        The chunk, for the error.
    codec : {"zstd", "blosc", "lz4", "zlib", "gzip"}
        How it is compressed.
    data : bytes
        The compressed bytes.
    n_bytes : int
        How many bytes the chunk should have, with its checksums.
    """
    if codec in ("zlib", "gzip"):
        if len(data) * MOST_DEFLATED > n_bytes + SPARE:
            _refuse_inflating(owner, data, n_bytes, all_members=codec == "gzip")
        return
    expanded = _size_of_zstd(owner, data) if codec == "zstd" else _size_in_header(codec, data)
    if expanded > n_bytes:
        raise _too_large(owner, expanded, n_bytes)


def _refuse_inflating(owner: str, data: bytes, n_bytes: int, all_members: bool) -> None:
    """Raise if zlib makes more bytes of a chunk than it should have."""
    left = n_bytes
    while data:
        stream = zlib.decompressobj(zlib.MAX_WBITS | 32)
        left -= len(stream.decompress(data, left + 1))
        if left < 0:
            raise _too_large(owner, n_bytes - left, n_bytes, "at least ")
        data = stream.unused_data if all_members else b""


def _size_in_header(codec: str, data: bytes) -> int:
    """Return how many bytes Blosc or LZ4 declares."""
    (size,) = struct.unpack_from("<I", data, 4 if codec == "blosc" else 0)
    return int(size)


def _size_of_zstd(owner: str, data: bytes) -> int:
    """Return how many bytes the frames of Zstandard declare together (RFC 8878)."""
    total = place = 0
    while place < len(data):
        magic, flags = struct.unpack_from("<IB", data, place)
        one_segment = flags >> 5 & 1
        width = (one_segment, 2, 4, 8)[flags >> 6]  # of the size
        if magic != ZSTD or not width:
            raise UnreadableFileError(f"{owner} does not declare how large it is")
        place += 5 + (not one_segment) + (0, 1, 2, 4)[flags & 3]
        total += int.from_bytes(data[place : place + width], "little") + 256 * (width == 2)
        place += width
        is_last = False
        while not is_last:
            low, high = struct.unpack_from("<BH", data, place)
            is_last, kind = bool(low & 1), low >> 1 & 3
            place += 3 + (1 if kind == RLE else (high << 8 | low) >> 3)
        place += 4 * (flags >> 2 & 1)
    return total


def _too_large(owner: str, found: int, n_bytes: int, least: str = "") -> UnreadableFileError:
    return UnreadableFileError(
        f"{owner} has {least}{found:,} bytes, but its shape and dtype need {n_bytes:,}"
    )
