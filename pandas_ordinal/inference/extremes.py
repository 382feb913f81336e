"""Differences of extremes over the classes, such as the largest of the errors of all classes.

Leaving out a row does not move an extreme where classes tie, so that influences would make it look
more certain than it is. What is uncertain is the mean of the class that it comes from.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pandas_ordinal.counting.arrays import Array, Floats, Positions
from pandas_ordinal.inference.class_bounds import class_means
from pandas_ordinal.inference.influence import ROUNDING_ERROR, ratio, tolerance_of
from pandas_ordinal.inference.interval import Measure
from pandas_ordinal.inference.paired import IndependentRows, Spread
from pandas_ordinal.inference.scale import between, covariance_of, variance_between

REACH = 2  # how many standard errors from the extreme a class may be its true one


class ExtremeClass(NamedTuple):
    """The class that an extreme comes from, in each table.

    Attributes
    ----------
    size, mean : ndarray, shape (tables,)
        The number of its rows, and their mean with the pseudo-row.
    by_cell : ndarray, shape (tables, K, K)
        What a row adds to the mean of this class with its pseudo-row: 0 in other classes.
    of_pseudo_row : ndarray, shape (tables,)
        The square of the same for the pseudo-row.
    more : ndarray, shape (tables,)
        How much the variance grows because the extreme may belong to a less certain class.
    fewest : ndarray, shape (tables,)
        The number of rows of the smaller one of these two classes.
    """

    size: Floats
    mean: Floats
    by_cell: Floats
    of_pseudo_row: Floats
    more: Floats
    fewest: Floats


def extreme_class(measure: Measure, counts: Floats) -> ExtremeClass:
    """Return the class that an extreme comes from; of classes that tie, the most uncertain one."""
    assert measure.of_class is not None
    costs, pseudo, sizes, means, squares = class_means(measure.of_class, counts)
    signed = np.where(sizes > 0, means if measure.is_largest else -means, -np.inf)
    tolerance = tolerance_of(means, (costs.min(axis=1), costs.max(axis=1)))
    ties = signed >= signed.max(axis=1, keepdims=True) - tolerance
    uncertainty = ratio(squares, sizes**2)
    place = _least_certain(ties, uncertainty)
    every = np.arange(len(counts))
    size, mean = sizes[every, place], means[every, place]
    variances = uncertainty * sizes / (sizes + 1)
    reaches = signed + REACH * np.sqrt(variances) >= signed.max(axis=1, keepdims=True)
    other = _least_certain(ties | reaches, variances)
    more = np.maximum(variances[every, other] - variances[every, place], 0)
    fewest = np.minimum(size, sizes[every, other])
    added = (costs[place] - mean[:, None]) / (size + 1)[:, None]
    by_cell = np.zeros_like(counts)
    by_cell[every, place] = added
    of_pseudo_row = (pseudo[every, place] * added**2).sum(axis=1)
    return ExtremeClass(size, mean, by_cell, of_pseudo_row, more, fewest)


def _least_certain(among: Array, uncertainty: Floats) -> Positions:
    """Return the least certain of some classes of each table; of those that tie, the lowest."""
    uncertainty = np.where(among, uncertainty, -1)
    most = uncertainty.max(axis=1, keepdims=True)
    return np.asarray((uncertainty >= most * (1 - ROUNDING_ERROR)).argmax(axis=1))


def spread_of_extremes(measure: Measure, rows: IndependentRows, counts: Floats) -> Spread:
    """Return how the differences of an extreme vary.

    With f rows in the smaller of the two classes that two values come from, the variance of their
    difference is ``(f + 1) / f`` times the sum of squares. In a rare class, the rows may not show
    that the extreme is in truth its own: if a less certain class comes within two standard errors
    of the extreme, the variance grows to that of its mean. The degrees of freedom are those of the
    smallest of these classes.
    """
    chosen = extreme_class(measure, counts)
    products = rows.products(chosen.by_cell).sum(axis=1)
    shape = -1, rows.n_models
    size, mean, of_pseudo_row, more, fewest = (
        each.reshape(shape)
        for each in (chosen.size, chosen.mean, chosen.of_pseudo_row, chosen.more, chosen.fewest)
    )
    every = np.arange(rows.n_models)
    products[:, every, every] += of_pseudo_row
    own = products.diagonal(axis1=1, axis2=2)
    squares = variance_between(products)
    smaller, df = (np.minimum(each[:, :, None], each[:, None, :]) for each in (size, fewest - 1))
    stretch = (smaller + 1) / smaller
    variance = stretch * squares + more[:, :, None] + more[:, None, :]
    variance[:, every, every] = 0
    covariance = covariance_of((size + 1) / size * own + more, variance)
    return Spread(stretch * between(mean), covariance, df)
