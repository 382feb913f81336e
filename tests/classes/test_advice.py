"""Errors about codes and fill values: each line that they print is executed, and is right."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from sklearn.preprocessing import LabelEncoder

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, UnknownClassError
from pandas_ordinal.classes.undeclared import numbers_for_missing

LEVELS = ["lo", "mid", "hi"]  # not alphabetical
LEVEL = pd.CategoricalDtype(LEVELS, ordered=True)
Y = ["lo", "mid", "hi", "hi", "mid"]
YHAT = ["lo", "mid", "hi", "mid", "lo"]
MAE = 2 / 5
ENCODER = LabelEncoder().fit(Y)
CODES = {"alphabetical": ENCODER.transform(YHAT), "positions": [LEVELS.index(one) for one in YHAT]}


def line(error: Exception, of: str) -> str:
    """The line that an error gives for codes of a kind."""
    found = re.search(rf"If they are {of}[^:]*: (.*?)(\. If|$)", str(error))
    assert found
    return found[1].replace("[<lowest>, ..., <highest>]", str(LEVELS))


@pytest.mark.parametrize("codes", CODES)
@pytest.mark.parametrize("of_codes", ["int64", "float64", "Float64"])
@pytest.mark.parametrize("kind", [LEVEL, str, object, "category"])
@pytest.mark.parametrize("classes", [None, LEVELS])
def test_codes_next_to_labels(
    codes: str, of_codes: Any, kind: Any, classes: list[str] | None
) -> None:
    """Positions among the classes, of alphabetical codes, give a perfect model an MAE of 1.333.

    Encoders return floats too.
    """
    yhat = pd.Series(CODES[codes], dtype=of_codes)
    df = pd.DataFrame({"y": pd.Series(Y).astype(kind), "yhat": yhat})
    with pytest.raises((UnknownClassError, ClassOrderError), match="alphabetical codes") as caught:
        df.ordinal.mae("y", "yhat", classes=classes)
    exec(line(caught.value, codes), {"df": df, "pd": pd, "encoder": ENCODER})
    assert df.ordinal.mae("y", "yhat", classes=LEVELS) == pytest.approx(MAE)


def test_codes_of_which_some_are_missing() -> None:
    df = pd.DataFrame({"y": Y, "yhat": [0, 1, 2, np.nan, 0]})
    with pytest.raises(UnknownClassError) as caught:
        df.ordinal.mae("y", "yhat", classes=LEVELS, dropna=True)
    exec(line(caught.value, "positions"), {"df": df, "pd": pd})
    assert df.ordinal.mae("y", "yhat", classes=LEVELS, dropna=True) == 1 / 4


@pytest.mark.parametrize("codes", CODES)
@pytest.mark.parametrize("of_codes", ["int64", "float64"])
def test_codes_in_an_array(codes: str, of_codes: str) -> None:
    yhat = np.array(CODES[codes], of_codes)
    names: dict[str, Any] = {"pd": pd, "encoder": ENCODER, "pred": yhat}
    with pytest.raises(UnknownClassError, match="alphabetical codes") as caught:
        po.confusion(Y, names["pred"], classes=LEVELS)
    exec(line(caught.value, codes), names)
    counts = po.confusion(Y, names["pred"], classes=LEVELS)
    assert float(po.metrics.mae(counts)) == pytest.approx(MAE)


def test_codes_of_numbers_and_bins() -> None:
    bins = pd.IntervalIndex.from_breaks([0, 1.5, 9])
    for labels in ([10, 20], bins):
        y = pd.Categorical.from_codes([0, 1, 1], labels, ordered=True)
        df = pd.DataFrame({"y": y, "yhat": [0, 1, 0]})
        with pytest.raises(UnknownClassError, match="positions among the classes") as caught:
            df.ordinal.mae("y", "yhat")
        assert "alphabetical" not in str(caught.value)
        exec(line(caught.value, "positions"), {"df": df, "pd": pd})
        assert df.ordinal.mae("y", "yhat") == pytest.approx(1 / 3)


@pytest.mark.parametrize("fills", [[255], [-1], [-9999], [-1, 255, 99], [np.nan, -9999]], ids=str)
@pytest.mark.parametrize("classes", [range(3), [1, 2, 3], LEVELS], ids=str)
@pytest.mark.parametrize("kind", ["numbers", "Float64", "object"])
def test_fill_values_with_classes(fills: list[float], classes: Any, kind: str) -> None:
    labels = [classes[0], classes[2], classes[1], classes[1]]
    predicted = [classes[1], classes[2], classes[1], classes[0]]  # an MAE of 2 / 4
    y = pd.Series([*labels, *fills], dtype=None if kind == "numbers" else object)
    if kind == "Float64" and classes != LEVELS:
        y = y.astype("Float64")
    df = pd.DataFrame({"y": y, "yhat": pd.Series([*predicted, *predicted[: len(fills)]])})
    with pytest.raises(UnknownClassError, match="for a missing label") as caught:
        df.ordinal.mae("y", "yhat", classes=classes)
    found = re.search(r"with ignore=(\[.*?\]|[-0-9.]*[0-9])", str(caught.value))
    assert found
    verb, them = ("stand", "them") if found[1].startswith("[") else ("stands", "it")
    assert f"If {found[1]} {verb} for a missing label, leave {them} out" in str(caught.value)
    assert f"or make {them} missing first" in str(caught.value)
    ignore = eval(found[1])
    options: dict[str, Any] = {"classes": classes, "dropna": np.nan in fills}
    assert df.ordinal.report("y", "yhat", ignore=ignore, **options)["n"] == 4
    assert df.ordinal.mae("y", "yhat", ignore=ignore, **options) == 0.5
    missing = df.assign(y=df["y"].mask(df["y"].isin(np.atleast_1d(ignore))))
    assert missing.ordinal.mae("y", "yhat", classes=classes, dropna=True) == 0.5


@pytest.mark.parametrize(
    "pred", [[1, 2, 4], [0, 2, 3], [1, 2, 6], [1, 2.5, 3], [1, 2, 1e9 + 0.5], [100, 200, 300, 400]]
)
def test_predictions_beyond_the_scale_are_not_missing_labels(pred: list[float]) -> None:
    df = pd.DataFrame({"y": [1, 2, 3, 3][: len(pred)], "yhat": pred})
    with pytest.raises(UnknownClassError) as caught:
        df.ordinal.mae("y", "yhat", classes=[1, 2, 3])
    assert "ignore=" not in str(caught.value)


def test_fill_values_of_arrays() -> None:
    yhat = xr.DataArray(np.array([0, 1, 2, 1], np.uint8), dims="case", name="yhat")
    y = yhat.copy(data=np.array([0, 2, 2, 255], np.uint8)).rename("y")
    for classes in (range(3), LEVELS):
        with pytest.raises(UnknownClassError, match="ignore=255"):
            y.ordinal.mae(yhat, classes=classes)
        assert float(y.ordinal.mae(yhat, classes=classes, ignore=255)) == pytest.approx(1 / 3)
    with pytest.raises(UnknownClassError) as caught:
        (y / 2).ordinal.mae(yhat, classes=LEVELS)
    assert "holds 127.5" in str(caught.value) and "ignore=" not in str(caught.value)


FILLS = [-9999, 1e20, 9.969209968386869e36, 2**31 - 1, 2**32 - 1, -(2**63)]  # of netCDF and others


@pytest.mark.parametrize("fill", FILLS)
@pytest.mark.parametrize("classes", [None, range(3), LEVELS], ids=str)
@pytest.mark.parametrize("described", [False, True], ids=["plain", "flags"])
def test_ignore_is_the_fill_value_itself(fill: float, classes: Any, described: bool) -> None:
    """A number that is shortened in the error is another number, which is not left out."""
    values = np.array([0, 1, 2, fill], np.float32 if isinstance(fill, float) else np.int64)
    y = xr.DataArray(values, dims="case", name="y")
    if described:
        y.attrs = {"flag_values": [0, 1, 2], "flag_meanings": "lo mid hi"}
        classes = LEVELS if classes is None else classes
    yhat = y.copy(data=np.array([0, 2, 2, 1])).rename("yhat")
    with pytest.raises((ClassOrderError, UnknownClassError)) as caught:
        y.ordinal.mae(yhat, classes=classes)
    found = re.search(r"ignore=([-+.e0-9]*[0-9])", str(caught.value))
    assert found
    mae = y.ordinal.mae(yhat, classes=classes, ignore=eval(found[1]))
    assert float(mae) == pytest.approx(1 / 3)


def test_fractions_are_shown_in_full() -> None:
    df = pd.DataFrame({"y": [1, 2.0000001, 3], "yhat": [1, 2, 3]})
    with pytest.raises(ClassOrderError, match=r"holds 2\.0000001, which"):
        df.ordinal.mae("y", "yhat")


def test_names_of_classes_that_are_no_codes() -> None:
    y = xr.DataArray([1.0, 2.0, 3.0], dims="case", name="y")
    with pytest.raises(UnknownClassError, match="'y' holds 3, which is not a code") as caught:
        y.ordinal.mae(y, classes=["1", "2", "3"])
    found = re.search(r"give (y\..*)$", str(caught.value))
    assert found
    names = eval(found[1], {"y": y})
    assert names.ordinal.confusion(names, classes=["1", "2", "3"]).values.tolist() == [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
    ]


@pytest.mark.parametrize("classes", [["lo", "mid", "hi"], [0, 1, 2], [5, 6, 7]], ids=str)
def test_numbers_that_may_stand_for_missing_labels(classes: list[Any]) -> None:
    """They are -1, or more than three below the lowest class or above the highest, or its code."""
    lowest = classes[0] if isinstance(classes[0], int) else 0
    near = [*range(lowest - 3, lowest + 6)]
    for number in near:
        expected = [number] if number == -1 else []
        assert numbers_for_missing(pd.Index([number]), pd.Index(classes)) == expected
    for number in (lowest - 4, lowest + 6, -9999, 255, 1e20):
        assert numbers_for_missing(pd.Index([number]), pd.Index(classes)) == [number]
    for other in (99.5, -0.5, True, "99", None, np.inf):
        unknown = pd.Index([other], dtype=object)
        found = numbers_for_missing(unknown, pd.Index(classes))
        assert found == ([other] if other == np.inf else [])
    several = pd.Index([-1, 97, 98, 99])
    assert numbers_for_missing(several[:3], pd.Index(classes)) == [-1, 97, 98]
    assert numbers_for_missing(several, pd.Index(classes)) == []


@pytest.mark.parametrize(
    ("numbers", "advice"),
    [
        ([1.5, 2.0], "If they are predicted numbers: make classes of them"),
        ([1.0, 2.0], "positions among the classes"),
        ([1, 2], "positions among the classes"),
    ],
)
def test_numbers_beside_text_without_an_order(numbers: list[float], advice: str) -> None:
    with pytest.raises(ClassOrderError, match=advice) as caught:
        pd.DataFrame({"y": ["a", "b"], "p": numbers}).ordinal.mae("y", "p")
    assert ("predicted numbers" in str(caught.value)) == (1.5 in numbers)
    with pytest.raises(ClassOrderError, match=r"Make numbers of text: df\['y'\].*astype\(int\)"):
        pd.DataFrame({"y": ["1", "2"], "p": numbers}).ordinal.mae("y", "p")


def test_text_of_which_some_is_no_number_is_not_made_numbers() -> None:
    with pytest.raises(ClassOrderError, match="positions among the classes") as caught:
        pd.DataFrame({"y": ["1", "b"], "p": [1, 2]}).ordinal.mae("y", "p")
    assert "Make numbers of text" not in str(caught.value)
