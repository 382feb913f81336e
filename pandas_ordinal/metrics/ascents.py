"""Sequences of a row of each class that ascend, counted row by row."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pandas_ordinal.arrays import Array, Positions
from pandas_ordinal.metrics.chains import Ties, add_up, ending_tied, refuse_other_ties, whole_runs
from pandas_ordinal.metrics.ranked_rows import Ascending, Ranked
from pandas_ordinal.metrics.stack import Stack


class Lower(NamedTuple):
    """Sequences that end in one class.

    How many rows of the class come before each row, ``(segments, rows + 1)``; and what share of
    the sequences ends in the first so many of these rows, ``(segments, rows of the class + 1)``.
    """

    n_rows: Array
    shares: Stack

    def before(self, rows: Positions, segment: Positions | int) -> Stack:
        """Return the share that ends before some of the rows, which are numbered in one go."""
        place = self.n_rows.ravel().take(rows + segment) + segment * self.shares.shape[1]
        share: Stack = self.shares.ravel().take(place)
        return share


class Equals(NamedTuple):
    """Scores that rows of several classes have in common.

    The first row of each, its segment, and the counts of the classes, ``(K, scores)``.
    """

    first: Positions
    segment: Positions
    table: Array


def ascents(ranked: Ranked, sizes: Stack, ties: Ties, lowest: int = 0) -> Stack:
    """Tell what share of the sequences from one class up to each higher one ascends.

    A row ends the sequences that end before it in the class below. L equal scores of classes k - L
    + 1 to k that end a sequence count ``product of their counts / L!`` times what ends before
    them; this is added to the first of these rows of class k.

    Parameters
    ----------
    ranked : Ranked
        The rows.
    sizes : ndarray, shape (K, segments)
        What to divide the counts by.
    ties : {"half", "strict"}
        What a sequence counts in which m scores are equal: 1 / m!, or nothing as in the paper.
    lowest : int
        The class that sequences begin in.

    Returns
    -------
    ndarray, shape (K - lowest, segments)
        NaN from a class without rows on: there are no sequences, which is not the same as none
        that ascend.
    """
    refuse_other_ties(ties)
    rows = ranked.condensed()
    n_segments, n_rows = rows.codes.shape
    first = _first_equal(rows.is_higher)
    equals = _equals(rows, first, len(sizes), ties)
    tied = equals.table / sizes.take(equals.segment, axis=1)
    before = np.zeros(tied.shape)
    totals = np.empty((len(sizes) - lowest, n_segments))
    none = np.zeros((n_segments, n_rows + 1), np.int32 if n_rows < 2**31 else np.int64)
    lower = two_below = Lower(none, np.ones((n_segments, 1)))
    for k in range(lowest, len(sizes)):
        n_mine, sums, begin = _ends(rows, first, k, lower)
        if k > lowest and equals.first.size:
            here = np.flatnonzero((equals.table[k] > 0) & (equals.table[k - 1] > 0))
            place, of = equals.first[here], equals.segment[here]
            before[k - 1, here] = two_below.before(place, of)
            added = ending_tied(tied, before, k, here, lowest) * sizes[k, of]
            sums.ravel()[n_mine.ravel().take(place + of) + begin[of]] += added
        add_up(sums)
        sums /= sizes[k][:, None]
        totals[k - lowest] = sums[:, -1]
        two_below, lower = lower, Lower(n_mine, sums)
    totals[np.logical_or.accumulate(sizes[lowest:] == 0)] = np.nan
    return totals


def _ends(
    rows: Ascending, first: Positions | None, k: int, lower: Lower
) -> tuple[Array, Stack, Positions]:
    """Return how many rows of class k come before each row, and what share ends in each of them.

    Also where, in a row of the shares, those of each segment begin.
    """
    n_segments = len(rows.codes)
    mine = rows.codes == k
    n_mine = np.zeros_like(lower.n_rows)
    np.cumsum(mine, axis=1, out=n_mine[:, 1:])
    n_each = n_mine[:, -1].astype(np.intp)
    ends = np.zeros((n_segments, whole_runs(int(n_each.max()) + 1)))
    begin = np.arange(n_segments) * ends.shape[1] + 1

    place = np.flatnonzero(mine)
    segment = np.repeat(np.arange(n_segments), n_each) if n_segments > 1 else 0
    share = lower.before(place if first is None else first.take(place), segment)
    if rows.weights is not None:
        share *= rows.weights.ravel().take(place)
    shift = begin - np.cumsum(n_each) + n_each
    ends.ravel()[np.arange(len(place)) + shift[segment]] = share
    return n_mine, ends, begin


def _first_equal(is_higher: Array) -> Positions | None:
    """Return the first row of the same score for each row; None if each is the only one."""
    if is_higher.all():
        return None
    n_segments, n_others = is_higher.shape
    first = np.arange(n_segments * (n_others + 1))
    first.reshape(n_segments, -1)[:, 1:] *= is_higher
    rows: Positions = np.maximum.accumulate(first)
    return rows


def _equals(rows: Ascending, first: Positions | None, n_classes: int, ties: Ties) -> Equals:
    """Find the scores whose rows are of several classes and count in common."""
    if first is None or ties == "strict":
        none = np.zeros(0, np.intp)
        return Equals(none, none, np.zeros((n_classes, 0)))
    codes = rows.codes
    is_mixed = (codes[:, 1:] != codes[:, :-1]) & ~rows.is_higher
    is_first = np.zeros(codes.size, bool)
    is_first[first.reshape(codes.shape)[:, 1:][is_mixed]] = True
    found = np.flatnonzero(is_first)
    place = np.flatnonzero(is_first[first] & (codes.ravel() >= 0))
    number = np.cumsum(is_first, dtype=np.int32)[first[place]] - 1
    cell = codes.ravel()[place].astype(np.intp) * len(found) + number
    weights = None if rows.weights is None else rows.weights.ravel()[place]
    table = np.bincount(cell, weights, n_classes * len(found)).reshape(n_classes, -1)
    return Equals(found, found // codes.shape[1], table)
