"""Differences of models that predict the same rows: their standard errors and p-values."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from pandas_ordinal.counting.arrays import Array, Codes, Floats, Positions
from pandas_ordinal.counting.counts import Factor, count
from pandas_ordinal.inference.influence import (
    Added,
    Influence,
    Value,
    added_by_rows,
    influences,
    noise_of,
    pseudo_row,
)
from pandas_ordinal.inference.interval import Measure, by_pseudo_row, changes_by_cluster
from pandas_ordinal.inference.report import with_progress
from pandas_ordinal.inference.rows import Design, limits_of_rows
from pandas_ordinal.metrics.metric import Resolved
from pandas_ordinal.metrics.segments import Segments
from pandas_ordinal.metrics.stack import block_size
from pandas_ordinal.reports.metrics import Scale

SMALLEST = float(np.nextafter(0, 1))
NEITHER = "neither"


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


def refuse_neither(models: Iterable[Any]) -> None:
    """Raise for a model that has the name of no model."""
    if any(isinstance(model, str) and model == NEITHER for model in models):
        raise ValueError(
            f"a model is called {NEITHER!r}, which the column 'better' holds where no difference "
            "is significant: rename the model"
        )


def better_of(models: Iterable[Any], places: Array) -> pd.Categorical:
    """Name the better models by their places: `NEITHER` is after the last one, -1 is NaN."""
    names = pd.Index([*models, NEITHER], tupleize_cols=False)
    return pd.Categorical.from_codes(places.astype(np.intp), categories=names)


def differences_of_rows(
    one: Resolved,
    scale: Scale,
    rows: Paired,
    columns: Sequence[Array],
    first: Positions,
    second: Positions,
) -> Differences:
    """Return values and standard errors of differences, from a column of each model."""
    metric, options = one.metric, scale.aligned(one.options)
    assert metric.by_segment is not None
    segments = Segments(rows.true, rows.n_classes, rows.group, rows.n_groups, None)
    values = [metric.by_segment(segments, column, **options) for column in columns]
    design = Design(segments, rows.cluster, by_class=False)
    by_score = metric.score_influence is not None
    with np.errstate(all="ignore"):
        added = [added_by_rows(metric, options, segments, column, True) for column in columns]
        variances = [
            design.variance(_subtracted(added[a], added[b]), within=by_score)
            for a, b in zip(first, second, strict=True)
        ]
        se = np.sqrt(np.stack(variances, axis=1))
        found = np.stack(values, axis=1)
        noise = noise_of(found, limits_of_rows(metric, options, rows.n_classes))
        return Differences(found, noise, se, design.freedom())


def _subtracted(one: Added, other: Added) -> Added:
    """Subtract what rows add; models score the pseudo-row independently, given its class."""
    both = np.divide(
        one.sums * other.sums, one.mass, out=np.zeros_like(one.sums), where=one.mass > 0
    )
    return Added(
        values=one.values - other.values,
        rows=one.rows - other.rows,
        mass=one.mass,
        sums=one.sums - other.sums,
        squares=one.squares + other.squares - 2 * both,
    )


def permuted(
    measures: Mapping[str, Measure],
    rows: Paired,
    first: Positions,
    second: Positions,
    *,
    n_permutations: int,
    seed: int,
    progress: bool,
) -> dict[str, Floats]:
    """Return the p-values of the differences, ``(n_groups, n_pairs)``.

    Where there are at most `n_permutations` ways to swap, all are counted, and the p-value is
    exact. Which are drawn else depends on the seed and on the rows of the pair alone.
    """
    found = {name: np.full((rows.n_groups, len(first)), np.nan) for name in measures}
    groups = range(rows.n_groups)
    for number in with_progress(groups, "group") if progress else groups:
        of_group = slice(*np.searchsorted(rows.group, [number, number + 1]))
        for pair, (a, b) in enumerate(zip(first, second, strict=True)):
            counts, changes, times = _swaps(rows, of_group, a, b)
            swapped, share = _tables(counts, changes, times, n_permutations, seed)
            for name, one in measures.items():
                found[name][number, pair] = _p_value(one, counts, swapped, share)
    return found


def _swaps(rows: Paired, of: slice, a: int, b: int) -> tuple[Floats, Array, Array]:
    """Return the tables of two models, what a swap moves between them, and how often it can.

    The model that comes first is the one whose counts do, whichever was named first.
    """
    k = rows.n_classes
    true, one, other = rows.true[of].astype(np.intp), rows.preds[a][of], rows.preds[b][of]
    counts = [np.bincount(true * k + pred, minlength=k * k) for pred in (one, other)]
    if counts[0].tolist() > counts[1].tolist():
        counts, one, other = counts[::-1], other, one
    if rows.cluster is None:
        kinds, times = np.unique((true * k + one) * k + other, return_counts=True)
        cells = kinds // k, kinds // k**2 * k + kinds % k
        moved = np.zeros((len(kinds), k * k), int)
        np.add.at(moved, (np.arange(len(kinds)), cells[0]), 1)
        np.add.at(moved, (np.arange(len(kinds)), cells[1]), -1)
    else:
        clusters, unit = np.unique(rows.cluster[of], return_inverse=True)
        moved = np.zeros((len(clusters), k * k), int)
        np.add.at(moved, (unit, true * k + one), 1)
        np.add.at(moved, (unit, true * k + other), -1)
        moved, times = np.unique(moved, axis=0, return_counts=True)
    moves = moved.any(axis=1)
    return np.stack(counts).astype(float), moved[moves], times[moves]


def _tables(
    counts: Floats, changes: Array, times: Array, n_permutations: int, seed: int
) -> tuple[Floats, Floats | None]:
    """Return the tables after swaps, ``(2, n, K * K)``, and their shares if they are all."""
    share = None
    if math.prod(int(n) + 1 for n in times) <= n_permutations:
        axes = np.meshgrid(*(np.arange(n + 1) for n in times), indexing="ij")
        swaps = np.stack([axis.ravel() for axis in axes], axis=1) if axes else np.zeros((1, 0))
        ways = [np.array([math.comb(n, k) / 2**n for k in range(n + 1)]) for n in times.tolist()]
        share = np.ones(len(swaps))
        for column, way in zip(swaps.T.astype(int), ways, strict=True):
            share *= way[column]
    else:
        rng = np.random.default_rng([seed, *counts.astype(int).ravel().tolist()])
        swaps = rng.binomial(times, 0.5, (n_permutations, len(times)))
    moved = swaps.astype(float) @ changes
    return np.stack([counts[0] - moved, counts[1] + moved]), share


def _p_value(one: Measure, counts: Floats, swapped: Floats, share: Floats | None) -> float:
    """Return how often the difference of swapped tables is as large as that of the models."""
    k = math.isqrt(counts.shape[-1])

    def values(tables: Floats) -> Floats:
        return np.asarray([one.value(part.reshape(-1, k, k)) for part in tables], float)

    with np.errstate(all="ignore"):
        found = values(counts)
        ((observed,),) = np.diff(found[::-1], axis=0)
        (noise,) = noise_of(found, one.bounds(counts.reshape(-1, 1, k, k))).sum(axis=0)
        step = block_size(k)
        blocks = range(0, swapped.shape[1], step)
        parts = [np.diff(values(swapped[:, n : n + step]), axis=0)[0] for n in blocks]
    if not np.isfinite(observed):
        return np.nan
    size = np.abs(np.concatenate(parts))
    as_large = ~(size < abs(observed) - noise)
    if share is not None:
        return min(max(float(share[as_large].sum()), SMALLEST), 1.0)
    return float((1 + as_large.sum()) / (1 + len(size)))
