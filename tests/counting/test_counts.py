"""The hot loop against `np.add.at`, on each of its paths."""

from __future__ import annotations

import itertools
from typing import Any

import brute
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.strategies import examples

from pandas_ordinal.counting import counts
from pandas_ordinal.counting.counts import (
    CountsInParts,
    DenseCounts,
    Factor,
    SparseCounts,
    count,
    sum_by_cell,
)

QUICK = examples(80)


def force(
    monkeypatch: pytest.MonkeyPatch, *, sort: bool = False, part: int = 2**22, chunk: int = 2**19
) -> None:
    """Make a table seem large, so that keys are sorted or parts counted, or the chunks small."""
    monkeypatch.setattr(counts, "LARGE_TABLE", part)
    monkeypatch.setattr(counts, "CHUNK_BYTES", chunk)
    monkeypatch.setattr(counts, "MANY_ROWS", 0)
    monkeypatch.setattr(counts, "ROWS_PER_JOINT_CELL", 1e-9)
    if sort:
        monkeypatch.setattr(counts, "SMALL_TABLE", 0)
        monkeypatch.setattr(counts, "CELLS_PER_ROW", 0)


def expected(
    groups: list[Factor], true: Any, pred: Any, n_classes: int, weights: Any = None
) -> np.ndarray:
    """Tables of all groups, missing labels in slot 0."""
    sizes = [factor.size for factor in groups]
    slots = n_classes + 1
    table = np.zeros((*sizes, slots, slots), np.int64 if weights is None else float)
    keys = [np.asarray(f.codes, object) - f.lowest for f in groups]
    where = (*(key.astype(np.int64) for key in keys), np.asarray(true, int) + 1)
    np.add.at(table, (*where, np.asarray(pred, int) + 1), 1 if weights is None else weights)
    return table.reshape(-1, slots, slots)


def assert_counts(
    groups: list[Factor], true: Any, pred: Any, n_classes: int, weights: Any = None
) -> None:
    result = count(groups, true, pred, n_classes, weights)
    oracle = expected(groups, true, pred, n_classes, weights)
    assert (result.n_groups, result.n_classes) == (len(oracle), n_classes)
    table = result.block(0, len(oracle))
    assert table.dtype == (np.int64 if weights is None else np.float64)
    if weights is None:
        np.testing.assert_array_equal(table, oracle)
        assert result.missing() == (np.sum(true < 0), np.sum(pred < 0))
        held = np.flatnonzero(oracle)
        np.testing.assert_array_equal(result.held(), held)
        for cells in (held, held[1::2]):
            np.testing.assert_array_equal(result.at(cells), oracle.ravel()[cells])
    else:
        np.testing.assert_allclose(table, oracle, rtol=1e-12, atol=1e-12)
    step = max(3, len(oracle) // 20)
    for start in range(0, len(oracle), step):
        stop = min(start + step, len(oracle))
        np.testing.assert_array_equal(result.block(start, stop), table[start:stop])
    for chosen in ([], [0], [len(oracle) - 1], range(0, len(oracle), 3)):
        some = np.array(chosen, int)
        np.testing.assert_array_equal(result.of(some), table[some, 1:, 1:])


DTYPES = ["int8", "int16", "int32", "int64"]


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[Factor], Any, Any, int, Any]:
    n_rows = draw(st.integers(0, 60))
    n_classes = draw(st.sampled_from([1, 2, 3, 5, 9, 14, 15, 16, 20, 126]))
    seed = draw(st.integers(0, 2**16))
    rng = np.random.default_rng(seed)
    labels = []
    for _ in range(2):
        dtype = draw(st.sampled_from(DTYPES))
        lowest = draw(st.sampled_from([-1, 0]))
        labels.append(rng.integers(lowest, n_classes, n_rows).astype(dtype))
    groups = []
    for _ in range(draw(st.integers(0, 2))):
        dtype = np.dtype(draw(st.sampled_from([*DTYPES, "uint8", "uint64"])))
        size = draw(st.integers(1, 40))
        limits = np.iinfo(dtype)
        lowest = draw(
            st.sampled_from([0, int(limits.min), int(limits.max) - size + 1])
            | st.integers(max(int(limits.min), -50), 50)
        )
        steps = rng.integers(0, size, n_rows).tolist()
        codes = np.array([lowest + step for step in steps], dtype)
        groups.append(Factor(codes, size, lowest))
    weights = draw(st.sampled_from([None, rng.random(n_rows), rng.integers(0, 4, n_rows) * 1.0]))
    return groups, *labels, n_classes, weights


@QUICK
@given(
    tables(),
    st.booleans(),
    st.sampled_from([1, 100, 2**22]),
    st.sampled_from([8, 16, 24, 56, 2**19]),
)
def test_any_table(table: Any, sort: bool, part: int, chunk: int) -> None:
    groups, true, _, n_classes, _ = table
    n_cells = (n_classes + 1) ** 2 * int(np.prod([factor.size for factor in groups]))
    with pytest.MonkeyPatch.context() as monkeypatch:
        force(monkeypatch, sort=sort and n_cells > len(true), part=part, chunk=chunk)
        assert_counts(*table)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_groups", [0, 1, 2, 7, 20, 200, 5000])
