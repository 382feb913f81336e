"""The pseudo-row, against its literal reading."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracles import uncertainty
from oracles.strategies import QUICK, matrices

from pandas_ordinal.inference.influence import pseudo_row


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
    row = pseudo_row(np.diag([3.0, 3.0, 3.0]), 1)
    assert row.tolist() == [[0.25, 0, 0.25], [0, 0, 0], [0.25, 0, 0.25]]
    assert pseudo_row(np.diag([0.0, 3.0, 0.0]), 1).tolist() == np.diag([0, 1, 0]).tolist()


@pytest.mark.parametrize("n_classes", [20, 21, 160])
def test_far_errors_of_many_classes_share_cells(n_classes: int) -> None:
    """Errors at distances 8 and 9 fall into cells at distance 8, and those from 16 to 19 at 16."""
    row = pseudo_row(np.ones((n_classes, n_classes)))
    literal = uncertainty.pseudo_row(np.ones((n_classes, n_classes), int), 0)
    if n_classes <= 20:
        np.testing.assert_allclose(row, literal, atol=1e-15)
        return
    far = np.abs(np.subtract.outer(range(n_classes), range(n_classes)))
    assert {*far[row > 0].tolist()} == {d for d in range(n_classes) if bin(d)[5:].count("1") == 0}
    assert (row > 0).sum() < 40 * n_classes
    assert row.sum() == pytest.approx(1)
    assert np.diag(row).sum() == pytest.approx(0.5)
    np.testing.assert_allclose(row[::-1, ::-1], row, atol=1e-15)
    assert (row * far).sum() == pytest.approx((literal * far).sum(), rel=0.1)


def test_few_classes_that_occur_among_many_share_none() -> None:
    counts = np.zeros((100, 100), int)
    counts[[0, 50, 99], [0, 50, 99]] = 3
    np.testing.assert_allclose(pseudo_row(counts), uncertainty.pseudo_row(counts), atol=1e-15)
