"""How a formula becomes a kernel, and the registry of all kernels.

A formula reads confusion counts *batch last*: an array ``(K, K, batch)`` in which each step of a
computation is one contiguous vector operation over many matrices. `metric` turns it into a kernel
for arrays ``(..., K, K)``, fed in blocks that stay in cache, and records what is known about it.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Concatenate, Literal, ParamSpec, TypeAlias

import numpy as np
import numpy.typing as npt

from pandas_ordinal.memory import keep_at_hand

P = ParamSpec("P")

Stack: TypeAlias = npt.NDArray[np.float64]
"""Confusion matrices batch last, ``(K, K, batch)``, or a result of theirs, ``(..., batch)``."""

Values: TypeAlias = np.float64 | npt.NDArray[np.float64]
"""What a kernel returns: a scalar for one matrix, an array over the leading dimensions else."""

Kernel: TypeAlias = Callable[Concatenate[npt.ArrayLike, P], Values]
Bound: TypeAlias = float | Literal["K-1", "1-K"]
Needs: TypeAlias = Literal["counts", "edges", "scores", "probabilities"]

SURFACE_PARAMETERS = frozenset(
    "true pred score proba by dim sample_weight classes bins dropna metrics".split()
)
LARGEST_EXACT = 2**53  # beyond it, not every integer is a float
CELLS_A_BLOCK = 3 * 2**16
MATRICES_A_BLOCK = 64
MOST_CELLS_A_BLOCK = 2**20


@dataclass(frozen=True)
class Metric:
    """What is known about a metric besides its formula.

    Attributes
    ----------
    name : str
        The name of the kernel, and of the method on every surface.
    kernel : callable
        The function of counts ``(..., K, K)``, or of true classes and scores or probabilities.
    range : tuple
        Lowest and highest value; ``"K-1"`` and ``"1-K"`` depend on the number of classes.
    greater_is_better : bool or None
        The direction; None where neither end is the better one.
    needs : str
        What the kernel is a function of: ``"counts"``, counts and the ``"edges"`` of bins, or true
        classes and ``"scores"`` or ``"probabilities"``.
    output : tuple of str
        The class dimensions of a result: ``()``, ``("true",)`` or ``("true", "pred")``.
    dtype : type
        float or bool.
    reference : str
        The source.
    required : tuple of str
        The options that have no default.
    by_segment : callable or None
        What scores segments of rows: a function of `Rows` and of their scores or probabilities.
    """

    name: str
    kernel: Callable[..., Values]
    range: tuple[Bound, Bound]
    greater_is_better: bool | None
    needs: Needs
    output: tuple[str, ...]
    dtype: type
    reference: str
    required: tuple[str, ...]
    by_segment: Callable[..., Stack] | None = None

    def bounds(self, n_classes: int) -> tuple[float, float]:
        """Return the lowest and the highest value for that many classes."""
        symbols: dict[Bound, float] = {"K-1": n_classes - 1.0, "1-K": 1.0 - n_classes}
        low, high = (symbols.get(end, end) for end in self.range)
        return float(low), float(high)


_metrics: dict[str, Metric] = {}
registry: Mapping[str, Metric] = MappingProxyType(_metrics)


def metric(
    *,
    range: tuple[Bound, Bound],
    greater_is_better: bool | None,
    reference: str,
    needs: Needs = "counts",
    output: tuple[str, ...] = (),
    dtype: type = float,
) -> Callable[[Callable[Concatenate[Stack, P], Stack]], Kernel[P]]:
    """Make a kernel of a formula and register it.

    The formula gets ``(K, K, batch)`` and returns ``(*output, batch)``. It need not care about
    leading dimensions, validation, floating-point warnings or empty matrices: those score NaN.
    One that needs the edges of bins takes them as its second argument.
    """

    def decorate(formula: Callable[Concatenate[Stack, P], Stack]) -> Kernel[P]:
        def kernel(counts: npt.ArrayLike, /, *args: P.args, **kwargs: P.kwargs) -> Values:
            matrices = _matrices(counts)
            *leading, n_classes, _ = matrices.shape
            flat = matrices.reshape(-1, n_classes, n_classes)
            results = np.empty((len(flat), *[n_classes] * len(output)), dtype)
            with np.errstate(all="ignore"):
                for rows, stack, sums in _blocks(flat):
                    values = formula(stack, *args, **kwargs)
                    if dtype is float:
                        values = np.where(sums > 0, values, np.nan)
                    results[rows] = batch_first(values)
            scores: Values = results.reshape((*leading, *results.shape[1:]))[()]
            return scores

        counts = inspect.Parameter("counts", inspect.Parameter.POSITIONAL_ONLY)
        register(
            formula,
            kernel,
            [counts.replace(annotation="ArrayLike")],
            range=range,
            greater_is_better=greater_is_better,
            needs=needs,
            output=output,
            dtype=dtype,
            reference=reference,
        )
        return kernel

    return decorate


def register(
    formula: Callable[..., Any],
    kernel: Callable[..., Values],
    arrays: Sequence[inspect.Parameter],
    own: Sequence[inspect.Parameter] = (),
    *,
    n_inputs: int = 1,
    **known: Any,
) -> None:
    """Give a kernel the name, the docstring and the options of its formula, and register it.

    The arrays take the place of the formula's first parameters, its inputs; `own` are options of
    the kernel.
    """
    options = list(inspect.signature(formula).parameters.values())[n_inputs:]
    clash = SURFACE_PARAMETERS & {option.name for option in options}
    if clash:
        raise TypeError(f"{formula.__name__} has an option named as a surface's own: {clash}")
    functools.update_wrapper(kernel, formula)
    kernel.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [*arrays, *options, *own], return_annotation="Values"
    )
    required = [o.name for o in options if o.kind is o.KEYWORD_ONLY and o.default is o.empty]
    _metrics[formula.__name__] = Metric(
        name=formula.__name__, kernel=kernel, required=tuple(required), **known
    )


def total(stack: Stack) -> Stack:
    """Sum each matrix of a stack: N, shape ``(batch,)``."""
    sums: Stack = stack.sum(axis=tuple(range(stack.ndim - 1)))
    return sums


def weigh(values: Stack, stack: Stack) -> Stack:
    """Add up the cells of each matrix, weighed by values ``(..., K, K)``: ``(..., batch)``."""
    n_classes, _, batch = stack.shape
    flat = values.reshape(*values.shape[:-2], n_classes**2)
    sums: Stack = flat @ stack.reshape(n_classes**2, batch)
    return sums


def distance(n_classes: int) -> Stack:
    """Tell how many classes apart true and predicted class are: ``|r - c|``, shape ``(K, K)``."""
    position = np.arange(float(n_classes))
    return np.abs(position[:, None] - position)


def _matrices(counts: npt.ArrayLike) -> npt.NDArray[np.generic]:
    """Return counts as an array of square matrices of numbers, or say why they are none."""
    if hasattr(counts, "dims"):
        raise ValueError(
            "counts are an array with named dimensions, which a kernel would read by position: "
            "call cube.ordinal.oci(), for example, or give cube.to_numpy() with true and pred last"
        )
    matrices = np.asarray(counts)
    if matrices.dtype.kind not in "biuf":
        raise ValueError(
            f"counts must be integers or floats, not {matrices.dtype}: convert them, for example "
            "with .astype(float)"
        )
    if matrices.ndim < 2 or matrices.shape[-1] != matrices.shape[-2] or not matrices.shape[-1]:
        raise ValueError(
            f"counts of shape {matrices.shape} are no confusion matrices: the last two axes must "
            "both be the K classes, true classes first, shape (..., K, K)"
        )
    return matrices


def _blocks(matrices: npt.NDArray[np.generic]) -> Iterator[tuple[slice, Stack, Stack]]:
    """Cut matrices ``(batch, K, K)`` into checked stacks ``(K, K, block)``, and sum each matrix.

    At least one, be it empty, so that a formula sees its options and can refuse them.
    """
    size = block_size(matrices.shape[-1])
    keep_at_hand()
    for start in range(0, max(len(matrices), 1), size):
        rows = slice(start, start + size)
        stack = batch_last(matrices[rows])
        sums = total(stack)
        if not (stack.min(initial=0) >= 0 and sums.max(initial=0) < np.inf):
            refuse_other_than_counts(stack)
            raise ValueError("counts add up to more than a float holds: divide all by one number")
        yield rows, stack, sums


def refuse_other_than_counts(counts: npt.NDArray[Any]) -> None:
    """Raise unless numbers are finite and not negative."""
    if counts.size and not (counts.min() >= 0 and counts.max() < np.inf):
        worst = counts[~((counts >= 0) & (counts < np.inf))][0]
        raise ValueError(
            f"counts hold {worst:g}, but a count is a finite number and not negative: fill what a "
            "selection or an alignment left empty, with .fillna(0), fill_value=0 or po.add, and "
            "look for what was subtracted or divided"
        )


def real(option: str, value: Any) -> float:
    """Return an option that is a number, or say that it is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise ValueError(f"{option}={value!r} must be a number")
    return float(value)


