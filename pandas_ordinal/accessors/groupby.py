"""`.ordinal` on a DataFrameGroupBy: the pandas way to say `by=`."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, ClassVar, Unpack, cast

import pandas as pd
import xarray as xr

from pandas_ordinal.accessors.base import OF_COLUMNS, RowsOrdinal, orders, rows
from pandas_ordinal.accessors.typing import OfGroupBy
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
from pandas_ordinal.rows.compare import compared_rows
from pandas_ordinal.rows.gather import sample
from pandas_ordinal.rows.table import FrameTable


class GroupByOrdinal(RowsOrdinal[FrameTable], OfGroupBy):
    """Ordinal evaluation of the predictions in a grouped DataFrame.

    Parameters
    ----------
    grouped : DataFrameGroupBy
        The groups; their own keys, `sort`, `dropna` and `as_index` hold, observed groups only.
    """

    _returns = (
        "Series over the groups and the models, or DataFrame with the keys as columns",
        "Series over the groups, the models and `class`, or DataFrame",
        "DataArray over the groups, the models, `true` and `pred`",
    )
    _beside = OF_COLUMNS
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

    def _told(self) -> list[str]:
        frame = self._table.frame
        return [rows("DataFrameGroupBy", len(frame)), *orders(frame.dtypes.items())]

    def _score(self, metric: Metric, options: dict[str, Any], query: Query) -> Any:
        return self._shown(super()._score(metric, options, query))

    def _shown(self, result: Any) -> Any:
        """Put the keys where the groupby has them: in the index, or in columns."""
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
        pred: Hashable | list[Any],
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
        pred : label or list of labels
            The column that holds the predicted classes; a list has one column per model.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. A column of
            booleans selects rows.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its place. Not needed where the classes are bins.
        dropna : bool, default False
            Leave out rows in which something asked for is missing; they are an error otherwise.
        ignore : label or list of labels, optional
            Labels that mean nothing here, such as 255 or -1: rows whose true or predicted class is
            one of them are left out.

        Returns
        -------
        DataArray
            Dimensions ``(*keys, model, true, pred)``, as `FrameOrdinal.confusion`.
        """
        query = Query(
            true=true, pred=pred, sample_weight=sample_weight, classes=classes, bins=bins,
            dropna=dropna, ignore=ignore,
        )  # fmt: skip
        return sample(self._table, query).cube()

    def report(
        self,
        true: Hashable,
        pred: Hashable | list[Any] | pd.Index[Any] | None = None,
        *,
        metrics: MetricsLike | None = None,
        score: Hashable | list[Any] | None = None,
        proba: ProbaLike | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        **uncertainty: Unpack[UncertaintyOptions],
    ) -> pd.DataFrame:
        """Score each group by several metrics: n, the number of rows, then one column per metric.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        pred : label or list of labels, optional
            The column that holds the predicted classes; a list has one column per model. Not
            needed where only scores or probabilities are asked for.
        metrics : list, dict, or "all", optional
            A list of names, kernels, or partials of kernels; a dict from column names to these or
            to your own functions of counts ``(..., K, K)``; or "all": every metric that gives one
            number. Default: ten that do not repeat one another, with `vus` and `u_pairs` of
            scores, and `rps`, `log_loss` and `brier` of probabilities.
        score : label or list of labels, optional
            The column that holds the scores, for the metrics of ranking; a list where `pred` is
            one.
        proba : list of labels or dict, optional
            The columns that hold the probabilities of the classes: named as the classes, or a dict
            {class: column}; a list of these where there are several models.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. `n` counts rows.
            A column of booleans selects rows: the others are left out of `n`, too.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its place. Not needed where the classes are bins.
        dropna : bool, default False
            Leave out rows in which something asked for is missing; they are an error otherwise.
        ignore : label or list of labels, optional
            Labels that mean nothing here, such as 255 or -1: rows whose true or predicted class is
            one of them are left out.
        **uncertainty : UncertaintyOptions
            Uncertainty of each metric, as extra columns after it. ``ci=0.95``: an interval,
            ``<metric>_low`` and ``<metric>_high``. ``se=True``: the standard error,
            ``<metric>_se``. ``ranges={"name": (low, high)}``: the range of your own functions.
            ``cluster=``: a column that says which rows belong together, as those of a patient.
            ``stratify="true"``: rows were drawn by true class. ``method="bootstrap"``, with
            ``n_boot=2000``, ``seed=0`` and ``progress=False``: percentiles of tables drawn at
            random, and ``<metric>_n_valid``, the number of those with a value.

        Returns
        -------
        DataFrame
            A row for each group and model.
        """
        asked = Uncertainty(**uncertainty)
        query = Query(
            true=true, pred=self._table.optional(pred), score=if_given(score),
            proba=if_given(proba), sample_weight=sample_weight, classes=classes, bins=bins,
            dropna=dropna, ignore=ignore,
        )  # fmt: skip
        reported = self._shown(sample(self._table, query, asked.cluster).report(metrics, asked))
        assert isinstance(reported, pd.DataFrame)
        return reported

    def compare(
        self,
        true: Hashable,
        pred: Hashable | list[Any] | pd.Index[Any] | None = None,
        *,
        model: Hashable | None = None,
        id: Hashable | list[Any] | None = None,
        metrics: MetricsLike | None = None,
        score: Hashable | list[Any] | pd.Index[Any] | None = None,
        proba: ProbaLike | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        **asked: Unpack[ComparisonOptions],
    ) -> pd.DataFrame:
        """Compare models on the same rows, and tell which differences are significant.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        pred : list of labels, or label, optional
            The columns that hold the predicted classes of the models; with `model` the one column
            of all models. Not needed where only scores or probabilities are compared.
        model : label, optional
            The column that says which model a row is of, where models are one below the other.
        id : label or list of labels, optional
            With `model`, the columns or index levels that say which rows are the same case.
        metrics : list, dict, or "all", optional
            A list of names, kernels, or partials of kernels; a dict from labels to these or to
            your own functions of counts ``(..., K, K)``; or "all". Default: those of `report`.
        score, proba : list, or label and dict, optional
            The scores and the probabilities of each model, in the order of `pred`; models are
            called by their scores without `pred`, and by their number if there are probabilities
            alone. With `model` those of all models, as in `report`.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its place. Not needed where the classes are bins.
        dropna : bool, default False
            Leave out rows in which something asked for is missing; they are an error otherwise.
        ignore : label or list of labels, optional
            Labels that mean nothing here, such as 255 or -1: rows whose true or predicted class is
            one of them are left out.
        **asked : ComparisonOptions
            ``ci=0.95``: the level of the intervals. ``cluster=``: a column that says which rows
            belong together, as those of a patient. ``reference=``: the model that all others are
            compared with; all pairs otherwise. ``method="permutation"``, with
            ``n_permutations=9999``, ``seed=0`` and ``progress=False``: p-values from models that
            swap their predictions of rows, or of clusters, at random.

        Returns
        -------
        DataFrame
            A row for each group, metric and pair of models, a and b: ``value_a`` and ``value_b``;
            ``difference``, the first less the second; ``se``, ``low`` and ``high``, its standard
            error and interval, which is for this pair alone; ``p_value``, and ``p_adjusted`` for
            all pairs of the metric by the method of Holm; ``better``, the better model, or
            "neither" where ``p_adjusted`` is above ``1 - ci``, or NaN without a p-value or a
            direction of the metric; ``n``, the number of rows that all models predict;
            ``share_a`` and ``share_b``, the share of the rows predicted by any model that each of
            the two predicts.

        Raises
        ------
        ValueError
            If there are fewer than two models, or no row that all predict; if a model predicts a
            case twice; or if there is no rule for a metric of scores or probabilities.
        """
        query = Query(
            true=true, pred=self._table.optional(pred), score=if_given(score),
            proba=if_given(proba), classes=classes, bins=bins, dropna=dropna,
            ignore=ignore,
        )  # fmt: skip
        found = compared_rows(self._table, query, metrics, Comparison(**asked), model, id)
        shown = self._shown(found)
        assert isinstance(shown, pd.DataFrame)
        return shown
