"""The ordinal classification index and its path, and the uniform one."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from oracles import oci
from oracles.cases import check
from oracles.close import approx, assert_same, printed
from oracles.published import CARDOSO_SOUSA
from oracles.rows import total
from oracles.strategies import QUICK, matrices

import pandas_ordinal as po
from pandas_ordinal.metrics import ordinal_index as module

# Definitions --------------------------------------------------------------------------------


@QUICK
@given(counts=matrices(max_classes=4))
def test_kernels_are_their_definitions(counts: np.ndarray) -> None:
    check("ordinal_index", counts)


@pytest.mark.parametrize(
    "options",
    [{}, {"beta": 0.1}, {"gamma": 1.5}, {"gamma": 2, "beta": 0.2}, {"gamma": 2000}],
    ids=str,
)
@QUICK
@given(counts=matrices(min_classes=2, max_classes=5))
def test_oci_path_is_a_path_of_least_cost(options: dict[str, float], counts: np.ndarray) -> None:
    assume(counts.any())
    path = [(int(r), int(c)) for r, c in np.argwhere(po.metrics.oci_path(counts, **options))]
    assert path[0] == (0, 0)
    assert path[-1] == (len(counts) - 1, len(counts) - 1)
    for (r, c), (r_next, c_next) in itertools.pairwise(path):
        assert (r_next - r, c_next - c) in oci.STEPS_BACK
    best, _ = oci.best_path(counts, **options)
    assert float(oci.path_cost(counts, path, **options)) == pytest.approx(float(best), abs=1e-12)
    assert po.metrics.oci(counts, **options) == pytest.approx(float(best), abs=1e-12)


@QUICK
@given(counts=matrices(min_classes=2, max_classes=4), gamma=st.floats(1, 50))
def test_oci_for_any_gamma(counts: np.ndarray, gamma: float) -> None:
    assert_same(po.metrics.oci(counts, gamma=gamma), oci.oci(counts, gamma=gamma))


@pytest.mark.parametrize("gamma", [1, 2, 20, 200])
@QUICK
@given(counts=matrices(min_classes=2, max_classes=4), beta=st.sampled_from([0.1, 0.25, 0.75]))
def test_oci_beta_is_a_share_of_the_largest_penalty(
    gamma: int, counts: np.ndarray, beta: float
) -> None:
    assume(counts.any())
    absolute = beta / (total(counts) * (len(counts) - 1) ** gamma)
    assert_same(
        po.metrics.oci(counts, beta=absolute, gamma=gamma, scaled=False),
        po.metrics.oci(counts, beta=beta, gamma=gamma),
    )


@QUICK
@given(counts=matrices(max_classes=4))
def test_oci_at_infinite_gamma_is_the_limit(counts: np.ndarray) -> None:
    limit = po.metrics.oci(counts, gamma=math.inf)
    near = po.metrics.oci(counts, gamma=1e9)
    np.testing.assert_allclose(near, limit, rtol=0, atol=1e-6, equal_nan=True)


@QUICK
@given(counts=matrices(max_classes=5), beta=st.floats(0, 1))
def test_uoc_for_any_beta(counts: np.ndarray, beta: float) -> None:
    assert_same(po.metrics.uoc(counts, beta=beta), oci.uoc(counts, beta=beta))


# By hand ------------------------------------------------------------------------------------


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
@pytest.mark.parametrize("name", CARDOSO_SOUSA)
def test_oci_with_large_beta_follows_the_diagonal(name: str, gamma: float) -> None:
    """From β = 1/(N+1) on it is (M + H) / (M + N): Minkowski and Hamming distances."""
    counts = np.array(CARDOSO_SOUSA[name])
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


def test_the_path_takes_the_cheapest_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the last cell up: the three rows above it cost less than the empty cells beside it."""
    monkeypatch.setattr(module, "TIE", 0)
    counts = np.array([[2, 0, 0], [0, 0, 3], [0, 0, 2]])
    path = np.array([[1, 1, 0], [0, 0, 1], [0, 0, 1]])
    assert np.array_equal(po.metrics.oci_path(counts), path)
    assert np.array_equal(po.metrics.oci_path(counts.T), path.T)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("oci", {}),
        ("oci", {"beta": 5}),
        ("oci_general", {"beta2": 0}),
        ("oci_general", {"beta2": 1}),
        ("uoc", {}),
        ("auoc", {}),
    ],
    ids=str,
)
def test_rounding_does_not_lower_a_perfect_prediction(name: str, options: dict[str, Any]) -> None:
    """Sums of shares of rows are 1 + 4e-16 in some of these."""
    counts = np.eye(5) * np.random.default_rng(1).random((3000, 5, 1))
    values = getattr(po.metrics, name)(counts, **options)
    assert values == pytest.approx(0, abs=1e-12) and values.min() >= 0


