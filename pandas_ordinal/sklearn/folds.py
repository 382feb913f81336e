"""Estimators fitted to the training rows of folds, and what they say of the other rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.model_selection import check_cv
from sklearn.utils.metaestimators import _safe_split
from sklearn.utils.parallel import Parallel, delayed

from pandas_ordinal.arrays import Codes, Positions
from pandas_ordinal.classes import ClassesLike, codes_of, refuse_missing
from pandas_ordinal.messages import Given

Y = Given("y", "y", "pd.Series(y)")


class Fold(NamedTuple):
    """Rows to be fitted to and rows to be predicted; the repeat and its fold, from 1."""

    train: Positions
    test: Positions
    repeat: int
    fold: int


class Fit(NamedTuple):
    """An estimator to be fitted to a fold, and what to read from it then, given it and rows."""

    estimator: Any
    fold: Fold
    read: Callable[[Any, Any], Any]


def target_of(y: Any, classes: ClassesLike | None) -> tuple[Codes, pd.CategoricalDtype]:
    """Return the codes and the classes of the true labels, of which none is missing."""
    (codes,), dtype = codes_of([(Y, pd.Series(y))], classes)
    refuse_missing(Y, int((codes < 0).sum()))
    return codes, dtype


def folds_of(cv: Any, X: Any, y: Any, groups: Any = None) -> list[Fold]:
    """Split rows; a repeat ends before a row would be predicted twice."""
    folds = []
    repeat = fold = 1
    seen = np.zeros(len(y), bool)
    splitter: Any = check_cv(cv, y, classifier=True)
    for train, test in splitter.split(X, y, groups):
        if seen[test].any():
            repeat, fold = repeat + 1, 1
            seen[:] = False
        seen[test] = True
        folds.append(Fold(train, np.arange(len(y))[test], repeat, fold))
        fold += 1
    return folds


def read_all(fits: Sequence[Fit], X: Any, y: Any, n_jobs: int | None) -> Iterator[Any]:
    """Yield what is read from each fit, in their order, as soon as it is there."""
    yield from Parallel(n_jobs=n_jobs, return_as="generator")(
        delayed(_read)(fit, X, y) for fit in fits
    )


def _read(fit: Fit, X: Any, y: Any) -> Any:
    """Fit a copy of the estimator, and read the rows that it has not seen."""
    X_train, y_train = _safe_split(fit.estimator, X, y, fit.fold.train)
    X_test, _ = _safe_split(fit.estimator, X, y, fit.fold.test, fit.fold.train)
    estimator: Any = clone(fit.estimator)
    return fit.read(estimator.fit(X_train, y_train), X_test)
