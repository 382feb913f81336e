"""The one gate for classes: their order is declared, never guessed; K is declared, never observed.

Every surface hands its label columns to `codes_of` and gets codes back: positions in the classes,
-1 where a label is missing. The classes are an ordered `pandas.CategoricalDtype`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence, Set
from numbers import Number
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.classes.arrow import is_dictionary, refuse_joined, series_of
from pandas_ordinal.classes.bins import (
    are_intervals,
    in_order,
    near_but_not_equal,
    of_objects,
    refuse_bad_bins,
)
from pandas_ordinal.classes.undeclared import (
    Column,
    advice_on_codes,
    advice_on_predictions,
    floats_of,
    numbers_for_missing,
    whole_numbers,
)
from pandas_ordinal.counting.arrays import Array, Codes, Positions, blocks
from pandas_ordinal.errors import (
    ClassOrderError,
    MissingValueError,
    UnknownClassError,
    an,
    assigned,
    brief,
    called,
    first_labels,
    in_code,
    is_iterable,
    lookalike,
    show,
    unlike,
)

Labels: TypeAlias = "pd.Index[Any] | pd.Series[Any] | pd.Categorical | Array | xr.DataArray"
ClassesLike: TypeAlias = "Sequence[Hashable] | Labels | pd.CategoricalDtype"


def codes_of(
    columns: Sequence[Column], classes: ClassesLike | None = None
) -> tuple[list[Codes], pd.CategoricalDtype]:
    """Turn label columns into codes of the classes that they share.

    Missing labels become -1. Whoever counts the codes rejects them (`refuse_missing`), which saves
    a pass over the rows.

    Parameters
    ----------
    columns : sequence of (name, Series)
        The columns, with the names that errors show.
    classes : sequence, Index or CategoricalDtype, optional
        The classes from lowest to highest. Default: what the columns declare.

    Returns
    -------
    codes : list of ndarray
        One array of positions per column.
    dtype : CategoricalDtype
        The classes.

    Raises
    ------
    ClassOrderError, UnknownClassError
        If the labels break the rules of the gate, a table in the documentation.
    """
    columns = [(name, readable(name, column)) for name, column in columns]
    dtype = declared(classes) if classes is not None else classes_of_columns(columns)
    return [codes_in_classes(name, column, dtype) for name, column in columns], dtype


def declared(classes: ClassesLike) -> pd.CategoricalDtype:
    """Check classes given by hand, from lowest to highest, and return them as a dtype.

    Whatever has an ordered categorical dtype gives its categories, not its values, which come in
    any order.
    """
    if not isinstance(classes, (xr.DataArray, xr.Dataset)):
        classes = series_of("classes", classes)
    n_dims = getattr(classes, "ndim", 1)
    if n_dims != 1:
        raise ClassOrderError(
            f"classes= is {an(type(classes).__name__)} of {n_dims} dimensions: give a list of the "
            "classes, lowest first"
        )
    if isinstance(classes, xr.DataArray):
        classes = classes.to_index()
    dtype = (
        classes if isinstance(classes, pd.CategoricalDtype) else getattr(classes, "dtype", None)
    )
    if isinstance(dtype, pd.ArrowDtype):
        series = pd.Series(classes)  # pyright: ignore[reportCallIssue, reportArgumentType]
        dtype = readable("classes", series).dtype
    if isinstance(dtype, pd.CategoricalDtype):
        if not dtype.ordered or dtype.categories is None or not len(dtype.categories):
            raise ClassOrderError(
                f"classes= is {an(type(classes).__name__)} that declares no order: give a list of "
                "the classes, lowest first, or pd.CategoricalDtype([...], ordered=True)"
            )
        dtype = pd.CategoricalDtype(of_objects(dtype.categories), ordered=True)
        _refuse_disorder(dtype.categories, "classes=")
        return dtype
    if isinstance(classes, (str, bytes, Set, Mapping)) or not is_iterable(classes):
        problem = "has no order: give a list" if isinstance(classes, Set) else "must be a list"
        raise ClassOrderError(f"classes={brief(classes)} {problem} of the classes, lowest first")
    index = _labels_given(list(classes))
    if index.hasnans or not index.is_unique or not len(index):
        raise ClassOrderError(
            f"classes={brief(list(index))} must be one or more different labels, none missing"
        )
    _refuse_disorder(index, "classes=")
    return pd.CategoricalDtype(index, ordered=True)


def _labels_given(labels: list[Any]) -> pd.Index[Any]:
    """Return labels as an Index, if each can be one."""
    for label in labels:
        if not pd.api.types.is_hashable(label):
            raise ClassOrderError(
                f"classes= holds {brief(label)}, {an(type(label).__name__)}, which cannot be a "
                "label: give a list of the classes, lowest first"
            )
    given: pd.Index[Any] = pd.Index(labels, tupleize_cols=False)
    return given


def classes_of_columns(columns: Sequence[Column]) -> pd.CategoricalDtype:
    """Return the classes that the columns themselves declare."""
    ordered = [
        (name, column.dtype)
        for name, column in columns
        if isinstance(column.dtype, pd.CategoricalDtype) and column.dtype.ordered
    ]
    if not ordered:
        return whole_numbers(columns)
    for name, dtype in ordered:
        _refuse_disorder(dtype.categories, called(name))
    widest, classes = max(ordered, key=lambda item: len(item[1].categories))
    for name, dtype in ordered:
        _refuse_other_order(name, dtype, called(widest), classes)
    if not len(classes.categories):
        raise ClassOrderError(
            f"{called(widest)} is a Categorical without categories: give classes=[...]"
        )
    return classes


def codes_in_classes(name: Hashable, column: pd.Series[Any], dtype: pd.CategoricalDtype) -> Codes:
    """Return the positions of a column's labels among the classes; -1 where one is missing."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes, labels = np.asarray(column.array.codes), column.dtype.categories
        if column.dtype.ordered:
            if labels is dtype.categories:
                return codes
            _refuse_other_order(name, column.dtype, "classes=", dtype)
        return _recoded(name, codes, labels, dtype)
    if isinstance(column.dtype, np.dtype):
        if column.dtype.kind in "iu" and is_every_integer(dtype.categories):
            return _offset(name, column.to_numpy(), dtype)
        if column.dtype.kind == "b" and _are_false_and_true(dtype.categories):
            return column.to_numpy().view(np.int8)
    return _looked_up(name, column, dtype)


