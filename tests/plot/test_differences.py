"""Differences of pairs of models, with their intervals."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
from matplotlib import pyplot
from matplotlib.colors import to_hex
from pictured import ticks

import pandas_ordinal as po
from pandas_ordinal.plot.canvas import COLOURS

FRAME = pd.DataFrame(
    {
        "y": [0, 1, 2, 2] * 9, "a": [0, 1, 2, 1] * 9, "b": [0, 1, 1, 0] * 9,
        "c": [0, 1, 2, 1] * 8 + [0, 2, 2, 1], "fold": [1, 2] * 18,
    }
)  # fmt: skip
MODELS = ["a", "b", "c"]
METRICS = ["mae", "kappa", "bias"]
FOUND = FRAME.ordinal.compare("y", MODELS, metrics=METRICS)


def segments(ax: Any) -> dict[int, list[float]]:
    """The ends of the lines of a panel, by place."""
    lines = [line for part in ax.collections for line in part.get_segments()]
    return {int(line[0, 1]): line[:, 0].tolist() for line in lines}


def points(ax: Any, is_filled: bool) -> dict[int, float]:
    """The values of significant differences, or of the others, by place."""
    drawn = [line for line in ax.lines if line.get_marker() == "o"]
    (one,) = [line for line in drawn if (line.get_markerfacecolor() != "white") == is_filled]
    assert (to_hex(one.get_color()) == COLOURS[0].lower()) == is_filled
    return {int(y): x for x, y in zip(one.get_xdata(), one.get_ydata(), strict=True)}


@pytest.mark.parametrize("levels", [["metric", "a", "b"], ["a", "b", "metric"]])
def test_a_panel_per_metric_and_a_line_per_pair(levels: list[str]) -> None:
    panels = po.plot.differences(FOUND.reorder_levels(levels))
    assert [ax.get_title() for ax in panels] == METRICS
    for ax in panels:
        rows = FOUND.loc[ax.get_title()]
        assert ticks(ax.yaxis) == ["a − b", "a − c", "b − c"]
        assert ax.get_ylim()[0] > ax.get_ylim()[1]  # the first row on top
        ends = np.array([segments(ax)[place] for place in range(3)])
        npt.assert_array_equal(ends, rows[["low", "high"]])
        significant, others = points(ax, True), points(ax, False)
        values = [{**significant, **others}[place] for place in range(3)]
        npt.assert_array_equal(values, rows["difference"])
        is_real = rows["better"].notna() & (rows["better"] != "neither")
        assert sorted(significant) == np.flatnonzero(is_real).tolist()
        left, right = ax.get_xlim()
        assert left == -right and right > np.abs(ends).max()
        (zero,) = [line for line in ax.lines if line.get_marker() != "o"]
        assert [*zero.get_xdata()] == [0, 0]


def test_each_side_says_whom_it_favours() -> None:
    below = [ax.get_xlabel() for ax in po.plot.differences(FOUND)]
    sides = ["← a better     b better →", "← b better     a better →"]
    assert below == [*sides, "difference a − b"]
    with_reference = FRAME.ordinal.compare("y", MODELS, metrics=["mae"], reference="b")
    (ax,) = po.plot.differences(with_reference)
    assert ax.get_xlabel() == "← b better     other better →"
    assert min(points(ax, True).values()) > 0  # both others have a lower MAE
    (ax,) = po.plot.differences(FRAME.ordinal.compare("y", ["a", "b"], metrics=["kappa"]))
    assert ax.get_xlabel() == "← b better     a better →"


def test_labels_of_your_own() -> None:
    found = FRAME.ordinal.compare("y", MODELS, metrics={"MER": "error_rate"})
    assert po.plot.differences(found)[0].get_xlabel() == "← a better     b better →"
    found.attrs = {}
    assert po.plot.differences(found)[0].get_xlabel() == "difference a − b"
    (ax,) = po.plot.differences(found, metrics={"MER": "error_rate"})
    assert ax.get_xlabel() == "← a better     b better →"


def test_a_panel_per_group() -> None:
    found = FRAME.ordinal.compare("y", MODELS, by="fold", metrics=["mae", "kappa"])
    panels = po.plot.differences(found)
    titles = ["mae, fold = 1", "kappa, fold = 1", "mae, fold = 2", "kappa, fold = 2"]
    assert [ax.get_title() for ax in panels] == titles
    turned = po.plot.differences(pd.concat([found.loc[[2]], found.loc[[1]]]))
    assert [ax.get_title() for ax in turned] == titles[2:] + titles[:2]
    grid = panels[0].get_gridspec()
    assert (grid.nrows, grid.ncols) == (2, 2)
    for place, ax in enumerate(panels):
        rows = found.loc[(1 + place // 2, ["mae", "kappa"][place % 2])]
        drawn = {**points(ax, True), **points(ax, False)}
        npt.assert_array_equal([drawn[n] for n in range(3)], rows["difference"])
    assert panels[0].get_xlim() == panels[2].get_xlim()


def test_groups_of_a_single_pair_and_metric() -> None:
    found = FRAME.ordinal.compare("y", ["a", "b"], by="fold", metrics=["mae"])
    assert len(found) == 2
    panels = po.plot.differences(found)
    assert [ax.get_title() for ax in panels] == ["mae, fold = 1", "mae, fold = 2"]
    drawn = [list(segments(ax).values()) for ax in panels]
    for (ends,), (_, row) in zip(drawn, found.iterrows(), strict=True):
        assert ends == pytest.approx([row["low"], row["high"]])


def test_groups_without_a_key_and_groups_that_are_not_selected() -> None:
    frame = FRAME.assign(fold=FRAME["fold"].where(FRAME["fold"] == 2))
    groups = frame.groupby("fold", dropna=False).ordinal
    panels = po.plot.differences(groups.compare("y", MODELS, metrics=["mae"]))
    assert [ax.get_title() for ax in panels] == ["mae, fold = 2.0", "mae, fold = nan"]
    frame = FRAME.astype({"fold": "category"})
    found = frame.ordinal.compare("y", MODELS, by="fold", metrics=["mae"])
    assert [ax.get_title() for ax in po.plot.differences(found.loc[[2]])] == ["mae, fold = 2"]


def test_what_is_undefined_or_absent_is_left_out() -> None:
    found = FOUND.loc[["mae", "kappa"]].drop(("mae", "a", "c"))
    found.loc[("kappa", "a", "b"), ["difference", "low", "high"]] = np.nan
    panels = po.plot.differences(found)
    panels[0].figure.canvas.draw()
    assert ticks(panels[0].yaxis) == ["a − b", "b − c", "a − c"]
    assert np.isnan(points(panels[0], False)[2])
    bare = FOUND.loc[["mae"]].assign(difference=np.nan, low=np.nan, high=np.nan)
    assert po.plot.differences(bare)[0].get_xlim() == (-1, 1)


def test_one_sided_intervals_reach_the_edge() -> None:
    found = FRAME.ordinal.compare(
        "y", MODELS, metrics=["mae"], alternative="better", reference="b"
    )
    assert np.isneginf(found["low"]).all()
    (ax,) = po.plot.differences(found)
    left, right = ax.get_xlim()
    assert np.isfinite(right)
    for place, (low, high) in segments(ax).items():
        assert (low, high) == (left, found["high"].iloc[place])
    assert ax.get_xlabel() == "← other better     b better →"
    margin = {"alternative": "non-inferior", "reference": "b", "margin": 0.1}
    found = FRAME.ordinal.compare("y", MODELS, metrics=["mae"], **margin)
    (ax,) = po.plot.differences(found)
    assert sorted(points(ax, True)) == [0, 1]
    unknown = found.assign(non_inferior=pd.array([True, None], dtype="boolean"))
    (ax,) = po.plot.differences(unknown)
    assert (sorted(points(ax, True)), sorted(points(ax, False))) == ([0], [1])


def test_given_axes() -> None:
    given = pyplot.subplots(1, 3)[1]
    drawn = po.plot.differences(FOUND, ax=given)
    assert [*drawn] == [*given]
    with pytest.raises(ValueError, match="2 axes for 3 panels"):
        po.plot.differences(FOUND, ax=given[:2])
    with pytest.raises(TypeError, match="axes of matplotlib"):
        po.plot.differences(FOUND, ax="a")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "other",
    [
        FRAME,
        FRAME.ordinal.report("y", MODELS, ci=0.95),
        FOUND.reset_index(),
        FOUND[["difference", "better"]],
        None,
    ],
)
def test_other_results_are_refused(other: Any) -> None:
    with pytest.raises(TypeError, match="differences draws what"):
        po.plot.differences(other)


def test_too_many_panels_and_none() -> None:
    with pytest.raises(ValueError, match="no rows"):
        po.plot.differences(FOUND[:0])
    many = pd.concat(dict.fromkeys(range(34), FOUND), names=["n"])
    with pytest.raises(ValueError, match="102 panels"):
        po.plot.differences(many)
