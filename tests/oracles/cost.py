"""Total cost of Binotto & Delgado, with truth on the rows."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from oracles.rows import NAN, Counts, class_sizes, total

Sizes = Sequence[int] | None


def _gamma(sizes: Sequence[int], r: int, c: int) -> Fraction:
    """Price of a row of class r that is predicted as c."""
    others = sum(size for k, size in enumerate(sizes) if k != r)
    return Fraction(others, sizes[c])


def total_cost(counts: Counts, *, class_sizes: Sizes = None) -> float:
    sizes = _sizes(counts, class_sizes)
    cost = Fraction(0)
    for r, line in enumerate(counts):
        for c, n in enumerate(line):
            if n and sizes[c] == 0:
                return NAN
            if n:
                cost += int(n) * _gamma(sizes, r, c) * abs(r - c)
    return float(cost / total(counts)) if total(counts) else NAN


def max_total_cost(counts: Counts, *, class_sizes: Sizes = None) -> float:
    if total(counts) == 0:
        return NAN
    sizes = _sizes(counts, class_sizes)
    present = [k for k, size in enumerate(sizes) if size]
    cost = sum(
        sizes[r] * max(_gamma(sizes, r, label) * abs(label - r) for label in present)
        for r in present
    )
    return float(Fraction(cost, sum(sizes)))


def stc(counts: Counts, *, class_sizes: Sizes = None) -> float:
    largest = max_total_cost(counts, class_sizes=class_sizes)
    return total_cost(counts, class_sizes=class_sizes) / largest if largest else NAN


def cost_matrix(counts: Counts, *, class_sizes: Sizes = None) -> list[list[float]]:
    sizes, n = _sizes(counts, class_sizes), total(counts)
    return [
        [
            float(_gamma(sizes, r, c) * abs(r - c) / n) if n and sizes[r] and sizes[c] else NAN
            for c in range(len(counts))
        ]
        for r in range(len(counts))
    ]


def _sizes(counts: Counts, given: Sizes) -> Sequence[int]:
    return class_sizes(counts) if given is None else given
