"""ROC curves of two classes, and ROC surfaces of three."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pandas_ordinal.plot.canvas import pyplot, tick_labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_roc(surface: pd.DataFrame, ax: Axes | None) -> Axes:
    """Draw the points of a ROC curve, or of a surface over a grid of thresholds."""
    module = pyplot()
    rates, classes = surface.to_numpy(), tick_labels(surface.columns)
    two = len(classes) == 2
    kind = None if two else {"projection": "3d"}
    axes: Any = module.subplots(subplot_kw=kind, layout="constrained")[1] if ax is None else ax
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
