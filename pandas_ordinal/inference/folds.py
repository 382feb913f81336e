"""Tests over folds and over data sets, with one value per model and fold or data set."""

from __future__ import annotations

import html
import itertools
import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from pandas_ordinal.counting.arrays import Floats
from pandas_ordinal.errors import an, brief, warn_undefined
from pandas_ordinal.hints import explains_arguments
from pandas_ordinal.inference.adjust import holm
from pandas_ordinal.inference.influence import ROUNDING_ERROR
from pandas_ordinal.inference.pairs import SMALLEST, better_of, refuse_neither
from pandas_ordinal.metrics.stack import plain_array, real

Posthoc = Literal["nemenyi", "holm"]


@explains_arguments
def corrected_t_test(
    differences: npt.ArrayLike, *, test_train_ratio: float, rope: float | None = None
) -> pd.Series[float]:
    """Test whether two models differ, given their differences in folds or repeated splits.

    Folds share training rows, so their differences vary less than those of new data would. A plain
    t test therefore finds too many differences. With `rope`, the probabilities that the models are
    practically equivalent, and that one is better, are added.

    Parameters
    ----------
    differences : array_like
        The value of one model minus that of the other, one number per fold.
    test_train_ratio : float
        The number of test rows of a fold, divided by its number of training rows: 0.25 for five
        folds.
    rope : float, optional
        The region of practical equivalence: the largest difference that does not matter, such as
        0.01. With 0, the probabilities are those of a difference below and above 0.

    Returns
    -------
    Series
        ``difference``, the mean; ``se``, its standard error; ``statistic``, t; ``df``, its degrees
        of freedom; and ``p_value``, two-sided. With `rope` also ``prob_below``,
        ``prob_equivalent`` and ``prob_above``, the probabilities that the true difference is below
        ``-rope``, between ``-rope`` and ``rope``, and above ``rope``. They add up to 1. Where all
        differences are equal, ``statistic``, ``p_value`` and these are NaN, with an
        `UndefinedMetricWarning`.

    Raises
    ------
    ValueError
        If there are fewer than two differences, one is missing, the ratio is not positive, or
        `rope` is negative.

    Notes
    -----
    ``t = mean / sqrt((1 / n + ratio) * variance)`` with n - 1 degrees of freedom. The
    probabilities are those of the posterior distribution of the difference, given a prior that
    favours no value: Student's t with n - 1 degrees of freedom, moved to the mean and scaled by
    the standard error. A high ``prob_above`` speaks for the first model if high values of the
    metric are good.

    References
    ----------
    C. Nadeau and Y. Bengio, Inference for the generalization error, Machine Learning 52 (2003)
    239-281, doi:10.1023/A:1024068626366.

    A. Benavoli, G. Corani, J. Demsar and M. Zaffalon, Time for a change: a tutorial for comparing
    multiple classifiers through Bayesian analysis, JMLR 18 (2017) 1-36.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> po.corrected_t_test([0.10, 0.20, 0.15, 0.05, 0.10], test_train_ratio=0.25).round(4)
    difference    0.1200
    se            0.0382
    statistic     3.1379
    df            4.0000
    p_value       0.0349
    dtype: float64
    >>> folds = [0.02, 0.05, 0.01, -0.01, 0.03]
    >>> po.corrected_t_test(folds, test_train_ratio=0.25, rope=0.01)[5:].round(3)
    prob_below         0.058
    prob_equivalent    0.213
    prob_above         0.729
    dtype: float64
    """
    from scipy.special import stdtr

    given = plain_array("differences", differences)
    if given.dtype.kind not in "iuf":
        raise ValueError(
            f"differences={brief(differences)} must be numbers, not {given.dtype}: convert them, "
            "as with .astype(float)"
        )
    values = given.astype(float)
    ratio = real("test_train_ratio", test_train_ratio)
    if values.ndim != 1 or len(values) < 2 or not np.isfinite(values).all():
        raise ValueError(
            f"differences={brief(differences)} must be two or more finite numbers, one per fold: "
            "leave out folds in which a metric is undefined"
        )
    if not 0 < ratio < np.inf:
        raise ValueError(
            f"test_train_ratio={brief(test_train_ratio)} must be positive: the test rows of a "
            "fold divided by its training rows, such as 1 / 4 for five folds"
        )
    limit = None if rope is None else real("rope", rope)
    if limit is not None and not 0 <= limit < np.inf:
        raise ValueError(
            f"rope={brief(rope)} must not be negative: it is the largest difference that does not "
            "matter, such as rope=0.01"
        )
    n, largest = len(values), np.abs(values).max()
    unit = values / largest if largest else values  # squares of these are neither 0 nor infinite
    mean, se = unit.mean(), np.sqrt((1 / n + ratio) * unit.var(ddof=1))
    statistic = p = below = above = np.nan
    differ = np.ptp(unit) > ROUNDING_ERROR
    if differ:
        statistic = mean / se
        p = max(2 * stdtr(n - 1, -abs(statistic)), SMALLEST)
    else:
        warn_undefined("corrected_t_test, of differences that are all equal,", [])
    with np.errstate(over="ignore"):
        result = {"difference": mean * largest, "se": se * largest}
        result |= {"statistic": statistic, "df": n - 1, "p_value": p}
        if limit is not None and differ:
            edge = limit / largest
            below, above = stdtr(n - 1, np.array([-edge - mean, mean - edge]) / se)
    if limit is not None:
        result |= {
            "prob_below": below,
            "prob_equivalent": np.maximum(1 - below - above, 0),
            "prob_above": above,
        }
    return pd.Series(result, dtype=float)


