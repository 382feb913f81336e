"""Draw a confusion matrix or a difference of two: coloured cells, their texts, and a path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.classes.bins import edge_numbers, edges_of
from pandas_ordinal.counting.arrays import Array, Floats
from pandas_ordinal.cube.layout import CLASS_DIMS
from pandas_ordinal.plot.canvas import NO_DATA, edge_labels, ink, text_of, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_ANNOTATED = 15
MOST_SEPARATED = 20
PATH = "#E66100"
SHARE_LABELS = {
    "true": "share of each\ntrue class",
    "pred": "share of each\npredicted class",
    "all": "share of all rows",
}


@dataclass(frozen=True)
class Matrices:
    """Matrices that are drawn alike, ``(..., true, pred)``.

    Attributes
    ----------
    values : DataArray
        The values that the colours show; NaN where there is none.
    texts : DataArray
        The texts in the cells.
    classes : Index
        The classes.
    limits : tuple of float
        The values of the first and the last colour.
    colours : str
        The name of the colour map.
    label : str
        The label of the colour bar.
    path : DataArray or None
        True for the cells of a path, which is outlined.
    edges : ndarray or None
        Where cells begin and end; None for cells of equal size.
    title : str
        The title above the matrix.
    across : str
        What the classes of the columns are.
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
    across: str = "predicted class"

    @property
    def drawn_edges(self) -> Floats:
        """The edges of the cells; around the positions of the classes if they have none."""
        even: Floats = np.arange(-0.5, len(self.classes))
        return even if self.edges is None else self.edges

    def at(self, place: Mapping[Any, int]) -> Matrices:
        """Return the matrix at a place of the leading dimensions."""
        path = None if self.path is None else self.path.isel(place)
        values, texts = self.values.isel(place), self.texts.isel(place)
        return replace(self, values=values, texts=texts, path=path)


def share_matrices(
    counts: xr.DataArray,
    values: xr.DataArray,
    normalize: str | None,
    classes: pd.Index[Any],
    path: xr.DataArray | None = None,
) -> Matrices:
    """Return matrices of shares, or of counts if these are not normalized."""
    limits = (0.0, 1.0 if normalize else float(values.max()) or 1.0)
    text = np.frompyfunc(_count if normalize is None else _share_and_count, 2, 1)
    return Matrices(
        values=values,
        texts=xr.apply_ufunc(text, values, counts),
        classes=classes,
        limits=limits,
        colours="Blues",
        label=_colour_label(normalize, counts),
        path=path,
    )


def difference_matrices(
    values: xr.DataArray, names: tuple[Any, Any], normalize: str | None, classes: pd.Index[Any]
) -> Matrices:
    """Return matrices of the differences of two models, with colours symmetric around zero."""
    largest = float(np.abs(values).max()) or 1.0
    text = np.frompyfunc(_signed if normalize else _signed_count, 1, 1)
    return Matrices(
        values=values,
        texts=xr.apply_ufunc(text, values),
        classes=classes,
        limits=(-largest, largest),
        colours="RdBu_r",
        label=f"difference of the\n{_colour_label(normalize, values)}",
        title=wrapped(" − ".join(map(text_of, names))),
    )


def set_matrices(shares: xr.DataArray, classes: pd.Index[Any]) -> Matrices:
    """Return matrices of how often sets hold each class, with the true ones outlined."""
    text = np.frompyfunc(lambda share: _share_and_count(share, None), 1, 1)
    is_true = xr.DataArray(np.eye(len(classes), dtype=bool), dims=CLASS_DIMS)
    return Matrices(
        values=shares,
        texts=xr.apply_ufunc(text, shares),
        classes=classes,
        limits=(0.0, 1.0),
        colours="Blues",
        label="share of the sets\nof each true class",
        path=is_true.broadcast_like(shares),
        across="class in the set",
    )


def _colour_label(normalize: str | None, counts: xr.DataArray) -> str:
    """Return the label of the colour bar."""
    if normalize is None:
        return "rows" if counts.dtype.kind in "iu" else "weight of the rows"
    return SHARE_LABELS[normalize]


