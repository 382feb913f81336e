"""Metrics as inference reads them, and what a report says of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pandas_ordinal.arrays import Array, Codes, Floats, Positions
from pandas_ordinal.inference.bootstrap import bootstrap
from pandas_ordinal.inference.clusters import intervals_by_cluster
from pandas_ordinal.inference.interval import Measure, intervals, tables_of
from pandas_ordinal.inference.rows import interval_of_rows
from pandas_ordinal.metrics.metric import Resolved, registry
from pandas_ordinal.metrics.segments import Segments
from pandas_ordinal.query import Sureness
from pandas_ordinal.scale import Scale


def measures_of(
    wanted: Mapping[str, Resolved], scale: Scale, sure: Sureness
) -> dict[str, Measure]:
    """Return metrics of counts as inference reads them; refuse what has no rule."""
    for name in sure.ranges or {}:
        if name not in wanted or wanted[name].metric.reference:
            raise ValueError(
                f"ranges= names {name!r}, which is none of your own functions in metrics="
            )
    return {name: _measure(name, one, scale, sure) for name, one in wanted.items()}


def _measure(name: str, one: Resolved, scale: Scale, sure: Sureness) -> Measure:
    metric, options = one
    kernel = metric.of_fractions or metric.kernel
    of_class, is_largest = None, False
    if metric.extreme_of is not None:
        of_class = registry[metric.extreme_of[0]].kernel
        is_largest = metric.extreme_of[1] is np.max
    return Measure(
        value=scale.function(replace(metric, kernel=kernel), options),
        range=(sure.ranges or {}).get(name, metric.bounds(len(scale))),
        limits=metric.limits,
        options=scale.aligned(options),
        of_a_model=metric.of_a_model,
        of_class=of_class,
        is_largest=is_largest,
        is_row_mean=metric.is_row_mean,
        right_within=_right_within(one),
    )


def _right_within(one: Resolved) -> float:
    """Return how many classes off is still right."""
    metric, options = one
    if metric.right_within is None:
        return 0
    defaults = {option.name: option.default for option in metric.options}
    distance: float = {**defaults, **options}[metric.right_within]
    return distance


def refuse_without_rule(wanted: Mapping[str, Resolved], sure: Sureness, is_weighted: bool) -> None:
    """Raise for metrics of scores and probabilities for which this report has no rule."""
    for name, (metric, _) in wanted.items():
        if not metric.has_influence:
            without = "intervals"
        elif sure.method == "bootstrap":
            without = 'intervals with method="bootstrap"'
        elif is_weighted and metric.score_influence is not None:
            without = "intervals with sample_weight="
        else:
            continue
        raise ValueError(
            f"{name} is a metric of {metric.needs}, which has no {without}: ask for it in a "
            "report without ci= and se="
        )


def surely_by_rows(
    one: Resolved,
    rows: Segments,
    column: Array,
    estimate: Floats,
    clusters: Codes | None = None,
    *,
    scale: Scale,
    sure: Sureness,
) -> Array:
    """Return what `Sureness.shown` names of a metric of rows, ``(shown, segments)``."""
    found = interval_of_rows(
        one.metric, scale.aligned(one.options), rows, column, estimate, _level(sure),
        clusters=clusters, by_class=sure.stratify is not None,
    )  # fmt: skip
    return _shown(found, sure)


def _level(sure: Sureness) -> float:
    return 0.95 if sure.ci is None else float(sure.ci)


def surely(
    measures: Mapping[str, Measure],
    counts: Array,
    estimates: Mapping[str, Floats],
    sure: Sureness,
    *,
    norms: Array | None = None,
    n: Array | None = None,
    clusters: tuple[Array, Positions] | None = None,
) -> dict[str, Array]:
    """Return for each metric what `Sureness.shown` names, ``(shown, batch)``."""
    level, by_class = _level(sure), sure.stratify is not None
    found: Mapping[str, NamedTuple]
    if sure.method == "bootstrap":
        found = bootstrap(
            measures, counts, level, by_class=by_class, n_boot=sure.n_boot, seed=sure.seed,
            progress=sure.progress,
        )  # fmt: skip
    elif clusters is not None:
        found = intervals_by_cluster(measures, counts, *clusters, estimates, level)
    else:
        tables = tables_of(counts, norms=norms, n=n, by_class=by_class)
        found = intervals(measures, tables, estimates, level)
    return {name: _shown(one, sure) for name, one in found.items()}


def _shown(found: NamedTuple, sure: Sureness) -> Array:
    return np.stack([getattr(found, part) for part in sure.shown])
