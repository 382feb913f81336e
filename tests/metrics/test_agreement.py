"""Agreement beyond chance: against the definitions and published values; what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import kappa
from oracles.cases import KAPPA_WEIGHTS, check, some_weights
from oracles.close import approx, assert_same, printed
from oracles.published import PUBLISHED
from oracles.rows import confusion
from oracles.strategies import QUICK, matrices

import pandas_ordinal as po

# Definitions --------------------------------------------------------------------------------


@QUICK
@given(counts=matrices())
def test_kernels_are_their_definitions(counts: np.ndarray) -> None:
    check("agreement", counts)


def test_kappa_named_weights_equal_written_ones() -> None:
    """Four classes; bipolar: b = 1/5, 1/3, 1/5 next to the diagonal, 1/2 and 1/2, then 1."""
    counts = [[10, 4, 1, 0], [5, 10, 12, 2], [2, 4, 12, 5], [0, 2, 6, 13]]
    steps = {
        "identity": [0, 0, 0],
        "linear": [2 / 3, 1 / 3, 0],
        "quadratic": [8 / 9, 5 / 9, 0],
        "radical": [1 - math.sqrt(1 / 3), 1 - math.sqrt(2 / 3), 0],
        "ordinal": [5 / 6, 3 / 6, 0],
    }
    for name, (one, two, three) in steps.items():
        weights = [
            [1, one, two, three],
            [one, 1, one, two],
            [two, one, 1, one],
            [three, two, one, 1],
        ]
        named = po.metrics.kappa(counts, weights=name)
        assert named == approx(po.metrics.kappa(counts, weights=weights))
    bipolar = [
        [1, 4 / 5, 1 / 2, 0],
        [4 / 5, 1, 8 / 9, 1 / 2],
        [1 / 2, 8 / 9, 1, 4 / 5],
        [0, 1 / 2, 4 / 5, 1],
    ]
    assert po.metrics.kappa(counts, weights="bipolar") == approx(
        po.metrics.kappa(counts, weights=bipolar)
    )


def test_kappa_of_constant_weights_is_undefined() -> None:
    counts = np.random.default_rng(0).integers(0, 9, (20, 3, 3)) + 1
    assert np.isnan(po.metrics.kappa(counts, weights=np.ones((3, 3)))).all()


@pytest.mark.parametrize(
    "name", ["kappa", "scott_pi", "gwet_ac", "brennan_prediger", "krippendorff_alpha"]
)
@pytest.mark.parametrize("weights", KAPPA_WEIGHTS)
def test_a_single_class_is_always_agreed_on(name: str, weights: str) -> None:
    """By chance too: 0 / 0."""
    assert np.isnan(getattr(po.metrics, name)([[3]], weights=weights))
    assert np.isnan(getattr(po.metrics, name)([[[3]], [[1]]], weights=weights)).all()


def test_brennan_prediger_is_not_bounded_by_minus_one() -> None:
    assert po.metrics.brennan_prediger([[0, 0, 1], [0, 0, 0], [1, 0, 0]]) == approx(-2)


# Published values ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("disagreement", "expected"),
    [([[0, 1, 3], [1, 0, 6], [3, 6, 0]], "0.348"), ([[0, 1, 4], [1, 0, 6], [2, 2, 0]], "0.353")],
)
def test_kappa_with_weights_of_cohen_1968(disagreement: list[list[int]], expected: str) -> None:
    counts, _ = PUBLISHED["cohen1968"]
    weights = 1 - np.array(disagreement) / 6
    assert po.metrics.kappa(counts, weights=weights) == printed(expected)


def test_kappa_of_sklearn_test_suite() -> None:
    counts = confusion([0] * 46 + [1] * 44 + [2] * 10, [0] * 50 + [1] * 40 + [2] * 10)
    expected = {"identity": "0.9315", "linear": "0.9412", "quadratic": "0.9541"}
    for weights, text in expected.items():
        assert po.metrics.kappa(counts, weights=weights) == printed(text)


@pytest.mark.parametrize(
    ("true", "pred", "classes", "expected"),
    [
        ([1, 2, 1], [1, 2, 2], range(1, 3), 0.4),
        ([1, 2, 3, 1, 2, 2, 3], [1, 2, 3, 1, 2, 3, 2], range(1, 4), 0.75),
        ([1, 3, 5], [2, 4, 6], range(1, 7), 0.8421052631578947),
        ([1, 3, 3, 5], [2, 4, 5, 6], range(1, 7), 0.6956521739130435),
    ],
)
def test_quadratic_kappa_of_benhamner_metrics(
    true: list[int], pred: list[int], classes: range, expected: float
) -> None:
    assert po.metrics.kappa(confusion(true, pred, classes)) == approx(expected)


@pytest.mark.parametrize(
    ("name", "unweighted", "quadratic"),
    [
        ("scott_pi", "0.7962397", "0.8921093"),
        ("gwet_ac", "0.8493305", "0.9402369"),
        ("brennan_prediger", "0.835", "0.9175"),
        ("krippendorff_alpha", "0.7972585", "0.8926487"),
    ],
)
def test_agreement_of_three_abstractors(name: str, unweighted: str, quadratic: str) -> None:
    """As the package irrCAC prints it."""
    kernel = getattr(po.metrics, name)
    counts = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
    assert kernel(counts, weights="quadratic") == printed(quadratic)
    assert kernel(counts, weights="identity") == printed(unweighted)


@pytest.mark.parametrize(
    ("counts", "value"),
    [
        ([[2, 20, 33], [8, 337, 226], [8, 266, 480]], "0.6531"),
        ([[86, 58, 65], [33, 22, 35], [75, 28, 108]], "0.5863"),
        ([[3, 11, 19], [1, 2, 14], [4, 13, 92]], "0.626"),
        ([[0, 2, 10], [2, 5, 22], [4, 14, 61]], "0.5613"),
        ([[1, 1, 0], [0, 0, 0], [0, 0, 1]], "0.826"),
    ],
)
def test_closeness_of_polarity_systems(counts: list[list[int]], value: str) -> None:
    """Of RepLab 2013, by the authors' own program; the last one has an empty class between."""
    assert po.metrics.cem(counts) == printed(value)


