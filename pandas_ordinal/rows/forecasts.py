"""Class probabilities of rows whose true classes need not be known, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pandas_ordinal import metrics
from pandas_ordinal.classes.columns import ProbaLike, probabilities_of, several_columns
from pandas_ordinal.classes.gate import ClassesLike, classes_of_columns, declared
from pandas_ordinal.counting.arrays import Array, Probabilities, refuse_wrong_atol
from pandas_ordinal.errors import ClassOrderError, show
from pandas_ordinal.reports.metrics import classes_of
from pandas_ordinal.rows.table import Table


@dataclass(frozen=True)
class ForecastRows:
    """The class probabilities of rows.

    Attributes
    ----------
    proba : Probabilities
        The probabilities, checked in the rows that have all of them.
    known : ndarray of bool
        Which rows these are.
    classes : CategoricalDtype
        The classes.
    index : Index
        The labels of the rows.
    """

    proba: Probabilities
    known: npt.NDArray[np.bool_]
    classes: pd.CategoricalDtype
    index: pd.Index[Any]

    def expected(self) -> pd.Series[float]:
        """Return the expected class of each row."""
        expected = self._by(metrics.expected_class, np.full(len(self.index), np.nan))
        return pd.Series(expected, self.index, name="expected_class")

    def decided(self, rule: Callable[..., Any], **options: Any) -> pd.Series[Any]:
        """Return the class of each row by a rule; options may be labelled by class."""
        aligned = classes_of(self.classes, None).aligned(options)
        codes = self._by(rule, np.full(len(self.index), -1), **aligned)
        decided = pd.Categorical.from_codes(codes, dtype=self.classes)
        return pd.Series(decided, self.index, name=rule.__name__)

    def _by(self, rule: Callable[..., Any], values: Array, **options: Any) -> Array:
        """Put what a rule returns into the values of the rows that have all probabilities."""
        values[self.known] = rule(self.proba[self.known], atol=self.proba.sums_within, **options)
        return values


def forecasts(
    table: Table, proba: ProbaLike, classes: ClassesLike | None, atol: float | None
) -> ForecastRows:
    """Read class probabilities without truth."""
    refuse_wrong_atol(atol)
    dtype = classes_of_forecasts(proba, classes)
    given = probabilities_of(table.proba(proba, dtype), atol, "atol")
    known = np.logical_and.reduce([~np.isnan(column) for column in given.columns])
    given.refuse_wrong(np.where(known, 0, -1), table.index)
    return ForecastRows(given, known, dtype, table.index)


def classes_of_forecasts(proba: ProbaLike, classes: ClassesLike | None) -> pd.CategoricalDtype:
    """Return the classes that are given, or that the names of the columns declare."""
    if isinstance(proba, np.ndarray) and proba.ndim == 2:
        refuse_array_without_classes(classes is not None)
        labels = pd.Series(dtype=object)
    else:
        columns = several_columns(proba)
        labels = pd.Series(columns if isinstance(columns, pd.CategoricalIndex) else list(columns))
    if classes is not None:
        return declared(classes)
    try:
        return classes_of_columns([("proba", labels)])
    except ClassOrderError as error:
        raise ClassOrderError(
            f"proba= names the classes {show(labels.tolist())} in no declared order: give "
            "classes=[...], lowest first, or the dtype of the true classes, such as df['y'].dtype"
        ) from error


def refuse_array_without_classes(is_declared: bool) -> None:
    """Raise if the classes of the columns of an array of probabilities are not declared."""
    if not is_declared:
        raise ClassOrderError(
            "proba= is an array, whose columns have no names: give classes=[...], in the order of "
            "its columns"
        )
