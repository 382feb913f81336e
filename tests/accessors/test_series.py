"""`.ordinal` on a Series: labels, scores and probabilities beside it have its index."""

from __future__ import annotations

import brute
import pandas as pd
import pytest
from labelled import LEVELS, PROBA, TIED, ordered

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, MissingValueError, UnknownClassError

FRAME = brute.scored(300)
CLASSES = FRAME["y"].cat.categories.tolist()
MIXED = [CLASSES[position] for position in (1, 3, 0, 2)]


# never aligned


def test_series_are_never_aligned() -> None:
    true, pred = FRAME["y"], FRAME["yhat"]
    with pytest.raises(ValueError, match="index of pred 'yhat'.*'y'"):
        true.ordinal.mae(pred[::-1])
    with pytest.raises(ValueError, match="index of pred"):
        true.ordinal.mae(pred[:-1])
    with pytest.raises(ValueError, match="index of sample_weight 'w'"):
        true.ordinal.mae(pred, sample_weight=FRAME["w"][::-1])
    for other in (pred.tolist(), "yhat", None):
        with pytest.raises(TypeError, match="pred must be a Series"):
            true.ordinal.mae(other)
    with pytest.raises(TypeError, match="sample_weight must be a Series"):
        true.ordinal.mae(pred, sample_weight=[1] * len(true))


def test_rows_of_a_series_are_never_aligned() -> None:
    true, score, w = TIED["y"], TIED["score"], TIED["w"]
    for bad in (score[::-1], score[:-1], score.set_axis(range(1, 7))):
        with pytest.raises(ValueError, match="index of score 'score'.*'y'"):
            true.ordinal.vus(bad)
    with pytest.raises(ValueError, match="index of sample_weight 'w'"):
        true.ordinal.vus(score, sample_weight=w[::-1])
    proba = PROBA[LEVELS]
    for rows in (proba[::-1], proba[:1]):
        with pytest.raises(ValueError, match="index of proba"):
            PROBA["y"].ordinal.rps(rows)
    for score_ in (score.tolist(), "score", None, TIED[["score"]]):
        with pytest.raises(TypeError, match="score must be a Series"):
            true.ordinal.vus(score_)
    for proba_ in (LEVELS, "low", None):
        with pytest.raises(TypeError, match="proba must be a DataFrame"):
            PROBA["y"].ordinal.rps(proba_)
    with pytest.raises(TypeError, match=r"^proba\['low'\] is a Series, but a dict has a DataFra"):
        PROBA["y"].ordinal.rps({"low": PROBA["low"]})
    for proba_ in (proba["low"].to_numpy(), PROBA["low"]):
        with pytest.raises(UnknownClassError, match="'low', 'mid', 'high'.*a column for each c"):
            PROBA["y"].ordinal.rps(proba_)
    with pytest.raises(ValueError, match=r"shape \(1, 3\), but there are 2 rows and 3 classes"):
        PROBA["y"].ordinal.rps(proba.to_numpy()[:1])


# names


def test_series_without_names() -> None:
    true, pred = pd.Series([0, 1, 2]), pd.Series([0, 2, 2])
    assert true.ordinal.mae(pred) == pytest.approx(1 / 3)
    with pytest.raises(po.MissingValueError, match="^pred holds 1"):
        true.ordinal.mae(pd.Series([0, 1, None]))
    with pytest.raises(po.ClassOrderError, match="^true .*true = true.ordinal"):
        pd.Series(["a"]).ordinal.mae(pd.Series(["a"]))


def test_series_of_one_name() -> None:
    true, pred = pd.Series([0, 1, 2], name="y"), pd.Series([0, 2, 2], name="y")
    assert true.ordinal.mae(pred) == pytest.approx(1 / 3)


def test_series_of_scores_without_names() -> None:
    true, score = pd.Series([0, 1, 2]), pd.Series([0.5, None, 2])
    with pytest.raises(MissingValueError, match="^score holds 1"):
        true.ordinal.vus(score)
    with pytest.raises(MissingValueError, match="^true holds 1"):
        pd.Series([0, None]).ordinal.vus(pd.Series([1, 2]))


# reports


@pytest.mark.parametrize("weight", [None, "w"])
def test_report_of_a_series(weight: str | None) -> None:
    weights = None if weight is None else FRAME[weight]
    report = FRAME["y"].ordinal.report(
        FRAME["yhat"], score=FRAME["score"], proba=FRAME[MIXED], sample_weight=weights
    )
    expected = FRAME.ordinal.report("y", "yhat", score="score", proba=MIXED, sample_weight=weight)
    pd.testing.assert_series_equal(report, expected)


# classes and as_ordered


def test_classes_of_a_series() -> None:
    assert pd.Series(ordered(["low"])).ordinal.classes.tolist() == LEVELS
    assert pd.Series([3, 1]).ordinal.classes.tolist() == [1, 2, 3]
    assert pd.Series([True]).ordinal.classes.tolist() == [False, True]
    with pytest.raises(ClassOrderError, match="'y'"):
        _ = pd.Series(["a"], name="y").ordinal.classes


def test_as_ordered() -> None:
    labels = pd.Series(["low", None, "high"], index=[7, 7, 8], name="y")
    found = labels.ordinal.as_ordered(LEVELS)
    expected = pd.Series(ordered(["low", None, "high"]), index=[7, 7, 8], name="y")
    pd.testing.assert_series_equal(found, expected)
    assert labels.tolist()[0] == "low"


@pytest.mark.parametrize("label", ["LOW", "mid ", "none"])
def test_as_ordered_refuses_other_labels(label: str) -> None:
    with pytest.raises(UnknownClassError, match=repr(label)):
        pd.Series(["low", label]).ordinal.as_ordered(LEVELS)


def test_as_ordered_widens_but_does_not_reorder() -> None:
    labels = pd.Series(ordered(["low", "high"]))
    wider = ["none", *LEVELS]
    assert labels.ordinal.as_ordered(wider).cat.categories.tolist() == wider
    with pytest.raises(ClassOrderError):
        labels.ordinal.as_ordered(LEVELS[::-1])


def test_as_ordered_takes_numbers() -> None:
    assert pd.Series([10, 1, 2]).ordinal.as_ordered([1, 2, 10]).cat.codes.tolist() == [2, 0, 1]


def test_as_ordered_leaves_the_labels_alone() -> None:
    labels = pd.Series([0, 1, 2], dtype="int8")
    found = labels.ordinal.as_ordered([0, 1, 2])
    found[0] = 2
    assert labels.tolist() == [0, 1, 2]
    dtype = pd.CategoricalDtype(range(2, -1, -1), ordered=True)
    assert pd.Series([0, 1, 2]).ordinal.as_ordered(dtype).cat.codes.tolist() == [2, 1, 0]
