"""Compare models that predict the same rows, in wide or long format, pair by pair."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from pandas_ordinal import inference
from pandas_ordinal.classes.gate import refuse_missing
from pandas_ordinal.counting.arrays import Array, Codes, Floats, Positions
from pandas_ordinal.counting.counts import Factor
from pandas_ordinal.errors import UnknownNameError, brief, did_you_mean, show
from pandas_ordinal.groups import (
    ALL_ROWS,
    Groups,
    group,
    levels_of,
    names_of_keys,
    numbers_of_rows,
)
from pandas_ordinal.metrics.metric import Resolved
from pandas_ordinal.metrics.segments import one_by_one
from pandas_ordinal.query import Comparison, Query, Uncertainty
from pandas_ordinal.reports.facts import facts_of
from pandas_ordinal.reports.metrics import MetricsLike, metrics_of_report, of_counts_and_rows
from pandas_ordinal.rows.gather import sample
from pandas_ordinal.rows.results import n_clusters_of
from pandas_ordinal.rows.sample import LabelColumn, Sample
from pandas_ordinal.rows.table import FrameTable


class Common(NamedTuple):
    """What models that predict the same rows are compared on.

    The rows that all models predict, and their positions. The numbers of all groups; the number of
    such rows in each, and the share that each model predicts.
    """

    rows: inference.paired.PairedRows
    order: Positions
    numbers: Positions
    n_rows: Positions
    shares: Floats

    def over_all_groups(self, values: Array) -> Array:
        """Return the values of groups with common rows among those of all: NaN, or -1 for none."""
        fill = -1 if values.dtype.kind == "i" else np.nan
        every = np.full((len(self.numbers), *values.shape[1:]), fill, values.dtype)
        every[self.n_rows > 0] = values
        return every


def compare_sample(
    sample: Sample, metrics: MetricsLike | None, comparison: Comparison
) -> pd.DataFrame:
    """Compare the models of a sample on the rows that all of them predict."""
    models = sample.models
    if models is None or len(models) < 2:
        raise ValueError(
            "compare needs two or more models: give a list such as pred=['a', 'b'], Series in a "
            "dict, or the column of models as model="
        )
    inference.pairs.refuse_neither(models)
    _refuse_absent_inputs(sample, models)
    first, second = _pairs(models, comparison)
    requested = metrics_of_report(
        metrics, sample.classes, [*(["pred"] if sample.preds else []), *sample.inputs]
    )
    if not requested:
        raise ValueError("metrics= names no metric: leave it out, or give metrics=['mae', 'oci']")
    _refuse_unknown_margin(comparison, requested)
    of_counts, of_rows = of_counts_and_rows(requested)
    _refuse_without_rule(of_rows, comparison)
    measures = inference.report.measures_of(of_counts, sample.classes, Uncertainty())
    sample.warn_of_repeats()
    paired = _common(sample, models)
    rows, order, numbers, n_rows, shares = paired
    differences = inference.pairs.paired_differences(measures, rows.blocks()) if measures else {}
    for name, metric in of_rows.items():
        columns = [inputs.array[order] for inputs in sample.inputs[metric.metric.takes]]
        differences[name] = inference.pairs.differences_of_rows(
            metric, sample.classes, rows, columns
        )
    permuted: Mapping[str, Floats] = {}
    if comparison.method == "permutation":
        permuted = inference.permutation.permuted(
            measures, rows, first, second, n_permutations=comparison.n_permutations,
            seed=comparison.seed, progress=comparison.progress,
        )  # fmt: skip
    parts = [
        _columns(name, metric, differences[name], permuted.get(name), comparison, first, second)
        for name, metric in requested.items()
    ]
    shape = (len(numbers), len(requested), len(first))
    table: dict[str, Any] = {
        name: paired.over_all_groups(np.stack([part[name] for part in parts], axis=1)).ravel()
        for name in parts[0]
    }
    if comparison.alternative == "non-inferior":
        verdict = table["non_inferior"]
        table["non_inferior"] = pd.arrays.BooleanArray(verdict == 1, verdict < 0)
    else:
        table["better"] = inference.pairs.better_of(models, table["better"])
    data = {
        **table,
        "n": np.broadcast_to(n_rows[:, None, None], shape).ravel(),
    }
    n_clusters = None
    if rows.cluster is not None:
        n_clusters = np.zeros(len(numbers), np.int64)
        n_clusters[n_rows > 0] = n_clusters_of(rows.cluster, rows.group, np.arange(rows.n_groups))
        data["n_clusters"] = np.broadcast_to(n_clusters[:, None, None], shape).ravel()
    for letter, positions in (("a", first), ("b", second)):
        share = shares[:, positions][:, None, :]
        data[f"share_{letter}"] = np.broadcast_to(share, shape).ravel()
    result = pd.DataFrame(data, _index(sample, numbers, list(requested), models, first, second))
    df = np.concatenate([np.ravel(one.df) for one in differences.values()])
    result.attrs = facts_of(comparison, n_clusters=n_clusters, df=df)
    return result


def _columns(
    name: str,
    requested: Resolved,
    differences: inference.pairs.Differences,
    permuted: Floats | None,
    comparison: Comparison,
    first: Positions,
    second: Positions,
) -> dict[str, Array]:
    """Return the columns of a comparison by one metric, each ``(groups, pairs)``."""
    a, b = differences.values[:, first], differences.values[:, second]
    tolerance = differences.tolerance[:, first] + differences.tolerance[:, second]
    with np.errstate(invalid="ignore"):  # the difference of two infinite losses
        df, difference = differences.df[:, first, second], a - b
    se = differences.se(first, second)
    se = np.where((df >= 1) & np.isfinite(difference), se, np.nan)
    p = inference.pairs.p_values(difference, se, df, tolerance) if permuted is None else permuted
    if not requested.metric.of_a_model:
        se, p = np.full((2, *se.shape), np.nan)
    up, margin = requested.metric.greater_is_better, comparison.margin_of(name)
    pairs = inference.alternatives.PairedValues(difference, se, df, tolerance)
    p = inference.alternatives.p_value_of(comparison.alternative, pairs, p, up, margin)
    adjusted, level = inference.adjust.adjusted(
        p, differences.covariance, first, second, df, comparison
    )
    low, high = inference.alternatives.limits_of_differences(
        comparison.alternative, pairs, level, up
    )
    columns = {
        "value_a": a,
        "value_b": b,
        "difference": difference,
        "se": se,
        "low": low,
        "high": high,
        "p_value": p,
        "p_adjusted": adjusted,
    }
    is_real, unknown = adjusted <= 1 - comparison.ci, np.isnan(adjusted) | (up is None)
    if comparison.alternative == "non-inferior":
        return columns | {"non_inferior": np.where(unknown, -1, is_real)}
    if comparison.margin is not None:
        columns["p_equivalent"] = inference.alternatives.p_equivalent(pairs, margin)
    ahead = first if comparison.is_one_sided else np.where((difference > 0) == up, first, second)
    is_real &= np.abs(difference) > tolerance
    better = np.where(is_real, ahead, differences.values.shape[1])
    return columns | {"better": np.where(unknown, -1, better)}


def _refuse_absent_inputs(sample: Sample, models: pd.Index[Any]) -> None:
    """Raise if only some of the models have scores, or probabilities."""
    for option, inputs in sample.inputs.items():
        given = [model for model, one in zip(models, inputs, strict=True) if one.names]
        if len(given) < len(models):
            raise ValueError(
                f"{option}= has the models {given}, but those compared are {list(models)}: give "
                f"{option}= of all of them"
            )


def _refuse_without_rule(requested: Mapping[str, Resolved], comparison: Comparison) -> None:
    """Raise for metrics of rows that `compare` or its method does not support."""
    for name, (metric, _) in requested.items():
        if metric.has_influence and comparison.method == "influence":
            continue
        manner = 'with method="permutation"' if metric.has_influence else "by compare"
        raise ValueError(
            f"{name} is a metric of {metric.needs}, which cannot be compared {manner}: leave it "
            "out of metrics="
        )


def _refuse_unknown_margin(comparison: Comparison, requested: Mapping[str, Resolved]) -> None:
    """Raise if there is a margin of a metric that is not compared."""
    for name in comparison.margin if isinstance(comparison.margin, Mapping) else ():
        if name not in requested:
            raise UnknownNameError(
                f"margin= names {brief(name)}, which is not one of the metrics {list(requested)}"
                f"{did_you_mean(name, requested)}"
            )


def _pairs(models: pd.Index[Any], comparison: Comparison) -> tuple[Positions, Positions]:
    """Return the positions of the two models of each pair.

    The reference comes first, but for one-sided alternatives, which ask whether others are better.
    """
    reference = comparison.reference
    if reference is None:
        pairs = list(itertools.combinations(range(len(models)), 2))
    else:
        positions = {model: position for position, model in enumerate(models)}
        if not isinstance(reference, Hashable) or reference not in positions:
            raise UnknownNameError(
                f"reference={brief(reference)} is not one of the models {list(models)}"
                f"{did_you_mean(reference, models)}"
            )
        own = positions[reference]
        pairs = [(own, other) for other in range(len(models)) if other != own]
        if comparison.is_one_sided:
            pairs = [pair[::-1] for pair in pairs]
    first, second = np.array(pairs, dtype=np.intp).T
    return first, second


def _common(sample: Sample, models: pd.Index[Any]) -> Common:
    """Return the rows that all models predict; raise if there are none."""
    predicted = np.stack([codes >= 0 for codes in sample.counted])
    for model, pred in enumerate(sample.preds):
        predicted[model] &= pred.codes >= 0
    refuse_missing_labels(sample)
    n_rows = predicted.shape[1]
    group = np.zeros(n_rows, np.intp) if sample.groups is None else sample.groups.numbers()
    numbers, group = np.unique(group, return_inverse=True)
    if sample.groups is None:
        numbers = np.zeros(1, np.intp)
    common = predicted.all(axis=0)
    by_model = [np.bincount(group[of_model], minlength=len(numbers)) for of_model in predicted]
    of_any = np.bincount(group[predicted.any(axis=0)], minlength=len(numbers))
    n_common = np.bincount(group[common], minlength=len(numbers))
    if not n_common.any():
        _refuse_nothing_in_common({m: int(n.sum()) for m, n in zip(models, by_model, strict=True)})
    order = np.flatnonzero(common)
    keys = group[order] * sample.n_classes + sample.true.codes[order]
    in_order = one_by_one(keys.astype(np.min_scalar_type(int(keys.max()))))
    order = order if in_order is None else order[in_order]
    present = np.flatnonzero(n_common)
    cluster = None if sample.clusters is None else sample.clusters[order]
    rows = inference.paired.PairedRows(
        true=sample.true.codes[order],
        preds=[pred.codes[order] for pred in sample.preds],
        group=np.searchsorted(present, group[order]),
        n_groups=len(present),
        n_classes=sample.n_classes,
        cluster=cluster,
    )
    with np.errstate(invalid="ignore"):
        shares = np.stack(by_model, axis=1) / of_any[:, None]
    return Common(rows, order, numbers, n_common, shares)


def _refuse_nothing_in_common(n_rows: Mapping[Hashable, int]) -> None:
    """Raise for models without common rows; name those that predict no row at all."""
    silent = [model for model, n in n_rows.items() if not n]
    if silent and len(silent) < len(n_rows):
        raise ValueError(
            f"there are no predictions of {show(silent)} in rows with a true label: leave out "
            f"{'this model' if len(silent) == 1 else 'these models'}; rows per model: {n_rows}"
        )
    raise ValueError(
        f"the models have no row in common; rows per model: {n_rows}. Compare models that predict "
        "the same rows, and check id="
    )


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
    """Return the index of the result: the keys of the groups, metric, a and b.

    The levels of metrics and models keep the order in which they were given, and the rows are
    sorted by it, which makes lookups fast.
    """
    n_groups, n_metrics, n_pairs = len(numbers), len(names), len(first)
    keys = [] if sample.groups is None else levels_of(sample.groups.index(numbers))
    for key in keys:
        if key.name in ("metric", "a", "b"):
            raise ValueError(f"by= names a key {key.name!r}, as compare does: rename the column")
    metric = pd.Index(np.tile(np.repeat(np.array(names, object), n_pairs), n_groups))
    pairs = [
        models.take(np.tile(positions, n_groups * n_metrics)) for positions in (first, second)
    ]
    levels = [key.repeat(n_metrics * n_pairs) for key in keys]
    index = pd.MultiIndex.from_arrays(
        [*levels, metric, *pairs], names=[*(key.name for key in keys), "metric", "a", "b"]
    )
    factorized = [level.factorize() for level in (metric, *pairs)]
    all_levels: list[Any] = [*index.levels[: len(keys)], *(labels for _, labels in factorized)]
    codes: list[Any] = [*index.codes[: len(keys)], *(codes for codes, _ in factorized)]
    return pd.MultiIndex(levels=all_levels, codes=codes, names=index.names)


def compare_table(
    table: FrameTable,
    query: Query,
    metrics: MetricsLike | None,
    comparison: Comparison,
    model: Hashable | None,
    case: Hashable | list[Any] | None,
) -> pd.DataFrame:
    """Compare models whose predictions are in wide or in long format."""
    if model is None:
        if case is not None:
            raise ValueError("id= identifies the rows that several models share: give model= too")
        rows = sample(table, query, comparison.cluster)
        if rows.models is None and rows.groups is not None:
            key = rows.groups.index(np.zeros(0, np.intp)).names[0]
            raise ValueError(
                "compare needs two or more models, and groups are compared within each: if the "
                f"column {key!r} names the models, give model={brief(key)}, and the columns that "
                "identify a case as id=, instead of grouping by it"
            )
        return compare_sample(rows, metrics, comparison)
    if case is None:
        raise ValueError("model= needs id=, the columns that identify a case, such as id='row'")
    return compare_sample(
        side_by_side(table, query, comparison.cluster, model, case), metrics, comparison
    )


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
    keys = of_group[in_all] * (int(of_case.max(initial=0)) + 1) + of_case[in_all]
    cases, first, of_case = np.unique(keys, return_index=True, return_inverse=True)
    # groups of which no case is left have one without labels, or they would not be in the result
    lost = np.setdiff1d(of_group[of_group >= 0], of_group[in_all])
    positions = np.flatnonzero(in_all)
    cells = of_case * len(models) + of_model
    _refuse_twice(cells, positions, n_rows, by_case, by_model, case)
    long.warn_of_repeats()
    constant = {long.true.name: long.true.codes[retained]}
    if long.clusters is not None:
        constant[cluster] = long.clusters[retained]
    for name, codes in constant.items():
        _refuse_changes(name, codes, codes[first][of_case], case, table, positions)

    def of_cases(codes: Codes) -> Codes:
        """Return the codes of each case."""
        return np.append(codes[retained][first], np.full(len(lost), -1))

    def per_model(values: Array, missing: float) -> Array:
        """Return the values of each model, case by case."""
        shape = len(models), len(cases) + len(lost), *values.shape[1:]
        dtype = np.promote_types(values.dtype, np.min_scalar_type(missing))
        result = np.full(shape, missing, dtype)
        result[of_model, of_case] = values[retained]
        return result

    return replace(
        long,
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
    name: Hashable, codes: Codes, firsts: Codes, case: Any, table: FrameTable, rows: Positions
) -> None:
    """Raise unless a column has the same value for all models of each case."""
    changes = codes != firsts
    if changes.any():
        label, count = table.frame.index[rows[changes][0]], int(changes.sum())
        raise ValueError(
            f"{name!r} differs between models in {count} row{'s' * (count > 1)} of the same "
            f"id={brief(case)}, the first at index {label!r}: check that id= identifies the case"
        )
