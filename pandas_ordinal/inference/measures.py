"""Metrics as inference reads them, and what a report says of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from pandas_ordinal.arrays import Array, Floats, Positions
from pandas_ordinal.inference.bootstrap import bootstrap
from pandas_ordinal.inference.clusters import intervals_by_cluster
from pandas_ordinal.inference.interval import Measure, Range, intervals, tables_of
from pandas_ordinal.metrics.metric import Resolved, registry
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
    for name, (metric, _) in wanted.items():
        if metric.of_rows:
            raise ValueError(
                f"{name} is a metric of {metric.needs}, for which there are no intervals yet: "
                "ask for it in a report without ci= and se="
            )
    return {name: _measure(name, one, scale, sure) for name, one in wanted.items()}


def _measure(name: str, one: Resolved, scale: Scale, sure: Sureness) -> Measure:
    metric, options = one
    bound = scale.aligned(options)
    fixed = (sure.ranges or {}).get(name, metric.bounds(len(scale)))

    def limits(counts: Floats) -> Range:
        return fixed if metric.limits is None else metric.limits(counts, bound)

    kernel = metric.of_fractions or metric.kernel
    of_class, is_largest = None, False
    if metric.extreme_of is not None:
        of_class = registry[metric.extreme_of[0]].kernel
        is_largest = metric.extreme_of[1] is np.max
    return Measure(
        value=scale.function(replace(metric, kernel=kernel), options),
        limits=limits,
        of_a_model=metric.of_a_model,
        of_class=of_class,
        is_largest=is_largest,
    )


def surely(
    measures: Mapping[str, Measure],
    counts: Array,
    estimates: Mapping[str, Floats],
    sure: Sureness,
    *,
    squares: Array | None = None,
    n: Array | None = None,
    clusters: tuple[Array, Positions] | None = None,
) -> dict[str, Array]:
    """Return for each metric what `Sureness.shown` names, ``(shown, batch)``."""
    level = 0.95 if sure.ci is None else float(sure.ci)
    by_class = sure.stratify is not None
    if sure.method == "bootstrap":
        found = bootstrap(
            measures, counts, level, by_class=by_class, n_boot=sure.n_boot, seed=sure.seed,
            progress=sure.progress,
        )  # fmt: skip
        return {
            name: np.stack([getattr(one, part) for part in sure.shown])
            for name, one in found.items()
        }
    if clusters is not None:
        found_by_cluster = intervals_by_cluster(measures, counts, *clusters, estimates, level)
        return {
            name: np.stack([getattr(one, part) for part in sure.shown])
            for name, one in found_by_cluster.items()
        }
    tables = tables_of(counts, squares=squares, n=n, by_class=by_class)
    return {
        name: np.stack([getattr(one, part) for part in sure.shown])
        for name, one in intervals(measures, tables, estimates, level).items()
    }
