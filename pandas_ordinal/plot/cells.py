"""Texts in cells, which are fitted each time the figure is drawn; this module needs matplotlib."""

from __future__ import annotations

from typing import Any

from matplotlib.text import Text

from pandas_ordinal.plot.canvas import SMALL

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
