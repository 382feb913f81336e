"""Arrays of rows: their types, blocks of them, weights and class probabilities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pandas_ordinal.errors import brief, exactly

Array: TypeAlias = npt.NDArray[Any]
Floats: TypeAlias = npt.NDArray[np.float64]
Stack: TypeAlias = Floats
"""Confusion matrices batch last, ``(K, K, batch)``, or a result of theirs, ``(..., batch)``."""

Positions: TypeAlias = npt.NDArray[np.intp]
Codes: TypeAlias = npt.NDArray[np.integer[Any]]
"""Positions in the classes, one per row; -1 where a label is missing."""

ROWS_PER_BLOCK = 2**16
LARGEST_EXACT = 2**53  # beyond it, not every integer is a float
LARGEST_EXPONENT = np.finfo(float).maxexp - 1  # of a power of two that is a float

# glibc's malloc gives large arrays back to the system when they are freed, which zeroes their
# pages anew for the next block, unless the process has freed a larger one before. In a process
# that has not, a kernel takes up to 70 % more time without this line. malloc learns only from
# arrays of up to 32 MiB, its own header included: this one is just below.
np.empty(2**25 - 2**16, np.uint8)


def blocks(n_rows: int, at_least: int = 1) -> Iterator[slice]:
    """Split rows into one or more blocks, so that the results for each stay in cache."""
    size = max(ROWS_PER_BLOCK, at_least)
    for start in range(0, max(n_rows, 1), size):
        yield slice(start, min(start + size, n_rows))


def take_rows(column: Array, rows: slice | Positions) -> Array:
    """Return some rows of a column."""
    chosen: Array = column[rows] if isinstance(rows, slice) else column.take(rows)
    return chosen


SUM_TOLERANCE = 1e-6
ROUNDED = 0.05  # sums further from 1 are not those of rounded probabilities


@dataclass(frozen=True)
class Probabilities:
    """Columns of class probabilities, stacked for some rows at a time.

    Attributes
    ----------
    columns : sequence of ndarray
        A column for each class.
    sums_within : float
        By how much the sum of a row may differ from 1.
    option : str
        The option of the call that sets it; empty if there is none.
    are_numbers : bool
        Whether the columns hold the numbers of members of an ensemble in each class instead.
    """

    columns: Sequence[Array]
    sums_within: float
    option: str = ""
    are_numbers: bool = False

    def given(self, rows: Any) -> Floats:
        """Return rows ``(n, K)`` as they are given."""
        stacked: Floats = np.stack([column[rows] for column in self.columns], dtype=float)
        return stacked.T

    def __getitem__(self, rows: Any) -> Floats:
        """Return rows ``(n, K)`` that have been checked, clipped to 0 and 1."""
        floats = self.given(rows)
        return floats if self.are_numbers else np.clip(floats, 0, 1, out=floats)

    def of(self, rows: Any) -> Probabilities:
        """Return the probabilities of some rows."""
        return replace(self, columns=[column[rows] for column in self.columns])

    def refuse_wrong(self, codes: Array, labels: Any = None) -> None:
        """Raise unless the rows with a code have valid probabilities; labels name the rows."""
        n_wrong, first, furthest = 0, None, 0.0
        for rows in () if self.are_numbers else blocks(len(codes)):
            given = self.given(rows)
            wrong = np.flatnonzero((codes[rows] >= 0) & ~_are_right(given, self.sums_within))
            if len(wrong):
                first = rows.start + int(wrong[0]) if first is None else first
                furthest = max(furthest, _furthest(given[wrong]))
            n_wrong += len(wrong)
        if first is not None:
            label = first if labels is None else labels[first]
            row = self.given(slice(first, first + 1))[0]
            wider = _wider(self.option, furthest)
            raise ValueError(_no_probabilities(n_wrong, label, row, self.sums_within, wider))


def refuse_wrong_atol(atol: Any) -> None:
    """Raise unless this is the tolerance of a sum of probabilities, or None."""
    is_number = isinstance(atol, (int, float, np.integer, np.floating))
    if atol is not None and not (is_number and not isinstance(atol, bool) and 0 <= atol < 1):
        raise ValueError(
            f"atol={brief(atol)} must be a number from 0 to 1, such as atol=0.002 for "
            "probabilities of three decimals"
        )


def tolerance(n_classes: int, *dtypes: np.dtype[Any], atol: float | None = None) -> float:
    """Return by how much a sum of probabilities may differ from 1, given their precision."""
    least = SUM_TOLERANCE if atol is None else atol
    precision = max((float(np.finfo(t).eps) for t in dtypes if t.kind == "f"), default=0.0)
    rounding = n_classes * np.finfo(float).eps  # of the sum itself: 1 - 0.999999 exceeds 1e-6
    return max(least, n_classes * precision) + float(rounding)


def _are_right(proba: Stack, sums_within: float) -> npt.NDArray[np.bool_]:
    """Return which rows ``(n, K)`` are not negative and sum to 1."""
    with np.errstate(invalid="ignore"):
        sums = proba.sum(axis=-1)
        right: npt.NDArray[np.bool_] = np.abs(sums - 1) <= sums_within
        right &= proba.min(axis=-1) >= -SUM_TOLERANCE
    return right


def _furthest(wrong: Stack) -> float:
    """Return how far sums of probabilities are from 1; infinity if something else is wrong."""
    if wrong.shape[-1] == 1 or not wrong.min() >= -SUM_TOLERANCE:
        return np.inf
    return float(np.abs(wrong.sum(axis=-1) - 1).max())


def _wider(option: str, furthest: float) -> str:
    """Return the option that lets rounded probabilities through; empty if there is none."""
    if not option or furthest > ROUNDED:
        return ""
    least = furthest * (1 + SUM_TOLERANCE)  # as sums are rounded too
    unit = 10.0 ** np.floor(np.log10(least))
    return f"{option}={np.ceil(least / unit) * unit:g}"


def _no_probabilities(n_wrong: int, label: Any, row: Stack, sums_within: float, wider: str) -> str:
    """Describe how many rows lack valid probabilities, the first of them, and the likely cause."""
    label = label.item() if isinstance(label, np.generic) else label
    with np.errstate(invalid="ignore"):
        row_sum = row.sum()
    rows = "1 row lacks" if n_wrong == 1 else f"{n_wrong} rows lack"
    return (
        f"{rows} valid probabilities: the first, row {label!r}, is "
        f"{[float(round(p, 6)) for p in row]}, which sums to {row_sum:.7g}; probabilities "
        f"are not negative and sum to 1 within {sums_within:.2g}: "
        f"{f'if these are rounded, give {wider}, or {DIVIDED}' if wider else _cause(row)}"
    )


DIVIDED = "divide each row by its sum, as with df[columns].div(df[columns].sum(axis=1), axis=0)"


def _cause(row: Stack) -> str:
    """Name the likely cause of numbers that are not probabilities."""
    if not np.isfinite(row).all():
        return "leave out rows with NaN or infinity, or find out where these come from"
    if len(row) == 1:
        return "one column has the probability of the higher of two classes: give classes=[...]"
    if row.min() >= 0 and np.isclose(row.sum(), 100, rtol=0.01):
        return "these look like percentages: divide them by 100"
    if row.min() >= 0 and row.max() > 1 and (row == np.floor(row)).all():
        return f"these look like counts: {DIVIDED}"
    if row.min() < -100 * SUM_TOLERANCE or row.max() > 1 + 100 * SUM_TOLERANCE:
        return (
            "these look like logits: convert them to probabilities, as with scipy.special.softmax"
        )
    return f"if that is meant, set negative ones to 0 and {DIVIDED}"


def refuse_weights(values: Array, name: str) -> Floats:
    """Return row weights as floats; the error explains why they are not weights."""
    if values.dtype.kind not in "biuf":
        raise ValueError(f"sample_weight {name} must hold numbers: convert it with .astype(float)")
    weights = values.astype(float)
    wrong = weights[~((weights >= 0) & (weights < np.inf))]
    if len(wrong):
        raise ValueError(
            f"sample_weight {name} holds {len(wrong)} value{'s' * (len(wrong) > 1)} that cannot "
            f"be weights (the first is {exactly(wrong[0])}): these are finite and not negative; "
            "give rows that do not count the weight 0"
        )
    with np.errstate(over="ignore"):
        if weights.sum() == np.inf:
            raise ValueError(
                f"sample_weight {name} adds up to more than a float holds: divide all by one "
                "number"
            )
    return weights
