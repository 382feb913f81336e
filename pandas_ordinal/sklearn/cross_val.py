"""Estimators fitted to the training rows of folds, and what they say of the other rows."""

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

from pandas_ordinal.classes.gate import ClassesLike, codes_of, declared, refuse_missing
from pandas_ordinal.counting.arrays import Array, Codes, Positions
from pandas_ordinal.hints import explains_arguments
from pandas_ordinal.inference.report import with_progress
from pandas_ordinal.sklearn.estimators import Said, Y, refuse_no_estimator, rows_of, said_by


class Fold(NamedTuple):
    """Rows to be fitted to and rows to be predicted; the repeat and its fold, from 1."""

    train: Positions
    test: Positions
    repeat: int
    fold: int


class Fit(NamedTuple):
    """An estimator to be fitted to labels in a fold, and what to read from it and rows then."""

    estimator: Any
    y: Any
    fold: Fold
    read: Callable[[Any, Any], Any]


def target_of(y: Any, classes: ClassesLike | None) -> tuple[Codes, pd.CategoricalDtype]:
    """Return the codes and the classes of the true labels, of which none is missing."""
    if classes is not None:
        classes = declared(classes)
        _refuse_mixed(classes)
    (codes,), dtype = codes_of([(Y, pd.Series(y))], classes)
    _refuse_mixed(dtype)
    refuse_missing(Y, int((codes < 0).sum()), "df.dropna(subset=['y'])")
    return codes, dtype


def learnt(y: Any, codes: Codes, classes: pd.CategoricalDtype) -> tuple[Any, pd.CategoricalDtype]:
    """Return what classifiers are fitted to, and the classes as these know them.

    They take the labels as they are, but of bins the positions.
    """
    known = known_to_classifiers(classes)
    if known is classes:
        return y, classes
    return pd.Series(pd.Categorical.from_codes(codes, dtype=known)), known


def known_to_classifiers(classes: pd.CategoricalDtype) -> pd.CategoricalDtype:
    """Return the classes as classifiers know them, which take no intervals as labels."""
    if not isinstance(classes.categories, pd.IntervalIndex):
        return classes
    return pd.CategoricalDtype(pd.RangeIndex(len(classes.categories)), ordered=True)


def _refuse_mixed(classes: pd.CategoricalDtype) -> None:
    """Raise if the classes are labels of several types, which scikit-learn cannot sort."""
    kinds = {type(label).__name__: label for label in classes.categories}
    if len(kinds) > 1 and pd.api.types.infer_dtype(classes.categories) in (
        "mixed",
        "mixed-integer",
    ):
        one, other, *_ = kinds.values()
        raise ValueError(
            f"the classes are labels of several types, as {one!r} and {other!r}, which "
            "scikit-learn cannot sort: make text of all"
        )


def folds_of(cv: Any, X: Any, y: Any, groups: Any = None) -> list[Fold]:
    """Split rows; a repeat ends before a row would be predicted twice."""
    folds = []
    repeat = fold = 1
    seen = np.zeros(len(y), bool)
    splitter: Any = check_cv(cv, y, classifier=True)
    if groups is not None:
        _refuse_without_groups(cv, splitter)
    for train, test in splitter.split(X, y, groups):
        if seen[test].any():
            repeat, fold = repeat + 1, 1
            seen[:] = False
        seen[test] = True
        folds.append(Fold(train, np.arange(len(y))[test], repeat, fold))
        fold += 1
    if not folds:
        raise ValueError(f"cv={cv!r} makes no folds: give a number of folds or a splitter")
    return folds


def _refuse_without_groups(cv: Any, splitter: Any) -> None:
    """Raise if a number or a splitter of scikit-learn takes no account of groups."""
    given = isinstance(cv, Iterable) and not hasattr(cv, "split")
    knows = hasattr(splitter, "set_split_request")  # scikit-learn's have it if they take groups
    if hasattr(splitter, "get_metadata_routing") and not (knows or given):
        raise ValueError(
            f"cv={cv!r} takes no account of groups=: give a splitter that does, as "
            "cv=StratifiedGroupKFold(5), or the folds themselves, as cv=list(splitter.split(X, y))"
        )


def read_all(fits: Sequence[Fit], X: Any, n_jobs: int | None) -> Iterator[Any]:
    """Yield what is read from each fit, in their order, as soon as it is there."""
    yield from Parallel(n_jobs=n_jobs, return_as="generator")(
        delayed(_read)(fit, X) for fit in fits
    )


def _read(fit: Fit, X: Any) -> Any:
    """Fit a copy of the estimator, and read the rows that it has not seen."""
    X_train, y_train = _safe_split(fit.estimator, X, fit.y, fit.fold.train)
    X_test, _ = _safe_split(fit.estimator, X, fit.y, fit.fold.test, fit.fold.train)
    estimator: Any = clone(fit.estimator)
    return fit.read(estimator.fit(X_train, y_train), X_test)


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
    """Return what estimators predict out of fold: the frame that every other call takes.

    Parameters
    ----------
    estimators : dict
        The estimators by the names of the models. They are cloned, and all get the same folds.
    X : array_like, shape (n, ...)
        The features.
    y : array_like, shape (n,)
        The true classes: labels, or anything of an ordered dtype, which is kept. Of bins
        classifiers learn the positions.
    cv : int, splitter or iterable, optional
        The folds, as in `sklearn.model_selection.cross_validate`; a number of folds is stratified
        by class. Default: five folds.
    classes : sequence, optional
        The classes from lowest to highest. Default: those that `y` declares.
    groups : array_like, shape (n,), optional
        The group of each row, for splitters such as `GroupKFold`, which it needs. The frame has
        it as a column, for ``cluster="group"``.
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
        If the estimators are no dict, or one is a regressor or cannot be fitted.
    ValueError
        If a class has the name of another column, the folds take no account of the groups, or `y`
        or `groups` has not a value for each row.

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
        refuse_no_estimator(repr(name), estimator)
        if is_regressor(estimator):
            raise TypeError(
                f"{name!r} is a regressor, which predicts no classes: give it thresholds, as "
                "po.sklearn.OrdinalThresholds(regressor)"
            )
    X, y, groups = rows_of(X, y, groups)
    codes, dtype = target_of(y, classes)
    refuse_clash(dtype, COLUMNS if groups is not None else set(COLUMNS) - {"group"})
    labels, known = learnt(y, codes, dtype)
    folds = folds_of(cv, X, labels, groups)
    fits = [
        Fit(estimator, y, fold, partial(said_by, name, dtype))
        if hasattr(estimator, "predict_score")  # an OrdinalThresholds, which takes bins itself
        else Fit(estimator, labels, fold, partial(said_by, name, known))
        for name, estimator in estimators.items()
        for fold in folds
    ]
    answers = read_all(fits, X, n_jobs)
    said = list(with_progress(answers, "fit", len(fits)) if progress else answers)
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


def refuse_clash(classes: pd.CategoricalDtype, columns: Collection[str]) -> None:
    """Raise if a class has the name of another column of the frame."""
    clash = [label for label in classes.categories if label in columns]
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
    score = concatenated([one.score for one in said], sizes)
    if score is not None:
        columns["score"] = score
    proba = concatenated([one.proba for one in said], sizes)
    if proba is not None:
        columns |= dict(zip(classes.categories, proba.T, strict=True))
    return columns


def concatenated(parts: Sequence[Array | None], sizes: Sequence[int]) -> Array | None:
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
