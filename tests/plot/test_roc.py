"""Pictures of ROC curves and surfaces."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot
from sklearn.metrics import roc_auc_score, roc_curve

import pandas_ordinal as po  # noqa: F401


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
