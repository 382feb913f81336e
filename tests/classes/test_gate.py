"""The class gate, row by row of its table, seen through the metrics of a frame.

Its other rows: group keys in test_groups.py and accessors/test_groupby.py; names of columns,
scores, probabilities and sample_weight in test_columns.py; bins in test_bins.py; labels and
codes in arrays in dataarrays/test_query.py; equal indexes in accessors/test_series.py; cubes in
accessors/test_cubes.py. That every metric passes it: accessors/test_every_metric*.py.
"""

from __future__ import annotations

import ast
import itertools
import re
from functools import partial
from typing import Any

import brute
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import xarray as xr
from labelled import COUNTED, DF, DTYPE, LEVELS, ordered, plain, predictions

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, MissingValueError, UnknownClassError
from pandas_ordinal.classes.gate import codes_of
from pandas_ordinal.counting import arrays


def classes_of(df: pd.DataFrame, **options: Any) -> list[Any]:
    cube = df.ordinal.confusion("y", "yhat", **options)
    assert cube.indexes["true"].ordered and cube.indexes["pred"].ordered
    assert cube.indexes["true"].tolist() == cube.indexes["pred"].tolist()
    return cube.indexes["true"].tolist()


BINS = pd.IntervalIndex.from_breaks([0, 10, 20, 50])


# classes= rules


@pytest.mark.parametrize(
    "classes",
    [
        LEVELS,
        tuple(LEVELS),
        np.array(LEVELS),
        np.array(LEVELS, object),
        pd.Index(LEVELS),
        pd.CategoricalDtype(LEVELS, ordered=True),
        pd.CategoricalIndex(LEVELS, categories=LEVELS, ordered=True),
    ],
    ids=["list", "tuple", "array", "objects", "Index", "dtype", "CategoricalIndex"],
)
def test_classes_give_the_order(classes: Any) -> None:
    df = predictions(["low", "high", "mid"], ["high", "high", "low"])
    assert df.ordinal.mae("y", "yhat", classes=classes) == 1.0
    assert classes_of(df, classes=classes) == LEVELS


def test_classes_of_an_ordered_index_are_its_categories() -> None:
    subset = pd.CategoricalIndex(["high"], categories=LEVELS, ordered=True)
    assert classes_of(predictions(["low"], ["low"]), classes=subset) == LEVELS


GRADES = ["a1", "b2", "c3", "d4"]
GRADE = pd.CategoricalDtype(GRADES, ordered=True)
MIXED = pd.Series(["d4", "a1", "c3", "b2", "a1"], dtype=GRADE)
GRADED = predictions(GRADES, ["b2", "b2", "d4", "d4"], score=[0.0, 1, 2, 3])


def in_arrow(
    values: list[Any] = GRADES, order: Any = (3, 0, 2, 1, 0), ordered: bool = True
) -> Any:
    dictionary = pa.DictionaryArray.from_arrays(list(order), values, ordered=ordered)
    return pd.Series(pd.arrays.ArrowExtensionArray(dictionary))


CATEGORICAL: dict[str, Any] = {
    "Series": MIXED,
    "Categorical": MIXED.array,
    "unique": MIXED.unique(),
    "some": MIXED[:2].unique(),
    "drop_duplicates": MIXED.drop_duplicates(),
    "index": pd.Index(MIXED),
    "unique of the index": pd.Index(MIXED).unique(),
    "dtype": GRADE,
    "coordinate": xr.DataArray(range(5), {"grade": pd.CategoricalIndex(MIXED)}, ["grade"])[
        "grade"
    ],
    "axis of a cube": pd.DataFrame({"y": MIXED, "p": MIXED}).ordinal.confusion("y", "p")["pred"],
    "plain DataArray": xr.DataArray(GRADES, dims="grade"),
    "Arrow": in_arrow(),
    "Arrow index": pd.Index(in_arrow()),
    "Arrow array": in_arrow().array,
    "array of Arrow": pa.array(GRADES),
    "dictionary of Arrow": pa.DictionaryArray.from_arrays([3, 0], GRADES, ordered=True),
    "chunks of Arrow": pa.chunked_array([GRADES[:1], GRADES[1:]]),
}


@pytest.mark.parametrize("kind", CATEGORICAL)
def test_whatever_has_an_ordered_dtype_declares_its_categories(kind: str) -> None:
    classes = CATEGORICAL[kind]
    y, yhat = GRADED["y"], GRADED["yhat"]
    named: dict[str, Any] = {"y": ("i", y.to_numpy(object)), "p": ("i", yhat.to_numpy(object))}
    dataset = xr.Dataset(named)
    counted = dataset["y"].ordinal.confusion(dataset["p"], classes=classes)
    for name, due in (("mae", 0.5), ("kappa", 0.8)):
        for result in (
            getattr(GRADED.ordinal, name)("y", "yhat", classes=classes),
            getattr(y.ordinal, name)(yhat, classes=classes),
            getattr(GRADED.assign(g=1).groupby("g").ordinal, name)("y", "yhat", classes=classes),
            getattr(dataset.ordinal, name)("y", "p", classes=classes),
            getattr(counted.ordinal, name)(),
            GRADED.ordinal.report("y", "yhat", metrics=[name], classes=classes)[name],
        ):
            assert np.asarray(result, float).item() == pytest.approx(due, rel=1e-12)
    assert y.ordinal.as_ordered(classes).cat.categories.tolist() == GRADES
    assert counted.indexes["true"].tolist() == GRADES
    assert GRADED["score"].ordinal.classify([0.5, 1.5, 2.5], classes=classes).tolist() == GRADES
    best = GRADED.ordinal.best_thresholds("y", "score", metric="mae", classes=classes)
    assert best.index.tolist() == GRADES[:-1]
    proba = GRADED.assign(**dict(zip(GRADES, np.eye(4), strict=True)))
    assert proba.ordinal.rps("y", GRADES[::-1], classes=classes) == 0
    assert proba.ordinal.most_likely(GRADES[::-1], classes=classes).tolist() == GRADES


def test_labels_in_an_ordered_dictionary_of_arrow_keep_its_order() -> None:
    true, pred = in_arrow(order=[0, 1, 2, 3]), in_arrow(order=[1, 1, 3, 3])
    df = predictions(true, pred)
    assert df.ordinal.mae("y", "yhat") == 0.5
    assert df["y"].ordinal.kappa(df["yhat"]) == pytest.approx(0.8)
    assert df["y"].ordinal.classes.tolist() == GRADES
    assert classes_of(df[:1]) == GRADES
    unsorted = in_arrow(["low", "mid", "high"], [0, 2])
    assert classes_of(predictions(unsorted, unsorted)) == LEVELS
    none = in_arrow(order=[0, 1, 2, 3], ordered=False)
    with pytest.raises(ClassOrderError, match="'y'.*declares no order"):
        predictions(none, none).ordinal.mae("y", "yhat")
    assert predictions(none, pred).ordinal.mae("y", "yhat") == 0.5
    missing = in_arrow(order=[0, 1, None, 3])
    with pytest.raises(MissingValueError, match="'y' holds 1 missing"):
        predictions(missing, pred).ordinal.mae("y", "yhat")
    assert predictions(missing, pred).ordinal.mae("y", "yhat", dropna=True) == pytest.approx(1 / 3)


