"""Thresholds on scores by their definitions: loops over rows and over all combinations."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

Numbers = Sequence[float]


def predict(score: float, thresholds: Numbers) -> int:
    """Class k where b[k - 1] < f <= b[k]; -1 for a missing score."""
    if math.isnan(score):
        return -1
    for k, threshold in enumerate(thresholds):
        if score <= threshold:
            return k
    return len(thresholds)


def confusion(
    true: Sequence[int],
    scores: Numbers,
    thresholds: Numbers,
    n_classes: int,
    weights: Numbers | None = None,
) -> list[list[Fraction]]:
    table = [[Fraction(0)] * n_classes for _ in range(n_classes)]
    for row, (k, score) in enumerate(zip(true, scores, strict=True)):
        if k >= 0:
            weight = 1 if weights is None else weights[row]
            table[k][predict(score, thresholds)] += Fraction(weight)
    return table


def rates(
    true: Sequence[int],
    scores: Numbers,
    thresholds: Numbers,
    n_classes: int,
    weights: Numbers | None = None,
) -> list[float]:
    """True positive rate of each class, eq. 9."""
    table = confusion(true, scores, thresholds, n_classes, weights)
    return [float(line[k] / sum(line)) if sum(line) else math.nan for k, line in enumerate(table)]


def combinations(scores: Numbers, n_classes: int) -> Iterator[tuple[float, ...]]:
    """All vectors of thresholds that differ in their predictions, the lowest first."""
    places = sorted({-math.inf, *scores})
    return itertools.combinations_with_replacement(places, n_classes - 1)


def total_cost(table: Sequence[Sequence[Fraction]], costs: Any) -> Fraction:
    return sum(
        (
            times * Fraction(float(costs[r][c]))
            for r, line in enumerate(table)
            for c, times in enumerate(line)
        ),
        Fraction(0),
    )


def best(
    true: Sequence[int],
    scores: Numbers,
    n_classes: int,
    loss: Callable[[list[list[Fraction]]], Any],
    weights: Numbers | None = None,
) -> tuple[tuple[float, ...], Any]:
    """The first of all thresholds with the lowest loss, and that loss; NaN never is the lowest."""
    lowest: Any = None
    for thresholds in combinations(scores, n_classes):
        value = loss(confusion(true, scores, thresholds, n_classes, weights))
        if not math.isnan(value) and (lowest is None or value < lowest[1]):
            lowest = thresholds, value
    return lowest  # type: ignore[no-any-return]


def strict_vus(true: Sequence[int], scores: Numbers, n_classes: int) -> float:
    """Share of sequences, one row of each class, whose scores increase: eq. 8."""
    own = [[f for f, k in zip(scores, true, strict=True) if k == c] for c in range(n_classes)]
    sequences = list(itertools.product(*own))
    ordered = [s for s in sequences if all(a < b for a, b in itertools.pairwise(s))]
    return len(ordered) / len(sequences)


def as_counts(table: Sequence[Sequence[Fraction]]) -> np.ndarray:
    return np.array(table, dtype=float)
