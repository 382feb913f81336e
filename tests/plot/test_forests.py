"""Metrics with their intervals."""

from __future__ import annotations

import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
from matplotlib import pyplot
from pictured import ticks

import pandas_ordinal as po

FRAME = pd.DataFrame(
    {"y": [0, 1, 2, 2] * 9, "a": [0, 1, 2, 1] * 9, "b": [0, 1, 1, 0] * 9, "fold": [1, 2] * 18}
)
REPORT = FRAME.ordinal.report("y", ["a", "b"], metrics=["mae", "kappa", "bias"], ci=0.95)


def test_points_and_bars() -> None:
    panels = po.plot.forest(REPORT)
    assert [ax.get_title() for ax in panels] == ["mae", "kappa", "bias"]
    below = ["value and interval,\nlower is better", "value and interval,\nhigher is better"]
    assert [ax.get_xlabel() for ax in panels] == [*below, "value and interval"]
    assert [ax.get_ylabel() for ax in panels] == ["model", "", ""]
    for ax in panels:
        name = ax.get_title()
        assert ticks(ax.yaxis) == ["a", "b"]
        assert ax.get_ylim()[0] > ax.get_ylim()[1]  # the first row on top
        npt.assert_array_equal(ax.lines[0].get_xdata(), REPORT[name])
        bars = np.array(ax.collections[0].get_segments())[:, :, 0]
        npt.assert_array_equal(bars, REPORT[[f"{name}_low", f"{name}_high"]])


def test_other_reports() -> None:
    (ax,) = po.plot.forest(FRAME.ordinal.report("y", "a", metrics=["mae"], ci=0.9))
    assert len(ax.lines[0].get_xdata()) == 1
    by_fold = FRAME.ordinal.report("y", ["a", "b"], by="fold", metrics=["mae"], ci=0.9)
    (ax,) = po.plot.forest(by_fold)
    assert ticks(ax.yaxis) == ["1, a", "1, b", "2, a", "2, b"]
    assert ax.get_ylabel() == "fold, model"
    cube = FRAME.ordinal.confusion("y", ["a", "b"], by="fold")
    (ax,) = po.plot.forest(cube.ordinal.report(metrics=["mae"], ci=0.9))
    assert ticks(ax.yaxis) == ["1, a", "1, b", "2, a", "2, b"]
    npt.assert_allclose(ax.lines[0].get_xdata(), by_fold["mae"])
    pooled = cube.sum(["fold", "model"]).ordinal.report(metrics=["mae", "oci"], ci=0.9)
    assert len(po.plot.forest(pooled)) == 2


def test_labels_of_your_own() -> None:
    report = FRAME.ordinal.report("y", ["a", "b"], metrics={"MER": "error_rate"}, ci=0.95)
    kept = po.plot.forest(report)[0].get_xlabel()
    report.attrs = {}
    assert po.plot.forest(report)[0].get_xlabel() == "value and interval"
    (ax,) = po.plot.forest(report, metrics={"MER": "error_rate"})
    assert ax.get_xlabel() == kept == "value and interval,\nlower is better"
    with pytest.raises(ValueError, match="'MRE'"):
        po.plot.forest(report, metrics={"MRE": "error_rate"})


@pytest.mark.slow
def test_what_is_undefined_is_left_out() -> None:
    report = REPORT.copy()
    report.loc["b", ["mae_low", "mae_high", "kappa"]] = np.nan
    panels = po.plot.forest(report)
    panels[0].figure.canvas.draw()
    assert np.isnan(panels[1].lines[0].get_xdata()).tolist() == [False, True]


def test_a_metric_without_a_defined_interval_is_a_value() -> None:
    report = REPORT[["mae", "mae_low", "mae_high"]].copy()
    report.loc["a", ["mae_low", "mae_high"]] = np.nan
    assert po.plot.forest(report)[0].get_xlabel() == "value and interval,\nlower is better"
    report.loc["b", ["mae_low", "mae_high"]] = np.nan
    assert po.plot.forest(report)[0].get_xlabel() == "value,\nlower is better"


@pytest.mark.slow
def test_many_metrics_are_wrapped() -> None:
    report = FRAME.ordinal.report("y", ["a", "b"], ci=0.95)
    panels = po.plot.forest(report)
    assert len(panels) == 10 == len(panels[0].figure.axes)
    assert {ax.get_subplotspec().rowspan.start for ax in panels} == {0, 1}


def test_given_axes() -> None:
    _, axes = pyplot.subplots(1, 3)
    assert list(po.plot.forest(REPORT, ax=axes)) == list(axes)
    mae = REPORT[["mae", "mae_low", "mae_high"]]
    assert po.plot.forest(mae, ax=axes[0])[0] is axes[0]
    with pytest.raises(ValueError, match="1 axes for 3 metrics"):
        po.plot.forest(REPORT, ax=axes[0])
    assert len(pyplot.get_fignums()) == 1


def test_reports_without_intervals() -> None:
    with pytest.raises(ValueError, match=r"no intervals.*ci=0.95"):
        po.plot.forest(FRAME.ordinal.report("y", ["a", "b"]))
    with pytest.raises(ValueError, match="no rows"):
        po.plot.forest(REPORT.iloc[:0])
    with pytest.raises(TypeError, match="not a float"):
        po.plot.forest(0.5)  # type: ignore[arg-type]


def test_frames_that_are_not_reports() -> None:
    with pytest.raises(ValueError, match=r"^this is not a report: .*\.ordinal\.report"):
        po.plot.forest(FRAME)


