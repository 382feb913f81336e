"""Rows whose classes are bins, the ways to score them, and slow and literal definitions."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

import brute
import numpy as np
import numpy.testing as npt
import pandas as pd
import xarray as xr
from hypothesis import strategies as st
from labelled import predictions
from oracles import interval

import pandas_ordinal as po
from pandas_ordinal.metrics import registry

Closed: TypeAlias = Literal["left", "right", "both", "neither"]
INF, NAN = math.inf, math.nan
SIDES: list[Closed] = ["left", "right"]
CLOSED: list[Closed] = ["left", "right", "both", "neither"]
OF_BINS = [name for name, metric in registry.items() if metric.needs == "edges"]
EDGES: list[float] = [0, 10, 20, 50]
OPEN: list[float] = [0, 10, 20, INF]
BOTH: list[float] = [-INF, 10, 20, INF]
# Group a holds rows of each class, b lacks true ones of class 2 and predicts it, c lacks it wholly
ROWS = pd.DataFrame(
    {
        "y": [0, 1, 2, 2, 1, 0, 0, 1, 1, 0, 0, 1, 0],
        "yhat": [0, 2, 2, 1, 1, 1, 2, 1, 0, 0, 1, 1, 0],
        "other": [1, 1, 2, 0, 1, 0, 0, 1, 2, 0, 1, 0, 0],
        "g": list("aaaaaabbbcccc"),
        "w": [1.0, 2, 1, 3, 1, 1, 2, 1, 1, 4, 1, 1, 2],
    }
)


def bins_of(edges: Any, closed: Closed = "right") -> pd.IntervalIndex:
    return pd.IntervalIndex.from_breaks(edges, closed=closed)


def tuples(*ends: tuple[float, float], closed: Closed = "right") -> pd.IntervalIndex:
    return pd.IntervalIndex.from_tuples(list(ends), closed=closed)


def coded(codes: Any, bins: Any) -> pd.Categorical:
    return pd.Categorical.from_codes(codes, categories=bins, ordered=True)


def binned(edges: Any, closed: Closed = "right") -> pd.DataFrame:
    """The rows, their labels replaced by bins."""
    bins = edges if isinstance(edges, pd.IntervalIndex) else bins_of(edges, closed)
    return ROWS.assign(**{name: coded(ROWS[name], bins) for name in ("y", "yhat", "other")})


def edges_of(column: pd.Series) -> list[float]:
    bins = column.cat.categories
    return [*bins.left.tolist(), bins.right[-1].item()]


def counts_of(df: pd.DataFrame, pred: str = "yhat") -> np.ndarray:
    codes = [
        df[name].cat.codes if df[name].dtype == "category" else df[name] for name in ("y", pred)
    ]
    return brute.counts(*codes, 3)


def by_definition(name: str, counts: Any, edges: Sequence[float], **options: Any) -> Any:
    """The interval measure by its slow and literal definition."""
    return _by_definition(
        name, tuple(map(tuple, np.asarray(counts).tolist())), tuple(edges), **options
    )


@functools.cache
def _by_definition(name: str, counts: Any, edges: Any, **options: Any) -> Any:
    return getattr(interval, name)(counts, edges, **options)


def intervals(edges: Sequence[Any], closed: Closed) -> list[pd.Interval]:
    """Bins with these very edges, as Python has them."""
    return [pd.Interval(low, high, closed=closed) for low, high in itertools.pairwise(edges)]


@st.composite
def number_edges(draw: st.DrawFn) -> list[float]:
    """Integers or floats, -inf and inf among them."""
    numbers = st.floats(-1e6, 1e6) | st.integers(-9, 9).map(float)
    elements: Any = draw(st.sampled_from([st.integers(-9, 9), numbers]))
    inner = sorted(draw(st.lists(elements, min_size=1, max_size=5, unique=True)))
    first, last = draw(st.booleans()), draw(st.booleans())
    return [-INF] * first + inner + [INF] * (last or len(inner) + first < 2)


def surfaces(df: pd.DataFrame) -> dict[str, Callable[..., Any]]:
    """Ways to ask for a metric of the columns `y` and `yhat`, by its name and options."""
    keyed, cube = df.assign(k=0), df.ordinal.confusion("y", "yhat")
    codes = {name: ("i", df[name].cat.codes.to_numpy()) for name in ("y", "yhat")}
    dataset, classes = xr.Dataset(codes), df["y"].cat.categories
    labels = dataset.y.ordinal.confusion(dataset.yhat, classes=classes)

    def of(obj: Any, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        def call(name: str, **options: Any) -> Any:
            return getattr(po.ordinal(obj), name)(*args, **kwargs, **options)

        return call

    return {
        "frame": lambda name, **options: getattr(df.ordinal, name)("y", "yhat", **options),
        "typed frame": of(df, "y", "yhat"),
        "frame by": of(keyed, "y", "yhat", by="k"),
        "frame wide": of(df, "y", ["yhat"]),
        "groupby": of(keyed.groupby("k"), "y", "yhat"),
        "series": of(df["y"], df["yhat"]),
        "cube": of(cube),
        "dask cube": of(cube.chunk(true=1, pred=2)),
        "labels": of(labels),
        "dataset": of(dataset, "y", "yhat", classes=classes),
    }


def assert_everywhere(
    ways: dict[str, Callable[..., Any]], name: str, expected: Any, **options: Any
) -> None:
    for surface, call in ways.items():
        npt.assert_allclose(
            np.ravel(call(name, **options)),
            np.ravel(expected),
            rtol=1e-12,
            err_msg=f"{name}, {surface}",
        )


def reports(df: pd.DataFrame, metrics: Any = None, **options: Any) -> dict[str, dict[str, float]]:
    """The report that each surface gives."""
    keyed = df.assign(k=0)
    cube = df.ordinal.confusion("y", "yhat", **options)
    codes = {
        name: ("i", df[name].cat.codes if df[name].dtype == "category" else df[name])
        for name in ("y", "yhat")
    }
    dataset, classes = xr.Dataset(codes), cube.indexes["true"].categories
    found = {
        "frame": df.ordinal.report("y", "yhat", metrics=metrics, **options),
        "frame by": keyed.ordinal.report("y", "yhat", by="k", metrics=metrics, **options).loc[0],
        "frame wide": df.ordinal.report("y", ["yhat"], metrics=metrics, **options).loc["yhat"],
        "groupby": keyed.groupby("k").ordinal.report(
            "y", "yhat", metrics=metrics, **options
        ).loc[0],
        "series": df["y"].ordinal.report(df["yhat"], metrics=metrics, **options),
        "cube": cube.ordinal.report(metrics=metrics),
        "dask cube": cube.chunk(true=1).ordinal.report(metrics=metrics),
        "dataset": dataset.ordinal.report("y", "yhat", classes=classes, metrics=metrics),
        "typed frame": po.ordinal(df).report("y", "yhat", metrics=metrics, **options),
    }  # fmt: skip
    return {
        surface: {str(name): float(report[name]) for name in list(report.keys())}
        for surface, report in found.items()
    }


VALUES = pd.Series([3.0, 12.7, 35, 19.04, 0.5, 28.2, 44, 14.14, 9, 21.7, 38.9, 2.2, 16, 30.03])
GUESSES = pd.Series([5.5, 22.1, 31, 8.8, 1.5, 41.3, 43, 13.0, 25, 15.2, 27.6, 4.1, 17, 11.11])


def cut_both(bins: Any, **options: Any) -> pd.DataFrame:
    return predictions(*(pd.cut(values, bins, **options) for values in (VALUES, GUESSES)))


def quantile_bins() -> pd.DataFrame:
    y = pd.qcut(VALUES, 3)
    return predictions(y, pd.cut(GUESSES, y.cat.categories))


CUT: dict[str, pd.DataFrame] = {
    "cut": cut_both([0, 10, 20, 50]),
    "cut, left and open": cut_both([0, 10, 20, INF], right=False),
    "cut, rounded": cut_both([0, 10.12345, 20.98765, 50.5]),
    "cut, coarse": cut_both([0.4, 10.12345, 20.98765, 50.5], precision=1),
    "cut, lowest included": cut_both([0.5, 10, 20, 50], include_lowest=True),
    "cut, open above": cut_both([0, 10, 20, INF]),
    "cut, open below": cut_both([-INF, 10, 20, 50]),
    "cut, open": cut_both([-INF, 10, 20, INF]),
    "qcut": quantile_bins(),
}
NUMBERS_OF_BINS = [name for name in OF_BINS if not registry[name].output]
SIZES = [90.0, 40, 12]
KINDS = ["naive", "UTC", "Europe/Berlin", "timedelta"]


def times(offsets: Any, kind: str, unit: str) -> pd.Index:
    """Datetimes or timedeltas, given in their unit from the first of March 2026 on."""
    if kind == "timedelta":
        return pd.TimedeltaIndex(np.array(offsets, "int64").astype(f"timedelta64[{unit}]"))
    start = np.datetime64("2026-03-01", unit).astype("int64")
    naive = pd.DatetimeIndex((start + np.array(offsets, "int64")).astype(f"datetime64[{unit}]"))
    return naive if kind == "naive" else naive.tz_localize("UTC").tz_convert(kind)
