"""The groups of several cubes along one dimension: their labels, joined in one order."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import suppress
from functools import reduce
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.classes.gate import (
    positions_of,
    same_classes,
)
from pandas_ordinal.classes.orders import merge_orders
from pandas_ordinal.counting.arrays import LARGEST_EXACT, Positions
from pandas_ordinal.cube.layout import (
    as_coordinate,
)
from pandas_ordinal.errors import ClassOrderError
from pandas_ordinal.groups import are_bins


def keys_along(dim: Hashable, cubes: Sequence[xr.DataArray]) -> list[pd.Index[Any]]:
    """Return the keys of each cube's groups along a dimension; none if it has no labels."""
    keys = [cube.indexes[dim] for cube in cubes if dim in cube.indexes]
    if len(keys) < len(cubes):
        if keys or len({cube.sizes[dim] for cube in cubes}) > 1:
            raise ValueError(
                f"the groups along {dim!r} have no labels in some of the cubes: give them some, "
                f"as with cube.assign_coords({{{dim!r}: [...]}})"
            )
        return []
    levels = {tuple(index.names) if index.nlevels > 1 else (): None for index in keys}
    if len(levels) > 1:
        raise ValueError(
            f"the groups along {dim!r} have the levels {' and '.join(map(str, levels))}: stack "
            f"the same ones in the same order, as with cube.reorder_levels({{{dim!r}: [...]}})"
        )
    if not _have_an_order(keys):
        keys = _in_one_unit(dim, [as_coordinate(index) for index in keys])
    for index in keys:
        if not index.is_unique:
            raise ValueError(f"the cubes have a group twice along {dim!r}: {list(index)}")
    for one, other in combinations({_kind(index): index for index in keys}.values(), 2):
        if not _fit(_kind(one), _kind(other)):
            raise ValueError(
                f"the groups along {dim!r} are labelled {one.dtype} in one cube and "
                f"{other.dtype} in another: group all by the same keys, or by text, as with "
                f"cube.assign_coords({{{dim!r}: cube.indexes[{dim!r}].astype(str)}})"
            )
    _refuse_rounded(dim, keys)
    bins = [index.dropna() for index in keys if isinstance(index, pd.IntervalIndex)]
    if len(bins) > 1:
        merge_orders([pd.CategoricalDtype(index.sort_values()) for index in bins])
    return keys


def joined_groups(
    dim: Hashable, keys: Sequence[pd.Index[Any]]
) -> tuple[pd.Index[Any], list[Positions]]:
    """Return all groups, in the order that the cubes have or sorted, and where each cube's are."""
    every, places = _in_order(dim, keys) or _sorted(keys)
    occurring = np.unique(np.concatenate(places))  # not all categories do
    return every.take(occurring), [np.searchsorted(occurring, of_cube) for of_cube in places]


def label_of_each(cubes: Sequence[xr.DataArray], dim: str) -> pd.Index[Any]:
    """Return the label that each cube has as a coordinate of that name."""
    coords = [cube.coords[dim] for cube in cubes]
    if any(coord.ndim for coord in coords):
        raise ValueError(
            f"the cubes have a coordinate {dim!r} along {coords[0].dims}, not one label each: "
            "give the new dimension another name"
        )
    # an Index keeps times as times, whereas .item() turns them into integers
    labelled = [as_coordinate(coord.expand_dims(dim).to_index()) for coord in coords]
    first, *others = _in_one_unit(dim, labelled)
    labels: pd.Index[Any] = first.append(others)
    if labels.dtype == object:
        labels = pd.Index(labels.tolist(), tupleize_cols=False)
    if not labels.is_unique:
        raise ValueError(
            f"the cubes have the labels {labels.tolist()} along {dim!r}, some of them twice: add "
            "those up first, with po.add, or give a dict of cubes by label"
        )
    return labels


def as_coordinates(dim: Hashable, labels: pd.Index[Any]) -> Any:
    """Return the labels of a dimension, which may have levels, as coordinates for xarray."""
    if isinstance(labels, pd.MultiIndex):
        return xr.Coordinates.from_pandas_multiindex(labels, str(dim))
    return {dim: labels.rename(dim)}


def _sorted(keys: Sequence[pd.Index[Any]]) -> tuple[pd.Index[Any], list[Positions]]:
    """Return all groups, and where each cube's are: sorted, unless all cubes have the same."""
    if all(index.equals(keys[0]) for index in keys):
        return keys[0], [np.arange(len(keys[0]))] * len(keys)
    union = reduce(lambda one, other: one.union(other), keys)
    if isinstance(union, pd.IntervalIndex):  # whose union some versions of pandas leave unsorted
        union = union.sort_values()
    return union, [union.get_indexer(index) for index in keys]


