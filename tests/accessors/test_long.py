"""Predictions one below the other: what `compare` needs to pair them, and refuses."""

from __future__ import annotations

import pandas as pd
import pytest

import pandas_ordinal  # noqa: F401

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
    with pytest.raises(ValueError, match="with model= there is one column .*label as pred="):
        LONG.ordinal.compare("y", pred, model="model", id="row", metrics=["mae"])
    found = LONG.ordinal.compare("y", pred[0], model="model", id="row", metrics=["mae"])
    assert found["difference"].tolist() == [-0.5]
