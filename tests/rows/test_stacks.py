"""Stacks that `po.confusion` counts: against a call for each array, and a loop over the rows."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest

import pandas_ordinal as po
from pandas_ordinal.rows import two_arrays

LEVELS = ["low", "mid", "high"]
SHAPES = [
    ((5, 7), (5, 7), (5, 7)),
    ((7,), (5, 7), (7,)),
    ((5, 7), (7,), (5, 7)),
    ((7,), (7,), (4, 7)),
    ((3, 1, 7), (5, 7), (7,)),
    ((1, 7), (2, 3, 7), (2, 1, 7)),
    ((2, 3, 4, 7), (4, 7), (1, 1, 7)),
    ((0, 7), (7,), (7,)),
    ((2, 0, 7), (0, 7), (7,)),
    ((1, 7), (0, 7), (1, 7)),
    ((1, 7), (1, 7), (0, 7)),
    ((5, 0), (5, 0), (5, 0)),
    ((5, 1), (1,), (1,)),
]


def literal(
    true: np.ndarray, pred: np.ndarray, weight: np.ndarray | None, k: int, leave_out: set[int]
) -> np.ndarray:
    """Counts of codes from 0, in a loop over all rows; negative codes are missing."""
    arrays = np.broadcast_arrays(true, pred, 1 if weight is None else weight)
    *others, n = arrays[0].shape
    counts = np.zeros((*others, k, k))
    for place in itertools.product(*map(range, others)):
        for row in range(n):
            y, yhat, w = (array[(*place, row)] for array in arrays)
            if y >= 0 and yhat >= 0 and not {int(y), int(yhat)} & leave_out:
                counts[(*place, y, yhat)] += w
    return counts


def drawn(*shapes: tuple[int, ...], lowest: int = 0) -> list[np.ndarray]:
    rng = np.random.default_rng(5)
    return [rng.integers(lowest, 3, shape) for shape in shapes]


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
@pytest.mark.parametrize("at_a_time", [1, 20, 2**20])
def test_each_position_has_its_own_counts(
    shapes: tuple[tuple[int, ...], ...], at_a_time: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(two_arrays, "AT_A_TIME", at_a_time)
    true, pred = drawn(*shapes[:2])
    weight = np.random.default_rng(6).random(shapes[2])
    if true.ndim > 1 or pred.ndim > 1:
        counts = po.confusion(true, pred, classes=range(3))
        npt.assert_array_equal(counts, literal(true, pred, None, 3, set()))
        assert counts.dtype == np.int64
    weighted = po.confusion(true, pred, classes=range(3), sample_weight=weight)
    npt.assert_allclose(weighted, literal(true, pred, weight, 3, set()), rtol=1e-13)
    assert weighted.dtype == np.float64
    selected = po.confusion(true, pred, classes=range(3), sample_weight=weight > 0.5)
    npt.assert_array_equal(selected, literal(true, pred, weight > 0.5, 3, set()))
    assert selected.dtype == np.int64


KINDS: dict[str, Any] = {
    "int8": lambda codes: codes.astype(np.int8),
    "unsigned": lambda codes: codes.astype(np.uint8),
    "floats": lambda codes: codes.astype(float),
    "big-endian": lambda codes: codes.astype(">i4"),
    "text": lambda codes: np.array(LEVELS)[codes],
    "objects": lambda codes: np.array(LEVELS, object)[codes],
    "lists": lambda codes: np.array(LEVELS)[codes].tolist(),
    "lists of integers": lambda codes: codes.tolist(),
    "list of arrays": lambda codes: list(np.array(LEVELS)[codes]),
    "masked": lambda codes: np.ma.masked_array(codes, np.zeros(codes.shape, bool)),
    "Fortran": np.asfortranarray,
    "every other": lambda codes: codes.repeat(2, axis=-1)[..., ::2],
}


@pytest.mark.parametrize("kind", KINDS)
def test_labels_of_all_kinds(kind: str) -> None:
    true, pred = drawn((4, 9), (2, 4, 9))
    given = [KINDS[kind](codes) for codes in (true, pred)]
    is_text = "a" <= str(np.ravel(given[0])[0])[0] <= "z"
    counts = po.confusion(*given, classes=LEVELS if is_text else range(3))
    npt.assert_array_equal(counts, literal(true, pred, None, 3, set()))


def test_one_column_of_pandas_goes_with_a_stack() -> None:
    true, pred = drawn((9,), (4, 9))
    due = literal(true, pred, None, 3, set())
    dtype = pd.CategoricalDtype(LEVELS, ordered=True)
    labels = np.array(LEVELS)
    column = pd.Series(labels[true], range(9, 18), dtype=dtype)
    for one in (column, column.array, pd.CategoricalIndex(column)):  # which declare the order
        npt.assert_array_equal(po.confusion(one, labels[pred]), due)
        npt.assert_array_equal(po.confusion(labels[pred], one), due.swapaxes(-1, -2))
    weight = pd.Series(np.arange(9), column.index, dtype="Int64")
    npt.assert_array_equal(
        po.confusion(column, labels[pred], sample_weight=weight),
        literal(true, pred, np.arange(9), 3, set()),
    )


def test_series_have_the_same_index() -> None:
    true, pred = pd.Series([0, 1], [5, 6]), pd.Series([0, 0], [5, 6])
    weight = pd.Series([10, 1], [6, 5])
    refused = [(true, [0, 0]), (true, [[0, 0]]), ([0, 1], pred), ([[0, 1]], pred), (true, pred)]
    for given in refused:
        with pytest.raises(
            ValueError, match=r"index of sample_weight is not that of (true|pred):"
        ):
            po.confusion(*given, sample_weight=weight)
    with pytest.raises(ValueError, match=r"index of pred is not that of true: "):
        po.confusion(true, pred.set_axis([6, 5]))
    for given in refused:  # what has no index is read in order
        counts = po.confusion(*given, sample_weight=[1, 10])
        assert np.reshape(counts, (2, 2)).tolist() == [[1, 0], [10, 0]]


def test_classes_are_those_of_the_whole_stack() -> None:
    counts = po.confusion([[0, 0], [1, 1]], [[0, 1], [1, 4]])
    assert counts.shape == (2, 5, 5) and counts.sum() == 4 and counts[1, 1, 4] == 1


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
@pytest.mark.parametrize("options", [{"ignore": -1}, {"ignore": [-1, 2]}, {"dropna": True}])
def test_rows_that_are_left_out(
    shapes: tuple[tuple[int, ...], ...], options: dict[str, Any]
) -> None:
    true, pred = drawn(*shapes[:2], lowest=-1)
    weight = np.random.default_rng(6).random(shapes[2])
    leave_out = {2} if options.get("ignore") == [-1, 2] else set()
    classes = range(2) if leave_out else range(3)
    given = [true, pred]
    if "dropna" in options:
        given = [np.where(codes < 0, np.nan, codes) for codes in given]
    for weights in (weight, weight > 0.3):
        counts = po.confusion(*given, classes=classes, sample_weight=weights, **options)
        due = literal(true, pred, weights, 3, leave_out)
        npt.assert_allclose(counts, due[..., : len(classes), : len(classes)], rtol=1e-13)
    if true.ndim > 1 or pred.ndim > 1:
        counts = po.confusion(*given, classes=classes, **options)
        due = literal(true, pred, None, 3, leave_out)
        npt.assert_array_equal(counts, due[..., : len(classes), : len(classes)])


def test_each_position_agrees_with_its_own_call() -> None:
    rng = np.random.default_rng(8)
    true, pred = (
        np.array([*LEVELS, "?", None], object)[rng.integers(0, 5, (6, 30))] for _ in "tp"
    )
    weight = rng.random((6, 30))
    options: dict[str, Any] = {"classes": LEVELS, "ignore": "?", "dropna": True}
    for weights in (weight, weight > 0.5):
        counts = po.confusion(true, pred, sample_weight=weights, **options)
        alone = [
            po.confusion(*rows, sample_weight=some, **options)
            for *rows, some in zip(true, pred, weights, strict=True)
        ]
        npt.assert_allclose(counts, alone, rtol=1e-13)


def test_labels_in_rows_that_do_not_count_need_not_be_classes() -> None:
    true = [["low", "?", "high"], ["low", "mid", "?"]]
    select = [[True, False, True], [True, True, False]]
    counts = po.confusion(true, LEVELS, classes=LEVELS, sample_weight=select)
    assert counts.tolist() == [
        [[1, 0, 0], [0, 0, 0], [0, 0, 1]], [[1, 0, 0], [0, 1, 0], [0, 0, 0]]
    ]  # fmt: skip
    with pytest.raises(po.UnknownClassError, match=r"true holds \[.\?.\]"):
        po.confusion(true, LEVELS, classes=LEVELS, sample_weight=np.array(select)[:1])


def test_missing_labels_are_counted_once() -> None:
    true, pred = [0.0, np.nan, 1.0], np.ones((50, 3))
    with pytest.raises(po.MissingValueError, match="true holds 1 missing value: fill it in"):
        po.confusion(true, pred)
    with pytest.raises(po.MissingValueError, match="pred holds 2 missing values"):
        po.confusion([0, 1], [[0, None], [None, 1]])
    with pytest.raises(po.MissingValueError, match="pred holds 1 missing value"):
        po.confusion([9, 1], [[None, 1], [0, None]], ignore=9, classes=[0, 1])
    counts = po.confusion([9, 1], [[None, 1], [0, 1]], ignore=9, classes=[0, 1])
    assert counts.tolist() == [[[0, 0], [0, 1]]] * 2
    masked = np.ma.masked_array([[0, 1], [1, 0]], [[False, True], [False, False]])
    with pytest.raises(po.MissingValueError, match="true holds 1 missing value"):
        po.confusion(masked, [0, 1])
    assert po.confusion(masked, [0, 1], dropna=True).sum(axis=(1, 2)).tolist() == [1, 2]


@pytest.mark.parametrize("options", [{}, {"ignore": 2}, {"sample_weight": [True, False]}], ids=str)
def test_a_stack_without_positions_has_no_counts(options: dict[str, Any]) -> None:
    none = np.zeros((3, 0, 2), int)
    for true in ([0, 1], [[0, 1]], np.zeros((3, 1, 2), int)):
        assert po.confusion(true, none, classes=[0, 1], **options).shape == (3, 0, 2, 2)


def test_metrics_take_the_counts() -> None:
    true, pred = drawn((30,), (4, 30))
    counts = po.confusion(true, pred)
    alone = [float(po.metrics.mae(po.confusion(true, one))) for one in pred]
    npt.assert_allclose(po.metrics.mae(counts), alone)
    npt.assert_allclose(alone, np.abs(true - pred).mean(axis=1))


@pytest.mark.parametrize("columns", ["y", ["y"]])
def test_groups_are_no_stack(columns: Any) -> None:
    grouped = pd.DataFrame({"g": [0, 0, 1], "y": [0, 1, 2]}).groupby("g")[columns]
    with pytest.raises(TypeError, match=r'GroupBy: group .* df\.groupby\("model"\)\.ordinal'):
        po.confusion(grouped, [0, 1, 2])


@pytest.mark.parametrize(
    ("true", "pred", "message"),
    [
        (np.zeros((2, 3)), np.zeros(2), r"true has shape \(2, 3\), pred has .* their last axes"),
        (np.zeros((2, 3)), np.zeros((4, 3)), "axes before the last one do not match"),
        (np.zeros((3, 1)), np.zeros(3), "their last axes"),
        ([["a"], ["b"]], ["a"], "no order"),
        ([[0, 1]], [[0, 0.5]], "pred"),
        ([[0, 1]], [[0, -1]], "-1"),
        ([[True, 2]], [[0, 1]], "booleans"),
        ([[0, 1], [1]], [[0, 1]], "true must be one label per row"),
        ([(0, 1), (1, 1)], [0, 1], "holds 2|no order|classes"),
    ],
)  # fmt: skip
def test_stacks_that_are_refused(true: Any, pred: Any, message: str) -> None:
    classes = [(0, 1), (1, 1)] if isinstance(true[0], tuple) else None
    with pytest.raises(ValueError, match="Series" if classes else message):
        po.confusion(true, pred, classes=classes)


def test_tables_and_lists_of_series_are_refused() -> None:
    true, pred = drawn((9,), (4, 9))
    table = pd.DataFrame(pred.T, columns=list("abcd"))
    with pytest.raises(TypeError, match=r"pred is a DataFrame.*pred\.to_numpy\(\)\.T"):
        po.confusion(true, table)
    npt.assert_array_equal(po.confusion(true, table.to_numpy().T), po.confusion(true, pred))
    with pytest.raises(TypeError, match=r"pred is a list of Series.*np\.stack\(pred\)"):
        po.confusion(true, [table["a"], table["b"]])


def test_weights_are_refused_as_for_one_array() -> None:
    for weights, message in (
        ([[1.0, -1.0]], "cannot be weights"),
        ([[True, None]], "missing"),
        ([["a", "b"]], "numbers"),
        ([[1.0, 2.0, 3.0]], "sample_weight has shape"),
    ):
        with pytest.raises(ValueError, match=message):
            po.confusion([0, 1], [0, 1], sample_weight=weights)


def test_a_result_that_is_too_large_is_refused() -> None:
    stack = np.broadcast_to(np.int8(0), (100, 10**4, 1))
    with pytest.raises(ValueError, match="cells"):
        po.confusion(np.zeros(1, int), stack, classes=range(10**4))
