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
    CountMetric,
    Influence,
    RowInfluence,
    influences,
    pseudo_row,
    row_influence,
    tolerance_of,
)
from pandas_ordinal.inference.interval import Measure, by_pseudo_row, changes_by_cluster
from pandas_ordinal.inference.report import with_progress
from pandas_ordinal.inference.rows import Design, limits_of_rows
from pandas_ordinal.metrics.metric import Resolved
from pandas_ordinal.metrics.segments import Segments
from pandas_ordinal.metrics.stack import block_size
from pandas_ordinal.reports.metrics import Classes

SMALLEST = math.ulp(0.0)
NEITHER = "neither"


@dataclass(frozen=True)
class PairedRows:
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
        The cluster of each row; None if all rows are independent.
    """

    true: Codes
    preds: Sequence[Codes]
    group: Positions
    n_groups: int
    n_classes: int
    cluster: Codes | None

    def blocks(self) -> Iterator[PairedRows]:
        """Yield the rows of a few groups at a time."""
        size = max(1, block_size(self.n_classes) // len(self.preds))
        for first in range(0, self.n_groups, size):
            last = min(first + size, self.n_groups)
            rows = slice(*np.searchsorted(self.group, [first, last]))
            cluster = None if self.cluster is None else self.cluster[rows]
            preds = [pred[rows] for pred in self.preds]
            group = self.group[rows] - first
            yield PairedRows(self.true[rows], preds, group, last - first, self.n_classes, cluster)

    def tables(self) -> Floats:
        """Count the rows, shape ``(n_groups * n_models, K, K)``."""
        factors = [Factor(self.group, self.n_groups)]
        every = np.arange(self.n_groups)
        counts = [count(factors, self.true, p, self.n_classes).of(every) for p in self.preds]
        return np.stack(counts, axis=1, dtype=float).reshape(-1, self.n_classes, self.n_classes)

    def cells(self) -> list[Positions]:
        """Return the cell of each row in the flattened tables, for each model."""
        table = self.group * len(self.preds)
        k = self.n_classes
        return [((table + n) * k + self.true) * k + pred for n, pred in enumerate(self.preds)]

    def units(self) -> tuple[Positions, Positions]:
        """Return the number of each row's cluster, and the group of each cluster."""
        assert self.cluster is not None
        keys = self.group * (int(self.cluster.max(initial=0)) + 1) + self.cluster
        _, first, unit = np.unique(keys, return_index=True, return_inverse=True)
        return unit, self.group[first]


class Differences(NamedTuple):
    """The values of a metric for several models, and the standard errors of differences.

    Attributes
    ----------
    values, tolerance : ndarray, shape (n_groups, n_models)
        The values, and their rounding tolerance.
    se : ndarray, shape (n_groups, n_pairs)
        The standard errors of the differences.
    df : ndarray, shape (n_groups,)
        Their degrees of freedom.
    """

    values: Floats
    tolerance: Floats
    se: Floats
    df: Floats


def paired_differences(
    measures: Mapping[str, Measure], rows: PairedRows, first: Positions, second: Positions
) -> dict[str, Differences]:
    """Return the values of models and the standard errors of their differences, by metric."""
    parts = [_differences_of_block(measures, block, first, second) for block in rows.blocks()]
    return {
        name: Differences(*map(np.concatenate, zip(*(p[name] for p in parts), strict=True)))
        for name in measures
    }


