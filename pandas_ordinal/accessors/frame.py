"""`.ordinal` on a DataFrame: a column of true classes and one or more of predictions."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, ClassVar, Unpack, overload

import pandas as pd
import xarray as xr

from pandas_ordinal import files, inference, plot
from pandas_ordinal import ratings as of_raters
from pandas_ordinal.accessors.base import COLUMN_PARAMETERS, orders, rows
from pandas_ordinal.accessors.decisions import FrameDecisions
from pandas_ordinal.accessors.sets import FrameSets
from pandas_ordinal.accessors.typing import ColumnsLike, OfFrame
from pandas_ordinal.classes.bins import BinsLike
from pandas_ordinal.classes.columns import ProbaLike
from pandas_ordinal.classes.gate import ClassesLike
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
from pandas_ordinal.reports.metrics import MetricsLike
from pandas_ordinal.rows.compare import compare_table
from pandas_ordinal.rows.gather import sample, sample_of_report
from pandas_ordinal.rows.scored import report_sample
from pandas_ordinal.rows.summaries import (
    ThresholdsLike,
    accuracy_curves,
    ranked,
    roc_frame,
    roc_grids,
    summary_over_folds,
)
from pandas_ordinal.rows.table import FrameTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pandas_ordinal.files.reading import FilePath
    from pandas_ordinal.inference.dominance import Dominance


class FrameOrdinal(FrameSets, FrameDecisions, OfFrame):
    """Ordinal evaluation of the predictions in a DataFrame.

    Parameters
    ----------
    frame : DataFrame
        The predictions, one row per case.

    Examples
    --------
    >>> import pandas as pd
    >>> import pandas_ordinal as po
    >>> pd.DataFrame({"y": ["low", "high"], "yhat": ["mid", "high"]}).astype(
    ...     pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    ... ).ordinal
    .ordinal of a DataFrame with 2 rows
    classes of 'y', 'yhat': low < mid < high
    call report, compare, summary, confusion, plot_roc, or one of ... metrics, such as oci or mae
    """

    _returns = (
        "float, or Series over the groups and the models",
        "Series over the groups, the models and `class`",
        "DataArray over the groups, the models, `true` and `pred`",
    )
    _tables = "DataFrame over the groups, the models and `class`"
    _extra = COLUMN_PARAMETERS
    _examples: ClassVar = {
        "pred": """>>> import pandas as pd
>>> import pandas_ordinal as po
>>> df = pd.DataFrame({{"y": [0, 0, 1, 1, 2, 2], "yhat": [0, 1, 1, 2, 2, 2]}})
>>> df.ordinal.{metric}("y", "yhat", {options})""",
        "score": """>>> import pandas as pd
>>> import pandas_ordinal as po
>>> df = pd.DataFrame({{"y": [0, 0, 1, 1, 2, 2], "score": [1, 2, 2, 3, 3, 4]}})
>>> df.ordinal.{metric}("y", "score", {options})""",
        "proba": """>>> import pandas as pd