@dataclass(frozen=True)
class Friedman:
    """The result of Friedman's test of several models.

    Attributes
    ----------
    statistic, p_value : float
        Chi-squared, corrected for ties, and the probability of one as large for equal models.
    df : int
        Its degrees of freedom.
    f_statistic, f_p_value : float
        F of Iman and Davenport, and the probability of one as large for equal models. Chi-squared
        finds too few differences, above all on few data sets.
    f_df : tuple of int
        Its two degrees of freedom.
    kendall_w : float
        Kendall's coefficient of concordance, W: 1 if all data sets rank the models alike, 0 if the
        mean ranks are equal.
    ranks : Series
        The mean rank of each model; the best is 1.
    pairs : DataFrame
        A row for each pair of models, a and b: their mean ranks, the ``difference``,
        ``p_adjusted`` and ``better``, the better model, or "neither" where ``p_adjusted`` is
        above `alpha`.
    critical_difference : float
        The difference of mean ranks from which two models differ, by Nemenyi's test. NaN with
        ``posthoc="holm"``.

    Examples
    --------
    >>> import pandas as pd
    >>> import pandas_ordinal as po
    >>> errors = pd.DataFrame(
    ...     {"svm": [0.4, 0.5, 0.3], "forest": [0.3, 0.4, 0.2], "logit": [0.5, 0.6, 0.4]}
    ... )
    >>> found = po.friedman(errors, greater_is_better=False)
    >>> found.ranks.to_dict()
    {'svm': 2.0, 'forest': 1.0, 'logit': 3.0}
    """

    statistic: float
    p_value: float
    df: int
    f_statistic: float
    f_p_value: float
    f_df: tuple[int, int]
    kendall_w: float
    ranks: pd.Series[float]
    pairs: pd.DataFrame
    critical_difference: float

    def __repr__(self) -> str:
        """Return a line of text."""
        parts = [
            f"chi-squared {self.statistic:.2f}, df {self.df}, p {self.p_value:.3g}",
            f"F {self.f_statistic:.2f}, df {self.f_df[0]} and {self.f_df[1]}, "
            f"p {self.f_p_value:.3g}",
            f"Kendall's W {self.kendall_w:.2f}",
            "mean ranks " + ", ".join(f"{m} {rank:.2f}" for m, rank in self.ranks.items()),
        ]
        if np.isfinite(self.critical_difference):
            parts.append(f"critical difference {self.critical_difference:.2f}")
        return f"Friedman: {'; '.join(parts)}"

    def _repr_html_(self) -> str:
        """Return a table for a notebook."""
        return f"<p>{html.escape(repr(self))}</p>{self.pairs.round(3).to_html(notebook=True)}"


