"""Agreement beyond chance: with agreement weights, and by level of measurement."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from oracles.rows import NAN, Counts, Matrix, total


def _share(part: float, whole: float) -> Fraction:
    """part / whole; with a single class there is nothing to share."""
    return Fraction(part) / Fraction(whole) if whole else Fraction(0)


def _bipolar(k: int, m: int, n_classes: int) -> Fraction:
    """Gwet's bipolar disagreement of two classes numbered from 1."""
    if k == m:
        return Fraction(0)
    return Fraction((k - m) ** 2, (k + m - 2 * 1) * (2 * n_classes - k - m))


def agreement(weights: str | Matrix, n_classes: int) -> list[list[Fraction]]:
    """The matrix of agreement weights."""
    classes = range(n_classes)
    if not isinstance(weights, str):
        return [[Fraction(float(weights[r][c])) for c in classes] for r in classes]
    d_max = n_classes - 1
    bipolar_max = max(_bipolar(r + 1, c + 1, n_classes) for r in classes for c in classes)
    formulas = {
        "identity": lambda r, c: Fraction(r == c),
        "linear": lambda r, c: 1 - _share(abs(r - c), d_max),
        "quadratic": lambda r, c: 1 - _share((r - c) ** 2, d_max**2),
        "radical": lambda r, c: 1 - _share(math.sqrt(abs(r - c)), math.sqrt(d_max)),
        "ordinal": lambda r, c: 1 - _share(math.comb(abs(r - c) + 1, 2), math.comb(n_classes, 2)),
        "bipolar": lambda r, c: 1 - _share(_bipolar(r + 1, c + 1, n_classes), bipolar_max),
    }
    return [[formulas[weights](r, c) for c in classes] for r in classes]


def kappa(counts: Counts, *, weights: str | Matrix = "quadratic") -> float:
    k, n = len(counts), total(counts)
    if n == 0:
        return NAN
    classes = range(k)
    w = agreement(weights, k)
    p = [[Fraction(int(counts[r][c]), n) for c in classes] for r in classes]
    p_true = [sum(p[r][c] for c in classes) for r in classes]
    p_pred = [sum(p[r][c] for r in classes) for c in classes]
    p_a = sum(w[r][c] * p[r][c] for r in classes for c in classes)
    p_e = sum(w[r][c] * p_true[r] * p_pred[c] for r in classes for c in classes)
    return float((p_a - p_e) / (1 - p_e)) if p_e != 1 else NAN


def _by_chance(counts: Counts, chance: str, weights: str | Matrix) -> tuple[Fraction, Fraction]:
    """Observed agreement, and agreement by chance as one of four authors defines it."""
    k, n = len(counts), total(counts)
    classes = range(k)
    w = agreement(weights, k)
    p = [[Fraction(int(counts[r][c]), n) for c in classes] for r in classes]
    pi = [sum(p[r][q] + p[q][r] for q in classes) / 2 for r in classes]
    p_a = sum(w[r][c] * p[r][c] for r in classes for c in classes)
    sum_w = sum(w[r][c] for r in classes for c in classes)
    if chance == "scott":
        return p_a, sum(w[r][c] * pi[r] * pi[c] for r in classes for c in classes)
    if chance == "gwet":
        return p_a, sum_w * sum(q * (1 - q) for q in pi) / (k * (k - 1))
    return p_a, sum_w / k**2


def _coefficient(p_a: Fraction, p_e: Fraction) -> float:
    return float((p_a - p_e) / (1 - p_e)) if p_e != 1 else NAN


def scott_pi(counts: Counts, *, weights: str | Matrix) -> float:
    return _coefficient(*_by_chance(counts, "scott", weights)) if total(counts) else NAN


def gwet_ac(counts: Counts, *, weights: str | Matrix) -> float:
    if total(counts) == 0 or len(counts) == 1:
        return NAN
    return _coefficient(*_by_chance(counts, "gwet", weights))


def brennan_prediger(counts: Counts, *, weights: str | Matrix) -> float:
    return _coefficient(*_by_chance(counts, "uniform", weights)) if total(counts) else NAN


def krippendorff_alpha(
    counts: Counts,
    *,
    level: str | None = None,
    weights: str | Matrix | None = None,
    values: Sequence[float] | None = None,
) -> float:
    """One minus the ratio of the observed to the expected difference of paired values."""
    classes = range(len(counts))
    cells = [[Fraction(float(counts[r][c])) for c in classes] for r in classes]
    # each row is two pairs of values: truth with prediction, and prediction with truth
    o = [[cells[c][k] + cells[k][c] for k in classes] for c in classes]
    m = [sum(o[c]) for c in classes]
    n = sum(m)
    if n < 4:
        return NAN
    v = [Fraction(float(x)) for x in (values if values is not None else range(1, len(m) + 1))]

    def difference(c: int, k: int) -> Fraction:
        if weights is not None:
            return 1 - agreement(weights, len(m))[c][k]
        if level == "nominal":
            return Fraction(c != k)
        if level == "interval":
            return (v[c] - v[k]) ** 2
        if level == "ratio":
            return _share(v[c] - v[k], v[c] + v[k]) ** 2
        low, high = min(c, k), max(c, k)
        return (sum(m[g] for g in range(low, high + 1)) - (m[c] + m[k]) / 2) ** 2

    pairs = [(c, k, difference(c, k)) for c in classes for k in classes]
    observed = sum(o[c][k] * d for c, k, d in pairs)
    expected = sum(m[c] * m[k] * d for c, k, d in pairs)
    return float(1 - (n - 1) * observed / expected) if expected else NAN
