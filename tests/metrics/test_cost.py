"""Total cost: against the definitions and by hand; sizes from elsewhere; what is refused."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from oracles import cost
from oracles.cases import check
from oracles.close import approx, assert_same
from oracles.rows import class_sizes
from oracles.strategies import QUICK, matrices

import pandas_ordinal as po

# Definitions --------------------------------------------------------------------------------


@QUICK
@given(counts=matrices())
def test_kernels_are_their_definitions(counts: np.ndarray) -> None:
    check("cost", counts)


@QUICK
@given(counts=matrices())
def test_total_costs(counts: np.ndarray) -> None:
    sizes = class_sizes(counts)
    predicted = counts.sum(axis=0)
    assume(sum(size > 0 for size in sizes) != 1)
    assert_same(po.metrics.total_cost(counts), cost.total_cost(counts))
    assume(all(size > 0 for size, n in zip(sizes, predicted, strict=True) if n > 0))
    assert_same(po.metrics.max_total_cost(counts), cost.max_total_cost(counts))


@QUICK
@given(counts=matrices(min_classes=2))
def test_total_cost_is_counts_times_cost_matrix(counts: np.ndarray) -> None:
    assume((counts.sum(axis=1) > 0).all())
    cells = counts * po.metrics.cost_matrix(counts)
    assert_same(po.metrics.total_cost(counts), cells.sum())


# By hand ------------------------------------------------------------------------------------


FOLDS = np.array([[[2, 0, 1], [0, 1, 0], [0, 0, 0]], [[1, 0, 0], [1, 0, 1], [1, 2, 2]]])
POOLED = FOLDS.sum(axis=0)
SIZES = [4, 3, 5]


def test_total_cost_by_hand() -> None:
    """Σ n · (12 - n_r) / n_c · d over the six cells off the diagonal."""
    cost = Fraction(16, 5) + Fraction(9, 4) + Fraction(9, 5) + Fraction(7, 2) + Fraction(14, 3)
    largest = 4 * 8 * Fraction(2, 5) + 3 * 9 * Fraction(1, 4) + 5 * 7 * Fraction(2, 4)
    assert po.metrics.total_cost(POOLED) == approx(float(cost / 12))
    assert po.metrics.max_total_cost(POOLED) == approx(float(largest / 12))
    assert po.metrics.stc(POOLED) == approx(float(cost / largest))


def test_total_cost_puts_the_predicted_class_below() -> None:
    """One row of class 0 (ten rows) predicted as class 1 (two rows): (12 - 10) / 2."""
    assert po.metrics.total_cost([[9, 1], [0, 2]]) == approx(1 * (2 / 2) / 12)
    assert po.metrics.total_cost([[10, 0], [1, 1]]) == approx(1 * (10 / 10) / 12)
    assert po.metrics.total_cost([[9, 1, 0], [0, 2, 0], [0, 0, 3]]) == approx(1 * (5 / 2) / 15)


@QUICK
@given(counts=matrices(2, 2))
def test_max_total_cost_is_one_for_two_classes(counts: np.ndarray) -> None:
    assume((counts.sum(axis=1) > 0).all())
    assert po.metrics.max_total_cost(counts) == approx(1)


@pytest.mark.parametrize("k", range(2, 12))
def test_max_total_cost_of_balanced_classes(k: int) -> None:
    counts = np.full((k, k), 3)
    expected = (k - 1) * (3 * k - 2) / 4 if k % 2 == 0 else (k - 1) ** 2 * (3 * k + 1) / (4 * k)
    assert po.metrics.max_total_cost(counts) == approx(expected)


@pytest.mark.parametrize("scale", [2, 7, 0.3])
def test_stc_is_scale_free(scale: float) -> None:
    """The paper denies it; with N below the fraction it is."""
    for name in ("total_cost", "max_total_cost", "stc"):
        kernel = getattr(po.metrics, name)
        assert kernel(POOLED * scale) == approx(kernel(POOLED))


def test_stc_undefined_without_sizes() -> None:
    """Class 2 was predicted and has no true row in the first fold."""
    assert math.isnan(po.metrics.stc(FOLDS)[0])
    assert math.isnan(po.metrics.total_cost(FOLDS)[0])
    assert po.metrics.stc([[2, 0, 0], [1, 1, 0], [0, 0, 0]]) == approx(
        po.metrics.stc([[2, 0], [1, 1]])
    )
    assert po.metrics.stc([[2, 0, 0], [0, 0, 0], [1, 0, 1]]) == approx(
        po.metrics.stc([[2, 0], [1, 1]])
    )


def test_cost_matrix() -> None:
    matrix = po.metrics.cost_matrix(POOLED)
    expected = [[0, 8 / 3, 16 / 5], [9 / 4, 0, 9 / 5], [14 / 4, 7 / 3, 0]]
    assert matrix == approx(np.array(expected) / 12)
    assert (POOLED * matrix).sum() == approx(po.metrics.total_cost(POOLED))
    for fold in FOLDS:
        of_fold = po.metrics.cost_matrix(fold, class_sizes=SIZES)
        assert (fold * of_fold).sum() == approx(po.metrics.total_cost(fold, class_sizes=SIZES))


def test_cost_matrix_of_an_absent_class() -> None:
    matrix = po.metrics.cost_matrix([[2, 0, 1], [0, 0, 0], [1, 0, 1]])
    assert np.isnan(matrix[1]).all()
    assert np.isnan(matrix[:, 1]).all()
    # (5 - 3) / 2 · 2 / 5 and (5 - 2) / 3 · 2 / 5
    assert matrix[np.ix_([0, 2], [0, 2])] == approx(np.array([[0, 2 / 5], [2 / 5, 0]]))


def test_cost_matrix_of_two_classes_is_symmetric() -> None:
    """Only for K > 2 does symmetry need balanced classes."""
    matrix = po.metrics.cost_matrix([[90, 1], [2, 3]])
    assert matrix[0, 1] == approx(matrix[1, 0])


@pytest.mark.parametrize("scale", [1e-300, 1e306])
def test_costs_of_counts_at_the_ends_of_what_a_float_holds(scale: float) -> None:
    counts = np.array([[3.0, 1, 0], [0, 2, 1], [1, 0, 4]])
    for kernel, edges in (
        (po.metrics.stc, []),
        (po.metrics.interval_stc, [[0, 1, 3, 7]]),
        (po.metrics.interval_stc, [[0, 1, 3, np.inf]]),
    ):
        expected = kernel(counts, *edges)
        assert kernel(counts * scale, *edges) == pytest.approx(expected, rel=1e-12)


# Sizes from elsewhere -----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["total_cost", "max_total_cost", "stc", "cost_matrix"])
@QUICK
@given(counts=matrices(min_classes=2), more=st.lists(st.integers(0, 4), min_size=5, max_size=5))
def test_costs_with_sizes_from_elsewhere(name: str, counts: np.ndarray, more: list[int]) -> None:
    own = class_sizes(counts)
    sizes = [size + extra for size, extra in zip(own, more, strict=False)]
    predicted = counts.sum(axis=0)
    if name != "stc":
        assume(sum(size > 0 for size in sizes) > 1)
    if name == "max_total_cost":
        assume(all(size > 0 for size, n in zip(sizes, predicted, strict=True) if n > 0))
    actual = getattr(po.metrics, name)(counts, class_sizes=sizes)
    assert_same(actual, getattr(cost, name)(counts, class_sizes=sizes))
    assert_same(getattr(po.metrics, name)(counts, class_sizes=np.array(sizes, float)), actual)


def test_stc_of_folds_with_common_sizes() -> None:
    """The mean over the folds, weighted by their rows, is the pooled value."""
    rows = FOLDS.sum(axis=(1, 2))
    for name in ("total_cost", "stc"):
        kernel = getattr(po.metrics, name)
        folds = kernel(FOLDS, class_sizes=SIZES)
        assert np.average(folds, weights=rows) == approx(kernel(POOLED))
        assert kernel(POOLED, class_sizes=SIZES) == approx(kernel(POOLED))
    assert list(po.metrics.max_total_cost(FOLDS, class_sizes=SIZES)) == approx(
        [po.metrics.max_total_cost(POOLED)] * 2
    )


OF_SIZES = ["total_cost", "max_total_cost", "stc", "cost_matrix"]
COUNTS = [[3, 1, 0], [0, 2, 1], [1, 0, 4]]


@pytest.mark.parametrize("name", OF_SIZES)
@pytest.mark.parametrize(
    "sizes", [[4, 3], [4, 3, 5, 1], [[4], [3], [5]], 4, [0, 3, 5], [4, 3, 0]], ids=str
)
@pytest.mark.parametrize("leading", [(), (2,)], ids=["one", "stack"])
def test_bad_class_sizes(name: str, sizes: Any, leading: tuple[int, ...]) -> None:
    """In `COUNTS` every class has true rows, so that no class size may be 0."""
    with pytest.raises(ValueError):
        getattr(po.metrics, name)(np.broadcast_to(COUNTS, (*leading, 3, 3)), class_sizes=sizes)


@pytest.mark.parametrize("name", ["total_cost", "max_total_cost", "stc", "cost_matrix"])
@pytest.mark.parametrize("position", range(3))
@pytest.mark.parametrize("counts", [COUNTS, np.eye(3)], ids=["several", "one"])
def test_class_size_zero_names_the_class(name: str, position: int, counts: Any) -> None:
    """The class is the first one that has true rows but no size."""
    sizes = np.array([4, 3, 5])
    sizes[position] = 0
    with pytest.raises(ValueError, match=f"class {position}"):
        getattr(po.metrics, name)(counts, class_sizes=sizes)


@pytest.mark.parametrize("name", ["total_cost", "max_total_cost", "stc", "cost_matrix"])
def test_class_size_zero_is_fine_without_true_rows(name: str) -> None:
    counts = [[3, 1, 0], [0, 2, 0], [0, 0, 0]]
    value = getattr(po.metrics, name)(counts, class_sizes=[4, 2, 0])
    assert np.shape(value) == ((3, 3) if name == "cost_matrix" else ())


def test_counts_whose_products_exceed_floats() -> None:
    counts = np.array([[300.0, 1, 1], [0, 2, 1], [1, 0, 4]])
    for name in ("total_cost", "stc"):
        due = getattr(po.metrics, name)(counts)
        for unit in (1e200, 5e304):
            assert getattr(po.metrics, name)(counts * unit) == pytest.approx(due)


UNITS = [1e-300, 1e-160, 1, 2.0**60, 1e160, 1e300]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("price", [1e-150, 1, 1e149])
def test_costs_of_any_size_times_counts_of_any_size(unit: float, price: float) -> None:
    """Also where a product, or the sum of all, is not a float."""
    counts = np.array([[3.0, 1, 2], [0, 5, 1], [2, 0, 6]])
    costs = np.array([[0.0, 1, 4], [2, 0, 1], [8, -3, 0]])
    mean = (1 * 1 + 2 * 4 + 1 * 1 + 2 * 8) / 20
    found = po.metrics.expected_cost(counts * unit, costs=costs * price)
    assert found == pytest.approx(mean * price, rel=1e-12)
    both = po.metrics.expected_cost([counts * unit, counts, 0 * counts], costs=costs * price)
    assert both[:2] == pytest.approx(mean * price, rel=1e-12) and np.isnan(both[2])


@pytest.mark.parametrize("price", [1e-200, 1e150, 1e300])
def test_costs_whose_squares_are_not_floats(price: float) -> None:
    costs = np.array([[0, -price], [price / 1e100, 0]])
    with pytest.raises(ValueError, match=r"largest number of costs= is 1e.*: give costs= in"):
        po.metrics.expected_cost(np.eye(2), costs=costs)
    with pytest.raises(ValueError, match=r"largest number of edges= is 1e.*: give edges= in"):
        po.metrics.interval_mae(np.eye(2), [-np.inf, 0, price])


@pytest.mark.parametrize("unit", [1e-300, 1, 1e10, 1e300])
@pytest.mark.parametrize("sizes", [[1e-300, 1, 1], [1e300, 1, 2], [3, 1, 1e300]], ids=str)
def test_costs_of_classes_of_very_different_size(unit: float, sizes: list[float]) -> None:
    counts = np.array([[3.0, 1, 2], [0, 5, 1], [2, 0, 6]]) * unit
    exact = [Fraction(size) for size in sizes]
    rows = [(r, c, Fraction(counts[r, c])) for r in range(3) for c in range(3)]
    cost = sum(n * (sum(exact) - exact[r]) / exact[c] * abs(r - c) for r, c, n in rows) / sum(
        n for _, _, n in rows
    )
    highest = sum(
        exact[r] * (sum(exact) - exact[r]) * max(abs(r - c) / exact[c] for c in range(3))
        for r in range(3)
    ) / sum(exact)
    due = {"total_cost": cost, "max_total_cost": highest, "stc": cost / highest}
    for name, value in due.items():
        found = getattr(po.metrics, name)(counts, class_sizes=sizes)
        assert found == pytest.approx(float(value), rel=1e-12)


@pytest.mark.parametrize("exponent", [520, 600, 900])
def test_huge_counts_whose_products_with_costs_are_beyond_the_largest_float(exponent: int) -> None:
    n = 2.0**exponent
    counts = [[0, 0, 0], [n, 0, 0], [0, 0, n]]
    # half of all rows cost (1 + n) / 1
    assert po.metrics.total_cost(counts, class_sizes=[1, n, n]) == n / 2


def test_the_class_of_size_0_that_has_rows_is_named() -> None:
    with pytest.raises(ValueError, match="size 0 to class 1 "):
        po.metrics.stc([[0, 0, 0], [0, 2, 1], [0, 0, 3]], class_sizes=[0, 0, 5])
