"""Counts of two arrays of labels, or of stacks of them, for the functions of `po.metrics`."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from pandas_ordinal.classes.arrow import series_of
from pandas_ordinal.classes.columns import (
    Mask,
    labels_of,
    mask_of,
    refuse_ignored_classes,
    weights_of,
)
from pandas_ordinal.classes.gate import ClassesLike, codes_of, declared, refuse_missing
from pandas_ordinal.classes.undeclared import Column
from pandas_ordinal.counting.arrays import Array
from pandas_ordinal.counting.counts import Factor, count
from pandas_ordinal.cube.layout import refuse_size
from pandas_ordinal.errors import Named, an, brief, conversion_hint, kind_of
from pandas_ordinal.hints import explains_arguments
from pandas_ordinal.query import Query
from pandas_ordinal.rows.gather import sample, without_ignored
from pandas_ordinal.rows.table import SeriesTable

AT_A_TIME = 2**20  # rows, or cells of tables


class LabelStack(NamedTuple):
    """The labels, or the weights, of all rows of a stack, and its shape, whose last axis is rows.

    The column is flat, since pandas has no other.
    """

    option: str
    column: pd.Series[Any]
    shape: tuple[int, ...]

    @property
    def name(self) -> Named:
        """What errors call the column."""
        return Named(self.option, self.option, f"pd.Series({self.option})")

    def filled(self, values: Array, used: Mask | None, fill: Any) -> Array:
        """Return an array of the shape of the stack, of values for the rows that are used."""
        if used is None:
            return values.reshape(self.shape)
        every = np.full(self.shape, fill, values.dtype)
        every[used] = values
        return every

    def any(self, where: Mask) -> Mask:
        """Return whether each row of this stack is among some of all rows, once or more."""
        extra = where.ndim - len(self.shape)
        repeated = [
            axis for axis, size in enumerate(self.shape, extra) if size != where.shape[axis]
        ]
        found: Mask = np.logical_or.reduce(where, (*range(extra), *repeated))
        return found.reshape(self.shape)


@explains_arguments
def confusion(
    true: npt.ArrayLike | pd.Series[Any],
    pred: npt.ArrayLike | pd.Series[Any],
    *,
    classes: ClassesLike | None = None,
    sample_weight: npt.ArrayLike | None = None,
    dropna: bool = False,
    ignore: Any = None,
) -> npt.NDArray[np.int64 | np.float64]:
    """Count arrays of labels by true and predicted class, for the functions of `po.metrics`.

    Arrays of two or more dimensions are stacks, such as the predictions of many models or in many
    simulated samples: the rows are on the last axis, and each position along the other axes has
    counts of its own.

    Parameters
    ----------
    true, pred : array_like or Series, shape (..., n)
        The true and the predicted classes. Axes but the last one are broadcast against each other,
        so that one array of true classes goes with a stack of predictions. Series, of weights
        too, have the same index.
    classes : sequence, optional
        The classes from lowest to highest. Default: those that the labels declare.
    sample_weight : array_like, shape (..., n), optional
        The weight of each row: finite and not negative. Booleans select rows.
    dropna : bool, default False
        Drop rows in which a true or a predicted class is missing.
    ignore : label or list of labels, optional
        Labels to exclude, such as 255 or -1. Rows with one of them as true or predicted class are
        dropped.

    Returns
    -------
    ndarray, shape (..., K, K)
        Counts, true classes on the rows; int64, or float64 where rows are weighted.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> counts = po.confusion(["low", "high"], ["low", "low"], classes=["low", "mid", "high"])
    >>> counts.tolist()
    [[1, 0, 0], [0, 0, 0], [1, 0, 0]]
    >>> float(po.metrics.mae(counts))
    1.0
    >>> two_models = po.confusion([0, 1, 2], [[0, 1, 1], [2, 1, 0]])
    >>> po.metrics.mae(two_models).round(3).tolist()
    [0.333, 1.333]
    """
    given = {"true": true, "pred": pred}
    if sample_weight is not None:
        given["sample_weight"] = sample_weight
    _refuse_other_indexes(given)
    read = {option: _labels(option, values) for option, values in given.items()}
    query = Query(classes=classes, dropna=dropna, ignore=ignore)
    if any(len(one.shape) > 1 for one in read.values()):
        return _of_stacks(read, query)
    series = {option: one.column.reset_index(drop=True) for option, one in read.items()}
    lengths = {option: len(values) for option, values in series.items()}
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"{option} has length {length}" for option, length in lengths.items())
        raise ValueError(f"{shown}: they must be equally long")
    query = replace(query, pred=series["pred"], sample_weight=series.get("sample_weight"))
    return sample(SeriesTable(series["true"]), query).cube().to_numpy()


def _refuse_other_indexes(given: Mapping[str, Any]) -> None:
    """Raise if Series of the same length have different indexes."""
    series = {option: one for option, one in given.items() if isinstance(one, pd.Series)}
    for (first, one), (option, other) in itertools.combinations(series.items(), 2):
        if len(one) == len(other) and not one.index.equals(other.index):
            raise ValueError(
                f"the index of {option} is not that of {first}: rows are never aligned silently; "
                f"give {option}.set_axis({first}.index) if the rows are in the same order, or "
                f"{option}.reindex({first}.index) to align them by label"
            )


def _labels(option: str, values: Any) -> LabelStack:
    """Read labels, or weights."""
    if isinstance(values, pd.Series):
        return LabelStack(option, values, values.shape)
    if isinstance(values, xr.DataArray):
        raise TypeError(
            f"{option} is a DataArray, whose coordinates po.confusion does not read: call "
            "true.ordinal.confusion(pred)"
        )
    values = series_of(option, values)  # types of Arrow and Polars may declare an order
    if conversion_hint(values):
        raise TypeError(f"{option} is {an(kind_of(values))}: {conversion_hint(values)}")
    _refuse_columns(option, values)
    try:
        shape = np.shape(values)
    except ValueError:  # rows of different lengths
        _refuse_tuples(option, "an array of 2 dimensions")
    if not shape:
        remedy = f": give the column, such as df[{brief(values)}]" * isinstance(values, str)
        raise ValueError(
            f"{option} must be one label per row, not an array of 0 dimensions{remedy}"
        )
    if len(shape) > 1:
        values = _flat(values)
    try:
        column = pd.Series(values, name=Named(option, option, f"pd.Series({option})"))
    except (TypeError, ValueError, NotImplementedError) as error:
        raise TypeError(f"{option} must be one label per row: {error}") from error
    return LabelStack(option, column, shape)


def _flat(stack: Any) -> Any:
    """Return the labels of a stack in a row; those of a list as they are, whatever their types."""
    if isinstance(stack, np.ma.MaskedArray):
        return stack.ravel()
    if isinstance(stack, np.ndarray):
        return np.asarray(stack).ravel()
    return np.array(stack, dtype=object).ravel().tolist()


def _refuse_columns(option: str, values: Any) -> None:
    """Raise for tables, whose columns would be taken for rows, and for lists of Series."""
    if isinstance(values, pd.DataFrame):
        raise TypeError(
            f"{option} is a DataFrame, but the last axis of a stack is its rows: give "
            f"{option}.to_numpy().T for a stack of its columns"
        )
    if isinstance(values, (list, tuple)) and any(isinstance(one, pd.Series) for one in values):
        raise TypeError(
            f"{option} is a list of Series, whose indexes po.confusion does not compare: give "
            f"np.stack({option}) if their rows are in the same order"
        )


def _refuse_tuples(option: str, what: str) -> NoReturn:
    raise ValueError(
        f"{option} must be one label per row, not {what}; labels that are tuples need a Series, "
        f"pd.Series({option})"
    )


def _of_stacks(read: Mapping[str, LabelStack], query: Query) -> Array:
    """Count stacks. Labels are read before they are broadcast."""
    shape, counted = _common_shape(read), None
    weights: list[Array] = []
    if "sample_weight" in read:
        given = read["sample_weight"]
        mask = mask_of(given.name, given.column)
        if mask is None:
            weights = [weights_of(given.name, given.column).reshape(given.shape)]
        else:
            counted = np.broadcast_to(mask.reshape(given.shape), shape)
    labels = [read["true"], read["pred"]]
    codes, counted, n_classes = _codes_of_stacks(labels, counted, shape, query)
    if not query.dropna:
        for one, positions in zip(labels, codes, strict=True):
            missing = positions < 0
            if counted is not None:
                missing &= one.any(counted)
            refuse_missing(one.name, int(np.count_nonzero(missing)))
    if counted is not None:
        codes[0] = np.where(counted, codes[0], -1)
    return _counts([*codes, *weights], shape, n_classes)


def _codes_of_stacks(
    labels: Sequence[LabelStack], counted: Mask | None, shape: tuple[int, ...], query: Query
) -> tuple[list[Array], Mask | None, int]:
    """Return the codes of stacks, which of all rows count, None for all, and how many classes.

    Labels of rows that do not count need not be classes.
    """
    ignored = labels_of(query.ignore)
    refuse_ignored_classes(query.classes, ignored)
    if query.classes is not None:
        _refuse_tuples_of_classes(labels, declared(query.classes).categories)
    used = [None if counted is None else one.any(counted) for one in labels]
    given: list[Column] = [
        (one.name, one.column if rows is None else one.column[rows.ravel()])
        for one, rows in zip(labels, used, strict=True)
    ]
    columns, masks = without_ignored(given, ignored)
    read, dtype = codes_of(columns, query.classes)
    codes: list[Array] = []
    for one, rows, values, mask in zip(labels, used, read, masks, strict=True):
        codes.append(one.filled(values, rows, -1))
        if mask is not None:
            kept = np.broadcast_to(~one.filled(mask, rows, False), shape)
            counted = kept if counted is None else counted & kept
    return codes, counted, len(dtype.categories)


def _refuse_tuples_of_classes(labels: Sequence[LabelStack], classes: pd.Index[Any]) -> None:
    """Raise if classes are tuples, which a list of them would hide as a stack."""
    if any(isinstance(label, tuple) for label in classes):
        stack = next(one for one in labels if len(one.shape) > 1)
        _refuse_tuples(stack.option, f"an array of {len(stack.shape)} dimensions")


def _common_shape(read: Mapping[str, LabelStack]) -> tuple[int, ...]:
    """Return the shape that stacks are broadcast to; raise if there is none."""
    shapes = {option: one.shape for option, one in read.items()}
    shown = ", ".join(f"{option} has shape {shape}" for option, shape in shapes.items())
    if len({shape[-1] for shape in shapes.values()}) > 1:
        raise ValueError(f"{shown}: their last axes, which are the rows, must be equally long")
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError as error:
        raise ValueError(f"{shown}: the axes before the last one do not match") from error


def _counts(arrays: Sequence[Array], shape: tuple[int, ...], n_classes: int) -> Array:
    """Count true and predicted codes, with or without weights, some positions at a time."""
    *others, n_rows = shape
    n_stacked = math.prod(others)
    refuse_size(n_stacked * n_classes**2)
    counts = np.empty((n_stacked, n_classes, n_classes), float if arrays[2:] else np.int64)
    step = max(1, AT_A_TIME // max(n_rows, (n_classes + 1) ** 2))
    every = [np.broadcast_to(array, shape) for array in arrays]
    for start in range(0, n_stacked, step):
        numbers = np.arange(start, min(start + step, n_stacked))
        places = np.unravel_index(numbers, others)
        true, pred, *weights = (array[places].ravel() for array in every)
        group = Factor(np.repeat(numbers - start, n_rows), len(numbers))
        counted = count([group], true, pred, n_classes, *weights)
        counts[numbers] = counted.of(numbers - start)
    return counts.reshape(*others, n_classes, n_classes)
