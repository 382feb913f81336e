"""Models compared on a frame in partitions: rows with the same labels are counted together.

Each partition becomes a table with a row for each combination of group, cluster, true class and
predicted classes that occurs. The sum of these tables has all that a comparison reads.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from pandas_ordinal.classes.columns import column
from pandas_ordinal.counting.arrays import Array, Codes
from pandas_ordinal.counting.counts import Factor, count
from pandas_ordinal.groups import levels_of
from pandas_ordinal.query import Comparison, Query
from pandas_ordinal.reports.metrics import MetricsLike
from pandas_ordinal.rows.compare import (
    compare_sample,
    requested_of,
    result_of_no_rows,
)
from pandas_ordinal.rows.long_format import refuse_missing_labels
from pandas_ordinal.rows.part_tables import CELL, MODEL, ROWS, sum_parts
from pandas_ordinal.rows.partitions import Partitions, partitions_of
from pandas_ordinal.rows.sample import LabelColumn, Sample


@dataclass(frozen=True)
class PairedPartitions:
    """How to count the rows of all partitions, and compare the models on their sum.

    Attributes
    ----------
    by_group : Partitions
        The query.
    by_unit : Partitions
        The same, with the clusters among its keys.
    metrics, comparison
        What to compare by, and how.
    """

    by_group: Partitions
    by_unit: Partitions
    metrics: MetricsLike | None
    comparison: Comparison

    @property
    def is_clustered(self) -> bool:
        """Whether rows belong to clusters."""
        return self.comparison.cluster is not None

    @property
    def _slots(self) -> tuple[int, ...]:
        """The shape of the cells of a group: an axis for each column of labels."""
        empty = self.by_group.empty
        return (len(empty.classes) + 1,) * (len(empty.preds) + 1)

    def count(self, part: pd.DataFrame) -> pd.DataFrame:
        """Count a partition: return a table of keys, cells, and numbers of rows."""
        rows = self.by_unit.rows_of(part)
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
        counts = count([*keys, *models], rows.true.codes, last, rows.n_classes)
        cells = counts.held()
        numbers, cell = np.divmod(cells.astype(np.int64), n_cells)
        columns: dict[Hashable, Any] = {}
        if rows.groups is not None:
            columns.update(self.by_unit.keys_of(rows.groups, numbers))
        columns[MODEL] = np.zeros(len(cells), np.uint8)
        columns[CELL] = cell.astype(np.min_scalar_type(n_cells))
        columns[ROWS] = counts.at(cells)
        return pd.DataFrame(columns, pd.RangeIndex(len(cell)), copy=False)

    def compare(self, table: pd.DataFrame) -> pd.DataFrame:
        """Compare the models, given the tables of all partitions."""
        return compare_sample(self.sample(sum_parts(table)), self.metrics, self.comparison)

    def sample(self, table: pd.DataFrame) -> Sample:
        """Return the rows of a table; each stands for the number that the table has."""
        empty = self.by_group.empty
        slots = np.unravel_index(table[CELL].to_numpy(np.int64), self._slots)
        *others, true, last = [_codes(slot, self._slots[0]) for slot in slots]
        preds = [*others, last]
        return replace(
            empty,
            true=LabelColumn(empty.true.name, true),
            preds=[one._replace(codes=c) for one, c in zip(empty.preds, preds, strict=True)],
            counted=[np.where(codes < 0, -1, true) for codes in preds],
            groups=self.by_group.grouped(table) if self.by_group.keys else None,
            clusters=self.by_unit.grouped(table).numbers() if self.is_clustered else None,
            times=table[ROWS].to_numpy(float),
        )

    def meta(self) -> pd.DataFrame:
        """Return the result without rows; raise for options that are wrong."""
        empty = self.by_group.empty
        requested_of(empty, self.metrics, self.comparison)
        groups = empty.groups
        keys = [] if groups is None else levels_of(groups.index(np.zeros(0, np.intp)))
        return result_of_no_rows(empty, keys, self.comparison)


def paired_partitions_of(
    empty: pd.DataFrame,
    query: Query,
    unknown: Collection[Hashable],
    metrics: MetricsLike | None,
    comparison: Comparison,
) -> PairedPartitions:
    """Check a comparison of models in a frame whose rows are not read yet."""
    by_group = by_unit = partitions_of(empty, query, unknown)
    if comparison.cluster is not None:
        column(empty, comparison.cluster)
        keys = dict.fromkeys([*by_group.keys, comparison.cluster])
        by_unit = partitions_of(empty, replace(query, by=[*keys]), unknown)
    return PairedPartitions(by_group, by_unit, metrics, comparison)


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
