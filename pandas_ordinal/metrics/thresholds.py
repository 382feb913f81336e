"""From scores to classes: apply thresholds, draw the ROC surface, find the best thresholds.

The sizes of the true classes are known; only predictions vary. Many metrics then are a constant
plus a sum of costs, one for each cell, which may depend on these sizes. `costs_of` finds them by
trying a metric on tables, and the best thresholds for them are exact. Others are searched.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pandas_ordinal.counting.arrays import LARGEST_EXACT, Array, Floats, Positions, Stack
from pandas_ordinal.hints import explains_arguments
from pandas_ordinal.metrics.error import as_square
from pandas_ordinal.metrics.metric import Metric, Resolved, resolve
from pandas_ordinal.metrics.ranked_rows import Ranked, as_scores, pack, refuse_nan
from pandas_ordinal.metrics.segments import Segments, flatten_to_segments, refuse_other_rows
from pandas_ordinal.metrics.stack import batch_first, block_size, distance

Value: TypeAlias = Callable[[Array], Floats]

TOLERANCE = 1e-9
ROUNDING_OF_VALUES = 8 * np.finfo(float).eps
TABLES_PER_KIND = 16
LARGEST_DENOMINATOR = 100


class NoThresholds(ValueError):
    """No thresholds are the best ones on these rows."""


def costs_of(metric: Metric, options: Mapping[str, Any], sizes: Floats) -> Floats | None:
    """Return costs (K, K) whose sum is lowest where a metric is best; None if there are none.

    They are known up to a factor, and up to a constant for each true class.
    """

    def value(tables: Array) -> Floats:
        return np.asarray(metric.kernel(tables, **options))

    def square(tables: Array) -> Floats:
        return value(tables) ** 2

    with np.errstate(all="ignore"):
        costs = _costs(value, sizes)
        if costs is None and metric.bounds(len(sizes))[0] >= 0:
            costs = _costs(square, sizes)  # as for the root of a mean
        if costs is None:
            return None
        return _whole(-costs if metric.greater_is_better else costs)


def _costs(value: Value, sizes: Floats) -> Floats | None:
    """Return what a row in each cell adds to a value; None if it is not such a sum."""
    tables = _tables(sizes)
    values = value(tables)
    # one table first: most metrics that are not sums fail here, before K * K tables are tried
    if not _close(value(tables.mean(axis=0)), values.mean(), values):
        return None
    base, constant = _base(value, sizes)
    moved = np.array([value(_moved(base, true)) for true in range(len(sizes))])
    changes = moved - constant
    noise = ROUNDING_OF_VALUES * np.maximum(np.abs(moved), abs(constant))
    changes[np.abs(changes) <= noise] = 0
    costs = changes / np.where(sizes > 0, sizes, np.inf)[:, None]
    expected = constant + ((tables - base) * costs).sum(axis=(1, 2))
    return costs if _close(values, expected, moved) else None


def _close(actual: Floats, expected: Floats, scale: Floats) -> bool:
    """Whether numbers are equal up to rounding; those that are not finite never are."""
    largest = np.abs(scale).max()
    return bool(largest < np.inf and (np.abs(actual - expected) <= TOLERANCE * largest).all())


def _tables(sizes: Floats) -> Floats:
    """Make tables of these sizes: each class predicted as all classes, as two, and as one."""
    rng, n_classes = np.random.default_rng(0), len(sizes)
    shape = (TABLES_PER_KIND, n_classes, n_classes)
    as_all = rng.random(shape)
    as_one, other = np.eye(n_classes)[rng.integers(n_classes, size=(2, *shape[:2]))]
    shares = [as_all / as_all.sum(axis=2, keepdims=True), (as_one + other) / 2, as_one]
    return np.concatenate(shares) * sizes[:, None]


def _base(value: Value, sizes: Floats) -> tuple[Floats, Floats]:
    """Return a table to start from, and its value.

    All rows right, or each class as far off as can be: the one whose value is nearer to 0, so that
    what a small class adds is not lost to rounding.
    """
    position = np.arange(len(sizes))
    farthest = np.where(position < len(sizes) / 2, len(sizes) - 1, 0)
    tables = np.zeros((2, len(sizes), len(sizes)))
    tables[0, position, position] = tables[1, position, farthest] = sizes
    right, wrong = value(tables)
    return (tables[1], wrong) if abs(wrong) < abs(right) else (tables[0], right)


def _moved(base: Floats, true: int) -> Floats:
    """Make tables with all rows of a class in the first column, in the second, and so on."""
    tables = np.repeat(base[None], len(base), axis=0)
    tables[:, true] = base[true].sum() * np.eye(len(base))
    return tables


def _whole(costs: Floats) -> Floats:
    """Return costs that are multiples of one number as integers, whose sums tie exactly."""
    smallest = np.abs(costs[costs != 0]).min(initial=np.inf)
    for denominator in range(1, LARGEST_DENOMINATOR + 1):
        multiples = costs / smallest * denominator
        whole: Floats = np.rint(multiples)
        if (np.abs(multiples - whole) <= TOLERANCE).all():
            return whole
    return costs


Merit: TypeAlias = Callable[[Stack], Floats]

MOST_POINTS = 2**24
MOST_COMBINATIONS = 200_000
MOST_CELLS = 2**25


class Ranking(NamedTuple):
    """The distinct scores, ascending, and the rows of each class below.

    ``below[k, i]`` is the number of rows of class k among the i lowest scores, shape (K, m + 1).
    """

    scores: Floats
    below: Floats


class Cuts(NamedTuple):
    """All places at which a threshold makes a difference, ascending, shape (p,).

    ``below[k, i]`` is the number of rows of class k at or below place i, shape (K, p).
    """

    thresholds: Floats
    below: Floats


@explains_arguments
def classify(score: npt.ArrayLike, thresholds: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Predict classes from scores: the class is the number of thresholds below the score.

    Parameters
    ----------
    score : array_like, shape (..., n)
        Scores, higher for higher classes; they may be infinite.
    thresholds : array_like, shape (K - 1,)
        Thresholds that do not decrease. They may be infinite, or equal, which leaves a class out.

    Returns
    -------
    ndarray of int64, shape (..., n)
        Codes 0 to K - 1, and -1 where a score is NaN.

    Raises
    ------
    ValueError
        If scores or thresholds are not numbers, or thresholds are NaN or decrease.

    Notes
    -----
    ``k`` where ``b[k - 1] < f <= b[k]``: a score that equals a threshold belongs to the lower
    class. A score of -inf is of class 0, whatever the thresholds.

    References
    ----------
    W. Waegeman, B. De Baets and L. Boullart, ROC analysis in ordinal regression learning, Pattern
    Recognit. Lett. 29 (2008) 1-9, doi:10.1016/j.patrec.2007.07.019, model (6).

    Examples
    --------
    >>> from pandas_ordinal.metrics.thresholds import classify
    >>> classify([0.1, 0.5, 0.7, 2.0], [0.5, 1.0]).tolist()
    [0, 0, 1, 2]
    """
    values, limits = _as_floats("scores", as_scores("score", score)), _limits(thresholds)
    if limits.ndim != 1:
        raise ValueError(f"thresholds of shape {limits.shape} must be one row of K - 1 numbers")
    codes = np.searchsorted(limits, values, side="left").astype(np.int64)
    return np.where(np.isnan(values), np.int64(-1), codes)


