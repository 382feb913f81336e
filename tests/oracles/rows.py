"""The rows of data behind a confusion matrix."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

NAN = float("nan")
Counts = Sequence[Sequence[int]] | np.ndarray
Matrix = Sequence[Sequence[float]] | np.ndarray


class Row(NamedTuple):
    """A row of data, or `times` equal ones."""

    true: int
    pred: int
    times: int


def rows(counts: Counts) -> list[Row]:
    """All rows, one by one; equal rows stay together only when there are very many."""
    cells = [
        Row(r, c, int(n)) for r, line in enumerate(counts) for c, n in enumerate(line) if n > 0
    ]
    if sum(cell.times for cell in cells) > 500:
        return cells
    return [Row(cell.true, cell.pred, 1) for cell in cells for _ in range(cell.times)]


def total(counts: Counts) -> int:
    return sum(row.times for row in rows(counts))


def class_sizes(counts: Counts) -> list[int]:
    """The number of rows of each true class."""
    return [sum(int(n) for n in line) for line in counts]


def confusion(
    true: Iterable[Any], pred: Iterable[Any], classes: Iterable[Any] | None = None
) -> np.ndarray:
    """The confusion matrix of two label vectors; `classes` defaults to 0 … the largest label."""
    true, pred = list(true), list(pred)
    order = list(range(max(true + pred) + 1) if classes is None else classes)
    counts = np.zeros((len(order), len(order)), np.int64)
    for t, p in zip(true, pred, strict=True):
        counts[order.index(t), order.index(p)] += 1
    return counts
