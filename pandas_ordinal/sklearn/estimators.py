"""What is given to be fitted: estimators, and rows with their true labels."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import pandas as pd
from sklearn.base import is_regressor
from sklearn.utils import indexable
from sklearn.utils.validation import _num_samples, column_or_1d

from pandas_ordinal import metrics
from pandas_ordinal.classes.gate import cast, positions_of, refuse_joined
from pandas_ordinal.counting.arrays import Array, Codes, Positions
from pandas_ordinal.errors import ClassOrderError, Given, UnknownClassError, an, named, show, way

Y = Given("y", "y", "pd.Series(y)")


def refuse_no_estimator(called: str, estimator: Any) -> None:
    """Raise if an estimator is a class, or nothing that can be fitted."""
    if isinstance(estimator, type):
        raise TypeError(
            f"{called} is a class: give an instance of it, as {estimator.__name__}(...)"
        )
    if not hasattr(estimator, "fit"):
        raise TypeError(
            f"{called} is {estimator!r}, which cannot be fitted: give an estimator, as "
            "sklearn.tree.DecisionTreeClassifier()"
        )


def rows_of(X: Any, y: Any, groups: Any = None) -> tuple[Any, Any, Any]:
    """Return features, true labels and groups from which rows can be taken by position."""
    _refuse_dask("X", X)
    y = column_of(y)
    refuse_other_lengths(_num_samples(X), y=y, groups=groups)
    X, y, groups = indexable(X, y, groups)
    return X, y, groups


def column_of(y: Any) -> Any:
    """Return labels as a Series if they have a dtype of pandas, else as an array."""
    _refuse_dask("y", y)
    if isinstance(y, np.ma.MaskedArray):
        raise ValueError(
            "y is a masked array, whose mask scikit-learn ignores: leave out the masked rows, as "
            "with X[~y.mask] and y.compressed()"
        )
    if hasattr(y, "to_pandas"):  # of Polars, Arrow and xarray
        if hasattr(y, "chunks") and hasattr(getattr(y, "type", None), "ordered"):
            refuse_joined(Y, y)
        y = y.to_pandas()
    if isinstance(y, pd.DataFrame) and y.shape[1] == 1:
        y = y.iloc[:, 0]
    if isinstance(y, (pd.Index, pd.api.extensions.ExtensionArray)):
        y = pd.Series(y)
    return y if isinstance(y, pd.Series) else column_or_1d(y, warn=True)


def refuse_other_lengths(n_rows: int, **given: Any) -> None:
    """Raise unless what is given has a value for each row; None is left out."""
    for name, values in given.items():
        if values is not None and (length := _num_samples(values)) != n_rows:
            raise ValueError(
                f"{name} has {length} values, but X has {n_rows} rows: give one for each row"
            )


def _refuse_dask(name: str, given: Any) -> None:
    """Raise for what Dask has not computed, of which scikit-learn takes no rows."""
    if named(given).startswith("dask"):
        raise TypeError(f"{name} is {an(named(given))}: {way(given)}")


ScoreFrom: TypeAlias = Literal["auto", "predict_proba", "decision_function", "predict"]


class Said(NamedTuple):
    """What an estimator says of rows: codes, and probabilities and a score if it gives any."""

    codes: Codes
    proba: Array | None
    score: Array | None


def refuse_other_method(response_method: Any) -> None:
    """Raise unless a score can come from this method."""
    if response_method not in get_args(ScoreFrom):
        raise ValueError(
            f"response_method={response_method!r} must be one of "
            f"{', '.join(map(repr, get_args(ScoreFrom)))}"
        )


def labels_of(estimator: Any, X: Any) -> Array:
    """Return the predicted labels, one a row."""
    labels: Array = column_or_1d(estimator.predict(X))
    return labels


def probabilities_of(estimator: Any, X: Any, classes: pd.CategoricalDtype) -> Array:
    """Return the probabilities of the classes, in their order; 0 for one it has not seen.

    The columns of an estimator are in the order of its `classes_`, alphabetical for text.
    """
    if not hasattr(estimator, "predict_proba"):
        raise ValueError(
            f"{type(estimator).__name__} has no predict_proba, which gives probabilities: take an "
            "estimator that has it, or wrap this one in CalibratedClassifierCV"
        )
    places = _places(estimator, classes)
    seen = np.asarray(estimator.predict_proba(X))
    if seen.shape[1:] != places.shape:
        raise ValueError(
            f"predict_proba of {type(estimator).__name__} gives shape {seen.shape}, but its "
            f"classes_ are {show(pd.Index(estimator.classes_))}: it must give a column for each"
        )
    probabilities = np.zeros((len(seen), len(classes.categories)), seen.dtype)
    probabilities[:, places] = seen
    return probabilities


def score_of(
    estimator: Any, X: Any, classes: pd.CategoricalDtype, response_method: ScoreFrom = "auto"
) -> Array | None:
    """Return a number a row, higher for higher classes; None if the estimator gives none.

    By default it comes from the first method that the estimator has.
    """
    method: str | None = response_method
    if response_method == "auto":
        methods = ("predict_proba", "predict_score", "decision_function")
        method = next((one for one in methods if hasattr(estimator, one)), None)
        if method is None and is_regressor(estimator):
            method = "predict"
    if method is None or not hasattr(estimator, method):
        return None
    if method == "predict_proba":
        return np.asarray(metrics.expected_class(probabilities_of(estimator, X, classes)))
    score = np.asarray(getattr(estimator, method)(X))
    if score.ndim > 1 or score.dtype.kind not in "iuf":
        return None
    if method == "predict_score":
        _refuse_reversed(estimator, _places(estimator, classes), classes)
    if method == "decision_function":
        places = _places(estimator, classes)
        return -score if len(places) == 2 and places[0] > places[1] else score
    return score


def sure_score_of(
    estimator: Any, X: Any, classes: pd.CategoricalDtype, response_method: ScoreFrom
) -> Array:
    """Return a number a row, or say why there is none."""
    score = score_of(estimator, X, classes, response_method)
    if score is None:
        raise ValueError(
            f"{type(estimator).__name__} gives no score, which is one number a row: it needs "
            "predict_proba, whose expected class is a score, or a decision_function of one "
            "number a row, or to be a regressor"
        )
    if np.isnan(score).any():
        raise ValueError(f"{type(estimator).__name__} gives a score of NaN, which has no class")
    return score


def said_by(name: Any, classes: pd.CategoricalDtype, estimator: Any, X: Any) -> Said:
    """Read all that a fitted estimator says of rows."""
    codes = cast(name, pd.Series(labels_of(estimator, X)), classes)
    if hasattr(estimator, "predict_proba"):
        proba = probabilities_of(estimator, X, classes)
        return Said(codes, proba, np.asarray(metrics.expected_class(proba)))
    return Said(codes, None, score_of(estimator, X, classes))


def _refuse_reversed(estimator: Any, places: Positions, classes: pd.CategoricalDtype) -> None:
    """Raise if the scores of an estimator are higher for classes that are lower here."""
    if (np.diff(places) < 0).any():
        raise ClassOrderError(
            f"{type(estimator).__name__} orders the classes "
            f"{show(pd.Index(estimator.classes_))}, but classes= says "
            f"{show(classes.categories)}: give both the same order"
        )


def _places(estimator: Any, classes: pd.CategoricalDtype) -> Positions:
    """Return where the classes of an estimator are among those declared."""
    labels = pd.Index(estimator.classes_)
    places = positions_of(labels, classes)
    if (places < 0).any():
        raise UnknownClassError(
            f"{type(estimator).__name__} was fitted to {show(labels[places < 0])}, which "
            f"classes={show(classes.categories)} lacks: give all classes, lowest first"
        )
    return places