# Krippendorff's alpha -----------------------------------------------------------------------

FOUR_GRADES = [[13, 6, 2, 0], [9, 2, 10, 1], [1, 4, 10, 3], [0, 1, 2, 6]]
LEVELS = {
    "nominal": "0.2425597",
    "ordinal": "0.6400773",
    "interval": "0.6489899",
    "ratio": "0.5763529",
}


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_of_four_grades(level: str) -> None:
    """As the package krippendorff prints it."""
    alpha = po.metrics.krippendorff_alpha
    assert alpha(FOUR_GRADES, level=level) == printed(LEVELS[level])
    stack = alpha([FOUR_GRADES, np.zeros((4, 4)), np.transpose(FOUR_GRADES)], level=level)
    assert stack[0] == printed(LEVELS[level])
    assert stack[2] == printed(LEVELS[level])
    assert math.isnan(stack[1])


def test_alpha_is_ordinal_by_default() -> None:
    alpha = po.metrics.krippendorff_alpha
    assert alpha(FOUR_GRADES) == printed(LEVELS["ordinal"])
    assert alpha(FOUR_GRADES) == alpha(FOUR_GRADES, level="ordinal")


def test_alpha_with_the_weights_of_irrcac() -> None:
    """Gwet's ordinal weights differ from the ordinal level."""
    alpha = po.metrics.krippendorff_alpha
    assert alpha(FOUR_GRADES, weights="ordinal") == printed("0.5837560")
    assert alpha(FOUR_GRADES, weights="identity") == printed(LEVELS["nominal"])
    assert alpha(FOUR_GRADES, weights="quadratic") == printed(LEVELS["interval"])


