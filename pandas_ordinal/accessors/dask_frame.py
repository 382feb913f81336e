"""`.ordinal` on a Dask DataFrame: results are lazy, and partitions are counted one by one."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from pandas_ordinal import dataarrays, inference
from pandas_ordinal.accessors.base import COLUMN_PARAMETERS, Ordinal, orders
from pandas_ordinal.accessors.frame import FrameOrdinal
from pandas_ordinal.accessors.typing import ColumnsLike, OfDask
from pandas_ordinal.classes.bins import BinsLike
from pandas_ordinal.classes.columns import ProbaLike
from pandas_ordinal.classes.gate import ClassesLike
from pandas_ordinal.counterparts import OF_DASK
from pandas_ordinal.cube.layout import (
    VECTOR_DIM,
    as_quantity,
    class_index,
    labelled,
    names_of_axes,
    product,
)
from pandas_ordinal.groups import levels_of
from pandas_ordinal.metrics.metric import Metric, Resolved, registry
from pandas_ordinal.query import (
    ABSENT,
    Comparison,
    ComparisonOptions,
    Query,
    Uncertainty,
    UncertaintyOptions,
    if_given,
)
from pandas_ordinal.reports.by_class import AT_CUTS, TableByClass
from pandas_ordinal.reports.metrics import MetricsLike, metrics_of_report, names_of_columns
from pandas_ordinal.rows.by_class import table_of_partitions
from pandas_ordinal.rows.paired_partitions import PairedPartitions
from pandas_ordinal.rows.part_tables import TABLES_AT_ONCE, distinct, sum_parts
from pandas_ordinal.rows.partitions import Partitions, partitions_of
from pandas_ordinal.rows.ranked_partitions import bounds, count_histogram, score_by_ranges
from pandas_ordinal.rows.repeats import cases_in, warn_of_repeats
from pandas_ordinal.rows.score_ranges import RANKED, checked_edges
from pandas_ordinal.rows.scored import refuse_uncertainty, score_sample
from pandas_ordinal.rows.table import FrameTable

if TYPE_CHECKING:
    import dask.dataframe as dd
    from dask.delayed import Delayed


UNKNOWN_ORDER = "no ordered Categorical whose classes are known: give classes=[...]"


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
        "DataArray over the groups, the models, `true` and `pred`, backed by Dask",
    )
    _tables = "Dask DataFrame over the groups, the models and `class`"
    _extra: ClassVar = COLUMN_PARAMETERS
    _examples: ClassVar = {
        "pred": """>>> import dask.dataframe as dd
>>> import pandas as pd
>>> import pandas_ordinal as po
>>> df = pd.DataFrame({{"y": [0, 0, 1, 1, 2, 2], "yhat": [0, 1, 1, 2, 2, 2]}})
>>> ddf = po.ordinal(dd.from_pandas(df, npartitions=2))
>>> ddf.{metric}("y", "yhat", classes=[0, 1, 2], {options}).compute()""",
        "score": """>>> import dask.dataframe as dd
>>> import pandas as pd
>>> import pandas_ordinal as po
>>> df = pd.DataFrame({{"y": [0, 0, 1, 1, 2, 2], "score": [1, 2, 2, 3, 3, 4]}})
>>> ddf = po.ordinal(dd.from_pandas(df, npartitions=2))
>>> ddf.{metric}("y", "score", classes=[0, 1, 2], {options}).compute()""",
        "proba": """>>> import dask.dataframe as dd
>>> import pandas as pd
>>> import pandas_ordinal as po
>>> df = pd.DataFrame({{"y": ["low", "high"], "low": [0.8, 0.5], "high": [0.2, 0.5]}})
>>> ddf = po.ordinal(dd.from_pandas(df, npartitions=2))
>>> classes = ["low", "high"]
>>> ddf.{metric}("y", classes, classes=classes, {options}).compute()""",
        **dict.fromkeys(
            [name for name, metric in registry.items() if metric.row_terms],
            """>>> import dask.dataframe as dd
