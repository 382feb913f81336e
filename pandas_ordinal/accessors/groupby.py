"""`.ordinal` on a DataFrameGroupBy: the pandas way to say `by=`."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, cast

import pandas as pd
import xarray as xr

from pandas_ordinal.accessors.base import Ordinal
from pandas_ordinal.accessors.chosen import MetricsLike
from pandas_ordinal.accessors.gather import forecast_cases, ranking_cases, score, tally_frame
from pandas_ordinal.accessors.methods import ProbaLike
from pandas_ordinal.accessors.tally import Tally
from pandas_ordinal.bins import BinsLike
from pandas_ordinal.classes import ClassesLike
from pandas_ordinal.groups import Groups, numbered
from pandas_ordinal.metrics.metric import Metric


class GroupByOrdinal(Ordinal):
    """Ordinal evaluation of the predictions in a grouped DataFrame.

    Parameters
    ----------
    grouped : DataFrameGroupBy
        The groups; their own keys, `sort` and `dropna` hold, observed groups only.
    """

    _returns = (
        "Series over the groups and the prediction columns",
        "Series over the groups, the prediction columns and the classes",
        "DataArray over the groups, the prediction columns and the classes",
    )

    def __init__(self, grouped: pd.api.typing.DataFrameGroupBy[Any, Any]) -> None:
        self._grouped = grouped

    def _score(
        self,
        metric: Metric,
        options: dict[str, Any],
        /,
        true: Hashable,
        pred: Hashable | list[Any],
        *,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
    ) -> Any:
        return score(
            self._tally(true, pred, sample_weight, classes, bins, dropna), metric, options
        )

    def _score_ranking(
        self,
        metric: Metric,
        options: dict[str, Any],
        /,
        true: Hashable,
        score: Hashable | list[Any],
        *,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
    ) -> Any:
        others = [options.pop("other")] if "other" in options else []
        return ranking_cases(
            *self._rows(), true, score, others, sample_weight, classes, dropna
        ).score(metric, options)

    def _score_forecast(
        self,
        metric: Metric,
        options: dict[str, Any],
        /,
        true: Hashable,
        proba: ProbaLike,
        *,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
    ) -> Any:
        return forecast_cases(*self._rows(), true, proba, sample_weight, classes, dropna).score(
            metric, options
        )

    def confusion(
        self,
        true: Hashable,
        pred: Hashable | list[Any],
        *,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
    ) -> xr.DataArray:
        """Count rows by group, true and predicted class.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        pred : label or list of labels
            The column that holds the predicted classes, or several.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its place. Not needed where the classes are bins.
        dropna : bool, default False
            Leave out rows with a missing label; they are an error otherwise.

        Returns
        -------
        DataArray
            Dimensions ``(*keys, model, true, pred)``, as `FrameOrdinal.confusion`.
        """
        return self._tally(true, pred, sample_weight, classes, bins, dropna).cube()

    def report(
        self,
        true: Hashable,
        pred: Hashable | list[Any],
        *,
        metrics: MetricsLike | None = None,
        score: Hashable | list[Any] | None = None,
        proba: ProbaLike | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
    ) -> pd.DataFrame:
        """Score each group by several metrics: n, the number of rows, then a column a metric.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        pred : label or list of labels
            The column that holds the predicted classes, or several.
        metrics : list of str, dict of str to callable, or "all", optional
            As in `FrameOrdinal.report`.
        score : label or list of labels, optional
            The column that holds the scores, for the metrics of ranking; a list where `pred` is
            one.
        proba : list of labels or dict, optional
            The columns that hold the probabilities of the classes: named as the classes, or a dict
            {class: column}; a list of these where `pred` is a list.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its place. Not needed where the classes are bins.
        dropna : bool, default False
            Leave out rows with a missing label; they are an error otherwise.

        Returns
        -------
        DataFrame
            A row for each group and prediction column.
        """
        reported = self._tally(
            true, pred, sample_weight, classes, bins, dropna, score, proba
        ).report(metrics)
        assert isinstance(reported, pd.DataFrame)
        return reported

    def _tally(
        self,
        true: Hashable,
        pred: Hashable | list[Any],
        sample_weight: Hashable | None,
        classes: ClassesLike | None,
        bins: BinsLike | None,
        dropna: bool,
        score: Any = None,
        proba: Any = None,
    ) -> Tally:
        return tally_frame(
            *self._rows(), true, pred, sample_weight, classes, bins, dropna, score, proba
        )

    def _rows(self) -> tuple[pd.DataFrame, Groups]:
        return cast("pd.DataFrame", self._grouped.obj), numbered(self._grouped)
