"""A digest of what an Arrow table holds, however its chunks and buffers lie.

It stays the same where a table is written in other row groups, or with its text in dictionaries or
not; it changes with a name, a type, a value or a missing one.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from pandas_ordinal.files.parts import needed

ABOUT = (b"pandas", b"PANDAS_ATTRS")  # the index, the types in pandas, and df.attrs


def digest_of(table: Any, text: str) -> str:
    """Return the digest of a table, of what pandas notes about it, and of a text.

    Parameters
    ----------
    table : pyarrow.Table
        Columns as they are read from a file.
    text : str
        What else the digest covers.
    """
    pa = needed("pyarrow")
    digest = hashlib.sha256()
    metadata = table.schema.metadata or {}
    for held in (text.encode(), *(metadata.get(key, b"") for key in ABOUT)):
        _sized(digest, held)
    for name, column in zip(table.schema.names, table.columns, strict=True):
        _sized(digest, name.encode())
        chunks = [_plain(pa, chunk) for chunk in column.chunks]
        # none in an empty column of a file, one in that of a frame
        _feed(pa, digest, pa.concat_arrays(chunks or [_plain(pa, pa.array([], column.type))]))
    return digest.hexdigest()


def _plain(pa: Any, array: Any) -> Any:
    """Return an array of one type for all kinds of text, and without dictionary or extension."""
    if isinstance(array, pa.ExtensionArray):
        return _plain(pa, array.storage)
    if pa.types.is_dictionary(array.type):
        return _plain(pa, array.dictionary_decode())
    if pa.types.is_string(array.type) or pa.types.is_large_string(array.type):
        return array.cast(pa.large_string())
    return array.cast(pa.large_binary()) if pa.types.is_binary(array.type) else array


def _feed(pa: Any, digest: Any, array: Any) -> None:
    """Let a digest cover an array: its type, its length, what is missing, the values."""
    missing = np.asarray(array.is_null())
    kind = array.type
    is_list = pa.types.is_list(kind) or pa.types.is_large_list(kind)
    is_struct = pa.types.is_struct(kind)
    name = "list" if is_list else "struct" if is_struct else str(kind)
    _sized(digest, f"{name} {len(array)}".encode())
    digest.update(np.packbits(missing))
    if is_list:
        compute = needed("pyarrow.compute")
        lengths = compute.list_value_length(array).cast(pa.int64())
        digest.update(np.asarray(lengths.fill_null(0)))
        _feed(pa, digest, _plain(pa, array.flatten()))
    elif is_struct:
        for position, child in enumerate(array.flatten()):
            _sized(digest, kind.field(position).name.encode())
            _feed(pa, digest, _plain(pa, child))
    elif pa.types.is_large_string(kind) or pa.types.is_large_binary(kind):
        present = array.drop_null()
        start, stop = present.offset, present.offset + len(present) + 1
        _, at, characters = present.buffers()
        offsets = np.frombuffer(at, np.int64)[start:stop] if at else np.zeros(1, np.int64)
        digest.update(np.diff(offsets))
        if characters:
            digest.update(memoryview(characters)[int(offsets[0]) : int(offsets[-1])])
    elif pa.types.is_boolean(kind):
        digest.update(np.packbits(np.asarray(array.fill_null(False))))
    elif _is_fixed(pa, kind):
        digest.update(_bytes(array, missing))
    elif not pa.types.is_null(kind):
        _sized(digest, repr(array.to_pylist()).encode("utf-8", "surrogatepass"))


def _sized(digest: Any, held: bytes) -> None:
    """Let a digest cover bytes and how many they are: "ab", "c" is not "a", "bc"."""
    digest.update(len(held).to_bytes(8, "little"))
    digest.update(held)


def _is_fixed(pa: Any, kind: Any) -> bool:
    """Tell whether each value of a type takes the same whole number of bytes."""
    is_fixed: bool = (
        pa.types.is_primitive(kind)
        or pa.types.is_decimal(kind)
        or pa.types.is_fixed_size_binary(kind)
    )
    return is_fixed


def _bytes(array: Any, missing: Any) -> Any:
    """Return the values of an array as bytes, zeros for what is missing."""
    buffer = array.buffers()[1]
    if not len(array) or buffer is None:
        return b""
    width = array.type.bit_width // 8
    rows = np.frombuffer(buffer, np.uint8)[array.offset * width :][: len(array) * width]
    if not missing.any():
        return rows
    rows = rows.reshape(len(array), width).copy()
    rows[missing] = 0
    return rows
