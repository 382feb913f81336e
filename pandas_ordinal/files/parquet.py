"""Frames as Parquet files that keep the classes of their Categorical columns."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np
import pandas as pd

from pandas_ordinal.errors import ClassOrderError
from pandas_ordinal.files.parts import (
    FORMAT,
    KEY,
    FilePath,
    Parts,
    beside,
    described,
    needed,
    read_marker,
    rebuilt,
)
from pandas_ordinal.groups import levels_of

HELD = ("string", "integer", "floating", "datetime64", "empty")  # column labels, in Parquet

NO_CATEGORIES = (
    "the file holds no class order: pandas_ordinal did not write it, or another tool has changed "
    "it. Read it with pd.read_parquet(path) and declare the order of each label column, lowest "
    'class first: df["y"].ordinal.as_ordered([...])'
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
    pa, pq = needed("pyarrow"), needed("pyarrow.parquet")
    _refuse_frame(frame)
    plain = frame.copy(deep=False)
    columns: dict[int, Parts] = {}
    for position, name in enumerate(frame.columns):
        column = frame.iloc[:, position]
        if isinstance(column.dtype, pd.CategoricalDtype):
            parts = _classes(column.dtype, name)
            texts = pd.CategoricalDtype(parts["texts"], parts["ordered"])
            plain.isetitem(position, pd.Categorical.from_codes(column.cat.codes, dtype=texts))
            columns[position] = parts
    table = pa.Table.from_pandas(plain)
    for position, parts in columns.items():
        parts["column"] = table.schema.names[position]
    metadata = {**table.schema.metadata, KEY: json.dumps({"format": FORMAT, "columns": columns})}
    if frame.attrs:  # as pandas keeps them
        metadata["PANDAS_ATTRS"] = json.dumps(frame.attrs)
    with beside(path) as place:
        pq.write_table(table.replace_schema_metadata(metadata), place)


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
    try:
        schema = parquet.read_schema(path)
    except (OSError, ValueError) as error:
        raise ClassOrderError(f"{os.fspath(path)!r} is no Parquet file: {error}") from error
    marker = read_marker((schema.metadata or {}).get(KEY.encode()), NO_CATEGORIES)
    frame = pd.read_parquet(path, engine="pyarrow")
    for key, parts in marker["columns"].items():
        position = int(key)
        if schema.names[position : position + 1] != [parts["column"]]:
            raise ClassOrderError(NO_CATEGORIES)
        frame.isetitem(position, _from_texts(frame.iloc[:, position], parts))
    return frame


def _classes(dtype: pd.CategoricalDtype, name: Any) -> Parts:
    """Return the classes of a column as JSON, and as texts to save in their place."""
    labels = dtype.categories.tolist()
    parts = described(
        dtype.categories, f"the column {name!r}", f"df[{name!r}].cat.rename_categories(str)"
    )
    if "edges" in parts:
        parts["edges"] = parts["edges"].tolist()
    texts = list(map(str, labels))
    # of 1 and "1" as classes, and of a lone surrogate, which is no text for Parquet
    if len(set(texts)) < len(texts) or any("\ud800" <= c <= "\udfff" for c in "".join(texts)):
        texts = [f"{position}: {label!a}" for position, label in enumerate(labels)]
    return {**parts, "ordered": bool(dtype.ordered), "texts": texts}


def _from_texts(column: pd.Series[Any], parts: Parts) -> pd.Categorical:
    """Return a column with the classes that its texts stand for."""
    stored = pd.Categorical(column)
    lookup = {text: position for position, text in enumerate(parts["texts"])}
    if not set(stored.categories) <= set(lookup):
        raise ClassOrderError(NO_CATEGORIES)
    positions = np.array([*map(lookup.__getitem__, stored.categories), -1], np.intp)
    dtype = pd.CategoricalDtype(rebuilt(parts), parts["ordered"])
    return pd.Categorical.from_codes(positions[stored.codes], dtype=dtype)


def _refuse_frame(frame: pd.DataFrame) -> None:
    """Raise if the classes of a frame are where Parquet cannot hold them."""
    if any(isinstance(level, pd.CategoricalIndex) for level in levels_of(frame.index)):
        raise TypeError(
            "the index of the frame is Categorical, and would lose its classes: save "
            "df.reset_index()"
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
    if not len(frame.columns) and len(frame) and isinstance(frame.index, pd.RangeIndex):
        raise ValueError(
            f"the frame has {len(frame)} rows, but no columns, so that the file would have no "
            "rows: save df.reset_index()"
        )
