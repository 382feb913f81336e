"""Confusion matrices, one or many: limits, panels, labels, colour bars."""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot
from pictured import LETTERS, colour_bars, cube, models, shares, texts, ticks

import pandas_ordinal as po

COUNTS = [[4, 1, 0], [0, 0, 0], [0, 2, 3]]
FULL = np.arange(16).reshape(4, 4)
NO_D = np.pad(FULL[:3, :3], (0, 1))


def test_shares_and_counts_of_a_class_without_rows() -> None:
    with warnings.catch_warnings(action="error"):
        ax = cube(COUNTS, ["a", "b", "c"]).ordinal.plot()
        ax.figure.canvas.draw()
    np.testing.assert_allclose(shares(ax)[[0, 2]], [[0.8, 0.2, 0], [0, 0.4, 0.6]])
    assert shares(ax).mask.tolist() == [[False] * 3, [True] * 3, [False] * 3]
    assert texts(ax) == [
        ["0.80\n(4)", "0.20\n(1)", "0"],
        ["", "", ""],
        ["0", "0.40\n(2)", "0.60\n(3)"],
    ]
    red, green, blue, _ = ax.patch.get_facecolor()  # the background, visible where no cell is
    assert red == green == blue and ax.patch.get_hatch()


@pytest.mark.parametrize(
    ("normalize", "axis", "label"),
    [
        ("true", 1, "share of each\ntrue class"),
        pytest.param("pred", 0, "share of each\npredicted class", marks=pytest.mark.slow),
        pytest.param("all", None, "share of all rows", marks=pytest.mark.slow),
    ],
)
def test_shares_sum_to_one(normalize: Any, axis: Any, label: str) -> None:
    ax = cube(COUNTS, ["a", "b", "c"]).ordinal.plot(normalize=normalize)
    sums = np.atleast_1d(shares(ax).sum(axis=axis))
    np.testing.assert_allclose(sums.compressed() if np.ma.isMA(sums) else sums, 1)
    assert ax.collections[0].get_clim() == (0, 1)
    assert [bar.get_ylabel() for bar in colour_bars(ax)] == [label]
    with pytest.raises(ValueError, match="rows"):
        cube(COUNTS, ["a", "b", "c"]).ordinal.plot(normalize="rows")


def test_counts() -> None:
    ax = cube(np.array(COUNTS) * 110, ["a", "b", "c"]).ordinal.plot(normalize=None)
    assert texts(ax)[0] == ["440", "110", "0"]
    assert ax.collections[0].get_clim() == (0, 440)
    assert colour_bars(ax)[0].get_ylabel() == "rows"


@pytest.mark.slow
def test_weights_and_no_rows() -> None:
    weighted = cube(COUNTS, ["a", "b", "c"]) * 0.5
    ax = weighted.ordinal.plot(normalize=None)
    assert texts(ax)[0] == ["2", "0.5", "0"]
    assert colour_bars(ax)[0].get_ylabel() == "weight of the rows"
    assert texts(weighted.ordinal.plot())[0] == ["0.80", "0.20", "0"]
    nothing = cube(np.zeros((3, 3), int), ["a", "b", "c"])
    assert texts(nothing.ordinal.plot(normalize=None))[0] == ["0", "0", "0"]


@pytest.mark.slow
def test_a_constant_prediction_fills_a_column() -> None:
    df = pd.DataFrame({"y": [0, 1, 2, 2], "yhat": [1] * 4})
    ax = df.ordinal.confusion("y", "yhat").ordinal.plot()
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("predicted class", "true class")
    np.testing.assert_array_equal(shares(ax), [[0, 1, 0]] * 3)
    ax.figure.canvas.draw()
    boxes = {text.get_text(): text.get_window_extent() for text in ax.texts}
    low, high = boxes["1.00\n(1)"], boxes["1.00\n(2)"]
    assert low.x0 == pytest.approx(high.x0, abs=1) and low.y0 > high.y0  # true runs downwards


