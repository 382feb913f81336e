"""Labels, and colours of text that can be read."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib import colormaps
from matplotlib.colors import to_rgb

from pandas_ordinal.plot.canvas import (
    COLOURS,
    escaped,
    ink,
    labelled_positions,
    shortened,
    style_of,
    tick_labels,
    wrapped,
)

INF = np.inf


def test_bins_are_labelled_by_their_edges() -> None:
    bins = pd.IntervalIndex.from_breaks([-INF, 10, 20, INF])
    assert tick_labels(bins) == ["<=10", "10-20", ">20"]
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


@pytest.mark.parametrize("n", [1, 20, 21, 70, 1000])
def test_some_of_many_classes_are_labelled(n: int) -> None:
    places = list(labelled_positions(n))
    assert places[0] == 0 and len(places) <= 20
    assert len(set(np.diff(places))) <= 1
    assert n > 20 or places == list(range(n))


def luminance(colour: object) -> float:
    """Relative luminance as WCAG 2 defines it."""
    total = 0.0
    for weight, part in zip((0.2126, 0.7152, 0.0722), to_rgb(colour), strict=True):
        total += weight * (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
    return total


@pytest.mark.parametrize("name", ["Blues", "RdBu_r", "viridis", "gray"])
def test_text_can_be_read_on_any_colour(name: str) -> None:
    for colour in colormaps[name](np.linspace(0, 1, 101)):
        low, high = sorted([luminance(colour[:3]), luminance(ink(colour))])
        assert (high + 0.05) / (low + 0.05) >= 4.5  # what WCAG asks of text


def test_models_differ_in_colour_and_marker() -> None:
    styles = [tuple(style_of(place).values()) for place in range(49)]
    assert len(set(styles)) == 49
    assert len({colour for colour, _ in styles[:7]}) == len({mark for _, mark in styles[:7]}) == 7
    assert len(set(COLOURS)) == 7
    (first, _), (_, second), (again, shifted) = styles[0], styles[1], styles[7]
    assert (again, shifted) == (first, second)


def test_long_texts_are_wrapped_or_shortened() -> None:
    name = "$" * 29 + "a long name"
    assert wrapped(name).split() == escaped(name).split()
    assert all(len(line.replace("\\$", "$")) <= 30 for line in wrapped(name).split("\n"))
    assert shortened("a" * 30) == "a" * 30 and "…" in shortened("a" * 31)
    assert wrapped("a" * 25 + " bbbb") == "a" * 25 + " bbbb"
    assert wrapped("a" * 25 + " bbbbb") == "a" * 25 + "\nbbbbb"
    assert shortened("$" + "a" * 30 + "b") == r"\$" + "a" * 14 + "…" + "a" * 14 + "b"
    alike = pd.Index([f"very {word}satisfied with the service" for word in ("dis", "", "un")])
    assert tick_labels(alike, 8) == ["very d…ervice", "very s…ervice", "very u…ervice"]
    assert tick_labels(pd.Index(["dissatisfied", "satisfied"]), 8) == ["diss…fied", "sati…fied"]
    assert tick_labels(pd.Index(["onexend", "oneyend"]), 4) == ["onexend", "oneyend"]
    # five characters keep them apart: a sixth would lengthen the last one
    assert tick_labels(pd.Index(["abxcd", "abycd", "abcdefghij"]), 4) == [
        "abxcd",
        "abycd",
        "ab…ij",
    ]
    assert escaped(("m", 1)) == shortened(("m", 1)) == wrapped(("m", 1)) == "m, 1"
