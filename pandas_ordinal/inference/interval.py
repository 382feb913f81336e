"""Intervals of metrics of counts: by their influences, on a scale where they have no bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pandas_ordinal.counting.arrays import Array, Floats, Positions
from pandas_ordinal.inference.influence import (
    Influence,
    Range,
    Value,
    conditional,
    freedom_of,
    influences,
    noise_of,
    on_limits,
    pseudo_row,
)
from pandas_ordinal.metrics.metric import Limits
from pandas_ordinal.metrics.stack import block_size


class Interval(NamedTuple):
    """Bounds and standard error of a metric, one for each table."""

    low: Floats
    high: Floats
    se: Floats


@dataclass(frozen=True)
class Measure:
    """A metric of counts as inference reads it.

    Attributes
    ----------
    value : callable
        The metric, of fractions of rows too.
    range : tuple
        Its lowest and its highest value.
    limits : callable or None
        What these are for counts ``(batch, K, K)`` and options, where `range` cannot say it.
    options : mapping
        The options of the metric.
    of_a_model : bool
        Whether it measures predictions; there is no interval otherwise.
    of_class : callable or None
        The metric a class whose extreme it is.
    is_largest : bool
        Whether that extreme is the largest one.
    is_row_mean : bool
        Whether it is the mean over the rows of what each row scores.
    right_within : float
        How many classes off is still right, for the pseudo-row.
    """

    value: Value
    range: Range
    limits: Limits | None
    options: Mapping[str, Any]
    of_a_model: bool = True
    of_class: Value | None = None
    is_largest: bool = False
    is_row_mean: bool = False
    right_within: float = 0

    def bounds(self, counts: Floats) -> Range:
        """Return the lowest and the highest value for counts ``(batch, K, K)``."""
        return self.range if self.limits is None else self.limits(counts, self.options)


@dataclass(frozen=True)
class Tables:
    """Tables of rows that may be weighted.

    Attributes
    ----------
    counts : ndarray, shape (batch, K, K)
        The weights of the rows, scaled to a mean of 1 within each table.
    squares : ndarray, shape (batch, K, K)
        Their squares.
    n : ndarray, shape (batch,)
        The number of rows.
    by_class : bool
        Whether the sizes of the true classes are fixed.
    """

    counts: Floats
    squares: Floats
    n: Floats
    by_class: bool

    def smoothed(self, right_within: float) -> Tables:
        """Add a pseudo-row, which weighs what rows do."""
        mass = np.divide(
            self.squares.sum(axis=(1, 2)), self.n, out=np.ones(len(self.n)), where=self.n > 0
        )[:, None, None]
        row = pseudo_row(self.counts, right_within)
        return Tables(
            self.counts + mass * row, self.squares + mass**2 * row, self.n + 1, self.by_class
        )

    def variance(self, added: Floats) -> Floats:
        """Return the variance of a metric to which rows add that much."""
        if not self.by_class:
            return np.asarray(self.n / (self.n - 1) * (self.squares * added**2).sum(axis=(1, 2)))
        sizes = self.counts.sum(axis=2)
        sums = (self.counts * added).sum(axis=2)
        means = np.divide(sums, sizes, out=np.zeros_like(sums), where=sizes > 0)
        within = (self.counts * (added - means[:, :, None]) ** 2).sum(axis=2)
        variance: Floats = (sizes / np.maximum(sizes - 1, 0.5) * within).sum(axis=1)
        return variance

    def freedom(self) -> Floats:
        """Return the degrees of freedom."""
        return freedom_of(self.n, self.squares.sum(axis=(1, 2)))


def tables_of(
    counts: Array, *, norms: Array | None = None, n: Array | None = None, by_class: bool = False
) -> Tables:
    """Return tables of counts, or of sums of weights, their norms and numbers of rows.

    The norm of weights is the root of the sum of their squares, which may exceed what floats hold.
    """
    floats = counts.astype(float)
    if norms is None or n is None:
        return Tables(floats, floats, floats.sum(axis=(1, 2)), by_class)
    sums = floats.sum(axis=(1, 2))
    scale = np.divide(n, sums, out=np.ones(len(sums)), where=sums > 0)[:, None, None]
    return Tables(floats * scale, (norms * scale) ** 2, n.astype(float), by_class)


def intervals(
    measures: Mapping[str, Measure], tables: Tables, estimates: Mapping[str, Floats], level: float
) -> dict[str, Interval]:
    """Return an interval of each metric, around its estimates, for each table."""
    found: dict[str, Interval] = {}
    smooth = {name: one for name, one in measures.items() if one.of_a_model and not one.of_class}
    extreme = {name: one for name, one in measures.items() if one.of_class is not None}
    with np.errstate(all="ignore"):
        freedom, sizes = tables.freedom(), tables.counts.sum(axis=2)
        t = quantile(freedom, level)
        losable = ((sizes == 0) | (sizes >= 2)).all(axis=1)
        several = ((sizes > 0).sum(axis=1) >= 2) | (tables.counts.shape[-1] < 2)
        lost = (tables.n < 2) | ~((freedom >= 1) & (freedom < np.inf))
        plain = _by_influence(smooth, tables, t)
        for right_within, alike in by_pseudo_row(smooth).items():
            added = _by_influence(alike, tables.smoothed(right_within), t)
            for name, one in alike.items():
                found[name] = join(
                    plain[name], added[name], estimates[name], one.bounds(tables.counts),
                    losable=losable | one.is_row_mean, several=several, lost=lost,
                )  # fmt: skip
        if extreme and _counts_rows(tables):
            found |= extremes(extreme, tables, estimates, level)
    nothing = Interval(*np.full((3, len(tables.n)), np.nan))
    return {name: found.get(name, nothing) for name in measures}


def by_pseudo_row(measures: Mapping[str, Measure]) -> dict[float, dict[str, Measure]]:
    """Part metrics by the pseudo-row that they have: by what is still right for them."""
    parts: dict[float, dict[str, Measure]] = {}
    for name, one in measures.items():
        parts.setdefault(one.right_within, {})[name] = one
    return parts


def _counts_rows(tables: Tables) -> bool:
    """Tell whether rows are neither weighted nor drawn by class."""
    return tables.squares is tables.counts and not tables.by_class


def _by_influence(
    measures: Mapping[str, Measure], tables: Tables, t: Floats
) -> dict[str, Interval]:
    influence = influences({name: one.value for name, one in measures.items()}, tables.counts)
    found = {}
    for name, (values, added) in influence.items():
        se = np.sqrt(tables.variance(added))
        low, high = to_interval(values, se, t, measures[name].bounds(tables.counts))
        found[name] = Interval(low, high, se)
    return found


def quantile(freedom: Floats, level: float | Floats) -> Floats:
    """Return how many standard errors an interval extends to each side, by Student's t."""
    from scipy.special import stdtrit  # of use here only, and slow to import

    both = np.maximum(freedom, 1) + 1j * np.asarray(level)
    pairs, place = np.unique(both, return_inverse=True)  # few, and stdtrit is slow
    t = stdtrit(pairs.real, (1 + pairs.imag) / 2)[place].reshape(both.shape)
    return np.where(freedom >= 1, t, np.nan)


