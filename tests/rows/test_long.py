"""Predictions one below the other: what `compare` needs to pair them, and refuses."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import pandas_ordinal as po

LONG = pd.DataFrame(
    {
        "model": ["a", "a", "b", "b"],
        "row": [0, 1, 0, 1],
        "y": [0, 1, 0, 1],
        "yhat": [0, 1, 1, 1],
        "other": [1, 1, 0, 1],
    }
)


@pytest.mark.parametrize("pred", [["yhat", "other"], ["yhat"]], ids=str)
def test_models_are_not_side_by_side_too(pred: list[str]) -> None:
    with pytest.raises(ValueError, match="model= needs a single column .*label as pred="):
        LONG.ordinal.compare("y", pred, model="model", id="row", metrics=["mae"])
    found = LONG.ordinal.compare("y", pred[0], model="model", id="row", metrics=["mae"])
    assert found["difference"].tolist() == [-0.5]


GOOD, BAD = [0, 1, 2, 0, 1], [0, 0, 2, 1, 1]
FIVE = pd.DataFrame(
    {
        "model": ["a"] * 5 + ["b"] * 5,
        "row": [*range(5)] * 2,
        "y": [0, 1, 2, 0, 1] * 2,
        "yhat": [*GOOD, *BAD],
        "score": [0.1, 0.5, 0.9, 0.2, 0.6, 0.2, 0.1, 0.8, 0.3, 0.5],
    }
)
ASKED: dict[str, Any] = {"model": "model", "id": "row", "metrics": ["mae"]}


@pytest.mark.parametrize("column", ["y", "yhat"])
def test_missing_labels_are_left_out_only_with_dropna(column: str) -> None:
    lacking = FIVE.assign(**{column: FIVE[column].astype("Int64").where(FIVE.index != 6)})
    with pytest.raises(po.MissingValueError, match=f"'{column}' holds 1 missing value"):
        lacking.ordinal.compare("y", "yhat", **ASKED)
    (row,) = lacking.ordinal.compare("y", "yhat", dropna=True, **ASKED).itertuples()
    # row 1, where b is wrong, is left out; row 3 is the other one
    assert (row.n, row.value_a, row.value_b) == (4, 0, 0.25)
    assert (row.share_a, row.share_b) == (1, 0.8)


def test_a_label_that_one_model_lacks_is_left_out_of_scores_too() -> None:
    lacking = FIVE.assign(y=FIVE.y.astype("Int64").where(FIVE.index != 6))
    asked = {**ASKED, "metrics": ["u_pairs"]}
    with pytest.raises(po.MissingValueError, match="'y' holds 1 missing value"):
        lacking.ordinal.compare("y", score="score", **asked)
    found = lacking.ordinal.compare("y", score="score", dropna=True, **asked)
    other = FIVE[FIVE.row != 1].ordinal.compare("y", score="score", **asked)
    assert found["n"].tolist() == [4]
    assert found["p_value"].tolist() == other["p_value"].tolist()


def test_a_case_that_a_model_has_not_got_needs_no_dropna() -> None:
    found = FIVE.drop(index=6).ordinal.compare("y", "yhat", **ASKED)
    assert found["n"].tolist() == [4]


@pytest.mark.parametrize("index", ["y", "yhat", None])
@pytest.mark.parametrize("case", ["row", ["row", "score"]])
def test_a_case_that_comes_twice_is_named_whatever_the_index_is(index: Any, case: Any) -> None:
    twice = pd.concat([FIVE, FIVE[6:7]], ignore_index=True).rename_axis(index)
    labels = r"\[1, 0.1\]" if isinstance(case, list) else r"\[1\]"
    with pytest.raises(ValueError, match=f"1 row has the same .* such as {labels} of 'b'"):
        twice.ordinal.compare("y", "yhat", **{**ASKED, "id": case})
