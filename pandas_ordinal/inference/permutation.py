"""P-values from predictions that are swapped between two models, at random or in all ways."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from pandas_ordinal.counting.arrays import Array, Floats, Positions
from pandas_ordinal.inference.influence import tolerance_of
from pandas_ordinal.inference.interval import Measure
from pandas_ordinal.inference.paired import PairedRows
from pandas_ordinal.inference.pairs import SMALLEST
from pandas_ordinal.inference.report import with_progress
from pandas_ordinal.metrics.stack import block_size
from pandas_ordinal.query import Comparison


def permuted(
    measures: Mapping[str, Measure],
    rows: PairedRows,
    first: Positions,
    second: Positions,
    comparison: Comparison,
) -> dict[str, Floats]:
    """Return p-values of the differences from swapped predictions, ``(n_groups, n_pairs)``.

    If there are at most ``n_permutations`` ways to swap, all of them are counted and the p-value
    is exact. Otherwise, some are drawn, which depend only on the seed and the rows of the pair.
    The p-value of shares of independent rows is that of the binomial distribution, always exact.
    """
    results = {name: np.full((rows.n_groups, len(first)), np.nan) for name in measures}
    shares = {
        name: measure
        for name, measure in measures.items()
        if rows.cluster is None and measure.is_share
    }
    groups = range(rows.n_groups)
    for number in with_progress(groups, "group") if comparison.progress else groups:
        of_group = slice(*np.searchsorted(rows.group, [number, number + 1]))
        for pair, (a, b) in enumerate(zip(first, second, strict=True)):
            counts, changes, times = _swaps(rows, of_group, a, b)
            p_values = {
                name: _p_value_of_share(measure, changes, times)
                for name, measure in shares.items()
            }
            if len(shares) < len(measures):
                swapped, share = _tables(counts, changes, times, comparison)
                for name in measures.keys() - shares.keys():
                    p_values[name] = _p_value(measures[name], counts, swapped, share)
            for name, p in p_values.items():
                results[name][number, pair] = p
    return results


def _values_of_cells(measure: Measure, n_classes: int) -> Floats:
    """Return a metric of a single row, for the row of each cell."""
    rows = np.eye(n_classes**2).reshape(-1, n_classes, n_classes)
    return np.asarray(measure.value(rows), float)


def _p_value_of_share(measure: Measure, changes: Array, times: Array) -> float:
    """Return how often a fair coin favours either model as much, for the rows that favour one."""
    change = changes @ _values_of_cells(measure, math.isqrt(changes.shape[-1]))
    up, down = (np.array([times[which].sum()], float) for which in (change > 0, change < 0))
    return max(float(sign_test(up, down).item()), SMALLEST)


def _swaps(rows: PairedRows, of_group: slice, a: int, b: int) -> tuple[Floats, Array, Array]:
    """Return the tables of two models, what each swap moves between them, and how many there are.

    The order of the models is that of their counts, so that it does not matter which is named
    first.
    """
    k = rows.n_classes
    true = rows.true[of_group].astype(np.intp)
    one, other = rows.preds[a][of_group], rows.preds[b][of_group]
    n = np.ones(len(true), int)
    if rows.weights is not None:
        n = rows.weights.rows[of_group].astype(int)
    counts = [np.bincount(true * k + pred, n, k * k).astype(int) for pred in (one, other)]
    if counts[0].tolist() > counts[1].tolist():
        counts, one, other = counts[::-1], other, one
    if rows.cluster is None:
        kinds, kind = np.unique((true * k + one) * k + other, return_inverse=True)
        times = np.bincount(kind, n).astype(int)
        cells = kinds // k, kinds // k**2 * k + kinds % k
        moved = np.zeros((len(kinds), k * k), int)
        np.add.at(moved, (np.arange(len(kinds)), cells[0]), 1)
        np.add.at(moved, (np.arange(len(kinds)), cells[1]), -1)
    else:
        clusters, unit = np.unique(rows.cluster[of_group], return_inverse=True)
        moved = np.zeros((len(clusters), k * k), int)
        np.add.at(moved, (unit, true * k + one), n)
        np.add.at(moved, (unit, true * k + other), -n)
        moved, times = np.unique(moved, axis=0, return_counts=True)
    moves = moved.any(axis=1)
    return np.stack(counts).astype(float), moved[moves], times[moves]


def _tables(
    counts: Floats, changes: Array, times: Array, comparison: Comparison
) -> tuple[Floats, Floats | None]:
    """Return the tables after n swaps, ``(2, n, K * K)``, and their shares if these are all."""
    share = None
    if math.prod(int(n) + 1 for n in times) <= comparison.n_permutations:
        axes = np.meshgrid(*(np.arange(n + 1) for n in times), indexing="ij")
        swaps = np.stack([axis.ravel() for axis in axes], axis=1) if axes else np.zeros((1, 0))
        ways = [np.array([math.comb(n, k) / 2**n for k in range(n + 1)]) for n in times.tolist()]
        share = np.ones(len(swaps))
        for column, way in zip(swaps.T.astype(int), ways, strict=True):
            share *= way[column]
    else:
        rng = np.random.default_rng([comparison.seed, *counts.astype(int).ravel().tolist()])
        swaps = rng.binomial(times, 0.5, (comparison.n_permutations, len(times)))
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


def sign_test(first: Floats, second: Floats) -> Floats:
    """Return the two-sided p-values of a fair coin, given how often either side came up.

    With the rows that only the first of two models gets right, and those that only the second
    does, this is the exact test of McNemar. It is 1 if no row tells the models apart.

    Examples
    --------
    >>> sign_test(np.array([1.0, 0.0, 3.0]), np.array([7.0, 0.0, 3.0])).tolist()
    [0.0703125, 1.0, 1.0]
    """
    from scipy.special import bdtr

    fewer = np.minimum(first, second)
    trials = np.rint(first + second).astype(np.int64)
    p: Floats = np.minimum(2 * bdtr(fewer, trials, 0.5), 1)
    return p
