"""ROC curves of two classes, and ROC surfaces of three."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from pandas_ordinal.arrays import Floats
from pandas_ordinal.plot.canvas import COLOURS, SMALL, TEXT, one_axes, tick_labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_roc(surface: pd.DataFrame, ax: Axes | None) -> Axes:
    """Draw the points of a ROC curve, or of a surface over a grid of thresholds."""
    rates, classes = surface.to_numpy(), tick_labels(surface.columns)
    return _curve(rates, classes, ax) if len(classes) == 2 else _surface(rates, classes, ax)


def _curve(rates: Floats, classes: list[str], ax: Axes | None) -> Axes:
    axes = one_axes(ax, (3.8, 4.0))
    low, high = rates.T
    false, true = np.append(1 - low, 0), np.append(high, 0)
    axes.plot([0, 1], [0, 1], color="0.7", linestyle=":", linewidth=1)
    axes.plot(false, true, color=COLOURS[0], linewidth=1.5, clip_on=False)
    axes.set_title(f"AUC {np.trapezoid(true[::-1], false[::-1]):.3f}", size=TEXT)
    axes.set_xlabel(f"false positive rate\n(class {classes[0]} above the threshold)", size=TEXT)
    axes.set_ylabel(f"true positive rate\n(class {classes[1]} above the threshold)", size=TEXT)
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    axes.tick_params(labelsize=SMALL)
    axes.spines[["top", "right"]].set_visible(False)
    drawn: Axes = axes
    return drawn


def _surface(rates: Floats, classes: list[str], ax: Axes | None) -> Axes:
    axes = one_axes(ax, (5, 4.4), projection="3d")
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
    for axis, label in zip((axes.xaxis, axes.zaxis, axes.yaxis), classes, strict=True):
        axis.set_label_text(f"share of class {label} found", size=TEXT)
    axes.tick_params(labelsize=SMALL)
    axes.set_box_aspect(None, zoom=0.85)  # the label of the upright axis stays in the picture
    drawn: Axes = axes
    return drawn
