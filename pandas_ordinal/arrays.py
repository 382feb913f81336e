"""Names for the kinds of arrays that rooms hand each other."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]
Floats: TypeAlias = npt.NDArray[np.float64]
Positions: TypeAlias = npt.NDArray[np.intp]
Codes: TypeAlias = npt.NDArray[np.integer[Any]]
"""Positions in the classes, a row each; -1 where a label is missing."""

LARGEST_EXACT = 2**53  # beyond it, not every integer is a float
