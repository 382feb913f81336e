"""The one gate for classes: their order is declared, never guessed; K is declared, never observed.

Every surface hands its label columns to `codes_of` and gets codes back: positions in the classes,
-1 where a label is missing. The classes are an ordered `pandas.CategoricalDtype`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from numbers import Number
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from pandas_ordinal.classes.bins import (
    are_intervals,
    in_order,
    near_but_not_equal,
    refuse_bad_bins,
    written,
)
from pandas_ordinal.counting.arrays import Array, Codes, Floats, Positions, blocks
from pandas_ordinal.errors import (
    ClassOrderError,
    Given,
    MissingValueError,
    UnknownClassError,
    an,
    assigned,
    called,
    first,
    in_code,
    show,
)

Labels: TypeAlias = "pd.Index[Any] | pd.Series[Any] | pd.Categorical | Array | xr.DataArray"
ClassesLike: TypeAlias = "Sequence[Hashable] | Labels | pd.CategoricalDtype"

Column: TypeAlias = "tuple[Hashable, pd.Series[Any]]"

LARGEST_RANGE = 1000
LISTED = 50
OF_PREDICTIONS = ("pred", "hat", "forecast")
OF_TRUTH = ("true", "truth", "actual", "observ", "reference", "target")
LONGEST_GAP = 3  # integers in a row that no row has


def codes_of(
    columns: Sequence[Column], classes: ClassesLike | None = None
) -> tuple[list[Codes], pd.CategoricalDtype]:
    """Turn label columns into codes of the classes that they share.

    Missing labels become -1; who counts the codes refuses them (`refuse_missing`), which saves a
    look at each row.

    Parameters
    ----------
    columns : sequence of (name, Series)
        The columns, with the names that errors show.
    classes : sequence, Index or CategoricalDtype, optional
        The classes from lowest to highest. Default: what the columns declare.

    Returns
    -------
    codes : list of ndarray
        One array of positions a column.
    dtype : CategoricalDtype
        The classes.

    Raises
    ------
    ClassOrderError, UnknownClassError
        As the gate's rules say; the documentation has them as a table.
    """
    columns = [(name, readable(name, column)) for name, column in columns]
    dtype = declared(classes) if classes is not None else shared(columns)
    return [cast(name, column, dtype) for name, column in columns], dtype


def declared(classes: ClassesLike) -> pd.CategoricalDtype:
    """Check classes given by hand, from lowest to highest, and return them as a dtype.

    Whatever has an ordered categorical dtype gives its categories, not its values, which come in
    any order.
    """
    of_arrow_or_polars = getattr(classes, "to_pandas", None)
    if of_arrow_or_polars is not None and not isinstance(classes, (xr.DataArray, xr.Dataset)):
        classes = of_arrow_or_polars()
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
        held = pd.Series(classes)  # pyright: ignore[reportCallIssue, reportArgumentType]
        dtype = readable("classes", held).dtype
    if isinstance(dtype, pd.CategoricalDtype):
        if not dtype.ordered or dtype.categories is None or not len(dtype.categories):
            raise ClassOrderError(
                f"classes= is {an(type(classes).__name__)} that declares no order: give a list of "
                "the classes, lowest first, or pd.CategoricalDtype([...], ordered=True)"
            )
        _refuse_disorder(dtype.categories, "classes=")
        return dtype
    if isinstance(classes, (str, bytes, Set, Mapping)) or not isinstance(classes, Iterable):
        raise ClassOrderError(
            f"classes={classes!r} has no order: give a list of the classes, lowest first"
        )
    index = _labels_given(list(classes))
    if index.hasnans or not index.is_unique or not len(index):
        raise ClassOrderError(
            f"classes={list(index)!r} must be one or more different labels, none missing"
        )
    _refuse_disorder(index, "classes=")
    return pd.CategoricalDtype(index, ordered=True)


def _labels_given(labels: list[Any]) -> pd.Index[Any]:
    """Return labels as an Index, if each can be one."""
    for label in labels:
        if not isinstance(label, Hashable):
            raise ClassOrderError(
                f"classes= holds {label!r}, {an(type(label).__name__)}, which cannot be a label: "
                "give a list of the classes, lowest first"
            )
    given: pd.Index[Any] = pd.Index(labels, tupleize_cols=False)
    return given


def shared(columns: Sequence[Column]) -> pd.CategoricalDtype:
    """Return the classes that the columns themselves declare."""
    ordered = [
        (name, column.dtype)
        for name, column in columns
        if isinstance(column.dtype, pd.CategoricalDtype) and column.dtype.ordered
    ]
    if not ordered:
        return _whole_numbers(columns)
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


def cast(name: Hashable, column: pd.Series[Any], dtype: pd.CategoricalDtype) -> Codes:
    """Return the positions of a column's labels among the classes; -1 where one is missing."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes, labels = np.asarray(column.array.codes), column.dtype.categories
        if column.dtype.ordered:
            if labels is dtype.categories:
                return codes
            _refuse_other_order(name, column.dtype, "classes=", dtype)
        return _recoded(name, codes, labels, dtype)
    if isinstance(column.dtype, np.dtype):
        if column.dtype.kind in "iu" and _is_every_integer(dtype.categories):
            return _offset(name, column.to_numpy(), dtype)
        if column.dtype.kind == "b" and _are_false_and_true(dtype.categories):
            return column.to_numpy().view(np.int8)
    return _looked_up(name, column, dtype)


