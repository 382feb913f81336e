"""Differences of extremes over the classes, such as the largest of the errors of all classes.

Leaving out a row does not move an extreme where classes tie, so that influences would make it look
more certain than it is. What is uncertain is the mean of the class that it comes from.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pandas_ordinal.counting.arrays import Floats, Positions
from pandas_ordinal.inference.class_bounds import class_means
from pandas_ordinal.inference.influence import ROUNDING_ERROR, ratio, tolerance_of
from pandas_ordinal.inference.interval import Measure
from pandas_ordinal.inference.paired import IndependentRows, Spread
from pandas_ordinal.inference.scale import between, covariance_of, variance_between


class ExtremeClass(NamedTuple):
    """The class that an extreme comes from, in each table.

    Attributes
    ----------
    place : ndarray, shape (tables,)
        The class.
    size, mean : ndarray, shape (tables,)
        The number of its rows, and their mean with the pseudo-row.
    by_cell : ndarray, shape (tables, K, K)
        What a row adds to the mean of this class with its pseudo-row: 0 in other classes.
    of_pseudo_row : ndarray, shape (tables,)
        The square of the same for the pseudo-row.
    variances : ndarray, shape (tables, K)
        The sum of the squares of each class, divided in the same way.
    """

    place: Positions
    size: Floats
    mean: Floats
    by_cell: Floats
    of_pseudo_row: Floats
    variances: Floats


def extreme_class(measure: Measure, counts: Floats) -> ExtremeClass:
    """Return the class that an extreme comes from; of classes that tie, the most uncertain one."""
    assert measure.of_class is not None
    costs, pseudo, sizes, means, squares = class_means(measure.of_class, counts)
    signed = np.where(sizes > 0, means if measure.is_largest else -means, -np.inf)
    tolerance = tolerance_of(means, (costs.min(axis=1), costs.max(axis=1)))
    ties = signed >= signed.max(axis=1, keepdims=True) - tolerance
    uncertainty = np.where(ties, ratio(squares, sizes**2), -1)
    most = uncertainty.max(axis=1, keepdims=True)
    place = (uncertainty >= most * (1 - ROUNDING_ERROR)).argmax(axis=1)
    every = np.arange(len(counts))
    size, mean = sizes[every, place], means[every, place]
    added = (costs[place] - mean[:, None]) / (size + 1)[:, None]
    by_cell = np.zeros_like(counts)
    by_cell[every, place] = added
    of_pseudo_row = (pseudo[every, place] * added**2).sum(axis=1)
    variances = squares / (sizes + 1) ** 2
    return ExtremeClass(place, size, mean, by_cell, of_pseudo_row, variances)


def spread_of_extremes(measure: Measure, rows: IndependentRows, counts: Floats) -> Spread:
    """Return how the differences of an extreme vary.

    With f rows in the smaller of the two classes that two values come from, the variance of their
    difference is ``(f + 1) / f`` times the sum of squares, with f - 1 degrees of freedom. If the
    classes differ, either value may have come from the other class: if its mean in that class is
    more uncertain, its variance grows by as much.
    """
    chosen = extreme_class(measure, counts)
    products = rows.products(chosen.by_cell).sum(axis=1)
    shape = -1, rows.n_models
    size, mean, of_pseudo_row = (
        each.reshape(shape) for each in (chosen.size, chosen.mean, chosen.of_pseudo_row)
    )
    every = np.arange(rows.n_models)
    products[:, every, every] += of_pseudo_row
    own = products.diagonal(axis1=1, axis2=2)
    more = _more_uncertain(chosen, rows.n_models)
    squares = variance_between(products) + more + more.swapaxes(1, 2)
    smaller = np.minimum(size[:, :, None], size[:, None, :])
    stretch = (smaller + 1) / smaller
    covariance = covariance_of((size + 1) / size * own, stretch * squares)
    return Spread(stretch * between(mean), covariance, smaller - 1)


def _more_uncertain(chosen: ExtremeClass, n_models: int) -> Floats:
    """Return how much less certain each model is in the class of each other one, at least 0."""
    place = chosen.place.reshape(-1, 1, n_models)
    variances = chosen.variances.reshape(len(place), n_models, -1)
    in_class_of = np.take_along_axis(variances, place.repeat(n_models, axis=1), axis=2)
    own = in_class_of.diagonal(axis1=1, axis2=2)[:, :, None]
    return np.asarray(np.maximum(in_class_of - own, 0))
