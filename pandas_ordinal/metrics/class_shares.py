"""Shares of each class against all others, and confusion matrices of two classes at each cut."""

from __future__ import annotations

import numpy as np

from pandas_ordinal.counting.arrays import Array, Stack
from pandas_ordinal.metrics.count_kernel import metric
from pandas_ordinal.metrics.error import GAUDETTE

ALTMAN_BLAND = "Altman & Bland 1994, doi:10.1136/bmj.308.6943.1552"
PREDICTIVE_VALUES = "Altman & Bland 1994, doi:10.1136/bmj.309.6947.102"


def at_cuts(counts: Array) -> Array:
    """Return counts of two classes, up to each class and above it, ``(..., K - 1, 2, 2)``."""
    n_classes = counts.shape[-1]
    cut = np.empty((*counts.shape[:-2], n_classes - 1, 2, 2), counts.dtype)
    for k in range(1, n_classes):
        of_true = np.add.reduceat(counts, [0, k], axis=-2)
        cut[..., k - 1, :, :] = np.add.reduceat(of_true, [0, k], axis=-1)
    return cut


def _sum_of_others(sums: Stack) -> Stack:
    """Add up sums ``(K, batch)`` over the other classes, without the rounding of a difference."""
    others: Stack = (1 - np.eye(len(sums))) @ sums
    return others


def _wrong(counts: Stack) -> Stack:
    """Return counts without those of right predictions."""
    wrong: Stack = counts * (1 - np.eye(len(counts)))[:, :, None]
    return wrong


def _avoided(errors: Stack, rows: Stack) -> tuple[Stack, Stack]:
    return np.maximum(rows - errors, 0), rows


def _rejected(counts: Stack) -> tuple[Stack, Stack]:
    """Return how many rows of other classes are not predicted as a class, of how many."""
    return _avoided(_wrong(counts).sum(axis=0), _sum_of_others(counts.sum(axis=1)))


def _hits_by_pred(counts: Stack) -> tuple[Stack, Stack]:
    """Return how many rows of each predicted class are right, of how many."""
    hits: Stack = np.einsum("rrb->rb", counts)
    sizes: Stack = counts.sum(axis=0)
    return hits, sizes


def _rightly_rejected(counts: Stack) -> tuple[Stack, Stack]:
    """Return how many rows that are not predicted as a class are of others, of how many."""
    return _avoided(_wrong(counts).sum(axis=1), _sum_of_others(counts.sum(axis=0)))


def _one_off(counts: Stack) -> tuple[Stack, Stack]:
    """Return how many rows of each true class are predicted as one next to it, of how many."""
    n_classes = len(counts)
    next_to = np.eye(n_classes, k=1) + np.eye(n_classes, k=-1)
    near: Stack = np.einsum("rc,rcb->rb", next_to, counts)
    sizes: Stack = counts.sum(axis=1)
    return near, sizes


def _share(trials: tuple[Stack, Stack]) -> Stack:
    successes, rows = trials
    return successes / rows


@metric(
    range=(0, 1),
    greater_is_better=True,
    reference=ALTMAN_BLAND,
    output=("class",),
    trials=_rejected,
    formula=r"\frac{N - n_{r\cdot} - n_{\cdot r} + n_{rr}}{N - n_{r\cdot}}",
    blind_to="Rows of the class that are missed, and how far off mistakes are.",
)
def class_specificity(counts: Stack) -> Stack:
    """Share of the rows of other classes that were not predicted as the class.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    ndarray, shape (..., K)
        0 to 1, higher is better. NaN for a class to which all true rows belong.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    ``(N - n[k, :].sum() - n[:, k].sum() + n[k, k]) / (N - n[k, :].sum())`` for class k.

    References
    ----------
    D. G. Altman and J. M. Bland, Diagnostic tests 1: sensitivity and specificity, BMJ 308 (1994)
    1552, doi:10.1136/bmj.308.6943.1552.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> po.metrics.class_specificity([[3, 1, 0], [0, 2, 0], [1, 0, 1]]).round(3).tolist()
    [0.75, 0.833, 1.0]
    """
    return _share(_rejected(counts))


@metric(
    range=(0, 1),
    greater_is_better=True,
    reference=PREDICTIVE_VALUES,
    output=("class",),
    trials=_hits_by_pred,
    formula=r"\frac{n_{cc}}{n_{\cdot c}}",
    blind_to="Rows of the class that are predicted as another one, and how far off mistakes are.",
)
def class_precision(counts: Stack) -> Stack:
    """Share of the rows that were predicted as each class that belong to it: its PPV.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    ndarray, shape (..., K)
        0 to 1, higher is better. NaN for a class that was never predicted.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    ``n[k, k] / n[:, k].sum()`` for class k: its positive predictive value (PPV).

    References
    ----------
    D. G. Altman and J. M. Bland, Diagnostic tests 2: predictive values, BMJ 309 (1994) 102,
    doi:10.1136/bmj.309.6947.102.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> po.metrics.class_precision([[3, 1, 0], [0, 2, 0], [1, 0, 1]]).round(3).tolist()
    [0.75, 0.667, 1.0]
    """
    return _share(_hits_by_pred(counts))


@metric(
    range=(0, 1),
    greater_is_better=True,
    reference=PREDICTIVE_VALUES,
    output=("class",),
    trials=_rightly_rejected,
    formula=r"\frac{N - n_{c\cdot} - n_{\cdot c} + n_{cc}}{N - n_{\cdot c}}",
    blind_to=(
        "Rows of other classes that are predicted as the class, and how far off mistakes are."
    ),
)
def class_npv(counts: Stack) -> Stack:
    """Share of the rows that were not predicted as each class that belong to others.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    ndarray, shape (..., K)
        0 to 1, higher is better. NaN for a class as which all rows were predicted.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    ``(N - n[k, :].sum() - n[:, k].sum() + n[k, k]) / (N - n[:, k].sum())`` for class k: its
    negative predictive value (NPV).

    References
    ----------
    D. G. Altman and J. M. Bland, Diagnostic tests 2: predictive values, BMJ 309 (1994) 102,
    doi:10.1136/bmj.309.6947.102.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> po.metrics.class_npv([[3, 1, 0], [0, 2, 0], [1, 0, 1]]).round(3).tolist()
    [0.75, 1.0, 0.857]
    """
    return _share(_rightly_rejected(counts))


@metric(
    range=(0, 1),
    greater_is_better=None,
    reference=GAUDETTE,
    output=("class",),
    trials=_one_off,
    formula=r"\frac{n_{r,r-1} + n_{r,r+1}}{n_{r\cdot}}",
    blind_to="All other mistakes, and the direction of those that it counts.",
)
def class_off_by_one(counts: Stack) -> Stack:
    """Share of the rows of each true class that were predicted as a class next to it.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    ndarray, shape (..., K)
        0 to 1. Neither end is better: these errors are the smallest ones. NaN for a class without
        true rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    ``(n[k, k - 1] + n[k, k + 1]) / n[k, :].sum()`` for class k.

    References
    ----------
    L. Gaudette and N. Japkowicz, Evaluation methods for ordinal classification, Canadian AI 2009,
    doi:10.1007/978-3-642-01818-3_25.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> po.metrics.class_off_by_one([[3, 1, 0], [0, 2, 0], [1, 0, 1]]).tolist()
    [0.25, 0.0, 0.0]
    """
    return _share(_one_off(counts))
