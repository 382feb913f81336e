"""Mean ranks, and bars that link models that do not differ."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot

import pandas_ordinal as po

KINDS: list[Any] = ["nemenyi", "holm"]


def friedman(seed: int, k: int, posthoc: Any, n: int = 14) -> po.Friedman:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n, k)) + rng.permutation(k) * 0.4
    table = pd.DataFrame(values, columns=[f"m{model}" for model in range(k)])
    return po.friedman(table, greater_is_better=False, posthoc=posthoc)


def groups(test: po.Friedman) -> set[frozenset[str]]:
    """The largest sets of models in which no two differ, among all sets."""
    apart = {frozenset(pair) for pair in test.pairs.index[test.pairs["better"] != "neither"]}
    models = list(test.ranks.index)
    sets = [
        frozenset(some)
        for size in range(2, len(models) + 1)
        for some in itertools.combinations(models, size)
        if not any(frozenset(pair) in apart for pair in itertools.combinations(some, 2))
    ]
    return {group for group in sets if not any(group < other for other in sets)}


@pytest.mark.parametrize("posthoc", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_bars_link_models_that_do_not_differ(posthoc: Any, seed: int) -> None:
    test = friedman(seed, 6, posthoc)
    _, ax = pyplot.subplots()
    assert po.plot.critical_difference(test, ax=ax) is ax
    drawn = set()
    for line in ax.lines:
        if line.get_linewidth() > 3:
            low, high = line.get_xdata()
            inside = test.ranks[(test.ranks > low) & (test.ranks < high)]
            assert low == pytest.approx(inside.min(), abs=0.06)
            drawn.add(frozenset(inside.index))
    assert drawn == groups(test)


def test_the_critical_difference_is_to_scale() -> None:
    test = friedman(0, 4, "nemenyi")
    assert test.critical_difference == pytest.approx(1.253559, abs=1e-6)
    ax = po.plot.critical_difference(test)
    ((low, _), (high, _)) = ax.collections[0].get_segments()[0]
    assert high - low == pytest.approx(1.253559, abs=1e-6)
    assert "critical difference 1.25" in [text.get_text() for text in ax.texts]
    assert ax.get_xlim() == (1, 4)  # the best rank on the left
    assert not po.plot.critical_difference(friedman(0, 4, "holm")).collections


@pytest.mark.parametrize("k", [3, pytest.param(7, marks=pytest.mark.slow)])
def test_each_model_is_named_at_its_rank(k: int) -> None:
    test = friedman(1, k, "nemenyi")
    ax = po.plot.critical_difference(test)
    names = [text.get_text() for text in ax.texts]
    for model, rank in test.ranks.items():
        assert f"{model}  {rank:.2f}" in names or f"{rank:.2f}  {model}" in names
    stems = sorted(line.get_xdata()[0] for line in ax.lines if len(line.get_xdata()) == 3)
    assert stems == pytest.approx(sorted(test.ranks))
    ax.figure.canvas.draw()
    for text in ax.texts[2:]:  # no line goes through a name or a rank
        box = text.get_window_extent()
        for line in ax.lines:
            assert not line.get_path().transformed(ax.transData).intersects_bbox(box, filled=False)


def test_the_better_half_is_on_the_left_and_nothing_overlaps() -> None:
    test = friedman(1, 7, "nemenyi")
    ax = po.plot.critical_difference(test)
    assert ax.get_xlim() == (1, 7) and ax.get_xticks().tolist() == list(range(1, 8))
    assert not len(ax.get_yticks()) and ax.get_ylim()[0] > ax.get_ylim()[1]
    assert [side for side, spine in ax.spines.items() if spine.get_visible()] == ["top"]
    assert ax.spines["top"].get_position() == ("data", 0)
    ranks = test.ranks.sort_values()
    names, left = {text.get_text(): text for text in ax.texts}, []
    stems = {line.get_xdata()[0]: line for line in ax.lines if len(line.get_xdata()) == 3}
    for place, (model, rank) in enumerate(ranks.items()):
        is_left = place < 4
        text = names[f"{model}  {rank:.2f}" if is_left else f"{rank:.2f}  {model}"]
        stem = stems[rank]
        assert text.get_ha() == ("right" if is_left else "left")
        assert text.xy == tuple(stem.get_xydata()[-1]) == (1 if is_left else 7, text.xy[1])
        assert stem.get_ydata()[0] == 0 < stem.get_ydata()[1] == stem.get_ydata()[2]
        left.append(text.xy[1])
    assert left[:4] == sorted(set(left[:4])) and left[4:] == sorted(set(left[4:]))[::-1]
    assert np.diff(left[:4]) == pytest.approx(1) and left[:3] == pytest.approx(left[:3:-1])
    bars = [line for line in ax.lines if line.get_linewidth() > 3]
    heights = [line.get_ydata()[0] for line in bars]
    assert len(bars) > 1 and [line.get_ydata()[1] for line in bars] == heights
    assert (np.diff(heights) > 0.4).all() and heights[0] > 0.4 and heights[-1] < left[0]
    assert left[3] < ax.get_ylim()[0] and ax.get_ylim()[1] < -1.3  # where the difference is


def test_only_results_of_friedman_are_drawn() -> None:
    with pytest.raises(TypeError, match=r"not a DataFrame: give po.friedman"):
        po.plot.critical_difference(pd.DataFrame())  # type: ignore[arg-type]
    _, axes = pyplot.subplots(1, 2)
    with pytest.raises(TypeError, match="ax= takes axes of matplotlib, not an ndarray"):
        po.plot.critical_difference(friedman(0, 3, "nemenyi"), ax=axes)


@pytest.mark.slow
def test_long_names_leave_room() -> None:
    names = [str(model) * 30 + "-" * 30 for model in range(3)]
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(9, 3)), columns=names)
    ax = po.plot.critical_difference(po.friedman(table, greater_is_better=False))
    ax.figure.canvas.draw()
    assert ax.get_window_extent().width > 100
    texts = " ".join(text.get_text() for text in ax.texts)
    assert all(f"{name[:15]}…{name[-15:]}" in texts for name in names)
