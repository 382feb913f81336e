"""Predictions of several models one below the other, put side by side by the case they are of."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from pandas_ordinal.accessors.comparison import compared, refuse_missing_labels
from pandas_ordinal.accessors.report import MetricsLike
from pandas_ordinal.accessors.rows import FrameTable, sample
from pandas_ordinal.accessors.sample import LabelColumn, Sample
from pandas_ordinal.arrays import Array, Codes, Positions
from pandas_ordinal.counts import Factor
from pandas_ordinal.groups import ALL_ROWS, Groups, group, names_of
from pandas_ordinal.query import Comparing, Query


def compared_rows(
    table: FrameTable,
    query: Query,
    metrics: MetricsLike | None,
    asked: Comparing,
    model: Hashable | None,
    case: Hashable | list[Any] | None,
) -> pd.DataFrame:
    """Compare models whose predictions are side by side, or one below the other."""
    if model is None:
        if case is not None:
            raise ValueError("id= says which rows of several models are the same: give model= too")
        found = sample(table, query, asked.cluster)
        if found.models is None and found.groups is not None:
            key = found.groups.index(np.zeros(0, np.intp)).names[0]
            raise ValueError(
                "compare needs two models or more, and groups are compared within each: if the "
                f"column {key!r} tells the models, give model={key!r}, and the columns that say "
                "which rows are the same case as id=, instead of grouping by it"
            )
        return compared(found, metrics, asked)
    if case is None:
        raise ValueError(
            "model= needs id=, the columns that say which rows are the same case, such as id='row'"
        )
    return compared(side_by_side(table, query, asked.cluster, model, case), metrics, asked)


def side_by_side(
    table: FrameTable, query: Query, cluster: Any, model: Hashable, case: Hashable | list[Any]
) -> Sample:
    """Gather the rows that a query asks about, a prediction of each model beside a case."""
    found = sample(table, query, cluster)
    if found.models is not None:
        raise ValueError("model= needs a single column of predictions: give its label as pred=")
    refuse_missing_labels(found)
    by_model = group(table.frame, model, dropna=query.dropna)
    by_case = group(table.frame, case, dropna=query.dropna)
    n_rows = len(table.frame)
    of_case, of_model, of_group = (
        _numbers(groups, n_rows) for groups in (by_case, by_model, found.groups)
    )
    there = (of_case >= 0) & (of_model >= 0) & (of_group >= 0)
    there[of_group >= 0] &= found.true.codes >= 0
    kept = there[of_group >= 0]
    models, of_model = np.unique(of_model[there], return_inverse=True)
    keys = of_group[there] * (int(of_case.max(initial=0)) + 1) + of_case[there]
    cases, first, of_case = np.unique(keys, return_index=True, return_inverse=True)
    rows = np.flatnonzero(there)
    places = of_case * len(models) + of_model
    _refuse_twice(places, rows, n_rows, by_case, by_model, case)
    constant = {found.true.name: found.true.codes[kept]}
    if found.clusters is not None:
        constant[cluster] = found.clusters[kept]
    for name, codes in constant.items():
        _refuse_changes(name, codes, codes[first][of_case], case, table, rows)

    def beside(column: Array, missing: float) -> Array:
        """Put the values of each model beside the cases."""
        shape = len(models), len(cases), *column.shape[1:]
        values = np.full(shape, missing, column.dtype)
        values[of_model, of_case] = column[kept]
        return values

    return replace(
        found,
        true=LabelColumn(found.true.name, found.true.codes[kept][first]),
        counted=list(beside(found.counted[0], -1)),
        preds=[LabelColumn(p.name, codes) for p in found.preds for codes in beside(p.codes, -1)],
        inputs={
            option: [one._replace(array=array) for array in beside(one.array[:], np.nan)]
            for option, (one,) in found.inputs.items()
        },
        groups=found.groups and _groups(found.groups, of_group[there][first]),
        models=by_model.index(models),
        dropna=True,
        clusters=None if found.clusters is None else found.clusters[kept][first],
    )


def _groups(groups: Groups, numbers: Positions) -> Groups:
    """Return the groups of the cases, of which these are the numbers."""
    which, codes = np.unique(numbers, return_inverse=True)
    return Groups([Factor(codes, len(which))], [groups.index(which)], ALL_ROWS)


def _numbers(groups: Groups | None, n_rows: int) -> Positions:
    """Return the number of the group of each row, -1 where it has none."""
    if groups is None:
        return np.zeros(n_rows, np.intp)
    numbers = np.full(n_rows, -1)
    numbers[groups.keep] = groups.numbers()
    return numbers


def _refuse_twice(
    places: Positions, rows: Positions, n_rows: int, by_case: Groups, by_model: Groups, case: Any
) -> None:
    """Raise if a model predicts a case twice."""
    twice = pd.Series(places).duplicated().to_numpy()
    if twice.any():
        row = rows[twice][:1]
        (label,), (model,) = (one.index(_numbers(one, n_rows)[row]) for one in (by_case, by_model))
        first, *others = names_of(case)
        repeated = (
            ""
            if others
            else f"; if they are repeated predictions of the same case, give cluster={first!r} too"
        )
        raise ValueError(
            f"{int(twice.sum())} rows have the same id={case!r} as another one of the same model, "
            f"such as {list(label) if isinstance(label, tuple) else [label]} of {model!r}: name "
            f"more columns in id=, as id=['row', 'repeat'], or drop the duplicates{repeated}"
        )


def _refuse_changes(
    name: Hashable, codes: Codes, firsts: Codes, case: Any, table: FrameTable, rows: Positions
) -> None:
    """Raise unless all models see the same of each case."""
    changes = codes != firsts
    if changes.any():
        label = table.frame.index[rows[changes][0]]
        raise ValueError(
            f"{name!r} differs between models in {int(changes.sum())} rows of the same "
            f"id={case!r}, the first at index {label!r}: check that id= says which rows are the "
            "same case"
        )