REFUSED: dict[str, Any] = {
    "keys of a dict": dict.fromkeys(GRADES).keys(),
    "items of a dict": dict.fromkeys(GRADES).items(),
    "frozenset": frozenset(GRADES),
    "2-d": np.array([GRADES]),
    "a column": np.array(GRADES)[:, None],
    "0-d": np.array("a1"),
    "frame": pd.DataFrame(columns=GRADES),
    "2-d DataArray": xr.DataArray([GRADES], dims=("i", "j")),
    "DataArray of none": xr.DataArray("a1"),
    "lists": [[grade] for grade in GRADES],
    "sets": [{grade} for grade in GRADES],
    "unordered Categorical": pd.Categorical(GRADES),
    "unique of unordered": pd.Series(GRADES, dtype="category").unique(),
    "unordered index": pd.CategoricalIndex(GRADES),
    "unordered dictionary of Arrow": pa.array(GRADES).dictionary_encode(),
    "masked": np.ma.array(GRADES, mask=[0, 0, 0, 1]),
    "Dataset": xr.Dataset(dict.fromkeys(GRADES, 1)),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_classes_that_are_no_list_of_labels_are_refused(kind: str) -> None:
    classes = REFUSED[kind]
    y = GRADED["y"]
    array = xr.DataArray(y.to_numpy(object), dims="i")
    for call in (
        lambda: GRADED.ordinal.mae("y", "yhat", classes=classes),
        lambda: GRADED.ordinal.best_thresholds("y", "score", metric="mae", classes=classes),
        lambda: GRADED.groupby("yhat").ordinal.mae("y", "yhat", classes=classes),
        lambda: y.ordinal.mae(GRADED["yhat"], classes=classes),
        lambda: y.ordinal.as_ordered(classes),
        lambda: GRADED["score"].ordinal.classify([0.5, 1.5, 2.5], classes=classes),
        lambda: array.ordinal.confusion(array, classes=classes),
        lambda: xr.Dataset({"y": array}).ordinal.mae("y", "y", classes=classes),
    ):
        with pytest.raises(ClassOrderError, match="a list of the classes, lowest first"):
            call()


@pytest.mark.parametrize(
    "classes",
    [
        "abc",
        {"a", "b"},
        {"a": 0, "b": 1},
        3,
        [],
        ["a", "a", "b"],
        ["a", None, "b"],
        pd.CategoricalDtype(["a", "b"]),
        pd.CategoricalDtype(ordered=True),
    ],
    ids=plain,
)
def test_classes_without_an_order_are_refused(classes: Any) -> None:
    with pytest.raises(ClassOrderError, match="classes="):
        predictions(["a", "b"], ["a", "b"]).ordinal.mae("y", "yhat", classes=classes)


def test_classes_may_hold_more_than_the_dtype() -> None:
    df = predictions(ordered(["low", "high"]), ordered(["high", "high"]))
    wider = ["none", "low", "fair", "mid", "high"]
    assert df.ordinal.mae("y", "yhat", classes=wider) == 1.5
    assert classes_of(df, classes=wider) == wider


@pytest.mark.parametrize("classes", [LEVELS[::-1], LEVELS[:2]], ids=["reversed", "fewer"])
def test_classes_that_contradict_the_dtype(classes: list[str]) -> None:
    df = predictions(ordered(["low", "low"]), ordered(["low", "low"]))
    with pytest.raises(ClassOrderError) as caught:
        df.ordinal.mae("y", "yhat", classes=classes)
    assert "'y'" in str(caught.value)
    assert " < ".join(LEVELS) in str(caught.value)
    assert " < ".join(classes) in str(caught.value)


def test_classes_overrule_the_order_of_numbers() -> None:
    df = predictions([3, 2, 1, 1], [3, 1, 1, 3])
    assert df.ordinal.mae("y", "yhat", classes=[3, 1, 2]) == 0.5
    assert df.ordinal.mae("y", "yhat") == 0.75


@pytest.mark.parametrize(
    "classes",
    [
        pd.CategoricalDtype(range(4, -1, -1), ordered=True),
        pd.CategoricalDtype(range(0, 10, 2), ordered=True),
        pd.CategoricalDtype(pd.RangeIndex(0, 5), ordered=True),
        range(0, 10, 2),
        pd.RangeIndex(8, -1, -2),
    ],
    ids=repr,
)
@pytest.mark.parametrize("as_dtype", [False, True])
def test_classes_in_any_range(classes: Any, as_dtype: bool) -> None:
    order = list(classes.categories if isinstance(classes, pd.CategoricalDtype) else classes)
    rng = np.random.default_rng(1)
    true, pred = rng.choice(order, 40), rng.choice(order, 40)
    df = predictions(true, pred)
    if as_dtype:
        dtype = pd.CategoricalDtype(pd.Index(order, dtype=int), ordered=True)
        df = df.astype({"y": classes if isinstance(classes, pd.CategoricalDtype) else dtype})
        cube = df.ordinal.confusion("y", "yhat")
    else:
        cube = df.ordinal.confusion("y", "yhat", classes=classes)
    expected = brute.counts(brute.codes(true, order), brute.codes(pred, order), 5)
    np.testing.assert_array_equal(cube, expected)
    assert cube.indexes["true"].tolist() == order


# ordered Categorical


def test_unused_categories_are_classes() -> None:
    df = predictions(ordered(["low", "high"]), ordered(["high", "high"]))
    assert df.ordinal.mae("y", "yhat") == 1.0
    assert classes_of(df) == LEVELS


def test_interval_categories_are_classes() -> None:
    df = predictions(pd.cut([5, 15, 40], BINS), pd.cut([5, 40, 15], BINS))
    assert df.ordinal.mae("y", "yhat") == pytest.approx(2 / 3)
    cube = df.ordinal.confusion("y", "yhat")
    pd.testing.assert_index_equal(cube.indexes["true"].categories, BINS)


@pytest.mark.parametrize("n_classes", [20, 120, 126, 127, 128, 129, 200, 254, 255, 256, 300])
def test_small_codes_do_not_wrap(n_classes: int) -> None:
    labels = [f"class {i:03}" for i in range(n_classes)][::-1]
    df = predictions(
        ordered([labels[-1], labels[0], labels[-1]], labels),
        ordered([labels[0], labels[-1], labels[-1]], labels),
    )
    assert df.ordinal.mse("y", "yhat") == pytest.approx(2 / 3 * (n_classes - 1) ** 2)
    by_key = df.assign(g=[0, 0, 1]).ordinal.mse("y", "yhat", by="g")
    assert by_key.tolist() == [(n_classes - 1) ** 2, 0]


# integers, integral floats, booleans


@pytest.mark.parametrize(
    "dtype",
    ["int8", "int16", "int64", "uint8", "uint64", "float32", "float64", "Int64", "Float64"],
)
def test_whole_numbers_with_a_gap(dtype: str) -> None:
    df = predictions([1, 2, 5, 5, 1], [1, 5, 5, 2, 1]).astype(dtype)
    assert df.ordinal.kappa("y", "yhat") == pytest.approx(0.464286, abs=1e-6)
    assert classes_of(df) == [1, 2, 3, 4, 5]


def test_negative_numbers_are_classes() -> None:
    df = predictions([-2, 0, 1], [1, 0, 1])
    assert df.ordinal.mae("y", "yhat") == 1.0
    assert classes_of(df) == [-2, -1, 0, 1]


def test_integers_beside_floats_and_nullable_integers() -> None:
    df = predictions([0, 1, 3], [0.0, 1.0, 2.0]).assign(third=pd.array([4, 0, 0], "Int64"))
    assert df.ordinal.mae("y", ["yhat", "third"]).tolist() == pytest.approx([1 / 3, 8 / 3])


def test_classes_come_from_the_whole_frame() -> None:
    df = predictions([0, 1, 3, 4], [0, 1, 3, 3]).assign(g=[0, 0, 1, 1], wide=[7, 0, 0, 0])
    assert classes_of(df, by="g") == [0, 1, 2, 3, 4]
    cube = df.ordinal.confusion("y", ["yhat", "wide"])
    assert cube.indexes["true"].tolist() == list(range(8))


def test_a_thousand_classes_and_no_more() -> None:
    for lowest in (0, -500):
        every = np.arange(lowest, lowest + 1000)
        assert classes_of(predictions(every, every[::-1])) == every.tolist()
    for ends in ([0, 1000], [-500, 500]):
        every = np.arange(ends[0], ends[1] + 1)
        with pytest.raises(
            ClassOrderError, match=f"'y' and .*'yhat'.*{ends[1]}, too many.*classes="
        ):
            predictions(every, every).ordinal.mae("y", "yhat")
    df = predictions([0, 1000], [0, 0])
    assert df.ordinal.mae("y", "yhat", classes=range(1001)) == 500
    assert df.ordinal.mae("y", "yhat", classes=[0, 1000]) == 0.5


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([2**63 - 2, 2**63 - 1], "int64"),
        ([2**63 - 2, 2**63 - 1], "uint64"),
        ([2**63 - 2, 2**63 - 1], "UInt64"),
        ([-(2**63), -(2**63) + 1], "int64"),
        ([-(2.0**63)], "float64"),
        ([2.0**63 - 1024], "float64"),
    ],
    ids=str,
)
def test_the_lowest_and_the_highest_integers_of_64_bits_are_classes(
    values: list[Any], dtype: str
) -> None:
    labels = pd.array(values, dtype)
    df = predictions(labels, labels[::-1])
    assert classes_of(df) == [int(value) for value in values]
    assert df.ordinal.mae("y", "yhat") == len(values) - 1


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([2**63], "uint64"),
        ([2**64 - 1], "uint64"),
        ([2**63 - 1, 2**63], "UInt64"),
        ([2.0**63], "float64"),
        ([-(2.0**63) - 2048], "float64"),
        ([1e300], "float64"),
        ([-1e300], "float64"),
    ],
    ids=str,
)
def test_integers_beyond_64_bits_are_no_classes(values: list[Any], dtype: str) -> None:
    labels = pd.array(values, dtype)
    with pytest.raises(ClassOrderError, match="'y' and column 'yhat' hold integers .*too large"):
        predictions(labels, labels).ordinal.mae("y", "yhat")


