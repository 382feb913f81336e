"""Kernels of class probabilities: definitions, published values, other tools; what is refused."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import probability as oracle
from oracles.rows import confusion
from oracles.samples import random_sample, samples, weights
from oracles.strategies import QUICK
from sklearn import metrics as sklearn_metrics

from pandas_ordinal import metrics

NAN = math.nan
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "rps": ("rps", {}),
    "rps-normalized": ("rps", {"normalized": True}),
    "log_loss": ("log_loss", {}),
    "brier": ("brier", {}),
}
KERNELS = ["rps", "log_loss", "brier"]
OF_ROWS = ["expected_class", "most_likely", "median_class"]


def approx(value: Any) -> Any:
    return pytest.approx(value, rel=0, abs=1e-12, nan_ok=True)


# Definitions --------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES)
@QUICK
@given(data=st.data())
def test_kernel_is_its_definition(case: str, data: st.DataObject) -> None:
    name, options = CASES[case]
    sample = data.draw(samples())
    weight = None
    if data.draw(st.booleans()):
        weight = data.draw(weights(len(sample.true), 6)) / 2
    actual = getattr(metrics, name)(sample.true, sample.proba, sample_weight=weight, **options)
    expected = getattr(oracle, name)(sample.true, sample.proba, weights=weight, **options)
    np.testing.assert_allclose(actual, expected, rtol=1e-12, atol=1e-12, equal_nan=True)


def test_every_metric_of_probabilities_has_an_oracle() -> None:
    named = {name for name, m in metrics.registry.items() if m.needs == "probabilities"}
    assert {name for name, _ in CASES.values()} == named


ROWS_OF_WHOLE_NUMBERS = st.lists(st.integers(0, 6), min_size=1, max_size=6).filter(any)


@QUICK
@given(numbers=ROWS_OF_WHOLE_NUMBERS)
def test_classes_and_scores_of_probabilities(numbers: list[int]) -> None:
    """Exact fractions decide what is equal and what is a half."""
    exact = [Fraction(n, sum(numbers)) for n in numbers]
    proba = [float(p) for p in exact]
    assert metrics.expected_class(proba) == approx(float(oracle.expected_class(exact)))
    assert metrics.most_likely(proba) == oracle.most_likely(exact)
    assert metrics.median_class(proba) == oracle.median_class(exact)


@QUICK
@given(numbers=ROWS_OF_WHOLE_NUMBERS)
def test_predictions_are_the_best_in_expectation(numbers: list[int]) -> None:
    """The most likely class by accuracy, the median by absolute error; ties go to the lowest."""
    proba = np.array(numbers) / sum(numbers)
    classes = np.arange(len(numbers))
    errors = np.abs(classes[:, None] - classes) @ np.array(numbers)
    assert metrics.most_likely(proba) == np.argmax(numbers)
    assert metrics.median_class(proba) == np.argmin(errors)


# Published values and other tools -----------------------------------------------------------


def test_ranked_probability_scores_by_hand() -> None:
    """The same rest is worse where it lies further off."""
    for p, value in (([0.2, 0.5, 0.3], 0.53), ([0.5, 0.2, 0.3], 0.74)):
        assert metrics.rps([2], [p]) == approx(value)
        assert metrics.rps([2], [p], normalized=True) == approx(value / 2)
    assert metrics.rps([2, 2], [[0.2, 0.5, 0.3], [0.5, 0.2, 0.3]]) == approx(0.635)


def test_ranked_probability_score_of_four_rows() -> None:
    """As the package dlordinal has it."""
    proba = [[0.2, 0.4, 0.2, 0.2], [0.7, 0.1, 0.1, 0.1], [0.5, 0.05, 0.1, 0.35]]
    proba.append([0.1, 0.05, 0.65, 0.2])
    assert metrics.rps([0, 0, 3, 2], proba) == approx(0.506875)
    assert metrics.rps([0, 0, 3, 2], proba, normalized=True) == approx(0.506875 / 3)


def two_classes(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    upper = rng.uniform(0.01, 0.99, 60)
    return rng.integers(0, 2, 60), np.stack([1 - upper, upper], axis=1), rng.integers(0, 4, 60)


@pytest.mark.parametrize("weighted", [False, True])
def test_two_classes(weighted: bool) -> None:
    true, proba, weight = two_classes(0)
    given = {"sample_weight": weight if weighted else None}
    expected = sklearn_metrics.brier_score_loss(true, proba[:, 1], **given)
    assert metrics.brier(true, proba, **given) == approx(2 * expected)
    assert metrics.rps(true, proba, **given) == approx(expected)
    assert metrics.rps(true, proba, normalized=True, **given) == approx(expected)
    loss = sklearn_metrics.log_loss(true, proba, **given)
    assert metrics.log_loss(true, proba, **given) == approx(loss)


@pytest.mark.parametrize("weighted", [False, True])
def test_log_loss_of_more_classes(weighted: bool) -> None:
    rng = np.random.default_rng(0)
    true, proba = rng.integers(0, 4, 80), rng.dirichlet(np.ones(5), 80)
    weight = rng.uniform(0, 3, 80) if weighted else None
    loss = sklearn_metrics.log_loss(true, proba, labels=range(5), sample_weight=weight)
    assert metrics.log_loss(true, proba, sample_weight=weight) == approx(loss)


def test_log_loss_is_not_clipped() -> None:
    assert metrics.log_loss([0, 1], [[1, 0], [1, 0]]) == math.inf
    assert metrics.log_loss([0, 1], [[1, 0], [1, 0]], sample_weight=[1, 0]) == 0
    assert metrics.log_loss([1], [[1 - 1e-300, 1e-300]]) == pytest.approx(300 * math.log(10))


def test_certain_predictions() -> None:
    """The ranked probability score is their absolute error, and Brier's twice their error rate."""
    rng = np.random.default_rng(2)
    for k in (1, 2, 3, 6):
        true, pred = rng.integers(0, k, (2, 50))
        certain, counts = np.eye(k)[pred], confusion(true, pred, range(k))
        assert metrics.rps(true, certain) == approx(metrics.mae(counts))
        assert metrics.brier(true, certain) == approx(2 * metrics.error_rate(counts))
        if k > 1:
            share = metrics.mae(counts) / (k - 1)
            assert metrics.rps(true, certain, normalized=True) == approx(share)


