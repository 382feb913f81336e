"""Sequences of a row of each class that ascend, counted row by row."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pandas_ordinal.arrays import Array, Positions
from pandas_ordinal.metrics.ascending import Ascending
from pandas_ordinal.metrics.ascents_across import ascents_across
from pandas_ordinal.metrics.chains import Ties, add_up, chains, refuse_other_ties
from pandas_ordinal.metrics.ranked_rows import Ranked
from pandas_ordinal.metrics.stack import Stack
from pandas_ordinal.metrics.tied_scores import tied_scores

BLOCKS_A_PIECE = 4  # longer pieces take fewer calls, and much longer ones leave the cache
CLASSES_A_PIECE = 128  # in all its blocks, since each class looks at the whole piece
BLOCKS_AT_ONCE = 16  # the more segments go on together, the fewer steps they take


class Ending(NamedTuple):
    """The sequences that end in a class, by where they begin.

    How many rows of the class there are up to each row; and the share of the sequences that ends
    in the first 0, 1, ... of these, ``(starts, rows of the class + 1 or more)``.
    """

    n_rows: Array
    shares: Stack

    def before(self, rows: Positions, n_starts: int) -> Stack:
        """Return the share that ends before rows of another class, for the lowest starts."""
        share: Stack = self.shares[:n_starts].take(self.n_rows.take(rows), axis=1)
        return share


def ascents(ranked: Ranked, sizes: Stack, ties: Ties, n_starts: int = 1) -> Stack:
    """Tell what share of the sequences from one class up to each higher one ascends.

    A row ends the sequences that end before it in the class below. L equal scores of classes k - L
    + 1 to k that end a sequence count ``product of their counts / L!`` times what ends before
    them. Rows are taken piece by piece, with what has ended before.

    Parameters
    ----------
    ranked : Ranked
        The rows.
    sizes : ndarray, shape (K, segments)
        What to divide the counts by.
    ties : {"half", "strict"}
        What a sequence counts in which m scores are equal: 1 / m!, or nothing as in the paper.
    n_starts : int
        How many classes, from the lowest on, sequences may begin in.

    Returns
    -------
    ndarray, shape (n_starts, K, segments)
        NaN from a class without rows on: there are no sequences, which is not the same as none
        that ascend. Zero below the class that sequences begin in.
    """
    refuse_other_ties(ties)
    ended = np.zeros((n_starts, *sizes.shape))
    n_blocks = max(1, min(BLOCKS_A_PIECE, CLASSES_A_PIECE // len(sizes)))
    for rows in ranked.pieces(n_blocks):
        divisors = sizes
        if rows.weights is not None:
            # divided first: products of weights may leave the range of floats
            rows, divisors = rows.divided(sizes), np.ones_like(sizes)
        if rows.has_few_values(len(sizes)):
            _add_by_value(ended, rows, divisors, ties)
        elif sizes.shape[1] == 1:
            _add_along(ended, rows, divisors, ties)
        else:  # the only piece
            ended = ascents_across(rows, divisors, ties, n_starts)
    for start in range(n_starts):
        ended[start, start:][np.logical_or.accumulate(sizes[start:] == 0)] = np.nan
    return ended


def _add_by_value(ended: Stack, rows: Ascending, sizes: Stack, ties: Ties) -> None:
    """Add the sequences that end in some rows to what has ended before, score by score."""
    table = rows.table(len(sizes))
    for start in range(len(ended)):
        shares = chains(table[start:], sizes[start:], ties, ended[start, start:])
        ended[start, start:] = shares[1:, :, -1]


def _add_along(ended: Stack, rows: Ascending, sizes: Stack, ties: Ties) -> None:
    """Add those that end in rows of the only segment, one class after the other."""
    n_starts = len(ended)
    tied = tied_scores(rows, sizes[:, 0], ties)
    # every sequence begins before the first class
    endings = [Ending(np.zeros(len(rows.codes), np.int32), np.ones((1, 1)))]
    for k, (size,) in enumerate(sizes):
        is_mine = rows.codes == k
        mine, n_rows = np.flatnonzero(is_mine), np.cumsum(is_mine, dtype=np.int32)
        # what ends up to each row, by the class that it began in; 1 for the class after this one
        sums = np.ones((min(k + 2, n_starts), len(mine) + 1))
        ours, longer = sums[: k + 1], sums[:k]
        ours[:, 0] = 0
        longer[:, 1:] = endings[-1].before(mine, k)
        if rows.weights is not None:
            ours[:, 1:] *= rows.weights.take(mine)
        for some, ending in zip(tied[:k], endings[-2::-1], strict=False):
            its = some.of_class(k)
            before = ending.before(its.place, n_starts)
            ours[: len(before), n_rows.take(its.place)] += before * its.counts
        here = ended[: k + 1, k]
        if k + 1 == len(sizes):
            here += ours.sum(axis=1, keepdims=True) / size
            return
        if rows.weights is None:
            add_up(longer)
            ours[k:] = np.arange(len(mine) + 1)
        else:
            add_up(ours)
        ours /= size
        ours += here
        here[:] = ours[:, -1:]
        endings.append(Ending(n_rows, sums))
        del endings[: -len(tied) - 1]
