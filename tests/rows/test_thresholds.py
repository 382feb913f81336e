"""From scores and probabilities to classes: thresholds and decisions on frames and Series."""

from __future__ import annotations

import inspect
import itertools
import math
from functools import partial
from typing import Any

import brute
import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr
from labelled import DTYPE, LEVELS, plain
from oracles import probability, thresholds

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, MissingValueError, UnknownClassError, metrics
from pandas_ordinal.metrics import thresholds as kernels

K = 3


def frame(n_rows: int = 60, seed: int = 0) -> pd.DataFrame:
    """Scores with ties of three classes, their probabilities and weights."""
    rng = np.random.default_rng(seed)
    codes = rng.permutation(np.arange(n_rows) % K)
    proba = rng.multinomial(8, np.ones(K) / K, n_rows) / 8
    columns = dict(zip(LEVELS, proba.T, strict=True))
    return pd.DataFrame(
        {
            "y": pd.Categorical.from_codes(codes, dtype=DTYPE),
            "score": (codes + rng.normal(0, 1, n_rows)).round(1),
            "high": columns["high"],
            "low": columns["low"],
            "mid": columns["mid"],
            "w": rng.integers(0, 4, n_rows) / 2,
        },
        index=pd.Index(rng.integers(0, 9, n_rows), name="case"),
    )


FRAME = frame()
CODES = FRAME["y"].cat.codes.to_numpy()
SCORES = FRAME["score"].to_numpy()
WEIGHTS = FRAME["w"].to_numpy()
COSTS = np.array([[0, 5, 9], [1, 0, 2], [6, 1, 0]])


def positions(series: pd.Series) -> list[int]:
    return [-1 if pd.isna(label) else LEVELS.index(label) for label in series]


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("given", [None, [0.5, 1.5], [[0, 1], [0.5, 0.5], [-np.inf, np.inf]]])
def test_roc_surface(given: Any, weight: str | None) -> None:
    found = FRAME.ordinal.roc_surface("y", "score", thresholds=given, sample_weight=weight)
    limits, rates = metrics.roc_surface(
        CODES, SCORES, K, thresholds=given, sample_weight=None if weight is None else WEIGHTS
    )
    npt.assert_array_equal(found, np.atleast_2d(rates))
    assert found.index.names == ["low|mid", "mid|high"]
    npt.assert_array_equal(found.index.to_frame(), np.atleast_2d(limits))
    assert found.columns.name == "class" and found.columns.tolist() == LEVELS
    assert found.columns.ordered
    rows = found.sample(min(len(found), 20), random_state=0)
    for limit, line in zip(rows.index, rows.to_numpy(), strict=True):
        expected = thresholds.rates(
            CODES.tolist(), SCORES.tolist(), limit, K, None if weight is None else WEIGHTS
        )
        npt.assert_allclose(line, expected, rtol=1e-12)


def test_roc_surface_of_two_classes() -> None:
    df = pd.DataFrame({"y": [0, 0, 1, 1], "score": [1, 2, 2, 3]})
    found = df.ordinal.roc_surface("y", "score")
    assert found.index.name == "0|1" and found.index.tolist() == [-math.inf, 1, 2, 3]
    assert found[0].tolist() == [0, 0.5, 1, 1] and found[1].tolist() == [1, 1, 0.5, 0]
    area = np.trapezoid(found[1], found[0])
    assert area == pytest.approx(df.ordinal.vus("y", "score"), rel=1e-12)


def test_thresholds_of_the_surface_may_be_its_index() -> None:
    best = FRAME.ordinal.best_thresholds("y", "score", metric="mae")
    found = FRAME.ordinal.roc_surface("y", "score", thresholds=best)
    assert found.shape == (1, K) and found.index.tolist() == [tuple(best)]
    given = FRAME.ordinal.roc_surface("y", "score", thresholds=[[0.5, 1.5], [1, 2]])
    again = FRAME.ordinal.roc_surface("y", "score", thresholds=given.index.to_frame())
    pd.testing.assert_frame_equal(again, given)
    recall = FRAME.assign(yhat=FRAME["score"].ordinal.classify(best)).ordinal.class_recall(
        "y", "yhat"
    )
    npt.assert_allclose(found.iloc[0], recall, rtol=1e-12)


def test_roc_surface_of_one_class() -> None:
    df = pd.DataFrame({"y": [0, 0], "score": [1, 2]})
    with pytest.raises(ValueError, match="2 or 3 classes, not for 1"):
        df.ordinal.roc_surface("y", "score")
    found = df.ordinal.roc_surface("y", "score", thresholds=[[], []])
    assert found.to_dict("list") == {0: [1, 1]} and found.index.tolist() == [0, 1]


# the best thresholds


