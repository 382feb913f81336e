"""The pseudo-row, against its literal reading."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracles import uncertainty
from oracles.strategies import QUICK, matrices

from pandas_ordinal.inference.influence import df_of_classes, pseudo_row


@QUICK
@example(counts=np.diag([1, 2, 0, 3]), right_within=0)
@example(counts=np.diag([1, 2, 0, 3]), right_within=1)
@given(counts=matrices(), right_within=st.sampled_from([0, 0.5, 1, 2, 4, np.inf]))
def test_it_is_one_row_half_right_and_half_wrong(counts: np.ndarray, right_within: float) -> None:
    row = pseudo_row(counts.astype(float), right_within)
    np.testing.assert_allclose(row, uncertainty.pseudo_row(counts, right_within), atol=1e-15)
    if counts.any():
        assert row.sum() == pytest.approx(1)
        true, pred = np.indices(row.shape)
        wrong = row[np.abs(true - pred) > right_within].sum()
        can_be = np.abs(true - pred)[counts.sum(1) > 0] > right_within
        assert wrong == pytest.approx(0.5 if can_be.any() else 0)


def test_a_class_that_cannot_be_wrong_has_none_of_it() -> None:
    row = pseudo_row(np.diag([3.0, 1.0, 3.0]), 1)
    assert row.tolist() == [[0.25, 0, 0.25], [0, 0, 0], [0.25, 0, 0.25]]
    assert pseudo_row(np.diag([0.0, 3.0, 0.0]), 1).tolist() == np.diag([0, 1, 0]).tolist()


@pytest.mark.parametrize("n_classes", [4, 20, 160])
def test_far_errors_share_cells(n_classes: int) -> None:
    """Errors at distances 2 and 3 fall into cells at distance 2, and those from 4 to 7 at 4."""
    row = pseudo_row(np.ones((n_classes, n_classes)))
    far = np.abs(np.subtract.outer(range(n_classes), range(n_classes)))
    assert {*far[row > 0].tolist()} == {d for d in range(n_classes) if d.bit_count() <= 1}
    assert (row > 0).sum() < 16 * n_classes
    assert row.sum() == pytest.approx(1)
    assert np.diag(row).sum() == pytest.approx(0.5)
    np.testing.assert_allclose(row[::-1, ::-1], row, atol=1e-15)
    np.testing.assert_allclose(row.sum(axis=1), 1 / n_classes)


def test_errors_fall_into_classes_that_occur() -> None:
    counts = np.zeros((100, 100), int)
    counts[[0, 50, 99], [0, 50, 99]] = 3
    row = pseudo_row(counts.astype(float))
    assert {*np.nonzero(row)[1].tolist()} == {0, 50, 99}
    np.testing.assert_allclose(row, uncertainty.pseudo_row(counts), atol=1e-15)


def test_the_smaller_a_class_the_larger_its_share() -> None:
    counts = np.array([[90.0, 10, 0], [0, 10, 0], [0, 0, 1]])
    np.testing.assert_allclose(pseudo_row(counts).sum(axis=1), np.array([1, 10, 100]) / 111)
    of_weights = pseudo_row(counts, 0, np.array([1.0, 1, 2]))
    np.testing.assert_allclose(of_weights.sum(axis=1), [0.4, 0.4, 0.2])
    assert pseudo_row(np.zeros((3, 3))).tolist() == np.zeros((3, 3)).tolist()


def test_degrees_of_freedom_of_classes() -> None:
    sizes, most = np.array([1.0, 3, 21]), np.array(24.0)

    def df(*variances: float) -> float:
        return float(df_of_classes(np.array(variances), sizes, most))

    assert df(0, 0, 1) == 20 and df(0, 1, 0) == 2 and df(1, 0, 0) == 1
    assert df(0, 0, 0) == 24 and df(0, 1e-200, 1e-200) == pytest.approx(4 / (1 / 2 + 1 / 20))
    assert df(1, 2, 3) == pytest.approx(uncertainty.satterthwaite([1, 2, 3], sizes, 24))
    assert df(0, 2, 20) == pytest.approx(22**2 / (2 + 20))
    assert df_of_classes(np.array([1.0, 1, 1]), np.full(3, 9.0), np.array(23.0)) == 23
