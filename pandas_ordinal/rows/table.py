"""What the pandas surfaces share: tables of rows, from which a query takes its sample."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar, cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from pandas_ordinal.accessors.base import Beside, Ordinal
from pandas_ordinal.classes.columns import (
    Mask,
    ProbaLike,
    column,
    columns_by_class,
    columns_of_array,
    labels_of,
    mask_of,
    probabilities_of,
    refuse_ignored_classes,
    refuse_no_columns,
    refuse_no_label,
    scores_of,
    weights_of,
    without,
)
from pandas_ordinal.classes.gate import (
    ClassesLike,
    Column,
    codes_of,
    declared,
    positions_of,
    readable,
    refuse_missing,
    shared,
)
from pandas_ordinal.counting.arrays import Codes, Floats, blocks
from pandas_ordinal.counting.groups import ALL_ROWS, Groups, Keep, group, names_of, numbered
from pandas_ordinal.errors import (
    ClassOrderError,
    Given,
    MissingValueError,
    UnknownNameError,
    an,
    called,
    named,
    way,
)
from pandas_ordinal.metrics.metric import Metric
from pandas_ordinal.metrics.proba_kernel import Probabilities
from pandas_ordinal.query import Query, if_given
from pandas_ordinal.reports.metrics import scale_of
from pandas_ordinal.rows.sample import Inputs, LabelColumn, Sample

# ruff: noqa: D102  (what the methods of each table do is said once, in `Table`)


OTHERWISE = "two Series are scored by true.ordinal, as in df['y'].ordinal.oci(df['yhat'])"
AS_COLUMNS = {
    "sample_weight": "an array becomes one by df.assign(weight=array)",
    "cluster": "an array becomes one by df.assign(cluster=array)",
}

ONE_FORECAST = (list, pd.Index, np.ndarray, Mapping)

OF_COLUMNS = {
    "score": Beside(
        "Hashable | list[Any]",
        """score : label or list of labels
    The column that holds the scores, higher for higher classes; a list has one column per
    model.""",
    ),
    "proba": Beside(
        "ProbaLike",
        """proba : list of labels or dict
    The columns that hold the probabilities of the classes: named as the classes, in any order, or
    a dict {class: column}.""",
    ),
}


class Table(ABC):
    """A kind of table: how it finds what a query names."""

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
        """Return what an option names, one value a row."""

    @abstractmethod
    def models(self, option: str, given: Any) -> tuple[list[Any], pd.Index[Any] | None]:
        """Return what an option gives each model, and the models if it lists several."""

    @abstractmethod
    def groups(self, query: Query) -> Groups | None:
        """Return the groups of the rows; None if all are one."""

    @abstractmethod
    def proba(self, given: Any, classes: pd.CategoricalDtype) -> list[Column]:
        """Return the probabilities of the classes, in their order."""


@dataclass(frozen=True)
class FrameTable(Table):
    """A frame, whose columns are named by their labels, and its groupby if it has one.

    The groupby has all rows, the frame those which are selected.
    """

    frame: pd.DataFrame
    grouped: pd.api.typing.DataFrameGroupBy[Any, Any] | None = None
    selected: Keep = field(default_factory=lambda: ALL_ROWS)

    @property
    def index(self) -> pd.Index[Any]:
        return self.frame.index

    def where(self, mask: npt.NDArray[np.bool_]) -> FrameTable:
        return FrameTable(self.frame.loc[mask], self.grouped, mask)

    def true(self, given: Hashable) -> Column:
        return self.column("true", given)

    def column(self, option: str, given: Hashable) -> Column:
        refuse_no_label(option, given, AS_COLUMNS.get(option, OTHERWISE))
        return given, column(self.frame, given)

    def optional(self, pred: Any) -> Any:
        """Return the predicted classes that a report was asked for, or that it was not."""
        if pred is None and None in self.frame.columns:
            raise ValueError(
                "pred=None may mean the column labelled None, or no predicted classes: give "
                "pred=[None], or rename the column"
            )
        return if_given(pred)

    def models(self, option: str, given: Any) -> tuple[list[Any], pd.Index[Any] | None]:
        if option == "proba":
            return _models_of_proba(given)
        if not isinstance(given, (list, pd.Index, np.ndarray)):
            return [given], None
        labels = list(given)
        for label in labels:
            refuse_no_label(option, label, OTHERWISE)
        name = self.frame.columns.name if self.frame.columns.name is not None else "model"
        return labels, pd.Index(labels, name=name, tupleize_cols=False)

    def groups(self, query: Query) -> Groups | None:
        if self.grouped is not None:
            return numbered(self.grouped, self.selected)
        if query.by is None:
            return None
        try:
            return group(self.frame, query.by, dropna=query.dropna)
        except UnknownNameError as error:
            raise self._of_models(error, query) from error

    def _of_models(self, error: UnknownNameError, query: Query) -> UnknownNameError:
        """Say it if a key that there is not is made by a list of models."""
        for given in (query.pred, query.score):
            models = self.models("pred", given)[1]
            if models is None or models.name not in names_of(query.by):
                continue
            if models.name not in [*self.frame.columns, *self.frame.index.names]:
                return UnknownNameError(
                    f"the frame has no column {models.name!r} for by=: the list of columns gives "
                    f"a row for each {models.name} by itself; leave {models.name!r} out of by="
                )
        return error

    def proba(self, given: ProbaLike, classes: pd.CategoricalDtype) -> list[Column]:
        if isinstance(given, np.ndarray) and given.ndim == 2:
            return columns_of_array(given, classes, self.index, self.selected)
        refuse_no_columns(given)
        return [self.column("proba", label) for label in columns_by_class(given, classes)]


@dataclass(frozen=True)
class SeriesTable(Table):
    """A Series of true classes, beside which there are Series and frames of equal index.

    Rows are selected once the indexes are seen to be equal.
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
        """Raise unless this is of that kind and has the index of the true classes."""
        true = self.series
        if not isinstance(other, kind):
            first = way(other) or f"give pd.{kind.__name__}(..., index=true.index)"
            raise TypeError(
                f"{option} must be a {kind.__name__} of pandas with the index of the true "
                f"classes, not {an(named(other))}: {first}"
            )
        if not other.index.equals(true.index):
            which = f" {other.name!r}" if isinstance(other, pd.Series) else ""
            raise ValueError(
                f"the index of {option}{which} is not that of the true classes {true.name!r}: "
                f"rows are never aligned silently; give {option}.set_axis(true.index) if the rows "
                f"are in the same order, or {option}.reindex(true.index) to align them by label"
            )


