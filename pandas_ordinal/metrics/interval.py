"""Costs and distances of classes that are bins of different lengths: interval STC and MAE."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pandas_ordinal.classes.bins import edge_numbers
from pandas_ordinal.counting.arrays import Stack
from pandas_ordinal.errors import brief, is_iterable
from pandas_ordinal.metrics.cost import (
    BINOTTO_DELGADO,
    BLIND_TO_MISSES,
    costs,
    highest_mean_cost,
    mean_cost,
    sum_of_others,
    true_sizes,
)
from pandas_ordinal.metrics.count_kernel import metric
from pandas_ordinal.metrics.stack import power_of_two, real, refuse_extreme, total

HAUSDORFF = r"\qquad h_{rc} = \max(|a_r - a_c|, |b_r - b_c|)"
DENSITIES = r"\qquad \delta_r = \frac{s_r}{b_r - a_r}, \qquad \Delta = \sum_r \delta_r,"
BLIND_TO_PLACE = "Where in its bin a value lies."
COST_OF_BINS = r"\frac{1}{N} \sum_{r, c} n_{rc} \frac{\Delta - \delta_r}{\delta_c} h_{rc}"
HIGHEST_COST_OF_BINS = r"\frac{1}{S} \sum_r s_r (\Delta - \delta_r) \max_l \frac{h_{lr}}{\delta_l}"

Unbounded: TypeAlias = Literal["optimal", "raise"] | float | tuple[float, float]


class Bins(NamedTuple):
    """Bins of finite length, one row per class: shape (K, batch), or (K, 1) if shared by all."""

    starts: Stack
    ends: Stack
    lengths: Stack


@metric(
    range=(0, np.inf),
    greater_is_better=False,
    reference=BINOTTO_DELGADO,
    needs="edges",
    formula=COST_OF_BINS + "," + DENSITIES + HAUSDORFF,
    blind_to=BLIND_TO_PLACE + " " + BLIND_TO_MISSES,
)
def interval_total_cost(
    counts: Stack,
    edges: npt.ArrayLike,
    *,
    unbounded: Unbounded = "optimal",
    class_sizes: npt.ArrayLike | None = None,
) -> Stack:
    """Mean cost of a row, by the distance between the bins and the density of the predicted one.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.
    edges : array_like, shape (K + 1,)
        The edges of the bins: increasing numbers, datetimes or timedeltas; the first may be -inf,
        or the last inf. Or an IntervalIndex.
    unbounded : {"optimal", "raise"}, float or pair of floats, default "optimal"
        The length of a bin that has an infinite edge: "optimal" minimizes the highest possible
        cost, "raise" raises an error, and a number is the length itself. A pair gives the lengths
        of the first and the last bin if both are open, as there is no optimal pair.
    class_sizes : array_like, shape (K,), optional
        Sizes of the true classes to use instead of those of each matrix, such as those of the
        whole data set, so that folds are comparable and an open bin has the same length in each.

    Returns
    -------
    float or ndarray, shape (...)
        0 or more, lower is better, in the unit of the edges (seconds for datetimes). NaN without
        rows, and where a class without true rows was predicted: its cost would be infinite.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, if edges do not increase or are not
        K + 1, if a bin is open and `unbounded` does not give its length, or if class sizes are not
        K non-negative numbers, or a true row belongs to a class of size 0.

    Notes
    -----
    ``sum n[r, c] * (D - d[r]) / d[c] * h[r, c] / N`` with the density ``d = s / length`` of a
    class of s true rows, the sum D of the densities, and the Hausdorff distance ``h[r, c] =
    max(|start[r] - start[c]|, |end[r] - end[c]|)`` of two bins. Bins of equal length L give L
    times the total cost. Which side of the bins is closed does not matter.

    References
    ----------
    G. Binotto and R. Delgado, Adapting performance metrics for ordinal classification to interval
    scale: length matters, Machine Learning 114 (2025), doi:10.1007/s10994-024-06654-4.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> float(po.metrics.interval_total_cost([[1, 1], [0, 2]], [0, 10, 30]))
    5.0
    """
    sizes = true_sizes(counts, class_sizes)
    return mean_cost(counts, _costs(sizes, _bins(sizes, edges, unbounded)))


@metric(
    range=(0, np.inf),
    greater_is_better=None,
    reference=BINOTTO_DELGADO,
    needs="edges",
    of_a_model=False,
    formula=HIGHEST_COST_OF_BINS + "," + DENSITIES + HAUSDORFF,
)
def max_interval_total_cost(
    counts: Stack,
    edges: npt.ArrayLike,
    *,
    unbounded: Unbounded = "optimal",
    class_sizes: npt.ArrayLike | None = None,
) -> Stack:
    """Highest interval total cost that any prediction of these true classes can have.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.
    edges : array_like, shape (K + 1,)
        The edges of the bins: increasing numbers, datetimes or timedeltas; the first may be -inf,
        or the last inf. Or an IntervalIndex.
    unbounded : {"optimal", "raise"}, float or pair of floats, default "optimal"
        The length of a bin that has an infinite edge: "optimal" minimizes the highest possible
        cost, "raise" raises an error, and a number is the length itself. A pair gives the lengths
        of the first and the last bin if both are open, as there is no optimal pair.
    class_sizes : array_like, shape (K,), optional
        Sizes of the true classes to use instead of those of each matrix, such as those of the
        whole data set, so that folds are comparable and an open bin has the same length in each.

    Returns
    -------
    float or ndarray, shape (...)
        0 or more, neither good nor bad; 0 where all rows have one true class. NaN without rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, if edges do not increase or are not
        K + 1, if a bin is open and `unbounded` does not give its length, or if class sizes are not
        K non-negative numbers, or a true row belongs to a class of size 0.

    Notes
    -----
    ``sum_r s[r] * (D - d[r]) * max_l h[l, r] / d[l] / S`` over the classes of positive size, with
    densities d and distances h as in `interval_total_cost` and the sum S of the sizes s. For two
    classes it is the length of the longer bin. It is convex in the length of an open bin.

    References
    ----------
    G. Binotto and R. Delgado, Adapting performance metrics for ordinal classification to interval
    scale: length matters, Machine Learning 114 (2025), doi:10.1007/s10994-024-06654-4.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> float(po.metrics.max_interval_total_cost([[1, 1], [0, 2]], [0, 10, 30]))
    20.0
    """
    sizes = true_sizes(counts, class_sizes)
    return highest_mean_cost(sizes, _costs(sizes, _bins(sizes, edges, unbounded)))


@metric(
    range=(0, 1),
    greater_is_better=False,
    reference=BINOTTO_DELGADO,
    needs="edges",
    formula=r"\frac{" + COST_OF_BINS + "}{" + HIGHEST_COST_OF_BINS + "}," + DENSITIES + HAUSDORFF,
    blind_to=BLIND_TO_PLACE + " " + BLIND_TO_MISSES,
)
def interval_stc(
    counts: Stack,
    edges: npt.ArrayLike,
    *,
    unbounded: Unbounded = "optimal",
    class_sizes: npt.ArrayLike | None = None,
) -> Stack:
    """Standardized total cost of bins: the interval total cost as a share of the highest one.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.
    edges : array_like, shape (K + 1,)
        The edges of the bins: increasing numbers, datetimes or timedeltas; the first may be -inf,
        or the last inf. Or an IntervalIndex.
    unbounded : {"optimal", "raise"}, float or pair of floats, default "optimal"
        The length of a bin that has an infinite edge: "optimal" minimizes the highest possible
        cost, "raise" raises an error, and a number is the length itself. A pair gives the lengths
        of the first and the last bin if both are open, as there is no optimal pair.
    class_sizes : array_like, shape (K,), optional
        Sizes of the true classes to use instead of those of each matrix, such as those of the
        whole data set, so that folds are comparable and an open bin has the same length in each.
        The value of one fold may then exceed 1, and the mean over folds weighted by their rows is
        the value of all folds pooled.

    Returns
    -------
    float or ndarray, shape (...)
        0 to 1, lower is better. NaN without rows, with a single true class, and where a class
        without true rows was predicted.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, if edges do not increase or are not
        K + 1, if a bin is open and `unbounded` does not give its length, or if class sizes are not
        K non-negative numbers, or a true row belongs to a class of size 0.

    Notes
    -----
    ``interval_total_cost / max_interval_total_cost``, which equals `stc` if all bins are equally
    long. The scale and the origin of the edges do not matter.

    References
    ----------
    G. Binotto and R. Delgado, Adapting performance metrics for ordinal classification to interval
    scale: length matters, Machine Learning 114 (2025), doi:10.1007/s10994-024-06654-4.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas_ordinal as po
    >>> counts = [[3, 2, 0], [2, 2, 1], [1, 2, 2]]
    >>> round(float(po.metrics.interval_stc(counts, [0, 1, 2, np.inf])), 6)
    0.39404
    """
    sizes = true_sizes(counts, class_sizes)
    costs = _costs(sizes, _bins(sizes, edges, unbounded))
    return mean_cost(counts, costs) / highest_mean_cost(sizes, costs)


@metric(
    range=(0, np.inf),
    greater_is_better=None,
    reference=BINOTTO_DELGADO,
    needs="edges",
    output=("true", "pred"),
    formula=r"\frac{1}{N} \frac{\Delta - \delta_r}{\delta_c} h_{rc}," + DENSITIES + HAUSDORFF,
)
def interval_cost_matrix(
    counts: Stack,
    edges: npt.ArrayLike,
    *,
    unbounded: Unbounded = "optimal",
    class_sizes: npt.ArrayLike | None = None,
) -> Stack:
    """Cost of one row in each cell: what it adds to the interval total cost.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.
    edges : array_like, shape (K + 1,)
        The edges of the bins: increasing numbers, datetimes or timedeltas; the first may be -inf,
        or the last inf. Or an IntervalIndex.
    unbounded : {"optimal", "raise"}, float or pair of floats, default "optimal"
        The length of a bin that has an infinite edge: "optimal" minimizes the highest possible
        cost, "raise" raises an error, and a number is the length itself. A pair gives the lengths
        of the first and the last bin if both are open, as there is no optimal pair.
    class_sizes : array_like, shape (K,), optional
        Sizes of the true classes to use instead of those of each matrix, such as those of the
        whole data set, so that folds are comparable and an open bin has the same length in each.

    Returns
    -------
    ndarray, shape (..., K, K)
        0 or more, neither good nor bad. NaN in the row and the column of a class without true
        rows, and without rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, if edges do not increase or are not
        K + 1, if a bin is open and `unbounded` does not give its length, or if class sizes are not
        K non-negative numbers, or a true row belongs to a class of size 0.

    Notes
    -----
    ``(D - d[r]) / d[c] * h[r, c] / N`` with densities d and distances h as in
    `interval_total_cost`, which is the sum of ``counts * interval_cost_matrix``.

    References
    ----------
    G. Binotto and R. Delgado, Adapting performance metrics for ordinal classification to interval
    scale: length matters, Machine Learning 114 (2025), doi:10.1007/s10994-024-06654-4.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> po.metrics.interval_cost_matrix([[1, 1], [0, 2]], [0, 10, 30]).tolist()
    [[0.0, 5.0], [5.0, 0.0]]
    """
    sizes = true_sizes(counts, class_sizes)
    return _costs(sizes, _bins(sizes, edges, unbounded)) / total(counts)


@metric(
    range=(0, np.inf),
    greater_is_better=None,
    reference=BINOTTO_DELGADO,
    needs="edges",
    output=("class",),
    formula="b_r - a_r",
)
def interval_lengths(
    counts: Stack,
    edges: npt.ArrayLike,
    *,
    unbounded: Unbounded = "optimal",
    class_sizes: npt.ArrayLike | None = None,
) -> Stack:
    """Length of each bin, including the length of an open bin that the interval metrics use.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.
    edges : array_like, shape (K + 1,)
        The edges of the bins: increasing numbers, datetimes or timedeltas; the first may be -inf,
        or the last inf. Or an IntervalIndex.
    unbounded : {"optimal", "raise"}, float or pair of floats, default "optimal"
        The length of a bin that has an infinite edge: "optimal" minimizes the highest possible
        cost, "raise" raises an error, and a number is the length itself. A pair gives the lengths
        of the first and the last bin if both are open, as there is no optimal pair.
    class_sizes : array_like, shape (K,), optional
        Sizes of the true classes to use instead of those of each matrix, such as those of the
        whole data set, so that folds are comparable and an open bin has the same length in each.

    Returns
    -------
    ndarray, shape (..., K)
        Lengths in the unit of the edges (seconds for datetimes), neither good nor bad. NaN
        without rows, and for a single class that is open.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, if edges do not increase or are not
        K + 1, if a bin is open and `unbounded` does not give its length, or if class sizes are not
        K non-negative numbers, or a true row belongs to a class of size 0.

    Notes
    -----
    The optimal length of an open bin minimizes `max_interval_total_cost`. Of several such lengths
    it is the largest one; where that cost does not depend on it, because the open class is the
    only one with true rows or has none, it is the length of the neighbouring bin. It is found by
    bisection on the sign of the slope, to the last bit.

    References
    ----------
    G. Binotto and R. Delgado, Adapting performance metrics for ordinal classification to interval
    scale: length matters, Machine Learning 114 (2025), doi:10.1007/s10994-024-06654-4; section 5,
    whose solution is for three balanced classes.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas_ordinal as po
    >>> counts = [[3, 2, 0], [2, 2, 1], [1, 2, 2]]
    >>> po.metrics.interval_lengths(counts, [0, 1, 2, np.inf]).round(6).tolist()
    [1.0, 1.0, 0.707107]
    """
    return _bins(true_sizes(counts, class_sizes), edges, unbounded).lengths


@metric(
    range=(0, np.inf),
    greater_is_better=False,
    reference=BINOTTO_DELGADO,
    needs="edges",
    formula=r"\frac{1}{N} \sum_{r, c} n_{rc} \, h_{rc}," + HAUSDORFF,
    blind_to=BLIND_TO_PLACE,
)
def interval_mae(
    counts: Stack,
    edges: npt.ArrayLike,
    *,
    distance: Literal["hausdorff", "midpoint"] = "hausdorff",
    unbounded: Unbounded = "optimal",
    class_sizes: npt.ArrayLike | None = None,
) -> Stack:
    """Mean distance between true and predicted bin, in the unit of the edges.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.
    edges : array_like, shape (K + 1,)
        The edges of the bins: increasing numbers, datetimes or timedeltas; the first may be -inf,
        or the last inf. Or an IntervalIndex.
    distance : {"hausdorff", "midpoint"}, default "hausdorff"
        The distance between two bins: the larger of the distances between their starts and between
        their ends, or the distance between their midpoints.
    unbounded : {"optimal", "raise"}, float or pair of floats, default "optimal"
        The length of a bin that has an infinite edge: "optimal" minimizes the highest possible
        cost, "raise" raises an error, and a number is the length itself. A pair gives the lengths
        of the first and the last bin if both are open, as there is no optimal pair.
    class_sizes : array_like, shape (K,), optional
        Sizes of the true classes to use instead of those of each matrix, such as those of the
        whole data set, so that folds are comparable and an open bin has the same length in each.
        Only the length of an open bin depends on them.

    Returns
    -------
    float or ndarray, shape (...)
        0 or more, lower is better, in the unit of the edges (seconds for datetimes). NaN without
        rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, if edges do not increase or are not
        K + 1, if a bin is open and `unbounded` does not give its length, if class sizes are not K
        non-negative numbers or a true row belongs to a class of size 0, or if `distance` has
        another value.

    Notes
    -----
    ``sum n[r, c] * h[r, c] / N`` with ``h[r, c] = max(|start[r] - start[c]|, |end[r] - end[c]|)``
    (Hausdorff) or ``h[r, c] = |middle[r] - middle[c]|``. Bins of equal length L give L times
    `mae`.

    References
    ----------
    G. Binotto and R. Delgado, Adapting performance metrics for ordinal classification to interval
    scale: length matters, Machine Learning 114 (2025), doi:10.1007/s10994-024-06654-4.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> counts = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
    >>> float(po.metrics.interval_mae(counts, [0, 10, 20, 50], distance="midpoint"))
    20.0
    """
    sizes = true_sizes(counts, class_sizes)
    return mean_cost(counts, _distances(_bins(sizes, edges, unbounded), distance))


@metric(
    range=(0, 1),
    greater_is_better=False,
    reference=BINOTTO_DELGADO,
    needs="edges",
    formula=(
        (
            r"\frac{\frac{1}{N} \sum_{r, c} n_{rc} \, h_{rc}}{\frac{1}{S} \sum_r s_r \max_l "
            r"h_{rl}},"
        )
        + HAUSDORFF
    ),
    blind_to=BLIND_TO_PLACE,
)
def interval_smae(
    counts: Stack,
    edges: npt.ArrayLike,
    *,
    distance: Literal["hausdorff", "midpoint"] = "hausdorff",
    unbounded: Unbounded = "optimal",
    class_sizes: npt.ArrayLike | None = None,
) -> Stack:
    """Standardized interval MAE: the mean distance of the bins as a share of the highest one.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.
    edges : array_like, shape (K + 1,)
        The edges of the bins: increasing numbers, datetimes or timedeltas; the first may be -inf,
        or the last inf. Or an IntervalIndex.
    distance : {"hausdorff", "midpoint"}, default "hausdorff"
        The distance between two bins: the larger of the distances between their starts and between
        their ends, or the distance between their midpoints.
    unbounded : {"optimal", "raise"}, float or pair of floats, default "optimal"
        The length of a bin that has an infinite edge: "optimal" minimizes the highest possible
        cost, "raise" raises an error, and a number is the length itself. A pair gives the lengths
        of the first and the last bin if both are open, as there is no optimal pair.
    class_sizes : array_like, shape (K,), optional
        Sizes of the true classes to use instead of those of each matrix, such as those of the
        whole data set, so that folds are comparable and an open bin has the same length in each.
        The value of one fold may then exceed 1, and the mean over folds weighted by their rows is
        the value of all folds pooled.

    Returns
    -------
    float or ndarray, shape (...)
        0 to 1, lower is better. NaN without rows, and with one class.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, if edges do not increase or are not
        K + 1, if a bin is open and `unbounded` does not give its length, if class sizes are not K
        non-negative numbers or a true row belongs to a class of size 0, or if `distance` has
        another value.

    Notes
    -----
    ``interval_mae / (sum_r s[r] * max_l h[r, l] / S)`` with the distances h of `interval_mae`,
    the sizes s of the true classes and their sum S. All bins may be predicted, even those without
    true rows.

    References
    ----------
    G. Binotto and R. Delgado, Adapting performance metrics for ordinal classification to interval
    scale: length matters, Machine Learning 114 (2025), doi:10.1007/s10994-024-06654-4.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> counts = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
    >>> round(float(po.metrics.interval_smae(counts, [0, 10, 20, 50])), 6)
    0.727273
    """
    sizes = true_sizes(counts, class_sizes)
    distances = _distances(_bins(sizes, edges, unbounded), distance)
    return mean_cost(counts, distances) / highest_mean_cost(sizes, distances)


def _costs(sizes: Stack, bins: Bins) -> Stack:
    # costs depend on the ratios of densities: powers of two keep these within floats
    shares = sizes * power_of_two(np.nansum(sizes, axis=0))
    lengths = bins.lengths * power_of_two(np.fmax.reduce(bins.lengths, axis=0, initial=0))
    cells = costs(shares / lengths, _distances(bins, "hausdorff"))
    # the right class costs nothing, even where a single open bin has no length
    cells[np.diag_indices(len(sizes))] = np.where(np.isnan(sizes), np.nan, 0)
    return cells


def _distances(bins: Bins, distance: str) -> Stack:
    """Return the distances between bins, shape (K, K, batch) or (K, K, 1)."""
    apart: Stack
    if distance == "hausdorff":
        apart = np.maximum(_differences(bins.starts), _differences(bins.ends))
    else:
        apart = _differences(bins.starts / 2 + bins.ends / 2)
    # a single open bin has no position, yet it is at distance 0 from itself
    apart[np.diag_indices(len(apart))] = 0
    return apart


def _differences(places: Stack) -> Stack:
    return np.abs(places[:, None] - places)


def _bins(sizes: Stack, edges: npt.ArrayLike, unbounded: Any) -> Bins:
    """Return the bins, an open one with its assigned length."""
    values = edge_numbers(edges, len(sizes))[:, None]
    starts, ends, lengths = values[:-1], values[1:], np.diff(values, axis=0)
    refuse_extreme("edges", lengths)
    first, last = np.isinf(values[[0, -1], 0])
    given = _given(unbounded, bool(first), bool(last))
    if not first and not last:
        return Bins(starts, ends, lengths)
    starts, ends, lengths = (
        np.array(np.broadcast_to(array, sizes.shape)) for array in (starts, ends, lengths)
    )
    if first:
        mirrored = -values[::-1]
        lengths[0] = _optimal_length(sizes[::-1], mirrored) if given is None else given[0]
        starts[0] = ends[0] - lengths[0]
    if last:
        lengths[-1] = _optimal_length(sizes, values) if given is None else given[1]
        ends[-1] = starts[-1] + lengths[-1]
    return Bins(starts, ends, lengths)


def _given(unbounded: Any, first: bool, last: bool) -> tuple[float, float] | None:
    """Return the lengths given to an open first and an open last bin; None for the optimal one."""
    if isinstance(unbounded, str) and unbounded in ("optimal", "raise"):
        if first and last:
            raise ValueError(
                "the first and the last bin have no finite length, and no pair of lengths is "
                "optimal: give unbounded=(first, last)"
            )
        if unbounded == "raise" and (first or last):
            raise ValueError(
                f"the {'first' if first else 'last'} bin has no finite length: give unbounded= a "
                'length, or "optimal"'
            )
        return None
    if isinstance(unbounded, str):
        raise ValueError(f'unbounded={brief(unbounded)} must be "optimal", "raise" or a length')
    several = isinstance(unbounded, (tuple, list, np.ndarray)) and is_iterable(unbounded)
    pair = several and len(list(unbounded)) == 2
    if (first and last) != pair and (first or last):
        raise ValueError(
            f'unbounded={brief(unbounded)} must be "optimal", "raise" or a length; a pair of '
            "lengths if the first and the last bin are open, and only then"
        )
    lengths = [real("unbounded", length) for length in (unbounded if pair else [unbounded] * 2)]
    if not all(0 < length < np.inf for length in lengths):
        raise ValueError(f"unbounded={brief(unbounded)} must be finite and positive")
    return lengths[0], lengths[1]


def _optimal_length(sizes: Stack, edges: Stack) -> Stack:
    """Return the length of an open last bin that minimizes the highest cost, shape (batch,).

    That cost is a convex function of the length, so the sign of its slope shows on which side the
    minimum is. The search goes over the lengths at which the slope jumps, then between two of
    them.
    """
    n_classes, batch = sizes.shape
    if n_classes == 1:
        return np.full(batch, np.nan)
    _, scale = np.frexp(edges[-2] - edges[0])
    _, weight = np.frexp(np.nansum(sizes, axis=0))
    kinks, slope = _slope_of_highest_cost(np.ldexp(sizes, -weight), np.ldexp(edges, -scale))
    below, above = np.zeros(batch), np.full(batch, np.inf)
    low, high = np.zeros(batch, int), np.full(batch, len(kinks))
    for _ in range(len(kinks).bit_length()):
        middle = np.minimum((low + high) // 2, len(kinks) - 1)
        length = np.take_along_axis(kinks, middle[None], axis=0)[0]
        falling, constant, growing = slope(length)
        rises = constant + growing * length > falling / length / length
        below, above = np.where(rises, below, length), np.where(rises, length, above)
        low, high = np.where(rises, low, middle + 1), np.where(rises, middle, high)
    lengths = np.ldexp(_root(*slope(below), below, above), scale)
    return np.where(np.isinf(lengths), edges[-2] - edges[-3], lengths)


def _root(falling: Stack, constant: Stack, growing: Stack, below: Stack, above: Stack) -> Stack:
    """Return the lowest x above which ``constant + growing * x - falling / x**2`` is positive.

    Bisection runs over the floats as integers, which have the same order: 63 steps reach the last
    bit at any scale.
    """
    low, high = below.view(np.int64), above.view(np.int64)
    for _ in range(63):
        middle = low + (high - low) // 2
        x = middle.view(float)
        rises = constant + growing * x > falling / x / x
        low, high = np.where(rises, low, middle), np.where(rises, middle, high)
    root: Stack = high.view(float)
    return root


def _slope_of_highest_cost(
    sizes: Stack, edges: Stack
) -> tuple[Stack, Callable[[Stack], tuple[Stack, Stack, Stack]]]:
    """Return the slope of the highest cost as a function of the length x of the last bin.

    It is ``constant + growing * x - falling / x**2``. Returned are the lengths at which these
    coefficients change, sorted, and a function that gives the coefficients from a length on.

    Let s be the size of the last class. For each other class, let rest be the density of all
    classes but itself and the last, priciest the price of its most expensive confusion other than
    with the last class, and reach and gap the distances of its start and its end from the start
    of the last bin. Then:

    - it costs ``size * (rest + s / x) * priciest`` as long as that is more than
    - ``size * (rest * x / s + 1) * max(reach, gap + x)``, its confusion with the last class;
    - the last class costs ``s * (sum of densities) * max(max(reach, gap + x) / density)``.
    """
    starts, ends, last = edges[:-2], edges[1:-1], sizes[-1]
    reach, gap, lengths = edges[-2] - starts, edges[-2] - ends, ends - starts
    densities = sizes[:-1] / lengths
    rest = np.nan_to_num(sum_of_others(densities))
    distances = _distances(Bins(starts, ends, lengths), "hausdorff")
    priciest = np.fmax.reduce(distances / densities, axis=1)
    near = priciest * last / reach
    far = 2 * priciest * last / (gap + np.sqrt(gap**2 + 4 * priciest * last))
    pricier = np.where(near < lengths, near, far)

    size = np.nan_to_num(sizes[:-1])
    falls, flat = size * priciest * last, size * rest * reach / last
    starts_at, grows = size * (rest * gap / last + 1), 2 * size * rest / last
    weight = last * np.nansum(densities, axis=0)
    highest = _highest_from(reach, gap, lengths, 1 / densities)

    def slope(x: Stack) -> tuple[Stack, Stack, Stack]:
        by_last = x >= pricier
        beyond = by_last & (x >= lengths)
        of_last = np.where(x >= highest, 1 / densities, 0).max(axis=0)
        constant = np.where(beyond, starts_at, np.where(by_last, flat, 0)).sum(axis=0)
        falling: Stack = np.where(x < pricier, falls, 0).sum(axis=0)
        growing: Stack = np.where(beyond, grows, 0).sum(axis=0)
        return falling, constant + weight * of_last, growing

    kinks = np.concatenate([pricier, np.broadcast_to(lengths, size.shape), highest])
    return np.sort(np.nan_to_num(kinks, posinf=0), axis=0), slope


def _highest_from(reach: Stack, gap: Stack, lengths: Stack, price: Stack) -> Stack:
    """Return the x from which on the last class pays most for a confusion with each other class.

    From there on, ``(gap + x) * price`` exceeds every ``reach * price`` and the costs of all
    classes of a lower price; the slope of the cost is that price, or a higher one.
    """
    price = np.nan_to_num(price)
    from_here = np.array(np.broadcast_to(lengths, price.shape))
    for other in range(len(price)):
        level = reach[other] * (price[other] / price) - gap
        crossing = (gap[other] * price[other] - gap * price) / (price - price[other])
        exceeds = np.where(price > price[other], np.fmax(level, crossing), level)
        exceeds[other] = 0
        from_here = np.fmax(from_here, exceeds)
    return np.where(price > 0, from_here, np.inf)
