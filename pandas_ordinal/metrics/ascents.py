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

    How many rows of the class there are up to each row, ``(segments, rows)``; and what share of
    the sequences ends in the first rows of the class, ``(starts, segments * width)``.
    """

    n_rows: Array
    shares: Stack
    width: int

    def before(self, rows: Positions, segment: Positions | int) -> Stack:
        """Return the share that ends before rows of another class."""
        place = self.n_rows.ravel().take(rows) + segment * self.width
        share: Stack = self.shares.take(place, axis=1)
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
    for start, shares in enumerate(ended):
        shares[start:][np.logical_or.accumulate(sizes[start:] == 0)] = np.nan
    return ended


def _extend(ended: Stack, rows: Ascending, sizes: Stack, ties: Ties) -> None:
    """Add the sequences that end in some rows to those that have ended before."""
    n_starts, _, n_segments = ended.shape
    follows = _follows(rows) if ties == "half" else None
    endings: list[Ending] = []
    for k, size in enumerate(sizes):
        is_mine = rows.codes == k
        mine = np.flatnonzero(is_mine)
        segment = mine // rows.codes.shape[1] if n_segments > 1 else 0
        shares = np.ones((min(k + 1, n_starts), len(mine)))
        if k:
            shares[:] = endings[-1].before(mine, segment)
        if k and follows is not None:
            _add_tied(shares, mine, follows, rows.weights, endings, sizes)
        if rows.weights is not None:
            shares *= rows.weights.ravel().take(mine)
        n_rows = np.cumsum(is_mine, axis=1, dtype=np.int32)
        width = whole_runs(int(n_rows[:, -1].max()) + 1)
        sums = np.zeros((min(k + 2, n_starts), n_segments, width))
        place: slice | Positions = slice(1, len(mine) + 1)
        if n_segments > 1:
            place = segment * width + n_rows.ravel().take(mine)
        own = sums[: len(shares)]
        own.reshape(len(shares), -1)[:, place] = shares
        add_up(own.reshape(-1, width))
        own /= size[:, None]
        own += ended[: len(shares), k, :, None]
        ended[: len(shares), k] = own[:, :, -1]
        sums[len(shares) :] = 1.0  # sequences that begin in the next class
        endings.append(Ending(n_rows, sums.reshape(len(sums), -1), width))


def _add_tied(
    shares: Stack,
    mine: Positions,
    follows: Array,
    weights: Array | None,
    endings: Sequence[Ending],
    sizes: Stack,
) -> None:
    """Add the sequences of which two or more rows score the same as the last one."""
    k, n_rows = len(endings), follows.shape[1]
    place = np.flatnonzero(follows.ravel().take(mine))
    equal: Stack | float = 1.0
    for length in range(2, k + 2):
        if not place.size:
            return
        last = mine[place]
        other = last + (length - 1)
        segment = last // n_rows if len(follows) > 1 else np.zeros(len(last), np.intp)
        equal = equal / (length * sizes[k + 1 - length, segment])
        if weights is not None:
            equal *= weights.ravel().take(other)
        before = endings[k - length].before(last, segment) if length <= k else np.ones((1, 1))
        shares[: len(before), place] += equal * before
        still = np.flatnonzero(follows.ravel().take(other))
        place, equal = place[still], equal[still]


def _follows(rows: Ascending) -> Array | None:
    """Tell for which rows the next one has the same score and the class below; None if for none."""
    codes = rows.codes
    follows = np.zeros(codes.shape, bool)
    next_below = (codes[:, :-1] - 1 == codes[:, 1:]) & (codes[:, 1:] >= 0)
    np.logical_and(next_below, ~rows.is_higher, out=follows[:, :-1])
    return follows if follows.any() else None
