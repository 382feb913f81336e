"""Labels to exclude: rows are left out where the truth or the prediction has one."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr
from hypothesis import given
from hypothesis import strategies as st
from oracles.strategies import examples

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, MissingValueError

Y = [0, 1, 2, 255, 2, 1, 0, 255]
YHAT = [0, 2, 255, 1, 2, 1, 1, 255]
OTHER = [255, 1, 1, 1, 2, 0, 1, 255]
KEPT = [0, 1, 4, 5, 6]
DF = pd.DataFrame(
    {
        "y": Y, "yhat": YHAT, "other": OTHER, "g": list("aabbabcc"),
        "w": [1, 2, 1, 3, 1, 2, 1, 1.5],
        "score": [0.1, 2, 3, np.nan, 4, 1, 0.5, np.nan],
    }
)  # fmt: skip
PROBA = pd.DataFrame(np.tile([0.5, 0.3, 0.2], (8, 1))).where(DF["y"] < 255)
LABELS = {
    "integers": (lambda x: x, 255),
    "int8 codes, -1": (lambda x: x.where(x < 255, -1).astype("int8"), -1),
    "uint8": (lambda x: x.astype("uint8"), [255]),
    "nullable": (lambda x: x.astype("UInt8"), [255]),
    "floats": (lambda x: x.astype(float), 255),
    "two": (
        lambda x: x.where(x < 255, (x.index * 7 + 99).to_numpy()),
        [int(i) for i in range(99, 160, 7)],
    ),
    "ordered": (
        lambda x: x.map({0: "lo", 1: "mid", 2: "hi", 255: "??"}).astype(
            pd.CategoricalDtype(["??", "lo", "mid", "hi"], ordered=True)
        ),
        "??",
    ),
}


def relabelled(kind: str) -> tuple[pd.DataFrame, Any]:
    relabel, ignore = LABELS[kind]
    return DF.assign(**{c: relabel(DF[c]) for c in ("y", "yhat", "other")}), ignore


@pytest.mark.parametrize("kind", LABELS)
def test_rows_are_left_out(kind: str) -> None:
    df, ignore = relabelled(kind)
    rows = DF.iloc[KEPT]
    for metric in ("mae", "kappa", "oci"):
        expected = getattr(rows.ordinal, metric)("y", "yhat", classes=[0, 1, 2])
        assert getattr(df.ordinal, metric)("y", "yhat", ignore=ignore) == expected
        assert getattr(df["y"].ordinal, metric)(df["yhat"], ignore=ignore) == expected
        expected = getattr(rows.ordinal, metric)("y", "yhat", sample_weight="w", classes=[0, 1, 2])
        result = getattr(df.ordinal, metric)("y", "yhat", sample_weight="w", ignore=ignore)
        assert result == pytest.approx(expected)
    report = df.ordinal.report("y", ["yhat", "other"], ignore=ignore, metrics=["mae"])
    assert report["n"].tolist() == [5, 5]
    by = df.ordinal.report("y", "yhat", by="g", ignore=ignore, metrics=["mae"])
    assert by["n"].to_dict() == {"a": 3, "b": 1, "c": 1}
    grouped = df.groupby("g").ordinal.report("y", "yhat", ignore=ignore, metrics=["mae"])
    pd.testing.assert_frame_equal(grouped, by)


@pytest.mark.parametrize("chunks", [None, 3])
@pytest.mark.parametrize("kind", [kind for kind in LABELS if kind not in ("ordered", "nullable")])
def test_cases_of_arrays_are_left_out(kind: str, chunks: Any) -> None:
    df, ignore = relabelled(kind)
    ds = xr.Dataset({c: ("i", df[c].to_numpy()) for c in ("y", "yhat", "w", "g")})
    if chunks:
        ds = ds.chunk(i=chunks)
    given_: dict[str, Any] = {"ignore": ignore, "classes": [0, 1, 2]}
    for weight in (None, "w"):
        expected = df.ordinal.confusion("y", "yhat", sample_weight=weight, **given_)
        result = ds.ordinal.confusion("y", "yhat", sample_weight=weight, **given_)
        npt.assert_array_equal(result, expected)
        assert result.dtype == expected.dtype
    report = ds.ordinal.report("y", "yhat", metrics=["mae"], by="g", **given_)
    npt.assert_array_equal(report["n"], [3, 1, 1])
    named = ds.ordinal.confusion("y", "yhat", ignore=ignore, classes=["lo", "mid", "hi"])
    npt.assert_array_equal(named, df.ordinal.confusion("y", "yhat", **given_))
    if chunks is None:
        assert ds.ordinal.confusion("y", "yhat", ignore=ignore).sizes["true"] == 3


@pytest.mark.parametrize("chunks", [None, 3])
def test_what_an_ignored_case_lacks_does_not_matter(chunks: Any) -> None:
    df = DF.assign(yhat=DF["yhat"].where(DF["y"] < 255))
    given_: dict[str, Any] = {
        "ignore": 255,
        "classes": [0, 1, 2],
        "metrics": ["mae", "vus", "rps"],
    }
    proba = dict(zip(range(3), PROBA.columns, strict=True))
    report = df.join(PROBA).ordinal.report("y", "yhat", score="score", proba=proba, **given_)
    assert report["n"] == 5
    ds = xr.Dataset({c: ("i", df[c].to_numpy()) for c in ("y", "yhat", "score")})
    ds["proba"] = xr.DataArray(PROBA.to_numpy(), {"c": [0, 1, 2]}, ("i", "c"))
    if chunks:
        ds = ds.chunk(i=chunks)
    result = ds.ordinal.report("y", "yhat", score="score", proba="proba", **given_)
    for name, value in report.items():
        assert float(result[name]) == pytest.approx(value)
    alone = ds["y"].ordinal.rps(ds["proba"], ignore=255, classes=[0, 1, 2])
    assert float(alone) == pytest.approx(df.join(PROBA).ordinal.rps("y", proba, ignore=255))


@pytest.mark.parametrize("chunks", [None, 3])
def test_what_another_case_lacks_is_refused(chunks: Any) -> None:
    df = DF.assign(yhat=DF["yhat"].astype(float).where(DF.index != 5))
    ds = xr.Dataset({c: ("i", df[c].to_numpy()) for c in ("y", "yhat", "score")})
    if chunks:
        ds = ds.chunk(i=chunks)
    given_: dict[str, Any] = {"ignore": 255, "classes": [0, 1, 2]}
    with pytest.raises(MissingValueError, match="'yhat' holds 1 missing"):
        df.ordinal.mae("y", "yhat", **given_)
    with pytest.raises(MissingValueError, match="'yhat' holds 1 missing"):
        ds.ordinal.mae("y", "yhat", **given_).compute()
    assert df.ordinal.report("y", "yhat", dropna=True, **given_)["n"] == 4
    assert int(ds.ordinal.report("y", "yhat", dropna=True, metrics=["mae"], **given_)["n"]) == 4
    lost = df.assign(score=df["score"].where(df.index != 0), yhat=DF["yhat"])
    with pytest.raises(MissingValueError, match="'score' holds 1 missing"):
        lost.ordinal.vus("y", "score", **given_)
    with pytest.raises(MissingValueError, match="'score' holds 1 missing"):
        ds.assign(score=("i", lost["score"])).ordinal.vus("y", "score", **given_).compute()


@pytest.mark.parametrize("kind", LABELS)
def test_curves_and_thresholds_of_the_rows_that_are_left(kind: str) -> None:
    df, ignore = relabelled(kind)
    classes = df["y"].cat.categories[1:] if kind == "ordered" else [0, 1, 2]
    result = df.ordinal.accuracy_curve("y", ["yhat", "other"], ignore=ignore)
    counted = {model: DF[(DF["y"] < 255) & (DF[model] < 255)] for model in ("yhat", "other")}
    due = [
        [np.mean(abs(rows["y"] - rows[model]) <= k) for k in range(3)]
        for model, rows in counted.items()
    ]
    npt.assert_allclose(result, due)
    better = df.ordinal.dominance("y", ["yhat", "other"], ignore=ignore).better
    assert better.loc["yhat", "other"] == (due[0] != due[1] and np.all(due[0] >= np.array(due[1])))
    kept = DF[DF["y"] < 255]
    for weight in (None, "w"):
        given_: dict[str, Any] = {"sample_weight": weight}
        limits = [[0.5, 2], [1, 3]]
        surface = df.ordinal.roc_surface("y", "score", thresholds=limits, ignore=ignore, **given_)
        one = kept.ordinal.roc_surface("y", "score", thresholds=limits, **given_)
        npt.assert_allclose(surface, one)
        best = df.ordinal.best_thresholds("y", "score", metric="mae", ignore=ignore, **given_)
        one = kept.ordinal.best_thresholds("y", "score", metric="mae", **given_)
        npt.assert_array_equal(best, one)
        assert best.index.categories.tolist() == list(classes)


@pytest.mark.parametrize("kind", LABELS)
def test_two_arrays(kind: str) -> None:
    df, ignore = relabelled(kind)
    for weight in (None, df["w"], df["w"] < 2):
        options = {} if weight is None else {"sample_weight": weight.to_numpy()}
        due = np.zeros((3, 3))
        for row in KEPT:
            due[Y[row], YHAT[row]] += 1 if weight is None else float(weight[row])
        result = po.confusion(df["y"].array, df["yhat"].array, ignore=ignore, **options)
        npt.assert_array_equal(result, due)


def test_two_arrays_with_something_missing() -> None:
    labels = [0, 1, 255, 1]
    assert po.confusion(labels, [0, 1, None, 1], ignore=255).tolist() == [[1, 0], [0, 2]]
    with pytest.raises(MissingValueError, match="pred holds 1 missing value: .* dropna=True"):
        po.confusion(labels, [0, 1, 1, None], ignore=255)
    with pytest.raises(ClassOrderError, match=r"\[255\] is in classes= and in ignore="):
        po.confusion(labels, labels, classes=[0, 1, 255], ignore=255)


def test_a_label_is_a_class_or_ignored() -> None:
    ds = xr.Dataset({c: ("i", DF[c]) for c in ("y", "yhat")})
    for call in (DF.ordinal.mae, ds.ordinal.mae, DF.groupby("g").ordinal.mae):
        with pytest.raises(ClassOrderError, match=r"\[255\] is in classes= and in ignore="):
            call("y", "yhat", classes=[0, 1, 2, 255], ignore=255)
        with pytest.raises(ValueError, match="nan, which is not a label.*dropna=True"):
            call("y", "yhat", ignore=[255, np.nan])
    with pytest.raises(ClassOrderError, match=r"\[1\] is in ignore= and the code of .* 'mid'"):
        ds.ordinal.mae("y", "yhat", classes=["lo", "mid", "hi"], ignore=[255, 1])


def test_the_lowest_class_cannot_be_ignored() -> None:
    with pytest.raises(ClassOrderError, match=r"\[0\] is in classes= and in ignore="):
        DF.ordinal.mae("y", "yhat", classes=[0, 1, 2], ignore=0)


def test_errors_about_codes_of_missing_labels_name_it() -> None:
    df = pd.DataFrame({"y": [0, -1, 1], "yhat": [0, 1, 1]})
    ds = xr.Dataset({c: ("i", df[c]) for c in df})
    for call in (df.ordinal.mae, ds.ordinal.mae):
        with pytest.raises(ClassOrderError, match="ignore=-1"):
            call("y", "yhat")
        assert float(call("y", "yhat", ignore=-1)) == 0
    with pytest.raises(ClassOrderError, match=r"0, 1, 2, 255.*ignore=\["):
        DF.ordinal.mae("y", "yhat")


def test_a_boolean_is_no_integer() -> None:
    df = pd.DataFrame({"y": [True, False, True], "yhat": [True, True, False]})
    assert df.ordinal.report("y", "yhat", ignore=1, metrics=["mae"])["n"] == 3
    ones = pd.DataFrame({"y": [1, 0, 1], "yhat": [1, 1, 0]})
    assert ones.ordinal.report("y", "yhat", ignore=True, metrics=["mae"])["n"] == 3


def test_everything_is_ignored() -> None:
    df = pd.DataFrame({"y": [9, 9], "yhat": [0, 1]})
    assert df.ordinal.report("y", "yhat", ignore=9, classes=[0, 1], metrics=["mae"])["n"] == 0
    ds = xr.Dataset({c: ("i", df[c]) for c in df})
    report = ds.ordinal.report("y", "yhat", ignore=9, classes=[0, 1], metrics=["mae"])
    assert int(report["n"]) == 0 and np.isnan(report["mae"])


@examples(40)
@given(
    st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 3), st.integers(0, 3)), min_size=1),
    st.sampled_from([-1, [3], [-1, 3]]),
)
def test_ignoring_equals_loops(rows: list[tuple[int, int, int]], ignore: Any) -> None:
    df = pd.DataFrame(rows, columns=["y", "yhat", "w"])
    ignored = ignore if isinstance(ignore, list) else [ignore]
    classes = [c for c in range(-1, 4) if c not in ignored]
    expected = np.zeros((len(classes), len(classes)))
    for y, yhat, w in rows:
        if y not in ignored and yhat not in ignored:
            expected[classes.index(y), classes.index(yhat)] += w
    given_: dict[str, Any] = {"sample_weight": "w", "classes": classes, "ignore": ignore}
    npt.assert_array_equal(df.ordinal.confusion("y", "yhat", **given_), expected)
    ds = xr.Dataset({c: ("i", df[c]) for c in df})
    for one in (ds, ds.chunk(i=2)):
        npt.assert_array_equal(one.ordinal.confusion("y", "yhat", **given_), expected)


@pytest.mark.parametrize(
    "ignore",
    [
        [255],
        {255},
        frozenset([255]),
        range(255, 256),
        np.array(255),
        np.array([255]),
        pd.Series([255]),
        pd.Index([255]),
        pd.array([255]),
        xr.DataArray(255),
        {255: 1}.keys(),
    ],
    ids=lambda ignore: type(ignore).__name__,
)
def test_whatever_holds_labels_is_unpacked(ignore: Any) -> None:
    due = DF.ordinal.report("y", "yhat", ignore=255)
    pd.testing.assert_series_equal(DF.ordinal.report("y", "yhat", ignore=ignore), due)
    arrays = DF.to_xarray()
    assert arrays.ordinal.report("y", "yhat", ignore=ignore)["n"] == due["n"]


@pytest.mark.filterwarnings("ignore:Converting non-nanosecond")  # by older xarray
@pytest.mark.parametrize("kind", ["M8", "m8"])
@pytest.mark.parametrize("hold", [lambda label: label, np.atleast_1d, xr.DataArray])
def test_times_of_numpy_are_labels(kind: str, hold: Any) -> None:
    times = np.arange(3).astype(f"{kind}[D]")
    df = pd.DataFrame({"y": times[[0, 1, 2, 1]], "yhat": times[[0, 0, 1, 1]]})
    for unit in ("D", "s", "ns"):
        ignore = hold(times[2].astype(f"{kind}[{unit}]"))
        for table in (df, df.to_xarray()):
            found = table.ordinal.confusion("y", "yhat", classes=times[:2], ignore=ignore)
            npt.assert_array_equal(found, [[1, 0], [1, 1]])


def test_labels_of_several_fields_are_tuples() -> None:
    labels = pd.Series([(0, 1), (0, 2), (9, 9), (0, 1)])
    df = pd.DataFrame({"y": labels, "yhat": labels[[0, 0, 2, 3]].to_numpy()})
    ignore = np.array([(9, 9)], [("a", int), ("b", int)])
    found = df.ordinal.confusion("y", "yhat", classes=[(0, 1), (0, 2)], ignore=ignore)
    npt.assert_array_equal(found, [[2, 0], [1, 0]])


def test_labels_that_are_ignored_in_vain_are_refused() -> None:
    with pytest.raises(TypeError, match=r"ignore=\[255, -1\] or ignore=\[\(255, -1\)\]"):
        DF.ordinal.mae("y", "yhat", ignore=(255, -1))
    with pytest.raises(ClassOrderError, match="text '255', but column 'y' holds numbers"):
        DF.ordinal.mae("y", "yhat", ignore="255")


def test_labels_in_memory_beside_chunked_ones() -> None:
    labels = xr.DataArray(np.array(["a", "b", "sea", "a"], object), dims="t", name="y")
    chunked, classes = labels.chunk(t=2), ["a", "b"]
    mask = xr.DataArray([True, True, False, True], dims="t").chunk()
    for true, pred, options in (
        (labels, chunked, {"ignore": "sea"}),
        (chunked, labels, {"ignore": "sea"}),
        (labels, labels, {"sample_weight": mask}),
    ):
        counted = true.ordinal.confusion(pred, classes=classes, **options)
        assert counted.values.tolist() == [[2, 0], [0, 1]]
