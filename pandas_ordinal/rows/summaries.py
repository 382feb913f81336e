"""Tables behind `summary`, `accuracy_curve`, `roc_surface`, `best_thresholds` and `classify`."""

from __future__ import annotations

import functools
from collections.abc import Hashable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from pandas_ordinal import metrics
from pandas_ordinal.classes.columns import scores_of
from pandas_ordinal.classes.gate import ClassesLike, declared, same_classes
from pandas_ordinal.classes.labelled import align
from pandas_ordinal.counting.arrays import Array, Codes
from pandas_ordinal.cube.layout import VECTOR_DIM, class_index
from pandas_ordinal.errors import ClassOrderError
from pandas_ordinal.groups import levels_of, names_of_keys
from pandas_ordinal.metrics.stack import plain_array
from pandas_ordinal.query import Query, Uncertainty
from pandas_ordinal.reports.metrics import MetricLike, MetricsLike
from pandas_ordinal.rows.gather import sample_of_report
from pandas_ordinal.rows.sample import Sample
from pandas_ordinal.rows.table import FrameTable, native_columns


def summary_over_folds(
    table: FrameTable, query: Query, over: Hashable | list[Any], metrics: MetricsLike | None
) -> pd.DataFrame:
    """Return mean and standard deviation over folds, and the pooled value, of each metric."""
    by, folds = ([] if one is None else names_of_keys(one) for one in (query.by, over))
    if not folds:
        raise ValueError("over= must name the columns of the folds, such as 'fold'")
    by_fold = replace(query, by=[*by, *folds])
    groups = table.groups(by_fold)
    if groups is not None and not isinstance(groups.keep, slice):  # drops rows without a fold
        table = FrameTable(native_columns(table.frame)[groups.keep])
    of_folds = sample_of_report(table, by_fold).report(metrics, Uncertainty())
    pooled = sample_of_report(table, query).report(metrics, Uncertainty())
    assert isinstance(of_folds, pd.DataFrame)
    values = of_folds.drop(columns="n")
    keys: list[pd.Index[Any]] = []
    parent = np.zeros(len(values), np.intp)
    if isinstance(pooled, pd.DataFrame):
        keys = levels_of(pooled.index)
        levels = levels_of(values.index)
        retained = [*levels[: len(by)], *levels[len(by) + len(folds) :]]
        labels = retained[0] if len(retained) == 1 else pd.MultiIndex.from_arrays(retained)
        parent = pooled.index.get_indexer(labels)
        pooled = pooled.drop(columns="n")
    else:
        pooled = pooled.drop("n")
    names = list(values.columns)
    if "metric" in [key.name for key in keys]:
        raise ValueError("by= names a key 'metric', as summary does: rename the column")
    if not names:
        raise ValueError("metrics= is empty: name one or more metrics to summarize")
    n_rows = pooled.size // len(names)
    grouped = values.groupby(parent)
    parts = {"mean": grouped.mean(), "std": grouped.std(ddof=1), "n_folds": grouped.count()}
    columns = {
        name: part.reindex(range(n_rows)).to_numpy().ravel() for name, part in parts.items()
    }
    columns["n_folds"] = np.nan_to_num(columns["n_folds"]).astype(np.int64)
    columns["pooled"] = pooled.to_numpy(dtype=float).ravel()
    metric = pd.Index(names * n_rows, name="metric")
    if not keys:
        return pd.DataFrame(columns, metric)
    repeated = [key.repeat(len(names)) for key in keys]
    return pd.DataFrame(columns, pd.MultiIndex.from_arrays([*repeated, metric]))


def accuracy_curves(sample: Sample) -> pd.Series[float] | pd.DataFrame:
    """Return the accuracy within 0 to K - 1 classes, one column per distance."""
    within = {
        str(k): functools.partial(metrics.accuracy_within, k=k) for k in range(sample.n_classes)
    }
    curves = sample.report(within, Uncertainty())
    distances = pd.RangeIndex(sample.n_classes, name="k")
    if isinstance(curves, pd.Series):
        return curves.drop("n").set_axis(distances).rename("accuracy_within")
    return curves.drop(columns="n").set_axis(distances, axis=1)


MOST_DRAWN = {2: 2000, 3: 60}  # scores, by the number of classes

ThresholdsLike: TypeAlias = "Sequence[Any] | npt.NDArray[Any] | pd.Series[Any] | pd.DataFrame"