def reals(option: str, values: npt.ArrayLike) -> Stack:
    """Return an option that is an array of finite numbers, or say that it is none."""
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{option}={values!r} must be an array of numbers") from error
    if not np.isfinite(array).all():
        raise ValueError(f"{option}={values!r} must hold finite numbers only")
    return array


def batch_first(values: Stack) -> Stack:
    """Turn a result ``(..., batch)`` into ``(batch, ...)``, as a view."""
    return values.transpose(-1, *range(values.ndim - 1))


def batch_last(matrices: npt.NDArray[Any]) -> Stack:
    """Lay matrices ``(batch, K, K)`` out as a stack ``(K, K, batch)``; a view where they are one.

    First to floats, then as a transposition of two axes: NumPy copies either much faster than both
    at once.
    """
    batch, n_classes, _ = matrices.shape
    flat = matrices.reshape(batch, n_classes**2).astype(np.float64, copy=False)
    return np.ascontiguousarray(flat.T).reshape(n_classes, n_classes, batch)


def block_size(n_classes: int) -> int:
    """Return how many matrices of that many classes make a block.

    So many that a block just about stays in cache; but not so few that calls cost more than sums.
    """
    n_cells = n_classes**2
    at_least = min(MATRICES_A_BLOCK, MOST_CELLS_A_BLOCK // n_cells)
    return max(CELLS_A_BLOCK // n_cells, at_least, 1)
