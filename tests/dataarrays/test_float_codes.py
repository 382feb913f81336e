"""Floats with NaN are read as the integers that they are; others are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.testing as npt
import pytest
import xarray as xr

from pandas_ordinal import ClassOrderError, MissingValueError, UnknownClassError
from pandas_ordinal.dataarrays.float_codes import different_floats, whole_positions

RNG = np.random.default_rng(2)
KINDS = ["float16", "float32", "float64"]


def codes(lowest: int, n: int, dtype: str, share: float = 0.3) -> Any:
    values = RNG.integers(lowest, lowest + n, (7, 11)).astype(dtype)
    values[RNG.random(values.shape) < share] = np.nan
    return values


def counted(true: Any, pred: Any, labels: list[int]) -> Any:
    """Count cases without a missing label one by one."""
    counts = np.zeros((len(labels), len(labels)), int)
    for t, p in zip(true.ravel(), pred.ravel(), strict=True):
        if not (np.isnan(t) or np.isnan(p)):
            counts[labels.index(int(t)), labels.index(int(p))] += 1
    return counts


@pytest.mark.parametrize("chunks", [None, 3])
@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize(("lowest", "n"), [(0, 3), (1, 5), (-4, 3), (-1, 3), (0, 127), (0, 129)])
@pytest.mark.parametrize("share", [0, 0.3, 1])
def test_numbers_with_gaps(lowest: int, n: int, share: float, dtype: str, chunks: Any) -> None:
    true, pred = codes(lowest, n, dtype, share), codes(lowest, n, "float64", share)
    labels = list(range(lowest, lowest + n))
    arrays = [xr.DataArray(one, dims=("i", "j")) for one in (true, pred)]
    if chunks:
        arrays = [one.chunk(i=chunks) for one in arrays]
    one, other = arrays
    cube = one.ordinal.confusion(other, classes=labels, dropna=True)
    npt.assert_array_equal(cube, counted(true, pred, labels))
    fewer = one.transpose("j", "i").ordinal.confusion(other, classes=labels, dropna=True)
    npt.assert_array_equal(fewer, cube)
    if share:
        with pytest.raises(MissingValueError):
            one.ordinal.mae(other, classes=labels).compute()


@pytest.mark.parametrize("dtype", KINDS)
def test_classes_that_occur(dtype: str) -> None:
    true, pred = codes(2, 4, dtype), codes(1, 4, dtype)
    one, other = (xr.DataArray(x, dims=("i", "j")) for x in (true, pred))
    cube = one.ordinal.confusion(other, dropna=True)
    assert cube.indexes["true"].tolist() == [1, 2, 3, 4, 5]
    npt.assert_array_equal(cube, counted(true, pred, [1, 2, 3, 4, 5]))


@pytest.mark.parametrize("dtype", KINDS)
def test_names_take_codes_with_both_marks_of_missing(dtype: str) -> None:
    true, pred = codes(-1, 4, dtype), codes(-1, 4, dtype)
    one, other = (xr.DataArray(x, dims=("i", "j")) for x in (true, pred))
    cube = one.ordinal.confusion(other, classes=list("abc"), dropna=True)
    known = [np.where(x < 0, np.nan, x) for x in (true, pred)]
    npt.assert_array_equal(cube, counted(*known, [0, 1, 2]))


WRONG = {
    "half": (1.5, r"1\.5"),
    "between the classes and missing": (-0.5, r"-0\.5"),
    "below": (-2.0, "-2"),
    "above": (3.0, "3"),
    "far above": (257.0, "257"),
    "beyond all integers": (1e20, r"1e\+20"),
    "infinite": (np.inf, "inf"),
    "infinitely low": (-np.inf, "-inf"),
}


@pytest.mark.parametrize("gap", [np.nan, 1])
@pytest.mark.parametrize("chunks", [None, 2])
@pytest.mark.parametrize("kind", WRONG)
def test_other_numbers_are_refused(kind: str, chunks: Any, gap: float) -> None:
    value, told = WRONG[kind]
    true = xr.DataArray([0.0, gap, 2, value], dims="i", name="y")
    true = true.chunk(i=chunks) if chunks else true
    pred = xr.DataArray([0, 1, 2, 1], dims="i")
    for classes in (range(3), ["a", "b", "c"]):
        with pytest.raises(UnknownClassError, match=rf"'y' holds \[?{told}"):
            true.ordinal.confusion(pred, classes=classes, dropna=True).compute()
    ignored = true.ordinal.confusion(pred, classes=range(3), dropna=True, ignore=value)
    assert ignored.sum() == (3 if gap == 1 else 2)


@pytest.mark.parametrize("value", [-1.0, -1])
def test_minus_one_is_not_a_number_of_the_classes(value: float) -> None:
    true = xr.DataArray([0.0, np.nan, value], dims="i", name="y")
    with pytest.raises(UnknownClassError, match=r"'y' holds \[-1"):
        true.ordinal.confusion(true, classes=range(3), dropna=True)
    with pytest.raises(ClassOrderError, match="-1"):
        true.ordinal.confusion(true, dropna=True)


def test_positions_of_whole_numbers() -> None:
    values = np.array([2.0, np.nan, 5])
    found = whole_positions(values, 2, 5, allowed=False)
    assert found is not None and found.tolist() == [0, -1, 3] and found.dtype == np.int8
    assert whole_positions(values, 2, 4, allowed=False) is None
    assert whole_positions(values, 3, 5, allowed=False) is None
    below = whole_positions(values, 3, 5, allowed=True)
    assert below is not None and below.tolist() == [-1, -1, 2]
    wide = whole_positions(np.array([-100.0, 100]), -100, 100, allowed=False)
    assert wide is not None and wide.tolist() == [0, 200]


def test_different_numbers() -> None:
    assert different_floats(np.array([[3.0, 5], [3, 3]])).tolist() == [3, 5]
    with_gap = different_floats(np.array([-2.0, np.nan, 4], "float32"))
    npt.assert_array_equal(with_gap, [-2, 4, np.nan])
    npt.assert_array_equal(different_floats(np.array([np.nan, np.nan])), [np.nan])
    for n in (-1, -2, 125, 126, 127, 255, 256):  # around what int8 holds
        found = different_floats(np.array([n, 0, n, 3.0]))
        npt.assert_array_equal(found, sorted({n, 0, 3}))
    for others in ([0.5, 1], [0, np.inf], [0, 5000]):
        npt.assert_array_equal(different_floats(np.array(others)), others)


def test_a_mask_leaves_numbers_out() -> None:
    true = xr.DataArray([0.0, 1.5, np.nan, 2], dims="i")
    chosen = xr.DataArray([True, False, False, True], dims="i")
    for classes in (None, range(3), ["a", "b", "c"]):
        cube = true.ordinal.confusion(true, classes=classes, sample_weight=chosen)
        assert np.diag(cube).tolist() == [1, 0, 1]


def test_a_mask_leaves_out_integers_that_are_no_codes() -> None:
    true = xr.DataArray([0, 99, 2, 1], dims="i")
    pred = xr.DataArray([0, 1, 1, -1], dims="i")
    chosen = xr.DataArray([True, False, True, True], dims="i")
    asked = {"classes": ["a", "b", "c"], "sample_weight": chosen, "dropna": True}
    due = [[1, 0, 0], [0, 0, 0], [0, 1, 0]]
    assert true.ordinal.confusion(pred, **asked).values.tolist() == due
    assert true.chunk().ordinal.confusion(pred.chunk(), **asked).values.tolist() == due
