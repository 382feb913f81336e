"""Errors of three kinds, and one warning for the groups that have rows and no value."""

from __future__ import annotations

import inspect
import math
import pickle
import warnings
from pathlib import Path
from typing import Any

import brute
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from labelled import BOTH, DTYPE, LEVELS, OF_ANY_CLASSES, OF_SCORES, TIED

import pandas_ordinal as po
from pandas_ordinal import UndefinedMetricWarning
from pandas_ordinal.metrics import registry

FRAME = brute.scored(480)
ROWS = pd.DataFrame(  # kappa: "one" and "two" undefined, "ok" is defined, "none" has no labels
    {
        "g": ["one", "one", "two", "ok", "ok", "ok", "none"],
        "h": [1, 1, 2, 1, 1, 2, 1],
        "y": ["low", "low", "high", "low", "mid", "high", None],
        "yhat": ["low", "low", "high", "low", "high", "high", "low"],
    }
).astype({"y": DTYPE, "yhat": DTYPE})
KNOWN = ROWS[ROWS["y"].notna()]


def caught(call: Any) -> list[warnings.WarningMessage]:
    with warnings.catch_warnings(record=True) as recorded:
        warnings.simplefilter("always")
        call()
    return recorded


def assert_one(
    recorded: list[warnings.WarningMessage], names: list[str], others: list[str]
) -> None:
    assert len(recorded) == 1
    assert recorded[0].category is UndefinedMetricWarning
    message = str(recorded[0].message)
    assert message.startswith("kappa ")
    assert all(repr(name) in message for name in names), message
    assert not any(repr(name) in message for name in others), message
    assert "np." not in message
    assert recorded[0].filename == __file__


PACKAGE = Path(po.__file__).parent
CLASSES = FRAME["y"].cat.categories.tolist()
MIXED = [CLASSES[position] for position in (2, 0, 3, 1)]


def own(name: str) -> Any:
    """The second argument that a frame takes."""
    return "score" if name in OF_SCORES else MIXED


def dataset() -> xr.Dataset:
    """The rows of the frame along one dimension, and along two."""
    columns = {c: FRAME[c].to_numpy() for c in ("score", "second", "w")}
    rows = xr.Dataset({c: ("sample", values) for c, values in columns.items()})
    rows["y"] = ("sample", FRAME["y"].cat.codes.to_numpy())
    rows["scores"] = (("model", "sample"), np.stack([columns["score"], columns["second"]]))
    rows["proba"] = (("sample", "class"), FRAME[MIXED].to_numpy())
    rows = rows.assign_coords({"class": MIXED, "model": ["score", "second"]})
    return rows.assign(scores_last=rows["scores"].transpose("sample", "model"))


