"""Reliability curves of the groups and models of a sample, their bands, and what a picture shows.

Rows are put in an order of their own, so that neither their order nor the other groups change a
number.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from pandas_ordinal import inference
from pandas_ordinal.counting.arrays import Floats, Positions
from pandas_ordinal.cube.layout import VECTOR_DIM, class_index, refuse_same_names
from pandas_ordinal.errors import UnknownNameError, brief, did_you_mean
from pandas_ordinal.groups import levels_of
from pandas_ordinal.metrics.decomposition import (
    RPS_RULE,
    Threshold,
    cumulated,
    drawn_classes,
    means_of_segments,
    thresholds,
)
from pandas_ordinal.metrics.isotonic import pools_of
from pandas_ordinal.metrics.segments import Segments
from pandas_ordinal.query import Reliability
from pandas_ordinal.reports.facts import facts_of_draws
from pandas_ordinal.rows.calibration import (
    of_each_model,
    parts_at_thresholds,
    refuse_one_class,
)
from pandas_ordinal.rows.sample import Sample

N_PLACES = 101  # of the band of a picture
N_BARS = 20  # of a histogram


class Steps(NamedTuple):
    """The steps of a curve, from the lowest forecast to the highest."""

    low: Floats
    high: Floats
    forecast: Floats
    calibrated: Floats
    n: Positions


@dataclass(frozen=True)
class SortedRows:
    """The rows of one group and model, sorted by probabilities, weight and true class.

    Attributes
    ----------
    rows : Segments
        The rows, a single segment.
    proba : ndarray, shape (n, K)
        Their probabilities.
    """

    rows: Segments
    proba: Floats

    def curves(self) -> list[tuple[Steps, Threshold]]:
        """Return the steps of each threshold."""
        found = thresholds(RPS_RULE, self.rows, self.proba)
        return [(_steps(one, self.rows), one) for one in found]

    def bands(self, places: Sequence[Floats], asked: Reliability) -> list[Floats]:
        """Return the ends of the band at places on each threshold, ``(2, places)``.

        They are quantiles of the curves of true classes that are drawn from the forecasts, with
        straight lines between their steps.
        """
        assert asked.ci is not None
        every = [pools_of(forecasts, self.rows.segment) for forecasts in cumulated(self.proba)]
        curves = [np.empty((asked.n_draws, len(where))) for where in places]
        sizes = np.array([len(self.proba)])
        drawn = drawn_classes(self.proba, sizes, asked.n_draws, asked.seed)
        for draw, codes in enumerate(drawn):
            for k, (pools, where) in enumerate(zip(every, places, strict=True)):
                fit = pools.fit(codes <= k, self.rows.weights)
                of_pools = np.empty(len(pools.forecast))
                of_pools[pools.of_rows] = fit.of_rows()
                curves[k][draw] = np.interp(where, pools.forecast, of_pools)
        ends = [(1 - asked.ci) / 2, (1 + asked.ci) / 2]
        return [np.quantile(of_draws, ends, axis=0) for of_draws in curves]


def _steps(one: Threshold, rows: Segments) -> Steps:
    """Return the steps of a threshold of a single segment."""
    block, n = one.fit.block, len(one.fit.calibrated)
    low, high = np.full(n, np.inf), np.full(n, -np.inf)
    np.minimum.at(low, block, one.forecasts)
    np.maximum.at(high, block, one.forecasts)
    mean = means_of_segments(one.forecasts, rows.weights, block, n)
    return Steps(low, high, mean, one.fit.calibrated, np.bincount(block, minlength=n))


def curve_table(rows: Sample, asked: Reliability) -> pd.DataFrame:
    """Return the steps of each group, model and threshold."""
    refuse_one_class(rows)
    columns: list[pd.DataFrame] = []
    where: list[tuple[int, int, int]] = []
    for group, model, one in _with_progress(rows, asked):
        curves = [steps for steps, _ in one.curves()]
        bands: list[Floats | None] = [None] * len(curves)
        if asked.ci is not None:
            bands = [*one.bands([steps.forecast for steps in curves], asked)]
        for k, (steps, band) in enumerate(zip(curves, bands, strict=True)):
            table = pd.DataFrame(steps._asdict())
            if band is not None:
                table["band_low"], table["band_high"] = band
            columns.append(table)
            where += [(group, model, k)] * len(table)
    names = [*Steps._fields, *(["band_low", "band_high"] if asked.ci is not None else [])]
    table = pd.concat(columns) if columns else pd.DataFrame(columns=names, dtype=float)
    table["n"] = table["n"].astype(np.int64)
    table.index = _index(rows, np.array(where, np.intp).reshape(-1, 3))
    table.attrs = dict(facts_of_draws(asked)) if asked.ci is not None else {}
    return table


def _index(rows: Sample, where: Any) -> pd.Index[Any]:
    """Return the index: keys of groups, model and class."""
    group, model, k = where.T
    levels: list[pd.Index[Any]] = []
    if rows.groups is not None:
        levels += levels_of(rows.groups.index(rows.segments()[1][group]))
    if rows.models is not None:
        levels.append(rows.models.take(model))
    levels.append(class_index(rows.classes.dtype, VECTOR_DIM).take(k))
    if len(levels) == 1:
        return levels[0]
    refuse_same_names([level.name for level in levels])
    return pd.MultiIndex.from_arrays(levels)


def _with_progress(rows: Sample, asked: Reliability) -> Iterable[tuple[int, int, SortedRows]]:
    """Yield the rows of each group and model that has any: their positions, and the rows."""
    if not asked.progress:
        return _rows(rows)
    n = len(rows.segments()[1]) * len(rows.counted)
    return inference.report.with_progress(_rows(rows), "curve", n)


def _rows(rows: Sample) -> Iterator[tuple[int, int, SortedRows]]:
    of_models = [_by_segment(one.rows, one.proba) for one in of_each_model(rows)]
    for group, of_group in enumerate(zip(*of_models, strict=True)):
        for model, one in enumerate(of_group):
            if len(one.proba):
                yield group, model, one


def _by_segment(rows: Segments, proba: Floats) -> Iterator[SortedRows]:
    """Yield the rows of each segment, in their order."""
    weights = [] if rows.weights is None else [rows.weights]
    order = np.lexsort((rows.codes, *weights, *proba.T, rows.segment))
    ends = np.cumsum(np.bincount(rows.segment, minlength=rows.n_segments))
    for place in np.split(order, ends[:-1]):
        alone = replace(
            rows, codes=rows.codes[place], segment=np.zeros(len(place), np.intp), n_segments=1,
            weights=None if rows.weights is None else rows.weights[place],
        )  # fmt: skip
        yield SortedRows(alone, proba[place])


class DrawnCurve(NamedTuple):
    """What a picture shows of one threshold of one group and model."""

    steps: Steps
    band: Floats | None
    places: Floats
    histogram: Floats
    numbers: dict[str, float]


@dataclass(frozen=True)
class ReliabilityPicture:
    """What a picture shows.

    Attributes
    ----------
    classes : Index
        The classes.
    thresholds : sequence of int
        The positions of the classes whose thresholds are drawn.
    keys, models : Index or None
        The groups and the models.
    curves : dict
        The curves by group, model and threshold.
    is_one : bool
        Whether a threshold was chosen, so that models share a panel.
    """

    classes: pd.Index[Any]
    thresholds: list[int]
    keys: pd.Index[Any] | None
    models: pd.Index[Any] | None
    curves: dict[tuple[int, int, int], DrawnCurve]
    is_one: bool


def picture_of(
    rows: Sample, asked: Reliability, threshold: Hashable | None, most_panels: int
) -> ReliabilityPicture:
    """Return what a picture shows of all thresholds, or of one; raise for too many panels."""
    refuse_one_class(rows)
    classes = rows.classes.dtype.categories
    shown_at = list(range(len(classes) - 1))
    if threshold is not None:
        shown_at = [_position(threshold, classes)]
    of_each_group = 1 if threshold is not None else len(rows.counted) * len(shown_at)
    n_panels = len(rows.segments()[1]) * of_each_group
    if n_panels > most_panels:
        choice = f"give threshold={classes[0]!r}, or " * (threshold is None)
        raise ValueError(
            f"there would be {n_panels} panels, but a picture has at most {most_panels}: {choice}"
            "select the rows of some groups"
        )
    numbers = _numbers(rows)
    curves = {}
    for group, model, one in _rows(rows):
        found = one.curves()
        places = [np.linspace(f.forecasts.min(), f.forecasts.max(), N_PLACES) for _, f in found]
        bands: list[Floats | None] = [None] * len(found)
        if asked.ci is not None:
            bands = [*one.bands(places, asked)]
        for k in shown_at:
            steps, f = found[k]
            bars, _ = np.histogram(f.forecasts, N_BARS, (0, 1), weights=one.rows.weights)
            shown = {name: float(values[group, model, k]) for name, values in numbers.items()}
            curves[group, model, k] = DrawnCurve(steps, bands[k], places[k], bars, shown)
    if not curves:
        raise ValueError("there are no rows, and thus no curve to draw")
    keys = None if rows.groups is None else rows.groups.index(rows.segments()[1])
    return ReliabilityPicture(classes, shown_at, keys, rows.models, curves, threshold is not None)


def _position(threshold: Hashable, classes: pd.Index[Any]) -> int:
    """Return the position of the class of a threshold."""
    labels = list(classes[:-1])
    position = {label: k for k, label in enumerate(labels)}
    if not pd.api.types.is_hashable(threshold) or threshold not in position:
        raise UnknownNameError(
            f"threshold={brief(threshold)} is not a class below the last"
            f"{did_you_mean(threshold, labels)}; the thresholds are {labels}"
        )
    return position[threshold]


def _numbers(rows: Sample) -> dict[str, Floats]:
    """Return the numbers of titles, ``(groups, models, K - 1)``."""
    found = []
    for one in of_each_model(rows):
        parts = parts_at_thresholds(one.rows, one.proba)
        p_value = inference.calibration.threshold_tests(one.rows, one.proba, None)
        inside = (parts["share"] > 0) & (parts["share"] < 1)
        found.append(
            {
                "MCB": parts["mcb"],
                "DSC": parts["dsc"],
                "p": np.where(inside, p_value, np.nan),
            }
        )
    return {name: np.stack([one[name] for one in found], axis=1) for name in found[0]}
