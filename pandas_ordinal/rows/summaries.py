"""Tables behind `summary`, `accuracy_curve`, `roc_surface`, `best_thresholds` and `classify`."""

from __future__ import annotations

import functools
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from pandas_ordinal import metrics
from pandas_ordinal.classes.columns import refuse_no_label, scores_of
from pandas_ordinal.classes.gate import ClassesLike, declared, same_classes
from pandas_ordinal.classes.labelled import align
from pandas_ordinal.counting.arrays import Array, Codes, Floats, Positions, Probabilities
from pandas_ordinal.cube.layout import VECTOR_DIM, class_index, product, refuse_same_names
from pandas_ordinal.errors import ClassOrderError, brief, warn_undefined
from pandas_ordinal.groups import levels_of, names_of_keys, with_empty_bins
from pandas_ordinal.metrics.stack import plain_array
from pandas_ordinal.metrics.thresholds import NoThresholds, best_by_shares
from pandas_ordinal.query import ABSENT, Query, Uncertainty
from pandas_ordinal.reports.metrics import MetricLike, MetricsLike
from pandas_ordinal.rows.gather import sample, sample_of_report
from pandas_ordinal.rows.results import laid_out_over
from pandas_ordinal.rows.sample import Sample
from pandas_ordinal.rows.scored import report_sample
from pandas_ordinal.rows.table import FrameTable


def summary_over_folds(
    table: FrameTable, query: Query, over: Hashable | list[Any], metrics: MetricsLike | None
) -> pd.DataFrame:
    """Return mean and standard deviation over folds, and the pooled value, of each metric."""
    by, folds = ([] if one is None else names_of_keys(one) for one in (query.by, over))
    if not folds:
        raise ValueError("over= must name the columns of the folds, such as 'fold'")
    for name in folds:
        refuse_no_label("over", name, "a list has several, such as ['repeat', 'fold']")
    by_fold = replace(query, by=[*by, *folds])
    groups = table.groups(by_fold)
    if groups is not None and not isinstance(groups.keep, slice):  # drops rows without a fold
        table = table.where(groups.keep)
    of_folds = report_sample(sample_of_report(table, by_fold), metrics, Uncertainty())
    rows = sample_of_report(table, query)
    pooled = report_sample(rows, metrics, Uncertainty())
    assert isinstance(of_folds, pd.DataFrame)
    values = of_folds.drop(columns="n")
    keys: list[pd.Index[Any]] = []
    parent = np.zeros(len(values), np.intp)
    if isinstance(pooled, pd.DataFrame):
        keys = levels_of(pooled.index)
        levels = levels_of(values.index)
        n_keys = len(keys) - (rows.models is not None)
        retained = [*levels[:n_keys], *levels[n_keys + len(folds) :]]
        parent = _labels(keys).get_indexer(_labels(retained))
        pooled = pooled.drop(columns="n")
    else:
        pooled = pooled.drop("n")
    names = list(values.columns)
    if not names:
        raise ValueError("metrics= names no metric: leave it out, or give metrics=['mae', 'oci']")
    if "metric" in [key.name for key in keys]:
        raise ValueError("by= names a key 'metric', as summary does: rename the column")
    n_rows = pooled.size // len(names)
    grouped = values.groupby(parent)
    parts = {"mean": grouped.mean(), "std": grouped.std(ddof=1), "n_folds": grouped.count()}
    columns = {
        name: part.reindex(range(n_rows)).to_numpy().ravel() for name, part in parts.items()
    }
    columns["n_folds"] = np.nan_to_num(columns["n_folds"]).astype(np.int64)
    columns["pooled"] = pooled.to_numpy(dtype=float).ravel()
    metric = pd.Index(names * n_rows, name="metric")
    repeated = [key.repeat(len(names)) for key in keys]
    index = pd.MultiIndex.from_arrays([*repeated, metric]) if keys else metric
    summary = pd.DataFrame(columns, index)
    summary.attrs = of_folds.attrs
    return summary


