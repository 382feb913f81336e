"""What two numbers may differ by and still be the same."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from pandas_ordinal.arrays import Floats

ROUNDING = 1e-12

Range: TypeAlias = tuple[float | Floats, float | Floats]


def noise_of(values: Floats, limits: Range) -> Floats:
    """Return by how much values of a metric with these limits may be off by rounding.

    Rounding is as large as the terms of a metric, which may cancel: as its limits, or as 1 if it
    has none. A metric with the limit 0 alone has no terms that cancel, and may have any unit.
    """
    ends = np.broadcast_arrays(*limits, values)[:2]
    largest = np.max([np.where(np.isfinite(end), np.abs(end), 0) for end in ends], axis=0)
    unlimited = np.where(np.isfinite(ends).any(axis=0), largest, 1)
    size = np.where(np.isfinite(values), np.abs(values), 0)
    noise: Floats = ROUNDING * np.maximum(size, unlimited)
    return noise


def on_limits(values: Floats, limits: Range) -> Floats:
    """Put values on a limit that they differ from by rounding alone."""
    noise = noise_of(values, limits)
    for limit in limits:
        values = np.where(np.abs(values - limit) <= noise, limit, values)
    return values


def freedom_of(sums: Floats, squares: Floats) -> Floats:
    """Return the degrees of freedom of weights with these sums, whose squares have those."""
    freedom = sums**2 / squares - 1
    whole = np.rint(freedom)
    return np.where(np.abs(freedom - whole) <= ROUNDING * whole, whole, freedom)
