"""Adjusted p-values against published critical values, SciPy, statsmodels and simulation."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from pandas_ordinal.inference.adjust import holm, max_t

MANY = 1e9


def pairs_of(n_models: int, reference: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """The positions of the models of all pairs, or of the first model and each other."""
    pairs = itertools.combinations(range(n_models), 2)
    first, second = np.array([pair for pair in pairs if not reference or pair[0] == 0]).T
    return first, second


def covariance_of(n_models: int, seed: int) -> np.ndarray:
    """Some covariance matrix."""
    draws = np.random.default_rng(seed).normal(size=(n_models, n_models + 2))
    return np.asarray(draws @ draws.T)


def correlation_of(covariance: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The correlations of differences between models, one by one."""

    def of(a: int, b: int, c: int, d: int) -> float:
        v = covariance
        return float(v[a, c] - v[a, d] - v[b, c] + v[b, d])

    pairs = list(zip(first, second, strict=True))
    rows = [[of(*p, *q) / np.sqrt(of(*p, *p) * of(*q, *q)) for q in pairs] for p in pairs]
    return np.array(rows)


def adjusted(
    p: Any, covariance: np.ndarray, df: float, *, reference: bool = False, **asked: Any
) -> tuple[np.ndarray, float]:
    """Adjusted p-values of a single group, and the level of a single test."""
    p = np.atleast_2d(np.array(p, float))
    first, second = pairs_of(len(covariance), reference)
    asked = {"alpha": 0.05, **asked}
    found, level = max_t(p, covariance[None], first, second, np.full(p.shape, df), **asked)
    return found[0], float(level[0, 0])


@pytest.mark.parametrize("df", [MANY, 20])
@pytest.mark.parametrize("n_models", [3, 4, 5, 8])
def test_critical_values_are_those_of_tukey(n_models: int, df: float) -> None:
    first, _ = pairs_of(n_models)
    _, level = adjusted(np.full(len(first), 0.5), np.eye(n_models), df)
    due = stats.studentized_range.ppf(0.95, n_models, df) / np.sqrt(2)
    assert stats.t.isf(level / 2, df) == pytest.approx(due, rel=0.0015)


@pytest.mark.parametrize(
    ("n_models", "df", "due"),
    [
        *((3, MANY, 2.21), (4, MANY, 2.35), (5, MANY, 2.44)),
        *((3, 20, 2.38), (4, 20, 2.54), (5, 20, 2.65)),
    ],
)
def test_critical_values_are_those_of_dunnett(n_models: int, df: float, due: float) -> None:
    _, level = adjusted(np.full(n_models - 1, 0.5), np.eye(n_models), df, reference=True)
    assert stats.t.isf(level / 2, df) == pytest.approx(due, abs=0.005)


