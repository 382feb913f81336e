"""Finding a column, and reading scores, probabilities and weights from it."""

from __future__ import annotations

import itertools
from typing import Any

import brute
import numpy as np
import numpy.testing as npt
import pandas as pd
import pyarrow as pa
import pytest
import xarray as xr
from labelled import (
    A01,
    BIG,
    DF,
    DTYPE,
    LEVELS,
    NO_SCORES,
    PROBA,
    TIED,
    predictions,
    score,
    unkeyed,
)

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, MissingValueError, UnknownClassError
from pandas_ordinal.classes.columns import scores_of

FRAME = brute.frame(60)


def vus_by_a_loop(scores: Any, ties: str = "half") -> float:
    """All sequences of a row of each class, for scores of two rows per class."""
    worths = []
    for a, b, c in itertools.product(scores[:2], scores[2:4], scores[4:]):
        if not a <= b <= c:
            worths.append(0.0)
        elif ties == "strict":
            worths.append(float(a < b < c))
        else:
            worths.append({0: 1.0, 1: 1 / 2, 2: 1 / 6}[(a == b) + (b == c)])
    return sum(worths) / len(worths)


SIX = 1e-6  # the list prints six digits


# names of columns


ODD_NAMES = ["ordinal", "count", "name", "size", "index", "columns", "model", "T", "values", "", 0]
ODD_NAMES += [1.5, ("a", "b"), pd.Timestamp("2026-01-01"), True, "score", "proba", "true"]


def renamed(df: pd.DataFrame, roles: list[str], first: int) -> tuple[pd.DataFrame, list[Any]]:
    """Columns with odd names; `first` rotates the names, so that each has each role."""
    names = [ODD_NAMES[(first + i) % len(ODD_NAMES)] for i in range(len(roles))]
    of = dict(zip(roles, names, strict=True))
    labels = pd.Index([of.get(c, c) for c in df.columns], dtype=object, tupleize_cols=False)
    return df.set_axis(labels, axis=1), names


@pytest.mark.parametrize("first", range(len(ODD_NAMES)))
def test_columns_of_any_name(first: int) -> None:
    df, (true, pred, g, fold, w) = renamed(FRAME, ["y", "yhat", "g", "fold", "w"], first)
    report = df.ordinal.report(true, pred, by=[g, fold], sample_weight=w)
    expected = FRAME.ordinal.report("y", "yhat", by=["g", "fold"], sample_weight="w")
    pd.testing.assert_frame_equal(report, expected, check_names=False)
    assert report.index.names == [g, fold]
    assert (
        df.ordinal.mae(true, pred, by=g).tolist()
        == FRAME.ordinal.mae("y", "yhat", by="g").tolist()
    )
    grouped = df.groupby([g, fold]).ordinal.report(true, pred, sample_weight=w)
    pd.testing.assert_frame_equal(grouped, report)
    wide = df.ordinal.mae(true, [pred, "other"])
    assert wide.tolist() == FRAME.ordinal.mae("y", ["yhat", "other"]).tolist()
    assert list(wide.index) == [pred, "other"]


@pytest.mark.parametrize("first", range(len(ODD_NAMES) - 3))  # the last one names the classes
def test_cubes_of_columns_of_any_name(first: int) -> None:
    df, (pred, g, fold) = renamed(FRAME, ["yhat", "g", "fold"], first)
    cube = df.ordinal.confusion("y", pred, by=[g, fold])
    expected = FRAME.ordinal.confusion("y", "yhat", by=["g", "fold"])
    np.testing.assert_array_equal(cube, expected)
    assert cube.dims == (str(g), str(fold), "true", "pred")
    assert cube.indexes[str(g)].tolist() == ["a", "b", "c"]
    one = df.ordinal.confusion("y", pred, by=g)
    np.testing.assert_array_equal(one, expected.sum("fold"))
    assert one.dims == (str(g), "true", "pred")


def test_multiindex_columns() -> None:
    df = pd.concat({"a": FRAME, "b": FRAME[::-1].reset_index(drop=True)}, axis=1)
    true = ("a", "y")
    expected = FRAME.ordinal.mae("y", "yhat")
    assert df.ordinal.mae(true, ("a", "yhat")) == expected
    result = df.ordinal.mae(true, [("a", "yhat"), ("a", "other")])
    assert result.tolist() == [expected, FRAME.ordinal.mae("y", "other")]
    assert list(result.index) == [("a", "yhat"), ("a", "other")]
    by = df.ordinal.report(true, ("a", "yhat"), by=[("a", "g"), ("a", "fold")])
    expected_by = FRAME.ordinal.report("y", "yhat", by=["g", "fold"])
    pd.testing.assert_frame_equal(by, expected_by, check_names=False)
    assert by.index.names == [("a", "g"), ("a", "fold")]
    one = df.ordinal.report(true, ("a", "yhat"), by=("a", "g"))
    assert one["n"].tolist() == FRAME.ordinal.report("y", "yhat", by="g")["n"].tolist()
    grouped = df.groupby([("a", "g")]).ordinal.mae(true, ("a", "yhat"))
    assert grouped.tolist() == FRAME.ordinal.mae("y", "yhat", by="g").tolist()


def test_cubes_of_multiindex_columns() -> None:
    df = pd.concat({"a": FRAME, "b": FRAME}, axis=1)
    wide = df.ordinal.confusion(("a", "y"), [("a", "yhat"), ("b", "other")])
    np.testing.assert_array_equal(wide, FRAME.ordinal.confusion("y", ["yhat", "other"]))
    assert wide.sel(model=("b", "other")).shape == (4, 4)
    cube = df.ordinal.confusion(("a", "y"), ("a", "yhat"), by=("a", "g"))
    np.testing.assert_array_equal(cube, FRAME.ordinal.confusion("y", "yhat", by="g"))
    assert cube.dims == ("('a', 'g')", "true", "pred")


@pytest.mark.parametrize("name", ["ordinal", "name", "size", "index", "count", "model"])
def test_columns_named_as_attributes(name: str) -> None:
    df = A01.assign(g=["a", "b"] * 4)
    expected = df.ordinal.mae("y", "yhat", by="g")
    for column in ("y", "yhat", "g"):
        renamed = df.rename(columns={column: name})
        y, yhat, g = (name if label == column else label for label in ("y", "yhat", "g"))
        result = renamed.ordinal.mae(y, yhat, by=g)
        npt.assert_array_equal(result, expected)
        npt.assert_array_equal(renamed.groupby(g).ordinal.mae(y, yhat), expected)
    level = df.set_index("g").rename_axis(name)
    npt.assert_array_equal(level.ordinal.mae("y", "yhat", by=name), expected)
    both = level.assign(**{name: 1})
    with pytest.raises(ValueError, match=f"'{name}' is both"):
        both.ordinal.mae("y", "yhat", by=name)


