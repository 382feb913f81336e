"""Rows in the order of their scores, by a sort of values instead of positions.

NumPy sorts 64-bit integers several times as fast as it finds their order. A row is therefore
packed into one integer: its segment, its score as an integer of the same order, and its class.
Of rows with the same score, those of higher classes come first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pandas_ordinal.arrays import Array, Positions

WIDTH = 64
ROWS_IN_CACHE = 2**14

Integers = npt.NDArray[np.uint64]


class Packed(NamedTuple):
    """Rows as integers, in ascending order.

    What each weighs, if any has a weight; the bits of the class, and those of the score.
    """

    rows: Integers
    weights: Array | None
    class_bits: int
    score_bits: int

    def between(self, start: int, stop: int) -> Packed:
        """Return some of the rows."""
        weights = None if self.weights is None else self.weights[start:stop]
        return self._replace(rows=self.rows[start:stop], weights=weights)

    def from_segment(self, first: int) -> Packed:
        """Number the segments from one of them on, that no row comes before."""
        shift = np.uint64(first << (self.class_bits + self.score_bits))
        return self._replace(rows=self.rows - shift) if first else self

    def up_to(self, row: int) -> int:
        """Return how many rows there are up to the score of this one."""
        last = self.rows[row] | np.uint64(2**self.class_bits - 1)
        return int(np.searchsorted(self.rows, last, side="right"))

    def distinct(self) -> Packed:
        """Return one of equal rows, with the weight of all."""
        is_new = np.ones(self.rows.shape, bool)
        np.not_equal(self.rows[1:], self.rows[:-1], out=is_new[1:])
        first = np.flatnonzero(is_new)
        if len(first) == len(self.rows):
            return self
        if self.weights is None:
            weights: Array = np.diff(first, append=len(self.rows)).astype(float)
        else:
            weights = np.add.reduceat(self.weights, first)
        return self._replace(rows=self.rows.take(first), weights=weights)

    def codes(self) -> Array:
        """Return the classes."""
        highest = np.uint64(2**self.class_bits - 1)
        codes: Array = highest - (self.rows & highest)
        return codes.astype(np.min_scalar_type(highest))

    def segments(self) -> Positions:
        """Return the segments."""
        segments = self.rows >> np.uint64(self.class_bits + self.score_bits)
        return segments.view(np.int64)

    def is_higher(self) -> npt.NDArray[np.bool_]:
        """Tell where a score exceeds the one before, or belongs to another segment."""
        differs: Integers = self.rows[1:] ^ self.rows[:-1]
        higher: npt.NDArray[np.bool_] = differs >= np.uint64(2**self.class_bits)
        return higher


def none() -> Packed:
    """Return no rows."""
    return Packed(np.zeros(0, np.uint64), None, 0, 0)


def sort(
    scores: Array, codes: Array, n_classes: int, segment: Array | None, weights: Array | None
) -> Packed:
    """Sort rows by their segment, their score, and from the highest class to the lowest.

    Rows have a class each, and may be of no segment if there is only one.
    """
    if scores.dtype.itemsize * 8 <= WIDTH:
        packed, lost = _sort(scores, codes, n_classes, segment, weights)
        if not lost or packed.is_higher().all() or _tells_apart(scores, lost):
            return packed
    numbers = np.unique(scores, return_inverse=True)[1]
    return _sort(numbers, codes, n_classes, segment, weights)[0]


def _sort(
    scores: Array, codes: Array, n_classes: int, segment: Array | None, weights: Array | None
) -> tuple[Packed, int]:
    """Sort rows by what 64 bits hold of their scores; tell how many bits are lost."""
    lowest, highest = _ends(scores)
    class_bits = (int(n_classes) - 1).bit_length()
    needed = (highest - lowest).bit_length()
    segment_bits = 0 if segment is None else int(segment.max()).bit_length()
    score_bits = min(needed, WIDTH - class_bits - segment_bits)
    rows = np.empty(len(scores), np.uint64)
    for start in range(0, len(rows), ROWS_IN_CACHE):
        here = slice(start, start + ROWS_IN_CACHE)
        packed = rows[here]
        np.subtract(_ascending(scores[here]), np.uint64(lowest % 2**WIDTH), out=packed)
        packed >>= np.uint64(needed - score_bits)
        packed <<= np.uint64(class_bits)
        packed |= (2**class_bits - 1 - codes[here].astype(np.int64)).view(np.uint64)
        if segment is not None:
            packed |= segment[here].astype(np.uint64) << np.uint64(class_bits + score_bits)
    if weights is None:
        rows.sort()
    else:
        order = np.argsort(rows, kind="stable")  # equal rows are added up in the same order
        rows, weights = rows[order], weights[order]
    return Packed(rows, weights, class_bits, score_bits), needed - score_bits


def _tells_apart(scores: Array, lost: int) -> bool:
    """Tell whether scores that differ do so without their lowest bits."""
    in_order = np.sort(scores)
    is_higher = np.append(True, in_order[1:] != in_order[:-1])
    heights = _ascending(in_order[is_higher]) - np.uint64(_ends(scores)[0] % 2**WIDTH)
    heights >>= np.uint64(lost)
    return bool((heights[1:] > heights[:-1]).all())


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
