"""`.ordinal` on a Dataset: variables of true and predicted labels."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import xarray as xr

from pandas_ordinal.accessors.array import ArrayOrdinal
from pandas_ordinal.accessors.base import PARAMETERS, Ordinal
from pandas_ordinal.accessors.chosen import MetricsLike, OfCases
from pandas_ordinal.bins import BinsLike
from pandas_ordinal.classes import ClassesLike
from pandas_ordinal.cube import CLASS_DIMS, checked
from pandas_ordinal.forecasts import kept, score_labels
from pandas_ordinal.labels import count_labels
from pandas_ordinal.metrics.metric import Metric, Needs


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
        "score": """score : name
    The variable that holds the scores, higher for higher classes.""",
        "proba": """proba : name
    The variable that holds the probabilities of the classes: one dimension has the classes as its
    coordinate, in any order.""",
        "other": "other : name\n    The variable that holds the other score.",
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

    def _score_ranking(
        self,
        metric: Metric,
        options: dict[str, Any],
        /,
        true: Hashable,
        score: Hashable,
        *,
        dim: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
    ) -> xr.DataArray:
        if "other" in options:
            options["other"] = self._variable(options["other"])
        return ArrayOrdinal(self._variable(true))._score_ranking(
            metric, options, self._variable(score), dim=dim, classes=classes, dropna=dropna,
            sample_weight=self._weight(sample_weight),
        )  # fmt: skip

    def _score_forecast(
        self,
        metric: Metric,
        options: dict[str, Any],
        /,
        true: Hashable,
        proba: Hashable,
        *,
        dim: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
    ) -> xr.DataArray:
        return ArrayOrdinal(self._variable(true))._score_forecast(
            metric, options, self._variable(proba), dim=dim, classes=classes, dropna=dropna,
            sample_weight=self._weight(sample_weight),
        )  # fmt: skip

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
        score: Hashable | None = None,
        proba: Hashable | None = None,
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
        score : name, optional
            The variable that holds the scores, for the metrics of ranking.
        proba : name, optional
            The variable that holds the probabilities of the classes, which are the coordinate of
            one of its dimensions.
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
        labels, predicted = self._variable(true), self._variable(pred)
        given: dict[Needs, dict[str, xr.DataArray]] = {}
        if score is not None:
            given["scores"] = {"score": self._variable(score)}
        if proba is not None:
            given["probabilities"] = {"proba": self._variable(proba)}
        weight = self._weight(sample_weight)
        counted = None
        inputs: dict[str, xr.DataArray] = {}
        if given:
            dim = list(labels.dims) if dim is None else dim
            for each in given.values():
                inputs |= each
            if dropna:
                counted = kept(labels, predicted, inputs, classes)
                weight = counted if weight is None else weight * counted
            if weight is not None:
                labels = labels.broadcast_like(weight)
        cube = count_labels(labels, predicted, dim, weight, classes, None, dropna)
        report, wanted = ArrayOrdinal(cube)._reported(metrics, bins, given)
        for name in {d for array in inputs.values() for d in array.dims} & {"n", *wanted}:
            raise ValueError(
                f"the report would have a variable {name!r} beside the dimension {name!r}: rename "
                f"one, as with ds.rename({{{name!r}: ...}})"
            )
        for name, scorer in wanted.items():
            if isinstance(scorer, OfCases):
                metric, inputs = scorer.metric, given[scorer.metric.needs]
                report[name], _ = score_labels(
                    metric, scorer.options, labels, inputs, dim, weight, checked(cube)[1], dropna
                )
        report = report[["n", *wanted]]
        if weight is None:
            return report
        rows = count_labels(labels, predicted, dim, counted, classes, None, dropna)
        return report.assign(n=rows.sum(CLASS_DIMS).astype(np.int64))

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
        weight = self._weight(sample_weight)
        return count_labels(
            self._variable(true), self._variable(pred), dim, weight, classes, bins, dropna
        )

    def _weight(self, sample_weight: Hashable | None) -> xr.DataArray | None:
        return None if sample_weight is None else self._variable(sample_weight)

    def _variable(self, name: Hashable) -> xr.DataArray:
        if name not in self._dataset:
            raise KeyError(
                f"the dataset has no variable {name!r}; it has {list(self._dataset.variables)}"
            )
        return self._dataset[name]
