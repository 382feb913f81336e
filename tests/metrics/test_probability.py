"""Kernels of class probabilities: definitions, published values, other tools."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from oracles import probability as oracle
from oracles.decisions import OF_ROWS
from oracles.samples import maybe_weighted, random_sample, samples, shares, weights
from oracles.strategies import QUICK, matrices
from sklearn import metrics as sklearn_metrics

from pandas_ordinal import metrics

CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "rps": ("rps", {}),
    "rps-normalized": ("rps", {"normalized": True}),
    "rps_skill": ("rps_skill", {}),
    "log_loss": ("log_loss", {}),
    "brier": ("brier", {}),
}
NAN = math.nan
KERNELS = ["rps", "log_loss", "brier"]


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
    named -= {name for name in named if metrics.registry[name].row_terms}  # test_calibration.py
    assert {name for name, _ in CASES.values()} == named


@QUICK
@given(data=st.data())
def test_skill_over_given_probabilities_is_its_definition(data: st.DataObject) -> None:
    sample = maybe_weighted(data, data.draw(samples()))
    reference = shares(data.draw(weights(sample.n_classes)))
    for given_as in (reference, reference.tolist(), tuple(reference)):
        actual = metrics.rps_skill(
            sample.true, sample.proba, sample_weight=sample.weights, reference=given_as
        )
        expected = oracle.rps_skill(
            sample.true, sample.proba, weights=sample.weights, reference=reference
        )
        np.testing.assert_allclose(actual, expected, rtol=1e-11, atol=1e-11, equal_nan=True)


ROWS_OF_WHOLE_NUMBERS = st.lists(st.integers(0, 6), min_size=1, max_size=6).filter(any)


@QUICK
@given(numbers=ROWS_OF_WHOLE_NUMBERS)
def test_classes_and_scores_of_probabilities(numbers: list[int]) -> None:
    """Exact fractions decide what is equal and what is a half."""
    exact = [Fraction(n, sum(numbers)) for n in numbers]
    proba = [float(p) for p in exact]
    expected = float(oracle.expected_class(exact))
    assert metrics.expected_class(proba) == pytest.approx(expected, rel=1e-11)
    assert metrics.most_likely(proba) == oracle.most_likely(exact)
    assert metrics.median_class(proba) == oracle.median_class(exact)


@pytest.mark.parametrize("n_votes", [3, 7, 10, 12])
def test_rows_of_the_same_expected_class_tie(n_votes: int) -> None:
    """Votes are added one by one, in any order, as in forests and nearest neighbours."""
    votes = [v for v in itertools.product(range(n_votes + 1), repeat=4) if sum(v) == n_votes]
    noisy = [[sum([1 / n_votes] * n) for n in row] for row in votes]
    for proba in (np.array(votes) / n_votes, np.array(noisy)):
        scores = metrics.expected_class(proba)
        exact = np.array([oracle.expected_class([Fraction(n, 1) for n in row]) for row in votes])
        ranks = [sorted(set(exact.tolist())).index(one) for one in exact]
        assert np.unique(scores, return_inverse=True)[1].tolist() == ranks
        np.testing.assert_allclose(scores, exact.astype(float) / n_votes, rtol=1e-11)


def test_the_expected_class_depends_on_no_layout() -> None:
    proba = np.random.default_rng(5).dirichlet(np.ones(7), 200)
    one_by_one = [metrics.expected_class(row) for row in proba.tolist()]
    for same in (proba, np.asfortranarray(proba), np.repeat(proba, 2, axis=0)[::2]):
        np.testing.assert_array_equal(metrics.expected_class(same), one_by_one)


def test_expected_classes_have_twelve_digits() -> None:
    for rest, expected in ((2e-13, 0.5), (2e-12, 0.500000000002), (-2e-13, 0.5)):
        assert metrics.expected_class([0.5 - rest, 0.5 + rest]) == expected
    for rest, expected in ((2e-12, 2.0), (-2e-11, 1.99999999998)):
        assert metrics.expected_class([0, 0.5 - rest / 2, 0, 0.5 + rest / 2]) == expected


def test_small_probabilities_keep_their_rank() -> None:
    tiny = np.array([0, 5e-324, 1e-290, 1e-30, 2e-30, 1e-15, 0.5, 1])
    scores = metrics.expected_class(np.column_stack([1 - tiny, tiny]))
    np.testing.assert_allclose(scores[2:], tiny[2:], rtol=1e-11)
    assert (scores[:2] == 0).all()


@QUICK
@given(numbers=ROWS_OF_WHOLE_NUMBERS)
def test_predictions_are_the_best_in_expectation(numbers: list[int]) -> None:
    """The most likely class by accuracy, the median by absolute error; ties go to the lowest."""
    proba = np.array(numbers) / sum(numbers)
    classes = np.arange(len(numbers))
    errors = np.abs(classes[:, None] - classes) @ np.array(numbers)
    assert metrics.most_likely(proba) == np.argmax(numbers)
    assert metrics.median_class(proba) == np.argmin(errors)


# Costs ---------------------------------------------------------------------------------------


def squares(n_classes: int) -> np.ndarray:
    position = np.arange(n_classes)
    return (position[:, None] - position) ** 2


@QUICK
@given(data=st.data())
def test_the_least_costly_class_is_its_definition(data: st.DataObject) -> None:
    """Exact fractions decide which costs are equal, those of gains and of zeros too."""
    numbers = data.draw(ROWS_OF_WHOLE_NUMBERS)
    n_classes = len(numbers)
    row = st.lists(st.integers(-3, 9), min_size=n_classes, max_size=n_classes)
    costs = data.draw(st.lists(row, min_size=n_classes, max_size=n_classes))
    divisor = data.draw(st.sampled_from([1, 3, 7, 10]))
    exact = [Fraction(n, sum(numbers)) for n in numbers]
    due = oracle.least_costly(exact, [[Fraction(c, divisor) for c in one] for one in costs])
    proba, given_costs = [float(p) for p in exact], np.array(costs) / divisor
    for scale in (1, 1e300, 1e-300, 5e-324 * divisor):
        assert metrics.least_costly(proba, given_costs * scale) == due
    assert metrics.least_costly(np.float32(proba), np.array(costs)) in {
        c for c in range(n_classes) if abs(of(proba, costs, c) - of(proba, costs, due)) < 1e-5
    }


def of(proba: Any, costs: Any, c: int) -> float:
    return sum(p * row[c] for p, row in zip(proba, costs, strict=True))


@QUICK
@given(numbers=ROWS_OF_WHOLE_NUMBERS)
def test_the_other_rules_are_special_costs(numbers: list[int]) -> None:
    proba, n_classes = np.array(numbers) / sum(numbers), len(numbers)
    position = np.arange(n_classes)
    of_distance = np.abs(position[:, None] - position)
    assert metrics.least_costly(proba, of_distance) == metrics.median_class(proba)
    # shares of the same number are the same float, so that argmax sees the ties too
    assert metrics.least_costly(proba, 1 - np.eye(n_classes)) == metrics.most_likely(proba)


@pytest.mark.parametrize("n_classes", [2, 3, 5, 9])
def test_the_other_rules_are_special_costs_of_many_rows(n_classes: int) -> None:
    proba = np.random.default_rng(n_classes).dirichlet(np.ones(n_classes), 20_000)
    position = np.arange(n_classes)
    of_distance = np.abs(position[:, None] - position)
    rules = {metrics.most_likely: 1 - np.eye(n_classes), metrics.median_class: of_distance}
    for rows in (proba, proba.astype(np.float32)):
        for rule, costs in rules.items():
            np.testing.assert_array_equal(metrics.least_costly(rows, costs), rule(rows))


def test_the_least_costly_class_by_hand() -> None:
    """Costs by distance .7 .7 1.3, by its square 1.1 .7 2.3, and in the second row 1 1 1."""
    position = np.arange(3)
    of_distance = np.abs(position[:, None] - position)
    row = [0.5, 0.3, 0.2]
    assert metrics.least_costly(row, of_distance) == 0
    assert metrics.least_costly(row, squares(3)) == 1
    assert metrics.least_costly(row, 1 - np.eye(3)) == 0
    assert metrics.least_costly([0.5, 0, 0.5], of_distance) == 0
    assert metrics.least_costly(row, np.zeros((3, 3))) == 0
    # to miss the highest class costs ten times as much: 2.3 2.5 .8
    assert metrics.least_costly(row, [[0, 1, 1], [1, 0, 1], [10, 10, 0]]) == 2
    # gains: nothing but the right class pays, the third one most
    assert metrics.least_costly(row, [[-1, 0, 0], [0, -1, 0], [0, 0, -3]]) == 2


def test_what_leaves_the_least_costly_class_alone() -> None:
    rng = np.random.default_rng(3)
    proba, costs = rng.dirichlet(np.ones(4), 200), (1 + rng.random((4, 4))) * (1 - np.eye(4))
    due = metrics.least_costly(proba, costs)
    assert set(due) == {0, 1, 2, 3}
    np.testing.assert_array_equal(metrics.least_costly(proba, costs * 7), due)
    by_true = rng.normal(size=(4, 1))
    np.testing.assert_array_equal(metrics.least_costly(proba, costs + by_true), due)
    backwards = metrics.least_costly(proba[:, ::-1], costs[::-1, ::-1])
    np.testing.assert_array_equal(3 - backwards, due)
    one_by_one = [metrics.least_costly(row, costs) for row in proba.tolist()]
    assert one_by_one == due.tolist()


def test_costs_that_differ_by_rounding_tie() -> None:
    costs = np.abs(np.subtract.outer(np.arange(10), np.arange(10)))
    assert metrics.least_costly([0.1] * 10, costs) == 4
    row = [0.5, 0.5]
    assert metrics.least_costly(row, [[0, 1], [1 - 1e-13, 0]]) == 0
    assert metrics.least_costly(row, [[0, 1 - 1e-9], [1, 0]]) == 1


WRONG_COSTS: dict[str, tuple[Any, str]] = {
    "too few": ([[0, 1], [1, 0]], r"costs of shape \(2, 2\) must be 3 x 3, one row per true"),
    "a vector": ([0, 1, 2], r"costs of shape \(3,\) must be 3 x 3"),
    "NaN": ([[0, 1, NAN], [1, 0, 1], [2, 1, 0]], "must hold finite numbers only"),
    "infinite": ([[0, 1, math.inf], [1, 0, 1], [2, 1, 0]], "must hold finite numbers only"),
    "text": ([["a"] * 3] * 3, "must be an array of numbers"),
}


@pytest.mark.parametrize("kind", WRONG_COSTS)
def test_wrong_costs(kind: str) -> None:
    costs, message = WRONG_COSTS[kind]
    for proba in ([0.2, 0.3, 0.5], np.empty((0, 3))):
        with pytest.raises(ValueError, match=message):
            metrics.least_costly(proba, costs)


def test_the_largest_costs_are_added_up() -> None:
    """A row may sum to a little more than 1."""
    largest = np.finfo(float).max
    costs = [[largest, -largest], [largest, -largest / 2]]
    assert metrics.least_costly([0.5, 0.5 + 9e-7], costs) == 1


# Published values and other tools -----------------------------------------------------------


def test_ranked_probability_scores_by_hand() -> None:
    """The same remaining probability is worse where it lies further off."""
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


def test_as_many_classes_as_rows() -> None:
    """Both axes of the probabilities are as long as that of the true classes."""
    found = metrics.rps([[0, 1], [1, 1]], [[0.2, 0.8], [0.5, 0.5]])
    assert found == approx([(0.8**2 + 0.5**2) / 2, (0.2**2 + 0.5**2) / 2])


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


@QUICK
@given(counts=matrices())
def test_certain_predictions(counts: np.ndarray) -> None:
    """The ranked probability score is their absolute error, and Brier's twice their error rate."""
    k = len(counts)
    true, pred = np.repeat(np.argwhere(counts >= 0), counts.ravel(), axis=0).T
    certain = np.eye(k)[pred]
    assert metrics.rps(true, certain) == approx(metrics.mae(counts))
    assert metrics.brier(true, certain) == approx(2 * metrics.error_rate(counts))
    if k > 1:
        share = metrics.mae(counts) / (k - 1)
        assert metrics.rps(true, certain, normalized=True) == approx(share)


