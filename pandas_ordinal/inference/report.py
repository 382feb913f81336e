"""What a report shows of uncertainty, by influences or from tables drawn at random."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

import numpy as np

from pandas_ordinal.counting.arrays import Array, Codes, Floats, Positions, Probabilities
from pandas_ordinal.inference.influence import on_limits
from pandas_ordinal.inference.interval import (
    Measure,
    cluster_tables,
    intervals,
    intervals_by_cluster,
    tables_of,
)
from pandas_ordinal.inference.rows import interval_of_rows
from pandas_ordinal.metrics.metric import Metric, Resolved, registry
from pandas_ordinal.metrics.proba_kernel import BY_ROW
from pandas_ordinal.metrics.segments import Segments
from pandas_ordinal.query import Uncertainty
from pandas_ordinal.reports.metrics import Classes

Item = TypeVar("Item")


class BootstrapInterval(NamedTuple):
    """Percentiles and standard deviation over drawn tables, and how many tables have a value."""

    low: Floats
    high: Floats
    se: Floats
    n_valid: Floats


def bootstrap(
    measures: Mapping[str, Measure], counts: Array, uncertainty: Uncertainty
) -> dict[str, BootstrapInterval]:
    """Score tables that are drawn from each table ``(batch, K, K)``, with as many rows.

    The draws depend only on the seed and the table, not on other tables.
    """
    results = {name: np.full((4, len(counts)), np.nan) for name in measures}
    tables: Iterable[Array] = counts
    if uncertainty.progress:
        tables = with_progress(counts, "table")
    tail = (1 - _level(uncertainty)) / 2
    for place, table in enumerate(tables):
        drawn = _draw(table, uncertainty)
        for name, measure in measures.items():
            values = np.asarray(measure.value(drawn), float)
            values = values[np.isfinite(values)]
            results[name][3, place] = len(values)
            if measure.of_a_model and len(values) > 1 and table.sum() > 1:
                ends = np.quantile(values, [tail, 1 - tail])
                results[name][:2, place] = on_limits(ends, measure.bounds(table[None]))
                results[name][2, place] = values.std(ddof=1)
    return {name: BootstrapInterval(*parts) for name, parts in results.items()}


def with_progress(items: Iterable[Item], unit: str, total: int | None = None) -> Iterable[Item]:
    """Show a progress bar while items are read; an iterator needs its total."""
    try:
        from tqdm.auto import tqdm  # type: ignore[import-untyped]
    except ImportError:
        raise ImportError('tqdm is missing: pip install "pandas_ordinal[progress]"') from None
    bar: Iterable[Item] = tqdm(items, unit=unit, total=total)
    return bar


def _draw(table: Array, uncertainty: Uncertainty) -> Floats:
    strata, n_boot = uncertainty.stratify, uncertainty.n_boot
    rng = np.random.default_rng([uncertainty.seed, *table.astype(np.int64).ravel().tolist()])
    n_classes = len(table)
    if strata == "pred":
        table = table.T
    rows = table.reshape(1, -1) if strata is None else table
    sizes = rows.sum(axis=1)
    drawn = np.zeros((n_boot, *rows.shape))
    for stratum, size in enumerate(sizes):
        if size:
            drawn[:, stratum] = rng.multinomial(size, rows[stratum] / size, n_boot)
    drawn = drawn.reshape(n_boot, n_classes, n_classes)
    return drawn.swapaxes(1, 2) if strata == "pred" else drawn


def measures_of(
    requested: Mapping[str, Resolved], classes: Classes, uncertainty: Uncertainty
) -> dict[str, Measure]:
    """Return metrics of counts as inference reads them, with the ranges of one's own functions."""
    for name in uncertainty.ranges or {}:
        if name not in requested or requested[name].metric.reference:
            raise ValueError(
                f"ranges= names {name!r}, which is not one of your own functions in metrics="
            )
    return {
        name: _measure(name, resolved, classes, uncertainty)
        for name, resolved in requested.items()
    }


