"""What a column of scores, or of probabilities, may hold; the rest is refused with a remedy."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import brute
import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal import (
    ClassOrderError,
    MissingValueError,
    UndefinedMetricWarning,
    UnknownClassError,
)
from pandas_ordinal.metrics import registry

LEVELS = ["low", "mid", "high"]
DTYPE = pd.CategoricalDtype(LEVELS, ordered=True)
OF_SCORES = [name for name, metric in registry.items() if metric.needs == "scores"]
OF_PROBABILITIES = [name for name, metric in registry.items() if metric.needs == "probabilities"]
SINGLE = [name for name in OF_SCORES if not registry[name].required]

# VUS 6 of 8 with halves: (1, 2, 3), (1, 2, 4), ... as the tests of the kernel count them
TIED = pd.DataFrame(
    {
        "y": pd.Categorical(["low", "low", "mid", "mid", "high", "high"], dtype=DTYPE),
        "score": [1, 2, 2, 3, 3, 4],
        "g": list("aabbab"),
        "w": 1,
    }
)
PROBA = pd.DataFrame(
    {
        "y": pd.Categorical(["high", "high"], dtype=DTYPE),
        "high": [0.3, 0.3],
        "low": [0.2, 0.5],
        "mid": [0.5, 0.2],
    },
    index=["first", "second"],
)


def vus_by_a_loop(scores: Any, ties: str = "half") -> float:
    """All sequences of a row of each class, for scores of two rows a class."""
    worths = []
    for a, b, c in itertools.product(scores[:2], scores[2:4], scores[4:]):
        if not a <= b <= c:
            worths.append(0.0)
        elif ties == "strict":
            worths.append(float(a < b < c))
        else:
            worths.append({0: 1.0, 1: 1 / 2, 2: 1 / 6}[(a == b) + (b == c)])
    return sum(worths) / len(worths)


# known values


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
                found = shuffled.loc[[row]].ordinal.rps("y", proba, **o)
                assert found == pytest.approx(value, rel=1e-12)
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


# what a score may be


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
    assert df.ordinal.vus_cov("y", "score", other="score") == pytest.approx(
        TIED.ordinal.vus_se("y", "score") ** 2, rel=1e-12
    )


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


BIG = [2**53, 2**53 + 1, 2**53 + 2, 2**53 + 3, 2**53 + 4, 2**53 + 5]


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
    with pytest.raises(ValueError, match=r"'score' holds integers beyond 2\*\*53.*dropna"):
        df.ordinal.vus("y", "score", ties="strict", dropna=True)
    known = df.dropna(subset=["score"])
    assert known.ordinal.vus("y", "score", ties="strict") == 1


def test_large_integers_in_an_array_are_not_tied() -> None:
    true = xr.DataArray([0, 0, 1, 1, 2, 2], dims="i")
    score = xr.DataArray(np.array(BIG, np.int64), dims="i")
    assert float(true.ordinal.vus(score, classes=LEVELS, ties="strict")) == 1


def test_infinite_scores() -> None:
    df = TIED.assign(score=[-np.inf, -np.inf, 0, 1, np.inf, np.inf])
    assert df.ordinal.vus("y", "score") == 1
    tied = df.assign(score=[-np.inf, np.inf, -np.inf, 1, np.inf, np.inf])
    expected = vus_by_a_loop(tied["score"].tolist())
    assert tied.ordinal.vus("y", "score") == pytest.approx(expected, rel=1e-12)


NO_SCORES: dict[str, Any] = {
    "text": list("abcdef"),
    "numbers as text": list("122334"),
    "objects": pd.Series([1, 2, 2, 3, 3, 4], dtype=object),
    "dates": pd.date_range("2026", periods=6),
    "dates with a zone": pd.date_range("2026", periods=6, tz="UTC"),
    "spans": pd.to_timedelta(range(6), unit="D"),
    "unordered": pd.Categorical([1, 2, 2, 3, 3, 4]),
    "complex": np.arange(6) * 1j,
    "periods": pd.period_range("2026", periods=6, freq="D"),
    "intervals": pd.interval_range(0, 6),
}


@pytest.mark.parametrize("kind", NO_SCORES)
@pytest.mark.parametrize("name", SINGLE)
def test_what_is_no_score(name: str, kind: str) -> None:
    values = pd.Series(NO_SCORES[kind])
    df = TIED.assign(age=values)
    for call in (
        lambda: getattr(df.ordinal, name)("y", "age"),
        lambda: getattr(df.ordinal, name)("y", ["score", "age"], by="g"),
        lambda: getattr(df.groupby("g").ordinal, name)("y", "age"),
        lambda: getattr(df["y"].ordinal, name)(df["age"]),
        lambda: df.ordinal.vus_cov("y", "score", other="age"),
        lambda: df["y"].ordinal.vus_cov(df["score"], other=df["age"]),
        lambda: df.ordinal.roc_surface("y", "age"),
        lambda: df.ordinal.best_thresholds("y", "age", metric="mae"),
        lambda: df["age"].ordinal.classify([1, 2], classes=LEVELS),
    ):
        with pytest.raises(ClassOrderError, match=r"'age'.*(Timedelta|astype)") as caught:
            call()
        assert str(values.dtype) in str(caught.value)


@pytest.mark.parametrize("kind", ["text", "objects", "dates", "complex"])
def test_what_is_no_score_in_an_array(kind: str) -> None:
    true = xr.DataArray([0, 0, 1, 1, 2, 2], dims="i")
    array = xr.DataArray(np.asarray(NO_SCORES[kind]), dims="i", name="age")
    with pytest.raises(ClassOrderError, match="'age'"):
        true.ordinal.vus(array, classes=LEVELS)


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


# missing values


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
@pytest.mark.parametrize("name", SINGLE)
def test_missing_scores(name: str, kind: str) -> None:
    df = pd.concat([TIED, TIED], ignore_index=True)
    values: list[Any] = [None, 2, 2, 3, None, 4, 1, 2, 2, 3, 3, 4]
    if kind == "boolean":
        values = [None if value is None else value > 2 for value in values]
    df["risk"] = pd.Series(values, dtype="float64" if kind == "sparse" else MISSING[kind])
    df = df.astype({"risk": MISSING[kind]})
    for call in (
        lambda: getattr(df.ordinal, name)("y", "risk"),
        lambda: getattr(df.ordinal, name)("y", ["score", "risk"], by="g"),
        lambda: getattr(df.groupby("g").ordinal, name)("y", "risk"),
        lambda: getattr(df["y"].ordinal, name)(df["risk"]),
    ):
        with pytest.raises(MissingValueError, match="'risk' holds 2 missing values: .*dropna"):
            call()
    kept = df[df["risk"].notna()]
    expected = getattr(kept.ordinal, name)("y", "risk")
    found = getattr(df.ordinal, name)("y", "risk", dropna=True)
    npt.assert_array_equal(found, expected)
    found = getattr(df["y"].ordinal, name)(df["risk"], dropna=True)
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
    both = df.dropna(subset=["y", "score", "second"])
    found = df.ordinal.vus_cov("y", "score", other="second", dropna=True)
    assert found == both.ordinal.vus_cov("y", "score", other="second")


@pytest.mark.parametrize("name", ["vus", "u_pairs", "rps", "brier"])
def test_missing_truths_and_keys(name: str) -> None:
    df = brute.scored()
    second = "score" if name in SINGLE else df["y"].cat.categories.tolist()
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


def test_missing_other_scores() -> None:
    df = TIED.assign(risk=[1, 2, np.nan, 4, 5, 6])
    with pytest.raises(MissingValueError, match="'risk' holds 1 missing value:"):
        df.ordinal.vus_cov("y", "score", other="risk")
    with pytest.raises(MissingValueError, match="'risk' holds 1 missing value:"):
        df["y"].ordinal.vus_cov(df["score"], other=df["risk"])


def test_missing_values_in_arrays() -> None:
    names = ["low", "mid", "high"]
    true = xr.DataArray([0, 0, 1, -1, 2, 2], dims="i", name="truth")
    score = xr.DataArray([1, 2, 2, 3, np.nan, 4], dims="i", name="risk")
    with pytest.raises(MissingValueError, match="'truth' holds 1 missing"):
        true.ordinal.vus(score, classes=names)
    with pytest.raises(MissingValueError, match="'risk' holds 1 missing"):
        abs(true).ordinal.vus(score, classes=names)
    with pytest.raises(ClassOrderError, match="-1"):
        true.ordinal.vus(score)
    expected = TIED.iloc[[0, 1, 2, 5]].ordinal.vus("y", "score")
    for t, s in ((true, score), (true.chunk(i=2), score.chunk(i=3))):
        found = t.ordinal.vus(s, classes=names, dropna=True)
        assert float(found) == pytest.approx(expected, rel=1e-12)
        with pytest.raises(MissingValueError):
            t.ordinal.vus(s, classes=names).compute()
    scores = xr.concat([score, score.fillna(3)], "model")
    found = true.ordinal.vus(scores, dim="i", classes=names, dropna=True)
    second = TIED.iloc[[0, 1, 2, 4, 5]].ordinal.vus("y", "score")
    npt.assert_allclose(found, [expected, second], rtol=1e-12)


@pytest.mark.parametrize("name", OF_PROBABILITIES)
def test_missing_probabilities(name: str) -> None:
    df = brute.scored()
    classes = df["y"].cat.categories.tolist()
    df.loc[[4, 8], classes[2]] = np.nan
    df.loc[3, "y"] = np.nan
    with pytest.raises(MissingValueError, match="'y' holds 1 missing value:"):
        getattr(df.ordinal, name)("y", classes)
    known = df[df["y"].notna()]
    message = f"'{classes[2]}' holds 2 missing values: .*dropna"
    for call in (
        lambda: getattr(known.ordinal, name)("y", classes),
        lambda: getattr(known.ordinal, name)("y", classes, by="g"),
        lambda: getattr(known.groupby("g").ordinal, name)("y", classes),
        lambda: getattr(known["y"].ordinal, name)(known[classes]),
    ):
        with pytest.raises(MissingValueError, match=message):
            call()
    kept = df.drop(index=[3, 4, 8])
    expected = getattr(kept.ordinal, name)("y", classes)
    assert getattr(df.ordinal, name)("y", classes, dropna=True) == expected
    nullable = df.astype(dict.fromkeys(classes, "Float64"))
    assert getattr(nullable.ordinal, name)("y", classes, dropna=True) == expected
    assert getattr(df["y"].ordinal, name)(df[classes], dropna=True) == expected
    true = xr.DataArray(df["y"].cat.codes.to_numpy(), dims="i")
    array = xr.DataArray(df[classes].to_numpy(), dims=("i", "c"), coords={"c": classes})
    found = getattr(true.ordinal, name)(array, classes=classes, dropna=True)
    assert float(found) == pytest.approx(expected, rel=1e-12)
    with pytest.raises(MissingValueError, match="'proba' holds"):
        getattr(abs(true).ordinal, name)(array, classes=classes)


# a class without rows


def caught(call: Any) -> tuple[Any, list[str]]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        value = call()
    assert all(w.category is UndefinedMetricWarning and w.filename == __file__ for w in found)
    return value, [str(w.message) for w in found]


def test_a_declared_class_without_rows() -> None:
    df = TIED[TIED["y"] != "mid"]
    ds = xr.Dataset({"y": ("i", df["y"].cat.codes), "score": ("i", df["score"])})
    for call in (
        lambda: df.ordinal.vus("y", "score"),
        lambda: df["y"].ordinal.vus(df["score"]),
        lambda: ds.ordinal.vus("y", "score", classes=LEVELS),
        lambda: ds["y"].ordinal.vus(ds["score"], classes=LEVELS),
    ):
        value, messages = caught(call)
        assert np.isnan(value) and len(messages) == 1
        assert messages[0].startswith("vus ")
    for name in ("u_ovo", "u_pairs", "u_cons"):
        value, messages = caught(lambda name=name: getattr(df.ordinal, name)("y", "score"))
        assert value == 1 and messages == []
    matrix, messages = caught(lambda: df.ordinal.pairwise_auc("y", "score"))
    assert messages == [] and matrix.notnull().sum() == 1
    assert float(matrix.sel(true="low", pred="high")) == 1
    splits, messages = caught(lambda: df.ordinal.consecutive_auc("y", "score"))
    assert messages == [] and splits[:2].tolist() == [1, 1]
    chunked = ds.chunk(i=2).ordinal.vus("y", "score", classes=LEVELS)
    value, messages = caught(chunked.compute)
    assert np.isnan(value) and messages == []


def test_groups_are_named_in_one_warning() -> None:
    groups = TIED.assign(g=["one", "all", "one", "all", "all", "one"])
    groups = pd.concat([groups, groups[:1].assign(g="none", score=np.nan)])
    value, messages = caught(lambda: groups.ordinal.vus("y", "score", by="g", dropna=True))
    assert messages == [] and value.isna().tolist() == [False, True, False]
    df = groups[groups["y"] != "mid"].assign(h=1)
    for call in (
        lambda: df.ordinal.vus("y", "score", by="g", dropna=True),
        lambda: df.groupby("g").ordinal.vus("y", "score", dropna=True),
        lambda: df.ordinal.vus("y", ["score"], by="g", dropna=True),
        lambda: df.ordinal.vus("y", "score", by=["g", "h"], dropna=True),
        lambda: df.ordinal.vus_se("y", "score", by="g", dropna=True),
    ):
        value, messages = caught(call)
        assert value.isna().all() and len(messages) == 1
        assert "'one'" in messages[0] and "'all'" in messages[0]
        assert "'none'" not in messages[0]


@pytest.mark.parametrize("name", ["pairwise_auc", "consecutive_auc"])
def test_results_by_class_warn_only_where_no_class_has_a_value(name: str) -> None:
    df = TIED.assign(g=["one", "one", "two", "two", "two", "two"])
    array = xr.DataArray(df["y"].cat.codes.to_numpy(), dims="i").isel(i=[0, 1])
    score = xr.DataArray([1, 2], dims="i")
    for call in (
        lambda: getattr(df.ordinal, name)("y", "score", by="g"),
        lambda: getattr(df.groupby("g").ordinal, name)("y", "score"),
        lambda: getattr(df.ordinal, name)("y", ["score"], by="g"),
    ):
        _, messages = caught(call)
        assert len(messages) == 1 and messages[0].startswith(f"{name} ")
        assert "'one'" in messages[0] and "'two'" not in messages[0]
    _, messages = caught(lambda: getattr(array.ordinal, name)(score, classes=LEVELS))
    assert len(messages) == 1


def test_the_number_of_classes_is_declared_and_not_that_of_a_group() -> None:
    df = TIED.assign(g=["a", "a", "a", "b", "b", "b"])  # no "high" in a, no "low" in b
    value, messages = caught(lambda: df.ordinal.vus("y", "score", by="g"))
    assert value.isna().all() and len(messages) == 1
    two = pd.CategoricalDtype(["low", "mid"], ordered=True)
    of_a = df[:3].astype({"y": object}).astype({"y": two}).ordinal.vus("y", "score")
    assert of_a == (1 + 1 / 2) / 2
    more = df.assign(y=df["y"].cat.add_categories("top"))
    value, messages = caught(lambda: more.ordinal.vus("y", "score"))
    assert np.isnan(value) and len(messages) == 1
    value, messages = caught(lambda: more.ordinal.pairwise_auc("y", "score"))
    assert value.shape == (4, 4) and messages == []
    integers = df.assign(y=df["y"].cat.codes)
    value, _ = caught(lambda: integers.ordinal.vus("y", "score", by="g"))
    assert value.isna().all()
    assert integers.ordinal.vus("y", "score") == pytest.approx(0.75)


def test_a_class_of_weight_zero_has_no_rows() -> None:
    df = TIED.assign(w=[1, 1, 0, 0, 1, 1])
    value, messages = caught(lambda: df.ordinal.vus("y", "score", sample_weight="w"))
    assert np.isnan(value) and len(messages) == 1
    value, messages = caught(lambda: df.ordinal.u_pairs("y", "score", sample_weight="w"))
    assert value == 1 and messages == []


# names


ODD_NAMES = ["score", "proba", "count", "ordinal", "name", "model", "true", "", 0, 1.5, True]
ODD_NAMES += [("a", "b"), pd.Timestamp("2026-01-01")]


@pytest.mark.parametrize("name", ODD_NAMES, ids=str)
@pytest.mark.parametrize("role", ["y", "risk", "w"])
def test_columns_of_any_name(role: str, name: Any) -> None:
    df = brute.scored(60).rename(columns={"score": "risk"})
    classes = df["y"].cat.categories.tolist()
    labels = [name if label == role else label for label in df.columns]
    renamed = df.set_axis(pd.Index(labels, dtype=object, tupleize_cols=False), axis=1)
    y, risk, w = (name if label == role else label for label in ("y", "risk", "w"))
    for metric, columns, expected in [
        ("vus", risk, df.ordinal.vus("y", "risk", by="g", sample_weight="w")),
        ("rps", classes, df.ordinal.rps("y", classes, by="g", sample_weight="w")),
    ]:
        found = getattr(renamed.ordinal, metric)(y, columns, by="g", sample_weight=w)
        npt.assert_array_equal(found, expected)
        grouped = getattr(renamed.groupby("g").ordinal, metric)(y, columns, sample_weight=w)
        npt.assert_array_equal(grouped, expected)
    wide = renamed.ordinal.vus(y, [risk, "second"])
    assert list(wide.index) == [risk, "second"]
    npt.assert_array_equal(wide, df.ordinal.vus("y", ["risk", "second"]))
    cov = renamed.ordinal.vus_cov(y, "second", other=risk)
    assert cov == df.ordinal.vus_cov("y", "second", other="risk")


def test_multiindex_columns() -> None:
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


def test_duplicate_labels() -> None:
    df = pd.concat([TIED, TIED[["score", "w"]]], axis=1).assign(other=1)
    with pytest.raises(ValueError, match="'score' names 2 columns"):
        df.ordinal.vus("y", "score")
    with pytest.raises(ValueError, match="'score' names 2 columns"):
        df.ordinal.vus_cov("y", "other", other="score")
    with pytest.raises(ValueError, match="'w' names 2 columns"):
        df.ordinal.vus("y", "other", sample_weight="w")
    assert df.ordinal.vus("y", "other") == pytest.approx(1 / 6)
    twice = pd.concat([PROBA, PROBA[["mid"]]], axis=1)
    with pytest.raises(ValueError, match="'mid' names 2 columns"):
        twice.ordinal.rps("y", LEVELS)
    with pytest.raises(ValueError, match="'mid'.*twice"):
        twice["y"].ordinal.rps(twice[["low", "mid", "high"]])


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
    with pytest.raises(KeyError, match="'scores'"):
        TIED.ordinal.vus_cov("y", "score", other="scores")
    ds = xr.Dataset({"y": ("i", [0, 1]), "score": ("i", [0, 1])})
    for name in ("vus", "rps"):
        with pytest.raises(KeyError, match="'nothing'"):
            getattr(ds.ordinal, name)("y", "nothing")
    with pytest.raises(KeyError, match="'nothing'"):
        ds.ordinal.vus_cov("y", "score", other="nothing")


@pytest.mark.parametrize("surface", [TIED, TIED.groupby("g")], ids=["frame", "groupby"])
def test_lists_of_scores_that_are_none(surface: Any) -> None:
    for score in ([], ["score", "score"]):
        with pytest.raises(ValueError, match="score="):
            surface.ordinal.vus("y", score)
    for score in (TIED["score"], {"score"}, lambda row: row, [["score"]]):
        with pytest.raises(TypeError, match="score="):
            surface.ordinal.vus("y", score)
    with pytest.raises(TypeError, match="other="):
        surface.ordinal.vus_cov("y", "score", other=["score"])
    with pytest.raises(TypeError, match="other"):
        surface.ordinal.vus_cov("y", "score")


def test_rows_of_a_series_are_never_aligned() -> None:
    true, score, w = TIED["y"], TIED["score"], TIED["w"]
    for bad in (score[::-1], score[:-1], score.set_axis(range(1, 7))):
        with pytest.raises(ValueError, match="index of score 'score'.*'y'"):
            true.ordinal.vus(bad)
        with pytest.raises(ValueError, match="index of other 'score'.*'y'"):
            true.ordinal.vus_cov(score, other=bad)
    with pytest.raises(ValueError, match="index of sample_weight 'w'"):
        true.ordinal.vus(score, sample_weight=w[::-1])
    proba = PROBA[LEVELS]
    for rows in (proba[::-1], proba[:1]):
        with pytest.raises(ValueError, match="index of proba"):
            PROBA["y"].ordinal.rps(rows)
    for score_ in (score.tolist(), score.to_numpy(), "score", None, TIED[["score"]]):
        with pytest.raises(TypeError, match="score must be a Series"):
            true.ordinal.vus(score_)
        with pytest.raises(TypeError, match="other must be a Series"):
            true.ordinal.vus_cov(score, other=score_)
    for proba_ in (proba.to_numpy(), LEVELS, PROBA["low"], {"low": PROBA["low"]}, None):
        with pytest.raises(TypeError, match="proba must be a DataFrame"):
            PROBA["y"].ordinal.rps(proba_)


def test_series_without_names() -> None:
    true, score = pd.Series([0, 1, 2]), pd.Series([0.5, None, 2])
    with pytest.raises(MissingValueError, match="'score' holds 1"):
        true.ordinal.vus(score)
    with pytest.raises(MissingValueError, match="'other' holds 1"):
        true.ordinal.vus_cov(score.fillna(1), other=score)
    with pytest.raises(MissingValueError, match="'true' holds 1"):
        pd.Series([0, None]).ordinal.vus(pd.Series([1, 2]))


def test_arrays_are_never_aligned() -> None:
    true = xr.DataArray([0, 1, 2], dims="i", coords={"i": [7, 8, 9]})
    score = true.astype(float)
    assert float(true.ordinal.vus(score)) == 1
    assert float(true.ordinal.vus(score.drop_vars("i"))) == 1
    other = score.assign_coords(i=[8, 9, 10])
    proba = xr.DataArray(np.eye(3), dims=("i", "c"), coords={"c": [0, 1, 2], "i": [9, 8, 7]})
    for call in (
        lambda: true.ordinal.vus(other),
        lambda: true.ordinal.vus(score[::-1]),
        lambda: true.ordinal.vus(score[:2]),
        lambda: true.ordinal.vus_cov(score, other=other),
        lambda: true.ordinal.vus(score, sample_weight=other),
        lambda: true.ordinal.rps(proba),
    ):
        with pytest.raises(ValueError, match="'i'.*never aligned"):
            call()
    with pytest.raises(ValueError, match="'i'"):
        true.ordinal.vus(score.rename(i="j"))
    with pytest.raises(ValueError, match="'j'"):
        true.ordinal.vus(score, dim="j")
    for bad in (score.to_numpy(), [0, 1, 2], "score", None):
        with pytest.raises(TypeError, match="score must be a DataArray"):
            true.ordinal.vus(bad)
        with pytest.raises(TypeError, match="other must be a DataArray"):
            true.ordinal.vus_cov(score, other=bad)


def test_weights_of_arrays() -> None:
    true = xr.DataArray([2, 2], dims="i")
    proba = xr.DataArray(PROBA[LEVELS].to_numpy(), dims=("i", "c"), coords={"c": LEVELS})
    weights = xr.DataArray([3.0, 1.0], dims="i", name="w")
    found = true.ordinal.rps(proba, classes=LEVELS, sample_weight=weights)
    assert float(found) == pytest.approx((3 * 0.53 + 0.74) / 4, rel=1e-12)


def test_refused_weights_of_arrays_are_named() -> None:
    true = xr.DataArray([0, 1], dims="i")
    weights = xr.DataArray([-3.0, -1.0], dims="i", name="w")
    with pytest.raises(ValueError, match="sample_weight 'w' holds 2 values"):
        true.ordinal.vus(true, sample_weight=weights)


def test_weights_over_the_classes_are_refused_in_our_words() -> None:
    true = xr.DataArray([2, 2], dims="i")
    proba = xr.DataArray(PROBA[LEVELS].to_numpy(), dims=("i", "c"), coords={"c": LEVELS})
    with pytest.raises(ValueError, match="sample_weight has dimensions"):
        true.ordinal.rps(proba, classes=LEVELS, sample_weight=proba)


def test_chunked_truths_need_their_classes() -> None:
    true, score = xr.DataArray([0, 1, 2], dims="i"), xr.DataArray([0.5, 1, 2], dims="i")
    with pytest.raises(ClassOrderError, match="classes="):
        true.chunk(i=1).ordinal.vus(score)
    found = true.ordinal.vus(score.chunk(i=1))
    assert found.chunks is not None and float(found) == 1


# probabilities that are none


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
    with pytest.raises(ValueError, match="a column for two classes"):
        PROBA.ordinal.rps("y", {"low": "low", "mid": "low", "high": "high"})
    for bad in ("low", None, 3, {"low", "mid", "high"}, PROBA[LEVELS]):
        with pytest.raises(TypeError, match="list of columns named as the classes"):
            PROBA.ordinal.rps("y", bad)


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


@pytest.mark.parametrize("name", OF_PROBABILITIES)
@pytest.mark.parametrize("row", [[0.5, 0.5, 0.5], [1.2, -0.2, 0.0], [0, 0, 0], [np.inf, 0, 0]])
def test_rows_that_do_not_sum_to_one_are_named(name: str, row: list[float]) -> None:
    df = pd.concat([PROBA, PROBA.assign(**dict(zip(LEVELS, row, strict=True)))[:1]])
    df.index = pd.Index(["first", "second", "third"])
    score = getattr(df.ordinal, name)
    grouped = getattr(df.assign(g=1).groupby("g").ordinal, name)
    for call in (
        lambda: score("y", LEVELS),
        lambda: score("y", LEVELS, by="y"),
        lambda: score("y", LEVELS, dropna=True),
        lambda: grouped("y", LEVELS),
        lambda: getattr(df["y"].ordinal, name)(df[LEVELS]),
        lambda: df.ordinal.expected_class(LEVELS, classes=DTYPE),
        lambda: df.ordinal.most_likely(LEVELS, classes=DTYPE),
    ):
        with pytest.raises(ValueError, match="row 'third'.*divide each row by its sum"):
            call()
    array = xr.DataArray(df[LEVELS].to_numpy(), dims=("i", "c"), coords={"c": LEVELS})
    true = xr.DataArray([2, 2, 2], dims="i")
    for proba in (array, array.chunk(i=1)):
        with pytest.raises(ValueError, match="sum to 1"):
            getattr(true.ordinal, name)(proba, classes=LEVELS).compute()


def test_the_row_is_named_although_others_are_left_out() -> None:
    df = pd.DataFrame({"y": [0, 1, 1, None], "g": ["a", None, "a", "a"]})
    df[[0, 1]] = [[0.5, 0.5], [9, 9], [0.5, 0.6], [np.nan, 1]]
    df.index = pd.Index(list("wxyz"))
    with pytest.raises(ValueError, match="1 row are none.*row 'y'|1 row .*row 'y'"):
        df.ordinal.rps("y", [0, 1], by="g", classes=[0, 1], dropna=True)


def test_sums_that_are_nearly_one() -> None:
    thirds = PROBA.assign(low=1 / 3, mid=1 / 3, high=0.333333)
    assert thirds.ordinal.rps("y", LEVELS) == pytest.approx(1 / 9 + 4 / 9)
    single = PROBA.astype(dict.fromkeys(LEVELS, "float32"))
    assert single.ordinal.rps("y", LEVELS) == pytest.approx(0.635, rel=1e-6)


@pytest.mark.parametrize("dim", ["class", "pred", "true", "label"])
def test_the_dimension_of_the_classes_may_have_any_name(dim: str) -> None:
    true = xr.DataArray([2, 2], dims="i")
    proba = xr.DataArray(PROBA[LEVELS].to_numpy(), dims=("i", dim), coords={dim: LEVELS})
    found = true.ordinal.rps(proba, classes=LEVELS)
    assert found.dims == () and float(found) == pytest.approx(0.635)


def test_the_dimension_of_the_classes_is_found_by_its_labels() -> None:
    true = xr.DataArray([2, 2], dims="i")
    values = PROBA[LEVELS].to_numpy()
    proba = xr.DataArray(values, dims=("i", "c"))
    others = [["low", "mid", "top"], [0, 1, 2], ["low", "mid", "mid"]]
    for bad in (proba, *(proba.assign_coords(c=labels) for labels in others)):
        with pytest.raises(UnknownClassError, match=r"\['low', 'mid', 'high'\]"):
            true.ordinal.rps(bad, classes=LEVELS)
    square = xr.DataArray(np.stack([values] * 3), dims=("m", "i", "c"))
    for dim in ("m", "c"):  # three models and three classes
        with pytest.raises(UnknownClassError, match="2 dimensions"):
            true.ordinal.rps(square.assign_coords(m=LEVELS, c=LEVELS), classes=LEVELS)
        found = true.ordinal.rps(square.assign_coords(m=[0, 1, 2], c=LEVELS), classes=LEVELS)
        assert found.dims == ("m",) and dim
        npt.assert_allclose(found, [0.635] * 3)


# continuous predictions


@pytest.mark.parametrize("truth", ["integers", "ordered"])
@pytest.mark.parametrize("name", ["kappa", "mae", "report"])
def test_continuous_predictions_of_classes(name: str, truth: str) -> None:
    codes = np.array([0, 1, 2, 2, 0])
    y = codes if truth == "integers" else pd.Categorical.from_codes(codes, dtype=DTYPE)
    df = pd.DataFrame({"y": y, "risk": [0.2, 1.7, 2.4, 0.1, 0.3]})
    with pytest.raises(ValueError, match="'risk'") as caught:
        getattr(df.ordinal, name)("y", "risk")
    message = str(caught.value)
    for remedy in ("round", ".ordinal.cut(", ".ordinal.classify(", "vus"):
        assert remedy in message, remedy


def test_each_remedy_works() -> None:
    df = pd.DataFrame({"y": [0, 1, 2, 2, 0], "risk": [0.2, 1.7, 2.4, 0.1, 0.3]})
    expected = df.assign(yhat=[0, 2, 2, 0, 0]).ordinal.kappa("y", "yhat", weights="quadratic")
    rounded = df.assign(yhat=df["risk"].round())
    assert rounded.ordinal.kappa("y", "yhat", weights="quadratic") == pytest.approx(expected)
    thresholds = [0.5, 1.5]
    classified = df.assign(yhat=df["risk"].ordinal.classify(thresholds, classes=[0, 1, 2]))
    assert classified.ordinal.kappa("y", "yhat", weights="quadratic") == pytest.approx(expected)
    edges = [-np.inf, 0.5, 1.5, np.inf]
    cut = df.assign(yhat=df["risk"].ordinal.cut(edges))
    assert cut["yhat"].cat.codes.tolist() == [0, 2, 2, 0, 0]
    # of the pairs of different classes three are ranked wrong: 0.2, 0.3 and 1.7 above 0.1
    assert df.ordinal.u_pairs("y", "risk") == pytest.approx(5 / 8)


def test_the_continuous_formula_of_quadratic_kappa() -> None:
    true, pred = np.array([0, 1, 2, 2, 0]), np.array([0, 2, 2, 0, 0])
    cov = np.mean((true - true.mean()) * (pred - pred.mean()))
    gap = true.mean() - pred.mean()
    continuous = 2 * cov / (true.var() + pred.var() + gap**2)
    assert continuous == pytest.approx(0.444444, abs=1e-6)
    df = pd.DataFrame({"y": true, "yhat": pred})
    assert df.ordinal.kappa("y", "yhat", weights="quadratic") == pytest.approx(
        continuous, rel=1e-12
    )


def test_messages_about_columns_that_are_there() -> None:
    with pytest.raises(ClassOrderError) as caught:
        PROBA.ordinal.expected_class(LEVELS)
    assert "classes=" in str(caught.value) and "df['proba']" not in str(caught.value)


def test_errors_are_value_errors() -> None:
    for error in (ClassOrderError, MissingValueError, UnknownClassError):
        assert issubclass(error, ValueError)
    assert po.MissingValueError is MissingValueError


def test_a_cube_has_no_scores() -> None:
    cube = TIED.ordinal.confusion("y", "y")
    with pytest.raises(TypeError, match=r"true\.ordinal\.vus\(score\)"):
        cube.ordinal.vus()
    with pytest.raises(ValueError, match=r"vus needs scores, and a cube holds counts"):
        cube.ordinal.vus(xr.DataArray([1, 2, 3], dims="true"))


def test_the_remedy_for_times_keeps_what_is_missing() -> None:
    times = pd.to_datetime(pd.Series(["2020-01-01", "2021-01-01", None]))
    df = pd.DataFrame({"y": [0, 1, 1], "s": times})
    with pytest.raises(ClassOrderError) as raised:
        df.ordinal.vus("y", "s")
    remedy = str(raised.value).partition("as with ")[2]
    df["s"] = eval(remedy, {"df": df, "pd": pd})
    assert df.ordinal.vus("y", "s", dropna=True) == 1


@pytest.mark.parametrize("weight", [1e-161, 1e-300, 1e154, 1e300])
def test_weights_of_any_size(weight: float) -> None:
    df = TIED.assign(w=weight)
    for name in ("vus", "u_pairs", "u_ovo", "u_cons"):
        score = getattr(df.ordinal, name)
        assert score("y", "score", sample_weight="w") == pytest.approx(score("y", "score"))


def test_weights_beyond_floats() -> None:
    with pytest.raises(ValueError, match="'w' adds up to more than a float holds"):
        TIED.assign(w=1e308).ordinal.u_pairs("y", "score", sample_weight="w")


def test_probabilities_of_rows_left_out_are_not_looked_at() -> None:
    df = pd.DataFrame({"y": [0, 1, None], "yhat": [0, None, 1]})
    df[[0, 1]] = [[0.5, 0.5], [7, 7], [0.3, 0.2]]
    report = df.ordinal.report("y", "yhat", proba=[0, 1], dropna=True, metrics=["rps"])
    assert report.tolist() == [1, 0.25]
    known = df.assign(y=[0, None, None])
    assert known.ordinal.rps("y", [0, 1], classes=[0, 1], dropna=True) == 0.25
    with pytest.raises(ValueError, match="row 1, holds"):
        df.ordinal.rps("y", [0, 1], dropna=True)


def test_no_models_at_all() -> None:
    true = xr.DataArray([0, 1], dims="i")
    score = xr.DataArray(np.zeros((0, 2)), dims=("model", "i"))
    assert true.ordinal.vus(score).sizes == {"model": 0}


def test_text_in_arrays() -> None:
    true = xr.DataArray([0, 1], dims="i")
    with pytest.raises(ClassOrderError, match=r"'score' holds <U1, no numbers.*astype\(float\)"):
        true.ordinal.vus(xr.DataArray(["a", "b"], dims="i"))
    with pytest.raises(UnknownClassError, match=r"\{'grade': \['0', '1'\]\}"):
        true.ordinal.rps(
            xr.DataArray([[0.5, 0.5]] * 2, dims=("i", "grade"), coords={"grade": ["0", "1"]})
        )
