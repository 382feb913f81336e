"""What is given to be fitted: estimators, and rows with their true labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils import indexable
from sklearn.utils.validation import _num_samples, column_or_1d

from pandas_ordinal.classes import refuse_joined
from pandas_ordinal.foreign import named, way
from pandas_ordinal.messages import Given, an

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
