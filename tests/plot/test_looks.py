"""The design of pictures in numbers: inches of figures, points of texts, lines and marks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot
from matplotlib.colors import to_hex
from matplotlib.layout_engine import ConstrainedLayoutEngine
from pictured import LETTERS, colour_bars, cube, models

import pandas_ordinal as po
from pandas_ordinal.plot import canvas, facets, pairs
from pandas_ordinal.plot import models as plots
from pandas_ordinal.plot.artists import CellText, FittingLocator

FRAME = pd.DataFrame({"y": [0, 1, 2, 2] * 9, "a": [0, 1, 2, 1] * 9, "b": [0, 1, 1, 0] * 9})
FRAME["c"] = FRAME["y"].clip(upper=1)
FRAME["score"] = FRAME["y"] + np.tile([0.3, 0.1, 1.2, -0.4, 0.6, 0.9], 6)
FRAME["g"] = np.arange(36) % 5
FRAME["h"] = FRAME["g"] // 3
METRICS = ["accuracy", "mae", "mse", "kappa", "kendall_tau", "oci", "bias"]
EYE = np.eye(3, dtype=int)
BLUE = "#0072b2"


def forest(n: int) -> Any:
    return po.plot.forest(FRAME.ordinal.report("y", ["a", "b"], metrics=METRICS[:n], ci=0.9))


def differences(n: int) -> Any:
    return po.plot.differences(FRAME.ordinal.compare("y", ["a", "b", "c"], metrics=METRICS[:n]))


def matrix(n: int) -> Any:
    return cube(np.eye(n, dtype=int), range(n)).ordinal.plot()


def several(n: int, letters: int = 1) -> Any:
    """Models of names with so many letters in addition to a number of two digits."""
    counts = {"m" * letters + f"{place:02}": EYE + place for place in range(n)}
    return models(list("abc"), **counts).ordinal.plot


def grid() -> Any:
    counted = models(list("abc"), x=EYE, y=EYE, z=EYE).expand_dims(fold=[0, 1])
    return counted.ordinal.plot(row="fold", col="model")


def ranks(shifts: Any, n: int = 10, **names: str) -> Any:
    """Three or more models of which the one with the smallest shift is always the best."""
    noise = np.random.default_rng(0).normal(size=(n, len(shifts)))
    table = pd.DataFrame(0.01 * noise + np.array(shifts))
    table = table.set_axis([f"m{place}" for place in range(len(shifts))], axis=1)
    test = po.friedman(table.rename(columns=names), greater_is_better=False)
    return po.plot.critical_difference(test)


def roc(n_classes: int, by: Any = None) -> Any:
    return FRAME[FRAME.y < n_classes].ordinal.plot_roc("y", "score", by=by)


def curves(n_classes: int, **options: Any) -> Any:
    """The reliability of forecasts that are right with a probability of 1 / 2."""
    right = np.eye(n_classes)[FRAME["y"]] / 2
    proba = pd.DataFrame(right + 0.5 / n_classes)
    asked = {"classes": [*proba], "ci": None, **options}
    return FRAME.join(proba).ordinal.plot_reliability("y", [*proba], **asked)


# A character has 0.07 inches. A legend next to axes has 1.6, or 0.5 and its longest name for each
# of its columns, and 0.19 for each of its lines and two more.
SIZES: dict[str, tuple[Callable[[], Any], tuple[float, float]]] = {
    "1 metric": (lambda: forest(1), (1.9 + 0.07, 2 * 0.26 + 1)),
    "5 metrics": (lambda: forest(5), (5 * 1.9 + 0.07, 2 * 0.26 + 1)),
    "7 metrics": (lambda: forest(7), (4 * 1.9 + 0.07, 2 * (2 * 0.26 + 1))),
    "differences": (lambda: differences(2), (2 * 1.9 + 5 * 0.07, 3 * 0.26 + 1)),
    "3 classes": (lambda: matrix(3), (2.3 + 0.1 + 0.07 + 1.3, 2.3 + 0.3 + 0.07 + 0.4)),
    "9 classes": (lambda: matrix(9), (3.78 + 0.1 + 0.07 + 1.3, 3.78 + 0.3 + 0.07 + 0.4)),
    "16 classes": (lambda: matrix(16), (5.5 + 0.1 + 0.14 + 1.3, 5.5 + 0.3 + 0.14 + 0.4)),
    "grid": (grid, (3 * 2.4 + 0.07 + 1.3, 2 * 2.6 + 0.07 + 0.4)),
    "5 panels": (lambda: several(5)(col="model"), (3 * 2.4 + 0.07 + 1.3, 2 * 2.6 + 0.07 + 0.4)),
    "column": (lambda: several(2)(row="model"), (2.4 + 0.07 + 1.3, 2 * 2.6 + 0.07 + 0.4)),
    "bins": (
        lambda: cube(EYE, list("abc")).ordinal.plot.intervals(bins=[0, 1, 2, 4]),
        (3.4 + 0.1 + 3 * 0.07 + 1.3, 3.4 + 0.3 + 3 * 0.07 + 0.4),
    ),
    "accuracies": (lambda: several(10).accuracy_within(ci=None), (4.8, 3.4)),
    "accuracies of 11": (lambda: several(11).accuracy_within(ci=None), (4.8 + 1.6, 3.4)),
    "accuracies of 20 long names": (
        lambda: several(20, 23).accuracy_within(ci=None),
        (4.8 + 0.5 + 25 * 0.07, 0.19 * 22),
    ),
    "accuracies of 21": (
        lambda: several(21, 23).accuracy_within(ci=None),
        (4.8 + 2 * (0.5 + 25 * 0.07), 3.4),
    ),
    "errors": (lambda: several(2).class_mae(ci=None), (3.2 + 1.6, 2.2 + 1.6)),
    "errors of a short and a long name": (
        lambda: models(list("abc"), m=EYE, **{"m" * 25: EYE}).ordinal.plot.class_mae(ci=None),
        (3.2 + 0.5 + 25 * 0.07, 2.2 + 1.6),
    ),
    "errors of 12": (lambda: several(12).class_mae(ci=None), (0.13 * 36 + 1.6, 2.2 + 1.6)),
    "errors of 22": (
        lambda: several(22, 23).class_mae(ci=None),
        (8.4 + 2 * (0.5 + 25 * 0.07), 2.2 + 1.6),
    ),
    "errors of long classes": (
        lambda: cube(EYE, [letter * 28 for letter in "abc"]).ordinal.plot.class_mae(ci=None),
        (3.2 + 1.6, 2.2 + 28 * 0.07),
    ),
    "ranks": (lambda: ranks([0, 1, 2]), (3.4 + 2 * 1.3, 0.28 * (0.4 + 0.55 * 2 + 2 + 2.2))),
    "ranks that all differ": (
        lambda: ranks([0, 1, 2], 60), (3.4 + 2 * 1.3, 0.28 * (0.4 + 2 + 2.2))
    ),
    "ranks of a long name": (
        lambda: ranks([0, 1, 2, 3], 60, m0="m" * 25),
        (3.4 + 2 * 25 * 0.07, 0.28 * (0.4 + 2 + 2.2)),
    ),
    "ROC": (lambda: roc(2), (3.8, 4)),
    "ROC by group": (lambda: roc(2, "g"), (3.8 + 1.6, 4)),
    "ROC of three classes": (lambda: roc(3), (5, 4.4)),
    "ROC of three classes by group": (lambda: roc(3, "g"), (3 * 5, 2 * 4.4)),
    "reliability at a threshold": (lambda: curves(4, threshold=1), (4.2, 4.6)),
    "reliability": (lambda: curves(4), (3 * 2.6 + 0.4, 2.9 + 0.2)),
    "reliability by group": (lambda: curves(3, by="g"), (2 * 2.6 + 0.4, 5 * 2.9 + 0.2)),
}  # fmt: skip


@pytest.mark.parametrize("name", SIZES)
def test_figures_have_these_inches(name: str) -> None:
    draw, inches = SIZES[name]
    ax = np.ravel(np.array(draw(), object))[0]
    assert ax.figure.get_size_inches() == pytest.approx(inches, abs=1e-6)


def sizes(ax: Any) -> list[float]:
    """Font sizes: of the title, both labels, and the ticks of both axes."""
    marks = [axis.get_major_ticks()[0].label1.get_size() for axis in (ax.xaxis, ax.yaxis)]
    texts = (ax.title, ax.xaxis.label, ax.yaxis.label)
    return [*(text.get_size() for text in texts), *marks]


@pytest.mark.parametrize("draw", [forest, differences])
def test_panels_of_metrics(draw: Callable[[int], Any]) -> None:
    ax, *_ = draw(2)
    title, below, _, bottom, left = sizes(ax)
    assert (title, below, bottom, left) == (10, 8, 8, 9)
    assert ax.yaxis.get_major_ticks()[0].tick1line.get_markersize() == 0
    assert ax.xaxis.get_major_ticks()[0].tick1line.get_markersize() == 3.5  # as usual
    named = [panel.yaxis.get_major_ticks()[0].label1.get_visible() for panel in draw(6)]
    assert named == [True, False, False] * 2  # the panels of a row share their names
    points = [line for line in ax.lines if line.get_marker() == "o"]
    assert {line.get_markersize() for line in points} == {5}
    assert {line.get_linestyle() for line in points} == {"None"} or draw is forest
    assert {bars.get_linewidth()[0] for bars in ax.collections} == {1.5}
    assert to_hex(points[0].get_color()) == to_hex(ax.collections[0].get_color()[0]) == BLUE
    line = ax.xaxis.get_gridlines()[0]
    assert (line.get_linewidth(), line.get_color()) == (0.8, "0.9")
    assert ax.get_axisbelow() is True and len(ax.get_xticks()) <= 6
    assert [side for side, spine in ax.spines.items() if spine.get_visible()] == ["bottom"]


DRAWN: dict[str, Callable[[], Any]] = {
    "forest": lambda: forest(1)[0],
    "differences": lambda: differences(1)[0],
    "accuracies": lambda: several(2).accuracy_within(),
    "accuracies of 4": lambda: several(4).accuracy_within(),
    "errors": lambda: several(2).class_mae(),
    "ranks": lambda: ranks([0, 1, 2]),
    "ROC": lambda: roc(2),
    "reliability": lambda: curves(4, threshold=1, ci=0.9, n_draws=3),
    "matrix": lambda: cube(EYE, list("abc")).ordinal.plot(path=True),
}
ODD = {"lines.linewidth": 7, "lines.markersize": 30, "patch.linewidth": 5}
ODD |= {"legend.frameon": True, "legend.loc": "lower right"}


def marks(ax: Any) -> list[Any]:
    """What lines, bars and legends look like."""
    lines = [
        (
            line.get_linestyle(),
            line.get_linestyle() == "None" or line.get_linewidth(),
            line.get_marker(),
            line.get_marker() == "None" or line.get_markersize(),
        )
        for line in ax.lines
    ]
    bars = [part.get_linewidth().tolist() for part in ax.collections]
    patches = [patch.get_linewidth() for patch in ax.patches]
    legend = ax.get_legend()
    return [lines, bars, patches, legend and (legend.get_frame_on(), legend._loc)]


@pytest.mark.parametrize("name", DRAWN)
def test_marks_are_the_same_in_any_style(name: str) -> None:
    with pyplot.rc_context(ODD):
        found = marks(DRAWN[name]())
    assert found == marks(DRAWN[name]())


@pytest.mark.parametrize("name", DRAWN)
def test_new_figures_leave_room_for_labels(name: str) -> None:
    """Those of panels of equal width and height are compressed, so that no gap is left."""
    engine = DRAWN[name]().figure.get_layout_engine()
    assert isinstance(engine, ConstrainedLayoutEngine)
    assert engine._compress == (name not in ("forest", "differences"))


def test_one_panel_of_many() -> None:
    (ax,) = several(1)(col="model")
    assert ax.get_title() == "model = m00" and len(ax.figure.axes) == 2  # and a colour bar
    assert ax.figure.get_layout_engine()._compress


def test_zero_lines_are_behind() -> None:
    compared = FRAME.ordinal.compare("y", ["a", "b"], metrics=["mae"])
    (ax,) = po.plot.forest(compared)
    zero = next(line for line in ax.lines if line.get_marker() != "o")
    assert [*zero.get_xdata()] == [0, 0] and zero.get_zorder() == 0
    assert (zero.get_linewidth(), zero.get_color()) == (0.8, "0.6")
    assert ax.xaxis.label.get_size() == 8 and ax.yaxis.label.get_size() == 9
    (ax,) = po.plot.differences(compared)
    zero = ax.lines[0]
    assert [*zero.get_xdata()] == [0, 0] and zero.get_zorder() == 0
    assert (zero.get_linewidth(), zero.get_color()) == (1, "0.3")
    filled, hollow = ax.lines[1:]
    assert filled.get_markerfacecolor() == filled.get_color() == "#0072B2"
    assert (hollow.get_markerfacecolor(), hollow.get_color()) == ("white", "0.55")
    # 8 % more than the farthest end
    ends = np.abs(compared[["low", "high"]].to_numpy()).max()
    assert ax.get_xlim() == pytest.approx((-1.08 * ends, 1.08 * ends), rel=1e-12)


def test_curves_of_accuracy() -> None:
    ax = several(3).accuracy_within()
    assert sizes(ax)[1:] == [9, 9, 8, 8]
    assert {(line.get_markersize(), line.get_linewidth()) for line in ax.lines} == {(4, 1.2)}
    assert {(band.get_alpha(), band.get_linewidth()[0]) for band in ax.collections} == {(0.18, 0)}
    assert ax.get_xlabel() == "tolerance k (classes)"
    assert [side for side, spine in ax.spines.items() if spine.get_visible()] == ["left", "bottom"]
    legend = ax.get_legend()
    assert {text.get_size() for text in legend.get_texts()} == {8}
    assert legend.get_title().get_size() == 9 and not legend.get_frame_on()
    assert legend._ncols == 1 and several(21).accuracy_within(ci=None).get_legend()._ncols == 2
    bars = several(4).accuracy_within().collections
    assert {bar.get_linewidth()[0] for bar in bars} == {1}
    # half a class is divided between four models, each in the middle of its part
    assert [bar.get_segments()[0][0, 0] for bar in bars] == pytest.approx(
        [-0.1875, -0.0625, 0.0625, 0.1875]
    )


@pytest.mark.parametrize("picture", ["accuracy_within", "class_mae"])
def test_intervals_have_the_colour_of_their_model(picture: str) -> None:
    ax = getattr(several(4), picture)()
    colours = [to_hex(line.get_color()) for line in ax.lines[:4]]
    assert [to_hex(bars.get_color()[0]) for bars in ax.collections] == colours
    assert [line.get_label() for line in ax.lines[:4]] == ["m00", "m01", "m02", "m03"]
    assert {line.get_linestyle() for line in ax.lines[:4]} == (
        {"-"} if picture == "accuracy_within" else {"None"}
    )
    assert (ax.get_xlabel(), ax.get_ylabel()) == {
        "accuracy_within": ("tolerance k (classes)", "share within k classes"),
        "class_mae": ("true class", "mean absolute error"),
    }[picture]


def test_legends_next_to_axes_begin_in_the_middle_of_their_right_side() -> None:
    for ax in (several(11).accuracy_within(ci=None), several(2).class_mae(), roc(2, "g")):
        anchor = ax.get_legend().get_bbox_to_anchor().p0
        assert ax.transAxes.inverted().transform(anchor) == pytest.approx([1, 0.5])


def test_marks_of_errors() -> None:
    ax = several(2).class_mae()
    assert sizes(ax)[1:] == [9, 9, 8, 8]
    points, borders = ax.lines[:2], ax.lines[2:]
    assert {(line.get_markersize(), line.get_zorder()) for line in points} == {(4, 3)}
    assert [line.get_xdata()[0] for line in points] == pytest.approx([-0.175, 0.175])
    assert {bars.get_linewidth()[0] for bars in ax.collections} == {1}
    assert [border.get_xdata()[0] for border in borders] == [0.5, 1.5]
    assert {(b.get_color(), b.get_linewidth(), b.get_zorder()) for b in borders} == {
        ("0.9", 0.8, 0)
    }
    empty = models(list("abc"), x=EYE * [[1], [0], [1]]).ordinal.plot.class_mae(ci=None)
    (grey,) = empty.patches
    assert (grey.get_x(), grey.get_width(), grey.get_linewidth(), grey.get_zorder()) == (
        0.5,
        1,
        0,
        0,
    )


def test_lines_of_ranks() -> None:
    ax = ranks([0, 1, 2])  # 0 and 1 do not differ, nor do 1 and 2
    assert ax.get_xlim() == (1, 3) and ax.get_ylim() == (0.4 + 1.1 + 2, -1.6)
    assert ax.get_xticks().tolist() == [1, 2, 3] and ax.get_yticks().tolist() == []
    bars = [line for line in ax.lines if line.get_linewidth() == 3.5]
    assert [line.get_ydata() for line in bars] == pytest.approx(np.array([[0.6] * 2, [1.15] * 2]))
    # 1 % of the scale beyond the ranks
    assert [line.get_xdata() for line in bars] == pytest.approx(
        np.array([[0.98, 2.02], [1.98, 3.02]])
    )
    names = [line for line in ax.lines if line.get_linewidth() == 0.8]
    assert [[*line.get_xdata()] for line in names] == [[1, 1, 1], [2, 2, 1], [3, 3, 3]]
    depths = [line.get_ydata()[1] for line in names]
    assert depths == pytest.approx([2, 3, 2])  # below the bars, and the last as high as the first
    assert not any(line.get_clip_on() for line in [*bars, *names])
    written = {text.get_text(): text for text in ax.texts}
    assert {name: text.get_size() for name, text in written.items()} == {
        "mean rank": 8, "critical difference 1.05": 8, "m0  1.00": 9, "m1  2.00": 9, "3.00  m2": 9,
    }  # fmt: skip
    assert [text.get_position() for text in ax.texts] == [(8, 0), (0, 5), (-4, 0), (-4, 0), (4, 0)]
    assert [text.xy for text in ax.texts[:2]] == [
        (3, 0),
        pytest.approx((1 + 1.0478 / 2, -1.3), abs=1e-3),
    ]
    assert np.array([text.xy for text in ax.texts[2:]]) == pytest.approx(
        np.array([(1, 2), (1, 3), (3, 2)])
    )
    assert [text.get_ha() for text in ax.texts[2:]] == ["right", "right", "left"]
    assert not any(text.get_annotation_clip() for text in ax.texts)
    assert ax.spines["top"].get_position() == ("data", 0)
    assert {tick.label2.get_size() for tick in ax.xaxis.get_major_ticks()} == {8}
    assert [side for side, spine in ax.spines.items() if spine.get_visible()] == ["top"]
    (error,) = ax.collections
    assert error.get_linewidth()[0] == 1.2 and not error.get_clip_on()
    assert {line.get_markersize() for line in ax.lines if line.get_marker() == "|"} == {8}


def test_ranks_are_black_and_texts_are_centred_on_their_lines() -> None:
    ax = ranks([0, 1, 2])
    assert {line.get_color() for line in ax.lines} == {"black"}
    assert to_hex(ax.collections[0].get_color()[0]) == "#000000"
    scale, critical, *names = ax.texts
    assert {text.get_va() for text in (scale, *names)} == {"center"}
    assert (scale.get_ha(), critical.get_ha()) == ("left", "center")


def test_models_of_equal_rank_keep_their_order() -> None:
    table = pd.DataFrame([np.arange(40) % 2] * 5).add_prefix("m")  # the even ones are better
    ax = po.plot.critical_difference(po.friedman(table, greater_is_better=False))
    names = [text.get_text().split("  ") for text in ax.texts if "  " in text.get_text()]
    left, right = names[:20], names[20:]
    assert left == [[f"m{place}", "10.50"] for place in range(0, 40, 2)]
    assert right == [["30.50", f"m{place}"] for place in range(1, 40, 2)]


@pytest.mark.parametrize("draw", [po.plot.forest, po.plot.differences])
def test_each_of_many_rows_has_a_name(draw: Callable[..., Any]) -> None:
    frame = FRAME[["y"]].assign(**{f"m{place}": FRAME["b"] for place in range(4)})
    compared = frame.ordinal.compare("y", [*frame][1:], metrics=["mae"])
    (ax,) = draw(compared)
    assert ax.get_yticks().tolist() == [*range(6)]
    assert len({text.get_text() for text in ax.get_yticklabels()}) == 6


def test_panels_of_many_metrics_are_wrapped_unless_there_are_groups() -> None:
    panels = differences(7)
    assert [ax.get_subplotspec().rowspan.start for ax in panels] == [0] * 4 + [1] * 3
    two = FRAME[FRAME.g < 2].ordinal.compare("y", ["a", "b"], by="g", metrics=METRICS)
    rows = [ax.get_subplotspec().rowspan.start for ax in po.plot.differences(two)]
    assert rows == [0] * 7 + [1] * 7


def test_curves_of_rates() -> None:
    ax = roc(2)
    chance, curve = ax.lines
    assert (chance.get_linewidth(), chance.get_linestyle(), chance.get_color()) == (1, ":", "0.7")
    assert curve.get_linewidth() == 1.5 and not curve.get_clip_on()
    assert sizes(ax) == [9, 9, 9, 8, 8]
    surface = roc(3)
    assert sizes(surface)[1:] == [9, 9, 8, 8] and surface.zaxis.label.get_size() == 9
    assert surface.collections[0].get_clim() == (0, 1)
    assert surface.collections[0].get_cmap().name == "viridis"
    plain = pyplot.figure().add_subplot(projection="3d")  # its labels would be cut off
    assert surface._box_aspect == pytest.approx(0.85 * plain._box_aspect)
    panels = roc(3, "g")
    assert {ax.title.get_size() for ax in panels} == {9}


def test_matrices() -> None:
    ax = cube(EYE, list("abc")).ordinal.plot()
    mesh = ax.collections[0]
    assert sizes(ax)[1:] == [9, 9, 8, 8] and mesh.get_linewidth()[0] == 0.5
    assert mesh.get_clim() == (0, 1) and not mesh.get_rasterized()
    assert ax.get_xlim() == (-0.5, 2.5) and ax.get_ylim() == (2.5, -0.5)
    (bar,) = colour_bars(ax)
    assert (bar.yaxis.label.get_size(), bar.get_yticklabels()[0].get_size()) == (9, 8)
    panels = grid()
    assert {ax.title.get_size() for ax in panels.ravel()} == {
        9,
        pyplot.rcParams["font.size"] * 1.2,
    }
    side = panels[0, 2].texts[-1]
    assert (side.xy, side.get_size(), side.get_rotation()) == ((1.03, 0.5), 9, 270)
    assert panels[1, 2].title.get_text() == "" and panels[0, 0].title.get_size() == 9
    assert several(2)(col="model")[0].title.get_size() == 9
    of_two = models(list("abc"), x=EYE, y=EYE).ordinal.plot.difference("x", "y")
    assert of_two.title.get_size() == 9


def test_matrices_have_these_colours() -> None:
    counted = models(list("abc"), x=EYE, y=EYE)
    ax = counted.isel(model=0).ordinal.plot(path=True)
    mesh, path = ax.collections
    assert mesh.get_cmap().name == "Blues" and path.get_capstyle() == "projecting"
    assert colour_bars(ax)[0].get_box_aspect() == 25
    ax = counted.ordinal.plot.difference("x", "y")
    assert ax.collections[0].get_cmap().name == "RdBu_r"
    assert ax.collections[0].get_clim() == (-1, 1)  # although no two cells differ
    nothing = (0 * counted).isel(model=0).ordinal.plot(normalize=None)
    assert nothing.collections[0].get_clim() == (0, 1)


def test_texts_stand_in_the_middle_of_their_cells() -> None:
    (first, *_) = cube(EYE, list("abc")).ordinal.plot().texts
    assert (first.get_ha(), first.get_va(), first._linespacing) == ("center", "center", 1.1)


def test_texts_of_cells_are_as_large_as_fits_the_longest() -> None:
    """Of two lines of four or five characters: "0.50" above "(1)" or "(100)"."""
    for inches, n, size in (
        (0.75, 1, 18 / (2 * 1.35)), (0.8, 100, 19.2 / (5 * 0.66)), (0.95, 1, 8),
    ):  # fmt: skip
        figure = pyplot.figure(figsize=(inches, inches))
        ax = figure.add_axes((0, 0, 1, 1))
        cube([[n, n, 0], [0, 1, 0], [0, 0, 1]], list("abc")).ordinal.plot(ax=ax)
        figure.canvas.draw()
        assert [text.get_size() for text in ax.texts] == pytest.approx([size] * 9)
        pyplot.close(figure)


def test_borders_of_open_bins_are_dashed() -> None:
    bins = [-np.inf, 1, 2, 4]
    ax = cube(EYE, list("abc")).ordinal.plot.intervals(bins=bins)
    for side in ("left", "top"):
        spine = ax.spines[side]
        assert (spine.get_linewidth(), spine.get_capstyle()) == (1.5, "butt")
        assert spine.get_linestyle() == (0, (3, 2))


def test_the_last_row_of_panels_may_have_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canvas, "PANELS_PER_ROW", 2)
    panels = several(3)(col="model")
    assert [ax.get_subplotspec().rowspan.start for ax in panels] == [0, 0, 1]
    # the labels of the second panel hang into the gap below it
    assert [ax.xaxis.get_in_layout() for ax in panels] == [True, False, True]
    assert [ax.get_xlabel() != "" for ax in panels] == [False, True, True]


def test_curves_of_reliability() -> None:
    ax = curves(4, threshold=1, ci=0.9, n_draws=3)
    diagonal, curve = ax.lines
    assert (diagonal.get_color(), diagonal.get_linestyle()) == ("0.5", ":")
    assert (diagonal.get_linewidth(), diagonal.get_zorder()) == (1, 1)
    assert (curve.get_color(), curve.get_linewidth(), curve.get_linestyle()) == (
        canvas.COLOURS[0], 1.5, "-",
    )  # fmt: skip
    assert [band.get_linewidth()[0] for band in ax.collections] == [0]
    assert sizes(ax) == [9, 9, 9, 8, 8] and ax.get_legend() is None
    assert [side for side, spine in ax.spines.items() if spine.get_visible()] == ["left", "bottom"]
    # below 0 are a gap of 0.03, histograms of 0.13 in all, and 0.01
    assert ax.get_ylim() == pytest.approx((-0.17, 1.02))
    assert ax.get_xlim() == pytest.approx((-0.02, 1.02))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("forecast", "share of rows")


def test_curves_of_reliability_of_several_models() -> None:
    proba = {name: dict(zip(range(3), [*"abc"], strict=True)) for name in ("one", "two", "three")}
    right = pd.DataFrame(np.eye(3)[FRAME["y"]] / 2 + 0.5 / 3, columns=[*"abc"])
    frame = FRAME[["y"]].join(right)
    ax = frame.ordinal.plot_reliability("y", proba, threshold=1, ci=None)
    legend = ax.get_legend()
    assert {text.get_size() for text in legend.get_texts()} == {7} and not legend.get_frame_on()
    assert legend._loc == 2  # at the upper left
    assert [line.get_color() for line in ax.lines[1:]] == [*canvas.COLOURS[:3]]
    assert ax.get_ylim() == pytest.approx((-0.03 - 3 * 0.05 - 0.01, 1.02))  # 0.05 for each model
    assert ax.get_title() == "at most 1"


@pytest.mark.parametrize(("by", "n_groups"), [("h", 2), ("g", 5)])
def test_panels_of_reliability_stand_in_rows(by: str, n_groups: int) -> None:
    """Those of one group and model are wrapped; others have a row each, named on the left."""
    places = [ax.get_subplotspec().rowspan.start for ax in curves(6)]
    assert places == [0, 0, 0, 1, 1]
    panels = curves(6, by=by, classes=range(6))
    assert [ax.get_subplotspec().rowspan.start for ax in panels] == [
        row for row in range(n_groups) for _ in range(5)
    ]
    for group in range(n_groups):
        named = [ax.get_ylabel() for ax in panels[5 * group : 5 * group + 5]]
        assert named == [f"{group}\nshare of rows", "", "", "", ""]


def test_a_panel_of_reliability_without_rows_says_so() -> None:
    right = pd.DataFrame(np.eye(3)[FRAME["y"]] / 2 + 0.5 / 3)
    frame = FRAME[["y", "h"]].join(right).join(right.add_prefix("other"))
    frame.loc[frame["h"] == 1, "other0"] = np.nan
    models = {name: {k: f"{name}{k}" if name else k for k in range(3)} for name in ("", "other")}
    panels = frame.ordinal.plot_reliability("y", models, by="h", ci=None, dropna=True)
    for place, ax in enumerate(panels):
        is_empty = place > 5  # two groups of two models have two thresholds each
        assert [text.get_text() for text in ax.texts] == (["no rows"] if is_empty else [])
        assert len(ax.lines) == (1 if is_empty else 2)
        assert ax.get_title().startswith(f"at most {place % 2}")
        assert ax.get_ylim() == pytest.approx((-0.17, 1.02))
    (text,) = panels[-1].texts
    assert (text.get_position(), text.get_size()) == ((0.5, 0.5), 9)
    assert (text.get_ha(), text.get_va()) == ("center", "center")


def test_the_path_is_thinner_and_cells_are_not_apart_with_many_classes() -> None:
    for n, width, edge in ((20, 2, 9), (21, 1, 0)):
        ax = cube(np.eye(n, dtype=int), range(n)).ordinal.plot(path=True)
        mesh, path = ax.collections
        assert path.get_linewidth()[0] == width and path.get_zorder() == 3
        assert not path.get_clip_on() and to_hex(path.get_color()[0]) == "#e66100"
        assert len(mesh.get_edgecolor()) == (1 if edge else 0) and len(ax.texts) == 0
    assert len(cube(np.eye(15, dtype=int), range(15)).ordinal.plot().texts) == 15 * 15
    assert (
        not cube(np.eye(100, dtype=int), range(100)).ordinal.plot().collections[0].get_rasterized()
    )
    assert cube(np.eye(101, dtype=int), range(101)).ordinal.plot().collections[0].get_rasterized()


@pytest.mark.parametrize("dpi", [72, 100])
def test_texts_of_cells_are_as_large_as_fits(dpi: int) -> None:
    figure = pyplot.figure(figsize=(2, 2), dpi=dpi)
    ax = figure.add_axes((0, 0, 1, 1), xlim=(0, 144), ylim=(144, 0))  # in points

    def size(width: float, height: float, lines: int, characters: int) -> float:
        text = CellText(((10, 20), (10 + width, 20 + height)), "x", (lines, characters), "black")
        ax.add_artist(text)
        assert not text.get_in_layout()  # it never extends beyond its cell
        assert text.get_position() == (10 + width / 2, 20 + height / 2)
        figure.canvas.draw()
        found: float = text.get_size()
        return found

    # a character is 0.66 and a line 1.35 times as large as the font
    assert size(100, 100, 1, 1) == 8
    assert size(3 * 0.66 * 7, 100, 1, 3) == pytest.approx(7)
    assert size(100, 2 * 1.35 * 6, 2, 3) == pytest.approx(6)
    assert size(3 * 0.66 * 6.5, 2 * 1.35 * 7, 2, 3) == pytest.approx(6.5)
    assert size(3 * 0.66 * 7, 2 * 1.35 * 6.5, 2, 3) == pytest.approx(6.5)
    assert size(3 * 0.66 * 5.4, 100, 1, 3) == 8  # too small, and not drawn
    pyplot.close(figure)


def test_the_cursor_shows_the_class() -> None:
    ax = cube(np.eye(4, dtype=int), LETTERS).ordinal.plot()
    assert ax.xaxis.get_major_formatter()(1) == "b" and ax.yaxis.get_major_formatter()(0.5) == ""


def test_pictures_have_at_most_so_many_panels(monkeypatch: pytest.MonkeyPatch) -> None:
    assert canvas.MOST_PANELS == 100
    for module in (facets, pairs, plots):
        monkeypatch.setattr(module, "MOST_PANELS", 2)
    assert len(several(2)(col="model")) == 2 and len(differences(2)) == 2
    two = FRAME[FRAME.g < 2]
    assert len(two.ordinal.plot_roc("y", "score", by="g")) == 2
    for draw in (lambda: several(3)(col="model"), lambda: differences(3), lambda: roc(3, "g")):
        with pytest.raises(ValueError, match="there would be [35] panels, but a picture has"):
            draw()


@pytest.mark.parametrize(("n", "room"), [(30, 30), (31, 30), (60, 30)])
def test_long_labels_lose_their_middle(n: int, room: int) -> None:
    label = "".join(chr(ord("a") + place % 26) for place in range(n))
    due = label if n <= room else f"{label[:15]}…{label[-15:]}"
    assert canvas.shortened(label) == due
    other = pd.DataFrame({"y": [0, 1, 1], "a" * 20: [0, 1, 1], "bc" * 11: [0, 1, 0]})
    (ax,) = po.plot.differences(other.ordinal.compare("y", [*other][1:], metrics=["mae"]))
    assert [text.get_text() for text in ax.get_yticklabels()] == [
        "a" * 20 + " − " + "bc" * 5 + "…" + "bc" * 5
    ]


def test_the_first_of_two_places_has_a_label() -> None:
    figure = pyplot.figure(figsize=(100 / 72, 1))
    axis = figure.add_axes((0, 0, 1, 1), xlim=(0, 100)).xaxis
    for places, points, labelled in (
        ([0, 10], [10, 10], [0, 10]), ([0, 10], [10, 10.5], [0]), ([0, 10, 20], [16] * 3, [0, 20])
    ):  # fmt: skip
        axis.set_major_locator(FittingLocator(places, points, keeps_last=False))
        assert axis.get_majorticklocs().tolist() == labelled
    axis.set_major_locator(FittingLocator([0, 50, 55], [10] * 3, keeps_last=True))
    assert axis.get_majorticklocs().tolist() == [0, 55]
    pyplot.close(figure)


def room_of_labels(classes: list[str], points: float, side: str) -> int:
    """How many classes are labelled on an axis with so many points for each."""
    inches = len(classes) * points / 72
    figure = pyplot.figure(figsize=(inches, inches))
    ax = figure.add_axes((0, 0, 1, 1))
    cube(np.eye(len(classes), dtype=int), classes).ordinal.plot(ax=ax)
    axis = getattr(ax, f"{side}axis")
    n_labelled = len(axis.get_majorticklocs())
    pyplot.close(figure)
    return n_labelled


def test_labels_need_their_length_or_their_height() -> None:
    """Flat ones 0.64 of the font size for each character, and 0.4; others 1.2."""
    for letters in (1, 2, 4):
        classes = [letter * letters for letter in "abcdef"]
        needed = 8 * (0.64 * letters + 0.4)
        assert room_of_labels(classes, needed + 0.01, "x") == 6
        assert room_of_labels(classes, needed - 0.01, "x") == 3
    for letters, side in ((2, "y"), (5, "x")):
        classes = [letter * letters for letter in "abcdef"]
        assert room_of_labels(classes, 9.61, side) == 6
        assert room_of_labels(classes, 9.59, side) == 3


def test_edges_of_bins_are_vertical_if_one_is_long() -> None:
    for last, angle in ((1000, 0), (10000, 90)):
        ax = cube(np.eye(2, dtype=int), list("ab")).ordinal.plot.intervals(bins=[0, 5, last])
        assert {tick.label1.get_rotation() for tick in ax.xaxis.get_major_ticks()} == {angle}


def test_open_bins_that_have_no_neighbour() -> None:
    inf = float("inf")
    for bins, edges in (
        ([-inf, 0, inf], [-1, 0, 1]), ([-inf, inf], [0, 1]), ([-inf, 2, 5, inf], [-1, 2, 5, 8]),
        ([3, inf], [3, 4]), ([-inf, 3], [2, 3]), ([-inf, -3], [-4, -3]), ([-inf, 1, 2], [0, 1, 2]),
    ):  # fmt: skip
        n = len(bins) - 1
        ax = cube(np.eye(n, dtype=int), range(n)).ordinal.plot.intervals(bins=bins)
        assert (ax.get_xlim(), ax.get_ylim()) == ((edges[0], edges[-1]), (edges[-1], edges[0]))
        assert np.unique(ax.collections[0].get_coordinates()[..., 0]).tolist() == edges
