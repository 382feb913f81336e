"""`.ordinal` on a Series of true classes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, ClassVar, Literal, Unpack, overload

import pandas as pd
import xarray as xr

from pandas_ordinal.accessors.base import ExtraParameter, RowsOrdinal, orders, rows
from pandas_ordinal.accessors.typing import ForecastLike, OfSeries, ValuesLike
from pandas_ordinal.classes.bins import BinsLike, cut
from pandas_ordinal.classes.gate import ClassesLike, classes_of_columns, codes_of, readable
from pandas_ordinal.errors import an
from pandas_ordinal.query import (
    Comparison,
    ComparisonOptions,
    Query,
    Uncertainty,
    UncertaintyOptions,
    if_given,
)
from pandas_ordinal.reports.metrics import MetricsLike
from pandas_ordinal.rows.compare import compare_sample
from pandas_ordinal.rows.gather import sample, sample_of_report
from pandas_ordinal.rows.scored import report_sample
from pandas_ordinal.rows.summaries import ThresholdsLike, classified
from pandas_ordinal.rows.table import SeriesTable


class SeriesOrdinal(RowsOrdinal[SeriesTable], OfSeries):
    """Ordinal evaluation of predictions against a Series of true classes.

    Parameters
    ----------
    true : Series
        The true classes.
    """

    _returns = (
        "float, or Series over the models",
        "Series over the models and `class`",
        "DataArray over the models, `true` and `pred`",
    )
    _tables = "DataFrame over the models and `class`"
    _extra: ClassVar = {
        "score": ExtraParameter(
            "ValuesLike | dict[Any, ValuesLike]",
            """score : Series, array or dict
    The scores, higher for higher classes: a Series with the same index, an array with a value for
    each row, or a dict of these for several models.""",
        ),
        "proba": ExtraParameter(
            "ForecastLike | dict[Any, ForecastLike]",
            """proba : DataFrame, array or dict
    The probabilities of the classes: a DataFrame with the same index and a column named after each
    class, an array ``(n, K)``, or a dict of these for several models. For two classes, also a
    Series or array of the probability of the higher one.""",
        ),
        "cluster": ExtraParameter(
            "ValuesLike | None",
            """cluster : Series or array, optional
    The label of the cluster of each row, such as a patient, with the same index. Default: rows are
    independent.""",
        ),
    }
    _examples: ClassVar = {
        "pred": """>>> import pandas as pd
>>> import pandas_ordinal as po
>>> y, yhat = pd.Series([0, 0, 1, 1, 2, 2]), pd.Series([0, 1, 1, 2, 2, 2])
>>> y.ordinal.{metric}(yhat, {options})""",
        "score": """>>> import pandas as pd
>>> import pandas_ordinal as po
>>> y, score = pd.Series([0, 0, 1, 1, 2, 2]), pd.Series([1, 2, 2, 3, 3, 4])
>>> y.ordinal.{metric}(score, {options})""",
        "proba": """>>> import pandas as pd
