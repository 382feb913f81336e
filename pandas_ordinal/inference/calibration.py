"""Tests of calibration without random numbers, from the sums that the forecasts imply.

If the probabilities are right, each true class is drawn from them. Then the mean and the
covariance of every sum over rows are known exactly. Nothing is estimated, and nothing is drawn.

Rows with weights are single rows that count more, as they are for standard errors: a weight
enters the sum once and its variance twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy import special

from pandas_ordinal.counting.arrays import Codes, Floats, Positions, blocks
from pandas_ordinal.counting.counts import number_pairs
from pandas_ordinal.inference.logistic import Coefficients, Cut, coefficients_of
from pandas_ordinal.metrics.decomposition import cumulated
from pandas_ordinal.metrics.isotonic import DECIMALS
from pandas_ordinal.metrics.segments import Segments

LEAST_PROBABILITY = 1e-9  # of a cumulative probability whose logit is taken
LEAST_SHARE = 1e-10  # of the largest eigenvalue
LEAST_SUM, LEAST_SQUARE = 1e-6, 1e-9  # a sum without variance, beyond what rounding makes


class Tests(NamedTuple):
    """P-values for each segment: of recalibration, in the large, and of the score."""

    recalibration: Floats
    large: Floats
    score: Floats


class Forecasts(NamedTuple):
    """Some rows that count, with the class as the first axis.

    Attributes
    ----------
    codes : ndarray, shape (n,)
        The true classes.
    proba : ndarray, shape (K, n)
        The probabilities of the classes.
    weights : ndarray, shape (n,), or None
        The weights.
    segment : ndarray, shape (n,)
        The segment of each row.
    n_segments : int
        How many segments there are.
    cluster : ndarray, shape (n,), or None
        The number of the cluster of each row.
    """

    codes: Codes
    proba: Floats
    weights: Floats | None
    segment: Positions
    n_segments: int
    cluster: Positions | None

    @property
    def cumulative(self) -> Floats:
        """The probability of each class but the last, or a lower one, ``(K - 1, n)``."""
        cumulative: Floats = np.minimum(self.proba[:-1].cumsum(axis=0), 1)
        return cumulative

    @property
    def is_at_most(self) -> Floats:
        """Whether the true class is at most each class but the last, ``(K - 1, n)``."""
        below: Floats = (self.codes <= np.arange(len(self.proba) - 1)[:, None]).astype(float)
        return below


class ClustersOfRows(NamedTuple):
    """The cluster of each row, the segment of each cluster, and how many each segment has."""

    cluster: Positions
    segment: Positions
    n_of_segment: Positions


class Moments(NamedTuple):
    """Centred sums ``(segments, m)``, their covariance, and the clusters of each segment."""

    sums: Floats
    covariance: Floats
    n_clusters: Positions | None

    def of(self, part: slice) -> Moments:
        """Return those of some of the sums."""
        return Moments(self.sums[:, part], self.covariance[:, part, part], self.n_clusters)


def logit(cumulative: Floats) -> Floats:
    """Return the logits of cumulative probabilities, away from 0 and 1."""
    inside = np.clip(cumulative, LEAST_PROBABILITY, 1 - LEAST_PROBABILITY)
    logits: Floats = special.logit(np.round(inside, DECIMALS))
    return logits


def units_of(rows: Segments, clusters: Codes | None) -> ClustersOfRows | None:
    """Return the clusters of rows; None if all rows are independent."""
    if clusters is None:
        return None
    first, unit = number_pairs(rows.segment, clusters)
    segment = rows.segment[first]
    return ClustersOfRows(unit, segment, np.bincount(segment, minlength=rows.n_segments))


def forecasts_of(
    rows: Segments, proba: Floats, units: ClustersOfRows | None
) -> Iterator[Forecasts]:
    """Yield blocks of rows."""
    for block in blocks(len(rows.codes)):
        yield Forecasts(
            rows.codes[block],
            np.ascontiguousarray(proba[block].T),
            None if rows.weights is None else rows.weights[block],
            rows.segment[block],
            rows.n_segments,
            None if units is None else units.cluster[block],
        )


def calibration_tests(rows: Segments, proba: Floats, clusters: Codes | None) -> Tests:
    """Return the tests of all thresholds at once; all rows count, and have a weight above 0.

    Recalibration asks whether an intercept at each threshold and a common slope would improve the
    forecasts: the sums of o_k = [y <= k] and of ``sum_k o_k logit F_k``, with as many degrees of
    freedom as their covariance has dimensions. In the large asks for the intercepts alone. The
    score asks whether the RPS is what the forecasts say that it is (Spiegelhalter's z). A test
    is NaN without rows, and with no more clusters than degrees of freedom.
    """
    units = units_of(rows, clusters)
    size = rows.n_classes + 1
    n = rows.n_segments if units is None else len(units.segment)
    sums, covariance = np.zeros((size, n)), np.zeros((n, size, size))
    for block in forecasts_of(rows, proba, units):
        _add_moments(sums, covariance if units is None else None, block)
    moments = _summed(sums, covariance, units, rows.n_segments)
    k = rows.n_classes
    return Tests(
        *(p_values_of_sums(moments.of(part)) for part in (slice(k), slice(k - 1), slice(k, k + 1)))
    )


def threshold_tests(rows: Segments, proba: Floats, clusters: Codes | None) -> Floats:
    """Return the test of recalibration at each threshold, ``(segments, K - 1)``.

    It asks for an intercept and a slope: the sums of o_k and of ``o_k logit F_k``.
    """
    units = units_of(rows, clusters)
    n_thresholds = rows.n_classes - 1
    n = rows.n_segments if units is None else len(units.segment)
    sums, covariance = np.zeros((n_thresholds, 2, n)), np.zeros((n_thresholds, n, 2, 2))
    for block in forecasts_of(rows, proba, units):
        forecast, is_at_most = block.cumulative, block.is_at_most
        for k, logits in enumerate(logit(forecast)):
            factors = np.stack([np.ones_like(logits), logits])
            _add(sums[k], factors * (is_at_most[k] - forecast[k]), block)
            if units is None:
                variance = forecast[k] * (1 - forecast[k])
                covariance[k] += _products(factors * variance, factors, block)
    found = [
        p_values_of_sums(_summed(sums[k], covariance[k], units, rows.n_segments))
        for k in range(n_thresholds)
    ]
    return np.stack(found, axis=1)


def coefficients_at_thresholds(
    rows: Segments, proba: Floats, clusters: Codes | None
) -> Coefficients:
    """Return intercepts and slopes at each threshold, ``(segments, K - 1)``."""
    units, found = units_of(rows, clusters), []
    in_clusters = (None, None) if units is None else (units.cluster, units.segment)
    for k, forecast in enumerate(cumulated(proba)):
        is_at_most = (rows.codes <= k).astype(float)
        found.append(
            coefficients_of(
                Cut(
                    is_at_most, logit(forecast), rows.weights, rows.segment, rows.n_segments,
                    *in_clusters,
                )
            )
        )  # fmt: skip
    return Coefficients(*(np.stack(one, axis=1) for one in zip(*found, strict=True)))


def _add_moments(sums: Floats, covariance: Floats | None, rows: Forecasts) -> None:
    """Add the centred sums of rows, and their covariance."""
    p, forecast = rows.proba, rows.cumulative
    top = len(p) - 1
    slope = _from_above(logit(forecast))
    score = _from_above(1 - 2 * forecast)
    for values in (slope, score):
        values -= (p * values).sum(axis=0)
    place = rows.codes, np.arange(len(rows.codes))
    _add(sums, np.vstack([rows.is_at_most - forecast, slope[place], score[place]]), rows)
    if covariance is None:
        return
    for j in range(top):
        covariance[:, j : j + 1, j:top] += _products(forecast[j : j + 1], 1 - forecast[j:], rows)
    with_slope = np.vstack([(p * slope).cumsum(axis=0)[:top], (p * slope**2).sum(axis=0)])
    with_score = (p * score**2).sum(axis=0, keepdims=True)
    one = np.ones((1, len(rows.codes)))
    covariance[:, : top + 1, top] += _products(with_slope, one, rows)[..., 0]
    covariance[:, top + 1, top + 1] += _products(with_score, one, rows)[:, 0, 0]


def _from_above(terms: Floats) -> Floats:
    """Return, for each class, the sum of the terms of the thresholds that it does not exceed."""
    values = np.zeros((len(terms) + 1, terms.shape[1]))
    np.cumsum(terms[::-1], axis=0, out=values[-2::-1])
    return values


def _add(sums: Floats, terms: Floats, rows: Forecasts) -> None:
    """Add weighted terms ``(m, n)`` of rows to the sums of segments, or of clusters."""
    where = rows.segment if rows.cluster is None else rows.cluster
    for total, values in zip(sums, terms, strict=True):
        weighted = values if rows.weights is None else values * rows.weights
        total += np.bincount(where, weighted, len(total))


def _products(a: Floats, b: Floats, rows: Forecasts) -> Floats:
    """Return sums over rows of the products of terms, ``(segments, m, l)``, of squared weight."""
    if rows.weights is not None:
        a = a * rows.weights**2
    return products_by_segment(a, b, rows.segment, rows.n_segments)


def products_by_segment(a: Floats, b: Floats, segment: Positions, n_segments: int) -> Floats:
    """Return the sums of the products of terms ``(m, n)`` and ``(l, n)`` over segments."""
    if n_segments == 1:
        return (a @ b.T)[None]
    found = [[np.bincount(segment, one * other, n_segments) for other in b] for one in a]
    return np.moveaxis(np.array(found), -1, 0)


def _summed(
    sums: Floats, covariance: Floats, units: ClustersOfRows | None, n_segments: int
) -> Moments:
    """Return the moments of segments; of clusters, from their sums, which are not centred anew."""
    if units is None:
        upper = np.triu(covariance)
        return Moments(sums.T, upper + np.swapaxes(np.triu(covariance, 1), 1, 2), None)
    of_segments = [np.bincount(units.segment, one, n_segments) for one in sums]
    squares = products_by_segment(sums, sums, units.segment, n_segments)
    return Moments(np.stack(of_segments, axis=1, dtype=float), squares, units.n_of_segment)


def p_values_of_sums(moments: Moments) -> Floats:
    """Return the p-value of the chi-squared test that all sums are zero.

    Sums that depend on others do not count. If a sum has no variance and yet is not zero, what the
    forecasts call impossible has happened: p is 0.
    """
    values, vectors = np.linalg.eigh(moments.covariance)
    along = np.einsum("sij,si->sj", vectors, moments.sums)
    largest = values.max(axis=1, initial=0)[:, None]
    varies = values > LEAST_SHARE * largest
    impossible = (~varies & (along**2 > LEAST_SUM**2 + LEAST_SQUARE * largest)).any(axis=1)
    degrees = varies.sum(axis=1)
    statistic = np.where(varies, along**2 / np.where(varies, values, 1), 0).sum(axis=1)
    found = special.chdtrc(degrees, np.where(impossible, np.inf, statistic))
    undefined = (degrees == 0) & ~impossible
    if moments.n_clusters is not None:
        undefined |= moments.n_clusters <= degrees
    return np.where(undefined, np.nan, found)
