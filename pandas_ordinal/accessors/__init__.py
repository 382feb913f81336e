"""The `.ordinal` accessors, and the typed way to them.

A module per surface (`frame`, `groupby`, `series`, `array`, `dataset`, `tree`, `dask_frame`) has
its signatures and docstrings. `base` names the methods of all metrics, `composed` makes them,
`lift` gives them their types, and `typing` has the types of each surface. `calibration` has what
frames, their groups and Series share, `decisions` the thresholds and classes of a frame,
`sets` its prediction sets, and `plots` the pictures of a cube.
Where a new option goes: it is a field of `Query` in `pandas_ordinal/query.py`, and a parameter of
each `confusion` and `report` here.
"""

from __future__ import annotations

import sys
import warnings
from typing import TYPE_CHECKING, Any, overload

import pandas as pd
import xarray as xr
from xarray.core.groupby import DataArrayGroupBy, DatasetGroupBy

from pandas_ordinal.accessors.array import ArrayOrdinal
from pandas_ordinal.accessors.dataset import DatasetOrdinal
from pandas_ordinal.accessors.frame import FrameOrdinal
from pandas_ordinal.accessors.groupby import GroupByOrdinal
from pandas_ordinal.accessors.series import SeriesOrdinal
from pandas_ordinal.accessors.tree import TreeOrdinal
from pandas_ordinal.classes.arrow import ArrowTable, frame_of
from pandas_ordinal.errors import an, conversion_hint, kind_of

if TYPE_CHECKING:
    import dask.dataframe as dd

    from pandas_ordinal.accessors.dask_frame import DaskOrdinal

NAME = "ordinal"


@overload
def ordinal(obj: pd.DataFrame) -> FrameOrdinal: ...
@overload
def ordinal(obj: pd.Series[Any]) -> SeriesOrdinal: ...
@overload
def ordinal(obj: pd.api.typing.DataFrameGroupBy[Any, Any]) -> GroupByOrdinal: ...
@overload
def ordinal(obj: xr.DataArray) -> ArrayOrdinal: ...
@overload
def ordinal(obj: xr.Dataset) -> DatasetOrdinal: ...
@overload
def ordinal(obj: xr.DataTree) -> TreeOrdinal: ...
@overload
def ordinal(obj: dd.DataFrame) -> DaskOrdinal: ...
@overload
def ordinal(obj: ArrowTable) -> FrameOrdinal: ...
def ordinal(obj: Any) -> Any:
    """Return the accessor of an object: `obj.ordinal`, in a form that type checkers know.

    It also works where nothing has imported the library and `obj.ordinal` is an AttributeError,
    such as in the worker processes of joblib: a function that calls `po.ordinal` brings the import
    along.

    Parameters
    ----------
    obj : DataFrame, Series, DataFrameGroupBy, DataArray, Dataset, DataTree or Dask DataFrame
        The predictions, or a cube of confusion matrices. A table with an Arrow stream, such as
        those of DuckDB, Polars, Ibis and pyarrow, is read into a DataFrame.

    Returns
    -------
    FrameOrdinal, SeriesOrdinal, GroupByOrdinal, ArrayOrdinal, DatasetOrdinal, ...
        The accessor.

    Raises
    ------
    TypeError
        For other objects. The message explains how to convert those of known libraries.

    Examples
    --------
    >>> import pandas as pd
    >>> import pandas_ordinal as po
    >>> df = pd.DataFrame({"y": [0, 1, 2], "yhat": [0, 2, 2]})
    >>> round(po.ordinal(df).mae("y", "yhat"), 3)
    0.333
    """
    for kind, accessor in _accessors().items():
        if isinstance(obj, kind):
            return accessor(obj)
    table = frame_of(obj)
    if isinstance(table, pd.DataFrame):
        return FrameOrdinal(table)
    taken = (
        "give a DataFrame, Series, DataFrameGroupBy, DataArray, Dataset, DataTree or Dask "
        "DataFrame"
    )
    raise TypeError(
        f"there is no ordinal accessor for {an(kind_of(obj))}: {conversion_hint(obj) or taken}; "
        "po.from_counts makes a cube of a table of counts, and po.metrics take plain arrays"
    )


class Accessor:
    """The attribute `.ordinal`: a new accessor at each access, which is not cached.

    It is the same on all classes. The registries of pandas and xarray cache accessors in different
    ways, and cannot register one on a GroupBy.

    Parameters
    ----------
    surface : type
        The accessor class.
    """

    def __init__(self, surface: type) -> None:
        self.surface = surface

    def __get__(self, obj: object, owner: type) -> Any:
        """Return the accessor of an object, or the class of the accessor."""
        return self.surface if obj is None else self.surface(obj)


class NoAccessor:
    """The attribute `.ordinal` of groups of xarray, whose error says what to call instead."""

    def __get__(self, obj: object, owner: type) -> Any:
        """Raise for an object."""
        if obj is None:
            return self
        name = type(obj).__name__
        raise AttributeError(f"{name!r} object has no attribute {NAME!r}: {conversion_hint(obj)}")


def register() -> None:
    """Put `.ordinal` on pandas, xarray and Dask classes; a second call changes nothing."""
    foreign = [
        f"{kind.__name__} ({getattr(kind, NAME)!r})"
        for kind in _accessors()
        if NAME in vars(kind) and type(vars(kind)[NAME]).__module__ != __name__
    ]
    if foreign:
        warnings.warn(
            f"pandas_ordinal replaces the accessor .{NAME} that another library has put on "
            f"{', '.join(foreign)}; to keep that one, import its library after pandas_ordinal",
            stacklevel=3,
        )
    for kind, surface in _accessors().items():
        setattr(kind, NAME, Accessor(surface))
    for groups in (DatasetGroupBy, DataArrayGroupBy):
        setattr(groups, NAME, NoAccessor())


def _accessors() -> dict[type, type]:
    """Return the accessor of each class; that of Dask only if Dask is imported."""
    accessors: dict[type, type] = {
        pd.DataFrame: FrameOrdinal,
        pd.Series: SeriesOrdinal,
        pd.api.typing.DataFrameGroupBy: GroupByOrdinal,
        xr.DataArray: ArrayOrdinal,
        xr.Dataset: DatasetOrdinal,
        xr.DataTree: TreeOrdinal,
    }
    if "dask.dataframe" in sys.modules:
        from pandas_ordinal.accessors.dask_frame import DaskOrdinal

        accessors[sys.modules["dask.dataframe"].DataFrame] = DaskOrdinal
    return accessors
