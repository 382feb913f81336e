"""Models that predict the same rows, compared pair by pair."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from pandas_ordinal import inference
from pandas_ordinal.classes.gate import refuse_missing
from pandas_ordinal.counting.arrays import Array, Codes, Floats, Positions
from pandas_ordinal.counting.counts import Factor
from pandas_ordinal.errors import UnknownNameError, did_you_mean
from pandas_ordinal.groups import ALL_ROWS, Groups, group, levels_of, names_of_keys
from pandas_ordinal.metrics.metric import Resolved
from pandas_ordinal.query import Comparison, Query, Uncertainty
from pandas_ordinal.reports.metrics import MetricsLike, metrics_of_report, of_counts_and_rows
from pandas_ordinal.rows.gather import sample
from pandas_ordinal.rows.sample import LabelColumn, Sample
from pandas_ordinal.rows.table import FrameTable


def compared(sample: Sample, metrics: MetricsLike | None, asked: Comparison) -> pd.DataFrame:
    """Compare the models of a sample on the rows that all of them predict."""
    models = sample.models
    if models is None or len(models) < 2:
        raise ValueError(
            "compare needs two models or more: give a list, a dict of Series, or model="
        )
    inference.pairs.refuse_neither(models)
    first, second = _pairs(models, asked.reference)
    wanted = metrics_of_report(
        metrics, sample.classes, [*(["pred"] if sample.preds else []), *sample.inputs]
    )
    if not wanted:
        raise ValueError("metrics= names no metric: leave it out, or name those to compare")
    of_counts, of_rows = of_counts_and_rows(wanted)
    _refuse_without_rule(of_rows, asked)
    measures = inference.report.measures_of(of_counts, sample.classes, Uncertainty())
    rows, order, numbers, shares = _paired(sample, models)
    found = inference.pairs.paired_differences(measures, rows, first, second) if measures else {}
    for name, metric in of_rows.items():
        columns = [inputs.array[order] for inputs in sample.inputs[metric.metric.takes]]
        found[name] = inference.pairs.differences_of_rows(
            metric, sample.classes, rows, columns, first, second
        )
    drawn: Mapping[str, Floats] = {}
    if asked.method == "permutation":
        drawn = inference.pairs.permuted(
            measures, rows, first, second, n_permutations=asked.n_permutations, seed=asked.seed,
            progress=asked.progress,
        )  # fmt: skip
    parts = [
        _columns(wanted[name], found[name], drawn.get(name), asked.ci, first, second)
        for name in wanted
    ]
    n_rows = np.bincount(rows.group, minlength=len(numbers))
    shape = (len(numbers), len(wanted), len(first))
    table = {name: np.stack([one[name] for one in parts], axis=1).ravel() for name in parts[0]}
    data = {
        **table,
        "better": inference.pairs.better_of(models, table["better"]),
        "n": np.broadcast_to(n_rows[:, None, None], shape).ravel(),
    }
    for which, place in (("a", first), ("b", second)):
        of_pair = shares[:, place][:, None, :]
        data[f"share_{which}"] = np.broadcast_to(of_pair, shape).ravel()
    return pd.DataFrame(data, _index(sample, numbers, list(wanted), models, first, second))


def _columns(
    one: Resolved,
    found: inference.pairs.Differences,
    drawn: Floats | None,
    ci: float,
    first: Positions,
    second: Positions,
) -> dict[str, Array]:
    """Return the columns of a comparison by one metric, each ``(groups, pairs)``."""
    a, b = found.values[:, first], found.values[:, second]
    tolerance = found.tolerance[:, first] + found.tolerance[:, second]
    with np.errstate(invalid="ignore"):  # two losses that are infinite
        df, difference = found.df[:, None], a - b
    se = np.where((df >= 1) & np.isfinite(difference), found.se, np.nan)
    p = inference.pairs.p_values(difference, se, df, tolerance) if drawn is None else drawn
    if not one.metric.of_a_model:
        se, p = np.full((2, *se.shape), np.nan)
    half = inference.interval.quantile(df, ci) * se
    adjusted = inference.pairs.holm(p)
    is_real = (adjusted <= 1 - ci) & (np.abs(difference) > tolerance)
    up, n_models = one.metric.greater_is_better, found.values.shape[1]
    better = np.where(is_real, np.where((difference > 0) == up, first, second), n_models)
    return {
        "value_a": a,
        "value_b": b,
        "difference": difference,
        "se": se,
        "low": difference - half,
        "high": difference + half,
        "p_value": p,
        "p_adjusted": adjusted,
        "better": np.where(np.isnan(adjusted) | (up is None), -1, better),
    }


def _refuse_without_rule(wanted: Mapping[str, Resolved], asked: Comparison) -> None:
    """Raise for metrics of scores and probabilities that cannot be compared, or not this way."""
    for name, (metric, _) in wanted.items():
        if metric.has_influence and asked.method == "influence":
            continue
        how = 'with method="permutation"' if metric.has_influence else "by compare"
        raise ValueError(
            f"{name} is a metric of {metric.needs}, which cannot be compared {how}: leave it out "
            "of metrics="
        )


def _pairs(models: pd.Index[Any], reference: Any) -> tuple[Positions, Positions]:
    """Return the places of the models of each pair."""
    if reference is None:
        pairs = list(itertools.combinations(range(len(models)), 2))
    else:
        places = {model: place for place, model in enumerate(models)}
        if not isinstance(reference, Hashable) or reference not in places:
            raise UnknownNameError(
                f"reference={reference!r} is none of the models {list(models)}"
                f"{did_you_mean(reference, models)}"
            )
        own = places[reference]
        pairs = [(own, other) for other in range(len(models)) if other != own]
    first, second = np.array(pairs, dtype=np.intp).T
    return first, second


def _paired(
    sample: Sample, models: pd.Index[Any]
) -> tuple[inference.pairs.PairedRows, Positions, Positions, Floats]:
    """Return the rows that all models predict, where they are, their groups, and the shares."""
    there = np.stack([codes >= 0 for codes in sample.counted])
    for model, pred in enumerate(sample.preds):
        there[model] &= pred.codes >= 0
    refuse_missing_labels(sample)
    n_rows = there.shape[1]
    group = np.zeros(n_rows, np.intp) if sample.groups is None else sample.groups.numbers()
    numbers, group = np.unique(group, return_inverse=True)
    if sample.groups is None:
        numbers = np.zeros(1, np.intp)
    common = there.all(axis=0)
    by_model = [np.bincount(group[one], minlength=len(numbers)) for one in there]
    of_any = np.bincount(group[there.any(axis=0)], minlength=len(numbers))
    n_common = np.bincount(group[common], minlength=len(numbers))
    if not len(numbers) or not n_common.all():
        by = sample.groups
        where = (
            ""
            if by is None or not len(numbers)
            else f" in the group {by.index(numbers)[n_common == 0][0]!r}"
        )
        counts = {model: int(n.sum()) for model, n in zip(models, by_model, strict=True)}
        raise ValueError(
            f"the models have no row in common{where}; rows of each model: {counts}. Compare "
            "models that predict the same rows, and check id="
        )
    order = np.flatnonzero(common)[np.argsort(group[common], kind="stable")]
    cluster = None if sample.clusters is None else sample.clusters[order]
    rows = inference.pairs.PairedRows(
        true=sample.true.codes[order],
        preds=[pred.codes[order] for pred in sample.preds],
        group=group[order],
        n_groups=len(numbers),
        n_classes=sample.n_classes,
        cluster=cluster,
    )
    return rows, order, numbers, np.stack(by_model, axis=1) / of_any[:, None]


def refuse_missing_labels(sample: Sample) -> None:
    """Raise if a label is missing, unless rows with missing labels are left out."""
    if not sample.dropna:
        for column in (sample.true, *sample.preds):
            refuse_missing(column.name, int((column.codes < 0).sum()))


def _index(
    sample: Sample,
    numbers: Positions,
    names: list[str],
    models: pd.Index[Any],
    first: Positions,
    second: Positions,
) -> pd.MultiIndex:
    """Return the labels of the rows: the keys of the groups, metric, a and b.

    Metrics and models are levels in the order in which they were given, by which the rows are
    sorted: rows are then looked up fast.
    """
    n_groups, n_metrics, n_pairs = len(numbers), len(names), len(first)
    keys = [] if sample.groups is None else levels_of(sample.groups.index(numbers))
    for key in keys:
        if key.name in ("metric", "a", "b"):
            raise ValueError(f"by= names a key {key.name!r}, as compare does: rename the column")
    metric = pd.Index(np.tile(np.repeat(np.array(names, object), n_pairs), n_groups))
    pairs = [models.take(np.tile(place, n_groups * n_metrics)) for place in (first, second)]
    levels = [key.repeat(n_metrics * n_pairs) for key in keys]
    index = pd.MultiIndex.from_arrays(
        [*levels, metric, *pairs], names=[*(key.name for key in keys), "metric", "a", "b"]
    )
    given = [one.factorize() for one in (metric, *pairs)]
    every: list[Any] = [*index.levels[: len(keys)], *(labels for _, labels in given)]
    codes: list[Any] = [*index.codes[: len(keys)], *(codes for codes, _ in given)]
    return pd.MultiIndex(levels=every, codes=codes, names=index.names)


def compared_rows(
    table: FrameTable,
    query: Query,
    metrics: MetricsLike | None,
    asked: Comparison,
    model: Hashable | None,
    case: Hashable | list[Any] | None,
) -> pd.DataFrame:
    """Compare models whose predictions are in wide or in long format."""
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
    """Gather the rows of a query in long format, with one row per case and all models."""
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
    """Return the groups of the cases, from their numbers."""
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
        first, *others = names_of_keys(case)
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
