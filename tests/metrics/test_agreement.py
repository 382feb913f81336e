"""Agreement beyond chance: against the definitions and published values; what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from oracles.cases import check
from oracles.close import approx, printed
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
    """Four classes; bipolar: b = 1/5, 1/3, 1/5 beside the diagonal, 1/2 and 1/2, then 1."""
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
