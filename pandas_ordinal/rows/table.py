"""Tables of rows, frames or Series, and how they look up what a query names."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from pandas_ordinal.classes.columns import (
    ProbaLike,
    column,
    columns_by_class,
    columns_of_array,
    of_all_classes,
    refuse_no_label,
    several_columns,
)
from pandas_ordinal.classes.gate import native
from pandas_ordinal.classes.undeclared import Column
from pandas_ordinal.counting.arrays import Array
from pandas_ordinal.errors import (
    Named,
    UnknownNameError,
    an,
    brief,
    conversion_hint,
    is_iterable,
    kind_of,
)
from pandas_ordinal.groups import (
    ALL_ROWS,
    Groups,
    Keep,
    crossed,
    group,
    groups_of,
    names_of_keys,
)
from pandas_ordinal.query import Query, if_given
from pandas_ordinal.rows.repeats import repeated_folds

# ruff: noqa: D102  (`Table` documents the methods of all tables)


OTHERWISE = "two Series are scored by true.ordinal, such as df['y'].ordinal.oci(df['yhat'])"
AS_COLUMNS = {
    "sample_weight": "an array becomes one by df.assign(weight=array)",
    "cluster": "an array becomes one by df.assign(cluster=array)",
}

ARRAYS = (np.ndarray, pd.api.extensions.ExtensionArray)
ONE_FORECAST = (list, pd.Index, np.ndarray, Mapping)


class Table(ABC):
    """A table of rows, which looks up what a query names."""

    @property
    @abstractmethod
    def index(self) -> pd.Index[Any]:
        """The labels of the rows."""

    @abstractmethod
    def where(self, mask: npt.NDArray[np.bool_]) -> Table:
        """Return the table of the rows that a mask selects."""

    @abstractmethod
    def true(self, given: Any) -> Column:
        """Return the true classes."""

    @abstractmethod
    def column(self, option: str, given: Any) -> Column:
        """Return the column that an option names, one value per row."""

    @abstractmethod
    def models(self, option: str, given: Any) -> tuple[list[Any], pd.Index[Any] | None]:
        """Return the value of an option for each model, and the models if it lists several."""

    @abstractmethod
    def groups(self, query: Query) -> Groups | None:
        """Return the groups of the rows; None if all rows are one group."""

    @property
    def folds(self) -> pd.DataFrame | None:
        """The columns of repeated folds; None if there are none."""
        return None

    @abstractmethod
    def proba(self, given: Any, classes: pd.CategoricalDtype) -> list[Column]:
        """Return the probabilities of the classes, in their order."""

    def reference(self, given: Any, classes: pd.CategoricalDtype) -> list[Column]:
        """Return the probabilities of a reference for each row, given like those of a model."""
        return self.proba(given, classes)


@dataclass(frozen=True)
class FrameTable(Table):
    """A frame, whose columns a query names by their labels, and its groupby if there is one.

    The groupby has all rows, the frame only the selected ones.
    """

    frame: pd.DataFrame
    grouped: pd.api.typing.DataFrameGroupBy[Any, Any] | None = None
    selected: Keep = field(default_factory=lambda: ALL_ROWS)

    @property
    def index(self) -> pd.Index[Any]:
        return self.frame.index

    @property
    def folds(self) -> pd.DataFrame | None:
        return repeated_folds(self.frame)

    def where(self, mask: npt.NDArray[np.bool_]) -> FrameTable:
        selected = mask
        if not isinstance(self.selected, slice):  # of the rows of the groupby
            selected = self.selected.copy()
            selected[self.selected] = mask
        return FrameTable(native_columns(self.frame).loc[mask], self.grouped, selected)

    def true(self, given: Hashable) -> Column:
        return self.column("true", given)

    def column(self, option: str, given: Hashable) -> Column:
        refuse_no_label(option, given, AS_COLUMNS.get(option, OTHERWISE))
        return given, column(self.frame, given)

    def optional(self, pred: Any) -> Any:
        """Return `pred` of a report, or `ABSENT` for None."""
        if pred is None and None in self.frame.columns:
            raise ValueError(
                "pred=None may mean the column labelled None, or no predicted classes: give "
                "pred=[None], or rename the column"
            )
        return if_given(pred)

    def models(self, option: str, given: Any) -> tuple[list[Any], pd.Index[Any] | None]:
        if option == "proba":
            return _models_of_proba(given)
        several = isinstance(given, (list, pd.Index, np.ndarray, Mapping))
        if not several or not is_iterable(given):
            return [given], None
        labels = list(given.values() if isinstance(given, Mapping) else given)
        for label in labels:
            refuse_no_label(option, label, OTHERWISE)
        name = self.frame.columns.name if self.frame.columns.name is not None else "model"
        return labels, pd.Index(list(given), name=name, tupleize_cols=False)

    def groups(self, query: Query) -> Groups | None:
        of_groupby = None if self.grouped is None else groups_of(self.grouped, self.selected)
        if query.by is None:
            return of_groupby
        try:
            groups = group(self.frame, query.by, dropna=query.dropna)
        except UnknownNameError as error:
            raise self._of_models(error, query) from error
        return groups if of_groupby is None else crossed(of_groupby, groups, len(self.frame))

    def _of_models(self, error: UnknownNameError, query: Query) -> UnknownNameError:
        """Explain that by= must not name the level of models, which a list of columns adds."""
        for given in (query.pred, query.score):
            models = self.models("pred", given)[1]
            if models is None or models.name not in set(names_of_keys(query.by)):
                continue
            if models.name not in [*self.frame.columns, *self.frame.index.names]:
                return UnknownNameError(
                    f"the frame has no column {models.name!r} for by=: the list of columns "
                    f"already gives a row for each {models.name}; leave {models.name!r} out of by="
                )
        return error

    def proba(self, given: ProbaLike, classes: pd.CategoricalDtype) -> list[Column]:
        if isinstance(given, np.ndarray) and given.ndim == 2:
            return columns_of_array(given, classes, self.index, self.selected)
        if isinstance(given, np.ndarray) and given.dtype.kind == "f":
            self._refuse_values(given)
        labels = columns_by_class(several_columns(given), classes)
        return of_all_classes([self.column("proba", label) for label in labels], classes)

    def reference(self, given: Any, classes: pd.CategoricalDtype) -> list[Column]:
        if not isinstance(given, pd.DataFrame):
            return self.proba(given, classes)
        n_rows = len(self.index) if isinstance(self.selected, slice) else len(self.selected)
        if len(given) != n_rows or not given.index[self.selected].equals(self.index):
            raise ValueError(
                "the index of reference is not that of the frame: rows are never aligned "
                "silently; give reference.set_axis(df.index) if the rows are in the same order, "
                "or reference.reindex(df.index) to align them by label"
            )
        labels = columns_by_class(given.columns, classes)
        selected = given[self.selected]
        return of_all_classes([(label, selected[label]) for label in labels], classes)

    def _refuse_values(self, array: Array) -> None:
        """Raise for an array of probabilities, which must be a column."""
        if not pd.Index(array).isin(self.frame.columns).any():
            raise TypeError(
                "proba= is an array of numbers that are not labels of columns: add it to the "
                "frame with df.assign(p=array), and give proba='p'"
            )


@dataclass(frozen=True)
class SeriesTable(Table):
    """A Series of true classes, for other Series and frames of the same index.

    Indexes are compared before rows are selected.
    """

    series: pd.Series[Any]
    selected: Keep = field(default_factory=lambda: ALL_ROWS)

    @property
    def index(self) -> pd.Index[Any]:
        return self.series.index[self.selected]

    def where(self, mask: npt.NDArray[np.bool_]) -> SeriesTable:
        return SeriesTable(self.series, mask)

    def true(self, given: None) -> Column:
        return _name_of("true", self.series), self.series[self.selected]

    def column(self, option: str, given: Any) -> Column:
        if isinstance(given, ARRAYS):
            given = self._as_series(option, given)
        self._refuse_other_index(option, given, pd.Series)
        return _name_of(option, given), given[self.selected]

    def _as_series(self, option: str, array: Any) -> pd.Series[Any]:
        """Return an array with a value for each row as a Series."""
        n_rows = len(self.series)
        if array.shape != (n_rows,):
            size = f"length {len(array)}" if array.ndim == 1 else f"shape {array.shape}"
            raise ValueError(
                f"{option} is an array of {size}, but there are {n_rows} true classes: give one "
                "value for each, in the same order"
            )
        return pd.Series(array, self.series.index)

    def models(self, option: str, given: Any) -> tuple[list[Any], pd.Index[Any] | None]:
        if not isinstance(given, Mapping):
            return [given], None
        if option == "proba":
            _refuse_columns_by_class(given)
        return list(given.values()), pd.Index(list(given), name="model", tupleize_cols=False)

    def groups(self, query: Query) -> None:
        return None

    def proba(self, given: Any, classes: pd.CategoricalDtype) -> list[Column]:
        if isinstance(given, np.ndarray) and given.ndim == 2:
            return columns_of_array(given, classes, self.index, self.selected)
        if isinstance(given, (pd.Series, *ARRAYS)):
            columns = [self.column("proba", given)]
        else:
            self._refuse_other_index("proba", given, pd.DataFrame)
            table = cast(pd.DataFrame, given)[self.selected]
            labels = columns_by_class(table.columns, classes)
            columns = [(label, table[label]) for label in labels]
        return of_all_classes(columns, classes)

    def _refuse_other_index(self, option: str, other: Any, kind: type[Any]) -> None:
        """Raise unless an object is of that type and has the index of the true classes."""
        true = self.series
        if not isinstance(other, kind):
            first = conversion_hint(other) or f"give pd.{kind.__name__}(..., index=true.index)"
            if isinstance(other, str):
                first = f"give the column, such as df[{brief(other)}]"
            raise TypeError(
                f"{option} must be a {kind.__name__} of pandas with the index of the true "
                f"classes, not {an(kind_of(other))}: {first}"
            )
        if not other.index.equals(true.index):
            name = f" {other.name!r}" if isinstance(other, pd.Series) else ""
            raise ValueError(
                f"the index of {option}{name} is not that of the true classes {true.name!r}: "
                f"rows are never aligned silently; give {option}.set_axis(true.index) if the rows "
                f"are in the same order, or {option}.reindex(true.index) to align them by label"
            )


def native_columns(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame in the byte order of the processor, so that pandas can select rows."""
    if all(getattr(dtype, "isnative", True) for dtype in frame.dtypes):
        return frame
    converted = frame.copy(deep=False)
    for position in range(frame.shape[1]):
        converted.isetitem(position, native(frame.iloc[:, position]).array)
    return converted


