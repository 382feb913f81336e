"""What each row adds to a metric: its influence, with a pseudo-row or without.

Standard errors, intervals and comparisons all follow from influences.
"""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pandas_ordinal.counting.arrays import Array, Floats, Positions
from pandas_ordinal.errors import brief
from pandas_ordinal.hints import explains_arguments
from pandas_ordinal.metrics.count_kernel import of_checked, reads_left_out
from pandas_ordinal.metrics.left_out import FEWEST_CLASSES, LeftOut, StackLike
from pandas_ordinal.metrics.metric import Resolved, metric_of_kernel, registry
from pandas_ordinal.metrics.proba_kernel import flat_probabilities, with_reference_by_row
from pandas_ordinal.metrics.ranked_rows import as_scores, ranked_blocks
from pandas_ordinal.metrics.segments import Segments, flatten_to_segments
from pandas_ordinal.metrics.stack import (
    MOST_CELLS_PER_BLOCK,
    batch_last,
    block_size,
    distance,
    plain_array,
    refuse_other_than_counts,
)

ROUNDING_ERROR = 1e-12

Bounds: TypeAlias = tuple[float | Floats, float | Floats]


def tolerance_of(values: Floats, limits: Bounds) -> Floats:
    """Return the rounding tolerance of a metric's values, given its limits.

    Rounding errors are relative to the terms of a metric, which may cancel. These are as large as
    its limits, or as 1 if it has none. A metric whose only limit is 0 has no terms that cancel,
    and may have any unit.
    """
    ends = np.broadcast_arrays(*limits, values)[:2]
    largest = np.max([np.where(np.isfinite(end), np.abs(end), 0) for end in ends], axis=0)
    unlimited = np.where(np.isfinite(ends).any(axis=0), largest, 1)
    size = np.where(np.isfinite(values), np.abs(values), 0)
    tolerance: Floats = ROUNDING_ERROR * np.maximum(size, unlimited)
    return tolerance


def on_limits(values: Floats, limits: Bounds) -> Floats:
    """Move values to a limit from which they differ only by rounding."""
    tolerance = tolerance_of(values, limits)
    for limit in limits:
        values = np.where(np.abs(values - limit) <= tolerance, limit, values)
    return values


def ratio(numerator: Array, denominator: Array, otherwise: float = 0) -> Floats:
    """Divide where the denominator is positive; elsewhere, the result is `otherwise`."""
    shape = np.broadcast_shapes(numerator.shape, denominator.shape)
    result: Floats = np.full(shape, float(otherwise))
    return np.divide(numerator, denominator, out=result, where=np.asarray(denominator > 0))


def effective_sizes(sums: Floats, squares: Floats) -> Floats:
    """Return how many rows of equal weights say as much, from sums of weights and of squares."""
    return ratio(sums**2, squares)


def df_of_weights(sums: Floats, squares: Floats) -> Floats:
    """Return the degrees of freedom of weighted rows, from the sums of weights and squares."""
    df = sums**2 / squares - 1
    whole = np.rint(df)
    return np.where(np.abs(df - whole) <= ROUNDING_ERROR * whole, whole, df)


def df_of_classes(variances: Floats, sizes: Floats, most: Floats) -> Floats:
    """Return the degrees of freedom of a variance to which rare classes may add most.

    Parameters
    ----------
    variances : ndarray, shape (..., K)
        The part of the variance that the rows of each true class contribute, including those of
        the pseudo-row.
    sizes : ndarray, shape (..., K)
        How many rows these are. A class has at least one degree of freedom.
    most : ndarray, shape (...)
        The degrees of freedom of all rows, which are not exceeded.

    References
    ----------
    F. E. Satterthwaite, An approximate distribution of estimates of variance components,
    Biometrics Bull. 2 (1946) 110-114, doi:10.2307/3002019.
    """
    total = variances.sum(axis=-1)
    with np.errstate(all="ignore"):
        shares = variances / total[..., None]
        df = 1 / (shares**2 / np.maximum(sizes - 1, 1)).sum(axis=-1)
    return np.where(total > 0, np.minimum(df, most), most)


