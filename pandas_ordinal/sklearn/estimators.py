"""Check estimators and rows; read labels, probabilities and scores from fitted estimators."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import pandas as pd
from sklearn.base import is_regressor
from sklearn.utils import indexable
from sklearn.utils.validation import _num_samples, column_or_1d

from pandas_ordinal import metrics
from pandas_ordinal.classes.arrow import series_of
from pandas_ordinal.classes.gate import codes_in_classes, positions_of
from pandas_ordinal.counting.arrays import Array, Codes, Positions
from pandas_ordinal.errors import (
    ClassOrderError,
    Named,
    UnknownClassError,
    an,
    brief,
    conversion_hint,
    kind_of,
    show,
)

Y = Named("y", "y", "pd.Series(y)")


def refuse_other_than_estimator(called: str, estimator: Any) -> None:
    """Raise if an estimator is a class, or cannot be fitted."""
    if isinstance(estimator, type):
        raise TypeError(
            f"{called} is a class: give an instance of it, such as {estimator.__name__}(...)"
        )
    if not hasattr(estimator, "fit"):
        raise TypeError(
            f"{called} is {brief(estimator)}, which cannot be fitted: give an estimator, such as "
            "sklearn.tree.DecisionTreeClassifier()"
        )


def indexable_rows(X: Any, y: Any, groups: Any = None) -> tuple[Any, Any, Any]:
    """Return features, true labels and groups, whose rows can be selected by position."""
    _refuse_dask("X", X)
    y = column_of(y)
    refuse_other_lengths(_n_rows("X", X), y=y, groups=groups)
    try:
        X, y, groups = indexable(X, y, groups)
    except TypeError as error:
        raise TypeError(f"X must be an array or a table with a row per case: {error}") from error
    return X, y, groups


def column_of(y: Any) -> Any:
    """Return labels as a Series if their dtype is one of pandas, otherwise as an array."""
    _refuse_dask("y", y)
    if isinstance(y, np.ma.MaskedArray):
        raise ValueError(
            "y is a masked array, whose mask scikit-learn ignores: leave out the masked rows "
            "with X[~y.mask] and y.compressed()"
        )
    y = series_of(Y, y)
    if isinstance(y, pd.DataFrame) and y.shape[1] == 1:
        y = y.iloc[:, 0]
    if isinstance(y, pd.MultiIndex) or getattr(getattr(y, "dtype", None), "names", None):
        raise TypeError("y must have one label per row, not several")
    if isinstance(y, (pd.Index, pd.api.extensions.ExtensionArray)):
        y = pd.Series(y)
    if isinstance(y, pd.Series):
        return y
    try:
        return column_or_1d(y, warn=True)
    except (TypeError, ValueError) as error:
        raise ValueError(f"y must have one label per row: {error}") from error


def refuse_other_lengths(n_rows: int, **given: Any) -> None:
    """Raise unless each argument that is not None has one value per row."""
    for name, values in given.items():
        if values is not None and (length := _n_rows(name, values)) != n_rows:
            raise ValueError(
                f"{name} has {length} values, but X has {n_rows} rows: give one per row"
            )


def _n_rows(name: str, values: Any) -> int:
    try:
        return int(_num_samples(values))
    except TypeError as error:
        raise TypeError(
            f"{name} must be an array or a table with a row per case, not {an(kind_of(values))}"
        ) from error


def _refuse_dask(name: str, given: Any) -> None:
    """Raise for an object of Dask, from which scikit-learn cannot select rows."""
    if kind_of(given).startswith("dask"):
        raise TypeError(f"{name} is {an(kind_of(given))}: {conversion_hint(given)}")


ScoreFrom: TypeAlias = Literal["auto", "predict_proba", "decision_function", "predict"]


class Predictions(NamedTuple):
    """The predictions of an estimator: codes, and probabilities and a score if it has them."""

    codes: Codes
    proba: Array | None
    score: Array | None


def predicted_labels(estimator: Any, X: Any) -> Array:
    """Return the predicted labels, one per row."""
    labels: Array = column_or_1d(estimator.predict(X))
    return labels


def predicted_probabilities(estimator: Any, X: Any, classes: pd.CategoricalDtype) -> Array:
    """Return the probabilities of the classes, in their order; 0 for one it has not seen.

    The columns of an estimator are in the order of its `classes_`, which is alphabetical for text.
    """
    if not hasattr(estimator, "predict_proba"):
        raise ValueError(
            f"{type(estimator).__name__} has no predict_proba, which gives probabilities: use an "
            "estimator that has it, or wrap this one in CalibratedClassifierCV"
        )
    positions = _positions(estimator, classes)
    seen = np.asarray(estimator.predict_proba(X))
    if seen.shape[1:] != positions.shape:
        raise ValueError(
            f"predict_proba of {type(estimator).__name__} gives shape {seen.shape}, but its "
            f"classes_ are {show(pd.Index(estimator.classes_))}: it must give one column per class"
        )
    probabilities = np.zeros((len(seen), len(classes.categories)), seen.dtype)
    probabilities[:, positions] = seen
    return probabilities


def score_or_none(
    estimator: Any, X: Any, classes: pd.CategoricalDtype, response_method: ScoreFrom = "auto"
) -> Array | None:
    """Return one number per row, higher for higher classes; None if the estimator gives none.

    By default it is read from the first method that the estimator has.
    """
    method: str | None = response_method
    if response_method == "auto":
        methods = ("predict_proba", "predict_score", "decision_function")
        method = next((name for name in methods if hasattr(estimator, name)), None)
        if method is None and is_regressor(estimator):
            method = "predict"
    if method is None or not hasattr(estimator, method):
        return None
    if method == "predict_proba":
        return np.asarray(metrics.expected_class(predicted_probabilities(estimator, X, classes)))
    score = np.asarray(getattr(estimator, method)(X))
    if score.ndim > 1 or score.dtype.kind not in "iuf":
        return None
    if method == "predict_score":
        _refuse_reversed(estimator, _positions(estimator, classes), classes)
    if method == "decision_function":
        positions = _positions(estimator, classes)
        return -score if len(positions) == 2 and positions[0] > positions[1] else score
    return score


def predicted_score(
    estimator: Any, X: Any, classes: pd.CategoricalDtype, response_method: ScoreFrom
) -> Array:
    """Return the score, one number per row, or raise if the estimator gives none."""
    score = score_or_none(estimator, X, classes, response_method)
    if score is None:
        raise ValueError(
            f"{type(estimator).__name__} gives no score, one number per row: it needs "
            "predict_proba, whose expected class is a score, or a decision_function with one "
            "number per row, or to be a regressor"
        )
    if np.isnan(score).any():
        raise ValueError(f"{type(estimator).__name__} gives a score of NaN, which is in no class")
    return score


def predictions_of(name: Any, classes: pd.CategoricalDtype, estimator: Any, X: Any) -> Predictions:
    """Return all predictions of a fitted estimator for rows."""
    codes = codes_in_classes(name, pd.Series(predicted_labels(estimator, X)), classes)
    if hasattr(estimator, "predict_proba"):
        proba = predicted_probabilities(estimator, X, classes)
        return Predictions(codes, proba, np.asarray(metrics.expected_class(proba)))
    return Predictions(codes, None, score_or_none(estimator, X, classes))


def _refuse_reversed(estimator: Any, positions: Positions, classes: pd.CategoricalDtype) -> None:
    """Raise if an estimator orders the classes differently, so that its scores do too."""
    if (np.diff(positions) < 0).any():
        raise ClassOrderError(
            f"{type(estimator).__name__} orders the classes "
            f"{show(pd.Index(estimator.classes_))}, but classes= is "
            f"{show(classes.categories)}: give both the same order"
        )


def _positions(estimator: Any, classes: pd.CategoricalDtype) -> Positions:
    """Return the positions of an estimator's classes among the declared ones."""
    labels = pd.Index(estimator.classes_)
    positions = positions_of(labels, classes)
    if (positions < 0).any():
        raise UnknownClassError(
            f"{type(estimator).__name__} was fitted to {show(labels[positions < 0])}, which "
            f"classes={show(classes.categories)} lacks: give all classes, lowest first"
        )
    return positions
