"""How messages write columns and labels."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

import pandas as pd

SHOWN = 8


def called(name: Hashable) -> str:
    """Return what to call a column, which may be a Series without a name."""
    return "the Series" if name is None else f"column {name!r}"


def in_code(name: Hashable) -> str:
    """Write a column as code."""
    return "series" if name is None else f"df[{name!r}]"


def some(labels: Iterable[Any]) -> list[Any]:
    """Return the first labels as Python objects, and an ellipsis if there are more."""
    listed = labels.tolist() if isinstance(labels, pd.Index) else list(labels)
    return [*listed[:SHOWN], "..."] if len(listed) > SHOWN else listed


def show(labels: Iterable[Any]) -> str:
    """Write the first labels as a list."""
    return "[" + ", ".join(item if item == "..." else repr(item) for item in some(labels)) + "]"
