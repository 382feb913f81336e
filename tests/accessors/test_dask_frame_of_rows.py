"""Scores and probabilities of a Dask DataFrame: what pandas gives of the same rows."""

from __future__ import annotations

import pickle
from functools import partial
from typing import Any

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labelled import OF_PROBABILITIES, OF_SCORES
from oracles.strategies import QUICK
from parted import assert_same, cut, parted

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, MissingValueError
from pandas_ordinal.metrics import registry
from pandas_ordinal.score_ranges import RANKED

SLOW = pytest.mark.slow
CLOSE = {"rtol": 1e-12, "atol": 1e-14}
CLASSES = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
LABELS = CLASSES.categories.tolist()
BESIDE = {label: f"{label} of two" for label in LABELS}  # of another model


def frame(n_rows: int, seed: int, n_scores: int = 9) -> pd.DataFrame:
    """Rows with ties of scores, weights of 0, and two models."""
    rng = np.random.default_rng(seed)
    true, pred, other = rng.integers(0, 3, (3, n_rows))
    df = pd.DataFrame(
        {
            "y": pd.Categorical.from_codes(true, dtype=CLASSES),
            "yhat": pd.Categorical.from_codes(pred, dtype=CLASSES),
            "other": pd.Categorical.from_codes(other, dtype=CLASSES),
            "score": (rng.integers(0, n_scores, n_rows) + true) / 4,
            "second": rng.integers(0, n_scores, n_rows),
            "g": rng.integers(0, 3, n_rows),
            "w": rng.integers(0, 4, n_rows) / 2,
            "some": rng.random(n_rows) < 0.7,
        }
    )
    for names in (LABELS, list(BESIDE.values())):
        df[names] = rng.dirichlet([1, 1, 1], n_rows)
    return df


FRAME = frame(150, 0)
DDF = parted(cut(FRAME, [0, 40, 41, 110]))


def refuse(*args: Any, **kwargs: Any) -> None:
    raise AssertionError("something was computed")


ANY = given(
    seed=st.integers(0, 2**32 - 1),
    n_rows=st.integers(0, 40),
    n_scores=st.sampled_from([1, 3, 1000]),
    n_cuts=st.integers(0, 6),
    asked=st.sampled_from(
        [
            {"score": "score"},
            {"score": ["score", "second"]},
            {"proba": LABELS},
            {"proba": LABELS, "by": "g"},
            {"proba": [LABELS, BESIDE], "by": ["g", "some"]},
            {"pred": "yhat", "score": "score", "proba": LABELS},
            {"pred": ["yhat", "other"], "proba": [LABELS, BESIDE], "by": "g"},
            {"pred": ["yhat", "other"], "score": ["score", "second"]},
        ]
    ),
    weight=st.sampled_from([None, "w", "some"]),
    missing=st.booleans(),
)


def check_partitions(
    seed: int, n_rows: int, n_scores: int, n_cuts: int, asked: dict[str, Any], weight: Any,
    missing: bool,
) -> None:  # fmt: skip
    """Cut random rows into partitions, and compare all that a report shows with pandas."""
    df, rng = frame(n_rows, seed, n_scores), np.random.default_rng(seed)
    if missing:
        for name in ("y", "yhat", "score", "low"):
            df[name] = df[name].where(rng.random(n_rows) < 0.9)
    parts = cut(df, rng.integers(0, n_rows + 1, n_cuts).tolist())
    report = po.ordinal(parted(parts, df.iloc[:0])).report
    asked = {**asked, "sample_weight": weight, "dropna": missing, "metrics": "all"}
    assert_same(report("y", **asked), df.ordinal.report("y", **asked), **CLOSE)


@settings(QUICK, max_examples=6)
@ANY
def test_any_partitions_of_any_rows(**case: Any) -> None:
    check_partitions(**case)


@SLOW
@settings(QUICK, max_examples=150)
@ANY
def test_many_partitions_of_any_rows(**case: Any) -> None:
    check_partitions(**case)


def options_of(name: str) -> list[dict[str, Any]]:
    return {
        "rps": [{}, {"normalized": True}],
        "rps_skill": [{}, {"reference": [0.2, 0.3, 0.5]}],
        **{name: [{}, {"ties": "strict"}] for name in RANKED},
    }.get(name, [{}])


@pytest.mark.parametrize(
    "scheduler",
    ["threads", *(pytest.param(name, marks=SLOW) for name in ("synchronous", "processes"))],
)
def test_every_metric_gives_what_pandas_gives(scheduler: str) -> None:
    check_every_metric(scheduler=scheduler)


def check_every_metric(**computing: Any) -> None:
    lazy, found = {}, {}
    for name in [*RANKED, *OF_PROBABILITIES]:
        one: Any = "score"
        several: Any = ["score", "second"]
        if name in OF_PROBABILITIES:
            one, several = LABELS, [LABELS, BESIDE]
        cases: list[Any] = [(one, options) for options in options_of(name)]
        cases += [(one, {"sample_weight": "w"}), (several, {})]
        if name in OF_PROBABILITIES:
            cases += [(one, {"by": "g"}), (several, {"by": ["g", "some"], "sample_weight": "w"})]
        for number, (inputs, asked) in enumerate(cases):
            lazy[name, number] = getattr(po.ordinal(DDF), name)("y", inputs, **asked)
            found[name, number] = getattr(FRAME.ordinal, name)("y", inputs, **asked)
    (computed,) = dask.compute(lazy, **computing)
    for case, value in found.items():
        assert_same(computed[case], value, **CLOSE)


