"""Labels and keys of partitions: what the whole frame declares, and conversion to its dtypes."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from typing import Any

import pandas as pd

from pandas_ordinal.classes.gate import positions_of
from pandas_ordinal.classes.undeclared import Column
from pandas_ordinal.counting.arrays import Array
from pandas_ordinal.errors import ClassOrderError, an, brief, called, show
from pandas_ordinal.groups import names_of_keys
from pandas_ordinal.query import ABSENT, Query


def listed(names: Any) -> list[Any]:
    """Return the names in an option as a list, empty if there are none."""
    if names is None or names is ABSENT:
        return []
    return list(names.values()) if isinstance(names, Mapping) else names_of_keys(names)


def dtypes_of_groups(query: Query) -> dict[Hashable, pd.CategoricalDtype]:
    """Return the labels of keys in `groups=` as dtypes."""
    if query.groups is None:
        return {}
    if not isinstance(query.groups, Mapping):
        raise TypeError(
            f"groups= takes a dict {{key: [label, ...]}}, not {an(type(query.groups).__name__)}; "
            "by= names the keys"
        )
    dtypes = {}
    for key, labels in query.groups.items():
        if key not in [one for one in listed(query.by) if one is not pd.NA]:
            raise ValueError(f"groups= names {key!r}, which is not in by={brief(query.by)}")
        index = pd.Index(labels)
        if not len(index) or index.hasnans or not index.is_unique:
            raise ValueError(
                f"groups[{key!r}]={show(index)} must be one or more different labels, none missing"
            )
        dtypes[key] = pd.CategoricalDtype(index)
    return dtypes


def refuse_unknown_index(empty: pd.DataFrame, query: Query) -> None:
    """Raise for a key in the index whose labels cannot be declared."""
    for key in listed(query.by):
        if key in empty.columns or key not in empty.index.names:
            continue
        is_categorical = isinstance(empty.index, pd.CategoricalIndex)
        if is_categorical or key in (query.groups or {}):
            raise ValueError(
                f"the key {key!r} is the index, whose labels cannot be declared: make it a column "
                "with ddf.reset_index()"
            )


def refuse_undeclared(columns: list[Column], unknown: Collection[Hashable]) -> None:
    """Raise if the classes are not known before rows are read."""
    for name, _ in columns:
        if name in unknown:
            raise ClassOrderError(
                f"the categories of {called(name)} are not known before it is read: declare them "
                f"in order, ddf[{name!r}] = ddf[{name!r}].astype(pd.CategoricalDtype([<lowest>, "
                "..., <highest>], ordered=True)), or give classes=[<lowest>, ..., <highest>]"
            )
    if any(getattr(labels.dtype, "ordered", False) for _, labels in columns):
        return
    for name, labels in columns:
        if labels.dtype.kind != "b":
            raise ClassOrderError(
                f"the classes of {called(name)} ({labels.dtype}) are not known before it is read: "
                "give classes=[<lowest>, ..., <highest>], or for integers classes=range(<lowest>, "
                "<highest> + 1)"
            )


def have_same_categories(dtype: Any, other: pd.CategoricalDtype) -> bool:
    """Return whether a dtype has the same categories in the same order."""
    return (
        isinstance(dtype, pd.CategoricalDtype)
        and dtype.ordered == other.ordered
        and dtype.categories.equals(other.categories)
    )


def by_label(
    name: Hashable, values: pd.Series[Any], dtype: pd.CategoricalDtype, is_key: bool
) -> pd.Series[Any]:
    """Return a column converted to a dtype by label."""
    is_categorical = isinstance(values.dtype, pd.CategoricalDtype)
    labels = values.cat.categories if is_categorical else pd.Index(values.dropna().unique())
    lost = labels[positions_of(labels, dtype) < 0]
    if len(lost):
        lost = lost[lost.isin(values.unique())]
    if not len(lost) and is_categorical:  # astype ignores the order of unordered categories
        return values.cat.set_categories(dtype.categories, ordered=dtype.ordered)
    if not len(lost):
        return values.astype(dtype)
    if is_key:
        raise ValueError(
            f"the key {name!r} holds {show(lost)}, which are not among its labels "
            f"{show(dtype.categories)}: declare all labels with groups={{{name!r}: [...]}}"
        )
    return unordered(values)  # the gate names the labels that are not classes


def unordered(values: pd.Series[Any]) -> pd.Series[Any]:
    """Return labels of a partition without its order, which is not that of the frame."""
    if not isinstance(values.dtype, pd.CategoricalDtype):
        return values
    return values.cat.as_unordered()


def positions_along(key: Hashable, labels: pd.Series[Any], axis: pd.Index[Any]) -> Array:
    """Return the positions of the labels of a key along its axis."""
    # codes of an Arrow dictionary may be in another order than unique()
    codes, unique = pd.factorize(labels, use_na_sentinel=False)
    positions = positions_of(pd.Index(unique), pd.CategoricalDtype(axis))
    if (positions[codes] < 0).any():
        raise ValueError(
            f"the data has changed: the key {key!r} has labels that are not among {show(axis)}, "
            "the labels of an earlier pass; call confusion(...) again"
        )
    return positions[codes]
