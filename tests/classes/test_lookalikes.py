"""Labels that print alike and are not the same: the error shows where they differ."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, UnknownClassError

# what the column has, what the class is, and the method that makes one of the other
PAIRS = {
    "decomposed": ("cafe\u0301", "caf\xe9", ".str.normalize('NFC')"),
    "composed": ("caf\xe9", "cafe\u0301", ".str.normalize('NFD')"),
    "space after": ("mid ", "mid", ".str.strip()"),
    "tab before": ("\tmid", "mid", ".str.strip()"),
    "no-break space after": ("mid\xa0", "mid", ".str.strip()"),
    "no-break space": ("very\xa0low", "very low", ".str.normalize('NFKC')"),
    "full width": ("\uff2c\uff2f\uff37", "LOW", ".str.normalize('NFKC')"),
}


def column(label: str) -> pd.DataFrame:
    return pd.DataFrame({"y": ["top", label], "yhat": ["top", "top"]})


def remedy(message: str) -> str:
    """The line of code at the end of a message."""
    return message.rpartition(": ")[2]


@pytest.mark.parametrize("pair", PAIRS)
def test_the_error_shows_the_difference_and_the_line_that_mends_it(pair: str) -> None:
    label, known, method = PAIRS[pair]
    df, classes = column(label), [known, "top"]
    with pytest.raises(UnknownClassError) as caught:
        df.ordinal.mae("y", "yhat", classes=classes)
    assert f"{label!a} is not {known!a}: df['y'] = df['y']{method}" in str(caught.value)
    exec(remedy(str(caught.value)), {"df": df})
    assert df.ordinal.mae("y", "yhat", classes=classes) == 0.5


@pytest.mark.parametrize("pair", PAIRS)
def test_lookalikes_on_other_surfaces(pair: str) -> None:
    label, known, method = PAIRS[pair]
    shown = re.escape(f"{label!a} is not {known!a}: ") + ".*" + re.escape(method)
    df, dtype = column(label), pd.CategoricalDtype([known, "top"], ordered=True)
    array = df.rename_axis("case").to_xarray()
    counts = pd.DataFrame({"true": [label], "pred": ["top"], "count": [1]})
    calls: list[Callable[[], Any]] = [
        lambda: df["y"].ordinal.mae(df["yhat"].astype(dtype)),
        lambda: df["y"].ordinal.as_ordered([known, "top"]),
        lambda: df.astype("category").ordinal.mae("y", "yhat", classes=dtype),
        lambda: array["y"].ordinal.mae(array["yhat"], classes=dtype),
        lambda: po.confusion(df["y"], df["yhat"], classes=dtype),
        lambda: po.from_counts(counts, true="true", pred="pred", count="count", classes=dtype),
        lambda: po.Counter(classes=dtype).update(df, "y", "yhat"),
    ]
    for call in calls:
        with pytest.raises(UnknownClassError, match=shown):
            call()


def test_a_line_mends_a_series() -> None:
    true = pd.Series(["mid ", "top"])
    with pytest.raises(UnknownClassError) as caught:
        true.ordinal.mae(true, classes=["mid", "top"])
    found: dict[str, Any] = {"true": true}
    exec(remedy(str(caught.value)), found)
    assert found["true"].tolist() == ["mid", "top"]


def test_classes_that_have_to_be_mended() -> None:
    with pytest.raises(UnknownClassError, match="'mid' is not 'mid ': correct the class$"):
        column("mid").ordinal.mae("y", "yhat", classes=["mid ", "top"])


def test_orders_of_lookalikes() -> None:
    one = pd.CategoricalDtype(["caf\xe9", "top"], ordered=True)
    other = pd.CategoricalDtype(["cafe\u0301", "top"], ordered=True)
    df = pd.DataFrame(
        {"y": pd.Series(["top"], dtype=one), "yhat": pd.Series(["top"], dtype=other)}
    )
    with pytest.raises(ClassOrderError, match=r"'cafe\\u0301' is not 'caf\\xe9'"):
        df.ordinal.mae("y", "yhat", classes=one)


def test_lookalikes_among_columns_and_options() -> None:
    df = pd.DataFrame({"y": ["caf\xe9", "top"], "cafe\u0301": [0.5, 0.5], "top": [0.5, 0.5]})
    classes, shown = ["caf\xe9", "top"], r"'cafe\\u0301' is not 'caf\\xe9'"
    with pytest.raises(UnknownClassError, match=shown):
        df.ordinal.rps("y", ["cafe\u0301", "top"], classes=classes)
    proba = xr.DataArray([[0.5, 0.5]], {"class": ["cafe\u0301", "top"]}, ("case", "class"))
    with pytest.raises(UnknownClassError, match=shown):
        xr.DataArray(["top"], dims="case").ordinal.rps(proba, classes=classes)
    with pytest.raises(UnknownClassError, match=shown):
        df.ordinal.stc("y", "y", classes=classes, class_sizes={"cafe\u0301": 1, "top": 2})


@pytest.mark.parametrize("label", [2.0000001, np.float32(2.1), -0.1, 1e-300])
def test_numbers_that_are_nearly_classes_are_written_out(label: float) -> None:
    df = pd.DataFrame({"y": [1, label], "yhat": [1, 2]})
    array = df.rename_axis("case").to_xarray()
    for call in (
        lambda: df.ordinal.mae("y", "yhat", classes=[1, 2]),
        lambda: df["y"].ordinal.mae(df["yhat"], classes=[1, 2]),
        lambda: array["y"].ordinal.mae(array["yhat"], classes=[1, 2]),
        lambda: po.confusion(df["y"], df["yhat"], classes=[1, 2]),
    ):
        with pytest.raises(UnknownClassError, match=re.escape(f"[{float(label)!r}]")):
            call()


@pytest.mark.parametrize(
    ("labels", "classes", "shown"),
    [
        (["1", "2", "1"], [1, 2], "'1' is not 1"),
        (["1.0", "2", "1"], [1, 2], "'1.0' is not 1"),
        (["1", None, "2"], [1, 2], "'1' is not 1"),
        (["0.5", "2", "0.5"], [0.5, 2], "'0.5' is not 0.5"),
        ([1, 2, 1], ["1", "2"], "1 is not '1'"),
        ([1.0, 2, np.nan], ["1", "2"], "1.0 is not '1'"),
        ([0, 1, 1], ["1", "0"], "0 is not '0'"),  # which could be positions too
    ],
)
def test_numbers_and_their_text(labels: list[Any], classes: list[Any], shown: str) -> None:
    df = pd.DataFrame({"y": labels, "yhat": [classes[0]] * 3})
    present = [label for label in labels if label == label and label is not None]
    expected = sum(float(label) != float(classes[0]) for label in present) / len(present)
    with pytest.raises(UnknownClassError) as caught:
        df.ordinal.mae("y", "yhat", classes=classes, dropna=True)
    assert shown in str(caught.value)
    exec(remedy(str(caught.value)), {"df": df})
    assert df.ordinal.mae("y", "yhat", classes=classes, dropna=True) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        (["1", "x"], [1, 2]),
        ([True, False], ["1", "0"]),
        pytest.param(
            [10**400, 3],
            ["1", "2"],
            marks=pytest.mark.skipif(pd.__version__ < "3", reason="pandas 2 cannot join them"),
        ),
        (["3"], [1]),
    ],
)
def test_labels_that_are_not_text_of_numbers(labels: list[Any], classes: list[Any]) -> None:
    df = pd.DataFrame({"y": pd.Series(labels, dtype=object)})
    with pytest.raises(UnknownClassError) as caught:
        df.ordinal.mae("y", "y", classes=classes)
    assert "is not a class" in str(caught.value) or "are not classes" in str(caught.value)
    assert "astype" not in str(caught.value)
