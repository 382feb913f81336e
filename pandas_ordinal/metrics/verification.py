"""Scores of forecasts of categories, which correct for how often each is observed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from pandas_ordinal.counting.arrays import Floats, Stack
from pandas_ordinal.errors import brief
from pandas_ordinal.metrics.count_kernel import as_kernel, metric
from pandas_ordinal.metrics.stack import reals, total

GERRITY = "Gerrity 1992, doi:10.1175/1520-0493(1992)120<2709:ANOGAM>2.0.CO;2"
PEIRCE = "Peirce 1884, doi:10.1126/science.ns-4.93.453.b"
RODWELL = "Rodwell et al. 2010, doi:10.1002/qj.656"


def _limits_of_gerrity(counts: Floats, options: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return the limits of `gerrity`; with another reference, a perfect forecast is not 1."""
    return -1, 1 if options.get("reference") is None else _best_gerrity(counts, **options)


def _limits_of_seeps(counts: Floats, options: Mapping[str, Any]) -> tuple[Any, Any]:
    return 0, 2 if options.get("reference") is None else _worst_seeps(counts, **options)


@metric(
    range=(-1, 1),
    greater_is_better=True,
    reference=GERRITY,
    limits=_limits_of_gerrity,
    formula=(
        r"\frac{1}{N} \sum_{r, c} n_{rc} \, s_{rc}, \qquad s_{rc} = \frac{1}{K - 1} \Bigl( "
        r"\sum_{k < \min(r, c)} \frac{1}{a_k} - |r - c| + \sum_{k = \max(r, c)}^{K - 2} a_k "
        r"\Bigr), \qquad a_k = \frac{1 - F_k}{F_k}"
    ),
    blind_to="How few rows of a rare class there are: they decide.",
    letters=(
        r":math:`F_k` is the share of the rows whose true class is k or lower, or that of the "
        r"``reference``."
    ),
)
def gerrity(counts: Stack, *, reference: npt.ArrayLike | None = None) -> Stack:
    """Gerrity skill score: rare classes earn more, and near misses lose less than far ones (GMSS).

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.
    reference : array_like, shape (K,), optional
        Shares of the classes in a climatology, or their sizes, to use instead of the true classes
        of each matrix, so that regions or seasons are comparable.

    Returns
    -------
    float or ndarray, shape (...)
        -1 to 1, higher is better; 0 for a constant forecast and, on average, for a random one.
        With a reference, a perfect forecast is 1 only if its shares are those of the true classes.
        NaN for K = 1, without rows, and where all true rows lie on one side of a split of the
        classes into lower and higher ones, as without rows of the lowest or the highest class.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, or if the reference is not K non-negative
        numbers, the first and the last of them positive.

    Notes
    -----
    ``sum n[r, c] * s[r, c] / N`` with ``s[r, c] = (1 / (K - 1)) * (sum of 1 / a[k] over k < min(r,
    c) - |r - c| + sum of a[k] over max(r, c) <= k < K - 1)``, where ``a[k] = (1 - F[k]) / F[k]``
    are the odds of a class above k, and F are the cumulative shares of the true classes. It is the
    mean over the splits of Peirce's score of two classes, and for K = 2 `peirce`.

    References
    ----------
    J. P. Gerrity, A note on Gandin and Murphy's equitable skill score, Mon. Weather Rev. 120
    (1992) 2709-2712, doi:10.1175/1520-0493(1992)120<2709:ANOGAM>2.0.CO;2.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> counts = [[4, 1, 0], [1, 2, 1], [0, 0, 1]]
    >>> round(float(po.metrics.gerrity(counts)), 6)
    0.744444
    >>> round(float(po.metrics.gerrity(counts, reference=[0.6, 0.3, 0.1])), 6)
    0.777778
    """
    return _best(counts, reference=reference) - _error(counts, reference)


