"""Intervals of metrics of counts, from their influences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pandas_ordinal.counting.arrays import Array, Floats, Positions
from pandas_ordinal.counting.forks import computed_once
from pandas_ordinal.inference.class_bounds import (
    ClassIntervals,
    bounds_by_class,
    class_intervals,
    clopper_pearson,
    extreme,
)
from pandas_ordinal.inference.influence import (
    Bounds,
    CountMetric,
    Influence,
    centre,
    df_of_classes,
    df_of_weights,
    effective_sizes,
    influences,
    on_limits,
    pseudo_row,
    ratio,
    tolerance_of,
)
from pandas_ordinal.inference.scale import Interval, hull, quantile, to_interval
from pandas_ordinal.inference.strata import Strata, strata_of
from pandas_ordinal.metrics.metric import Limits
from pandas_ordinal.metrics.stack import block_size


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
    mean_of : callable or None
        The metric per class whose values it averages.
    is_largest : bool
        Whether it is the largest of these values rather than the smallest.
    is_row_mean : bool
        Whether it is the mean of one value per row.
    is_root_of_mean : bool
        Whether it is the root of such a mean.
    is_share : bool
        Whether these values are 0 and 1.
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
    mean_of: CountMetric | None = None
    is_row_mean: bool = False
    is_root_of_mean: bool = False
    is_share: bool = False
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
        """The typical weight of a row, of all or of each stratum, which the pseudo-row has too.

        It is 0 in a stratum without rows. The shape is that of the tables, or 1.
        """
        axis = (1, 2) if self.strata is None else self.strata.axis
        sums, squares = (one.sum(axis=axis, keepdims=True) for one in (self.counts, self.squares))
        return ratio(squares, sums)

    def pseudo_row(self, right_within: float) -> Floats:
        """Return the pseudo-row, with a weight of 1."""
        return pseudo_row(self.counts, right_within, self.class_sizes)

    def smoothed(self, right_within: float) -> WeightedTables:
        """Add a pseudo-row that has the typical weight of a row."""
        mass, row = self.mass, self.pseudo_row(right_within)
        strata = None if self.strata is None else self.strata.with_row(np.where(mass > 0, row, 0))
        return WeightedTables(
            self.counts + mass * row, self.squares + mass**2 * row, self.n + 1, strata
        )

    def variances(self, influence: Floats) -> Floats:
        """Return what the rows of each true class, or stratum, add to the variance of a metric."""
        if self.strata is not None:
            return self.strata.variances(self.counts, self.squares, influence)
        squares: Floats = np.einsum("brc,brc->br", self.squares, influence**2)
        return np.asarray((self.n / (self.n - 1))[:, None] * squares)

    @property
    def sizes(self) -> Floats:
        """How many rows the true classes, or the strata, have."""
        return self.class_sizes if self.strata is None else self.strata.sizes

    @computed_once
    def class_sizes(self) -> Floats:
        """How many rows of equal weights say as much as those of each true class."""
        return effective_sizes(self.counts.sum(axis=2), self.squares.sum(axis=2))

    @computed_once
    def has_several_classes(self) -> Array:
        """Whether more than one class occurs, or there is only one."""
        n_present: Array = (self.counts.sum(axis=2) > 0).sum(axis=1)
        return np.asarray(n_present >= min(2, self.counts.shape[-1]))

    @computed_once
    def df(self) -> Floats:
        """The degrees of freedom of all rows."""
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
    scale = ratio(n, floats.sum(axis=(1, 2)), otherwise=1)[:, None, None]
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
    smooth, of_classes = _smooth(measures), class_intervals(tables.counts, level)
    with np.errstate(all="ignore"):
        df, sizes = tables.df, tables.counts.sum(axis=2)
        survives_loss = ((sizes == 0) | (sizes >= 2)).all(axis=1)
        undefined = (tables.n < 2) | ~((df >= 1) & (df < np.inf))
        for right_within, alike in by_pseudo_row(smooth).items():
            smoothed = tables.smoothed(right_within)
            influence = influences({n: m.value for n, m in alike.items()}, smoothed.counts)
            for name, measure in alike.items():
                pair = _pair(measure, tables, smoothed, influence[name], estimates[name], level)
                found = hull(
                    *pair, estimates[name], measure.bounds(tables.counts),
                    survives_loss=survives_loss | measure.is_row_mean,
                    several_classes=tables.has_several_classes, undefined=undefined,
                )  # fmt: skip
                if tables.squares is tables.counts:  # rows without weights
                    found = _by_binomial(
                        found, measure, tables, estimates[name], level, of_classes
                    )
                results[name] = found
        for name, measure in measures.items() if _counts_rows(tables) else ():
            if measure.of_class is not None:
                results[name] = extreme(
                    measure.of_class, measure.is_largest, of_classes, estimates[name], tables.n
                )
    nothing = Interval(*np.full((3, len(tables.n)), np.nan))
    return {name: results.get(name, nothing) for name in measures}


def _by_binomial(
    interval: Interval,
    measure: Measure,
    tables: WeightedTables,
    estimate: Floats,
    level: float,
    of_classes: ClassIntervals,
) -> Interval:
    """Return the exact interval of a share, or one that the shares of the classes allow."""
    low, high, se = interval
    if measure.is_share and tables.strata is None:
        exact = clopper_pearson(np.rint(estimate * tables.n), tables.n, level)
        low, high = (np.where(se > 0, *ends) for ends in zip(exact, (low, high), strict=True))
    elif measure.mean_of is not None and (tables.strata is None or tables.strata.axis == 2):
        least, most = bounds_by_class(measure.value, measure.mean_of, of_classes)
        low = np.where(least > low, np.minimum(least, estimate), low)
        high = np.where(most < high, np.maximum(most, estimate), high)
    return Interval(low, high, se)


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
    own = (all_sums / sums)[:, None, None] * centre(influence.by_cell, tables.counts)
    variances = smoothed.variances(influence.by_cell)
    alone = np.isfinite(estimate) & ~np.isfinite(own).all(axis=(1, 2))
    if alone.any():
        own[alone] = influences({"": measure.value}, tables.counts[alone])[""].by_cell
        variances[alone] = tables.variances(own)[alone]
    t = quantile(df_of_classes(variances, smoothed.sizes, tables.df), level)
    se = np.sqrt([tables.variances(own).sum(axis=1), variances.sum(axis=1)])
    se[1, alone] = np.nan
    value = estimate
    if tables.squares is not tables.counts:  # a metric may depend on the scale of the weights
        value = np.asarray(measure.value(tables.counts), float)
    both, limits = np.stack([value, influence.values]), measure.bounds(tables.counts)
    plain, with_row = zip(*to_interval(both, se, t, limits), se, strict=True)
    return Interval(*plain), Interval(*with_row)


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
    scale = ratio(tables.n, counts.sum(axis=(1, 2)), otherwise=1)
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
    tables, table = design.tables, design.table
    counts, mass = tables.counts, tables.mass
    n_clusters = np.bincount(table, minlength=len(counts)).astype(float)
    smooth = _smooth(measures)
    nothing = Interval(*np.full((3, len(counts)), np.nan))
    results = dict.fromkeys(measures, nothing)
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
                of_row = (mass * row * centre(by_cell, smoothed) ** 2).sum(axis=(1, 2))
                sums = np.bincount(table, changes**2, minlength=len(counts))
                se = np.sqrt((n_clusters - 1) / n_clusters * sums + of_row)
                limits, estimate = measure.bounds(smoothed), estimates[name]
                low, high = to_interval(full, se, t, limits)
                low, high = np.minimum(low, estimate), np.maximum(high, estimate)
                found = Interval(on_limits(low, limits), on_limits(high, limits), se)
                undefined = (n_clusters < 2) | ~np.isfinite(estimate) | ~(mass[:, 0, 0] > 0)
                undefined |= (se <= tolerance_of(estimate, limits)) & ~tables.has_several_classes
                results[name] = found.without(undefined)
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
