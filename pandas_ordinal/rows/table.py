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
    refuse_no_columns,
    refuse_no_label,
)
from pandas_ordinal.classes.gate import native
from pandas_ordinal.classes.undeclared import Column
from pandas_ordinal.errors import (
    Named,
    UnknownNameError,
    an,
    conversion_hint,
    is_iterable,
    kind_of,
)
from pandas_ordinal.groups import ALL_ROWS, Groups, Keep, group, groups_of, names_of_keys
from pandas_ordinal.query import Query, if_given
from pandas_ordinal.rows.repeats import repeated_folds

# ruff: noqa: D102  (`Table` documents the methods of all tables)


OTHERWISE = "two Series are scored by true.ordinal, such as df['y'].ordinal.oci(df['yhat'])"
AS_COLUMNS = {
    "sample_weight": "an array becomes one by df.assign(weight=array)",
    "cluster": "an array becomes one by df.assign(cluster=array)",
}

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
        return FrameTable(native_columns(self.frame).loc[mask], self.grouped, mask)

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
        if not (isinstance(given, (list, pd.Index, np.ndarray)) and is_iterable(given)):
            return [given], None
        labels = list(given)
        for label in labels:
            refuse_no_label(option, label, OTHERWISE)
        name = self.frame.columns.name if self.frame.columns.name is not None else "model"
        return labels, pd.Index(labels, name=name, tupleize_cols=False)

    def groups(self, query: Query) -> Groups | None:
        if self.grouped is not None:
            return groups_of(self.grouped, self.selected)
        if query.by is None:
            return None
        try:
            return group(self.frame, query.by, dropna=query.dropna)
        except UnknownNameError as error:
            raise self._of_models(error, query) from error

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
        refuse_no_columns(given)
        return [self.column("proba", label) for label in columns_by_class(given, classes)]


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

    def column(self, option: str, given: pd.Series[Any]) -> Column:
        self._refuse_other_index(option, given, pd.Series)
        return _name_of(option, given), given[self.selected]

    def models(self, option: str, given: Any) -> tuple[list[Any], pd.Index[Any] | None]:
        if not isinstance(given, Mapping):
            return [given], None
        return list(given.values()), pd.Index(list(given), name="model", tupleize_cols=False)

    def groups(self, query: Query) -> None:
        return None

    def proba(self, given: Any, classes: pd.CategoricalDtype) -> list[Column]:
        if isinstance(given, np.ndarray) and given.ndim == 2:
            return columns_of_array(given, classes, self.index, self.selected)
        self._refuse_other_index("proba", given, pd.DataFrame)
        table = cast(pd.DataFrame, given)[self.selected]
        return [(label, table[label]) for label in columns_by_class(table.columns, classes)]

    def _refuse_other_index(self, option: str, other: Any, kind: type[Any]) -> None:
        """Raise unless an object is of that type and has the index of the true classes."""
        true = self.series
        if not isinstance(other, kind):
            first = conversion_hint(other) or f"give pd.{kind.__name__}(..., index=true.index)"
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
    """Return the probabilities of each model; a list of labels is one model."""
    if isinstance(given, list) and given and isinstance(given[0], ONE_FORECAST):
        return given, pd.RangeIndex(len(given), name="model")
    return [given], None


def _name_of(option: str, given: pd.Series[Any]) -> Hashable:
    """Return the name of a Series in errors: its own, or that of the option."""
    return Named(option, option, option) if given.name is None else given.name
