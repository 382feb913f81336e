"""Rows that several models predict: the one place where they are read to compare the models.

`Paired` is what a comparison needs to know. `PairedCells` knows it from independent rows, and
`PairedClusters` from the tables of clusters.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pandas_ordinal.counting.arrays import Array, Codes, Floats, Positions
from pandas_ordinal.counting.counts import Factor, count, number_pairs, starts_of
from pandas_ordinal.inference.influence import (
    CountMetric,
    Influence,
    centre,
    df_of_classes,
    df_of_weights,
    effective_sizes,
    ratio,
)
from pandas_ordinal.inference.interval import changes_by_cluster
from pandas_ordinal.inference.scale import between, variance_between
from pandas_ordinal.metrics.stack import block_size

LONG_SEGMENT = 200  # rows of a segment, on average


@dataclass(frozen=True)
class Smoothed:
    """A metric of tables with a pseudo-row, and what a row in each cell adds to it.

    Attributes
    ----------
    value : callable
        The metric.
    counts, row : ndarray, shape (tables, K, K)
        The tables, and the pseudo-row of each.
    influence : Influence
        The metric of ``counts + row``, and the influence of each cell, not centred.
    """

    value: CountMetric
    counts: Floats
    row: Floats
    influence: Influence

    @property
    def by_cell(self) -> Floats:
        """The influence of each cell, whose mean over the rows of a table is 0."""
        return centre(self.influence.by_cell, self.counts + self.row)

    def differences(self, n_models: int) -> Floats:
        """Return the differences of each two models, ``(n_groups, n_models, n_models)``.

        They are divided by the share of the rows among all: the pseudo-row moves a mean by the
        same share of its distance, in both models.
        """
        sums, mass = (table.sum(axis=(1, 2)) for table in (self.counts, self.row))
        values = self.influence.values
        stretch = ((sums + mass) / sums).reshape(-1, n_models, 1)
        differences: Floats = stretch * between(values.reshape(-1, n_models))
        return differences

    def of_pseudo_row(self, by_cell: Floats, n_models: int) -> Floats:
        """Return the products of the pseudo-row's influences, as `IndependentRows.products`.

        The models predict the pseudo-row independently of one another in each true class.
        """
        n_classes = self.row.shape[-1]
        shape = (-1, n_models, n_classes, n_classes)
        row, by_cell = self.row.reshape(shape), by_cell.reshape(shape)
        sums, share = (row * by_cell).sum(axis=3), row.sum(axis=3)
        by_class = ratio(sums, np.sqrt(share)).transpose(0, 2, 1)
        products = np.asarray(by_class[..., None] * by_class[..., None, :])
        own, every = (row * by_cell**2).sum(axis=3), np.arange(n_models)
        products[..., every, every] = own.transpose(0, 2, 1)
        return products


class Spread(NamedTuple):
    """How differences of a metric vary, each array ``(n_groups, n_models, n_models)``.

    Attributes
    ----------
    smoothed : ndarray
        The difference of each two models with the pseudo-row, divided by the share of the rows
        among all, since the pseudo-row moves both models to the same value.
    covariance : ndarray
        The covariance of the values, including the part of the pseudo-row.
    df : ndarray
        The degrees of freedom of the difference of each two models.
    """

    smoothed: Floats
    covariance: Floats
    df: Floats


class RowWeights(NamedTuple):
    """How much rows weigh; a row may stand for several.

    Attributes
    ----------
    sums, norms : ndarray, shape (n_rows,)
        The weight of each row, or the sum of the weights of those that it stands for, and the root
        of the sum of their squares. The squares themselves might exceed the range of floats.
    rows : ndarray, shape (n_rows,)
        How many rows each one stands for.
    """

    sums: Floats
    norms: Floats
    rows: Floats

    @property
    def are_counts(self) -> bool:
        """Whether all rows weigh the same."""
        return self.sums is self.rows

    def scaled(self, of: slice, group: Positions, n_groups: int) -> tuple[RowWeights, Floats]:
        """Return the weights of some rows scaled to a mean of 1 in each group, and the means."""
        sums, norms, rows = (part[of] for part in self)
        if self.are_counts:
            return RowWeights(sums, norms, sums), np.ones(n_groups)
        total, n = (np.bincount(group, part, n_groups) for part in (sums, rows))
        means = ratio(total, n, otherwise=1)
        with np.errstate(under="ignore"):  # such weights count as none next to others
            return RowWeights(sums / means[group], norms / means[group], rows), means


def weights_of_rows(weights: Floats) -> RowWeights:
    """Return the weights of single rows."""
    return RowWeights(weights, weights, np.ones(len(weights)))


def repeated(times: Floats) -> RowWeights:
    """Return the weights of rows that each stand for several."""
    return RowWeights(times, np.sqrt(times), times)


class Paired(ABC):
    """What a comparison knows about rows that several models predict, in groups.

    Tables are ordered by group, and by model within each. Weights of rows have a mean of 1 in each
    group.

    Attributes
    ----------
    n_groups, n_models, n_classes : int
        How many groups, models and classes there are.
    means : ndarray, shape (n_groups,), or None
        The means of the weights before they were scaled; None for 1.
    """

    n_groups: int
    n_classes: int
    means: Floats | None

    @property
    @abstractmethod
    def n_models(self) -> int:
        """How many models there are."""

    @abstractmethod
    def tables(self) -> Floats:
        """Count the rows of each group by true and predicted class, (groups * models, K, K)."""

    def squares(self) -> Floats:
        """Sum the squared weights of the rows of each true class, ``(n_groups, K)``."""
        return np.asarray(self.tables()[:: self.n_models].sum(axis=2))

    def sizes(self) -> Floats:
        """Return how many rows of equal weights say as much as those of each true class."""
        return effective_sizes(self.tables()[:: self.n_models].sum(axis=2), self.squares())

    def mass(self) -> Floats:
        """Return the typical weight of a row of each group, which the pseudo-row has too."""
        n = self.tables()[:: self.n_models].sum(axis=(1, 2))
        return ratio(self.squares().sum(axis=1), n, otherwise=1)

    @abstractmethod
    def spread(self, metric: Smoothed) -> Spread:
        """Return how the differences of a metric vary."""


class IndependentRows(Paired):
    """Rows that are independent of one another: their products are all that has to be known."""

    @property
    @abstractmethod
    def is_weighted(self) -> bool:
        """Whether some rows weigh more than others."""

    @abstractmethod
    def products(self, by_cell: Floats) -> Floats:
        """Sum the products of two models' influences over the rows of each true class.

        Parameters
        ----------
        by_cell : ndarray, shape (n_groups * n_models, K, K)
            What a row in each cell adds to the metric of each model.

        Returns
        -------
        ndarray, shape (n_groups, K, n_models, n_models)
            For models a and b, the sum of ``by_cell[a, y, a(row)] * by_cell[b, y, b(row)]``, times
            the square of the weight, over the rows of the true class y.
        """

    def spread(self, metric: Smoothed) -> Spread:
        """Return how the differences of a metric vary, with the pseudo-row as one more row."""
        m, by_cell, squares = self.n_models, metric.by_cell, self.squares()
        sums, row = metric.counts[::m].sum(axis=2), metric.row[::m].sum(axis=2)
        n, mass = sums.sum(axis=1)[:, None, None], row.sum(axis=1, keepdims=True)
        of_row = mass[..., None, None] * metric.of_pseudo_row(by_cell, m)
        products = self.products(by_cell) + of_row
        of_differences = np.maximum(variance_between(products), 0)
        sizes = effective_sizes(sums + row, squares + mass * row)
        most = df_of_weights(n[:, 0, 0], squares.sum(axis=1))[:, None, None]
        df = df_of_classes(np.moveaxis(of_differences, 1, -1), sizes[:, None, None], most)
        return Spread(metric.differences(m), (n + 1) / n * products.sum(axis=1), df)


@dataclass(frozen=True)
class PairedCells(IndependentRows):
    """Rows by the cells of the tables that they are in.

    Attributes
    ----------
    cells : ndarray, shape (n_models, n_rows)
        The cell of each row in the flattened tables. Rows are ordered by group and true class.
    n_groups, n_classes : int
        How many groups and classes there are.
    weights : RowWeights or None
        Their weights; None for 1.
    means : ndarray, shape (n_groups,), or None
        The means of the weights before they were scaled; None for 1.
    """

    cells: Positions
    n_groups: int
    n_classes: int
    weights: RowWeights | None = None
    means: Floats | None = None

    @property
    def n_models(self) -> int:
        """How many models there are."""
        return len(self.cells)

    @property
    def is_weighted(self) -> bool:
        """Whether some rows weigh more than others."""
        return self.weights is not None and not self.weights.are_counts

    def tables(self) -> Floats:
        """Count the rows of each group by true and predicted class, (groups * models, K, K)."""
        shape = self.n_groups * self.n_models, self.n_classes, self.n_classes
        counts = np.zeros(math.prod(shape))
        for of_model in self.cells:
            counts += np.bincount(
                of_model, None if self.weights is None else self.weights.sums, len(counts)
            )
        return counts.reshape(shape)

    def squares(self) -> Floats:
        """Sum the squared weights of the rows of each true class, ``(n_groups, K)``."""
        if self.weights is None:
            return super().squares()
        m, k = self.n_models, self.n_classes
        segment = self.cells[0] // k  # the first model of group g has the table g * m
        sums = _sum_by(segment, self.weights.norms**2, self.n_groups * m * k)
        return sums.reshape(-1, m, k)[:, 0]

    def products(self, by_cell: Floats) -> Floats:
        """Sum the products of two models' influences over the rows of each true class."""
        m, k = self.n_models, self.n_classes
        row_of_table = self.cells[0] // k
        starts = starts_of(row_of_table)
        group, true = np.divmod(row_of_table[starts], m * k)
        each = by_cell.ravel().take(self.cells)
        if self.weights is not None:
            each *= self.weights.norms
        return _products(each, starts, group * k + true, self.n_groups * k).reshape(-1, k, m, m)


