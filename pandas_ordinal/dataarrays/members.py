"""Members of an ensemble, counted by class: the probabilities that they forecast."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.classes.bins import BinsLike, as_bins
from pandas_ordinal.counting.arrays import Array
from pandas_ordinal.cube.layout import (
    VECTOR_DIM,
    class_index,
    refuse_same_names,
    with_attributes,
)
from pandas_ordinal.dataarrays.cut import Cutting, cut_array
from pandas_ordinal.dataarrays.flags import described
from pandas_ordinal.dataarrays.labels import LabelReader, label_reader, mask_or_weights
from pandas_ordinal.dataarrays.tiles import CLASS_DIM, text_for
from pandas_ordinal.errors import brief, did_you_mean
from pandas_ordinal.query import Query


def probabilities_along(members: xr.DataArray, dim: Hashable, query: Query) -> xr.DataArray:
    """Return the share of members in each class, along a dimension of the classes."""
    _refuse_other_dim("dim", dim, members)
    if query.bins is not None:
        members = _binned(members, query.bins, query)
    labels, flags = described({"members": members.copy(deep=False)}, query.ignore)
    reader = label_reader(labels, flags, query, None)
    called = str(members.name or "members")
    numbers = _numbers_by_class(labels["members"], called, dim, reader, [])
    kept = dict.fromkeys(name for name in (*numbers.dims, *numbers.coords) if name != CLASS_DIM)
    refuse_same_names([*kept, VECTOR_DIM])
    shares = _shares(numbers).rename({CLASS_DIM: VECTOR_DIM}).rename(members.name)
    classes = {VECTOR_DIM: class_index(reader.classes, VECTOR_DIM)}
    described_as = {"long_name": "share of members", "units": "1"}
    return with_attributes(shares.assign_coords(classes), [members]).assign_attrs(described_as)


def _binned(members: xr.DataArray, bins: BinsLike, query: Query) -> xr.DataArray:
    """Sort the numbers of members into bins."""
    of_labels = [f"{option}=" for option in query.given if option in ("classes", "ignore")]
    of_labels += ["the attribute flag_meanings"] * ("flag_meanings" in members.attrs)
    if of_labels:
        raise ValueError(
            f"bins= sorts numbers into bins, but {of_labels[0]} belongs to labels of classes: "
            "leave out one of them"
        )
    return cut_array(members, Cutting(as_bins(bins, "bins")))


def with_members(query: Query) -> Query:
    """Replace the labels of members in a query by the share, or number, of those in each class."""
    dim, members = query.member_dim, query.proba
    if dim is None or not isinstance(members, xr.DataArray):
        if query.fair:
            raise ValueError(
                "fair=True corrects for the number of members, and needs these: give their "
                'dimension, such as member_dim="member"'
            )
        return query
    _refuse_other_dim("member_dim", dim, members, query.true)
    labels = {"true": query.true.copy(deep=False), "members": members.copy(deep=False)}
    labels, flags = described(labels, query.ignore)
    masks = [] if query.sample_weight is None else [mask_or_weights(query.sample_weight)]
    masks = [mask for mask in masks if mask.dtype.kind == "b"]
    reader = label_reader(labels, flags, query, masks[0] if masks else None)
    masks += [reader.selected(labels["true"])] * bool(reader.ignored)
    name = str(members.name or "proba")
    numbers = _numbers_by_class(labels["members"], name, dim, reader, masks)
    if query.fair and query.dropna:  # a single member has no fair score
        numbers = numbers.where(numbers.sum(CLASS_DIM, skipna=False) > 1)
    proba = numbers if query.fair else _shares(numbers)
    proba = with_attributes(proba, [members]).rename(members.name)
    proba = proba.assign_coords({CLASS_DIM: class_index(reader.classes, CLASS_DIM)})
    return replace(query, proba=proba, classes=reader.classes, member_dim=None)


def _numbers_by_class(
    members: xr.DataArray, name: str, dim: Hashable, reader: LabelReader, masks: list[xr.DataArray]
) -> xr.DataArray:
    """Count the members in each class, along `CLASS_DIM`; NaN where there is none.

    A member that is missing, or has a label to exclude, is not there. In cases that masks leave
    out, labels need not be classes.
    """
    if reader.ignored:
        members = members.where(reader.selected(members))
    codes = replace(reader, dropna=True).coded(members, name, masks)
    codes = codes if codes.chunks is None else codes.chunk({dim: -1})
    names, n_classes = text_for([dim]), len(reader.classes.categories)
    numbers: xr.DataArray = xr.apply_ufunc(
        partial(_numbers, n_classes),
        codes.rename(names),
        input_core_dims=[[names.get(dim, dim)]],
        output_core_dims=[[CLASS_DIM]],
        dask="parallelized",
        dask_gufunc_kwargs={"output_sizes": {CLASS_DIM: n_classes}},
        output_dtypes=[np.float32],
    )
    return numbers


def _numbers(n_classes: int, codes: Array) -> Array:
    """Count codes ``(..., m)`` by class, ``(..., K)``; the axis of the classes is stored first."""
    n_members = codes.shape[-1]
    numbers = np.zeros((n_classes, *codes.shape[:-1]), np.min_scalar_type(n_members))
    for member in range(n_members):
        for code in range(n_classes):
            numbers[code] += codes[..., member] == code
    floats = numbers.astype(np.float32)
    floats[:, ~numbers.any(axis=0)] = np.nan
    return np.moveaxis(floats, 0, -1)


def _shares(numbers: xr.DataArray) -> xr.DataArray:
    """Return the share of members in each class."""
    exact = numbers.astype(float)
    shares: xr.DataArray = exact / exact.sum(CLASS_DIM, skipna=False)
    return shares


def _refuse_other_dim(
    option: str, dim: Any, members: xr.DataArray, true: xr.DataArray | None = None
) -> None:
    """Raise unless this is a dimension of the members, which the true labels lack."""
    own = [d for d in members.dims if true is None or d not in true.dims]
    if not isinstance(dim, Hashable) or dim is pd.NA or dim not in own:
        raise ValueError(
            f"{option}={brief(dim)} must name the dimension of the members, one of {own}"
            f"{did_you_mean(dim, own)}"
        )
