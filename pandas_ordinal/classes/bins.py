"""Intervals as classes: the edges of bins, numbers cut into bins, bins read from text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, Literal, TypeAlias, cast, overload

import numpy as np
import numpy.typing as npt
import pandas as pd

from pandas_ordinal.counting.arrays import LARGEST_EXACT, Array, Codes, Floats
from pandas_ordinal.errors import (
    ClassOrderError,
    UnknownClassError,
    an,
    brief,
    called,
    is_iterable,
    kind_of,
    show,
)
from pandas_ordinal.hints import explains_arguments

BinsLike: TypeAlias = "Sequence[float | pd.Timestamp | pd.Timedelta] | Array | pd.Index[Any]"

UNORDERED = (str, bytes, Mapping, Set)  # not lists of edges, although they can be iterated

FEW_EDGES = 16

Closed: TypeAlias = Literal["left", "right", "both", "neither"]

NUMBER = r"([+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+|inf))"
INTERVAL = re.compile(rf"\s*([\[(])\s*{NUMBER}\s*,\s*{NUMBER}\s*([\])])\s*")
CLOSED = {"(]": "right", "[)": "left", "[]": "both", "()": "neither"}


def as_bins(bins: BinsLike, option: str, closed: Closed = "right") -> pd.IntervalIndex[Any]:
    """Return bins, given by their K + 1 edges or as an IntervalIndex, with exactly these edges."""
    if hasattr(bins, "dims"):
        raise TypeError(f"{option}= must be the edges of the bins in a list, not a DataArray")
    if isinstance(bins, UNORDERED) or not is_iterable(bins):
        raise ValueError(
            f"{option}={brief(bins)} must be the edges of the bins in a list, one more than there "
            "are bins; columns that pd.cut and pd.qcut return work as they are"
        )
    edges = _index_of(bins, option)
    refuse_bad_bins(edges, f"{option}=")
    if isinstance(edges, pd.IntervalIndex):
        return edges
    _refuse_bad_edges(edges, option)
    return pd.IntervalIndex.from_breaks(edges, closed=closed)


def _index_of(edges: Iterable[Any], option: str) -> Any:
    """Return edges as an Index; raise for what cannot be in one."""
    given = list(edges)
    if not all(map(pd.api.types.is_hashable, given)):
        raise ValueError(f"{option}={brief(edges)} must be the edges of the bins in a list")
    try:
        return pd.Index(given)
    except NotImplementedError as error:
        raise ValueError(
            f"{option}={brief(given)} has the dtype float16, for which pandas has no index: give "
            "decimals in a list, or float32"
        ) from error


def of_objects(labels: pd.Index[Any]) -> pd.Index[Any]:
    """Return intervals in an Index of objects as an IntervalIndex, other labels as they are."""
    if labels.dtype != object or not len(labels) or not isinstance(labels[0], pd.Interval):
        return labels
    inferred: pd.Index[Any] = pd.Index(labels.tolist())
    return inferred


def refuse_bad_bins(classes: pd.Index[Any], source: str) -> None:
    """Raise if classes are intervals that are not sorted, contiguous and closed on one side."""
    if not isinstance(classes, pd.IntervalIndex):
        if any(isinstance(label, pd.Interval) for label in classes):
            raise ClassOrderError(
                f"{source} mixes intervals that are closed on different sides, or intervals with "
                "other labels: close all on one side, as pd.IntervalIndex.from_breaks([...], "
                "closed='left') does"
            )
        return
    left, right = classes.left, classes.right
    half_open = _half_open(classes)
    if half_open:
        raise ClassOrderError(
            f"{source} has a gap between the bins {classes[0]} and {classes[1]}: write bins of "
            f"integers half-open, as {half_open}"
        )
    empty = np.flatnonzero(~(left < right))
    if len(empty):
        raise ClassOrderError(f"{source} has the bin {classes[empty[0]]}, which has no length")
    wrong = np.flatnonzero(right[:-1] != left[1:])
    if not len(wrong):
        return
    one, other = classes[wrong[0]], classes[wrong[0] + 1]
    if other.left < one.left:
        raise ClassOrderError(f"{source} has {one} before {other}: sort the bins, lowest first")
    if other.left < one.right:
        raise ClassOrderError(f"{source} has bins that overlap, {one} and {other}")
    raise ClassOrderError(
        f"{source} has a gap between the bins {one} and {other}: let each bin begin where the one "
        "before ends, and declare bins that no row has, too"
    )


def edges_of(classes: pd.Index[Any]) -> pd.Index[Any]:
    """Return the K + 1 edges of classes that are bins; the error explains how to give some."""
    if not isinstance(classes, pd.IntervalIndex):
        raise ClassOrderError(
            f"the classes {show(classes)} have no edges: bin numbers with "
            "df[...].ordinal.cut([...]), read bins that have become text with "
            "po.parse_intervals(df[...]), or give the edges of the classes, bins=[...], one more "
            "than there are classes"
        )
    return classes.left.append(classes.right[-1:])


def near_but_not_equal(
    bins: pd.IntervalIndex[Any], others: pd.IntervalIndex[Any]
) -> Iterator[tuple[Any, Any]]:
    """Yield pairs of edges that differ by less than a hundredth of the shortest bin.

    Where all bins are open, the limit is a thousandth of the edge.
    """
    if not {bins.left.dtype.kind, others.left.dtype.kind} <= set("iuf"):
        return
    lengths = np.array([*bins.length, *others.length], float)
    shortest = lengths[np.isfinite(lengths)].min(initial=np.inf)
    ends = edges_of(others).to_numpy()
    inner = edges_of(bins).to_numpy()
    for edge in inner[np.isfinite(inner)]:
        nearest = ends[np.argmin(np.abs(ends - edge))]
        scale = shortest if shortest < np.inf else abs(edge) / 10
        if 0 < abs(nearest - edge) < scale / 100:
            yield edge, nearest


def edge_numbers(edges: Any, n_classes: int) -> Floats:
    """Return K + 1 edges as numbers; datetimes and timedeltas in seconds from one of them."""
    if isinstance(edges, UNORDERED) or not is_iterable(edges):
        raise ValueError(
            f"edges={brief(edges)} must be increasing numbers, datetimes or timedeltas"
        )
    index = _index_of(edges, "edges")
    if isinstance(index, pd.IntervalIndex):
        refuse_bad_bins(index, "edges=")
        index = edges_of(index)
    _refuse_bad_edges(index, "edges")
    if len(index) != n_classes + 1:
        raise ValueError(
            f"edges={brief(list(edges))} must be {n_classes + 1} numbers, one more than there are "
            "classes"
        )
    if index.dtype.kind == "f":
        return np.array(index, float)
    # as whole numbers from an inner edge on, so that close edges stay distinct despite far ones
    units = 1.0
    if isinstance(index, (pd.DatetimeIndex, pd.TimedeltaIndex)):
        units = pd.Timedelta(1, unit="s") / pd.Timedelta(1, unit=index.unit)
        index = pd.Index(index.asi8)
    numbers = index.tolist()
    return np.array([number - numbers[n_classes // 2] for number in numbers], float) / units


def with_bins(classes: pd.CategoricalDtype, bins: BinsLike | None) -> pd.CategoricalDtype:
    """Replace each class by the bin at its position."""
    if bins is None:
        return classes
    labels, index = classes.categories, as_bins(bins, "bins")
    if isinstance(labels, pd.IntervalIndex) and not labels.equals(index):
        raise ClassOrderError(
            f"the classes are the bins {list(map(str, labels))}, but bins= gives "
            f"{list(map(str, index))}: leave out bins="
        )
    if len(index) != len(labels):
        raise ClassOrderError(
            f"bins= gives {len(index)} bin{'s' * (len(index) != 1)} to {len(labels)} "
            f"class{'es' * (len(labels) != 1)}, {show(labels)}: give one edge more than "
            "there are classes; declare classes that no row has with classes=[...]; "
            "bin numbers with df[...].ordinal.cut([...])"
        )
    return pd.CategoricalDtype(index, ordered=True)


def bins_in_code(intervals: Sequence[pd.Interval[Any]]) -> str | None:
    """Write bins as code, if they are contiguous bins of numbers."""
    bins = pd.Index(sorted(set(intervals)))
    if not isinstance(bins, pd.IntervalIndex) or bins.left.dtype.kind not in "iuf":
        return None
    if (bins.left[1:] != bins.right[:-1]).any():
        return None
    return _from_breaks(edges_of(bins).tolist(), bins.closed)


def cut(
    values: pd.Series[Any],
    edges: BinsLike,
    *,
    right: bool,
    errors: Literal["raise", "coerce"],
) -> pd.Series[Any]:
    """Sort numbers, datetimes or timedeltas into bins."""
    bins = bins_to_cut(edges, right=right)
    codes, beyond = bin_codes(values, bins)
    if errors == "raise":
        refuse_beyond(values[beyond], bins)
    binned = pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(bins, ordered=True))
    return pd.Series(binned, index=values.index, name=values.name)


def bins_to_cut(edges: BinsLike, *, right: bool) -> pd.IntervalIndex[Any]:
    """Return bins that values can be sorted into, closed on the right or left."""
    bins = as_bins(edges, "edges", "right" if right else "left")
    if not right and bins.closed != "left":
        raise ValueError(f"right=False, but the bins of edges= are closed {bins.closed}")
    if bins.closed == "both" and len(bins) > 1:
        raise ValueError(
            f"edges= are bins closed on both sides, {bins[0]} and {bins[1]}, which share an edge: "
            'close them on one side, as with bins.set_closed("left")'
        )
    return bins


def refuse_beyond(beyond: pd.Series[Any], bins: pd.IntervalIndex[Any]) -> None:
    """Raise if there are values in none of the bins."""
    if len(beyond):
        infinite = " (-np.inf and np.inf may be the ends)" if beyond.dtype.kind in "iuf" else ""
        raise UnknownClassError(
            f"{called(beyond.name)} holds {len(beyond)} value{'s' * (len(beyond) > 1)} outside "
            f"the bins from {bins[0]} to {bins[-1]}, such as {beyond.iloc[0]}: widen the "
            f"bins{infinite}, close them on the other side with right=False, or make such values "
            'missing with errors="coerce"'
        )


@overload
def parse_intervals(labels: pd.Series[Any], edges: BinsLike | None = None) -> pd.Series[Any]: ...
@overload
def parse_intervals(
    labels: Sequence[str] | Array | pd.Index[Any], edges: BinsLike | None = None
) -> pd.Categorical: ...
@explains_arguments
def parse_intervals(labels: Any, edges: BinsLike | None = None) -> Any:
    """Read bins that a CSV or JSON file has turned into text, such as ``"(10, 20]"``.

    As text they would sort as ``(0, 10]``, ``(10, 20]``, ``(100, inf]``, ``(20, 100]``.

    Parameters
    ----------
    labels : Series of str, or sequence of str
        The bins as text; missing ones stay missing.
    edges : sequence, optional
        The edges of all bins, lowest first, or an IntervalIndex. Default: those of the labels,
        which then must leave no gap.

    Returns
    -------
    Series or Categorical
        Ordered, its categories an IntervalIndex; a Series for a Series.

    Raises
    ------
    ValueError
        If a label is not an interval of numbers.
    ClassOrderError
        If the bins overlap, leave a gap, or are closed on different sides.
    UnknownClassError
        If a label is not among the given bins.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> po.parse_intervals(["(10, 20]", "(20, inf]", "(0, 10]"]).categories
    IntervalIndex([(0.0, 10.0], (10.0, 20.0], (20.0, inf]], dtype='interval[float64, right]')
    """
    wrong = TypeError(f"labels= takes a list or a column of text, not {an(kind_of(labels))}")
    if np.isscalar(labels) or getattr(labels, "ndim", 1) != 1:
        raise wrong
    try:
        texts = pd.Series(labels)
    except (TypeError, ValueError, NotImplementedError) as error:
        raise wrong from error
    if texts.map(lambda label: isinstance(label, dict)).any():
        raise ValueError(
            "the labels are dicts, not text: convert them to intervals, as with pd.IntervalIndex("
            "[pd.Interval(d['left'], d['right'], d['closed']) for d in labels])"
        )
    lists = [label for label in texts if not pd.api.types.is_hashable(label)]
    if lists:
        raise TypeError(f"labels= holds {brief(lists[0])}, which is not text such as (10, 20]")
    codes: Codes
    if isinstance(texts.dtype, pd.CategoricalDtype):
        codes, distinct = texts.cat.codes.to_numpy(np.intp), texts.cat.categories
    else:
        codes, distinct = pd.factorize(texts)
    intervals = _intervals(distinct)
    if edges is None and not len(intervals):
        raise ClassOrderError("no label shows what the bins are: give edges=[...]")
    if edges is None:
        bins = intervals.unique().sort_values()
        refuse_bad_bins(bins, "the text, which may lack bins that edges=[...] gives,")
    else:
        bins = as_bins(edges, "edges", intervals.closed)
    lookup = {interval: position for position, interval in enumerate(bins)}
    positions = np.array([lookup.get(interval, -1) for interval in intervals], int)
    if (positions < 0).any():
        unknown = distinct[int((positions < 0).argmax())]
        raise UnknownClassError(f"{unknown!r} is not among the bins {list(map(str, bins))}")
    dtype = pd.CategoricalDtype(bins, ordered=True)
    parsed = pd.Categorical.from_codes(np.append(positions, -1)[codes], dtype=dtype)
    if isinstance(labels, pd.Series):
        return pd.Series(parsed, index=labels.index, name=labels.name)
    return parsed


def are_intervals(labels: Sequence[Any]) -> bool:
    """Return whether labels are intervals written as text."""
    return bool(labels) and all(
        isinstance(label, str) and INTERVAL.fullmatch(label) for label in labels
    )


def in_order(labels: Sequence[str]) -> bool:
    """Return whether intervals written as text are sorted, up or down."""
    matches = [match for match in map(INTERVAL.fullmatch, labels) if match]
    steps = np.diff([float(match[2]) for match in matches])
    return bool((steps >= 0).all() or (steps <= 0).all())


def _refuse_bad_edges(edges: pd.Index[Any], option: str) -> None:
    """Raise unless edges are two or more increasing numbers, datetimes or timedeltas."""
    if edges.dtype.kind not in "iufmM":
        raise ValueError(
            f"{option}={brief(edges.tolist())} must be increasing numbers, datetimes or timedeltas"
        )
    if len(edges) < 2 or edges.hasnans or not (edges[:-1] < edges[1:]).all():
        raise ValueError(
            f"{option}={brief(edges.tolist())} must be two or more edges, each higher than the "
            "one before, none missing: bins have a length, no gaps and no overlaps"
        )


def _half_open(bins: pd.IntervalIndex[Any]) -> str | None:
    """Write bins like [1, 2], [3, 7] without their gaps; None for other bins."""
    ends = np.array([*bins.left, *bins.right])
    if bins.closed != "both" or ends.dtype.kind not in "iuf":
        return None
    finite = ends[np.isfinite(ends)]
    if len(bins) < 2 or (finite != np.floor(finite)).any():
        return None
    if not (bins.right[:-1] + 1 == bins.left[1:]).all():
        return None
    edges = [*bins.left.tolist(), bins.right.tolist()[-1] + 1]
    return _from_breaks([int(edge) if np.isfinite(edge) else edge for edge in edges], "left")


def _from_breaks(edges: Sequence[float], closed: str) -> str:
    """Write contiguous bins of numbers as code."""
    listed = ", ".join(repr(edge).replace("inf", "np.inf") for edge in edges)
    return f"pd.IntervalIndex.from_breaks([{listed}], closed={brief(closed)})"


def bin_codes(
    values: pd.Series[Any], bins: pd.IntervalIndex[Any]
) -> tuple[Array, npt.NDArray[np.bool_]]:
    """Return the position of each value's bin, -1 for none, and which values are in none.

    An infinite value is in the bin that is open on its side, whichever side is closed.
    """
    last, edges = len(bins) - 1, edges_of(bins)
    numbers, ends, missing = _comparable(values, edges)
    codes = _edges_below(numbers, ends, bins.closed) - 1
    if edges[-1] != np.inf:
        codes[codes > last] = -1
    if bins.closed == "neither":
        codes[np.isin(numbers, ends)] = -1
    if bins.closed == "both" or edges[-1] == np.inf:
        codes[numbers == ends[-1]] = last
    if edges[0] == -np.inf:
        codes[numbers == ends[0]] = 0
    codes[missing] = -1
    return codes, (codes < 0) & ~missing


def _edges_below(numbers: Array, ends: Array, closed: Closed) -> Array:
    """Count the edges below each number; those equal to it count if bins are closed on the left.

    A few edges are faster compared one by one than searched.
    """
    if len(ends) > FEW_EDGES or object in (numbers.dtype, ends.dtype):
        return np.searchsorted(ends, numbers, side="left" if closed == "right" else "right")
    is_lowest, is_highest = ends[0] == -np.inf, ends[-1] == np.inf
    # numbers are within infinite ends; what is on such an end is found afterwards
    below = np.full(len(numbers), is_lowest, np.int8)
    for end in ends[int(is_lowest) : len(ends) - int(is_highest)]:
        below += numbers > end if closed == "right" else numbers >= end
    return below


def _comparable(
    values: pd.Series[Any], edges: pd.Index[Any]
) -> tuple[Array, Array, npt.NDArray[np.bool_]]:
    """Return values and edges as numbers that compare as they do, and which are missing."""
    kinds = {values.dtype.kind, edges.dtype.kind}
    missing = values.isna().to_numpy()
    if kinds in ({"M"}, {"m"}):
        return (*_times(values, edges), missing)
    if not kinds <= set("iuf"):
        raise ValueError(
            f"{called(values.name)} holds {values.dtype}, the edges are {edges.dtype}: bins are "
            "cut from numbers, datetimes or timedeltas, with edges of the same kind; convert the "
            "values first, as with pd.to_numeric or .astype(float)"
        )
    ends = edges.to_numpy()
    if values.dtype.kind == "f":
        ends = in_precision(ends, values.dtype)
        if values.dtype == np.float32:
            with np.errstate(over="ignore"):
                narrow = ends.astype(np.float32)
            if (ends == narrow).all():
                return values.to_numpy(), narrow, missing
        numbers = values.to_numpy(dtype=float, na_value=np.nan)
        missing = missing | np.isnan(numbers)
    else:
        # integers have no missing value: any number will do, since `missing` marks it
        numbers = (values.fillna(0) if missing.any() else values).to_numpy()
    if edges.dtype.kind == "f":
        numbers = in_precision(numbers, edges.dtype)
    return (*comparable(numbers, ends), missing)


def comparable(numbers: Array, ends: Array) -> tuple[Array, Array]:
    """Return large integers as objects: as floats they would be rounded, Python compares them."""
    if numbers.dtype != ends.dtype and any(map(_has_large_integers, (numbers, ends))):
        return numbers.astype(object), ends.astype(object)
    return numbers, ends


def in_precision(numbers: Array, dtype: Any) -> Array:
    """Round numbers to the precision of floats: 0.3 in float32 is another number than in float64.

    Both values and edges are rounded to the precision of the other, and so compared at the lower.
    """
    size: int = getattr(dtype, "subtype", dtype).itemsize
    if size >= 8:
        return numbers
    with np.errstate(over="ignore", under="ignore"):
        rounded = numbers.astype(f"f{size}").astype(float)
    # finite edges stay finite, so that an infinite value is not on one
    return np.where(np.isinf(rounded), numbers, rounded)


def _has_large_integers(numbers: Array) -> bool:
    if numbers.dtype.kind == "f":
        return False
    return bool(((numbers > LARGEST_EXACT) | (numbers < -LARGEST_EXACT)).any())


def _times(values: pd.Series[Any], edges: pd.Index[Any]) -> tuple[Array, Array]:
    """Return datetimes or timedeltas as integers of one unit."""
    times = values.astype(object) if isinstance(values.dtype, pd.ArrowDtype) else values
    kind = pd.DatetimeIndex if values.dtype.kind == "M" else pd.TimedeltaIndex
    both: list[Any] = [kind(times), edges]
    if len({getattr(index, "tz", None) is None for index in both}) > 1:
        raise ValueError(
            f"{called(values.name)} holds {values.dtype}, the edges are {edges.dtype}: give both "
            "a time zone, or none"
        )
    unit = max((index.unit for index in both), key=["s", "ms", "us", "ns"].index)
    try:
        numbers, ends = (index.as_unit(unit).asi8 for index in both)
    except (pd.errors.OutOfBoundsDatetime, pd.errors.OutOfBoundsTimedelta):
        # a far date, often a sentinel, is beyond the range of edges in nanoseconds
        steps = [pd.Timedelta(1, unit=index.unit) // pd.Timedelta(1, unit=unit) for index in both]
        numbers, ends = (
            index.asi8.astype(object) * step for index, step in zip(both, steps, strict=True)
        )
    return numbers, ends


def _intervals(texts: Iterable[Any]) -> pd.IntervalIndex[Any]:
    """Read each text as an interval: all of integers, or all of floats."""
    matches = []
    for text in texts:
        match = INTERVAL.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            raise ValueError(
                f'the label {brief(text)} is not an interval of numbers, such as "(10, 20]"'
            )
        matches.append(match)
    closed = list(dict.fromkeys(CLOSED[match[1] + match[4]] for match in matches)) or ["right"]
    if len(closed) > 1:
        raise ClassOrderError(
            f"the text mixes intervals closed {closed[0]} and closed {closed[1]}: close all on "
            "one side"
        )
    ends = [number for match in matches for number in match.group(2, 3)]
    numbers = np.array(ends, str).astype(float).reshape(-1, 2)
    for position, (number, end) in enumerate(zip(numbers.ravel(), ends, strict=True)):
        if np.isinf(number) and "inf" not in end:
            text = matches[position // 2].string
            raise ValueError(f"{text!r} has an end that is too large for a float: {end}")
    wrong = ~(numbers[:, 0] <= numbers[:, 1])
    if wrong.any():
        text = matches[wrong.argmax()].string
        raise ValueError(
            f"{text!r} is not an interval: its left end must not be above the right one"
        )
    if ends and all(re.fullmatch(r"[+-]?\d+", end) for end in ends):
        if np.abs(numbers).max() >= 2**63:
            text = matches[int(np.abs(numbers).max(axis=1).argmax())].string
            raise ValueError(f"{text!r} has an end that is too large for an integer")
        numbers = np.array([int(end) for end in ends]).reshape(-1, 2)
    left, right = cast("Any", numbers.T)
    return pd.IntervalIndex.from_arrays(left, right, closed=cast("Closed", closed[0]))
