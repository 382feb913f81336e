"""Confusion matrices of two classes at each cut."""

from __future__ import annotations

import numpy as np
import pytest

from pandas_ordinal.metrics.class_shares import at_cuts

COUNTS = np.array([[1, 2, 3], [10, 20, 30], [100, 200, 300]])
# Up to class 0 and above it, then up to class 1 and above it
CUT = [[[1, 5], [110, 550]], [[33, 33], [300, 300]]]


@pytest.mark.parametrize("leading", [(), (1,), (4,), (2, 1), (2, 0)], ids=str)
def test_counts_at_each_cut(leading: tuple[int, ...]) -> None:
    counts = np.broadcast_to(COUNTS, (*leading, 3, 3))
    assert np.array_equal(at_cuts(counts), np.broadcast_to(CUT, (*leading, 2, 2, 2)))


def test_counts_at_cuts_keep_their_dtype() -> None:
    assert at_cuts(COUNTS.astype(np.float32)).dtype == np.float32


def test_a_single_class_has_no_cut() -> None:
    assert at_cuts(np.ones((2, 1, 1))).shape == (2, 0, 2, 2)
