"""One confusion matrix: cells with colours and texts, and the path through them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.classes.bins import edge_numbers, edges_of
from pandas_ordinal.counting.arrays import Array, Floats
from pandas_ordinal.plot.canvas import NO_DATA, edge_labels, ink, text_of, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_ANNOTATED = 15
MOST_SEPARATED = 20
PATH = "#E66100"
MEASURED = {
    "true": "share of each\ntrue class",
    "pred": "share of each\npredicted class",
    "all": "share of all rows",
}


@dataclass(frozen=True)
class Matrices:
    """Matrices to be drawn alike, ``(..., true, pred)``.

    Attributes
    ----------
    values : DataArray
        What the colours show; NaN where there is nothing to show.
    texts : DataArray
        What is written in the cells.
    classes : Index
        The classes.
    limits : tuple of float
        The values of the first and of the last colour.
    colours : str
        The name of the colour map.
    label : str
        What the values are.
    path : DataArray or None
        The cells of a path, which is outlined.
    edges : ndarray or None
        Where cells begin and end; None for cells of equal size.
    title : str
        What stands above.
    """

    values: xr.DataArray
    texts: xr.DataArray
    classes: pd.Index[Any]
    limits: tuple[float, float]
    colours: str
    label: str
    path: xr.DataArray | None = None
    edges: Floats | None = None
    title: str = ""

    @property
    def drawn_edges(self) -> Floats:
        """Where cells begin and end, around the positions of the classes if all are as wide."""
        even: Floats = np.arange(-0.5, len(self.classes))
        return even if self.edges is None else self.edges

    def at(self, place: Mapping[Any, int]) -> Matrices:
        """Return the matrix at a place of the leading dimensions."""
        path = None if self.path is None else self.path.isel(place)
        values, texts = self.values.isel(place), self.texts.isel(place)
        return replace(self, values=values, texts=texts, path=path)


def shares(
    counts: xr.DataArray,
    shown: xr.DataArray,
    normalize: str | None,
    classes: pd.Index[Any],
    path: xr.DataArray | None = None,
) -> Matrices:
    """Show the shares of counts, or the counts if they are not normalized."""
    limits = (0.0, 1.0 if normalize else float(shown.max()) or 1.0)
    text = np.frompyfunc(_count if normalize is None else _share_and_count, 2, 1)
    return Matrices(
        values=shown,
        texts=xr.apply_ufunc(text, shown, counts),
        classes=classes,
        limits=limits,
        colours="Blues",
        label=_measured(normalize, counts),
        path=path,
    )


def differences(
    shown: xr.DataArray, names: tuple[Any, Any], normalize: str | None, classes: pd.Index[Any]
) -> Matrices:
    """Show the differences of two models, with limits on both sides of zero."""
    largest = float(np.abs(shown).max()) or 1.0
    text = np.frompyfunc(_signed if normalize else _signed_count, 1, 1)
    return Matrices(
        values=shown,
        texts=xr.apply_ufunc(text, shown),
        classes=classes,
        limits=(-largest, largest),
        colours="RdBu_r",
        label=f"difference of the\n{_measured(normalize, shown)}",
        title=wrapped(" − ".join(map(text_of, names))),
    )


def _measured(normalize: str | None, counts: xr.DataArray) -> str:
    """Say what colours show."""
    if normalize is None:
        return "rows" if counts.dtype.kind in "iu" else "weight of the rows"
    return MEASURED[normalize]


def draw_matrix(axes: Axes, matrix: Matrices) -> Any:
    """Draw one matrix on axes, and return what a colour bar is made of."""
    values, n = matrix.values.to_numpy(), len(matrix.classes)
    edges = matrix.drawn_edges
    low, high = matrix.limits
    axes.patch.set(**NO_DATA)
    mesh = axes.pcolormesh(
        edges, edges, np.ma.masked_invalid(values), cmap=matrix.colours, vmin=low, vmax=high,
        edgecolors="white" if n <= MOST_SEPARATED else "none", linewidth=0.5,
        rasterized=n > 100,  # a picture of vectors with as many cells is too slow to be read
    )  # fmt: skip
    axes.set(xlim=edges[[0, -1]], ylim=edges[[-1, 0]], aspect="equal")
    if matrix.path is not None:
        _outline(axes, matrix.path.to_numpy(), edges)
    if n <= MOST_ANNOTATED:
        _write(axes, matrix, mesh)
    return mesh


def label_classes(axes: Axes, classes: pd.Index[Any], *, is_planned: bool) -> None:
    """Label both axes by the classes, in a figure that is planned for them or another one."""
    from pandas_ordinal.plot.artists import label_positions

    for axis in (axes.xaxis, axes.yaxis):
        label_positions(axis, classes, is_planned=is_planned)


def _write(axes: Axes, matrix: Matrices, mesh: Any) -> None:
    """Write into the cells, in ink that can be read on their colours."""
    from pandas_ordinal.plot.artists import CellText

    texts, edges = matrix.texts.to_numpy(), matrix.drawn_edges
    lines = [text.split("\n") for text in texts.ravel()]
    shape = max(map(len, lines)), max(len(line) for of_cell in lines for line in of_cell)
    colours = mesh.to_rgba(matrix.values.to_numpy())
    for (true, pred), text in np.ndenumerate(texts):
        if text:
            corners = list(zip(edges[[pred, pred + 1]], edges[[true, true + 1]], strict=True))
            axes.add_artist(CellText(corners, text, shape, ink(colours[true, pred])))


def _outline(axes: Axes, path: Array, edges: Floats) -> None:
    """Draw a line around the cells of a path, which leaves what is in them to be read."""
    from matplotlib.collections import LineCollection

    inside = np.pad(path, 1)
    lines = []
    for row, col in np.argwhere(path):
        (left, right), (top, bottom) = edges[col : col + 2], edges[row : row + 2]
        sides = {
            (row, col + 1): [(left, top), (right, top)],
            (row + 2, col + 1): [(left, bottom), (right, bottom)],
            (row + 1, col): [(left, top), (left, bottom)],
            (row + 1, col + 2): [(right, top), (right, bottom)],
        }
        lines += [side for neighbour, side in sides.items() if not inside[neighbour]]
    width = 2 if len(path) <= MOST_SEPARATED else 1
    line = LineCollection(lines, colors=PATH, linewidths=width, capstyle="projecting", zorder=3)
    line.set_clip_on(False)
    axes.add_collection(line)


def _share_and_count(share: float, count: Any) -> str:
    """Return a share and its count; nothing where no share is known."""
    if np.isnan(share):
        return ""
    if share == 0:
        return "0"
    return f"{share:.2f}\n({count})" if isinstance(count, int) else f"{share:.2f}"


def _count(shown: Any, _: Any) -> str:
    """Return a count, or a weight to four digits and as far as to the point."""
    if isinstance(shown, int):
        return str(shown)
    return f"{shown:.{max(4, len(f'{abs(shown):.0f}'))}g}"


def _signed(difference: float) -> str:
    """Return a difference with its sign; nothing where there is none."""
    if np.isnan(difference):
        return ""
    text = f"{difference:+.2f}".replace("-", "−")
    return "0" if text[1:] == "0.00" else text


def _signed_count(difference: Any) -> str:
    if not difference:
        return "0"
    return f"{'+' if difference > 0 else '−'}{_count(abs(difference), None)}"


OPEN = (0, (3, 2))
INFINITE = {"inf": "∞", "-inf": "−∞"}


def to_scale(matrices: Matrices) -> Matrices:
    """Return matrices whose cells are as wide as their bins."""
    return replace(matrices, edges=_drawn(matrices.classes))


def label_edges(axes: Any, classes: pd.Index[Any]) -> None:
    """Label the edges of the bins that are apart; an axis that goes on is broken, its end ∞."""
    from pandas_ordinal.plot.artists import label_places

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
