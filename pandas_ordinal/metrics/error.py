"""How often and how far predictions are wrong: means over rows or over true classes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pandas_ordinal.counting.arrays import Stack
from pandas_ordinal.errors import brief
from pandas_ordinal.metrics.count_kernel import metric
from pandas_ordinal.metrics.left_out import StackLike
from pandas_ordinal.metrics.stack import (
    diagonal,
    distance,
    mean_of,
    real,
    reals,
    refuse_extreme,
    total,
    weigh_rows,
)

GAUDETTE = "Gaudette & Japkowicz 2009, doi:10.1007/978-3-642-01818-3_25"
BACCIANELLA = "Baccianella, Esuli & Sebastiani 2009, doi:10.1109/ISDA.2009.230"
CRUZ_RAMIREZ = "Cruz-Ramirez et al. 2014, doi:10.1016/j.neucom.2013.05.058"
HYNDMAN_KOEHLER = "Hyndman & Koehler 2006, doi:10.1016/j.ijforecast.2006.03.001"
KUBAT = "Kubat, Holte & Matwin 1998, doi:10.1023/A:1007452223027"
FERNANDEZ_CABALLERO = "Fernandez Caballero et al. 2010, doi:10.1109/TNN.2010.2041468"
SOKOLOVA_LAPALME = "Sokolova & Lapalme 2009, doi:10.1016/j.ipm.2009.03.002"
BRODERSEN = "Brodersen et al. 2010, doi:10.1109/ICPR.2010.764"
VARGAS = "Vargas et al. 2024, doi:10.48550/arXiv.2407.12417"
ELKAN = "Elkan 2001, The foundations of cost-sensitive learning, IJCAI, 973-978"

OCCURRING = r"\qquad T = \{ r : n_{r\cdot} > 0 \}"
MAE_OF_CLASS = r"\frac{1}{n_{r\cdot}} \sum_c n_{rc} \, |r - c|"
BLIND_TO_WIDTHS = (
    "All steps between classes count as equally wide. The large classes decide. Values "
    "for different numbers of classes do not compare."
)
BLIND_TO_DISTANCE = "How far off mistakes are, and which classes they fall on."
BLIND_TO_SIZES = (
    "How many rows there are: a class of three rows, and its chance, weighs as much as "
    "one of a thousand."
)
BLIND_TO_MIDDLE = (
    "All classes between the lowest and the highest one, and how far off mistakes are."
)
MSE = r"\frac{1}{N} \sum_{r, c} n_{rc} \, (r - c)^2"


@metric(
    reads_left_out=True,
    range=(0, 1),
    greater_is_better=True,
    reference=GAUDETTE,
    is_row_mean=True,
    formula=r"\frac{1}{N} \sum_r n_{rr}",
    blind_to=BLIND_TO_DISTANCE,
)
def accuracy(counts: StackLike) -> Stack:
    """Share of rows whose predicted class is the true one.

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
    ``sum_r n[r, r] / N``. The order of the classes plays no role.

    References
    ----------
    L. Gaudette and N. Japkowicz, Evaluation methods for ordinal classification, Canadian AI 2009,
    doi:10.1007/978-3-642-01818-3_25.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> float(po.metrics.accuracy([[3, 1, 0], [0, 2, 0], [1, 0, 1]]))
    0.75
    """
    return share_right(counts)


def share_right(counts: StackLike) -> Stack:
    """Return the share of rows on the diagonal."""
    hits: Stack = diagonal(counts).sum(axis=0)
    return hits / total(counts)


@metric(
    reads_left_out=True,
    range=(0, 1),
    greater_is_better=False,
    reference=SOKOLOVA_LAPALME,
    is_row_mean=True,
    formula=r"\frac{1}{N} \sum_{r \neq c} n_{rc}",
    blind_to=BLIND_TO_DISTANCE,
)
def error_rate(counts: StackLike) -> Stack:
    """Share of rows whose predicted class is not the true one (MER).

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    float or ndarray, shape (...)
        0 to 1, lower is better. NaN without rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    ``sum_{r != c} n[r, c] / N``, which is one minus the accuracy.

    References
    ----------
    M. Sokolova and G. Lapalme, A systematic analysis of performance measures for classification
    tasks, Inf. Process. Manag. 45 (2009) 427-437, doi:10.1016/j.ipm.2009.03.002.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> float(po.metrics.error_rate([[3, 1, 0], [0, 2, 0], [1, 0, 1]]))
    0.25
    """
    return mean_of(np.sign(distance(len(counts))), counts)


@metric(
    reads_left_out=True,
    range=(0, 1),
    greater_is_better=True,
    reference=GAUDETTE,
    right_within="k",
    is_row_mean=True,
    formula=r"\frac{1}{N} \sum_{|r - c| \le k} n_{rc}",
    blind_to="Everything inside the tolerance, and how far beyond it a mistake goes.",
    letters=":math:`k` is how many classes a prediction may be off.",
)
def accuracy_within(counts: StackLike, *, k: float = 1) -> Stack:
    """Share of rows predicted at most k classes off, on either side (ACC1, ACC2, ...).

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.
    k : float, default 1
        The distance that still counts as right; 0 gives the accuracy.

    Returns
    -------
    float or ndarray, shape (...)
        0 to 1, higher is better; 1 for ``k >= K - 1``. NaN without rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, or if k is negative.

    Notes
    -----
    ``sum_{|r - c| <= k} n[r, c] / N``.

    References
    ----------
    L. Gaudette and N. Japkowicz, Evaluation methods for ordinal classification, Canadian AI 2009,
    doi:10.1007/978-3-642-01818-3_25.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> float(po.metrics.accuracy_within([[3, 1, 0], [0, 2, 0], [1, 0, 1]]))
    0.875
    """
    if not real("k", k, "accuracy_curve has a value for each k") >= 0:
        raise ValueError(f"k={brief(k)} is not a distance between classes: give 0, 1, 2, ...")
    return mean_of((distance(len(counts)) <= k).astype(float), counts)


@metric(
    reads_left_out=True,
    range=(0, "K-1"),
    greater_is_better=False,
    reference=GAUDETTE,
    is_row_mean=True,
    formula=r"\frac{1}{N} \sum_{r, c} n_{rc} \, |r - c|",
    blind_to=BLIND_TO_WIDTHS,
)
def mae(counts: StackLike) -> Stack:
    """Mean distance between true and predicted class, in classes.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    float or ndarray, shape (...)
        0 to K - 1, lower is better. NaN without rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    ``sum n[r, c] * |r - c| / N``. Distances are those of the declared classes, even of classes
    that are rare or absent in the data. Frequent classes dominate it; see `amae`.

    References
    ----------
    L. Gaudette and N. Japkowicz, Evaluation methods for ordinal classification, Canadian AI 2009,
    doi:10.1007/978-3-642-01818-3_25.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> float(po.metrics.mae([[3, 1, 0], [0, 2, 0], [1, 0, 1]]))
    0.375
    """
    return mean_of(distance(len(counts)), counts)


@metric(
    reads_left_out=True,
    range=(0, np.inf),
    greater_is_better=False,
    reference=GAUDETTE,
    limits=lambda counts, options: (0, (counts.shape[-1] - 1) ** 2),
    is_row_mean=True,
    formula=MSE,
    blind_to=BLIND_TO_WIDTHS,
)
def mse(counts: StackLike) -> Stack:
    """Mean squared distance between true and predicted class.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    float or ndarray, shape (...)
        0 or more, up to (K - 1)², lower is better. NaN without rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    ``sum n[r, c] * (r - c)² / N``.

    References
    ----------
    L. Gaudette and N. Japkowicz, Evaluation methods for ordinal classification, Canadian AI 2009,
    doi:10.1007/978-3-642-01818-3_25.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> float(po.metrics.mse([[3, 1, 0], [0, 2, 0], [1, 0, 1]]))
    0.625
    """
    return _mse(counts)


def _mse(counts: StackLike) -> Stack:
    return mean_of(distance(len(counts)) ** 2, counts)


@metric(
    reads_left_out=True,
    range=(0, "K-1"),
    greater_is_better=False,
    reference=HYNDMAN_KOEHLER,
    is_root_of_mean=True,
    formula=r"\sqrt{" + MSE + "}",
    blind_to=BLIND_TO_WIDTHS,
)
def rmse(counts: StackLike) -> Stack:
    """Root of the mean squared distance between true and predicted class.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    float or ndarray, shape (...)
        0 to K - 1, lower is better. NaN without rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    ``sqrt(mse)``.

    References
    ----------
    R. J. Hyndman and A. B. Koehler, Another look at measures of forecast accuracy, Int. J.
    Forecast. 22 (2006) 679-688, doi:10.1016/j.ijforecast.2006.03.001.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> float(po.metrics.rmse([[0, 0, 1], [0, 0, 0], [0, 0, 3]]))
    1.0
    """
    return np.sqrt(_mse(counts))


@metric(
    reads_left_out=True,
    range=("1-K", "K-1"),
    greater_is_better=None,
    reference=HYNDMAN_KOEHLER,
    is_row_mean=True,
    formula=r"\frac{1}{N} \sum_{r, c} n_{rc} \, (c - r)",
    blind_to="Mistakes up and down that cancel.",
)
def bias(counts: StackLike) -> Stack:
    """Mean of predicted minus true class: positive when the model grades too high.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    float or ndarray, shape (...)
        -(K - 1) to K - 1, 0 is best. NaN without rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    ``sum n[r, c] * (c - r) / N``.

    References
    ----------
    R. J. Hyndman and A. B. Koehler, Another look at measures of forecast accuracy, Int. J.
    Forecast. 22 (2006) 679-688, doi:10.1016/j.ijforecast.2006.03.001.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> float(po.metrics.bias([[3, 1, 0], [0, 2, 0], [1, 0, 1]]))
    -0.125
    """
    position = np.arange(float(len(counts)))
    return mean_of(position - position[:, None], counts)


@metric(
    reads_left_out=True,
    range=(-np.inf, np.inf),
    greater_is_better=False,
    reference=ELKAN,
    example="costs=[[0, 1, 4], [1, 0, 1], [4, 1, 0]]",
    limits=lambda counts, options: (np.min(options["costs"]), np.max(options["costs"])),
    is_row_mean=True,
    formula=r"\frac{1}{N} \sum_{r, c} n_{rc} \, \mathrm{costs}_{rc}",
    blind_to="Whatever your costs leave out.",
    letters=(
        r":math:`\mathrm{costs}_{rc}` is the cost of predicting class c for a row of true class r."
    ),
)
def expected_cost(counts: StackLike, *, costs: npt.ArrayLike) -> Stack:
    """Mean cost of a row under a cost matrix of your own.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.
    costs : array_like, shape (K, K)
        ``costs[r, c]`` is the cost of predicting class c for a row of true class r.

    Returns
    -------
    float or ndarray, shape (...)
        In the units of the costs, lower is better. NaN without rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, or if the costs are not a K x K matrix of
        finite numbers, the largest of them between 1e-150 and 1e150.

    Notes
    -----
    ``sum n[r, c] * costs[r, c] / N``. With ``costs[r, c] = |r - c|`` it is the MAE.

    References
    ----------
    C. Elkan, The foundations of cost-sensitive learning, IJCAI 2001, 973-978.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> counts = [[3, 1], [1, 3]]
    >>> float(po.metrics.expected_cost(counts, costs=[[0, 1], [5, 0]]))
    0.75
    """
    given = as_square(costs, len(counts), "costs")
    refuse_extreme("costs", given)
    return mean_of(given, counts)


def as_square(values: npt.ArrayLike, n_classes: int, option: str) -> Stack:
    """Return an option that is a K x K matrix; raise for anything else."""
    matrix = reals(option, values)
    if matrix.shape != (n_classes, n_classes):
        raise ValueError(
            f"{option} of shape {matrix.shape} must be {n_classes} x {n_classes}, one row per "
            "true class and one column per predicted class"
        )
    return matrix


def hits_by_true(counts: StackLike) -> tuple[Stack, Stack]:
    """Return how many rows of each true class are right, of how many."""
    return diagonal(counts), counts.sum(axis=1)


@metric(
    range=(0, 1),
    greater_is_better=True,
    reference=SOKOLOVA_LAPALME,
    output=("class",),
    trials=hits_by_true,
    formula=r"\frac{n_{rr}}{n_{r\cdot}}",
    blind_to=(
        "How far off mistakes are, and rows of other classes that are predicted as the class."
    ),
)
def class_recall(counts: StackLike) -> Stack:
    """Share of the rows of each true class that were predicted as that class.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    ndarray, shape (..., K)
        0 to 1, higher is better. NaN for a class without true rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    ``n[r, r] / n[r, :].sum()``.

    References
    ----------
    M. Sokolova and G. Lapalme, A systematic analysis of performance measures for classification
    tasks, Inf. Process. Manag. 45 (2009) 427-437, doi:10.1016/j.ipm.2009.03.002.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> po.metrics.class_recall([[3, 1, 0], [0, 0, 0], [1, 0, 1]]).tolist()
    [0.75, nan, 0.5]
    """
    return _recalls(counts)


@metric(
    reads_left_out=True,
    range=(0, 1),
    greater_is_better=True,
    reference=KUBAT,
    mean_of="class_recall",
    formula=r"\Bigl( \prod_{r \in T} \frac{n_{rr}}{n_{r\cdot}} \Bigr)^{1 / |T|}," + OCCURRING,
    blind_to="How far off mistakes are. A class that is never predicted right hides all others.",
)
def geometric_mean(counts: StackLike) -> Stack:
    """Geometric mean of the recalls of the true classes: zero if one is never predicted right.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    float or ndarray, shape (...)
        0 to 1, higher is better. Classes without true rows are left out. NaN without rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    ``exp(mean(log(recall)))`` over the classes that have true rows, with the recalls of
    `class_recall`.

    References
    ----------
    M. Kubat, R. C. Holte and S. Matwin, Machine learning for the detection of oil spills in
    satellite radar images, Mach. Learn. 30 (1998) 195-215, doi:10.1023/A:1007452223027.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> float(po.metrics.geometric_mean([[1, 1, 0], [0, 0, 0], [0, 1, 1]]))
    0.5
    """
    recalls = _recalls(counts)
    present = ~np.isnan(recalls)
    mean: Stack = np.where(present, np.log(recalls), 0).sum(axis=0) / present.sum(axis=0)
    return np.exp(mean)


@metric(
    reads_left_out=True,
    range=(0, 1),
    greater_is_better=True,
    reference=FERNANDEZ_CABALLERO,
    extreme_of=("class_recall", np.min),
    formula=r"\min_{r : n_{r\cdot} > 0} \frac{n_{rr}}{n_{r\cdot}}",
    blind_to=(
        "All other classes, and how far off mistakes are. It is as uncertain as the "
        "smallest class."
    ),
)
def min_sensitivity(counts: StackLike) -> Stack:
    """Lowest recall of any true class: that of the worst-served class.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    float or ndarray, shape (...)
        0 to 1, higher is better. Classes without true rows are left out. NaN without rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    The minimum of `class_recall` over the classes that have true rows.

    References
    ----------
    J. C. Fernandez Caballero, F. J. Martinez, C. Hervas and P. A. Gutierrez, Sensitivity versus
    accuracy in multiclass problems using memetic Pareto evolutionary neural networks, IEEE Trans.
    Neural Netw. 21 (2010) 750-770, doi:10.1109/TNN.2010.2041468.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> float(po.metrics.min_sensitivity([[3, 1, 0], [0, 0, 0], [1, 0, 1]]))
    0.5
    """
    lowest: Stack = np.fmin.reduce(_recalls(counts), axis=0)
    return lowest


def _recalls(counts: StackLike) -> Stack:
    hits, sizes = hits_by_true(counts)
    return hits / sizes


@metric(
    range=(0, "K-1"),
    greater_is_better=False,
    reference=BACCIANELLA,
    output=("class",),
    formula=MAE_OF_CLASS,
    blind_to="The direction of mistakes. All steps between classes count as equally wide.",
)
def class_mae(counts: StackLike) -> Stack:
    """Mean distance between true and predicted class, for each true class.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    ndarray, shape (..., K)
        0 to K - 1, lower is better. NaN for a class without true rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    ``MAE_r = sum_c n[r, c] * |r - c| / n[r, :].sum()``.

    References
    ----------
    S. Baccianella, A. Esuli and F. Sebastiani, Evaluation measures for ordinal regression, ISDA
    2009, doi:10.1109/ISDA.2009.230.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> po.metrics.class_mae([[3, 1, 0], [0, 0, 0], [1, 0, 1]]).tolist()
    [0.25, nan, 1.0]
    """
    return _class_mae(counts)


def _class_mae(counts: StackLike) -> Stack:
    return weigh_rows(distance(len(counts)), counts) / counts.sum(axis=1)


@metric(
    reads_left_out=True,
    range=(0, "K-1"),
    greater_is_better=False,
    reference=BACCIANELLA,
    mean_of="class_mae",
    formula=r"\frac{1}{|T|} \sum_{r \in T} " + MAE_OF_CLASS + "," + OCCURRING,
    blind_to=BLIND_TO_SIZES,
)
def amae(counts: StackLike) -> Stack:
    """Mean over the true classes of their mean absolute error: each class has the same weight.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    float or ndarray, shape (...)
        0 to K - 1, lower is better. NaN without rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    The mean of `class_mae` over the classes that have true rows.

    References
    ----------
    S. Baccianella, A. Esuli and F. Sebastiani, Evaluation measures for ordinal regression, ISDA
    2009, doi:10.1109/ISDA.2009.230.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> float(po.metrics.amae([[3, 1, 0], [0, 0, 0], [1, 0, 1]]))
    0.625
    """
    errors = _class_mae(counts)
    present = ~np.isnan(errors)
    mean: Stack = np.where(present, errors, 0).sum(axis=0) / present.sum(axis=0)
    return mean


@metric(
    reads_left_out=True,
    range=(0, "K-1"),
    greater_is_better=False,
    reference=CRUZ_RAMIREZ,
    extreme_of=("class_mae", np.max),
    formula=r"\max_{r : n_{r\cdot} > 0} " + MAE_OF_CLASS,
    blind_to="All other classes. It is as uncertain as the smallest class.",
)
def mmae(counts: StackLike) -> Stack:
    """Highest mean absolute error of any true class: that of the worst-served class.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    float or ndarray, shape (...)
        0 to K - 1, lower is better. NaN without rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    The maximum of `class_mae` over the classes that have true rows.

    References
    ----------
    M. Cruz-Ramirez et al., Metrics to guide a multi-objective evolutionary algorithm for ordinal
    classification, Neurocomputing 135 (2014) 21-31, doi:10.1016/j.neucom.2013.05.058.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> float(po.metrics.mmae([[3, 1, 0], [0, 0, 0], [1, 0, 1]]))
    1.0
    """
    extreme: Stack = np.fmax.reduce(_class_mae(counts), axis=0)
    return extreme


@metric(
    reads_left_out=True,
    range=(0, "K-1"),
    greater_is_better=False,
    reference=CRUZ_RAMIREZ,
    extreme_of=("class_mae", np.min),
    formula=r"\min_{r : n_{r\cdot} > 0} " + MAE_OF_CLASS,
    blind_to="All classes but the best-served one.",
)
def min_mae(counts: StackLike) -> Stack:
    """Lowest mean absolute error of any true class: that of the best-served class (mMAE).

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    float or ndarray, shape (...)
        0 to K - 1, lower is better. NaN without rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    The minimum of `class_mae` over the classes that have true rows.

    References
    ----------
    M. Cruz-Ramirez et al., Metrics to guide a multi-objective evolutionary algorithm for ordinal
    classification, Neurocomputing 135 (2014) 21-31, doi:10.1016/j.neucom.2013.05.058.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> float(po.metrics.min_mae([[3, 1, 0], [0, 0, 0], [1, 0, 1]]))
    0.25
    """
    extreme: Stack = np.fmin.reduce(_class_mae(counts), axis=0)
    return extreme


@metric(
    reads_left_out=True,
    range=(0, 1),
    greater_is_better=True,
    reference=BRODERSEN,
    mean_of="class_recall",
    formula=r"\frac{1}{|T|} \sum_{r \in T} \frac{n_{rr}}{n_{r\cdot}}," + OCCURRING,
    blind_to=BLIND_TO_SIZES + " How far off mistakes are.",
)
def balanced_accuracy(counts: StackLike) -> Stack:
    """Mean recall of the true classes: the accuracy if each class has the same weight.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    float or ndarray, shape (...)
        0 to 1, higher is better. Classes without true rows are left out. NaN without rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    The mean of `class_recall` over the classes that have true rows.

    References
    ----------
    K. H. Brodersen, C. S. Ong, K. E. Stephan and J. M. Buhmann, The balanced accuracy and its
    posterior distribution, ICPR 2010, 3121-3124, doi:10.1109/ICPR.2010.764.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> counts = [[3, 1, 0], [0, 2, 0], [1, 0, 1]]
    >>> round(float(po.metrics.balanced_accuracy(counts)), 6)
    0.75
    """
    recalls = _recalls(counts)
    present = ~np.isnan(recalls)
    mean: Stack = recalls.sum(axis=0, where=present) / present.sum(axis=0)
    return mean


@metric(
    reads_left_out=True,
    range=(0, 1),
    greater_is_better=True,
    reference=VARGAS,
    mean_of="class_recall",
    formula=r"\sqrt{\frac{n_{0,0}}{n_{0\cdot}} \cdot \frac{n_{K-1,K-1}}{n_{K-1,\cdot}}}",
    blind_to=BLIND_TO_MIDDLE,
)
def gmsec(counts: StackLike) -> Stack:
    """Geometric mean of the recalls of the lowest and the highest declared class (GMSEC).

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    float or ndarray, shape (...)
        0 to 1, higher is better. NaN where one of the two has no true rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    ``sqrt(recall[0] * recall[K - 1])`` with the recalls of `class_recall`.

    References
    ----------
    V. M. Vargas, P. A. Gutiérrez, J. Barbero-Gómez and C. Hervás-Martínez, Improving the
    classification of extreme classes by means of loss regularisation and generalised beta
    distributions, 2024, doi:10.48550/arXiv.2407.12417.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> counts = [[3, 1, 0], [0, 2, 0], [1, 0, 1]]
    >>> round(float(po.metrics.gmsec(counts)), 6)
    0.612372
    """
    recalls = _recalls(counts)
    mean: Stack = np.sqrt(recalls[0] * recalls[-1])
    return mean


@metric(
    reads_left_out=True,
    range=(0, 1),
    greater_is_better=True,
    reference=VARGAS,
    mean_of="class_recall",
    formula=(
        r"\frac{1}{2} \Bigl( \frac{n_{0,0}}{n_{0\cdot}} + \frac{n_{K-1,K-1}}{n_{K-1,\cdot}} "
        r"\Bigr)"
    ),
    blind_to=BLIND_TO_MIDDLE,
)
def mean_extreme_sensitivity(counts: StackLike) -> Stack:
    """Mean of the recalls of the lowest and the highest declared class.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    float or ndarray, shape (...)
        0 to 1, higher is better. NaN where one of the two has no true rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    ``(recall[0] + recall[K - 1]) / 2`` with the recalls of `class_recall`.

    References
    ----------
    V. M. Vargas, P. A. Gutiérrez, J. Barbero-Gómez and C. Hervás-Martínez, Improving the
    classification of extreme classes by means of loss regularisation and generalised beta
    distributions, 2024, doi:10.48550/arXiv.2407.12417.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> counts = [[3, 1, 0], [0, 2, 0], [1, 0, 1]]
    >>> round(float(po.metrics.mean_extreme_sensitivity(counts)), 6)
    0.625
    """
    recalls = _recalls(counts)
    mean: Stack = (recalls[0] + recalls[-1]) / 2
    return mean
