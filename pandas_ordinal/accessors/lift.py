"""How a kernel becomes a method, with the type that it has on each surface."""

from __future__ import annotations

from collections.abc import Callable
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Generic,
    TypeAlias,
    cast,
    overload,
)

import numpy.typing as npt
import pandas as pd
import xarray as xr

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
    P,
    SeriesMethod,
    SeriesProbaMethod,
    SeriesScoreMethod,
)
from pandas_ordinal.metrics.count_kernel import Kernel
from pandas_ordinal.metrics.metric import Values
from pandas_ordinal.metrics.proba_kernel import ProbabilityKernel
from pandas_ordinal.metrics.score_kernel import ScoreKernel

BinsKernel: TypeAlias = Callable[Concatenate[npt.ArrayLike, npt.ArrayLike, P], Values]


class Lifted(Generic[One, Many]):
    """A kernel that becomes a method, with the type that it has on each surface."""


class OfCounts(Lifted[One, Many], Generic[P, One, Many]):
    """A lifted kernel of confusion matrices."""

    def __init__(self, kernel: Kernel[P]) -> None:
        self.kernel = kernel

    if TYPE_CHECKING:
        # ruff: noqa: D105

        @overload
        def __get__(self, obj: OfFrame, owner: type) -> FrameMethod[P, One, Many]: ...
        @overload
        def __get__(self, obj: OfSeries, owner: type) -> SeriesMethod[P, One]: ...
        @overload
        def __get__(self, obj: OfGroupBy, owner: type) -> GroupByMethod[P, Many]: ...
        @overload
        def __get__(self, obj: OfArray, owner: type) -> ArrayMethod[P]: ...
        @overload
        def __get__(self, obj: OfDataset, owner: type) -> DatasetMethod[P]: ...
        @overload
        def __get__(self, obj: OfDask, owner: type) -> Callable[..., Any]: ...
        def __get__(self, obj: Any, owner: type) -> Any: ...


class OfScores(Lifted[One, Many], Generic[P, One, Many]):
    """A lifted kernel of scores."""

    def __init__(self, kernel: ScoreKernel[P]) -> None:
        self.kernel = kernel

    if TYPE_CHECKING:

        @overload
        def __get__(self, obj: OfFrame, owner: type) -> FrameScoreMethod[P, One, Many]: ...
        @overload
        def __get__(self, obj: OfSeries, owner: type) -> SeriesScoreMethod[P, One]: ...
        @overload
        def __get__(self, obj: OfGroupBy, owner: type) -> GroupByScoreMethod[P, Many]: ...
        @overload
        def __get__(self, obj: OfArray, owner: type) -> ArrayScoreMethod[P]: ...
        @overload
        def __get__(self, obj: OfDataset, owner: type) -> DatasetScoreMethod[P]: ...
        @overload
        def __get__(self, obj: OfDask, owner: type) -> Callable[..., Any]: ...
        def __get__(self, obj: Any, owner: type) -> Any: ...


class OfProbabilities(Lifted[One, Many], Generic[P, One, Many]):
    """A lifted kernel of class probabilities."""

    def __init__(self, kernel: ProbabilityKernel[P]) -> None:
        self.kernel = kernel

    if TYPE_CHECKING:

        @overload
        def __get__(self, obj: OfFrame, owner: type) -> FrameProbaMethod[P, One, Many]: ...
        @overload
        def __get__(self, obj: OfSeries, owner: type) -> SeriesProbaMethod[P, One]: ...
        @overload
        def __get__(self, obj: OfGroupBy, owner: type) -> GroupByProbaMethod[P, Many]: ...
        @overload
        def __get__(self, obj: OfArray, owner: type) -> ArrayProbaMethod[P]: ...
        @overload
        def __get__(self, obj: OfDataset, owner: type) -> DatasetProbaMethod[P]: ...
        @overload
        def __get__(self, obj: OfDask, owner: type) -> Callable[..., Any]: ...
        def __get__(self, obj: Any, owner: type) -> Any: ...


def with_edges(kernel: BinsKernel[P]) -> Kernel[P]:
    """Cast a kernel, for type checkers: surfaces find the edges that it needs."""
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
