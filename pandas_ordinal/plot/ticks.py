"""Labels of classes, which are fitted each time the figure is drawn; this needs matplotlib."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.ticker import FixedLocator, Formatter

from pandas_ordinal.plot.canvas import INCHES, LINE, LONG, SMALL, thinned, tick_labels

SHARE = 0.35  # of the room of axes that are given, which labels may take
LEAST = 8  # characters
WIDTH, HEIGHT = 0.7, 1.2  # of a character and a line, of their size


def label_positions(axis: Any, classes: pd.Index[Any], *, is_planned: bool) -> None:
    """Label an axis by the classes, or by some of many; long labels stand upright.

    Figures of their own are planned for the labels; on axes that are given, these are shortened.
    """
    longest = max(map(len, tick_labels(classes)))
    is_flat = axis.axis_name == "x" and longest <= LONG
    axis.set_major_locator(
        Places(thinned(len(classes)), SMALL * (longest * WIDTH if is_flat else HEIGHT))
    )
    axis.set_major_formatter(Labels(classes, is_planned))
    is_upright = axis.axis_name == "x" and not is_flat
    axis.set_tick_params(labelsize=SMALL, labelrotation=90 if is_upright else 0)


class Places(FixedLocator):
    """Places of the classes that have room for a label, at equal distances.

    Parameters
    ----------
    places : sequence of int
        The places of the classes that may have one.
    points : float
        What a label takes along the axis.
    """

    axis: Any

    def __init__(self, places: Sequence[int], points: float) -> None:
        super().__init__(places)
        self._places, self._points = np.array(places), points

    def tick_values(self, vmin: Any, vmax: Any) -> Any:
        """Return the places of labels."""
        places = self._places
        if len(places) < 2:
            return places
        box, (low, high) = self.axis.axes.bbox, self.axis.get_view_interval()
        length = (box.width if self.axis.axis_name == "x" else box.height) / self.axis.figure.dpi
        apart = 72 * length * (places[1] - places[0]) / abs(high - low)
        return places[:: math.ceil(self._points / max(apart, self._points / len(places)))]


class Labels(Formatter):
    """Labels of the classes, which take a share of the room of the axes.

    Parameters
    ----------
    classes : Index
        The classes.
    is_planned : bool
        Whether the figure has room for them as they are.
    """

    axis: Any

    def __init__(self, classes: pd.Index[Any], is_planned: bool) -> None:
        self._classes, self._is_planned = classes, is_planned

    def __call__(self, x: float, pos: int | None = None) -> str:
        """Return the label at a place, if there is one."""
        return self.format_ticks([x])[0]

    def format_ticks(self, values: Any) -> list[str]:
        """Return the labels at several places."""
        texts = dict(enumerate(tick_labels(self._classes, self._room())))
        return [texts.get(value, "") for value in values]

    def _room(self) -> int:
        """Return the characters that there is room for across the axis."""
        if self._is_planned:
            return LINE
        axes = self.axis.axes
        spec, box = axes.get_subplotspec(), axes.figure.bbox
        share = axes.get_position() if spec is None else spec.get_position(axes.figure)
        length = (
            share.width * box.width if self.axis.axis_name == "y" else share.height * box.height
        )
        return max(LEAST, int(SHARE * length / axes.figure.dpi / INCHES))
