"""Combining parts: cubes are added, frames and cubes are concatenated.

Their groups and classes may differ: orders are merged where the result is unambiguous.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add as plus
from typing import Any, overload

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.classes.columns import column
from pandas_ordinal.classes.gate import (
    ClassesLike,
    codes_in_classes,
    declared,
    positions_of,
)
from pandas_ordinal.classes.orders import merge_orders, share_classes
from pandas_ordinal.counting.arrays import Positions
from pandas_ordinal.cube.keys_of_cubes import (
    as_coordinates,
    joined_groups,
    keys_along,
    label_of_each,
)
from pandas_ordinal.cube.layout import (
    CLASS_DIMS,
    LARGEST_COUNT,
    checked_counts,
    checked_cube,
    class_coords,
)
from pandas_ordinal.errors import UnknownClassError, brief, is_iterable
from pandas_ordinal.hints import explains_arguments


@explains_arguments
def add(*cubes: xr.DataArray) -> xr.DataArray:
    """Add cubes on the union of their groups and classes, with zeros where a cube lacks one.

    Plain ``+`` keeps only the groups and classes that all cubes share, and silently drops the
    others.

    Parameters
    ----------
    *cubes : DataArray
        Cubes with the same dimensions, in any order. Their classes are merged if the resulting
        order is unambiguous, as by `concat`.

    Returns
    -------
    DataArray
        The sum, dimensions as in the first cube; int64, or float64 where a cube holds floats. The
        groups are sorted, or in the order that the cubes have.

    Raises
    ------
    ClassOrderError
        If the orders of the classes, or of groups that are an ordered Categorical, contradict
        each other, or leave open which of two is lower.
    ValueError
        If the dimensions of two cubes differ or their groups are of different kinds, a count is
        negative or not finite, the sum of integers could exceed int64, or no cube is given.
    TypeError
        If an argument is not a cube.

    Examples
    --------
    >>> import pandas as pd
    >>> import pandas_ordinal as po
    >>> monday = pd.DataFrame({"model": ["a", "a"], "y": [0, 1], "yhat": [0, 1]})
    >>> friday = pd.DataFrame({"model": ["a", "b"], "y": [0, 1], "yhat": [1, 1]})
    >>> cubes = [day.ordinal.confusion("y", "yhat", by="model") for day in (monday, friday)]
    >>> week = po.add(*cubes)
    >>> week.sum(["true", "pred"]).to_series().to_dict()
    {'a': 3, 'b': 1}
    """
    if not cubes:
        raise ValueError("there is nothing to add: give one or more cubes")
    if not all(isinstance(cube, xr.DataArray) for cube in cubes):
        raise TypeError("po.add takes cubes, each a DataArray, one by one: po.add(*cubes)")
    return _sum_cubes(cubes)


@overload
def concat(
    objs: Sequence[pd.DataFrame] | Mapping[Any, pd.DataFrame],
    dim: str | None = None,
    *,
    classes: ClassesLike | None = None,
) -> pd.DataFrame: ...
@overload
def concat(
    objs: Sequence[xr.DataArray] | Mapping[Any, xr.DataArray],
    dim: str | None = None,
    *,
    classes: ClassesLike | None = None,
) -> xr.DataArray: ...
@explains_arguments
def concat(objs: Any, dim: str | None = None, *, classes: ClassesLike | None = None) -> Any:
    """Combine frames or cubes, and merge the orders of their classes.

    ``pd.concat`` turns Categoricals whose categories differ into text, and xarray rejects or drops
    classes that one of the cubes lacks.

    Parameters
    ----------
    objs : sequence or dict of DataFrame, or of DataArray
        Frames, whose rows are concatenated; or cubes of confusion matrices.
    dim : str, optional
        Frames: the name of a new first index level that identifies the frame. Cubes: the name of a
        new first dimension, whose labels are the keys of a dict, or the coordinate of that name
        that each cube has; or a dimension that all cubes have, along which they share no group.
        Without it the cubes are added.
    classes : sequence, optional
        All classes from lowest to highest, where the parts alone leave their order open. In
        frames they are those of the ordered columns that have one of them.

    Returns
    -------
    DataFrame or DataArray
        All rows, each ordered column with the merged classes; or all counts on the grid of the
        merged classes, zeros where a cube lacks a class or a group.

    Raises
    ------
    ClassOrderError
        If the orders of the classes contradict each other, or leave open which of two is lower.
    UnknownClassError
        If a column is ordered in one frame and holds a label in another that is not a class, or
        a class is not among `classes`.
    ValueError
        If there is nothing to combine, the dimensions of cubes differ, or a frame has an
        index level of the name `dim`.
    TypeError
        If something is neither a frame nor a cube, both occur, or frames have tuples as keys.

    Examples
    --------
    >>> import pandas as pd
    >>> import pandas_ordinal as po
    >>> monday = pd.DataFrame({"y": pd.Categorical(["b"], ["a", "b", "c"], ordered=True)})
    >>> friday = pd.DataFrame({"y": pd.Categorical(["d"], ["b", "c", "d"], ordered=True)})
    >>> po.concat([monday, friday])["y"].cat.categories.tolist()
    ['a', 'b', 'c', 'd']
    """
    single = isinstance(objs, (str, bytes, pd.DataFrame, xr.DataArray))
    if single or not is_iterable(objs):
        raise TypeError(
            f"po.concat takes a list or dict of frames or cubes, not one {type(objs).__name__}"
        )
    if dim is not None and not isinstance(dim, str):
        raise TypeError(f"dim={brief(dim)} must be the name of a dimension, a str")
    keys = list(objs) if isinstance(objs, Mapping) else None
    parts = list(objs.values()) if isinstance(objs, Mapping) else list(objs)
    if not parts:
        raise ValueError("nothing to combine: po.concat takes one or more frames or cubes")
    dtype = None if classes is None else declared(classes)
    if all(isinstance(part, pd.DataFrame) for part in parts):
        return _frames(parts, keys, dim, dtype)
    if not all(isinstance(part, xr.DataArray) for part in parts):
        kinds = ", ".join(sorted({type(part).__name__ for part in parts}))
        raise TypeError(f"po.concat takes frames only, or cubes only, not {kinds}")
    if dim is None:
        return _sum_cubes(parts, dtype)
    if keys is None and all(dim in part.dims for part in parts):
        return _append(parts, dim, dtype)
    return _stack(parts, dim, keys, dtype)


def _frames(
    frames: Sequence[pd.DataFrame],
    keys: Sequence[Any] | None,
    dim: str | None,
    classes: pd.CategoricalDtype | None,
) -> pd.DataFrame:
    """Give the ordered columns of frames the same classes, and concatenate their rows."""
    if dim is not None and any(dim in frame.index.names for frame in frames):
        raise ValueError(
            f"a frame has an index level {dim!r} already: name a new one with dim=, or rename it, "
            f"as with df.rename_axis(index={{{dim!r}: ...}})"
        )
    if dim is not None and any(isinstance(key, tuple) for key in keys or ()):
        raise TypeError(
            f"the keys of the frames are tuples, {list(keys or ())}, which are more than one "
            "index level: give text, as with po.concat({str(key): df for key, df in objs.items()}"
            f", dim={brief(dim)})"
        )
    recast = [frame.copy(deep=False) for frame in frames]
    shared = False
    for name in dict.fromkeys(name for frame in frames for name in frame.columns):
        columns = [column(frame, name) if name in frame.columns else None for frame in frames]
        orders = [
            part.dtype
            for part in columns
            if part is not None and isinstance(part.dtype, pd.CategoricalDtype)
            if part.dtype.ordered
        ]
        if not orders:
            continue
        are_these = classes is not None and share_classes(orders, classes)
        shared = shared or are_these
        merged = merge_orders(orders, classes if are_these else None)
        for frame, part in zip(recast, columns, strict=True):
            codes = (
                np.full(len(frame), -1) if part is None else codes_in_classes(name, part, merged)
            )
            frame[name] = pd.Categorical.from_codes(codes, dtype=merged)
    if classes is not None and not shared:
        raise UnknownClassError(
            f"no ordered column has one of classes={brief(list(classes.categories))}: leave it out"
        )
    if dim is None:
        return pd.concat(recast)
    return pd.concat(recast, keys=range(len(recast)) if keys is None else keys, names=[dim])


def _sum_cubes(
    cubes: Sequence[xr.DataArray], classes: pd.CategoricalDtype | None = None
) -> xr.DataArray:
    """Add cubes on the grid of these classes, by default of their merged ones."""
    dim = _without_a_shared_group(cubes)
    if dim is not None:
        return _append(cubes, dim, classes)
    grid = _grid(cubes, classes, LARGEST_COUNT // len(cubes))
    first = grid.parts[0]
    if all(part.chunks is None for part in grid.parts):
        sums = np.zeros(list(grid.sizes.values()), np.result_type(*grid.parts))
        for part, places in zip(grid.parts, grid.places, strict=True):
            sums[np.ix_(*places.values())] += part.to_numpy()
        added = xr.DataArray(sums, dims=first.dims, attrs=first.attrs)
    else:
        added = reduce(plus, grid.widened())
    return added.assign_coords(grid.coords).rename(first.name)


def _without_a_shared_group(cubes: Sequence[xr.DataArray]) -> str | None:
    """Return the one dimension along which lazy cubes differ, if they share no group there.

    Concatenating them takes one task per cube, whereas adding expands each to all groups.
    """
    if len(cubes) < 2 or not any(cube.chunks is not None for cube in cubes):
        return None
    first = cubes[0].indexes
    differ = [
        dim
        for dim in cubes[0].dims
        if dim not in CLASS_DIMS
        if not all(dim in c.indexes and c.indexes[dim].equals(first.get(dim)) for c in cubes)
    ]
    if len(differ) != 1 or not all(differ[0] in cube.indexes for cube in cubes):
        return None
    keys = [cube.indexes[differ[0]] for cube in cubes]
    if any(index.nlevels > 1 or index.hasnans for index in keys):
        return None
    is_shared = len(set().union(*keys)) < sum(map(len, keys))
    return None if is_shared else str(differ[0])


def _stack(
    cubes: Sequence[xr.DataArray],
    dim: str,
    labels: Sequence[Any] | pd.Index[Any] | None,
    classes: pd.CategoricalDtype | None = None,
) -> xr.DataArray:
    """Stack cubes along a new first dimension, zeros for groups and classes that they lack."""
    for cube in cubes:
        if dim in cube.dims:
            raise ValueError(
                f"a cube has the dimension {dim!r} already: give a list of cubes that all have "
                "it, name a new one with dim=, or leave it out to add the cubes"
            )
    labelled = [cube for cube in cubes if dim in cube.coords]
    if labels is None and labelled:
        if len(labelled) < len(cubes):
            raise ValueError(
                f"only some of the cubes have a label {dim!r}: give all of them one, as with a "
                "dict of cubes by label"
            )
        labels = label_of_each(cubes, dim)
    grid = _grid(cubes, classes, LARGEST_COUNT)
    stacked: xr.DataArray = xr.concat(grid.widened(), dim=dim, join="exact")
    if labels is not None:
        stacked = stacked.assign_coords({dim: pd.Index(labels, name=dim, tupleize_cols=False)})
    return stacked.assign_coords(grid.coords).rename(grid.parts[0].name)


def _append(
    cubes: Sequence[xr.DataArray], dim: str, classes: pd.CategoricalDtype | None = None
) -> xr.DataArray:
    """Concatenate cubes along a dimension that all have."""
    if dim in CLASS_DIMS:
        raise ValueError(
            f"dim={brief(dim)} are the classes of the cubes: leave it out to add the cubes"
        )
    grid = _grid(cubes, classes, LARGEST_COUNT, along=dim)
    appended: xr.DataArray = xr.concat(grid.widened(), dim=dim, join="exact")
    labels = keys_along(dim, cubes) if any(dim in cube.indexes for cube in cubes) else []
    if labels:
        every, places = joined_groups(dim, labels)
        order = np.concatenate(places)
        n_cubes = np.bincount(order, minlength=len(every))
        if (n_cubes > 1).any():
            group = every[int(n_cubes.argmax())]
            raise ValueError(
                f"the group {group!r} along {dim!r} is in two of the cubes: leave dim= out to add "
                "their counts, or name a new dimension"
            )
        if (np.diff(order) < 0).any():
            appended = appended.isel({dim: np.argsort(order)})
        appended = appended.assign_coords(as_coordinates(dim, every))
    first = grid.parts[0]
    return appended.transpose(*first.dims).assign_coords(grid.coords).rename(first.name)


@dataclass(frozen=True)
class _Grid:
    """Cubes on the way to the same groups and classes.

    Attributes
    ----------
    parts : list of DataArray
        The cubes, without labels, dimensions as in the first one.
    places : list of dict
        Where the groups and classes of each cube are on the grid, by dimension.
    sizes : dict
        The size of the grid along these dimensions.
    coords : dict
        The labels of the grid.
    """

    parts: list[xr.DataArray]
    places: list[dict[Hashable, Positions]]
    sizes: dict[Hashable, int]
    coords: dict[Hashable, Any]

    def widened(self) -> list[xr.DataArray]:
        """Return each cube on the whole grid, with zeros where it lacks a group or a class."""
        whole = {dim: np.arange(size) for dim, size in self.sizes.items()}
        fill: Any = 0
        return [
            part.assign_coords(places).reindex(whole, fill_value=fill).drop_vars(list(whole))
            for part, places in zip(self.parts, self.places, strict=True)
        ]


def _grid(
    cubes: Sequence[xr.DataArray],
    given: pd.CategoricalDtype | None,
    limit: int,
    along: str | None = None,
) -> _Grid:
    """Find the groups and classes of all cubes; groups along the dimension `along` are left.

    A count above the limit raises an error.
    """
    checked = [checked_cube(cube) for cube in cubes]
    first, _ = checked[0]
    for cube, _ in checked:
        if set(cube.dims) != set(first.dims):
            raise ValueError(
                f"the cubes have different dimensions, {first.dims} and {cube.dims}: sum over "
                "those that only one of them has"
            )
    sizes: dict[Hashable, int] = {}
    coords: dict[Hashable, Any] = {}
    places: list[dict[Hashable, Positions]] = [{} for _ in checked]
    for dim in first.dims:
        if dim in (*CLASS_DIMS, along):
            continue
        keys = keys_along(dim, [cube for cube, _ in checked])
        sizes[dim], positions = first.sizes[dim], [np.arange(first.sizes[dim])] * len(checked)
        if keys:
            every, positions = joined_groups(dim, keys)
            sizes[dim] = len(every)
            coords.update(as_coordinates(dim, every))
        for of_cube, of_dim in zip(places, positions, strict=True):
            of_cube[dim] = of_dim
    merged = merge_orders([classes for _, classes in checked], given)
    parts = []
    for (cube, classes), of_cube in zip(checked, places, strict=True):
        of_cube.update(dict.fromkeys(CLASS_DIMS, positions_of(classes.categories, merged)))
        # small integers would overflow when they are added
        widest = np.float64 if cube.dtype.kind == "f" else np.int64
        summable = checked_counts(cube, limit).astype(widest).transpose(*first.dims)
        parts.append(summable.drop_vars(list(summable.coords)))
    sizes.update(dict.fromkeys(CLASS_DIMS, len(merged.categories)))
    return _Grid(parts, places, sizes, coords | class_coords(merged))
