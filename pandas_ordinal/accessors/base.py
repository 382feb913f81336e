"""How a kernel becomes a method of every surface: written once, by one line in `Ordinal`."""

from __future__ import annotations

import inspect
import os
import re
import sys
import warnings
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Concatenate,
    Generic,
    ParamSpec,
    Protocol,
    TypeAlias,
    TypeVar,
    cast,
    overload,
)

import numpy.typing as npt
import pandas as pd
import xarray as xr

from pandas_ordinal import metrics
from pandas_ordinal.bins import BinsLike
from pandas_ordinal.classes import ClassesLike
from pandas_ordinal.errors import UndefinedMetricWarning
from pandas_ordinal.metrics.kernel import Kernel, Metric, Values, registry

if TYPE_CHECKING:
    from pandas_ordinal.accessors.array import ArrayOrdinal
    from pandas_ordinal.accessors.dataset import DatasetOrdinal
    from pandas_ordinal.accessors.frame import FrameOrdinal
    from pandas_ordinal.accessors.groupby import GroupByOrdinal
    from pandas_ordinal.accessors.series import SeriesOrdinal

P = ParamSpec("P")
One = TypeVar("One", covariant=True)
Many = TypeVar("Many", covariant=True)

BinsKernel: TypeAlias = Callable[Concatenate[npt.ArrayLike, npt.ArrayLike, P], Values]

PACKAGE = str(Path(__file__).parents[1]) + os.sep
SHOWN = 8

PARAMETERS = {
    "true": """true : label
    The column that holds the true classes.""",
    "pred": """pred : label or list of labels
    The column that holds the predicted classes; a list of columns is scored column by column.""",
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
    Leave out rows with a missing label or key; they are an error otherwise.""",
}


class FrameMethod(Protocol[P, One, Many]):
    """A metric as a method of `df.ordinal`."""

    @overload
    def __call__(
        self,
        true: Hashable,
        pred: list[Any] | pd.Index[Any],
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Many: ...
    @overload
    def __call__(
        self,
        true: Hashable,
        pred: Hashable,
        by: None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> One: ...
    @overload
    def __call__(
        self,
        true: Hashable,
        pred: Hashable,
        by: Hashable | list[Any],
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Many: ...


class SeriesMethod(Protocol[P, One]):
    """A metric as a method of `series.ordinal`."""

    def __call__(  # noqa: D102
        self,
        pred: pd.Series[Any],
        sample_weight: pd.Series[Any] | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> One: ...


class GroupByMethod(Protocol[P, Many]):
    """A metric as a method of `df.groupby(...).ordinal`."""

    def __call__(  # noqa: D102
        self,
        true: Hashable,
        pred: Hashable | list[Any],
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Many: ...


class ArrayMethod(Protocol[P]):
    """A metric as a method of `array.ordinal`."""

    def __call__(  # noqa: D102
        self, bins: BinsLike | None = None, *args: P.args, **kwargs: P.kwargs
    ) -> xr.DataArray: ...


class DatasetMethod(Protocol[P]):
    """A metric as a method of `ds.ordinal`."""

    def __call__(  # noqa: D102
        self,
        true: Hashable,
        pred: Hashable,
        dim: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> xr.DataArray: ...


class Lifted(Generic[P, One, Many]):
    """A kernel that waits to become a method, with the type that it will have on each surface."""

    def __init__(self, kernel: Kernel[P]) -> None:
        self.kernel = kernel

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
    def __get__(self, obj: Ordinal | None, owner: type[Ordinal]) -> Any:
        """Put a function with its full signature and docstring in this place, and return it."""
        if obj is None and owner is Ordinal:
            return self
        surface = next(kind for kind in owner.__mro__ if "_score" in vars(kind))
        method = _method(surface, registry[self.name])
        setattr(surface, self.name, method)
        return method if obj is None else method.__get__(obj, owner)

    def __set_name__(self, owner: type[Ordinal], name: str) -> None:
        """Remember the name."""
        self.name = name


def with_edges(kernel: BinsKernel[P]) -> Kernel[P]:
    """Tell the checkers that surfaces find the edges which a kernel needs."""
    return cast("Kernel[P]", kernel)


def lift(kernel: Kernel[P]) -> Lifted[P, float, pd.Series[float]]:
    """Lift a kernel that gives one number a matrix."""
    return Lifted(kernel)


def lift_vector(kernel: Kernel[P]) -> Lifted[P, pd.Series[float], pd.Series[float]]:
    """Lift a kernel that gives a number for each true class."""
    return Lifted(kernel)


def lift_matrix(kernel: Kernel[P]) -> Lifted[P, xr.DataArray, xr.DataArray]:
    """Lift a kernel that gives a number for each pair of classes."""
    return Lifted(kernel)


class Ordinal:
    """The metrics, as every `.ordinal` accessor has them.

    A surface says in `_score` how it finds its counts and how it wraps a result; the parameters of
    `_score` come before the options of the kernel in each of its methods.
    """

    _returns: ClassVar[tuple[str, str, str]]
    _parameters: ClassVar[dict[str, str]] = PARAMETERS
    _hint: ClassVar[str] = ""
    if TYPE_CHECKING:
        _score: Callable[..., Any]

    accuracy = lift(metrics.accuracy)
    accuracy_pearson = lift(metrics.accuracy_pearson)
    accuracy_within = lift(metrics.accuracy_within)
    amae = lift(metrics.amae)
    auoc = lift(metrics.auoc)
    bias = lift(metrics.bias)
    brennan_prediger = lift(metrics.brennan_prediger)
    cem = lift(metrics.cem)
    class_mae = lift_vector(metrics.class_mae)
    class_recall = lift_vector(metrics.class_recall)
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
    pearson = lift(metrics.pearson)
    r_int = lift(metrics.r_int)
    rmse = lift(metrics.rmse)
    scott_pi = lift(metrics.scott_pi)
    somers_d = lift(metrics.somers_d)
    spearman = lift(metrics.spearman)
    stc = lift(metrics.stc)
    total_cost = lift(metrics.total_cost)
    uoc = lift(metrics.uoc)


def _method(surface: type[Ordinal], metric: Metric) -> Callable[..., Any]:
    """Write the method that scores a surface by a metric."""
    options = [
        parameter
        for parameter in inspect.signature(metric.kernel).parameters.values()
        if parameter.kind is parameter.KEYWORD_ONLY
    ]
    own, _, _, *parameters = inspect.signature(surface._score).parameters.values()
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
        return self._score(metric, chosen, **bound)

    method.__name__ = metric.name
    method.__qualname__ = f"{surface.__qualname__}.{metric.name}"
    method.__module__ = surface.__module__
    method.__signature__ = signature  # type: ignore[attr-defined]
    documented = [surface._parameters[parameter.name] for parameter in parameters]
    method.__doc__ = _docstring(metric, documented, surface._returns[len(metric.output)])
    return method


def _docstring(metric: Metric, parameters: Sequence[str], returns: str) -> str:
    """Put a surface's own parameters and result in the place of the kernel's arrays."""
    text = inspect.cleandoc(metric.kernel.__doc__ or "")
    own = "".join(f"{parameter}\n" for parameter in parameters)
    arrays = r"counts : .*\n(?:    .*\n)+(?:edges : .*\n(?:    .*\n)+)?"
    text = re.sub(arrays, lambda _: own, text, count=1)
    text = text.replace("Parameters\n----------\n\n", "")
    result = r"(Returns\n-------\n).*\n"
    return re.sub(result, lambda match: f"{match[1]}{returns}\n", text, count=1)


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