def draw_matrix(axes: Axes, matrix: Matrices) -> Any:
    """Draw one matrix on axes, and return the mesh, from which a colour bar is made."""
    values, n = matrix.values.to_numpy(), len(matrix.classes)
    edges = matrix.drawn_edges
    low, high = matrix.limits
    axes.patch.set(**NO_DATA)
    mesh = axes.pcolormesh(
        edges, edges, np.ma.masked_invalid(values), cmap=matrix.colours, vmin=low, vmax=high,
        edgecolors="white" if n <= MOST_SEPARATED else "none", linewidth=0.5,
        rasterized=n > 100,  # vector graphics of so many cells take too long to open
    )  # fmt: skip
    axes.set(xlim=edges[[0, -1]], ylim=edges[[-1, 0]], aspect="equal")
    if matrix.path is not None:
        _outline(axes, matrix.path.to_numpy(), edges)
    if n <= MOST_ANNOTATED:
        _write(axes, matrix, mesh)
    return mesh


def label_classes(axes: Axes, classes: pd.Index[Any], *, has_room: bool) -> None:
    """Label both axes with the classes; without room for them, shorten the labels."""
    from pandas_ordinal.plot.artists import label_positions

    for axis in (axes.xaxis, axes.yaxis):
        label_positions(axis, classes, has_room=has_room)


def _write(axes: Axes, matrix: Matrices, mesh: Any) -> None:
    """Write the texts into the cells, in black or white."""
    from pandas_ordinal.plot.artists import CellText

    texts, edges = matrix.texts.to_numpy(), matrix.drawn_edges
    lines = [text.split("\n") for text in texts.ravel()]
    shape = max(map(len, lines)), max(len(line) for cell in lines for line in cell)
    colours = mesh.to_rgba(matrix.values.to_numpy())
    for (true, pred), text in np.ndenumerate(texts):
        if text:
            corners = list(zip(edges[[pred, pred + 1]], edges[[true, true + 1]], strict=True))
            axes.add_artist(CellText(corners, text, shape, ink(colours[true, pred])))


def _outline(axes: Axes, path: Array, edges: Floats) -> None:
    """Draw a line around the cells of a path, so that their texts stay readable."""
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
    """Return a share and its count, or an empty text if the share is undefined."""
    if np.isnan(share):
        return ""
    if share == 0:
        return "0"
    return f"{share:.2f}\n({count})" if isinstance(count, int) else f"{share:.2f}"


def _count(value: Any, _: Any) -> str:
    """Return a count, or a weight in four digits or all before the decimal point."""
    if isinstance(value, int):
        return str(value)
    return f"{value:.{max(4, len(f'{abs(value):.0f}'))}g}"


def _signed(difference: float) -> str:
    """Return a difference with its sign, or an empty text if it is undefined."""
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
    return replace(matrices, edges=_finite_edges(matrices.classes))


def label_edges(axes: Any, classes: pd.Index[Any]) -> None:
    """Label the edges of the bins where labels have room; infinite edges are labelled ∞."""
    from pandas_ordinal.plot.artists import label_places

    texts = [INFINITE.get(text, text) for text in edge_labels(classes)]
    for axis in (axes.xaxis, axes.yaxis):
        label_places(axis, _finite_edges(classes), texts)


def open_ends(axes: Any, classes: pd.Index[Any]) -> None:
    """Dash the border on the side of an open bin."""
    edges = edges_of(classes)
    for edge, sides in {edges[0]: ("left", "top"), edges[-1]: ("right", "bottom")}.items():
        if edge in (-np.inf, np.inf):
            for side in sides:
                axes.spines[side].set(linestyle=OPEN, linewidth=1.5, capstyle="butt")


def _finite_edges(classes: pd.Index[Any]) -> Floats:
    """Return edges to draw: an open bin is as wide as its neighbour."""
    edges = edge_numbers(edges_of(classes), len(classes))
    lengths = np.diff(edges)
    finite = np.flatnonzero(np.isfinite(lengths))
    first, last = (lengths[finite[[0, -1]]]) if len(finite) else (1.0, 1.0)
    if edges[0] == -np.inf:
        edges[0] = edges[1] - first if edges[1] < np.inf else 0.0
    if edges[-1] == np.inf:
        edges[-1] = edges[-2] + last
    return edges
