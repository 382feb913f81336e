"""Sequences of a row of each class that end in equal scores."""

from __future__ import annotations

from itertools import count
from typing import NamedTuple

import numpy as np

from pandas_ordinal.arrays import Array, Positions
from pandas_ordinal.metrics.ascending import Ascending
from pandas_ordinal.metrics.chains import Ties
from pandas_ordinal.metrics.stack import Stack


class Tied(NamedTuple):
    """The sequences that end in L equal scores, by their last class and score.

    The first row of this class and score; the class and the segment, ``class * segments +
    segment``; and the product of the counts of the L classes / L!, divided by the sizes of all but
    the last.
    """

    place: Positions
    cells: Positions
    counts: Stack

    def of_class(self, k: int) -> Tied:
        """Return those that end in one class of the only segment."""
        ours = np.flatnonzero(self.cells == k)
        return Tied(self.place.take(ours), self.cells.take(ours), self.counts.take(ours))


def tied_scores(rows: Ascending, sizes: Array, ties: Ties) -> list[Tied]:
    """Find the sequences that end in two, three, ... equal scores, if these count.

    Parameters
    ----------
    rows : Ascending
        The rows.
    sizes : ndarray, shape (K,)
        What to divide the counts by, all but that of the last class.
    ties : {"half", "strict"}
        What a sequence counts in which m scores are equal: 1 / m!, or nothing as in the paper.
    """
    found: list[Tied] = []
    if ties == "strict" or rows.is_higher.all():
        return found
    is_tied = ~rows.is_higher
    is_tied[:-1] |= is_tied[1:]
    place = np.flatnonzero(is_tied)
    tied, first = rows.taken(place).distinct()
    codes, cells, counts = tied.codes, tied.cells(), tied.weights
    assert counts is not None
    follows = np.append((codes[1:] + 1 == codes[:-1]) & ~tied.is_higher[1:], False)
    last = np.flatnonzero(follows)
    equal = counts.take(last)
    for length in count(2):
        if not last.size:
            break
        other = last + (length - 1)
        # divided first: a product of weights may leave the range of floats
        equal = equal * (counts.take(other) / sizes.take(codes.take(other))) / length
        found.append(Tied(place.take(first.take(last)), cells.take(last), equal))
        still = np.flatnonzero(follows.take(other))
        last, equal = last.take(still), equal.take(still)
    return found
