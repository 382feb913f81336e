"""Columns that declare no order: whole numbers are classes by themselves, text is refused."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from pandas_ordinal.classes.bins import are_intervals, bins_in_code
from pandas_ordinal.counting.arrays import Array, Floats, blocks
from pandas_ordinal.errors import (
    ClassOrderError,
    Named,
    assigned,
    called,
    exactly,
    first_labels,
    in_code,
    show,
)

Column: TypeAlias = "tuple[Hashable, pd.Series[Any]]"


LARGEST_RANGE = 1000


LISTED = 50


LONGEST_GAP = 3  # consecutive integers that no row has


MOST_FOR_MISSING = 3  # different numbers that stand for missing labels


def whole_numbers(columns: Sequence[Column]) -> pd.CategoricalDtype:
    """Return every integer from the smallest to the largest, or False and True."""
    for name, column in columns:
        _refuse_without_order(name, column, columns)
    kinds = {column.dtype.kind for _, column in columns}
    names = list(dict.fromkeys(called(name) for name, _ in columns))
    hold = f"{' and '.join(names)} {'hold' if len(names) > 1 else 'holds'}"
    if kinds == {"b"}:
        return pd.CategoricalDtype(pd.Index([False, True]), ordered=True)
    if "b" in kinds:
        raise ClassOrderError(
            f"{' and '.join(names)} mix booleans with numbers: convert the booleans with "
            ".astype(int)"
        )
    ends = [
        int(end)
        for _, column in columns
        for values in _present(column)
        if len(values)
        for end in (values.min(), values.max())
    ]
    if not ends:
        raise ClassOrderError(
            f"{hold} no label from which to infer the classes: give classes=[...]"
        )
    lowest, highest = min(ends), max(ends)
    if highest - lowest >= LARGEST_RANGE or not -(2**63) <= lowest <= highest < 2**63:
        furthest = max(lowest, highest, key=abs)
        raise ClassOrderError(
            f"{hold} integers from {lowest} to {highest}, too many or too large for classes: "
            "give classes=[...] if they are classes, or leave out a number that stands for a "
            f"missing label, as with ignore={exactly(furthest)}"
        )
    used = np.zeros(highest - lowest + 1, bool)
    for _, column in columns:
        for values in _present(column):
            used[np.asarray(values, dtype=np.int64) - lowest] = True
    _refuse_doubtful(hold, lowest, used)
    return pd.CategoricalDtype(pd.RangeIndex(lowest, highest + 1), ordered=True)


def _refuse_doubtful(hold: str, lowest: int, used: npt.NDArray[np.bool_]) -> None:
    """Raise if it is doubtful that all integers from the lowest on are classes."""
    highest = lowest + len(used) - 1
    if lowest == -1:
        raise ClassOrderError(
            f"{hold} -1, a class or the code of a missing label: give "
            f"classes=range(-1, {highest + 1}) if it is a class; if not, leave it out with "
            "ignore=-1, or make it missing, as with column.where(column >= 0)"
        )
    integers = (np.flatnonzero(used) + lowest).tolist()
    empty = len(used) - len(integers)
    gap = int(np.diff(integers).max(initial=1)) - 1
    if empty > len(integers) or gap >= LONGEST_GAP:
        raise ClassOrderError(
            f"{hold} {show(integers)}, and between them {empty} integers that no "
            f"row has: give classes=[...], such as {_in_code(integers)} or range({lowest}, "
            f"{highest + 1}), or make a number that stands for a missing label missing, or leave "
            "it out with ignore=[...]"
        )


def _in_code(labels: Sequence[Any]) -> str:
    """Return all labels as code, or a placeholder if a message has no room for them."""
    return repr(list(labels)) if len(labels) <= LISTED else "[lowest, ..., highest]"


def _refuse_without_order(
    name: Hashable, column: pd.Series[Any], columns: Sequence[Column]
) -> None:
    """Refuse text, and fractions, that declare no order."""
    kind, code, target = column.dtype.kind, in_code(name), assigned(name)
    if kind in "biu":
        return
    if kind == "f":
        for present in _present(column):
            fractions = present[np.isinf(present) | (present != np.floor(present))]
            if len(fractions):
                advice = advice_on_numbers(code)
                if any(other.dtype.kind in "iu" for _, other in columns):
                    advice = advice_on_predictions(code, rounded=True)
                raise ClassOrderError(
                    f"{called(name)} holds {exactly(fractions[0])}, which is not a class: "
                    f"{advice}; give classes=[...] if such numbers are classes"
                )
        return
    labels = list(dict.fromkeys(label for _, other in columns for label in _labels(other)))
    if are_intervals(labels):
        raise ClassOrderError(
            f"{called(name)} holds intervals as text, such as {labels[0]!r}, which have lost "
            f"their order and edges: {target} = po.parse_intervals({code})"
        )
    _refuse_text_beside_numbers(name, column, columns)
    has_bins = labels and all(isinstance(label, pd.Interval) for label in labels)
    bins = (bins_in_code(labels) or "pd.IntervalIndex.from_breaks([...])") if has_bins else None
    if bins:
        remedy = f"{target} = {code}.ordinal.as_ordered({bins})"
    else:
        remedies = [
            f"put them in order, {target} = {code}.ordinal.as_ordered([<lowest>, ..., <highest>])",
            "give classes=[<lowest>, ..., <highest>]",
        ]
        remedy = ", or ".join(reversed(remedies) if isinstance(name, Named) else remedies)
    raise ClassOrderError(
        f"{called(name)} ({column.dtype}) declares no order of its classes. Its labels, in no "
        f"order, are {{{', '.join(first_labels(labels, repr))}}}: {remedy}"
    )


def _refuse_text_beside_numbers(
    name: Hashable, column: pd.Series[Any], columns: Sequence[Column]
) -> None:
    """Raise if text has no order and another column holds its codes, or the same numbers."""
    others = [(one, other) for one, other in columns if other.dtype.kind in "iuf"]
    labels = _labels(column)
    if not others or not labels or not all(isinstance(label, str) for label in labels):
        return
    other, numbers = others[0]
    remedy = advice_on_codes(other, are_floats=numbers.dtype.kind == "f")
    if all(label.isdigit() for label in labels):
        remedy = f"Make numbers of text: {assigned(name)} = {in_code(name)}.astype(int)"
    elif any((present % 1 != 0).any() for present in _present(numbers)):
        remedy = f"If they are predicted numbers: {advice_on_predictions(in_code(other))}"
    raise ClassOrderError(
        f"{called(name)} holds text, such as {labels[0]!r}, but {called(other)} holds "
        f"numbers. {remedy}"
    )


def advice_on_codes(
    name: Hashable, classes: pd.Index[Any] | None = None, are_floats: bool = False
) -> str:
    """Describe how to make labels of codes, which may be positions in alphabetical order."""
    code, target, shown = in_code(name), assigned(name), "[<lowest>, ..., <highest>]"
    of_codes = code
    if are_floats:
        code, of_codes = f"{code}.astype(int)", f"{code}.fillna(-1).astype(int)"
    labels = [] if classes is None else classes.tolist()
    if labels and isinstance(classes, pd.IntervalIndex):
        shown = bins_in_code(labels) or "pd.IntervalIndex.from_breaks([...])"
    elif labels:
        shown = _in_code(labels)
    of_encoder = (
        "If they are alphabetical codes, such as those of LabelEncoder: "
        f"{target} = encoder.inverse_transform({code}). "
    )
    return (
        f"{of_encoder if all(isinstance(label, str) for label in labels) else ''}If they are "
        f"positions among the classes, lowest first: {target} = "
        f"pd.Categorical.from_codes({of_codes}, {shown}, ordered=True)"
    )


def numbers_for_missing(unknown: pd.Index[Any], classes: pd.Index[Any]) -> list[float]:
    """Return numbers, of those that are not classes, that may stand for missing labels.

    They are -1 and a few whole numbers far from all classes, such as 255 and -9999.
    """
    lowest, highest = 0, len(classes) - 1
    if pd.api.types.is_numeric_dtype(classes.dtype):
        lowest, highest = classes.min(), classes.max()
    numbers: list[float] = [
        number
        for number in unknown.tolist()
        if isinstance(number, (int, float)) and not isinstance(number, bool)
        if number == np.floor(number)
        if number == -1 or not lowest - LONGEST_GAP <= number <= highest + LONGEST_GAP
    ]
    return numbers if len(numbers) <= MOST_FOR_MISSING else []


def advice_on_numbers(code: str) -> str:
    """Describe what to do with numbers where classes are expected."""
    return (
        f"round or bin numbers first, as with {code}.round(), {code}.ordinal.cut([...]) or "
        f"{code}.ordinal.classify([...], classes=[...]), or rank by them, as .ordinal.vus and "
        "u_pairs do"
    )


def advice_on_predictions(code: str, rounded: bool = False) -> str:
    """Describe what to do with predicted numbers, to which given classes are compared."""
    remedies = [f"{code}.round()"] * rounded + [f"{code}.ordinal.classify([...], classes=[...])"]
    return (
        f"make classes of them, as with {' or '.join(remedies)}, or rank by them, as .ordinal.vus "
        "and u_pairs do"
    )


def _present(column: pd.Series[Any]) -> Iterator[Array]:
    """Yield the numbers that are not missing, block by block."""
    are_integers = isinstance(column.dtype, np.dtype) and column.dtype.kind in "iu"
    for rows in blocks(len(column)):
        block = column.iloc[rows]
        if column.dtype.kind == "f":
            floats = floats_of(block)
            yield floats[~np.isnan(floats)]
        else:
            yield block.to_numpy() if are_integers else block.dropna().to_numpy()


def floats_of(column: pd.Series[Any]) -> Floats:
    """Return a column of floats as an array; a nullable one may hold both NA and NaN."""
    floats: Floats = column.to_numpy(dtype=float, na_value=np.nan)
    return floats


def _labels(column: pd.Series[Any]) -> list[Any]:
    """Return the different labels of a column, unused categories included."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.dtype.categories.tolist()
    return column.dropna().unique().tolist()
