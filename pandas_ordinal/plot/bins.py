"""Confusion matrices of bins, with cells as wide as their bins are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from pandas_ordinal.arrays import Floats
from pandas_ordinal.intervals import edge_numbers, edges_of
from pandas_ordinal.plot.canvas import edge_labels
from pandas_ordinal.plot.matrix import Matrices

OPEN = (0, (3, 2))
INFINITE = {"inf": "∞", "-inf": "−∞"}


def to_scale(matrices: Matrices) -> Matrices:
    """Return matrices whose cells are as wide as their bins."""
    return replace(matrices, edges=_drawn(matrices.classes))


def label_edges(axes: Any, classes: pd.Index[Any]) -> None:
    """Label the edges of the bins that are apart; an axis that goes on is broken, its end ∞."""
    from pandas_ordinal.plot.ticks import label_places

    texts = [INFINITE.get(text, text) for text in edge_labels(classes)]
    for axis in (axes.xaxis, axes.yaxis):
        label_places(axis, _drawn(classes), texts)


def open_ends(axes: Any, classes: pd.Index[Any]) -> None:
    """Break the border where a bin has no end."""
    edges = edges_of(classes)
    for edge, sides in {edges[0]: ("left", "top"), edges[-1]: ("right", "bottom")}.items():
        if edge in (-np.inf, np.inf):
            for side in sides:
                axes.spines[side].set(linestyle=OPEN, linewidth=1.5, capstyle="butt")


def _drawn(classes: pd.Index[Any]) -> Floats:
    """Return edges to draw, those of an open bin as far apart as those of its neighbour."""
    edges = edge_numbers(edges_of(classes), len(classes))
    lengths = np.diff(edges)
    finite = np.flatnonzero(np.isfinite(lengths))
    first, last = (lengths[finite[[0, -1]]]) if len(finite) else (1.0, 1.0)
    inner = edges[1:-1]
    if edges[0] == -np.inf:
        edges[0] = inner[0] - first if len(inner) else 0.0
    if edges[-1] == np.inf:
        edges[-1] = inner[-1] + last if len(inner) else edges[0] + 1
    return edges