@pytest.mark.parametrize("name", KERNELS)
def test_scores_are_proper(name: str) -> None:
    """Nothing scores better in expectation than the true probabilities."""
    rng = np.random.default_rng(4)
    truth = np.array([4, 1, 3, 2])
    p = truth / truth.sum()
    kernel: Callable[..., Any] = getattr(metrics, name)
    best = kernel(range(4), np.tile(p, (4, 1)), sample_weight=truth)
    for other in rng.dirichlet(np.ones(4), 200):
        assert kernel(range(4), np.tile(other, (4, 1)), sample_weight=truth) > best


def test_almost_certain_predictions_score_no_less_than_nothing() -> None:
    rest = np.logspace(-18, -6, 400)
    proba = np.stack([rest, 1 - rest], axis=-1)[:, None]
    for name in KERNELS:
        values = getattr(metrics, name)([1], proba)
        assert (values >= 0).all()
    np.testing.assert_allclose(metrics.brier([1], proba), 2 * rest**2, rtol=0, atol=1e-15)


def test_one_class() -> None:
    assert metrics.rps([0, 0], [[1], [1]]) == 0
    assert metrics.log_loss([0, 0], [[1], [1]]) == 0
    assert metrics.brier([0, 0], [[1], [1]]) == 0
    assert math.isnan(metrics.rps([0, 0], [[1], [1]], normalized=True))


# Classes and scores of rows -----------------------------------------------------------------


