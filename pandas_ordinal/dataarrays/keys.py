"""The dimensions to count over, and the keys of `by=` and `cluster=`, which group cases."""

from __future__ import annotations

import copy
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
import xarray as xr
from xarray.groupers import Grouper

from pandas_ordinal.cube.layout import as_coordinate, refuse_same_names
from pandas_ordinal.dataarrays.class_codes import OF_CODES, holds_classes
from pandas_ordinal.dataarrays.flags import decoded, described
from pandas_ordinal.dataarrays.labels import categorical_of, is_categorical, label_reader
from pandas_ordinal.dataarrays.tiles import Key
from pandas_ordinal.errors import MissingValueError, UnknownNameError, an, brief, did_you_mean
from pandas_ordinal.groups import group, with_empty_bins
from pandas_ordinal.query import Query

BY_DIM = "pandas_ordinal_by_"


@dataclass(frozen=True)
class Grouped:
    """The groups that a grouper of xarray, or classes, make of an array.

    Attributes
    ----------
    codes : DataArray
        The position of each case's group; -1 for a case without a group.
    labels : Index
        The labels of the groups, in their order.
    """

    codes: xr.DataArray
    labels: pd.Index[Any]


KeyLabels: TypeAlias = xr.DataArray | Grouped


def dims_of(true: xr.DataArray, dim: Any) -> list[Hashable]:
    """Return the dimensions to count over, which `dim` names as in xarray."""
    if dim is None or dim is ...:
        return list(true.dims)
    several = isinstance(dim, list) or (isinstance(dim, tuple) and dim not in true.dims)
    dims: list[Any] = list(dim) if several else [dim]
    if not all(pd.api.types.is_hashable(one) and one is not pd.NA for one in dims):
        raise TypeError(f"dim= takes the name of a dimension or a list of names, not {dim!r}")
    if len(set(dims)) < len(dims):
        raise ValueError(f"dim={brief(dim)} must name different dimensions")
    return dims


def array_among(
    given: Any, holders: Sequence[xr.Dataset | xr.DataArray], option: str = "by"
) -> xr.DataArray:
    """Return an array, given the name of a variable, of a coordinate or of its component."""
    return given if isinstance(given, xr.DataArray) else _named(given, holders, option)


def keys_among(
    by: Any, holders: Sequence[xr.Dataset | xr.DataArray], option: str = "by"
) -> list[KeyLabels]:
    """Return arrays or groups for names of variables, of coordinates or of their components.

    A dict has groupers of xarray for names of variables.
    """
    given = by if isinstance(by, list) else [by]
    if not given:
        raise ValueError("by=[] must name one or more different coordinates or variables")
    keys: list[KeyLabels] = []
    for one in given:
        if isinstance(one, Mapping) and option == "by":
            keys += [_grouped(_named(name, holders, option), one[name]) for name in one]
        else:
            keys.append(one if isinstance(one, Grouped) else array_among(one, holders, option))
    return keys


def _grouped(array: xr.DataArray, grouper: Any) -> Grouped:
    """Return the groups that a grouper makes of an array."""
    if not isinstance(grouper, Grouper):
        raise TypeError(
            f"by={{{array.name!r}: ...}} takes a grouper of xarray, such as "
            f"xr.groupers.UniqueGrouper(), not {an(type(grouper).__name__)}"
        )
    groups = copy.deepcopy(grouper).factorize(array.compute())  # which keeps what it was given
    if not set(groups.codes.dims) <= set(array.dims):
        raise ValueError(
            f"the {type(grouper).__name__} of {array.name!r} has groups that overlap, but a case "
            "belongs to one: call once for each set of groups that do not"
        )
    return Grouped(groups.codes, pd.Index(groups.full_index))


def _named(name: Any, holders: Sequence[xr.Dataset | xr.DataArray], option: str) -> xr.DataArray:
    """Return a variable, a coordinate or a component of one, such as ``time.season``."""
    if not isinstance(name, Hashable) or callable(name):
        several = " or a list of these" if option == "by" else ""
        remedy = ""
        if hasattr(name, "__array__"):
            dims = tuple(holders[0].dims)
            remedy = f"; name its dimensions, such as with xr.DataArray(..., dims={brief(dims)})"
        elif isinstance(name, Grouper):
            remedy = (
                f'; name what it groups, such as with by={{"time": {type(name).__name__}(...)}}'
            )
        raise TypeError(
            f"{option}= takes a name, a DataArray of labels{several}, not "
            f"{an(type(name).__name__)}{remedy}"
        )
    for holder in holders:
        if name in set(_names(holder)) or (isinstance(name, str) and "." in name):
            try:
                return holder[name]
            except (KeyError, AttributeError):
                continue
    names = list(dict.fromkeys(name for holder in holders for name in _names(holder)))
    raise UnknownNameError(
        f"there is no variable or coordinate {brief(name)} for "
        f"{option}={did_you_mean(name, names)}; there are {names}, or give a DataArray of labels"
    )


