"""The general ordinal classification index, whose path may step in any direction."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pandas_ordinal.arrays import Positions
from pandas_ordinal.metrics.count_kernel import metric
from pandas_ordinal.metrics.ordinal_index import (
    CARDOSO_SOUSA,
    cell_weights,
    cheapest,
    refuse_other_than_weight,
)
from pandas_ordinal.metrics.stack import Stack, total

MOST_CLASSES = 8
COSTS_BY = 1e6  # the solver is content with costs that are within 1e-6 of the lowest
KING_MOVES = np.ones((3, 3), bool)

Taken: TypeAlias = npt.NDArray[np.bool_]


@metric(range=(0, 1), greater_is_better=False, reference=CARDOSO_SOUSA, example="beta2=0.5")
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
        Price of each discordant pair of cells in the path, from 0 on. From 1 on the index is
        `oci`.
    gamma : float, default 1
        Exponent of the distance, from 1 to inf.
    scaled : bool, default True
        False takes beta1 as the paper's own, absolute one.

    Returns
    -------
    float or ndarray, shape (...)
        0 to 1, lower is better. NaN without rows; 0 for K = 1.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, or if beta1 or beta2 is negative, gamma
        is below 1, or gamma is infinite and beta1 not scaled; and for more than 8 classes, unless
        beta2 is 0, or 1 or more.
    RuntimeError
        If the solver finds no optimum.

    Notes
    -----
    One plus the lowest sum of the weights of the cells, which are those of `oci`, and of beta2 for
    each discordant pair of cells: one where the true class is higher and the predicted one lower.
    The path is any set of cells that holds the first and the last one of the diagonal and that
    steps right, left, up, down or diagonally connect.

    The search is an integer programme for SciPy's solver, which takes milliseconds to seconds a
    matrix, and the longer the more classes there are: for more than 8 it is refused. None is
    needed for beta2 = 0, where the path takes each cell of negative weight, or where one
    discordant pair costs as much as any number of them can save, as with beta2 from 1.

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
    # A weight is a count times what a row weighs at that distance: less than 0 on the diagonal,
    # and more the farther. So the negative cells lie in a band around the diagonal, which is
    # connected by its empty cells, that weigh 0. Where pairs are free the band is the best path
    least = total(np.minimum(weights, 0))
    if beta2 == 0:
        return np.clip(1 + least, 0, 1)
    if beta2 < 1 and len(counts) > MOST_CLASSES:
        raise ValueError(
            f"with beta2={beta2!r} the path is searched, which is feasible for {MOST_CLASSES} "
            f"classes at most, not for {len(counts)}: give beta2=0, or 1 for oci, or merge classes"
        )
    best = cheapest(framed)[-1, -1]
    saving = best - least
    # A path without discordant pairs is one of oci's. Any other costs no less than least + beta2
    open_ = np.flatnonzero(saving > beta2)
    if open_.size:
        _, first, which = np.unique(
            weights[:, :, open_], axis=-1, return_index=True, return_inverse=True
        )
        costs = [_least_cost(weights[:, :, i], beta2, saving[i]) for i in open_[first]]
        best[open_] = np.minimum(best[open_], np.array(costs)[which.ravel()])
    index: Stack = np.clip(1 + best, 0, 1)
    return index


def _least_cost(weights: Stack, beta2: float, saving: float) -> float:
    """Search the path of the lowest sum; one that costs `saving` more than the least is known.

    First any set of cells: it mostly is connected, and faster to find than one that has to be.
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
    """Return rows over cells and pairs, and how high each may be: ``rows @ taken <= limits``."""
    n_cells, n_pairs = n_classes**2, len(pairs)
    # a pair is taken where both of its cells are
    both = np.zeros((n_pairs, n_cells + n_pairs))
    position = np.arange(n_pairs)
    both[position[:, None], pairs] = 1
    both[position, n_cells + position] = -1
    # no step jumps over a row or a column, so that each holds a cell: most sets get connected
    lines = np.eye(n_classes).repeat(n_classes, axis=1), np.tile(np.eye(n_classes), n_classes)
    crossed = np.pad(-np.vstack(lines), [(0, 0), (0, n_pairs)])
    # no more pairs than what they cost can be saved
    pairs_in_all = np.repeat([0.0, 1.0], [n_cells, n_pairs])
    limits = np.repeat([1, -1, min(most_pairs, n_pairs) // 1], [n_pairs, 2 * n_classes, 1])
    return np.vstack([both, crossed, pairs_in_all]), limits


def _of_flows(possible: Taken, n_pairs: int) -> Stack:
    """Return rows over cells, pairs and flows that are at most 0 if the taken cells connect.

    A flow comes from the first cell, by the steps of a path. Each other cell keeps a share of what
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
    """Take cells with ``rows @ (cells, pairs, flows) <= limits``, at the lowest costs."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    n_variables = rows.shape[1]
    lowest = np.zeros(n_variables)
    lowest[[0, possible.size - 1]] = 1
    found = milp(
        COSTS_BY * np.pad(costs, (0, n_variables - len(costs))),
        integrality=np.repeat([1, 0], [possible.size, n_variables - possible.size]),
        bounds=Bounds(lowest, np.append(possible, np.full(n_variables - possible.size, np.inf))),
        constraints=LinearConstraint(rows, -np.inf, limits),
        options={"mip_rel_gap": 0},
    )
    if found.status != 0:
        raise RuntimeError(f"oci_general found no optimum: {found.message}")
    taken: Taken = found.x[: possible.size].reshape(possible.shape) > 0.5
    return taken
