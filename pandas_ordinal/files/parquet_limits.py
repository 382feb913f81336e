"""What Parquet and pandas do not bring back: to be refused by name, or to be restored."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pandas as pd

from pandas_ordinal.classes.arrow import is_dictionary
from pandas_ordinal.cube.layout import LARGEST_CUBE
from pandas_ordinal.files.label_json import ARROW_TEXT, dtype_from_name
from pandas_ordinal.files.reading import Json
from pandas_ordinal.groups import levels_of
from pandas_ordinal.hints import import_extra

LARGEST_TEXTS = 8 * LARGEST_CUBE  # bytes

UNNAMED_LEVEL = r"__index_level_\d+__"  # in Parquet, a level without a name
COLUMN_LABELS = ("string", "integer", "floating", "datetime64", "empty")  # that Parquet keeps
MISSING_VALUES: dict[str, Any] = {"None": None, "nan": np.nan}


def fields_to_restore(frame: pd.DataFrame) -> Json:
    """Return the dtypes and the missing values that pandas reads back as others, as JSON."""
    columns = [frame.iloc[:, position] for position in range(frame.shape[1])]
    levels = frame.index.levels if isinstance(frame.index, pd.MultiIndex) else [frame.index]
    return {
        "dtypes": _known([_unkept_dtype(column.dtype) for column in columns]),
        "levels": _known([_restorable_dtype(level.dtype) for level in levels]),
        "missing": _known(list(map(_kind_of_missing, columns))),
    }


def restore_fields(frame: pd.DataFrame, fields: Json) -> pd.DataFrame:
    """Return a frame with the dtypes and the missing values that `fields_to_restore` has noted."""
    for key, name in fields["dtypes"].items():
        # of an array of objects, pandas would make text again
        values: Any = frame.iloc[:, int(key)].astype(dtype_from_name(name))
        frame.isetitem(int(key), values)
    for key, kind in fields["missing"].items():
        column = frame.iloc[:, int(key)]
        values = column.where(column.notna(), MISSING_VALUES[kind])
        frame.isetitem(int(key), values)
    for key, name in fields["levels"].items():
        frame.index = _with_dtype(frame.index, int(key), dtype_from_name(name))
    return frame


def _known(values: list[str | None]) -> dict[int, str]:
    """Return the values that are not None, by their positions."""
    return {position: value for position, value in enumerate(values) if value is not None}


def _with_dtype(index: pd.Index[Any], level: int, dtype: Any) -> pd.Index[Any]:
    """Return row labels with a dtype of one of their levels."""
    if not isinstance(index, pd.MultiIndex):
        return index if index.dtype == dtype else index.astype(dtype)
    if index.levels[level].dtype == dtype:
        return index
    return index.set_levels(index.levels[level].astype(dtype), level=level)


def _unkept_dtype(dtype: Any) -> str | None:
    """Return the name of a dtype that pandas reads back as another with the same values."""
    if isinstance(dtype, pd.ArrowDtype) and str(dtype) == "string[pyarrow]":
        return ARROW_TEXT
    name = str(dtype)
    return name if name == "object" or name.startswith("datetime64[s") else None


def _restorable_dtype(dtype: Any) -> str | None:
    """Return the name of a dtype if it can be made from its name: row labels may lose theirs."""
    name = _unkept_dtype(dtype) or str(dtype)
    try:
        return name if dtype_from_name(name) == dtype else None
    except (NotImplementedError, TypeError, ValueError):
        return None


def _kind_of_missing(column: pd.Series[Any]) -> str | None:
    """Return what all missing values among the objects of a column are: None or NaN."""
    if str(column.dtype) != "object":
        return None
    kinds = {repr(value) for value in column[column.isna()]}
    return kinds.pop() if len(kinds) == 1 and kinds <= set(MISSING_VALUES) else None


def attributes_to_json(attrs: Any) -> bytes:
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


def refuse_frame(frame: pd.DataFrame) -> None:
    """Raise if a frame would not come back from Parquet as it is."""
    refuse_large(*frame.shape, ValueError, "save it in parts")
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


def refuse_large(n_rows: int, n_columns: int, error: type[Exception], remedy: str) -> None:
    """Raise if a frame has more cells than a cube may have, its row labels included.

    Parameters
    ----------
    n_rows, n_columns : int
        The shape of the frame.
    error : type
        The error to raise.
    remedy : str
        What to do instead.
    """
    if n_rows * (n_columns + 1) > LARGEST_CUBE:
        raise error(
            f"{n_rows:,} rows of {n_columns:,} columns and the row labels are more than the "
            f"{LARGEST_CUBE:,} values that a file may have: {remedy}"
        )


def refuse_large_texts(table: Any, names: list[str], error: type[Exception], remedy: str) -> None:
    """Raise if the texts of a column have more bytes than the numbers of the largest cube.

    Parameters
    ----------
    table : pyarrow.Table
        The table, with texts or with dictionaries of them.
    names : list of str
        The columns of texts.
    error : type
        The error to raise.
    remedy : str
        What to do instead.
    """
    for name in names:
        n_bytes = _text_bytes(table.column(name))
        if n_bytes > LARGEST_TEXTS:
            raise error(
                f"the texts of {name!r} have {n_bytes:,} bytes, more than the {LARGEST_TEXTS:,} "
                f"that a column may have: {remedy}"
            )


def _text_bytes(column: Any) -> int:
    """Return how many bytes texts have, also those that a dictionary holds once."""
    pa, pc = import_extra("pyarrow"), import_extra("pyarrow.compute")
    n_bytes = 0
    for chunk in column.chunks:
        if pa.types.is_dictionary(chunk.type):
            lengths = pc.binary_length(chunk.dictionary).take(chunk.indices)
        else:
            lengths = pc.binary_length(chunk)
        n_bytes += pc.sum(lengths).as_py() or 0
    return n_bytes


def _refuse_index(index: pd.Index[Any]) -> None:
    """Raise if row labels or their names would come back as others."""
    for level in levels_of(index):
        if isinstance(level, pd.CategoricalIndex) or is_dictionary(level.dtype):
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
        if key is not None and (not isinstance(key, str) or re.fullmatch(UNNAMED_LEVEL, key)):
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
        if level.inferred_type not in COLUMN_LABELS:
            raise TypeError(
                f"the column labels {frame.columns.tolist()} are {level.inferred_type}, which "
                "Parquet does not keep: save df.set_axis(list(map(str, df.columns)), axis=1)"
            )


def _is_lost(dtype: Any) -> bool:
    """Whether pandas cannot read a dtype of Arrow back."""
    if not isinstance(dtype, pd.ArrowDtype) or is_dictionary(dtype) or _unkept_dtype(dtype):
        return False
    try:
        return pd.api.types.pandas_dtype(str(dtype)) != dtype
    except (NotImplementedError, TypeError, ValueError):
        return True


def refuse_lossy(saved: pd.DataFrame, read: pd.DataFrame) -> None:
    """Raise if a column or a row label would come back as another.

    Parameters
    ----------
    saved : DataFrame
        The frame to save.
    read : DataFrame
        What is read back from its file.
    """
    for position, name in enumerate(saved.columns):
        columns = saved.iloc[:, position], read.iloc[:, position]
        _refuse_lossy_values(f"the column {name!r}", *columns, f"df.assign(**{{{name!r}: ...}})")
    for level, other in zip(levels_of(saved.index), levels_of(read.index), strict=True):
        _refuse_lossy_values(f"the index level {level.name!r}", level, other, "df.reset_index()")
    _refuse_lossy_levels(saved.index, read.index)


def _refuse_lossy_values(owner: str, saved: Any, read: Any, remedy: str) -> None:
    """Raise if values would come back as others, or as objects of other types."""
    if str(saved.dtype) != str(read.dtype):
        raise TypeError(
            f"{owner} is {saved.dtype}, and would come back as {read.dtype}: save "
            f"{remedy} with values of one type that Parquet has"
        )
    if not np.array_equal(saved.isna(), read.isna()):
        raise TypeError(
            f"{owner} holds both NaN and missing values, which would all come back as missing: "
            f"save {remedy} with one of both"
        )
    if saved.dtype != object:
        return
    for value, other in zip(saved, read, strict=True):
        if type(value) is not type(other) or repr(value) != repr(other):
            raise TypeError(
                f"{owner} holds {value!r}, which would come back as {other!r}: save {remedy} with "
                "values of one type that Parquet has, such as text"
            )


def _refuse_lossy_levels(saved: pd.Index[Any], read: pd.Index[Any]) -> None:
    """Raise if the labels of several levels, with missing ones, would come back as others."""
    if not isinstance(saved, pd.MultiIndex) or not isinstance(read, pd.MultiIndex):
        return
    used = (index.remove_unused_levels().levels for index in (saved, read))
    for level, other in zip(*used, strict=True):
        are_integers = level.dtype.kind in "iu"
        changed = level.dtype != other.dtype or (are_integers and not level.isin(other).all())
        if len(level) and changed:
            raise TypeError(
                f"the index level {level.name!r} is {level.dtype} with missing keys, and holds "
                f"{level[0]!r}, which would come back as another: save df.reset_index()"
            )