def _measure(name: str, resolved: Resolved, classes: Classes, uncertainty: Uncertainty) -> Measure:
    metric, options = resolved
    kernel = metric.of_fractions or metric.kernel
    of_class, is_largest = None, False
    if metric.extreme_of is not None:
        of_class = registry[metric.extreme_of[0]].kernel
        is_largest = metric.extreme_of[1] is np.max
    mean_of = None if metric.mean_of is None else registry[metric.mean_of].kernel
    return Measure(
        value=classes.function(replace(metric, kernel=kernel), options),
        range=(uncertainty.ranges or {}).get(name, metric.bounds(len(classes))),
        limits=metric.limits,
        options=classes.aligned(options),
        of_a_model=metric.of_a_model,
        of_class=of_class,
        is_largest=is_largest,
        mean_of=mean_of,
        is_row_mean=metric.is_row_mean,
        is_root_of_mean=metric.is_root_of_mean,
        is_share=metric.is_row_mean and metric.bounds(len(classes)) == (0, 1),
        right_within=_right_within(resolved),
    )


def _right_within(resolved: Resolved) -> float:
    """Return how many classes off still counts as right."""
    metric, options = resolved
    if metric.right_within is None:
        return 0
    defaults = {option.name: option.default for option in metric.options}
    distance: float = {**defaults, **options}[metric.right_within]
    return distance


def refuse_without_rule(
    requested: Mapping[str, Resolved], uncertainty: Uncertainty, is_weighted: bool
) -> None:
    """Raise for metrics of scores and probabilities that have no intervals in this report."""
    for name, (metric, options) in requested.items():
        if not metric.has_interval(options):
            raise ValueError(f"{name} has no intervals: {_raised_by_chance(metric, options)}")
        if uncertainty.method == "bootstrap":
            lacking = 'intervals with method="bootstrap"'
        elif uncertainty.stratify == "pred":
            lacking = 'intervals with stratify="pred"'
        elif is_weighted and metric.score_influence is not None:
            lacking = "intervals with sample_weight="
        else:
            continue
        raise ValueError(
            f"{name} is a metric of {metric.needs} and has no {lacking}: request it in a report "
            "without ci= and se="
        )


def _raised_by_chance(metric: Metric, options: Mapping[str, Any]) -> str:
    """Explain what to give instead of a metric to which chance adds."""
    if not metric.bounded_with:
        return "chance adds to it; compare models, whose differences have intervals"
    given = [*options.items(), (metric.bounded_with, True)]
    written = ", ".join(f"{option}={value!r}" for option, value in given)
    return (
        f"chance adds to it; give functools.partial(po.metrics.{metric.name}, {written}), which "
        "subtracts that, or compare models"
    )


def uncertainty_of_rows(
    resolved: Resolved,
    rows: Segments,
    column: Array,
    estimate: Floats,
    clusters: Codes | None = None,
    *reference: Array,
    classes: Classes,
    uncertainty: Uncertainty,
) -> Array:
    """Return the uncertainty of a metric of rows, ``(suffixes, segments)``.

    `reference` has the columns of a reference forecast that differs between rows.
    """
    if reference:
        of_rows = {**resolved.options, BY_ROW: Probabilities(reference, np.inf)}
        resolved = resolved._replace(options=of_rows)
    interval = interval_of_rows(
        resolved._replace(options=classes.aligned(resolved.options)), rows, column, estimate,
        _level(uncertainty), clusters=clusters, by_class=uncertainty.stratify == "true",
    )  # fmt: skip
    return _stacked(interval, uncertainty)


def _level(uncertainty: Uncertainty) -> float:
    return 0.95 if uncertainty.ci is None else float(uncertainty.ci)


def uncertainty_of_counts(
    measures: Mapping[str, Measure],
    counts: Array,
    estimates: Mapping[str, Floats],
    uncertainty: Uncertainty,
    *,
    norms: Array | None = None,
    rows: Array | None = None,
    clusters: tuple[Array, Positions] | None = None,
) -> dict[str, Array]:
    """Return the uncertainty of each metric of counts, ``(suffixes, batch)``.

    Sums of weights have norms and numbers of rows, by cell or in all.
    """
    level = _level(uncertainty)
    results: Mapping[str, NamedTuple]
    if uncertainty.method == "bootstrap":
        results = bootstrap(measures, counts, uncertainty)
    elif clusters is not None:
        design = cluster_tables(counts, *clusters, norms=norms, rows=rows)
        results = intervals_by_cluster(measures, design, estimates, level)
    else:
        tables = tables_of(counts, norms=norms, rows=rows, strata=uncertainty.stratify)
        results = intervals(measures, tables, estimates, level)
    return {name: _stacked(interval, uncertainty) for name, interval in results.items()}


def _stacked(interval: NamedTuple, uncertainty: Uncertainty) -> Array:
    return np.stack([getattr(interval, part) for part in uncertainty.suffixes])
