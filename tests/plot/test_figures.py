"""Figures are as large as what they hold, and panels are where they should be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text
from pictured import colour_bars, cube, models

import pandas_ordinal as po

RNG = np.random.default_rng(0)
ABC = list("abc")
EYE = np.eye(3, dtype=int)
FRAME = pd.DataFrame(
    {"y": [0, 1, 2, 2] * 9, "a": [0, 1, 2, 1] * 9, "b": [0, 1, 1, 0] * 9, "g": np.arange(36) // 2}
)
FRAME["score"] = FRAME["y"] + RNG.normal(size=36)
LONG = [letter * 25 for letter in ABC]


def several(n: int) -> Any:
    """Pictures of n models."""
    return models(ABC, **{f"m{place}": EYE + place for place in range(n)}).ordinal.plot


def matrix(n: int) -> Any:
    return cube(np.eye(n, dtype=int), range(n)).ordinal.plot()


def grid() -> Any:
    counted = models(ABC, x=EYE, y=EYE, z=EYE).expand_dims(fold=[0, 1])
    return counted.ordinal.plot(row="fold", col="model")


def forest(pred: Any = ("a", "b"), by: Any = None, metrics: Any = ("mae",), **renamed: str) -> Any:
    frame = FRAME.rename(columns=renamed)
    report = frame.ordinal.report("y", list(pred), by=by, metrics=list(metrics), ci=0.9)
    return po.plot.forest(report)


def ranks(k: int, name: str = "m0") -> Any:
    values = RNG.normal(size=(14, k))
    table = pd.DataFrame(values, columns=[name, *(f"m{place}" for place in range(1, k))])
    return po.plot.critical_difference(po.friedman(table, greater_is_better=False))


def roc(n_classes: int) -> Any:
    rows = FRAME[FRAME.y < n_classes]
    return rows.ordinal.plot_roc("y", "score")


SEVEN = ["accuracy", "mae", "mse", "kappa", "kendall_tau", "oci", "bias"]
# In inches: the width of a panel, its height, and the width of the figure
SIZES: dict[str, tuple[Callable[[], Any], tuple[float, float], tuple[float, float], float]] = {
    "3 classes": (lambda: matrix(3), (2.2, 2.7), (2.2, 2.7), 4),
    "10 classes": (lambda: matrix(10), (3.9, 4.5), (3.9, 4.5), 6),
    "40 classes": (lambda: matrix(40), (5, 6), (5, 6), 7.5),
    "long classes": (lambda: cube(EYE, LONG).ordinal.plot(), (2.2, 2.7), (2.2, 2.7), 5.7),
    "a row of panels": (lambda: several(3)(col="model"), (2, 2.5), (2, 2.5), 8.8),
    "two rows of panels": (lambda: several(5)(col="model"), (2, 2.5), (2, 2.5), 8.8),
    "a column of panels": (lambda: several(3)(row="model"), (2, 2.5), (2, 2.5), 4),
    "a grid of panels": (grid, (2, 2.5), (2, 2.5), 8.8),
    "bins": (
        lambda: cube(EYE, ABC).ordinal.plot.intervals(bins=[0, 1, 2, 4]), (3.2, 3.9), (3.2, 3.9),
        5.3,
    ),
    "accuracies": (lambda: several(2).accuracy_within(), (4, 4.5), (2.6, 3.2), 5),
    "accuracies of 11": (lambda: several(11).accuracy_within(ci=None), (4, 5.5), (2.6, 3.2), 7),
    "accuracies of 40": (lambda: several(40).accuracy_within(ci=None), (4, 5), (3.2, 4), 7),
    "errors": (lambda: several(2).class_mae(), (3, 4), (3, 3.6), 5),
    "errors of 11": (lambda: several(11).class_mae(ci=None), (4, 5.5), (3, 3.6), 7),
    "errors of 40": (lambda: several(40).class_mae(ci=None), (7, 8.4), (3, 4), 10.5),
    "metrics": (forest, (1.3, 1.9), (0.6, 0.8), 2.3),
    "metrics of a long name": (
        lambda: forest(["a" * 25, "b"], a="a" * 25), (1.1, 1.9), (0.6, 0.8), 4,
    ),
    "metrics of 18 groups": (lambda: forest(["a"], "g"), (1.3, 1.9), (4, 5.5), 2.5),
    "7 metrics": (lambda: forest(metrics=SEVEN), (1.3, 1.9), (0.3, 0.8), 8.3),
    "ranks": (lambda: ranks(3), (4.3, 4.8), (1, 1.5), 6.5),
    "ranks of 7": (lambda: ranks(7), (4.3, 4.8), (1.5, 2.5), 6.5),
    "ranks of a long name": (lambda: ranks(3, "a" * 25), (3.3, 4.8), (1, 1.5), 7.5),
    "a ROC curve": (lambda: roc(2), (2.7, 3.2), (2.7, 3.2), 4),
    "a ROC surface": (lambda: roc(3), (3.8, 4.6), (3.8, 4.6), 5.2),
}  # fmt: skip

LARGE = {
    "10 classes", "40 classes", "a column of panels", "a grid of panels", "accuracies of 40",
    "errors of 40", "metrics of 18 groups", "ranks of 7", "a ROC surface",
}  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] if name in LARGE else []) for name in SIZES],
)
def test_figures_are_as_large_as_what_they_hold(name: str) -> None:
    draw, width, height, widest = SIZES[name]
    ax = np.ravel(np.array(draw(), object))[0]
    figure = ax.figure
    figure.draw_without_rendering()
    panel = ax.get_window_extent().size / figure.dpi
    assert width[0] < panel[0] < width[1] and height[0] < panel[1] < height[1]
    size, held = figure.get_size_inches(), figure.get_tightbbox()
    assert size[0] < widest
    assert size[0] - held.width < 0.7 and size[1] - held.height < 0.7
    written = [text for text in figure.findobj(Text) if text.get_text() and text.get_visible()]
    assert {text.get_size() for text in written} <= {8, 9, 10}


def is_labelled(axis: Any) -> bool:
    return bool(axis.get_major_ticks()[0].label1.get_visible())


def test_a_row_that_is_wrapped_labels_its_outer_panels() -> None:
    panels = several(5)(col="model")
    assert len(panels[0].figure.axes) == 6  # the panels and one colour bar
    assert [ax.get_subplotspec().rowspan.start for ax in panels] == [0, 0, 0, 1, 1]
    below = [False, False, True, True, True]
    assert [is_labelled(ax.xaxis) for ax in panels] == below
    assert [ax.get_xlabel() != "" for ax in panels] == below
    left = [True, False, False, True, False]
    assert [is_labelled(ax.yaxis) for ax in panels] == left
    assert [ax.get_ylabel() != "" for ax in panels] == left
    # the labels of the last panel of the first row hang into the gap below it
    assert [ax.xaxis.get_in_layout() for ax in panels] == [True, True, False, True, True]
    assert [ax.get_subplotspec().colspan.start for ax in several(4)(col="model")] == [0, 1, 2, 3]


def test_a_grid_is_titled_above_and_on_the_right() -> None:
    panels = grid()
    assert [[ax.get_title() for ax in row] for row in panels] == [
        ["model = x", "model = y", "model = z"],
        ["", "", ""],
    ]
    assert [is_labelled(ax.xaxis) for ax in panels.ravel()] == [False] * 3 + [True] * 3
    assert all(ax.xaxis.get_in_layout() for ax in panels.ravel())
    for fold, (left, middle, right) in enumerate(panels):
        right.figure.draw_without_rendering()
        (title,) = (text for text in right.texts if text.get_text() == f"fold = {fold}")
        assert "fold" not in "".join(text.get_text() for ax in (left, middle) for text in ax.texts)
        box, panel = title.get_window_extent(), right.get_window_extent()
        assert box.x0 > panel.x1 and box.width < box.height
        assert (box.y0 + box.y1) / 2 == pytest.approx((panel.y0 + panel.y1) / 2, abs=2)


def test_a_colour_bar_is_as_tall_as_the_panels_and_has_no_border() -> None:
    ax = matrix(3)
    ax.figure.draw_without_rendering()
    (bar,) = colour_bars(ax)
    panel, box = ax.get_window_extent(), bar.get_window_extent()
    assert box.height == pytest.approx(panel.height, rel=0.1) and box.width < 0.1 * box.height
    assert not bar.spines["outline"].get_visible()