FOUR_NUMBERS = st.lists(st.integers(1, 9), min_size=4, max_size=4).map(np.array)


@pytest.mark.parametrize("name", KERNELS)
@QUICK
@given(truth=FOUR_NUMBERS, other=FOUR_NUMBERS)
def test_scores_are_proper(name: str, truth: np.ndarray, other: np.ndarray) -> None:
    """Nothing scores better in expectation than the true probabilities."""
    p, q = truth / truth.sum(), other / other.sum()
    assume(not np.allclose(p, q))
    kernel: Callable[..., Any] = getattr(metrics, name)
    best, value = (kernel(range(4), np.tile(each, (4, 1)), sample_weight=truth) for each in (p, q))
    assert value > best


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


# Skill --------------------------------------------------------------------------------------


def test_skill_by_hand() -> None:
    """Classes 0, 0, 1, 2: climatology 1/2, 1/4, 1/4 scores 1/2·1/2 + 3/4·1/4 = 7/16."""
    true = [0, 0, 1, 2]
    # 0, 0; 0.01 + 0.01; 1 + 1: a mean of 2.02 / 4
    proba = [[1, 0, 0], [1, 0, 0], [0.1, 0.8, 0.1], [1, 0, 0]]
    assert metrics.rps_skill(true, proba) == approx(1 - 0.505 / 0.4375)
    # the even reference scores (4 + 1)/9, twice; (1 + 1)/9; (1 + 4)/9
    assert metrics.rps_skill(true, proba, reference=[1 / 3] * 3) == approx(1 - 0.505 / (17 / 36))
    assert metrics.rps_skill(true, np.eye(3)[true]) == 1


