"""Options of calls: the columns of a query, uncertainty, agreement, calibration, comparisons.

A new option of a report or a metric begins here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from enum import Enum
from numbers import Real
from typing import Any, Literal, TypedDict

import numpy as np
import numpy.typing as npt

from pandas_ordinal.classes.bins import BinsLike
from pandas_ordinal.classes.gate import ClassesLike
from pandas_ordinal.counting.arrays import refuse_wrong_atol
from pandas_ordinal.errors import brief
from pandas_ordinal.metrics.agreement import Level, WeightsName


class Absent(Enum):
    """Mark an option that is not given. None cannot: a column may be labelled None."""

    ABSENT = 0


ABSENT = Absent.ABSENT


@dataclass(frozen=True, kw_only=True)
class Query:
    """The columns, arrays and options of a call, as given.

    For a frame these are column labels; for a Series or an array, other Series or arrays.

    To add an option to the accessors, add a field here; a parameter of each `confusion`, whose
    description all metrics show, and of each `report`; a parameter of the types in
    `accessors/typing.py`, which a test compares; and the code that uses it.

    Attributes
    ----------
    true, pred, score, proba
        The true classes; predicted classes, scores or class probabilities.
    by, dim
        The keys of groups, and the dimensions of an array to count over.
    sample_weight
        The weight of each row.
    classes, bins
        The classes from lowest to highest, and their edges.
    dropna : bool
        Whether to drop rows with missing values.
    ignore
        Labels to exclude: rows with one of them are dropped.
    atol : float or None
        By how much the probabilities of a row may differ from a sum of 1.
    groups
        The labels of keys, for Dask frames, whose labels are unknown before rows are read.
    count
        How many rows each row of a table of counts stands for.
    member_dim
        The dimension of the members of an ensemble, whose labels take the place of probabilities.
    fair : bool
        Whether to leave out what the limited number of members adds to a score.
    """

    true: Any = None
    pred: Any = ABSENT
    score: Any = ABSENT
    proba: Any = ABSENT
    by: Any = None
    dim: Any = None
    sample_weight: Any = None
    classes: ClassesLike | None = None
    bins: BinsLike | None = None
    dropna: bool = False
    ignore: Any = None
    atol: float | None = None
    groups: Any = None
    count: Any = None
    member_dim: Any = None
    fair: bool = False

    def __post_init__(self) -> None:
        """Raise for a tolerance that is none."""
        refuse_wrong_atol(self.atol)

    @property
    def given(self) -> list[str]:
        """The options that the call gives."""
        absent = (None, ABSENT, False, np.False_)
        options = [field.name for field in fields(self)]
        return [o for o in options if not any(getattr(self, o) is value for value in absent)]

    @property
    def scored(self) -> dict[str, Any]:
        """Those of pred, score and proba that are given."""
        options = {"pred": self.pred, "score": self.score, "proba": self.proba}
        scored = {option: value for option, value in options.items() if value is not ABSENT}
        if not scored:
            raise ValueError("there is nothing to score: give pred=, score= or proba=")
        return scored


def if_given(value: Any) -> Any:
    """Return the value of an optional parameter, or ABSENT for None."""
    return ABSENT if value is None else value


BOOTSTRAP = 'method="bootstrap"'

IntervalMethod = Literal["influence", "bootstrap"]


class UncertaintyOptions(TypedDict, total=False):
    """The options of `Uncertainty`, as keyword arguments of a report."""

    ci: float | None
    se: bool
    ranges: Mapping[str, tuple[float, float]] | None
    cluster: Any
    stratify: Literal["true", "pred"] | None
    stratum_shares: Any
    method: IntervalMethod
    n_boot: int
    seed: int
    progress: bool


@dataclass(frozen=True, kw_only=True)
class Uncertainty:
    """The intervals and standard errors that a report shows.

    The help of every `report` has these descriptions.

    Attributes
    ----------
    ci : float, optional
        The level of an interval of each metric, such as 0.95: adds ``<metric>_low`` and
        ``<metric>_high``. Metrics that have none, such as `rps_mcb`, are then not among "all".
    se : bool, default False
        Add the standard error of each metric, ``<metric>_se``.
    ranges : dict, optional
        The range of your own functions, ``{name: (lowest, highest)}``, which limits their
        intervals.
    cluster : optional
        Clusters of rows, such as patients. Default: rows are independent.
    stratify : {"true", "pred"}, optional
        The classes that rows were drawn by, if the design fixed how many rows each of them has:
        the true ones, or the predicted ones, as on a map.
    stratum_shares : dict or Series, optional
        The share of each predicted class in the population, such as its area on a map, ``{class:
        share}``; only their ratios matter. Metrics and intervals are then those of such a
        population. Default: the shares of the sample.
    method : {"influence", "bootstrap"}, default "influence"
        Compute intervals from what each row adds to a metric, or as percentiles over tables drawn
        at random. The bootstrap also adds ``<metric>_n_valid``, the number of tables with a value.
    n_boot : int, default 2000
        The number of tables that the bootstrap draws.
    seed : int, default 0
        The seed of the bootstrap.
    progress : bool, default False
        Show the progress of the bootstrap.
    """

    ci: float | None = None
    se: bool = False
    ranges: Mapping[str, tuple[float, float]] | None = None
    cluster: Any = None
    stratify: Literal["true", "pred"] | None = None
    stratum_shares: Any = None
    method: IntervalMethod = "influence"
    n_boot: int = 2000
    seed: int = 0
    progress: bool = False

    def __post_init__(self) -> None:
        """Raise for options that are out of range or cannot be combined."""
        if self.ci is not None:
            refuse_level(self.ci)
        alone = {
            "cluster": self.cluster, "stratify": self.stratify,
            "stratum_shares": self.stratum_shares, "ranges": self.ranges,
            "method": None if self.method == "influence" else self.method,
        }  # fmt: skip
        for option, given in alone.items():
            if given is not None and not self.is_requested:
                raise ValueError(
                    f"{option}= belongs to intervals and standard errors: add ci=0.95 or se=True"
                )
        if self.cluster is not None and self.without_clusters:
            raise ValueError(
                f"cluster= cannot be combined with {self.without_clusters}: give one of them"
            )
        if self.stratum_shares is not None:
            self._refuse_shares()
        refuse_other_than_integer("n_boot", self.n_boot, 2)
        refuse_other_than_integer("seed", self.seed, 0)
        if self.ranges is not None and not isinstance(self.ranges, Mapping):
            raise ValueError(
                f"ranges={brief(self.ranges)} must be a dict {{name: (lowest, highest)}}"
            )
        for name, limits in (self.ranges or {}).items():
            if not _are_limits(limits):
                raise ValueError(
                    f"ranges[{name!r}]={brief(limits)} must be a pair (lowest, highest)"
                )

    def _refuse_shares(self) -> None:
        """Raise for options that cannot be combined with shares of strata."""
        if self.stratify != "pred":
            raise ValueError(
                "stratum_shares= are those of predicted classes that rows were drawn by: add "
                'stratify="pred"'
            )
        if self.method == "bootstrap":
            raise ValueError(
                f"there are no intervals with both stratum_shares= and {BOOTSTRAP}: drop one"
            )

    def refuse_weights(self) -> None:
        """Raise for options that cannot be combined with weights."""
        if self.method == "bootstrap":
            raise ValueError(
                f"there are no intervals with both sample_weight= and {BOOTSTRAP}: drop one"
            )
        if self.stratum_shares is not None:
            raise ValueError(
                "both sample_weight= and stratum_shares= weigh the rows: drop one of them"
            )

    @property
    def without_clusters(self) -> str | None:
        """The option that excludes clusters, if it is given."""
        if self.stratify:
            return "stratify="
        return BOOTSTRAP if self.method == "bootstrap" else None

    @property
    def is_requested(self) -> bool:
        """Whether a report shows intervals or standard errors."""
        return self.ci is not None or self.se

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The suffixes of the columns that a report adds after each metric, in order."""
        bounds = ("low", "high") if self.ci is not None else ()
        valid = ("n_valid",) if self.method == "bootstrap" else ()
        return (*bounds, *(("se",) if self.se else ()), *valid) if self.is_requested else ()

    def columns_of(self, metrics: Iterable[str]) -> list[str]:
        """Return the names of the columns that a report has for metrics, bounds after each."""
        parts = ["", *(f"_{part}" for part in self.suffixes)]
        return [f"{metric}{part}" for metric in metrics for part in parts]


