"""The general ordinal classification index: any connected set of cells is a path."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracles import oci
from oracles.close import approx, assert_same
from oracles.strategies import QUICK, matrices
from scipy import optimize

import pandas_ordinal as po

# Definitions --------------------------------------------------------------------------------


@QUICK
@given(
    counts=matrices(min_classes=2, max_classes=4),
    beta1=st.floats(0, 1),
    beta2=st.floats(0.001, 0.999),
)
def test_general_oci_for_any_weights(counts: np.ndarray, beta1: float, beta2: float) -> None:
    options = {"beta1": beta1, "beta2": beta2}
    general = po.metrics.oci_general(counts, **options)
    assert_same(general, oci.oci_general(counts, **options))
    if counts.any():
        assert general <= po.metrics.oci(counts, beta=beta1) + 1e-12


@QUICK
@given(counts=matrices(max_classes=5), beta=st.floats(0, 1))
def test_general_oci_without_search(counts: np.ndarray, beta: float) -> None:
    assert_same(
        po.metrics.oci_general(counts, beta1=beta, beta2=1), po.metrics.oci(counts, beta=beta)
    )
    mae = po.metrics.mae(counts)
    assert_same(po.metrics.oci_general(counts, beta1=0, beta2=0), mae / (1 + mae))


@st.composite
def sparse(draw: st.DrawFn) -> np.ndarray:
    """Few cells, some with many rows far from the diagonal and from each other."""
    k = draw(st.integers(3, 4))
    counts = np.zeros((k, k), np.int64)
    cells = st.tuples(st.integers(0, k - 1), st.integers(0, k - 1))
    for cell in draw(st.lists(cells, min_size=1, max_size=4, unique=True)):
        counts[cell] = draw(st.sampled_from([1, 2, 9]))
    return counts


@QUICK
@given(counts=sparse(), beta2=st.sampled_from([0.001, 0.01, 0.03, 0.1]))
@example(counts=np.array([[9, 0, 2], [0, 0, 9], [1, 0, 0]]), beta2=0.001)
def test_general_oci_of_few_cells(counts: np.ndarray, beta2: float) -> None:
    """The best set of cells is often not connected, so that connection must be forced."""
    for beta1 in (0, 0.75):
        options = {"beta1": beta1, "beta2": beta2}
        assert_same(po.metrics.oci_general(counts, **options), oci.oci_general(counts, **options))


def test_general_oci_of_few_cells_in_a_stack() -> None:
    """Equal matrices are searched once, in any order."""
    rng = np.random.default_rng(0)
    kinds = rng.integers(0, 5, (6, 3, 3)) * (rng.random((6, 3, 3)) < 0.4)
    kinds[:, 0, 2] += 3
    expected = [oci.oci_general(counts, beta1=0, beta2=0.02) for counts in kinds]
    which = rng.integers(0, 6, 40)
    values = po.metrics.oci_general(kinds[which], beta1=0, beta2=0.02)
    assert_same(values, np.array(expected)[which])


# By hand ------------------------------------------------------------------------------------


def test_general_oci_prices_discordant_pairs() -> None:
    counts = [[4, 2, 0], [3, 5, 1], [0, 2, 6]]
    # M = 8: the whole band weighs -23 / 31 + 0.75 / (23 * 2) * 8 and has two discordant pairs,
    # (0, 1) with (1, 0) and (1, 2) with (2, 1)
    band = 1 - 23 / 31 + 0.75 * 8 / 46
    assert po.metrics.oci_general(counts, beta2=0) == approx(band)
    assert po.metrics.oci_general(counts, beta2=0.01) == approx(band + 0.02)
    assert po.metrics.oci_general(counts, beta2=1) == approx(po.metrics.oci(counts))


@pytest.mark.parametrize("beta2", [1e-4, 1e-3, 0.01, 0.5])
def test_general_oci_connects_what_is_far_apart(beta2: float) -> None:
    """A row in the far corner: the path reaches it through an empty cell, or leaves it out."""
    counts = np.eye(4)
    counts[0, 3] = 1
    value = po.metrics.oci_general(counts, beta1=0, beta2=beta2)
    assert value == approx(oci.oci_general(counts, beta1=0, beta2=beta2))
    # N = 5, M = 3; through (1, 2); (0, 3) is discordant with it, with (1, 1) and with (2, 2)
    assert value == approx(min(3 / 8 + beta2 * 3, 4 / 8))


# What is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize("beta2", [0.01, 0.1])
def test_general_oci_of_many_classes_is_refused(beta2: float) -> None:
    counts = np.ones((9, 9))
    for matrix in (counts, np.diag(range(1, 10))):
        with pytest.raises(ValueError, match="at most 8 classes, not for 9"):
            po.metrics.oci_general(matrix, beta1=0, beta2=beta2)
    mae = po.metrics.mae(counts)
    assert po.metrics.oci_general(counts, beta1=0, beta2=0) == approx(mae / (1 + mae))
    assert po.metrics.oci_general(counts, beta2=1) == approx(po.metrics.oci(counts))


def test_general_oci_is_the_lowest_to_the_last_digits() -> None:
    """Another set of cells costs 1e-5 more, which is within the gap that solvers leave."""
    counts = [[1055, 28, 243, 60], [36434, 75, 453, 1], [0, 200, 18, 0], [64, 2675, 0, 42906]]
    options: dict[str, Any] = {"beta1": 0.05, "beta2": 7.730416490521136e-05}
    expected = oci.oci_general(np.array(counts), **options)
    assert po.metrics.oci_general(counts, **options) == approx(expected)


def test_general_oci_of_eight_classes() -> None:
    assert po.metrics.oci_general(np.diag(range(1, 9)), beta2=0.01) == 0


def test_general_oci_raises_when_the_solver_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    unsolved = optimize.OptimizeResult(status=1, message="time limit", x=None)
    monkeypatch.setattr(optimize, "milp", lambda *args, **kwargs: unsolved)
    with pytest.raises(RuntimeError, match="time limit"):
        po.metrics.oci_general([[4, 2, 0], [3, 5, 1], [0, 2, 6]], beta2=0.01)


COUNTS = [[3, 1, 0], [0, 2, 1], [1, 0, 4]]


@pytest.mark.parametrize(
    "options",
    [
        *[
            {option: value}
            for option in ("beta1", "beta2")
            for value in (-0.1, math.inf, math.nan, "low", True)
        ],
        {"gamma": 0.5},
        {"gamma": math.inf, "scaled": False},
    ],
    ids=str,
)
@pytest.mark.parametrize("leading", [(), (2,)], ids=["one", "stack"])
def test_bad_options(options: dict[str, Any], leading: tuple[int, ...]) -> None:
    with pytest.raises(ValueError):
        po.metrics.oci_general(
            np.broadcast_to(COUNTS, (*leading, 3, 3)), **{"beta2": 0.1} | options
        )


def test_the_price_of_pairs_has_no_default() -> None:
    with pytest.raises(TypeError):
        po.metrics.oci_general(COUNTS)  # type: ignore[call-arg]
