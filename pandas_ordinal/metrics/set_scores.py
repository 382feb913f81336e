"""How good sets of neighbouring classes are: how often they hold the true class, and their size.

The class of a set that is nearest to the true one takes the place of a prediction. How often sets
hold the true class, and by how far they miss it, are then metrics of counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pandas_ordinal.counting.arrays import Array, Codes, Floats, Positions
from pandas_ordinal.errors import brief, signature_of
from pandas_ordinal.hints import explains_arguments
from pandas_ordinal.metrics.metric import Metric, Resolved, Values, registry
from pandas_ordinal.metrics.segments import (
    LARGEST_N_CLASSES,
    Segments,
    as_array,
    flatten_to_segments,
    refuse_n_classes,
    refuse_other_rows,
    with_leading,
)
from pandas_ordinal.metrics.sets import refuse_coverage

VOVK = "Vovk, Gammerman and Shafer 2005, doi:10.1007/b106715"
WINKLER = "Winkler 1972, doi:10.1080/01621459.1972.10481224"


@explains_arguments
def set_coverage(
    true: npt.ArrayLike,
    low: npt.ArrayLike,
    high: npt.ArrayLike,
    sample_weight: npt.ArrayLike | None = None,
) -> Values:
    """Share of the rows whose set holds the true class.

    Parameters
    ----------
    true : array_like of int, shape (..., n)
        The true class of each row, 0 to K - 1; -1 for a row that does not count.
    low, high : array_like of int, shape (..., n)
        The lowest and the highest class of the set of each row; -1 for a row that does not count.
    sample_weight : array_like, shape (..., n), optional
        The weight of each row: 2 counts as two rows.

    Returns
    -------
    float or ndarray, shape (...)
        0 to 1: the share that was asked for is best. NaN without rows.

    Raises
    ------
    ValueError
        If classes are not integers from -1, a set has `low` above `high`, or the shapes do not
        match.

    Notes
    -----
    The mean of ``1[low <= y <= high]``.

    References
    ----------
    V. Vovk, A. Gammerman and G. Shafer, Algorithmic learning in a random world, 2005,
    doi:10.1007/b106715.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> float(po.metrics.set_coverage([0, 1, 2, 2], [0, 0, 0, 1], [1, 0, 1, 2]))
    0.5
    """
    return _mean_over(_held, true, low, high, sample_weight)


@explains_arguments
def set_class_coverage(
    true: npt.ArrayLike,
    low: npt.ArrayLike,
    high: npt.ArrayLike,
    n_classes: int,
    sample_weight: npt.ArrayLike | None = None,
) -> Values:
    """Share of the rows of each true class whose set holds it.

    Parameters
    ----------
    true : array_like of int, shape (..., n)
        The true class of each row, 0 to K - 1; -1 for a row that does not count.
    low, high : array_like of int, shape (..., n)
        The lowest and the highest class of the set of each row; -1 for a row that does not count.
    n_classes : int
        The number of classes, K.
    sample_weight : array_like, shape (..., n), optional
        The weight of each row: 2 counts as two rows.

    Returns
    -------
    ndarray, shape (..., K)
        0 to 1: the share that was asked for is best. NaN for a class without rows.

    Raises
    ------
    ValueError
        If a class is outside -1 to K - 1, a set has `low` above `high`, or the shapes do not
        match.

    Notes
    -----
    `set_coverage` of the rows of each true class.

    References
    ----------
    V. Vovk, Conditional validity of inductive conformal predictors, Mach. Learn. 92 (2013)
    349-376, doi:10.1007/s10994-013-5355-6.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> po.metrics.set_class_coverage([0, 1, 2, 2], [0, 0, 0, 1], [1, 0, 1, 2], 3).tolist()
    [1.0, 0.0, 0.5]
    """
    refuse_n_classes(n_classes)
    rows, sets, leading = _read(true, low, high, sample_weight, n_classes)
    return with_leading(leading, _coverage_by_class(rows, sets, rows.codes, n_classes))


@explains_arguments
def set_least_coverage(
    true: npt.ArrayLike,
    low: npt.ArrayLike,
    high: npt.ArrayLike,
    sample_weight: npt.ArrayLike | None = None,
) -> Values:
    """Smallest share of the rows of a true class whose set holds it.

    Parameters
    ----------
    true : array_like of int, shape (..., n)
        The true class of each row, 0 to K - 1; -1 for a row that does not count.
    low, high : array_like of int, shape (..., n)
        The lowest and the highest class of the set of each row; -1 for a row that does not count.
    sample_weight : array_like, shape (..., n), optional
        The weight of each row: 2 counts as two rows.

    Returns
    -------
    float or ndarray, shape (...)
        0 to 1, higher is better. NaN without rows.

    Raises
    ------
    ValueError
        If classes are not integers from -1, a set has `low` above `high`, or the shapes do not
        match.

    Notes
    -----
    The smallest of `set_class_coverage`, over the classes with rows.

    References
    ----------
    V. Vovk, Conditional validity of inductive conformal predictors, Mach. Learn. 92 (2013)
    349-376, doi:10.1007/s10994-013-5355-6.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> float(po.metrics.set_least_coverage([0, 1, 2, 2], [0, 0, 0, 1], [1, 1, 1, 2]))
    0.5
    """
    rows, sets, leading = _read(true, low, high, sample_weight)
    present, number = np.unique(rows.codes, return_inverse=True)
    shares = _coverage_by_class(rows, sets, number, len(present))
    return with_leading(leading, np.fmin.reduce(shares, axis=1, initial=np.nan))


@explains_arguments
def set_distance(
    true: npt.ArrayLike,
    low: npt.ArrayLike,
    high: npt.ArrayLike,
    sample_weight: npt.ArrayLike | None = None,
) -> Values:
    """Mean number of classes by which sets miss the true class.

    Parameters
    ----------
    true : array_like of int, shape (..., n)
        The true class of each row, 0 to K - 1; -1 for a row that does not count.
    low, high : array_like of int, shape (..., n)
        The lowest and the highest class of the set of each row; -1 for a row that does not count.
    sample_weight : array_like, shape (..., n), optional
        The weight of each row: 2 counts as two rows.

    Returns
    -------
    float or ndarray, shape (...)
        0 to K - 1, lower is better. NaN without rows.

    Raises
    ------
    ValueError
        If classes are not integers from -1, a set has `low` above `high`, or the shapes do not
        match.

    Notes
    -----
    The mean of ``max(low - y, y - high, 0)``.

    References
    ----------
    R. L. Winkler, A decision-theoretic approach to interval estimation, J. Am. Stat. Assoc. 67
    (1972) 187-191, doi:10.1080/01621459.1972.10481224.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> float(po.metrics.set_distance([0, 2, 2, 2], [0, 0, 0, 1], [1, 0, 1, 2]))
    0.75
    """
    return _mean_over(_missed_by, true, low, high, sample_weight)


@explains_arguments
def set_size(
    true: npt.ArrayLike,
    low: npt.ArrayLike,
    high: npt.ArrayLike,
    sample_weight: npt.ArrayLike | None = None,
) -> Values:
    """Mean number of classes in a set.

    Parameters
    ----------
    true : array_like of int, shape (..., n)
        The true class of each row, 0 to K - 1; -1 for a row that does not count.
    low, high : array_like of int, shape (..., n)
        The lowest and the highest class of the set of each row; -1 for a row that does not count.
    sample_weight : array_like, shape (..., n), optional
        The weight of each row: 2 counts as two rows.

    Returns
    -------
    float or ndarray, shape (...)
        1 to K; lower is better among sets of the same coverage. NaN without rows.

    Raises
    ------
    ValueError
        If classes are not integers from -1, a set has `low` above `high`, or the shapes do not
        match.

    Notes
    -----
    The mean of ``high - low + 1``, over rows whose true class is known.

    References
    ----------
    V. Vovk, A. Gammerman and G. Shafer, Algorithmic learning in a random world, 2005,
    doi:10.1007/b106715.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> float(po.metrics.set_size([0, 1, 2, 2], [0, 0, 0, 1], [1, 0, 1, 2]))
    1.75
    """
    return _mean_over(_sizes, true, low, high, sample_weight)


@explains_arguments
def set_interval_score(
    true: npt.ArrayLike,
    low: npt.ArrayLike,
    high: npt.ArrayLike,
    sample_weight: npt.ArrayLike | None = None,
    *,
    coverage: float,
) -> Values:
    """Interval score of sets: their width, and a penalty for those that miss the true class.

    Parameters
    ----------
    true : array_like of int, shape (..., n)
        The true class of each row, 0 to K - 1; -1 for a row that does not count.
    low, high : array_like of int, shape (..., n)
        The lowest and the highest class of the set of each row; -1 for a row that does not count.
    sample_weight : array_like, shape (..., n), optional
        The weight of each row: 2 counts as two rows.
    coverage : float
        The share of rows whose set should hold the true class, such as 0.9.

    Returns
    -------
    float or ndarray, shape (...)
        0 to infinity, lower is better. NaN without rows.

    Raises
    ------
    ValueError
        If `coverage` is not between 0 and 1, classes are not integers from -1, a set has `low`
        above `high`, or the shapes do not match.

    Notes
    -----
    The mean of ``high - low + 2 / (1 - coverage) * max(low - y, y - high, 0)``. It is lowest for
    the quantiles ``(1 - coverage) / 2`` and ``(1 + coverage) / 2`` of the true distribution.

    References
    ----------
    R. L. Winkler, A decision-theoretic approach to interval estimation, J. Am. Stat. Assoc. 67
    (1972) 187-191, doi:10.1080/01621459.1972.10481224.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> score = po.metrics.set_interval_score([0, 2], [0, 0], [1, 1], coverage=0.9)
    >>> round(float(score), 6)
    11.0
    """
    refuse_coverage(coverage)
    return _mean_over(_interval_scores, true, low, high, sample_weight, coverage=coverage)


def nearest_in_set(true: Codes, low: Codes, high: Codes) -> Codes:
    """Return the class of each set that is nearest to the true one; -1 where one is missing."""
    nearest = np.minimum(np.maximum(true, low), high)
    return np.where(np.minimum(np.minimum(true, low), high) < 0, -1, nearest)


class RowsOfSets(NamedTuple):
    """Rows, the lowest and the highest class of their sets ``(n, 2)``, and the leading shape."""

    rows: Segments
    sets: Array
    leading: tuple[int, ...]


OfSet: TypeAlias = Callable[..., Array]
"""A function of the true class of a row and of the ends of its set, whose mean is taken."""


def _mean_over(
    of_row: OfSet,
    true: npt.ArrayLike,
    low: npt.ArrayLike,
    high: npt.ArrayLike,
    sample_weight: npt.ArrayLike | None,
    **options: Any,
) -> Values:
    """Return the mean over the rows of what a function gives each."""
    rows, sets, leading = _read(true, low, high, sample_weight)
    cells = rows.segment, rows.n_segments
    return with_leading(leading, _means(of_row, rows, sets, *cells, **options))


def _coverage_by_class(rows: Segments, sets: Array, number: Positions, n: int) -> Floats:
    """Return the share of the rows of each of n true classes whose set holds it.

    The true classes have numbers, one for each row. The shape is ``(segments, n)``.
    """
    cell, shape = rows.segment * n + number, (rows.n_segments, n)
    return _means(_held, rows, sets, cell, math.prod(shape)).reshape(shape)


def _means(
    of_row: OfSet, rows: Segments, sets: Array, cell: Positions, n_cells: int, **options: Any
) -> Floats:
    """Return the means of what a function gives the rows of each cell, NaN without rows."""
    values, weights = of_row(rows.codes, *sets.T, **options), rows.weights
    sums = np.bincount(cell, values if weights is None else weights * values, n_cells)
    with np.errstate(invalid="ignore"):
        means: Floats = sums / np.bincount(cell, weights, n_cells)
    return means


def _read(
    true: npt.ArrayLike,
    low: npt.ArrayLike,
    high: npt.ArrayLike,
    sample_weight: npt.ArrayLike | None,
    n_classes: int = LARGEST_N_CLASSES,
) -> RowsOfSets:
    """Read the rows that count; raise for anything but sets of classes."""
    refuse_other_rows(true=true, low=low, high=high, sample_weight=sample_weight)
    ends = [_codes_of("low", low, n_classes), _codes_of("high", high, n_classes)]
    rows, ends, leading = flatten_to_segments(true, n_classes, sample_weight, *ends)
    codes = np.where(np.minimum(*ends) < 0, -1, rows.codes)
    refuse_wrong_sets(np.where(codes < 0, -1, ends[0]), ends[1])
    rows, (sets,) = replace(rows, codes=codes).counted(np.stack(ends, axis=1))
    return RowsOfSets(rows, sets, leading)


def _codes_of(name: str, end: npt.ArrayLike, n_classes: int) -> Array:
    """Return an end of the sets as codes; raise for anything else."""
    codes = as_array(name, end)
    if codes.size and (codes.dtype.kind not in "iu" or codes.min() < -1):
        raise ValueError(
            f"{name} must be an array (..., n) of integers from -1, the codes of classes, not "
            f"{codes.dtype}: give a column's .cat.codes, for example"
        )
    if codes.max(initial=0) >= n_classes:
        raise ValueError(
            f"{name} holds {codes.max()}, which is not a code of {n_classes} classes: codes are 0 "
            f"to {n_classes - 1}, or -1 for a row that does not count"
        )
    return codes.astype(np.int64)


def refuse_wrong_sets(low: Codes, high: Codes, labels: Any = None) -> None:
    """Raise for sets whose lowest class is above the highest one; labels name the rows."""
    wrong = np.flatnonzero((low > high) & (high >= 0))
    if len(wrong):
        first = wrong[0] if labels is None else labels[wrong[0]]
        first = first.item() if isinstance(first, np.generic) else first
        n_rows = "1 row" if len(wrong) == 1 else f"{len(wrong)} rows"
        raise ValueError(
            f"low is above high in {n_rows}, first in row {brief(first)}: give the lowest class "
            "of each set as low=, and the highest as high="
        )


def _of_sets(of_row: OfSet, kernel: Callable[..., Values], **facts: Any) -> Metric:
    """Return a metric that is a mean over rows of a function of the true class and the set."""

    def by_segment(rows: Segments, sets: Array, **options: Any) -> Floats:
        counted, (sets,) = rows.counted(sets)
        return _means(of_row, counted, sets, counted.segment, counted.n_segments, **options)

    return Metric(
        name=kernel.__name__, kernel=kernel, needs="sets", by_segment=by_segment, is_row_mean=True,
        greater_is_better=False, guesses=_lowest_classes, **facts,
    )  # fmt: skip


def _lowest_classes(n_classes: int) -> tuple[Codes, Array]:
    """Return the pseudo-row: all sets of the lowest classes, with each true class."""
    true, high = (one.ravel() for one in np.indices((n_classes, n_classes)))
    return true, np.stack([np.zeros_like(high), high], axis=1)


def _held(true: Codes, low: Codes, high: Codes) -> Array:
    return (low <= true) & (true <= high)


def _missed_by(true: Codes, low: Codes, high: Codes) -> Codes:
    distances: Codes = np.abs(true - nearest_in_set(true, low, high))
    return distances


def _sizes(true: Codes, low: Codes, high: Codes) -> Floats:
    return np.asarray(high - low + 1, float)


def _interval_scores(true: Codes, low: Codes, high: Codes, *, coverage: float) -> Floats:
    missed = _missed_by(true, low, high)
    return np.asarray(high - low + 2 / (1 - coverage) * missed, float)


SIZE = _of_sets(_sizes, set_size, options=(), range=(1, "K"), reference=VOVK)
INTERVAL_SCORE = _of_sets(
    _interval_scores,
    set_interval_score,
    options=(signature_of(set_interval_score).parameters["coverage"],),
    range=(0, np.inf),
    reference=WINKLER,
)
OF_SETS: Mapping[str, Metric] = {metric.name: metric for metric in (SIZE, INTERVAL_SCORE)}


def metrics_of_sets(coverage: float | None) -> Mapping[str, Resolved]:
    """Return the metrics of a report on sets, by their columns; a score needs the coverage."""
    requested = {
        "coverage": Resolved(registry["accuracy"], {}),
        "size": Resolved(SIZE, {}),
        "least_coverage": Resolved(registry["min_sensitivity"], {}),
        "distance": Resolved(registry["mae"], {}),
    }
    if coverage is not None:
        refuse_coverage(coverage)
        requested["interval_score"] = Resolved(INTERVAL_SCORE, {"coverage": coverage})
    return requested