def test_climatology_has_no_skill_over_itself() -> None:
    true = np.array([0, 0, 1, 2, 2, 2, 2, 3])
    share = np.bincount(true) / 8
    assert metrics.rps_skill(true, np.tile(share, (8, 1))) == approx(0)
    assert metrics.rps_skill(true, np.tile(share, (8, 1)), reference=share) == approx(0)


@pytest.mark.parametrize("weighted", [False, True])
def test_climatology_is_that_of_each_segment(weighted: bool) -> None:
    sample = random_sample(0, 4, 6, 30)
    weight = np.random.default_rng(1).integers(0, 4, (6, 30)) / 2 if weighted else None
    sample.true[1] = np.minimum(sample.true[1], 1)  # classes in other shares
    sample.true[2] = 3
    sample.true[3, :20] = -1
    values = metrics.rps_skill(sample.true, sample.proba, sample_weight=weight)
    assert values.shape == (6,)
    assert math.isnan(values[2])
    for i in range(6):
        expected = oracle.rps_skill(
            sample.true[i], sample.proba[i], weights=None if weight is None else weight[i]
        )
        assert values[i] == approx(expected)
    together = metrics.rps_skill(sample.true.ravel(), sample.proba.reshape(-1, 4))
    assert not np.isclose(values[0], together)


