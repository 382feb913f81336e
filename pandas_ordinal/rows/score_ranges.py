"""Metrics of scores whose rows no memory holds: by ranges of the score, or from bins of it.

Rows of one range, from all partitions, add up to a `Summary`; those of ascending ranges are
joined. Equal scores of a group are never in two ranges, so that the result is that of all rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from operator import getitem
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

import numpy as np
import numpy.typing as npt
import pandas as pd

from pandas_ordinal.counting.arrays import Array, Floats, Positions, blocks, taken
from pandas_ordinal.metrics.ascents import BLOCKS_AT_ONCE, Ties, refuse_other_ties
from pandas_ordinal.metrics.ranked_rows import as_scores, ranked_blocks, refuse_nan
from pandas_ordinal.metrics.ranking import (
    areas_by_split,
    mean_area_by_pair,
    mean_area_by_split,
    pairs_of,
    ranked_pairs,
    scale_of,
    share_of_pairs,
    shares_of_ranges,
)
from pandas_ordinal.metrics.segments import Segments, flat

if TYPE_CHECKING:
    from dask.delayed import Delayed

RANKED = ("vus", "u_pairs", "u_ovo", "u_cons")
SCORES_A_SAMPLE = 1000
MOST_RANGES = 128  # a task for each part and range
GOLDEN = (5**0.5 - 1) / 2
MANY_CUTS = 64


class Part(NamedTuple):
    """Rows of one partition, or of one range in it: what each is, and the number of its group.

    No weights if each row counts once, and no numbers if all rows are one group.
    """

    codes: Array
    scores: Array
    weights: Array | None = None
    group: Array | None = None

    def at(self, rows: slice | Positions) -> Part:
        """Return some rows."""
        weights, group = (None if one is None else taken(one, rows) for one in self[2:])
        return Part(taken(self.codes, rows), taken(self.scores, rows), weights, group)


class Numbering(NamedTuple):
    """The groups of all partitions.

    The number that each group of a partition has among all, for each partition; and how many
    there are.
    """

    numbers: Sequence[Array]
    n_groups: int


class Cuts(NamedTuple):
    """Ascending pairs of a group and a score, each of which begins a range."""

    groups: Array
    scores: Array


class Summary(NamedTuple):
    """What the rows of a range add up to, for some groups.

    The numbers of the groups. For each what the rows of each class weigh, ``(groups, K)``; the
    share of the sequences of classes i + 1 to j that ascend, ``(groups, K + 1, K + 1)``; and what
    the pairs weigh that the score ranks right, lower class first, ``(groups, K, K)``.
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

    def of(self, places: Positions) -> Summary:
        """Return the summary of some groups."""
        groups, sizes, ascending, wins = self
        return Summary(groups[places], sizes[places], ascending[places], wins[places])


class Range(NamedTuple):
    """The groups of a range: their metrics, as if there was no other range.

    The number of the first group, which the others follow; the metrics; and the summary of the
    first and the last group, the only ones that other ranges may have rows of.
    """

    first: int
    values: dict[str, Floats]
    ends: Summary


def by_score_ranges(
    true: Any,
    score: Any,
    n_classes: int,
    *,
    sample_weight: Any = None,
    n_ranges: int | None = None,
    ties: Ties = "half",
) -> Delayed:
    """Score rankings exactly, without all rows in one place.

    Chunks are cut at quantiles of a sample of the scores. The rows of each range are ranked alone,
    and what they add up to is joined. No chunk is ranked against another.

    Parameters
    ----------
    true : dask array of int, shape (n,)
        The true class of each row, 0 to K - 1; -1 for a row that does not count.
    score : dask array, shape (n,)
        A score of each row, higher for higher classes; it may be infinite.
    n_classes : int
        How many classes are declared, K.
    sample_weight : dask array, shape (n,), optional
        The weight of each row: 2 counts as two rows.
    n_ranges : int, optional
        How many ranges are ranked one by one. Default: as many as there are chunks,
        128 at most.
    ties : {"half", "strict"}, default "half"
        What a sequence counts in which m scores are equal: 1 / m!, or nothing.

    Returns
    -------
    Delayed
        Of a Series of `vus`, `u_pairs`, `u_ovo` and `u_cons`.

    Raises
    ------
    TypeError
        If what is given is no dask array.
    ValueError
        If the arrays are not equally long, or `n_ranges` is no integer from 1 on. When it is
        computed, if a class is none of -1 to K - 1, or a score is NaN.

    Examples
    --------
    >>> import dask.array as da
    >>> import pandas_ordinal as po
    >>> true = da.from_array([0, 0, 1, 1, 2, 2], chunks=2)
    >>> score = da.from_array([1, 2, 2, 3, 3, 4], chunks=2)
    >>> po.by_score_ranges(true, score, 3).compute()["vus"].item()
    0.75
    """
    from dask.delayed import delayed

    refuse_other_ties(ties)
    if n_ranges is not None and not (isinstance(n_ranges, (int, np.integer)) and n_ranges > 0):
        raise ValueError(f"n_ranges={n_ranges!r} must be an integer from 1 on")
    parts = _parts(true, score, sample_weight, n_classes)
    values = ranked_by_ranges(parts, n_classes, RANKED, n_ranges=n_ranges, ties=ties)
    series: Delayed = delayed(_of_all_rows)(values)
    return series


