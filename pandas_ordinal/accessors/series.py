"""`.ordinal` on a Series of true classes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, ClassVar, Literal, Unpack

import pandas as pd
import xarray as xr

from pandas_ordinal.accessors.base import Beside, RowsOrdinal, orders, rows
from pandas_ordinal.accessors.typing import OfSeries
from pandas_ordinal.classes.bins import BinsLike, cut
from pandas_ordinal.classes.gate import ClassesLike, codes_of, readable, shared
from pandas_ordinal.query import (
    Comparison,
    ComparisonOptions,
    Query,
    Uncertainty,
    UncertaintyOptions,
    if_given,
)
from pandas_ordinal.reports.metrics import MetricsLike
from pandas_ordinal.rows.compare import compared
from pandas_ordinal.rows.gather import sample
from pandas_ordinal.rows.summaries import ThresholdsLike, classified
from pandas_ordinal.rows.table import SeriesTable


class SeriesOrdinal(RowsOrdinal[SeriesTable], OfSeries):
    """Ordinal evaluation of predictions against a Series of true classes.

    Parameters
    ----------
    true : Series
        The true classes.
    """

    _returns = "float", "Series over `class`", "DataArray over `true` and `pred`"
    _beside: ClassVar = {
        "score": Beside(
            "pd.Series[Any]",
            """score : Series
    The scores, higher for higher classes, with the same index.""",
        ),
        "proba": Beside(
            "pd.DataFrame",
            """proba : DataFrame
    The probabilities of the classes, one column named as each class, with the same index.""",
        ),
    }
    _examples: ClassVar = {
        "pred": """>>> import pandas as pd
>>> import pandas_ordinal as po
>>> y, yhat = pd.Series([0, 0, 1, 1, 2, 2]), pd.Series([0, 1, 1, 2, 2, 2])
>>> {metric} = y.ordinal.{metric}(yhat, {options})""",
        "score": """>>> import pandas as pd
>>> import pandas_ordinal as po
>>> y, score = pd.Series([0, 0, 1, 1, 2, 2]), pd.Series([1, 2, 2, 3, 3, 4])
>>> {metric} = y.ordinal.{metric}(score, {options})""",
        "proba": """>>> import pandas as pd
