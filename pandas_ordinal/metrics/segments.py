"""Rows of true classes, and the segments in which they are scored together.

A segment is, for example, one model in one fold. Kernels of scores and probabilities get rows,
array after array, where kernels of counts get confusion matrices.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from pandas_ordinal.counting.arrays import Array, Floats, Positions, refuse_weights
from pandas_ordinal.errors import brief
from pandas_ordinal.metrics.metric import Values
from pandas_ordinal.metrics.stack import plain_array, refuse_labels

LARGEST_N_CLASSES = 1_000_000  # a matrix of more does not fit into memory
SHORT = 16
LONG = 25  # segments with more rows than this per class in their block are faster alone

TRUE = inspect.Parameter("true", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation="ArrayLike")
SAMPLE_WEIGHT = inspect.Parameter(
    "sample_weight",
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    default=None,
    annotation="ArrayLike | None",
)


@dataclass(frozen=True)
class Segments:
    """Rows of true classes, and the segments that they belong to.

    Attributes
    ----------
    codes : ndarray
        The true class of each row, -1 for a row that does not count.
    n_classes : int
        How many classes are declared.
    segment : ndarray
        The segment of each row.
    n_segments : int
        How many segments there are.
    weights : ndarray or None
        The weight of each row.
    found : dict
        What was found of these rows, for metrics that share it.
    """

    codes: Array
    n_classes: int
    segment: Array
    n_segments: int
    weights: Array | None
    found: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def counted(self, *columns: Array) -> tuple[Segments, list[Array]]:
        """Leave out the rows that do not count, here and in other columns."""
        keep = self.codes >= 0
        if keep.all():
            return self, list(columns)
        weights = None if self.weights is None else self.weights[keep]
        counted = Segments(
            self.codes[keep], self.n_classes, self.segment[keep], self.n_segments, weights
        )
        return counted, [column[keep] for column in columns]

    def blocks(self, n_rows: int) -> Iterator[tuple[Positions, slice | Positions, Positions]]:
        """Cut the rows into blocks of about `n_rows` rows, of segments of similar length.

        Where few segments would share a block and these are long, each has its own block.

        Yields the numbers of the segments, the positions of their rows, segment by segment, and
        how many rows each has. Segments without rows are in no block; if there are no others, a
        block without segments is yielded.
        """
        if self.n_segments == 1 and len(self.segment):
            yield np.zeros(1, np.intp), slice(None), np.array([len(self.segment)])
            return
        sizes = np.bincount(self.segment, minlength=self.n_segments)
        blocks = list(_alike(sizes, n_rows, self.n_classes)) or [np.zeros(0, np.intp)]
        in_order = np.concatenate(blocks)
        place = np.zeros(self.n_segments, np.min_scalar_type(self.n_segments))
        place[in_order] = np.arange(len(in_order))
        rows = one_by_one(place[self.segment])
        start = 0
        for numbers in blocks:
            stop = start + int(sizes[numbers].sum())
            here = slice(start, stop)
            yield numbers, here if rows is None else rows[here], sizes[numbers]
            start = stop


def _alike(sizes: Positions, n_rows: int, n_classes: int) -> Iterator[Positions]:
    """Yield the numbers of segments of similar length, the longest first.

    Together they have at most about `n_rows` rows, and no more classes than that, counted in each
    segment.
    """
    longest_first = np.argsort(-sizes, kind="stable")[: np.count_nonzero(sizes)]
    falling = -sizes[longest_first]
    first = 0
    while first < len(falling):
        longest = -int(falling[first])
        not_short = np.searchsorted(falling, -(longest // 2) if longest > SHORT else 0)
        last = max(first + 1, min(first + n_rows // max(longest, n_classes), int(not_short)))
        if longest > LONG * n_classes * (last - first):
            last = first + 1
        yield longest_first[first:last]
        first = last


def one_by_one(segment: Array) -> Positions | None:
    """Return the positions of the rows segment by segment; None if they are in this order."""
    if (segment[1:] >= segment[:-1]).all():
        return None
    # by digits, since NumPy sorts small integer types much faster
    if segment.itemsize <= 2:
        return np.argsort(segment, kind="stable")
    rows = np.argsort(segment.astype(np.uint16), kind="stable")
    high = (segment >> 16).astype(np.uint16)
    return rows[np.argsort(high[rows], kind="stable")]


def flatten_to_segments(
    true: npt.ArrayLike, n_classes: int, sample_weight: npt.ArrayLike | None, *columns: Array
) -> tuple[Segments, list[Array], tuple[int, ...]]:
    """Turn arrays ``(..., n)`` into rows, one segment per position in their leading dimensions.

    Returns the rows, the other columns and the leading shape.
    """
    arrays = [_codes(true, n_classes), *columns]
    if sample_weight is not None:
        arrays.append(refuse_weights(as_array("sample_weight", sample_weight), "as given"))
    shapes = [array.shape for array in arrays]
    try:
        np.broadcast_shapes(*shapes)
        fit = len({shape[-1:] for shape in shapes}) == 1
    except ValueError:
        fit = False
    if not fit:
        raise ValueError(
            f"the shapes {', '.join(map(str, shapes))} of the true classes and the other arrays "
            "do not match: rows are the last axis of each, and equally many in all"
        )
    arrays = list(np.broadcast_arrays(*arrays))
    *leading, n_rows = arrays[0].shape
    n_segments = int(np.prod(leading))
    segment = np.repeat(np.arange(n_segments), n_rows) if leading else np.zeros(n_rows, np.intp)
    codes, *flattened = [array.reshape(-1) for array in arrays]
    weights = None if sample_weight is None else flattened.pop()
    return Segments(codes, n_classes, segment, n_segments, weights), flattened, tuple(leading)


def refuse_other_rows(**given: Any) -> None:
    """Raise for Series and frames whose row labels differ: a kernel pairs rows by position."""
    rows = [
        (name, part.index)
        for name, values in given.items()
        for part in (values if isinstance(values, (list, tuple)) else [values])
        if hasattr(getattr(part, "index", None), "equals")
    ]
    for (one, index), (other, labels) in pairwise(rows):
        if not index.equals(labels):
            raise ValueError(
                f"the rows of {one} and {other} have different labels, and a kernel would pair "
                "them by position: call a method of .ordinal, which pairs them by label, or give "
                f"{other}.to_numpy() if they are in the same order"
            )


def with_leading(leading: tuple[int, ...], values: Floats) -> Values:
    """Reshape the values of segments to the leading shape of the input."""
    result: Values = values.reshape((*leading, *values.shape[1:]))[()]
    return result


def as_array(name: str, values: npt.ArrayLike) -> Array:
    """Return values as an array, unless their dimensions have names."""
    of_classes = name == "proba" and isinstance(values, (list, tuple))
    labelled = (
        values
        if of_classes
        or hasattr(values, "columns")
        or hasattr(values, "dims")
        or isinstance(values, np.ma.MaskedArray)
        else plain_array(name, values)
    )  # the index of a Series labels the rows
    refuse_labels(
        name,
        labelled,
        "call a method of .ordinal, which reads labels, or give a plain array with the rows last, "
        "or the rows and then the classes in order",
    )
    return plain_array(name, values)


def refuse_n_classes(n_classes: int) -> None:
    """Raise for anything but a number of classes."""
    if isinstance(n_classes, bool) or not isinstance(n_classes, (int, np.integer)):
        raise ValueError(f"n_classes={brief(n_classes)} must be an integer")
    if n_classes < 1:
        raise ValueError(f"n_classes={n_classes} must be 1 or more")
    if n_classes > LARGEST_N_CLASSES:
        raise ValueError(f"n_classes={brief(n_classes)} must be {LARGEST_N_CLASSES:,} or less")


def _codes(true: npt.ArrayLike, n_classes: int) -> Array:
    """Return true classes as an array of codes; raise for anything else."""
    refuse_n_classes(n_classes)
    codes = as_array("true", true)
    codes = codes if codes.size else codes.astype(np.int8)
    if codes.dtype.kind not in "biu" or not codes.ndim:
        raise ValueError(
            f"true classes must be an array (..., n) of integers, the codes 0 to {n_classes - 1}, "
            f"not {codes.dtype}: give a column's .cat.codes, for example"
        )
    if codes.dtype.kind == "b" and n_classes != 2:
        raise ValueError(
            f"true classes are booleans, False and True, but there are {n_classes} classes: give "
            f"the codes 0 to {n_classes - 1}"
        )
    wrong = codes[(codes < -1) | (codes >= n_classes)] if codes.dtype.kind != "b" else codes[:0]
    if wrong.size:
        raise ValueError(
            f"true classes hold {wrong[0]}, which is not a code of {n_classes} classes: codes are "
            f"0 to {n_classes - 1}, or -1 for a row that does not count"
        )
    signed = {"b": np.int8, "u": np.int64}
    return codes.astype(signed.get(codes.dtype.kind, codes.dtype), copy=False)
