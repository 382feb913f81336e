"""Rows that several models predict: the one place where they are read to compare the models.

`Paired` is what a comparison needs to know. `PairedCells` knows it from independent rows, and
`PairedClusters` from the tables of clusters.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pandas_ordinal.counting.arrays import Array, Codes, Floats, Positions
from pandas_ordinal.counting.counts import Factor, count, starts_of
from pandas_ordinal.inference.influence import CountMetric, Influence, df_of_classes
from pandas_ordinal.inference.interval import changes_by_cluster
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
        smoothed, by_cell = self.counts + self.row, self.influence.by_cell
        mean = (smoothed * by_cell).sum(axis=(1, 2)) / smoothed.sum(axis=(1, 2))
        centred: Floats = by_cell - mean[:, None, None]
        return centred

    def of_pseudo_row(self, by_cell: Floats, n_models: int) -> Floats:
        """Return the products of the pseudo-row's influences, as `IndependentRows.products`.

        The models predict the pseudo-row independently of one another in each true class.
        """
        n_classes = self.row.shape[-1]
        shape = (-1, n_models, n_classes, n_classes)
        row, by_cell = self.row.reshape(shape), by_cell.reshape(shape)
        sums, share = (row * by_cell).sum(axis=3), row.sum(axis=3)
        scaled = np.divide(sums, np.sqrt(share), out=np.zeros_like(sums), where=share > 0)
        by_class = scaled.transpose(0, 2, 1)
        products = np.asarray(by_class[..., None] * by_class[..., None, :])
        own, every = (row * by_cell**2).sum(axis=3), np.arange(n_models)
        products[..., every, every] = own.transpose(0, 2, 1)
        return products


class Paired(ABC):
    """What a comparison knows about rows that several models predict, in groups.

    Tables are ordered by group, and by model within each.

    Attributes
    ----------
    n_groups, n_models, n_classes : int
        How many groups, models and classes there are.
    """

    n_groups: int
    n_classes: int

    @property
    @abstractmethod
    def n_models(self) -> int:
        """How many models there are."""

    @abstractmethod
    def tables(self) -> Floats:
        """Count the rows of each group by true and predicted class, (groups * models, K, K)."""

    @abstractmethod
    def n_units(self) -> Floats:
        """Count the units of each group that are independent: its rows, or its clusters."""

    @abstractmethod
    def covariance(self, metric: Smoothed) -> tuple[Floats, Floats]:
        """Return the covariance of a metric of the models, ``(n_groups, n_models, n_models)``.

        The second array has the degrees of freedom of the difference of each two models.
        """


class IndependentRows(Paired):
    """Rows that are independent of one another: their products are all that has to be known."""

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
            For models a and b, the sum of ``by_cell[a, y, a(row)] * by_cell[b, y, b(row)]`` over
            the rows of the true class y.
        """

    def covariance(self, metric: Smoothed) -> tuple[Floats, Floats]:
        """Return the covariance of a metric of the models, with the pseudo-row as one more row."""
        sizes, by_cell = metric.counts[:: self.n_models].sum(axis=2), metric.by_cell
        n = sizes.sum(axis=1)[:, None, None]
        products = self.products(by_cell) + metric.of_pseudo_row(by_cell, self.n_models)
        own = products.diagonal(axis1=2, axis2=3)
        of_differences = np.maximum(own[..., None] + own[..., None, :] - 2 * products, 0)
        sizes = sizes + metric.row[:: self.n_models].sum(axis=2)
        df = df_of_classes(np.moveaxis(of_differences, 1, -1), sizes[:, None, None], n - 1)
        return (n + 1) / n * products.sum(axis=1), df


