"""Metrics of scores whose rows no memory holds: by ranges of the score, or from bins of it.

Rows of one range of the score, from all partitions, add up to a `Summary`; those of ascending
ranges are joined. Equal scores are never in two ranges, so that the result is that of all rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce
from operator import getitem
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

import numpy as np
import numpy.typing as npt
import pandas as pd

from pandas_ordinal.arrays import Array, Floats
from pandas_ordinal.metrics.chains import Ties, refuse_other_ties
from pandas_ordinal.metrics.ranked_rows import Ranked, as_scores, refuse_nan
from pandas_ordinal.metrics.ranking import ranked_pairs, shares_of_ranges
from pandas_ordinal.metrics.segments import flat

if TYPE_CHECKING:
    from dask.delayed import Delayed

RANKED = ("vus", "u_pairs", "u_ovo", "u_cons")
SCORES_A_SAMPLE = 1000
MANY_CUTS = 64
ROWS_IN_CACHE = 2**15


class Part(NamedTuple):
    """Rows of one partition, or of one range of the score in it."""

    codes: Array
    scores: Array
    weights: Array | None


class Summary(NamedTuple):
    """What the rows of a range of the score add up to.

    What the rows of each class weigh, ``(K,)``; the share of the sequences of classes i + 1 to j
    that ascend, ``(K + 1, K + 1)``; and what the pairs weigh that the score ranks right, lower
    class first, ``(K, K)``.
    """

    sizes: Floats
    ascending: Floats
    wins: Floats


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
        How many ranges are ranked one by one. Default: as many as there are chunks.
    ties : {"half", "strict"}, default "half"
        What a sequence counts in which m scores are equal: 1 / m!, or nothing.

    Returns
    -------
    Delayed
        Of a Series of `vus`, `u_pairs`, `u_ovo` and `u_cons`.

    Raises
    ------
    ValueError
        If the arrays are not equally long. When it is computed, if a class is none of -1 to K - 1,
        or a score is NaN.

    Examples
    --------
    >>> import dask.array as da
    >>> import pandas_ordinal as po
    >>> true = da.from_array([0, 0, 1, 1, 2, 2], chunks=2)
    >>> score = da.from_array([1, 2, 2, 3, 3, 4], chunks=2)
    >>> po.by_score_ranges(true, score, 3).compute()["vus"].item()
    0.75
    """
    refuse_other_ties(ties)
    return ranked_by_ranges(
        _parts(true, score, sample_weight, n_classes), n_classes, n_ranges, ties
    )