def _models_of_proba(given: Any) -> tuple[list[Any], pd.Index[Any] | None]:
    """Return the probabilities of each model; a list of labels is that of one, by class."""
    if isinstance(given, list) and given and isinstance(given[0], ONE_FORECAST):
        return given, pd.RangeIndex(len(given), name="model")
    return [given], None


SomeTable = TypeVar("SomeTable", bound=Table)


def _name_of(option: str, given: pd.Series[Any]) -> Hashable:
    """Return what errors call a Series, which may have no name."""
    return Given(option, option, option) if given.name is None else given.name


class RowsOrdinal(Ordinal, Generic[SomeTable]):
    """A surface whose rows a table holds."""

    _table: SomeTable

    def _score(self, metric: Metric, options: dict[str, Any], query: Query) -> Any:
        return sample(self._table, query).score(metric, options)


def sample(table: Table, query: Query, cluster: Any = None) -> Sample:
    """Gather the rows that a query asks about, and which of them belong together."""
    weighed: Column | None = None
    if query.sample_weight is not None:
        weighed = table.column("sample_weight", query.sample_weight)
        mask = mask_of(*weighed)
        if mask is not None:
            return sample(table.where(mask), replace(query, sample_weight=None), cluster)
    asked, models = _asked(table, query)
    columns = [table.true(query.true)]
    columns += [table.column("pred", given) for given in asked.get("pred", [])]
    classes = _classes(query, asked.get("proba", []), columns[0][1])
    ignored = labels_of(query.ignore)
    refuse_ignored_classes(query.classes, ignored)
    columns, out = _without(columns, ignored)
    all_codes, labels = codes_of(columns, classes)
    groups = table.groups(query)
    keep = groups.keep if groups else ALL_ROWS
    inputs = _inputs(table, query, asked, labels, keep)
    weights = weights_of(*weighed)[keep] if weighed is not None else None
    true, *preds = (
        LabelColumn(name, codes[keep]) for (name, _), codes in zip(columns, all_codes, strict=True)
    )
    clusters = None
    if cluster is not None:
        clusters = _clusters(*table.column("cluster", cluster), query.dropna)[keep]
        true = true._replace(codes=np.where(clusters < 0, -1, true.codes))
    counted = [true.codes] * len(next(iter(asked.values())))
    if inputs or ignored:
        left_out = [mask if mask is None else mask[keep] for mask in out]
        counted = counted_by(true, preds, inputs, left_out, len(counted), query.dropna)
    if "proba" in inputs:
        refuse_wrong(counted, inputs["proba"], table.index[keep])
    return Sample(
        scale=scale_of(labels, query.bins),
        true=true,
        counted=counted,
        preds=preds,
        inputs=inputs,
        weights=weights,
        in_fractions=weighed is not None and weighed[1].dtype.kind == "f",
        groups=groups,
        models=models,
        dropna=query.dropna or bool(ignored),  # then missing labels have been refused above
        clusters=clusters,
    )


