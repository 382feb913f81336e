"""Sorting numbers into bins, and reading bins that have become text."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Literal, cast, overload

import numpy as np
import numpy.typing as npt
import pandas as pd

from pandas_ordinal.bins import BinsLike, Closed, as_bins, edges_of, refuse_bad_bins
from pandas_ordinal.errors import ClassOrderError, UnknownClassError

NUMBER = r"([+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+|inf))"
INTERVAL = re.compile(rf"\s*([\[(])\s*{NUMBER}\s*,\s*{NUMBER}\s*([\])])\s*")
CLOSED = {"(]": "right", "[)": "left", "[]": "both", "()": "neither"}


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
    bins = as_bins(edges, "edges", "right" if right else "left")
    if not right and bins.closed != "left":
        raise ValueError(f"right=False, but the bins of edges= are closed {bins.closed}")
    if bins.closed == "both" and len(bins) > 1:
        raise ValueError(
            f"edges= are bins closed on both sides, {bins[0]} and {bins[1]}, which share an edge: "
            'close them on one side, as with bins.set_closed("left")'
        )
    codes, missing = _codes(values, bins)
    beyond = (codes < 0) & ~missing
    if beyond.any() and outside == "raise":
        found, count = values[beyond].iloc[0], int(beyond.sum())
        infinite = " (-np.inf and np.inf may be the ends)" if values.dtype.kind in "iuf" else ""
        raise UnknownClassError(
            f"{called(values.name)} holds {count} value{'s' * (count > 1)} outside the bins from "
            f"{bins[0]} to {bins[-1]}, as {found}: widen the bins{infinite}, close them on the "
            'other side with right=False, or make such values missing with outside="missing"'
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
    if texts.map(lambda label: isinstance(label, dict)).any():
        raise ValueError(
            "the labels are dicts, not text: make intervals of them, as with pd.IntervalIndex("
            "[pd.Interval(d['left'], d['right'], d['closed']) for d in labels])"
        )
    codes: npt.NDArray[np.integer[Any]]
    codes, found = pd.factorize(texts)
    if isinstance(texts.dtype, pd.CategoricalDtype):
        codes, found = texts.cat.codes.to_numpy(np.intp), texts.cat.categories
    intervals = _intervals(found)
    if edges is None and not len(intervals):
        raise ClassOrderError("there are no labels that would tell the bins: give edges=[...]")
    if edges is None:
        bins = intervals.unique().sort_values()
        refuse_bad_bins(bins, "the text, which may lack bins that edges=[...] gives,")
    else:
        bins = as_bins(edges, "edges", intervals.closed)
    lookup = {interval: position for position, interval in enumerate(bins)}
    positions = np.array([lookup.get(interval, -1) for interval in intervals], int)
    if (positions < 0).any():
        unknown = found[int((positions < 0).argmax())]
        raise UnknownClassError(f"{unknown!r} is none of the bins {list(map(str, bins))}")
    dtype = pd.CategoricalDtype(bins, ordered=True)
    parsed = pd.Categorical.from_codes(np.append(positions, -1)[codes], dtype=dtype)
    if isinstance(labels, pd.Series):
        return pd.Series(parsed, index=labels.index, name=labels.name)
    return parsed


def called(name: Hashable) -> str:
    """Return what to call a column, which may be a Series without a name."""
    return "the Series" if name is None else f"column {name!r}"


def are_intervals(labels: Sequence[Any]) -> bool:
    """Tell whether labels are intervals in the form of text."""
    return bool(labels) and all(
        isinstance(label, str) and INTERVAL.fullmatch(label) for label in labels
    )


def in_order(labels: Sequence[str]) -> bool:
    """Tell whether intervals in the form of text are sorted, up or down."""
    matches = [match for match in map(INTERVAL.fullmatch, labels) if match]
    steps = np.diff([float(match[2]) for match in matches])
    return bool((steps >= 0).all() or (steps <= 0).all())


def _codes(
    values: pd.Series[Any], bins: pd.IntervalIndex[Any]
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.bool_]]:
    """Return the position of each value's bin, -1 for none, and which values are missing.

    An infinite value is in the bin that is open on its side, whichever side is closed.
    """
    last, edges = len(bins) - 1, edges_of(bins)
    numbers, ends, missing = _comparable(values, edges)
    codes = np.searchsorted(ends, numbers, side="left" if bins.closed == "right" else "right") - 1
    codes[codes > last] = -1
    if bins.closed == "neither":
        codes[np.isin(numbers, ends)] = -1
    if bins.closed == "both" or edges[-1] == np.inf:
        codes[numbers == ends[-1]] = last
    if edges[0] == -np.inf:
        codes[numbers == ends[0]] = 0
    codes[missing] = -1
    return codes, missing


def _comparable(
    values: pd.Series[Any], edges: pd.Index[Any]
) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[np.bool_]]:
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
        numbers = values.to_numpy(dtype=float, na_value=np.nan)
        missing = missing | np.isnan(numbers)
    else:
        # a missing value has no place among integers, until it is known to be missing
        numbers = (values.fillna(0) if missing.any() else values).to_numpy()
    if numbers.dtype != ends.dtype and any(map(_has_large_integers, (numbers, ends))):
        # as floats they would be rounded; Python compares them exactly
        return numbers.astype(object), ends.astype(object), missing
    return numbers, ends, missing


def _has_large_integers(numbers: npt.NDArray[Any]) -> bool:
    return numbers.dtype.kind in "iu" and bool(((numbers > 2**53) | (numbers < -(2**53))).any())


def _times(
    values: pd.Series[Any], edges: pd.Index[Any]
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return datetimes or timedeltas as integers of one unit."""
    held = values.astype(object) if isinstance(values.dtype, pd.ArrowDtype) else values
    kind = pd.DatetimeIndex if values.dtype.kind == "M" else pd.TimedeltaIndex
    both: list[Any] = [kind(held), edges]
    if len({getattr(index, "tz", None) is None for index in both}) > 1:
        raise ValueError(
            f"{called(values.name)} holds {values.dtype}, the edges are {edges.dtype}: give both "
            "a time zone, or none"
        )
    unit = max((index.unit for index in both), key=["s", "ms", "us", "ns"].index)
    try:
        numbers, ends = (index.as_unit(unit).asi8 for index in both)
    except (pd.errors.OutOfBoundsDatetime, pd.errors.OutOfBoundsTimedelta):
        # a far date as a mark, beside edges in nanoseconds
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
            raise ValueError(f'{text!r} is no interval of numbers, as "(10, 20]" is')
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
        raise ValueError(f"{text!r} is no interval: its left end must not be above the right one")
    if ends and all(re.fullmatch(r"[+-]?\d+", end) for end in ends):
        if np.abs(numbers).max() >= 2**63:
            text = matches[int(np.abs(numbers).max(axis=1).argmax())].string
            raise ValueError(f"{text!r} has an end that is too large for an integer")
        numbers = np.array([int(end) for end in ends]).reshape(-1, 2)
    left, right = cast("Any", numbers.T)
    return pd.IntervalIndex.from_arrays(left, right, closed=cast("Closed", closed[0]))
