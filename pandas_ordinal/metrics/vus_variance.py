"""How far the volume under the ROC surface is due to chance: its standard error and covariance."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from pandas_ordinal.counting.arrays import Array, Stack
from pandas_ordinal.metrics.ascents import Ties, placements
from pandas_ordinal.metrics.metric import Values
from pandas_ordinal.metrics.ranked_rows import Ranked, cells_of
from pandas_ordinal.metrics.ranking import volume
from pandas_ordinal.metrics.score_kernel import rows_of, scored
from pandas_ordinal.metrics.segments import with_leading

LARGEST_GRID = 2**25

Method: TypeAlias = Literal["first_order", "u_statistic"]


def vus_se(
    true: npt.ArrayLike,
    score: npt.ArrayLike,
    n_classes: int,
    sample_weight: npt.ArrayLike | None = None,
    *,
    ties: Ties = "half",
    method: Method = "first_order",
) -> Values:
    """Uncertainty of the volume under the ROC surface: its standard error.

    Parameters
    ----------
    true : array_like of int, shape (..., n)
        The true class of each row, 0 to K - 1; -1 for a row that does not count.
    score : array_like, shape (..., n)
        A score of each row, higher for higher classes; it may be infinite.
    n_classes : int
        How many classes are declared, K.
    sample_weight : array_like, shape (..., n), optional
        The weight of each row: 2 counts as two rows.
    ties : {"half", "strict"}, default "half"
        What a sequence counts in which m scores are equal: 1 / m!, or nothing as in the paper.
    method : {"first_order", "u_statistic"}, default "first_order"
        From the variance of the placements of the rows, which takes the time of a sort; or the
        whole variance of the U-statistic, which takes time and memory with the square of the rows
        and is for small samples.

    Returns
    -------
    float or ndarray, shape (...)
        0 or more. NaN where a class weighs less than one row; to first order also where it weighs
        a single one.

    Raises
    ------
    ValueError
        If a class is none of -1 to K - 1, a score is NaN, the shapes do not fit, or there are too
        many rows for the U-statistic.

    Notes
    -----
    The root of the variance, which is `vus_cov` of a score with itself: to first order the sum
    over the classes of the variance of the placements of their rows, divided by the class size. A
    placement is the share of the sequences through the row that ascend.

    References
    ----------
    C. T. Nakas and C. T. Yiannoutsos, Ordered multiple-class ROC analysis with continuous
    measurements, Stat. Med. 23 (2004) 3437-3449, doi:10.1002/sim.1917.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> true = [0, 0, 0, 1, 1, 1, 2, 2, 2, 2]
    >>> score = [0.1, 0.4, 0.35, 0.3, 0.5, 0.8, 0.6, 0.45, 0.9, 0.7]
    >>> round(float(po.metrics.vus_se(true, score, 3)) ** 2, 6)
    0.054784
    >>> round(float(po.metrics.vus_se(true, score, 3, method="u_statistic")) ** 2, 6)
    0.04934
    """
    _refuse_other_methods(method)
    segments, scores, leading = rows_of(true, n_classes, sample_weight, score=score)
    formula = _first_order_variance if method == "first_order" else _u_statistic_variance
    variance = scored(formula, segments, scores, 0, {"ties": ties})
    return with_leading(leading, np.sqrt(variance))


def vus_cov(
    true: npt.ArrayLike,
    score: npt.ArrayLike,
    n_classes: int,
    sample_weight: npt.ArrayLike | None = None,
    *,
    other: npt.ArrayLike,
    ties: Ties = "half",
    method: Method = "first_order",
) -> Values:
    """Covariance of the volumes under the ROC surfaces of two scores of the same rows.

    Parameters
    ----------
    true : array_like of int, shape (..., n)
        The true class of each row, 0 to K - 1; -1 for a row that does not count.
    score : array_like, shape (..., n)
        A score of each row, higher for higher classes; it may be infinite.
    n_classes : int
        How many classes are declared, K.
    sample_weight : array_like, shape (..., n), optional
        The weight of each row: 2 counts as two rows.
    other : array_like, shape (..., n)
        The other score of each row.
    ties : {"half", "strict"}, default "half"
        What a sequence counts in which m scores are equal: 1 / m!, or nothing as in the paper.
    method : {"first_order", "u_statistic"}, default "first_order"
        From the variance of the placements of the rows, which takes the time of a sort; or the
        whole variance of the U-statistic, which takes time and memory with the square of the rows
        and is for small samples.

    Returns
    -------
    float or ndarray, shape (...)
        NaN where a class weighs less than one row; to first order also where
        it weighs a single one.

    Raises
    ------
    ValueError
        If a class is none of -1 to K - 1, a score is NaN, the shapes do not fit, or there are too
        many rows for the U-statistic.

    Notes
    -----
    The placement ``V(x)`` of a row is the share of the sequences through it that ascend. To first
    order the covariance is the sum over the classes of the covariance of their placements by both
    scores, ``sum (V(x) - U) * (W(x) - U') / (n - 1)``, divided by the class size n.

    The U-statistic's adds what two sequences share in more than one class: it is the mean product
    of what two sequences count that have the row of class k in common with probability ``1 /
    n[k]`` and by chance else, less the product of the volumes. That is the covariance over all
    bootstrap samples within classes.

    The variance of the difference of two volumes is ``vus_se(f)**2 + vus_se(g)**2 - 2 * vus_cov(f,
    g)``.

    References
    ----------
    C. T. Nakas and C. T. Yiannoutsos, Ordered multiple-class ROC analysis with continuous
    measurements, Stat. Med. 23 (2004) 3437-3449, doi:10.1002/sim.1917.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> true = [0, 0, 0, 1, 1, 1, 2, 2, 2, 2]
    >>> one = [0.1, 0.4, 0.35, 0.3, 0.5, 0.8, 0.6, 0.45, 0.9, 0.7]
    >>> two = [0.2, 0.3, 0.4, 0.1, 0.5, 0.9, 0.6, 0.35, 0.8, 0.7]
    >>> round(float(po.metrics.vus_cov(true, one, 3, other=two)), 6)
    0.047454
    """
    _refuse_other_methods(method)
    segments, scores, leading = rows_of(true, n_classes, sample_weight, score=score, other=other)
    formula = _first_order if method == "first_order" else _u_statistic
    return with_leading(leading, scored(formula, segments, scores, 0, {"ties": ties}))


def _refuse_other_methods(method: str) -> None:
    if method not in get_args(Method):
        raise ValueError(f'method={method!r} must be "first_order" or "u_statistic"')


def _first_order_variance(ranked: Ranked, ties: Ties) -> Stack:
    """Return the variance of the placements of each class, divided by its size and added up."""
    table, sizes = ranked.table(), ranked.sizes
    placed = placements(table, sizes, ties)
    placed -= ((table * placed).sum(axis=-1) / sizes)[:, :, None]
    return _over_classes((table * placed**2).sum(axis=-1), sizes)


def _u_statistic_variance(ranked: Ranked, ties: Ties) -> Stack:
    variance: Stack = np.maximum(_u_statistic(ranked, ranked, ties), 0)
    return variance


def _first_order(one: Ranked, other: Ranked, ties: Ties) -> Stack:
    """Return the covariance of the placements of each class, divided by its size and added up."""
    sizes = one.sizes
    code, segment = one.codes, one.segment
    weight = 1.0 if one.weights is None else one.weights
    cells = cells_of(code, one.n_rows)

    def summed(values: Stack) -> Stack:
        sums = np.bincount(cells, values * weight, sizes.size).astype(float, copy=False)
        return sums.reshape(sizes.shape)

    centred = []
    for ranked in (one, other):
        placed = placements(ranked.table(), sizes, ties)[code, segment, ranked.values()]
        centred.append(placed - (summed(placed) / sizes)[code, segment])
    return _over_classes(summed(centred[0] * centred[1]), sizes)


def _over_classes(products: Stack, sizes: Stack) -> Stack:
    """Add up the covariances of the classes, each divided by its size."""
    covariance: Stack = np.where(sizes > 1, products / sizes / (sizes - 1), np.nan).sum(axis=0)
    return covariance


def _u_statistic(one: Ranked, other: Ranked, ties: Ties) -> Stack:
    """Return the covariance of the two volumes over all bootstrap samples within the classes."""
    volumes = volume(one, ties) * volume(other, ties)
    values = np.stack([one.values(), other.values()])
    stops = np.cumsum(one.n_rows)
    rows = [slice(stop - size, stop) for stop, size in zip(stops, one.n_rows, strict=True)]
    means = [_mean_product(one, values, its, ties) for its in rows]
    return np.where((one.sizes >= 1).all(axis=0), np.array(means) - volumes, np.nan)


def _mean_product(ranked: Ranked, values: Array, rows: slice, ties: Ties) -> float:
    """Return the mean product of what two sequences of some rows count, one by each score.

    They have the row of class k in common with probability ``1 / n[k]``. ``mass[a, b]`` is the
    share of the pairs that ascend, at each pair of values that they end at, a and b of which have
    occurred in a row.
    """
    n_classes, codes, values = ranked.n_classes, ranked.codes[rows], values[:, rows]
    shape = [int(places.max()) + 1 for places in values]
    if shape[0] * shape[1] * n_classes**2 > LARGEST_GRID:
        raise ValueError(
            f"method='u_statistic' takes memory with the square of {len(codes)} rows: for so "
            "many, method='first_order' is close to it"
        )
    mass: dict[tuple[int, int], Stack] = {}
    for k in range(n_classes):
        mine = codes == k
        weights = None if ranked.weights is None else ranked.weights[rows][mine]
        cells = np.ravel_multi_index((values[0, mine], values[1, mine]), shape)
        joint = np.bincount(cells, weights, shape[0] * shape[1]).reshape(shape)
        size = joint.sum()
        apart = np.outer(joint.sum(axis=1), joint.sum(axis=0))
        pairs = joint / size**2 + (1 - 1 / size) * apart / size**2
        mass = _longer(mass, pairs, ties) if k else {(1, 1): pairs}
    return float(sum(pairs.sum() for pairs in mass.values()))


def _longer(
    mass: dict[tuple[int, int], Stack], pairs: Stack, ties: Ties
) -> dict[tuple[int, int], Stack]:
    """Extend the pairs of sequences by a row of the next class each."""
    longer: dict[tuple[int, int], Stack] = {}
    for (a, b), ending in mass.items():
        steps = [((1, 1), _below(_below(ending, 0), 1))]
        if ties == "half":
            steps += [
                ((a + 1, 1), _below(ending, 1) / (a + 1)),
                ((1, b + 1), _below(ending, 0) / (b + 1)),
                ((a + 1, b + 1), ending / ((a + 1) * (b + 1))),
            ]
        for key, extended in steps:
            extended = extended * pairs
            if key == (1, 1) or extended.any():
                longer[key] = longer[key] + extended if key in longer else extended
    return longer


def _below(values: Stack, axis: int) -> Stack:
    """Sum up what comes before each place along an axis."""
    sums = np.zeros(values.shape)
    ours, before = [slice(None)] * 2, [slice(None)] * 2
    ours[axis], before[axis] = slice(1, None), slice(None, -1)
    sums[tuple(ours)] = np.cumsum(values, axis=axis)[tuple(before)]
    return sums
