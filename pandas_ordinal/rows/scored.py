"""Scores and reports of a sample, with uncertainty and warnings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal import inference
from pandas_ordinal.counting.arrays import Array, Positions
from pandas_ordinal.cube.layout import VECTOR_DIM, as_quantity, build, class_index, product
from pandas_ordinal.errors import show
from pandas_ordinal.metrics.metric import Metric, Resolved
from pandas_ordinal.metrics.segments import Segments
from pandas_ordinal.query import Uncertainty
from pandas_ordinal.reports.facts import facts_of, labels_of_own, of_clusters
from pandas_ordinal.reports.metrics import (
    Requested,
    metrics_of_report,
    names_of_columns,
    of_counts_and_rows,
)
from pandas_ordinal.rows.results import (
    Scores,
    laid_out_over,
    n_classes_of,
    n_clusters_of,
    table_of,
    warn_of_groups,
)
from pandas_ordinal.rows.sample import Sample


def score_sample(
    rows: Sample, metric: Metric, options: Mapping[str, Any]
) -> float | pd.Series[float] | xr.DataArray:
    """Score by one metric, and warn of groups that have rows but no value."""
    scores = rows.scores({metric.name: Resolved(metric, dict(options))})
    keys, places = rows.keys(scores.numbers)
    values = laid_out_over(scores.values[metric.name], places, keys, metric.undefined)
    axes = rows.axes(keys)
    warn_of_groups(metric.name, axes, values, laid_out_over(scores.n_rows, places, keys, 0))
    if len(metric.output) == 2:
        cube = build(values, keys, rows.models, rows.classes.dtype, metric.undefined)
        return as_quantity(cube, metric.name)
    if metric.output:
        axes.append(class_index(rows.classes.dtype, VECTOR_DIM))
    if not axes:
        return float(values.item())
    return pd.Series(values.ravel(), product(axes), name=metric.name)


def report_sample(
    rows: Sample, metrics: Requested, uncertainty: Uncertainty
) -> pd.Series[float] | pd.DataFrame:
    """Score by several metrics, the number of rows first."""
    shares = inference.strata.shares_of(uncertainty.stratum_shares, rows.classes)
    in_fractions = rows.in_fractions or shares is not None
    requested = metrics_of_report(
        metrics, rows.classes, rows.given, in_fractions, uncertainty.is_requested,
        rows.tables is not None,
    )  # fmt: skip
    names = names_of_columns(requested, uncertainty)
    if uncertainty.is_requested:
        refuse_uncertainty(rows, requested, uncertainty)
    rows = replace(rows, shares=shares)
    scores = rows.scores(requested)
    sizes = {"n": scores.n_rows}
    facts = labels_of_own(requested)
    if uncertainty.is_requested:
        scores.values.update(_uncertainty(rows, requested, scores, uncertainty))
        sizes |= _sizes(rows, scores.numbers)
        facts |= facts_of(uncertainty, **of_clusters(sizes.get("n_clusters")))
    keys, places = rows.keys(scores.numbers)
    columns = {name: laid_out_over(size, places, keys, 0).ravel() for name, size in sizes.items()}
    for name in names:
        columns[name] = laid_out_over(scores.values[name], places, keys, np.nan).ravel()
    return table_of(columns, rows.axes(keys), facts)


def _sizes(rows: Sample, numbers: Positions) -> dict[str, Array]:
    """Count the clusters, and the true classes that occur, in these groups, by model."""
    n_classes = np.concatenate([n_classes_of(tables) for _, _, tables in rows.by_block()])
    groups = rows.groups_of_clusters()
    of_clusters = {"n_clusters": n_clusters_of(groups, numbers)} if groups else {}
    return {**of_clusters, "n_classes": n_classes}


def _uncertainty(
    rows: Sample, requested: Mapping[str, Resolved], scores: Scores, uncertainty: Uncertainty
) -> dict[str, Array]:
    """Return bounds and standard errors by their names."""
    of_counts, of_rows = of_counts_and_rows(requested)
    rows.warn_of_repeats(uncertainty.without_clusters)
    measures = inference.report.measures_of(of_counts, rows.classes, uncertainty)
    values = {
        f"{name}_{part}": np.full(scores.n_rows.shape, np.nan)
        for name in requested
        for part in uncertainty.suffixes
    }
    if of_rows:
        _add_uncertainty_of_rows(values, rows, of_rows, scores, uncertainty)
    if of_counts:
        _add_uncertainty_of_counts(values, rows, measures, scores, uncertainty)
    return values


def refuse_uncertainty(
    rows: Sample, requested: Mapping[str, Resolved], uncertainty: Uncertainty
) -> None:
    """Raise for combinations of options and metrics that have no intervals."""
    _, of_rows = of_counts_and_rows(requested)
    inference.report.refuse_without_rule(of_rows, uncertainty, rows.weights is not None)
    if rows.weights is not None:
        uncertainty.refuse_weights()
    if uncertainty.stratify == "pred" and rows.models is not None:
        raise ValueError(
            'stratify="pred" takes the predictions of one model, by which rows were drawn, '
            f"not of {show(rows.models)}: give one of them"
        )


def _add_uncertainty_of_rows(
    values: dict[str, Array],
    rows: Sample,
    requested: Mapping[str, Resolved],
    scores: Scores,
    uncertainty: Uncertainty,
) -> None:
    """Fill in bounds and standard errors of metrics of scores and probabilities."""
    segment, numbers = rows.segments()
    for model, codes in enumerate(rows.counted):
        segments = Segments(codes, rows.n_classes, segment, len(numbers), rows.weights)
        for name, resolved in requested.items():
            inputs = rows.inputs[resolved.metric.takes][model]
            estimate, counted = scores.values[name][:, model], inputs.of(segments)
            read = resolved._replace(options=dict(rows.read(resolved.options, counted.codes)))
            parts = inference.report.uncertainty_of_rows(
                read, counted, inputs.array[:], estimate, rows.clusters,
                classes=rows.classes, uncertainty=uncertainty,
            )  # fmt: skip
            for part, bound in zip(uncertainty.suffixes, parts, strict=True):
                values[f"{name}_{part}"][:, model] = bound


def _add_uncertainty_of_counts(
    values: dict[str, Array],
    rows: Sample,
    measures: Mapping[str, inference.interval.Measure],
    scores: Scores,
    uncertainty: Uncertainty,
) -> None:
    """Fill in bounds and standard errors of metrics of counts, block by block."""
    units = [rows.units(model) for model in range(len(rows.preds))]
    first = 0
    for groups, in_rows, counts in rows.by_block():
        block = slice(first, first + len(groups))
        for model, tables in enumerate(counts.swapaxes(0, 1)):
            weighed = units[model].among(groups)
            if rows.shares is not None:
                n = in_rows[:, model]
                weighed = {"rows": n, "norms": inference.strata.norms_of_cells(n, tables)}
            estimates = {name: scores.values[name][block, model] for name in measures}
            bounds = inference.report.uncertainty_of_counts(
                measures, tables, estimates, uncertainty, **weighed
            )
            for name, parts in bounds.items():
                for part, one in zip(uncertainty.suffixes, parts, strict=True):
                    values[f"{name}_{part}"][block, model] = one
        first += len(groups)
