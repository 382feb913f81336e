"""Out-of-fold predictions of estimators, as a DataFrame that `.ordinal` can score."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.base import clone, is_regressor
from sklearn.model_selection import check_cv
from sklearn.utils.metaestimators import _safe_split
from sklearn.utils.parallel import Parallel, delayed

from pandas_ordinal import inference
from pandas_ordinal.classes.gate import ClassesLike, codes_of, declared, refuse_missing
from pandas_ordinal.counting.arrays import Array, Codes, Positions
from pandas_ordinal.errors import brief, cut_short
from pandas_ordinal.hints import explains_arguments
from pandas_ordinal.sklearn.estimators import (
    Predictions,
    Y,
    indexable_rows,
    predictions_of,
    refuse_other_than_estimator,
)


class Fold(NamedTuple):
    """Rows to fit to and rows to predict; the number of the repeat and of the fold, from 1."""

    train: Positions
    test: Positions
    repeat: int
    fold: int


class Fit(NamedTuple):
    """An estimator to fit to labels in a fold, and how to predict rows by it afterwards."""

    estimator: Any
    y: Any
    fold: Fold
    predict: Callable[[Any, Any], Any]


def codes_of_target(y: Any, classes: ClassesLike | None) -> tuple[Codes, pd.CategoricalDtype]:
    """Return the codes and the classes of the true labels; raise if a label is missing."""
    if classes is not None:
        classes = declared(classes)
        _refuse_mixed(classes)
    (codes,), dtype = codes_of([(Y, pd.Series(y))], classes)
    _refuse_mixed(dtype)
    refuse_missing(Y, int((codes < 0).sum()), "df.dropna(subset=['y'])")
    return codes, dtype


def labels_for_classifiers(
    y: Any, codes: Codes, classes: pd.CategoricalDtype
) -> tuple[Any, pd.CategoricalDtype]:
    """Return the labels that classifiers are fitted to, and their classes.

    These are the labels themselves; for bins they are the positions of the classes.
    """
    known = classes_for_classifiers(classes)
    if known is classes:
        return y, classes
    return pd.Series(pd.Categorical.from_codes(codes, dtype=known)), known


def classes_for_classifiers(classes: pd.CategoricalDtype) -> pd.CategoricalDtype:
    """Return the classes of classifiers: for bins, which they reject as labels, the positions."""
    if not isinstance(classes.categories, pd.IntervalIndex):
        return classes
    return pd.CategoricalDtype(pd.RangeIndex(len(classes.categories)), ordered=True)


def _refuse_mixed(classes: pd.CategoricalDtype) -> None:
    """Raise if the labels are of several types, which scikit-learn cannot sort."""
    types = {type(label).__name__: label for label in classes.categories}
    if len(types) > 1 and pd.api.types.infer_dtype(classes.categories) in (
        "mixed",
        "mixed-integer",
    ):
        one, other, *_ = types.values()
        raise ValueError(
            f"the classes are labels of several types, such as {one!r} and {other!r}, which "
            "scikit-learn cannot sort: convert all of them to text"
        )


def folds_of(cv: Any, X: Any, y: Any, groups: Any = None) -> list[Fold]:
    """Return the folds; a new repeat starts before a row would be predicted twice."""
    folds = []
    repeat = fold = 1
    seen = np.zeros(len(y), bool)
    for train, test in _splits(cv, X, y, groups):
        if seen[test].any():
            repeat, fold = repeat + 1, 1
            seen[:] = False
        seen[test] = True
        folds.append(Fold(train, test, repeat, fold))
        fold += 1
    if not folds:
        raise ValueError(f"cv={brief(cv)} makes no folds: give a number of folds, or a splitter")
    return folds


def _splits(cv: Any, X: Any, y: Any, groups: Any) -> list[tuple[Any, Any]]:
    """Return the rows to fit and to predict of each fold."""
    try:
        splitter: Any = check_cv(cv, y, classifier=True)
        if groups is not None:
            _refuse_without_groups(cv, splitter)
        rows = np.arange(len(y))
        folds = [(rows[train], rows[test]) for train, test in splitter.split(X, y, groups)]
        if any(part.ndim != 1 for fold in folds for part in fold):
            raise ValueError("the positions of the rows of a fold are not a list")
        return folds
    except (TypeError, ValueError, IndexError) as error:
        raise ValueError(f"cv={brief(cv)} makes no folds of y: {cut_short(str(error))}") from error


def _refuse_without_groups(cv: Any, splitter: Any) -> None:
    """Raise if a number of folds or a splitter of scikit-learn ignores groups."""
    are_folds = isinstance(cv, Iterable) and not hasattr(cv, "split")
    # Splitters of scikit-learn that use groups have this method
    uses_groups = hasattr(splitter, "set_split_request")
    if hasattr(splitter, "get_metadata_routing") and not (uses_groups or are_folds):
        raise ValueError(
            f"cv={brief(cv)} ignores groups=: give a splitter that does not, such as "
            "cv=StratifiedGroupKFold(5), or the folds themselves, cv=list(splitter.split(X, y))"
        )


def predict_folds(fits: Sequence[Fit], X: Any, n_jobs: int | None) -> Iterator[Any]:
    """Yield the predictions of each fit, in their order, as soon as they are there."""
    is_number = isinstance(n_jobs, (int, np.integer)) and 0 < abs(n_jobs) < 1000
    if n_jobs is not None and not is_number:
        raise ValueError(
            f"n_jobs={brief(n_jobs)} must be a number of processes, or -1 for one per core"
        )
    yield from Parallel(n_jobs=n_jobs, return_as="generator")(
        delayed(_fit_and_predict)(fit, X) for fit in fits
    )


def _fit_and_predict(fit: Fit, X: Any) -> Any:
    """Fit a copy of the estimator, and predict the rows that it has not seen."""
    X_train, y_train = _safe_split(fit.estimator, X, fit.y, fit.fold.train)
    X_test, _ = _safe_split(fit.estimator, X, fit.y, fit.fold.test, fit.fold.train)
    estimator: Any = clone(fit.estimator)
    return fit.predict(estimator.fit(X_train, y_train), X_test)


COLUMNS = ["row", "model", "repeat", "fold", "group", "y", "yhat", "score"]


@explains_arguments
def cross_val_frame(
    estimators: Mapping[Any, Any],
    X: Any,
    y: Any,
    cv: Any = None,
    *,
    classes: ClassesLike | None = None,
    groups: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return out-of-fold predictions of estimators as a long DataFrame, ready for `.ordinal`.

    Parameters
    ----------
    estimators : dict
        The estimators, keyed by the names of the models. They are cloned, and all get the same
        folds.
    X : array_like, shape (n, ...)
        The features.
    y : array_like, shape (n,)
        The true classes: labels, or anything with an ordered dtype, which is kept. If the classes
        are bins, classifiers learn their positions.
    cv : int, splitter or iterable, optional
        The folds, as in `sklearn.model_selection.cross_validate`; an integer gives folds
        stratified by class. Default: five folds.
    classes : sequence, optional
        The classes from lowest to highest. Default: those that `y` declares.
    groups : array_like, shape (n,), optional
        The group of each row, for splitters that need groups, such as `GroupKFold`. The frame has
        it as a column, for ``cluster="group"``.
    n_jobs : int, optional
        How many fits run at a time; -1 for one per core.
    progress : bool, default False
        Show how many fits are done. This needs tqdm.

    Returns
    -------
    DataFrame
        A row per model and row of `X` that it predicts. ``row`` is the position in `X`, from 0.
        ``model`` is the name, in an ordered Categorical, so that reports and plots keep the order
        of the dict. ``repeat`` and ``fold`` count from 1; within one repeat each row is
        predicted at most once. ``y`` and ``yhat`` are ordered Categoricals. If any model gives
        scores, there is ``score``; if any gives probabilities, there is one column per class,
        named like the class. They are NaN for the other models. A score is the expected class by
        ``predict_proba``, or the result of ``predict_score`` or ``decision_function``.

    Raises
    ------
    ClassOrderError, UnknownClassError, MissingValueError
        If the order of the classes is unknown, a label is not a class, or a label is missing.
    TypeError
        If `estimators` is not a dict, or one of them is a regressor or cannot be fitted.
    ValueError
        If a class has the name of another column, the folds ignore the groups, or `y` or `groups`
        does not have one value per row.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas_ordinal as po
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = np.arange(12)[:, None], np.repeat(["low", "mid", "high"], 4)
    >>> trees = {depth: DecisionTreeClassifier(max_depth=depth) for depth in (1, 2)}
    >>> frame = po.sklearn.cross_val_frame(trees, X, y, cv=2, classes=["low", "mid", "high"])
    >>> frame.columns.tolist()
    ['row', 'model', 'repeat', 'fold', 'y', 'yhat', 'score', 'low', 'mid', 'high']
    >>> frame.ordinal.mae("y", "yhat", by="model").round(2).tolist()
    [0.5, 0.33]
    """
    if not isinstance(estimators, Mapping) or not estimators:
        raise TypeError(f"estimators={brief(estimators)} must be a dict {{name: estimator}}")
    for name, estimator in estimators.items():
        refuse_other_than_estimator(repr(name), estimator)
        if is_regressor(estimator):
            raise TypeError(
                f"{name!r} is a regressor, which predicts no classes: wrap it in thresholds, "
                "po.sklearn.OrdinalThresholds(regressor)"
            )
    X, y, groups = indexable_rows(X, y, groups)
    codes, dtype = codes_of_target(y, classes)
    refuse_clash(dtype, COLUMNS if groups is not None else set(COLUMNS) - {"group"})
    labels, known = labels_for_classifiers(y, codes, dtype)
    folds = folds_of(cv, X, labels, groups)
    fits = [
        Fit(estimator, y, fold, partial(predictions_of, name, dtype))
        if hasattr(estimator, "predict_score")  # an OrdinalThresholds, which accepts bins
        else Fit(estimator, labels, fold, partial(predictions_of, name, known))
        for name, estimator in estimators.items()
        for fold in folds
    ]
    predicted = predict_folds(fits, X, n_jobs)
    predictions = list(
        inference.report.with_progress(predicted, "fit", len(fits)) if progress else predicted
    )
    rows = np.concatenate([fit.fold.test for fit in fits])
    columns = {
        "row": rows,
        "model": model_column(list(estimators), len(rows) // len(estimators)),
        **fold_columns([fit.fold for fit in fits]),
        **({} if groups is None else {"group": pd.Series(groups).array.take(rows)}),
        "y": pd.Categorical.from_codes(codes[rows], dtype=dtype),
        **prediction_columns(predictions, dtype),
    }
    return pd.DataFrame(columns)


def model_column(models: Sequence[Any], n_rows: int) -> Any:
    """Return the model of each row, ordered as given: reports and plots keep this order."""
    names = pd.Index(models, tupleize_cols=False)
    return pd.Categorical.from_codes(np.arange(len(names)).repeat(n_rows), names, ordered=True)


def refuse_clash(classes: pd.CategoricalDtype, columns: Collection[str]) -> None:
    """Raise if a class has the name of another column of the frame."""
    clash = [label for label in classes.categories if label in columns]
    if clash:
        raise ValueError(
            f"a class has the name of a column of the frame, {clash[0]!r}: rename the class"
        )


def fold_columns(folds: Sequence[Fold]) -> dict[str, Positions]:
    """Return the columns with the repeat and the fold of each row."""
    sizes = [len(fold.test) for fold in folds]
    return {
        "repeat": np.repeat([fold.repeat for fold in folds], sizes),
        "fold": np.repeat([fold.fold for fold in folds], sizes),
    }


def prediction_columns(
    predictions: Sequence[Predictions], classes: pd.CategoricalDtype
) -> dict[Any, Any]:
    """Return the columns with the predictions of all fits."""
    codes = np.concatenate([fit.codes for fit in predictions])
    columns: dict[Any, Any] = {"yhat": pd.Categorical.from_codes(codes, dtype=classes)}
    sizes = [len(fit.codes) for fit in predictions]
    score = concatenated([fit.score for fit in predictions], sizes)
    if score is not None:
        columns["score"] = score
    proba = concatenated([fit.proba for fit in predictions], sizes)
    if proba is not None:
        columns |= dict(zip(classes.categories, proba.T, strict=True))
    return columns


def concatenated(parts: Sequence[Array | None], sizes: Sequence[int]) -> Array | None:
    """Concatenate the arrays of all fits, with NaN where a fit has none; None if all have none."""
    known = next((part for part in parts if part is not None), None)
    if known is None:
        return None
    return np.concatenate(
        [
            np.full((size, *known.shape[1:]), np.nan) if part is None else part
            for part, size in zip(parts, sizes, strict=True)
        ]
    )