@pytest.mark.parametrize("df", [3, 12, 10**6])
@pytest.mark.parametrize("two_sided", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_it_is_a_share_of_simulated_t(seed: int, two_sided: bool, df: int) -> None:
    n_draws, n_models = 400_000, 4
    covariance = covariance_of(n_models, seed)
    first, second = pairs_of(n_models)
    correlation = correlation_of(covariance, first, second)
    rng = np.random.default_rng(seed)
    values = rng.multivariate_normal(np.zeros(n_models), covariance, n_draws)
    t = values[:, first] - values[:, second]
    t /= np.sqrt(
        np.diag(covariance)[first] + np.diag(covariance)[second] - 2 * covariance[first, second]
    )
    np.testing.assert_allclose(np.corrcoef(t.T), correlation, atol=0.01)
    t /= np.sqrt(rng.chisquare(df, (n_draws, 1)) / df)
    largest = (np.abs(t) if two_sided else t).max(axis=1)
    p = [0.6, 0.3, 0.1, 0.05, 0.02, 0.005]
    found, level = adjusted(p, covariance, df, two_sided=two_sided)
    sides = 2 if two_sided else 1
    due = [(largest >= stats.t.isf(one / sides, df)).mean() for one in p]
    np.testing.assert_allclose(found, due, rtol=0.02, atol=0.001)
    assert (largest >= stats.t.isf(level / sides, df)).mean() == pytest.approx(0.05, abs=0.0015)


def test_it_is_an_area_of_the_multivariate_t_distribution() -> None:
    covariance, df = covariance_of(3, 9), 7
    first, second = pairs_of(3, reference=True)
    correlation = correlation_of(covariance, first, second)
    p = [0.2, 0.01]
    found, _ = adjusted(p, covariance, df, reference=True)
    for one, of_pair in zip(p, found, strict=True):
        t = stats.t.isf(one / 2, df)
        area = stats.multivariate_t.cdf(
            [t, t], shape=correlation, df=df, lower_limit=[-t, -t], maxpts=10**5, random_state=0
        )
        assert of_pair == pytest.approx(1 - area, rel=0.005)


@pytest.mark.parametrize("seed", range(20))
def test_a_test_decides_as_its_adjusted_p_value(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_models, n_groups = int(rng.integers(2, 8)), 50
    first, second = pairs_of(n_models, bool(rng.integers(2)))
    covariance = np.stack([covariance_of(n_models, int(n)) for n in rng.integers(0, 99, n_groups)])
    p = 10 ** rng.uniform(-4, 0, (n_groups, len(first)))
    p[rng.random(p.shape) < 0.1] = np.nan
    df = rng.uniform(1, 50, p.shape)
    two_sided = bool(rng.integers(2))
    for alpha in (0.01, 0.05, 0.3):
        asked: Any = {"alpha": alpha, "two_sided": two_sided}
        found, level = max_t(p, covariance, first, second, df, **asked)
        tested = np.isfinite(p)
        np.testing.assert_array_equal(np.isfinite(found), tested)
        assert ((found <= alpha) == (p <= level))[tested].all()
        n_tests = tested.sum(axis=1, keepdims=True)
        assert ((found >= p) & (found <= np.minimum(n_tests * p, 1)))[tested].all()
        alone, of_alone = max_t(p[7:8], covariance[7:8], first, second, df[7:8], **asked)
        np.testing.assert_allclose(alone, found[7:8], rtol=1e-9)
        np.testing.assert_allclose(of_alone, level[7:8], rtol=1e-9)


@pytest.mark.parametrize("unit", [1e-120, 1e-9, 1e9, 1e120])
def test_the_unit_of_a_metric_does_not_matter(unit: float) -> None:
    p, covariance = [0.01, 0.02, 0.03, 0.04, 0.05, 0.6], covariance_of(4, 3)
    due, _ = adjusted(p, covariance, 30)
    np.testing.assert_allclose(adjusted(p, covariance * unit, 30)[0], due, rtol=1e-6)


@pytest.mark.parametrize("two_sided", [True, False])
def test_groups_of_unlike_units_and_tests_stand_side_by_side(two_sided: bool) -> None:
    first, second = pairs_of(3)
    covariance, df = covariance_of(3, 2), np.full((4, 3), 12.0)
    p = np.array([[0.01, 0.2, 0.04], [0.01, 0.2, 0.04], [0.03, np.nan, 0.5], [np.nan] * 3])
    units = np.array([1e-200, 1e100, 1, 1])[:, None, None]
    asked: Any = {"alpha": 0.05, "two_sided": two_sided}
    found, level = max_t(p, covariance * units, first, second, df, **asked)
    for group in range(4):
        alone = slice(group, group + 1)
        due = max_t(p[alone], covariance[None], first, second, df[alone], **asked)
        np.testing.assert_allclose(found[alone], due[0], rtol=1e-6)
        np.testing.assert_allclose(level[alone], due[1], rtol=1e-6)
    assert holm(p)[2].tolist()[::2] == [0.06, 0.5] and holm(p)[0].tolist() == [0.03, 0.2, 0.08]


def test_tiny_p_values_stay_between_their_own_value_and_that_of_bonferroni() -> None:
    p = np.array([5e-324, 1e-310, 1e-200, 1e-50, 1e-12, 1.0])
    found, _ = adjusted(p, covariance_of(4, 1), 8)
    assert (np.isfinite(found) & (found >= p) & (found <= np.minimum(6 * p, 1))).all()
    assert found[-1] == 1


def test_a_single_pair_is_not_adjusted() -> None:
    for df in (1, 7.5, MANY):
        found, level = adjusted([0.03], covariance_of(2, 0), df)
        assert found == [0.03] and level == pytest.approx(0.05)
    nothing, _ = adjusted([np.nan, 0.03, np.nan], covariance_of(3, 0), 9)
    np.testing.assert_array_equal(nothing, [np.nan, 0.03, np.nan])
    nothing, _ = adjusted([np.nan] * 3, np.full((3, 3), np.nan), np.nan)
    assert np.isnan(nothing).all()


def test_a_model_without_a_value_changes_no_other() -> None:
    covariance = covariance_of(3, 4)
    lost = np.full((4, 4), np.nan)
    lost[np.ix_([0, 1, 3], [0, 1, 3])] = covariance
    p, nan = [0.01, 0.02, 0.04], np.nan
    due, level = adjusted(p, covariance, 15)
    for fill in (np.nan, np.inf):
        filled = np.where(np.isnan(lost), fill, lost)
        found, of_found = adjusted([p[0], nan, p[1], nan, p[2], nan], filled, 15)
        np.testing.assert_allclose(found[[0, 2, 4]], due, rtol=0.01)
        assert of_found == pytest.approx(level, rel=0.01)


def test_equal_models_count_once() -> None:
    """Two models with the same errors are one: what is left is a pair."""
    covariance = covariance_of(2, 5)[np.ix_([0, 0, 1], [0, 0, 1])]
    found, _ = adjusted([1, 0.03, 0.03], covariance, 30)
    np.testing.assert_allclose(found, [1, 0.03, 0.03], rtol=0.001)


@pytest.mark.parametrize("seed", range(5))
def test_holm_is_that_of_statsmodels(seed: int) -> None:
    p = np.random.default_rng(seed).random((3, 6)) ** 3
    for row, found in zip(p, holm(p), strict=True):
        np.testing.assert_allclose(found, multipletests(row, method="holm")[1])