def call(obj: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    return getattr(obj.ordinal, name)(*args, **kwargs)


# errors


BAD_CALLS = {
    "no column": lambda: FRAME.ordinal.mae("nope", "yhat"),
    "no columns": lambda: pd.DataFrame().ordinal.mae("y", "yhat"),
    "list as truth": lambda: FRAME.ordinal.mae(["y"], "yhat"),
    "dict": lambda: FRAME.ordinal.mae("y", {"yhat": 1}),
    "Series as pred": lambda: FRAME.ordinal.mae("y", FRAME["yhat"]),
    "None": lambda: FRAME.ordinal.mae(None, None),
    "number": lambda: FRAME.ordinal.mae("y", 3),
    "set": lambda: FRAME.ordinal.mae("y", {"yhat"}),
    "slice": lambda: FRAME.ordinal.mae(slice(None), "yhat"),
    "Series as weight": lambda: FRAME.ordinal.mae("y", "yhat", sample_weight=FRAME["w"]),
    "metrics": lambda: FRAME.ordinal.report("y", "yhat", metrics=[3]),
    "metrics None": lambda: FRAME.ordinal.report("y", "yhat", metrics=[None]),
    "metrics number": lambda: FRAME.ordinal.report("y", "yhat", metrics=3),
    "metrics functions": lambda: FRAME.ordinal.report("y", "yhat", metrics=[np.mean]),
    "classes": lambda: FRAME.ordinal.mae("y", "yhat", classes=5),
    "unhashable classes": lambda: FRAME.ordinal.mae("y", "yhat", classes=[["a"], ["b"]]),
    "Series": lambda: FRAME["y"].ordinal.mae("yhat"),
    "array": lambda: xr.DataArray([1]).ordinal.mae(),
    "array report": lambda: xr.DataArray([[1]]).ordinal.report(),
    "labels": lambda: xr.DataArray([1]).ordinal.confusion([1]),
    "Dataset": lambda: xr.Dataset().ordinal.mae("y", "yhat"),
    "unhashable labels": lambda: pd.DataFrame({"y": [[1]], "p": [[1]]}).ordinal.mae("y", "p"),
    "mixed labels": lambda: pd.DataFrame({"y": [1, "a"], "p": [1, "a"]}).ordinal.mae("y", "p"),
    "groupby": lambda: FRAME.groupby("g").ordinal.mae("y", "nope"),
    "groupby axis": lambda: FRAME.groupby("g").ordinal.mae(),
}


@pytest.mark.parametrize("name", BAD_CALLS)
def test_errors_are_of_three_kinds(name: str) -> None:
    with pytest.raises((ValueError, TypeError, KeyError)) as caught:
        BAD_CALLS[name]()
    assert str(caught.value).strip()


def test_errors_are_value_errors() -> None:
    errors = (po.ClassOrderError, po.UnknownClassError, po.MissingValueError, po.UnknownNameError)
    for error in errors:
        assert issubclass(error, ValueError)
    with pytest.raises(KeyError) as caught:
        FRAME.ordinal.mae("y", "Yhat")
    assert str(caught.value) == "the frame has no column 'Yhat'; did you mean 'yhat'?"
    again = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(again, po.UnknownNameError) and str(again) == str(caught.value)
    assert issubclass(po.UndefinedMetricWarning, UserWarning)


# one warning for the groups that have no value


def test_groups_are_named() -> None:
    cube = KNOWN.ordinal.confusion("y", "yhat", by="g")
    calls = [
        lambda: KNOWN.ordinal.kappa("y", "yhat", by="g"),
        lambda: KNOWN.groupby("g").ordinal.kappa("y", "yhat"),
        lambda: cube.ordinal.kappa(),
        lambda: po.ordinal(KNOWN).kappa("y", "yhat", by=["g"]),
        lambda: po.ordinal(cube).kappa(weights="linear"),
    ]
    for call in calls:
        assert_one(caught(call), ["one", "two"], ["ok", "none"])


def test_it_points_at_the_line_of_the_call() -> None:
    frame = inspect.currentframe()
    assert frame
    recorded = caught(lambda: KNOWN.ordinal.kappa("y", "yhat", by="g"))
    assert recorded[0].lineno == frame.f_lineno - 1


def test_groups_without_rows_are_not_named() -> None:
    recorded = caught(lambda: ROWS.ordinal.kappa("y", "yhat", by="g", dropna=True))
    assert_one(recorded, ["one", "two"], ["ok", "none"])
    cube = ROWS.ordinal.confusion("y", "yhat", by="g", dropna=True)
    assert cube.sizes["g"] == 4
    assert_one(caught(lambda: cube.ordinal.kappa()), ["one", "two"], ["ok", "none"])
    dense = KNOWN.ordinal.confusion("y", "yhat", by=["g", "h"])
    recorded = caught(lambda: dense.ordinal.kappa())
    assert_one(recorded, [("one", 1), ("two", 2), ("ok", 2)], [("one", 2), ("two", 1), ("ok", 1)])


def test_several_keys_and_prediction_columns() -> None:
    df = KNOWN.assign(mid=pd.Categorical(["mid"] * len(KNOWN), dtype=DTYPE))
    recorded = caught(lambda: df.ordinal.kendall_tau("y", ["yhat", "mid"]))
    assert len(recorded) == 1 and "'mid'" in str(recorded[0].message)
    assert "'yhat'" not in str(recorded[0].message)
    recorded = caught(lambda: df.ordinal.kappa("y", ["yhat"], by=["g", "h"]))
    named = [("one", 1, "yhat"), ("two", 2, "yhat"), ("ok", 2, "yhat")]
    assert_one(recorded, named, [("ok", 1, "yhat")])


def test_without_groups() -> None:
    one = KNOWN[:2]
    cube = one.ordinal.confusion("y", "yhat")
    codes = xr.Dataset({"y": ("i", [0, 0]), "yhat": ("i", [0, 0])})
    for call in (
        lambda: one.ordinal.kappa("y", "yhat"),
        lambda: one["y"].ordinal.kappa(one["yhat"]),
        lambda: cube.ordinal.kappa(),
        lambda: codes.ordinal.kappa("y", "yhat", classes=LEVELS),
    ):
        recorded = caught(call)
        assert_one(recorded, [], LEVELS)


def test_many_groups_are_summarised() -> None:
    df = pd.DataFrame({"y": 0, "yhat": 0, "g": range(500)})
    recorded = caught(lambda: df.ordinal.kappa("y", "yhat", by="g", classes=[0, 1]))
    assert len(recorded) == 1
    assert len(str(recorded[0].message)) < 500
    assert "492 more" in str(recorded[0].message)


def test_as_errors_they_stop_nothing_else() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UndefinedMetricWarning):
            KNOWN.ordinal.kappa("y", "yhat", by="g")
        assert KNOWN.ordinal.mae("y", "yhat") == pytest.approx(1 / 6)


