"""Intervals of metrics of scores and of probabilities, from the influences of the rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pandas_ordinal.counting.arrays import Array, Codes, Floats
from pandas_ordinal.counting.counts import number_pairs
from pandas_ordinal.counting.forks import computed_once
from pandas_ordinal.inference.influence import (
    Bounds,
    RowInfluence,
    df_of_classes,
    df_of_weights,
    effective_sizes,
    row_influence,
    tolerance_of,
)
from pandas_ordinal.inference.scale import Interval, hull, quantile, to_interval
from pandas_ordinal.metrics.metric import Resolved
from pandas_ordinal.metrics.segments import Segments


@dataclass(frozen=True)
class Design:
    """Rows, and how they were drawn.

    Attributes
    ----------
    segments : Segments
        The rows that count; their weights have a mean of 1 in each segment.
    clusters : ndarray or None
        The cluster of each row; None if all rows are independent.
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

    def sum_by_segment(self, values: Floats) -> Floats:
        """Sum values of the rows over each segment."""
        sums = np.bincount(self.segments.segment, values, self.segments.n_segments)
        return sums.astype(float)

    def sum_by_class(self, values: Floats) -> Floats:
        """Sum values of the rows over each true class in each segment, ``(K, segments)``."""
        shape = self.segments.n_classes, self.segments.n_segments
        cell = self.segments.codes.astype(np.intp) * shape[1] + self.segments.segment
        sums = np.bincount(cell, values, shape[0] * shape[1])
        return sums.astype(float).reshape(shape)

    def variance(self, influence: RowInfluence, *, within: bool) -> Floats:
        """Return the variance of a metric; `within` corrects for the size of each class."""
        if self.clusters is not None:
            return self._by_cluster(influence)
        variance: Floats = self._by_class(influence, within).sum(axis=0)
        return variance

    def df(self, influence: RowInfluence, *, within: bool) -> Floats:
        """Return the degrees of freedom of this variance."""
        if self.clusters is not None:
            return self.n_clusters() - 1
        sums, squares = map(self.sum_by_class, (self.weights, self.weights**2))
        sizes = effective_sizes(sums, squares)
        of_classes = self._by_class(influence, within)
        return df_of_classes(of_classes.T, (sizes + influence.mass).T, self.df_of_rows())

    def df_of_rows(self) -> Floats:
        """Return the degrees of freedom of all rows."""
        sums, squares = map(self.sum_by_segment, (self.weights, self.weights**2))
        return df_of_weights(sums, squares)

    def _by_class(self, influence: RowInfluence, within: bool) -> Floats:
        """Return what the rows of each class add to the variance, ``(K, segments)``."""
        of_rows = self.weights * influence.rows
        squares = self.sum_by_class(of_rows**2) + influence.squares
        sizes = self.sum_by_class(np.ones(len(of_rows))) + influence.mass
        factor = sizes / np.where(influence.mass > 0, np.maximum(sizes - 1, 0.5), sizes - 1)
        if self.by_class:
            squares -= (self.sum_by_class(of_rows) + influence.sums) ** 2 / sizes
        elif not within:
            total = sizes.sum(axis=0)
            factor = np.broadcast_to(total / (total - 1), sizes.shape)
        return np.where(sizes > 0, np.maximum(factor * squares, 0), 0)

    def _by_cluster(self, influence: RowInfluence) -> Floats:
        """Return the variance from leaving out the clusters one by one."""
        segment, cluster = self._clusters_by_segment
        n_of_all = len(segment)
        weights, n = self.weights, self.sum_by_segment(self.weights)
        typical = self.sum_by_segment(weights**2) / n  # the weight of the pseudo-row
        total = n + typical * influence.mass.sum(axis=0)
        sums = np.bincount(cluster, weights * influence.rows, n_of_all)
        rest = 1 - np.bincount(cluster, weights, n_of_all) / total[segment]
        n_clusters = self.n_clusters()
        squares = np.bincount(segment, (sums / rest) ** 2, self.segments.n_segments)
        variance: Floats = (n_clusters - 1) / n_clusters * squares + influence.squares.sum(axis=0)
        return variance

    @computed_once
    def _clusters_by_segment(self) -> tuple[Array, Array]:
        """The segment of each cluster within one, and the number of the cluster by row."""
        assert self.clusters is not None
        rows, number = number_pairs(self.segments.segment, self.clusters)
        return self.segments.segment[rows], number

    def n_clusters(self) -> Floats:
        """Count the clusters of each segment."""
        segment, _ = self._clusters_by_segment
        return np.bincount(segment, minlength=self.segments.n_segments).astype(float)


