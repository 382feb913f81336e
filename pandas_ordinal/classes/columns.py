"""Columns: finding one in a frame, and reading scores, probabilities and weights from it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import reduce
from numbers import Number
from operator import or_
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from pandas_ordinal.classes.gate import (
    ClassesLike,
    declared,
    factorized,
    label_key,
    native,
    positions_of,
    readable,
)
from pandas_ordinal.classes.undeclared import Column
from pandas_ordinal.counting.arrays import (
    LARGEST_EXACT,
    Array,
    Floats,
    Probabilities,
    blocks,
    refuse_weights,
    tolerance,
)
from pandas_ordinal.errors import (
    ClassOrderError,
    MissingValueError,
    UnknownClassError,
    UnknownNameError,
    an,
    brief,
    called,
    conversion_hint,
    did_you_mean,
    in_code,
    is_iterable,
    kind_of,
    show,
    unlike,
)

ProbaLike: TypeAlias = "Hashable | list[Any] | pd.Index[Any] | Mapping[Any, Any] | Array"


def is_label(value: Any) -> bool:
    """Return whether this can be a label of a column, or in one."""
    if not pd.api.types.is_hashable(value) or type(value) is object:
        return False
    return not (
        callable(value) or isinstance(value, (complex, pd.Grouper)) or conversion_hint(value)
    )


def refuse_no_label(option: str, label: Any, otherwise: str) -> None:
    """Raise unless this can be the label of a column."""
    if isinstance(label, pd.DataFrame) and option in ("pred", "score"):
        raise TypeError(
            f"{option}= takes labels of columns, not a DataFrame: give "
            f"{option}={show(label.columns)}"
        )
    if hasattr(label, "predict"):
        raise TypeError(
            f"{option}= takes the label of a column, not a model such as {type(label).__name__}: "
            "add its predictions to the frame, as with df.assign(yhat=model.predict(X))"
        )
    if not is_label(label):
        name = "the name of a column"
        if isinstance(label, list) and len(label) == 1:
            name = f"{option}={label[0]!r}"
        raise TypeError(
            f"{option}= takes the label of a column, not {an(kind_of(label))}: give {name}; "
            f"{otherwise}"
        )
    if isinstance(label, Iterator):
        raise TypeError(
            f"{option}= takes labels in a list, not {an(type(label).__name__)}: give list(...)"
        )


def column(frame: pd.DataFrame, label: Hashable) -> pd.Series:
    """Return the column of a frame that has this label; the error explains why none does."""
    try:
        result: pd.Series | pd.DataFrame = frame[label]
    except (KeyError, TypeError, ValueError, pd.errors.InvalidIndexError) as error:
        hint = did_you_mean(label, frame.columns)
        if label is not None and label in frame.index.names:
            hint = "; it is an index level, which df.reset_index() makes a column"
        elif isinstance(label, tuple) and any(part in frame.columns for part in label):
            hint = f"; a tuple is one label: for several columns give a list, {show(label)}"
        columns = hint or f"; its columns are {show(frame.columns)}"
        raise UnknownNameError(f"the frame has no column {brief(label)}{columns}") from error
    if isinstance(result, pd.DataFrame):
        raise ValueError(
            f"{label!r} names {result.shape[1]} columns: give each column a label of its own, or "
            "the whole label of a MultiIndex"
        )
    return native(result)


def scores_of(name: Hashable, values: pd.Series[Any]) -> Array:
    """Return the numbers of a column, NaN where one is missing.

    An ordered Categorical ranks by its categories; anything else without order is refused.
    """
    values = readable(name, values)
    if isinstance(values.dtype, pd.CategoricalDtype) and values.dtype.ordered:
        codes = np.asarray(values.array.codes)
        return np.where(codes < 0, np.nan, codes) if (codes < 0).any() else codes
    if values.dtype.kind not in "biuf":
        raise ClassOrderError(
            f"{called(name)} ({values.dtype}) is not numeric, but scores must be numbers: "
            f"{_remedy(in_code(name), values)}"
        )
    if isinstance(values.dtype, np.dtype):
        return values.to_numpy()
    if not values.hasnans:
        numbers = values.to_numpy()
        return numbers if numbers.dtype.kind in "biuf" else values.to_numpy(dtype=float)
    if values.dtype.kind in "iu" and not values.between(-LARGEST_EXACT, LARGEST_EXACT).all():
        raise ValueError(
            f"{called(name)} holds missing values and integers beyond 2**53, which may become "
            f"equal as floats: leave these rows out first, with df.dropna(subset=[{name!r}])"
        )
    return values.to_numpy(dtype=float, na_value=np.nan)


def probabilities_of(
    columns: Sequence[Column], atol: float | None = None, option: str = ""
) -> Probabilities:
    """Return columns of class probabilities, NaN where one is missing."""
    for name, values in columns:
        if isinstance(values.dtype, pd.CategoricalDtype):
            raise ClassOrderError(
                f"{called(name)} holds labels ({values.dtype}), not probabilities of a class"
            )
    numbers = [scores_of(name, values) for name, values in columns]
    within = tolerance(len(numbers), *(column.dtype for column in numbers), atol=atol)
    return Probabilities(numbers, within, option)


def mask_of(name: Hashable, values: pd.Series[Any]) -> npt.NDArray[np.bool_] | None:
    """Return which rows a column of booleans selects; None if it holds anything else."""
    if values.dtype.kind != "b" and (
        values.dtype != object or pd.api.types.infer_dtype(values, skipna=True) != "boolean"
    ):
        return None
    missing = int(values.isna().sum())
    if missing:
        raise MissingValueError(
            f"sample_weight {name!r} selects rows, but {missing} of its values "
            f"{'is' if missing == 1 else 'are'} missing: fill in True or False, as with "
            f"{in_code(name)}.fillna(False)"
        )
    return values.to_numpy(dtype=bool)


def weights_of(name: Hashable, values: pd.Series[Any]) -> Floats:
    """Return the weights that a column holds: finite and not negative."""
    numbers = values.to_numpy()
    if isinstance(values.dtype, pd.api.extensions.ExtensionDtype) and values.dtype.kind in "biuf":
        numbers = values.to_numpy(dtype=float, na_value=np.nan)
    return refuse_weights(numbers, repr(name))


def columns_by_class(
    proba: Sequence[Hashable] | pd.Index[Any] | Mapping[Any, Hashable] | Array,
    classes: pd.CategoricalDtype,
) -> list[Hashable]:
    """Return the columns of class probabilities in the order of the classes, matched by name.

    A single column has the probabilities of the higher of two classes: in a list its name may be
    any but that of the lower class.
    """
    given = proba if isinstance(proba, Mapping) else _named_by_class(proba)
    named = {label_key(label): column for label, column in given.items()}
    labels = [label_key(label) for label in classes.categories]
    if len(labels) == 2 and len(named) == 1:
        due = set(named) if given is not proba else {labels[1]}
        if set(named) == due - {labels[0]}:
            return list(named.values())
    if len(named) < len(given) or set(named) != set(labels):
        names = list(given)
        raise UnknownClassError(
            f"proba= has columns for {show(names)}, but the classes are "
            f"{show(classes.categories)}{unlike(names, classes.categories)}: give a column for "
            "each class, named as it is, or a dict {class: column}; where the truth lacks a "
            "class, declare all of them, classes=[...]"
        )
    columns = [named[label] for label in labels]
    if len(set(columns)) < len(columns):
        raise ValueError(
            f"proba={brief(proba)} gives one column for two classes: give each its own"
        )
    return columns


def of_all_classes(columns: list[Column], classes: pd.CategoricalDtype) -> list[Column]:
    """Return columns of class probabilities; one of the higher of two classes makes both."""
    n_classes = len(classes.categories)
    if len(columns) == n_classes:
        return columns
    ((name, values),) = columns
    if n_classes != 2:
        raise UnknownClassError(
            "proba= is one column, the probability of the higher of two classes, but the classes "
            f"are {show(classes.categories)}: give a column for each class; where the truth lacks "
            "a class, declare all of them, classes=[...]"
        )
    return [(name, pd.Series(1 - scores_of(name, values), values.index)), (name, values)]


def columns_of_array(
    proba: Array,
    classes: pd.CategoricalDtype,
    index: pd.Index[Any],
    selected: slice | npt.NDArray[np.bool_],
) -> list[Column]:
    """Return the columns of an array ``(n, K)`` of probabilities, which are in class order.

    The index is that of the selected rows; the array has all rows.
    """
    n_rows = len(index) if isinstance(selected, slice) else len(selected)
    shape = (n_rows, len(classes.categories))
    if proba.shape != shape:
        raise ValueError(
            f"proba= is an array of shape {proba.shape}, but there are {shape[0]} rows and "
            f"{shape[1]} classes, {show(classes.categories)}"
        )
    return [
        (label, pd.Series(proba[selected, place], index))
        for place, label in enumerate(classes.categories)
    ]


def several_columns(proba: Any) -> Any:
    """Return the labels of columns of class probabilities, a single one in a list."""
    if proba is not None and is_label(proba):
        proba = [proba]
    if not isinstance(proba, (list, pd.Index, np.ndarray, Mapping)) or not is_iterable(proba):
        raise TypeError(
            "proba= takes a list of columns named as the classes, or a dict {class: column}, not "
            f"{an(kind_of(proba))}: join a table of them to the frame, as with df.join(proba)"
        )
    for label in proba.values() if isinstance(proba, Mapping) else proba:
        refuse_no_label("proba", label, "a list holds the columns of one prediction")
    return proba


def _remedy(code: str, values: pd.Series[Any]) -> str:
    kind = values.dtype.kind
    if kind in "mM":
        zero = f"{code}.min()" if kind == "M" else "pd.Timedelta(0)"
        return f"make numbers of times, as with ({code} - {zero}) / pd.Timedelta(days=1)"
    with suppress(TypeError, ValueError):
        values.dropna().astype(object).astype(float)  # raises for complex numbers
        return f"convert it, as with {code}.astype(float)"
    return (
        "declare the order of its labels, as with "
        f"{code}.astype(pd.CategoricalDtype([...], ordered=True))"
    )


def _named_by_class(proba: Sequence[Hashable] | pd.Index[Any] | Array) -> dict[Any, Hashable]:
    columns = list(proba)
    if len(set(map(label_key, columns))) < len(columns):
        raise ValueError(f"proba={show(columns)} names a column twice: give each class its own")
    return {column: column for column in columns}


Mask: TypeAlias = npt.NDArray[np.bool_]

NULLABLE: dict[str, Any] = {"i": "Int64", "u": "UInt64", "b": "boolean"}


def labels_of(ignore: Any) -> list[Any]:
    """Return the labels to exclude, given as a list or as a single label."""
    if isinstance(ignore, tuple):
        raise TypeError(
            f"ignore={brief(ignore)} is a tuple, which may be one label or several: give a list, "
            f"ignore={brief(list(ignore))} or ignore=[{ignore!r}]"
        )
    if isinstance(ignore, (Mapping, pd.DataFrame)):
        raise TypeError(f"ignore= takes a label or a list of labels, not {an(kind_of(ignore))}")
    if isinstance(ignore, (np.ndarray, np.generic, xr.DataArray)):
        values = np.ravel(ignore)
        # numpy's times do not hash as those of pandas do
        ignore = pd.Series(values) if values.dtype.names is None else values.tolist()
    several = isinstance(ignore, Iterable) and not isinstance(ignore, (str, bytes))
    labels: list[Any] = list(ignore) if several else [ignore] * (ignore is not None)
    for label in labels:
        if not is_label(label):
            raise TypeError(
                f"ignore= holds {brief(label)}, {an(kind_of(label))}, which cannot be a label: "
                "give one list of labels, such as ignore=[9, 99]"
            )
    missing = [label for label in labels if pd.api.types.is_scalar(label) and pd.isna(label)]
    if missing:
        raise ValueError(
            f"ignore= holds {missing[0]!r}, which is not a label: rows with missing labels are "
            "left out with dropna=True"
        )
    return labels


def refuse_ignored_classes(classes: ClassesLike | None, ignored: Sequence[Any]) -> None:
    """Raise if a label is both a class that is given and ignored."""
    if classes is None or not ignored:
        return
    labels = pd.Index(ignored)
    both = labels[positions_of(labels, declared(classes)) >= 0]
    if len(both):
        raise ClassOrderError(
            f"{show(both)} is in classes= and in ignore=: leave it out of one of them"
        )


def mask_ignored(
    column: pd.Series[Any], ignored: Sequence[Any]
) -> tuple[pd.Series[Any], Mask | None]:
    """Set ignored labels to missing; also return a mask of where they were."""
    if not ignored:
        return column, None
    mask = _are_ignored(column, ignored)
    if isinstance(column.dtype, pd.CategoricalDtype):
        retained = column.cat.categories[~_are_ignored(pd.Series(column.cat.categories), ignored)]
        return column.cat.set_categories(retained), mask
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iub" and mask.any():
        column = column.astype(NULLABLE[column.dtype.kind])
    return column.mask(mask), mask


def are_ignored(values: Array, ignored: Sequence[Any]) -> Mask:
    """Return which labels of an array are ignored; a boolean is not an integer."""
    if values.dtype.kind not in "biuf":
        return _are_ignored(pd.Series(values.ravel()), ignored).reshape(values.shape)
    numbers = [label for label in ignored if isinstance(label, (Number, np.number, np.bool_))]
    of_kind = [one for one in numbers if label_key(one)[0] == (values.dtype.kind == "b")]
    mask: Mask = reduce(or_, [values == one for one in of_kind], np.zeros(values.shape, bool))
    return mask


def _are_ignored(column: pd.Series[Any], ignored: Sequence[Any]) -> Mask:
    """Return which labels of a column are ignored, not by `Series.isin`: there, True equals 1."""
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "biuf":
        return are_ignored(column.to_numpy(), ignored)
    keys = set(map(label_key, ignored))
    mask = np.zeros(len(column), bool)
    for rows in blocks(len(column)):
        codes, labels = factorized(column.iloc[rows])
        mask[rows] = np.array([*(label_key(label) in keys for label in labels), False])[codes]
    return mask
