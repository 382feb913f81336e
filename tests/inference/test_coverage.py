"""Intervals hold the truth about as often as they say; `coverage.py` has the long run."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from inference import (
    coverage_of_raters,
    coverage_of_rows,
    coverage_of_sets,
    coverage_within,
    designs,
    rare,
)
from inference.coverage import table
from scipy import stats

import pandas_ordinal as po  # registers .ordinal


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


@pytest.mark.slow
def test_intervals_of_prediction_sets_hold_the_truth() -> None:
    found = coverage_of_sets.table(100, (3, 5), (100,))
    assert found.mean().min() >= 0.92
    assert found.min().min() >= 0.84


@pytest.mark.slow
def test_intervals_of_the_agreement_of_raters_hold_the_truth() -> None:
    found = coverage_of_raters.table(200, (3,), (3,), (20, 60))
    assert found.mean().min() >= 0.93
    assert found.min().min() >= 0.86  # 0.90 less two standard errors
    assert coverage_of_raters.by_cluster(20, 100, "cluster").min() >= 0.87


@pytest.mark.slow
def test_intervals_of_the_accuracy_within_hold_the_truth() -> None:
    found = coverage_within.table(200, (3, 7), (30, 100))
    assert found.held.mean() >= 0.95
    assert found.held.min() >= 0.84
    assert found.width.max() <= 0.4  # of 30 rows
    assert coverage_within.designs(200).min().min() >= 0.87


@pytest.mark.slow
def test_comparisons_of_the_accuracy_within_hold_the_truth() -> None:
    found = coverage_within.comparisons(400, (5,), (30, 100))
    assert found.held.mean() >= 0.94
    is_equal = [a == b for a, b in found.index.get_level_values("far")]
    assert found[is_equal]["told apart"].max() <= 0.08  # 0.05 and three standard errors


@pytest.mark.slow
def test_intervals_of_means_over_classes_hold_the_truth_if_one_is_rare() -> None:
    found = rare.table(300, (3, 5), (100,), (2, 5, 8))
    assert found.defined.eq(1).all()
    assert found.held.mean() >= 0.96
    assert found.held.min() >= 0.87  # 0.92 less three standard errors
    assert found.xs(8, level="rare").width.mean() <= 0.5


@pytest.mark.slow
def test_equal_models_are_seldom_told_apart_by_a_rare_class() -> None:
    found = rare.told_apart(300, (3,), (60,), (2, 3, 8))
    assert found.xs(0.05, level="level").max().max() <= 0.10  # 0.06 and three standard errors
    assert found.xs(0.001, level="level").mean().max() <= 0.002


def shares_within(n_rows: int, n_classes: int, k: int) -> xr.Dataset:
    """Intervals of tables in which 0, 1, ... and all rows are at most k classes off."""
    right = np.arange(n_rows + 1)
    counts = np.zeros((n_rows + 1, n_classes, n_classes), int)
    counts[:, 0, k] = right // 2
    counts[:, -1, -1] = right - right // 2
    counts[:, 0, k + 1] = n_rows - right
    classes = pd.CategoricalIndex(range(n_classes), ordered=True)
    axes = {"true": classes, "pred": classes}
    cube = xr.DataArray(counts, axes, ("right", "true", "pred"))
    report = po.ordinal(cube).report(metrics=coverage_within.measures((k,)), ci=0.95)
    return report.rename({name: name.removeprefix(f"within {k}_") for name in report.data_vars})


@pytest.mark.parametrize("n_rows", [30, 100, 400])
def test_an_interval_of_the_accuracy_within_is_that_of_a_share_of_rows(n_rows: int) -> None:
    accuracy = shares_within(n_rows, 2, 0)
    low, high = accuracy.low.values, accuracy.high.values
    for n_classes, k in ((3, 1), (7, 1), (7, 5)):
        found = shares_within(n_rows, n_classes, k)
        np.testing.assert_allclose(found.low, low, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(found.high, high, rtol=1e-9, atol=1e-12)
    assert (np.diff(low) > 0).all() and (np.diff(high)[:-1] > 0).all()
    right = np.arange(n_rows + 1)
    chances = np.linspace(0.5, 0.9999, 500)[:, None]
    held = (low <= chances) & (chances <= high)
    coverage = (stats.binom.pmf(right, n_rows, chances) * held).sum(axis=1)
    assert coverage.mean() >= 0.95 and coverage.min() >= 0.87
