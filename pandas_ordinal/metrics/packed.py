"""Rows in the order of their scores, by a sort of values instead of positions.

NumPy sorts 64-bit integers several times as fast as it finds their order. A row is therefore
packed into one integer: its score as an integer of the same order, and its class. Of rows with the
same score, those of higher classes come first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pandas_ordinal.arrays import Array, Positions

WIDTH = 64
LOWER_BITS = 52  # those of a float that are not its sign and its exponent
ROWS_IN_CACHE = 2**14
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
    scale = _scale(scores, WIDTH - class_bits)
    lost = max(scale.bits + class_bits - WIDTH, 0)
    rows = np.empty(len(scores), np.uint64)
    for here in _in_cache(len(scores)):
        packed = rows[here]
        np.right_shift(scale.heights(scores[here]), np.uint64(lost), out=packed)
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


def _in_cache(n_rows: int) -> Iterator[slice]:
    """Yield a few rows after the other."""
    for start in range(0, n_rows, ROWS_IN_CACHE):
        yield slice(start, start + ROWS_IN_CACHE)


def _tells_apart(scores: Array, lost: int) -> bool:
    """Tell whether scores that differ do so without their lowest bits."""
    in_order = np.sort(scores)
    distinct = in_order[np.append(True, in_order[1:] != in_order[:-1])]
    heights = _scale(scores, WIDTH).heights(distinct) >> np.uint64(lost)
    return bool((heights[1:] > heights[:-1]).all())


class Scale(NamedTuple):
    """How scores become heights, integers from 0 on that need so many bits.

    The lowest score; and of heights that would need more bits, which upper halves there are.
    """

    lowest: int
    bits: int
    uppers: Integers | None = None

    def heights(self, scores: Array) -> Integers:
        """Return the heights of scores."""
        heights: Integers = _ascending(scores) - np.uint64(self.lowest % 2**WIDTH)
        if self.uppers is not None:
            upper = self.uppers[heights >> np.uint64(LOWER_BITS)]
            heights &= np.uint64(2**LOWER_BITS - 1)
            heights |= upper
        return heights


def _scale(scores: Array, most_bits: int) -> Scale:
    """Choose a scale on which scores need no more bits, if there is one.

    Floats of both signs take up all 64 bits, but few of their exponents occur.
    """
    lowest, highest = _ends(scores)
    scale = Scale(lowest, (highest - lowest).bit_length())
    if scale.bits <= most_bits:
        return scale
    occurs = np.zeros(2 ** (WIDTH - LOWER_BITS), bool)
    for here in _in_cache(len(scores)):
        occurs[scale.heights(scores[here]) >> np.uint64(LOWER_BITS)] = True
    numbers = (np.cumsum(occurs) - 1).astype(np.uint64)
    bits = LOWER_BITS + int(numbers[-1]).bit_length()
    return Scale(lowest, bits, numbers << np.uint64(LOWER_BITS))


def _ends(scores: Array) -> tuple[int, int]:
    """Return the lowest and the highest score, as integers of the same order."""
    ends = np.array([scores.min(), scores.max()], scores.dtype)
    lowest, highest = _ascending(ends).tolist()
    if lowest > highest:  # a negative integer, as the bits of an unsigned one
        lowest -= 2**WIDTH
    return lowest, highest


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
