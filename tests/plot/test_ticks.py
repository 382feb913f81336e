"""Labels of classes have room, in whatever figure they are drawn."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot as plt
from pictured import cube, ticks

from pandas_ordinal.plot.artists import FittingLocator

SHORT = [f"{number}" for number in range(12)]
LONG = ["very dissatisfied with all of it", "rather dissatisfied", "neither", "satisfied"]
ALIKE = [f"grade {number} of the nine" for number in range(9)]


def matrix(classes: list[str], ax: Any = None) -> Any:
    return cube(np.eye(len(classes), dtype=int), classes).ordinal.plot(ax=ax)


def errors(classes: list[str], ax: Any = None) -> Any:
    return cube(np.eye(len(classes), dtype=int), classes).ordinal.plot.class_mae(ci=None, ax=ax)


def extents(axis: Any) -> list[tuple[float, float]]:
    """Where labels begin and end along their axis."""
    side = "intervalx" if axis.axis_name == "x" else "intervaly"
    boxes = [label.get_window_extent() for label in axis.get_ticklabels() if label.get_text()]
    return sorted(tuple(getattr(box, side)) for box in boxes)


def bins(classes: list[str], ax: Any = None) -> Any:
    n = len(classes)
    edges = np.cumsum([0, *range(1, n), np.inf])
    return cube(np.eye(n, dtype=int), classes).ordinal.plot.intervals(bins=edges, ax=ax)


@pytest.mark.parametrize("draw", [matrix, errors, bins])
@pytest.mark.parametrize(
    "classes", [ALIKE, *(pytest.param(other, marks=pytest.mark.slow) for other in (SHORT, LONG))]
)
def test_labels_are_apart(draw: Callable[..., Any], classes: list[str]) -> None:
    figure, panels = plt.subplots(1, 3, figsize=(6, 2), layout="constrained")
    for ax in panels:
        draw(classes, ax)
    figure.draw_without_rendering()
    for ax in panels:
        axes = [ax.xaxis] if draw is errors else [ax.xaxis, ax.yaxis]
        for axis in axes:
            boxes = extents(axis)
            assert len(boxes) > 1
            assert all(end <= start for (_, end), (start, _) in pairwise(boxes))
            labels = ticks(axis)
            assert len(set(labels)) == len(labels)
            assert draw is bins or len(set(np.diff(axis.get_majorticklocs()))) == 1
            assert draw is not bins or (labels[0], labels[-1]) == ("0", "∞")
    plt.close(figure)


def test_labels_of_a_few_letters_are_apart_below_an_axis() -> None:
    figure, ax = plt.subplots(figsize=(2, 2))
    errors([f"g{number:03}" for number in range(9)], ax)
    figure.draw_without_rendering()
    boxes = extents(ax.xaxis)
    assert len(boxes) > 2 and {label.get_rotation() for label in ax.get_xticklabels()} == {0}
    assert all(end <= start for (_, end), (start, _) in pairwise(boxes))
    plt.close(figure)


def test_labels_leave_room_for_what_they_label() -> None:
    figure, panels = plt.subplots(1, 3, figsize=(7, 2.5), layout="constrained")
    for ax in panels:
        matrix(LONG, ax)
    figure.draw_without_rendering()
    for ax in panels:
        assert ax.bbox.width > 0.4 * figure.bbox.width / 3
        assert ticks(ax.yaxis) == ["very…f it", "rath…fied", "neither", "sati…fied"]
        assert ticks(ax.xaxis) == ["very…f it", "rath…fied", "neither", "satisfied"]
    figure.set_size_inches(30, 12)
    figure.draw_without_rendering()
    assert ticks(panels[0].yaxis)[1:] == LONG[1:]
    plt.close(figure)


def test_new_figures_have_room() -> None:
    ax = matrix(LONG)
    ax.figure.draw_without_rendering()
    assert ticks(ax.xaxis) == ticks(ax.yaxis)
    assert ticks(ax.xaxis)[1:] == LONG[1:]
    assert ticks(matrix(SHORT).xaxis) == SHORT
    plt.close("all")


def test_axes_at_any_position() -> None:
    figure = plt.figure(figsize=(4, 4))
    ax = matrix(ALIKE, figure.add_axes((0.4, 0.4, 0.3, 0.3)))
    figure.draw_without_rendering()
    assert all(end <= start for (_, end), (start, _) in pairwise(extents(ax.yaxis)))
    ax.set_xticks([0, 1], ["first", "second"])
    assert ticks(ax.xaxis) == ["first", "second"]
    assert ax.format_xdata(0.5) == ""
    part = figure.subfigures(1, 2)[1]
    matrix(LONG, part.subplots())
    figure.draw_without_rendering()
    plt.close(figure)


def located(
    places: list[float],
    points: list[float],
    *,
    keeps_last: bool = False,
    dpi: int = 100,
    side: str = "x",
    limits: tuple[float, float] = (0, 100),
) -> list[float]:
    """Which places have a label on an axis of 100 points."""
    figure = plt.figure(figsize=(100 / 72, 100 / 72) if side == "x" else (3, 100 / 72), dpi=dpi)
    axis = getattr(figure.add_axes((0, 0, 1, 1)), f"{side}axis")
    axis.set_view_interval(*limits, ignore=True)
    axis.set_major_locator(FittingLocator(places, points, keeps_last))
    found: list[float] = axis.get_majorticklocs().tolist()
    plt.close(figure)
    return found


@pytest.mark.parametrize("dpi", [72, 100, 300])
@pytest.mark.parametrize("side", ["x", "y"])
@pytest.mark.parametrize("limits", [(0, 100), (100, 0)])
def test_places_are_labelled_that_have_room(side: str, dpi: int, limits: Any) -> None:
    asked: Any = {"side": side, "dpi": dpi, "limits": limits}
    assert located([0, 10, 20], [9.99] * 3, **asked) == [0, 10, 20]
    assert located([0, 10, 20], [10.01] * 3, **asked) == [0, 20]
    assert located([0, 20, 45], [10, 29.9, 10], **asked) == [0, 20, 45]
    assert located([0, 20, 45], [10, 30.1, 10], **asked) == [0, 45]
    assert located([0, 10, 20, 30], [21, 1, 1, 1], **asked) == [0, 20, 30]


def test_the_last_place_is_labelled_rather_than_the_one_before_it() -> None:
    places = [0.0, 50.0, 95.0, 100.0]
    assert located(places, [10] * 4) == [0, 50, 95]
    assert located(places, [10] * 4, keeps_last=True) == [0, 50, 100]
    assert located(places, [3] * 4, keeps_last=True) == places
    assert located([0, 50, 55, 100], [10] * 4, keeps_last=True) == [0, 50, 100]
    assert located([0, 5], [10] * 2, keeps_last=True) == [0, 5]
    assert located([0], [10], keeps_last=True) == [0]


def test_long_labels_below_an_axis_are_vertical() -> None:
    for letters, angle in (("abcd", 0), ("abcde", 90)):
        ax = matrix([letters, "a", "b"])
        assert {tick.label1.get_rotation() for tick in ax.xaxis.get_major_ticks()} == {angle}
        assert {tick.label1.get_rotation() for tick in ax.yaxis.get_major_ticks()} == {0}
    plt.close("all")


def test_all_classes_are_labelled_where_there_is_room() -> None:
    for classes in ([f"grade {number}" for number in range(15)], [*map(str, range(15))]):
        figure, ax = plt.subplots(figsize=(4, 4))
        matrix(classes, ax)
        assert ax.get_xticks().tolist() == ax.get_yticks().tolist() == [*range(15)]
        plt.close(figure)
