"""Numbers, datetimes and timedeltas of an array sorted into bins, lazily if it is chunked.

The edges are common to all cases, or differ by cell and by keys such as the month.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.classes.bins import (
    BinsLike,
    bin_codes,
    bins_to_cut,
    comparable,
    in_precision,
    refuse_beyond,
)
from pandas_ordinal.classes.gate import ClassesLike, declared, smallest
from pandas_ordinal.counting.arrays import Array, Positions
from pandas_ordinal.dataarrays.class_codes import flag_names, like, with_classes_of
from pandas_ordinal.dataarrays.flags import array_named, code_of, decoded, refuse_packed
from pandas_ordinal.dataarrays.keys import complete_keys_of, keys_among
from pandas_ordinal.dataarrays.tiles import PROBABLE_PER_TILE, Key, text_for, tiles
from pandas_ordinal.errors import Named, UnknownClassError, UnknownNameError, brief, show


@dataclass(frozen=True)
class Cutting:
    """What a call asks about the bins.

    Attributes
    ----------
    edges : sequence or DataArray
        The edges; a DataArray has them along `edge_dim`.
    edge_dim : hashable
        The dimension of the edges.
    by : name, DataArray or list of these, or None
        The keys that edges differ by.
    right : bool
        Whether bins are closed on the right.
    errors : {"raise", "coerce"}
        Whether a value in no bin raises an error.
    classes : sequence or None
        The names of the bins.
    """

    edges: BinsLike | xr.DataArray
    edge_dim: Hashable = "edge"
    by: Any = None
    right: bool = True
    errors: Literal["raise", "coerce"] = "raise"
    classes: ClassesLike | None = None

    def named(self, bins: pd.Index[Any]) -> pd.CategoricalDtype:
        """Return the classes: the bins, or the names that are given to them."""
        if self.classes is None:
            return pd.CategoricalDtype(bins, ordered=True)
        classes = declared(self.classes)
        if len(classes.categories) != len(bins):
            raise ValueError(
                f"classes= names {len(classes.categories)} bins, {show(classes.categories)}, but "
                f"the edges make {len(bins)}: give one edge more than there are classes"
            )
        flag_names(classes.categories)  # wrong ones raise before anything is computed
        return classes


def cut_array(array: xr.DataArray, asked: Cutting) -> xr.DataArray:
    """Sort the values of an array into bins; return codes, -1 where a value is missing."""
    refuse_packed(str(array_named(array.name)), array)
    if isinstance(asked.edges, xr.DataArray):
        return _cut_by_edges(array, asked.edges, asked)
    if asked.by is not None:
        raise ValueError(
            f"by={brief(asked.by)} needs edges= in a DataArray, with a dimension for each key: "
            "a list has the edges of all cases"
        )
    bins = bins_to_cut(asked.edges, right=asked.right)
    classes, values = asked.named(bins), decoded(array)
    named = array_named(array.name)
    bin_codes(pd.Series(np.empty(0, values.dtype), name=named), bins)  # refuses other types
    codes = xr.apply_ufunc(
        partial(_into_bins, named, bins, asked.errors, smallest(classes)),
        values.variable,
        dask="parallelized",
        output_dtypes=[smallest(classes)],
    )
    return with_classes_of(like(array, codes), classes, bins)


def _into_bins(
    named: Named, bins: pd.IntervalIndex[Any], errors: str, dtype: np.dtype[Any], values: Array
) -> Array:
    """Return the position of each value's bin, -1 if it is missing."""
    codes = np.empty(values.shape, dtype)
    beyond = []
    for tile in tiles(values.shape):
        column = pd.Series(values[tile].ravel(), name=named)
        found, is_beyond = bin_codes(column, bins)
        codes[tile] = found.reshape(codes[tile].shape)
        if is_beyond.any():
            beyond.append(column[is_beyond])
    if beyond and errors == "raise":
        refuse_beyond(pd.concat(beyond), bins)
    return codes