>>> import pandas_ordinal as po
>>> df = pd.DataFrame({{"y": ["low", "high"], "low": [0.8, 0.5], "high": [0.2, 0.5]}})
>>> df.ordinal.{metric}("y", ["low", "high"], classes=["low", "high"], {options})""",
    }

    _verbs = ("report", "compare", "summary", "confusion", "plot_roc")

    def __init__(self, frame: pd.DataFrame) -> None:
        self._table = FrameTable(frame)

    def _repr_lines(self) -> list[str]:
        frame = self._table.frame
        return [rows("DataFrame", len(frame)), *orders(frame.dtypes.items())]

    def confusion(
        self,
        true: Hashable,
        pred: Hashable | ColumnsLike,
        *,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
    ) -> xr.DataArray:
        """Count rows by group, true and predicted class: the cube that every metric reads.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        pred : label, list of labels or dict
            The column that holds the predicted classes; a list, or a dict {name: column}, has one
            column per model.
        by : label or list of labels, optional
            Columns or index levels to group by; each group is scored separately.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. A column of
            booleans selects rows.
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

        Returns
        -------
        DataArray
            Dimensions ``(*by, model, true, pred)``; int64, or float64 where rows are weighted.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({"y": [0, 1, 2, 2], "yhat": [0, 2, 2, 1]})
        >>> po.ordinal(df).confusion("y", "yhat").values.tolist()
        [[1, 0, 0], [0, 0, 1], [0, 1, 1]]
        """
        query = Query(
            true=true, pred=pred, by=by, sample_weight=sample_weight, classes=classes,
            bins=bins, dropna=dropna, ignore=ignore,
        )  # fmt: skip
        return sample(self._table, query).cube()

    @overload
    def report(
        self,
        true: Hashable,
        pred: ColumnsLike,
        *,
        metrics: MetricsLike | None = None,
        score: Hashable | ColumnsLike | None = None,
        proba: ProbaLike | None = None,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        atol: float | None = None,
        **uncertainty: Unpack[UncertaintyOptions],
    ) -> pd.DataFrame: ...
    @overload
    def report(
        self,
        true: Hashable,
        pred: None = None,
        *,
        metrics: MetricsLike | None = None,
        score: ColumnsLike,
        proba: ProbaLike | None = None,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        atol: float | None = None,
        **uncertainty: Unpack[UncertaintyOptions],
    ) -> pd.DataFrame: ...
    @overload
    def report(
        self,
        true: Hashable,
        pred: Hashable | None = None,
        *,
        metrics: MetricsLike | None = None,
        score: Hashable | None = None,
        proba: ProbaLike | None = None,
        by: None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        atol: float | None = None,
        **uncertainty: Unpack[UncertaintyOptions],
    ) -> pd.Series[float]: ...
    @overload
    def report(
        self,
        true: Hashable,
        pred: Hashable | None = None,
        *,
        metrics: MetricsLike | None = None,
        score: Hashable | ColumnsLike | None = None,
        proba: ProbaLike | None = None,
        by: str | int | tuple[Any, ...] | list[Any],
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        atol: float | None = None,
        **uncertainty: Unpack[UncertaintyOptions],
    ) -> pd.DataFrame: ...
    def report(
        self,
        true: Hashable,
        pred: Hashable | ColumnsLike | None = None,
        *,
        metrics: MetricsLike | None = None,
        score: Hashable | ColumnsLike | None = None,
        proba: ProbaLike | None = None,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        atol: float | None = None,
        **uncertainty: Unpack[UncertaintyOptions],
    ) -> pd.Series[float] | pd.DataFrame:
        """Compute several metrics: n, the number of rows, then one column per metric.

        An undefined metric is NaN, without a warning; its docstring says when.

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
        by : label or list of labels, optional
            Columns or index levels to group by; each group is scored separately.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. `n` still counts
            rows. A column of booleans selects rows; `n` counts only these.
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
        **uncertainty : UncertaintyOptions
            Uncertainty of each metric, as extra columns after it.

        Returns
        -------
        Series or DataFrame
            A row per group and model, or a Series if there are neither.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame(
        ...     {"model": ["a", "a", "b", "b"], "y": [0, 2, 0, 2], "yhat": [0, 1, 2, 2]}
        ... )
        >>> po.ordinal(df).report("y", "yhat", metrics=["accuracy", "mae"], by="model")
               n  accuracy  mae
        model
        a      2       0.5  0.5
        b      2       0.5  1.0
        """
        requested = Uncertainty(**uncertainty)
        query = Query(
            true=true, pred=self._table.optional(pred), score=if_given(score),
            proba=if_given(proba), by=by, sample_weight=sample_weight, classes=classes, bins=bins,
            dropna=dropna, ignore=ignore, atol=atol,
        )  # fmt: skip
        rows = sample_of_report(self._table, query, requested.cluster)
        return report_sample(rows, metrics, requested)

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
        by: Hashable | list[Any] | None = None,
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
        by : label or list of labels, optional
            Columns or index levels to group by; each group is scored separately.
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
        ...     "y": [0, 1, 2] * 10, "a": [0, 1, 2] * 9 + [0, 0, 0], "b": [0, 2, 1] * 10
        ... })
        >>> comparison = po.ordinal(df).compare("y", ["a", "b"], metrics=["mae"])
        >>> comparison[["value_a", "value_b", "difference", "better"]].round(3)
                    value_a  value_b  difference better
        metric a b
        mae    a b      0.1    0.667      -0.567      a
        """
        query = Query(
            true=true, pred=self._table.optional(pred), score=if_given(score),
            proba=if_given(proba), by=by, sample_weight=sample_weight, count=count,
            classes=classes, bins=bins, dropna=dropna, ignore=ignore, atol=atol,
        )  # fmt: skip
        return compare_table(self._table, query, metrics, Comparison(**comparison), model, id)

    def summary(
        self,
        true: Hashable,
        pred: Hashable | ColumnsLike | None = None,
        *,
        over: Hashable | list[Any],
        metrics: MetricsLike | None = None,
        score: Hashable | ColumnsLike | None = None,
        proba: ProbaLike | None = None,
        by: Hashable | list[Any] | None = None,
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
            Columns or index levels of the folds, or of repeats and folds.
        metrics : list, dict, or "all", optional
            As in `report`.
        score : label, list of labels or dict, optional
            The column that holds the scores, for the ranking metrics; a list or dict if `pred` is
            one.
        proba : list of labels or dict, optional
            The columns that hold the probabilities of the classes, as in `report`.
        by : label or list of labels, optional
            Columns or index levels to group by, such as that of the models; each group is
            summarized alone.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative.
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
        ...     "fold": [1, 1, 1, 1, 2], "y": [0, 1, 0, 1, 0], "yhat": [0, 1, 0, 1, 1]
        ... })
        >>> po.ordinal(df).summary("y", "yhat", over="fold", metrics=["mae", "kappa"]).round(3)
                mean    std  n_folds  pooled
        metric
        mae      0.5  0.707        2   0.200
        kappa    0.5  0.707        2   0.615
        """
        query = Query(
            true=true, pred=self._table.optional(pred), score=if_given(score),
            proba=if_given(proba), by=by, sample_weight=sample_weight, classes=classes, bins=bins,
            dropna=dropna, ignore=ignore, atol=atol,
        )  # fmt: skip
        return summary_over_folds(self._table, query, over, metrics)

    def agreement(
        self,
        ratings: Hashable | ColumnsLike,
        *,
        item: Hashable | list[Any] | None = None,
        rater: Hashable | list[Any] | None = None,
        by: Hashable | list[Any] | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        ignore: Hashable | list[Any] | None = None,
        **agreement: Unpack[AgreementOptions],
    ) -> pd.Series[float] | pd.DataFrame:
        """Compute the agreement of two or more raters, whose ratings may have gaps.

        Parameters
        ----------
        ratings : list of labels, dict or label
            The columns of the raters, with a row for each item; or the one column of all ratings,
            with a row for each rating.
        item, rater : label or list of labels, optional
            With one column of ratings, the columns or index levels that identify the item and the
            rater of each row.
        by : label or list of labels, optional
            Columns or index levels to group by; the items of each group are scored separately.
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
        Series or DataFrame
            ``n_items``, the number of items with a rating; with clusters ``n_clusters``;
            ``n_paired``, the items with two ratings or more; ``n_raters``, the raters with a
            rating; ``n_ratings``; then the coefficients. A row
            per group, or a Series without `by`.

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
        ...     "r1": [0, 1, 2, 2, 1], "r2": [0, 1, 1, 2, 0], "r3": [1, None, 2, 2, 1]
        ... })
        >>> agreement = po.ordinal(df).agreement(["r1", "r2", "r3"], metrics=["fleiss_kappa"])
        >>> agreement.round(3)
        n_items          5.000
        n_paired         5.000
        n_raters         3.000
        n_ratings       14.000
        fleiss_kappa     0.612
        dtype: float64
        """
        query = Query(pred=ratings, by=by, classes=classes, bins=bins, ignore=ignore)
        asked = Agreement(**agreement)
        return of_raters.frames.agreement_of_frame(self._table, query, item, rater, asked)

    def accuracy_curve(
        self,
        true: Hashable,
        pred: Hashable | ColumnsLike,
        *,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
    ) -> pd.Series[float] | pd.DataFrame:
        """Compute the accuracy within k classes for every k: the whole curve of `accuracy_within`.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        pred : label, list of labels or dict
            The column that holds the predicted classes; a list, or a dict {name: column}, has one
            column per model.
        by : label or list of labels, optional
            Columns or index levels to group by; each group is scored separately.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        dropna : bool, default False
            Drop rows with a missing value or key. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them as true or predicted class
            are dropped.

        Returns
        -------
        Series or DataFrame
            The share of rows that are at most k = 0 ... K - 1 classes off: a row per group and
            model, or a Series if there are neither.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({"y": [0, 1, 2, 2], "yhat": [0, 1, 1, 0]})
        >>> po.ordinal(df).accuracy_curve("y", "yhat").tolist()
        [0.5, 0.75, 1.0]
        """
        query = Query(
            true=true, pred=pred, by=by, sample_weight=sample_weight, classes=classes,
            dropna=dropna, ignore=ignore,
        )  # fmt: skip
        return accuracy_curves(sample(self._table, query))

    def dominance(
        self,
        true: Hashable,
        pred: Hashable | ColumnsLike,
        *,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
    ) -> Dominance:
        """Find models that are indisputably better, by `accuracy_within` for every distance.

        A model is indisputably better than another if its accuracy within k classes is higher for
        at least one k, and lower for none.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        pred : label, list of labels or dict
            The column that holds the predicted classes; a list, or a dict {name: column}, has one
            column per model.
        by : label or list of labels, optional
            Columns or index levels to group by; each group is scored separately.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        dropna : bool, default False
            Drop rows with a missing value or key. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them as true or predicted class
            are dropped.

        Returns
        -------
        Dominance
            ``better``, a table of whether the model, or group, of the row is better than that of
            the column; and ``undominated``, those that no other is better than.

        Raises
        ------
        ValueError
            If there is only one model.

        References
        ----------
        L. Gaudette and N. Japkowicz, Evaluation methods for ordinal classification, Canadian AI
        2009, doi:10.1007/978-3-642-01818-3_25.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({
        ...     "y": [0, 1, 2, 2], "a": [0, 1, 2, 1], "b": [0, 1, 1, 1], "c": [0, 1, 2, 0]
        ... })
        >>> dominance = po.ordinal(df).dominance("y", ["a", "b", "c"])
        >>> dominance.better
        model      a      b      c
        model
        a      False   True   True
        b      False  False  False
        c      False  False  False
        >>> dominance.undominated
        ['a']
        """
        query = Query(
            true=true, pred=pred, by=by, sample_weight=sample_weight, classes=classes,
            dropna=dropna, ignore=ignore,
        )  # fmt: skip
        curves = accuracy_curves(sample(self._table, query))
        if isinstance(curves, pd.Series):
            raise ValueError("dominance needs two models or more: give a list of columns, or by=")
        return inference.dominance.dominance_of(curves)

    def roc_surface(
        self,
        true: Hashable,
        score: Hashable,
        *,
        thresholds: ThresholdsLike | None = None,
        by: Hashable | list[Any] | None = None,
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
        by : label or list of labels, optional
            Columns or index levels to group by; each group is scored separately.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. A column of
            booleans selects rows.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the true labels declare.
        dropna : bool, default False
            Drop rows with a missing label, score or key. By default, they raise an error.
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
        >>> df = pd.DataFrame({"y": [0, 0, 1, 2], "score": [1.0, 2.0, 3.0, 4.0]})
        >>> po.ordinal(df).roc_surface("y", "score", thresholds=[[1, 3], [2, 3]])
        class      0    1    2
        0|1 1|2
        1.0 3.0  0.5  1.0  1.0
        2.0 3.0  1.0  1.0  1.0
        """
        query = Query(
            true=true, score=score, by=by, sample_weight=sample_weight, classes=classes,
            dropna=dropna, ignore=ignore,
        )  # fmt: skip
        return roc_frame(ranked(self._table, query), thresholds)

    @overload
    def plot_roc(
        self,
        true: Hashable,
        score: Hashable,
        *,
        by: None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        ax: Axes | None = None,
    ) -> Axes: ...
    @overload
    def plot_roc(
        self,
        true: Hashable,
        score: Hashable,
        *,
        by: Hashable | list[Any],
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        ax: Axes | None = None,
    ) -> Any: ...
    def plot_roc(
        self,
        true: Hashable,
        score: Hashable,
        *,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        ax: Axes | None = None,
    ) -> Any:
        """Draw the ROC surface of three classes, or the ROC curve of two.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        score : label
            The column that holds the scores, higher for higher classes.
        by : label or list of labels, optional
            Columns or index levels to group by; each group is scored separately.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. A column of
            booleans selects rows.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the true labels declare.
        dropna : bool, default False
            Drop rows with a missing label, score or key. By default, they raise an error.
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
        >>> df = pd.DataFrame({"y": [0, 0, 1, 1], "score": [0.1, 0.4, 0.3, 0.9]})
        >>> axes = df.ordinal.plot_roc("y", "score")
        >>> axes.get_xlabel().splitlines()[0]
        'false positive rate'
        """
        query = Query(
            true=true, score=score, by=by, sample_weight=sample_weight, classes=classes,
            dropna=dropna, ignore=ignore,
        )  # fmt: skip
        return plot.models.draw_roc(*roc_grids(ranked(self._table, query)), ax)

    def to_parquet(self, path: FilePath) -> None:
        """Save the frame as a Parquet file that keeps its classes; `po.read_parquet` reads it.

        The metadata of the file holds the order of Categoricals, their unused and integer
        categories, and the edges of bins. Other readers see the labels as text.

        Parameters
        ----------
        path : str or path
            The file.

        Raises
        ------
        TypeError
            If the index is Categorical, or labels or values would come back as others.
        ValueError
            If the file would lose the rows of a frame without columns.

        Examples
        --------
        >>> import pandas as pd
        >>> from tempfile import TemporaryDirectory
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({"y": pd.cut([1, 15], [0, 10, 20])})
        >>> with TemporaryDirectory() as folder:
        ...     df.ordinal.to_parquet(f"{folder}/labels.parquet")
        ...     po.read_parquet(f"{folder}/labels.parquet").equals(df)
        True
        """
        files.parquet.to_parquet(self._table.frame, path)
