"""Intervals hold the truth about as often as they say; `coverage.py` has the long run."""

from __future__ import annotations

import pytest
from inference import coverage_of_rows, designs
from inference.coverage import table


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [2, 5])
def test_intervals_hold_the_truth(n_classes: int) -> None:
    found = table(200, (n_classes,), (30, 100))
    assert found.mean().min() >= 0.92
    assert found.min().min() >= 0.84


@pytest.mark.slow
def test_intervals_of_clusters_weights_and_strata_hold_the_truth() -> None:
    found = designs.table(200, (3,)).loc[3]
    giants = found.index == "14 clusters of 2, two of 60"  # which the docs warn of
    assert found[~giants].mean(axis=1).min() >= 0.90
    assert found[~giants].min().min() >= 0.87  # 0.95 less five standard errors
    undefined = found.isna().sum()
    assert undefined["r_int"] == 2  # of fractions of rows
    assert undefined.drop("r_int").eq(0).all()


@pytest.mark.slow
def test_two_large_clusters_cost_coverage_by_what_they_hold() -> None:
    found = designs.giants(200)
    assert found["mean"].is_monotonic_increasing  # from 81 to 46 % of the rows
    assert found["mean"].iloc[-1] >= 0.84
    assert (found["mean"] > found["sandwich"]).all()


@pytest.mark.slow
def test_intervals_of_scores_and_probabilities_hold_the_truth() -> None:
    found = coverage_of_rows.table(100, (3,), (30, 100))
    assert found.mean().min() >= 0.92
    assert found.min().min() >= 0.84
