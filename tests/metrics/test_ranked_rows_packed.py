"""Rows are sorted as integers: in the same order, or not at all."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from oracles.strategies import QUICK

from pandas_ordinal.counting import arrays as blocks
from pandas_ordinal.metrics.ranked_rows import InOrder, RankedPiece, pack

DTYPES = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?", ">f8", ">i4"]


def sort(scores: np.ndarray, codes: np.ndarray, n_classes: int, sizes: list[int]) -> InOrder:
    return pack(scores, codes, n_classes).sorted(np.array(sizes), None)


def rows_in_order(scores: np.ndarray, codes: np.ndarray, segment: np.ndarray) -> list[Any]:
    """The segment, score and class of each row, sorted one by one, the highest class first."""
    rows = zip(segment.tolist(), scores.tolist(), (-codes.astype(int)).tolist(), strict=True)
    return [(segment, score, -code) for segment, score, code in sorted(rows)]


@pytest.mark.parametrize("dtype", DTYPES)
@QUICK
@given(data=st.data())
def test_rows_are_in_the_order_of_their_scores(dtype: str, data: st.DataObject) -> None:
    elements = {"allow_nan": False} if "f" in dtype else {}
    scores = data.draw(arrays.arrays(dtype, st.integers(1, 8), elements=elements))
    codes = np.array(data.draw(st.lists(st.integers(0, 127), min_size=8, max_size=8)), np.int8)
    codes = codes[: len(scores)]
    cuts = sorted(data.draw(st.lists(st.integers(0, len(scores)), max_size=3)))
    sizes = np.diff([0, *cuts, len(scores)])
    segment = np.repeat(np.arange(len(sizes)), sizes)
    actual = sort(scores, codes, 128, sizes.tolist())
    expected = rows_in_order(scores, codes, segment)
    assert actual.first.tolist() == [0, *cuts]
    assert actual.codes().tolist() == [row[2] for row in expected]
    keys = [row[:2] for row in expected]
    assert actual.is_higher().tolist() == [True, *(a != b for a, b in pairwise(keys))]

    weights = np.arange(1.0, len(scores) + 1)
    weighed = pack(scores, codes, 128).sorted(sizes, weights)
    rows = zip(segment, scores.tolist(), codes.tolist(), weights.tolist(), strict=True)
    in_order = sorted(rows, key=lambda row: (row[0], row[1], -row[2]))  # stable
    assert weighed.codes().tolist() == actual.codes().tolist()
    assert weighed.weights is not None
    assert weighed.weights.tolist() == [row[3] for row in in_order]


@QUICK
@given(data=st.data())
def test_some_rows_are_packed_as_all_of_them(data: st.DataObject) -> None:
    scores = data.draw(arrays.arrays("f8", st.integers(1, 8), elements={"allow_nan": False}))
    codes = np.arange(len(scores)) % 3
    place = np.array(data.draw(st.permutations(range(len(scores)))))
    taken = pack(scores, codes, 3).taken(place).sorted(np.array([len(scores)]), None)
    again = sort(scores[place], codes[place], 3, [len(scores)])
    assert taken.codes().tolist() == again.codes().tolist()
    assert taken.is_higher().tolist() == again.is_higher().tolist()


def test_rows_of_one_class_are_distinguished_by_their_scores() -> None:
    scores, codes = np.array([3.0, 1, 2, 2]), np.array([2, 0, 1, 0])
    rows = pack(scores, codes, 3).of_one_class().sorted(np.array([4]), np.arange(4))
    assert rows.weights is not None
    assert rows.weights.tolist() == [1, 2, 3, 0]
    assert rows.is_higher().tolist() == [True, True, False, True]


def test_scores_that_differ_in_bits_that_do_not_fit() -> None:
    codes = np.array([0, 0, 1, 0])
    near = np.array([-1e300, np.nextafter(1, 2), 1, 1e300])
    far = np.array([-1e300, 1.5, 1, 1e300])
    for scores in (near, far, near.astype(np.longdouble), far.astype(np.longdouble)):
        actual = sort(scores, codes, 2, [4])
        assert actual.codes().tolist() == [0, 1, 0, 0]
        assert actual.is_higher().all()
    equal = sort(np.array([-1e300, 1, 1, 1e300]), codes, 2, [4])
    assert equal.codes().tolist() == [0, 1, 0, 0]
    assert equal.is_higher().tolist() == [True, True, False, True]


LARGE = 2**63 - 1
POWERS = [sign * 2.0**power for power in range(-1000, 1000, 7) for sign in (-1, 1)]


@pytest.mark.parametrize(
    "values",
    [
        [-LARGE - 1, 1 - LARGE, 0, 5, 6, LARGE - 1, LARGE],
        [-math.inf, -1e300, -1e-300, -0.0, 0.0, 5e-324, 1 - 2**-53, 1.0, 1 + 2**-52, math.inf],
        POWERS,
        [*POWERS, *np.nextafter(POWERS, 0)],
    ],
)
def test_scores_that_need_all_bits(values: list[Any]) -> None:
    rng = np.random.default_rng(0)
    for n_rows in (60, 60, 60, 2000):
        scores, codes = rng.choice(np.array(values), n_rows), rng.integers(0, 9, n_rows)
        actual = sort(scores, codes, 9, [n_rows])
        expected = rows_in_order(scores, codes, np.zeros(n_rows, int))
        assert actual.codes().tolist() == [row[2] for row in expected]
        is_higher = [a[1] != b[1] for a, b in pairwise(expected)]
        assert actual.is_higher().tolist() == [True, *is_higher]


NORMAL = np.random.default_rng(0).normal(size=500)
SPREAD = np.copysign(10.0 ** np.random.default_rng(1).uniform(-300, 300, 500), NORMAL)
FIT = {
    "of both signs": NORMAL,
    "with zeros": np.where(NORMAL < -1, 0, NORMAL),
    "probabilities, 0 and 1 among them": np.clip(0.3 + NORMAL / 2, 0, 1),
    "float32": NORMAL.astype(np.float32),
    "float32, spread": SPREAD.clip(-1e38, 1e38).astype(np.float32),
    "float16": NORMAL.astype(np.float16),
    "integers": (NORMAL * 1e6).astype(int),
    "the highest uint64": np.arange(500).astype(np.uint64) + np.uint64(2**64 - 500),
}


LONG = {
    **FIT,
    "distinct": np.random.default_rng(3).normal(size=3000),
    "spread": SPREAD,
    "equal": np.zeros(500),
    "few": np.round(NORMAL),
    "all but one close together": np.append(NORMAL[1:], 1e300),
    "booleans": NORMAL > 0,
}


@pytest.mark.parametrize("scores", LONG.values(), ids=LONG)
@pytest.mark.parametrize("n_classes", [1, 2, 128])
def test_a_long_segment_is_sorted_by_digits(
    scores: np.ndarray, n_classes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "ROWS_PER_BLOCK", 100)
    for n_rows in (101, 255, 256, 700, 3000):
        some = np.resize(scores, n_rows)
        codes = np.random.default_rng(2).integers(0, n_classes, n_rows)
        packed = pack(some, codes, n_classes)._replace(by_digits=True)
        actual = packed.sorted(np.array([n_rows]), None)
        expected = rows_in_order(some, codes, np.zeros(n_rows, int))
        assert actual.codes().tolist() == [row[2] for row in expected]
        is_higher = [a[1] != b[1] for a, b in pairwise(expected)]
        assert actual.is_higher().tolist() == [True, *is_higher]


@pytest.mark.parametrize("scores", FIT.values(), ids=FIT)
def test_no_sort_is_needed_to_pack(scores: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither to number the scores nor to see whether lost bits matter: that takes time."""
    monkeypatch.delattr(np, "sort")
    monkeypatch.delattr(np, "unique")
    for n_classes in (1, 5, 16):
        pack(scores, np.arange(500) % n_classes, n_classes)