def test_alpha_of_values() -> None:
    """1 to K by default; an interval has neither zero nor unit, a ratio has no unit."""
    alpha = po.metrics.krippendorff_alpha
    for level in ("interval", "ratio"):
        as_numbered = alpha(FOUR_GRADES, level=level, values=[1, 2, 3, 4])
        assert as_numbered == printed(LEVELS[level])
        for unit in (10, 1e200, 1e-200):
            values = [unit, 2 * unit, 3 * unit, 4 * unit]
            assert alpha(FOUR_GRADES, level=level, values=values) == approx(as_numbered)
        uneven = alpha(FOUR_GRADES, level=level, values=[1, 2, 3, 9])
        assert abs(uneven - as_numbered) > 1e-3
    for values in ([0, 1, 2, 3], [-7.5, -5, -2.5, 0]):
        moved = alpha(FOUR_GRADES, level="interval", values=values)
        assert moved == approx(alpha(FOUR_GRADES, level="interval"))
    assert abs(alpha(FOUR_GRADES, level="ratio", values=[0, 1, 2, 3]) - float(LEVELS["ratio"])) > (
        1e-3
    )


@pytest.mark.parametrize("values", [[1e-200, 1, 2], [1e200, 2e200, 3e200], [-2e-200, -1e-200, 0]])
def test_alpha_of_values_whose_squares_are_not_floats(values: list[float]) -> None:
    alpha = po.metrics.krippendorff_alpha(COUNTS, level="interval", values=values)
    assert alpha == approx(po.metrics.krippendorff_alpha(COUNTS, level="interval"))


def test_alpha_of_a_ratio_knows_which_end_is_zero() -> None:
    """One more class above does not matter, one below moves the values of all others."""
    wider = np.zeros((2, 5, 5))
    wider[0, :4, :4] = wider[1, 1:, 1:] = FOUR_GRADES
    above, below = po.metrics.krippendorff_alpha(wider, level="ratio")
    assert above == printed(LEVELS["ratio"])
    assert abs(below - above) > 1e-3


def test_alpha_of_two_classes_that_are_zero_together() -> None:
    """Values that are both zero do not differ."""
    counts = [[3, 1, 0], [0, 2, 1], [1, 0, 4]]
    options = {"level": "ratio", "values": [0, 0, 1]}
    merged = po.metrics.krippendorff_alpha([[6, 1], [1, 4]], level="nominal")
    assert po.metrics.krippendorff_alpha(counts, **options) == approx(merged)


@pytest.mark.parametrize(
    "options", [{"level": level} for level in LEVELS] + [{"weights": "linear"}]
)
def test_alpha_below_two_rows_is_undefined(options: dict[str, Any]) -> None:
    """One row is one pair of values, and n - 1 = 1 would make alpha 0 for any error."""
    alpha = po.metrics.krippendorff_alpha
    one = np.array([[0, 1, 0], [0, 0, 0], [0, 0, 0]])
    other = np.array([[0, 0, 0], [0, 0.25, 0], [0, 0, 0.7]])
    for counts in (one, one.T, np.diag([1, 0, 0]), one * 0.3, one * 1.999, other, one * 1e-60):
        assert math.isnan(alpha(counts, **options))
    # two rows, one wrong: o∘δ is as much as m mᵀ∘δ / n, so that 1 - (n - 1) / n · n / 3 = 0
    two = np.array([[1, 1, 0], [0, 0, 0], [0, 0, 0]])
    assert alpha(two, **options) == approx(0)
    halves = two / 2
    assert np.isnan(alpha([halves, two * 0.999], **options)).all()
    # both wrong, each its own way: 1 - 3 · 4 / 8
    crossed = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]])
    assert alpha(crossed, **options) == approx(-0.5)


