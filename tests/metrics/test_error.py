"""How often and how far predictions are wrong: against the definitions; what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from oracles.cases import check
from oracles.close import approx
from oracles.rows import confusion
from oracles.strategies import QUICK, matrices

import pandas_ordinal as po

# Definitions --------------------------------------------------------------------------------


@QUICK
@given(counts=matrices())
def test_kernels_are_their_definitions(counts: np.ndarray) -> None:
    check("error", counts)


# Values that people reported, and where other tools go wrong --------------------------------


def test_d02_a_predicted_class_without_true_rows() -> None:
    counts = confusion("aa", "ab", "ab")
    assert po.metrics.amae(counts) == approx(0.5)
    assert po.metrics.mmae(counts) == approx(0.5)
    assert po.metrics.min_mae(counts) == approx(0.5)
    assert list(po.metrics.class_mae(counts)) == approx([0.5, math.nan])
    assert list(po.metrics.class_recall(counts)) == approx([0.5, math.nan])


def test_d07_accuracy_within() -> None:
    counts = confusion([1, 1, 1, 2], [0, 2, 1, 0])
    assert po.metrics.accuracy_within(counts) == approx(0.75)
    for k, expected in [(0, 0.25), (1, 0.75), (2, 1.0), (3, 1.0), (99, 1.0)]:
        assert po.metrics.accuracy_within(counts, k=k) == approx(expected)


def test_c05_pooling_is_not_averaging() -> None:
    folds = np.array([[[2, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 0, 1], [0, 0, 0], [0, 0, 0]]])
    assert list(po.metrics.mae(folds)) == approx([0, 2])
    assert po.metrics.mae(folds.sum(axis=0)) == approx(0.4)


def test_b05_classes_are_one_step_apart() -> None:
    assert po.metrics.mae(confusion([0, 1, 2], [1, 2, 0])) == approx(4 / 3)


def test_peers_class_absent_from_truth() -> None:
    assert po.metrics.amae(confusion([0, 0, 2, 2], [0, 1, 2, 1])) == approx(0.5)


def test_peers_predictions_outside_the_true_classes_count() -> None:
    assert po.metrics.accuracy_within(confusion([0, 0, 0, 1], [0, 3, 3, 1])) == approx(0.5)


def test_peers_labels_keep_their_distance() -> None:
    counts = confusion([1, 1, 5, 5], [5, 5, 1, 1], range(1, 6))
    assert po.metrics.amae(counts) == approx(4)
    assert po.metrics.accuracy_within(counts) == 0


def test_peers_a_fold_without_the_middle_classes() -> None:
    counts = confusion([0], [3])
    for name in ("mae", "amae", "mmae", "rmse", "bias"):
        assert getattr(po.metrics, name)(counts) == approx(3)


def test_minimum_sensitivity_of_classes_present() -> None:
    counts = confusion([0, 0, 2, 2], [0, 1, 2, 1], range(3))
    assert po.metrics.min_sensitivity(counts) == 0.5
    assert po.metrics.geometric_mean(counts) == approx(0.5)
    assert po.metrics.geometric_mean([[1, 0], [1, 0]]) == 0


# Bad options --------------------------------------------------------------------------------


COUNTS = [[3, 1, 0], [0, 2, 1], [1, 0, 4]]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("accuracy_within", {"k": -1}),
        ("expected_cost", {"costs": np.ones((2, 2))}),
        ("expected_cost", {"costs": np.ones((4, 4))}),
        ("expected_cost", {"costs": np.ones(3)}),
        ("expected_cost", {"costs": 1.0}),
    ],
)
@pytest.mark.parametrize("leading", [(), (2,)], ids=["one", "stack"])
def test_bad_options(name: str, options: dict[str, Any], leading: tuple[int, ...]) -> None:
    kernel = getattr(po.metrics, name)
    with pytest.raises(ValueError):
        kernel(np.broadcast_to(COUNTS, (*leading, 3, 3)), **options)


def test_costs_have_no_default() -> None:
    with pytest.raises(TypeError):
        po.metrics.expected_cost(COUNTS)  # type: ignore[call-arg]
