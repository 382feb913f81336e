"""Cubes to draw, and readers of what a picture shows."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

import pandas_ordinal as po

LETTERS = list("abcd")


def cube(counts: Any, classes: Any) -> xr.DataArray:
    """A cube of one table."""
    table = np.array(counts)
    positions = np.repeat(np.indices(table.shape).reshape(2, -1), table.ravel(), axis=1)
    dtype = pd.CategoricalDtype(classes, ordered=True)
    true, pred = (pd.Series(pd.Categorical.from_codes(p, dtype=dtype)) for p in positions)
    return po.ordinal(true).confusion(pred)


def models(classes: Any = LETTERS, **counts: Any) -> xr.DataArray:
    """A cube of several models' tables."""
    cubes = [cube(table, classes) for table in counts.values()]
    return xr.concat(cubes, pd.Index(list(counts), name="model"))


def shares(ax: Any) -> Any:
    """The colours of the cells of a panel, as numbers."""
    return ax.collections[0].get_array()


def texts(ax: Any) -> list[list[str]]:
    """The texts in the cells of a panel with equal cells."""
    size = len(shares(ax))
    cells = {tuple(map(int, text.get_position())): text.get_text() for text in ax.texts}
    return [[cells.get((pred, true), "") for pred in range(size)] for true in range(size)]


def drawn(ax: Any) -> list[Any]:
    """The texts in the cells of a panel that a saved figure has."""
    for place, text in enumerate(ax.texts):
        text.set_gid(f"cell-{place}")
    file = io.StringIO()
    ax.figure.savefig(file, format="svg")
    written = file.getvalue()
    return [text for text in ax.texts if f'id="{text.get_gid()}"' in written]


def ticks(axis: Any) -> list[str]:
    """The labels of an axis, including those that only its neighbour shows."""
    labels: list[str] = axis.get_major_formatter().format_ticks(axis.get_majorticklocs())
    return labels


def colour_bars(ax: Any) -> list[Any]:
    """The axes of the colour bars of a figure."""
    return [axes for axes in ax.figure.axes if axes.get_label() == "<colorbar>"]