def pseudo_predictions(counts: Floats, right_within: float = 0) -> Floats:
    """Return how a pseudo-row of each true class is predicted, as shares ``(..., K, K)``.

    Half of it is right and half wrong: more than `right_within` classes off. Errors fall into
    classes that occur, at distances 1, 2, 4, 8 and so on, with equal shares; if there is none of
    these, into all that occur; if none of them would be wrong, into all. Near errors then have
    larger shares than far ones.
    """
    n_classes = counts.shape[-1]
    occurs = (counts.sum(axis=-1) > 0) | (counts.sum(axis=-2) > 0)
    far = distance(n_classes)
    nearness = np.divide(1, far, out=np.zeros_like(far), where=far > right_within)
    wrong = nearness
    for among in (nearness * occurs[..., None, :], nearness * occurs[..., None, :] * _apart(far)):
        wrong = np.where(among.any(axis=-1, keepdims=True), among, wrong)
    sums = wrong.sum(axis=-1, keepdims=True)
    shares: Floats = (np.eye(n_classes) + ratio(wrong, sums)) / (1 + (sums > 0))
    return shares


def _apart(far: Floats) -> Floats:
    """Return how many distances each one stands for, 0 for all but the powers of 2.

    Intervals take as long as there are cells with a share of the pseudo-row.
    """
    power = 2.0 ** np.floor(np.log2(np.maximum(far, 1)))
    return np.where(far == power, power, 0)


def pseudo_row(counts: Floats, right_within: float = 0, sizes: Floats | None = None) -> Floats:
    """Return the pseudo-row: one row, spread over the true classes that occur.

    The smaller a class, the larger its share, since a few rows say little of it; `sizes` are those
    of rows with weights. Classes that cannot be wrong get no share, unless no class can: the
    middle one of three classes is never two classes off. Within a class, `pseudo_predictions` has
    the shares.
    """
    n_rows: Floats = counts.sum(axis=-1) if sizes is None else sizes
    fallible = (n_rows > 0) & (distance(counts.shape[-1]).max(axis=-1) > right_within)
    chosen = np.where(fallible.any(axis=-1, keepdims=True), fallible, n_rows > 0)
    shares = shares_of_classes(np.where(chosen, n_rows, 0))
    row: Floats = pseudo_predictions(counts, right_within) * shares[..., None]
    return row


def shares_of_classes(sizes: Array) -> Floats:
    """Return the share of the pseudo-row of each class, ``(..., K)``, inverse to its size.

    These are the shares of the classes in the variance of a mean over them, if rows of all classes
    vary alike.
    """
    occurs = sizes > 0
    smallest = np.where(occurs, sizes, np.inf).min(axis=-1, keepdims=True)
    inverse = ratio(smallest, sizes)
    shares: Floats = inverse / np.maximum(inverse.sum(axis=-1, keepdims=True), 1)
    return shares


@dataclass(frozen=True)
class RowInfluence:
    """What rows, and the pseudo-row of each segment, add to a metric.

    Attributes
    ----------
    values : ndarray, shape (segments,)
        The metric.
    rows : ndarray, shape (rows,)
        The influence of each row.
    mass, sums, squares : ndarray, shape (K, segments)
        The mass of the pseudo-row in each class, and the sums of its influences and their squares.
    """

    values: Floats
    rows: Floats
    mass: Floats
    sums: Floats
    squares: Floats


def row_influence(
    resolved: Resolved, rows: Segments, column: Array, with_pseudo_row: bool
) -> RowInfluence:
    """Return the influence of each row on a metric; all rows count."""
    if resolved.metric.row_terms is not None:
        return _by_terms(resolved, rows, column)
    find: Callable[[Resolved, Segments, Array, bool], RowInfluence]
    find = _by_mean if resolved.metric.score_influence is None else _by_score
    if resolved.metric.skill_of is not None:
        find = _by_skill
    return find(resolved, rows, column, with_pseudo_row)


def _by_skill(
    resolved: Resolved, rows: Segments, proba: Array, with_pseudo_row: bool
) -> RowInfluence:
    """Return the influence of each row on one minus the error over that of a reference.

    The pseudo-row adds to the error alone, as if the reference had its own mean error there.
    """
    metric, options = resolved
    assert metric.skill_of is not None
    name, terms_of_reference = metric.skill_of
    scored = registry[name] if metric is registry[metric.name] else registry[name].fair
    assert scored is not None
    errors = _by_mean(Resolved(scored, {}), rows, proba, with_pseudo_row)
    reference = _centred(terms_of_reference(rows, proba, **options), rows)
    scale, share = 1 / reference.values, errors.values / reference.values
    of_rows = scale[rows.segment] * (share[rows.segment] * reference.rows - errors.rows)
    sums, squares = -scale * errors.sums, scale**2 * errors.squares
    return RowInfluence(1 - share, of_rows, errors.mass, sums, squares)


