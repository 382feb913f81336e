"""Rows are sorted as integers: in the same order, or not at all."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from oracles.samples import random_sample
from oracles.strategies import QUICK

from pandas_ordinal import metrics
from pandas_ordinal.metrics import packed

DTYPES = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?", ">f8", ">i4"]


def rows_in_order(scores: np.ndarray, codes: np.ndarray, segment: np.ndarray) -> list[Any]:
    """The segment, score and class of each row, sorted one by one."""
    return sorted(zip(segment.tolist(), scores.tolist(), codes.tolist(), strict=True))


@pytest.mark.parametrize("dtype", DTYPES)
@QUICK
@given(data=st.data())
def test_rows_are_in_the_order_of_their_scores(dtype: str, data: st.DataObject) -> None:
    elements = {"allow_nan": False} if "f" in dtype else {}
    scores = data.draw(arrays.arrays(dtype, st.integers(1, 8), elements=elements))
    codes = np.array(data.draw(st.lists(st.integers(0, 127), min_size=8, max_size=8)), np.int8)
    segment = np.array(data.draw(st.lists(st.integers(0, 4), min_size=8, max_size=8)))
    codes, segment = codes[: len(scores)], segment[: len(scores)]
    found = packed.sort(scores, codes, segment, 5)
    if found is None:
        assert scores.dtype.itemsize == 8
        return
    expected = rows_in_order(scores, codes, segment)
    assert found.segment().tolist() == [row[0] for row in expected]
    assert found.codes(codes.dtype).tolist() == [row[2] for row in expected]
    keys = [row[:2] for row in expected]
    assert found.is_higher().tolist() == [a != b for a, b in pairwise(keys)]


def test_scores_that_differ_in_bits_that_do_not_fit_are_left_alone() -> None:
    near = np.array([-1e300, np.nextafter(1, 2), 1, 1e300])
    assert packed.sort(near, np.array([0, 0, 1, 0])) is None
    far = np.array([-1e300, 1.5, 1, 1e300])
    found = packed.sort(far, np.array([0, 0, 1, 0]))
    assert found is not None
    assert found.codes(np.dtype(int)).tolist() == [0, 1, 0, 0]
    equal = packed.sort(np.array([-1e300, 1, 1, 1e300]), np.array([0, 0, 1, 0]))
    assert equal is not None
    assert equal.is_higher().tolist() == [True, False, True]
    assert packed.sort(far.astype(np.longdouble), np.array([0, 0, 1, 0])) is None


@pytest.mark.parametrize("n_scores", [3, 40, 100_000])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
def test_a_packed_sort_changes_no_number(
    n_scores: int, dtype: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample = random_sample(8, 4, 5, 300, n_scores=n_scores)
    scores = sample.scores.astype(dtype)
    names = ["vus", "u_pairs", "u_ovo", "u_cons", "pairwise_auc", "vus_se"]
    ways = []
    for _ in range(2):
        ways.append([getattr(metrics, name)(sample.true, scores, 4) for name in names])
        monkeypatch.setattr(packed, "sort", lambda *_: None)
    for one, other in zip(*ways, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-13)
