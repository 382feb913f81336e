"""What an accessor says of itself: the classes that are declared, as far as no row tells them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import pandas as pd
import xarray as xr

from pandas_ordinal.cube import CLASS_DIMS
from pandas_ordinal.messages import called, first

MOST_ORDERS = 3
UNDECLARED = (
    "no ordered Categorical: integers are classes by themselves, others need classes=[...]"
)


def rows(of: str, n_rows: int) -> str:
    """Write what holds the rows, and how many."""
    return f".ordinal of a {of} with {n_rows} row{'s' * (n_rows != 1)}"


def sized(sizes: Mapping[Any, int]) -> str:
    """Write dimensions and their sizes."""
    return ", ".join(first([f"{dim}: {size}" for dim, size in sizes.items()])) or "no dimension"


def orders(dtypes: Iterable[tuple[Hashable, Any]], undeclared: str = UNDECLARED) -> list[str]:
    """Write a line for each order of classes that the dtypes of columns declare, or for none."""
    columns: dict[pd.CategoricalDtype, list[Hashable]] = {}
    for name, dtype in dtypes:
        if isinstance(dtype, pd.CategoricalDtype) and dtype.ordered:
            columns.setdefault(dtype, []).append(name)
    if not columns:
        return [undeclared]
    lines = [
        f"classes of {_listed(names)}: {_order(dtype.categories)}"
        for dtype, names in columns.items()
    ]
    return [*lines[:MOST_ORDERS], *["..."] * (len(lines) > MOST_ORDERS)]


def matrices(cube: xr.DataArray) -> list[str]:
    """Write what a cube lies over, and its classes, of which its axes may have lost some."""
    others = {dim: size for dim, size in cube.sizes.items() if dim not in CLASS_DIMS}
    of = f"cube of confusion matrices over {sized(others)}" if others else "confusion matrix"
    labels = cube.indexes.get("true")
    classes = "its axes declare no classes: po.from_counts makes a cube of counts"
    if isinstance(labels, pd.CategoricalIndex):
        classes = f"classes: {_order(labels.categories)}"
    return [f".ordinal of a {of}", classes]


def _order(classes: pd.Index[Any]) -> str:
    """Write classes from lowest to highest."""
    return " < ".join(first(classes))


def _listed(names: list[Hashable]) -> str:
    return called(None) if names == [None] else ", ".join(first(names, repr))
