"""How scores over groups and models become floats and Series."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pandas_ordinal.accessors.base import warn_undefined
from pandas_ordinal.cube import class_index, product
from pandas_ordinal.groups import Groups, with_empty_bins
from pandas_ordinal.metrics.metric import Metric

Array = npt.NDArray[Any]


def keys_of(
    groups: Groups | None, numbers: npt.NDArray[np.intp]
) -> tuple[pd.Index[Any] | None, npt.NDArray[np.intp]]:
    """Return the keys of the groups to be shown, and where these groups are among them."""
    return (None, numbers) if groups is None else with_empty_bins(groups.index(numbers))


def over_keys(
    groups: Groups | None,
    models: pd.Index[Any] | None,
    numbers: npt.NDArray[np.intp],
    n_rows: Array,
    scores: Mapping[str, Array],
) -> tuple[list[pd.Index[Any]], Array, dict[str, Array]]:
    """Put results of the groups of these numbers over the keys and the models that are shown.

    Returns the keys and the models, as far as there are any, and over both the number of rows and
    the scores.
    """
    keys, places = keys_of(groups, numbers)
    axes = [] if models is None else [models]
    if keys is None:
        return axes, n_rows, dict(scores)
    shown = {name: spread(values, places, len(keys), np.nan) for name, values in scores.items()}
    return [keys, *axes], spread(n_rows, places, len(keys), 0), shown


def spread(values: Array, places: npt.NDArray[np.intp], size: int, fill: float) -> Array:
    """Put values of some groups among those of all groups."""
    if len(values) == size:
        return values
    among_all = np.full((size, *values.shape[1:]), fill, values.dtype)
    among_all[places] = values
    return among_all


def as_series(
    axes: Sequence[pd.Index[Any]],
    n_rows: Array,
    values: Array,
    metric: Metric,
    classes: pd.CategoricalDtype,
) -> float | pd.Series[float]:
    """Return the scores by one metric, and warn of groups that hold rows and have none."""
    warn_of_groups(axes, n_rows, values, metric)
    if metric.output:
        axes = [*axes, class_index(classes, "true")]
    if not axes:
        return float(values.item())
    return pd.Series(values.ravel(), product(axes), name=metric.name)


def warn_of_groups(
    axes: Sequence[pd.Index[Any]], n_rows: Array, values: Array, metric: Metric
) -> None:
    """Warn of the groups that hold rows and have no value."""
    undefined = np.isnan(values).all(axis=tuple(range(2, values.ndim))) & (n_rows > 0)
    if undefined.any():
        labels = list(product(axes)[undefined.ravel()]) if axes else []
        warn_undefined(metric.name, list(map(repr, labels)))
