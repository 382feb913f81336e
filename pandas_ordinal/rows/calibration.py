"""The table of calibration: a row for each group and model, or for each of their thresholds."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from pandas_ordinal import inference
from pandas_ordinal.counting.arrays import Array, Floats, Probabilities
from pandas_ordinal.cube.layout import VECTOR_DIM, class_index
from pandas_ordinal.metrics import isotonic
from pandas_ordinal.metrics.segments import Segments
from pandas_ordinal.query import Calibration
from pandas_ordinal.reports.facts import facts_of_draws
from pandas_ordinal.rows.results import laid_out_over, table_of
from pandas_ordinal.rows.sample import Sample


def calibration_table(rows: Sample, asked: Calibration) -> pd.Series[float] | pd.DataFrame:
    """Return the calibration of each group and model."""
    refuse_one_class(rows)
    if asked.cluster is None:
        rows.warn_of_repeats()
    numbers = rows.segments()[1]
    keys, places = rows.keys(numbers)
    of_models = [_columns(segments, proba, rows, asked) for segments, proba in forecasts(rows)]
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


def forecasts(rows: Sample) -> Iterator[tuple[Segments, Probabilities]]:
    """Yield the rows and the probabilities of each model."""
    segment, numbers = rows.segments()
    for codes, inputs in zip(rows.counted, rows.inputs["proba"], strict=True):
        segments = Segments(codes, rows.n_classes, segment, len(numbers), rows.weights)
        assert isinstance(inputs.array, Probabilities)
        yield inputs.of(segments), inputs.array


def _columns(
    segments: Segments, proba: Probabilities, rows: Sample, asked: Calibration
) -> dict[str, Array]:
    """Return the columns of one model, ``(groups,)`` or ``(groups, K - 1)``."""
    parts = isotonic.stub_parts(segments, proba, asked.n_draws, asked.seed)
    share = parts.pop("share")
    inside = (share > 0) & (share < 1)
    n = np.bincount(segments.segment[segments.codes >= 0], minlength=segments.n_segments)
    if asked.thresholds:
        return _at_thresholds(n, share, parts, segments, proba, rows)
    tests = inference.calibration.calibration_tests(segments, proba, rows.clusters)
    whole = {name: values.sum(axis=1) for name, values in parts.items() if name != "forecast"}
    return {
        "n": n,
        "rps": whole["brier"],
        **{name: whole[name] for name in ("mcb", "mcb_by_chance", "dsc", "unc")},
        "ece": parts["ece"].mean(axis=1),
        "p_value": np.where(inside.any(axis=1), tests.recalibration, np.nan),
        "p_large": tests.large,
        "p_score": tests.score,
    }


def _at_thresholds(
    n: Array, share: Floats, parts: dict[str, Floats], segments: Segments, proba: Probabilities,
    rows: Sample,
) -> dict[str, Array]:  # fmt: skip
    """Return the columns of the thresholds of one model."""
    inside = (share > 0) & (share < 1)
    coefficients = inference.calibration.coefficients_at_thresholds(segments, proba, rows.clusters)
    p_value = inference.calibration.threshold_tests(segments, proba, rows.clusters)
    return {
        "n": np.broadcast_to(n[:, None], share.shape),
        "share": share,
        "forecast": parts["forecast"],
        **coefficients._asdict(),
        **{name: parts[name] for name in ("ece", "brier", "mcb", "mcb_by_chance", "dsc", "unc")},
        "p_value": np.where(inside, p_value, np.nan),
    }