def readable(name: Hashable, column: pd.Series[Any]) -> pd.Series[Any]:
    """Return a column of labels that pandas tells apart, as a Categorical if Arrow holds one."""
    dtype = column.dtype
    if isinstance(dtype, pd.ArrowDtype) and hasattr(dtype.pyarrow_dtype, "index_type"):
        held: Any = column.array.__arrow_array__()
        refuse_joined(name, held)
        categorical: pd.Series[Any] = held.to_pandas().set_axis(column.index)
        return categorical
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
            f"{called(name)} mixes booleans with numbers, of which True equals 1 and False 0: "
            f"convert the booleans, or make text of all, as with {in_code(name)}.map(repr)"
        )
    return column


def refuse_joined(name: Hashable, held: Any) -> None:
    """Raise if an ordered Arrow dictionary is joined of parts that declare different orders."""
    if held.type.ordered and len({tuple(c.dictionary.to_pylist()) for c in held.chunks}) > 1:
        raise ClassOrderError(
            f"{called(name)} is joined from Arrow dictionaries of different labels or orders, "
            "none of which is that of the whole: give each part all classes, as with "
            ".astype(pd.CategoricalDtype([...], ordered=True)), before you join them"
        )


def same_classes(one: pd.CategoricalDtype, other: pd.CategoricalDtype) -> bool:
    """Tell whether two dtypes declare the same labels in the same order, whatever holds them."""
    if one.categories is other.categories:
        return True
    return list(map(label_key, one.categories)) == list(map(label_key, other.categories))


def align(option: str, values: Any, dtype: pd.CategoricalDtype, named: pd.CategoricalDtype) -> Any:
    """Put an option that is labelled by class into the order of the classes.

    Classes that got edges by `bins` go by the labels that named them, too.

    A Series (one value per class), a DataFrame or a DataArray over `true` and `pred` is matched by
    label. The axis names of a DataFrame, true and pred, say which axis is which; without names the
    true classes are on its rows. Anything else is taken as it is.
    """
    if isinstance(values, xr.DataArray):
        if values.dims not in (("true",), ("true", "pred"), ("pred", "true")):
            raise ValueError(
                f"{option}= has the dimensions {values.dims}: give a DataArray over 'true', or "
                "over 'true' and 'pred'"
            )
        values = values.transpose("true", "pred", missing_dims="ignore")
        labelled = [dim for dim in values.dims if dim in values.indexes]
        if labelled and len(labelled) < values.ndim:
            raise ValueError(
                f"{option}= has labels along {labelled[0]!r} only: label both dimensions, or none"
            )
        values = values.to_pandas() if labelled else values.to_numpy()
    if not isinstance(values, (pd.Series, pd.DataFrame)):
        return values
    if isinstance(values, pd.DataFrame):
        _refuse_other_axes(option, values)
        if is_transposed(option, values):
            values = values.T
    names = set(map(label_key, named.categories))
    if all(set(map(label_key, axis)) <= names for axis in values.axes):
        dtype = named
    for axis in values.axes:
        given = pd.Index(axis)
        if sorted(positions_of(given, dtype)) != list(range(len(dtype.categories))):
            raise UnknownClassError(
                f"{option}= is labelled {show(given)}, but the classes are "
                f"{show(dtype.categories)}: give one value for each class"
            )
    orders = [np.argsort(positions_of(pd.Index(axis), dtype)) for axis in values.axes]
    return values.to_numpy()[np.ix_(*orders)]


