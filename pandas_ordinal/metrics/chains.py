"""Sequences of a row of each class that ascend, counted along the scores."""

from __future__ import annotations

from itertools import product
from math import factorial
from typing import Literal, TypeAlias, get_args

import numpy as np

from pandas_ordinal.arrays import Array
from pandas_ordinal.metrics.stack import Stack

FEW = 512  # so many are added up faster one by one

Ties: TypeAlias = Literal["half", "strict"]


def chains(table: Array, sizes: Stack, ties: Ties, ended: Stack | None = None) -> Stack:
    """Tell what share of the sequences of the lowest classes ascends and ends below each score.

    ``F[k, v]``, shape ``(K + 1, segments, values + 1)``: of the sequences of the first k classes;
    the last value is for all scores. L equal scores of classes k - L + 1 to k that end a sequence
    at v add ``F[k - L, v] * product of their counts / L!``. NaN from a class without rows on.

    Parameters
    ----------
    table : ndarray, shape (K, segments, values)
        Class counts at each distinct score.
    sizes : ndarray, shape (K, segments)
        The sums of the counts.
    ties : {"half", "strict"}
        What a sequence counts in which m scores are equal: 1 / m!, or nothing as in the paper.
    ended : ndarray, shape (K, segments), optional
        What ends below all of these scores. Default: nothing.
    """
    refuse_other_ties(ties)
    n_classes, n_segments, n_values = table.shape
    shares = np.empty((n_classes + 1, n_segments, n_values + 1))
    shares[0] = 1
    several = np.nonzero(
        (table > 0).sum(axis=0, dtype=np.int16) > (1 if ties == "half" else n_classes)
    )
    # divided first: a product of weights may leave the range of floats
    tied = table[:, several[0], several[1]] / sizes[:, several[0]]
    before = np.empty(tied.shape)
    for k in range(n_classes):
        ends = shares[k + 1]
        ends[:, 0] = 0
        np.multiply(shares[k, :, :-1], table[k], out=ends[:, 1:])
        if tied.size:
            before[k] = shares[k, :, :-1][several]
            ending = _ending_tied(tied, before, k)
            ends[:, 1:][several] += ending * sizes[k, several[0]]
        add_up(ends)
        ends /= sizes[k][:, None]
        if ended is not None:
            ends += ended[k][:, None]
    return shares


def _ending_tied(tied: Stack, before: Stack, k: int) -> Stack:
    """Return the share of the sequences up to class k that end in two or more equal scores.

    Parameters
    ----------
    tied : ndarray, shape (K, scores)
        What share of each class has each score.
    before : ndarray, shape (K, scores)
        What share of the sequences up to the class below ends below the score.
    k : int
        The class that sequences end in.
    """
    ending, left = np.zeros(tied.shape[1]), np.arange(tied.shape[1])
    equal = tied[k]
    for length in range(2, k + 2):
        equal = equal * tied[k + 1 - length, left] / length
        still = np.flatnonzero(equal)
        left, equal = left[still], equal[still]
        ending[left] += before[k + 1 - length, left] * equal
    return ending


def add_up(values: Stack) -> None:
    """Turn values ``(segments, n)`` into running sums, in place.

    Pair by pair, so that few additions wait for others, and rounding errors stay small: thousands
    of equal terms, each rounded the same way, would add up to an error.
    """
    if values.shape[1] <= FEW:
        np.cumsum(values, axis=1, out=values)
        return
    pairs = values[:, 1::2]
    pairs += values[:, :-1:2]
    add_up(pairs)
    values[:, 2::2] += values[:, 1:-1:2]


def placements(table: Array, sizes: Stack, ties: Ties) -> Stack:
    """Tell for a row of each class at each score what share of the sequences through it ascends.

    Shape ``(K, segments, values)``. In a sequence that passes class k at v, the a classes before
    and the b classes after it may score v as well.
    """
    below = chains(table, sizes, ties)[:, :, :-1]
    turned = chains(table[::-1, :, ::-1], sizes[::-1], ties)
    above = turned[:, :, -2::-1]
    shares = table / sizes[:, :, None]
    placed = np.zeros(shares.shape)
    for k in range(len(shares)):
        before = _equal(shares[k - 1 :: -1] if k else shares[:0], ties)
        after = _equal(shares[k + 1 :], ties)
        for (a, down), (b, up) in product(enumerate(before), enumerate(after)):
            placed[k] += (
                (below[k - a] * down)
                * (above[len(shares) - 1 - k - b] * up)
                / factorial(a + b + 1)
            )
    return placed


def _equal(shares: Stack, ties: Ties) -> list[Stack | float]:
    """Return the product of the first a shares, for a from 0 on, as long as any is not zero."""
    products: list[Stack | float] = [1.0]
    for share in shares if ties == "half" else []:
        longer = products[-1] * share
        if not longer.any():
            break
        products.append(longer)
    return products


def refuse_other_ties(ties: str) -> None:
    """Raise if equal scores are to count what they cannot."""
    if ties not in get_args(Ties):
        raise ValueError(f'ties={ties!r} must be "half" or "strict"')
