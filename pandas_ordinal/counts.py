"""From codes to stacked confusion counts: the hot loop.

Columns of codes become one key a row, its cell in the table ``(group, true, pred)``, and the keys
are counted. A key has the smallest type that holds the table and is made chunk by chunk, so that
everything but the columns stays in cache. A missing code, -1, has a slot of its own in each
column: it is never taken for a class, nor for a cell of another group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pandas_ordinal.arrays import Array, Codes, Floats

CHUNK_BYTES = 2**20
MANY_ROWS = 2**15
SMALL_TABLE = 2**16
JOINT_TABLE = 2**16
CELLS_A_ROW = 4


@dataclass(frozen=True)
class Counts:
    """Confusion counts of many groups, as a dense table or as the cells that are not empty.

    Attributes
    ----------
    values : ndarray
        The counts, int64, or float64 where rows are weighted.
    cells : ndarray or None
        The sorted flat positions of the values; None if `values` has them all.
    n_groups, n_classes : int
        The shape of the table is ``(n_groups, K + 1, K + 1)``: slot 0 is for missing labels.
    """

    values: Array
    cells: Array | None
    n_groups: int
    n_classes: int

    def block(self, start: int, stop: int) -> Array:
        """Return the tables of some groups, shape ``(stop - start, K + 1, K + 1)``."""
        slots = self.n_classes + 1
        first, last = start * slots**2, stop * slots**2
        if self.cells is None:
            table = self.values[first:last]
        else:
            dtype = self.cells.dtype.type
            inside = slice(
                np.searchsorted(self.cells, dtype(first), side="left"),
                np.searchsorted(self.cells, dtype(last - 1), side="right"),
            )
            table = np.zeros(last - first, self.values.dtype)
            table[self.cells[inside] - dtype(first)] = self.values[inside]
        return table.reshape(-1, slots, slots)

    def of(self, groups: Array) -> Array:
        """Return the tables ``(len(groups), K, K)`` of ascending groups, labels all there."""
        if not len(groups):
            return np.zeros((0, self.n_classes, self.n_classes), self.values.dtype)
        first, last = int(groups[0]), int(groups[-1]) + 1
        return self.block(first, last)[groups - first, 1:, 1:]

    def missing(self) -> tuple[int, int]:
        """Count the rows without a true label, and those without a predicted one."""
        slots = self.n_classes + 1
        if self.cells is None:
            tables = self.values.reshape(self.n_groups, slots, slots)
            return int(tables[:, 0].sum()), int(tables[:, :, 0].sum())
        true, pred = self.cells // slots % slots, self.cells % slots
        return int(self.values[true == 0].sum()), int(self.values[pred == 0].sum())


@dataclass(frozen=True)
class Factor:
    """One column of a key.

    Attributes
    ----------
    codes : ndarray
        A code a row.
    size : int
        How many codes there are.
    lowest : int
        The smallest one.
    """

    codes: Codes
    size: int
    lowest: int = 0


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
        A weight a row.
    """
    labels = [Factor(codes, n_classes + 1, -1) for codes in (true, pred)]
    factors = [*groups, *labels]
    n_groups = int(np.prod([factor.size for factor in groups], dtype=object))
    n_cells = n_groups * (n_classes + 1) ** 2
    if n_cells > max(CELLS_A_ROW * len(true), SMALL_TABLE):
        cells, values = _count_sorted(factors, n_cells, weights)
        return Counts(values, cells, n_groups, n_classes)
    if weights is None and 1 < n_cells <= 256 and len(true) >= MANY_ROWS:
        values = _count_together(factors, n_cells)
    else:
        values = _count_keys(factors, n_cells, weights)
    return Counts(values, None, n_groups, n_classes)


def _keys(
    factors: Sequence[Factor], dtype: np.dtype[Any], at_least: int = 1
) -> Iterator[tuple[slice, Array]]:
    """Yield the cell of each row, chunk by chunk, as an unsigned integer of that type.

    A chunk has so many rows that it stays in cache, but not fewer than `at_least`.

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

    Each chunk is cut into as many parts, whose rows are taken together; a rest is counted alone.
    """
    together = max(m for m in range(2, 9) if n_cells**m <= JOINT_TABLE)
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
    counted = np.zeros(n_cells, np.int64 if weights is None else np.float64)
    for rows, key in _keys(factors, np.min_scalar_type(n_cells - 1), n_cells):
        weight = None if weights is None else weights[rows]
        counted += np.bincount(key, weight, minlength=n_cells)
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
    starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: len(keys)])
    if weights is None:
        return keys[starts], np.diff(starts, append=len(keys))
    return keys[starts], np.add.reduceat(weights, starts) if len(starts) else weights
