"""Rows in the order of their scores, by a sort of values instead of positions.

NumPy sorts 64-bit integers several times as fast as it finds their order. A row is therefore
packed into one integer: its score as an integer of the same order, and its class. Of rows with the
same score, those of higher classes come first.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pandas_ordinal import arrays
from pandas_ordinal.arrays import Array, Positions, blocks

WIDTH = 64
NO_ROW = np.uint64(2**WIDTH - 1)
PART_BITS = 16  # as many as NumPy sorts by digits
FEW_ROWS = 128  # shorter blocks are not sorted faster

Integers = npt.NDArray[np.uint64]


class Packed(NamedTuple):
    """Rows as integers, and how many of their bits are the class.

    And whether to sort a long segment by its highest digits first: that takes more memory, and
    often less time.
    """

    rows: Integers
    class_bits: int
    by_digits: bool = False

    def taken(self, place: Positions) -> Packed:
        """Return some rows."""
        return self._replace(rows=self.rows.take(place))

    def of_one_class(self) -> Packed:
        """Return the rows as if they were of the same class."""
        return self._replace(rows=self.rows | _class_mask(self.class_bits))

    def sorted(self, sizes: Positions, weights: Array | None) -> InOrder:
        """Sort each segment by score, higher classes first, with what the rows weigh; in place.

        The segments, of these sizes, are one after the other.
        """
        rows = self.rows
        is_long = len(sizes) == 1 and len(rows) > arrays.ROWS_A_BLOCK
        if self.by_digits and is_long and weights is None:
            rows = _sorted_by_digits(rows)
        elif len(rows):
            rows, weights = _in_order(rows, sizes, weights)
        return InOrder(rows, self.class_bits, np.cumsum(sizes) - sizes, weights)


class InOrder(NamedTuple):
    """Rows as integers, in ascending order within each segment, one segment after the other.

    How many of their bits are the class; where each segment begins; what each row weighs, if any
    has a weight.
    """

    rows: Integers
    class_bits: int
    first: Positions
    weights: Array | None

    def up_to(self, row: int) -> int:
        """Return how many rows of the only segment there are up to the score of this one."""
        last = self.rows[row] | _class_mask(self.class_bits)
        return int(np.searchsorted(self.rows, last, side="right"))

    def between(self, start: int, stop: int) -> InOrder:
        """Return some rows of the only segment."""
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
        """Tell where a score exceeds the one before; true for the first one of each segment."""
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

    At most ``n_bits`` are left, which tell all scores apart.
    """
    if scores.dtype.itemsize * 8 <= WIDTH:
        rows, bits = _heights(scores, n_bits)
        lost = max(bits - n_bits, 0)
        if not lost or _tells_apart(rows, lost):
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
    """Sort integers: put those with the same highest bits together, then sort short blocks.

    On some processors NumPy takes several times as long for a million in one piece.
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


def _tells_apart(rows: Integers, lost: int) -> bool:
    """Tell whether integers that differ do so without their lowest bits."""
    in_order = np.sort(rows)
    differs = in_order[1:] ^ in_order[:-1]
    return not ((differs > 0) & (differs < np.uint64(2**lost))).any()


def _heights(scores: Array, n_bits: int) -> tuple[Integers, int]:
    """Return how far each score is above the lowest, in numbers of its type, and their bits.

    Floats next to zero that do not occur are left out if there would be more than ``n_bits``;
    there may still be more.
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
    """Return integers of the same order, modulo 2**64.

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
