"""Ignored labels, whatever holds the labels: a boolean is not a number, as in a plain loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import dask.dataframe as dd
import numpy as np
import numpy.testing as npt
import pandas as pd
import pyarrow as pa
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, UnknownClassError

INTEGERS, FLOATS, BOOLEANS = [0, 1, 2], [0.0, 1.0, 2.5], [False, True]
NUMBERS_AND_TEXT, BOOLEANS_AND_TEXT, TEXT = [0, 1, "x"], [False, True, "x"], ["a", "b", "x"]

NUMBERS: list[Any] = [True, 1, 1.0, 0, [False, 2], [True, 1], np.bool_(True), np.array([1, 2.5])]
MIXED: list[Any] = [True, 1, [False, "x"], ["x", 0], [9, "x"]]

ARROW_TEXT = pd.ArrowDtype(pa.string())


def dictionary(labels: Sequence[Any]) -> pd.Series[Any]:
    encoded = pa.array(labels).dictionary_encode()
    return pd.Series(pd.arrays.ArrowExtensionArray(encoded))


def category(ordered: bool, holder: Any = None) -> Callable[[Sequence[Any]], pd.Series[Any]]:
    def held(labels: Sequence[Any]) -> pd.Series[Any]:
        levels = pd.Index(list(dict.fromkeys(labels)), dtype=holder)
        return pd.Series(pd.Categorical(labels, levels, ordered=ordered))

    return held


def typed(dtype: Any) -> Callable[[Sequence[Any]], pd.Series[Any]]:
    return lambda labels: pd.Series(labels, dtype=dtype)


CATEGORIES = {
    "category": category(ordered=False),
    "ordered": category(ordered=True),
    "ordered objects": category(ordered=True, holder=object),
}
OBJECTS = {"object": typed(object), **CATEGORIES}
HOLDERS: list[tuple[list[Any], list[Any], dict[str, Any]]] = [
    (
        INTEGERS,
        NUMBERS,
        {
            **{name: typed(name) for name in ("int64", "int8", "uint64", "float32", "Int64")},
            **{name: typed(name) for name in ("UInt8", "Float64", "int8[pyarrow]")},
            "dictionary": dictionary,
            **OBJECTS,
        },
    ),
    (FLOATS, NUMBERS, {"float64": typed("float64"), "arrow": typed("double[pyarrow]"), **OBJECTS}),
    (
        BOOLEANS,
        NUMBERS,
        {**{name: typed(name) for name in ("bool", "boolean", "bool[pyarrow]")}, **OBJECTS},
    ),
    (NUMBERS_AND_TEXT, MIXED, OBJECTS),
    (BOOLEANS_AND_TEXT, MIXED, OBJECTS),
    (
        TEXT,
        MIXED,
        {"str": typed("str"), "arrow": typed(ARROW_TEXT), "dictionary": dictionary, **OBJECTS},
    ),
]
CASES = [
    pytest.param(pool, hold, ignores, id=f"{name} of {pool}")
    for pool, ignores, holders in HOLDERS
    for name, hold in holders.items()
]


def rows_of(pool: Sequence[Any]) -> list[tuple[Any, Any]]:
    """Return pairs of labels, each cell of the matrix another number of times."""
    size = len(pool)
    return [(pool[c // size], pool[c % size]) for c in range(size**2) for _ in range(c + 1)]


def is_ignored(label: Any, ignore: Any) -> bool:
    ignored = ignore if isinstance(ignore, (list, np.ndarray)) else [ignore]
    return any(
        isinstance(label, (bool, np.bool_)) == isinstance(one, (bool, np.bool_)) and label == one
        for one in ignored
    )


def literal(pool: Sequence[Any], ignore: Any) -> tuple[list[Any], Any]:
    """Return the classes that are left, and the matrix of the rows that are left."""
    classes = [label for label in pool if not is_ignored(label, ignore)]
    counts = np.zeros((len(classes), len(classes)))
    for y, yhat in rows_of(pool):
        if not is_ignored(y, ignore) and not is_ignored(yhat, ignore):
            counts[classes.index(y), classes.index(yhat)] += 1
    return classes, counts


def held_in(pool: Sequence[Any], hold: Any) -> pd.DataFrame:
    rows = rows_of(pool)
    return pd.DataFrame({"y": hold([y for y, _ in rows]), "yhat": hold([p for _, p in rows])})


@pytest.mark.parametrize(("pool", "hold", "ignores"), CASES)
def test_rows(pool: list[Any], hold: Any, ignores: list[Any]) -> None:
    df = held_in(pool, hold)
    for ignore in ignores:
        classes, due = literal(pool, ignore)
        given: dict[str, Any] = {"classes": classes, "ignore": ignore}
        npt.assert_array_equal(po.confusion(df["y"], df["yhat"], **given), due)
        npt.assert_array_equal(df.ordinal.confusion("y", "yhat", **given), due)
        counter = po.Counter(classes)
        counter.update(df, "y", "yhat", ignore=ignore)
        npt.assert_array_equal(counter.cube, due)


@pytest.mark.parametrize(("pool", "hold", "ignores"), CASES)
def test_arrays(pool: list[Any], hold: Any, ignores: list[Any]) -> None:
    df = held_in(pool, hold)
    is_categorical = isinstance(df["y"].dtype, pd.CategoricalDtype)
    if not is_categorical and not isinstance(df["y"].dtype, np.dtype):
        return  # xarray holds such labels as objects
    labels = {name: df[name].array if is_categorical else df[name].to_numpy() for name in df}
    ds = xr.Dataset({name: ("i", labels[name]) for name in df})
    for ignore in ignores:
        classes, due = literal(pool, ignore)
        for one in [ds] if is_categorical else [ds, ds.chunk(i=15)]:
            result = one.ordinal.confusion("y", "yhat", classes=classes, ignore=ignore)
            npt.assert_array_equal(result, due)


@pytest.mark.parametrize("pool", [one for one, _, _ in HOLDERS], ids=repr)
@pytest.mark.parametrize("hold", [category(ordered=True), category(ordered=True, holder=object)])
def test_classes_that_labels_declare(pool: list[Any], hold: Any) -> None:
    df = held_in(pool, hold)
    ds = xr.Dataset({name: ("i", df[name].array) for name in df})
    for ignore in (True, 1, 0, ["x", 1]):
        _, due = literal(pool, ignore)
        for table in (df, ds):
            result = table.ordinal.confusion("y", "yhat", ignore=ignore)
            npt.assert_array_equal(result, due)


@pytest.mark.parametrize("ignore", [True, 1, 1.0, [True, 0]], ids=repr)
@pytest.mark.parametrize("dtype", ["int64", "Int64", "int8[pyarrow]", "category"])
def test_partitions(dtype: str, ignore: Any) -> None:
    classes, due = literal(INTEGERS, ignore)
    ddf = dd.from_pandas(held_in(INTEGERS, typed(dtype)), npartitions=3)
    result = po.ordinal(ddf).confusion("y", "yhat", classes=classes, ignore=ignore)
    npt.assert_array_equal(result.compute(), due)


@pytest.mark.parametrize("ignore", [True, 1, 1.0, [True, 0]], ids=repr)
@pytest.mark.parametrize("dtype", ["int64", object, "Int64", "int8[pyarrow]", "category"])
def test_thresholds(dtype: Any, ignore: Any) -> None:
    rows = [(y, y + yhat / 4) for y, yhat in rows_of(INTEGERS)]
    kept = [row for row in rows if not is_ignored(row[0], ignore)]
    classes, _ = literal(INTEGERS, ignore)
    df, one = (pd.DataFrame(some, columns=["y", "score"]) for some in (rows, kept))
    best = df.astype({"y": dtype}).ordinal.best_thresholds(
        "y", "score", metric="mae", classes=classes, ignore=ignore
    )
    due = one.ordinal.best_thresholds("y", "score", metric="mae", classes=classes)
    npt.assert_array_equal(best, due)


@pytest.mark.parametrize("ignore", [True, 1, 0, False], ids=repr)
def test_booleans_beside_numbers(ignore: Any) -> None:
    y, yhat, classes = [True, False, True, False], [5, 6, 6, 5], [False, True, 5, 6]
    left = [label for label in classes if not is_ignored(label, ignore)]
    due = np.zeros((len(left), len(left)))
    for row in zip(y, yhat, strict=True):
        if all(label in left for label in row):
            due[left.index(row[0]), left.index(row[1])] += 1
    df = pd.DataFrame({"y": y, "yhat": yhat})
    given: dict[str, Any] = {"classes": left, "ignore": ignore}
    for table in (df, df.astype(object), df.astype("category")):
        npt.assert_array_equal(table.ordinal.confusion("y", "yhat", **given), due)
    for table in (df.astype(object), df.astype("category")):  # integers of an array are codes
        npt.assert_array_equal(table.to_xarray().ordinal.confusion("y", "yhat", **given), due)


@pytest.mark.parametrize("ignore", [True, 1, 1.0], ids=repr)
def test_flags_and_codes(ignore: Any) -> None:
    left, due = literal(INTEGERS, ignore)
    rows = np.array(rows_of(INTEGERS))
    names, attrs = ["lo", "mid", "hi"], {"flag_values": INTEGERS, "flag_meanings": "lo mid hi"}
    y, yhat = (xr.DataArray(rows[:, i], dims="i", attrs=attrs) for i in (0, 1))
    for classes in (left, "flags", [names[label] for label in left]):
        npt.assert_array_equal(y.ordinal.confusion(yhat, classes=classes, ignore=ignore), due)
    codes = y.drop_attrs(), yhat.drop_attrs()
    if ignore is True:
        npt.assert_array_equal(
            codes[0].ordinal.confusion(codes[1], classes=names, ignore=True), due
        )
    else:
        with pytest.raises(ClassOrderError, match=r"\[1\] is in ignore= and the code of .* 'mid'"):
            codes[0].ordinal.confusion(codes[1], classes=names, ignore=ignore)


def test_times() -> None:
    times = pd.date_range("2020-01-01", periods=3)
    y, yhat = times[[0, 1, 2, 1]], times[[0, 0, 1, 1]]
    for ignore in (times[2], times[2:], times[2].to_datetime64(), times[2:].to_numpy()):
        result = po.confusion(y, yhat, classes=times[:2], ignore=ignore)
        assert result.tolist() == [[1, 0], [1, 1]]


def test_labels_that_cannot_be_labels() -> None:
    with pytest.raises(UnknownClassError, match=r"\[1\], a list, which cannot be a label"):
        po.confusion(pd.Series([[1], [2]]), pd.Series([[1], [2]]), classes=[0, 1], ignore=9)
