"""The influence of a row of each class and score on metrics of scores.

Each function takes counts by class and distinct score ``(K, segments, values)`` and the class
sizes ``(K, segments)``. It returns the metric ``(segments,)`` and the influences, in the shape of
the counts.
"""

from __future__ import annotations

import numpy as np

from pandas_ordinal.counting.arrays import Array, Stack
from pandas_ordinal.metrics.ascents import Ties, placements


def vus_with_influence(table: Array, sizes: Stack, *, ties: Ties = "half") -> tuple[Stack, Stack]:
    """Return `vus` and influences: by how much the placement of a row exceeds the mean."""
    placed = placements(table, sizes, ties)
    means = (table * placed).sum(axis=-1) / sizes
    return means[0], (placed - means[:, :, None]) / sizes[:, :, None]


def u_pairs_with_influence(
    table: Array, sizes: Stack, *, ties: Ties = "half"
) -> tuple[Stack, Stack]:
    """Return `u_pairs` and influences: the pairs that a row ranks right, minus those expected."""
    right = np.zeros(table.shape)
    others = sizes.sum(axis=0) - sizes
    below, above = _ranked_right(table, ties)
    for k in range(len(table)):
        right[k] = below[:k].sum(axis=0) + above[k + 1 :].sum(axis=0)
    pairs = (sizes * others).sum(axis=0) / 2
    value = (table * right).sum(axis=(0, 2)) / 2 / pairs
    return value, (right - (value * others)[:, :, None]) / pairs[:, None]


def u_ovo_with_influence(
    table: Array, sizes: Stack, *, ties: Ties = "half"
) -> tuple[Stack, Stack]:
    """Return `u_ovo` and influences: by how much a row exceeds the mean area of each pair."""
    below, above = _ranked_right(table, ties)
    n_present = (sizes > 0).sum(axis=0)
    n_pairs = n_present * (n_present - 1) / 2
    value, influence = np.zeros(sizes.shape[1]), np.zeros(table.shape)
    for k in range(len(table)):
        for other in range(len(table)):
            if other == k:
                continue
            both = (sizes[k] > 0) & (sizes[other] > 0)
            share = (below if other < k else above)[other] / sizes[other][:, None]
            area = (table[k] * share).sum(axis=-1) / sizes[k]
            value += np.where(both, area, 0) / 2
            of_pair = (share - area[:, None]) / sizes[k][:, None]
            influence[k] += np.where(both[:, None], of_pair, 0)
    return value / n_pairs, influence / n_pairs[:, None]


def u_cons_with_influence(
    table: Array, sizes: Stack, *, ties: Ties = "half"
) -> tuple[Stack, Stack]:
    """Return `u_cons` and influences: by how much a row exceeds the mean area of each split."""
    below, above = _ranked_right(table, ties)
    value, influence = np.zeros(sizes.shape[1]), np.zeros(table.shape)
    n_splits = np.zeros(sizes.shape[1])
    for last in range(len(table) - 1):
        lower, upper = slice(None, last + 1), slice(last + 1, None)
        n_lower, n_upper = sizes[lower].sum(axis=0), sizes[upper].sum(axis=0)
        splits = (sizes[last] > 0) & (n_upper > 0)
        n_splits += splits
        beats = above[upper].sum(axis=0) / n_upper[:, None]
        area = (table[lower].sum(axis=0) * beats).sum(axis=-1) / n_lower
        value += np.where(splits, area, 0)
        beaten = below[lower].sum(axis=0) / n_lower[:, None]
        for side, share, size in ((lower, beats, n_lower), (upper, beaten, n_upper)):
            of_side = (share - area[:, None]) / size[:, None]
            influence[side] += np.where(splits[:, None], of_side, 0)
    return value / n_splits, influence / n_splits[:, None]


def _ranked_right(table: Array, ties: Ties) -> tuple[Stack, Stack]:
    """Count the rows of each class below and above each score; ties count a half, or nothing."""
    up_to = np.cumsum(table, axis=-1, dtype=float)
    equal = table / 2 if ties == "half" else table
    return up_to - equal, up_to[:, :, -1:] - up_to + (table - equal)
