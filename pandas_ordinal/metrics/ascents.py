"""Count sequences, one row of each class, that ascend along the scores: the core of VUS."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, pairwise, product
from math import factorial
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from pandas_ordinal.counting import arrays
from pandas_ordinal.counting.arrays import LARGEST_EXPONENT, Array, Positions, Stack
from pandas_ordinal.counting.counts import starts_of
from pandas_ordinal.metrics.ranked_rows import Ranked, RankedPiece

FEW = 512  # fewer values are added up faster one by one

Ties: TypeAlias = Literal["half", "strict"]


def chains(table: Array, sizes: Stack, ties: Ties, ended: Stack | None = None) -> Stack:
    """Return the share of the sequences of the lowest classes that ascend and end below a score.

    ``F[k, v]``, shape ``(K + 1, segments, values + 1)``, is the share for the first k classes and
    each score; the last value is for all scores. L equal scores of classes k - L + 1 to k that end
    a sequence at v add ``F[k - L, v] * product of their counts / L!``. NaN from the first class
    without rows on.

    Parameters
    ----------
    table : ndarray, shape (K, segments, values)
        Class counts at each distinct score.
    sizes : ndarray, shape (K, segments)
        The sums of the counts.
    ties : {"half", "strict"}
        How much a sequence with m equal scores counts: 1 / m!, or nothing as in the paper.
    ended : ndarray, shape (K, segments), optional
        The shares that end below all of these scores. Default: none.
    """
    n_classes, n_segments, n_values = table.shape
    shares = np.empty((n_classes + 1, n_segments, n_values + 1))
    shares[0] = 1
    several = np.nonzero(
        (table > 0).sum(axis=0, dtype=np.int16) > (1 if ties == "half" else n_classes)
    )
    # divided first: a product of weights may leave the range of floats
    tied = table[:, several[0], several[1]] / sizes[:, several[0]]
    before = np.empty(tied.shape)
    for k in range(n_classes):
        ends = shares[k + 1]
        ends[:, 0] = 0
        np.multiply(shares[k, :, :-1], table[k], out=ends[:, 1:])
        if tied.size:
            before[k] = shares[k, :, :-1][several]
            ending = _ending_tied(tied, before, k)
            ends[:, 1:][several] += ending * sizes[k, several[0]]
        cumulate(ends)
        ends /= sizes[k][:, None]
        if ended is not None:
            ends += ended[k][:, None]
    return shares


def _ending_tied(tied: Stack, before: Stack, k: int) -> Stack:
    """Return the share of the sequences up to class k that end in two or more equal scores.

    Parameters
    ----------
    tied : ndarray, shape (K, scores)
        The share of each class that has each score.
    before : ndarray, shape (K, scores)
        The share of the sequences up to the class below that end below the score.
    k : int
        The class that sequences end in.
    """
    ending, left = np.zeros(tied.shape[1]), np.arange(tied.shape[1])
    equal = tied[k]
    for length in range(2, k + 2):
        equal = equal * tied[k + 1 - length, left] / length
        still = np.flatnonzero(equal)
        left, equal = left[still], equal[still]
        ending[left] += before[k + 1 - length, left] * equal
    return ending


def cumulate(values: Stack) -> None:
    """Turn values ``(segments, n)`` into running sums, in place.

    Pair by pair, so that few additions wait for others and rounding errors stay small: those of
    thousands of equal terms, each rounded the same way, would add up.
    """
    if values.shape[1] <= FEW:
        np.cumsum(values, axis=1, out=values)
        return
    pairs = values[:, 1::2]
    pairs += values[:, :-1:2]
    cumulate(pairs)
    values[:, 2::2] += values[:, 1:-1:2]


def placements(table: Array, sizes: Stack, ties: Ties) -> Stack:
    """Return the share of the sequences through a row of each class at each score that ascend.

    Shape ``(K, segments, values)``. In a sequence that passes class k at v, the a classes before
    and the b classes after it may have the score v as well.
    """
    below = chains(table, sizes, ties)[:, :, :-1]
    turned = chains(table[::-1, :, ::-1], sizes[::-1], ties)
    above = turned[:, :, -2::-1]
    shares = table / sizes[:, :, None]
    placed = np.zeros(shares.shape)
    for k in range(len(shares)):
        before = _equal(shares[k - 1 :: -1] if k else shares[:0], ties)
        after = _equal(shares[k + 1 :], ties)
        for (a, down), (b, up) in product(enumerate(before), enumerate(after)):
            placed[k] += (
                (below[k - a] * down)
                * (above[len(shares) - 1 - k - b] * up)
                / factorial(a + b + 1)
            )
    return placed


def _equal(shares: Stack, ties: Ties) -> list[Stack | float]:
    """Return the product of the first a shares, for a = 0, 1, ..., as long as any is not zero."""
    products: list[Stack | float] = [1.0]
    for share in shares if ties == "half" else []:
        longer = products[-1] * share
        if not longer.any():
            break
        products.append(longer)
    return products


class Tied(NamedTuple):
    """The sequences that end in L equal scores, by their last class and score.

    `place` is the first row of this class and score, `cells` are the class and the segment,
    ``class * segments + segment``, and `counts` the product of the counts of the L classes / L!,
    divided by the sizes of all but the last.
    """

    place: Positions
    cells: Positions
    counts: Stack

    def of_class(self, k: int) -> Tied:
        """Return those that end in one class of the only segment."""
        ours = np.flatnonzero(self.cells == k)
        return Tied(self.place.take(ours), self.cells.take(ours), self.counts.take(ours))


def tied_scores(rows: RankedPiece, sizes: Array, ties: Ties) -> list[Tied]:
    """Find the sequences that end in two, three, ... equal scores, if these count.

    Parameters
    ----------
    rows : RankedPiece
        The rows.
    sizes : ndarray, shape (K,)
        The divisors of the counts of all classes but the last.
    ties : {"half", "strict"}
        How much a sequence with m equal scores counts: 1 / m!, or nothing as in the paper.
    """
    by_length: list[Tied] = []
    if ties == "strict" or rows.is_higher.all():
        return by_length
    is_tied = ~rows.is_higher
    is_tied[:-1] |= is_tied[1:]
    place = np.flatnonzero(is_tied)
    tied, first = rows.taken(place).distinct()
    codes, cells, counts = tied.codes, tied.cells(), tied.weights
    assert counts is not None
    follows = np.append((codes[1:] + 1 == codes[:-1]) & ~tied.is_higher[1:], False)
    last = np.flatnonzero(follows)
    equal = counts.take(last)
    for length in count(2):
        if not last.size:
            break
        other = last + (length - 1)
        # divided first: a product of weights may leave the range of floats
        equal = equal * (counts.take(other) / sizes.take(codes.take(other))) / length
        by_length.append(Tied(place.take(first.take(last)), cells.take(last), equal))
        still = np.flatnonzero(follows.take(other))
        last, equal = last.take(still), equal.take(still)
    return by_length


FEW_MOVES = 4  # this many updates of one number take as long as one update of an array

Move: TypeAlias = tuple[Positions, Positions, Array | None]
"""How sequences continue with several rows at the same time.

