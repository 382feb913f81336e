"""Errors and hits, row by row, and the correlations of positions and of midranks."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from oracles.rows import NAN, Counts, Matrix, class_sizes, rows

Number = int | float | Fraction


def _mean(counts: Counts, score: Callable[[int, int], Number]) -> float:
    """Mean of a score over the rows."""
    data = rows(counts)
    if not data:
        return NAN
    return float(
        Fraction(sum(Fraction(score(t, p)) * times for t, p, times in data))
        / sum(row.times for row in data)
    )


def accuracy(counts: Counts) -> float:
    return _mean(counts, lambda t, p: t == p)


def error_rate(counts: Counts) -> float:
    return _mean(counts, lambda t, p: t != p)


def accuracy_within(counts: Counts, *, k: int = 1) -> float:
    return _mean(counts, lambda t, p: abs(t - p) <= k)


def mae(counts: Counts) -> float:
    return _mean(counts, lambda t, p: abs(t - p))


def mse(counts: Counts) -> float:
    return _mean(counts, lambda t, p: (t - p) ** 2)


def rmse(counts: Counts) -> float:
    return math.sqrt(mse(counts))


def bias(counts: Counts) -> float:
    return _mean(counts, lambda t, p: p - t)


def expected_cost(counts: Counts, *, costs: Matrix) -> float:
    return _mean(counts, lambda t, p: float(costs[t][p]))


def _by_class(counts: Counts, score: Callable[[int, int], Number]) -> list[float]:
    """Mean of a score over the rows of each true class."""
    k = len(counts)
    return [
        _mean([list(counts[r]) if i == r else [0] * k for i in range(k)], score) for r in range(k)
    ]


def class_recall(counts: Counts) -> list[float]:
    return _by_class(counts, lambda t, p: t == p)


def class_off_by_one(counts: Counts) -> list[float]:
    return _by_class(counts, lambda t, p: abs(t - p) == 1)


def _share(data: list[tuple[int, int, int]], of: Callable[[int, int], bool]) -> float:
    """Share of the rows for which something holds."""
    total = sum(times for *_, times in data)
    return float(Fraction(sum(n for t, p, n in data if of(t, p))) / total) if total else NAN


def class_precision(counts: Counts) -> list[float]:
    data = rows(counts)
    return [
        _share([row for row in data if row[1] == k], lambda t, p: t == p)
        for k in range(len(counts))
    ]


def class_specificity(counts: Counts) -> list[float]:
    data = rows(counts)
    return [
        _share([row for row in data if row[0] != k], lambda t, p, k=k: p != k)
        for k in range(len(counts))
    ]


def class_npv(counts: Counts) -> list[float]:
    data = rows(counts)
    return [
        _share([row for row in data if row[1] != k], lambda t, p, k=k: t != k)
        for k in range(len(counts))
    ]


def class_mae(counts: Counts) -> list[float]:
    return _by_class(counts, lambda t, p: abs(t - p))


def _present(counts: Counts) -> list[float]:
    """MAE of each class that has rows."""
    return [m for m, size in zip(class_mae(counts), class_sizes(counts), strict=True) if size > 0]


def amae(counts: Counts) -> float:
    maes = _present(counts)
    return sum(maes) / len(maes) if maes else NAN


def mmae(counts: Counts) -> float:
    return max(_present(counts), default=NAN)


def min_mae(counts: Counts) -> float:
    return min(_present(counts), default=NAN)


def _correlation(values: list[tuple[Number, Number, int]]) -> float:
    """Pearson's correlation of (x, y, times)."""
    n = sum(times for *_, times in values)
    if n == 0:
        return NAN
    mean_x = Fraction(sum(x * times for x, _, times in values)) / n
    mean_y = Fraction(sum(y * times for _, y, times in values)) / n
    covariance = sum((x - mean_x) * (y - mean_y) * times for x, y, times in values)
    variance_x = sum((x - mean_x) ** 2 * times for x, _, times in values)
    variance_y = sum((y - mean_y) ** 2 * times for _, y, times in values)
    if variance_x == 0 or variance_y == 0:
        return NAN
    return float(covariance) / math.sqrt(variance_x) / math.sqrt(variance_y)


def pearson(counts: Counts) -> float:
    return _correlation([(t, p, times) for t, p, times in rows(counts)])


def accuracy_pearson(counts: Counts) -> float:
    return (accuracy(counts) + pearson(counts)) / 2


def _midrank(value: int, others: list[tuple[int, int]]) -> Fraction:
    """Mean of the ranks that equal values share; `others` holds (value, times)."""
    below = sum(times for other, times in others if other < value)
    equal = sum(times for other, times in others if other == value)
    return below + Fraction(equal + 1, 2)


def spearman(counts: Counts) -> float:
    data = rows(counts)
    true = [(row.true, row.times) for row in data]
    pred = [(row.pred, row.times) for row in data]
    return _correlation([(_midrank(t, true), _midrank(p, pred), times) for t, p, times in data])


def _recalls(counts: Counts) -> list[float]:
    return [line[r] / sum(line) for r, line in enumerate(counts) if sum(line)]


def geometric_mean(counts: Counts) -> float:
    recalls = _recalls(counts)
    return math.prod(recalls) ** (1 / len(recalls)) if recalls else NAN


def min_sensitivity(counts: Counts) -> float:
    return min(_recalls(counts), default=NAN)


def balanced_accuracy(counts: Counts) -> float:
    recalls = _recalls(counts)
    return sum(recalls) / len(recalls) if recalls else NAN


def _extreme_recalls(counts: Counts) -> list[float]:
    """Recall of the lowest and of the highest class, where both have rows."""
    lines = [(counts[0], 0), (counts[-1], len(counts) - 1)]
    return [line[r] / sum(line) if sum(line) else NAN for line, r in lines]


def gmsec(counts: Counts) -> float:
    lowest, highest = _extreme_recalls(counts)
    return math.sqrt(lowest * highest)


def mean_extreme_sensitivity(counts: Counts) -> float:
    lowest, highest = _extreme_recalls(counts)
    return (lowest + highest) / 2


def cem(counts: Counts) -> float:
    sizes = class_sizes(counts)
    n = sum(sizes)
    if n == 0:
        return NAN

    def proximity(c: int, r: int) -> float:
        step = 1 if r > c else -1
        passed = range(c + step, r + step, step) if r != c else []
        return -math.log2((sizes[c] / 2 + sum(sizes[k] for k in passed)) / n)

    reached = sum(
        count * proximity(c, r)
        for r, line in enumerate(counts)
        for c, count in enumerate(line)
        if count
    )
    return reached / sum(size * proximity(r, r) for r, size in enumerate(sizes) if size)