@metric(
    range=(-1, 1),
    greater_is_better=True,
    reference=PEIRCE,
    formula=r"\frac{\sum_r p_{rr} - \sum_r p_{r\cdot} \, p_{\cdot r}}{1 - \sum_r p_{r\cdot}^2}",
    blind_to="How far off mistakes are.",
)
def peirce(counts: Stack) -> Stack:
    """Peirce skill score: hits beyond chance, as a share of those of a perfect forecast.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    float or ndarray, shape (...)
        -1 to 1, higher is better; 0 for a constant forecast and, on average, for a random one. NaN
        without rows, and with a single true class.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    ``(sum p[r, r] - sum t[r] * q[r]) / (1 - sum t[r]²)`` with the shares p of the cells, t of the
    true and q of the predicted classes. It ignores the order of the classes. Others call it
    Hanssen and Kuipers' score or the true skill statistic; for K = 2 it is Youden's index,
    sensitivity + specificity - 1. Heidke's score has ``1 - sum t[r] * q[r]`` below the line: it is
    `kappa` with the weights "identity".

    References
    ----------
    C. S. Peirce, The numerical measure of the success of predictions, Science 4 (1884) 453-454,
    doi:10.1126/science.ns-4.93.453.b; for more than two classes as by A. W. Hanssen and W. J. A.
    Kuipers, On the relationship between the frequency of rain and various meteorological
    parameters, KNMI Meded. Verhand. 81 (1965).

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> round(float(po.metrics.peirce([[4, 1, 0], [1, 2, 1], [0, 0, 1]])), 6)
    0.534483
    """
    shares = counts / total(counts)
    other = 1 - np.eye(len(counts))
    true, hits = shares.sum(axis=1), np.einsum("rrb->rb", shares)
    wrong = np.einsum("rc,rcb->cb", other, shares)
    others = other @ true  # 1 - true, without cancellation, as all terms below
    room = (true * others).sum(axis=0)
    return np.where(room > 0, (hits * others - true * wrong).sum(axis=0) / room, np.nan)


@metric(
    range=(0, 2),
    greater_is_better=False,
    reference=RODWELL,
    limits=_limits_of_seeps,
    n_classes=3,
    formula=(
        r"\frac{1}{N} \sum_{r, c} n_{rc} \, e_{rc}, \qquad e = \frac{1}{2} \begin{pmatrix} "
        r"0 & \frac{1}{p_1} & \frac{1}{p_1} + \frac{1}{1 - p_3} \\ \frac{1}{1 - p_1} & 0 & "
        r"\frac{1}{1 - p_3} \\ \frac{1}{p_3} + \frac{1}{1 - p_1} & \frac{1}{p_3} & 0 "
        r"\end{pmatrix}"
    ),
    blind_to="Where in its class a value lies, such as light and very light rain.",
    letters=(
        r":math:`p_1` and :math:`p_3` are the shares of the lowest and the highest true class, or "
        r"those of the ``reference``."
    ),
)
def seeps(counts: Stack, *, reference: npt.ArrayLike | None = None) -> Stack:
    """Stable equitable error in probability space, of three classes such as dry, light and heavy.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.
    reference : array_like, shape (K,), optional
        Shares of the classes in a climatology, or their sizes, to use instead of the true classes
        of each matrix, so that regions or seasons are comparable.

    Returns
    -------
    float or ndarray, shape (...)
        0 to 2, lower is better; 1 for a constant forecast and, on average, for a random one. With
        a reference, these hold if its shares are those of the true classes, and the highest value
        depends on it. NaN unless there are three classes, without rows, and without true rows of
        the lowest or the highest class.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, or if the reference is not K non-negative
        numbers, the first and the last of them positive.

    Notes
    -----
    ``sum n[r, c] * e[r, c] / N``. With the shares p1, p2 and p3 of the classes, a forecast that is
    too high costs ``e[0, 1] = 1 / p1``, ``e[1, 2] = 1 / (1 - p3)`` and ``e[0, 2]``, the sum of
    both; one that is too low costs ``e[1, 0] = 1 / (1 - p1)``, ``e[2, 1] = 1 / p3`` and their sum
    ``e[2, 0]``; all are halved. The paper writes predicted classes on the rows; here they are
    columns. It defines heavy rain so that ``p2 = 2 * p3``, and leaves out places where p1 is below
    0.1 or above 0.85. If the shares are those of the true classes, it is ``1 - gerrity``.

    References
    ----------
    M. J. Rodwell, D. S. Richardson, T. D. Hewson and T. Haiden, A new equitable score suitable for
    verifying precipitation in numerical weather prediction, Q. J. R. Meteorol. Soc. 136 (2010)
    1344-1363, doi:10.1002/qj.656.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> counts = [[4, 1, 0], [1, 2, 1], [0, 0, 1]]
    >>> round(float(po.metrics.seeps(counts, reference=[0.4, 0.4, 0.2])), 6)
    0.270833
    """
    error = _error(counts, reference)
    return error if len(counts) == 3 else np.full_like(error, np.nan)