def _labels(levels: list[pd.Index[Any]]) -> pd.Index[Any]:
    """Return an index of these levels."""
    return levels[0] if len(levels) == 1 else pd.MultiIndex.from_arrays(levels)


def accuracy_curves(rows: Sample) -> pd.Series[float] | pd.DataFrame:
    """Return the accuracy within 0 to K - 1 classes, one column per distance."""
    within = {
        str(k): functools.partial(metrics.accuracy_within, k=k) for k in range(rows.n_classes)
    }
    curves = report_sample(rows, within, Uncertainty())
    distances = pd.RangeIndex(rows.n_classes, name="k")
    if isinstance(curves, pd.Series):
        return curves.drop("n").set_axis(distances).rename("accuracy_within")
    return curves.drop(columns="n").set_axis(distances, axis=1)


MOST_DRAWN = {2: 2000, 3: 60}  # scores, by the number of classes

ThresholdsLike: TypeAlias = "Sequence[Any] | npt.NDArray[Any] | pd.Series[Any] | pd.DataFrame"


class ScoresOfGroup(NamedTuple):
    """The true classes, scores and weights of the rows of a group, and their soft labels."""

    true: Codes
    score: Array
    weights: Floats | None
    proba: Floats | None = None


def ranked(table: FrameTable, query: Query) -> Sample:
    """Read the rows of a query with a single score."""
    refuse_no_label("score", query.score, "thresholds are those of a single score")
    return sample(table, query)


def rows_for_thresholds(table: FrameTable, query: Query) -> Sample:
    """Read rows with forecasts in place of the scores, of the true classes, or of both."""
    _refuse_wrong_inputs(query)
    rows = sample(table, query)
    if rows.models is not None:
        raise TypeError(
            "thresholds are those of a single forecast: give its columns, such as "
            "proba=['low', 'mid', 'high']"
        )
    return rows


def _refuse_wrong_inputs(query: Query) -> None:
    """Raise unless forecasts are given, or else labels and a score; but not all three."""
    has_true, has_score = query.true is not ABSENT, query.score is not ABSENT
    if has_score:
        otherwise = "thresholds are those of a single score; probabilities belong in proba=[...]"
        refuse_no_label("score", query.score, otherwise)
    if query.proba is ABSENT and not (has_true and has_score):
        lacking = 'score="score"' if has_true else 'true="y"'
        raise ValueError(
            f"thresholds need {lacking}, the label of a column, or proba=[...], the columns of "
            "the probabilities"
        )
    if query.proba is not ABSENT and has_true and has_score:
        raise ValueError(
            "true= and score= are all that thresholds need: drop proba=; or drop true=, for "
            "thresholds without labels, or score=, for those of the expected class"
        )
    if query.ignore is not None and not has_true:
        raise ValueError(
            "ignore= leaves out true classes, but there are none without true=: drop ignore="
        )


def roc_frame(rows: Sample, thresholds: ThresholdsLike | None) -> pd.DataFrame:
    """Return points of the ROC surface: keys and thresholds in the index, a column per class."""
    _refuse_groups(thresholds)
    given = None if thresholds is None else np.atleast_2d(plain_array("thresholds", thresholds))
    points = [_roc_points(one, rows.n_classes, given) for one in _by_group(rows)]
    n_points = [len(rates) for _, rates in points]
    classes = class_index(rows.classes.dtype, VECTOR_DIM)
    keys = _keys(rows)
    levels = [] if keys is None else levels_of(keys.repeat(n_points))
    limits = np.concatenate([np.empty((0, len(classes) - 1)), *(one for one, _ in points)])
    for (low, high), column in zip(pairwise(classes), limits.T, strict=True):
        levels.append(pd.Index(column, name=f"{low}|{high}"))
    if keys is not None:
        refuse_same_names([*(level.name for level in levels), VECTOR_DIM])
    index = _labels(levels) if levels else pd.RangeIndex(sum(n_points))
    rates = np.concatenate([np.empty((0, len(classes))), *(rates for _, rates in points)])
    return pd.DataFrame(rates, index, classes)


