"""Scores of frames in partitions: rows ranked by ranges, and bounds from histograms."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pandas_ordinal.counting.arrays import Array, Floats
from pandas_ordinal.cube.layout import product
from pandas_ordinal.groups import with_empty_bins
from pandas_ordinal.rows.partitions import CELL, MODEL, WEIGHT, Partitions, sum_parts
from pandas_ordinal.rows.sample import Sample, spread
from pandas_ordinal.rows.score_ranges import (
    RANKED,
    Numbering,
    Part,
    bounds_of,
    cells_of,
    ranked_by_ranges,
)

if TYPE_CHECKING:
    from dask.delayed import Delayed

CELLS_A_BLOCK = 2**22
TABLES_AT_ONCE = 8


def by_ranges(
    frame: Any, partitions: Partitions, finish: Callable[..., Any], options: dict[str, Any]
) -> Delayed:
    """Count each partition, rank all rows by ranges of their scores, and finish with both."""
    from dask.delayed import delayed

    samples = [delayed(partitions.rows_of)(part) for part in frame.to_delayed()]
    tables = [delayed(partitions.counted)(rows) for rows in samples]
    while len(tables) > TABLES_AT_ONCE:
        some = range(0, len(tables), TABLES_AT_ONCE)
        tables = [delayed(_sum_tables)(tables[first : first + TABLES_AT_ONCE]) for first in some]
    groups = None
    if partitions.keys:
        groups = delayed(partial(_numbered, partitions))(
            [delayed(partial(_groups_of, partitions))(rows) for rows in samples]
        )
    rankings = []
    for model in range(len(partitions.empty.counted)):
        rows = [delayed(_ranked)(one, model) for one in samples]
        n_classes = len(partitions.empty.scale)
        of_model = {
            ties: ranked_by_ranges(rows, n_classes, names, groups=groups, ties=ties)
            for ties, names in partitions.rankings.items()
        }
        rankings.append(of_model)
    found: Delayed = delayed(finish)(delayed(_sum_tables)(tables), rankings=rankings, **options)
    return found


def binned(part: pd.DataFrame, *, partitions: Partitions, limits: Array) -> pd.DataFrame:
    """Count the classes in a partition between edges of the score."""
    rows = partitions.rows_of(part)
    _, numbers = rows.segments()
    n_classes = len(partitions.empty.scale)
    n_cells = n_classes * (len(limits) + 1)
    tables = []
    for model in range(len(rows.counted)):
        one = _ranked(rows, model)
        cells = cells_of(one, limits)
        if one.group is not None:
            cells += one.group * np.intp(n_cells)
        weights = np.ones(len(cells)) if one.weights is None else one.weights
        # a cell of each group, even of groups in which no row counts
        cells = np.append(cells, np.arange(len(numbers)) * n_cells)
        held, cell = np.unique(cells, return_inverse=True)
        columns: dict[Hashable, Any] = {}
        if rows.groups is not None:
            columns.update(partitions.keys_of(rows.groups, numbers[held // n_cells]))
        columns |= {MODEL: model, CELL: held % n_cells}
        columns[WEIGHT] = np.bincount(cell[: len(weights)], weights, len(held)).astype(float)
        tables.append(pd.DataFrame(columns, pd.RangeIndex(len(held)), copy=False))
    return pd.concat(tables, ignore_index=True)


def bounds(table: pd.DataFrame, *, partitions: Partitions, n_bins: int) -> pd.DataFrame:
    """Bound the ranking metrics by the counts of the classes between edges."""
    table = sum_parts(table)
    n_models, n_classes = len(partitions.empty.counted), len(partitions.empty.scale)
    n_cells = n_classes * n_bins
    number, keys, places = np.zeros(len(table), np.intp), None, np.zeros(1, np.intp)
    if partitions.keys:
        groups = partitions.grouped(table)
        found, number = np.unique(groups.numbers(), return_inverse=True)
        keys, places = with_empty_bins(groups.index(found))
    number = number * n_models + table[MODEL].to_numpy()
    cell, weight = table[CELL].to_numpy(), table[WEIGHT].to_numpy()
    values: dict[str, list[Floats]] = {"low": [], "high": []}
    n_tables, step = len(places) * n_models, max(CELLS_A_BLOCK // n_cells, 1)
    for start in range(0, max(n_tables, 1), step):
        stop = min(start + step, n_tables)
        rows = slice(*np.searchsorted(number, [start, stop]))
        cells = (number[rows] - start) * n_cells + cell[rows]
        counts = np.bincount(cells, weight[rows], (stop - start) * n_cells).astype(float)
        for end, one in bounds_of(counts.reshape(-1, n_classes, n_bins)).items():
            values[end].append(one)
    columns = {}
    for end, blocks in values.items():
        of_groups = np.concatenate(blocks).reshape(len(places), n_models, len(RANKED))
        columns[end] = spread(of_groups, places, keys, np.nan).ravel()
    axes = [axis for axis in (keys, partitions.empty.models) if axis is not None]
    return pd.DataFrame(columns, product([*axes, pd.Index(RANKED, name="metric")]))


def _sum_tables(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Add up the counts of several partitions."""
    return sum_parts(pd.concat(tables, ignore_index=True))


def _ranked(rows: Sample, model: int) -> Part:
    """Return the rows that count for a model, with their scores."""
    codes, scores = rows.counted[model], rows.inputs["score"][model].array
    group = None
    if rows.groups is not None:
        segment, numbers = rows.segments()
        group = segment.astype(np.min_scalar_type(len(numbers)))
    there = codes >= 0
    part = Part(codes, scores[:], rows.weights, group)
    return part if there.all() else part.at(np.flatnonzero(there))


def _groups_of(partitions: Partitions, rows: Sample) -> pd.DataFrame:
    """Return the keys of the groups of a partition, each group once."""
    assert rows.groups is not None
    _, numbers = rows.segments()
    return partitions.keys_of(rows.groups, numbers)


def _numbered(partitions: Partitions, groups: Sequence[pd.DataFrame]) -> Numbering:
    """Return the numbers of all groups, in the order of their keys, as in `Partitions.sample`."""
    numbers = partitions.grouped(pd.concat(groups, ignore_index=True)).numbers()
    found, number = np.unique(numbers, return_inverse=True)
    number = number.astype(np.min_scalar_type(len(found)))
    return Numbering(np.split(number, np.cumsum([len(one) for one in groups[:-1]])), len(found))
