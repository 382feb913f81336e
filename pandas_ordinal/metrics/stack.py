"""Tools for formulas of counts: sums over stacks of matrices, and checks of their options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from pandas_ordinal.counting.arrays import LARGEST_EXPONENT, Array, Positions, Stack
from pandas_ordinal.errors import an, brief
from pandas_ordinal.metrics.left_out import LeftOut, StackLike

CELLS_PER_BLOCK = 3 * 2**16
MATRICES_PER_BLOCK = 64
MOST_CELLS_PER_BLOCK = 2**20
MODERATE = 2.0**500  # products of two such numbers, or of their inverses, are floats
LARGEST_SQUARED = 1e150


def total(stack: StackLike) -> Stack:
    """Sum each matrix of a stack: N, shape ``(batch,)``."""
    sums: Stack = stack.sum(axis=tuple(range(len(stack.shape) - 1)))
    return sums


def total_of_products(one: Stack, other: Stack) -> Stack:
    """Sum the products of two stacks over each matrix, without storing the products."""
    axes = "rcb"[-one.ndim :]
    sums: Stack = np.einsum(f"{axes},{axes}->b", one, other)
    return sums


def weigh(values: Stack, stack: StackLike) -> Stack:
    """Add up the cells of each matrix, weighted by values ``(..., K, K)``: ``(..., batch)``."""
    if isinstance(stack, LeftOut):
        return np.asarray(stack.weigh_rows(values).sum(axis=0))
    n_classes, _, batch = stack.shape
    flat = values.reshape(*values.shape[:-2], n_classes**2)
    sums: Stack = flat @ stack.reshape(n_classes**2, batch)
    return sums


def mean_of(values: Stack, stack: StackLike) -> Stack:
    """Average values ``(..., K, K)`` over the rows of each matrix: ``(..., batch)``.

    Huge and tiny counts are first multiplied by powers of two, which is exact.
    """
    sums = total(stack)
    if not are_moderate(sums):
        scale = power_of_two(sums)
        stack, sums = stack * scale, sums * scale
    return weigh(values, stack) / sums


def are_moderate(numbers: Stack) -> bool:
    """Return whether all numbers but 0 are far from the ends of what a float holds."""
    sizes = np.abs(numbers[numbers != 0])
    return bool(sizes.min(initial=1) > 1 / MODERATE and sizes.max(initial=1) < MODERATE)


def weigh_rows(values: Stack, stack: StackLike) -> Stack:
    """Add up the cells of each row, weighted by values ``(K, K)``: ``(K, batch)``."""
    if isinstance(stack, LeftOut):
        return stack.weigh_rows(values)
    sums: Stack = np.einsum("rc,rcb->rb", values, stack)
    return sums


def weigh_by_both(stack: StackLike, true: Stack, pred: Stack) -> Stack:
    """Add up the cells of each matrix, weighted by values of both classes, ``(K, batch)`` each."""
    if isinstance(stack, LeftOut):
        return stack.weigh_by_both(true, pred)
    sums: Stack = np.einsum("rcb,rb,cb->b", stack, true, pred)
    return sums


def diagonal(stack: StackLike) -> Stack:
    """Return the rows of each class that are predicted right, ``(K, batch)``."""
    if isinstance(stack, LeftOut):
        return stack.diagonal()
    right: Stack = np.einsum("rrb->rb", stack)
    return right


def cells(stack: StackLike) -> tuple[Positions, Positions, Stack]:
    """Return the true and the predicted class of cells, all that have rows, and their counts."""
    if isinstance(stack, LeftOut):
        return stack.cells()
    n_classes, _, batch = stack.shape
    true, pred = np.divmod(np.arange(n_classes**2), n_classes)
    return true, pred, stack.reshape(n_classes**2, batch)


def power_of_two(sums: Stack) -> Stack:
    """Return powers of two that keep products of weights with these sums within floats."""
    scale: Stack = np.ldexp(1.0, np.minimum(-np.frexp(sums)[1], LARGEST_EXPONENT))
    return scale


def distance(n_classes: int) -> Stack:
    """Return the distance of true and predicted class: ``|r - c|``, shape ``(K, K)``."""
    position = np.arange(float(n_classes))
    return np.abs(position[:, None] - position)


def refuse_other_than_counts(counts: Array) -> None:
    """Raise unless numbers are finite and not negative."""
    if counts.size and not (counts.min() >= 0 and counts.max() < np.inf):
        worst = counts[~((counts >= 0) & (counts < np.inf))][0]
        remedy = (
            "fill cells that a selection or an alignment left empty, with .fillna(0), "
            "fill_value=0 or po.add, and check what was subtracted or divided"
        )
        if not (counts[np.isfinite(counts)] > 1).any():
            remedy = (
                "none of these numbers is above 1, as in shares, which lack the number of rows; "
                "give the counts that they were divided from. Counts that an alignment left "
                "without some cells need its fill_value=0, or po.add"
            )
        raise ValueError(
            f"counts hold {worst:g}, but counts are finite and not negative: {remedy}"
        )


def real(option: str, value: Any, several: str = "") -> float:
    """Return an option that is a number; raise for anything else.

    `several` is what to call for several numbers.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise ValueError(f"{option}={brief(value)} must be a number{several and f'; {several}'}")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{option}={brief(value)} is too large") from None