def _refuse_other_axes(option: str, table: pd.DataFrame) -> None:
    """Raise if the axes have names of their own, of which either may stand for the truth."""
    rows, columns = table.index.name, table.columns.name
    named = rows is not None and columns is not None and rows != columns
    if named and not {str(rows).lower(), str(columns).lower()} & {"true", "pred"}:
        raise ValueError(
            f"the rows of {option} are named {rows!r} and its columns {columns!r}: say which are "
            f"the true classes, as with {option}.rename_axis(index='true', columns='pred')"
        )


def is_transposed(option: str, table: pd.DataFrame) -> bool:
    """Tell whether the axis names of a table put the true classes on its columns.

    Other names than true and pred are left to the rule, true classes on the rows, unless they
    speak of the opposite.
    """
    rows, columns = (str(axis.name).lower() for axis in table.axes)
    if rows == columns and rows in ("true", "pred"):
        raise ValueError(
            f"both axes of {option} are named {rows!r}: name the rows 'true' and the columns "
            "'pred', or the other way round"
        )
    if {rows, columns} & {"true", "pred"}:
        return rows == "pred" or columns == "true"
    if speak_of_predictions_first(rows, columns):
        raise ValueError(
            f"the rows of {option} are named {table.index.name!r} and its columns "
            f"{table.columns.name!r}, as if predictions were on the rows: say so with "
            ".rename_axis(index='pred', columns='true'), or else with index='true', columns='pred'"
        )
    return False


def speak_of_predictions_first(one: Hashable, other: Hashable) -> bool:
    """Tell whether two names are those of predictions and of the truth, in this order."""
    names = [str(name).lower() for name in (one, other)]
    predicted, true = (
        [any(word in name for word in words) for name in names]
        for words in (OF_PREDICTIONS, OF_TRUTH)
    )
    return predicted == [True, False] or true == [False, True]