def _models_of_proba(given: Any) -> tuple[list[Any], pd.Index[Any] | None]:
    """Return the probabilities of each model; labels of columns are those of one model."""
    if isinstance(given, Mapping):
        forecasts = list(given.values())
        if not forecasts or not all(isinstance(one, ONE_FORECAST) for one in forecasts):
            return [given], None
        return forecasts, pd.Index(list(given), name="model", tupleize_cols=False)
    if isinstance(given, list) and given and isinstance(given[0], ONE_FORECAST):
        return given, pd.RangeIndex(len(given), name="model")
    return [given], None


def _refuse_columns_by_class(proba: Mapping[Any, Any]) -> None:
    """Raise unless a dict has tables of probabilities: Series may be classes or models."""
    for label, one in proba.items():
        if getattr(one, "ndim", None) == 1:
            raise TypeError(
                f"proba[{label!r}] is {an(type(one).__name__)}, but a dict has a DataFrame, or an "
                "array (n, K), for each model: for the columns of one model give "
                "pd.DataFrame({class: column}), and for two classes proba[...].to_frame()"
            )


def _name_of(option: str, given: pd.Series[Any]) -> Hashable:
    """Return the name of a Series in errors: its own, or that of the option."""
    return Named(option, option, option) if given.name is None else given.name
