"""Slow, literal readings of the rules for differences between models, one pair at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite, log, sqrt
from typing import NamedTuple

import numpy as np
from scipy import stats

from oracles.uncertainty import Function, influence, pseudo_row, row_for, satterthwaite

Labels = Sequence[int]


class Difference(NamedTuple):
    """A difference, the one with the pseudo-row, its standard error and degrees of freedom."""

    plain: float
    smoothed: float
    se: float
    freedom: float

    def interval(self, level: float, limits: tuple[float, float]) -> tuple[float, float]:
        """Around both differences, within what a difference can be."""
        half = float(stats.t.ppf((1 + level) / 2, self.freedom)) * self.se
        span = limits[1] - limits[0]
        low, high = self.least - half, self.most + half
        return max(low, -span), min(high, span)

    @property
    def least(self) -> float:
        """The lower one of both differences."""
        return min(self.plain, self.smoothed)

    @property
    def most(self) -> float:
        """The higher one of both differences."""
        return max(self.plain, self.smoothed)

    @property
    def p(self) -> float:
        """Of the difference that is nearer to 0; 1 if one is 0 or they have unlike signs."""
        if self.plain * self.smoothed <= 0:
            return 1.0
        size = min(abs(self.plain), abs(self.smoothed))
        return float(2 * stats.t.sf(size / self.se, self.freedom))


def difference(
    f: Function,
    true: Labels,
    preds: tuple[Labels, Labels],
    k: int,
    limits: tuple[float, float],
    *,
    is_mean: bool = False,
    is_root: bool = False,
    weights: Sequence[float] | None = None,
    clusters: Labels | None = None,
) -> Difference:
    """Row by row or cluster by cluster, then the pseudo-row, class by class."""
    n = len(true)
    w = np.ones(n) if weights is None else np.array(weights) / np.mean(weights)
    q = (w**2).sum() / w.sum()
    tables, rows, added, smoothed = [], [], [], []
    sums, squares = (
        [sum(x[i] for i in range(n) if true[i] == r) for r in range(k)] for x in (w, w**2)
    )
    sizes = [x**2 / y if y else 0 for x, y in zip(sums, squares, strict=True)]
    for pred in preds:
        counts = _weigh(true, pred, w, range(n), k)
        row = q * row_for(f, counts, sizes)
        tables.append(counts)
        rows.append(row)
        added.append(influence(f, counts + row))
        smoothed.append(float(f(counts + row)))
    plain = [float(f(table * np.mean(weights or [1]))) for table in tables]
    # what the rows of each class add to the variances and the covariance
    products = np.zeros((k, 2, 2))
    for y in range(k):
        p = rows[0][y].sum()
        for i in range(k):
            for j in range(k):
                if p:
                    both = q * p * (rows[0][y, i] / p) * (rows[1][y, j] / p)
                    one, other = added[0][y, i], added[1][y, j]
                    products[y] += both * np.array(
                        [[one**2, one * other], [one * other, other**2]]
                    )
    if clusters is None:
        for r in range(n):
            pair = np.array([added[m][true[r], preds[m][r]] for m in (0, 1)])
            products[true[r]] += w[r] ** 2 * np.outer(pair, pair)
        covariance = (n + 1) / n * products.sum(0)
        variances = [one[0, 0] + one[1, 1] - 2 * one[0, 1] for one in products]
        as_many = [
            (x + q * p) ** 2 / (y + q**2 * p) if y else 1
            for x, y, p in zip(sums, squares, rows[0].sum(1) / q, strict=True)
        ]
        freedom = satterthwaite(variances, as_many, w.sum() ** 2 / (w**2).sum() - 1)
    else:
        covariance, freedom = products.sum(0), len(set(clusters)) - 1.0
        for name in set(clusters):
            ours = [r for r in range(n) if clusters[r] == name]
            changes = []
            for m, pred in enumerate(preds):
                part = _weigh(true, pred, w, ours, k)
                if freedom < 50:
                    changes.append(smoothed[m] - float(f(tables[m] + rows[m] - part)))
                else:
                    raw = influence(f, tables[m] + rows[m], centred=False)
                    changes.append((part * raw).sum() / (1 - part.sum() / w.sum()))
            covariance = covariance + freedom / (freedom + 1) * np.outer(changes, changes)
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    if is_root:  # (a - b) (a + b) is the difference of the squares
        slopes = 2 * np.array([smoothed[0], -smoothed[1]]) / sum(smoothed)
        variance = float(slopes @ covariance @ slopes)
    elif not is_mean and all(map(isfinite, limits)):
        variance = max(variance, _on_logits(smoothed, covariance, limits))
    value = plain[0] - plain[1]
    stretched = (w.sum() + q) / w.sum() * (smoothed[0] - smoothed[1])
    return Difference(value, value if is_mean else stretched, sqrt(max(variance, 0)), freedom)


def _on_logits(
    values: Sequence[float], covariance: np.ndarray, limits: tuple[float, float]
) -> float:
    """The variance on the logit scale, back by the mean slope, of values on opposite sides."""
    low, high = limits
    if not all(low < value < high for value in values):
        return 0.0
    logits = [log((value - low) / (high - value)) for value in values]
    if logits[0] * logits[1] >= -1e-12:
        return 0.0
    slope = (logits[0] - logits[1]) / (values[0] - values[1])
    one, other = ((1 / (value - low) + 1 / (high - value)) / slope for value in values)
    return float(
        one**2 * covariance[0, 0]
        + other**2 * covariance[1, 1]
        - 2 * one * other * covariance[0, 1]
    )


def extremes(
    loss: Callable[[int, int], float],
    is_largest: bool,
    true: Labels,
    preds: tuple[Labels, Labels],
    k: int,
) -> Difference:
    """Each extreme is the mean of a class, with one pseudo-row in it.

    If classes tie, it is that of the class whose mean is the least certain, and of these the
    lowest. A class that is less certain, and not far from the extreme, may be that of the extreme.
    """
    plain, means, classes, fewest, added, pseudo, more = [], [], [], [], [], 0.0, 0.0
    for pred in preds:
        counts = _weigh(true, pred, np.ones(len(true)), range(len(true)), k)
        of_classes, values = [], []
        for r in range(k):
            ours = [loss(r, c) for t, c in zip(true, pred, strict=True) if t == r]
            if not ours:
                continue
            g = pseudo_row(counts)[r] / pseudo_row(counts)[r].sum()
            losses = [loss(r, c) for c in range(k)]
            n = len(ours)
            s = (sum(ours) + sum(p * one for p, one in zip(g, losses, strict=True))) / (n + 1)
            of_row = sum(p * (one - s) ** 2 for p, one in zip(g, losses, strict=True))
            v = sum((one - s) ** 2 for one in ours) + of_row
            signed = round(s if is_largest else -s, 10)
            of_classes.append((signed, round(v / n**2, 13), -r, s, n, of_row / (n + 1) ** 2))
            values.append(sum(ours) / n)
        _, _, negative, s, n, own = max(of_classes)
        plain.append(max(values) if is_largest else min(values))
        means.append(s)
        classes.append(n)
        pseudo += own
        # the variance of a mean is v / n / (n + 1), and only v / n ** 2 is at hand
        spreads = [(v * m / (m + 1), z, x, m) for x, v, z, _, m, _ in of_classes]
        near = [one for one in spreads if one[2] + 2 * sqrt(one[0]) >= max(of_classes)[0]]
        largest, _, _, m = max(near)
        more += largest - max(of_classes)[1] * n / (n + 1)
        fewest.append(min(n, m))
        added.append(
            [
                (loss(t, c) - s) / (n + 1) * (t == -negative)
                for t, c in zip(true, pred, strict=True)
            ]
        )
    f = min(classes)
    squares = sum((one - other) ** 2 for one, other in zip(*added, strict=True)) + pseudo
    smoothed = (f + 1) / f * (means[0] - means[1])
    variance = (f + 1) / f * squares + more
    return Difference(plain[0] - plain[1], smoothed, sqrt(variance), min(fewest) - 1)


def _weigh(
    true: Labels, pred: Labels, weights: np.ndarray, rows: Sequence[int], k: int
) -> np.ndarray:
    counts = np.zeros((k, k))
    for row in rows:
        counts[true[row], pred[row]] += weights[row]
    return counts