def readable(name: Hashable, column: pd.Series[Any]) -> pd.Series[Any]:
    """Return a column whose labels pandas can tell apart, Arrow dictionaries as Categoricals."""
    column = native(column)
    dtype = column.dtype
    if is_dictionary(dtype):
        dictionary: Any = column.array.__arrow_array__()
        refuse_joined(name, dictionary)
        categorical: pd.Series[Any] = dictionary.to_pandas().set_axis(column.index)
        return categorical
    if isinstance(dtype, pd.CategoricalDtype):
        bins = of_objects(dtype.categories)
        return column if bins is dtype.categories else column.cat.rename_categories(list(bins))
    if dtype.kind != "O" or not pd.api.types.infer_dtype(column).startswith("mixed"):
        return column
    kinds = set()
    for label in column[column.notna()]:
        if not isinstance(label, Hashable):
            raise UnknownClassError(
                f"{called(name)} holds {label!r}, {an(type(label).__name__)}, which cannot be a "
                "label: give text, numbers, booleans or intervals"
            )
        kinds.add(bool if isinstance(label, (bool, np.bool_)) else type(label))
    if bool in kinds and any(issubclass(kind, Number) for kind in kinds - {bool}):
        raise ClassOrderError(
            f"{called(name)} mixes booleans with numbers, where True equals 1 and False 0: "
            f"convert the booleans, or convert all to text, as with {in_code(name)}.map(repr)"
        )
    return column


def native(column: pd.Series[Any]) -> pd.Series[Any]:
    """Return a column in the byte order of the processor, the only one that pandas looks up."""
    dtype = column.dtype
    if isinstance(dtype, np.dtype) and not dtype.isnative:
        return column.astype(dtype.newbyteorder("="))
    return column


def same_classes(one: pd.CategoricalDtype, other: pd.CategoricalDtype) -> bool:
    """Return whether two dtypes declare the same labels in the same order, in any index type."""
    if one.categories is other.categories:
        return True
    return list(map(label_key, one.categories)) == list(map(label_key, other.categories))


def refuse_missing(name: Hashable, count: int, dropped: str = "") -> None:
    """Raise if any label of a column is missing.

    Callers without dropna= give the code that drops these rows.
    """
    if count:
        values, them, rows = (
            ("value", "it", "this row") if count == 1 else ("values", "them", "these rows")
        )
        instead = (
            f"drop {them} first, as with {dropped}"
            if dropped
            else f"give dropna=True, which leaves {rows} out"
        )
        raise MissingValueError(
            f"{called(name)} holds {count} missing {values}: fill {them} in, or {instead}"
        )


