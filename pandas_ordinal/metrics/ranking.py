"""How well a score ranks rows by class: volume under the ROC surface (VUS), areas under curves."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pandas_ordinal.counting.arrays import Floats, Stack
from pandas_ordinal.errors import brief
from pandas_ordinal.hints import explains_arguments
from pandas_ordinal.metrics.ascents import BLOCKS_AT_ONCE, Ties, ascents
from pandas_ordinal.metrics.ranked_rows import Ranked, as_scores, ranked_blocks
from pandas_ordinal.metrics.score_influence import (
    u_cons_with_influence,
    u_ovo_with_influence,
    u_pairs_with_influence,
    vus_with_influence,
)
from pandas_ordinal.metrics.score_kernel import score_metric
from pandas_ordinal.metrics.segments import flatten_to_segments, refuse_other_rows
from pandas_ordinal.metrics.stack import power_of_two, reals

WAEGEMAN = "Waegeman, De Baets & Boullart 2008, doi:10.1016/j.patrec.2007.07.019"

IN_ORDER = r"\bigl( [f_i < f_j] + \tfrac{1}{2} [f_i = f_j] \bigr)"
SPLITS = r":math:`n_{\le k}` rows are of a class up to k, :math:`n_{> k}` of a class above k."
BLIND_TO_SCALE = "The thresholds, and the scale of the score: only its order counts."
AUC_OF_PAIR = r"A_{kl} = \frac{1}{n_k n_l} \sum_{y_i = k} \sum_{y_j = l} "
AUC_OF_SPLIT = r"A_k = \frac{1}{n_{\le k} \, n_{> k}} \sum_{y_i \le k} \sum_{y_j > k} "


@score_metric(
    range=(0, 1),
    greater_is_better=True,
    reference=WAEGEMAN,
    score_influence=vus_with_influence,
    n_blocks=BLOCKS_AT_ONCE,
    formula=(
        r"\frac{1}{\prod_k n_k} \sum_{y_{i_0} = 0} \cdots \sum_{y_{i_{K-1}} = K - 1} "
        r"[f_{i_0} < f_{i_1} < \dots < f_{i_{K-1}}]"
    ),
    blind_to=BLIND_TO_SCALE,
    letters=(
        r":math:`i_0, \dots, i_{K-1}` are rows, one of each class: each sum is over the rows "
        r"of its class."
    ),
)
def vus(ranked: Ranked, *, ties: Ties = "half") -> Stack:
    """Volume under the ROC surface: share of the sequences of one row per class that ascend.

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
        How much a sequence with m equal scores counts: 1 / m!, or nothing as in the paper.

    Returns
    -------
    float or ndarray, shape (...)
        0 to 1, higher is better; 1 / K! for a random score. NaN where a class has no row.

    Raises
    ------
    ValueError
        If a class is outside -1 to K - 1, a score is NaN, or the shapes do not match.

    Notes
    -----
    The share of all sequences ``x[1], ..., x[K]``, one row from each class, with ``f(x[1]) < ... <
    f(x[K])``. For two classes it is the area under the ROC curve. It needs no thresholds, and does
    not change if the score is transformed by an increasing function.

    References
    ----------
    W. Waegeman, B. De Baets and L. Boullart, ROC analysis in ordinal regression learning, Pattern
    Recognit. Lett. 29 (2008) 1-9, doi:10.1016/j.patrec.2007.07.019, eq. 8.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> float(po.metrics.vus([0, 0, 1, 1, 2, 2], [1, 2, 2, 3, 3, 4], 3))
    0.75
    >>> float(po.metrics.vus([0, 0, 1, 1, 2, 2], [1, 2, 2, 3, 3, 4], 3, ties="strict"))
    0.5
    """
    return volume(ranked, ties)


@explains_arguments
def vus_summary(
    true: npt.ArrayLike,
    score: npt.ArrayLike,
    n_classes: int,
    *,
    class_sizes: npt.ArrayLike | None = None,
    ties: Ties = "half",
    sample_weight: npt.ArrayLike | None = None,
) -> Floats:
    """Summarize a range of scores as a triangular matrix, from which VUS is composed.

    Rows that are split by ranges of their score, over files or machines, give one matrix per
    range. The product of these matrices, lowest range first, is the matrix of all rows; the last
    entry of its first row is the VUS. Equal scores must be in the same range.

    Parameters
    ----------
    true : array_like of int, shape (..., n)
        The true class of each row, 0 to K - 1; -1 for a row that does not count.
    score : array_like, shape (..., n)
        A score of each row, higher for higher classes; it may be infinite.
    n_classes : int
        How many classes are declared, K.
    class_sizes : array_like, shape (K,), optional
        The number of rows of each class in all ranges combined. Default: those in this range.
    ties : {"half", "strict"}, default "half"
        How much a sequence with m equal scores counts: 1 / m!, or nothing as in the paper.
    sample_weight : array_like, shape (..., n), optional
        The weight of each row; the class sizes are then sums of weights.

    Returns
    -------
    ndarray, shape (..., K + 1, K + 1)
        Entry (i, j): the share of the sequences of classes i + 1 to j, counted from 1, that lie in
        this range and ascend. Ones on the diagonal, zeros below. Without rows that count it is
        the identity.

    Raises
    ------
    ValueError
        If a class is outside -1 to K - 1, a score is NaN, the shapes do not match, or the class
        sizes are not K non-negative numbers.

    References
    ----------
    W. Waegeman, B. De Baets and L. Boullart, ROC analysis in ordinal regression learning, Pattern
    Recognit. Lett. 29 (2008) 1-9, doi:10.1016/j.patrec.2007.07.019, eq. 8.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> sizes = [2, 2, 2]
    >>> low = po.metrics.vus_summary([0, 0, 1], [1, 2, 2], 3, class_sizes=sizes)
    >>> high = po.metrics.vus_summary([1, 2, 2], [3, 3, 4], 3, class_sizes=sizes)
    >>> float((low @ high)[0, -1])
    0.75
    """
    refuse_other_rows(true=true, score=score, sample_weight=sample_weight)
    column = as_scores("score", score)
    segments, (column,), leading = flatten_to_segments(true, n_classes, sample_weight, column)
    given = None if class_sizes is None else reals("class_sizes", class_sizes)
    if given is not None and (given.shape != (n_classes,) or given.min() < 0):
        raise ValueError(
            f"class_sizes={brief(class_sizes)} must be {n_classes} non-negative numbers, one per "
            "class"
        )
    matrices = np.tile(np.eye(n_classes + 1), (segments.n_segments, 1, 1))
    with np.errstate(all="ignore"):
        counted, (column,) = segments.counted(column)
        for numbers, _, ranked in ranked_blocks(counted, column, n_blocks=BLOCKS_AT_ONCE):
            sizes = ranked.sizes
            if given is not None:
                sizes = np.broadcast_to(given[:, None], sizes.shape)
            matrices[numbers] = shares_of_ranges(ranked, sizes, ties)
    return matrices.reshape(*leading, n_classes + 1, n_classes + 1)


def shares_of_ranges(ranked: Ranked, sizes: Stack, ties: Ties) -> Floats:
    """Return the matrices of `vus_summary` for these class sizes, ``(segments, K + 1, K + 1)``."""
    n_classes, n_segments = sizes.shape
    matrices = np.tile(np.eye(n_classes + 1), (n_segments, 1, 1))
    shares = ascents(ranked, sizes, ties, n_classes)
    for first in range(n_classes):
        matrices[:, first, first + 1 :] = shares[first, first:].T
    return matrices


@score_metric(
    range=(0, 1),
    greater_is_better=True,
    reference=WAEGEMAN,
    output=("true", "pred"),
    formula=AUC_OF_PAIR + IN_ORDER,
    blind_to=BLIND_TO_SCALE,
)
def pairwise_auc(ranked: Ranked, *, ties: Ties = "half") -> Stack:
    """Area under the ROC curve of each pair of classes.

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
        How much a pair of equal scores counts: a half, or nothing as in the paper.

    Returns
    -------
    ndarray, shape (..., K, K)
        0 to 1, higher is better; 0.5 for a random score. Both axes are true classes, the lower one
        first. NaN on and below the diagonal, and where one of the two has no row.

    Raises
    ------
    ValueError
        If a class is outside -1 to K - 1, a score is NaN, or the shapes do not match.

    Notes
    -----
    Entry (k, l) with k < l is the share of the pairs, a row of class k and one of class l, in
    which the first has the lower score.

    References
    ----------
    W. Waegeman, B. De Baets and L. Boullart, ROC analysis in ordinal regression learning, Pattern
    Recognit. Lett. 29 (2008) 1-9, doi:10.1016/j.patrec.2007.07.019, eq. 17.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> po.metrics.pairwise_auc([0, 0, 1, 1, 2, 2], [1, 2, 2, 3, 3, 4], 3)[0].tolist()
    [nan, 0.875, 1.0]
    """
    pairs, wins = ranked_pairs(ranked, ties)
    return wins / pairs


@score_metric(
    range=(0, 1),
    greater_is_better=True,
    reference=WAEGEMAN,
    output=("class",),
    formula=AUC_OF_SPLIT + IN_ORDER,
    blind_to=BLIND_TO_SCALE,
    letters=SPLITS,
)
def consecutive_auc(ranked: Ranked, *, ties: Ties = "half") -> Stack:
    """Area under the ROC curve of each split of the classes into lower and higher ones.

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
        How much a pair of equal scores counts: a half, or nothing as in the paper.

    Returns
    -------
    ndarray, shape (..., K)
        0 to 1, higher is better; 0.5 for a random score. Entry k is the split after class k: NaN
        for the last class, and where one side has no row.

    Raises
    ------
    ValueError
        If a class is outside -1 to K - 1, a score is NaN, or the shapes do not match.

    Notes
    -----
    Entry k is the share of the pairs, a row of a class up to k and one of a class above, in which
    the first has the lower score.

    References
    ----------
    W. Waegeman, B. De Baets and L. Boullart, ROC analysis in ordinal regression learning, Pattern
    Recognit. Lett. 29 (2008) 1-9, doi:10.1016/j.patrec.2007.07.019, eq. 18.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> po.metrics.consecutive_auc([0, 0, 1, 1, 2, 2], [1, 2, 2, 3, 3, 4], 3).tolist()
    [0.9375, 0.9375, nan]
    """
    return areas_by_split(*ranked_pairs(ranked, ties))


@score_metric(
    range=(0, 1),
    greater_is_better=True,
    reference=WAEGEMAN,
    score_influence=u_ovo_with_influence,
    formula=(
        (
            r"\frac{1}{|P|} \sum_{(k, l) \in P} A_{kl}, \qquad P = \{ k < l : n_k n_l > 0 \}, "
            r"\qquad "
        )
        + AUC_OF_PAIR
        + IN_ORDER
    ),
    blind_to=BLIND_TO_SCALE,
)
def u_ovo(ranked: Ranked, *, ties: Ties = "half") -> Stack:
    """Mean area under the ROC curves of all pairs of classes, each with the same weight.

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
        How much a pair of equal scores counts: a half, or nothing as in the paper.

    Returns
    -------
    float or ndarray, shape (...)
        0 to 1, higher is better; 0.5 for a random score. NaN where fewer than two classes have
        rows.

    Raises
    ------
    ValueError
        If a class is outside -1 to K - 1, a score is NaN, or the shapes do not match.

    Notes
    -----
    The mean of `pairwise_auc` over the pairs of classes that both have rows. The paper calls it
    the Jonckheere-Terpstra statistic; that is `u_pairs`, which differs where classes are not
    balanced.

    References
    ----------
    W. Waegeman, B. De Baets and L. Boullart, ROC analysis in ordinal regression learning, Pattern
    Recognit. Lett. 29 (2008) 1-9, doi:10.1016/j.patrec.2007.07.019, eq. 17.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> round(float(po.metrics.u_ovo([0, 0, 1, 1, 2, 2], [1, 2, 2, 3, 3, 4], 3)), 6)
    0.916667
    """
    return mean_area_by_pair(*ranked_pairs(ranked, ties))


@score_metric(
    range=(0, 1),
    greater_is_better=True,
    reference=WAEGEMAN,
    score_influence=u_pairs_with_influence,
    formula=(
        r"\frac{\sum_{k < l} n_k n_l A_{kl}}{\sum_{k < l} n_k n_l}, \qquad "
        + AUC_OF_PAIR
        + IN_ORDER
    ),
    blind_to=BLIND_TO_SCALE,
)
def u_pairs(ranked: Ranked, *, ties: Ties = "half") -> Stack:
    """Share of the pairs of rows of different classes that the score ranks right: the c-index.

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
        How much a pair of equal scores counts: a half, or nothing as in the paper.

    Returns
    -------
    float or ndarray, shape (...)
        0 to 1, higher is better; 0.5 for a random score. NaN where fewer than two classes have
        rows.

    Raises
    ------
    ValueError
        If a class is outside -1 to K - 1, a score is NaN, or the shapes do not match.

    Notes
    -----
    ``sum n[k] * n[l] * A[k, l] / sum n[k] * n[l]`` over the pairs k < l, with A as in
    `pairwise_auc`. Known as the concordance index over the pairs that differ in truth, and as the
    statistic of Jonckheere and Terpstra divided by its largest value.

    References
    ----------
    W. Waegeman, B. De Baets and L. Boullart, ROC analysis in ordinal regression learning, Pattern
    Recognit. Lett. 29 (2008) 1-9, doi:10.1016/j.patrec.2007.07.019, eq. 16, 19.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> round(float(po.metrics.u_pairs([0, 0, 0, 1, 2], [1, 2, 3, 3, 2], 3)), 6)
    0.571429
    """
    return share_of_pairs(*ranked_pairs(ranked, ties))


@score_metric(
    range=(0, 1),
    greater_is_better=True,
    reference=WAEGEMAN,
    score_influence=u_cons_with_influence,
    formula=(
        r"\frac{1}{|P|} \sum_{k \in P} A_k, \qquad P = \{ k : n_k n_{> k} > 0 \}, \qquad "
        + AUC_OF_SPLIT
        + IN_ORDER
    ),
    blind_to=BLIND_TO_SCALE,
    letters=SPLITS,
)
def u_cons(ranked: Ranked, *, ties: Ties = "half") -> Stack:
    """Mean area under the ROC curves of the splits of the classes into lower and higher ones.

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
        How much a pair of equal scores counts: a half, or nothing as in the paper.

    Returns
    -------
    float or ndarray, shape (...)
        0 to 1, higher is better; 0.5 for a random score. NaN where fewer than two classes have
        rows.

    Raises
    ------
    ValueError
        If a class is outside -1 to K - 1, a score is NaN, or the shapes do not match.

    Notes
    -----
    The mean of `consecutive_auc` over the different splits: a class without rows makes no split of
    its own.

    References
    ----------
    W. Waegeman, B. De Baets and L. Boullart, ROC analysis in ordinal regression learning, Pattern
    Recognit. Lett. 29 (2008) 1-9, doi:10.1016/j.patrec.2007.07.019, eq. 18.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> float(po.metrics.u_cons([0, 0, 1, 1, 2, 2], [1, 2, 2, 3, 3, 4], 3))
    0.9375
    """
    return mean_area_by_split(ranked.sizes.T, *ranked_pairs(ranked, ties))


def volume(ranked: Ranked, ties: Ties) -> Stack:
    """Return the share of all sequences that ascend, shape ``(segments,)``."""
    share: Stack = np.clip(ascents(ranked, ranked.sizes, ties)[0, -1], 0, 1)
    return share


def ranked_pairs(ranked: Ranked, ties: Ties) -> tuple[Stack, Stack]:
    """Count the pairs of rows of classes k < l, and those in which the first scores lower.

    Both ``(segments, K, K)`` and scaled by the same power of two; NaN where there are none.
    """
    sizes = ranked.sizes
    n_classes, n_segments = sizes.shape
    scale = power_of_two(sizes.sum(axis=0))
    below, wins = np.zeros((n_classes, n_segments)), np.zeros((n_segments, n_classes, n_classes))
    for piece in ranked.pieces():
        table = piece.table(n_classes) * scale[:, None]
        lower = np.cumsum(table, axis=-1)
        sums = lower[:, :, -1].copy()
        lower += below[:, :, None]
        lower -= table / 2 if ties == "half" else table
        wins += lower.transpose(1, 0, 2) @ table.transpose(1, 2, 0)
        below += sums
    return pairs_and_wins((sizes * scale).T, wins)


def pairs_and_wins(sizes: Stack, wins: Stack) -> tuple[Stack, Stack]:
    """Return the pairs of rows of classes k < l, of sizes ``(segments, K)``, and the wins.

    NaN where there are none.
    """
    pairs = sizes[:, :, None] * sizes[:, None, :]
    position = np.arange(sizes.shape[1])
    ours = (position[:, None] < position) & (pairs > 0)
    return np.where(ours, pairs, np.nan), np.where(ours, wins, np.nan)


def share_of_pairs(pairs: Stack, wins: Stack) -> Stack:
    """Return the share of all pairs that are ranked right, ``(segments,)``."""
    share: Stack = np.nansum(wins, axis=(1, 2)) / np.nansum(pairs, axis=(1, 2))
    return share


def mean_area_by_pair(pairs: Stack, wins: Stack) -> Stack:
    """Return the mean area over the pairs of classes, ``(segments,)``."""
    return _mean_of_defined((wins / pairs).reshape(len(pairs), pairs.shape[-1] ** 2))


def mean_area_by_split(sizes: Stack, pairs: Stack, wins: Stack) -> Stack:
    """Return the mean area over the splits after a class with rows, ``(segments,)``."""
    return _mean_of_defined(np.where(sizes > 0, areas_by_split(pairs, wins), np.nan))


def areas_by_split(pairs: Stack, wins: Stack) -> Stack:
    """Return the area under the curve of each split, ``(segments, K)``."""
    areas = np.empty(pairs.shape[:2])
    for k in range(pairs.shape[2]):
        across = np.s_[:, : k + 1, k + 1 :]
        areas[:, k] = share_of_pairs(pairs[across], wins[across])
    return areas


def _mean_of_defined(values: Stack) -> Stack:
    """Return the mean over the last axis of the values that are not NaN."""
    defined = ~np.isnan(values)
    mean: Stack = values.sum(axis=-1, where=defined) / defined.sum(axis=-1)
    return mean
