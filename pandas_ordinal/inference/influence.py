"""What two numbers may differ by and still be the same."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pandas_ordinal.counting.arrays import Array, Floats
from pandas_ordinal.metrics.count_kernel import of_checked
from pandas_ordinal.metrics.metric import Metric, Resolved, known
from pandas_ordinal.metrics.proba_kernel import flat_probabilities
from pandas_ordinal.metrics.ranked_rows import as_scores, ranked_blocks
from pandas_ordinal.metrics.segments import Segments, flat
from pandas_ordinal.metrics.stack import (
    CELLS_A_BLOCK,
    batch_last,
    distance,
    refuse_other_than_counts,
)

ROUNDING = 1e-12

Range: TypeAlias = tuple[float | Floats, float | Floats]


def noise_of(values: Floats, limits: Range) -> Floats:
    """Return by how much values of a metric with these limits may be off by rounding.

    Rounding is as large as the terms of a metric, which may cancel: as its limits, or as 1 if it
    has none. A metric with the limit 0 alone has no terms that cancel, and may have any unit.
    """
    ends = np.broadcast_arrays(*limits, values)[:2]
    largest = np.max([np.where(np.isfinite(end), np.abs(end), 0) for end in ends], axis=0)
    unlimited = np.where(np.isfinite(ends).any(axis=0), largest, 1)
    size = np.where(np.isfinite(values), np.abs(values), 0)
    noise: Floats = ROUNDING * np.maximum(size, unlimited)
    return noise


def on_limits(values: Floats, limits: Range) -> Floats:
    """Put values on a limit that they differ from by rounding alone."""
    noise = noise_of(values, limits)
    for limit in limits:
        values = np.where(np.abs(values - limit) <= noise, limit, values)
    return values


def freedom_of(sums: Floats, squares: Floats) -> Floats:
    """Return the degrees of freedom of weights with these sums, whose squares have those."""
    freedom = sums**2 / squares - 1
    whole = np.rint(freedom)
    return np.where(np.abs(freedom - whole) <= ROUNDING * whole, whole, freedom)


def conditional(counts: Floats, right_within: float = 0) -> Floats:
    """Tell what a pseudo-row of each true class is predicted as, ``(..., K, K)``.

    Half right and half wrong, near errors more than far ones, among the classes that occur; among
    all of them if no other one occurs. Wrong is what is more classes off than is still right.
    """
    n_classes = counts.shape[-1]
    occurs = (counts.sum(axis=-1) > 0) | (counts.sum(axis=-2) > 0)
    far = distance(n_classes)
    nearness = np.divide(1, far, out=np.zeros_like(far), where=far > right_within)
    among = nearness * occurs[..., None, :]
    among = np.where(among.any(axis=-1, keepdims=True), among, nearness)
    sums = among.sum(axis=-1, keepdims=True)
    wrong = np.divide(among, sums, out=np.zeros_like(among), where=sums > 0)
    shares: Floats = (np.eye(n_classes) + wrong) / (1 + (sums > 0))
    return shares


def pseudo_row(counts: Floats, right_within: float = 0) -> Floats:
    """Spread one row over the true classes that occur, each as `conditional` says.

    Over those that can be wrong, unless none can: the middle one of three is never two classes
    off.
    """
    present = counts.sum(axis=-1) > 0
    fallible = present & (distance(counts.shape[-1]).max(axis=-1) > right_within)
    chosen = np.where(fallible.any(axis=-1, keepdims=True), fallible, present)
    n_chosen = np.maximum(chosen.sum(axis=-1), 1)[..., None]
    row: Floats = conditional(counts, right_within) * (chosen / n_chosen)[..., None]
    return row


@dataclass(frozen=True)
class Added:
    """What rows and the pseudo-row of each segment add to a metric.

    Attributes
    ----------
    values : ndarray, shape (segments,)
        The metric.
    rows : ndarray, shape (rows,)
        The influence of each row.
    mass, sums, squares : ndarray, shape (K, segments)
        The pseudo-row's mass in each class, and the sums of its influences and of their squares.
    """

    values: Floats
    rows: Floats
    mass: Floats
    sums: Floats
    squares: Floats


def added_by_rows(
    metric: Metric, options: Mapping[str, Any], rows: Segments, column: Array, is_smoothed: bool
) -> Added:
    """Return what each row that counts adds to a metric, with a pseudo-row or without."""
    if metric.score_influence is not None:
        return _by_score(metric, options, rows, column, is_smoothed)
    return _by_mean(metric, options, rows, column, is_smoothed)


def _by_mean(
    metric: Metric, options: Mapping[str, Any], rows: Segments, proba: Array, is_smoothed: bool
) -> Added:
    """Return what each row adds to a mean; the pseudo-row is forecast uniformly."""
    losses = _losses(metric, options, rows.codes, proba)
    n_classes, shape = rows.n_classes, (rows.n_classes, rows.n_segments)
    weights = np.ones(len(losses)) if rows.weights is None else rows.weights
    sums = np.bincount(rows.segment, weights, shape[1])
    present = np.zeros(shape, bool)
    present[rows.codes, rows.segment] = True
    uniform = np.full((n_classes, n_classes), 1 / n_classes)
    guess = _losses(metric, options, np.arange(n_classes), uniform).mean()
    weight = np.bincount(rows.segment, weights**2, shape[1]) / sums if is_smoothed else 0 * sums
    values = (np.bincount(rows.segment, weights * losses, shape[1]) + weight * guess) / (
        sums + weight
    )
    ours = (losses - values[rows.segment]) / (sums + weight)[rows.segment]
    its = weight * (guess - values) / (sums + weight)
    mass = np.where(present, 1 / present.sum(axis=0), 0) * is_smoothed
    return Added(values, ours, mass, mass * its, mass * its**2)


def _losses(metric: Metric, options: Mapping[str, Any], codes: Array, proba: Array) -> Floats:
    """Score each row by itself."""
    assert metric.by_segment is not None
    each = Segments(codes, proba.shape[-1], np.arange(len(codes)), len(codes), None)
    return metric.by_segment(each, proba, **options)


def _by_score(
    metric: Metric, options: Mapping[str, Any], rows: Segments, score: Array, is_smoothed: bool
) -> Added:
    """Return what each row adds by its class and its score."""
    assert metric.score_influence is not None
    values = np.full(rows.n_segments, np.nan)
    added = np.full(len(score), np.nan)
    mass, sums, squares = np.zeros((3, rows.n_classes, rows.n_segments))
    for numbers, place, ranked in ranked_blocks(rows, score):
        table, sizes = ranked.table().astype(float), ranked.sizes
        row = pseudo_row_of_scores(table, sizes) if is_smoothed else np.zeros(table.shape)
        its = row.sum(axis=-1)
        values[numbers], each = metric.score_influence(table + row, sizes + its, **options)
        added[place] = each[ranked.codes, ranked.segment, ranked.values()]
        mass[:, numbers] = its
        sums[:, numbers] = (row * each).sum(axis=-1, where=row > 0)
        squares[:, numbers] = (row * each**2).sum(axis=-1, where=row > 0)
    return Added(values, added, mass, sums, squares)


def pseudo_row_of_scores(table: Floats, sizes: Floats) -> Floats:
    """Spread one row over classes and scores, ``(K, segments, values)``.

    It has a score of a class that occurs, and is of that class or of another one as `conditional`
    says.
    """
    present = sizes.T > 0
    near = conditional(sizes.T[:, :, None] * np.eye(len(sizes)))
    near = near * present[:, :, None] / np.maximum(present.sum(axis=1), 1)[:, None, None]
    shares = np.divide(
        table, sizes[:, :, None], out=np.zeros(table.shape), where=sizes[:, :, None] > 0
    )
    row: Floats = np.einsum("sck,csv->ksv", near, shares)
    return row


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
