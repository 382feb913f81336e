"""`.ordinal` on a Dask DataFrame: partitions are counted, and nothing is computed by the call."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from pandas_ordinal import inference
from pandas_ordinal.accessors.base import OF_COLUMNS, Ordinal, orders
from pandas_ordinal.accessors.frame import FrameOrdinal
from pandas_ordinal.accessors.typing import OfDask
from pandas_ordinal.classes.bins import BinsLike
from pandas_ordinal.classes.columns import ProbaLike
from pandas_ordinal.classes.gate import ClassesLike
from pandas_ordinal.cube.layout import VECTOR_DIM, class_index, labelled, names_of_axes, product
from pandas_ordinal.dataarrays.scored import score_cube
from pandas_ordinal.groups import levels_of
from pandas_ordinal.metrics.metric import Metric, Resolved
from pandas_ordinal.query import Query, Uncertainty, UncertaintyOptions, if_given
from pandas_ordinal.reports.metrics import MetricsLike, chosen, names_of
from pandas_ordinal.rows.partitions import Parts, parts_of, sum_parts
from pandas_ordinal.rows.ranked_partitions import binned, bounds, by_ranges
from pandas_ordinal.rows.score_ranges import RANKED, limits_of
from pandas_ordinal.rows.table import FrameTable

if TYPE_CHECKING:
    import dask.dataframe as dd
    from dask.delayed import Delayed


UNDECLARED = "no ordered Categorical whose classes are known: give classes=[...]"


class DaskOrdinal(Ordinal, OfDask):
    """Ordinal evaluation of the predictions in a Dask DataFrame.

    Parameters
    ----------
    frame : dask.dataframe.DataFrame
        The predictions, one row per case.
    """

    _returns = (
        "Dask Scalar, or Dask Series over the groups and the models",
        "Dask Series over the groups, the models and `class`",
        "DataArray over the groups, the models, `true` and `pred`, that Dask holds",
    )
    _beside = OF_COLUMNS
    _examples: ClassVar = {
        "pred": """>>> import dask.dataframe as dd
>>> import pandas as pd
>>> import pandas_ordinal as po
>>> df = pd.DataFrame({{"y": [0, 0, 1, 1, 2, 2], "yhat": [0, 1, 1, 2, 2, 2]}})
>>> ddf = po.ordinal(dd.from_pandas(df, npartitions=2))
>>> {metric} = ddf.{metric}("y", "yhat", classes=[0, 1, 2], {options})""",
        "score": """>>> import dask.dataframe as dd
>>> import pandas as pd
>>> import pandas_ordinal as po
>>> df = pd.DataFrame({{"y": [0, 0, 1, 1, 2, 2], "score": [1, 2, 2, 3, 3, 4]}})
>>> ddf = po.ordinal(dd.from_pandas(df, npartitions=2))
>>> {metric} = ddf.{metric}("y", "score", classes=[0, 1, 2], {options})""",
        "proba": """>>> import dask.dataframe as dd
