"""Mean ranks of models, and which of them no test tells apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pandas_ordinal.inference.folds import Friedman
from pandas_ordinal.plot.canvas import INCHES, SMALL, TEXT, one_axes, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STEP = 0.28  # inches a line of text
BEYOND = 0.01  # of the axis, by which a bar goes beyond the ranks that it links


def critical_difference(found: Friedman, *, ax: Axes | None = None) -> Axes:
    """Draw the mean ranks of models, and a bar across those that the test does not tell apart.

    Parameters
    ----------
    found : Friedman
        What `po.friedman` returned.
    ax : matplotlib Axes, optional
        Where to draw. Default: a new figure.

    Returns
    -------
    matplotlib Axes
        The picture: the best rank is on the left. Above it is the critical difference, if pairs
        were compared after Nemenyi; Holm's method has none.

    Raises
    ------
    TypeError
        If `found` is something else, or `ax` is no axes.
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
    if not isinstance(found, Friedman):
        raise TypeError(
            f"critical_difference draws what po.friedman(...) returns, not a "
            f"{type(found).__name__}: give po.friedman(table, greater_is_better=...)"
        )
    ranks = found.ranks.sort_values(kind="stable")
    k, groups = len(ranks), _groups(found, ranks.index)
    n_lines = -(-k // 2)
    bars = 0.55 * len(groups)
    depth = 0.4 + bars + n_lines
    names = list(map(shortened, ranks.index))
    room = max(INCHES * max(map(len, names)), 1.3)  # on each side
    axes = one_axes(ax, (3.4 + 2 * room, STEP * (depth + 2.2)))
    axes.set(xlim=(1, k), ylim=(depth, -1.6), yticks=[], xticks=range(1, k + 1))
    axes.xaxis.set_ticks_position("top")
    axes.tick_params(labelsize=SMALL)
    axes.spines[["left", "right", "bottom"]].set_visible(False)
    axes.spines["top"].set_position(("data", 0))
    axes.annotate(
        "mean rank", (k, 0), (8, 0), textcoords="offset points", size=SMALL, va="center",
        annotation_clip=False,
    )  # fmt: skip
    if np.isfinite(found.critical_difference):
        _scale(axes, found.critical_difference)
    for line, (first, last) in enumerate(groups):
        ends = ranks.iloc[first] - BEYOND * (k - 1), ranks.iloc[last] + BEYOND * (k - 1)
        axes.plot(ends, [0.6 + 0.55 * line] * 2, color="black", linewidth=3.5, clip_on=False)
    for place, (name, rank) in enumerate(zip(names, ranks, strict=True)):
        is_left = place < n_lines
        line = place if is_left else k - 1 - place
        _name(axes, name, float(rank), 0.9 + bars + line, 1 if is_left else k, is_left)
    drawn: Axes = axes
    return drawn


def _groups(found: Friedman, models: Any) -> list[tuple[int, int]]:
    """Return the first and the last place of models in a row that no pair tells apart.

    Of models in the order of their ranks; rows within longer ones are left out.
    """
    told = found.pairs["better"].notna()
    apart = {frozenset(pair) for pair in told.index[told]}
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


def _scale(axes: Any, critical: float) -> None:
    """Draw how long a difference has to be."""
    axes.errorbar(
        1 + critical / 2, -1.3, xerr=critical / 2, capsize=4, color="black", linewidth=1.2,
        clip_on=False,
    )  # fmt: skip
    axes.annotate(
        f"critical difference {critical:.2f}", (1 + critical / 2, -1.3), (0, 5),
        textcoords="offset points", size=SMALL, ha="center", annotation_clip=False,
    )  # fmt: skip


def _name(axes: Any, model: str, rank: float, depth: float, end: float, is_left: bool) -> None:
    """Write the name and the rank of a model at the side, clear of the lines to the axis."""
    axes.plot([rank, rank, end], [0, depth, depth], color="black", linewidth=0.8, clip_on=False)
    outwards = -1 if is_left else 1
    text = f"{model}  {rank:.2f}" if is_left else f"{rank:.2f}  {model}"
    axes.annotate(
        text, (end, depth), (4 * outwards, 0), textcoords="offset points", size=TEXT, va="center",
        ha="right" if is_left else "left", annotation_clip=False,
    )  # fmt: skip