def test_scores_in_the_lowest_category_and_missing_ones() -> None:
    levels = pd.CategoricalDtype(["low", "high"], ordered=True)
    scores = pd.Series(["low", None, "low"], dtype=levels)
    npt.assert_array_equal(scores_of("score", scores), [0, np.nan, 0])


@pytest.mark.parametrize("first", range(len(ODD_NAMES)))
def test_columns_of_scores_of_any_name(first: int) -> None:
    df = brute.scored(60).rename(columns={"score": "risk"})
    classes = df["y"].cat.categories.tolist()
    odd, (y, risk, w) = renamed(df, ["y", "risk", "w"], first)
    for metric, columns, expected in [
        ("vus", risk, df.ordinal.vus("y", "risk", by="g", sample_weight="w")),
        ("rps", classes, df.ordinal.rps("y", classes, by="g", sample_weight="w")),
    ]:
        result = getattr(odd.ordinal, metric)(y, columns, by="g", sample_weight=w)
        npt.assert_array_equal(result, expected)
        grouped = getattr(odd.groupby("g").ordinal, metric)(y, columns, sample_weight=w)
        npt.assert_array_equal(grouped, expected)
    wide = odd.ordinal.vus(y, [risk, "second"])
    assert list(wide.index) == [risk, "second"]
    npt.assert_array_equal(wide, df.ordinal.vus("y", ["risk", "second"]))


def test_multiindex_columns_of_scores() -> None:
    one = brute.scored(60)
    classes = one["y"].cat.categories.tolist()
    df = pd.concat({"a": one, "b": one.assign(score=one["second"])}, axis=1)
    y = ("a", "y")
    wide = df.ordinal.vus(y, [("a", "score"), ("b", "score")])
    assert list(wide.index) == [("a", "score"), ("b", "score")]
    npt.assert_array_equal(wide, one.ordinal.vus("y", ["score", "second"]))
    proba = {c: ("b", c) for c in classes}
    assert df.ordinal.rps(y, proba) == one.ordinal.rps("y", classes)
    assert one["y"].ordinal.rps(df["b"][classes]) == one.ordinal.rps("y", classes)
    with pytest.raises(ValueError, match="'a' names"):
        df.ordinal.vus(y, "a")
    with pytest.raises(UnknownClassError):
        df.ordinal.rps(y, [("b", c) for c in classes])


@pytest.mark.parametrize(
    "given",
    [
        {"true": DF.y, "pred": DF.yhat},
        {"pred": DF.yhat},
        {"true": ["y"]},
        {"true": (["y"],)},
        {"by": (["g"],)},
        {"pred": {"yhat"}},
        {"by": DF.g},
        {"by": [DF.g]},
        {"by": lambda row: row},
        {"sample_weight": DF.w},
        {"sample_weight": [1, 1, 1, 1]},
    ],
    ids=lambda given: ", ".join(f"{name} {type(one).__name__}" for name, one in given.items()),
)
def test_data_where_a_label_is_due(given: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="takes the label of a column.*give (the name|true='y')"):
        DF.ordinal.oci(**{"true": "y", "pred": "yhat"} | given)


@pytest.mark.parametrize("given", [[1, 1, 2, 2], np.ones(4), DF["w"]], ids=["list", "array", "w"])
@pytest.mark.parametrize(("option", "name"), [("sample_weight", "weight"), ("cluster", "cluster")])
def test_arrays_become_columns(option: str, name: str, given: Any) -> None:
    kind = {"list": "a list", "ndarray": "an ndarray", "Series": "a Series"}[type(given).__name__]
    with pytest.raises(TypeError) as caught:
        DF.ordinal.report("y", "yhat", ci=0.95, **{option: given})
    assert str(caught.value) == (
        f"{option}= takes the label of a column, not {kind}: give the name of a column; an array "
        f"becomes one by df.assign({name}=array)"
    )


@pytest.mark.parametrize("option", ["true", "pred", "by", "sample_weight"])
@pytest.mark.parametrize("make", [iter, lambda names: (name for name in names), reversed])
def test_labels_that_are_read_but_once_are_refused(option: str, make: Any) -> None:
    given = {"true": "y", "pred": "yhat", "by": "g"} | {option: make(["yhat"])}
    with pytest.raises(TypeError, match=f"{option}= takes labels in a list.*give list"):
        DF.ordinal.mae(**given)
    with pytest.raises(TypeError, match=f"{option}= takes labels in a list.*give list"):
        DF.ordinal.report(**given | {option: make(["yhat"])})
    if option != "by":
        del given["by"]
        with pytest.raises(TypeError, match=f"{option}= takes labels in a list.*give list"):
            DF.groupby("g").ordinal.mae(**given | {option: make(["yhat"])})


def test_scores_that_are_read_but_once_are_refused() -> None:
    with pytest.raises(TypeError, match="score= takes labels in a list.*give list"):
        TIED.ordinal.vus("y", iter(["score"]))
    with pytest.raises(TypeError, match="proba= takes labels in a list.*give list"):
        PROBA.ordinal.rps("y", iter(LEVELS))


@pytest.mark.parametrize("by", [None, [None], ["g", None]], ids=str)
def test_none_is_no_key(by: Any) -> None:
    if by is None:
        assert DF.ordinal.mae("y", "yhat", by=by) == 0.5
        return
    with pytest.raises(KeyError, match="no column None"):
        DF.ordinal.mae("y", "yhat", by=by)
    with pytest.raises(KeyError, match="no column None"):
        DF.ordinal.confusion("y", "yhat", by=by)


@pytest.mark.parametrize("bad", [[1], {"a": 1}, {1}, np.array([1, 2])], ids=repr)
def test_labels_and_keys_that_are_lists_are_refused(bad: Any) -> None:
    held = pd.Series([bad, 1, 0, 2], dtype=object)
    df = DF.assign(held=held)
    for call in (
        lambda: df.ordinal.mae("held", "yhat"),
        lambda: df.ordinal.mae("y", "held", classes=[0, 1, 2]),
        lambda: df.ordinal.vus("held", "w"),
        lambda: df["y"].ordinal.mae(held.rename("held")),
        lambda: df.groupby("g").ordinal.report("y", ["yhat", "held"]),
    ):
        with pytest.raises(UnknownClassError, match="column 'held' holds .*cannot be a label"):
            call()
    for by in ("held", ["g", "held"]):
        with pytest.raises(TypeError, match="the key 'held' holds lists.*cannot be keys"):
            df.ordinal.mae("y", "yhat", by=by)
        with pytest.raises(TypeError, match="the key 'held' holds lists.*cannot be keys"):
            df.ordinal.confusion("y", "yhat", by=by)