>>> import pandas as pd
>>> import pandas_ordinal as po
>>> df = pd.DataFrame({{"y": ["low", "high"], "low": [0.8, 0.5], "high": [0.2, 0.5]}})
>>> ddf = po.ordinal(dd.from_pandas(df, npartitions=2))
>>> classes = ["low", "high"]
>>> {metric} = ddf.{metric}("y", classes, classes=classes, {options})""",
    }

    _verbs = ("report", "confusion", "score_bounds")

    def __init__(self, frame: dd.DataFrame) -> None:
        self._frame: Any = frame  # untyped

    def _told(self) -> list[str]:
        unknown = _unknown(self._frame._meta)
        parts = f".ordinal of a Dask DataFrame in {self._frame.npartitions} partitions"
        dtypes = self._frame.dtypes.items()
        known = [(name, kind) for name, kind in dtypes if name not in unknown]
        return [parts, *orders(known, UNDECLARED)]

    def _meant(self, name: str) -> str:
        if name in vars(FrameOrdinal):
            return f"; it reads rows: {_in_memory(f'{name}(...)')}"
        return super()._meant(name)

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
        ignore: Hashable | list[Any] | None = None,
        levels: dict[Any, Any] | None = None,
    ) -> xr.DataArray:
        """Count rows by group, true and predicted class: the cube that every metric reads.

        Keys whose labels are not known, by a Categorical dtype or by `levels`, are looked up now,
        in a pass over these columns alone.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        pred : label or list of labels
            The column that holds the predicted classes; a list has one column per model.
        by : label or list of labels, optional
            Columns, or the index, that say which rows belong together.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. A column of
            booleans selects rows.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that a Categorical column declares,
            whose categories Dask knows; nothing is read to find them.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its place. Not needed where the classes are bins.
        dropna : bool, default False
            Leave out rows in which something asked for, or a key, is missing; they are an error
            otherwise.
        ignore : label or list of labels, optional
            Labels that mean nothing here, such as 255 or -1: rows whose true or predicted class is
            one of them are left out.
        levels : dict, optional
            The labels of keys, ``{key: [label, ...]}``: such a key is read as this Categorical.

        Returns
        -------
        DataArray
            Dimensions ``(*by, model, true, pred)``, which Dask holds; int64, or float64 where rows
            are weighted. A key has all its labels, those of no row as well.

        Examples
        --------
        >>> import dask.dataframe as dd
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({"y": [0, 1, 2, 2], "yhat": [0, 2, 2, 1]})
        >>> ddf = dd.from_pandas(df, npartitions=2)
        >>> cube = po.ordinal(ddf).confusion("y", "yhat", classes=[0, 1, 2])
        >>> cube.compute().values.tolist()
        [[1, 0, 0], [0, 0, 1], [0, 1, 1]]
        """
        query = Query(
            true=true, pred=pred, by=by, sample_weight=sample_weight, classes=classes,
            bins=bins, dropna=dropna, ignore=ignore, levels=levels,
        )  # fmt: skip
        return self._cube(self._parts(query))

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
        levels: dict[Any, Any] | None = None,
        **uncertainty: Unpack[UncertaintyOptions],
    ) -> Any:
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
            Columns, or the index, that say which rows belong together.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. `n` counts rows.
            A column of booleans selects rows: the others are left out of `n`, too.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that a Categorical column declares,
            whose categories Dask knows; nothing is read to find them.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its place. Not needed where the classes are bins.
        dropna : bool, default False
            Leave out rows in which something asked for, or a key, is missing; they are an error
            otherwise.
        ignore : label or list of labels, optional
            Labels that mean nothing here, such as 255 or -1: rows whose true or predicted class is
            one of them are left out.
        levels : dict, optional
            The labels of keys, ``{key: [label, ...]}``: such a key is read as this Categorical.
        **uncertainty : UncertaintyOptions
            Uncertainty of each metric, as extra columns after it. ``ci=0.95``: an interval,
            ``<metric>_low`` and ``<metric>_high``. ``se=True``: the standard error,
            ``<metric>_se``. ``ranges={"name": (low, high)}``: the range of your own functions.
            ``stratify="true"``: rows were drawn by true class. ``method="bootstrap"``, with
            ``n_boot=2000``, ``seed=0`` and ``progress=False``: percentiles of tables drawn at
            random, and ``<metric>_n_valid``, the number of those with a value. ``cluster=``, these
            with `sample_weight`, and these of scores and probabilities need the rows in memory.

        Returns
        -------
        Dask Series or Dask DataFrame
            A row for each group that holds rows, and each model; a Series if there are neither.

        Examples
        --------
        >>> import dask.dataframe as dd
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame(
        ...     {"model": ["a", "a", "b", "b"], "y": [0, 2, 0, 2], "yhat": [0, 1, 2, 2]}
        ... )
        >>> ddf = po.ordinal(dd.from_pandas(df, npartitions=2))
        >>> ddf.report(
        ...     "y", "yhat", metrics=["accuracy", "mae"], by="model", classes=[0, 1, 2]
        ... ).compute()
               n  accuracy  mae
        model
        a      2       0.5  0.5
        b      2       0.5  1.0
        """
        asked = Uncertainty(**uncertainty)
        query = Query(
            true=true, pred=FrameTable(self._frame._meta).optional(pred), score=if_given(score),
            proba=if_given(proba), by=by, sample_weight=sample_weight, classes=classes, bins=bins,
            dropna=dropna, ignore=ignore, levels=levels,
        )  # fmt: skip
        parts = self._parts(query)
        scale, in_fractions = parts.nothing.scale, parts.nothing.in_fractions
        wanted = chosen(metrics, scale, [*query.scored], in_fractions, asked.is_requested)
        parts = _scored_by(wanted.values(), parts)
        names = names_of(wanted, asked)
        if asked.is_requested:
            _refuse_uncertainty(asked, parts, wanted.values())
            inference.report.measures_of(wanted, scale, asked)
        axes = self._axes(parts)
        meta: Any = pd.Series(dtype=float, index=pd.Index([], dtype=str))
        if axes:
            dtypes = {"n": np.dtype(np.int64), **dict.fromkeys(names, np.dtype(float))}
            meta = pd.DataFrame(index=product(axes)[:0], columns=list(dtypes)).astype(dtypes)
        return self._lazily(parts, parts.report, meta, metrics=metrics, uncertainty=asked)

    def score_bounds(
        self,
        true: Hashable,
        score: Hashable | list[Any] | pd.Index[Any],
        *,
        edges: npt.ArrayLike,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        levels: dict[Any, Any] | None = None,
    ) -> dd.DataFrame:
        """Bound how a score ranks, from the counts of the classes between edges of the score.

        Each partition is looked at once, and no row moves. What is lowest counts nothing that lies
        between the same edges; what is highest counts all of it. The value of all rows, with ties
        as halves or strict, lies between them, and the closer the finer the edges are.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        score : label or list of labels
            The column that holds the scores, higher for higher classes; a list has one column per
            model.
        edges : array_like
            Ascending scores. One that is equal to an edge lies above it.
        by : label or list of labels, optional
            Columns, or the index, that say which rows belong together.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. A column of
            booleans selects rows.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that a Categorical column declares,
            whose categories Dask knows; nothing is read to find them.
        dropna : bool, default False
            Leave out rows in which something asked for, or a key, is missing; they are an error
            otherwise.
        ignore : label or list of labels, optional
            Labels that mean nothing here, such as 255 or -1: rows whose true class is one of them
            are left out.
        levels : dict, optional
            The labels of keys, ``{key: [label, ...]}``: such a key is read as this Categorical.

        Returns
        -------
        Dask DataFrame
            With the columns `low` and `high`, and a row each for `vus`, `u_pairs`, `u_ovo` and
            `u_cons`, in each group that holds rows, and for each model.

        Examples
        --------
        >>> import dask.dataframe as dd
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({"y": [0, 0, 1, 1, 2, 2], "score": [1, 2, 2, 3, 3, 4]})
        >>> ddf = po.ordinal(dd.from_pandas(df, npartitions=2))
        >>> bounds = ddf.score_bounds("y", "score", edges=[2, 3], classes=[0, 1, 2])
        >>> bounds.compute().loc["vus"].tolist()
        [0.25, 1.0]
        """
        limits = limits_of(edges)
        query = Query(
            true=true, score=score, by=by, sample_weight=sample_weight, classes=classes,
            dropna=dropna, ignore=ignore, levels=levels,
        )  # fmt: skip
        parts = self._parts(query)
        axes = [*self._axes(parts), pd.Index(RANKED, name="metric")]
        meta = pd.DataFrame(index=product(axes)[:0], columns=["low", "high"], dtype=float)
        found: dd.DataFrame = self._columns(parts).reduction(
            chunk=partial(binned, parts=parts, limits=limits),
            combine=sum_parts,
            aggregate=partial(bounds, parts=parts, n_bins=len(limits) + 1),
            meta=meta,
        )
        return found

    def _score(self, metric: Metric, options: dict[str, Any], query: Query) -> Any:
        parts = _scored_by([Resolved(metric, options)], self._parts(query))
        scale = parts.nothing.scale
        if len(metric.output) == 2:
            if not metric.of_rows:
                return score_cube(self._cube(parts), scale, metric, options)
            return self._matrices(parts, metric, options)
        if not metric.of_rows:
            scale.function(metric, options)(np.zeros((0, len(scale), len(scale))))
        axes = self._axes(parts)
        if metric.output:
            axes.append(class_index(scale.classes, VECTOR_DIM))
        meta: Any = 1.0
        if axes:
            meta = pd.Series(dtype=float, index=product(axes)[:0], name=metric.name)
        return self._lazily(parts, parts.score, meta, name=metric.name, options=options)

    def _parts(self, query: Query) -> Parts:
        empty = self._frame._meta
        return parts_of(empty, query, _unknown(empty))

    def _axes(self, parts: Parts) -> list[pd.Index[Any]]:
        """Return the labels of no groups, and the models."""
        groups, models = parts.nothing.groups, parts.nothing.models
        keys = [] if groups is None else [groups.index(np.zeros(0, np.intp))]
        return [*keys, *([] if models is None else [models])]

    def _lazily(self, parts: Parts, finish: Callable[..., Any], meta: Any, **options: Any) -> Any:
        """Count each partition, add up in a tree, and finish with the sum, once it is computed."""
        frame = self._columns(parts)
        if parts.rankings:
            return _collected(by_ranges(frame, parts, finish, options), meta)
        return frame.reduction(
            chunk=parts.count,
            combine=sum_parts,
            aggregate=finish,
            meta=meta,
            aggregate_kwargs=options,
        )

    def _columns(self, parts: Parts) -> Any:
        """Return the columns that are read."""
        return self._frame[[name for name in parts.columns if name in self._frame.columns]]

    def _cube(self, parts: Parts) -> xr.DataArray:
        axes, shape = self._laid_out(parts)
        meta = pd.Series(dtype=np.int64 if parts.nothing.weights is None else float)
        cells = self._lazily(parts, parts.cells, meta, axes=axes)
        array = cells.to_dask_array(lengths=(math.prod(shape),)).reshape(shape)
        return labelled(array, axes, parts.nothing.scale.classes)

    def _matrices(self, parts: Parts, metric: Metric, options: dict[str, Any]) -> xr.DataArray:
        """Score by a metric of scores that gives a number for each pair of classes."""
        import dask.array

        da: Any = dask.array  # untyped
        axes, shape = self._laid_out(parts)
        asked = {"axes": axes, "name": metric.name, "options": options}
        found = by_ranges(self._columns(parts), parts, parts.matrices, asked)
        array = da.from_delayed(found, shape, float)
        return labelled(array, axes, parts.nothing.scale.classes).rename(metric.name)

    def _laid_out(self, parts: Parts) -> tuple[list[pd.Index[Any]], tuple[int, ...]]:
        """Return the labels of the keys and the models, and the shape with the classes."""
        names_of_axes([level for axis in self._axes(parts) for level in levels_of(axis)])
        levels = parts.levels
        if unknown := [key for key in parts.keys if key not in levels]:
            found = parts.found(self._groups(parts))
            levels |= {key: found[key] for key in unknown}
        axes, n_classes = parts.axes(levels), len(parts.nothing.scale)
        return axes, (*map(len, axes), n_classes, n_classes)

    def _groups(self, parts: Parts) -> pd.DataFrame:
        """Look the keys up, in a pass over the columns that tell them."""
        keys = [name for name in parts.key_columns if name in self._frame.columns]
        groups: pd.DataFrame = (
            self._frame[keys]
            .reduction(
                chunk=parts.groups_in,
                aggregate=pd.DataFrame.drop_duplicates,
                meta=pd.DataFrame(),
            )
            .compute()
        )
        return groups


