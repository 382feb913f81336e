"""Labels as JSON, which holds them exactly: text, numbers, times, periods, dates, intervals."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from typing import Any

import numpy as np
import pandas as pd

from pandas_ordinal.counting.arrays import Array
from pandas_ordinal.files.reading import Json
from pandas_ordinal.hints import import_extra

DATE = "date"  # stands for objects of datetime.date, for which pandas has no dtype
ARROW_TEXT = "arrow string"  # pandas gives it the name of its own nullable text


def labels_to_json(labels: pd.Index[Any] | Array, owner: str, remedy: str) -> Json:
    """Return labels in a form that JSON holds exactly, except for the edges of intervals.

    Parameters
    ----------
    labels : Index or array
        The labels of a coordinate, or the categories of a column.
    owner : str
        The coordinate or column, for the error.
    remedy : str
        How to make labels of other types text, for the error.
    """
    fields: Json
    if isinstance(labels, pd.IntervalIndex):
        edges = np.stack([_numbers(labels.left), _numbers(labels.right)], axis=-1)
        fields = {"dtype": str(labels.left.dtype), "closed": labels.closed, "edges": edges}
    else:
        values = _numbers(labels).ravel().tolist()
        values = [value.item() if isinstance(value, np.generic) else value for value in values]
        fields = {"dtype": _name(labels.dtype), "labels": values}
        if values and all(type(value) is date for value in values):
            fields = {"dtype": DATE, "labels": [value.isoformat() for value in values]}
    try:
        stored = fields if "edges" in fields else json.loads(json.dumps(fields))
        # compared as text: there NaN is itself, and True is not 1
        exact = repr(stored) == repr(fields)
        exact = exact and str(labels_from_json(stored).dtype) == str(labels.dtype)
    except (KeyError, NotImplementedError, TypeError, ValueError):
        exact = False
    if not exact:
        raise TypeError(
            f"the labels of {owner} ({labels.dtype}) cannot be saved exactly, since they are not "
            f"all text, numbers, booleans, dates, times or periods: {remedy}"
        )
    return fields


def labels_from_json(fields: Json) -> Any:
    """Return the labels that `labels_to_json` made JSON of."""
    if "edges" not in fields:
        return _index(fields["labels"], fields["dtype"])
    left, right = (_index([edge[k] for edge in fields["edges"]], fields["dtype"]) for k in (0, 1))
    return pd.IntervalIndex.from_arrays(left, right, closed=fields["closed"])


def dtype_from_name(name: str) -> Any:
    """Return the dtype of labels that `labels_to_json` gave this name."""
    return _index([], name).dtype


def _numbers(labels: pd.Index[Any] | Array) -> Array:
    """Return labels as an array, with times and periods as whole numbers."""
    if isinstance(labels, (pd.DatetimeIndex, pd.TimedeltaIndex, pd.PeriodIndex)):
        return labels.asi8
    array = np.asarray(labels)
    return array.view(np.int64) if array.dtype.kind in "mM" else array


def _index(values: Sequence[Any], name: str) -> Any:
    """Return labels of a dtype from what `_numbers` made of them."""
    if name == DATE:
        return pd.Index(list(map(date.fromisoformat, values)), dtype=object)
    if name == ARROW_TEXT:
        text: Any = pd.ArrowDtype(import_extra("pyarrow").string())
        return pd.Index(values, dtype=text, tupleize_cols=False)
    dtype: Any = pd.api.types.pandas_dtype(name)
    if isinstance(dtype, pd.PeriodDtype):
        periods: Any = pd.PeriodIndex  # whose stubs lack this
        return periods.from_ordinals(values, freq=dtype.freq)
    if isinstance(dtype, np.dtype) and dtype.kind in "mM":
        return pd.Index(np.array(values, np.int64).view(dtype))
    if isinstance(dtype, np.dtype) and dtype.kind == "U":
        # "str" of pandas 3 is NumPy's in pandas 2, whose text is of objects
        return pd.Index(values, dtype=object) if name == "str" else np.array(values, dtype)
    return pd.Index(values, dtype=dtype, tupleize_cols=False)


def _name(dtype: Any) -> str:
    """Return a name of a dtype from which pandas makes it again."""
    if isinstance(dtype, pd.StringDtype) and dtype.na_value is pd.NA:
        return f"string[{dtype.storage}]"
    if isinstance(dtype, pd.ArrowDtype) and str(dtype) == "string[pyarrow]":
        return ARROW_TEXT
    return str(dtype)
