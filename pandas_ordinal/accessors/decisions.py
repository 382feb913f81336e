"""Classes of the rows of a frame, from scores and probabilities."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pandas as pd

from pandas_ordinal import metrics
from pandas_ordinal.accessors.base import RowsOrdinal
from pandas_ordinal.classes.columns import ProbaLike
from pandas_ordinal.classes.gate import ClassesLike
from pandas_ordinal.query import Query, if_given
from pandas_ordinal.reports.metrics import MetricLike
from pandas_ordinal.rows.forecasts import forecasts
from pandas_ordinal.rows.summaries import best_series
from pandas_ordinal.rows.table import FrameTable


class FrameDecisions(RowsOrdinal[FrameTable]):
    """The part of the accessor of a DataFrame that turns scores and probabilities into classes."""

    def best_thresholds(
        self,
        true: Hashable | None = None,
        score: Hashable | None = None,
        *,
        proba: ProbaLike | None = None,
        costs: Any = None,
        metric: MetricLike | None = None,
        by: Hashable | list[Any] | None = None,
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
        by : label or list of labels, optional
            Columns or index levels to group by; each group is scored separately.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. A column of
            booleans selects rows.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the true labels declare, or
            else the names of the columns of probabilities, as integers do.
        dropna : bool, default False
            Drop rows with a missing label, score, probability or key. By default, they raise an
            error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them as true class are dropped.
        atol : float, optional
            By how much the probabilities of a row may differ from a sum of 1, such as 0.002 for
            three decimals. They are not rescaled. Default: 1e-6.

        Returns
        -------
        Series
            Where each class but the last ends, ready for `series.ordinal.classify`. The keys of
            groups come first: ``thresholds.loc[key]`` are the thresholds of a group.

        Raises
        ------
        ValueError
            If not exactly one of `costs` and `metric` is given; if `proba` is given beside both
            `true` and `score`, or not given while one of them is missing; if no row counts, or the
            metric is undefined whatever the thresholds. With `by`, such a group has NaN.

        See Also
        --------
        pandas_ordinal.metrics.best_thresholds : how thresholds are found, and when they are exact.

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

        Without labels, for the expected class of probabilities:

        >>> new = pd.DataFrame({0: [0.7, 0.4, 0.1], 1: [0.2, 0.4, 0.3], 2: [0.1, 0.2, 0.6]})
        >>> thresholds = po.ordinal(new).best_thresholds(proba=[0, 1, 2], metric="kappa")
        >>> thresholds.round(2).tolist()
        [0.6, 1.15]
        """
        query = Query(
            true=if_given(true), score=if_given(score), proba=if_given(proba), by=by,
            sample_weight=sample_weight, classes=classes, dropna=dropna, ignore=ignore,
            atol=atol,
        )  # fmt: skip
        return best_series(self._table, query, costs, metric)

    def expected_class(
        self,
        proba: ProbaLike,
        *,
        classes: ClassesLike | None = None,
        atol: float | None = None,
    ) -> pd.Series[float]:
        """Compute the mean class position from class probabilities: a score that ranks rows.

        Parameters
        ----------
        proba : list of labels, dict or label
            The columns that hold the probabilities of the classes: named as the classes, in any
            order, or a dict {class: column}. For two classes, also the column of the higher one.
        classes : sequence, optional
            The classes from lowest to highest, such as ``df["y"].dtype``. Default: those that the
            names declare, as integers do.
        atol : float, optional
            By how much the probabilities of a row may differ from a sum of 1, such as 0.002 for
            three decimals. They are not rescaled. Default: 1e-6.

        Returns
        -------
        Series
            0 to K - 1, rounded to 12 significant digits so that equal sums tie. Missing where a
            probability is missing.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({"low": [0.5, 0.25], "high": [0.5, 0.75]})
        >>> po.ordinal(df).expected_class(["high", "low"], classes=["low", "high"]).tolist()
        [0.5, 0.75]
        """
        return forecasts(self._table, proba, classes, atol).expected()

    def most_likely(
        self,
        proba: ProbaLike,
        *,
        classes: ClassesLike | None = None,
        atol: float | None = None,
    ) -> pd.Series[Any]:
        """Return the class with the highest probability: the prediction with the best accuracy.

        Parameters
        ----------
        proba : list of labels, dict or label
            The columns that hold the probabilities of the classes: named as the classes, in any
            order, or a dict {class: column}. For two classes, also the column of the higher one.
        classes : sequence, optional
            The classes from lowest to highest, such as ``df["y"].dtype``. Default: those that the
            names declare, as integers do.
        atol : float, optional
            By how much the probabilities of a row may differ from a sum of 1, such as 0.002 for
            three decimals. They are not rescaled. Default: 1e-6.

        Returns
        -------
        Series
            An ordered Categorical; of equally likely classes, the lowest. Missing where a
            probability is missing.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({"low": [0.4, 0.1], "mid": [0.25, 0.2], "high": [0.35, 0.7]})
        >>> df.ordinal.most_likely(list(df), classes=list(df)).tolist()
        ['low', 'high']
        """
        return forecasts(self._table, proba, classes, atol).decided(metrics.most_likely)

    def median_class(
        self,
        proba: ProbaLike,
        *,
        classes: ClassesLike | None = None,
        atol: float | None = None,
    ) -> pd.Series[Any]:
        """Return the median class by class probabilities: the prediction with the best MAE.

        Parameters
        ----------
        proba : list of labels, dict or label
            The columns that hold the probabilities of the classes: named as the classes, in any
            order, or a dict {class: column}. For two classes, also the column of the higher one.
        classes : sequence, optional
            The classes from lowest to highest, such as ``df["y"].dtype``. Default: those that the
            names declare, as integers do.
        atol : float, optional
            By how much the probabilities of a row may differ from a sum of 1, such as 0.002 for
            three decimals. They are not rescaled. Default: 1e-6.

        Returns
        -------
        Series
            An ordered Categorical: the lowest class with a cumulative probability of at least one
            half. Missing where a probability is missing.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({"low": [0.4, 0.1], "mid": [0.25, 0.2], "high": [0.35, 0.7]})
        >>> df.ordinal.median_class(list(df), classes=list(df)).tolist()
        ['mid', 'high']
        """
        return forecasts(self._table, proba, classes, atol).decided(metrics.median_class)

    def least_costly(
        self,
        proba: ProbaLike,
        costs: Any,
        *,
        classes: ClassesLike | None = None,
        atol: float | None = None,
    ) -> pd.Series[Any]:
        """Return the class of least expected cost: the prediction with the best expected cost.

        Parameters
        ----------
        proba : list of labels, dict or label
            The columns that hold the probabilities of the classes: named as the classes, in any
            order, or a dict {class: column}. For two classes, also the column of the higher one.
        costs : array_like, DataFrame, DataArray or dict, shape (K, K)
            The cost of each predicted class (columns) for each true class (rows); negative costs
            are gains. Labels are matched to the classes, as in `expected_cost`.
        classes : sequence, optional
            The classes from lowest to highest, such as ``df["y"].dtype``. Default: those that the
            names declare, as integers do.
        atol : float, optional
            By how much the probabilities of a row may differ from a sum of 1, such as 0.002 for
            three decimals. They are not rescaled. Default: 1e-6.

        Returns
        -------
        Series
            An ordered Categorical; of classes that cost the same, the lowest. Missing where a
            probability is missing.

        See Also
        --------
        pandas_ordinal.metrics.least_costly : the formula, and when costs tie.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({"well": [0.7, 0.9], "ill": [0.3, 0.1]})
        >>> costs = {"well": {"well": 0, "ill": 1}, "ill": {"well": 5, "ill": 0}}
        >>> po.ordinal(df).least_costly(["well", "ill"], costs, classes=["well", "ill"]).tolist()
        ['ill', 'well']
        """
        return forecasts(self._table, proba, classes, atol).decided(
            metrics.least_costly, costs=costs
        )