@dataclass(frozen=True)
class PairedCells(IndependentRows):
    """Rows by the cells of the tables that they are in.

    Attributes
    ----------
    cells : ndarray, shape (n_models, n_rows)
        The cell of each row in the flattened tables. Rows are ordered by group and true class.
    n_groups, n_classes : int
        How many groups and classes there are.
    times : ndarray or None
        How many rows each one stands for; None for one.
    """

    cells: Positions
    n_groups: int
    n_classes: int
    times: Floats | None = None

    @property
    def n_models(self) -> int:
        """How many models there are."""
        return len(self.cells)

    def tables(self) -> Floats:
        """Count the rows of each group by true and predicted class, (groups * models, K, K)."""
        shape = self.n_groups * self.n_models, self.n_classes, self.n_classes
        counts = np.zeros(math.prod(shape))
        for of_model in self.cells:
            counts += np.bincount(of_model, self.times, len(counts))
        return counts.reshape(shape)

    def n_units(self) -> Floats:
        """Count the rows of each group."""
        counts = self.tables().reshape(self.n_groups, self.n_models, -1)
        return np.asarray(counts[:, 0].sum(axis=1))

    def products(self, by_cell: Floats) -> Floats:
        """Sum the products of two models' influences over the rows of each true class."""
        m, k = self.n_models, self.n_classes
        row_of_table = self.cells[0] // k  # the first model of group g has the table g * m
        starts = starts_of(row_of_table)
        group, true = np.divmod(row_of_table[starts], m * k)
        each = by_cell.ravel().take(self.cells)
        if self.times is not None:
            each *= np.sqrt(self.times)
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
    times : ndarray or None
        How many rows each one stands for; None for one.
    """

    true: Codes
    preds: Sequence[Codes]
    group: Positions
    n_groups: int
    n_classes: int
    cluster: Codes | None
    times: Floats | None = None

    def blocks(self) -> Iterator[Paired]:
        """Yield what a comparison needs to know, a few groups at a time."""
        size = max(1, block_size(self.n_classes) // max(1, len(self.preds)))
        for first in range(0, self.n_groups, size):
            last = min(first + size, self.n_groups)
            rows = slice(*np.searchsorted(self.group, [first, last]))
            group = self.group[rows] - first
            if self.cluster is None:
                cells, times = self._cells(rows, group), self._times(rows)
                yield PairedCells(cells, last - first, self.n_classes, times)
            else:
                yield self._clusters(rows, group, last - first)

    def _times(self, rows: slice) -> Floats | None:
        """Return how many rows each of some rows stands for."""
        return None if self.times is None else self.times[rows]

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
        keys = group * (int(cluster.max(initial=0)) + 1) + cluster
        _, first, unit = np.unique(keys, return_index=True, return_inverse=True)
        factors, every = [Factor(unit, len(first))], np.arange(len(first))
        counts = [
            count(factors, true, pred[rows], self.n_classes, self._times(rows)).of(every)
            for pred in self.preds
        ]
        return PairedClusters(counts, group[first], n_groups, self.n_classes)


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
    """

    counts: Sequence[Array]
    group: Positions
    n_groups: int
    n_classes: int

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

    def n_units(self) -> Floats:
        """Count the clusters of each group."""
        return np.bincount(self.group, minlength=self.n_groups).astype(float)

    def covariance(self, metric: Smoothed) -> tuple[Floats, Floats]:
        """Return the covariance of a metric of the models, each left without one cluster."""
        n, m = self.n_units()[:, None, None], self.n_models
        changes = np.empty((m, len(self.group)))
        for model, counts in enumerate(self.counts):
            of_model = slice(model, None, m)
            changes[model] = changes_by_cluster(
                metric.value, Influence(*(part[of_model] for part in metric.influence)),
                metric.counts[of_model], metric.row[of_model], counts, self.group,
            )  # fmt: skip
        of_row = metric.of_pseudo_row(metric.by_cell, m).sum(axis=1)
        starts = starts_of(self.group)
        products = _products(changes, starts, self.group[starts], self.n_groups)
        return (n - 1) / n * products + of_row, np.broadcast_to(n - 1, products.shape)


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


def _products(each: Floats, starts: Positions, segments: Positions, n_segments: int) -> Floats:
    """Sum the products of two rows of values, ``(m, n)``, over the segments that start there."""
    m, n = each.shape
    sums = np.zeros((n_segments, m, m))
    if n > LONG_SEGMENT * len(
        starts
    ):  # then calls cost less than products that are not summed at once
        for segment, start, stop in zip(segments, starts, [*starts[1:], n], strict=True):
            sums[segment] = each[:, start:stop] @ each[:, start:stop].T
        return sums
    for one in range(m if n else 0):
        products = np.add.reduceat(each[one] * each[one:], starts, axis=1)
        sums[segments, one, one:] = products.T
        sums[:, one:, one] = sums[:, one, one:]
    return sums
