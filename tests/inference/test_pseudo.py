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