@pytest.mark.parametrize("by", ["g", ["g"], ["g", "w"]], ids=str)
def test_tuples_among_names_of_predictions(by: Any) -> None:
    columns = {"y": "y", "yhat": ("a", 1), "g": "g", "w": "w"}
    odd = DF.assign(text=DF["yhat"][::-1].to_numpy())
    plain = odd.ordinal.report("y", ["text", "yhat"], by=by, metrics=["mae", "oci"])
    labels = pd.Index([columns.get(c, c) for c in odd.columns], dtype=object, tupleize_cols=False)
    odd = odd.set_axis(labels, axis=1)
    for models in (["text", ("a", 1)], [("a", 1), "text"]):
        result = odd.ordinal.report("y", models, by=by, metrics=["mae", "oci"])
        assert [key[-1] for key in result.index][:2] == models
        again = result.rename(index={("a", 1): "yhat"}, level="model").sort_index()
        pd.testing.assert_frame_equal(again, plain.sort_index(), check_index_type=False)
        mae = odd.ordinal.mae("y", models, by=by)
        assert mae.tolist() == result["mae"].tolist()
        assert len(odd.ordinal.class_mae("y", models, by=by)) == 3 * len(mae)
        grouped = odd.groupby(by).ordinal.mae("y", models)
        assert grouped.tolist() == mae.tolist()


def test_names_of_labels_may_come_in_an_index() -> None:
    assert DF.ordinal.mae("y", "yhat", by=pd.Index(["g"])).to_dict() == {"a": 0.5, "b": 0.5}


def test_no_label_is_no_index_level() -> None:
    with pytest.raises(KeyError) as caught:
        DF.ordinal.mae("y", None)
    assert "reset_index" not in str(caught.value)


# unknown names


def test_columns_are_suggested_whatever_their_case() -> None:
    with pytest.raises(KeyError, match="did you mean 'yhat'"):
        DF.ordinal.mae("y", "Yhat")
    with pytest.raises(KeyError, match="reset_index"):
        DF.set_index("y").ordinal.mae("y", "yhat")
    with pytest.raises(ValueError, match="did you mean 'mae'"):
        DF.ordinal.report("y", "yhat", metrics=["MAE"])


def test_unknown_names_are_suggested() -> None:
    df = unkeyed().assign(model="a")
    with pytest.raises(KeyError, match="'modle'.*did you mean 'model'"):
        df.ordinal.mae("y", "yhat", by="modle")
    with pytest.raises(KeyError, match="'yhatt'.*did you mean 'yhat'"):
        df.ordinal.mae("y", "yhatt")
    with pytest.raises(KeyError, match="'weight'"):
        df.ordinal.mae("y", "yhat", sample_weight="weight")


@pytest.mark.parametrize("method", ["vus", "u_pairs", "roc_surface"])
def test_unknown_columns(method: str) -> None:
    for call in (
        lambda: getattr(TIED.ordinal, method)("y", "scores"),
        lambda: getattr(TIED.ordinal, method)("y", "Score"),
    ):
        with pytest.raises(KeyError, match="did you mean 'score'"):
            call()
    with pytest.raises(KeyError, match="'mids'.*did you mean 'mid'"):
        PROBA.ordinal.rps("y", {"low": "low", "mid": "mids", "high": "high"})
    ds = xr.Dataset({"y": ("i", [0, 1]), "score": ("i", [0, 1])})
    for name in ("vus", "rps"):
        with pytest.raises(KeyError, match="'nothing'"):
            getattr(ds.ordinal, name)("y", "nothing")


# duplicate labels, partial MultiIndex labels


@pytest.mark.parametrize("label", ["a", ("b", "none"), ("c", "y"), "y"])
def test_partial_and_unknown_multiindex_labels(label: Any) -> None:
    df = pd.concat({"a": FRAME, "b": FRAME}, axis=1)
    for call in (
        lambda: df.ordinal.mae(label, ("a", "yhat")),
        lambda: df.ordinal.mae(("a", "y"), label),
        lambda: df.ordinal.mae(("a", "y"), [("a", "yhat"), label]),
        lambda: df.ordinal.mae(("a", "y"), ("a", "yhat"), by=label),
        lambda: df.ordinal.mae(("a", "y"), ("a", "yhat"), sample_weight=label),
    ):
        with pytest.raises((ValueError, KeyError)) as caught:
            call()
        assert repr(label) in str(caught.value).replace("\\'", "'")


def test_duplicate_labels() -> None:
    df = pd.concat([FRAME, FRAME[["yhat", "g", "w"]]], axis=1)
    for options, name in [
        ({}, "yhat"),
        ({"pred": "other", "by": "g"}, "g"),
        ({"pred": "other", "sample_weight": "w"}, "w"),
    ]:
        call: dict[str, Any] = {"true": "y", "pred": "yhat"} | options
        with pytest.raises(ValueError, match=f"'{name}' names 2 columns"):
            df.ordinal.mae(**call)
    assert df.ordinal.mae("y", "other") == FRAME.ordinal.mae("y", "other")


def test_duplicate_labels_of_scores_and_probabilities() -> None:
    df = pd.concat([TIED, TIED[["score", "w"]]], axis=1).assign(other=1)
    with pytest.raises(ValueError, match="'score' names 2 columns"):
        df.ordinal.vus("y", "score")
    with pytest.raises(ValueError, match="'w' names 2 columns"):
        df.ordinal.vus("y", "other", sample_weight="w")
    assert df.ordinal.vus("y", "other") == pytest.approx(1 / 6)
    twice = pd.concat([PROBA, PROBA[["mid"]]], axis=1)
    with pytest.raises(ValueError, match="'mid' names 2 columns"):
        twice.ordinal.rps("y", LEVELS)
    with pytest.raises(ValueError, match="'mid'.*twice"):
        twice["y"].ordinal.rps(twice[["low", "mid", "high"]])


# scores


def test_ties_of_a_score() -> None:
    assert TIED.ordinal.vus("y", "score") == pytest.approx(0.75, rel=1e-12)
    assert TIED.ordinal.vus("y", "score", ties="strict") == pytest.approx(0.5, rel=1e-12)
    assert vus_by_a_loop(TIED["score"].tolist()) == 0.75
    assert vus_by_a_loop(TIED["score"].tolist(), "strict") == 0.5
    equal = TIED.assign(score=7)
    assert equal.ordinal.vus("y", "score") == pytest.approx(1 / 6, rel=1e-12)
    assert equal.ordinal.vus("y", "score", ties="strict") == 0
    assert TIED.assign(score=TIED["y"].cat.codes).ordinal.vus("y", "score") == 1
    assert TIED.assign(score=-TIED["y"].cat.codes).ordinal.vus("y", "score") == 0


