"""Tables of counts of partitions: concatenating and adding them leaves their keys as they are.

An engine concatenates tables without a look at their dtypes: integers next to floats are rounded,
and booleans next to integers become integers. Objects are exact, and compare exactly.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from pandas_ordinal.counting.arrays import LARGEST_EXACT
from pandas_ordinal.counting.counts import starts_of
from pandas_ordinal.groups import group

TABLES_AT_ONCE = 2  # with 100,000 groups, eight tables need more memory than a small worker has
MODEL, CELL, ROWS, WEIGHT = "model", "cell", "rows", "weight"
LARGEST_NUMBER = 2**62
POSITIVE, NORM = "rows of positive weight", "root of the sum of squared weights"
NUMBERS = {"boolean", "integer", "floating", "mixed-integer-float"}  # dtypes that pandas infers


def key_column(key: Hashable) -> str:
    """Return the column of a key, which clashes with no other and names the key in errors."""
    return f"key {key!r}"


def exact(name: str, keys: pd.Index[Any], declared: Any) -> pd.Index[Any]:
    """Return numbers as objects, unless they are of the kind that the whole frame declares.

    Times have the unit that it declares.
    """
    kind = keys.dtype.kind
    if kind in "mM" and kind == declared.kind and _zone(keys.dtype) == _zone(declared):
        return _in_unit(name, keys, declared)
    return keys.astype(object) if kind in "biuf" and kind != declared.kind else keys


def _zone(dtype: Any) -> Any:
    """Return the time zone of a dtype of pandas or of Arrow; None without one."""
    return getattr(getattr(dtype, "pyarrow_dtype", dtype), "tz", None)


def _in_unit(name: str, keys: Any, declared: Any) -> pd.Index[Any]:
    """Return times in the unit of a dtype; raise if it does not hold them."""
    times: Any = keys
    try:
        times = keys.astype(declared)
        lost = keys[times != keys]
    except ValueError:  # out of bounds, or less than a unit of Arrow
        lost = keys[[keys.argmax()]]
    if len(lost):
        label = name.removeprefix("key ")
        raise ValueError(
            f"the {name} holds {lost[0]} in some partitions, which {declared} of the frame cannot "
            f"hold: give all of them one type, ddf.astype({{{label}: {str(keys.dtype)!r}}})"
        )
    converted: pd.Index[Any] = times
    return converted


def settled(table: pd.DataFrame, kinds: Mapping[str, str]) -> pd.DataFrame:
    """Return a table of all partitions, with keys as numbers again, given the declared kinds."""
    numbers = {}
    for name, kind in kinds.items():
        values = table[name]
        _refuse_booleans(values)
        if values.dtype != object or kind not in "biuf":
            continue
        if (inferred := pd.api.types.infer_dtype(values)) in NUMBERS:
            if inferred == "mixed-integer-float":
                _refuse_rounded(values)
            numbers[name] = values.infer_objects()
    return table.assign(**numbers)


def distinct(keys: pd.DataFrame) -> pd.DataFrame:
    """Return each group of several partitions once."""
    for name in keys:
        _refuse_booleans(keys[name])
    return keys.drop_duplicates()


def sum_parts(table: pd.DataFrame) -> pd.DataFrame:
    """Sum the concatenated counts of several partitions."""
    columns = list(table.columns)
    keys = columns[: columns.index(MODEL)]
    model, cells = table[MODEL].to_numpy(np.int64), table[CELL].to_numpy(np.int64)
    cells = cells + model * (cells.max(initial=0) + 1)
    if keys:
        for name in keys:
            _refuse_booleans(table[name])
        numbers = group(table, keys, dropna=False).numbers()
        if int(numbers.max(initial=0)) * int(cells.max(initial=0)) >= LARGEST_NUMBER:
            cells = np.unique(cells, return_inverse=True)[1]
        cells = cells + numbers * (cells.max(initial=0) + 1)
    order = np.argsort(cells, kind="stable")
    starts = starts_of(cells[order])
    summed = table.iloc[order[starts]].reset_index(drop=True)
    for name in columns[columns.index(CELL) + 1 :] if len(starts) else []:
        add = np.hypot if name == NORM else np.add
        summed[name] = add.reduceat(table[name].to_numpy()[order], starts)
    return summed


def _refuse_booleans(keys: pd.Series[Any]) -> None:
    """Raise for booleans next to numbers: True and 1 are equal."""
    if keys.dtype != object or not pd.api.types.infer_dtype(keys).startswith("mixed"):
        return
    booleans = [key for key in keys if pd.api.types.is_bool(key)]
    numbers = [
        key for key in keys if pd.api.types.is_number(key) and not pd.api.types.is_bool(key)
    ]
    if booleans and numbers:
        other = "int64" if pd.api.types.is_integer(numbers[0]) else "float64"
        raise _unlike(keys.name, "bool", booleans[0], other, "")


def _refuse_rounded(keys: pd.Series[Any]) -> None:
    """Raise for integers next to floats if they would be rounded to other integers."""
    integers = [int(key) for key in keys if pd.api.types.is_integer(key)]
    largest = max(integers, key=abs)
    if abs(largest) > LARGEST_EXACT:
        whole = "int64" if largest < 2**63 else "uint64"
        raise _unlike(keys.name, whole, largest, "float64", ", which rounds such integers")


def _unlike(name: Any, one: str, key: Any, other: str, why: str) -> ValueError:
    label = name.removeprefix("key ")
    return ValueError(
        f"the {name} is {one} in some partitions, such as {key}, and {other} in others{why}: "
        f"convert it to integers with ddf.astype({{{label}: 'Int64'}}), or to text with "
        f"ddf.astype({{{label}: str}})"
    )
