"""One warning for the groups that hold rows and have no value; no other one, anywhere."""

from __future__ import annotations

import inspect
import warnings
from pathlib import Path
from typing import Any

import brute
import numpy as np
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal import UndefinedMetricWarning
from pandas_ordinal.metrics import registry

PACKAGE = Path(po.__file__).parent
OF_LABELS = [name for name, metric in registry.items() if metric.needs in ("counts", "edges")]
CLASSES = ["low", "mid", "high"]
DTYPE = pd.CategoricalDtype(CLASSES, ordered=True)
FRAME = pd.DataFrame(  # kappa: "one" and "two" undefined, "ok" is defined, "none" has no labels
    {
        "g": ["one", "one", "two", "ok", "ok", "ok", "none"],
        "h": [1, 1, 2, 1, 1, 2, 1],
        "y": ["low", "low", "high", "low", "mid", "high", None],
        "yhat": ["low", "low", "high", "low", "high", "high", "low"],
    }
).astype({"y": DTYPE, "yhat": DTYPE})
KNOWN = FRAME[FRAME["y"].notna()]


def caught(call: Any) -> list[warnings.WarningMessage]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        call()
    return found


def assert_one(found: list[warnings.WarningMessage], names: list[str], others: list[str]) -> None:
    assert len(found) == 1
    assert found[0].category is UndefinedMetricWarning
    message = str(found[0].message)
    assert message.startswith("kappa ")
    assert all(repr(name) in message for name in names), message
    assert not any(repr(name) in message for name in others), message
    assert "np." not in message
    assert found[0].filename == __file__


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
    found = caught(lambda: KNOWN.ordinal.kappa("y", "yhat", by="g"))
    assert found[0].lineno == frame.f_lineno - 1


def test_groups_without_rows_are_not_named() -> None:
    found = caught(lambda: FRAME.ordinal.kappa("y", "yhat", by="g", dropna=True))
    assert_one(found, ["one", "two"], ["ok", "none"])
    cube = FRAME.ordinal.confusion("y", "yhat", by="g", dropna=True)
    assert cube.sizes["g"] == 4
    assert_one(caught(lambda: cube.ordinal.kappa()), ["one", "two"], ["ok", "none"])
    dense = KNOWN.ordinal.confusion("y", "yhat", by=["g", "h"])
    found = caught(lambda: dense.ordinal.kappa())
    assert_one(found, [("one", 1), ("two", 2), ("ok", 2)], [("one", 2), ("two", 1), ("ok", 1)])


def test_several_keys_and_prediction_columns() -> None:
    df = KNOWN.assign(mid=pd.Categorical(["mid"] * len(KNOWN), dtype=DTYPE))
    found = caught(lambda: df.ordinal.kendall_tau("y", ["yhat", "mid"]))
    assert len(found) == 1 and "'mid'" in str(found[0].message)
    assert "'yhat'" not in str(found[0].message)
    found = caught(lambda: df.ordinal.kappa("y", ["yhat"], by=["g", "h"]))
    named = [("one", 1, "yhat"), ("two", 2, "yhat"), ("ok", 2, "yhat")]
    assert_one(found, named, [("ok", 1, "yhat")])


def test_without_groups() -> None:
    one = KNOWN[:2]
    cube = one.ordinal.confusion("y", "yhat")
    codes = xr.Dataset({"y": ("i", [0, 0]), "yhat": ("i", [0, 0])})
    for call in (
        lambda: one.ordinal.kappa("y", "yhat"),
        lambda: one["y"].ordinal.kappa(one["yhat"]),
        lambda: cube.ordinal.kappa(),
        lambda: codes.ordinal.kappa("y", "yhat", classes=CLASSES),
    ):
        found = caught(call)
        assert_one(found, [], CLASSES)


def test_many_groups_are_summarised() -> None:
    df = pd.DataFrame({"y": 0, "yhat": 0, "g": range(500)})
    found = caught(lambda: df.ordinal.kappa("y", "yhat", by="g", classes=[0, 1]))
    assert len(found) == 1
    assert len(str(found[0].message)) < 500
    assert "492 more" in str(found[0].message)


def test_results_by_class_warn_only_where_no_class_has_a_value() -> None:
    assert caught(lambda: KNOWN.ordinal.class_mae("y", "yhat", by="g")) == []
    assert caught(lambda: KNOWN.ordinal.oci_path("y", "yhat", by="g")) == []
    assert caught(lambda: KNOWN.ordinal.confusion("y", "yhat", by="g").ordinal.class_mae()) == []


@pytest.mark.parametrize(
    "metrics", [None, "all", ["kappa", "kendall_tau"], {"k": po.metrics.kappa}]
)
def test_reports_are_silent(metrics: Any) -> None:
    cube = FRAME.ordinal.confusion("y", "yhat", by="g", dropna=True)
    codes = xr.Dataset({"y": ("i", [0, 0]), "yhat": ("i", [0, 0])})

    def call() -> None:
        report = FRAME.ordinal.report("y", "yhat", by="g", dropna=True, metrics=metrics)
        assert report.isna().any(axis=None)
        FRAME.groupby("g").ordinal.report("y", "yhat", dropna=True, metrics=metrics)
        FRAME[:2].ordinal.report("y", "yhat", metrics=metrics)
        FRAME["y"][:2].ordinal.report(FRAME["yhat"][:2], metrics=metrics)
        FRAME[:0].ordinal.report("y", "yhat", metrics=metrics)
        cube.ordinal.report(metrics=metrics)
        cube.chunk(g=1).ordinal.report(metrics=metrics).compute()
        codes.ordinal.report("y", "yhat", classes=CLASSES, metrics=metrics)

    assert caught(call) == []


def test_chunked_cubes_are_silent() -> None:
    cube = KNOWN.ordinal.confusion("y", "yhat", by="g").chunk(g=1)
    assert caught(lambda: cube.ordinal.kappa().compute()) == []


@pytest.mark.parametrize("name", OF_LABELS)
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


def test_as_errors_they_stop_nothing_else() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UndefinedMetricWarning):
            KNOWN.ordinal.kappa("y", "yhat", by="g")
        assert KNOWN.ordinal.mae("y", "yhat") == pytest.approx(1 / 6)


@pytest.mark.parametrize("name", ["user.py", f"{PACKAGE}_user.py", f"{PACKAGE}_x/a.py"])
def test_it_points_at_the_file_of_the_caller(name: str) -> None:
    code = compile("df.ordinal.kappa('y', 'yhat')", name, "exec")
    found = caught(lambda: exec(code, {"df": KNOWN[:2]}))
    assert [warning.filename for warning in found] == [name]