@explains_arguments
def roc_surface(
    true: npt.ArrayLike,
    score: npt.ArrayLike,
    n_classes: int,
    *,
    thresholds: npt.ArrayLike | None = None,
    sample_weight: npt.ArrayLike | None = None,
) -> tuple[Floats, Floats]:
    """Points of the ROC surface: the true positive rate of each class for vectors of thresholds.

    Parameters
    ----------
    true : array_like of int, shape (n,)
        Codes 0 to K - 1 of the true classes; -1 for a row that does not count.
    score : array_like, shape (n,)
        Scores, higher for higher classes; they may be infinite.
    n_classes : int
        The number K of declared classes.
    thresholds : array_like, shape (K - 1,) or (m, K - 1), optional
        Thresholds that do not decrease. Default, for two or three classes only: all vectors that
        make a difference.
    sample_weight : array_like, shape (n,), optional
        Weights of the rows, as frequencies. Rows of weight 0 do not count.

    Returns
    -------
    thresholds : ndarray, shape (K - 1,) or (m, K - 1)
        The given ones, or else all non-decreasing combinations of -inf and the distinct scores,
        in lexicographic order.
    rates : ndarray, shape (K,) or (m, K)
        True positive rates, 0 to 1. NaN for a class without rows.

    Raises
    ------
    ValueError
        If shapes do not match, codes are outside -1 to K - 1, a row that counts has no score,
        weights are negative or not finite, thresholds are NaN or decrease, or none are given and K
        is not 2 or 3 or there would be more than 2**24 points.

    Notes
    -----
    ``TPR[k] = sum_{y = k} (b[k - 1] < f <= b[k]) / n[k]`` with ``b[-1] = -inf`` and ``b[K - 1] =
    inf``, eq. 9. For two classes the points are those of the ROC curve, ``(1 - FPR, TPR)``. The
    volume under the surface is the mean of ``TPR[K - 1]`` over thresholds at one row of each of
    the other classes, 0 where these do not increase (theorem 3.1).

    References
    ----------
    W. Waegeman, B. De Baets and L. Boullart, ROC analysis in ordinal regression learning, Pattern
    Recognit. Lett. 29 (2008) 1-9, doi:10.1016/j.patrec.2007.07.019.

    Examples
    --------
    >>> from pandas_ordinal.metrics.thresholds import roc_surface
    >>> thresholds, rates = roc_surface([0, 0, 1, 2], [1, 2, 3, 4], 3, thresholds=[1, 3])
    >>> rates.tolist()
    [0.5, 1.0, 1.0]
    >>> thresholds, rates = roc_surface([0, 0, 1], [1, 2, 2], 2)
    >>> thresholds.tolist()
    [[-inf], [1.0], [2.0]]
    >>> rates.tolist()
    [[0.0, 1.0], [0.5, 1.0], [1.0, 0.0]]
    """
    ranking = _rank(*_counted(true, score, n_classes, sample_weight))
    if thresholds is None:
        candidates = np.union1d([-np.inf], ranking.scores)
        combinations = _every_point(len(candidates), n_classes)
        at_or_below = np.searchsorted(ranking.scores, candidates, side="right")
        return candidates[combinations], _rates(ranking.below[:, at_or_below], combinations)
    limits = _limits(thresholds)
    if limits.ndim not in (1, 2) or limits.shape[-1] != n_classes - 1:
        raise ValueError(
            f"thresholds of shape {limits.shape} must be {n_classes - 1} numbers for {n_classes} "
            "classes, or rows of that many"
        )
    at_or_below = np.searchsorted(ranking.scores, limits, side="right")
    return limits, _rates(ranking.below, at_or_below)