class AgreementOptions(TypedDict, total=False):
    """The options of `Agreement`, as keyword arguments of `agreement`."""

    metrics: list[str] | None
    weights: WeightsName | npt.ArrayLike
    level: Level
    ci: float | None
    se: bool
    cluster: Any


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """The coefficients of raters, with their intervals and standard errors.

    The help of every `agreement` has these descriptions and notes.

    Attributes
    ----------
    metrics : list of str, optional
        The coefficients: ``"fleiss_kappa"``, ``"conger_kappa"``, ``"gwet_ac"``,
        ``"brennan_prediger"`` and ``"krippendorff_alpha"``. Default: all of them.
    weights : str or array_like, shape (K, K), default "quadratic"
        The agreement that each pair of classes stands for, as in `kappa`, for all but alpha.
        "identity" counts only equal classes.
    level : {"nominal", "ordinal", "interval", "ratio"}, default "ordinal"
        The level of measurement of alpha.
    ci : float, optional
        The level of an interval of each coefficient, such as 0.95: adds ``<metric>_low`` and
        ``<metric>_high``.
    se : bool, default False
        Add the standard error of each coefficient, ``<metric>_se``.
    cluster : optional
        Clusters of items, such as patients. Default: items are independent.

    Notes
    -----
    A missing rating is not there, which needs no option. An item with a single rating counts in
    the shares of the classes that Fleiss', Conger's and Gwet's coefficients read, and nowhere
    else. An undefined coefficient is NaN, without a warning: if no item has two ratings, if chance
    alone gives full agreement, and for Conger's kappa if a rater has no rating.

    Intervals are about other items that the same raters rate. They leave out each item, or
    cluster, in turn, beside a pseudo-item on which half of the pairs of ratings agree; Student's t
    has the number of items with two ratings, or of such clusters, minus 1. A single one has no
    interval. All ratings of an item are in the same cluster.
    """

    metrics: list[str] | None = None
    weights: WeightsName | npt.ArrayLike = "quadratic"
    level: Level = "ordinal"
    ci: float | None = None
    se: bool = False
    cluster: Any = None

    def __post_init__(self) -> None:
        """Raise for options that are out of range or cannot be combined."""
        _ = self.uncertainty

    @property
    def uncertainty(self) -> Uncertainty:
        """The intervals and standard errors."""
        return Uncertainty(ci=self.ci, se=self.se, cluster=self.cluster)


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """The options of `calibration`, which describes them.

    Attributes
    ----------
    thresholds : bool
        Whether there is a row for each threshold.
    cluster : object
        The clusters of the rows; None if all are independent.
    n_draws : int
        The number of draws of true classes from the forecasts.
    seed : int
        The seed of the draws.
    """

    thresholds: bool
    cluster: Any
    n_draws: int
    seed: int

    def __post_init__(self) -> None:
        """Raise for options that are out of range."""
        refuse_wrong_draws(self.n_draws, self.seed)


