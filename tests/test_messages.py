"""How messages write columns and labels."""

from __future__ import annotations

import pandas as pd
import pytest
from labelled import LEVELS, PROBA

from pandas_ordinal import ClassOrderError, UnknownClassError
from pandas_ordinal.errors import an


def test_a_series_without_a_name_is_no_column_none() -> None:
    with pytest.raises(UnknownClassError, match=r"^the Series holds \['x'\]"):
        pd.Series(["a", "x"]).ordinal.as_ordered(["a", "b"])
    ordered = pd.Series(pd.Categorical(["a"], ["a", "b"], ordered=True))
    with pytest.raises(ClassOrderError, match=r"the Series declares .*series\.astype\("):
        ordered.ordinal.as_ordered(["b", "a"])
    with pytest.raises(ClassOrderError, match=r"the Series .*declares no order.* series = series"):
        print(pd.Series(["a", "b"]).ordinal.classes)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("DataFrame", "a DataFrame"),
        ("Index", "an Index"),
        ("ndarray", "an ndarray"),
        ("xarray DatasetGroupBy", "an xarray DatasetGroupBy"),
        ("numpy scalar", "a numpy scalar"),
    ],
)
def test_articles(name: str, written: str) -> None:
    assert an(name) == written


def test_messages_about_columns_that_are_there() -> None:
    with pytest.raises(ClassOrderError) as caught:
        PROBA.ordinal.expected_class(LEVELS)
    assert "classes=" in str(caught.value) and "df['proba']" not in str(caught.value)
