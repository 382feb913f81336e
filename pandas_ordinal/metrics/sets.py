"""Sets of neighbouring classes that hold the true one as often as asked."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from pandas_ordinal.counting.arrays import (
    Floats,
    Positions,
    Probabilities,
    blocks,
    refuse_wrong_atol,
    tolerance,
)
from pandas_ordinal.errors import brief
from pandas_ordinal.hints import explains_arguments
from pandas_ordinal.metrics.metric import Values
from pandas_ordinal.metrics.proba_kernel import as_probabilities, flat_probabilities, middle_of
from pandas_ordinal.metrics.segments import Segments, one_by_one, with_leading
from pandas_ordinal.metrics.stack import plain_array, refuse_labels

TOLERANCE_OF_RANKS = 1e-9
TOLERANCE_OF_LIMITS = 1e-12


@explains_arguments
def set_limits(
    true: npt.ArrayLike,
    proba: npt.ArrayLike,
    sample_weight: npt.ArrayLike | None = None,
    *,
    coverage: float,
    by_class: bool = False,
) -> Values:
    """Find the limits with which sets of neighbouring classes hold the true class that often.

    Parameters
    ----------
    true : array_like of int, shape (..., n)
        The true class of each row, 0 to K - 1; -1 for a row that does not count.
    proba : array_like, shape (..., n, K)
        The probabilities of the classes, of a model that was fitted to other rows.
    sample_weight : array_like, shape (..., n), optional
        The weight of each row: 2 counts as two rows.
    coverage : float
        The share of new rows whose set holds the true class, such as 0.9.
    by_class : bool, default False
        Whether this share holds in each true class, and not only over all rows.

    Returns
    -------
    ndarray, shape (..., K)
        The limit of each class, for `prediction_sets`; all are equal unless ``by_class=True``.
        Infinite, which lets the class into all sets, where there are too few rows to tell: fewer
        than ``coverage / (1 - coverage)``.

    Raises
    ------
    ValueError
        If `coverage` is not between 0 and 1, a class is outside -1 to K - 1, probabilities are
        negative or NaN or do not sum to 1 within 1e-6, or the shapes do not match.

    Notes
    -----
    Split conformal prediction. The error of a row is its `rps`: for the class y the sum ``s(y) =
    sum (F[k] - 1[y <= k])^2`` over the classes k but the last. The limit is the error at the rank
    ``ceil((n + 1) * coverage)`` among those of the n rows at their true classes, or with
    ``by_class=True`` of the rows of the class. If new rows are exchangeable with these, ``s(y) <=
    limit`` holds for a share of them that is at least `coverage` in expectation, and at most
    ``coverage + 1 / (n + 1)`` without ties.

    The rows must not be those to which the model was fitted: their errors are too small.

    References
    ----------
    V. Vovk, A. Gammerman and G. Shafer, Algorithmic learning in a random world, 2005,
    doi:10.1007/b106715. By class: V. Vovk, Conditional validity of inductive conformal predictors,
    Mach. Learn. 92 (2013) 349-376, doi:10.1007/s10994-013-5355-6.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> true, proba = [0, 1, 2], [[0.8, 0.2, 0], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4]]
    >>> po.metrics.set_limits(true, proba, coverage=0.7).round(2).tolist()
    [0.45, 0.45, 0.45]
    """
    refuse_coverage(coverage)
    segments, columns, leading = flat_probabilities(true, proba, sample_weight)
    return with_leading(leading, limits_of_segments(segments, columns, coverage, by_class))


def refuse_coverage(coverage: Any) -> None:
    """Raise unless this is a share of rows."""
    is_number = isinstance(coverage, (int, float, np.integer, np.floating))
    if isinstance(coverage, bool) or not is_number or not 0 < coverage < 1:
        raise ValueError(
            f"coverage={brief(coverage)} must be a share between 0 and 1, such as coverage=0.9"
        )


def limits_of_segments(
    rows: Segments, proba: Probabilities, coverage: float, by_class: bool
) -> Floats:
    """Return the limit of each class in each segment, ``(segments, K)``."""
    n_segments, n_classes = rows.n_segments, rows.n_classes
    errors = np.empty(len(rows.codes))
    for block in blocks(len(errors)):
        codes = rows.codes[block]
        of_classes = errors_by_class(proba[block])
        errors[block] = of_classes[np.arange(len(codes)), np.maximum(codes, 0)]
    counted, (errors,) = rows.counted(errors)
    stratum = counted.segment * n_classes + counted.codes if by_class else counted.segment
    shape = n_segments, n_classes if by_class else 1
    limits = _smallest_errors(errors, stratum, math.prod(shape), counted.weights, coverage)
    return np.broadcast_to(limits.reshape(shape), (n_segments, n_classes)).copy()


def _smallest_errors(
    errors: Floats, stratum: Positions, n_strata: int, weights: Floats | None, coverage: float
) -> Floats:
    """Return the error of each stratum at the rank of a coverage; infinite if it has too few rows.

    As many rows, or weights, are at or below it as the coverage of these and of one row more.
    """
    order = np.argsort(errors)
    if n_strata > 1:
        in_strata = one_by_one(stratum[order])
        order = order if in_strata is None else order[in_strata]
    in_order = errors[order]
    weights = np.ones(len(errors)) if weights is None else weights[order]
    sizes = np.bincount(stratum[order], weights, n_strata)
    needed = (sizes + 1) * coverage - TOLERANCE_OF_RANKS
    limits = np.full(n_strata, np.inf)
    enough = np.flatnonzero(needed <= sizes)
    n_rows = np.bincount(stratum, minlength=n_strata)
    ends = np.cumsum(n_rows)
    upto = np.concatenate([[0], np.cumsum(weights)])
    places = np.searchsorted(upto[1:], (upto[ends - n_rows] + needed)[enough])
    # sums of many weights are rounded, and may end in another stratum
    limits[enough] = in_order[np.minimum(places, ends[enough] - 1)]
    return limits


def errors_by_class(proba: Floats) -> Floats:
    """Return the ranked probability score of each row, were each class the true one, ``(n, K)``.

    ``s(y + 1) - s(y) = 2 F[y] - 1`` rises with y, so that the classes with errors up to a limit
    are neighbours.
    """
    below = np.cumsum(proba[:, :-1], axis=1)
    errors = np.empty(proba.shape, order="F")
    errors[:, 0] = ((1 - below) ** 2).sum(axis=1)
    for code in range(proba.shape[1] - 1):
        errors[:, code + 1] = errors[:, code] + (2 * below[:, code] - 1)
    return errors


@explains_arguments
def prediction_sets(
    proba: npt.ArrayLike, limits: npt.ArrayLike, *, atol: float | None = None
) -> tuple[Positions, Positions]:
    """Return the lowest and the highest class of the prediction set of each row.

    Parameters
    ----------
    proba : array_like, shape (..., K)
        The probabilities of the classes.
    limits : array_like, shape (K,)
        The limit of each class, the result of `set_limits`.
    atol : float, optional
        By how much the probabilities of a row may differ from a sum of 1, such as 0.002 for three
        decimals. They are not rescaled. Default: 1e-6.

    Returns
    -------
    tuple of ndarray, shape (...)
        The codes of the lowest and of the highest class, 0 to K - 1.

    Raises
    ------
    ValueError
        If probabilities are negative or NaN or do not sum to 1 within 1e-6, or `atol`, or the
        limits are not K numbers, which may be infinite.

    Notes
    -----
    A class is in the set of a row if its error, the `rps` of the row if this class were the true
    one, is at most its limit, within 1e-12. These classes are neighbours if all limits are equal;
    otherwise the set goes from the lowest to the highest of them. If there is none, the set is the
    `median_class`, which has the smallest error.

    References
    ----------
    S. Killmaier, A. Javanmardi and E. Hüllermeier, arXiv:2606.24959 (2026).

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> low, high = po.metrics.prediction_sets([[0.8, 0.2, 0], [0.3, 0.3, 0.4]], [0.45] * 3)
    >>> low.tolist(), high.tolist()
    ([0, 1], [0, 2])
    """
    refuse_wrong_atol(atol)
    array = as_probabilities(proba)
    n_classes = array.shape[-1]
    refuse_labels(
        "limits",
        limits,
        "call df.ordinal.prediction_sets(...), which reads labels, or give a plain array in the "
        "order of the classes",
    )
    bounds = limits_of_sets(limits, n_classes)
    within = tolerance(n_classes, array.dtype, atol=atol)
    rows = Probabilities(list(array.reshape(-1, n_classes).T), within, "atol")
    rows.refuse_wrong(np.zeros(len(rows.columns[0]), np.int8))
    low, high = ends_of_sets(rows, bounds)
    return low.reshape(array.shape[:-1])[()], high.reshape(array.shape[:-1])[()]


def ends_of_sets(proba: Probabilities, limits: Floats) -> tuple[Positions, Positions]:
    """Return the lowest and the highest class of the set of each row."""
    n_rows = len(proba.columns[0])
    low, high = np.empty((2, n_rows), np.intp)
    for block in blocks(n_rows):
        low[block], high[block] = _ends(proba[block], limits)
    return low, high


def _ends(proba: Floats, limits: Floats) -> tuple[Positions, Positions]:
    """Return the lowest and the highest class whose error is within its limit."""
    errors = errors_by_class(proba)
    is_in = errors <= limits + TOLERANCE_OF_LIMITS
    low = np.argmax(is_in, axis=1)
    high = is_in.shape[1] - 1 - np.argmax(is_in[:, ::-1], axis=1)
    empty = ~np.logical_or.reduce(is_in, axis=1)
    low[empty] = high[empty] = middle_of(proba[empty])
    return low, high


def limits_of_sets(limits: npt.ArrayLike, n_classes: int) -> Floats:
    """Return limits as an array; raise for anything but a number for each class."""
    given = plain_array("limits", limits)
    if given.dtype.kind not in "iuf" or given.shape != (n_classes,):
        raise ValueError(
            f"limits={brief(limits)} must be {n_classes} numbers, one for each class: give the "
            "result of set_limits"
        )
    if not (given >= 0).all():
        raise ValueError(
            f"limits={brief(limits)} must be 0 or more, or infinite: give the result of set_limits"
        )
    return given.astype(float)