@dataclass(frozen=True)
class PairedRows:
    """Rows that several models predict, one by one.

    Attributes
    ----------
    true : ndarray, shape (n_rows,)
        The true classes, ascending within each group.
    preds : sequence of ndarray
        The predicted classes of each model.
    group : ndarray, shape (n_rows,)
        The number of the group of each row, ascending.
    n_groups, n_classes : int
        How many groups and classes there are.
    cluster : ndarray or None
        The cluster of each row; None if all rows are independent.
    weights : RowWeights or None
        Their weights; None for 1.
    """

    true: Codes
    preds: Sequence[Codes]
    group: Positions
    n_groups: int
    n_classes: int
    cluster: Codes | None
    weights: RowWeights | None = None

    def blocks(self) -> Iterator[Paired]:
        """Yield what a comparison needs to know, a few groups at a time."""
        size = max(1, block_size(self.n_classes) // max(1, len(self.preds)))
        for first in range(0, self.n_groups, size):
            last = min(first + size, self.n_groups)
            rows = slice(*np.searchsorted(self.group, [first, last]))
            group = self.group[rows] - first
            if self.cluster is None:
                weights, means = self._weights(rows, group, last - first)
                cells = self._cells(rows, group)
                yield PairedCells(cells, last - first, self.n_classes, weights, means)
            else:
                yield self._clusters(rows, group, last - first)

    def _weights(
        self, rows: slice, group: Positions, n_groups: int
    ) -> tuple[RowWeights | None, Floats | None]:
        """Return the scaled weights of some rows, and their means in each group."""
        if self.weights is None:
            return None, None
        return self.weights.scaled(rows, group, n_groups)

    def _cells(self, rows: slice, group: Positions) -> Positions:
        """Return the cell of each row in the flattened tables of the models."""
        m, k = len(self.preds), self.n_classes
        cells = np.empty((m, len(group)), np.intp)
        for model, pred in enumerate(self.preds):
            cells[model] = ((group * m + model) * k + self.true[rows]) * k + pred[rows]
        return cells

    def _clusters(self, rows: slice, group: Positions, n_groups: int) -> PairedClusters:
        """Count the rows of each cluster."""
        assert self.cluster is not None
        cluster, true = self.cluster[rows], self.true[rows]
        first, unit = number_pairs(group, cluster)
        factors, every = [Factor(unit, len(first))], np.arange(len(first))
        weights, means = self._weights(rows, group, n_groups)
        sums, of_squares = None, None
        if weights is not None:
            sums, k = weights.sums, self.n_classes
            of_squares = _sum_by(group * k + true, weights.norms**2, n_groups * k).reshape(-1, k)
        counts = [
            count(factors, true, pred[rows], self.n_classes, sums).of(every) for pred in self.preds
        ]
        return PairedClusters(counts, group[first], n_groups, self.n_classes, of_squares, means)


@dataclass(frozen=True)
class PairedClusters(Paired):
    """Clusters of rows, which are left out one by one.

    Attributes
    ----------
    counts : sequence of ndarray, shape (n_clusters, K, K)
        The counts of the rows in each cluster, for each model.
    group : ndarray, shape (n_clusters,)
        The number of the group of each cluster, ascending.
    n_groups, n_classes : int
        How many groups and classes there are.
    of_squares : ndarray, shape (n_groups, K), or None
        The sums of the squared weights of the rows of each true class; None for weights of 1.
    means : ndarray, shape (n_groups,), or None
        The means of the weights before they were scaled; None for 1.
    """

    counts: Sequence[Array]
    group: Positions
    n_groups: int
    n_classes: int
    of_squares: Floats | None = None
    means: Floats | None = None

    @property
    def n_models(self) -> int:
        """How many models there are."""
        return len(self.counts)

    def tables(self) -> Floats:
        """Count the rows of each group by true and predicted class, (groups * models, K, K)."""
        starts = starts_of(self.group)
        shape = self.n_groups, self.n_models, self.n_classes, self.n_classes
        sums = np.zeros(shape)
        for model, counts in enumerate(self.counts):
            sums[self.group[starts], model] = np.add.reduceat(counts, starts)
        return sums.reshape(-1, *shape[2:])

    def squares(self) -> Floats:
        """Sum the squared weights of the rows of each true class, ``(n_groups, K)``."""
        return super().squares() if self.of_squares is None else self.of_squares

    def spread(self, metric: Smoothed) -> Spread:
        """Return how the differences of a metric vary when clusters are left out one by one."""
        m = self.n_models
        n = np.bincount(self.group, minlength=self.n_groups).astype(float)[:, None, None]
        changes = np.empty((m, len(self.group)))
        for model, counts in enumerate(self.counts):
            of_model = slice(model, None, m)
            changes[model] = changes_by_cluster(
                metric.value, Influence(*(part[of_model] for part in metric.influence)),
                metric.counts[of_model], metric.row[of_model], counts, self.group,
            )  # fmt: skip
        of_row = metric.of_pseudo_row(metric.by_cell, m).sum(axis=1)
        of_row *= self.mass()[:, None, None]
        starts = starts_of(self.group)
        products = _products(changes, starts, self.group[starts], self.n_groups)
        df = np.broadcast_to(n - 1, products.shape)
        return Spread(metric.differences(m), (n - 1) / n * products + of_row, df)


def _sum_by(segment: Positions, values: Floats, n_segments: int) -> Floats:
    """Sum values over segments."""
    return np.bincount(segment, values, n_segments).astype(float)


def _products(each: Floats, starts: Positions, segments: Positions, n_segments: int) -> Floats:
    """Sum the products of two rows of values, ``(m, n)``, over the segments that start there."""
    m, n = each.shape
    sums = np.zeros((n_segments, m, m))
    if n > LONG_SEGMENT * len(starts):  # a call each costs less than an array of all products
        for segment, start, stop in zip(segments, starts, [*starts[1:], n], strict=True):
            sums[segment] = each[:, start:stop] @ each[:, start:stop].T
        return sums
    for one in range(m if n else 0):
        products = np.add.reduceat(each[one] * each[one:], starts, axis=1)
        sums[segments, one, one:] = products.T
        sums[:, one:, one] = sums[:, one, one:]
    return sums
