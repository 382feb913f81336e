"""Texts in cells, which are fitted each time the figure is drawn; this module needs matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator, Formatter

from pandas_ordinal.counting.arrays import Floats
from pandas_ordinal.plot.canvas import INCHES, LINE, LONG, SMALL, thinned, tick_labels

LEAST_TEXT = 5.5
WIDTH, HEIGHT = 0.66, 1.35  # of a character, of its size


class CellText(Text):
    """A text in the middle of a cell, as large as fits; nothing where the cell is too small.

    How large a cell is, is known when the figure is drawn, after its layout. A size that is set by
    hand stays.

    Parameters
    ----------
    corners : pair of pair of float
        Two opposite corners of the cell, as data.
    text : str
        What is written.
    shape : tuple of int
        The lines and the characters of a line that there must be room for.
    colour : str
        The colour of the text.
    """

    def __init__(self, corners: Any, text: str, shape: tuple[int, int], colour: str) -> None:
        (left, top), (right, bottom) = corners
        super().__init__(
            (left + right) / 2, (top + bottom) / 2, text, size=SMALL, color=colour,
            ha="center", va="center", linespacing=1.1,
        )  # fmt: skip
        self.set_in_layout(False)  # it is nowhere outside of its cell
        self._corners, self._shape, self._fitted = corners, shape, SMALL

    def draw(self, renderer: Any) -> None:
        """Draw the text if it fits."""
        if self.get_fontsize() == self._fitted:
            size = self._fitting()
            if size < LEAST_TEXT:
                return
            if size != self._fitted:
                self.set_fontsize(size)
                self._fitted = size
        super().draw(renderer)

    def _fitting(self) -> float:
        """Return the size in points that the cell has room for."""
        (left, top), (right, bottom) = self.get_transform().transform(self._corners)
        lines, characters = self._shape
        points = 72 / self.figure.dpi
        width = abs(right - left) * points / (WIDTH * characters)
        height = abs(top - bottom) * points / (HEIGHT * lines)
        return float(min(SMALL, width, height))


SHARE = 0.35  # of the room of axes that are given, which labels may take
LEAST = 8  # characters
WIDTH, GAP, HEIGHT = 0.64, 0.4, 1.2  # of a character, between labels, and of a line, of their size


def label_positions(axis: Any, classes: pd.Index[Any], *, is_planned: bool) -> None:
    """Label an axis by the classes, or by some of many; long labels stand upright.

    Figures of their own are planned for the labels; on axes that are given, these are shortened.
    """
    places = thinned(len(classes))
    longest = max(map(len, tick_labels(classes)))  # so that labels are at equal distances
    _label(axis, places, [longest] * len(places), Labels(classes, is_planned))


def label_places(axis: Any, places: Floats, texts: Sequence[str]) -> None:
    """Label places of an axis by texts, the last one above all."""
    labels = Texts(dict(zip(places.tolist(), texts, strict=True)))
    _label(axis, places, list(map(len, texts)), labels, keeps_last=True)


def _label(
    axis: Any, places: Any, lengths: list[int], labels: Formatter, *, keeps_last: bool = False
) -> None:
    """Put labels of so many characters at places; long ones below an axis stand upright."""
    is_upright = axis.axis_name == "x" and max(lengths) > LONG
    is_flat = axis.axis_name == "x" and not is_upright
    points = [SMALL * (length * WIDTH + GAP if is_flat else HEIGHT) for length in lengths]
    axis.set_major_locator(Places(places, points, keeps_last))
    axis.set_major_formatter(labels)
    axis.set_tick_params(labelsize=SMALL, labelrotation=90 if is_upright else 0)


class Places(FixedLocator):
    """Those places that have room for a label.

    Parameters
    ----------
    places : sequence of float
        The places that may have one, the first one first.
    points : sequence of float
        What their labels take along the axis.
    keeps_last : bool
        Whether the last place has a label rather than the one before.
    """

    axis: Any

    def __init__(self, places: Sequence[float], points: Sequence[float], keeps_last: bool) -> None:
        super().__init__(places)
        self._places, self._points, self._keeps_last = np.array(places), points, keeps_last

    def tick_values(self, vmin: Any, vmax: Any) -> Any:
        """Return the places of labels."""
        box, (low, high) = self.axis.axes.bbox, self.axis.get_view_interval()
        length = box.width if self.axis.axis_name == "x" else box.height
        where = self._places * (72 * length / self.axis.figure.dpi / abs(high - low))
        shown, last = [0], len(where) - 1
        for place in range(1, last + 1):
            taken = (self._points[place] + self._points[shown[-1]]) / 2
            if where[place] - where[shown[-1]] >= taken:
                shown.append(place)
        if self._keeps_last and shown[-1] != last:
            shown = [*shown[: max(1, len(shown) - 1)], last]
        return self._places[shown]


class Texts(Formatter):
    """Labels of places.

    Parameters
    ----------
    texts : mapping
        The text at each place.
    """

    def __init__(self, texts: Mapping[float, str]) -> None:
        self._texts = texts

    def __call__(self, x: float, pos: int | None = None) -> str:
        """Return the label at a place, if there is one."""
        return self._texts.get(x, "")


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