def refuse_missing(name: Hashable, count: int, dropped: str = "") -> None:
    """Raise if any label of a column is missing.

    Where there is no dropna=, it takes code that leaves rows with missing labels out.
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
    _refuse_other_bins(name, dtype.categories, source, classes.categories)
    raise ClassOrderError(
        f"{called(name)} declares the classes {_order(dtype)}, but {source} says "
        f"{_order(classes)}: declare the same classes in the same order, as with "
        f"{in_code(name)}.astype(pd.CategoricalDtype([...], ordered=True))"
    )


def _refuse_other_bins(
    name: Hashable, bins: pd.Index[Any], source: str, others: pd.Index[Any]
) -> None:
    """Raise for bins that are others: closed on another side, or of edges nearly equal."""
    if not isinstance(bins, pd.IntervalIndex) or not isinstance(others, pd.IntervalIndex):
        return
    remedy = (
        "cut both columns from their numbers with the same edges, as with "
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
        f"{called(name)} has the bins {first(bins)}, but {source} has {first(others)}: {remedy}"
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


def _whole_numbers(columns: Sequence[Column]) -> pd.CategoricalDtype:
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
        raise ClassOrderError(f"{hold} no label that tells the classes: give classes=[...]")
    lowest, highest = min(ends), max(ends)
    if highest - lowest >= LARGEST_RANGE or not -(2**63) <= lowest <= highest < 2**63:
        raise ClassOrderError(
            f"{hold} integers from {lowest} to {highest}, too many or too large for "
            "classes: give classes=[...] if they are classes"
        )
    used = np.zeros(highest - lowest + 1, bool)
    for _, column in columns:
        for values in _present(column):
            used[np.asarray(values, dtype=np.int64) - lowest] = True
    _refuse_doubtful(hold, lowest, used)
    return pd.CategoricalDtype(pd.RangeIndex(lowest, highest + 1), ordered=True)


def _refuse_doubtful(hold: str, lowest: int, used: npt.NDArray[np.bool_]) -> None:
    """Raise for integers of which it is in doubt whether all from the lowest on are classes."""
    highest = lowest + len(used) - 1
    if lowest == -1:
        raise ClassOrderError(
            f"{hold} -1, a class or the code of a missing label: give "
            f"classes=range(-1, {highest + 1}) if it is a class; if not, leave it out with "
            "ignore=-1, or make it missing, as with column.where(column >= 0)"
        )
    found = (np.flatnonzero(used) + lowest).tolist()
    empty = len(used) - len(found)
    gap = int(np.diff(found).max(initial=1)) - 1
    if empty > len(found) or gap >= LONGEST_GAP:
        raise ClassOrderError(
            f"{hold} {show(found)}, and between them {empty} integers that no "
            f"row has: give classes=[...], such as {_in_code(found)} or range({lowest}, "
            f"{highest + 1}), or make a number that stands for a missing label missing, or leave "
            "it out with ignore=[...]"
        )


def _in_code(labels: Sequence[Any]) -> str:
    """Write all labels as a list, or as far as a message has room for them."""
    return repr(list(labels)) if len(labels) <= LISTED else "[lowest, ..., highest]"


def _refuse_without_order(
    name: Hashable, column: pd.Series[Any], columns: Sequence[Column]
) -> None:
    """Raise unless a column holds booleans, integers or integral floats."""
    kind, code, target = column.dtype.kind, in_code(name), assigned(name)
    if kind in "biu":
        return
    if kind == "f":
        for present in _present(column):
            fractions = present[np.isinf(present) | (present != np.floor(present))]
            if len(fractions):
                raise ClassOrderError(
                    f"{called(name)} holds {fractions[0]:g}, which is no class: "
                    f"{_of_numbers(code)}; give classes=[...] if such numbers are classes"
                )
        return
    labels = list(dict.fromkeys(label for _, other in columns for label in _labels(other)))
    if are_intervals(labels):
        raise ClassOrderError(
            f"{called(name)} holds intervals as text, {labels[0]!r} for one, which have lost "
            f"their order and edges: {target} = po.parse_intervals({code})"
        )
    _refuse_text_beside_numbers(name, column, columns)
    has_bins = labels and all(isinstance(label, pd.Interval) for label in labels)
    bins = (written(labels) or "pd.IntervalIndex.from_breaks([...])") if has_bins else None
    if bins:
        remedy = f"{target} = {code}.ordinal.as_ordered({bins})"
    else:
        remedies = [
            f"put them in order, {target} = {code}.ordinal.as_ordered([<lowest>, ..., <highest>])",
            "give classes=[<lowest>, ..., <highest>]",
        ]
        remedy = ", or ".join(reversed(remedies) if isinstance(name, Given) else remedies)
    raise ClassOrderError(
        f"{called(name)} ({column.dtype}) declares no order of its classes. Its labels, in no "
        f"order, are {{{', '.join(first(labels, repr))}}}: {remedy}"
    )


def _refuse_text_beside_numbers(
    name: Hashable, column: pd.Series[Any], columns: Sequence[Column]
) -> None:
    """Raise if text has no order and another column numbers: codes of it, or what it says."""
    numbers = next((one for one, other in columns if other.dtype.kind in "iuf"), None)
    labels = _labels(column)
    if numbers is None or not labels or not all(isinstance(label, str) for label in labels):
        return
    remedy = (
        "if these are the positions of the classes, from 0 on, make them labels, "
        f"{assigned(numbers)} = pd.Categorical.from_codes({in_code(numbers)}, [<lowest>, ..., "
        "<highest>], ordered=True)"
    )
    if all(label.isdigit() for label in labels):
        remedy = f"{assigned(name)} = {in_code(name)}.astype(int)"
    raise ClassOrderError(
        f"{called(name)} holds text, as {labels[0]!r}, but {called(numbers)} holds numbers: "
        f"{remedy}"
    )


def _of_numbers(code: str) -> str:
    """Say what to do with numbers where classes are due."""
    return (
        f"round or bin numbers first, as with {code}.round(), {code}.ordinal.cut([...]) or "
        f"{code}.ordinal.classify([...], classes=[...]), or rank by them, as .ordinal.vus and "
        "u_pairs do"
    )


def _present(column: pd.Series[Any]) -> Iterator[Array]:
    """Yield the numbers that are not missing, block by block."""
    are_integers = isinstance(column.dtype, np.dtype) and column.dtype.kind in "iu"
    for rows in blocks(len(column)):
        block = column.iloc[rows]
        if column.dtype.kind == "f":
            floats = _floats(block)
            yield floats[~np.isnan(floats)]
        else:
            yield block.to_numpy() if are_integers else block.dropna().to_numpy()


def _floats(column: pd.Series[Any]) -> Floats:
    """Return a column of floats as an array; a nullable one may hold both NA and NaN."""
    floats: Floats = column.to_numpy(dtype=float, na_value=np.nan)
    return floats


def _labels(column: pd.Series[Any]) -> list[Any]:
    """Return the different labels of a column, unused categories included."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.dtype.categories.tolist()
    return column.dropna().unique().tolist()


