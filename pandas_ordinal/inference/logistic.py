"""Intercept and slope of a logistic regression of a cut on its forecast, in many segments.

Newton's method. In each segment, a step that would raise the loss is shortened.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special

from pandas_ordinal.counting.arrays import Array, Floats, Positions

MOST_STEPS = 200
FIRST_REACH = 4.0  # how far a step may move the logit of a row; doubled by each that succeeds
PRECISION = 1e-9  # of twice the loss that a step saves: the next one would save its square
RIDGE = 1e-14  # of the trace, so that no matrix is singular


class Coefficients(NamedTuple):
    """Coefficients and their standard errors, ``(segments,)``; NaN where there are none."""

    intercept: Floats
    intercept_se: Floats
    slope: Floats
    slope_se: Floats


class Cut(NamedTuple):
    """The rows of one cut between the classes.

    Attributes
    ----------
    is_at_most : ndarray
        Whether the true class is at most the class of the cut.
    logits : ndarray
        The logit of the probability of that.
    weights : ndarray or None
        The weight of each row.
    segment : ndarray
        The segment of each row.
    n_segments : int
        How many segments there are.
    cluster, segment_of_cluster : ndarray or None
        The number of the cluster of each row, and the segment of each cluster.
    """

    is_at_most: Floats
    logits: Floats
    weights: Floats | None
    segment: Positions
    n_segments: int
    cluster: Positions | None
    segment_of_cluster: Positions | None

    def sums(self, values: Floats, power: int = 1) -> Floats:
        """Sum values over each segment, times a power of the weights."""
        weighted = values if self.weights is None else values * self.weights**power
        sums: Floats = np.bincount(self.segment, weighted, self.n_segments).astype(float)
        return sums

    def of(self, segments: Array, rows: Array) -> Cut:
        """Return the rows of the segments that a mask selects."""
        if segments.all():
            return self
        place, kept = np.cumsum(segments) - 1, self.segment_of_cluster
        cluster = None
        if self.cluster is not None and kept is not None:
            cluster = (np.cumsum(segments[kept]) - 1)[self.cluster[rows]]
            kept = place[kept[segments[kept]]]
        return Cut(
            self.is_at_most[rows], self.logits[rows],
            None if self.weights is None else self.weights[rows],
            place[self.segment[rows]], int(segments.sum()), cluster, kept,
        )  # fmt: skip


def coefficients_of(cut: Cut) -> Coefficients:
    """Return calibration in the large, with the logits as offset, and the calibration slope.

    `intercept` is that of a regression whose slope is 1, `slope` that of one with an intercept of
    its own. Without weights and clusters, standard errors are those of the model; with them, those
    of the sandwich, which for clusters has the factor G / (G - 1).
    """
    differs = _differs(cut)
    one, nowhere = np.ones((1, len(cut.logits))), np.zeros(len(cut.logits))
    mean, spread = _location(cut)
    line = np.vstack([one, (cut.logits - mean[cut.segment]) / spread[cut.segment]])
    intercept, intercept_se = _fitted(cut, one, cut.logits, differs)
    slope, slope_se = _fitted(cut, line, nowhere, differs & _overlaps(cut))
    return Coefficients(
        intercept[:, 0], intercept_se[:, 0], slope[:, 1] / spread, slope_se[:, 1] / spread
    )


def _location(cut: Cut) -> tuple[Floats, Floats]:
    """Return the mean of the logits of each segment, and their standard deviation."""
    sizes = np.maximum(np.bincount(cut.segment, minlength=cut.n_segments), 1)
    mean = np.bincount(cut.segment, cut.logits, cut.n_segments) / sizes
    squares = (cut.logits - mean[cut.segment]) ** 2
    spread = np.sqrt(np.bincount(cut.segment, squares, cut.n_segments) / sizes)
    return mean, np.where(spread > 0, spread, 1)


def _differs(cut: Cut) -> Array:
    """Return in which segments the event both happens and does not, without rounding."""
    happens = np.bincount(cut.segment, cut.is_at_most, cut.n_segments)
    sizes = np.bincount(cut.segment, minlength=cut.n_segments)
    return np.asarray((happens > 0) & (happens < sizes))


def _overlaps(cut: Cut) -> Array:
    """Return in which segments no logit separates the rows, so that there is a slope."""
    ends = np.empty((2, 2, cut.n_segments))
    for event in (0, 1):
        there = cut.is_at_most == event
        for end, (extreme, start) in enumerate(((np.minimum, np.inf), (np.maximum, -np.inf))):
            ends[event, end] = start
            extreme.at(ends[event, end], cut.segment[there], cut.logits[there])
    return np.asarray((ends[1, 0] < ends[0, 1]) & (ends[0, 0] < ends[1, 1]))


def _fitted(cut: Cut, terms: Floats, offset: Floats, exists: Array) -> tuple[Floats, Floats]:
    """Return the coefficients ``(segments, m)`` of terms ``(m, n)``, and their standard errors.

    Both are NaN in segments where there are none.
    """
    found = np.full((2, cut.n_segments, len(terms)), np.nan)
    if exists.any():
        there = exists[cut.segment]
        terms, offset = terms[:, there], offset[there]
        rows = cut.of(exists, there)
        beta = _newton(rows, terms, offset)
        found[:, exists] = beta, _standard_errors(rows, terms, offset, beta)
    return found[0], found[1]


def _newton(cut: Cut, terms: Floats, offset: Floats) -> Floats:
    """Minimize the loss of each segment."""
    beta = np.zeros((cut.n_segments, len(terms)))
    reach = np.full(cut.n_segments, FIRST_REACH)
    farthest = np.zeros((cut.n_segments, len(terms)))
    for m, term in enumerate(terms):
        np.maximum.at(farthest[:, m], cut.segment, np.abs(term))
    best, step = _state(cut, terms, offset, beta), np.zeros(beta.shape)
    for _ in range(MOST_STEPS):
        step = _solved(best.information, best.gradient)
        if ((best.gradient * step).sum(axis=1) <= PRECISION).all():
            break
        moved = (np.abs(step) * farthest).sum(axis=1)
        step *= np.minimum(1, reach / np.maximum(moved, FIRST_REACH / 2))[:, None]
        tried = _state(cut, terms, offset, beta + step)
        better = tried.loss <= best.loss
        beta[better] += step[better]
        for old, new in zip(best, tried, strict=True):
            old[better] = new[better]
        reach *= np.where(better, 2, 0.25)
    return beta + step


class _State(NamedTuple):
    """The loss of each segment, how fast it falls, and its second derivatives."""

    loss: Floats
    gradient: Floats
    information: Floats


def _state(cut: Cut, terms: Floats, offset: Floats, beta: Floats) -> _State:
    linear = _linear(cut, terms, offset, beta)
    small = np.exp(-np.abs(linear))
    probability = np.where(linear > 0, 1, small) / (1 + small)
    missed = cut.is_at_most - probability
    against = np.maximum(np.where(cut.is_at_most > 0, -linear, linear), 0)
    return _State(
        cut.sums(np.log1p(small) + against),
        np.stack([cut.sums(missed * term) for term in terms], axis=1),
        _information(cut, terms, small / (1 + small) ** 2),
    )


def _linear(cut: Cut, terms: Floats, offset: Floats, beta: Floats) -> Floats:
    """Return the logit of each row."""
    linear = offset.copy()
    for of_segments, term in zip(beta.T, terms, strict=True):
        linear += of_segments[cut.segment] * term
    return linear


def _information(cut: Cut, terms: Floats, variance: Floats, power: int = 1) -> Floats:
    """Return the sums of the products of terms, times their variance, ``(segments, m, m)``."""
    rows = [[cut.sums(variance * a * b, power) for b in terms] for a in terms]
    return np.moveaxis(np.array(rows), -1, 0)


def _solved(information: Floats, gradient: Floats) -> Floats:
    """Return the step of Newton's method."""
    trace = np.trace(information, axis1=1, axis2=2)[:, None, None]
    ridge = (RIDGE * trace + np.finfo(float).tiny) * np.eye(gradient.shape[1])
    step: Floats = np.linalg.solve(information + ridge, gradient[..., None])[..., 0]
    return step


