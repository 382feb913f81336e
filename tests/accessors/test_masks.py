"""Booleans as `sample_weight` of rows: the result is that of the selected rows."""

from __future__ import annotations

from typing import Any

import brute
import numpy as np
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal import MissingValueError

DF = brute.scored(60, 3).assign(keep=lambda df: df["g"].ne("c") & df["w"].gt(1))
DF["t"] = pd.cut(DF["score"], [-9, 0, 2, 9, 99])
CLASSES = DF["y"].cat.categories.tolist()
SELECTED = DF[DF["keep"]]
KINDS = ["bool", "boolean", "object"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("by", [None, "g", ["g", "fold"], "t"], ids=str)
def test_frames(kind: str, by: Any) -> None:
    df = DF.astype({"keep": kind})
    given: dict[str, Any] = {"by": by, "score": "score", "proba": CLASSES}
    expected = SELECTED.ordinal.report("y", "yhat", **given)
    found = df.ordinal.report("y", "yhat", sample_weight="keep", **given)
    assert "r_int" in found
    (pd.testing.assert_series_equal if by is None else pd.testing.assert_frame_equal)(
        found, expected
    )
    cube = df.ordinal.confusion("y", ["yhat", "other"], by=by, sample_weight="keep")
    xr.testing.assert_identical(cube, SELECTED.ordinal.confusion("y", ["yhat", "other"], by=by))
    assert cube.dtype == np.int64


@pytest.mark.parametrize("sort", [True, False])
@pytest.mark.parametrize("key", ["label", "series", "array", "level"])
def test_groupby(sort: bool, key: str) -> None:
    df, selected = DF.set_index("fold", append=True), SELECTED.set_index("fold", append=True)
    keys: dict[str, Any] = {"label": "g", "series": df["g"], "array": df["g"].to_numpy()}
    by: dict[str, Any] = {"level": "fold"} if key == "level" else {"by": keys[key]}
    of_selected = {"level": "fold"} if key == "level" else {"by": "g"}
    found = df.groupby(**by, sort=sort).ordinal.report("y", "yhat", sample_weight="keep")
    expected = selected.groupby(**of_selected, sort=sort).ordinal.report("y", "yhat")
    pd.testing.assert_frame_equal(found, expected, check_names=key != "array")


def test_series() -> None:
    mask = DF["keep"]
    assert DF["y"].ordinal.mae(DF["yhat"], sample_weight=mask) == SELECTED["y"].ordinal.mae(
        SELECTED["yhat"]
    )
    proba = DF[CLASSES]
    expected = SELECTED["y"].ordinal.rps(SELECTED[CLASSES])
    assert DF["y"].ordinal.rps(proba, sample_weight=mask) == expected
    assert DF["y"].ordinal.rps(proba.to_numpy(), sample_weight=mask) == expected
    assert DF.ordinal.rps("y", proba.to_numpy(), sample_weight="keep") == expected
    other = mask.set_axis(mask.index + 1)
    with pytest.raises(ValueError, match="index of sample_weight"):
        DF["y"].ordinal.mae(DF["yhat"], sample_weight=other)
    with pytest.raises(ValueError, match="shape"):
        DF["y"].ordinal.rps(proba.to_numpy()[:-1], sample_weight=mask)


def test_what_is_left_out_may_be_anything() -> None:
    df = pd.DataFrame(
        {"y": [0, 1, 255, 2], "p": [0, 2, np.nan, 1], "m": [True, True, False, True]}
    )
    df["g"] = ["a", "b", None, "b"]
    assert df.ordinal.report("y", "p", sample_weight="m")["n"] == 3
    cube = df.ordinal.confusion("y", "p", by="g", sample_weight="m")
    assert cube.shape == (2, 3, 3) and int(cube.sum()) == 3
    pd.testing.assert_series_equal(
        df.ordinal.best_thresholds("y", "p", metric="mae", sample_weight="m"),
        df[df["m"]].ordinal.best_thresholds("y", "p", metric="mae"),
    )


@pytest.mark.parametrize("kind", ["boolean", "object"])
def test_a_missing_one_is_an_error(kind: str) -> None:
    mask = pd.Series([True, None, False], dtype=kind)
    df = pd.DataFrame({"y": [0, 1, 1], "m": mask})
    with pytest.raises(MissingValueError, match=r"sample_weight 'm'.*fillna\(False\)"):
        df.ordinal.mae("y", "y", sample_weight="m")


def test_floats_leave_r_int_out_of_the_default_report() -> None:
    df = DF.assign(half=DF["w"] / 2, whole=DF["w"] * 1.0)
    for name in ("half", "whole"):
        assert "r_int" not in df.ordinal.report("y", "yhat", sample_weight=name)
        assert "r_int" in df.ordinal.report("y", "yhat", sample_weight=name, metrics="all")
        assert "r_int" not in df.groupby("g").ordinal.report("y", "yhat", sample_weight=name)
        assert "r_int" not in df["y"].ordinal.report(df["yhat"], sample_weight=df[name])
    assert "r_int" in df.ordinal.report("y", "yhat", sample_weight="w")


def test_booleans_are_no_counts() -> None:
    df = pd.DataFrame({"true": [0, 1], "pred": [0, 1], "count": np.array([True, False], object)})
    with pytest.raises(ValueError, match="booleans, which are not counts"):
        po.from_counts(df, true="true", pred="pred", count="count")
