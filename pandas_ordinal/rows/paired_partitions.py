"""Models compared on a frame in partitions: rows with the same labels are counted together.

Each partition becomes a table with a row for each combination of group, cluster, true class and
predicted classes that occurs. The sum of these tables has all that a comparison reads.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from pandas_ordinal.counting.arrays import Array, Codes
from pandas_ordinal.counting.counts import Factor, count
from pandas_ordinal.inference.paired import RowWeights
from pandas_ordinal.query import Comparison
from pandas_ordinal.reports.metrics import MetricsLike
from pandas_ordinal.rows.compare import (
    compare_sample,
    refuse_taken_names,
    requested_of,
    result_of_no_rows,
)
from pandas_ordinal.rows.long_format import refuse_missing_labels
from pandas_ordinal.rows.part_tables import CELL, MODEL, NORM, POSITIVE, ROWS, WEIGHT, sum_parts
from pandas_ordinal.rows.partitions import Partitions
from pandas_ordinal.rows.sample import LabelColumn, Sample
from pandas_ordinal.rows.sums import norms_of


@dataclass(frozen=True)
class PairedPartitions:
    """How to count the rows of all partitions, and compare the models on their sum.

    Attributes
    ----------
    partitions : Partitions
        The query.
    metrics, comparison
        What to compare by, and how.
    """

    partitions: Partitions
    metrics: MetricsLike | None
    comparison: Comparison

    @property
    def _slots(self) -> tuple[int, ...]:
        """The shape of the cells of a group: an axis for each column of labels."""
        empty = self.partitions.empty
        return (len(empty.classes) + 1,) * (len(empty.preds) + 1)

    def count(self, part: pd.DataFrame) -> pd.DataFrame:
        """Count a partition: return a table of keys, cells, and numbers of rows."""
        rows = self.partitions.rows_of(part)
        refuse_missing_labels(rows)
        *others, last = [
            pred.codes if counted is rows.true.codes else np.where(counted < 0, -1, pred.codes)
            for pred, counted in zip(rows.preds, rows.counted, strict=True)
        ]
        keys = [] if rows.groups is None else list(rows.groups.factors)
        n_groups = 1 if rows.groups is None else rows.groups.n_groups
        n_cells = int(np.prod(self._slots, dtype=object))
        _refuse_too_many(n_groups * n_cells, len(rows.preds))
        models = [Factor(codes, self._slots[0], -1) for codes in others]
        add = partial(count, [*keys, *models], rows.true.codes, last, rows.n_classes)
        counts = add()
        cells = counts.held()
        numbers, cell = np.divmod(cells.astype(np.int64), n_cells)
        columns: dict[Hashable, Any] = {}
        if rows.groups is not None:
            columns.update(self.partitions.keys_of(rows.groups, numbers))
        columns[MODEL] = np.zeros(len(cells), np.uint8)
        columns[CELL] = cell.astype(np.min_scalar_type(n_cells))
        columns[ROWS] = counts.at(cells)
        if rows.weights is not None:
            columns[WEIGHT] = add(rows.weights).at(cells)
            columns[POSITIVE] = add((rows.weights > 0).astype(float)).at(cells)
            columns[NORM] = norms_of(rows.weights, add).at(cells)
        return pd.DataFrame(columns, pd.RangeIndex(len(cell)), copy=False)

    def compare(self, table: pd.DataFrame) -> pd.DataFrame:
        """Compare the models, given the tables of all partitions."""
        return compare_sample(self.sample(sum_parts(table)), self.metrics, self.comparison)

    def sample(self, table: pd.DataFrame) -> Sample:
        """Return the rows of a table; each stands for the number that the table has."""
        partitions, empty = self.partitions, self.partitions.empty
        slots = np.unravel_index(table[CELL].to_numpy(np.int64), self._slots)
        *others, true, last = [_codes(slot, self._slots[0]) for slot in slots]
        preds, weights = [*others, last], None
        if empty.weights is not None:
            sums = (table[name].to_numpy(float) for name in (WEIGHT, NORM, POSITIVE))
            weights = RowWeights(*sums)
        return replace(
            empty,
            true=LabelColumn(empty.true.name, true),
            preds=[one._replace(codes=c) for one, c in zip(empty.preds, preds, strict=True)],
            counted=[np.where(codes < 0, -1, true) for codes in preds],
            groups=partitions.grouped(table, partitions.by) if partitions.by else None,
            clusters=(
                partitions.grouped(table, partitions.cluster).numbers()
                if partitions.cluster
                else None
            ),
            times=table[ROWS].to_numpy(float),
            weights=weights and weights.sums,
            summed=weights,
        )

    def meta(self, keys: list[pd.Index[Any]]) -> pd.DataFrame:
        """Return the result without rows, given its keys; raise for options that are wrong."""
        empty = self.partitions.empty
        requested_of(replace(empty, groups=None), self.metrics, self.comparison)
        refuse_taken_names(key.name for key in keys)
        return result_of_no_rows(empty, keys, self.comparison)


def _codes(slots: Array, n_slots: int) -> Codes:
    """Return codes, -1 where missing, from slots; slot 0 is for missing labels."""
    return slots.astype(np.min_scalar_type(-n_slots)) - 1


def _refuse_too_many(n_cells: int, n_models: int) -> None:
    """Raise if the cells of all models together cannot be numbered."""
    if n_cells > np.iinfo(np.int64).max:
        raise ValueError(
            f"{n_models} models have too many combinations of predicted classes to count: compare "
            "fewer of them at once"
        )
