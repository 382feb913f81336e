"""Scorers: metrics as functions of a fitted estimator and rows, for `scoring=` of scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.utils.metadata_routing import MetadataRequest

from pandas_ordinal.accessors import ordinal
from pandas_ordinal.classes.bins import BinsLike
from pandas_ordinal.classes.gate import ClassesLike, declared
from pandas_ordinal.errors import ClassOrderError
from pandas_ordinal.hints import explains_arguments
from pandas_ordinal.metrics import resolve
from pandas_ordinal.metrics.metric import Resolved
from pandas_ordinal.reports.metrics import Classes, MetricLike, classes_of, metrics_of_report
from pandas_ordinal.sklearn.estimators import (
    ScoreFrom,
    column_of,
    predicted_labels,
    predicted_probabilities,
    predicted_score,
    refuse_other_lengths,
)


@dataclass(eq=False)  # so that it is hashable, like a function
class OrdinalScorer:
    """A scorer that knows the order of the classes, made by `scorer`.

    Parameters
    ----------
    metric : str or callable
        The metric: its name, its kernel, or a partial of its kernel.
    classes : CategoricalDtype
        The classes.
    bins : sequence or None
        The edges of the classes.
    response_method : str
        The method that gives the score.
    weight_request : bool, str or None
        Whether metadata routing passes sample weights, and under which name.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = [[0], [1], [2], [3]], [0, 0, 1, 2]
    >>> score = po.sklearn.scorer("mae", classes=[0, 1, 2])
    >>> score(DecisionTreeClassifier().fit(X, y), X, y)
    0.0
    """

    metric: MetricLike
    classes: pd.CategoricalDtype
    bins: BinsLike | None
    response_method: ScoreFrom
    weight_request: bool | str | None = None

    @property
    def name(self) -> str:
        """The name of the metric; ``neg_`` precedes that of an error, which is negated."""
        metric = resolve(self.metric).metric
        return metric.name if metric.greater_is_better else f"neg_{metric.name}"

    def __repr__(self) -> str:
        """Return the name and the classes."""
        return f"{self.name}(classes={self.classes.categories.tolist()})"

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Score a fitted estimator on rows; greater is better.

        Parameters
        ----------
        estimator : estimator
            The fitted estimator.
        X : array_like
            The features.
        y : array_like
            The true classes.
        sample_weight : array_like, optional
            The weights of the rows.

        Returns
        -------
        float
            The value of the metric, negated if lower values are better; NaN where undefined.
        """
        metric = resolve(self.metric).metric
        rows = {"y": column_of(y)}
        arguments: dict[str, Any] = {metric.takes: metric.takes}
        if metric.takes == "proba":
            arguments["proba"] = predicted_probabilities(estimator, X, self.classes)
        elif metric.takes == "score":
            rows["score"] = predicted_score(estimator, X, self.classes, self.response_method)
        else:
            rows["pred"] = predicted_labels(estimator, X)
        predictions = arguments["proba"] if metric.takes == "proba" else rows[metric.takes]
        refuse_other_lengths(len(predictions), y=rows["y"], sample_weight=sample_weight)
        if sample_weight is not None:
            rows["sample_weight"] = sample_weight
            arguments["sample_weight"] = "sample_weight"
        columns = {name: pd.Series(column).array for name, column in rows.items()}
        report = ordinal(pd.DataFrame(columns)).report(
            "y", metrics=[self.metric], classes=self.classes, bins=self.bins, **arguments
        )
        value = float(report[metric.name])
        return value if metric.greater_is_better else 0 - value

    def get_metadata_routing(self) -> Any:
        """Return the metadata that the scorer requests: sample weights.

        Returns
        -------
        MetadataRequest
            The request.
        """
        request = MetadataRequest(owner=type(self).__name__)
        request.score.add_request(param="sample_weight", alias=self.weight_request)
        return request

    def set_score_request(self, *, sample_weight: bool | str | None) -> Self:
        """Request sample weights, or none, if metadata routing is enabled.

        Parameters
        ----------
        sample_weight : bool, str or None
            As in scikit-learn's own scorers.

        Returns
        -------
        OrdinalScorer
            The scorer itself.
        """
        self.weight_request = sample_weight
        return self

    def _accept_sample_weight(self) -> bool:
        # scikit-learn asks each scorer of a dict if metadata routing is not enabled
        return True


