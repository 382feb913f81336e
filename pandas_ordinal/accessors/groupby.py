"""`.ordinal` on a DataFrameGroupBy: the pandas way to write `by=`."""

from __future__ import annotations

import inspect
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, ClassVar, Unpack, cast

import pandas as pd
import xarray as xr

from pandas_ordinal import inference, plot
from pandas_ordinal import ratings as of_raters
from pandas_ordinal.accessors.base import COLUMN_PARAMETERS, RowsOrdinal, orders, rows
from pandas_ordinal.accessors.calibration import OfForecasts
from pandas_ordinal.accessors.frame import FrameOrdinal
from pandas_ordinal.accessors.sets import GroupBySets
from pandas_ordinal.accessors.typing import ColumnsLike, OfGroupBy
from pandas_ordinal.classes.bins import BinsLike
from pandas_ordinal.classes.columns import ProbaLike
from pandas_ordinal.classes.gate import ClassesLike
from pandas_ordinal.metrics.metric import Metric
from pandas_ordinal.query import (
    Agreement,
    AgreementOptions,
    Comparison,
    ComparisonOptions,
    Query,
    Uncertainty,
    UncertaintyOptions,
    if_given,
)
from pandas_ordinal.reports.by_class import TableByClass
from pandas_ordinal.reports.metrics import MetricLike, MetricsLike
from pandas_ordinal.rows.compare import compare_table
from pandas_ordinal.rows.gather import sample, sample_of_report
from pandas_ordinal.rows.scored import report_sample
from pandas_ordinal.rows.summaries import (
    ThresholdsLike,
    accuracy_curves,
    best_series,
    ranked,
    roc_frame,
    roc_grids,
    summary_over_folds,
)
from pandas_ordinal.rows.table import FrameTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pandas_ordinal.inference.dominance import Dominance


