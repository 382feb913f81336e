"""Columns of counts, as SQL and `groupby(...).size()` return them."""

from __future__ import annotations

from collections.abc import Hashable
from decimal import Decimal
from numbers import Number
from typing import Any

import numpy as np
import pandas as pd

from pandas_ordinal.counting.arrays import LARGEST_EXACT, Floats
from pandas_ordinal.errors import called
from pandas_ordinal.metrics.stack import refuse_other_than_counts


def counts_in(name: Hashable, counts: pd.Series[Any]) -> pd.Series[Any]:
    """Return a column of counts as numbers: sums in SQL may be objects or decimals."""
    if counts.dtype.kind == "b" or pd.api.types.infer_dtype(counts) == "boolean":
        raise ValueError(f"column {name!r} holds booleans, which are not counts")
    if counts.dtype == object or _is_decimal(counts.dtype):
        counts = as_numbers(called(name), counts)
    if counts.dtype.kind not in "iuf":
        raise ValueError(
            f"column {name!r} holds {counts.dtype} values, which are not counts: "
            "convert it, such as with .astype(float)"
        )
    refuse_other_than_counts(counts.to_numpy(dtype=float, na_value=np.nan))
    return counts


def times_in(name: Hashable, counts: pd.Series[Any]) -> Floats:
    """Return how many rows each row of a table stands for."""
    floats: Floats = counts_in(name, counts).to_numpy(dtype=float)
    if (floats != np.floor(floats)).any():
        raise ValueError(
            f"column {name!r} holds fractions, and count= takes numbers of rows: count the rows, "
            "without weights or normalize="
        )
    if floats.sum() >= LARGEST_EXACT:
        raise ValueError(f"column {name!r} adds up to 2**53 or more, which is not exact")
    return floats


def as_numbers(source: str, counts: pd.Series[Any]) -> pd.Series[Any]:
    """Return counts that are Python objects as integers, or else as floats."""
    others = [one for one in counts if isinstance(one, bool) or not isinstance(one, Number)]
    if others:
        are_digits = all(isinstance(one, str) and one.isdigit() for one in others)
        remedy = ": convert it, such as with .astype(float)" * are_digits
        raise ValueError(f"{source} holds {others[0]!r}, which is not a count{remedy}")
    floats = counts.astype(float)
    whole = (floats == np.floor(floats)).all() and floats.max() <= LARGEST_EXACT
    return floats.astype(np.int64) if whole else floats


def _is_decimal(dtype: Any) -> bool:
    return isinstance(dtype, pd.ArrowDtype) and dtype.type is Decimal
