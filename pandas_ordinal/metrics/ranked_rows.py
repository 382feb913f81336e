"""Rows ranked by a score: sorted once, into a table of classes by score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pandas_ordinal.arrays import Array
from pandas_ordinal.metrics import packed as packed_rows
from pandas_ordinal.metrics.segments import Segments, as_array
from pandas_ordinal.metrics.stack import Stack

ROWS_A_PART = 2**14


class Ascending(NamedTuple):
    """Rows from the lowest score to the highest, ``(segments, rows)``.

    The class of each; whether it scores higher than the row before, from the second row on; and
    its weight, if any has one.
    """

    codes: Array
    is_higher: Array
    weights: Array | None


@dataclass(frozen=True)
class Ranked:
    """A block of segments, ranked by a score.

    Attributes
    ----------
    codes : ndarray, shape (segments, rows)
        The class of each row; -1 where a segment has fewer rows than others.
    scores : ndarray, shape (segments, rows)
        What the rows are ranked by.
    weights : ndarray, shape (segments, rows), or None
        The weight of each row.
    sizes : ndarray, shape (K, segments)
        The number, or the weight, of the rows of each class.
    """

    codes: Array
    scores: Array
    weights: Array | None
    sizes: Stack

    @cached_property
    def order(self) -> Array:
        """The rows from the lowest score to the highest."""
        return np.argsort(self.scores, axis=1)

    @cached_property
    def ascending(self) -> Ascending:
        """The rows from the lowest score to the highest."""
        if (self.scores[:, :-1] <= self.scores[:, 1:]).all():
            return Ascending(self.codes, _rises(self.scores), self.weights)
        packed = None if self.weights is not None else packed_rows.sort(self.scores, self.codes)
        if packed is not None:
            return Ascending(packed.codes(self.codes.dtype), packed.is_higher(), None)
        weights = None if self.weights is None else self._in_order(self.weights)
        return Ascending(self._in_order(self.codes), _rises(self._in_order(self.scores)), weights)

    @cached_property
    def value(self) -> Array:
        """Which distinct score each row has, from the lowest to the highest."""
        value = np.zeros(self.codes.shape, np.int64)
        np.cumsum(self.ascending.is_higher, axis=1, out=value[:, 1:])
        return value

    def _in_order(self, values: Array) -> Array:
        place = self.order + np.arange(len(values))[:, None] * values.shape[1]
        in_order: Array = values.take(place)
        return in_order

    def condensed(self) -> Ascending:
        """Return the rows, or a row for each class and distinct score where these are fewer."""
        n_classes, n_segments = self.sizes.shape
        n_values = 1 + int(np.count_nonzero(self.ascending.is_higher, axis=1).max())
        if n_values * n_classes >= self.codes.shape[1]:
            return self.ascending
        weights = self.table().transpose(1, 2, 0).reshape(n_segments, -1)
        codes = np.tile(np.arange(n_classes), (n_segments, n_values))
        return Ascending(codes, codes[:, 1:] == 0, weights)

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
        n_classes, n_segments = self.sizes.shape
        codes, _, weights = self.ascending
        cell = codes[:, rows] + np.int64(1)
        if n_segments > 1:
            cell *= n_segments
            cell += np.arange(n_segments)[:, None]
        cell *= n_values
        cell += self.value[:, rows] - first
        weight = None if weights is None else weights[:, rows].ravel()
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
    if len(columns) == 1 and segments.n_segments > 1 and segments.weights is None:
        segments, columns = _in_order(segments, *columns)
    for numbers, index, there in segments.blocks():
        codes = segments.codes[index]
        if not there.all():
            codes = np.where(there, codes, -1)
        weights = None if segments.weights is None else segments.weights[index]
        yield numbers, [rank(codes, c[index], segments.n_classes, weights) for c in columns]


def _in_order(segments: Segments, score: Array) -> tuple[Segments, list[Array]]:
    """Put rows in the order of their segments and scores, as far as one sort of integers can.

    A score is replaced by the number of lower ones.
    """
    codes, n_segments = segments.codes, segments.n_segments
    packed = None
    if len(codes):
        packed = packed_rows.sort(score, codes, segments.segment, n_segments)
    if packed is None:
        return segments, [score]
    number = np.append(0, np.cumsum(packed.is_higher()))
    ordered = replace(segments, codes=packed.codes(codes.dtype), segment=packed.segment())
    return ordered, [number]


def _rises(scores: Array) -> Array:
    """Tell where scores differ from those before."""
    rises: Array = scores[:, 1:] != scores[:, :-1]
    return rises


def rank(codes: Array, scores: Array, n_classes: int, weights: Array | None) -> Ranked:
    """Rank the rows of a block of segments, each ``(segments, rows)``."""
    n_segments = len(codes)
    cell = (codes + np.int64(1)) * n_segments + np.arange(n_segments)[:, None]
    weight = None if weights is None else weights.ravel()
    sizes = np.bincount(cell.ravel(), weight, (n_classes + 1) * n_segments)[n_segments:]
    return Ranked(codes, scores, weights, sizes.reshape(n_classes, n_segments).astype(float))


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
