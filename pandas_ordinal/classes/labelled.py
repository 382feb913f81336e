"""Options labelled by class, put into the order of the classes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.classes.gate import label_key, positions_of
from pandas_ordinal.errors import UnknownClassError, show, unlike

OF_PREDICTIONS = ("pred", "hat", "forecast")


OF_TRUTH = ("true", "truth", "actual", "observ", "reference", "target")


def align(option: str, values: Any, dtype: pd.CategoricalDtype, named: pd.CategoricalDtype) -> Any:
    """Put an option that is labelled by class into the order of the classes.

    Classes that got edges from `bins` also match by their original labels.

    A Series, a dict or a DataArray over `class`, with a value for each class, is matched by label,
    and so is a matrix: a DataFrame, a dict ``{true: {pred: value}}`` or a DataArray over `true`
    and `pred`. A DataFrame's axis names, true and pred, determine which axis is which; without
    names the true classes are on its rows.
    Anything else is returned unchanged.
    """
    if isinstance(values, Mapping):
        values = _from_dict(option, values)
    if isinstance(values, xr.DataArray):
        if values.dims not in (("class",), ("true", "pred"), ("pred", "true")):
            raise ValueError(
                f"{option}= has the dimensions {values.dims}: one value for each class is a "
                "DataArray over 'class', a matrix one over 'true' and 'pred'; rename the "
                f"dimensions, as with {option}.rename(true='class')"
            )
        values = values.transpose("true", "pred") if values.ndim == 2 else values
        labelled = [dim for dim in values.dims if dim in values.indexes]
        if labelled and len(labelled) < values.ndim:
            raise ValueError(
                f"{option}= has labels along {labelled[0]!r} only: label both dimensions, or none"
            )
        values = values.to_pandas() if labelled else values.to_numpy()
    if not isinstance(values, (pd.Series, pd.DataFrame)):
        return values
    if isinstance(values, pd.DataFrame):
        _refuse_other_axes(option, values)
        if is_transposed(option, values):
            values = values.T
    names = set(map(label_key, named.categories))
    if all(set(map(label_key, axis)) <= names for axis in values.axes):
        dtype = named
    for axis in values.axes:
        given = pd.Index(axis)
        if sorted(positions_of(given, dtype)) != list(range(len(dtype.categories))):
            raise UnknownClassError(
                f"{option}= is labelled {show(given)}, but the classes are "
                f"{show(dtype.categories)}{unlike(given, dtype.categories)}: give one value for "
                "each class"
            )
    orders = [np.argsort(positions_of(pd.Index(axis), dtype)) for axis in values.axes]
    return values.to_numpy()[np.ix_(*orders)]


def is_by_row(given: Any) -> bool:
    """Whether probabilities differ between rows: in a table, or in columns that have labels."""
    n_dims = getattr(given, "ndim", 1)
    if n_dims != 1:
        return bool(n_dims == 2)
    listed = given.values() if isinstance(given, Mapping) else given
    is_list = isinstance(given, (Mapping, list, tuple, pd.Index, np.ndarray))
    return is_list and not all(isinstance(one, (Real, list)) for one in listed)


def _from_dict(option: str, values: Mapping[Any, Any]) -> pd.Series[Any] | pd.DataFrame:
    """Return a dict by class as a Series, and one by true and predicted class as a DataFrame."""
    index = pd.Index(list(values), tupleize_cols=False)
    nested = [isinstance(row, Mapping) for row in values.values()]
    if not any(nested):
        if values and all(isinstance(label, tuple) for label in values):
            raise ValueError(
                f"{option}= is a dict of {show(index)}: write a matrix as "
                "{true: {pred: value}}"
            )
        return pd.Series(list(values.values()), index)
    if not all(nested):
        raise ValueError(
            f"{option}= has a dict for some classes only: give one value for each class, or write "
            "a matrix as {true: {pred: value}}"
        )
    columns = list(dict.fromkeys(pred for row in values.values() for pred in row))
    for true, row in values.items():
        for pred in columns:
            if pred not in row:
                raise ValueError(f"{option}= lacks {option}[{true!r}][{pred!r}]: add it")
    cells = [[row[pred] for pred in columns] for row in values.values()]
    return pd.DataFrame(cells, index, pd.Index(columns, tupleize_cols=False))


def _refuse_other_axes(option: str, table: pd.DataFrame) -> None:
    """Raise if the axes have other names, and either may be the truth."""
    rows, columns = table.index.name, table.columns.name
    named = rows is not None and columns is not None and rows != columns
    if named and not {str(rows).lower(), str(columns).lower()} & {"true", "pred"}:
        raise ValueError(
            f"the rows of {option} are named {rows!r} and its columns {columns!r}: name the axis "
            f"of the true classes, as with {option}.rename_axis(index='true', columns='pred')"
        )


def is_transposed(option: str, table: pd.DataFrame) -> bool:
    """Return whether the axis names of a table put the true classes on its columns.

    With names other than true and pred, the true classes are on the rows; names that suggest the
    opposite raise an error.
    """
    rows, columns = (str(axis.name).lower() for axis in table.axes)
    if rows == columns and rows in ("true", "pred"):
        raise ValueError(
            f"both axes of {option} are named {rows!r}: name the rows 'true' and the columns "
            "'pred', or the other way round"
        )
    if {rows, columns} & {"true", "pred"}:
        return rows == "pred" or columns == "true"
    if predictions_are_first(rows, columns):
        raise ValueError(
            f"the rows of {option} are named {table.index.name!r} and its columns "
            f"{table.columns.name!r}, as if predictions were on the rows: if so, add "
            ".rename_axis(index='pred', columns='true'), else with index='true', columns='pred'"
        )
    return False


def predictions_are_first(one: Hashable, other: Hashable) -> bool:
    """Return whether names suggest predictions on the first axis and the truth on the second."""
    names = [str(name).lower() for name in (one, other)]
    predicted, true = (
        [any(word in name for word in words) for name in names]
        for words in (OF_PREDICTIONS, OF_TRUTH)
    )
    return predicted == [True, False] or true == [False, True]
