"""The cube: confusion matrices stacked over groups, as a DataArray ``(*by, true, pred)``."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import reduce
from itertools import combinations
from operator import add as plus
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from pandas_ordinal.arrays import LARGEST_EXACT
from pandas_ordinal.bins import refuse_bad_bins
from pandas_ordinal.classes import positions_of, same_classes
from pandas_ordinal.errors import ClassOrderError
from pandas_ordinal.groups import are_bins, with_empty_bins
from pandas_ordinal.metrics.kernel import refuse_other_than_counts
from pandas_ordinal.orders import merge_orders

CLASS_DIMS = ("true", "pred")
LARGEST_CUBE = 2**30
LARGEST_COUNT = 2**63 - 1


def class_index(classes: pd.CategoricalDtype, name: str) -> pd.CategoricalIndex[Any]:
    """Return a class axis: every class once, in order."""
    codes = np.arange(len(classes.categories))
    return pd.CategoricalIndex(pd.Categorical.from_codes(codes, dtype=classes), name=name)


def class_coords(classes: pd.CategoricalDtype) -> dict[str, pd.CategoricalIndex[Any]]:
    """Return the coordinates of both class axes."""
    return {dim: class_index(classes, dim) for dim in CLASS_DIMS}


def build(
    tables: npt.NDArray[Any],
    groups: pd.Index[Any] | None,
    models: pd.Index[Any] | None,
    classes: pd.CategoricalDtype,
    fill: float = 0,
) -> xr.DataArray:
    """Lay tables ``(groups, models, K, K)`` out as a cube, filled for keys that never meet."""
    axes = [] if groups is None else _levels(groups)
    positions = [codes[:, None] for _, codes in axes]
    if models is not None:
        positions.append(np.arange(len(models))[None, :])
        axes.append((models, positions[-1]))
    names = [str(labels.name if labels.name is not None else "group") for labels, _ in axes]
    refuse_same_names([*names, *CLASS_DIMS])
    shape = (*(len(labels) for labels, _ in axes), *tables.shape[2:])
    refuse_size(int(np.prod(shape, dtype=object)))
    cube = np.full(shape, fill, tables.dtype)
    cube[tuple(positions)] = tables if positions else tables[0, 0]
    coords = {
        name: plain(labels).rename(name) for name, (labels, _) in zip(names, axes, strict=True)
    }
    dims = (*names, *CLASS_DIMS)
    return xr.DataArray(cube, {**coords, **class_coords(classes)}, dims, name="count")


def checked(cube: xr.DataArray) -> tuple[xr.DataArray, pd.CategoricalDtype]:
    """Return a cube with its class axes last and in the order of their dtype, or refuse it.

    A permuted axis is put back. A subset, a reindexed or a retyped one is an error: position would
    not be class any more.
    """
    if not set(CLASS_DIMS) <= set(cube.dims):
        raise ValueError(
            f"a cube of confusion matrices has the dimensions 'true' and 'pred', not {cube.dims}: "
            "make one with df.ordinal.confusion(...), or from labels with "
            "true.ordinal.confusion(pred, dim=...)"
        )
    classes = _declared(cube, "true")
    if not same_classes(_declared(cube, "pred"), classes):
        raise ClassOrderError(
            "the axes 'true' and 'pred' of the cube have different classes, "
            f"{list(classes.categories)} and {list(_declared(cube, 'pred').categories)}: count "
            "both with the same classes"
        )
    orders = {dim: np.argsort(cube.indexes[dim].codes) for dim in CLASS_DIMS}
    moved = {dim: order for dim, order in orders.items() if (np.diff(order) < 0).any()}
    return (cube.isel(moved) if moved else cube).transpose(..., *CLASS_DIMS), classes


def counts(cube: xr.DataArray, limit: int | None = None) -> xr.DataArray:
    """Return a cube of finite counts, none negative; a chunked one is checked when computed.

    Nor are integers above a limit.
    """

    def check(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        refuse_other_than_counts(values)
        if limit is not None and values.dtype.kind in "iu" and values.size:
            largest = int(values.max())
            if largest > limit:
                raise ValueError(
                    f"the cube holds a count of {largest}, too large to be summed as an integer "
                    "below 2**63: turn its counts to floats, as with cube.astype(float)"
                )
        return values

    checked_cube: xr.DataArray = xr.apply_ufunc(
        check, cube, dask="parallelized", output_dtypes=[cube.dtype]
    )
    return checked_cube


def add(*cubes: xr.DataArray) -> xr.DataArray:
    """Add cubes: the union of their groups and of their classes, zeros where one lacks some.

    Plain ``+`` keeps only the groups and classes that all cubes share, and loses the others
    without a word.

    Parameters
    ----------
    *cubes : DataArray
        Cubes with the same dimensions, in any order. Their classes are merged if that leaves no
        doubt of the order, as by `concat`.

    Returns
    -------
    DataArray
        The sum, dimensions as in the first cube; int64, or float64 where a cube holds floats. The
        groups are sorted, or in the order that the cubes have them in.

    Raises
    ------
    ClassOrderError
        If the orders of the classes, or of groups that are an ordered Categorical, contradict
        each other, or leave open which of two is lower.
    ValueError
        If the dimensions of two cubes differ or their groups are of different kinds, a count is
        negative or not finite, integers could exceed int64 in sum, or there is no cube.
    TypeError
        If something is no cube.

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
        raise ValueError("there is no cube to add: give one or more")
    if not all(isinstance(cube, xr.DataArray) for cube in cubes):
        raise TypeError("po.add takes cubes, each a DataArray, one by one: po.add(*cubes)")
    return total(cubes)