def to_interval(values: Floats, se: Floats, t: Floats, limits: Range) -> tuple[Floats, Floats]:
    """Return the bounds that a standard error gives, so many of them to each side.

    On the scale of the logit for a metric with two limits, of the logarithm of the distance for
    one with one. As it is for a value outside its range, and cut off at the limit for one on it.
    """
    values = on_limits(values, limits)
    lowest, highest = np.broadcast_arrays(*limits, values)[:2]
    se = np.where(se <= noise_of(values, limits), 0, se)  # next to a limit, it would be large
    has_low, has_high = np.isfinite(lowest), np.isfinite(highest)
    inside = (values > lowest) & (values < highest)
    from_low, from_high = values - lowest, highest - values
    low, high = values - t * se, values + t * se
    # what the distance to each limit is multiplied by, at the ends of the interval
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


def join(
    plain: Interval,
    added: Interval,
    estimate: Floats,
    limits: Range,
    *,
    losable: Array,
    several: Array,
    lost: Array,
) -> Interval:
    """Join the interval with a pseudo-row, the one without, and the estimate.

    Parameters
    ----------
    plain, added : Interval
        The interval without a pseudo-row, and with one.
    estimate : ndarray
        What both are about.
    limits : tuple
        Its lowest and its highest value.
    losable : ndarray of bool
        Whether the metric stays what it is without any one row, as the plain interval presumes.
    several : ndarray of bool
        Whether more than one class occurs, so that an interval without width means something.
    lost : ndarray of bool
        Where there are too few rows for an interval.
    """
    noise = noise_of(estimate, limits)
    use_plain = (plain.se > noise) & (plain.se < np.inf) & losable
    use_added = np.isfinite(added.se)
    use_plain |= ~use_added & np.isfinite(plain.se)
    low, high = estimate, estimate
    for used, one in ((use_plain, plain), (use_added, added)):
        low = np.fmin(low, np.where(used, one.low, np.nan))
        high = np.fmax(high, np.where(used, one.high, np.nan))
    lost = lost | ~np.isfinite(estimate) | ~(use_plain | use_added)
    se = np.where(use_added, added.se, plain.se)
    lost = lost | ((se <= noise) & ~several)
    low, high = (
        on_limits(np.where(np.abs(end - estimate) <= noise, estimate, end), limits)
        for end in (low, high)
    )
    se = np.where(se <= noise, 0, se)
    return Interval(*(np.where(lost, np.nan, one) for one in (low, high, se)))


