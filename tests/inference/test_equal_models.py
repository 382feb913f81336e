"""Two equal models are rarely told apart by any metric; `equal_models.py` has the long run."""

from __future__ import annotations

import pytest
from inference.equal_models import Cell, type_1_errors

HARDEST = [
    Cell(7, 60, -1, "far", 1),  # the slope of a root near 0
    Cell(5, 60, 3, "modal", 1),  # extremes that come from classes with unlike variances
    Cell(2, 200, 5, "chance", 0.1),
    Cell(3, 60, 3, "fair", 1),
]


@pytest.mark.slow
@pytest.mark.parametrize("cell", HARDEST, ids=str)
def test_equal_models_are_rarely_told_apart(cell: Cell) -> None:
    found = type_1_errors(cell, 4000)
    assert found["p <= .05"].max() <= 0.075
    assert found["p <= .001"].max() <= 0.004
