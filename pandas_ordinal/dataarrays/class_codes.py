"""Codes of classes with attributes that name the classes in order, written and read.

These are the CF attributes `flag_values`, `flag_meanings` and `_FillValue`, and three others:
`class_order` declares that the flags are classes in the order of their values, and `bin_edges` and
`bin_closed` describe classes that are bins.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any, cast

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.classes.bins import CLOSED, Closed, as_bins, edges_of
from pandas_ordinal.classes.gate import smallest
from pandas_ordinal.errors import ClassOrderError, brief

BY_VALUE = {"class_order": "flag_values"}
OF_CODES = [
    "_FillValue", "missing_value", "flag_values", "flag_meanings", *BY_VALUE, "bin_edges",
    "bin_closed",
]  # fmt: skip


def with_classes_of(
    codes: xr.DataArray,
    classes: pd.CategoricalDtype,
    bins: pd.IntervalIndex[Any] | None = None,
) -> xr.DataArray:
    """Return codes, -1 where missing, with attributes for the classes, and for their bins."""
    dtype = smallest(classes)
    values = np.arange(len(classes.categories), dtype=dtype)
    about = {"_FillValue": dtype.type(-1), "flag_values": values}
    return codes.assign_attrs(about | order_of(classes.categories, bins))


def like(array: xr.DataArray, codes: xr.Variable) -> xr.DataArray:
    """Return codes with the name and the coordinates of an array, but not its attributes."""
    # a chunked array has a name of its own, which must not become that of the codes
    return xr.DataArray(codes.data, array.coords, codes.dims).rename(array.name)


def order_of(labels: pd.Index[Any], bins: pd.IntervalIndex[Any] | None) -> dict[str, Any]:
    """Return attributes that name classes in the order of their flags, and the edges of bins."""
    about: dict[str, Any] = {"flag_meanings": " ".join(flag_names(labels)), **BY_VALUE}
    if bins is not None:
        edges = edges_of(bins)
        is_number = edges.dtype.kind in "iuf"
        about["bin_edges"] = edges.to_numpy() if is_number else " ".join(map(_edge, edges))
        about["bin_closed"] = bins.closed
    return about


def flag_names(labels: pd.Index[Any]) -> list[str]:
    """Return names of classes without spaces; raise if two have the same."""
    if isinstance(labels, pd.IntervalIndex):
        start = "[" if labels.closed in ("left", "both") else "("
        end = "]" if labels.closed in ("right", "both") else ")"
        edges = [_edge(edge) for edge in edges_of(labels)]
        return [f"{start}{a},_{b}{end}" for a, b in pairwise(edges)]
    names: dict[str, Any] = {}
    for label in labels:
        name = flag_name(label)
        if not name or name in names:
            other = f"{brief(names[name])} and " if name else ""
            raise ClassOrderError(
                f"the classes {other}{brief(label)} would be {brief(name)} in the attribute "
                "flag_meanings, whose names differ and have no spaces: give other names"
            )
        names[name] = label
    return list(names)


def flag_name(label: Hashable) -> str:
    """Return the name of a class, without spaces."""
    return re.sub(r"\s", "_", str(label))


def labels_of_names(
    name: str, attrs: Mapping[Hashable, Any], values: Sequence[int], names: Sequence[str]
) -> tuple[list[Any], pd.IntervalIndex[Any] | None]:
    """Return the labels of flags, given their values and names, and the bins that they are.

    Labels of classes are bins, or numbers, if these are their names.
    """
    if "class_order" not in attrs:
        return list(names), None
    bins = None
    if "bin_edges" in attrs:
        bins = _bins_of(name, attrs)
        if len(bins) != len(names):
            raise ClassOrderError(
                f"{name!r} has {len(names)} flag_values and the bin_edges "
                f"{brief(attrs['bin_edges'])}, which must be one more: correct the attributes"
            )
        if flag_names(bins) == list(names):
            return list(bins), bins
    return (list(values) if list(map(str, values)) == list(names) else list(names)), bins


def holds_classes(array: xr.DataArray) -> bool:
    """Whether flags of an array are classes in the order of their values.

    They are not in an array of floats that xarray did not decode from integers: it may have been
    computed, and operations of xarray keep attributes.
    """
    if dict(array.attrs) | BY_VALUE != dict(array.attrs):
        return False
    stored = array.encoding.get("dtype", array.dtype) if array.dtype.kind == "f" else array.dtype
    return np.dtype(stored).kind in "iu"


def _bins_of(name: str, attrs: Mapping[Hashable, Any]) -> pd.IntervalIndex[Any]:
    """Read bins from attributes; raise if these describe none."""
    closed = attrs.get("bin_closed", "right")
    edges: pd.Index[Any] | None = None
    with suppress(TypeError, ValueError):
        edges = _edges_of(attrs["bin_edges"])
    if edges is None or not isinstance(closed, str) or closed not in CLOSED.values():
        raise ClassOrderError(
            f"{name!r} has the attributes bin_edges={brief(attrs['bin_edges'])} and "
            f"bin_closed={brief(closed)}, which must be numbers or times in ISO 8601, and one of "
            f"{list(CLOSED.values())}: correct the attributes"
        )
    return as_bins(edges, "bin_edges", cast("Closed", closed))


def _edges_of(given: Any) -> pd.Index[Any]:
    """Read edges from an attribute."""
    edges: pd.Index[Any]
    if isinstance(given, str):
        texts = given.split()
        is_length = texts and texts[0].lstrip("-").startswith("P")
        edges = pd.to_timedelta(texts) if is_length else pd.to_datetime(texts, format="ISO8601")
    else:
        numbers = np.atleast_1d(given)
        edges = pd.Index(numbers.astype(numbers.dtype.newbyteorder("=")))
    return edges


def _edge(edge: Any) -> str:
    return edge.isoformat() if hasattr(edge, "isoformat") else str(edge)
