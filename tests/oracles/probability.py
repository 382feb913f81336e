"""Class probabilities by their definitions, row by row."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from oracles.rows import NAN

Numbers = Sequence[Any]


def mean_over_rows(
    true: Sequence[int],
    proba: Sequence[Numbers],
    weights: Numbers | None,
    of_row: Callable[[int, Numbers], Any],
) -> float:
    above: Any = 0
    below: Any = 0
    for row, (k, p) in enumerate(zip(true, proba, strict=True)):
        weight = 1 if weights is None else weights[row]
        if k >= 0 and weight > 0:
            above += weight * of_row(k, p)
            below += weight
    return float(above / below) if below else NAN


def rps(
    true: Sequence[int],
    proba: Sequence[Numbers],
    *,
    normalized: bool = False,
    weights: Numbers | None = None,
) -> float:
    def of_row(true_class: int, p: Numbers) -> Any:
        score = sum((sum(p[: k + 1]) - (true_class <= k)) ** 2 for k in range(len(p) - 1))
        if not normalized:
            return score
        return score / (len(p) - 1) if len(p) > 1 else NAN

    return mean_over_rows(true, proba, weights, of_row)


def rps_skill(
    true: Sequence[int],
    proba: Sequence[Numbers],
    *,
    reference: Numbers | None = None,
    weights: Numbers | None = None,
) -> float:
    """One minus the score of the rows divided by that of one forecast for all of them."""
    ones = [1] * len(true) if weights is None else weights
    exact = [Fraction(float(w)) for w in ones]
    if reference is None:
        whole = sum(w for t, w in zip(true, exact, strict=True) if t >= 0)
        if not whole:
            return NAN
        shares = [
            sum(w for t, w in zip(true, exact, strict=True) if t == k) / whole
            for k in range(len(proba[0]))
        ]
    else:
        shares = [Fraction(float(p)) for p in reference]
    below = rps(true, [shares] * len(true), weights=exact)
    return 1 - rps(true, proba, weights=weights) / below if below else NAN


def log_loss(
    true: Sequence[int], proba: Sequence[Numbers], *, weights: Numbers | None = None
) -> float:
    return mean_over_rows(
        true, proba, weights, lambda k, p: -math.log(p[k]) if p[k] > 0 else math.inf
    )


def brier(
    true: Sequence[int], proba: Sequence[Numbers], *, weights: Numbers | None = None
) -> float:
    return mean_over_rows(
        true, proba, weights, lambda k, p: sum((q - (j == k)) ** 2 for j, q in enumerate(p))
    )


def expected_class(p: Sequence[Fraction]) -> Fraction:
    return sum((k * q for k, q in enumerate(p)), Fraction(0))


def most_likely(p: Sequence[Fraction]) -> int:
    return min(k for k, q in enumerate(p) if q == max(p))


def median_class(p: Sequence[Fraction]) -> int:
    return min(k for k in range(len(p)) if sum(p[: k + 1]) >= Fraction(1, 2))


def least_costly(p: Sequence[Fraction], costs: Sequence[Sequence[Fraction]]) -> int:
    expected = [
        sum((q * row[c] for q, row in zip(p, costs, strict=True)), Fraction(0))
        for c in range(len(p))
    ]
    return expected.index(min(expected))