def lowest_cost(df: pd.DataFrame, costs: np.ndarray, weights: Any = None) -> float:
    """The least of all costs that thresholds at, or below, the scores lead to."""
    codes, scores = df["y"].cat.codes.tolist(), df["score"].tolist()
    total = []
    for low, high in itertools.combinations_with_replacement([-math.inf, *sorted(scores)], 2):
        cost = 0.0
        for row, (k, f) in enumerate(zip(codes, scores, strict=True)):
            predicted = 0 if f <= low else 1 if f <= high else 2
            cost += costs[k][predicted] * (1 if weights is None else weights[row])
        total.append(cost)
    return min(total) / (len(df) if weights is None else sum(weights))


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("weight", [None, "w"])
def test_what_classes_by_the_best_thresholds_cost(seed: int, weight: str | None) -> None:
    df = frame(18, seed)
    o: dict[str, Any] = {"sample_weight": weight}
    best = df.ordinal.best_thresholds("y", "score", costs=COSTS, **o)
    assert best.name == "threshold" and best.index.name == "class" and best.dtype == float
    assert best.index.tolist() == ["low", "mid"] and best.index.categories.tolist() == LEVELS
    npt.assert_array_equal(
        best,
        metrics.best_thresholds(
            df["y"].cat.codes,
            df["score"],
            K,
            costs=COSTS,
            sample_weight=None if weight is None else df["w"],
        ),
    )
    predicted = df["score"].ordinal.classify(best)
    assert isinstance(predicted.dtype, pd.CategoricalDtype) and predicted.dtype == DTYPE
    assert predicted.index.equals(df.index) and predicted.name == "score"
    found = df.assign(yhat=predicted).ordinal.expected_cost("y", "yhat", costs=COSTS, **o)
    weights = None if weight is None else df["w"].tolist()
    assert found == pytest.approx(lowest_cost(df, COSTS, weights), rel=1e-12)


@pytest.mark.parametrize("metric", ["mae", "accuracy", "amae", "kappa", "accuracy_within"])
def test_the_best_by_a_metric(metric: str) -> None:
    df = frame(15, 3)
    best = df.ordinal.best_thresholds("y", "score", metric=metric)
    npt.assert_array_equal(
        best, metrics.best_thresholds(df["y"].cat.codes, df["score"], K, metric=metric)
    )
    value = getattr(df.assign(yhat=df["score"].ordinal.classify(best)).ordinal, metric)(
        "y", "yhat"
    )
    places = [-math.inf, *sorted(df["score"])]
    values = []
    for limits in itertools.combinations_with_replacement(places, 2):
        yhat = df["score"].ordinal.classify(limits, classes=LEVELS)
        counts = brute.counts(df["y"].cat.codes, positions(yhat), K)
        values.append(float(getattr(metrics, metric)(counts)))
    best_of_all = max if metrics.registry[metric].greater_is_better else min
    expected = best_of_all(v for v in values if not math.isnan(v))
    assert value == pytest.approx(expected, rel=1e-12)
    kernel = getattr(metrics, metric)
    pd.testing.assert_series_equal(df.ordinal.best_thresholds("y", "score", metric=kernel), best)


def test_options_of_the_metric() -> None:
    linear = partial(metrics.kappa, weights="linear")
    found = FRAME.ordinal.best_thresholds("y", "score", metric=linear)
    expected = metrics.best_thresholds(CODES, SCORES, K, metric=linear)
    npt.assert_array_equal(found, expected)


