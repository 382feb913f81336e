"""Labels, scores and class probabilities of arrays turned into codes of classes."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal import metrics
from pandas_ordinal.classes.gate import ClassesLike, declared, positions_of, smallest
from pandas_ordinal.counting.arrays import Array
from pandas_ordinal.dataarrays.class_codes import like, with_classes_of
from pandas_ordinal.dataarrays.flags import decoded, described
from pandas_ordinal.dataarrays.labels import label_reader
from pandas_ordinal.dataarrays.tiles import numbers_of, tiles
from pandas_ordinal.errors import ClassOrderError, brief, did_you_mean
from pandas_ordinal.query import Query
from pandas_ordinal.reports.metrics import classes_of
from pandas_ordinal.rows.sets import limits_and_their_classes
from pandas_ordinal.rows.summaries import ThresholdsLike, limits_and_classes

NAME_OF_CLASSES = "class"


def ordered(array: xr.DataArray, classes: ClassesLike) -> xr.DataArray:
    """Return labels as codes of classes."""
    labels, flags = described({"true": array}, None)
    reader = label_reader(labels, flags, Query(classes=classes, dropna=True), None)
    codes = reader.coded(labels["true"], str(array.name or "labels"), [])
    return _of_classes(array, codes.astype(smallest(reader.classes)).variable, reader.classes)


def classify_scores(
    array: xr.DataArray, thresholds: ThresholdsLike, classes: ClassesLike | None
) -> xr.DataArray:
    """Turn scores into classes by thresholds."""
    limits, dtype = limits_and_classes(thresholds, classes)
    metrics.classify(np.zeros(0), limits)  # wrong ones raise before anything is computed
    scores = decoded(array)
    numbers_of(str(array.name or "score"), np.empty(0, scores.dtype))
    codes = xr.apply_ufunc(
        partial(_by_tile, partial(metrics.classify, thresholds=limits), smallest(dtype)),
        scores.variable,
        dask="parallelized",
        output_dtypes=[smallest(dtype)],
    )
    return _of_classes(array, codes, dtype)


def decide(
    proba: xr.DataArray, rule: Callable[..., Any], dim: Hashable | None, **options: Any
) -> xr.DataArray:
    """Return the class of each case by a rule for probabilities, whose options may have labels."""
    given, classes = _by_class(proba, dim)
    bound = partial(rule, **classes_of(classes, None).aligned(options))
    codes = _ruled(given, bound, smallest(classes), -1)
    return _of_classes(_cases_of(given).rename(rule.__name__), codes, classes)


def sets_of_cases(
    proba: xr.DataArray, limits: Any, dim: Hashable | None, atol: float | None
) -> xr.Dataset:
    """Return the lowest and the highest class of the set of each case."""
    given, classes = _by_class(proba, dim)
    has_order = getattr(getattr(limits, "index", None), "ordered", False)
    values, dtype = limits_and_their_classes(limits, None if has_order else classes)
    order = positions_of(classes.categories, dtype)
    if sorted(order) != list(range(len(dtype.categories))):
        raise ClassOrderError(
            f"limits are those of the classes {list(dtype.categories)}, but the dimension "
            f"{brief(given.dims[-1])} has {list(classes.categories)}: it needs each of them once"
        )
    given = given.isel({given.dims[-1]: np.argsort(order)})
    ends = {}
    for place, name in enumerate(("low", "high")):
        rule = partial(_end, place, limits=values, atol=atol)
        codes = _ruled(given, rule, smallest(dtype), -1)
        ends[name] = _of_classes(_cases_of(given).rename(name), codes, dtype)
    return xr.Dataset(ends)


def _end(place: int, proba: Array, **options: Any) -> Array:
    """Return one end of the set of each row."""
    return metrics.prediction_sets(proba, **options)[place]


def expect(proba: xr.DataArray, dim: Hashable | None, atol: float | None) -> xr.DataArray:
    """Return the mean class position of each case."""
    given, _ = _by_class(proba, dim)
    expected = _ruled(given, partial(metrics.expected_class, atol=atol), np.dtype(float), np.nan)
    return like(_cases_of(given).rename("expected_class"), expected)


def _cases_of(proba: xr.DataArray) -> xr.DataArray:
    """Return an array without the dimension of the classes, which is the last."""
    return proba.isel({proba.dims[-1]: 0}, drop=True)


def _of_classes(
    array: xr.DataArray, codes: xr.Variable, classes: pd.CategoricalDtype
) -> xr.DataArray:
    """Return codes with the coordinates of an array, and attributes for the classes."""
    labels = classes.categories
    bins = labels if isinstance(labels, pd.IntervalIndex) else None
    return with_classes_of(like(array, codes), classes, bins)


def _by_tile(function: Callable[[Array], Array], dtype: np.dtype[Any], values: Array) -> Array:
    """Apply a function to values tile by tile."""
    results = np.empty(values.shape, dtype)
    for tile in tiles(values.shape):
        results[tile] = function(values[tile])
    return results


def _ruled(
    proba: xr.DataArray, rule: Callable[..., Any], dtype: np.dtype[Any], missing: float
) -> xr.Variable:
    """Apply a rule to the probabilities of each case, in one chunk along the classes."""
    rule(np.empty((0, proba.shape[-1])))  # wrong options raise before anything is computed
    ruled: xr.Variable = xr.apply_ufunc(
        partial(_apply, rule, dtype, missing),
        proba.variable,
        input_core_dims=[[proba.dims[-1]]],
        dask="parallelized",
        output_dtypes=[dtype],
    )
    return ruled


def _apply(rule: Callable[..., Any], dtype: np.dtype[Any], missing: float, proba: Array) -> Array:
    """Apply a rule to probabilities ``(..., K)``; a case without all of them is missing."""
    results: Array = np.full(proba.shape[:-1], missing, dtype)
    for tile in tiles(results.shape):
        rows = proba[tile]
        known = ~np.logical_or.reduce(np.isnan(rows), axis=-1, keepdims=True)[..., 0]
        of_tile = np.full(known.shape, missing, dtype)
        of_tile[known] = rule(rows[known])
        results[tile] = of_tile
    return results


def _by_class(
    proba: xr.DataArray, dim: Hashable | None
) -> tuple[xr.DataArray, pd.CategoricalDtype]:
    """Return probabilities with the classes last, in one chunk along them, and the classes."""
    dim = _dim_of_classes(proba) if dim is None else dim
    if not pd.api.types.is_hashable(dim) or dim not in {*proba.dims}:
        raise ValueError(
            f"the probabilities have no dimension {brief(dim)}, only {proba.dims}"
            f"{did_you_mean(dim, proba.dims)}"
        )
    if dim not in proba.indexes:
        raise ClassOrderError(
            f"the dimension {brief(dim)} has no coordinate, which names the classes, lowest "
            f"first: give proba.assign_coords({{{dim!r}: [...]}})"
        )
    numbers_of(str(proba.name or "proba"), np.empty(0, proba.dtype))
    labels = proba.indexes[dim]
    classes = declared(labels)
    order = positions_of(labels, classes)
    if sorted(order) != list(range(len(classes.categories))):
        raise ClassOrderError(
            f"the dimension {brief(dim)} has {labels.tolist()}, but its ordered Categorical has "
            f"the classes {classes.categories.tolist()}: it needs each of them once"
        )
    given = decoded(proba).transpose(..., dim)
    if (np.diff(order) < 0).any():
        given = given.isel({dim: np.argsort(order)})
    return (given if given.chunks is None else given.chunk({dim: -1})), classes


def _dim_of_classes(proba: xr.DataArray) -> Hashable:
    """Return the dimension that is named as that of the classes, or has ordered labels."""
    found = [
        dim
        for dim in proba.dims
        if dim == NAME_OF_CLASSES or getattr(proba.indexes.get(dim), "ordered", False)
    ]
    if len(found) != 1:
        raise ValueError(
            f"the probabilities have the dimensions {proba.dims}, and {len(found)} of them are "
            f"called {NAME_OF_CLASSES!r} or have an ordered Categorical as coordinate: name the "
            "one that has the classes as its coordinate, lowest first, in dim="
        )
    return found[0]
