"""Rows ranked by a score: sorted once, and counted by class and score."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pandas_ordinal.arrays import Array, Positions
from pandas_ordinal.metrics import packed
from pandas_ordinal.metrics.segments import Segments, alike, as_array
from pandas_ordinal.metrics.stack import Stack

ROWS_A_PIECE = 2**15


class Ascending(NamedTuple):
    """A row for each class and score of each segment, from the lowest score to the highest.

    The class, the highest first where scores are equal; whether it scores higher than the row
    before, or is of another segment, from the second row on; the segment, None if there is one;
    and what the rows of this class and score weigh, None if each is one row.
    """

    codes: Array
    is_higher: Array
    segment: Positions | None
    weights: Array | None


class Ranked(ABC):
    """A block of segments, ranked by a score.

    Attributes
    ----------
    sizes : ndarray, shape (K, segments)
        The number, or the weight, of the rows of each class.
    """

    sizes: Stack

    @abstractmethod
    def in_order(self) -> packed.Packed:
        """Return the rows in the order of their segments and scores."""

    def pieces(self) -> Iterator[Ascending]:
        """Yield the rows from the lowest scores to the highest, in pieces that stay in cache.

        Rows with the same score are in one piece, and so are those of several segments.
        """
        rows = self.in_order()
        start, n_rows, n_segments = 0, len(rows.rows), self.sizes.shape[1]
        while start < n_rows:
            stop = n_rows if n_segments > 1 else min(start + ROWS_A_PIECE, n_rows)
            stop = rows.up_to(stop - 1)
            piece = rows.between(start, stop).distinct()
            segment = piece.segments() if n_segments > 1 else None
            yield Ascending(piece.codes(), piece.is_higher(), segment, piece.weights)
            start = stop

    def parts(self) -> Iterator[Array]:
        """Yield the table from the lowest scores to the highest, in parts that stay in cache."""
        step = max(ROWS_A_PIECE // self.sizes.shape[1], 1)
        for piece in self.pieces():
            table = self._count(piece)
            for first in range(0, table.shape[-1], step):
                yield table[:, :, first : first + step]

    def table(self) -> Array:
        """Count the rows, or add up their weights, by class, segment and distinct score.

        Shape ``(K, segments, values)``, lowest score first.
        """
        nothing = np.zeros((*self.sizes.shape, 0), np.int64)
        return np.concatenate([nothing, *map(self._count, self.pieces())], axis=-1)

    def _count(self, piece: Ascending) -> Array:
        """Count rows by class, segment and distinct score."""
        n_classes, n_segments = self.sizes.shape
        value = np.zeros(len(piece.codes), np.intp)
        np.cumsum(piece.is_higher, out=value[1:])
        cell = piece.codes.astype(np.intp)
        if piece.segment is not None:
            ends = np.searchsorted(piece.segment, np.arange(1, n_segments))
            first = np.append(0, value[np.minimum(ends, len(value) - 1)])
            value -= first[piece.segment]
            cell *= n_segments
            cell += piece.segment
        n_values = int(value.max()) + 1
        cell *= n_values
        cell += value
        counts = np.bincount(cell, piece.weights, n_classes * n_segments * n_values)
        return counts.reshape(n_classes, n_segments, n_values)


@dataclass(frozen=True)
class RankedRun(Ranked):
    """Segments whose rows are sorted already.

    Attributes
    ----------
    rows : Packed
        The rows, in the order of their segments and scores.
    sizes : ndarray, shape (K, segments)
        The number, or the weight, of the rows of each class.
    """

    rows: packed.Packed
    sizes: Stack

    def in_order(self) -> packed.Packed:
        """Return the rows in the order of their segments and scores."""
        return self.rows


@dataclass(frozen=True)
class RankedBlock(Ranked):
    """Segments of which each row can be asked for its place.

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

    def in_order(self) -> packed.Packed:
        """Return the rows in the order of their segments and scores."""
        there = self.codes >= 0
        if not there.any():
            return packed.none()
        weights = None if self.weights is None else self.weights[there]
        segment = np.nonzero(there)[0] if len(there) > 1 else None
        return packed.sort(
            self.scores[there], self.codes[there], len(self.sizes), segment, weights
        )

    @cached_property
    def order(self) -> Array:
        """The rows from the lowest score to the highest."""
        return np.argsort(self.scores, axis=1)

    @cached_property
    def value(self) -> Array:
        """Which distinct score each row has, from the lowest to the highest."""
        in_order = np.take_along_axis(self.scores, self.order, axis=1)
        value = np.zeros(self.codes.shape, np.int64)
        np.cumsum(in_order[:, 1:] != in_order[:, :-1], axis=1, out=value[:, 1:])
        return value

    def values(self) -> Array:
        """Tell which distinct score each row has, in the order of the codes."""
        values = np.empty_like(self.value)
        np.put_along_axis(values, self.order, self.value, axis=1)
        return values