@pytest.mark.parametrize("dtype", ["int64", "uint64", "Int64", "UInt64", "int64[pyarrow]"])
def test_integers_beyond_2_to_the_53_are_not_taken_for_equal(dtype: str) -> None:
    big = 2**53
    df = predictions([big, big + 1, big + 3, big], [big + 1, big + 1, big, big]).astype(dtype)
    assert classes_of(df) == [big, big + 1, big + 2, big + 3]
    assert df.ordinal.mae("y", "yhat") == 1
    assert df.ordinal.mae("y", "yhat", classes=[big, big + 1, big + 3]) == 0.75
    if df["y"].dtype != "int64" and df["y"].dtype != "uint64":
        df.loc[3, "yhat"] = None
        assert df.ordinal.mae("y", "yhat", dropna=True) == pytest.approx(4 / 3)
    declared = df.assign(y=ordered([big, big + 1, big + 1, big], [big, big + 1]))[1:3]
    assert declared[:1].ordinal.accuracy("y", "yhat") == 1
    with pytest.raises(UnknownClassError, match=f"'yhat' holds .{big + 3}"):
        declared.assign(yhat=df["y"]).ordinal.accuracy("y", "yhat")


def test_integers_outside_a_declared_range_are_no_classes() -> None:
    classes = pd.CategoricalDtype(pd.RangeIndex(1, 4), ordered=True)
    assert predictions([1, 3], [3, 1]).ordinal.mae("y", "yhat", classes=classes) == 2
    with pytest.raises(UnknownClassError, match=r"'y' holds \[0, 4, -9\].*\[1, 2, 3\]"):
        predictions([1, 0, 4, -9, 4], [1] * 5).ordinal.mae("y", "yhat", classes=classes)
    for bad in (0, 4):
        with pytest.raises(
            UnknownClassError, match=rf"'yhat' holds \[{bad}\], which is not a class"
        ):
            predictions([1, 2], [3, bad]).ordinal.mae("y", "yhat", classes=classes)


def test_a_categorical_without_categories_tells_no_classes() -> None:
    column = pd.Categorical([None], [], ordered=True)
    frame = pd.DataFrame({"y": column, "yhat": column, "score": [1.0]})
    with pytest.raises(ClassOrderError, match="'y' is a Categorical without categories.*classes="):
        frame.ordinal.mae("y", "yhat", dropna=True)
    with pytest.raises(ClassOrderError, match="'y' is a Categorical without categories.*classes="):
        frame.ordinal.vus("y", "score", dropna=True)
    with pytest.raises(ClassOrderError, match="classes= .*declares no order"):
        frame.ordinal.mae("y", "yhat", dropna=True, classes=column.dtype)


@pytest.mark.parametrize("dtype", ["int64", "float64", "Int64", "bool"])
def test_no_rows_tell_no_classes(dtype: str) -> None:
    empty = predictions([], []).astype(dtype)
    if dtype == "bool":
        assert classes_of(empty) == [False, True]
        return
    with pytest.raises(ClassOrderError, match="'y' and column 'yhat' hold no label.*classes="):
        empty.ordinal.mae("y", "yhat")
    assert np.isnan(empty.ordinal.mae("y", "yhat", classes=[0, 1]))


@pytest.mark.parametrize("dtype", ["bool", "boolean"])
def test_booleans(dtype: str) -> None:
    df = predictions([True, True], [True, True]).astype(dtype)
    assert classes_of(df) == [False, True]
    assert df.ordinal.accuracy("y", "yhat") == 1.0


def on_surfaces(true: Any, pred: Any, **options: Any) -> dict[str, Any]:
    """The MAE of labels on every surface."""
    df = predictions(true, pred, g=1)
    true, pred = (xr.DataArray(df[name].to_numpy(), dims="i", name=name) for name in ("y", "yhat"))
    return {
        "frame": lambda: df.ordinal.mae("y", "yhat", **options),
        "by": lambda: df.ordinal.mae("y", "yhat", by="g", **options).item(),
        "groupby": lambda: df.groupby("g").ordinal.mae("y", "yhat", **options).item(),
        "report": lambda: df.ordinal.report("y", "yhat", metrics=["mae"], **options)["mae"],
        "series": lambda: df["y"].ordinal.mae(df["yhat"], **options),
        "labels": lambda: true.ordinal.confusion(pred, **options).ordinal.mae().item(),
        "dataset": lambda: (
            xr.Dataset({"y": true, "p": pred}).ordinal.mae("y", "p", **options).item()
        ),
    }


SURFACES = [*on_surfaces([], [])]


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize(
    ("true", "pred", "remedies"),
    [
        ([-1, 0, 1, 2], [0, 0, 1, 2], r"-1.*classes=range\(-1, 3\).*make it missing"),
        ([0, 0, 1], [0, 1, -1], r"-1.*classes=range\(-1, 2\).*make it missing"),
        ([-1, -1], [-1, -1], r"classes=range\(-1, 0\)"),
        ([1, 5], [5, 1], r"\[1, 5\].*3 integers.*classes=.*\[1, 5\] or range\(1, 6\).*missing"),
        ([0, 4], [0, 4], r"classes=.*\[0, 4\] or range\(0, 5\)"),
        ([10, 20, 30], [10, 30, 30], r"18 integers.*\[10, 20, 30\] or range\(10, 31\)"),
        ([0, 1, 2, 3, 9], [0, 1, 2, 3, 3], r"5 integers.*range\(0, 10\).*make a number.*missing"),
        ([0, 1, 2, 3, 3], [0, 1, 2, 3, 99], r"95 integers.*range\(0, 100\).*missing"),
        ([0, 1, 2, 3, 255], [0, 1, 2, 3, 3], r"251 integers.*range\(0, 256\)"),
        ([0, 1, 2, 3, 4, 8], [0, 1, 2, 3, 4, 8], r"3 integers"),
        ([0, 3, 6], [0, 3, 6], r"4 integers"),
        ([-9, 0, 1], [0, 0, 1], r"8 integers"),
    ],
    ids=str,
)
@pytest.mark.parametrize("dtype", [int, float])
def test_doubtful_integers_are_refused(
    surface: str, true: list[int], pred: list[int], remedies: str, dtype: type
) -> None:
    true, pred = np.array(true, dtype), np.array(pred, dtype)
    with pytest.raises(ClassOrderError, match=remedies):
        on_surfaces(true, pred)[surface]()
    result = np.unique([true, pred])
    places = np.abs(np.searchsorted(result, true) - np.searchsorted(result, pred)).mean()
    used, every = result.tolist(), np.arange(result.min(), result.max() + 1).tolist()
    assert on_surfaces(true, pred, classes=used)[surface]() == pytest.approx(places)
    far = np.abs(true - pred).mean()
    assert on_surfaces(true, pred, classes=every)[surface]() == pytest.approx(far)


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize(
    ("true", "pred", "n_classes"),
    [
        ([0, 3], [0, 3], 4),  # two empty ones, two used
        ([0, 3, 5], [0, 3, 5], 6),
        ([1, 2], [5, 2], None),  # two consecutive empty ones, three used
        ([0, 1, 2], [5, 1, 2], 6),
        ([2], [2], 1),
        ([-2, 0], [0, 0], 3),
        ([-3, -2], [-2, -2], 2),
        ([7, 8], [8, 8], 2),
    ],
    ids=str,
)
def test_integers_with_few_gaps_are_classes(
    surface: str, true: list[int], pred: list[int], n_classes: int | None
) -> None:
    n_classes = n_classes or max([*true, *pred]) - min([*true, *pred]) + 1
    assert len(classes_of(predictions(true, pred))) == n_classes
    far = np.abs(np.subtract(true, pred)).mean()
    assert on_surfaces(true, pred)[surface]() == pytest.approx(far)