def _different(column: pd.Series[Any]) -> tuple[Codes, pd.Index[Any]]:
    """Return the different labels of a column, and the position of each row's among them."""
    found: Any
    if column.dtype.kind == "f":
        codes, found = pd.factorize(_floats(column))
    elif column.dtype == object and pd.api.types.infer_dtype(column).startswith("mixed"):
        # pandas takes True for 1, whichever comes first
        codes, keys = pd.factorize(column.map(label_key, na_action="ignore"))
        return codes, pd.Index([label for _, label in keys], dtype=object, tupleize_cols=False)
    else:
        codes, found = pd.factorize(column)
    return codes, pd.Index(found, dtype=found.dtype)


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
    """Return the positions of labels, which are told apart block by block."""
    codes = _room(len(column), dtype)
    unknown = []
    for rows in blocks(len(column)):
        found, labels = _different(column.iloc[rows])
        positions = positions_of(labels, dtype)
        codes[rows] = np.append(positions, -1)[found]
        if (positions < 0).any():
            unknown.append(labels[positions < 0])
    if unknown:
        every = unknown[0].append(unknown[1:]).unique()
        _refuse_unknown(name, pd.Index(every, dtype=unknown[0].dtype), dtype)
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
    """Return room for a code a row, of the smallest type."""
    return np.empty(n_rows, np.min_scalar_type(-len(dtype.categories)))


def _is_every_integer(labels: pd.Index[Any]) -> bool:
    """Tell whether classes are all integers from the first to the last."""
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
    """Return what a label is looked up by: a boolean is no integer."""
    return isinstance(label, (bool, np.bool_)), label


def _refuse_unknown(name: Hashable, unknown: pd.Index[Any], dtype: pd.CategoricalDtype) -> None:
    """Raise if a column has labels that are no classes."""
    if len(unknown):
        raise UnknownClassError(_unknown(name, unknown, dtype))


def _unknown(name: Hashable, unknown: pd.Index[Any], dtype: pd.CategoricalDtype) -> str:
    code, target = in_code(name), assigned(name)
    message = (
        f"{called(name)} holds {show(unknown)}, which "
        f"{'is no class' if len(unknown) == 1 else 'are no classes'}; the classes are "
        f"{show(dtype.categories)}. Correct the labels, or give classes=[...] that has them"
    )
    if isinstance(dtype.categories, pd.IntervalIndex):
        if unknown.dtype.kind in "iufmM":
            message += f". Bin numbers first: {target} = {code}.ordinal.cut([...])"
        elif are_intervals(unknown.tolist()):
            message += (
                f". Intervals that have become text: {target} = po.parse_intervals("
                f"{code}, edges=[...])"
            )
    elif unknown.dtype.kind == "f":
        message += f". If they are predictions of a number: {_of_numbers(code)}"
    if unknown.dtype.kind in "iu" and unknown.min() >= 0 and unknown.max() < len(dtype.categories):
        message += (
            f". If they are codes, positions among the classes: {target} = "
            f"pd.Categorical.from_codes({code}, dtype=...)"
        )
    return message


def _order(dtype: pd.CategoricalDtype) -> str:
    return " < ".join(first(dtype.categories))
