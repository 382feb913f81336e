"""Scores and class probabilities: what a column may hold, and which class a column is of."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pandas_ordinal.arrays import LARGEST_EXACT
from pandas_ordinal.binning import called
from pandas_ordinal.classes import in_code, label_key
from pandas_ordinal.errors import ClassOrderError, UnknownClassError
from pandas_ordinal.groups import refuse_no_label

Array = npt.NDArray[Any]
SHOWN = 8


def scores_of(name: Hashable, column: pd.Series[Any]) -> Array:
    """Return the numbers of a column, NaN where one is missing.

    An ordered Categorical ranks by its categories; anything else without order is refused.
    """
    if isinstance(column.dtype, pd.CategoricalDtype) and column.dtype.ordered:
        codes = np.asarray(column.array.codes)
        return np.where(codes < 0, np.nan, codes) if (codes < 0).any() else codes
    if column.dtype.kind not in "biuf":
        raise ClassOrderError(
            f"{called(name)} ({column.dtype}) holds no scores, which are numbers: "
            f"{_remedy(in_code(name), column.dtype.kind)}"
        )
    if not column.hasnans:
        numbers = column.to_numpy()
        return numbers if numbers.dtype.kind in "biuf" else column.to_numpy(dtype=float)
    if column.dtype.kind in "iu" and column.abs().max() > LARGEST_EXACT:
        raise ValueError(
            f"column {name!r} holds integers beyond 2**53 beside missing ones, as floats, some of "
            f"which are equal: leave these rows out first, with df.dropna(subset=[{name!r}])"
        )
    return column.to_numpy(dtype=float, na_value=np.nan)


def _remedy(code: str, kind: str) -> str:
    if kind in "mM":
        zero = f"{code}.min()" if kind == "M" else "pd.Timedelta(0)"
        return f"make numbers of times, as with ({code} - {zero}) / pd.Timedelta(days=1)"
    return (
        f"convert it, as with {code}.astype(float), or declare the order of its labels with "
        f"{code}.astype(pd.CategoricalDtype([...], ordered=True))"
    )


def probabilities_of(columns: Sequence[tuple[Hashable, pd.Series[Any]]]) -> Array:
    """Return columns of class probabilities side by side, NaN where one is missing."""
    for name, column in columns:
        if isinstance(column.dtype, pd.CategoricalDtype):
            raise ClassOrderError(
                f"column {name!r} holds labels ({column.dtype}), not probabilities of a class"
            )
    stacked = np.column_stack([scores_of(name, column) for name, column in columns])
    return stacked.astype(float)


def columns_by_class(
    proba: Sequence[Hashable] | pd.Index[Any] | Mapping[Any, Hashable],
    classes: pd.CategoricalDtype,
) -> list[Hashable]:
    """Return the columns of class probabilities in the order of the classes, matched by name."""
    given = proba if isinstance(proba, Mapping) else _named_by_class(proba)
    named = {label_key(label): column for label, column in given.items()}
    labels = [label_key(label) for label in classes.categories]
    if len(named) < len(given) or set(named) != set(labels):
        names = list(given)
        raise UnknownClassError(
            f"proba= has columns for {_some(names)}, but the classes are "
            f"{_some(classes.categories)}: give a column for each class, named as it is, or a "
            "dict {class: column}"
        )
    columns = [named[label] for label in labels]
    if len(set(columns)) < len(columns):
        raise ValueError(f"proba={proba!r} gives a column for two classes: each has its own")
    return columns


def refuse_no_columns(proba: Any) -> None:
    """Raise unless columns of class probabilities are a list or a dict."""
    if not isinstance(proba, (list, pd.Index, np.ndarray, Mapping)):
        raise TypeError(
            f"proba={proba!r} must be a list of columns named as the classes, or a dict {{class: "
            "column}"
        )
    for label in proba.values() if isinstance(proba, Mapping) else proba:
        refuse_no_label("proba", label, "a list holds the columns of one prediction")


def _named_by_class(proba: Sequence[Hashable] | pd.Index[Any]) -> dict[Any, Hashable]:
    columns = list(proba)
    if len(set(map(label_key, columns))) < len(columns):
        raise ValueError(f"proba={_some(columns)} names a column twice: each class has one")
    return {column: column for column in columns}


def _some(labels: Sequence[Any] | pd.Index[Any]) -> str:
    shown = ", ".join(repr(label) for label in list(labels)[:SHOWN])
    return f"[{shown}{', ...' if len(labels) > SHOWN else ''}]"
