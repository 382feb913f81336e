"""Frames as Parquet files that keep the classes of their Categorical columns."""

from __future__ import annotations

import json
import os
import re
from io import BytesIO
from typing import Any

import numpy as np
import pandas as pd

from pandas_ordinal.arrays import Array
from pandas_ordinal.classes import refuse_joined
from pandas_ordinal.errors import ClassOrderError
from pandas_ordinal.files.parts import (
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
from pandas_ordinal.files.read_back import refuse_lost
from pandas_ordinal.files.table_digest import digest_of
from pandas_ordinal.groups import levels_of

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
