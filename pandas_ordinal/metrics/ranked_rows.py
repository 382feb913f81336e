"""Rows ranked by a score: sorted once, and counted by class and score."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt

from pandas_ordinal import arrays
from pandas_ordinal.arrays import Array, Positions, taken
from pandas_ordinal.metrics.ascending import Ascending, cells_of
from pandas_ordinal.metrics.packed import Packed, pack
from pandas_ordinal.metrics.segments import Segments, as_array
from pandas_ordinal.metrics.stack import Stack

FEW_CLASSES = 8


@dataclass(frozen=True)
class Ranked:
    """A block of segments, ranked by a score.

    Attributes
    ----------
    codes : ndarray, shape (rows,)
        The class of each row, one segment after the other.
    packed : callable
        Returns the rows, packed with what they are ranked by, anew for each sort.
    weights : ndarray, shape (rows,), or None
        The weight of each row.
    n_rows : ndarray, shape (segments,)
        How many rows each segment has.
    n_classes : int
        How many classes are declared.
    """

    codes: Array
    packed: Callable[[], Packed]
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
        shape = self.n_classes, len(self.n_rows)
        cells = cells_of(self.codes, self.n_rows)
        sizes = np.bincount(cells, self.weights, shape[0] * shape[1])
        return sizes.reshape(shape).astype(float)

    def by_digits(self) -> Ranked:
        """Return the same rows, of which those of a long segment are sorted by digits."""
        packed = self.packed
        return replace(self, packed=lambda: packed()._replace(by_digits=True))

    def pieces(self, n_blocks: int = 1) -> Iterator[Ascending]:
        """Yield the rows from the lowest scores to the highest, in pieces of so many blocks.

        Rows with the same score are in one piece, and so are those of several segments.
        """
        size = n_blocks * arrays.ROWS_A_BLOCK
        rows = self.packed().sorted(self.n_rows, self.weights)
        start, end = 0, len(rows.rows)
        while start < end:
            piece, stop = rows, end
            if len(self.n_rows) == 1:
                stop = rows.up_to(min(start + size, end) - 1)
                piece = rows.between(start, stop)
            yield Ascending(piece.codes(), piece.is_higher(), piece.weights, piece.first)
            start = stop

    def parts(self) -> Iterator[Array]:
        """Yield the table from the lowest scores to the highest, in parts that stay in cache."""
        step = arrays.ROWS_A_BLOCK // max(len(self.n_rows), 1) + 1
        for piece in self.pieces():
            table = piece.table(self.n_classes)
            for first in range(0, table.shape[-1], step):
                yield table[:, :, first : first + step]

    def table(self) -> Array:
        """Count the rows, or add up their weights, by class, segment and distinct score.

        Shape ``(K, segments, values)``, lowest score first.
        """
        nothing = np.zeros((*self.sizes.shape, 0), np.int64)
        tables = (piece.table(self.n_classes) for piece in self.pieces())
        return np.concatenate([nothing, *tables], axis=-1)

    def values(self) -> Positions:
        """Tell which distinct score of its segment each row has, from the lowest one on."""
        positions = np.arange(len(self.codes))
        if not len(positions):
            return positions
        rows = self.packed().of_one_class().sorted(self.n_rows, positions)
        values = np.empty_like(positions)
        in_order = Ascending(rows.codes(), rows.is_higher(), None, rows.first)
        values[rows.weights] = in_order.values()
        return values


def ranked_blocks(
    segments: Segments, *scores: Array, n_blocks: int = 1
) -> Iterator[tuple[Positions, slice | Positions, list[Ranked]]]:
    """Rank rows by each of these scores, block by block; the rows all count.

    Yields the numbers of the segments, those of their rows, and a `Ranked` a score. At least once,
    be it of no segment that there is, so that a formula sees its options and can refuse them.

    Parameters
    ----------
    segments : Segments
        The rows.
    *scores : ndarray
        What to rank them by.
    n_blocks : int, default 1
        How many blocks of rows to rank at once, if the classes are few.
    """
    for column in scores:
        refuse_nan(column)
    n_classes = segments.n_classes
    all_packed: list[Packed] = []
    n_blocks = max(1, n_blocks * FEW_CLASSES // max(n_classes, FEW_CLASSES))
    for numbers, rows, n_rows in segments.blocks(n_blocks * arrays.ROWS_A_BLOCK):
        codes = taken(segments.codes, rows)
        weights = None if segments.weights is None else taken(segments.weights, rows)
        if isinstance(rows, slice):
            packed = [partial(pack, score[rows], codes, n_classes) for score in scores]
        else:
            # packed in the order in which they lie in memory, then gathered as one column
            all_packed = all_packed or [pack(score, segments.codes, n_classes) for score in scores]
            packed = [partial(column.taken, rows) for column in all_packed]
        ranked = [Ranked(codes, fresh, weights, n_rows, n_classes) for fresh in packed]
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