def _differences_of_block(
    measures: Mapping[str, Measure], rows: PairedRows, first: Positions, second: Positions
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
    results, n = {}, n_units[:, None]
    with np.errstate(all="ignore"):
        for right_within, alike in by_pseudo_row(measures).items():
            row = pseudo_row(counts, right_within)
            values = {name: measure.value for name, measure in alike.items()}
            influence = influences(values, counts + row)
            raw = influences(values, counts + row, centred=False) if clusters else {}
            for name, value in values.items():
                if clusters:
                    each = _changes(value, raw[name], counts, row, clusters, group)
                else:
                    each = np.empty((n_models, len(group)))
                    for model, of_model in enumerate(cells):
                        each[model] = influence[name].by_cell.ravel().take(of_model)
                squares = _squares(each, group, n_groups, first, second)
                of_row = _of_pseudo_row(row, influence[name].by_cell, n_models, first, second)
                if clusters:
                    variance = (n - 1) / n * squares + of_row
                else:
                    variance = (n + 1) / n * (squares + of_row)
                estimates = np.asarray(value(counts), float)
                tolerance = tolerance_of(estimates, alike[name].bounds(counts))
                shape = n_groups, n_models
                results[name] = Differences(
                    estimates.reshape(shape),
                    tolerance.reshape(shape),
                    np.sqrt(variance),
                    n_units - 1,
                )
    return results


def _changes(
    value: CountMetric,
    influence: Influence,
    counts: Floats,
    row: Floats,
    clusters: Sequence[Array],
    group: Positions,
) -> Floats:
    """Return how a metric of each model changes when each cluster is left out."""
    each = np.empty((len(clusters), len(group)))
    for model, of_model in enumerate(clusters):
        tables = slice(model, None, len(clusters))
        own = Influence(*(part[tables] for part in influence))
        each[model] = changes_by_cluster(value, own, counts[tables], row[tables], of_model, group)
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
    row: Floats, by_cell: Floats, n_models: int, first: Positions, second: Positions
) -> Floats:
    """Return the squares of the pseudo-row, which two models predict independently in a class."""
    shape = (-1, n_models, *row.shape[1:])
    row, by_cell = row.reshape(shape), by_cell.reshape(shape)
    own = (row * by_cell**2).sum(axis=(2, 3))
    means = (row * by_cell).sum(axis=3)
    share = row.sum(axis=3)
    scaled = np.divide(means, np.sqrt(share), out=np.zeros_like(means), where=share > 0)
    both = scaled @ scaled.swapaxes(1, 2)
    return np.asarray(own[:, first] + own[:, second] - 2 * both[:, first, second])


def p_values(difference: Floats, se: Floats, df: Floats, tolerance: Floats) -> Floats:
    """Return two-sided p-values of t, which are never 0.

    Differences and standard errors within the rounding tolerance are treated as 0.
    """
    from scipy.special import stdtr

    size = np.abs(difference)
    with np.errstate(all="ignore"):
        p = 2 * stdtr(np.maximum(df, 1), -size / se)
    p = np.where(se <= tolerance, np.where(size <= tolerance, 1.0, SMALLEST), p)
    undefined = ~np.isfinite(difference) | ~np.isfinite(se) | ~(df >= 1)
    return np.where(undefined, np.nan, np.maximum(p, SMALLEST))


def holm(p: Floats) -> Floats:
    """Adjust the p-values in each row for their number, by Holm's method."""
    order = np.argsort(p, axis=-1)
    n_tests = np.isfinite(p).sum(axis=-1, keepdims=True)
    steps = np.take_along_axis(p, order, axis=-1) * (n_tests - np.arange(p.shape[-1]))
    steps = np.minimum(np.maximum.accumulate(steps, axis=-1), 1)
    adjusted = np.empty_like(p)
    np.put_along_axis(adjusted, order, steps, axis=-1)
    return adjusted


def refuse_neither(models: Iterable[Any]) -> None:
    """Raise if a model is called "neither", which stands for no model."""
    if any(isinstance(model, str) and model == NEITHER for model in models):
        raise ValueError(
            f"a model is called {NEITHER!r}, which the column 'better' holds where no difference "
            "is significant: rename the model"
        )


def better_of(models: Iterable[Any], places: Array) -> pd.Categorical:
    """Name the better models by their places; the place after the last model means neither.

    A place of -1 becomes NaN.
    """
    names: pd.Index[Any] = pd.Index([*models, NEITHER], tupleize_cols=False)
    return pd.Categorical.from_codes(places.astype(np.intp), categories=names)


def is_decided(better: pd.Series[Any]) -> Array:
    """Return where the column of a comparison names a model."""
    return (better.notna() & better.ne(NEITHER)).to_numpy(dtype=bool)


def differences_of_rows(
    resolved: Resolved,
    classes: Classes,
    rows: PairedRows,
    columns: Sequence[Array],
    first: Positions,
    second: Positions,
) -> Differences:
    """Return the same for a metric of scores or probabilities, from one column per model."""
    metric, options = resolved.metric, classes.aligned(resolved.options)
    assert metric.by_segment is not None
    segments = Segments(rows.true, rows.n_classes, rows.group, rows.n_groups, None)
    values = [metric.by_segment(segments, column, **options) for column in columns]
    design = Design(segments, rows.cluster, by_class=False)
    by_score = metric.score_influence is not None
    with np.errstate(all="ignore"):
        influences = [row_influence(metric, options, segments, c, True) for c in columns]
        variances = [
            design.variance(_subtracted(influences[a], influences[b]), within=by_score)
            for a, b in zip(first, second, strict=True)
        ]
        se = np.sqrt(np.stack(variances, axis=1))
        values_of_models = np.stack(values, axis=1)
        limits = limits_of_rows(metric, options, rows.n_classes)
        tolerance = tolerance_of(values_of_models, limits)
        return Differences(values_of_models, tolerance, se, design.df_of_rows())