def _collected(found: Delayed, meta: Any) -> Any:
    """Return what is delayed as the kind of Dask object that `meta` is one of."""
    import dask.dataframe
    from dask.delayed import delayed

    dd: Any = dask.dataframe  # untyped
    if isinstance(meta, float):
        value = dd.from_delayed([delayed(pd.Series)([found])], meta=pd.Series(dtype=float))
        return value.reduction(chunk=pd.Series.max, aggregate=_number, meta=meta)
    return dd.from_delayed([found], meta=meta, verify_meta=False)


def _number(values: pd.Series[float]) -> float:
    return float(values.iloc[0])


def _scored_by(wanted: Iterable[Resolved], parts: Parts) -> Parts:
    """Return parts that add up what metrics of rows need, or raise for wrong options."""
    for metric, options in wanted:
        if metric.of_rows:
            parts.nothing.score(metric, options)
    return parts.scored_by(wanted)


def _refuse_uncertainty(
    uncertainty: Uncertainty, parts: Parts, wanted: Iterable[Resolved]
) -> None:
    """Raise for intervals that need more than counts of rows."""
    for metric, _ in wanted:
        if metric.of_rows:
            raise ValueError(
                f"ci= and se= of {metric.name} need all rows at once: {_in_memory('report(...)')}"
            )
    option = "cluster" if uncertainty.cluster is not None else "sample_weight"
    if uncertainty.cluster is not None or parts.nothing.weights is not None:
        raise ValueError(
            f"ci= and se= with {option}= read all rows, which counts of partitions do not hold: "
            f"leave {option}= out, or {_in_memory(f'report(..., {option}=...)')}"
        )


def _in_memory(call: str) -> str:
    """Say how to call what needs all rows."""
    return f"read these columns into memory, as with ddf[[...]].compute().ordinal.{call}"


def _unknown(empty: pd.DataFrame) -> list[Hashable]:
    """Return the Categorical columns whose categories Dask does not know."""
    import dask.dataframe.utils

    utils: Any = dask.dataframe.utils  # untyped
    columns = empty.select_dtypes("category").items()
    return [name for name, labels in columns if not utils.has_known_categories(labels)]
