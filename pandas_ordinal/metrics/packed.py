"""Rows in the order of their scores, by a sort of values instead of positions.

NumPy sorts 64-bit integers several times as fast as it finds their order. A row is therefore
packed into one integer: its score as an integer of the same order, and its class. Of rows with the
same score, those of higher classes come first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pandas_ordinal.arrays import Array, Positions, blocks

WIDTH = 64
LOWER_BITS = 52  # those of a float that are not its sign and its exponent
NO_ROW = np.uint64(2**WIDTH - 1)

Integers = npt.NDArray[np.uint64]


class Packed(NamedTuple):
    """Rows as integers, in ascending order within each segment, one segment after the other.

    Where each segment begins; what each row weighs, if any has a weight; the bits of the class.
    """

    rows: Integers
    first: Positions
    weights: Array | None
    class_bits: int

    def up_to(self, row: int) -> int:
        """Return how many rows of the only segment there are up to the score of this one."""
        last = self.rows[row] | np.uint64(2**self.class_bits - 1)
        return int(np.searchsorted(self.rows, last, side="right"))

    def between(self, start: int, stop: int) -> Packed:
        """Return some rows of the only segment."""
        weights = None if self.weights is None else self.weights[start:stop]
        return self._replace(rows=self.rows[start:stop], weights=weights)

    def distinct(self) -> Packed:
        """Return one of equal rows, with the weight of all."""
        place = np.flatnonzero(self._rises(np.uint64(1)))
        if len(place) == len(self.rows):
            return self
        if self.weights is None:
            weights: Array = np.diff(place, append=len(self.rows)).astype(float)
        else:
            weights = np.add.reduceat(self.weights, place)
        first = np.searchsorted(place, self.first)
        return Packed(self.rows.take(place), first, weights, self.class_bits)

    def codes(self) -> Array:
        """Return the classes."""
        highest = np.uint64(2**self.class_bits - 1)
        codes: Array = highest - (self.rows & highest)
        return codes.astype(np.min_scalar_type(highest))

    def segments(self) -> Positions:
        """Return the segments."""
        return np.repeat(np.arange(len(self.first)), np.diff(self.first, append=len(self.rows)))

    def is_higher(self) -> npt.NDArray[np.bool_]:
        """Tell where a score exceeds the one before; true for the first one of each segment."""
        return self._rises(np.uint64(2**self.class_bits))

    def _rises(self, least: np.uint64) -> npt.NDArray[np.bool_]:
        rises = np.ones(self.rows.shape, bool)
        np.greater_equal(self.rows[1:] ^ self.rows[:-1], least, out=rises[1:])
        rises[self.first[self.first < len(rises)]] = True
        return rises


def sort(
    scores: Array, codes: Array, n_classes: int, sizes: Positions, weights: Array | None
) -> Packed:
    """Sort the rows of each segment by their score, those of higher classes first.

    Parameters
    ----------
    scores, codes : ndarray, shape (rows,)
        What to sort by, one segment after the other.
    n_classes : int
        How many classes there are.
    sizes : ndarray, shape (segments,)
        How many rows each segment has.
    weights : ndarray, shape (rows,), or None
        What each row weighs.
    """
    if not len(scores):
        return Packed(np.zeros(0, np.uint64), np.zeros_like(sizes), None, 0)
    if scores.dtype.itemsize * 8 <= WIDTH:
        packed, lost = _sort(scores, codes, n_classes, sizes, weights)
        if not lost or packed.is_higher().all() or _tells_apart(scores, lost):
            return packed
    numbers = np.unique(scores, return_inverse=True)[1]
    return _sort(numbers, codes, n_classes, sizes, weights)[0]


def _sort(
    scores: Array, codes: Array, n_classes: int, sizes: Positions, weights: Array | None
) -> tuple[Packed, int]:
    """Sort rows by what 64 bits hold of their scores; tell how many bits are lost."""
    class_bits = (int(n_classes) - 1).bit_length()
    rows, bits = _heights(scores)
    if bits > WIDTH - class_bits:
        bits = _close_gaps(rows)
    lost = max(bits + class_bits - WIDTH, 0)
    for here in blocks(len(rows)):
        packed = rows[here]
        packed >>= np.uint64(lost)
        packed <<= np.uint64(class_bits)
        packed |= (2**class_bits - 1 - codes[here].astype(np.int64)).view(np.uint64)
    rows, weights = _in_order(rows, sizes, weights)
    return Packed(rows, np.cumsum(sizes) - sizes, weights, class_bits), lost


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


def _tells_apart(scores: Array, lost: int) -> bool:
    """Tell whether scores that differ do so without their lowest bits."""
    in_order = np.sort(scores)
    heights, _ = _heights(in_order[np.append(True, in_order[1:] != in_order[:-1])])
    heights >>= np.uint64(lost)
    return bool((heights[1:] > heights[:-1]).all())


def _heights(scores: Array) -> tuple[Integers, int]:
    """Return how far each score is above the lowest, in numbers of its type, and their bits."""
    ends = _ascending(np.array([scores.min(), scores.max()], scores.dtype))
    heights = np.empty(len(scores), np.uint64)
    for here in blocks(len(scores)):
        np.subtract(_ascending(scores[here]), ends[0], out=heights[here])
    return heights, int((ends[1:] - ends[:1])[0]).bit_length()


def _close_gaps(heights: Integers) -> int:
    """Leave out what exponents do not occur, and return the bits that are needed then.

    Floats of both signs lie far apart, but few of their exponents occur.
    """
    occurs = np.zeros(2 ** (WIDTH - LOWER_BITS), bool)
    for here in blocks(len(heights)):
        exponents = (heights[here] >> np.uint64(LOWER_BITS)).view(np.int64)
        occurs |= np.bincount(exponents, minlength=len(occurs)) > 0
    numbers = (np.cumsum(occurs) - 1).astype(np.uint64)
    upper = numbers << np.uint64(LOWER_BITS)
    for here in blocks(len(heights)):
        height = heights[here]
        its_upper = upper[height >> np.uint64(LOWER_BITS)]
        height &= np.uint64(2**LOWER_BITS - 1)
        height |= its_upper
    return LOWER_BITS + int(numbers[-1]).bit_length()


def _ascending(scores: Array) -> Integers:
    """Return integers of the same order, modulo 2**64.

    Zero and minus zero are one number; scores are not NaN.
    """
    kind = scores.dtype.kind
    if kind == "f":
        floats: Array = scores.astype(np.float32 if scores.dtype.itemsize < 8 else np.float64)
        floats += 0  # minus zero
        bits = floats.view(f"i{floats.itemsize}")
        # the bits of a negative float grow as it falls
        bits ^= (bits >> (floats.itemsize * 8 - 1)) & np.iinfo(bits.dtype).max
    else:
        bits = scores
    wide: Array = bits.astype(np.uint64 if kind == "u" else np.int64, copy=False)
    return wide.view(np.uint64)
