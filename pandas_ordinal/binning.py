"""Sorting numbers into bins, and reading bins that have become text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
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
    codes = _codes(values, bins)
    missing = values.isna().to_numpy()
    beyond = (codes < 0) & ~missing
    if beyond.any() and outside == "raise":
        found, count = values[beyond].iloc[0], int(beyond.sum())
        raise UnknownClassError(
            f"{_name(values)} holds {count} value{'s' * (count > 1)} outside the bins {bins[0]} "
            f"to {bins[-1]}, as {found}: widen the bins, as with -np.inf and np.inf at "
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
    if isinstance(texts.dtype, pd.CategoricalDtype):
        codes, found = texts.cat.codes.to_numpy(np.int64), texts.cat.categories
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


def are_intervals(labels: Sequence[Any]) -> bool:
    """Tell whether labels are intervals in the form of text."""
    return bool(labels) and all(
        isinstance(label, str) and INTERVAL.fullmatch(label) for label in labels
    )


def _codes(values: pd.Series[Any], bins: pd.IntervalIndex[Any]) -> npt.NDArray[np.intp]:
    """Return the position of each value's bin; -1 for a value in none, or a missing one.

    An infinite value is in the bin that is open on its side, whichever side is closed.
    """
    last, missing = len(bins) - 1, values.isna().to_numpy()
    numbers, ends = _comparable(values, edges_of(bins), missing)
    codes = np.searchsorted(ends, numbers, side="left" if bins.closed == "right" else "right") - 1
    codes[codes > last] = -1
    if bins.closed == "neither":
        codes[np.isin(numbers, ends)] = -1
    if bins.closed == "both" or np.isinf(ends[-1]):
        codes[numbers == ends[-1]] = last
    if np.isinf(ends[0]):
        codes[numbers == ends[0]] = 0
    codes[missing] = -1
    return codes


def _comparable(
    values: pd.Series[Any], edges: pd.Index[Any], missing: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return values and edges as numbers that compare as they do."""
    kinds = {values.dtype.kind, edges.dtype.kind}
    if kinds in ({"M"}, {"m"}):
        times = pd.Index(values)
        if (getattr(times, "tz", None) is None) != (getattr(edges, "tz", None) is None):
            raise ValueError(
                f"{_name(values)} holds {values.dtype}, the edges are {edges.dtype}: give both a "
                "time zone, or none"
            )
        both: list[Any] = [times, edges]
        unit = max((index.unit for index in both), key=["s", "ms", "us", "ns"].index)
        return both[0].as_unit(unit).asi8, both[1].as_unit(unit).asi8
    if not kinds <= set("iuf"):
        raise ValueError(
            f"{_name(values)} holds {values.dtype}, the edges are {edges.dtype}: bins are cut "
            "from numbers, datetimes or timedeltas, with edges of the same kind"
        )
    ends = edges.to_numpy()
    if values.dtype.kind == "f":
        return values.to_numpy(dtype=float, na_value=np.nan), ends
    # a missing value has no place among integers, until it is known to be missing
    numbers = (values.fillna(0) if missing.any() else values).to_numpy()
    if ends.dtype.kind != numbers.dtype.kind and (np.abs(numbers) > 2**53).any():
        return numbers.astype(np.longdouble), ends.astype(np.longdouble)
    return numbers, ends


def _name(values: pd.Series[Any]) -> str:
    return "the Series" if values.name is None else f"column {values.name!r}"


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
