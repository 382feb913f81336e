"""`.ordinal` on a DataFrame: a column of true classes and one or more of predictions."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, overload

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.accessors.array import ArrayOrdinal
from pandas_ordinal.accessors.base import Ordinal
from pandas_ordinal.accessors.chosen import MetricsLike
from pandas_ordinal.accessors.tally import Tally, tally
from pandas_ordinal.bins import BinsLike
from pandas_ordinal.classes import ClassesLike, align, encode
from pandas_ordinal.counts import Weights, refuse_weights
from pandas_ordinal.groups import Groups, column, group, refuse_no_label
from pandas_ordinal.io import FilePath, to_parquet
from pandas_ordinal.metrics.kernel import Metric

OTHERWISE = "two Series are scored by true.ordinal, as in df['y'].ordinal.oci(df['yhat'])"


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
            Names of metrics; or functions of counts ``(..., K, K)`` by the name that their column
            gets; or all that give one number. Default: ten that do not repeat one another.
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
        return self._tally(true, pred, by, sample_weight, classes, bins, dropna).report(metrics)

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
    ) -> Tally:
        groups = None if by is None else group(self._frame, by, dropna=dropna)
        return tally_frame(self._frame, true, pred, groups, sample_weight, classes, bins, dropna)


def tally_frame(
    frame: pd.DataFrame,
    true: Hashable,
    pred: Hashable | list[Any] | pd.Index[Any],
    groups: Groups | None,
    sample_weight: Hashable | None,
    classes: ClassesLike | None,
    bins: BinsLike | None,
    dropna: bool,
) -> Tally:
    """Count the rows of a frame."""
    preds: list[Hashable]
    if isinstance(pred, (list, pd.Index, np.ndarray)):
        preds = list(pred)
        name = frame.columns.name if frame.columns.name is not None else "model"
        models = pd.Index(preds, name=name, tupleize_cols=False)
    else:
        preds, models = [pred], None
    for option, labels in (("true", [true]), ("pred", preds), ("sample_weight", [sample_weight])):
        for label in labels:
            refuse_no_label(option, label, OTHERWISE)
    names = list(dict.fromkeys([true, *preds]))
    if not preds or len(set(preds)) < len(preds):
        raise ValueError(f"pred={preds} must name one or more different columns")
    codes, dtype = encode([(name, column(frame, name)) for name in names], classes)
    by_name = dict(zip(names, codes, strict=True))
    return tally(
        (true, by_name[true]),
        [(name, by_name[name]) for name in preds],
        dtype,
        bins=bins,
        dropna=dropna,
        weights=None if sample_weight is None else weights(column(frame, sample_weight)),
        groups=groups,
        models=models,
    )


def score(counted: Tally, metric: Metric, options: dict[str, Any]) -> Any:
    """Score a tally, as pandas objects or, for a class-by-class matrix, as a DataArray."""
    if metric.output == ("true", "pred"):
        options = {
            name: align(name, value, counted.classes, counted.labels)
            for name, value in options.items()
        }
        return ArrayOrdinal(counted.cube())._score(metric, options)
    return counted.score(metric, options)


def weights(values: pd.Series[Any]) -> Weights:
    """Return the weights that a column holds."""
    numbers = values.to_numpy()
    if isinstance(values.dtype, pd.api.extensions.ExtensionDtype) and values.dtype.kind in "biuf":
        numbers = values.to_numpy(dtype=float, na_value=np.nan)
    return refuse_weights(numbers, repr(values.name))
