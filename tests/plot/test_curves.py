"""Accuracy within each distance, and errors by class."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
from matplotlib import pyplot
from oracles import uncertainty
from pictured import LETTERS, cube, models, ticks

import pandas_ordinal as po

RNG = np.random.default_rng(0)
X, Y = RNG.integers(0, 9, (2, 4, 4))
NO_D = np.pad(X[:3], ((0, 1), (0, 0)))


def test_accuracy_within() -> None:
    counted = models(x=X, y=Y)
    ax = counted.ordinal.plot.accuracy_within()
    for line, band, table in zip(ax.lines, ax.collections, (X, Y), strict=True):
        for k in range(4):
            near = sum(table[r, c] for r in range(4) for c in range(4) if abs(r - c) <= k)
            assert line.get_ydata()[k] == pytest.approx(near / table.sum())
        assert line.get_xdata().tolist() == [0, 1, 2, 3]
        assert np.array_equal(band.get_facecolor()[0, :3], line_colour(line))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["x", "y"]
    assert ax.get_legend().get_title().get_text() == "model"


def test_many_models_have_bars_and_no_bands() -> None:
    counted = models(a=X, b=Y, c=X.T, d=Y.T)
    ax = counted.ordinal.plot.accuracy_within()
    few = counted.isel(model=slice(3)).ordinal.plot.accuracy_within()
    assert [line.get_xdata().tolist() for line in ax.lines] == [[0, 1, 2, 3]] * 4
    for bars, band in zip(ax.collections[:3], few.collections, strict=True):
        ends = band.get_paths()[0].vertices
        for k, ((left, low), (right, high)) in enumerate(bars.get_segments()):
            at_k = ends[ends[:, 0] == k, 1]
            npt.assert_allclose([low, high], [at_k.min(), at_k.max()])
            assert left == right and abs(left - k) < 0.5
    positions = [bars.get_segments()[0][0, 0] for bars in ax.collections]
    assert len(set(positions)) == 4 and sorted(positions) == positions


def line_colour(line: object) -> np.ndarray:
    from matplotlib.colors import to_rgb

    return np.array(to_rgb(line.get_color()))  # type: ignore[attr-defined]


def test_bands_are_the_intervals_of_a_report() -> None:
    rows = np.repeat(np.indices((4, 4)).reshape(2, -1), X.ravel(), axis=1)
    frame = pd.DataFrame(rows.T, columns=["y", "yhat"])
    report = frame.ordinal.report("y", "yhat", metrics=["accuracy"], ci=0.9)
    ax = frame.ordinal.confusion("y", "yhat").ordinal.plot.accuracy_within(ci=0.9)
    corners = ax.collections[0].get_paths()[0].vertices
    first = corners[corners[:, 0] == 0, 1]
    npt.assert_allclose([first.min(), first.max()], report[["accuracy_low", "accuracy_high"]])


def test_bands_of_models_that_are_never_far_off_are_narrow_and_end_in_a_point() -> None:
    tridiagonal = 40 * np.eye(7, dtype=int) + 8 * np.eye(7, k=1, dtype=int)
    ax = cube(tridiagonal, list("abcdefg")).ordinal.plot.accuracy_within()
    corners = ax.collections[0].get_paths()[0].vertices
    lowest = [corners[corners[:, 0] == k, 1].min() for k in range(7)]
    npt.assert_allclose(lowest[1:6], lowest[1])  # all rows are within
    assert lowest[0] < 0.9 < 0.97 < lowest[1] < lowest[6] == 1


def test_no_bands_and_no_names() -> None:
    ax = cube(X, LETTERS).ordinal.plot.accuracy_within(ci=None)
    assert not ax.collections and ax.get_legend() is None and len(ax.lines) == 1
    weighted = models(x=X, y=Y) * 0.5
    for draw in ("accuracy_within", "class_mae"):
        with pytest.raises(ValueError, match="draw no intervals with ci=None"):
            getattr(weighted.ordinal.plot, draw)()
        getattr(weighted.ordinal.plot, draw)(ci=None)
        with pytest.raises(ValueError, match="level"):
            getattr(weighted.ordinal.plot, draw)(ci=95)
        with pytest.raises(ValueError, match=r"beside 'model' .*cube.sum\(\['fold'\]\)"):
            getattr(models(x=X).expand_dims(fold=2, axis=1).ordinal.plot, draw)()


def test_errors_by_class() -> None:
    counted = models(x=X, y=NO_D)
    ax = counted.ordinal.plot.class_mae()
    for line, table in zip(ax.lines, (X, NO_D), strict=False):
        for true in range(4):
            n = table[true].sum()
            expected = sum(table[true, c] * abs(true - c) for c in range(4)) / n if n else np.nan
            assert line.get_ydata()[true] == pytest.approx(expected, nan_ok=True)
    assert ticks(ax.xaxis) == LETTERS
    shifts = np.array([line.get_xdata() for line in ax.lines[:2]]) - np.arange(4)
    assert (np.abs(shifts) < 0.5).all() and (np.diff(shifts, axis=0) > 0).all()
    for line, bars in zip(ax.lines, ax.collections, strict=False):
        for (x, low), (_, high) in filter(len, bars.get_segments()):
            value = line.get_ydata()[round(x)]
            assert not low > value and not high < value
    assert not ax.patches  # one of the two has rows of d


def test_the_interval_of_a_class_needs_no_other_class() -> None:
    rare = np.diag([1000, 1, 10, 0, 200])
    rare[2, 0] = 5
    counted = cube(rare, list("abcde"))
    ax = counted.ordinal.plot.class_mae(ci=0.9)
    costs = np.abs(np.subtract.outer(np.arange(5), np.arange(5))).astype(float)
    (bars,) = ax.collections
    ends = {round(x): (low, high) for (x, low), (_, high) in filter(len, bars.get_segments())}
    for place, (low, high) in ends.items():
        # a pseudo-row is predicted as any class that occurs, true or predicted
        row = uncertainty.pseudo_row(rare)[place]
        row = row / row.sum()
        expected = uncertainty.of_class(rare[place], row, costs[place], 0.9)
        estimate = (rare[place] * costs[place]).sum() / rare[place].sum()
        assert low == pytest.approx(min(expected[0], estimate), abs=1e-12)
        assert high == pytest.approx(max(expected[1], estimate), abs=1e-12)
    assert list(ends) == [0, 1, 2, 4]
    assert ends[1] == (0, 3)
    assert ends[0][1] < 0.03  # of at most 4, where 1,000 of 1,000 rows are right


def test_a_class_without_rows_is_grey() -> None:
    ax = models(x=NO_D, y=NO_D).ordinal.plot.class_mae(ci=None)
    (grey,) = ax.patches
    assert grey.get_hatch() and grey.get_x() == 2.5 and grey.get_width() == 1


@pytest.mark.parametrize("n", [1, 2, pytest.param(30, marks=pytest.mark.slow)])
def test_few_and_many_classes(n: int) -> None:
    counted = cube(np.eye(n, dtype=int) + 1, range(n))
    assert len(counted.ordinal.plot.class_mae().get_xticks()) <= 20
    assert counted.ordinal.plot.accuracy_within().lines[0].get_ydata()[-1] == 1


def test_classes_are_apart_and_models_side_by_side() -> None:
    ax = models(x=X, y=Y).ordinal.plot.class_mae()
    places = np.array([line.get_xdata() for line in ax.lines[:2]])
    npt.assert_allclose(places.mean(axis=0), range(4))
    gap = places[1, 0] - places[0, 0]
    assert 0.25 < gap < 0.45  # models fill most of the space of a class
    for bars, line in zip(ax.collections, ax.lines, strict=False):
        npt.assert_array_equal([bar[0, 0] for bar in bars.get_segments()], line.get_xdata())
        assert line.get_zorder() > bars.get_zorder() > 0 and not line.get_clip_on()
        assert bars.get_linewidth()[0] < line.get_markersize() / 2 < 3
    borders = ax.lines[2:]
    assert [border.get_xdata()[0] for border in borders] == [0.5, 1.5, 2.5]
    assert {border.get_zorder() for border in borders} == {0}
    assert ax.get_xlim() == (-0.5, 3.5) and ax.get_ylim()[0] == 0
    assert ax.xaxis.get_ticklines()[0].get_markersize() == 0
    assert [s for s, spine in ax.spines.items() if spine.get_visible()] == ["left", "bottom"]
    (alone,) = (line.get_xdata() for line in cube(X, LETTERS).ordinal.plot.class_mae().lines[:1])
    assert alone.tolist() == [0, 1, 2, 3]


def test_legends_are_inside_where_there_is_room() -> None:
    few, many = (
        models(**{f"m{place}": X for place in range(n)}).ordinal.plot.accuracy_within(ci=None)
        for n in (10, 11)
    )
    assert few.get_legend()._loc != many.get_legend()._loc
    for n, n_columns in ((20, 1), (21, 2)):
        counted = models(**{f"m{place}": X for place in range(n)})
        assert counted.ordinal.plot.class_mae(ci=None).get_legend()._ncols == n_columns


def test_three_models_have_bands_and_four_have_bars() -> None:
    few, many = models(a=X, b=Y, c=X.T), models(a=X, b=Y, c=X.T, d=Y.T)
    for band in few.ordinal.plot.accuracy_within().collections:
        assert 0.1 < band.get_alpha() < 0.3
        assert band.get_linewidth()[0] == 0
    ax = many.ordinal.plot.accuracy_within()
    shifts = np.array([bars.get_segments()[0][0, 0] for bars in ax.collections])
    npt.assert_allclose(shifts.mean(), 0, atol=1e-12)
    assert 0.3 < shifts[-1] - shifts[0] < 0.5
    assert ax.get_xticks().tolist() == [0, 1, 2, 3]


def test_a_model_whose_curve_is_never_below_dominates() -> None:
    frame = pd.DataFrame({"y": [0, 1, 2, 2], "a": [0, 1, 2, 1], "b": [0, 1, 1, 0]})
    better = po.ordinal(frame).dominance("y", ["a", "b"]).better
    ax = frame.ordinal.confusion("y", ["a", "b"]).ordinal.plot.accuracy_within()
    a, b = (line.get_ydata() for line in ax.lines)
    assert better.loc["a", "b"] and (a >= b).all()


CURVES = ["accuracy_within", "class_mae"]


def legend(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]


@pytest.mark.parametrize("draw", CURVES)
@pytest.mark.parametrize(
    "names",
    [
        ["_a", "_b"],
        *(
            pytest.param(names, marks=pytest.mark.slow)
            for names in (["_a", "b"], ["", ""], ["$a", "b$"])
        ),
    ],
)
def test_every_name_is_in_the_legend(draw: str, names: list[str]) -> None:
    counted = models(x=X, y=Y).assign_coords(model=names)
    ax = getattr(counted.ordinal.plot, draw)(ci=None)
    ax.figure.canvas.draw()
    assert legend(ax) == [name.replace("$", r"\$") for name in names]
    for line, handle in zip(ax.lines, ax.get_legend().legend_handles, strict=False):
        assert line.get_marker() == handle.get_marker() and line.get_color() == handle.get_color()


@pytest.mark.parametrize("draw", CURVES)
def test_models_of_several_levels(draw: str) -> None:
    counted = models(x=X, y=Y).expand_dims(g=["m", "f"]).stack(run=["g", "model"])
    ax = getattr(counted.ordinal.plot, draw)()
    assert legend(ax) == ["m, x", "m, y", "f, x", "f, y"]
    assert ax.get_legend().get_title().get_text() == "run"
    flat = getattr(models(a=X, b=Y, c=X, d=Y).ordinal.plot, draw)()
    for line, other in zip(ax.lines, flat.lines, strict=True):
        npt.assert_array_equal(line.get_ydata(), other.get_ydata())
    with pytest.raises(ValueError, match="'run' of the cube is empty"):
        getattr(counted.isel(run=slice(0)).ordinal.plot, draw)()


@pytest.mark.slow
@pytest.mark.parametrize("draw", CURVES)
@pytest.mark.parametrize("letter", ["x", "w", "ab "])
def test_long_names_leave_room(draw: str, letter: str) -> None:
    names = [(f"{k} " + letter * 60)[:60].strip() for k in range(4)]
    counted = models(names, **dict.fromkeys(names, X)).rename(model=letter * 60)
    ax = getattr(counted.ordinal.plot, draw)()
    ax.figure.canvas.draw()
    assert ["".join(text.split()) for text in legend(ax)] == ["".join(n.split()) for n in names]
    box = ax.get_window_extent()
    assert min(box.width, box.height) > 40
    for label in ticks(ax.xaxis):
        assert len(label) <= 31


@pytest.mark.slow
@pytest.mark.parametrize("draw", CURVES)
def test_legends_of_many_models_leave_room(draw: str) -> None:
    ax = getattr(models(**{f"model{k}": X for k in range(50)}).ordinal.plot, draw)(ci=None)
    ax.figure.canvas.draw()
    legend_box, box = ax.get_legend().get_window_extent(), ax.get_window_extent()
    assert legend_box.x0 >= box.x1 and legend_box.height <= ax.figure.bbox.height
    assert box.width > 200


def test_the_last_point_has_no_interval() -> None:
    few, many = models(x=X, y=Y), models(a=X, b=Y, c=X.T, d=Y.T)
    for band in few.ordinal.plot.accuracy_within().collections:
        corners = band.get_paths()[0].vertices
        assert (corners[corners[:, 0] == 3, 1] == 1).all()
        assert (corners[corners[:, 0] < 3, 1] < 1).any()
    for bars in many.ordinal.plot.accuracy_within().collections:
        assert len(bars.get_segments()) == 3


def test_only_axes_are_drawn_on() -> None:
    figure, axes = pyplot.subplots(1, 2)
    plot = models(x=X, y=Y).ordinal.plot
    for wrong, name in ((axes, "ndarray"), ("left", "str"), (figure, "Figure")):
        for call in (plot.accuracy_within, plot.class_mae, partial(plot.difference, "x", "y")):
            with pytest.raises(TypeError, match=rf"not an? {name}: .*ax=axes\[0\]"):
                call(ax=wrong)
        with pytest.raises(TypeError, match=f"not an? {name}"):
            cube(X, LETTERS).ordinal.plot(ax=wrong)


def test_the_repr_and_errors_name_the_pictures() -> None:
    plot = models(x=X, y=Y).ordinal.plot
    pictures = [name for name in dir(plot) if not name.startswith("_")]
    assert all(f"plot.{name}(" in repr(plot) for name in pictures) and len(pictures) == 4
    assert len(repr(plot).splitlines()) == 2
    with pytest.raises(AttributeError, match="'class_mean'; did you mean 'class_mae'"):
        plot.class_mean  # noqa: B018
    with pytest.raises(AttributeError, match="'heatmap'; the pictures are accuracy_within"):
        plot.heatmap  # noqa: B018
    assert not hasattr(plot, "_repr_html_")
    for call in (plot, plot.intervals):
        with pytest.raises(TypeError, match="give options by name: row=, col="):
            call("model")
        with pytest.raises(TypeError, match=r"'cmap'; .*imshow\(cube"):
            call(cmap="viridis")
    with pytest.raises(TypeError, match="unexpected keyword argument 'cmap'"):
        plot.class_mae(cmap="viridis")
