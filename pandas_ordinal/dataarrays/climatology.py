"""Edges of classes at quantiles by cell and key, such as the month, with each year left out."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from pandas_ordinal.counting.arrays import Array, Floats, Positions
from pandas_ordinal.cube.layout import refuse_same_names
from pandas_ordinal.dataarrays.flags import decoded, refuse_packed
from pandas_ordinal.dataarrays.keys import complete_keys_of, dims_of, keys_among
from pandas_ordinal.dataarrays.tiles import CASES_PER_TILE, Key, text_for
from pandas_ordinal.errors import an, brief, did_you_mean
from pandas_ordinal.hints import explains_arguments

EDGE_DIM = "edge"


@explains_arguments
def climatology_edges(
    values: xr.DataArray,
    q: Sequence[float] | npt.NDArray[Any],
    *,
    dim: Hashable | list[Any] = "time",
    by: Hashable | list[Any] | xr.DataArray | None = None,
    leave_out: Hashable | xr.DataArray | None = None,
) -> xr.DataArray:
    """Compute edges of classes at quantiles of the values of each cell, such as terciles.

    ``values.ordinal.cut`` takes them. Quantiles are interpolated between the two nearest values,
    as ``np.quantile`` does by default.

    Parameters
    ----------
    values : DataArray
        The values; missing ones are left out.
    q : sequence of float
        The quantiles between 0 and 1, lowest first: one fewer than there are classes.
    dim : name or list of names, default "time"
        The dimensions that the quantiles are taken over. Others are kept.
    by : name, DataArray or list of these, optional
        Keys to group by: coordinates, a component of one in the notation of xarray, such as
        ``"time.month"``, or arrays of labels along `dim`. Each key becomes a dimension.
    leave_out : name or DataArray, optional
        A key, such as ``"time.year"``, that becomes a dimension too: the edges of a year are those
        of all other years, so that no value has a part in its own edges.

    Returns
    -------
    DataArray
        The edges along its last dimension, ``edge``, with -inf first and inf last; NaN where there
        are no values, as for the only year that is left out. A chunked array stays lazy, in one
        chunk along `dim`.

    Raises
    ------
    TypeError
        If the values are not a DataArray of numbers.
    ValueError
        If quantiles do not increase or are not between 0 and 1, or there is no such dimension.

    References
    ----------
    D. S. Wilks, Statistical Methods in the Atmospheric Sciences, 4th ed., Elsevier 2019,
    doi:10.1016/C2017-0-03921-6.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> import pandas_ordinal as po
    >>> import xarray as xr
    >>> time = pd.date_range("2001", periods=4, freq="YS")
    >>> rain = xr.DataArray([1.0, 2.0, 3.0, 7.0], {"time": time}, name="rain")
    >>> po.climatology_edges(rain, [0.5]).values
    array([-inf, 2.5,  inf])
    >>> edges = po.climatology_edges(rain, [1 / 3, 2 / 3], leave_out="time.year")
    >>> edges.sel(year=2004).values.round(2)
    array([-inf, 1.67, 2.33,  inf])
    >>> classes = ["below", "normal", "above"]
    >>> po.ordinal(rain).cut(edges, by="time.year", classes=classes).values
    array([0, 0, 1, 2], dtype=int8)
    """
    if not isinstance(values, xr.DataArray) or values.dtype.kind not in "iuf":
        held = f" of {values.dtype}" if isinstance(values, xr.DataArray) else ""
        raise TypeError(
            f"values= takes a DataArray of numbers, not {an(type(values).__name__)}{held}"
        )
    refuse_packed("values", values)
    shares = _quantiles(q)
    dims = dims_of(values, dim)
    for one in dims:
        if one not in values.dims:
            raise ValueError(
                f"the values have no dimension {brief(one)}, only {values.dims}"
                f"{did_you_mean(one, values.dims)}: name others with dim="
            )
    keys = [] if by is None else keys_among(by, [values])
    n_groups = len(keys)
    if leave_out is not None:
        keys += keys_among([leave_out], [values], "leave_out")
    read = complete_keys_of(keys, dims)
    kept = [one for one in values.dims if one not in dims]
    refuse_same_names([*kept, *read, EDGE_DIM])
    return _edges(values, shares, dims, read, n_groups)


def _edges(
    values: xr.DataArray,
    shares: Floats,
    dims: Sequence[Hashable],
    keys: dict[str, Key],
    n_groups: int,
) -> xr.DataArray:
    """Compute the edges by keys; those after the first `n_groups` are left out."""
    sizes = [len(key.labels) for key in keys.values()]
    cases = decoded(values).transpose(..., *dims)
    numbers = [_numbers(key, cases, dims) for key in keys.values()]
    if cases.chunks is not None:
        cases = cases.chunk(dict.fromkeys(dims, -1))
    groups = np.ravel_multi_index(numbers[:n_groups], sizes[:n_groups]) if n_groups else None
    left_out = numbers[n_groups] if len(numbers) > n_groups else None
    names = text_for(dims)
    # a key may have the name of a dimension that quantiles are taken over
    of_keys = {key.name: name for name, key in keys.items()}
    out = {**dict(zip(of_keys, sizes, strict=True)), EDGE_DIM: len(shares) + 2}
    found = xr.apply_ufunc(
        partial(_of_block, shares, groups, left_out, [*out.values()], len(dims)),
        xr.Variable([names.get(dim, dim) for dim in cases.dims], cases.data),
        input_core_dims=[[names.get(dim, dim) for dim in dims]],
        output_core_dims=[list(out)],
        dask="parallelized",
        dask_gufunc_kwargs={"output_sizes": out},
        output_dtypes=[np.float64],
    )
    coords = {name: one for name, one in cases.coords.items() if not set(one.dims) & set(dims)}
    about = {"long_name": f"edges of {values.name or 'values'}"}
    about |= {name: units for name, units in values.attrs.items() if name == "units"}
    named = [of_keys.get(str(one), one) for one in found.dims]
    edges = xr.DataArray(found.data, coords, named, "edges", about)
    return edges.assign_coords({name: (name, key.labels) for name, key in keys.items()})


def _quantiles(q: Any) -> Floats:
    """Read quantiles, or raise unless they increase between 0 and 1."""
    try:
        shares = np.asarray(q, float)
    except (TypeError, ValueError, OverflowError):
        shares = np.zeros(0)
    if shares.ndim != 1 or not shares.size or not (np.diff([0, *shares, 1]) > 0).all():
        raise ValueError(
            f"q={brief(q)} must be a list of increasing numbers between 0 and 1, such as "
            "[1 / 3, 2 / 3] for three classes"
        )
    return shares


def _numbers(key: Key, cases: xr.DataArray, dims: Sequence[Hashable]) -> Positions:
    """Return the number of the group of each case, along all dimensions of the cases in a row."""
    sizes = {dim: cases.sizes[dim] for dim in dims}
    codes = key.codes.drop_vars(list(key.codes.coords)).expand_dims(
        {dim: size for dim, size in sizes.items() if dim not in key.codes.dims}
    )
    numbers: Positions = codes.transpose(*dims).values.ravel()
    return numbers


def _of_block(
    shares: Floats,
    groups: Positions | None,
    left_out: Positions | None,
    shape: Sequence[int],
    n_dims: int,
    values: Array,
) -> Floats:
    """Return the edges of values ``(..., *dims)``, as ``(..., *keys, K + 1)``."""
    first = values.ndim - n_dims
    rows = values.reshape(math.prod(values.shape[:first]), math.prod(values.shape[first:]))
    # by key, then by row, which is the order that `cut` reads them in
    edges = np.full((math.prod(shape[:-1]), len(rows), shape[-1]), np.nan)
    n_left = 1 if left_out is None else shape[-2]
    step = max(1, CASES_PER_TILE // max(rows.shape[1], 1))
    for start in range(0, len(rows), step):
        block = rows[start : start + step]
        for group in range(len(edges) // n_left):
            chosen = slice(None) if groups is None else groups == group
            own = None if left_out is None else left_out[chosen]
            of_group = edges[group * n_left : (group + 1) * n_left, start : start + step]
            _fill(of_group, block[:, chosen].astype(float), own, shares)
    return np.moveaxis(edges, 0, 1).reshape(*values.shape[:first], *shape)


def _fill(edges: Floats, values: Floats, left_out: Positions | None, shares: Floats) -> None:
    """Write the edges of rows of values into ``(n, rows, K + 1)``: of all, or without each label.

    The values are sorted once. Those of a label that lie before a place in the order move it up.
    """
    if not values.shape[1]:
        return
    order = np.argsort(values, axis=1)  # missing values come last
    in_order = np.take_along_axis(values, order, axis=1)
    n_known = np.count_nonzero(~np.isnan(values), axis=1)
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(values.shape[1])[None], axis=1)
    for number, of_label in enumerate(edges):
        own = np.zeros(values.shape[1], bool) if left_out is None else left_out == number
        removed = np.sort(ranks[:, own], axis=1)
        n_left = n_known - np.count_nonzero(~np.isnan(values[:, own]), axis=1)
        of_label[:, 1:-1] = _interpolated(in_order, removed, n_left, shares)
        of_label[:, 0], of_label[:, -1] = -np.inf, np.inf
        of_label[n_left == 0] = np.nan


def _interpolated(
    in_order: Floats, removed: Positions, n_left: Positions, shares: Floats
) -> Floats:
    """Return quantiles of sorted rows without the values at some places: ``(rows, quantiles)``."""
    places = shares * (n_left[:, None] - 1)
    lower = np.floor(places).astype(np.intp)
    ends = []
    for place in (lower, np.minimum(lower + 1, n_left[:, None] - 1)):
        for gone in removed.T:
            place = place + (place >= gone[:, None])
        place = place.clip(0, in_order.shape[1] - 1)
        ends.append(np.take_along_axis(in_order, place, axis=1))
    low, high = ends
    share = places - lower
    with np.errstate(invalid="ignore"):  # infinite values
        step = np.where(low == high, 0, high - low)
        # from the nearer end, as numpy does
        return np.where(share < 0.5, low + step * share, high - step * (1 - share))
