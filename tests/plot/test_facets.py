"""Pictures of confusion matrices and of ROC surfaces."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot
from sklearn.metrics import roc_curve

import pandas_ordinal as po  # noqa: F401
from pandas_ordinal.plot import tick_labels

COUNTS = [[4, 1, 0], [0, 0, 0], [0, 2, 3]]


def cube(counts: Any, classes: Any) -> Any:
    table = np.array(counts)
    positions = np.repeat(np.indices(table.shape).reshape(2, -1), table.ravel(), axis=1)
    dtype = pd.CategoricalDtype(classes, ordered=True)
    true, pred = (pd.Series(pd.Categorical.from_codes(p, dtype=dtype)) for p in positions)
    return true.ordinal.confusion(pred)


def texts(ax: Any) -> list[list[str]]:
    size = len(ax.images[0].get_array())
    cells = {tuple(map(int, text.get_position())): text.get_text() for text in ax.texts}
    return [[cells[pred, true] for pred in range(size)] for true in range(size)]


INF = np.inf


def test_shares_and_counts() -> None:
    ax = cube(COUNTS, ["a", "b", "c"]).ordinal.plot()
    shares = ax.images[0].get_array()
    np.testing.assert_allclose(shares[[0, 2]], [[0.8, 0.2, 0], [0, 0.4, 0.6]])
    assert shares.mask[1].all()
    assert texts(ax) == [
        ["0.80\n(4)", "0.20\n(1)", "0.00\n(0)"],
        ["", "", ""],
        ["0.00\n(0)", "0.40\n(2)", "0.60\n(3)"],
    ]
    for axis in (ax.xaxis, ax.yaxis):
        assert [label.get_text() for label in axis.get_ticklabels()] == ["a", "b", "c"]
        assert axis.get_ticklocs().tolist() == [0, 1, 2]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("pred", "true")
    assert ax.figure.axes[1].get_ylabel() == "share of each true class"


def test_other_shares_on_given_axes() -> None:
    _, (left, right) = pyplot.subplots(1, 2)
    counted = cube(COUNTS, ["a", "b", "c"])
    assert counted.ordinal.plot(normalize="pred", ax=left) is left
    np.testing.assert_allclose(left.images[0].get_array()[:, 1], [1 / 3, 0, 2 / 3])
    counted.ordinal.plot(normalize="all", ax=right)
    assert right.images[0].get_array().sum() == pytest.approx(1)


def test_bins_are_labelled_by_their_edges() -> None:
    bins = pd.IntervalIndex.from_breaks([-INF, 10, 20, INF])
    ax = cube(COUNTS, bins).ordinal.plot()
    ax.figure.canvas.draw()
    assert [label.get_text() for label in ax.get_xticklabels()] == ["<=10", "10-20", ">20"]
    assert tick_labels(bins.set_closed("left")) == ["<10", "10-20", ">=20"]
    assert tick_labels(pd.IntervalIndex.from_breaks([0, 0.12345678, 2])) == [
        "0-0.123457",
        "0.123457-2",
    ]
    far = [0, 1_000_000, 1_000_001, 1_000_002]
    assert len(set(tick_labels(pd.IntervalIndex.from_breaks(far)))) == 3
    assert tick_labels(pd.IntervalIndex.from_breaks([-INF, INF])) == ["all"]
    assert tick_labels(pd.Index(["$10-$20"])) == [r"\$10-\$20"]
    days = pd.IntervalIndex.from_breaks(pd.to_datetime(["2026-01-01", "2026-02-01"]))
    assert tick_labels(days) == ["2026-01-01 00:00:00-2026-02-01 00:00:00"]


def test_many_classes_have_no_text_and_few_ticks() -> None:
    ax = cube(np.eye(70, dtype=int), range(70)).ordinal.plot()
    assert not ax.texts
    assert len(ax.get_xticks()) <= 30
    assert [label.get_text() for label in ax.get_xticklabels()][:3] == ["0", "3", "6"]


def test_several_matrices_are_refused() -> None:
    df = pd.DataFrame({"g": [1, 2], "y": [0, 1], "yhat": [0, 1]})
    counted = df.ordinal.confusion("y", "yhat", by="g")
    with pytest.raises(ValueError, match=r"cube.isel\(g=0\)"):
        counted.ordinal.plot()
    with pytest.raises(ValueError, match="rows"):
        counted.sum("g").ordinal.plot(normalize="rows")


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"pandas_ordinal\[plot\]"):
        cube(COUNTS, ["a", "b", "c"]).ordinal.plot()


def scored(n_classes: int, n_rows: int) -> pd.DataFrame:
    true = np.arange(n_rows) % n_classes
    noise = np.random.default_rng(0).normal(size=n_rows)
    return pd.DataFrame({"y": true, "score": true + noise})


def test_a_roc_curve_has_the_points_of_scikit_learn() -> None:
    frame = scored(2, 40)
    ax = frame.ordinal.plot_roc("y", "score")
    false, true, _ = roc_curve(frame["y"], frame["score"], drop_intermediate=False)
    drawn = ax.lines[0].get_xydata()
    assert {tuple(point) for point in drawn.round(9)} == set(
        zip(false.round(9).tolist(), true.round(9).tolist(), strict=True)
    )
    assert ax.get_xlabel() == "share of 0 above"


@pytest.mark.parametrize("n_rows", [3, 30, 3000])
def test_a_roc_surface(n_rows: int) -> None:
    ax = scored(3, n_rows).ordinal.plot_roc("y", "score")
    assert [ax.get_xlabel(), ax.get_ylabel(), ax.get_zlabel()] == [
        f"share of {k} found" for k in (0, 2, 1)
    ]
    assert len(ax.collections) == 1
    ax.figure.canvas.draw()


def test_a_roc_surface_needs_three_dimensions() -> None:
    _, flat = pyplot.subplots()
    with pytest.raises(ValueError, match="three dimensions"):
        scored(3, 30).ordinal.plot_roc("y", "score", ax=flat)
    with pytest.raises(ValueError, match="ROC surface of 4 classes"):
        scored(4, 30).ordinal.plot_roc("y", "score")


def test_a_class_without_rows_has_no_rate_to_draw() -> None:
    with pytest.raises(ValueError, match="class 2 has no row"):
        scored(2, 30).ordinal.plot_roc("y", "score", classes=[0, 1, 2])