def roc_grids(rows: Sample) -> tuple[pd.Index[Any] | None, list[pd.DataFrame]]:
    """Return the keys, and the points of each ROC curve or surface, thinned for a picture."""
    classes = class_index(rows.classes.dtype, VECTOR_DIM)
    if len(classes) not in MOST_DRAWN:
        raise ValueError(
            f"a ROC surface of {len(classes)} classes has {len(classes)} dimensions: a picture "
            "shows two or three; roc_surface has the numbers"
        )
    keys, grids = _keys(rows), []
    for group, one in enumerate(_by_group(rows)):
        absent = [label for k, label in enumerate(classes) if not (one.true == k).any()]
        if absent:
            which, remedy = "", ""
            if keys is not None:
                which, remedy = (
                    f" in the group {brief(keys.tolist()[group])} of by=",
                    ": leave this group out",
                )
            raise ValueError(
                f"class {absent[0]!r} has no row{which} among the true labels, and thus no "
                f"rate to draw{remedy}"
            )
        limits = _grid(one, len(classes))
        grids.append(pd.DataFrame(_roc_points(one, len(classes), limits)[1], columns=classes))
    if not grids:
        raise ValueError("there are no rows, and thus no rates to draw")
    return keys, grids


def _grid(rows: ScoresOfGroup, n_classes: int) -> Floats:
    """Return the thresholds of a picture."""
    distinct = np.unique(rows.score[rows.true >= 0]).astype(float)
    if len(distinct) > MOST_DRAWN[n_classes]:
        places = np.linspace(0, len(distinct) - 1, MOST_DRAWN[n_classes]).round().astype(int)
        distinct = distinct[places]
    limits = np.union1d([-np.inf], distinct)
    if n_classes == 2:
        return limits[:, None]
    return limits[np.column_stack(np.triu_indices(len(limits)))]


def best_series(
    table: FrameTable, query: Query, costs: Any, metric: MetricLike | None
) -> pd.Series[float]:
    """Return the best thresholds of each group, each labelled by the class below it."""
    rows = rows_for_thresholds(table, query)
    if costs is not None:
        costs = align("costs", costs, rows.classes.dtype, rows.classes.dtype)
    if isinstance(metric, functools.partial):
        metric = functools.partial(metric, **rows.classes.aligned(metric.keywords))
    keys, best, undefined = _keys(rows), [], []
    for group, one in enumerate(_by_group(rows, is_soft=query.true is ABSENT)):
        try:
            thresholds = _best_of(one, rows.n_classes, costs=costs, metric=metric)
        except NoThresholds:
            if keys is None:
                raise
            thresholds = np.full(rows.n_classes - 1, np.nan)
            undefined += [repr(keys.tolist()[group])] * bool((one.true >= 0).any())
        best.append(thresholds)
    axes: list[pd.Index[Any]] = [class_index(rows.classes.dtype, VECTOR_DIM)[:-1]]
    values = np.reshape(best, (len(best), rows.n_classes - 1))
    if undefined:
        warn_undefined("best_thresholds", undefined)
    if keys is not None:
        every, places = with_empty_bins(keys)
        axes.insert(0, every)
        values = laid_out_over(values, places, every, np.nan)
    return pd.Series(values.ravel(), product(axes), name="threshold")


def _keys(rows: Sample) -> pd.Index[Any] | None:
    """Return the keys of the groups that have rows; None if all rows are one group."""
    return None if rows.groups is None else rows.groups.index(rows.segments()[1])