@dataclass(frozen=True, kw_only=True)
class Reliability:
    """The options of `reliability_curve`, which describes them.

    Attributes
    ----------
    ci : float or None
        The level of the band; None for no band.
    n_draws : int
        The number of draws of true classes from the forecasts.
    seed : int
        The seed of the draws.
    progress : bool
        Whether to show the progress.
    """

    ci: float | None
    n_draws: int
    seed: int
    progress: bool = False

    def __post_init__(self) -> None:
        """Raise for options that are out of range."""
        if self.ci is not None:
            refuse_level(self.ci)
        refuse_wrong_draws(self.n_draws, self.seed)


def refuse_wrong_draws(n_draws: Any, seed: Any) -> None:
    """Raise for a number of draws, or a seed, that is out of range."""
    refuse_other_than_integer("n_draws", n_draws, 1, MOST_DRAWS)
    refuse_other_than_integer("seed", seed, 0)


TestMethod = Literal["influence", "permutation"]
Alternative = Literal["two-sided", "better", "non-inferior"]
Adjustment = Literal["holm", "max-t"]
MarginLike = float | Mapping[str, float]


class ComparisonOptions(TypedDict, total=False):
    """The options of `Comparison`, as keyword arguments of `compare`."""

    ci: float
    cluster: Any
    reference: Any
    alternative: Alternative
    margin: MarginLike | None
    adjust: Adjustment
    method: TestMethod
    n_permutations: int
    seed: int
    progress: bool


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """How models are compared.

    The help of every `compare` has these descriptions.

    Attributes
    ----------
    ci : float, default 0.95
        The level of the intervals. A difference is significant if ``p_adjusted`` is at most
        ``1 - ci``.
    cluster : optional
        Clusters of rows, such as patients. Default: rows are independent.
    reference : label, optional
        The model to compare all others with. Default: all pairs of models are compared.
    alternative : {"two-sided", "better", "non-inferior"}, default "two-sided"
        What p-values and intervals are about: whether a and b differ; whether a is better than b;
        or whether a is not worse than b by `margin` or more. With the last two, intervals have a
        single bound, and `reference` is b.
    margin : float or dict, optional
        The smallest difference that matters, in the unit of the metric, such as 0.02; or a dict
        ``{metric: margin}``. Adds ``p_equivalent``, which is small if the true difference is
        smaller than the margin.
    adjust : {"holm", "max-t"}, default "holm"
        Adjust p-values for the number of pairs by Holm's method, or by the largest t of all pairs,
        which makes the intervals simultaneous too.
    method : {"influence", "permutation"}, default "influence"
        Compute p-values from what each row adds to a metric, or by swapping the predictions of
        two models at random, for rows or whole clusters.
    n_permutations : int, default 9999
        The number of permutations.
    seed : int, default 0
        The seed of the permutations.
    progress : bool, default False
        Show the progress of the permutations.
    """

    ci: float = 0.95
    cluster: Any = None
    reference: Any = None
    alternative: Alternative = "two-sided"
    margin: MarginLike | None = None
    adjust: Adjustment = "holm"
    method: TestMethod = "influence"
    n_permutations: int = 9999
    seed: int = 0
    progress: bool = False

    def __post_init__(self) -> None:
        """Raise for options that are out of range or cannot be combined."""
        refuse_level(self.ci)
        refuse_other_than_integer("n_permutations", self.n_permutations, 1)
        refuse_other_than_integer("seed", self.seed, 0)
        if self.margin is not None:
            _refuse_margin(self.margin)
        if self.alternative == "non-inferior" and self.margin is None:
            raise ValueError(
                'alternative="non-inferior" needs the largest loss that does not matter: give '
                "margin=0.02, in the unit of the metric"
            )
        if self.alternative == "better" and self.margin is not None:
            raise ValueError(
                'alternative="better" has no margin=: leave margin= out, or ask for '
                'alternative="non-inferior"'
            )
        if self.method == "permutation":
            alone = {"margin=": self.margin is not None, 'adjust="max-t"': self.adjust == "max-t"}
            for option, given in alone.items():
                if given:
                    raise ValueError(
                        f'method="permutation" cannot be combined with {option}, which needs '
                        "standard errors: drop one of them"
                    )

    def refuse_weights(self) -> None:
        """Raise for options that cannot be combined with weights."""
        if self.method == "permutation":
            raise ValueError(
                "rows of different weights cannot be swapped: drop sample_weight= or "
                'method="permutation"'
            )

    @property
    def is_one_sided(self) -> bool:
        """Whether intervals have a single bound."""
        return self.alternative != "two-sided"

    def margin_of(self, metric: str) -> float:
        """Return the margin of a metric, NaN if it has none."""
        if isinstance(self.margin, Mapping):
            return float(self.margin.get(metric, math.nan))
        return math.nan if self.margin is None else float(self.margin)


