"""Which metrics are recognized as sums of costs; thresholds for metrics that others register."""

from __future__ import annotations

import functools
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import pandas_ordinal as po
from pandas_ordinal.metrics import best_thresholds, registry
from pandas_ordinal.metrics import metric as facts
from pandas_ordinal.metrics import thresholds as module
from pandas_ordinal.metrics.count_kernel import metric
from pandas_ordinal.metrics.thresholds import costs_of

COSTS = np.array([[0, 2, 1, 4], [1, 0, 3, 1], [5, 1, 0, 1], [2, 2, 7, 0]])
ANY_CLASS = {
    "accuracy", "accuracy_within", "amae", "balanced_accuracy", "brennan_prediger", "cem",
    "error_rate", "mae", "mse", "rmse",
}  # fmt: skip
CANDIDATES = [
    name
    for name, known in registry.items()
    if known.needs == "counts" and known.greater_is_better is not None
    if not known.output and not known.required
]
# which need rows of the true classes at both ends
ENDS = {"mean_extreme_sensitivity", "gerrity"}
ALL = ANY_CLASS | ENDS | {"peirce", "total_cost", "stc"}
SIZES = {
    "some": ([5, 3, 9], ALL | {"seeps"}),
    "equal": ([4, 4, 4, 4], ALL),
    "uneven": ([1e7, 1, 50, 3e5], ALL),
    "weighted": ([0.3, 0.1, 0.7], ALL | {"seeps"}),
    "many classes": ([2] * 12, ALL),
    "a class without rows": ([5, 0, 9], ANY_CLASS | ENDS | {"peirce", "seeps"}),
    "two classes": ([4, 7], ALL | {"ndpm", "somers_d"}),
    "one class that has rows": (
        [0, 3, 0],
        ANY_CLASS | {"geometric_mean", "min_mae", "min_sensitivity", "mmae"},
    ),
}


def as_sizes(sizes: Any) -> np.ndarray:
    return np.array(sizes, float)


@pytest.mark.parametrize("kind", SIZES)
def test_metrics_that_add_up_costs(kind: str) -> None:
    sizes, expected = SIZES[kind]
    actual = {n for n in CANDIDATES if costs_of(registry[n], {}, as_sizes(sizes)) is not None}
    assert actual == expected


def test_docstring_names_them() -> None:
    text = " ".join((best_thresholds.__doc__ or "").split())
    _, _, text = text.partition("A trial on tables finds these:")
    of_all, _, of_two = text.partition("for two classes also")
    named = {name for name in registry if f"`{name}`" in of_all}
    assert named == SIZES["some"][1] | {"expected_cost"}
    assert "`ndpm` and `somers_d`." in of_two


@pytest.mark.parametrize("kind", SIZES)
def test_costs_order_tables_as_the_metric_does(kind: str) -> None:
    sizes, names = SIZES[kind]
    rng = np.random.default_rng(1)
    shares = rng.dirichlet(np.ones(len(sizes)), (50, len(sizes)))
    tables = shares * as_sizes(sizes)[:, None]
    for name in names:
        costs = costs_of(registry[name], {}, as_sizes(sizes))
        values = np.asarray(registry[name].kernel(tables)) ** (2 if name == "rmse" else 1)
        sums = (tables * costs).sum(axis=(1, 2))
        if np.ptp(sums) == 0:
            assert np.ptp(values) < 1e-12
            continue
        sums = (sums - sums.min()) / np.ptp(sums)
        slope, constant = np.polyfit(sums, values, 1)
        np.testing.assert_allclose(values, slope * sums + constant, rtol=1e-8)
        assert slope != 0
        assert (slope > 0) == (not registry[name].greater_is_better)


@pytest.mark.parametrize("sizes", [sizes for sizes, _ in SIZES.values()])
def test_ties_are_exact(sizes: Any) -> None:
    """Costs that are multiples of one number come out as integers, whatever the sizes."""
    sizes = as_sizes(sizes)
    position = np.arange(len(sizes))
    apart = np.abs(position[:, None] - position)
    there = sizes[:, None] > 0
    for name, expected in {"mae": apart, "error_rate": apart > 0, "mse": apart**2}.items():
        costs = costs_of(registry[name], {}, sizes)
        np.testing.assert_array_equal(costs, np.where(there, expected, 0))
    np.testing.assert_array_equal(costs_of(registry["rmse"], {}, sizes), there * apart**2)
    np.testing.assert_array_equal(
        costs_of(registry["accuracy"], {}, sizes), np.where(there, -np.eye(len(sizes)), 0)
    )


@pytest.mark.parametrize("costs", [COSTS, COSTS * 2.5, COSTS / 3, COSTS * 2 + 1])
def test_multiples_of_a_part_of_the_smallest(costs: Any) -> None:
    actual = costs_of(registry["expected_cost"], {"costs": costs}, as_sizes([6, 2, 7, 3]))
    assert actual is not None
    np.testing.assert_array_equal(actual, np.rint(actual))
    within = actual - np.diag(actual)[:, None], costs - np.diag(costs)[:, None]
    largest = within[0].max() / within[1].max()
    np.testing.assert_allclose(within[0], within[1] * largest, rtol=1e-12, atol=1e-12)


def test_the_largest_part_of_the_smallest() -> None:
    """It is one in a hundred: 1.01 is 101 of them, and 102 / 101 stays as it is."""
    known, sizes = registry["expected_cost"], as_sizes([6, 4])
    found = costs_of(known, {"costs": [[0, 1], [1.01, 0]]}, sizes)
    assert found is not None and found.tolist() == [[0, 100], [101, 0]]
    found = costs_of(known, {"costs": [[0, 101], [102, 0]]}, sizes)
    assert found is not None
    np.testing.assert_allclose(found, [[0, 10.1], [10.2, 0]], rtol=1e-12)


