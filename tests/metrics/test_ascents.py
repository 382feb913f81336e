"""Sequences that ascend: in one segment by itself, or in many side by side."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import ranking as oracle
from oracles.close import assert_same
from oracles.samples import Sample, samples, weights
from oracles.strategies import QUICK

from pandas_ordinal import metrics
from pandas_ordinal.counting import arrays
from pandas_ordinal.metrics import segments
from pandas_ordinal.metrics.ascents import Ties, placements
from pandas_ordinal.metrics.ranked_rows import RankedPiece

TIES = ["half", "strict"]


@pytest.fixture(params=["side by side", "one by one"])
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {"side by side": 2**50, "one by one": 0}
    monkeypatch.setattr(segments, "LONG", rows[request.param])


def padded(parts: list[Sample]) -> dict[str, Any]:
    """Segments of different lengths as a stack; rows of class -1 do not count."""
    n_rows = max(len(part.true) for part in parts)

    def stacked(name: str, filler: float) -> np.ndarray:
        columns = [getattr(part, name) for part in parts]
        return np.array([np.pad(c, (0, n_rows - len(c)), constant_values=filler) for c in columns])

    weighted = parts[0].weights is not None
    return {
        "true": stacked("true", -1),
        "score": stacked("scores", 0.0),
        "sample_weight": stacked("weights", 0) if weighted else None,
    }


def exact(codes: np.ndarray, scores: np.ndarray, n_classes: int, ties: str) -> float:
    """VUS from whole numbers of rows; NaN if a class has none."""
    scores, codes = scores[codes >= 0], codes[codes >= 0]
    distinct, number = np.unique(scores, return_inverse=True)
    table = np.zeros((n_classes, len(distinct)), int)
    np.add.at(table, (codes, number), 1)
    if not table.any(axis=1).all():
        return math.nan
    return float(oracle.exact_vus(table.tolist(), ties))


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("ties", TIES)
@QUICK
@given(data=st.data())
def test_each_segment_is_its_definition(ties: str, data: st.DataObject) -> None:
    n_classes = data.draw(st.integers(1, 4))
    parts = data.draw(st.lists(samples(n_classes, n_classes, 7), min_size=2, max_size=4))
    if data.draw(st.booleans()):
        parts = [part.weighted(data.draw(weights(len(part.true), 6)) / 2) for part in parts]
    actual = metrics.vus(**padded(parts), n_classes=n_classes, ties=ties)
    for value, part in zip(actual, parts, strict=True):
        expected = oracle.vus(part.true, part.scores, n_classes, ties=ties, weights=part.weights)
        assert_same(value, expected)

    sizes = np.arange(1, n_classes + 1) / 2
    actual = metrics.vus_summary(
        **padded(parts), n_classes=n_classes, ties=ties, class_sizes=sizes
    )
    for matrix, part in zip(actual, parts, strict=True):
        expected = oracle.summary(part.true, part.scores, sizes, ties=ties, weights=part.weights)
        assert_same(matrix, np.array(expected, float))


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("ties", TIES)
def test_a_class_without_weight_hides_no_class_above_it(ties: str) -> None:
    true, score = [[0, 1, 1, 2, 3]] * 2, [[1, 2, 3, 3, 4]] * 2
    actual = metrics.vus_summary(true, score, 4, ties=ties, sample_weight=[[1, 0, 0, 2, 1]] * 2)
    assert np.isnan(actual[:, 0, 2:]).all()
    assert np.isnan(actual[:, 1, 2:]).all()
    assert actual[:, 0, 1].tolist() == [1, 1]
    assert actual[:, 2, 3:].tolist() == [[1, 1]] * 2


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize(
    ("n_classes", "size", "weight"),
    [(160, 100, None), (128, 2**8, None), (160, 100, 1e-300), (160, 100, 1e300 / 2**15)],
)
def test_numbers_of_sequences_that_no_float_reaches(
    n_classes: int, size: int, weight: float | None, ties: str
) -> None:
    assert size**n_classes >= 2**1024
    true = np.repeat(np.arange(n_classes), size)
    given = None if weight is None else np.full(len(true), weight)
    distinct = np.arange(len(true))
    one_swapped = distinct.copy()
    one_swapped[[size - 1, size]] = size, size - 1
    stack = np.array([distinct, -distinct, one_swapped])
    actual = metrics.vus(true, stack, n_classes, given, ties=ties)
    assert actual.tolist() == pytest.approx([1, 0, 1 - 1 / size**2], rel=1e-12)
    equal = metrics.vus(true, np.zeros((2, len(true))), n_classes, given, ties=ties)
    by_chance = 1 / math.factorial(n_classes) if ties == "half" else 0
    assert equal.tolist() == pytest.approx([by_chance] * 2, rel=1e-9)


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("weight", [None, 1 / 3])
def test_thousands_of_rows_are_added_up_exactly(ties: str, weight: float | None) -> None:
    rng = np.random.default_rng(0)
    true = np.sort(rng.integers(0, 5, (3, 9000)))
    score = np.round(true + rng.normal(scale=2, size=true.shape), 2)
    given = None if weight is None else np.full(true.shape, weight)
    actual = metrics.vus(true, score, 5, given, ties=ties)
    for value, *rows in zip(actual, true, score, strict=True):
        assert value == pytest.approx(exact(*rows, 5, ties), rel=1e-12)


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("n_values", [5, 40, 900])
def test_pieces_of_few_and_of_many_scores_follow_one_another(
    n_values: int, ties: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays, "ROWS_PER_BLOCK", 16)
    rng = np.random.default_rng(n_values)
    true = rng.integers(0, 3, 600)
    score = rng.integers(0, n_values, 600) + 2 * true
    expected = exact(true, score, 3, ties)
    assert metrics.vus(true, score, 3, ties=ties) == pytest.approx(expected, rel=1e-12)
    weighted = metrics.vus(true, score, 3, np.full(600, 0.3), ties=ties)
    assert weighted == pytest.approx(expected, rel=1e-12)


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("n_rows", [1, 40])
@pytest.mark.parametrize("weight", [5e-324, 1e-315, 1e-300, 1, 1e300])
def test_weights_of_any_magnitude(weight: float, n_rows: int) -> None:
    """One of three rows of the lower class is below the other class, whatever they weigh."""
    true = np.repeat([0, 0, 0, 1], n_rows)
    score = np.repeat([1, 3, 3, 2], n_rows) + np.arange(4 * n_rows) / 1000
    for stacked in (score, np.array([score, score])):
        actual = metrics.vus(true, stacked, 2, np.full(len(true), weight))
        assert actual == pytest.approx(1 / 3, rel=1e-12)


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("n_scores", [1, 2, 30, 10**9])
def test_few_rows_at_a_time(n_scores: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(n_scores)
    true, score = rng.integers(-1, 3, (40, 60)), rng.integers(0, n_scores, (40, 60))
    true[np.arange(60) >= np.arange(40)[:, None]] = -1
    monkeypatch.setattr(arrays, "ROWS_PER_BLOCK", 8)
    expected = [exact(*rows, 3, "half") for rows in zip(true, score, strict=True)]
    assert_same(metrics.vus(true, score, 3), np.array(expected))


@given(
    codes=st.lists(st.integers(0, 1), max_size=9),
    scores=st.lists(st.integers(0, 1), min_size=9, max_size=9),
    by=st.sampled_from([None, 1, 2.5]),
)
def test_rows_of_a_class_and_score_are_merged(
    codes: list[int], scores: list[int], by: float | None
) -> None:
    """Two segments, the first rows and the others."""
    cut = len(codes) // 2
    keys = sorted((i >= cut, scores[i], -code) for i, code in enumerate(codes))
    rows = RankedPiece(
        np.array([-key[2] for key in keys], np.int8),
        np.array([i == 0 or keys[i - 1][:2] != key[:2] for i, key in enumerate(keys)], bool),
        None if by is None else np.full(len(keys), by),
        np.array([0, cut]),
    )
    actual, place = rows.distinct()
    distinct = sorted(set(keys))
    assert actual.codes.tolist() == [-key[2] for key in distinct]
    assert place.tolist() == [keys.index(key) for key in distinct]
    assert actual.weights is not None
    assert actual.weights.tolist() == [keys.count(key) * (by or 1) for key in distinct]
    assert actual.cells().tolist() == [-key[2] * 2 + int(key[0]) for key in distinct]
    is_first = [i == 0 or distinct[i - 1][:2] != key[:2] for i, key in enumerate(distinct)]
    assert actual.is_higher.tolist() == is_first


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("n_classes", [128, 129, 200])
def test_more_classes_than_a_piece_looks_at(n_classes: int) -> None:
    true = np.arange(n_classes)
    assert metrics.vus(true, true / 7, n_classes) == 1
    assert metrics.vus(true, -true / 7, n_classes) == 0


# Of four classes and four scores in two segments. In the second table, classes 1 and 2 never tie.
LOWEST, HIGHEST = [[1, 2, 0, 1], [2, 1, 1, 0]], [[1, 1, 2, 1], [0, 2, 1, 3]]
TABLES = [
    np.array([LOWEST, [[2, 1, 1, 0], [1, 0, 3, 1]], [[0, 3, 1, 1], [1, 2, 1, 0]], HIGHEST]),
    np.array([LOWEST, [[2, 0, 0, 1], [1, 0, 0, 0]], [[0, 3, 1, 0], [0, 2, 1, 1]], HIGHEST]),
]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("ties", TIES)
def test_placements_are_shares_of_the_sequences_through_a_score(
    ties: Ties, table: np.ndarray
) -> None:
    sizes = table.sum(axis=2)
    placed = placements(table.astype(float), sizes.astype(float), ties)
    due = np.zeros(table.shape)
    for segment, scores in itertools.product(range(2), itertools.product(range(4), repeat=4)):
        runs = [len(list(run)) for _, run in itertools.groupby(scores)]
        if list(scores) != sorted(scores) or (ties == "strict" and max(runs) > 1):
            continue
        shares = [table[k, segment, v] / sizes[k, segment] for k, v in enumerate(scores)]
        for k, v in enumerate(scores):
            others = math.prod(shares[:k] + shares[k + 1 :])
            due[k, segment, v] += others / math.prod(map(math.factorial, runs))
    np.testing.assert_allclose(placed, due, rtol=1e-12)
