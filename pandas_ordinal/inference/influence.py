"""What a row in each cell adds to a metric: each cell is left out once."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pandas_ordinal.arrays import Array, Floats
from pandas_ordinal.inference.row_influence import added_by_rows
from pandas_ordinal.metrics.count_kernel import of_checked
from pandas_ordinal.metrics.metric import Resolved, known
from pandas_ordinal.metrics.proba_kernel import flat_probabilities
from pandas_ordinal.metrics.ranked_rows import as_scores
from pandas_ordinal.metrics.segments import flat
from pandas_ordinal.metrics.stack import (
    CELLS_A_BLOCK,
    batch_last,
    refuse_other_than_counts,
)

Value: TypeAlias = Callable[[Floats], Any]
"""A metric of counts ``(batch, K, K)``, with its options."""

EXACT = 1e9


class Influence(NamedTuple):
    """The values of a metric ``(batch,)``, and what a row in each cell adds ``(batch, K, K)``."""

    values: Floats
    added: Floats


def influence(kernel: Callable[..., Any], *arrays: npt.ArrayLike, **options: Any) -> Floats:
    """Return what a row in each cell adds to a metric, or what each row adds.

    Parameters
    ----------
    kernel : callable
        A kernel of counts, such as ``po.metrics.oci``, or any function of counts ``(..., K, K)``.
    *arrays : array_like
        What the kernel takes: counts ``(..., K, K)`` with true classes on axis -2; true classes,
        scores and the number of classes; or true classes and probabilities.
    **options
        Options of the kernel, `sample_weight` among them where it takes rows.

    Returns
    -------
    ndarray, shape (..., K, K) or (..., n)
        The influence of a row in each cell, 0 in cells without rows; or of each row, 0 for rows
        that do not count. The mean over all rows is 0. NaN where a metric is undefined without the
        row.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, or a metric of scores or probabilities
        has no rule: `vus`, `u_pairs`, `u_ovo`, `u_cons`, `rps`, `brier` and `log_loss` have one.

    Notes
    -----
    For a cell of count c and a matrix of N rows: ``(N - w) / N * (f(n) - f(n without w rows of the
    cell)) / w`` with ``w = min(1, c)``, less its mean over the rows. The standard error of a
    metric is ``sqrt(N / (N - 1) * sum(n * influence ** 2))``, the one of the jackknife.

    For metrics of scores it is the derivative with respect to the weight of the row. That of `vus`
    is the placement of the row less the volume, divided by the size of its class.

    References
    ----------
    B. Efron and C. Stein, The jackknife estimate of variance, Ann. Stat. 9 (1981) 586-596,
    doi:10.1214/aos/1176345462.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> po.influence(po.metrics.accuracy, [[3, 1], [0, 4]]).round(3).tolist()
    [[0.016, -0.109], [0.0, 0.016]]
    >>> po.influence(po.metrics.vus, [0, 0, 1, 1], [1, 3, 2, 4], 2).tolist()
    [0.125, -0.125, -0.125, 0.125]
    """
    if not callable(kernel):
        raise TypeError(f"{kernel!r} is no kernel: give one, such as po.metrics.oci")
    named = known(kernel)
    if named is not None and named.metric.of_rows:
        return _of_rows(named, arrays, options)
    if len(arrays) != 1 or (named is not None and named.metric.output):
        raise ValueError(
            "a metric of counts takes one array of counts, and gives one number for each table"
        )
    (counts,) = arrays
    matrices = np.asarray(counts, dtype=float)
    kernel(matrices, **options)  # says what is wrong with counts and options
    refuse_other_than_counts(matrices)
    if named is not None and named.metric.of_fractions is not None:
        kernel, options = named.metric.of_fractions, {**named.options, **options}

    def value(tables: Floats) -> Any:
        return kernel(tables, **options)

    flat = matrices.reshape(-1, *matrices.shape[-2:])
    (found,) = influences({"": value}, flat).values()
    return found.added.reshape(matrices.shape)


def _of_rows(named: Resolved, arrays: Sequence[npt.ArrayLike], options: dict[str, Any]) -> Floats:
    """Return what each row adds to a metric of scores or probabilities."""
    metric = named.metric
    if not metric.has_influence:
        raise ValueError(f"there is no rule for what a row adds to {metric.name}")
    bound = inspect.signature(metric.kernel).bind(*arrays, **{**named.options, **options})
    given = bound.arguments
    beside = {option.name for option in metric.options}
    options = {name: given.pop(name) for name in beside & given.keys()}
    metric.kernel(**given, **options)  # says what is wrong with rows and options
    if metric.is_row_mean:
        rows, proba, leading = flat_probabilities(
            given["true"], given["proba"], given.get("sample_weight")
        )
        column = proba[:]
    else:
        score = as_scores("score", given["score"])
        rows, (column,), leading = flat(
            given["true"], given["n_classes"], given.get("sample_weight"), score
        )
    added = np.zeros(len(rows.codes))
    counted, (kept, place) = rows.counted(column, np.arange(len(rows.codes)))
    with np.errstate(all="ignore"):
        added[place] = added_by_rows(metric, options, counted, kept, is_smoothed=False).rows
    return added.reshape(*leading, np.shape(given["true"])[-1])


def influences(
    values: Mapping[str, Value], counts: Floats, *, centred: bool = True
) -> dict[str, Influence]:
    """Return each metric of tables ``(batch, K, K)``, and what a row in each cell adds to it."""
    batch, n_classes, _ = counts.shape
    flat = counts.reshape(batch, n_classes**2)
    full = {name: np.asarray(value(counts), float) for name, value in values.items()}
    sums = flat.sum(axis=1)
    table, cell = np.nonzero(flat)
    occupied = flat[table, cell]
    weight = _left_out(occupied, sums[table])
    each = {name: np.empty(len(table)) for name in values}
    columns = batch_last(counts).reshape(n_classes**2, batch)
    step = max(CELLS_A_BLOCK // n_classes**2, 1)
    with np.errstate(all="ignore"):
        for start in range(0, len(table), step):
            block = slice(start, start + step)
            b, c, w = table[block], cell[block], weight[block]
            left = _without(columns, b, c, w).reshape(n_classes, n_classes, -1)
            left_sums = sums[b] - w
            share = (sums[b] - w) / sums[b] / w
            for name, value in values.items():
                each[name][block] = share * (full[name][b] - of_checked(value, left, left_sums))
        for one in each.values() if centred else ():
            one -= (np.bincount(table, occupied * one, batch) / sums)[table]
    return {
        name: Influence(full[name], _spread(each.pop(name), flat > 0).reshape(counts.shape))
        for name in values
    }


def _spread(values: Floats, there: Array) -> Floats:
    """Put values where there are rows, and 0 elsewhere."""
    spread = np.zeros(there.shape)
    spread[there] = values
    return spread


def _left_out(counts: Floats, sums: Floats) -> Floats:
    """Return how many rows of a cell are left out: one, or what there is; more of very many."""
    most = np.where(sums > EXACT, np.maximum(1, sums / EXACT * 1000), 1)
    return np.minimum(most, counts)


def _without(columns: Floats, table: Array, cell: Array, weight: Floats) -> Floats:
    """Lay tables out batch last, each without some rows of one cell."""
    left = np.take(columns, table, axis=1)
    left[cell, np.arange(len(table))] -= weight
    return left
