"""Intervals where rows belong together, as those of a patient: each cluster is left out once."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pandas_ordinal.arrays import Array, Floats, Positions
from pandas_ordinal.inference.influence import Influence, Value, influences
from pandas_ordinal.inference.interval import (
    Interval,
    Measure,
    by_pseudo_row,
    quantile,
    to_interval,
)
from pandas_ordinal.inference.noise import noise_of, on_limits
from pandas_ordinal.inference.pseudo import pseudo_row
from pandas_ordinal.metrics.stack import block_size

MOST_LEFT_OUT = 50


def intervals_by_cluster(
    measures: Mapping[str, Measure],
    counts: Array,
    clusters: Array,
    table: Positions,
    estimates: Mapping[str, Floats],
    level: float,
) -> dict[str, Interval]:
    """Return an interval of each metric for each table, from the tables of its clusters.

    Parameters
    ----------
    measures, estimates
        The metrics, and their values.
    counts : ndarray, shape (batch, K, K)
        All rows.
    clusters : ndarray, shape (clusters, K, K)
        The rows of each cluster.
    table : ndarray, shape (clusters,)
        Which of `counts` each cluster is part of.
    level : float
        The level of the intervals.
    """
    several = (counts.sum(axis=2) > 0).sum(axis=1) >= min(2, counts.shape[-1])
    n_clusters = np.bincount(table, minlength=len(counts)).astype(float)
    chosen = {name: one for name, one in measures.items() if one.of_a_model and not one.of_class}
    nothing = np.full(len(counts), np.nan)
    found = {name: Interval(nothing, nothing, nothing) for name in measures}
    with np.errstate(all="ignore"):
        t = quantile(n_clusters - 1, level)
        for right_within, alike in by_pseudo_row(chosen).items():
            row = pseudo_row(counts, right_within)
            smoothed = counts + row
            values = {name: one.value for name, one in alike.items()}
            influence = influences(values, smoothed, centred=False)
            for name, one in alike.items():
                full, each = influence[name]
                changes = changes_by_cluster(
                    one.value, influence[name], counts, row, clusters, table
                )
                mean = (smoothed * each).sum(axis=(1, 2)) / smoothed.sum(axis=(1, 2))
                of_row = (row * (each - mean[:, None, None]) ** 2).sum(axis=(1, 2))
                sums = np.bincount(table, changes**2, minlength=len(counts))
                se = np.sqrt((n_clusters - 1) / n_clusters * sums + of_row)
                limits, estimate = one.bounds(smoothed), estimates[name]
                low, high = to_interval(full, se, t, limits)
                low, high = np.minimum(low, estimate), np.maximum(high, estimate)
                ends = on_limits(low, limits), on_limits(high, limits), se
                lost = (n_clusters < 2) | ~np.isfinite(estimate)
                lost |= (se <= noise_of(estimate, limits)) & ~several
                found[name] = Interval(*(np.where(lost, np.nan, end) for end in ends))
    return found


def changes_by_cluster(
    value: Value,
    influence: Influence,
    counts: Array,
    row: Floats,
    clusters: Array,
    table: Positions,
) -> Floats:
    """Return how a metric changes when each cluster is left out.

    Exactly where a table has few clusters; else by what its rows add, which is not centred.
    """
    few = np.bincount(table, minlength=len(counts)) <= MOST_LEFT_OUT
    full, added = influence
    sums = counts.sum(axis=(1, 2))
    changes = np.empty(len(clusters))
    step = block_size(counts.shape[-1])
    for start in range(0, len(clusters), step):
        part, of = clusters[start : start + step], table[start : start + step]
        left = np.asarray(value(counts[of] - part + row[of]), float)
        share = 1 - part.sum(axis=(1, 2)) / sums[of]
        by_rows = (part * added[of]).sum(axis=(1, 2)) / share
        changes[start : start + step] = np.where(few[of], full[of] - left, by_rows)
    return changes
