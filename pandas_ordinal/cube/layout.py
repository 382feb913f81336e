"""The cube: confusion matrices stacked over groups, as a DataArray ``(*by, true, pred)``."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.classes.bins import of_objects, refuse_bad_bins
from pandas_ordinal.classes.gate import same_classes
from pandas_ordinal.counting.arrays import Array, Positions
from pandas_ordinal.errors import ClassOrderError
from pandas_ordinal.groups import are_bins, levels_of, with_empty_bins
from pandas_ordinal.metrics.stack import refuse_other_than_counts

CLASS_DIMS = ("true", "pred")
COUNT, SHARE = "count", "share"  # the names of a cube, and of a normalized one
# what shares add up over
SUMMED: Mapping[str, Sequence[str]] = {"true": ["pred"], "pred": ["true"], "all": CLASS_DIMS}
VECTOR_DIM = "class"  # of results that have one number for each class
LARGEST_CUBE = 2**30
LARGEST_COUNT = 2**63 - 1
ENCODED = "pandas_ordinal"  # the attribute that holds the labels of a coordinate in a file


def class_index(classes: pd.CategoricalDtype, name: str) -> pd.CategoricalIndex[Any]:
    """Return a class axis: every class once, in order."""
    codes = np.arange(len(classes.categories))
    return pd.CategoricalIndex(pd.Categorical.from_codes(codes, dtype=classes), name=name)


def class_coords(
    classes: pd.CategoricalDtype, dims: Sequence[str] = CLASS_DIMS
) -> dict[str, pd.CategoricalIndex[Any]]:
    """Return the coordinates of class axes, of those of a cube by default."""
    return {dim: class_index(classes, dim) for dim in dims}


def build(
    tables: Array,
    groups: pd.Index[Any] | None,
    models: pd.Index[Any] | None,
    classes: pd.CategoricalDtype,
    fill: float = 0,
) -> xr.DataArray:
    """Lay tables ``(groups, models, K, K)`` out as a cube, filled where keys do not combine."""
    axes = [] if groups is None else axes_of(groups)
    positions = [codes[:, None] for _, codes in axes]
    if models is not None:
        positions.append(np.arange(len(models))[None, :])
        axes.append((models, positions[-1]))
    labels = [labels for labels, _ in axes]
    names_of_axes(labels)
    shape = (*map(len, labels), *tables.shape[2:])
    refuse_size(int(np.prod(shape, dtype=object)))
    cube = np.full(shape, fill, tables.dtype)
    cube[tuple(positions)] = tables if positions else tables[0, 0]
    return labelled(cube, labels, classes)


def labelled(
    values: Any, axes: Sequence[pd.Index[Any]], classes: pd.CategoricalDtype
) -> xr.DataArray:
    """Make a cube of counts ``(*axes, K, K)``, which may be a Dask array."""
    names = names_of_axes(axes)
    coords = {
        name: as_coordinate(labels).rename(name) for name, labels in zip(names, axes, strict=True)
    }
    dims = (*names, *CLASS_DIMS)
    return xr.DataArray(values, {**coords, **class_coords(classes)}, dims, name=COUNT)


def names_of_axes(axes: Sequence[pd.Index[Any]]) -> list[str]:
    """Return the names of the dimensions of a cube; raise if two would be the same."""
    names = [str(labels.name if labels.name is not None else "group") for labels in axes]
    refuse_same_names([*names, *CLASS_DIMS])
    return names


def checked_cube(cube: xr.DataArray) -> tuple[xr.DataArray, pd.CategoricalDtype]:
    """Return a cube with its class axes last and in the order of their dtype, or raise.

    A permuted axis is put back in order. A subset, reindexed or retyped axis raises an error,
    since its positions would no longer be classes. So does a normalized cube.
    """
    if not set(CLASS_DIMS) <= set(cube.dims):
        raise ValueError(
            f"a cube of confusion matrices has the dimensions 'true' and 'pred', not {cube.dims}: "
            "make one with df.ordinal.confusion(...), or from labels with "
            "true.ordinal.confusion(pred, dim=...)"
        )
    _refuse_shares(cube)
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


def checked_counts(cube: xr.DataArray, limit: int | None = None) -> xr.DataArray:
    """Return a cube of counts that are finite and not negative, integers within a limit.

    A chunked cube is checked when it is computed.
    """

    def check(values: Array) -> Array:
        refuse_other_than_counts(values)
        if limit is not None and values.dtype.kind in "iu" and values.size:
            largest = int(values.max())
            if largest > limit:
                raise ValueError(
                    f"the cube holds a count of {largest}, too large to be summed as an integer "
                    "below 2**63: convert its counts to floats, as with cube.astype(float)"
                )
        return values

    counts: xr.DataArray = xr.apply_ufunc(
        check, cube, dask="parallelized", output_dtypes=[cube.dtype]
    )
    return counts


def sums_of(cube: xr.DataArray, dims: Sequence[str] = CLASS_DIMS) -> xr.DataArray:
    """Add up counts over the classes, of each matrix by default; raise if int64 has no such sum.

    A chunked cube is checked when it is computed.
    """
    if cube.dtype.kind == "f" and cube.dtype.itemsize < 8:
        cube = cube.astype(float)  # sums of narrow floats would be rounded
    sums: xr.DataArray = cube.sum(dims)
    if cube.dtype.kind == "f" or (cube.chunks is None and _fit(cube.to_numpy(), sums.size)):
        return sums

    def check(sums: Array, floats: Array) -> Array:
        if floats.max(initial=0) >= 2.0**63:
            raise ValueError(
                f"the counts of the cube add up to {floats.max():.3g}, too large for an integer "
                "below 2**63: convert them to floats, as with cube.astype(float)"
            )
        return sums

    checked: xr.DataArray = xr.apply_ufunc(
        check, sums, cube.astype(float).sum(dims), dask="parallelized", output_dtypes=[sums.dtype]
    )
    return checked


def _fit(counts: Array, n_sums: int) -> bool:
    """Return whether so many sums of counts certainly fit int64."""
    return bool(counts.max(initial=0) <= LARGEST_COUNT * n_sums // max(counts.size, 1))


def normalized(cube: xr.DataArray, over: str) -> xr.DataArray:
    """Return counts as shares of each true class, of each predicted class, or of each matrix."""
    counts = checked_counts(checked_cube(cube)[0])
    total = sums_of(counts, SUMMED[over])
    shares: xr.DataArray = counts / total.where(total > 0)
    return shares.rename(SHARE)


def _refuse_shares(cube: xr.DataArray) -> None:
    """Raise for a normalized cube, or one that was renamed since."""
    is_named = cube.name == SHARE
    if is_named or (cube.name != COUNT and _adds_up_to_one(cube)):
        seen = f"is named {SHARE!r}" if is_named else "holds fractions that add up to 1"
        raise ValueError(
            f"the cube {seen}: these are shares, as normalize(...) returns, which lack the number "
            "of rows. Give the counts, cube = df.ordinal.confusion(...), and keep "
            'shares = cube.ordinal.normalize("true") only to show them'
        )


def _adds_up_to_one(cube: xr.DataArray) -> bool:
    """Whether a cube in memory holds fractions whose sums are 1 as those of shares are."""
    if cube.chunks is not None or cube.dtype.kind != "f" or not (cube % 1 > 0).any():
        return False
    sums = [cube.sum(dims).to_numpy() for dims in SUMMED.values()]
    return any(np.allclose(one[one != 0], 1) for one in sums)


def as_integers(cube: xr.DataArray) -> str:
    """Return how to declare that cells in memory are counts; empty if they may be shares."""
    if cube.chunks is not None or (cube % 1 != 0).any() or not (cube > 1).any():
        return ""
    return ", or declare that cells are counts with cube.astype(int)"


def product(axes: Sequence[pd.Index[Any]]) -> pd.Index[Any]:
    """Return every combination of the labels of some axes, the last one running fastest."""
    if len(axes) == 1:
        return axes[0]
    names = [name for axis in axes for name in axis.names]
    refuse_same_names(names)
    positions = np.indices([len(axis) for axis in axes]).reshape(len(axes), -1)
    levels: list[Any] = []
    codes: list[Any] = []
    for axis, position in zip(axes, positions, strict=True):
        if isinstance(axis, pd.MultiIndex):
            levels.extend(axis.levels)
            codes.extend(of_level[position] for of_level in axis.codes)
        else:
            levels.append(axis)
            codes.append(position)
    return pd.MultiIndex(levels, codes, names=names)


def refuse_same_names(names: Sequence[Any]) -> None:
    """Raise if two dimensions of a result would have the same name."""
    for name in names:
        if name is not None and list(names).count(name) > 1:
            raise ValueError(
                f"the result would have two dimensions {name!r} among {list(names)}: 'true', "
                "'pred' and 'class' are the classes, 'model' (or df.columns.name) a list of "
                f"predictions; rename the key or coordinate {name!r}"
            )


def refuse_size(n_cells: int) -> None:
    """Raise if a cube would be too large to be of use."""
    if n_cells > LARGEST_CUBE:
        raise ValueError(
            f"the cube would have {n_cells:,} cells, {n_cells * 8 / 2**30:,.0f} GiB: score by "
            "group with report(...) or a metric and by=, which need no cube"
        )


def as_coordinate(labels: pd.Index[Any]) -> pd.Index[Any]:
    """Return group labels as a coordinate, without the dtype of a Categorical or of Arrow."""
    if isinstance(labels.dtype, np.dtype) and not labels.dtype.isnative:
        return labels.astype(labels.dtype.newbyteorder("="))
    if isinstance(labels, pd.CategoricalIndex):
        plain: pd.Index[Any] = pd.Index(labels.to_numpy())
        return plain
    return without_arrow(labels)


def without_arrow(labels: pd.Index[Any]) -> pd.Index[Any]:
    """Return labels in a dtype of NumPy or pandas; xarray supports only some of those of Arrow."""
    dtype: Any = labels.dtype
    if not isinstance(dtype, pd.ArrowDtype):
        return labels
    values: Any = labels.to_numpy()
    if dtype.kind in "iu" and labels.hasnans:  # as floats they could be rounded
        nullable: Any = "UInt64" if dtype.kind == "u" else "Int64"
        values = pd.array(labels.to_numpy(dtype=object), dtype=nullable)
    plain: pd.Index[Any] = pd.Index(values)
    return plain


def axes_of(groups: pd.Index[Any]) -> list[tuple[pd.Index[Any], Positions]]:
    """Split group keys into the labels of each key and the positions among them.

    These are the labels that occur, or all bins.
    """
    if not isinstance(groups, pd.MultiIndex):
        return [(groups, np.arange(len(groups)))]
    levels = []
    for keys, level, codes in zip(levels_of(groups), groups.levels, groups.codes, strict=True):
        if are_bins(keys):
            levels.append(with_empty_bins(keys))
            continue
        complete = level.insert(len(level), np.nan) if (codes < 0).any() else level
        used, positions = np.unique(np.where(codes < 0, len(level), codes), return_inverse=True)
        levels.append((complete.take(used).rename(keys.name), positions))
    return levels


def _declared(cube: xr.DataArray, dim: str) -> pd.CategoricalDtype:
    """Return the classes of an axis, if each occurs once."""
    index = cube.indexes.get(dim)
    if dim in cube.coords and ENCODED in cube.coords[dim].attrs:
        raise ClassOrderError(
            f"the axis {dim!r} of the cube holds codes, as a file does: read the file with "
            "po.open_cube(path), many files with po.open_cube([...]), and a Dataset with "
            "po.cube_from_dataset(dataset)"
        )
    if not isinstance(index, pd.CategoricalIndex) or not index.ordered:
        raise ClassOrderError(
            f"the axis {dim!r} of the cube has lost its classes (it is not an ordered "
            f"CategoricalIndex): give them back with cube.assign_coords({dim}=pd.CategoricalIndex("
            "[...], [...], ordered=True)), lowest class first"
        )
    if not np.array_equal(np.sort(index.codes), np.arange(len(index.categories))):
        raise ClassOrderError(
            f"the axis {dim!r} of the cube holds {list(index)}, not each of its classes "
            f"{list(index.categories)} once: select on the rows and count again, since distances "
            "between classes depend on all of them"
        )
    classes = of_objects(index.categories)
    refuse_bad_bins(classes, f"the axis {dim!r} of the cube")
    return pd.CategoricalDtype(classes, ordered=True)


def with_attributes(result: xr.DataArray, sources: Sequence[xr.DataArray]) -> xr.DataArray:
    """Give the coordinates of a result the attributes of the same coordinates of its sources.

    The result itself gets none: it is another quantity, and readers of files would apply the
    valid range, the fill value or the flags of labels to it.
    """
    result = result.copy(deep=False)
    result.attrs = {}
    of_coords: dict[Hashable, Mapping[Any, Any]] = {}
    for source in reversed(sources):
        of_coords |= {name: dict(c.attrs) for name, c in source.coords.items() if c.attrs}
    for name in result.coords.keys() & of_coords.keys():
        result.coords[name].attrs = dict(of_coords[name])
    return result


def keeps_attributes() -> bool:
    """Return whether a reduction of xarray keeps attributes, by its option or its version."""
    return bool(xr.DataArray(0, attrs={"kept": True}).sum().attrs)


def as_quantity(result: xr.DataArray, name: str) -> xr.DataArray:
    """Name a result, for programs that read attributes of the CF conventions too."""
    named = result.rename(name)
    named.attrs = {"long_name": name, "units": "1"}
    return named