@pytest.mark.parametrize("name", OF_ROWS)
def test_leading_dimensions(name: str) -> None:
    kernel = getattr(metrics, name)
    for leading in [(), (1,), (5,), (2, 3), (0,), (2, 0)]:
        proba = random_sample(0, 4, *leading).proba
        proba.flags.writeable = False
        values = kernel(proba)
        assert np.shape(values) == leading
        assert values.dtype == (float if name == "expected_class" else np.intp)
        if not leading:
            assert isinstance(values, np.generic)
        for position in np.ndindex(leading):
            assert values[position] == approx(kernel(proba[position]))


@pytest.mark.parametrize("name", OF_ROWS)
def test_kind_of_input_does_not_matter(name: str) -> None:
    kernel = getattr(metrics, name)
    proba = random_sample(0, 4, 5).proba
    expected = kernel(proba)
    for other in (proba.tolist(), pd.DataFrame(proba), np.asfortranarray(proba)):
        assert np.array_equal(kernel(other), expected)
    certain = np.eye(3)[[2, 0, 1]]
    for dtype in (bool, int, np.uint8, np.float32):
        assert list(kernel(certain.astype(dtype))) == [2, 0, 1]


def test_ties_go_to_the_lowest_class() -> None:
    assert list(metrics.most_likely([[0.4, 0.2, 0.4], [0.25, 0.25, 0.5]])) == [0, 2]
    assert list(metrics.median_class([[0.5, 0, 0.5], [0.2, 0.3, 0.5], [0, 0.49, 0.51]])) == [
        0,
        1,
        2,
    ]


def test_a_half_is_one_in_spite_of_rounding() -> None:
    """Ten times 0.1 add up to less than 1, and 0.1 + 0.4 - 1e-13 to less than a half."""
    assert metrics.median_class([0.1] * 10) == 4
    assert metrics.median_class([0.1, 0.4 - 1e-13, 0.5 + 1e-13]) == 1
    assert metrics.median_class([0.1, 0.4 - 1e-9, 0.5 + 1e-9]) == 2


@pytest.mark.parametrize("name", OF_ROWS)
def test_silence(name: str) -> None:
    with warnings.catch_warnings(), np.errstate(all="warn"):
        warnings.simplefilter("error")
        getattr(metrics, name)([[1, 0, 0], [1 - 1e-310, 1e-310, 0]])


# Bad input ----------------------------------------------------------------------------------

BAD_ROWS: dict[str, Any] = {
    "more than one": [0.5, 0.3, 0.2 + 2e-6],
    "less than one": [0.5, 0.3, 0.2 - 2e-6],
    "percent": [50, 30, 20],
    "nothing": [0, 0, 0],
    "negative": [0.5, 0.6, -0.1],
    "a little negative": [0.5, 0.5 + 1e-9, -1e-9],
    "NaN": [0.5, NAN, 0.5],
    "infinite": [0.5, math.inf, 0.5],
    "opposite infinities": [math.inf, -math.inf, 1],
    "text": list("abc"),
    "numbers as text": ["0.5", "0.3", "0.2"],
    "complex": [0.5, 0.5j, 0.5],
    "objects": [0.5, None, 0.5],
}


@pytest.mark.parametrize("kind", BAD_ROWS)
@pytest.mark.parametrize("name", KERNELS + OF_ROWS)
def test_bad_probabilities(name: str, kind: str) -> None:
    kernel = getattr(metrics, name)
    with pytest.raises(ValueError):
        if name in OF_ROWS:
            kernel(BAD_ROWS[kind])
        else:
            kernel([0], [BAD_ROWS[kind]])
    if kind in ("text", "numbers as text", "objects"):
        return
    stack = np.tile(np.array([0.2, 0.3, 0.5], complex if kind == "complex" else float), (4, 5, 1))
    stack[2, 3] = BAD_ROWS[kind]
    with pytest.raises(ValueError):
        kernel(stack) if name in OF_ROWS else kernel(np.zeros((4, 5), int), stack)


