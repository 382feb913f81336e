"""Pictures of comparisons: the differences of pairs of models, with their intervals."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from pandas_ordinal.errors import an
from pandas_ordinal.hints import explains_arguments
from pandas_ordinal.inference.pairs import is_decided
from pandas_ordinal.plot.canvas import (
    COLOURS,
    MOST_PANELS,
    SMALL,
    TEXT,
    given_axes,
    panels_of_lines,
    shortened,
    text_of,
    wrapped,
)
from pandas_ordinal.reports.columns import MetricColumn, MetricsByColumn, columns_of
from pandas_ordinal.reports.style_rows import OF_PAIRS, differences_of, groups_of_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

UNDECIDED_COLOUR = "0.55"
SHORT_NAME = 20  # characters of a model next to an axis


class Panel(NamedTuple):
    """The differences by one metric in one group, and which of them are significant."""

    title: str
    column: MetricColumn
    is_real: npt.NDArray[np.bool_]
    sides: tuple[str, str]


@explains_arguments
def differences(
    found: pd.DataFrame,
    *,
    metrics: MetricsByColumn | None = None,
    ax: Axes | Sequence[Axes] | None = None,
) -> npt.NDArray[np.object_]:
    """Draw the differences of a comparison with their intervals: a panel per metric and group.

    Parameters
    ----------
    found : DataFrame
        The result of `compare`, or some of its rows.
    metrics : dict from label to metric, optional
        The metrics of labels of your own. Default: those that the attributes hold. If a metric is
        known, its panels show which side favours which model.
    ax : matplotlib Axes or sequence of these, optional
        Where to draw: one Axes per panel. Default: a new figure.

    Returns
    -------
    ndarray of matplotlib Axes
        The panels, group by group. Each has a line per pair of models, in the order of the
        comparison, and its zero in the middle. Significant differences are blue and filled, others
        grey and hollow: intervals that are not adjusted for the number of pairs may exclude 0
        although the difference is not significant. Undefined differences are left out.

    Raises
    ------
    TypeError, ValueError
        If `found` is not a comparison, has no rows, or more than 100 panels would be drawn; if
        `ax` is not an Axes, or there are more or fewer than panels.
    ImportError
        If matplotlib is missing.

    Examples
    --------
    >>> import pandas as pd
    >>> import pandas_ordinal as po
    >>> df = pd.DataFrame({"y": [0, 1, 2, 2] * 25, "a": [0, 1, 2, 1] * 25, "b": [0, 1, 1, 0] * 25})
    >>> found = po.ordinal(df).compare("y", ["a", "b"], metrics=["mae", "kappa"])
    >>> [axes.get_xlabel() for axes in po.plot.differences(found)]
    ['← a better     b better →', '← b better     a better →']
    """
    _refuse_others(found)
    sides = [found.index.get_level_values(side) for side in ("a", "b")]
    pairs = pd.MultiIndex.from_arrays(sides).unique()
    n_metrics = found.index.get_level_values("metric").nunique()
    panels = [
        panel
        for keys, rows in groups_of_rows(found)
        for panel in _panels(keys, rows, pairs, metrics)
    ]
    if len(panels) > MOST_PANELS:
        raise ValueError(
            f"there would be {len(panels)} panels, but a picture has at most {MOST_PANELS}: "
            "select some of the groups, or compare by fewer metrics"
        )
    names = [f"{shortened(a, SHORT_NAME)} − {shortened(b, SHORT_NAME)}" for a, b in pairs]
    if ax is None:
        is_faceted = len(panels) > n_metrics
        drawn = panels_of_lines(len(panels), names, n_metrics if is_faceted else None)
    else:
        drawn = given_axes(ax)
    if len(drawn) != len(panels):
        raise ValueError(
            f"ax= has {len(drawn)} axes for {len(panels)} panels: give one per metric and group"
        )
    for axes, panel in zip(drawn, panels, strict=True):
        alike = [one.column for one in panels if one.column.label == panel.column.label]
        _draw(axes, panel, names, _reach(alike))
    return drawn


def _refuse_others(found: Any) -> None:
    """Raise unless this is a comparison with rows."""
    is_comparison = (
        isinstance(found, pd.DataFrame)
        and {*OF_PAIRS} <= set(found.index.names)
        and {"difference", "low", "high"} <= set(found.columns)
        and not {"better", "non_inferior"}.isdisjoint(found.columns)
    )
    if isinstance(found, pd.DataFrame) and [*found.index.names] == ["a", "b"]:
        raise TypeError(
            "the comparison has lost its level 'metric', which says which side is better: "
            "select with a list, as in comparison.loc[['mae']]"
        )
    if not is_comparison:
        raise TypeError(
            "differences draws what .ordinal.compare(...) returns, with its index and columns, "
            f"not {an(type(found).__name__)} of another kind; po.plot.forest draws reports"
        )
    if not len(found):
        raise ValueError("the comparison has no rows: there is nothing to draw")


def _panels(
    keys: list[tuple[Hashable, Any]],
    rows: pd.DataFrame,
    pairs: pd.Index[Any],
    metrics: MetricsByColumn | None,
) -> Iterator[Panel]:
    """Yield the panels of a group, with the same pairs of models in each."""
    sides = _sides(pairs)
    texts = [
        text_of(one) if name is None else f"{text_of(name)} = {text_of(one)}" for name, one in keys
    ]
    for column in columns_of(differences_of(rows).reindex(pairs), metrics):
        some = rows.xs(column.label, level="metric")
        is_real = some["non_inferior"].fillna(False) if "non_inferior" in some else None
        decided = is_decided(some["better"]) if is_real is None else is_real.to_numpy(dtype=bool)
        real: Any = pd.Series(decided, some.index).reindex(pairs, fill_value=False)
        title = ", ".join([text_of(column.label), *texts]) if texts else column.label
        yield Panel(wrapped(title), column, real.to_numpy(), sides)


def _sides(pairs: pd.Index[Any]) -> tuple[str, str]:
    """Return the names of both sides: of the models, if all pairs have the same on a side."""
    models = [pairs.get_level_values(side).unique() for side in ("a", "b")]
    if min(map(len, models)) > 1:
        return "a", "b"
    one, other = (shortened(m[0], SHORT_NAME) if len(m) == 1 else "other" for m in models)
    return one, other


def _draw(axes: Any, panel: Panel, names: list[str], reach: float) -> None:
    values, places = panel.column.values, np.arange(len(names))
    low, high = np.asarray(panel.column.low), np.asarray(panel.column.high)
    ends = np.clip(low, -reach, reach), np.clip(high, -reach, reach)
    axes.axvline(0, color="0.3", linewidth=1, zorder=0)
    for is_real, colour in ((True, COLOURS[0]), (False, UNDECIDED_COLOUR)):
        rows = panel.is_real == is_real
        axes.hlines(places[rows], ends[0][rows], ends[1][rows], color=colour, linewidth=1.5)
        axes.plot(
            values[rows], places[rows], "o", color=colour, markersize=5,
            markerfacecolor=colour if is_real else "white",
        )  # fmt: skip
    axes.set_yticks(places, names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlim(-reach, reach)
    axes.set_title(panel.title, size=TEXT + 1)
    axes.set_xlabel(_direction(panel), size=SMALL)
    axes.tick_params(labelsize=SMALL)
    axes.tick_params(axis="y", labelsize=TEXT, length=0)
    axes.grid(axis="x", color="0.9", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.locator_params(axis="x", nbins=4)
    axes.spines[["left", "top", "right"]].set_visible(False)


def _reach(columns: list[MetricColumn]) -> float:
    """Return how far axes extend to both sides of 0: a little more than all finite ends."""
    ends = [part for column in columns for part in (column.values, column.low, column.high)]
    sizes = np.abs(np.concatenate([np.asarray(part, float) for part in ends]))
    return 1.08 * float(sizes[np.isfinite(sizes)].max(initial=0)) or 1.0


def _direction(panel: Panel) -> str:
    """Return which model a side of 0 favours, if the metric has a direction."""
    if panel.column.greater_is_better is None:
        return "difference a − b"
    a, b = panel.sides
    left, right = (b, a) if panel.column.greater_is_better else (a, b)
    return f"← {left} better     {right} better →"
