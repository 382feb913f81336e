"""Metrics of calibration: the parts of `rps` and `log_loss`, by isotonic fits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

import numpy as np

from pandas_ordinal.counting.arrays import Array, Floats, Probabilities, Stack
from pandas_ordinal.metrics.metric import Facts, resolve
from pandas_ordinal.metrics.proba_kernel import probability_metric
from pandas_ordinal.metrics.probability import LOSS, log_loss, rps
from pandas_ordinal.metrics.segments import Segments

ARNOLD = "Arnold et al. 2024, doi:10.1214/24-EJS2316"
DIMITRIADIS = "Dimitriadis et al. 2021, doi:10.1073/pnas.2016191118"

BLIND_TO = {
    "mcb": "Discrimination: the same shares as the forecast of each row have no miscalibration.",
    "dsc": "Calibration: probabilities that order the rows alike score alike, however wrong.",
}
ISOTONIC = (
    r":math:`\mathrm{RPS}` is `rps` as a function of the cumulative probabilities. "
    r":math:`\hat{F}_{ik}`, which calibrates :math:`F_{ik}`, is the isotonic regression of "
    r":math:`[y_i \le k]` on them, for each k."
)
CALIBRATED = r":math:`\hat{p}` are calibrated probabilities: the Notes say how."
CLASS_SHARES = r":math:`n_k` rows are of class k."
SHARES_UP_TO = r"\qquad G_k = \frac{1}{N} \sum_i [y_i \le k]"

Part: TypeAlias = Literal["mcb", "dsc", "unc"]


def _part_of(
    kernel: Callable[..., Any],
    part: Part,
    greater_is_better: bool | None,
    reference: str,
    formula: str,
    letters: str = "",
) -> Facts:
    """Return what is known of a part of a score, whose limits it has."""
    score = resolve(kernel).metric

    def limits(counts: Floats, options: Mapping[str, Any]) -> tuple[float, float]:
        """Return the limits; what chance adds may exceed a part, which is then below 0."""
        low, high = score.bounds(counts.shape[-1])
        if score.limits is not None:
            low, high = score.limits(counts, options)
        return -high if options.get("corrected") else low, high

    def row_terms(rows: Segments, proba: Array | Probabilities, **options: bool) -> Floats:
        from pandas_ordinal.metrics import decomposition  # not needed before its first use

        rule = decomposition.RULES[score.name]
        return decomposition.terms_of_rows(rule, part, rows, proba, **options)

    facts: Facts = {
        "range": score.range,
        "greater_is_better": greater_is_better,
        "reference": reference,
        "formula": formula,
        "letters": letters,
        "blind_to": BLIND_TO.get(part, ""),
        "limits": limits,
        "row_terms": row_terms,
    }
    if part == "unc":
        return {**facts, "of_a_model": False}
    return {**facts, "bounded_with": "corrected" if score.name == "rps" else ""}


def _not_negative(means: Stack) -> Stack:
    """Return the mean of the terms, which rounding may bring below 0."""
    value: Stack = np.maximum(means[0], 0)
    return value


@probability_metric(
    **_part_of(
        rps,
        "mcb",
        False,
        ARNOLD,
        r"\mathrm{RPS}(F) - \mathrm{RPS}(\hat{F})",
        ISOTONIC,
    )
)
def rps_mcb(
    means: Stack, n_classes: int, *, normalized: bool = False, corrected: bool = False
) -> Stack:
    """Miscalibration: how much of the `rps` calibrated probabilities would save.

    Parameters
    ----------
    true : array_like of int, shape (..., n)
        The true class of each row, 0 to K - 1; -1 for a row that does not count.
    proba : array_like, shape (..., n, K)
        The probabilities of the classes; each row sums to 1.
    sample_weight : array_like, shape (..., n), optional
        The weight of each row: 2 counts as two rows.
    normalized : bool, default False
        Divide by K - 1, as `rps` does.
    corrected : bool, default False
        Subtract what chance adds: the mean miscalibration over 20 draws of the true classes from
        the probabilities. The result may be below 0. It has intervals.

    Returns
    -------
    float or ndarray, shape (...)
        0 to K - 1, or to 1 if normalized; lower is better. NaN without rows, and if normalized for
        K = 1.

    Raises
    ------
    ValueError
        If a class is outside -1 to K - 1, probabilities are negative or NaN or do not sum to 1
        within 1e-6, or the shapes do not match.

    Notes
    -----
    ``rps = rps_mcb - rps_dsc + rps_unc``. For each class k but the last, an isotonic regression of
    ``1[y <= k]`` on the cumulative probabilities F[k] calibrates them: its fit is the share of
    outcomes, rises with F[k], and is nearest to the outcomes. The miscalibration is the `rps` of
    the probabilities, minus that of the fits. Probabilities that are equal within 12 decimals
    share a fit. The fits of a row need not rise from class to class; sorted, they would have an
    `rps` that is at least as low.

    Even right probabilities differ from their fits by chance, the more so the fewer rows there
    are. Values of different sizes compare with ``corrected=True``; differences of models on the
    same rows need no correction. The draws depend neither on the order of the rows nor on other
    groups.

    References
    ----------
    S. Arnold, E.-M. Walz, J. Ziegel and T. Gneiting, Decompositions of the mean continuous ranked
    probability score, Electron. J. Stat. 18 (2024) 4992-5044, doi:10.1214/24-EJS2316.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> true, proba = [0, 1, 1, 0], [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.5, 0.5]]
    >>> round(float(po.metrics.rps_mcb(true, proba)), 6)
    0.04
    """
    return means[0] if corrected else _not_negative(means)


@probability_metric(
    **_part_of(
        rps,
        "dsc",
        True,
        ARNOLD,
        r"\mathrm{RPS}(G) - \mathrm{RPS}(\hat{F}), " + SHARES_UP_TO,
        ISOTONIC,
    )
)
def rps_dsc(
    means: Stack, n_classes: int, *, normalized: bool = False, corrected: bool = False
) -> Stack:
    """Discrimination: how much calibrated probabilities lower the `rps` of shares.

    Parameters
    ----------
    true : array_like of int, shape (..., n)
        The true class of each row, 0 to K - 1; -1 for a row that does not count.
    proba : array_like, shape (..., n, K)
        The probabilities of the classes; each row sums to 1.
    sample_weight : array_like, shape (..., n), optional
        The weight of each row: 2 counts as two rows.
    normalized : bool, default False
        Divide by K - 1, as `rps` does.
    corrected : bool, default False
        Subtract what chance adds: the mean miscalibration over 20 draws of the true classes from
        the probabilities. The result may be below 0. It has intervals.

    Returns
    -------
    float or ndarray, shape (...)
        0 to K - 1, or to 1 if normalized; higher is better. NaN without rows, and if normalized
        for K = 1. 0 where all rows have one class.

    Raises
    ------
    ValueError
        If a class is outside -1 to K - 1, probabilities are negative or NaN or do not sum to 1
        within 1e-6, or the shapes do not match.

    Notes
    -----
    ``rps = rps_mcb - rps_dsc + rps_unc``. The discrimination is the `rps` of a forecast of the
    shares of the classes, `rps_unc`, minus that of the isotonic fits of `rps_mcb`. It depends on
    how the cumulative probabilities of each class order the rows, and on nothing else: it is what
    calibrated probabilities of the same order achieve. Chance adds to it what it adds to
    `rps_mcb`.

    References
    ----------
    S. Arnold, E.-M. Walz, J. Ziegel and T. Gneiting, Decompositions of the mean continuous ranked
    probability score, Electron. J. Stat. 18 (2024) 4992-5044, doi:10.1214/24-EJS2316.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> true, proba = [0, 1, 1, 0], [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.5, 0.5]]
    >>> round(float(po.metrics.rps_dsc(true, proba)), 6)
    0.125
    """
    return means[0] if corrected else _not_negative(means)


@probability_metric(
    **_part_of(rps, "unc", None, ARNOLD, r"\sum_{k=0}^{K-2} G_k (1 - G_k), " + SHARES_UP_TO)
)
def rps_unc(means: Stack, n_classes: int, *, normalized: bool = False) -> Stack:
    """Uncertainty: the `rps` of a forecast of the shares of the true classes.

    Parameters
    ----------
    true : array_like of int, shape (..., n)
        The true class of each row, 0 to K - 1; -1 for a row that does not count.
    proba : array_like, shape (..., n, K)
        The probabilities of the classes; each row sums to 1.
    sample_weight : array_like, shape (..., n), optional
        The weight of each row: 2 counts as two rows.
    normalized : bool, default False
        Divide by K - 1, as `rps` does.

    Returns
    -------
    float or ndarray, shape (...)
        0 to (K - 1) / 4, or to 1 / 4 if normalized. NaN without rows, and if normalized for K = 1.
        0 where all rows have one class.

    Raises
    ------
    ValueError
        If a class is outside -1 to K - 1, probabilities are negative or NaN or do not sum to 1
        within 1e-6, or the shapes do not match.

    Notes
    -----
    ``rps = rps_mcb - rps_dsc + rps_unc``. It depends on the true classes alone: the sum of
    ``G[k] * (1 - G[k])`` over the classes k but the last, where G are the cumulative shares.

    References
    ----------
    S. Arnold, E.-M. Walz, J. Ziegel and T. Gneiting, Decompositions of the mean continuous ranked
    probability score, Electron. J. Stat. 18 (2024) 4992-5044, doi:10.1214/24-EJS2316.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> true, proba = [0, 1, 1, 0], [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.5, 0.5]]
    >>> round(float(po.metrics.rps_unc(true, proba)), 6)
    0.25
    """
    return _not_negative(means)


@probability_metric(
    **_part_of(
        log_loss,
        "mcb",
        False,
        DIMITRIADIS,
        r"L(p) - L(\hat{p}), \qquad L(p) = " + LOSS,
        CALIBRATED,
    )
)
def log_loss_mcb(means: Stack, n_classes: int) -> Stack:
    """Miscalibration: how much of the `log_loss` calibrated probabilities would save.

    Parameters
    ----------
    true : array_like of int, shape (..., n)
        The true class of each row, 0 to K - 1; -1 for a row that does not count.
    proba : array_like, shape (..., n, K)
        The probabilities of the classes; each row sums to 1.
    sample_weight : array_like, shape (..., n), optional
        The weight of each row: 2 counts as two rows.

    Returns
    -------
    float or ndarray, shape (...)
        0 to infinity, lower is better: infinite where a true class has probability 0. NaN without
        rows.

    Raises
    ------
    ValueError
        If a class is outside -1 to K - 1, probabilities are negative or NaN or do not sum to 1
        within 1e-6, or the shapes do not match.

    Notes
    -----
    ``log_loss = log_loss_mcb - log_loss_dsc + log_loss_unc``. The loss is a sum over the classes
    from the lowest up: at each class k but the last, whether a row that is not lower is of class
    k, forecast by ``p[k] / (p[k] + p[k + 1] + ...)``. An isotonic regression calibrates these
    forecasts, as in `rps_mcb`; 0 / 0 counts as 1. Since it begins with the lowest class, reversing
    the classes changes the parts, unlike the loss itself.

    Chance adds to it, the more so the fewer rows there are, by an amount that depends on how wrong
    the probabilities are: there is no correction. Differences of models on the same rows need
    none.

    References
    ----------
    T. Dimitriadis, T. Gneiting and A. I. Jordan, Stable reliability diagrams for probabilistic
    classifiers, Proc. Natl. Acad. Sci. 118 (2021) e2016191118, doi:10.1073/pnas.2016191118.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> true, proba = [0, 1, 1, 0], [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.5, 0.5]]
    >>> round(float(po.metrics.log_loss_mcb(true, proba)), 6)
    0.137912
    """
    return _not_negative(means)


@probability_metric(
    **_part_of(
        log_loss,
        "dsc",
        True,
        DIMITRIADIS,
        r"L(q) - L(\hat{p}), \qquad L(p) = " + LOSS + r", \qquad q_k = \frac{n_k}{N}",
        f"{CALIBRATED} {CLASS_SHARES}",
    )
)
def log_loss_dsc(means: Stack, n_classes: int) -> Stack:
    """Discrimination: how much calibrated probabilities lower the `log_loss` of shares.

    Parameters
    ----------
    true : array_like of int, shape (..., n)
        The true class of each row, 0 to K - 1; -1 for a row that does not count.
    proba : array_like, shape (..., n, K)
        The probabilities of the classes; each row sums to 1.
    sample_weight : array_like, shape (..., n), optional
        The weight of each row: 2 counts as two rows.

    Returns
    -------
    float or ndarray, shape (...)
        0 to infinity, higher is better. NaN without rows. 0 where all rows have one class.

    Raises
    ------
    ValueError
        If a class is outside -1 to K - 1, probabilities are negative or NaN or do not sum to 1
        within 1e-6, or the shapes do not match.

    Notes
    -----
    ``log_loss = log_loss_mcb - log_loss_dsc + log_loss_unc``. The discrimination is the loss of a
    forecast of the shares of the classes, `log_loss_unc`, minus that of the isotonic fits of
    `log_loss_mcb`, which is finite. Chance adds to it what it adds to
    `log_loss_mcb`.

    References
    ----------
    T. Dimitriadis, T. Gneiting and A. I. Jordan, Stable reliability diagrams for probabilistic
    classifiers, Proc. Natl. Acad. Sci. 118 (2021) e2016191118, doi:10.1073/pnas.2016191118.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> true, proba = [0, 1, 1, 0], [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.5, 0.5]]
    >>> round(float(po.metrics.log_loss_dsc(true, proba)), 6)
    0.346574
    """
    return _not_negative(means)


@probability_metric(
    **_part_of(
        log_loss,
        "unc",
        None,
        DIMITRIADIS,
        r"-\sum_k q_k \log q_k, \qquad q_k = \frac{n_k}{N}",
        CLASS_SHARES,
    )
)
def log_loss_unc(means: Stack, n_classes: int) -> Stack:
    """Uncertainty: the `log_loss` of a forecast of the shares of the true classes, their entropy.

    Parameters
    ----------
    true : array_like of int, shape (..., n)
        The true class of each row, 0 to K - 1; -1 for a row that does not count.
    proba : array_like, shape (..., n, K)
        The probabilities of the classes; each row sums to 1.
    sample_weight : array_like, shape (..., n), optional
        The weight of each row: 2 counts as two rows.

    Returns
    -------
    float or ndarray, shape (...)
        0 to log K. NaN without rows. 0 where all rows have one class.

    Raises
    ------
    ValueError
        If a class is outside -1 to K - 1, probabilities are negative or NaN or do not sum to 1
        within 1e-6, or the shapes do not match.

    Notes
    -----
    ``log_loss = log_loss_mcb - log_loss_dsc + log_loss_unc``. It depends on the true classes
    alone: ``-sum q[k] * log(q[k])``, where q are their shares.

    References
    ----------
    T. Dimitriadis, T. Gneiting and A. I. Jordan, Stable reliability diagrams for probabilistic
    classifiers, Proc. Natl. Acad. Sci. 118 (2021) e2016191118, doi:10.1073/pnas.2016191118.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> true, proba = [0, 1, 1, 0], [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.5, 0.5]]
    >>> round(float(po.metrics.log_loss_unc(true, proba)), 6)
    0.693147
    """
    return _not_negative(means)