@explains_arguments
def best_thresholds(
    true: npt.ArrayLike,
    score: npt.ArrayLike,
    n_classes: int,
    *,
    costs: npt.ArrayLike | None = None,
    metric: str | Callable[..., Any] | None = None,
    sample_weight: npt.ArrayLike | None = None,
) -> Floats:
    """Thresholds that cost least on these rows, or that give a metric its best value.

    Parameters
    ----------
    true : array_like of int, shape (n,)
        Codes 0 to K - 1 of the true classes; -1 for a row that does not count.
    score : array_like, shape (n,)
        Scores, higher for higher classes; they may be infinite.
    n_classes : int
        The number K of declared classes.
    costs : array_like, shape (K, K), optional
        ``costs[r, c]`` is the cost of predicting class c for a row of true class r. Either this or
        `metric`.
    metric : str or callable, optional
        A metric of counts that has a direction and gives one number: its name in
        `pandas_ordinal.metrics.registry`, its kernel, or a `functools.partial` of its kernel that
        sets options.
    sample_weight : array_like, shape (n,), optional
        Weights of the rows, as frequencies. Rows of weight 0 do not count.

    Returns
    -------
    ndarray, shape (K - 1,)
        Thresholds for `classify`. They lie midway between neighbouring scores, or at the lower one
        if either is infinite or no float lies between them; -inf where the classes below are never
        predicted (except for scores of -inf), and inf where the classes above never are.

    Raises
    ------
    ValueError
        If no row counts, shapes do not match, codes are outside -1 to K - 1, a row that counts has
        no score, weights are negative or not finite, costs are not K x K finite numbers, not
        exactly one of `costs` and `metric` is given, or the metric is unknown, has no direction,
        gives numbers by class, needs more than counts, or is undefined whatever the thresholds.

    Notes
    -----
    Costs are minimized exactly, by a dynamic program over the sorted distinct scores: with the
    class counts F at or below a threshold they are a constant plus ``sum_k sum_r (costs[r, k] -
    costs[r, k + 1]) * F[r](b[k])``, one term per threshold. The same search serves each metric
    that is such a sum once the sizes of the true classes are known, or the root of one. A trial on
    tables finds these: `accuracy`, `accuracy_within`, `amae`, `balanced_accuracy`,
    `brennan_prediger`, `cem`, `error_rate`, `expected_cost`, `gerrity`, `mae`,
    `mean_extreme_sensitivity`, `mse`, `peirce`, `rmse`, `seeps`, and `total_cost` and `stc` if all
    classes have rows; for two classes also `ndpm` and `somers_d`.

    For other metrics all combinations of thresholds are evaluated if there are at most 200,000
    (fewer for more than 12 classes), which is exact too. Beyond that **the result is a local
    optimum** (exact for two classes): no threshold can be improved while the others stay. The
    metrics of the worst class alone, `min_sensitivity` and `mmae`, miss their best value most
    often. The search moves one threshold at a time to the best of all its places, from three
    starts: the thresholds of the lowest absolute error, those that predict each class as often as
    it is true, and the best ones on a coarse grid of places. It returns the best of the three
    results.

    Where several thresholds are best, up to rounding, the lowest are taken: the lowest first one,
    then the lowest second one given the first, and so on; each step of a local search takes the
    lowest best place. The order of the rows never matters, and a constant added to the scores
    shifts the thresholds. Do not judge a model by the rows on which its thresholds were chosen:
    they flatter it.

    References
    ----------
    W. Waegeman, B. De Baets and L. Boullart, ROC analysis in ordinal regression learning, Pattern
    Recognit. Lett. 29 (2008) 1-9, doi:10.1016/j.patrec.2007.07.019, model (6) and eq. 15.

    Examples
    --------
    >>> import functools
    >>> import pandas_ordinal as po
    >>> from pandas_ordinal.metrics.thresholds import best_thresholds
    >>> true, score = [0, 0, 1, 1, 2], [0.1, 0.4, 0.3, 0.6, 0.8]
    >>> best_thresholds(true, score, 3, metric="mae").round(3).tolist()
    [0.2, 0.7]
    >>> best_thresholds(true, score, 3, costs=[[0, 5, 9], [1, 0, 1], [2, 1, 0]]).tolist()
    [0.5, 0.7]
    >>> linear = functools.partial(po.metrics.kappa, weights="linear")
    >>> best_thresholds(true, score, 3, metric=linear).tolist()
    [0.5, 0.7]
    """
    ranking = _rank(*_counted(true, score, n_classes, sample_weight))
    return _best_on(ranking, costs, metric)


