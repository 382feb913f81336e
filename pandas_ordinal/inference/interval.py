"""Intervals of metrics of counts, from their influences, on a scale without bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pandas_ordinal.counting.arrays import Array, Floats, Positions
from pandas_ordinal.inference.influence import (
    Bounds,
    CountMetric,
    Influence,
    df_of_classes,
    df_of_weights,
    influences,
    on_limits,
    pseudo_predictions,
    pseudo_row,
    tolerance_of,
)
from pandas_ordinal.inference.strata import Strata, strata_of
from pandas_ordinal.metrics.metric import Limits
from pandas_ordinal.metrics.stack import block_size


class Interval(NamedTuple):
    """Bounds and standard error of a metric for each table."""

    low: Floats
    high: Floats
    se: Floats


@dataclass(frozen=True)
class Measure:
    """A metric of counts as inference reads it.

    Attributes
    ----------
    value : callable
        The metric, which also takes fractions of rows.
    range : tuple
        Its lowest and its highest value.
    limits : callable or None
        Returns these values for counts ``(batch, K, K)`` and options, if they depend on them.
    options : mapping
        The options of the metric.
    of_a_model : bool
        Whether it measures predictions; otherwise, it has no interval.
    of_class : callable or None
        The metric per class whose extreme value it is.
    is_largest : bool
        Whether it is the largest of these values rather than the smallest.
    is_row_mean : bool
        Whether it is the mean of one value per row.
    right_within : float
        How many classes off the pseudo-row still counts as right.
    """

    value: CountMetric
    range: Bounds
    limits: Limits | None
    options: Mapping[str, Any]
    of_a_model: bool = True
    of_class: CountMetric | None = None
    is_largest: bool = False
    is_row_mean: bool = False
    right_within: float = 0

    def bounds(self, counts: Floats) -> Bounds:
        """Return the lowest and the highest value for counts ``(batch, K, K)``."""
        return self.range if self.limits is None else self.limits(counts, self.options)


@dataclass(frozen=True)
class WeightedTables:
    """Confusion matrices of rows, which may have weights.

    Attributes
    ----------
    counts : ndarray, shape (batch, K, K)
        The sums of the weights, which are scaled to a mean of 1 within each table.
    squares : ndarray, shape (batch, K, K)
        The sums of the squared weights.
    n : ndarray, shape (batch,)
        The number of rows.
    strata : Strata or None
        How many rows there are of each true or predicted class, if the design fixed it.
    """

    counts: Floats
    squares: Floats
    n: Floats
    strata: Strata | None = None

    @property
    def mass(self) -> Floats:
        """The typical weight of a row, ``(batch, 1, 1)``, which the pseudo-row has too."""
        sums = self.squares.sum(axis=(1, 2))
        mass: Floats = np.divide(sums, self.n, out=np.ones(len(self.n)), where=self.n > 0)
        return mass.reshape(-1, 1, 1)

    def smoothed(self, right_within: float) -> WeightedTables:
        """Add a pseudo-row that has the typical weight of a row."""
        mass, row = self.mass, pseudo_row(self.counts, right_within)
        return WeightedTables(
            self.counts + mass * row, self.squares + mass**2 * row, self.n + 1,
            None if self.strata is None else self.strata.with_row(row),
        )  # fmt: skip

    def variances(self, influence: Floats) -> Floats:
        """Return what the rows of each true class, or stratum, add to the variance of a metric."""
        if self.strata is not None:
            return self.strata.variances(self.counts, self.squares, influence)
        squares: Floats = (self.squares * influence**2).sum(axis=2)
        return np.asarray((self.n / (self.n - 1))[:, None] * squares)

    def sizes(self) -> Floats:
        """Return how many rows these are: rows of equal weights that say as much."""
        if self.strata is not None:
            return self.strata.sizes
        sums, squares = self.counts.sum(axis=2), self.squares.sum(axis=2)
        return np.divide(sums**2, squares, out=np.zeros_like(sums), where=squares > 0)

    def df(self) -> Floats:
        """Return the degrees of freedom of all rows."""
        return df_of_weights(self.n, self.squares.sum(axis=(1, 2)))


def tables_of(
    counts: Array, *, norms: Array | None = None, rows: Array | None = None,
    strata: str | None = None,
) -> WeightedTables:  # fmt: skip
    """Return tables of counts, or of sums of weights with their norms and numbers of rows.

    The norm of weights is the root of the sum of their squares. These squares themselves might
    exceed the range of floats.
    """
    floats = counts.astype(float)
    in_rows = floats if rows is None else rows.astype(float)
    fixed = None if strata is None else strata_of(in_rows, strata)
    n = in_rows.sum(axis=(1, 2))
    if norms is None:
        return WeightedTables(floats, floats, n, fixed)
    sums = floats.sum(axis=(1, 2))
    scale = np.divide(n, sums, out=np.ones(len(sums)), where=sums > 0)[:, None, None]
    with np.errstate(under="ignore"):  # such weights count as none next to others
        return WeightedTables(floats * scale, (norms * scale) ** 2, n, fixed)


def intervals(
    measures: Mapping[str, Measure],
    tables: WeightedTables,
    estimates: Mapping[str, Floats],
    level: float,
) -> dict[str, Interval]:
    """Return an interval of each metric, around its estimates, for each table."""
    results: dict[str, Interval] = {}
    smooth = _smooth(measures)
    extreme = {name: m for name, m in measures.items() if m.of_class is not None}
    with np.errstate(all="ignore"):
        df, sizes = tables.df(), tables.counts.sum(axis=2)
        survives_loss = ((sizes == 0) | (sizes >= 2)).all(axis=1)
        several_classes = ((sizes > 0).sum(axis=1) >= 2) | (tables.counts.shape[-1] < 2)
        undefined = (tables.n < 2) | ~((df >= 1) & (df < np.inf))
        for right_within, alike in by_pseudo_row(smooth).items():
            smoothed = tables.smoothed(right_within)
            influence = influences({n: m.value for n, m in alike.items()}, smoothed.counts)
            for name, measure in alike.items():
                pair = _pair(measure, tables, smoothed, influence[name], estimates[name], level)
                results[name] = hull(
                    *pair, estimates[name], measure.bounds(tables.counts),
                    survives_loss=survives_loss | measure.is_row_mean,
                    several_classes=several_classes, undefined=undefined,
                )  # fmt: skip
        if extreme and _counts_rows(tables):
            results |= extremes(extreme, tables, estimates, level)
    nothing = Interval(*np.full((3, len(tables.n)), np.nan))
    return {name: results.get(name, nothing) for name in measures}


def _pair(
    measure: Measure,
    tables: WeightedTables,
    smoothed: WeightedTables,
    influence: Influence,
    estimate: Floats,
    level: float,
) -> tuple[Interval, Interval]:
    """Return an interval around the estimate, and one around the value with a pseudo-row.

    Both have the influences that rows have next to the pseudo-row, the former without its own.
    Where the metric is undefined with the pseudo-row, the influences are those of the rows alone.
    """
    sums, all_sums = (each.counts.sum(axis=(1, 2)) for each in (tables, smoothed))
    means = (tables.counts * influence.by_cell).sum(axis=(1, 2)) / sums
    own = (all_sums / sums)[:, None, None] * (influence.by_cell - means[:, None, None])
    variances = smoothed.variances(influence.by_cell)
    alone = np.isfinite(estimate) & ~np.isfinite(own).all(axis=(1, 2))
    if alone.any():
        own[alone] = influences({"": measure.value}, tables.counts[alone])[""].by_cell
        variances[alone] = tables.variances(own)[alone]
    t = quantile(df_of_classes(variances, smoothed.sizes(), tables.df()), level)
    se = np.sqrt(tables.variances(own).sum(axis=1))
    se_of_all = np.where(alone, np.nan, np.sqrt(variances.sum(axis=1)))
    limits = measure.bounds(tables.counts)
    return (
        Interval(*to_interval(estimate, se, t, limits), se),
        Interval(*to_interval(influence.values, se_of_all, t, limits), se_of_all),
    )


def _smooth(measures: Mapping[str, Measure]) -> dict[str, Measure]:
    """Return the metrics that have influences: not extremes, nor those of the truth alone."""
    return {name: m for name, m in measures.items() if m.of_a_model and m.of_class is None}


def by_pseudo_row(measures: Mapping[str, Measure]) -> dict[float, dict[str, Measure]]:
    """Group metrics by their pseudo-row, which depends on how many classes off is still right."""
    groups: dict[float, dict[str, Measure]] = {}
    for name, measure in measures.items():
        groups.setdefault(measure.right_within, {})[name] = measure
    return groups


def _counts_rows(tables: WeightedTables) -> bool:
    """Return whether rows have no weights and are not drawn by class."""
    return tables.squares is tables.counts and tables.strata is None


def quantile(df: Floats, level: float | Floats) -> Floats:
    """Return how many standard errors an interval extends to each side, by Student's t."""
    from scipy.special import stdtrit  # slow to import, and not needed elsewhere

    both = np.maximum(df, 1) + 1j * np.asarray(level)
    pairs, place = np.unique(both, return_inverse=True)  # stdtrit is slow, and few pairs differ
    t = stdtrit(pairs.real, (1 + pairs.imag) / 2)[place].reshape(both.shape)
    return np.where(df >= 1, t, np.nan)


