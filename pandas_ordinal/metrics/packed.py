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
NO_ROW = np.uint64(2**WIDTH - 1)

Integers = npt.NDArray[np.uint64]


class Packed(NamedTuple):
    """Rows as integers, in ascending order along the last axis, ``(blocks, rows)``.

    The bits of the class, and those of the score; where each row was, if it was asked for.
    """

    rows: Integers
    class_bits: int
    score_bits: int
    order: Positions | None = None

    def up_to(self, row: int) -> int:
        """Return the number of rows of a single block up to the score of this one."""
        last = self.rows[0, row] | np.uint64(2**self.class_bits - 1)
        return int(np.searchsorted(self.rows[0], last, side="right"))

    def between(self, start: int, stop: int) -> Packed:
        """Return some of the rows."""
        order = None if self.order is None else self.order[:, start:stop]
        return self._replace(rows=self.rows[:, start:stop], order=order)

    def distinct(self, weights: Array | None) -> tuple[Packed, Array | None]:
        """Return one of equal rows, and what all of them weigh.

        Classes of blocks that have fewer rows than others are -1 at their end.
        """
        n_blocks, n_rows = self.rows.shape
        if weights is not None and self.order is not None:
            weights = np.take_along_axis(weights, self.order, axis=1)
        is_new = np.ones(self.rows.shape, bool)
        np.not_equal(self.rows[:, 1:], self.rows[:, :-1], out=is_new[:, 1:])
        first = np.flatnonzero(is_new)
        if len(first) == self.rows.size:
            return self, weights
        rows = self.rows.ravel().take(first)
        if weights is None:
            weights = np.diff(first, append=self.rows.size).astype(float)
        else:
            weights = np.add.reduceat(weights.ravel(), first)
        if n_blocks == 1:
            return self._replace(rows=rows[None], order=None), weights[None]
        n_each = np.count_nonzero(is_new, axis=1)
        there = np.arange(n_each.max()) < n_each[:, None]
        laid_out, weighs = np.full(there.shape, NO_ROW), np.zeros(there.shape)
        laid_out[there], weighs[there] = rows, weights
        return self._replace(rows=laid_out, order=None), weighs

    def codes(self, dtype: np.dtype[np.signedinteger]) -> Array:
        """Return the classes."""
        lowest = 2**self.class_bits - 1
        codes = (self.rows & np.uint64(lowest)) ^ np.uint64(lowest)
        return codes.astype(dtype) - dtype.type(1)

    def segment(self) -> Positions:
        """Return the segments."""
        segment: Positions = self.rows >> np.uint64(self.class_bits + self.score_bits)
        return segment.view(np.int64)

    def is_higher(self) -> npt.NDArray[np.bool_]:
        """Tell where a score exceeds the one before, or belongs to another segment."""
        differs: Integers = self.rows[:, 1:] ^ self.rows[:, :-1]
        higher: npt.NDArray[np.bool_] = differs >= np.uint64(2**self.class_bits)
        return higher


def sort(
    scores: Array,
    codes: Array,
    segment: Array | None = None,
    n_segments: int = 1,
    with_order: bool = False,
) -> Packed:
    """Sort rows ``(blocks, rows)`` by their score, or by their segment and score."""
    if scores.dtype.itemsize * 8 <= WIDTH:
        packed, lost = _sort(scores, codes, segment, n_segments, with_order)
        if not lost or packed.is_higher().all() or _tells_apart(scores, lost):
            return packed
    numbers = np.unique(scores, return_inverse=True)[1].reshape(scores.shape)
    return _sort(numbers, codes, segment, n_segments, with_order)[0]


def _sort(
    scores: Array, codes: Array, segment: Array | None, n_segments: int, with_order: bool
) -> tuple[Packed, int]:
    """Sort rows by what 64 bits hold of their scores; tell how many bits are lost."""
    lowest, highest = _ends(scores)
    class_bits = (int(codes.max()) + 1).bit_length()
    needed = (highest - lowest).bit_length()
    score_bits = min(needed, WIDTH - class_bits - (n_segments - 1).bit_length())
    rows = np.empty(scores.shape, np.uint64)
    columns = (rows, scores, codes) if segment is None else (rows, scores, codes, segment)
    flat = [array.reshape(-1) for array in columns]
    for start in range(0, rows.size, ROWS_IN_CACHE):
        here = slice(start, start + ROWS_IN_CACHE)
        packed, score, code, *number = (array[here] for array in flat)
        np.subtract(_ascending(score), np.uint64(lowest % 2**WIDTH), out=packed)
        packed >>= np.uint64(needed - score_bits)
        packed <<= np.uint64(class_bits)
        packed |= (2**class_bits - 2 - code.astype(np.int64)).view(np.uint64)
        for one in number:
            packed |= one.astype(np.uint64) << np.uint64(class_bits + score_bits)
    order = None
    if with_order:
        order = np.argsort(rows, axis=-1)
        rows = np.take_along_axis(rows, order, axis=-1)
    else:
        rows.sort(axis=-1)
    return Packed(rows, class_bits, score_bits, order), needed - score_bits


def _tells_apart(scores: Array, lost: int) -> bool:
    """Tell whether scores that differ do so without their lowest bits."""
    in_order = np.sort(scores, axis=None)
    distinct = in_order[1:][in_order[1:] != in_order[:-1]]
    heights = _ascending(distinct) - np.uint64(_ends(scores)[0] % 2**WIDTH)
    heights >>= np.uint64(lost)
    return bool(heights[0] > 0 and (heights[1:] > heights[:-1]).all())


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