def extremes(
    measures: Mapping[str, Measure], tables: Tables, estimates: Mapping[str, Floats], level: float
) -> dict[str, Interval]:
    """Return the intervals of extremes of metrics of classes, from the intervals of each class."""
    n_present = (tables.counts.sum(axis=2) > 0).sum(axis=1)
    of_all = 1 - (1 - level) / n_present[:, None]
    nothing = np.full(len(n_present), np.nan)
    found = {}
    for name, one in measures.items():
        assert one.of_class is not None
        low, high = intervals_of_classes(one.of_class, tables.counts, level)
        strict_low, strict_high = intervals_of_classes(one.of_class, tables.counts, of_all)
        if one.is_largest:
            low, high = _largest(strict_low), _largest(high)
        else:
            low, high = -_largest(-low), -_largest(-strict_high)
        low, high = np.fmin(low, estimates[name]), np.fmax(high, estimates[name])
        lost = ~np.isfinite(estimates[name]) | (tables.n < 2)
        low, high = (np.where(lost, np.nan, end) for end in (low, high))
        found[name] = Interval(low, high, nothing)
    return found


def _largest(ends: Floats) -> Floats:
    """Return the largest of the ends of each table; NaN stands for a class that is absent."""
    largest: Floats = np.fmax.reduce(ends, axis=1)
    return largest


def intervals_of_classes(
    of_class: Value, counts: Floats, level: float | Floats
) -> tuple[Floats, Floats]:
    """Return the bounds of a metric of each class, a mean over its rows, ``(batch, K)``.

    Each class has a pseudo-row of its own, and keeps to its range, which is that of a class with a
    single row. NaN for a class without rows.
    """
    n_classes, sizes = counts.shape[-1], counts.sum(axis=2)
    smoothed = counts + conditional(counts)
    t = quantile(sizes - 1, level)
    single = np.eye(n_classes**2).reshape(-1, n_classes, n_classes)
    classes = np.repeat(np.arange(n_classes), n_classes)
    costs = of_class(single)[np.arange(n_classes**2), classes].reshape(n_classes, n_classes)
    means = (smoothed * costs).sum(axis=2) / (sizes + 1)
    squares = (smoothed * (costs - means[:, :, None]) ** 2).sum(axis=2)
    limits = costs.min(axis=1), costs.max(axis=1)
    with np.errstate(all="ignore"):
        ends = to_interval(means, np.sqrt(squares / ((sizes + 1) * sizes)), t, limits)
    low, high = (
        np.where(sizes > 1, end, np.where(sizes == 1, limit, np.nan))
        for end, limit in zip(ends, limits, strict=True)
    )
    return low, high