def to_interval(values: Floats, se: Floats, t: Floats, limits: Bounds) -> tuple[Floats, Floats]:
    """Return the bounds that lie t standard errors to each side of a metric's values.

    They are found on the logit scale for a metric with two limits, and on the scale of the log
    distance to the limit for one with a single limit. The scale of a value outside its range is
    not changed; for a value on a limit, the interval is cut off there.
    """
    values = on_limits(values, limits)
    lowest, highest = np.broadcast_arrays(*limits, values)[:2]
    se = np.where(se <= tolerance_of(values, limits), 0, se)  # next to a limit, it would grow
    has_low, has_high = np.isfinite(lowest), np.isfinite(highest)
    inside = (values > lowest) & (values < highest)
    from_low, from_high = values - lowest, highest - values
    low, high = values - t * se, values + t * se
    # the distance to a limit is multiplied or divided by `step` to reach the ends of the interval
    both = has_low & has_high & inside
    if both.any():
        span, odds = highest - lowest, from_low / from_high
        step = np.exp(t * se / (from_low * from_high) * span)
        low = np.where(both, highest - span / (1 + odds / step), low)
        high = np.where(both, highest - span / (1 + odds * step), high)
    below = has_high & ~has_low & inside
    if below.any():
        step = np.exp(t * se / from_high)
        low = np.where(below, highest - from_high * step, low)
        high = np.where(below, highest - from_high / step, high)
    above = has_low & ~has_high & inside
    if above.any():
        step = np.exp(t * se / from_low)
        low = np.where(above, lowest + from_low / step, low)
        high = np.where(above, lowest + from_low * step, high)
    on_limit_or_inside = (values >= lowest) & (values <= highest)
    low = np.where(on_limit_or_inside, np.maximum(low, lowest), low)
    high = np.where(on_limit_or_inside, np.minimum(high, highest), high)
    return low, high


