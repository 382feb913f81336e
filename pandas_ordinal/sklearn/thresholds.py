"""A classifier that turns a score into classes, by thresholds chosen on out-of-fold scores."""

from __future__ import annotations

from functools import partial
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from pandas_ordinal import metrics
from pandas_ordinal.classes.gate import ClassesLike, declared
from pandas_ordinal.counting.arrays import Array
from pandas_ordinal.errors import refuse_wrong_values, signature_of
from pandas_ordinal.hints import explains_arguments
from pandas_ordinal.reports.metrics import MetricLike
from pandas_ordinal.sklearn.cross_val import (
    Fit,
    classes_for_classifiers,
    codes_of_target,
    folds_of,
    labels_for_classifiers,
    predict_folds,
)
from pandas_ordinal.sklearn.estimators import (
    ScoreFrom,
    indexable_rows,
    predicted_score,
    refuse_other_than_estimator,
)


def _refuse_other_than_labels(y: Array) -> None:
    """Raise the usual error for continuous numbers."""
    try:
        with np.errstate(invalid="ignore"):
            check_classification_targets(y)
    except (TypeError, ValueError) as error:  # a TypeError for text next to None
        raise ValueError(f"y must hold classes: {error}") from error


class OrdinalThresholds(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Predict classes from a score, by the thresholds that are best according to a metric.

    The thresholds are chosen on out-of-fold scores; then the estimator is fitted to all rows.

    Parameters
    ----------
    estimator : estimator
        The estimator that gives the score: a regressor, which is fitted to the positions of the
        classes, from 0; or a classifier.
    metric : str or callable, default "mae"
        A metric of counts that has a direction: its name, its kernel, or a `functools.partial`
        of its kernel that sets options.
    classes : sequence, optional
        The classes from lowest to highest. Default: those that the target declares.
    response_method : {"auto", "predict_proba", "decision_function", "predict"}
        The source of the score: the expected class by ``predict_proba``, a ``decision_function``
        with one number per row, or the prediction of a regressor. "auto" uses the first that the
        estimator has.
    cv : int, splitter or iterable, optional
        The folds, as in `sklearn.model_selection.cross_validate`. Default: five, stratified by
        class.
    n_jobs : int, optional
        How many fits run at a time; -1 for one per core.

    Attributes
    ----------
    estimator_ : estimator
        The estimator, fitted to all rows.
    thresholds_ : ndarray, shape (K - 1,)
        The thresholds: a score in ``thresholds_[k - 1] < score <= thresholds_[k]`` is class k.
    classes_ : ndarray, shape (K,)
        The classes from lowest to highest.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas_ordinal as po
    >>> from sklearn.linear_model import LinearRegression
    >>> X, y = np.arange(12)[:, None], np.repeat([0, 1, 2], [7, 3, 2])
    >>> model = po.sklearn.OrdinalThresholds(LinearRegression(), metric="oci", cv=2).fit(X, y)
    >>> model.thresholds_.round(2).tolist()
    [1.16, 1.44]
    >>> model.predict([[0], [9], [12]]).tolist()
    [0, 1, 2]
    """

    def __init__(
        self,
        estimator: Any,
        *,
        metric: MetricLike = "mae",
        classes: ClassesLike | None = None,
        response_method: ScoreFrom = "auto",
        cv: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.metric = metric
        self.classes = classes
        self.response_method: ScoreFrom = response_method
        self.cv = cv
        self.n_jobs = n_jobs

    @explains_arguments
    def fit(self, X: Any, y: Any) -> Self:
        """Choose the thresholds on out-of-fold scores, and fit the estimator to all rows.

        Parameters
        ----------
        X : array_like, shape (n, ...)
            The features.
        y : array_like, shape (n,)
            The true classes.

        Returns
        -------
        OrdinalThresholds
            The fitted classifier.

        Raises
        ------
        ClassOrderError, UnknownClassError, MissingValueError
            If the order of the classes is unknown, a label is not a class, or a label is missing.
        ValueError
            If the estimator gives no score, or the metric cannot choose thresholds.
        """
        refuse_other_than_estimator("estimator", self.estimator)
        refuse_wrong_values(OPTIONS, self.get_params(deep=False))
        X, y, _ = indexable_rows(X, y)
        if self.classes is None and not isinstance(y, pd.Series):
            _refuse_other_than_labels(y)
        codes, dtype = codes_of_target(y, self.classes)
        self.classes_ = np.asarray(dtype.categories)
        labels, known = labels_for_classifiers(y, codes, dtype)
        target = codes if is_regressor(self.estimator) else labels
        score = partial(predicted_score, classes=known, response_method=self.response_method)
        folds = folds_of(self.cv, X, labels)
        fits = [Fit(self.estimator, target, fold, score) for fold in folds]
        scores = np.concatenate(list(predict_folds(fits, X, self.n_jobs)))
        rows = np.concatenate([fold.test for fold in folds])
        self.thresholds_ = metrics.best_thresholds(
            codes[rows], scores, len(self.classes_), metric=self.metric
        )
        estimator: Any = clone(self.estimator)
        self.estimator_ = estimator.fit(X, target)
        for attribute in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, attribute):
                setattr(self, attribute, getattr(self.estimator_, attribute))
        return self

    def predict_score(self, X: Any) -> Array:
        """Return the scores, which the thresholds cut into classes.

        Parameters
        ----------
        X : array_like, shape (n, ...)
            The features.

        Returns
        -------
        ndarray, shape (n,)
            Higher for higher classes.
        """
        check_is_fitted(self)
        known = classes_for_classifiers(declared(self.classes_))
        return predicted_score(self.estimator_, X, known, self.response_method)

    def predict(self, X: Any) -> Array:
        """Return the class of each row.

        Parameters
        ----------
        X : array_like, shape (n, ...)
            The features.

        Returns
        -------
        ndarray, shape (n,)
            The predicted labels.
        """
        score = self.predict_score(X)
        labels: Array = self.classes_[metrics.classify(score, self.thresholds_)]
        return labels

    def __sklearn_tags__(self) -> Any:
        """Accept the same input as the estimator."""
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        return tags


OPTIONS = signature_of(OrdinalThresholds.__init__).parameters
