"""The table of calibration: a row for each group and model, or for each of their thresholds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from pandas_ordinal import inference
from pandas_ordinal.counting.arrays import Array, Codes, Floats, Positions
from pandas_ordinal.cube.layout import VECTOR_DIM, class_index
from pandas_ordinal.metrics.decomposition import (
    RPS_RULE,
    by_chance,
    counting,
    means_of_segments,
    squared,
    thresholds,
)
from pandas_ordinal.metrics.segments import Segments
from pandas_ordinal.query import Calibration
from pandas_ordinal.reports.facts import facts_of_draws
from pandas_ordinal.rows.results import laid_out_over, table_of
from pandas_ordinal.rows.sample import Sample


def calibration_table(rows: Sample, asked: Calibration) -> pd.Series[float] | pd.DataFrame:
    """Return the calibration of each group and model."""
    refuse_one_class(rows)
    rows.warn_of_repeats()
    segment, numbers = rows.segments()
    keys, places = rows.keys(numbers)
    of_models = []
    for codes, counted in zip(rows.counted, of_each_model(rows), strict=True):
        n = np.bincount(segment[codes >= 0], minlength=len(numbers))
        of_models.append(_columns(counted, asked, n))
    columns = {}
    for name in of_models[0]:
        values = np.stack([one[name] for one in of_models], axis=1)
        fill = 0 if values.dtype.kind == "i" else np.nan
        columns[name] = laid_out_over(values, places, keys, fill).ravel()
    axes = rows.axes(keys)
    if asked.thresholds:
        axes = [*axes, class_index(rows.classes.dtype, VECTOR_DIM)[:-1]]
    return table_of(columns, axes, facts_of_draws(asked))


def refuse_one_class(rows: Sample) -> None:
    """Raise for a single class, which has no threshold."""
    if rows.n_classes < 2:
        raise ValueError(
            f"calibration needs two classes or more, but {list(rows.classes.dtype.categories)} is "
            "the only one: give classes=[...], lowest first"
        )


class Counted(NamedTuple):
    """The rows of a model that count, their probabilities and the numbers of their clusters."""

    rows: Segments
    proba: Floats
    clusters: Codes | None


def of_each_model(sample: Sample) -> Iterator[Counted]:
    """Yield the rows of each model that count."""
    segment, numbers = sample.segments()
    for codes, inputs in zip(sample.counted, sample.inputs["proba"], strict=True):
        every = Segments(codes, sample.n_classes, segment, len(numbers), sample.weights)
        rows, proba, there = counting(inputs.of(every), inputs.array)
        clusters = None if sample.clusters is None else sample.clusters[there]
        yield Counted(_scaled(rows), proba, clusters)


def _scaled(rows: Segments) -> Segments:
    """Scale weights to a mean of 1 in each segment: their unit changes nothing but rounding."""
    if rows.weights is None:
        return rows
    means = means_of_segments(rows.weights, None, rows.segment, rows.n_segments)
    return replace(rows, weights=rows.weights / means[rows.segment])


def _columns(counted: Counted, asked: Calibration, n: Positions) -> dict[str, Array]:
    """Return the columns of one model, ``(groups,)`` or ``(groups, K - 1)``."""
    rows, proba, clusters = counted
    parts = parts_at_thresholds(rows, proba)
    chance = by_chance(rows, proba, asked.n_draws, asked.seed).T
    both_sides = (parts["share"] > 0) & (parts["share"] < 1)
    if asked.thresholds:
        found = inference.calibration.coefficients_at_thresholds(rows, proba, clusters)
        p_value = inference.calibration.threshold_tests(rows, proba, clusters)
        return {
            "n": np.broadcast_to(n[:, None], chance.shape),
            **{name: parts[name] for name in ("share", "forecast")},
            **found._asdict(),
            **{name: parts[name] for name in ("ece", "brier", "mcb")},
            "mcb_by_chance": chance,
            **{name: parts[name] for name in ("dsc", "unc")},
            "p_value": np.where(both_sides, p_value, np.nan),
        }
    tests = inference.calibration.calibration_tests(rows, proba, clusters)
    return {
        "n": n,
        "rps": parts["brier"].sum(axis=1),
        "mcb": parts["mcb"].sum(axis=1),
        "mcb_by_chance": chance.sum(axis=1),
        "dsc": parts["dsc"].sum(axis=1),
        "unc": parts["unc"].sum(axis=1),
        "ece": parts["ece"].mean(axis=1),
        "p_value": np.where(both_sides.any(axis=1), tests.recalibration, np.nan),
        "p_large": tests.large,
        "p_score": tests.score,
    }


def parts_at_thresholds(rows: Segments, proba: Floats) -> dict[str, Floats]:
    """Return the parts of the Brier score of each threshold, ``(segments, K - 1)``."""
    found = []
    for one in thresholds(RPS_RULE, rows, proba):
        fitted, at_share = squared(one.calibrated, one.outcomes), squared(one.shares, one.outcomes)
        error = squared(one.forecasts, one.outcomes)
        terms = {
            "share": one.outcomes,
            "forecast": one.forecasts,
            "ece": np.abs(one.forecasts - one.calibrated),
            "brier": error,
            "mcb": error - fitted,
            "dsc": at_share - fitted,
            "unc": at_share,
        }
        means = {
            name: means_of_segments(values, rows.weights, rows.segment, rows.n_segments)
            for name, values in terms.items()
        }
        found.append(means)
    return {name: np.stack([one[name] for one in found], axis=1) for name in found[0]}