def refuse_level(ci: Any) -> None:
    """Raise unless this is a level of intervals."""
    if not _is_number(ci) or not 0 < ci < 1:
        raise ValueError(f"ci={brief(ci)} must be a level between 0 and 1, such as ci=0.95")


def _refuse_margin(margin: Any) -> None:
    """Raise unless this is a positive number, or a dict of some."""
    margins = margin if isinstance(margin, Mapping) else {None: margin}
    for metric, one in margins.items():
        if not _is_number(one) or not 0 < one < math.inf:
            name = "margin" if metric is None else f"margin[{metric!r}]"
            raise ValueError(
                f"{name}={brief(one)} must be a positive number, in the unit of the metric, or a "
                "dict from metrics to such numbers"
            )


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def _are_limits(limits: Any) -> bool:
    """Return whether this is a pair of numbers, the lower one first."""
    is_pair = len(limits) == 2 if isinstance(limits, (tuple, list)) else np.shape(limits) == (2,)
    return is_pair and all(isinstance(one, Real) for one in limits) and limits[0] < limits[1]


def refuse_other_than_integer(option: str, value: Any, least: int, most: float = np.inf) -> None:
    """Raise unless an option is an integer in a range."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or value < least:
        raise ValueError(f"{option}={brief(value)} must be an integer of at least {least}")
    if value > most:
        raise ValueError(f"{option}={brief(value)} must be at most {most:,}")


SUFFIXES = ("low", "high", "se", "n_valid")
MOST_DRAWS = 10_000  # of true classes from forecasts; their means no longer change
# The columns of a report that hold no metric
SIZES = {"n": "rows", "n_clusters": "clusters", "n_classes": "classes that occur"}
