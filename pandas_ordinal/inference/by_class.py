"""Tables by class and by cut: counts, shares and means of each class, with their intervals.

Each interval reads only the rows of its denominator, such as those of one true class.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pandas_ordinal.counting.arrays import Array, Floats, Positions
from pandas_ordinal.inference.class_bounds import (
    clopper_pearson,
    costs_of_class,
    intervals_of_classes,
)
from pandas_ordinal.inference.influence import df_of_weights, pseudo_predictions, ratio
from pandas_ordinal.inference.interval import tables_of
from pandas_ordinal.inference.scale import quantile, to_interval
from pandas_ordinal.metrics.class_shares import at_cuts
from pandas_ordinal.metrics.metric import Metric
from pandas_ordinal.metrics.stack import batch_last
from pandas_ordinal.reports.by_class import TableByClass


class WeightSums(NamedTuple):
    """The norms of weights, and how many of these are positive, ``(batch, K, K)`` each."""

    norms: Array
    n: Array


class ClusterCounts(NamedTuple):
    """The counts of clusters ``(clusters, K, K)``, and the position of the table of each.

    `typical` is the typical weight of a row of each table.
    """

    counts: Array
    table: Positions
    typical: Floats

    def present(self) -> Array:
        """Count the clusters that have rows of each true class, ``(batch, K)``."""
        return self.summed(self.counts.sum(axis=2) > 0).astype(np.int64)

    def summed(self, values: Array) -> Floats:
        """Sum values of the clusters ``(clusters, K)`` over each table, ``(batch, K)``."""
        batch = len(self.typical)
        sums = [np.bincount(self.table, column, batch) for column in values.T]
        return np.stack(sums, axis=1).astype(float)


@dataclass(frozen=True)
class DrawnTables:
    """Confusion matrices, and what intervals of their classes read.

    Attributes
    ----------
    rows : ndarray, shape (batch, K, K)
        The numbers of rows.
    counts : ndarray, shape (batch, K, K)
        The sums of their weights; the same without weights.
    weights : WeightSums or None
        What else intervals of weighted rows read.
    clusters : ClusterCounts or None
        The clusters; None if all rows are independent.
    """

    rows: Array
    counts: Array
    weights: WeightSums | None = None
    clusters: ClusterCounts | None = None

    def at_cuts(self) -> DrawnTables:
        """Return tables of two classes: for each table one per cut, in the order of the cuts."""
        n_cuts = self.rows.shape[-1] - 1
        weights, clusters = self.weights, self.clusters
        if weights is not None:
            largest = weights.norms.max(initial=0) or 1.0  # whose square might exceed floats
            squares = _cut((weights.norms / largest) ** 2)
            weights = WeightSums(np.sqrt(squares) * largest, _cut(weights.n))
        if clusters is not None:
            table = clusters.table[:, None] * n_cuts + np.arange(n_cuts)
            typical = np.repeat(clusters.typical, n_cuts)
            clusters = ClusterCounts(_cut(clusters.counts), table.ravel(), typical)
        return DrawnTables(_cut(self.rows), _cut(self.counts), weights, clusters)


def drawn_tables(
    n: Array,
    counts: Array,
    *,
    rows: Array | None = None,
    norms: Array | None = None,
    clusters: tuple[Array, Positions] | None = None,
) -> DrawnTables:
    """Return tables of the numbers of rows and of weights, with what intervals need besides.

    For weighted rows: the number of those whose weight is positive, and the norms of the weights,
    by cell; with clusters, their sums suffice.
    """
    if clusters is not None:
        typical = np.ones(len(counts))
        if norms is not None:
            sums = counts.sum(axis=(1, 2), keepdims=True)
            typical = (norms * ratio(norms, sums)).sum(axis=(1, 2))
        return DrawnTables(n, counts, clusters=ClusterCounts(*clusters, typical))
    if rows is not None and norms is not None:
        return DrawnTables(n, counts, weights=WeightSums(norms, rows))
    return DrawnTables(n, counts)


def _cut(tables: Array) -> Array:
    return at_cuts(tables).reshape(-1, 2, 2)


def columns_of_table(drawn: DrawnTables, table: TableByClass) -> dict[str, Array]:
    """Return the columns of a table, each ``(batch, K)`` or ``(batch, K - 1)``, without `auc`."""
    if not table.at_cuts:
        clusters = [] if drawn.clusters is None else [drawn.clusters.present()]
        sizes = [drawn.rows.sum(axis=2), *clusters, drawn.rows.sum(axis=1)]
        return dict(zip(table.sizes, sizes, strict=True)) | _shown(drawn, table)
    batch, n_cuts = len(drawn.rows), drawn.rows.shape[-1] - 1
    cut = drawn.at_cuts()
    clusters = []
    if drawn.clusters is not None:
        clusters = [np.bincount(drawn.clusters.table, minlength=batch).repeat(n_cuts)]
    above = cut.rows.sum(axis=2)[:, 1], cut.rows.sum(axis=1)[:, 1]
    sizes = [cut.rows.sum(axis=(1, 2)), *clusters, *above]
    columns = dict(zip(table.sizes, sizes, strict=True))
    columns |= {name: column[:, 1] for name, column in _shown(cut, table).items()}
    return {name: column.reshape(batch, n_cuts) for name, column in columns.items()}


def _shown(drawn: DrawnTables, table: TableByClass) -> dict[str, Array]:
    """Return the metrics of each class, with their bounds."""
    columns: dict[str, Array] = {}
    for name, metric in table.metrics.items():
        values = np.asarray(metric.kernel(drawn.counts))
        columns[name] = values
        if table.uncertainty.ci is None:
            continue
        with np.errstate(all="ignore"):
            low, high = _interval(metric, drawn, table.uncertainty.ci)
        is_known = ~np.isnan(values) & ~np.isnan(low)
        columns[f"{name}_low"] = np.where(is_known, np.fmin(low, values), np.nan)
        columns[f"{name}_high"] = np.where(is_known, np.fmax(high, values), np.nan)
    return columns


def _interval(metric: Metric, drawn: DrawnTables, level: float) -> tuple[Floats, Floats]:
    """Return the bounds of a metric of each class."""
    if drawn.clusters is not None:
        return _by_cluster(metric, drawn, drawn.clusters, level)
    if drawn.weights is not None:
        return _by_weight(metric, drawn, drawn.weights, level)
    if metric.trials is None:
        return intervals_of_classes(metric.kernel, drawn.counts.astype(float), level)
    successes, rows = (part.T for part in metric.trials(batch_last(drawn.counts)))
    return clopper_pearson(successes, rows, level)


class Outcomes(NamedTuple):
    """How the rows of a denominator turn out.

    Attributes
    ----------
    of : callable
        Counts the outcomes of each class, ``(batch, K, outcomes)``, given tables.
    values : ndarray, shape (K, outcomes)
        What each outcome adds to the mean.
    pseudo_row : ndarray, shape (batch, K, outcomes)
        One more row for each class.
    """

    of: Callable[[Array], Floats]
    values: Floats
    pseudo_row: Floats

    def means(self, counts: Floats) -> Floats:
        """Return the mean of each class."""
        means: Floats = (counts * self.values).sum(axis=2) / counts.sum(axis=2)
        return means

    def variance(self, squares: Floats, means: Floats, sizes: Floats) -> Floats:
        """Return the sum of squared influences, given sums of squared weights."""
        away = (self.values - means[:, :, None]) ** 2
        variance: Floats = (squares * away).sum(axis=2) / sizes**2
        return variance

    @property
    def limits(self) -> tuple[Floats, Floats]:
        """The lowest and the highest mean of each class."""
        return self.values.min(axis=1), self.values.max(axis=1)


def _outcomes(metric: Metric, counts: Array) -> Outcomes:
    """Return success and failure for a share, and the predicted classes for a mean."""
    n_classes, trials = counts.shape[-1], metric.trials
    if trials is None:
        values = costs_of_class(metric.kernel, n_classes)
        return Outcomes(lambda tables: tables.astype(float), values, pseudo_predictions(counts))

    def count(tables: Array) -> Floats:
        successes, rows = (part.T for part in trials(batch_last(tables)))
        return np.stack([successes, rows - successes], axis=2)

    shape = len(counts), n_classes, 2
    return Outcomes(count, np.tile([1.0, 0.0], (n_classes, 1)), np.full(shape, 0.5))


def _by_weight(
    metric: Metric, drawn: DrawnTables, weights: WeightSums, level: float
) -> tuple[Floats, Floats]:
    """Return bounds for weighted rows: those with a pseudo-row, and those without if wider."""
    outcomes = _outcomes(metric, drawn.counts)
    tables = tables_of(drawn.counts, norms=weights.norms, rows=weights.n)
    counts, squares = outcomes.of(tables.counts), outcomes.of(tables.squares)
    sizes, sums = counts.sum(axis=2), squares.sum(axis=2)
    n = outcomes.of(weights.n).sum(axis=2)
    t = quantile(df_of_weights(sizes, sums), level)
    ends = []
    for added in (sums / sizes, np.zeros_like(sizes)):
        mass, rows = added[:, :, None], n + (added > 0)
        means = outcomes.means(counts + mass * outcomes.pseudo_row)
        of_all = squares + mass**2 * outcomes.pseudo_row
        variance = rows / (rows - 1) * outcomes.variance(of_all, means, sizes + added)
        ends.append(to_interval(means, np.sqrt(variance), t, outcomes.limits))
    (low, high), (plain_low, plain_high) = ends
    return np.fmin(low, plain_low), np.fmax(high, plain_high)


def _by_cluster(
    metric: Metric, drawn: DrawnTables, clusters: ClusterCounts, level: float
) -> tuple[Floats, Floats]:
    """Return bounds from leaving out each cluster, with a pseudo-row in each class."""
    outcomes = _outcomes(metric, drawn.counts)
    pseudo_row = clusters.typical[:, None, None] * outcomes.pseudo_row
    smoothed = outcomes.of(drawn.counts) + pseudo_row
    means, sizes = outcomes.means(smoothed), smoothed.sum(axis=2)
    parts = outcomes.of(clusters.counts)
    is_there = parts.sum(axis=2) > 0
    changes = means[clusters.table] - outcomes.means(smoothed[clusters.table] - parts)
    n, squares = clusters.summed(is_there), clusters.summed(np.where(is_there, changes**2, 0))
    of_row = outcomes.variance(clusters.typical[:, None, None] * pseudo_row, means, sizes)
    se = np.sqrt((n - 1) / n * squares + of_row)
    return to_interval(means, se, quantile(n - 1, level), outcomes.limits)
