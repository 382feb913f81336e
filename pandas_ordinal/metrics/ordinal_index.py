"""Ordinal classification indices (OCI, UOC): the best monotone path through the matrix."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from pandas_ordinal.counting.arrays import Positions, Stack
from pandas_ordinal.errors import brief
from pandas_ordinal.metrics.count_kernel import metric
from pandas_ordinal.metrics.error import BLIND_TO_SIZES
from pandas_ordinal.metrics.stack import distance, real, total, weigh

CARDOSO_SOUSA = "Cardoso & Sousa 2011, doi:10.1142/S0218001411009093"
SILVA = "Silva, Pinto & Cardoso 2018, doi:10.1109/IJCNN.2018.8489327"
TIE = 1e-12

CELL_WEIGHTS = (
    r"\qquad w_{rc} = -\frac{n_{rc}}{N + M} + \frac{\beta}{N} n_{rc} \Bigl( \frac{|r - "
    r"c|}{K - 1} \Bigr)^\gamma, \qquad M = \Bigl( \sum_{r, c} n_{rc} \, |r - c|^\gamma "
    r"\Bigr)^{1 / \gamma}"
)
STEPS = (
    ":math:`P` is a path from the first to the last cell of the diagonal that steps right, down "
    "or diagonally."
)
LARGEST = np.finfo(np.float64).max


@metric(
    range=(0, 1),
    greater_is_better=False,
    reference=CARDOSO_SOUSA,
    formula=r"1 + \min_P \sum_{(r, c) \in P} w_{rc}," + CELL_WEIGHTS,
    blind_to=(
        "The sizes of the classes, which `uoc` evens out; its `beta` sets how much "
        "distance weighs."
    ),
    letters=rf"{STEPS} :math:`\beta` and :math:`\gamma` are the options ``beta`` and ``gamma``.",
)
def oci(counts: Stack, *, beta: float = 0.75, gamma: float = 1, scaled: bool = True) -> Stack:
    """Ordinal classification index: the size and the inconsistency of errors in one number.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.
    beta : float, default 0.75
        Weight of the distance from the diagonal, as a fraction of the largest possible penalty.
        Low values reward the right order of predictions, high ones the right class; the paper
        shows 0.25 and 0.75.
    gamma : float, default 1
        Exponent of the distance, from 1 to inf.
    scaled : bool, default True
        If False, beta is absolute, as in the paper.

    Returns
    -------
    float or ndarray, shape (...)
        0 to 1, lower is better. NaN without rows; 0 for K = 1.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, or if beta is negative, gamma is below 1,
        or gamma is infinite and beta not scaled.

    Notes
    -----
    With ``M = (sum n[r, c] * |r - c|^gamma)^(1 / gamma)`` and ``b = beta / (N * (K - 1)^gamma)``,
    or ``b = beta`` if not scaled, a cell weighs
    ``w[r, c] = -n[r, c] / (N + M) + b * n[r, c] * |r - c|^gamma``. The index is one plus the
    lowest sum of weights along a path from the first to the last cell of the diagonal that steps
    right, down or diagonally. Swapping truth and prediction changes nothing.

    References
    ----------
    J. S. Cardoso and R. Sousa, Measuring the performance of ordinal classification, Int. J.
    Pattern Recognit. Artif. Intell. 25 (2011) 1173-1195, doi:10.1142/S0218001411009093, eq. 7.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> tridiagonal = [
    ...     [1, 1, 0, 0, 0], [1, 1, 1, 0, 0], [0, 1, 1, 1, 0], [0, 0, 1, 1, 1], [0, 0, 0, 1, 1]
    ... ]
    >>> round(float(po.metrics.oci(tridiagonal)), 6)
    0.629121
    >>> round(float(po.metrics.oci(tridiagonal, beta=0.25)), 6)
    0.590659
    """
    costs = cheapest(cell_weights(counts, beta, gamma, scaled))
    index: Stack = np.maximum(1 + costs[-1, -1], 0)
    return index


@metric(
    range=(0, 1),
    greater_is_better=None,
    reference=CARDOSO_SOUSA,
    output=("true", "pred"),
    dtype=bool,
    formula=r"\operatorname*{arg\,min}_P \sum_{(r, c) \in P} w_{rc}," + CELL_WEIGHTS,
    letters=rf"{STEPS} :math:`\beta` and :math:`\gamma` are the options ``beta`` and ``gamma``.",
)
def oci_path(counts: Stack, *, beta: float = 0.75, gamma: float = 1, scaled: bool = True) -> Stack:
    """Cells of the path that gives the ordinal classification index.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.
    beta : float, default 0.75
        Weight of the distance from the diagonal, as a fraction of the largest possible penalty.
        Low values reward the right order of predictions, high ones the right class; the paper
        shows 0.25 and 0.75.
    gamma : float, default 1
        Exponent of the distance, from 1 to inf.
    scaled : bool, default True
        If False, beta is absolute, as in the paper.

    Returns
    -------
    ndarray of bool, shape (..., K, K)
        True on the path, neither good nor bad. All False without rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, or if beta is negative, gamma is below 1,
        or gamma is infinite and beta not scaled.

    Notes
    -----
    The path is traced back from the last cell. Where predecessors tie within 1e-12, the diagonal
    one comes first, then the one above, then the one to the left.

    References
    ----------
    J. S. Cardoso and R. Sousa, Measuring the performance of ordinal classification, Int. J.
    Pattern Recognit. Artif. Intell. 25 (2011) 1173-1195, doi:10.1142/S0218001411009093, eq. 7.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> po.metrics.oci_path([[2, 0, 0], [0, 0, 3], [0, 0, 2]]).astype(int).tolist()
    [[1, 1, 0], [0, 0, 1], [0, 0, 1]]
    """
    costs = cheapest(cell_weights(counts, beta, gamma, scaled))
    batch = np.flatnonzero(total(counts))
    path = np.zeros(costs.shape)
    row = np.full(len(batch), len(counts))
    column = row.copy()
    while batch.size:
        path[row, column, batch] = 1
        diagonal, above, left = (
            costs[row - down, column - right, batch] for down, right in ((1, 1), (1, 0), (0, 1))
        )
        limit = np.minimum(np.minimum(diagonal, above), left) + TIE
        right = (diagonal <= limit) | (above > limit)
        down = (diagonal <= limit) | (above <= limit)
        row, column = row - down, column - right
        inside = row > 0  # so is the column: only the corner is reached from the first cell
        row, column, batch = row[inside], column[inside], batch[inside]
    return path[1:, 1:]


@metric(
    range=(0, 1),
    greater_is_better=False,
    reference=SILVA,
    formula=(
        r"1 + \min_P \sum_{(r, c) \in P} \Bigl( -\frac{p_{rc}}{C + \sum_{i, j} p_{ij} \, |i "
        r"- j|} + \frac{\beta}{C} p_{rc} \, |r - c| \Bigr), \qquad p_{rc} = "
        r"\frac{n_{rc}}{n_{r\cdot}}"
    ),
    blind_to=BLIND_TO_SIZES,
    letters=rf"{STEPS} :math:`C` classes have true rows; :math:`\beta` is the option ``beta``.",
)
def uoc(counts: Stack, *, beta: float = 0.75) -> Stack:
    """Uniform ordinal classification index: an OCI in which each true class has the same weight.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.
    beta : float, default 0.75
        Weight of the distance from the diagonal, from 0 to 1.

    Returns
    -------
    float or ndarray, shape (...)
        0 to 1, lower is better. NaN without rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, or if beta is not from 0 to 1.

    Notes
    -----
    With p, the rows of the matrix divided by their sums, ``d = |r - c|``, and C, the number of
    classes that have true rows, a cell weighs ``-p / (C + sum p * d) + beta / C * p * d``. The
    index is one plus the lowest sum of weights along a path of `oci`. Classes without true rows
    are left out of the sums.

    References
    ----------
    W. Silva, J. R. Pinto and J. S. Cardoso, A uniform performance index for ordinal classification
    with imbalanced classes, IJCNN 2018, doi:10.1109/IJCNN.2018.8489327.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> round(float(po.metrics.uoc([[8, 0, 0], [0, 1, 1], [0, 0, 2]])), 6)
    0.267857
    """
    if not 0 <= real("beta", beta) <= 1:
        raise ValueError(
            f"beta={brief(beta)} is not a share: give a number from 0 to 1, such as 0.75"
        )
    heights, slopes = _uniform(counts)
    index: Stack = np.maximum(1 + cheapest(heights + beta * slopes)[-1, -1], 0)
    return index


@metric(
    range=(0, 1),
    greater_is_better=False,
    reference=SILVA,
    formula=r"\int_0^1 \mathrm{UOC}(\beta) \, d\beta",
    blind_to=BLIND_TO_SIZES,
    letters=r":math:`\mathrm{UOC}(\beta)` is the index `uoc` with that beta.",
)
def auoc(counts: Stack) -> Stack:
    """Area under the uniform ordinal classification index as beta goes from 0 to 1.

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
    The exact integral of `uoc` over beta: the sum along a path is a linear function of beta, and
    the lowest of these lines form a concave curve with few straight pieces. Where the lines of the
    best paths at two betas cross, either both are best, or the line of another path is, which is
    then crossed with each of them.

    References
    ----------
    W. Silva, J. R. Pinto and J. S. Cardoso, A uniform performance index for ordinal classification
    with imbalanced classes, IJCNN 2018, doi:10.1109/IJCNN.2018.8489327.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> round(float(po.metrics.auoc([[8, 0, 0], [0, 1, 1], [0, 0, 2]])), 6)
    0.22449
    """
    heights, slopes = _uniform(counts)
    batch = np.arange(counts.shape[-1])
    area = np.ones(len(batch))
    left = _best_line(heights, slopes, np.zeros(len(batch)))
    # At 1 no cell off the diagonal lowers a sum: d / C is at least 1 / (C + sum p * d)
    right = np.stack([np.ones(len(batch)), heights[1:, 1:].trace(), np.zeros(len(batch))])
    while batch.size:
        middle = _best_line(heights, slopes, _crossing(left, right))
        # A best line as steep as one of the two is the same line. Otherwise its slope divides the
        # range of their slopes into two, both wider than TIE, which comes to an end
        bent = (left[2] - middle[2] > TIE) & (middle[2] - right[2] > TIE)
        parts = np.where(bent, 0, _trapezium(left, middle) + _trapezium(middle, right))
        area += np.bincount(batch, parts, len(area))
        twice = np.tile(np.flatnonzero(bent), 2)
        batch = batch[twice]
        heights, slopes = (np.take(lines, twice, axis=2) for lines in (heights, slopes))
        left, right = (
            np.concatenate([left[:, bent], middle[:, bent]], axis=1),
            np.concatenate([middle[:, bent], right[:, bent]], axis=1),
        )
    return np.maximum(area, 0)


def _uniform(counts: Stack) -> tuple[Stack, Stack]:
    """Weigh each cell for `uoc`, linearly in beta: its height at 0 and its slope, in frames."""
    sizes = counts.sum(axis=1)
    shares = counts / np.where(sizes > 0, sizes, 1)[:, None]
    present = np.maximum((sizes > 0).sum(axis=0), 1)
    far = shares * distance(len(counts))[:, :, None]
    heights, slopes = _frame(len(counts), counts.shape[-1]), _frame(len(counts), counts.shape[-1])
    slopes[0], slopes[:, 0] = 0, 0
    np.divide(shares, -(present + total(far)), out=heights[1:, 1:])
    np.divide(far, present, out=slopes[1:, 1:])
    return heights, slopes


def _best_line(heights: Stack, slopes: Stack, beta: Stack) -> Stack:
    """Return beta, the height of the lowest path there, and its slope: ``(3, batch)``."""
    framed, along = heights + beta * slopes, slopes.copy()
    costs, sums = (cells.reshape(len(cells) ** 2, -1) for cells in (framed, along))
    for here, left, above, corner in _diagonals(len(framed) - 1):
        best = np.minimum(costs[left], costs[above])
        path = np.where(costs[left] < costs[above], sums[left], sums[above])
        np.copyto(path, sums[corner], where=costs[corner] <= best)
        costs[here] += np.minimum(best, costs[corner], out=best)
        sums[here] += path
    return np.stack([beta, costs[-1], sums[-1]])


def _crossing(left: Stack, right: Stack) -> Stack:
    """Return where between their betas two lines cross; for parallels, the left beta."""
    (x, y, slope), (x_right, y_right, slope_right) = left, right
    step = (y_right - y - slope_right * (x_right - x)) / (slope - slope_right)
    beta: Stack = x + np.where(slope - slope_right > TIE, np.clip(step, 0, x_right - x), 0)
    return beta


def _trapezium(left: Stack, right: Stack) -> Stack:
    area: Stack = (right[0] - left[0]) * (left[1] + right[1]) / 2
    return area


def cell_weights(counts: Stack, beta: float, gamma: float, scaled: bool) -> Stack:
    """Weigh each cell, in a frame with a row and a column of inf before the first ones.

    A scaled distance is a share of the largest, so that no power overflows.
    """
    refuse_other_than_weight("beta", beta)
    if not real("gamma", gamma) >= 1:
        raise ValueError(f"gamma={brief(gamma)} is not an exponent of a distance: give 1 or more")
    if np.isinf(gamma) and not scaled:
        raise ValueError("gamma=inf needs a scaled beta: leave scaled=True or give a finite gamma")
    n_classes, _, batch = counts.shape
    apart = np.arange(float(n_classes))[:, None]
    rows, dispersion = _rows_and_dispersion(counts, gamma)
    far = (apart / max(n_classes - 1, 1) if scaled else apart) ** gamma
    penalty = np.minimum(beta * np.minimum(far, LARGEST), LARGEST)
    a_row = penalty / (rows if scaled else 1) - 1 / (rows + dispersion)
    framed: Stack = _frame(n_classes, batch)
    np.multiply(_by_distance(a_row), counts, out=framed[1:, 1:])
    return framed


def refuse_other_than_weight(option: str, value: float) -> None:
    """Raise unless an option is a finite number of 0 or more."""
    if not 0 <= real(option, value) < np.inf:
        raise ValueError(
            f"{option}={brief(value)} is not a weight: give a number of 0 or more, such as 0.75"
        )


def _frame(n_classes: int, batch: int) -> Stack:
    """Make room for the cells, with a row and a column of inf before the first ones."""
    framed = np.empty((n_classes + 1, n_classes + 1, batch))
    framed[0], framed[:, 0], framed[0, 0] = np.inf, np.inf, 0
    return framed


def _by_distance(values: Stack) -> Stack:
    """Spread values of each distance, ``(K, batch)``, over the cells, as a view ``(K, K, batch)``.

    Row r of the cells is a window of ``K - 1, ..., 1, 0, 1, ..., K - 1``.
    """
    there_and_back = np.concatenate([values[:0:-1], values])
    windows: Stack = sliding_window_view(there_and_back, len(values), axis=0)
    return windows.transpose(0, 2, 1)[::-1]


def _rows_and_dispersion(counts: Stack, gamma: float) -> tuple[Stack, Stack]:
    """Return N, and M, the Minkowski distance of truth and prediction.

    M is summed relative to the largest error; for gamma = 1 one pass over the counts gives both.
    """
    n_classes = len(counts)
    if gamma == 1:
        rows, dispersion = weigh(
            np.stack([np.ones((n_classes, n_classes)), distance(n_classes)]), counts
        )
        return rows, dispersion
    off = [counts.trace(step) + counts.trace(-step) for step in range(1, n_classes)]
    sums = np.array(off).reshape(n_classes - 1, counts.shape[-1])
    apart = np.arange(1.0, n_classes)[:, None]
    largest = np.where(sums > 0, apart, 0).max(axis=0, initial=0)
    powers: Stack = (sums * (apart / largest) ** gamma).sum(axis=0, where=sums > 0)
    return total(counts), np.where(largest > 0, largest * powers ** (1 / gamma), 0)


def cheapest(framed: Stack) -> Stack:
    """Turn the weight of each cell into the cost of the cheapest path to it, in place."""
    cells = framed.reshape(len(framed) ** 2, -1)
    for here, left, above, corner in _diagonals(len(framed) - 1):
        best = np.minimum(cells[left], cells[above])
        np.minimum(best, cells[corner], out=best)
        cells[here] += best
    return framed


def _diagonals(n_classes: int) -> Iterator[tuple[slice, slice, slice, slice]]:
    """Yield each anti-diagonal, and the cells to the left, above and on the diagonal before.

    Cells on one anti-diagonal do not depend on each other. In the flattened frame of width K + 1
    they lie K apart, so that each anti-diagonal is one slice.
    """
    for diagonal in range(2, 2 * n_classes + 1):
        first = max(1, diagonal - n_classes)
        last = min(n_classes, diagonal - 1)
        start, stop = diagonal + first * n_classes, diagonal + last * n_classes + 1
        here, left, above, corner = (
            slice(start - back, stop - back, n_classes)
            for back in (0, 1, n_classes + 1, n_classes + 2)
        )
        yield here, left, above, corner


MOST_CLASSES = 8
COSTS_BY = 1e6  # the solver accepts costs that are within 1e-6 of the lowest
KING_MOVES = np.ones((3, 3), bool)

Taken: TypeAlias = npt.NDArray[np.bool_]


@metric(
    range=(0, 1),
    greater_is_better=False,
    reference=CARDOSO_SOUSA,
    example="beta2=0.5",
    formula=r"1 + \min_P \Bigl( \sum_{(r, c) \in P} w_{rc} + \beta_2 D_P \Bigr),"
    + CELL_WEIGHTS.replace(r"\beta", r"\beta_1"),
    blind_to="The sizes of the classes: the large ones decide.",
    letters=(
        r":math:`P` is a set of cells that has the first and the last one of the diagonal and "
        r"is connected by steps in any direction. :math:`D_P` pairs of its cells are discordant. "
        r":math:`\beta_1`, :math:`\beta_2` and :math:`\gamma` are the options."
    ),
)
def oci_general(
    counts: Stack, *, beta1: float = 0.75, beta2: float, gamma: float = 1, scaled: bool = True
) -> Stack:
    """Ordinal classification index whose path may turn back, at a price for each discordant pair.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.
    beta1 : float, default 0.75
        Weight of the distance from the diagonal, as a fraction of the largest possible penalty:
        the beta of `oci`.
    beta2 : float
        Price of each discordant pair of cells in the path, 0 or more. With 1 or more the index is
        `oci`.
    gamma : float, default 1
        Exponent of the distance, from 1 to inf.
    scaled : bool, default True
        If False, beta1 is absolute, as in the paper.

    Returns
    -------
    float or ndarray, shape (...)
        0 to 1, lower is better. NaN without rows; 0 for K = 1.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, or if beta1 or beta2 is negative, gamma
        is below 1, or gamma is infinite and beta1 not scaled, or if there are more than 8 classes
        and beta2 is between 0 and 1.
    RuntimeError
        If the solver finds no optimum.

    Notes
    -----
    One plus the lowest sum of the weights of the cells in a path, which are those of `oci`, and of
    beta2 for each discordant pair of cells: two cells, one with the higher true and the lower
    predicted class. A path is any set of cells that contains the first and the last one of the
    diagonal and is connected by steps right, left, up, down or diagonally.

    SciPy's solver of integer programs searches the path, in milliseconds to seconds per matrix,
    and longer with more classes: more than 8 raise an error. No search is needed for beta2 = 0,
    where the path contains each cell of negative weight, or where one discordant pair costs as
    much as any number of them can save, such as with a beta2 of 1 or more.

    References
    ----------
    J. S. Cardoso and R. Sousa, Measuring the performance of ordinal classification, Int. J.
    Pattern Recognit. Artif. Intell. 25 (2011) 1173-1195, doi:10.1142/S0218001411009093, eq. 8.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> counts = [[4, 2, 0], [3, 5, 1], [0, 2, 6]]
    >>> [round(float(po.metrics.oci_general(counts, beta2=beta2)), 4) for beta2 in (0, 0.02, 1)]
    [0.3885, 0.4245, 0.4364]
    """
    for option, value in {"beta1": beta1, "beta2": beta2}.items():
        refuse_other_than_weight(option, value)
    framed = cell_weights(counts, beta1, gamma, scaled)
    weights = framed[1:, 1:].copy()
    # A cell weighs its count times the weight of a row at that distance, which is negative on the
    # diagonal and grows with the distance. So the negative cells lie in a band around the
    # diagonal, whose empty cells, of weight 0, connect it. If pairs are free, it is the best path
    least = total(np.minimum(weights, 0))
    if beta2 == 0:
        return np.maximum(1 + least, 0)
    if beta2 < 1 and len(counts) > MOST_CLASSES:
        raise ValueError(
            f"beta2={brief(beta2)} needs a search, which is feasible for at most {MOST_CLASSES} "
            f"classes, not for {len(counts)}: give beta2=0, or 1 for oci, or merge classes"
        )
    best = cheapest(framed)[-1, -1]
    saving = best - least
    # A path without discordant pairs is one of oci's. Any other costs at least least + beta2
    open_ = np.flatnonzero(saving > beta2)
    if open_.size:
        _, first, which = np.unique(
            weights[:, :, open_], axis=-1, return_index=True, return_inverse=True
        )
        costs = [_least_cost(weights[:, :, i], beta2, saving[i]) for i in open_[first]]
        best[open_] = np.minimum(best[open_], np.array(costs)[which.ravel()])
    index: Stack = np.maximum(1 + best, 0)
    return index


def _least_cost(weights: Stack, beta2: float, saving: float) -> float:
    """Search the path with the lowest sum; one that costs `saving` more than the least is known.

    First among all sets of cells: the best one mostly is connected, and faster to find if it need
    not be.
    """
    from scipy.ndimage import label

    possible = weights <= saving
    pairs = _discordant_pairs(possible)
    costs = np.append(np.where(possible, weights, 0), np.full(len(pairs), beta2))
    rows, limits = _of_pairs(len(weights), pairs, saving / beta2)
    taken = _solve(possible, costs, rows, limits)
    if label(taken, KING_MOVES)[1] > 1:
        flows = _of_flows(possible, len(pairs))
        rows = np.pad(rows, [(0, 0), (0, flows.shape[1] - len(costs))])
        limits = np.append(limits, np.zeros(len(flows)))
        taken = _solve(possible, costs, np.vstack([rows, flows]), limits)
    return float(weights[taken].sum() + beta2 * taken.ravel()[pairs].all(axis=1).sum())


def _discordant_pairs(possible: Taken) -> Positions:
    """Return the pairs of possible cells, by their flat positions ``(pairs, 2)``."""
    cells = np.flatnonzero(possible)
    row, column = np.divmod(cells, len(possible))
    discordant = (row[:, None] < row) & (column[:, None] > column)
    return cells[np.argwhere(discordant)]


def _of_pairs(n_classes: int, pairs: Positions, most_pairs: float) -> tuple[Stack, Stack]:
    """Return constraints on cells and pairs, as rows and limits: ``rows @ taken <= limits``."""
    n_cells, n_pairs = n_classes**2, len(pairs)
    # a pair is taken if both of its cells are
    both = np.zeros((n_pairs, n_cells + n_pairs))
    position = np.arange(n_pairs)
    both[position[:, None], pairs] = 1
    both[position, n_cells + position] = -1
    # no step skips a row or a column, so each has a cell: this connects most sets
    lines = np.eye(n_classes).repeat(n_classes, axis=1), np.tile(np.eye(n_classes), n_classes)
    crossed = np.pad(-np.vstack(lines), [(0, 0), (0, n_pairs)])
    # no more pairs than can pay off
    pairs_in_all = np.repeat([0.0, 1.0], [n_cells, n_pairs])
    limits = np.repeat([1, -1, min(most_pairs, n_pairs) // 1], [n_pairs, 2 * n_classes, 1])
    return np.vstack([both, crossed, pairs_in_all]), limits


def _of_flows(possible: Taken, n_pairs: int) -> Stack:
    """Return constraints on cells, pairs and flows: rows, at most 0 if the cells are connected.

    Flow comes from the first cell, along the steps of a path. Each other cell keeps a unit of what
    it gets if it is taken, and gets nothing if it is not.
    """
    cells = np.argwhere(possible)
    steps = np.argwhere(np.abs(cells[:, None] - cells).max(axis=-1) == 1)
    source, target = np.flatnonzero(possible)[steps].T
    others = np.arange(1, possible.size)[:, None]
    gives, gets = (others == source).astype(float), (others == target).astype(float)
    taken = np.eye(possible.size)[1:]
    no_pairs = np.zeros((len(others), n_pairs))
    keeps_one = np.hstack([taken, no_pairs, gives - gets])
    gets_none = np.hstack([(1 - len(cells)) * taken, no_pairs, gets])
    return np.vstack([keeps_one, gets_none])


def _solve(possible: Taken, costs: Stack, rows: Stack, limits: Stack) -> Taken:
    """Take cells at the lowest costs such that ``rows @ (cells, pairs, flows) <= limits``."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    n_variables = rows.shape[1]
    lowest = np.zeros(n_variables)
    lowest[[0, possible.size - 1]] = 1
    solution = milp(
        COSTS_BY * np.pad(costs, (0, n_variables - len(costs))),
        integrality=np.repeat([1, 0], [possible.size, n_variables - possible.size]),
        bounds=Bounds(lowest, np.append(possible, np.full(n_variables - possible.size, np.inf))),
        constraints=LinearConstraint(rows, -np.inf, limits),
        options={"mip_rel_gap": 0},
    )
    if solution.status != 0:
        raise RuntimeError(f"oci_general found no optimum: {solution.message}")
    taken: Taken = solution.x[: possible.size].reshape(possible.shape) > 0.5
    return taken
