"""Scores and probabilities of a Dask DataFrame: what pandas gives of the same rows."""

from __future__ import annotations

import cProfile
import pickle
from functools import partial
from typing import Any

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st
from labelled import FITTED, OF_PROBABILITIES, OF_SCORES
from oracles.strategies import QUICK
from parted import assert_same, cut, parted

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, MissingValueError
from pandas_ordinal.rows.score_ranges import RANKED, bounds_of

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
            {"score": "score", "by": "g"},
            {"pred": ["yhat", "other"], "score": ["score", "second"], "by": ["g", "some"]},
            {"score": "score", "proba": LABELS, "by": ["some"]},
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
        # in memory, a group without any scores still has the metrics of its other columns
        together = len(asked.keys() & {"pred", "score", "proba"}) > 1
        known = rng.random(n_rows) < 0.9
        for name in ("y", "yhat", "score", "low"):
            has = known if together and name != "y" else rng.random(n_rows) < 0.9
            df[name] = df[name].where(has)
    parts = cut(df, rng.integers(0, n_rows + 1, n_cuts).tolist())
    report = po.ordinal(parted(parts, df.iloc[:0])).report
    asked = {**asked, "sample_weight": weight, "dropna": missing, "metrics": "all"}
    in_memory = df.ordinal.report("y", **asked)
    in_memory = in_memory.drop(FITTED, axis=in_memory.ndim - 1, errors="ignore")
    assert_same(report("y", **asked), in_memory, **CLOSE)


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
        **{name: [{}, {"ties": "strict"}] for name in OF_SCORES},
    }.get(name, [{}])


@pytest.mark.parametrize(
    "scheduler",
    ["threads", *(pytest.param(name, marks=SLOW) for name in ("synchronous", "processes"))],
)
def test_every_metric_gives_what_pandas_gives(scheduler: str) -> None:
    check_every_metric(scheduler=scheduler)


def check_every_metric(**computing: Any) -> None:
    lazy, found = {}, {}
    for name in [*OF_SCORES, *(name for name in OF_PROBABILITIES if name not in FITTED)]:
        one: Any = "score"
        several: Any = ["score", "second"]
        if name in OF_PROBABILITIES:
            one, several = LABELS, [LABELS, BESIDE]
        cases: list[Any] = [(one, options) for options in options_of(name)]
        cases += [(one, {"sample_weight": "w"}), (several, {"by": ["g", "some"]})]
        for number, (inputs, asked) in enumerate(cases):
            lazy[name, number] = getattr(po.ordinal(DDF), name)("y", inputs, **asked)
            found[name, number] = getattr(FRAME.ordinal, name)("y", inputs, **asked)
    computed = computed_apart(lazy, **computing)
    for case, value in found.items():
        assert_same(computed[case], value, **CLOSE)


def computed_apart(lazy: dict[Any, Any], **computing: Any) -> dict[Any, Any]:
    """Compute arrays apart from frames, since Dask warns of both in one call."""
    arrays = {key for key, one in lazy.items() if isinstance(one, xr.DataArray)}
    parts = [{key: lazy[key] for key in keys} for keys in (arrays, lazy.keys() - arrays)]
    first, second = (dask.compute(part, **computing)[0] for part in parts)
    return {**first, **second}


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


# rankings by groups