def _subtracted(one: RowInfluence, other: RowInfluence) -> RowInfluence:
    """Subtract influences; two models score the pseudo-row independently in each class."""
    both = np.divide(
        one.sums * other.sums, one.mass, out=np.zeros_like(one.sums), where=one.mass > 0
    )
    return RowInfluence(
        values=one.values - other.values,
        rows=one.rows - other.rows,
        mass=one.mass,
        sums=one.sums - other.sums,
        squares=one.squares + other.squares - 2 * both,
    )


def permuted(
    measures: Mapping[str, Measure],
    rows: PairedRows,
    first: Positions,
    second: Positions,
    *,
    n_permutations: int,
    seed: int,
    progress: bool,
) -> dict[str, Floats]:
    """Return p-values of the differences from swapped predictions, ``(n_groups, n_pairs)``.

    If there are at most `n_permutations` ways to swap, all of them are counted and the p-value is
    exact. Otherwise, some are drawn, which depend only on the seed and the rows of the pair.
    """
    results = {name: np.full((rows.n_groups, len(first)), np.nan) for name in measures}
    groups = range(rows.n_groups)
    for number in with_progress(groups, "group") if progress else groups:
        of_group = slice(*np.searchsorted(rows.group, [number, number + 1]))
        for pair, (a, b) in enumerate(zip(first, second, strict=True)):
            counts, changes, times = _swaps(rows, of_group, a, b)
            swapped, share = _tables(counts, changes, times, n_permutations, seed)
            for name, measure in measures.items():
                results[name][number, pair] = _p_value(measure, counts, swapped, share)
    return results


def _swaps(rows: PairedRows, of_group: slice, a: int, b: int) -> tuple[Floats, Array, Array]:
    """Return the tables of two models, what each swap moves between them, and how many there are.

    The order of the models is that of their counts, so that it does not matter which is named
    first.
    """
    k = rows.n_classes
    true = rows.true[of_group].astype(np.intp)
    one, other = rows.preds[a][of_group], rows.preds[b][of_group]
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
        clusters, unit = np.unique(rows.cluster[of_group], return_inverse=True)
        moved = np.zeros((len(clusters), k * k), int)
        np.add.at(moved, (unit, true * k + one), 1)
        np.add.at(moved, (unit, true * k + other), -1)
        moved, times = np.unique(moved, axis=0, return_counts=True)
    moves = moved.any(axis=1)
    return np.stack(counts).astype(float), moved[moves], times[moves]


def _tables(
    counts: Floats, changes: Array, times: Array, n_permutations: int, seed: int
) -> tuple[Floats, Floats | None]:
    """Return the tables after n swaps, ``(2, n, K * K)``, and their shares if these are all."""
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


def _p_value(measure: Measure, counts: Floats, swapped: Floats, share: Floats | None) -> float:
    """Return how often swapped tables differ by as much as the two models."""
    k = math.isqrt(counts.shape[-1])

    def values(tables: Floats) -> Floats:
        return np.asarray([measure.value(part.reshape(-1, k, k)) for part in tables], float)

    with np.errstate(all="ignore"):
        of_models = values(counts)
        ((observed,),) = np.diff(of_models[::-1], axis=0)
        limits = measure.bounds(counts.reshape(-1, 1, k, k))
        (tolerance,) = tolerance_of(of_models, limits).sum(axis=0)
        step = block_size(k)
        blocks = range(0, swapped.shape[1], step)
        parts = [np.diff(values(swapped[:, n : n + step]), axis=0)[0] for n in blocks]
    if not np.isfinite(observed):
        return np.nan
    size = np.abs(np.concatenate(parts))
    as_large = ~(size < abs(observed) - tolerance)
    if share is not None:
        return min(max(float(share[as_large].sum()), SMALLEST), 1.0)
    return float((1 + as_large.sum()) / (1 + len(size)))