NUMBERS: dict[str, Any] = {
    "int8": "int8",
    "uint8": "uint8",
    "uint64": "uint64",
    "float16": "float16",
    "float32": "float32",
    "big endian": ">f8",
    "Int64": "Int64",
    "UInt8": "UInt8",
    "Float32": "Float32",
    "Float64": "Float64",
    "arrow int": "int64[pyarrow]",
    "arrow uint": "uint8[pyarrow]",
    "arrow float": "float[pyarrow]",
    "arrow double": "double[pyarrow]",
    "sparse": "Sparse[float]",
    "ordered": pd.CategoricalDtype([1, 2, 3, 4], ordered=True),
}


@pytest.mark.parametrize("kind", NUMBERS)
def test_numbers_of_any_kind(kind: str) -> None:
    df = TIED.assign(score=TIED["score"].astype(NUMBERS[kind]))
    assert df.ordinal.vus("y", "score") == pytest.approx(0.75, rel=1e-12)
    assert df["y"].ordinal.vus(df["score"]) == pytest.approx(0.75, rel=1e-12)
    assert df.ordinal.vus("y", ["score"]).tolist() == [pytest.approx(0.75, rel=1e-12)]


@pytest.mark.parametrize("kind", ["bool", "boolean", "bool[pyarrow]"])
def test_booleans_are_scores(kind: str) -> None:
    df = TIED.assign(score=(TIED["score"] > 2).astype(kind))
    expected = vus_by_a_loop((TIED["score"] > 2).astype(int).tolist())
    assert df.ordinal.vus("y", "score") == pytest.approx(expected, rel=1e-12)


def test_an_ordered_categorical_ranks_by_its_order() -> None:
    order = ["poor", "fair", "good", "best"]
    names = pd.Categorical([order[s - 1] for s in TIED["score"]], order, ordered=True)
    df = TIED.assign(score=names)
    assert df.ordinal.vus("y", "score") == pytest.approx(0.75, rel=1e-12)
    held = pa.DictionaryArray.from_arrays(names.codes, order, ordered=True)
    arrow = df.assign(score=pd.Series(held, dtype=pd.ArrowDtype(held.type)))
    assert arrow.ordinal.vus("y", "score") == pytest.approx(0.75, rel=1e-12)
    reverse = df.assign(score=names.reorder_categories(order[::-1]))
    assert reverse.ordinal.vus("y", "score") == pytest.approx(
        TIED.assign(score=-TIED["score"]).ordinal.vus("y", "score"), rel=1e-12
    )
    df.loc[0, "score"] = np.nan
    with pytest.raises(MissingValueError, match="'score' holds 1 missing value:"):
        df.ordinal.vus("y", "score")
    expected = TIED[1:].ordinal.vus("y", "score")
    assert df.ordinal.vus("y", "score", dropna=True) == expected


def test_the_truth_is_a_perfect_score() -> None:
    assert TIED.ordinal.vus("y", "y") == 1
    assert TIED.ordinal.vus("y", ["y", "score"]).tolist() == pytest.approx([1, 0.75])
    integers = TIED.assign(y=TIED["y"].cat.codes)
    assert integers.ordinal.u_pairs("y", "y") == 1


@pytest.mark.parametrize("kind", ["int64", "uint64", "Int64", "UInt64", "int64[pyarrow]"])
def test_large_integers_are_not_tied(kind: str) -> None:
    df = TIED.assign(score=pd.array(BIG, dtype=kind))
    for ties in ("half", "strict"):
        assert df.ordinal.vus("y", "score", ties=ties) == 1
        assert df["y"].ordinal.vus(df["score"], ties=ties) == 1
        assert df.ordinal.vus("y", "score", ties=ties, dropna=True) == 1


@pytest.mark.parametrize("kind", ["Int64", "UInt64", "int64[pyarrow]"])
def test_large_integers_beside_a_missing_one_are_not_tied(kind: str) -> None:
    df = pd.concat([TIED, TIED[-1:]]).assign(score=pd.array([*BIG, None], dtype=kind))
    with pytest.raises(
        ValueError, match=r"'score' holds missing values and integers beyond 2\*\*53.*dropna"
    ):
        df.ordinal.vus("y", "score", ties="strict", dropna=True)
    known = df.dropna(subset=["score"])
    assert known.ordinal.vus("y", "score", ties="strict") == 1


def test_infinite_scores() -> None:
    df = TIED.assign(score=[-np.inf, -np.inf, 0, 1, np.inf, np.inf])
    assert df.ordinal.vus("y", "score") == 1
    tied = df.assign(score=[-np.inf, np.inf, -np.inf, 1, np.inf, np.inf])
    expected = vus_by_a_loop(tied["score"].tolist())
    assert tied.ordinal.vus("y", "score") == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("kind", NO_SCORES)
def test_what_is_no_score(kind: str) -> None:
    values = pd.Series(NO_SCORES[kind])
    df = TIED.assign(age=values)
    for call in (
        lambda: df.ordinal.vus("y", "age"),
        lambda: df.ordinal.vus("y", ["score", "age"], by="g"),
        lambda: df.groupby("g").ordinal.vus("y", "age"),
        lambda: df["y"].ordinal.vus(df["age"]),
        lambda: df.ordinal.roc_surface("y", "age"),
        lambda: df.ordinal.best_thresholds("y", "age", metric="mae"),
        lambda: df["age"].ordinal.classify([1, 2], classes=LEVELS),
    ):
        with pytest.raises(ClassOrderError, match=r"'age'.*(Timedelta|astype)") as caught:
            call()
        assert str(values.dtype) in str(caught.value)


def test_the_remedy_for_times_keeps_what_is_missing() -> None:
    times = pd.to_datetime(pd.Series(["2020-01-01", "2021-01-01", None]))
    df = pd.DataFrame({"y": [0, 1, 1], "s": times})
    with pytest.raises(ClassOrderError) as raised:
        df.ordinal.vus("y", "s")
    remedy = str(raised.value).partition("as with ")[2]
    df["s"] = eval(remedy, {"df": df, "pd": pd})
    assert df.ordinal.vus("y", "s", dropna=True) == 1


# probabilities


