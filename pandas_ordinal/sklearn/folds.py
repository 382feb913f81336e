"""Estimators fitted to the training rows of folds, and what they say of the other rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.model_selection import check_cv
from sklearn.utils.metaestimators import _safe_split
from sklearn.utils.parallel import Parallel, delayed

from pandas_ordinal.arrays import Codes, Positions
from pandas_ordinal.classes import ClassesLike, codes_of, declared, refuse_missing
from pandas_ordinal.sklearn.inputs import Y


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
