"""Rows ranked by a score: sorted once, and counted by class and score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pandas_ordinal.arrays import Array
from pandas_ordinal.metrics import packed
from pandas_ordinal.metrics.segments import Segments, as_array
from pandas_ordinal.metrics.stack import Stack

ROWS_A_PIECE = 2**15


class Ascending(NamedTuple):
    """A row for each class and score that there is, from the lowest score to the highest.

    All ``(segments, rows)``: the class of each, the highest first where scores are equal, -1 for
    no row; whether it scores higher than the row before, from the second row on; and what the rows
    of this class and score weigh, None if each is one row.
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
    def value(self) -> Array:
        """Which distinct score each row has, from the lowest to the highest."""
        return _numbers(_rises(np.take_along_axis(self.scores, self.order, axis=1)))

    def values(self) -> Array:
        """Tell which distinct score each row has, in the order of the codes."""
        values = np.empty_like(self.value)
        np.put_along_axis(values, self.order, self.value, axis=1)
        return values

    def pieces(self) -> Iterator[Ascending]:
        """Yield the rows from the lowest scores to the highest, in pieces that stay in cache.

        Several segments are one piece. Rows with the same score are in one piece.
        """
        if len(self.codes) == 1:
            return self._pieces_of_one()
        return iter([self.ascending()])

    def ascending(self) -> Ascending:
        """Return all rows from the lowest score to the highest."""
        if _is_in_order(self.scores, self.codes):
            return Ascending(self.codes, _rises(self.scores), self.weights)
        return self._unpacked(self._sorted())

    def parts(self) -> Iterator[Array]:
        """Yield the table from the lowest scores to the highest, in parts that stay in cache."""
        for piece in self.pieces():
            table = self._count(piece)
            step = max(ROWS_A_PIECE // len(self.codes), 1)
            for first in range(0, table.shape[-1], step):
                yield table[:, :, first : first + step]

    def table(self) -> Array:
        """Count the rows, or add up their weights, by class, segment and distinct score.

        Shape ``(K, segments, values)``, lowest score first.
        """
        return np.concatenate([self._count(piece) for piece in self.pieces()], axis=-1)

    def _pieces_of_one(self) -> Iterator[Ascending]:
        """Yield the rows of one segment."""
        rows, start = self._sorted(), 0
        while start < rows.rows.shape[1]:
            last = min(start + ROWS_A_PIECE, rows.rows.shape[1]) - 1
            stop = rows.up_to(last)
            yield self._unpacked(rows.between(start, stop))
            start = stop

    def _sorted(self) -> packed.Packed:
        return packed.sort(self.scores, self.codes, with_order=self.weights is not None)

    def _unpacked(self, rows: packed.Packed) -> Ascending:
        distinct, weights = rows.distinct(self.weights)
        return Ascending(distinct.codes(self.codes.dtype), distinct.is_higher(), weights)

    def _count(self, piece: Ascending) -> Array:
        """Count rows by class, segment and distinct score."""
        n_classes, n_segments = self.sizes.shape
        value = _numbers(piece.is_higher)
        n_values = int(value[:, -1].max()) + 1
        cell = piece.codes + np.int64(1)
        if n_segments > 1:
            cell *= n_segments
            cell += np.arange(n_segments)[:, None]
        cell *= n_values
        cell += value
        weight = None if piece.weights is None else piece.weights.ravel()
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
    if len(columns) == 1 and not segments.is_in_order() and segments.codes.size:
        segments, columns = _in_order(segments, *columns)
    for numbers, index, there in segments.blocks():
        codes = segments.codes[index]
        if not there.all():
            codes = np.where(there, codes, -1)
        weights = None if segments.weights is None else segments.weights[index]
        yield numbers, [rank(codes, c[index], segments.n_classes, weights) for c in columns]


def _in_order(segments: Segments, score: Array) -> tuple[Segments, list[Array]]:
    """Put rows in the order of their segments and scores, which one sort does.

    Rows of the same segment, class and score are one. A score is replaced by the number of lower
    ones.
    """
    rows, weights = packed.sort(
        score[None],
        segments.codes[None],
        segments.segment[None],
        segments.n_segments,
        with_order=segments.weights is not None,
    ).distinct(None if segments.weights is None else segments.weights[None])
    ordered = replace(
        segments,
        codes=rows.codes(segments.codes.dtype)[0],
        segment=rows.segment()[0],
        weights=None if weights is None else weights[0],
    )
    return ordered, [_numbers(rows.is_higher())[0]]


def _is_in_order(scores: Array, codes: Array) -> bool:
    """Tell whether scores ascend, and classes descend where they are equal."""
    rises = scores[:, 1:] > scores[:, :-1]
    if rises.all():
        return True
    falls = (codes[:, 1:] < codes[:, :-1]) | (codes[:, 1:] < 0)
    return bool((rises | (falls & (scores[:, 1:] == scores[:, :-1]))).all())


def _rises(scores: Array) -> Array:
    """Tell where scores differ from those before."""
    rises: Array = scores[:, 1:] != scores[:, :-1]
    return rises


def _numbers(is_higher: Array) -> Array:
    """Tell how many scores of the segment are lower than that of each row."""
    *leading, n_others = is_higher.shape
    numbers = np.zeros((*leading, n_others + 1), np.int64)
    np.cumsum(is_higher, axis=-1, out=numbers[..., 1:])
    return numbers


def rank(codes: Array, scores: Array, n_classes: int, weights: Array | None) -> Ranked:
    """Rank the rows of a block of segments, each ``(segments, rows)``."""
    n_segments = len(codes)
    cell = codes + np.int64(1)
    if n_segments > 1:
        cell *= n_segments
        cell += np.arange(n_segments)[:, None]
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