@pytest.mark.parametrize("columns", list(itertools.permutations(LEVELS)), ids=str)
def test_probabilities_are_matched_by_name(columns: tuple[str, ...]) -> None:
    shuffled = PROBA[["y", *columns[::-1]]]
    for proba in (
        list(columns),
        pd.Index(columns),
        np.array(columns),
        pd.CategoricalIndex(columns, dtype=DTYPE),
        pd.CategoricalIndex(columns, LEVELS[::-1], ordered=True),
        {name: name for name in columns},
    ):
        for normalized, expected in [(False, [0.53, 0.74]), (True, [0.265, 0.37])]:
            o: dict[str, Any] = {"normalized": normalized}
            for row, value in zip(("first", "second"), expected, strict=True):
                result = shuffled.loc[[row]].ordinal.rps("y", proba, **o)
                assert result == pytest.approx(value, rel=1e-12)
            both = shuffled.ordinal.rps("y", proba, **o)
            assert both == pytest.approx(np.mean(expected), rel=1e-12)
    of_series = shuffled["y"].ordinal.rps(shuffled[list(columns)])
    assert of_series == pytest.approx(0.635, rel=1e-12)
    array = xr.DataArray(
        shuffled[list(columns)].to_numpy(), dims=("i", "c"), coords={"c": list(columns)}
    )
    true = xr.DataArray([2, 2], dims="i")
    assert float(true.ordinal.rps(array, classes=LEVELS)) == pytest.approx(0.635, rel=1e-12)


def test_a_categorical_index_of_columns() -> None:
    columns = pd.CategoricalIndex(["mid", "high", "low"], dtype=DTYPE)
    proba = PROBA[["mid", "high", "low"]].set_axis(columns, axis=1)
    assert PROBA["y"].ordinal.rps(proba) == pytest.approx(0.635, rel=1e-12)


def test_columns_of_other_names() -> None:
    df = PROBA.rename(columns={name: f"p_{name}" for name in LEVELS})
    proba = {name: f"p_{name}" for name in ("mid", "low", "high")}
    assert df.ordinal.rps("y", proba) == pytest.approx(0.635, rel=1e-12)
    crossed = {"low": "p_high", "mid": "p_mid", "high": "p_low"}
    # 0.3, 0.5, 0.2 and 0.3, 0.2, 0.5 for the highest class
    expected = np.mean([0.3**2 + 0.8**2, 0.3**2 + 0.5**2])
    assert df.ordinal.rps("y", crossed) == pytest.approx(expected, rel=1e-12)


def test_bins_as_classes() -> None:
    bins = pd.interval_range(0, 3)
    df = pd.DataFrame({"y": pd.cut([2.5], bins), "a": 0.2, "b": 0.5, "c": 0.3})
    proba = dict(zip(bins[::-1], ["c", "b", "a"], strict=True))
    assert df.ordinal.rps("y", proba) == pytest.approx(0.53, rel=1e-12)
    named = df.set_axis(["y", *bins], axis=1)
    assert named.ordinal.rps("y", list(bins[::-1])) == pytest.approx(0.53, rel=1e-12)
    assert named.ordinal.rps("y", named.columns[1:]) == pytest.approx(0.53, rel=1e-12)


def test_classes_given_by_hand() -> None:
    text = PROBA.astype({"y": object})
    assert text.ordinal.rps("y", LEVELS, classes=LEVELS) == pytest.approx(0.635, rel=1e-12)
    with pytest.raises(ClassOrderError, match="'y'"):
        text.ordinal.rps("y", LEVELS)
    integers = pd.DataFrame({"y": [3, 1], 3: [0.75, 0.0], 1: [0.25, 0.5], 2: [0.0, 0.5]})
    # |F - 1| is 0.25 twice, and 0.5 once
    expected = np.mean([2 * 0.25**2, 0.5**2])
    assert integers.ordinal.rps("y", [1, 2, 3]) == pytest.approx(expected, rel=1e-12)
    assert integers.ordinal.rps("y", [3.0, 2.0, 1.0]) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    "columns", [LEVELS[:2], [*LEVELS, "top"], ["low", "mid", "High"], []], ids=str
)
def test_columns_that_are_not_the_classes(columns: list[str]) -> None:
    df = PROBA.assign(top=0.0, High=0.3)
    for call in (
        lambda: df.ordinal.rps("y", columns),
        lambda: df["y"].ordinal.rps(df[columns]),
        lambda: df.ordinal.expected_class(columns, classes=DTYPE),
    ):
        with pytest.raises(UnknownClassError, match="'low', 'mid', 'high'") as caught:
            call()
        assert repr(columns) in str(caught.value)


def test_columns_that_are_no_columns_by_class() -> None:
    for columns in (["low", "mid", "high", "high"], pd.Index(["low", "low", "mid"])):
        with pytest.raises(ValueError, match="twice"):
            PROBA.ordinal.rps("y", columns)
    with pytest.raises(ValueError, match="one column for two classes"):
        PROBA.ordinal.rps("y", {"low": "low", "mid": "low", "high": "high"})
    for label in ("low", 3):
        with pytest.raises(UnknownClassError, match=rf"\[{label!r}\].*a column for each class"):
            PROBA.ordinal.rps("y", label)
    for bad in (None, {"low", "mid", "high"}, PROBA[LEVELS]):
        with pytest.raises(TypeError, match="list of columns named as the classes"):
            PROBA.ordinal.rps("y", bad)


CHANCES = pd.DataFrame([[0.5, 0.3, 0.2], [0.1, 0.6, 0.3], [0.2, 0.2, 0.6]], columns=LEVELS)
LACKING: dict[str, Any] = {
    "text": ["low", "mid", "mid"],
    "unordered": pd.Categorical(["low", "mid", "mid"]),
    "fewer classes": pd.Categorical(["low", "mid", "mid"], ["low", "mid"], ordered=True),
    "all classes": pd.Categorical(["low", "mid", "mid"], dtype=DTYPE),
}


@pytest.mark.parametrize("kind", LACKING)
def test_columns_declare_classes_that_the_truth_lacks(kind: str) -> None:
    df = CHANCES.assign(y=LACKING[kind], g=1)
    due = po.metrics.rps([0, 1, 1], CHANCES.to_numpy())
    for labels in itertools.permutations(LEVELS):
        columns = pd.CategoricalIndex(labels, dtype=DTYPE)
        frame = CHANCES[list(labels)].set_axis(columns, axis=1)
        for result in (
            df.ordinal.rps("y", columns),
            df.ordinal.rps("y", columns, by="g").item(),
            df.groupby("g").ordinal.rps("y", columns).item(),
            df.ordinal.report("y", proba=columns)["rps"],
            df["y"].ordinal.rps(frame),
            df["y"].ordinal.report(proba=frame)["rps"],
        ):
            assert result == pytest.approx(due, rel=1e-12)
        assert df.ordinal.most_likely(columns).tolist() == LEVELS
    if kind != "all classes":
        for call in (
            lambda **o: df.ordinal.rps("y", LEVELS, **o),
            lambda **o: df["y"].ordinal.rps(CHANCES, **o),
            lambda **o: df.groupby("g").ordinal.rps("y", LEVELS, **o),
        ):
            with pytest.raises(ValueError, match=r"classes=\["):
                call()
            assert np.asarray(call(classes=LEVELS)).item() == pytest.approx(due, rel=1e-12)


