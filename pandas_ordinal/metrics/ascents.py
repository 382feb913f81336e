"""Sequences of a row of each class that ascend, counted row by row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pandas_ordinal.arrays import Array, Positions
from pandas_ordinal.metrics.chains import Ties, add_up, refuse_other_ties, whole_runs
from pandas_ordinal.metrics.ranked_rows import Ascending, Ranked
from pandas_ordinal.metrics.stack import Stack


class Ending(NamedTuple):
    """The sequences that end in a class, by where they begin.

    How many rows of the class there are up to each row; where those of each segment begin among
    the shares; and what share of the sequences ends before, ``(starts, segments * width)``.
    """

    n_rows: Array
    first: Array
    shares: Stack

    def before(self, rows: Positions, segment: Positions | int) -> Stack:
        """Return the share that ends before rows of another class."""
        share: Stack = self.shares.take(self.n_rows.take(rows) + self.first[segment], axis=1)
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
    for piece in ranked.pieces():
        _extend(ended, piece, sizes, ties)
    for start in range(n_starts):
        ended[start, start:][np.logical_or.accumulate(sizes[start:] == 0)] = np.nan
    return ended


def _extend(ended: Stack, rows: Ascending, sizes: Stack, ties: Ties) -> None:
    """Add the sequences that end in some rows to those that have ended before."""
    n_starts = len(ended)
    follows = _follows(rows) if ties == "half" else None
    endings: list[Ending] = []
    for k, size in enumerate(sizes):
        is_mine = rows.codes == k
        mine = np.flatnonzero(is_mine)
        segment = 0 if rows.segment is None else rows.segment.take(mine)
        shares = np.ones((min(k + 1, n_starts), len(mine)))
        if k:
            shares[:] = endings[-1].before(mine, segment)
        if k and follows is not None:
            _add_tied(shares, mine, follows, rows, endings, sizes)
        if rows.weights is not None:
            shares *= rows.weights.take(mine)
        here = ended[: len(shares), k]
        if k + 1 == len(sizes):
            here += _totals(shares, segment, len(size)) / size
            return
        sums, first = _added_up(shares, segment, len(size))
        sums /= size[:, None]
        sums += here[:, :, None]
        here[:] = sums[:, :, -1]
        if len(shares) < n_starts:  # sequences that begin in the next class
            sums = np.concatenate([sums, np.ones((1, *sums.shape[1:]))])
        n_rows = np.cumsum(is_mine, dtype=np.int32)
        endings.append(Ending(n_rows, first, sums.reshape(len(sums), -1)))


def _totals(shares: Stack, segment: Positions | int, n_segments: int) -> Stack:
    """Add up all of each segment, ``(starts, segments)``."""
    if n_segments == 1:
        total: Stack = shares.sum(axis=1, keepdims=True)
        return total
    totals = [np.bincount(segment, one, n_segments) for one in shares]
    return np.array(totals, dtype=float)


def _added_up(shares: Stack, segment: Positions | int, n_segments: int) -> tuple[Stack, Array]:
    """Add up along each segment, from zero on, ``(starts, segments, width)``.

    Tells where the rows of each segment begin among the sums, less the number of those before.
    """
    n_starts, n_rows = shares.shape
    if n_segments == 1:
        sums = np.zeros((n_starts, 1, whole_runs(n_rows + 1)))
        sums[:, 0, 1 : n_rows + 1] = shares
        first = np.zeros(1, np.intp)
    else:
        n_each = np.bincount(segment, minlength=n_segments)
        width = whole_runs(int(n_each.max()) + 1)
        first = np.arange(n_segments) * width - np.cumsum(n_each) + n_each
        sums = np.zeros((n_starts, n_segments, width))
        place = np.arange(1, n_rows + 1) + first[segment]
        sums.reshape(n_starts, -1)[:, place] = shares
    add_up(sums.reshape(-1, sums.shape[-1]))
    return sums, first


def _add_tied(
    shares: Stack,
    mine: Positions,
    follows: Array,
    rows: Ascending,
    endings: Sequence[Ending],
    sizes: Stack,
) -> None:
    """Add the sequences of which two or more rows score the same as the last one."""
    k = len(endings)
    place = np.flatnonzero(follows.take(mine))
    equal: Stack | float = 1.0
    for length in range(2, k + 2):
        if not place.size:
            return
        last = mine[place]
        other = last + (length - 1)
        segment = 0 if rows.segment is None else rows.segment.take(last)
        if rows.weights is not None:
            equal = equal * rows.weights.take(other)
        equal = equal / (length * sizes[k + 1 - length, segment])
        if length <= k:
            before = endings[k - length].before(last, segment)
            shares[: len(before), place] += equal * before
        else:
            shares[0, place] += equal
        still = np.flatnonzero(follows.take(other))
        place = place[still]
        equal = np.broadcast_to(equal, other.shape)[still]


def _follows(rows: Ascending) -> Array | None:
    """Tell where the next row has the same score and the class below; None if nowhere."""
    follows = np.zeros(len(rows.codes), bool)
    np.logical_and(rows.codes[1:] + 1 == rows.codes[:-1], ~rows.is_higher[1:], out=follows[:-1])
    return follows if follows.any() else None