def test_all_classes_in_every_panel() -> None:
    panels = models(x=FULL, y=NO_D, z=FULL[::-1]).ordinal.plot(col="model")
    assert panels.shape == (3,)
    assert [ax.get_title() for ax in panels] == ["model = x", "model = y", "model = z"]
    for ax in panels:
        assert shares(ax).shape == (4, 4)
        assert ticks(ax.xaxis) == ticks(ax.yaxis) == LETTERS
        assert ax.get_xticks().tolist() == [0, 1, 2, 3]
        assert ax.get_xlim() == (-0.5, 3.5) and ax.get_ylim() == (3.5, -0.5)
        assert ax.collections[0].get_clim() == (0, 1)
    assert shares(panels[1]).mask[3].all() and not shares(panels[0]).mask[3].any()
    assert len(colour_bars(panels[0])) == 1
    assert [ax.get_ylabel() for ax in panels] == ["true class", "", ""]
    assert [ax.get_xlabel() for ax in panels] == ["predicted class"] * 3


@pytest.mark.slow
def test_counts_have_one_limit_in_all_panels() -> None:
    panels = models(x=FULL, y=FULL * 10).ordinal.plot(col="model", normalize=None)
    assert {ax.collections[0].get_clim() for ax in panels} == {(0, 150)}


def test_rows_and_columns() -> None:
    rng = np.random.default_rng(0)
    df = pd.DataFrame(rng.integers(0, 3, (90, 2)), columns=["y", "yhat"])
    df = df.assign(model=list("pqr") * 30, fold=[0, 1] * 45)
    counted = df.ordinal.confusion("y", "yhat", by=["model", "fold"])
    panels = counted.ordinal.plot(col="model", row="fold", path=True)
    assert panels.shape == (2, 3)
    for (fold, model), ax in np.ndenumerate(panels):
        expected = counted.isel(fold=fold, model=model).ordinal.normalize("true")
        np.testing.assert_allclose(shares(ax), expected)
    assert [ax.get_title() for ax in panels[0]] == ["model = p", "model = q", "model = r"]
    titles = [[text.get_text() for text in ax.texts] for ax in panels[:, -1]]
    assert "fold = 0" in titles[0] and "fold = 1" in titles[1]
    assert len(colour_bars(panels[0, 0])) == 1
    panels = counted.isel(model=0).ordinal.plot(row="fold")
    assert [ax.get_subplotspec().colspan.start for ax in panels] == [0, 0]


@pytest.mark.slow
def test_many_columns_are_wrapped() -> None:
    panels = models(**{f"m{k}": FULL for k in range(5)}).ordinal.plot(col="model")
    assert panels.shape == (5,)
    places = [
        (ax.get_subplotspec().rowspan.start, ax.get_subplotspec().colspan.start) for ax in panels
    ]
    assert places == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)]
    assert len(panels[0].figure.axes) == 6  # the panels and one colour bar
    # a panel is labelled below if no panel is below it
    assert [bool(ax.get_xlabel()) for ax in panels] == [False, False, True, True, True]


def test_bins_are_labelled_by_their_edges() -> None:
    bins = pd.IntervalIndex.from_breaks([-np.inf, 10, 20, np.inf])
    ax = cube(COUNTS, bins).ordinal.plot()
    assert ticks(ax.xaxis) == ["<=10", "10-20", ">20"]


def test_many_classes_have_no_text_and_few_ticks() -> None:
    ax = cube(np.eye(70, dtype=int), range(70)).ordinal.plot()
    assert not ax.texts
    assert len(ax.get_xticks()) <= 20
    assert ticks(ax.xaxis)[:3] == ["0", "4", "8"]
    assert ax.get_aspect() == 1


def test_the_number_of_classes_decides_what_is_drawn() -> None:
    few, many = (cube(np.eye(n, dtype=int), range(n)).ordinal.plot() for n in (15, 16))
    assert len(few.texts) == 225 and not many.texts
    few, many = (cube(np.eye(n, dtype=int), range(n)).ordinal.plot(path=True) for n in (20, 21))
    borders = [len(ax.collections[0].get_edgecolor()) for ax in (few, many)]
    assert borders == [1, 0]
    thick, thin = (ax.collections[1].get_linewidth()[0] for ax in (few, many))
    assert thick > thin > few.collections[0].get_linewidth()[0]
    few, many = (cube(np.eye(n, dtype=int), range(n)).ordinal.plot() for n in (100, 101))
    assert not few.collections[0].get_rasterized() and many.collections[0].get_rasterized()