@QUICK
@given(counts=matrices(), parts=st.sampled_from([1, 2, 4, 7]))
def test_alpha_is_never_above_one(counts: np.ndarray, parts: int) -> None:
    alpha = po.metrics.krippendorff_alpha
    for options in [{"level": level} for level in LEVELS] + [
        {"weights": w} for w in KAPPA_WEIGHTS
    ]:
        value = alpha(counts / parts, **options)
        assert math.isnan(value) or value <= 1
        if counts.sum() < 2 * parts:
            assert math.isnan(value)


@QUICK
@given(counts=matrices(), parts=st.sampled_from([2, 4, 8]))
def test_alpha_of_parts_of_rows(counts: np.ndarray, parts: int) -> None:
    for level in LEVELS:
        actual = po.metrics.krippendorff_alpha(counts / parts, level=level)
        assert_same(actual, kappa.krippendorff_alpha(counts / parts, level=level), of=level)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": "ordinal", "weights": "quadratic"}, "level='ordinal'.*weights=.*give one"),
        ({"level": "nominal", "weights": np.eye(4)}, "level='nominal'.*weights=.*give one"),
        ({"values": [1, 2, 3, 4], "weights": "linear"}, "values=.*weights=.*give one"),
        ({"level": "Ordinal"}, '\'Ordinal\' must be "nominal", "ordinal", "interval"'),
        ({"level": "quadratic"}, "'quadratic' must be \"nominal\""),
        ({"level": ["ordinal"]}, 'must be "nominal", "ordinal", "interval", "ratio" or None'),
        (
            {"values": [1, 2, 3, 4]},
            "values= are for the levels interval and ratio, not.*'ordinal'",
        ),
        ({"level": "nominal", "values": [1, 2, 3, 4]}, "values= are for .*not for 'nominal'"),
        ({"level": "ordinal", "values": [1, 2, 3, 4]}, "values= are for .*not for 'ordinal'"),
        ({"level": "interval", "values": [1, 2, 3]}, "must be 4 numbers, one per class"),
        ({"level": "interval", "values": 3}, "must be 4 numbers, one per class"),
        ({"level": "interval", "values": [[1, 2, 3, 4]]}, "must be 4 numbers, one per class"),
        ({"level": "interval", "values": list("abcd")}, "must be an array of numbers"),
        ({"level": "interval", "values": [1, 2, 3, math.nan]}, "finite numbers only"),
        ({"level": "ratio", "values": [1, 2, 3, math.inf]}, "finite numbers only"),
        ({"level": "ratio", "values": [-1, 2, 3, 4]}, "none negative for a ratio"),
    ],
)
def test_bad_options_of_alpha(options: dict[str, Any], message: str) -> None:
    for counts in (FOUR_GRADES, [FOUR_GRADES] * 3, np.empty((0, 4, 4))):
        with pytest.raises(ValueError, match=message):
            po.metrics.krippendorff_alpha(counts, **options)


# Values that people reported ----------------------------------------------------------------


def test_d05_kappa_keeps_declared_classes() -> None:
    true, pred = [1, 2, 5, 5, 1], [1, 5, 5, 2, 1]
    assert po.metrics.kappa(confusion(true, pred, range(1, 6))) == printed("0.464286")
    assert po.metrics.kappa(confusion(true, pred, [1, 2, 5])) == approx(0.75)
    for weights in ("linear", "quadratic"):
        five, six = (confusion(true, pred, range(1, k + 1)) for k in (5, 6))
        assert po.metrics.kappa(six, weights=weights) == approx(
            po.metrics.kappa(five, weights=weights)
        )


def test_d06_kappa_is_twice_covariance_over_spread() -> None:
    assert po.metrics.kappa(confusion([0, 1, 2, 2, 0], [0, 2, 2, 0, 0])) == approx(4 / 9)


@pytest.mark.parametrize("scale", [1, 0.5])
def test_c13_weights(scale: float) -> None:
    counts = np.zeros((3, 3))
    np.add.at(counts, ([0, 1, 2, 2, 0], [0, 2, 2, 0, 0]), [2, 1, 1, 1, 3])
    assert po.metrics.kappa(counts * scale) == printed("0.583333")
    assert po.metrics.mae(counts * scale) == approx(0.375)