def hull(
    plain: Interval,
    smoothed: Interval,
    estimate: Floats,
    limits: Bounds,
    *,
    survives_loss: Array,
    several_classes: Array,
    undefined: Array,
) -> Interval:
    """Return the smallest interval that holds both intervals and the estimate.

    Parameters
    ----------
    plain, smoothed : Interval
        The interval without a pseudo-row, and with one.
    estimate : ndarray
        The value of the metric.
    limits : tuple
        Its lowest and its highest value.
    survives_loss : ndarray of bool
        Whether no class disappears with a single row, which the plain interval requires.
    several_classes : ndarray of bool
        Whether more than one class occurs; otherwise, zero width is not informative.
    undefined : ndarray of bool
        Where there are too few rows for an interval.
    """
    tolerance = tolerance_of(estimate, limits)
    use_plain = (plain.se > tolerance) & (plain.se < np.inf) & survives_loss
    use_smoothed = np.isfinite(smoothed.se)
    use_plain |= ~use_smoothed & np.isfinite(plain.se)
    low, high = estimate, estimate
    for is_used, interval in ((use_plain, plain), (use_smoothed, smoothed)):
        low = np.fmin(low, np.where(is_used, interval.low, np.nan))
        high = np.fmax(high, np.where(is_used, interval.high, np.nan))
    undefined = undefined | ~np.isfinite(estimate) | ~(use_plain | use_smoothed)
    se = np.where(use_smoothed, smoothed.se, plain.se)
    undefined = undefined | ((se <= tolerance) & ~several_classes)
    low, high = (
        on_limits(np.where(np.abs(end - estimate) <= tolerance, estimate, end), limits)
        for end in (low, high)
    )
    se = np.where(se <= tolerance, 0, se)
    return Interval(*(np.where(undefined, np.nan, part) for part in (low, high, se)))


