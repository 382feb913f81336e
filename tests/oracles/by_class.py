"""Tables by class and by cut, row by row, and their intervals written from the formulas."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

from scipy.stats import t as student
from statsmodels.stats.proportion import proportion_confint

NAN = float("nan")
Value = float
Bounds = tuple[float, float]


class Row(NamedTuple):
    """A row of data."""

    true: int
    pred: int
    weight: float = 1.0
    cluster: Hashable = None


class Quantity(NamedTuple):
    """A mean over rows: which rows count for class k, and the value of each."""

    counts: Callable[[Row, int], bool]
    value: Callable[[Row, int], Value]
    is_share: bool = True


OF_CLASSES = {
    "recall": Quantity(lambda row, k: row.true == k, lambda row, k: row.pred == k),
    "specificity": Quantity(lambda row, k: row.true != k, lambda row, k: row.pred != k),
    "precision": Quantity(lambda row, k: row.pred == k, lambda row, k: row.true == k),
    "npv": Quantity(lambda row, k: row.pred != k, lambda row, k: row.true != k),
    "mae": Quantity(lambda row, k: row.true == k, lambda row, k: abs(row.pred - k), False),
    "off_by_one": Quantity(lambda row, k: row.true == k, lambda row, k: abs(row.pred - k) == 1),
}
OF_CUTS = {
    "sensitivity": Quantity(lambda row, k: row.true > k, lambda row, k: row.pred > k),
    "specificity": Quantity(lambda row, k: row.true <= k, lambda row, k: row.pred <= k),
    "ppv": Quantity(lambda row, k: row.pred > k, lambda row, k: row.true > k),
    "npv": Quantity(lambda row, k: row.pred <= k, lambda row, k: row.true <= k),
}


def mean(weights: Sequence[float], values: Sequence[float]) -> float:
    total = sum(weights)
    return math.fsum(w * v for w, v in zip(weights, values, strict=True)) / total if total else NAN


def value_of(rows: Sequence[Row], quantity: Quantity, k: int) -> float:
    counted = [row for row in rows if quantity.counts(row, k)]
    return mean(
        [row.weight for row in counted], [float(quantity.value(row, k)) for row in counted]
    )


def pseudo_row(rows: Sequence[Row], quantity: Quantity, k: int, n_classes: int) -> list[Bounds]:
    """One more row in parts, as pairs of their weight and their value: half right, half wrong."""
    if quantity.is_share:
        return [(0.5, 1.0), (0.5, 0.0)]
    occurs = {row.true for row in rows} | {row.pred for row in rows}
    far = {c: float(abs(c - k)) for c in range(n_classes) if c != k}
    spread = {c: 1.0 for c in far if c in occurs and far[c] in (1, 2, 4, 8)}
    spread = spread or {c: 1 / far[c] for c in far if c in occurs} or {c: 1 / far[c] for c in far}
    if not spread:
        return [(1.0, 0.0)]
    total = sum(spread.values())
    return [(0.5, 0.0)] + [(0.5 * share / total, far[c]) for c, share in spread.items()]


def by_logit(value: float, se: float, t: float, highest: float) -> Bounds:
    """The ends of an interval on the logit scale of a range from 0."""
    share = value / highest
    step = t * se / highest / (share * (1 - share))
    ends = (math.log(share / (1 - share)) + sign * step for sign in (-1, 1))
    low, high = (highest / (1 + math.exp(-end)) for end in ends)
    return low, high


def interval(
    rows: Sequence[Row], quantity: Quantity, k: int, n_classes: int, level: float, design: str
) -> Bounds:
    """The bounds for class k: of independent rows, by cluster, by weight, or by both."""
    counted = [row for row in rows if quantity.counts(row, k)]
    values = [float(quantity.value(row, k)) for row in counted]
    estimate, n = value_of(rows, quantity, k), len(counted)
    highest = 1.0 if quantity.is_share else float(max(k, n_classes - 1 - k))
    if not n:
        return NAN, NAN
    if design == "rows" and (quantity.is_share or n_classes == 2):
        low, high = proportion_confint(round(sum(values)), n, alpha=1 - level, method="beta")
        return float(low), float(high)
    if design == "rows" and n == 1:
        return 0.0, highest
    weights = [row.weight for row in counted]
    of_typical = rows if design == "clusters" else counted
    q = sum(row.weight**2 for row in of_typical) / sum(row.weight for row in of_typical)
    extra = [(q * w, v) for w, v in pseudo_row(rows, quantity, k, n_classes)]
    total = sum(weights) + q
    smooth = mean([*weights, *(w for w, _ in extra)], [*values, *(v for _, v in extra)])
    of_row = sum(q * w * (v - smooth) ** 2 for w, v in extra) / total**2
    if design == "clusters":
        clusters = {row.cluster for row in counted}
        n_clusters = len(clusters)
        if n_clusters < 2:
            return NAN, NAN
        changes = []
        for cluster in clusters:
            kept = [place for place, row in enumerate(counted) if row.cluster != cluster]
            changes.append(
                smooth
                - mean(
                    [*(weights[i] for i in kept), *(w for w, _ in extra)],
                    [*(values[i] for i in kept), *(v for _, v in extra)],
                )
            )
        variance = (n_clusters - 1) / n_clusters * sum(c**2 for c in changes) + of_row
        found = [by_logit(smooth, variance**0.5, _t(n_clusters - 1, level), highest)]
    else:
        df = sum(weights) ** 2 / sum(w**2 for w in weights) - 1
        if df < 1 - 1e-9:
            return NAN, NAN
        squares = sum(w**2 * (v - smooth) ** 2 for w, v in zip(weights, values, strict=True))
        variance = (n + 1) / n * (squares / total**2 + of_row)
        found = [by_logit(smooth, variance**0.5, _t(df, level), highest)]
        plain = sum(w**2 * (v - estimate) ** 2 for w, v in zip(weights, values, strict=True))
        if design == "weights" and plain > 1e-15:
            se = (n / (n - 1) * plain) ** 0.5 / sum(weights)
            found.append(by_logit(estimate, se, _t(df, level), highest))
    return (
        min(estimate, *(low for low, _ in found)),
        max(estimate, *(high for _, high in found)),
    )


def _t(df: float, level: float) -> float:
    return float(student.ppf((1 + level) / 2, df))
