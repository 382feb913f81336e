"""Values and relations of metrics of several modules: papers, other software, large counts."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from oracles import cost, errors, kappa, oci, pairs
from oracles.cases import KAPPA_WEIGHTS
from oracles.close import approx, assert_same, printed
from oracles.published import CARDOSO_SOUSA, PUBLISHED
from oracles.rows import Counts, confusion, rows, total
from oracles.strategies import QUICK, examples, matrices
from sklearn import metrics as sklearn_metrics

import pandas_ordinal as po

# Cardoso & Sousa 2011, tables 1-5 -----------------------------------------------------------
# error rate, MAE, Spearman, tau b, r_int, OCI with beta 0.25 and with beta 0.75
PRINTED = {
    "A": "0.0 0.0 1.0 1.0 1.0 0.0 0.0",
    "B": "0.77 0.77 1.0 1.0 1.0 0.50 0.63",
    "C": "0.77 1.08 0.79 0.75 0.80 0.61 0.78",
    "D": "0.77 0.77 0.24 0.11 0.53 0.65 0.72",
    "CM1": "0.50 - - - - - -",  # the rest of the row is lost in our copy
    "CM2": "0.40 0.60 0.10 0.11 0.45 0.53 0.58",
    "CM3": "0.86 1.43 -0.26 -0.254 0.34 0.79 0.93",
    "CM4": "0.57 - -0.25 -0.250 0.08 0.71 0.75",  # MAE .857 is printed as .85: truncated
    "CM5": "0.86 1.00 0.89 0.84 0.81 0.58 0.75",
    "CM6": "0.71 1.00 -0.29 -0.26 0.06 0.74 0.79",
    "CM10": "0.11 0.11 0.93 0.91 0.91 0.12 0.13",
    "CM11": "0.82 0.91 0.89 0.85 0.84 0.55 0.66",
    "CM12": "0.25 0.25 0.90 0.86 0.86 0.23 0.26",
}


@pytest.mark.parametrize("name", CARDOSO_SOUSA)
def test_cardoso_sousa_tables(name: str) -> None:
    counts = CARDOSO_SOUSA[name]
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


def test_cardoso_sousa_truncated_value() -> None:
    assert po.metrics.mae(CARDOSO_SOUSA["CM4"]) == approx(6 / 7)


# Published matrices -------------------------------------------------------------------------


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


def test_docstrings_of_skordinal_and_dlordinal() -> None:
    counts = confusion([0, 0, 1, 2, 3, 0, 0], [0, 1, 1, 2, 3, 0, 1])
    assert po.metrics.amae(counts) == approx(0.125)
    assert po.metrics.mmae(counts) == approx(0.5)
    assert po.metrics.kendall_tau(counts) == approx(0.8140915784106943)
    assert po.metrics.error_rate(counts) == approx(0.2857142857142857)


# What people reported -----------------------------------------------------------------------


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
    assert po.metrics.r_int(counts) == approx(1 if cell == 3 else math.nan)


def test_a01_declared_order() -> None:
    counts = confusion([0, 0, 0, 1, 1, 2, 2, 2], [0, 0, 1, 1, 2, 2, 2, 1])
    assert po.metrics.kappa(counts) == printed("0.727273")
    assert po.metrics.kappa(counts, weights="linear") == printed("0.586207")
    assert po.metrics.kendall_tau(counts) == printed("0.666667")
    assert po.metrics.mae(counts) == approx(0.375)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.float32])
def test_peers_small_types_do_not_wrap(dtype: type) -> None:
    counts = np.zeros((20, 20), dtype)
    counts[0, 19] = 100
    counts[19, 0] = 100
    assert po.metrics.mse(counts) == approx(361)
    assert po.metrics.mae(counts) == approx(19)
    assert po.metrics.kappa(counts) == approx(-1)
    assert po.metrics.spearman(counts) == approx(-1)


# Identities, and scikit-learn ---------------------------------------------------------------


@QUICK
@given(counts=matrices())
def test_identities(counts: np.ndarray) -> None:
    m = po.metrics
    assert_same(m.ndpm(counts), (1 - m.somers_d(counts)) / 2)
    assert_same(m.error_rate(counts), 1 - m.accuracy(counts))
    assert_same(m.accuracy_within(counts, k=0), m.accuracy(counts))
    assert_same(m.rmse(counts) ** 2, m.mse(counts))
    assert_same(m.accuracy_pearson(counts), (m.accuracy(counts) + m.pearson(counts)) / 2)
    distance = np.abs(np.subtract.outer(np.arange(len(counts)), np.arange(len(counts))))
    assert_same(m.expected_cost(counts, costs=distance), m.mae(counts))
    # τ b over ordered pairs: (N² - T_obs)(N² - T_pred) under the root, where a paper errs
    n, ties_true, ties_pred = (
        counts.sum() ** 2,
        (counts.sum(axis=1) ** 2).sum(),
        (counts.sum(axis=0) ** 2).sum(),
    )
    if n > ties_true and n > ties_pred:
        kinds = pairs.count_pairs(counts)
        difference = 2 * (kinds.concordant - kinds.discordant)
        expected = difference / math.sqrt((n - ties_true) * (n - ties_pred))
        assert_same(m.kendall_tau(counts), expected)


def labels(counts: Counts) -> tuple[list[int], list[int]]:
    data = rows(counts)
    return [row.true for row in data], [row.pred for row in data]


@QUICK
@given(counts=matrices(min_classes=2))
def test_errors_and_kappa_of_sklearn(counts: np.ndarray) -> None:
    assume(total(counts) > 0)
    true, pred = labels(counts)
    assert_same(po.metrics.accuracy(counts), sklearn_metrics.accuracy_score(true, pred))
    assert_same(po.metrics.mae(counts), sklearn_metrics.mean_absolute_error(true, pred))
    assert_same(po.metrics.mse(counts), sklearn_metrics.mean_squared_error(true, pred))
    assume(len(set(true + pred)) > 1)  # κ is 0/0 otherwise
    classes = list(range(len(counts)))
    for ours, theirs in {"identity": None, "linear": "linear", "quadratic": "quadratic"}.items():
        expected = sklearn_metrics.cohen_kappa_score(true, pred, labels=classes, weights=theirs)
        assert_same(po.metrics.kappa(counts, weights=ours), expected)


# Large counts -------------------------------------------------------------------------------


@pytest.mark.parametrize("largest", [10**5, 10**9, 10**12, 10**15])
@examples(12)
@given(data=st.data())
def test_large_counts(largest: int, data: st.DataObject) -> None:
    """Pair counts grow with the square of the rows and do not fit into 64 bits."""
    k = data.draw(st.sampled_from([2, 3, 5]))
    cells = st.integers(largest // 100, largest) | st.integers(0, largest)
    counts = data.draw(arrays(np.int64, (k, k), elements=cells, fill=st.nothing()))
    assume((counts.sum(axis=0) > 0).all() and (counts.sum(axis=1) > 0).all())
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


TRIDIAGONAL = np.tri(5, k=1, dtype=int) * np.tri(5, k=1, dtype=int).T


def test_counts_of_20_000_as_int32() -> None:
    counts = (20_000 * TRIDIAGONAL).astype(np.int32)
    assert po.metrics.kappa(counts) == approx(1 - Fraction(8, 13) / Fraction(44, 13))
    assert po.metrics.spearman(counts) == approx(po.metrics.spearman(TRIDIAGONAL))
    assert po.metrics.kendall_tau(counts) == approx(po.metrics.kendall_tau(TRIDIAGONAL))


def test_one_row_next_to_very_many() -> None:
    counts = [[10**15, 0], [0, 1]]
    for name in ("kendall_tau", "spearman", "pearson", "kappa", "somers_d", "r_int"):
        assert getattr(po.metrics, name)(counts) == approx(1)
