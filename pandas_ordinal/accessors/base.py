"""How a kernel becomes a method of every surface: written once, by one line in `Ordinal`."""

from __future__ import annotations

import inspect
import os
import re
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Concatenate,
    Generic,
    ParamSpec,
    TypeAlias,
    TypeVar,
    cast,
    overload,
)

import numpy.typing as npt
import pandas as pd
import xarray as xr

from pandas_ordinal import metrics
from pandas_ordinal.errors import UndefinedMetricWarning
from pandas_ordinal.metrics.kernel import Kernel
from pandas_ordinal.metrics.metric import Metric, Needs, Values, registry
from pandas_ordinal.metrics.probability import ProbabilityKernel
from pandas_ordinal.metrics.scores import ScoreKernel

if TYPE_CHECKING:
    from pandas_ordinal.accessors.array import ArrayOrdinal
    from pandas_ordinal.accessors.dataset import DatasetOrdinal
    from pandas_ordinal.accessors.frame import FrameOrdinal
    from pandas_ordinal.accessors.groupby import GroupByOrdinal
    from pandas_ordinal.accessors.methods import (
        ArrayMethod,
        ArrayProbaMethod,
        ArrayScoreMethod,
        DatasetMethod,
        DatasetProbaMethod,
        DatasetScoreMethod,
        FrameMethod,
        FrameProbaMethod,
        FrameScoreMethod,
        GroupByMethod,
        GroupByProbaMethod,
        GroupByScoreMethod,
        SeriesMethod,
        SeriesProbaMethod,
        SeriesScoreMethod,
    )
    from pandas_ordinal.accessors.series import SeriesOrdinal

P = ParamSpec("P")
One = TypeVar("One")
Many = TypeVar("Many")

BinsKernel: TypeAlias = Callable[Concatenate[npt.ArrayLike, npt.ArrayLike, P], Values]

HOOKS: dict[Needs, str] = {
    "counts": "_score",
    "edges": "_score",
    "scores": "_score_ranking",
    "probabilities": "_score_forecast",
}
# Arrays of a kernel that a surface finds itself
FOUND = {"counts", "edges", "true", "score", "n_classes", "proba", "sample_weight"}

MISSING = """MissingValueError
    If a label, a score, a probability or a key is missing, and dropna does not say otherwise.
"""
RAISES: dict[Needs, str] = {
    "scores": f"""Raises
------
ClassOrderError
    If the true labels declare no order of the classes, or the scores are no numbers.
{MISSING}ValueError
    If an option is none that there is.

""",
    "probabilities": f"""Raises
------
ClassOrderError
    If the true labels declare no order of the classes.
UnknownClassError
    If there is not one column of probabilities for each class.
{MISSING}ValueError
    If probabilities are negative or do not sum to 1 within 1e-6.

""",
}

PACKAGE = str(Path(__file__).parents[1]) + os.sep
SHOWN = 8

PARAMETERS = {
    "true": """true : label
    The column that holds the true classes.""",
    "pred": """pred : label or list of labels
    The column that holds the predicted classes; a list of columns is scored column by column.""",
    "score": """score : label or list of labels
    The column that holds the scores, higher for higher classes; a list of columns is scored column
    by column.""",
    "proba": """proba : list of labels or dict
    The columns that hold the probabilities of the classes: named as the classes, in any order, or
    a dict {class: column}.""",
    "other": """other : label
    The column that holds the other score.""",
    "by": """by : label or list of labels, optional
    Columns or index levels that say which rows are scored together.""",
    "dim": """dim : name or list of names, optional
    The dimensions to count over. Default: all dimensions of the true labels.""",
    "sample_weight": """sample_weight : label, optional
    The column that holds the weight of each row: finite and not negative.""",
    "classes": """classes : sequence, optional
    The classes from lowest to highest. Default: those that the labels declare.""",
    "bins": """bins : sequence, optional
    The edges of the classes, one more than there are classes, or an IntervalIndex: each class
    becomes the bin at its place. Not needed where the classes are bins.""",
    "dropna": """dropna : bool, default False
    Leave out rows with a missing label, score, probability or key: they are an error
    otherwise.""",
}


