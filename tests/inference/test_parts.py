"""Tests of calibration rarely err, and parts of the RPS have intervals that hold the truth.

`calibration_tests.py` and `coverage_of_parts.py` have the long runs.
"""

from __future__ import annotations

import pytest
from inference.calibration_tests import by_cluster, rejected, samples
from inference.coverage_of_parts import coverage


def test_right_forecasts_are_rarely_rejected() -> None:
    assert rejected(samples(100, 3, 200, 1.0), 3).between(0.01, 0.1).all()


def test_overconfident_forecasts_are_found() -> None:
    found = rejected(samples(400, 3, 100, 1.3), 3)
    assert found["p_value"] >= 0.6 and found["p_score"] >= 0.6


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [3, 5, 7])
@pytest.mark.parametrize("n_rows", [100, 400])
def test_sizes_are_near_their_level(n_classes: int, n_rows: int) -> None:
    assert rejected(samples(n_rows, n_classes, 400, 1.0), n_classes).between(0.01, 0.085).all()


@pytest.mark.slow
def test_sizes_in_clusters_are_near_their_level() -> None:
    found = by_cluster(300, (3,), (1500,))
    assert found.xs("cluster", level="rows").stack().between(0.01, 0.09).all()
    assert (found.xs("independent", level="rows")["p_value"] > 0.15).all()


@pytest.mark.slow
@pytest.mark.parametrize(("n_rows", "n_classes"), [(100, 3), (400, 5)])
def test_intervals_of_parts_hold_the_truth(n_rows: int, n_classes: int) -> None:
    found = coverage(n_rows, n_classes, 300)
    assert found.between(0.87, 1).all()
    assert found.mean() >= 0.93
