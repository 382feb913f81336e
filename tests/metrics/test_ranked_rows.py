"""Scores are ranked: only their order counts, whatever numbers they are."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.of_rows import (
    OF_SCORES,
    assert_same,
    call,
)
from oracles.samples import Sample, random_sample, samples
from oracles.strategies import QUICK

from pandas_ordinal import metrics
from pandas_ordinal.counting import arrays

INCREASING: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "exp": np.exp,
    "affine": lambda x: 3 * x - 7,
    "far off": lambda x: x + 1e15,
    "tiny": lambda x: x * 1e-300,
    "cube": lambda x: x**3,
    "ranks": lambda x: np.searchsorted(np.unique(x), x),
    "the ends are infinite": lambda x: np.where(np.abs(x) > 1, np.copysign(np.inf, x), x),
    **{
        np.dtype(dtype).name: lambda x, dtype=dtype: x.astype(dtype)
        for dtype in (np.int8, np.int16, np.int64, np.float16, np.float32)
    },
    "the lowest int8": lambda x: (x - 126).astype(np.int8),
    "uint8": lambda x: (x + 2).astype(np.uint8),
    "the highest uint8": lambda x: (x + 253).astype(np.uint8),
    "the highest uint64": lambda x: (x + 2).astype(np.uint64) + np.uint64(2**64 - 5),
    "the lowest int64": lambda x: (x + 2).astype(np.int64) + np.int64(-(2**63)),
}


@QUICK
@given(sample=samples())
def test_increasing_functions_of_the_score_change_nothing(sample: Sample) -> None:
    for key in ("vus", "pairwise_auc"):
        expected = call(key, sample)
        for name, function in INCREASING.items():
            changed = replace(sample, scores=function(sample.scores))
            assert np.array_equal(call(key, changed), expected, equal_nan=True), (key, name)


@QUICK
@given(sample=samples(), function=st.sampled_from([np.exp, lambda x: x.astype(np.int8)]))
def test_no_kernel_knows_more_than_the_order_of_scores(
    sample: Sample, function: Callable[[np.ndarray], np.ndarray]
) -> None:
    changed = replace(sample, scores=function(sample.scores))
    for key in OF_SCORES:
        assert np.array_equal(call(key, changed), call(key, sample), equal_nan=True), key


@pytest.mark.parametrize("key", OF_SCORES)
def test_scores_may_be_flags(key: str) -> None:
    sample = random_sample(1, 3, 12, n_scores=2)
    flags = replace(sample, scores=sample.scores == 1)
    assert np.array_equal(call(key, flags), call(key, sample), equal_nan=True)


@pytest.mark.parametrize("key", OF_SCORES)
def test_integers_that_floats_cannot_tell_apart(key: str) -> None:
    sample = random_sample(1, 3, 12)
    scores = sample.scores.astype(int) + 2**60
    assert len(np.unique(scores.astype(float))) == 1
    assert_same(key, call(key, replace(sample, scores=scores)), call(key, sample))


@pytest.mark.parametrize("base", [2**53, 2**62, -(2**62)])
def test_integers_above_what_floats_tell_apart(base: int) -> None:
    scores = np.array([base, base + 1])
    assert metrics.vus([0, 1], scores, 2) == 1
    assert metrics.vus([1, 0], scores, 2) == 0
    assert metrics.u_pairs([0, 1], scores.tolist(), 2) == 1
    assert metrics.vus([0, 1], scores.astype(float), 2) == 0.5


def test_infinite_scores() -> None:
    inf = math.inf
    for ties in ("half", "strict"):
        assert metrics.vus([0, 1, 2], [-inf, 5, inf], 3, ties=ties) == 1
        assert metrics.vus([2, 1, 0], [-inf, 5, inf], 3, ties=ties) == 0
        assert metrics.u_pairs([0, 1, 2], [-inf, -1e308, 1e308], 3, ties=ties) == 1
    for equal in (inf, -inf):
        assert metrics.vus([0, 1], [equal, equal], 2) == 0.5
        assert metrics.vus([0, 1], [equal, equal], 2, ties="strict") == 0
        assert metrics.u_ovo([0, 1], [equal, equal], 2) == 0.5


def test_a_missing_score_is_found_anywhere() -> None:
    scores = np.zeros((40, 9))
    scores[31, 4] = math.nan
    for name in ("vus", "pairwise_auc", "u_cons"):
        with pytest.raises(ValueError, match="NaN in 1 row:"):
            getattr(metrics, name)(np.zeros(9, int), scores, 2)


@pytest.mark.parametrize("key", OF_SCORES)
@pytest.mark.parametrize("n_scores", [3, 40, 10_000])
def test_parts_do_not_matter(key: str, n_scores: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are counted in parts, which never divide rows of equal scores."""
    samples = random_sample(4, 3, 90, n_scores=n_scores), random_sample(4, 3, 4, 30)
    expected = [call(key, sample) for sample in samples]
    monkeypatch.setattr(arrays, "ROWS_PER_BLOCK", 8)
    for sample, value in zip(samples, expected, strict=True):
        assert_same(key, call(key, sample), value)


@pytest.mark.parametrize("scores", [["low", "high"], [None, 0.5], 0.5], ids=repr)
def test_what_is_not_an_array_of_numbers_is_refused(scores: object) -> None:
    with pytest.raises(ValueError, match=r"score must be an array \(\.\.\., n\) of numbers, not "):
        metrics.vus([0, 1], scores, 2)


@pytest.mark.parametrize("n_rows", [1, 2, 3])
def test_as_many_samples_as_rows_of_a_block(n_rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "ROWS_PER_BLOCK", 4)
    of_one_class = np.zeros((9, n_rows), int), np.ones((9, n_rows))
    for name in ("u_pairs", "u_ovo", "u_cons"):
        assert np.isnan(getattr(metrics, name)(*of_one_class, 1)).all()
    assert (metrics.vus(*of_one_class, 1) == 1).all()
    true = np.tile(np.repeat([0, 1], [1, n_rows]), (9, 1))
    score = true * np.repeat([1, -1, 0], 3)[:, None]
    for name in ("vus", "u_pairs", "u_ovo", "u_cons"):
        assert getattr(metrics, name)(true, score, 2).tolist() == [1] * 3 + [0] * 3 + [0.5] * 3
