"""Costs and errors of classes that are intervals (Binotto & Delgado), with truth on the rows."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from oracles.rows import NAN, Counts

Edges = Sequence[float]
Sizes = Sequence[float] | None
Unbounded = str | float | tuple[float, float]


class Bin(NamedTuple):
    """The interval of a class, of finite length."""

    left: Fraction
    right: Fraction

    @property
    def length(self) -> Fraction:
        return self.right - self.left

    @property
    def middle(self) -> Fraction:
        return (self.left + self.right) / 2


def interval_total_cost(
    counts: Counts, edges: Edges, *, unbounded: Unbounded = "optimal", class_sizes: Sizes = None
) -> float:
    n, sizes, bins = _read(counts, edges, unbounded, class_sizes)
    cost = Fraction(0)
    for line, line_of_prices in zip(n, _prices(bins, sizes), strict=True):
        for times, price in zip(line, line_of_prices, strict=True):
            if times and price is None:
                return NAN
            cost += times * (price or 0)
    return float(cost / _total(n)) if _total(n) else NAN


def max_interval_total_cost(
    counts: Counts, edges: Edges, *, unbounded: Unbounded = "optimal", class_sizes: Sizes = None
) -> float:
    n, sizes, bins = _read(counts, edges, unbounded, class_sizes)
    return float(highest_cost(bins, sizes)) if _total(n) else NAN


def interval_stc(counts: Counts, edges: Edges, **options: Any) -> float:
    largest = max_interval_total_cost(counts, edges, **options)
    return interval_total_cost(counts, edges, **options) / largest if largest else NAN


def interval_cost_matrix(
    counts: Counts, edges: Edges, *, unbounded: Unbounded = "optimal", class_sizes: Sizes = None
) -> list[list[float]]:
    n, sizes, bins = _read(counts, edges, unbounded, class_sizes)
    return [
        [NAN if price is None or not _total(n) else float(price / _total(n)) for price in line]
        for line in _prices(bins, sizes)
    ]


def interval_lengths(
    counts: Counts, edges: Edges, *, unbounded: Unbounded = "optimal", class_sizes: Sizes = None
) -> list[float]:
    n, _, bins = _read(counts, edges, unbounded, class_sizes)
    without_neighbour = len(bins) == 1 and any(map(math.isinf, edges)) and unbounded == "optimal"
    if without_neighbour or not _total(n):
        return [NAN] * len(bins)
    return [float(each.length) for each in bins]


def interval_mae(
    counts: Counts,
    edges: Edges,
    *,
    distance: str = "hausdorff",
    unbounded: Unbounded = "optimal",
    class_sizes: Sizes = None,
) -> float:
    n, _, bins = _read(counts, edges, unbounded, class_sizes)
    return float(_mean_distance(n, bins, distance)) if _total(n) else NAN


def interval_smae(
    counts: Counts,
    edges: Edges,
    *,
    distance: str = "hausdorff",
    unbounded: Unbounded = "optimal",
    class_sizes: Sizes = None,
) -> float:
    n, sizes, bins = _read(counts, edges, unbounded, class_sizes)
    far = [max(_distance(a, b, distance) for b in bins) for a in bins]
    worst = sum(size * d for size, d in zip(sizes, far, strict=True))
    if _total(n) == 0 or worst == 0:
        return NAN
    return float(_mean_distance(n, bins, distance) / (worst / sum(sizes)))


def highest_cost(bins: Sequence[Bin], sizes: Sequence[Fraction]) -> Fraction:
    """Proposition 4: all rows of each class are predicted as the class where they cost most."""
    costs = (
        size * max(price for price in line if price is not None)
        for size, line in zip(sizes, _prices(bins, sizes), strict=True)
        if size
    )
    return sum(costs, Fraction(0)) / sum(sizes)


def close(edges: Edges, first: float | Fraction, last: float | Fraction) -> list[Bin]:
    """The bins, with the lengths `first` and `last` where they are open."""
    inner = [Fraction(edge) for edge in edges if math.isfinite(edge)]
    left = [inner[0] - Fraction(first)] if edges[0] == -math.inf else []
    right = [inner[-1] + Fraction(last)] if edges[-1] == math.inf else []
    finite = [*left, *inner, *right]
    return [Bin(a, b) for a, b in itertools.pairwise(finite)]


def optimal_length(sizes: Sequence[float | Fraction], edges: Edges) -> Fraction:
    """The length of the one open bin for which the highest cost is lowest."""
    exact = [Fraction(size) for size in sizes]
    opened, neighbour = (-1, -2) if edges[-1] == math.inf else (0, 1)
    if len(exact) == 1:
        return Fraction(1)  # it changes no distance
    length = close(edges, 1, 1)[neighbour].length
    if exact[opened] == 0 or sum(size > 0 for size in exact) == 1:
        return length
    return largest_minimiser(lambda x: highest_cost(close(edges, x, x), exact), length)


def largest_minimiser(f: Callable[[Fraction], Fraction], x: Fraction) -> Fraction:
    """Of a convex f on (0, inf): steps of 8 from x, then thirds, with exact values of f."""
    while f(8 * x) <= f(x):  # on level ground too
        x = 8 * x
    while f(x / 8) < f(x):
        x = x / 8
    low, high = x / 8, 8 * x
    while high - low > low / 10**14:
        third = (high - low) / 3
        left, right = (Fraction(float(each)) for each in (low + third, high - third))
        if f(left) < f(right):
            high = right
        else:  # on level ground too
            low = left
    return Fraction(float((low + high) / 2))


def _read(
    counts: Counts, edges: Edges, unbounded: Unbounded, class_sizes: Sizes
) -> tuple[list[list[Fraction]], list[Fraction], list[Bin]]:
    """Cells, sizes of the true classes and bins."""
    n = [[Fraction(times) for times in line] for line in np.asarray(counts).tolist()]
    own = [sum(line, Fraction(0)) for line in n]
    sizes = own if class_sizes is None else [Fraction(size) for size in class_sizes]
    if not any(map(math.isinf, edges)):
        return n, sizes, close(edges, 0, 0)
    if unbounded == "optimal":
        x = optimal_length(sizes, edges)
        return n, sizes, close(edges, x, x)
    first, last = unbounded if isinstance(unbounded, tuple) else (unbounded, unbounded)
    return n, sizes, close(edges, float(first), float(last))


def _prices(bins: Sequence[Bin], sizes: Sequence[Fraction]) -> list[list[Fraction | None]]:
    """Price of a row of class r that is predicted as c, (Δ - δ_r) / δ_c · D; None if absent."""
    densities = [size / each.length for size, each in zip(sizes, bins, strict=True)]
    others = [sum(densities[:r]) + sum(densities[r + 1 :]) for r in range(len(bins))]
    return [
        [
            others[r] / density * _distance(a, b, "hausdorff")
            if density and densities[r]
            else None
            for b, density in zip(bins, densities, strict=True)
        ]
        for r, a in enumerate(bins)
    ]


def _distance(a: Bin, b: Bin, kind: str) -> Fraction:
    if kind == "midpoint":
        return abs(a.middle - b.middle)
    return max(abs(a.left - b.left), abs(a.right - b.right))


def _mean_distance(n: list[list[Fraction]], bins: Sequence[Bin], kind: str) -> Fraction:
    distances = (
        times * _distance(bins[r], bins[c], kind)
        for r, line in enumerate(n)
        for c, times in enumerate(line)
    )
    return sum(distances, Fraction(0)) / _total(n)


def _total(n: list[list[Fraction]]) -> Fraction:
    return sum((times for line in n for times in line), Fraction(0))