def test_columns_that_lack_a_class_of_the_truth_are_refused() -> None:
    columns = pd.CategoricalIndex(LEVELS, dtype=DTYPE)
    wider = pd.Categorical(["low", "mid", "mid"], ["none", *LEVELS], ordered=True)
    df = CHANCES.assign(y=wider)
    with pytest.raises(UnknownClassError, match=r"the classes are \['none', 'low'"):
        df.ordinal.rps("y", columns)
    with pytest.raises(UnknownClassError, match="'high'"):
        df.assign(y=["low", "mid", "mid"]).ordinal.rps("y", columns[:2])
    with pytest.raises(UnknownClassError, match="'poor'.*not a class"):
        df.assign(y=["low", "poor", "mid"]).ordinal.rps("y", columns)


@pytest.mark.parametrize("truth", ["ordered", "text", "numbers"])
def test_an_array_of_probabilities_needs_a_declared_order(truth: str) -> None:
    codes = [0, 1, 1]
    y: Any = {
        "ordered": pd.Categorical.from_codes(codes, dtype=DTYPE),
        "text": np.array(LEVELS)[codes],
        "numbers": codes,
    }[truth]
    classes = [0, 1, 2] if truth == "numbers" else LEVELS
    array = CHANCES.to_numpy()
    df = pd.DataFrame({"y": y, "p": y, "q": y, "g": [1, 1, 1]}, index=list("abc"))
    due = po.metrics.rps(codes, array)
    calls: list[Any] = [
        lambda **o: df.ordinal.rps("y", array, **o),
        lambda **o: df.ordinal.rps("y", array, by="g", **o),
        lambda **o: df.groupby("g").ordinal.rps("y", array, **o),
        lambda **o: df["y"].ordinal.rps(array, **o),
        lambda **o: df.ordinal.report("y", proba=array, **o)["rps"],
        lambda **o: df.ordinal.report("y", "p", proba=array, **o)["rps"],
        lambda **o: df.ordinal.report("y", ["p", "q"], proba=[array, array], **o)["rps"].iloc[1],
        lambda **o: df["y"].ordinal.report(df["p"], proba=array, **o)["rps"],
        lambda **o: df[::-1].ordinal.rps("y", array[::-1], **o),
    ]
    for call in calls:
        assert np.asarray(call(classes=classes)).item() == pytest.approx(due, rel=1e-12)
        if truth == "ordered":
            assert np.asarray(call()).item() == pytest.approx(due, rel=1e-12)
        else:
            with pytest.raises(ClassOrderError, match=r"proba= is an array.*give classes=\["):
                call()
    for bad in (array[:2], array[:, :2], array[:0]):
        with pytest.raises(ValueError, match="proba= is an array of shape.*3 rows and 3 classes"):
            df.ordinal.rps("y", bad, classes=classes)
        with pytest.raises(ValueError, match="proba= is an array of shape.*3 rows and 3 classes"):
            df["y"].ordinal.rps(bad, classes=classes)


def of_probabilities(name: str, y: Any, proba: np.ndarray) -> dict[str, Any]:
    """A metric of probabilities on every surface."""
    classes = list(range(proba.shape[1]))
    df = pd.DataFrame(proba, columns=classes).assign(y=y, g=0)
    labels = xr.DataArray(y, dims="i")
    chances = xr.DataArray(proba, {"c": classes}, ("i", "c"))
    call = getattr(df.ordinal, name)
    return {
        "frame": lambda: call("y", classes, classes=classes),
        "array beside a frame": lambda: call("y", proba, classes=classes),
        "groupby": lambda: getattr(df.groupby("g").ordinal, name)("y", classes, classes=classes),
        "series": lambda: getattr(df["y"].ordinal, name)(df[classes], classes=classes),
        "labels": lambda: getattr(labels.ordinal, name)(chances, classes=classes),
        "chunked": lambda: getattr(labels.chunk().ordinal, name)(
            chances.chunk(), classes=classes
        ).compute(),
        "dataset": lambda: getattr(xr.Dataset({"y": labels, "p": chances}).ordinal, name)(
            "y", "p", classes=classes
        ),
        "kernel": lambda: getattr(po.metrics, name)(y, proba),
    }


@pytest.mark.parametrize("surface", of_probabilities("rps", [0], np.eye(1)))
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("n_classes", [3, 40])
def test_sums_are_as_exact_as_the_type_of_the_numbers(
    surface: str, dtype: str, n_classes: int
) -> None:
    rng = np.random.default_rng(5)
    exact, y = rng.dirichlet(np.ones(n_classes), 60), rng.integers(0, n_classes, 60)
    rounded = exact.astype(dtype)
    result = np.asarray(of_probabilities("rps", y, rounded)[surface](), float).item()
    assert result == pytest.approx(po.metrics.rps(y, exact), rel=0.01)
    by = max(1e-6, n_classes * np.finfo(dtype).eps)
    for share in (1 + 4 * by, 1 - 4 * by):
        with pytest.raises(ValueError, match="sums to"):
            of_probabilities("rps", y, (exact * share).astype(dtype))[surface]()


def test_nullable_and_arrow_floats_of_low_precision() -> None:
    rng = np.random.default_rng(5)
    proba = rng.dirichlet(np.ones(40), 60).astype("float32")
    df = pd.DataFrame(proba, columns=range(40)).assign(y=rng.integers(0, 40, 60))
    due = df.ordinal.rps("y", list(range(40)), classes=range(40))
    for dtype in ("Float32", "float[pyarrow]"):
        held = df.astype(dict.fromkeys(range(40), dtype))
        assert held.ordinal.rps("y", list(range(40)), classes=range(40)) == due


@pytest.mark.parametrize("surface", of_probabilities("rps", [0], np.eye(1)))
@pytest.mark.parametrize("name", ["rps", "log_loss", "brier"])
def test_tiny_negative_probabilities_are_zero(surface: str, name: str) -> None:
    tiny = np.array([[1, -1e-6, 1e-6], [-9e-7, 1 + 9e-7, 0], [0.5, 0.5, -1e-12]])
    clipped = np.maximum(tiny, 0)
    result = of_probabilities(name, [0, 1, 1], tiny)[surface]()
    due = getattr(po.metrics, name)([0, 1, 1], clipped)
    assert np.asarray(result, float).item() == pytest.approx(due, rel=1e-12)
    tiny[0] = [1, -2e-6, 2e-6]
    with pytest.raises(ValueError, match="row 0, is"):
        of_probabilities(name, [0, 1, 1], tiny)[surface]()


