"""Rows ranked by a score: sorted once, into a table of classes by score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pandas_ordinal.arrays import Array
from pandas_ordinal.metrics.segments import Segments, as_array
from pandas_ordinal.metrics.stack import Stack

ROWS_A_PART = 2**14


@dataclass(frozen=True)
class Ranked:
    """A block of segments, ranked by a score.

    Attributes
    ----------
    codes : ndarray, shape (segments, rows)
        The class of each row; -1 where a segment has fewer rows than others.
    weights : ndarray, shape (segments, rows), or None
        The weight of each row.
    order, value : ndarray, shape (segments, rows)
        The rows from the lowest score to the highest, and which distinct score each of these has.
    sizes : ndarray, shape (K, segments)
        The number, or the weight, of the rows of each class.
    """

    codes: Array
    weights: Array | None
    order: Array
    value: Array
    sizes: Stack

    def values(self) -> Array:
        """Tell which distinct score each row has, in the order of the codes."""
        values = np.empty_like(self.value)
        np.put_along_axis(values, self.order, self.value, axis=1)
        return values

    def table(self) -> Array:
        """Count the rows, or add up their weights, by class, segment and distinct score.

        Shape ``(K, segments, values)``, lowest score first.
        """
        return self._count(slice(None), 0, int(self.value[:, -1].max()) + 1)

    def parts(self) -> Iterator[Array]:
        """Yield the table from the lowest scores to the highest, in parts that stay in cache."""
        n_segments, n_rows = self.codes.shape
        if n_segments > 1:
            table = self.table()
            step = max(ROWS_A_PART // n_segments, 1)
            for first in range(0, table.shape[-1], step):
                yield table[:, :, first : first + step]
            return
        value, start = self.value[0], 0
        step = ROWS_A_PART * max(n_rows // (int(value[-1]) + 1), 1)
        while start < n_rows:
            last = value[min(start + step, n_rows) - 1]
            stop = int(np.searchsorted(value, last, side="right"))
            yield self._count(slice(start, stop), value[start], int(last - value[start]) + 1)
            start = stop

    def _count(self, rows: slice, first: int, n_values: int) -> Array:
        """Count ranked rows from that value on."""
        (n_segments, n_rows), n_classes = self.codes.shape, len(self.sizes)
        segment = np.arange(n_segments)[:, None]
        place = self.order[:, rows] + segment * n_rows
        cell = self.codes.take(place) + np.int64(1)
        if n_segments > 1:
            cell *= n_segments
            cell += segment
        cell *= n_values
        cell += self.value[:, rows] - first
        weight = None if self.weights is None else self.weights.take(place).ravel()
        counts = np.bincount(cell.ravel(), weight, (n_classes + 1) * n_segments * n_values)
        return counts.reshape(n_classes + 1, n_segments, n_values)[1:]


def ranked_blocks(segments: Segments, *scores: Array) -> Iterator[tuple[Array, list[Ranked]]]:
    """Rank the rows that count by each of these scores, block by block.

    Yields the numbers of the segments, and a `Ranked` a score. At least one, be it of no segment
    that there is, so that a formula sees its options and can refuse them.
    """
    segments, columns = segments.counted(*scores)
    if not segments.codes.size:
        nothing = rank(np.full((1, 1), -1), np.zeros((1, 1)), segments.n_classes, None)
        yield np.zeros(0, np.intp), [nothing for _ in columns]
    for column in columns:
        refuse_nan(column)
    for numbers, index, there in segments.blocks():
        codes = np.where(there, segments.codes[index], -1)
        weights = None if segments.weights is None else segments.weights[index]
        yield numbers, [rank(codes, c[index], segments.n_classes, weights) for c in columns]


def rank(codes: Array, scores: Array, n_classes: int, weights: Array | None) -> Ranked:
    """Rank the rows of a block of segments, each ``(segments, rows)``."""
    n_segments, n_rows = codes.shape
    segment = np.arange(n_segments)[:, None]
    order = np.argsort(scores, axis=1)
    ascending = scores.take(order + segment * n_rows)
    value = np.zeros(scores.shape, np.int64)
    np.cumsum(ascending[:, 1:] != ascending[:, :-1], axis=1, out=value[:, 1:])
    cell = (codes + np.int64(1)) * n_segments + segment
    weight = None if weights is None else weights.ravel()
    sizes = np.bincount(cell.ravel(), weight, (n_classes + 1) * n_segments)[n_segments:]
    by_class = sizes.reshape(n_classes, n_segments).astype(float)
    return Ranked(codes, weights, order, value, by_class)


def as_scores(name: str, scores: npt.ArrayLike) -> Array:
    """Return scores as an array of numbers, or say why they are none."""
    array = as_array(name, scores)
    if array.dtype.kind not in "biuf" or not array.ndim:
        raise ValueError(
            f"{name} must be an array (..., n) of numbers, not {array.dtype}: convert them with "
            ".astype(float), for example"
        )
    return array


def refuse_nan(scores: Array) -> None:
    """Raise if a score is missing."""
    missing = int(np.count_nonzero(scores != scores))
    if missing:
        raise ValueError(
            f"scores hold NaN in {missing} row{'s' * (missing > 1)}: fill them, or give these "
            "rows the class -1 if they should not count"
        )