def test_a03_ratings() -> None:
    counts = confusion([1, 2, 5, 10], [2, 2, 1, 5], [1, 2, 5, 10])
    assert po.metrics.kappa(counts) == approx(0.25)


# Bad options --------------------------------------------------------------------------------


COUNTS = [[3, 1, 0], [0, 2, 1], [1, 0, 4]]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("kappa", {"weights": "cubic"}),
        ("kappa", {"weights": "Quadratic"}),
        ("kappa", {"weights": np.eye(2)}),
        ("kappa", {"weights": np.eye(4)}),
        ("kappa", {"weights": np.ones(3)}),
        ("kappa", {"weights": np.ones((3, 4))}),
        *[
            (name, {"weights": "cubic"})
            for name in ("scott_pi", "gwet_ac", "brennan_prediger", "krippendorff_alpha")
        ],
    ],
)
@pytest.mark.parametrize("leading", [(), (2,)], ids=["one", "stack"])
def test_bad_options(name: str, options: dict[str, Any], leading: tuple[int, ...]) -> None:
    kernel = getattr(po.metrics, name)
    with pytest.raises(ValueError):
        kernel(np.broadcast_to(COUNTS, (*leading, 3, 3)), **options)


COEFFICIENTS = ["kappa", "scott_pi", "gwet_ac", "brennan_prediger", "krippendorff_alpha"]
APART = np.array([[0, 1, 2], [1, 0, 1], [2, 1, 0]])


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize(
    "weights",
    [
        APART,
        APART**2,
        APART / 2,
        np.zeros((3, 3)),
        1 - np.eye(3),
        np.diag([1, 1, 0.5]),
        np.diag([1, 1 + 1e-6, 1]),
        np.diag([1, 1 - 1e-6, 1]),
        np.diag([1, -1, 1]),
        2 * np.eye(3),
        np.eye(3) + 1.5 * np.eye(3, k=1),
        np.eye(3) + (1 + 1e-6) * np.eye(3, k=-1),
    ],
)
def test_weights_that_are_not_agreements(name: str, weights: np.ndarray) -> None:
    """In particular matrices of disagreement, with which kappa would be -9, or 2.67."""
    for given_as in (weights, weights.tolist(), pd.DataFrame(weights)):
        for counts in (COUNTS, [COUNTS] * 2):
            with pytest.raises(ValueError, match=r"1 on the diagonal.*1 - d / d\.max\(\)"):
                getattr(po.metrics, name)(counts, weights=given_as)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_conversion_that_the_message_names(name: str) -> None:
    kernel = getattr(po.metrics, name)
    for d, named in ((APART, "linear"), (APART**2, "quadratic"), (APART > 0, "identity")):
        assert kernel(COUNTS, weights=1 - d / d.max()) == approx(kernel(COUNTS, weights=named))


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize(
    "weights",
    [
        [[1, 0.5, -1], [0.5, 1, 0.5], [-1, 0.5, 1]],
        [[1, -3, -9.5], [0, 1, -3], [-2, 1, 1]],
        [[1, 1, 0], [1, 1, 1], [0, 1, 1]],
        [[1, 1 / 3, 0], [0.1 + 0.2, 1 - 1e-15, 0.5], [0, 1e-300, 1 + 1e-15]],
        [[1, 1 + 1e-12, 0], [0.5, 1, 0.5], [0, 0.5, 1]],
        some_weights(3),
    ],
    ids=["negative", "very negative", "full beside it", "rounded", "tolerated", "not symmetric"],
)
def test_weights_that_are_agreements(name: str, weights: Any) -> None:
    expected = getattr(kappa, name)(COUNTS, weights=weights)
    for given_as in (weights, np.array(weights), pd.DataFrame(weights)):
        assert getattr(po.metrics, name)(COUNTS, weights=given_as) == approx(expected)