def _cut_by_edges(array: xr.DataArray, given: xr.DataArray, asked: Cutting) -> xr.DataArray:
    """Sort values into bins whose edges differ."""
    refuse_packed("edges=", given)
    values, edges, dim = decoded(array), decoded(given), asked.edge_dim
    _refuse_other_edges(values, edges, dim)
    classes = asked.named(pd.Index(range(edges.sizes[dim] - 1)))
    keys = {}
    if asked.by is not None:
        keys = complete_keys_of(keys_among(asked.by, [array]), array.dims)
    _refuse_other_dims(array, edges, keys, dim)
    positions = [_positions(name, key, edges) for name, key in keys.items()]
    names: dict[Hashable, Hashable] = {name: key.name for name, key in keys.items()}
    names |= text_for([dim])
    core = [*(key.name for key in keys.values()), names.get(dim, dim)]
    variable = xr.Variable([names.get(d, d) for d in edges.dims], edges.data)
    if edges.chunks is not None:
        variable = variable.chunk(dict.fromkeys(core, -1))
    variable = xr.apply_ufunc(
        _not_decreasing,
        variable,
        input_core_dims=[core[-1:]],
        output_core_dims=[core[-1:]],
        dask="parallelized",
        output_dtypes=[edges.dtype],
    )
    codes = xr.apply_ufunc(
        _Sorted(array_named(array.name), asked.right, asked.errors, smallest(classes)),
        values.variable,
        *positions,
        variable,
        input_core_dims=[[], *[[] for _ in positions], core],
        dask="parallelized",
        output_dtypes=[smallest(classes)],
    )
    return with_classes_of(like(array, codes.transpose(*array.dims)), classes)


@dataclass(frozen=True)
class _Sorted:
    """How values are sorted into bins whose edges differ.

    Attributes
    ----------
    named : Named
        What messages call the array.
    right : bool
        Whether bins are closed on the right.
    errors : str
        Whether a value in no bin raises an error.
    dtype : dtype
        The type of the codes.
    """

    named: Named
    right: bool
    errors: str
    dtype: np.dtype[Any]

    def __call__(self, values: Array, *arrays: Array) -> Array:
        """Return the bin of each value, -1 if it is missing, one tile and one edge at a time.

        The other arrays are the positions of each case in the keys, and the edges,
        ``(..., *keys, K + 1)``.
        """
        if not values.shape:
            found: Array = self(values.reshape(1), *arrays).reshape(())
            return found
        places = [_with_axes(one, values.ndim, 0) for one in arrays[:-1]]
        edges = _with_axes(arrays[-1], values.ndim, len(arrays))
        # the keys come first, so that neighbouring cases have neighbouring edges
        edges = np.moveaxis(edges, range(values.ndim), range(-values.ndim - 1, -1))
        sizes, rows = edges.shape[:-1], edges.reshape(-1, edges.shape[-1])
        codes = np.empty(values.shape, self.dtype)
        without, beyond = [values[:0].ravel()], [values[:0].ravel()]
        for tile in tiles(values.shape, PROBABLE_PER_TILE):  # so that their edges stay in cache
            numbers, cases = values[tile], _row_of_each(tile, sizes, places)
            has_value = numbers == numbers
            bins, has_edges, is_within = self._bins(numbers, rows, cases)
            without.append(numbers[has_value & ~has_edges])
            beyond.append(numbers[has_value & has_edges & ~is_within])
            codes[tile] = np.where(has_value & has_edges & is_within, bins, self.dtype.type(-1))
        if self.errors == "raise":
            self._refuse(np.concatenate(without), "whose edges are missing", "give all edges")
            self._refuse(
                np.concatenate(beyond),
                "outside the edges",
                "widen the edges (-np.inf and np.inf may be the ends)",
            )
        return codes

    def _bins(self, numbers: Array, rows: Array, cases: Positions) -> tuple[Array, Array, Array]:
        """Return how many inner edges numbers are above, if they have all, and are within them."""
        is_above = np.greater if self.right else np.greater_equal
        last = rows.shape[1] - 1
        precision = numbers.dtype
        if rows.dtype.kind == "f":
            numbers = in_precision(numbers, rows.dtype)
        bins = np.zeros(numbers.shape, self.dtype)
        has_edges = np.ones(numbers.shape, bool)
        is_within = np.ones(numbers.shape, bool)
        for k in range(last + 1):
            edges = rows[cases, k]
            has_edges &= edges == edges
            if precision.kind == "f":
                edges = in_precision(edges, precision)
            above = is_above(*comparable(numbers, edges)).astype(bool)
            if 0 < k < last:
                bins += above
                continue
            # an infinite number is in the bin that is open on its side, whichever side is closed
            infinity = np.inf if k else -np.inf
            is_within &= (above ^ (k > 0)) | ((numbers == infinity) & (edges == infinity))
        return bins, has_edges, is_within

    def _refuse(self, numbers: Array, fault: str, remedy: str) -> None:
        """Raise if there are numbers that are in no bin."""
        if len(numbers):
            raise UnknownClassError(
                f"{self.named} holds {len(numbers)} value{'s' * (len(numbers) > 1)} {fault}, such "
                f"as {numbers[0]}: {remedy}, or make such values missing with "
                'errors="coerce"'
            )


