"""What a metric looks like as a method of each surface, for type checkers and editors."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Never, ParamSpec, Protocol, TypeAlias, TypeVar, overload

import numpy.typing as npt
import pandas as pd
import xarray as xr

from pandas_ordinal.classes.bins import BinsLike
from pandas_ordinal.classes.columns import ProbaLike
from pandas_ordinal.classes.gate import ClassesLike

# ruff: noqa: D102


_P = ParamSpec("_P")
One = TypeVar("One", covariant=True)
Many = TypeVar("Many", covariant=True)

ColumnsLike: TypeAlias = "list[Any] | pd.Index[Any] | dict[Any, Any]"
ValuesLike: TypeAlias = "pd.Series[Any] | npt.NDArray[Any] | pd.api.extensions.ExtensionArray"
ForecastLike: TypeAlias = "pd.DataFrame | ValuesLike"
KeysLike: TypeAlias = "Hashable | xr.DataArray | list[Any]"


class OfFrame:
    """Marks the accessor of a DataFrame."""


class OfSeries:
    """Marks the accessor of a Series."""


class OfGroupBy:
    """Marks the accessor of a DataFrameGroupBy."""


class OfArray:
    """Marks the accessor of a DataArray."""


class OfDataset:
    """Marks the accessor of a Dataset."""


class OfDask:
    """Marks the accessor of a Dask DataFrame."""


class FrameMethod(Protocol[_P, One, Many]):
    """A metric as a method of `df.ordinal`."""

    @overload
    def __call__(
        self,
        true: Hashable,
        pred: ColumnsLike,
        _options_by_name: Never = ...,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> Many: ...
    @overload
    def __call__(
        self,
        true: Hashable,
        pred: Hashable,
        _options_by_name: Never = ...,
        by: None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> One: ...
    @overload
    def __call__(
        self,
        true: Hashable,
        pred: Hashable,
        _options_by_name: Never = ...,
        by: Hashable | list[Any] = ...,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> Many: ...


class SeriesMethod(Protocol[_P, One, Many]):
    """A metric as a method of `series.ordinal`."""

    @overload
    def __call__(
        self,
        pred: dict[Any, ValuesLike],
        _options_by_name: Never = ...,
        sample_weight: ValuesLike | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> Many: ...
    @overload
    def __call__(
        self,
        pred: ValuesLike,
        _options_by_name: Never = ...,
        sample_weight: ValuesLike | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> One: ...


class GroupByMethod(Protocol[_P, Many]):
    """A metric as a method of `df.groupby(...).ordinal`."""

    def __call__(
        self,
        true: Hashable,
        pred: Hashable | ColumnsLike,
        _options_by_name: Never = ...,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> Many: ...


class ArrayMethod(Protocol[_P, Many]):
    """A metric or a table by class as a method of `array.ordinal`."""

    def __call__(
        self,
        pred: xr.DataArray | None = None,
        _options_by_name: Never = ...,
        dim: Hashable | list[Any] | None = None,
        by: KeysLike | None = None,
        sample_weight: xr.DataArray | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> Many: ...


class DatasetMethod(Protocol[_P, Many]):
    """A metric or a table by class as a method of `ds.ordinal`."""

    def __call__(
        self,
        true: Hashable,
        pred: Hashable,
        _options_by_name: Never = ...,
        dim: Hashable | list[Any] | None = None,
        by: KeysLike | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> Many: ...


class FrameScoreMethod(Protocol[_P, One, Many]):
    """A metric of a score as a method of `df.ordinal`."""

    @overload
    def __call__(
        self,
        true: Hashable,
        score: ColumnsLike,
        _options_by_name: Never = ...,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> Many: ...
    @overload
    def __call__(
        self,
        true: Hashable,
        score: Hashable,
        _options_by_name: Never = ...,
        by: None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> One: ...
    @overload
    def __call__(
        self,
        true: Hashable,
        score: Hashable,
        _options_by_name: Never = ...,
        by: Hashable | list[Any] = ...,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> Many: ...


class SeriesScoreMethod(Protocol[_P, One, Many]):
    """A metric of a score as a method of `series.ordinal`."""

    @overload
    def __call__(
        self,
        score: dict[Any, ValuesLike],
        _options_by_name: Never = ...,
        sample_weight: ValuesLike | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> Many: ...
    @overload
    def __call__(
        self,
        score: ValuesLike,
        _options_by_name: Never = ...,
        sample_weight: ValuesLike | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> One: ...


class GroupByScoreMethod(Protocol[_P, Many]):
    """A metric of a score as a method of `df.groupby(...).ordinal`."""

    def __call__(
        self,
        true: Hashable,
        score: Hashable | ColumnsLike,
        _options_by_name: Never = ...,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> Many: ...


class ArrayScoreMethod(Protocol[_P]):
    """A metric of a score as a method of `true.ordinal`."""

    def __call__(
        self,
        score: xr.DataArray,
        _options_by_name: Never = ...,
        dim: Hashable | list[Any] | None = None,
        by: KeysLike | None = None,
        sample_weight: xr.DataArray | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> xr.DataArray: ...


class DatasetScoreMethod(Protocol[_P]):
    """A metric of a score as a method of `ds.ordinal`."""

    def __call__(
        self,
        true: Hashable,
        score: Hashable,
        _options_by_name: Never = ...,
        dim: Hashable | list[Any] | None = None,
        by: KeysLike | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> xr.DataArray: ...


class FrameProbaMethod(Protocol[_P, One, Many]):
    """A metric of class probabilities as a method of `df.ordinal`."""

    @overload
    def __call__(
        self,
        true: Hashable,
        proba: ProbaLike,
        _options_by_name: Never = ...,
        by: None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        atol: float | None = None,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> One: ...
    @overload
    def __call__(
        self,
        true: Hashable,
        proba: ProbaLike,
        _options_by_name: Never = ...,
        by: Hashable | list[Any] = ...,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        atol: float | None = None,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> Many: ...


class SeriesProbaMethod(Protocol[_P, One, Many]):
    """A metric of class probabilities as a method of `series.ordinal`."""

    @overload
    def __call__(
        self,
        proba: dict[Any, ForecastLike],
        _options_by_name: Never = ...,
        sample_weight: ValuesLike | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        atol: float | None = None,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> Many: ...
    @overload
    def __call__(
        self,
        proba: ForecastLike,
        _options_by_name: Never = ...,
        sample_weight: ValuesLike | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        atol: float | None = None,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> One: ...


class GroupByProbaMethod(Protocol[_P, Many]):
    """A metric of class probabilities as a method of `df.groupby(...).ordinal`."""

    def __call__(
        self,
        true: Hashable,
        proba: ProbaLike,
        _options_by_name: Never = ...,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        atol: float | None = None,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> Many: ...


class ArrayProbaMethod(Protocol[_P]):
    """A metric of class probabilities as a method of `true.ordinal`."""

    def __call__(
        self,
        proba: xr.DataArray,
        _options_by_name: Never = ...,
        dim: Hashable | list[Any] | None = None,
        by: KeysLike | None = None,
        sample_weight: xr.DataArray | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        atol: float | None = None,
        member_dim: Hashable | None = None,
        fair: bool = False,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> xr.DataArray: ...


class DatasetProbaMethod(Protocol[_P]):
    """A metric of class probabilities as a method of `ds.ordinal`."""

    def __call__(
        self,
        true: Hashable,
        proba: Hashable,
        _options_by_name: Never = ...,
        dim: Hashable | list[Any] | None = None,
        by: KeysLike | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        atol: float | None = None,
        member_dim: Hashable | None = None,
        fair: bool = False,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> xr.DataArray: ...