@pytest.mark.parametrize("name", ["user.py", f"{PACKAGE}_user.py", f"{PACKAGE}_x/a.py"])
def test_it_points_at_the_file_of_the_caller(name: str) -> None:
    code = compile("df.ordinal.kappa('y', 'yhat')", name, "exec")
    recorded = caught(lambda: exec(code, {"df": KNOWN[:2]}))
    assert [warning.filename for warning in recorded] == [name]


def test_results_by_class_do_not_warn_for_one_class() -> None:
    assert caught(lambda: KNOWN.ordinal.class_mae("y", "yhat", by="g")) == []
    assert caught(lambda: KNOWN.ordinal.oci_path("y", "yhat", by="g")) == []
    assert caught(lambda: KNOWN.ordinal.confusion("y", "yhat", by="g").ordinal.class_mae()) == []


# a class without rows


def warned(call: Any) -> tuple[Any, list[str]]:
    with warnings.catch_warnings(record=True) as recorded:
        warnings.simplefilter("always")
        value = call()
    assert all(w.category is UndefinedMetricWarning and w.filename == __file__ for w in recorded)
    return value, [str(w.message) for w in recorded]


def test_a_declared_class_without_rows() -> None:
    df = TIED[TIED["y"] != "mid"]
    ds = xr.Dataset({"y": ("i", df["y"].cat.codes), "score": ("i", df["score"])})
    for call in (
        lambda: df.ordinal.vus("y", "score"),
        lambda: df["y"].ordinal.vus(df["score"]),
        lambda: ds.ordinal.vus("y", "score", classes=LEVELS),
        lambda: ds["y"].ordinal.vus(ds["score"], classes=LEVELS),
    ):
        value, messages = warned(call)
        assert np.isnan(value) and len(messages) == 1
        assert messages[0].startswith("vus ")
    for name in ("u_ovo", "u_pairs", "u_cons"):
        value, messages = warned(lambda name=name: getattr(df.ordinal, name)("y", "score"))
        assert value == 1 and messages == []
    matrix, messages = warned(lambda: df.ordinal.pairwise_auc("y", "score"))
    assert messages == [] and matrix.notnull().sum() == 1
    assert float(matrix.sel(true="low", pred="high")) == 1
    splits, messages = warned(lambda: df.ordinal.consecutive_auc("y", "score"))
    assert messages == [] and splits[:2].tolist() == [1, 1]
    chunked = ds.chunk(i=2).ordinal.vus("y", "score", classes=LEVELS)
    value, messages = warned(chunked.compute)
    assert np.isnan(value) and messages == []


