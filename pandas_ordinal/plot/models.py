"""Pictures that compare models: curves, errors by class, ROC, mean ranks, forest plots."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pandas_ordinal import metrics
from pandas_ordinal.counting.arrays import Floats
from pandas_ordinal.errors import an
from pandas_ordinal.hints import explains_arguments
from pandas_ordinal.inference.folds import Friedman
from pandas_ordinal.inference.pairs import is_decided
from pandas_ordinal.plot.canvas import (
    COLOURS,
    INCHES,
    LINES,
    MOST_PANELS,
    NO_DATA,
    SMALL,
    TEXT,
    axes_or_new,
    escaped,
    given_axes,
    labelled_positions,
    new_panels,
    panels_of_lines,
    room_for,
    rows_and_columns,
    shortened,
    style_of,
    text_of,
    tick_labels,
    wrapped,
)
from pandas_ordinal.reports.columns import (
    MetricColumn,
    MetricsByColumn,
    ReportLike,
    as_table,
    columns_of,
)
from pandas_ordinal.reports.style_rows import differences_of, metrics_are_rows

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes

MOST_BANDS = 3
MOST_INSIDE = 10  # lines of a legend
MOST_BELOW = 20  # lines of a column of a legend
STEP = 0.19  # inches per line
SURFACE = (5.0, 4.4)  # inches
NEXT_TO_AXES = {"loc": "center left", "bbox_to_anchor": (1, 0.5)}


@dataclass(frozen=True)
class Curves:
    """Values of several models at the same points: a curve per model.

    Attributes
    ----------
    models : Index
        The names of the models; its name is that of their dimension, or None for a single curve,
        which needs no legend.
    values : ndarray, shape (models, points)
        The values.
    low, high : ndarray or None
        The bounds of their intervals, if these were requested.
    """

    models: pd.Index[Any]
    values: Floats
    low: Floats | None = None
    high: Floats | None = None

    @property
    def names(self) -> list[str]:
        """The names of the models, in short lines."""
        return list(map(wrapped, self.models))

    @property
    def n_lines(self) -> int:
        """The number of lines of a legend."""
        return sum(name.count("\n") + 1 for name in self.names)


def accuracies_within(n_classes: int) -> dict[str, Callable[..., Any]]:
    """Return the metrics of a curve: the accuracy within each distance."""
    distances = range(n_classes)
    return {f"within {k}": functools.partial(metrics.accuracy_within, k=k) for k in distances}


def draw_accuracy_within(curves: Curves, ax: Axes | None) -> Axes:
    """Draw the share of rows at most k classes off, over k.

    Intervals are bands, or bars next to the points if there are so many models that bands would
    overlap. The last point is always 1 and has no interval.
    """
    n_models, n = curves.values.shape
    is_inside = curves.models.name is None or curves.n_lines <= MOST_INSIDE
    size = (4.8, 3.4) if is_inside else _with_legend(curves, 4.8, 3.4)
    axes = axes_or_new(ax, size)
    distances, lines = np.arange(n), []
    for place, (name, values) in enumerate(zip(curves.names, curves.values, strict=True)):
        style = style_of(place)
        lines += axes.plot(distances, values, label=name, markersize=4, linewidth=1.2, **style)
        if curves.low is not None and curves.high is not None:
            low, high = curves.low[place, :-1], curves.high[place, :-1]
            if n_models <= MOST_BANDS:
                ends = (np.append(bound, values[-1]) for bound in (low, high))
                axes.fill_between(distances, *ends, color=style["color"], alpha=0.18, linewidth=0)
            else:
                where = distances[:-1] + _shift(place, n_models, 0.5)
                axes.vlines(where, low, high, color=style["color"], linewidth=1)
    axes.set_xticks(labelled_positions(n))
    axes.set(xlabel="tolerance k (classes)", ylabel="share within k classes")
    return _finished(axes, curves, lines, {"loc": "lower right"} if is_inside else NEXT_TO_AXES)


def draw_class_mae(curves: Curves, classes: pd.Index[Any], ax: Axes | None) -> Axes:
    """Draw the mean absolute error of each true class, with the models side by side."""
    from pandas_ordinal.plot.artists import label_positions

    n_models, n = curves.values.shape
    width = float(np.clip(0.13 * n * n_models, 3.2, 8.4))
    axes = axes_or_new(ax, _with_legend(curves, width, 2.2 + max(room_for(classes), 1.6)))
    lines = []
    for place, (name, values) in enumerate(zip(curves.names, curves.values, strict=True)):
        style = style_of(place)
        where = np.arange(n) + _shift(place, n_models, 0.7)
        lines += axes.plot(
            where, values, linestyle="", markersize=4, label=name, clip_on=False, zorder=3,
            **style,
        )  # fmt: skip
        if curves.low is not None and curves.high is not None:
            low, high = curves.low[place], curves.high[place]
            axes.vlines(where, low, high, color=style["color"], linewidth=1)
    for absent in np.flatnonzero(np.isnan(curves.values).all(axis=0)):
        axes.axvspan(absent - 0.5, absent + 0.5, linewidth=0, zorder=0, **NO_DATA)
    for border in np.arange(n - 1) + 0.5:
        axes.axvline(border, color="0.9", linewidth=0.8, zorder=0)
    label_positions(axes.xaxis, classes, has_room=ax is None)
    axes.tick_params(axis="x", length=0)
    axes.set(xlim=(-0.5, n - 0.5), xlabel="true class", ylabel="mean absolute error")
    axes.set_ylim(bottom=0)
    return _finished(axes, curves, lines, NEXT_TO_AXES)


def _shift(place: int, n_models: int, width: float) -> float:
    """Return how far from the tick of a class a model is drawn."""
    return width * ((place + 0.5) / n_models - 0.5)


def _n_columns(curves: Curves) -> int:
    """Return the number of columns of a legend next to the axes."""
    return -(-curves.n_lines // MOST_BELOW)


def _with_legend(curves: Curves, width: float, height: float) -> tuple[float, float]:
    """Return the size of a picture with a legend next to axes of this size."""
    longest = max(len(line) for name in curves.names for line in name.split("\n"))
    n_columns = _n_columns(curves)
    legend = max(1.6, n_columns * (0.5 + INCHES * longest))
    return width + legend, max(height, STEP * (curves.n_lines / n_columns + 2))


def _finished(axes: Any, curves: Curves, lines: list[Any], place: Mapping[str, Any]) -> Axes:
    axes.tick_params(labelsize=SMALL)
    for label in (axes.xaxis.label, axes.yaxis.label):
        label.set_size(TEXT)
    axes.spines[["top", "right"]].set_visible(False)
    if curves.models.name is not None:
        legend = axes.legend(
            lines, [""] * len(lines), title=wrapped(curves.models.name), fontsize=SMALL,
            title_fontsize=TEXT, frameon=False, ncols=_n_columns(curves), **place,
        )  # fmt: skip
        for text, name in zip(legend.get_texts(), curves.names, strict=True):
            text.set_text(name)  # matplotlib omits labels that begin with _
    drawn: Axes = axes
    return drawn


def draw_roc(keys: pd.Index[Any] | None, surfaces: Sequence[pd.DataFrame], ax: Axes | None) -> Any:
    """Draw ROC curves of two classes in one picture, or ROC surfaces of three, each in a panel."""
    classes = tick_labels(surfaces[0].columns)
    rates = [surface.to_numpy() for surface in surfaces]
    if len(classes) == 2:
        return _curves(keys, rates, classes, ax)
    if keys is None:
        return _surface(rates[0], classes, axes_or_new(ax, SURFACE, projection="3d"))
    if ax is not None:
        raise ValueError("ax= has room for one surface: omit it, or draw the rows of one group")
    if len(keys) > MOST_PANELS:
        raise ValueError(
            f"there would be {len(keys)} panels, but a picture has at most {MOST_PANELS}: select "
            "the rows of some groups"
        )
    n_rows, n_cols = grid = rows_and_columns(len(keys))
    size = (n_cols * SURFACE[0], n_rows * SURFACE[1])
    panels = new_panels(len(keys), grid, size, projection="3d")
    for axes, one, key in zip(panels, rates, keys, strict=True):
        _surface(one, classes, axes)
        axes.set_title(wrapped(f"{text_of(_named(keys))} = {text_of(key)}"), size=TEXT)
    return np.array(panels, object)


def _named(keys: pd.Index[Any]) -> Any:
    """Return the names of keys as a label."""
    names = ["group" if name is None else name for name in keys.names]
    return tuple(names) if len(names) > 1 else names[0]


def _curves(
    keys: pd.Index[Any] | None, rates: Sequence[Floats], classes: list[str], ax: Axes | None
) -> Axes:
    """Draw ROC curves; the title, or the legend if there are keys, has their areas."""
    points = [(np.append(1 - low, 0), np.append(high, 0)) for low, high in (r.T for r in rates)]
    areas = [np.trapezoid(true[::-1], false[::-1]) for false, true in points]
    names, title = [""], None
    if keys is not None:
        names = [f"{text_of(key)}: {area:.3f}" for key, area in zip(keys, areas, strict=True)]
        title = f"{text_of(_named(keys))}: AUC"
    curves = Curves(pd.Index(names, name=title), np.reshape(areas, (-1, 1)))
    size = (3.8, 4.0) if keys is None else _with_legend(curves, 3.8, 4.0)
    axes, lines = axes_or_new(ax, size), []
    axes.plot([0, 1], [0, 1], color="0.7", linestyle=":", linewidth=1)
    for place, (false, true) in enumerate(points):
        style = {"color": style_of(place)["color"], "linestyle": LINES[place % len(LINES)]}
        lines += axes.plot(false, true, linewidth=1.5, clip_on=False, **style)
    if keys is None:
        axes.set_title(f"AUC {areas[0]:.3f}", size=TEXT)
    axes.set_xlabel(f"false positive rate\n(class {classes[0]} above the threshold)")
    axes.set_ylabel(f"true positive rate\n(class {classes[1]} above the threshold)")
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    return _finished(axes, curves, lines, NEXT_TO_AXES)


def _surface(rates: Floats, classes: list[str], axes: Any) -> Axes:
    if not hasattr(axes, "plot_surface"):
        raise ValueError(
            "a ROC surface needs three-dimensional axes: create them with "
            'plt.subplots(subplot_kw={"projection": "3d"})'
        )
    n_limits = int(np.sqrt(2 * len(rates)))
    grid = np.zeros((3, n_limits, n_limits))
    grid[:, *np.triu_indices(n_limits)] = rates.T
    # below the diagonal there is no surface: all points coincide
    first, second = np.indices((n_limits, n_limits))
    low, middle, high = grid[:, first, np.maximum(first, second)]
    axes.plot_surface(low, high, middle, cmap="viridis", vmin=0, vmax=1, rcount=50, ccount=50)
    for axis, label in zip((axes.xaxis, axes.zaxis, axes.yaxis), classes, strict=True):
        axis.set_label_text(f"share of class {label} found", size=TEXT)
    axes.tick_params(labelsize=SMALL)
    axes.set_box_aspect(None, zoom=0.85)  # the label of the vertical axis stays in the picture
    drawn: Axes = axes
    return drawn


RANK_STEP = 0.28  # inches per line of text
BEYOND = 0.01  # share of the axis by which a bar extends beyond the ranks that it links


@explains_arguments
def critical_difference(result: Friedman, *, ax: Axes | None = None) -> Axes:
    """Draw the mean ranks of models; bars link models that do not differ significantly.

    Parameters
    ----------
    result : Friedman
        The result of `po.friedman`.
    ax : matplotlib Axes, optional
        Where to draw. Default: a new figure.

    Returns
    -------
    matplotlib Axes
        The picture. The best rank is on the left. Above the scale is the critical difference if
        pairs were compared by Nemenyi's method; Holm's has none.

    Raises
    ------
    TypeError
        If `result` is not a result of `po.friedman`, or `ax` is not an Axes.
    ImportError
        If matplotlib is missing.

    References
    ----------
    J. Demsar, Statistical comparisons of classifiers over multiple data sets, JMLR 7 (2006) 1-30.

    Examples
    --------
    >>> import pandas as pd
    >>> import pandas_ordinal as po
    >>> mae = pd.DataFrame({
    ...     "forest": [0.4, 0.3, 0.5, 0.2],
    ...     "logit": [0.5, 0.4, 0.6, 0.3],
    ...     "svm": [0.6, 0.5, 0.7, 0.5],
    ... })
    >>> axes = po.plot.critical_difference(po.friedman(mae, greater_is_better=False))
    >>> [text.get_text() for text in axes.texts]
    ['mean rank', 'critical difference 1.66', 'forest  1.00', 'logit  2.00', '3.00  svm']
    """
    if not isinstance(result, Friedman):
        raise TypeError(
            f"critical_difference draws what po.friedman(...) returns, not "
            f"{an(type(result).__name__)}: give po.friedman(table, greater_is_better=...)"
        )
    ranks = result.ranks.sort_values(kind="stable")
    k, groups = len(ranks), _linked(result, ranks.index)
    n_lines = -(-k // 2)
    bars = 0.55 * len(groups)
    depth = 0.4 + bars + n_lines
    names = list(map(shortened, ranks.index))
    room = max(INCHES * max(map(len, names)), 1.3)  # on each side
    axes = axes_or_new(ax, (3.4 + 2 * room, RANK_STEP * (depth + 2.2)))
    axes.set(xlim=(1, k), ylim=(depth, -1.6), yticks=[], xticks=range(1, k + 1))
    axes.xaxis.set_ticks_position("top")
    axes.tick_params(labelsize=SMALL)
    axes.spines[["left", "right", "bottom"]].set_visible(False)
    axes.spines["top"].set_position(("data", 0))
    axes.annotate(
        "mean rank", (k, 0), (8, 0), textcoords="offset points", size=SMALL, va="center",
        annotation_clip=False,
    )  # fmt: skip
    if np.isfinite(result.critical_difference):
        _draw_critical_difference(axes, result.critical_difference)
    for line, (first, last) in enumerate(groups):
        ends = ranks.iloc[first] - BEYOND * (k - 1), ranks.iloc[last] + BEYOND * (k - 1)
        axes.plot(ends, [0.6 + 0.55 * line] * 2, color="black", linewidth=3.5, clip_on=False)
    for place, (name, rank) in enumerate(zip(names, ranks, strict=True)):
        is_left = place < n_lines
        line = place if is_left else k - 1 - place
        _name_model(axes, name, float(rank), 0.9 + bars + line, 1 if is_left else k, is_left)
    drawn: Axes = axes
    return drawn


def _linked(result: Friedman, models: Any) -> list[tuple[int, int]]:
    """Return the first and the last place of each bar: no two of its models differ.

    The models are in the order of their ranks. Bars within longer ones are left out.
    """
    differ = is_decided(result.pairs["better"])
    apart = {frozenset(pair) for pair in result.pairs.index[differ]}
    groups: list[tuple[int, int]] = []
    for first in range(len(models)):
        last = first
        while last + 1 < len(models) and not apart & {
            frozenset((models[place], models[last + 1])) for place in range(first, last + 1)
        }:
            last += 1
        if last > first and (not groups or last > groups[-1][1]):
            groups.append((first, last))
    return groups


def _draw_critical_difference(axes: Any, critical: float) -> None:
    """Draw the critical difference as a bar of its length, above the scale."""
    axes.errorbar(
        1 + critical / 2, -1.3, xerr=critical / 2, capsize=4, color="black", linewidth=1.2,
        clip_on=False,
    )  # fmt: skip
    axes.annotate(
        f"critical difference {critical:.2f}", (1 + critical / 2, -1.3), (0, 5),
        textcoords="offset points", size=SMALL, ha="center", annotation_clip=False,
    )  # fmt: skip


def _name_model(
    axes: Any, model: str, rank: float, depth: float, end: float, is_left: bool
) -> None:
    """Write the name and the rank of a model at the side, with a line to its rank."""
    axes.plot([rank, rank, end], [0, depth, depth], color="black", linewidth=0.8, clip_on=False)
    outwards = -1 if is_left else 1
    text = f"{model}  {rank:.2f}" if is_left else f"{rank:.2f}  {model}"
    axes.annotate(
        text, (end, depth), (4 * outwards, 0), textcoords="offset points", size=TEXT, va="center",
        ha="right" if is_left else "left", annotation_clip=False,
    )  # fmt: skip


DIRECTION = {True: ",\nhigher is better", False: ",\nlower is better", None: ""}


@explains_arguments
def forest(
    report: ReportLike,
    *,
    metrics: MetricsByColumn | None = None,
    ax: Axes | Sequence[Axes] | None = None,
) -> npt.NDArray[np.object_]:
    """Draw the metrics of a report with their intervals: a panel per metric, a line per model.

    Of a comparison, the differences are drawn: a line per pair of models. A table by class has a
    line per class.

    Parameters
    ----------
    report : DataFrame, Series or Dataset
        The result of `report`, `class_report` or `cut_report` with ``ci=``, or some of its
        columns; or that of `compare`.
    metrics : dict from column to metric, optional
        The metrics of columns with names of your own, as in `pareto`. Default: those that the
        attributes hold. If a metric is known, its panel shows which direction is better.
    ax : matplotlib Axes or sequence of these, optional
        Where to draw: one Axes per metric. Default: a new figure.

    Returns
    -------
    ndarray of matplotlib Axes
        The panels, one per metric that has an interval. Rows are in the order of the report, the
        first on top. Undefined metrics and intervals are left out. The label below a panel is
        "value and interval", or "value" if no interval is defined.

    Raises
    ------
    TypeError, ValueError
        If `report` is not a report, has no intervals or no rows, or two of its columns have the
        same name; if `ax` is not an Axes, or there are more or fewer than metrics.
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
    table = as_table(report)
    is_comparison = metrics_are_rows(table) and "difference" in table.columns
    if is_comparison:
        table = differences_of(table)
    columns = [] if metrics_are_rows(table) else columns_of(table, metrics)
    columns = [column for column in columns if column.low is not None]
    if not columns:
        raise ValueError(
            "the report has no intervals, which a forest plot draws, in columns such as mae_low "
            "and mae_high: give what df.ordinal.report(..., ci=0.95) returns, a row per model or "
            "group"
        )
    if not len(table):
        raise ValueError("the report has no rows: there is nothing to draw")
    names = list(map(escaped, table.index))
    panels = panels_of_lines(len(columns), names) if ax is None else given_axes(ax)
    if len(panels) != len(columns):
        raise ValueError(
            f"ax= has {len(panels)} axes for {len(columns)} metrics: give one per metric, or a "
            "report with fewer columns"
        )
    for axes, column in zip(panels, columns, strict=True):
        _draw_metric(axes, column, names)
        if is_comparison:
            axes.axvline(0, color="0.6", linewidth=0.8, zorder=0)
            axes.set_xlabel("difference a - b", size=SMALL)
    levels = [escaped(level) for level in table.index.names if level is not None]
    panels[0].set_ylabel(", ".join(levels), size=TEXT)
    return panels


def _draw_metric(axes: Any, column: MetricColumn, names: list[str]) -> None:
    places = np.arange(len(names))
    axes.hlines(places, column.low, column.high, color=COLOURS[0], linewidth=1.5)
    axes.plot(column.values, places, "o", color=COLOURS[0], markersize=5)
    axes.set_yticks(places, names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_title(escaped(column.label), size=TEXT + 1)
    drawn = "value" if np.isnan(np.asarray(column.low, float)).all() else "value and interval"
    axes.set_xlabel(drawn + DIRECTION[column.greater_is_better], size=SMALL)
    axes.tick_params(labelsize=SMALL)
    axes.tick_params(axis="y", labelsize=TEXT, length=0)
    axes.grid(axis="x", color="0.9", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.margins(x=0.08)
    axes.locator_params(axis="x", nbins=4)
    axes.spines[["left", "top", "right"]].set_visible(False)
