"""Numbers in arrays read as codes, without look-up: those of a grid whose missing cells are NaN.

`whole_positions` goes over a whole array in a few steps. It leaves floats that are not whole,
infinite or out of range to code that looks up one by one and explains what is wrong.
"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from pandas_ordinal.classes.undeclared import LARGEST_RANGE
from pandas_ordinal.counting.arrays import Array
from pandas_ordinal.dataarrays.flags import code_of
from pandas_ordinal.dataarrays.tiles import tiles
from pandas_ordinal.errors import UnknownClassError, exactly, show

FLOATS_PER_TILE = 2**18  # so that all steps find them in the cache of the processor
COMMON = -1, 125  # most codes are among these integers, which int8 holds with one below


def whole_positions(values: Array, lowest: int, highest: int, *, allowed: bool) -> Array | None:
    """Return the positions of floats in a range of integers, -1 for NaN.

    Parameters
    ----------
    values : ndarray of float
        The values.
    lowest, highest : int
        The ends of the range.
    allowed : bool
        Whether the number below the lowest stands for a missing one as well.

    Returns
    -------
    ndarray of int or None
        The positions; None if other numbers are among the values.
    """
    size = max(-lowest, highest, highest - lowest)
    with np.errstate(invalid="ignore"):
        positions: Array = values.astype(np.min_scalar_type(-size - 1))
    is_whole = positions.astype(values.dtype) == values
    n_other = values.size - np.count_nonzero(is_whole)
    if n_other and n_other != np.count_nonzero(values != values):
        return None
    if lowest:
        positions -= positions.dtype.type(lowest)
    positions |= is_whole.view(np.int8) - np.int8(1)  # all bits of those that are missing: -1
    if positions.min() < -1 or positions.max() > highest - lowest:
        return None
    if not allowed and n_other != np.count_nonzero(positions < 0):
        return None
    return positions


def different_floats(values: Array) -> Array:
    """Return each distinct value once, if all are whole numbers of a small range; else all."""
    different = _occurring(values, *COMMON)
    if different is not None:
        return different
    lowest, highest = (end.reduce(values, axis=None) for end in (np.fmin, np.fmax))
    if not (lowest > -LARGEST_RANGE and highest < LARGEST_RANGE):  # or all are NaN
        return values.ravel()
    different = _occurring(values, math.floor(lowest), math.ceil(highest))
    return values.ravel() if different is None else different


def _occurring(values: Array, first: int, last: int) -> Array | None:
    """Return each distinct value once; None if some are not whole numbers from first to last."""
    occurs = np.zeros(last - first + 2, bool)
    for tile in tiles(values.shape, FLOATS_PER_TILE):
        positions = whole_positions(values[tile], first, last, allowed=False)
        if positions is None:
            return None
        occurs[positions] = True
    *_, is_missing = occurs  # at the position -1
    different: Array = np.flatnonzero(occurs[:-1]) + float(first)
    return np.append(different, np.nan) if is_missing else different


def code_positions(numbers: Array, name: str, classes: pd.CategoricalDtype) -> Array:
    """Read numbers as codes of classes that are not numbers; -1 and NaN are missing."""
    codes = np.where(np.isnan(numbers), -1, numbers)
    n_classes = len(classes.categories)
    wrong = (codes != np.floor(codes)) | (codes < -1) | (codes >= n_classes)
    if wrong.any():
        first = codes[wrong][0]
        other = exactly(first)
        remedy = f"; leave {other} out with ignore={other}" if first == np.floor(first) else ""
        if other in classes.categories:
            remedy = f"; for the class {other!r}, give {code_of(name)}.astype(int).astype(str)"
        raise UnknownClassError(
            f"{name!r} holds {other}, which is not a code of the {n_classes} classes "
            f"{show(classes.categories)}: codes are 0 to {n_classes - 1}, or -1 for missing"
            f"{remedy}"
        )
    return codes.astype(np.int32)