def best_by_shares(
    score: Array,
    shares: Floats,
    *,
    costs: npt.ArrayLike | None = None,
    metric: str | Callable[..., Any] | None = None,
) -> Floats:
    """Return the best thresholds of rows that each belong to several classes.

    ``shares[i, k]`` is how much of row i counts for class k: the weight of a row of that class.
    """
    counts = (shares > 0).any(axis=1)
    if not counts.all():
        score, shares = score[counts], shares[counts]
    refuse_nan(score)
    return _best_on(_rank_shares(_as_floats("scores", score), shares), costs, metric)


def _best_on(
    ranking: Ranking, costs: npt.ArrayLike | None, metric: str | Callable[..., Any] | None
) -> Floats:
    """Return the best thresholds of ranked rows."""
    if (costs is None) == (metric is None):
        raise ValueError("give either costs=, a K x K matrix, or metric=")
    if not len(ranking.scores):
        raise NoThresholds(
            "no row counts: thresholds need rows of a known class and, with weights, of a "
            "positive weight"
        )
    cuts = _cuts(ranking)
    if costs is not None:
        matrix = as_square(costs, len(cuts.below), "costs")
        return cuts.thresholds[_cheapest(matrix, cuts.below)]
    assert metric is not None
    return cuts.thresholds[_best(*_fit(metric), cuts.below)]


