"""What pandas surfaces share: models listed side by side, and which rows count."""

from __future__ import annotations

import re
from typing import Any

import brute
import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr
from labelled import DEFAULT, TIED

from pandas_ordinal import MissingValueError, UnknownClassError
from pandas_ordinal.counting import arrays

RANKING = ["vus", "u_pairs"]
FORECAST = ["rps", "log_loss", "brier"]
FRAME = brute.scored(300)
CLASSES = FRAME["y"].cat.categories.tolist()
MIXED = [CLASSES[position] for position in (1, 3, 0, 2)]
WIDE = FRAME.join(
    FRAME[CLASSES[::-1]].set_axis([f"other {c}" for c in CLASSES], axis=1)  # another forecast
)
SECOND = {c: f"other {c}" for c in CLASSES}


# lists of models


@pytest.mark.parametrize("surface", [TIED, TIED.groupby("g")], ids=["frame", "groupby"])
def test_lists_of_scores_that_are_none(surface: Any) -> None:
    for score in ([], ["score", "score"]):
        with pytest.raises(ValueError, match="score="):
            surface.ordinal.vus("y", score)
    for score in (TIED["score"], {"score"}, lambda row: row, [["score"]]):
        with pytest.raises(TypeError, match="score="):
            surface.ordinal.vus("y", score)


def test_a_list_of_predictions_with_lists_beside_it() -> None:
    for by in (None, "g", ["g", "fold"]):
        report = WIDE.ordinal.report(
            "y", ["yhat", "other"], score=["score", "second"], proba=[MIXED, SECOND], by=by
        )
        names = ["n", *DEFAULT, *RANKING, *FORECAST]
        assert report.columns.tolist() == names
        assert report.index.names == [*([by] if isinstance(by, str) else by or []), "model"]
        for pred, score, proba in (("yhat", "score", MIXED), ("other", "second", SECOND)):
            one = WIDE.ordinal.report("y", pred, score=score, proba=proba, by=by)
            found = report.loc[pred] if by is None else report.xs(pred, level="model")
            npt.assert_allclose(found, one, rtol=1e-12)
        if by is not None:
            grouped = WIDE.groupby(by).ordinal.report(
                "y", ["yhat", "other"], score=["score", "second"], proba=[MIXED, SECOND]
            )
            pd.testing.assert_frame_equal(grouped, report)


def test_models_whose_names_are_tuples() -> None:
    proba = {("own", 1): MIXED, ("other", 1): SECOND}
    report = WIDE.ordinal.report("y", proba=proba)
    assert report.index.names == ["model"] and report.index.tolist() == list(proba)
    for (_, row), columns in zip(report.iterrows(), proba.values(), strict=True):
        npt.assert_allclose(row, WIDE.ordinal.report("y", proba=columns), rtol=1e-12)


def test_models_may_share_a_score() -> None:
    report = FRAME.ordinal.report("y", ["yhat", "other"], score=["score", "score"])
    assert report["vus"].tolist() == [FRAME.ordinal.vus("y", "score")] * 2
    one = FRAME.ordinal.report("y", ["yhat"], score=["score"], proba=[MIXED])
    assert one.index.tolist() == ["yhat"] and one.index.name == "model"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"score": "score"}, "score='score'.*2 prediction columns.*'yhat', 'other'"),
        ({"score": ["score"]}, "score=.*2 prediction columns"),
        ({"score": ["score", "second", "score"]}, "score=.*2 prediction columns"),
        ({"proba": SECOND}, "proba=.*2 prediction columns"),
        ({"proba": [MIXED]}, "proba=.*2 prediction columns"),
        ({"proba": [MIXED, SECOND, MIXED]}, "proba=.*2 prediction columns"),
        ({"proba": MIXED}, "proba=.*2 prediction columns"),
    ],
    ids=str,
)
def test_lists_of_another_length(given: dict[str, Any], message: str) -> None:
    for surface in (WIDE, WIDE.groupby("g")):
        with pytest.raises(ValueError, match=message):
            surface.ordinal.report("y", ["yhat", "other"], **given)


def test_lists_beside_a_single_prediction() -> None:
    for surface in (WIDE, WIDE.groupby("g")):
        with pytest.raises(TypeError, match="score="):
            surface.ordinal.report("y", "yhat", score=["score"])
        with pytest.raises((TypeError, ValueError), match="proba="):
            surface.ordinal.report("y", "yhat", proba=[MIXED])
        with pytest.raises(UnknownClassError, match=r"columns for \['score'\].*each class"):
            surface.ordinal.report("y", "yhat", proba="score")


