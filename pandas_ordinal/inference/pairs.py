"""Differences of models that predict the same rows: their covariance and p-values."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from pandas_ordinal.counting.arrays import Array, Floats, Positions
from pandas_ordinal.inference.extremes import spread_of_extremes
from pandas_ordinal.inference.influence import (
    RowInfluence,
    influences,
    pseudo_row,
    ratio,
    row_influence,
    tolerance_of,
)
from pandas_ordinal.inference.interval import Measure, by_pseudo_row
from pandas_ordinal.inference.paired import (
    IndependentRows,
    Paired,
    PairedRows,
    Smoothed,
    Spread,
)
from pandas_ordinal.inference.rows import Design, limits_of_rows
from pandas_ordinal.inference.scale import (
    between,
    covariance_of,
    variance_between,
    variance_of_differences,
    variance_of_roots,
)
from pandas_ordinal.metrics.metric import Resolved
from pandas_ordinal.metrics.segments import Segments

SMALLEST = math.ulp(0.0)
NEITHER = "neither"


class PairedValues(NamedTuple):
    """Differences between models by a metric, each array ``(n_groups, n_pairs)``.

    Attributes
    ----------
    difference, smoothed : ndarray
        The differences, and those with the pseudo-row. What is said holds for both.
    se, df : ndarray
        Their standard errors and degrees of freedom.
    tolerance : ndarray
        The rounding tolerance of the differences.
    """

    difference: Floats
    smoothed: Floats
    se: Floats
    df: Floats
    tolerance: Floats

    @property
    def least(self) -> Floats:
        """The lower of the two differences."""
        return np.minimum(self.difference, self.smoothed)

    @property
    def most(self) -> Floats:
        """The higher of the two differences."""
        return np.maximum(self.difference, self.smoothed)


class Differences(NamedTuple):
    """The values of a metric for several models, and how precisely their differences are known.

    Attributes
    ----------
    values, tolerance : ndarray, shape (n_groups, n_models)
        The values, and their rounding tolerance.
    lowest, highest : ndarray, shape (n_groups, n_models)
        The limits of the values.
    smoothed : ndarray, shape (n_groups, n_models, n_models)
        The difference of each two models with the pseudo-row. What is said of a difference holds
        for this one too: some metrics are moved far by the first error, or the last one. Means of
        rows have the plain difference.
    covariance : ndarray, shape (n_groups, n_models, n_models)
        The covariance matrix of the values, including the part of the pseudo-row: the variance of
        ``values[a] - values[b]`` is ``c[a, a] + c[b, b] - 2 * c[a, b]``, and the covariance of two
        differences ``c[a, c] - c[a, d] - c[b, c] + c[b, d]``. NaN for models whose value has none.
    df : ndarray, shape (n_groups, n_models, n_models)
        The degrees of freedom of the difference of each two models.
    """

    values: Floats
    tolerance: Floats
    lowest: Floats
    highest: Floats
    smoothed: Floats
    covariance: Floats
    df: Floats

    def of_pairs(self, first: Positions, second: Positions) -> PairedValues:
        """Return the differences of pairs of models, without the standard errors of unknown ones.

        A difference is unknown if no row moves a metric whose values differ.
        """
        tolerance = self.tolerance[:, first] + self.tolerance[:, second]
        smoothed, df = self.smoothed[:, first, second], self.df[:, first, second]
        with np.errstate(invalid="ignore"):  # the difference of two infinite losses
            difference = self.values[:, first] - self.values[:, second]
            se = np.sqrt(np.maximum(variance_between(self.covariance)[:, first, second], 0))
        is_known = (se > tolerance) | (abs(difference) <= tolerance)
        is_known &= (df >= 1) & np.isfinite(difference)
        return PairedValues(difference, smoothed, np.where(is_known, se, np.nan), df, tolerance)

    def limits(self, first: Positions, second: Positions) -> tuple[Floats, Floats]:
        """Return the lowest and the highest difference that pairs can have."""
        lowest, highest = self.lowest, self.highest
        return lowest[:, first] - highest[:, second], highest[:, first] - lowest[:, second]


def paired_differences(
    measures: Mapping[str, Measure], blocks: Iterable[Paired]
) -> dict[str, Differences]:
    """Return the values of models and the covariance of their differences, by metric."""
    parts = [_differences_of_block(measures, block) for block in blocks]
    return {
        name: Differences(*map(np.concatenate, zip(*(p[name] for p in parts), strict=True)))
        for name in measures
    }


def _differences_of_block(measures: Mapping[str, Measure], rows: Paired) -> dict[str, Differences]:
    counts, shape = rows.tables(), (rows.n_groups, rows.n_models)
    unscaled = counts
    if rows.means is not None:
        unscaled = counts * rows.means.repeat(rows.n_models)[:, None, None]
    with np.errstate(all="ignore"):
        spread = _spread_by_influence(measures, rows, counts)
        spread |= _spread_of_extremes(measures, rows, counts)
        results = {}
        for name, measure in measures.items():
            values, limits = np.asarray(measure.value(unscaled), float), measure.bounds(counts)
            ends = np.broadcast_arrays(*limits, values)[:2]
            parts = (values, tolerance_of(values, limits), *ends)
            value, tolerance, lowest, highest = (part.reshape(shape) for part in parts)
            smoothed, covariance, df = spread[name]
            if measure.is_row_mean:  # which the pseudo-row pulls to the same value in all models
                smoothed = between(value)
            results[name] = Differences(
                value, tolerance, lowest, highest, smoothed, covariance, df
            )
    return results


def _spread_by_influence(
    measures: Mapping[str, Measure], rows: Paired, counts: Floats
) -> dict[str, Spread]:
    """Return how the differences of each metric vary, but for extremes."""
    smooth = {name: m for name, m in measures.items() if m.of_class is None}
    mass = rows.mass().repeat(rows.n_models)[:, None, None]
    sizes = rows.sizes().repeat(rows.n_models, axis=0)
    spread = {}
    for right_within, alike in by_pseudo_row(smooth).items():
        row = mass * pseudo_row(counts, right_within, sizes)
        values = {name: measure.value for name, measure in alike.items()}
        influence = influences(values, counts + row, centred=False)
        for name, value in values.items():
            of_values = rows.spread(Smoothed(value, counts, row, influence[name]))
            spread[name] = on_scale(alike[name], of_values, influence[name].values, counts + row)
    return spread


def on_scale(measure: Measure, spread: Spread, values: Floats, counts: Floats) -> Spread:
    """Return how differences vary on the scale of the metric that suits them."""
    covariance = spread.covariance
    if measure.is_row_mean:
        return spread
    values, low, high = (
        part.reshape(covariance.shape[:2])
        for part in np.broadcast_arrays(values, *measure.bounds(counts))
    )
    if measure.is_root_of_mean:
        variance = variance_of_roots(values, covariance)
    else:
        variance = variance_of_differences(values, covariance, (low, high))
    own = covariance.diagonal(axis1=1, axis2=2)
    return spread._replace(covariance=covariance_of(own, variance))


def _spread_of_extremes(
    measures: Mapping[str, Measure], rows: Paired, counts: Floats
) -> dict[str, Spread]:
    """Return the same for extremes, NaN if rows have weights or clusters."""
    shape = rows.n_groups, rows.n_models, rows.n_models
    unknown = Spread(*np.full((3, *shape), np.nan))
    extreme = {name: m for name, m in measures.items() if m.of_class is not None}
    if not isinstance(rows, IndependentRows) or rows.is_weighted:
        return dict.fromkeys(extreme, unknown)
    return {name: spread_of_extremes(m, rows, counts) for name, m in extreme.items()}


def p_values(pairs: PairedValues) -> Floats:
    """Return two-sided p-values of t, which are never 0.

    The difference and the one with the pseudo-row count, whichever is nearer to 0. Differences and
    standard errors within the rounding tolerance are treated as 0. If no row moves a metric,
    nothing is known of a difference but that of equal values.
    """
    from scipy.special import stdtr

    difference, smoothed, se, df, tolerance = pairs
    size = np.where(difference * smoothed > 0, np.minimum(abs(difference), abs(smoothed)), 0)
    with np.errstate(all="ignore"):
        p = 2 * stdtr(np.maximum(df, 1), -size / se)
    equal = np.abs(difference) <= tolerance
    p = np.where(se <= tolerance, np.where(equal, 1.0, np.nan), np.where(equal, 1.0, p))
    undefined = ~np.isfinite(difference) | ~np.isfinite(se) | ~(df >= 1)
    return np.where(undefined, np.nan, np.maximum(p, SMALLEST))


def refuse_neither(models: Iterable[Any]) -> None:
    """Raise if a model is called "neither", which stands for no model."""
    if any(isinstance(model, str) and model == NEITHER for model in models):
        raise ValueError(
            f"a model is called {NEITHER!r}, which the column 'better' holds where no difference "
            "is significant: rename the model"
        )


def better_of(models: Iterable[Any], places: Array) -> pd.Categorical:
    """Name the better models by their places; the place after the last model means neither.

    A place of -1 becomes NaN.
    """
    names: pd.Index[Any] = pd.Index([*models, NEITHER], tupleize_cols=False)
    return pd.Categorical.from_codes(places.astype(np.intp), categories=names)


def is_decided(better: pd.Series[Any]) -> Array:
    """Return where the column of a comparison names a model."""
    return (better.notna() & better.ne(NEITHER)).to_numpy(dtype=bool)


def differences_of_rows(
    resolved: Resolved, rows: PairedRows, columns: Sequence[Array]
) -> Differences:
    """Return the same for a metric of scores or probabilities, from one column per model."""
    metric, options = resolved
    assert metric.by_segment is not None
    weights = None
    if rows.weights is not None:
        scaled, _ = rows.weights.scaled(slice(None), rows.group, rows.n_groups)
        weights = scaled.sums
    segments = Segments(rows.true, rows.n_classes, rows.group, rows.n_groups, weights)
    values = np.stack([metric.by_segment(segments, c, **options) for c in columns], axis=1)
    design = Design(segments, rows.cluster, by_class=False)
    by_score, m = metric.score_influence is not None, len(columns)
    variance, df = np.zeros((2, rows.n_groups, m, m))
    with np.errstate(all="ignore"):
        influences = [row_influence(resolved, segments, c, True) for c in columns]
        own = np.stack([design.variance(one, within=by_score) for one in influences], axis=1)
        for a, b in itertools.combinations(range(m), 2):
            difference = _subtracted(influences[a], influences[b])
            for matrix, of_pair in ((variance, design.variance), (df, design.df)):
                matrix[:, a, b] = matrix[:, b, a] = of_pair(difference, within=by_score)
        limits = limits_of_rows(resolved, rows.n_classes)
        lowest, highest = np.broadcast_arrays(*limits, values)[:2]
        smoothed = between(values)
        if by_score:
            n = np.bincount(rows.group)[:, None, None]
            smoothed = between(np.stack([one.values for one in influences], axis=1)) * (n + 1) / n
        return Differences(
            values, tolerance_of(values, limits), lowest, highest, smoothed,
            covariance_of(own, variance), df,
        )  # fmt: skip


def _subtracted(one: RowInfluence, other: RowInfluence) -> RowInfluence:
    """Subtract influences; two models score the pseudo-row independently in each class."""
    both = ratio(one.sums * other.sums, one.mass)
    return RowInfluence(
        values=one.values - other.values,
        rows=one.rows - other.rows,
        mass=one.mass,
        sums=one.sums - other.sums,
        squares=one.squares + other.squares - 2 * both,
    )