def test_weights_of_climatology_are_repetitions() -> None:
    sample = random_sample(3, 3, 12)
    times = np.arange(12) % 4
    repeated = sample.take(np.repeat(np.arange(12), times))
    for reference in ("climatology", [0.2, 0.3, 0.5]):
        weighed, by_row = (
            metrics.rps_skill(s.true, s.proba, sample_weight=s.weights, reference=reference)
            for s in (sample.weighted(times), repeated)
        )
        assert weighed == approx(by_row)
        assert by_row == approx(
            oracle.rps_skill(
                repeated.true,
                repeated.proba,
                reference=None if reference == "climatology" else reference,
            )
        )


def test_skill_over_a_perfect_reference_is_undefined() -> None:
    """Climatology is perfect if all rows that count have one class."""
    proba = random_sample(0, 3, 4).proba
    for k in range(3):
        for proba_of in (proba, np.eye(3)[[k] * 4]):
            assert math.isnan(metrics.rps_skill([k] * 4, proba_of))
            assert math.isnan(metrics.rps_skill([k, -1, k, -1], proba_of))
            certain = np.eye(3)[k]
            assert math.isnan(metrics.rps_skill([k] * 4, proba_of, reference=certain))
        others = [k, k, (k + 1) % 3, k]
        assert math.isnan(metrics.rps_skill(others, proba, sample_weight=[0.1, 0.7, 0, 1e-9]))
        assert metrics.rps_skill(others, proba, sample_weight=[1, 1, 0.1, 1]) <= 1
    assert math.isnan(metrics.rps_skill([0, 0], [[1], [1]]))
    for proba in ([[0.5, 0.5], [0, 1]], np.eye(2)):
        assert np.isnan(metrics.rps_skill([0, 1], proba, reference=np.eye(2)))
    of_each = metrics.rps_skill(
        [[0, 1], [1, 0]], [[[0.5, 0.5], [0, 1]]] * 2, reference=[[1, 0], [0.5, 0.5]]
    )
    np.testing.assert_allclose(of_each, [1 - 0.25 / 0.25, 1 - 1.25 / 1.25])


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("Climatology", "'Climatology' must be \"climatology\" or 3 probabilities"),
        ("uniform", "'uniform' must be \"climatology\" or 3 probabilities"),
        ([0.5, 0.5], "or 3 probabilities, one per class"),
        (0.5, "or 3 probabilities, one per class"),
        ([[0.2, 0.3, 0.5]], r"reference= has shape \(1, 3\), but the probabilities have shape"),
        ([[[0.2, 0.3, 0.5]]] * 4, r"reference= has shape \(4, 1, 3\)"),
        ([[0.2, 0.3, 0.5], [0.5, 0.5]], "must be an array of numbers"),
        (list("abc"), "must be an array of numbers"),
        (None, "finite numbers only"),
        ([0.2, 0.3, NAN], "finite numbers only"),
        ([0.5, 0.6, -0.1], "negative"),
        ([0.2, 0.3, 0.6], "sums to 1.1"),
        ([20, 30, 50], "divide them by 100"),
    ],
)
def test_bad_references(reference: Any, message: str) -> None:
    sample = random_sample(0, 3, 4)
    for true, proba in ((sample.true, sample.proba), ([], np.empty((0, 3)))):
        with pytest.raises(ValueError, match=message):
            metrics.rps_skill(true, proba, reference=reference)


