"""Compare models that predict the same rows, in wide or long format, pair by pair."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from pandas_ordinal import inference
from pandas_ordinal.counting.arrays import Array, Floats, Positions
from pandas_ordinal.counting.counts import number_pairs
from pandas_ordinal.errors import UnknownNameError, brief, did_you_mean, show
from pandas_ordinal.groups import levels_of
from pandas_ordinal.metrics.metric import Resolved
from pandas_ordinal.metrics.segments import one_by_one
from pandas_ordinal.query import Comparison, Query, Uncertainty
from pandas_ordinal.reports.facts import facts_of, labels_of_own
from pandas_ordinal.reports.metrics import (
    Classes,
    Requested,
    metrics_of_report,
    of_counts_and_rows,
)
from pandas_ordinal.rows.gather import sample
from pandas_ordinal.rows.long_format import refuse_missing_labels, side_by_side
from pandas_ordinal.rows.sample import Sample
from pandas_ordinal.rows.table import FrameTable


class Request(NamedTuple):
    """The models, the metrics and options, and the positions of the two models of each pair."""

    models: pd.Index[Any]
    requested: dict[str, Resolved]
    comparison: Comparison
    first: Positions
    second: Positions


class Coverage(NamedTuple):
    """Which rows models predict, by group.

    The number of rows that all of them predict; of those that at least one predicts, the share
    that each model predicts, ``(groups, models)``; and the number of clusters, if there are any.
    """

    n_rows: Array
    shares: Floats
    n_clusters: Positions | None

    def over_all_groups(self, values: Array) -> Array:
        """Return the values of groups with common rows among those of all: NaN, or -1 for none."""
        fill = -1 if values.dtype.kind == "i" else np.nan
        every = np.full((len(self.n_rows), *values.shape[1:]), fill, values.dtype)
        every[self.n_rows > 0] = values
        return every


class Common(NamedTuple):
    """The rows that all models predict, their positions, and the numbers of all groups."""

    rows: inference.paired.PairedRows
    order: Positions
    numbers: Positions
    coverage: Coverage


def compare_sample(sample: Sample, metrics: Requested, comparison: Comparison) -> pd.DataFrame:
    """Compare the models of a sample on the rows that all of them predict."""
    request = requested_of(sample, metrics, comparison)
    of_counts, of_rows = of_counts_and_rows(request.requested)
    measures = inference.report.measures_of(of_counts, sample.classes, Uncertainty())
    sample.warn_of_repeats()
    rows, order, numbers, coverage = _common(sample, request.models)
    differences = inference.pairs.paired_differences(measures, rows.blocks()) if measures else {}
    codes = np.full(len(sample.true.codes), -1)
    codes[order] = rows.true
    for name, metric in of_rows.items():
        columns = [inputs.array[order] for inputs in sample.inputs[metric.metric.takes]]
        options = sample.classes.aligned(sample.read(metric.options, codes))
        aligned = metric._replace(options=options).of_rows(order)
        differences[name] = inference.pairs.differences_of_rows(aligned, rows, columns)
    permuted: Mapping[str, Floats] = {}
    if comparison.method == "permutation":
        permuted = inference.permutation.permuted(
            measures, rows, request.first, request.second, comparison
        )
    keys = [] if sample.groups is None else levels_of(sample.groups.index(numbers))
    return result_of(request, differences, permuted, coverage, keys)


def result_of(
    request: Request,
    differences: Mapping[str, inference.pairs.Differences],
    permuted: Mapping[str, Floats],
    coverage: Coverage,
    keys: list[pd.Index[Any]],
) -> pd.DataFrame:
    """Lay out a comparison; the keys are those of all groups, `differences` of those with rows."""
    models, requested, comparison, first, second = request
    n_rows, shares, n_clusters = coverage
    parts = [_columns(name, request, differences[name], permuted.get(name)) for name in requested]
    shape = (len(n_rows), len(requested), len(first))

    def each(values: Array) -> Array:
        return np.broadcast_to(values, shape).ravel()

    table: dict[str, Any] = {
        name: coverage.over_all_groups(np.stack([part[name] for part in parts], axis=1)).ravel()
        for name in parts[0]
    }
    if comparison.alternative == "non-inferior":
        verdict = table["non_inferior"]
        table["non_inferior"] = pd.arrays.BooleanArray(verdict == 1, verdict < 0)
    else:
        table["better"] = inference.pairs.better_of(models, table["better"])
    table["n"] = each(n_rows[:, None, None])
    if n_clusters is not None:
        table["n_clusters"] = each(n_clusters[:, None, None])
    table["share_a"] = each(shares[:, None, first])
    table["share_b"] = each(shares[:, None, second])
    result = pd.DataFrame(table, _index(keys, len(n_rows), request))
    df = np.concatenate([np.ravel(one.df) for one in differences.values()])
    result.attrs = facts_of(comparison, n_clusters=n_clusters, df=df) | labels_of_own(requested)
    return result


def requested_of(sample: Sample, metrics: Requested, comparison: Comparison) -> Request:
    """Return what to compare, or raise for options that are wrong whatever the rows are."""
    models = sample.models
    if models is None or len(models) < 2:
        raise ValueError(
            "compare needs two or more models: give a list such as pred=['a', 'b'], Series in a "
            "dict, or the column of models as model="
        )
    _refuse_absent_inputs(sample, models)
    if sample.groups is not None:
        refuse_taken_names(sample.groups.index(np.zeros(0, np.intp)).names)
    return request_of(
        models, sample.classes, sample.given, metrics, comparison,
        is_weighted=sample.weights is not None, in_fractions=sample.in_fractions,
    )  # fmt: skip


def request_of(
    models: pd.Index[Any],
    classes: Classes,
    given: Sequence[str],
    metrics: Requested,
    comparison: Comparison,
    *,
    is_weighted: bool = False,
    in_fractions: bool = False,
) -> Request:
    """Return what to compare, or raise for wrong options."""
    if is_weighted:
        comparison.refuse_weights()
    inference.pairs.refuse_neither(models)
    first, second = _pairs(models, comparison)
    requested = metrics_of_report(metrics, classes, given, in_fractions)
    if not requested:
        raise ValueError("metrics= names no metric: leave it out, or give metrics=['mae', 'oci']")
    _refuse_unknown_margin(comparison, requested)
    _refuse_without_rule(of_counts_and_rows(requested)[1], comparison, is_weighted)
    return Request(models, requested, comparison, first, second)


def refuse_taken_names(keys: Iterable[Hashable]) -> None:
    """Raise if a key has the name of a level of the result."""
    for key in keys:
        if key in ("metric", "a", "b"):
            raise ValueError(f"by= names a key {key!r}, as compare does: rename the column")


def result_of_no_rows(
    empty: Sample, keys: list[pd.Index[Any]], comparison: Comparison
) -> pd.DataFrame:
    """Return the columns of a comparison, and the levels of its index, without a row."""
    code = np.zeros(1, np.intp)
    one_row = replace(
        empty,
        true=empty.true._replace(codes=code),
        counted=[code for _ in empty.counted],
        preds=[pred._replace(codes=code) for pred in empty.preds],
        groups=None,
        clusters=None if comparison.cluster is None else code,
        folds=None,
    )
    margin: Any = {} if isinstance(comparison.margin, Mapping) else comparison.margin
    alike = replace(comparison, method="influence", margin=margin)
    result = compare_sample(one_row, ["accuracy"], alike)[:0]
    result.attrs = {}
    return result.set_axis(pd.MultiIndex.from_arrays([*keys, *levels_of(result.index)]))


def _columns(
    name: str,
    request: Request,
    differences: inference.pairs.Differences,
    permuted: Floats | None,
) -> dict[str, Array]:
    """Return the columns of a comparison by one metric, each ``(groups, pairs)``."""
    _, requested, comparison, first, second = request
    metric = requested[name].metric
    up, margin = metric.greater_is_better, comparison.margin_of(name)
    pairs = differences.of_pairs(first, second)
    if permuted is not None or not metric.of_a_model:
        pairs = pairs._replace(se=np.full_like(pairs.se, np.nan))
    p = inference.pairs.p_values(pairs)
    if permuted is not None and metric.of_a_model:
        p = permuted
    p = inference.alternatives.p_value_of(comparison.alternative, pairs, p, up, margin)
    adjusted, level = inference.adjust.adjusted(
        p, differences.covariance, first, second, pairs.df, comparison
    )
    low, high = inference.alternatives.limits_of_differences(
        comparison.alternative, pairs, level, up
    )
    low, high = inference.alternatives.within(
        differences.limits(first, second), low, pairs.difference, high
    )
    columns = {
        "value_a": differences.values[:, first],
        "value_b": differences.values[:, second],
        "difference": pairs.difference,
        "se": pairs.se,
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
    ahead = np.where(comparison.is_one_sided | ((pairs.difference > 0) == up), first, second)
    is_real &= np.abs(pairs.difference) > pairs.tolerance
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


def _refuse_without_rule(
    requested: Mapping[str, Resolved], comparison: Comparison, is_weighted: bool
) -> None:
    """Raise for metrics of rows that `compare`, its method, or weights do not support."""
    for name, (metric, _) in requested.items():
        if comparison.method == "permutation":
            manner = 'with method="permutation"'
        elif is_weighted and metric.score_influence is not None:
            manner = "with sample_weight="
        else:
            continue
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
    common: Array = np.logical_and.reduce(predicted)

    def n_of(which: Array) -> Positions:
        """Count these rows in each group."""
        times = None if sample.times is None else sample.times[which]
        return np.bincount(group[which], times, len(numbers)).astype(np.intp)

    by_model = [n_of(of_model) for of_model in predicted]
    of_any, n_common = n_of(np.logical_or.reduce(predicted)), n_of(common)
    if not n_common.any():
        _refuse_nothing_in_common({m: int(n.sum()) for m, n in zip(models, by_model, strict=True)})
    order = np.flatnonzero(common if sample.weights is None else common & (sample.weights > 0))
    keys = group[order] * sample.n_classes + sample.true.codes[order]
    in_order = one_by_one(keys.astype(np.min_scalar_type(int(keys.max(initial=0)))))
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
        weights=_weights(sample, order),
    )
    with np.errstate(invalid="ignore"):
        shares = np.stack(by_model, axis=1) / of_any[:, None]
    n_clusters = None
    if cluster is not None:
        first, _ = number_pairs(rows.group, cluster)
        n_clusters = np.bincount(present[rows.group[first]], minlength=len(numbers))
    return Common(rows, order, numbers, Coverage(n_common, shares, n_clusters))


def _weights(sample: Sample, order: Positions) -> inference.paired.RowWeights | None:
    """Return the weights of some rows, which may stand for several; None for 1."""
    if sample.summed is not None:
        return inference.paired.RowWeights(*(part[order] for part in sample.summed))
    if sample.weights is not None:
        return inference.paired.weights_of_rows(sample.weights[order])
    return None if sample.times is None else inference.paired.repeated(sample.times[order])


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


def _index(keys: list[pd.Index[Any]], n_groups: int, request: Request) -> pd.MultiIndex:
    """Return the index of the result: the keys of the groups, metric, a and b.

    The levels of metrics and models keep the order in which they were given, and the rows are
    sorted by it, which makes lookups fast.
    """
    models, requested, _, first, second = request
    names, n_metrics, n_pairs = list(requested), len(requested), len(first)
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
    metrics: Requested,
    comparison: Comparison,
    model: Hashable | None,
    case: Hashable | list[Any] | None,
) -> pd.DataFrame:
    """Compare models whose predictions are in wide or in long format."""
    if query.count is not None:
        _refuse_rows(query, model)
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


def _refuse_rows(query: Query, model: Hashable | None) -> None:
    """Raise for options that belong to single rows if a table holds counts of rows."""
    for option in ("score", "proba"):
        if option in query.given:
            raise ValueError(
                f"count= and {option}= cannot be combined: in a table of counts, rows have "
                "predicted classes only"
            )
    if model is not None:
        raise ValueError(
            "count= and model= cannot be combined: a table of counts has a column of predicted "
            "classes for each model, which a list names, such as pred=['a', 'b']"
        )
