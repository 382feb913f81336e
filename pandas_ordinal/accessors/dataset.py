"""`.ordinal` on a Dataset: variables of true and predicted labels."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any, ClassVar, Unpack

import pandas as pd
import xarray as xr

from pandas_ordinal.accessors.base import Beside, Ordinal
from pandas_ordinal.accessors.comparison import compared, sample_of_arrays
from pandas_ordinal.accessors.cubes import (
    as_report,
    refuse_clusters,
    score_arrays,
    score_cube,
    score_each,
    sure_of_cube,
)
from pandas_ordinal.accessors.methods import OfDataset
from pandas_ordinal.accessors.report import MetricsLike, chosen, names_of
from pandas_ordinal.classes import ClassesLike
from pandas_ordinal.cube import CLASS_DIMS
from pandas_ordinal.inference.measures import measures_of
from pandas_ordinal.intervals import BinsLike
from pandas_ordinal.label_arrays import label_arrays
from pandas_ordinal.metrics.metric import Metric
from pandas_ordinal.query import (
    ABSENT,
    CompareOptions,
    Comparing,
    Query,
    Sureness,
    SureOptions,
    if_given,
)


class DatasetOrdinal(Ordinal, OfDataset):
    """Ordinal evaluation of the labels in a Dataset.

    Parameters
    ----------
    dataset : Dataset
        True and predicted labels as variables.
    """

    _returns = (
        "DataArray over the dimensions other than `dim`",
        "DataArray over the dimensions other than `dim`, and the classes",
        "DataArray over the dimensions other than `dim`, and the classes",
    )
    _beside: ClassVar = {
        "score": Beside(
            "Hashable",
            """score : name
    The variable that holds the scores, higher for higher classes.""",
        ),
        "proba": Beside(
            "Hashable",
            """proba : name
    The variable that holds the probabilities of the classes: one dimension has the classes as its
    coordinate, in any order.""",
        ),
        "other": Beside("Hashable", "other : name\n    The variable that holds the other score."),
    }
    _examples: ClassVar = {
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
        if metric.of_rows:
            return score_arrays(found, metric, options)
        arrays = label_arrays(found)
        return score_cube(arrays.cube(), arrays.scale, metric, options)

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
            The classes from lowest to highest. Integer labels are codes, positions in `classes`
            (-1 for missing), unless the classes are numbers themselves. Default: every integer
            from the smallest to the largest label, if there is no -1.
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
            bins=bins, dropna=dropna,
        )  # fmt: skip
        return label_arrays(self._found(query)).cube()

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
        **sure: Unpack[SureOptions],
    ) -> xr.Dataset:
        """Score by several metrics: n, the number of cases, then one variable per metric.

        Parameters
        ----------
        true : name
            The variable that holds the true labels.
        pred : name, optional
            The variable that holds the predicted labels. Not needed where only scores or
            probabilities are asked for.
        metrics : list, dict, or "all", optional
            A list of names, kernels, or partials of kernels; a dict from names of variables to
            these or to your own functions of counts ``(..., K, K)``; or "all": every metric that
            gives one number. Default: ten that do not repeat one another, with `vus` and `u_pairs`
            of scores, and `rps`, `log_loss` and `brier` of probabilities.
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
            The classes from lowest to highest. Integer labels are codes, positions in `classes`
            (-1 for missing), unless the classes are numbers themselves. Default: every integer
            from the smallest to the largest label, if there is no -1.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its place. Not needed where the classes are bins.
        dropna : bool, default False
            Leave out cases in which something asked for is missing; they are an error otherwise.
        **sure : SureOptions
            How sure the numbers of predicted classes are, as variables after each metric: as in
            `report` of a cube.

        Returns
        -------
        Dataset
            Variables over the dimensions that are left.
        """
        query = Query(
            true=true, pred=if_given(pred), score=if_given(score), proba=if_given(proba), dim=dim,
            sample_weight=sample_weight, classes=classes, bins=bins, dropna=dropna,
        )  # fmt: skip
        asked = Sureness(**sure)
        refuse_clusters(asked)
        arrays = label_arrays(self._found(query)).complete()
        wanted = chosen(metrics, arrays.scale, arrays.given)
        names = names_of(wanted, asked)
        of_counts = {name: one for name, one in wanted.items() if not one.metric.of_rows}
        scored: dict[str, xr.DataArray] = {}
        n = None
        if asked.is_asked:
            measures_of(wanted, arrays.scale, asked)
        if pred is not None:
            cube = arrays.cube()
            scored |= score_each(cube, arrays.scale, of_counts)
            if asked.is_asked:
                scored |= sure_of_cube(cube, arrays.scale, wanted, scored, asked)
            n = cube.sum(CLASS_DIMS) if sample_weight is None else None
        for name in wanted.keys() - of_counts.keys():
            scored[name], _ = arrays.score(*wanted[name])
        return as_report(
            arrays.n_cases() if n is None else n, {name: scored[name] for name in names}
        )

    def compare(
        self,
        true: Hashable,
        pred: Hashable | list[Any],
        *,
        model: Hashable | None = None,
        metrics: MetricsLike | None = None,
        dim: Hashable | list[Any] | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        **asked: Unpack[CompareOptions],
    ) -> pd.DataFrame:
        """Compare models on the same cases: are their differences real?

        Parameters
        ----------
        true : name
            The variable that holds the true labels.
        pred : list of names, or name
            The variables that hold the predicted labels of the models; with `model` the one
            variable of all models.
        model : name, optional
            The dimension that `pred` has the models along.
        metrics : list, dict, or "all", optional
            A list of names, kernels, or partials of kernels; a dict from labels to these or to
            your own functions of counts ``(..., K, K)``; or "all". Default: those of `report`.
        dim : name or list of names, optional
            The dimensions to count over. Default: all dimensions of the true labels.
        classes : sequence, optional
            The classes from lowest to highest, as in `report`.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its place. Not needed where the classes are bins.
        dropna : bool, default False
            Leave out cases in which something asked for is missing; they are an error otherwise.
        **asked : CompareOptions
            As in `FrameOrdinal.compare`; ``cluster=`` names a variable or a coordinate.

        Returns
        -------
        DataFrame
            A row for each place along the dimensions that are left, metric and pair of models, as
            `FrameOrdinal.compare` has them.
        """
        options = Comparing(**asked)
        if model is None:
            if not isinstance(pred, list) or len(pred) < 2:
                raise ValueError(
                    f"compare needs two models or more: give a list of variables, or the dimension "
                    f"model= that {pred!r} has them along"
                )
            model = "model"
            arrays = [self._variable(name).rename("pred") for name in pred]
            several = xr.concat(arrays, pd.Index(pred, name=model), coords="minimal", join="exact")
        else:
            several = self._variable(pred)
        cluster = None if options.cluster is None else self._variable(options.cluster)
        query = Query(
            true=self._variable(true), pred=several, dim=dim, classes=classes, bins=bins,
            dropna=dropna,
        )  # fmt: skip
        return compared(sample_of_arrays(label_arrays(query), model, cluster), metrics, options)