def _standard_errors(cut: Cut, terms: Floats, offset: Floats, beta: Floats) -> Floats:
    """Return the standard errors of coefficients, ``(segments, m)``."""
    probability = special.expit(_linear(cut, terms, offset, beta))
    variance = probability * (1 - probability)
    covariance = np.linalg.pinv(_information(cut, terms, variance), hermitian=True)
    if cut.cluster is not None:
        within = _of_clusters(cut, terms, cut.is_at_most - probability)
        covariance = covariance @ within @ covariance
    elif cut.weights is not None:
        within = _information(cut, terms, variance, power=2)
        covariance = covariance @ within @ covariance
    return np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))


def _of_clusters(cut: Cut, terms: Floats, missed: Floats) -> Floats:
    """Return the covariance of the gradient, from its sums over clusters."""
    assert cut.cluster is not None
    assert cut.segment_of_cluster is not None
    where, n = cut.segment_of_cluster, len(cut.segment_of_cluster)
    weighted = missed if cut.weights is None else missed * cut.weights
    sums = [np.bincount(cut.cluster, weighted * term, n) for term in terms]
    rows = [[np.bincount(where, a * b) for b in sums] for a in sums]  # every segment has some
    n_clusters = np.bincount(where)
    with np.errstate(divide="ignore", invalid="ignore"):
        factor = np.where(n_clusters > 1, n_clusters / (n_clusters - 1), np.nan)
    return np.moveaxis(np.array(rows, float) * factor, -1, 0)