def roc_frame(rows: Sample, thresholds: ThresholdsLike | None) -> pd.DataFrame:
    """Return points of the ROC surface: thresholds in the index, one column per class."""
    classes = class_index(rows.classes.dtype, VECTOR_DIM)
    given = None if thresholds is None else plain_array("thresholds", thresholds)
    limits, rates = metrics.roc_surface(
        *_arrays(rows),
        thresholds=None if given is None else np.atleast_2d(given),
        sample_weight=rows.weights,
    )
    names = [f"{low}|{high}" for low, high in pairwise(classes)]
    if len(names) == 1:
        index: pd.Index[Any] = pd.Index(limits[:, 0], name=names[0])
    elif names:
        index = pd.MultiIndex.from_arrays(list(limits.T), names=names)
    else:
        index = pd.RangeIndex(len(rates))
    return pd.DataFrame(rates, index, classes)


def roc_grid(rows: Sample) -> pd.DataFrame:
    """Return the points of the ROC curve or surface for a picture, thinned if there are many."""
    n_classes = len(rows.classes.dtype.categories)
    if n_classes not in (2, 3):
        raise ValueError(
            f"a ROC surface of {n_classes} classes has {n_classes} dimensions: a picture shows "
            "two or three; roc_surface has the numbers"
        )
    codes, scores, _ = _arrays(rows)
    absent = [
        label for k, label in enumerate(rows.classes.dtype.categories) if not (codes == k).any()
    ]
    if absent:
        raise ValueError(f"class {absent[0]!r} has no row and thus no rate to draw")
    distinct = np.unique(scores[codes >= 0]).astype(float)
    if len(distinct) > MOST_DRAWN[n_classes]:
        places = np.linspace(0, len(distinct) - 1, MOST_DRAWN[n_classes]).round().astype(int)
        distinct = distinct[places]
    limits = np.union1d([-np.inf], distinct)
    pairs = np.column_stack(np.triu_indices(len(limits))) if n_classes == 3 else None
    return roc_frame(rows, limits[pairs] if pairs is not None else limits[:, None])


def best_series(rows: Sample, costs: Any, metric: MetricLike | None) -> pd.Series[float]:
    """Return the best thresholds, each labelled by the class below it."""
    if costs is not None:
        costs = align("costs", costs, rows.classes.dtype, rows.classes.dtype)
    if isinstance(metric, functools.partial):
        metric = functools.partial(metric, **rows.classes.aligned(metric.keywords))
    best = metrics.best_thresholds(
        *_arrays(rows), costs=costs, metric=metric, sample_weight=rows.weights
    )
    index = class_index(rows.classes.dtype, VECTOR_DIM)[:-1]
    return pd.Series(best, index, name="threshold")


def classified(
    name: Any, column: pd.Series[Any], thresholds: ThresholdsLike, classes: ClassesLike | None
) -> pd.Series[Any]:
    """Return the classes of scores, given thresholds."""
    of_index = None
    if isinstance(thresholds, pd.Series) and isinstance(thresholds.index, pd.CategoricalIndex):
        of_index = _classes_of(thresholds)
    if classes is not None:
        dtype = declared(classes)
        if of_index is not None and not same_classes(of_index, dtype):
            raise ClassOrderError(
                f"thresholds are those of the classes {list(of_index.categories)}, but classes= "
                f"has {list(dtype.categories)}: leave classes= out"
            )
    elif of_index is not None:
        dtype = of_index
    else:
        raise ClassOrderError(
            "thresholds have no classes: give classes=[...], lowest first, or the result of "
            "best_thresholds"
        )
    n_classes = len(dtype.categories)
    given = plain_array("thresholds", thresholds)
    if given.shape != (n_classes - 1,):
        raise ValueError(
            f"thresholds of shape {given.shape} must be {n_classes - 1} numbers for "
            f"{n_classes} classes"
        )
    codes = metrics.classify(scores_of(name, column), given)
    return pd.Series(pd.Categorical.from_codes(codes, dtype=dtype), column.index, name=column.name)


def _classes_of(thresholds: pd.Series[Any]) -> pd.CategoricalDtype:
    """Return the classes in the index of a result of `best_thresholds`."""
    index = thresholds.index
    if not isinstance(index, pd.CategoricalIndex) or not index.ordered:
        raise ClassOrderError(
            "the index of thresholds declares no classes: give classes=[...], lowest first"
        )
    expected = np.arange(len(index.categories) - 1)
    if not np.array_equal(index.codes, expected):
        raise ClassOrderError(
            f"thresholds are labelled {list(index)}, but must be one for each of the classes "
            f"{list(index.categories[:-1])}, in their order"
        )
    return pd.CategoricalDtype(index.categories, ordered=True)


def _arrays(rows: Sample) -> tuple[Codes, Array, int]:
    """Return the true classes, the scores and the number of classes."""
    return rows.counted[0], rows.inputs["score"][0].array[:], rows.n_classes
