"""Ranking metrics of frames in partitions: exact by score ranges, or bounds from histograms."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pandas_ordinal.counting.arrays import Array, Floats
from pandas_ordinal.cube.layout import product
from pandas_ordinal.groups import with_empty_bins
from pandas_ordinal.rows.absent_inputs import by_pattern, ranked_patterns
from pandas_ordinal.rows.part_tables import CELL, MODEL, TABLES_AT_ONCE, WEIGHT, sum_parts
from pandas_ordinal.rows.partitions import Partitions
from pandas_ordinal.rows.results import laid_out_over
from pandas_ordinal.rows.sample import Sample
from pandas_ordinal.rows.score_ranges import (
    RANKED,
    Numbering,
    ScoredRows,
    bounds_of,
    histogram_cells,
    ranked_by_ranges,
)

if TYPE_CHECKING:
    from dask.delayed import Delayed

CELLS_AT_ONCE = 2**22


def score_by_ranges(
    frame: Any, partitions: Partitions, finish: Callable[..., Any], options: dict[str, Any]
) -> Delayed:
    """Count each partition, rank all rows by score ranges, and pass both to `finish`."""
    from dask.delayed import delayed

    samples = [delayed(partitions.rows_of)(part) for part in frame.to_delayed()]
    tables = [delayed(partitions.counted)(rows) for rows in samples]
    while len(tables) > TABLES_AT_ONCE:
        some = range(0, len(tables), TABLES_AT_ONCE)
        tables = [delayed(_sum_tables)(tables[first : first + TABLES_AT_ONCE]) for first in some]
    groups = None
    if partitions.keys:
        groups = delayed(partial(_numbering, partitions))(
            [delayed(partial(_keys_of, partitions))(rows) for rows in samples]
        )
    rankings = []
    parts = [delayed(_by_pattern)(rows) for rows in samples]
    n_classes = len(partitions.empty.classes)
    for model in range(len(partitions.empty.counted)):
        of_model = {}
        for pattern in ranked_patterns(partitions.empty):
            rows = [delayed(_scored_rows)(part, model, pattern) for part in parts]
            of_model[pattern] = {
                ties: ranked_by_ranges(rows, n_classes, names, groups=groups, ties=ties)
                for ties, names in partitions.rankings.items()
            }
        rankings.append(of_model)
    result: Delayed = delayed(finish)(delayed(_sum_tables)(tables), rankings=rankings, **options)
    return result


def count_histogram(part: pd.DataFrame, *, partitions: Partitions, limits: Array) -> pd.DataFrame:
    """Count the classes in a partition between edges of the score."""
    rows = partitions.rows_of(part)
    _, numbers = rows.segments()
    n_classes = len(partitions.empty.classes)
    n_cells = n_classes * (len(limits) + 1)
    tables = []
    for model in range(len(rows.counted)):
        scored = _scored_rows({0: rows}, model, 0)
        cells = histogram_cells(scored, limits)
        if scored.group is not None:
            cells += scored.group * np.intp(n_cells)
        weights = np.ones(len(cells)) if scored.weights is None else scored.weights
        # one cell of each group, even if none of its rows counts
        cells = np.append(cells, np.arange(len(numbers)) * n_cells)
        occupied, cell = np.unique(cells, return_inverse=True)
        columns: dict[Hashable, Any] = {}
        if rows.groups is not None:
            columns.update(partitions.keys_of(rows.groups, numbers[occupied // n_cells]))
        columns |= {MODEL: model, CELL: occupied % n_cells}
        columns[WEIGHT] = np.bincount(cell[: len(weights)], weights, len(occupied)).astype(float)
        tables.append(pd.DataFrame(columns, pd.RangeIndex(len(occupied)), copy=False))
    return pd.concat(tables, ignore_index=True)


def bounds(table: pd.DataFrame, *, partitions: Partitions, n_bins: int) -> pd.DataFrame:
    """Bound the ranking metrics by the counts of the classes between edges."""
    table = sum_parts(table)
    n_models, n_classes = len(partitions.empty.counted), len(partitions.empty.classes)
    n_cells = n_classes * n_bins
    number, keys, positions = np.zeros(len(table), np.intp), None, np.zeros(1, np.intp)
    if partitions.keys:
        groups = partitions.grouped(table, partitions.by)
        occurring, number = np.unique(groups.numbers(), return_inverse=True)
        keys, positions = with_empty_bins(groups.index(occurring))
    number = number * n_models + table[MODEL].to_numpy()
    cell, weight = table[CELL].to_numpy(), table[WEIGHT].to_numpy()
    values: dict[str, list[Floats]] = {"low": [], "high": []}
    n_tables, step = len(positions) * n_models, max(CELLS_AT_ONCE // n_cells, 1)
    for start in range(0, max(n_tables, 1), step):
        stop = min(start + step, n_tables)
        rows = slice(*np.searchsorted(number, [start, stop]))
        cells = (number[rows] - start) * n_cells + cell[rows]
        counts = np.bincount(cells, weight[rows], (stop - start) * n_cells).astype(float)
        for end, of_block in bounds_of(counts.reshape(-1, n_classes, n_bins)).items():
            values[end].append(of_block)
    columns = {}
    for end, blocks in values.items():
        of_groups = np.concatenate(blocks).reshape(len(positions), n_models, len(RANKED))
        columns[end] = laid_out_over(of_groups, positions, keys, np.nan).ravel()
    axes = partitions.empty.axes(keys)
    return pd.DataFrame(columns, product([*axes, pd.Index(RANKED, name="metric")]))


def _sum_tables(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Add up the counts of several partitions."""
    return sum_parts(pd.concat(tables, ignore_index=True))


def _by_pattern(rows: Sample) -> dict[int, Sample]:
    return dict(by_pattern(rows))


def _scored_rows(parts: Mapping[int, Sample], model: int, pattern: int) -> ScoredRows:
    """Return the rows of a pattern that count for a model, with their scores."""
    rows = parts[pattern]
    scores, lacking = rows.inputs["score"][model].array, rows.inputs["score"][model].lacking
    codes = rows.counted[model]
    if lacking is not None:
        codes = np.where(lacking, -1, codes)
    group = None
    if rows.groups is not None:
        segment, numbers = rows.segments()
        group = segment.astype(np.min_scalar_type(len(numbers)))
    counts = codes >= 0
    scored = ScoredRows(codes, scores[:], rows.weights, group)
    return scored if counts.all() else scored.at(np.flatnonzero(counts))


def _keys_of(partitions: Partitions, rows: Sample) -> pd.DataFrame:
    """Return the keys of the groups of a partition, each group once."""
    assert rows.groups is not None
    _, numbers = rows.segments()
    return partitions.keys_of(rows.groups, numbers)


def _numbering(partitions: Partitions, groups: Sequence[pd.DataFrame]) -> Numbering:
    """Return the numbers of all groups, in the order of their keys, as in `Partitions.sample`."""
    numbers = partitions.grouped(pd.concat(groups, ignore_index=True), partitions.by).numbers()
    occurring, number = np.unique(numbers, return_inverse=True)
    number = number.astype(np.min_scalar_type(len(occurring)))
    ends = np.cumsum([len(keys) for keys in groups[:-1]])
    return Numbering(np.split(number, ends), len(occurring))
