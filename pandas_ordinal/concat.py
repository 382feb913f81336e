"""Putting frames or cubes together whose classes differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, overload

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.classes import ClassesLike, cast, declared, positions_of
from pandas_ordinal.columns import column
from pandas_ordinal.cube import stack, total
from pandas_ordinal.errors import UnknownClassError
from pandas_ordinal.orders import merge_orders


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
def concat(objs: Any, dim: str | None = None, *, classes: ClassesLike | None = None) -> Any:
    """Put frames or cubes together, and merge the orders of their classes.

    ``pd.concat`` makes text of Categoricals whose categories differ, and xarray refuses or drops
    classes that one of the cubes lacks.

    Parameters
    ----------
    objs : sequence or dict of DataFrame, or of DataArray
        Frames, whose rows are put one below the other; or cubes of confusion matrices.
    dim : str, optional
        Frames: the name of a new first index level that tells them apart. Cubes: the name of a
        new first dimension; without it the cubes are added. Its labels are the keys of a dict, or
        the coordinate of that name that each cube has.
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
        If a column is ordered in one frame and holds a label in another that is no class, or
        a class is not among `classes`.
    ValueError
        If there is nothing to put together, the dimensions of cubes differ, or a frame has an
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
    if isinstance(objs, (pd.DataFrame, xr.DataArray)):
        raise TypeError(f"po.concat takes a list or dict of them, not one {type(objs).__name__}")
    if dim is not None and not isinstance(dim, str):
        raise TypeError(f"dim={dim!r} must be the name of a new dimension, a str")
    keys = list(objs) if isinstance(objs, Mapping) else None
    parts = list(objs.values()) if isinstance(objs, Mapping) else list(objs)
    if not parts:
        raise ValueError("there is nothing to put together: give one or more frames or cubes")
    dtype = None if classes is None else declared(classes)
    if all(isinstance(part, pd.DataFrame) for part in parts):
        return _frames(parts, keys, dim, dtype)
    if not all(isinstance(part, xr.DataArray) for part in parts):
        kinds = ", ".join(sorted({type(part).__name__ for part in parts}))
        raise TypeError(f"po.concat takes frames only, or cubes only, not {kinds}")
    return total(parts, dtype) if dim is None else stack(parts, dim, keys, dtype)


def _frames(
    frames: Sequence[pd.DataFrame],
    keys: Sequence[Any] | None,
    dim: str | None,
    classes: pd.CategoricalDtype | None,
) -> pd.DataFrame:
    """Give the ordered columns of frames the same classes, and put their rows together."""
    if dim is not None and any(dim in frame.index.names for frame in frames):
        raise ValueError(
            f"a frame has an index level {dim!r} already: name a new one with dim=, or rename it, "
            f"as with df.rename_axis(index={{{dim!r}: ...}})"
        )
    if dim is not None and any(isinstance(key, tuple) for key in keys or ()):
        raise TypeError(
            f"the keys of the frames are tuples, {list(keys or ())}, which are more than one "
            "index level: give text, as with po.concat({str(key): df for key, df in objs.items()}"
            f", dim={dim!r})"
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
        are_these = _share(orders, classes)
        shared = shared or are_these
        merged = merge_orders(orders, classes if are_these else None)
        for frame, part in zip(recast, columns, strict=True):
            codes = np.full(len(frame), -1) if part is None else cast(name, part, merged)
            frame[name] = pd.Categorical.from_codes(codes, dtype=merged)
    if classes is not None and not shared:
        raise UnknownClassError(
            f"no ordered column has one of classes={list(classes.categories)!r}: leave it out"
        )
    if dim is None:
        return pd.concat(recast)
    return pd.concat(recast, keys=range(len(recast)) if keys is None else keys, names=[dim])


def _share(orders: Sequence[pd.CategoricalDtype], classes: pd.CategoricalDtype | None) -> bool:
    """Tell whether some label of these orders is one of the classes."""
    if classes is None:
        return False
    return any((positions_of(order.categories, classes) >= 0).any() for order in orders)