def _counted(
    true: npt.ArrayLike, score: npt.ArrayLike, n_classes: int, sample_weight: npt.ArrayLike | None
) -> tuple[Segments, Floats]:
    """Check one sample and keep the rows that count, with their scores."""
    refuse_other_rows(true=true, score=score, sample_weight=sample_weight)
    column = as_scores("score", score)
    rows, (values,), leading = flatten_to_segments(true, n_classes, sample_weight, column)
    if leading:
        raise ValueError(
            f"thresholds are for one sample, but the rows have the leading shape {leading}: call "
            "this for each sample"
        )
    if rows.weights is not None:
        rows = replace(rows, codes=np.where(rows.weights > 0, rows.codes, -1))
    rows, (values,) = rows.counted(values)
    refuse_nan(values)
    return rows, _as_floats("scores", values)


def _as_floats(name: str, numbers: Array) -> Floats:
    """Return numbers as floats; raise if some integers would become equal."""
    integers = numbers.dtype.kind in "iu" and numbers.size
    if integers and max(int(numbers.max()), -int(numbers.min())) > LARGEST_EXACT:
        raise ValueError(
            f"{name} hold integers beyond 2**53, where floats such as thresholds cannot tell them "
            "apart: subtract a number from all"
        )
    return numbers.astype(float)


def _limits(thresholds: npt.ArrayLike) -> Floats:
    """Return thresholds ``(..., K - 1)`` as floats; raise for anything else."""
    limits = _as_floats("thresholds", as_scores("thresholds", thresholds))
    _refuse_order(limits)
    return limits


def _refuse_order(thresholds: Floats) -> None:
    """Raise unless thresholds ``(..., K - 1)`` are numbers that do not decrease."""
    ascending = thresholds[..., :-1] <= thresholds[..., 1:]
    right = ascending.all(axis=-1) & ~np.isnan(thresholds).any(axis=-1)
    if not right.all():
        wrong = thresholds[~right][0] if thresholds.ndim > 1 else thresholds
        raise ValueError(
            f"thresholds {wrong.tolist()} must be numbers that do not decrease, the lowest first"
        )


def _rank(rows: Segments, scores: Floats) -> Ranking:
    """Sort the rows and count each class from the lowest score up."""
    codes, weights = rows.codes, rows.weights
    if weights is not None:
        # sort the rows, so that the sums do not depend on their order
        order = np.lexsort((codes, weights, scores))
        codes, weights, scores = codes[order], weights[order], scores[order]
    if not len(codes):
        return Ranking(scores, np.zeros((rows.n_classes, 1)))
    packed = partial(pack, scores, codes, rows.n_classes)
    ranked = Ranked(codes, packed, weights, np.array([len(codes)]), rows.n_classes)
    table = ranked.table()[:, 0]
    distinct = np.empty(table.shape[1])
    distinct[ranked.values()] = scores + 0  # minus zero is zero, whichever row comes last
    return Ranking(distinct, np.pad(np.cumsum(table, axis=1, dtype=float), [(0, 0), (1, 0)]))


def _rank_shares(scores: Floats, shares: Floats) -> Ranking:
    """Sort the rows and add up the share of each class from the lowest score up."""
    order = np.argsort(scores)
    in_order = scores[order]
    rises = np.ones(len(order), bool)
    np.not_equal(in_order[1:], in_order[:-1], out=rises[1:])
    value = np.cumsum(rises) - 1
    below = np.zeros((shares.shape[1], int(rises.sum()) + 1))
    for of_class, share in zip(below, shares[order].T, strict=True):
        weights = np.maximum(share, 0)
        if not rises.all():  # so that the sums do not depend on the order of the rows
            weights = weights[np.lexsort((weights, value))]
        np.cumsum(np.bincount(value, weights), out=of_class[1:])
    return Ranking(in_order[rises] + 0, below)


def _rates(below: Floats, columns: Positions) -> Floats:
    """Return the rates from class counts (K, p) and the column of each threshold (..., K - 1).

    The last column counts all rows.
    """
    n_classes = len(below)
    rates = np.empty((*columns.shape[:-1], n_classes))
    with np.errstate(invalid="ignore"):
        for k, class_below in enumerate(below):
            size = class_below[-1]
            upper = class_below[columns[..., k]] if k < n_classes - 1 else size
            lower = class_below[columns[..., k - 1]] if k > 0 else 0.0
            rates[..., k] = (upper - lower) / size
    return rates