def _by_terms(resolved: Resolved, rows: Segments, proba: Array) -> RowInfluence:
    """Return the influence of each row on a mean of fitted terms, which has no pseudo-row.

    To first order, a row moves such a mean by its own term alone: the fit is a minimum, so that a
    small change of it changes nothing.
    """
    metric, options = resolved
    assert metric.row_terms is not None
    return _centred(metric.row_terms(rows, proba, **options), rows)


def _centred(terms: Floats, rows: Segments) -> RowInfluence:
    """Return the mean of terms over each segment, and the influences of the rows on it."""
    weights = np.ones(len(terms)) if rows.weights is None else rows.weights
    sums = np.bincount(rows.segment, weights, rows.n_segments)
    weighted = np.where(weights > 0, weights * terms, 0)
    values = np.bincount(rows.segment, weighted, rows.n_segments) / sums
    of_rows = (terms - values[rows.segment]) / sums[rows.segment]
    nothing = np.zeros((rows.n_classes, rows.n_segments))
    return RowInfluence(values, np.where(weights > 0, of_rows, 0), nothing, nothing, nothing)


def _by_mean(
    resolved: Resolved, rows: Segments, column: Array, with_pseudo_row: bool
) -> RowInfluence:
    """Return the influence of each row on a mean; the pseudo-row has the mean loss of guesses."""
    losses = _losses(resolved, rows.codes, column, rows.n_classes)
    n_classes, n_segments = rows.n_classes, rows.n_segments
    weights = np.ones(len(losses)) if rows.weights is None else rows.weights
    sums = np.bincount(rows.segment, weights, n_segments)
    cells = rows.segment * np.int64(n_classes) + rows.codes
    sizes = np.bincount(cells, minlength=n_segments * n_classes).reshape(n_segments, n_classes)
    # by the metric of probabilities, also where the rows have members
    plain = registry.get(resolved.metric.name, resolved.metric)
    assert plain.guesses is not None
    guess_loss = _losses(
        resolved._replace(metric=plain), *plain.guesses(n_classes), n_classes
    ).mean()
    weight = (
        np.bincount(rows.segment, weights**2, n_segments) / sums if with_pseudo_row else 0 * sums
    )
    totals = sums + weight
    values = np.bincount(rows.segment, weights * losses, n_segments) + weight * guess_loss
    values = values / totals
    of_rows = (losses - values[rows.segment]) / totals[rows.segment]
    of_pseudo_row = weight * (guess_loss - values) / totals
    mass = shares_of_classes(sizes).T * with_pseudo_row
    return RowInfluence(values, of_rows, mass, mass * of_pseudo_row, mass * of_pseudo_row**2)


def _losses(resolved: Resolved, codes: Array, column: Array, n_classes: int) -> Floats:
    """Score each row on its own."""
    metric, options = resolved
    assert metric.by_segment is not None
    each = Segments(codes, n_classes, np.arange(len(codes)), len(codes), None)
    return metric.by_segment(each, column, **options)


def _by_score(
    resolved: Resolved, rows: Segments, score: Array, with_pseudo_row: bool
) -> RowInfluence:
    """Return the influence of each row by its class and score."""
    metric, options = resolved
    assert metric.score_influence is not None
    values = np.full(rows.n_segments, np.nan)
    influence = np.full(len(score), np.nan)
    mass, sums, squares = np.zeros((3, rows.n_classes, rows.n_segments))
    for numbers, place, ranked in ranked_blocks(rows, score):
        table, sizes = ranked.table().astype(float), ranked.sizes
        row = pseudo_row_of_scores(table, sizes) if with_pseudo_row else np.zeros(table.shape)
        mass[:, numbers] = row.sum(axis=-1)
        sizes = sizes + mass[:, numbers]
        values[numbers], each = metric.score_influence(table + row, sizes, **options)
        influence[place] = each[ranked.codes, ranked.segment, ranked.values()]
        sums[:, numbers] = (row * each).sum(axis=-1, where=row > 0)
        squares[:, numbers] = (row * each**2).sum(axis=-1, where=row > 0)
    return RowInfluence(values, influence, mass, sums, squares)


