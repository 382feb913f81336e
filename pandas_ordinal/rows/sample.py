"""`Sample`: the rows of a query as codes, and their counts, values and cube."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from pandas_ordinal import inference
from pandas_ordinal.classes.gate import refuse_missing
from pandas_ordinal.counting.arrays import Array, Codes, Floats, Positions, Probabilities, blocks
from pandas_ordinal.counting.counts import Counts, Factor, count, number_pairs
from pandas_ordinal.counting.forks import computed_once
from pandas_ordinal.cube.layout import build, refuse_size
from pandas_ordinal.groups import Groups, with_empty_bins
from pandas_ordinal.metrics.count_kernel import checked_stack, of_checked
from pandas_ordinal.metrics.metric import Resolved, registry
from pandas_ordinal.metrics.segments import Segments
from pandas_ordinal.metrics.stack import block_size
from pandas_ordinal.reports.metrics import Classes, of_counts_and_rows
from pandas_ordinal.rows.reference import Options, as_given
from pandas_ordinal.rows.repeats import warn_of_repeats
from pandas_ordinal.rows.results import Scores, laid_out_over
from pandas_ordinal.rows.sums import Norms, Tables, Units, norms_of


class LabelColumn(NamedTuple):
    """A column of labels: its name and its codes."""

    name: Hashable
    codes: Codes


class Inputs(NamedTuple):
    """The scores or the probabilities of one model, and the names of their columns.

    `lacking` selects rows that count for metrics of labels only; None if there are none.
    """

    names: list[Hashable]
    array: Array | Probabilities
    lacking: npt.NDArray[np.bool_] | None = None

    def of(self, rows: Segments) -> Segments:
        """Return the rows without those that lack a number."""
        if self.lacking is None:
            return rows
        return replace(rows, codes=np.where(self.lacking, -1, rows.codes))

    def missing(self, rows: slice) -> list[Array]:
        """Return which of some rows lack a number, by column that the model has."""
        array = self.array
        if not self.names:
            return []
        columns = array.columns if isinstance(array, Probabilities) else [array]
        return [column[rows] != column[rows] for column in columns]


@dataclass(frozen=True)
class Sample:
    """The rows of a query.

    Attributes
    ----------
    classes : Classes
        The classes.
    true : LabelColumn
        The true classes.
    counted : sequence of ndarray
        The true classes as each model is scored on them: -1 in rows that lack a value of that
        model.
    preds : sequence of LabelColumn
        The predicted classes of each model; empty if the query has only scores or probabilities.
    inputs : mapping
        The ``"score"``, or the ``"proba"``, of each model.
    weights : ndarray or None
        The weight of each row.
    in_fractions : bool
        Whether the weights are floats.
    groups : Groups or None
        The groups; None if all rows are one group.
    models : Index or None
        The models; None if there is a single one.
    dropna : bool
        Whether rows with a missing label are left out.
    clusters : ndarray or None
        The number of the cluster of each row; None if all rows are independent.
    folds : DataFrame or None
        The columns of repeated folds; None if there are none, or if there are clusters.
    times : ndarray or None
        How many rows each row of a table of counts stands for, in comparisons; None for one.
    summed : RowWeights or None
        The weights of these rows; None for 1.
    tables : Tables or None
        The counts, if they were added up over parts of the rows; None if the rows are in memory.
    shares : ndarray or None
        The shares that tables give to the predicted classes; None if these are those of the rows.
    read : callable
        Reads the options that have probabilities for each row, and checks those of rows with a
        code.
    """

    classes: Classes
    true: LabelColumn
    counted: Sequence[Codes]
    preds: Sequence[LabelColumn]
    inputs: Mapping[str, Sequence[Inputs]]
    weights: Floats | None
    in_fractions: bool
    groups: Groups | None
    models: pd.Index[Any] | None
    dropna: bool
    clusters: Codes | None = None
    folds: pd.DataFrame | None = None
    times: Floats | None = None
    summed: inference.paired.RowWeights | None = None
    tables: Tables | None = None
    shares: Floats | None = None
    read: Callable[[Options, Codes], Options] = as_given

    def _group_of_rows(self) -> Positions:
        """Return the number of the group of each row."""
        if self.groups is None:
            return np.zeros(len(self.true.codes), np.intp)
        return self.groups.numbers()

    def _is_counted(self, model: int) -> npt.NDArray[np.bool_]:
        """Return which rows have all labels of a model, and a weight."""
        counted = self.counted[model] >= 0
        if self.preds:
            counted &= self.preds[model].codes >= 0
        return counted if self.weights is None else counted & (self.weights > 0)

    def cube(self) -> xr.DataArray:
        """Return the counts as a cube, dense over the keys that occur."""
        keys, tables = self.keyed_tables()
        return build(tables, keys, self.models, self.classes.dtype)

    def keyed_tables(self) -> tuple[pd.Index[Any] | None, Array]:
        """Return the keys of the groups that occur, and the counts ``(groups, models, K, K)``."""
        refuse_size(len(self.preds) * self.n_classes**2)
        numbers, stacks, n_cells = [], [], 0
        for groups, _, tables in self.by_block():
            numbers.append(groups)
            stacks.append(tables)
            n_cells += tables.size
            refuse_size(n_cells)
        keys, places = self.keys(np.concatenate(numbers))
        return keys, laid_out_over(np.concatenate(stacks), places, keys, 0)

    @property
    def given(self) -> list[str]:
        """What can be scored: those of "pred", "score" and "proba" that the query gives."""
        return [*(["pred"] if self.preds else []), *self.inputs]

    @property
    def n_classes(self) -> int:
        """How many classes are declared."""
        return len(self.classes)

    @computed_once
    def rows(self) -> list[Counts]:
        """The counts of the rows of each model; missing labels raise unless they are dropped.

        The counts show how many labels are missing, so rows need not be searched. Rows without
        predicted classes are counted as if the true ones had been predicted.
        """
        if self.tables is not None:
            return self.tables.rows
        rows = self._count(None)
        for pred, counts in zip(self.preds, [] if self.dropna else rows, strict=False):
            without_true, without_pred = counts.missing()
            refuse_missing(self.true.name, without_true)
            refuse_missing(pred.name, without_pred)
        return rows

    @computed_once
    def counts(self) -> list[Counts]:
        """The weights of the rows of each model, by cell; `rows` itself without weights."""
        if self.tables is not None:
            return self.tables.counts
        return self.rows if self.weights is None else self._count(self.weights)

    def _count(self, weights: Floats | None) -> list[Counts]:
        return [self._sum(model, weights) for model in range(len(self.counted))]

    def _sum(self, model: int, weights: Floats | None) -> Counts:
        """Count the rows of a model by cell, or sum weights."""
        factors = self.groups.factors if self.groups else ()
        true = self.counted[model]
        pred = self.preds[model].codes if self.preds else true
        return count(factors, true, pred, self.n_classes, weights)

    def sums(self, name: str, model: int) -> list[Counts]:
        """Sum the terms of a metric of probabilities, in the cells of the rows."""
        metric, true = registry[name], self.counted[model]
        assert metric.means is not None
        there = true >= 0
        if self.weights is not None:
            there &= self.weights > 0
        proba, lacking = self.inputs["proba"][model].array, self.inputs["proba"][model].lacking
        with np.errstate(all="ignore"):
            of_rows = metric.means.of_row(proba[there], true[there])
        if lacking is not None:
            of_rows[:, lacking[there]] = np.nan
        if self.weights is not None:
            of_rows = of_rows * self.weights[there]
        added = np.zeros((len(of_rows), len(true)))
        added[:, there] = of_rows
        return [self._sum(model, one) for one in added]

    def scores(self, requested: Mapping[str, Resolved]) -> Scores:
        """Score by metrics of counts, and by metrics of rows."""
        of_counts, of_rows = of_counts_and_rows(requested)
        if not of_rows:
            return self._by_counts(of_counts)
        scores = self.by_rows(of_rows)
        if of_counts:
            scores.values.update(self._by_counts(of_counts).values)
        return scores

    def _by_counts(self, requested: Mapping[str, Resolved]) -> Scores:
        """Score block by block: memory follows the block, not the number of groups."""
        functions = {name: self.classes.function(*one) for name, one in requested.items()}
        numbers, n_rows, n_cells = [], [], 0
        values: dict[str, list[Array]] = {name: [] for name in requested}
        for groups, rows, counts in self.by_block():
            numbers.append(groups)
            shape = counts.shape[:2]
            stack, sums = checked_stack(counts.reshape(-1, *counts.shape[2:]))
            of_rows = sums.reshape(shape) if counts is rows else rows.sum(axis=(2, 3))
            n_rows.append(of_rows.astype(np.int64))
            for name, function in functions.items():
                part = of_checked(function, stack, sums)
                values[name].append(part.reshape(*shape, *part.shape[1:]))
                n_cells += part.size if part.ndim > 1 else 0
            refuse_size(n_cells)
        joined = {name: np.concatenate(values.pop(name)) for name in requested}
        return Scores(np.concatenate(numbers), np.concatenate(n_rows), joined)

    def warn_of_repeats(self, instead_of: str | None = None) -> None:
        """Warn if rows that are repeats of the same row count as independent."""
        if self.folds is None or self.tables is not None:
            return
        there = np.any([self._is_counted(model) for model in range(len(self.counted))], axis=0)
        group = 0 if self.groups is None else self.groups.numbers()
        cases = self.folds.assign(true=self.true.codes, group=group)[there]
        warn_of_repeats(cases, instead_of)

    def units(self, model: int) -> Units:
        """Count what intervals need besides the tables of the groups."""
        if self.tables is not None:
            return self.tables.units[model]
        true, pred = self.counted[model], self.preds[model].codes
        rows = norms = None
        if self.weights is not None:
            rows, norms = self.positive(model), self.norms(model)
        if self.clusters is None:
            return Units(rows, norms)
        there = self._is_counted(model)
        numbers = self._group_of_rows()[there]
        first, unit = number_pairs(numbers, self.clusters[there])
        weights = None if self.weights is None else self.weights[there]
        factors = [Factor(unit, len(first))]
        counts = count(factors, true[there], pred[there], self.n_classes, weights)
        return Units(rows, norms, counts, numbers[first])

    def groups_of_clusters(self) -> list[Positions]:
        """Return the group of each cluster, for each model; empty if there are no clusters."""
        if self.tables is not None:
            return [units.groups for units in self.tables.units if units.groups is not None]
        if self.clusters is None:
            return []
        numbers, counted = self._group_of_rows(), map(self._is_counted, range(len(self.counted)))
        return [
            numbers[there][number_pairs(numbers[there], self.clusters[there])[0]]
            for there in counted
        ]

    def positive(self, model: int) -> Counts:
        """Count the rows whose weight is not zero."""
        assert self.weights is not None
        return self._sum(model, (self.weights > 0).astype(float))

    def norms(self, model: int) -> Norms:
        """Return the norms of the weights."""
        assert self.weights is not None
        return norms_of(self.weights, partial(self._sum, model))

    def by_rows(self, requested: Mapping[str, Resolved]) -> Scores:
        """Score by metrics of rows: each group is a segment."""
        if self.tables is not None:
            return self._by_sums(requested, self.tables)
        segment, numbers = self.segments()
        n_rows = []
        values: dict[str, list[Array]] = {name: [] for name in requested}
        for model, codes in enumerate(self.counted):
            n_counted = np.zeros(len(numbers), np.intp)
            for block in blocks(len(codes), at_least=len(numbers)):
                is_there, there = codes[block] >= 0, segment[block]
                there = there if is_there.all() else there[is_there]
                n_counted += np.bincount(there, minlength=len(numbers))
            n_rows.append(n_counted)
            rows = Segments(codes, self.n_classes, segment, len(numbers), self.weights)
            for name, (metric, options) in requested.items():
                assert metric.by_segment is not None
                inputs = self.inputs[metric.takes][model]
                scored = inputs.of(rows)
                bound = self.classes.aligned(self.read(options, scored.codes))
                values[name].append(metric.by_segment(scored, inputs.array, **bound))
        stacked = {name: np.stack(parts, axis=1) for name, parts in values.items()}
        return Scores(numbers, np.stack(n_rows, axis=1), stacked)

    def _by_sums(self, requested: Mapping[str, Resolved], tables: Tables) -> Scores:
        """Score by metrics of rows, given their sums over all parts."""
        scores = self._by_counts({})
        for name, (metric, options) in requested.items():
            values = [
                tables.values(model, metric, self.classes.aligned(options), self.n_classes)
                for model in range(len(self.counted))
            ]
            scores.values[name] = np.stack(values, axis=1)
        return scores

    def segments(self) -> tuple[Positions, Positions]:
        """Return the segment of each row, and the number of the group of each segment."""
        if self.groups is None:
            return np.broadcast_to(np.intp(0), len(self.true.codes)), np.zeros(1, np.intp)
        numbers = self.groups.numbers()
        occurring = np.flatnonzero(np.bincount(numbers, minlength=self.groups.n_groups))
        if len(occurring) == self.groups.n_groups:
            return numbers, occurring
        segment = np.empty(self.groups.n_groups, np.intp)
        segment[occurring] = np.arange(len(occurring))
        return segment[numbers], occurring

    def by_block(self) -> Iterator[tuple[Positions, Array, Array]]:
        """Yield blocks of groups that have rows: their numbers, and tables of rows and of weights.

        The tables are ``(groups, models, K, K)``.
        """
        n_groups = self.rows[0].n_groups
        size = max(1, block_size(self.n_classes + 1) // len(self.rows))
        for start in range(0, max(n_groups, 1), size):
            stop = min(start + size, n_groups)
            rows = [counts.block(start, stop) for counts in self.rows]
            occurring = np.arange(stop - start)
            if self.groups:
                cells = rows[0].reshape(len(occurring), (self.n_classes + 1) ** 2)
                occurring = np.flatnonzero(cells.any(axis=1))
            selected = slice(None) if len(occurring) == stop - start else occurring
            in_rows = np.stack([tables[selected, 1:, 1:] for tables in rows], axis=1)
            in_weights = in_rows
            if self.counts is not self.rows:
                weighted = [counts.block(start, stop) for counts in self.counts]
                in_weights = np.stack([tables[selected, 1:, 1:] for tables in weighted], axis=1)
            if self.shares is not None:
                labels = self.classes.dtype.categories.tolist()
                in_weights = inference.strata.weigh_by_share(in_rows, self.shares, labels)
            yield start + occurring, in_rows, in_weights

    def axes(self, keys: pd.Index[Any] | None) -> list[pd.Index[Any]]:
        """Return the keys of a result, if there are any, and the models."""
        return [axis for axis in (keys, self.models) if axis is not None]

    def keys(self, numbers: Positions) -> tuple[pd.Index[Any] | None, Positions]:
        """Return the keys of a result, with empty bins, and the positions of groups among them."""
        return with_empty_bins(self.groups.index(numbers)) if self.groups else (None, numbers)