class GroupByOrdinal(GroupBySets, RowsOrdinal[FrameTable], OfGroupBy):
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
    _tables = "DataFrame over the groups, the models and `class`, or with the keys as columns"
    _extra = COLUMN_PARAMETERS
    _examples: ClassVar = {
        "pred": """>>> import pandas as pd
>>> import pandas_ordinal as po
>>> df = pd.DataFrame({{
...     "model": ["a"] * 6, "y": [0, 0, 1, 1, 2, 2], "yhat": [0, 1, 1, 2, 2, 2]
... }})
>>> df.groupby("model").ordinal.{metric}("y", "yhat", {options})""",
        "score": """>>> import pandas as pd
>>> import pandas_ordinal as po
>>> df = pd.DataFrame({{
...     "model": ["a"] * 6, "y": [0, 0, 1, 1, 2, 2], "score": [1, 2, 2, 3, 3, 4]
... }})
>>> df.groupby("model").ordinal.{metric}("y", "score", {options})""",
        "proba": """>>> import pandas as pd
>>> import pandas_ordinal as po
>>> df = pd.DataFrame({{
...     "model": list("aabb"), "y": [0, 1, 0, 1],
...     0: [0.8, 0.5, 0.6, 0.1], 1: [0.2, 0.5, 0.4, 0.9]
... }})
>>> df.groupby("model").ordinal.{metric}("y", [0, 1], {options})""",
    }

    _verbs = ("report", "compare", "confusion", "class_mae", "class_recall")

    def __init__(self, grouped: pd.api.typing.DataFrameGroupBy[Any, Any]) -> None:
        self._table = FrameTable(cast("pd.DataFrame", grouped.obj), grouped)
        self._as_index = grouped.as_index

    def _repr_lines(self) -> list[str]:
        frame = self._table.frame
        return [rows("DataFrameGroupBy", len(frame)), *orders(frame.dtypes.items())]

    def _hint_at(self, name: str) -> str:
        if name in vars(FrameOrdinal):
            if "by" in inspect.signature(getattr(FrameOrdinal, name)).parameters:
                return f"; call df.ordinal.{name}(..., by=...)"
            return f"; groups make no difference to it: call df.ordinal.{name}(...)"
        return super()._hint_at(name)

    def _score(self, metric: Metric, options: dict[str, Any], query: Query) -> Any:
        return self._with_keys(super()._score(metric, options, query))

    def _table_by_class(self, table: TableByClass, query: Query) -> Any:
        return self._with_keys(super()._table_by_class(table, query))

    def _of_forecasts(self, asked: OfForecasts[Any, Any], query: Query) -> Any:
        return self._with_keys(super()._of_forecasts(asked, query))

    def _with_keys(self, result: Any) -> Any:
        """Put the keys of a table where `as_index` wants them: in the index, or in columns."""
        if self._as_index or not isinstance(result, (pd.Series, pd.DataFrame)):
            return result
        taken = {result.name} if isinstance(result, pd.Series) else set(result.columns)
        clash = taken & set(result.index.names)
        if clash:
            raise ValueError(
                f"the result would have two columns {clash.pop()!r}: rename the key, or group "
                "with as_index=True"
            )
        if isinstance(result, pd.DataFrame) and isinstance(result.columns, pd.CategoricalIndex):
            result = result.set_axis(
                result.columns.astype(object), axis=1
            )  # which takes no other columns
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

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({
        ...     "fold": [1, 1, 1, 2, 2, 2], "y": [0, 1, 2, 0, 1, 2],
        ...     "a": [0, 1, 2, 0, 1, 1], "b": [0, 2, 2, 1, 1, 0],
        ... })
        >>> dict(df.groupby("fold").ordinal.confusion("y", "a").sizes)
        {'fold': 2, 'true': 3, 'pred': 3}
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
        atol: float | None = None,
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
        atol : float, optional
            By how much the probabilities of a row may differ from a sum of 1, such as 0.002 for
            three decimals. They are not rescaled. Default: 1e-6.
        **uncertainty : UncertaintyOptions
            Uncertainty of each metric, as extra columns after it.

        Returns
        -------
        DataFrame
            A row per group and model.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({
        ...     "fold": [1, 1, 1, 2, 2, 2], "y": [0, 1, 2, 0, 1, 2],
        ...     "a": [0, 1, 2, 0, 1, 1], "b": [0, 2, 2, 1, 1, 0],
        ... })
        >>> df.groupby("fold").ordinal.report("y", "a", metrics=["accuracy", "mae"]).round(3)
              n  accuracy    mae
        fold
        1     3     1.000  0.000
        2     3     0.667  0.333
        """
        requested = Uncertainty(**uncertainty)
        query = Query(
            true=true, pred=self._table.optional(pred), score=if_given(score),
            proba=if_given(proba), sample_weight=sample_weight, classes=classes, bins=bins,
            dropna=dropna, ignore=ignore, atol=atol,
        )  # fmt: skip
        rows = sample_of_report(self._table, query, requested.cluster)
        report = self._with_keys(report_sample(rows, metrics, requested))
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
        sample_weight: Hashable | None = None,
        count: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        atol: float | None = None,
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
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. `n` still counts
            rows. A column of booleans selects rows; `n` counts only these.
        count : label, optional
            The column that holds how many rows each row stands for, in a table of counts by true
            class and the predicted class of each model.
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
        atol : float, optional
            By how much the probabilities of a row may differ from a sum of 1, such as 0.002 for
            three decimals. They are not rescaled. Default: 1e-6.
        **comparison : ComparisonOptions
            How models are compared.

        Returns
        -------
        DataFrame
            A row for each group, metric and pair of models, a and b: ``value_a`` and ``value_b``;
            ``difference``, ``value_a`` minus ``value_b``; ``se``, ``low`` and ``high``, its
            standard error and interval; ``p_value``, and ``p_adjusted`` for all pairs of the
            metric; with a margin, ``p_equivalent``; ``better``, the better model, or "neither"
            where ``p_adjusted`` is above ``1 - ci``, or NaN if there is no p-value or the metric
            has no direction; ``n``, the number of rows that all models predict; ``share_a`` and
            ``share_b``, of the rows that at least one model predicts, the shares that a and b
            predict. Intervals are adjusted for the number of pairs with ``adjust="max-t"`` only.
            With ``alternative="non-inferior"``, ``non_inferior`` takes the place of ``better``: it
            is True where ``p_adjusted`` is at most ``1 - ci``. In a group without rows that all
            models predict, ``n`` is 0 and the rest NaN.

        Raises
        ------
        ValueError
            If there are fewer than two models, or no row that all of them predict; if a model
            predicts a case twice; or if there is no test for a metric of
            scores or probabilities.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({
        ...     "fold": [1, 1, 1, 2, 2, 2], "y": [0, 1, 2, 0, 1, 2],
        ...     "a": [0, 1, 2, 0, 1, 1], "b": [0, 2, 2, 1, 1, 0],
        ... })
        >>> comparison = df.groupby("fold").ordinal.compare("y", ["a", "b"], metrics=["mae"])
        >>> comparison["difference"].round(3)
        fold  metric  a  b
        1     mae     a  b   -0.333
        2     mae     a  b   -0.667
        Name: difference, dtype: float64
        """
        query = Query(
            true=true, pred=self._table.optional(pred), score=if_given(score),
            proba=if_given(proba), sample_weight=sample_weight, count=count, classes=classes,
            bins=bins, dropna=dropna, ignore=ignore, atol=atol,
        )  # fmt: skip
        requested = Comparison(**comparison)
        table = compare_table(self._table, query, metrics, requested, model, id)
        result = self._with_keys(table)
        assert isinstance(result, pd.DataFrame)
        return result

    def summary(
        self,
        true: Hashable,
        pred: Hashable | ColumnsLike | None = None,
        *,
        over: Hashable | list[Any],
        metrics: MetricsLike | None = None,
        score: Hashable | ColumnsLike | None = None,
        proba: ProbaLike | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        atol: float | None = None,
    ) -> pd.DataFrame:
        """Summarize metrics over folds: their mean and spread, and the value of all folds pooled.

        The mean over folds and the pooled value differ: counts add up, but scores do not.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        pred : label, list of labels or dict, optional
            The column that holds the predicted classes; a list, or a dict {name: column}, has one
            column per model. Not needed for scores or probabilities alone.
        over : label or list of labels
            Columns or index levels of the folds, or of repeats and folds, other than the keys.
        metrics : list, dict, or "all", optional
            As in `report`.
        score : label, list of labels or dict, optional
            The column that holds the scores, for the ranking metrics; a list or dict if `pred` is
            one.
        proba : list of labels or dict, optional
            The columns that hold the probabilities of the classes, as in `report`.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its position. Not needed if the classes are bins.
        dropna : bool, default False
            Drop rows with a missing value or fold. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them as true or predicted class
            are dropped.
        atol : float, optional
            By how much the probabilities of a row may differ from a sum of 1, such as 0.002 for
            three decimals. They are not rescaled. Default: 1e-6.

        Returns
        -------
        DataFrame
            A row per group, model and metric: ``mean`` and ``std``, with n - 1 in its denominator,
            over the ``n_folds`` in which the metric is defined; and ``pooled``, its value for the
            rows of all folds together.

        See Also
        --------
        pandas_ordinal.corrected_t_test : test whether differences over folds are real.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({
        ...     "model": list("aaaabbbb"), "fold": [1, 1, 2, 2] * 2, "y": [0, 1, 1, 2] * 2,
        ...     "yhat": [0, 1, 1, 1, 0, 2, 1, 0],
        ... })
        >>> models = df.groupby("model")
        >>> models.ordinal.summary("y", "yhat", over="fold", metrics=["accuracy", "mae"])
                        mean       std  n_folds  pooled
        model metric
        a     accuracy  0.75  0.353553        2    0.75
              mae       0.25  0.353553        2    0.25
        b     accuracy  0.50  0.000000        2    0.50
              mae       0.75  0.353553        2    0.75
        """
        query = Query(
            true=true, pred=self._table.optional(pred), score=if_given(score),
            proba=if_given(proba), sample_weight=sample_weight, classes=classes, bins=bins,
            dropna=dropna, ignore=ignore, atol=atol,
        )  # fmt: skip
        summary = self._with_keys(summary_over_folds(self._table, query, over, metrics))
        assert isinstance(summary, pd.DataFrame)
        return summary

    def agreement(
        self,
        ratings: Hashable | ColumnsLike,
        *,
        item: Hashable | list[Any] | None = None,
        rater: Hashable | list[Any] | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        ignore: Hashable | list[Any] | None = None,
        **agreement: Unpack[AgreementOptions],
    ) -> pd.DataFrame:
        """Compute the agreement of two or more raters in each group; ratings may have gaps.

        Parameters
        ----------
        ratings : list of labels, dict or label
            The columns of the raters, with a row for each item; or the one column of all ratings,
            with a row for each rating.
        item, rater : label or list of labels, optional
            With one column of ratings, the columns or index levels that identify the item and the
            rater of each row.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its position. Not needed if the classes are bins.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1: such a rating is not there.
        **agreement : AgreementOptions
            The coefficients, and their uncertainty as extra columns.

        Returns
        -------
        DataFrame
            ``n_items``, the number of items with a rating; with clusters ``n_clusters``;
            ``n_paired``, the items with two ratings or more; ``n_raters``, the raters with a
            rating; ``n_ratings``; then the coefficients. A row
            per group.

        Raises
        ------
        ClassOrderError
            If the labels declare no order of the classes, or contradicting ones.
        UnknownClassError
            If a label is not a class.
        ValueError
            If there is one rater only, if a rater has two ratings of an item, or an option has an
            unknown value.

        See Also
        --------
        pandas_ordinal.metrics.fleiss_kappa : the formulas, as functions of plain arrays.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({
        ...     "fold": [1, 1, 1, 2, 2, 2], "y": [0, 1, 2, 0, 1, 2],
        ...     "a": [0, 1, 2, 0, 1, 1], "b": [0, 2, 2, 1, 1, 0],
        ... })
        >>> groups = df.groupby("fold")
        >>> groups.ordinal.agreement(["y", "a", "b"], metrics=["fleiss_kappa"]).round(3)
              n_items  n_paired  n_raters  n_ratings  fleiss_kappa
        fold
        1           3         3         3          9         0.855
        2           3         3         3          9        -0.125
        """
        query = Query(pred=ratings, classes=classes, bins=bins, ignore=ignore)
        asked = Agreement(**agreement)
        found = self._with_keys(
            of_raters.frames.agreement_of_frame(self._table, query, item, rater, asked)
        )
        assert isinstance(found, pd.DataFrame)
        return found

    def accuracy_curve(
        self,
        true: Hashable,
        pred: Hashable | ColumnsLike,
        *,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
    ) -> pd.DataFrame:
        """Compute the accuracy within k classes for every k: the whole curve of `accuracy_within`.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        pred : label, list of labels or dict
            The column that holds the predicted classes; a list, or a dict {name: column}, has one
            column per model.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        dropna : bool, default False
            Drop rows with a missing value. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them as true or predicted class
            are dropped.

        Returns
        -------
        DataFrame
            The share of rows that are at most k = 0 ... K - 1 classes off: a row per group and
            model.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({
        ...     "fold": [1, 1, 1, 2, 2, 2], "y": [0, 1, 2, 0, 1, 2],
        ...     "a": [0, 1, 2, 0, 1, 1], "b": [0, 2, 2, 1, 1, 0],
        ... })
        >>> df.groupby("fold").ordinal.accuracy_curve("y", "b").round(3)
        k         0      1    2
        fold
        1     0.667  1.000  1.0
        2     0.333  0.667  1.0
        """
        query = Query(
            true=true, pred=pred, sample_weight=sample_weight, classes=classes,
            dropna=dropna, ignore=ignore,
        )  # fmt: skip
        curves = self._with_keys(accuracy_curves(sample(self._table, query)))
        assert isinstance(curves, pd.DataFrame)
        return curves

    def dominance(
        self,
        true: Hashable,
        pred: Hashable | ColumnsLike,
        *,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
    ) -> Dominance:
        """Find groups that are indisputably better, by `accuracy_within` for every distance.

        A group is indisputably better than another if its accuracy within k classes is higher for
        at least one k, and lower for none. With several models, each is compared in each group.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        pred : label, list of labels or dict
            The column that holds the predicted classes; a list, or a dict {name: column}, has one
            column per model.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        dropna : bool, default False
            Drop rows with a missing value. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them as true or predicted class
            are dropped.

        Returns
        -------
        Dominance
            ``better``, a table of whether the group, or model in a group, of the row is better
            than that of the column; and ``undominated``, those that no other is better than.

        References
        ----------
        L. Gaudette and N. Japkowicz, Evaluation methods for ordinal classification, Canadian AI
        2009, doi:10.1007/978-3-642-01818-3_25.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({
        ...     "fold": [1, 1, 1, 2, 2, 2], "y": [0, 1, 2, 0, 1, 2],
        ...     "a": [0, 1, 2, 0, 1, 1], "b": [0, 2, 2, 1, 1, 0],
        ... })
        >>> df.groupby("fold").ordinal.dominance("y", ["a", "b"])
        Dominance: 1 of 4 undominated: (1, 'a')
        """
        query = Query(
            true=true, pred=pred, sample_weight=sample_weight, classes=classes,
            dropna=dropna, ignore=ignore,
        )  # fmt: skip
        curves = accuracy_curves(sample(self._table, query))
        assert isinstance(curves, pd.DataFrame)
        return inference.dominance.dominance_of(curves)

    def roc_surface(
        self,
        true: Hashable,
        score: Hashable,
        *,
        thresholds: ThresholdsLike | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
    ) -> pd.DataFrame:
        """Compute points of the ROC surface: the true positive rate of each class by thresholds.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        score : label
            The column that holds the scores, higher for higher classes.
        thresholds : array_like, shape (K - 1,) or (m, K - 1), optional
            The thresholds, lowest first. Default, for two or three classes only: all thresholds
            that make a difference.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. A column of
            booleans selects rows.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the true labels declare.
        dropna : bool, default False
            Drop rows with a missing label or score. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them as true class are dropped.

        Returns
        -------
        DataFrame
            A row per group and vector of thresholds, with these as its index, and a column per
            class. Without `thresholds`, each group has those of its own scores.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({
        ...     "model": ["a"] * 6, "y": [0, 0, 1, 1, 2, 2], "score": [1, 2, 2, 3, 3, 4]
        ... })
        >>> df.groupby("model").ordinal.roc_surface("y", "score").head(3)
        class              0    1    2
        model 0|1  1|2
        a     -inf -inf  0.0  0.0  1.0
                    1.0  0.0  0.0  1.0
                    2.0  0.0  0.5  1.0
        """
        query = Query(
            true=true, score=score, sample_weight=sample_weight, classes=classes,
            dropna=dropna, ignore=ignore,
        )  # fmt: skip
        surface = self._with_keys(roc_frame(ranked(self._table, query), thresholds))
        assert isinstance(surface, pd.DataFrame)
        return surface

    def plot_roc(
        self,
        true: Hashable,
        score: Hashable,
        *,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        ax: Axes | None = None,
    ) -> Any:
        """Draw the ROC surface of three classes, or the ROC curve of two, of each group.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        score : label
            The column that holds the scores, higher for higher classes.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. A column of
            booleans selects rows.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the true labels declare.
        dropna : bool, default False
            Drop rows with a missing label or score. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them as true class are dropped.
        ax : matplotlib Axes, optional
            Where to draw, for three classes in three dimensions. Default: a new figure.

        Returns
        -------
        matplotlib Axes, or array of Axes
            The picture. Groups of two classes share the axes, and groups of three have a panel
            each. A surface is drawn at no more than 60 scores.

        Raises
        ------
        ValueError
            If there are more than three classes, or a class without rows.
        ImportError
            If matplotlib is missing.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({
        ...     "model": ["a"] * 6, "y": [0, 0, 1, 1, 2, 2], "score": [1, 2, 2, 3, 3, 4]
        ... })
        >>> axes = df.groupby("model").ordinal.plot_roc("y", "score")
        >>> axes[0].get_title()
        'model = a'
        """
        query = Query(
            true=true, score=score, sample_weight=sample_weight, classes=classes,
            dropna=dropna, ignore=ignore,
        )  # fmt: skip
        return plot.models.draw_roc(*roc_grids(ranked(self._table, query)), ax)

    def best_thresholds(
        self,
        true: Hashable | None = None,
        score: Hashable | None = None,
        *,
        proba: ProbaLike | None = None,
        costs: Any = None,
        metric: MetricLike | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        atol: float | None = None,
    ) -> pd.Series[float]:
        """Find the thresholds of a score that cost least, or that are best by a metric.

        Give either `costs` or `metric`. Without `true`, probabilities take the place of labels.

        Parameters
        ----------
        true : label, optional
            The column that holds the true classes. Default: each row counts as one row of every
            class, which is weighted by the probability of that class.
        score : label, optional
            The column that holds the scores, higher for higher classes. Default: the expected
            class, as `expected_class` gives it.
        proba : list of labels, dict or label, optional
            The columns that hold the probabilities of the classes, if `true` or `score` is not
            given: named as the classes, in any order, or a dict {class: column}.
        costs : array_like or DataFrame, shape (K, K), optional
            The cost of each predicted class (columns) for each true class (rows).
        metric : str or callable, optional
            A metric of counts: its name, its kernel, or a `functools.partial` of the kernel.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. A column of
            booleans selects rows.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the true labels declare, or
            else the names of the columns of probabilities, as integers do.
        dropna : bool, default False
            Drop rows with a missing label, score or probability. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them as true class are dropped.
        atol : float, optional
            By how much the probabilities of a row may differ from a sum of 1, such as 0.002 for
            three decimals. They are not rescaled. Default: 1e-6.

        Returns
        -------
        Series, or DataFrame with the keys as columns
            Where each class but the last ends, after the keys of the group:
            ``thresholds.loc[key]`` is ready for `series.ordinal.classify`. NaN for a group without
            rows that count, or in which the metric is undefined whatever the thresholds.

        Raises
        ------
        ValueError
            If not exactly one of `costs` and `metric` is given, or if `proba` is given beside both
            `true` and `score`, or not given while one of them is missing.

        See Also
        --------
        pandas_ordinal.metrics.best_thresholds : how thresholds are found, and when they are exact.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({
        ...     "model": ["a"] * 6, "y": [0, 0, 1, 1, 2, 2], "score": [1, 2, 2, 3, 3, 4]
        ... })
        >>> df.groupby("model").ordinal.best_thresholds("y", "score", metric="mae")
        model  class
        a      0        1.5
               1        2.5
        Name: threshold, dtype: float64
        """
        query = Query(
            true=if_given(true), score=if_given(score), proba=if_given(proba),
            sample_weight=sample_weight, classes=classes, dropna=dropna, ignore=ignore,
            atol=atol,
        )  # fmt: skip
        best: pd.Series[float] = self._with_keys(best_series(self._table, query, costs, metric))
        return best
