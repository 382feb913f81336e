"""Reliability curves of the groups and models of a sample, their bands, and what a picture shows.

Rows are in an order of their own, so that neither the order in which they come nor the other groups
change a number.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from pandas_ordinal import inference
from pandas_ordinal.counting.arrays import Codes, Floats, Probabilities
from pandas_ordinal.cube.layout import VECTOR_DIM, class_index, refuse_same_names
from pandas_ordinal.errors import UnknownNameError, brief, did_you_mean
from pandas_ordinal.groups import levels_of
from pandas_ordinal.metrics import isotonic
from pandas_ordinal.metrics.isotonic import Pools
from pandas_ordinal.metrics.segments import Segments
from pandas_ordinal.query import Reliability
from pandas_ordinal.reports.facts import facts_of_draws
from pandas_ordinal.rows.calibration import forecasts, refuse_one_class
from pandas_ordinal.rows.sample import Sample

N_PLACES = 101  # of the band of a picture
N_BARS = 20  # of a histogram


@dataclass(frozen=True)
class Rows:
    """The rows of one group and model, sorted by probabilities, weight and true class.

    Attributes
    ----------
    codes : ndarray
        The true classes.
    proba : ndarray, shape (n, K)
        The probabilities.
    weights : ndarray or None
        The weights.
    """

    codes: Codes
    proba: Floats
    weights: Floats | None

    def at(self, k: int) -> Threshold:
        """Return the threshold P(Y <= k)."""
        forecast = np.minimum(self.proba[:, : k + 1].sum(axis=1), 1)
        return Threshold(forecast, (self.codes <= k).astype(float), self.weights)

    def bands(self, places: list[Floats], asked: Reliability) -> list[Floats]:
        """Return the ends of the band at places on each threshold, ``(2, places)``.

        They are quantiles of the curves of true classes that are drawn from the forecasts.
        """
        assert asked.ci is not None
        thresholds = [self.at(k) for k in range(len(places))]
        curves = [np.empty((asked.n_draws, len(where))) for where in places]
        cumulative = self.proba.cumsum(axis=1)[:, :-1]
        rng = np.random.default_rng(asked.seed)
        for draw in range(asked.n_draws):
            drawn = (cumulative < rng.random(len(self.codes))[:, None]).sum(axis=1)
            for k, (one, where) in enumerate(zip(thresholds, places, strict=True)):
                curves[k][draw] = one.curve_at(where, drawn <= k)
        ends = [(1 - asked.ci) / 2, (1 + asked.ci) / 2]
        return [np.quantile(of_draws, ends, axis=0) for of_draws in curves]


class Steps(NamedTuple):
    """The steps of a curve, from the lowest forecast to the highest."""

    low: Floats
    high: Floats
    forecast: Floats
    calibrated: Floats
    n: Floats


class Threshold:
    """The forecasts of one threshold, and whether the event happened.

    Parameters
    ----------
    forecast, happens : ndarray
        The probability of the event in each row, and whether it happened.
    weights : ndarray or None
        The weights of the rows.
    """

    def __init__(self, forecast: Floats, happens: Floats, weights: Floats | None) -> None:
        self.forecast, self.happens, self.weights = forecast, happens, weights
        self._pools = Pools(forecast, weights)

    def steps(self) -> Steps:
        """Return the steps of the curve."""
        pools = self._pools
        fit = pools.fit(self.happens)
        first = np.flatnonzero(np.diff(fit, prepend=-1))
        step = np.repeat(np.arange(len(first)), np.diff(first, append=len(fit)))
        last = np.append(first[1:], len(fit)) - 1
        mass = np.bincount(step, pools.mass)
        return Steps(
            pools.value[first],
            pools.value[last],
            np.bincount(step, pools.mass * pools.value) / mass,
            fit[first],
            np.bincount(step[pools.place], minlength=len(first)),
        )

    def curve_at(self, places: Floats, happens: Any) -> Floats:
        """Return the curve of other events at places, with straight lines between the steps."""
        return np.interp(places, self._pools.value, self._pools.fit(happens))

    def histogram(self) -> Floats:
        """Return the weight of the rows in each of equal intervals of the forecast."""
        return np.histogram(self.forecast, N_BARS, (0, 1), weights=self.weights)[0].astype(float)


def curve_table(rows: Sample, asked: Reliability) -> pd.DataFrame:
    """Return the steps of each group, model and threshold."""
    refuse_one_class(rows)
    columns: list[pd.DataFrame] = []
    where: list[tuple[int, int, int]] = []
    for group, model, one in _with_progress(rows, asked):
        thresholds = [one.at(k).steps() for k in range(rows.n_classes - 1)]
        bands: list[Floats | None] = [None] * len(thresholds)
        if asked.ci is not None:
            bands = [*one.bands([steps.forecast for steps in thresholds], asked)]
        for k, (steps, band) in enumerate(zip(thresholds, bands, strict=True)):
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


def _with_progress(rows: Sample, asked: Reliability) -> Iterable[tuple[int, int, Rows]]:
    """Yield the rows of each group and model that has any: their positions, and the rows."""
    if not asked.progress:
        return _rows(rows)
    n = len(rows.segments()[1]) * len(rows.counted)
    return inference.report.with_progress(_rows(rows), "curve", n)


def _rows(rows: Sample) -> Iterator[tuple[int, int, Rows]]:
    of_models = [_by_segment(*one) for one in forecasts(rows)]
    for group, of_group in enumerate(zip(*of_models, strict=True)):
        for model, one in enumerate(of_group):
            if len(one.codes):
                yield group, model, one


def _by_segment(segments: Segments, proba: Probabilities) -> Iterator[Rows]:
    """Yield the rows of each segment, in their order."""
    there = segments.codes >= 0
    if segments.weights is not None:
        there &= segments.weights > 0
    codes, given, segment = segments.codes[there], proba[there], segments.segment[there]
    weights = None if segments.weights is None else segments.weights[there]
    keys = [codes, *([] if weights is None else [weights]), *given.T[::-1], segment]
    order = np.lexsort(keys)
    ends = np.cumsum(np.bincount(segment, minlength=segments.n_segments))
    for place in np.split(order, ends[:-1]):
        yield Rows(codes[place], given[place], None if weights is None else weights[place])


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


def picture_of(rows: Sample, asked: Reliability, threshold: Hashable | None) -> ReliabilityPicture:
    """Return what a picture shows of all thresholds, or of one."""
    refuse_one_class(rows)
    classes = rows.classes.dtype.categories
    thresholds = list(range(len(classes) - 1))
    if threshold is not None:
        thresholds = [_position(threshold, classes)]
    numbers = _numbers(rows)
    curves = {}
    for group, model, one in _rows(rows):
        found = [one.at(k) for k in thresholds]
        places = [np.linspace(f.forecast.min(), f.forecast.max(), N_PLACES) for f in found]
        bands: list[Floats | None] = [None] * len(found)
        if asked.ci is not None:
            every: list[Floats] = [np.empty(0)] * (rows.n_classes - 1)
            for k, where in zip(thresholds, places, strict=True):
                every[k] = where
            drawn = one.bands(every, asked)
            bands = [drawn[k] for k in thresholds]
        for k, f, band, where in zip(thresholds, found, bands, places, strict=True):
            shown = {name: float(values[group, model, k]) for name, values in numbers.items()}
            curves[group, model, k] = DrawnCurve(f.steps(), band, where, f.histogram(), shown)
    if not curves:
        raise ValueError("there are no rows, and thus no curve to draw")
    keys = None if rows.groups is None else rows.groups.index(rows.segments()[1])
    return ReliabilityPicture(
        classes, thresholds, keys, rows.models, curves, threshold is not None
    )


def _position(threshold: Hashable, classes: pd.Index[Any]) -> int:
    """Return the position of the class of a threshold."""
    labels = list(classes[:-1])
    if threshold not in labels:
        raise UnknownNameError(
            f"threshold={brief(threshold)} is no class but the last"
            f"{did_you_mean(threshold, labels)}; the thresholds are {labels}"
        )
    return labels.index(threshold)


def _numbers(rows: Sample) -> dict[str, Floats]:
    """Return the numbers of titles, ``(groups, models, K - 1)``."""
    found = []
    for segments, proba in forecasts(rows):
        parts = isotonic.stub_parts(segments, proba, 0, 0)
        p_value = inference.calibration.threshold_tests(segments, proba, None)
        inside = (parts["share"] > 0) & (parts["share"] < 1)
        found.append(
            {
                "MCB": parts["mcb"],
                "DSC": parts["dsc"],
                "p": np.where(inside, p_value, np.nan),
            }
        )
    return {name: np.stack([one[name] for one in found], axis=1) for name in found[0]}
