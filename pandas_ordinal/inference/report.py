"""Intervals from tables that are drawn at random, for those whom a reviewer asks for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple, TypeVar

import numpy as np

from pandas_ordinal.counting.arrays import Array, Codes, Floats, Positions
from pandas_ordinal.inference.influence import on_limits
from pandas_ordinal.inference.interval import Measure, intervals, intervals_by_cluster, tables_of
from pandas_ordinal.inference.rows import interval_of_rows
from pandas_ordinal.metrics.metric import Resolved, registry
from pandas_ordinal.metrics.segments import Segments
from pandas_ordinal.query import Uncertainty
from pandas_ordinal.reports.metrics import Scale

Item = TypeVar("Item")


class Drawn(NamedTuple):
    """Percentiles and standard deviation of a metric of drawn tables; how many have a value."""

    low: Floats
    high: Floats
    se: Floats
    n_valid: Floats


def bootstrap(
    measures: Mapping[str, Measure],
    counts: Array,
    level: float,
    *,
    by_class: bool,
    n_boot: int,
    seed: int,
    progress: bool,
) -> dict[str, Drawn]:
    """Draw as many rows as each table ``(batch, K, K)`` has from it, and score what was drawn.

    What is drawn depends on the seed and on the table alone, not on other tables.
    """
    found = {name: np.full((4, len(counts)), np.nan) for name in measures}
    tables: Iterable[Array] = counts
    if progress:
        tables = with_progress(counts, "table")
    tail = (1 - level) / 2
    for place, table in enumerate(tables):
        drawn = _draw(table, n_boot, seed, by_class)
        for name, one in measures.items():
            values = np.asarray(one.value(drawn), float)
            values = values[np.isfinite(values)]
            found[name][3, place] = len(values)
            if one.of_a_model and len(values) > 1 and table.sum() > 1:
                ends = np.quantile(values, [tail, 1 - tail])
                found[name][:2, place] = on_limits(ends, one.bounds(table[None]))
                found[name][2, place] = values.std(ddof=1)
    return {name: Drawn(*one) for name, one in found.items()}


def with_progress(items: Iterable[Item], unit: str, total: int | None = None) -> Iterable[Item]:
    """Show how many of some items have been seen; the total of an iterator is to be given."""
    try:
        from tqdm.auto import tqdm  # type: ignore[import-untyped]
    except ImportError:
        raise ImportError('tqdm is missing: pip install "pandas_ordinal[progress]"') from None
    bar: Iterable[Item] = tqdm(items, unit=unit, total=total)
    return bar


def _draw(table: Array, n_boot: int, seed: int, by_class: bool) -> Floats:
    rng = np.random.default_rng([seed, *table.astype(np.int64).ravel().tolist()])
    n_classes = len(table)
    strata = table if by_class else table.reshape(1, -1)
    sizes = strata.sum(axis=1)
    drawn = np.zeros((n_boot, *strata.shape))
    for stratum, size in enumerate(sizes):
        if size:
            drawn[:, stratum] = rng.multinomial(size, strata[stratum] / size, n_boot)
    return drawn.reshape(n_boot, n_classes, n_classes)


def measures_of(
    wanted: Mapping[str, Resolved], scale: Scale, uncertainty: Uncertainty
) -> dict[str, Measure]:
    """Return metrics of counts as inference reads them; refuse what has no rule."""
    for name in uncertainty.ranges or {}:
        if name not in wanted or wanted[name].metric.reference:
            raise ValueError(
                f"ranges= names {name!r}, which is none of your own functions in metrics="
            )
    return {name: _measure(name, one, scale, uncertainty) for name, one in wanted.items()}


def _measure(name: str, one: Resolved, scale: Scale, uncertainty: Uncertainty) -> Measure:
    metric, options = one
    kernel = metric.of_fractions or metric.kernel
    of_class, is_largest = None, False
    if metric.extreme_of is not None:
        of_class = registry[metric.extreme_of[0]].kernel
        is_largest = metric.extreme_of[1] is np.max
    return Measure(
        value=scale.function(replace(metric, kernel=kernel), options),
        range=(uncertainty.ranges or {}).get(name, metric.bounds(len(scale))),
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


def refuse_without_rule(
    wanted: Mapping[str, Resolved], uncertainty: Uncertainty, is_weighted: bool
) -> None:
    """Raise for metrics of scores and probabilities for which this report has no rule."""
    for name, (metric, _) in wanted.items():
        if not metric.has_influence:
            without = "intervals"
        elif uncertainty.method == "bootstrap":
            without = 'intervals with method="bootstrap"'
        elif is_weighted and metric.score_influence is not None:
            without = "intervals with sample_weight="
        else:
            continue
        raise ValueError(
            f"{name} is a metric of {metric.needs}, which has no {without}: ask for it in a "
            "report without ci= and se="
        )


def uncertainty_of_rows(
    one: Resolved,
    rows: Segments,
    column: Array,
    estimate: Floats,
    clusters: Codes | None = None,
    *,
    scale: Scale,
    uncertainty: Uncertainty,
) -> Array:
    """Return what `Uncertainty.suffixes` names of a metric of rows, ``(suffixes, segments)``."""
    found = interval_of_rows(
        one.metric, scale.aligned(one.options), rows, column, estimate, _level(uncertainty),
        clusters=clusters, by_class=uncertainty.stratify is not None,
    )  # fmt: skip
    return _stacked(found, uncertainty)


def _level(uncertainty: Uncertainty) -> float:
    return 0.95 if uncertainty.ci is None else float(uncertainty.ci)


def uncertainty_of_counts(
    measures: Mapping[str, Measure],
    counts: Array,
    estimates: Mapping[str, Floats],
    uncertainty: Uncertainty,
    *,
    norms: Array | None = None,
    n: Array | None = None,
    clusters: tuple[Array, Positions] | None = None,
) -> dict[str, Array]:
    """Return for each metric what `Uncertainty.suffixes` names, ``(suffixes, batch)``."""
    level, by_class = _level(uncertainty), uncertainty.stratify is not None
    found: Mapping[str, NamedTuple]
    if uncertainty.method == "bootstrap":
        found = bootstrap(
            measures, counts, level, by_class=by_class, n_boot=uncertainty.n_boot,
            seed=uncertainty.seed, progress=uncertainty.progress,
        )  # fmt: skip
    elif clusters is not None:
        found = intervals_by_cluster(measures, counts, *clusters, estimates, level)
    else:
        tables = tables_of(counts, norms=norms, n=n, by_class=by_class)
        found = intervals(measures, tables, estimates, level)
    return {name: _stacked(one, uncertainty) for name, one in found.items()}


def _stacked(found: NamedTuple, uncertainty: Uncertainty) -> Array:
    return np.stack([getattr(found, part) for part in uncertainty.suffixes])