def _best_of(rows: ScoresOfGroup, n_classes: int, **aim: Any) -> Floats:
    """Return the best thresholds for costs or a metric."""
    if rows.proba is None:
        weights = rows.weights
        return metrics.best_thresholds(
            rows.true, rows.score, n_classes, sample_weight=weights, **aim
        )
    shares = rows.proba if rows.weights is None else rows.proba * rows.weights[:, None]
    return best_by_shares(rows.score, shares, **aim)


def _by_group(rows: Sample, is_soft: bool = False) -> Iterator[ScoresOfGroup]:
    """Yield the rows of each group that has any; soft labels are the forecasts."""
    true, score, weights = rows.counted[0], _scores(rows), rows.weights
    for part in _parts(rows):
        there = part[true[part] >= 0] if is_soft else part
        proba = rows.inputs["proba"][0].array[there] if is_soft else None
        weight = None if weights is None else weights[there]
        yield ScoresOfGroup(true[there], score[there], weight, proba)


def _parts(rows: Sample) -> list[Positions]:
    """Return the positions of the rows of each group that has any."""
    if rows.groups is None:
        return [np.arange(len(rows.true.codes))]
    segment, numbers = rows.segments()
    order = np.argsort(segment, kind="stable")
    ends = np.cumsum(np.bincount(segment, minlength=len(numbers)))
    return np.split(order, ends)[: len(numbers)]


def _scores(rows: Sample) -> Array:
    """Return the scores, or else the expected classes of the rows that count."""
    if "score" in rows.inputs:
        return rows.inputs["score"][0].array[:]
    there, proba = rows.counted[0] >= 0, rows.inputs["proba"][0].array
    assert isinstance(proba, Probabilities)
    expected = np.full(len(there), np.nan)
    expected[there] = metrics.expected_class(proba[there], atol=proba.sums_within)
    return expected


def _roc_points(
    rows: ScoresOfGroup, n_classes: int, thresholds: Array | None
) -> tuple[Floats, Floats]:
    """Return the thresholds and the rates of points of a ROC surface."""
    return metrics.roc_surface(
        rows.true, rows.score, n_classes, thresholds=thresholds, sample_weight=rows.weights
    )


def classified(
    name: Any, column: pd.Series[Any], thresholds: ThresholdsLike, classes: ClassesLike | None
) -> pd.Series[Any]:
    """Return the classes of scores, given thresholds."""
    limits, dtype = limits_and_classes(thresholds, classes)
    codes = metrics.classify(scores_of(name, column), limits)
    return pd.Series(pd.Categorical.from_codes(codes, dtype=dtype), column.index, name=column.name)


def limits_and_classes(
    thresholds: ThresholdsLike, classes: ClassesLike | None
) -> tuple[Array, pd.CategoricalDtype]:
    """Return thresholds as an array, one fewer than the classes, and these."""
    of_index = None
    _refuse_groups(thresholds)
    if isinstance(thresholds, pd.Series) and getattr(thresholds.index, "ordered", False):
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
    return given, dtype


def _refuse_groups(thresholds: ThresholdsLike | None) -> None:
    """Raise if these are the thresholds of several groups."""
    if not isinstance(thresholds, pd.Series) or thresholds.empty:
        return
    labels = thresholds.index
    if isinstance(labels, pd.MultiIndex) and labels.names[-1] == VECTOR_DIM:
        *keys, _ = labels[:1].tolist()[0]
        key = keys[0] if len(keys) == 1 else tuple(keys)
        raise ValueError(
            "thresholds are those of several groups: give those of one, such as "
            f"thresholds.loc[{key!r}]"
        )


def _classes_of(thresholds: pd.Series[Any]) -> pd.CategoricalDtype:
    """Return the classes in the index of a result of `best_thresholds`."""
    index: Any = thresholds.index
    expected = np.arange(len(index.categories) - 1)
    if not np.array_equal(index.codes, expected):
        raise ClassOrderError(
            f"thresholds are labelled {list(index)}, but must be one for each of the classes "
            f"{list(index.categories[:-1])}, in their order"
        )
    return pd.CategoricalDtype(index.categories, ordered=True)