class Lifted(Generic[One, Many]):
    """A kernel that waits to become a method, with the type that it will have on each surface."""

    def __get__(self, obj: Any, owner: type[Ordinal]) -> Any:
        """Put a function with its full signature and docstring in this place, and return it."""
        if obj is None and owner is Ordinal:
            return self
        metric = registry[self.name]
        surface = next(kind for kind in owner.__mro__ if HOOKS[metric.needs] in vars(kind))
        method = _method(surface, metric)
        setattr(surface, self.name, method)
        return method if obj is None else method.__get__(obj, owner)

    def __set_name__(self, owner: type[Ordinal], name: str) -> None:
        """Remember the name."""
        self.name = name


class OfCounts(Lifted[One, Many], Generic[P, One, Many]):
    """A lifted kernel of confusion matrices."""

    def __init__(self, kernel: Kernel[P]) -> None:
        self.kernel = kernel

    if TYPE_CHECKING:
        # ruff: noqa: D105

        @overload
        def __get__(self, obj: FrameOrdinal, owner: type) -> FrameMethod[P, One, Many]: ...
        @overload
        def __get__(self, obj: SeriesOrdinal, owner: type) -> SeriesMethod[P, One]: ...
        @overload
        def __get__(self, obj: GroupByOrdinal, owner: type) -> GroupByMethod[P, Many]: ...
        @overload
        def __get__(self, obj: ArrayOrdinal, owner: type) -> ArrayMethod[P]: ...
        @overload
        def __get__(self, obj: DatasetOrdinal, owner: type) -> DatasetMethod[P]: ...
        def __get__(self, obj: Any, owner: type) -> Any: ...


class OfScores(Lifted[One, Many], Generic[P, One, Many]):
    """A lifted kernel of scores."""

    def __init__(self, kernel: ScoreKernel[P]) -> None:
        self.kernel = kernel

    if TYPE_CHECKING:

        @overload
        def __get__(self, obj: FrameOrdinal, owner: type) -> FrameScoreMethod[P, One, Many]: ...
        @overload
        def __get__(self, obj: SeriesOrdinal, owner: type) -> SeriesScoreMethod[P, One]: ...
        @overload
        def __get__(self, obj: GroupByOrdinal, owner: type) -> GroupByScoreMethod[P, Many]: ...
        @overload
        def __get__(self, obj: ArrayOrdinal, owner: type) -> ArrayScoreMethod[P]: ...
        @overload
        def __get__(self, obj: DatasetOrdinal, owner: type) -> DatasetScoreMethod[P]: ...
        def __get__(self, obj: Any, owner: type) -> Any: ...


class OfProbabilities(Lifted[One, Many], Generic[P, One, Many]):
    """A lifted kernel of class probabilities."""

    def __init__(self, kernel: ProbabilityKernel[P]) -> None:
        self.kernel = kernel

    if TYPE_CHECKING:

        @overload
        def __get__(self, obj: FrameOrdinal, owner: type) -> FrameProbaMethod[P, One, Many]: ...
        @overload
        def __get__(self, obj: SeriesOrdinal, owner: type) -> SeriesProbaMethod[P, One]: ...
        @overload
        def __get__(self, obj: GroupByOrdinal, owner: type) -> GroupByProbaMethod[P, Many]: ...
        @overload
        def __get__(self, obj: ArrayOrdinal, owner: type) -> ArrayProbaMethod[P]: ...
        @overload
        def __get__(self, obj: DatasetOrdinal, owner: type) -> DatasetProbaMethod[P]: ...
        def __get__(self, obj: Any, owner: type) -> Any: ...


def with_edges(kernel: BinsKernel[P]) -> Kernel[P]:
    """Tell the checkers that surfaces find the edges which a kernel needs."""
    return cast("Kernel[P]", kernel)


