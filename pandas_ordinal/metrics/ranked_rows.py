"""Rows ranked by their scores: packed into integers, sorted, and read piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pandas_ordinal.counting import arrays
from pandas_ordinal.counting.arrays import Array, Positions, Stack, blocks, take_rows
from pandas_ordinal.metrics.segments import Segments, as_array

TABLE_CELLS_PER_ROW = 2


class RankedPiece(NamedTuple):
    """Rows from the lowest score of each segment to the highest, one segment after the other.

    `codes` are the classes, the highest first where scores are equal; `is_higher` is whether a row
    scores higher than the row before, or is the first one of a segment; `weights` is None if the
    rows count as one each; and `first` is where each segment begins.
    """

    codes: Array
    is_higher: Array
    weights: Array | None
    first: Positions

    def taken(self, place: Positions) -> RankedPiece:
        """Return the rows in these places."""
        weights = None if self.weights is None else self.weights.take(place)
        first = np.searchsorted(place, self.first)
        return RankedPiece(self.codes.take(place), self.is_higher.take(place), weights, first)

    def n_rows(self) -> Positions:
        """Return how many rows each segment has."""
        return np.diff(self.first, append=len(self.codes))

    def cells(self) -> Positions:
        """Return the class and the segment of each row, ``class * segments + segment``."""
        return cells_of(self.codes, self.n_rows())

    def distinct(self) -> tuple[RankedPiece, Positions]:
        """Merge rows of the same class and score; return also the first row of each."""
        is_first = self.is_higher.copy()
        is_first[1:] |= self.codes[1:] != self.codes[:-1]
        place = np.flatnonzero(is_first)
        if self.weights is None:
            weights: Array = np.diff(place, append=len(self.codes)).astype(float)
        else:
            weights = np.add.reduceat(self.weights, place)
        return self.taken(place)._replace(weights=weights), place

    def values(self) -> Positions:
        """Return for each row how many distinct scores of its segment are lower."""
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
        """Whether the table would have at most about as many cells as there are rows."""
        most = TABLE_CELLS_PER_ROW * len(self.codes) // (n_classes * len(self.first))
        if np.count_nonzero(self.is_higher) > most * len(self.first):
            return False
        return int(self.values().max()) < most

    def divided(self, sizes: Stack) -> RankedPiece:
        """Return the rows weighted by their shares of classes of these sizes ``(K, segments)``."""
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


WIDTH = 64
NO_ROW = np.uint64(2**WIDTH - 1)
PART_BITS = 16  # as many as NumPy sorts by digits
FEW_ROWS = 128  # shorter blocks are not sorted faster

Integers = npt.NDArray[np.uint64]


class Packed(NamedTuple):
    """Rows as integers, each of a score and a class.

    `class_bits` is the number of bits of the class. `by_digits` is whether to sort a long segment
    by its highest digits first, which takes more memory and often less time.
    """

    rows: Integers
    class_bits: int
    by_digits: bool = False

    def taken(self, place: Positions) -> Packed:
        """Return the rows in these places."""
        return self._replace(rows=self.rows.take(place))

    def of_one_class(self) -> Packed:
        """Return the rows as if they were of the same class."""
        return self._replace(rows=self.rows | _class_mask(self.class_bits))

    def sorted(self, sizes: Positions, weights: Array | None) -> InOrder:
        """Sort each segment by score, higher classes first, along with the weights; in place.

        The segments follow each other and have these sizes.
        """
        rows = self.rows
        is_long = len(sizes) == 1 and len(rows) > arrays.ROWS_PER_BLOCK
        if self.by_digits and is_long and weights is None:
            rows = _sorted_by_digits(rows)
        elif len(rows):
            rows, weights = _in_order(rows, sizes, weights)
        return InOrder(rows, self.class_bits, np.cumsum(sizes) - sizes, weights)


class InOrder(NamedTuple):
    """Rows as integers, in ascending order within each segment, one segment after the other.

    `class_bits` is the number of bits of the class, `first` is where each segment begins, and
    `weights` is None if rows have no weights.
    """

    rows: Integers
    class_bits: int
    first: Positions
    weights: Array | None

    def up_to(self, row: int) -> int:
        """Return how many rows of the only segment score at most as high as this one."""
        last = self.rows[row] | _class_mask(self.class_bits)
        return int(np.searchsorted(self.rows, last, side="right"))

    def between(self, start: int, stop: int) -> InOrder:
        """Return the rows of the only segment from start up to stop."""
        weights = None if self.weights is None else self.weights[start:stop]
        return self._replace(rows=self.rows[start:stop], weights=weights)

    def codes(self) -> Array:
        """Return the classes."""
        highest = _class_mask(self.class_bits)
        codes = self.rows.astype(np.min_scalar_type(highest))
        codes &= highest.astype(codes.dtype)
        codes ^= highest.astype(codes.dtype)
        return codes

    def is_higher(self) -> npt.NDArray[np.bool_]:
        """Return where a score exceeds the one before; true for the first of each segment."""
        rises = np.ones(self.rows.shape, bool)
        least = np.uint64(2**self.class_bits)
        for here in blocks(len(rises) - 1):
            there = slice(here.start + 1, here.stop + 1)
            np.greater_equal(self.rows[there] ^ self.rows[here], least, out=rises[there])
        rises[self.first[self.first < len(rises)]] = True
        return rises


def pack(scores: Array, codes: Array, n_classes: int) -> Packed:
    """Turn rows of these scores and classes into integers in the order of the scores."""
    class_bits = (int(n_classes) - 1).bit_length()
    if not len(scores):
        return Packed(np.zeros(0, np.uint64), class_bits)
    rows, lost = _upper_bits(scores, WIDTH - class_bits)
    highest = int(_class_mask(class_bits))
    for here in blocks(len(rows)):
        packed = rows[here]
        packed >>= np.uint64(lost)
        packed <<= np.uint64(class_bits)
        packed |= (highest - codes[here].astype(np.int64)).view(np.uint64)
    return Packed(rows, class_bits)


def _upper_bits(scores: Array, n_bits: int) -> tuple[Integers, int]:
    """Return integers in the order of the scores, and how many of their lowest bits to leave out.

    At most ``n_bits`` are left, and all different scores still differ.
    """
    if scores.dtype.itemsize * 8 <= WIDTH:
        rows, bits = _heights(scores, n_bits)
        lost = max(bits - n_bits, 0)
        if not lost or _stay_distinct(rows, lost):
            return rows, lost
    numbers: Array = np.unique(scores, return_inverse=True)[1]
    return numbers.astype(np.uint64), 0


def _class_mask(class_bits: int) -> np.uint64:
    """Return a mask of the bits that hold the class."""
    return np.uint64(2**class_bits - 1)


def _in_order(
    rows: Integers, sizes: Positions, weights: Array | None
) -> tuple[Integers, Array | None]:
    """Sort each segment."""
    longest = int(sizes.max())
    is_full = bool((sizes == longest).all())
    there = np.s_[:] if is_full else np.arange(longest) < sizes[:, None]

    def laid_out(column: Array) -> Array:
        if is_full:
            return column.reshape(-1, longest)
        laid = np.full((len(sizes), longest), NO_ROW).astype(column.dtype, copy=False)
        laid[there] = column
        return laid

    laid = laid_out(rows)
    if weights is None:
        laid.sort(axis=1)
    else:
        order = np.argsort(laid, axis=1, kind="stable")  # equal rows add up in the same order
        laid = np.take_along_axis(laid, order, axis=1)
        weights = np.take_along_axis(laid_out(weights), order, axis=1)[there].ravel()
    return laid[there].ravel(), weights


def _sorted_by_digits(rows: Integers) -> Integers:
    """Sort integers: gather those with the same highest bits, then sort short blocks.

    On some processors NumPy is several times slower for a million integers in one piece.
    """
    n_bits = int(rows.max()).bit_length()
    part = (rows >> np.uint64(max(n_bits - PART_BITS, 0))).astype(np.uint16)
    in_parts = rows.take(np.argsort(part, kind="stable"))
    most = int(np.bincount(part).max())
    size = 2 * max(most, FEW_ROWS)
    end = len(rows) // size * size
    in_parts[:end].reshape(-1, size).sort(axis=1)
    in_parts[end:].sort()
    if end:  # a part may lie on both sides of where a block ends
        in_parts[size - most : end - most].reshape(-1, size)[:, : 2 * most].sort(axis=1)
        in_parts[end - most : end + most].sort()
    return in_parts


def _stay_distinct(rows: Integers, lost: int) -> bool:
    """Whether integers that differ still differ without their lowest bits."""
    in_order = np.sort(rows)
    differs = in_order[1:] ^ in_order[:-1]
    return not ((differs > 0) & (differs < np.uint64(2**lost))).any()


def _heights(scores: Array, n_bits: int) -> tuple[Integers, int]:
    """Return how many numbers of its type each score is above the lowest, and their bits.

    If that takes more than ``n_bits``, floats next to zero that do not occur are not counted; it
    may still take more.
    """
    extremes = np.array([scores.min(), scores.max()], scores.dtype)
    gap: np.integer[Any] = np.intp(0)
    ends = _ascending(extremes, gap)
    if scores.dtype.kind == "f" and _bits_between(ends) > n_bits:
        gap = _gap(scores)
        ends = _ascending(extremes, gap)
    heights = np.empty(len(scores), np.uint64)
    for here in blocks(len(scores)):
        np.subtract(_ascending(scores[here], gap), ends[0], out=heights[here])
    return heights, _bits_between(ends)


def _bits_between(ends: Integers) -> int:
    """Return how many bits the difference takes, modulo 2**64."""
    # arrays wrap around without a warning
    return int((ends[1:] - ends[:1])[0]).bit_length()


def _gap(scores: Array) -> np.integer[Any]:
    """Return how many floats lie between zero and the score next to it.

    Almost half of all floats are smaller than 1: left out, scores of both signs take fewer bits.
    """
    unsigned = "u4" if scores.dtype.itemsize < 8 else "u8"
    # zero does not count: 0 - 1 is the highest unsigned integer
    gap = min(
        (_magnitudes(_bits(scores[here])) - 1).view(unsigned).min() for here in blocks(len(scores))
    )
    smallest: np.integer[Any] = gap.view(f"i{gap.itemsize}")
    return smallest


def _ascending(scores: Array, gap: np.integer[Any]) -> Integers:
    """Return integers in the same order, modulo 2**64.

    Zero and minus zero are one number; scores are not NaN.
    """
    kind = scores.dtype.kind
    numbers = scores
    if kind == "f":
        bits = _bits(scores)
        numbers = _magnitudes(bits)
        numbers -= gap
        np.maximum(numbers, 0, out=numbers)
        bits >>= bits.itemsize * 8 - 1  # -1 for a negative score, or else 0
        numbers ^= bits
        numbers -= bits
    wide: Array = numbers.astype(np.uint64 if kind == "u" else np.int64, copy=False)
    return wide.view(np.uint64)


def _bits(scores: Array) -> Array:
    """Return the bits of floats, as integers."""
    floats: Array = scores.astype(np.float32 if scores.dtype.itemsize < 8 else np.float64)
    return floats.view(f"i{floats.itemsize}")


def _magnitudes(bits: Array) -> Array:
    """Return the place of floats after zero, without their sign: zero has 0, the next one 1."""
    magnitudes: Array = bits & np.iinfo(bits.dtype).max
    return magnitudes


FEW_CLASSES = 8


@dataclass(frozen=True)
class Ranked:
    """A block of segments, ranked by a score.

    Attributes
    ----------
    codes : ndarray, shape (rows,)
        The class of each row, one segment after the other.
    packed : callable
        Returns the rows packed with their scores, as a new array for each sort.
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

    @property
    def segment(self) -> Positions:
        """The segment of each row."""
        return np.repeat(np.arange(len(self.n_rows)), self.n_rows)

    @property
    def sizes(self) -> Stack:
        """The number, or the weight, of the rows of each class, ``(K, segments)``."""
        shape = self.n_classes, len(self.n_rows)
        cells = cells_of(self.codes, self.n_rows)
        sizes = np.bincount(cells, self.weights, shape[0] * shape[1])
        return sizes.reshape(shape).astype(float)

    def by_digits(self) -> Ranked:
        """Return the same rows, with long segments sorted by digits."""
        packed = self.packed
        return replace(self, packed=lambda: packed()._replace(by_digits=True))

    def pieces(self, n_blocks: int = 1) -> Iterator[RankedPiece]:
        """Yield the rows from the lowest scores to the highest, in pieces of `n_blocks` blocks.

        Rows with the same score are in one piece; several segments share a single piece.
        """
        size = n_blocks * arrays.ROWS_PER_BLOCK
        rows = self.packed().sorted(self.n_rows, self.weights)
        start, end = 0, len(rows.rows)
        while start < end:
            piece, stop = rows, end
            if len(self.n_rows) == 1:
                stop = rows.up_to(min(start + size, end) - 1)
                piece = rows.between(start, stop)
            yield RankedPiece(piece.codes(), piece.is_higher(), piece.weights, piece.first)
            start = stop

    def table(self) -> Array:
        """Count the rows, or add up their weights, by class, segment and distinct score.

        Shape ``(K, segments, values)``, lowest score first.
        """
        nothing = np.zeros((self.n_classes, len(self.n_rows), 0), np.int64)
        tables = (piece.table(self.n_classes) for piece in self.pieces())
        return np.concatenate([nothing, *tables], axis=-1)

    def values(self) -> Positions:
        """Return for each row the number of its distinct score in its segment, lowest first."""
        positions = np.arange(len(self.codes))
        if not len(positions):
            return positions
        rows = self.packed().of_one_class().sorted(self.n_rows, positions)
        values = np.empty_like(positions)
        in_order = RankedPiece(rows.codes(), rows.is_higher(), None, rows.first)
        values[rows.weights] = in_order.values()
        return values