MOST_LEFT_OUT = 50


def intervals_by_cluster(
    measures: Mapping[str, Measure],
    counts: Array,
    clusters: Array,
    table: Positions,
    estimates: Mapping[str, Floats],
    level: float,
) -> dict[str, Interval]:
    """Return an interval of each metric for each table, from the tables of its clusters.

    Parameters
    ----------
    measures, estimates
        The metrics, and their values.
    counts : ndarray, shape (batch, K, K)
        All rows.
    clusters : ndarray, shape (clusters, K, K)
        The rows of each cluster.
    table : ndarray, shape (clusters,)
        Which of `counts` each cluster is part of.
    level : float
        The level of the intervals.
    """
    several = (counts.sum(axis=2) > 0).sum(axis=1) >= min(2, counts.shape[-1])
    n_clusters = np.bincount(table, minlength=len(counts)).astype(float)
    chosen = {name: one for name, one in measures.items() if one.of_a_model and not one.of_class}
    nothing = np.full(len(counts), np.nan)
    found = {name: Interval(nothing, nothing, nothing) for name in measures}
    with np.errstate(all="ignore"):
        t = quantile(n_clusters - 1, level)
        for right_within, alike in by_pseudo_row(chosen).items():
            row = pseudo_row(counts, right_within)
            smoothed = counts + row
            values = {name: one.value for name, one in alike.items()}
            influence = influences(values, smoothed, centred=False)
            for name, one in alike.items():
                full, each = influence[name]
                changes = changes_by_cluster(
                    one.value, influence[name], counts, row, clusters, table
                )
                mean = (smoothed * each).sum(axis=(1, 2)) / smoothed.sum(axis=(1, 2))
                of_row = (row * (each - mean[:, None, None]) ** 2).sum(axis=(1, 2))
                sums = np.bincount(table, changes**2, minlength=len(counts))
                se = np.sqrt((n_clusters - 1) / n_clusters * sums + of_row)
                limits, estimate = one.bounds(smoothed), estimates[name]
                low, high = to_interval(full, se, t, limits)
                low, high = np.minimum(low, estimate), np.maximum(high, estimate)
                ends = on_limits(low, limits), on_limits(high, limits), se
                lost = (n_clusters < 2) | ~np.isfinite(estimate)
                lost |= (se <= noise_of(estimate, limits)) & ~several
                found[name] = Interval(*(np.where(lost, np.nan, end) for end in ends))
    return found


def changes_by_cluster(
    value: Value,
    influence: Influence,
    counts: Array,
    row: Floats,
    clusters: Array,
    table: Positions,
) -> Floats:
    """Return how a metric changes when each cluster is left out.

    Exactly where a table has few clusters; else by what its rows add, which is not centred.
    """
    few = np.bincount(table, minlength=len(counts)) <= MOST_LEFT_OUT
    full, added = influence
    sums = counts.sum(axis=(1, 2))
    changes = np.empty(len(clusters))
    step = block_size(counts.shape[-1])
    for start in range(0, len(clusters), step):
        part, of = clusters[start : start + step], table[start : start + step]
        left = np.asarray(value(counts[of] - part + row[of]), float)
        share = 1 - part.sum(axis=(1, 2)) / sums[of]
        by_rows = (part * added[of]).sum(axis=(1, 2)) / share
        changes[start : start + step] = np.where(few[of], full[of] - left, by_rows)
    return changes
