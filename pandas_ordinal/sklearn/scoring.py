"""Scorers: functions of a fitted estimator and rows, by which scikit-learn chooses."""

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
from pandas_ordinal.metrics import resolve
from pandas_ordinal.metrics.metric import Resolved
from pandas_ordinal.reports.metrics import MetricLike, Scale, chosen, scale_of
from pandas_ordinal.sklearn.estimators import (
    ScoreFrom,
    column_of,
    labels_of,
    probabilities_of,
    refuse_other_lengths,
    refuse_other_method,
    sure_score_of,
)


@dataclass(eq=False)  # to be hashable, as functions are
class OrdinalScorer:
    """A scorer that knows the order of the classes; `scorer` makes it.

    Parameters
    ----------
    metric : str or callable
        The metric: its name, its kernel, or a partial of its kernel.
    classes : CategoricalDtype
        The classes.
    bins : sequence or None
        The edges of the classes.
    response_method : str
        Where the score comes from.
    weight_request : bool, str or None
        Whether metadata routing hands over sample weights, and by which name.
    """

    metric: MetricLike
    classes: pd.CategoricalDtype
    bins: BinsLike | None
    response_method: ScoreFrom
    weight_request: bool | str | None = None

    @property
    def name(self) -> str:
        """The name of the metric; that of an error, which is negated, begins with neg."""
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
        asked: dict[str, Any] = {metric.takes: metric.takes}
        if metric.takes == "proba":
            asked["proba"] = probabilities_of(estimator, X, self.classes)
        elif metric.takes == "score":
            rows["score"] = sure_score_of(estimator, X, self.classes, self.response_method)
        else:
            rows["pred"] = labels_of(estimator, X)
        said = asked["proba"] if metric.takes == "proba" else rows[metric.takes]
        refuse_other_lengths(len(said), y=rows["y"], sample_weight=sample_weight)
        if sample_weight is not None:
            rows["sample_weight"] = sample_weight
            asked["sample_weight"] = "sample_weight"
        columns = {name: pd.Series(column).array for name, column in rows.items()}
        scored = ordinal(pd.DataFrame(columns)).report(
            "y", metrics=[self.metric], classes=self.classes, bins=self.bins, **asked
        )
        value = float(scored[metric.name])
        return value if metric.greater_is_better else 0 - value

    def get_metadata_routing(self) -> Any:
        """Tell scikit-learn that rows may be weighted.

        Returns
        -------
        MetadataRequest
            What the scorer asks for.
        """
        request = MetadataRequest(owner=type(self).__name__)
        request.score.add_request(param="sample_weight", alias=self.weight_request)
        return request

    def set_score_request(self, *, sample_weight: bool | str | None) -> Self:
        """Ask for sample weights, or for none, where metadata routing is enabled.

        Parameters
        ----------
        sample_weight : bool, str or None
            As for scikit-learn's own scorers.

        Returns
        -------
        OrdinalScorer
            The scorer itself.
        """
        self.weight_request = sample_weight
        return self

    def _accept_sample_weight(self) -> bool:
        # scikit-learn asks each of a dict of scorers, where metadata routing is not enabled
        return True


def scorer(
    metric: MetricLike,
    *,
    classes: ClassesLike | None = None,
    bins: BinsLike | None = None,
    response_method: ScoreFrom = "auto",
) -> OrdinalScorer:
    """Make a scorer of a metric, for `scoring=` in scikit-learn.

    Greater is better for a scorer: errors are negated, and ``.name`` says so, as "neg_mae".

    Parameters
    ----------
    metric : str or callable
        A metric that has a direction: its name in `po.metrics.registry`, its kernel, or a
        `functools.partial` of its kernel that sets options.
    classes : sequence
        The classes from lowest to highest, or whatever has an ordered categorical dtype, such as
        the target. A fold may lack a class, so the scorer has to know them all.
    bins : sequence, optional
        The edges of the classes, one more than there are classes, or an IntervalIndex, for metrics
        that need them.
    response_method : {"auto", "predict_proba", "decision_function", "predict"}
        Where metrics of scores find the score: in the expected class by ``predict_proba``, in a
        ``decision_function`` of one number a row, or in what a regressor predicts. "auto" takes
        the first that the estimator has. Other metrics need no choice.

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
        If there is no such metric, it has no direction, or it gives a number for each class.

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
            "column, as classes=df['y']: a fold may lack a class"
        )
    dtype = declared(classes)
    refuse_other_method(response_method)
    found = resolve(metric).metric
    if found.output:
        raise ValueError(
            f"{found.name} gives a number for each class, and a scorer returns one number"
        )
    if found.greater_is_better is None:
        raise ValueError(
            f"{found.name} has no direction (higher or lower is better), so that no estimator is "
            "the better one by it"
        )
    if response_method != "auto" and found.needs != "scores":
        raise ValueError(
            f"response_method= says where a score comes from, but {found.name} is a metric of "
            f"{found.needs}: leave it out"
        )
    scale = scale_of(dtype, bins)
    (asked,) = chosen([metric], scale, [found.takes]).values()
    _try(asked, scale)
    return OrdinalScorer(metric, dtype, bins, response_method)


def _try(asked: Resolved, scale: Scale) -> None:
    """Score a row of each class, so that a kernel refuses wrong options before a search does."""
    metric, options = asked
    function: Any = scale.function(metric, options)
    codes = np.arange(len(scale))
    if metric.needs == "scores":
        function(codes, codes, len(scale))
    elif metric.needs == "probabilities":
        function(codes, np.eye(len(scale)))
    else:
        function(np.eye(len(scale), dtype=int))