def test_numbers_are_not_text() -> None:
    df = pd.DataFrame({"y": [0, 1], "0": [0.5, 0.5], "1": [0.5, 0.5]})
    for call in (
        lambda: df.ordinal.rps("y", ["0", "1"]),
        lambda: df["y"].ordinal.rps(df[["0", "1"]]),
    ):
        with pytest.raises(UnknownClassError, match=r"\['0', '1'\].*\[0, 1\]"):
            call()
    assert df.ordinal.rps("y", {0: "0", 1: "1"}) == pytest.approx(0.25)
    booleans = pd.DataFrame({"y": [False, True], False: [1.0, 0.0], True: [0.0, 1.0]})
    assert booleans.ordinal.rps("y", [True, False]) == 0
    with pytest.raises(UnknownClassError):
        booleans.ordinal.rps("y", [0, 1])


def test_what_is_no_probability() -> None:
    for kind, values in NO_SCORES.items():
        df = TIED.assign(low=pd.Series(values), mid=0.5, high=0.5)
        with pytest.raises(ClassOrderError, match="'low'"):
            df.ordinal.rps("y", LEVELS)
        with pytest.raises(ClassOrderError, match="'low'"):
            df.ordinal.expected_class(LEVELS, classes=DTYPE)
        assert kind


def test_labels_are_no_probabilities() -> None:
    labels = pd.Categorical(["poor", "good", "good"], ["poor", "good"], ordered=True)
    df = pd.DataFrame({"y": [0, 1, 1], 0: labels, 1: 1 - labels.codes})
    with pytest.raises(ClassOrderError, match="0"):
        df.ordinal.rps("y", [0, 1])


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ([0.5, 0.5, 0.5], r"\[0.5, 0.5, 0.5\], which sums to 1.5;.*divide each row by its sum"),
        ([1.2, -0.2, 0.0], r"\[1.2, -0.2, 0.0\], which sums to 1;.*logits.*softmax"),
        ([-1.5, 0.5, 3.25], r"\[-1.5, 0.5, 3.25\], which sums to 2.25;.*logits.*softmax"),
        ([20, 30, 50], r"\[20.0, 30.0, 50.0\], which sums to 100;.*percentages.*by 100"),
        ([33.3, 33.3, 33.3], "percentages.*by 100"),
        ([0, 0, 0], "which sums to 0;.*divide each row by its sum"),
        ([np.inf, 0, 0], "which sums to inf;"),
    ],
    ids=str,
)
def test_rows_that_do_not_sum_to_one_are_named(row: list[float], told: str) -> None:
    df = pd.concat([PROBA, PROBA.assign(**dict(zip(LEVELS, row, strict=True)))[:1]])
    df.index = pd.Index(["first", "second", "third"])
    score, grouped = df.ordinal.rps, df.assign(g=1).groupby("g").ordinal.rps
    for call in (
        lambda: score("y", LEVELS),
        lambda: score("y", LEVELS, by="y"),
        lambda: score("y", LEVELS, dropna=True),
        lambda: grouped("y", LEVELS),
        lambda: df["y"].ordinal.rps(df[LEVELS]),
        lambda: score("y", df[LEVELS].to_numpy()),
        lambda: df["y"].ordinal.rps(df[LEVELS].to_numpy()),
        lambda: df.ordinal.expected_class(LEVELS, classes=DTYPE),
        lambda: df.ordinal.most_likely(LEVELS, classes=DTYPE),
    ):
        with pytest.raises(ValueError, match=f"1 row lacks .*row 'third', is .*{told}"):
            call()
    array = xr.DataArray(df[LEVELS].to_numpy(), dims=("i", "c"), coords={"c": LEVELS})
    true = xr.DataArray([2, 2, 2], dims="i")
    for proba in (array, array.chunk(i=1)):
        with pytest.raises(ValueError, match="sum to 1"):
            true.ordinal.rps(proba, classes=LEVELS).compute()


def test_sums_that_are_nearly_one() -> None:
    thirds = PROBA.assign(low=1 / 3, mid=1 / 3, high=0.333333)
    assert thirds.ordinal.rps("y", LEVELS) == pytest.approx(1 / 9 + 4 / 9)
    single = PROBA.astype(dict.fromkeys(LEVELS, "float32"))
    assert single.ordinal.rps("y", LEVELS) == pytest.approx(0.635, rel=1e-6)


# sample_weight


@pytest.mark.parametrize("by", [None, "g", ["g", "fold"]])
def test_integer_weights_equal_repetition(by: Any) -> None:
    df = brute.frame(80)
    repeated = df.loc[df.index.repeat(df["w"])]
    result = df.ordinal.report("y", "yhat", metrics="all", by=by, sample_weight="w")
    expected = repeated.ordinal.report("y", "yhat", metrics="all", by=by)
    rows = len(df) if by is None else df.groupby(by).size()
    assert np.all(result["n"] == rows)
    names = [name for name in list(expected.keys()) if name != "n"]
    np.testing.assert_allclose(result[names], expected[names], rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "float32", "Int64", "Float64", "bool"])
def test_weights_of_any_number_type(dtype: str) -> None:
    df = brute.frame(30)
    df["w"] = (df["w"] > 1).astype(dtype)
    expected = brute.counts(df["y"].cat.codes, df["yhat"].cat.codes, 4, df["w"].astype(float))
    result = df.ordinal.confusion("y", "yhat", sample_weight="w")
    np.testing.assert_array_equal(result, expected)
    of_series = df["y"].ordinal.confusion(df["yhat"], sample_weight=df["w"])
    np.testing.assert_array_equal(of_series, expected)


@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf, -np.inf])
def test_bad_weights(bad: float) -> None:
    df = brute.frame(10).assign(w=[1.0] * 8 + [bad] * 2)
    for call in (
        lambda: df.ordinal.mae("y", "yhat", sample_weight="w"),
        lambda: df.ordinal.report("y", "yhat", by="g", sample_weight="w"),
        lambda: df.groupby("g").ordinal.mae("y", "yhat", sample_weight="w"),
        lambda: df["y"].ordinal.mae(df["yhat"], sample_weight=df["w"]),
    ):
        with pytest.raises(ValueError, match="sample_weight 'w' holds 2 values"):
            call()


