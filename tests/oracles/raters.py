"""Agreement of any number of raters, written out pair by pair."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

Table = list[list[int]]


def weight(name: str, n_classes: int) -> Callable[[int, int], float]:
    """The agreement of two classes."""
    if name == "identity":
        return lambda c, k: float(c == k)
    power = {"linear": 1, "quadratic": 2}[name]
    return lambda c, k: 1 - abs(c - k) ** power / (n_classes - 1) ** power


def rated(table: Table) -> Table:
    """The ratings of each item that has one."""
    items = [[one for one in item if one >= 0] for item in table]
    return [item for item in items if item]


def observed(table: Table, w: Callable[[int, int], float]) -> float:
    """The mean agreement of pairs of ratings of an item, over items."""
    means = []
    for item in rated(table):
        pairs = [w(a, b) for a, b in itertools.permutations(item, 2)]
        if pairs:
            means.append(sum(pairs) / len(pairs))
    return sum(means) / len(means) if means else np.nan


def class_shares(table: Table, n_classes: int) -> list[float]:
    """The mean share of each class over items."""
    items = rated(table)
    return [
        sum(item.count(k) / len(item) for item in items) / len(items) for k in range(n_classes)
    ]


def corrected(agreed: float, by_chance: float) -> float:
    return np.nan if abs(1 - by_chance) < 1e-12 else (agreed - by_chance) / (1 - by_chance)


def fleiss_kappa(table: Table, n_classes: int, weights: str) -> float:
    w, q = weight(weights, n_classes), class_shares(table, n_classes)
    cells = itertools.product(range(n_classes), repeat=2)
    return corrected(observed(table, w), sum(w(c, k) * q[c] * q[k] for c, k in cells))


def conger_kappa(table: Table, n_classes: int, weights: str) -> float:
    w = weight(weights, n_classes)
    raters = [[one for one in rater if one >= 0] for rater in zip(*table, strict=True)]
    if not all(raters):
        return np.nan
    pairs = list(itertools.combinations(raters, 2))
    chances = [
        sum(w(a, b) for a in one for b in other) / (len(one) * len(other)) for one, other in pairs
    ]
    return corrected(observed(table, w), sum(chances) / len(chances))


def gwet_ac(table: Table, n_classes: int, weights: str) -> float:
    w, q = weight(weights, n_classes), class_shares(table, n_classes)
    sums = sum(w(c, k) for c in range(n_classes) for k in range(n_classes))
    spread = sum(share * (1 - share) for share in q)
    return corrected(observed(table, w), sums / (n_classes * (n_classes - 1)) * spread)


def brennan_prediger(table: Table, n_classes: int, weights: str) -> float:
    w = weight(weights, n_classes)
    sums = sum(w(c, k) for c in range(n_classes) for k in range(n_classes))
    return corrected(observed(table, w), sums / n_classes**2)


def krippendorff_alpha(table: Table, n_classes: int, level: str) -> float:
    """1 - mean difference within items / mean difference of all ratings."""
    items = [item for item in rated(table) if len(item) > 1]
    every = [one for item in items for one in item]

    def apart(c: int, k: int) -> float:
        if level == "nominal":
            return float(c != k)
        if level == "interval":
            return float(c - k) ** 2
        if level == "ratio":
            return ((c - k) / (c + k + 2)) ** 2
        low, high = min(c, k), max(c, k)
        between = sum(every.count(one) for one in range(low, high + 1))
        return (between - (every.count(low) + every.count(high)) / 2) ** 2

    within = sum(
        sum(apart(a, b) for a, b in itertools.permutations(item, 2)) / (len(item) - 1)
        for item in items
    )
    among = sum(apart(a, b) for a, b in itertools.permutations(every, 2))
    return np.nan if among == 0 else 1 - within / (among / (len(every) - 1))