@pytest.mark.parametrize(("n_labels", "is_listed"), [(49, True), (50, True), (51, False)])
def test_fifty_labels_are_listed(n_labels: int, is_listed: bool) -> None:
    labels = [*range(n_labels - 1), 99]
    with pytest.raises(ClassOrderError, match=r"or range\(0, 100\)") as caught:
        predictions(labels, labels).ordinal.mae("y", "yhat")
    shown = str(labels) if is_listed else "[lowest, ..., highest]"
    assert f"give classes=[...], such as {shown} or range(0, 100)" in str(caught.value)


def test_gaps_are_those_of_all_columns_together() -> None:
    df = predictions([0, 4, 0], [0, 4, 4], third=[0, 2, 4])
    with pytest.raises(ClassOrderError, match="3 integers"):
        df.ordinal.mae("y", "yhat")
    assert df.ordinal.mae("y", ["yhat", "third"]).tolist() == pytest.approx([4 / 3, 2])
    missing = predictions([0, 1, None], [0, 1, 1])
    assert missing.ordinal.mae("y", "yhat", dropna=True) == 0
    codes = predictions(ordered(["low", None]), ordered(["low", "mid"])).apply(
        lambda s: s.cat.codes
    )
    with pytest.raises(ClassOrderError, match="hold -1, a class or the code of a missing label"):
        codes.ordinal.mae("y", "yhat")


@pytest.mark.parametrize("true", [[-1, 0, 1], [1, 5, 5], [0, 1, 99], [10, 20, 30]], ids=str)
def test_doubtful_integers_beside_scores_and_probabilities_are_refused(true: list[int]) -> None:
    used = sorted(set(true))
    df = pd.DataFrame({"y": true, "score": [1.0, 2, 3], "g": 1})
    df = df.assign(**{str(label): 1 / len(used) for label in used}).rename(
        columns={str(label): label for label in used}
    )
    labels = xr.DataArray(true, dims="i")
    score = xr.DataArray([1.0, 2, 3], dims="i")
    proba = xr.DataArray(np.full((3, len(used)), 1 / len(used)), {"c": used}, ("i", "c"))
    dataset = xr.Dataset({"y": labels, "score": score, "proba": proba})
    calls: list[Any] = [
        lambda **o: df.ordinal.vus("y", "score", **o),
        lambda **o: df.ordinal.vus("y", "score", by="g", **o),
        lambda **o: df.groupby("g").ordinal.u_pairs("y", "score", **o),
        lambda **o: df["y"].ordinal.vus(df["score"], **o),
        lambda **o: df.ordinal.report("y", score="score", **o),
        lambda **o: df.ordinal.best_thresholds("y", "score", metric="mae", **o),
        lambda **o: df.ordinal.rps("y", used, **o),
        lambda **o: df["y"].ordinal.rps(df[used], **o),
        lambda **o: df.groupby("g").ordinal.log_loss("y", used, **o),
        lambda **o: labels.ordinal.vus(score, **o),
        lambda **o: labels.ordinal.rps(proba, **o),
        lambda **o: dataset.ordinal.u_pairs("y", "score", **o),
        lambda **o: dataset.ordinal.brier("y", "proba", **o),
    ]
    for call in calls:
        with pytest.raises(ClassOrderError, match=r"classes=.*missing"):
            call()
        assert np.isfinite(np.asarray(call(classes=used), float)).any()


def test_kernels_keep_minus_one_as_a_row_that_does_not_count() -> None:
    assert po.metrics.vus([-1, 0, 1], [9, 1, 2], 2) == 1
    assert po.metrics.rps([-1, 1], [[1, 0], [0, 1]]) == 0


@pytest.mark.parametrize("number", [1, 1.0, np.int64(1), 2.5], ids=repr)
@pytest.mark.parametrize("boolean", [True, False, np.True_], ids=repr)
@pytest.mark.parametrize("options", [{}, {"classes": [0, 1]}, {"classes": [False, True]}], ids=str)
def test_booleans_among_numbers_are_refused_in_any_order(
    number: Any, boolean: Any, options: dict[str, Any]
) -> None:
    calls: list[Any] = [
        lambda df: df.ordinal.mae("y", "yhat", dropna=True, **options),
        lambda df: df.ordinal.mae("yhat", "y", dropna=True, **options),
        lambda df: df["y"].ordinal.mae(df["yhat"], dropna=True, **options),
        lambda df: df["yhat"].ordinal.mae(df["y"], dropna=True, **options),
        lambda df: df.groupby("yhat").ordinal.mae("y", "yhat", dropna=True, **options),
        lambda df: df.ordinal.vus("y", "score", dropna=True, **options),
        lambda df: df["y"].ordinal.as_ordered([0, 1]),
    ]
    for labels in itertools.permutations([number, boolean, 0, None]):
        mixed = pd.Series(list(labels), dtype=object)
        df = predictions(mixed, [0, 1, 0, 1], score=[1.0, 2, 3, 4])
        for call in calls:
            with pytest.raises(ClassOrderError, match="'y' mixes booleans with numbers"):
                call(df)


def test_integers_beside_fractions_among_objects_stay_integers() -> None:
    labels = pd.Series([2**53 + 1, 0.5, 2**53, 2**53 + 1], dtype=object)
    df = predictions(labels, labels[::-1].array)
    exact = pd.CategoricalDtype(pd.Index([0.5, 2**53, 2**53 + 1], dtype=object), ordered=True)
    cube = df.ordinal.confusion("y", "yhat", classes=exact)
    assert cube.values.tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 2]]
    with pytest.raises(UnknownClassError, match=rf"holds \[{2**53 + 1}, 0\.5\], which"):
        df.ordinal.confusion("y", "yhat", classes=[2**53])
    with pytest.raises(
        UnknownClassError,
        match=r"holds \[7, 2\.5\].* missing label, leave it out "
        r"with ignore=7, or",
    ):
        predictions(pd.Series([0, 7, 2.5], dtype=object), [0, 0, 0]).ordinal.mae(
            "y", "yhat", classes=[0, 1]
        )


def test_booleans_are_not_numbers() -> None:
    with pytest.raises(ClassOrderError, match=r"boolean.*astype\(int\)"):
        predictions([True, False], [1, 0]).ordinal.mae("y", "yhat")
    with pytest.raises(UnknownClassError, match="'y'.*False"):
        predictions([True, False], [1, 0]).ordinal.mae("y", "yhat", classes=[0, 1])


# text, objects, unordered Categorical, other floats


def unordered() -> dict[str, Any]:
    labels = ["low", "mid", "high"]
    return {
        "text": labels,
        "objects": pd.Series(labels, dtype=object),
        "string": pd.Series(labels, dtype="string"),
        "unordered Categorical": pd.Categorical(labels),
    }


def printed(message: str) -> tuple[str, list[Any]]:
    """The line that an error prints, and the labels to be put in order in it."""
    (line,) = re.findall(r"df\[.*?\.as_ordered\(.*?\]\)", message)
    (shown,) = re.findall(r"in no order, are (\{.*?\}):", message)
    assert "[<lowest>, ..., <highest>]" in line
    with pytest.raises(SyntaxError):
        ast.parse(line)  # pasted as it is, it would declare an order that nobody chose
    return line, sorted(ast.literal_eval(shown))


def run_line(message: str, df: pd.DataFrame, order: list[Any]) -> None:
    """Run the line that an error prints, its labels put in order."""
    line, labels = printed(message)
    in_order = sorted(labels, key=order.index)
    exec(line.replace("[<lowest>, ..., <highest>]", repr(in_order)), {"df": df})


@pytest.mark.parametrize("kind", unordered())
def test_labels_without_an_order_are_refused_and_the_printed_line_helps(kind: str) -> None:
    df = predictions(unordered()[kind], ["mid", "high", "low"])
    with pytest.raises(ClassOrderError) as caught:
        df.ordinal.mae("y", "yhat")
    assert "column 'y'" in str(caught.value)
    assert "classes=[<lowest>, ..., <highest>]" in str(caught.value)
    run_line(str(caught.value), df, LEVELS)
    assert df["y"].cat.categories.tolist() == LEVELS
    assert df.ordinal.mae("y", "yhat") == pytest.approx(4 / 3)


