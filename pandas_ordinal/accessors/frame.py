"""`.ordinal` on a DataFrame: a column of true classes and one or more of predictions."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal import metrics
from pandas_ordinal.accessors.base import Ordinal
from pandas_ordinal.accessors.cases import Cases
from pandas_ordinal.accessors.chosen import MetricsLike
from pandas_ordinal.accessors.gather import (
    forecast,
    forecast_cases,
    ranking_cases,
    score,
    tally_frame,
)
from pandas_ordinal.accessors.methods import ProbaLike
from pandas_ordinal.accessors.tally import Tally
from pandas_ordinal.accessors.thresholds import (
    ThresholdsLike,
    best_series,
    roc_frame,
    roc_grid,
)
from pandas_ordinal.bins import BinsLike
from pandas_ordinal.classes import ClassesLike
from pandas_ordinal.groups import Groups, group, refuse_no_label
from pandas_ordinal.io import FilePath, to_parquet
from pandas_ordinal.metrics.metric import Metric
from pandas_ordinal.plot import draw_roc

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class FrameOrdinal(Ordinal):
    """Ordinal evaluation of the predictions in a DataFrame.

    Parameters
    ----------
    frame : DataFrame
        The predictions, one row a case.
    """

    _returns = (
        "float, or Series over the groups and the prediction columns",
        "Series over the groups, the prediction columns and the classes",
        "DataArray over the groups, the prediction columns and the classes",
    )

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame

    def _score(
        self,
        metric: Metric,
        options: dict[str, Any],
        /,
        true: Hashable,
        pred: Hashable | list[Any],
        *,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
    ) -> Any:
        counted = self._tally(true, pred, by, sample_weight, classes, bins, dropna)
        return score(counted, metric, options)

    def _score_ranking(
        self,
        metric: Metric,
        options: dict[str, Any],
        /,
        true: Hashable,
        score: Hashable | list[Any],
        *,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
    ) -> Any:
        others = [options.pop("other")] if "other" in options else []
        return ranking_cases(
            *self._rows(by, dropna), true, score, others, sample_weight, classes, dropna
        ).score(metric, options)

    def _score_forecast(
        self,
        metric: Metric,
        options: dict[str, Any],
        /,
        true: Hashable,
        proba: ProbaLike,
        *,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
    ) -> Any:
        return forecast_cases(
            *self._rows(by, dropna), true, proba, sample_weight, classes, dropna
        ).score(metric, options)

    def confusion(
        self,
        true: Hashable,
        pred: Hashable | list[Any],
        *,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
    ) -> xr.DataArray:
        """Count rows by group, true and predicted class: the cube that every metric reads.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        pred : label or list of labels
            The column that holds the predicted classes; a list of columns is counted column by
            column.
        by : label or list of labels, optional
            Columns or index levels that say which rows are counted together.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its place. Not needed where the classes are bins.
        dropna : bool, default False
            Leave out rows with a missing label or key; they are an error otherwise.

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
        return self._tally(true, pred, by, sample_weight, classes, bins, dropna).cube()

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
    ) -> pd.DataFrame: ...
    @overload
    def report(
        self,
        true: Hashable,
        pred: Hashable,
        *,
        metrics: MetricsLike | None = None,
        score: Hashable | list[Any] | None = None,
        proba: ProbaLike | None = None,
        by: None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
    ) -> pd.Series[float]: ...
    @overload
    def report(
        self,
        true: Hashable,
        pred: Hashable,
        *,
        metrics: MetricsLike | None = None,
        score: Hashable | list[Any] | None = None,
        proba: ProbaLike | None = None,
        by: str | int | tuple[Any, ...] | list[Any],
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
    ) -> pd.DataFrame: ...
    def report(
        self,
        true: Hashable,
        pred: Hashable | list[Any] | pd.Index[Any],
        *,
        metrics: MetricsLike | None = None,
        score: Hashable | list[Any] | None = None,
        proba: ProbaLike | None = None,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
    ) -> pd.Series[float] | pd.DataFrame:
        """Score by several metrics: n, the number of rows, then a column a metric.

        An undefined metric is NaN, without a warning: the n beside it says why.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        pred : label or list of labels
            The column that holds the predicted classes; a list of columns is scored column by
            column.
        metrics : list of str, dict of str to callable, or "all", optional
            Names of metrics; or kernels and functions of counts ``(..., K, K)`` by the name that
            their column gets; or all that give one number. Default: ten that do not repeat one
            another, with `vus` and `u_pairs` of scores, and `rps`, `log_loss` and `brier` of
            probabilities.
        score : label or list of labels, optional
            The column that holds the scores, for the metrics of ranking; a list where `pred` is
            one.
        proba : list of labels or dict, optional
            The columns that hold the probabilities of the classes: named as the classes, or a dict
            {class: column}; a list of these where `pred` is a list.
        by : label or list of labels, optional
            Columns or index levels that say which rows are scored together.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. `n` counts rows.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its place. Not needed where the classes are bins.
        dropna : bool, default False
            Leave out rows with a missing label or key; they are an error otherwise.

        Returns
        -------
        Series or DataFrame
            A row for each group and prediction column; a Series if there are neither.

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
        return self._tally(
            true, pred, by, sample_weight, classes, bins, dropna, score, proba
        ).report(metrics)

    def roc_surface(
        self,
        true: Hashable,
        score: Hashable,
        *,
        thresholds: ThresholdsLike | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
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
            The column that holds the weight of each row: finite and not negative.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the true labels declare.
        dropna : bool, default False
            Leave out rows with a missing label or score; they are an error otherwise.

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
        rows = self._ranked(true, score, sample_weight, classes, dropna)
        return roc_frame(rows, thresholds)

    def plot_roc(
        self,
        true: Hashable,
        score: Hashable,
        *,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
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
            The column that holds the weight of each row: finite and not negative.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the true labels declare.
        dropna : bool, default False
            Leave out rows with a missing label or score; they are an error otherwise.
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
        return draw_roc(roc_grid(self._ranked(true, score, sample_weight, classes, dropna)), ax)

    def best_thresholds(
        self,
        true: Hashable,
        score: Hashable,
        *,
        costs: Any = None,
        metric: str | Callable[..., Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
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
            A metric of counts: its name, its kernel, or a `functools.partial` of
            it.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the true labels declare.
        dropna : bool, default False
            Leave out rows with a missing label or score; they are an error otherwise.

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
        rows = self._ranked(true, score, sample_weight, classes, dropna)
        return best_series(rows, costs, metric)

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
            0 to K - 1; missing where a probability is.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({"low": [0.5, 0.25], "high": [0.5, 0.75]})
        >>> po.ordinal(df).expected_class(["high", "low"], classes=["low", "high"]).tolist()
        [0.5, 0.75]
        """
        proba_of, _, known = forecast(self._frame, proba, classes)
        expected = np.full(len(known), np.nan)
        expected[known] = metrics.expected_class(proba_of[known])
        return pd.Series(expected, self._frame.index, name="expected_class")

    def most_likely(
        self, proba: ProbaLike, *, classes: ClassesLike | None = None
    ) -> pd.Series[Any]:
        """Return the class of the highest probability: the prediction of the best accuracy.

        Parameters
        ----------
        proba : list of labels or dict
            The columns that hold the probabilities of the classes, as in `expected_class`.
        classes : sequence, optional
            The classes from lowest to highest, as in `expected_class`.

        Returns
        -------
        Series
            An ordered Categorical: the lowest of equally likely classes; missing where a
            probability is.
        """
        return self._decided("most_likely", proba, classes)

    def median_class(
        self, proba: ProbaLike, *, classes: ClassesLike | None = None
    ) -> pd.Series[Any]:
        """Return the median class by the class probabilities: the prediction of the best MAE.

        Parameters
        ----------
        proba : list of labels or dict
            The columns that hold the probabilities of the classes, as in `expected_class`.
        classes : sequence, optional
            The classes from lowest to highest, as in `expected_class`.

        Returns
        -------
        Series
            An ordered Categorical: the lowest class up to which the probability is a half;
            missing where a probability is.
        """
        return self._decided("median_class", proba, classes)

    def _decided(self, rule: str, proba: ProbaLike, classes: ClassesLike | None) -> pd.Series[Any]:
        proba_of, dtype, known = forecast(self._frame, proba, classes)
        codes = np.full(len(known), -1)
        codes[known] = getattr(metrics, rule)(proba_of[known])
        decided = pd.Categorical.from_codes(codes, dtype=dtype)
        return pd.Series(decided, self._frame.index, name=rule)

    def _ranked(
        self,
        true: Hashable,
        score: Hashable,
        sample_weight: Hashable | None,
        classes: ClassesLike | None,
        dropna: bool,
    ) -> Cases:
        refuse_no_label("score", score, "thresholds are those of a single score")
        return ranking_cases(self._frame, None, true, score, [], sample_weight, classes, dropna)

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
            If the index is Categorical, or labels cannot be held exactly.
        """
        to_parquet(self._frame, path)

    def _tally(
        self,
        true: Hashable,
        pred: Hashable | list[Any] | pd.Index[Any],
        by: Hashable | list[Any] | None,
        sample_weight: Hashable | None,
        classes: ClassesLike | None,
        bins: BinsLike | None,
        dropna: bool,
        score: Any = None,
        proba: Any = None,
    ) -> Tally:
        return tally_frame(
            *self._rows(by, dropna), true, pred, sample_weight, classes, bins, dropna, score, proba
        )

    def _rows(
        self, by: Hashable | list[Any] | None, dropna: bool
    ) -> tuple[pd.DataFrame, Groups | None]:
        return self._frame, None if by is None else group(self._frame, by, dropna=dropna)
