"""Shares of independent rows: exact intervals and tests of the binomial distribution."""

from __future__ import annotations

import numpy as np

from pandas_ordinal.counting.arrays import Floats


def clopper_pearson(
    successes: Floats, trials: Floats, level: float | Floats
) -> tuple[Floats, Floats]:
    """Return the exact bounds of a share of independent rows, by Clopper and Pearson.

    Parameters
    ----------
    successes, trials : ndarray
        How many rows succeed, of how many; any shapes that broadcast.
    level : float or ndarray
        The level of the intervals.

    Returns
    -------
    tuple of ndarray
        The lower and the upper bound, NaN without trials. They are quantiles of the beta
        distribution: ``B(tail; s, n - s + 1)`` and ``B(1 - tail; s + 1, n - s)`` for s successes
        of n, with ``tail = (1 - level) / 2``. The lower bound of no success is 0, the upper bound
        of no failure 1.

    References
    ----------
    C. Clopper and E. Pearson, The use of confidence or fiducial limits illustrated in the case of
    the binomial, Biometrika 26 (1934) 404-413, doi:10.1093/biomet/26.4.404.

    Examples
    --------
    >>> low, high = clopper_pearson(np.array([81.0, 0.0]), np.array([263.0, 20.0]), 0.95)
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.2527, 0.0], [0.3676, 0.1684])
    """
    from scipy.special import betaincinv  # slow to import, and not needed elsewhere

    successes, trials, level = np.broadcast_arrays(successes, trials, level)
    failures, tail = trials - successes, (1 - level) / 2
    with np.errstate(all="ignore"):
        low = betaincinv(np.maximum(successes, 1), failures + 1, tail)
        high = betaincinv(successes + 1, np.maximum(failures, 1), 1 - tail)
    low, high = np.where(successes > 0, low, 0), np.where(failures > 0, high, 1)
    return (
        np.where(trials > 0, low, np.nan),
        np.where(trials > 0, high, np.nan),
    )


def sign_test(first: Floats, second: Floats) -> Floats:
    """Return the two-sided p-values of a fair coin, given how often either side came up.

    With the rows that only the first of two models gets right, and those that only the second
    does, this is the exact test of McNemar. It is 1 if no row tells the models apart.

    Examples
    --------
    >>> sign_test(np.array([1.0, 0.0, 3.0]), np.array([7.0, 0.0, 3.0])).tolist()
    [0.0703125, 1.0, 1.0]
    """
    from scipy.special import bdtr

    fewer = np.minimum(first, second)
    trials = np.rint(first + second).astype(np.int64)
    p: Floats = np.minimum(2 * bdtr(fewer, trials, 0.5), 1)
    return p
