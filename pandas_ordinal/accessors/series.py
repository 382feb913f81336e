"""`.ordinal` on a Series of true classes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Literal

import pandas as pd
import xarray as xr

from pandas_ordinal.accessors.base import PARAMETERS, Ordinal
from pandas_ordinal.accessors.cases import Inputs, cases
from pandas_ordinal.accessors.chosen import MetricsLike
from pandas_ordinal.accessors.gather import counted, score, weights
from pandas_ordinal.accessors.tally import Tally
from pandas_ordinal.accessors.thresholds import ThresholdsLike, classified
from pandas_ordinal.binning import cut
from pandas_ordinal.bins import BinsLike
from pandas_ordinal.classes import ClassesLike, Codes, cast, declared, encode, shared
from pandas_ordinal.counts import Weights
from pandas_ordinal.metrics.metric import Metric, Needs
from pandas_ordinal.predictions import columns_by_class, probabilities_of, scores_of


class SeriesOrdinal(Ordinal):
    """Ordinal evaluation of predictions against a Series of true classes.

    Parameters
    ----------
    true : Series
        The true classes.
    """

    _returns = "float", "Series over the classes", "DataArray over the classes"
    _parameters = PARAMETERS | {
        "pred": "pred : Series\n    The predicted classes, with the same index.",
        "score": "score : Series\n    The scores, higher for higher classes, with the same index.",
        "proba": """proba : DataFrame
    The probabilities of the classes, a column for each, named as it is, with the same index.""",
        "other": "other : Series\n    The other score, with the same index.",
        "sample_weight": """sample_weight : Series, optional
    The weight of each row, with the same index: finite and not negative.""",
    }

    def __init__(self, true: pd.Series[Any]) -> None:
        self._true = true

    @property
    def classes(self) -> pd.Index[Any]:
        """The classes that the labels declare, from lowest to highest."""
        return shared([(self._true.name, self._true)]).categories

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
        dtype = declared(classes)
        codes = cast(self._true.name, self._true, dtype)
        values = pd.Categorical.from_codes(codes, dtype=dtype)
        return pd.Series(values, index=self._true.index, name=self._true.name)

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
        return classified(self._true.name, self._true, thresholds, classes)

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
        return cut(self._true, edges, right=right, outside=outside)

    def _score(
        self,
        metric: Metric,
        options: dict[str, Any],
        /,
        pred: pd.Series[Any],
        *,
        sample_weight: pd.Series[Any] | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
    ) -> Any:
        return score(self._tally(pred, sample_weight, classes, bins, dropna), metric, options)

    def _score_ranking(
        self,
        metric: Metric,
        options: dict[str, Any],
        /,
        score: pd.Series[Any],
        *,
        sample_weight: pd.Series[Any] | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
    ) -> Any:
        others = {"other": options.pop("other")} if "other" in options else {}
        codes, dtype = self._encoded(classes)
        inputs = self._ranking(score, others)
        return cases(
            (self._name, codes), [inputs], dtype, dropna=dropna,
            weights=self._weights(sample_weight), index=self._true.index,
        ).score(metric, options)  # fmt: skip

    def _score_forecast(
        self,
        metric: Metric,
        options: dict[str, Any],
        /,
        proba: pd.DataFrame,
        *,
        sample_weight: pd.Series[Any] | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
    ) -> Any:
        codes, dtype = self._encoded(classes)
        inputs = self._forecast(proba, dtype)
        return cases(
            (self._name, codes), [inputs], dtype, dropna=dropna,
            weights=self._weights(sample_weight), index=self._true.index,
        ).score(metric, options)  # fmt: skip

    def confusion(
        self,
        pred: pd.Series[Any],
        *,
        sample_weight: pd.Series[Any] | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
    ) -> xr.DataArray:
        """Count rows by true and predicted class.

        Parameters
        ----------
        pred : Series
            The predicted classes, with the same index.
        sample_weight : Series, optional
            The weight of each row, with the same index: finite and not negative.
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
            Dimensions ``(true, pred)``; int64, or float64 where rows are weighted.
        """
        return self._tally(pred, sample_weight, classes, bins, dropna).cube()

    def report(
        self,
        pred: pd.Series[Any],
        *,
        metrics: MetricsLike | None = None,
        score: pd.Series[Any] | None = None,
        proba: pd.DataFrame | None = None,
        sample_weight: pd.Series[Any] | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
    ) -> pd.Series[float]:
        """Score by several metrics: n, the number of rows, then the metrics.

        Parameters
        ----------
        pred : Series
            The predicted classes, with the same index.
        metrics : list of str, dict of str to callable, or "all", optional
            As in `FrameOrdinal.report`.
        score : Series, optional
            The scores, with the same index, for the metrics of ranking.
        proba : DataFrame, optional
            The probabilities of the classes, a column for each, with the same index.
        sample_weight : Series, optional
            The weight of each row, with the same index: finite and not negative.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its place. Not needed where the classes are bins.
        dropna : bool, default False
            Leave out rows with a missing label; they are an error otherwise.

        Returns
        -------
        Series
            A value for n and for each metric.
        """
        reported = self._tally(pred, sample_weight, classes, bins, dropna, score, proba).report(
            metrics
        )
        assert isinstance(reported, pd.Series)
        return reported

    def _tally(
        self,
        pred: pd.Series[Any],
        sample_weight: pd.Series[Any] | None,
        classes: ClassesLike | None,
        bins: BinsLike | None,
        dropna: bool,
        score: pd.Series[Any] | None = None,
        proba: pd.DataFrame | None = None,
    ) -> Tally:
        true = self._true
        self._refuse_other_index("pred", pred, pd.Series)
        row_weights = self._weights(sample_weight)
        name = pred.name if pred.name is not None else "pred"
        codes, dtype = encode([(self._name, true), (name, pred)], classes)
        inputs: dict[Needs, list[Inputs]] = {}
        if score is not None:
            inputs["scores"] = [self._ranking(score)]
        if proba is not None:
            inputs["probabilities"] = [self._forecast(proba, dtype)]
        return counted(
            (self._name, codes[0]), [(name, codes[1])], dtype, inputs, bins=bins, dropna=dropna,
            weights=row_weights, index=true.index,
        )  # fmt: skip

    @property
    def _name(self) -> Hashable:
        return self._true.name if self._true.name is not None else "true"

    def _encoded(self, classes: ClassesLike | None) -> tuple[Codes, pd.CategoricalDtype]:
        (codes,), dtype = encode([(self._name, self._true)], classes)
        return codes, dtype

    def _ranking(
        self, score: pd.Series[Any], others: Mapping[str, pd.Series[Any]] | None = None
    ) -> Inputs:
        """Read the scores, and others beside them."""
        names, read = [], []
        for option, values in {"score": score, **(others or {})}.items():
            self._refuse_other_index(option, values, pd.Series)
            names.append(values.name if values.name is not None else option)
            read.append(scores_of(names[-1], values))
        return names, read

    def _forecast(self, proba: pd.DataFrame, dtype: pd.CategoricalDtype) -> Inputs:
        """Read the class probabilities, in the order of the classes."""
        self._refuse_other_index("proba", proba, pd.DataFrame)
        columns = columns_by_class(proba.columns, dtype)
        return columns, [probabilities_of([(label, proba[label]) for label in columns])]

    def _weights(self, sample_weight: pd.Series[Any] | None) -> Weights | None:
        if sample_weight is None:
            return None
        self._refuse_other_index("sample_weight", sample_weight, pd.Series)
        return weights(sample_weight)

    def _refuse_other_index(self, option: str, other: Any, kind: type[Any]) -> None:
        """Raise unless this is of that kind and has the index of the true classes."""
        true = self._true
        if not isinstance(other, kind):
            raise TypeError(
                f"{option} must be a {kind.__name__} with the index of the true classes, not a "
                f"{type(other).__name__}: give pd.{kind.__name__}(..., index=true.index)"
            )
        if not other.index.equals(true.index):
            named = f" {other.name!r}" if isinstance(other, pd.Series) else ""
            raise ValueError(
                f"the index of {option}{named} is not that of the true classes {true.name!r}: "
                f"rows are never aligned silently; give {option}.reindex(true.index), or reset "
                "both indexes if the rows are in the same order"
            )
