"""Rows in the order of their scores, by a sort of values instead of positions.

NumPy sorts 64-bit integers several times as fast as it finds their order. A row is therefore
packed into one integer: its segment, its score as an integer of the same order, and its class.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pandas_ordinal.arrays import Array

WIDTH = 64


class Packed(NamedTuple):
    """Rows as integers, in ascending order along the last axis.

    The bits of the class, and those of the score.
    """

    rows: npt.NDArray[np.uint64]
    class_bits: int
    score_bits: int

    def codes(self, dtype: np.dtype[np.signedinteger]) -> Array:
        """Return the classes."""
        codes = self.rows & np.uint64(2**self.class_bits - 1)
        return (codes.view(np.int64) - 1).astype(dtype)

    def segment(self) -> Array:
        """Return the segments."""
        return (self.rows >> np.uint64(self.class_bits + self.score_bits)).view(np.int64)

    def is_higher(self) -> npt.NDArray[np.bool_]:
        """Tell where a score exceeds the one before, or belongs to another segment."""
        high = self.rows >> np.uint64(self.class_bits)
        higher: npt.NDArray[np.bool_] = high[..., 1:] != high[..., :-1]
        return higher


def sort(
    scores: Array, codes: Array, segment: Array | None = None, n_segments: int = 1
) -> Packed | None:
    """Sort rows by their score, along the last axis, or by their segment and score.

    None where 64 bits do not hold what tells the scores apart.
    """
    if scores.dtype.itemsize * 8 > WIDTH:
        return None
    height = heights(scores)
    class_bits = (int(codes.max()) + 1).bit_length()
    needed = int(height.max()).bit_length()
    score_bits = min(needed, WIDTH - class_bits - (n_segments - 1).bit_length())
    rows = height >> np.uint64(needed - score_bits) << np.uint64(class_bits)
    rows |= (codes + np.int64(1)).view(np.uint64)
    if segment is not None:
        rows |= segment.astype(np.uint64) << np.uint64(class_bits + score_bits)
    rows.sort(axis=-1)
    packed = Packed(rows, class_bits, score_bits)
    if score_bits < needed:
        is_higher = packed.is_higher()
        if not is_higher.all():
            if segment is not None:
                return None
            height.sort(axis=-1)
            if not np.array_equal(is_higher, height[..., 1:] != height[..., :-1]):
                return None
    return packed


def heights(scores: Array) -> npt.NDArray[np.uint64]:
    """Return how many numbers of the type lie between the lowest score and each.

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
    lowest = np.uint64(int(bits.min()) % 2**WIDTH)
    wide: Array = bits.astype(np.uint64 if kind == "u" else np.int64)
    height: npt.NDArray[np.uint64] = wide.view(np.uint64) - lowest
    return height
