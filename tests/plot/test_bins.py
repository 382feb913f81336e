"""Cells as wide as their bins."""

from __future__ import annotations

import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
from matplotlib import rcParams
from pictured import cube, drawn, models, shares, ticks

import pandas_ordinal as po

INF = np.inf
COUNTS = [[4, 1, 0], [1, 5, 2], [0, 2, 3]]


def corners(ax: object) -> np.ndarray:
    """Where the cells of a panel begin and end."""
    return ax.collections[0].get_coordinates()[0, :, 0]  # type: ignore[attr-defined]


def test_cells_are_as_wide_as_their_bins() -> None:
    bins = pd.IntervalIndex.from_breaks([0, 10, 20, 50])
    ax = cube(COUNTS, bins).ordinal.plot.intervals()
    widths = np.diff(corners(ax))
    npt.assert_allclose(widths / widths[0], [1, 1, 3])
    assert ticks(ax.xaxis) == ticks(ax.yaxis) == ["0", "10", "20", "50"]
    npt.assert_allclose(ax.get_xticks(), corners(ax))
    npt.assert_allclose(shares(ax)[0], [0.8, 0.2, 0])
    assert ax.get_aspect() == 1 and ax.get_ylim()[0] > ax.get_ylim()[1]
    assert {spine.get_linestyle() for spine in ax.spines.values()} == {"solid"}


@pytest.mark.parametrize(
    ("edges", "widths"),
    [
        ([0, 10, 40, INF], [1, 3, 3]),
        ([-INF, 0, 10, 40], [1, 1, 3]),
        pytest.param([-INF, 0, 10, INF], [1, 1, 1], marks=pytest.mark.slow),
    ],
)
def test_an_open_bin_is_as_wide_as_its_neighbour(edges: list[float], widths: list[int]) -> None:
    ax = cube(COUNTS, pd.IntervalIndex.from_breaks(edges)).ordinal.plot.intervals()
    as_drawn = np.diff(corners(ax))
    npt.assert_allclose(as_drawn / as_drawn[0], widths)
    low, high = corners(ax)[[0, -1]]
    assert ax.get_xlim() == (low, high) and ax.get_ylim() == (high, low)
    finite = [edge for edge in edges if np.isfinite(edge)]
    npt.assert_allclose([edge for edge in corners(ax) if edge in finite], finite)
    ends = {"left": edges[0], "top": edges[0], "right": edges[-1], "bottom": edges[-1]}
    for side, edge in ends.items():
        spine = ax.spines[side]
        assert (spine.get_linestyle() != "solid") == np.isinf(edge)
        assert (spine.get_linewidth() > rcParams["axes.linewidth"]) == np.isinf(edge)
    assert (ticks(ax.xaxis)[0] == "−∞") == np.isinf(edges[0])
    assert (ticks(ax.xaxis)[-1] == "∞") == np.isinf(edges[-1])
    ax.figure.canvas.draw()


@pytest.mark.slow
@pytest.mark.parametrize("edges", [[-INF, INF], [-INF, 5, INF]])
def test_bins_without_a_length(edges: list[float]) -> None:
    n = len(edges) - 1
    counted = cube(np.eye(n, dtype=int), pd.IntervalIndex.from_breaks(edges))
    ax = counted.ordinal.plot.intervals()
    npt.assert_allclose(np.diff(corners(ax)), 1)


@pytest.mark.parametrize(
    ("edges", "labels"),
    [
        ([0, 1, 2, 1000], ["0", "1000"]),
        ([0, 500, 999, 1000], ["0", "500", "1000"]),
    ],
)
def test_near_edges_have_one_label(edges: list[int], labels: list[str]) -> None:
    counted = cube(COUNTS, pd.IntervalIndex.from_breaks(edges))
    assert ticks(counted.ordinal.plot.intervals().xaxis) == labels


@pytest.mark.slow
def test_narrow_cells_have_no_text() -> None:
    ax = cube(COUNTS, pd.IntervalIndex.from_breaks([0, 1, 50, 100])).ordinal.plot.intervals()
    assert len(drawn(ax)) == 4


@pytest.mark.slow
def test_days() -> None:
    days = pd.IntervalIndex.from_breaks(pd.to_datetime(["2026-01-01", "2026-01-02", "2026-01-04"]))
    ax = cube(np.eye(2, dtype=int), days).ordinal.plot.intervals()
    first, second = np.diff(corners(ax))
    assert second == pytest.approx(2 * first)


@pytest.mark.slow
def test_given_edges() -> None:
    ax = cube(COUNTS, list("abc")).ordinal.plot.intervals(bins=[0, 1, 3, INF])
    assert ticks(ax.xaxis) == ["0", "1", "3", "∞"]
    with pytest.raises(po.ClassOrderError, match="have no edges.*bins="):
        cube(COUNTS, list("abc")).ordinal.plot.intervals()


@pytest.mark.slow
def test_facets_of_bins() -> None:
    bins = pd.IntervalIndex.from_breaks([0, 10, 20, INF])
    counted = models(bins, x=COUNTS, y=COUNTS)
    panels = counted.ordinal.plot.intervals(col="model", path=True)
    assert panels.shape == (2,)
    for ax in panels:
        assert ticks(ax.xaxis) == ["0", "10", "20", "∞"]
        assert ax.spines["right"].get_linestyle() != "solid"
        assert len(ax.collections) == 2
