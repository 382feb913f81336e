"""`.ordinal` on a DataFrameGroupBy: the pandas way to write `by=`."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, ClassVar, Unpack, cast

import pandas as pd
import xarray as xr

from pandas_ordinal.accessors.base import COLUMN_PARAMETERS, RowsOrdinal, orders, rows
from pandas_ordinal.accessors.typing import ColumnsLike, OfGroupBy
from pandas_ordinal.classes.bins import BinsLike
from pandas_ordinal.classes.columns import ProbaLike
from pandas_ordinal.classes.gate import ClassesLike
from pandas_ordinal.metrics.metric import Metric
from pandas_ordinal.query import (
    Comparison,
    ComparisonOptions,
    Query,
    Uncertainty,
    UncertaintyOptions,
    if_given,
)
from pandas_ordinal.reports.metrics import MetricsLike
from pandas_ordinal.rows.compare import compare_table
from pandas_ordinal.rows.gather import sample, sample_of_report
from pandas_ordinal.rows.table import FrameTable


class GroupByOrdinal(RowsOrdinal[FrameTable], OfGroupBy):
    """Ordinal evaluation of the predictions in a grouped DataFrame.

    Parameters
    ----------
    grouped : DataFrameGroupBy
        The groups. Its keys, `sort`, `dropna` and `as_index` apply; only observed groups appear.
    """

    _returns = (
        "Series over the groups and the models, or DataFrame with the keys as columns",
        "Series over the groups, the models and `class`, or DataFrame",
        "DataArray over the groups, the models, `true` and `pred`",
    )
    _extra = COLUMN_PARAMETERS
    _examples: ClassVar = {
        "pred": """>>> import pandas as pd
>>> import pandas_ordinal as po
>>> df = pd.DataFrame({{
...     "model": ["a"] * 6, "y": [0, 0, 1, 1, 2, 2], "yhat": [0, 1, 1, 2, 2, 2]
... }})
>>> {metric} = df.groupby("model").ordinal.{metric}("y", "yhat", {options})""",
        "score": """>>> import pandas as pd
>>> import pandas_ordinal as po
>>> df = pd.DataFrame({{
...     "model": ["a"] * 6, "y": [0, 0, 1, 1, 2, 2], "score": [1, 2, 2, 3, 3, 4]
... }})
>>> {metric} = df.groupby("model").ordinal.{metric}("y", "score", {options})""",
        "proba": """>>> import pandas as pd
