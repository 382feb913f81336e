"""Scores of forecasts of categories, literally from the papers."""

from __future__ import annotations

from collections.abc import Sequence

from oracles.rows import NAN, Counts, class_sizes


def _shares(counts: Counts, reference: Sequence[float] | None) -> list[float]:
    sizes = class_sizes(counts) if reference is None else reference
    return [size / sum(sizes) for size in sizes] if sum(sizes) else []


def gerrity(counts: Counts, *, reference: Sequence[float] | None = None) -> float:
    """Gerrity 1992, equations 11 to 15: the scoring matrix, counted from 1."""
    k, n = len(counts), sum(map(sum, counts))
    p = _shares(counts, reference)
    if k == 1 or n == 0 or p[0] == 0 or p[-1] == 0:
        return NAN
    a = {r: (1 - sum(p[:r])) / sum(p[:r]) for r in range(1, k)}

    def score(i: int, j: int) -> float:
        if i > j:
            return score(j, i)
        low = sum(1 / a[r] for r in range(1, i))
        high = sum(a[r] for r in range(j, k))
        return (low - (j - i) + high) / (k - 1)

    return sum(
        counts[i][j] / n * score(i + 1, j + 1) for i in range(k) for j in range(k) if counts[i][j]
    )


def peirce(counts: Counts) -> float:
    k, n = len(counts), sum(map(sum, counts))
    if n == 0:
        return NAN
    true = [sum(line) / n for line in counts]
    pred = [sum(line[c] for line in counts) / n for c in range(k)]
    if sum(share > 0 for share in true) == 1:
        return NAN
    hits = sum(counts[r][r] for r in range(k)) / n
    chance = sum(t * p for t, p in zip(true, pred, strict=True))
    return (hits - chance) / (1 - sum(t**2 for t in true))


def seeps(counts: Counts, *, reference: Sequence[float] | None = None) -> float:
    """Rodwell et al. 2010, equation 15: forecasts on the rows of the matrix."""
    n = sum(map(sum, counts))
    if len(counts) != 3 or n == 0:
        return NAN
    p1, _, p3 = _shares(counts, reference)
    if p1 == 0 or p3 == 0:
        return NAN
    costs = [
        [0, 1 / (1 - p1), 1 / p3 + 1 / (1 - p1)],
        [1 / p1, 0, 1 / p3],
        [1 / p1 + 1 / (1 - p3), 1 / (1 - p3), 0],
    ]
    return sum(counts[o][f] * costs[f][o] / 2 for o in range(3) for f in range(3)) / n
