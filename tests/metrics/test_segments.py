"""Segments of rows, very many, very long or without rows: each scores as if it were alone."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.of_rows import (
    KEYS,
    OF_SCORES,
    assert_same,
    call,
    metric_of,
    options,
)
from oracles.samples import random_sample

from pandas_ordinal.metrics.segments import ROWS_A_BLOCK, Segments


def segments_of(key: str) -> tuple[np.ndarray, int]:
    """The segment of each row: very many short ones, some long ones, and some without rows."""
    rng = np.random.default_rng(5)
    n_short = 600 if "u_statistic" in key else 4000
    sizes = [
        *rng.integers(0, 20, n_short),
        ROWS_A_BLOCK + 100,
        *rng.integers(20, 3000, 12),
        0,
        1,
        17,
        0,
    ]
    rng.shuffle(sizes)
    rows = np.repeat(np.arange(len(sizes)), sizes)
    rng.shuffle(rows)
    return rows, len(sizes)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("weighted", [False, True])
def test_segments_of_very_different_lengths(key: str, weighted: bool) -> None:
    """Each is scored as if it were alone; the rows of all of them are mixed."""
    segments, n_segments = segments_of(key)
    sample = random_sample(2, 3, len(segments), n_scores=7)
    sample.true[::11] = -1
    if weighted:
        sample = sample.weighted(np.random.default_rng(0).integers(0, 4, len(segments)))
    rows = Segments(sample.true, 3, segments, n_segments, sample.weights)
    given = options(key)
    if "other" in metric_of(key).required:
        given["other"] = sample.other
    column = sample.scores if key in OF_SCORES else sample.proba
    actual = metric_of(key).by_segment(rows, column, **given)
    assert actual.shape == (n_segments, *[3] * len(metric_of(key).output))

    sizes = np.bincount(segments, minlength=n_segments)
    by_size = np.argsort(sizes, kind="stable")
    chosen = {*by_size[:6], *by_size[-14:], *by_size[::29], 0, n_segments - 1}
    order = np.argsort(segments, kind="stable")
    ends = np.cumsum(sizes)
    for number in sorted(chosen):
        alone = sample.take(order[ends[number] - sizes[number] : ends[number]])
        assert_same(key, actual[number], call(key, alone))


@pytest.mark.parametrize("key", KEYS)
def test_more_segments_than_any_block(key: str) -> None:
    n_segments = 500 if "u_statistic" in key else 5000
    sample = random_sample(3, 3, n_segments, 9)
    actual = call(key, sample)
    for position in range(0, n_segments, n_segments // 50):
        assert_same(key, actual[position], call(key, sample.at(position)))


@pytest.mark.parametrize("key", KEYS)
def test_one_segment_longer_than_any_block(key: str) -> None:
    """The same rows in a stack, twice: a block holds one of the segments only."""
    sample = random_sample(3, 3, ROWS_A_BLOCK + 7, n_scores=9)
    stack = sample.take(np.stack([np.arange(ROWS_A_BLOCK + 7)] * 2))
    one = call(key, sample)
    for value in call(key, stack):
        assert_same(key, value, one)
