"""Literal readings of prediction sets: row by row, class by class."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from oracles.probability import rps

Row = Sequence[float]


def limit(errors: Sequence[float], coverage: float) -> float:
    """The error at the rank ceil((n + 1) * coverage), or infinity if there is no such rank."""
    rank = math.ceil((len(errors) + 1) * coverage - 1e-9)
    return sorted(errors)[rank - 1] if rank <= len(errors) else math.inf


def limits(
    true: Sequence[int], proba: Sequence[Row], n_classes: int, coverage: float, by_class: bool
) -> list[float]:
    """The limit of each class, by the rows of all classes or its own."""
    found = []
    for k in range(n_classes):
        of = [i for i, y in enumerate(true) if y >= 0 and (y == k or not by_class)]
        found.append(limit([rps([true[i]], [proba[i]]) for i in of], coverage))
    return found


def admitted(row: Row, limits: Sequence[float]) -> list[int]:
    """The classes whose error is within their limit."""
    return [k for k, most in enumerate(limits) if rps([k], [row]) <= most + 1e-12]


def ends(row: Row, limits: Sequence[float]) -> tuple[int, int]:
    """The lowest and the highest class of a set, the median class if it is empty."""
    inside = admitted(row, limits)
    if not inside:
        below = list(itertools.accumulate(row))
        inside = [next(k for k, f in enumerate(below) if f >= sum(row) / 2 - 1e-12)]
    return inside[0], inside[-1]


def report(
    true: Sequence[int], low: Sequence[int], high: Sequence[int], coverage: float,
    weights: Sequence[float] | None = None,
) -> dict[str, float]:  # fmt: skip
    """What `report_sets` shows, each a loop over the rows."""
    weight = [1.0] * len(true) if weights is None else list(weights)
    rows = list(zip(true, low, high, weight, strict=True))
    total = sum(weight)

    def mean(values: Sequence[float]) -> float:
        return sum(w * v for w, v in zip(weight, values, strict=True)) / total

    missed = [max(a - y, y - b, 0) for y, a, b, _ in rows]
    of_class = []
    for k in {y for y, _, _, w in rows if w}:
        own = [(a <= y <= b, w) for y, a, b, w in rows if y == k]
        of_class.append(sum(w for hit, w in own if hit) / sum(w for _, w in own))
    return {
        "coverage": mean([float(m == 0) for m in missed]),
        "size": mean([b - a + 1 for _, a, b, _ in rows]),
        "least_coverage": min(of_class),
        "distance": mean(missed),
        "interval_score": mean(
            [b - a + 2 / (1 - coverage) * m for (_, a, b, _), m in zip(rows, missed, strict=True)]
        ),
    }
