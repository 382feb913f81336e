"""Models as curves over distances, and as points over classes, with their intervals."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pandas_ordinal import metrics
from pandas_ordinal.arrays import Floats
from pandas_ordinal.plot.canvas import (
    INCHES,
    NO_DATA,
    SMALL,
    TEXT,
    one_axes,
    room_for,
    style_of,
    thinned,
    wrapped,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_BANDS = 3
MOST_INSIDE = 10  # lines of a legend
MOST_BELOW = 20  # lines of a column of a legend
STEP = 0.19  # inches a line
BESIDE = {"loc": "center left", "bbox_to_anchor": (1, 0.5)}


@dataclass(frozen=True)
class Curves:
    """What several models have at some points.

    Attributes
    ----------
    models : Index
        The names of the models, named as their dimension; one without a name for a single curve,
        which needs no legend.
    values : ndarray, shape (models, points)
        The values.
    low, high : ndarray or None
        Their intervals, if these were asked for.
    """

    models: pd.Index[Any]
    values: Floats
    low: Floats | None = None
    high: Floats | None = None

    @property
    def names(self) -> list[str]:
        """What the models are called, in short lines."""
        return list(map(wrapped, self.models))

    @property
    def n_lines(self) -> int:
        """How many lines a legend has."""
        return sum(name.count("\n") + 1 for name in self.names)


def accuracies_within(n_classes: int) -> dict[str, Callable[..., Any]]:
    """Return the measures of a curve: the accuracy within each distance."""
    distances = range(n_classes)
    return {f"within {k}": functools.partial(metrics.accuracy_within, k=k) for k in distances}


def draw_accuracy_within(curves: Curves, ax: Axes | None) -> Axes:
    """Draw the share of rows at most k classes off, over k.

    Intervals are bands; those of many models would cover one another, and are bars beside the
    points. The last point, which any rows have, has no interval.
    """
    n_models, n = curves.values.shape
    is_inside = curves.models.name is None or curves.n_lines <= MOST_INSIDE
    size = (4.8, 3.4) if is_inside else _with_legend(curves, 4.8, 3.4)
    axes = one_axes(ax, size)
    distances, lines = np.arange(n), []
    for place, (name, values) in enumerate(zip(curves.names, curves.values, strict=True)):
        style = style_of(place)
        lines += axes.plot(distances, values, label=name, markersize=4, linewidth=1.2, **style)
        if curves.low is not None and curves.high is not None:
            low, high = curves.low[place, :-1], curves.high[place, :-1]
            if n_models <= MOST_BANDS:
                ends = (np.append(bound, values[-1]) for bound in (low, high))
                axes.fill_between(distances, *ends, color=style["color"], alpha=0.18, linewidth=0)
            else:
                where = distances[:-1] + _shift(place, n_models, 0.5)
                axes.vlines(where, low, high, color=style["color"], linewidth=1)
    axes.set_xticks(thinned(n))
    axes.set(xlabel="tolerance k (classes)", ylabel="share within k classes")
    return _finished(axes, curves, lines, {"loc": "lower right"} if is_inside else BESIDE)


def draw_class_mae(curves: Curves, classes: pd.Index[Any], ax: Axes | None) -> Axes:
    """Draw the mean absolute error of each true class, the models side by side."""
    from pandas_ordinal.plot.ticks import label_positions

    n_models, n = curves.values.shape
    width = float(np.clip(0.13 * n * n_models, 3.2, 8.4))
    axes = one_axes(ax, _with_legend(curves, width, 2.2 + max(room_for(classes), 1.6)))
    lines = []
    for place, (name, values) in enumerate(zip(curves.names, curves.values, strict=True)):
        style = style_of(place)
        where = np.arange(n) + _shift(place, n_models, 0.7)
        lines += axes.plot(
            where, values, linestyle="", markersize=4, label=name, clip_on=False, zorder=3,
            **style,
        )  # fmt: skip
        if curves.low is not None and curves.high is not None:
            low, high = curves.low[place], curves.high[place]
            axes.vlines(where, low, high, color=style["color"], linewidth=1)
    for absent in np.flatnonzero(np.isnan(curves.values).all(axis=0)):
        axes.axvspan(absent - 0.5, absent + 0.5, linewidth=0, zorder=0, **NO_DATA)
    for border in np.arange(n - 1) + 0.5:
        axes.axvline(border, color="0.9", linewidth=0.8, zorder=0)
    label_positions(axes.xaxis, classes, is_planned=ax is None)
    axes.tick_params(axis="x", length=0)
    axes.set(xlim=(-0.5, n - 0.5), xlabel="true class", ylabel="mean absolute error")
    axes.set_ylim(bottom=0)
    return _finished(axes, curves, lines, BESIDE)


def _shift(place: int, n_models: int, width: float) -> float:
    """Return where beside a tick a model stands."""
    return width * ((place + 0.5) / n_models - 0.5)


def _n_columns(curves: Curves) -> int:
    """Return how many columns a legend beside the axes has."""
    return -(-curves.n_lines // MOST_BELOW)


def _with_legend(curves: Curves, width: float, height: float) -> tuple[float, float]:
    """Return the size of a picture with a legend beside axes of some size."""
    longest = max(len(line) for name in curves.names for line in name.split("\n"))
    n_columns = _n_columns(curves)
    beside = max(1.6, n_columns * (0.5 + INCHES * longest))
    return width + beside, max(height, STEP * (curves.n_lines / n_columns + 2))


def _finished(axes: Any, curves: Curves, lines: list[Any], place: Mapping[str, Any]) -> Axes:
    axes.tick_params(labelsize=SMALL)
    for label in (axes.xaxis.label, axes.yaxis.label):
        label.set_size(TEXT)
    axes.spines[["top", "right"]].set_visible(False)
    if curves.models.name is not None:
        legend = axes.legend(
            lines, [""] * len(lines), title=wrapped(curves.models.name), fontsize=SMALL,
            title_fontsize=TEXT, frameon=False, ncols=_n_columns(curves), **place,
        )  # fmt: skip
        for text, name in zip(legend.get_texts(), curves.names, strict=True):
            text.set_text(name)  # as a label, one that begins with _ would be left out
    drawn: Axes = axes
    return drawn
