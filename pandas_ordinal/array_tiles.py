"""What the cases of a tile add up to: counts, and sums of what rows of probabilities have.

A tile is given as `Factor`s that number the table of each case, and as columns. Metrics of scores
rank whole rows: these do not add up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import Any, Literal

import numpy as np

from pandas_ordinal.arrays import Array, Floats, Positions
from pandas_ordinal.classes import refuse_missing
from pandas_ordinal.counts import Factor, count
from pandas_ordinal.errors import ClassOrderError
from pandas_ordinal.metrics.metric import Metric
from pandas_ordinal.metrics.proba_kernel import probabilities, tolerance
from pandas_ordinal.metrics.segments import Segments, flat, refuse_weights


@dataclass(frozen=True)
class Cases:
    """How to read cases.

    Attributes
    ----------
    n_classes : int
        How many classes there are.
    inputs : sequence of str
        What messages call the scores or probabilities.
    weight : str
        What messages call the weights.
    n_masks : int
        How many masks select cases; they come before the weights.
    dropna : bool
        Whether cases with something missing are left out.
    """

    n_classes: int
    inputs: Sequence[str]
    weight: str
    n_masks: int
    dropna: bool

    def read_weight(self, values: Array) -> Array:
        """Return weights as floats."""
        weights = values.astype(float, copy=False)
        with np.errstate(over="ignore"):
            right = not weights.size or (weights.min() >= 0 and weights.sum() < np.inf)
        return weights if right else refuse_weights(values, self.weight)

    def count(self, groups: Sequence[Factor], true: Array, pred: Array, *weight: Array) -> Array:
        """Count codes, ``(n_tables, K, K)``; what is not selected is counted apart."""
        n_tables = _size(groups)
        if self.n_masks:
            selected, weight = self._selected(weight)
            apart = Factor(selected.view(np.int8), 2)
            counts = count([apart, *groups], true, pred, self.n_classes, *weight)
            return counts.block(n_tables, 2 * n_tables)[:, 1:, 1:]
        counts = count(groups, true, pred, self.n_classes, *weight)
        return counts.block(0, n_tables)[:, 1:, 1:]

    def count_known(self, groups: Sequence[Factor], *columns: Array) -> Array:
        """Count the cases that have all labels, and are selected."""
        there = np.ones(len(columns[0]), bool)
        for column in columns:
            there &= column if column.dtype.kind == "b" else column >= 0
        return np.bincount(_numbers(groups, len(there))[there], minlength=_size(groups))

    def add_probabilities(
        self, metric: Metric, groups: Sequence[Factor], true: Array, proba: Array, *weight: Array
    ) -> Floats:
        """Add up what each row has for a metric, the weights of the rows, and the rows.

        Takes probabilities ``(K, cases)``; returns ``(n_tables, m + 2)``.
        """
        assert metric.means is not None
        sums_within = tolerance(self.n_classes, proba.dtype)
        proba = proba.astype(float, copy=False)
        numbers = _numbers(groups, len(true))
        selected, weight = self._selected(weight)
        if true.min(initial=0) >= 0 and not self.n_masks and _are_right(proba, sums_within):
            rows = proba.T
        else:
            lost: Array = np.logical_or.reduce(np.isnan(proba), axis=0)
            there = self._there(true, [lost], selected)
            true, numbers = true[there], numbers[there]
            weight = tuple(weights[there] for weights in weight)
            rows = probabilities(proba[:, there].T, sums_within)
        with np.errstate(all="ignore"):
            values = [*metric.means.of_row(rows, true)]
            if weight:
                values = [np.where(weight[0] > 0, one * weight[0], 0) for one in values]
        n_tables = _size(groups)
        n_rows = np.bincount(numbers, minlength=n_tables).astype(float)
        sums = [_added(numbers, one, n_tables) for one in (*values, *weight)]
        sums += [n_rows] if weight else [n_rows, n_rows]
        return np.stack(sums, axis=-1)

    def rank(
        self,
        metric: Metric,
        options: Mapping[str, Any],
        n_dims: int,
        groups: Sequence[int],
        *arrays: Array,
    ) -> tuple[Floats, Array]:
        """Score by a metric of scores, and count the cases; arrays as `_rows` takes them."""
        rows, columns, shape = self._rows(n_dims, groups, 0, arrays)
        assert metric.by_segment is not None
        values = metric.by_segment(rows, *columns, **options)
        n_rows = np.bincount(rows.segment[rows.codes >= 0], minlength=rows.n_segments)
        return values.reshape((*shape, *values.shape[1:])), n_rows.reshape(shape)

    def surely(
        self,
        metric: Metric,
        function: Callable[..., Array],
        n_dims: int,
        groups: Sequence[int],
        n_beside: int,
        estimate: Floats,
        *arrays: Array,
    ) -> Array:
        """Apply a function of rows, of a column of theirs and of the scores of their segments.

        Arrays are as `_rows` takes them; the function gets those that are beside as well. It
        returns ``(parts, segments)``, this ``(..., *groups, parts)``.
        """
        rows, columns, shape = self._rows(n_dims, groups, n_beside, arrays)
        inputs, beside = columns[: len(self.inputs)], columns[len(self.inputs) :]
        column = inputs[0]
        if metric.is_row_mean:
            column = np.stack(inputs, axis=-1).astype(float)
            there = rows.codes >= 0
            sums_within = tolerance(self.n_classes, *(one.dtype for one in inputs))
            column[there] = probabilities(column[there], sums_within)
        parts = function(rows, column, np.broadcast_to(estimate, shape).ravel(), *beside)
        return np.moveaxis(parts.reshape(-1, *shape), 0, -1)

    def _rows(
        self, n_dims: int, groups: Sequence[int], n_beside: int, arrays: Sequence[Array]
    ) -> tuple[Segments, list[Array], tuple[int, ...]]:
        """Make rows of cases ``(..., *dims)``: with what kernels read, and with what is beside.

        The arrays are the true classes, the inputs, what is beside, the masks and the weights, if
        any, and the codes of the groups. Returns the leading shape as well, which ends with the
        groups.
        """
        true, *columns = (_flat(array, n_dims) for array in arrays)
        n_inputs, first = len(self.inputs), len(columns) - len(groups)
        n_columns = n_inputs + n_beside
        inputs, beside = columns[:n_inputs], columns[n_inputs:n_columns]
        inputs = [numbers_of(name, one) for name, one in zip(self.inputs, inputs, strict=True)]
        selected, own = self._selected(columns[n_columns:first])
        weights = self.read_weight(own[0]) if own else None
        there = self._there(true, [one != one for one in inputs], selected)
        for codes in columns[first:]:
            there = there & (codes >= 0)
        codes = np.where(there, _signed(true), -1)
        rows, flattened, leading = flat(
            codes, self.n_classes, weights, *inputs, *beside, *columns[first:]
        )
        segment, n_segments = rows.segment, rows.n_segments
        for key, size in zip(flattened[n_columns:], groups, strict=True):
            segment, n_segments = segment * size + np.maximum(key, 0), n_segments * size
        rows = Segments(rows.codes, self.n_classes, segment, n_segments, rows.weights)
        return rows, flattened[:n_columns], (*leading, *groups)

    def _selected(self, masks_and_weight: Sequence[Array]) -> tuple[Any, tuple[Array, ...]]:
        """Put masks together; return the weights as well, if there are any."""
        masks, weight = masks_and_weight[: self.n_masks], masks_and_weight[self.n_masks :]
        return reduce(and_, masks, True), tuple(weight)

    def _there(self, true: Array, lost: Sequence[Array], selected: Array | Literal[True]) -> Array:
        """Tell which cases count, and refuse those that lack something, unless these may."""
        if not self.dropna:
            for name, one in zip(self.inputs, lost, strict=True):
                refuse_missing(name, int(np.count_nonzero(one & selected)))
        there: Array = (true >= 0) & selected
        for one in lost:
            there = there & ~one
        return there


def numbers_of(name: str, array: Array) -> Array:
    """Return scores or probabilities as numbers, or say why they are none."""
    if array.dtype.kind not in "biuf":
        raise ClassOrderError(
            f"{name!r} holds {array.dtype}, no numbers: convert it, as with .astype(float)"
        )
    return array


def _flat(array: Array, n_dims: int) -> Array:
    """Make one axis of the last ones, which are those of the cases."""
    first = array.ndim - n_dims
    return array.reshape(*array.shape[:first], math.prod(array.shape[first:]))


def _signed(codes: Array) -> Array:
    """Return codes as integers that hold -1."""
    return codes if codes.dtype.kind == "i" else codes.astype(np.int64)


def _are_right(proba: Floats, sums_within: float) -> bool:
    """Tell whether all are probabilities, ``(K, n)``, that need no clipping; not if any is NaN."""
    sums = np.abs(proba.sum(axis=0) - 1).max(initial=0)
    return bool(sums <= sums_within and proba.min(initial=0) >= 0 and proba.max(initial=1) <= 1)


def _added(numbers: Positions, values: Floats, n_tables: int) -> Floats:
    """Add up values by the number of their table."""
    if n_tables == 1:
        return np.atleast_1d(values.sum())
    return np.bincount(numbers, values, n_tables).astype(float, copy=False)


def _size(groups: Sequence[Factor]) -> int:
    return math.prod(factor.size for factor in groups)


def _numbers(groups: Sequence[Factor], n_cases: int) -> Positions:
    """Return the number of the table of each case."""
    numbers = np.zeros(n_cases, np.intp)
    for factor in groups:
        numbers *= factor.size
        numbers += factor.codes
        numbers -= factor.lowest
    return numbers
