"""How a kernel becomes a method, with the type that it has on each surface."""

from __future__ import annotations

from collections.abc import Callable
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Generic,
    ParamSpec,
    TypeAlias,
    cast,
    overload,
)

import numpy.typing as npt
import pandas as pd
import xarray as xr

from pandas_ordinal.accessors.calibration import OfForecasts
from pandas_ordinal.accessors.typing import (
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
    Many,
    OfArray,
    OfDask,
    OfDataset,
    OfFrame,
    OfGroupBy,
    OfSeries,
    One,
    SeriesMethod,
    SeriesProbaMethod,
    SeriesScoreMethod,
)
from pandas_ordinal.metrics.count_kernel import Kernel
from pandas_ordinal.metrics.metric import Values
from pandas_ordinal.metrics.proba_kernel import ProbabilityKernel
from pandas_ordinal.metrics.score_kernel import ScoreKernel
from pandas_ordinal.reports.by_class import TableByClass

_P = ParamSpec("_P")


BinsKernel: TypeAlias = Callable[Concatenate[npt.ArrayLike, npt.ArrayLike, _P], Values]


class Composed:
    """A method of a surface that is composed when it is first used: its help takes time.

    Parameters
    ----------
    surface : type
        The accessor class.
    name : str
        The name of the method.
    compose : callable
        The function that returns the method, which then takes this place.
    """

    def __init__(self, surface: type, name: str, compose: Callable[[], Any]) -> None:
        self.surface, self.name, self.compose = surface, name, compose

    def __get__(self, obj: object, owner: type) -> Any:
        """Return the method of an object, or the function of the class."""
        method = self.compose()
        setattr(self.surface, self.name, method)
        return method.__get__(obj, owner)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the method: `unittest.mock` looks for what is callable in `vars` of a class."""
        return getattr(self.surface, self.name)(*args, **kwargs)


class Lifted(Generic[One, Many]):
    """A kernel that becomes a method, with the type that it has on each surface."""


class OfCounts(Lifted[One, Many], Generic[_P, One, Many]):
    """A lifted kernel of confusion matrices."""

    def __init__(self, kernel: Kernel[_P]) -> None:
        self.kernel = kernel

    if TYPE_CHECKING:
        # ruff: noqa: D105

        @overload
        def __get__(self, obj: OfFrame, owner: type) -> FrameMethod[_P, One, Many]: ...
        @overload
        def __get__(self, obj: OfSeries, owner: type) -> SeriesMethod[_P, One, Many]: ...
        @overload
        def __get__(self, obj: OfGroupBy, owner: type) -> GroupByMethod[_P, Many]: ...
        @overload
        def __get__(self, obj: OfArray, owner: type) -> ArrayMethod[_P, xr.DataArray]: ...
        @overload
        def __get__(self, obj: OfDataset, owner: type) -> DatasetMethod[_P, xr.DataArray]: ...
        @overload
        def __get__(self, obj: OfDask, owner: type) -> Callable[..., Any]: ...
        def __get__(self, obj: Any, owner: type) -> Any: ...


class OfScores(Lifted[One, Many], Generic[_P, One, Many]):
    """A lifted kernel of scores."""

    def __init__(self, kernel: ScoreKernel[_P]) -> None:
        self.kernel = kernel

    if TYPE_CHECKING:

        @overload
        def __get__(self, obj: OfFrame, owner: type) -> FrameScoreMethod[_P, One, Many]: ...
        @overload
        def __get__(self, obj: OfSeries, owner: type) -> SeriesScoreMethod[_P, One, Many]: ...
        @overload
        def __get__(self, obj: OfGroupBy, owner: type) -> GroupByScoreMethod[_P, Many]: ...
        @overload
        def __get__(self, obj: OfArray, owner: type) -> ArrayScoreMethod[_P]: ...
        @overload
        def __get__(self, obj: OfDataset, owner: type) -> DatasetScoreMethod[_P]: ...
        @overload
        def __get__(self, obj: OfDask, owner: type) -> Callable[..., Any]: ...
        def __get__(self, obj: Any, owner: type) -> Any: ...


class OfProbabilities(Lifted[One, Many], Generic[_P, One, Many]):
    """A lifted kernel of class probabilities."""

    def __init__(self, kernel: ProbabilityKernel[_P]) -> None:
        self.kernel = kernel

    if TYPE_CHECKING:

        @overload
        def __get__(self, obj: OfFrame, owner: type) -> FrameProbaMethod[_P, One, Many]: ...
        @overload
        def __get__(self, obj: OfSeries, owner: type) -> SeriesProbaMethod[_P, One, Many]: ...
        @overload
        def __get__(self, obj: OfGroupBy, owner: type) -> GroupByProbaMethod[_P, Many]: ...
        @overload
        def __get__(self, obj: OfArray, owner: type) -> ArrayProbaMethod[_P]: ...
        @overload
        def __get__(self, obj: OfDataset, owner: type) -> DatasetProbaMethod[_P]: ...
        @overload
        def __get__(self, obj: OfDask, owner: type) -> Callable[..., Any]: ...
        def __get__(self, obj: Any, owner: type) -> Any: ...


class OfTables(Generic[_P]):
    """A table by class, given the function that reads its options."""

    def __init__(self, request: Callable[_P, TableByClass]) -> None:
        self.request = request

    if TYPE_CHECKING:

        @overload
        def __get__(
            self, obj: OfFrame, owner: type
        ) -> FrameMethod[_P, pd.DataFrame, pd.DataFrame]: ...
        @overload
        def __get__(
            self, obj: OfSeries, owner: type
        ) -> SeriesMethod[_P, pd.DataFrame, pd.DataFrame]: ...
        @overload
        def __get__(self, obj: OfGroupBy, owner: type) -> GroupByMethod[_P, pd.DataFrame]: ...
        @overload
        def __get__(self, obj: OfArray, owner: type) -> ArrayMethod[_P, xr.Dataset]: ...
        @overload
        def __get__(self, obj: OfDataset, owner: type) -> DatasetMethod[_P, xr.Dataset]: ...
        @overload
        def __get__(self, obj: OfDask, owner: type) -> Callable[..., Any]: ...
        def __get__(self, obj: Any, owner: type) -> Any: ...


def with_edges(kernel: BinsKernel[_P]) -> Kernel[_P]:
    """Cast a kernel, for type checkers: surfaces find the edges that it needs."""
    return cast("Kernel[_P]", kernel)


def lift(kernel: Kernel[_P]) -> OfCounts[_P, float, pd.Series[float]]:
    """Lift a kernel that gives one number per matrix."""
    return OfCounts(kernel)


def lift_vector(kernel: Kernel[_P]) -> OfCounts[_P, pd.Series[float], pd.Series[float]]:
    """Lift a kernel that gives a number for each true class."""
    return OfCounts(kernel)


def lift_table(request: Callable[_P, TableByClass]) -> OfTables[_P]:
    """Lift the function that reads the options of a table by class."""
    return OfTables(request)


def lift_matrix(kernel: Kernel[_P]) -> OfCounts[_P, xr.DataArray, xr.DataArray]:
    """Lift a kernel that gives a number for each pair of classes."""
    return OfCounts(kernel)


def lift_scores(kernel: ScoreKernel[_P]) -> OfScores[_P, float, pd.Series[float]]:
    """Lift a kernel that gives one number per score."""
    return OfScores(kernel)


def lift_scores_vector(
    kernel: ScoreKernel[_P],
) -> OfScores[_P, pd.Series[float], pd.Series[float]]:
    """Lift a kernel that gives a number for each true class and score."""
    return OfScores(kernel)


def lift_scores_matrix(kernel: ScoreKernel[_P]) -> OfScores[_P, xr.DataArray, xr.DataArray]:
    """Lift a kernel that gives a number for each pair of classes and score."""
    return OfScores(kernel)


def lift_forecasts(
    request: Callable[_P, OfForecasts[One, Many]],
) -> OfProbabilities[_P, One, Many]:
    """Lift the function that reads the options of a method of forecasts."""
    return OfProbabilities(cast("ProbabilityKernel[_P]", request))


def lift_probabilities(
    kernel: ProbabilityKernel[_P],
) -> OfProbabilities[_P, float, pd.Series[float]]:
    """Lift a kernel of class probabilities."""
    return OfProbabilities(kernel)
