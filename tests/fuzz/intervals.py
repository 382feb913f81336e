"""Intervals and comparisons, by the literal jackknife and delta loops of the oracles."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from oracles import uncertainty

from fuzz.answers import Wrong, plain, refuse_other, result_of
from fuzz.frames import often
from fuzz.literal import METRICS, Row
from fuzz.tables import Table, frame_of, make_table

ROUNDING = 1e-12
NOTHING = (math.nan, math.nan, math.nan)


def accuracy(counts: np.ndarray) -> float:
    return counts.trace() / counts.sum() if counts.sum() else math.nan


def _mean(counts: np.ndarray, cost: Callable[[int, int], float]) -> float:
    total = sum(count * cost(r, c) for (r, c), count in np.ndenumerate(counts))
    return total / counts.sum() if counts.sum() else math.nan


def mae(counts: np.ndarray) -> float:
    return _mean(counts, lambda r, c: abs(r - c))


def bias(counts: np.ndarray) -> float:
    return _mean(counts, lambda r, c: c - r)


def kappa(counts: np.ndarray) -> float:
    true, pred, n = counts.sum(1), counts.sum(0), counts.sum()
    chance = sum(true[r] * pred[c] * (r - c) ** 2 for r, c in np.ndindex(counts.shape))
    observed = sum(count * (r - c) ** 2 for (r, c), count in np.ndenumerate(counts))
    return 1 - observed * n / chance if chance > 0 else math.nan


FUNCTIONS: dict[str, Callable[[np.ndarray], float]] = {
    "accuracy": uncertainty.Within(0), "mae": mae, "kappa": kappa, "bias": bias,
}  # fmt: skip


def limits_of(name: str, n_classes: int) -> tuple[float, float]:
    span = n_classes - 1
    return {"accuracy": (0, 1), "mae": (0, span), "kappa": (-1, 1), "bias": (-span, span)}[name]


def tolerance_of(name: str, n_classes: int) -> float:
    return ROUNDING * max(map(abs, limits_of(name, n_classes)))


def check(rng: random.Random) -> None:
    """Report some metrics with intervals and standard errors, by group and model."""
    table = make_table(rng, n_models=rng.choice([1, 2]))
    clustered = often(rng, 0.4)
    frame, models, level = frame_of(table), list(table.preds), rng.choice([0.9, 0.95])
    names = rng.sample([*METRICS], 2)
    given: dict[str, Any] = dict(table.options, metrics=names, ci=level, se=True)
    if table.keys:
        given["by"] = list(table.keys)
    if table.weights is not None:
        given["sample_weight"] = "w"
    if clustered:
        given["cluster"] = "cluster"
    pred: Any = models if len(models) > 1 else models[0]
    report = result_of(table.refused, lambda: frame.ordinal.report("y", pred, **given))
    if not table.keys and len(models) == 1:
        report = report.to_frame().T
    groups = sorted(table.rows(models[0])) or [()] * (not table.keys)
    due = [(group, model) for group in groups for model in models]
    if len(report) != len(due):
        raise Wrong(f"rows {list(report.index)}, due {due}")
    for (group, model), (key, row) in zip(due, report.iterrows(), strict=True):
        label = (*group, model) if len(models) > 1 else group
        if label and plain(key) != (label if len(label) > 1 else label[0]):
            raise Wrong(f"row {key}, due {label}")
        rows, clusters = rows_of(table, model, group)
        for name in names:
            estimate = METRICS[name](rows, len(table.classes))
            refuse_other([row["n"], row[name]], [len(rows), estimate])
            of_clusters = clusters if clustered else None
            is_share = name == "accuracy" or (name == "mae" and len(table.classes) == 2)
            is_share &= table.weights is None and not clustered
            ends = interval(name, rows, of_clusters, len(table.classes), level, estimate, is_share)
            found = [row[f"{name}_{part}"] for part in ("low", "high", "se")]
            if ends is not None:
                try:
                    refuse_other(found, ends, rel_tol=1e-7)
                except Wrong as wrong:
                    raise Wrong(f"{name} of {label}, {given}: {wrong}") from None


def rows_of(table: Table, model: str, group: tuple[Any, ...]) -> tuple[list[Row], list[int]]:
    """Return the rows of a group that count, and their clusters."""
    numbered = replace(table, weights=[float(at) for at in range(len(table.true))])
    places = [int(row.weight) for row in numbered.rows(model).get(group, [])]
    return table.rows(model).get(group, []), [table.clusters[at] for at in places]


def interval(
    name: str,
    rows: Sequence[Row],
    clusters: Sequence[int] | None,
    n_classes: int,
    level: float,
    estimate: float,
    is_share: bool,
) -> Sequence[float] | None:
    """Return the bounds and the standard error that are due; None if no rule says."""
    f, limits = FUNCTIONS[name], limits_of(name, n_classes)
    if clusters is not None:
        clusters = [one for row, one in zip(rows, clusters, strict=True) if row.weight > 0]
    rows = [row for row in rows if row.weight > 0]
    weights = np.array([row.weight for row in rows])
    if len(rows) < 2 or not math.isfinite(estimate):
        return NOTHING
    w = weights / weights.mean()
    freedom = w.sum() ** 2 / (w**2).sum() - 1
    if clusters is not None:
        freedom = len(set(clusters)) - 1
    freedom = round(freedom) if abs(freedom - round(freedom)) < 1e-9 else freedom
    if freedom < 1:
        return NOTHING
    tables = {key: np.zeros((n_classes, n_classes)) for key in clusters or [0]}
    for place, row in enumerate(rows):
        tables[clusters[place] if clusters else 0][row.true, row.pred] += w[place]
    counts: Any = sum(tables.values())
    codes = [row.true for row in rows], [row.pred for row in rows]
    if clusters is None:
        _, smoothed, se, freedom, plain_se = uncertainty.weighted(f, *codes, w, n_classes)
        sizes = [size for size in counts.sum(1) if size > 0]
        if name == "kappa" and min(sizes) < 2:
            if len(set(w)) > 1:
                return None  # whether such a class has two rows depends on what a row weighs
            plain_se = math.nan
    else:
        mass, plain_se = (w**2).sum() / w.sum(), math.nan
        smoothed, se = uncertainty.weighted_clusters_se(f, [*tables.values()], len(rows), mass)
    tolerance = tolerance_of(name, n_classes)
    ends = [(estimate, estimate)]
    if math.isfinite(se):
        ends.append(bounds(smoothed, se, freedom, limits, level, tolerance))
    if plain_se > tolerance:
        ends.append(bounds(estimate, plain_se, freedom, limits, level, tolerance))
    if not math.isfinite(se):
        return None
    several = n_classes < 2 or len({row.true for row in rows}) > 1
    if se <= tolerance and not several:
        return NOTHING
    if is_share and se > tolerance:
        n = len(rows)
        return *uncertainty.clopper_pearson(round(estimate * n), n, level), se
    return min(low for low, _ in ends), max(high for _, high in ends), se


def bounds(
    value: float, se: float, freedom: float, limits: Any, level: float, tolerance: float
) -> tuple[float, float]:
    """Return the ends of an interval; at a limit, it is cut off there."""
    low, high = limits
    for limit in limits:
        value = limit if abs(value - limit) <= tolerance else value
    ends = uncertainty.bounds(value, se, freedom, limits, level)
    if low <= value <= high:
        return max(ends[0], low), min(ends[1], high)
    return ends