def total(
    cubes: Sequence[xr.DataArray], classes: pd.CategoricalDtype | None = None
) -> xr.DataArray:
    """Add cubes on the grid of their merged, or of these classes."""
    parts, merged = _on_one_grid(cubes, classes, LARGEST_COUNT // len(cubes))
    added: xr.DataArray = reduce(plus, parts)
    return added.assign_coords(class_coords(merged)).rename(parts[0].name)


def stack(
    cubes: Sequence[xr.DataArray],
    dim: str,
    labels: Sequence[Any] | pd.Index[Any] | None,
    classes: pd.CategoricalDtype | None = None,
) -> xr.DataArray:
    """Lay cubes along a new dimension, the first one: zeros for groups and classes they lack."""
    for cube in cubes:
        if dim in cube.dims:
            raise ValueError(
                f"a cube has the dimension {dim!r} already: name a new one with dim=, or leave it "
                "out to add the cubes"
            )
    labelled = [cube for cube in cubes if dim in cube.coords]
    if labels is None and labelled:
        if len(labelled) < len(cubes):
            raise ValueError(
                f"only some of the cubes have a label {dim!r}: give all of them one, as with a "
                "dict of cubes by label"
            )
        labels = _labels(cubes, dim)
    parts, merged = _on_one_grid(cubes, classes, LARGEST_COUNT)
    stacked: xr.DataArray = xr.concat(parts, dim=dim, join="exact")
    coords: dict[str, Any] = dict(class_coords(merged))
    if labels is not None:
        coords[dim] = pd.Index(labels, name=dim, tupleize_cols=False)
    return stacked.assign_coords(coords).rename(parts[0].name)


def _labels(cubes: Sequence[xr.DataArray], dim: str) -> pd.Index[Any]:
    """Return the label that each cube has as a coordinate of that name."""
    coords = [cube.coords[dim] for cube in cubes]
    if any(coord.ndim for coord in coords):
        raise ValueError(
            f"the cubes have a coordinate {dim!r} along {coords[0].dims}, not one label each: "
            "give the new dimension another name"
        )
    # an Index keeps times what they are, where .item() makes integers of them
    first, *others = (coord.expand_dims(dim).to_index() for coord in coords)
    labels: pd.Index[Any] = first.append(others)
    if labels.dtype == object:
        labels = pd.Index(labels.tolist(), tupleize_cols=False)
    if not labels.is_unique:
        raise ValueError(
            f"the cubes have the labels {labels.tolist()} along {dim!r}, some of them twice: add "
            "those up first, with po.add, or give a dict of cubes by label"
        )
    return labels


def _on_one_grid(
    cubes: Sequence[xr.DataArray], declared: pd.CategoricalDtype | None, limit: int
) -> tuple[list[xr.DataArray], pd.CategoricalDtype]:
    """Give cubes the same groups and classes, zeros where they lack some.

    Their class axes are without labels. No count is above the limit.
    """
    parts = [checked(cube) for cube in cubes]
    first, _ = parts[0]
    for cube, _ in parts:
        if set(cube.dims) != set(first.dims):
            raise ValueError(
                f"the cubes have different dimensions, {first.dims} and {cube.dims}: sum over "
                "those that only one of them has"
            )
    dims = [dim for dim in first.dims if dim not in CLASS_DIMS]
    keys = {dim: _keys(dim, [cube for cube, _ in parts]) for dim in dims}
    in_order = {dim: _in_order(dim, indexes) for dim, indexes in keys.items()}
    merged = merge_orders([classes for _, classes in parts], declared)
    bare = []
    for number, (cube, classes) in enumerate(parts):
        coords: dict[Any, Any] = dict.fromkeys(
            CLASS_DIMS, positions_of(classes.categories, merged)
        )
        for dim, indexes in keys.items():
            if indexes:
                found = in_order[dim]
                coords[dim] = indexes[number] if found is None else found[1][number]
        # small integers would overflow when they are added
        widest = np.float64 if cube.dtype.kind == "f" else np.int64
        summable = counts(cube, limit).astype(widest)
        bare.append(summable.reset_coords(drop=True).assign_coords(coords))
    grid = dict.fromkeys(CLASS_DIMS, np.arange(len(merged.categories)))
    fill: Any = 0
    wide = [cube.reindex(grid, fill_value=fill).drop_vars(CLASS_DIMS) for cube in bare]
    aligned = xr.align(*wide, join="outer", fill_value=fill)
    labels = {
        dim: found[0].take(aligned[0].indexes[dim]).rename(dim)
        for dim, found in in_order.items()
        if found is not None
    }
    return [cube.assign_coords(labels).transpose(*first.dims) for cube in aligned], merged


def _keys(dim: Hashable, cubes: Sequence[xr.DataArray]) -> list[pd.Index[Any]]:
    """Return the keys of each cube's groups along a dimension, if they can be told apart."""
    keys = [cube.indexes[dim] for cube in cubes if dim in cube.indexes]
    if len(keys) < len(cubes):
        if keys or len({cube.sizes[dim] for cube in cubes}) > 1:
            raise ValueError(
                f"the groups along {dim!r} have no labels in some of the cubes: give them some, "
                f"as with cube.assign_coords({{{dim!r}: [...]}})"
            )
        return []
    if not _have_an_order(keys):
        keys = [plain(index) for index in keys]
    for index in keys:
        if not index.is_unique:
            raise ValueError(f"the cubes have a group twice along {dim!r}: {list(index)}")
    for one, other in combinations({_kind(index): index for index in keys}.values(), 2):
        if not _fit(_kind(one), _kind(other)):
            raise ValueError(
                f"the groups along {dim!r} are labelled {one.dtype} in one cube and "
                f"{other.dtype} in another: group all by the same keys"
            )
    _refuse_rounded(dim, keys)
    bins = [index.dropna() for index in keys if isinstance(index, pd.IntervalIndex)]
    if len(bins) > 1:
        merge_orders([pd.CategoricalDtype(index.sort_values(), ordered=True) for index in bins])
    return keys


def _have_an_order(keys: Sequence[pd.Index[Any]]) -> bool:
    """Tell whether keys are Categoricals that are all ordered, or all of the same categories."""
    if are_bins(keys[0]) or not all(isinstance(index, pd.CategoricalIndex) for index in keys):
        return False
    dtypes: list[Any] = [index.dtype for index in keys]
    same = all(same_classes(dtype, dtypes[0]) for dtype in dtypes)
    return all(dtype.ordered for dtype in dtypes) or (
        same and not any(dtype.ordered for dtype in dtypes)
    )


def _kind(index: pd.Index[Any]) -> str:
    """Return what keys are: a letter as NumPy has them, "n" for numbers, "O" for others."""
    if isinstance(index, pd.IntervalIndex):
        return "interval"
    if getattr(index.dtype, "tz", None) is not None:
        return "zone"
    kind = index.dtype.kind
    return "n" if kind in "iuf" else kind if kind in "bmM" else "O"


def _fit(one: str, other: str) -> bool:
    """Tell whether keys of two kinds have a union in which each key stays what it is."""
    return one == other or ("O" in (one, other) and not {"interval", "zone"} & {one, other})


def _refuse_rounded(dim: Hashable, keys: Sequence[pd.Index[Any]]) -> None:
    """Raise if integers would be rounded among floats, and be taken for others."""
    whole = [index for index in keys if index.dtype.kind in "iu" and len(index)]
    if not whole or all(index.dtype.kind != "f" for index in keys):
        return
    for index in whole:
        for key in (int(index.min()), int(index.max())):
            if abs(key) > LARGEST_EXACT:
                raise ValueError(
                    f"the groups along {dim!r} are integers in one cube, {key} for one, and "
                    "floats in another, which do not hold it exactly: group all by integers, or "
                    "by text"
                )


def _in_order(
    dim: Hashable, keys: Sequence[pd.Index[Any]]
) -> tuple[pd.Index[Any], list[npt.NDArray[np.intp]]] | None:
    """Return all groups in the order that the cubes have them in, and where each cube's are.

    None if they are sorted in each cube: so is their union, then.
    """
    categories = [index for index in keys if isinstance(index, pd.CategoricalIndex)]
    if categories:
        dtypes = [pd.CategoricalDtype(index.categories, ordered=True) for index in categories]
        try:
            merged = merge_orders(dtypes)
        except ClassOrderError as error:
            orders = " and ".join(" < ".join(map(str, dtype.categories)) for dtype in dtypes)
            raise ClassOrderError(
                f"the groups along {dim!r} are ordered, as {orders}, which is no one order: give "
                f"all cubes the same, as with cube.assign_coords({{{dim!r}: "
                f"cube.indexes[{dim!r}].set_categories([...])}})"
            ) from error
        last = len(merged.categories)  # a missing key
        places = [positions_of(index, merged) % (last + 1) for index in keys]
        dtype = pd.CategoricalDtype(merged.categories, categories[0].ordered)
        every = pd.Categorical.from_codes([*range(last), -1], dtype=dtype)
        return pd.CategoricalIndex(every), places
    present = [index.dropna() for index in keys]
    if all(index.is_monotonic_increasing or _kind(index) == "interval" for index in present):
        return None
    joined = reduce(lambda one, other: one.union(other, sort=False), keys)
    try:
        merged = merge_orders(
            [pd.CategoricalDtype(index, ordered=True) for index in present if len(index)]
        )
    except ClassOrderError:  # as the cubes come
        return joined, [joined.get_indexer(index) for index in keys]
    ranks = positions_of(joined, merged)
    joined = joined.take(np.argsort(np.where(ranks < 0, len(joined), ranks), kind="stable"))
    return joined, [joined.get_indexer(index) for index in keys]


def product(axes: Sequence[pd.Index[Any]]) -> pd.Index[Any]:
    """Return every combination of the labels of some axes, the last one running fastest."""
    if len(axes) == 1:
        return axes[0]
    positions = np.indices([len(axis) for axis in axes]).reshape(len(axes), -1)
    levels = [
        axis.get_level_values(level).take(position)
        for axis, position in zip(axes, positions, strict=True)
        for level in range(axis.nlevels)
    ]
    refuse_same_names([level.name for level in levels])
    return pd.MultiIndex.from_arrays(levels)


def refuse_same_names(names: Sequence[Any]) -> None:
    """Raise if two dimensions of a result would have one name."""
    for name in names:
        if name is not None and list(names).count(name) > 1:
            raise ValueError(
                f"the result would have two dimensions {name!r} among {list(names)}: 'true' and "
                "'pred' are the classes, 'model' (or df.columns.name) a list of predictions; "
                f"rename the key {name!r}"
            )


def refuse_size(n_cells: int) -> None:
    """Raise if a cube would be too large to be of use."""
    if n_cells > LARGEST_CUBE:
        raise ValueError(
            f"the cube would have {n_cells:,} cells, {n_cells * 8 / 2**30:,.0f} GiB: score by "
            "group with report(...) or a metric and by=, which need no cube"
        )


def plain(labels: pd.Index[Any]) -> pd.Index[Any]:
    """Return group labels as a coordinate: those of a Categorical without its dtype."""
    return pd.Index(labels.to_numpy()) if isinstance(labels, pd.CategoricalIndex) else labels


def _levels(groups: pd.Index[Any]) -> list[tuple[pd.Index[Any], npt.NDArray[np.intp]]]:
    """Split group keys into the labels of each key and the positions among them.

    The labels that occur, or all bins.
    """
    if not isinstance(groups, pd.MultiIndex):
        return [(groups, np.arange(len(groups)))]
    levels = []
    for number, (name, level, codes) in enumerate(
        zip(groups.names, groups.levels, groups.codes, strict=True)
    ):
        if are_bins(groups.get_level_values(number)):
            levels.append(with_empty_bins(groups.get_level_values(number)))
            continue
        complete = level.insert(len(level), np.nan) if (codes < 0).any() else level
        used, positions = np.unique(np.where(codes < 0, len(level), codes), return_inverse=True)
        levels.append((complete.take(used).rename(name), positions))
    return levels


def _declared(cube: xr.DataArray, dim: str) -> pd.CategoricalDtype:
    """Return the classes of an axis, if each is there once."""
    index = cube.indexes.get(dim)
    if not isinstance(index, pd.CategoricalIndex) or not index.ordered:
        raise ClassOrderError(
            f"the axis {dim!r} of the cube has lost its classes (it is no ordered "
            f"CategoricalIndex): give them back with cube.assign_coords({dim}=pd.CategoricalIndex("
            "[...], [...], ordered=True)), lowest class first"
        )
    if not np.array_equal(np.sort(index.codes), np.arange(len(index.categories))):
        raise ClassOrderError(
            f"the axis {dim!r} of the cube holds {list(index)}, not each of its classes "
            f"{list(index.categories)} once: select on the rows and count again, since distances "
            "between classes depend on all of them"
        )
    refuse_bad_bins(index.categories, f"the axis {dim!r} of the cube")
    return pd.CategoricalDtype(index.categories, ordered=True)
