"""How well predictions keep the order of the rows: correlations and pair counts.

Pairs of rows are counted from the matrix by sums over the cells beyond a cell, in O(K²), as sums
of non-negative terms: nothing cancels, so they stay accurate up to 10¹⁵ rows per cell.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from pandas_ordinal.counting.arrays import Stack
from pandas_ordinal.metrics.count_kernel import as_kernel, metric
from pandas_ordinal.metrics.error import GAUDETTE, share_right
from pandas_ordinal.metrics.left_out import LeftOut, StackLike, after, before
from pandas_ordinal.metrics.stack import power_of_two, total, total_of_products, weigh_by_both

PEARSON = "Pearson 1895, doi:10.1098/rspl.1895.0041"
SPEARMAN = "Spearman 1904, doi:10.2307/1412159"
KENDALL = "Kendall 1945, doi:10.1093/biomet/33.3.239; Stuart 1953, doi:10.1093/biomet/40.1-2.105"
GOODMAN_KRUSKAL = "Goodman & Kruskal 1954, doi:10.1080/01621459.1954.10501231"
SOMERS = "Somers 1962, doi:10.2307/2090408"
PINTO_DA_COSTA = "Pinto da Costa, Alonso & Cardoso 2014, doi:10.1016/j.neunet.2014.06.003"
YAO = "Yao 1995, doi:10.1002/(SICI)1097-4571(199503)46:2<133::AID-ASI6>3.0.CO;2-Z"

BLIND_TO_SHIFTS = (
    "Whether the classes themselves are right: all rows one class too high may be perfect."
)
MEAN_CLASSES = r":math:`\bar{r}` and :math:`\bar{c}` are the means of r and of c over all rows."
PAIRS = (
    r":math:`C` pairs of rows have the same order in truth and in prediction, :math:`D` the "
    r"opposite one."
)
DIFFERING = r":math:`T_\mathrm{true}` pairs differ in the true class."
CORRELATION = (
    r"\frac{\sum_{r, c} n_{rc} (r - \bar{r}) (c - \bar{c})}{\sqrt{\sum_r n_{r\cdot} (r "
    r"- \bar{r})^2 \sum_c n_{\cdot c} (c - \bar{c})^2}}"
)


def _pairs(counts: StackLike) -> tuple[Stack, Stack]:
    """Count the pairs of rows that differ in truth and prediction: concordant, discordant."""
    if isinstance(counts, LeftOut):
        higher_pred = np.tri(len(counts), k=-1).T
        return counts.pairs(higher_pred), counts.pairs(higher_pred.T)
    higher = after(counts, 0)
    return (
        total_of_products(counts, after(higher, 1)),
        total_of_products(counts, before(higher, 1)),
    )


def _untied(margin: Stack) -> Stack:
    """Count the pairs of rows that differ in a margin."""
    return total_of_products(margin, after(margin, 0))


def _varying(margin: Stack) -> npt.NDArray[np.bool_]:
    """Whether margins have at least two classes; a constant one correlates with nothing."""
    varying: npt.NDArray[np.bool_] = (margin > 0).sum(axis=0) >= 2
    return varying


def _correlation(counts: StackLike, true: Stack, pred: Stack) -> Stack:
    """Correlate centred values of the true with those of the predicted classes."""
    sizes, predicted = counts.sum(axis=1), counts.sum(axis=0)
    covariance = weigh_by_both(counts, true, pred)
    variances = total_of_products(sizes, true**2) * total_of_products(predicted, pred**2)
    ratio = covariance / np.sqrt(variances)
    return np.where(_varying(sizes) & _varying(predicted), np.clip(ratio, -1, 1), np.nan)


@metric(
    reads_left_out=True,
    range=(-1, 1),
    greater_is_better=True,
    reference=PEARSON,
    formula=CORRELATION,
    blind_to=BLIND_TO_SHIFTS,
    letters=MEAN_CLASSES,
)
def pearson(counts: StackLike) -> Stack:
    """Linear correlation of the positions of true and predicted class (Correl).

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    float or ndarray, shape (...)
        -1 to 1, higher is better. NaN where all rows have one true class, or one predicted class.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    The correlation of ``r`` and ``c`` over the rows, with classes numbered 0, 1, ..., K - 1.

    References
    ----------
    K. Pearson, Note on regression and inheritance in the case of two parents, Proc. R. Soc. Lond.
    58 (1895) 240-242, doi:10.1098/rspl.1895.0041.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> round(float(po.metrics.pearson([[2, 1, 0], [0, 2, 0], [0, 1, 2]])), 6)
    0.816497
    """
    return _pearson(counts)


def _pearson(counts: StackLike) -> Stack:
    shares, position = counts / total(counts), np.arange(float(len(counts)))[:, None]
    centred = [
        position - (margin * position).sum(axis=0) / total(margin)
        for margin in (shares.sum(axis=1), shares.sum(axis=0))
    ]
    return _correlation(shares, *centred)


@metric(
    reads_left_out=True,
    range=(-0.5, 1),
    greater_is_better=True,
    reference=GAUDETTE,
    formula=(
        r"\frac{1}{2} \Bigl( \frac{1}{N} \sum_r n_{rr} + \rho \Bigr), \qquad \rho = " + CORRELATION
    ),
    blind_to="Which of its two parts changed: less accuracy and more correlation cancel.",
    letters=MEAN_CLASSES,
)
def accuracy_pearson(counts: StackLike) -> Stack:
    """Mean of accuracy and Pearson correlation (ACC+Correl).

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    float or ndarray, shape (...)
        -0.5 to 1, higher is better. NaN where `pearson` is.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    ``(accuracy + pearson) / 2``.

    References
    ----------
    L. Gaudette and N. Japkowicz, Evaluation methods for ordinal classification, Canadian AI 2009,
    doi:10.1007/978-3-642-01818-3_25.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> round(float(po.metrics.accuracy_pearson([[2, 1, 0], [0, 2, 0], [0, 1, 2]])), 6)
    0.783248
    """
    return (share_right(counts) + _pearson(counts)) / 2


@metric(
    reads_left_out=True,
    range=(-1, 1),
    greater_is_better=True,
    reference=SPEARMAN,
    formula=(
        r"\frac{\sum_{r, c} n_{rc} R_r S_c}{\sqrt{\sum_r n_{r\cdot} R_r^2 \sum_c n_{\cdot "
        r"c} S_c^2}}, \qquad R_r = \tfrac{1}{2} \Bigl( \sum_{k < r} n_{k\cdot} - \sum_{k > "
        r"r} n_{k\cdot} \Bigr), \qquad S_c = \tfrac{1}{2} \Bigl( \sum_{k < c} n_{\cdot k} - "
        r"\sum_{k > c} n_{\cdot k} \Bigr)"
    ),
    blind_to=BLIND_TO_SHIFTS,
)
def spearman(counts: StackLike) -> Stack:
    """Correlation of the ranks of the rows; tied rows share their mean rank.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    float or ndarray, shape (...)
        -1 to 1, higher is better. NaN where all rows have one true class, or one predicted class.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    A class has the midrank of its rows. Minus the mean rank, this is half of (rows in lower
    classes - rows in higher classes), which follows from the margin. Then as in `pearson`.

    References
    ----------
    C. Spearman, The proof and measurement of association between two things, Am. J. Psychol. 15
    (1904) 72-101, doi:10.2307/1412159.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> round(float(po.metrics.spearman([[2, 1, 0], [0, 2, 0], [0, 1, 2]])), 6)
    0.816497
    """
    shares = counts / total(counts)
    ranks = [
        (before(margin, 0) - after(margin, 0)) / 2
        for margin in (shares.sum(axis=1), shares.sum(axis=0))
    ]
    return _correlation(shares, *ranks)


@metric(
    reads_left_out=True,
    range=(-1, 1),
    greater_is_better=True,
    reference=KENDALL,
    formula=(
        r"\tau_b = \frac{C - D}{\sqrt{T_\mathrm{true} \, T_\mathrm{pred}}}, \qquad \tau_c = "
        r"\frac{2 K (C - D)}{N^2 (K - 1)}"
    ),
    blind_to=BLIND_TO_SHIFTS,
    letters=(
        PAIRS + f" {DIFFERING[:-1]}, "
        r":math:`T_\mathrm{pred}` in the predicted one. The option ``variant`` chooses b or c."
    ),
)
def kendall_tau(counts: StackLike, *, variant: Literal["b", "c"] = "b") -> Stack:
    """Concordant minus discordant pairs of rows, as a share of the pairs.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.
    variant : {"b", "c"}, default "b"
        The correction for ties. With "b" a perfect prediction scores 1; with "c", Stuart's version
        for tables, it does so only if the classes are balanced.

    Returns
    -------
    float or ndarray, shape (...)
        -1 to 1, higher is better. "b" is NaN where all rows have one true class, or one predicted
        class; "c" is NaN for K = 1.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, or if the variant is unknown.

    Notes
    -----
    With C concordant, D discordant pairs, T_true and T_pred the pairs that differ in the true and
    in the predicted class:

    - b: ``(C - D) / sqrt(T_true * T_pred)``
    - c: ``2 * K * (C - D) / (N² * (K - 1))``

    K is the number of declared classes; for "c" SciPy uses the number of classes that occur.

    References
    ----------
    M. G. Kendall, The treatment of ties in ranking problems, Biometrika 33 (1945) 239-251,
    doi:10.1093/biomet/33.3.239. A. Stuart, The estimation and comparison of strengths of
    association in contingency tables, Biometrika 40 (1953) 105-110,
    doi:10.1093/biomet/40.1-2.105.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> counts = [[2, 1, 0], [0, 2, 0], [0, 1, 2]]
    >>> round(float(po.metrics.kendall_tau(counts)), 6)
    0.78072
    >>> round(float(po.metrics.kendall_tau(counts, variant="c")), 6)
    0.75
    """
    shares = counts / total(counts)
    concordant, discordant = _pairs(shares)
    excess = concordant - discordant
    if variant == "b":
        untied = _untied(shares.sum(axis=1)) * _untied(shares.sum(axis=0))
        return np.clip(excess / np.sqrt(untied), -1, 1)
    n_classes = len(counts)
    return 2 * excess * n_classes / np.float64(n_classes - 1)


@metric(
    reads_left_out=True,
    range=(-1, 1),
    greater_is_better=True,
    reference=GOODMAN_KRUSKAL,
    formula=r"\frac{C - D}{C + D}",
    blind_to=BLIND_TO_SHIFTS + " Pairs that are tied in either.",
    letters=PAIRS,
)
def goodman_kruskal_gamma(counts: StackLike) -> Stack:
    """Concordant minus discordant pairs, as a share of the pairs that are tied in neither.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    float or ndarray, shape (...)
        -1 to 1, higher is better. NaN where every pair is tied in truth or in prediction.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    ``(C - D) / (C + D)``. Ties cost nothing, so coarse predictions look good.

    References
    ----------
    L. A. Goodman and W. H. Kruskal, Measures of association for cross classifications, J. Am.
    Stat. Assoc. 49 (1954) 732-764, doi:10.1080/01621459.1954.10501231.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> float(po.metrics.goodman_kruskal_gamma([[2, 1, 0], [0, 2, 0], [0, 1, 2]]))
    1.0
    """
    concordant, discordant = _pairs(counts / total(counts))
    return (concordant - discordant) / (concordant + discordant)


@metric(
    reads_left_out=True,
    range=(-1, 1),
    greater_is_better=True,
    reference=SOMERS,
    formula=r"\frac{C - D}{T_\mathrm{true}}",
    blind_to=BLIND_TO_SHIFTS,
    letters=f"{PAIRS} {DIFFERING}",
)
def somers_d(counts: StackLike) -> Stack:
    """Concordant minus discordant pairs, as a share of the pairs that differ in truth.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    float or ndarray, shape (...)
        -1 to 1, higher is better. NaN where all rows have one true class. A constant prediction
        scores 0; SciPy gives NaN there.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    ``(C - D) / T_true``: D of the prediction given the truth.

    References
    ----------
    R. H. Somers, A new asymmetric measure of association for ordinal variables, Am. Sociol. Rev.
    27 (1962) 799-811, doi:10.2307/2090408.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> round(float(po.metrics.somers_d([[2, 1, 0], [0, 2, 0], [0, 1, 2]])), 6)
    0.761905
    """
    shares = counts / total(counts)
    concordant, discordant = _pairs(shares)
    return (concordant - discordant) / _untied(shares.sum(axis=1))


@metric(
    reads_left_out=True,
    range=(0, 1),
    greater_is_better=False,
    reference=YAO,
    formula=r"\frac{2 D + U}{2 \, T_\mathrm{true}}",
    blind_to=BLIND_TO_SHIFTS,
    letters=(
        f":math:`D` pairs of rows have opposite orders in truth and in prediction. {DIFFERING} "
        ":math:`U` of these do not differ in the predicted class."
    ),
)
def ndpm(counts: StackLike) -> Stack:
    """Share of pairs contradicted or tied by the prediction, among pairs that differ in truth.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    float or ndarray, shape (...)
        0 to 1, lower is better. NaN where all rows have one true class.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    ``(2 * D + U) / (2 * T_true)``: the D discordant pairs count in full, the U pairs that differ
    in truth but not in prediction count half. It equals ``(1 - somers_d) / 2``.

    References
    ----------
    Y. Y. Yao, Measuring retrieval effectiveness based on user preference of documents, J. Am. Soc.
    Inf. Sci. 46 (1995) 133-145, doi:10.1002/(SICI)1097-4571(199503)46:2<133::AID-ASI6>3.0.CO;2-Z.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> round(float(po.metrics.ndpm([[2, 1, 0], [0, 2, 0], [0, 1, 2]])), 6)
    0.119048
    """
    shares = counts / total(counts)
    _, discordant = _pairs(shares)
    tied = _tied(shares)
    return (2 * discordant + tied) / (2 * _untied(shares.sum(axis=1)))


def _tied(counts: StackLike) -> Stack:
    """Count the pairs of rows that differ in truth and not in prediction."""
    if isinstance(counts, LeftOut):
        return counts.pairs(np.eye(len(counts)))
    return total_of_products(counts, after(counts, 0))


def _ordered(counts: StackLike) -> Stack:
    """Count the pairs of rows that neither truth nor prediction order the other way."""
    if isinstance(counts, LeftOut):
        return counts.pairs(np.tri(len(counts)).T, within=True)
    onwards = counts + after(counts, 0)
    return total_of_products(counts, onwards + after(onwards, 1))


def _agreement_of_orders(counts: StackLike) -> Stack:
    """Compute `r_int`, for fractions of rows too."""
    row = power_of_two(total(counts))  # a smaller unit, in which squares of counts are floats
    counts = counts * row
    rows, sizes, predicted = total(counts), counts.sum(axis=1), counts.sum(axis=0)
    both = _ordered(counts) - rows * row
    ordered = [
        total_of_products(margin, margin + after(margin, 0)) - rows * row
        for margin in (sizes, predicted)
    ]
    values: Stack = -1 + 2 * both / np.sqrt(ordered[0] * ordered[1])
    return values


@metric(
    range=(-1, 1),
    greater_is_better=True,
    reference=PINTO_DA_COSTA,
    of_fractions=as_kernel(_agreement_of_orders, reads_left_out=True),
    formula=(
        r"-1 + \frac{2 S_{12}}{\sqrt{S_1 S_2}}, \qquad S_{12} = \sum_{r, c} n_{rc} \sum_{r' "
        r"\ge r, \, c' \ge c} n_{r'c'} - N, \qquad S_1 = \sum_{r \le r'} n_{r\cdot} "
        r"n_{r'\cdot} - N, \qquad S_2 = \sum_{c \le c'} n_{\cdot c} n_{\cdot c'} - N"
    ),
    blind_to=BLIND_TO_SHIFTS,
)
def r_int(counts: Stack) -> Stack:
    """Agreement of the two weak orders of the rows, ties included.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    float or ndarray, shape (...)
        -1 to 1, higher is better; defined for a constant prediction too. NaN for fewer than two
        rows, and for counts that are not integers: a row is compared with the other rows, which
        has no meaning for a fraction of a row.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    ``-1 + 2 * S12 / sqrt(S1 * S2)``: S1 is the number of ordered pairs of different rows whose
    true classes are ``<=``, S2 that for the predicted classes, S12 that for both at once. It is
    not scale free: doubling all counts changes it. The formula is that of the corrigendum; the one
    of 2008 is wrong.

    References
    ----------
    J. Pinto da Costa, H. Alonso and J. S. Cardoso, Corrigendum to "The unimodal model for the
    classification of ordinal data", Neural Networks 59 (2014) 73-75,
    doi:10.1016/j.neunet.2014.06.003.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> round(float(po.metrics.r_int([[2, 1, 0], [0, 2, 0], [0, 1, 2]])), 6)
    0.746652
    """
    rows, values = total(counts), _agreement_of_orders(counts)
    meaningful = (rows >= 2) & (counts == np.round(counts)).all(axis=(0, 1))
    return np.where(meaningful, values, np.nan)
