"""Tables and columns of other libraries, which come to pandas through Arrow."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Protocol

import pandas as pd

from pandas_ordinal.errors import ClassOrderError, called
from pandas_ordinal.hints import import_extra


class ArrowTable(Protocol):
    """A table of another library, such as DuckDB or Polars, that gives its rows as Arrow does."""

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns, which type checkers tell from those of a Series."""
        ...

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the rows."""
        ...


def frame_of(table: Any) -> Any:
    """Return a table that has an Arrow stream as a frame; anything else is returned unchanged.

    Only the stream states which dictionaries are ordered. DuckDB's ``.df()`` marks all of them as
    ordered, even those in alphabetical order.
    """
    if isinstance(table, (pd.DataFrame, pd.Series)) or not hasattr(table, "__arrow_c_stream__"):
        return table
    pa = import_extra("pyarrow")
    try:
        stream = pa.RecordBatchReader.from_stream(table)
    except pa.ArrowInvalid:  # the stream of a column
        return table
    rows = stream.read_all()
    if hasattr(table, "read_next_batch") and not rows.num_rows:
        raise ValueError(
            "the reader has no rows left, as a reader can be read only once: give a new one, or "
            "the table that reader.read_all() returns"
        )
    return _in_pandas(pa, rows)


def _in_pandas(pa: Any, table: Any) -> pd.DataFrame:
    """Return an Arrow table as a frame, without changing an order or rounding an integer."""
    rounded = set()
    for place, (field, column) in enumerate(zip(table.schema, table.columns, strict=True)):
        if is_dictionary(field.type):
            refuse_joined(field.name, column)
            if pa.types.is_unsigned_integer(field.type.index_type):  # not read by pyarrow 16
                kind = pa.dictionary(pa.int64(), field.type.value_type, field.type.ordered)
                table = table.set_column(place, field.with_type(kind), column.cast(kind))
        elif column.null_count and pa.types.is_integer(field.type):
            rounded.add(field.type)

    def exact(of_arrow: Any) -> Any:
        """Return the type of integers that pandas would turn into floats if one is missing."""
        name = str(of_arrow).replace("i", "I").replace("u", "U")
        return pd.api.types.pandas_dtype(name) if of_arrow in rounded else None

    frame: pd.DataFrame = table.to_pandas(types_mapper=exact)
    return frame


def series_of(name: Hashable, values: Any) -> Any:
    """Return a column of another library as a Series; anything else is returned unchanged.

    An Enum of Polars is a dtype: it gives its labels, in their order.
    """
    if _is_enum(values):
        values = values.categories
    if not hasattr(values, "to_pandas"):
        return values
    dtype: Any = getattr(values, "dtype", None)
    if _is_enum(dtype):  # which some versions of Polars convert without its order
        order = pd.CategoricalDtype(dtype.categories.to_list(), ordered=True)
        return values.to_pandas().astype(order)
    if hasattr(values, "chunks") and is_dictionary(getattr(values, "type", None)):
        refuse_joined(name, values)
    return values.to_pandas()


def _is_enum(dtype: Any) -> bool:
    """Whether a dtype is an Enum of Polars."""
    kind = type(dtype)
    return kind.__name__ == "Enum" and kind.__module__.startswith("polars.")


def is_dictionary(dtype: Any) -> bool:
    """Whether a dtype, of pandas or of Arrow, is that of an Arrow dictionary."""
    return hasattr(getattr(dtype, "pyarrow_dtype", dtype), "index_type")


def refuse_joined(name: Hashable, dictionary: Any) -> None:
    """Raise if an ordered Arrow dictionary has chunks that declare different orders."""
    orders = {tuple(chunk.dictionary.to_pylist()) for chunk in dictionary.chunks}
    if dictionary.type.ordered and len(orders) > 1:
        raise ClassOrderError(
            f"{called(name)} is joined from Arrow dictionaries of different labels or orders, "
            "so that the whole has no order: give each part all classes, as with "
            ".astype(pd.CategoricalDtype([...], ordered=True)), before you join them"
        )
