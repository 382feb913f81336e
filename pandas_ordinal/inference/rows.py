"""Intervals of metrics of scores and of probabilities: by what each row adds to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pandas_ordinal.counting.arrays import Array, Codes, Floats
from pandas_ordinal.inference.influence import Added, Range, added_by_rows, freedom_of
from pandas_ordinal.inference.interval import Interval, join, quantile, to_interval
from pandas_ordinal.metrics.metric import Metric
from pandas_ordinal.metrics.segments import Segments


@dataclass(frozen=True)
class Design:
    """How the rows were drawn.

    Attributes
    ----------
    segments : Segments
        The rows that count; their weights have a mean of 1 in each segment.
    clusters : ndarray or None
        Which rows belong together.
    by_class : bool
        Whether the sizes of the true classes are fixed.
    """

    segments: Segments
    clusters: Codes | None
    by_class: bool

    @property
    def weights(self) -> Floats:
        """The weight of each row."""
        weights = self.segments.weights
        return np.ones(len(self.segments.codes)) if weights is None else weights

    def by_segment(self, values: Floats) -> Floats:
        """Add up values of the rows."""
        sums = np.bincount(self.segments.segment, values, self.segments.n_segments)
        return sums.astype(float)

    def by_true(self, values: Floats) -> Floats:
        """Add up values of the rows, ``(K, segments)``."""
        shape = self.segments.n_classes, self.segments.n_segments
        cell = self.segments.codes.astype(np.intp) * shape[1] + self.segments.segment
        sums = np.bincount(cell, values, shape[0] * shape[1])
        return sums.astype(float).reshape(shape)

    def variance(self, added: Added, *, within: bool) -> Floats:
        """Return the variance of a metric; `within` corrects for the size of each class."""
        if self.clusters is not None:
            return self._by_cluster(added)
        ours = self.weights * added.rows
        squares = self.by_true(ours**2) + added.squares
        sizes = self.by_true(np.ones(len(ours))) + added.mass
        factor = sizes / np.where(added.mass > 0, np.maximum(sizes - 1, 0.5), sizes - 1)
        if self.by_class:
            squares -= (self.by_true(ours) + added.sums) ** 2 / sizes
        elif not within:
            total = sizes.sum(axis=0)
            factor = np.broadcast_to(total / (total - 1), sizes.shape)
        variance: Floats = np.where(sizes > 0, factor * squares, 0).sum(axis=0)
        return np.maximum(variance, 0)

    def _by_cluster(self, added: Added) -> Floats:
        """Leave out the rows of one cluster after the other."""
        assert self.clusters is not None
        unit, of = self._units()
        n_units = len(unit)
        sizes = self.by_segment(np.ones(len(of))) + added.mass.sum(axis=0)
        sums = np.bincount(of, added.rows, n_units)
        left = 1 - np.bincount(of, minlength=n_units) / sizes[unit]
        n_clusters = self.n_clusters()
        total = np.bincount(unit, (sums / left) ** 2, self.segments.n_segments)
        variance: Floats = (n_clusters - 1) / n_clusters * total + added.squares.sum(axis=0)
        return variance

    def _units(self) -> tuple[Array, Array]:
        """Tell the segment of each cluster within one, and which of these each row is in."""
        assert self.clusters is not None
        n = int(self.clusters.max(initial=0)) + 1
        keys = self.segments.segment * np.int64(n) + self.clusters
        unit, of = np.unique(keys, return_inverse=True)
        return unit // n, of

    def n_clusters(self) -> Floats:
        """Count the clusters of each segment."""
        unit, _ = self._units()
        return np.bincount(unit, minlength=self.segments.n_segments).astype(float)

    def freedom(self) -> Floats:
        """Return the degrees of freedom."""
        if self.clusters is not None:
            return self.n_clusters() - 1
        return freedom_of(self.by_segment(self.weights), self.by_segment(self.weights**2))


def interval_of_rows(
    metric: Metric,
    options: Mapping[str, Any],
    rows: Segments,
    column: Array,
    estimate: Floats,
    level: float,
    *,
    clusters: Codes | None = None,
    by_class: bool = False,
) -> Interval:
    """Return an interval of a metric of scores or of probabilities for each segment.

    Parameters
    ----------
    metric, options
        The metric.
    rows : Segments
        The rows.
    column : ndarray
        Their scores or probabilities.
    estimate : ndarray, shape (segments,)
        The metric's values.
    level : float
        The level of the intervals.
    clusters : ndarray or None
        Which rows belong together.
    by_class : bool
        Whether the sizes of the true classes are fixed.
    """
    by_score = metric.score_influence is not None
    with np.errstate(all="ignore"):
        design, column = _design(rows, column, clusters, by_class)
        limits = limits_of_rows(metric, options, rows.n_classes)
        freedom = design.freedom()
        t = quantile(freedom, level)
        both = []
        for is_smoothed in (False, True):
            added = added_by_rows(metric, options, design.segments, column, is_smoothed)
            se = np.sqrt(design.variance(added, within=by_score))
            ends = to_interval(added.values, se, t, limits)
            both.append(Interval(*ends, se))
        plain, smoothed = both
        sizes = design.by_true(np.ones(len(column)))
        losable = ~(by_score & (sizes == 1).any(axis=0))
        several = ((sizes > 0).sum(axis=0) >= 2) | (rows.n_classes == 1)
        n = sizes.sum(axis=0)
        if clusters is not None:  # as with counts, the pseudo-row is in each table
            losable = np.zeros(len(n), bool)
        lost = (n < 2) | ~(freedom >= 1)
        joined = join(
            plain, smoothed, estimate, limits, losable=losable, several=several, lost=lost
        )
        if by_score and clusters is None:
            has_se = np.isfinite(estimate) & np.isfinite(plain.se)
            return joined._replace(se=np.where(has_se, plain.se, np.nan))
        return joined


def _design(
    rows: Segments, column: Array, clusters: Codes | None, by_class: bool
) -> tuple[Design, Array]:
    """Keep the rows that count, and scale their weights."""
    if rows.weights is not None:
        rows = replace(rows, codes=np.where(rows.weights > 0, rows.codes, -1))
    given = [column] if clusters is None else [column, clusters]
    rows, kept = rows.counted(*given)
    if rows.weights is not None:
        sums = np.bincount(rows.segment, rows.weights, rows.n_segments)
        means = sums / np.bincount(rows.segment, minlength=rows.n_segments)
        rows = replace(rows, weights=rows.weights / means[rows.segment])
    return Design(rows, None if clusters is None else kept[1], by_class), kept[0]


def limits_of_rows(metric: Metric, options: Mapping[str, Any], n_classes: int) -> Range:
    """Return the lowest and the highest value of a metric of scores or of probabilities."""
    if metric.limits is None:
        return metric.bounds(n_classes)
    return metric.limits(np.zeros((n_classes, n_classes)), options)
