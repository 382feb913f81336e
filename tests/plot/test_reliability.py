"""Pictures of reliability: panels by threshold, models as curves, bands and histograms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgba

import pandas_ordinal as po
from pandas_ordinal.plot import canvas
from pandas_ordinal.plot import reliability as pictures
from pandas_ordinal.plot.reliability import _summary
from pandas_ordinal.rows import reliability

RNG = np.random.default_rng(0)
PROBA = RNG.dirichlet(np.ones(4), 60)
DF = pd.DataFrame(PROBA).assign(
    y=(PROBA.cumsum(axis=1)[:, :-1] < RNG.random(60)[:, None]).sum(axis=1),
    g=np.repeat(["a", "b"], 30),
)
CLASSES = list(range(4))
MODELS = {"one": {k: k for k in CLASSES}, "two": {k: k for k in CLASSES}}


def test_a_panel_shows_each_threshold() -> None:
    panels = po.ordinal(DF).plot_reliability("y", CLASSES, n_draws=5)
    curve = po.ordinal(DF).reliability_curve("y", CLASSES)
    assert [axes.get_title().split("\n")[0] for axes in panels] == [
        "at most 0", "at most 1", "at most 2",
    ]  # fmt: skip
    for k, axes in enumerate(panels):
        diagonal, drawn = axes.lines
        assert list(diagonal.get_xdata()) == list(diagonal.get_ydata()) == [0, 1]
        steps = curve.loc[[k]]
        assert drawn.get_xdata().tolist() == steps[["low", "high"]].to_numpy().ravel().tolist()
        assert drawn.get_ydata()[::2].tolist() == steps["calibrated"].tolist()
        (band,) = axes.collections
        assert band.get_zorder() < diagonal.get_zorder() < drawn.get_zorder() == 3
        ends = band.get_datalim(axes.transData).intervalx
        assert ends.tolist() == pytest.approx([steps["low"].min(), steps["high"].max()])
        assert "MCB" in axes.get_title() and "p " in axes.get_title()
        assert axes.title.get_size() == canvas.TEXT


@pytest.mark.parametrize("proba", [CLASSES, MODELS])
def test_axes_show_probabilities_and_all_histograms(proba: Any) -> None:
    axes = po.ordinal(DF).plot_reliability("y", proba, threshold=1, ci=None)
    for axis in (axes.xaxis, axes.yaxis):
        places = axis.get_ticklocs().tolist()
        assert places == [0, 0.25, 0.5, 0.75, 1]
        assert [float(label.get_text()) for label in axis.get_ticklabels()] == places
    low, high = axes.get_ylim()
    assert low > -0.5  # close below the histograms
    assert axes.patches and low < min(bar.get_y() for bar in axes.patches) and high > 1
    left, right = axes.get_xlim()
    assert left < 0 and right > 1


@pytest.mark.parametrize(
    ("proba", "bottoms", "height"),
    [(CLASSES, [-0.16], 0.12), (MODELS, [-0.095, -0.16], 0.055)],  # 0.13 for all, 0.03 below 0
)
def test_histograms_share_a_strip(proba: Any, bottoms: list[float], height: float) -> None:
    axes = po.ordinal(DF).plot_reliability("y", proba, threshold=1, ci=None)
    n, edges = np.histogram(PROBA[:, :2].sum(axis=1), 20, (0, 1))
    bars = np.reshape(np.array(axes.patches, object), (len(bottoms), 20))
    for row, bottom, line in zip(bars, bottoms, axes.lines[1:], strict=True):
        assert [bar.get_y() for bar in row] == pytest.approx([bottom] * 20)
        assert [bar.get_height() for bar in row] == pytest.approx(height * n / n.max())
        assert [bar.get_x() for bar in row] == pytest.approx(edges[:-1])
        assert [bar.get_width() for bar in row] == pytest.approx([0.05] * 20)
        assert {bar.get_facecolor() for bar in row} == {to_rgba(line.get_color(), 0.5)}
        assert {bar.get_linewidth() for bar in row} == {0}


def test_models_are_curves_in_one_panel() -> None:
    axes = po.ordinal(DF).plot_reliability("y", MODELS, threshold=1, ci=None)
    assert len(axes.lines) == 3 and not axes.collections
    names = [text.get_text().split(":")[0] for text in axes.get_legend().get_texts()]
    assert names == ["one", "two"]


def test_more_models_than_colours_differ_in_their_lines() -> None:
    nine = {f"m{n}": {k: k for k in CLASSES} for n in range(9)}
    axes = po.ordinal(DF).plot_reliability("y", nine, threshold=1, ci=None)
    styles = [(line.get_color(), line.get_linestyle()) for line in axes.lines[1:]]
    assert styles[7:] == [(canvas.COLOURS[0], "--"), (canvas.COLOURS[1], "--")]
    assert [line for _, line in styles[:7]] == ["-"] * 7 and len(set(styles)) == 9


def test_bands_of_several_models_have_their_colours() -> None:
    for proba, colours, alpha in ((CLASSES, ["0.5"], 0.25), (MODELS, canvas.COLOURS[:2], 0.12)):
        axes = po.ordinal(DF).plot_reliability("y", proba, threshold=1, n_draws=3)
        found = [tuple(band.get_facecolor()[0]) for band in axes.collections]
        assert found == [to_rgba(colour, alpha) for colour in colours]


@pytest.mark.parametrize(
    ("p", "text"),
    [(np.nan, ""), (0.000999, ", p < .001"), (0.001, ", p .001"), (1.0, ", p 1.000")],
)
def test_the_numbers_of_a_curve_as_text(p: float, text: str) -> None:
    nothing = np.empty(0)
    numbers = {"MCB": 0.0104, "DSC": 0.25, "p": p}
    steps = reliability.Steps(nothing, nothing, nothing, nothing, np.empty(0, np.intp))
    curve = reliability.DrawnCurve(steps, None, nothing, nothing, numbers)
    assert _summary(curve) == f"MCB .010, DSC .250{text}"


def test_groups_have_rows_of_panels() -> None:
    panels = po.ordinal(DF).plot_reliability("y", CLASSES, by="g", n_draws=3)
    assert len(panels) == 6
    assert panels[0].get_ylabel().startswith("a") and panels[3].get_ylabel().startswith("b")
    by_threshold = DF.groupby("g").ordinal.plot_reliability("y", CLASSES, threshold=0, n_draws=3)
    assert [axes.get_title().split("\n")[0] for axes in by_threshold] == [
        "a, at most 0", "b, at most 0",
    ]  # fmt: skip


def test_given_axes_have_room_for_one_panel() -> None:
    from matplotlib import pyplot

    axes = pyplot.subplots()[1]
    series = po.ordinal(DF["y"])
    assert series.plot_reliability(DF[CLASSES], threshold=2, ax=axes, n_draws=3) is axes
    with pytest.raises(ValueError, match="room for one panel, but there are 3"):
        series.plot_reliability(DF[CLASSES], ax=axes, n_draws=3)
    with pytest.raises(ValueError, match=r"there are 2: .* such as threshold='a'"):
        DF.assign(y=["a"] * 60, a=1.0, b=0.0, c=0.0).ordinal.plot_reliability(
            "y", [*"abc"], classes=[*"abc"], ax=axes, ci=None
        )


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(po.errors.UnknownNameError, match="threshold=3 is not a class below"):
        po.ordinal(DF).plot_reliability("y", CLASSES, threshold=3)
    many = pd.concat([DF.assign(g=i) for i in range(40)])
    with pytest.raises(ValueError, match="there would be 120 panels"):
        po.ordinal(many).plot_reliability("y", CLASSES, by="g", ci=None)
    with pytest.raises(ValueError, match="there are no rows"):
        po.ordinal(DF[:0]).plot_reliability("y", CLASSES, classes=CLASSES)


@pytest.mark.parametrize(("threshold", "advice"), [(None, "give threshold=0, or "), (0, "")])
def test_too_many_panels_are_refused_before_they_are_computed(
    threshold: Any, advice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reliability, "_rows", lambda rows: pytest.fail("computed"))
    df = pd.DataFrame({"y": [0, 1] * 101, 0: 0.5, 1: 0.5, "g": range(202)})
    with pytest.raises(ValueError, match=f"202 panels, .* at most 100: {advice}select the rows"):
        df.ordinal.plot_reliability("y", [0, 1], by="g", threshold=threshold)


def test_numbers_are_those_of_the_group_and_the_model() -> None:
    df = DF.assign(**{f"even {k}": 0.25 for k in CLASSES})
    models = {"one": MODELS["one"], "two": {k: f"even {k}" for k in CLASSES}}
    panels = df.ordinal.plot_reliability("y", models, by="g", ci=None)
    table = df.ordinal.calibration("y", models, by="g", thresholds=True, n_draws=1)
    titles = [axes.get_title() for axes in np.ravel(panels)]
    assert len(titles) == len(table) == 2 * 2 * 3
    for title, row in zip(titles, table.itertuples(), strict=True):
        assert f"MCB {pictures._short(row.mcb)}, DSC {pictures._short(row.dsc)}, p" in title


def test_where_all_outcomes_are_the_same_there_is_no_test() -> None:
    df = DF.assign(y=DF["y"].clip(1, 2))
    panels = df.ordinal.plot_reliability("y", CLASSES, ci=None, classes=CLASSES)
    numbers = [axes.get_title().partition("\n")[2] for axes in panels]
    asked: dict[str, Any] = {"thresholds": True, "n_draws": 1, "classes": CLASSES}
    table = df.ordinal.calibration("y", CLASSES, **asked)
    assert table["share"].iloc[[0, 2]].tolist() == [0, 1]
    assert table["p_value"].isna().tolist() == [True, False, True]
    assert ["p " in shown for shown in numbers] == [False, True, False]


def test_a_picture_has_at_most_so_many_panels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two groups and two models, at three thresholds."""
    monkeypatch.setattr(canvas, "MOST_PANELS", 12)
    panels = DF.ordinal.plot_reliability("y", MODELS, by="g", ci=None)
    assert np.size(panels) == 12
    monkeypatch.setattr(canvas, "MOST_PANELS", 11)
    with pytest.raises(ValueError, match="would be 12 panels, but a picture has at most 11"):
        DF.ordinal.plot_reliability("y", MODELS, by="g", ci=None)


@pytest.mark.parametrize(("weight", "due"), [(None, [1, 0.5, 0.5]), ("w", [1, 0.5, 0.25])])
def test_bars_count_the_forecasts(weight: str | None, due: list[float]) -> None:
    low = np.array([0.02, 0.03, 0.52, 0.97])
    df = pd.DataFrame({"y": [1, 0, 1, 0], "w": [1, 3, 2, 1], 0: low, 1: 1 - low})
    axes = df.ordinal.plot_reliability("y", [0, 1], threshold=0, ci=None, sample_weight=weight)
    bars = axes.patches
    assert [bar.get_x() for bar in bars] == pytest.approx(np.arange(20) / 20)
    assert [bar.get_width() for bar in bars] == pytest.approx(np.full(20, 1 / 20))
    heights = np.array([bar.get_height() for bar in bars])
    assert heights[[0, 10, 19]] / heights.max() == pytest.approx(due)
    assert np.count_nonzero(heights) == 3


@pytest.mark.parametrize(
    ("value", "text"), [(0.25, ".250"), (-0.0625, "-.062"), (10.25, "10.250"), (1, "1.000")]
)
def test_numbers_below_1_lose_their_0(value: float, text: str) -> None:
    assert pictures._short(value) == text
