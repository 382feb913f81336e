"""Bins: classes that are intervals of a quantity, contiguous and with exact edges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from pandas_ordinal.errors import ClassOrderError

BinsLike: TypeAlias = (
    "Sequence[float | pd.Timestamp | pd.Timedelta] | npt.NDArray[Any] | pd.Index[Any]"
)

UNORDERED = (str, bytes, Mapping, Set)  # no list of edges, though it can be iterated

Closed: TypeAlias = Literal["left", "right", "both", "neither"]


def as_bins(bins: BinsLike, option: str, closed: Closed = "right") -> pd.IntervalIndex[Any]:
    """Return bins, given by their K + 1 edges or as an IntervalIndex, with these very edges."""
    if isinstance(bins, UNORDERED) or not isinstance(bins, Iterable):
        raise ValueError(
            f"{option}={bins!r} must be the edges of the bins in a list, one more than there are "
            "bins; pd.cut and pd.qcut find edges, whose columns work as they are"
        )
    edges: Any = pd.Index(list(bins))
    if not isinstance(edges, pd.IntervalIndex):
        refuse_bad_bins(edges, f"{option}=")
        _refuse_bad_edges(edges, option)
        return pd.IntervalIndex.from_breaks(edges, closed=closed)
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
    """Return the K + 1 edges of classes that are bins, or say how to give them some."""
    if not isinstance(classes, pd.IntervalIndex):
        raise ClassOrderError(
            f"the classes {classes[:8].tolist()} have no edges: bin numbers with "
            "df[...].ordinal.cut([...]), read bins that have become text with "
            "po.parse_intervals(df[...]), or give the edges of the classes, bins=[...], one more "
            "than there are classes"
        )
    return classes.left.append(classes.right[-1:])


def near_but_not_equal(
    bins: pd.IntervalIndex[Any], others: pd.IntervalIndex[Any]
) -> Iterator[tuple[Any, Any]]:
    """Yield pairs of edges that differ by less than a hundredth of the shortest bin.

    By less than a thousandth of the edge where all bins are open.
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


def bounds(edges: Any, n_classes: int) -> npt.NDArray[np.float64]:
    """Return K + 1 edges as numbers; datetimes and timedeltas in seconds from one of them."""
    if isinstance(edges, UNORDERED) or not isinstance(edges, Iterable):
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
    units = 1.0
    if isinstance(index, (pd.DatetimeIndex, pd.TimedeltaIndex)):
        units = pd.Timedelta(1, unit="s") / pd.Timedelta(1, unit=index.unit)
        index = pd.Index(index.asi8)
    numbers = index.tolist()
    return np.array([number - numbers[n_classes // 2] for number in numbers], float) / units


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


def written(intervals: Sequence[pd.Interval[Any]]) -> str | None:
    """Write bins as code, if they are contiguous bins of numbers."""
    bins = pd.Index(sorted(set(intervals)))
    if not isinstance(bins, pd.IntervalIndex) or bins.left.dtype.kind not in "iuf":
        return None
    if (bins.left[1:] != bins.right[:-1]).any():
        return None
    edges = ", ".join(repr(edge).replace("inf", "np.inf") for edge in edges_of(bins).tolist())
    return f"pd.IntervalIndex.from_breaks([{edges}], closed={bins.closed!r})"


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


def _half_open(bins: pd.IntervalIndex[Any]) -> str | None:
    """Write bins like [1, 2], [3, 7] without their gaps; None if they are no such bins."""
    ends = np.array([*bins.left, *bins.right])
    if bins.closed != "both" or ends.dtype.kind not in "iuf":
        return None
    finite = ends[np.isfinite(ends)]
    if len(bins) < 2 or (finite != np.floor(finite)).any():
        return None
    if not (bins.right[:-1] + 1 == bins.left[1:]).all():
        return None
    edges = [*bins.left, bins.right[-1] + 1]
    shown = ", ".join(
        str(int(edge)) if np.isfinite(edge) else str(edge).replace("inf", "np.inf")
        for edge in edges
    )
    return f"pd.IntervalIndex.from_breaks([{shown}], closed='left')"
