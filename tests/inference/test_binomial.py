"""Shares against SciPy and statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest
from statsmodels.stats.proportion import proportion_confint

from pandas_ordinal.inference.class_bounds import clopper_pearson
from pandas_ordinal.inference.permutation import sign_test


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_bounds_are_those_of_statsmodels(level: float) -> None:
    trials = np.repeat(np.arange(1, 41), 41)
    successes = np.minimum(np.tile(np.arange(41), 40), trials)
    low, high = clopper_pearson(successes, trials, level)
    due = np.transpose(
        [
            proportion_confint(s, n, alpha=1 - level, method="beta")
            for s, n in zip(successes, trials, strict=True)
        ]
    )
    np.testing.assert_allclose([low, high], due, rtol=1e-10)


@pytest.mark.parametrize(
    ("successes", "trials", "due"),
    [(81, 263, (0.2527, 0.3676)), (0, 20, (0, 0.1684)), (1, 29, (0.0009, 0.1776))],
)
def test_published_bounds(successes: int, trials: int, due: tuple[float, float]) -> None:
    ends = clopper_pearson(np.float64(successes), np.float64(trials), 0.95)
    np.testing.assert_allclose(ends, due, atol=5e-5)


def test_without_trials_there_are_no_bounds() -> None:
    assert np.isnan(clopper_pearson(np.zeros(1), np.zeros(1), 0.95)).all()


def test_bounds_contain_the_share_with_a_level_for_each() -> None:
    low, high = clopper_pearson(np.full(3, 4.0), np.full(3, 10.0), np.array([0.5, 0.9, 0.99]))
    assert (np.diff(low) < 0).all() and (np.diff(high) > 0).all()
    assert ((low < 0.4) & (high > 0.4)).all()


def test_a_fair_coin_is_tested_as_by_scipy() -> None:
    first, second = (one.ravel() for one in np.mgrid[:30, :30])
    due = [
        binomtest(a, a + b).pvalue if a + b else 1.0 for a, b in zip(first, second, strict=True)
    ]
    np.testing.assert_allclose(sign_test(first, second), due, rtol=1e-10)
