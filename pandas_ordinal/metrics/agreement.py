"""Agreement of truth and prediction: kappa and its relatives, which correct for chance; CEM."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from pandas_ordinal.counting.arrays import Floats, Stack
from pandas_ordinal.errors import brief
from pandas_ordinal.metrics.count_kernel import metric
from pandas_ordinal.metrics.error import as_square
from pandas_ordinal.metrics.left_out import StackLike
from pandas_ordinal.metrics.stack import (
    cells,
    distance,
    power_of_two,
    reals,
    total,
    total_of_products,
    weigh,
)

COHEN = "Cohen 1960, doi:10.1177/001316446002000104; Cohen 1968, doi:10.1037/h0026256"
SCOTT = "Scott 1955, doi:10.1086/266577"
GWET = "Gwet 2008, doi:10.1348/000711006X126600"
BRENNAN_PREDIGER = "Brennan & Prediger 1981, doi:10.1177/001316448104100307"
KRIPPENDORFF = "Krippendorff 1970, doi:10.1177/001316447003000105"
AMIGO = "Amigó et al. 2020, doi:10.18653/v1/2020.acl-main.363"

ROUNDING = 1e-12

MEAN_SHARES = r"\qquad \pi_k = \tfrac{1}{2} (p_{k\cdot} + p_{\cdot k})"
BEYOND_CHANCE = r"\frac{p_a - p_e}{1 - p_e}, \qquad p_a = \sum_{r, c} w_{rc} \, p_{rc}, \qquad "
CELL_AGREEMENTS = (
    r":math:`w_{rc}` is the agreement that a cell stands for: the option ``weights``."
)
BLIND_TO_LEVEL = "How often the raters agree at all: agreement that chance explains is subtracted."

Level: TypeAlias = Literal["nominal", "ordinal", "interval", "ratio"]
WeightsName: TypeAlias = Literal[
    "identity", "linear", "quadratic", "ordinal", "radical", "bipolar"
]


def _limits_by_weights(counts: Floats, options: Mapping[str, Any]) -> tuple[float, float]:
    """Return the range of values, which named weights keep at -1 or above."""
    weights = options.get("weights")
    named = weights is None or isinstance(weights, str)
    return (-1 if named else -np.inf), 1


@metric(
    reads_left_out=True,
    range=(-np.inf, 1),
    greater_is_better=True,
    reference=COHEN,
    limits=_limits_by_weights,
    formula=BEYOND_CHANCE + r"p_e = \sum_{r, c} w_{rc} \, p_{r\cdot} \, p_{\cdot c}",
    blind_to=BLIND_TO_LEVEL,
    letters=CELL_AGREEMENTS,
)
def kappa(counts: StackLike, *, weights: WeightsName | npt.ArrayLike = "quadratic") -> Stack:
    """Cohen's kappa; weights are quadratic by default (scikit-learn's default is none).

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.
    weights : str or array_like, shape (K, K), default "quadratic"
        The agreement that each cell stands for: 1 is full, 0 is none. "identity" gives the
        unweighted kappa; "linear", "quadratic", "radical", "ordinal" and "bipolar" decrease with
        the distance between the declared classes.

    Returns
    -------
    float or ndarray, shape (...)
        Up to 1, higher is better; 0 is the agreement expected by chance. NaN where chance alone
        gives full agreement, for example with the same single class in both columns.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, or if `weights` have an unknown name or
        are not K x K agreements, 1 on the diagonal and not above 1 elsewhere.

    Notes
    -----
    ``(p_a - p_e) / (1 - p_e)`` with ``p_a = sum w * p`` and ``p_e = sum w * p_true * p_pred``,
    computed from the disagreements ``1 - w``. With ``d = |r - c|``, the weights are

    - linear ``1 - d / (K - 1)``, quadratic ``1 - d² / (K - 1)²``
    - radical ``1 - sqrt(d / (K - 1))``, ordinal ``1 - d * (d + 1) / (K * (K - 1))``
    - bipolar ``1 - b / max b``, ``b = d² / ((r + c) * (2 * (K - 1) - r - c))``, 0 on the diagonal,
      classes counted from 0.

    References
    ----------
    J. Cohen, A coefficient of agreement for nominal scales, Educ. Psychol. Meas. 20 (1960) 37-46,
    doi:10.1177/001316446002000104. J. Cohen, Weighted kappa, Psychol. Bull. 70 (1968) 213-220,
    doi:10.1037/h0026256.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> counts = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
    >>> round(float(po.metrics.kappa(counts)), 7)
    0.8921569
    >>> round(float(po.metrics.kappa(counts, weights="identity")), 7)
    0.7964094
    """
    disagreement = 1 - agreement_weights(weights, len(counts))
    counts = counts * power_of_two(total(counts))  # a smaller unit, in which squares are floats
    expected = total_of_products(counts.sum(axis=1), disagreement @ counts.sum(axis=0))
    return 1 - weigh(disagreement, counts) * total(counts) / expected


@metric(
    reads_left_out=True,
    range=(-np.inf, 1),
    greater_is_better=True,
    reference=SCOTT,
    limits=_limits_by_weights,
    formula=BEYOND_CHANCE + r"p_e = \sum_{r, c} w_{rc} \, \pi_r \, \pi_c," + MEAN_SHARES,
    blind_to=BLIND_TO_LEVEL,
    letters=CELL_AGREEMENTS,
)
def scott_pi(counts: StackLike, *, weights: WeightsName | npt.ArrayLike = "quadratic") -> Stack:
    """Scott's pi; weights are quadratic by default (scikit-learn's kappa has none).

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.
    weights : str or array_like, shape (K, K), default "quadratic"
        The agreement that each cell stands for: 1 is full, 0 is none. "identity" gives the
        unweighted kappa; "linear", "quadratic", "radical", "ordinal" and "bipolar" decrease with
        the distance between the declared classes.

    Returns
    -------
    float or ndarray, shape (...)
        Up to 1, higher is better. NaN where chance alone gives full agreement, for example
        with the same single class in both columns.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, or if `weights` have an unknown name or
        are not K x K agreements, 1 on the diagonal and not above 1 elsewhere.

    Notes
    -----
    ``(p_a - p_e) / (1 - p_e)`` with ``p_a = sum w * p`` and ``p_e = sum w[r, c] * q[r] * q[c]``,
    where q is the mean of the shares of a class in truth and in prediction.

    References
    ----------
    W. A. Scott, Reliability of content analysis: the case of nominal scale coding, Public Opin. Q.
    19 (1955) 321-325, doi:10.1086/266577.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> counts = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
    >>> round(float(po.metrics.scott_pi(counts)), 7)
    0.8921093
    """
    disagreement = 1 - agreement_weights(weights, len(counts))
    return 1 - _observed(disagreement, counts) / _expected(disagreement, counts)


@metric(
    reads_left_out=True,
    range=(-np.inf, 1),
    greater_is_better=True,
    reference=GWET,
    formula=(
        BEYOND_CHANCE
        + r"p_e = \frac{\sum_{r, c} w_{rc}}{K (K - 1)} \sum_k \pi_k (1 - \pi_k),"
        + MEAN_SHARES
    ),
    blind_to=BLIND_TO_LEVEL,
    letters=CELL_AGREEMENTS,
)
def gwet_ac(counts: StackLike, *, weights: WeightsName | npt.ArrayLike = "quadratic") -> Stack:
    """Gwet's AC2; weights are quadratic by default ("identity" makes it AC1).

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.
    weights : str or array_like, shape (K, K), default "quadratic"
        The agreement that each cell stands for: 1 is full, 0 is none. "identity" gives the
        unweighted kappa; "linear", "quadratic", "radical", "ordinal" and "bipolar" decrease with
        the distance between the declared classes.

    Returns
    -------
    float or ndarray, shape (...)
        Up to 1, higher is better. NaN with one class.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, or if `weights` have an unknown name or
        are not K x K agreements, 1 on the diagonal and not above 1 elsewhere.

    Notes
    -----
    ``(p_a - p_e) / (1 - p_e)`` with ``p_a = sum w * p`` and ``p_e = sum(w) * sum(q * (1 - q)) /
    (K * (K - 1))``, where q is the mean of the shares of a class in truth and in prediction.

    References
    ----------
    K. L. Gwet, Computing inter-rater reliability and its variance in the presence of high
    agreement, Br. J. Math. Stat. Psychol. 61 (2008) 29-48, doi:10.1348/000711006X126600.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> counts = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
    >>> round(float(po.metrics.gwet_ac(counts)), 7)
    0.9402369
    """
    agreement = agreement_weights(weights, len(counts))
    n_classes, shares = len(counts), _mean_shares(counts)
    spread: Stack = (shares * (1 - shares)).sum(axis=0)
    by_chance = agreement.sum() * spread / np.float64(n_classes * (n_classes - 1))
    coefficient: Stack = 1 - _observed(1 - agreement, counts) / (1 - by_chance)
    return coefficient


@metric(
    reads_left_out=True,
    range=(-np.inf, 1),
    greater_is_better=True,
    reference=BRENNAN_PREDIGER,
    is_row_mean=True,
    formula=BEYOND_CHANCE + r"p_e = \frac{1}{K^2} \sum_{r, c} w_{rc}",
    blind_to="How common the classes are: by chance, all of them are equally likely.",
    letters=CELL_AGREEMENTS,
)
def brennan_prediger(
    counts: StackLike, *, weights: WeightsName | npt.ArrayLike = "quadratic"
) -> Stack:
    """Brennan and Prediger's coefficient; weights are quadratic by default.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.
    weights : str or array_like, shape (K, K), default "quadratic"
        The agreement that each cell stands for: 1 is full, 0 is none. "identity" gives the
        unweighted kappa; "linear", "quadratic", "radical", "ordinal" and "bipolar" decrease with
        the distance between the declared classes.

    Returns
    -------
    float or ndarray, shape (...)
        Up to 1, higher is better; as low as -2 with three classes and quadratic weights. NaN with
        one class.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, or if `weights` have an unknown name or
        are not K x K agreements, 1 on the diagonal and not above 1 elsewhere.

    Notes
    -----
    ``(p_a - p_e) / (1 - p_e)`` with ``p_a = sum w * p`` and ``p_e = sum(w) / K²``: by chance all
    classes are equally likely.

    References
    ----------
    R. L. Brennan and D. J. Prediger, Coefficient kappa: some uses, misuses, and alternatives,
    Educ. Psychol. Meas. 41 (1981) 687-699, doi:10.1177/001316448104100307.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> counts = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
    >>> round(float(po.metrics.brennan_prediger(counts)), 7)
    0.9175
    """
    disagreement = 1 - agreement_weights(weights, len(counts))
    coefficient: Stack = 1 - _observed(disagreement, counts) / disagreement.mean()
    return coefficient


@metric(
    reads_left_out=True,
    range=(-np.inf, 1),
    greater_is_better=True,
    reference=KRIPPENDORFF,
    limits=_limits_by_weights,
    formula=(
        r"1 - (n - 1) \frac{\sum_{r, c} o_{rc} \, \delta_{rc}}{\sum_{r, c} m_r \, m_c \, "
        r"\delta_{rc}}, \qquad o_{rc} = n_{rc} + n_{cr}, \qquad m_r = \sum_c o_{rc}, \qquad "
        r"n = 2 N"
    ),
    blind_to=BLIND_TO_LEVEL,
    letters=(
        r":math:`\delta_{rc}` is how far apart two classes are: the option ``level`` or "
        r"``weights``."
    ),
)
def krippendorff_alpha(
    counts: StackLike,
    *,
    level: Level | None = None,
    weights: WeightsName | npt.ArrayLike | None = None,
    values: npt.ArrayLike | None = None,
) -> Stack:
    """Krippendorff's alpha of truth and prediction; its level is ordinal by default.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        The level of measurement, which sets how far apart two classes are. Default: ordinal,
        unless `weights` are given.
    weights : str or array_like, shape (K, K), optional
        Instead of a level, the agreement that each cell stands for, as in `kappa`: 1 is full, 0
        is none.
    values : array_like, shape (K,), optional
        The values of the classes, for the levels interval and ratio. Default: 1 to K.

    Returns
    -------
    float or ndarray, shape (...)
        Up to 1, higher is better. NaN where chance alone gives full agreement, for example
        with the same single class in both columns, and for fewer than two rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, or if `level` or the name of `weights` is
        unknown, `weights` are not agreements, both are given, or `values` are not K numbers, are
        negative for the level ratio, or are given for a level that has none.

    Notes
    -----
    ``1 - (n - 1) * sum o * d / sum m[c] * m[k] * d`` with the coincidences ``o = counts +
    counts.T``, their sum n, twice the number of rows, and the sums m of their rows. Two classes
    differ by

    - nominal 1, interval ``(v[c] - v[k])²``, ratio ``((v[c] - v[k]) / (v[c] + v[k]))²``
    - ordinal ``(m[c] / 2 + m[c + 1] + ... + m[k - 1] + m[k] / 2)²``, which depends on the counts
    - weights ``1 - w``; those named "ordinal" are Gwet's and differ from the level of that name.

    Sums of weights are treated as numbers of rows, so ``n - 1`` depends on the scale of the
    weights: scale weights that are not frequencies to a mean of 1.

    References
    ----------
    K. Krippendorff, Estimating the reliability, systematic error and random error of interval
    data, Educ. Psychol. Meas. 30 (1970) 61-70, doi:10.1177/001316447003000105.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> counts = [[13, 6, 2, 0], [9, 2, 10, 1], [1, 4, 10, 3], [0, 1, 2, 6]]
    >>> round(float(po.metrics.krippendorff_alpha(counts)), 7)
    0.6400773
    >>> round(float(po.metrics.krippendorff_alpha(counts, level="interval")), 7)
    0.6489899
    """
    n_rows, shares = total(counts), _mean_shares(counts)
    if weights is not None:
        if level is not None or values is not None:
            raise ValueError(
                f"level={brief(level)} and values= do not go with weights=, which also set how "
                "far apart classes are: give one of them"
            )
        disagreement = 1 - agreement_weights(weights, len(counts))
        apart = (disagreement + disagreement.T) / 2  # pairs of values have no order
        observed, expected = _observed(apart, counts), _expected(apart, counts)
    elif values is None and level in (None, "ordinal"):
        middle = np.cumsum(shares, axis=0) - shares / 2
        true, pred, rows = cells(counts / n_rows)
        observed = total_of_products(rows, (middle[true] - middle[pred]) ** 2)
        from_mean = middle - total_of_products(shares, middle)
        expected = 2 * total_of_products(shares, from_mean**2)
    else:
        apart = apart_at(level or "ordinal", values, len(counts))
        observed, expected = _observed(apart, counts), _expected(apart, counts)
    smaller = 1 - 1 / (2 * n_rows)
    return np.where(n_rows >= 2, 1 - smaller * observed / expected, np.nan)


def apart_at(level: Level, values: npt.ArrayLike | None, n_classes: int) -> Stack:
    """Return how far apart classes are, ``(K, K)``, at a level of measurement but ordinal."""
    if values is not None and level not in ("interval", "ratio"):
        raise ValueError(f"values= are for the levels interval and ratio, not for {level!r}")
    if level == "nominal":
        return np.sign(distance(n_classes))
    measured = np.arange(1.0, n_classes + 1) if values is None else reals("values", values)
    if measured.shape != (n_classes,) or (level == "ratio" and (measured < 0).any()):
        raise ValueError(
            f"values={brief(values)} must be {n_classes} numbers, one per class, none negative "
            "for a ratio"
        )
    # in units of the largest one, so that squares neither overflow nor underflow
    measured = measured / (np.abs(measured).max() or 1)
    steps = measured[:, None] - measured
    if level == "ratio":
        sums = measured[:, None] + measured
        steps = np.divide(steps, sums, where=sums > 0, out=np.zeros(sums.shape))
    squared: Stack = steps**2
    return squared


@metric(
    reads_left_out=True,
    range=(0, 1),
    greater_is_better=True,
    reference=AMIGO,
    formula=(
        r"\frac{\sum_{r, c} n_{rc} \, \operatorname{prox}(c, r)}{\sum_r n_{r\cdot} "
        r"\operatorname{prox}(r, r)}, \qquad \operatorname{prox}(c, r) = -\log_2 "
        r"\frac{\tfrac{1}{2} n_{c\cdot} + \sum_{k \neq c, \, \min(c, r) \le k \le \max(c, "
        r"r)} n_{k\cdot}}{N}"
    ),
    blind_to="How many classes lie between: a step past a class of few cases is nearly free.",
)
def cem(counts: StackLike) -> Stack:
    """Proximity to the truth: an error weighs more if more true rows lie in between (CEM).

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    float or ndarray, shape (...)
        0 to 1, higher is better. NaN without rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    ``sum n[r, c] * prox(c, r) / sum n[r] * prox(r, r)`` with ``prox(c, r) = -log2((n[c] / 2 + sum
    of n over the classes after c up to and including r) / N)``, where n are the sizes of the true
    classes. It is not symmetric: the predicted class counts half, the true one in full.

    References
    ----------
    E. Amigó, J. Gonzalo, S. Mizzaro and J. Carrillo-de-Albornoz, An effectiveness metric for
    ordinal classification: formal properties and experimental results, ACL 2020, 3938-3949,
    doi:10.18653/v1/2020.acl-main.363.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> round(float(po.metrics.cem([[1, 1, 0], [0, 0, 0], [0, 0, 1]])), 3)
    0.826
    """
    sizes = counts.sum(axis=1)
    upper = np.cumsum(sizes, axis=0)
    lower = upper - sizes
    true, pred, rows = cells(counts)
    up, down = upper[true] - upper[pred], lower[pred] - lower[true]  # one of them is negative
    between = sizes[pred] / 2 + np.maximum(up, down)
    reached = np.where(rows > 0, rows * np.log2(between / total(counts)), 0)
    best = np.where(sizes > 0, sizes * np.log2(sizes / 2 / total(counts)), 0)
    share: Stack = total(reached) / total(best)
    return share


def _observed(disagreement: Stack, counts: StackLike) -> Stack:
    return weigh(disagreement, counts / total(counts))


def _expected(disagreement: Stack, counts: StackLike) -> Stack:
    """Return the disagreement of two labels drawn from truth and prediction combined."""
    shares = _mean_shares(counts)
    return total_of_products(shares, disagreement @ shares)


def _mean_shares(counts: StackLike) -> Stack:
    """Return the share of each class, shape (K, batch), in truth and prediction combined."""
    shares: Stack = (counts.sum(axis=1) + counts.sum(axis=0)) / (2 * total(counts))
    return shares


def agreement_weights(weights: WeightsName | npt.ArrayLike, n_classes: int) -> Stack:
    """Return the K x K weights of that name, or the given ones."""
    if weights is None or isinstance(weights, str):
        if weights not in DISAGREEMENTS:
            raise ValueError(
                f"weights={brief(weights)} is unknown: give one of {', '.join(DISAGREEMENTS)}, or "
                "a K x K array; the unweighted kappa has the weights 'identity'"
            )
        if n_classes == 1:
            return np.ones((1, 1))
        disagreement = DISAGREEMENTS[weights](distance(n_classes))
        agreement: Stack = 1 - disagreement / disagreement.max()
        return agreement
    given = as_square(weights, n_classes, "weights")
    if (np.abs(np.diagonal(given) - 1) > ROUNDING).any() or (given > 1 + ROUNDING).any():
        raise ValueError(
            f"weights={given.tolist()} must be agreements: 1 on the diagonal and not above 1 "
            "elsewhere. Disagreements d, which are 0 on the diagonal, become agreements by "
            "1 - d / d.max()"
        )
    return given


def _bipolar(apart: Stack) -> Stack:
    position = np.arange(float(len(apart)))
    sums = position[:, None] + position
    room = np.where(apart > 0, sums * (2 * position[-1] - sums), 1)
    return apart**2 / room


DISAGREEMENTS: dict[str, Callable[[Stack], Stack]] = {
    "identity": np.sign,
    "linear": lambda apart: apart,
    "quadratic": lambda apart: apart**2,
    "ordinal": lambda apart: apart * (apart + 1) / 2,
    "radical": np.sqrt,
    "bipolar": _bipolar,
}
