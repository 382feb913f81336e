"""Frames in parts: each part is counted alone, the counts are added, the sum is scored once.

A part is read and counted as a frame in memory is. Its counts go on as a table with a row for each
cell that holds rows, which any engine can hand on and put one below the other.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.classes.columns import column, mask_of, refuse_no_label
from pandas_ordinal.classes.gate import positions_of
from pandas_ordinal.classes.undeclared import Column
from pandas_ordinal.counting.arrays import Array, Floats, Positions
from pandas_ordinal.counting.counts import Counts, starts_of, sum_by_cell
from pandas_ordinal.cube.layout import axes_of, names_of_axes, refuse_size
from pandas_ordinal.errors import ClassOrderError, called, show
from pandas_ordinal.groups import ALL_ROWS, Groups, Keep, group, levels_of
from pandas_ordinal.metrics.ascents import Ties
from pandas_ordinal.metrics.metric import Resolved, registry
from pandas_ordinal.query import ABSENT, Query, Uncertainty
from pandas_ordinal.reports.metrics import MetricsLike
from pandas_ordinal.rows.gather import sample
from pandas_ordinal.rows.sample import Rankings, Sample, Tables
from pandas_ordinal.rows.table import FrameTable

MODEL, CELL, ROWS, WEIGHT = "model", "cell", "rows", "weight"


@dataclass(frozen=True, repr=False)
class Parts:
    """How the parts of a frame are read and counted, each in the same way.

    Attributes
    ----------
    query : Query
        What is asked about, with the classes that the whole frame declares.
    dtypes : mapping
        The dtype that a Categorical column has in the whole frame, in which parts are read by
        label; None where its categories are not known.
    nothing : Sample
        The sample of no rows.
    means : tuple of str
        The metrics of probabilities that are asked for.
    rankings : mapping
        The metrics of scores that are asked for, by what they count of ties.
    """

    query: Query
    dtypes: Mapping[Hashable, pd.CategoricalDtype | None]
    nothing: Sample
    means: tuple[str, ...] = ()
    rankings: Mapping[Ties, tuple[str, ...]] = field(default_factory=dict)

    def __repr__(self) -> str:
        """Say what is asked, in few words: Dask shows it."""
        scored = ", ".join(f"{option}={one!r}" for option, one in self.query.scored.items())
        return f"Parts({self.query.true!r}, {scored}, by={self.query.by!r})"

    def scored_by(self, wanted: Iterable[Resolved]) -> Parts:
        """Return parts that also add up what these metrics of rows need."""
        of_rows = [one for one in wanted if one.metric.of_rows]
        means = [one.metric.name for one in of_rows if one.metric.means]
        rankings: dict[Ties, tuple[str, ...]] = {}
        for metric, options in of_rows:
            if not metric.means:
                ties = options.get("ties", "half")
                names = (*rankings.get(ties, ()), metric.name)
                rankings[ties] = tuple(dict.fromkeys(names))
        return replace(self, means=tuple(dict.fromkeys(means)), rankings=rankings)

    @property
    def key_columns(self) -> list[Hashable]:
        """The columns that tell which groups there are, and the selection of rows."""
        weight = [] if self.query.sample_weight is None else [self.query.sample_weight]
        return list(dict.fromkeys([*self.keys, *weight]))

    @property
    def columns(self) -> list[Hashable]:
        """The columns that are read; keys may be index levels instead."""
        inputs = [name for of in self.nothing.inputs.values() for one in of for name in one.names]
        return list(dict.fromkeys([*_labels(self.query), *inputs, *self.key_columns]))

    @property
    def keys(self) -> list[Hashable]:
        """The names of the keys."""
        return _listed(self.query.by)

    def count(self, part: pd.DataFrame) -> pd.DataFrame:
        """Count a part of the rows: a table of keys, model, cell, and what its rows add up to."""
        return self.counted(self.rows_of(part))

    def rows_of(self, part: pd.DataFrame) -> Sample:
        """Read a part of the rows."""
        rows = sample(FrameTable(self._read(part)), self.query)
        if (rows.weights is None) != (self.nothing.weights is None):
            raise _unsteady_weights(self.query.sample_weight, "booleans or numbers, part by part")
        return rows

    def counted(self, rows: Sample) -> pd.DataFrame:
        """Count rows that have been read."""
        tables = [self._table(rows, model) for model in range(len(rows.counted))]
        return tables[0] if len(tables) == 1 else pd.concat(tables, ignore_index=True)

    def score(
        self,
        table: pd.DataFrame,
        name: str,
        options: Mapping[str, Any],
        rankings: Rankings = (),
    ) -> float | pd.Series[float] | xr.DataArray:
        """Score what all rows add up to by one metric."""
        return self.sample(table, rankings).score(registry[name], options)

    def report(
        self,
        table: pd.DataFrame,
        metrics: MetricsLike | None,
        uncertainty: Uncertainty,
        rankings: Rankings = (),
    ) -> pd.Series[float] | pd.DataFrame:
        """Score what all rows add up to by several metrics."""
        return self.sample(table, rankings).report(metrics, uncertainty)

    def sample(self, table: pd.DataFrame, rankings: Rankings = ()) -> Sample:
        """Return the sample of all rows, which add up to this."""
        groups, n_groups, cells = None, 1, table[CELL].to_numpy()
        if self.keys:
            groups = self.grouped(table)
            n_groups = groups.n_groups
            cells = cells + groups.numbers() * self._n_cells
        counts: dict[str, list[Counts]] = {ROWS: [], self._counted: []}
        means = []
        for model in range(len(self.nothing.counted)):
            rows: Keep = ALL_ROWS
            if self.nothing.models is not None:
                rows = (table[MODEL] == model).to_numpy()
            held, sums = cells[rows], table.loc[rows]
            for name, of_models in counts.items():
                values = sums[name].to_numpy()
                of_models.append(sum_by_cell(n_groups, self._n_classes, held, values))
            means.append(self._means(held, sums))
        tables = Tables(counts[ROWS], counts[self._counted], means, rankings)
        return replace(self.nothing, groups=groups, tables=tables)

    def _means(self, cells: Array, sums: pd.DataFrame) -> dict[str, Floats]:
        """Return the means over the rows of each group that count, ``(m, groups)``."""
        if not self.means:
            return {}
        number, cell = np.divmod(cells, self._n_cells)
        segment, n_groups = np.zeros(len(cells), np.intp), 1
        if self.keys:
            found, segment = np.unique(number, return_inverse=True)
            n_groups = len(found)
        counts = np.where(cell > self._n_classes, sums[self._counted], 0)  # true class not missing
        with np.errstate(all="ignore"):
            total = np.bincount(segment, counts, n_groups)
            return {
                name: np.stack(
                    [
                        np.bincount(segment, sums[name, place], n_groups) / total
                        for place in range(self._n_sums(name))
                    ]
                )
                for name in self.means
            }

    def _n_sums(self, name: str) -> int:
        """Tell how many sums over rows a metric of probabilities needs."""
        return len(self.nothing.sums(name, 0))

    def axes(self, levels: Mapping[Hashable, pd.Index[Any]]) -> list[pd.Index[Any]]:
        """Return the labels along the dimensions of a cube that come before the classes."""
        models = self.nothing.models
        axes = [*(levels[key] for key in self.keys), *([] if models is None else [models])]
        names_of_axes(axes)
        refuse_size(int(np.prod([*map(len, axes), self._n_classes**2], dtype=object)))
        return axes

    def cells(self, table: pd.DataFrame, axes: list[pd.Index[Any]]) -> pd.Series[Any]:
        """Return the counts of a whole cube, one below the other."""
        table = sum_parts(table)
        n_classes = self._n_classes
        true, pred = np.divmod(table[CELL].to_numpy(), n_classes + 1)
        positions = [
            _places(key, table[name], level)
            for key, name, level in zip(self.keys, self._key_columns, axes, strict=False)
        ]
        if self.nothing.models is not None:
            positions.append(table[MODEL].to_numpy())
        known = (true > 0) & (pred > 0)  # slot 0 is for missing labels, which were left out
        cells = tuple(codes[known] for codes in (*positions, true - 1, pred - 1))
        values = table[self._counted].to_numpy()[known]
        cube = np.zeros((*map(len, axes), n_classes, n_classes), values.dtype)
        cube[cells] = values
        return pd.Series(cube.ravel())

    def matrices(
        self,
        table: pd.DataFrame,
        axes: list[pd.Index[Any]],
        name: str,
        options: Mapping[str, Any],
        rankings: Rankings,
    ) -> Floats:
        """Return the scores of a metric by pairs of classes, ``(*axes, K, K)``."""
        found = self.sample(table, rankings).score(registry[name], options)
        assert isinstance(found, xr.DataArray)
        places: list[Array] = [np.arange(size) for size in found.shape]
        for axis, (key, level) in enumerate(zip(self.keys, axes, strict=False)):
            places[axis] = _places(key, pd.Series(found.indexes[found.dims[axis]]), level)
        values = np.full((*map(len, axes), self._n_classes, self._n_classes), np.nan)
        values[np.ix_(*places)] = found
        return values

    @property
    def levels(self) -> dict[Hashable, pd.Index[Any]]:
        """The labels of those keys that are known before a row is read."""
        return {
            key: pd.Index(dtype.categories, name=key)
            for key in self.keys
            if (dtype := self.dtypes.get(key)) is not None
        }

    def keys_of(self, groups: Groups, numbers: Positions) -> pd.DataFrame:
        """Return the keys of these groups, a column each."""
        levels = levels_of(groups.index(numbers))
        for place, (key, level) in enumerate(zip(self.keys, levels, strict=True)):
            # the categories of this part alone, in an order that is not that of the whole
            if isinstance(level, pd.CategoricalIndex) and self.dtypes.get(key) is None:
                levels[place] = level.astype(level.categories.dtype)
        return pd.DataFrame(dict(zip(self._key_columns, levels, strict=True)))

    def found(self, groups: pd.DataFrame) -> dict[Hashable, pd.Index[Any]]:
        """Return the labels of the keys of all groups, in their order."""
        all_groups = self.grouped(groups)
        index = all_groups.index(np.unique(all_groups.numbers()))
        return {key: labels for key, (labels, _) in zip(self.keys, axes_of(index), strict=True)}

    def grouped(self, table: pd.DataFrame) -> Groups:
        """Return the groups of a table of keys, in their order."""
        groups = group(table, self._key_columns, dropna=False)
        if len(groups.levels) == len(self.keys):
            pairs = zip(groups.levels, self.keys, strict=True)
            return replace(groups, levels=[level.rename(name) for level, name in pairs])
        return replace(groups, levels=[groups.levels[0].set_names(self.keys)])

    def groups_in(self, part: pd.DataFrame) -> pd.DataFrame:
        """Return the keys of the groups of a part of the rows, each group once."""
        table = FrameTable(self._read(part))
        if self.query.sample_weight is not None:
            mask = mask_of(*table.column("sample_weight", self.query.sample_weight))
            table = table if mask is None else table.where(mask)
        groups = table.groups(self.query)
        assert groups is not None
        return self.keys_of(groups, pd.unique(groups.numbers()))

    def _table(self, rows: Sample, model: int) -> pd.DataFrame:
        counts, weighed = rows.rows[model], rows.counts[model]
        cells = counts.held()
        numbers, cell = np.divmod(cells.astype(np.int64), self._n_cells)
        columns: dict[Hashable, Any] = {}
        if rows.groups is not None:
            columns.update(self.keys_of(rows.groups, numbers))
        # the tables of all parts are in memory together
        columns[MODEL] = np.full(len(cells), model, np.min_scalar_type(len(rows.counted)))
        columns[CELL] = cell.astype(np.min_scalar_type(self._n_cells))
        columns[ROWS] = counts.at(cells)
        if weighed is not counts:
            columns[WEIGHT] = weighed.at(cells)
        for name in self.means:
            for place, sums in enumerate(rows.sums(name, model)):
                columns[name, place] = sums.at(cells)
        return pd.DataFrame(columns, pd.RangeIndex(len(cell)), copy=False)

    def _read(self, part: pd.DataFrame) -> pd.DataFrame:
        """Return a part whose Categorical columns have the dtype that the whole frame has."""
        recoded = {}
        for name, dtype in self.dtypes.items():
            if name not in part.columns:
                continue
            if dtype is None:
                recoded[name] = _unordered(part[name])
            elif not _same(part[name].dtype, dtype):
                recoded[name] = _by_label(name, part[name], dtype, name in self.keys)
        part = part.copy(deep=False)
        for name, values in recoded.items():
            part[name] = values
        return part

    @property
    def _key_columns(self) -> list[str]:
        """What the keys are called in tables, where no name of theirs can be in the way."""
        return [f"key {place}" for place, _ in enumerate(self.keys)]

    @property
    def _counted(self) -> str:
        """The column that a cube shows."""
        return ROWS if self.nothing.weights is None else WEIGHT

    @property
    def _n_classes(self) -> int:
        return len(self.nothing.scale)

    @property
    def _n_cells(self) -> int:
        """How many cells a group has, those of missing labels included."""
        return (self._n_classes + 1) ** 2


def sum_parts(table: pd.DataFrame) -> pd.DataFrame:
    """Add up the counts of several parts, one below the other."""
    columns = list(table.columns)
    keys = columns[: columns.index(MODEL)]
    model, cells = table[MODEL].to_numpy(np.int64), table[CELL].to_numpy(np.int64)
    cells = cells + model * (cells.max(initial=0) + 1)
    if keys:
        numbers = group(table, keys, dropna=False).numbers()
        cells = cells + numbers * (cells.max(initial=0) + 1)
    order = np.argsort(cells, kind="stable")
    starts = starts_of(cells[order])
    summed = table.iloc[order[starts]].reset_index(drop=True)
    for name in columns[columns.index(CELL) + 1 :] if len(starts) else []:
        summed[name] = np.add.reduceat(table[name].to_numpy()[order], starts)
    return summed


def parts_of(empty: pd.DataFrame, query: Query, unknown: Collection[Hashable]) -> Parts:
    """Check what is asked about a frame, of which only the columns are known.

    Parameters
    ----------
    empty : DataFrame
        The frame without its rows.
    query : Query
        What is asked.
    unknown : collection
        The Categorical columns whose categories only their parts know.
    """
    asked = {"true": [query.true], "pred": query.pred, "score": query.score, "by": query.by}
    for option, given in asked.items():
        for name in _listed(given):
            refuse_no_label(option, name, "what is no column yet becomes one by ddf.assign(...)")
    empty = empty.copy(deep=False)
    levels = _levels_given(query)
    _refuse_levels_of_index(empty, query)
    dtypes: dict[Hashable, pd.CategoricalDtype | None] = {}
    for name in dict.fromkeys([*_labels(query), *_listed(query.score), *_listed(query.by)]):
        if name in levels:
            dtypes[name] = levels[name]
        elif name in unknown:
            dtypes[name] = None
        elif name in empty.columns:
            declared = column(empty, name).dtype
            if isinstance(declared, pd.CategoricalDtype):
                dtypes[name] = declared
    if query.classes is None:
        _refuse_undeclared([(name, column(empty, name)) for name in _labels(query)], unknown)
    for name, dtype in dtypes.items():
        empty[name] = empty[name].astype(object if dtype is None else dtype)
    _refuse_objects_as_weights(empty, query)
    nothing = sample(FrameTable(empty), query)
    return Parts(replace(query, classes=nothing.scale.labels), dtypes, nothing)


def _listed(given: Any) -> list[Any]:
    """Return what an option names, one or several."""
    if given is None or given is ABSENT:
        return []
    return list(given) if isinstance(given, (list, pd.Index, np.ndarray)) else [given]


def _labels(query: Query) -> list[Hashable]:
    """Return the names of the columns of labels."""
    return [query.true, *([None] if query.pred is None else _listed(query.pred))]


def _levels_given(query: Query) -> dict[Hashable, pd.CategoricalDtype]:
    """Return the labels that are given for keys, as dtypes."""
    if query.levels is None:
        return {}
    if not isinstance(query.levels, Mapping):
        raise TypeError(
            f"levels= takes a dict {{key: [label, ...]}}, not a {type(query.levels).__name__}"
        )
    dtypes = {}
    for key, labels in query.levels.items():
        if key not in _listed(query.by):
            raise ValueError(f"levels= names {key!r}, which is not in by={query.by!r}")
        index = pd.Index(labels)
        if not len(index) or index.hasnans or not index.is_unique:
            raise ValueError(
                f"levels[{key!r}]={show(index)} must be one or more different labels, none missing"
            )
        dtypes[key] = pd.CategoricalDtype(index)
    return dtypes


def _refuse_levels_of_index(empty: pd.DataFrame, query: Query) -> None:
    """Raise for a key of the index whose parts may be coded each in its own way."""
    for key in _listed(query.by):
        if key in empty.columns or key not in empty.index.names:
            continue
        is_categorical = isinstance(empty.index, pd.CategoricalIndex)
        if is_categorical or key in (query.levels or {}):
            raise ValueError(
                f"the key {key!r} is the index, whose labels cannot be declared: make it a column "
                "with ddf.reset_index()"
            )


def _refuse_undeclared(columns: list[Column], unknown: Collection[Hashable]) -> None:
    """Raise if the classes cannot be told before the rows are read."""
    for name, _ in columns:
        if name in unknown:
            raise ClassOrderError(
                f"the categories of {called(name)} are not known before it is read: declare them "
                f"in order, ddf[{name!r}] = ddf[{name!r}].astype(pd.CategoricalDtype([<lowest>, "
                "..., <highest>], ordered=True)), or give classes=[<lowest>, ..., <highest>]"
            )
    if any(getattr(labels.dtype, "ordered", False) for _, labels in columns):
        return
    for name, labels in columns:
        if labels.dtype.kind != "b":
            raise ClassOrderError(
                f"{called(name)} ({labels.dtype}) does not tell the classes before it is read: "
                "give classes=[<lowest>, ..., <highest>], of integers classes=range(<lowest>, "
                "<highest> + 1)"
            )


def _refuse_objects_as_weights(empty: pd.DataFrame, query: Query) -> None:
    """Raise for weights of which only the rows tell whether they select or weigh."""
    name = query.sample_weight
    if name is not None and column(empty, name).dtype == object:
        raise _unsteady_weights(name, "objects")


def _unsteady_weights(name: Hashable, held: str) -> TypeError:
    return TypeError(
        f"sample_weight {name!r} holds {held}: say whether it selects rows or weighs them, "
        f"with ddf[{name!r}].astype(bool) or .astype(float)"
    )


def _same(dtype: Any, other: pd.CategoricalDtype) -> bool:
    """Tell whether a dtype has the same categories in the same order."""
    return (
        isinstance(dtype, pd.CategoricalDtype)
        and dtype.ordered == other.ordered
        and dtype.categories.equals(other.categories)
    )


def _by_label(
    name: Hashable, values: pd.Series[Any], dtype: pd.CategoricalDtype, is_key: bool
) -> pd.Series[Any]:
    """Return a column in a dtype, matched by label."""
    is_categorical = isinstance(values.dtype, pd.CategoricalDtype)
    labels = values.cat.categories if is_categorical else pd.Index(values.dropna().unique())
    lost = labels[positions_of(labels, dtype) < 0]
    if is_categorical and len(lost):
        lost = lost[lost.isin(values.unique())]
    if not len(lost) and is_categorical:  # astype takes dtypes of the same set for equal
        return values.cat.set_categories(dtype.categories, ordered=dtype.ordered)
    if not len(lost):
        return values.astype(dtype)
    if is_key:
        raise ValueError(
            f"the key {name!r} holds {show(lost)}, which its labels "
            f"{show(dtype.categories)} lack: declare all, as with levels={{{name!r}: [...]}}"
        )
    return _unordered(values)  # the gate says which labels are no classes


def _unordered(values: pd.Series[Any]) -> pd.Series[Any]:
    """Return the labels of a part alone, whose order is not that of the whole."""
    if not isinstance(values.dtype, pd.CategoricalDtype):
        return values
    return values.cat.as_unordered()


def _places(key: Hashable, labels: pd.Series[Any], level: pd.Index[Any]) -> Array:
    """Return where the labels of a key are along its axis."""
    places = positions_of(pd.Index(labels.unique()), pd.CategoricalDtype(level))
    if (places < 0).any():
        raise ValueError(
            f"the key {key!r} has labels that it did not have when they were looked up, which are "
            f"none of {show(level)}: the data has changed; call confusion(...) again"
        )
    codes = pd.factorize(labels)[0]
    return places[codes]
