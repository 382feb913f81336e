"""Segments of rows, very many, very long or without rows: each scores as if it were alone."""

from __future__ import annotations

import inspect

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

import pandas_ordinal as po
from pandas_ordinal.counting import arrays
from pandas_ordinal.metrics import segments
from pandas_ordinal.metrics.segments import Segments

SMALL = 2**9


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64"])
def test_rows_segment_by_segment(dtype: str) -> None:
    for order, due in (([2, 1, 0], [2, 1, 0]), ([0, 1, 1], None), ([1, 0, 1], [1, 0, 2])):
        found = segments.one_by_one(np.array(order, dtype))
        assert (None if found is None else found.tolist()) == due


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64"])
def test_rows_of_a_segment_keep_their_order(dtype: str) -> None:
    for numbers in ([0, 1], [2, 1, 0], [5, 3, 5, 3, 3]):
        segment = np.tile(np.array(numbers, dtype), 500)
        due = [row for number in sorted(set(numbers)) for row in np.flatnonzero(segment == number)]
        found = segments.one_by_one(segment)
        assert found is not None and found.tolist() == due
    assert segments.one_by_one(np.repeat(np.arange(3, dtype=dtype), 500)) is None
    swapped = segments.one_by_one(np.array([0, 2, 1], dtype))
    assert swapped is not None and swapped.tolist() == [0, 2, 1]


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of few rows, so that few rows fill many of them."""
    monkeypatch.setattr(arrays, "ROWS_PER_BLOCK", SMALL)


def segments_of(n_short: int) -> tuple[np.ndarray, int]:
    """The segment of each row: very many short ones, some long ones, and some without rows."""
    rng = np.random.default_rng(5)
    block = arrays.ROWS_PER_BLOCK
    sizes = [*rng.integers(0, 20, n_short), block + 100, *rng.integers(20, block // 11, 12)]
    sizes += [0, 1, 17, 0]
    rng.shuffle(sizes)
    rows = np.repeat(np.arange(len(sizes)), sizes)
    rng.shuffle(rows)
    return rows, len(sizes)


def compare_with_alone(key: str, n_short: int, weighted: bool) -> None:
    segments, n_segments = segments_of(n_short)
    sample = random_sample(2, 3, len(segments), n_scores=7)
    sample.true[::11] = -1
    if weighted:
        sample = sample.weighted(np.random.default_rng(0).integers(0, 4, len(segments)))
    rows = Segments(sample.true, 3, segments, n_segments, sample.weights)
    given = options(key, 3)
    column = sample.scores if key in OF_SCORES else sample.proba
    by_segment = metric_of(key).by_segment
    assert by_segment is not None
    actual = by_segment(rows, column, **given)
    assert actual.shape == (n_segments, *[3] * len(metric_of(key).output))

    sizes = np.bincount(segments, minlength=n_segments)
    by_size = np.argsort(sizes, kind="stable")
    chosen = {*by_size[:6], *by_size[-14:], *by_size[:: n_segments // 40], 0, n_segments - 1}
    order = np.argsort(segments, kind="stable")
    ends = np.cumsum(sizes)
    for number in sorted(chosen):
        alone = sample.take(order[ends[number] - sizes[number] : ends[number]])
        assert_same(key, actual[number], call(key, alone))


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.usefixtures("small_blocks")
def test_segments_of_very_different_lengths(key: str, weighted: bool) -> None:
    """Each is scored as if it were alone; the rows of all of them are mixed."""
    compare_with_alone(key, 400, weighted)


@pytest.mark.parametrize("key", ["vus", "pairwise_auc", "brier"])
def test_more_rows_than_real_blocks(key: str) -> None:
    compare_with_alone(key, 4000, weighted=True)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.usefixtures("small_blocks")
def test_more_segments_than_any_block(key: str) -> None:
    sample = random_sample(3, 3, 300, 9)
    assert 5 * arrays.ROWS_PER_BLOCK < 300 * 9
    actual = call(key, sample)
    for position in range(0, 300, 6):
        assert_same(key, actual[position], call(key, sample.at(position)))


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("rows", [SMALL + 7, arrays.ROWS_PER_BLOCK + 7])
def test_one_segment_longer_than_any_block(
    key: str, rows: int, request: pytest.FixtureRequest
) -> None:
    """The same rows in a stack, twice: a block holds one of the segments only."""
    if rows < arrays.ROWS_PER_BLOCK:
        request.getfixturevalue("small_blocks")
    assert rows > arrays.ROWS_PER_BLOCK
    sample = random_sample(3, 3, rows, n_scores=9)
    stack = sample.take(np.stack([np.arange(rows)] * 2))
    one = call(key, sample)
    for value in call(key, stack):
        assert_same(key, value, one)


def test_segments_in_falling_order_are_put_in_order() -> None:
    codes, score = np.array([0, 1, 1, 0, 0, 1]), np.array([1.0, 2, 3, 4, 6, 5])
    falling = Segments(codes, 2, np.array([2, 2, 1, 1, 0, 0]), 3, None)
    by_segment = metric_of("vus").by_segment
    assert by_segment is not None
    assert by_segment(falling, score).tolist() == [0, 0, 1]


def test_few_long_segments_are_taken_one_at_a_time() -> None:
    segment = np.repeat(np.arange(4), [300, 300, 20, 20])
    rows = Segments(np.zeros_like(segment), 1, segment, 4, None)
    assert [numbers.tolist() for numbers, _, _ in rows.blocks(600)] == [[0], [1], [2, 3]]


def test_blocks_hold_no_more_classes_than_rows() -> None:
    """The tables of a block have a place for each class of each of its segments."""
    rows = Segments(np.zeros(600, int), 30, np.arange(600), 600, None)
    assert [len(numbers) for numbers, _, _ in rows.blocks(900)] == [30] * 20


def test_more_segments_than_two_bytes_number() -> None:
    """Two rows of each: the higher class scores higher in the segments whose number is odd."""
    numbers = np.arange(2**16 + 9)
    segment = np.random.default_rng(0).permutation(np.tile(numbers, 2))
    order = np.argsort(segment, kind="stable")
    codes, score = np.empty(len(segment), int), np.empty(len(segment))
    codes[order] = np.tile([0, 1], len(numbers))
    score[order] = np.where(np.tile([False, True], len(numbers)), np.repeat(numbers % 2, 2), 0.5)
    by_segment = metric_of("vus").by_segment
    assert by_segment is not None
    actual = by_segment(Segments(codes, 2, segment, len(numbers), None), score)
    assert np.array_equal(actual, numbers % 2)


@pytest.mark.parametrize("wrong", [2, -2])
def test_codes_that_are_no_classes_raise(wrong: int) -> None:
    with pytest.raises(ValueError, match=f"true classes hold {wrong}, which is not a code of 2"):
        po.metrics.vus([0, 1, wrong, -1], [1.0, 2, 3, 4], 2)
    assert po.metrics.vus([False, True], [1.0, 2], 2) == 1


def test_a_single_row_does_not_stand_for_several() -> None:
    for true, score, weight in (
        ([0], [1.0, 2, 3], None), ([0, 1, 1], [1.0], None), ([0, 1], [1.0, 2], [1]),
        ([[0], [1]], [[1.0, 2, 3]] * 2, None), ([[0, 1, 1]] * 2, [[1.0], [2]], None),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="do not match: rows are the last axis of each"):
            po.metrics.vus(true, score, 2, weight)
    assert po.metrics.vus([0, 1], [[1.0, 2], [2, 1]], 2).tolist() == [1, 0]


def test_the_largest_number_of_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "LARGEST_N_CLASSES", 3)
    assert po.metrics.u_pairs([0, 2], [1.0, 2], 3) == 1
    with pytest.raises(ValueError, match="n_classes=4 must be 3 or less"):
        po.metrics.u_pairs([0, 2], [1.0, 2], 4)
    monkeypatch.undo()
    segments.refuse_n_classes(1_000_000)
    with pytest.raises(ValueError, match="n_classes=1000001 must be 1,000,000 or less"):
        segments.refuse_n_classes(1_000_001)


def test_rows_that_are_kept_for_segments_are_not_shown() -> None:
    """Nor are they compared, or given by the caller."""
    rows = [Segments(codes, 2, codes, 1, None) for codes in [np.zeros(1, int)] * 2]
    rows[0].found["ranks"] = np.arange(3)
    assert rows[1].found == {} and "found" not in repr(rows[0])
    assert rows[0] == rows[1] and "found" not in inspect.signature(Segments).parameters
