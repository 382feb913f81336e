"""Equal models are rarely told apart, intervals hold the truth; `paired.py` has the long run."""

from __future__ import annotations

import pytest
from inference.paired import CELLS, covered, design, pairs_of, rejected, told_apart


@pytest.mark.slow
@pytest.mark.parametrize("n_rows", [20, 60, 200])
@pytest.mark.parametrize("differ", [0.03, 0.15, 0.6])
def test_equal_models_are_rarely_told_apart(n_rows: int, differ: float) -> None:
    assert rejected(n_rows, 1000, **design(differ)).max() <= 0.07


@pytest.mark.slow
@pytest.mark.parametrize(("differ", "correlation"), CELLS)
@pytest.mark.parametrize("n_rows", [20, 60, 200])
def test_correlated_models_are_rarely_told_apart(
    n_rows: int, differ: float, correlation: float
) -> None:
    assert rejected(n_rows, 4000, **design(differ, correlation)).max() <= 0.07


@pytest.mark.parametrize(("differ", "correlation"), [*CELLS, (0.03, None), (0.6, None)])
def test_designs_are_what_they_are_called(differ: float, correlation: float | None) -> None:
    rows = pairs_of(10**5, 1, gain=0, seed=5, **design(differ, correlation))
    assert (rows.a != rows.b).mean() == pytest.approx(differ, rel=0.06)
    if correlation is not None:
        errors = rows[rows.y == 1][["a", "b"]] != 1
        assert errors.corr().loc["a", "b"] == pytest.approx(correlation, abs=0.03)


@pytest.mark.slow
@pytest.mark.parametrize("differ", [0.03, 0.15, 0.6])
def test_intervals_hold_the_difference(differ: float) -> None:
    shares = covered(60, 500, **design(differ))
    assert shares.mean() >= 0.93
    assert shares.min() >= 0.86


def test_five_equal_models_are_rarely_told_apart() -> None:
    assert told_apart(100, 400).better.max() <= 0.07
