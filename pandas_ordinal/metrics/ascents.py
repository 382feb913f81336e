"""Sequences of a row of each class that ascend, counted row by row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pandas_ordinal.arrays import Array, Positions
from pandas_ordinal.metrics.chains import Ties, add_up, ending_tied, refuse_other_ties, whole_runs
from pandas_ordinal.metrics.ranked_rows import Ascending, Ranked
from pandas_ordinal.metrics.stack import Stack


class OfClass(NamedTuple):
    """The rows of one class.

    How many of them come before each row, ``(segments, rows + 1)``; the first row with the score
    of each of them, and its segment; their places among running sums ``(segments, width)``; and
    what they weigh.
    """

    n_rows: Array
    first: Positions
    segment: Positions | int
    place: Positions | slice
    width: int
    weights: Array | None

    def before(self, rows: Positions, segment: Positions | int) -> Array:
        """Return the places of the running sums up to some rows, which are numbered in one go."""
        place: Array = self.n_rows.ravel().take(rows + segment) + segment * self.width
        return place

    def ends(self, shares: Stack | float) -> Stack:
        """Return what share of the sequences ends in each row, ``(segments, width)``."""
        ends = np.zeros((len(self.n_rows), self.width))
        ends.ravel()[self.place] = shares if self.weights is None else shares * self.weights
        return ends


class Equals(NamedTuple):
    """Scores that rows of several classes have in common.

    The first row of each, its segment, and the counts of the classes, ``(K, scores)``.
    """

    first: Positions
    segment: Positions
    table: Array


def ascents(ranked: Ranked, sizes: Stack, ties: Ties, starts: Sequence[int] = (0,)) -> Stack:
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
    starts : sequence of int
        The classes that sequences begin in.

    Returns
    -------
    ndarray, shape (starts, K, segments)
        NaN from a class without rows on: there are no sequences, which is not the same as none
        that ascend. Zero below the class that sequences begin in.
    """
    refuse_other_ties(ties)
    rows = ranked.condensed()
    n_segments = len(rows.codes)
    first = _first_equal(rows.is_higher)
    equals = _equals(rows, first, len(sizes), ties)
    tied = equals.table / sizes.take(equals.segment, axis=1)
    totals = np.zeros((len(starts), len(sizes), n_segments))
    before = [np.zeros(tied.shape) for _ in starts]
    ending: list[list[Stack]] = [[] for _ in starts]  # running sums, class by class
    mine: list[OfClass] = []
    for k in range(len(sizes)):
        mine.append(_rows_of(rows, first, k))
        here: Array = np.zeros(0, np.intp)
        below = mine[-2].before(mine[-1].first, mine[-1].segment) if k else here
        if k and equals.first.size:
            here = np.flatnonzero((equals.table[k] > 0) & (equals.table[k - 1] > 0))
        place, of = equals.first[here], equals.segment[here]
        for number, start in enumerate(starts):
            if start > k:
                continue
            sums = mine[-1].ends(ending[number][-1].ravel().take(below) if start < k else 1.0)
            if start < k and here.size:
                before[number][k - 1, here] = 1.0
                if start < k - 1:
                    two_below = mine[-3].before(place, of)
                    before[number][k - 1, here] = ending[number][-2].ravel().take(two_below)
                added = ending_tied(tied, before[number], k, here, start) * sizes[k, of]
                sums.ravel()[mine[-1].before(place, of) + 1] += added
            add_up(sums)
            sums /= sizes[k][:, None]
            totals[number, k] = sums[:, -1]
            ending[number] = [*ending[number][-1:], sums]
        mine = mine[-2:]
    for number, start in enumerate(starts):
        totals[number, start:][np.logical_or.accumulate(sizes[start:] == 0)] = np.nan
    return totals


def _rows_of(rows: Ascending, first: Positions | None, k: int) -> OfClass:
    """Return where the rows of class k are."""
    n_segments, n_rows = rows.codes.shape
    mine = rows.codes == k
    n_mine = np.zeros((n_segments, n_rows + 1), np.int32 if n_rows < 2**31 else np.int64)
    np.cumsum(mine, axis=1, out=n_mine[:, 1:])
    n_each = n_mine[:, -1].astype(np.intp)
    width = whole_runs(int(n_each.max()) + 1)
    found = np.flatnonzero(mine)
    weights = None if rows.weights is None else rows.weights.ravel().take(found)
    first = found if first is None else first.take(found)
    if n_segments == 1:
        return OfClass(n_mine, first, 0, slice(1, len(found) + 1), width, weights)
    segment = np.repeat(np.arange(n_segments), n_each)
    shift = np.arange(n_segments) * width + 1 - np.cumsum(n_each) + n_each
    place = np.arange(len(found)) + shift[segment]
    return OfClass(n_mine, first, segment, place, width, weights)


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