def test_groups_are_named_in_one_warning() -> None:
    groups = TIED.assign(g=["one", "all", "one", "all", "all", "one"])
    groups = pd.concat([groups, groups[:1].assign(g="none", score=np.nan)])
    value, messages = warned(lambda: groups.ordinal.vus("y", "score", by="g", dropna=True))
    assert messages == [] and value.isna().tolist() == [False, True, False]
    df = groups[groups["y"] != "mid"].assign(h=1)
    for call in (
        lambda: df.ordinal.vus("y", "score", by="g", dropna=True),
        lambda: df.groupby("g").ordinal.vus("y", "score", dropna=True),
        lambda: df.ordinal.vus("y", ["score"], by="g", dropna=True),
        lambda: df.ordinal.vus("y", "score", by=["g", "h"], dropna=True),
    ):
        value, messages = warned(call)
        assert value.isna().all() and len(messages) == 1
        assert "'one'" in messages[0] and "'all'" in messages[0]
        assert "'none'" not in messages[0]


@pytest.mark.parametrize("name", ["pairwise_auc", "consecutive_auc"])
def test_results_by_class_warn_only_where_no_class_has_a_value(name: str) -> None:
    df = TIED.assign(g=["one", "one", "two", "two", "two", "two"])
    array = xr.DataArray(df["y"].cat.codes.to_numpy(), dims="i").isel(i=[0, 1])
    score = xr.DataArray([1, 2], dims="i")
    for call in (
        lambda: getattr(df.ordinal, name)("y", "score", by="g"),
        lambda: getattr(df.groupby("g").ordinal, name)("y", "score"),
        lambda: getattr(df.ordinal, name)("y", ["score"], by="g"),
    ):
        _, messages = warned(call)
        assert len(messages) == 1 and messages[0].startswith(f"{name} ")
        assert "'one'" in messages[0] and "'two'" not in messages[0]
    _, messages = warned(lambda: getattr(array.ordinal, name)(score, classes=LEVELS))
    assert len(messages) == 1


def test_the_number_of_classes_is_declared_and_not_that_of_a_group() -> None:
    df = TIED.assign(g=["a", "a", "a", "b", "b", "b"])  # no "high" in a, no "low" in b
    value, messages = warned(lambda: df.ordinal.vus("y", "score", by="g"))
    assert value.isna().all() and len(messages) == 1
    two = pd.CategoricalDtype(["low", "mid"], ordered=True)
    of_a = df[:3].astype({"y": object}).astype({"y": two}).ordinal.vus("y", "score")
    assert of_a == (1 + 1 / 2) / 2
    more = df.assign(y=df["y"].cat.add_categories("top"))
    value, messages = warned(lambda: more.ordinal.vus("y", "score"))
    assert np.isnan(value) and len(messages) == 1
    value, messages = warned(lambda: more.ordinal.pairwise_auc("y", "score"))
    assert value.shape == (4, 4) and messages == []
    integers = df.assign(y=df["y"].cat.codes)
    value, _ = warned(lambda: integers.ordinal.vus("y", "score", by="g"))
    assert value.isna().all()
    assert integers.ordinal.vus("y", "score") == pytest.approx(0.75)


