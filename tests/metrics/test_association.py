"""How truth and prediction go together: against the definitions and SciPy; what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from oracles import pairs
from oracles.cases import check
from oracles.close import approx, assert_same, printed
from oracles.rows import Counts, confusion, rows
from oracles.strategies import QUICK, matrices
from scipy import stats

import pandas_ordinal as po

# Definitions --------------------------------------------------------------------------------


@QUICK
@given(counts=matrices())
def test_kernels_are_their_definitions(counts: np.ndarray) -> None:
    check("association", counts)


# SciPy --------------------------------------------------------------------------------------


def labels(counts: Counts) -> tuple[list[int], list[int]]:
    data = rows(counts)
    return [row.true for row in data], [row.pred for row in data]


def observed(counts: np.ndarray) -> tuple[int, int]:
    """Numbers of distinct true and predicted classes."""
    return np.count_nonzero(counts.sum(axis=1)), np.count_nonzero(counts.sum(axis=0))


@QUICK
@given(counts=matrices(min_classes=2))
def test_rank_statistics_of_scipy(counts: np.ndarray) -> None:
    assume(min(observed(counts)) > 1)
    true, pred = labels(counts)
    assert_same(po.metrics.kendall_tau(counts), stats.kendalltau(true, pred).statistic)
    assert_same(po.metrics.spearman(counts), stats.spearmanr(true, pred).statistic)
    assert_same(po.metrics.pearson(counts), stats.pearsonr(true, pred).statistic)
    assert_same(po.metrics.somers_d(counts), stats.somersd(counts).statistic)
    if min(observed(counts)) == len(counts):  # SciPy takes m from what occurs
        tau_c = stats.kendalltau(true, pred, variant="c").statistic
        assert_same(po.metrics.kendall_tau(counts, variant="c"), tau_c)


def test_kendall_tau_of_scipy_in_a_thousand_groups() -> None:
    rng = np.random.default_rng(0)
    cube = rng.integers(0, 4, (1000, 4, 4)) * rng.integers(0, 2, (1000, 4, 4))
    expected = [
        stats.kendalltau(*labels(counts)).statistic if min(observed(counts)) > 1 else math.nan
        for counts in cube
    ]
    assert_same(po.metrics.kendall_tau(cube), expected)


# Values -------------------------------------------------------------------------------------


def test_r_int_of_the_corrigendum() -> None:
    """Its table 1: six pairs in S1, six in S2, three in both."""
    assert po.metrics.r_int(confusion([2, 1, 0, 3], [0, 1, 2, 3])) == approx(0)


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


def test_peers_spearman_is_not_pearson() -> None:
    counts = confusion([0, 0, 1, 2, 3, 0, 0], [0, 1, 1, 2, 3, 0, 1])
    assert po.metrics.spearman(counts) == printed("0.8465")
    assert po.metrics.pearson(counts) == printed("0.9165")


# Floats -------------------------------------------------------------------------------------


@pytest.mark.parametrize("axis", [0, 1])
def test_a_constant_margin_of_floats_is_seen(axis: int) -> None:
    """Variances of such margins are computed as 4e-16, not 0."""
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


@pytest.mark.parametrize("axis", [0, 1])
def test_constant_margins_are_seen_beside_others(axis: int) -> None:
    constant = np.zeros((100, 4, 4))
    constant[:, :, 3] = np.random.default_rng(0).random((100, 4))
    stack = np.concatenate([[np.eye(4)], constant if axis else constant.swapaxes(1, 2)])
    for name in ("pearson", "accuracy_pearson", "spearman", "kendall_tau"):
        values = getattr(po.metrics, name)(stack)
        assert np.isnan(values).tolist() == [False, *[True] * 100]


def test_r_int_needs_whole_rows() -> None:
    assert math.isnan(po.metrics.r_int([[1.5, 0], [0, 2]]))
    assert po.metrics.r_int([[2.0, 0.0], [0.0, 2.0]]) == approx(1)
    assert list(po.metrics.r_int([[[0.5, 0], [0, 2]], [[1, 0], [0, 2]]])) == approx([math.nan, 1])
    assert math.isnan(po.metrics.r_int([[0, 1], [0, 0]]))  # a single row has no pairs
    assert po.metrics.r_int([[1, 0], [0, 1]]) == 1
    assert po.metrics.r_int([[0, 1], [1, 0]]) == -1


@pytest.mark.parametrize("name", ["pearson", "spearman", "kendall_tau"])
def test_rounding_passes_no_limit(name: str) -> None:
    """Of rows on the diagonal or on the other one, some of which would score 1 + 4e-16."""
    counts = np.eye(4) * np.random.default_rng(0).integers(1, 9, (3000, 4, 1))
    perfect, worst = (getattr(po.metrics, name)(each) for each in (counts, counts[:, :, ::-1]))
    assert perfect == pytest.approx(1, abs=1e-12) and perfect.max() <= 1
    assert worst == pytest.approx(-1, abs=1e-12) and worst.min() >= -1


# Bad options --------------------------------------------------------------------------------


COUNTS = [[3, 1, 0], [0, 2, 1], [1, 0, 4]]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("kendall_tau", {"variant": "a"}),
        ("kendall_tau", {"variant": ""}),
    ],
)
@pytest.mark.parametrize("leading", [(), (2,)], ids=["one", "stack"])
def test_bad_options(name: str, options: dict[str, Any], leading: tuple[int, ...]) -> None:
    kernel = getattr(po.metrics, name)
    with pytest.raises(ValueError):
        kernel(np.broadcast_to(COUNTS, (*leading, 3, 3)), **options)


def test_gamma_of_huge_counts() -> None:
    counts = np.array([[3.0, 1], [1, 2]])
    gamma = po.metrics.goodman_kruskal_gamma(counts)
    assert po.metrics.goodman_kruskal_gamma(counts * 1e200) == approx(gamma)