def test_a_metric_that_is_always_zero_costs_nothing() -> None:
    found = costs_of(registry["expected_cost"], {"costs": np.zeros((3, 3))}, as_sizes([2, 1, 3]))
    assert found is not None and not found.any()


# Metrics that others register ---------------------------------------------------------------

Register = Callable[..., Any]


@pytest.fixture
def register() -> Iterator[Register]:
    """Register a formula as a metric, until the test is over."""
    before = set(registry)

    def make(formula: Any, better: bool = False, low: float = 0) -> facts.Metric:
        formula.__name__ = "own"
        metric(range=(low, np.inf), greater_is_better=better, reference="own")(formula)
        return registry["own"]

    yield make
    for name in set(registry) - before:
        del facts._metrics[name]


def mean(counts: np.ndarray, costs: np.ndarray = COSTS) -> np.ndarray:
    sums: np.ndarray = np.einsum("rcb,rc->b", counts, costs)
    return sums / counts.sum(axis=(0, 1))


def by_class(counts: np.ndarray) -> np.ndarray:
    return np.einsum("rcb,rc->rb", counts, COSTS) / counts.sum(axis=1)


def weighted(counts: np.ndarray) -> np.ndarray:
    return np.einsum("rb,r->b", by_class(counts), [4.0, 1, 2, 3])


@pytest.fixture
def sample() -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    true = rng.integers(0, 4, 400)
    return true, np.round(true + rng.normal(size=400), 1)


@pytest.mark.parametrize(
    ("formula", "better", "costs"),
    [
        (mean, False, lambda sizes: COSTS),
        (lambda counts: np.sqrt(mean(counts)), False, lambda sizes: COSTS),
        (lambda counts: mean(counts, 7 - COSTS), True, lambda sizes: COSTS),
        (lambda counts: 1 - mean(counts, COSTS / 7), True, lambda sizes: COSTS),
        (weighted, False, lambda sizes: COSTS * np.array([4, 1, 2, 3])[:, None] / sizes[:, None]),
    ],
    ids=["mean", "root", "benefit", "complement", "weighted by class"],
)
def test_a_new_metric_gets_the_exact_search(
    formula: Any,
    better: bool,
    costs: Any,
    register: Register,
    sample: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = register(lambda counts: formula(counts), better)
    monkeypatch.setattr(module, "_climb", None)
    monkeypatch.setattr(module, "_best_of", None)
    expected = best_thresholds(*sample, 4, costs=costs(np.bincount(sample[0]).astype(float)))
    for which in ("own", own.kernel, functools.partial(own.kernel)):
        assert best_thresholds(*sample, 4, metric=which).tolist() == expected.tolist()


@pytest.mark.parametrize(
    "formula",
    [
        lambda counts: by_class(counts).max(axis=0),
        lambda counts: by_class(counts).min(axis=0),
        lambda counts: by_class(counts).prod(axis=0),
        lambda counts: mean(counts) + 1e-6 * by_class(counts).max(axis=0),
        lambda counts: np.maximum(mean(counts), 0.5),
        lambda counts: np.sqrt(mean(counts)) + 1,
        lambda counts: mean(counts) ** 2,
        lambda counts: np.log(mean(counts)),
        lambda counts: mean(counts) + np.where(counts[0, 3] > 1.5, np.inf, 0),
        lambda counts: mean(counts) + np.where(counts[0, 3] > 1.5, np.nan, 0),
        lambda counts: np.full(counts.shape[-1], np.inf),
        lambda counts: np.full(counts.shape[-1], np.nan),
    ],
)
def test_what_are_not_costs(formula: Any, register: Register) -> None:
    own = register(lambda counts: formula(counts))
    assert costs_of(own, {}, as_sizes([3, 2, 5, 4])) is None


def test_root_that_may_be_negative(register: Register) -> None:
    """Its square is a sum of costs, but does not show which end is better."""
    own = register(lambda counts: -np.sqrt(mean(counts)), better=True, low=-np.inf)
    assert costs_of(own, {}, as_sizes([3, 2, 5, 4])) is None


def test_options_are_heeded() -> None:
    sizes = as_sizes([3, 2, 5])
    for k, expected in ((0, -np.eye(3)), (1, [[-1, -1, 0], [-1, -1, -1], [0, -1, -1]])):
        costs = costs_of(registry["accuracy_within"], {"k": k}, sizes)
        assert costs is not None
        # up to a constant per class
        assert np.diff(costs).tolist() == np.diff(expected).tolist()
    with pytest.raises(ValueError, match="k=-1"):
        costs_of(registry["accuracy_within"], {"k": -1}, sizes)


def test_memory_follows_the_third_power_of_the_classes() -> None:
    tracemalloc.start()
    costs = costs_of(registry["mae"], {}, np.arange(1.0, 61))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert costs is not None
    assert costs[0].tolist() == list(range(60))
    assert peak < 60**4 * 8 / 5


def test_large_sample_of_a_metric_that_was_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    true = rng.integers(0, 5, 2000)
    score = true + 2 * rng.normal(size=2000)
    actual = {}
    for exact in (True, False):
        if not exact:
            monkeypatch.setattr(module, "costs_of", lambda *_: None)
        thresholds = best_thresholds(true, score, 5, metric="cem")
        counts = np.zeros((5, 5))
        np.add.at(counts, (true, po.metrics.classify(score, thresholds)), 1)
        actual[exact] = float(po.metrics.cem(counts))
    assert actual[True] >= actual[False] - 1e-12