def test_the_printed_line_keeps_unused_categories() -> None:
    labels = pd.Categorical(["low", "high"], categories=["high", "low", "mid"])
    df = predictions(labels, ["low", "low"])
    with pytest.raises(ClassOrderError) as caught:
        df.ordinal.mae("y", "yhat")
    run_line(str(caught.value), df, LEVELS)
    assert df["y"].cat.categories.tolist() == LEVELS


def test_the_printed_classes_are_those_of_all_columns() -> None:
    df = pd.DataFrame({"y": ["lo", "hi", "lo"], "yhat": ["lo", "mid", "hi"]})
    with pytest.raises(ClassOrderError, match=r"\{'lo', 'hi', 'mid'\}") as caught:
        df.ordinal.mae("y", "yhat")
    assert printed(str(caught.value))[1] == ["hi", "lo", "mid"]


def test_order_is_asked_for_in_prediction_columns_too() -> None:
    df = predictions([0, 1], [0, 1]).assign(third=["0", "1"])
    with pytest.raises(ClassOrderError, match="column 'third'"):
        df.ordinal.mae("y", ["yhat", "third"])


@pytest.mark.parametrize("bad", [0.5, np.inf, -np.inf, 1e-9])
def test_fractions_are_refused(bad: float) -> None:
    df = predictions([0, 1, 2], [0, bad, 2])
    with pytest.raises(ClassOrderError, match=r"column 'yhat' holds .*df\['yhat'\]\.round\(\)"):
        df.ordinal.mae("y", "yhat")


def test_rounded_fractions_are_classes() -> None:
    df = predictions([0, 1, 2], [0.2, 1.8, 1.9])
    df["yhat"] = df["yhat"].round()
    assert df.ordinal.mae("y", "yhat") == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    "values",
    [
        pd.to_datetime(["2026-01-01", "2026-01-02"]),
        pd.to_timedelta([1, 2], unit="D"),
        [1j, 2j],
        [(0, 1), (1, 2)],
        pd.IntervalIndex.from_breaks([0, 1, 2]),
    ],
    ids=["datetimes", "timedeltas", "complex", "tuples", "intervals"],
)
def test_other_labels_are_refused(values: Any) -> None:
    with pytest.raises(ClassOrderError, match="column 'y'"):
        predictions(values, values).ordinal.mae("y", "yhat")


def test_dates_are_classes_when_declared() -> None:
    days = list(pd.date_range("2026-01-01", periods=3))
    df = predictions(days, [days[2], days[1], days[2]])
    assert df.ordinal.mae("y", "yhat", classes=days) == pytest.approx(2 / 3)


@pytest.mark.parametrize("truth", ["integers", "ordered"])
@pytest.mark.parametrize("name", ["kappa", "mae", "report"])
def test_continuous_predictions_of_classes(name: str, truth: str) -> None:
    codes = np.array([0, 1, 2, 2, 0])
    y = codes if truth == "integers" else pd.Categorical.from_codes(codes, dtype=DTYPE)
    df = pd.DataFrame({"y": y, "risk": [0.2, 1.7, 2.4, 0.1, 0.3]})
    with pytest.raises(ValueError, match="'risk'") as caught:
        getattr(df.ordinal, name)("y", "risk")
    message = str(caught.value)
    for remedy in (".ordinal.classify(", "vus"):
        assert remedy in message, remedy
    assert (".round()" in message) == (truth == "integers")


def test_fractions_beside_integers_are_predictions_and_others_are_numbers() -> None:
    fractions = [0.2, 1.7, 2.0]
    for true, advice in (([0, 1, 2], "make classes of them"), (fractions, "round or bin numbers")):
        with pytest.raises(ClassOrderError, match=rf"which is not a class: {advice}") as caught:
            predictions(true, fractions).ordinal.mae("y", "yhat")
        assert (".ordinal.cut(" in str(caught.value)) == (true == fractions)


def test_each_remedy_works() -> None:
    df = pd.DataFrame({"y": [0, 1, 2, 2, 0], "risk": [0.2, 1.7, 2.4, 0.1, 0.3]})
    expected = df.assign(yhat=[0, 2, 2, 0, 0]).ordinal.kappa("y", "yhat", weights="quadratic")
    rounded = df.assign(yhat=df["risk"].round())
    assert rounded.ordinal.kappa("y", "yhat", weights="quadratic") == pytest.approx(expected)
    thresholds = [0.5, 1.5]
    classified = df.assign(yhat=df["risk"].ordinal.classify(thresholds, classes=[0, 1, 2]))
    assert classified.ordinal.kappa("y", "yhat", weights="quadratic") == pytest.approx(expected)
    edges = [-np.inf, 0.5, 1.5, np.inf]
    cut = df.assign(yhat=df["risk"].ordinal.cut(edges))
    assert cut["yhat"].cat.codes.tolist() == [0, 2, 2, 0, 0]
    # of the pairs of different classes three are ranked wrong: 0.2, 0.3 and 1.7 above 0.1
    assert df.ordinal.u_pairs("y", "risk") == pytest.approx(5 / 8)


def test_text_bins_in_the_order_of_the_alphabet_are_refused() -> None:
    text = pd.Series(["(0, 10]", "(10, 20]", "(100, inf]", "(20, 100]"])
    wrong = text.astype("category").cat.as_ordered()
    with pytest.raises(ClassOrderError, match="po.parse_intervals"):
        wrong.ordinal.mae(wrong)
    with pytest.raises(ClassOrderError, match="po.parse_intervals"):
        text.ordinal.mae(text, classes=sorted(text))
    right = text.ordinal.as_ordered(["(0, 10]", "(10, 20]", "(20, 100]", "(100, inf]"])
    assert right.iloc[[3]].ordinal.mae(right.iloc[[1]].set_axis([3])) == 1
    down = text.ordinal.as_ordered(["(100, inf]", "(20, 100]", "(10, 20]", "(0, 10]"])
    assert down.ordinal.mae(down) == 0


# plain labels next to an ordered column


@pytest.mark.parametrize("kind", unordered())
@pytest.mark.parametrize("first", [True, False])
def test_plain_labels_beside_an_ordered_column(kind: str, first: bool) -> None:
    plain, declared = unordered()[kind], ordered(["mid", "high", "high"])
    df = predictions(plain, declared) if first else predictions(declared, plain)
    assert df.ordinal.mae("y", "yhat") == pytest.approx(2 / 3)
    assert classes_of(df) == LEVELS


def test_numbers_beside_ordered_numbers() -> None:
    df = predictions(ordered([5, 3, 1], [5, 3, 1]), [1, 3, 1])
    assert df.ordinal.bias("y", "yhat") == pytest.approx(2 / 3)
    df["yhat"] = df["yhat"].astype(float)
    assert df.ordinal.bias("y", "yhat") == pytest.approx(2 / 3)


@pytest.mark.parametrize("dropna", [False, True])
def test_unknown_labels_are_listed(dropna: bool) -> None:
    df = predictions(ordered(["low", "high", "high"]), ["low", "LOW", "huge"])
    with pytest.raises(UnknownClassError) as caught:
        df.ordinal.mae("y", "yhat", dropna=dropna)
    for text in ("column 'yhat'", "'LOW'", "'huge'", *map(repr, LEVELS)):
        assert text in str(caught.value)
    assert "'low', 'LOW'" not in str(caught.value)


def test_unused_unknown_categories_do_not_matter() -> None:
    pred = pd.Categorical(["low", "high"], categories=["high", "huge", "low"])
    df = predictions(ordered(["low", "low"]), pred)
    assert df.ordinal.mae("y", "yhat") == 1.0


def test_codes_beside_text_classes_are_refused_with_a_hint() -> None:
    df = predictions(ordered(["low", "high"]), [0, 2])
    with pytest.raises(UnknownClassError, match=r"\[0, 2\].*from_codes\(df\['yhat'\]"):
        df.ordinal.mae("y", "yhat")