def _names(holder: xr.Dataset | xr.DataArray) -> list[Hashable]:
    return list(holder.variables if isinstance(holder, xr.Dataset) else holder.coords)


def keys_of(
    given: Sequence[KeyLabels], dims: Sequence[Hashable], dropna: bool, option: str = "by"
) -> dict[str, Key]:
    """Read arrays of labels over some of these dimensions; chunked ones are computed.

    A key may have the name of a dimension that is counted over, so each gets another name here.
    """
    keys: dict[str, Key] = {}
    for number, one in enumerate(given):
        array = one.codes if isinstance(one, Grouped) else one
        if array.name is None:
            raise ValueError(
                "by= has a DataArray without a name, which its dimension in the result needs: "
                "give it one, such as with .rename('region')"
            )
        other = [dim for dim in array.dims if dim not in dims]
        if other or not array.dims:
            raise ValueError(
                f"{option}={brief(array.name)} has the dimensions {array.dims}, but the cases are "
                f"counted over {tuple(dims)}: name them in dim=, or give labels along these alone"
            )
        name, dim = str(array.name), f"{BY_DIM}{number}"
        if name in keys:
            raise ValueError(f"{option}= has the key {name!r} twice: leave one out")
        refuse_same_names([*keys, name])
        column = _of_groups(one) if isinstance(one, Grouped) else _labels(one)
        labels, codes = _labels_and_codes(name, array, column, dropna)
        keys[name] = Key(dim, labels.rename(dim), codes)
    return keys


def complete_keys_of(given: Sequence[KeyLabels], dims: Sequence[Hashable]) -> dict[str, Key]:
    """Read arrays of labels as `keys_of` does; raise if a case lacks one."""
    keys = keys_of(given, dims, dropna=True)
    for name, key in keys.items():
        missing = int((key.codes < 0).sum())
        if missing:
            raise MissingValueError(
                f"the key {name!r} is missing in {missing} case{'s' * (missing > 1)}: fill it in, "
                f"or leave {'this case' if missing == 1 else 'these cases'} out of the array first"
            )
    return keys


def _labels_and_codes(
    name: str, array: xr.DataArray, column: pd.Series[Any], dropna: bool
) -> tuple[pd.Index[Any], xr.DataArray]:
    """Return the labels that occur, in sorted or declared order, and the code of each case."""
    frame = pd.DataFrame({name: column})
    groups = group(frame, name, dropna=dropna)
    codes = np.full(array.size, -1)
    occurring, numbers = np.unique(groups.numbers(), return_inverse=True)
    labels, positions = with_empty_bins(groups.index(occurring))
    codes[groups.keep] = positions[numbers]
    indexes = {dim: array.indexes[dim] for dim in array.dims if dim in array.indexes}
    of_codes = OF_CODES if holds_classes(array) else ()
    attrs = {key: value for key, value in array.attrs.items() if key not in of_codes}
    array_of_codes = xr.DataArray(codes.reshape(array.shape), indexes, array.dims, attrs=attrs)
    return as_coordinate(labels), array_of_codes


def _of_groups(groups: Grouped) -> pd.Series[Any]:
    """Return the groups as a Categorical, so that they keep their order."""
    codes = groups.codes.to_numpy().ravel()
    return pd.Series(pd.Categorical.from_codes(codes, groups.labels))


def _labels(array: xr.DataArray) -> pd.Series[Any]:
    """Return the labels of an array as a column, which may be Categorical."""
    if isinstance(array.variable, xr.IndexVariable):
        index = array.variable.to_index()
        if isinstance(index, pd.MultiIndex):
            raise TypeError(
                f"by={brief(array.name)} is stacked of the levels {list(index.names)}: name these "
                f"instead, by={list(index.names)}"
            )
        return pd.Series(index.array)
    if is_categorical(array):
        return categorical_of(array)
    if holds_classes(array):
        return _classes(array)
    return pd.Series(decoded(array).to_numpy().ravel())


def _classes(array: xr.DataArray) -> pd.Series[Any]:
    """Return codes of classes, which attributes describe, as an ordered Categorical."""
    labels, flags = described({"true": array}, None)
    reader = label_reader(labels, flags, Query(dropna=True), None)
    codes = reader.coded(labels["true"], str(array.name), []).to_numpy().ravel()
    return pd.Series(pd.Categorical.from_codes(codes, dtype=reader.classes))