def test_scores_are_not_numbered_if_the_lost_bits_do_not_matter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    codes = np.arange(500) % 5
    one_ulp_apart = np.append(SPREAD[:-2], np.nextafter(SPREAD[0], [-np.inf, np.inf]))
    monkeypatch.delattr(np, "unique")
    pack(SPREAD, codes, 5)
    with pytest.raises(AttributeError, match="unique"):
        pack(one_ulp_apart, codes, 5)


HIGHEST = [
    (np.array([5, 2**64 - 1, 0, 7], np.uint64), 1),
    (np.array([5, 2**62 - 1, -(2**62), 7]), 2),
]


@pytest.mark.parametrize(("scores", "n_classes"), HIGHEST)
def test_a_row_of_all_bits_stays_in_its_segment(scores: np.ndarray, n_classes: int) -> None:
    """Shorter segments are filled up to the length of the longest one, with as many bits."""
    for place in range(3):
        rows = np.concatenate([scores, np.full(4, 6, scores.dtype)])
        rows[[1, place]] = rows[[place, 1]]
        actual = sort(rows, np.zeros(8, int), n_classes, [3, 5])
        assert actual.rows[2] == np.uint64(2**64 - 1) == actual.rows.max()
        assert actual.codes().tolist() == [0] * 8


def test_a_class_takes_few_bits() -> None:
    bits = {1: 0, 2: 1, 3: 2, 4: 2, 5: 3, 8: 3, 9: 4, 128: 7, 129: 8}
    for n_rows in (0, 1):
        rows = np.zeros(n_rows), np.zeros(n_rows, int)
        assert {k: pack(*rows, k).class_bits for k in bits} == bits


