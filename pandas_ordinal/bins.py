"""Bins: classes that are intervals of a quantity, contiguous and with exact edges."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, TypeAlias, cast, overload

import numpy as np
import numpy.typing as npt
import pandas as pd

from pandas_ordinal.errors import ClassOrderError, UnknownClassError

BinsLike: TypeAlias = (
    "Sequence[float | pd.Timestamp | pd.Timedelta] | npt.NDArray[Any] | pd.Index[Any]"
)

INTERVAL = re.compile(r"\s*([\[(])\s*([^,\s]+)\s*,\s*([^,\s]+)\s*([\])])\s*")
CLOSED = {"(]": "right", "[)": "left", "[]": "both", "()": "neither"}


def as_bins(bins: BinsLike, option: str, *, right: bool = True) -> pd.IntervalIndex[Any]:
    """Return bins, given by their K + 1 edges or as an IntervalIndex, with these very edges."""
    if isinstance(bins, (str, bytes)) or not isinstance(bins, Iterable):
        raise ValueError(
            f"{option}={bins!r} must be the edges of the bins, one more than there are bins; "
            "pd.cut and pd.qcut find edges, whose columns work as they are"
        )
    edges: Any = pd.Index(list(bins))
    if not isinstance(edges, pd.IntervalIndex):
        _refuse_bad_edges(edges, option)
        return pd.IntervalIndex.from_breaks(edges, closed="right" if right else "left")
    if not right and edges.closed != "left":
        raise ValueError(f"right=False, but the bins of {option}= are closed {edges.closed}")
    refuse_bad_bins(edges, f"{option}=")
    return edges


def refuse_bad_bins(classes: pd.Index[Any], source: str) -> None:
    """Raise if classes are intervals, but not sorted and contiguous ones of one kind."""
    if not isinstance(classes, pd.IntervalIndex):
        if any(isinstance(label, pd.Interval) for label in classes):
            raise ClassOrderError(
                f"{source} mixes intervals that are closed on different sides, or intervals with "
                "other labels: close all on one side, as pd.IntervalIndex.from_breaks([...], "
                "closed='left') does"
            )
        return
    left, right = classes.left, classes.right
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
        f"{source} has a gap between the bins {one} and {other}: {_without_gaps(classes)}"
    )


def edges_of(classes: pd.Index[Any]) -> pd.Index[Any]:
    """Return the K + 1 edges of classes that are bins, or say how to give them some."""
    if not isinstance(classes, pd.IntervalIndex):
        raise ClassOrderError(
            f"the classes {classes[:8].tolist()} have no edges: bin numbers with "
            "df[...].ordinal.cut([...]), or give the edges of the classes, bins=[...], one more "
            "than there are classes"
        )
    return classes.left.append(classes.right[-1:])


def near_but_not_equal(
    bins: pd.IntervalIndex[Any], others: pd.IntervalIndex[Any]
) -> Iterator[tuple[Any, Any]]:
    """Yield pairs of edges that differ by less than a hundredth of the shortest bin."""
    if not {bins.left.dtype.kind, others.left.dtype.kind} <= set("iuf"):
        return
    shortest = min(bins.length.min(), others.length.min())
    ends = edges_of(others).to_numpy()
    inner = edges_of(bins).to_numpy()
    for edge in inner[np.isfinite(inner)]:
        nearest = ends[np.argmin(np.abs(ends - edge))]
        if 0 < abs(nearest - edge) < shortest / 100:
            yield edge, nearest


def bounds(edges: Any, n_classes: int) -> npt.NDArray[np.float64]:
    """Return K + 1 edges as numbers; datetimes and timedeltas in seconds from one of them."""
    if isinstance(edges, (str, bytes)) or not isinstance(edges, Iterable):
        raise ValueError(f"edges={edges!r} must be increasing numbers, datetimes or timedeltas")
    index = pd.Index(list(edges))
    if isinstance(index, pd.IntervalIndex):
        refuse_bad_bins(index, "edges=")
        index = edges_of(index)
    _refuse_bad_edges(index, "edges")
    if len(index) != n_classes + 1:
        raise ValueError(
            f"edges={list(edges)!r} must be {n_classes + 1} numbers, one more than there are "
            "classes"
        )
    if index.dtype.kind == "f":
        return np.array(index, float)
    # as whole numbers, from an inner edge on, so that near edges stay apart beside far ones
    unit = 1.0
    if isinstance(index, (pd.DatetimeIndex, pd.TimedeltaIndex)):
        unit = pd.Timedelta(1, unit=index.unit) / pd.Timedelta(1, unit="s")
        index = pd.Index(index.asi8)
    numbers = index.tolist()
    return np.array([number - numbers[n_classes // 2] for number in numbers], float) * unit


def with_bins(classes: pd.CategoricalDtype, bins: BinsLike | None) -> pd.CategoricalDtype:
    """Give edges to classes: each becomes the bin at its place."""
    if bins is None:
        return classes
    labels, index = classes.categories, as_bins(bins, "bins")
    if isinstance(labels, pd.IntervalIndex) and not labels.equals(index):
        raise ClassOrderError(
            f"the classes are the bins {list(map(str, labels))}, but bins= says "
            f"{list(map(str, index))}: leave out bins="
        )
    if len(index) != len(labels):
        raise ClassOrderError(
            f"bins= gives {len(index)} bins to {len(labels)} classes, {labels[:8].tolist()}: give "
            "one edge more than there are classes; declare classes that no row has with "
            "classes=[...]; bin numbers with df[...].ordinal.cut([...])"
        )
    return pd.CategoricalDtype(index, ordered=True)


def cut(
    values: pd.Series[Any],
    edges: BinsLike,
    *,
    right: bool,
    outside: Literal["raise", "missing"],
) -> pd.Series[Any]:
    """Sort numbers, datetimes or timedeltas into bins."""
    if outside not in ("raise", "missing"):
        raise ValueError(f'outside={outside!r} must be "raise" or "missing"')
    bins = as_bins(edges, "edges", right=right)
    if bins.closed == "both" and len(bins) > 1:
        raise ValueError(
            f"edges= are bins closed on both sides, {bins[0]} and {bins[1]}, which share an edge: "
            'close them on one side, as with bins.set_closed("left")'
        )
    codes = _codes(values, bins)
    missing = values.isna().to_numpy()
    beyond = (codes < 0) & ~missing
    if beyond.any() and outside == "raise":
        found, count = values[beyond].iloc[0], int(beyond.sum())
        raise UnknownClassError(
            f"{_name(values)} holds {count} value{'s' * (count > 1)} outside the bins {bins[0]} to "
            f"{bins[-1]}, as {found}: widen the bins, as with -np.inf and np.inf at "
            'the ends or with right=False, or make such values missing with outside="missing"'
        )
    binned = pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(bins, ordered=True))
    return pd.Series(binned, index=values.index, name=values.name)


@overload
def parse_intervals(labels: pd.Series[Any], edges: BinsLike | None = None) -> pd.Series[Any]: ...
@overload
def parse_intervals(
    labels: Sequence[str] | npt.NDArray[Any] | pd.Index[Any], edges: BinsLike | None = None
) -> pd.Categorical: ...
def parse_intervals(labels: Any, edges: BinsLike | None = None) -> Any:
    """Read bins that a CSV or JSON file has turned into text, as ``"(10, 20]"``.

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
        If a label is no interval of numbers.
    ClassOrderError
        If the bins overlap, leave a gap, or are closed on different sides.
    UnknownClassError
        If a label is not among the bins given.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> po.parse_intervals(["(10, 20]", "(20, inf]", "(0, 10]"]).categories
    IntervalIndex([(0.0, 10.0], (10.0, 20.0], (20.0, inf]], dtype='interval[float64, right]')
    """
    texts = pd.Series(labels)
    codes, found = pd.factorize(texts)
    intervals = pd.Index(_intervals(found))
    if not isinstance(intervals, pd.IntervalIndex):
        raise ClassOrderError(
            f"the labels {list(found[:8])} are no intervals that are all closed on one side"
        )
    if edges is None:
        bins = intervals.unique().sort_values()
        refuse_bad_bins(bins, "the text, which may lack bins that edges=[...] gives,")
    else:
        bins = as_bins(edges, "edges", right=intervals.closed != "left")
    lookup = {interval: position for position, interval in enumerate(bins)}
    positions = np.array([lookup.get(interval, -1) for interval in intervals], int)
    if (positions < 0).any():
        raise UnknownClassError(
            f"the label {found[positions < 0][0]!r} is none of the bins {list(map(str, bins))}"
        )
    dtype = pd.CategoricalDtype(bins, ordered=True)
    parsed = pd.Categorical.from_codes(np.append(positions, -1)[codes], dtype=dtype)
    if isinstance(labels, pd.Series):
        return pd.Series(parsed, index=labels.index, name=labels.name)
    return parsed


def are_intervals(labels: Sequence[Any]) -> bool:
    """Tell whether labels are intervals in the form of text."""
    return bool(labels) and all(
        isinstance(label, str) and INTERVAL.fullmatch(label) for label in labels
    )


def _refuse_bad_edges(edges: pd.Index[Any], option: str) -> None:
    """Raise unless edges are two or more increasing numbers, datetimes or timedeltas."""
    if edges.dtype.kind not in "iufmM":
        raise ValueError(
            f"{option}={edges.tolist()!r} must be increasing numbers, datetimes or timedeltas"
        )
    if len(edges) < 2 or edges.hasnans or not (edges[:-1] < edges[1:]).all():
        raise ValueError(
            f"{option}={edges.tolist()!r} must be two or more edges, each higher than the one "
            "before, none missing: bins have a length, no gaps and no overlaps"
        )


def _without_gaps(bins: pd.IntervalIndex[Any]) -> str:
    """Say how to write bins without gaps: integers closed on both sides as half-open bins."""
    ends = np.array([*bins.left, *bins.right])
    if bins.closed == "both" and ends.dtype.kind in "iuf":
        finite = ends[np.isfinite(ends)]
        if (finite == np.floor(finite)).all() and (bins.right[:-1] + 1 == bins.left[1:]).all():
            edges = [
                end if np.isinf(end) else int(end) for end in [*bins.left, bins.right[-1] + 1]
            ]
            shown = ", ".join("np.inf" if end == np.inf else str(end) for end in edges)
            shown = shown.replace("-inf", "-np.inf")
            return (
                "write bins of integers half-open, as pd.IntervalIndex.from_breaks("
                f"[{shown}], closed='left')"
            )
    return "let each bin begin where the one before ends, and declare bins that no row has, too"


def _codes(values: pd.Series[Any], bins: pd.IntervalIndex[Any]) -> npt.NDArray[np.intp]:
    """Return the position of each value's bin; -1 for a value in none, or a missing one.

    An infinite value is in the bin that is open on its side, whichever side is closed.
    """
    edges, last = edges_of(bins), len(bins) - 1
    side: Literal["left", "right"] = "left" if bins.closed == "right" else "right"
    numbers = _numbers(values, edges)
    codes: npt.NDArray[np.intp] = np.asarray(edges.searchsorted(numbers, side=side)) - 1
    codes[codes > last] = -1
    if bins.closed == "neither":
        codes[np.isin(numbers, edges)] = -1
    if bins.closed == "both":
        codes[numbers == edges[-1]] = last
    if edges.dtype.kind == "f":
        codes[(numbers == edges[-1]) & np.isinf(edges[-1])] = last
        codes[(numbers == edges[0]) & np.isinf(edges[0])] = 0
    codes[values.isna().to_numpy()] = -1
    return codes


def _name(values: pd.Series[Any]) -> str:
    return "the Series" if values.name is None else f"column {values.name!r}"


def _numbers(values: pd.Series[Any], edges: pd.Index[Any]) -> Any:
    """Return values as an array of numbers, or an Index of datetimes or timedeltas."""
    kinds = {values.dtype.kind, edges.dtype.kind}
    if kinds in ({"M"}, {"m"}):
        return pd.Index(values)
    if not kinds <= set("iuf"):
        raise ValueError(
            f"{_name(values)} holds {values.dtype}, the edges are {edges.dtype}: bins are "
            "cut from numbers, datetimes or timedeltas, with edges of the same kind"
        )
    if isinstance(values.dtype, np.dtype):
        return values.to_numpy()
    return values.to_numpy(dtype=float, na_value=np.nan)


def _intervals(texts: Iterable[Any]) -> list[pd.Interval[Any]]:
    """Read each text as an interval; all of integers, or all of floats."""
    matches = []
    for text in texts:
        match = INTERVAL.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            raise ValueError(f'{text!r} is no interval of numbers, as "(10, 20]" is')
        matches.append(match.groups())
    numbers: list[list[Any]] = []
    for kind in (int, float):
        try:
            numbers = [[kind(low), kind(high)] for _, low, high, _ in matches]
            break
        except ValueError:
            continue
    else:
        raise ValueError(f"{list(texts)[:8]} are no intervals of numbers")
    return [
        pd.Interval(low, high, closed=cast("Any", CLOSED[opening + closing]))
        for (low, high), (opening, *_, closing) in zip(numbers, matches, strict=True)
    ]