def _every_point(n_candidates: int, n_classes: int) -> Positions:
    """Return all combinations of candidate thresholds; raise if there are too many."""
    if n_classes not in (2, 3):
        raise ValueError(
            f"all points of a ROC surface can be listed for 2 or 3 classes, not for {n_classes}: "
            "give thresholds=, an array (m, K - 1)"
        )
    n_points = math.comb(n_candidates + n_classes - 2, n_classes - 1)
    if n_points > MOST_POINTS:
        raise ValueError(
            f"{n_candidates} candidate thresholds make {n_points} points, more than "
            f"{MOST_POINTS}: give thresholds=, an array (m, K - 1), for example of quantiles of "
            "the scores"
        )
    return _combinations(n_candidates, n_classes - 1)


def _combinations(n_places: int, length: int) -> Positions:
    """Return all non-decreasing rows of places, in lexicographic order."""
    rows = np.zeros((1, 0), np.intp)
    last = np.zeros(1, np.intp)
    for _ in range(length):
        # each row continues with every place from its last one on
        times = n_places - last
        first = np.cumsum(times) - times
        last = np.arange(times.sum()) - np.repeat(first - last, times)
        rows = np.column_stack([np.repeat(rows, times, axis=0), last])
    return rows


def _cuts(ranking: Ranking) -> Cuts:
    """Return the places for a threshold: below all scores, between neighbours, and above all."""
    lower, upper = ranking.scores[:-1], ranking.scores[1:]
    with np.errstate(invalid="ignore"):
        middle = lower / 2 + upper / 2
    # not so if one is infinite, or if they are so close that the middle is rounded to either
    middle = np.where((lower < middle) & (middle < upper), middle, lower)
    thresholds = np.concatenate([[-np.inf], middle, [np.inf]])
    # nothing is below a score of -inf
    start = int(ranking.scores[0] == -np.inf)
    return Cuts(thresholds[start:], ranking.below[:, start:])