def test_a_class_of_weight_zero_has_no_rows() -> None:
    df = TIED.assign(w=[1, 1, 0, 0, 1, 1])
    value, messages = warned(lambda: df.ordinal.vus("y", "score", sample_weight="w"))
    assert np.isnan(value) and len(messages) == 1
    value, messages = warned(lambda: df.ordinal.u_pairs("y", "score", sample_weight="w"))
    assert value == 1 and messages == []


# no other warning


@pytest.mark.parametrize(
    "metrics", [None, "all", ["kappa", "kendall_tau"], {"k": po.metrics.kappa}]
)
def test_reports_are_silent(metrics: Any) -> None:
    cube = ROWS.ordinal.confusion("y", "yhat", by="g", dropna=True)
    codes = xr.Dataset({"y": ("i", [0, 0]), "yhat": ("i", [0, 0])})

    def call() -> None:
        report = ROWS.ordinal.report("y", "yhat", by="g", dropna=True, metrics=metrics)
        assert report.isna().any(axis=None)
        ROWS.groupby("g").ordinal.report("y", "yhat", dropna=True, metrics=metrics)
        ROWS[:2].ordinal.report("y", "yhat", metrics=metrics)
        ROWS["y"][:2].ordinal.report(ROWS["yhat"][:2], metrics=metrics)
        ROWS[:0].ordinal.report("y", "yhat", metrics=metrics)
        cube.ordinal.report(metrics=metrics)
        cube.chunk(g=1).ordinal.report(metrics=metrics).compute()
        codes.ordinal.report("y", "yhat", classes=LEVELS, metrics=metrics)

    assert caught(call) == []


def test_chunked_cubes_are_silent() -> None:
    cube = KNOWN.ordinal.confusion("y", "yhat", by="g").chunk(g=1)
    assert caught(lambda: cube.ordinal.kappa().compute()) == []


@pytest.mark.parametrize("name", OF_ANY_CLASSES)
def test_no_warning_otherwise(name: str) -> None:
    df = brute.frame(900)
    values = {"costs": 1 - np.eye(4), "beta2": 0.02}
    options: dict[str, Any] = {option: values[option] for option in registry[name].required}
    if registry[name].needs == "edges":
        options = {"bins": [0, 1, 3, 4, 9]}
    cube = df.ordinal.confusion("y", "yhat", by=["g", "fold"])

    def call() -> None:
        for obj, args in [
            (df, ("y", "yhat")),
            (df, ("y", ["yhat", "other"])),
            (df[:0], ("y", "yhat")),
            (df["y"], (df["yhat"],)),
            (df.groupby("g"), ("y", "yhat")),
            (df.groupby(["g", "fold"], observed=False), ("y", "yhat")),
            (cube, ()),
            (cube.chunk(g=1), ()),
            (cube * 0, ()),
        ]:
            getattr(obj.ordinal, name)(*args, **options)

    assert caught(call) == []


