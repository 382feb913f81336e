"""Texts fit their cells, whatever happens to the figure before it is drawn."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot
from pictured import cube, drawn, models

THREE = models(**{name: np.arange(16).reshape(4, 4) * 70 for name in "xyz"})


def panels_of(size: tuple[float, float]) -> Any:
    """Three matrices on axes of a figure of this size."""
    _, panels = pyplot.subplots(1, 3, figsize=size, layout="constrained")
    for ax, model in zip(panels, "xyz", strict=True):
        THREE.sel(model=model).ordinal.plot(ax=ax)
    return panels


def n_inside(ax: Any) -> int:
    """The number of texts that are drawn, each inside its cell."""
    texts = drawn(ax)
    for text in texts:
        box = text.get_window_extent()
        ends = ax.transData.inverted().transform([(box.x0, box.y0), (box.x1, box.y1)])
        assert np.all(np.abs(ends - text.get_position()) <= 0.5)
    return len(texts)


def test_texts_on_given_axes() -> None:
    panels = panels_of((7, 3))
    assert [n_inside(ax) for ax in panels] == [16, 16, 16]
    assert len({text.get_size() for ax in panels for text in ax.texts}) == 1


@pytest.mark.parametrize("dpi", [100, pytest.param(300, marks=pytest.mark.slow)])
def test_texts_follow_the_size_of_the_figure(dpi: int) -> None:
    ax = THREE.sel(model="x").ordinal.plot()
    ax.figure.set_dpi(dpi)
    sizes = []
    for inches in (4, 1.8, 2.6, 4):
        ax.figure.set_size_inches(inches, inches)
        sizes.append((n_inside(ax), ax.texts[5].get_size()))
    large, none, small, again = sizes
    assert large == again == (16, 8.0) and none[0] == 0
    assert small[0] == 16 and 5.5 <= small[1] < 8


@pytest.mark.slow
def test_facets_of_the_size_of_print() -> None:
    panels = THREE.ordinal.plot(col="model")
    panels[0].figure.set_size_inches(7, 3)
    for ax in panels:
        assert n_inside(ax) == 16
    panels[0].figure.set_size_inches(3.4, 3)
    assert [len(drawn(ax)) for ax in panels] == [0, 0, 0]


@pytest.mark.slow
def test_a_size_that_is_set_by_hand_stays() -> None:
    ax = cube(np.eye(2, dtype=int), list("ab")).ordinal.plot()
    for text in ax.texts:
        text.set_size(12)
    ax.figure.set_size_inches(1.5, 1.5)
    assert len(drawn(ax)) == 4
    assert {text.get_size() for text in ax.texts} == {12}


def test_a_pickled_figure_is_fitted_too() -> None:
    ax = THREE.sel(model="x").ordinal.plot()
    again = pickle.loads(pickle.dumps(ax.figure)).axes[0]
    assert len(drawn(again)) == 16
    again.figure.set_size_inches(1.8, 1.8)
    assert not drawn(again)
