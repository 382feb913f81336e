"""Counts batch last, in blocks that stay in cache; options that are numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from pandas_ordinal.metrics import stack


@pytest.mark.parametrize("k", [1, 2, 3, 7, 55, 128, 443, 1024, 3000])
def test_size_of_a_block(k: int) -> None:
    """As many matrices as fit into the cache; a few large ones, unless they are very large."""
    size = stack.block_size(k)
    assert size >= 1
    if size > stack.MATRICES_PER_BLOCK:
        assert size * k**2 <= stack.CELLS_PER_BLOCK < (size + 1) * k**2
    elif size == stack.MATRICES_PER_BLOCK:
        assert size * k**2 <= stack.MOST_CELLS_PER_BLOCK
    elif size > 1:
        assert size * k**2 <= stack.MOST_CELLS_PER_BLOCK < (size + 1) * k**2
    else:
        assert 2 * k**2 > stack.MOST_CELLS_PER_BLOCK


def test_batch_last_and_back() -> None:
    matrices = np.arange(24).reshape(6, 2, 2)
    turned = stack.batch_last(matrices)
    assert turned.shape == (2, 2, 6)
    assert turned.dtype == np.float64
    assert turned.flags.c_contiguous
    assert turned[1, 0].tolist() == matrices[:, 1, 0].tolist()
    assert np.array_equal(stack.batch_first(turned), matrices)


def test_sums() -> None:
    counts = stack.batch_last(np.array([[[1, 2], [3, 4]], [[5, 0], [0, 1]]]))
    assert stack.total(counts).tolist() == [10, 6]
    assert stack.distance(3).tolist() == [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    assert stack.weigh(stack.distance(2), counts).tolist() == [5, 0]
    both = np.stack([stack.distance(2), np.ones((2, 2))])
    assert stack.weigh(both, counts).tolist() == [[5, 0], [10, 6]]


@pytest.mark.parametrize("counts", [[0, 1.5, 1e300], [], [True]], ids=str)
def test_counts(counts: Any) -> None:
    stack.refuse_other_than_counts(np.array(counts))


@pytest.mark.parametrize("bad", [-1, -1e-9, math.nan, math.inf, -math.inf])
def test_other_than_counts(bad: float) -> None:
    """The message names the first of them."""
    with pytest.raises(
        ValueError, match=f"counts hold {bad:g}, but counts are finite and not negative"
    ):
        stack.refuse_other_than_counts(np.array([[1, 2.0], [bad, -7]]))


@pytest.mark.parametrize("value", [0, -1.5, math.inf, np.int8(3), np.float32(2)])
def test_a_number(value: Any) -> None:
    number = stack.real("beta", value)
    assert type(number) is float
    assert number == value


@pytest.mark.parametrize("value", [True, "1", None, [1], np.array(1), 1j], ids=str)
def test_other_than_numbers(value: Any) -> None:
    with pytest.raises(ValueError, match="beta=.* must be a number"):
        stack.real("beta", value)


def test_numbers() -> None:
    assert stack.reals("costs", [[1, 2.5]]).tolist() == [[1, 2.5]]
    for text in (["a"], [None, {}], [[1], [2, 3]]):
        with pytest.raises(ValueError, match="costs=.* must be an array of numbers"):
            stack.reals("costs", text)
    for number in (math.nan, math.inf, -math.inf):
        with pytest.raises(ValueError, match="costs=.* must hold finite numbers only"):
            stack.reals("costs", [1, number])


@pytest.mark.parametrize("number", [10**400, -(10**400)])
def test_numbers_beyond_all_floats_are_refused(number: int) -> None:
    with pytest.raises(ValueError, match=r"^beta=-?10+\S* is too large$"):
        stack.real("beta", number)


def test_what_is_wrong_with_counts() -> None:
    shares, counts = "none of these numbers is above 1", "fill cells that a selection"
    for given, remedy in (
        ([np.nan, 0.5], shares), ([np.nan, 1], shares), ([np.inf, 1], shares), ([-1, 0.5], shares),
        ([np.nan, 2], counts), ([-1, 0.5, 2], counts), ([np.inf, 1.5, 0], counts),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=f"^counts hold {given[0]:g}, .*: {remedy}"):
            stack.refuse_other_than_counts(np.array(given, float))
    for right in ([], [0], [0.5, 1], [7, 0]):
        stack.refuse_other_than_counts(np.array(right, float))


@pytest.mark.parametrize("largest", [2e-150, 1.0, 9.9e149])
def test_numbers_that_can_be_squared(largest: float) -> None:
    stack.refuse_extreme("edges", np.array([-largest, 0, largest / 2, math.inf]))
    stack.refuse_extreme("edges", np.array([0.0, math.inf]))


@pytest.mark.parametrize("largest", [1e-150, 9e-151, 1e150, 2e200])
def test_numbers_that_are_too_far_from_one_to_be_squared(largest: float) -> None:
    for numbers in ([largest], [-math.inf, -largest, largest / 2, 0]):
        message = rf"^the largest number of edges= is {largest:.3g}, which is too far from 1"
        with pytest.raises(ValueError, match=message.replace("+", r"\+")):
            stack.refuse_extreme("edges", np.array(numbers))


def test_numbers_that_are_moderate() -> None:
    """Those whose products, and whose inverses, are floats; zeros do not matter."""
    for numbers in ([1.0, 0], [0, 0], [1e150, 1e-150], [0, 3e150]):
        assert stack.are_moderate(np.array(numbers))
    for numbers in ([1e151, 1], [1e-151, 1], [0, 1e-151], [1e300, 0], [1e-200, 1e200]):
        assert not stack.are_moderate(np.array(numbers))