def test_costs_are_matched_by_label() -> None:
    expected = FRAME.ordinal.best_thresholds("y", "score", costs=COSTS)
    labelled = pd.DataFrame(COSTS, LEVELS, LEVELS)
    other = ["high", "low", "mid"]
    for costs in (
        COSTS.tolist(),
        labelled,
        labelled.loc[other, other],
        labelled.loc[other, LEVELS],
        labelled.loc[LEVELS, other],
    ):
        found = FRAME.ordinal.best_thresholds("y", "score", costs=costs)
        pd.testing.assert_series_equal(found, expected)
    turned = FRAME.ordinal.best_thresholds("y", "score", costs=labelled.T)
    assert not np.array_equal(turned, expected)
    with pytest.raises(UnknownClassError, match="costs="):
        FRAME.ordinal.best_thresholds("y", "score", costs=labelled.rename(index={"low": "lo"}))
    with pytest.raises(ValueError, match="costs"):
        FRAME.ordinal.best_thresholds("y", "score", costs=COSTS[:2])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "either costs="),
        ({"costs": COSTS, "metric": "mae"}, "either costs="),
        ({"metric": "vus"}, "vus needs scores"),
        ({"metric": "rps"}, "rps needs probabilities"),
        ({"metric": "class_mae"}, "class_mae"),
        ({"metric": "none"}, "'none'"),
        ({"metric": "expected_cost"}, "costs="),
    ],
    ids=str,
)
def test_refused_aims(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        FRAME.ordinal.best_thresholds("y", "score", **given)


def test_classes_that_are_declared() -> None:
    text = FRAME.astype({"y": object})
    options: dict[str, Any] = {"metric": "mae"}
    with pytest.raises(ClassOrderError, match="'y'"):
        text.ordinal.best_thresholds("y", "score", **options)
    with pytest.raises(ClassOrderError, match="'y'"):
        text.ordinal.roc_surface("y", "score", thresholds=[0, 1])
    found = text.ordinal.best_thresholds("y", "score", classes=LEVELS, **options)
    expected = FRAME.ordinal.best_thresholds("y", "score", **options)
    pd.testing.assert_series_equal(found, expected)
    surface = text.ordinal.roc_surface("y", "score", classes=DTYPE)
    pd.testing.assert_frame_equal(surface, FRAME.ordinal.roc_surface("y", "score"))
    more = FRAME.assign(y=FRAME["y"].cat.add_categories("top"))
    best = more.ordinal.best_thresholds("y", "score", **options)
    assert best.index.tolist() == LEVELS and best["high"] == math.inf
    classified = more["score"].ordinal.classify(best)
    assert classified.cat.categories.tolist() == [*LEVELS, "top"]
    assert (classified != "top").all()


def test_bins_are_classes() -> None:
    bins = pd.cut([0.5, 1.5, 2.5, 1.2], [0, 1, 2, 3])
    df = pd.DataFrame({"y": bins, "score": [1, 2, 3, 2]})
    best = df.ordinal.best_thresholds("y", "score", metric="mae")
    assert best.tolist() == [1.5, 2.5]
    found = df["score"].ordinal.classify(best)
    assert found.tolist() == list(bins) and found.dtype == bins.dtype
    assert df.assign(yhat=found).ordinal.interval_mae("y", "yhat") == 0


def test_rows_that_are_left_out() -> None:
    df = FRAME.reset_index()
    df.loc[[0, 5], "score"] = np.nan
    df.loc[[5, 9, 11], "y"] = np.nan
    kept = df.dropna(subset=["y", "score"])
    for method, options in [
        ("best_thresholds", {"metric": "mae"}),
        ("best_thresholds", {"costs": COSTS, "sample_weight": "w"}),
        ("roc_surface", {}),
        ("roc_surface", {"thresholds": [0, 1], "sample_weight": "w"}),
    ]:
        with pytest.raises(MissingValueError, match="'y' holds 3 missing values: .*dropna"):
            getattr(df.ordinal, method)("y", "score", **options)
        known = df[df["y"].notna()]
        with pytest.raises(MissingValueError, match="'score' holds 1 missing value: .*dropna"):
            getattr(known.ordinal, method)("y", "score", **options)
        found = getattr(df.ordinal, method)("y", "score", dropna=True, **options)
        npt.assert_array_equal(found, getattr(kept.ordinal, method)("y", "score", **options))


@pytest.mark.parametrize("method", ["roc_surface", "best_thresholds"])
def test_a_single_score(method: str) -> None:
    options = {} if method == "roc_surface" else {"metric": "mae"}
    for score in (["score"], FRAME["score"]):
        with pytest.raises(TypeError, match="score="):
            getattr(FRAME.ordinal, method)("y", score, **options)
    with pytest.raises(KeyError, match="did you mean 'score'"):
        getattr(FRAME.ordinal, method)("y", "scores", **options)


@pytest.mark.parametrize("kind", ["Int64", "int64[pyarrow]", "int8", "uint64", "Float64"])
def test_scores_of_any_kind(kind: str) -> None:
    df = pd.DataFrame({"y": [0, 0, 1, 2], "score": pd.array([1, 2, 3, 4], dtype=kind)})
    best = df.ordinal.best_thresholds("y", "score", metric="mae")
    assert best.tolist() == [2.5, 3.5]
    assert df["score"].ordinal.classify(best).tolist() == [0, 0, 1, 2]
    assert len(df.ordinal.roc_surface("y", "score", thresholds=[2, 3])) == 1


@pytest.mark.parametrize("kind", ["int64", "uint64", "Int64"])
def test_large_integers_are_not_taken_for_equal(kind: str) -> None:
    df = pd.DataFrame({"y": [0, 1], "score": pd.array([2**53, 2**53 + 1], dtype=kind)})
    assert df.ordinal.vus("y", "score", ties="strict") == 1
    for call in (
        lambda: df["score"].ordinal.classify([2**53], classes=[0, 1]),
        lambda: df.ordinal.best_thresholds("y", "score", metric="mae"),
        lambda: df.ordinal.roc_surface("y", "score"),
    ):
        with pytest.raises(ValueError, match=r"beyond 2\*\*53"):
            call()


# without labels


SOFT: dict[str, Any] = {"proba": LEVELS, "classes": DTYPE}


def melted(df: pd.DataFrame, score: Any, weight: str | None = None) -> pd.DataFrame:
    """Each row as three rows, one for each class, with its probability as their weight."""
    scored = df.assign(
        score=score, case=range(len(df)), times=1.0 if weight is None else df[weight]
    )
    rows = scored.melt(["case", "score", "times", "half"], LEVELS, "y", "p")
    rows["y"] = rows["y"].astype(DTYPE)
    return rows.assign(p=rows["p"] * rows["times"])


@pytest.mark.parametrize("metric", ["kappa", "oci", "stc", "amae", "uoc", "mmae", "mae"])
@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("score", [None, "score"])
def test_probabilities_take_the_place_of_labels(
    score: str | None, weight: str | None, metric: str
) -> None:
    df = FRAME.assign(half=np.arange(len(FRAME)) % 2)
    values = FRAME.ordinal.expected_class(LEVELS, classes=DTYPE) if score is None else df[score]
    rows = melted(df, values, weight).ordinal
    aim: dict[str, Any] = {"metric": metric}
    found = df.ordinal.best_thresholds(score=score, sample_weight=weight, **SOFT, **aim)
    due = rows.best_thresholds("y", "score", sample_weight="p", **aim)
    pd.testing.assert_series_equal(found, due, check_exact=True)
    by_half = df.ordinal.best_thresholds(
        score=score, sample_weight=weight, by="half", **SOFT, **aim
    )
    due = rows.best_thresholds("y", "score", sample_weight="p", by="half", **aim)
    pd.testing.assert_series_equal(by_half, due, check_exact=True)
    of_groups = df.groupby("half").ordinal.best_thresholds(
        score=score, sample_weight=weight, **SOFT, **aim
    )
    pd.testing.assert_series_equal(of_groups, due, check_exact=True)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("aim", [{"metric": "kappa"}, {"costs": COSTS}], ids=str)
def test_no_thresholds_are_better_for_the_probabilities(aim: dict[str, Any], seed: int) -> None:
    """The table that is expected, added up row by row, for all thresholds."""
    df = frame(12, seed)
    scores = df.ordinal.expected_class(LEVELS, classes=DTYPE)

    def value(limits: Any) -> float:
        counts = np.zeros((K, K))
        for f, row in zip(scores, df[LEVELS].to_numpy(), strict=True):
            for k, p in enumerate(row):
                counts[k, thresholds.predict(f, list(limits))] += p
        if "costs" in aim:
            return -float((counts * COSTS).sum())
        return float(metrics.kappa(counts))

    places = [-math.inf, *sorted(scores)]
    every = [value(two) for two in itertools.combinations_with_replacement(places, 2)]
    best = df.ordinal.best_thresholds(**SOFT, **aim)
    assert value(best) == pytest.approx(np.nanmax(every), rel=1e-12)


def test_without_labels_each_row_is_ranked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ranked = []

    def rank(scores: np.ndarray, shares: np.ndarray) -> Any:
        ranked.append((scores.shape, shares.shape))
        return rank_shares(scores, shares)

    rank_shares = kernels._rank_shares
    monkeypatch.setattr(kernels, "_rank_shares", rank)
    monkeypatch.delattr(kernels, "_rank")
    FRAME.ordinal.best_thresholds(metric="mae", **SOFT)
    assert ranked == [((len(FRAME),), (len(FRAME), K))]


def test_thresholds_without_labels_are_those_of_weighted_rows() -> None:
    """The lines that it saves, with public calls alone."""
    new, cols, c = FRAME, LEVELS, DTYPE
    soft = new.assign(score=new.ordinal.expected_class(cols, classes=c))[["score", *cols]].melt(
        "score", var_name="y", value_name="w"
    )
    soft["y"] = soft["y"].ordinal.as_ordered(c)
    for metric in ("kappa", "oci", "stc"):
        due = soft.ordinal.best_thresholds("y", "score", metric=metric, sample_weight="w")
        found = new.ordinal.best_thresholds(proba=cols, classes=c, metric=metric)
        pd.testing.assert_series_equal(found, due, check_exact=True)


def test_certain_probabilities_are_labels() -> None:
    certain = FRAME.assign(**{name: (FRAME["y"] == name).astype(float) for name in LEVELS})
    for aim in ({"metric": "kappa"}, {"metric": "mae", "sample_weight": "w"}, {"costs": COSTS}):
        found = certain.ordinal.best_thresholds(score="score", **SOFT, **aim)
        due = FRAME.ordinal.best_thresholds("y", "score", **aim)
        pd.testing.assert_series_equal(found, due)


def test_the_score_of_probabilities_is_their_expected_class() -> None:
    score = FRAME.ordinal.expected_class(LEVELS, classes=DTYPE)
    for aim in ({"metric": "kappa"}, {"metric": "stc", "sample_weight": "w"}, {"costs": COSTS}):
        due = FRAME.assign(e=score).ordinal.best_thresholds("y", "e", **aim)
        for given in (LEVELS, LEVELS[::-1], dict(zip(LEVELS, LEVELS, strict=True))):
            found = FRAME.ordinal.best_thresholds("y", proba=given, **aim)
            pd.testing.assert_series_equal(found, due)
        array = FRAME[LEVELS].to_numpy()
        pd.testing.assert_series_equal(FRAME.ordinal.best_thresholds("y", proba=array, **aim), due)


def test_ways_to_give_probabilities_without_labels() -> None:
    due = FRAME.ordinal.best_thresholds(metric="kappa", **SOFT)
    assert due.index.tolist() == ["low", "mid"] and due.index.categories.tolist() == LEVELS
    for given in (LEVELS[::-1], pd.Index(LEVELS), {one: one for one in LEVELS}):
        found = FRAME.ordinal.best_thresholds(proba=given, classes=LEVELS, metric="kappa")
        pd.testing.assert_series_equal(found, due)
    array = FRAME[LEVELS].to_numpy()
    found = FRAME.ordinal.best_thresholds(proba=array, classes=DTYPE, metric="kappa")
    pd.testing.assert_series_equal(found, due)
    by_name = pd.CategoricalIndex(LEVELS, dtype=DTYPE)
    found = FRAME.ordinal.best_thresholds(proba=by_name, metric="kappa")
    pd.testing.assert_series_equal(found, due)
    integers = FRAME.rename(columns=dict(zip(LEVELS, (1, 2, 3), strict=True)))
    found = integers.ordinal.best_thresholds(proba=[3, 1, 2], metric="kappa")
    assert found.index.tolist() == [1, 2] and found.tolist() == due.tolist()
    two = pd.DataFrame({"p": [0.1, 0.4, 0.8]})
    found = two.ordinal.best_thresholds(proba="p", classes=["no", "yes"], metric="accuracy")
    assert found.tolist() == [pytest.approx(0.6)]
    mask = FRAME.assign(first=np.arange(len(FRAME)) < 30)
    found = mask.ordinal.best_thresholds(metric="kappa", sample_weight="first", **SOFT)
    pd.testing.assert_series_equal(
        found, FRAME[:30].ordinal.best_thresholds(metric="kappa", **SOFT)
    )


def test_rows_without_labels_that_are_left_out() -> None:
    df = FRAME.reset_index()
    df.loc[[0, 5], "mid"] = np.nan
    df.loc[[5, 9], "score"] = np.nan
    kept = df.drop([0, 5, 9])
    aim: dict[str, Any] = {"metric": "kappa"}
    with pytest.raises(MissingValueError, match="'mid' holds 2 missing values"):
        df.ordinal.best_thresholds(**SOFT, **aim)
    found = df.ordinal.best_thresholds(score="score", dropna=True, **SOFT, **aim)
    due = kept.ordinal.best_thresholds(score="score", **SOFT, **aim)
    pd.testing.assert_series_equal(found, due)
    by_label = df.ordinal.best_thresholds("y", proba=LEVELS, dropna=True, **aim)
    due = df.drop([0, 5]).ordinal.best_thresholds("y", proba=LEVELS, **aim)
    pd.testing.assert_series_equal(by_label, due)
    nothing = df.assign(low=np.nan, half="a")
    with pytest.raises(ValueError, match="^no row counts"):
        nothing.ordinal.best_thresholds(dropna=True, **SOFT, **aim)
    found = nothing.ordinal.best_thresholds(dropna=True, by="half", **SOFT, **aim)
    assert found.isna().all() and len(found) == 2
    empty = FRAME[:0].ordinal.best_thresholds(by="w", **SOFT, **aim)
    assert len(empty) == 0 and empty.index.names == ["w", "class"]


def test_rounded_probabilities_without_labels() -> None:
    rounded = pd.DataFrame([[0.333] * 3, [0.2, 0.3, 0.501], [0.8, 0.1, 0.1]], columns=LEVELS)
    for labels in ({}, {"true": "y"}):
        df = rounded.assign(y=pd.Categorical(LEVELS, dtype=DTYPE))
        with pytest.raises(ValueError, match=r"2 rows lack .* give atol=0\.002"):
            df.ordinal.best_thresholds(metric="mae", **labels, **SOFT)
        found = df.ordinal.best_thresholds(metric="mae", atol=0.002, **labels, **SOFT)
        score = df.ordinal.expected_class(LEVELS, classes=DTYPE, atol=0.002)
        rows = melted(df.assign(half=0), score)
        due = df.assign(e=score).ordinal.best_thresholds("y", "e", metric="mae")
        if not labels:
            due = rows.ordinal.best_thresholds("y", "score", metric="mae", sample_weight="p")
        pd.testing.assert_series_equal(found, due)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({}, ValueError, "thresholds need true="),
        ({"score": "score"}, ValueError, 'thresholds need true="y".* or proba='),
        ({"true": "y"}, ValueError, 'thresholds need score="score".* or proba='),
        ({"true": "y", "score": "score", "proba": LEVELS}, ValueError, "drop proba="),
        ({"proba": LEVELS}, ClassOrderError, "in no declared order: give"),
        ({"proba": FRAME[LEVELS].to_numpy()}, ClassOrderError, "give classes="),
        ({"ignore": "low", **SOFT}, ValueError, "^ignore= .* there are none without true="),
        ({"proba": [LEVELS, LEVELS], "classes": LEVELS}, TypeError, "a list holds the columns"),
        ({"true": "y", "proba": [LEVELS, LEVELS]}, TypeError, "of a single forecast"),
        ({"score": ["score"], **SOFT}, TypeError, "score="),
        ({"proba": LEVELS[:2], "classes": LEVELS}, UnknownClassError, "proba= has columns for"),
    ],
    ids=plain,
)
def test_what_thresholds_lack(given: Any, error: type[Exception], message: str) -> None:
    for surface in (FRAME.ordinal, FRAME.groupby("w").ordinal):
        with pytest.raises(error, match=message):
            surface.best_thresholds(metric="mae", **given)