def ranked_blocks(
    segments: Segments, score: Array, n_blocks: int = 1
) -> Iterator[tuple[Positions, slice | Positions, Ranked]]:
    """Rank rows by a score, block by block; the rows all count.

    Yields the numbers of the segments, those of their rows, and these rows, ranked. At least once,
    be it of no segment that there is, so that a formula sees its options and can refuse them.

    Parameters
    ----------
    segments : Segments
        The rows.
    score : ndarray
        What to rank them by.
    n_blocks : int, default 1
        How many blocks of rows to rank at once, if the classes are few.
    """
    refuse_nan(score)
    n_classes = segments.n_classes
    all_packed: Packed | None = None
    n_blocks = max(1, n_blocks * FEW_CLASSES // max(n_classes, FEW_CLASSES))
    for numbers, rows, n_rows in segments.blocks(n_blocks * arrays.ROWS_PER_BLOCK):
        codes = take_rows(segments.codes, rows)
        weights = None if segments.weights is None else take_rows(segments.weights, rows)
        if isinstance(rows, slice):
            packed = partial(pack, score[rows], codes, n_classes)
        else:
            # packed in the order in which they lie in memory, then gathered as one column
            if all_packed is None:
                all_packed = pack(score, segments.codes, n_classes)
            packed = partial(all_packed.taken, rows)
        yield numbers, rows, Ranked(codes, packed, weights, n_rows, n_classes)


def as_scores(name: str, scores: npt.ArrayLike) -> Array:
    """Return scores as an array of numbers; raise for anything else."""
    array = as_array(name, scores)
    if array.dtype.kind not in "biuf" or not array.ndim:
        raise ValueError(
            f"{name} must be an array (..., n) of numbers, not {array.dtype}: convert them, for "
            "example with .astype(float)"
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