@pytest.mark.parametrize(
    "weights",
    [list("ab"), pd.to_datetime(["2026-01-01"] * 2), [1j, 2j]],
    ids=["text", "dates", "complex"],
)
def test_weights_are_numbers(weights: Any) -> None:
    df = pd.DataFrame({"y": [0, 1], "yhat": [0, 1], "w": weights})
    with pytest.raises(ValueError, match="sample_weight 'w'.*must hold numbers"):
        df.ordinal.mae("y", "yhat", sample_weight="w")


def test_missing_nullable_weight() -> None:
    df = pd.DataFrame({"y": [0, 1], "yhat": [0, 1], "w": pd.array([1, None], "Int64")})
    with pytest.raises(ValueError, match="sample_weight 'w' holds 1 value "):
        df.ordinal.mae("y", "yhat", sample_weight="w")


def test_a_group_of_no_weight_has_no_score() -> None:
    df = pd.DataFrame({"y": [0, 1, 1], "yhat": [0, 1, 0], "g": [0, 0, 1], "w": [1, 2, 0]})
    report = df.ordinal.report("y", "yhat", metrics=["mae"], by="g", sample_weight="w")
    assert report["n"].tolist() == [2, 1]
    assert report["mae"].isna().tolist() == [False, True]


def test_sample_weights() -> None:
    df = predictions([0, 1, 2, 2, 0], [0, 2, 2, 0, 0], w=[2, 1, 1, 1, 3])
    half = df.assign(w=df["w"] * 0.5)
    repeated = df.loc[df.index.repeat(df["w"])]
    for result in (
        df.ordinal.report("y", "yhat", sample_weight="w"),
        half.ordinal.report("y", "yhat", sample_weight="w"),
        repeated.ordinal.report("y", "yhat"),
    ):
        assert result["kappa"] == pytest.approx(0.583333, abs=SIX)
        assert result["mae"] == 0.375
    assert df.ordinal.report("y", "yhat", sample_weight="w")["n"] == 5
    assert df.ordinal.confusion("y", "yhat", sample_weight="w").dtype == np.float64
    for bad in (-1, np.nan):
        with pytest.raises(ValueError, match="sample_weight 'w'"):
            score(df.assign(w=[1, 1, bad, 1, 1]), "mae", sample_weight="w")


@pytest.mark.parametrize("weight", [1e-161, 1e-300, 1e154, 1e300])
def test_weights_of_any_size(weight: float) -> None:
    df = TIED.assign(w=weight)
    for name in ("vus", "u_pairs", "u_ovo", "u_cons"):
        score = getattr(df.ordinal, name)
        assert score("y", "score", sample_weight="w") == pytest.approx(score("y", "score"))


def test_weights_beyond_floats() -> None:
    with pytest.raises(ValueError, match="'w' adds up to more than a float holds"):
        TIED.assign(w=1e308).ordinal.u_pairs("y", "score", sample_weight="w")


MODELS = pd.DataFrame({"y": [0, 1, 2], "a": [0, 1, 1], "b": [0, 2, 2], "t": list("lmh")})


def test_a_tuple_of_columns_is_no_list() -> None:
    with pytest.raises(KeyError, match=r"a tuple is one label: .* give a list, \['a', 'b'\]$"):
        MODELS.ordinal.mae("y", ("a", "b"))
    with pytest.raises(KeyError, match=r"a tuple is one label: .* give a list, \['a', 'q'\]$"):
        MODELS.ordinal.mae("y", ("a", "q"))
    assert len(MODELS.ordinal.mae("y", ["a", "b"])) == 2
    of_pairs = pd.DataFrame({("true", "y"): [0, 1], ("a", "b"): [0, 0]})
    assert of_pairs.ordinal.mae(("true", "y"), ("a", "b")) == 0.5


@pytest.mark.parametrize("option", ["pred", "score"])
def test_a_frame_of_columns_is_no_list(option: str) -> None:
    with pytest.raises(TypeError, match=rf"not a DataFrame: give {option}=\['a', 'b'\]$"):
        MODELS.ordinal.report("y", **{option: MODELS[["a", "b"]]})


@pytest.mark.parametrize("option", ["pred", "score"])
@pytest.mark.parametrize("by", ["model", ["g", "model"]])
def test_a_list_makes_the_level_model_by_itself(option: str, by: Any) -> None:
    frame = MODELS.assign(g=1)
    with pytest.raises(
        KeyError, match="already gives a row for each model; leave 'model' out of by="
    ):
        frame.ordinal.report("y", **{option: ["a", "b"]}, by=by)
    with pytest.raises(KeyError, match="no column 'nodel'"):
        frame.ordinal.report("y", **{option: ["a", "b"]}, by="nodel")
    with pytest.raises(KeyError, match="no column 'model'; its columns are"):
        frame.ordinal.report("y", **{option: "a"}, by="model")
    named = frame.rename_axis(columns="depth")
    with pytest.raises(KeyError, match="already gives a row for each depth"):
        named.ordinal.report("y", **{option: ["a", "b"]}, by="depth")


def test_text_beside_numbers() -> None:
    message = (
        "column 't' holds text, such as 'l', but column 'y' holds numbers. If .* positions .*, "
    )
    for given in (("y", "t"), ("t", "y"), ("y", ["a", "t"])):
        with pytest.raises(ClassOrderError, match=message) as caught:
            MODELS.ordinal.mae(*given)
    code = str(caught.value).rpartition("lowest first: ")[2]
    df = MODELS[["y", "t"]].copy()
    exec(code.replace("[<lowest>, ..., <highest>]", "list('lmh')"), {"pd": pd, "df": df})
    assert df.ordinal.mae("y", "t") == 0
    mixed = MODELS.assign(t=pd.Series(["l", 1, 2], MODELS.index, object))
    with pytest.raises(ClassOrderError, match="'t' .* declares no order of its classes"):
        mixed.ordinal.mae("y", "t")
    digits = MODELS.assign(t=list("012"))
    with pytest.raises(ClassOrderError, match=r"of text: df\['t'\] = df\['t'\]\.astype\(int\)$"):
        digits.ordinal.mae("y", "t")


@pytest.mark.parametrize("dropna", ["any", 1, None, "all"])
def test_dropna_is_true_or_false(dropna: Any) -> None:
    for call in (MODELS.ordinal.mae, MODELS.ordinal.report, MODELS.ordinal.confusion):
        with pytest.raises(TypeError, match=f"dropna={dropna!r} must be True or False"):
            call("y", "a", dropna=dropna)
    cube = MODELS.ordinal.confusion("y", "a")
    for given in (np.True_, np.False_):
        assert MODELS.ordinal.mae("y", "a", dropna=given) == MODELS.ordinal.mae("y", "a")
    assert cube.ordinal.mae(dropna=np.False_) == MODELS.ordinal.mae("y", "a")