>>> import pandas_ordinal as po
>>> y, proba = pd.Series([0, 1]), pd.DataFrame({{0: [0.8, 0.5], 1: [0.2, 0.5]}})
>>> y.ordinal.{metric}(proba, {options})""",
    }

    _verbs = ("report", "compare", "confusion", "as_ordered", "cut")

    def __init__(self, true: pd.Series[Any]) -> None:
        self._table = SeriesTable(true)

    def _repr_lines(self) -> list[str]:
        series = self._table.series
        return [rows("Series", len(series)), *orders([(series.name, series.dtype)])]

    def confusion(
        self,
        pred: ValuesLike | dict[Any, ValuesLike],
        *,
        sample_weight: ValuesLike | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
    ) -> xr.DataArray:
        """Count rows by true and predicted class.

        Parameters
        ----------
        pred : Series, array or dict
            The predicted classes: a Series with the same index, an array with a value for each
            row, or a dict of these for several models.
        sample_weight : Series or array, optional
            The weight of each row, with the same index: finite and not negative. Booleans select
            rows.
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
            Dimensions ``(model, true, pred)``; int64, or float64 where rows are weighted.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> y, yhat = pd.Series([0, 0, 1, 2]), pd.Series([0, 1, 1, 1])
        >>> y.ordinal.confusion(yhat).values
        array([[1, 1, 0],
               [0, 1, 0],
               [0, 1, 0]])
        """
        query = Query(
            pred=pred, sample_weight=sample_weight, classes=classes, bins=bins,
            dropna=dropna, ignore=ignore,
        )  # fmt: skip
        return sample(self._table, query).cube()

    @overload
    def report(
        self,
        pred: dict[Any, ValuesLike],
        *,
        metrics: MetricsLike | None = None,
        score: ValuesLike | dict[Any, ValuesLike] | None = None,
        proba: ForecastLike | dict[Any, ForecastLike] | None = None,
        sample_weight: ValuesLike | None = None,
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
        pred: None = None,
        *,
        metrics: MetricsLike | None = None,
        score: dict[Any, ValuesLike],
        proba: ForecastLike | dict[Any, ForecastLike] | None = None,
        sample_weight: ValuesLike | None = None,
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
        pred: None = None,
        *,
        metrics: MetricsLike | None = None,
        score: None = None,
        proba: dict[Any, ForecastLike],
        sample_weight: ValuesLike | None = None,
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
        pred: ValuesLike | None = None,
        *,
        metrics: MetricsLike | None = None,
        score: ValuesLike | None = None,
        proba: ForecastLike | None = None,
        sample_weight: ValuesLike | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        atol: float | None = None,
        **uncertainty: Unpack[UncertaintyOptions],
    ) -> pd.Series[float]: ...
    def report(
        self,
        pred: ValuesLike | dict[Any, ValuesLike] | None = None,
        *,
        metrics: MetricsLike | None = None,
        score: ValuesLike | dict[Any, ValuesLike] | None = None,
        proba: ForecastLike | dict[Any, ForecastLike] | None = None,
        sample_weight: ValuesLike | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        atol: float | None = None,
        **uncertainty: Unpack[UncertaintyOptions],
    ) -> pd.Series[float] | pd.DataFrame:
        """Compute several metrics: n, the number of rows, then a value per metric.

        Parameters
        ----------
        pred : Series, array or dict, optional
            The predicted classes: a Series with the same index, an array with a value for each
            row, or a dict of these for several models. Not needed for scores or probabilities
            alone.
        metrics : list, dict, or "all", optional
            A list of names, kernels, or partials of kernels; a dict from column names to these or
            to your own functions of counts ``(..., K, K)``; or "all", every metric that is one
            number. Default: ten metrics that do not duplicate one another; for scores also `vus`
            and `u_pairs`; for probabilities also `rps`, `log_loss` and `brier`.
        score : Series, array or dict, optional
            The scores, for the ranking metrics; a dict if `pred` is a dict.
        proba : DataFrame, array or dict, optional
            The probabilities of the classes: a DataFrame with the same index and a column named
            after each class, an array ``(n, K)``, or a dict of these for several models. For two
            classes, also a Series or array of the probability of the higher one.
        sample_weight : Series or array, optional
            The weight of each row, with the same index: finite and not negative. `n` still counts
            rows. Booleans select rows; `n` counts only these.
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
            Uncertainty of each metric, as extra values after it.

        Returns
        -------
        Series or DataFrame
            The number of rows, then a value per metric; for several models, a row per model.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> y, yhat = pd.Series([0, 0, 1, 2]), pd.Series([0, 1, 1, 1])
        >>> y.ordinal.report(yhat, metrics=["accuracy", "mae"])
        n           4.0
        accuracy    0.5
        mae         0.5
        dtype: float64
        """
        requested = Uncertainty(**uncertainty)
        query = Query(
            pred=if_given(pred), score=if_given(score), proba=if_given(proba),
            sample_weight=sample_weight, classes=classes, bins=bins, dropna=dropna, ignore=ignore,
            atol=atol,
        )  # fmt: skip
        rows = sample_of_report(self._table, query, requested.cluster)
        return report_sample(rows, metrics, requested)

    def compare(
        self,
        preds: Mapping[Any, ValuesLike] | None = None,
        *,
        metrics: MetricsLike | None = None,
        score: Mapping[Any, ValuesLike] | None = None,
        proba: Mapping[Any, ForecastLike] | None = None,
        sample_weight: ValuesLike | None = None,
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
        preds : dict from model to Series or array, optional
            The predicted classes of each model, with the same index. Not needed for scores or
            probabilities alone.
        metrics : list, dict, or "all", optional
            A list of names, kernels, or partials of kernels; a dict from labels to these or to
            your own functions of counts ``(..., K, K)``; or "all". Default: those of `report`.
        score : dict from model to Series or array, optional
            The scores of each model, with the same index.
        proba : dict from model to DataFrame or array, optional
            The probabilities of each model, a column for each class, with the same index.
        sample_weight : Series or array, optional
            The weight of each row, with the same index: finite and not negative. `n` still counts
            rows. Booleans select rows; `n` counts only these.
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
        **comparison : ComparisonOptions
            How models are compared.

        Returns
        -------
        DataFrame
            A row for each metric and pair of models, a and b: ``value_a`` and ``value_b``;
            ``difference``, ``value_a`` minus ``value_b``; ``se``, ``low`` and ``high``, its
            standard error and interval; ``p_value``, and ``p_adjusted`` for all pairs of the
            metric; with a margin, ``p_equivalent``; ``better``, the better model, or "neither"
            where ``p_adjusted`` is above ``1 - ci``, or NaN if there is no p-value or the metric
            has no direction; ``n``, the number of rows that all models predict; ``share_a`` and
            ``share_b``, of the rows that at least one model predicts, the shares that a and b
            predict. Intervals are adjusted for the number of pairs with ``adjust="max-t"`` only.
            With ``alternative="non-inferior"``, ``non_inferior`` takes the place of ``better``: it
            is True where ``p_adjusted`` is at most ``1 - ci``.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> y = pd.Series([0, 0, 1, 1, 2, 2])
        >>> pred = {"a": pd.Series([0, 0, 1, 1, 2, 1]), "b": pd.Series([0, 2, 1, 2, 2, 0])}
        >>> comparison = y.ordinal.compare(pred, metrics=["mae"])
        >>> comparison[["difference", "p_value", "better"]].round(3)
                    difference  p_value   better
        metric a b
        mae    a b      -0.667    0.145  neither
        """
        for option, of_models in (("preds", preds), ("score", score), ("proba", proba)):
            if of_models is not None and not isinstance(of_models, Mapping):
                raise TypeError(
                    f"{option} must be a dict from models to their values, not "
                    f"{an(type(of_models).__name__)}: write {option}={{'a': ..., 'b': ...}}"
                )
        query = Query(
            pred=if_given(preds), score=if_given(score), proba=if_given(proba),
            sample_weight=sample_weight, classes=classes, bins=bins, dropna=dropna, ignore=ignore,
            atol=atol,
        )  # fmt: skip
        requested = Comparison(**comparison)
        return compare_sample(sample(self._table, query, requested.cluster), metrics, requested)

    @property
    def classes(self) -> pd.Index[Any]:
        """The classes that the labels declare, from lowest to highest.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> level = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
        >>> pd.Series(["mid", "low"], dtype=level).ordinal.classes.tolist()
        ['low', 'mid', 'high']
        """
        name, series = self._table.series.name, self._table.series
        return classes_of_columns([(name, readable(name, series))]).categories

    def as_ordered(self, classes: ClassesLike) -> pd.Series[Any]:
        """Return the labels as an ordered Categorical.

        Missing labels stay missing. A label that is not a class raises an error; ``astype`` would
        make it missing.

        Parameters
        ----------
        classes : sequence
            The classes from lowest to highest.

        Returns
        -------
        Series
            The labels, with the classes in their dtype.

        Raises
        ------
        UnknownClassError
            If a label is not a class.
        ClassOrderError
            If the labels declare another order.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> po.ordinal(pd.Series(["low", "high"])).as_ordered(["low", "medium", "high"]).cat.codes
        0    0
        1    2
        dtype: int8
        """
        (codes,), dtype = codes_of([(self._table.series.name, self._table.series)], classes)
        values = pd.Categorical.from_codes(codes.copy(), dtype=dtype)
        return pd.Series(values, index=self._table.series.index, name=self._table.series.name)

    def classify(
        self, thresholds: ThresholdsLike, *, classes: ClassesLike | None = None
    ) -> pd.Series[Any]:
        """Turn scores into classes by thresholds.

        Parameters
        ----------
        thresholds : Series or sequence
            Where each class but the last ends, lowest first; a score equal to a threshold is in
            the class below it. The result of `frame.ordinal.best_thresholds` has its classes.
        classes : sequence, optional
            The classes from lowest to highest, one more than there are thresholds. Not needed if
            the thresholds have their classes.

        Returns
        -------
        Series
            An ordered Categorical; missing scores stay missing.

        Raises
        ------
        ClassOrderError
            If the classes are not known, or the values are not scores.
        ValueError
            If the thresholds decrease, or are not one fewer than the classes.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> scores = pd.Series([0.1, 0.5, 0.7, 2.0])
        >>> po.ordinal(scores).classify([0.5, 1.0], classes=["low", "mid", "high"]).tolist()
        ['low', 'low', 'mid', 'high']
        """
        return classified(self._table.series.name, self._table.series, thresholds, classes)

    def cut(
        self,
        edges: BinsLike,
        *,
        right: bool = True,
        errors: Literal["raise", "coerce"] = "raise",
    ) -> pd.Series[Any]:
        """Sort the values into bins with exactly these edges.

        Unlike ``pd.cut``, it does not round the edges to three digits, and an infinite value is in
        the open bin even if that side of the bin is not closed. Values and edges are compared
        at the lower of their precisions, so that the same decimals are in the same bin in float32
        as in float64.

        Parameters
        ----------
        edges : sequence
            The edges, one more than there are bins, lowest first: numbers (the first may be -inf,
            the last inf), datetimes or timedeltas. Or an IntervalIndex.
        right : bool, default True
            Whether bins are closed on the right; otherwise, on the left.
        errors : {"raise", "coerce"}, default "raise"
            Whether a value in none of the bins raises an error or becomes missing.

        Returns
        -------
        Series
            An ordered Categorical, its categories an IntervalIndex. Missing values stay missing.

        Raises
        ------
        ValueError
            If the edges do not increase, the bins leave gaps or overlap, or the values cannot be
            sorted into bins.
        UnknownClassError
            If a value is in none of the bins.

        Examples
        --------
        >>> import numpy as np
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> days = pd.Series([1, 4, 30])
        >>> po.ordinal(days).cut([1, 3, 8, 15, np.inf], right=False).tolist()
        [Interval(1.0, 3.0, closed='left'), Interval(3.0, 8.0, closed='left'),
         Interval(15.0, inf, closed='left')]
        """
        return cut(self._table.series, edges, right=right, errors=errors)