# classify


def test_classify() -> None:
    scores = pd.Series([0.1, 0.5, np.nan, 0.7, 1.0, 2.0, -np.inf, np.inf], name="risk")
    scores.index = pd.Index(list("abcdefga"))
    limits = [0.5, 1.0]
    expected = [thresholds.predict(score, limits) for score in scores]
    for given in (limits, tuple(limits), np.array(limits), pd.Series(limits)):
        for classes in (LEVELS, DTYPE, pd.Index(LEVELS)):
            found = scores.ordinal.classify(given, classes=classes)
            assert found.dtype == DTYPE and found.name == "risk"
            assert found.index.equals(scores.index)
            assert positions(found) == expected
    assert scores.isna().sum() == 1


@pytest.mark.parametrize("kind", ["float32", "Int64", "Float64", "int64[pyarrow]", "boolean"])
def test_missing_scores_stay_missing(kind: str) -> None:
    values = [None, True, False] if kind == "boolean" else [None, 3, 0]
    scores = pd.Series(values, dtype="float64" if kind == "float32" else kind)
    found = scores.astype(kind).ordinal.classify([0, 5], classes=LEVELS)
    assert positions(found) == [-1, 1, 0]


def test_classify_of_an_ordered_categorical() -> None:
    scores = pd.Series(pd.Categorical(["b", None, "c", "a"], list("abcd"), ordered=True))
    found = scores.ordinal.classify([0, 1.5], classes=LEVELS)
    assert positions(found) == [1, -1, 2, 0]