def _error(counts: Stack, reference: npt.ArrayLike | None) -> Stack:
    """Return the mean over the splits of the shares of rows that are misplaced, per chance."""
    (below, above), upper = _chances(counts, reference), 1 - np.tri(len(counts))[:-1]
    from_below, from_above = np.cumsum(counts, axis=0)[:-1], _from_above(counts)
    too_high = np.einsum("kc,kcb->kb", upper, from_below)
    too_low = np.einsum("kc,kcb->kb", 1 - upper, from_above)
    errors = (too_high / below + too_low / above) / total(counts)
    return _mean_of_splits(errors)


def _chances(counts: Stack, reference: npt.ArrayLike | None) -> tuple[Stack, Stack]:
    """Return the chances of a class below and above each split, ``(K - 1, batch or 1)``."""
    sizes = counts.sum(axis=1) if reference is None else _sizes(reference, len(counts))
    shares = sizes / sizes.sum(axis=0)
    return np.cumsum(shares, axis=0)[:-1], _from_above(shares)


def _sizes(reference: npt.ArrayLike, n_classes: int) -> Stack:
    """Return the sizes of the classes in a climatology, ``(K, 1)``; raise for anything else."""
    sizes = reals("reference", reference)
    if sizes.shape != (n_classes,) or (sizes < 0).any() or sizes[0] == 0 or sizes[-1] == 0:
        raise ValueError(
            f"reference={brief(reference)} must be {n_classes} non-negative numbers, one per "
            "class, in the order of the classes; the first and the last are positive"
        )
    return sizes[:, None]


def _from_above(stack: Stack) -> Stack:
    """Add up what is above each split; a difference to the total would cancel."""
    above: Stack = np.cumsum(stack[:0:-1], axis=0)[::-1]
    return above


def _mean_of_splits(values: Stack) -> Stack:
    mean: Stack = values.sum(axis=0) / np.float64(len(values))
    return mean


def _best(counts: Stack, *, reference: npt.ArrayLike | None) -> Stack:
    """Return the Gerrity score of a perfect forecast."""
    below, above = _chances(counts, reference)
    true_below, true_above = _chances(counts, None)
    return _mean_of_splits(true_below * above / below + true_above * below / above)


def _worst(counts: Stack, *, reference: npt.ArrayLike) -> Stack:
    """Return the SEEPS of the worst forecast, which is the lowest or the highest class."""
    below, above = _chances(counts, reference)
    none = np.zeros((1, below.shape[1]))
    as_lowest = np.concatenate([none, np.cumsum(1 / above, axis=0)])
    as_highest = np.concatenate([np.cumsum(1 / below[::-1], axis=0)[::-1], none])
    errors = np.maximum(as_lowest, as_highest) / np.float64(len(below))
    worst: Stack = (counts.sum(axis=1) * errors).sum(axis=0) / total(counts)
    return worst


_best_gerrity = as_kernel(_best)
_worst_seeps = as_kernel(_worst)
