"""Agreement of any number of raters, written out pair by pair."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from oracles.uncertainty import pseudo_row

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


def standard_errors(table: Table, n_classes: int, weights: str) -> dict[str, float]:
    """Of the jackknife over the items and a pseudo-item, which has the ratings of a typical item.

    Half of its pairs of ratings agree; raters hold it for themselves too. Alpha is that of the
    interval level, whose distances do not depend on the ratings.
    """
    w, k = weight(weights, n_classes), range(n_classes)
    items = [item for item in table if max(item) >= 0]
    several = [item for item in rated(table) if len(item) > 1]
    typical = sum(map(len, several)) / len(several)
    counted = [sum(item.count(c) / len(item) for item in rated(table)) for c in k]
    half = pseudo_row(np.diag(counted))
    pseudo = (half + half.T) / 2

    def values(chosen: list[list[int]], with_pseudo: bool) -> dict[str, float]:
        agreed, shares, margins = [], [], np.zeros(n_classes)
        apart, of_raters = 0.0, np.zeros((len(table[0]), n_classes))
        for item in chosen:
            (ours,) = rated([item])
            shares.append([ours.count(c) / len(ours) for c in k])
            for rater, one in enumerate(item):
                of_raters[rater, one] += one >= 0
            pairs = list(itertools.permutations(ours, 2))
            if pairs:
                agreed.append(sum(w(a, b) for a, b in pairs) / len(pairs))
                margins += [ours.count(c) for c in k]
                apart += sum((a - b) ** 2 for a, b in pairs) / (len(ours) - 1)
        if with_pseudo:
            shares.append(pseudo.sum(axis=1))
            agreed.append(sum(pseudo[c, d] * w(c, d) for c in k for d in k))
            margins = margins + typical * pseudo.sum(axis=1)
            apart += typical * sum(pseudo[c, d] * (c - d) ** 2 for c in k for d in k)
            of_raters = of_raters + pseudo.sum(axis=1)
        q, pa = np.mean(shares, axis=0), float(np.mean(agreed))
        every = sum(w(c, d) for c in k for d in k)
        p = [of_rater / of_rater.sum() for of_rater in of_raters]
        by_pair = [
            sum(w(c, d) * one[c] * other[d] for c in k for d in k)
            for one, other in itertools.combinations(p, 2)
        ]
        n = margins.sum()
        expected = sum(margins[c] * margins[d] * (c - d) ** 2 for c in k for d in k)
        return {
            "fleiss_kappa": corrected(pa, sum(w(c, d) * q[c] * q[d] for c in k for d in k)),
            "conger_kappa": corrected(pa, float(np.mean(by_pair))),
            "gwet_ac": corrected(pa, every / (n_classes * (n_classes - 1)) * (q * (1 - q)).sum()),
            "brennan_prediger": corrected(pa, every / n_classes**2),
            "krippendorff_alpha": 1 - (n - 1) * apart / expected,
        }

    left = [values(items[:i] + items[i + 1 :], True) for i in range(len(items))]
    left.append(values(items, False))
    n = len(left)
    spread = {name: np.array([one[name] for one in left]) for name in left[0]}
    return {
        name: float(np.sqrt((n - 1) / n * ((one - one.mean()) ** 2).sum()))
        for name, one in spread.items()
    }
