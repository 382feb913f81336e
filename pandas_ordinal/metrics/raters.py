"""Agreement of any number of raters, gaps and all: kernels of tables of ratings.

They read the ratings themselves, codes ``(..., items, raters)``. The kernels of counts have the
short names of three of them.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from pandas_ordinal.counting.arrays import Array
from pandas_ordinal.hints import explains_arguments
from pandas_ordinal.metrics.agreement import Level, WeightsName
from pandas_ordinal.metrics.metric import Values
from pandas_ordinal.metrics.rating_table import (
    RatingTable,
    Scale,
    coefficients,
    group_of_matrices,
    rater_shares,
    scale_of,
    totals_of,
)
from pandas_ordinal.metrics.segments import refuse_n_classes
from pandas_ordinal.metrics.stack import plain_array, refuse_labels

WeightsLike = WeightsName | npt.ArrayLike


@explains_arguments
def fleiss_kappa(
    ratings: npt.ArrayLike,
    n_classes: int,
    *,
    weights: WeightsLike = "quadratic",
) -> Values:
    """Fleiss' kappa of any number of raters; weights are quadratic by default.

    Parameters
    ----------
    ratings : array_like of int, shape (..., items, raters)
        The class of each rating, counted from 0; -1 where there is none.
    n_classes : int
        The number of classes, K.
    weights : str or array_like, shape (K, K), default "quadratic"
        The agreement that each pair of classes stands for, as in `kappa`: 1 is full, 0 is none.
        "identity" counts only equal classes.

    Returns
    -------
    float or ndarray, shape (...)
        Up to 1, higher is better; 0 is the agreement expected by chance. NaN where no item has two
        ratings, and where chance alone gives full agreement, as with a single class.

    Raises
    ------
    ValueError
        If ratings are not integers from -1 to K - 1, or if `weights` have an unknown name or
        are not K x K agreements, 1 on the diagonal and not above 1 elsewhere.

    Notes
    -----
    ``1 - D_o / D_e`` with disagreements ``d = 1 - w``. Item i has ``r[i, k]`` ratings in class k,
    and ``r[i]`` in all. ``D_o`` is the mean of ``sum d[k, l] * r[i, k] * (r[i, l] - [k = l]) /
    (r[i] * (r[i] - 1))`` over items with two ratings or more.

    ``D_e = sum d[k, l] * q[k] * q[l]``, where q is the mean of ``r[i, k] / r[i]`` over items with
    a rating. With two raters and no gap it is `scott_pi`.

    References
    ----------
    J. L. Fleiss, Measuring nominal scale agreement among many raters, Psychol. Bull. 76 (1971)
    378-382, doi:10.1037/h0031619. K. L. Gwet, Handbook of Inter-Rater Reliability, 4th ed. (2014),
    has weights and gaps.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> ratings = [[0, 0, 1], [1, 1, -1], [2, 1, 2], [2, 2, 2]]
    >>> round(float(po.metrics.fleiss_kappa(ratings, 3)), 7)
    0.68
    """
    return _coefficient("fleiss_kappa", ratings, n_classes, weights=weights)


@explains_arguments
def conger_kappa(
    ratings: npt.ArrayLike,
    n_classes: int,
    *,
    weights: WeightsLike = "quadratic",
) -> Values:
    """Conger's kappa of any number of raters, Cohen's for two; weights are quadratic by default.

    Parameters
    ----------
    ratings : array_like of int, shape (..., items, raters)
        The class of each rating, counted from 0; -1 where there is none.
    n_classes : int
        The number of classes, K.
    weights : str or array_like, shape (K, K), default "quadratic"
        The agreement that each pair of classes stands for, as in `kappa`: 1 is full, 0 is none.
        "identity" counts only equal classes.

    Returns
    -------
    float or ndarray, shape (...)
        Up to 1, higher is better; 0 is the agreement expected by chance. NaN where no item has two
        ratings, where a rater has no rating, and where chance alone gives full agreement.

    Raises
    ------
    ValueError
        If ratings are not integers from -1 to K - 1, or if `weights` have an unknown name or
        are not K x K agreements, 1 on the diagonal and not above 1 elsewhere.

    Notes
    -----
    ``1 - D_o / D_e`` with the disagreements d and D_o of `fleiss_kappa`.

    ``D_e`` is the mean of ``sum d[k, l] * s[g, k] * s[h, l]`` over pairs of raters g and h, where
    ``s[g, k]`` is the share of class k among the ratings of g. With two raters and no gap it is
    `kappa`.

    References
    ----------
    A. J. Conger, Integration and generalization of kappas for multiple raters, Psychol. Bull. 88
    (1980) 322-328, doi:10.1037/0033-2909.88.2.322. K. L. Gwet, Handbook of Inter-Rater
    Reliability, 4th ed. (2014), has weights and gaps.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> ratings = [[0, 0, 1], [1, 1, -1], [2, 1, 2], [2, 2, 2]]
    >>> round(float(po.metrics.conger_kappa(ratings, 3)), 7)
    0.7142857
    """
    return _coefficient("conger_kappa", ratings, n_classes, weights=weights)


@explains_arguments
def ratings_gwet_ac(
    ratings: npt.ArrayLike,
    n_classes: int,
    *,
    weights: WeightsLike = "quadratic",
) -> Values:
    """Gwet's AC2 of any number of raters; weights are quadratic by default.

    Parameters
    ----------
    ratings : array_like of int, shape (..., items, raters)
        The class of each rating, counted from 0; -1 where there is none.
    n_classes : int
        The number of classes, K.
    weights : str or array_like, shape (K, K), default "quadratic"
        The agreement that each pair of classes stands for, as in `kappa`: 1 is full, 0 is none.
        "identity" counts only equal classes.

    Returns
    -------
    float or ndarray, shape (...)
        Up to 1, higher is better. NaN where no item has two ratings, and with one class.

    Raises
    ------
    ValueError
        If ratings are not integers from -1 to K - 1, or if `weights` have an unknown name or
        are not K x K agreements, 1 on the diagonal and not above 1 elsewhere.

    Notes
    -----
    ``1 - D_o / D_e`` with the disagreements d and D_o of `fleiss_kappa`.

    ``D_e = 1 - sum(w) * sum(q * (1 - q)) / (K * (K - 1))`` with the q of `fleiss_kappa`. With two
    raters and no gap it is `gwet_ac`. The weights "identity" make it AC1.

    References
    ----------
    K. L. Gwet, Computing inter-rater reliability and its variance in the presence of high
    agreement, Br. J. Math. Stat. Psychol. 61 (2008) 29-48, doi:10.1348/000711006X126600.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> ratings = [[0, 0, 1], [1, 1, -1], [2, 1, 2], [2, 2, 2]]
    >>> round(float(po.metrics.ratings_gwet_ac(ratings, 3)), 7)
    0.7777778
    """
    return _coefficient("gwet_ac", ratings, n_classes, weights=weights)


@explains_arguments
def ratings_brennan_prediger(
    ratings: npt.ArrayLike,
    n_classes: int,
    *,
    weights: WeightsLike = "quadratic",
) -> Values:
    """Brennan and Prediger's coefficient of any number of raters; quadratic by default.

    Parameters
    ----------
    ratings : array_like of int, shape (..., items, raters)
        The class of each rating, counted from 0; -1 where there is none.
    n_classes : int
        The number of classes, K.
    weights : str or array_like, shape (K, K), default "quadratic"
        The agreement that each pair of classes stands for, as in `kappa`: 1 is full, 0 is none.
        "identity" counts only equal classes.

    Returns
    -------
    float or ndarray, shape (...)
        Up to 1, higher is better. NaN where no item has two ratings, and with one class.

    Raises
    ------
    ValueError
        If ratings are not integers from -1 to K - 1, or if `weights` have an unknown name or
        are not K x K agreements, 1 on the diagonal and not above 1 elsewhere.

    Notes
    -----
    ``1 - D_o / D_e`` with the disagreements d and D_o of `fleiss_kappa`.

    ``D_e`` is the mean of d: by chance all classes are equally likely. With two raters and no gap
    it is `brennan_prediger`.

    References
    ----------
    R. L. Brennan and D. J. Prediger, Coefficient kappa: some uses, misuses, and alternatives,
    Educ. Psychol. Meas. 41 (1981) 687-699, doi:10.1177/001316448104100307.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> ratings = [[0, 0, 1], [1, 1, -1], [2, 1, 2], [2, 2, 2]]
    >>> round(float(po.metrics.ratings_brennan_prediger(ratings, 3)), 7)
    0.75
    """
    return _coefficient("brennan_prediger", ratings, n_classes, weights=weights)


@explains_arguments
def ratings_krippendorff_alpha(
    ratings: npt.ArrayLike,
    n_classes: int,
    *,
    level: Level = "ordinal",
) -> Values:
    """Krippendorff's alpha of any number of raters; its level is ordinal by default.

    Parameters
    ----------
    ratings : array_like of int, shape (..., items, raters)
        The class of each rating, counted from 0; -1 where there is none.
    n_classes : int
        The number of classes, K.
    level : {"nominal", "ordinal", "interval", "ratio"}, default "ordinal"
        The level of measurement, which sets how far apart two classes are.

    Returns
    -------
    float or ndarray, shape (...)
        Up to 1, higher is better. NaN where no item has two ratings, and where chance alone gives
        full agreement, as with a single class.

    Raises
    ------
    ValueError
        If ratings are not integers from -1 to K - 1, or `level` is unknown.

    Notes
    -----
    ``1 - (n - 1) * sum o * d / sum m[k] * m[l] * d`` with the coincidences ``o[k, l] = sum r[i, k]
    * (r[i, l] - [k = l]) / (r[i] - 1)`` over items with two ratings or more; their sums ``m[k]``;
    and the sum n of these. Item i has ``r[i, k]`` ratings in class k, and ``r[i]`` in all. Two
    classes differ by

    - nominal 1, interval ``(k - l)²``, ratio ``((k - l) / (k + l))²``, classes counted from 1
    - ordinal ``(m[k] / 2 + m[k + 1] + ... + m[l - 1] + m[l] / 2)²``.

    With two raters and no gap it is `krippendorff_alpha`.

    References
    ----------
    K. Krippendorff, Estimating the reliability, systematic error and random error of interval
    data, Educ. Psychol. Meas. 30 (1970) 61-70, doi:10.1177/001316447003000105.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> ratings = [[0, 0, 1], [1, 1, -1], [2, 1, 2], [2, 2, 2]]
    >>> round(float(po.metrics.ratings_krippendorff_alpha(ratings, 3)), 7)
    0.7186147
    """
    return _coefficient("krippendorff_alpha", ratings, n_classes, level=level)


def _coefficient(
    name: str,
    ratings: npt.ArrayLike,
    n_classes: int,
    *,
    weights: WeightsLike = "identity",
    level: Level = "ordinal",
) -> Values:
    """Return one of the coefficients of arrays of ratings."""
    codes = _checked(ratings, n_classes)
    scale = scale_of(n_classes, weights, level)
    leading = codes.shape[:-2]
    flat = codes.reshape(math.prod(leading), *codes.shape[-2:])
    found = _of_table(name, group_of_matrices(flat, n_classes), scale)
    values: Values = found.reshape(leading)[()]
    return values


def _of_table(name: str, table: RatingTable, scale: Scale) -> Array:
    with np.errstate(all="ignore"):
        by_chance = np.full(table.n_groups, np.nan)
        if name == "conger_kappa":
            by_chance = rater_shares(table).by_chance(scale.disagreement)
        return coefficients(totals_of(table, scale).complete(scale), by_chance, scale)[name]


def _checked(ratings: npt.ArrayLike, n_classes: int) -> Array:
    """Return ratings as an array of codes; raise for anything else."""
    refuse_labels(
        "ratings",
        ratings,
        "call df.ordinal.agreement([...]), which reads labels, or give an array of codes",
    )
    codes = plain_array("ratings", ratings)
    refuse_n_classes(n_classes)
    if codes.ndim < 2 or codes.dtype.kind not in "iu":
        raise ValueError(
            "ratings must be integers of shape (..., items, raters), -1 where there is none, not "
            f"{codes.dtype} of shape {codes.shape}"
        )
    if codes.size and not (codes.min() >= -1 and codes.max() < n_classes):
        wrong = codes[(codes < -1) | (codes >= n_classes)][0]
        raise ValueError(
            f"ratings hold {wrong}, which is not a code of {n_classes} classes: codes are 0 to "
            f"{n_classes - 1}, or -1 where there is none"
        )
    return codes
