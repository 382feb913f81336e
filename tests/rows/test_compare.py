"""Comparisons of models, against literal readings of their rules."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from oracles import differences, uncertainty
from scipy import stats
from statsmodels.stats.multitest import multipletests

import pandas_ordinal as po
from pandas_ordinal.metrics.metric import registry

ANES = Path(__file__).parents[2] / "examples" / "data" / "anes96_predictions.csv"
PARTIES = [
    "Strong Democrat", "Weak Democrat", "Independent-Democrat", "Independent-Independent",
    "Independent-Republican", "Weak Republican", "Strong Republican",
]  # fmt: skip
RNG = np.random.default_rng(15)
K, N = 4, 120
MODELS = ["a", "b", "c", "same"]
FRAME = pd.DataFrame(
    {
        "g": np.repeat(["u", "v"], N // 2),
        "y": RNG.integers(0, K, N),
        "patient": RNG.integers(0, 12, N),
        "visit": np.arange(N) // 2,
        "row": RNG.permutation(N),
    }
)
for place, name in enumerate("abc"):
    FRAME[name] = (FRAME.y + (RNG.random(N) < 0.05 + 0.15 * place)).clip(0, K - 1)
FRAME["same"] = FRAME.c
LONG = FRAME.melt(["g", "y", "patient", "visit", "row"], MODELS, "model", "yhat")
NAMES = ["accuracy", "mae", "mse", "kappa", "kendall_tau", "oci", "stc", "mmae", "r_int", "bias"]


def compare(frame: pd.DataFrame = FRAME, **asked: Any) -> pd.DataFrame:
    return frame.ordinal.compare("y", MODELS, **{"metrics": NAMES, **asked})


def limits_of(name: str) -> tuple[float, float]:
    return (-1, 1) if name == "kappa" else registry[name].bounds(K)


def function(name: str) -> Any:
    return registry[name].of_fractions or registry[name].kernel


def test_values_differences_intervals_and_p_values_follow_the_literal_rule() -> None:
    table = compare(ci=0.9)
    true = FRAME.y.tolist()
    for (metric, a, b), row in table.iterrows():
        f = function(metric)
        value = FRAME.ordinal.report("y", a, metrics=[metric])[metric]
        assert row.value_a == pytest.approx(value, rel=1e-12)
        assert row.difference == row.value_a - row.value_b
        preds = FRAME[a].tolist(), FRAME[b].tolist()
        if metric == "mmae":
            due = differences.extremes(lambda y, pred: abs(y - pred), True, true, preds, K)
        else:
            is_mean = metric in ("accuracy", "mae", "mse", "bias")
            due = differences.difference(f, true, preds, K, limits_of(metric), is_mean=is_mean)
        assert row.se == pytest.approx(due.se, rel=1e-9), (metric, a, b)
        np.testing.assert_allclose([row.low, row.high], due.interval(0.9, limits_of(metric)))
        assert row.p_value == pytest.approx(due.p, rel=1e-6)
    assert (table[["n", "share_a", "share_b"]] == [N, 1, 1]).all(axis=None)


@pytest.mark.parametrize("cluster", ["patient", "visit"])
def test_clusters_are_left_out_of_both_models(cluster: str) -> None:
    table = compare(cluster=cluster, metrics=["mae", "oci", "stc", "kappa"])
    true, clusters = FRAME.y.tolist(), FRAME[cluster].tolist()
    for (metric, a, b), row in table.iterrows():
        preds, limits = (FRAME[a].tolist(), FRAME[b].tolist()), limits_of(metric)
        due = differences.difference(
            function(metric), true, preds, K, limits, is_mean=metric == "mae", clusters=clusters
        )
        assert row.se == pytest.approx(due.se, rel=1e-9), (metric, a, b)
        np.testing.assert_allclose([row.low, row.high], due.interval(0.95, limits))


@pytest.mark.parametrize("cluster", [None, "patient", "visit"])
def test_the_accuracy_within_has_a_pseudo_row_of_its_own(cluster: str | None) -> None:
    distances = [0, 1, 2, 3]
    within = {str(k): functools.partial(po.metrics.accuracy_within, k=k) for k in distances}
    frame = FRAME.assign(b=(FRAME.b + 2 * (FRAME.row < 9)).clip(0, K - 1))
    table = compare(frame, metrics={"mae": "mae", **within}, cluster=cluster)
    true = frame.y.tolist()
    for (name, a, b), row in table.drop(index="mae", level="metric").iterrows():
        f, preds = uncertainty.Within(int(name)), (frame[a].tolist(), frame[b].tolist())
        if cluster is None:
            se, _ = uncertainty.paired_se(f, true, *preds, K)
        else:
            se = uncertainty.paired_clustered_se(f, true, *preds, frame[cluster].tolist(), K)
        assert row.se == pytest.approx(se, rel=1e-9, abs=1e-12), (name, a, b)
    pd.testing.assert_frame_equal(
        table.xs("0", level="metric"),
        compare(frame, metrics=["accuracy"], cluster=cluster).droplevel("metric"),
    )
    nothing = table.xs("3", level="metric")
    assert (nothing[["difference", "low", "high"]] == 0).all(axis=None)
    assert (nothing.p_value == 1).all()


@pytest.mark.slow
def test_p_values_are_adjusted_over_the_pairs_of_a_metric() -> None:
    for _, pairs in compare().groupby(level="metric"):
        expected = multipletests(pairs.p_value, method="holm")[1]
        np.testing.assert_allclose(pairs.p_adjusted, expected, rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("cluster", [None, "row"])
def test_real_differences_of_voters_are_those_of_the_literal_rule(cluster: str | None) -> None:
    df = pd.read_csv(ANES)
    df["y"], df["yhat"] = (pd.Categorical(df[c], PARTIES, ordered=True) for c in ("y", "yhat"))
    names = ["mae", "amae", "stc"]
    asked = {"id": ["row", "repeat"], "metrics": names, "cluster": cluster}
    with pytest.warns(po.RepeatedRowsWarning) if cluster is None else nullcontext():
        found = df.ordinal.compare("y", "yhat", model="model", **asked)
    codes = df.assign(y=df.y.cat.codes, yhat=df.yhat.cat.codes)
    wide = codes.pivot(index=["row", "repeat", "y"], columns="model", values="yhat").reset_index()
    for name in names:
        ps = []
        for a, b in itertools.combinations(sorted(df.model.unique()), 2):
            rows = wide.y.tolist(), wide[a].tolist(), wide[b].tolist()
            if cluster is None:
                se, freedom = uncertainty.paired_se(function(name), *rows, 7)
            else:
                clusters = wide.row.tolist()
                se = uncertainty.paired_clustered_se(function(name), *rows, clusters, 7)
                freedom = len(set(clusters)) - 1
            assert found.loc[(name, a, b), "se"] == pytest.approx(se, rel=1e-9)
            ps.append(2 * stats.t.sf(abs(found.loc[(name, a, b), "difference"]) / se, freedom))
        real = multipletests(ps, method="holm")[0]
        assert (found.loc[name].better != "neither").tolist() == real.tolist()
    if cluster is not None:  # as found by another implementation
        p = found.loc["mae"].p_adjusted.round(3)
        assert p[("boosting", "logistic")] == 0.006 and p[("frank-hall", "logistic")] == 0.014


def test_better_follows_the_direction_and_the_adjusted_p_value() -> None:
    table = compare()
    assert {"a", "neither"} <= set(table.better)
    for (metric, a, b), row in table.iterrows():
        up = registry[metric].greater_is_better
        if up is None:
            assert pd.isna(row.better)
        elif row.p_adjusted > 0.05:
            assert row.better == "neither"
        else:
            assert row.better == (a if (row.difference > 0) == up else b)
    strict = compare(ci=0.999999)
    assert strict.better.isin(MODELS).sum() < table.better.isin(MODELS).sum()


def test_no_model_is_called_neither() -> None:
    """Whatever names the models."""
    wide = FRAME.rename(columns={"b": "neither"})
    with pytest.raises(ValueError, match="called 'neither', .*'better'.*: rename the model"):
        wide.ordinal.compare("y", ["a", "neither"])
    with pytest.raises(ValueError, match="called 'neither'"):
        wide["y"].ordinal.compare({"a": wide["a"], "neither": wide["neither"]})
    with pytest.raises(ValueError, match="called 'neither'"):
        wide.rename_axis("row_of").to_xarray().ordinal.compare("y", ["neither", "a"])
    long = LONG.assign(model=LONG["model"].replace("b", "neither"))
    with pytest.raises(ValueError, match="called 'neither'"):
        long.ordinal.compare("y", "yhat", model="model", id="row")
    with pytest.raises(ValueError, match="called 'neither'"):
        po.disagreements(compare().rename(index={"b": "neither"}))


@pytest.mark.parametrize("names", [(0, 1), (("svm", 1), ("svm", 2)), (1.5, "x")])
def test_models_of_any_name_may_be_better(names: tuple[Any, Any]) -> None:
    preds = {name: FRAME[model] for name, model in zip(names, ("a", "c"), strict=True)}
    expected = compare(metrics=["mae", "stc"]).xs(("a", "c"), level=("a", "b")).better
    found = FRAME["y"].ordinal.compare(preds, metrics=["mae", "stc"])
    called = {"a": names[0], "c": names[1], "neither": "neither"}
    assert found.better.tolist() == [called[name] for name in expected]


def test_identical_predictions_differ_by_nothing_and_have_a_width() -> None:
    rows = compare().xs(("c", "same"), level=("a", "b"))
    assert (rows.difference == 0).all() and (rows.p_value == 1).all()
    assert (rows.high > 0).all()
    np.testing.assert_array_equal(rows.low, -rows.high)


@pytest.mark.parametrize("method", ["influence", "permutation"])
def test_rounding_makes_no_model_better(method: str) -> None:
    # all rows are of one class, so that kappa is 0 whatever is predicted
    frame = pd.DataFrame({"y": [2] * 7, "a": [0, 3, 1, 1, 2, 0, 0], "b": [1, 0, 2, 1, 0, 3, 1]})
    for ci in (0.95, 1e-17):
        (row,) = frame.ordinal.compare(
            "y", ["a", "b"], metrics=["kappa"], classes=range(4), method=method, ci=ci
        ).itertuples()
        assert (row.p_value, row.p_adjusted) == (1, 1)
        assert row.better == "neither"


def test_the_unit_of_the_bins_changes_no_comparison() -> None:
    rng = np.random.default_rng(0)
    true = rng.integers(0, 3, 40)
    frame = pd.DataFrame({"y": true, "a": true, "b": np.where(true > 0, true - 1, 1)})
    found = []
    for unit in (1, 2.0**-60):
        measure = partial(po.metrics.interval_mae, edges=[0, unit, 2 * unit, 3 * unit])
        table = frame.ordinal.compare("y", ["a", "b"], metrics={"in unit": measure})
        found.append(table[["p_value", "better"]])
    pd.testing.assert_frame_equal(*found)
    assert table["better"].tolist() == ["a"]


def test_losses_that_are_both_infinite_have_no_difference() -> None:
    frame = pd.DataFrame({"y": [0, 1, 1, 0], "sure": [1.0, 0, 1, 0], "not": [0.0, 1, 0, 1]})
    proba = {name: frame[["sure", "not"]].set_axis([0, 1], axis=1) for name in ("a", "b")}
    (row,) = frame["y"].ordinal.compare(proba=proba, metrics=["log_loss"]).itertuples()
    assert row.value_a == row.value_b == np.inf
    assert np.isnan(row.difference) and np.isnan(row.p_value) and pd.isna(row.better)


@pytest.mark.slow
def test_no_p_value_is_zero() -> None:
    frame = pd.DataFrame({"y": [0, 1] * 10**6, "a": [0, 1] * 10**6, "b": [1, 0] * 10**6})
    row = frame.ordinal.compare("y", ["a", "b"], metrics=["accuracy"]).iloc[0]
    assert 0 < row.p_value < 1e-300
    assert row.better == "a"


def test_swapping_models_negates() -> None:
    for asked in ({}, {"cluster": "patient"}, {"method": "permutation", "n_permutations": 99}):
        table = compare(**asked)
        other = FRAME.ordinal.compare("y", MODELS[::-1], metrics=NAMES, **asked)
        other = other.swaplevel("a", "b").rename_axis(["metric", "a", "b"]).loc[table.index]
        np.testing.assert_array_equal(other.difference, -table.difference)
        np.testing.assert_allclose(other.low, -table.high, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(other.p_value, table.p_value, rtol=1e-9)
        assert other.better.astype(str).tolist() == table.better.astype(str).tolist()


@pytest.mark.parametrize(
    "asked", [{}, {"cluster": "patient"}, {"method": "permutation", "n_permutations": 50}]
)
def test_order_index_and_groups_change_nothing(asked: dict[str, Any]) -> None:
    table = compare(by="g", **asked)
    shuffled = FRAME.sample(frac=1, random_state=0)
    pd.testing.assert_frame_equal(compare(shuffled, by="g", **asked), table, rtol=1e-9)
    renamed = FRAME.set_index("visit", drop=False).rename_axis(None)
    pd.testing.assert_frame_equal(compare(renamed, by="g", **asked), table)
    alone = compare(FRAME[FRAME.g == "v"], classes=range(K), **asked)
    pd.testing.assert_frame_equal(table.loc["v"], alone, rtol=1e-9)


def test_all_surfaces_and_the_long_form_say_the_same() -> None:
    table = compare(by="g", cluster="patient", reference="b")
    asked = {"metrics": NAMES, "cluster": "patient", "reference": "b"}
    grouped = FRAME.groupby("g").ordinal.compare("y", MODELS, **asked)
    pd.testing.assert_frame_equal(grouped, table)
    long = LONG.sample(frac=1, random_state=1)
    asked_of_scores: dict[str, Any] = {"score": ["row", "c"], "metrics": ["vus"]}
    by_score = FRAME.groupby("g").ordinal.compare("y", **asked_of_scores)
    due = FRAME.ordinal.compare("y", by="g", **asked_of_scores)
    pd.testing.assert_frame_equal(by_score, due)
    asked |= {"model": "model", "id": "row"}
    pd.testing.assert_frame_equal(
        long.ordinal.compare("y", "yhat", by="g", **asked).sort_index(),
        table.rename_axis(["g", "metric", "a", "b"]).sort_index(),
        rtol=1e-9,
    )
    columns = long.groupby("g", as_index=False).ordinal.compare("y", "yhat", **asked)
    assert columns.columns[:4].tolist() == ["g", "metric", "a", "b"]
    series = FRAME.y.ordinal.compare({m: FRAME[m] for m in MODELS}, metrics=NAMES)
    pd.testing.assert_frame_equal(series, compare())


def test_datasets_say_the_same() -> None:
    square = FRAME.assign(case=np.arange(N) % (N // 2)).set_index(["g", "case"]).to_xarray()
    asked = {"metrics": NAMES, "cluster": "patient"}
    table = compare(cluster="patient")
    everything = square.ordinal.compare("y", MODELS, **asked)
    pd.testing.assert_frame_equal(everything, table, check_index_type=False, rtol=1e-9)
    by = square.ordinal.compare("y", MODELS, dim="case", **asked)
    pd.testing.assert_frame_equal(by, compare(by="g", cluster="patient"), check_index_type=False)
    stacked = square[MODELS].to_dataarray("model").rename("yhat")
    merged = xr.merge([square[["y", "patient"]], stacked])
    again = merged.ordinal.compare("y", "yhat", model="model", **asked)
    pd.testing.assert_frame_equal(again, everything, check_index_type=False)
    holes = square.assign(a=square.a.where(square.row >= 30))
    with pytest.raises(po.MissingValueError):
        holes.ordinal.compare("y", MODELS, **asked)
    lacking = FRAME.assign(a=FRAME.a.where(FRAME.row >= 30))
    pd.testing.assert_frame_equal(
        holes.ordinal.compare("y", MODELS, dropna=True, **asked),
        compare(lacking, cluster="patient", dropna=True),
        check_index_type=False,
    )
    other = merged.yhat.copy(data=merged.yhat.values[::-1])
    ahead = merged.assign(yhat=xr.concat([merged.yhat, other], "lead"))
    leads = ahead.ordinal.compare("y", "yhat", model="model", **asked)
    assert leads.index.names == ["lead", "metric", "a", "b"]
    pd.testing.assert_frame_equal(leads.loc[0], everything, check_index_type=False)
    with pytest.raises(ValueError, match="two models"):
        square.ordinal.compare("y", "a")
    with pytest.raises(ValueError, match="different variables"):
        square.ordinal.compare("y", ["a", "a"])
    with pytest.raises(ValueError, match="must be a dimension"):
        merged.ordinal.compare("y", "yhat", model="case")


def test_datasets_by_keys_and_with_ignored_labels() -> None:
    flat = FRAME.rename_axis("case").to_xarray()
    asked = {"metrics": ["mae", "kappa"], "cluster": "patient"}
    by = flat.ordinal.compare("y", MODELS, by="g", **asked)
    pd.testing.assert_frame_equal(by, compare(by="g", **asked), check_index_type=False)
    array = flat.g.rename("region")
    two = flat.ordinal.compare("y", MODELS, by=[array, "visit"], metrics=["mae"])
    rows = FRAME.assign(region=FRAME.g).ordinal.compare(
        "y", MODELS, by=["region", "visit"], metrics=["mae"]
    )
    pd.testing.assert_frame_equal(two, rows, check_index_type=False)
    square = FRAME.assign(case=np.arange(N) % (N // 2)).set_index(["g", "case"]).to_xarray()
    place = square.assign(half=("case", np.arange(N // 2) % 2))
    mixed = place.ordinal.compare("y", MODELS, dim="case", by="half", metrics=["mae"])
    halves = FRAME.assign(half=np.arange(N) % (N // 2) % 2)
    rows = halves.ordinal.compare("y", MODELS, by=["g", "half"], metrics=["mae"])
    pd.testing.assert_frame_equal(mixed, rows, check_index_type=False)
    unknown = FRAME.assign(
        a=FRAME.a.where(FRAME.row >= 30, 99), y=FRAME.y.where(FRAME.row < 99, 99)
    )
    for chunks in (None, {"case": 50}):
        holes = (
            unknown.rename_axis("case").to_xarray().chunk(chunks)
            if chunks
            else (unknown.rename_axis("case").to_xarray())
        )
        given = {"ignore": 99, "classes": range(K), **asked}
        found = holes.ordinal.compare("y", MODELS, **given)
        pd.testing.assert_frame_equal(found, compare(unknown, **given), check_index_type=False)
        assert found.share_a.min() < 1


def test_what_datasets_lack_is_refused_or_left_out() -> None:
    lacking = FRAME.assign(
        g=FRAME.g.where(FRAME.row > 9), patient=FRAME.patient.where(FRAME.row < 110)
    )
    ds = lacking.rename_axis("case").to_xarray()
    for given in ({"by": "g"}, {"cluster": "patient"}):
        with pytest.raises(po.MissingValueError, match="missing in 10 rows"):
            ds.ordinal.compare("y", MODELS, **given)
        found = ds.ordinal.compare("y", MODELS, dropna=True, metrics=["mae"], **given)
        rows = compare(lacking, dropna=True, metrics=["mae"], **given)
        pd.testing.assert_frame_equal(found, rows, check_index_type=False)
    with pytest.raises(
        ValueError, match="must be a list with a variable for each of the 4 models"
    ):
        ds.ordinal.compare("y", MODELS, score=["a", "b"])
    with pytest.raises(ValueError, match="nothing to score"):
        ds.ordinal.compare("y")
    moved = ds.patient.assign_coords(case=ds.case + 1)
    with pytest.raises(ValueError, match="case"):
        ds.ordinal.compare("y", MODELS, cluster=moved, dropna=True)
    stacked = ds.assign(yhat=ds[MODELS].to_dataarray("model"))
    with pytest.raises(ValueError, match="'case' must be a dimension that the true labels lack"):
        stacked.ordinal.compare("y", "yhat", model="case")
    with pytest.raises(ValueError, match="and score has: .* score \\('case',\\)"):
        stacked.ordinal.compare("y", "yhat", score="row", model="model")


@pytest.mark.parametrize("chunks", [None, {"time": 50}])
def test_datasets_of_codes_with_flags_and_times(chunks: Any) -> None:
    flags = {"flag_values": [0, 1, 2, 3, 9], "flag_meanings": "a b c d none"}
    unknown = FRAME.assign(a=FRAME.a.where(FRAME.row >= 30, 9))
    times = pd.date_range("2020-01-01", periods=N, name="time")
    ds = xr.Dataset(
        {m: ("time", unknown[m].to_numpy("uint8"), flags) for m in ["y", *MODELS]}, {"time": times}
    )
    given = {"ignore": "none", "classes": "flags", "metrics": ["mae"], "cluster": "time.month"}
    found = ds.chunk(chunks or {}).ordinal.compare("y", MODELS, by="time.year", **given)
    rows = unknown.assign(year=times.year, month=times.month)
    expected = compare(rows, by="year", ignore=9, metrics=["mae"], cluster="month")
    pd.testing.assert_frame_equal(found, expected, check_index_type=False)


def test_flags_of_several_variables_are_read_together() -> None:
    first = {"flag_values": [1, 2], "flag_meanings": "low mid"}
    second = {"flag_values": [2, 3], "flag_meanings": "mid high"}
    y = np.array([1, 2, 3] * 10)
    ds = xr.Dataset({
        "y": ("case", y, first), "a": ("case", np.minimum(y, 2), first), "b": ("case", y, second),
    })  # fmt: skip
    found = ds.ordinal.compare("y", ["a", "b"], classes="flags", metrics=["mae"])
    assert found[["value_a", "value_b"]].to_numpy().round(3).tolist() == [[0.333, 0]]
    ds.b.attrs["flag_meanings"] = "low high"
    with pytest.raises(po.ClassOrderError, match="contradict"):
        ds.ordinal.compare("y", ["a", "b"], classes="flags")


SCORED = FRAME[["g", "y", "patient", "row"]].copy()
for place, name in enumerate("ab"):
    SCORED[name] = FRAME[name]
    SCORED[f"s{name}"] = (SCORED.y + RNG.normal(0, 0.7 + place, N)).round(1)
    forecast = RNG.dirichlet(np.ones(K), N) + (0.5 + place) * np.eye(K)[SCORED.y]
    SCORED[[f"{name}{k}" for k in range(K)]] = forecast / forecast.sum(1, keepdims=True)
PROBA = [{k: f"{name}{k}" for k in range(K)} for name in "ab"]
OF_ROWS = ["vus", "u_pairs", "u_ovo", "u_cons", "rps", "brier", "log_loss"]


def compare_scored(frame: pd.DataFrame = SCORED, **asked: Any) -> pd.DataFrame:
    given = {"score": ["sa", "sb"], "proba": PROBA, "metrics": [*OF_ROWS, "mae"], **asked}
    return frame.ordinal.compare("y", ["a", "b"], **given)


def _follows(
    row: pd.Series[float], se: float, freedom: float, smoothed: float | None = None
) -> None:
    due = differences.Difference(
        row.difference, row.difference if smoothed is None else smoothed, se, freedom
    )
    assert row.se == pytest.approx(se, rel=1e-9)
    np.testing.assert_allclose([row.low, row.high], due.interval(0.95, (-np.inf, np.inf)))
    assert row.p_value == pytest.approx(due.p)


def test_scores_and_probabilities_follow_the_literal_rule() -> None:
    table = compare_scored()
    assert table.index.get_level_values("metric").tolist() == [*OF_ROWS, "mae"]
    report = SCORED.ordinal.report("y", ["a", "b"], score=["sa", "sb"], proba=PROBA)
    for name in ("vus", "u_pairs", "rps", "brier", "log_loss", "mae"):
        row = table.loc[(name, "a", "b")]
        np.testing.assert_allclose([row.value_a, row.value_b], report[name], rtol=1e-12)
    true = SCORED.y.tolist()
    of_scores: dict[str, Any] = {
        "u_pairs": (uncertainty.paired_se_of_u_pairs, table, SCORED),
        # whose literal reading looks at each sequence of rows
        "vus": (uncertainty.paired_se_of_vus, compare_scored(SCORED[:18]), SCORED[:18]),
    }
    for name, (literal, compared, frame) in of_scores.items():
        rows = frame.y.tolist(), frame.sa.tolist(), frame.sb.tolist()
        expected = literal(*rows, K, *(["half"] if name == "vus" else []))
        kernel: Any = registry[name].kernel
        a, b = (uncertainty.smoothed_score(kernel, rows[0], score, K) for score in rows[1:])
        smoothed = (a - b) * (len(frame) + 1) / len(frame)
        _follows(compared.loc[name, "a", "b"], *expected, smoothed)
    for name in ("rps", "brier", "log_loss"):
        kernel = registry[name].kernel
        losses = [
            [float(kernel([y], row[None])) for y, row in zip(true, forecasts, strict=True)]
            for forecasts in (SCORED[list(p.values())].to_numpy() for p in PROBA)
        ]
        guess = np.mean([float(kernel([y], np.full((1, K), 1 / K))) for y in range(K)])
        expected = uncertainty.paired_se_of_losses(true, *losses, guess)
        _follows(table.loc[name, "a", "b"], *expected)
    assert table.loc[("rps", "a", "b"), "better"] == "b"
    assert table.loc[("u_pairs", "a", "b"), "better"] == "a"


def test_a_class_without_rows_changes_no_difference() -> None:
    frame = SCORED.assign(y=SCORED.y.clip(upper=K - 2), none=0.0)
    wide = [{**{k: f"{name}{k}" for k in range(K)}, K: "none"} for name in "ab"]
    asked: dict[str, Any] = {"metrics": ["brier"], "cluster": "patient"}
    one, other = (
        frame.ordinal.compare("y", ["a", "b"], proba=p, classes=range(n), **asked)
        for p, n in ((PROBA, K), (wide, K + 1))
    )
    assert one["se"].notna().all()
    pd.testing.assert_frame_equal(one, other, rtol=1e-9)


def test_scores_of_groups_clusters_and_the_long_form() -> None:
    table = compare_scored(by="g", cluster="patient")
    alone = compare_scored(SCORED[SCORED.g == "v"], cluster="patient", classes=range(K))
    pd.testing.assert_frame_equal(table.loc["v"], alone, rtol=1e-9)
    shuffled = compare_scored(SCORED.sample(frac=1, random_state=2), by="g", cluster="patient")
    pd.testing.assert_frame_equal(shuffled, table, rtol=1e-9)
    parts = []
    for name in "ab":
        new = {name: "yhat", f"s{name}": "score", **{f"{name}{k}": f"p{k}" for k in range(K)}}
        part = SCORED[["g", "y", "patient", "row", *new]].rename(columns=new)
        parts.append(part.assign(model=name))
    long = pd.concat(parts).sample(frac=1, random_state=3)
    asked = {"metrics": [*OF_ROWS, "mae"], "by": "g", "cluster": "patient"}
    asked |= {"proba": {k: f"p{k}" for k in range(K)}, "score": "score"}
    found = long.ordinal.compare("y", "yhat", model="model", id="row", **asked)
    pd.testing.assert_frame_equal(found, table, rtol=1e-9)
    asked["metrics"] = ["vus", "rps"]
    only = long.ordinal.compare("y", model="model", id="row", **asked)
    rows = table[table.index.get_level_values("metric").isin(["vus", "rps"])]
    pd.testing.assert_frame_equal(only, rows, rtol=1e-9)


def test_series_of_scores_and_probabilities_say_the_same() -> None:
    table = compare_scored()
    preds, score = ({m: SCORED[f"{kind}{m}"] for m in "ba"} for kind in ("", "s"))
    named = {
        m: SCORED[list(p.values())].set_axis(list(p), axis=1)
        for m, p in zip("ab", PROBA, strict=True)
    }
    preds = {m: preds[m] for m in "ab"}
    o = SCORED.y.ordinal
    found = o.compare(preds, score=score, proba=named, metrics=[*OF_ROWS, "mae"])
    pd.testing.assert_frame_equal(found, table)
    for given, names in (({"score": score}, ["vus", "u_ovo"]), ({"proba": named}, ["rps"])):
        alone = o.compare(**given, metrics=names)
        if "score" in given:  # whose models are b and a
            alone = alone.swaplevel("a", "b").rename_axis(["metric", "a", "b"])
        np.testing.assert_allclose(alone.difference.abs(), table.loc[names].difference.abs())
        assert alone.better.tolist() == table.loc[names].better.tolist()
        assert alone.index.equals(table.loc[names].index)
    with pytest.raises(ValueError, match=r"score= has the models \['a'\], but .*'b'\]: give"):
        o.compare(preds, score={"a": SCORED.sa})
    for given in ({"proba": named["a"]}, {"score": list(score)}, {"preds": SCORED.a}):
        with pytest.raises(TypeError, match="must be a dict from model"):
            o.compare(**{"preds": preds, **given})
    with pytest.raises(ValueError, match="proba=a DataFrame must be a list with an item"):
        compare_scored(proba=named["a"])
    with pytest.raises(ValueError, match="nothing to score"):
        o.compare()
    with pytest.raises(ValueError, match="two or more models: .* Series in a dict"):
        o.compare({"a": SCORED.a})


@pytest.mark.parametrize("chunks", [None, {"case": 50}])
def test_datasets_of_scores_and_probabilities_say_the_same(chunks: Any) -> None:
    table = compare_scored(by="g", cluster="patient", classes=range(K))
    ds = SCORED[["g", "y", "patient", "a", "b", "sa", "sb"]].rename_axis("case").to_xarray()
    for name, columns in zip("ab", PROBA, strict=True):
        values = SCORED[[columns[k] for k in reversed(range(K))]].to_numpy()
        ds[f"p{name}"] = ("case", "class"), values
    ds = ds.assign_coords({"class": range(K)[::-1]})
    ds = ds.chunk(chunks).assign(g=ds.g) if chunks else ds
    asked = {"metrics": [*OF_ROWS, "mae"], "by": "g", "cluster": "patient", "classes": range(K)}
    given = {"score": ["sa", "sb"], "proba": ["pa", "pb"]}
    found = ds.ordinal.compare("y", ["a", "b"], **given, **asked)
    pd.testing.assert_frame_equal(found, table, check_index_type=False, rtol=1e-9)
    stacked = {
        name: xr.concat([ds[one] for one in both], pd.Index(["a", "b"], name="m"), join="exact")
        for name, both in {**given, "yhat": ["a", "b"]}.items()
    }
    again = ds.assign(stacked).ordinal.compare(
        "y", "yhat", model="m", score="score", proba="proba", **asked
    )
    pd.testing.assert_frame_equal(again, found)
    asked["metrics"] = ["vus"]
    alone = ds.ordinal.compare("y", score=["sa", "sb"], **asked)
    assert alone.index.unique("a").tolist() == ["sa"]
    np.testing.assert_array_equal(alone.se, table.xs("vus", level="metric").se)
    asked["metrics"] = ["rps"]
    alone = ds.ordinal.compare("y", proba=["pa", "pb"], **asked)
    assert set(alone.better) <= {"pb", "neither"}
    holes = ds.assign(sa=ds.sa.where(ds.sa > 0), pb=ds.pb.where(ds.pb > 0.01))
    with pytest.raises(po.MissingValueError, match="missing"):
        holes.ordinal.compare("y", ["a", "b"], **given, **asked)
    lacking = SCORED.assign(sa=SCORED.sa.where(SCORED.sa > 0))
    for column in PROBA[1].values():
        lacking[column] = SCORED[column].where(SCORED[column] > 0.01)
    asked["metrics"] = ["vus", "rps", "mae"]
    found = holes.ordinal.compare("y", ["a", "b"], dropna=True, **given, **asked)
    rows = compare_scored(lacking, dropna=True, **asked)
    pd.testing.assert_frame_equal(found, rows, check_index_type=False, rtol=1e-9)


def test_scores_or_probabilities_alone() -> None:
    table = compare_scored()
    scores = SCORED.ordinal.compare("y", score=["sa", "sb"], metrics=["vus", "u_cons"])
    named = table.loc[["vus", "u_cons"]].rename({"a": "sa", "b": "sb"})
    pd.testing.assert_frame_equal(scores, named.assign(better=scores.better))
    assert scores.better.tolist() == [f"s{m}" for m in table.loc[["vus", "u_cons"]].better]
    for surface in (SCORED, SCORED.groupby(lambda _: 0)):
        found = surface.ordinal.compare("y", proba=PROBA, metrics=["rps", "brier"])
        np.testing.assert_array_equal(found.se, table.loc[["rps", "brier"]].se)
        assert found.index.unique("a").tolist() == [0] and found.better.tolist() == [1, 1]
    values = [SCORED[list(p.values())].to_numpy() for p in PROBA]
    found = SCORED.ordinal.compare("y", proba=values, metrics=["rps"], classes=range(K))
    np.testing.assert_array_equal(found.se, table.loc[["rps"]].se)
    for given in ({"proba": PROBA[0]}, {"proba": PROBA[:1]}, {"score": "sa"}, {"score": ["sa"]}):
        with pytest.raises(ValueError, match="two or more models"):
            SCORED.ordinal.compare("y", **given)


def test_identical_scores_differ_by_nothing() -> None:
    table = compare_scored(score=["sa", "sa"], metrics=["vus", "u_ovo"])
    assert (table.difference == 0).all() and (table.p_value == 1).all()
    assert (table.high > 0).all()
    np.testing.assert_array_equal(table.low, -table.high)


def test_scores_without_a_rule_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match='vus.*method="permutation"'):
        compare_scored(metrics=["vus"], method="permutation")


def test_rows_in_common_and_coverage() -> None:
    lacking = LONG[~((LONG.model == "a") & (LONG.row < 30))]
    table = lacking.ordinal.compare("y", "yhat", model="model", id="row", metrics=["mae"])
    assert (table.n == N - 30).all()
    assert table.loc[("mae", "a", "b"), "share_a"] == 0.75
    assert table.loc[("mae", "a", "b"), "share_b"] == 1
    common = compare(FRAME[FRAME.row >= 30], metrics=["mae"], classes=range(K))
    columns = ["value_a", "value_b", "se", "p_value"]
    pd.testing.assert_frame_equal(table[columns], common[columns])
    wide = FRAME.assign(a=FRAME.a.where(FRAME.row >= 30))
    with pytest.raises(po.MissingValueError, match="'a' has 30 missing|30"):
        compare(wide, metrics=["mae"])
    dropped = compare(wide, metrics=["mae"], dropna=True)
    pd.testing.assert_frame_equal(dropped, table, check_index_type=False)


VALUES = ["value_a", "value_b", "difference", "se", "low", "high", "p_value", "p_adjusted"]
LEFT = ["u", "v", "without truth", "without b", "apart", "all without truth"]


def without_common_rows() -> pd.DataFrame:
    """Return rows of six groups, of which four have no row that a, b and c predict.

    The first group, and the last one, has no truth.
    """
    groups = FRAME.assign(g=np.resize(LEFT, N), y=FRAME.y.astype(float), b=FRAME.b.astype(float))
    groups["a"] = groups.a.astype(float)
    groups.loc[groups.g.str.contains("without truth"), "y"] = np.nan
    groups.loc[groups.g == "without b", "b"] = np.nan
    apart = groups.index[groups.g == "apart"]
    groups.loc[apart[::2], "a"] = np.nan
    groups.loc[apart[1::2], "b"] = np.nan
    return groups


def surfaces_by_group(groups: pd.DataFrame, **asked: Any) -> dict[str, pd.DataFrame]:
    """Return the comparison of a, b and c in each group, by every surface."""
    models, o = ["a", "b", "c"], {"metrics": NAMES, "dropna": True, "classes": range(K), **asked}
    long = groups.melt(["g", "y", "patient", "row"], models, "model", "yhat")
    in_long: dict[str, Any] = {"model": "model", "id": "row", **o}
    by_index = groups.set_index("g")
    ds = groups.rename_axis("case").to_xarray().set_coords("g")
    found = {
        "wide": groups.ordinal.compare("y", models, by="g", **o),
        "wide, key in the index": by_index.ordinal.compare("y", models, by="g", **o),
        "groupby": groups.groupby("g").ordinal.compare("y", models, **o),
        "long": long.ordinal.compare("y", "yhat", by="g", **in_long),
        "long, rows without predictions": long.dropna(subset="yhat").ordinal.compare(
            "y", "yhat", by="g", **in_long
        ),
        "long groupby": long.groupby("g").ordinal.compare("y", "yhat", **in_long),
        "Dataset": ds.ordinal.compare("y", models, by="g", **o),
    }
    flat = groups.groupby("g").ordinal.compare("y", models, **o)
    categories = groups.assign(g=pd.Categorical(groups.g, [*LEFT, "no row"])).groupby(
        "g", observed=True
    )
    found["groupby of categories"] = categories.ordinal.compare("y", models, **o).loc[
        flat.index.levels[0].tolist()
    ]
    return found


@pytest.mark.parametrize(
    "asked", [{}, {"cluster": "patient"}, {"method": "permutation", "n_permutations": 99}]
)
def test_groups_without_common_rows_are_nan(asked: dict[str, Any]) -> None:
    groups = without_common_rows()
    for surface, table in surfaces_by_group(groups, **asked).items():
        assert set(table.index.get_level_values("g")) == set(LEFT), surface
        assert len(table) == len(LEFT) * len(NAMES) * 3, surface
        for name in LEFT:
            found, own = table.loc[name], groups[groups.g == name]
            if name not in ("u", "v"):
                assert found[VALUES].isna().all(axis=None), surface
                assert found.better.isna().all() and (found.n == 0).all(), surface
                continue
            alone = own.ordinal.compare(
                "y", ["a", "b", "c"], metrics=NAMES, classes=range(K), **asked
            )
            pd.testing.assert_frame_equal(found[VALUES], alone[VALUES], obj=surface)
            assert found.better.astype(object).fillna("").tolist() == (
                alone.better.astype(object).fillna("").tolist()
            )
            assert (found.n == len(own)).all()
            value = np.mean([abs(y - a) for y, a in zip(own.y, own.a, strict=True)])
            assert found.loc[("mae", "a", "b"), "value_a"] == pytest.approx(value)
        shares = table.xs(("mae", "a", "b"), level=("metric", "a", "b"))[["share_a", "share_b"]]
        assert shares.loc["without b"].tolist() == [1, 0], surface
        for name in ("without truth", "all without truth"):
            assert shares.loc[name].isna().all(), surface
        assert shares.loc["apart"].tolist() == [0.5, 0.5], surface


@pytest.mark.parametrize("lazy", [False, True])
def test_a_map_with_an_ocean_cell(lazy: bool) -> None:
    rng = np.random.default_rng(3)
    shape = (40, 2, 2)
    truth = rng.integers(0, 3, shape).astype(float)
    ds = xr.Dataset(
        {
            "y": (("time", "lat", "lon"), truth),
            "a": (("time", "lat", "lon"), (truth + (rng.random(shape) < 0.2)).clip(0, 2)),
            "b": (("time", "lat", "lon"), (truth - (rng.random(shape) < 0.4)).clip(0, 2)),
        },
        {"lat": [10, 20], "lon": [1, 2]},
    )
    ds["y"][:, 0, 1] = np.nan
    given = ds.chunk(time=20) if lazy else ds
    joined = given.assign(pred=given[["a", "b"]].to_array("model"))
    o: dict[str, Any] = {"dim": "time", "dropna": True, "classes": range(3)}
    for table in (
        given.ordinal.compare("y", ["a", "b"], metrics=["mae", "kappa"], **o),
        joined.ordinal.compare("y", "pred", model="model", metrics=["mae", "kappa"], **o),
    ):
        ocean = table.loc[(10, 2)]
        assert ocean[VALUES].isna().all(axis=None) and (ocean.n == 0).all()
        assert ocean.better.isna().all()
        for lat, lon in ((10, 1), (20, 1), (20, 2)):
            cell = ds.sel(lat=lat, lon=lon)
            y, a, b = (cell[name].values.tolist() for name in ("y", "a", "b"))
            row = table.loc[(lat, lon, "mae", "a", "b")]
            maes = [sum(abs(t - p) for t, p in zip(y, m, strict=True)) / 40 for m in (a, b)]
            assert [row.value_a, row.value_b, row.n] == pytest.approx([*maes, 40])
            as_ints = [list(map(int, labels)) for labels in (y, a, b)]
            assert row.se == pytest.approx(uncertainty.paired_se(function("mae"), *as_ints, 3)[0])


def test_groups_without_scores_of_a_model_are_nan() -> None:
    frame = SCORED.assign(sa=SCORED.sa.where(SCORED.g != "v"))
    scores = ["sa", "sb"]
    o: dict[str, Any] = {"metrics": ["u_pairs", "vus"], "dropna": True, "classes": range(K)}
    table = frame.ordinal.compare("y", score=scores, by="g", **o)
    assert table.loc["v", VALUES].isna().all(axis=None) and (table.loc["v"].n == 0).all()
    alone = frame[frame.g == "u"].ordinal.compare("y", score=scores, **o)
    pd.testing.assert_frame_equal(table.loc["u", VALUES], alone[VALUES])


def test_a_model_without_predictions_is_named() -> None:
    silent = FRAME.assign(c=np.nan)
    long = silent.melt(["g", "y", "row"], ["a", "b", "c"], "model", "yhat")
    lacking = long.assign(y=long.y.where(long.model != "c"), yhat=long.yhat.fillna(0))
    o: dict[str, Any] = {"dropna": True, "classes": range(K)}
    in_long: dict[str, Any] = {"model": "model", "id": "row", **o}
    ds = silent.rename_axis("case").to_xarray()
    calls: list[Callable[[], Any]] = [
        lambda: silent.ordinal.compare("y", ["a", "b", "c"], **o),
        lambda: silent.ordinal.compare("y", ["a", "b", "c"], by="g", **o),
        lambda: silent.groupby("g").ordinal.compare("y", ["a", "b", "c"], **o),
        lambda: silent.y.ordinal.compare({"a": silent.a, "b": silent.b, "c": silent.c}, **o),
        lambda: long.ordinal.compare("y", "yhat", **in_long),
        lambda: lacking.ordinal.compare("y", "yhat", **in_long),
        lambda: ds.ordinal.compare("y", ["a", "b", "c"], **o),
    ]
    for call in calls:
        with pytest.raises(
            ValueError, match=r"no predictions of \['c'\].*leave out this model; .*'c': 0"
        ):
            call()


def test_labels_that_mean_nothing_are_left_out() -> None:
    unknown = FRAME.assign(a=FRAME.a.where(FRAME.row >= 30, 99))
    lacking = FRAME.assign(a=FRAME.a.where(FRAME.row >= 30))
    pd.testing.assert_frame_equal(
        compare(unknown, metrics=["mae"], ignore=99),
        compare(lacking, metrics=["mae"], dropna=True),
    )


def test_repeats_are_part_of_the_id() -> None:
    twice = pd.concat([LONG.assign(repeat=0), LONG.assign(repeat=1)])
    with pytest.raises(
        ValueError, match=r"same id='row'.*of 'a'.*name more columns.* cluster='row' too$"
    ):
        twice.ordinal.compare("y", "yhat", model="model", id="row")
    table = twice.ordinal.compare(
        "y", "yhat", model="model", id=["row", "repeat"], cluster="row", metrics=["mae"]
    )
    once = compare(metrics=["mae"])
    assert (table.n == 2 * N).all()
    np.testing.assert_allclose(table.difference, once.difference)
    differ = once.difference != 0  # the pseudo-row weighs half as much
    np.testing.assert_allclose(table.se[differ], once.se[differ], rtol=0.05)


SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in ("oci", "kappa")]


@pytest.mark.parametrize("name", ["mae", *SLOW])
def test_the_p_value_of_permutations_is_exact_on_small_tables(name: str) -> None:
    small = FRAME[:11]
    row = small.ordinal.compare(
        "y", ["a", "c"], metrics=[name], method="permutation", classes=range(K)
    ).iloc[0]
    lists = small.y.tolist(), small.a.tolist(), small.c.tolist()
    assert row.p_value == pytest.approx(uncertainty.permutation_p(function(name), *lists, K))


def test_drawn_permutations_come_near_all_of_them() -> None:
    asked = {"metrics": ["mae", "kappa"], "method": "permutation"}
    exact = FRAME[:60].ordinal.compare("y", ["a", "c"], n_permutations=10**5, **asked)
    drawn = FRAME[:60].ordinal.compare("y", ["a", "c"], n_permutations=2000, **asked)
    np.testing.assert_allclose(drawn.p_value, exact.p_value, atol=0.03)
    again = FRAME[:60].ordinal.compare("y", ["a", "c"], n_permutations=2000, **asked)
    pd.testing.assert_frame_equal(again, drawn)
    clustered = compare(cluster="visit", n_permutations=500, progress=True, **asked)
    np.testing.assert_allclose(
        clustered.p_value, compare(cluster="visit", metrics=asked["metrics"]).p_value, atol=0.1
    )


@pytest.mark.parametrize("method", ["influence", "permutation"])
def test_what_depends_on_the_truth_alone_compares_no_models(method: str) -> None:
    table = compare(FRAME[:20], metrics=["max_total_cost"], method=method)
    assert (table.difference == 0).all()
    said = ["se", "low", "high", "p_value", "p_adjusted", "better"]
    assert table[said].isna().all(axis=None)


@pytest.mark.parametrize("by", [None, "g", ["patient", "g"]])
def test_rows_are_looked_up_without_a_warning_and_stay_in_the_order_given(by: Any) -> None:
    names, models = ["stc", "accuracy", "mae"], ["same", "c", "a"]
    table = FRAME.ordinal.compare("y", models, metrics=names, by=by)
    assert table.index.unique("metric").tolist() == names
    assert table.index.unique("a").tolist() == models[:2]
    assert table.index.unique("b").tolist() == models[1:]
    keys = table.index.droplevel(["metric", "a", "b"])[0] if by else ()
    keys = keys if isinstance(keys, tuple) else (keys,)
    for n in range(1, 4):
        rows = table.loc[(*keys, "accuracy", "same", "c")[: len(keys) + n]]
        assert len(rows) if n < 3 else rows["value_b"] > 0


def test_a_p_value_of_just_one_minus_the_confidence_shows_a_difference() -> None:
    """Of the four ways to exchange the predictions of two rows, two differ as much."""
    df = pd.DataFrame({"y": [0, 1, 1], "a": [0, 1, 1], "b": [0, 0, 0]})
    asked: dict[str, Any] = {"metrics": ["accuracy"], "method": "permutation"}
    for ci, better in ((0.5, "a"), (0.5 + 2**-20, "neither")):
        (row,) = df.ordinal.compare("y", ["a", "b"], ci=ci, **asked).itertuples()
        assert row.p_value == 0.5 and row.better == better


def test_ones_own_functions_have_no_direction() -> None:
    def right(counts: np.ndarray) -> np.ndarray:
        return np.trace(counts, axis1=-2, axis2=-1) / counts.sum((-1, -2))

    table = compare(metrics={"right": right, "accuracy": "accuracy"})
    own, known = table.loc["right"], table.loc["accuracy"]
    np.testing.assert_allclose(own.p_value, known.p_value)
    assert own.better.isna().all() and known.better.isin(MODELS).any()


def test_what_is_undefined_for_a_model_says_nothing_of_its_pairs() -> None:
    constant = FRAME.assign(same=1)
    found = compare(constant, metrics=["kendall_tau", "mae"])
    lost = found.drop(columns=["value_a", "n", "share_a", "share_b"]).loc["kendall_tau"]
    assert lost.xs("same", level="b").isna().all(axis=None)
    others = lost.drop("same", level="b")
    expected = multipletests(others.p_value, method="holm")[1]
    np.testing.assert_allclose(others.p_adjusted, expected)
    assert found.loc["mae"].p_value.notna().all()


def test_a_function_that_fractions_leave_undefined_has_p_values_by_permutation_alone() -> None:
    def of_whole_rows(counts: np.ndarray) -> np.ndarray:
        return np.where((counts % 1 == 0).all(axis=(-1, -2)), po.metrics.mae(counts), np.nan)

    asked: dict[str, Any] = {"metrics": {"own": of_whole_rows, "known": "mae"}}
    found = compare(**asked)
    assert found.loc["own", ["se", "low", "high", "p_value", "p_adjusted"]].isna().all(axis=None)
    np.testing.assert_array_equal(found.loc["own"].difference, found.loc["known"].difference)
    drawn = compare(method="permutation", n_permutations=50, **asked)
    np.testing.assert_array_equal(drawn.loc["own"].p_value, drawn.loc["known"].p_value)


def test_one_row_has_no_standard_error() -> None:
    row = FRAME[:1].ordinal.compare("y", ["a", "b"], metrics=["mae"], classes=range(K)).iloc[0]
    assert np.isnan([row.se, row.low, row.high, row.p_value, row.p_adjusted]).all()
    assert pd.isna(row.better)


def test_bad_input_is_refused() -> None:
    o = FRAME.ordinal
    with pytest.raises(ValueError, match="two or more models"):
        o.compare("y", "a")
    with pytest.raises(ValueError, match="reference='sane'.*did you mean 'same'"):
        compare(reference="sane")
    for reference in (pd.NA, np.nan, ["a"], np.array(["a", "b"]), FRAME.a):
        with pytest.raises(ValueError, match="is not one of the models"):
            compare(reference=reference)
    named = compare(metrics=["mae"], reference="b").index.get_level_values("a")
    assert set(named) == {"b"}
    with pytest.raises(po.UnknownNameError, match="no column 'w'"):
        compare(sample_weight="w")
    with pytest.raises(TypeError, match="refrence.*reference"):
        compare(refrence="a")
    o_long = LONG.ordinal
    unknown: list[Callable[[], Any]] = [
        lambda: o.compare("y", ["A", "b"]),
        lambda: o.compare("Y", ["a", "b"]),
        lambda: o.compare("y", ["a", "b"], by="G"),
        lambda: o.compare("y", ["a", "b"], cluster="patients"),
        lambda: o.compare("y", ["a", "b"], reference="B"),
        lambda: o.compare("y", score=["A", "b"]),
        lambda: SCORED.ordinal.compare("y", proba=[PROBA[0], {**PROBA[1], 0: "B0"}]),
        lambda: o_long.compare("y", "yhatt", model="model", id="row"),
        lambda: o_long.compare("y", "yhat", model="modle", id="row"),
        lambda: o_long.compare("y", "yhat", model="model", id="rwo"),
        lambda: FRAME.groupby("g").ordinal.compare("y", ["A", "b"]),
        lambda: FRAME.rename_axis("case").to_xarray().ordinal.compare("y", ["A", "b"]),
        lambda: FRAME.rename_axis("case").to_xarray().ordinal.compare("y", ["a", "b"], by="G"),
    ]
    for call in unknown:
        with pytest.raises(po.UnknownNameError, match="did you mean"):
            call()
    with pytest.raises(ValueError, match="did you mean 'mae'"):
        compare(metrics=["maee"])
    with pytest.raises(ValueError, match="names no metric"):
        compare(metrics=[])
    with pytest.raises(ValueError, match="id='row'"):
        LONG.ordinal.compare("y", "yhat", model="model")
    with pytest.raises(ValueError, match="give model= too"):
        compare(id="row")
    apart = LONG[(LONG.model == "a") == (LONG.row < 60)]
    with pytest.raises(ValueError, match=r"no row in common; rows per model: \{'a': 60"):
        apart.ordinal.compare("y", "yhat", model="model", id="row")
    for by in (None, "g"):
        with pytest.raises(ValueError, match="the models have no row in common; rows"):
            compare(FRAME[:0], by=by, classes=range(K))
    wrong = LONG.assign(y=LONG.y.where(LONG.index != 7, 3 - LONG.y))
    with pytest.raises(ValueError, match="'y' differs between models"):
        wrong.ordinal.compare("y", "yhat", model="model", id="row")
    wrong = LONG.assign(patient=LONG.patient.where(LONG.index != 7, 77))
    with pytest.raises(ValueError, match="'patient' differs between models"):
        wrong.ordinal.compare("y", "yhat", model="model", id="row", cluster="patient")
    with pytest.raises(ValueError, match="'metric', as compare does"):
        compare(FRAME.rename(columns={"g": "metric"}), by="metric")
    for option, value in (("ci", 1), ("method", "t"), ("n_permutations", 0), ("seed", -1)):
        with pytest.raises(ValueError, match=f"{option}="):
            compare(**{option: value})


def test_a_model_that_does_not_occur_is_not_named() -> None:
    y = [0, 1, 2] * 20
    long = pd.concat(
        [
            pd.DataFrame({"row": range(60), "y": y, "yhat": labels, "model": model})
            for model, labels in (("good", y), ("bad", [2, 1, 0] * 20))
        ]
    )
    for models in (["zz", "good", "bad"], ["bad", "zz", "good"], ["good", "bad", "zz"]):
        long["model"] = pd.Categorical(long["model"].astype(str), models)
        found = long.ordinal.compare("y", "yhat", model="model", id="row", metrics=["mae"])
        assert found["better"].tolist() == ["good"]


@pytest.mark.parametrize("n", [3, 67, 68, 1040])
def test_the_exact_p_value_of_many_equal_rows(n: int) -> None:
    y = [0, 1] * n
    df = pd.DataFrame({"y": y, "a": y, "b": [1, 1] * n})
    found = df.ordinal.compare("y", ["a", "b"], metrics=["mae"], method="permutation")
    assert found["p_value"].item() == pytest.approx(2 * 0.5**n, rel=1e-9)


def test_groups_are_not_the_models_of_a_comparison() -> None:
    long = pd.DataFrame(
        {"model": ["a", "b"] * 6, "row": np.repeat(range(6), 2), "y": np.repeat([0, 1, 2] * 2, 2),
         "yhat": [0, 1, 1, 1, 2, 0, 0, 0, 1, 2, 1, 1]}
    )  # fmt: skip
    for call in (
        lambda: long.ordinal.compare("y", "yhat", by="model"),
        lambda: long.groupby("model").ordinal.compare("y", "yhat"),
    ):
        with pytest.raises(ValueError, match="compared within each.*give model='model'.* as id="):
            call()
    assert len(long.ordinal.compare("y", "yhat", model="model", id="row", metrics=["mae"])) == 1