def extremes(
    measures: Mapping[str, Measure],
    tables: WeightedTables,
    estimates: Mapping[str, Floats],
    level: float,
) -> dict[str, Interval]:
    """Return the intervals of extremes over the classes, from an interval of each class."""
    n_present = (tables.counts.sum(axis=2) > 0).sum(axis=1)
    of_all = 1 - (1 - level) / n_present[:, None]
    nothing = np.full(len(n_present), np.nan)
    results = {}
    for name, measure in measures.items():
        assert measure.of_class is not None
        low, high = intervals_of_classes(measure.of_class, tables.counts, level)
        strict_low, strict_high = intervals_of_classes(measure.of_class, tables.counts, of_all)
        if measure.is_largest:
            low, high = _largest(strict_low), _largest(high)
        else:
            low, high = -_largest(-low), -_largest(-strict_high)
        low, high = np.fmin(low, estimates[name]), np.fmax(high, estimates[name])
        undefined = ~np.isfinite(estimates[name]) | (tables.n < 2)
        low, high = (np.where(undefined, np.nan, end) for end in (low, high))
        results[name] = Interval(low, high, nothing)
    return results


def _largest(ends: Floats) -> Floats:
    """Return the largest end of each table; NaN stands for an absent class."""
    largest: Floats = np.fmax.reduce(ends, axis=1)
    return largest


class ClassMeans(NamedTuple):
    """A metric per class that is a mean over its rows, with one pseudo-row in each class.

    Attributes
    ----------
    costs : ndarray, shape (K, K)
        The value of a row of each true class by its predicted class.
    pseudo : ndarray, shape (batch, K, K)
        How the pseudo-row of each true class is predicted, as shares.
    sizes, means, squares : ndarray, shape (batch, K)
        The number of rows of each class, without the pseudo-row; the mean over rows and
        pseudo-row, and the sum of the squared distances to it.
    """

    costs: Floats
    pseudo: Floats
    sizes: Floats
    means: Floats
    squares: Floats


def class_means(of_class: CountMetric, counts: Floats) -> ClassMeans:
    """Return a metric per class that is a mean over its rows, given counts ``(batch, K, K)``."""
    n_classes, sizes = counts.shape[-1], counts.sum(axis=2)
    pseudo = pseudo_predictions(counts)
    smoothed = counts + pseudo
    # one row of each class, all predicted alike: classes do not depend on one another
    alike = np.eye(n_classes)[:, None, :].repeat(n_classes, axis=1)
    costs = of_class(alike).T
    means = (smoothed * costs).sum(axis=2) / (sizes + 1)
    squares = (smoothed * (costs - means[:, :, None]) ** 2).sum(axis=2)
    return ClassMeans(costs, pseudo, sizes, means, squares)


def intervals_of_classes(
    of_class: CountMetric, counts: Floats, level: float | Floats
) -> tuple[Floats, Floats]:
    """Return the bounds of a metric per class that is a mean over its rows, ``(batch, K)``.

    Each class has its own pseudo-row. Its bounds stay in the range of the class, which is also the
    interval of a class with a single row. A class without rows has NaN.
    """
    costs, _, sizes, means, squares = class_means(of_class, counts)
    t = quantile(sizes - 1, level)
    limits = costs.min(axis=1), costs.max(axis=1)
    with np.errstate(all="ignore"):
        ends = to_interval(means, np.sqrt(squares / ((sizes + 1) * sizes)), t, limits)
    low, high = (
        np.where(sizes > 1, end, np.where(sizes == 1, limit, np.nan))
        for end, limit in zip(ends, limits, strict=True)
    )
    return low, high


MOST_LEFT_OUT = 50


class ClusterTables(NamedTuple):
    """Confusion matrices of all rows, and of the rows of each cluster.

    Attributes
    ----------
    tables : WeightedTables
        The tables of all rows.
    clusters : ndarray, shape (clusters, K, K)
        The counts of the rows in each cluster, or the sums of their scaled weights.
    table : ndarray, shape (clusters,)
        The number of the table that each cluster belongs to, in ascending order.
    """

    tables: WeightedTables
    clusters: Array
    table: Positions