def plain_array(name: str, values: Any, dtype: type | None = None) -> Stack:
    """Return values as an array of NumPy; raise for what cannot be one."""
    try:
        return np.asarray(values, dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name} must be an array of numbers, not {brief(values)}") from error


def refuse_labels(name: str, values: Any, instead: str) -> None:
    """Raise for arrays with labels or a mask, which a kernel would read by position."""
    if isinstance(values, (list, tuple)):
        for value in values:
            if isinstance(value, (list, tuple)) or hasattr(value, "__array__"):
                refuse_labels(name, value, instead)
    if hasattr(values, "dims"):
        kind = "an array with named dimensions"
    elif isinstance(values, Mapping):
        kind = "a dict"
    elif isinstance(values, np.ma.MaskedArray):
        kind = "a masked array"
    elif any(_names(getattr(values, axis, ())) for axis in ("columns", "index")):
        kind = f"{an(type(values).__name__)} with labels of its own"
    else:
        return
    raise ValueError(
        f"{name} must be a plain array, not {kind}, which a kernel would read by position: "
        f"{instead}"
    )


def _names(labels: Any) -> bool:
    """Whether an axis has a name, or labels that are not positions."""
    if callable(labels):  # the method of a list
        return False
    return getattr(labels, "name", None) is not None or list(labels) != list(range(len(labels)))


def reals(option: str, values: npt.ArrayLike) -> Stack:
    """Return an option that is an array of finite numbers; raise for anything else."""
    refuse_labels(
        f"{option}=",
        values,
        "give a plain array in the order of the classes, true classes on the "
        "rows, or call a method of .ordinal, which reads labels",
    )
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{option}={brief(values)} must be an array of numbers") from error
    if not np.isfinite(array).all():
        raise ValueError(f"{option}={brief(values)} must hold finite numbers only")
    return array


def refuse_extreme(option: str, numbers: Stack) -> None:
    """Raise for numbers whose squares, which intervals add up, exceed the range of floats."""
    largest = float(np.abs(numbers[np.isfinite(numbers)]).max(initial=0))
    if largest and not 1 / LARGEST_SQUARED < largest < LARGEST_SQUARED:
        raise ValueError(
            f"the largest number of {option}= is {largest:.3g}, which is too far from 1 to be "
            f"squared: give {option}= in another unit"
        )


def batch_first(values: Stack) -> Stack:
    """Turn a result ``(..., batch)`` into ``(batch, ...)``, as a view."""
    return values.transpose(-1, *range(values.ndim - 1))


def batch_last(matrices: Array) -> Stack:
    """Lay out matrices ``(batch, K, K)`` as a stack ``(K, K, batch)``, as a view if possible.

    They are converted to floats first, then transposed as two axes: NumPy does the two copies much
    faster than a single one.
    """
    batch, n_classes, _ = matrices.shape
    flat = matrices.reshape(batch, n_classes**2).astype(np.float64, copy=False)
    return np.ascontiguousarray(flat.T).reshape(n_classes, n_classes, batch)


def block_size(n_classes: int) -> int:
    """Return how many matrices with that many classes form a block.

    A block just about fits into the cache, but has enough matrices that calls cost less than sums.
    """
    n_cells = n_classes**2
    at_least = min(MATRICES_PER_BLOCK, MOST_CELLS_PER_BLOCK // n_cells)
    return max(CELLS_PER_BLOCK // n_cells, at_least, 1)
