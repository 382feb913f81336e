"""`.ordinal` on a DataFrame: a column of true classes and one or more of predictions."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, ClassVar, Unpack, overload

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal import metrics
from pandas_ordinal.accessors.base import orders, rows
from pandas_ordinal.accessors.typing import OfFrame
from pandas_ordinal.classes.bins import BinsLike
from pandas_ordinal.classes.columns import ProbaLike, refuse_no_label
from pandas_ordinal.classes.gate import ClassesLike
from pandas_ordinal.files import FilePath, to_parquet
from pandas_ordinal.inference.dominance import Dominance, dominance_of
from pandas_ordinal.plot.models import draw_roc
from pandas_ordinal.query import CompareOptions, Comparing, Query, Sureness, SureOptions, if_given
from pandas_ordinal.reports.metrics import MetricLike, MetricsLike
from pandas_ordinal.rows.compare import compared_rows
from pandas_ordinal.rows.sample import Sample
from pandas_ordinal.rows.summaries import (
    ThresholdsLike,
    accuracy_curves,
    best_series,
    roc_frame,
    roc_grid,
    summed_up,
)
from pandas_ordinal.rows.table import OF_COLUMNS, FrameTable, RowsOrdinal, forecasts, sample

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class FrameOrdinal(RowsOrdinal[FrameTable], OfFrame):
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
    call report, compare, summary, confusion, plot_roc, or one of ... metrics, as oci or mae
    """

    _returns = (
        "float, or Series over the groups and the models",
        "Series over the groups, the models and the classes",
        "DataArray over the groups, the models and the classes",
    )
    _beside = OF_COLUMNS
    _examples: ClassVar = {
        "pred": """>>> import pandas as pd
>>> import pandas_ordinal as po
>>> df = pd.DataFrame({{"y": [0, 0, 1, 1, 2, 2], "yhat": [0, 1, 1, 2, 2, 2]}})
>>> {metric} = df.ordinal.{metric}("y", "yhat", {options})""",
        "score": """>>> import pandas as pd
>>> import pandas_ordinal as po
>>> df = pd.DataFrame({{"y": [0, 0, 1, 1, 2, 2], "score": [1, 2, 2, 3, 3, 4]}})
>>> {metric} = df.ordinal.{metric}("y", "score", {options})""",
        "proba": """>>> import pandas as pd
>>> import pandas_ordinal as po
>>> df = pd.DataFrame({{"y": ["low", "high"], "low": [0.8, 0.5], "high": [0.2, 0.5]}})
>>> {metric} = df.ordinal.{metric}("y", ["low", "high"], classes=["low", "high"], {options})""",
    }

    _verbs = ("report", "compare", "summary", "confusion", "plot_roc")

    def __init__(self, frame: pd.DataFrame) -> None:
        self._table = FrameTable(frame)

    def _told(self) -> list[str]:
        frame = self._table.frame
        return [rows("DataFrame", len(frame)), *orders(frame.dtypes.items())]

    def confusion(
        self,
        true: Hashable,
        pred: Hashable | list[Any],
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
        pred : label or list of labels
            The column that holds the predicted classes; a list has one column per model.
        by : label or list of labels, optional
            Columns or index levels that say which rows belong together.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. A column of
            booleans selects rows.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its place. Not needed where the classes are bins.
        dropna : bool, default False
            Leave out rows in which something asked for, or a key, is missing; they are an error
            otherwise.
        ignore : label or list of labels, optional
            Labels that mean nothing here, such as 255 or -1: rows whose true or predicted class is
            one of them are left out.

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
        pred: list[Any] | pd.Index[Any],
        *,
        metrics: MetricsLike | None = None,
        score: Hashable | list[Any] | None = None,
        proba: ProbaLike | None = None,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        **sure: Unpack[SureOptions],
    ) -> pd.DataFrame: ...
    @overload
    def report(
        self,
        true: Hashable,
        pred: None = None,
        *,
        metrics: MetricsLike | None = None,
        score: list[Any] | pd.Index[Any],
        proba: ProbaLike | None = None,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        **sure: Unpack[SureOptions],
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
        **sure: Unpack[SureOptions],
    ) -> pd.Series[float]: ...
    @overload
    def report(
        self,
        true: Hashable,
        pred: Hashable | None = None,
        *,
        metrics: MetricsLike | None = None,
        score: Hashable | list[Any] | None = None,
        proba: ProbaLike | None = None,
        by: str | int | tuple[Any, ...] | list[Any],
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        **sure: Unpack[SureOptions],
    ) -> pd.DataFrame: ...
    def report(
        self,
        true: Hashable,
        pred: Hashable | list[Any] | pd.Index[Any] | None = None,
        *,
        metrics: MetricsLike | None = None,
        score: Hashable | list[Any] | pd.Index[Any] | None = None,
        proba: ProbaLike | None = None,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        **sure: Unpack[SureOptions],
    ) -> pd.Series[float] | pd.DataFrame:
        """Score by several metrics: n, the number of rows, then one column per metric.

        An undefined metric is NaN, without a warning: the n beside it says why.

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
        by : label or list of labels, optional
            Columns or index levels that say which rows belong together.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. `n` counts rows.
            A column of booleans selects rows: the others are left out of `n`, too.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its place. Not needed where the classes are bins.
        dropna : bool, default False
            Leave out rows in which something asked for, or a key, is missing; they are an error
            otherwise.
        ignore : label or list of labels, optional
            Labels that mean nothing here, such as 255 or -1: rows whose true or predicted class is
            one of them are left out.
        **sure : SureOptions
            How sure the numbers are, as columns after each metric. ``ci=0.95``: an interval,
            ``<metric>_low`` and ``<metric>_high``. ``se=True``: the standard error,
            ``<metric>_se``. ``ranges={"name": (low, high)}``: the range of your own functions.
            ``cluster=``: a column that says which rows belong together, as those of a patient.
            ``stratify="true"``: rows were drawn by true class. ``method="bootstrap"``, with
            ``n_boot=2000``, ``seed=0`` and ``progress=False``: percentiles of tables drawn at
            random, and ``<metric>_n_valid``, the number of those with a value.

        Returns
        -------
        Series or DataFrame
            A row for each group and model; a Series if there are neither.

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
        asked = Sureness(**sure)
        query = Query(
            true=true, pred=self._table.optional(pred), score=if_given(score),
            proba=if_given(proba), by=by, sample_weight=sample_weight, classes=classes, bins=bins,
            dropna=dropna, ignore=ignore,
        )  # fmt: skip
        return sample(self._table, query, asked.cluster).report(metrics, asked)

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
        by: Hashable | list[Any] | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        **asked: Unpack[CompareOptions],
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
        by : label or list of labels, optional
            Columns or index levels that say which rows belong together.
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
        **asked : CompareOptions
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
            all pairs of the metric by the method of Holm; ``better``, the better model where
            ``p_adjusted`` is at most ``1 - ci``; ``n``, the number of rows that all models
            predict; ``coverage_a`` and ``coverage_b``, the share of a model in the rows that any
            model predicts.

        Raises
        ------
        ValueError
            If there are fewer than two models, or no row that all predict; if a model predicts a
            case twice; or if there is no rule for a metric of scores or probabilities.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({
        ...     "y": [0, 1, 2] * 10, "a": [0, 1, 2] * 9 + [0, 0, 0], "b": [0, 2, 1] * 10
        ... })
        >>> found = po.ordinal(df).compare("y", ["a", "b"], metrics=["mae"])
        >>> found[["value_a", "value_b", "difference", "better"]].round(3)
                    value_a  value_b  difference better
        metric a b
        mae    a b      0.1    0.667      -0.567      a
        """
        query = Query(
            true=true, pred=self._table.optional(pred), score=if_given(score),
            proba=if_given(proba), by=by, classes=classes, bins=bins, dropna=dropna,
            ignore=ignore,
        )  # fmt: skip
        return compared_rows(self._table, query, metrics, Comparing(**asked), model, id)

    def summary(
        self,
        true: Hashable,
        pred: Hashable | list[Any] | pd.Index[Any] | None = None,
        *,
        over: Hashable | list[Any],
        metrics: MetricsLike | None = None,
        score: Hashable | list[Any] | pd.Index[Any] | None = None,
        proba: ProbaLike | None = None,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
    ) -> pd.DataFrame:
        """Score each fold by several metrics, and all folds pooled.

        The mean of the folds and the pooled value are two things: counts add up, scores do not.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        pred : label or list of labels, optional
            The column that holds the predicted classes; a list has one column per model. Not
            needed where only scores or probabilities are asked for.
        over : label or list of labels
            Columns or index levels that say which fold, or which repeat and fold, a row is in.
        metrics : list, dict, or "all", optional
            As in `report`.
        score : label or list of labels, optional
            The column that holds the scores, for the metrics of ranking; a list where `pred` is
            one.
        proba : list of labels or dict, optional
            The columns that hold the probabilities of the classes, as in `report`.
        by : label or list of labels, optional
            Columns or index levels that say which folds belong together, as those of a model.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its place. Not needed where the classes are bins.
        dropna : bool, default False
            Leave out rows in which something asked for, or a key, is missing; they are an error
            otherwise.
        ignore : label or list of labels, optional
            Labels that mean nothing here, such as 255 or -1: rows whose true or predicted class is
            one of them are left out.

        Returns
        -------
        DataFrame
            A row for each group, model and metric: ``mean`` and ``std``, with n - 1 in its
            denominator, of the ``n_folds`` in which the metric is defined, and ``pooled``, its
            value for the rows of all folds.

        See Also
        --------
        pandas_ordinal.corrected_t_test : whether differences over folds are real.

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
            dropna=dropna, ignore=ignore,
        )  # fmt: skip
        return summed_up(self._table, query, over, metrics)

    def accuracy_curve(
        self,
        true: Hashable,
        pred: Hashable | list[Any] | pd.Index[Any],
        *,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
    ) -> pd.Series[float] | pd.DataFrame:
        """Return the accuracy within k classes for each k: the whole curve of `accuracy_within`.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        pred : label or list of labels
            The column that holds the predicted classes; a list has one column per model.
        by : label or list of labels, optional
            Columns or index levels that say which rows belong together.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        dropna : bool, default False
            Leave out rows in which something asked for, or a key, is missing; they are an error
            otherwise.
        ignore : label or list of labels, optional
            Labels that mean nothing here, such as 255 or -1: rows whose true or predicted class is
            one of them are left out.

        Returns
        -------
        Series or DataFrame
            The share of rows that are at most k = 0 ... K - 1 classes off; a row for each group
            and model, a Series if there are neither.

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
        pred: Hashable | list[Any] | pd.Index[Any],
        *,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
    ) -> Dominance:
        """Tell which models are indisputably better: by `accuracy_within` for whatever distance.

        A model is indisputably better than another one if its accuracy within k classes is higher
        for one k at least, and lower for none.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        pred : label or list of labels
            The column that holds the predicted classes; a list has one column per model.
        by : label or list of labels, optional
            Columns or index levels that say which rows belong together.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        dropna : bool, default False
            Leave out rows in which something asked for, or a key, is missing; they are an error
            otherwise.
        ignore : label or list of labels, optional
            Labels that mean nothing here, such as 255 or -1: rows whose true or predicted class is
            one of them are left out.

        Returns
        -------
        Dominance
            ``better``, a table that tells whether the model, or group, of the row is better than
            that of the column, and ``undominated``, those that none is better than.

        Raises
        ------
        ValueError
            If there is one model only.

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
        >>> found = po.ordinal(df).dominance("y", ["a", "b", "c"])
        >>> found.better
        model      a      b      c
        model
        a      False   True   True
        b      False  False  False
        c      False  False  False
        >>> found.undominated
        ['a']
        """
        query = Query(
            true=true, pred=pred, by=by, sample_weight=sample_weight, classes=classes,
            dropna=dropna, ignore=ignore,
        )  # fmt: skip
        curves = accuracy_curves(sample(self._table, query))
        if isinstance(curves, pd.Series):
            raise ValueError("dominance needs two models or more: give a list of columns, or by=")
        return dominance_of(curves)

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
        """Return points of the ROC surface: the true positive rate of each class by thresholds.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        score : label
            The column that holds the scores, higher for higher classes.
        thresholds : array_like, shape (K - 1,) or (m, K - 1), optional
            The thresholds, lowest first. Default, for two or three classes only: all that make a
            difference.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. A column of
            booleans selects rows.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the true labels declare.
        dropna : bool, default False
            Leave out rows with a missing label or score; they are an error otherwise.
        ignore : label or list of labels, optional
            Labels that mean nothing here, such as 255 or -1: rows whose true class is one of them
            are left out.

        Returns
        -------
        DataFrame
            A row for each vector of thresholds, which its index holds, and a column a class.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({"y": [0, 0, 1, 2], "score": [1.0, 2.0, 3.0, 4.0]})
        >>> po.ordinal(df).roc_surface("y", "score", thresholds=[[1, 3], [2, 3]])
        true       0    1    2
        0|1 1|2
        1.0 3.0  0.5  1.0  1.0
        2.0 3.0  1.0  1.0  1.0
        """
        query = Query(
            true=true, score=score, sample_weight=sample_weight, classes=classes, dropna=dropna,
            ignore=ignore,
        )  # fmt: skip
        return roc_frame(self._ranked(query), thresholds)

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
    ) -> Axes:
        """Draw the ROC surface of three classes, or the ROC curve of two.

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
            Leave out rows with a missing label or score; they are an error otherwise.
        ignore : label or list of labels, optional
            Labels that mean nothing here, such as 255 or -1: rows whose true class is one of them
            are left out.
        ax : matplotlib Axes, optional
            Where to draw, for three classes in three dimensions. Default: a new figure.

        Returns
        -------
        matplotlib Axes
            The picture: of a surface at 60 of the scores at most.

        Raises
        ------
        ValueError
            If there are more classes than three.
        ImportError
            If matplotlib is missing.
        """
        query = Query(
            true=true, score=score, sample_weight=sample_weight, classes=classes, dropna=dropna,
            ignore=ignore,
        )  # fmt: skip
        return draw_roc(roc_grid(self._ranked(query)), ax)

    def best_thresholds(
        self,
        true: Hashable,
        score: Hashable,
        *,
        costs: Any = None,
        metric: MetricLike | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
    ) -> pd.Series[float]:
        """Return the thresholds of a score that cost least, or that are best by a metric.

        Give either the costs or the metric.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        score : label
            The column that holds the scores, higher for higher classes.
        costs : array_like or DataFrame, shape (K, K), optional
            The cost of each predicted class for each true one, which is on the rows.
        metric : str or callable, optional
            A metric of counts: its name, its kernel, or a `functools.partial` of it.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. A column of
            booleans selects rows.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the true labels declare.
        dropna : bool, default False
            Leave out rows with a missing label or score; they are an error otherwise.
        ignore : label or list of labels, optional
            Labels that mean nothing here, such as 255 or -1: rows whose true class is one of them
            are left out.

        Returns
        -------
        Series
            Where each class but the last ends, as `series.ordinal.classify` takes it.

        See Also
        --------
        pandas_ordinal.metrics.best_thresholds : how they are found, and when they are exact.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({"y": [0, 0, 1, 1, 2], "score": [0.5, 2.0, 1.5, 3.0, 4.0]})
        >>> thresholds = po.ordinal(df).best_thresholds("y", "score", metric="mae")
        >>> thresholds.tolist()
        [1.0, 3.5]
        >>> po.ordinal(df["score"]).classify(thresholds).tolist()
        [0, 1, 1, 1, 2]
        """
        query = Query(
            true=true, score=score, sample_weight=sample_weight, classes=classes, dropna=dropna,
            ignore=ignore,
        )  # fmt: skip
        return best_series(self._ranked(query), costs, metric)

    def expected_class(
        self, proba: ProbaLike, *, classes: ClassesLike | None = None
    ) -> pd.Series[float]:
        """Return the mean class position by the class probabilities: a score that ranks rows.

        Parameters
        ----------
        proba : list of labels or dict
            The columns that hold the probabilities of the classes: named as the classes, in any
            order, or a dict {class: column}.
        classes : sequence, optional
            The classes from lowest to highest, as ``df["y"].dtype``. Default: those that the names
            declare, as integers do.

        Returns
        -------
        Series
            0 to K - 1, in 12 significant digits, so that rows of equal sums tie; missing where a
            probability is.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({"low": [0.5, 0.25], "high": [0.5, 0.75]})
        >>> po.ordinal(df).expected_class(["high", "low"], classes=["low", "high"]).tolist()
        [0.5, 0.75]
        """
        proba_of, _, known = forecasts(self._table, proba, classes)
        expected = np.full(len(known), np.nan)
        expected[known] = metrics.expected_class(proba_of[known])
        return pd.Series(expected, self._table.frame.index, name="expected_class")

    def most_likely(
        self, proba: ProbaLike, *, classes: ClassesLike | None = None
    ) -> pd.Series[Any]:
        """Return the class of the highest probability: the prediction of the best accuracy.

        Parameters
        ----------
        proba : list of labels or dict
            The columns that hold the probabilities of the classes: named as the classes, in any
            order, or a dict {class: column}.
        classes : sequence, optional
            The classes from lowest to highest, as ``df["y"].dtype``. Default: those that the names
            declare, as integers do.

        Returns
        -------
        Series
            An ordered Categorical: the lowest of equally likely classes; missing where a
            probability is.
        """
        return self._decided(metrics.most_likely, proba, classes)

    def median_class(
        self, proba: ProbaLike, *, classes: ClassesLike | None = None
    ) -> pd.Series[Any]:
        """Return the median class by the class probabilities: the prediction of the best MAE.

        Parameters
        ----------
        proba : list of labels or dict
            The columns that hold the probabilities of the classes: named as the classes, in any
            order, or a dict {class: column}.
        classes : sequence, optional
            The classes from lowest to highest, as ``df["y"].dtype``. Default: those that the names
            declare, as integers do.

        Returns
        -------
        Series
            An ordered Categorical: the lowest class up to which the probability is a half;
            missing where a probability is.
        """
        return self._decided(metrics.median_class, proba, classes)

    def _decided(
        self, rule: Callable[..., Any], proba: ProbaLike, classes: ClassesLike | None
    ) -> pd.Series[Any]:
        proba_of, dtype, known = forecasts(self._table, proba, classes)
        codes = np.full(len(known), -1)
        codes[known] = rule(proba_of[known])
        decided = pd.Categorical.from_codes(codes, dtype=dtype)
        return pd.Series(decided, self._table.frame.index, name=rule.__name__)

    def _ranked(self, query: Query) -> Sample:
        refuse_no_label("score", query.score, "thresholds are those of a single score")
        return sample(self._table, query)

    def to_parquet(self, path: FilePath) -> None:
        """Save the frame as a Parquet file that keeps its classes; `po.read_parquet` reads it.

        The order of ordered Categoricals, their unused and integer categories and the edges of
        bins are kept in the metadata of the file; other readers see the labels as text.

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
        to_parquet(self._table.frame, path)