def test_only_axes_are_drawn_on() -> None:
    for wrong in ("left", ["left", "middle", "right"], pyplot.figure()):
        with pytest.raises(TypeError, match="ax= takes axes of matplotlib, not a (str|Figure)"):
            po.plot.forest(REPORT, ax=wrong)  # type: ignore[arg-type]


def test_reports_of_another_shape() -> None:
    with pytest.raises(ValueError, match="two columns of the report are called 'n'"):
        po.plot.forest(pd.concat([REPORT, REPORT], axis=1))
    by_fold = FRAME.ordinal.report("y", ["a", "b"], by="fold", metrics=["mae"], ci=0.9)
    for unstacked in (by_fold.unstack(), REPORT.unstack()):
        with pytest.raises(ValueError, match=r"have levels, \[None, 'model'\].*not unstacked"):
            po.plot.forest(unstacked)


def test_a_comparison_is_drawn_as_differences() -> None:
    frame = pd.DataFrame(
        {
            "y": [0, 1, 2, 2] * 9,
            "a": [0, 1, 2, 1] * 9,
            "b": [0, 1, 1, 0] * 9,
            "c": [0, 1, 1, 1] * 9,
        }
    )
    compared = frame.ordinal.compare("y", ["a", "b", "c"], metrics=["mae", "kappa"])
    panels = po.plot.forest(compared)
    assert [axes.get_title() for axes in panels] == ["mae", "kappa"]
    assert [text.get_text() for text in panels[0].get_yticklabels()] == ["a, b", "a, c", "b, c"]
    for axes, metric in zip(panels, ["mae", "kappa"], strict=True):
        found = compared.loc[metric]
        points = next(line for line in axes.lines if line.get_marker() == "o")
        np.testing.assert_array_equal(points.get_xdata(), found["difference"])
        lines = axes.collections[0].get_segments()
        np.testing.assert_array_equal([line[:, 0] for line in lines], found[["low", "high"]])
        assert axes.get_xlabel() == "difference a - b"


def test_a_summary_has_no_intervals() -> None:
    summary = FRAME.ordinal.summary("y", ["a", "b"], over="fold", metrics=["mae"])
    with pytest.raises(ValueError, match=r"^the report has no intervals, .*ci=0\.95"):
        po.plot.forest(summary)


def test_rows_of_panels_are_equal_and_empty_ones_are_gone() -> None:
    names = ["accuracy", "mae", "mse", "kappa", "kendall_tau", "oci", "bias"]
    for n, places in ((5, [5]), (6, [3, 3]), (7, [4, 3])):
        report = FRAME.ordinal.report("y", ["a", "b"], metrics=names[:n], ci=0.95)
        panels = po.plot.forest(report)
        assert panels[0].figure.axes == list(panels)
        rows = [ax.get_subplotspec().rowspan.start for ax in panels]
        assert [rows.count(row) for row in range(len(places))] == places


def test_limits_lines_and_ticks() -> None:
    report = FRAME.ordinal.report("y", ["a", "b"], by="fold", metrics=["mae", "kappa"], ci=0.95)
    for ax in po.plot.forest(report):
        assert ax.get_ylim() == (3.5, -0.5)  # half a row above the first and below the last
        assert ax.get_yticks().tolist() == [0, 1, 2, 3] == ax.lines[0].get_ydata().tolist()
        name = ax.get_title()
        ends = report[[f"{name}_low", f"{name}_high"]].to_numpy()
        low, high = np.nanmin(ends), np.nanmax(ends)
        beyond = np.array([low - ax.get_xlim()[0], ax.get_xlim()[1] - high]) / (high - low)
        assert (beyond > 0.05).all() and (beyond < 0.12).all()
        inside = [tick for tick in ax.get_xticks() if ax.get_xlim()[0] <= tick <= ax.get_xlim()[1]]
        assert 2 <= len(inside) <= 5
        assert [side for side, spine in ax.spines.items() if spine.get_visible()] == ["bottom"]
        assert ax.xaxis.get_gridlines()[0].get_visible()
        assert not ax.yaxis.get_gridlines()[0].get_visible()
        assert ax.get_axisbelow() is True  # the grid is behind the points
        assert ax.yaxis.get_ticklines()[0].get_markersize() == 0
        assert ax.lines[0].get_markersize() > 3 * ax.collections[0].get_linewidth()[0]
        assert ax.collections[0].get_linewidth()[0] > ax.xaxis.get_gridlines()[0].get_linewidth()


def test_tables_by_class_have_a_line_per_class() -> None:
    table = FRAME.ordinal.class_report("y", ["a", "b"], ci=0.95)
    panels = po.plot.forest(table)
    assert [ax.get_title() for ax in panels] == [
        "recall", "specificity", "precision", "npv", "mae", "off_by_one"
    ]  # fmt: skip
    assert ticks(panels[0].yaxis) == ["a, 0", "a, 1", "a, 2", "b, 0", "b, 1", "b, 2"]
    assert panels[0].get_xlabel().endswith("higher is better")
    assert panels[4].get_xlabel().endswith("lower is better")
    npt.assert_array_equal(panels[1].lines[0].get_xdata(), table["specificity"])
    cuts = FRAME.ordinal.confusion("y", "a").ordinal.cut_report(ci=0.9)
    panels = po.plot.forest(cuts)
    assert [ax.get_title() for ax in panels] == ["sensitivity", "specificity", "ppv", "npv"]
    assert ticks(panels[0].yaxis) == ["0", "1"]
