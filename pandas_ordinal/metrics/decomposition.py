"""How a score of probabilities splits: miscalibration, discrimination, uncertainty.

A scoring rule is a sum of losses over thresholds, each of a forecast of whether the class of a row
is at or below the threshold. Each threshold is calibrated by an isotonic fit.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pandas_ordinal.counting.arrays import Array, Floats, Positions, Probabilities
from pandas_ordinal.metrics.isotonic import IsotonicFit, Pools, pools_of
from pandas_ordinal.metrics.probability import ranked_errors, surprise
from pandas_ordinal.metrics.segments import Segments

N_DRAWS = 20


@dataclass(frozen=True)
class Rule:
    """A scoring rule as a sum of losses over thresholds.

    Attributes
    ----------
    of_row : callable
        Returns the score of each row, ``(1, rows)``, given probabilities and true classes.
    forecasts : callable
        Yields the forecast ``(rows,)`` of each threshold, given probabilities ``(rows, K)``.
    loss : callable
        Returns the loss of forecasts, given whether the outcomes happened.
    is_chained : bool
        Whether a threshold concerns only rows whose class is not below it.
    """

    of_row: Callable[[Floats, Array], Floats]
    forecasts: Callable[[Floats], Iterator[Floats]]
    loss: Callable[[Floats, Array], Floats]
    is_chained: bool

    def concerned(self, codes: Array, threshold: int) -> slice | Positions:
        """Return the rows that a threshold concerns."""
        return np.flatnonzero(codes >= threshold) if self.is_chained else slice(None)


def cumulated(proba: Floats) -> Iterator[Floats]:
    """Yield the probability of each class or a lower one, but for the last class.

    They are not clipped to 1, which the sum of a row may exceed by a tolerance, so that their
    squared errors add up to `rps`.
    """
    below = np.zeros(len(proba))
    for code in range(proba.shape[1] - 1):
        below = below + proba[:, code]
        yield below


def hazards(proba: Floats) -> Iterator[Floats]:
    """Yield the probability of each class among those not below it, but for the last class.

    It is 1 where all of these have probability 0.
    """
    n_classes = proba.shape[1]
    for code in range(n_classes - 1):
        rest = np.zeros(len(proba))
        for higher in range(n_classes - 1, code, -1):
            rest += proba[:, higher]
        own = proba[:, code]
        total = own + rest
        yield np.divide(own, total, out=np.ones(len(proba)), where=total > 0)


def squared(forecasts: Floats, outcomes: Array) -> Floats:
    """Return the squared errors of forecasts."""
    error = forecasts - outcomes
    return np.asarray(error * error)


def logarithmic(forecasts: Floats, outcomes: Array) -> Floats:
    """Return the negative logarithms of the probabilities of what happened."""
    return np.asarray(0 - np.log(np.where(outcomes, forecasts, 1 - forecasts)))


RPS_RULE = Rule(ranked_errors, cumulated, squared, is_chained=False)
LOG_LOSS_RULE = Rule(surprise, hazards, logarithmic, is_chained=True)
RULES = {"rps": RPS_RULE, "log_loss": LOG_LOSS_RULE}


class Threshold(NamedTuple):
    """One threshold of the rows that it concerns.

    Attributes
    ----------
    rows : slice or ndarray
        These rows.
    outcomes : ndarray of bool
        Whether the class of each row is at or below the threshold.
    forecasts, calibrated, shares : ndarray
        The forecast of each row, its isotonic fit, and the share of the outcome in its segment.
    pools, fit : Pools, IsotonicFit
        The rows of equal forecasts, and the blocks of the fit.
    """

    rows: slice | Positions
    outcomes: Array
    forecasts: Floats
    calibrated: Floats
    shares: Floats
    pools: Pools
    fit: IsotonicFit


def thresholds(rule: Rule, rows: Segments, proba: Floats) -> Iterator[Threshold]:
    """Fit the outcome of each threshold in turn; all rows count."""
    for code, forecasts in enumerate(rule.forecasts(proba)):
        concerned = rule.concerned(rows.codes, code)
        outcomes, segment = rows.codes[concerned] <= code, rows.segment[concerned]
        weights = None if rows.weights is None else rows.weights[concerned]
        pools = pools_of(forecasts[concerned], segment)
        fit = pools.fit(outcomes, weights)
        shares = means_of_segments(outcomes, weights, segment, rows.n_segments)[segment]
        yield Threshold(
            concerned, outcomes, forecasts[concerned], fit.of_rows(), shares, pools, fit
        )


def means_of_segments(
    values: Array, weights: Floats | None, segment: Array, n_segments: int
) -> Floats:
    """Return the mean of each segment, NaN without rows."""
    weighted = values if weights is None else values * weights
    with np.errstate(invalid="ignore"):
        means: Floats = np.bincount(segment, weighted, n_segments) / np.bincount(
            segment, weights, n_segments
        )
    return means


class RowParts(NamedTuple):
    """The terms of each row ``(rows,)`` whose means are the parts of a score; 0 if it has none."""

    mcb: Floats
    dsc: Floats
    unc: Floats


def row_parts(rule: Rule, rows: Segments, proba: Array | Probabilities) -> RowParts:
    """Split the score of each row into the parts of its segment."""
    counted, own, there = counting(rows, proba)
    calibrated, of_shares = np.zeros((2, len(there)))
    for one in thresholds(rule, counted, own):
        calibrated[one.rows] += rule.loss(one.calibrated, one.outcomes)
        of_shares[one.rows] += rule.loss(one.shares, one.outcomes)
    parts = np.zeros((3, len(rows.codes)))
    parts[0, there] = rule.of_row(own, counted.codes)[0] - calibrated
    parts[1, there] = of_shares - calibrated
    parts[2, there] = of_shares
    return RowParts(*parts)


def terms_of_rows(
    rule: Rule,
    part: str,
    rows: Segments,
    proba: Array | Probabilities,
    *,
    normalized: bool = False,
    corrected: bool = False,
) -> Floats:
    """Return the terms whose mean over a segment is a part of the score."""
    parts: RowParts = _once(rows, rule, proba, lambda: row_parts(rule, rows, proba))
    terms: Floats = getattr(parts, part)
    if corrected:
        chance = _once(rows, "by chance", proba, lambda: _chance(rows, proba))
        terms = terms - chance[rows.segment]
    return terms / np.float64(rows.n_classes - 1) if normalized else terms


def _once(
    rows: Segments, what: Hashable, proba: Array | Probabilities, find: Callable[[], Any]
) -> Any:
    """Find something of rows and their probabilities once, for all metrics that ask."""
    key = what, id(proba)
    if key not in rows.found:
        rows.found[key] = find(), proba  # held, so that nothing else gets its id
    return rows.found[key][0]


def _chance(rows: Segments, proba: Array | Probabilities) -> Floats:
    """Return the miscalibration that right forecasts would show, by segment."""
    counted, own, _ = counting(rows, proba)
    return np.asarray(by_chance(counted, own).sum(axis=0))


def by_chance(rows: Segments, proba: Floats, n_draws: int = N_DRAWS, seed: int = 0) -> Floats:
    """Return the miscalibration by `rps` that right forecasts would show, ``(K - 1, segments)``.

    All rows count. It is a mean over classes drawn from the forecasts, and depends neither on the
    order of the rows nor on other segments. What chance adds to the parts of the log loss depends
    on how wrong the forecasts are: such draws would not correct them.
    """
    place = _in_order(rows, proba)
    proba, segment = proba[place], rows.segment[place]
    weights = None if rows.weights is None else rows.weights[place]
    sizes = np.bincount(segment)
    pooled = [(forecasts, pools_of(forecasts, segment)) for forecasts in cumulated(proba)]
    total = np.zeros((len(pooled), rows.n_segments))
    for codes in drawn_classes(proba, sizes, n_draws, seed):
        for code, (forecasts, pools) in enumerate(pooled):
            outcomes = codes <= code
            fitted = pools.fit(outcomes, weights).of_rows()
            gain = squared(forecasts, outcomes) - squared(fitted, outcomes)
            gain = gain if weights is None else gain * weights
            total[code] += np.bincount(segment, gain, rows.n_segments)
    with np.errstate(invalid="ignore"):
        means: Floats = total / n_draws / np.bincount(segment, weights, rows.n_segments)
    return means


def _in_order(rows: Segments, proba: Floats) -> Positions:
    """Return the positions of the rows by segment, probabilities and weight."""
    weights = [] if rows.weights is None else [rows.weights]
    return np.lexsort((*weights, *proba.T, rows.segment))


def drawn_classes(proba: Floats, sizes: Positions, n_draws: int, seed: int) -> Iterator[Array]:
    """Yield classes drawn from the forecasts, given the sizes of the segments one by one.

    Each segment has a generator of its own.
    """
    dtype = np.min_scalar_type(proba.shape[1])
    total = sum(proba.T, np.zeros(len(proba)))  # in one order, whatever the layout in memory
    generators = [np.random.default_rng(seed) for _ in sizes]
    for _ in range(n_draws):
        parts = [one.random(size) for one, size in zip(generators, sizes, strict=True)]
        level = np.concatenate([total[:0], *parts]) * total
        codes = np.zeros(len(level), dtype)
        for below in cumulated(proba):
            codes += level >= below
        yield codes


def counting(
    rows: Segments, proba: Array | Probabilities
) -> tuple[Segments, Floats, npt.NDArray[np.intp]]:
    """Leave out the rows that do not count or have no weight; return also which remain."""
    is_there = rows.codes >= 0
    if rows.weights is not None:
        is_there &= rows.weights > 0
    there = np.flatnonzero(is_there)
    if len(there) == len(is_there):
        return rows, proba[:], there
    weights = None if rows.weights is None else rows.weights[there]
    counted = replace(rows, codes=rows.codes[there], segment=rows.segment[there], weights=weights)
    return counted, proba[there], there