def test_reports_of_partials_and_defaults() -> None:
    metrics = {
        "strict": partial(po.metrics.vus, ties="strict"),
        "half": po.metrics.vus,
        "again": "vus",
        "share": partial(po.metrics.rps, normalized=True),
        "log_loss": "log_loss",
        "mae": "mae",
    }
    for chosen in (None, metrics):
        asked = {"pred": "yhat", "score": "score", "proba": LABELS, "metrics": chosen}
        report = po.ordinal(DDF).report("y", **asked)
        assert_same(report, FRAME.ordinal.report("y", **asked), **CLOSE)


def test_nothing_is_computed_by_a_call() -> None:
    with dask.config.set(scheduler=refuse):
        ordinal = po.ordinal(DDF)
        assert type(ordinal.vus("y", "score")).__name__ == "Scalar"
        assert type(ordinal.rps("y", LABELS)).__name__ == "Scalar"
        series = ordinal.u_pairs("y", ["score", "second"])
        assert isinstance(series, dd.Series) and series.name == "u_pairs"
        assert isinstance(ordinal.report("y", score="score"), dd.Series)
        report = ordinal.report("y", "yhat", proba=LABELS, by="g", metrics=["mae", "rps"])
        assert isinstance(report, dd.DataFrame)
        assert report.columns.tolist() == ["n", "mae", "rps"]


def test_ordered_scores_rank_by_their_labels() -> None:
    df = FRAME.assign(score=FRAME["other"])
    parts = [part.assign(score=part["score"].astype(str)) for part in cut(df, [50])]
    lazy = po.ordinal(parted(parts, df.iloc[:0])).vus("y", "score")
    assert_same(lazy, df.ordinal.vus("y", "score"), **CLOSE)


def test_a_probability_of_zero_is_infinitely_surprising() -> None:
    df = FRAME.assign(low=0.0, mid=0.5, high=0.5)
    lazy = po.ordinal(parted(cut(df, [50]))).log_loss("y", LABELS, by="g")
    assert np.isinf(lazy.compute()).all()


def test_what_is_lazy_can_be_pickled() -> None:
    for lazy, found in (
        (po.ordinal(DDF).vus("y", "score"), FRAME.ordinal.vus("y", "score")),
        (po.ordinal(DDF).rps("y", LABELS, by="g"), FRAME.ordinal.rps("y", LABELS, by="g")),
    ):
        assert_same(pickle.loads(pickle.dumps(lazy)), found, **CLOSE)


# refused


@pytest.mark.parametrize("name", [name for name in OF_SCORES if name not in RANKED])
def test_metrics_that_need_all_rows_are_refused_by_name(name: str) -> None:
    given: dict[str, Any] = dict.fromkeys(registry[name].required, "second")
    with pytest.raises(ValueError, match=rf"{name} is a metric of .*compute\(\).ordinal.{name}"):
        getattr(po.ordinal(DDF), name)("y", "score", **given)
    with pytest.raises(ValueError, match=name):
        po.ordinal(DDF).report("y", score="score", metrics=[name])


def test_rankings_by_groups_and_intervals_are_refused_by_name() -> None:
    ordinal = po.ordinal(DDF)
    with dask.config.set(scheduler=refuse):
        for name in RANKED:
            with pytest.raises(ValueError, match=rf"{name} of .*by= out.*ordinal\.{name}"):
                getattr(ordinal, name)("y", "score", by="g")
        with pytest.raises(ValueError, match="vus of a Dask frame ranks all rows"):
            ordinal.report("y", "yhat", score="score", by="g")
        with pytest.raises(ValueError, match="ci= and se= of rps read all rows"):
            ordinal.report("y", "yhat", proba=LABELS, ci=0.95)
        with pytest.raises(ValueError, match="vus is a metric of scores: .* with score="):
            ordinal.report("y", "yhat", metrics=["vus"])
        with pytest.raises(ValueError, match="ties='some'"):
            ordinal.vus("y", "score", ties="some")
        with pytest.raises(ValueError, match="climatology"):
            ordinal.rps_skill("y", LABELS, reference=[0.5, 0.6])
        with pytest.raises(KeyError, match="no column 'scroe'; did you mean 'score'"):
            ordinal.vus("y", "scroe")
        with pytest.raises(TypeError, match="takes the label of a column"):
            ordinal.vus("y", DDF["score"])
        with pytest.raises(po.UnknownClassError, match="'high'"):
            ordinal.rps("y", LABELS[:2])
        with pytest.raises(ClassOrderError, match="'score'.*holds no scores"):
            po.ordinal(DDF.assign(score=DDF["g"].astype(object))).vus("y", "score")


@pytest.mark.parametrize(
    ("column", "value", "error", "message"),
    [
        ("score", np.nan, MissingValueError, "'score' holds 1 missing value"),
        ("low", np.nan, MissingValueError, "'low' holds 1 missing value"),
        ("low", 0.9, ValueError, "the probabilities of 1 row are none: the first, row 120"),
    ],
)
def test_a_bad_row_of_any_partition_is_an_error(
    column: str, value: float, error: type[Exception], message: str
) -> None:
    df = FRAME.copy()
    df.loc[120, [column]] = value
    lazy = po.ordinal(parted(cut(df, [50, 100]))).report("y", score="score", proba=LABELS)
    with pytest.raises(error, match=message):
        lazy.compute()


@SLOW
def test_a_cluster_gives_what_pandas_gives(client: Any) -> None:
    check_every_metric()
