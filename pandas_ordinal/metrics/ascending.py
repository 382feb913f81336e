"""Rows in the order of their scores."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pandas_ordinal.arrays import Array, Positions
from pandas_ordinal.metrics.stack import Stack

CELLS_A_ROW = 2


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

    def cells(self) -> Positions:
        """Return the class and the segment of each row, ``class * segments + segment``."""
        return cells_of(self.codes, self.n_rows())

    def distinct(self) -> tuple[Ascending, Positions]:
        """Put rows of the same class and score together, and tell which was the first of each."""
        is_first = self.is_higher.copy()
        is_first[1:] |= self.codes[1:] != self.codes[:-1]
        place = np.flatnonzero(is_first)
        if self.weights is None:
            weights: Array = np.diff(place, append=len(self.codes)).astype(float)
        else:
            weights = np.add.reduceat(self.weights, place)
        return self.taken(place)._replace(weights=weights), place

    def values(self) -> Positions:
        """Tell how many distinct scores of the segment are lower, row by row."""
        values = np.cumsum(self.is_higher) - 1
        if len(self.first) > 1:
            lowest = values[np.minimum(self.first, len(values) - 1)]
            values -= np.repeat(lowest, self.n_rows())
        return values

    def table(self, n_classes: int) -> Array:
        """Count the rows by class, segment and distinct score, ``(K, segments, values)``."""
        values, n_segments = self.values(), len(self.first)
        n_values = int(values.max()) + 1
        cell = self.cells()
        cell *= n_values
        cell += values
        counts = np.bincount(cell, self.weights, n_classes * n_segments * n_values)
        return counts.reshape(n_classes, n_segments, n_values)

    def has_few_values(self, n_classes: int) -> bool:
        """Tell whether the table has about as many cells as there are rows, or fewer."""
        most = CELLS_A_ROW * len(self.codes) // (n_classes * len(self.first))
        if np.count_nonzero(self.is_higher) > most * len(self.first):
            return False
        return int(self.values().max()) < most

    def divided(self, sizes: Stack) -> Ascending:
        """Return the rows with their shares of their classes, of these sizes ``(K, segments)``."""
        shares = sizes.take(self.cells())
        weights = 1.0 if self.weights is None else self.weights
        np.divide(weights, shares, out=shares, where=shares > 0)
        return self._replace(weights=shares)


def cells_of(codes: Array, n_rows: Positions) -> Positions:
    """Return the class and the segment of rows, ``class * segments + segment``.

    Parameters
    ----------
    codes : ndarray, shape (rows,)
        The classes, one segment after the other.
    n_rows : ndarray, shape (segments,)
        How many rows each segment has.
    """
    cells: Positions = codes.astype(np.intp)
    if len(n_rows) > 1:
        cells *= len(n_rows)
        cells += np.repeat(np.arange(len(n_rows)), n_rows)
    return cells