def pseudo_row_of_scores(table: Floats, sizes: Floats) -> Floats:
    """Return the pseudo-row of a metric of scores, ``(K, segments, values)``.

    It takes its scores from the classes that occur, more from smaller ones. `pseudo_predictions`
    has the shares of the true classes, given the class of the score.
    """
    near = pseudo_predictions(sizes.T[:, :, None] * np.eye(len(sizes)))
    near = near * shares_of_classes(sizes.T)[:, :, None]
    row: Floats = np.einsum("skc,csv->ksv", near, ratio(table, sizes[:, :, None]))
    return row


CountMetric: TypeAlias = Callable[[Floats], Any]
"""A metric of counts ``(batch, K, K)`` with its options."""

EXACT = 1e9


class Influence(NamedTuple):
    """The values of a metric ``(batch,)``, and the influence of each cell ``(batch, K, K)``."""

    values: Floats
    by_cell: Floats


def centre(by_cell: Floats, counts: Floats) -> Floats:
    """Return influences of cells with a mean of 0 over the rows of each table."""
    means = (counts * by_cell).sum(axis=(1, 2)) / counts.sum(axis=(1, 2))
    return np.asarray(by_cell - means[:, None, None])


@explains_arguments
def influence(kernel: Callable[..., Any], *arrays: npt.ArrayLike, **options: Any) -> Floats:
    """Return the influence of a row in each cell of a confusion matrix, or of each row.

    Parameters
    ----------
    kernel : callable
        A kernel such as ``po.metrics.oci``, or your own function of counts ``(..., K, K)``.
    *arrays : array_like
        The arrays that the kernel takes: counts ``(..., K, K)`` with true classes on axis -2; true
        classes, scores and the number of classes; or true classes and probabilities.
    **options
        Options of the kernel, including `sample_weight` if it takes rows.

    Returns
    -------
    ndarray, shape (..., K, K) or (..., n)
        The influence of a row in each cell, 0 in cells without rows; or of each row, 0 for rows
        that do not count. The mean over all rows is 0. NaN where the metric is undefined without
        the row.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, or if there is no rule for a metric of
        scores or probabilities. There is one for `vus`, `u_pairs`, `u_ovo`, `u_cons`, `rps`,
        `rps_skill`, `brier`, `log_loss`, and the parts of `rps` and `log_loss`.

    Notes
    -----
    For a cell of count c in a matrix n of N rows, the influence is ``(N - w) / N * (f(n) - f(n
    without w rows of the cell)) / w`` with ``w = min(1, c)``, minus its mean over the rows. The
    standard error of a metric is ``sqrt(N / (N - 1) * sum(n * influence ** 2))``, which is that of
    the jackknife.

    For metrics of scores, it is the derivative with respect to the weight of the row. For `vus`,
    that is the placement of the row minus the volume, divided by the size of its class; the
    placement is the share of the sequences through the row that ascend.

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
        raise TypeError(f"{brief(kernel)} is not a kernel: give one such as po.metrics.oci")
    named = metric_of_kernel(kernel)
    if named is not None and named.metric.of_rows:
        return _of_rows(named, arrays, options)
    wrong = ValueError(
        "a metric of counts takes one array of counts (..., K, K), and must return one number per "
        "matrix"
    )
    if len(arrays) != 1 or (named is not None and named.metric.output):
        raise wrong
    (counts,) = arrays
    matrices = plain_array("counts", counts, float)
    kernel(matrices, **options)  # raises for wrong counts and options
    refuse_other_than_counts(matrices)
    if named is not None and named.metric.of_fractions is not None:
        kernel, options = named.metric.of_fractions, {**named.options, **options}

    value = functools.partial(kernel, **options)
    if matrices.ndim < 2 or 0 in matrices.shape[-2:]:
        raise wrong
    flat = matrices.reshape(-1, *matrices.shape[-2:])
    if plain_array("the result of the kernel", value(flat), float).shape != flat.shape[:1]:
        raise wrong
    (result,) = influences({"": value}, flat).values()
    return result.by_cell.reshape(matrices.shape)


def _of_rows(named: Resolved, arrays: Sequence[npt.ArrayLike], options: dict[str, Any]) -> Floats:
    """Return the influence of each row on a metric of scores or probabilities."""
    metric = named.metric
    if not metric.has_influence:
        raise ValueError(f"there is no rule for the influence of a row on {metric.name}")
    bound = inspect.signature(metric.kernel).bind(*arrays, **{**named.options, **options})
    given = bound.arguments
    names = {option.name for option in metric.options}
    options = {name: given.pop(name) for name in names & given.keys()}
    metric.kernel(**given, **options)  # raises for wrong rows and options
    if metric.takes == "proba":
        of_kernel = given["true"], given["proba"], given.get("sample_weight")
        rows, proba, leading = flat_probabilities(*of_kernel)
        options = with_reference_by_row(options, *of_kernel)
        column = proba[:]
    else:
        score = as_scores("score", given["score"])
        rows, (column,), leading = flatten_to_segments(
            given["true"], given["n_classes"], given.get("sample_weight"), score
        )
    result = np.zeros(len(rows.codes))
    counted, (column, place) = rows.counted(column, np.arange(len(rows.codes)))
    with np.errstate(all="ignore"):
        resolved = Resolved(metric, options).of_rows(place)
        influence = row_influence(resolved, counted, column, with_pseudo_row=False)
    result[place] = influence.rows
    return result.reshape(*leading, np.shape(given["true"])[-1])


def influences(
    values: Mapping[str, CountMetric], counts: Floats, *, centred: bool = True
) -> dict[str, Influence]:
    """Return each metric of tables ``(batch, K, K)``, and the influence of each cell on it."""
    batch, n_classes, _ = counts.shape
    flat = counts.reshape(batch, n_classes**2)
    full = {name: np.asarray(value(counts), float) for name, value in values.items()}
    sums = flat.sum(axis=1)
    table, cell = np.nonzero(flat)
    occupied = flat[table, cell]
    weight = _left_out(occupied, sums[table])
    each = {name: np.empty(len(table)) for name in values}
    with np.errstate(all="ignore"):
        for block, names, left in _blocks_left_out(values, counts, table, cell, weight):
            left_sums = sums[table[block]] - weight[block]
            share = left_sums / sums[table[block]] / weight[block]
            for name in names:
                changed = full[name][table[block]] - of_checked(values[name], left, left_sums)
                each[name][block] = share * changed
        for one in each.values() if centred else ():
            one -= (np.bincount(table, occupied * one, batch) / sums)[table]
    return {
        name: Influence(full[name], _spread(each.pop(name), flat > 0).reshape(counts.shape))
        for name in values
    }


def _spread(values: Floats, occupied: Array) -> Floats:
    """Put values into the cells that have rows, and 0 into the others."""
    spread = np.zeros(occupied.shape)
    spread[occupied] = values
    return spread


def _left_out(counts: Floats, sums: Floats) -> Floats:
    """Return how many rows of each cell to leave out: one, a fraction if a cell holds less.

    In very large tables it is more, since the effect of a single row would drown in rounding.
    """
    most = np.where(sums > EXACT, np.maximum(1, sums / EXACT * 1000), 1)
    return np.minimum(most, counts)


def _blocks_left_out(
    values: Mapping[str, CountMetric],
    counts: Floats,
    table: Positions,
    cell: Positions,
    weight: Floats,
) -> Iterator[tuple[slice, list[str], StackLike]]:
    """Yield the metrics of a block of cells, and what they are of: tables without rows of a cell.

    With many classes, most metrics are of `LeftOut`. The others are of copies of the table.
    """
    batch, n_classes, _ = counts.shape
    of_left_out = [name for name, value in values.items() if reads_left_out(value)]
    if n_classes < FEWEST_CLASSES:
        of_left_out = []
    of_copies = [name for name in values if name not in of_left_out]
    if of_left_out:
        starts = np.searchsorted(table, np.arange(batch + 1))
        step = MOST_CELLS_PER_BLOCK // n_classes
        for of, (first, last) in enumerate(itertools.pairwise(starts)):
            for start in range(first, last, step):
                block = slice(start, min(start + step, last))
                true, pred = np.divmod(cell[block], n_classes)
                yield block, of_left_out, LeftOut(counts[of], true, pred, weight[block])
    if of_copies:
        columns = batch_last(counts).reshape(n_classes**2, batch)
        step = block_size(n_classes)
        for start in range(0, len(table), step):
            block = slice(start, start + step)
            left = _without(columns, table[block], cell[block], weight[block])
            yield block, of_copies, left.reshape(n_classes, n_classes, -1)


def _without(columns: Floats, table: Array, cell: Array, weight: Floats) -> Floats:
    """Return tables with the batch last, each without some rows of one cell."""
    left = np.take(columns, table, axis=1)
    left[cell, np.arange(len(table))] -= weight
    return left