def cluster_tables(
    counts: Array, clusters: Array, table: Positions, *, norms: Array | None = None,
    rows: Array | None = None,
) -> ClusterTables:  # fmt: skip
    """Return tables of counts, or of sums of weights, with those of the clusters.

    Sums of weights may lack the norms and the numbers of rows. There is at least one row in each
    cell of a cluster that is not empty: so many rows are assumed, all with the mean weight.
    """
    if counts.dtype.kind != "f":
        return ClusterTables(tables_of(counts), clusters, table)
    if rows is None:
        rows = np.zeros(counts.shape)
        np.add.at(rows, table, clusters > 0)
    tables = tables_of(counts, norms=counts if norms is None else norms, rows=rows)
    sums = counts.sum(axis=(1, 2))
    scale = np.divide(tables.n, sums, out=np.ones(len(sums)), where=sums > 0)
    clusters = clusters * scale[table][:, None, None]
    # a cell of a single cluster is then empty without it, in spite of rounding
    totals = np.zeros(counts.shape)
    np.add.at(totals, table, clusters)
    squares = totals if norms is None else tables.squares
    return ClusterTables(WeightedTables(totals, squares, tables.n), clusters, table)


def intervals_by_cluster(
    measures: Mapping[str, Measure],
    design: ClusterTables,
    estimates: Mapping[str, Floats],
    level: float,
) -> dict[str, Interval]:
    """Return an interval of each metric, around its estimates, for each table of clusters."""
    counts, mass, table = design.tables.counts, design.tables.mass, design.table
    several_classes = (counts.sum(axis=2) > 0).sum(axis=1) >= min(2, counts.shape[-1])
    n_clusters = np.bincount(table, minlength=len(counts)).astype(float)
    smooth = _smooth(measures)
    nothing = np.full(len(counts), np.nan)
    results = {name: Interval(nothing, nothing, nothing) for name in measures}
    with np.errstate(all="ignore"):
        t = quantile(n_clusters - 1, level)
        for right_within, alike in by_pseudo_row(smooth).items():
            row = mass * pseudo_row(counts, right_within)
            smoothed = counts + row
            values = {name: measure.value for name, measure in alike.items()}
            influence = influences(values, smoothed, centred=False)
            for name, measure in alike.items():
                full, by_cell = influence[name]
                changes = changes_by_cluster(
                    measure.value, influence[name], counts, row, design.clusters, table
                )
                mean = (smoothed * by_cell).sum(axis=(1, 2)) / smoothed.sum(axis=(1, 2))
                of_row = (mass * row * (by_cell - mean[:, None, None]) ** 2).sum(axis=(1, 2))
                sums = np.bincount(table, changes**2, minlength=len(counts))
                se = np.sqrt((n_clusters - 1) / n_clusters * sums + of_row)
                limits, estimate = measure.bounds(smoothed), estimates[name]
                low, high = to_interval(full, se, t, limits)
                low, high = np.minimum(low, estimate), np.maximum(high, estimate)
                ends = on_limits(low, limits), on_limits(high, limits), se
                undefined = (n_clusters < 2) | ~np.isfinite(estimate) | ~(mass[:, 0, 0] > 0)
                undefined |= (se <= tolerance_of(estimate, limits)) & ~several_classes
                results[name] = Interval(*(np.where(undefined, np.nan, end) for end in ends))
    return results


def changes_by_cluster(
    value: CountMetric,
    influence: Influence,
    counts: Array,
    row: Floats,
    clusters: Array,
    table: Positions,
) -> Floats:
    """Return how a metric changes when each cluster is left out.

    This is exact for tables with few clusters. For others, it adds up the influences of the rows,
    which must not be centred.
    """
    few = np.bincount(table, minlength=len(counts)) <= MOST_LEFT_OUT
    full, by_cell = influence
    sums = counts.sum(axis=(1, 2))
    changes = np.empty(len(clusters))
    step = block_size(counts.shape[-1])
    for start in range(0, len(clusters), step):
        part, of = clusters[start : start + step], table[start : start + step]
        share = 1 - part.sum(axis=(1, 2)) / sums[of]
        each = np.einsum("grc,grc->g", part, by_cell[of]) / share
        if few[of].any():
            exact, table_of = few[of], of[few[of]]
            left = counts[table_of] - part[exact] + row[table_of]
            each[exact] = full[table_of] - np.asarray(value(left), float)
        changes[start : start + step] = each
    return changes