>>> import pandas_ordinal as po
>>> y, proba = pd.Series([0, 1]), pd.DataFrame({{0: [0.8, 0.5], 1: [0.2, 0.5]}})
>>> {metric} = y.ordinal.{metric}(proba, {options})""",
    }

    _verbs = ("report", "compare", "confusion", "as_ordered", "cut")

    def __init__(self, true: pd.Series[Any]) -> None:
        self._table = SeriesTable(true)

    def _told(self) -> list[str]:
        series = self._table.series
        return [rows("Series", len(series)), *orders([(series.name, series.dtype)])]

    def confusion(
        self,
        pred: pd.Series[Any],
        *,
        sample_weight: pd.Series[Any] | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
    ) -> xr.DataArray:
        """Count rows by true and predicted class.

        Parameters
        ----------
        pred : Series
            The predicted classes, with the same index.
        sample_weight : Series, optional
            The weight of each row, with the same index: finite and not negative. Booleans select
            rows.
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
            Dimensions ``(true, pred)``; int64, or float64 where rows are weighted.
        """
        query = Query(
            pred=pred, sample_weight=sample_weight, classes=classes, bins=bins,
            dropna=dropna, ignore=ignore,
        )  # fmt: skip
        return sample(self._table, query).cube()

    def report(
        self,
        pred: pd.Series[Any] | None = None,
        *,
        metrics: MetricsLike | None = None,
        score: pd.Series[Any] | None = None,
        proba: pd.DataFrame | None = None,
        sample_weight: pd.Series[Any] | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        **uncertainty: Unpack[UncertaintyOptions],
    ) -> pd.Series[float]:
        """Score by several metrics: n, the number of rows, then the metrics.

        Parameters
        ----------
        pred : Series, optional
            The predicted classes, with the same index. Not needed where only scores or
            probabilities are asked for.
        metrics : list, dict, or "all", optional
            A list of names, kernels, or partials of kernels; a dict from column names to these or
            to your own functions of counts ``(..., K, K)``; or "all": every metric that gives one
            number. Default: ten that do not repeat one another, with `vus` and `u_pairs` of
            scores, and `rps`, `log_loss` and `brier` of probabilities.
        score : Series, optional
            The scores, with the same index, for the metrics of ranking.
        proba : DataFrame, optional
            The probabilities of the classes, a column for each, with the same index.
        sample_weight : Series, optional
            The weight of each row, with the same index: finite and not negative. `n` counts rows.
            Booleans select rows: the others are left out of `n`, too.
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
            ``cluster=``: a Series that says which rows belong together, as those of a patient.
            ``stratify="true"``: rows were drawn by true class. ``method="bootstrap"``, with
            ``n_boot=2000``, ``seed=0`` and ``progress=False``: percentiles of tables drawn at
            random, and ``<metric>_n_valid``, the number of those with a value.

        Returns
        -------
        Series
            A value for n and for each metric.
        """
        asked = Uncertainty(**uncertainty)
        query = Query(
            pred=if_given(pred), score=if_given(score), proba=if_given(proba),
            sample_weight=sample_weight, classes=classes, bins=bins, dropna=dropna, ignore=ignore,
        )  # fmt: skip
        reported = sample(self._table, query, asked.cluster).report(metrics, asked)
        assert isinstance(reported, pd.Series)
        return reported

    def compare(
        self,
        preds: Mapping[Any, pd.Series[Any]] | None = None,
        *,
        metrics: MetricsLike | None = None,
        score: Mapping[Any, pd.Series[Any]] | None = None,
        proba: Mapping[Any, pd.DataFrame] | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        **asked: Unpack[ComparisonOptions],
    ) -> pd.DataFrame:
        """Compare models on the same rows, and tell which differences are significant.

        Parameters
        ----------
        preds : dict from model to Series, optional
            The predicted classes of each model, with the same index. Not needed where only scores
            or probabilities are compared.
        metrics : list, dict, or "all", optional
            A list of names, kernels, or partials of kernels; a dict from labels to these or to
            your own functions of counts ``(..., K, K)``; or "all". Default: those of `report`.
        score : dict from model to Series, optional
            The scores of each model, with the same index.
        proba : dict from model to DataFrame, optional
            The probabilities of each model, a column for each class, with the same index.
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
            ``ci=0.95``: the level of the intervals. ``cluster=``: a Series that says which rows
            belong together, as those of a patient. ``reference=``: the model that all others are
            compared with; all pairs otherwise. ``method="permutation"``, with
            ``n_permutations=9999``, ``seed=0`` and ``progress=False``: p-values from models that
            swap their predictions of rows, or of clusters, at random.

        Returns
        -------
        DataFrame
            A row for each metric and pair of models, a and b: ``value_a`` and ``value_b``;
            ``difference``, the first less the second; ``se``, ``low`` and ``high``, its standard
            error and interval, which is for this pair alone; ``p_value``, and ``p_adjusted`` for
            all pairs of the metric by the method of Holm; ``better``, the better model, or
            "neither" where ``p_adjusted`` is above ``1 - ci``, or NaN without a p-value or a
            direction of the metric; ``n``, the number of rows that all models predict;
            ``share_a`` and ``share_b``, the share of the rows predicted by any model that each of
            the two predicts.
        """
        for option, given in (("preds", preds), ("score", score), ("proba", proba)):
            if given is not None and not isinstance(given, Mapping):
                raise TypeError(
                    f"{option} must be a dict from model to what it says, not a "
                    f"{type(given).__name__}: give {{'a': ..., 'b': ...}}"
                )
        query = Query(
            pred=if_given(preds), score=if_given(score), proba=if_given(proba), classes=classes,
            bins=bins, dropna=dropna, ignore=ignore,
        )  # fmt: skip
        options = Comparison(**asked)
        return compared(sample(self._table, query, options.cluster), metrics, options)

    @property
    def classes(self) -> pd.Index[Any]:
        """The classes that the labels declare, from lowest to highest."""
        name, series = self._table.series.name, self._table.series
        return shared([(name, readable(name, series))]).categories

    def as_ordered(self, classes: ClassesLike) -> pd.Series[Any]:
        """Return the labels as an ordered Categorical.

        Missing labels stay missing. A label that is no class is an error, where ``astype`` would
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
            If a label is no class.
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
        """Sort scores into classes by thresholds.

        Parameters
        ----------
        thresholds : Series or sequence
            Where each class but the last ends, lowest first: a score that equals a threshold is in
            the class below. What `frame.ordinal.best_thresholds` returns knows its classes.
        classes : sequence, optional
            The classes from lowest to highest, one more than there are thresholds.

        Returns
        -------
        Series
            An ordered Categorical; missing scores stay missing.

        Raises
        ------
        ClassOrderError
            If there are no classes, or the values are no scores.
        ValueError
            If the thresholds decrease, or there are not one fewer than classes.

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
        outside: Literal["raise", "missing"] = "raise",
    ) -> pd.Series[Any]:
        """Sort the values into bins with these very edges.

        As ``pd.cut``, which rounds the edges to three digits and makes an infinite value missing
        where the side of the open bin is not closed.

        Parameters
        ----------
        edges : sequence
            One edge more than there are bins, lowest first: numbers, of which the first may be
            -inf and the last inf, datetimes or timedeltas. Or an IntervalIndex.
        right : bool, default True
            Close the bins on the right, else on the left.
        outside : {"raise", "missing"}, default "raise"
            What becomes of a value in none of the bins: an error, or a missing value.

        Returns
        -------
        Series
            An ordered Categorical, its categories an IntervalIndex. Missing values stay missing.

        Raises
        ------
        ValueError
            If the edges do not increase, the bins leave gaps or overlap, or the values are none
            that bins can be cut from.
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
        return cut(self._table.series, edges, right=right, outside=outside)
