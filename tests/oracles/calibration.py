"""The parts of scores of probabilities by their definitions, with fits by the min-max formula."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from oracles.probability import log_loss, rps
from oracles.rows import NAN

Numbers = Sequence[Any]
Loss = Callable[[Any, bool], Any]
Events = list[tuple[float, bool, Fraction]]
"""A forecast of whether something happens, whether it does, and the weight of the row."""


def isotonic(events: Events) -> list[Fraction]:
    """The fit of each event: ``max over a of min over b of mean(outcomes[a..b])``, exactly."""
    forecasts = sorted({round(forecast, 12) for forecast, _, _ in events})
    pools = []
    for forecast in forecasts:
        own = [(o, w) for f, o, w in events if round(f, 12) == forecast]
        pools.append((sum(w for o, w in own if o), sum((w for _, w in own), Fraction(0))))

    def share(first: int, last: int) -> Fraction:
        part = pools[first : last + 1]
        return Fraction(sum(h for h, _ in part)) / sum(m for _, m in part)

    last = len(pools) - 1
    fits = [
        max(min(share(a, b) for b in range(i, last + 1)) for a in range(i + 1))
        for i in range(len(pools))
    ]
    return [fits[forecasts.index(round(forecast, 12))] for forecast, _, _ in events]


def squared(forecast: Any, happens: bool) -> float:
    return float((forecast - happens) ** 2)


def surprise(forecast: Any, happens: bool) -> float:
    of_what_happened = float(forecast if happens else 1 - forecast)
    return -math.log(of_what_happened) if of_what_happened > 0 else math.inf


def losses(events: Events, loss: Loss) -> tuple[float, float]:
    """The weighted sums of the losses of the isotonic fits, and of the share of the outcome."""
    mass = sum(w for _, _, w in events)
    if not mass:
        return 0.0, 0.0
    share = Fraction(sum(w for _, o, w in events if o)) / mass
    fits = isotonic(events)
    calibrated = [float(w) * loss(fit, o) for fit, (_, o, w) in zip(fits, events, strict=True)]
    of_share = [float(w) * loss(share, o) for _, o, w in events]
    return math.fsum(calibrated), math.fsum(of_share)


def counted(
    true: Sequence[int], proba: Sequence[Numbers], weights: Numbers | None
) -> list[tuple[int, list[float], Fraction]]:
    ones = [1] * len(true) if weights is None else weights
    rows = zip(true, proba, ones, strict=True)
    return [(int(y), list(map(float, p)), Fraction(float(w))) for y, p, w in rows if y >= 0 and w]


def parts(
    name: str,
    true: Sequence[int],
    proba: Sequence[Numbers],
    weights: Numbers | None = None,
) -> tuple[float, float, float]:
    """The miscalibration, the discrimination and the uncertainty of a score."""
    rows = counted(true, proba, weights)
    total = float(sum(w for _, _, w in rows))
    if not total:
        return NAN, NAN, NAN
    score, loss, of_threshold = {
        "rps": (rps, squared, cumulated),
        "log_loss": (log_loss, surprise, hazard),
    }[name]
    calibrated = of_shares = 0.0
    for k in range(len(proba[0]) - 1):
        events = [(f, y <= k, w) for y, p, w in rows if (f := of_threshold(y, p, k)) is not None]
        one, other = losses(events, loss)
        calibrated += one / total
        of_shares += other / total
    whole = score(true, proba, weights=weights)
    return whole - calibrated, of_shares - calibrated, of_shares


def cumulated(y: int, p: Numbers, k: int) -> float | None:
    return sum(p[: k + 1])


def hazard(y: int, p: Numbers, k: int) -> float | None:
    """The probability of class k among those from k up, of rows that are no lower."""
    if y < k:
        return None
    return p[k] / sum(p[k:]) if sum(p[k:]) else 1.0


def by_chance(
    proba: Sequence[Numbers], weights: Numbers | None = None, n_draws: int = 20
) -> float:
    """The mean miscalibration of classes drawn from the probabilities of rows that all count."""
    ones = [1.0] * len(proba) if weights is None else [float(w) for w in weights]
    rows = sorted(zip((tuple(map(float, p)) for p in proba), ones, strict=True), key=_place)
    rng = np.random.default_rng(0)
    found = []
    for _ in range(n_draws):
        levels = rng.random(len(rows))
        drawn = [
            next(k for k in range(len(p)) if u * sum(p) < sum(p[: k + 1]))
            for (p, _), u in zip(rows, levels, strict=True)
        ]
        found.append(parts("rps", drawn, [p for p, _ in rows], [w for _, w in rows])[0])
    return float(np.mean(found))


def _place(row: tuple[tuple[float, ...], float]) -> tuple[Any, ...]:
    """Rows stand by the probability of the highest class, then the next one; then by weight."""
    proba, weight = row
    return (*reversed(proba), weight)
