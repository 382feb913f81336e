"""Intervals of shares and of the metrics of single classes, and of their extremes and means."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from pandas_ordinal.counting.arrays import Floats
from pandas_ordinal.inference.influence import CountMetric, pseudo_predictions, ratio
from pandas_ordinal.inference.scale import Interval, quantile, to_interval


def clopper_pearson(
    successes: Floats, trials: Floats, level: float | Floats
) -> tuple[Floats, Floats]:
    """Return the exact bounds of a share of independent rows, by Clopper and Pearson.

    Parameters
    ----------
    successes, trials : ndarray
        How many rows succeed, of how many; any shapes that broadcast.
    level : float or ndarray
        The level of the intervals.

    Returns
    -------
    tuple of ndarray
        The lower and the upper bound, NaN without trials. They are quantiles of the beta
        distribution: ``B(tail; s, n - s + 1)`` and ``B(1 - tail; s + 1, n - s)`` for s successes
        of n, with ``tail = (1 - level) / 2``. The lower bound of no success is 0, the upper bound
        of no failure 1.

    References
    ----------
    C. Clopper and E. Pearson, The use of confidence or fiducial limits illustrated in the case of
    the binomial, Biometrika 26 (1934) 404-413, doi:10.1093/biomet/26.4.404.

    Examples
    --------
    >>> low, high = clopper_pearson(np.array([81.0, 0.0]), np.array([263.0, 20.0]), 0.95)
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.2527, 0.0], [0.3676, 0.1684])
    """
    from scipy.special import betaincinv  # slow to import, and not needed elsewhere

    successes, trials, level = np.broadcast_arrays(successes, trials, level)
    failures, tail = trials - successes, (1 - level) / 2
    with np.errstate(all="ignore"):
        low = betaincinv(np.maximum(successes, 1), failures + 1, tail)
        high = betaincinv(successes + 1, np.maximum(failures, 1), 1 - tail)
    low, high = np.where(successes > 0, low, 0), np.where(failures > 0, high, 1)
    return np.where(trials > 0, low, np.nan), np.where(trials > 0, high, np.nan)


ClassIntervals: TypeAlias = Callable[[CountMetric, bool], tuple[Floats, Floats]]
"""The bounds of a metric per class, ``(batch, K)``: of each class, or of all at once."""


def class_intervals(counts: Floats, level: float) -> ClassIntervals:
    """Return a function that finds the bounds of each metric per class once for some tables."""
    n_present = (counts.sum(axis=2) > 0).sum(axis=1)
    of_all = 1 - (1 - level) / np.maximum(n_present, 1)[:, None]

    @functools.cache
    def find(of_class: CountMetric, at_once: bool) -> tuple[Floats, Floats]:
        return intervals_of_classes(of_class, counts, of_all if at_once else level)

    return find


def extreme(
    of_class: CountMetric, is_largest: bool, found: ClassIntervals, estimate: Floats, n: Floats
) -> Interval:
    """Return the interval of the largest or the smallest class value, from one of each class."""
    low, high = found(of_class, False)
    strict_low, strict_high = found(of_class, True)
    if is_largest:
        low, high = _largest(strict_low), _largest(high)
    else:
        low, high = -_largest(-low), -_largest(-strict_high)
    low, high = np.fmin(low, estimate), np.fmax(high, estimate)
    undefined = ~np.isfinite(estimate) | (n < 2)
    return Interval(low, high, se=np.full(len(n), np.nan)).without(undefined)


def _largest(ends: Floats) -> Floats:
    """Return the largest end of each table; NaN stands for an absent class."""
    largest: Floats = np.fmax.reduce(ends, axis=1)
    return largest


def bounds_by_class(
    value: CountMetric, of_class: CountMetric, found: ClassIntervals
) -> tuple[Floats, Floats]:
    """Return a mean over the classes of the lower and of the upper bounds of each class.

    The mean is of any kind that rises with the value of each class.
    """
    bounds = found(of_class, False)
    costs = costs_of_class(of_class, bounds[0].shape[-1])
    every, lowest, highest = np.arange(len(costs)), costs.argmin(axis=1), costs.argmax(axis=1)
    least, span = costs.min(axis=1), np.ptp(costs, axis=1)
    ends = []
    for end in bounds:
        share = ratio(end - least, span)
        tables = np.zeros((*end.shape, len(costs)))
        tables[:, every, lowest] = 1 - share
        tables[:, every, highest] += share
        tables[np.isnan(end)] = 0
        ends.append(np.asarray(value(tables), float))
    return ends[0], ends[1]


def costs_of_class(of_class: CountMetric, n_classes: int) -> Floats:
    """Return the values of single rows by true and predicted class, whose mean is the metric."""
    # one row of each class, all predicted alike: classes do not depend on one another
    alike = np.eye(n_classes)[:, None, :].repeat(n_classes, axis=1)
    costs: Floats = of_class(alike).T
    return costs


class ClassMeans(NamedTuple):
    """A metric per class that is a mean over its rows, with one pseudo-row in each class.

    Attributes
    ----------
    costs : ndarray, shape (K, K)
        The value of a row of each true class by its predicted class.
    pseudo : ndarray, shape (batch, K, K)
        How the pseudo-row of each true class is predicted, as shares.
    sizes, means, squares : ndarray, shape (batch, K)
        The number of rows of each class, without the pseudo-row; the mean over rows and
        pseudo-row, and the sum of the squared distances to it.
    """

    costs: Floats
    pseudo: Floats
    sizes: Floats
    means: Floats
    squares: Floats


def class_means(of_class: CountMetric, counts: Floats) -> ClassMeans:
    """Return a metric per class that is a mean over its rows, given counts ``(batch, K, K)``."""
    sizes, costs = counts.sum(axis=2), costs_of_class(of_class, counts.shape[-1])
    pseudo = pseudo_predictions(counts)
    smoothed = counts + pseudo
    means = (smoothed * costs).sum(axis=2) / (sizes + 1)
    squares = (smoothed * (costs - means[:, :, None]) ** 2).sum(axis=2)
    return ClassMeans(costs, pseudo, sizes, means, squares)


def intervals_of_classes(
    of_class: CountMetric, counts: Floats, level: float | Floats
) -> tuple[Floats, Floats]:
    """Return the bounds of a metric per class that is a mean over its rows, ``(batch, K)``.

    Those of shares are exact. Other metrics get a pseudo-row in each class, and bounds in the
    range of the class, which is also the interval of a class with a single row. A class without
    rows has NaN.
    """
    sizes, costs = counts.sum(axis=2), costs_of_class(of_class, counts.shape[-1])
    limits = costs.min(axis=1), costs.max(axis=1)
    if np.isin(costs, (0, 1)).all():
        low, high = clopper_pearson((counts * costs).sum(axis=2), sizes, level)
        return np.maximum(low, limits[0]), np.minimum(high, limits[1])
    _, _, _, means, squares = class_means(of_class, counts)
    t = quantile(sizes - 1, level)
    with np.errstate(all="ignore"):
        ends = to_interval(means, np.sqrt(squares / ((sizes + 1) * sizes)), t, limits)
    low, high = (
        np.where(sizes > 1, end, np.where(sizes == 1, limit, np.nan))
        for end, limit in zip(ends, limits, strict=True)
    )
    return low, high
