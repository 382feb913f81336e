"""Metrics of class probabilities, and the scores and classes that follow from them."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from pandas_ordinal.counting.arrays import (
    Array,
    Floats,
    Positions,
    Probabilities,
    Stack,
    refuse_wrong_atol,
    tolerance,
)
from pandas_ordinal.errors import brief
from pandas_ordinal.hints import explains_arguments
from pandas_ordinal.metrics.error import as_square
from pandas_ordinal.metrics.metric import OfRow, Values
from pandas_ordinal.metrics.proba_kernel import (
    RowMeans,
    as_probabilities,
    middle_of,
    probabilities,
    probability_metric,
)
from pandas_ordinal.metrics.segments import Segments
from pandas_ordinal.metrics.stack import reals

EPSTEIN = "Epstein 1969, doi:10.1175/1520-0450(1969)008<0985:ASSFPF>2.0.CO;2"
GOOD = "Good 1952, doi:10.1111/j.2517-6161.1952.tb00104.x"
MURPHY = "Murphy 1969, doi:10.1175/1520-0450(1969)008<0988:OTPS>2.0.CO;2"
BRIER = "Brier 1950, doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2"
TIED_COSTS = 1e-12
DIGITS = 12

RPS = r"\frac{1}{N} \sum_i \sum_{k=0}^{K-2} \bigl( F_{ik} - [y_i \le k] \bigr)^2"
LOSS = r"-\frac{1}{N} \sum_i \log p_{i, y_i}"
SMALLEST_EXPONENT = -280


def ranked_errors(proba: Stack, true: Array) -> Stack:
    """Return the squared error of the cumulative probabilities of each row."""
    below, squared = np.zeros((2, len(proba)))
    for split in range(proba.shape[-1] - 1):
        below += proba[:, split]
        error = below - (true <= split)
        squared += error * error
    return squared[None]


def fair_ranked_errors(members: Stack, true: Array) -> Stack:
    """Return the squared error of the cumulative shares of members, without what chance adds.

    ``(F - o)^2 - F (1 - F) / (m - 1)`` at each class but the last, for rows of m members. NaN for
    a single member. C. A. T. Ferro, Fair scores for ensemble forecasts, Q. J. R. Meteorol. Soc.
    140 (2014) 1917-1923, doi:10.1002/qj.2270.
    """
    m = members.sum(axis=-1)
    below, squared = np.zeros((2, len(members)))
    for split in range(members.shape[-1] - 1):
        below += members[:, split]
        share = below / m
        squared += (share - (true <= split)) ** 2 - share * (1 - share) / (m - 1)
    return squared[None]


def _with_classes(ranked: OfRow) -> OfRow:
    """Return a function of the errors of each row and of flags of its class."""

    def errors_and_classes(proba: Stack, true: Array) -> Stack:
        of_class = true == np.arange(proba.shape[-1])[:, None]
        return np.concatenate([ranked(proba, true), of_class])

    return errors_and_classes


def _errors_of_reference(
    rows: Segments, proba: Array, *, reference: npt.ArrayLike | Probabilities = "climatology"
) -> Floats:
    """Return terms of rows whose mean is the error of the reference, to first order.

    A row changes the climatology F of its segment, and its error ``F (1 - F)`` at each class, by
    ``(1 - 2 F) (o - F)``.
    """
    if not isinstance(reference, str):
        given = (
            reference[:]
            if isinstance(reference, Probabilities)
            else _reference(reference, rows.n_classes)
        )
        errors: Floats = ranked_errors(np.broadcast_to(given, proba.shape), rows.codes)[0]
        return errors
    weights = np.ones(len(rows.codes)) if rows.weights is None else rows.weights
    total = np.bincount(rows.segment, weights, rows.n_segments)
    terms = np.zeros(len(rows.codes))
    for split in range(rows.n_classes - 1):
        is_below = (rows.codes <= split).astype(float)
        shares = np.bincount(rows.segment, is_below * weights, rows.n_segments) / total
        below = shares[rows.segment]
        terms += below * (1 - below) + (1 - 2 * below) * (is_below - below)
    return terms


def surprise(proba: Stack, true: Array) -> Stack:
    """Return the negative logarithm of the probability of the true class."""
    of_true = np.take_along_axis(proba, true[:, None].astype(np.intp), axis=-1)
    return 0 - np.log(of_true.T)


def _errors(proba: Stack, true: Array) -> Stack:
    """Return the squared error of the class probabilities of each row."""
    squared = np.zeros(len(proba))
    for code in range(proba.shape[-1]):
        error = proba[:, code] - (true == code)
        squared += error * error
    return squared[None]


@probability_metric(
    of_row=ranked_errors,
    fair_row=fair_ranked_errors,
    range=(0, "K-1"),
    greater_is_better=False,
    reference=EPSTEIN,
    is_row_mean=True,
    limits=lambda counts, options: (
        0,
        1 if options.get("normalized") else counts.shape[-1] - 1,
    ),
    formula=RPS + r", \qquad F_{ik} = \sum_{j \le k} p_{ij}",
    blind_to="How wide the steps between classes are: all count as equally wide.",
)
def rps(means: Stack, n_classes: int, *, normalized: bool = False) -> Stack:
    """Ranked probability score: squared error of the cumulative probabilities.

    Parameters
    ----------
    true : array_like of int, shape (..., n)
        The true class of each row, 0 to K - 1; -1 for a row that does not count.
    proba : array_like, shape (..., n, K)
        The probabilities of the classes; each row sums to 1.
    sample_weight : array_like, shape (..., n), optional
        The weight of each row: 2 counts as two rows.
    normalized : bool, default False
        Divide by K - 1, so that the worst value is 1.

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
    The mean over the rows of ``sum (F[k] - 1[y <= k])^2`` over the classes k but the last, where F
    are the cumulative probabilities. It is proper, and for two classes half of `brier`. For
    probabilities of 0 and 1 it is the `mae` of the predicted classes.

    References
    ----------
    E. S. Epstein, A scoring system for probability forecasts of ranked categories, J. Appl.
    Meteorol. 8 (1969) 985-987, doi:10.1175/1520-0450(1969)008<0985:ASSFPF>2.0.CO;2.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> round(float(po.metrics.rps([2], [[0.2, 0.5, 0.3]])), 6)
    0.53
    >>> round(float(po.metrics.rps([2], [[0.5, 0.2, 0.3]], normalized=True)), 6)
    0.37
    """
    score: Stack = means[0]
    return score / np.float64(n_classes - 1) if normalized else score


@probability_metric(
    of_row=_with_classes(ranked_errors),
    fair_row=_with_classes(fair_ranked_errors),
    skill_of=("rps", _errors_of_reference),
    range=(-np.inf, 1),
    greater_is_better=True,
    reference=MURPHY,
    formula=r"1 - \frac{\mathrm{RPS}}{\mathrm{RPS}_\mathrm{ref}}, \qquad \mathrm{RPS} = " + RPS,
    blind_to="How good the reference is: a poor one makes any forecast look skilful.",
    letters=r":math:`\mathrm{RPS}_\mathrm{ref}` is the same of the option ``reference``.",
)
def rps_skill(
    means: Stack,
    n_classes: int,
    *,
    reference: Literal["climatology"] | npt.ArrayLike = "climatology",
) -> Stack:
    """Skill by the ranked probability score: the improvement on a reference, as a share.

    Parameters
    ----------
    true : array_like of int, shape (..., n)
        The true class of each row, 0 to K - 1; -1 for a row that does not count.
    proba : array_like, shape (..., n, K)
        The probabilities of the classes; each row sums to 1.
    sample_weight : array_like, shape (..., n), optional
        The weight of each row: 2 counts as two rows.
    reference : "climatology" or array_like, shape (K,) or (..., n, K), default "climatology"
        The probabilities that the reference gives all rows, or each row. "climatology" is the
        share of each class in the rows that are scored together. Methods of `.ordinal` read a dict
        or an array by its labels; on a frame, a list or dict of text names columns.

    Returns
    -------
    float or ndarray, shape (...)
        Up to 1, higher is better; 0 is as good as the reference, below 0 is worse. NaN without
        rows, and where the reference is perfect, as climatology is if all rows have one class.

    Raises
    ------
    ValueError
        If a class is outside -1 to K - 1, probabilities are negative or NaN or do not sum to 1
        within 1e-6, the shapes do not match, or the reference is not K probabilities.

    Notes
    -----
    ``1 - rps / rps of the reference``, both over the same rows. The `rps` of a reference with the
    cumulative probabilities G is ``sum F[k] * (1 - G[k])^2 + (1 - F[k]) * G[k]^2``, where F are
    the cumulative shares of the classes. For climatology, whose G is F, it is ``sum F[k] * (1 -
    F[k])``.

    References
    ----------
    A. H. Murphy, On the "ranked probability score", J. Appl. Meteorol. 8 (1969) 988-989,
    doi:10.1175/1520-0450(1969)008<0988:OTPS>2.0.CO;2.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> true, proba = [0, 1, 2], [[0.8, 0.2, 0], [0.1, 0.8, 0.1], [0, 0.2, 0.8]]
    >>> round(float(po.metrics.rps_skill(true, proba)), 6)
    0.925
    """
    score, below = means[0], np.cumsum(means[1:], axis=0)[:-1]
    expects = below
    if isinstance(reference, RowMeans):
        expected = reference.means[0]
        return np.where(expected > 0, 1 - score / expected, np.nan)
    if not isinstance(reference, str):
        expects = np.cumsum(_reference(reference, n_classes))[:-1, None]
    elif reference != "climatology":
        raise ValueError(_no_reference(reference, n_classes))
    expected = (below * (1 - expects) ** 2 + (1 - below) * expects**2).sum(axis=0)
    return np.where(expected > 0, 1 - score / expected, np.nan)


def _reference(reference: npt.ArrayLike, n_classes: int) -> Stack:
    """Return the probabilities of a reference; raise for anything else."""
    given = reals("reference", reference)
    if given.shape != (n_classes,):
        raise ValueError(_no_reference(reference, n_classes))
    checked: Stack = probabilities(given[None], tolerance(n_classes, given.dtype))[0]
    return checked


def _no_reference(reference: npt.ArrayLike, n_classes: int) -> str:
    return (
        f'reference={brief(reference)} must be "climatology" or {n_classes} probabilities, '
        "one per class, or as many for each row"
    )


@probability_metric(
    of_row=surprise,
    range=(0, np.inf),
    greater_is_better=False,
    reference=GOOD,
    is_row_mean=True,
    formula=LOSS,
    blind_to="All probabilities but that of the true class.",
)
def log_loss(means: Stack, n_classes: int) -> Stack:
    """Mean negative logarithm of the probability of the true class.

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
        0 to infinity, lower is better: infinite where a true class has probability 0, which
        scikit-learn clips to 2.2e-16. NaN without rows.

    Raises
    ------
    ValueError
        If a class is outside -1 to K - 1, probabilities are negative or NaN or do not sum to 1
        within 1e-6, or the shapes do not match.

    Notes
    -----
    The mean of ``-log p[y]``, natural logarithm. It depends on the probability of the true class
    alone; unlike `rps`, it ignores how far off the rest lies.

    References
    ----------
    I. J. Good, Rational decisions, J. R. Stat. Soc. B 14 (1952) 107-114,
    doi:10.1111/j.2517-6161.1952.tb00104.x.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> round(float(po.metrics.log_loss([2, 0], [[0.2, 0.3, 0.5], [0.5, 0.5, 0]])), 6)
    0.693147
    """
    score: Stack = means[0]
    return score


@probability_metric(
    of_row=_errors,
    range=(0, 2),
    greater_is_better=False,
    reference=BRIER,
    is_row_mean=True,
    formula=r"\frac{1}{N} \sum_i \sum_k \bigl( p_{ik} - [y_i = k] \bigr)^2",
    blind_to=(
        "The order of the classes: probability next to the truth is worth no more than "
        "probability far from it."
    ),
)
def brier(means: Stack, n_classes: int) -> Stack:
    """Brier score: squared error of the class probabilities, summed over the classes.

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
        0 to 2, lower is better. NaN without rows.

    Raises
    ------
    ValueError
        If a class is outside -1 to K - 1, probabilities are negative or NaN or do not sum to 1
        within 1e-6, or the shapes do not match.

    Notes
    -----
    The mean over the rows of ``sum (p[k] - 1[y = k])^2`` over all classes, Brier's own form; for
    two classes it is twice scikit-learn's. Unlike `rps`, it ignores the order of the classes.

    References
    ----------
    G. W. Brier, Verification of forecasts expressed in terms of probability, Mon. Weather Rev. 78
    (1950) 1-3, doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> round(float(po.metrics.brier([2], [[0.2, 0.3, 0.5]])), 6)
    0.38
    """
    score: Stack = means[0]
    return score


@explains_arguments
def expected_class(proba: npt.ArrayLike, *, atol: float | None = None) -> Values:
    """Return the mean class position, a score that ranks rows: ``sum k * p[k]``.

    Parameters
    ----------
    proba : array_like, shape (..., K)
        The probabilities of the classes.
    atol : float, optional
        By how much the probabilities of a row may differ from a sum of 1. Default: 1e-6.

    Returns
    -------
    float or ndarray, shape (...)
        0 to K - 1, rounded to 12 significant digits.

    Raises
    ------
    ValueError
        If probabilities are negative or NaN or do not sum to 1 within 1e-6, or `atol`.

    Notes
    -----
    Rounding errors affect the digits after the twelfth, and would rank rows whose exact sums are
    equal. Without these digits such rows tie.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> float(po.metrics.expected_class([0.25, 0.25, 0.5]))
    1.25
    >>> po.metrics.expected_class([[0.1, 0.1, 0.3, 0.5], [0.0, 0.2, 0.4, 0.4]]).tolist()
    [2.2, 2.2]
    """
    array = _checked(proba, atol)
    mean = np.zeros(array.shape[:-1])
    for code in range(1, array.shape[-1]):  # in one order, whatever the layout in memory
        mean += code * array[..., code]
    return _in_digits(mean)[()]


@explains_arguments
def most_likely(proba: npt.ArrayLike, *, atol: float | None = None) -> np.intp | Positions:
    """Return the code of the most probable class, the lowest one if several tie.

    This prediction has the highest expected `accuracy`.

    Parameters
    ----------
    proba : array_like, shape (..., K)
        The probabilities of the classes.
    atol : float, optional
        By how much the probabilities of a row may differ from a sum of 1. Default: 1e-6.

    Returns
    -------
    int or ndarray, shape (...)
        0 to K - 1.

    Raises
    ------
    ValueError
        If probabilities are negative or NaN or do not sum to 1 within 1e-6, or `atol`.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> int(po.metrics.most_likely([0.4, 0.15, 0.15, 0.3]))
    0
    """
    codes: np.intp | Positions = np.argmax(_checked(proba, atol), axis=-1)
    return codes


@explains_arguments
def median_class(proba: npt.ArrayLike, *, atol: float | None = None) -> np.intp | Positions:
    """Return the code of the lowest class whose cumulative probability is at least a half.

    This prediction has the lowest expected `mae`.

    Parameters
    ----------
    proba : array_like, shape (..., K)
        The probabilities of the classes.
    atol : float, optional
        By how much the probabilities of a row may differ from a sum of 1. Default: 1e-6.

    Returns
    -------
    int or ndarray, shape (...)
        0 to K - 1. A sum within 1e-12 of a half counts as a half.

    Raises
    ------
    ValueError
        If probabilities are negative or NaN or do not sum to 1 within 1e-6, or `atol`.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> int(po.metrics.median_class([0.4, 0.15, 0.15, 0.3]))
    1
    """
    return middle_of(_checked(proba, atol))


@explains_arguments
def least_costly(
    proba: npt.ArrayLike, costs: npt.ArrayLike, *, atol: float | None = None
) -> np.intp | Positions:
    """Return the code of the class whose expected cost is least, the lowest one if several tie.

    This prediction has the lowest `expected_cost` in expectation.

    Parameters
    ----------
    proba : array_like, shape (..., K)
        The probabilities of the classes.
    costs : array_like, shape (K, K)
        ``costs[r, c]`` is the cost of predicting class c for a row of true class r; negative costs
        are gains.
    atol : float, optional
        By how much the probabilities of a row may differ from a sum of 1. Default: 1e-6.

    Returns
    -------
    int or ndarray, shape (...)
        0 to K - 1. Expected costs tie if they differ by at most 1e-12 of the largest absolute
        cost.

    Raises
    ------
    ValueError
        If probabilities are negative or NaN or do not sum to 1 within 1e-6, or `atol`, or costs
        are not K x K finite numbers.

    Notes
    -----
    The class c with the least ``sum_r p[r] * costs[r, c]``. It is `most_likely` if all errors cost
    the same, and `median_class` for ``costs[r, c] = |r - c|``. A number that is added to all costs
    of a true class does not change it.

    References
    ----------
    C. Elkan, The foundations of cost-sensitive learning, IJCAI 2001, 973-978.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> squared = [[0, 1, 4], [1, 0, 1], [4, 1, 0]]
    >>> po.metrics.least_costly([[0.5, 0.3, 0.2], [0.8, 0.1, 0.1]], squared).tolist()
    [1, 0]
    """
    array = _checked(proba, atol)
    matrix = as_square(costs, array.shape[-1], "costs")
    largest = np.abs(matrix).max() or 1.0
    by_class = array.reshape(-1, len(matrix)).T
    with np.errstate(all="ignore"):
        expected = (matrix / largest).T @ by_class
    is_least = expected <= expected.min(axis=0) + TIED_COSTS
    codes: np.intp | Positions = np.argmax(is_least, axis=0).reshape(array.shape[:-1])[()]
    return codes


def _in_digits(values: Stack) -> Stack:
    """Round non-negative numbers to significant digits."""
    smallest = 10.0**SMALLEST_EXPONENT
    exponents = np.floor(np.log10(np.maximum(values, smallest))).astype(int)
    # Python's powers of ten are as exact as they can be, so that 2.2 stays 2.2
    powers = np.array([10.0 ** (DIGITS - 1 - e) for e in range(SMALLEST_EXPONENT, DIGITS)])
    scales = powers[exponents - SMALLEST_EXPONENT]
    rounded: Stack = np.rint(values * scales) / scales
    return rounded


def _checked(proba: npt.ArrayLike, atol: float | None) -> Stack:
    refuse_wrong_atol(atol)
    array = as_probabilities(proba)
    n_classes = array.shape[-1]
    within = tolerance(n_classes, array.dtype, atol=atol)
    rows = probabilities(array.reshape(-1, n_classes), within, "atol")
    return rows.reshape(array.shape)