The cells of the sequences that end before the rows, ``class * segments + segment``; the cells of
the rows; and the weights of the rows, None for 1.
"""
Single: TypeAlias = tuple[int, int, float]
"""The same for one row."""


def ascents_across(rows: RankedPiece, sizes: Stack, ties: Ties, n_starts: int) -> Stack:
    """Compute `ascents` for several segments side by side: the next row of each at a time."""
    n_classes, n_segments = sizes.shape
    if _may_overflow(sizes):
        rows, sizes = rows.divided(sizes), np.ones_like(sizes)
    shares = np.zeros((n_starts, n_classes + 1, n_segments))
    start = np.arange(n_starts)
    shares[start, start] = 1
    # shares[:, k] ends before class k, so what ends in a class is one class further on
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
    """Whether there may be more sequences than a float can hold."""
    return bool(np.log2(np.maximum(sizes, 1)).sum(axis=0).max() > LARGEST_EXPONENT)


def _moves(
    rows: RankedPiece, tied: Mapping[int, Move | list[Single]]
) -> Iterator[list[Move | list[Single]]]:
    """Yield how sequences continue with the next row of each segment, many rows at a time."""
    n_segments, n_rows = len(rows.first), rows.n_rows()
    longest_first = np.argsort(-n_rows, kind="stable")
    # how many segments have a row of this number
    n_left = (n_segments - np.cumsum(np.bincount(n_rows)))[:-1].tolist()
    step = max(1, arrays.ROWS_PER_BLOCK // n_segments)
    for start in range(0, len(n_left), step):
        numbers = range(start, min(start + step, len(n_left)))
        place = rows.first[longest_first] + np.array(numbers)[:, None]
        # beyond the end of a segment these are rows of another one, which n_left leaves out
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


def _moves_of_tied(rows: RankedPiece, tied: Sequence[Tied]) -> Mapping[int, Move | list[Single]]:
    """Return how sequences continue with equal scores, by the number of the first row."""
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
    if len(order) < FEW_MOVES * len(starts):
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


BLOCKS_PER_PIECE = 4  # longer pieces take fewer calls, and much longer ones leave the cache
CLASSES_PER_PIECE = 128  # in all its blocks, since each class looks at the whole piece
BLOCKS_AT_ONCE = 16  # the more segments go side by side, the fewer steps they take


class Ending(NamedTuple):
    """The sequences that end in a class, by the class they begin in.

    `n_rows` is the number of rows of the class up to each row, and `shares` the share of the
    sequences that end in the first 0, 1, ... of them, ``(starts, rows of the class + 1 or more)``.
    """

    n_rows: Array
    shares: Stack

    def before(self, rows: Positions, n_starts: int) -> Stack:
        """Return the share that ends before rows of another class, for the lowest starts."""
        share: Stack = self.shares[:n_starts].take(self.n_rows.take(rows), axis=1)
        return share


def ascents(ranked: Ranked, sizes: Stack, ties: Ties, n_starts: int = 1) -> Stack:
    """Return the share of the sequences from one class up to each higher one that ascend.

    A row continues the sequences that end before it in the class below. L equal scores of classes
    k - L + 1 to k that end a sequence count ``product of their counts / L!`` times what ends
    before them. Rows are read piece by piece, along with what ended in the pieces before.

    Parameters
    ----------
    ranked : Ranked
        The rows.
    sizes : ndarray, shape (K, segments)
        The divisors of the counts.
    ties : {"half", "strict"}
        How much a sequence with m equal scores counts: 1 / m!, or nothing as in the paper.
    n_starts : int
        How many classes, from the lowest on, sequences may begin in.

    Returns
    -------
    ndarray, shape (n_starts, K, segments)
        NaN from the first class without rows on, where there are no sequences; 0 where there are
        some and none ascends. Zero below the class that sequences begin in.
    """
    ended = np.zeros((n_starts, *sizes.shape))
    n_blocks = max(1, min(BLOCKS_PER_PIECE, CLASSES_PER_PIECE // len(sizes)))
    for rows in ranked.pieces(n_blocks):
        divisors = sizes
        if rows.weights is not None:
            # divided first: products of weights may leave the range of floats
            rows, divisors = rows.divided(sizes), np.ones_like(sizes)
        if rows.has_few_values(len(sizes)):
            _add_by_value(ended, rows, divisors, ties)
        elif sizes.shape[1] == 1:
            _add_along(ended, rows, divisors, ties)
        else:  # the only piece
            ended = ascents_across(rows, divisors, ties, n_starts)
    for start in range(n_starts):
        ended[start, start:][np.logical_or.accumulate(sizes[start:] == 0)] = np.nan
    return ended


def _add_by_value(ended: Stack, rows: RankedPiece, sizes: Stack, ties: Ties) -> None:
    """Add the sequences that end in these rows to those before, score by score."""
    table = rows.table(len(sizes))
    for start in range(len(ended)):
        shares = chains(table[start:], sizes[start:], ties, ended[start, start:])
        ended[start, start:] = shares[1:, :, -1]


def _add_along(ended: Stack, rows: RankedPiece, sizes: Stack, ties: Ties) -> None:
    """Add the sequences that end in these rows of the only segment, class by class."""
    n_starts = len(ended)
    tied = tied_scores(rows, sizes[:, 0], ties)
    # every sequence begins before the first class
    endings = [Ending(np.zeros(len(rows.codes), np.int32), np.ones((1, 1)))]
    for k, (size,) in enumerate(sizes):
        is_mine = rows.codes == k
        mine, n_rows = np.flatnonzero(is_mine), np.cumsum(is_mine, dtype=np.int32)
        # what ends up to each row, by the class it began in; 1 for the class after this one
        sums = np.ones((min(k + 2, n_starts), len(mine) + 1))
        ours, longer = sums[: k + 1], sums[:k]
        ours[:, 0] = 0
        longer[:, 1:] = endings[-1].before(mine, k)
        if rows.weights is not None:
            ours[:, 1:] *= rows.weights.take(mine)
        for some, ending in zip(tied[:k], endings[-2::-1], strict=False):
            its = some.of_class(k)
            before = ending.before(its.place, n_starts)
            ours[: len(before), n_rows.take(its.place)] += before * its.counts
        here = ended[: k + 1, k]
        if k + 1 == len(sizes):
            here += ours.sum(axis=1, keepdims=True) / size
            return
        if rows.weights is None:
            cumulate(longer)
            ours[k:] = np.arange(len(mine) + 1)
        else:
            cumulate(ours)
        ours /= size
        ours += here
        here[:] = ours[:, -1:]
        endings.append(Ending(n_rows, sums))
        del endings[: -len(tied) - 1]