def ranked_by_ranges(
    parts: Sequence[Any],
    n_classes: int,
    names: Sequence[str],
    *,
    groups: Delayed | None = None,
    n_ranges: int | None = None,
    ties: Ties = "half",
) -> Delayed:
    """Score the rows of parts, each a delayed `Part`, by some metrics, group by group.

    A range has about as many rows as any other: those of a part of a large group, or those of
    several small groups. It takes the rows in the order of their groups, then of their scores.

    Parameters
    ----------
    parts : sequence of Delayed
        The parts.
    n_classes : int
        How many classes are declared, K.
    names : sequence of str
        The metrics.
    groups : Delayed, optional
        The `Numbering` of the groups of the parts. Default: all rows are one group.
    n_ranges : int, optional
        How many ranges are ranked one by one. Default: as many as there are parts,
        `MOST_RANGES` at most.
    ties : {"half", "strict"}
        What equal scores count.

    Returns
    -------
    Delayed
        Of a dict from the names to the values ``(groups, ...)``.
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
    # one graph: a call of `delayed` for each part and range takes 18 s of 100 parts
    graph: dict[Any, Any] = {
        cuts: (partial(_cuts, n_ranges=n_ranges), samples, numbering),
        sizes: (_sum_sizes, [(name, "size", part) for part in numbers], numbering),
        name: (_scored, [(name, "range", one) for one in range(n_ranges)], sizes),
    }
    if groups is None:
        graph[numbering] = (_one_group, len(parts))
    for part, delayed in enumerate(parts):
        graph[name, "sample", part] = (_sampled, delayed.key)
        graph[name, "size", part] = (sized, delayed.key)
        graph[name, "split", part] = (split, delayed.key, cuts, numbering, part)
        for one in range(n_ranges):
            graph[name, "piece", part, one] = (getitem, (name, "split", part), one)
    for one in range(n_ranges):
        pieces = [(name, "piece", part, one) for part in numbers]
        graph[name, "range", one] = (ranked, pieces, sizes)
    before = parts if groups is None else [*parts, groups]
    untyped: Any = Delayed
    scored: Delayed = untyped(
        name, HighLevelGraph.from_collections(name, graph, dependencies=before)
    )
    return scored


def score_bounds(
    true: Any,
    score: Any,
    n_classes: int,
    edges: npt.ArrayLike,
    *,
    sample_weight: Any = None,
) -> Delayed:
    """Bound how a score ranks, from the counts of the classes between edges of the score.

    Each chunk is looked at once, and no row moves. What is lowest counts nothing that lies between
    the same edges; what is highest counts all of it. The value of all rows, with ties as halves or
    strict, lies between them, and the closer the finer the edges are.

    Parameters
    ----------
    true : dask array of int, shape (n,)
        The true class of each row, 0 to K - 1; -1 for a row that does not count.
    score : dask array, shape (n,)
        A score of each row, higher for higher classes; it may be infinite.
    n_classes : int
        How many classes are declared, K.
    edges : array_like
        Ascending scores. One that is equal to an edge lies above it.
    sample_weight : dask array, shape (n,), optional
        The weight of each row: 2 counts as two rows.

    Returns
    -------
    Delayed
        Of a frame with the columns `low` and `high`, a row each for `vus`, `u_pairs`, `u_ovo` and
        `u_cons`.

    Raises
    ------
    TypeError
        If what is given is no dask array.
    ValueError
        If edges do not ascend, or the arrays are not equally long. When it is computed, if a class
        is none of -1 to K - 1, or a score is NaN.

    Examples
    --------
    >>> import dask.array as da
    >>> import pandas_ordinal as po
    >>> true = da.from_array([0, 0, 1, 1, 2, 2], chunks=2)
    >>> score = da.from_array([1, 2, 2, 3, 3, 4], chunks=2)
    >>> po.score_bounds(true, score, 3, [2, 3]).compute().loc["vus"].tolist()
    [0.25, 1.0]
    """
    from dask.delayed import delayed

    limits = limits_of(edges)
    parts = _parts(true, score, sample_weight, n_classes)
    tables = [delayed(_binned)(part, limits, n_classes) for part in parts]
    bounds: Delayed = delayed(_bounds_of_all_rows)(tables)
    return bounds


def limits_of(edges: npt.ArrayLike) -> Array:
    """Return the edges between which scores are counted, or raise if they do not ascend."""
    if not np.ndim(edges):
        raise ValueError(f"edges={edges!r} must be a list of numbers that ascend")
    limits = as_scores("edges", edges)
    if limits.ndim != 1 or np.isnan(limits).any() or not (limits[1:] > limits[:-1]).all():
        raise ValueError(f"edges={edges!r} must be numbers that ascend")
    return limits


def cells_of(part: Part, limits: Array) -> Array:
    """Return the cell of each row in a table ``(K, bins)`` of classes between edges."""
    cells = part.codes.astype(np.intp) * (len(limits) + 1)
    cells += np.searchsorted(limits, part.scores, side="right")
    return cells


def bounds_of(tables: Floats) -> dict[str, Floats]:
    """Score groups as if no two rows of a bin ascended, and as if all did.

    Parameters
    ----------
    tables : ndarray, shape (groups, K, bins)
        What the rows of each class weigh between edges of the score.

    Returns
    -------
    dict
        Of ``low`` and ``high``, each ``(groups, metrics)``.
    """
    tables = tables * scale_of(tables.sum(axis=(1, 2)))[:, None, None]
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


def _parts(true: Any, score: Any, sample_weight: Any, n_classes: int) -> list[Any]:
    """Return the rows of each chunk, delayed."""
    import dask.array
    from dask.delayed import delayed

    given = {"true": true, "score": score, "sample_weight": sample_weight}
    arrays = {name: array for name, array in given.items() if array is not None}
    for name, array in arrays.items():
        if not isinstance(array, dask.array.Array):
            raise TypeError(
                f"{name} must be a dask array, not a {type(array).__name__}: give ddf[...].values "
                "or call ddf.ordinal; rows in memory are ranked by po.metrics"
            )
    shapes = {name: array.shape for name, array in arrays.items()}
    lengths = {shape[0] for shape in shapes.values() if shape[0] == shape[0]}
    if any(len(shape) != 1 for shape in shapes.values()) or len(lengths) > 1:
        raise ValueError(f"the arrays must be one row of equally many numbers each, not {shapes}")
    if all(shape[0] == shape[0] for shape in shapes.values()):
        arrays = {name: array.rechunk(true.chunks) for name, array in arrays.items()}
    numbers = {name: array.npartitions for name, array in arrays.items()}
    if len(set(numbers.values())) > 1:
        raise ValueError(
            f"the arrays have {numbers} chunks of unknown lengths: make them alike, or call "
            "compute_chunk_sizes()"
        )
    chunks = [array.to_delayed().ravel() for array in arrays.values()]
    if sample_weight is None:
        chunks.append([None] * len(chunks[0]))
    return [delayed(_part)(*chunk, n_classes) for chunk in zip(*chunks, strict=True)]


def _part(true: Array, score: Array, weights: Array | None, n_classes: int) -> Part:
    """Return the rows of a chunk that count, or raise if one is wrong."""
    rows, columns, _ = flat(true, n_classes, weights, as_scores("score", score))
    counted, (scores,) = rows.counted(*columns)
    refuse_nan(scores)
    return Part(counted.codes, scores, counted.weights)


def _one_group(n_parts: int) -> Numbering:
    """Return the numbering of parts that are one group."""
    return Numbering([np.zeros(1, np.uint8)] * n_parts, 1)


def _sizes(part: Part, n_classes: int) -> Floats:
    """Return what the rows of each class weigh in each group, ``(groups, K)``."""
    n_groups, cells = 1, part.codes
    if part.group is not None:
        n_groups = int(part.group.max(initial=0)) + 1
        cells = part.group * np.intp(n_classes) + cells
    sizes = np.bincount(cells, part.weights, n_groups * n_classes).astype(float)
    return sizes.reshape(n_groups, n_classes)


def _sum_sizes(sizes: Sequence[Floats], groups: Numbering) -> Floats:
    """Add up the sizes of the classes in each group over parts."""
    added = np.zeros((groups.n_groups, sizes[0].shape[1]))
    for of_part, numbers in zip(sizes, groups.numbers, strict=True):
        added[numbers[: len(of_part)]] += of_part[: len(numbers)]
    return added


def _sampled(part: Part) -> tuple[Array, Array, int]:
    """Return the groups and the scores of some rows, and how many rows there are."""
    n_rows = len(part.scores)
    some = np.arange(min(n_rows, SCORES_A_SAMPLE))
    if n_rows > SCORES_A_SAMPLE:  # no stride, which rows that take turns may keep step with
        some = (some * GOLDEN % 1 * n_rows).astype(np.intp)
    sampled = part.at(some)
    group = np.zeros(len(some), np.uint8) if sampled.group is None else sampled.group
    return group, sampled.scores, n_rows


def _cuts(
    samples: Sequence[tuple[Array, Array, int]], numbering: Numbering, n_ranges: int
) -> Cuts:
    """Return groups and scores between which about equally many rows lie."""
    pairs = zip(samples, numbering.numbers, strict=True)
    groups = np.concatenate([numbers[group] for (group, _, _), numbers in pairs])
    scores = np.concatenate([scores for _, scores, _ in samples])
    shares = [np.full(len(some), n_rows / max(len(some), 1)) for some, _, n_rows in samples]
    if not len(scores):
        return Cuts(groups, scores)
    order = np.lexsort((scores, groups))
    up_to = np.cumsum(np.concatenate(shares)[order])
    places = np.searchsorted(up_to, up_to[-1] * np.arange(1, n_ranges) / n_ranges)
    begin = order[np.minimum(places, len(scores) - 1)]
    return Cuts(groups[begin], scores[begin])


def _split(part: Part, cuts: Cuts, numbering: Numbering, number: int, n_ranges: int) -> list[Part]:
    """Split rows by ranges; equal scores of a group are never apart."""
    if part.group is not None:
        part = part._replace(group=numbering.numbers[number][part.group])
    of_range = _ranges(part, cuts, numbering.n_groups).astype(np.min_scalar_type(n_ranges))
    in_ranges = part.at(np.argsort(of_range, kind="stable"))  # by digits, as the type is small
    ends = np.cumsum(np.bincount(of_range, minlength=n_ranges))
    return [in_ranges.at(slice(*of_one)) for of_one in pairwise([0, *ends])]


def _ranges(part: Part, cuts: Cuts, n_groups: int) -> Array:
    """Tell which range each row is in."""
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
    """Tell how many of the steps each score reaches: a few are compared faster than searched."""
    if len(steps) > MANY_CUTS:
        return np.searchsorted(steps, scores, side="right")
    number = np.zeros(len(scores), np.uint8)
    for rows in blocks(len(scores)):
        for step in steps:
            number[rows] += scores[rows] >= step
    return number


def _concatenated(pieces: Sequence[Part]) -> Part:
    """Put rows one below the other."""
    codes, scores, *others = zip(*pieces, strict=True)
    weights, group = (None if one[0] is None else np.concatenate(one) for one in others)
    return Part(np.concatenate(codes), np.concatenate(scores), weights, group)


def _range(pieces: Sequence[Part], sizes: Floats, ties: Ties, names: Sequence[str]) -> Range:
    """Rank the rows of one range."""
    summary = _summary(_concatenated(pieces), sizes, ties, names)
    ends = np.unique([0, len(summary.groups) - 1]) if len(summary.groups) else summary.groups
    first = int(summary.groups[0]) if len(ends) else 0
    return Range(first, summary.values(names), summary.of(ends))


def _summary(part: Part, sizes: Floats, ties: Ties, names: Sequence[str]) -> Summary:
    """Add up what metrics need of the rows of one range, for all groups from first to last."""
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
    scale = scale_of(sizes.sum(axis=1))
    segments = Segments(part.codes, n_classes, segment, len(groups), part.weights)
    # pairs are counted in tables, which stay in cache block by block
    n_blocks = BLOCKS_AT_ONCE if set(names) == {"vus"} else 1
    with np.errstate(all="ignore"):
        for numbers, _, ranked in ranked_blocks(segments, part.scores, n_blocks=n_blocks):
            ranked = ranked.by_digits()
            own[numbers] = ranked.sizes.T * scale[numbers, None]
            if "vus" in names:
                ascending[numbers] = shares_of_ranges(ranked, sizes[numbers].T, ties)
            if set(names) - {"vus"}:
                pairs, won = ranked_pairs(ranked, ties)
                ours, _ = pairs_of(own[numbers], won)
                wins[numbers] = np.nan_to_num(won / pairs * ours)
    return summary


def _scored(ranges: Sequence[Range], sizes: Floats) -> dict[str, Floats]:
    """Put the metrics of all groups together, of which those in several ranges are joined."""
    scored = {
        name: np.full((len(sizes), *values.shape[1:]), np.nan)
        for name, values in ranges[0].values.items()
    }
    for first, values, _ in ranges:
        for name, of_range in values.items():
            scored[name][first : first + len(of_range)] = of_range
    ends = _merged([one.ends for one in ranges])
    for name, of_ends in ends.values(list(scored)).items():
        scored[name][ends.groups] = of_ends
    return scored


def _merged(summaries: Sequence[Summary]) -> Summary:
    """Join the summaries of ranges, each above the one before."""
    ends = Summary(*(np.concatenate(column) for column in zip(*summaries, strict=True)))
    _, first, group = np.unique(ends.groups, return_index=True, return_inverse=True)
    joined = ends.of(first)
    with np.errstate(all="ignore"):
        for place in np.setdiff1d(np.arange(len(group)), first):
            low, high = group[place], ends.of(place)
            joined.wins[low] += high.wins + np.outer(joined.sizes[low], high.sizes)
            joined.ascending[low] = joined.ascending[low] @ high.ascending
            joined.sizes[low] += high.sizes
    return joined


def _metrics(sizes: Floats, volume: Floats, wins: Floats) -> dict[str, Floats]:
    """Return the metrics of groups, from the sizes of the classes and the pairs ranked right."""
    pairs, right = pairs_of(sizes, wins)
    return {
        "vus": np.where((sizes > 0).all(axis=1), np.clip(volume, 0, 1), np.nan),
        "u_pairs": share_of_pairs(pairs, right),
        "u_ovo": mean_area_by_pair(pairs, right),
        "u_cons": mean_area_by_split(sizes, pairs, right),
        "pairwise_auc": right / pairs,
        "consecutive_auc": areas_by_split(pairs, right),
    }


def _of_all_rows(values: Mapping[str, Floats]) -> pd.Series[float]:
    return pd.Series({name: of_groups[0] for name, of_groups in values.items()}, dtype=float)


def _binned(part: Part, limits: Array, n_classes: int) -> Floats:
    """Count the classes between the edges, ``(K, bins)``."""
    n_bins = len(limits) + 1
    counts = np.bincount(cells_of(part, limits), part.weights, n_classes * n_bins)
    return counts.reshape(n_classes, n_bins).astype(float)


def _bounds_of_all_rows(tables: Sequence[Floats]) -> pd.DataFrame:
    bounds = bounds_of(np.sum(tables, axis=0)[None])
    index = pd.Index(RANKED, name="metric")
    return pd.DataFrame({name: one[0] for name, one in bounds.items()}, index)