@explains_arguments
def scorer(
    metric: MetricLike,
    *,
    classes: ClassesLike | None = None,
    bins: BinsLike | None = None,
    response_method: ScoreFrom = "auto",
) -> OrdinalScorer:
    """Make a scorer from a metric, for `scoring=` in scikit-learn.

    Greater is better for a scorer: errors are negated, and their ``.name`` begins with ``neg_``.

    Parameters
    ----------
    metric : str or callable
        A metric that has a direction: its name in `po.metrics.registry`, its kernel, or a
        `functools.partial` of its kernel that sets options.
    classes : sequence
        The classes from lowest to highest, or anything with an ordered categorical dtype, such as
        the target. A fold may lack a class, so the scorer has to know all of them.
    bins : sequence, optional
        The edges of the classes, one more than there are classes, or an IntervalIndex, for metrics
        that need them.
    response_method : {"auto", "predict_proba", "decision_function", "predict"}
        The source of the score, for metrics of scores: the expected class by ``predict_proba``, a
        ``decision_function`` with one number per row, or the prediction of a regressor. "auto"
        uses the first that the estimator has. Other metrics need no choice.

    Returns
    -------
    OrdinalScorer
        A function ``(estimator, X, y, sample_weight=None)`` that can be pickled. It returns NaN
        where the metric is undefined.

    Raises
    ------
    ClassOrderError
        If no classes are given.
    TypeError
        If the kernel has no such option.
    ValueError
        If the metric is unknown, has no direction, or gives one number per class.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas_ordinal as po
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = np.arange(12)[:, None], np.repeat(["low", "mid", "high"], 4)
    >>> by_mae = po.sklearn.scorer("mae", classes=["low", "mid", "high"])
    >>> by_mae
    neg_mae(classes=['low', 'mid', 'high'])
    >>> model = DecisionTreeClassifier(max_depth=1, random_state=0)
    >>> cross_val_score(model, X, y, scoring=by_mae, cv=2).round(2).tolist()
    [-0.33, -0.67]
    """
    if classes is None:
        raise ClassOrderError(
            "a scorer needs classes=[...], lowest first, or the whole target if it is an ordered "
            "column, classes=df['y']: a fold may lack a class"
        )
    dtype = declared(classes)
    requested = resolve(metric).metric
    if requested.output:
        raise ValueError(
            f"{requested.name} gives one number per class, but a scorer returns a single number"
        )
    if requested.greater_is_better is None:
        raise ValueError(
            f"{requested.name} has no direction (higher or lower is better), so that it cannot "
            "choose between estimators"
        )
    if response_method != "auto" and requested.needs != "scores":
        raise ValueError(
            f"response_method= is for metrics of scores, but {requested.name} is a metric of "
            f"{requested.needs}: omit it"
        )
    known = classes_of(dtype, bins)
    (resolved,) = metrics_of_report([metric], known, [requested.takes]).values()
    _try(resolved, known)
    return OrdinalScorer(metric, dtype, bins, response_method)


def _try(resolved: Resolved, classes: Classes) -> None:
    """Score one row of each class, so that wrong options raise now, and not during a search."""
    metric, options = resolved
    function: Any = classes.function(metric, options)
    codes = np.arange(len(classes))
    if metric.needs == "scores":
        function(codes, codes, len(classes))
    elif metric.needs == "probabilities":
        function(codes, np.eye(len(classes)))
    else:
        function(np.eye(len(classes)))
