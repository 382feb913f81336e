"""Draw one or many confusion matrices: panels with the same classes, limits and colours."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.cube.layout import CLASS_DIMS
from pandas_ordinal.errors import brief, did_you_mean
from pandas_ordinal.plot.canvas import (
    MOST_PANELS,
    SMALL,
    TEXT,
    axes_or_new,
    new_panels,
    refuse_other_than_axes,
    room_for,
    rows_and_columns,
    text_of,
    wrapped,
)
from pandas_ordinal.plot.matrix import Matrices, draw_matrix, label_classes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEAST_SIDE, LEAST_SIDE_OF_BINS = 2.3, 3.4  # inches per panel

Labelling = Callable[[Any, "pd.Index[Any]"], None]


def draw(
    matrices: Matrices,
    row: str | None = None,
    col: str | None = None,
    ax: Axes | None = None,
    *,
    label: Labelling | None = None,
) -> Any:
    """Draw one matrix, or a panel for each label of one or two dimensions.

    A new figure gets a colour bar.
    """
    facets = _facets(matrices.values, row, col, ax)
    sizes = [matrices.values.sizes[dim] for dim in facets]
    panels, n_cols = _panels(matrices, sizes, row is not None, ax)
    label = label or partial(label_classes, has_room=ax is None)
    meshes = []
    for axes, place in zip(panels, itertools.product(*map(range, sizes)), strict=True):
        matrix = matrices.at(dict(zip(facets, place, strict=True)))
        meshes.append(draw_matrix(axes, matrix))
        label(axes, matrices.classes)
    _name_panels(panels, matrices, facets, n_cols)
    if ax is None:  # a bar would take the space of given axes
        _colour_bar(meshes[0], panels, matrices.label)
    return np.reshape(np.array(panels, object), sizes)[()]


def no_place_for(dims: list[str], remedy: str = "") -> str:
    """Explain what to do with dimensions that a picture has no place for."""
    return (
        f"the picture has no place for the dimensions {dims}: {remedy}select one label of each "
        f"with cube.isel({dims[0]}=0), or add them up with cube.sum({dims})"
    )


def _facets(values: xr.DataArray, row: Any, col: Any, ax: Any) -> list[str]:
    """Return the dimensions that are laid out as rows and columns of panels, rows first."""
    if ax is not None:
        refuse_other_than_axes(ax)
    facets = [dim for dim in (row, col) if dim is not None]
    leading = [dim for dim in values.dims if dim not in CLASS_DIMS]
    for option, dim in {"row": row, "col": col}.items():
        if dim is not None and not (pd.api.types.is_hashable(dim) and dim in set(leading)):
            others = f"{leading} in addition to the classes"
            if not leading:
                others = (
                    f"no other dimensions: count with df.ordinal.confusion(..., by={brief(dim)})"
                )
            raise ValueError(
                f"{option}={brief(dim)} is not a dimension of the cube, which has {others}"
                f"{did_you_mean(dim, leading)}"
            )
    if facets and row == col:
        raise ValueError(f"row= and col= are both {row!r}: give two dimensions, or one option")
    if facets and ax is not None:
        raise ValueError(
            "ax= has room for one matrix: omit it with row= and col=, or select one matrix per "
            f"axes with cube.isel({facets[0]}=0)"
        )
    remaining = [str(dim) for dim in leading if dim not in facets]
    free = [option for option, dim in {"col": col, "row": row}.items() if dim is None]
    if remaining:
        is_possible = free and ax is None
        layout = f"lay them out with {free[0]}={brief(remaining[0])}, " if is_possible else ""
        raise ValueError(no_place_for(remaining, layout))
    n_panels = int(np.prod([values.sizes[dim] for dim in facets]))
    if not 0 < n_panels <= MOST_PANELS:
        raise ValueError(
            f"there would be {n_panels} panels, but a picture has from 1 to {MOST_PANELS}: select "
            f"some with cube.isel({facets[0]}=slice(9))"
        )
    return facets


def _panels(
    matrices: Matrices, sizes: list[int], is_row: bool, ax: Axes | None
) -> tuple[list[Any], int]:
    """Return the panels, row by row, and how many there are per row."""
    least = LEAST_SIDE if matrices.edges is None else LEAST_SIDE_OF_BINS
    side = float(np.clip(0.42 * len(matrices.classes), least, 5.5))
    room = room_for(matrices.classes)
    n_rows, n_cols = _grid(sizes, is_row)
    size = (n_cols * (side + 0.1) + room + 1.3, n_rows * (side + 0.3) + room + 0.4)
    if not sizes:
        return [axes_or_new(ax, size)], n_cols
    return new_panels(int(np.prod(sizes)), (n_rows, n_cols), size), n_cols


def _grid(sizes: list[int], is_row: bool) -> tuple[int, int]:
    """Return the numbers of rows and columns of panels; a long row is wrapped."""
    if len(sizes) != 1:
        return (sizes[0], sizes[1]) if sizes else (1, 1)
    if is_row:
        return sizes[0], 1
    return rows_and_columns(sizes[0])


def _name_panels(panels: list[Any], matrices: Matrices, facets: list[str], n_cols: int) -> None:
    """Title panels by their coordinates, above columns and right of rows; label outer axes."""
    titles = [
        [wrapped(f"{dim} = {text_of(label)}") for label in matrices.values.get_index(dim)]
        for dim in facets
    ]
    for place, axes in enumerate(panels):
        row, col = divmod(place, n_cols)
        is_last = place + n_cols >= len(panels)
        axes.tick_params(labelbottom=is_last, labelleft=col == 0)
        if is_last and row < (len(panels) - 1) // n_cols:
            axes.xaxis.set_in_layout(False)  # its labels hang into the gap of the last row
        axes.set_xlabel(matrices.across if is_last else "", size=TEXT)
        axes.set_ylabel("" if col else "true class", size=TEXT)
        if len(facets) == 2 and col == n_cols - 1:
            axes.annotate(
                titles[0][row], (1.03, 0.5), xycoords="axes fraction", size=TEXT, rotation=270,
                va="center",
            )  # fmt: skip
        if len(facets) == 2 and row == 0:
            axes.set_title(titles[1][col], size=TEXT)
        if len(facets) == 1:
            axes.set_title(titles[0][place], size=TEXT)
        if matrices.title:
            axes.set_title(matrices.title, size=TEXT)


def _colour_bar(mesh: Any, axes: list[Any], label: str) -> None:
    bar = mesh.axes.figure.colorbar(mesh, ax=axes, aspect=25)
    bar.set_label(label, size=TEXT)
    bar.ax.tick_params(labelsize=SMALL)
    bar.outline.set_visible(False)
