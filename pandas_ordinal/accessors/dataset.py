"""`.ordinal` on a Dataset: variables of true and predicted labels."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import xarray as xr

from pandas_ordinal.accessors.array import ArrayOrdinal
from pandas_ordinal.accessors.base import PARAMETERS, Ordinal
from pandas_ordinal.accessors.chosen import MetricsLike
from pandas_ordinal.bins import BinsLike
from pandas_ordinal.classes import ClassesLike
from pandas_ordinal.cube import CLASS_DIMS
from pandas_ordinal.labels import count_labels
from pandas_ordinal.metrics.kernel import Metric


class DatasetOrdinal(Ordinal):
    """Ordinal evaluation of the labels in a Dataset.

    Parameters
    ----------
    dataset : Dataset
        True and predicted labels as variables.
    """

    _returns = (
        "DataArray over the dimensions that are left",
        "DataArray over the dimensions that are left and the classes",
        "DataArray over the dimensions that are left and the classes",
    )
    _parameters = PARAMETERS | {
        "true": "true : name\n    The variable that holds the true labels.",
        "pred": "pred : name\n    The variable that holds the predicted labels.",
        "sample_weight": """sample_weight : name, optional
    The variable that holds the weight of each case: finite and not negative.""",
    }

    def __init__(self, dataset: xr.Dataset) -> None:
        self._dataset = dataset

    def _score(
        self,
        metric: Metric,
        options: dict[str, Any],
        /,
        true: Hashable,
        pred: Hashable,
        *,
        dim: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
    ) -> xr.DataArray:
        cube = self._cube(true, pred, dim, sample_weight, classes, None, dropna)
        return ArrayOrdinal(cube)._score(metric, options, bins=bins)

    def confusion(
        self,
        true: Hashable,
        pred: Hashable,
        *,
        dim: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
    ) -> xr.DataArray:
        """Count labels by true and predicted class.

        Parameters
        ----------
        true : name
            The variable that holds the true labels.
        pred : name
            The variable that holds the predicted labels; dimensions that only it has are kept.
        dim : name or list of names, optional
            The dimensions to count over. Default: all dimensions of the true labels.
        sample_weight : name, optional
            The variable that holds the weight of each case: finite and not negative.
        classes : sequence, optional
            The classes from lowest to highest, as in `ArrayOrdinal.confusion`.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its place. Not needed where the classes are bins.
        dropna : bool, default False
            Leave out cases with a missing label; they are an error otherwise.

        Returns
        -------
        DataArray
            Dimensions ``(..., true, pred)``; int64, or float64 where cases are weighted.
        """
        return self._cube(true, pred, dim, sample_weight, classes, bins, dropna)

    def report(
        self,
        true: Hashable,
        pred: Hashable,
        *,
        metrics: MetricsLike | None = None,
        dim: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
    ) -> xr.Dataset:
        """Score by several metrics: n, the number of cases, then a variable a metric.

        Parameters
        ----------
        true : name
            The variable that holds the true labels.
        pred : name
            The variable that holds the predicted labels.
        metrics : list of str, dict of str to callable, or "all", optional
            As in `ArrayOrdinal.report`.
        dim : name or list of names, optional
            The dimensions to count over. Default: all dimensions of the true labels.
        sample_weight : name, optional
            The variable that holds the weight of each case: finite and not negative.
        classes : sequence, optional
            The classes from lowest to highest, as in `ArrayOrdinal.confusion`.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its place. Not needed where the classes are bins.
        dropna : bool, default False
            Leave out cases with a missing label; they are an error otherwise.

        Returns
        -------
        Dataset
            Variables over the dimensions that are left.
        """
        cube = self._cube(true, pred, dim, sample_weight, classes, None, dropna)
        report = ArrayOrdinal(cube).report(metrics=metrics, bins=bins)
        if sample_weight is None:
            return report
        return report.assign(
            n=self._cube(true, pred, dim, None, classes, bins, dropna).sum(CLASS_DIMS)
        )

    def _cube(
        self,
        true: Hashable,
        pred: Hashable,
        dim: Hashable | list[Any] | None,
        sample_weight: Hashable | None,
        classes: ClassesLike | None,
        bins: BinsLike | None,
        dropna: bool,
    ) -> xr.DataArray:
        weight = None if sample_weight is None else self._variable(sample_weight)
        return count_labels(
            self._variable(true), self._variable(pred), dim, weight, classes, bins, dropna
        )

    def _variable(self, name: Hashable) -> xr.DataArray:
        if name not in self._dataset:
            raise KeyError(
                f"the dataset has no variable {name!r}; it has {list(self._dataset.variables)}"
            )
        return self._dataset[name]
