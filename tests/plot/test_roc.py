"""Pictures of ROC curves and surfaces."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot
from mpl_toolkits.mplot3d import Axes3D
from sklearn.metrics import roc_auc_score, roc_curve

import pandas_ordinal as po  # noqa: F401
from pandas_ordinal.plot.canvas import LINES


def scored(n_classes: int, n_rows: int) -> pd.DataFrame:
    true = np.arange(n_rows) % n_classes
    noise = np.random.default_rng(0).normal(size=n_rows)
    return pd.DataFrame({"y": true, "score": true + noise})


def test_a_roc_curve_has_the_points_of_scikit_learn() -> None:
    frame = scored(2, 40).round(1)  # scores have ties
    ax = frame.ordinal.plot_roc("y", "score")
    false, true, _ = roc_curve(frame["y"], frame["score"], drop_intermediate=False)
    drawn = ax.lines[-1].get_xydata()
    assert {tuple(point) for point in drawn.round(9)} == set(
        zip(false.round(9).tolist(), true.round(9).tolist(), strict=True)
    )
    assert ax.get_title() == f"AUC {roc_auc_score(frame['y'], frame['score']):.3f}"
    assert ax.get_xlabel() == "false positive rate\n(class 0 above the threshold)"
    assert ax.get_ylabel() == "true positive rate\n(class 1 above the threshold)"
    assert ax.get_aspect() == 1 and ax.get_xlim() == ax.get_ylim() == (0, 1)
    assert drawn[[0, -1]].tolist() in ([[0, 0], [1, 1]], [[1, 1], [0, 0]])
    assert ax.lines[0].get_xydata().tolist() == [[0, 0], [1, 1]]  # of scores that tell nothing
    assert ax.lines[0].get_linewidth() < ax.lines[1].get_linewidth()
    assert [s for s, spine in ax.spines.items() if spine.get_visible()] == ["left", "bottom"]


@pytest.mark.parametrize("labels", [["no", "yes"], ["low", "mid", "high"]])
def test_axes_have_the_labels_of_the_classes(labels: list[str]) -> None:
    frame = scored(len(labels), 12)
    frame["y"] = pd.Categorical.from_codes(frame["y"], labels, ordered=True)
    ax = frame.ordinal.plot_roc("y", "score")
    axes = [ax.xaxis, *([ax.zaxis] if isinstance(ax, Axes3D) else []), ax.yaxis]
    shown = [axis.get_label_text() for axis in axes]
    for label, text in zip(labels, shown, strict=True):
        assert f"class {label} " in text


@pytest.mark.parametrize(
    "n_rows", [3, *(pytest.param(n, marks=pytest.mark.slow) for n in (30, 3000))]
)
def test_a_roc_surface(n_rows: int) -> None:
    ax = scored(3, n_rows).ordinal.plot_roc("y", "score")
    assert [ax.get_xlabel(), ax.get_ylabel(), ax.get_zlabel()] == [
        f"share of class {k} found" for k in (0, 2, 1)
    ]
    assert len(ax.collections) == 1
    ax.figure.canvas.draw()


def test_a_roc_surface_is_that_of_the_table() -> None:
    frame = scored(3, 12)
    _, ax = pyplot.subplots(subplot_kw={"projection": "3d"})
    drawn: list[np.ndarray] = []
    ax.plot_surface = lambda *arrays, **_: drawn.extend(arrays)
    assert frame.ordinal.plot_roc("y", "score", ax=ax) is ax
    low, high, middle = drawn
    table = frame.ordinal.roc_surface("y", "score").to_numpy()
    points = np.stack([low, middle, high], axis=-1).reshape(-1, 3)
    assert {tuple(point) for point in points} == {tuple(point) for point in table}
    for (first, second), share in np.ndenumerate(low):  # one threshold per axis
        assert share == low[first, 0] and high[first, second] == high[0, max(first, second)]
    assert [ax.get_xlabel(), ax.get_zlabel(), ax.get_ylabel()] == [
        f"share of class {k} found" for k in range(3)
    ]


@pytest.mark.parametrize("style", ["default", "classic"])
def test_a_roc_surface_has_at_most_fifty_limits_each_way(style: str) -> None:
    frame = pd.DataFrame({"y": np.arange(51) % 3, "score": np.arange(51.0)})
    with pyplot.style.context(style):
        for n_rows, n_limits in ((49, 50), (50, 26)):  # of 51 limits every other one
            (surface,) = frame[:n_rows].ordinal.plot_roc("y", "score").collections
            assert surface.get_array().size == (n_limits - 1) ** 2


def test_a_roc_surface_needs_three_dimensions() -> None:
    _, flat = pyplot.subplots()
    with pytest.raises(ValueError, match="three-dimensional axes"):
        scored(3, 30).ordinal.plot_roc("y", "score", ax=flat)
    with pytest.raises(ValueError, match="ROC surface of 4 classes"):
        scored(4, 30).ordinal.plot_roc("y", "score")


def test_a_class_without_rows_has_no_rate_to_draw() -> None:
    with pytest.raises(ValueError, match="class 2 has no row"):
        scored(2, 30).ordinal.plot_roc("y", "score", classes=[0, 1, 2])


def test_ignored_rows_are_not_drawn() -> None:
    frame = scored(2, 40)
    unknown = pd.DataFrame({"y": [9, 9], "score": [np.nan, 0.5]})
    plain = frame.ordinal.plot_roc("y", "score")
    ax = pd.concat([frame, unknown]).ordinal.plot_roc("y", "score", ignore=9)
    np.testing.assert_array_equal(ax.lines[-1].get_xydata(), plain.lines[-1].get_xydata())


def grouped(n_classes: int, n_groups: int, n_rows: int = 40) -> pd.DataFrame:
    parts = [scored(n_classes, n_rows) for _ in range(n_groups)]
    noise = np.random.default_rng(1).normal(size=(n_groups, n_rows)).round(1)
    parts = [part.assign(g=g, score=part["y"] + noise[g]) for g, part in enumerate(parts)]
    return pd.concat(parts, ignore_index=True).assign(h=lambda df: df.index % 6 < 3)


def test_each_group_has_a_curve_and_its_area() -> None:
    frame = grouped(2, 9)
    ax = frame.ordinal.plot_roc("y", "score", by="g")
    _, *lines = ax.lines
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert ax.get_legend().get_title().get_text() == "g: AUC"
    assert ax.get_title() == "" and len(lines) == 9
    for (g, rows), line, text in zip(frame.groupby("g"), lines, texts, strict=True):
        alone = rows.ordinal.plot_roc("y", "score").lines[-1]
        np.testing.assert_array_equal(line.get_xydata(), alone.get_xydata())
        name, area = text.split(": ")
        assert name == str(g) and abs(float(area) - roc_auc_score(rows["y"], rows["score"])) < 6e-4
    styles = {(line.get_color(), line.get_linestyle()) for line in lines}
    assert len(styles) == 9 and {line.get_linestyle() for line in lines} == set(LINES)
    of_groupby = frame.groupby("g", as_index=False).ordinal.plot_roc("y", "score")
    assert [text.get_text() for text in of_groupby.get_legend().get_texts()] == texts
    given = pyplot.subplots()[1]
    assert frame.ordinal.plot_roc("y", "score", by="g", ax=given) is given


def test_the_legend_names_all_keys() -> None:
    frame = grouped(2, 2)
    legend = frame.ordinal.plot_roc("y", "score", by=["g", "h"]).get_legend()
    assert legend.get_title().get_text() == "g, h: AUC"
    names = [text.get_text().partition(":")[0] for text in legend.get_texts()]
    assert names == ["0, False", "0, True", "1, False", "1, True"]
    legend = frame.groupby(lambda row: row % 4 > 1).ordinal.plot_roc("y", "score").get_legend()
    assert legend.get_title().get_text() == "group: AUC"


def test_each_group_of_three_classes_has_a_panel(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = grouped(3, 5, 12)
    drawn: dict[object, tuple[np.ndarray, ...]] = {}
    monkeypatch.setattr(Axes3D, "plot_surface", lambda ax, *xyz, **_: drawn.update({ax: xyz}))
    panels = frame.ordinal.plot_roc("y", "score", by="g")
    assert panels.shape == (5,) and len(panels[0].figure.axes) == 5
    assert [ax.get_title() for ax in panels] == [f"g = {g}" for g in range(5)]
    for ax, (_, rows) in zip(panels, frame.groupby("g"), strict=True):
        alone = rows.ordinal.plot_roc("y", "score")
        np.testing.assert_array_equal(drawn[ax], drawn[alone])
    panels = frame.groupby(["h", "g"]).ordinal.plot_roc("y", "score")
    assert panels[1].get_title() == "h, g = False, 1"


def test_groups_that_cannot_be_drawn() -> None:
    frame = grouped(3, 2, 12)
    _, ax = pyplot.subplots(subplot_kw={"projection": "3d"})
    with pytest.raises(ValueError, match="ax= has room for one surface"):
        frame.ordinal.plot_roc("y", "score", by="g", ax=ax)
    few = frame[(frame["g"] == 0) | (frame["y"] > 0)]
    with pytest.raises(ValueError, match="class 0 has no row in the group 1.*leave this group"):
        few.ordinal.plot_roc("y", "score", by="g")
    with pytest.raises(ValueError, match="there are no rows"):
        frame[:0].ordinal.plot_roc("y", "score", by="g", classes=[0, 1])
    many = grouped(3, 101, 3)
    with pytest.raises(ValueError, match="would be 101 panels.*at most 100"):
        many.ordinal.plot_roc("y", "score", by="g")
