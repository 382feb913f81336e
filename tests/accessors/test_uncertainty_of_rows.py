"""Intervals of metrics of scores and of probabilities, against literal readings of their rules."""

from __future__ import annotations

from typing import Any

import dask
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from oracles import uncertainty
from oracles.ranking import vus_cov

import pandas_ordinal as po
from pandas_ordinal.metrics.metric import registry

RNG = np.random.default_rng(10)
K, N = 4, 90
P = RNG.dirichlet(np.ones(K), N)
FRAME = pd.DataFrame(
    {
        "g": np.repeat(["a", "b", "c"], N // 3),
        "y": RNG.permutation(np.arange(N) // 3 % K),
        "w": RNG.lognormal(size=N),
        "patient": RNG.integers(0, 12, N),
        **{f"p{k}": P[:, k] for k in range(K)},
    }
)
FRAME["yhat"] = (FRAME.y + RNG.integers(-1, 2, N)).clip(0, K - 1)
FRAME["score"] = (FRAME.y + RNG.normal(size=N)).round(1)
FRAME["other"] = FRAME.y * 1.0
PROBA = {k: f"p{k}" for k in range(K)}
SCORES = ["vus", "u_pairs", "u_ovo", "u_cons"]
MEANS = {"rps": (0, K - 1), "brier": (0, 2), "log_loss": (0, np.inf)}
BOTH: dict[str, Any] = {"score": "score", "proba": PROBA, "metrics": [*SCORES, *MEANS]}
DESIGNS: list[dict[str, Any]] = [{}, {"cluster": "patient"}, {"stratify": "true"}]


def losses_of(name: str, frame: pd.DataFrame) -> np.ndarray:
    proba = frame[list(PROBA.values())].to_numpy()
    kernel = registry[name].kernel
    return np.array([kernel([y], [p]) for y, p in zip(frame.y, proba, strict=True)])


def guess_of(name: str) -> float:
    return float(np.mean([registry[name].kernel([k], [[1 / K] * K]) for k in range(K)]))


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("score", ["score", pytest.param("other", marks=pytest.mark.slow)])
@pytest.mark.parametrize("by_class", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_scores_follow_the_literal_rule(name: str, score: str, by_class: bool) -> None:
    asked: dict[str, Any] = {"stratify": "true"} if by_class else {}
    table = FRAME.ordinal.report(
        "y", score=score, by="g", metrics=[name], ci=0.9, se=True, **asked
    )
    for key, frame in FRAME.groupby("g"):
        expected = uncertainty.score_interval(
            registry[name].kernel, list(frame.y), list(frame[score]), K, 0.9, by_class
        )
        found = table.loc[key, [f"{name}_low", f"{name}_high", f"{name}_se"]]
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("name", SCORES)
def test_clusters_of_scores_add_up_what_their_rows_add(name: str) -> None:
    row = FRAME.ordinal.report("y", score="score", metrics=[name], se=True, cluster="patient")
    expected = uncertainty.clustered_score_se(
        registry[name].kernel, list(FRAME.y), list(FRAME.score), K, list(FRAME.patient)
    )
    assert row[f"{name}_se"] == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("name", MEANS)
def test_row_means_follow_the_literal_rule(name: str) -> None:
    shown = [f"{name}_low", f"{name}_high", f"{name}_se"]
    guess = guess_of(name)
    table = FRAME.ordinal.report("y", proba=PROBA, by="g", metrics=[name], ci=0.9, se=True)
    for key, frame in FRAME.groupby("g"):
        expected = uncertainty.mean_interval(
            list(frame.y), losses_of(name, frame), guess, MEANS[name], 0.9
        )
        np.testing.assert_allclose(table.loc[key, shown], expected, rtol=1e-9)
    row = FRAME.ordinal.report(
        "y", proba=PROBA, metrics=[name], ci=0.9, se=True, sample_weight="w"
    )
    losses, weights = losses_of(name, FRAME), FRAME.w.to_numpy()
    expected = uncertainty.mean_interval(list(FRAME.y), losses, guess, MEANS[name], 0.9, weights)
    np.testing.assert_allclose(row[shown], expected, rtol=1e-9)
    row = FRAME.ordinal.report("y", proba=PROBA, metrics=[name], se=True, cluster="patient")
    clusters = FRAME.patient.to_numpy()
    expected_se = uncertainty.clustered_mean_se(losses, guess, clusters)
    assert row[f"{name}_se"] == pytest.approx(expected_se, rel=1e-9)


SIX = pd.DataFrame(
    {"y": [0, 0, 1, 1, 0, 1], "p1": [0.2, 0.6, 0.7, 0.4, 0.1, 0.9], "g": [0, 0, 1, 1, 2, 2]}
)
SIX["p0"] = 1 - SIX.p1


def test_clusters_have_only_the_interval_with_a_pseudo_row() -> None:
    row = SIX.ordinal.report(
        "y", proba={0: "p0", 1: "p1"}, metrics=["brier"], ci=0.95, cluster="g"
    )
    losses = 2 * (SIX.p1 - SIX.y).to_numpy() ** 2
    se = uncertainty.clustered_mean_se(losses, 0.5, SIX.g.to_numpy())
    smoothed = np.mean([*losses, 0.5])
    expected = uncertainty.hull(losses.mean(), smoothed, se, 2, MEANS["brier"], 0.95)
    np.testing.assert_allclose(row[["brier_low", "brier_high"]], expected)


def test_a_class_without_rows_has_no_part_of_the_pseudo_row() -> None:
    proba = {0: "p0", 1: "p1", 2: "p2"}
    rows = SIX.assign(y=[0, 0, 0, 1, 1, 1], p2=0.0)
    asked: dict[str, Any] = {"metrics": ["brier"], "se": True, "stratify": "true"}
    row = rows.ordinal.report("y", proba=proba, classes=range(3), **asked)
    losses, guess, n = 2 * (rows.p1 - rows.y) ** 2, 2 / 3, len(rows)
    mean = (losses.sum() + guess) / (n + 1)
    variance = 0.0
    for _, ours in losses.groupby(rows.y):  # half of the pseudo-row is in each class
        added = np.array([*(ours - mean), guess - mean]) / (n + 1)
        weights = np.array([*np.ones(3), 0.5])
        squares = (weights * added**2).sum() - (weights * added).sum() ** 2 / weights.sum()
        variance += weights.sum() / (weights.sum() - 1) * squares
    assert row["brier_se"] == pytest.approx(variance**0.5, rel=1e-12)


def test_two_rows_have_one_degree_of_freedom() -> None:
    row = SIX[1:3].ordinal.report("y", proba={0: "p0", 1: "p1"}, metrics=["brier"], ci=0.9)
    losses = 2 * (SIX.p1 - SIX.y)[1:3].to_numpy() ** 2
    expected = uncertainty.mean_interval(list(SIX.y[1:3]), losses, 0.5, MEANS["brier"], 0.9)
    np.testing.assert_allclose(row[["brier_low", "brier_high"]], expected[:2])


@pytest.mark.parametrize("name", ["u_pairs", "u_ovo"])
def test_a_class_without_rows_has_no_scores(name: str) -> None:
    asked: dict[str, Any] = {"metrics": [name], "ci": 0.9, "se": True, "classes": range(K + 1)}
    row = FRAME.ordinal.report("y", score="score", **asked)
    lists = list(FRAME.y), list(FRAME.score), K + 1
    expected = uncertainty.score_interval(registry[name].kernel, *lists, 0.9)
    found = row[[f"{name}_low", f"{name}_high", f"{name}_se"]]
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)


def test_the_standard_error_of_vus_is_that_of_placements() -> None:
    rows = FRAME[FRAME.g == "a"]
    row = rows.ordinal.report("y", score="score", metrics=["vus"], se=True)
    lists = rows.y.tolist(), rows.score.tolist(), K
    expected = float(vus_cov(*lists, other=lists[1]))
    assert row["vus_se"] == pytest.approx(expected**0.5, rel=1e-12)


def test_two_classes_have_the_standard_error_of_delong() -> None:
    frame = FRAME.assign(y=(FRAME.y > 1).astype(int))
    low, high = (frame.score[frame.y == k].to_numpy() for k in (0, 1))
    wins = (low[:, None] < high) + (low[:, None] == high) / 2
    expected = np.sqrt(wins.mean(1).var(ddof=1) / len(low) + wins.mean(0).var(ddof=1) / len(high))
    row = frame.ordinal.report("y", score="score", metrics=SCORES, se=True)
    for name in SCORES:
        assert row[f"{name}_se"] == pytest.approx(expected, rel=1e-12), name


@pytest.mark.parametrize("ties", ["half", "strict"])
@pytest.mark.parametrize("name", SCORES)
def test_influence_is_the_slope_in_the_weight_of_a_row(name: str, ties: str) -> None:
    kernel = registry[name].kernel
    true, score = FRAME.y.to_numpy()[:40], FRAME.score.to_numpy()[:40]
    weights = FRAME.w.to_numpy()[:40]

    def value(factor: np.ndarray) -> float:
        return float(kernel(true, score, K, factor * weights, ties=ties))

    expected = uncertainty.influence_of_rows(value, 40) / weights
    found = po.influence(kernel, true, score, K, sample_weight=weights, ties=ties)
    np.testing.assert_allclose(found, expected, atol=1e-8)
    assert (found * weights).sum() == pytest.approx(0, abs=1e-12)
    counted = np.where(np.arange(40) < 3, -1, true)
    left_out = po.influence(kernel, [counted, true], score[None], K)
    assert left_out.shape == (2, 40)
    assert (left_out[0, :3] == 0).all()
    np.testing.assert_allclose(left_out[0, 3:], po.influence(kernel, true[3:], score[3:], K))


@pytest.mark.parametrize("name", MEANS)
def test_influence_on_a_mean_is_that_of_rows_left_out_one_by_one(name: str) -> None:
    proba, true = P[:20], FRAME.y.to_numpy()[:20]
    kernel = registry[name].kernel
    expected = [
        19 / 20 * (kernel(true, proba) - kernel(np.delete(true, n), np.delete(proba, n, 0)))
        for n in range(20)
    ]
    np.testing.assert_allclose(po.influence(kernel, true, proba), expected, atol=1e-14)


@pytest.mark.parametrize("asked", DESIGNS)
def test_the_order_and_the_groups_of_rows_change_nothing(asked: dict[str, Any]) -> None:
    table = FRAME.ordinal.report("y", by="g", ci=0.95, se=True, **BOTH, **asked)
    assert table.notna().all(axis=None)
    shuffled = FRAME.sample(frac=1, random_state=0)
    again = shuffled.ordinal.report("y", by="g", ci=0.95, se=True, **BOTH, **asked)
    pd.testing.assert_frame_equal(again, table, rtol=1e-9)
    alone = FRAME[FRAME.g == "b"].ordinal.report(
        "y", classes=range(K), ci=0.95, se=True, **BOTH, **asked
    )
    pd.testing.assert_series_equal(alone, table.loc["b"], check_names=False, rtol=1e-9)


def test_clusters_of_one_row_are_much_like_none() -> None:
    alone = FRAME.assign(patient=np.arange(N)).ordinal.report(
        "y", ci=0.95, se=True, cluster="patient", **BOTH
    )
    none = FRAME.ordinal.report("y", ci=0.95, se=True, **BOTH)
    ends = [name for name in none.index if name.endswith(("_low", "_high"))]
    np.testing.assert_allclose(alone[ends], none[ends], atol=0.02)


def test_surfaces_say_the_same() -> None:
    asked = {"ci": 0.95, "se": True, "metrics": [*SCORES]}
    wide = FRAME.ordinal.report("y", score=["score", "other"], by="g", **asked)
    one = FRAME.ordinal.report("y", score="other", by="g", **asked)
    pd.testing.assert_frame_equal(wide.xs("other", level=-1), one)
    grouped = FRAME.groupby("g").ordinal.report("y", score="other", **asked)
    pd.testing.assert_frame_equal(grouped, one)
    series = FRAME["y"].ordinal.report(score=FRAME["other"], **asked)
    pd.testing.assert_series_equal(series, FRAME.ordinal.report("y", score="other", **asked))


DATASET = xr.Dataset(
    {
        name: ("case", FRAME[name].to_numpy())
        for name in FRAME
        if name[0] != "p" or name == "patient"
    }
).assign(proba=(("case", "grade"), P), grade=range(K))
OF_ARRAYS: dict[str, Any] = {**BOTH, "proba": "proba"}


@pytest.mark.parametrize(
    ("asked", "by"), [({}, None), *((asked, "g") for asked in DESIGNS)], ids=str
)
def test_arrays_say_what_frames_say(asked: dict[str, Any], by: str | None) -> None:
    table = FRAME.ordinal.report("y", by=by, ci=0.9, se=True, **BOTH, **asked)
    report = DATASET.ordinal.report("y", by=by, ci=0.9, se=True, **OF_ARRAYS, **asked)
    assert list(report.data_vars) == list(table if by else table.index)
    for name in report.data_vars:
        found, expected = report[name].values, np.asarray(table[name], float)
        np.testing.assert_allclose(found, expected, rtol=1e-9, err_msg=str(name))
    some = {**OF_ARRAYS, "metrics": ["vus", "rps"], "classes": range(K)}
    chunked = DATASET.chunk(case=40).assign(DATASET[["g", "patient"]])
    lazy = chunked.ordinal.report("y", by=by, ci=0.9, se=True, **some, **asked)
    assert all(one.chunks is not None for one in lazy.data_vars.values())
    xr.testing.assert_allclose(lazy.compute(), report[list(lazy.data_vars)], rtol=1e-9)
    arrays = DATASET.set_coords(["g", "patient"])
    given = {"score": arrays.score, "proba": arrays.proba, "metrics": BOTH["metrics"]}
    xr.testing.assert_equal(
        arrays.y.ordinal.report(by=by, ci=0.9, se=True, **given, **asked), report
    )


@pytest.mark.parametrize("asked", DESIGNS)
def test_arrays_leave_out_what_masks_and_ignored_labels_say(asked: dict[str, Any]) -> None:
    seen, known = FRAME.index % 3 > 0, FRAME.index % 7 > 0
    ds = DATASET.assign(
        seen=("case", seen), y=DATASET.y.where(xr.DataArray(known, dims="case"), 255)
    )
    ds = ds.chunk(case=40).assign(DATASET[["patient"]])
    options: dict[str, Any] = {"classes": range(K), "ci": 0.9, "se": True, **asked}

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a call computes nothing")

    with dask.config.set(scheduler=refuse):
        report = ds.ordinal.report("y", sample_weight="seen", ignore=255, **OF_ARRAYS, **options)
    row = FRAME[seen & known].ordinal.report("y", **BOTH, **options)
    np.testing.assert_allclose(report.to_array(), row, rtol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("asked", [*DESIGNS, {"sample_weight": "w"}])
@pytest.mark.parametrize("is_chunked", [False, True])
def test_leads_gaps_and_keys_over_some_dimensions(asked: dict[str, Any], is_chunked: bool) -> None:
    """Cases over times and cells, groups of times, clusters of cells, forecasts at two leads."""
    rng = np.random.default_rng(3)
    shape = {"lead": 2, "time": 9, "cell": 10}
    score = xr.DataArray(rng.normal(size=(2, 9, 10)).round(1), dims=[*shape])
    grid = xr.Dataset(
        {
            "y": (["time", "cell"], np.arange(90).reshape(9, 10) % K),
            "score": score.where(score < 1.5),
            "proba": ([*shape, "grade"], rng.dirichlet(np.ones(K), (2, 9, 10))),
            "w": ("cell", rng.lognormal(size=10)),
            "patient": ("cell", [*"aabbcccdef"]),
            "season": ("time", [*"xxyyyxxyy"]),
        },
        {"grade": range(K)},
    )
    names = [*([] if "sample_weight" in asked else ["u_pairs"]), "rps"]
    options: dict[str, Any] = {"by": "season", "ci": 0.9, "se": True, "dropna": True, **asked}
    given = grid.chunk(lead=1, time=4, grade=2) if is_chunked else grid
    given = given.assign(grid[["season", "patient"]])
    report = given.ordinal.report(
        "y", score="score", proba="proba", metrics=names, classes=range(K), **options
    )
    for lead in range(2):
        one = grid.isel(lead=lead)
        frame = one.drop_vars(["proba", "grade"]).to_dataframe().reset_index()
        frame[[*PROBA.values()]] = one.proba.values.reshape(-1, K)
        table = frame.ordinal.report("y", score="score", proba=PROBA, metrics=names, **options)
        for name in table:
            found = report[name].isel(lead=lead) if "lead" in report[name].dims else report[name]
            np.testing.assert_allclose(found.values, table[name], rtol=1e-9, err_msg=name)


def test_a_default_report_shows_intervals_of_all_that_is_scored() -> None:
    row = FRAME.ordinal.report("y", "yhat", score="score", proba=PROBA, ci=0.95)
    plain = FRAME.ordinal.report("y", "yhat", score="score", proba=PROBA)
    pd.testing.assert_series_equal(row[plain.index], plain)
    for name in plain.index[1:]:
        assert row[f"{name}_low"] <= row[name] <= row[f"{name}_high"], name


def test_perfect_scores_and_forecasts_have_a_width() -> None:
    right = {f"p{k}": (FRAME.y == k) * 1.0 for k in range(K)}
    row = FRAME.assign(**right, score=FRAME.y).ordinal.report("y", ci=0.95, se=True, **BOTH)
    for name in SCORES:
        assert row[name] == row[f"{name}_high"] == 1
        assert 0.7 < row[f"{name}_low"] < 1
        assert row[f"{name}_se"] == pytest.approx(0, abs=1e-12)
    for name in MEANS:
        assert row[name] == row[f"{name}_low"] == 0
        assert 0 < row[f"{name}_high"] < 0.5


def test_too_little_has_no_bounds_and_what_never_varies_no_width() -> None:
    one = FRAME[:1].ordinal.report("y", classes=range(K), ci=0.95, **BOTH)
    assert one.filter(regex="_low|_high").isna().all()
    same = FRAME[FRAME.y == 1].ordinal.report("y", classes=range(K), ci=0.95, **BOTH)
    for name in SCORES:
        assert np.isnan([same[f"{name}_low"], same[f"{name}_high"]]).all()
    assert same["rps_low"] < same["rps"] < same["rps_high"]
    tied = FRAME.assign(score=1.0).ordinal.report("y", ci=0.95, **BOTH)
    assert tied["u_pairs_low"] == pytest.approx(0.5)
    assert tied["u_pairs_high"] == pytest.approx(0.5)
    single = pd.concat([FRAME[FRAME.y != 3], FRAME[FRAME.y == 3][:1]])
    few = single.ordinal.report("y", ci=0.95, **BOTH)
    for name in SCORES:
        assert few[f"{name}_low"] < few[name] < few[f"{name}_high"]


@pytest.mark.parametrize("asked", [{}, {"stratify": "true"}])
def test_scores_of_a_class_with_one_row_have_no_standard_error(asked: dict[str, Any]) -> None:
    rows = pd.DataFrame({"y": [0, 0, 0, 1, 2, 2], "s": [0.1, 0.3, 0.2, 0.15, 0.7, 0.6]})
    found = rows.ordinal.report("y", score="s", metrics=SCORES, ci=0.95, se=True, **asked)
    assert found[[f"{name}_se" for name in SCORES]].isna().all()
    assert found[[f"{name}_low" for name in SCORES]].notna().all()


def test_an_infinite_loss_has_no_bounds() -> None:
    wrong = {f"p{k}": (FRAME.y != k) / (K - 1) for k in range(K)}
    row = FRAME.assign(**wrong).ordinal.report("y", proba=PROBA, ci=0.95)
    assert row["log_loss"] == np.inf
    assert np.isnan([row["log_loss_low"], row["log_loss_high"]]).all()
    assert row["rps_low"] < row["rps_high"]


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"metrics": ["rps", "vus"], "sample_weight": "w"}, "^vus .* sample_weight="),
        ({"metrics": ["mae", "rps"], "method": "bootstrap"}, '^rps .* method="bootstrap"'),
    ],
)
def test_what_has_no_rule_is_refused_by_name(asked: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        FRAME.ordinal.report("y", "yhat", score="score", proba=PROBA, ci=0.95, **asked)
    with pytest.raises(ValueError, match="no rule for the influence of a row on consecutive_auc"):
        po.influence(po.metrics.consecutive_auc, FRAME.y, FRAME.score, K)