def test_lists_of_models_need_a_list_of_predictions() -> None:
    df = FRAME.assign(s=1.0, t=2.0)
    with pytest.raises(TypeError, match="score= lists 2 models, but pred= names one"):
        df.ordinal.report("y", "yhat", score=["s", "t"])
    with pytest.raises(TypeError, match="proba= lists 2 models"):
        df.ordinal.report("y", "yhat", proba=[["s", "t"], ["t", "s"]])


# rows that lack something: refused, or left out, model by model


MISSING = {
    "NaN": "float64",
    "NA": "Int64",
    "NA float": "Float64",
    "arrow": "int64[pyarrow]",
    "arrow double": "double[pyarrow]",
    "sparse": "Sparse[float]",
    "boolean": "boolean",
    "ordered": pd.CategoricalDtype([1, 2, 3, 4], ordered=True),
}


@pytest.mark.parametrize("kind", MISSING)
def test_missing_scores(kind: str) -> None:
    df = pd.concat([TIED, TIED], ignore_index=True)
    values: list[Any] = [None, 2, 2, 3, None, 4, 1, 2, 2, 3, 3, 4]
    if kind == "boolean":
        values = [None if value is None else value > 2 for value in values]
    df["risk"] = pd.Series(values, dtype="float64" if kind == "sparse" else MISSING[kind])
    df = df.astype({"risk": MISSING[kind]})
    for call in (
        lambda: df.ordinal.vus("y", "risk"),
        lambda: df.ordinal.vus("y", ["score", "risk"], by="g"),
        lambda: df.groupby("g").ordinal.vus("y", "risk"),
        lambda: df["y"].ordinal.vus(df["risk"]),
    ):
        with pytest.raises(MissingValueError, match="'risk' holds 2 missing values: .*dropna"):
            call()
    kept = df[df["risk"].notna()]
    expected = kept.ordinal.vus("y", "risk")
    found = df.ordinal.vus("y", "risk", dropna=True)
    npt.assert_array_equal(found, expected)
    found = df["y"].ordinal.vus(df["risk"], dropna=True)
    npt.assert_array_equal(found, expected)


def test_missing_scores_are_left_out_column_by_column() -> None:
    df = brute.scored()
    df.loc[:9, "score"] = np.nan
    df.loc[5:40, "second"] = np.nan
    df.loc[[0, 3, 100], "y"] = np.nan
    df.loc[[7, 150], "g"] = None
    wide = df.ordinal.vus("y", ["score", "second"], by="g", dropna=True)
    for name in ("score", "second"):
        kept = df.dropna(subset=["y", "g", name])
        one = kept.ordinal.vus("y", name, by="g")
        npt.assert_array_equal(wide.xs(name, level="model"), one)


@pytest.mark.parametrize("name", ["vus", "rps"])
def test_missing_truths_and_keys(name: str) -> None:
    df = brute.scored()
    second = "score" if name == "vus" else df["y"].cat.categories.tolist()
    df.loc[[0, 3, 100], "y"] = np.nan
    with pytest.raises(MissingValueError, match="'y' holds 3 missing values"):
        getattr(df.ordinal, name)("y", second)
    kept = df.dropna(subset="y")
    found = getattr(df.ordinal, name)("y", second, dropna=True)
    assert found == getattr(kept.ordinal, name)("y", second)
    df.loc[5, "g"] = None
    with pytest.raises(MissingValueError, match="the key 'g' is missing in 1 row:"):
        getattr(df.ordinal, name)("y", second, by="g")
    by = getattr(df.ordinal, name)("y", second, by="g", dropna=True)
    of_kept = getattr(kept.drop(index=5).ordinal, name)("y", second, by="g")
    npt.assert_array_equal(by, of_kept)
    grouped = getattr(df.groupby("g").ordinal, name)("y", second, dropna=True)
    npt.assert_array_equal(grouped, of_kept)


def test_a_missing_score_in_a_row_without_a_key_is_left_out_with_it() -> None:
    df = TIED.assign(score=[1.0, 2, 2, 3, 3, np.nan], g=["a"] * 5 + [None])
    assert df.groupby("g").ordinal.vus("y", "score").tolist() == [
        TIED[:5].ordinal.vus("y", "score")
    ]


