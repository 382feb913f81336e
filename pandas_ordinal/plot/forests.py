"""Metrics of several models with their intervals, a panel for each metric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pandas_ordinal.plot.canvas import (
    COLOURS,
    INCHES,
    SMALL,
    TEXT,
    plain,
    pyplot,
    refuse_other_than_axes,
)
from pandas_ordinal.report_columns import Column, Named, ReportLike, as_table, columns_of

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes

A_ROW = 5
BETTER = {True: ",\nhigher is better", False: ",\nlower is better", None: ""}


def forest(
    report: ReportLike, *, metrics: Named | None = None, ax: Axes | Sequence[Axes] | None = None
) -> npt.NDArray[np.object_]:
    """Draw the metrics of a report with their intervals: a panel for each, a line a model.

    Parameters
    ----------
    report : DataFrame, Series or Dataset
        What `report` returned with ``ci=``. Fewer columns of it are a report too.
    metrics : dict from column to metric, optional
        What metrics the labels of one's own are, as in `pareto`: a panel says which direction is
        better, if the metric is known.
    ax : matplotlib Axes or sequence of these, optional
        Where to draw, one for each metric. Default: a new figure.

    Returns
    -------
    ndarray of matplotlib Axes
        The panels, one for each metric that has an interval. Rows are in the order of the report,
        the first on top. An undefined metric is left out, as is an undefined interval; below a
        panel stands "value and interval", or "value" if no interval is defined.

    Raises
    ------
    TypeError, ValueError
        If this is no report, has no intervals or no rows, or two of its columns have one name; if
        `ax` is no axes, or there are not as many as metrics.
    ImportError
        If matplotlib is missing.

    Examples
    --------
    >>> import pandas as pd
    >>> import pandas_ordinal as po
    >>> df = pd.DataFrame({"y": [0, 1, 2, 2] * 25, "a": [0, 1, 2, 1] * 25, "b": [0, 1, 1, 0] * 25})
    >>> report = po.ordinal(df).report("y", ["a", "b"], metrics=["mae", "kappa"], ci=0.95)
    >>> [axes.get_title() for axes in po.plot.forest(report)]
    ['mae', 'kappa']
    """
    table = as_table(report, "po.plot.forest draws")
    columns = [column for column in columns_of(table, metrics) if column.low is not None]
    if not columns:
        raise ValueError(
            "the report has no intervals in columns such as mae_low and mae_high, which a forest "
            "plot draws: give it as df.ordinal.report(..., ci=0.95) returns it, a row for each "
            "model or group"
        )
    if not len(table):
        raise ValueError("the report has no rows: there is nothing to draw")
    names = list(map(plain, table.index))
    panels = _panels(len(columns), names) if ax is None else _given(ax)
    if len(panels) != len(columns):
        raise ValueError(
            f"ax= has {len(panels)} axes for {len(columns)} metrics: give one for each, or a "
            "report of fewer columns"
        )
    for axes, column in zip(panels, columns, strict=True):
        _draw(axes, column, names)
    levels = [plain(level) for level in table.index.names if level is not None]
    panels[0].set_ylabel(", ".join(levels), size=TEXT)
    return panels


def _given(ax: Any) -> npt.NDArray[np.object_]:
    """Return the axes that are given, one or several."""
    pyplot()
    given: npt.NDArray[np.object_] = np.ravel(np.array(ax, object))
    for one in given:
        refuse_other_than_axes(one)
    return given


def _panels(n: int, names: list[str]) -> npt.NDArray[np.object_]:
    n_rows = -(-n // A_ROW)
    n_cols = -(-n // n_rows)
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


def _draw(axes: Any, column: Column, names: list[str]) -> None:
    places = np.arange(len(names))
    axes.hlines(places, column.low, column.high, color=COLOURS[0], linewidth=1.5)
    axes.plot(column.values, places, "o", color=COLOURS[0], markersize=5)
    axes.set_yticks(places, names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_title(plain(column.label), size=TEXT + 1)
    shown = "value" if np.isnan(np.asarray(column.low, float)).all() else "value and interval"
    axes.set_xlabel(shown + BETTER[column.greater_is_better], size=SMALL)
    axes.tick_params(labelsize=SMALL)
    axes.tick_params(axis="y", labelsize=TEXT, length=0)
    axes.grid(axis="x", color="0.9", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.margins(x=0.08)
    axes.locator_params(axis="x", nbins=4)
    axes.spines[["left", "top", "right"]].set_visible(False)
