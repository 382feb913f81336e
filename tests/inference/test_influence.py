"""What a row in each cell adds, against leaving out rows one by one."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from oracles import ranking, uncertainty

import pandas_ordinal as po
from pandas_ordinal.inference.influence import df_of_weights, on_limits, tolerance_of
from pandas_ordinal.inference.scale import Interval, hull
from pandas_ordinal.metrics.metric import registry

RNG = np.random.default_rng(14)
COUNTS = RNG.integers(0, 4, (6, 4, 4)) + np.eye(4, dtype=int) * 2
NAMES = [
    name
    for name, metric in registry.items()
    if metric.needs == "counts" and not metric.output and not metric.required
]


def row_by_row(kernel: Any, counts: np.ndarray) -> np.ndarray:
    """Leave out each row, one after the other."""
    rows = [(r, c) for r, c in np.ndindex(*counts.shape) for _ in range(int(counts[r, c]))]
    n, full, found = len(rows), float(kernel(counts)), np.zeros(counts.shape)
    changes = []
    for r, c in rows:
        left = counts.copy()
        left[r, c] -= 1
        found[r, c] = (n - 1) / n * (full - float(kernel(left)))
        changes.append(found[r, c])
    return np.where(counts > 0, found - sum(changes) / n, 0)


@pytest.mark.parametrize("name", NAMES)
def test_influence_is_that_of_rows_left_out_one_by_one(name: str) -> None:
    kernel = registry[name].kernel
    expected = [row_by_row(kernel, counts) for counts in COUNTS]
    np.testing.assert_allclose(po.influence(kernel, COUNTS), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_the_influences_of_all_rows_add_up_to_nothing(name: str) -> None:
    k = registry[name].n_classes or 4
    counts = COUNTS[:, :k, :k]
    added = po.influence(registry[name].kernel, counts)
    np.testing.assert_allclose((counts * added).sum((1, 2)), 0, atol=1e-11)


def test_options_leading_dimensions_and_functions_of_ones_own() -> None:
    kernel = po.metrics.oci
    expected = po.influence(functools.partial(kernel, beta=0.25), COUNTS)
    np.testing.assert_array_equal(po.influence(kernel, COUNTS, beta=0.25), expected)
    stacked = po.influence(kernel, COUNTS.reshape(2, 3, 4, 4), beta=0.25)
    np.testing.assert_array_equal(stacked.reshape(6, 4, 4), expected)

    def right(counts: np.ndarray) -> np.ndarray:
        return np.trace(counts, axis1=-2, axis2=-1) / counts.sum((-1, -2))

    np.testing.assert_allclose(
        po.influence(right, COUNTS), po.influence(po.metrics.accuracy, COUNTS), atol=1e-15
    )


def test_many_classes_are_left_out_in_blocks_of_cells() -> None:
    counts = RNG.integers(0, 3, (70, 70))
    added = po.influence(po.metrics.mae, counts)
    n, distance = counts.sum(), np.abs(np.subtract.outer(np.arange(70), np.arange(70)))
    expected = np.where(counts > 0, (distance - (counts * distance).sum() / n) / n, 0)
    np.testing.assert_allclose(added, expected, atol=1e-13)


@pytest.mark.parametrize(("weights", "ours"), [(None, "identity"), ("linear", "linear")])
def test_kappa_has_the_standard_error_of_a_large_sample(weights: Any, ours: str) -> None:
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
    counts = RNG.multinomial(10**5, (COUNTS[0] / COUNTS[0].sum()).ravel()).reshape(4, 4)
    added = po.influence(po.metrics.kappa, counts, weights=ours)
    peer = inter_rater.cohens_kappa(counts, wt=weights)
    assert np.sqrt((counts * added**2).sum()) == pytest.approx(peer.std_kappa, rel=1e-4)


def test_bad_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="counts are finite and not negative"):
        po.influence(po.metrics.mae, [[1, -1], [0, 1]])
    with pytest.raises(ValueError, match="shape"):
        po.influence(po.metrics.mae, [1, 2])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("goodman_kruskal_gamma", uncertainty.ase_of_gamma),
        ("somers_d", uncertainty.ase_of_somers_d),
        ("kendall_tau", uncertainty.ase_of_tau_b),
    ],
)
def test_rank_correlations_have_the_standard_errors_of_large_samples(
    name: str, expected: Any
) -> None:
    counts = RNG.multinomial(10**5, (COUNTS[1] / COUNTS[1].sum()).ravel()).reshape(4, 4)
    added = po.influence(registry[name].kernel, counts)
    found = np.sqrt((counts * added**2).sum())
    assert found == pytest.approx(expected(counts.astype(float)), rel=1e-4)


@pytest.mark.parametrize(
    ("limits", "tolerance"),
    [
        ((0, 1), 1e-12),
        ((-1, 1), 1e-12),
        ((0, 5), 5e-12),
        ((-5, 0), 5e-12),
        ((-np.inf, 3), 3e-12),
        ((-np.inf, np.inf), 1e-12),
        ((0, np.inf), 1e-15),  # of any unit, so that only the value itself counts
    ],
)
def test_rounding_is_relative_to_the_limits(limits: Any, tolerance: float) -> None:
    found = tolerance_of(np.array([1e-3, -1e-3]), limits)
    np.testing.assert_allclose(found, tolerance)
    assert tolerance_of(np.array([-8.0]), limits) == pytest.approx(8e-12)
    assert np.isfinite(tolerance_of(np.array([np.inf, np.nan]), limits)).all()


def test_values_next_to_a_limit_are_on_it() -> None:
    values = np.array([1e-12, 1.1e-12, -1e-13, 1 - 1e-13, 1 + 1e-13, 0.5, 1.1])
    expected = [0, 1.1e-12, 0, 1, 1, 0.5, 1.1]
    assert on_limits(values, (0, 1)).tolist() == expected
    limits = np.zeros(2), np.array([1.0, 5.0])  # one pair for each value
    assert on_limits(np.array([4e-12, 4e-12]), limits).tolist() == [4e-12, 0]
    tiny = np.array([1e-300])
    assert on_limits(tiny, (0, np.inf)).tolist() == [1e-300]


@pytest.mark.parametrize(
    ("low", "due"),
    [(-0.3, -0.3), (0.1, 0.1), (0.3 - 1e-15, 0.3), (0.3, 0.3), (0.7, 0.3)],
)
def test_an_end_that_differs_by_rounding_is_the_estimate(low: float, due: float) -> None:
    interval = Interval(np.array([low]), np.array([0.9]), np.array([0.2]))
    no, yes = np.zeros(1, bool), np.ones(1, bool)
    found = hull(
        interval, interval, np.array([0.3]), (-1, 1),
        survives_loss=yes, several_classes=yes, undefined=no,
    )  # fmt: skip
    assert (found.low.tolist(), found.high.tolist()) == ([due], [0.9])


def test_degrees_of_freedom_of_equal_weights_are_whole() -> None:
    weights = np.full(7, 0.1)
    sums, squares = weights.sum()[None], (weights**2).sum()[None]
    assert sums**2 / squares - 1 != 6
    assert df_of_weights(sums, squares).tolist() == [6]
    weights = np.array([1.0, 2, 3])
    found = df_of_weights(weights.sum()[None], (weights**2).sum()[None])
    assert found == pytest.approx(36 / 14 - 1)


@pytest.mark.parametrize("metric", [po.metrics.u_cons, po.metrics.u_ovo])
def test_a_class_of_one_row_in_a_mean_over_splits_or_pairs(metric: Any) -> None:
    # the areas of single rows of class 0 are 1, 0 and 0, and their mean is 1 / 3
    added = po.influence(metric, [0, 0, 0, 1], [1, 2, 3, 1.5], 2)
    np.testing.assert_allclose(added, [2 / 9, -1 / 9, -1 / 9, 0])


@pytest.mark.parametrize("name", ["vus", "u_pairs", "u_ovo", "u_cons"])
@pytest.mark.parametrize("unit", [0.125, 1.0])
def test_influence_is_the_derivative_by_the_weight_of_a_row(name: str, unit: float) -> None:
    true, score = [0, 0, 0, 1, 1, 2, 2, 2], [1, 2, 4, 2, 5, 3, 4, 6]
    weights = [unit * weight for weight in (1, 2, 1, 3, 1, 1, 2, 1)]
    value, step = functools.partial(getattr(ranking, name), true, score, 3), 1e-6
    due = []
    for place in range(len(true)):
        low, high = weights.copy(), weights.copy()
        low[place] -= step
        high[place] += step
        due.append(float(value(weights=high) - value(weights=low)) / (2 * step))
    kernel = getattr(po.metrics, name)
    found = po.influence(kernel, true, score, 3, sample_weight=weights)
    np.testing.assert_allclose(found, due, atol=1e-8)


@pytest.mark.parametrize("counts", [np.zeros((0, 0)), np.zeros((2, 0, 0)), [1.0, 2.0]])
def test_counts_without_cells_are_refused(counts: Any) -> None:
    with pytest.raises(ValueError, match=r"\(\.\.\., K, K\)"):
        po.influence(lambda tables: np.zeros(np.shape(tables)[:-2]), counts)
