"""Rows in the order of their scores."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pandas_ordinal.arrays import Array, Positions


class Ascending(NamedTuple):
    """Rows from the lowest score of each segment to the highest, one segment after the other.

    The class, the highest first where scores are equal; whether it scores higher than the row
    before, or is the first one of a segment; what the rows weigh, None if they count as one each;
    and where each segment begins.
    """

    codes: Array
    is_higher: Array
    weights: Array | None
    first: Positions

    def taken(self, place: Positions) -> Ascending:
        """Return some rows."""
        weights = None if self.weights is None else self.weights.take(place)
        first = np.searchsorted(place, self.first)
        return Ascending(self.codes.take(place), self.is_higher.take(place), weights, first)

    def n_rows(self) -> Positions:
        """Return how many rows each segment has."""
        return np.diff(self.first, append=len(self.codes))

    def segment(self) -> Positions:
        """Return the segment of each row."""
        return np.repeat(np.arange(len(self.first)), self.n_rows())

    def is_new(self) -> Array:
        """Tell where the class or the score is another than that of the row before."""
        is_new = self.is_higher.copy()
        is_new[1:] |= self.codes[1:] != self.codes[:-1]
        return is_new

    def distinct(self) -> tuple[Ascending, Positions]:
        """Put rows of the same class and score together, and tell which was the first of each."""
        place = np.flatnonzero(self.is_new())
        if self.weights is None:
            weights: Array = np.diff(place, append=len(self.codes)).astype(float)
        else:
            weights = np.add.reduceat(self.weights, place)
        return self.taken(place)._replace(weights=weights), place

    def fewer(self) -> Ascending:
        """Put rows of the same class and score together, unless that leaves more than half."""
        are_few = 2 * np.count_nonzero(self.is_new()) <= len(self.codes)
        return self.distinct()[0] if are_few else self
