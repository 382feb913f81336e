"""The ordinal classification index: the best of all monotone paths, each one tried."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from oracles.rows import NAN, Counts, rows, total

Cell = tuple[int, int]
Path = list[Cell]

# Steps back from a cell, the preferred one first: diagonal, up, left.
STEPS_BACK = [(1, 1), (1, 0), (0, 1)]


def paths(n_classes: int) -> Iterator[Path]:
    """All monotone 8-connected paths from (0, 0) to (K-1, K-1).

    Those whose steps back from the end are preferred come first.
    """

    def back(path: Path) -> Iterator[Path]:
        r, c = path[0]
        if (r, c) == (0, 0):
            yield path
        for down, right in STEPS_BACK:
            if r >= down and c >= right:
                yield from back([(r - down, c - right), *path])

    return back([(n_classes - 1, n_classes - 1)])


def dispersion(counts: Counts, gamma: float) -> float | int:
    """M, the Minkowski distance of truth and prediction."""
    distances = [(abs(t - p), times) for t, p, times in rows(counts) if t != p]
    if not distances:
        return 0
    if gamma == 1:
        return sum(d * times for d, times in distances)
    if math.isinf(gamma):
        return max(d for d, _ in distances)
    # `math.log` takes integers of any size
    return math.exp(math.log(sum(d**gamma * times for d, times in distances)) / gamma)


def _penalty(d: int, n_classes: int, gamma: float, scaled: bool) -> Fraction:
    """Penalty of one row, in units of the largest possible one where scaled."""
    if math.isinf(gamma):
        return Fraction(d == n_classes - 1)
    return Fraction(d**gamma) / Fraction((n_classes - 1) ** gamma if scaled else 1)


def path_cost(
    counts: Counts, path: Path, *, beta: float = 0.75, gamma: float = 1, scaled: bool = True
) -> Fraction:
    """1 - benefit / (N + M) + β · penalty (eq. 7); exact for gamma 1 and inf."""
    return _cost(counts, path, total(counts), dispersion(counts, gamma), beta, gamma, scaled)


def _cost(
    counts: Counts, path: Path, n: int, m: float, beta: float, gamma: float, scaled: bool
) -> Fraction:
    k = len(counts)
    benefit = sum(int(counts[r][c]) for r, c in path)
    penalty = sum(int(counts[r][c]) * _penalty(abs(r - c), k, gamma, scaled) for r, c in path)
    share = Fraction(beta) / (n if scaled else 1)
    return 1 - benefit / Fraction(n + m) + share * penalty


def best_path(
    counts: Counts, *, beta: float = 0.75, gamma: float = 1, scaled: bool = True
) -> tuple[Fraction, Path]:
    """Least cost, and the path preferred among those that have exactly that cost."""
    n, m = total(counts), dispersion(counts, gamma)
    costs = [(_cost(counts, path, n, m, beta, gamma, scaled), path) for path in paths(len(counts))]
    return min(costs, key=lambda pair: pair[0])


def oci(counts: Counts, *, beta: float = 0.75, gamma: float = 1, scaled: bool = True) -> float:
    if total(counts) == 0:
        return NAN
    if len(counts) == 1:
        return 0.0
    return float(best_path(counts, beta=beta, gamma=gamma, scaled=scaled)[0])


def oci_path(
    counts: Counts, *, beta: float = 0.75, gamma: float = 1, scaled: bool = True
) -> list[list[bool]]:
    """The optimal path as a matrix; certain for gamma 1 and inf only, where ties are exact."""
    k = len(counts)
    if total(counts) == 0:
        return [[False] * k for _ in range(k)]
    if k == 1:
        return [[True]]
    path = best_path(counts, beta=beta, gamma=gamma, scaled=scaled)[1]
    return [[(r, c) in path for c in range(k)] for r in range(k)]


# The general index: all connected sets of cells ---------------------------------------------


def _is_connected(cells: set[Cell]) -> bool:
    reached, edge = set[Cell](), {(0, 0)}
    while edge:
        reached |= edge
        edge = {
            (r + down, c + right) for r, c in edge for down in (-1, 0, 1) for right in (-1, 0, 1)
        } & cells - reached
    return reached == cells


@functools.cache
def connected_sets(k: int) -> tuple[np.ndarray, np.ndarray]:
    """All connected sets with both corners, as rows of 0 and 1, and their discordant pairs."""
    cells = list(itertools.product(range(k), repeat=2))
    sets, discordant = [], []
    for inner in itertools.product((0, 1), repeat=k * k - 2):
        taken = (1, *inner, 1)
        chosen = [cell for cell, one in zip(cells, taken, strict=True) if one]
        if _is_connected(set(chosen)):
            sets.append(taken)
            pairs = itertools.combinations(chosen, 2)
            discordant.append(sum((r - s) * (c - d) < 0 for (r, c), (s, d) in pairs))
    return np.array(sets), np.array(discordant)


def oci_general(
    counts: Counts, *, beta1: float = 0.75, beta2: float, gamma: float = 1, scaled: bool = True
) -> float:
    """Eq. 8, over all sets."""
    k = len(counts)
    if total(counts) == 0:
        return NAN
    if k == 1:
        return 0.0
    weights = [
        float(path_cost(counts, [cell], beta=beta1, gamma=gamma, scaled=scaled) - 1)
        for cell in itertools.product(range(k), repeat=2)
    ]
    sets, discordant = connected_sets(k)
    return float((1 + sets @ np.array(weights) + beta2 * discordant).min())


# The uniform index --------------------------------------------------------------------------

Line = tuple[Fraction, Fraction]  # height at beta 0, slope


def _lines(counts: Counts) -> set[Line]:
    """The cost of each path, a line over beta."""
    k = len(counts)
    sizes = [sum(int(n) for n in line) for line in counts]
    present = sum(size > 0 for size in sizes)
    cells = list(itertools.product(range(k), repeat=2))
    p = {(r, c): Fraction(int(counts[r][c]), sizes[r] or 1) for r, c in cells}
    far = {(r, c): p[r, c] * abs(r - c) for r, c in cells}
    scale = present + sum(far.values())
    return {
        (1 - sum(p[cell] for cell in path) / scale, sum(far[cell] for cell in path) / present)
        for path in paths(k)
    }


def uoc(counts: Counts, *, beta: float = 0.75) -> float:
    if total(counts) == 0:
        return NAN
    return float(min(height + Fraction(beta) * slope for height, slope in _lines(counts)))


def auoc(counts: Counts) -> float:
    """From one line to the first that crosses it, until beta is 1."""
    if total(counts) == 0:
        return NAN
    lines = _lines(counts)
    beta, area = Fraction(0), Fraction(0)
    height, slope = min(lines)
    while beta < 1:
        # of several lines that cross it there, the least steep is the lowest after
        crossings = [((a - height) / (slope - b), b, (a, b)) for a, b in lines if b < slope]
        until, _, line = min([*crossings, (Fraction(1), slope, (height, slope))])
        area += (until - beta) * (height + slope * (until + beta) / 2)
        beta, (height, slope) = until, line
    return float(area)