@pytest.mark.parametrize("numbers", [[5, 15, 40], [5.0, 15.0, 40.0]])
def test_numbers_beside_intervals_are_not_binned(numbers: list[float]) -> None:
    df = predictions(pd.cut([5, 15, 40], BINS), numbers)
    with pytest.raises(UnknownClassError, match="'yhat' holds.*5"):
        df.ordinal.mae("y", "yhat")
    with pytest.raises(UnknownClassError):
        predictions(numbers, numbers).ordinal.mae("y", "yhat", classes=list(BINS))


def test_bins_closed_on_other_sides_are_other_classes() -> None:
    left = pd.IntervalIndex.from_breaks([0, 10, 20, 50], closed="left")
    df = predictions(pd.cut([5, 15], BINS), pd.cut([5, 15], left))
    with pytest.raises(ClassOrderError):
        df.ordinal.mae("y", "yhat")


# two ordered columns


@pytest.mark.parametrize("subset", [["low", "high"], ["mid"], ["mid", "high"]])
@pytest.mark.parametrize("first", [True, False])
def test_a_subset_is_aligned_by_label(subset: list[str], first: bool) -> None:
    small, large = ordered(subset, subset), ordered(["low"] * len(subset))
    df = predictions(small, large) if first else predictions(large, small)
    expected = np.mean([LEVELS.index(label) for label in subset])
    assert df.ordinal.mae("y", "yhat") == pytest.approx(expected)
    assert classes_of(df) == LEVELS


@pytest.mark.parametrize(
    "other",
    [["high", "mid", "low"], ["low", "mid", "huge"], ["mid", "low"], ["x", "y", "z"]],
    ids=["reversed", "overlapping", "subset in another order", "disjoint"],
)
def test_contradicting_orders_are_shown(other: list[str]) -> None:
    df = predictions(ordered(["low", "high"]), ordered([other[0], other[1]], other))
    with pytest.raises(ClassOrderError) as caught:
        df.ordinal.mae("y", "yhat")
    assert " < ".join(LEVELS) in str(caught.value)
    assert " < ".join(other) in str(caught.value)
    assert "'y'" in str(caught.value) and "'yhat'" in str(caught.value)


def test_every_prediction_column_passes_the_gate() -> None:
    df = predictions(ordered(["low", "high"]), ordered(["low", "high"]))
    df["third"] = ordered(["low", "high"], LEVELS[::-1])
    with pytest.raises(ClassOrderError, match="'third'"):
        df.ordinal.mae("y", ["yhat", "third"])


# missing values


@pytest.mark.parametrize(
    "true",
    [
        ordered(["low", None, "high", None]),
        [0, None, 2, None],
        pd.array([0, None, 2, None], "Int64"),
        pd.array([True, None, False, None], "boolean"),
    ],
    ids=["Categorical", "float", "Int64", "boolean"],
)
def test_missing_labels_are_counted(true: Any) -> None:
    df = predictions(true, true)
    with pytest.raises(
        MissingValueError,
        match="^column 'y' holds 2 missing values: fill them in, or give dropna=True, which "
        "leaves these rows out$",
    ):
        df.ordinal.mae("y", "yhat")
    assert df.ordinal.mae("y", "yhat", dropna=True) == 0
    assert df.ordinal.confusion("y", "yhat", dropna=True).sum() == 2


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT])
def test_missing_text(missing: Any) -> None:
    df = predictions(["low", "high"], pd.Series(["low", missing], dtype=object))
    with pytest.raises(MissingValueError, match="column 'yhat' holds 1 missing value:"):
        df.ordinal.mae("y", "yhat", classes=LEVELS)
    assert df.ordinal.accuracy("y", "yhat", classes=LEVELS, dropna=True) == 1


def test_dropna_goes_column_by_column() -> None:
    df = predictions([0, 1, 2, None], [0, None, 2, 2]).assign(third=[2.0, 1, 0, 0])
    report = df.ordinal.report("y", ["yhat", "third"], metrics=["mae"], dropna=True)
    assert report["n"].tolist() == [2, 3]
    assert report["mae"].tolist() == pytest.approx([0, 4 / 3])


def test_all_labels_missing() -> None:
    df = predictions(ordered([None, None]), ordered(["low", "high"]))
    report = df.ordinal.report("y", "yhat", dropna=True)
    assert report["n"] == 0
    assert report.drop("n").isna().all()


def test_nan_in_a_nullable_column_is_missing() -> None:
    y = pd.array([0.0, 1, 0], "Float64") / pd.array([1.0, 1, 0], "Float64")
    df = pd.DataFrame({"y": y, "yhat": [0, 1, 1]})
    with pytest.raises(MissingValueError, match="1 missing"):
        df.ordinal.mae("y", "yhat")
    assert df.ordinal.report("y", "yhat", dropna=True, metrics=["mae"]).tolist() == [2, 0]


# labelled tables for plain arrays


ROWS = predictions(
    ordered(["low", "low", "high", "mid", "low", "high"]),
    ordered(["low", "high", "mid", "mid", "mid", "high"]),
).assign(g=["a", "a", "b", "b", "b", "a"])
SIZES = pd.Series({"low": 5, "mid": 2, "high": 3})
COSTS = pd.DataFrame([[0, 1, 5], [2, 0, 1], [7, 3, 0]], index=LEVELS, columns=LEVELS)
WEIGHTS = pd.DataFrame([[1, 0.4, 0], [0.6, 1, 0.5], [0.1, 0.3, 1]], index=LEVELS, columns=LEVELS)
OPTIONS = [("stc", "class_sizes", SIZES), ("expected_cost", "costs", COSTS)]
OPTIONS += [("total_cost", "class_sizes", SIZES), ("kappa", "weights", WEIGHTS)]


def shuffled(values: Any) -> Any:
    """The same labels, another order on each axis."""
    values = values.loc[["high", "low", "mid"]]
    return values if values.ndim == 1 else values[["mid", "high", "low"]]


def as_array(values: Any) -> xr.DataArray:
    dims = ["class"] if values.ndim == 1 else ["true", "pred"]
    return xr.DataArray(values, dims=dims, coords=dict(zip(dims, values.axes, strict=True)))


@pytest.mark.parametrize(("name", "option", "values"), OPTIONS, ids=lambda v: str(v)[:12])
@pytest.mark.parametrize("wrap", [shuffled, lambda v: as_array(shuffled(v))], ids=["pd", "xr"])
def test_labelled_options_are_matched_by_label(
    name: str, option: str, values: Any, wrap: Any
) -> None:
    kernel = partial(getattr(po.metrics, name), **{option: values.to_numpy()})
    options = {option: wrap(values)}
    true, pred = ROWS["y"].cat.codes, ROWS["yhat"].cat.codes
    whole = kernel(brute.counts(true, pred, 3))
    parts = [kernel(brute.counts(true[g], pred[g], 3)) for g in (ROWS.g == "a", ROWS.g == "b")]

    cube = ROWS.ordinal.confusion("y", "yhat", by="g")
    dataset = xr.Dataset({"y": ("i", true), "yhat": ("i", pred)})
    for result, expected in [
        (getattr(ROWS.ordinal, name)("y", "yhat", **options), whole),
        (getattr(ROWS["y"].ordinal, name)(ROWS["yhat"], **options), whole),
        (getattr(ROWS.ordinal, name)("y", "yhat", by="g", **options), parts),
        (getattr(ROWS.groupby("g").ordinal, name)("y", "yhat", **options), parts),
        (getattr(cube.ordinal, name)(**options), parts),
        (getattr(cube.isel(true=[2, 0, 1]).ordinal, name)(**options), parts),
        (getattr(cube.chunk({"g": 1}).ordinal, name)(**options), parts),
        (getattr(dataset.ordinal, name)("y", "yhat", classes=LEVELS, **options), whole),
    ]:
        np.testing.assert_allclose(result, expected, rtol=1e-12)