def test_missing_probabilities() -> None:
    df = brute.scored()
    classes = df["y"].cat.categories.tolist()
    df.loc[[4, 8], classes[2]] = np.nan
    df.loc[3, "y"] = np.nan
    with pytest.raises(MissingValueError, match="'y' holds 1 missing value:"):
        df.ordinal.rps("y", classes)
    known = df[df["y"].notna()]
    message = f"'{classes[2]}' holds 2 missing values: .*dropna"
    for call in (
        lambda: known.ordinal.rps("y", classes),
        lambda: known.ordinal.rps("y", classes, by="g"),
        lambda: known.groupby("g").ordinal.rps("y", classes),
        lambda: known["y"].ordinal.rps(known[classes]),
    ):
        with pytest.raises(MissingValueError, match=message):
            call()
    kept = df.drop(index=[3, 4, 8])
    expected = kept.ordinal.rps("y", classes)
    assert df.ordinal.rps("y", classes, dropna=True) == expected
    nullable = df.astype(dict.fromkeys(classes, "Float64"))
    assert nullable.ordinal.rps("y", classes, dropna=True) == expected
    assert df["y"].ordinal.rps(df[classes], dropna=True) == expected
    true = xr.DataArray(df["y"].cat.codes.to_numpy(), dims="i")
    array = xr.DataArray(df[classes].to_numpy(), dims=("i", "c"), coords={"c": classes})
    found = true.ordinal.rps(array, classes=classes, dropna=True)
    assert float(found) == pytest.approx(expected, rel=1e-12)
    with pytest.raises(MissingValueError, match="'proba' holds"):
        abs(true).ordinal.rps(array, classes=classes)


def test_probabilities_of_rows_left_out_are_not_looked_at() -> None:
    df = pd.DataFrame({"y": [0, 1, None], "yhat": [0, None, 1]})
    df[[0, 1]] = [[0.5, 0.5], [7, 7], [0.3, 0.2]]
    report = df.ordinal.report("y", "yhat", proba=[0, 1], dropna=True, metrics=["rps"])
    assert report.tolist() == [1, 0.25]
    known = df.assign(y=[0, None, None])
    assert known.ordinal.rps("y", [0, 1], classes=[0, 1], dropna=True) == 0.25
    with pytest.raises(ValueError, match="row 1, is"):
        df.ordinal.rps("y", [0, 1], dropna=True)


def test_the_row_is_named_although_others_are_left_out() -> None:
    df = pd.DataFrame({"y": [0, 1, 1, None], "g": ["a", None, "a", "a"]})
    df[[0, 1]] = [[0.5, 0.5], [9, 9], [0.5, 0.6], [np.nan, 1]]
    df.index = pd.Index(list("wxyz"))
    with pytest.raises(ValueError, match="1 row lacks valid probabilities.*row 'y'"):
        df.ordinal.rps("y", [0, 1], by="g", classes=[0, 1], dropna=True)


def test_a_row_without_one_input_is_left_out_of_all_metrics() -> None:
    df = FRAME.copy()
    df.loc[0:4, "score"] = np.nan
    df.loc[3:9, MIXED[0]] = np.nan
    df.loc[8:20, "yhat"] = np.nan
    df.loc[[20, 30], "y"] = np.nan
    df.loc[[0, 40], "g"] = None
    kept = df.dropna(subset=["y", "yhat", "score", *MIXED])
    given: dict[str, Any] = {"score": "score", "proba": MIXED}
    report = df.ordinal.report("y", "yhat", dropna=True, **given)
    assert report["n"] == len(kept) == 300 - 22
    npt.assert_allclose(report, kept.ordinal.report("y", "yhat", **given), rtol=1e-12)
    of_series = df["y"].ordinal.report(df["yhat"], score=df["score"], proba=df[MIXED], dropna=True)
    pd.testing.assert_series_equal(of_series, report)
    by = df.ordinal.report("y", "yhat", by="g", dropna=True, sample_weight="w", **given)
    expected = kept.dropna(subset="g").ordinal.report(
        "y", "yhat", by="g", sample_weight="w", **given
    )
    pd.testing.assert_frame_equal(by, expected)
    grouped = df.groupby("g").ordinal.report("y", "yhat", dropna=True, sample_weight="w", **given)
    pd.testing.assert_frame_equal(grouped, expected)
    without = df.ordinal.report("y", "yhat", dropna=True)
    assert without["n"] == len(df.dropna(subset=["y", "yhat"]))
    unshown = df.ordinal.report("y", "yhat", dropna=True, metrics=["mae"], **given)
    assert unshown["n"] == len(kept) and unshown["mae"] == report["mae"]