>>> import pandas as pd
>>> import pandas_ordinal as po
>>> df = pd.DataFrame({{"y": ["low", "high"], "low": [0.8, 0.5], "high": [0.2, 0.5]}})
>>> ddf = dd.from_pandas(df, npartitions=2)
>>> classes = ["low", "high"]
>>> ddf[["y", *classes]].compute().ordinal.{metric}("y", classes, classes=classes, {options})""",
        ),
    }

    _of_columns = OF_DASK

    _verbs = ("report", "confusion", "compare", "score_bounds")

    def __init__(self, frame: dd.DataFrame) -> None:
        self._frame: Any = frame  # untyped

    def _repr_lines(self) -> list[str]:
        unknown = _unknown(self._frame._meta)
        title = f".ordinal of a Dask DataFrame in {self._frame.npartitions} partitions"
        dtypes = self._frame.dtypes.items()
        known = [(name, dtype) for name, dtype in dtypes if name not in unknown]
        return [title, *orders(known, UNKNOWN_ORDER)]

    def _hint_at(self, name: str) -> str:
        if name in vars(FrameOrdinal):
            return f"; it needs the rows in memory: {_in_memory(f'{name}(...)')}"
        return super()._hint_at(name)

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
        groups: dict[Any, Any] | None = None,
    ) -> xr.DataArray:
        """Count rows by group, true and predicted class: the cube that every metric reads.

        Keys whose labels are not known, from a Categorical dtype or from `groups`, are looked up
        at once, in a pass over these columns alone.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        pred : label, list of labels or dict
            The column that holds the predicted classes; a list, or a dict {name: column}, has one
            column per model.
        by : label or list of labels, optional
            Columns, or the index, to group by; each group is scored separately.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. A column of
            booleans selects rows.
        classes : sequence, optional
            The classes from lowest to highest. Default: those of a Categorical column whose
            categories Dask knows; nothing is read to find them.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its position. Not needed if the classes are bins.
        dropna : bool, default False
            Drop rows with a missing value or key. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them as true or predicted class
            are dropped.
        groups : dict, optional
            The labels of keys, ``{key: [label, ...]}``. Such a key is read as a Categorical with
            these categories.

        Returns
        -------
        DataArray
            Dimensions ``(*by, model, true, pred)``, backed by Dask; int64, or float64 if rows are
            weighted. A key has all its labels, even those without rows.

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
            bins=bins, dropna=dropna, ignore=ignore, groups=groups,
        )  # fmt: skip
        return self._cube(self._partitions(query))

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
        groups: dict[Any, Any] | None = None,
        **uncertainty: Unpack[UncertaintyOptions],
    ) -> Any:
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
            Columns, or the index, to group by; each group is scored separately.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. `n` still counts
            rows. A column of booleans selects rows; `n` counts only these.
        classes : sequence, optional
            The classes from lowest to highest. Default: those of a Categorical column whose
            categories Dask knows; nothing is read to find them.
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
        groups : dict, optional
            The labels of keys, ``{key: [label, ...]}``. Such a key is read as a Categorical with
            these categories.
        **uncertainty : UncertaintyOptions
            Uncertainty of each metric, as extra columns after it.

        Returns
        -------
        Dask Series or Dask DataFrame
            A row per group that has rows, and per model, or a Series if there are neither.

        Raises
        ------
        ValueError
            If intervals or standard errors need the rows in memory: those of metrics of scores and
            of probabilities.

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
        requested = Uncertainty(**uncertainty)
        query = Query(
            true=true, pred=FrameTable(self._frame._meta).optional(pred), score=if_given(score),
            proba=if_given(proba), by=by, sample_weight=sample_weight, classes=classes, bins=bins,
            dropna=dropna, ignore=ignore, atol=atol, groups=groups,
        )  # fmt: skip
        partitions = self._partitions(query, requested.cluster)
        empty = partitions.empty
        in_fractions = empty.in_fractions or requested.stratum_shares is not None
        resolved = metrics_of_report(
            metrics, empty.classes, [*query.scored], in_fractions, requested.is_requested,
            in_parts=True,
        )  # fmt: skip
        partitions = _scored_by(resolved.values(), partitions)
        names = names_of_columns(resolved, requested)
        if requested.is_requested:
            _refuse_rows(resolved.values())
            refuse_uncertainty(empty, resolved, requested)
            inference.strata.shares_of(requested.stratum_shares, empty.classes)
            partitions = replace(partitions, has_norms=empty.weights is not None)
            inference.report.measures_of(resolved, empty.classes, requested)
            self._warn_of_repeats(partitions, requested.without_clusters)
        axes = self._axes(partitions)
        meta: Any = pd.Series(dtype=float, index=pd.Index([], dtype=str))
        if axes:
            sizes = ["n", *(["n_clusters"] if requested.cluster is not None else [])]
            sizes += ["n_classes"] if requested.is_requested else []
            dtypes = {
                **dict.fromkeys(sizes, np.dtype(np.int64)),
                **dict.fromkeys(names, np.dtype(float)),
            }
            meta = pd.DataFrame(index=product(axes)[:0], columns=list(dtypes)).astype(dtypes)
        return self._lazily(
            partitions, partitions.report, meta, metrics=metrics, uncertainty=requested
        )

    def compare(
        self,
        true: Hashable,
        pred: ColumnsLike,
        *,
        metrics: MetricsLike | None = None,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        groups: dict[Any, Any] | None = None,
        **comparison: Unpack[ComparisonOptions],
    ) -> dd.DataFrame:
        """Compare models on the same rows, and test which differences are significant.

        Each partition is read once, and rows are not shuffled: rows of the same group, cluster and
        classes are counted together.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        pred : list of labels or dict
            The columns that hold the predicted classes of the models, in a dict {name: column} to
            name these.
        metrics : list, dict, or "all", optional
            A list of names, kernels, or partials of kernels; a dict from labels to these or to
            your own functions of counts ``(..., K, K)``; or "all". Default: those of `report`.
        by : label or list of labels, optional
            Columns, or the index, to group by; each group is scored separately.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. `n` still counts
            rows. A column of booleans selects rows; `n` counts only these.
        classes : sequence, optional
            The classes from lowest to highest. Default: those of a Categorical column whose
            categories Dask knows; nothing is read to find them.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its position. Not needed if the classes are bins.
        dropna : bool, default False
            Drop rows with a missing value or key. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them as true or predicted class
            are dropped.
        groups : dict, optional
            The labels of keys, ``{key: [label, ...]}``. Such a key is read as a Categorical with
            these categories.
        **comparison : ComparisonOptions
            How models are compared.

        Returns
        -------
        Dask DataFrame
            A row for each group, metric and pair of models, with the columns that
            `FrameOrdinal.compare` describes.

        Raises
        ------
        ValueError
            If there are fewer than two models, or no row that all of them predict.

        Examples
        --------
        >>> import dask.dataframe as dd
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({
        ...     "y": [0, 1, 2] * 10, "a": [0, 1, 2] * 9 + [0, 0, 0], "b": [0, 2, 1] * 10
        ... })
        >>> ddf = po.ordinal(dd.from_pandas(df, npartitions=3))
        >>> comparison = ddf.compare("y", ["a", "b"], metrics=["mae"], classes=[0, 1, 2])
        >>> comparison.compute()[["value_a", "value_b", "difference", "better"]].round(3)
                    value_a  value_b  difference better
        metric a b
        mae    a b      0.1    0.667      -0.567      a
        """
        query = Query(
            true=true, pred=pred, by=by, sample_weight=sample_weight, classes=classes, bins=bins,
            dropna=dropna, ignore=ignore, groups=groups,
        )  # fmt: skip
        requested = Comparison(**comparison)
        partitions = self._partitions(query, requested.cluster)
        paired = PairedPartitions(partitions, metrics, requested)
        *keys, _ = self._axes(partitions)
        meta = paired.meta([level for key in keys for level in levels_of(key)])
        self._warn_of_repeats(partitions, None)
        compared: dd.DataFrame = self._columns(partitions).reduction(
            chunk=paired.count,
            combine=sum_parts,
            aggregate=paired.compare,
            meta=meta,
            split_every=TABLES_AT_ONCE,
        )
        return compared

    def score_bounds(
        self,
        true: Hashable,
        score: Hashable | ColumnsLike,
        *,
        edges: npt.ArrayLike,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        groups: dict[Any, Any] | None = None,
    ) -> dd.DataFrame:
        """Bound the ranking metrics, given only a histogram of the score for each class.

        Each partition is read once, and rows are not shuffled. The lower bound treats rows between
        the same edges as wrongly ordered, the upper bound as correctly ordered. The exact value
        lies between the bounds, whether a tie counts as one half or as wrong; finer edges give
        closer bounds.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        score : label, list of labels or dict
            The column that holds the scores, higher for higher classes; a list, or a dict
            {name: column}, has one column per model.
        edges : array_like
            Bin edges of the score, ascending. A score equal to an edge falls into the bin above.
        by : label or list of labels, optional
            Columns, or the index, to group by; each group is scored separately.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. A column of
            booleans selects rows.
        classes : sequence, optional
            The classes from lowest to highest. Default: those of a Categorical column whose
            categories Dask knows; nothing is read to find them.
        dropna : bool, default False
            Drop rows with a missing value or key. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them as true class are dropped.
        groups : dict, optional
            The labels of keys, ``{key: [label, ...]}``. Such a key is read as a Categorical with
            these categories.

        Returns
        -------
        Dask DataFrame
            The columns `low` and `high`, with a row for each of `vus`, `u_pairs`, `u_ovo` and
            `u_cons`, per group that has rows and per model.

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
        limits = checked_edges(edges)
        query = Query(
            true=true, score=score, by=by, sample_weight=sample_weight, classes=classes,
            dropna=dropna, ignore=ignore, groups=groups,
        )  # fmt: skip
        partitions = self._partitions(query)
        axes = [*self._axes(partitions), pd.Index(RANKED, name="metric")]
        meta = pd.DataFrame(index=product(axes)[:0], columns=["low", "high"], dtype=float)
        bounds_by_group: dd.DataFrame = self._columns(partitions).reduction(
            chunk=partial(count_histogram, partitions=partitions, limits=limits),
            combine=sum_parts,
            aggregate=partial(bounds, partitions=partitions, n_bins=len(limits) + 1),
            meta=meta,
            split_every=TABLES_AT_ONCE,
        )
        return bounds_by_group

    def _score(self, metric: Metric, options: dict[str, Any], query: Query) -> Any:
        partitions = _scored_by([Resolved(metric, options)], self._partitions(query))
        classes = partitions.empty.classes
        if len(metric.output) == 2:
            if not metric.of_rows:
                return dataarrays.scored.score_cube(
                    self._cube(partitions), classes, metric, options
                )
            return self._matrices(partitions, metric, options)
        if not metric.of_rows:
            classes.function(metric, options)(np.zeros((0, len(classes), len(classes))))
        axes = self._axes(partitions)
        if metric.output:
            axes.append(class_index(classes.dtype, VECTOR_DIM))
        meta: Any = 1.0
        if axes:
            meta = pd.Series(dtype=float, index=product(axes)[:0], name=metric.name)
        return self._lazily(partitions, partitions.score, meta, name=metric.name, options=options)

    def _table_by_class(self, table: TableByClass, query: Query) -> Any:
        auc = [AT_CUTS] if query.score is not ABSENT else []
        partitions = _scored_by(auc, self._partitions(query, table.uncertainty.cluster))
        if table.uncertainty.is_requested:
            _refuse_rows(auc, f"{table.name}(...)")
            refuse_uncertainty(partitions.empty, {}, table.uncertainty)
            partitions = replace(partitions, has_norms=partitions.empty.weights is not None)
            self._warn_of_repeats(partitions, None)
        labels = class_index(partitions.empty.classes.dtype, VECTOR_DIM)
        axes = [*self._axes(partitions), labels[:-1] if table.at_cuts else labels]
        dtypes: dict[str, Any] = dict.fromkeys(table.sizes, np.dtype(np.int64))
        dtypes |= dict.fromkeys(table.names(bool(auc)), np.dtype(float))
        meta = pd.DataFrame(index=product(axes)[:0], columns=list(dtypes)).astype(dtypes)
        finish = partial(table_of_partitions, partitions=partitions)
        return self._lazily(partitions, finish, meta, table=table)

    def _partitions(self, query: Query, cluster: Any = None) -> Partitions:
        empty = self._frame._meta
        return partitions_of(empty, query, _unknown(empty), cluster)

    def _axes(self, partitions: Partitions) -> list[pd.Index[Any]]:
        """Return the keys, without labels, and the models."""
        groups, models = partitions.empty.groups, partitions.empty.models
        keys = []
        if groups is not None and partitions.by:
            every: Any = groups.index(np.zeros(0, np.intp))
            keys.append(every if partitions.keys == [*partitions.by] else every.droplevel(-1))
        return [*keys, *([] if models is None else [models])]

    def _lazily(
        self, partitions: Partitions, finish: Callable[..., Any], meta: Any, **options: Any
    ) -> Any:
        """Count each partition, add the counts in a tree, and finish with their sum."""
        frame = self._columns(partitions)
        if partitions.rankings:
            return _collected(score_by_ranges(frame, partitions, finish, options), meta)
        return frame.reduction(
            chunk=partitions.count,
            combine=sum_parts,
            aggregate=finish,
            meta=meta,
            aggregate_kwargs=options,
            split_every=TABLES_AT_ONCE,
        )

    def _columns(self, partitions: Partitions) -> Any:
        """Return the columns that the query reads."""
        return self._frame[[name for name in partitions.columns if name in self._frame.columns]]

    def _cube(self, partitions: Partitions) -> xr.DataArray:
        axes, shape = self._laid_out(partitions)
        meta = pd.Series(dtype=np.int64 if partitions.empty.weights is None else float)
        cells = self._lazily(partitions, partitions.cells, meta, axes=axes)
        array = cells.to_dask_array(lengths=(math.prod(shape),)).reshape(shape)
        return labelled(array, axes, partitions.empty.classes.dtype)

    def _matrices(
        self, partitions: Partitions, metric: Metric, options: dict[str, Any]
    ) -> xr.DataArray:
        """Compute a metric of scores that has a value per pair of classes."""
        import dask.array

        da: Any = dask.array  # untyped
        axes, shape = self._laid_out(partitions)
        arguments = {"axes": axes, "name": metric.name, "options": options}
        matrices = score_by_ranges(
            self._columns(partitions), partitions, partitions.matrices, arguments
        )
        array = da.from_delayed(matrices, shape, float)
        matrix = labelled(array, axes, partitions.empty.classes.dtype)
        return as_quantity(matrix, metric.name)

    def _laid_out(self, partitions: Partitions) -> tuple[list[pd.Index[Any]], tuple[int, ...]]:
        """Return the labels of the keys and the models, and the shape with the classes."""
        names_of_axes([level for axis in self._axes(partitions) for level in levels_of(axis)])
        labels = partitions.known_labels
        if unknown := [key for key in partitions.keys if key not in labels]:
            occurring = partitions.labels_in(self._groups(partitions))
            labels |= {key: occurring[key] for key in unknown}
        axes, n_classes = partitions.axes(labels), len(partitions.empty.classes)
        return axes, (*map(len, axes), n_classes, n_classes)

    def _warn_of_repeats(self, partitions: Partitions, instead_of: str | None) -> None:
        """Warn if rows are repeats of the same row, from a pass over the columns of the folds."""
        if partitions.empty.folds is None or partitions.cluster:
            return
        cases = cases_in(self._frame, partitions.query, partitions.keys)
        warn_of_repeats(cases, instead_of)

    def _groups(self, partitions: Partitions) -> pd.DataFrame:
        """Return the keys of all groups, from a pass over the columns of the keys."""
        keys = [name for name in partitions.key_columns if name in self._frame.columns]
        groups: pd.DataFrame = (
            self._frame[keys]
            .reduction(
                chunk=partitions.groups_in,
                aggregate=distinct,
                meta=pd.DataFrame(),
                split_every=TABLES_AT_ONCE,
            )
            .compute()
        )
        return groups


def _collected(result: Delayed, meta: Any) -> Any:
    """Return a delayed result as a Dask object of the kind of `meta`."""
    import dask.dataframe
    from dask.delayed import delayed

    dd: Any = dask.dataframe  # untyped
    if isinstance(meta, float):
        value = dd.from_delayed([delayed(pd.Series)([result])], meta=pd.Series(dtype=float))
        return value.reduction(chunk=pd.Series.max, aggregate=_number, meta=meta)
    return dd.from_delayed([result], meta=meta, verify_meta=False)


def _number(values: pd.Series[float]) -> float:
    return float(values.iloc[0])


def _scored_by(metrics: Iterable[Resolved], partitions: Partitions) -> Partitions:
    """Return partitions that add up what metrics of rows need, or raise for wrong options."""
    for metric, options in metrics:
        if metric.row_terms is not None:
            raise ValueError(
                f"{metric.name} needs the rows in memory, since it fits them together: "
                f"{_in_memory(f'{metric.name}(...)')}"
            )
        if metric.of_rows:
            score_sample(partitions.empty, metric, options)
    return partitions.scored_by(metrics)


def _refuse_rows(metrics: Iterable[Resolved], call: str = "report(...)") -> None:
    """Raise for intervals that need more than counts."""
    for metric, _ in metrics:
        if metric.of_rows:
            raise ValueError(
                f"ci= and se= of {metric.name} need the rows in memory: {_in_memory(call)}"
            )


def _in_memory(call: str) -> str:
    """Explain how to call what needs the rows in memory."""
    return f"read the columns with ddf[[...]].compute().ordinal.{call}"


def _unknown(empty: pd.DataFrame) -> list[Hashable]:
    """Return the Categorical columns whose categories Dask does not know.

    Dask treats dictionaries that pyarrow or Polars wrote as known, without any category.
    """
    import dask.dataframe.utils

    utils: Any = dask.dataframe.utils  # untyped
    return [
        name
        for name, labels in empty.select_dtypes("category").items()
        if not (len(labels.cat.categories) and utils.has_known_categories(labels))
    ]