def ranked_runs(segments: Segments, score: Array) -> Iterator[tuple[Array, list[Ranked]]]:
    """Rank the rows that count, block by block.

    Yields the numbers of the segments, and their rows. At least once, be it of no segment that
    there is, so that a formula sees its options and can refuse them.
    """
    segments, (score,) = segments.counted(score)
    refuse_nan(score)
    if not len(score):
        yield np.zeros(0, np.intp), [_nothing(segments.n_classes)]
        return
    n_classes, weights = segments.n_classes, segments.weights
    if segments.n_segments == 1:
        rows = packed.sort(score, segments.codes, n_classes, None, weights)
        sizes = class_sizes(segments.codes, 0, n_classes, 1, weights)
        yield np.zeros(1, np.intp), [RankedRun(rows, sizes)]
        return
    n_rows = np.bincount(segments.segment, minlength=segments.n_segments)
    blocks = list(alike(n_rows, ROWS_A_PIECE))
    order = np.concatenate(blocks)
    place = np.zeros(segments.n_segments, np.intp)
    place[order] = np.arange(len(order))
    segment = place[segments.segment]
    rows = packed.sort(score, segments.codes, n_classes, segment, weights)
    sizes = class_sizes(segments.codes, segment, n_classes, len(order), weights)
    first, start = 0, 0
    for numbers in blocks:
        last, stop = first + len(numbers), start + int(n_rows[numbers].sum())
        run = rows.between(start, stop).from_segment(first)
        yield numbers, [RankedRun(run, sizes[:, first:last])]
        first, start = last, stop


def ranked_blocks(segments: Segments, *scores: Array) -> Iterator[tuple[Array, list[RankedBlock]]]:
    """Rank the rows that count by each of these scores, block by block.

    Yields the numbers of the segments, and a `RankedBlock` a score. At least once, as
    `ranked_runs` does.
    """
    segments, columns = segments.counted(*scores)
    for column in columns:
        refuse_nan(column)
    if not segments.codes.size:
        yield np.zeros(0, np.intp), [_nothing(segments.n_classes) for _ in columns]
    for numbers, index, there in segments.blocks():
        codes = segments.codes[index]
        if not there.all():
            codes = np.where(there, codes, -1)
        weights = None if segments.weights is None else segments.weights[index]
        yield numbers, [rank(codes, c[index], segments.n_classes, weights) for c in columns]


def rank(codes: Array, scores: Array, n_classes: int, weights: Array | None) -> RankedBlock:
    """Rank the rows of a block of segments, each ``(segments, rows)``."""
    there = codes >= 0
    weight = None if weights is None else weights[there]
    segment = np.nonzero(there)[0]
    sizes = class_sizes(codes[there], segment, n_classes, len(codes), weight)
    return RankedBlock(codes, scores, weights, sizes)


def class_sizes(
    codes: Array, segment: Array | int, n_classes: int, n_segments: int, weights: Array | None
) -> Stack:
    """Count the rows, or add up their weights, by class and segment."""
    cell = codes.astype(np.intp)
    if n_segments > 1:
        cell *= n_segments
        cell += segment
    sizes = np.bincount(cell, weights, n_classes * n_segments)
    return sizes.reshape(n_classes, n_segments).astype(float)


def _nothing(n_classes: int) -> RankedBlock:
    return rank(np.full((1, 1), -1), np.zeros((1, 1)), n_classes, None)


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
