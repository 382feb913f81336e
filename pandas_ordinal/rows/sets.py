"""Prediction sets of frames and Series: their limits, the sets, and how good they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.classes.columns import ProbaLike
from pandas_ordinal.classes.gate import ClassesLike, declared, refuse_missing, same_classes
from pandas_ordinal.classes.labelled import align
from pandas_ordinal.counting.arrays import Array, Probabilities
from pandas_ordinal.cube.layout import VECTOR_DIM, build, class_index, product
from pandas_ordinal.errors import ClassOrderError, brief
from pandas_ordinal.metrics.segments import Segments
from pandas_ordinal.metrics.set_scores import (
    metrics_of_sets,
    nearest_in_set,
    refuse_wrong_sets,
)
from pandas_ordinal.metrics.sets import (
    ends_of_sets,
    limits_of_segments,
    limits_of_sets,
    refuse_coverage,
)
from pandas_ordinal.query import Comparison, Query, Uncertainty
from pandas_ordinal.rows.compare import compare_sample
from pandas_ordinal.rows.forecasts import forecasts
from pandas_ordinal.rows.gather import sample, selected
from pandas_ordinal.rows.results import laid_out_over
from pandas_ordinal.rows.sample import Inputs, LabelColumn, Sample
from pandas_ordinal.rows.scored import report_sample
from pandas_ordinal.rows.table import Table

OF_TWO_MODELS = (
    "give dicts such as low={'a': 'low_a', 'b': 'low_b'}, high={'a': 'high_a', 'b': 'high_b'}"
)


def limits_of_classes(rows: Sample, coverage: float, by_class: bool) -> pd.Series[float]:
    """Return the limit of each class, for each group and model."""
    refuse_coverage(coverage)
    segment, numbers = rows.segments()
    of_models = []
    for codes, inputs in zip(rows.counted, rows.inputs["proba"], strict=True):
        counted = inputs.of(Segments(codes, rows.n_classes, segment, len(numbers), rows.weights))
        assert isinstance(inputs.array, Probabilities)
        of_models.append(limits_of_segments(counted, inputs.array, coverage, by_class))
    keys, places = rows.keys(numbers)
    limits = laid_out_over(np.stack(of_models, axis=1), places, keys, np.inf)
    axes = [*rows.axes(keys), class_index(rows.classes.dtype, VECTOR_DIM)]
    return pd.Series(limits.ravel(), product(axes), name="limit")


def sets_of_rows(
    table: Table, proba: ProbaLike, limits: Any, classes: ClassesLike | None, atol: float | None
) -> pd.DataFrame:
    """Return the lowest and the highest class of each row."""
    given, dtype = limits_and_their_classes(limits, classes)
    rows = forecasts(table, proba, dtype, atol)
    sets = {}
    for name, end in zip(
        ("low", "high"), ends_of_sets(rows.proba.of(rows.known), given), strict=True
    ):
        codes = np.full(len(rows.index), -1)
        codes[rows.known] = end
        sets[name] = pd.Categorical.from_codes(codes, dtype=dtype)
    return pd.DataFrame(sets, rows.index)


def limits_and_their_classes(
    limits: Any, classes: ClassesLike | None
) -> tuple[Array, pd.CategoricalDtype]:
    """Return limits as an array, and the classes that they are of."""
    index = limits.index if isinstance(limits, pd.Series) else None
    if isinstance(index, pd.MultiIndex) and index.names[-1] == VECTOR_DIM and len(index):
        *keys, _ = index[0]
        key = keys[0] if len(keys) == 1 else tuple(keys)
        raise ValueError(
            f"limits are those of several groups or models: give those of one, such as "
            f"limits.loc[{key!r}]"
        )
    of_index = None
    if isinstance(index, pd.CategoricalIndex) and index.ordered:
        of_index = pd.CategoricalDtype(index.categories, ordered=True)
    dtype = of_index if classes is None else declared(classes)
    if dtype is None:
        raise ClassOrderError(
            "limits have no classes: give classes=[...], lowest first, or the result of set_limits"
        )
    if of_index is not None and not same_classes(of_index, dtype):
        raise ClassOrderError(
            f"limits are those of the classes {list(of_index.categories)}, but classes= has "
            f"{list(dtype.categories)}: leave classes= out"
        )
    given = align("limits", limits, dtype, dtype)
    return limits_of_sets(given, len(dtype.categories)), dtype


class SetColumns(NamedTuple):
    """The columns of both ends of sets, as given, and how often the sets should hold the truth."""

    low: Any
    high: Any
    coverage: float | None = None


def report_of_sets(
    table: Table, query: Query, sets: SetColumns, uncertainty: Uncertainty
) -> pd.Series[float] | pd.DataFrame:
    """Report how often sets hold the true class, and how large they are."""
    requested = metrics_of_sets(sets.coverage)
    rows = _sample_of_sets(table, query, sets, uncertainty.cluster)
    return report_sample(rows, requested, uncertainty)


def comparison_of_sets(
    table: Table, query: Query, sets: SetColumns, comparison: Comparison
) -> pd.DataFrame:
    """Compare the sets of models on the same rows."""
    requested = metrics_of_sets(sets.coverage)
    rows = _sample_of_sets(table, query, sets, comparison.cluster)
    if rows.models is None or len(rows.models) < 2:
        raise ValueError(f"compare_sets needs two or more models: {OF_TWO_MODELS}")
    return compare_sample(rows, requested, comparison)


class Ends(NamedTuple):
    """The columns of the lowest and of the highest classes by model, and the models."""

    low: list[Any]
    high: list[Any]
    models: pd.Index[Any] | None


def _sample_of_sets(table: Table, query: Query, sets: SetColumns, cluster: Any = None) -> Sample:
    """Read rows with sets: the class of each set that is nearest to the true one is predicted."""
    table, query = selected(table, query)
    ends = _ends_of_models(table, sets)
    n_models = len(ends.low)
    columns = dict(enumerate([*ends.low, *ends.high]))
    rows = sample(table, replace(query, pred=columns), cluster)
    index = table.index if rows.groups is None else table.index[rows.groups.keep]
    counted, preds, inputs = [], [], []
    for model in range(n_models):
        both = [rows.preds[place] for place in (model, model + n_models)]
        true = np.minimum(rows.counted[model], rows.counted[model + n_models])
        if not rows.dropna:
            _refuse_gaps(rows.true, both)
        low_codes, high_codes = (one.codes for one in both)
        there = np.minimum(np.minimum(true, low_codes), high_codes) >= 0
        refuse_wrong_sets(np.where(there, low_codes, -1), high_codes, index)
        counted.append(np.where(there, true, -1))
        nearest = nearest_in_set(counted[-1], low_codes, high_codes)
        preds.append(LabelColumn(both[0].name, nearest))
        both_codes = np.stack([low_codes, high_codes], axis=1)
        inputs.append(Inputs([one.name for one in both], both_codes))
    return replace(rows, counted=counted, preds=preds, inputs={"sets": inputs}, models=ends.models)


def _refuse_gaps(true: LabelColumn, ends: Sequence[LabelColumn]) -> None:
    """Raise for missing labels."""
    for one in (true, *ends):
        refuse_missing(one.name, int(np.count_nonzero(one.codes < 0)))


def _ends_of_models(table: Table, sets: SetColumns) -> Ends:
    """Return the columns of both ends of the sets; raise unless they are of the same models."""
    low, high, _ = sets
    (lows, models), (highs, others) = (
        table.models(option, given) for option, given in (("low", low), ("high", high))
    )
    if isinstance(low, Mapping) and isinstance(high, Mapping) and set(low) == set(high):
        highs, others = [high[model] for model in low], models
    if (
        (models is None) != (others is None)
        or len(lows) != len(highs)
        or (isinstance(high, Mapping) and others is not models)
    ):
        raise ValueError(
            f"low={brief(low)} and high={brief(high)} must be two columns, or those of the same "
            f"models: {OF_TWO_MODELS}"
        )
    if models is not None and (models.empty or not models.is_unique):
        raise ValueError(f"low={list(models)} must name one or more different columns")
    for option, columns in (("low", lows), ("high", highs)):
        for one in columns:
            table.column(option, one)
    return Ends(lows, highs, models)


def shares_in_sets(table: Table, query: Query, sets: SetColumns) -> xr.DataArray:
    """Return the share of the rows of each true class whose sets hold each class.

    Dimensions are those of a cube of counts, the class in the set in the place of the predicted
    one.
    """
    rows = _sample_of_sets(table, query, sets)
    k = rows.n_classes
    segment, numbers = rows.segments()
    shares = []
    for codes, inputs in zip(rows.counted, rows.inputs["sets"], strict=True):
        there = codes >= 0
        cells, n_cells = segment[there] * k + codes[there], len(numbers) * k
        low, high = inputs.array[there].T
        weights = np.ones(len(cells)) if rows.weights is None else rows.weights[there]
        held = [
            np.bincount(cells, weights * ((low <= code) & (code <= high)), n_cells)
            for code in range(k)
        ]
        with np.errstate(invalid="ignore"):
            of_true = np.stack(held, axis=1) / np.bincount(cells, weights, n_cells)[:, None]
        shares.append(of_true.reshape(-1, k, k))
    keys, places = rows.keys(numbers)
    values = laid_out_over(np.stack(shares, axis=1), places, keys, np.nan)
    return build(values, keys, rows.models, rows.classes.dtype, np.nan)