# The uniform index --------------------------------------------------------------------------


def test_uoc_of_counts_is_that_of_shares() -> None:
    counts = np.array([[8.0, 0, 0], [0, 1, 1], [0, 0, 2]])
    # on the diagonal 1 - 2.5 / 3.5; with the cell (1, 2) less 1 / 7 and more beta / 6
    assert po.metrics.uoc(counts) == approx(1 / 7 + 0.75 / 6)
    assert po.metrics.uoc(counts, beta=1) == approx(2 / 7)
    assert po.metrics.uoc(counts, beta=0) == approx(1 / 7)
    assert po.metrics.auoc(counts) == approx(11 / 49)
    assert po.metrics.auoc(counts / counts.sum(axis=1, keepdims=True)) == approx(11 / 49)


@pytest.mark.parametrize("k", [3, 6, 25])
def test_auoc_is_the_area_under_uoc(k: int) -> None:
    """Against a sum over betas; the curve is concave, so that the sum is too low."""
    counts = np.random.default_rng(k).integers(0, 9, (3, k, k))
    betas = np.linspace(0, 1, 2001)
    values = np.stack([po.metrics.uoc(counts, beta=float(beta)) for beta in betas])
    area = np.trapezoid(values, betas, axis=0)
    np.testing.assert_allclose(po.metrics.auoc(counts), area, rtol=0, atol=1e-6)
    assert (po.metrics.auoc(counts) >= area - 1e-12).all()


@pytest.mark.parametrize("k", [2, 4, 7])
def test_uoc_at_one_follows_the_diagonal(k: int) -> None:
    """Where the area starts from: by loops over the classes that have rows."""
    rng = np.random.default_rng(k)
    for counts in rng.integers(0, 4, (20, k, k)) * rng.integers(0, 2, (20, k, 1)):
        present = [r for r in range(k) if counts[r].sum()]
        if not present:
            continue
        shares = {r: counts[r] / counts[r].sum() for r in present}
        apart = sum(shares[r][c] * abs(r - c) for r in present for c in range(k))
        right = sum(shares[r][r] for r in present) / (len(present) + apart)
        assert po.metrics.uoc(counts, beta=1) == approx(1 - right)


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


# Bad options --------------------------------------------------------------------------------


COUNTS = [[3, 1, 0], [0, 2, 1], [1, 0, 4]]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        *[
            (name, options)
            for name in ("oci", "oci_path")
            for options in [
                {"gamma": 0.5},
                {"gamma": 0},
                {"gamma": -1},
                {"gamma": math.nan},
                {"gamma": math.inf, "scaled": False},
            ]
        ],
        *[("uoc", {"beta": beta}) for beta in (-0.1, 1.1, math.nan, "low")],
    ],
)
@pytest.mark.parametrize("leading", [(), (2,)], ids=["one", "stack"])
def test_bad_options(name: str, options: dict[str, Any], leading: tuple[int, ...]) -> None:
    kernel = getattr(po.metrics, name)
    with pytest.raises(ValueError):
        kernel(np.broadcast_to(COUNTS, (*leading, 3, 3)), **options)


def test_parallel_lines_cross_at_the_left() -> None:
    left, right = np.array([[0.25], [1], [0.5]]), np.array([[1.0], [1.375], [0.5]])
    with np.errstate(divide="ignore", invalid="ignore"):
        assert module._crossing(left, right).tolist() == [0.25]
