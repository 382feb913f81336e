"""Faults that the fuzzer has found, each in the smallest frame that shows it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import pandas_ordinal as po

VISITS = pd.DataFrame(
    {
        "bin": pd.cut(pd.Series([2.5, 2.5, 0.5, 0.5, 1.5]), [0, 1, 2, 3]),
        "y": [0, 1, 0, 1, 1],
        "yhat": [0, 1, 1, 1, 0],
    }
)


@pytest.mark.parametrize("sort", [True, False])
def test_bins_that_occur_out_of_order_keep_their_results(sort: bool) -> None:
    grouped = VISITS.groupby("bin", sort=sort, observed=True)
    bins = VISITS["bin"].cat.categories.tolist()
    accuracy = grouped.ordinal.accuracy("y", "yhat")
    assert dict(accuracy) == dict(zip(bins, [0.5, 0.0, 1.0], strict=True))
    report = grouped.ordinal.report("y", "yhat", metrics=["accuracy"])
    assert report.index.tolist() == bins
    assert report["n"].tolist() == [2, 1, 2]
    assert report["accuracy"].tolist() == [0.5, 0.0, 1.0]
    cube = grouped.ordinal.confusion("y", "yhat")
    assert cube.sum(["true", "pred"]).values.tolist() == [2, 1, 2]
    assert cube.ordinal.accuracy().values.tolist() == [0.5, 0.0, 1.0]


def numbered_columns() -> pd.DataFrame:
    """Columns 0 and 1 are keys, as is 2; 3 is the truth, 4 a prediction."""
    return pd.DataFrame([[0, 7, 1, 0, 0], [1, 8, 1, 1, 0], [0, 8, 0, 2, 2], [1, 7, 0, 2, 1]])


@pytest.mark.parametrize("by", [[2, 0], [1, 0], [0, 1], [0, 2], [1, 2, 0]])
def test_keys_may_be_columns_named_by_numbers(by: list[int]) -> None:
    frame = numbered_columns()
    renamed = frame.rename(columns=str)
    expected = renamed.ordinal.mae("3", ["4"], by=[*map(str, by)])
    actual = frame.ordinal.mae(3, [4], by=by)
    assert actual.tolist() == expected.tolist()
    assert actual.index.tolist() == [(*key, 4) for *key, _ in expected.index]
    assert list(actual.index.names) == [*by, "model"]
    cube = frame.ordinal.confusion(3, [4], by=by)
    assert cube.dims == (*map(str, by), "model", "true", "pred")
    counted = renamed.ordinal.confusion("3", ["4"], by=[*map(str, by)])
    np.testing.assert_array_equal(cube, counted)


def test_keys_named_by_numbers_may_be_bins() -> None:
    frame = pd.DataFrame({1: VISITS["bin"], 0: list("aabbb"), 2: VISITS["y"], 3: VISITS["yhat"]})
    cube = frame.ordinal.confusion(2, 3, by=[1, 0])
    assert cube.dims == ("1", "0", "true", "pred")
    assert cube.sizes["1"] == 3
    assert cube.sum(["true", "pred"]).values.tolist() == [[0, 2], [0, 1], [2, 0]]
    assert po.ordinal(cube).mae().sel({"0": "a"}).values[2] == 0


def test_many_keys_may_be_index_levels_named_by_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pandas_ordinal.groups.SMALL_TABLE", 0)
    index = pd.MultiIndex.from_arrays([[1, 1, 9], ["b", "a", "a"], list("xyz")], names=[2, 0, "z"])
    frame = pd.DataFrame({"y": [0, 1, 2], "yhat": [0, 1, 0]}, index)
    assert frame.ordinal.mae("y", "yhat", by=[2, 0, "z"]).to_dict() == {
        (1, "a", "y"): 0,
        (1, "b", "x"): 0,
        (9, "a", "z"): 2,
    }


def test_a_dimension_is_called_as_the_key_was_given() -> None:
    columns = pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 2)])
    frame = pd.DataFrame([[0, 0, 5], [1, 0, 5]], columns=columns)
    assert frame.ordinal.confusion(("a", 1), ("a", 2), by=("b", 2)).dims[0] == "('b', 2)"


def test_models_may_be_named_by_texts_and_tuples() -> None:
    frame = pd.DataFrame([[0, 1, 0, 0, 0], [1, 1, 1, 0, 1]])
    names = ["y", "fold", ("a", 1), "model", ("a", 1, 2)]
    frame.columns = pd.Index(names, tupleize_cols=False)
    actual = frame.ordinal.accuracy("y", names[2:], by="fold")  # pandas 3 warned as it sorted them
    assert actual.tolist() == [1.0, 0.5, 1.0]
    assert actual.index.tolist() == [(1, name) for name in names[2:]]


@pytest.mark.parametrize("labels", [[1, 0, True], [True, 0, 1], [1.0, 0, np.True_]])
def test_a_boolean_among_numbers_is_no_class_wherever_it_stands(labels: list[object]) -> None:
    y = pd.Series(labels, dtype=object)
    for true, pred in ((y, pd.Series([0, 0, 0])), (pd.Series([0, 0, 0]), y)):
        for options in ({}, {"classes": [0, 1]}):
            with pytest.raises(po.ClassOrderError, match="mixes booleans with numbers"):
                true.ordinal.mae(pred, **options)


@pytest.mark.parametrize("dtype", ["Int64", "UInt8"])
def test_scores_may_be_integers_that_are_all_missing(dtype: str) -> None:
    frame = pd.DataFrame({"y": [0, 1], "score": pd.Series([None, None], dtype=dtype)})
    assert np.isnan(frame.ordinal.report("y", score="score", metrics=["vus"], dropna=True)["vus"])
    with pytest.raises(po.MissingValueError, match="score"):
        frame.ordinal.vus("y", "score")


def test_the_lowest_integer_is_not_rounded_beside_a_missing_score() -> None:
    scores = pd.Series([-(2**63), 0, None], dtype="Int64")
    with pytest.raises(ValueError, match="2\\*\\*53"):
        pd.Series([0, 1, 1]).ordinal.vus(scores, dropna=True)


def test_a_lone_index_level_may_be_named_by_a_number() -> None:
    frame = pd.DataFrame({"y": [0, 1], "yhat": [0, 0]}, pd.Index(["b", "a"], name=2))
    assert frame.ordinal.mae("y", "yhat", by=2).to_dict() == {"a": 1.0, "b": 0.0}


def test_an_index_level_may_hold_booleans_as_objects() -> None:
    index = pd.Index([True, False, True], dtype=object, name="site")
    frame = pd.DataFrame({"y": [0, 1, 1], "yhat": [0, 0, 1]}, index)
    actual = frame.ordinal.mae("y", "yhat", by="site")  # pandas 2 warned that it guessed a dtype
    assert actual.to_dict() == {False: 1.0, True: 0.0}
