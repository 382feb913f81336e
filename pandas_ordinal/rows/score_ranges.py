"""Ranking metrics of data that does not fit in memory: by ranges of the score, or histograms.

The rows of a range, from all partitions, are reduced to a `Summary`; the summaries of ascending
ranges are joined. Equal scores of a group are never in two ranges, so the result is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from operator import getitem
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

import numpy as np
import numpy.typing as npt

from pandas_ordinal.counting.arrays import Array, Floats, Positions, blocks, take_rows
from pandas_ordinal.errors import brief
from pandas_ordinal.metrics.ascents import BLOCKS_AT_ONCE, Ties
from pandas_ordinal.metrics.ranked_rows import as_scores, ranked_blocks
from pandas_ordinal.metrics.ranking import (
    areas_by_split,
    mean_area_by_pair,
    mean_area_by_split,
    pairs_and_wins,
    ranked_pairs,
    share_of_pairs,
    shares_of_ranges,
)
from pandas_ordinal.metrics.segments import Segments
from pandas_ordinal.metrics.stack import power_of_two

if TYPE_CHECKING:
    from dask.delayed import Delayed

RANKED = ("vus", "u_pairs", "u_ovo", "u_cons")
SCORES_PER_SAMPLE = 1000
MOST_RANGES = 128  # a task per partition and range
GOLDEN = (5**0.5 - 1) / 2
MANY_CUTS = 64


class ScoredRows(NamedTuple):
    """Rows of a partition, or of a range in it: their classes, scores, weights and groups.

    `weights` is None if each row counts once, and `group` is None if all rows are one group.
    """

    codes: Array
    scores: Array
    weights: Array | None = None
    group: Array | None = None

    def at(self, rows: slice | Positions) -> ScoredRows:
        """Return some rows."""
        weights, group = (
            None if values is None else take_rows(values, rows) for values in self[2:]
        )
        return ScoredRows(
            take_rows(self.codes, rows), take_rows(self.scores, rows), weights, group
        )


class Numbering(NamedTuple):
    """The groups of all partitions.

    For each partition, the number of each of its groups among all; and the number of all groups.
    """

    numbers: Sequence[Array]
    n_groups: int


class RangeCuts(NamedTuple):
    """Ascending pairs of a group and a score, each the beginning of a range."""

    groups: Array
    scores: Array


class Summary(NamedTuple):
    """The sums over the rows of a range, for some groups.

    The numbers of the groups, and for each group: the weight of the rows of each class,
    ``(groups, K)``; the share of the sequences of classes i + 1 to j that ascend,
    ``(groups, K + 1, K + 1)``; and the weight of the pairs that the score ranks correctly, lower
    class first, ``(groups, K, K)``.
    """

    groups: Positions
    sizes: Floats
    ascending: Floats
    wins: Floats

    def values(self, names: Sequence[str]) -> dict[str, Floats]:
        """Return the metrics of groups whose rows are all in the range."""
        with np.errstate(all="ignore"):
            values = _metrics(self.sizes, self.ascending[:, 0, -1], self.wins)
        return {name: values[name] for name in names}

    def of(self, positions: Positions) -> Summary:
        """Return the summary of some groups."""
        groups, sizes, ascending, wins = self
        return Summary(groups[positions], sizes[positions], ascending[positions], wins[positions])


class ScoreRange(NamedTuple):
    """The metrics of the groups of a range, as if there were no other range.

    The number of the first group, which the others follow; the metrics; and the summaries of the
    first and the last group, the only groups that may have rows in other ranges.
    """

    first: int
    values: dict[str, Floats]
    ends: Summary


def ranked_by_ranges(
    parts: Sequence[Any],
    n_classes: int,
    names: Sequence[str],
    *,
    groups: Delayed | None = None,
    n_ranges: int | None = None,
    ties: Ties = "half",
) -> Delayed:
    """Compute ranking metrics exactly, by group, on rows that do not fit in memory.

    All ranges have about the same number of rows: a part of a large group, or several small
    groups. Ranges follow the order of the groups, and in a group that of the scores.

    Parameters
    ----------
    parts : sequence of Delayed
        The `ScoredRows` of each partition.
    n_classes : int
        The number of classes, K.
    names : sequence of str
        The metrics.
    groups : Delayed, optional
        The `Numbering` of the groups. Default: all rows are one group.
    n_ranges : int, optional
        The number of ranges. Default: the number of partitions, at most `MOST_RANGES`.
    ties : {"half", "strict"}
        How equal scores count.

    Returns
    -------
    Delayed
        A dict from the names to values ``(groups, ...)``.
    """
    from dask.delayed import Delayed
    from dask.highlevelgraph import HighLevelGraph

    n_ranges = min(len(parts), MOST_RANGES) if n_ranges is None else n_ranges
    name = f"ranges-{uuid4().hex}"
    numbers = range(len(parts))
    sized = partial(_sizes, n_classes=n_classes)
    split = partial(_split, n_ranges=n_ranges)
    ranked = partial(_range, ties=ties, names=names)
    cuts, sizes = (name, "cuts"), (name, "sizes")
    numbering: Any = (name, "groups") if groups is None else groups.key
    samples = [(name, "sample", part) for part in numbers]
    # one graph: a call of `delayed` per partition and range takes 18 s for 100 partitions
    graph: dict[Any, Any] = {
        cuts: (partial(_cuts, n_ranges=n_ranges), samples, numbering),
        sizes: (_sum_sizes, [(name, "size", part) for part in numbers], numbering),
        name: (_scored, [(name, "range", number) for number in range(n_ranges)], sizes),
    }
    if groups is None:
        graph[numbering] = (_one_group, len(parts))
    for part, delayed in enumerate(parts):
        graph[name, "sample", part] = (_sampled, delayed.key)
        graph[name, "size", part] = (sized, delayed.key)
        graph[name, "split", part] = (split, delayed.key, cuts, numbering, part)
        for number in range(n_ranges):
            graph[name, "piece", part, number] = (getitem, (name, "split", part), number)
    for number in range(n_ranges):
        pieces = [(name, "piece", part, number) for part in numbers]
        graph[name, "range", number] = (ranked, pieces, sizes)
    before = parts if groups is None else [*parts, groups]
    untyped: Any = Delayed
    scored: Delayed = untyped(
        name, HighLevelGraph.from_collections(name, graph, dependencies=before)
    )
    return scored


def checked_edges(edges: npt.ArrayLike) -> Array:
    """Return the edges of a histogram of scores, or raise if they do not ascend."""
    if not np.ndim(edges):
        raise ValueError(f"edges={brief(edges)} must be a list of numbers that ascend")
    limits = as_scores("edges", edges)
    if limits.ndim != 1 or np.isnan(limits).any() or not (limits[1:] > limits[:-1]).all():
        raise ValueError(f"edges={brief(edges)} must be numbers that ascend")
    return limits


def histogram_cells(rows: ScoredRows, limits: Array) -> Array:
    """Return the cell of each row in a table ``(K, bins)`` of classes and bins of the score."""
    cells = rows.codes.astype(np.intp) * (len(limits) + 1)
    cells += np.searchsorted(limits, rows.scores, side="right")
    return cells


def bounds_of(tables: Floats) -> dict[str, Floats]:
    """Bound the ranking metrics, given only a histogram of the score for each class.

    Rows of the same bin are treated as wrongly ordered for the lower bound, and as correctly
    ordered for the upper bound.

    Parameters
    ----------
    tables : ndarray, shape (groups, K, bins)
        The weight of the rows of each class in each bin of the score.

    Returns
    -------
    dict
        ``low`` and ``high``, each ``(groups, metrics)``.
    """
    tables = tables * power_of_two(tables.sum(axis=(1, 2)))[:, None, None]
    sizes, up_to = tables.sum(axis=2), np.cumsum(tables, axis=2)
    bounds = {}
    for name, equal in (("low", tables), ("high", np.zeros_like(tables))):
        ends = below = np.ones((len(tables), tables.shape[2]))
        with np.errstate(all="ignore"):
            for k in range(tables.shape[1]):
                ends = tables[:, k] * below / sizes[:, k, None]
                below = np.cumsum(ends, axis=1)
                if name == "low":
                    below = np.concatenate([np.zeros((len(ends), 1)), below[:, :-1]], axis=1)
            wins = (up_to - equal) @ tables.transpose(0, 2, 1)
            values = _metrics(sizes, ends.sum(axis=1), wins)
        bounds[name] = np.stack([values[metric] for metric in RANKED], axis=1)
    return bounds


def _one_group(n_parts: int) -> Numbering:
    """Return the numbering of partitions whose rows are all one group."""
    return Numbering([np.zeros(1, np.uint8)] * n_parts, 1)


def _sizes(part: ScoredRows, n_classes: int) -> Floats:
    """Return the weight of the rows of each class in each group, ``(groups, K)``."""
    n_groups, cells = 1, part.codes
    if part.group is not None:
        n_groups = int(part.group.max(initial=0)) + 1
        cells = part.group * np.intp(n_classes) + cells
    sizes = np.bincount(cells, part.weights, n_groups * n_classes).astype(float)
    return sizes.reshape(n_groups, n_classes)


def _sum_sizes(sizes: Sequence[Floats], groups: Numbering) -> Floats:
    """Sum the sizes of the classes in each group over partitions."""
    sums = np.zeros((groups.n_groups, sizes[0].shape[1]))
    for of_part, numbers in zip(sizes, groups.numbers, strict=True):
        sums[numbers[: len(of_part)]] += of_part[: len(numbers)]
    return sums


def _sampled(part: ScoredRows) -> tuple[Array, Array, int]:
    """Return the groups and scores of a sample of rows, and the number of all rows."""
    n_rows = len(part.scores)
    some = np.arange(min(n_rows, SCORES_PER_SAMPLE))
    if n_rows > SCORES_PER_SAMPLE:  # no stride: groups may alternate with the same period
        some = (some * GOLDEN % 1 * n_rows).astype(np.intp)
    sampled = part.at(some)
    group = np.zeros(len(some), np.uint8) if sampled.group is None else sampled.group
    return group, sampled.scores, n_rows


def _cuts(
    samples: Sequence[tuple[Array, Array, int]], numbering: Numbering, n_ranges: int
) -> RangeCuts:
    """Return groups and scores that cut the rows into ranges of about equal size."""
    pairs = zip(samples, numbering.numbers, strict=True)
    groups = np.concatenate([numbers[group] for (group, _, _), numbers in pairs])
    scores = np.concatenate([scores for _, scores, _ in samples])
    shares = [np.full(len(some), n_rows / max(len(some), 1)) for some, _, n_rows in samples]
    if not len(scores):
        return RangeCuts(groups, scores)
    order = np.lexsort((scores, groups))
    up_to = np.cumsum(np.concatenate(shares)[order])
    positions = np.searchsorted(up_to, up_to[-1] * np.arange(1, n_ranges) / n_ranges)
    begin = order[positions]
    return RangeCuts(groups[begin], scores[begin])


def _split(
    part: ScoredRows, cuts: RangeCuts, numbering: Numbering, number: int, n_ranges: int
) -> list[ScoredRows]:
    """Split rows by range; equal scores in a group stay together."""
    if part.group is not None:
        part = part._replace(group=numbering.numbers[number][part.group])
    of_range = _ranges(part, cuts, numbering.n_groups).astype(np.min_scalar_type(n_ranges))
    sorted_rows = part.at(np.argsort(of_range, kind="stable"))  # a radix sort, for small types
    ends = np.cumsum(np.bincount(of_range, minlength=n_ranges))
    return [sorted_rows.at(slice(start, stop)) for start, stop in pairwise([0, *ends])]


def _ranges(part: ScoredRows, cuts: RangeCuts, n_groups: int) -> Array:
    """Return the range of each row."""
    steps, step = np.unique(cuts.scores, return_inverse=True)
    reached = _steps(part.scores, steps)
    if part.group is None:
        return reached
    n_steps = np.intp(len(steps) + 1)
    begin = cuts.groups * n_steps + step + 1
    cells = part.group * n_steps + reached
    n_cells = n_groups * n_steps
    if n_cells > len(cells):
        return np.searchsorted(begin, cells, side="right")
    of_cells: Array = np.searchsorted(begin, np.arange(n_cells), side="right")
    return of_cells[cells]


def _steps(scores: Array, steps: Array) -> Array:
    """Return how many of the steps each score reaches. Comparing is faster for a few steps."""
    if len(steps) > MANY_CUTS:
        return np.searchsorted(steps, scores, side="right")
    number = np.zeros(len(scores), np.uint8)
    for rows in blocks(len(scores)):
        for step in steps:
            number[rows] += scores[rows] >= step
    return number


def _concatenated(pieces: Sequence[ScoredRows]) -> ScoredRows:
    """Concatenate rows."""
    codes, scores, *others = zip(*pieces, strict=True)
    weights, group = (None if arrays[0] is None else np.concatenate(arrays) for arrays in others)
    return ScoredRows(np.concatenate(codes), np.concatenate(scores), weights, group)


def _range(
    pieces: Sequence[ScoredRows], sizes: Floats, ties: Ties, names: Sequence[str]
) -> ScoreRange:
    """Rank the rows of one range."""
    summary = _summary(_concatenated(pieces), sizes, ties, names)
    ends = np.unique([0, len(summary.groups) - 1]) if len(summary.groups) else summary.groups
    first = int(summary.groups[0]) if len(ends) else 0
    return ScoreRange(first, summary.values(names), summary.of(ends))


def _summary(part: ScoredRows, sizes: Floats, ties: Ties, names: Sequence[str]) -> Summary:
    """Sum the terms of metrics over the rows of a range, for its groups from first to last."""
    segment = np.broadcast_to(np.intp(0), len(part.codes)) if part.group is None else part.group
    groups: Positions = np.zeros(0, np.intp)
    if len(segment):
        groups = np.arange(int(segment.min()), int(segment.max()) + 1)
        segment = segment - segment.dtype.type(groups[0])
    n_classes, sizes = sizes.shape[1], sizes[groups]
    own = np.zeros(sizes.shape)
    ascending = np.tile(np.eye(n_classes + 1), (len(groups), 1, 1))
    wins = np.zeros((len(groups), n_classes, n_classes))
    summary = Summary(groups, own, ascending, wins)
    if not len(groups):
        return summary
    scale = power_of_two(sizes.sum(axis=1))
    segments = Segments(part.codes, n_classes, segment, len(groups), part.weights)
    # the tables in which pairs are counted stay in cache if blocks are counted one by one
    n_blocks = BLOCKS_AT_ONCE if set(names) == {"vus"} else 1
    with np.errstate(all="ignore"):
        for numbers, _, ranked in ranked_blocks(segments, part.scores, n_blocks=n_blocks):
            ranked = ranked.by_digits()
            own[numbers] = ranked.sizes.T * scale[numbers, None]
            if "vus" in names:
                ascending[numbers] = shares_of_ranges(ranked, sizes[numbers].T, ties)
            if set(names) - {"vus"}:
                pairs, won = ranked_pairs(ranked, ties)
                ours, _ = pairs_and_wins(own[numbers], won)
                wins[numbers] = np.nan_to_num(won / pairs * ours)
    return summary


def _scored(ranges: Sequence[ScoreRange], sizes: Floats) -> dict[str, Floats]:
    """Collect the metrics of all groups, joining the summaries of groups in several ranges."""
    scored = {
        name: np.full((len(sizes), *values.shape[1:]), np.nan)
        for name, values in ranges[0].values.items()
    }
    for first, values, _ in ranges:
        for name, of_groups in values.items():
            scored[name][first : first + len(of_groups)] = of_groups
    ends = _merged([of_range.ends for of_range in ranges])
    for name, of_ends in ends.values(list(scored)).items():
        scored[name][ends.groups] = of_ends
    return scored


def _merged(summaries: Sequence[Summary]) -> Summary:
    """Join the summaries of ascending ranges."""
    ends = Summary(*(np.concatenate(column) for column in zip(*summaries, strict=True)))
    _, first, group = np.unique(ends.groups, return_index=True, return_inverse=True)
    joined = ends.of(first)
    with np.errstate(all="ignore"):
        for position in np.setdiff1d(np.arange(len(group)), first):
            low, high = group[position], ends.of(position)
            joined.wins[low] += high.wins + np.outer(joined.sizes[low], high.sizes)
            joined.ascending[low] = joined.ascending[low] @ high.ascending
            joined.sizes[low] += high.sizes
    return joined


def _metrics(sizes: Floats, volume: Floats, wins: Floats) -> dict[str, Floats]:
    """Return the metrics of groups from class sizes, the volume, and correctly ranked pairs."""
    pairs, right = pairs_and_wins(sizes, wins)
    return {
        "vus": np.where((sizes > 0).all(axis=1), np.clip(volume, 0, 1), np.nan),
        "u_pairs": share_of_pairs(pairs, right),
        "u_ovo": mean_area_by_pair(pairs, right),
        "u_cons": mean_area_by_split(sizes, pairs, right),
        "pairwise_auc": right / pairs,
        "consecutive_auc": areas_by_split(pairs, right),
    }