def _refuse_other_order(
    name: Hashable, dtype: pd.CategoricalDtype, source: str, classes: pd.CategoricalDtype
) -> None:
    """Raise unless a column's classes are among the given ones, in the same order."""
    if dtype.categories is classes.categories:
        return
    positions = positions_of(dtype.categories, classes)
    if (positions >= 0).all() and (np.diff(positions) > 0).all():
        return
    refuse_other_bins(name, dtype.categories, source, classes.categories)
    different = unlike(dtype.categories, classes.categories)
    raise ClassOrderError(
        f"{called(name)} declares the classes {_order(dtype)}, but {source} declares "
        f"{_order(classes)}{different}: declare the same classes in the same order, as with "
        f"{in_code(name)}.astype(pd.CategoricalDtype([...], ordered=True))"
    )


def refuse_other_bins(
    name: Hashable, bins: pd.Index[Any], source: str, others: pd.Index[Any]
) -> None:
    """Raise if bins differ: in the closed side, in nearly equal edges, or altogether."""
    if not isinstance(bins, pd.IntervalIndex) or not isinstance(others, pd.IntervalIndex):
        return
    remedy = (
        "cut both from their numbers with the same edges, as with "
        f"{in_code(name)}.ordinal.cut([...])"
    )
    if bins.closed != others.closed:
        raise ClassOrderError(
            f"{called(name)} has bins closed {bins.closed}, but {source} has bins closed "
            f"{others.closed}, so that a number on an edge has two classes: {remedy}"
        )
    for one, other in near_but_not_equal(bins, others):
        raise ClassOrderError(
            f"{called(name)} has a bin edge at {one}, but {source} has it at {other}: {remedy}; "
            "pd.cut rounds edges"
        )
    raise ClassOrderError(
        f"{called(name)} has the bins {first_labels(bins)}, but {source} has "
        f"{first_labels(others)}: {remedy}"
    )


def _refuse_disorder(classes: pd.Index[Any], source: str) -> None:
    """Raise if classes are bins, or bins that have become text, and not in order."""
    refuse_bad_bins(classes, source)
    labels = classes.tolist()
    if are_intervals(labels) and not in_order(labels):
        raise ClassOrderError(
            f"{source} has intervals as text in the order {_order(pd.CategoricalDtype(classes))}, "
            "which is not that of their edges: read them with po.parse_intervals(...)"
        )


def factorized(column: pd.Series[Any]) -> tuple[Codes, pd.Index[Any]]:
    """Return the different labels of a column, and the position of each row's among them."""
    distinct: Any
    if column.dtype.kind == "f":
        codes, distinct = pd.factorize(floats_of(column))
    elif column.dtype == object and pd.api.types.infer_dtype(column).startswith("mixed"):
        # pandas merges True and 1 into whichever comes first
        codes, keys = pd.factorize(column.map(label_key, na_action="ignore"))
        return codes, pd.Index([label for _, label in keys], dtype=object, tupleize_cols=False)
    else:
        codes, distinct = pd.factorize(column)
    return codes, pd.Index(distinct, dtype=distinct.dtype)


def _recoded(
    name: Hashable, codes: Codes, labels: pd.Index[Any], dtype: pd.CategoricalDtype
) -> Codes:
    """Return the positions of the labels of a Categorical."""
    positions = positions_of(labels, dtype)
    if np.array_equal(positions, np.arange(len(labels))):
        return codes
    table = np.append(positions, -1)  # a missing label, -1, is the last
    occurs = np.zeros(len(table), bool)
    recoded = _room(len(codes), dtype)
    for rows in blocks(len(codes)):
        recoded[rows] = table[codes[rows]]
        occurs[codes[rows]] = True
    _refuse_unknown(name, labels[(positions < 0) & occurs[:-1]], dtype)
    return recoded


def _looked_up(name: Hashable, column: pd.Series[Any], dtype: pd.CategoricalDtype) -> Codes:
    """Return the positions of labels, block by block."""
    codes = _room(len(column), dtype)
    unknown = []
    for rows in blocks(len(column)):
        block, labels = factorized(column.iloc[rows])
        positions = positions_of(labels, dtype)
        codes[rows] = np.append(positions, -1)[block]
        if (positions < 0).any():
            unknown.append(labels[positions < 0])
    if unknown:
        # `Index.append` would round large integers beside fractions
        every = {label_key(label): label for labels in unknown for label in labels}
        labels = pd.Index(list(every.values()), dtype=unknown[0].dtype, tupleize_cols=False)
        _refuse_unknown(name, labels, dtype)
    return codes


