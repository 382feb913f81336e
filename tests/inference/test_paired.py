"""Equal models are rarely told apart, intervals hold the truth; `paired.py` has the long run."""

from __future__ import annotations

import pytest
from inference.paired import covered, rejected, told_apart


@pytest.mark.parametrize("n_rows", [20, 60, 200])
@pytest.mark.parametrize("differ", [0.03, 0.15, 0.6])
def test_equal_models_are_rarely_told_apart(n_rows: int, differ: float) -> None:
    assert rejected(n_rows, 1000, differ=differ).max() <= 0.07


@pytest.mark.parametrize("correlation", [0, 0.5, 0.9])
def test_correlation_of_the_models_does_not_matter(correlation: float) -> None:
    assert rejected(100, 1000, differ=0, correlation=correlation).max() <= 0.07


@pytest.mark.parametrize("differ", [0.03, 0.15, 0.6])
def test_intervals_hold_the_difference(differ: float) -> None:
    shares = covered(60, 500, differ=differ)
    assert shares.mean() >= 0.93
    assert shares.min() >= 0.86


def test_five_equal_models_are_rarely_told_apart() -> None:
    assert told_apart(100, 400).better.max() <= 0.07
