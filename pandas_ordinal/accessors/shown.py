"""What an accessor says of itself: the classes that are declared, as far as no row tells them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import pandas as pd

from pandas_ordinal.messages import called, first

MOST_ORDERS = 3
UNDECLARED = "integers are classes by themselves, others need classes=[...]"


def rows(of: str, n_rows: int) -> str:
    """Write what holds the rows, and how many."""
    return f".ordinal of a {of} with {n_rows} row{'s' * (n_rows != 1)}"


def sized(sizes: Mapping[Any, int]) -> str:
    """Write dimensions and their sizes."""
    return ", ".join(first([f"{dim}: {size}" for dim, size in sizes.items()])) or "no dimension"


def orders(dtypes: Iterable[tuple[Hashable, Any]]) -> list[str]:
    """Write a line for each order of classes that the dtypes of columns declare."""
    columns: dict[pd.CategoricalDtype, list[Hashable]] = {}
    for name, dtype in dtypes:
        if isinstance(dtype, pd.CategoricalDtype) and dtype.ordered:
            columns.setdefault(dtype, []).append(name)
    if not columns:
        return [f"no ordered Categorical: {UNDECLARED}"]
    lines = [
        f"classes of {_listed(names)}: {order(dtype.categories)}"
        for dtype, names in columns.items()
    ]
    return [*lines[:MOST_ORDERS], *["..."] * (len(lines) > MOST_ORDERS)]


def order(classes: pd.Index[Any]) -> str:
    """Write classes from lowest to highest."""
    return " < ".join(first(classes))


def _listed(names: list[Hashable]) -> str:
    return called(None) if names == [None] else ", ".join(first(names, repr))
