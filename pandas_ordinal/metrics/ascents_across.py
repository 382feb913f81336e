"""Sequences that ascend in many segments, which go on side by side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from pandas_ordinal import arrays
from pandas_ordinal.arrays import LARGEST_EXPONENT, Array, Positions
from pandas_ordinal.counts import starts_of
from pandas_ordinal.metrics.ascending import Ascending
from pandas_ordinal.metrics.chains import Ties
from pandas_ordinal.metrics.stack import Stack
from pandas_ordinal.metrics.tied_scores import Tied, tied_scores

FEW = 4  # so many calls for one number each take as long as one for several

Move: TypeAlias = tuple[Positions, Positions, Array | None]
"""How sequences go on with some rows, all at the same time.

The cell of what ends before the row, ``class * segments + segment``; the cell of the row; and what
the row counts, None for 1.
"""
Single: TypeAlias = tuple[int, int, float]
"""The same of one row."""


def ascents_across(rows: Ascending, sizes: Stack, ties: Ties, n_starts: int) -> Stack:
    """Do what `ascents` does with all rows of several segments, the next row of each at a time."""
    n_classes, n_segments = sizes.shape
    if _may_overflow(sizes):
        rows, sizes = rows.divided(sizes), np.ones_like(sizes)
    shares = np.zeros((n_starts, n_classes + 1, n_segments))
    start = np.arange(n_starts)
    shares[start, start] = 1
    # what ends before class k is in shares[:, k], so what ends in a class is one class further on
    cells = shares.reshape(n_starts, -1)
    tied = _moves_of_tied(rows, tied_scores(rows, np.ones(n_classes), ties))
    for moves in _moves(rows, tied):
        for before, after in zip(cells, cells[:, n_segments:], strict=True):
            for move in moves:
                if isinstance(move, list):
                    for one, other, count in move:
                        after[other] += before[one] * count
                    continue
                source, target, weight = move
                ending = before.take(source)
                if weight is not None:
                    ending *= weight
                np.add.at(after, target, ending)
    ended = np.zeros((n_starts, *sizes.shape))
    for first, each in enumerate(shares):
        ended[first, first:] = each[first + 1 :] / np.cumprod(sizes[first:], axis=0)
    return ended


def _may_overflow(sizes: Stack) -> bool:
    """Tell whether there may be more sequences than a float holds."""
    return bool(np.log2(np.maximum(sizes, 1)).sum(axis=0).max() > LARGEST_EXPONENT)


def _moves(
    rows: Ascending, tied: Mapping[int, Move | list[Single]]
) -> Iterator[list[Move | list[Single]]]:
    """Yield how sequences go on with the next row of each segment, a good many rows at a time."""
    n_segments, n_rows = len(rows.first), rows.n_rows()
    longest_first = np.argsort(-n_rows, kind="stable")
    # how many segments have a row of each number
    n_left = (n_segments - np.cumsum(np.bincount(n_rows)))[:-1].tolist()
    step = max(1, arrays.ROWS_A_BLOCK // n_segments)
    for start in range(0, len(n_left), step):
        numbers = range(start, min(start + step, len(n_left)))
        place = rows.first[longest_first] + np.array(numbers)[:, None]
        # beyond the end of a segment these are rows of another, which n_left leaves out
        cells = rows.codes.take(place, mode="clip").astype(np.intp)
        cells *= n_segments
        cells += longest_first
        weights = None if rows.weights is None else rows.weights.take(place, mode="clip")
        moves: list[Move | list[Single]] = []
        for number, here, n in zip(numbers, cells, n_left[start:], strict=False):
            its = here if n == n_segments else here[:n]
            moves.append((its, its, None if weights is None else weights[number - start, :n]))
            if number in tied:
                moves.append(tied[number])
        yield moves


def _moves_of_tied(rows: Ascending, tied: Sequence[Tied]) -> Mapping[int, Move | list[Single]]:
    """Return how sequences go on with several equal scores, by the number of the first row."""
    if not tied:
        return {}
    n_segments = len(rows.first)
    length = np.repeat(np.arange(2, len(tied) + 2), [len(some.place) for some in tied])
    place, ends, counts = map(np.concatenate, zip(*tied, strict=True))
    number = place - rows.first.take(ends % n_segments)
    order = np.argsort(number, kind="stable")
    number, ends, counts = number[order], ends[order], counts[order]
    before = ends - (length[order] - 1) * n_segments
    starts = starts_of(number)
    if len(order) < FEW * len(starts):
        singles: dict[int, list[Single]] = defaultdict(list)
        columns = number.tolist(), before.tolist(), ends.tolist(), counts.tolist()
        for key, one, other, count in zip(*columns, strict=True):
            singles[key].append((one, other, count))
        return singles
    bounds = pairwise([*starts.tolist(), len(order)])
    return {
        key: (before[start:stop], ends[start:stop], counts[start:stop])
        for key, (start, stop) in zip(number[starts].tolist(), bounds, strict=True)
    }
