"""Rows ranked by a score: sorted once, and counted by class and score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pandas_ordinal import arrays
from pandas_ordinal.arrays import Array, Positions, taken
from pandas_ordinal.metrics import packed
from pandas_ordinal.metrics.segments import Segments, as_array
from pandas_ordinal.metrics.stack import Stack


class Ascending(NamedTuple):
    """A row for each class and score of each segment, from the lowest score to the highest.

    The class, the highest first where scores are equal; whether it scores higher than the row
    before, or is the first one of a segment; the segment, None if there is one; and what the rows
    of this class and score weigh, None if each is one row.
    """

    codes: Array
    is_higher: Array
    segment: Positions | None
    weights: Array | None


@dataclass(frozen=True)
class Ranked:
    """A block of segments, ranked by a score.

    Attributes
    ----------
    codes, scores : ndarray, shape (rows,)
        The class of each row, and what it is ranked by, one segment after the other.
    weights : ndarray, shape (rows,), or None
        The weight of each row.
    n_rows : ndarray, shape (segments,)
        How many rows each segment has.
    n_classes : int
        How many classes are declared.
    """

    codes: Array
    scores: Array
    weights: Array | None
    n_rows: Positions
    n_classes: int

    @cached_property
    def segment(self) -> Positions:
        """The segment of each row."""
        return np.repeat(np.arange(len(self.n_rows)), self.n_rows)

    @cached_property
    def sizes(self) -> Stack:
        """The number, or the weight, of the rows of each class, ``(K, segments)``."""
        n_segments = len(self.n_rows)
        cell = self.codes.astype(np.intp)
        if n_segments > 1:
            cell *= n_segments
            cell += self.segment
        sizes = np.bincount(cell, self.weights, self.n_classes * n_segments)
        return sizes.reshape(self.n_classes, n_segments).astype(float)

    def pieces(self) -> Iterator[Ascending]:
        """Yield the rows from the lowest scores to the highest, in pieces that stay in cache.

        Rows with the same score are in one piece, and so are those of several segments.
        """
        rows = packed.sort(self.scores, self.codes, self.n_classes, self.n_rows, self.weights)
        start, end = 0, len(rows.rows)
        while start < end:
            piece, stop = rows, end
            if len(self.n_rows) == 1:
                stop = rows.up_to(min(start + arrays.ROWS_A_BLOCK, end) - 1)
                piece = rows.between(start, stop)
            piece = piece.distinct()
            segment = piece.segments() if len(self.n_rows) > 1 else None
            yield Ascending(piece.codes(), piece.is_higher(), segment, piece.weights)
            start = stop

    def parts(self) -> Iterator[Array]:
        """Yield the table from the lowest scores to the highest, in parts that stay in cache."""
        step = arrays.ROWS_A_BLOCK // max(len(self.n_rows), 1) + 1
        for piece in self.pieces():
            table = self._count(piece)
            for first in range(0, table.shape[-1], step):
                yield table[:, :, first : first + step]

    def table(self) -> Array:
        """Count the rows, or add up their weights, by class, segment and distinct score.

        Shape ``(K, segments, values)``, lowest score first.
        """
        nothing = np.zeros((*self.sizes.shape, 0), np.int64)
        return np.concatenate([nothing, *map(self._count, self.pieces())], axis=-1)

    def _count(self, piece: Ascending) -> Array:
        """Count rows by class, segment and distinct score."""
        n_classes, n_segments = self.sizes.shape
        value = _numbers(piece.is_higher, piece.segment, n_segments)
        cell = piece.codes.astype(np.intp)
        if piece.segment is not None:
            cell *= n_segments
            cell += piece.segment
        n_values = int(value.max()) + 1
        cell *= n_values
        cell += value
        counts = np.bincount(cell, piece.weights, n_classes * n_segments * n_values)
        return counts.reshape(n_classes, n_segments, n_values)

    def values(self) -> Positions:
        """Tell which distinct score of its segment each row has, from the lowest one on."""
        positions = np.arange(len(self.scores))
        if not len(positions):
            return positions
        rows = packed.sort(self.scores, np.zeros_like(self.codes), 1, self.n_rows, positions)
        values = np.empty_like(positions)
        values[rows.weights] = _numbers(rows.is_higher(), rows.segments(), len(self.n_rows))
        return values


def _numbers(is_higher: Array, segment: Positions | None, n_segments: int) -> Positions:
    """Tell how many distinct scores of the segment are lower."""
    numbers = np.cumsum(is_higher) - 1
    if segment is not None:
        first = np.searchsorted(segment, np.arange(n_segments))
        numbers -= numbers[np.minimum(first, len(numbers) - 1)][segment]
    return numbers


def ranked_blocks(
    segments: Segments, *scores: Array
) -> Iterator[tuple[Positions, slice | Positions, list[Ranked]]]:
    """Rank rows by each of these scores, block by block; the rows all count.

    Yields the numbers of the segments, those of their rows, and a `Ranked` a score. At least once,
    be it of no segment that there is, so that a formula sees its options and can refuse them.
    """
    for column in scores:
        refuse_nan(column)
    for numbers, rows, n_rows in segments.blocks(arrays.ROWS_A_BLOCK):
        codes = taken(segments.codes, rows)
        weights = None if segments.weights is None else taken(segments.weights, rows)
        ranked = [
            Ranked(codes, taken(score, rows), weights, n_rows, segments.n_classes)
            for score in scores
        ]
        yield numbers, rows, ranked


def as_scores(name: str, scores: npt.ArrayLike) -> Array:
    """Return scores as an array of numbers, or say why they are none."""
    array = as_array(name, scores)
    if array.dtype.kind not in "biuf" or not array.ndim:
        raise ValueError(
            f"{name} must be an array (..., n) of numbers, not {array.dtype}: convert them with "
            ".astype(float), for example"
        )
    return array


def refuse_nan(scores: Array) -> None:
    """Raise if a score is missing."""
    missing = int(np.count_nonzero(scores != scores))
    if missing:
        raise ValueError(
            f"scores hold NaN in {missing} row{'s' * (missing > 1)}: fill them, or give these "
            "rows the class -1 if they should not count"
        )
