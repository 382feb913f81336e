"""A thousand cases in each run of the tests; `make fuzz` runs more."""

from __future__ import annotations

import random

import pandas as pd
import pytest

from fuzz import literal
from fuzz.answers import Refused
from fuzz.check import SURFACES, run
from fuzz.frames import make_case

CASES = 1000
PIECES = 10  # so that several processes share them


@pytest.mark.slow
@pytest.mark.parametrize("piece", range(PIECES))
def test_random_cases_agree_with_literal_answers(piece: int) -> None:
    figures = run(0, range(piece, CASES, PIECES))
    assert not figures.faults, "\n".join(figures.faults)
    assert figures.cases == CASES // PIECES
    assert sum(figures.refusals.values()) < 0.6 * figures.calls


def test_a_case_is_determined_by_its_numbers() -> None:
    one, again = make_case(3, 14), make_case(3, 14)
    pd.testing.assert_frame_equal(one.frame, again.frame)
    assert one.keys == again.keys


def test_a_wrong_number_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(literal.METRICS, "mae", lambda rows, n_classes: 7.0)
    assert any(" report: Wrong" in fault for fault in run(0, range(30)).faults)


@pytest.mark.parametrize("surface", SURFACES)
def test_a_wrong_number_is_noticed_on_each_surface(
    surface: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if surface == "partitions":
        pytest.importorskip("polars")
    monkeypatch.setattr(literal, "confusion", lambda rows, n_classes: [[7.0]])
    for name in literal.METRICS:
        monkeypatch.setitem(literal.METRICS, name, lambda rows, n_classes: 7.0)
    call, _ = SURFACES[surface]
    noticed = 0
    for number in range(20):
        try:
            call(random.Random(number))
        except Refused:
            continue
        except AssertionError:
            noticed += 1
    assert noticed > 5
