"""Artists of matplotlib: texts that fit their cells, and tick labels that fit their axis.

Import this module only where a picture is drawn: it imports matplotlib.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator, Formatter

from pandas_ordinal.counting.arrays import Floats
from pandas_ordinal.plot.canvas import (
    INCHES,
    LINE_LENGTH,
    LONG_LABEL,
    SMALL,
    labelled_positions,
    tick_labels,
)

LEAST_TEXT = 5.5
# Of a character and of a line in a cell, relative to the font size
CELL_WIDTH, CELL_HEIGHT = 0.66, 1.35


class CellText(Text):
    """Text in the middle of a cell, as large as fits; not drawn if the cell is too small.

    The size of a cell is known only when the figure is drawn, after its layout. A font size that
    is set by hand stays.

    Parameters
    ----------
    corners : pair of pair of float
        Two opposite corners of the cell, in data coordinates.
    text : str
        The text.
    shape : tuple of int
        How many lines, and how many characters per line, the cell must have room for.
    colour : str
        The colour of the text.
    """

    def __init__(self, corners: Any, text: str, shape: tuple[int, int], colour: str) -> None:
        (left, top), (right, bottom) = corners
        super().__init__(
            (left + right) / 2, (top + bottom) / 2, text, size=SMALL, color=colour,
            ha="center", va="center", linespacing=1.1,
        )  # fmt: skip
        self.set_in_layout(False)  # it never extends beyond its cell
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
        """Return the font size in points that the cell has room for."""
        (left, top), (right, bottom) = self.get_transform().transform(self._corners)
        lines, characters = self._shape
        points = 72 / self.figure.dpi
        width = abs(right - left) * points / (CELL_WIDTH * characters)
        height = abs(top - bottom) * points / (CELL_HEIGHT * lines)
        return float(min(SMALL, width, height))


SHARE = 0.35  # of the space of given axes that labels may take
LEAST = 8  # characters
# Of a character, between two labels and of a line on an axis, relative to the font size
LABEL_WIDTH, LABEL_GAP, LABEL_HEIGHT = 0.64, 0.4, 1.2


def label_positions(axis: Any, classes: pd.Index[Any], *, has_room: bool) -> None:
    """Label an axis with the classes, or with some of them if there are many.

    Long labels below an axis are vertical. A new figure has room for the labels; on given axes
    they are shortened.
    """
    places = labelled_positions(len(classes))
    longest = max(map(len, tick_labels(classes)))  # so that labels are at equal distances
    _label(axis, places, [longest] * len(places), ClassFormatter(classes, has_room))


def label_places(axis: Any, places: Floats, texts: Sequence[str]) -> None:
    """Label places on an axis; where labels would overlap, the last one takes precedence."""
    labels = TextFormatter(dict(zip(places.tolist(), texts, strict=True)))
    _label(axis, places, list(map(len, texts)), labels, keeps_last=True)


def _label(
    axis: Any, places: Any, lengths: list[int], labels: Formatter, *, keeps_last: bool = False
) -> None:
    """Put labels of these lengths at places; long ones below an axis are vertical."""
    is_vertical = axis.axis_name == "x" and max(lengths) > LONG_LABEL
    is_flat = axis.axis_name == "x" and not is_vertical
    points = [
        SMALL * (length * LABEL_WIDTH + LABEL_GAP if is_flat else LABEL_HEIGHT)
        for length in lengths
    ]
    axis.set_major_locator(FittingLocator(places, points, keeps_last))
    axis.set_major_formatter(labels)
    axis.set_tick_params(labelsize=SMALL, labelrotation=90 if is_vertical else 0)


class FittingLocator(FixedLocator):
    """The places on an axis that have room for a label.

    Parameters
    ----------
    places : sequence of float
        All places, in order. The first one always has a label.
    points : sequence of float
        The lengths of their labels along the axis.
    keeps_last : bool
        Whether the last place has a label rather than the one before it.
    """

    axis: Any

    def __init__(self, places: Sequence[float], points: Sequence[float], keeps_last: bool) -> None:
        super().__init__(places)
        self._places, self._points, self._keeps_last = np.array(places), points, keeps_last

    def tick_values(self, vmin: Any, vmax: Any) -> Any:
        """Return the places that are labelled."""
        box, (low, high) = self.axis.axes.bbox, self.axis.get_view_interval()
        length = box.width if self.axis.axis_name == "x" else box.height
        where = self._places * (72 * length / self.axis.figure.dpi / abs(high - low))
        labelled, last = [0], len(where) - 1
        for place in range(1, last + 1):
            needed = (self._points[place] + self._points[labelled[-1]]) / 2
            if where[place] - where[labelled[-1]] >= needed:
                labelled.append(place)
        if self._keeps_last and labelled[-1] != last:
            labelled = [*labelled[: max(1, len(labelled) - 1)], last]
        return self._places[labelled]


class TextFormatter(Formatter):
    """Tick labels from a mapping.

    Parameters
    ----------
    texts : mapping
        The text at each place.
    """

    def __init__(self, texts: Mapping[float, str]) -> None:
        self._texts = texts

    def __call__(self, x: float, pos: int | None = None) -> str:
        """Return the label at a place, or an empty text."""
        return self._texts.get(x, "")


class ClassFormatter(Formatter):
    """Tick labels of the classes, shortened to a share of the space of the axes.

    Parameters
    ----------
    classes : Index
        The classes.
    has_room : bool
        Whether the figure has room for the labels as they are.
    """

    axis: Any

    def __init__(self, classes: pd.Index[Any], has_room: bool) -> None:
        self._classes, self._has_room = classes, has_room

    def __call__(self, x: float, pos: int | None = None) -> str:
        """Return the label at a place, or an empty text."""
        return self.format_ticks([x])[0]

    def format_ticks(self, values: Any) -> list[str]:
        """Return the labels at several places."""
        texts = dict(enumerate(tick_labels(self._classes, self._room())))
        return [texts.get(value, "") for value in values]

    def _room(self) -> int:
        """Return how many characters a label has room for, across the axis."""
        if self._has_room:
            return LINE_LENGTH
        axes = self.axis.axes
        spec, box = axes.get_subplotspec(), axes.figure.bbox
        share = axes.get_position() if spec is None else spec.get_position(axes.figure)
        length = (
            share.width * box.width if self.axis.axis_name == "y" else share.height * box.height
        )
        return max(LEAST, int(SHARE * length / axes.figure.dpi / INCHES))