@explains_arguments
def friedman(
    table: pd.DataFrame,
    *,
    greater_is_better: bool,
    posthoc: Posthoc = "nemenyi",
    alpha: float = 0.05,
) -> Friedman:
    """Test whether several models differ over data sets by their ranks, and which of them do.

    Parameters
    ----------
    table : DataFrame
        A row for each data set, a column for each model.
    greater_is_better : bool
        Whether high values are good: ``po.metrics.registry[name].greater_is_better`` for a metric.
    posthoc : {"nemenyi", "holm"}, default "nemenyi"
        How pairs are compared: by a critical difference of mean ranks, or by p-values of the
        normal distribution, adjusted by Holm's method.
    alpha : float, default 0.05
        The level of the tests.

    Returns
    -------
    Friedman
        The results, as described in the help of `po.Friedman`.

    Raises
    ------
    ValueError
        If there are fewer than three models or two data sets, a value is missing, or a model is
        called "neither".

    Notes
    -----
    Equal values share their mean rank. The critical difference for k models and n data sets is ``q
    * sqrt(k * (k + 1) / (6 * n))``, where q is the quantile of the studentized range divided by
    the square root of 2. The test treats data sets as independent, which folds of one data set are
    not.

    Kendall's W is ``chi2 / (n * (k - 1))``. F is ``(n - 1) * chi2 / (n * (k - 1) - chi2)``, with
    ``k - 1`` and ``(k - 1) * (n - 1)`` degrees of freedom, and infinite if all data sets rank the
    models alike. Equal models do this with a probability of ``(k!) ** (1 - n)``, and no p-value of
    F is lower.

    References
    ----------
    J. Demsar, Statistical comparisons of classifiers over multiple data sets, JMLR 7 (2006) 1-30.

    R. Iman and J. Davenport, Approximations of the critical region of the Friedman statistic,
    Communications in Statistics 9 (1980) 571-595, doi:10.1080/03610928008827904.

    M. Kendall and B. Babington Smith, The problem of m rankings, Annals of Mathematical Statistics
    10 (1939) 275-287, doi:10.1214/aoms/1177732186.

    Examples
    --------
    >>> import pandas as pd
    >>> import pandas_ordinal as po
    >>> mae = pd.DataFrame({
    ...     "forest": [0.4, 0.3, 0.5, 0.2],
    ...     "logit": [0.5, 0.4, 0.6, 0.3],
    ...     "svm": [0.6, 0.5, 0.7, 0.5],
    ... })
    >>> found = po.friedman(mae, greater_is_better=False)
    >>> round(found.statistic, 3), round(found.p_value, 4), round(found.critical_difference, 3)
    (8.0, 0.0183, 1.657)
    >>> found.f_statistic, found.kendall_w
    (inf, 1.0)
    >>> found.pairs.round(4)
                  rank_a  rank_b  difference  p_adjusted   better
    a      b
    forest logit     1.0     2.0        -1.0      0.3335  neither
           svm       1.0     3.0        -2.0      0.0130   forest
    logit  svm       2.0     3.0        -1.0      0.3335  neither
    """
    from scipy.special import chdtrc, fdtrc

    values = _values_of(table)
    if not 0 < real("alpha", alpha) < 1:
        raise ValueError(f"alpha={brief(alpha)} must be a level between 0 and 1, such as 0.05")
    n, k = values.shape
    ranks = pd.DataFrame(values).rank(axis=1, ascending=not greater_is_better).to_numpy()
    means, spread = ranks.mean(axis=0), ((ranks - (k + 1) / 2) ** 2).sum()
    between = n**2 * (k - 1) * ((means - (k + 1) / 2) ** 2).sum()
    statistic = float(between / spread) if spread else 0.0
    f_df = k - 1, (k - 1) * (n - 1)
    concordance = statistic / (n * (k - 1))
    alike = math.isclose(concordance, 1)
    f = math.inf if alike else (n - 1) * concordance / (1 - concordance)
    rarest = math.exp((1 - n) * math.lgamma(k + 1))
    first, second = np.array(list(itertools.combinations(range(k), 2))).T
    difference = means[first] - means[second]
    p, critical = _by_pair(difference, n, k, posthoc, alpha)
    best = np.where(difference < 0, first, second)
    models = pd.Index(list(table.columns), tupleize_cols=False, name=table.columns.name)
    labels = [models.take(place) for place in (first, second)]
    pairs = pd.DataFrame(
        {
            "rank_a": means[first],
            "rank_b": means[second],
            "difference": difference,
            "p_adjusted": p,
            "better": better_of(models, np.where(p <= alpha, best, k)),
        },
        pd.MultiIndex.from_arrays(labels, names=["a", "b"]),
    )
    return Friedman(
        statistic=statistic,
        p_value=max(float(chdtrc(k - 1, statistic)), SMALLEST),
        df=k - 1,
        f_statistic=f,
        f_p_value=max(float(fdtrc(*f_df, f)), rarest, SMALLEST),
        f_df=f_df,
        kendall_w=1.0 if alike else concordance,
        ranks=pd.Series(means, models, name="rank"),
        pairs=pairs,
        critical_difference=critical,
    )


