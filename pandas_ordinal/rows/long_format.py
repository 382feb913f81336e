"""Predictions in long format, with a row per model and case, put side by side."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from pandas_ordinal.classes.gate import refuse_missing
from pandas_ordinal.counting.arrays import Array, Codes, Positions, Probabilities
from pandas_ordinal.counting.counts import Factor, number_pairs
from pandas_ordinal.errors import brief
from pandas_ordinal.groups import ALL_ROWS, Groups, group, names_of_keys, numbers_of_rows
from pandas_ordinal.metrics.proba_kernel import BY_ROW
from pandas_ordinal.query import Query
from pandas_ordinal.rows.gather import sample
from pandas_ordinal.rows.reference import Options
from pandas_ordinal.rows.sample import LabelColumn, Sample
from pandas_ordinal.rows.table import FrameTable


def refuse_missing_labels(sample: Sample) -> None:
    """Raise if a label is missing, unless rows with missing labels are left out."""
    if not sample.dropna:
        for column in (sample.true, *sample.preds):
            refuse_missing(column.name, int((column.codes < 0).sum()))


def side_by_side(
    table: FrameTable, query: Query, cluster: Any, model: Hashable, case: Hashable | list[Any]
) -> Sample:
    """Reshape predictions in long format, with a row per model and case, to one row per case."""
    long = sample(table, query, cluster)
    if long.models is not None:
        raise ValueError("model= needs a single column of predictions: give its label as pred=")
    refuse_missing_labels(long)
    by_model = group(table.frame, model, dropna=query.dropna)
    by_case = group(table.frame, case, dropna=query.dropna)
    n_rows = len(table.frame)
    of_case, of_model, of_group = (
        numbers_of_rows(groups, n_rows) for groups in (by_case, by_model, long.groups)
    )
    in_all = (of_case >= 0) & (of_model >= 0) & (of_group >= 0)
    in_all[of_group >= 0] &= long.true.codes >= 0
    retained = in_all[of_group >= 0]
    models = np.unique(of_model[(of_model >= 0) & (of_group >= 0)])
    of_model = np.searchsorted(models, of_model[in_all])
    first, of_case = number_pairs(of_group[in_all], of_case[in_all])
    # groups of which no case is left have one without labels, or they would not be in the result
    lost = np.setdiff1d(of_group[of_group >= 0], of_group[in_all])
    positions = np.flatnonzero(in_all)
    cells = of_case * len(models) + of_model
    _refuse_twice(cells, positions, n_rows, by_case, by_model, case)
    long.warn_of_repeats()
    constant: dict[Any, Array] = {long.true.name: long.true.codes[retained]}
    if long.clusters is not None:
        constant[cluster] = long.clusters[retained]
    if long.weights is not None:
        constant[query.sample_weight] = long.weights[retained]
    for name, values in constant.items():
        _refuse_changes(name, values, values[first][of_case], case, table, positions)

    def of_cases(values: Array) -> Array:
        """Return the values of each case."""
        return np.append(values[retained][first], np.full(len(lost), -1))

    def per_model(values: Array, missing: float) -> Array:
        """Return the values of each model, case by case."""
        shape = len(models), len(first) + len(lost), *values.shape[1:]
        dtype = np.promote_types(values.dtype, np.min_scalar_type(missing))
        result = np.full(shape, missing, dtype)
        result[of_model, of_case] = values[retained]
        return result

    def read(options: Options, codes: Codes) -> Options:
        """Read a reference for each case."""
        given = long.read(options, long.true.codes)
        reference = given.get(BY_ROW)
        if not isinstance(reference, Probabilities):
            return given
        for column in reference.columns:
            values = column[retained]
            _refuse_changes(BY_ROW, values, values[first][of_case], case, table, positions)
        return {**given, BY_ROW: replace(reference, columns=[*map(of_cases, reference.columns)])}

    return replace(
        long,
        read=read,
        true=LabelColumn(long.true.name, of_cases(long.true.codes)),
        counted=list(per_model(long.counted[0], -1)),
        preds=[LabelColumn(p.name, codes) for p in long.preds for codes in per_model(p.codes, -1)],
        inputs={
            option: [one._replace(array=array) for array in per_model(one.array[:], np.nan)]
            for option, (one,) in long.inputs.items()
        },
        groups=long.groups and _groups(long.groups, np.append(of_group[in_all][first], lost)),
        models=by_model.index(models),
        dropna=True,
        clusters=None if long.clusters is None else of_cases(long.clusters),
        weights=None if long.weights is None else of_cases(long.weights),
        folds=None,
    )


def _groups(groups: Groups, numbers: Positions) -> Groups:
    """Return the groups of the cases, from their numbers."""
    which, codes = np.unique(numbers, return_inverse=True)
    return Groups([Factor(codes, len(which))], [groups.index(which)], ALL_ROWS)


def _refuse_twice(
    places: Positions, rows: Positions, n_rows: int, by_case: Groups, by_model: Groups, case: Any
) -> None:
    """Raise if a model predicts a case twice."""
    twice = pd.Series(places).duplicated().to_numpy()
    if twice.any():
        row = rows[twice][:1]
        (label,), (model,) = (
            of.index(numbers_of_rows(of, n_rows)[row]) for of in (by_case, by_model)
        )
        first, *others = names_of_keys(case)
        repeated = (
            ""
            if others
            else f"; if they are repeated predictions of the same case, give cluster={first!r} too"
        )
        n_rows_twice = int(twice.sum())
        rows_have = "1 row has" if n_rows_twice == 1 else f"{n_rows_twice} rows have"
        raise ValueError(
            f"{rows_have} the same id={brief(case)} as another one of the same model, "
            f"such as {list(label) if isinstance(label, tuple) else [label]} of {model!r}: name "
            f"more columns in id=, such as id=['row', 'repeat'], or drop the duplicates{repeated}"
        )


def _refuse_changes(
    name: Hashable, values: Array, firsts: Array, case: Any, table: FrameTable, rows: Positions
) -> None:
    """Raise unless a column has the same value for all models of each case."""
    changes = values != firsts
    if changes.any():
        label, count = table.frame.index[rows[changes][0]], int(changes.sum())
        raise ValueError(
            f"{name!r} differs between models in {count} row{'s' * (count > 1)} of the same "
            f"id={brief(case)}, the first at index {label!r}: check that id= identifies the case"
        )