def test_the_smallest_floats_are_apart() -> None:
    scores = np.array([5e-324, 0.0, -5e-324, 1e-323, -0.0])
    actual = sort(scores, np.array([0, 1, 2, 3, 4]), 5, [5])
    assert actual.codes().tolist() == [2, 4, 1, 0, 3]
    assert actual.is_higher().tolist() == [True, True, False, True, True]
    for apart in ([0.0, 5e-324, 1, 2], [-5e-324, 0, 1e-323, 3]):
        actual = sort(np.array(apart), np.arange(4), 16, [4])
        assert actual.codes().tolist() == [0, 1, 2, 3]
        assert actual.is_higher().all()


def test_long_segments_are_not_mixed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "ROWS_PER_BLOCK", 100)
    rng = np.random.default_rng(4)
    scores, codes = rng.normal(size=600), rng.integers(0, 3, 600)
    for sizes in ([300, 300], [250, 350], [200, 200, 200]):
        packed = pack(scores, codes, 3)._replace(by_digits=True)
        actual = packed.sorted(np.array(sizes), None)
        expected = rows_in_order(scores, codes, np.repeat(np.arange(len(sizes)), sizes))
        assert actual.codes().tolist() == [row[2] for row in expected]


def test_rows_that_are_equal_keep_the_order_of_their_weights() -> None:
    """Of many rows; so their weights add up in the same order in each segment."""
    scores, codes = np.tile([1.0, 0, 0, 1], 50), np.tile([0, 1], 100)
    weights = np.arange(200.0)
    for sizes in ([200], [80, 120]):
        actual = pack(scores, codes, 2).sorted(np.array(sizes), weights)
        segment = np.repeat(np.arange(len(sizes)), sizes)
        due = sorted(range(200), key=lambda row: (segment[row], scores[row], -codes[row], row))
        assert actual.weights is not None and actual.weights.tolist() == due


def test_rows_of_ranked_segments() -> None:
    """Three rows, none, four rows of which two are alike, and one."""
    piece = RankedPiece(
        codes=np.array([1, 0, 1, 2, 0, 0, 2, 1], np.int8),
        is_higher=np.array([True, True, False, True, True, False, True, True]),
        weights=None,
        first=np.array([0, 3, 3, 7]),
    )
    assert piece.n_rows().tolist() == [3, 0, 4, 1]
    assert piece.values().tolist() == [0, 1, 1, 0, 1, 1, 2, 0]
    table = np.zeros((3, 4, 3))
    for cell in [(1, 0, 0), (0, 0, 1), (1, 0, 1), (2, 2, 0), (0, 2, 1), (0, 2, 1), (2, 2, 2),
                 (1, 3, 0)]:  # fmt: skip
        table[cell] += 1
    assert piece.table(3).tolist() == table.tolist()
    assert piece._replace(weights=np.full(8, 0.5)).table(3).tolist() == (table / 2).tolist()

    apart, place = piece.distinct()
    assert place.tolist() == [0, 1, 2, 3, 4, 6, 7]
    assert apart.codes.tolist() == [1, 0, 1, 2, 0, 2, 1]
    assert apart.weights is not None and apart.weights.tolist() == [1, 1, 1, 1, 2, 1, 1]
    assert apart.first.tolist() == [0, 3, 3, 6]
    assert apart.values().tolist() == [0, 1, 1, 0, 1, 2, 0]
    weighed, _ = piece._replace(weights=np.arange(8.0)).distinct()
    assert weighed.weights is not None and weighed.weights.tolist() == [0, 1, 2, 3, 9, 6, 7]
    last = piece._replace(codes=np.array([1, 0, 1, 2, 0, 0, 2, 2], np.int8)).distinct()[0]
    assert last.codes.tolist() == [1, 0, 1, 2, 0, 2, 2]

    sizes = np.array([[4.0, 1, 2, 1], [2, 1, 5, 8], [1, 1, 4, 0]])
    shares = piece.divided(sizes).weights
    assert shares is not None
    assert shares.tolist() == [1 / 2, 1 / 4, 1 / 2, 1 / 4, 1 / 2, 1 / 2, 1 / 4, 1 / 8]
    halves = piece._replace(weights=np.full(8, 0.5)).divided(sizes).weights
    assert halves is not None and halves.tolist() == (shares / 2).tolist()
    none = piece.divided(np.where(sizes == 8, 0, sizes)).weights
    assert none is not None and none.tolist() == [*shares[:-1], 0]