@pytest.mark.parametrize("n_classes", [1, 2, 3, 5, 15, 16])
def test_tables_of_any_size(n_classes: int, n_groups: int, weighted: bool) -> None:
    """From many rows at a time over one row at a time to sorted keys."""
    rng = np.random.default_rng(n_groups)
    true, pred = rng.integers(-1, n_classes, (2, 1000)).astype("int8")
    groups = [Factor(rng.integers(0, n_groups, 1000), n_groups)] if n_groups else []
    assert_counts(groups, true, pred, n_classes, rng.random(1000) if weighted else None)
    n_cells = max(n_groups, 1) * (n_classes + 1) ** 2
    result = count(groups, true, pred, n_classes)
    assert isinstance(result, DenseCounts if n_cells <= 2**16 else SparseCounts)


@pytest.mark.parametrize("n_rows", range(34))
def test_odd_lengths_and_chunks(n_rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(n_rows)
    # tables of which two, three or four together nearly fit, or hardly do not
    sizes = [(1, 1), (2, 2), (3, 1), (3, 3), (6, 1), (6, 5), (16, 1)]
    for (n_classes, n_groups), chunk, sort in itertools.product(
        sizes, [8, 16, 24, 64], [False, True]
    ):
        n_cells = n_groups * (n_classes + 1) ** 2
        true, pred = rng.integers(-1, n_classes, (2, n_rows)).astype("int8")
        groups = [Factor(rng.integers(5, 5 + n_groups, n_rows), n_groups, 5)]
        with monkeypatch.context() as patch:
            force(patch, sort=sort and n_cells > n_rows, chunk=chunk)
            assert_counts(groups, true, pred, n_classes)


@pytest.mark.parametrize("n_rows", [2**18 - 1, 2**18, 2**19, 2**19 + 1, 2**20 + 3])
def test_real_chunks(n_rows: int) -> None:
    rng = np.random.default_rng(0)
    true, pred = rng.integers(-1, 5, (2, n_rows)).astype("int8")
    assert_counts([], true, pred, 5)
    assert_counts([Factor(rng.integers(0, 900, n_rows).astype("int16"), 900)], true, pred, 5)


@pytest.mark.parametrize("n_classes", [14, 15, 16, 126, 127, 128, 254, 255, 256])
@pytest.mark.parametrize("sort", [False, True])
def test_tables_at_the_limits_of_small_integers(
    n_classes: int, sort: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    force(monkeypatch, sort=sort)
    codes = np.array([-1, 0, 1, n_classes - 2, n_classes - 1], "int16")
    true, pred = np.repeat(codes, 5), np.tile(codes, 5)
    assert_counts([], true, pred, n_classes)
    assert_counts([Factor(np.arange(25) % 2, 2)], true, pred, n_classes)


@pytest.mark.parametrize("weighted", [False, True])
def test_parts_are_counted_when_asked_for(weighted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """In any order, within a part, across parts, and more than one at once."""
    force(monkeypatch, part=64)
    monkeypatch.setattr(counts, "MOST_PARTS", 30)
    rng = np.random.default_rng(0)
    true, pred = rng.integers(-1, 3, (2, 2000)).astype("int8")
    group, weights = rng.integers(7, 107, 2000), rng.random(2000) if weighted else None
    factors = [Factor(group, 100, 7)]
    result = count(factors, true, pred, 3, weights)
    assert isinstance(result, CountsInParts)
    assert result.missing() == ((true < 0).sum(), (pred < 0).sum())
    oracle = expected(factors, true, pred, 3, weights)
    for start, stop in [(0, 1), (1, 2), (2, 9), (50, 51), (3, 4), (0, 100), (98, 100), (99, 99)]:
        np.testing.assert_allclose(result.block(start, stop), oracle[start:stop], rtol=1e-12)
        assert len(result.parts) == 1
    np.testing.assert_allclose(result.of(np.array([5, 60])), oracle[[5, 60], 1:, 1:], rtol=1e-12)
    assert result.of(np.array([], int)).shape == (0, 3, 3)


def test_weights_of_sorted_cells_are_added_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that machines that sort in another way have the same bits."""
    force(monkeypatch, sort=True)
    group, label = np.arange(300) % 3, np.zeros(300, int)
    weights = 10.0 ** np.random.default_rng(0).uniform(-8, 8, 300)
    found = count([Factor(group, 3)], label, label, 2, weights).block(0, 3)[:, 1, 1]
    assert found.tolist() == [np.add.reduceat(weights[group == g], [0])[0] for g in range(3)]


@pytest.mark.parametrize("n_groups", [7, 7000])
@pytest.mark.parametrize("dtype", [np.int64, np.float64])
@pytest.mark.parametrize("n_cells", [0, 1, 500])
def test_cells_that_are_there_several_times(n_groups: int, dtype: Any, n_cells: int) -> None:
    rng = np.random.default_rng(n_cells)
    cells = rng.integers(0, n_groups * 16, n_cells)
    cells = np.append(cells, cells[::3])
    values = rng.integers(1, 9, len(cells)).astype(dtype)
    result = sum_by_cell(n_groups, 3, cells, values)
    assert isinstance(result, DenseCounts if n_groups == 7 else SparseCounts)
    oracle = np.zeros(n_groups * 16, dtype)
    for cell, value in zip(cells, values, strict=True):
        oracle[cell] += value
    table = result.block(0, n_groups)
    assert table.dtype == dtype
    np.testing.assert_array_equal(table.ravel(), oracle)
    held = result.held()
    np.testing.assert_array_equal(held, np.flatnonzero(oracle))
    np.testing.assert_array_equal(result.at(held), oracle[held])
    np.testing.assert_array_equal(result.at(held[1:]), oracle[held[1:]])


def test_a_missing_code_aliases_no_other_cell() -> None:
    """Group 1's missing truth is not group 0's last class."""
    groups = [Factor(np.array([0, 1, 1]), 2)]
    table = count(groups, np.array([2, -1, 0]), np.array([2, 2, -1]), 3).block(0, 2)
    assert table[0, 1:, 1:].sum() == 1
    assert table[1, 1:, 1:].sum() == 0
    assert table[1].sum() == 2


def test_more_cells_than_32_bits_hold() -> None:
    size = 2**31
    codes = np.array([0, size - 1, size - 1, 5])
    result = count([Factor(codes, size)], np.array([0, 1, 1, -1]), np.array([0, 0, 0, 1]), 2)
    assert result.cells is not None
    assert result.block(size - 1, size)[0, 1:, 1:].tolist() == [[0, 0], [2, 0]]
    assert result.block(0, 1)[0, 1:, 1:].tolist() == [[1, 0], [0, 0]]
    assert result.block(5, 6)[0].tolist() == [[0, 0, 1], [0, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize("order", [">", "<"])
@pytest.mark.parametrize("kind", ["i2", "i4", "i8", "u2"])
@pytest.mark.parametrize("n_classes", [3, 20, 150])
def test_byte_order(order: str, kind: str, n_classes: int) -> None:
    rng = np.random.default_rng(0)
    true, pred = rng.integers(0, n_classes, (2, 50)).astype("int16")
    key = rng.integers(0, 5, 50)
    assert_counts([Factor(key.astype(order + kind), 5)], true, pred, n_classes)
    df = pd.DataFrame({"y": true, "yhat": pred, "g": key.astype(order + kind)})
    result = df.ordinal.confusion("y", "yhat", by="g", classes=range(n_classes))
    expected = [brute.counts(true[key == g], pred[key == g], n_classes) for g in range(5)]
    np.testing.assert_array_equal(result, expected)


def test_columns_with_strides() -> None:
    rng = np.random.default_rng(0)
    table = rng.integers(-1, 3, (50, 4)).astype("int8")
    assert_counts([], table[:, 1], table[::-1, 2], 3)
    frame = pd.DataFrame(rng.integers(0, 3, (50, 4)), columns=list("abcd"))
    expected = brute.counts(frame["a"][::2], frame["b"][::2], 3)
    np.testing.assert_array_equal(frame[::2].ordinal.confusion("a", "b"), expected)


# rows of a frame


@st.composite
def frames(draw: st.DrawFn) -> pd.DataFrame:
    n_classes = draw(st.integers(1, 6))
    n_rows = draw(st.integers(0, 40))
    code = st.integers(-1, n_classes - 1)
    dtype = pd.CategoricalDtype([f"c{9 - i}" for i in range(n_classes)], ordered=True)
    columns = {
        name: pd.Categorical.from_codes(
            draw(st.lists(code, min_size=n_rows, max_size=n_rows)), dtype=dtype
        )
        for name in ("y", "yhat")
    }
    group = st.lists(st.integers(-3, 3), min_size=n_rows, max_size=n_rows)
    weight = st.lists(st.integers(0, 3), min_size=n_rows, max_size=n_rows)
    return pd.DataFrame(
        {
            **columns,
            "g": np.array(draw(group), draw(st.sampled_from(DTYPES))),
            "w": np.array(draw(weight), int),
        }
    )


@QUICK
@given(frames())
def test_cubes_of_frames(df: pd.DataFrame) -> None:
    n_classes = len(df["y"].cat.categories)
    plain = df.ordinal.confusion("y", "yhat", by="g", dropna=True)
    weighted = df.ordinal.confusion("y", "yhat", by="g", sample_weight="w", dropna=True)
    repeated = df.loc[df.index.repeat(df["w"])].ordinal.confusion("y", "yhat", dropna=True)
    assert plain.dtype == np.int64 and weighted.dtype == np.float64
    assert plain.indexes["g"].tolist() == sorted(df["g"].unique())
    for key, rows in df.groupby("g"):
        codes = rows["y"].cat.codes, rows["yhat"].cat.codes
        table = brute.counts(*codes, n_classes)
        np.testing.assert_array_equal(plain.sel(g=key), table)
        table = brute.counts(*codes, n_classes, rows["w"])
        np.testing.assert_allclose(weighted.sel(g=key), table)
    np.testing.assert_allclose(weighted.sum("g"), repeated)
