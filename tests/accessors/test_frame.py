"""`.ordinal` on a DataFrame: predictions in one column or in several."""

from __future__ import annotations

import brute
import numpy as np
import pandas as pd
import pytest

FRAME = brute.frame()


# several predictions


def test_a_list_of_predictions_names_its_level() -> None:
    wide = FRAME.rename_axis(columns="method")
    assert FRAME.ordinal.mae("y", ["yhat"]).index.name == "model"
    assert wide.ordinal.mae("y", ["yhat"]).index.name == "method"
    assert wide.ordinal.confusion("y", ["yhat"], by="g").dims == ("g", "method", "true", "pred")
    assert FRAME.ordinal.mae("y", pd.Index(["other", "yhat"])).index.tolist() == ["other", "yhat"]
    assert FRAME.ordinal.mae("y", np.array(["yhat", "other"])).index.tolist() == ["yhat", "other"]
    for pred in ([], ["yhat", "yhat"]):
        with pytest.raises(ValueError, match="pred="):
            FRAME.ordinal.mae("y", pred)


def test_a_list_of_predictions_is_its_columns() -> None:
    both = FRAME.ordinal.report("y", ["other", "yhat"], by="g")
    for pred in ("other", "yhat"):
        one = FRAME.ordinal.report("y", pred, by="g")
        pd.testing.assert_frame_equal(both.xs(pred, level="model"), one)


def test_truth_scored_against_itself() -> None:
    assert FRAME.ordinal.mae("y", "y") == 0
    assert FRAME.ordinal.accuracy("y", ["y", "yhat"])["y"] == 1


# no rows


def test_frames_of_no_rows() -> None:
    empty = FRAME[:0]
    assert np.isnan(empty.ordinal.mae("y", "yhat"))
    report = empty.ordinal.report("y", "yhat")
    assert report["n"] == 0 and report.drop("n").isna().all()
    assert empty.ordinal.confusion("y", "yhat").values.tolist() == [[0] * 4] * 4
    assert empty["y"].ordinal.report(empty["yhat"])["n"] == 0
    assert np.isnan(empty.ordinal.class_mae("y", "yhat")).all()
    assert not empty.ordinal.oci_path("y", "yhat").any()
    wide = empty.ordinal.report("y", ["yhat", "other"])
    assert wide["n"].tolist() == [0, 0]
    assert len(empty.ordinal.mae("y", "yhat", by="g")) == 0
    assert len(empty.groupby("g").ordinal.class_mae("y", "yhat")) == 0
    assert empty.ordinal.cost_matrix("y", "yhat", by="g").shape == (0, 4, 4)
