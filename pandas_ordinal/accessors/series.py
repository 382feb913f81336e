"""`.ordinal` on a Series of true classes."""

from __future__ import annotations

from typing import Any, Literal

import pandas as pd
import xarray as xr

from pandas_ordinal.accessors.base import PARAMETERS, Ordinal
from pandas_ordinal.accessors.chosen import MetricsLike
from pandas_ordinal.accessors.frame import score, weights
from pandas_ordinal.accessors.tally import Tally, tally
from pandas_ordinal.binning import cut
from pandas_ordinal.bins import BinsLike
from pandas_ordinal.classes import ClassesLike, cast, declared, encode, shared
from pandas_ordinal.metrics.kernel import Metric


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
        reported = self._tally(pred, sample_weight, classes, bins, dropna).report(metrics)
        assert isinstance(reported, pd.Series)
        return reported

    def _tally(
        self,
        pred: pd.Series[Any],
        sample_weight: pd.Series[Any] | None,
        classes: ClassesLike | None,
        bins: BinsLike | None,
        dropna: bool,
    ) -> Tally:
        true = self._true
        for name, other in (("pred", pred), ("sample_weight", sample_weight)):
            if other is None and name == "sample_weight":
                continue
            if not isinstance(other, pd.Series):
                raise TypeError(
                    f"{name} must be a Series with the index of the true classes, not a "
                    f"{type(other).__name__}: give pd.Series(..., index=true.index)"
                )
            if not other.index.equals(true.index):
                raise ValueError(
                    f"the index of {name} {other.name!r} is not that of the true classes "
                    f"{true.name!r}: rows are never aligned silently; give {name}.reindex("
                    "true.index), or reset both indexes if the rows are in the same order"
                )
        names = [
            label.name if label.name is not None else default
            for label, default in ((true, "true"), (pred, "pred"))
        ]
        codes, dtype = encode(list(zip(names, (true, pred), strict=True)), classes)
        labels = list(zip(names, codes, strict=True))
        row_weights = None if sample_weight is None else weights(sample_weight)
        return tally(labels[0], labels[1:], dtype, bins=bins, dropna=dropna, weights=row_weights)