NAMED = COSTS.rename_axis(index="true", columns="pred")
NAMED_WEIGHTS = WEIGHTS.rename_axis(index="true", columns="pred")
TURNED: dict[str, Any] = {
    "named": lambda t: t,
    "turned": lambda t: t.T,
    "turned, rows named": lambda t: t.T.rename_axis(columns=None),
    "turned, columns named": lambda t: t.T.rename_axis(index=None),
    "columns named": lambda t: t.rename_axis(index=None),
    "shuffled": lambda t: shuffled(t.T),
    "unnamed": lambda t: t.rename_axis(index=None, columns=None),
    "unnamed, shuffled": lambda t: shuffled(t.rename_axis(index=None, columns=None)),
    "DataArray": xr.DataArray,
    "DataArray, turned": lambda t: xr.DataArray(t.T),
    "DataArray, shuffled": lambda t: xr.DataArray(shuffled(t)).T,
    "unnamed DataArray": lambda t: xr.DataArray(t.to_numpy(), dims=("true", "pred")),
}
OF_TABLES = [("expected_cost", "costs", NAMED), ("kappa", "weights", NAMED_WEIGHTS)]


@pytest.mark.parametrize(("name", "option", "table"), OF_TABLES, ids=lambda v: str(v)[:12])
@pytest.mark.parametrize("turn", TURNED)
def test_the_names_of_axes_say_which_is_which(
    name: str, option: str, table: pd.DataFrame, turn: str
) -> None:
    counts = brute.counts(ROWS["y"].cat.codes, ROWS["yhat"].cat.codes, 3)
    due = getattr(po.metrics, name)(counts, **{option: table.to_numpy()})
    wrong = getattr(po.metrics, name)(counts, **{option: table.to_numpy().T})
    assert due != pytest.approx(wrong)
    options = {option: TURNED[turn](table)}
    cube = ROWS.ordinal.confusion("y", "yhat")
    dataset = xr.Dataset({"y": ("i", ROWS.y.cat.codes), "p": ("i", ROWS.yhat.cat.codes)})
    for result in (
        getattr(ROWS.ordinal, name)("y", "yhat", **options),
        getattr(ROWS["y"].ordinal, name)(ROWS["yhat"], **options),
        getattr(ROWS.assign(g=1).groupby("g").ordinal, name)("y", "yhat", **options),
        getattr(cube.ordinal, name)(**options),
        getattr(cube.transpose().ordinal, name)(**options),
        getattr(dataset.ordinal, name)("y", "p", classes=LEVELS, **options),
    ):
        assert np.asarray(result, float).item() == pytest.approx(due, rel=1e-12)


def test_thresholds_read_costs_by_the_names_of_axes() -> None:
    rows = ROWS.assign(score=[1.0, 2, 3, 2, 2.5, 1.5])
    due = rows.ordinal.best_thresholds("y", "score", costs=NAMED.to_numpy())
    other = rows.ordinal.best_thresholds("y", "score", costs=NAMED.to_numpy().T)
    for turn in TURNED.values():
        result = rows.ordinal.best_thresholds("y", "score", costs=turn(NAMED))
        pd.testing.assert_series_equal(result, due)
        result = rows.ordinal.best_thresholds(
            "y",
            "score",
            costs=turn(NAMED.T.set_axis(LEVELS, axis=0).rename_axis(index="true", columns="pred")),
        )
        pd.testing.assert_series_equal(result, other)


@pytest.mark.parametrize("option", ["costs", "weights"])
@pytest.mark.parametrize(
    "names",
    [
        ("yhat", "y"),
        ("y_true", "y_pred"),
        ("predicted", "actual"),
        ("yhat", None),
        (None, "actual"),
    ],
)
def test_axes_with_names_of_their_own_do_not_say_which_is_the_truth(
    names: tuple[str | None, str | None], option: str
) -> None:
    table = {"costs": COSTS, "weights": WEIGHTS}[option].rename_axis(
        index=names[0], columns=names[1]
    )
    metric = {"costs": "expected_cost", "weights": "kappa"}[option]
    with pytest.raises(ValueError, match=f"{option} are named {names[0]!r} .*rename_axis"):
        getattr(ROWS.ordinal, metric)("y", "yhat", **{option: table})
    turned = table.T.rename_axis(index="Pred", columns="True")
    assert getattr(ROWS.ordinal, metric)("y", "yhat", **{option: turned}) == getattr(
        ROWS.ordinal, metric
    )("y", "yhat", **{option: table.rename_axis(index="true", columns="pred")})
    one_name = table.rename_axis(index="grade", columns="grade")
    unnamed = table.rename_axis(index=None, columns=None)
    expected = getattr(ROWS.ordinal, metric)("y", "yhat", **{option: unnamed})
    assert getattr(ROWS.ordinal, metric)("y", "yhat", **{option: one_name}) == expected


@pytest.mark.parametrize("axis", ["true", "pred"])
@pytest.mark.parametrize(("name", "option", "table"), OF_TABLES, ids=lambda v: str(v)[:12])
def test_two_axes_of_one_name_are_refused(
    name: str, option: str, table: pd.DataFrame, axis: str
) -> None:
    options = {option: table.rename_axis(index=axis, columns=axis)}
    for call in (
        lambda: getattr(ROWS.ordinal, name)("y", "yhat", **options),
        lambda: getattr(ROWS["y"].ordinal, name)(ROWS["yhat"], **options),
        lambda: getattr(ROWS.groupby("g").ordinal, name)("y", "yhat", **options),
        lambda: getattr(ROWS.ordinal.confusion("y", "yhat").ordinal, name)(**options),
    ):
        with pytest.raises(ValueError, match=f"both axes of {option} are named '{axis}'"):
            call()


def test_a_labelled_option_may_be_a_categorical_index() -> None:
    sizes = ROWS["y"].value_counts()
    assert sizes.index.tolist() != LEVELS
    assert ROWS.ordinal.stc("y", "yhat", class_sizes=sizes) == pytest.approx(
        ROWS.ordinal.stc("y", "yhat"), rel=1e-12
    )
    of_cube = ROWS.ordinal.confusion("y", "yhat").sum("pred").isel(true=[1, 2, 0])
    of_cube = of_cube.rename(true="class")
    assert ROWS.ordinal.stc("y", "yhat", class_sizes=of_cube) == pytest.approx(
        ROWS.ordinal.stc("y", "yhat"), rel=1e-12
    )


def test_options_without_labels_are_in_class_order() -> None:
    sizes = SIZES.tolist()
    expected = po.metrics.stc(
        brute.counts(ROWS.y.cat.codes, ROWS.yhat.cat.codes, 3), class_sizes=sizes
    )
    assert ROWS.ordinal.stc("y", "yhat", class_sizes=sizes) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    "labels",
    [
        ["low", "mid", "huge"],
        ["low", "mid"],
        ["low", "mid", "mid"],
        ["low", "mid", "high", "high"],
        [0, 1, 2],
    ],
    ids=repr,
)
def test_options_with_wrong_labels_are_refused(labels: list[Any]) -> None:
    sizes = pd.Series(1.0, index=labels)
    with pytest.raises(UnknownClassError, match="class_sizes="):
        ROWS.ordinal.stc("y", "yhat", class_sizes=sizes)
    costs = pd.DataFrame(1.0, index=LEVELS, columns=labels)
    with pytest.raises(UnknownClassError, match="costs="):
        ROWS.ordinal.expected_cost("y", "yhat", costs=costs)


def test_options_without_labels_are_taken_in_order() -> None:
    call = DF.ordinal.stc
    listed = call("y", "yhat", classes=[2, 1, 0], class_sizes=[10, 5, 1])
    bare = xr.DataArray([10, 5, 1], dims="class")
    assert call("y", "yhat", classes=[2, 1, 0], class_sizes=bare) == listed
    labelled = bare.assign_coords({"class": [2, 1, 0]})
    assert call("y", "yhat", classes=[2, 1, 0], class_sizes=labelled[::-1]) == listed
    for other in ("true", "pred"):
        sizes = COUNTED.sum(["g", *{"true", "pred"} - {other}])
        with pytest.raises(ValueError, match=rf"class_sizes= has .*\('{other}',\).*over 'class'"):
            COUNTED.ordinal.stc(class_sizes=sizes)