def lift(kernel: Kernel[P]) -> OfCounts[P, float, pd.Series[float]]:
    """Lift a kernel that gives one number a matrix."""
    return OfCounts(kernel)


def lift_vector(kernel: Kernel[P]) -> OfCounts[P, pd.Series[float], pd.Series[float]]:
    """Lift a kernel that gives a number for each true class."""
    return OfCounts(kernel)


def lift_matrix(kernel: Kernel[P]) -> OfCounts[P, xr.DataArray, xr.DataArray]:
    """Lift a kernel that gives a number for each pair of classes."""
    return OfCounts(kernel)


def lift_scores(kernel: ScoreKernel[P]) -> OfScores[P, float, pd.Series[float]]:
    """Lift a kernel that gives one number a score."""
    return OfScores(kernel)


def lift_scores_vector(
    kernel: ScoreKernel[P],
) -> OfScores[P, pd.Series[float], pd.Series[float]]:
    """Lift a kernel that gives a number for each true class and score."""
    return OfScores(kernel)


def lift_scores_matrix(kernel: ScoreKernel[P]) -> OfScores[P, xr.DataArray, xr.DataArray]:
    """Lift a kernel that gives a number for each pair of classes and score."""
    return OfScores(kernel)


def lift_probabilities(
    kernel: ProbabilityKernel[P],
) -> OfProbabilities[P, float, pd.Series[float]]:
    """Lift a kernel of class probabilities."""
    return OfProbabilities(kernel)


class Ordinal:
    """The metrics, as every `.ordinal` accessor has them.

    A surface says in `_score` how it finds its counts and how it wraps a result; the parameters of
    `_score` come before the options of the kernel in each of its methods.
    """

    _returns: ClassVar[tuple[str, str, str]]
    _parameters: ClassVar[dict[str, str]] = PARAMETERS
    _hint: ClassVar[str] = ""

    accuracy = lift(metrics.accuracy)
    accuracy_pearson = lift(metrics.accuracy_pearson)
    accuracy_within = lift(metrics.accuracy_within)
    amae = lift(metrics.amae)
    auoc = lift(metrics.auoc)
    bias = lift(metrics.bias)
    brennan_prediger = lift(metrics.brennan_prediger)
    brier = lift_probabilities(metrics.brier)
    cem = lift(metrics.cem)
    class_mae = lift_vector(metrics.class_mae)
    class_recall = lift_vector(metrics.class_recall)
    consecutive_auc = lift_scores_vector(metrics.consecutive_auc)
    cost_matrix = lift_matrix(metrics.cost_matrix)
    error_rate = lift(metrics.error_rate)
    expected_cost = lift(metrics.expected_cost)
    geometric_mean = lift(metrics.geometric_mean)
    goodman_kruskal_gamma = lift(metrics.goodman_kruskal_gamma)
    gwet_ac = lift(metrics.gwet_ac)
    interval_cost_matrix = lift_matrix(with_edges(metrics.interval_cost_matrix))
    interval_lengths = lift_vector(with_edges(metrics.interval_lengths))
    interval_mae = lift(with_edges(metrics.interval_mae))
    interval_smae = lift(with_edges(metrics.interval_smae))
    interval_stc = lift(with_edges(metrics.interval_stc))
    interval_total_cost = lift(with_edges(metrics.interval_total_cost))
    kappa = lift(metrics.kappa)
    kendall_tau = lift(metrics.kendall_tau)
    krippendorff_alpha = lift(metrics.krippendorff_alpha)
    log_loss = lift_probabilities(metrics.log_loss)
    mae = lift(metrics.mae)
    max_interval_total_cost = lift(with_edges(metrics.max_interval_total_cost))
    max_total_cost = lift(metrics.max_total_cost)
    min_mae = lift(metrics.min_mae)
    min_sensitivity = lift(metrics.min_sensitivity)
    mmae = lift(metrics.mmae)
    mse = lift(metrics.mse)
    ndpm = lift(metrics.ndpm)
    oci = lift(metrics.oci)
    oci_general = lift(metrics.oci_general)
    oci_path = lift_matrix(metrics.oci_path)
    pairwise_auc = lift_scores_matrix(metrics.pairwise_auc)
    pearson = lift(metrics.pearson)
    r_int = lift(metrics.r_int)
    rmse = lift(metrics.rmse)
    rps = lift_probabilities(metrics.rps)
    scott_pi = lift(metrics.scott_pi)
    somers_d = lift(metrics.somers_d)
    spearman = lift(metrics.spearman)
    stc = lift(metrics.stc)
    total_cost = lift(metrics.total_cost)
    u_cons = lift_scores(metrics.u_cons)
    u_ovo = lift_scores(metrics.u_ovo)
    u_pairs = lift_scores(metrics.u_pairs)
    uoc = lift(metrics.uoc)
    vus = lift_scores(metrics.vus)
    vus_cov = lift_scores(metrics.vus_cov)
    vus_se = lift_scores(metrics.vus_se)


