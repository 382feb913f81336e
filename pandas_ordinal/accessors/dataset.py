"""`.ordinal` on a Dataset: variables of true and predicted labels."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import xarray as xr

from pandas_ordinal.accessors.array import (
    OF_CUBES,
    as_report,
    score_arrays,
    score_cube,
    score_each,
    with_scale,
)
from pandas_ordinal.accessors.base import Ordinal
from pandas_ordinal.accessors.methods import OfDataset
from pandas_ordinal.accessors.report import MetricsLike, Scale, chosen
from pandas_ordinal.classes import ClassesLike
from pandas_ordinal.cube import CLASS_DIMS
from pandas_ordinal.intervals import BinsLike, with_bins
from pandas_ordinal.label_arrays import label_arrays
from pandas_ordinal.metrics.metric import Metric
from pandas_ordinal.query import ABSENT, Query, if_given


class DatasetOrdinal(Ordinal, OfDataset):
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
    _beside = {
        "score": """score : name
    The variable that holds the scores, higher for higher classes.""",
        "proba": """proba : name
    The variable that holds the probabilities of the classes: one dimension has the classes as its
    coordinate, in any order.""",
        "other": "other : name\n    The variable that holds the other score.",
    }
    _examples = {
        "pred": """>>> import pandas_ordinal as po
>>> import xarray as xr
>>> ds = xr.Dataset({{"y": ("case", [0, 0, 1, 1, 2, 2]), "yhat": ("case", [0, 1, 1, 2, 2, 2])}})
>>> {metric} = ds.ordinal.{metric}("y", "yhat", {options})""",
        "score": """>>> import pandas_ordinal as po
>>> import xarray as xr
>>> ds = xr.Dataset({{
...     "y": ("case", [0, 0, 1, 1, 2, 2]),
...     "score": ("case", [1, 2, 2, 3, 3, 4]), "second": ("case", [1, 3, 2, 1, 4, 4]),
... }})
>>> {metric} = ds.ordinal.{metric}("y", "score", {options})""",
        "proba": """>>> import pandas_ordinal as po
>>> import xarray as xr
>>> ds = xr.Dataset({{
...     "y": ("case", [0, 1]), "p": (("case", "class"), [[0.8, 0.2], [0.5, 0.5]]), "class": [0, 1]
... }})
>>> {metric} = ds.ordinal.{metric}("y", "p", {options})""",
        "other": 'other="second"',
    }

    def __init__(self, dataset: xr.Dataset) -> None:
        self._dataset = dataset

    def _score(self, metric: Metric, options: dict[str, Any], query: Query) -> xr.DataArray:
        found = self._found(query)
        if metric.needs not in OF_CUBES:
            return score_arrays(found, metric, options)
        cube, scale = with_scale(label_arrays(found).cube(), query.bins)
        return score_cube(cube, scale, metric, options)

    def _found(self, query: Query) -> Query:
        """Put variables in the place of their names."""
        named = {"true": query.true, "other": query.other, **query.scored}
        if query.sample_weight is not None:
            named["sample_weight"] = query.sample_weight
        found: dict[str, Any] = {
            option: self._variable(name) for option, name in named.items() if name is not ABSENT
        }
        return replace(query, **found)

    def _variable(self, name: Hashable) -> xr.DataArray:
        if name not in self._dataset:
            raise KeyError(
                f"the dataset has no variable {name!r}; it has {list(self._dataset.variables)}"
            )
        return self._dataset[name]

    def confusion(
        self,
        true: Hashable,
        pred: Hashable,
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
            Leave out cases in which something asked for is missing; they are an error otherwise.

        Returns
        -------
        DataArray
            Dimensions ``(..., true, pred)``; int64, or float64 where cases are weighted.
        """
        query = Query(
            true=true, pred=pred, dim=dim, sample_weight=sample_weight, classes=classes,
            dropna=dropna,
        )  # fmt: skip
        return with_scale(label_arrays(self._found(query)).cube(), bins)[0]

    def report(
        self,
        true: Hashable,
        pred: Hashable | None = None,
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
        pred : name, optional
            The variable that holds the predicted labels. Not needed where only scores or
            probabilities are asked for.
        metrics : list, dict, or "all", optional
            As in `ArrayOrdinal.report`.
        score : name, optional
            The variable that holds the scores, for the metrics of ranking.
        proba : name, optional
            The variable that holds the probabilities of the classes, which are the coordinate of
            one of its dimensions.
        dim : name or list of names, optional
            The dimensions to count over. Default: all dimensions of the true labels.
        sample_weight : name, optional
            The variable that holds the weight of each case: finite and not negative. `n` counts
            cases.
        classes : sequence, optional
            The classes from lowest to highest, as in `ArrayOrdinal.confusion`.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its place. Not needed where the classes are bins.
        dropna : bool, default False
            Leave out cases in which something asked for is missing; they are an error otherwise.

        Returns
        -------
        Dataset
            Variables over the dimensions that are left.
        """
        query = Query(
            true=true, pred=if_given(pred), score=if_given(score), proba=if_given(proba), dim=dim,
            sample_weight=sample_weight, classes=classes, dropna=dropna,
        )  # fmt: skip
        arrays = label_arrays(self._found(query)).complete()
        scale = Scale(with_bins(arrays.classes, bins), arrays.classes)
        wanted = chosen(metrics, scale, arrays.given)
        of_counts = {name: one for name, one in wanted.items() if one.metric.needs in OF_CUBES}
        scored: dict[str, xr.DataArray] = {}
        n = None
        if pred is not None:
            cube, _ = with_scale(arrays.cube(), bins)
            scored |= score_each(cube, scale, of_counts)
            n = cube.sum(CLASS_DIMS) if sample_weight is None else None
        for name in wanted.keys() - of_counts.keys():
            scored[name], _ = arrays.score(*wanted[name])
        if n is None:
            n = arrays.n_cases()
        return as_report(n, {name: scored[name] for name in wanted})
