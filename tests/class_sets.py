"""Sets of classes, as many kinds as pandas has, and frames of classes."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import assume
from hypothesis import strategies as st

INTEGERS = ["int8", "uint8", "int16", "int32", "uint32", "int64", "uint64"]


@st.composite
def numbers(draw: st.DrawFn) -> pd.Index:
    dtype = draw(st.sampled_from([*INTEGERS, "float32", "float64"]))
    if dtype.startswith("f"):
        element = st.floats(width=int(dtype[-2:]), allow_nan=False)
    else:
        limits = np.iinfo(dtype)
        element = st.integers(int(limits.min), int(limits.max))
    return pd.Index(draw(st.lists(element, unique=True, max_size=6)), dtype=dtype)


def is_paired(text: str) -> bool:
    """Tell whether two surrogates are a character, which JSON would make of them."""
    return json.loads(json.dumps(text)) != text


TEXT = st.text(st.characters(exclude_categories=()), max_size=4).filter(lambda t: not is_paired(t))


@st.composite
def texts(draw: st.DrawFn) -> pd.Index:
    listed = draw(st.lists(TEXT, unique=True, max_size=6))
    dtype = draw(st.sampled_from(["object", "str", "string[python]"]))
    if dtype != "object":  # pyarrow's text is UTF-8
        assume(not any("\ud800" <= char <= "\udfff" for char in "".join(listed)))
    return pd.Index(listed, dtype=dtype)


@st.composite
def mixtures(draw: st.DrawFn) -> pd.Index:
    element = st.one_of(TEXT, st.integers(), st.floats(allow_nan=False), st.booleans())
    return pd.Index(draw(st.lists(element, unique=True, max_size=6)), dtype=object)


CLOSED = ("left", "right", "both", "neither")


@st.composite
def intervals(draw: st.DrawFn) -> pd.IntervalIndex:
    kind = draw(st.sampled_from(["int64", "uint64", "float64", "float32", "time", "tz", "delta"]))
    if kind.startswith("f"):
        element: st.SearchStrategy[Any] = st.floats(width=int(kind[-2:]), allow_nan=False)
    else:
        element = st.integers(0, 2**31)
    edges = sorted(draw(st.lists(element, unique=True, max_size=6)))
    unit = draw(st.sampled_from(["s", "ms", "us", "ns"]))
    whole = np.array(edges, "int64") if kind in ("time", "tz", "delta") else np.empty(0)
    if kind == "delta":
        index: Any = pd.Index(whole.view(f"m8[{unit}]"))
    elif kind in ("time", "tz"):
        index = pd.Index(whole.view(f"M8[{unit}]"))
        zone = draw(st.sampled_from(["UTC", "Europe/Berlin", "UTC+01:00"]))
        index = index.tz_localize("UTC").tz_convert(zone) if kind == "tz" else index
    else:
        index = pd.Index(edges, dtype=kind)
    return pd.IntervalIndex.from_arrays(
        index[:-1], index[1:], closed=draw(st.sampled_from(CLOSED))
    )


BOOLEANS = st.lists(st.booleans(), unique=True).map(lambda labels: pd.Index(labels, dtype=bool))
CLASSES = st.one_of(texts(), numbers(), BOOLEANS, mixtures(), intervals())


@st.composite
def axes(draw: st.DrawFn) -> pd.CategoricalIndex:
    """Return classes of which some are unused, missing, repeated or moved."""
    classes = draw(CLASSES)
    codes = draw(st.lists(st.integers(-1, len(classes) - 1), max_size=8))
    dtype = pd.CategoricalDtype(classes, draw(st.booleans()))
    return pd.CategoricalIndex(pd.Categorical.from_codes(codes, dtype=dtype))


def assert_same_labels(one: pd.Index, other: pd.Index) -> None:
    assert type(one) is type(other) and one.dtype == other.dtype
    if isinstance(one, pd.CategoricalIndex):
        assert one.ordered == other.ordered and one.codes.tolist() == other.codes.tolist()
        one, other = one.categories, other.categories
        assert one.dtype == other.dtype
    if isinstance(one, pd.IntervalIndex):
        assert one.closed == other.closed
        for side in ("left", "right"):
            assert_same_labels(getattr(one, side), getattr(other, side))
    else:
        assert repr(one.tolist()) == repr(other.tolist())


def frame(**columns: Any) -> pd.DataFrame:
    labels = pd.CategoricalDtype(["low", "mid", "high", "top"], ordered=True)
    codes = np.random.default_rng(0).integers(0, 3, (2, 40))
    y, yhat = (pd.Categorical.from_codes(row, dtype=labels) for row in codes)
    return pd.DataFrame({"y": y, "yhat": yhat, **columns})