def _in_order(
    dim: Hashable, keys: Sequence[pd.Index[Any]]
) -> tuple[pd.Index[Any], list[Positions]] | None:
    """Return all groups in the order that the cubes have, and the positions of each cube's.

    None if they are sorted in each cube, since their union then is sorted too.
    """
    categories = [index for index in keys if isinstance(index, pd.CategoricalIndex)]
    if categories:
        dtypes: list[Any] = [index.dtype for index in categories]
        try:
            merged = merge_orders(dtypes)
        except ClassOrderError as error:
            orders = " and ".join(" < ".join(map(str, dtype.categories)) for dtype in dtypes)
            raise ClassOrderError(
                f"the groups along {dim!r} are ordered as {orders}, which do not merge: give "
                f"all cubes the same order, as with cube.assign_coords({{{dim!r}: "
                f"cube.indexes[{dim!r}].set_categories([...])}})"
            ) from error
        last = len(merged.categories)  # a missing key
        places = [positions_of(index, merged) % (last + 1) for index in keys]
        dtype = pd.CategoricalDtype(merged.categories, categories[0].ordered)
        every = pd.Categorical.from_codes([*range(last), -1], dtype=dtype)
        return pd.CategoricalIndex(every), places
    several = [index for index in keys if isinstance(index, pd.MultiIndex)]
    if several:
        # xarray also names the index itself, which pandas treats as the name of a level
        bare = [pd.MultiIndex.from_frame(index.to_frame()) for index in several]
        union = reduce(lambda one, other: one.union(other, sort=False), bare)
        with suppress(TypeError):  # in the order of the cubes, if keys have none
            union = union.sort_values()
        return union, [union.get_indexer(index) for index in bare]
    present = [index.dropna() for index in keys]
    if all(index.is_monotonic_increasing or _kind(index) == "interval" for index in present):
        return None
    joined = reduce(lambda one, other: one.union(other, sort=False), keys)
    try:
        merged = merge_orders([pd.CategoricalDtype(index) for index in present if len(index)])
    except ClassOrderError:  # in the order of the cubes
        return joined, [joined.get_indexer(index) for index in keys]
    ranks = positions_of(joined, merged)
    joined = joined.take(np.argsort(np.where(ranks < 0, len(joined), ranks), kind="stable"))
    return joined, [joined.get_indexer(index) for index in keys]


def _have_an_order(keys: Sequence[pd.Index[Any]]) -> bool:
    """Return whether keys are Categoricals, all ordered or all with the same categories."""
    if are_bins(keys[0]) or not all(isinstance(index, pd.CategoricalIndex) for index in keys):
        return False
    dtypes: list[Any] = [index.dtype for index in keys]
    same = all(same_classes(dtype, dtypes[0]) for dtype in dtypes)
    return all(dtype.ordered for dtype in dtypes) or (
        same and not any(dtype.ordered for dtype in dtypes)
    )


def _in_one_unit(dim: Hashable, keys: list[pd.Index[Any]]) -> list[pd.Index[Any]]:
    """Return times in the finest unit that holds all of them exactly."""
    times: dict[int, Any] = {
        number: key
        for number, key in enumerate(keys)
        if isinstance(key, (pd.DatetimeIndex, pd.TimedeltaIndex))
    }
    if len({key.unit for key in times.values()}) < 2:
        return keys
    for unit in ("ns", "us", "ms", "s"):
        with suppress(pd.errors.OutOfBoundsDatetime, pd.errors.OutOfBoundsTimedelta):
            same = {number: key.as_unit(unit) for number, key in times.items()}
            if all(same[number].as_unit(key.unit).equals(key) for number, key in times.items()):
                return [same.get(number, key) for number, key in enumerate(keys)]
    raise ValueError(
        f"the groups along {dim!r} are {' and '.join(str(key.dtype) for key in times.values())}, "
        "and no unit holds all of these times: make them text, as with cube.assign_coords("
        f"{{{dim!r}: cube.indexes[{dim!r}].map(lambda time: time.isoformat())}})"
    )


def _kind(index: pd.Index[Any]) -> str:
    """Return the kind of keys: a letter as in NumPy, "n" for numbers, "O" for others."""
    if isinstance(index, pd.IntervalIndex):
        return "interval"
    if isinstance(index, pd.PeriodIndex):
        return str(index.dtype)  # periods of different frequencies do not compare
    if getattr(index.dtype, "tz", None) is not None:
        return "zone"
    kind = index.dtype.kind
    if kind == "O" and pd.api.types.infer_dtype(index) == "date":
        return "date"  # which pandas confuses with times
    return "n" if kind in "iuf" else kind if kind in "bmM" else "O"


def _fit(one: str, other: str) -> bool:
    """Return whether keys of two kinds have a union that changes none of them."""
    return one == other or ("O" in (one, other) and not {"interval", "zone"} & {one, other})


def _refuse_rounded(dim: Hashable, keys: Sequence[pd.Index[Any]]) -> None:
    """Raise if integers among floats would be rounded to other integers."""
    whole = [index for index in keys if index.dtype.kind in "iu" and len(index)]
    if not whole or all(index.dtype.kind != "f" for index in keys):
        return
    for index in whole:
        for key in (int(index.min()), int(index.max())):
            if abs(key) > LARGEST_EXACT:
                raise ValueError(
                    f"the groups along {dim!r} are integers in one cube, such as {key}, and "
                    "floats in another, which cannot represent it: group all by integers, or "
                    "by text"
                )
