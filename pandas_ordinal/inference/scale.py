"""Intervals and differences on a scale without bounds, and how intervals are joined."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pandas_ordinal.counting.arrays import Array, Floats
from pandas_ordinal.inference.influence import ROUNDING_ERROR, Bounds, on_limits, tolerance_of


class Interval(NamedTuple):
    """Bounds and standard error of a metric for each table."""

    low: Floats
    high: Floats
    se: Floats

    def without(self, undefined: Array) -> Interval:
        """Return the interval, NaN where it is undefined."""
        return Interval(*(np.where(undefined, np.nan, part) for part in self))


def quantile(df: Floats, level: float | Floats) -> Floats:
    """Return how many standard errors an interval extends to each side, by Student's t."""
    from scipy.special import stdtrit  # slow to import, and not needed elsewhere

    both = np.maximum(df, 1) + 1j * np.asarray(level)
    pairs, place = np.unique(both, return_inverse=True)  # stdtrit is slow, and few pairs differ
    t = stdtrit(pairs.real, (1 + pairs.imag) / 2)[place].reshape(both.shape)
    return np.where(df >= 1, t, np.nan)


def to_interval(values: Floats, se: Floats, t: Floats, limits: Bounds) -> tuple[Floats, Floats]:
    """Return the bounds that lie t standard errors to each side of a metric's values.

    They are found on the logit scale for a metric with two limits, and on the scale of the log
    distance to the limit for one with a single limit. The scale of a value outside its range is
    not changed; for a value on a limit, the interval is cut off there.
    """
    values = on_limits(values, limits)
    lowest, highest = np.broadcast_arrays(*limits, values)[:2]
    se = np.where(se <= tolerance_of(values, limits), 0, se)  # next to a limit, it would grow
    has_low, has_high = np.isfinite(lowest), np.isfinite(highest)
    inside = (values > lowest) & (values < highest)
    from_low, from_high = values - lowest, highest - values
    low, high = values - t * se, values + t * se
    # the distance to a limit is multiplied or divided by `step` to reach the ends of the interval
    both = has_low & has_high & inside
    if both.any():
        span, odds = highest - lowest, from_low / from_high
        step = np.exp(t * se / (from_low * from_high) * span)
        low = np.where(both, highest - span / (1 + odds / step), low)
        high = np.where(both, highest - span / (1 + odds * step), high)
    below = has_high & ~has_low & inside
    if below.any():
        step = np.exp(t * se / from_high)
        low = np.where(below, highest - from_high * step, low)
        high = np.where(below, highest - from_high / step, high)
    above = has_low & ~has_high & inside
    if above.any():
        step = np.exp(t * se / from_low)
        low = np.where(above, lowest + from_low / step, low)
        high = np.where(above, lowest + from_low * step, high)
    on_limit_or_inside = (values >= lowest) & (values <= highest)
    low = np.where(on_limit_or_inside, np.maximum(low, lowest), low)
    high = np.where(on_limit_or_inside, np.minimum(high, highest), high)
    return low, high


def between(values: Floats) -> Floats:
    """Return the differences of each two models, ``(n_groups, n_models, n_models)``."""
    return np.asarray(values[:, :, None] - values[:, None, :])


def variance_between(covariance: Floats) -> Floats:
    """Return the variances of these differences, given covariances ``(..., models, models)``."""
    own = covariance.diagonal(axis1=-2, axis2=-1)
    return np.asarray(own[..., None] + own[..., None, :] - 2 * covariance)


def covariance_of(own: Floats, variance: Floats) -> Floats:
    """Return the covariance matrices of values, given the variances of their differences.

    Parameters
    ----------
    own : ndarray, shape (n_groups, n_models)
        The variances of the values.
    variance : ndarray, shape (n_groups, n_models, n_models)
        The variances of the differences of each two.
    """
    covariance: Floats = (own[:, :, None] + own[:, None, :] - variance) / 2
    return covariance