def _offset(name: Hashable, values: Array, dtype: pd.CategoricalDtype) -> Codes:
    """Return the positions of integers in a range of integers, without a look-up."""
    lowest, highest = int(dtype.categories[0]), int(dtype.categories[-1])
    if len(values) and not (lowest <= values.min() and values.max() <= highest):
        outside = pd.unique(values[(values < lowest) | (values > highest)])
        _refuse_unknown(name, pd.Index(outside), dtype)
    if lowest == 0 and values.dtype.kind == "i":
        return values
    codes = _room(len(values), dtype)
    np.subtract(values, lowest, out=codes, dtype=np.int64, casting="unsafe")
    return codes


def _room(n_rows: int, dtype: pd.CategoricalDtype) -> Codes:
    """Return an empty array for one code per row, of the smallest type."""
    return np.empty(n_rows, smallest(dtype))


def smallest(classes: pd.CategoricalDtype) -> np.dtype[Any]:
    """Return the smallest type that holds all codes, and -1."""
    return np.min_scalar_type(-max(len(classes.categories), 1))


def is_every_integer(labels: pd.Index[Any]) -> bool:
    """Return whether classes are all integers from the first to the last."""
    if isinstance(labels, pd.RangeIndex):
        return labels.step == 1
    return labels.dtype.kind == "i" and bool((np.diff(labels.to_numpy()) == 1).all())


def _are_false_and_true(labels: pd.Index[Any]) -> bool:
    return labels.dtype == bool and labels.tolist() == [False, True]


def positions_of(labels: pd.Index[Any], dtype: pd.CategoricalDtype) -> Positions:
    """Look labels up among the classes by equality; -1 for none.

    Not by `Index.get_indexer`, which bins numbers into interval classes.
    """
    lookup = {label_key(label): position for position, label in enumerate(dtype.categories)}
    return np.array([lookup.get(label_key(label), -1) for label in labels], dtype=np.intp)


def label_key(label: Hashable) -> tuple[bool, Hashable]:
    """Return the key that a label is looked up by: a boolean is not an integer."""
    return isinstance(label, (bool, np.bool_)), label


def _refuse_unknown(name: Hashable, unknown: pd.Index[Any], dtype: pd.CategoricalDtype) -> None:
    """Raise if a column has labels that are not classes."""
    if len(unknown):
        raise UnknownClassError(_unknown(name, unknown, dtype))


def _unknown(name: Hashable, unknown: pd.Index[Any], dtype: pd.CategoricalDtype) -> str:
    code, target = in_code(name), assigned(name)
    message = (
        f"{called(name)} holds {show(unknown)}, which "
        f"{'is not a class' if len(unknown) == 1 else 'are not classes'}; the classes are "
        f"{show(dtype.categories)}. Correct the labels, or give classes=[...] that has them"
    )
    is_float = unknown.dtype.kind == "f"
    are_whole = unknown.dtype.kind in "iu" or (is_float and (unknown == np.floor(unknown)).all())
    are_codes = are_whole and unknown.min() >= 0 and unknown.max() < len(dtype.categories)
    alike = lookalike(unknown, dtype.categories)
    if alike is not None:
        label, other, method = alike
        mended = f"{target} = {code}{method}" if method else "correct the class"
        return f"{message}. {label!a} is not {other!a}: {mended}"
    if isinstance(dtype.categories, pd.IntervalIndex):
        if unknown.dtype.kind in "iufmM":
            message += f". Bin numbers first: {target} = {code}.ordinal.cut([...])"
        elif are_intervals(unknown.tolist()):
            message += (
                f". Intervals that have become text: {target} = po.parse_intervals("
                f"{code}, edges=[...])"
            )
    elif fills := numbers_for_missing(unknown, dtype.categories):
        one, shown = len(fills) == 1, fills[0] if len(fills) == 1 else fills
        message += (
            f". If {shown} {'stands' if one else 'stand'} for a missing label, leave "
            f"{'it' if one else 'them'} out with ignore={shown}, or make "
            f"{'it' if one else 'them'} missing first"
        )
    elif is_float and not are_codes:
        are_numbers = pd.api.types.is_numeric_dtype(dtype.categories.dtype)
        advice = advice_on_predictions(code, rounded=are_numbers)
        message += f". If they are predicted numbers: {advice}"
    if are_codes:
        message += f". {advice_on_codes(name, dtype.categories, are_floats=is_float)}"
    return message


def _order(dtype: pd.CategoricalDtype) -> str:
    return " < ".join(first_labels(dtype.categories))
