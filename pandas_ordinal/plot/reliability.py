"""Reliability curves: how often events happen, by the probability that was forecast for them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pandas_ordinal.plot.canvas import (
    COLOURS,
    LINES,
    SMALL,
    TEXT,
    axes_or_new,
    new_panels,
    rows_and_columns,
    shortened,
    text_of,
    tick_labels,
    wrapped,
)
from pandas_ordinal.rows.reliability import DrawnCurve, ReliabilityPicture, Steps

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PANEL = (2.6, 2.9)  # inches
LARGE_PANEL = (4.2, 4.6)
STRIP = 0.13  # the height of the histogram of a curve, in units of the vertical axis
LEAST_STRIP = 0.05
GAP = 0.03


class ReliabilityPanel(NamedTuple):
    """The title of a panel, the label of its row, and its curves by the names of the models."""

    title: str
    row: str
    curves: list[tuple[str, DrawnCurve]]


def draw_reliability(picture: ReliabilityPicture, ax: Axes | None) -> Any:
    """Draw the curves of a picture, in the given axes or in a new figure."""
    panels, n_cols = _panels(picture)
    if ax is not None and len(panels) > 1:
        raise ValueError(
            f"ax= has room for one panel, but there are {len(panels)}: omit it, or draw one "
            f"threshold of one group, such as threshold={picture.classes[0]!r}"
        )
    if len(panels) == 1:
        axes = axes_or_new(ax, LARGE_PANEL)
        _draw_panel(axes, panels[0])
        return axes
    grid = rows_and_columns(len(panels)) if n_cols is None else (len(panels) // n_cols, n_cols)
    size = (PANEL[0] * grid[1] + 0.4, PANEL[1] * grid[0] + 0.2)
    drawn = new_panels(len(panels), grid, size)
    for place, (axes, panel) in enumerate(zip(drawn, panels, strict=True)):
        _draw_panel(axes, panel, is_first=place % grid[1] == 0)
    return np.array(drawn, object)


def _panels(picture: ReliabilityPicture) -> tuple[list[ReliabilityPanel], int | None]:
    """Return the panels row by row, and how many a row has if that is fixed."""
    labels = tick_labels(picture.classes)
    n_groups = 1 if picture.keys is None else len(picture.keys)
    n_models = 1 if picture.models is None else len(picture.models)
    names = [""] if picture.models is None else list(map(shortened, picture.models))
    groups = [""] if picture.keys is None else [text_of(key) for key in picture.keys]
    panels = []
    if picture.is_one:
        (k,) = picture.thresholds
        for group in range(n_groups):
            curves = [
                (names[model], picture.curves[group, model, k])
                for model in range(n_models)
                if (group, model, k) in picture.curves
            ]
            title = ", ".join(filter(None, [groups[group], f"at most {labels[k]}"]))
            panels.append(ReliabilityPanel(title, "", curves))
        return panels, None
    for group in range(n_groups):
        for model in range(n_models):
            row = ", ".join(filter(None, [groups[group], names[model]]))
            for k in picture.thresholds:
                curve = picture.curves.get((group, model, k))
                curves = [] if curve is None else [("", curve)]
                panels.append(ReliabilityPanel(f"at most {labels[k]}", row, curves))
    several = n_groups * n_models > 1
    return panels, len(picture.thresholds) if several else None


def _draw_panel(axes: Any, panel: ReliabilityPanel, *, is_first: bool = True) -> None:
    """Draw the curves of a panel, the diagonal, and the histograms of the forecasts."""
    n = max(len(panel.curves), 1)
    strip = max(STRIP / n, LEAST_STRIP)
    axes.plot([0, 1], [0, 1], color="0.5", linestyle=":", linewidth=1, zorder=1)
    several = len(panel.curves) > 1
    handles = []
    for place, (_, curve) in enumerate(panel.curves):
        colour = COLOURS[place % len(COLOURS)]
        if curve.band is not None:
            shade = colour if several else "0.5"
            axes.fill_between(
                curve.places, *curve.band, color=shade, alpha=0.12 if several else 0.25,
                linewidth=0, zorder=0,
            )  # fmt: skip
        style = LINES[place // len(COLOURS) % len(LINES)]
        x, y = _corners(curve.steps)
        handles += axes.plot(x, y, color=colour, linestyle=style, linewidth=1.5, zorder=3)
        _draw_histogram(axes, curve.histogram, -GAP - strip * (place + 1), strip - 0.01, colour)
    lines = [wrapped(panel.title)]
    if several:
        legend = axes.legend(
            handles, [""] * len(handles), loc="upper left", fontsize=SMALL - 1, frameon=False
        )
        for text, (name, curve) in zip(legend.get_texts(), panel.curves, strict=True):
            text.set_text(f"{name}: {_summary(curve)}")
    elif panel.curves:
        lines.append(_summary(panel.curves[0][1]))
    else:
        axes.text(0.5, 0.5, "no rows", ha="center", va="center", size=TEXT)
    axes.set_title("\n".join(lines), size=TEXT)
    axes.set(xlim=(-0.02, 1.02), ylim=(-GAP - strip * n - 0.01, 1.02))
    ticks = [0, 0.25, 0.5, 0.75, 1]
    axes.set_xticks(ticks, ["0", ".25", ".5", ".75", "1"])
    axes.set_yticks(ticks, ["0", ".25", ".5", ".75", "1"])
    axes.tick_params(labelsize=SMALL)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlabel("forecast", size=TEXT)
    if is_first:
        row = [wrapped(panel.row)] if panel.row else []
        axes.set_ylabel("\n".join([*row, "share of rows"]), size=TEXT)


def _corners(steps: Steps) -> tuple[Any, Any]:
    """Return the points of a curve: both ends of each step."""
    return np.stack(steps[:2], axis=1).ravel(), np.repeat(steps.calibrated, 2)


def _draw_histogram(axes: Any, heights: Any, bottom: float, height: float, colour: str) -> None:
    """Draw how many rows have each forecast, as bars below the curves."""
    edges = np.linspace(0, 1, len(heights) + 1)
    axes.bar(
        edges[:-1], height * heights / heights.max(), width=np.diff(edges), bottom=bottom,
        align="edge", color=colour, alpha=0.5, linewidth=0,
    )  # fmt: skip


def _summary(curve: DrawnCurve) -> str:
    """Return the numbers of a curve as text."""
    mcb, dsc, p = (curve.numbers[name] for name in ("MCB", "DSC", "p"))
    shown = "" if np.isnan(p) else ", p < .001" if p < 0.001 else f", p {_short(p)}"
    return f"MCB {_short(mcb)}, DSC {_short(dsc)}{shown}"


def _short(value: float) -> str:
    return re.sub(r"\b0\.", ".", f"{value:.3f}")
