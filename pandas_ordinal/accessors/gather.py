"""Columns of a frame, gathered into counts, and into cases where counts will not do."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pandas_ordinal.accessors.array import ArrayOrdinal
from pandas_ordinal.accessors.cases import Cases, Inputs, cases, missing_in
from pandas_ordinal.accessors.methods import ProbaLike
from pandas_ordinal.accessors.tally import Labels, Tally, tally
from pandas_ordinal.bins import BinsLike
from pandas_ordinal.classes import ClassesLike, align, declared, encode, shared
from pandas_ordinal.counts import Weights
from pandas_ordinal.errors import ClassOrderError
from pandas_ordinal.groups import Groups, column, refuse_no_label
from pandas_ordinal.metrics.metric import Metric, Needs
from pandas_ordinal.metrics.probability import refuse_other_than_probabilities
from pandas_ordinal.metrics.segments import refuse_weights
from pandas_ordinal.predictions import (
    columns_by_class,
    probabilities_of,
    refuse_no_columns,
    scores_of,
)

OTHERWISE = "two Series are scored by true.ordinal, as in df['y'].ordinal.oci(df['yhat'])"


def tally_frame(
    frame: pd.DataFrame,
    groups: Groups | None,
    true: Hashable,
    pred: Hashable | list[Any] | pd.Index[Any],
    sample_weight: Hashable | None,
    classes: ClassesLike | None,
    bins: BinsLike | None,
    dropna: bool,
    score: Hashable | list[Any] | None = None,
    proba: Any = None,
) -> Tally:
    """Count the rows of a frame, and gather their scores and probabilities if there are some."""
    preds, models = _models(frame, "pred", pred)
    refuse_no_label("true", true, OTHERWISE)
    names = list(dict.fromkeys([true, *preds]))
    codes, dtype = encode([(name, column(frame, name)) for name in names], classes)
    by_name = dict(zip(names, codes, strict=True))
    return counted(
        (true, by_name[true]),
        [(name, by_name[name]) for name in preds],
        dtype,
        _inputs(frame, models, score, proba, dtype),
        bins=bins,
        dropna=dropna,
        weights=_weights(frame, sample_weight),
        groups=groups,
        models=models,
        index=frame.index,
    )


def counted(
    true: Labels,
    preds: Sequence[Labels],
    dtype: pd.CategoricalDtype,
    inputs: Mapping[Needs, Sequence[Inputs]],
    *,
    bins: BinsLike | None,
    dropna: bool,
    weights: Weights | None,
    groups: Groups | None = None,
    models: pd.Index[Any] | None = None,
    index: pd.Index[Any],
) -> Tally:
    """Count rows, and gather the scores and probabilities that there are beside their labels.

    A row without one of these is left out of all, so that one n stands beside all metrics.
    """
    missing = [
        np.any([codes < 0, *(missing_in(given[m][1]) for given in inputs.values())], axis=0)
        for m, (_, codes) in enumerate(preds if inputs else [])
    ]
    shared: dict[str, Any] = {
        "dropna": dropna,
        "weights": weights,
        "groups": groups,
        "models": models,
    }
    gathered: dict[Needs, Cases] = {
        needs: cases(true, given, dtype, index=index, also_missing=missing, **shared)
        for needs, given in inputs.items()
    }
    if dropna and inputs:
        preds = [
            (name, np.where(lost, -1, codes))
            for (name, codes), lost in zip(preds, missing, strict=True)
        ]
    return tally(true, preds, dtype, bins=bins, cases=gathered, **shared)


def ranking_cases(
    frame: pd.DataFrame,
    groups: Groups | None,
    true: Hashable,
    score: Hashable | list[Any] | pd.Index[Any],
    others: Sequence[Hashable],
    sample_weight: Hashable | None,
    classes: ClassesLike | None,
    dropna: bool,
) -> Cases:
    """Gather the rows of a frame with one or more scores, each beside the same others."""
    scores, models = _models(frame, "score", score)
    inputs = [_ranking(frame, name, others) for name in scores]
    true_labels, dtype = _true(frame, true, classes)
    row_weights = _weights(frame, sample_weight)
    return cases(
        true_labels, inputs, dtype, dropna=dropna, weights=row_weights, groups=groups,
        models=models, index=frame.index,
    )  # fmt: skip


def forecast_cases(
    frame: pd.DataFrame,
    groups: Groups | None,
    true: Hashable,
    proba: ProbaLike,
    sample_weight: Hashable | None,
    classes: ClassesLike | None,
    dropna: bool,
) -> Cases:
    """Gather the rows of a frame with the probabilities of the classes."""
    true_labels, dtype = _true(frame, true, classes)
    inputs = [_forecast(frame, proba, dtype)]
    row_weights = _weights(frame, sample_weight)
    return cases(
        true_labels, inputs, dtype, dropna=dropna, weights=row_weights, groups=groups,
        index=frame.index,
    )  # fmt: skip


def forecast(
    frame: pd.DataFrame, proba: ProbaLike, classes: ClassesLike | None
) -> tuple[npt.NDArray[np.float64], pd.CategoricalDtype, npt.NDArray[Any]]:
    """Read class probabilities without truth: them, the classes, and which rows have them all."""
    refuse_no_columns(proba)
    labels = pd.Series(proba if isinstance(proba, pd.CategoricalIndex) else list(proba))
    try:
        dtype = shared([("proba", labels)]) if classes is None else declared(classes)
    except ClassOrderError as error:
        if classes is not None:
            raise
        raise ClassOrderError(
            f"proba= names the classes {labels.tolist()} in no declared order: give "
            "classes=[...], lowest first, or the dtype of the true classes, as df['y'].dtype"
        ) from error
    _, (values,) = _forecast(frame, proba, dtype)
    known = ~missing_in([values])
    refuse_other_than_probabilities(values[known], frame.index[known])
    return values, dtype, known


def score(rows: Tally, metric: Metric, options: dict[str, Any]) -> Any:
    """Score a tally, as pandas objects or, for a class-by-class matrix, as a DataArray."""
    if metric.output == ("true", "pred"):
        options = {
            name: align(name, value, rows.classes, rows.labels) for name, value in options.items()
        }
        return ArrayOrdinal(rows.cube())._score(metric, options)
    return rows.score(metric, options)


def weights(values: pd.Series[Any]) -> Weights:
    """Return the weights that a column holds."""
    numbers = values.to_numpy()
    if isinstance(values.dtype, pd.api.extensions.ExtensionDtype) and values.dtype.kind in "biuf":
        numbers = values.to_numpy(dtype=float, na_value=np.nan)
    return refuse_weights(numbers, repr(values.name))


def _models(
    frame: pd.DataFrame, option: str, labels: Any
) -> tuple[list[Hashable], pd.Index[Any] | None]:
    """Return the columns of one model, or of several that are named by their columns."""
    if not isinstance(labels, (list, pd.Index, np.ndarray)):
        refuse_no_label(option, labels, OTHERWISE)
        return [labels], None
    columns = list(labels)
    for label in columns:
        refuse_no_label(option, label, OTHERWISE)
    if not columns or len(set(columns)) < len(columns):
        raise ValueError(f"{option}={columns} must name one or more different columns")
    name = frame.columns.name if frame.columns.name is not None else "model"
    return columns, pd.Index(columns, name=name, tupleize_cols=False)


def _true(
    frame: pd.DataFrame, true: Hashable, classes: ClassesLike | None
) -> tuple[Labels, pd.CategoricalDtype]:
    refuse_no_label("true", true, OTHERWISE)
    (codes,), dtype = encode([(true, column(frame, true))], classes)
    return (true, codes), dtype


def _weights(frame: pd.DataFrame, sample_weight: Hashable | None) -> Weights | None:
    refuse_no_label("sample_weight", sample_weight, OTHERWISE)
    return None if sample_weight is None else weights(column(frame, sample_weight))


def _inputs(
    frame: pd.DataFrame,
    models: pd.Index[Any] | None,
    score: Any,
    proba: Any,
    dtype: pd.CategoricalDtype,
) -> dict[Needs, list[Inputs]]:
    """Gather what a report shows beside labels, for each of its models."""
    inputs: dict[Needs, list[Inputs]] = {}
    if score is not None:
        inputs["scores"] = [_ranking(frame, name) for name in _paired("score", score, models)]
    if proba is not None:
        each = _paired("proba", proba, models)
        inputs["probabilities"] = [_forecast(frame, columns, dtype) for columns in each]
    return inputs


def _paired(option: str, given: Any, models: pd.Index[Any] | None) -> list[Any]:
    """Return what is given for each model: a single thing, or one for each prediction column."""
    if models is None:
        return [given]
    if not isinstance(given, (list, pd.Index, np.ndarray)) or len(given) != len(models):
        raise ValueError(
            f"{option}={given!r} must be a list with an item for each of the {len(models)} "
            f"prediction columns {list(models)}, in their order"
        )
    return list(given)


def _ranking(frame: pd.DataFrame, name: Hashable, others: Sequence[Hashable] = ()) -> Inputs:
    """Read a column of scores, and others beside it."""
    for option, label in (("score", name), *(("other", other) for other in others)):
        refuse_no_label(option, label, OTHERWISE)
    names = [name, *others]
    return names, [scores_of(label, column(frame, label)) for label in names]


def _forecast(frame: pd.DataFrame, proba: Any, dtype: pd.CategoricalDtype) -> Inputs:
    """Read the columns of class probabilities, in the order of the classes."""
    refuse_no_columns(proba)
    columns = columns_by_class(proba, dtype)
    return columns, [probabilities_of([(label, column(frame, label)) for label in columns])]