@pytest.mark.parametrize(
    ("column", "shown"), [("score", "score"), ("yhat", "yhat"), ("y", "y"), (MIXED[1], MIXED[1])]
)
def test_missing_values_are_refused(column: str, shown: str) -> None:
    df = FRAME.copy()
    df.loc[[7, 9], column] = np.nan
    given: dict[str, Any] = {"score": "score", "proba": MIXED}
    for call in (
        lambda: df.ordinal.report("y", "yhat", **given),
        lambda: df.ordinal.report("y", "yhat", by="g", metrics=["mae"], **given),
        lambda: df.groupby("g").ordinal.report("y", "yhat", **given),
        lambda: df["y"].ordinal.report(df["yhat"], score=df["score"], proba=df[MIXED]),
    ):
        with pytest.raises(MissingValueError, match=f"'{shown}' holds 2 missing values"):
            call()


def test_rows_are_left_out_model_by_model() -> None:
    df = WIDE.copy()
    df.loc[:9, "score"] = np.nan
    df.loc[5:30, "other"] = np.nan
    df.loc[[50, 60], SECOND[CLASSES[0]]] = np.nan
    df.loc[70, "y"] = np.nan
    report = df.ordinal.report(
        "y", ["yhat", "other"], score=["score", "second"], proba=[MIXED, SECOND], dropna=True
    )
    for pred, score, proba in (("yhat", "score", MIXED), ("other", "second", SECOND)):
        columns = proba if isinstance(proba, list) else list(proba.values())
        kept = df.dropna(subset=["y", pred, score, *columns])
        assert report.loc[pred, "n"] == len(kept)
        expected = kept.ordinal.report("y", pred, score=score, proba=proba)
        npt.assert_allclose(report.loc[pred], expected, rtol=1e-12)


def test_a_group_whose_rows_are_all_left_out() -> None:
    df = FRAME.copy()
    df.loc[df["g"] == "b", ["score", "yhat"]] = np.nan
    report = df.ordinal.report("y", "yhat", score="score", by="g", dropna=True)
    assert report.index.tolist() == ["a", "b", "c"]
    assert report.loc["b", "n"] == 0 and report.loc["b"].drop("n").isna().all()
    kept = df[df["g"] != "b"].ordinal.report("y", "yhat", score="score", by="g")
    pd.testing.assert_frame_equal(report.loc[["a", "c"]], kept)


def test_missing_values_without_predicted_classes(cases: xr.Dataset) -> None:
    df = FRAME.copy()
    df.loc[df.index[:4], "score"] = np.nan
    with pytest.raises(MissingValueError):
        df.ordinal.report("y", score="score")
    report = df.ordinal.report("y", score="score", proba=MIXED, dropna=True)
    expected = df[4:].ordinal.report("y", score="score", proba=MIXED)
    pd.testing.assert_series_equal(report, expected)
    cases["score"][1, 7] = np.nan
    report = cases.ordinal.report("y", score="score", proba="proba", dim="case", dropna=True)
    assert report["n"].values.tolist() == [40, 39]


def test_wide_dropna_counts_each_column() -> None:
    df = FRAME.copy()
    df.loc[:4, "yhat"] = np.nan
    df.loc[2:30, "other"] = np.nan
    df.loc[[0, 50], "y"] = np.nan
    report = df.ordinal.report("y", ["yhat", "other"], dropna=True)
    for pred in ("yhat", "other"):
        kept = df.dropna(subset=["y", pred])
        assert report.loc[pred, "n"] == len(kept)
        expected = kept.ordinal.report("y", pred)
        npt.assert_allclose(report.loc[pred], expected, rtol=1e-12)
    by = df.ordinal.report("y", ["yhat", "other"], dropna=True, by="g")
    assert by["n"].groupby("model").sum().to_dict() == report["n"].to_dict()


# rows in blocks

GAPS = WIDE.assign(weight=np.arange(len(WIDE)) % 4)
GAPS.loc[3::7, [CLASSES[1], "score"]] = np.nan
GAPS.loc[2::5, "y"] = np.nan
GAPS.loc[1::9, f"other {CLASSES[2]}"] = np.nan


