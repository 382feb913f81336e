"""Isotonic fits: the shares of outcomes that rise with the forecasts, nearest to the outcomes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from pandas_ordinal.counting.arrays import Array, Floats, Positions

DECIMALS = 12  # forecasts that differ later differ by rounding errors, and must tie
MOST_ROUNDS = 64


@dataclass(frozen=True)
class Pools:
    """Rows pooled where their forecasts are equal.

    Attributes
    ----------
    of_rows : ndarray, shape (rows,)
        The pool of each row.
    forecast : ndarray, shape (pools,)
        The forecast of each pool, ascending within each segment.
    segment : ndarray, shape (pools,)
        Its segment, ascending.
    """

    of_rows: Positions
    forecast: Floats
    segment: Positions

    def fit(self, outcomes: Array, weights: Floats | None) -> IsotonicFit:
        """Fit outcomes, false or true, by pooling adjacent violators."""
        n_pools = len(self.forecast)
        mass = np.bincount(self.of_rows, weights, n_pools).astype(float)
        weighted = outcomes if weights is None else outcomes * weights
        hits = np.bincount(self.of_rows, weighted, n_pools).astype(float)
        there = np.flatnonzero(mass > 0)
        first, calibrated = _pooled(hits[there], mass[there], self.segment[there])
        is_first = np.zeros(n_pools, bool)
        is_first[there[first]] = True
        block = np.maximum(np.cumsum(is_first) - 1, 0)[self.of_rows]
        return IsotonicFit(block, calibrated, self.segment[there[first]])


class IsotonicFit(NamedTuple):
    """An isotonic fit: blocks of adjacent pools, each with a single calibrated forecast.

    `block` has the block of each row, `calibrated` the fit of each block and `segment` the segment
    of each block. Blocks are ordered by segment and forecast.
    """

    block: Positions
    calibrated: Floats
    segment: Positions

    def of_rows(self) -> Floats:
        """Return the calibrated forecast of each row."""
        return self.calibrated[self.block]


def pools_of(forecasts: Floats, segment: Array) -> Pools:
    """Pool rows of the same segment whose forecasts, 0 to 1, agree in 12 decimals."""
    key = np.rint(forecasts * 10**DECIMALS).astype(np.int64)
    span = int(key.max(initial=0)) + 1
    key += segment.astype(np.int64) * span
    order = np.argsort(key)
    key = key[order]
    is_first = np.ones(len(key), bool)
    np.not_equal(key[1:], key[:-1], out=is_first[1:])
    of_rows = np.empty(len(key), np.intp)
    of_rows[order] = np.cumsum(is_first) - 1
    of_segment, forecast = np.divmod(key[is_first], span)
    return Pools(of_rows, forecast / 10**DECIMALS, of_segment)


def isotonic_fit(
    forecasts: Floats, outcomes: Array, weights: Floats | None, segment: Array
) -> Floats:
    """Return the calibrated forecast of each row, given rows with a weight above 0.

    Parameters
    ----------
    forecasts : ndarray, shape (rows,)
        Probabilities of the outcome.
    outcomes : ndarray of bool, shape (rows,)
        Whether it happened.
    weights : ndarray or None
        The weight of each row; None for 1.
    segment : ndarray of int, shape (rows,)
        The segment of each row; each is fitted alone.
    """
    return pools_of(forecasts, segment).fit(outcomes, weights).of_rows()


def _pooled(hits: Floats, mass: Floats, segment: Positions) -> tuple[Positions, Floats]:
    """Pool adjacent violators; return the first pool of each block, and its share of hits.

    All runs that do not rise are pooled in each round, in all segments at once, so that the result
    of a segment does not depend on others. About ten rounds do for most rows. Staircases that fall
    into one block take a round for each step: after some rounds, SciPy finishes these.
    """
    first = np.arange(len(hits))
    for _ in range(MOST_ROUNDS):
        share = hits / mass
        rises = np.ones(len(share), bool)
        np.greater(share[1:], share[:-1], out=rises[1:])
        rises[1:] |= segment[1:] != segment[:-1]
        if rises.all():
            return first, share
        at = np.flatnonzero(rises)
        hits, mass = np.add.reduceat(hits, at), np.add.reduceat(mass, at)
        first, segment = first[at], segment[at]
    return _pooled_one_by_one(first, hits, mass, segment)


def _pooled_one_by_one(
    first: Positions, hits: Floats, mass: Floats, segment: Positions
) -> tuple[Positions, Floats]:
    """Pool the blocks of each segment, which may take many rounds."""
    from scipy.optimize import isotonic_regression  # slow to import, and rarely needed

    share = hits / mass
    ends = np.flatnonzero(np.diff(segment, prepend=-1, append=-1))
    parts = [
        start + isotonic_regression(share[start:stop], weights=mass[start:stop]).blocks[:-1]
        for start, stop in pairwise(ends)
    ]
    at = np.concatenate(parts)
    return first[at], np.add.reduceat(hits, at) / np.add.reduceat(mass, at)