# Classes and scores of rows -----------------------------------------------------------------


@pytest.mark.parametrize("name", OF_ROWS)
def test_leading_dimensions(name: str) -> None:
    kernel = OF_ROWS[name]
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
    kernel = OF_ROWS[name]
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


def test_a_half_is_a_half_in_spite_of_rounding() -> None:
    """Ten times 0.1 add up to less than 1, and 0.1 + 0.4 - 1e-13 to less than a half."""
    assert metrics.median_class([0.1] * 10) == 4
    assert metrics.median_class([0.1, 0.4 - 1e-13, 0.5 + 1e-13]) == 1
    assert metrics.median_class([0.1, 0.4 - 1e-9, 0.5 + 1e-9]) == 2


@pytest.mark.parametrize("name", OF_ROWS)
def test_silence(name: str) -> None:
    with warnings.catch_warnings(), np.errstate(all="warn"):
        warnings.simplefilter("error")
        OF_ROWS[name]([[1, 0, 0], [1 - 1e-310, 1e-310, 0]])


@pytest.mark.parametrize("name", OF_ROWS)
def test_bad_shapes(name: str) -> None:
    for proba in (1.0, [], np.empty((3, 0))):
        with pytest.raises(ValueError):
            OF_ROWS[name](proba)


def test_wrong_probabilities_of_a_reference_are_those_of_the_reference() -> None:
    right = np.full((2, 3), 1 / 3)
    for wrong in ([[0.5, 0.5, 0.5], [1, 0, 0]], [[2.0, -1, 0], [1, 0, 0]]):
        with pytest.raises(ValueError, match="^reference=: "):
            metrics.rps_skill([0, 1], right, reference=wrong)
    with pytest.raises(ValueError, match=r"^reference= has shape \(3, 3\)"):
        metrics.rps_skill([0, 1], right, reference=np.eye(3))
