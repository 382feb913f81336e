"""Arrays added up block by block: in memory tile by tile, chunked ones chunk by chunk.

Arrays are read together, each broadcast against the others. What they add up to over the counted
dimensions is found tile by tile, so that only the tiles are ever broadcast. Each chunk of chunked
arrays is added up alone, and the sums are added in a tree; nothing is computed by the call.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from pandas_ordinal.arrays import Array
from pandas_ordinal.counts import SMALL_TABLE, Factor

CASES_A_TILE = 2**19
PROBABLE_A_TILE = 2**15
CLASS_DIM = "pandas_ordinal_class"


class Operand(NamedTuple):
    """An array, and how the part of it in a tile is read before it is broadcast."""

    array: xr.DataArray
    read: Callable[[Array], Array] = np.asarray


@dataclass(frozen=True)
class Key:
    """Groups of the cases.

    Attributes
    ----------
    name : hashable
        The dimension of the groups in results.
    labels : Index
        What the groups are called along it.
    codes : DataArray
        The position of the group of each case among the labels, -1 for a case in none.
    """

    name: Hashable
    labels: pd.Index[Any]
    codes: xr.DataArray


@dataclass(frozen=True)
class Sums:
    """What tiles add up to.

    Attributes
    ----------
    of_tile : callable
        A function of the factors that number the table of each case, and of the operands: a value
        a case each, or ``(K, cases)``. It returns the sums, ``(n_tables, *shape)``.
    shape : tuple of int
        The shape of the sums of one table.
    dtype : dtype
        Their type.
    cells : int
        How many cells a table has while it is counted.
    """

    of_tile: Callable[..., Array]
    shape: tuple[int, ...]
    dtype: npt.DTypeLike
    cells: int


@dataclass(frozen=True)
class Blocks:
    """How to read blocks of arrays ``(*kept, *dims)`` or ``(*kept, *dims, K)`` of as many axes.

    Attributes
    ----------
    sums : Sums
        What is added up.
    reads : sequence of callable
        How to read each array.
    by_class : sequence of bool
        Whether the last axis of an array is that of the classes.
    n_kept, n_dims : int
        How many axes are kept and how many are summed over.
    groups : sequence of int
        How many groups each of the last arrays numbers.
    """

    sums: Sums
    reads: Sequence[Callable[[Array], Array]]
    by_class: Sequence[bool]
    n_kept: int
    n_dims: int
    groups: Sequence[int]

    def add_up(self, *arrays: Array) -> Array:
        """Add up over the dims, which become axes of length 1 before those of the groups."""
        n_axes = self.n_kept + self.n_dims
        shape = np.broadcast_shapes(*(array.shape[:n_axes] for array in arrays))
        order = _storage_order(max(arrays, key=lambda array: array.size), n_axes)
        arrays = tuple(array.transpose(*order, *range(n_axes, array.ndim)) for array in arrays)
        kept = [axis < self.n_kept for axis in order]
        slots = [size + 1 for size in self.groups]
        sizes = [shape[axis] for axis in order]
        whole = [size if keep else 1 for size, keep in zip(sizes, kept, strict=True)]
        total = np.zeros((*whole, *slots, *self.sums.shape), self.sums.dtype)
        cases = PROBABLE_A_TILE if any(self.by_class) else CASES_A_TILE
        most_tables = max(1, SMALL_TABLE // (self.sums.cells * math.prod(slots)))
        for tile in _tiles(sizes, kept, most_tables, cases):
            there = tuple(
                part if keep else slice(None) for part, keep in zip(tile, kept, strict=True)
            )
            total[there] += self._of_tile(tile, kept, arrays).reshape(total[there].shape)
        whole_axes, known = [slice(None)] * n_axes, [slice(1, None)] * len(slots)
        in_groups: Array = total[tuple(whole_axes + known)]
        return in_groups.transpose(*np.argsort(order), *range(n_axes, total.ndim))

    def _of_tile(
        self, tile: Sequence[slice], kept: Sequence[bool], arrays: Sequence[Array]
    ) -> Array:
        """Add up the cases of a tile by table."""
        sizes = [part.stop - part.start for part in tile]
        columns: list[Array] = []
        for array, read, by_class in zip(arrays, self.reads, self.by_class, strict=True):
            index = [
                part if size > 1 else slice(None)
                for part, size in zip(tile, array.shape, strict=False)
            ]
            part = read(array[tuple(index)])
            if by_class:
                part = np.broadcast_to(part, (*sizes, part.shape[-1]))
                columns.append(np.moveaxis(part, -1, 0).reshape(part.shape[-1], -1))
            else:
                columns.append(np.broadcast_to(part, sizes).reshape(-1))
        tables = [size if keep else 1 for size, keep in zip(sizes, kept, strict=True)]
        n_tables = math.prod(tables)
        factors = []
        if n_tables > 1:
            numbers = np.arange(n_tables, dtype=np.min_scalar_type(n_tables)).reshape(tables)
            factors.append(Factor(np.broadcast_to(numbers, sizes).reshape(-1), n_tables))
        first = len(columns) - len(self.groups)
        for codes, size in zip(columns[first:], self.groups, strict=True):
            factors.append(Factor(codes, size + 1, -1))
        return self.sums.of_tile(factors, *columns[:first])


def added_up(
    sums: Sums, operands: Sequence[Operand], dims: Sequence[Hashable], by: Sequence[Key],
    output: Mapping[Hashable, int],
) -> xr.DataArray:  # fmt: skip
    """Add up arrays over dimensions, by groups: the result has the other dimensions and these.

    Parameters
    ----------
    sums : Sums
        What is added up.
    operands : sequence of Operand
        The arrays.
    dims : sequence
        The dimensions to add up over.
    by : sequence of Key
        The groups.
    output : mapping
        The dimensions of the sums of one table, and their sizes.
    """
    every = [*operands, *(Operand(key.codes) for key in by)]
    core = [[d for d in (*dims, CLASS_DIM) if d in array.dims] for array, _ in every]
    reads, groups = [read for _, read in every], [len(key.labels) for key in by]
    summed: xr.DataArray = xr.apply_ufunc(
        partial(_add_up, sums, reads, core, dims, groups),
        *(array for array, _ in every),
        input_core_dims=core,
        output_core_dims=[[*(key.name for key in by), *output]],
        join="exact",
        dask="allowed",
        keep_attrs=False,
    )
    return summed.assign_coords({key.name: key.labels for key in by})


def _add_up(
    sums: Sums,
    reads: Sequence[Callable[[Array], Array]],
    core: Sequence[Sequence[Hashable]],
    dims: Sequence[Hashable],
    groups: Sequence[int],
    *arrays: Any,
) -> Any:
    """Give all arrays the same axes, and add them up in memory or chunk by chunk."""
    n_kept = max(array.ndim - len(own) for array, own in zip(arrays, core, strict=True))
    same_axes = []
    for array, own in zip(arrays, core, strict=True):
        missing = n_kept - (array.ndim - len(own))
        ends = [slice(None)] * (CLASS_DIM in own)
        index = [slice(None) if d in own else None for d in dims]
        kept = [slice(None)] * (n_kept - missing)
        same_axes.append(array[(*[None] * missing, *kept, *index, *ends)])
    by_class = [CLASS_DIM in own for own in core]
    blocks = Blocks(sums, reads, by_class, n_kept, len(dims), groups)
    if any(hasattr(array, "dask") for array in arrays):
        return _by_chunk(blocks, same_axes)
    return blocks.add_up(*same_axes).squeeze(tuple(range(n_kept, n_kept + len(dims))))


def _by_chunk(blocks: Blocks, arrays: Sequence[Any]) -> Any:
    """Add up each chunk, or each piece that chunks of several arrays have in common; add these."""
    import dask.array

    da: Any = dask.array  # untyped
    n_axes = blocks.n_kept + blocks.n_dims
    given: list[Any] = []
    for array in arrays:
        chunked = array if hasattr(array, "dask") else da.from_array(array, chunks=-1, name=False)
        if array.ndim > n_axes:
            chunked = chunked.rechunk({n_axes: -1})
        given += [chunked, tuple(range(array.ndim))]
    _, aligned = da.core.unify_chunks(*given, warn=False)
    given[::2] = aligned
    sizes = [*blocks.groups, *blocks.sums.shape]
    ends = range(n_axes + 1, n_axes + 1 + len(sizes))
    parts = da.blockwise(
        blocks.add_up,
        (*range(n_axes), *ends),
        *given,
        new_axes=dict(zip(ends, sizes, strict=True)),
        adjust_chunks=dict.fromkeys(range(blocks.n_kept, n_axes), _one),
        concatenate=True,
        dtype=blocks.sums.dtype,
        meta=np.empty((0,) * (n_axes + len(sizes)), blocks.sums.dtype),
    )
    return da.reduction(
        parts,
        chunk=_as_it_is,
        combine=_add_parts,
        aggregate=_add_parts,
        axis=tuple(range(blocks.n_kept, n_axes)),
        dtype=blocks.sums.dtype,
        concatenate=False,
        meta=np.empty((0,) * (blocks.n_kept + len(sizes)), blocks.sums.dtype),
    )


def _one(size: int) -> int:
    return 1


def _as_it_is(part: Array, axis: tuple[int, ...], keepdims: bool) -> Array:
    return part


def _add_parts(parts: Any, axis: tuple[int, ...], keepdims: bool) -> Array:
    """Add what chunks add up to, one after the other, which takes less memory than their stack."""
    first, *others = _flattened(parts)
    total: Array = first + others.pop() if others else first
    for part in others:
        total += part
    return total if keepdims else total.squeeze(axis)


def _flattened(parts: Any) -> list[Array]:
    return (
        [one for part in parts for one in _flattened(part)] if isinstance(parts, list) else [parts]
    )


def _storage_order(array: Array, n_axes: int) -> list[int]:
    """Return axes as an array is stored, so that tiles read what lies together."""
    return sorted(range(n_axes), key=lambda axis: -abs(array.strides[axis]))


def tiles(sizes: Sequence[int]) -> Iterator[tuple[slice, ...]]:
    """Cut axes into tiles, long in the last axes."""
    return _tiles(sizes, [False] * len(sizes), 1, CASES_A_TILE)


def _tiles(
    sizes: Sequence[int], kept: Sequence[bool], tables: int, cases: int
) -> Iterator[tuple[slice, ...]]:
    """Cut axes into tiles of no more than so many tables and cases, long in the last axes."""
    steps = []
    for size, keep in zip(reversed(sizes), reversed(kept), strict=True):
        step = max(1, min(size, cases, tables if keep else size))
        cases //= step
        tables //= step if keep else 1
        steps.append(step)
    starts = [range(0, size, step) for size, step in zip(sizes, reversed(steps), strict=True)]
    for first in itertools.product(*starts):
        yield tuple(
            slice(start, min(start + step, size))
            for start, step, size in zip(first, reversed(steps), sizes, strict=True)
        )
