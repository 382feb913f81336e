"""Sums and rows of arrays that broadcast: tile by tile in memory, chunk by chunk with Dask.

`sum_arrays` adds up over the counted dimensions. Arrays are broadcast against each other only
within a tile. Each chunk of chunked arrays is summed alone, and the sums are added in a tree when
the result is computed. `TileReader` has the functions that count, sum or rank the cases of a tile
or chunk.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from operator import and_
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from pandas_ordinal.classes.gate import refuse_missing
from pandas_ordinal.counting.arrays import (
    Array,
    Floats,
    Positions,
    Probabilities,
    refuse_weights,
    tolerance,
)
from pandas_ordinal.counting.counts import SMALL_TABLE, Factor, count
from pandas_ordinal.errors import ClassOrderError
from pandas_ordinal.metrics.metric import Metric
from pandas_ordinal.metrics.proba_kernel import probabilities
from pandas_ordinal.metrics.segments import Segments, flatten_to_segments

CASES_PER_TILE = 2**19
PROBABLE_PER_TILE = 2**15
CLASS_DIM = "pandas_ordinal_class"
TEXT_DIM = "pandas_ordinal dim "


class Operand(NamedTuple):
    """An array, and the function that reads its part in a tile before it is broadcast."""

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
        The labels of the groups along it.
    codes : DataArray
        The position of the group of each case among the labels, -1 for a case in none.
    """

    name: Hashable
    labels: pd.Index[Any]
    codes: xr.DataArray


@dataclass(frozen=True)
class Sums:
    """How to sum a tile.

    Attributes
    ----------
    of_tile : callable
        A function of the factors that number the table of each case, and of the operands, each
        ``(cases,)`` or ``(K, cases)``. It returns the sums, ``(n_tables, *shape)``.
    shape : tuple of int
        The shape of the sums of one table.
    dtype : dtype
        Their type.
    cells : int
        The number of cells of a table while it is counted.
    """

    of_tile: Callable[..., Array]
    shape: tuple[int, ...]
    dtype: npt.DTypeLike
    cells: int


