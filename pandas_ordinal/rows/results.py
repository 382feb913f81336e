"""Results of a sample: values and sizes of groups, laid out over their keys, and tables."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from pandas_ordinal.counting.arrays import Array, Positions
from pandas_ordinal.cube.layout import product
from pandas_ordinal.errors import warn_undefined


class Scores(NamedTuple):
    """The values of metrics in the groups that have rows.

    The numbers of these groups; the number of rows, and the values of each metric, by group and
    model.
    """

    numbers: Positions
    n_rows: Array
    values: dict[str, Array]


def n_clusters_of(groups: Sequence[Positions], numbers: Positions) -> Array:
    """Count the clusters, given the group of each one for each model, ``(groups, models)``.

    The numbers of the groups are ascending.
    """
    of_models = [np.bincount(np.searchsorted(numbers, g), minlength=len(numbers)) for g in groups]
    return np.stack(of_models, axis=1)


def n_classes_of(tables: Array) -> Array:
    """Count the true classes that occur, given tables ``(groups, models, K, K)``."""
    return np.asarray((tables.sum(axis=3) > 0).sum(axis=2))


def table_of(
    columns: Mapping[str, Array], axes: list[pd.Index[Any]], facts: Mapping[Hashable | None, Any]
) -> pd.Series[float] | pd.DataFrame:
    """Return the columns as a row per group and model, or as a Series if there are neither."""
    table: pd.Series[float] | pd.DataFrame
    if axes:
        table = pd.DataFrame(columns, product(axes), copy=False)
    else:
        table = pd.Series({name: float(values.item()) for name, values in columns.items()})
    table.attrs = facts
    return table


def laid_out_over(
    values: Array, places: Positions, keys: pd.Index[Any] | None, fill: float
) -> Array:
    """Return the values of all keys, given those of some groups."""
    if keys is None or np.array_equal(places, np.arange(len(keys))):
        return values
    among_all = np.full((len(keys), *values.shape[1:]), fill, values.dtype)
    among_all[places] = values
    return among_all


def warn_of_groups(name: str, axes: Sequence[pd.Index[Any]], values: Array, n_rows: Array) -> None:
    """Warn of the groups that have rows but no value."""
    undefined = np.isnan(values).all(axis=tuple(range(2, values.ndim))) & (n_rows > 0)
    if undefined.any():
        labels = list(product(axes)[undefined.ravel()]) if axes else []
        warn_undefined(name, list(map(repr, labels)))