def _with_axes(array: Array, n_axes: int, n_core: int) -> Array:
    """Return an array with all axes of the cases, of length 1 where it lacks them."""
    missing = n_axes - (array.ndim - n_core)
    return array.reshape((1,) * missing + array.shape)


def _row_of_each(
    tile: tuple[slice, ...], sizes: Sequence[int], places: Sequence[Array]
) -> Positions:
    """Return the number of the edges of each case of a tile, in an array that broadcasts to it.

    Edges have the axes of the keys, then those of the cases, of length 1 if they do not differ.
    """
    n_axes, n_keys = len(tile), len(places)
    numbers = np.zeros((1,) * n_axes, np.intp)
    for size, place in zip(sizes[:n_keys], places, strict=True):
        index = tuple(p if n > 1 else slice(None) for p, n in zip(tile, place.shape, strict=True))
        numbers = numbers * size + place[index]
    for axis, (size, part) in enumerate(zip(sizes[n_keys:], tile, strict=True)):
        own = np.arange(part.start, part.stop) if size > 1 else np.zeros(1, np.intp)
        numbers = numbers * size + own.reshape([-1 if k == axis else 1 for k in range(n_axes)])
    return numbers


def _positions(name: str, key: Key, edges: xr.DataArray) -> xr.Variable:
    """Return the positions of the labels of cases among those of the edges."""
    labels = edges.indexes[name]
    found = labels.get_indexer(key.labels)
    if (found < 0).any():
        missing = key.labels[found < 0]
        raise UnknownNameError(
            f"edges= has none for {name} {show(missing)}, only for {show(labels)}: give edges for "
            "all labels"
        )
    return key.codes.variable.copy(data=found[key.codes.values])


def _not_decreasing(edges: Array) -> Array:
    """Return edges, or raise if one is lower than the one before."""
    wrong = (edges[..., 1:] < edges[..., :-1]).any(axis=-1)
    if wrong.any():
        first = edges[wrong][0].tolist()
        raise ValueError(
            f"edges= holds {brief(first)}, which decrease: give the lowest edge first"
        )
    return edges


def _refuse_other_edges(values: xr.DataArray, edges: xr.DataArray, dim: Hashable) -> None:
    """Raise unless edges are numbers, two or more along their dimension, and values are too."""
    if not pd.api.types.is_hashable(dim) or dim not in {*edges.dims}:
        raise ValueError(
            f"edges= has the dimensions {edges.dims}, and {brief(dim)} is none of them: name "
            "the one of the edges with edge_dim="
        )
    if dim in values.dims:
        raise ValueError(
            f"the values have the dimension {brief(dim)} of the edges: give it another name in "
            "both edges= and edge_dim="
        )
    if edges.sizes[dim] < 2:
        raise ValueError(
            f"edges= has {edges.sizes[dim]} along {brief(dim)}, but bins have two edges or more"
        )
    for source, array in (("edges=", edges), (str(array_named(values.name)), values)):
        if array.dtype.kind not in "iuf":
            raise ValueError(
                f"{source} holds {array.dtype}: edges that differ are numbers, as are the values"
            )


def _refuse_other_dims(
    values: xr.DataArray, edges: xr.DataArray, keys: Mapping[str, Key], edge_dim: Hashable
) -> None:
    """Raise unless the dimensions of edges are those of the values, or keys."""
    for name in keys:
        labels = edges.indexes.get(name)
        if name not in edges.dims or labels is None or not labels.is_unique:
            wanted = "different labels along" if name in edges.dims else "the dimension"
            raise ValueError(
                f"by= has {name!r}, but edges= lacks {wanted} {name!r}; it has the dimensions "
                f"{edges.dims}"
            )
    for dim in edges.dims:
        if dim in keys or dim == edge_dim:
            continue
        if dim not in values.dims:
            raise ValueError(
                f"edges= has the dimension {brief(dim)}, which the values lack: name the key "
                f"that it has the labels of, such as by='time.month'; these have {values.dims}"
            )
        both = dim in edges.indexes and dim in values.indexes
        if edges.sizes[dim] != values.sizes[dim] or (
            both and not edges.indexes[dim].equals(values.indexes[dim])
        ):
            name = code_of(str(values.name))
            raise ValueError(
                f"the coordinates of edges= along {brief(dim)} are not those of {name}, and "
                f"nothing is aligned silently: give edges.sel({{{dim!r}: {name}[{dim!r}]}})"
            )