>>> import pandas_ordinal as po
>>> df = pd.DataFrame({{
...     "model": list("aabb"), "y": [0, 1, 0, 1],
...     0: [0.8, 0.5, 0.6, 0.1], 1: [0.2, 0.5, 0.4, 0.9]
... }})
>>> {metric} = df.groupby("model").ordinal.{metric}("y", [0, 1], {options})""",
    }

    _verbs = ("report", "compare", "confusion", "class_mae", "class_recall")

    def __init__(self, grouped: pd.api.typing.DataFrameGroupBy[Any, Any]) -> None:
        self._table = FrameTable(cast("pd.DataFrame", grouped.obj), grouped)
        self._as_index = grouped.as_index

    def _repr_lines(self) -> list[str]:
        frame = self._table.frame
        return [rows("DataFrameGroupBy", len(frame)), *orders(frame.dtypes.items())]

    def _score(self, metric: Metric, options: dict[str, Any], query: Query) -> Any:
        return self._with_keys(super()._score(metric, options, query))

    def _with_keys(self, result: Any) -> Any:
        """Put the keys where `as_index` wants them: in the index, or in columns."""
        if self._as_index or isinstance(result, xr.DataArray):
            return result
        taken = {result.name} if isinstance(result, pd.Series) else set(result.columns)
        clash = taken & set(result.index.names)
        if clash:
            raise ValueError(
                f"the result would have two columns {clash.pop()!r}: rename the key, or group "
                "with as_index=True"
            )
        return result.reset_index()

    def confusion(
        self,
        true: Hashable,
        pred: Hashable | ColumnsLike,
        *,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
    ) -> xr.DataArray:
        """Count rows by group, true and predicted class.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        pred : label, list of labels or dict
            The column that holds the predicted classes; a list, or a dict {name: column}, has one
            column per model.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. A column of
            booleans selects rows.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its position. Not needed if the classes are bins.
        dropna : bool, default False
            Drop rows with a missing value. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them as true or predicted class
            are dropped.

        Returns
        -------
        DataArray
            Dimensions ``(*keys, model, true, pred)``, as in `FrameOrdinal.confusion`.
        """
        query = Query(
            true=true, pred=pred, sample_weight=sample_weight, classes=classes, bins=bins,
            dropna=dropna, ignore=ignore,
        )  # fmt: skip
        return sample(self._table, query).cube()

    def report(
        self,
        true: Hashable,
        pred: Hashable | ColumnsLike | None = None,
        *,
        metrics: MetricsLike | None = None,
        score: Hashable | ColumnsLike | None = None,
        proba: ProbaLike | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        **uncertainty: Unpack[UncertaintyOptions],
    ) -> pd.DataFrame:
        """Compute several metrics per group: n, the number of rows, then one column per metric.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        pred : label, list of labels or dict, optional
            The column that holds the predicted classes; a list, or a dict {name: column}, has one
            column per model. Not needed for scores or probabilities alone.
        metrics : list, dict, or "all", optional
            A list of names, kernels, or partials of kernels; a dict from column names to these or
            to your own functions of counts ``(..., K, K)``; or "all", every metric that is one
            number. Default: ten metrics that do not duplicate one another; for scores also `vus`
            and `u_pairs`; for probabilities also `rps`, `log_loss` and `brier`.
        score : label, list of labels or dict, optional
            The column that holds the scores, for the ranking metrics; a list or dict if `pred` is
            one.
        proba : list of labels, dict or label, optional
            The columns that hold the probabilities of the classes: named as the classes, or a dict
            {class: column}; a list or dict of these for several models. For two classes, also the
            column of the higher one.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. `n` still counts
            rows. A column of booleans selects rows; `n` counts only these.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its position. Not needed if the classes are bins.
        dropna : bool, default False
            Drop rows with a missing value. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them as true or predicted class
            are dropped.
        **uncertainty : UncertaintyOptions
            Uncertainty of each metric, as extra columns after it.

        Returns
        -------
        DataFrame
            A row per group and model.
        """
        requested = Uncertainty(**uncertainty)
        query = Query(
            true=true, pred=self._table.optional(pred), score=if_given(score),
            proba=if_given(proba), sample_weight=sample_weight, classes=classes, bins=bins,
            dropna=dropna, ignore=ignore,
        )  # fmt: skip
        rows_of_groups = sample_of_report(self._table, query, requested.cluster)
        report = self._with_keys(rows_of_groups.report(metrics, requested))
        assert isinstance(report, pd.DataFrame)
        return report

    def compare(
        self,
        true: Hashable,
        pred: Hashable | ColumnsLike | None = None,
        *,
        model: Hashable | None = None,
        id: Hashable | list[Any] | None = None,
        metrics: MetricsLike | None = None,
        score: Hashable | ColumnsLike | None = None,
        proba: ProbaLike | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        **comparison: Unpack[ComparisonOptions],
    ) -> pd.DataFrame:
        """Compare models on the same rows, and test which differences are significant.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        pred : list of labels, dict or label, optional
            The columns that hold the predicted classes of the models, in a dict {name: column} to
            name these; with `model`, the one column of all models. Not needed for scores or
            probabilities alone.
        model : label, optional
            The column that identifies the model of each row, for predictions in long format.
        id : label or list of labels, optional
            With `model`, the columns or index levels that identify the case of each row.
        metrics : list, dict, or "all", optional
            A list of names, kernels, or partials of kernels; a dict from labels to these or to
            your own functions of counts ``(..., K, K)``; or "all". Default: those of `report`.
        score : list of labels, dict or label, optional
            The columns that hold the scores of the models, by name or in the order of `pred`; with
            `model`, the one column of all models. Without `pred`, they name the models.
        proba : list or dict, optional
            The probabilities of each model, by name or in the order of `pred`; with `model`, those
            of all models. Each is given as in `report`. In a list without `pred` and `score`,
            models are numbered.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its position. Not needed if the classes are bins.
        dropna : bool, default False
            Drop rows with a missing value or key. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them as true or predicted class
            are dropped.
        **comparison : ComparisonOptions
            How models are compared.

        Returns
        -------
        DataFrame
            A row for each group, metric and pair of models, a and b: ``value_a`` and ``value_b``;
            ``difference``, ``value_a`` minus ``value_b``; ``se``, ``low`` and ``high``, its
            standard error and interval; the interval is not adjusted for the number of pairs;
            ``p_value``, and ``p_adjusted`` for all pairs of the metric by the method of Holm;
            ``better``, the better model, or "neither" where ``p_adjusted`` is above ``1 - ci``, or
            NaN if there is no p-value or the metric has no direction; ``n``, the number of rows
            that all models predict; ``share_a`` and ``share_b``, of the rows that at least one
            model predicts, the shares that a and b predict. In a group without rows that all
            models predict, ``n`` is 0 and the rest NaN.

        Raises
        ------
        ValueError
            If there are fewer than two models, or no row that all of them predict; if a model
            predicts a case twice; or if there is no test for a metric of
            scores or probabilities.
        """
        query = Query(
            true=true, pred=self._table.optional(pred), score=if_given(score),
            proba=if_given(proba), classes=classes, bins=bins, dropna=dropna,
            ignore=ignore,
        )  # fmt: skip
        requested = Comparison(**comparison)
        table = compare_table(self._table, query, metrics, requested, model, id)
        result = self._with_keys(table)
        assert isinstance(result, pd.DataFrame)
        return result
