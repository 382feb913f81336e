"""Statements about several models rarely err; `statements.py` has the long run."""

from __future__ import annotations

import pytest
from inference.statements import CELLS, told_apart, wrong_within_margin


def test_five_equal_models_are_rarely_told_apart_by_simultaneous_intervals() -> None:
    assert told_apart("even", 0.5, 0.5, 100, 300).max() <= 0.08


@pytest.mark.slow
@pytest.mark.parametrize("cell", CELLS[::3], ids=str)
def test_equal_models_are_rarely_told_apart(cell: tuple[str, float, float, int]) -> None:
    assert told_apart(*cell, 3000).max() <= 0.07


@pytest.mark.slow
@pytest.mark.parametrize("n_rows", [50, 200, 1000])
@pytest.mark.parametrize("own", [0.1, 1.0])
def test_a_difference_as_large_as_the_margin_is_rarely_missed(n_rows: int, own: float) -> None:
    assert wrong_within_margin(n_rows, 2000, own).max() <= (0.09 if n_rows == 50 else 0.07)
