"""Slow, literal readings of the rules of inference, one table at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, inf, isfinite, log, sqrt
from typing import Any

import numpy as np
from scipy import optimize, stats

from oracles.ranking import Item, mean_worth, placement

Function = Callable[[np.ndarray], Any]


def pseudo_row(
    counts: np.ndarray, right_within: float = 0, sizes: Sequence[float] | None = None
) -> np.ndarray:
    """One row over the true classes, half right and half wrong, near errors more than far ones.

    Over the classes that can be predicted wrong, by more than still counts as right, the more the
    smaller they are; if there is none, over all classes, and right. Errors are 1, 2, 4, ...
    classes off, into classes that occur; else into any that occur; else into any.
    """
    k = len(counts)
    n = [counts[r].sum() for r in range(k)] if sizes is None else sizes
    true = [r for r in range(k) if n[r] > 0]
    occurs = [c for c in range(k) if counts[c].sum() > 0 or counts[:, c].sum() > 0]
    row = np.zeros((k, k))
    fallible = [r for r in true if any(abs(r - c) > right_within for c in range(k))]
    share = {r: 1 / n[r] / sum(1 / n[s] for s in fallible or true) for r in fallible or true}
    if not fallible:
        for r in true:
            row[r, r] = share[r]
    for r in fallible:
        wrong = {c: 1 / abs(r - c) for c in occurs if abs(r - c) > right_within}
        apart = {c: 1.0 for c in wrong if abs(r - c) in (1, 2, 4, 8, 16, 32, 64, 128)}
        anywhere = {c: 1 / abs(r - c) for c in range(k) if abs(r - c) > right_within}
        near = apart or wrong or anywhere
        row[r, r] = share[r] / 2
        for c, nearness in near.items():
            row[r, c] = share[r] / 2 * nearness / sum(near.values())
    return row


@dataclass(frozen=True)
class Within:
    """The accuracy within so many classes, the only metric with a pseudo-row of its own."""

    right_within: float

    def __call__(self, counts: np.ndarray) -> float:
        right = 0.0
        for (r, c), count in np.ndenumerate(counts):
            if abs(r - c) <= self.right_within:
                right += count
        return right / counts.sum()


def row_for(f: Function, counts: np.ndarray, sizes: Sequence[float] | None = None) -> np.ndarray:
    """The pseudo-row of a metric."""
    return pseudo_row(counts, f.right_within if isinstance(f, Within) else 0, sizes)


def influence(f: Function, counts: np.ndarray, centred: bool = True) -> np.ndarray:
    """What a row in each cell adds."""
    m, full, added = counts.sum(), float(f(counts)), np.zeros(counts.shape)
    for cell in zip(*np.nonzero(counts), strict=True):
        w = min(1.0, counts[cell])
        left = counts.astype(float)
        left[cell] -= w
        added[cell] = (m - w) / m * (full - float(f(left))) / w
    mean = (counts * added).sum() / m
    return np.where(counts > 0, added - mean, 0) if centred else added


def on_scale(x: float, low: float, high: float) -> tuple[float, float, Callable[[float], float]]:
    """The value where it is unbounded, the slope there, and the way back."""
    if not low < x < high or (low == -inf and high == inf):
        return x, 1, lambda z: z
    if isfinite(low) and isfinite(high):
        z = log((x - low) / (high - x))
        return z, 1 / (x - low) + 1 / (high - x), lambda z: low + (high - low) / (1 + exp(-z))
    if isfinite(high):
        return -log(high - x), 1 / (high - x), lambda z: high - exp(-z)
    return log(x - low), 1 / (x - low), lambda z: low + exp(z)


def bounds(x: float, se: float, freedom: float, limits: Sequence[float], level: float) -> Any:
    """The ends of an interval, which is cut off at a limit."""
    z, slope, back = on_scale(x, *limits)
    t = stats.t.ppf((1 + level) / 2, freedom)
    ends = back(z - t * slope * se), back(z + t * slope * se)
    low, high = limits
    return (max(ends[0], low), min(ends[1], high)) if low <= x <= high else ends


def satterthwaite(variances: Sequence[float], sizes: Sequence[float], most: float) -> float:
    """The degrees of freedom of a sum of variances, of classes of these sizes."""
    total = sum(variances)
    if not total > 0:
        return most
    squares = 0.0
    for variance, size in zip(variances, sizes, strict=True):
        squares += variance**2 / max(size - 1, 1)
    return min(total**2 / squares, most)


def next_to(smoothed: np.ndarray, counts: np.ndarray, added: np.ndarray) -> np.ndarray:
    """What rows add to the estimate itself, given what they add next to a pseudo-row."""
    mean = (counts * added).sum() / counts.sum()
    return smoothed.sum() / counts.sum() * (added - mean)


def interval(
    f: Function,
    counts: np.ndarray,
    limits: Sequence[float],
    level: float,
    is_mean: bool = False,
) -> tuple[float, float, float]:
    """The hull of the interval with a pseudo-row, of one around the estimate, and of this."""
    n, estimate = counts.sum(), float(f(counts))
    smoothed = counts + row_for(f, counts)
    added = influence(f, smoothed)
    variances = [(n + 1) / n * v for v in (smoothed * added**2).sum(1)]
    freedom = satterthwaite(variances, smoothed.sum(1), n - 1)
    se = sqrt(sum(variances))
    own = next_to(smoothed, counts, added)
    plain = sqrt(n / (n - 1) * (counts * own**2).sum())
    is_losable = is_mean or isinstance(f, Within) or all(size != 1 for size in counts.sum(1))
    around = plain if plain > 1e-12 and is_losable else 0
    low, high = hull(estimate, float(f(smoothed)), se, freedom, limits, level, around)
    return low, high, se


def share_interval(f: Function, counts: np.ndarray, level: float) -> tuple[float, float, float]:
    """The exact interval of a share, if rows can be both, with the other standard error."""
    n, *_, se = counts.sum(), *interval(f, counts, (0, 1), level)
    if se < 1e-12:
        return float(f(counts)), float(f(counts)), 0.0
    low, high = clopper_pearson(round(float(f(counts)) * n), n, level)
    return low, high, se


def clopper_pearson(successes: float, n: float, level: float) -> tuple[float, float]:
    """The shares at which as many successes, or as few, have half of the chance that is left."""
    tail, ends = (1 - level) / 2, []
    for certain, chance in (
        (0, lambda p: stats.binom.sf(successes - 1, n, p)),
        (n, lambda p: stats.binom.cdf(successes, n, p)),
    ):
        if successes == certain:
            ends.append(successes / n)
        else:
            ends.append(optimize.brentq(lambda p, f=chance: f(p) - tail, 0, 1, xtol=1e-14))
    return ends[0], ends[1]


def weighted_se(
    f: Function, true: Sequence[int], pred: Sequence[int], weights: np.ndarray, k: int
) -> float:
    """Row by row, with a pseudo-row that weighs what rows do."""
    return weighted(f, true, pred, weights, k)[2]


def weighted(
    f: Function, true: Sequence[int], pred: Sequence[int], weights: np.ndarray, k: int
) -> tuple[float, float, float, float, float]:
    """The metric, the same with a pseudo-row, its standard error and df, and that of the rows."""
    w = weights / weights.mean()
    n, q = len(w), (w**2).sum() / w.sum()
    counts, sums, squares = np.zeros((k, k)), np.zeros(k), np.zeros(k)
    for r, c, weight in zip(true, pred, w, strict=True):
        counts[r, c] += weight
        sums[r] += weight
        squares[r] += weight**2
    sizes = [x**2 / y if y else 0 for x, y in zip(sums, squares, strict=True)]
    row = row_for(f, counts, sizes)
    added = influence(f, counts + q * row)
    own = next_to(counts + q * row, counts, added)
    variances, plain = [0.0] * k, 0.0
    for r in range(k):
        variances[r] = (n + 1) / n * q**2 * (row[r] * added[r] ** 2).sum()
    for r, c, weight in zip(true, pred, w, strict=True):
        variances[r] += (n + 1) / n * (weight * added[r, c]) ** 2
        plain += n / (n - 1) * (weight * own[r, c]) ** 2
    share = row.sum(1)
    smoothed = [
        (x + q * p) ** 2 / (y + q**2 * p) if y else 1
        for x, y, p in zip(sums, squares, share, strict=True)
    ]
    freedom = satterthwaite(variances, smoothed, w.sum() ** 2 / (w**2).sum() - 1)
    value = float(f(counts + q * row))
    return float(f(counts)), value, sqrt(sum(variances)), freedom, sqrt(plain)


def stratified_se(f: Function, counts: np.ndarray) -> float:
    """The sum of what varies within the true classes."""
    smoothed = counts + row_for(f, counts)
    return sqrt(sum(_within(smoothed, influence(f, smoothed))))


def _within(counts: np.ndarray, added: np.ndarray) -> list[float]:
    """The variance within each true class."""
    variances = []
    for cells, ours in zip(counts, added, strict=True):
        m = cells.sum()
        mean = (cells * ours).sum() / m if m else 0
        variances.append(m / max(m - 1, 0.5) * (cells * (ours - mean) ** 2).sum())
    return variances


def clustered_se(f: Function, clusters: Sequence[np.ndarray]) -> float:
    """Leave out one cluster after the other."""
    counts, g = sum(clusters), len(clusters)
    row = row_for(f, counts)
    added = influence(f, counts + row)
    raw = influence(f, counts + row, centred=False)
    total = 0.0
    for cluster in clusters:
        if g <= 50:
            change = float(f(counts + row)) - float(f(counts - cluster + row))
        else:
            change = (cluster * raw).sum() / (1 - cluster.sum() / counts.sum())
        total += change**2
    return sqrt((g - 1) / g * total + (row * added**2).sum())


def weighted_clusters_se(
    f: Function, clusters: Sequence[np.ndarray], n: float, mass: float
) -> tuple[float, float]:
    """The smoothed value and its standard error, from the sums of weights in each cluster.

    `n` is the number of rows, and `mass` the weight of the pseudo-row if rows weigh 1 on average.
    """
    scale = n / sum(cluster.sum() for cluster in clusters)
    scaled = [cluster * scale for cluster in clusters]
    counts, g, total = sum(scaled), len(scaled), 0.0
    row = mass * row_for(f, counts)
    full, raw = float(f(counts + row)), influence(f, counts + row, centred=False)
    for place, cluster in enumerate(scaled):
        if g <= 50:
            others = sum(one for other, one in enumerate(scaled) if other != place)
            change = full - float(f(others + row))
        else:
            change = (cluster * raw).sum() / (1 - cluster.sum() / counts.sum())
        total += change**2
    added = influence(f, counts + row)
    return full, sqrt((g - 1) / g * total + mass * (row * added**2).sum())


def se_of_strata(
    f: Function,
    true: Sequence[int],
    pred: Sequence[int],
    weights: np.ndarray,
    strata: Sequence[int],
    k: int,
) -> float:
    """Row by row, around the mean of each stratum; the pseudo-row weighs what its stratum does."""
    w = np.asarray(weights) / np.mean(weights)
    counts, squares = np.zeros((k, k)), np.zeros(k)
    for r, c, weight in zip(true, pred, w, strict=True):
        counts[r, c] += weight
        squares[r] += weight**2
    sizes = [counts[r].sum() ** 2 / squares[r] if squares[r] else 0 for r in range(k)]
    row, by_true = row_for(f, counts, sizes), list(strata) == list(true)
    mass = np.zeros((k, k))
    for cell in np.ndindex(k, k):
        h = cell[0] if by_true else cell[1]
        own = [weight for weight, stratum in zip(w, strata, strict=True) if stratum == h]
        mass[cell] = sum(v**2 for v in own) / sum(own) if own else 0
    added, total = influence(f, counts + mass * row), 0.0
    for h in set(strata):
        rows = [
            (1.0, weight * added[r, c])
            for r, c, weight, stratum in zip(true, pred, w, strata, strict=True)
            if stratum == h
        ]
        own_cells = [cell for cell in np.ndindex(k, k) if cell[0 if by_true else 1] == h]
        rows += [(row[cell], mass[cell] * added[cell]) for cell in own_cells]
        m = sum(share for share, _ in rows)
        mean = sum(share * z for share, z in rows) / m
        total += m / max(m - 1, 0.5) * sum(share * (z - mean) ** 2 for share, z in rows)
    return sqrt(total)


def hull(
    estimate: float,
    smoothed: float,
    se: float,
    freedom: float,
    limits: Sequence[float],
    level: float,
    plain: float = 0,
) -> tuple[float, float]:
    """Join the estimate, the interval with a pseudo-row, and the one of a plain standard error."""
    ends = [(estimate, estimate), bounds(smoothed, se, freedom, limits, level)]
    if plain > 1e-12:
        ends.append(bounds(estimate, plain, freedom, limits, level))
    return min(e[0] for e in ends), max(e[1] for e in ends)


def clustered_interval(
    f: Function, clusters: Sequence[np.ndarray], limits: Sequence[float], level: float
) -> tuple[float, float]:
    """The degrees of freedom are one less than the number of clusters."""
    counts: Any = sum(clusters)
    value, se = float(f(counts + row_for(f, counts))), clustered_se(f, clusters)
    return hull(float(f(counts)), value, se, len(clusters) - 1, limits, level)


def stratified_interval(
    f: Function, counts: np.ndarray, limits: Sequence[float], level: float
) -> tuple[float, float]:
    """What varies within the true classes, with and without the pseudo-row."""
    smoothed = counts + row_for(f, counts)
    added = influence(f, smoothed)
    variances = _within(smoothed, added)
    freedom = satterthwaite(variances, smoothed.sum(1), counts.sum() - 1)
    plain = sqrt(sum(_within(counts, next_to(smoothed, counts, added))))
    se, value = sqrt(sum(variances)), float(f(smoothed))
    return hull(float(f(counts)), value, se, freedom, limits, level, plain)


def weighted_interval(
    f: Function,
    true: Sequence[int],
    pred: Sequence[int],
    weights: np.ndarray,
    limits: Sequence[float],
    level: float,
    k: int,
) -> tuple[float, float]:
    """With as many degrees of freedom as the classes have, given so many equal weights."""
    estimate, value, se, freedom, plain = weighted(f, true, pred, weights, k)
    return hull(estimate, value, se, freedom, limits, level, plain)


def extreme(
    counts: np.ndarray, costs: np.ndarray, level: float, smallest: bool = False
) -> tuple[float, float]:
    """The interval of the largest or the smallest mean cost, from one interval per class."""
    if not smallest:
        return largest(counts, costs, level)
    low, high = largest(counts, -costs, level)
    return -high, -low


def of_class(
    counts: np.ndarray, row: np.ndarray, costs: np.ndarray, level: float
) -> tuple[float, float]:
    """The interval of the mean cost of a class with a pseudo-row of its own."""
    n, limits = counts.sum(), (costs.min(), costs.max())
    if set(np.abs(costs)) <= {0, 1}:  # a share, or one that is turned around
        low, high = clopper_pearson((counts * np.abs(costs)).sum(), n, level)
        return (low, high) if limits[1] > 0 else (-high, -low)
    if n == 1:
        return limits
    cells = counts + row
    mean = (cells * costs).sum() / (n + 1)
    se = sqrt((cells * (costs - mean) ** 2).sum() / (n + 1) / n)
    low, high = bounds(mean, se, n - 1, limits, level)
    return low, high


def largest(counts: np.ndarray, costs: np.ndarray, level: float) -> tuple[float, float]:
    """The interval of the largest mean cost of a class, from one interval per class."""
    true = [r for r in range(len(counts)) if counts[r].sum() > 0]
    row = pseudo_row(counts)
    row = np.array([cells / max(cells.sum(), 1e-300) for cells in row])
    alpha, low, high, means = 1 - level, [], [], []
    for r in true:
        means.append((counts[r] * costs[r]).sum() / counts[r].sum())
        low.append(of_class(counts[r], row[r], costs[r], 1 - alpha / len(true))[0])
        high.append(of_class(counts[r], row[r], costs[r], level)[1])
    return min(max(low), max(means)), max(max(high), max(means))


def paired_se(
    f: Function, true: Sequence[int], a: Sequence[int], b: Sequence[int], k: int
) -> tuple[float, float]:
    """The standard error of a difference: row by row, then the pseudo-row, class by class.

    With its degrees of freedom, of what the rows of each class add.
    """
    n, tables = len(true), [_table(true, pred, k) for pred in (a, b)]
    rows = [row_for(f, table) for table in tables]
    ours, theirs = (influence(f, t + row) for t, row in zip(tables, rows, strict=True))
    variances = _of_pseudo_rows(rows, ours, theirs)
    for y, one, other in zip(true, a, b, strict=True):
        variances[y] += (ours[y, one] - theirs[y, other]) ** 2
    freedom = satterthwaite(variances, (tables[0] + rows[0]).sum(1), n - 1)
    return sqrt((n + 1) / n * sum(variances)), freedom


def paired_clustered_se(
    f: Function,
    true: Sequence[int],
    a: Sequence[int],
    b: Sequence[int],
    clusters: Sequence[int],
    k: int,
) -> float:
    """Leave out one cluster after the other, of both models at once."""
    full = [_table(true, pred, k) for pred in (a, b)]
    rows = [row_for(f, table) for table in full]
    raw = [influence(f, t + row, centred=False) for t, row in zip(full, rows, strict=True)]
    named, total = sorted(set(clusters)), 0.0
    for cluster in named:
        of = [n for n, c in enumerate(clusters) if c == cluster]
        changes = []
        for pred, table, row, added in zip((a, b), full, rows, raw, strict=True):
            part = _table([true[n] for n in of], [pred[n] for n in of], k)
            if len(named) <= 50:
                changes.append(float(f(table + row)) - float(f(table + row - part)))
            else:
                changes.append((part * added).sum() / (1 - len(of) / len(true)))
        total += (changes[0] - changes[1]) ** 2
    centred = [influence(f, t + row) for t, row in zip(full, rows, strict=True)]
    return sqrt((len(named) - 1) / len(named) * total + sum(_of_pseudo_rows(rows, *centred)))


def _of_pseudo_rows(
    rows: Sequence[np.ndarray], ours: np.ndarray, theirs: np.ndarray
) -> list[float]:
    """The mean square of a difference by class, where two models predict it independently."""
    totals = [0.0] * len(ours)
    for y in range(len(ours)):
        p = rows[0][y].sum()
        for i in range(len(ours)):
            for j in range(len(ours)):
                if p:
                    share = rows[0][y, i] / p * rows[1][y, j] / p
                    totals[y] += p * share * (ours[y, i] - theirs[y, j]) ** 2
    return totals


def _table(true: Sequence[int], pred: Sequence[int], k: int) -> np.ndarray:
    counts = np.zeros((k, k))
    for r, c in zip(true, pred, strict=True):
        counts[r, c] += 1
    return counts


def permutation_p(
    f: Function, true: Sequence[int], a: Sequence[int], b: Sequence[int], k: int
) -> float:
    """The share of all ways to swap rows whose difference is at least as large."""
    n, observed, large = len(true), abs(f(_table(true, a, k)) - f(_table(true, b, k))), 0
    for which in range(2**n):
        flip = [which >> row & 1 for row in range(n)]
        one = [b[row] if flip[row] else a[row] for row in range(n)]
        other = [a[row] if flip[row] else b[row] for row in range(n)]
        difference = f(_table(true, one, k)) - f(_table(true, other, k))
        large += abs(difference) >= observed - 1e-9
    return large / 2**n


def pairs(counts: np.ndarray) -> tuple[float, float, np.ndarray, np.ndarray]:
    """Twice the pairs in one and in the other order, and those of a row of each cell."""
    k = len(counts)
    agree, differ = np.zeros((k, k)), np.zeros((k, k))
    for r, c in np.ndindex(k, k):
        for s, d in np.ndindex(k, k):
            agree[r, c] += counts[s, d] * ((s - r) * (d - c) > 0)
            differ[r, c] += counts[s, d] * ((s - r) * (d - c) < 0)
    return (counts * agree).sum(), (counts * differ).sum(), agree, differ


def ase_of_gamma(counts: np.ndarray) -> float:
    """L. A. Goodman and W. H. Kruskal (1963): the asymptotic standard error of gamma."""
    p, q, agree, differ = pairs(counts)
    return 4 / (p + q) ** 2 * np.sqrt((counts * (q * agree - p * differ) ** 2).sum())


def ase_of_somers_d(counts: np.ndarray) -> float:
    """L. A. Goodman and W. H. Kruskal (1972): of D, predictions given the truth."""
    p, q, agree, differ = pairs(counts)
    n, rows = counts.sum(), counts.sum(1)
    untied = n**2 - (rows**2).sum()
    terms = untied * (agree - differ) - (p - q) * (n - rows[:, None])
    return 2 / untied**2 * np.sqrt((counts * terms**2).sum())


def ase_of_tau_b(counts: np.ndarray) -> float:
    """M. B. Brown and J. K. Benedetti (1977), who restate L. A. Goodman and W. H. Kruskal."""
    p, q, agree, differ = pairs(counts)
    n, rows, columns = counts.sum(), counts.sum(1)[:, None], counts.sum(0)[None, :]
    u, v = n**2 - (rows**2).sum(), n**2 - (columns**2).sum()
    w, tau = np.sqrt(u * v), (p - q) / np.sqrt(u * v)
    terms = 2 * w * (agree - differ) + tau * (rows * v + columns * u)
    total = (counts * terms**2).sum() - n**3 * tau**2 * (u + v) ** 2
    return np.sqrt(total) / w**2


def influence_of_rows(f: Callable[[np.ndarray], float], n: int, w: float = 1e-6) -> np.ndarray:
    """The slope of a metric in the weight of each row."""
    slopes = []
    for row in range(n):
        more, less = np.ones(n), np.ones(n)
        more[row], less[row] = 1 + w, 1 - w
        slopes.append((f(more) - f(less)) / (2 * w))
    return np.array(slopes)


def pseudo_row_of_scores(true: Sequence[int], score: Sequence[float], k: int) -> list[Any]:
    """Class, score and mass of the parts of one row: half have the scores of their own class."""
    sizes = [list(true).count(r) for r in range(k)]
    predicted = pseudo_row(np.diag(np.array(sizes, float)))
    return [
        (r, x, predicted[r, y] / sizes[y])
        for r in range(k)
        for y, x in zip(true, score, strict=True)
        if predicted[r, y]
    ]


def smoothed_score(
    f: Callable[..., float], true: Sequence[int], score: Sequence[float], k: int
) -> float:
    """A metric of scores with the pseudo-row."""
    pieces = pseudo_row_of_scores(true, score, k)
    weights = [1.0] * len(true) + [mass for _, _, mass in pieces]
    classes, scores = [r for r, _, _ in pieces], [x for _, x, _ in pieces]
    return float(f([*true, *classes], [*score, *scores], k, weights))


def score_variances(
    true: Sequence[int], weights: np.ndarray, added: np.ndarray, least: float, by_class: bool
) -> dict[int, float]:
    """For each class, the squares of what its rows add."""
    variances = {}
    for k in sorted(set(true)):
        ours = np.asarray(true) == k
        w, i = weights[ours], added[ours]
        squares = (w * i**2).sum() - by_class * (w * i).sum() ** 2 / w.sum()
        variances[k] = w.sum() / max(w.sum() - 1, least) * squares
    return variances


def score_interval(
    f: Callable[..., float],
    true: Sequence[int],
    score: Sequence[float],
    k: int,
    level: float,
    by_class: bool = False,
) -> tuple[float, float, float]:
    """The interval of a metric of scores, by slopes in the weights; its standard error."""
    n, found = len(true), []
    for pieces in ([], pseudo_row_of_scores(true, score, k)):
        codes = [*true, *(piece[0] for piece in pieces)]
        scores = [*score, *(piece[1] for piece in pieces)]
        weights = np.array([1.0] * n + [piece[2] for piece in pieces])

        def value(factor: np.ndarray, codes=codes, scores=scores, weights=weights) -> float:
            return float(f(codes, scores, k, factor * weights))

        added = influence_of_rows(value, len(codes)) / weights
        variances = score_variances(codes, weights, added, 0.5 if pieces else 1e-300, by_class)
        sizes = [weights[np.asarray(codes) == r].sum() for r in variances]
        se = sqrt(sum(variances.values()))
        freedom = satterthwaite([*variances.values()], sizes, n - 1)
        found.append((value(np.ones(len(codes))), se, freedom))
    (_, plain, _), (smoothed, se, freedom) = found
    estimate = float(f(true, score, k))
    low, high = hull(estimate, smoothed, se, freedom, (0, 1), level, plain if plain > 1e-9 else 0)
    return low, high, plain


def clustered_score_se(
    f: Callable[..., float],
    true: Sequence[int],
    score: Sequence[float],
    k: int,
    clusters: Sequence[int],
) -> float:
    """Sums of what the rows of a cluster add, with what the rows left weigh."""
    n, pieces = len(true), pseudo_row_of_scores(true, score, k)
    codes = [*true, *(piece[0] for piece in pieces)]
    scores = [*score, *(piece[1] for piece in pieces)]
    weights = np.array([1.0] * n + [piece[2] for piece in pieces])
    added = influence_of_rows(lambda x: float(f(codes, scores, k, x * weights)), len(codes))
    added /= weights
    total, names = 0.0, sorted(set(clusters))
    for name in names:
        ours = [row for row in range(n) if clusters[row] == name]
        total += (sum(added[row] for row in ours) / (1 - len(ours) / (n + 1))) ** 2
    g = len(names)
    return sqrt((g - 1) / g * total + (weights[n:] * added[n:] ** 2).sum())


def mean_interval(
    true: Sequence[int],
    losses: np.ndarray,
    guess: float,
    limits: Sequence[float],
    level: float,
    weights: np.ndarray | None = None,
) -> tuple[float, float, float]:
    """The interval of a mean with one more row, which belongs to all classes."""
    w = np.ones(len(losses)) if weights is None else weights / weights.mean()
    n, q = len(w), (w**2).sum() / w.sum()
    estimate = (w * losses).sum() / w.sum()
    plain = sqrt(n / (n - 1) * ((w * (losses - estimate)) ** 2).sum()) / n
    x, v = np.array([*losses, guess]), np.array([*w, q])
    mean = (v * x).sum() / v.sum()
    squares = (n + 1) / n * (v * (x - mean) / v.sum()) ** 2
    classes = sorted(set(true))
    inverse = {r: 1 / list(true).count(r) for r in classes}
    share = {r: inverse[r] / sum(inverse.values()) for r in classes}
    variances, sizes = [], []
    for r in classes:
        ours = np.asarray(true) == r
        variances.append(squares[:-1][ours].sum() + share[r] * squares[-1])
        sizes.append(w[ours].sum() ** 2 / (w[ours] ** 2).sum() + share[r])
    freedom = satterthwaite(variances, sizes, w.sum() ** 2 / (w**2).sum() - 1)
    se = sqrt(squares.sum())
    low, high = hull(estimate, mean, se, freedom, limits, level, plain)
    return low, high, se


def clustered_mean_se(losses: np.ndarray, guess: float, clusters: np.ndarray) -> float:
    """Leave out one cluster of rows after the other; the additional row stays."""
    rows = np.array([*losses, guess])
    total, names = 0.0, sorted(set(clusters))
    for name in names:
        left = np.array([*losses[clusters != name], guess])
        total += (rows.mean() - left.mean()) ** 2
    g = len(names)
    of_row = (guess - rows.mean()) ** 2 / len(rows) ** 2
    return sqrt((g - 1) / g * total + of_row)


def paired_se_of_losses(
    true: Sequence[int], a: Sequence[float], b: Sequence[float], guess: float
) -> tuple[float, float]:
    """The standard error of a difference of means, with one more row that both forecast alike."""
    n, added = len(true), []
    for losses in (a, b):
        mean = (sum(losses) + guess) / (n + 1)
        added.append([(loss - mean) / (n + 1) for loss in (*losses, guess)])
    squares = [(one - other) ** 2 for one, other in zip(*added, strict=True)]
    classes = sorted(set(true))
    inverse = {r: 1 / list(true).count(r) for r in classes}
    variances, sizes = [], []
    for r in classes:
        share = inverse[r] / sum(inverse.values())
        ours = sum(square for y, square in zip(true, squares[:-1], strict=True) if y == r)
        variances.append(ours + share * squares[-1])
        sizes.append(1 / inverse[r] + share)
    return sqrt((n + 1) / n * sum(squares)), satterthwaite(variances, sizes, n - 1)


def paired_se_of_u_pairs(
    true: Sequence[int], a: Sequence[float], b: Sequence[float], k: int
) -> tuple[float, float]:
    """The standard error of a difference of u_pairs: row by row, then the pseudo-row by class."""
    added, rows = [], []
    for scores in (a, b):
        values = sorted(set(scores))
        n = {(r, v): 0.0 for r in range(k) for v in values}
        for r, v in zip(true, scores, strict=True):
            n[r, v] += 1
        row = dict.fromkeys(n, 0.0)
        for r, v, mass in pseudo_row_of_scores(true, scores, k):
            row[r, v] += mass
        all_of_them = {cell: n[cell] + row[cell] for cell in n}
        right, pairs = {}, {}
        for r, v in all_of_them:
            right[r, v] = pairs[r, v] = 0.0
            for (s, w), count in all_of_them.items():
                if s != r:
                    pairs[r, v] += count
                    ordered = 1.0 if (w - v) * (s - r) > 0 else 0.5 * (w == v)
                    right[r, v] += count * ordered
        total = sum(all_of_them[cell] * pairs[cell] for cell in n) / 2
        u = sum(all_of_them[cell] * right[cell] for cell in n) / 2 / total
        added.append({cell: (right[cell] - u * pairs[cell]) / total for cell in n})
        rows.append(row)
    return _paired_se(true, a, b, added, rows)


def paired_se_of_vus(
    true: Sequence[int], a: Sequence[float], b: Sequence[float], k: int, ties: str
) -> tuple[float, float]:
    """The standard error of a difference of volumes, by placements among rows and pseudo-row."""
    added, rows = [], []
    for scores in (a, b):
        row: dict[Any, float] = {}
        for r, v, share in pseudo_row_of_scores(true, scores, k):
            row[r, v] = row.get((r, v), 0) + share
        own: list[list[Item]] = [[] for _ in range(k)]
        for (r, v), share in row.items():
            weight = share + list(zip(true, scores, strict=True)).count((r, v))
            own[r].append(Item(v, Fraction(weight)))
        volume, sizes = mean_worth(own, ties), [sum(item.weight for item in of) for of in own]
        added.append(
            {
                (r, item.score): float((placement(own, r, item, ties) - volume) / sizes[r])
                for r in range(k)
                for item in own[r]
            }
        )
        rows.append(row)
    return _paired_se(true, a, b, added, rows)


def _paired_se(
    true: Sequence[int], a: Sequence[float], b: Sequence[float], added: Any, rows: Any
) -> tuple[float, float]:
    """From what rows and the pseudo-rows of both scores add, by class and score."""
    variances, sizes = [], []
    for r in sorted(set(true)):
        ours = [(v, w) for t, v, w in zip(true, a, b, strict=True) if t == r]
        squares = sum((added[0][r, v] - added[1][r, w]) ** 2 for v, w in ours)
        mass = sum(one for (s, _), one in rows[0].items() if s == r)
        for (s, v), p in rows[0].items():
            for (t, w), q in rows[1].items():
                if s == t == r and mass:
                    squares += p * q / mass * (added[0][r, v] - added[1][r, w]) ** 2
        m = len(ours) + mass
        variances.append(m / max(m - 1, 0.5) * squares)
        sizes.append(m)
    return sqrt(sum(variances)), satterthwaite(variances, sizes, len(true) - 1)
