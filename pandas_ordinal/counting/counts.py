"""From codes to stacked confusion counts: the hot loop.

Columns of codes become one key per row, its cell in the table ``(group, true, pred)``, and the
keys are counted. A key has the smallest type that fits the table and is made chunk by chunk, so
that everything but the columns stays in cache. A missing code, -1, has a slot of its own in each
column: it is never counted as a class, nor in a cell of another group.

Rows are counted in one of four ways: several at a time into a small table (`_count_together`), one
at a time into a dense table (`_count_keys`), into one part after the other of a large table
(`_count_some`), or, if the table is large compared with the rows, by sorting their keys
(`_count_sorted`).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pandas_ordinal.counting.arrays import Array, Codes, Floats, Positions

# ruff: noqa: D102  (the methods of all counts are described once, in `Counts`)


CHUNK_BYTES = 2**20
MANY_ROWS = 2**15
SMALL_TABLE = 2**16
JOINT_TABLE = 2**16
ROWS_PER_JOINT_CELL = 16
CELLS_PER_ROW = 4
LARGE_TABLE = 2**22
MOST_PARTS = 16


@dataclass(frozen=True)
class Factor:
    """One column of a key.

    Attributes
    ----------
    codes : ndarray
        One code per row.
    size : int
        How many codes there are.
    lowest : int
        The smallest one.
    """

    codes: Codes
    size: int
    lowest: int = 0


@dataclass(frozen=True)
class Counts(ABC):
    """Confusion counts of many groups, int64, or float64 where rows are weighted.

    Attributes
    ----------
    n_groups, n_classes : int
        The shape of the table is ``(n_groups, K + 1, K + 1)``: slot 0 is for missing labels.
    """

    n_groups: int
    n_classes: int

    def block(self, start: int, stop: int) -> Array:
        """Return the tables of some groups, shape ``(stop - start, K + 1, K + 1)``."""
        slots = self.n_classes + 1
        return self._cells(start * slots**2, stop * slots**2).reshape(-1, slots, slots)

    def of(self, groups: Array) -> Array:
        """Return tables ``(len(groups), K, K)`` of ascending groups, without missing labels."""
        if not len(groups):
            return self.block(0, 0)[:, 1:, 1:]
        first, last = int(groups[0]), int(groups[-1]) + 1
        return self.block(first, last)[groups - first, 1:, 1:]

    def held(self) -> Array:
        """Return the numbers of the cells that contain rows, in ascending order."""
        return np.flatnonzero(self._whole())

    def at(self, cells: Array) -> Array:
        """Return the counts of cells that contain rows."""
        return self._whole()[cells]

    def _whole(self) -> Array:
        return self._cells(0, self.n_groups * (self.n_classes + 1) ** 2)

    @abstractmethod
    def _cells(self, first: int, last: int) -> Array:
        """Return the counts of some cells, which are numbered through the whole table."""

    @abstractmethod
    def missing(self) -> tuple[int, int]:
        """Count the rows without a true label, and those without a predicted one."""


@dataclass(frozen=True)
class DenseCounts(Counts):
    """The counts of all cells."""

    values: Array

    def _cells(self, first: int, last: int) -> Array:
        return self.values[first:last]

    def missing(self) -> tuple[int, int]:
        tables = self.block(0, self.n_groups)
        return int(tables[:, 0].sum()), int(tables[:, :, 0].sum())


@dataclass(frozen=True)
class SparseCounts(Counts):
    """The counts of the cells that contain rows, and the numbers of these cells, in order."""

    cells: Array
    values: Array

    def held(self) -> Array:
        return self.cells

    def at(self, cells: Array) -> Array:
        if np.array_equal(cells, self.cells):
            return self.values
        return self.values[np.searchsorted(self.cells, cells)]

    def _cells(self, first: int, last: int) -> Array:
        table = np.zeros(last - first, self.values.dtype)
        if not len(table):
            return table
        dtype = self.cells.dtype.type
        inside = slice(
            np.searchsorted(self.cells, dtype(first), side="left"),
            np.searchsorted(self.cells, dtype(last - 1), side="right"),
        )
        table[self.cells[inside] - dtype(first)] = self.values[inside]
        return table

    def missing(self) -> tuple[int, int]:
        slots = self.n_classes + 1
        true, pred = self.cells // slots % slots, self.cells % slots
        return int(self.values[true == 0].sum()), int(self.values[pred == 0].sum())


@dataclass(frozen=True)
class CountsInParts(Counts):
    """Counts of so many groups that each part of them is counted when it is requested.

    The last part is cached, so that a loop over all groups passes over the rows once per part.
    """

    factors: Sequence[Factor]
    weights: Floats | None
    cells_a_part: int
    parts: dict[int, Array] = field(default_factory=dict)

    def _cells(self, first: int, last: int) -> Array:
        for start, counts in self.parts.items():
            if start <= first and last <= start + len(counts):
                return counts[first - start : last - start]
        self.parts.clear()
        end = min(max(first + self.cells_a_part, last), self.n_groups * (self.n_classes + 1) ** 2)
        self.parts[first] = _count_some(self.factors, first, end, self.weights)
        return self.parts[first][: last - first]

    def missing(self) -> tuple[int, int]:
        true, pred = (int(np.count_nonzero(label.codes < 0)) for label in self.factors[-2:])
        return true, pred


def count(
    groups: Sequence[Factor],
    true: Codes,
    pred: Codes,
    n_classes: int,
    weights: Floats | None = None,
) -> Counts:
    """Count rows, or add up their weights, by group, true and predicted class.

    Parameters
    ----------
    groups : sequence of Factor
        The columns that make up the group, the first one most significant; none for one group.
    true, pred : ndarray
        Positions in the classes, -1 where missing.
    n_classes : int
        How many classes are declared.
    weights : ndarray, optional
        One weight per row.
    """
    labels = [Factor(codes, n_classes + 1, -1) for codes in (true, pred)]
    factors = [*groups, *labels]
    n_groups = math.prod(factor.size for factor in groups)
    n_cells = n_groups * (n_classes + 1) ** 2
    shape = n_groups, n_classes
    if n_cells > max(CELLS_PER_ROW * len(true), SMALL_TABLE):
        return SparseCounts(*shape, *_count_sorted(factors, n_cells, weights))
    if n_cells > LARGE_TABLE:
        return CountsInParts(*shape, factors, weights, max(LARGE_TABLE, n_cells // MOST_PARTS))
    if weights is None and 1 < n_cells <= 256 and len(true) >= MANY_ROWS:
        return DenseCounts(*shape, _count_together(factors, n_cells))
    return DenseCounts(*shape, _count_keys(factors, n_cells, weights))


def sum_by_cell(n_groups: int, n_classes: int, cells: Array, values: Array) -> Counts:
    """Add up the counts of cells, which may occur several times."""
    n_cells = n_groups * (n_classes + 1) ** 2
    if n_cells <= max(CELLS_PER_ROW * len(cells), SMALL_TABLE):
        sums = np.bincount(cells, values, n_cells).astype(values.dtype)
        return DenseCounts(n_groups, n_classes, sums)
    order = np.argsort(cells, kind="stable")
    cells, values = cells[order], values[order]
    starts = starts_of(cells)
    sums = np.add.reduceat(values, starts) if len(starts) else values
    return SparseCounts(n_groups, n_classes, cells[starts], sums)


def number_pairs(first: Codes, second: Codes) -> tuple[Positions, Positions]:
    """Give each pair of values in two columns a number, in ascending order.

    Returns the row in which each pair first occurs, and the number of the pair of each row.
    """
    keys = first.astype(np.int64) * (int(second.max(initial=0)) + 1) + second
    _, rows, numbers = np.unique(keys, return_index=True, return_inverse=True)
    return rows, numbers


def starts_of(cells: Array) -> Positions:
    """Return where each of ascending cells first occurs."""
    return np.flatnonzero(np.append(True, cells[1:] != cells[:-1])[: len(cells)])


def _keys(
    factors: Sequence[Factor], dtype: np.dtype[Any], at_least: int = 1
) -> Iterator[tuple[slice, Array]]:
    """Yield the cell of each row, chunk by chunk, as an unsigned integer of that type.

    A chunk has as many rows as stay in cache, but not fewer than `at_least`.

    Unsigned arithmetic wraps around, so that a step which leaves the range of the type, as a
    negative code does, comes back: only the cell itself has to fit.
    """
    n_rows, modulus, offset = len(factors[-1].codes), 256**dtype.itemsize, 0
    for factor in factors:
        offset = offset * factor.size - factor.lowest
    chunk = max(CHUNK_BYTES // dtype.itemsize, at_least)
    for start in range(0, n_rows, chunk):
        rows = slice(start, min(start + chunk, n_rows))
        key = _unsigned(factors[0].codes[rows], dtype)
        for factor in factors[1:]:
            key = key * dtype.type(factor.size)
            key += _unsigned(factor.codes[rows], dtype)
        key += dtype.type(offset % modulus)
        yield rows, key


def _unsigned(codes: Codes, dtype: np.dtype[Any]) -> Array:
    """Return codes as unsigned integers, modulo the range of the type."""
    same = codes.dtype.isnative and codes.itemsize == dtype.itemsize
    return codes.view(dtype) if same else codes.astype(dtype)


def _count_together(factors: Sequence[Factor], n_cells: int) -> Array:
    """Count several rows at a time: their cells are one cell of a table of as many axes.

    Two, or as many as give a table that stays in cache and is small compared with the rows.
    Each chunk is split into as many parts, whose rows are combined; the rest is counted alone.
    """
    largest = min(JOINT_TABLE, len(factors[-1].codes) // ROWS_PER_JOINT_CELL)
    together = max([2, *(m for m in range(3, 9) if n_cells**m <= largest)])
    table = np.zeros(n_cells**together, np.int64)
    rest = np.zeros(n_cells, np.int64)
    for _, key in _keys(factors, np.dtype(np.uint8)):
        size = len(key) // together
        joint = key[:size].astype(np.uint16)
        for part in range(1, together):
            joint *= np.uint16(n_cells)
            joint += key[part * size : (part + 1) * size]
        table += np.bincount(joint, minlength=len(table))
        rest += np.bincount(key[together * size :], minlength=n_cells)
    table = table.reshape([n_cells] * together)
    axes = range(together)
    for axis in axes:
        rest += table.sum(axis=tuple(set(axes) - {axis}))
    return rest


def _count_keys(factors: Sequence[Factor], n_cells: int, weights: Floats | None) -> Array:
    """Count one row at a time into a dense table."""
    if weights is None and len(factors[-1].codes) <= n_cells:  # a single chunk
        for _, key in _keys(factors, np.min_scalar_type(n_cells - 1), n_cells):
            return np.bincount(key, minlength=n_cells)
    counted = np.zeros(n_cells, np.int64 if weights is None else np.float64)
    for rows, key in _keys(factors, np.min_scalar_type(n_cells - 1), n_cells):
        weight = None if weights is None else weights[rows]
        counted += np.bincount(key, weight, minlength=n_cells)
    return counted


def _count_some(factors: Sequence[Factor], first: int, last: int, weights: Floats | None) -> Array:
    """Count the rows whose cells are in a range."""
    counted = np.zeros(last - first, np.int64 if weights is None else np.float64)
    n_cells = math.prod(factor.size for factor in factors)
    dtype = np.min_scalar_type(n_cells - 1)
    for rows, key in _keys(factors, dtype, last - first):
        key -= dtype.type(first)  # cells below wrap around to large numbers
        inside = key < last - first
        weight = None if weights is None else weights[rows][inside]
        counted += np.bincount(key[inside], weight, minlength=last - first)
    return counted


def _count_sorted(
    factors: Sequence[Factor], n_cells: int, weights: Floats | None
) -> tuple[Array, Array]:
    """Return the cells that hold rows, in order, and their counts: memory follows the rows."""
    dtype = np.dtype(np.uint32 if n_cells <= 2**32 else np.uint64)
    keys = np.empty(len(factors[-1].codes), dtype)
    for rows, key in _keys(factors, dtype):
        keys[rows] = key
    if weights is None:
        keys.sort()
    else:
        order = np.argsort(keys, kind="stable")
        keys, weights = keys[order], weights[order]
    starts = starts_of(keys)
    if weights is None:
        return keys[starts], np.diff(starts, append=len(keys))
    return keys[starts], np.add.reduceat(weights, starts) if len(starts) else weights
