"""Rows with scores or class probabilities of one or more models, where counts will not do."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from pandas_ordinal.accessors.results import as_series, over_keys, warn_of_groups
from pandas_ordinal.classes import Codes, refuse_missing
from pandas_ordinal.counts import Weights
from pandas_ordinal.cube import build
from pandas_ordinal.groups import ALL_ROWS, Groups
from pandas_ordinal.metrics.metric import Metric
from pandas_ordinal.metrics.probability import refuse_other_than_probabilities
from pandas_ordinal.metrics.segments import Segments

Array = npt.NDArray[Any]
Inputs: TypeAlias = tuple[Sequence[Hashable], Sequence[Array]]


@dataclass(frozen=True)
class Cases:
    """The rows of a frame, and what each model says of them.

    Attributes
    ----------
    classes : CategoricalDtype
        The classes.
    codes : sequence of ndarray
        The true class of each row, for each model; -1 where the row does not count.
    inputs : sequence of sequence of ndarray
        What the kernels read beside it, for each model.
    weights : ndarray or None
        The weight of each row.
    segments, numbers : ndarray
        The segment of each row, and the number of the group that each segment is.
    groups : Groups or None
        The groups; None if all rows are one.
    models : Index or None
        The models; None if there is a single one.
    """

    classes: pd.CategoricalDtype
    codes: Sequence[Codes]
    inputs: Sequence[Sequence[Array]]
    weights: Weights | None
    segments: npt.NDArray[np.intp]
    numbers: npt.NDArray[np.intp]
    groups: Groups | None
    models: pd.Index[Any] | None

    def score(
        self, metric: Metric, options: Mapping[str, Any]
    ) -> float | pd.Series[float] | xr.DataArray:
        """Score by one metric."""
        axes, n_rows, values = self.evaluate(metric, options)
        if metric.output != ("true", "pred"):
            return as_series(axes, n_rows, values, metric, self.classes)
        warn_of_groups(axes, n_rows, values, metric)
        keys = axes[0] if self.groups is not None else None
        return build(values, keys, self.models, self.classes, np.nan).rename(metric.name)

    def evaluate(
        self, metric: Metric, options: Mapping[str, Any]
    ) -> tuple[list[pd.Index[Any]], Array, Array]:
        """Return the keys and the models that are shown, and over both n and the scores."""
        n_classes, n_segments = len(self.classes.categories), len(self.numbers)
        scores, n_rows = [], []
        assert metric.by_segment is not None
        for codes, inputs in zip(self.codes, self.inputs, strict=True):
            rows = Segments(codes, n_classes, self.segments, n_segments, self.weights)
            scores.append(metric.by_segment(rows, *inputs, **options))
            n_rows.append(np.bincount(self.segments[codes >= 0], minlength=n_segments))
        axes, shown, values = over_keys(
            self.groups,
            self.models,
            self.numbers,
            np.stack(n_rows, axis=1),
            {"": np.stack(scores, axis=1)},
        )
        return axes, shown, values[""]


def cases(
    true: tuple[Hashable, Codes],
    inputs: Sequence[Inputs],
    classes: pd.CategoricalDtype,
    *,
    dropna: bool,
    weights: Weights | None = None,
    groups: Groups | None = None,
    models: pd.Index[Any] | None = None,
    index: pd.Index[Any],
    also_missing: Sequence[Array] | None = None,
) -> Cases:
    """Gather rows, and refuse those with a missing label or input unless they may be left out.

    Inputs are named by column; those with an axis of classes are probabilities. Rows that are
    `also_missing` in a model, for want of a predicted label, are left out of it.
    """
    keep = groups.keep if groups else ALL_ROWS
    codes = true[1][keep]
    if not dropna:
        refuse_missing(true[0], int(np.count_nonzero(codes < 0)))
    all_codes, kept = [], []
    for model, (names, arrays) in enumerate(inputs):
        arrays = [array[keep] for array in arrays]
        missing = missing_in(arrays)
        columns = arrays[0].T if arrays[0].ndim > 1 else arrays
        for name, values in zip(names, columns, strict=True):
            if not dropna:
                refuse_missing(name, int(np.count_nonzero(values != values)))
        if also_missing is not None:
            missing = missing | also_missing[model][keep]
        if arrays[0].ndim > 1:
            there = (codes >= 0) & ~missing
            refuse_other_than_probabilities(arrays[0][there], index[keep][there])
        all_codes.append(np.where(missing, -1, codes) if missing.any() else codes)
        kept.append(arrays)
    row_weights = None if weights is None else weights[keep]
    segments, numbers = np.zeros(len(codes), np.intp), np.zeros(1, np.intp)
    if groups is not None:
        segments, numbers = pd.factorize(groups.numbers(), sort=True)
    return Cases(classes, all_codes, kept, row_weights, segments, numbers, groups, models)


def missing_in(arrays: Sequence[Array]) -> Array:
    """Tell which rows have a missing number in one of several arrays."""
    missing = np.zeros(len(arrays[0]), bool)
    for array in arrays:
        lost = array != array
        missing |= lost.any(axis=1) if array.ndim > 1 else lost
    return missing