@dataclass(frozen=True)
class Blocks:
    """How to sum blocks of arrays ``(*kept, *dims)`` or ``(*kept, *dims, K)``.

    Attributes
    ----------
    sums : Sums
        How to sum a tile.
    reads : sequence of callable
        How to read each array.
    by_class : sequence of bool
        Whether the last axis of an array is that of the classes.
    n_kept, n_dims : int
        The number of axes that are kept, and that are summed over.
    groups : sequence of int
        The number of groups in each of the last arrays, which are codes.
    """

    sums: Sums
    reads: Sequence[Callable[[Array], Array]]
    by_class: Sequence[bool]
    n_kept: int
    n_dims: int
    groups: Sequence[int]

    def sum(self, *arrays: Array) -> Array:
        """Sum over the dims, which become axes of length 1, followed by those of the groups."""
        n_axes = self.n_kept + self.n_dims
        shape = np.broadcast_shapes(*(array.shape[:n_axes] for array in arrays))
        order = _storage_order(max(arrays, key=lambda array: array.size), n_axes)
        arrays = tuple(array.transpose(*order, *range(n_axes, array.ndim)) for array in arrays)
        kept = [axis < self.n_kept for axis in order]
        slots = [size + 1 for size in self.groups]
        sizes = [shape[axis] for axis in order]
        whole = [size if keep else 1 for size, keep in zip(sizes, kept, strict=True)]
        total = np.zeros((*whole, *slots, *self.sums.shape), self.sums.dtype)
        cases = PROBABLE_PER_TILE if any(self.by_class) else CASES_PER_TILE
        most_tables = max(1, SMALL_TABLE // (self.sums.cells * math.prod(slots)))
        for tile in _tiles(sizes, kept, most_tables, cases):
            target = tuple(
                part if keep else slice(None) for part, keep in zip(tile, kept, strict=True)
            )
            total[target] += self._of_tile(tile, kept, arrays).reshape(total[target].shape)
        whole_axes, known = [slice(None)] * n_axes, [slice(1, None)] * len(slots)
        in_groups: Array = total[tuple(whole_axes + known)]
        return in_groups.transpose(*np.argsort(order), *range(n_axes, total.ndim))

    def _of_tile(
        self, tile: Sequence[slice], kept: Sequence[bool], arrays: Sequence[Array]
    ) -> Array:
        """Sum the cases of a tile by table."""
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


def text_for(dims: Sequence[Hashable]) -> dict[Hashable, str]:
    """Return text for names of dimensions that are not: xarray sorts all names of chunked ones."""
    return {d: f"{TEXT_DIM}{n}" for n, d in enumerate(dims) if not isinstance(d, str)}


def sum_arrays(
    sums: Sums, operands: Sequence[Operand], dims: Sequence[Hashable], by: Sequence[Key],
    output: Mapping[Hashable, int],
) -> xr.DataArray:  # fmt: skip
    """Sum arrays over dimensions, by group: the result has the other dimensions and the groups.

    Parameters
    ----------
    sums : Sums
        How to sum a tile.
    operands : sequence of Operand
        The arrays.
    dims : sequence
        The dimensions to sum over.
    by : sequence of Key
        The groups.
    output : mapping
        The dimensions of the sums of one table, and their sizes.
    """
    all_operands = [*operands, *(Operand(key.codes) for key in by)]
    core = [[d for d in (*dims, CLASS_DIM) if d in array.dims] for array, _ in all_operands]
    reads, groups = [read for _, read in all_operands], [len(key.labels) for key in by]
    summed: xr.DataArray = xr.apply_ufunc(
        partial(_sum_blocks, sums, reads, core, dims, groups),
        *(array for array, _ in all_operands),
        input_core_dims=core,
        output_core_dims=[[*(key.name for key in by), *output]],
        dask="allowed",
    )
    return summed.assign_coords({key.name: key.labels for key in by})


def _sum_blocks(
    sums: Sums,
    reads: Sequence[Callable[[Array], Array]],
    core: Sequence[Sequence[Hashable]],
    dims: Sequence[Hashable],
    groups: Sequence[int],
    *arrays: Any,
) -> Any:
    """Give all arrays the same axes, and sum them in memory or chunk by chunk."""
    n_kept = max(array.ndim - len(own) for array, own in zip(arrays, core, strict=True))
    same_axes = []
    for array, own in zip(arrays, core, strict=True):
        missing = n_kept - (array.ndim - len(own))
        ends = [slice(None)] * (CLASS_DIM in own)
        index = [slice(None) if d in own else None for d in dims]
        kept_axes = [slice(None)] * (n_kept - missing)
        same_axes.append(array[(*[None] * missing, *kept_axes, *index, *ends)])
    by_class = [CLASS_DIM in own for own in core]
    blocks = Blocks(sums, reads, by_class, n_kept, len(dims), groups)
    if any(hasattr(array, "dask") for array in arrays):
        return _by_chunk(blocks, same_axes)
    return blocks.sum(*same_axes).squeeze(tuple(range(n_kept, n_kept + len(dims))))


def _by_chunk(blocks: Blocks, arrays: Sequence[Any]) -> Any:
    """Sum each chunk, after aligning the chunks of all arrays; then add the sums."""
    import dask.array

    da: Any = dask.array  # untyped
    n_axes = blocks.n_kept + blocks.n_dims
    given: list[Any] = []
    for array in arrays:
        chunked = array if hasattr(array, "dask") else da.from_array(array, chunks=-1, name=False)
        given += [chunked, tuple(range(array.ndim))]
    _, aligned = da.core.unify_chunks(*given, warn=False)
    given[::2] = aligned
    sizes = [*blocks.groups, *blocks.sums.shape]
    ends = range(n_axes + 1, n_axes + 1 + len(sizes))
    parts = da.blockwise(
        blocks.sum,
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
    """Add the sums of chunks one after the other, which takes less memory than stacking them."""
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
    """Return the axes in storage order, so that tiles read adjacent values."""
    return sorted(range(n_axes), key=lambda axis: -abs(array.strides[axis]))


def tiles(sizes: Sequence[int], cases: int = CASES_PER_TILE) -> Iterator[tuple[slice, ...]]:
    """Cut axes into tiles of at most this many cases, long in the last axes."""
    return _tiles(sizes, [False] * len(sizes), 1, cases)


def _tiles(
    sizes: Sequence[int], kept: Sequence[bool], tables: int, cases: int
) -> Iterator[tuple[slice, ...]]:
    """Cut axes into tiles of at most `tables` tables and `cases` cases, long in the last axes."""
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


@dataclass(frozen=True)
class TileReader:
    """How to count, sum or rank cases.

    Attributes
    ----------
    n_classes : int
        The number of classes.
    inputs : sequence of str
        The names of the scores or probabilities in messages.
    weight : str
        The name of the weights in messages.
    n_masks : int
        The number of masks that select cases; they come before the weights.
    dropna : bool
        Whether cases with a missing value are left out.
    atol : float or None
        By how much the probabilities of a case may differ from a sum of 1.
    is_fair : bool
        Whether there are numbers of members in each class, and not probabilities.
    """

    n_classes: int
    inputs: Sequence[str]
    weight: str
    n_masks: int
    dropna: bool
    atol: float | None
    is_fair: bool

    def read_weight(self, values: Array) -> Array:
        """Return weights as floats."""
        if values.dtype.kind not in "biuf":
            return refuse_weights(values, self.weight)
        weights = values.astype(float, copy=False)
        with np.errstate(over="ignore"):
            right = not weights.size or (weights.min() >= 0 and weights.sum() < np.inf)
        return weights if right else refuse_weights(values, self.weight)

    def count(self, groups: Sequence[Factor], true: Array, pred: Array, *weight: Array) -> Array:
        """Count codes, ``(n_tables, K, K)``; cases that are not selected are left out."""
        n_tables = _size(groups)
        if self.n_masks:
            selected, weight = self._selected(weight)
            apart = Factor(selected.view(np.int8), 2)
            counts = count([apart, *groups], true, pred, self.n_classes, *weight)
            return counts.block(n_tables, 2 * n_tables)[:, 1:, 1:]
        counts = count(groups, true, pred, self.n_classes, *weight)
        return counts.block(0, n_tables)[:, 1:, 1:]

    def count_known(self, groups: Sequence[Factor], *columns: Array) -> Array:
        """Count the selected cases that have all labels."""
        numbers = _numbers(groups, len(columns[0]))[_are_known(columns)]
        return np.bincount(numbers, minlength=_size(groups))

    def sum_known(self, n_weights: int, groups: Sequence[Factor], *columns: Array) -> Floats:
        """Sum weights, the last columns, of the selected cases that have all labels.

        Returns ``(n_tables, n_weights)``.
        """
        known, n_tables = _are_known(columns[:-n_weights]), _size(groups)
        numbers = _numbers(groups, len(known))[known]
        weights = [one[known] for one in columns[-n_weights:]]
        return np.stack([_sum_by_table(numbers, one, n_tables) for one in weights], axis=-1)

    def add_probabilities(
        self, metric: Metric, groups: Sequence[Factor], true: Array, proba: Array, *weight: Array
    ) -> Floats:
        """Sum the terms of a metric over the rows, their weights, and the rows themselves.

        Takes probabilities ``(K, cases)``; returns ``(n_tables, m + 2)``.
        """
        assert metric.means is not None
        sums_within = tolerance(self.n_classes, proba.dtype, atol=self.atol)
        proba = proba.astype(float, copy=False)
        numbers = _numbers(groups, len(true))
        selected, weight = self._selected(weight)
        is_right = not np.isnan(proba).any() if self.is_fair else _are_right(proba, sums_within)
        if true.min(initial=0) >= 0 and not self.n_masks and is_right:
            rows = proba.T
        else:
            missing: Array = np.logical_or.reduce(np.isnan(proba), axis=0)
            is_counted = self._counted(true, [missing], selected)
            true, numbers = true[is_counted], numbers[is_counted]
            weight = tuple(weights[is_counted] for weights in weight)
            rows = proba[:, is_counted].T
            rows = rows if self.is_fair else probabilities(rows, sums_within, "atol")
        with np.errstate(all="ignore"):
            values = [*metric.means.of_row(rows, true)]
            if weight:
                values = [np.where(weight[0] > 0, one * weight[0], 0) for one in values]
        n_tables = _size(groups)
        n_rows = np.bincount(numbers, minlength=n_tables).astype(float)
        sums = [_sum_by_table(numbers, one, n_tables) for one in (*values, *weight)]
        sums += [n_rows] if weight else [n_rows, n_rows]
        return np.stack(sums, axis=-1)

    def rank(
        self,
        metric: Metric,
        options: Mapping[str, Any],
        n_dims: int,
        groups: Sequence[int],
        *arrays: Array,
    ) -> tuple[Floats, Array]:
        """Score by a metric that ranks all cases, and count them. `_rows` describes the arrays."""
        rows, columns, shape = self._rows(n_dims, groups, 0, arrays)
        assert metric.by_segment is not None
        values = metric.by_segment(rows, self._column(metric, rows, columns), **options)
        n_rows = np.bincount(rows.segment[rows.codes >= 0], minlength=rows.n_segments)
        return values.reshape((*shape, *values.shape[1:])), n_rows.reshape(shape)

    def uncertainty(
        self,
        metric: Metric,
        function: Callable[..., Array],
        n_dims: int,
        groups: Sequence[int],
        n_extra: int,
        in_clusters: bool,
        estimate: Floats,
        *arrays: Array,
    ) -> Array:
        """Apply a function to rows, their column, the scores of their segments and extra columns.

        The first of these has the clusters, if there are some; the function gets None otherwise.

        `_rows` describes the arrays. The function returns ``(parts, segments)``, this method
        ``(..., *groups, parts)``.
        """
        rows, columns, shape = self._rows(n_dims, groups, n_extra, arrays)
        inputs, extra = columns[: len(self.inputs)], columns[len(self.inputs) :]
        column = self._column(metric, rows, inputs)[:]
        estimates = np.broadcast_to(estimate, shape).ravel()
        parts = function(rows, column, estimates, *([] if in_clusters else [None]), *extra)
        return np.moveaxis(parts.reshape(-1, *shape), 0, -1)

    def _column(
        self, metric: Metric, rows: Segments, inputs: Sequence[Array]
    ) -> Array | Probabilities:
        """Return the scores of rows, or their probabilities; raise for wrong ones."""
        if metric.takes == "score":
            return inputs[0]
        dtypes = [one.dtype for one in inputs]
        within = tolerance(self.n_classes, *dtypes, atol=self.atol)
        proba = Probabilities(inputs, within, "atol", self.is_fair)
        proba.refuse_wrong(rows.codes)
        return proba

    def _rows(
        self, n_dims: int, groups: Sequence[int], n_extra: int, arrays: Sequence[Array]
    ) -> tuple[Segments, list[Array], tuple[int, ...]]:
        """Make rows of cases ``(..., *dims)``, with their inputs and extra columns.

        The arrays are the true classes, the inputs, the extra columns, the masks and the weights,
        if any, and the codes of the groups. Returns the leading shape as well, which ends with the
        groups.
        """
        true, *columns = (_flat(array, n_dims) for array in arrays)
        n_inputs, first = len(self.inputs), len(columns) - len(groups)
        n_columns = n_inputs + n_extra
        inputs, extra = columns[:n_inputs], columns[n_inputs:n_columns]
        inputs = [numbers_of(name, one) for name, one in zip(self.inputs, inputs, strict=True)]
        selected, weight = self._selected(columns[n_columns:first])
        weights = self.read_weight(weight[0]) if weight else None
        is_counted = self._counted(true, [one != one for one in inputs], selected)
        for codes in columns[first:]:
            is_counted = is_counted & (codes >= 0)
        codes = np.where(is_counted, _signed(true), -1)
        rows, flattened, leading = flatten_to_segments(
            codes, self.n_classes, weights, *inputs, *extra, *columns[first:]
        )
        segment, n_segments = rows.segment, rows.n_segments
        for key, size in zip(flattened[n_columns:], groups, strict=True):
            segment, n_segments = segment * size + np.maximum(key, 0), n_segments * size
        rows = Segments(rows.codes, self.n_classes, segment, n_segments, rows.weights)
        return rows, flattened[:n_columns], (*leading, *groups)

    def _selected(self, masks_and_weight: Sequence[Array]) -> tuple[Any, tuple[Array, ...]]:
        """Combine the masks; return the weights as well, if there are any."""
        masks, weight = masks_and_weight[: self.n_masks], masks_and_weight[self.n_masks :]
        return reduce(and_, masks, True), tuple(weight)

    def _counted(
        self, true: Array, missing: Sequence[Array], selected: Array | Literal[True]
    ) -> Array:
        """Return which cases count; raise for missing values unless they are dropped."""
        if not self.dropna:
            for name, one in zip(self.inputs, missing, strict=True):
                refuse_missing(name, int(np.count_nonzero(one & selected)))
        is_counted: Array = (true >= 0) & selected
        for one in missing:
            is_counted = is_counted & ~one
        return is_counted


def _are_known(columns: Sequence[Array]) -> Array:
    """Return which cases all masks select and have all labels."""
    known = np.ones(len(columns[0]), bool)
    for column in columns:
        known &= column if column.dtype.kind == "b" else column >= 0
    return known


def numbers_of(name: str, array: Array) -> Array:
    """Return scores or probabilities, or raise if they are not numbers."""
    if array.dtype.kind not in "biuf":
        raise ClassOrderError(
            f"{name!r} holds {array.dtype}, not numbers: convert it, such as with .astype(float)"
        )
    return array


def _flat(array: Array, n_dims: int) -> Array:
    """Flatten the last axes, which are those of the cases, into one."""
    first = array.ndim - n_dims
    return array.reshape(*array.shape[:first], math.prod(array.shape[first:]))


def _signed(codes: Array) -> Array:
    """Return codes in a signed type, which can hold -1."""
    return codes if codes.dtype.kind == "i" else codes.astype(np.int64)


def _are_right(proba: Floats, sums_within: float) -> bool:
    """Whether all values ``(K, n)`` are probabilities that need no clipping; False with a NaN."""
    sums = np.abs(proba.sum(axis=0) - 1).max(initial=0)
    return bool(sums <= sums_within and proba.min(initial=0) >= 0 and proba.max(initial=1) <= 1)


def _sum_by_table(numbers: Positions, values: Floats, n_tables: int) -> Floats:
    """Sum values by the number of their table."""
    if n_tables == 1:
        return np.atleast_1d(values.sum())
    return np.bincount(numbers, values, n_tables).astype(float, copy=False)


def _size(groups: Sequence[Factor]) -> int:
    return math.prod(factor.size for factor in groups)


def _numbers(groups: Sequence[Factor], n_cases: int) -> Positions:
    """Return the number of the table of each case."""
    numbers = np.zeros(n_cases, np.intp)
    for factor in groups:
        numbers *= factor.size
        numbers += factor.codes
        numbers -= factor.lowest
    return numbers
