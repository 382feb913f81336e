"""What all pictures share: figures, sizes, colours, and the texts of classes and labels."""

from __future__ import annotations

import textwrap
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pandas_ordinal.classes.bins import edges_of
from pandas_ordinal.errors import an

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes

MOST_PANELS = 100
PANELS_PER_ROW = 4
METRICS_PER_ROW = 5
MOST_TICKS = 20
TEXT = 9.0  # points, like all font sizes
SMALL = 8.0
INCHES = 0.07  # the width of a character
LONG_LABEL = 4  # characters: longer labels do not fit below a cell
LINE_LENGTH = 30  # characters: longer names and titles are wrapped, longer classes shortened

# The colours of Okabe and Ito, which colour-blind readers can distinguish; the markers are for
# black-and-white print
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
LINES = ("-", "--", "-.")
NO_DATA = {"facecolor": "0.88", "edgecolor": "0.65", "hatch": "////"}


def pyplot() -> Any:
    """Import pyplot, or explain how to install matplotlib."""
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError('matplotlib is missing: pip install "pandas_ordinal[plot]"') from error
    return pyplot


def axes_or_new(ax: Axes | None, size: tuple[float, float], **options: Any) -> Any:
    """Return the given axes, or those of a new figure of this size in inches."""
    module = pyplot()
    if ax is not None:
        refuse_other_than_axes(ax)
        return ax
    return module.subplots(figsize=size, layout="compressed", subplot_kw=options)[1]


def rows_and_columns(n_panels: int) -> tuple[int, int]:
    """Return how many rows and columns of panels there are; a long row is wrapped."""
    n_rows = -(-n_panels // PANELS_PER_ROW)
    return n_rows, -(-n_panels // n_rows)


def new_panels(
    n_panels: int, grid: tuple[int, int], size: tuple[float, float], **options: Any
) -> list[Any]:
    """Return the panels of a new figure, row by row, in a grid that may have more places."""
    panels = pyplot().subplots(
        *grid, squeeze=False, figsize=size, layout="compressed", subplot_kw=options
    )[1].ravel()  # fmt: skip
    for empty in panels[n_panels:]:
        empty.remove()
    return list(panels[:n_panels])


def refuse_other_than_axes(ax: Any) -> None:
    """Raise unless `ax` is an Axes of matplotlib."""
    from matplotlib.axes import Axes

    if not isinstance(ax, Axes):
        raise TypeError(
            f"ax= takes axes of matplotlib, not {an(type(ax).__name__)}: create them "
            "with figure, axes = plt.subplots(); of an array of axes give one, such as ax=axes[0]"
        )


def given_axes(ax: Any) -> npt.NDArray[np.object_]:
    """Return the given axes, one or several, as an array."""
    pyplot()
    given = [*np.ravel(ax)] if isinstance(ax, np.ndarray) else ax
    panels = [*given] if isinstance(given, (list, tuple)) else [given]
    for axes in panels:
        refuse_other_than_axes(axes)
    return np.array(panels, object)


def panels_of_lines(
    n: int, names: list[str], n_cols: int | None = None
) -> npt.NDArray[np.object_]:
    """Return panels of a new figure that share named lines; long rows of panels are wrapped."""
    if n_cols is None:
        n_cols = -(-n // -(-n // METRICS_PER_ROW))
    n_rows = -(-n // n_cols)
    size = (
        1.9 * n_cols + INCHES * max(map(len, names)),
        n_rows * (0.26 * len(names) + 1),
    )
    grid = pyplot().subplots(
        n_rows, n_cols, squeeze=False, sharey=True, figsize=size, layout="constrained"
    )[1]
    for empty in grid.ravel()[n:]:
        empty.remove()
    panels: npt.NDArray[np.object_] = grid.ravel()[:n]
    return panels


def style_of(place: int) -> dict[str, Any]:
    """Return the colour and the marker of a model."""
    turn, colour = divmod(place, len(COLOURS))
    return {"color": COLOURS[colour], "marker": MARKERS[(colour + turn) % len(MARKERS)]}


def ink(colour: Any) -> str:
    """Return black or white, whichever is easier to read on a colour."""
    from matplotlib.colors import to_rgb

    rgb = np.array(to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    luminance = linear @ [0.2126, 0.7152, 0.0722]
    return "black" if (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05) else "white"


def escaped(label: Any) -> str:
    """Return a label as text in which no dollar sign starts a formula."""
    return text_of(label).replace("$", r"\$")


def wrapped(label: Any) -> str:
    """Return a label as text of lines that fit next to a panel or above it."""
    return escaped("\n".join(textwrap.wrap(text_of(label), LINE_LENGTH)))


def shortened(label: Any, room: int = LINE_LENGTH) -> str:
    """Return a label as text on one line; an ellipsis replaces the middle of a long one."""
    text, half = text_of(label), room // 2
    return escaped(text if len(text) <= room else f"{text[:half]}…{text[-half:]}")


def text_of(label: Any) -> str:
    """Return a label as text; commas separate the levels of a tuple."""
    return ", ".join(map(str, label)) if isinstance(label, tuple) else str(label)


def tick_labels(classes: pd.Index[Any], room: int = LINE_LENGTH) -> list[str]:
    """Return classes as text; bins as ``<=10``, ``10-20``, ``>20``, with shortened edges.

    Long classes are shortened to `room` characters, or to as many as keep them distinct.
    """
    if not isinstance(classes, pd.IntervalIndex):
        longest = max(map(len, map(text_of, classes)), default=0)
        labels = [shortened(label, room) for label in classes]
        while len(set(labels)) < len(labels) and room < longest:
            room += 1
            labels = [shortened(label, room) for label in classes]
        return labels
    texts = edge_labels(classes)
    labels = [f"{left}-{right}" for left, right in pairwise(texts)]
    low, high = ("<=", ">") if classes.closed == "right" else ("<", ">=")
    if texts[-1] == "inf":
        labels[-1] = f"{high}{texts[-2]}"
    if texts[0] == "-inf":
        labels[0] = f"{low}{texts[1]}" if texts[1:] != ["inf"] else "all"
    return labels


def edge_labels(classes: pd.Index[Any]) -> list[str]:
    """Return the edges of bins as text, shortened unless two would look alike."""
    edges = edges_of(classes).tolist()
    texts = [f"{edge:g}" if isinstance(edge, (int, float)) else str(edge) for edge in edges]
    return texts if len(set(texts)) == len(edges) else list(map(str, edges))


def room_for(classes: pd.Index[Any]) -> float:
    """Return the width in inches of the longest label of a class."""
    return INCHES * max(map(len, tick_labels(classes)))


def labelled_positions(n: int) -> range:
    """Return the positions of the classes that are labelled: not all of many."""
    return range(0, n, -(-n // MOST_TICKS))