@pytest.mark.parametrize(
    ("given", "classes", "error"),
    [
        ([0, 1], None, ClassOrderError),
        (pd.Series([0, 1]), None, ClassOrderError),
        (pd.Series([0, 1], index=["low", "mid"]), None, ClassOrderError),
        (pd.Series([0, 1], index=pd.CategoricalIndex(LEVELS[:2])), None, ClassOrderError),
        ([0, 1], ["low", "high"], ValueError),
        ([0], LEVELS, ValueError),
        (0, LEVELS, ValueError),
        ([[0, 1]], LEVELS, ValueError),
        ([1, 0], LEVELS, ValueError),
        ([0, np.nan], LEVELS, ValueError),
        (["a", "b"], LEVELS, ValueError),
        ([0, 1], {"low", "mid", "high"}, ClassOrderError),
        ([0, 1], ["low", "low", "high"], ClassOrderError),
    ],
    ids=plain,
)
def test_refused_thresholds(given: Any, classes: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        FRAME["score"].ordinal.classify(given, classes=classes)


def test_thresholds_without_all_of_their_classes() -> None:
    best = FRAME.ordinal.best_thresholds("y", "score", metric="mae")
    for wrong in (best[::-1], best[:1], best[1:]):
        with pytest.raises(ClassOrderError, match="thresholds"):
            FRAME["score"].ordinal.classify(wrong)
    with pytest.raises(ClassOrderError, match="thresholds are those of the classes"):
        FRAME["score"].ordinal.classify(best, classes=["a", "b", "c"])
    expected = FRAME["score"].ordinal.classify(best)
    other = FRAME["score"].ordinal.classify(best.tolist(), classes=["a", "b", "c"])
    assert other.cat.codes.tolist() == expected.cat.codes.tolist()


# decisions


RULES: dict[str, Any] = {
    "expected_class": probability.expected_class,
    "most_likely": probability.most_likely,
    "median_class": probability.median_class,
    "least_costly": partial(probability.least_costly, costs=COSTS.tolist()),
}
GIVEN: dict[str, dict[str, Any]] = {
    "least_costly": {"costs": pd.DataFrame(COSTS, LEVELS, LEVELS).iloc[::-1, [1, 2, 0]]}
}
BY_POSITION: dict[str, dict[str, Any]] = {"least_costly": {"costs": COSTS}}


def decider(df: pd.DataFrame, rule: str) -> Any:
    """The method of a rule, with the options that it needs, in the order of the classes."""
    return partial(getattr(df.ordinal, rule), **BY_POSITION.get(rule, {}))


@pytest.mark.parametrize("rule", RULES)
def test_decisions(rule: str) -> None:
    proba = FRAME[LEVELS].to_numpy()
    by_row = [float(RULES[rule](row)) for row in proba.tolist()]  # eighths are exact
    kernel = partial(getattr(metrics, rule), **BY_POSITION.get(rule, {}))
    npt.assert_allclose(kernel(proba), by_row, rtol=1e-12)
    decide = partial(getattr(FRAME.ordinal, rule), **GIVEN.get(rule, {}))
    for columns in itertools.permutations(LEVELS):
        for given, classes in (
            (list(columns), LEVELS),
            (list(columns), DTYPE),
            (pd.Index(columns), FRAME["y"].dtype),
            ({name: name for name in columns}, LEVELS),
            (pd.CategoricalIndex(columns, dtype=DTYPE), None),
            (proba, DTYPE),
        ):
            found = decide(given, classes=classes)
            assert found.name == rule and found.index.equals(FRAME.index)
            if rule == "expected_class":
                assert found.dtype == float
                npt.assert_allclose(found, by_row, rtol=1e-12)
            else:
                assert found.dtype == DTYPE
                assert positions(found) == by_row


@pytest.mark.parametrize("rule", RULES)
def test_missing_probabilities_stay_missing(rule: str) -> None:
    df = FRAME.reset_index()
    full = decider(df, rule)(LEVELS, classes=DTYPE)
    df.loc[3, "mid"] = np.nan
    df.loc[[5, 7], LEVELS] = np.nan
    for frame_ in (df, df.astype(dict.fromkeys(LEVELS, "Float64"))):
        found = decider(frame_, rule)(LEVELS, classes=DTYPE)
        assert found.isna().sum() == 3 and found[[3, 5, 7]].isna().all()
        pd.testing.assert_series_equal(found.drop([3, 5, 7]), full.drop([3, 5, 7]))
    nothing = decider(df[:0], rule)(LEVELS, classes=DTYPE)
    assert len(nothing) == 0 and nothing.dtype == full.dtype


@pytest.mark.parametrize("rule", RULES)
def test_classes_of_the_columns(rule: str) -> None:
    decide = decider(FRAME, rule)
    with pytest.raises(ClassOrderError, match="classes="):
        decide(LEVELS)
    with pytest.raises(ClassOrderError):
        decide({name: name for name in LEVELS})
    integers = FRAME.rename(columns=dict(zip(LEVELS, (1, 2, 3), strict=True)))
    found = decider(integers, rule)([3, 1, 2])
    expected = decide(LEVELS, classes=DTYPE)
    if rule == "expected_class":
        npt.assert_array_equal(found, expected)
    else:
        assert found.dtype.categories.tolist() == [1, 2, 3] and found.dtype.ordered
        assert found.cat.codes.tolist() == positions(expected)
    with pytest.raises(UnknownClassError, match=r"\[3, 1\].*\[1, 2, 3\]"):
        decider(integers, rule)([3, 1])
    named = {1: "low", 2: "mid", 3: "high"}
    npt.assert_array_equal(decider(FRAME, rule)(named), found)


@pytest.mark.parametrize("rule", RULES)
def test_refused_probabilities(rule: str) -> None:
    decide = partial(decider(FRAME, rule), classes=DTYPE)
    for classes in (set(LEVELS), ["low", "low", "high"]):
        with pytest.raises(ClassOrderError, match="classes="):
            decider(FRAME, rule)(LEVELS, classes=classes)
    for given, error in [
        ("low", UnknownClassError),
        (None, TypeError),
        (LEVELS[:2], UnknownClassError),
        ([*LEVELS, "w"], UnknownClassError),
        ([*LEVELS, "low"], ValueError),
        ({"low": "low", "mid": "low", "high": "high"}, ValueError),
        ({"low": "lo", "mid": "mid", "high": "high"}, KeyError),
        ({"low": "y", "mid": "mid", "high": "high"}, ValueError),
    ]:
        with pytest.raises(error):
            decide(given)
    wrong = FRAME.assign(low=2)
    with pytest.raises(ValueError, match="sum to 1"):
        decider(wrong, rule)(LEVELS, classes=DTYPE)


@pytest.mark.parametrize("rule", RULES)
def test_probabilities_of_few_digits(rule: str) -> None:
    thirds = pd.DataFrame([[0.333] * 3, [0.2, 0.1, 0.701]], ["a", "b"], LEVELS)
    decide = partial(decider(thirds, rule), LEVELS, classes=LEVELS)
    for atol in (None, 0.0005):
        with pytest.raises(ValueError, match=r"row 'a', .*give atol=0\.002"):
            decide(atol=atol)
    with pytest.raises(ValueError, match="^atol=1 must be a number from 0 to 1"):
        decide(atol=1)
    due = [RULES[rule](row) for row in thirds.to_numpy().tolist()]
    found = decide(atol=0.002)
    npt.assert_allclose(found if rule == "expected_class" else found.cat.codes, due)


@pytest.mark.parametrize("rule", RULES)
def test_probabilities_of_half_precision(rule: str) -> None:
    """A dozen of them sum to 1 within twelve of their epsilons."""
    classes = list(range(12))
    full = pd.DataFrame(np.random.default_rng(0).dirichlet(np.ones(12), 50), columns=classes)
    half = full.astype("float16")
    given: dict[str, Any] = {"costs": 1 - np.eye(12)} if rule == "least_costly" else {}
    found = getattr(half.ordinal, rule)(classes, **given)
    due = getattr(metrics, rule)(half.to_numpy(), **given)
    npt.assert_array_equal(found, due)


def test_costs_of_a_decision_are_matched_by_label() -> None:
    due = FRAME.ordinal.least_costly(LEVELS, COSTS, classes=DTYPE)
    labelled = pd.DataFrame(COSTS, LEVELS, LEVELS)
    for costs in (
        COSTS.tolist(),
        labelled,
        labelled.iloc[[2, 0, 1]],
        labelled.T.rename_axis(index="pred", columns="true"),
        labelled.T.to_dict(),
        xr.DataArray(COSTS.T, {"true": LEVELS, "pred": LEVELS}, ("pred", "true")),
    ):
        pd.testing.assert_series_equal(
            FRAME.ordinal.least_costly(LEVELS, costs, classes=DTYPE), due
        )
    turned = FRAME.ordinal.least_costly(LEVELS, labelled.T, classes=DTYPE)
    assert not turned.equals(due)
    with pytest.raises(UnknownClassError, match="costs="):
        FRAME.ordinal.least_costly(LEVELS, labelled.rename({"low": "lo"}), classes=DTYPE)
    with pytest.raises(ValueError, match=r"costs of shape \(2, 3\)"):
        FRAME.ordinal.least_costly(LEVELS, COSTS[:2], classes=DTYPE)
    with pytest.raises(TypeError, match="'costs'; give a K x K table"):
        FRAME.ordinal.least_costly(LEVELS, classes=DTYPE)


def test_the_costs_of_stc_decide() -> None:
    """The classes that are predicted cost no more than any others, row by row."""
    matrix = FRAME.ordinal.confusion("y", "y").ordinal.cost_matrix()
    found = positions(FRAME.ordinal.least_costly(LEVELS, matrix, classes=DTYPE))
    for row, decided in zip(FRAME[LEVELS].to_numpy(), found, strict=True):
        expected = [sum(p * matrix.values[k, c] for k, p in enumerate(row)) for c in range(K)]
        assert expected[decided] == pytest.approx(min(expected))


def test_decisions_are_the_best_of_their_metric() -> None:
    df = FRAME.assign(
        likely=FRAME.ordinal.most_likely(LEVELS, classes=DTYPE),
        median=FRAME.ordinal.median_class(LEVELS, classes=DTYPE),
        mean=FRAME.ordinal.expected_class(LEVELS, classes=DTYPE),
    )
    proba = df[LEVELS].to_numpy()
    for column, loss in (
        ("likely", lambda a, b: float(a != b)),
        ("median", lambda a, b: abs(a - b)),
    ):
        for row, decided in zip(proba, positions(df[column]), strict=True):
            expected = [sum(p * loss(k, d) for k, p in enumerate(row)) for d in range(K)]
            assert expected[decided] == pytest.approx(min(expected))
    assert df.ordinal.vus("y", "mean") == pytest.approx(
        float(metrics.vus(CODES, proba @ np.arange(K), K)), rel=1e-12
    )
    assert df.ordinal.report("y", ["likely", "median"])["n"].tolist() == [len(df)] * 2


# what must not matter


METHODS: dict[str, dict[str, Any]] = {
    "roc_surface": {},
    "best_thresholds": {"metric": "mae"},
}


@pytest.mark.parametrize("method", METHODS)
def test_the_order_of_rows_and_the_index_do_not_matter(method: str) -> None:
    o: dict[str, Any] = {"sample_weight": "w", **METHODS[method]}
    expected = getattr(FRAME.ordinal, method)("y", "score", **o)
    for df in (FRAME.sample(frac=1, random_state=1), FRAME.set_axis(np.zeros(len(FRAME)))):
        found = getattr(df.ordinal, method)("y", "score", **o)
        npt.assert_allclose(found, expected, rtol=1e-13)
        assert found.index.equals(expected.index)


def test_nothing_is_changed() -> None:
    df = FRAME.copy()
    df.iloc[:3, :5] = np.nan
    before = df.copy()
    best = df.ordinal.best_thresholds("y", "score", costs=COSTS, dropna=True)
    kept = best.copy()
    df.ordinal.roc_surface("y", "score", thresholds=best, dropna=True)
    df["score"].ordinal.classify(best)
    for rule in RULES:
        decider(df, rule)(LEVELS, classes=DTYPE)
    pd.testing.assert_frame_equal(df, before)
    pd.testing.assert_series_equal(best, kept)


@pytest.mark.parametrize("method", [*METHODS, *RULES, "classify"])
def test_methods_are_listed_and_documented(method: str) -> None:
    accessor = FRAME["score"].ordinal if method == "classify" else FRAME.ordinal
    assert method in dir(accessor)
    text = inspect.getdoc(getattr(accessor, method))
    assert text
    documented = text.split("Parameters\n----------\n")[1].split("\nReturns\n")[0]
    for parameter in inspect.signature(getattr(accessor, method)).parameters:
        assert f"\n{parameter} : " in "\n" + documented
    typed = po.ordinal(FRAME["score"]) if method == "classify" else po.ordinal(FRAME)
    assert hasattr(typed, method)


@pytest.mark.parametrize("rule", RULES)
def test_an_array_of_probabilities_needs_classes(rule: str) -> None:
    with pytest.raises(ClassOrderError, match="columns have no names: give classes="):
        decider(FRAME, rule)(FRAME[LEVELS].to_numpy())


def test_labelled_options_of_the_metric_are_read_by_label() -> None:
    table = pd.DataFrame(COSTS, LEVELS, LEVELS).rename_axis(index="true", columns="pred")
    due = FRAME.ordinal.best_thresholds("y", "score", costs=COSTS)
    for given in (table, table.T, table.iloc[::-1, [2, 0, 1]]):
        metric = partial(metrics.expected_cost, costs=given)
        found = FRAME.ordinal.best_thresholds("y", "score", metric=metric)
        pd.testing.assert_series_equal(found, due)
