"""Pictures, by matplotlib, which is imported when the first one is drawn."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.arrays import Array
from pandas_ordinal.cube import CLASS_DIMS, checked
from pandas_ordinal.intervals import edges_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_ANNOTATED = 15
MOST_TICKS = 30


def draw(cube: xr.DataArray, normalized: xr.DataArray, over: str, ax: Axes | None) -> Axes:
    """Draw a confusion matrix: shares as colours, with the counts as text where they fit."""
    pyplot = _pyplot()
    matrix, classes = checked(cube)
    if matrix.ndim > 2:
        names = [str(dim) for dim in matrix.dims if dim not in CLASS_DIMS]
        raise ValueError(
            f"a picture shows one confusion matrix, but the cube has the dimensions {names}: "
            f"select one, as with cube.isel({names[0]}=0), or add them up, cube.sum({names})"
        )
    counts = matrix.to_numpy()
    shares = normalized.to_numpy()
    axes: Any = pyplot.subplots(layout="constrained")[1] if ax is None else ax
    colours = pyplot.get_cmap("Blues").with_extremes(bad="0.85")
    image = axes.imshow(shares, cmap=colours, vmin=0, vmax=1)
    bar = axes.figure.colorbar(image, ax=axes)
    bar.set_label({"all": "share of all"}.get(over, f"share of each {over} class"))
    labels = tick_labels(classes.categories)
    places = range(0, len(labels), -(-len(labels) // MOST_TICKS))
    shown = [labels[place] for place in places]
    axes.set_xticks(places, shown, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(places, shown)
    axes.set(xlabel="pred", ylabel="true")
    if len(labels) <= MOST_ANNOTATED:
        for (true, pred), count in np.ndenumerate(counts):
            text = _text(shares[true, pred], count)
            dark = shares[true, pred] > 0.5
            axes.text(pred, true, text, ha="center", va="center", color="w" if dark else "k")
    drawn: Axes = axes
    return drawn


def draw_roc(surface: pd.DataFrame, ax: Axes | None) -> Axes:
    """Draw the points of a ROC curve, or of a surface over a grid of thresholds."""
    pyplot = _pyplot()
    rates, classes = surface.to_numpy(), tick_labels(surface.columns)
    two = len(classes) == 2
    kind = None if two else {"projection": "3d"}
    axes: Any = pyplot.subplots(subplot_kw=kind, layout="constrained")[1] if ax is None else ax
    drawn: Axes = axes
    if two:
        low, high = rates.T
        axes.plot([*(1 - low), 0], [*high, 0], drawstyle="steps-pre")
        axes.plot([0, 1], [0, 1], color="0.7", linestyle=":")
        axes.set(xlabel=f"share of {classes[0]} above", ylabel=f"share of {classes[1]} above")
        return drawn
    if not hasattr(axes, "plot_surface"):
        raise ValueError(
            'a surface needs axes of three dimensions: subplot_kw={"projection": "3d"}'
        )
    n_limits = int(np.sqrt(2 * len(rates)))
    grid = np.zeros((3, n_limits, n_limits))
    grid[:, *np.triu_indices(n_limits)] = rates.T
    # below the diagonal there is no surface: its points fall together
    first, second = np.indices((n_limits, n_limits))
    low, middle, high = grid[:, first, np.maximum(first, second)]
    axes.plot_surface(low, high, middle, cmap="viridis", vmin=0, vmax=1, rcount=50, ccount=50)
    names = [f"share of {label} found" for label in classes]
    axes.set(xlabel=names[0], ylabel=names[2], zlabel=names[1])
    return drawn


def _pyplot() -> Any:
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError('matplotlib is missing: pip install "pandas_ordinal[plot]"') from error
    return pyplot


def tick_labels(classes: pd.Index[Any]) -> list[str]:
    """Return classes as text; bins as ``<=10``, ``10-20``, ``>20``, their edges shortened."""
    if not isinstance(classes, pd.IntervalIndex):
        return [str(label).replace("$", r"\$") for label in classes]
    edges = edges_of(classes).tolist()
    texts = [f"{edge:g}" if isinstance(edge, (int, float)) else str(edge) for edge in edges]
    if len(set(texts)) < len(edges):
        texts = list(map(str, edges))
    labels = [f"{left}-{right}" for left, right in pairwise(texts)]
    low, high = ("<=", ">") if classes.closed == "right" else ("<", ">=")
    if texts[-1] == "inf":
        labels[-1] = f"{high}{texts[-2]}"
    if texts[0] == "-inf":
        labels[0] = f"{low}{texts[1]}" if texts[1:] != ["inf"] else "all"
    return labels


def _text(share: Array, count: Any) -> str:
    """Return what a cell says: its share and its count; nothing where there are no rows."""
    if np.isnan(share):
        return ""
    return f"{share:.2f}\n({count})" if isinstance(count, np.integer) else f"{share:.2f}"
