"""Calibration by literal loops: every outcome of every row, and every run of forecasts."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np


def cumulative(row: Sequence[float]) -> list[float]:
    """The probability of each class but the last, or a lower one."""
    return [math.fsum(row[: k + 1]) for k in range(len(row) - 1)]


def log_odds(p: float) -> float:
    """The logit of a probability, away from 0 and 1."""
    inside = min(max(p, 1e-9), 1 - 1e-9)
    return math.log(inside / (1 - inside))


def recalibration(y: int, row: Sequence[float]) -> list[float]:
    """What a row adds to the sums of the test of recalibration."""
    at_most = [float(y <= k) for k in range(len(row) - 1)]
    slope = math.fsum(o * log_odds(f) for o, f in zip(at_most, cumulative(row), strict=True))
    return [*at_most, slope]


def large(y: int, row: Sequence[float]) -> list[float]:
    """What a row adds to the sums of the test in the large."""
    return recalibration(y, row)[:-1]


def score(y: int, row: Sequence[float]) -> list[float]:
    """The ranked probability score of a row."""
    pairs = zip(cumulative(row), large(y, row), strict=True)
    return [math.fsum((f - o) ** 2 for f, o in pairs)]


def at_threshold(k: int) -> Callable[[int, Sequence[float]], list[float]]:
    """What a row adds to the sums of the test of one threshold."""
    return lambda y, row: [
        float(y <= k),
        float(y <= k) * log_odds(cumulative(row)[k]),
    ]


def chi_squared(
    terms: Callable[[int, Sequence[float]], list[float]],
    true: Sequence[int],
    proba: Sequence[Sequence[float]],
    weights: Sequence[float] | None = None,
    clusters: Sequence[Any] | None = None,
) -> tuple[float, int]:
    """The statistic and its degrees of freedom, from all outcomes of all rows."""
    weights = [1.0] * len(true) if weights is None else weights
    total, covariance, of_clusters = 0.0, 0.0, {}
    for i, (y, row, w) in enumerate(zip(true, proba, weights, strict=True)):
        outcomes = [np.array(terms(j, row)) for j in range(len(row))]
        mean = sum(p * x for p, x in zip(row, outcomes, strict=True))
        total = total + w * (outcomes[y] - mean)
        for p, x in zip(row, outcomes, strict=True):
            covariance = covariance + w**2 * p * np.outer(x - mean, x - mean)
        key = i if clusters is None else clusters[i]
        of_clusters[key] = of_clusters.get(key, 0.0) + w * (outcomes[y] - mean)
    if clusters is not None:
        covariance = sum(np.outer(one, one) for one in of_clusters.values())
    inverse = np.linalg.pinv(covariance, rcond=1e-10, hermitian=True)
    return float(total @ inverse @ total), int(np.linalg.matrix_rank(covariance, 1e-10))


def calibrated(forecasts: Sequence[float], happens: Sequence[float]) -> list[float]:
    """The isotonic fit of each row: the largest of the smallest means that include it."""
    distinct = sorted(set(forecasts))
    pools = [[o for f, o in zip(forecasts, happens, strict=True) if f == d] for d in distinct]

    def mean(first: int, last: int) -> float:
        return float(np.mean([*itertools.chain(*pools[first : last + 1])]))

    fit = [
        max(min(mean(a, b) for b in range(i, len(pools))) for a in range(i + 1))
        for i in range(len(pools))
    ]
    return [fit[distinct.index(f)] for f in forecasts]
