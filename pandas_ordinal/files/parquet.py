"""A digest of what an Arrow table holds, however its chunks and buffers lie.

It stays the same where a table is written in other row groups, or with its text in dictionaries or
not; it changes with a name, a type, a value or a missing one.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from io import BytesIO
from typing import Any

import numpy as np
import pandas as pd

from pandas_ordinal.classes.gate import refuse_joined
from pandas_ordinal.counting.arrays import Array
from pandas_ordinal.errors import ClassOrderError
from pandas_ordinal.files.writing import (
    ARROW_TEXT,
    KEY,
    FilePath,
    Parts,
    beside,
    described,
    needed,
    read_marker,
    rebuilt,
    untrusted,
)
from pandas_ordinal.groups import levels_of

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


def refuse_lost(saved: pd.DataFrame, found: pd.DataFrame) -> None:
    """Raise if a column or a key would come back as another.

    Parameters
    ----------
    saved : DataFrame
        What is to be saved.
    found : DataFrame
        What is read back.
    """
    for position, name in enumerate(saved.columns):
        _refuse_lost(
            f"the column {name!r}", saved.iloc[:, position], found.iloc[:, position], name
        )
    for one, other in zip(levels_of(saved.index), levels_of(found.index), strict=True):
        _refuse_lost(f"the index level {one.name!r}", one, other)
    _refuse_lost_labels(saved.index, found.index)


def _refuse_lost(what: str, saved: Any, found: Any, name: Any = None) -> None:
    """Raise if values would come back as others, or as objects of other types."""
    remedy = "df.reset_index()" if name is None else f"df.assign(**{{{name!r}: ...}})"
    if str(saved.dtype) != str(found.dtype):
        raise TypeError(
            f"{what} is {saved.dtype}, and would come back as {found.dtype}: save "
            f"{remedy} with values of one type that Parquet has"
        )
    if not np.array_equal(saved.isna(), found.isna()):
        raise TypeError(
            f"{what} holds NaN beside missing values, which would come back as missing: save "
            f"{remedy} with one of both"
        )
    if saved.dtype != object:
        return
    for one, other in zip(saved, found, strict=True):
        if type(one) is not type(other) or repr(one) != repr(other):
            raise TypeError(
                f"{what} holds {one!r}, which would come back as {other!r}: save {remedy} with "
                "values of one type that Parquet has, such as text"
            )


def _refuse_lost_labels(saved: pd.Index[Any], found: pd.Index[Any]) -> None:
    """Raise if the labels of several levels, some of them missing, would come back as others."""
    if not isinstance(saved, pd.MultiIndex) or not isinstance(found, pd.MultiIndex):
        return
    used = (index.remove_unused_levels().levels for index in (saved, found))
    for one, other in zip(*used, strict=True):
        are_integers = one.dtype.kind in "iu"
        if len(one) and (one.dtype != other.dtype or (are_integers and not one.isin(other).all())):
            raise TypeError(
                f"the index level {one.name!r} is {one.dtype} with missing keys, and holds "
                f"{one[0]!r}, which would come back as another: save df.reset_index()"
            )


FORMAT = 2  # format 1 had no digest
UNNAMED = r"__index_level_\d+__"  # in Parquet, a level without a name
MISSING: dict[str, Any] = {"None": None, "nan": np.nan}
HELD = ("string", "integer", "floating", "datetime64", "empty")  # column labels, in Parquet

NO_CATEGORIES = (
    "{path!r} holds no class order: pandas_ordinal did not write it, or another tool has changed "
    "it. Read it with pd.read_parquet(path) and declare the order of each label column, lowest "
    'class first: df["y"].ordinal.as_ordered([...])'
)
CHANGED = (
    "{path!r} is not what pandas_ordinal wrote: bits of it have flipped, or another tool has "
    "changed it. Save the frame once more; what is left, without classes, is read by "
    "pd.read_parquet(path)"
)


def to_parquet(frame: pd.DataFrame, path: FilePath) -> None:
    """Save a frame as a Parquet file that keeps the classes of its Categorical columns.

    The labels are saved as text, for other readers of the file; the classes themselves, with their
    type, their order and the edges of intervals, are in its metadata.

    Parameters
    ----------
    frame : DataFrame
        Any frame whose index holds no Categorical.
    path : str or path
        The file.

    Raises
    ------
    TypeError
        If the index or the column labels are Categorical, or labels cannot be held exactly, such
        as column labels of mixed types.
    ValueError
        If the file would lose the rows of a frame without columns.

    Examples
    --------
    >>> import pandas as pd
    >>> from tempfile import TemporaryDirectory
    >>> import pandas_ordinal as po
    >>> df = pd.DataFrame({"y": pd.cut([1, 15], [0, 10, 20])})
    >>> with TemporaryDirectory() as folder:
    ...     df.ordinal.to_parquet(f"{folder}/labels.parquet")
    ...     po.read_parquet(f"{folder}/labels.parquet").equals(df)
    True
    """
    pq = needed("pyarrow.parquet")
    _refuse_frame(frame)
    attributes = _attributes(frame.attrs)
    plain = frame.copy(deep=False)
    columns: dict[int, Parts] = {}
    for position, name in enumerate(frame.columns):
        column = frame.iloc[:, position]
        if _is_dictionary(column.dtype):
            codes, columns[position] = _of_arrow(name, column)
        elif isinstance(column.dtype, pd.CategoricalDtype):
            remedy = f"df[{name!r}].cat.rename_categories(str)"
            columns[position] = _classes(
                column.dtype.categories, column.dtype.ordered, name, remedy
            )
            codes = column.cat.codes.to_numpy()
        else:
            continue
        texts = pd.CategoricalDtype(columns[position]["texts"], columns[position]["ordered"])
        plain.isetitem(position, pd.Categorical.from_codes(codes, dtype=texts))
    table = _table(plain)
    for position, parts in columns.items():
        parts["column"] = table.schema.names[position]
    metadata = dict(table.schema.metadata)
    if frame.attrs:  # as pandas keeps them
        metadata[b"PANDAS_ATTRS"] = attributes
    dtypes = {k: held for k, dtype in enumerate(frame.dtypes) if (held := _forgotten(dtype))}
    levels = {k: held for k, key in enumerate(_levels(frame)) if (held := _known(key.dtype))}
    missing = {
        k: held for k in range(frame.shape[1]) if (held := _missing(frame.iloc[:, k])) is not None
    }
    kept = {"columns": columns, "dtypes": dtypes, "levels": levels, "missing": missing}
    marker = {"format": FORMAT, **kept}
    table = table.replace_schema_metadata(metadata)
    digest = digest_of(_as_read(table), json.dumps(marker))
    metadata[KEY.encode()] = json.dumps({**marker, "digest": digest}).encode()
    with beside(path) as place:
        table = table.replace_schema_metadata(metadata)
        pq.write_table(table, place, write_page_checksum=True)
        refuse_lost(frame, read_parquet(place))


def read_parquet(path: FilePath) -> pd.DataFrame:
    """Read a frame that `to_parquet` saved.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    DataFrame
        The frame, with the classes of its Categorical columns.

    Raises
    ------
    ClassOrderError
        If the file does not hold the classes, or another tool has changed its columns.
    ValueError
        If a newer version of pandas_ordinal wrote it.

    Examples
    --------
    >>> import pandas as pd
    >>> from tempfile import TemporaryDirectory
    >>> import pandas_ordinal as po
    >>> df = pd.DataFrame({"y": pd.Categorical([1, 3], [3, 2, 1], ordered=True)})
    >>> with TemporaryDirectory() as folder:
    ...     df.ordinal.to_parquet(f"{folder}/labels.parquet")
    ...     po.read_parquet(f"{folder}/labels.parquet")["y"].cat.categories.tolist()
    [3, 2, 1]
    """
    parquet = needed("pyarrow.parquet")
    if not os.path.exists(path):
        raise FileNotFoundError(f"there is no file {os.fspath(path)!r}")
    no_categories = NO_CATEGORIES.format(path=os.fspath(path))
    with open(path, "rb") as file:
        with untrusted(f"{os.fspath(path)!r} is no Parquet file, or a damaged one"):
            metadata = parquet.read_schema(file).metadata or {}
        marker = read_marker(metadata.get(KEY.encode()), no_categories, FORMAT)
        if marker["format"] != 1:
            _refuse_changed(file, marker)
        with untrusted(no_categories):
            file.seek(0)
            frame = pd.read_parquet(file, engine="pyarrow")
            for key, parts in marker["columns"].items():
                position = int(key)
                if parquet.read_schema(file).names[position : position + 1] != [parts["column"]]:
                    raise KeyError(position)
                frame.isetitem(position, _from_texts(frame.iloc[:, position], parts))
            for key, name in marker.get("dtypes", {}).items():
                dtype = rebuilt({"labels": [], "dtype": name}).dtype
                # of an array of objects, pandas would make text again
                values: Any = frame.iloc[:, int(key)].astype(dtype)
                frame.isetitem(int(key), values)
            for key, name in marker.get("missing", {}).items():
                column = frame.iloc[:, int(key)]
                values = column.where(column.notna(), MISSING[name])
                frame.isetitem(int(key), values)
            for key, name in marker.get("levels", {}).items():
                frame.index = _of_dtype(frame.index, int(key), name)
    return frame


def _levels(frame: pd.DataFrame) -> list[pd.Index[Any]]:
    """Return the keys of a frame, each label of several levels once."""
    index = frame.index
    return list(index.levels) if isinstance(index, pd.MultiIndex) else [index]


def _of_dtype(index: pd.Index[Any], level: int, name: str) -> pd.Index[Any]:
    """Return keys of which one level is of a dtype that pandas has not kept."""
    dtype = rebuilt({"labels": [], "dtype": name}).dtype
    if isinstance(index, pd.MultiIndex):
        if index.levels[level].dtype == dtype:
            return index
        return index.set_levels(index.levels[level].astype(dtype), level=level)
    return index if index.dtype == dtype else index.astype(dtype)


def _attributes(attrs: Any) -> bytes:
    """Return the attributes of a frame as JSON, which has to hold them exactly."""
    text = ""
    try:
        text = json.dumps(attrs)
        exact = repr(json.loads(text)) == repr(attrs)
    except (TypeError, ValueError):
        exact = False
    if not exact:
        raise TypeError(
            f"df.attrs is {attrs!r}, which would come back as another: save text, numbers and "
            "lists in it, under names that are text"
        )
    return text.encode()


def _missing(column: pd.Series[Any]) -> str | None:
    """Return what each missing value among objects is, if it is one thing: None or NaN."""
    if str(column.dtype) != "object":
        return None
    kinds = {repr(value) for value in column[column.isna()]}
    return kinds.pop() if len(kinds) == 1 and kinds <= set(MISSING) else None


def _table(frame: pd.DataFrame) -> Any:
    """Return a frame as an Arrow table."""
    pa = needed("pyarrow")
    try:
        return pa.Table.from_pandas(frame)
    except (pa.ArrowException, OverflowError, TypeError) as error:
        said = re.search(r"column (.*?)(\)| with type)", str(error))
        name = next((name for name in frame.columns if said and str(name) == said[1]), None)
        remedy = "text in place of those labels"
        if name is not None:
            remedy = f"text, as with df.assign(**{{{name!r}: df[{name!r}].astype(str)}})"
        raise TypeError(f"Parquet cannot hold the frame: {error}; save {remedy}") from error


def _as_read(table: Any) -> Any:
    """Return a table with the types that it has once it is read: Parquet has no seconds."""
    pa, pq = needed("pyarrow"), needed("pyarrow.parquet")
    empty = BytesIO()
    pq.write_table(table.slice(0, 0), empty)
    for position, field in enumerate(pq.read_schema(empty)):
        column = table.column(position)
        if column.type != field.type and not pa.types.is_dictionary(column.type):
            table = table.set_column(position, field.name, column.cast(field.type))
    return table


def _refuse_changed(file: Any, marker: Parts) -> None:
    """Raise if a file holds anything else than what was written."""
    file.seek(0)
    changed = CHANGED.format(path=os.fspath(file.name))
    with untrusted(changed):
        held = {key: value for key, value in marker.items() if key != "digest"}
        table = needed("pyarrow.parquet").read_table(file, page_checksum_verification=True)
        if digest_of(table, json.dumps(held)) != marker["digest"]:
            raise ClassOrderError(changed)


def _forgotten(dtype: Any) -> str | None:
    """Return the name of a dtype that pandas reads back as another of the same values."""
    if isinstance(dtype, pd.ArrowDtype) and str(dtype) == "string[pyarrow]":
        return ARROW_TEXT
    name = str(dtype)
    return name if name == "object" or name.startswith("datetime64[s") else None


def _known(dtype: Any) -> str | None:
    """Return the name of a dtype if pandas makes it again from that: keys may lose theirs."""
    name = _forgotten(dtype) or str(dtype)
    try:
        return name if rebuilt({"labels": [], "dtype": name}).dtype == dtype else None
    except (NotImplementedError, TypeError, ValueError):
        return None


def _is_lost(dtype: Any) -> bool:
    """Tell whether pandas cannot read a dtype of Arrow back."""
    if not isinstance(dtype, pd.ArrowDtype) or _is_dictionary(dtype) or _forgotten(dtype):
        return False
    try:
        return pd.api.types.pandas_dtype(str(dtype)) != dtype
    except (NotImplementedError, TypeError, ValueError):
        return True


def _is_dictionary(dtype: Any) -> bool:
    """Tell whether a dtype is that of an Arrow dictionary."""
    return isinstance(dtype, pd.ArrowDtype) and hasattr(dtype.pyarrow_dtype, "index_type")


def _of_arrow(name: Any, column: pd.Series[Any]) -> tuple[Array, Parts]:
    """Return the codes and the classes of an Arrow dictionary."""
    held: Any = column.array.__arrow_array__()
    refuse_joined(name, held)
    joined = held.unify_dictionaries().combine_chunks()
    kind: Any = pd.ArrowDtype(held.type.value_type)
    labels = pd.Index(pd.array(joined.dictionary, dtype=kind))
    parts = _classes(labels, held.type.ordered, name, f"df[{name!r}].astype(str)")
    codes = joined.indices.fill_null(0).to_numpy().astype(np.int64)
    codes[joined.indices.is_null()] = -1
    return codes, {**parts, "indices": str(held.type.index_type)}


def _classes(labels: pd.Index[Any], ordered: bool | None, name: Any, remedy: str) -> Parts:
    """Return the classes of a column as JSON, and as texts to save in their place."""
    parts = described(labels, f"the column {name!r}", remedy)
    if "edges" in parts:
        parts["edges"] = parts["edges"].tolist()
    listed = labels.tolist()
    texts = list(map(str, listed))
    # of 1 and "1" as classes, and of a lone surrogate, which is no text for Parquet
    if len(set(texts)) < len(texts) or any("\ud800" <= c <= "\udfff" for c in "".join(texts)):
        texts = [f"{position}: {label!a}" for position, label in enumerate(listed)]
    return {**parts, "ordered": bool(ordered), "texts": texts}


def _from_texts(column: pd.Series[Any], parts: Parts) -> Any:
    """Return a column with the classes that its texts stand for."""
    stored = pd.Categorical(column)
    lookup = {text: position for position, text in enumerate(parts["texts"])}
    positions = np.array([*map(lookup.__getitem__, stored.categories), -1], np.intp)
    codes, labels = positions[stored.codes], rebuilt(parts)
    if "indices" not in parts:
        dtype = pd.CategoricalDtype(labels, parts["ordered"])
        return pd.Categorical.from_codes(codes, dtype=dtype)
    pa = needed("pyarrow")
    indices = pa.array(codes, pa.type_for_alias(parts["indices"]), mask=codes < 0)
    dictionary = pa.array(labels.array)
    arrow = pa.DictionaryArray.from_arrays(indices, dictionary, ordered=parts["ordered"])
    return pd.array(arrow, dtype=pd.ArrowDtype(arrow.type))


def _refuse_frame(frame: pd.DataFrame) -> None:
    """Raise if a frame would not come back from Parquet as it is."""
    _refuse_index(frame.index)
    _refuse_columns(frame)
    if not frame.flags.allows_duplicate_labels:
        raise ValueError(
            "the file would not keep that labels must be unique: save "
            "df.set_flags(allows_duplicate_labels=True)"
        )
    if not len(frame.columns) and len(frame) and isinstance(frame.index, pd.RangeIndex):
        raise ValueError(
            f"the frame has {len(frame)} rows, but no columns, so that the file would have no "
            "rows: save df.reset_index()"
        )


def _refuse_index(index: pd.Index[Any]) -> None:
    """Raise if keys or their names would come back as others."""
    for level in levels_of(index):
        if isinstance(level, pd.CategoricalIndex) or _is_dictionary(level.dtype):
            raise TypeError(
                "the index of the frame is Categorical, and would lose its classes: save "
                "df.reset_index()"
            )
        if _is_lost(level.dtype):
            raise TypeError(
                f"the index level {level.name!r} is {level.dtype}, which pandas cannot read back: "
                "save text in place of it"
            )
        if level.hasnans and getattr(level.dtype, "na_value", None) is pd.NA:
            raise TypeError(
                f"the index level {level.name!r} is {level.dtype} with missing keys, which pandas "
                "reads back as others: save df.reset_index()"
            )
    for key in index.names:
        if key is not None and (not isinstance(key, str) or re.fullmatch(UNNAMED, key)):
            raise TypeError(
                f"the index level {key!r} would come back under another name: save "
                "df.rename_axis(index=[...]) with names that are text"
            )


def _refuse_columns(frame: pd.DataFrame) -> None:
    """Raise if columns or their labels would come back as others."""
    for name, dtype in frame.dtypes.items():
        if _is_lost(dtype):
            raise TypeError(
                f"the column {name!r} is {dtype}, which pandas cannot read back: save "
                f"df.assign(**{{{name!r}: list(map(str, df[{name!r}]))}})"
            )
    if isinstance(frame.columns, pd.CategoricalIndex):
        raise TypeError(
            "the column labels are Categorical, which pandas cannot read back: save "
            "df.set_axis(list(df.columns), axis=1)"
        )
    for level in levels_of(frame.columns):
        if level.inferred_type not in HELD:
            raise TypeError(
                f"the column labels {frame.columns.tolist()} are {level.inferred_type}, which "
                "Parquet does not keep: save df.set_axis(list(map(str, df.columns)), axis=1)"
            )