@pytest.mark.parametrize("n", [4, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 7, 15))])
def test_text_stays_in_its_cell(n: int) -> None:
    panels = models(range(n), **{k: np.full((n, n), 1234) for k in "xy"}).ordinal.plot(col="model")
    panels[0].figure.canvas.draw()
    for ax in panels:
        width = ax.get_window_extent().width / n
        assert len(ax.texts) == n * n
        for text in ax.texts:
            box = text.get_window_extent()
            assert box.width <= width and box.height <= width


@pytest.mark.slow
def test_given_axes() -> None:
    figure, (left, right) = pyplot.subplots(1, 2)
    counted = models(x=FULL, y=NO_D)
    assert counted.isel(model=0).ordinal.plot(ax=left) is left
    assert counted.ordinal.plot.difference("x", "y", ax=right) is right
    assert pyplot.get_fignums() == [figure.number]
    assert figure.axes == [left, right]  # a colour bar would take their room
    counted.isel(model=0).ordinal.plot()
    assert len(pyplot.get_fignums()) == 2  # a new figure, not the last one
    with pytest.raises(ValueError, match=r"ax= has room for one matrix.*isel\(model=0\)"):
        counted.ordinal.plot(col="model", ax=left)


def test_too_many_dimensions() -> None:
    df = pd.DataFrame({"g": [1, 2], "fold": [1, 2], "y": [0, 1], "yhat": [0, 1]})
    counted = df.ordinal.confusion("y", "yhat", by=["g", "fold"])
    with pytest.raises(ValueError, match=r"col='g'.*cube.isel\(g=0\).*sum\(\['g', 'fold'\]\)"):
        counted.ordinal.plot()
    with pytest.raises(ValueError, match=r"dimensions \['g', 'fold'\]: select one"):
        counted.ordinal.plot(ax=pyplot.subplots()[1])
    with pytest.raises(ValueError, match=r"^row=\['g'\] is not a dimension of the cube"):
        counted.ordinal.plot(row=["g"])
    with pytest.raises(ValueError, match=r"\['fold'\]: lay them out with row='fold'"):
        counted.ordinal.plot(col="g")
    with pytest.raises(ValueError, match=r"\['h'\]: select"):
        counted.expand_dims("h").ordinal.plot(col="g", row="fold")
    with pytest.raises(ValueError, match="col='folds' is not a dimension.*'fold'"):
        counted.ordinal.plot(col="folds")
    with pytest.raises(ValueError, match="col='g' is not .* which has no other dimensions"):
        counted.isel(g=0, fold=0).ordinal.plot(col="g")
    with pytest.raises(ValueError, match="row='true' is not a dimension"):
        counted.ordinal.plot(row="true")
    with pytest.raises(ValueError, match="both 'g'"):
        counted.isel(fold=0).ordinal.plot(row="g", col="g")
    with pytest.raises(ValueError, match="101 panels"):
        counted.isel(fold=0, g=[0] * 101).ordinal.plot(col="g")
    with pytest.raises(ValueError, match="0 panels"):
        counted.isel(fold=0, g=[]).ordinal.plot(col="g")


@pytest.mark.slow
def test_labels_with_dollars_are_not_formulas() -> None:
    counted = models(["$1", "$2"], **{"$a_1$": np.eye(2, dtype=int)})
    (ax,) = counted.ordinal.plot(col="model")
    assert ax.get_title() == r"model = \$a_1\$"


@pytest.mark.slow
def test_chunks_and_dimensions_without_labels() -> None:
    pytest.importorskip("dask")
    counted = models(x=FULL, y=NO_D).chunk(model=1).drop_vars("model")
    panels = counted.ordinal.plot(col="model", path=True)
    assert [ax.get_title() for ax in panels] == ["model = 0", "model = 1"]


def test_only_cubes_are_drawn() -> None:
    with pytest.raises(ValueError, match="a cube of confusion matrices has the dimensions"):
        po.ordinal(cube(COUNTS, list("abc")).sum("pred")).plot()


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"pandas_ordinal\[plot\]"):
        cube(COUNTS, ["a", "b", "c"]).ordinal.plot()


@pytest.mark.slow
def test_a_part_of_a_figure() -> None:
    part = pyplot.figure(layout="constrained").subfigures(1, 2)[0]
    ax = part.subplots()
    assert cube(COUNTS, list("abc")).ordinal.plot(ax=ax) is ax
    assert texts(ax)[0][0] == "0.80\n(4)"
    assert not colour_bars(ax)
