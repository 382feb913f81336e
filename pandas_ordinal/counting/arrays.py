"""Names for the kinds of arrays that rooms hand each other; blocks of rows, and memory for one."""

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]
Floats: TypeAlias = npt.NDArray[np.float64]
Positions: TypeAlias = npt.NDArray[np.intp]
Codes: TypeAlias = npt.NDArray[np.integer[Any]]
"""Positions in the classes, a row each; -1 where a label is missing."""

ROWS_A_BLOCK = 2**16
LARGEST_EXACT = 2**53  # beyond it, not every integer is a float
LARGEST_EXPONENT = np.finfo(float).maxexp - 1  # of a power of two that is a float

# glibc's malloc gives large arrays back to the system when they are freed, which zeroes their
# pages anew for the next block, unless the process has freed a larger one before. In a process
# that has not, a kernel takes up to 70 % more time without this line. malloc learns only from
# arrays of up to 32 MiB, its own header included: this one is just below.
np.empty(2**25 - 2**16, np.uint8)


def blocks(n_rows: int, at_least: int = 1) -> Iterator[slice]:
    """Cut rows into one or more blocks, so that what is made of each stays in cache."""
    size = max(ROWS_A_BLOCK, at_least)
    for start in range(0, max(n_rows, 1), size):
        yield slice(start, min(start + size, n_rows))


def taken(column: Array, rows: slice | Positions) -> Array:
    """Return some rows of a column."""
    chosen: Array = column[rows] if isinstance(rows, slice) else column.take(rows)
    return chosen
