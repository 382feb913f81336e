"""Bars that show how much is done: of what, and of how many."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_ordinal.inference.report import with_progress

RNG = np.random.default_rng(2)
FRAME = pd.DataFrame(RNG.integers(0, 2, (30, 3)), columns=["y", "a", "b"])
FRAME = FRAME.assign(g=np.arange(30) % 3, p0=RNG.random(30)).assign(p1=lambda df: 1 - df["p0"])

CASES: dict[str, Callable[..., Any]] = {
    "table": lambda **asked: FRAME.ordinal.report(
        "y", "a", by="g", metrics=["mae"], ci=0.9, method="bootstrap", n_boot=9, **asked
    ),
    "group": lambda **asked: FRAME.ordinal.compare(
        "y", ["a", "b"], by="g", metrics=["kappa"], method="permutation", n_permutations=9, **asked
    ),
    "curve": lambda **asked: FRAME.ordinal.reliability_curve(
        "y", {0: "p0", 1: "p1"}, by="g", ci=0.9, n_draws=2, **asked
    ),
}


@pytest.mark.parametrize("unit", CASES)
def test_three_groups(unit: str, capsys: pytest.CaptureFixture[str]) -> None:
    plain = CASES[unit]()
    assert capsys.readouterr().err == ""
    pd.testing.assert_frame_equal(CASES[unit](progress=True), plain)
    shown = capsys.readouterr().err
    assert "3/3 [" in shown and unit in shown


def test_what_has_no_length(capsys: pytest.CaptureFixture[str]) -> None:
    def items() -> Iterator[str]:
        yield from "ab"

    assert [*with_progress(items(), "letter", 2)] == ["a", "b"]
    shown = capsys.readouterr().err
    assert "2/2 [" in shown and "letter" in shown