@pytest.mark.parametrize("block", [1, 64, 299])
@pytest.mark.parametrize("by", [None, "g"])
def test_reports_of_scores_do_not_depend_on_the_blocks(
    by: str | None, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    df = GAPS.assign(g=np.arange(len(GAPS)) // 60)
    asked: dict[str, Any] = {
        "score": ["score", "score "],
        "proba": [MIXED, SECOND],
        "by": by,
        "sample_weight": "weight",
        "dropna": True,
    }
    df["score "] = -df["score"]
    whole = df.ordinal.report("y", **asked)
    monkeypatch.setattr(arrays, "ROWS_PER_BLOCK", block)
    parts = df.ordinal.report("y", **asked)
    pd.testing.assert_frame_equal(parts, whole, rtol=1e-12)


@pytest.mark.parametrize("block", [1, 2, 100])
def test_missing_inputs_are_counted_in_all_blocks(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays, "ROWS_PER_BLOCK", block)
    df = pd.DataFrame(
        {"y": [0, 1, 9, 1, 0], 0: [0.5, np.nan, np.nan, np.nan, 1], 1: [0.5, 1, 1, 1, 0]}
    )
    with pytest.raises(MissingValueError, match="0 holds 2 missing values"):
        df.ordinal.rps("y", [0, 1], classes=[0, 1], ignore=9)
    assert df.ordinal.rps("y", [0, 1], classes=[0, 1], ignore=9, dropna=True) == 0.125


@pytest.mark.parametrize("block", [1, 2, 100])
def test_wrong_probabilities_are_named_by_their_index(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays, "ROWS_PER_BLOCK", block)
    df = pd.DataFrame({"y": [0, 1, 1, 0], 0: [0.5, 2, 0, 3], 1: [0.5, 1, 1, 1]}, list("abcd"))
    with pytest.raises(ValueError, match="2 rows lack valid probabilities: the first, row 'b'"):
        df.ordinal.rps("y", [0, 1])


@pytest.mark.parametrize("dtype", ["uint8", "uint64"])
def test_rows_of_unsigned_labels_are_left_out(dtype: str) -> None:
    df = pd.DataFrame({"y": np.array([0, 1, 1], dtype), "score": [1.0, np.nan, 2.0]})
    assert df.ordinal.vus("y", "score", dropna=True) == 1


def test_arrays_of_numbers_as_probabilities() -> None:
    frame = pd.DataFrame({"y": [0, 1, 0, 1], 0.0: [0.5, 0.2, 0.7, 0.1], 1.0: [0.5, 0.8, 0.3, 0.9]})
    due = frame.ordinal.brier("y", proba=[0.0, 1.0])
    assert frame.ordinal.brier("y", proba=np.array([0.0, 1.0])) == due
    with pytest.raises(TypeError, match="an array of numbers that are not labels of columns"):
        frame.ordinal.brier("y", proba=np.array([0.1, 0.9]))


def test_the_order_of_the_truth_goes_before_that_of_the_columns() -> None:
    """Unless the columns have its classes, and in its order."""
    named = pd.CategoricalIndex(["low", "mid", "high"], ["low", "mid", "high"], ordered=True)
    proba = pd.DataFrame([[0.5, 0.25, 0.25], [0, 0.5, 0.5], [0.25, 0.75, 0]], columns=named)
    other = ["low", "high", "mid"]
    true = pd.Series(pd.Categorical(list(named), other, ordered=True), name="y")
    up_to = proba[other].cumsum(axis=1).to_numpy()[:, :2]
    happened = np.array([[1, 1], [0, 0], [0, 1]])  # low is at most low, and at most high
    assert true.ordinal.rps(proba) == ((up_to - happened) ** 2).sum(axis=1).mean()
    for categories in (["none", *named], [*named, "all"]):
        own = pd.Series(pd.Categorical(list(named), categories, ordered=True), name="y")
        with pytest.raises(UnknownClassError, match=re.escape(f"classes are {categories}")):
            own.ordinal.rps(proba)


def test_labels_that_one_model_ignores_count_for_others() -> None:
    df = pd.DataFrame({"y": [0, 1, 1, 0], "a": [0, 9, 1, 0], "b": [0, 1, 0, 9], "c": 0})
    report = df.ordinal.report("y", ["a", "b", "c"], metrics=["mae"], ignore=9, classes=[0, 1])
    assert report["n"].tolist() == [3, 3, 4]
    assert report["mae"].tolist() == [0, 1 / 3, 1 / 2]
