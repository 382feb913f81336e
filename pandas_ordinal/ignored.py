"""Labels that mean nothing here, such as 255 or -1: rows that have one are left out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from numbers import Number
from operator import or_
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from pandas_ordinal.arrays import Array
from pandas_ordinal.classes import ClassesLike, declared, label_key, positions_of
from pandas_ordinal.errors import ClassOrderError
from pandas_ordinal.messages import show

Mask: TypeAlias = npt.NDArray[np.bool_]

NULLABLE: dict[str, Any] = {"i": "Int64", "u": "UInt64", "b": "boolean"}


def labels_of(ignore: Any) -> list[Any]:
    """Return the labels that are ignored, of which one may stand alone."""
    several = isinstance(ignore, (list, set, range, pd.Index, np.ndarray))
    labels = list(ignore) if several else [ignore] * (ignore is not None)
    missing = [label for label in labels if pd.api.types.is_scalar(label) and pd.isna(label)]
    if missing:
        raise ValueError(
            f"ignore= holds {missing[0]!r}, which is no label: rows with missing labels are left "
            "out with dropna=True"
        )
    return labels


def refuse_ignored_classes(classes: ClassesLike | None, ignored: Sequence[Any]) -> None:
    """Raise if a label is both a class that is given and ignored."""
    if classes is None or not ignored:
        return
    both = pd.Index(ignored, dtype=object)[positions_of(pd.Index(ignored), declared(classes)) >= 0]
    if len(both):
        raise ClassOrderError(
            f"{show(both)} is in classes= and in ignore=: leave it out of one of them"
        )


def without(column: pd.Series[Any], ignored: Sequence[Any]) -> tuple[pd.Series[Any], Mask | None]:
    """Return a column of labels, those missing that are ignored, and tell which these are."""
    if not ignored:
        return column, None
    found = _are_ignored(column, ignored)
    if isinstance(column.dtype, pd.CategoricalDtype):
        kept = column.cat.categories[~_are_ignored(pd.Series(column.cat.categories), ignored)]
        return column.cat.set_categories(kept), found
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iub" and found.any():
        column = column.astype(NULLABLE[column.dtype.kind])
    return column.mask(found), found


def are_ignored(values: Array, ignored: Sequence[Any]) -> Mask:
    """Tell which labels of an array are ignored."""
    if values.dtype.kind not in "iuf":
        return _are_ignored(pd.Series(values.ravel()), ignored).reshape(values.shape)
    numbers = _of_kind(values.dtype.kind, ignored)
    found: Mask = reduce(or_, [values == one for one in numbers], np.zeros(values.shape, bool))
    return found


def _are_ignored(column: pd.Series[Any], ignored: Sequence[Any]) -> Mask:
    """Tell which labels of a column are ignored: a boolean is no integer."""
    if column.dtype.kind in "biuf":
        ignored = _of_kind(column.dtype.kind, ignored)
    return column.isin(ignored).to_numpy(dtype=bool)


def _of_kind(kind: str, labels: Sequence[Any]) -> list[Any]:
    """Return the labels that are numbers, or those that are booleans."""
    numbers = [one for one in labels if isinstance(one, (Number, np.number, np.bool_))]
    return [one for one in numbers if label_key(one)[0] == (kind == "b")]
