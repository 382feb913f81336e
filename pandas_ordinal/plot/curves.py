"""Models as curves over distances, and as points over classes, with their intervals."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pandas_ordinal import metrics
from pandas_ordinal.arrays import Floats
from pandas_ordinal.plot.canvas import (
    NO_DATA,
    SMALL,
    TEXT,
    label_positions,
    one_axes,
    plain,
    style_of,
    thinned,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_BANDS = 3


@dataclass(frozen=True)
class Curves:
    """What several models have at some points.

    Attributes
    ----------
    models : Index
        The models, named as their dimension; one without a name for a single curve.
    values : ndarray, shape (models, points)
        The values.
    low, high : ndarray or None
        Their intervals, if these were asked for.
    """

    models: pd.Index[Any]
    values: Floats
    low: Floats | None = None
    high: Floats | None = None


def accuracies_within(n_classes: int) -> dict[str, Callable[..., Any]]:
    """Return the measures of a curve: the accuracy within each distance."""
    distances = range(n_classes)
    return {f"within {k}": functools.partial(metrics.accuracy_within, k=k) for k in distances}


def draw_accuracy_within(curves: Curves, ax: Axes | None) -> Axes:
    """Draw the share of rows at most k classes off, over k.

    Intervals are bands; those of many models would cover one another, and are bars beside the
    points.
    """
    n_models, n = curves.values.shape
    axes = one_axes(ax, (4.8, 3.4))
    distances = np.arange(n)
    for place, values in enumerate(curves.values):
        style = style_of(place)
        label = plain(curves.models[place])
        axes.plot(distances, values, label=label, markersize=4, linewidth=1.2, **style)
        if curves.low is not None and curves.high is not None:
            low, high = curves.low[place], curves.high[place]
            if n_models <= MOST_BANDS:
                axes.fill_between(
                    distances, low, high, color=style["color"], alpha=0.18, linewidth=0
                )
            else:
                where = distances + _shift(place, n_models, 0.5)
                axes.vlines(where, low, high, color=style["color"], linewidth=1)
    axes.set_xticks(thinned(n))
    axes.set(xlabel="tolerance k (classes)", ylabel="share within k classes")
    return _finished(axes, curves, loc="lower right")


def draw_class_mae(curves: Curves, classes: pd.Index[Any], ax: Axes | None) -> Axes:
    """Draw the mean absolute error of each true class, the models side by side."""
    n_models, n = curves.values.shape
    axes = one_axes(ax, (float(np.clip(1.6 + 0.13 * n * n_models, 4.8, 10)), 3.8))
    for place, values in enumerate(curves.values):
        style = style_of(place)
        where = np.arange(n) + _shift(place, n_models, 0.7)
        axes.plot(
            where, values, linestyle="", markersize=4, label=plain(curves.models[place]),
            clip_on=False, zorder=3, **style,
        )  # fmt: skip
        if curves.low is not None and curves.high is not None:
            low, high = curves.low[place], curves.high[place]
            axes.vlines(where, low, high, color=style["color"], linewidth=1)
    for absent in np.flatnonzero(np.isnan(curves.values).all(axis=0)):
        axes.axvspan(absent - 0.5, absent + 0.5, linewidth=0, zorder=0, **NO_DATA)
    for border in np.arange(n - 1) + 0.5:
        axes.axvline(border, color="0.9", linewidth=0.8, zorder=0)
    label_positions(axes.xaxis, classes)
    axes.tick_params(axis="x", length=0)
    axes.set(xlim=(-0.5, n - 0.5), xlabel="true class", ylabel="mean absolute error")
    axes.set_ylim(bottom=0)
    return _finished(axes, curves, loc="center left", bbox_to_anchor=(1, 0.5))


def _shift(place: int, n_models: int, width: float) -> float:
    """Return where beside a tick a model stands."""
    return width * ((place + 0.5) / n_models - 0.5)


def _finished(axes: Any, curves: Curves, **place: Any) -> Axes:
    axes.tick_params(labelsize=SMALL)
    for label in (axes.xaxis.label, axes.yaxis.label):
        label.set_size(TEXT)
    axes.spines[["top", "right"]].set_visible(False)
    if curves.models.name is not None:
        title = plain(curves.models.name)
        axes.legend(title=title, fontsize=SMALL, title_fontsize=TEXT, frameon=False, **place)
    drawn: Axes = axes
    return drawn
