"""How many rows a test set needs, given a comparison of models."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pandas_ordinal.counting.arrays import Floats
from pandas_ordinal.errors import an, brief, conversion_hint, kind_of
from pandas_ordinal.hints import explains_arguments
from pandas_ordinal.inference.influence import tolerance_of
from pandas_ordinal.query import refuse_level
from pandas_ordinal.reports.style_rows import OF_DIFFERENCES, refuse_lost_columns

USED = (*OF_DIFFERENCES, "p_value", "n")
UNLIMITED = -np.inf, np.inf


@explains_arguments
def rows_needed(
    found: pd.DataFrame, power: float = 0.8, *, ci: float | None = None
) -> pd.Series[float]:
    """Return how many rows it would take to find the differences of a comparison.

    If the true difference is the one in the table, a test on that many rows like these finds it
    with a probability of `power`.

    Parameters
    ----------
    found : DataFrame
        What `compare` returned, or some of its rows.
    power : float, default 0.8
        The probability of finding the difference, above ``1 - ci``.
    ci : float, optional
        The level of the test is ``1 - ci``. Default: the `ci` of the comparison, which its
        attributes hold.

    Returns
    -------
    Series
        Rounded up, and called "rows_needed"; with `cluster`, numbers of clusters, and called
        "clusters_needed". NaN where there is no difference or no standard error, and where a
        one-sided test asks whether the worse model is better.

    Raises
    ------
    TypeError
        If this is no DataFrame.
    ValueError
        If it is not a comparison, has no standard errors or tests non-inferiority, if its
        attributes are lost, or if `power` or `ci` is out of range.

    Notes
    -----
    ``n * ((z(1 - (1 - ci) / 2) + z(power)) * se / difference) ** 2``, where n is the number of
    rows or clusters, and z(p) the p-quantile of the normal distribution. With
    ``alternative="better"``, the first quantile is ``z(ci)``. The test is that of a single pair:
    p-values that are adjusted for several pairs need more rows. Results below about 30 are too
    low, since t has heavier tails there.

    Use it to plan the next test set. It says nothing new about this one: the power of a test at
    the difference that was observed is only its p-value in other units (Hoenig and Heisey). The
    difference is an estimate, and half of it takes four times as many rows. To plan for the
    smallest difference that matters, write ``found.assign(difference=0.02)``.

    References
    ----------
    J. M. Lachin, Introduction to sample size determination and power analysis for clinical trials,
    Controlled Clinical Trials 2 (1981) 93-113, doi:10.1016/0197-2456(81)90001-5.

    J. M. Hoenig and D. M. Heisey, The abuse of power: the pervasive fallacy of power calculations
    for data analysis, The American Statistician 55 (2001) 19-24,
    doi:10.1198/000313001300339897.

    Examples
    --------
    >>> import pandas as pd
    >>> import pandas_ordinal as po
    >>> df = pd.DataFrame({"y": [0, 1, 2, 2] * 9, "a": [0, 1, 2, 1] * 9, "b": [0, 1, 0, 2] * 9})
    >>> found = po.ordinal(df).compare("y", ["a", "b"], metrics=["accuracy", "mae"])
    >>> po.rows_needed(found)
    metric    a  b
    accuracy  a  b      NaN
    mae       a  b    149.0
    Name: rows_needed, dtype: float64
    """
    _refuse_other_than_comparison(found)
    ci = _level(found, ci)
    if not isinstance(power, (int, float, np.number)) or not 1 - ci < power < 1:
        raise ValueError(
            f"power={brief(power)} must be between the level of the test, {1 - ci:.10g}, and 1, "
            "such as power=0.8"
        )
    unit = "clusters" if "n_clusters" in found.columns else "rows"
    n = found["n_clusters" if unit == "clusters" else "n"].to_numpy(dtype=float)
    needed = np.ceil(n * _times_as_many(found, float(power), ci))
    return pd.Series(needed, found.index, name=f"{unit}_needed")


def _times_as_many(found: pd.DataFrame, power: float, ci: float) -> Floats:
    """Return how many times as many rows are needed; NaN where no number is enough."""
    from scipy.special import ndtri  # slow to import, and not needed elsewhere

    a, b, difference, se, low, high = found[list(OF_DIFFERENCES)].to_numpy(dtype=float).T
    is_up, is_down = np.isposinf(high), np.isneginf(low)  # a one-sided interval has one bound
    level = np.where(is_up | is_down, ci, (1 + ci) / 2)
    tolerance = tolerance_of(a, UNLIMITED) + tolerance_of(b, UNLIMITED)
    is_found = np.where(is_up, difference, np.where(is_down, -difference, abs(difference)))
    is_tested = ~np.isnan(found["p_value"].to_numpy(dtype=float)) & (is_found > tolerance)
    is_tested &= se > 0  # which may have been rounded
    ratio = np.divide(se, difference, out=np.full(len(se), np.nan), where=is_tested)
    times: Floats = ((ndtri(level) + ndtri(power)) * ratio) ** 2
    return times


def _level(found: pd.DataFrame, ci: float | None) -> float:
    """Return the level of the intervals: the one that is given, or that of the comparison."""
    if ci is None and "ci" not in found.attrs:
        raise ValueError(
            "the comparison has lost its attributes, which hold ci=, the level of its tests: give "
            "po.rows_needed(found, ci=0.95)"
        )
    level = found.attrs["ci"] if ci is None else ci
    refuse_level(level)
    return float(level)


def _refuse_other_than_comparison(found: Any) -> None:
    """Raise unless this is a result of `compare` with standard errors of differences."""
    if not isinstance(found, pd.DataFrame):
        raise TypeError(
            "rows_needed takes what .ordinal.compare(...) returned, a DataFrame, not "
            f"{an(kind_of(found))}{': ' * bool(conversion_hint(found))}{conversion_hint(found)}"
        )
    refuse_lost_columns("found", found, "compare", USED)
    if "non_inferior" in found.columns:
        raise ValueError(
            'rows_needed plans tests of differences, not of non-inferiority: leave alternative="'
            'non-inferior" out of compare'
        )
    if "n_clusters" in found.columns and found["n_clusters"].isna().any():
        raise ValueError(
            "some rows of the comparison have clusters and others have none: plan each comparison "
            "by itself"
        )
    if (found["se"].isna() & found["p_value"].notna()).any():
        raise ValueError(
            'the comparison has no standard errors, as with method="permutation": leave it out of '
            "compare"
        )