def variance_of_differences(values: Floats, covariance: Floats, limits: Bounds) -> Floats:
    """Return the variances of the differences of each two values.

    Values near opposite limits vary less than equal values in between would, so that their
    variance is too small for a test. On opposite sides of the middle, it is at least the variance
    on the logit scale, divided by the square of its mean slope between the two values.

    Parameters
    ----------
    values : ndarray, shape (n_groups, n_models)
        The values.
    covariance : ndarray, shape (n_groups, n_models, n_models)
        Their covariance.
    limits : tuple
        Their lowest and highest value.
    """
    lowest, highest = np.broadcast_arrays(*limits, values)[:2]
    from_low, from_high = values - lowest, highest - values
    logit, slope = np.log(from_low / from_high), 1 / from_low + 1 / from_high
    stretched = slope[:, :, None] * between(values) / between(logit)
    own = covariance.diagonal(axis1=1, axis2=2)[:, :, None]
    both = stretched * stretched.swapaxes(1, 2)
    variance = variance_between(covariance)
    on_scale = stretched**2 * own
    on_scale = on_scale + on_scale.swapaxes(1, 2) - 2 * both * covariance
    product = logit[:, :, None] * logit[:, None, :]
    is_opposite = (product < -ROUNDING_ERROR) & np.isfinite(on_scale)  # not of 0 but for rounding
    variance = np.where(is_opposite, np.maximum(variance, on_scale), variance)
    return np.maximum(variance, 0)


def variance_of_roots(values: Floats, covariance: Floats) -> Floats:
    """Return the variances of the differences of each two roots, by those of their squares.

    The slope of a root says little about a difference that begins near 0, where it is infinite. A
    difference of roots is that of their squares, divided by the sum of the roots.

    Parameters
    ----------
    values : ndarray, shape (n_groups, n_models)
        The roots.
    covariance : ndarray, shape (n_groups, n_models, n_models)
        Their covariance.
    """
    twice = 2 * values
    squares = twice[:, :, None] * twice[:, None, :] * covariance
    variance = np.maximum(variance_between(squares), 0)
    return np.asarray(variance / (values[:, :, None] + values[:, None, :]) ** 2)


def hull(
    plain: Interval,
    smoothed: Interval,
    estimate: Floats,
    limits: Bounds,
    *,
    survives_loss: Array,
    several_classes: Array,
    undefined: Array,
) -> Interval:
    """Return the smallest interval that holds both intervals and the estimate.

    Parameters
    ----------
    plain, smoothed : Interval
        The interval without a pseudo-row, and with one.
    estimate : ndarray
        The value of the metric.
    limits : tuple
        Its lowest and its highest value.
    survives_loss : ndarray of bool
        Whether no class disappears with a single row, which the plain interval requires.
    several_classes : ndarray of bool
        Whether more than one class occurs; otherwise, zero width is not informative.
    undefined : ndarray of bool
        Where there are too few rows for an interval.
    """
    tolerance = tolerance_of(estimate, limits)
    use_plain = (plain.se > tolerance) & (plain.se < np.inf) & survives_loss
    use_smoothed = np.isfinite(smoothed.se)
    use_plain |= ~use_smoothed & np.isfinite(plain.se)
    low, high = estimate, estimate
    for is_used, interval in ((use_plain, plain), (use_smoothed, smoothed)):
        low = np.fmin(low, np.where(is_used, interval.low, np.nan))
        high = np.fmax(high, np.where(is_used, interval.high, np.nan))
    undefined = undefined | ~np.isfinite(estimate) | ~(use_plain | use_smoothed)
    se = np.where(use_smoothed, smoothed.se, plain.se)
    undefined = undefined | ((se <= tolerance) & ~several_classes)
    low, high = (
        on_limits(np.where(np.abs(end - estimate) <= tolerance, estimate, end), limits)
        for end in (low, high)
    )
    return Interval(low, high, np.where(se <= tolerance, 0, se)).without(undefined)