def _clusters(name: Any, values: pd.Series[Any], dropna: bool) -> Codes:
    """Return a number for the cluster of each row, -1 where it is missing and may be."""
    codes, _ = pd.factorize(values)
    missing = int((codes < 0).sum())
    if missing and not dropna:
        raise MissingValueError(
            f"the cluster {name!r} is missing in {missing} row{'s' * (missing > 1)}: fill it, or "
            "leave these rows out with dropna=True"
        )
    return codes


def forecasts(
    table: Table, proba: ProbaLike, classes: ClassesLike | None
) -> tuple[Floats, pd.CategoricalDtype, npt.NDArray[np.bool_]]:
    """Read class probabilities without truth: them, the classes, and which rows have them all."""
    if isinstance(proba, np.ndarray) and proba.ndim == 2:
        _refuse_array_without_classes(classes is not None)
        labels = pd.Series(dtype=object)
    else:
        refuse_no_columns(proba)
        labels = pd.Series(proba if isinstance(proba, pd.CategoricalIndex) else list(proba))
    try:
        dtype = shared([("proba", labels)]) if classes is None else declared(classes)
    except ClassOrderError as error:
        if classes is not None:
            raise
        raise ClassOrderError(
            f"proba= names the classes {labels.tolist()} in no declared order: give "
            "classes=[...], lowest first, or the dtype of the true classes, as df['y'].dtype"
        ) from error
    columns = probabilities_of(table.proba(proba, dtype))
    known = np.logical_and.reduce(~np.isnan(columns[:]), axis=1)
    columns.refuse_wrong(np.where(known, 0, -1), table.index)
    return columns[:], dtype, known


def _refuse_array_without_classes(is_declared: bool) -> None:
    """Raise if nothing says which classes the columns of an array of probabilities are."""
    if not is_declared:
        raise ClassOrderError(
            "proba= is an array, whose columns have no names: give classes=[...], in the order of "
            "its columns"
        )


def _asked(table: Table, query: Query) -> tuple[dict[str, list[Any]], pd.Index[Any] | None]:
    """Return what is given for each model, by option, and the models if there are several."""
    asked: dict[str, list[Any]] = {}
    models = None
    for option, one in query.scored.items():
        given, names = table.models(option, one)
        if not asked:
            models = names
            if names is not None and (names.empty or not names.is_unique):
                raise ValueError(f"{option}={list(names)} must name one or more different columns")
        elif models is not None:
            given = _paired(option, one, given, names, models)
        elif names is not None:
            raise TypeError(
                f"{option}= lists {len(given)} models, but {next(iter(asked))}= names one: give "
                f"one, or a list of as many as {option}="
            )
        asked[option] = given
    return asked, models


def _paired(
    option: str, one: Any, given: list[Any], names: pd.Index[Any] | None, models: pd.Index[Any]
) -> list[Any]:
    """Return what is given for each of several models: by their names in a dict, else in order."""
    if isinstance(one, Mapping) and names is not None:
        if set(names) != set(models):
            raise ValueError(
                f"{option}= has the models {list(names)}, but there are {list(models)}: give a "
                "dict with the same ones"
            )
        return [one[model] for model in models]
    if names is None or len(given) != len(models):
        shown = an(type(one).__name__) if isinstance(one, pd.DataFrame) else repr(one)
        raise ValueError(
            f"{option}={shown} must be a list with an item for each of the {len(models)} "
            f"prediction columns {list(models)}, in their order"
        )
    return given


def _is_ordered(labels: pd.Series[Any]) -> bool:
    return isinstance(labels.dtype, pd.CategoricalDtype) and bool(labels.dtype.ordered)


def _classes(query: Query, proba: Sequence[Any], true: pd.Series[Any]) -> ClassesLike | None:
    """Return the classes that are given, or that probabilities declare; None for the labels'."""
    classes = query.classes
    if classes is None:
        classes = _declared_by(proba, true)
    if any(isinstance(one, np.ndarray) and one.ndim == 2 for one in proba):
        _refuse_array_without_classes(classes is not None or _is_ordered(true))
    return classes


