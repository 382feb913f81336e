"""What estimators predict out of fold, as a frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import is_regressor
from sklearn.utils import indexable

from pandas_ordinal.accessors.base import answered
from pandas_ordinal.arrays import Array, Positions
from pandas_ordinal.classes import ClassesLike
from pandas_ordinal.inference.bootstrap import shown
from pandas_ordinal.sklearn.answers import Said, column_of, said_by
from pandas_ordinal.sklearn.folds import Fit, Fold, folds_of, read_all, target_of

COLUMNS = ["row", "model", "repeat", "fold", "group", "y", "yhat", "score"]


@answered
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
    """Return what estimators predict out of fold: the frame that every other call takes.

    Parameters
    ----------
    estimators : dict
        The estimators by the names of the models. They are cloned, and all get the same folds.
    X : array_like, shape (n, ...)
        The features.
    y : array_like, shape (n,)
        The true classes.
    cv : int, splitter or iterable, optional
        The folds, as in `sklearn.model_selection.cross_validate`; a number of folds is stratified
        by class. Default: five folds.
    classes : sequence, optional
        The classes from lowest to highest. Default: those that `y` declares.
    groups : array_like, shape (n,), optional
        The group of each row, for splitters such as `GroupKFold`. The frame has it as a column,
        for ``cluster="group"``.
    n_jobs : int, optional
        How many fits run at a time; -1 for one on each core.
    progress : bool, default False
        Show how many fits are done. It needs tqdm.

    Returns
    -------
    DataFrame
        A line for each model and each row of `X` that it predicts. ``row`` is the position of the
        row, from 0. ``model`` is a name. ``repeat`` and ``fold`` count from 1; within one
        repeat each row is predicted once at most. ``y`` and ``yhat`` are ordered Categoricals.
        ``score`` and a column for each class, named as it, are there if any model has them, and
        NaN for the others. A score is the expected class by ``predict_proba``, or what
        ``predict_score`` or ``decision_function`` gives.

    Raises
    ------
    ClassOrderError, UnknownClassError, MissingValueError
        If the order of the classes is unknown, a label is none of them, or one is missing.
    TypeError
        If the estimators are no dict, or one is a regressor.
    ValueError
        If a class has the name of another column.

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
        raise TypeError(f"estimators={estimators!r} must be a dict {{name: estimator}}")
    for name, estimator in estimators.items():
        if is_regressor(estimator):
            raise TypeError(
                f"{name!r} is a regressor, which predicts no classes: give it thresholds, as "
                "po.sklearn.OrdinalThresholds(regressor)"
            )
    X, y, groups = indexable(X, column_of(y), groups)
    codes, dtype = target_of(y, classes)
    refuse_clash(dtype)
    folds = folds_of(cv, X, y, groups)
    fits = [
        Fit(estimator, fold, partial(said_by, name, dtype))
        for name, estimator in estimators.items()
        for fold in folds
    ]
    answers = read_all(fits, X, y, n_jobs)
    said = list(shown(answers, "fit", len(fits)) if progress else answers)
    rows = np.concatenate([fit.fold.test for fit in fits])
    columns = {
        "row": rows,
        "model": pd.Index(list(estimators), tupleize_cols=False).repeat(
            len(rows) // len(estimators)
        ),
        **counted([fit.fold for fit in fits]),
        **({} if groups is None else {"group": pd.Series(groups).array.take(rows)}),
        "y": pd.Categorical.from_codes(codes[rows], dtype=dtype),
        **read(said, dtype),
    }
    return pd.DataFrame(columns)


def refuse_clash(classes: pd.CategoricalDtype) -> None:
    """Raise if a class has the name of another column of the frame."""
    clash = [label for label in classes.categories if label in COLUMNS]
    if clash:
        raise ValueError(
            f"a class has the name of a column of the frame, {clash[0]!r}: rename the class"
        )


def counted(folds: Sequence[Fold]) -> dict[str, Positions]:
    """Return the repeat and the fold of each row."""
    sizes = [len(fold.test) for fold in folds]
    return {
        "repeat": np.repeat([fold.repeat for fold in folds], sizes),
        "fold": np.repeat([fold.fold for fold in folds], sizes),
    }


def read(said: Sequence[Said], classes: pd.CategoricalDtype) -> dict[Any, Any]:
    """Return the columns of what the estimators say."""
    codes = np.concatenate([one.codes for one in said])
    columns: dict[Any, Any] = {"yhat": pd.Categorical.from_codes(codes, dtype=classes)}
    sizes = [len(one.codes) for one in said]
    score = joined([one.score for one in said], sizes)
    if score is not None:
        columns["score"] = score
    proba = joined([one.proba for one in said], sizes)
    if proba is not None:
        columns |= dict(zip(classes.categories, proba.T, strict=True))
    return columns


def joined(parts: Sequence[Array | None], sizes: Sequence[int]) -> Array | None:
    """Join what there is for each fit, NaN where there is nothing; None if there never is."""
    known = next((part for part in parts if part is not None), None)
    if known is None:
        return None
    return np.concatenate(
        [
            np.full((size, *known.shape[1:]), np.nan) if part is None else part
            for part, size in zip(parts, sizes, strict=True)
        ]
    )
