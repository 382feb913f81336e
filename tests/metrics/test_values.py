"""Values from papers, from other software and from counting by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from oracles import cost, errors, kappa, oci, pairs
from oracles.published import PUBLISHED
from oracles.rows import confusion
from scipy import optimize

import pandas_ordinal as po

NAN = float("nan")
KAPPA_WEIGHTS = ["identity", "linear", "quadratic", "ordinal", "radical", "bipolar"]


def printed(value: str) -> Any:
    """What a printed number stands for: half a unit of its last digit around it."""
    half_unit = 0.5 * 10.0 ** int(Decimal(value).as_tuple().exponent)
    return pytest.approx(float(value), rel=0, abs=max(half_unit * 1.000001, 1e-12))


def approx(value: Any, tolerance: float = 1e-12) -> Any:
    return pytest.approx(value, rel=0, abs=tolerance, nan_ok=True)


# Cardoso & Sousa 2011, tables 1-5 -------------------------------------------------------------

CM = {
    "A": [[4, 0, 0, 0], [0, 6, 0, 0], [0, 0, 0, 0], [0, 0, 0, 3]],
    "B": [[0, 4, 0, 0], [0, 0, 6, 0], [0, 0, 0, 0], [0, 0, 0, 3]],
    "C": [[0, 0, 4, 0], [0, 0, 6, 0], [0, 0, 0, 0], [0, 0, 0, 3]],
    "D": [[0, 4, 0, 0], [6, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 3]],
    "CM1": [[2, 0, 1], [1, 1, 0], [2, 1, 2]],
    "CM2": [[1, 0, 0], [0, 4, 0], [2, 2, 1]],
    "CM3": [[1, 0, 1], [0, 0, 0], [3, 2, 0]],
    "CM4": [[1, 0, 1], [0, 2, 1], [1, 1, 0]],
    "CM5": [[1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 3], [0, 0, 0, 0]],  # second row: a misprint
    "CM6": [[0, 0, 1, 0], [1, 1, 1, 0], [1, 1, 1, 0], [0, 0, 0, 0]],
    "CM10": [[0] * 5, [0, 50, 7, 0, 0], [0, 2, 94, 2, 0], [0, 0, 11, 39, 0], [0, 0, 0, 5, 30]],
    "CM11": [[0] * 5, [0, 0, 45, 12, 0], [0, 0, 2, 87, 9], [0, 0, 0, 6, 44], [0, 0, 0, 0, 35]],
    "CM12": [[0] * 5, [0, 50, 7, 0, 0], [0, 2, 94, 2, 0], [0, 0, 21, 29, 0], [0, 0, 0, 29, 6]],
}
# error rate, MAE, Spearman, tau b, r_int, OCI with beta 0.25 and with beta 0.75
PRINTED = {
    "A": "0.0 0.0 1.0 1.0 1.0 0.0 0.0",
    "B": "0.77 0.77 1.0 1.0 1.0 0.50 0.63",
    "C": "0.77 1.08 0.79 0.75 0.80 0.61 0.78",
    "D": "0.77 0.77 0.24 0.11 0.53 0.65 0.72",
    "CM1": "0.50 - - - - - -",  # the rest of the row is lost in our copy
    "CM2": "0.40 0.60 0.10 0.11 0.45 0.53 0.58",
    "CM3": "0.86 1.43 -0.26 -0.254 0.34 0.79 0.93",
    "CM4": "0.57 - -0.25 -0.250 0.08 0.71 0.75",  # MAE .857 is printed as .85: cut
    "CM5": "0.86 1.00 0.89 0.84 0.81 0.58 0.75",
    "CM6": "0.71 1.00 -0.29 -0.26 0.06 0.74 0.79",
    "CM10": "0.11 0.11 0.93 0.91 0.91 0.12 0.13",
    "CM11": "0.82 0.91 0.89 0.85 0.84 0.55 0.66",
    "CM12": "0.25 0.25 0.90 0.86 0.86 0.23 0.26",
}


@pytest.mark.parametrize("name", CM)
def test_cardoso_sousa_tables(name: str) -> None:
    counts = CM[name]
    values = [
        po.metrics.error_rate(counts),
        po.metrics.mae(counts),
        po.metrics.spearman(counts),
        po.metrics.kendall_tau(counts),
        po.metrics.r_int(counts),
        po.metrics.oci(counts, beta=0.25),
        po.metrics.oci(counts, beta=0.75),
    ]
    for value, text in zip(values, PRINTED[name].split(), strict=True):
        assert text == "-" or value == printed(text)


def test_cardoso_sousa_cut_value() -> None:
    assert po.metrics.mae(CM["CM4"]) == approx(6 / 7)


# tests/oracles/published.py -------------------------------------------------------------------

PUBLISHED_KERNELS: dict[str, Callable[[np.ndarray], float]] = {
    "accuracy": lambda n: po.metrics.accuracy(n),
    "amae": lambda n: po.metrics.amae(n),
    "bias": lambda n: po.metrics.bias(n),
    "gamma": lambda n: po.metrics.goodman_kruskal_gamma(n),
    "kappa": lambda n: po.metrics.kappa(n, weights="identity"),
    "kappa_linear": lambda n: po.metrics.kappa(n, weights="linear"),
    "kappa_quadratic": lambda n: po.metrics.kappa(n, weights="quadratic"),
    "mae": lambda n: po.metrics.mae(n),
    # these sources do not divide by the number of rows
    "max_total_cost_times_n": lambda n: po.metrics.max_total_cost(n) * n.sum(),
    "total_cost_times_n": lambda n: po.metrics.total_cost(n) * n.sum(),
    "ndpm": lambda n: po.metrics.ndpm(n),
    "oci": lambda n: po.metrics.oci(n),
    "somers_d": lambda n: po.metrics.somers_d(n),
    "somers_d_transposed": lambda n: po.metrics.somers_d(n.T),
    "stc": lambda n: po.metrics.stc(n),
    "tau_b": lambda n: po.metrics.kendall_tau(n),
    "tau_c": lambda n: po.metrics.kendall_tau(n, variant="c"),
}


@pytest.mark.parametrize(
    ("source", "quantity"), [(s, q) for s, (_, values) in PUBLISHED.items() for q in values]
)
def test_published_matrix(source: str, quantity: str) -> None:
    counts, values = PUBLISHED[source]
    actual = PUBLISHED_KERNELS[quantity](np.array(counts))
    for text in values[quantity]:
        assert actual == printed(text)


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


def test_docstrings_of_skordinal_and_dlordinal() -> None:
    counts = confusion([0, 0, 1, 2, 3, 0, 0], [0, 1, 1, 2, 3, 0, 1])
    assert po.metrics.amae(counts) == approx(0.125)
    assert po.metrics.mmae(counts) == approx(0.5)
    assert po.metrics.kendall_tau(counts) == approx(0.8140915784106943)
    assert po.metrics.error_rate(counts) == approx(0.2857142857142857)


def test_r_int_of_the_corrigendum() -> None:
    """Its table 1: six pairs in S1, six in S2, three in both."""
    assert po.metrics.r_int(confusion([2, 1, 0, 3], [0, 1, 2, 3])) == approx(0)


# What people reported; the ids are those of the collection ------------------------------------


def test_d02_a_predicted_class_without_true_rows() -> None:
    counts = confusion("aa", "ab", "ab")
    assert po.metrics.amae(counts) == approx(0.5)
    assert po.metrics.mmae(counts) == approx(0.5)
    assert po.metrics.min_mae(counts) == approx(0.5)
    assert list(po.metrics.class_mae(counts)) == approx([0.5, NAN])
    assert list(po.metrics.class_recall(counts)) == approx([0.5, NAN])


def test_d03_rare_classes_and_far_errors() -> None:
    counts = confusion([1, 1, 1, 1, 1, 2], [1, 2, 1, 2, 1, 2], [1, 2])
    assert po.metrics.mae(counts) == approx(1 / 3)
    assert po.metrics.amae(counts) == approx(0.2)

    near = [[7, 1, 0], [0, 1, 0], [0, 0, 1]]
    assert po.metrics.accuracy(near) == approx(0.9)
    assert po.metrics.mae(near) == approx(0.1)
    assert po.metrics.amae(near) == printed("0.041667")
    assert po.metrics.kappa(near) == printed("0.883721")
    assert po.metrics.accuracy_within(near) == approx(1)

    far = [[7, 0, 1], [0, 1, 0], [0, 0, 1]]
    assert po.metrics.accuracy(far) == approx(0.9)
    assert po.metrics.mae(far) == approx(0.2)
    assert po.metrics.amae(far) == printed("0.083333")
    assert po.metrics.kappa(far) == printed("0.636364")
    assert po.metrics.accuracy_within(far) == approx(0.9)


@pytest.mark.parametrize("cell", [3, 0.1 + 0.2])
@pytest.mark.parametrize("position", range(3))
def test_d04_one_class_only(cell: float, position: int) -> None:
    counts = np.zeros((3, 3))
    counts[position, position] = cell
    for weights in KAPPA_WEIGHTS:
        assert math.isnan(po.metrics.kappa(counts, weights=weights))
    for undefined in ("pearson", "accuracy_pearson", "spearman", "kendall_tau", "stc"):
        assert math.isnan(getattr(po.metrics, undefined)(counts))
    for undefined in ("goodman_kruskal_gamma", "somers_d", "ndpm"):
        assert math.isnan(getattr(po.metrics, undefined)(counts))
    assert po.metrics.accuracy(counts) == 1
    for zero in ("mae", "amae", "mmae", "min_mae", "error_rate", "bias"):
        assert getattr(po.metrics, zero)(counts) == 0
    assert po.metrics.oci(counts) == approx(0)
    assert po.metrics.r_int(counts) == approx(1 if cell == 3 else NAN)


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


def test_d07_accuracy_within() -> None:
    counts = confusion([1, 1, 1, 2], [0, 2, 1, 0])
    assert po.metrics.accuracy_within(counts) == approx(0.75)
    for k, expected in [(0, 0.25), (1, 0.75), (2, 1.0), (3, 1.0), (99, 1.0)]:
        assert po.metrics.accuracy_within(counts, k=k) == approx(expected)


def test_d09_tau_of_a_thousand_groups() -> None:
    cube = np.random.default_rng(0).integers(0, 5, (1000, 4, 4))
    tau = po.metrics.kendall_tau(cube)
    assert tau.shape == (1000,)
    assert list(tau[::50]) == approx([pairs.kendall_tau(counts) for counts in cube[::50]])


def test_d10_which_tau() -> None:
    counts = confusion([0, 0, 0, 1, 1, 1, 3, 3], [0, 0, 1, 1, 1, 3, 3, 3])
    assert po.metrics.kendall_tau(counts) == printed("0.809524")
    assert po.metrics.kendall_tau(counts, variant="b") == printed("0.809524")
    assert po.metrics.kendall_tau(counts, variant="c") == printed("0.708333")
    observed = counts[np.ix_([0, 1, 3], [0, 1, 3])]
    assert po.metrics.kendall_tau(observed, variant="c") == printed("0.796875")
    assert po.metrics.kendall_tau([[7, 0], [0, 1]], variant="c") == approx(0.4375)


def test_d11_a_constant_prediction() -> None:
    cube = [[[0, 2, 0], [0, 3, 0], [0, 1, 0]], [[2, 0, 0], [0, 3, 0], [0, 1, 0]]]
    for name in ("kendall_tau", "spearman", "pearson"):
        values = getattr(po.metrics, name)(cube)
        assert math.isnan(values[0])
        assert values[1] > 0.7
    assert not math.isnan(po.metrics.r_int(cube)[0])
    assert po.metrics.somers_d(cube)[0] == 0
    assert po.metrics.ndpm(cube)[0] == approx(0.5)


def test_c05_pooling_is_not_averaging() -> None:
    folds = np.array([[[2, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 0, 1], [0, 0, 0], [0, 0, 0]]])
    assert list(po.metrics.mae(folds)) == approx([0, 2])
    assert po.metrics.mae(folds.sum(axis=0)) == approx(0.4)


@pytest.mark.parametrize("scale", [1, 0.5])
def test_c13_weights(scale: float) -> None:
    counts = np.zeros((3, 3))
    np.add.at(counts, ([0, 1, 2, 2, 0], [0, 2, 2, 0, 0]), [2, 1, 1, 1, 3])
    assert po.metrics.kappa(counts * scale) == printed("0.583333")
    assert po.metrics.mae(counts * scale) == approx(0.375)


def test_a01_declared_order() -> None:
    counts = confusion([0, 0, 0, 1, 1, 2, 2, 2], [0, 0, 1, 1, 2, 2, 2, 1])
    assert po.metrics.kappa(counts) == printed("0.727273")
    assert po.metrics.kappa(counts, weights="linear") == printed("0.586207")
    assert po.metrics.kendall_tau(counts) == printed("0.666667")
    assert po.metrics.mae(counts) == approx(0.375)


def test_a03_ratings() -> None:
    counts = confusion([1, 2, 5, 10], [2, 2, 1, 5], [1, 2, 5, 10])
    assert po.metrics.kappa(counts) == approx(0.25)


def test_b05_classes_are_one_step_apart() -> None:
    assert po.metrics.mae(confusion([0, 1, 2], [1, 2, 0])) == approx(4 / 3)


# Right values where other tools go wrong ------------------------------------------------------


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


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.float32])
def test_peers_small_types_do_not_wrap(dtype: type) -> None:
    counts = np.zeros((20, 20), dtype)
    counts[0, 19] = 100
    counts[19, 0] = 100
    assert po.metrics.mse(counts) == approx(361)
    assert po.metrics.mae(counts) == approx(19)
    assert po.metrics.kappa(counts) == approx(-1)
    assert po.metrics.spearman(counts) == approx(-1)


def test_peers_spearman_is_not_pearson() -> None:
    counts = confusion([0, 0, 1, 2, 3, 0, 0], [0, 1, 1, 2, 3, 0, 1])
    assert po.metrics.spearman(counts) == printed("0.8465")
    assert po.metrics.pearson(counts) == printed("0.9165")


# Ordinal classification index -----------------------------------------------------------------

TRIDIAGONAL = np.tri(5, k=1, dtype=int) * np.tri(5, k=1, dtype=int).T


@pytest.mark.parametrize(("beta", "expected"), [(0.25, "0.590659"), (0.75, "0.629121")])
def test_oci_tridiagonal(beta: float, expected: str) -> None:
    assert po.metrics.oci(TRIDIAGONAL, beta=beta) == printed(expected)


@pytest.mark.parametrize("beta", [0, 0.1, 0.25, 0.4, 0.75, 2])
@pytest.mark.parametrize("distance", range(6))
def test_oci_of_a_single_row(distance: int, beta: float) -> None:
    counts = np.zeros((6, 6))
    counts[0, distance] = 1
    expected = min(1, 1 - 1 / (1 + distance) + beta * distance)
    assert po.metrics.oci(counts, beta=beta, scaled=False) == approx(expected)


@pytest.mark.parametrize("gamma", [1, 2, 3.5])
@pytest.mark.parametrize("name", CM)
def test_oci_with_large_beta_follows_the_diagonal(name: str, gamma: float) -> None:
    """From β = 1/(N+1) on it is (M + H) / (M + N): Minkowski and Hamming distances."""
    counts = np.array(CM[name])
    n, hamming = counts.sum(), counts.sum() - np.trace(counts)
    cells = [(r, c) for r in range(len(counts)) for c in range(len(counts))]
    m = sum(float(counts[r, c]) * abs(r - c) ** gamma for r, c in cells) ** (1 / gamma)
    for beta in (1 / (n + 1), 0.5, 10):
        actual = po.metrics.oci(counts, beta=beta, gamma=gamma, scaled=False)
        assert actual == approx((m + hamming) / (m + n))


@pytest.mark.parametrize("n", [3, 4, 10, 100])
@pytest.mark.parametrize("gamma", [1, 2])
def test_oci_triangle_inequality(n: int, gamma: float) -> None:
    """Holds from β = 1/(N+1) on; the example of appendix A fails below its threshold."""
    ab = [[n - 1, 0], [1, 0]]
    bc = [[n - 1, 1], [0, 0]]
    ac = [[n - 2, 1], [1, 0]]

    def excess(beta: float) -> float:
        of_ab, of_bc, of_ac = po.metrics.oci([ab, bc, ac], beta=beta, gamma=gamma, scaled=False)
        return of_ac - of_ab - of_bc

    threshold = (n - 1) / ((n + 1) * (n + 2))
    assert excess(1 / (n + 1)) <= 1e-12
    assert excess(1) <= 1e-12
    if gamma == 1:  # the threshold is for M(a, c) = 2
        assert excess(threshold * 0.999) > 0
        assert excess(threshold * 1.001) < 0


def test_oci_of_one_class() -> None:
    for gamma in (1, 2, math.inf):
        assert po.metrics.oci([[7]], gamma=gamma) == 0
    assert np.array_equal(po.metrics.oci_path([[7]]), [[True]])


def test_oci_with_huge_gamma() -> None:
    """K = 4, N = 4: M = 2 · (1 + 1/4 …)^(1/γ), and β counts where d = K - 1 only."""
    counts = [[1, 0, 1, 0], [0, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]]
    # the largest d is 2; the path (0,0), (1,1), (2,1), (3,3) … costs nothing but the benefit
    assert po.metrics.oci(counts, gamma=math.inf) == approx(1 - 3 / (4 + 2))
    # the sum of n·d^γ is 2^γ + 1: M = 2 to double precision
    assert po.metrics.oci(counts, gamma=2000) == approx(1 - 3 / (4 + 2))


def test_oci_with_huge_gamma_and_the_largest_distance() -> None:
    """The two far rows cost 0.75 · 2/3 on the path and save 2 / (3 + M) only."""
    counts = [[1, 0, 2], [0, 0, 0], [0, 0, 0]]
    for beta, expected in [(0.75, 1 - 1 / 5), (0.25, 1 - 3 / 5 + 0.25 * 2 / 3)]:
        assert po.metrics.oci(counts, beta=beta, gamma=math.inf) == approx(expected)
    m = 2 * 2 ** (1 / 2000)
    expected = 1 - 3 / (3 + m) + 0.25 * 2 / 3
    assert po.metrics.oci(counts, beta=0.25, gamma=2000) == approx(expected)


@pytest.mark.parametrize("gamma", [1, 2, 100, 300, 600])
def test_oci_absolute_beta_is_the_scaled_one(gamma: int) -> None:
    """All five rows at the largest distance, 3: the penalty of their path is beta itself."""
    counts = np.zeros((4, 4))
    counts[0, 3] = 5
    expected = 1 - 5 / (5 + 3 * 5 ** (1 / gamma)) + 0.1
    assert po.metrics.oci(counts, beta=0.1, gamma=gamma) == approx(expected)
    absolute = 0.1 / (5 * 3**gamma)
    actual = po.metrics.oci(counts, beta=absolute, gamma=gamma, scaled=False)
    assert actual == approx(expected)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        # nothing to choose: the diagonal
        ([[1, 0, 0], [0, 0, 0], [0, 0, 0]], [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        # up and left are equally good and better than the diagonal: up
        ([[1, 1], [1, 1]], [[1, 1], [0, 1]]),
        # left only
        ([[1, 0], [1, 1]], [[1, 0], [1, 1]]),
        # walking back from the end: the diagonal, though left is as good; then left
        ([[1, 0, 0], [1, 0, 0], [0, 0, 1]], [[1, 0, 0], [1, 1, 0], [0, 0, 1]]),
        # no rows
        ([[0, 0], [0, 0]], [[0, 0], [0, 0]]),
    ],
)
def test_oci_path_by_hand(counts: list[list[int]], expected: list[list[int]]) -> None:
    """With β = 0 the path collects as many rows as it can; ties go diagonal, up, left."""
    path = po.metrics.oci_path(counts, beta=0)
    assert path.dtype == bool
    assert np.array_equal(path, np.array(expected, bool))


# Total cost -----------------------------------------------------------------------------------

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


def test_max_total_cost_is_one_for_two_classes() -> None:
    cube = np.random.default_rng(0).integers(0, 50, (100, 2, 2)) + np.eye(2, dtype=int)
    assert list(po.metrics.max_total_cost(cube)) == approx([1] * 100)


@pytest.mark.parametrize("k", range(2, 12))
def test_max_total_cost_of_balanced_classes(k: int) -> None:
    counts = np.full((k, k), 3)
    expected = (k - 1) * (3 * k - 2) / 4 if k % 2 == 0 else (k - 1) ** 2 * (3 * k + 1) / (4 * k)
    assert po.metrics.max_total_cost(counts) == approx(expected)


@pytest.mark.parametrize("scale", [2, 7, 0.3])
def test_stc_is_scale_free(scale: float) -> None:
    """The paper says that it is not; with N below the fraction it is."""
    for name in ("total_cost", "max_total_cost", "stc"):
        kernel = getattr(po.metrics, name)
        assert kernel(POOLED * scale) == approx(kernel(POOLED))


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


# Kappa ----------------------------------------------------------------------------------------


def test_kappa_of_constant_weights_is_undefined() -> None:
    counts = np.random.default_rng(0).integers(0, 9, (20, 3, 3)) + 1
    assert np.isnan(po.metrics.kappa(counts, weights=np.ones((3, 3)))).all()


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


# Floats and large counts ----------------------------------------------------------------------


@pytest.mark.parametrize("axis", [0, 1])
def test_a_constant_margin_of_floats_is_seen(axis: int) -> None:
    """Variances of such margins come out as 4e-16, not 0."""
    counts = np.zeros((3, 3))
    counts[:, 1] = [0.1, 0.2, 0.7]
    counts = counts if axis else counts.T
    for name in ("pearson", "accuracy_pearson", "spearman", "kendall_tau"):
        assert math.isnan(getattr(po.metrics, name)(counts))
    assert math.isnan(po.metrics.goodman_kruskal_gamma(counts))
    if axis:
        assert po.metrics.somers_d(counts) == 0
        assert po.metrics.ndpm(counts) == approx(0.5)
    else:
        assert math.isnan(po.metrics.somers_d(counts))
        assert math.isnan(po.metrics.ndpm(counts))
        assert math.isnan(po.metrics.stc(counts))


def test_r_int_needs_whole_rows() -> None:
    assert math.isnan(po.metrics.r_int([[1.5, 0], [0, 2]]))
    assert po.metrics.r_int([[2.0, 0.0], [0.0, 2.0]]) == approx(1)
    assert list(po.metrics.r_int([[[0.5, 0], [0, 2]], [[1, 0], [0, 2]]])) == approx([NAN, 1])
    assert math.isnan(po.metrics.r_int([[0, 1], [0, 0]]))  # a single row has no pairs


@pytest.mark.parametrize("largest", [10**5, 10**9, 10**12, 10**15])
@pytest.mark.parametrize("k", [2, 3, 5])
def test_large_counts(largest: int, k: int) -> None:
    """Pair counts grow with the square of the rows and do not fit into 64 bits."""
    rng = np.random.default_rng(k)
    for counts in rng.integers(0, largest, (5, k, k), endpoint=True):
        exact = counts.tolist()
        for variant in ("b", "c"):
            assert po.metrics.kendall_tau(counts, variant=variant) == approx(
                pairs.kendall_tau(exact, variant=variant)
            )
        for name in ("r_int", "somers_d", "goodman_kruskal_gamma", "ndpm"):
            assert getattr(po.metrics, name)(counts) == approx(getattr(pairs, name)(exact))
        for name in ("spearman", "pearson", "mae", "rmse", "bias", "amae"):
            assert getattr(po.metrics, name)(counts) == approx(getattr(errors, name)(exact))
        for name in ("total_cost", "max_total_cost", "stc"):
            assert getattr(po.metrics, name)(counts) == pytest.approx(
                getattr(cost, name)(exact), rel=1e-12
            )
        for gamma in (1, 2):
            assert po.metrics.oci(counts, gamma=gamma) == approx(oci.oci(exact, gamma=gamma))
        for weights in KAPPA_WEIGHTS:
            assert po.metrics.kappa(counts, weights=weights) == approx(
                kappa.kappa(exact, weights=weights)
            )


def test_counts_of_20_000_as_int32() -> None:
    counts = (20_000 * TRIDIAGONAL).astype(np.int32)
    assert po.metrics.kappa(counts) == approx(1 - Fraction(8, 13) / Fraction(44, 13))
    assert po.metrics.spearman(counts) == approx(po.metrics.spearman(TRIDIAGONAL))
    assert po.metrics.kendall_tau(counts) == approx(po.metrics.kendall_tau(TRIDIAGONAL))


def test_one_row_beside_very_many() -> None:
    counts = [[10**15, 0], [0, 1]]
    for name in ("kendall_tau", "spearman", "pearson", "kappa", "somers_d", "r_int"):
        assert getattr(po.metrics, name)(counts) == approx(1)


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
    assert kernel(counts) == printed(quadratic)
    assert kernel(counts, weights="identity") == printed(unweighted)


def test_brennan_prediger_is_not_bounded_by_minus_one() -> None:
    assert po.metrics.brennan_prediger([[0, 0, 1], [0, 0, 0], [1, 0, 0]]) == approx(-2)


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


def test_minimum_sensitivity_of_classes_present() -> None:
    counts = confusion([0, 0, 2, 2], [0, 1, 2, 1], range(3))
    assert po.metrics.min_sensitivity(counts) == 0.5
    assert po.metrics.geometric_mean(counts) == approx(0.5)
    assert po.metrics.geometric_mean([[1, 0], [1, 0]]) == 0


def test_uoc_of_counts_is_that_of_shares() -> None:
    counts = np.array([[8.0, 0, 0], [0, 1, 1], [0, 0, 2]])
    # on the diagonal 1 - 2.5 / 3.5; with the cell (1, 2) less 1 / 7 and more beta / 6
    assert po.metrics.uoc(counts) == approx(1 / 7 + 0.75 / 6)
    assert po.metrics.uoc(counts, beta=1) == approx(2 / 7)
    assert po.metrics.uoc(counts, beta=0) == approx(1 / 7)
    assert po.metrics.auoc(counts) == approx(11 / 49)
    assert po.metrics.auoc(counts / counts.sum(axis=1, keepdims=True)) == approx(11 / 49)


@pytest.mark.parametrize("k", [3, 6, 20, 40])
def test_auoc_is_the_area_under_uoc(k: int) -> None:
    """Against a sum over betas; the curve is concave, so that the sum is too low."""
    counts = np.random.default_rng(k).integers(0, 9, (3, k, k))
    betas = np.linspace(0, 1, 2001)
    values = np.stack([po.metrics.uoc(counts, beta=float(beta)) for beta in betas])
    area = np.trapezoid(values, betas, axis=0)
    np.testing.assert_allclose(po.metrics.auoc(counts), area, rtol=0, atol=1e-6)
    assert (po.metrics.auoc(counts) >= area - 1e-12).all()


def test_auoc_comes_to_an_end() -> None:
    """Where many paths tie, and where rows, classes or whole matrices are empty."""
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 3, (20_000, 5, 5)) * rng.integers(0, 2, (20_000, 5, 5))
    counts[::7] = 0
    counts[1::7] = counts[1::7] > 0
    values = po.metrics.auoc(counts)
    assert np.array_equal(np.isnan(values), counts.sum(axis=(1, 2)) == 0)
    assert (po.metrics.uoc(counts, beta=1) >= values - 1e-12)[~np.isnan(values)].all()
    assert po.metrics.auoc(np.ones((40, 40))) == approx(po.metrics.auoc(np.full((40, 40), 1e60)))


def test_general_oci_prices_discordant_pairs() -> None:
    counts = [[4, 2, 0], [3, 5, 1], [0, 2, 6]]
    # M = 8: all of the band weighs -23 / 31 + 0.75 / (23 * 2) * 8, and holds two discordant pairs,
    # (0, 1) with (1, 0) and (1, 2) with (2, 1)
    band = 1 - 23 / 31 + 0.75 * 8 / 46
    assert po.metrics.oci_general(counts, beta2=0) == approx(band)
    assert po.metrics.oci_general(counts, beta2=0.01) == approx(band + 0.02)
    assert po.metrics.oci_general(counts, beta2=1) == approx(po.metrics.oci(counts))


@pytest.mark.parametrize("beta2", [1e-4, 1e-3, 0.01, 0.5])
def test_general_oci_connects_what_is_far_apart(beta2: float) -> None:
    """A row in the far corner: the path takes it by way of an empty cell, or leaves it out."""
    counts = np.eye(4)
    counts[0, 3] = 1
    value = po.metrics.oci_general(counts, beta1=0, beta2=beta2)
    assert value == approx(oci.oci_general(counts, beta1=0, beta2=beta2))
    # N = 5, M = 3; over (1, 2), with which, as with (1, 1) and (2, 2), (0, 3) is discordant
    assert value == approx(min(3 / 8 + beta2 * 3, 4 / 8))


@pytest.mark.parametrize("beta2", [0.01, 0.1])
def test_general_oci_of_many_classes_is_refused(beta2: float) -> None:
    counts = np.ones((9, 9))
    for matrix in (counts, np.diag(range(1, 10))):
        with pytest.raises(ValueError, match="8 classes at most, not for 9"):
            po.metrics.oci_general(matrix, beta1=0, beta2=beta2)
    mae = po.metrics.mae(counts)
    assert po.metrics.oci_general(counts, beta1=0, beta2=0) == approx(mae / (1 + mae))
    assert po.metrics.oci_general(counts, beta2=1) == approx(po.metrics.oci(counts))


def test_general_oci_says_when_the_solver_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    unsolved = optimize.OptimizeResult(status=1, message="time limit", x=None)
    monkeypatch.setattr(optimize, "milp", lambda *args, **kwargs: unsolved)
    with pytest.raises(RuntimeError, match="time limit"):
        po.metrics.oci_general([[4, 2, 0], [3, 5, 1], [0, 2, 6]], beta2=0.01)