@st.composite
def grouped(draw: st.DrawFn) -> tuple[pd.DataFrame, list[int]]:
    """Groups with ties, of which many lack classes, in partitions of any size."""
    n_rows, n_classes = draw(st.integers(0, 60)), draw(st.integers(2, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    true = rng.integers(0, n_classes, n_rows)
    score = rng.integers(0, draw(st.sampled_from([1, 4, 1000])), n_rows) + true / 2
    if draw(st.booleans()):
        score[rng.random(n_rows) < 0.2] = np.inf
        score[rng.random(n_rows) < 0.2] = -np.inf
    sizes = rng.integers(1, draw(st.sampled_from([2, 8, 40])), n_rows)
    key = np.repeat(np.arange(n_rows), sizes)[:n_rows]
    df = pd.DataFrame(
        {
            "y": pd.Categorical.from_codes(true, range(n_classes), ordered=True),
            "score": score,
            "second": rng.integers(0, 3, n_rows),
            "g": key - 5,
            "text": [f"{one % 3}" for one in key],
            "w": rng.integers(0, 4, n_rows) / 2,
        }
    )
    df = df.iloc[rng.permutation(n_rows)] if draw(st.booleans()) else df
    return df, rng.integers(0, n_rows + 1, draw(st.integers(0, 8))).tolist()


BY_GROUPS = given(
    rows=grouped(),
    score=st.sampled_from(["score", ["score", "second"]]),
    by=st.sampled_from(["g", "text", ["text", "g"]]),
    weight=st.sampled_from([None, "w"]),
)


def check_rankings(rows: tuple[pd.DataFrame, list[int]], score: Any, by: Any, weight: Any) -> None:
    df, ends = rows
    options = {"by": by, "sample_weight": weight}
    lazy, found = (
        {
            "report": ordinal.report("y", score=score, metrics="all", **options),
            "splits": ordinal.consecutive_auc("y", score, **options),
            "pairs": ordinal.pairwise_auc("y", score, **options),
        }
        for ordinal in (po.ordinal(parted(cut(df, ends), df.iloc[:0])), df.ordinal)
    )
    computed = computed_apart(lazy, scheduler="synchronous")
    for name, value in found.items():
        assert_same(computed[name], value, **CLOSE)


UNDEFINED = pytest.mark.filterwarnings("ignore::pandas_ordinal.UndefinedMetricWarning")


@UNDEFINED
@settings(QUICK, max_examples=6)
@BY_GROUPS
def test_rankings_of_any_groups(**case: Any) -> None:
    check_rankings(**case)


@SLOW
@UNDEFINED
@settings(QUICK, max_examples=60)
@BY_GROUPS
def test_rankings_of_many_groups(**case: Any) -> None:
    check_rankings(**case)


def keyed() -> pd.DataFrame:
    """Keys of all kinds, which are missing in some rows as scores are; a group counts no row."""
    rng = np.random.default_rng(3)
    bins = pd.IntervalIndex.from_breaks([-9, -1, 0, 1, 9, 20])
    df = FRAME.assign(
        bins=pd.cut(rng.normal(size=len(FRAME)), bins),
        category=pd.Categorical(rng.choice(list("bax"), len(FRAME)), ["x", "b", "a"]),
        date=pd.Timestamp("2026-01-01") + pd.to_timedelta(rng.integers(0, 3, len(FRAME)), "D"),
        large=rng.integers(0, 3, len(FRAME)) * 10**12,
        gap=FRAME["g"].where(rng.random(len(FRAME)) < 0.8),
        score=FRAME["score"].where(rng.random(len(FRAME)) < 0.9),
    )
    df["score"] = df["score"].where(df["gap"] != 1)
    return df


@UNDEFINED
@pytest.mark.parametrize(
    "by", [["bins"], ["category", "gap"], ["date", "large"], ["large", "bins"], ["gap"]]
)
def test_keys_of_any_kind(by: list[str]) -> None:
    df = keyed()
    options: dict[str, Any] = {"by": by, "dropna": True, "ignore": "low"}
    options["classes"] = ["mid", "high"]
    df["y"] = df["y"].astype(object)
    ordinal = po.ordinal(parted(cut(df, [0, 40, 41, 110])))
    lazy = ordinal.report("y", score=["score", "second"], **options)
    found = df.ordinal.report("y", score=["score", "second"], **options)
    assert_same(lazy, found, **CLOSE)
    areas = df.ordinal.pairwise_auc("y", "score", **options)
    assert_same(ordinal.pairwise_auc("y", "score", **options), areas, **CLOSE)
    bounds = ordinal.score_bounds("y", ["score", "second"], edges=[1], **options).compute()
    assert bounds.index[::4].droplevel("metric").equals(found.index)


def test_weights_beyond_the_products_of_floats() -> None:
    df = FRAME.assign(w=FRAME["w"] * 1e200)
    lazy = po.ordinal(parted(cut(df, [50]))).u_pairs("y", "score", by="g", sample_weight="w")
    assert_same(lazy, FRAME.ordinal.u_pairs("y", "score", by="g", sample_weight="w"), **CLOSE)
    bounds, small = (
        po.ordinal(parted(cut(rows, [50]))).score_bounds(
            "y", "score", edges=[1], by="g", sample_weight="w"
        )
        for rows in (df, FRAME)
    )
    pd.testing.assert_frame_equal(bounds.compute(), small.compute(), rtol=1e-12)


def test_a_volume_is_not_above_1_where_weights_are_rounded() -> None:
    rng = np.random.default_rng(0)
    df = pd.DataFrame({"g": np.arange(300).repeat(8), "y": np.tile(np.arange(4).repeat(2), 300)})
    df = df.assign(score=df["y"] + rng.random(len(df)) / 2, w=rng.random(len(df)))
    asked: dict[str, Any] = {"by": "g", "sample_weight": "w", "classes": range(4)}
    found = po.ordinal(parted(cut(df, [1000]))).vus("y", "score", **asked)
    assert found.compute().max() == 1


def test_models_and_what_rows_lack_need_more_than_a_byte() -> None:
    """Each of 65 models has rows that lack scores, probabilities, both or neither."""
    df = pd.DataFrame({"y": [0, 1, 1, 0, 1], "yhat": [0, 0, 1, 1, 1]})
    df["score"], df["p"] = [1, 2, np.nan, np.nan, 4], [0.5, np.nan, 0.25, np.nan, 1]
    models = [f"model {n}" for n in range(65)]
    asked: dict[str, Any] = {
        option: dict.fromkeys(models, column)
        for option, column in (("pred", "yhat"), ("score", "score"), ("proba", ["p"]))
    }
    lazy = po.ordinal(parted(cut(df, [2]))).report(
        "y", **asked, metrics=["mae", "rps"], classes=[0, 1], dropna=True
    )
    found = lazy.compute(scheduler="synchronous")
    assert found.index.tolist() == models
    for _, row in found.iterrows():  # of the first row and the last one
        assert row.tolist() == [2, 0, (0.5**2 + 0) / 2]


def test_a_matrix_has_all_labels_of_a_key() -> None:
    found = FRAME.ordinal.pairwise_auc("y", "score", by="g")
    with dask.config.set(scheduler=refuse):
        lazy = po.ordinal(DDF).pairwise_auc("y", "score", by="g", groups={"g": [2, 7, 0, 1]})
    assert lazy.chunks is not None and lazy.name == "pairwise_auc"
    assert lazy["g"].values.tolist() == [2, 7, 0, 1]
    computed = lazy.compute()
    assert computed.sel(g=7).isnull().all()
    xr.testing.assert_allclose(computed.sel(g=[0, 1, 2]), found, **CLOSE)


def test_groups_are_no_loop_of_python() -> None:
    """Of many groups about as many functions are called as of a few."""

    def calls(n_groups: int) -> int:
        df = pd.concat([FRAME] * n_groups).assign(g=np.arange(150 * n_groups) % n_groups)
        lazy = po.ordinal(parted(cut(df, [400, 900]))).u_ovo("y", "score", by="g")
        profile = cProfile.Profile()
        profile.runcall(lazy.compute, scheduler="synchronous")
        return sum(entry.callcount for entry in profile.getstats())

    assert calls(101) < 1.5 * calls(11)


# bounds


@UNDEFINED
@settings(QUICK, max_examples=4)
@BY_GROUPS
def test_bounds_hold_in_each_group(rows: Any, score: Any, by: Any, weight: Any) -> None:
    df, ends = rows
    ordinal = po.ordinal(parted(cut(df, ends), df.iloc[:0]))
    options = {"by": by, "sample_weight": weight}
    lazy = ordinal.score_bounds("y", score, edges=[0, 1, 1.5, 400], **options)
    bounds = lazy.compute(scheduler="synchronous")
    assert bounds.columns.tolist() == ["low", "high"]
    assert lazy._meta.index.names == bounds.index.names
    for metric in RANKED:
        for ties in ("half", "strict"):
            exact = getattr(df.ordinal, metric)("y", score, ties=ties, **options)
            is_metric = bounds.index.get_level_values("metric") == metric
            of_metric = bounds[is_metric].droplevel("metric")
            pd.testing.assert_index_equal(of_metric.index, exact.index)
            for end, sign in (("low", -1), ("high", 1)):
                assert (exact.isna() == of_metric[end].isna()).all()
                assert not (sign * (of_metric[end] - exact) < -1e-12).any()


def test_bounds_are_those_of_a_histogram() -> None:
    edges = [0.3, 1, 1.6]
    bins = sum((FRAME["score"] >= edge).astype(int) for edge in edges)
    table = pd.crosstab(FRAME["y"].cat.codes, bins).reindex(columns=range(4), fill_value=0)
    expected = {end: values[0] for end, values in bounds_of(table.to_numpy(float)[None]).items()}
    with dask.config.set(scheduler=refuse):
        lazy = po.ordinal(DDF).score_bounds("y", "score", edges=edges)
    assert isinstance(lazy, dd.DataFrame)
    index = pd.Index(RANKED, name="metric")
    pd.testing.assert_frame_equal(lazy.compute(), pd.DataFrame(expected, index), rtol=1e-12)
    some = po.ordinal(DDF).score_bounds("y", "score", edges=edges, sample_weight="some")
    selected = po.ordinal(DDF[DDF["some"]]).score_bounds("y", "score", edges=edges)
    pd.testing.assert_frame_equal(some.compute(), selected.compute())
    with pytest.raises(ValueError, match="must be numbers that ascend"):
        po.ordinal(DDF).score_bounds("y", "score", edges=[2, 1])


# refused


def test_intervals_and_wrong_options_are_refused_by_name() -> None:
    ordinal = po.ordinal(DDF)
    with dask.config.set(scheduler=refuse):
        with pytest.raises(ValueError, match=r"of rps need the rows in memory: read .*report\("):
            ordinal.report("y", "yhat", proba=LABELS, ci=0.95)
        with pytest.raises(ValueError, match="vus needs scores: give score="):
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
        with pytest.raises(ClassOrderError, match="'score'.*scores must be numbers"):
            po.ordinal(DDF.assign(score=DDF["g"].astype(object))).vus("y", "score")


@pytest.mark.parametrize(
    ("column", "value", "error", "message"),
    [
        ("score", np.nan, MissingValueError, "'score' holds 1 missing value"),
        ("low", np.nan, MissingValueError, "'low' holds 1 missing value"),
        ("low", 0.9, ValueError, "1 row lacks valid probabilities: the first, row 120"),
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


@pytest.mark.parametrize("whole", ["w", "some"])
def test_weights_select_in_all_parts_or_in_none(whole: str) -> None:
    df = FRAME.assign(weight=FRAME[whole])
    first, second = cut(df, [50])
    other = second.assign(weight=second["some" if whole == "w" else "w"])
    ordinal = po.ordinal(parted([first, other]))
    for lazy in (
        ordinal.mae("y", "yhat", sample_weight="weight"),
        ordinal.vus("y", "score", sample_weight="weight"),
        ordinal.score_bounds("y", "score", edges=[1], sample_weight="weight"),
    ):
        with pytest.raises(
            TypeError, match="'weight' holds booleans in some partitions and numbers in others"
        ):
            lazy.compute()


@SLOW
def test_a_cluster_gives_what_pandas_gives(client: Any) -> None:
    check_every_metric()
