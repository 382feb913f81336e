"""Intervals hold the truth about as often as they say; `coverage.py` has the long run."""

from __future__ import annotations

import pytest
from inference import coverage_of_rows
from inference.coverage import table


@pytest.mark.parametrize("n_classes", [2, 5])
def test_intervals_hold_the_truth(n_classes: int) -> None:
    found = table(200, (n_classes,), (30, 100))
    assert found.mean().min() >= 0.92
    assert found.min().min() >= 0.84


def test_intervals_of_scores_and_probabilities_hold_the_truth() -> None:
    found = coverage_of_rows.table(100, (3,), (30, 100))
    assert found.mean().min() >= 0.92
    assert found.min().min() >= 0.84
