"""Misclassification costs that grow with distance and with the rarity of classes: STC."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from pandas_ordinal.counting.arrays import Floats, Stack
from pandas_ordinal.errors import brief
from pandas_ordinal.metrics.count_kernel import metric
from pandas_ordinal.metrics.left_out import StackLike
from pandas_ordinal.metrics.stack import (
    are_moderate,
    cells,
    distance,
    power_of_two,
    reals,
    total,
    total_of_products,
)

BINOTTO_DELGADO = "Binotto & Delgado 2025, doi:10.1007/s10994-024-06654-4"
GEORGE = "George, Lu & Chang 2016, doi:10.5430/air.v5n1p135"

WITH_SIZES = r"\qquad s_r = n_{r\cdot}, \qquad S = \sum_r s_r"
BLIND_TO_MISSES = (
    "Missing a rare class costs little where a large one is predicted in its place: a "
    "model that only predicts the largest class looks good."
)
COST = r"\frac{1}{N} \sum_{r, c} n_{rc} \frac{S - s_r}{s_c} |r - c|"
HIGHEST_COST = r"\frac{1}{S} \sum_r s_r (S - s_r) \max_l \frac{|l - r|}{s_l}"


def _largest_total_cost(counts: Floats, options: Mapping[str, Any]) -> Any:
    """Return the upper limit of `total_cost` for the same options."""
    return max_total_cost(counts, **options)


@metric(
    reads_left_out=True,
    range=(0, np.inf),
    greater_is_better=False,
    reference=GEORGE,
    limits=lambda counts, options: (0, _largest_total_cost(counts, options)),
    formula=COST + "," + WITH_SIZES,
    blind_to=BLIND_TO_MISSES,
)
def total_cost(counts: StackLike, *, class_sizes: npt.ArrayLike | None = None) -> Stack:
    """Mean cost of a row, where an error costs more if the predicted class is rare (TC).

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.
    class_sizes : array_like, shape (K,), optional
        Sizes of the true classes to use instead of those of each matrix, such as those of the
        whole data set, so that folds are comparable.

    Returns
    -------
    float or ndarray, shape (...)
        0 or more, lower is better. NaN without rows, and where a class without true rows was
        predicted: its cost would be infinite.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, or if the sizes are not K non-negative
        numbers, or a true row belongs to a class of size 0.

    Notes
    -----
    ``sum n[r, c] * (S - s[r]) / s[c] * |r - c| / N`` with the sizes s of the true classes and
    their sum S. Binotto and Delgado write predicted classes on the rows; here they are columns.

    References
    ----------
    N. I. George, T.-P. Lu and C.-W. Chang, Cost-sensitive performance metric for comparing
    multiple ordinal classifiers, Artif. Intell. Res. 5 (2016) 135-143,
    doi:10.5430/air.v5n1p135; divided by N as by G. Binotto and R. Delgado (see `stc`).

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> float(po.metrics.total_cost([[1, 1], [0, 2]]))
    0.25
    """
    return _mean_cost(counts, true_sizes(counts, class_sizes))


@metric(
    reads_left_out=True,
    range=(0, np.inf),
    greater_is_better=None,
    reference=BINOTTO_DELGADO,
    of_a_model=False,
    formula=HIGHEST_COST + "," + WITH_SIZES,
)
def max_total_cost(counts: StackLike, *, class_sizes: npt.ArrayLike | None = None) -> Stack:
    """Highest total cost that any prediction of these true classes can have.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.
    class_sizes : array_like, shape (K,), optional
        Sizes of the true classes to use instead of those of each matrix, such as those of the
        whole data set, so that folds are comparable.

    Returns
    -------
    float or ndarray, shape (...)
        0 or more, neither good nor bad; 0 where all rows have one true class. NaN without rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, or if the sizes are not K non-negative
        numbers, or a true row belongs to a class of size 0.

    Notes
    -----
    ``sum_r s[r] * (S - s[r]) * max_l |l - r| / s[l] / S`` over the classes of positive size. It
    depends on the sizes s of the true classes alone: 1 for two classes, and for K balanced ones
    ``(K - 1) * (3 * K - 2) / 4`` (K even) or ``(K - 1)² * (3 * K + 1) / (4 * K)`` (K odd).

    References
    ----------
    G. Binotto and R. Delgado, Adapting performance metrics for ordinal classification to interval
    scale: length matters, Machine Learning 114 (2025), doi:10.1007/s10994-024-06654-4.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> float(po.metrics.max_total_cost([[1, 1], [0, 2]]))
    1.0
    """
    sizes = true_sizes(counts, class_sizes)
    return _highest_mean_cost(sizes)


@metric(
    reads_left_out=True,
    range=(0, 1),
    greater_is_better=False,
    reference=BINOTTO_DELGADO,
    formula=r"\frac{" + COST + "}{" + HIGHEST_COST + "}," + WITH_SIZES,
    blind_to=BLIND_TO_MISSES + " NaN where a class is predicted that has no true row.",
)
def stc(counts: StackLike, *, class_sizes: npt.ArrayLike | None = None) -> Stack:
    """Standardized total cost: the total cost as a share of the highest possible one.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.
    class_sizes : array_like, shape (K,), optional
        Sizes of the true classes to use instead of those of each matrix, such as those of the
        whole data set, so that folds are comparable. The value of one fold may then exceed
        1, and the mean over folds weighted by their rows is the value of all folds pooled.

    Returns
    -------
    float or ndarray, shape (...)
        0 to 1, lower is better. NaN without rows, with a single true class, and where a class
        without true rows was predicted.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, or if the sizes are not K non-negative
        numbers, or a true row belongs to a class of size 0.

    Notes
    -----
    ``total_cost / max_total_cost``. Doubling all counts does not change it (the paper's claim of
    homogeneity does not hold).

    References
    ----------
    G. Binotto and R. Delgado, Adapting performance metrics for ordinal classification to interval
    scale: length matters, Machine Learning 114 (2025), doi:10.1007/s10994-024-06654-4.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> float(po.metrics.stc([[1, 1], [0, 2]]))
    0.25
    """
    sizes = true_sizes(counts, class_sizes)
    return _mean_cost(counts, sizes) / _highest_mean_cost(sizes)


@metric(
    range=(0, np.inf),
    greater_is_better=None,
    reference=BINOTTO_DELGADO,
    output=("true", "pred"),
    formula=r"\frac{1}{N} \frac{S - s_r}{s_c} |r - c|," + WITH_SIZES,
)
def cost_matrix(counts: Stack, *, class_sizes: npt.ArrayLike | None = None) -> Stack:
    """Cost of one row in each cell: what it adds to the total cost.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.
    class_sizes : array_like, shape (K,), optional
        Sizes of the true classes to use instead of those of each matrix, such as those of the
        whole data set, so that folds are comparable.

    Returns
    -------
    ndarray, shape (..., K, K)
        0 or more, neither good nor bad. NaN in the row and the column of a class without true
        rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, or if the sizes are not K non-negative
        numbers, or a true row belongs to a class of size 0.

    Notes
    -----
    ``(S - s[r]) / s[c] * |r - c| / N``, so that the sum of ``counts * cost_matrix`` is the total
    cost.

    References
    ----------
    G. Binotto and R. Delgado, Adapting performance metrics for ordinal classification to interval
    scale: length matters, Machine Learning 114 (2025), doi:10.1007/s10994-024-06654-4.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> po.metrics.cost_matrix([[1, 1], [0, 2]]).tolist()
    [[0.0, 0.25], [0.25, 0.0]]
    """
    return _costs(true_sizes(counts, class_sizes)) / total(counts)


def true_sizes(counts: StackLike, class_sizes: npt.ArrayLike | None) -> Stack:
    """Return the size of each true class, shape (K, batch), NaN where there is none."""
    observed = counts.sum(axis=1)
    if class_sizes is None:
        return np.where(observed > 0, observed, np.nan)
    sizes = reals("class_sizes", class_sizes)
    if sizes.shape != (len(counts),) or (sizes < 0).any():
        raise ValueError(
            f"class_sizes={brief(class_sizes)} must be {len(counts)} non-negative numbers, "
            "one per class, in the order of the classes"
        )
    if (observed.sum(axis=1) > 0)[sizes == 0].any():
        position = int(np.argmax((observed.sum(axis=1) > 0) & (sizes == 0)))
        raise ValueError(
            f"class_sizes gives size 0 to class {position} (counted from 0), which has true rows: "
            "give the sizes of a data set that contains these rows"
        )
    sizes = np.where(sizes > 0, sizes, np.nan)
    return np.broadcast_to(sizes[:, None], observed.shape)


def costs(densities: Stack, distances: Stack) -> Stack:
    """Return the cost of a row in each cell, shape (K, K, batch), NaN for absent classes.

    The density of a class is its size, or its size per unit of length where classes are bins.
    """
    return _cost(sum_of_others(densities)[:, None], densities, distances)


def _cost(others: Stack, density: Stack, apart: Stack) -> Stack:
    """Return the cost of a row, given the densities of the classes but its own."""
    cost: Stack = others / density * apart
    return cost


def sum_of_others(densities: Stack) -> Stack:
    """Add up the densities of all other classes; a difference would cancel."""
    others = 1 - np.eye(len(densities))
    absent = np.isnan(densities)
    return np.where(absent, np.nan, others @ np.where(absent, 0, densities))


def mean_cost(counts: Stack, costs: Stack) -> Stack:
    """Return the mean cost of a row; cells without rows cost nothing, even if theirs is inf."""
    sums, of_rows = total(counts), np.where(counts > 0, costs, 0)
    mean: Stack = total_of_products(counts, of_rows) / sums
    if not are_moderate(sums) or np.isinf(mean).any():
        shares = counts * power_of_two(sums)
        mean = total_of_products(shares, of_rows) / total(shares)
    return mean


def _mean_cost(counts: StackLike, sizes: Stack) -> Stack:
    """Return the mean cost of a row, given the sizes of the classes."""
    true, pred, shares = cells(counts / total(counts))
    costs = _cost(sum_of_others(sizes)[true], sizes[pred], np.abs(true - pred)[:, None])
    return total(shares * np.where(shares > 0, costs, 0))


def _highest_mean_cost(sizes: Stack) -> Stack:
    """Return the same if each row were predicted as the most expensive class."""
    others, apart = sum_of_others(sizes), distance(len(sizes))
    highest = np.full(sizes.shape, np.nan)
    for pred, size in enumerate(sizes):
        np.fmax(highest, _cost(others, size, apart[:, pred, None]), out=highest)
    return _mean_of_highest(sizes, highest)


def highest_mean_cost(sizes: Stack, costs: Stack) -> Stack:
    """Return the mean cost of a row if each one were predicted as the most expensive class."""
    return _mean_of_highest(sizes, np.fmax.reduce(costs, axis=1))


def _mean_of_highest(sizes: Stack, highest: Stack) -> Stack:
    shares = sizes * power_of_two(np.nansum(sizes, axis=0))
    mean: Stack = np.nansum(shares * highest, axis=0) / np.nansum(shares, axis=0)
    return mean


def _costs(sizes: Stack) -> Stack:
    return costs(sizes, distance(len(sizes))[:, :, None])