def test_reports_of_scores_and_probabilities_are_silent() -> None:
    df = FRAME[FRAME["y"] != CLASSES[1]].copy()
    df.loc[df["g"] == "b", "y"] = CLASSES[0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for metrics in (None, "all", ["vus", "rps"], {"x": po.metrics.vus}):
            given: dict[str, Any] = {"score": "score", "proba": MIXED, "metrics": metrics}
            report = df.ordinal.report("y", "yhat", by="g", **given)
            assert report.isna().any(axis=None)
            df.groupby("g").ordinal.report("y", "yhat", **given)
            df.ordinal.report("y", "yhat", **given)
            empty = df[:0].ordinal.report("y", "yhat", **given)
            assert empty["n"] == 0 and empty.drop("n").isna().all()
            assert len(df[:0].ordinal.report("y", "yhat", by="g", **given)) == 0
            df["y"].ordinal.report(df["yhat"], score=df["score"], proba=df[MIXED], metrics=metrics)


@pytest.mark.parametrize("name", BOTH)
def test_no_warning_of_scores_and_probabilities(name: str) -> None:
    df = brute.scored(900)
    second = own(name)
    ds = dataset()
    variable = "scores" if name in OF_SCORES else "proba"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for obj in (df, df[:0], df.groupby("g"), df.groupby(["g", "fold"], observed=False)):
            call(obj, name, "y", second)
        call(df, name, "y", second, by=["g", "fold"])
        call(ds, name, "y", variable, classes=CLASSES)
        call(ds.chunk(sample=50), name, "y", variable, classes=CLASSES).compute()


def test_infinite_losses_are_no_reason_to_warn() -> None:
    df = pd.DataFrame({"y": [0, 1], 0: [0.0, 0.5], 1: [1.0, 0.5]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert df.ordinal.log_loss("y", [0, 1]) == math.inf
        assert df.ordinal.log_loss("y", [0, 1], by="y").tolist() == [
            math.inf,
            pytest.approx(math.log(2)),
        ]


@pytest.mark.parametrize(
    ("labels", "others", "found"),
    [
        (["low "], ["low", "high"], ("low ", "low", ".str.strip()")),
        (["low"], ["high", "low "], ("low", "low ", "")),
        (["high", "low "], ["mid", "low"], ("low ", "low", ".str.strip()")),
        (["low"], ["mid", "high"], None),
        (["low"], ["low", "low "], None),
        ([1, "low"], [1, 2], None),
        ([], ["low"], None),
    ],
)
def test_texts_that_look_like_others(labels: list[Any], others: list[Any], found: Any) -> None:
    assert po.errors.lookalike(labels, others) == found


@pytest.mark.parametrize(
    ("n_groups", "told"),
    [
        (7, "0, 1, 2, 3, 4, 5, 6: NaN"),
        (8, "0, 1, 2, 3, 4, 5, 6, 7: NaN"),
        (9, "0, 1, 2, 3, 4, 5, 6, 7 and 1 more: NaN"),
    ],
)
def test_eight_groups_are_named(n_groups: int, told: str) -> None:
    df = pd.DataFrame({"y": 0, "yhat": 0, "g": range(n_groups)})
    (warning,) = caught(lambda: df.ordinal.kappa("y", "yhat", by="g", classes=[0, 1]))
    assert str(warning.message) == f"kappa is undefined for {told}"


def test_eight_labels_are_listed() -> None:
    assert po.errors.show(range(8)) == "[0, 1, 2, 3, 4, 5, 6, 7]"
    assert po.errors.show(pd.Index(range(9))) == "[0, 1, 2, 3, 4, 5, 6, 7, ...]"


def test_a_long_text_loses_its_middle() -> None:
    assert po.errors.cut_short("a" * 300) == "a" * 300
    long = "b" * 250 + "c" * 4 + "d" * 47
    assert po.errors.cut_short(long) == "b" * 250 + "..." + "d" * 47


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (3.0, "3"),
        (np.float32(-2), "-2"),
        (0.5, "0.5"),
        (2.0**53 - 1, "9007199254740991"),
        (2.0**53, "9007199254740992.0"),
        (-(2.0**53), "-9007199254740992.0"),
        (2**53 + 1, "9007199254740993"),
        (1e300, "1e+300"),
        (math.inf, "inf"),
    ],
)
def test_numbers_are_written_so_that_they_mean_the_same(number: float, code: str) -> None:
    assert po.errors.exactly(number) == code


def test_a_number_among_texts_looks_like_its_text() -> None:
    assert po.errors.lookalike(["low", 1], ["1", "2"]) == (1, "1", ".astype(str)")
    assert po.errors.lookalike(["low", 2.0], ["1", "2"]) == (
        2.0, "2", ".astype('Int64').astype('string')",
    )  # fmt: skip
    assert po.errors.lookalike(["1", "2"], [1, 2]) == ("1", 1, ".astype(float)")
    assert po.errors.lookalike([True, "x"], ["1"]) is None