@pytest.mark.parametrize(
    "classes", [[("a",), ("a", "b")], [("a", "a"), ("a", "b")], ["low", ("a", "b")]], ids=str
)
def test_tuples_are_labels(classes: list[Any]) -> None:
    """Of the same length or not: they are no levels of an index."""
    true, pred = [0, 1, 1, 0, 1], [0, 0, 1, 1, 0]
    df = pd.DataFrame({"y": [classes[n] for n in true], "yhat": [classes[n] for n in pred]})
    ordinal, asked = df.astype(object).ordinal, {"classes": classes}
    assert ordinal.confusion("y", "yhat", **asked).values.tolist() == [[1, 1], [2, 1]]
    costs = {
        one: {two: 10 * i + j for j, two in enumerate(classes)} for i, one in enumerate(classes)
    }
    assert ordinal.expected_cost("y", "yhat", costs=costs, **asked) == (0 + 10 + 11 + 1 + 10) / 5
    ratings = ordinal.agreement(["y", "yhat"], metrics=["brennan_prediger"], **asked)
    assert ratings.tolist() == [5, 5, 2, 10, pytest.approx((2 / 5 - 0.5) / 0.5)]
    if classes[0] == "low":
        by_class = {"low": 3, ("a", "b"): 1}
        listed = ordinal.stc("y", "yhat", class_sizes=[3, 1], **asked)
        assert ordinal.stc("y", "yhat", class_sizes=by_class, **asked) == listed


def test_half_a_label_is_none() -> None:
    costs = xr.DataArray(np.eye(3), {"pred": [2, 1, 0]}, dims=("true", "pred"))
    with pytest.raises(ValueError, match="'pred' only"):
        DF.ordinal.expected_cost("y", "yhat", costs=costs)
    both = costs.assign_coords(true=[0, 1, 2])
    assert DF.ordinal.expected_cost("y", "yhat", costs=both) == 0


@pytest.mark.parametrize(
    "orders", [(["lo", "hi"], ["lo", "mid", "hi"]), (["hi", "mid", "lo"], ["lo", "mid", "hi"])]
)
def test_arrow_dictionaries_joined_of_different_orders(orders: tuple[list[str], ...]) -> None:
    parts = [
        pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int8()), order, ordered=True)
        for order in orders
    ]
    joined = pd.Series(pd.array(pa.chunked_array(parts), dtype=pd.ArrowDtype(parts[0].type)))
    frame = pd.DataFrame({"y": joined, "yhat": joined.to_numpy()[::-1]})
    with pytest.raises(ClassOrderError, match="'y' is joined from Arrow dictionaries"):
        frame.ordinal.mae("y", "yhat")
    with pytest.raises(ClassOrderError, match="joined from Arrow dictionaries"):
        frame[["yhat"]].assign(y=list(joined)).ordinal.mae("y", "yhat", classes=joined)
    same = pd.Series(
        pd.array(pa.chunked_array([parts[1], parts[1]]), dtype=pd.ArrowDtype(parts[1].type))
    )
    assert same.ordinal.classes.tolist() == orders[1]


# rows in blocks


KINDS: list[tuple[list[str], list[Any]]] = [
    (
        ["int8", "int64", "uint8", "uint64", "float32", "Int64", "Float64", "int16[pyarrow]"],
        [3, 1, 2, 4, 2, 1, 3, 4, 4, 1, 2],
    ),
    (["bool", "boolean", "bool[pyarrow]"], [True, False, False, True, False]),
    (["object", "str", "category"], [*"bacadbbdaccd"]),
]


@pytest.mark.parametrize("n_rows", [1, 3, 4, 5, 11])
@pytest.mark.parametrize(
    ("dtype", "labels"), [(dtype, labels) for dtypes, labels in KINDS for dtype in dtypes]
)
def test_labels_are_placed_alike_in_blocks_of_any_size(
    dtype: str, labels: list[Any], n_rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    every, labels = sorted(set(labels)), labels[:n_rows]
    column = pd.Series(labels).astype(dtype)
    beside = pd.Series(every[:1] * len(labels)).astype(dtype)
    df = pd.DataFrame({"y": column, "yhat": beside})
    for order in (every, every[::-1], every[1:] + every[:1], [every[-1], "other", *every[:-1]]):
        expected = np.zeros((len(order), len(order)), int)
        for label in labels:
            expected[order.index(label), order.index(every[0])] += 1
        for block in (1, 2, 4, 100):
            monkeypatch.setattr(arrays, "ROWS_PER_BLOCK", block)
            cube = df.ordinal.confusion("y", "yhat", classes=order)
            assert cube.values.tolist() == expected.tolist()


@pytest.mark.parametrize("block", [1, 2, 3, 100])
@pytest.mark.parametrize(
    "dtype", ["int8", "uint16", "int64", "float64", "Int64", "Float64", "int64[pyarrow]"]
)
def test_numbers_declare_their_classes_in_blocks_of_any_size(
    dtype: str, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays, "ROWS_PER_BLOCK", block)
    df = predictions([2, 3, 5, 2, 3], [3, 3, 2, 2, 5]).astype(dtype)
    assert classes_of(df) == [2, 3, 4, 5]
    assert df.ordinal.mae("y", "yhat") == (1 + 0 + 3 + 0 + 2) / 5


@pytest.mark.parametrize("block", [1, 2, 100])
@pytest.mark.parametrize(
    ("dtype", "classes"),
    [("int64", range(3)), ("int8", [0, 1]), ("float64", [0, 1, 2]), ("Int64", [2, 1, 0])],
)
def test_what_is_no_class_is_listed_once_from_all_blocks(
    dtype: str, classes: Any, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays, "ROWS_PER_BLOCK", block)
    df = predictions([0, 7, 1, 9, 7, 0], [0] * 6).astype(dtype)
    with pytest.raises(UnknownClassError, match=r"'y' holds \[7(\.0)?, 9(\.0)?\], which are no"):
        df.ordinal.mae("y", "yhat", classes=classes)


@pytest.mark.parametrize("block", [1, 2, 100])
def test_what_is_missing_is_counted_in_all_blocks(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays, "ROWS_PER_BLOCK", block)
    df = predictions([0, np.nan, 1, 2, np.nan, np.nan], [0, 1, 1, 1, 1, 1])
    with pytest.raises(MissingValueError, match="'y' holds 3 missing values"):
        df.ordinal.mae("y", "yhat")
    assert df.ordinal.mae("y", "yhat", dropna=True) == 1 / 3


@pytest.mark.parametrize("block", [1, 3, 100])
def test_fractions_are_found_in_all_blocks(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "ROWS_PER_BLOCK", block)
    with pytest.raises(ClassOrderError, match=r"'y' holds 1.5, which is not a class"):
        predictions([0.0, 1, 1, 1.5, 2.5], [0, 1, 1, 1, 1]).ordinal.mae("y", "yhat")


def test_fractions_beside_text_are_found_in_any_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "ROWS_PER_BLOCK", 1)
    with pytest.raises(ClassOrderError, match="If they are predicted numbers: make classes"):
        predictions(["a", "b", "a"], [1.0, 1.5, 2.0]).ordinal.mae("y", "yhat")


@pytest.mark.parametrize("n_classes", [127, 128, 129, 300])
@pytest.mark.parametrize("lowest", [0, 1, -3])
@pytest.mark.parametrize("dtype", ["int16", "int64", "uint16", "float64"])
def test_as_many_classes_as_a_code_has_room_for(dtype: str, lowest: int, n_classes: int) -> None:
    labels = np.arange(max(lowest, 0), lowest + n_classes)
    df = predictions(labels, labels[::-1]).astype(dtype)
    expected = np.abs(labels - labels[::-1]).mean()
    assert df.ordinal.mae("y", "yhat", classes=range(lowest, lowest + n_classes)) == expected


@pytest.mark.parametrize(
    "dtype",
    ["object", "string", "category", pd.CategoricalDtype(["b", "c"], ordered=True)],
    ids=str,
)
def test_missing_labels_have_a_code_of_their_own(dtype: Any) -> None:
    column = pd.Series(["b", None, "c"]).astype(dtype)
    (codes,), _ = codes_of([("y", column)], ["a", "b", "c"])
    assert codes.tolist() == [1, -1, 2]


@pytest.mark.parametrize("dtype", ["float64", "Int64", "boolean"])
def test_missing_numbers_have_a_code_of_their_own(dtype: Any) -> None:
    column = pd.Series([0, None, 1]).astype(dtype)
    (codes,), _ = codes_of([("y", column)])
    assert codes.tolist() == [0, -1, 1]


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "float64", "Int64"])
def test_numbers_are_no_boolean_classes(dtype: str) -> None:
    with pytest.raises(UnknownClassError, match=r"'y' holds \[0"):
        codes_of([("y", pd.Series([0, 1], dtype=dtype))], [False, True])
