"""How a formula of confusion counts becomes a kernel.

A formula reads confusion counts *batch last*: an array ``(K, K, batch)`` in which each step of a
computation is one contiguous vector operation over many matrices. `metric` turns it into a kernel
for arrays ``(..., K, K)``, fed in blocks that fit into the cache, and registers it.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any, Concatenate, ParamSpec, TypeAlias, Unpack

import numpy as np
import numpy.typing as npt

from pandas_ordinal.counting.arrays import Array, Stack
from pandas_ordinal.errors import refuse_wrong_values, signature_of
from pandas_ordinal.metrics.left_out import StackLike
from pandas_ordinal.metrics.metric import Facts, Needs, Values, refuse_estimator, register_kernel
from pandas_ordinal.metrics.stack import (
    batch_first,
    batch_last,
    block_size,
    plain_array,
    refuse_labels,
    refuse_other_than_counts,
    total,
)

_P = ParamSpec("_P")

Kernel: TypeAlias = Callable[Concatenate[npt.ArrayLike, _P], Values]

LARGEST_SUM = 2.0**1021  # formulas add counts up several times

COUNTS = inspect.Parameter("counts", inspect.Parameter.POSITIONAL_ONLY, annotation="ArrayLike")


def metric(
    *,
    needs: Needs = "counts",
    dtype: type = float,
    reads_left_out: bool = False,
    **facts: Unpack[Facts],
) -> Callable[[Callable[Concatenate[Stack, _P], Stack]], Kernel[_P]]:
    """Turn a formula into a kernel and register it.

    The formula gets ``(K, K, batch)`` and returns ``(*output, batch)``. The kernel takes care of
    leading dimensions, validation, floating-point warnings and empty matrices, which score NaN.
    A formula that needs the edges of bins takes them as its second argument. One that
    `reads_left_out` also takes `LeftOut` for counts, so that its influences are fast with many
    classes.
    """
    output = facts.get("output", ())

    def decorate(formula: Callable[Concatenate[Stack, _P], Stack]) -> Kernel[_P]:
        kernel = as_kernel(
            formula, n_output=len(output), dtype=dtype, reads_left_out=reads_left_out
        )
        register_kernel(formula, kernel, [COUNTS], needs=needs, dtype=dtype, **facts)
        return kernel

    return decorate


def as_kernel(
    formula: Callable[Concatenate[Stack, _P], Stack],
    *,
    n_output: int = 0,
    dtype: type = float,
    reads_left_out: bool = False,
) -> Kernel[_P]:
    """Turn a formula into a function of counts ``(..., K, K)`` without registering it.

    Its attribute `of_stack` is the same function of checked counts ``(K, K, batch)`` and their
    sums.
    """
    parameters = signature_of(formula).parameters

    def of_stack(stack: Stack, sums: Stack, *args: _P.args, **kwargs: _P.kwargs) -> Array:
        values = formula(stack, *args, **kwargs)
        if dtype is float:
            values = np.where(sums > 0, values, np.nan)
        return batch_first(values).astype(dtype, copy=False)

    def kernel(counts: npt.ArrayLike, /, *args: _P.args, **kwargs: _P.kwargs) -> Values:
        refuse_estimator(formula.__name__, counts)
        _refuse_column(formula.__name__, counts)
        refuse_wrong_values(parameters, kwargs)
        matrices = _matrices(counts)
        *leading, n_classes, _ = matrices.shape
        flat = matrices.reshape(-1, n_classes, n_classes)
        results = np.empty((len(flat), *[n_classes] * n_output), dtype)
        with np.errstate(all="ignore"):
            for rows, stack, sums in _blocks(flat):
                results[rows] = of_stack(stack, sums, *args, **kwargs)
        scores: Values = results.reshape((*leading, *results.shape[1:]))[()]
        return scores

    kernel.of_stack = of_stack  # type: ignore[attr-defined]
    kernel.reads_left_out = reads_left_out  # type: ignore[attr-defined]
    return kernel


def _refuse_column(name: str, given: npt.ArrayLike) -> None:
    """Raise for a Series, which holds labels and not counts."""
    if hasattr(given, "index") and getattr(given, "ndim", None) == 1:
        raise ValueError(
            f"po.metrics.{name} takes counts. For two columns of labels call "
            f"df['y'].ordinal.{name}(df['yhat']); for a table of counts, "
            f"po.from_counts(table).ordinal.{name}()"
        )


def _matrices(counts: npt.ArrayLike) -> Array:
    """Return counts as an array of square matrices of numbers; raise for anything else."""
    refuse_labels(
        "counts",
        counts,
        "call for example cube.ordinal.oci(), where cube = po.from_counts(table), or give a plain "
        "array with the classes in order, true and pred last",
    )
    matrices = plain_array("counts", counts)
    if matrices.ndim < 2 or matrices.shape[-1] != matrices.shape[-2] or not matrices.shape[-1]:
        raise ValueError(
            f"Expected confusion matrices of shape (..., K, K), got {matrices.shape}; for labels "
            "call po.confusion(true, pred, classes=[...]), which counts them"
        )
    if matrices.dtype.kind not in "iuf":
        raise ValueError(
            f"counts must be integers or floats, not {matrices.dtype}: convert them, for example "
            "with .astype(float)"
        )
    return matrices


def _blocks(matrices: Array) -> Iterator[tuple[slice, Stack, Stack]]:
    """Cut matrices ``(batch, K, K)`` into checked stacks ``(K, K, block)``, and sum each matrix.

    Yields at least one block, even if it is empty, so that a formula can check its options.
    """
    size = block_size(matrices.shape[-1])
    for start in range(0, max(len(matrices), 1), size):
        rows = slice(start, start + size)
        yield rows, *checked_stack(matrices[rows])


def checked_stack(matrices: Array) -> tuple[Stack, Stack]:
    """Lay out matrices ``(batch, K, K)`` as a stack and sum each; raise if they are not counts."""
    stack = batch_last(matrices)
    sums = total(stack)
    if not (stack.min(initial=0) >= 0 and sums.max(initial=0) < LARGEST_SUM):
        refuse_other_than_counts(stack)
        raise ValueError(
            f"counts or weights add up to {sums.max():.3g}, but metrics need a sum below "
            f"{LARGEST_SUM:.3g}: divide all of them by one number"
        )
    return stack, sums


def reads_left_out(function: Callable[[Array], Any]) -> bool:
    """Return whether a function of matrices is a kernel whose formula reads `LeftOut`."""
    kernel = function.func if isinstance(function, functools.partial) else None
    return bool(getattr(kernel, "reads_left_out", False))


def of_checked(function: Callable[[Array], Any], stack: StackLike, sums: Stack) -> Array:
    """Apply a function of matrices to checked counts; a kernel does not check them again."""
    if isinstance(function, functools.partial):
        of_stack: Callable[..., Array] | None = getattr(function.func, "of_stack", None)
        if of_stack is not None:
            with np.errstate(all="ignore"):
                return of_stack(stack, sums, **function.keywords)
    return np.asarray(function(batch_first(np.asarray(stack))))