def _declared_by(proba: Sequence[Any], true: pd.Series[Any]) -> pd.CategoricalDtype | None:
    """Return the classes that an ordered Categorical of columns of probabilities declares.

    Unless the truth declares an order of its own that is not part of it.
    """
    for given in proba:
        index = given.columns if isinstance(given, pd.DataFrame) else given
        if isinstance(index, pd.CategoricalIndex) and index.ordered:
            dtype = pd.CategoricalDtype(index.categories, ordered=True)
            own = true.cat.categories if _is_ordered(true) else index.categories
            places = positions_of(own, dtype)
            if (places >= 0).all() and (np.diff(places) > 0).all():
                return dtype
    return None


def _inputs(
    table: Table,
    query: Query,
    asked: Mapping[str, list[Any]],
    classes: pd.CategoricalDtype,
    keep: Keep,
) -> dict[str, list[Inputs]]:
    """Read the scores and the probabilities of each model, in the rows that belong to a group."""
    inputs: dict[str, list[Inputs]] = {}
    if "score" in asked:
        scores = [table.column("score", given) for given in asked["score"]]
        inputs["score"] = [Inputs([name], scores_of(name, one)[keep]) for name, one in scores]
    if "proba" in asked:
        inputs["proba"] = []
        for given in asked["proba"]:
            columns = table.proba(given, classes)
            proba = probabilities_of(columns)
            kept = replace(proba, columns=[one[keep] for one in proba.columns])
            inputs["proba"].append(Inputs([name for name, _ in columns], kept))
    return inputs


def _without(
    columns: Sequence[Column], ignored: Sequence[Any]
) -> tuple[list[Column], list[Mask | None]]:
    """Make labels missing that mean nothing, and tell which rows of each column these are."""
    kept: list[Column] = []
    masks = []
    for name, labels in columns:
        _refuse_text_among_numbers(name, labels, ignored)
        column, mask = without(readable(name, labels), ignored)
        kept.append((name, column))
        masks.append(mask)
    return kept, masks


def _refuse_text_among_numbers(
    name: Hashable, labels: pd.Series[Any], ignored: Sequence[Any]
) -> None:
    """Raise if a number is ignored by its text, which would ignore nothing."""
    texts = [one for one in ignored if isinstance(one, str)]
    if texts and labels.dtype.kind in "iuf":
        raise ClassOrderError(
            f"ignore= holds the text {texts[0]!r}, but {called(name)} holds numbers "
            f"({labels.dtype}): give the number"
        )


def counted_by(
    true: LabelColumn,
    preds: Sequence[LabelColumn],
    inputs: Mapping[str, Sequence[Inputs]],
    ignored: Sequence[Mask | None],
    n_models: int,
    dropna: bool,
) -> list[Codes]:
    """Return the true classes for each model, -1 in rows that lack a value of this model.

    All metrics of a report then count the same rows. A row with an ignored label, true or
    predicted, is left out, whatever else it lacks.
    """
    counted = []
    for model in range(n_models):
        labels = [true, *preds[model : model + 1]]
        others = [of_option[model] for of_option in inputs.values()]
        names = [one.name for one in labels] + [name for one in others for name in one.names]
        masks = [ignored[0], *ignored[model + 1 : model + 2]]
        n_missing, codes = np.zeros(len(names), int), true.codes
        for rows in blocks(len(codes)):
            out = np.zeros(len(codes[rows]), bool)
            for mask in masks:
                if mask is not None:
                    out |= mask[rows]
            lost = [one.codes[rows] < 0 for one in labels]
            lost += [column for one in others for column in one.missing(rows)]
            n_missing += [np.count_nonzero(column & ~out) for column in lost]
            missing = np.logical_or.reduce([out, *lost])
            if missing.any():
                codes = codes.copy() if codes is true.codes else codes
                codes[rows][missing] = -1
        for name, n in zip(names, n_missing, strict=True):
            refuse_missing(name, 0 if dropna else int(n))
        counted.append(codes)
    return counted


def refuse_wrong(counted: Sequence[Codes], proba: Sequence[Inputs], index: pd.Index[Any]) -> None:
    """Raise unless the probabilities of each model are valid in the rows that count."""
    for codes, one in zip(counted, proba, strict=True):
        assert isinstance(one.array, Probabilities)
        one.array.refuse_wrong(codes, index)