def _cheapest(costs: Floats, below: Floats) -> Positions:
    """Return the places, ascending, that cost least; of several, the lowest.

    The minimum of two best solutions, place by place, is a best solution too. So there is a lowest
    one, and going back from the last place finds it, each place as low as it can be.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        totals: Floats = (costs[:, :-1] - costs[:, 1:]).T @ below
        for k in range(1, len(totals)):
            totals[k] += np.minimum.accumulate(totals[k - 1])
    if not np.isfinite(totals).all():
        raise ValueError("costs add up to more than a float holds: divide all by one number")
    places = np.empty(len(totals), np.intp)
    end = below.shape[1]
    for k in reversed(range(len(totals))):
        places[k] = np.argmin(totals[k, :end])
        end = places[k] + 1
    return places


def _fit(which: str | Callable[..., Any]) -> Resolved:
    """Return a metric and its options; raise if thresholds cannot be chosen for it."""
    resolved = resolve(which)
    metric = resolved.metric
    if metric.needs != "counts":
        raise ValueError(
            f"{metric.name} needs {metric.needs}, but thresholds can only be chosen for a metric "
            "of counts"
        )
    if metric.output:
        raise ValueError(
            f"{metric.name} gives one number per class, so that no thresholds are best for it: "
            "choose a metric that gives a single number"
        )
    if metric.greater_is_better is None:
        raise ValueError(
            f"{metric.name} has no direction (higher or lower is better), so that no thresholds "
            "are best for it"
        )
    resolved.refuse_wrong_options()
    return resolved


def _best(metric: Metric, options: dict[str, Any], below: Floats) -> Positions:
    """Return the places for which a metric is best."""
    n_classes, n_places = below.shape
    merit = _merit(metric, options)
    costs = costs_of(metric, options, below[:, -1])
    if costs is not None:
        return _cheapest(costs, below)
    if _n_combinations(n_places, n_classes) <= _most_combinations(n_classes):
        places, value = _best_of(_combinations(n_places, n_classes - 1), below, merit)
    else:
        climbs = [_climb(start, below, merit) for start in _starts(below, merit)]
        places, value = max(climbs, key=lambda climb: climb[1])
    if value == -np.inf:
        raise NoThresholds(f"{metric.name} is undefined on these rows, whatever the thresholds")
    return places


def _merit(metric: Metric, options: dict[str, Any]) -> Merit:
    """Make a function of counts (K, K, batch): higher is better, undefined is lowest."""
    kernel, sign = partial(metric.kernel, **options), 1 if metric.greater_is_better else -1

    def merit(stack: Stack) -> Floats:
        values = sign * np.asarray(kernel(batch_first(stack)))
        return np.where(np.isnan(values), -np.inf, values)

    return merit


def _n_combinations(n_places: int, n_classes: int) -> int:
    return math.comb(n_places + n_classes - 2, n_classes - 1)


def _most_combinations(n_classes: int) -> int:
    return min(MOST_COMBINATIONS, MOST_CELLS // n_classes**2)


def _best_of(combinations: Positions, below: Floats, merit: Merit) -> tuple[Positions, float]:
    """Return the first best of several combinations of places, and its value."""
    best, best_value = combinations[0], -math.inf
    for rows in _blocks(0, len(combinations), len(below)):
        values = merit(_matrices(combinations[rows], below))
        first = int(np.argmax(values))
        if values[first] > best_value:
            best, best_value = combinations[rows][first], float(values[first])
    return best, best_value


def _climb(places: Positions, below: Floats, merit: Merit) -> tuple[Positions, float]:
    """Move one threshold at a time to its best place, until none can be improved."""
    places, best_value = _best_of(places[None], below, merit)
    places = places.copy()
    k, settled = 0, 0
    while settled < len(places):
        place, value = _best_move(k, places, below, merit)
        if value > best_value:
            places[k], best_value = place, value
            settled = 0
        settled += 1
        k = (k + 1) % len(places)
    return places, best_value


def _best_move(k: int, places: Positions, below: Floats, merit: Merit) -> tuple[int, float]:
    """Return the lowest best place of one threshold between its neighbours, and its value."""
    n_classes, n_places = below.shape
    matrix = _matrices(places[None], below)
    low = places[k - 1] if k > 0 else 0
    high = places[k + 1] if k < len(places) - 1 else n_places - 1
    under = below[:, [low]] if k > 0 else 0.0
    best, best_value = low, -math.inf
    for columns in _blocks(low, high + 1, n_classes):
        # only two columns of the matrix change: the classes on either side of the threshold
        stack = np.repeat(matrix, columns.stop - columns.start, axis=2)
        stack[:, k] = below[:, columns] - under
        stack[:, k + 1] = below[:, [high]] - below[:, columns]
        values = merit(stack)
        first = int(np.argmax(values))
        if values[first] > best_value:
            best, best_value = columns.start + first, float(values[first])
    return best, best_value


def _starts(below: Floats, merit: Merit) -> Iterator[Positions]:
    """Yield the starts of a search: by absolute error, by class sizes, and from a coarse grid."""
    n_classes, n_places = below.shape
    yield _cheapest(distance(n_classes), below)
    as_true = np.searchsorted(below.sum(axis=0), np.cumsum(below[:, -1])[:-1])
    yield np.minimum(as_true, n_places - 1)  # the two sums are rounded each in its own way
    n_coarse = 1
    while _n_combinations(n_coarse + 1, n_classes) <= _most_combinations(n_classes):
        n_coarse += 1
    grid = np.linspace(0, n_places - 1, n_coarse).astype(np.intp)
    yield _best_of(grid[_combinations(n_coarse, n_classes - 1)], below, merit)[0]


def _matrices(combinations: Positions, below: Floats) -> Stack:
    """Count true and predicted classes for combinations of places, shape (K, K, batch)."""
    n_classes = len(below)
    at_or_below = np.zeros((n_classes, n_classes + 1, len(combinations)))
    at_or_below[:, 1:-1] = below[:, combinations.T]
    at_or_below[:, -1] = below[:, [-1]]
    counts: Stack = np.diff(at_or_below, axis=1)
    return counts


def _blocks(start: int, stop: int, n_classes: int) -> Iterator[slice]:
    """Cut a range into blocks whose matrices fit into the cache."""
    size = block_size(n_classes)
    for first in range(start, stop, size):
        yield slice(first, min(first + size, stop))
