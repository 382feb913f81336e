"""What is asked of differences: whether models differ, one is better, or they are equivalent."""

from __future__ import annotations

import numpy as np

from pandas_ordinal.counting.arrays import Floats
from pandas_ordinal.inference.pairs import SMALLEST, PairedValues
from pandas_ordinal.inference.scale import quantile
from pandas_ordinal.query import Alternative


def p_value_of(
    alternative: Alternative,
    pairs: PairedValues,
    two_sided: Floats,
    greater_is_better: bool | None,
    margin: float,
) -> Floats:
    """Return the p-values of an alternative, given those of the two-sided one.

    They are NaN for one-sided alternatives of metrics without a direction. "better" has half the
    two-sided p-value if a is ahead, and 1 minus this half otherwise. "non-inferior" has
    ``P(T >= (d + margin) / se)``, where d is positive if a is ahead.
    """
    if alternative == "two-sided":
        return two_sided
    if greater_is_better is None:
        return np.full_like(two_sided, np.nan)
    ahead = pairs.difference if greater_is_better else -pairs.difference
    if alternative == "better":
        half = np.maximum(two_sided / 2, SMALLEST)
        return np.where(ahead > 0, half, 1 - half)
    return _upper_tail((pairs.least if greater_is_better else -pairs.most) + margin, pairs)


def p_equivalent(pairs: PairedValues, margin: float) -> Floats:
    """Return the p-values of equivalence: the larger one of two one-sided tests.

    ``max(P(T >= (d + margin) / se), P(T <= (d - margin) / se))``. NaN where no row moves the
    metric.

    References
    ----------
    D. Schuirmann, A comparison of the two one-sided tests procedure and the power approach for
    assessing the equivalence of average bioavailability, Journal of Pharmacokinetics and
    Biopharmaceutics 15 (1987) 657-680, doi:10.1007/BF01068419.
    """
    sides = [_upper_tail(margin + end, pairs) for end in (pairs.least, -pairs.most)]
    return np.maximum(*sides)


def limits_of_differences(
    alternative: Alternative, pairs: PairedValues, level: Floats, greater_is_better: bool | None
) -> tuple[Floats, Floats]:
    """Return the bounds of intervals that agree with tests at a level.

    One-sided alternatives have no bound in the direction in which a would be better: it is
    infinite.
    """
    if alternative == "two-sided":
        half = quantile(pairs.df, 1 - level) * pairs.se
        return pairs.least - half, pairs.most + half
    half = quantile(pairs.df, 1 - 2 * level) * pairs.se
    if greater_is_better is None:
        half = np.full_like(half, np.nan)
    if greater_is_better:
        return pairs.least - half, np.where(np.isnan(half), np.nan, np.inf)
    return np.where(np.isnan(half), np.nan, -np.inf), pairs.most + half


def within(
    limits: tuple[Floats, Floats], low: Floats, difference: Floats, high: Floats
) -> tuple[Floats, Floats]:
    """Cut off intervals at the lowest and the highest difference that is possible.

    Bounds that are infinite do not change, nor does one that is at the difference itself.
    """
    lowest, highest = limits
    low = np.where(np.isinf(low), low, np.minimum(np.maximum(low, lowest), difference))
    high = np.where(np.isinf(high), high, np.maximum(np.minimum(high, highest), difference))
    return low, high


def _upper_tail(size: Floats, pairs: PairedValues) -> Floats:
    """Return the probability of a t that is at least a difference in standard errors."""
    from scipy.special import stdtr

    with np.errstate(all="ignore"):
        p = np.maximum(stdtr(np.maximum(pairs.df, 1), -size / pairs.se), SMALLEST)
    undefined = ~np.isfinite(size) | ~(pairs.se > pairs.tolerance) | ~(pairs.df >= 1)
    return np.where(undefined, np.nan, p)