@pytest.mark.parametrize("off", [0, 5e-7, -5e-7])
@pytest.mark.parametrize("name", KERNELS + OF_ROWS)
def test_sums_that_are_close_to_one(name: str, off: float) -> None:
    row = [0.6, 0.2, 0.2 + off]
    kernel = getattr(metrics, name)
    value = kernel(row) if name in OF_ROWS else kernel([1], [row])
    exact = kernel([0.6, 0.2, 0.2]) if name in OF_ROWS else kernel([1], [[0.6, 0.2, 0.2]])
    assert value == pytest.approx(exact, abs=1.1e-6)


@pytest.mark.parametrize("name", KERNELS)
def test_float32_probabilities_are_close_enough(name: str) -> None:
    proba = np.random.default_rng(0).dirichlet(np.ones(7), 500)
    true = np.arange(500) % 7
    kernel = getattr(metrics, name)
    assert kernel(true, proba.astype(np.float32)) == pytest.approx(kernel(true, proba), rel=1e-5)


@pytest.mark.parametrize("name", KERNELS)
def test_message_names_the_row_and_the_remedy(name: str) -> None:
    proba = [[0.2, 0.8], [0.5, 0.6], [0.4, 0.6], [0.3, 0.3]]
    with pytest.raises(ValueError, match="2 rows.*row 1.*1.1.*divide each row by its sum"):
        getattr(metrics, name)([0, 1, 0, 1], proba)


@pytest.mark.parametrize("name", KERNELS)
def test_message_counts_the_rows_that_do_not_count_too(name: str) -> None:
    proba = [[NAN, NAN], [0.2, 0.8], [5, 5], [0.5, 0.7], [0.4, 0.6]]
    with pytest.raises(ValueError, match="1 row .*row 3, "):
        getattr(metrics, name)([-1, 0, -1, 1, 0], proba)


GOOD = {"true": [0, 2, 1], "proba": np.eye(3)}
BAD: dict[str, dict[str, Any]] = {
    "too high a code": {"true": [0, 3, 1]},
    "too low a code": {"true": [0, -2, 1]},
    "float codes": {"true": [0.0, 2, 1]},
    "text codes": {"true": list("acb")},
    "a code": {"true": 0},
    "fewer codes": {"true": [0, 1]},
    "one code": {"true": [0]},
    "fewer rows": {"proba": np.eye(3)[:2]},
    "one row": {"proba": np.eye(3)[:1]},
    "a single row": {"proba": [0.2, 0.3, 0.5]},
    "a number": {"proba": 1.0},
    "no columns": {"proba": np.empty((3, 0))},
    "stacks that do not fit": {"true": [[0, 2, 1]] * 2, "proba": [np.eye(3)] * 4},
    "negative weight": {"sample_weight": [1, -1, 1]},
    "NaN weight": {"sample_weight": [1, NAN, 1]},
    "infinite weight": {"sample_weight": [1, math.inf, 1]},
    "weights as text": {"sample_weight": list("123")},
    "fewer weights": {"sample_weight": [1, 1]},
    "a weight": {"sample_weight": 2},
}


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("kind", BAD)
def test_bad_input(name: str, kind: str) -> None:
    given = GOOD | BAD[kind]
    arrays = [given.pop(key) for key in ("true", "proba")]
    with pytest.raises(ValueError):
        getattr(metrics, name)(*arrays, **given)


@pytest.mark.parametrize("name", KERNELS)
def test_options_that_do_not_exist(name: str) -> None:
    for arrays in (GOOD.values(), ([], np.empty((0, 3)))):
        with pytest.raises(TypeError):
            getattr(metrics, name)(*arrays, nonsense=1)
        with pytest.raises(TypeError):
            getattr(metrics, name)(*arrays, None, 3)


@pytest.mark.parametrize("name", OF_ROWS)
def test_bad_shapes(name: str) -> None:
    for proba in (1.0, [], np.empty((3, 0))):
        with pytest.raises(ValueError):
            getattr(metrics, name)(proba)
