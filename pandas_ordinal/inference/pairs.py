"""Differences of models that predict the same rows: their standard errors and p-values."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pandas_ordinal.arrays import Array, Codes, Floats, Positions
from pandas_ordinal.counts import Factor, count
from pandas_ordinal.inference.clusters import changes_by_cluster
from pandas_ordinal.inference.influence import Influence, Value, influences
from pandas_ordinal.inference.interval import Measure, by_pseudo_row
from pandas_ordinal.inference.noise import noise_of
from pandas_ordinal.inference.pseudo import pseudo_row
from pandas_ordinal.metrics.stack import block_size

SMALLEST = float(np.nextafter(0, 1))


@dataclass(frozen=True)
class Paired:
    """Rows that several models predict.

    Attributes
    ----------
    true : ndarray, shape (n_rows,)
        The true classes.
    preds : sequence of ndarray
        The predicted classes of each model.
    group : ndarray, shape (n_rows,)
        The number of the group of each row, ascending.
    n_groups, n_classes : int
        How many groups and classes there are.
    cluster : ndarray or None
        Which rows belong together; None if all are independent.
    """

    true: Codes
    preds: Sequence[Codes]
    group: Positions
    n_groups: int
    n_classes: int
    cluster: Codes | None

    def blocks(self) -> Iterator[Paired]:
        """Yield some groups at a time."""
        size = max(1, block_size(self.n_classes) // len(self.preds))
        for first in range(0, self.n_groups, size):
            last = min(first + size, self.n_groups)
            rows = slice(*np.searchsorted(self.group, [first, last]))
            cluster = None if self.cluster is None else self.cluster[rows]
            preds = [pred[rows] for pred in self.preds]
            group = self.group[rows] - first
            yield Paired(self.true[rows], preds, group, last - first, self.n_classes, cluster)

    def tables(self) -> Floats:
        """Count the rows, shape ``(n_groups * n_models, K, K)``."""
        factors = [Factor(self.group, self.n_groups)]
        every = np.arange(self.n_groups)
        counts = [count(factors, self.true, p, self.n_classes).of(every) for p in self.preds]
        return np.stack(counts, axis=1, dtype=float).reshape(-1, self.n_classes, self.n_classes)

    def cells(self) -> list[Positions]:
        """Return where in the tables each row is, for each model."""
        table = self.group * len(self.preds)
        k = self.n_classes
        return [((table + n) * k + self.true) * k + pred for n, pred in enumerate(self.preds)]

    def units(self) -> tuple[Positions, Positions]:
        """Return the number of the cluster of each row, and the group of each cluster."""
        assert self.cluster is not None
        keys = self.group * (int(self.cluster.max(initial=0)) + 1) + self.cluster
        _, first, unit = np.unique(keys, return_index=True, return_inverse=True)
        return unit, self.group[first]


class Differences(NamedTuple):
    """What a metric says of models and pairs of them.

    The values ``(n_groups, n_models)``, and by how much they may be off by rounding; the standard
    errors of the differences ``(n_groups, n_pairs)`` and their degrees of freedom ``(n_groups,)``.
    """

    values: Floats
    noise: Floats
    se: Floats
    freedom: Floats


def differences(
    measures: Mapping[str, Measure], rows: Paired, first: Positions, second: Positions
) -> dict[str, Differences]:
    """Return values and standard errors of differences between pairs of models."""
    parts = [_differences(measures, block, first, second) for block in rows.blocks()]
    return {
        name: Differences(*map(np.concatenate, zip(*(p[name] for p in parts), strict=True)))
        for name in measures
    }


def _differences(
    measures: Mapping[str, Measure], rows: Paired, first: Positions, second: Positions
) -> dict[str, Differences]:
    n_groups, n_models, n_classes = rows.n_groups, len(rows.preds), rows.n_classes
    counts = rows.tables()
    n_rows = np.bincount(rows.group, minlength=n_groups).astype(float)
    group, n_units = rows.group, n_rows
    clusters: list[Array] = []
    cells: list[Positions] = []
    if rows.cluster is None:
        cells = rows.cells()
    else:
        unit, group = rows.units()
        n_units = np.bincount(group, minlength=n_groups).astype(float)
        every, factors = np.arange(len(group)), [Factor(unit, len(group))]
        clusters = [count(factors, rows.true, p, n_classes).of(every) for p in rows.preds]
    found, n = {}, n_units[:, None]
    with np.errstate(all="ignore"):
        for right_within, alike in by_pseudo_row(measures).items():
            row = pseudo_row(counts, right_within)
            values = {name: one.value for name, one in alike.items()}
            influence = influences(values, counts + row)
            raw = influences(values, counts + row, centred=False) if clusters else {}
            for name, value in values.items():
                if clusters:
                    each = _changes(value, raw[name], counts, row, clusters, group)
                else:
                    each = np.empty((n_models, len(group)))
                    for model, of in enumerate(cells):
                        each[model] = influence[name].added.ravel().take(of)
                squares = _squares(each, group, n_groups, first, second)
                of_row = _of_pseudo_row(row, influence[name].added, n_models, first, second)
                if clusters:
                    variance = (n - 1) / n * squares + of_row
                else:
                    variance = (n + 1) / n * (squares + of_row)
                estimates = np.asarray(value(counts), float)
                noise = noise_of(estimates, alike[name].bounds(counts))
                shape = n_groups, n_models
                found[name] = Differences(
                    estimates.reshape(shape), noise.reshape(shape), np.sqrt(variance), n_units - 1
                )
    return found


def _changes(
    value: Value,
    influence: Influence,
    counts: Floats,
    row: Floats,
    clusters: Sequence[Array],
    group: Positions,
) -> Floats:
    """Return how a metric of each model changes when each cluster is left out."""
    each = np.empty((len(clusters), len(group)))
    for model, of_model in enumerate(clusters):
        of = slice(model, None, len(clusters))
        ours = Influence(*(one[of] for one in influence))
        each[model] = changes_by_cluster(value, ours, counts[of], row[of], of_model, group)
    return each


def _squares(
    each: Floats, group: Positions, n_groups: int, first: Positions, second: Positions
) -> Floats:
    """Sum the squares of differences between two models, by group."""
    starts = np.searchsorted(group, np.arange(n_groups + 1))
    sums = np.empty((n_groups, len(first)))
    for number, (start, stop) in enumerate(itertools.pairwise(starts)):
        products = each[:, start:stop] @ each[:, start:stop].T
        own = products.diagonal()
        sums[number] = own[first] + own[second] - 2 * products[first, second]
    return np.maximum(sums, 0)


def _of_pseudo_row(
    row: Floats, added: Floats, n_models: int, first: Positions, second: Positions
) -> Floats:
    """Return what the pseudo-row adds: two models predict it independently, given its class."""
    shape = (-1, n_models, *row.shape[1:])
    row, added = row.reshape(shape), added.reshape(shape)
    own = (row * added**2).sum(axis=(2, 3))
    means = (row * added).sum(axis=3)
    share = row.sum(axis=3)
    scaled = np.divide(means, np.sqrt(share), out=np.zeros_like(means), where=share > 0)
    both = scaled @ scaled.swapaxes(1, 2)
    return np.asarray(own[:, first] + own[:, second] - 2 * both[:, first, second])


def p_values(difference: Floats, se: Floats, freedom: Floats, noise: Floats) -> Floats:
    """Return two-sided p-values of t, which are never 0.

    A difference or a standard error up to the noise is 0.
    """
    from scipy.special import stdtr

    size = np.abs(difference)
    with np.errstate(all="ignore"):
        p = 2 * stdtr(np.maximum(freedom, 1), -size / se)
    p = np.where(se <= noise, np.where(size <= noise, 1.0, SMALLEST), p)
    lost = ~np.isfinite(difference) | ~np.isfinite(se) | ~(freedom >= 1)
    return np.where(lost, np.nan, np.maximum(p, SMALLEST))


def holm(p: Floats) -> Floats:
    """Adjust the p-values in each row for how many there are, as Holm does."""
    order = np.argsort(p, axis=-1)
    n_tests = np.isfinite(p).sum(axis=-1, keepdims=True)
    steps = np.take_along_axis(p, order, axis=-1) * (n_tests - np.arange(p.shape[-1]))
    steps = np.minimum(np.maximum.accumulate(steps, axis=-1), 1)
    adjusted = np.empty_like(p)
    np.put_along_axis(adjusted, order, steps, axis=-1)
    return adjusted