def interval_of_rows(
    resolved: Resolved,
    rows: Segments,
    column: Array,
    estimate: Floats,
    level: float,
    *,
    clusters: Codes | None = None,
    by_class: bool,
) -> Interval:
    """Return an interval of a metric of scores or of probabilities for each segment.

    Parameters
    ----------
    resolved : Resolved
        The metric.
    rows : Segments
        The rows.
    column : ndarray
        Their scores or probabilities.
    estimate : ndarray, shape (segments,)
        The values of the metric.
    level : float
        The level of the intervals.
    clusters : ndarray or None
        The cluster of each row; None if all rows are independent.
    by_class : bool
        Whether the sizes of the true classes are fixed.
    """
    by_score = resolved.metric.score_influence is not None
    with np.errstate(all="ignore"):
        design, column, there = _design(rows, column, clusters, by_class)
        resolved = resolved.of_rows(there)
        limits = limits_of_rows(resolved, rows.n_classes)
        if resolved.metric.row_terms is not None:
            influence = row_influence(resolved, design.segments, column, with_pseudo_row=False)
            return _around(estimate, influence, design, limits, level)
        both = [
            row_influence(resolved, design.segments, column, with_pseudo_row)
            for with_pseudo_row in (False, True)
        ]
        df = design.df(both[1], within=by_score)
        plain, smoothed = (
            _interval(influence, design.variance(influence, within=by_score), df, limits, level)
            for influence in both
        )
        sizes = design.sum_by_class(np.ones(len(column)))
        survives_loss = ~(by_score & (sizes == 1).any(axis=0))
        several_classes = ((sizes > 0).sum(axis=0) >= 2) | (rows.n_classes == 1)
        n = sizes.sum(axis=0)
        if clusters is not None:  # as with counts, only tables with a pseudo-row are used
            survives_loss = np.zeros(len(n), bool)
        undefined = (n < 2) | ~(df >= 1)
        interval = hull(
            plain, smoothed, estimate, limits, survives_loss=survives_loss,
            several_classes=several_classes, undefined=undefined,
        )  # fmt: skip
        if by_score and clusters is None:
            has_se = np.isfinite(estimate) & np.isfinite(plain.se)
            return interval._replace(se=np.where(has_se, plain.se, np.nan))
        return interval


def _around(
    estimate: Floats, influence: RowInfluence, design: Design, limits: Bounds, level: float
) -> Interval:
    """Return plain intervals around values, cut off at their limits."""
    variance, df = design.variance(influence, within=False), design.df(influence, within=False)
    se = np.sqrt(variance)
    se = np.where(se <= tolerance_of(estimate, limits), 0, se)
    half = quantile(df, level) * se
    low, high = limits
    several_classes = (design.sum_by_class(np.ones(len(influence.rows))) > 0).sum(axis=0) >= 2
    undefined = ~np.isfinite(estimate) | ~(df >= 1) | ~((se > 0) | several_classes)
    interval = Interval(np.maximum(estimate - half, low), np.minimum(estimate + half, high), se)
    return interval.without(undefined)


def _interval(
    influence: RowInfluence, variance: Floats, df: Floats, limits: Bounds, level: float
) -> Interval:
    se = np.sqrt(variance)
    return Interval(*to_interval(influence.values, se, quantile(df, level), limits), se)


def _design(
    rows: Segments, column: Array, clusters: Codes | None, by_class: bool
) -> tuple[Design, Array, Array]:
    """Keep the rows that count, and scale their weights; also return their positions."""
    if rows.weights is not None:
        rows = replace(rows, codes=np.where(rows.weights > 0, rows.codes, -1))
    columns = [column, np.arange(len(column))]
    if clusters is not None:
        columns.append(clusters)
    rows, columns = rows.counted(*columns)
    if rows.weights is not None:
        sums = np.bincount(rows.segment, rows.weights, rows.n_segments)
        means = sums / np.bincount(rows.segment, minlength=rows.n_segments)
        rows = replace(rows, weights=rows.weights / means[rows.segment])
    column, there, *of_clusters = columns
    return Design(rows, of_clusters[0] if of_clusters else None, by_class), column, there


def limits_of_rows(resolved: Resolved, n_classes: int) -> Bounds:
    """Return the lowest and the highest value of a metric of scores or of probabilities."""
    metric, options = resolved
    if metric.limits is None:
        return metric.bounds(n_classes)
    return metric.limits(np.zeros((n_classes, n_classes)), options)
