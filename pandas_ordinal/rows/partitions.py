"""Frames in partitions, such as Dask frames: count each, add the counts, score the sum once.

A partition is read and counted like a frame in memory. The result is a table of counts, with a row
for each cell that has rows. Any engine can pass these tables on and concatenate them.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from pandas_ordinal.classes.columns import column, mask_of, refuse_no_label
from pandas_ordinal.counting.arrays import Array, Floats, Positions
from pandas_ordinal.counting.counts import Counts, number_pairs, sum_by_cell
from pandas_ordinal.cube.layout import axes_of, names_of_axes, refuse_size
from pandas_ordinal.groups import ALL_ROWS, Groups, Keep, group, levels_of
from pandas_ordinal.metrics.ascents import Ties
from pandas_ordinal.metrics.metric import Resolved, registry
from pandas_ordinal.query import Query, Uncertainty
from pandas_ordinal.reports.metrics import MetricsLike
from pandas_ordinal.rows.absent_inputs import (
    PatternRankings,
    by_pattern,
    n_patterns_of,
    settle_patterns,
    settle_rankings,
)
from pandas_ordinal.rows.gather import sample
from pandas_ordinal.rows.part_labels import (
    by_label,
    dtypes_of_groups,
    have_same_categories,
    listed,
    positions_along,
    refuse_undeclared,
    refuse_unknown_index,
    unordered,
)
from pandas_ordinal.rows.part_tables import (
    CELL,
    MODEL,
    NORM,
    POSITIVE,
    ROWS,
    WEIGHT,
    exact,
    key_column,
    settled,
    sum_parts,
)
from pandas_ordinal.rows.reference import refuse_reference_of_rows
from pandas_ordinal.rows.sample import Sample
from pandas_ordinal.rows.scored import report_sample, score_sample
from pandas_ordinal.rows.sums import Tables, Units, norms_of
from pandas_ordinal.rows.table import FrameTable


@dataclass(frozen=True, repr=False)
class Partitions:
    """How to read and count all partitions of a frame in the same way.

    Attributes
    ----------
    query : Query
        The query, with the classes that the whole frame declares.
    dtypes : mapping
        The dtype of each Categorical column in the whole frame, to which partitions are converted
        by label. None if the categories are not known.
    empty : Sample
        The sample of no rows.
    means : tuple of str
        The requested metrics of probabilities.
    rankings : mapping
        The requested metrics of scores, by their treatment of ties.
    by : tuple
        The keys of the groups.
    cluster : tuple
        The key of the clusters, which intervals need; empty if there are none.
    has_norms : bool
        Whether the squares of weights are added up, which intervals need.
    """

    query: Query
    dtypes: Mapping[Hashable, pd.CategoricalDtype | None]
    empty: Sample
    means: tuple[str, ...] = ()
    rankings: Mapping[Ties, tuple[str, ...]] = field(default_factory=dict)
    by: tuple[Hashable, ...] = ()
    cluster: tuple[Hashable, ...] = ()
    has_norms: bool = False

    def __repr__(self) -> str:
        """Return the query in short, for Dask to show."""
        scored = ", ".join(f"{option}={name!r}" for option, name in self.query.scored.items())
        return f"Partitions({self.query.true!r}, {scored}, by={self.query.by!r})"

    def scored_by(self, metrics: Iterable[Resolved]) -> Partitions:
        """Return partitions that also sum the terms of these metrics of rows."""
        of_rows = [(metric, options) for metric, options in metrics if metric.of_rows]
        means = [metric.name for metric, _ in of_rows if metric.means]
        rankings: dict[Ties, tuple[str, ...]] = {}
        for metric, options in of_rows:
            if not metric.means:
                ties = options.get("ties", "half")
                names = (*rankings.get(ties, ()), metric.name)
                rankings[ties] = tuple(dict.fromkeys(names))
        return replace(self, means=tuple(dict.fromkeys(means)), rankings=rankings)

    @property
    def key_columns(self) -> list[Hashable]:
        """The columns of the keys, and of the weights, which may select rows."""
        weight = [] if self.query.sample_weight is None else [self.query.sample_weight]
        return list(dict.fromkeys([*self.keys, *weight]))

    @property
    def columns(self) -> list[Hashable]:
        """The columns that the query reads. Keys may be index levels instead."""
        inputs = [
            name
            for of_models in self.empty.inputs.values()
            for values in of_models
            for name in values.names
        ]
        return list(dict.fromkeys([*_labels(self.query), *inputs, *self.key_columns]))

    @property
    def keys(self) -> list[Hashable]:
        """The names of the keys, of groups and then of clusters."""
        return listed(self.query.by)

    def count(self, part: pd.DataFrame) -> pd.DataFrame:
        """Count a partition: return a table of keys, model, cell, and sums over its rows."""
        return self.counted(self.rows_of(part))

    def rows_of(self, part: pd.DataFrame) -> Sample:
        """Read a partition."""
        rows = replace(
            sample(FrameTable(self._read(part)), self.query), read=refuse_reference_of_rows
        )
        if (rows.weights is None) != (self.empty.weights is None):
            raise _unsteady_weights(
                self.query.sample_weight, "booleans in some partitions and numbers in others"
            )
        return rows

    def counted(self, rows: Sample) -> pd.DataFrame:
        """Count the rows of a partition."""
        tables = [
            self._table(of_pattern, model, pattern)
            for pattern, of_pattern in by_pattern(rows)
            for model in range(len(rows.counted))
        ]
        return tables[0] if len(tables) == 1 else pd.concat(tables, ignore_index=True)

    def score(
        self,
        table: pd.DataFrame,
        name: str,
        options: Mapping[str, Any],
        rankings: PatternRankings = (),
    ) -> float | pd.Series[float] | xr.DataArray:
        """Compute a metric from the counts of all rows."""
        return score_sample(self.sample(table, rankings), registry[name], options)

    def report(
        self,
        table: pd.DataFrame,
        metrics: MetricsLike | None,
        uncertainty: Uncertainty,
        rankings: PatternRankings = (),
    ) -> pd.Series[float] | pd.DataFrame:
        """Compute several metrics from the counts of all rows."""
        return report_sample(self.sample(table, rankings), metrics, uncertainty)

    def sample(self, table: pd.DataFrame, rankings: PatternRankings = ()) -> Sample:
        """Return the sample of all rows, given the table of their counts."""
        if self.has_norms:
            table = sum_parts(table)  # roots of squares add up in no other way
        groups, numbers = self._numbered(table)
        n_groups = 1 if groups is None else groups.n_groups
        _, segment = np.unique(numbers, return_inverse=True)
        table, patterns = settle_patterns(table, segment, self.empty)
        cells = table[CELL].to_numpy() + numbers * self._n_cells
        counts: dict[str, list[Counts]] = {ROWS: [], self._counted: []}
        means, units = [], []
        for model in range(len(self.empty.counted)):
            rows: Keep = ALL_ROWS
            if self.empty.models is not None:
                rows = (table[MODEL] == model).to_numpy()
            of_model, sums = cells[rows], table.loc[rows]
            for name, of_models in counts.items():
                of_models.append(self._sums(n_groups, of_model, sums[name]))
            means.append(self._means(of_model, sums))
            units.append(self._units(n_groups, of_model, sums))
        ranked = settle_rankings(rankings, patterns)
        tables = Tables(counts[ROWS], counts[self._counted], means, ranked, units)
        return replace(self.empty, groups=groups, tables=tables)

    def _numbered(self, table: pd.DataFrame) -> tuple[Groups | None, Positions]:
        """Return the groups of a table, without the clusters, and their numbers."""
        if not self.by:
            return None, np.zeros(len(table), np.intp)
        groups = self.grouped(table, self.by)
        return groups, groups.numbers()

    def _sums(self, n_groups: int, cells: Array, values: npt.ArrayLike) -> Counts:
        return sum_by_cell(n_groups, self._n_classes, cells, np.asarray(values))

    def _units(self, n_groups: int, cells: Array, sums: pd.DataFrame) -> Units:
        """Return what intervals need besides the tables of the groups."""
        rows = norms = None
        if self.has_norms:
            rows = self._sums(n_groups, cells, sums[POSITIVE])
            norms = norms_of(sums[NORM].to_numpy(), partial(self._sums, n_groups, cells))
        if not self.cluster:
            return Units(rows, norms)
        number, cell = np.divmod(cells, self._n_cells)
        there = (cell > self._n_classes) & (cell % (self._n_classes + 1) > 0)
        if self.has_norms:
            there &= sums[POSITIVE].to_numpy() > 0
        number, cell, sums = number[there], cell[there], sums.loc[there]
        cluster = self.grouped(sums, self.cluster).numbers()
        first, unit = number_pairs(number, cluster)
        place = unit * self._n_cells + cell
        counts = self._sums(len(first), place, sums[self._counted])
        return Units(rows, norms, counts, number[first])

    def _means(self, cells: Array, sums: pd.DataFrame) -> dict[str, Floats]:
        """Return means over the rows of each group that count, ``(m, groups)``."""
        if not self.means:
            return {}
        number, cell = np.divmod(cells, self._n_cells)
        segment, n_groups = np.zeros(len(cells), np.intp), 1
        if self.by:
            occurring, segment = np.unique(number, return_inverse=True)
            n_groups = len(occurring)
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
        """Return how many sums over rows a metric of probabilities needs."""
        return len(self.empty.sums(name, 0))

    def axes(self, labels: Mapping[Hashable, pd.Index[Any]]) -> list[pd.Index[Any]]:
        """Return the labels along the dimensions of a cube before the classes."""
        models = self.empty.models
        axes = [*(labels[key] for key in self.keys), *([] if models is None else [models])]
        names_of_axes(axes)
        refuse_size(int(np.prod([*map(len, axes), self._n_classes**2], dtype=object)))
        return axes

    def cells(self, table: pd.DataFrame, axes: list[pd.Index[Any]]) -> pd.Series[Any]:
        """Return the counts of a whole cube, flattened."""
        table = settled(sum_parts(table), self._kinds)
        n_classes = self._n_classes
        true, pred = np.divmod(table[CELL].to_numpy(), n_classes + 1)
        positions = [
            positions_along(key, table[name], axis)
            for key, name, axis in zip(self.keys, self._key_columns, axes, strict=False)
        ]
        if self.empty.models is not None:
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
        rankings: PatternRankings,
    ) -> Floats:
        """Return the values of a metric by pairs of classes, ``(*axes, K, K)``."""
        occurring = self.score(table, name, options, rankings)
        assert isinstance(occurring, xr.DataArray)
        positions: list[Array] = [np.arange(size) for size in occurring.shape]
        for dim, (key, axis) in enumerate(zip(self.keys, axes, strict=False)):
            labels = pd.Series(occurring.indexes[occurring.dims[dim]])
            positions[dim] = positions_along(key, labels, axis)
        values = np.full((*map(len, axes), self._n_classes, self._n_classes), np.nan)
        values[np.ix_(*positions)] = occurring
        return values

    @property
    def known_labels(self) -> dict[Hashable, pd.Index[Any]]:
        """The labels of those keys that are known before rows are read."""
        return {
            key: pd.Index(dtype.categories, name=key)
            for key in self.keys
            if (dtype := self.dtypes.get(key)) is not None
        }

    def keys_of(self, groups: Groups, numbers: Positions) -> pd.DataFrame:
        """Return the keys of groups, one column per key."""
        levels, declared = levels_of(groups.index(numbers)), self._declared
        for place, (key, level) in enumerate(zip(self.keys, levels, strict=True)):
            # categories of this partition alone, not in the order of the frame
            if isinstance(level, pd.CategoricalIndex) and self.dtypes.get(key) is None:
                level = level.astype(level.categories.dtype)
            levels[place] = exact(key_column(key), level, declared[key_column(key)])
        return pd.DataFrame(dict(zip(self._key_columns, levels, strict=True)))

    def labels_in(self, groups: pd.DataFrame) -> dict[Hashable, pd.Index[Any]]:
        """Return the labels of each key in a table of all groups, in their order."""
        all_groups = self.grouped(groups, self.keys)
        index = all_groups.index(np.unique(all_groups.numbers()))
        return {key: labels for key, (labels, _) in zip(self.keys, axes_of(index), strict=True)}

    def grouped(self, table: pd.DataFrame, keys: Sequence[Hashable]) -> Groups:
        """Return the groups of a table by some of the keys, in their order."""
        table = settled(table, self._kinds)
        groups = group(table, [key_column(key) for key in keys], dropna=False)
        if len(groups.levels) == len(keys):
            pairs = zip(groups.levels, keys, strict=True)
            return replace(groups, levels=[level.rename(name) for level, name in pairs])
        return replace(groups, levels=[groups.levels[0].set_names(list(keys))])

    def groups_in(self, part: pd.DataFrame) -> pd.DataFrame:
        """Return the keys of the groups in a partition, each group once."""
        table = FrameTable(self._read(part))
        if self.query.sample_weight is not None:
            mask = mask_of(*table.column("sample_weight", self.query.sample_weight))
            table = table if mask is None else table.where(mask)
        groups = table.groups(self.query)
        assert groups is not None
        return self.keys_of(groups, pd.unique(groups.numbers()))

    def _table(self, rows: Sample, model: int, pattern: int) -> pd.DataFrame:
        counts, weighed = rows.rows[model], rows.counts[model]
        cells = counts.held()
        if pattern:  # rows that do not count are in the table of complete rows
            cells = cells[cells % self._n_cells > self._n_classes]
        numbers, cell = np.divmod(cells.astype(np.int64), self._n_cells)
        columns: dict[Hashable, Any] = {}
        if rows.groups is not None:
            columns.update(self.keys_of(rows.groups, numbers))
        # the tables of all partitions are in memory at the same time
        n_patterns = n_patterns_of(rows)
        most = len(rows.counted) * n_patterns
        columns[MODEL] = np.full(
            len(cells), model * n_patterns + pattern, np.min_scalar_type(most)
        )
        columns[CELL] = cell.astype(np.min_scalar_type(self._n_cells))
        columns[ROWS] = counts.at(cells)
        if weighed is not counts:
            columns[WEIGHT] = weighed.at(cells)
        if self.has_norms:
            columns[POSITIVE] = rows.positive(model).at(cells)
            columns[NORM] = rows.norms(model).at(cells)
        for name in self.means:
            for place, sums in enumerate(rows.sums(name, model)):
                columns[name, place] = sums.at(cells)
        return pd.DataFrame(columns, pd.RangeIndex(len(cell)), copy=False)

    def _read(self, part: pd.DataFrame) -> pd.DataFrame:
        """Return a partition with the Categorical dtypes of the whole frame."""
        recoded = {}
        for name, dtype in self.dtypes.items():
            if name not in part.columns:
                continue
            if dtype is None:
                recoded[name] = unordered(part[name])
            elif not have_same_categories(part[name].dtype, dtype):
                recoded[name] = by_label(name, part[name], dtype, name in self.keys)
        part = part.copy(deep=False)
        for name, values in recoded.items():
            part[name] = values
        return part

    @property
    def _key_columns(self) -> list[str]:
        """The columns of the keys in tables."""
        return [key_column(key) for key in self.keys]

    @property
    def _kinds(self) -> dict[str, str]:
        """The kind that the whole frame declares, as in NumPy, by the column of each key."""
        return {name: dtype.kind for name, dtype in self._declared.items()}

    @property
    def _declared(self) -> dict[str, Any]:
        """The dtype that the whole frame declares, by the column of each key."""
        if self.empty.groups is None:
            return {}
        levels = levels_of(self.empty.groups.index(np.zeros(0, np.intp)))
        # unknown categories are most often text or integers
        return {
            key_column(key): np.dtype(int) if self._is_unknown(key) else level.dtype
            for key, level in zip(self.keys, levels, strict=True)
        }

    def _is_unknown(self, key: Hashable) -> bool:
        """Whether a key is a Categorical with categories that only the partitions know."""
        return key in self.dtypes and self.dtypes[key] is None

    @property
    def _counted(self) -> str:
        """The column with the values of a cube."""
        return ROWS if self.empty.weights is None else WEIGHT

    @property
    def _n_classes(self) -> int:
        return len(self.empty.classes)

    @property
    def _n_cells(self) -> int:
        """The number of cells per group, including those of missing labels."""
        return (self._n_classes + 1) ** 2


def partitions_of(
    empty: pd.DataFrame, query: Query, unknown: Collection[Hashable], cluster: Any = None
) -> Partitions:
    """Check the query of a frame whose rows are not read yet.

    Parameters
    ----------
    empty : DataFrame
        The frame without its rows.
    query : Query
        The query.
    unknown : collection
        The Categorical columns whose categories only the partitions know.
    cluster : label, optional
        The column that identifies clusters of rows.
    """
    by, clusters = tuple(listed(query.by)), () if cluster is None else (cluster,)
    if clusters:
        refuse_no_label("cluster", cluster, "an array becomes one by ddf.assign(cluster=array)")
        column(empty, cluster)
        query = replace(query, by=list(dict.fromkeys([*by, cluster])))
    columns = {"true": [query.true], "pred": query.pred, "score": query.score, "by": query.by}
    for option, names in columns.items():
        for name in listed(names):
            refuse_no_label(option, name, "add it to the frame with ddf.assign(...)")
    empty = empty.copy(deep=False)
    groups = dtypes_of_groups(query)
    refuse_unknown_index(empty, query)
    dtypes: dict[Hashable, pd.CategoricalDtype | None] = {}
    for name in dict.fromkeys([*_labels(query), *listed(query.score), *listed(query.by)]):
        if name in groups:
            dtypes[name] = groups[name]
        elif name in unknown:
            dtypes[name] = None
        elif name in empty.columns:
            declared = column(empty, name).dtype
            if isinstance(declared, pd.CategoricalDtype):
                dtypes[name] = declared
    if query.classes is None:
        refuse_undeclared([(name, column(empty, name)) for name in _labels(query)], unknown)
    for name, dtype in dtypes.items():
        empty[name] = empty[name].astype(object if dtype is None else dtype)
    _refuse_objects_as_weights(empty, query)
    no_rows = replace(sample(FrameTable(empty), query), read=refuse_reference_of_rows)
    query = replace(query, classes=no_rows.classes.labels)
    return Partitions(query, dtypes, no_rows, by=by, cluster=clusters)


def _labels(query: Query) -> list[Hashable]:
    """Return the names of the columns of labels."""
    return [query.true, *([None] if query.pred is None else listed(query.pred))]


def _refuse_objects_as_weights(empty: pd.DataFrame, query: Query) -> None:
    """Raise for weights of dtype object: only rows show whether they select or weigh."""
    name = query.sample_weight
    if name is None:
        return
    refuse_no_label("sample_weight", name, "an array becomes one by ddf.assign(weight=array)")
    if column(empty, name).dtype == object:
        raise _unsteady_weights(name, "objects")


def _unsteady_weights(name: Hashable, held: str) -> TypeError:
    return TypeError(
        f"sample_weight {name!r} holds {held}: to select rows, convert it with "
        f"ddf[{name!r}].astype(bool); to weigh them, with .astype(float)"
    )
