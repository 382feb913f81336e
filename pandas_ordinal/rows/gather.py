"""Read the rows of a query: codes, scores, probabilities, weights and groups, as a `Sample`."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from pandas_ordinal.classes.columns import (
    Mask,
    labels_of,
    mask_ignored,
    mask_of,
    refuse_ignored_classes,
    scores_of,
    weights_of,
)
from pandas_ordinal.classes.gate import (
    ClassesLike,
    codes_of,
    positions_of,
    readable,
    refuse_missing,
)
from pandas_ordinal.classes.undeclared import Column
from pandas_ordinal.counting.arrays import Array, Codes, Probabilities, blocks
from pandas_ordinal.errors import ClassOrderError, MissingValueError, an, brief, called, show
from pandas_ordinal.groups import ALL_ROWS, Keep
from pandas_ordinal.query import ABSENT, Query
from pandas_ordinal.reports.metrics import classes_of
from pandas_ordinal.rows.absent_inputs import count_what_occurs
from pandas_ordinal.rows.count_column import times_in
from pandas_ordinal.rows.forecasts import classes_of_forecasts, refuse_array_without_classes
from pandas_ordinal.rows.reference import read_reference, retained
from pandas_ordinal.rows.sample import Inputs, LabelColumn, Sample
from pandas_ordinal.rows.table import Table


def sample(table: Table, query: Query, cluster: Any = None) -> Sample:
    """Read the rows of a query, and their clusters."""
    table, query = selected(table, query)
    weight_column: Column | None = None
    if query.sample_weight is not None:
        weight_column = table.column("sample_weight", query.sample_weight)
    if query.count is not None:
        return _counted_before(table, query, cluster)
    by_option, models = _by_option(table, query)
    columns = [_true(table, query)]
    columns += [table.column("pred", given) for given in by_option.get("pred", [])]
    classes = _classes(query, by_option.get("proba", []), columns[0][1])
    ignored = labels_of(query.ignore)
    refuse_ignored_classes(query.classes, ignored)
    columns, excluded = without_ignored(columns, ignored)
    all_codes, labels = codes_of(columns, classes)
    groups = table.groups(query)
    keep = groups.keep if groups else ALL_ROWS
    inputs = _inputs(table, by_option, labels, keep, query.atol)
    weights = weights_of(*weight_column)[keep] if weight_column is not None else None
    folds = table.folds if cluster is None else None
    true, *preds = (
        LabelColumn(name, codes[keep]) for (name, _), codes in zip(columns, all_codes, strict=True)
    )
    clusters = None
    if cluster is not None:
        clusters = _clusters(*table.column("cluster", cluster), query.dropna)[keep]
        true = true._replace(codes=np.where(clusters < 0, -1, true.codes))
    counted = [true.codes] * len(next(iter(by_option.values())))
    if inputs or ignored:
        left_out = [mask if mask is None else mask[keep] for mask in excluded]
        counted = counted_by(true, preds, inputs, left_out, len(counted), query.dropna)
    if "proba" in inputs:
        refuse_wrong(counted, inputs["proba"], table.index[keep])
    return Sample(
        classes=classes_of(labels, query.bins),
        true=true,
        counted=counted,
        preds=preds,
        inputs=inputs,
        weights=weights,
        in_fractions=weight_column is not None and weight_column[1].dtype.kind == "f",
        groups=groups,
        models=models,
        dropna=query.dropna or bool(ignored),  # then missing labels have been refused above
        clusters=clusters,
        folds=None if folds is None else folds[keep],
        read=partial(read_reference, table, labels, keep, query.atol),
    )


def selected(table: Table, query: Query) -> tuple[Table, Query]:
    """Select the rows that a mask has as sample_weight=, if it is one."""
    if query.sample_weight is not None:
        mask = mask_of(*table.column("sample_weight", query.sample_weight))
        if mask is not None:
            return table.where(mask), replace(query, sample_weight=None)
    return table, query


def _true(table: Table, query: Query) -> Column:
    """Return the true classes; without any, the lowest class of the forecasts in all rows."""
    if query.true is not ABSENT:
        return table.true(query.true)
    classes = classes_of_forecasts(query.proba, query.classes)
    lowest = pd.Categorical.from_codes(np.zeros(len(table.index), np.int8), dtype=classes)
    return "proba", pd.Series(lowest, table.index)


def _counted_before(table: Table, query: Query, cluster: Any) -> Sample:
    """Read a table whose rows stand for several each; those that stand for none are left out."""
    if query.sample_weight is not None:
        raise ValueError(
            "count= and sample_weight= cannot be combined: a table of counts lacks the weight of "
            "each row"
        )
    times = times_in(*table.column("count", query.count))
    there = times > 0
    rows = sample(table.where(there), replace(query, count=None), cluster)
    keep = ALL_ROWS if rows.groups is None else rows.groups.keep
    return replace(rows, times=times[there][keep])


def sample_of_report(table: Table, query: Query, cluster: Any = None) -> Sample:
    """Read the rows of a report, whose metrics of rows and of labels count the same rows.

    If no row of a group has scores, or none has probabilities, those metrics alone are undefined.
    """
    return count_what_occurs(sample(table, query, cluster))


def _clusters(name: Any, values: pd.Series[Any], dropna: bool) -> Codes:
    """Return the number of the cluster of each row, -1 for one missing with ``dropna=True``."""
    codes, _ = pd.factorize(values)
    missing = int((codes < 0).sum())
    if missing and not dropna:
        raise MissingValueError(
            f"the cluster {name!r} is missing in {missing} row{'s' * (missing > 1)}: fill it in, "
            f"or give dropna=True, which leaves {'this row' if missing == 1 else 'these rows'} out"
        )
    return codes


def _by_option(table: Table, query: Query) -> tuple[dict[str, list[Any]], pd.Index[Any] | None]:
    """Return the columns of each model by option, and the models if there are several."""
    by_option: dict[str, list[Any]] = {}
    models = None
    for option, one in query.scored.items():
        given, names = table.models(option, one)
        if not by_option:
            models = names
            if names is not None and (names.empty or not names.is_unique):
                raise ValueError(f"{option}={list(names)} must name one or more different columns")
        elif models is not None:
            given = _paired(option, one, given, names, models)
        elif names is not None:
            raise TypeError(
                f"{option}= lists {len(given)} models, but {next(iter(by_option))}= names one: "
                f"give one, or a list of as many as {option}="
            )
        by_option[option] = given
    return by_option, models


def _paired(
    option: str, one: Any, given: list[Any], names: pd.Index[Any] | None, models: pd.Index[Any]
) -> list[Any]:
    """Return the columns of several models: in order, or by name in a dict that may lack some."""
    if isinstance(one, Mapping) and names is not None:
        if not set(names) <= set(models):
            raise ValueError(
                f"{option}= has the models {list(names)}, but there are {list(models)}: give a "
                "dict with the same ones"
            )
        return [one.get(model, ABSENT) for model in models]
    if names is None or len(given) != len(models):
        shown = an(type(one).__name__) if isinstance(one, pd.DataFrame) else brief(one)
        raise ValueError(
            f"{option}={shown} must be a list with an item for each of the {len(models)} "
            f"prediction columns {show(list(models))}, in their order"
        )
    return given


def _is_ordered(labels: pd.Series[Any]) -> bool:
    return isinstance(labels.dtype, pd.CategoricalDtype) and bool(labels.dtype.ordered)


def _classes(query: Query, proba: Sequence[Any], true: pd.Series[Any]) -> ClassesLike | None:
    """Return the classes that are given or that probabilities declare; None if only labels do."""
    classes = query.classes
    if classes is None:
        classes = _declared_by(proba, true)
    if any(isinstance(one, np.ndarray) and one.ndim == 2 for one in proba):
        refuse_array_without_classes(classes is not None or _is_ordered(true))
    return classes


def _declared_by(proba: Sequence[Any], true: pd.Series[Any]) -> pd.CategoricalDtype | None:
    """Return the classes that an ordered Categorical of columns of probabilities declares.

    Unless the truth declares an order of its own that is not part of it.
    """
    for given in proba:
        index = given.columns if isinstance(given, pd.DataFrame) else given
        if isinstance(index, pd.CategoricalIndex) and index.ordered:
            dtype = pd.CategoricalDtype(index.categories, ordered=True)
            own = true.cat.categories if _is_ordered(true) else index.categories
            places = positions_of(own, dtype)
            if (places >= 0).all() and (np.diff(places) > 0).all():
                return dtype
    return None


def _inputs(
    table: Table,
    by_option: Mapping[str, list[Any]],
    classes: pd.CategoricalDtype,
    keep: Keep,
    atol: float | None,
) -> dict[str, list[Inputs]]:
    """Read the scores and the probabilities of each model, in the rows of the groups."""
    inputs: dict[str, list[Inputs]] = {}
    nothing = np.full(len(table.index[keep]), np.nan)
    if "score" in by_option:
        inputs["score"] = []
        for given in by_option["score"]:
            if given is not ABSENT:
                name, column = table.column("score", given)
                inputs["score"].append(Inputs([name], scores_of(name, column)[keep]))
            else:
                inputs["score"].append(_absent(nothing))
    if "proba" in by_option:
        inputs["proba"] = []
        for given in by_option["proba"]:
            if given is not ABSENT:
                columns = table.proba(given, classes)
                names = [name for name, _ in columns]
                inputs["proba"].append(Inputs(names, retained(columns, keep, atol, "atol")))
            else:
                n_classes = len(classes.categories)
                inputs["proba"].append(_absent(Probabilities([nothing] * n_classes, 0)))
    return inputs


def _absent(array: Array | Probabilities) -> Inputs:
    """Return the inputs of a model that has no scores or no probabilities."""
    n_rows = len(array.columns[0] if isinstance(array, Probabilities) else array)
    return Inputs([], array, np.ones(n_rows, bool))


def without_ignored(
    columns: Sequence[Column], ignored: Sequence[Any]
) -> tuple[list[Column], list[Mask | None]]:
    """Set ignored labels to missing; also return a mask of them for each column."""
    retained: list[Column] = []
    masks = []
    for name, labels in columns:
        _refuse_text_among_numbers(name, labels, ignored)
        column, mask = mask_ignored(readable(name, labels), ignored)
        retained.append((name, column))
        masks.append(mask)
    return retained, masks


def _refuse_text_among_numbers(
    name: Hashable, labels: pd.Series[Any], ignored: Sequence[Any]
) -> None:
    """Raise if ignored labels are text but a column has numbers: none would match."""
    texts = [one for one in ignored if isinstance(one, str)]
    if texts and labels.dtype.kind in "iuf":
        raise ClassOrderError(
            f"ignore= holds the text {brief(texts[0])}, but {called(name)} holds numbers "
            f"({labels.dtype}): give the number"
        )


def counted_by(
    true: LabelColumn,
    preds: Sequence[LabelColumn],
    inputs: Mapping[str, Sequence[Inputs]],
    ignored: Sequence[Mask | None],
    n_models: int,
    dropna: bool,
) -> list[Codes]:
    """Return the true classes for each model, -1 in rows that lack a value of this model.

    All metrics of a report then count the same rows. Rows with an ignored label, true or
    predicted, are dropped without an error, whatever else they lack.
    """
    counted = []
    for model in range(n_models):
        labels = [true, *preds[model : model + 1]]
        others = [of_option[model] for of_option in inputs.values()]
        names = [one.name for one in labels] + [name for one in others for name in one.names]
        masks = [ignored[0], *ignored[model + 1 : model + 2]]
        n_missing, codes = np.zeros(len(names), int), true.codes
        for rows in blocks(len(codes)):
            excluded = np.zeros(len(codes[rows]), bool)
            for mask in masks:
                if mask is not None:
                    excluded |= mask[rows]
            absent = [one.codes[rows] < 0 for one in labels]
            absent += [column for one in others for column in one.missing(rows)]
            n_missing += [np.count_nonzero(column & ~excluded) for column in absent]
            missing = np.logical_or.reduce([excluded, *absent])
            if missing.any():
                codes = codes.copy() if codes is true.codes else codes
                codes[rows][missing] = -1
        for name, n in zip(names, n_missing, strict=True):
            refuse_missing(name, 0 if dropna else int(n))
        counted.append(codes)
    return counted


def refuse_wrong(counted: Sequence[Codes], proba: Sequence[Inputs], index: pd.Index[Any]) -> None:
    """Raise unless the probabilities of each model are valid in the rows that count."""
    for codes, one in zip(counted, proba, strict=True):
        assert isinstance(one.array, Probabilities)
        if one.lacking is None:
            one.array.refuse_wrong(codes, index)