def _method(surface: type[Ordinal], metric: Metric) -> Callable[..., Any]:
    """Write the method that scores a surface by a metric."""
    hook = HOOKS[metric.needs]
    options = [
        parameter
        for parameter in inspect.signature(metric.kernel).parameters.values()
        if parameter.kind is parameter.KEYWORD_ONLY and parameter.name not in FOUND
    ]
    own, _, _, *parameters = inspect.signature(getattr(surface, hook)).parameters.values()
    own = own.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD)
    signature = inspect.Signature([own, *parameters, *options])
    names = {option.name for option in options}

    def method(*args: Any, **kwargs: Any) -> Any:
        try:
            bound = signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            raise TypeError(f"{method.__qualname__}(): {error}{surface._hint}") from None
        self: Ordinal = bound.pop("self")
        chosen = {name: bound.pop(name) for name in names & bound.keys()}
        return getattr(self, hook)(metric, chosen, **bound)

    method.__name__ = metric.name
    method.__qualname__ = f"{surface.__qualname__}.{metric.name}"
    method.__module__ = surface.__module__
    method.__signature__ = signature  # type: ignore[attr-defined]
    documented = [surface._parameters[parameter.name] for parameter in parameters]
    method.__doc__ = _docstring(surface, metric, documented)
    return method


def _docstring(surface: type[Ordinal], metric: Metric, parameters: Sequence[str]) -> str:
    """Put a surface's own parameters and result in the place of the kernel's arrays."""
    text = inspect.cleandoc(metric.kernel.__doc__ or "")
    heading = "Parameters\n----------\n"
    before, _, rest = text.partition(heading)
    described, _, after = rest.partition("\n\nReturns\n-------\n")
    options = [
        surface._parameters.get(option.split(" :")[0], option)
        for option in re.split(r"\n(?=\S)", described)
        if option.split(" :")[0] not in FOUND
    ]
    _, _, after = after.partition("\n")
    if metric.needs in RAISES:
        raised = r"(?s)Raises\n------\n.*?\n\n(?=\w+\n-)"
        after = re.sub(raised, lambda _: RAISES[metric.needs], after, count=1)
    returns = surface._returns[len(metric.output)]
    own = "\n".join([*parameters, *options])
    return f"{before}{heading}{own}\n\nReturns\n-------\n{returns}\n{after}"


def warn_undefined(name: str, groups: Sequence[str]) -> None:
    """Warn once of the groups that hold rows and still have no value."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_code.co_filename.startswith(PACKAGE):
        level, frame = level + 1, frame.f_back
    shown = ", ".join(groups[:SHOWN]) + (
        f" and {len(groups) - SHOWN} more" * (len(groups) > SHOWN)
    )
    warnings.warn(
        f"{name} is undefined for {shown or 'these rows'}: NaN",
        UndefinedMetricWarning,
        stacklevel=level,
    )