def _values_of(table: Any) -> Floats:
    """Return the values of a table with a column for each model."""
    if not isinstance(table, pd.DataFrame):
        raise TypeError(
            f"table must be a DataFrame with a row for each data set and a column for each model, "
            f"not {an(type(table).__name__)}: give pd.DataFrame(...)"
        )
    if not table.columns.is_unique:
        name = table.columns[table.columns.duplicated()][0]
        raise ValueError(f"table has several columns {name!r}: give each model its own name")
    refuse_neither(table.columns)
    for label, column in table.items():
        if column.dtype.kind not in "biuf":
            raise ValueError(
                f"column {label!r} of table holds {column.dtype}, not numbers: convert it, as "
                "with .astype(float)"
            )
    values = table.to_numpy(dtype=float)
    n, k = values.shape
    if k < 3 or n < 2:
        raise ValueError(
            f"friedman compares three or more models on two or more data sets, not {k} on {n}: "
            "for two models, call .ordinal.compare or po.corrected_t_test"
        )
    missing = np.asarray(np.isnan(values).any(axis=1))
    if missing.any():
        n_missing = int(missing.sum())
        rows = "1 row" if n_missing == 1 else f"{n_missing} rows, such as"
        raise ValueError(
            f"a value is missing in {rows} {table.index[missing][0]!r}: leave out such data sets "
            "with .dropna()"
        )
    return values


@np.errstate(all="ignore")  # of SciPy, where p-values are close to 0
def _by_pair(
    difference: Floats, n: int, k: int, posthoc: Posthoc, alpha: float
) -> tuple[Floats, float]:
    """Return adjusted p-values of differences of mean ranks, and the critical difference."""
    scale = np.sqrt(k * (k + 1) / (6 * n))
    size = np.abs(difference) / scale
    if posthoc == "holm":
        from scipy.special import ndtr

        return holm(np.maximum(2 * ndtr(-size), SMALLEST)), np.nan
    from scipy.stats import studentized_range

    p = studentized_range.sf(size * np.sqrt(2), k, np.inf)
    critical = studentized_range.ppf(1 - alpha, k, np.inf) / np.sqrt(2) * scale
    return np.maximum(p, SMALLEST), float(critical)