def ranked_by_ranges(
    parts: Sequence[Any],
    n_classes: int,
    n_ranges: int | None = None,
    ties: Ties = "half",
    names: Sequence[str] = RANKED,
) -> Delayed:
    """Score the rows of parts, each a delayed `Part`, by some of the metrics."""
    from dask.delayed import Delayed
    from dask.highlevelgraph import HighLevelGraph

    n_ranges = len(parts) if n_ranges is None else n_ranges
    name = f"ranges-{uuid4().hex}"
    numbers = range(len(parts))
    sized = partial(_sizes, n_classes=n_classes)
    split = partial(_split, n_ranges=n_ranges)
    summary = partial(_summary, n_classes=n_classes, ties=ties, names=names)
    cuts, sizes = (name, "cuts"), (name, "sizes")
    # one graph: a call of `delayed` for each part and range takes 18 s of 100 parts
    graph: dict[Any, Any] = {
        cuts: (partial(_cuts, n_ranges=n_ranges), [(name, "sample", part) for part in numbers]),
        sizes: (sum, [(name, "size", part) for part in numbers]),
        name: (partial(_scored, names=names), [(name, "sum", one) for one in range(n_ranges)]),
    }
    for part, delayed in enumerate(parts):
        graph[name, "sample", part] = (_sampled, delayed.key)
        graph[name, "size", part] = (sized, delayed.key)
        graph[name, "split", part] = (split, delayed.key, cuts)
        for one in range(n_ranges):
            graph[name, "piece", part, one] = (getitem, (name, "split", part), one)
    for one in range(n_ranges):
        pieces = [(name, "piece", part, one) for part in numbers]
        graph[name, "sum", one] = (summary, pieces, sizes)
    untyped: Any = Delayed
    scored: Delayed = untyped(
        name, HighLevelGraph.from_collections(name, graph, dependencies=parts)
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

    limits = as_scores("edges", edges)
    if limits.ndim != 1 or not (limits[1:] > limits[:-1]).all():
        raise ValueError(f"edges={edges!r} must be numbers that ascend")
    parts = _parts(true, score, sample_weight, n_classes)
    tables = [delayed(_binned)(part, limits, n_classes) for part in parts]
    bounds: Delayed = delayed(_bounds)(tables)
    return bounds


def _parts(true: Any, score: Any, sample_weight: Any, n_classes: int) -> list[Any]:
    """Return the rows of each chunk, delayed."""
    from dask.delayed import delayed

    given = {"true": true, "score": score, "sample_weight": sample_weight}
    arrays = {name: array for name, array in given.items() if array is not None}
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


def _sizes(part: Part, n_classes: int) -> Floats:
    return np.bincount(part.codes, part.weights, n_classes).astype(float)


def _sampled(part: Part) -> tuple[Array, int]:
    """Return some scores, and how many there are."""
    n_rows = len(part.scores)
    return part.scores[:: max(n_rows // SCORES_A_SAMPLE, 1)], n_rows


def _cuts(samples: Sequence[tuple[Array, int]], n_ranges: int) -> Array:
    """Return scores between which about equally many rows lie."""
    scores = np.concatenate([scores for scores, _ in samples])
    shares = [np.full(len(scores), n_rows / max(len(scores), 1)) for scores, n_rows in samples]
    order = np.argsort(scores)
    up_to = np.cumsum(np.concatenate(shares)[order])
    if not len(scores):
        return scores
    places = np.searchsorted(up_to, up_to[-1] * np.arange(1, n_ranges) / n_ranges)
    cuts: Array = np.unique(scores[order][np.minimum(places, len(scores) - 1)])
    return cuts


def _split(part: Part, cuts: Array, n_ranges: int) -> list[Part]:
    """Split rows by ranges of their scores; equal ones are never apart."""
    number = _ranges(part.scores, cuts, np.min_scalar_type(n_ranges))
    order = np.argsort(number, kind="stable")  # by digits, since the type is small
    ends = np.cumsum(np.bincount(number, minlength=n_ranges))
    codes, scores, weights = part
    return [
        Part(codes[rows], scores[rows], None if weights is None else weights[rows])
        for rows in np.split(order, ends[:-1])
    ]


def _ranges(scores: Array, cuts: Array, dtype: np.dtype[Any]) -> Array:
    """Tell which range each score is in: a few cuts are compared faster than searched."""
    if len(cuts) > MANY_CUTS:
        return np.searchsorted(cuts, scores, side="right").astype(dtype)
    number = np.zeros(len(scores), dtype)
    for start in range(0, len(scores), ROWS_IN_CACHE):
        rows = slice(start, start + ROWS_IN_CACHE)
        for cut in cuts:
            number[rows] += scores[rows] >= cut
    return number


def _summary(
    pieces: Sequence[Part], sizes: Floats, n_classes: int, ties: Ties, names: Sequence[str]
) -> Summary:
    """Add up what metrics need of the rows of one range."""
    codes, scores = (np.concatenate(column) for column in list(zip(*pieces, strict=True))[:2])
    weights = None
    if pieces[0].weights is not None:
        weights = np.concatenate([piece.weights for piece in pieces if piece.weights is not None])
    own = _sizes(Part(codes, scores, weights), n_classes)
    ascending, wins = np.eye(n_classes + 1), np.zeros((n_classes, n_classes))
    if not len(codes):
        return Summary(own, ascending, wins)
    ranked = Ranked(codes, scores, weights, np.array([len(codes)]), n_classes)
    with np.errstate(all="ignore"):
        if "vus" in names:
            ascending = shares_of_ranges(ranked, sizes[:, None], ties)[0]
        if set(names) - {"vus"}:
            pairs, won = ranked_pairs(ranked, ties)
            wins = np.nan_to_num(won / pairs)[0] * np.outer(own, own)
    return Summary(own, ascending, wins)


def _joined(low: Summary, high: Summary) -> Summary:
    """Join the summaries of two ranges, one below the other."""
    across = np.outer(low.sizes, high.sizes)
    return Summary(
        low.sizes + high.sizes, low.ascending @ high.ascending, low.wins + high.wins + across
    )


def _scored(summaries: Sequence[Summary], names: Sequence[str]) -> pd.Series[float]:
    with np.errstate(all="ignore"):
        rows = reduce(_joined, summaries)
    return _metrics(rows.sizes, rows.ascending[0, -1], rows.wins)[list(names)]


def _metrics(sizes: Floats, volume: float, wins: Floats) -> pd.Series[float]:
    """Return the metrics, from the sizes of the classes and the pairs that are ranked right."""
    pairs = np.outer(sizes, sizes)
    lower = np.triu(pairs > 0, 1)
    splits = []
    for k in range(len(sizes) - 1):
        across = np.s_[: k + 1, k + 1 :]
        if sizes[k] > 0 and pairs[across].sum() > 0:
            splits.append(wins[across].sum() / pairs[across].sum())
    values = {
        "vus": float(np.clip(volume, 0, 1)) if (sizes > 0).all() else np.nan,
        "u_pairs": wins[lower].sum() / pairs[lower].sum() if lower.any() else np.nan,
        "u_ovo": (wins[lower] / pairs[lower]).mean() if lower.any() else np.nan,
        "u_cons": np.mean(splits) if splits else np.nan,
    }
    return pd.Series(values, dtype=float)


def _binned(part: Part, edges: Array, n_classes: int) -> Floats:
    """Count the classes between the edges, ``(K, bins)``."""
    n_bins = len(edges) + 1
    cells = part.codes.astype(np.intp) * n_bins
    cells += np.searchsorted(edges, part.scores, side="right")
    counts = np.bincount(cells, part.weights, n_classes * n_bins)
    return counts.reshape(n_classes, n_bins).astype(float)


def _bounds(tables: Sequence[Floats]) -> pd.DataFrame:
    """Score as if no two rows of a bin ascended, and as if all did."""
    table = np.sum(tables, axis=0)
    sizes, up_to = table.sum(axis=1), np.cumsum(table, axis=1)
    bounds = {}
    for name, equal in (("low", table), ("high", np.zeros_like(table))):
        ends = below = np.ones(table.shape[1])
        with np.errstate(all="ignore"):
            for counts, size in zip(table, sizes, strict=True):
                ends = counts * below / size
                below = np.cumsum(ends if name == "high" else np.append(0, ends[:-1]))
        bounds[name] = _metrics(sizes, ends.sum(), (up_to - equal) @ table.T)
    return pd.DataFrame(bounds)
