"""Intervals and standard errors in reports, against literal readings of their rules."""

from __future__ import annotations

import inspect
import sys
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from measured import peak
from oracles import uncertainty
from scipy import stats

import pandas_ordinal as po
from pandas_ordinal.cube import layout
from pandas_ordinal.metrics.metric import registry

RNG = np.random.default_rng(3)
K, N = 4, 120
FRAME = pd.DataFrame(
    {
        "g": np.repeat(["a", "b", "c"], N // 3),
        "y": RNG.integers(0, K, N),
        "w": RNG.lognormal(size=N),
        "patient": RNG.integers(0, 12, N),
        "visit": np.arange(N) // 2,
    }
)
FRAME["yhat"] = (FRAME.y + RNG.integers(-1, 3, N)).clip(0, K - 1)
FRAME["other"] = (FRAME.y + (RNG.random(N) < 0.1)).clip(0, K - 1)
LIMITS: dict[str, tuple[float, float]] = {
    "accuracy": (0, 1),
    "mae": (0, K - 1),
    "mse": (0, (K - 1) ** 2),
    "bias": (1 - K, K - 1),
    "kappa": (-1, 1),
    "gwet_ac": (-np.inf, 1),
    "stc": (0, 1),
    "oci": (0, 1),
    "kendall_tau": (-1, 1),
}
NAMES = list(LIMITS)


def counts_of(frame: pd.DataFrame, pred: str = "yhat") -> np.ndarray:
    counts = np.zeros((K, K), int)
    for r, c in zip(frame.y, frame[pred], strict=True):
        counts[r, c] += 1
    return counts


@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize("pred", ["yhat", "other", "y"])
def test_intervals_follow_the_literal_rule(pred: str, level: float) -> None:
    table = FRAME.ordinal.report("y", pred, by="g", metrics=NAMES, ci=level, se=True)
    for key, frame in FRAME.groupby("g"):
        counts = counts_of(frame, pred)
        for name in NAMES:
            kernel = registry[name].kernel
            expected = uncertainty.interval(kernel, counts, LIMITS[name], level)
            if name == "accuracy":
                expected = uncertainty.share_interval(kernel, counts, level)
            found = table.loc[key, [f"{name}_low", f"{name}_high", f"{name}_se"]]
            np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("pred", ["yhat", "other", "y"])
def test_extremes_have_intervals_of_their_classes(pred: str) -> None:
    names = ["mmae", "min_mae", "min_sensitivity"]
    table = FRAME.ordinal.report("y", pred, by="g", metrics=names, ci=0.9)
    costs = np.abs(np.subtract.outer(np.arange(K), np.arange(K))).astype(float)
    for key, frame in FRAME.groupby("g"):
        counts = counts_of(frame, pred)
        expected = [
            uncertainty.extreme(counts, costs, 0.9),
            uncertainty.extreme(counts, costs, 0.9, smallest=True),
            uncertainty.extreme(counts, np.eye(K), 0.9, smallest=True),
        ]
        found = [table.loc[key, [f"{name}_low", f"{name}_high"]] for name in names]
        np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("pred", ["yhat", "other"])
def test_bounds_of_weights_strata_and_clusters(name: str, pred: str) -> None:
    kernel, limits, level = registry[name].kernel, LIMITS[name], 0.9

    def ends(**asked: Any) -> pd.Series[float]:
        row = FRAME.ordinal.report("y", pred, metrics=[name], ci=level, **asked)
        return row[[f"{name}_low", f"{name}_high"]]

    true, predicted, weights = list(FRAME.y), list(FRAME[pred]), FRAME.w.to_numpy()
    expected = uncertainty.weighted_interval(kernel, true, predicted, weights, limits, level, K)
    np.testing.assert_allclose(ends(sample_weight="w"), expected, rtol=1e-9)
    expected = uncertainty.stratified_interval(kernel, counts_of(FRAME, pred), limits, level)
    np.testing.assert_allclose(ends(stratify="true"), expected, rtol=1e-9)
    for cluster in ("patient", "visit"):
        tables = [counts_of(frame, pred) for _, frame in FRAME.groupby(cluster)]
        expected = uncertainty.clustered_interval(kernel, tables, limits, level)
        np.testing.assert_allclose(ends(cluster=cluster), expected, rtol=1e-9, err_msg=cluster)


@pytest.mark.parametrize("name", NAMES)
def test_standard_errors_of_weights_strata_and_clusters(name: str) -> None:
    kernel = registry[name].kernel

    def se(**asked: Any) -> float:
        return FRAME.ordinal.report("y", "yhat", metrics=[name], se=True, **asked)[f"{name}_se"]

    weights = FRAME.w.to_numpy()
    expected = uncertainty.weighted_se(kernel, list(FRAME.y), list(FRAME.yhat), weights, K)
    assert se(sample_weight="w") == pytest.approx(expected, rel=1e-9)
    expected = uncertainty.stratified_se(kernel, counts_of(FRAME))
    assert se(stratify="true") == pytest.approx(expected, rel=1e-9)
    for cluster in ("patient", "visit"):
        tables = [counts_of(frame) for _, frame in FRAME.groupby(cluster)]
        expected = uncertainty.clustered_se(kernel, tables)
        assert se(cluster=cluster) == pytest.approx(expected, rel=1e-9), cluster


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"cluster": "patient"},
        {"stratify": "true"},
        {"sample_weight": "w"},
        {"method": "bootstrap", "n_boot": 50},
    ],
)
def test_the_order_and_the_groups_of_rows_change_nothing(asked: dict[str, Any]) -> None:
    table = FRAME.ordinal.report("y", "yhat", by="g", ci=0.95, se=True, **asked)
    shuffled = FRAME.sample(frac=1, random_state=0)
    again = shuffled.ordinal.report("y", "yhat", by="g", ci=0.95, se=True, **asked)
    pd.testing.assert_frame_equal(again, table, rtol=1e-9)
    alone = FRAME[FRAME.g == "b"].ordinal.report(
        "y", "yhat", classes=range(K), ci=0.95, se=True, **asked
    )
    pd.testing.assert_series_equal(alone, table.loc["b"], check_names=False, rtol=1e-9)


def test_all_metrics_have_intervals_that_hold_the_estimate() -> None:
    for pred in ("yhat", "other", "y"):
        row = FRAME.ordinal.report("y", pred, metrics="all", ci=0.95)
        for name in (n for n in row.index if f"{n}_low" in row.index):
            low, high = row[f"{name}_low"], row[f"{name}_high"]
            if not registry[name].of_a_model:
                assert np.isnan([low, high]).all()
                continue
            assert low <= row[name] <= high, name
            lowest, highest = registry[name].bounds(K)
            assert lowest <= low < high <= max(highest, row[name]), name


WITHIN = {f"within {k}": partial(po.metrics.accuracy_within, k=k) for k in range(K + 1)}
WITHIN["half"] = partial(po.metrics.accuracy_within, k=0.5)
WITHIN["default"] = po.metrics.accuracy_within
RIGHT = {name: one.keywords["k"] for name, one in WITHIN.items() if name != "default"}
RIGHT["default"] = 1
BARE = pd.DataFrame({"g": "d", "y": [0, 0, 1, 2, 2, 2, 3], "yhat": [0, 1, 1, 2, 2, 1, 1]})
BARE = BARE.assign(other=BARE.y, w=1.0, patient=BARE.index, visit=BARE.index)


@pytest.mark.parametrize("pred", ["yhat", "other", "y"])
def test_the_accuracy_within_has_a_pseudo_row_of_its_own(pred: str) -> None:
    every = pd.concat([FRAME, BARE])  # the last of these has classes of a single row
    table = every.ordinal.report("y", pred, by="g", metrics=WITHIN, ci=0.9, se=True)
    cube = every.ordinal.confusion("y", pred, by="g").ordinal
    of_cube = cube.report(metrics=WITHIN, ci=0.9, se=True).to_dataframe()
    pd.testing.assert_frame_equal(of_cube[table.columns], table, check_dtype=False)
    for key, frame in every.groupby("g"):
        for name, k in RIGHT.items():
            expected = uncertainty.share_interval(
                uncertainty.Within(k), counts_of(frame, pred), 0.9
            )
            found = table.loc[key, [f"{name}_low", f"{name}_high", f"{name}_se"]]
            np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12, err_msg=name)
    right = every.ordinal.report("y", pred, by="g", metrics=["accuracy"], ci=0.9, se=True)
    of_none = table.filter(like="within 0").set_axis(right.columns[2:], axis=1)
    pd.testing.assert_frame_equal(of_none, right.drop(columns=["n", "n_classes"]))
    certain = table[["within 3_low", "within 3_high", "within 4_low"]]
    np.testing.assert_allclose(certain, 1, rtol=1e-12)


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize("pred", ["yhat", pytest.param("other", marks=pytest.mark.slow)])
def test_the_accuracy_within_with_weights_strata_and_clusters(name: str, pred: str) -> None:
    f, level, ends = uncertainty.Within(RIGHT[name]), 0.9, (f"{name}_low", f"{name}_high")

    def found(**asked: Any) -> list[float]:
        options: dict[str, Any] = {"metrics": WITHIN, "ci": level, "se": True, **asked}
        row = FRAME.ordinal.report("y", pred, **options)
        report = DATASET.ordinal.report("y", pred, classes=range(K), **options)
        np.testing.assert_allclose(report.to_array(), row, rtol=1e-9, atol=1e-12)
        return row[[*ends, f"{name}_se"]].tolist()

    true, predicted, weights = list(FRAME.y), list(FRAME[pred]), FRAME.w.to_numpy()
    rows = true, predicted, weights
    expected = uncertainty.weighted_interval(f, *rows, (0, 1), level, K)
    se = uncertainty.weighted_se(f, *rows, K)
    assert found(sample_weight="w") == pytest.approx([*expected, se], rel=1e-9)
    counts = counts_of(FRAME, pred)
    expected = uncertainty.stratified_interval(f, counts, (0, 1), level)
    se = uncertainty.stratified_se(f, counts)
    assert found(stratify="true") == pytest.approx([*expected, se], rel=1e-9)
    for cluster in ("patient", "visit"):
        tables = [counts_of(frame, pred) for _, frame in FRAME.groupby(cluster)]
        expected = uncertainty.clustered_interval(f, tables, (0, 1), level)
        se = uncertainty.clustered_se(f, tables)
        assert found(cluster=cluster) == pytest.approx([*expected, se], rel=1e-9), cluster


@pytest.mark.parametrize("k", ["one", None, [1], -1])
def test_what_is_no_distance_is_refused_as_without_intervals(k: Any) -> None:
    asked = {"metrics": {"near": partial(po.metrics.accuracy_within, k=k)}, "classes": range(K)}
    for surface in (FRAME, DATASET):
        with pytest.raises(ValueError, match=r"^k=.*(must be a number|not a distance)"):
            surface.ordinal.report("y", "yhat", ci=0.95, **asked)


def test_cubes_and_wide_frames_say_the_same() -> None:
    cube = FRAME.ordinal.confusion("y", ["yhat", "other"], by="g")
    report = cube.ordinal.report(ci=0.95, se=True, metrics=NAMES)
    table = FRAME.ordinal.report("y", ["yhat", "other"], by="g", ci=0.95, se=True, metrics=NAMES)
    pd.testing.assert_frame_equal(report.to_dataframe()[table.columns], table, check_dtype=False)
    chunked = cube.chunk(g=1).ordinal.report(ci=0.95, se=True, metrics=NAMES)
    xr.testing.assert_allclose(chunked.compute(), report, rtol=1e-12)
    plain = cube.ordinal.report(metrics=NAMES)
    xr.testing.assert_equal(report[list(plain.data_vars)], plain)


def test_one_row_and_one_cluster_have_no_bounds() -> None:
    frame = FRAME[:1].assign(patient=1)
    row = frame.ordinal.report("y", "yhat", classes=range(K), metrics=["mae", "mmae"], ci=0.95)
    assert np.isnan(row[["mae_low", "mae_high", "mmae_low", "mmae_high"]]).all()
    one = FRAME.assign(patient=1).ordinal.report(
        "y", "yhat", metrics=["mae"], ci=0.95, cluster="patient"
    )
    assert np.isnan(one[["mae_low", "mae_high"]]).all()
    assert one["mae"] > 0


def test_ranges_bound_ones_own_functions() -> None:
    def right(counts: np.ndarray) -> np.ndarray:
        return np.trace(counts, axis1=-2, axis2=-1) / counts.sum((-1, -2))

    asked = {"right": right, "accuracy": "accuracy"}
    row = FRAME.ordinal.report("y", "y", metrics=asked, ci=0.95, ranges={"right": (0, 1)})
    expected = uncertainty.interval(right, counts_of(FRAME, "y"), (0, 1), 0.95)
    np.testing.assert_allclose(row[["right_low", "right_high"]], expected[:2], rtol=1e-9)
    assert row["right_low"] < row["accuracy_low"]  # that of a share is exact
    free = FRAME.ordinal.report("y", "yhat", metrics={"right": right}, ci=0.95)
    assert free["right_low"] < free["right"] < free["right_high"]


def test_a_group_on_its_limit_does_not_change_the_bounds_of_another() -> None:
    def right_less_wrong(counts: np.ndarray) -> np.ndarray:
        return 1 - 2 * po.metrics.error_rate(counts)

    asked: dict[str, Any] = {"metrics": {"f": right_less_wrong}, "ranges": {"f": (-np.inf, 1)}}
    perfect = pd.DataFrame({"g": "a", "y": [0, 1, 0, 1], "yhat": [0, 1, 0, 1]})
    other = pd.DataFrame({"g": "b", "y": [0, 1, 0, 1, 0, 1, 0], "yhat": [0, 1, 1, 1, 0, 0, 0]})
    table = pd.concat([perfect, other]).ordinal.report("y", "yhat", by="g", ci=0.95, **asked)
    expected = uncertainty.interval(right_less_wrong, counts_of(other), (-np.inf, 1), 0.95)
    np.testing.assert_allclose(table.loc["b", ["f_low", "f_high"]], expected[:2])


def test_the_bootstrap_draws_from_the_table_alone() -> None:
    asked = {
        "metrics": ["mae", "stc"],
        "ci": 0.95,
        "se": True,
        "method": "bootstrap",
        "n_boot": 4000,
    }
    first = FRAME.ordinal.report("y", "yhat", **asked)
    assert first["mae_n_valid"] == 4000
    other = FRAME.ordinal.report("y", "yhat", **asked, seed=1)
    assert first["mae_se"] != other["mae_se"]
    distance = (FRAME.y - FRAME.yhat).abs().to_numpy()
    rng = np.random.default_rng(0)
    means = [rng.choice(distance, N).mean() for _ in range(4000)]
    np.testing.assert_allclose(
        first[["mae_low", "mae_high"]], np.quantile(means, [0.025, 0.975]), atol=0.02
    )


@pytest.mark.parametrize("name", ["mae", "kappa", "oci"])
def test_the_bootstrap_is_that_of_a_peer(name: str) -> None:
    kernel = registry[name].kernel

    def statistic(cells: np.ndarray, axis: int) -> Any:
        rows = cells.reshape(-1, cells.shape[axis])
        tables = [np.bincount(row, minlength=K * K).reshape(K, K) for row in rows]
        return np.reshape(kernel(np.array(tables)), cells.shape[:-1])

    cells = (FRAME.y * K + FRAME.yhat).to_numpy()
    seed = "rng" if "rng" in inspect.signature(stats.bootstrap).parameters else "random_state"
    peer = stats.bootstrap(
        (cells,),
        statistic,
        n_resamples=4000,
        method="percentile",
        **{seed: np.random.default_rng(0)},
    )
    row = FRAME.ordinal.report(
        "y", "yhat", metrics=[name], ci=0.95, se=True, method="bootstrap", n_boot=4000
    )
    within = (
        0.15 * peer.standard_error
    )  # two and a half standard errors of what two percentiles differ by
    assert row[f"{name}_se"] == pytest.approx(peer.standard_error, rel=0.05)
    assert row[f"{name}_low"] == pytest.approx(peer.confidence_interval.low, abs=within)
    assert row[f"{name}_high"] == pytest.approx(peer.confidence_interval.high, abs=within)


@pytest.mark.parametrize("asked", [{}, {"method": "bootstrap", "n_boot": 100}])
def test_intervals_are_around_the_plain_metric_and_repeat(asked: dict[str, Any]) -> None:
    frame = pd.concat([FRAME, FRAME[:1].assign(g="single")])
    table = frame.ordinal.report("y", "yhat", by="g", ci=0.95, **asked)
    plain = frame.ordinal.report("y", "yhat", by="g")
    pd.testing.assert_frame_equal(table[plain.columns], plain)
    again = frame.sample(frac=1, random_state=1).ordinal.report(
        "y", "yhat", by="g", ci=0.95, **asked
    )
    pd.testing.assert_frame_equal(again, table)
    bounds = [f"{name}_{end}" for name in plain.columns.drop("n") for end in ("low", "high")]
    assert table.loc["single", bounds].isna().all()


@pytest.mark.parametrize("factor", [1e-305, 1e-160, 1e160, 1e300])
def test_weights_of_any_magnitude_give_the_same_intervals(factor: float) -> None:
    options: dict[str, Any] = {"sample_weight": "w", "by": "g", "ci": 0.95, "se": True}
    table = FRAME.ordinal.report("y", "yhat", **options)
    scaled = FRAME.assign(w=FRAME.w * factor)
    found = scaled.ordinal.report("y", "yhat", **options)
    pd.testing.assert_frame_equal(found, table, rtol=1e-9)
    for given in (DATASET, DATASET.chunk(case=50).assign(g=DATASET.g)):
        given = given.assign(w=given.w * factor)
        report = given.ordinal.report("y", "yhat", classes=range(K), **options)
        np.testing.assert_allclose(report.to_array().T, table, rtol=1e-9)


def test_a_group_whose_weights_vanish_beside_those_of_another_has_no_bounds() -> None:
    w = FRAME.w.where(FRAME.g == "a", FRAME.w * 1e-200)
    table = FRAME.assign(w=w).ordinal.report(
        "y", "yhat", by="g", metrics=["mae"], sample_weight="w", ci=0.95
    )
    assert table.mae.notna().all()
    assert table.mae_low.notna().tolist() == (table.index == "a").tolist()


def test_a_metric_without_a_model_is_counted_but_has_no_bounds() -> None:
    options: dict[str, Any] = {"ci": 0.95, "se": True, "method": "bootstrap", "n_boot": 50}
    row = FRAME.ordinal.report("y", "yhat", metrics=["max_total_cost", "stc"], **options)
    assert row["max_total_cost_n_valid"] == row["stc_n_valid"] == 50
    assert row[["max_total_cost_low", "max_total_cost_high", "max_total_cost_se"]].isna().all()


def test_tables_that_lose_a_class_are_counted_and_not_drawn_again() -> None:
    frame = pd.DataFrame({"y": [0] * 30 + [1], "yhat": [0, 1] * 15 + [1]})
    asked: dict[str, Any] = {"metrics": ["kendall_tau"], "ci": 0.95, "method": "bootstrap"}
    row = frame.ordinal.report("y", "yhat", n_boot=3000, **asked)
    lost = (30 / 31) ** 31
    assert row["kendall_tau_n_valid"] == pytest.approx(3000 * (1 - lost), abs=90)
    by_class = frame.ordinal.report("y", "yhat", n_boot=3000, stratify="true", **asked)
    assert by_class["kendall_tau_n_valid"] == 3000


def test_a_single_valid_table_has_no_bounds() -> None:
    frame = pd.DataFrame({"y": [0, 0, 1], "yhat": [0, 1, 1]})
    rows = [
        frame.ordinal.report(
            "y", "yhat", metrics=["kendall_tau"], ci=0.95, method="bootstrap", n_boot=2, seed=seed
        )
        for seed in range(20)
    ]
    single = [row for row in rows if row["kendall_tau_n_valid"] == 1]
    assert single
    for row in single:
        assert np.isnan([row["kendall_tau_low"], row["kendall_tau_high"]]).all()


@pytest.mark.parametrize("stratify", [None, "true"])
def test_a_mean_over_classes_is_within_the_mean_of_the_exact_bounds_of_each(
    stratify: Any,
) -> None:
    rng, kernel, is_exact = np.random.default_rng(0), po.metrics.balanced_accuracy, set()
    for n in range(6, 46):
        y = np.append([0, 1, 2], rng.integers(0, 3, n))
        step = rng.integers(-1, 2, n + 3) * (rng.random(n + 3) < 0.3)
        frame = pd.DataFrame({"y": y, "yhat": np.clip(y + step, 0, 2)})
        counts = np.zeros((3, 3))
        for true, pred in frame.to_numpy():
            counts[true, pred] += 1
        rule = uncertainty.interval if stratify is None else uncertainty.stratified_interval
        low, high = rule(kernel, counts, (0, 1), 0.95)[:2]
        right, sizes, estimate = np.diag(counts), counts.sum(axis=1), float(kernel(counts))
        ends = [uncertainty.clopper_pearson(*one, 0.95) for one in zip(right, sizes, strict=True)]
        least, most = np.mean(ends, axis=0)
        due = max(low, min(least, estimate)), min(high, max(most, estimate))
        row = frame.ordinal.report("y", "yhat", metrics=[kernel], ci=0.95, stratify=stratify)
        found = [row["balanced_accuracy_low"], row["balanced_accuracy_high"]]
        np.testing.assert_allclose(found, due, rtol=1e-9)
        is_exact |= {due[0] > low, due[1] < high}
    assert is_exact == {False, True}


def test_the_interval_of_kappa_is_not_that_under_chance() -> None:
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
    table = np.array([[40, 5, 0], [6, 80, 9], [1, 8, 51]])
    y, yhat = np.divmod(np.repeat(np.arange(9), table.ravel()), 3)
    row = pd.DataFrame({"y": y, "yhat": yhat}).ordinal.report(
        "y", "yhat", metrics={"kappa": partial(po.metrics.kappa, weights="identity")},
        ci=0.95, se=True,
    )  # fmt: skip
    peer = inter_rater.cohens_kappa(table)
    assert row["kappa_se"] == pytest.approx(peer.std_kappa, rel=0.03)
    assert row["kappa_se"] < 0.8 * peer.std_kappa0
    assert -1 < row["kappa_low"] < row["kappa"] < row["kappa_high"] < 1


def test_the_interval_of_a_kappa_with_weights_of_ones_own_has_no_lowest_value() -> None:
    frame = pd.DataFrame({"y": [0, 1, 2] * 6, "yhat": [0, 2, 1, 1, 1, 2, 0, 0, 2] * 2})
    weights = 1 - np.abs(np.subtract.outer(range(3), range(3))) / 2

    def kappa(counts: Any) -> Any:
        shares = counts / counts.sum(axis=(-2, -1), keepdims=True)
        due = shares.sum(axis=-1)[..., :, None] * shares.sum(axis=-2)[..., None, :]
        by_chance = (due * weights).sum(axis=(-2, -1))
        return ((shares * weights).sum(axis=(-2, -1)) - by_chance) / (1 - by_chance)

    metrics = {"kappa": partial(po.metrics.kappa, weights=weights), "own": kappa}
    ranges = {"own": (-np.inf, 1)}
    report = frame.ordinal.report("y", "yhat", metrics=metrics, ci=0.95, ranges=ranges)
    assert report["kappa_low"] == pytest.approx(report["own_low"])
    assert report["kappa_high"] == pytest.approx(report["own_high"])
    symmetric = frame.ordinal.report(
        "y", "yhat", metrics={"kappa": kappa}, ci=0.95, ranges={"kappa": (-1, 1)}
    )
    assert report["kappa_low"] != pytest.approx(symmetric["kappa_low"], abs=1e-3)


def test_a_missing_progress_bar_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {"metrics": ["mae"], "ci": 0.95, "method": "bootstrap", "n_boot": 10}
    plain = FRAME.ordinal.report("y", "yhat", **asked)
    pd.testing.assert_series_equal(
        FRAME.ordinal.report("y", "yhat", **asked, progress=True), plain
    )
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(
        ImportError, match=r'tqdm is missing: pip install "pandas_ordinal\[progress\]"'
    ):
        FRAME.ordinal.report("y", "yhat", **asked, progress=True)


DATASET = xr.Dataset({name: ("case", FRAME[name].to_numpy()) for name in FRAME})
DESIGNS: list[dict[str, Any]] = [
    {},
    {"cluster": "patient"},
    {"stratify": "true"},
    {"sample_weight": "w"},
    {"method": "bootstrap", "n_boot": 50},
]


@pytest.mark.parametrize("by", ["g", pytest.param(None, marks=pytest.mark.slow)])
@pytest.mark.parametrize("asked", DESIGNS)
def test_arrays_say_what_frames_say(asked: dict[str, Any], by: str | None) -> None:
    names = [name for name in NAMES if name != "r_int"]
    options: dict[str, Any] = {"metrics": [*names, "mmae"], "ci": 0.95, "se": True}
    table = FRAME.ordinal.report("y", "yhat", by=by, **options, **asked)
    report = DATASET.ordinal.report("y", "yhat", by=by, **options, **asked)
    assert list(report.data_vars) == list(table if by else table.index)
    for name in report.data_vars:
        found, expected = report[name].values, np.asarray(table[name], float)
        np.testing.assert_allclose(found, expected, rtol=1e-9, err_msg=str(name))
    kept = DATASET[["g", "patient"]]
    chunked = (
        DATASET.chunk(case=50)
        .assign(kept)
        .ordinal.report("y", "yhat", by=by, classes=range(K), **options, **asked)
    )
    xr.testing.assert_allclose(chunked.compute(), report, rtol=1e-9)
    arrays = DATASET.set_coords("patient")
    given = {
        option: DATASET.w if option == "sample_weight" else one for option, one in asked.items()
    }
    by_array = None if by is None else DATASET.g
    found = arrays.y.ordinal.report(arrays.yhat, by=by_array, **options, **given)
    xr.testing.assert_identical(found, report)


def test_many_clusters_in_many_groups_of_arrays_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = xr.Dataset({"y": ("i", [0, 1] * 10), "g": ("i", [0] * 10 + [1] * 10)})
    rows = rows.assign(patient=("i", np.arange(20) % 10))
    asked: dict[str, Any] = {"by": "g", "cluster": "patient", "metrics": ["mae"], "se": True}
    assert rows.ordinal.report("y", "y", **asked)["mae_se"].sizes == {"g": 2}
    monkeypatch.setattr(layout, "LARGEST_CUBE", 30)  # a table for each cluster in each group
    with pytest.raises(ValueError, match="80 cells"):
        rows.ordinal.report("y", "y", **asked)


def test_clusters_of_arrays_over_other_dimensions() -> None:
    two = xr.concat([DATASET.yhat, DATASET.other], pd.Index(["a", "b"], name="model"))
    report = DATASET.y.ordinal.report(two, metrics=["mae"], ci=0.95, cluster=DATASET.patient)
    for model, pred in (("a", "yhat"), ("b", "other")):
        row = FRAME.ordinal.report("y", pred, metrics=["mae"], ci=0.95, cluster="patient")
        assert report.sel(model=model).to_array().values.tolist() == pytest.approx(row.tolist())
    gaps = DATASET.patient.where(DATASET.patient != 3)
    report = DATASET.y.ordinal.report(DATASET.yhat, ci=0.95, cluster=gaps, dropna=True)
    row = FRAME[FRAME.patient != 3].ordinal.report("y", "yhat", ci=0.95, cluster="patient")
    np.testing.assert_allclose(report.to_array(), row)


@pytest.mark.parametrize(
    ("asked", "error", "says"),
    [
        ({"cluster": "patients"}, KeyError, "for cluster=.*did you mean 'patient'"),
        ({"cluster": ["patient"]}, TypeError, "cluster= takes a name, a DataArray of labels, not"),
        (
            {"cluster": FRAME.patient.to_numpy()},
            TypeError,
            r"not an ndarray; name .* xr\.DataArray\(\.\.\., dims=\('case',\)\)",
        ),
        ({"cluster": "gaps"}, ValueError, "gaps"),
        ({"method": "bootstrap", "sample_weight": "w"}, ValueError, "no intervals with both"),
        ({"stratify": "pred", "score": "w"}, ValueError, 'vus .* stratify="pred"'),
        ({"score": "w", "method": "bootstrap"}, ValueError, 'vus .* method="bootstrap"'),
        ({"score": "w", "sample_weight": "w"}, ValueError, "vus .* with sample_weight="),
    ],
)
def test_datasets_refuse_what_has_no_rule(
    asked: dict[str, Any], error: type[Exception], says: str
) -> None:
    gaps = DATASET.patient.where(DATASET.patient != 3)
    with pytest.raises(error, match=says):
        DATASET.assign(gaps=gaps).ordinal.report("y", "yhat", ci=0.95, **asked)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"ci": 0}, "between 0 and 1"),
        ({"ci": 95}, "between 0 and 1"),
        ({"ci": True}, "between 0 and 1"),
        ({"ci": 0.95, "method": "jackknife"}, "method='jackknife'"),
        ({"ci": 0.95, "stratify": "y"}, "stratify='y'"),
        ({"ci": 0.95, "n_boot": 0}, "n_boot=0"),
        ({"ci": 0.95, "cluster": "gaps"}, "'gaps' is missing in 2 rows"),
        ({"ci": 0.95, "cluster": "patient", "stratify": "true"}, "cannot be combined"),
        ({"ci": 0.95, "method": "bootstrap", "sample_weight": "w"}, "no intervals with both"),
        ({"ci": 0.95, "ranges": {"mae": (0, 1)}}, "not one of your own functions"),
    ],
)
def test_bad_input_is_refused(asked: dict[str, Any], says: str) -> None:
    frame = FRAME.assign(gaps=FRAME.patient.astype(float).replace(3, np.nan))
    frame.loc[frame.gaps.isna(), "gaps"] = 1.0
    frame.loc[:1, "gaps"] = np.nan
    with pytest.raises(ValueError, match=says):
        frame.ordinal.report("y", "yhat", **asked)


def test_rows_without_cluster_are_left_out_with_dropna() -> None:
    frame = FRAME.assign(patient=FRAME.patient.astype(float).where(FRAME.patient != 3))
    row = frame.ordinal.report("y", "yhat", ci=0.95, cluster="patient", dropna=True)
    kept = FRAME[FRAME.patient != 3].ordinal.report("y", "yhat", ci=0.95, cluster="patient")
    pd.testing.assert_series_equal(row, kept)


def test_cubes_refuse_what_they_do_not_hold() -> None:
    cube = FRAME.ordinal.confusion("y", "yhat")
    with pytest.raises(ValueError, match="astype"):
        cube.astype(float).ordinal.report(ci=0.95)
    with pytest.raises(ValueError, match="which ci= or se= adds"):
        cube.ordinal.report(ci=0.95, metrics={"a": "mae", "a_low": "mae"})


# at the ends of the range


def test_bounds_stay_in_the_range_of_an_estimate_on_its_limit() -> None:
    worst = pd.DataFrame({"y": [2, 2, 2], "p": [0, 0, 1]})
    for level in (0.9, 0.95):
        found = worst.ordinal.report("y", "p", classes=[0, 1, 2], metrics=["oci"], ci=level)
        assert found["oci"] == found["oci_high"] == 1
        assert 0 < found["oci_low"] < 1
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 8, (300, 3, 3)) * (np.eye(3, dtype=int) | rng.integers(0, 2, (3, 3)))
    classes = pd.CategoricalIndex([0, 1, 2], [0, 1, 2], ordered=True)
    axes = {"true": classes, "pred": classes}
    cube = xr.DataArray(counts, axes, ("table", "true", "pred"))
    report = cube.ordinal.report(metrics=["accuracy", "oci", "stc"], ci=0.95)
    for name in ("accuracy", "oci", "stc"):
        assert (report[f"{name}_low"].fillna(0) >= 0).all()
        assert (report[f"{name}_high"].fillna(1) <= 1).all()


def test_rows_of_one_class_have_no_interval_without_width() -> None:
    rows = pd.DataFrame({"y": [1, 1], "p": [1, 1], "g": [0, 1]})
    found = rows.ordinal.report("y", "p", classes=[0, 1], metrics=["total_cost"], ci=0.95)
    assert np.isnan(found["total_cost_low"])
    many = pd.DataFrame({"y": [1] * 20, "p": [1] * 20, "g": range(20)})
    found = many.ordinal.report(
        "y", "p", classes=[0, 1], metrics=["accuracy_within"], ci=0.95, cluster="g"
    )
    assert np.isnan(found["accuracy_within_high"])


@pytest.mark.parametrize("asked", [{}, {"cluster": "g"}, {"sample_weight": "w"}])
def test_one_true_class_has_no_interval_of_a_metric_that_never_varies(
    asked: dict[str, Any],
) -> None:
    rows = pd.DataFrame({"y": [1] * 5, "p": [0, 1, 2, 3, 3], "g": range(5), "w": [1.0] * 5})
    found = rows.ordinal.report(
        "y", "p", metrics=["kappa"], classes=range(4), ci=0.9, se=True, **asked
    )
    assert found["kappa"] == 0
    assert found[["kappa_low", "kappa_high", "kappa_se"]].isna().all()


def test_a_metric_that_never_varies_has_itself_as_its_bounds() -> None:
    rows = pd.DataFrame({"y": [0, 1, 2] * 5, "p": [0, 1, 2, 2, 2] * 3})

    def noisy(counts: np.ndarray) -> np.ndarray:
        return 0.3 + 1e-16 * counts[:, 0, 0]

    found = rows.ordinal.report("y", "p", metrics={"noisy": noisy}, ci=0.9, se=True)
    assert found["noisy_low"] == found["noisy"] == found["noisy_high"]
    assert found["noisy_se"] == 0


def test_bounds_keep_to_the_range_where_a_value_is_off_by_rounding() -> None:
    weights = [0.3, 0.1, 0.7, 0.2, 0.6, 0.9]
    rows = pd.DataFrame({"y": [0, 1, 1, 0, 2, 0], "p": [0, 1, 2, 1, 2, 0]})
    for n in range(0, 200, 5):
        rows["w"] = np.power(weights, 1 + n / 100)
        found = rows.ordinal.report(
            "y", "p", metrics=["accuracy_within", "somers_d"], sample_weight="w", ci=0.9
        )
        assert found["accuracy_within_high"] <= 1 and found["somers_d_high"] <= 1


@pytest.mark.parametrize("without_label", [[0], [0, 3], [0, 3, 4, 5], range(6)])
def test_weighted_rows_of_few_groups_among_many(without_label: Any) -> None:
    """Blocks of groups without rows lie between the first and the last group."""
    levels = pd.Categorical(np.repeat(["first", "last"], 3), ["first", *range(49998), "last"])
    df = pd.DataFrame({"k": levels, "y": [1, 0, 1, 0, 1, 2], "yhat": [0, 1, 1, 0, 1, 1.0]})
    df = df.assign(w=[1.0, 2, 1, 1, 1, 3])
    df.loc[[*without_label], ["y", "yhat"]] = np.nan
    options: Any = {"metrics": ["mae"], "classes": [0, 1, 2], "dropna": True, "ci": 0.95}
    report = df.ordinal.report("y", "yhat", by="k", sample_weight="w", **options)
    assert report.index.tolist() == ["first", "last"]
    for key, rows in df.groupby("k", observed=True):
        counted = rows.dropna()
        assert report.loc[key, "n"] == len(counted)
        alone = counted.ordinal.report("y", "yhat", sample_weight="w", **options)
        np.testing.assert_allclose(report.loc[key], alone, rtol=1e-12)


def test_weights_of_one_leave_two_equal_rows_their_interval() -> None:
    rows = pd.DataFrame({"y": [1, 1], "p": [0, 0], "w": [1.0, 1.0]})
    plain, weighted = (
        rows.ordinal.report("y", "p", metrics=["mae"], classes=range(3), ci=0.95, **asked)
        for asked in ({}, {"sample_weight": "w"})
    )
    assert weighted.notna().all()
    pd.testing.assert_series_equal(weighted, plain, rtol=1e-9)


def test_bounds_of_the_bootstrap_keep_to_the_range() -> None:
    # Somers' d of each of these counts is 1 but for rounding
    rows = pd.DataFrame({"y": [1, 2, 2, 0, 1, 2, 1], "p": [1, 2, 2, 0, 1, 2, 0]})
    found = rows.ordinal.report(
        "y", "p", metrics=["somers_d"], ci=0.9, method="bootstrap", n_boot=50, classes=range(4)
    )
    assert found["somers_d_high"] == 1


def test_alpha_reads_weights_as_numbers_of_rows_and_its_interval_scales_them() -> None:
    found, n = {}, FRAME.w.sum()
    for factor in (1, 0.1):
        scaled = FRAME.assign(w=FRAME.w * factor * N / n)
        found[factor] = scaled.ordinal.report(
            "y", "yhat", metrics={"a": "krippendorff_alpha"}, sample_weight="w", ci=0.9, se=True
        )
    one, tenth = found[1], found[0.1]
    of_pairs = {factor: 1 - 1 / (2 * factor * N) for factor in found}
    assert (1 - tenth.a) / (1 - one.a) == pytest.approx(of_pairs[0.1] / of_pairs[1], rel=1e-9)
    same = ["a_low", "a_high", "a_se"]
    np.testing.assert_allclose(tenth[same], one[same], rtol=1e-9)


def test_a_cluster_that_is_almost_all_leaves_what_is_there() -> None:
    rows = pd.DataFrame({"y": [1, 1, 2, 2, 4, 4], "c": [0, 0, 0, 0, 0, 1]})
    rows["p"] = rows["y"]
    found = rows.ordinal.report(
        "y", "p", classes=range(5), metrics=["krippendorff_alpha"], ci=0.9, cluster="c"
    )
    assert np.isfinite(found["krippendorff_alpha_low"])


@pytest.mark.parametrize(
    "limits",
    [3, (1, 0), (0, 1, 2), (0, None), ("a", "b"), "ab", (0, float("nan")), ((0, 1), 2), {0, 1}],
    ids=str,
)
def test_a_range_is_a_pair_of_numbers(limits: Any) -> None:
    with pytest.raises(ValueError, match=r"ranges\['a'\]=.* must be a pair \(lowest, highest\)"):
        FRAME.ordinal.report(
            "y",
            "yhat",
            ci=0.9,
            metrics={"a": lambda counts: counts[:, 0, 0]},
            ranges={"a": limits},
        )


@pytest.mark.parametrize("ranges", [3, {"a": 3}, {"a": (1, 0)}, {"a": (0, 1, 2)}])
def test_ranges_that_are_none(ranges: Any) -> None:
    rows = pd.DataFrame({"y": [0, 1], "p": [1, 1]})
    with pytest.raises(ValueError, match="ranges"):
        rows.ordinal.report("y", "p", metrics={"a": "mae"}, ci=0.95, ranges=ranges)


def test_what_has_no_influence() -> None:
    with pytest.raises(TypeError, match="'mae' is not a kernel"):
        po.influence("mae", [[1, 0], [0, 1]])  # type: ignore[arg-type]
    for kernel, arrays in (
        (po.metrics.mae, []),
        (po.metrics.mae, [np.eye(2), np.eye(2)]),
        (po.metrics.class_mae, [np.eye(2)]),
    ):
        with pytest.raises(ValueError, match="one array of counts"):
            po.influence(kernel, *arrays)


def test_memory_of_extremes_over_classes_follows_the_cells_of_a_table() -> None:
    rng = np.random.default_rng(0)

    def report(n_classes: int) -> object:
        y = rng.integers(0, n_classes, 600)
        df = pd.DataFrame({"y": y, "yhat": (y + rng.integers(-5, 6, 600)).clip(0, n_classes - 1)})
        return df.ordinal.report("y", "yhat", metrics=["mmae"], ci=0.9, classes=range(n_classes))

    few, many = peak(lambda: report(40)), peak(lambda: report(80))
    assert many < 8 * few  # 4 times as many cells; 16 times as many pairs of cells


def test_the_bootstrap_draws_no_rows_of_a_class_without_rows() -> None:
    right = po.from_counts(np.diag([5, 0, 4]), classes=[0, 1, 2])
    asked: dict[str, Any] = {"metrics": ["accuracy", "mae"], "method": "bootstrap", "n_boot": 40}
    for stratify in (None, "true", "pred"):
        found = right.ordinal.report(ci=0.9, se=True, stratify=stratify, **asked)
        assert found["accuracy_low"] == found["accuracy_high"] == 1 and found["accuracy_se"] == 0
        assert found["mae_low"] == found["mae_high"] == found["mae_se"] == 0


def test_a_single_defined_draw_makes_no_interval() -> None:
    frame = pd.DataFrame({"y": [0, 1], "yhat": [0, 1]})  # two draws of the same row have no kappa
    valid = set()
    for seed in range(12):
        found = frame.ordinal.report(
            "y",
            "yhat",
            metrics=["kappa"],
            ci=0.9,
            se=True,
            method="bootstrap",
            n_boot=2,
            seed=seed,
        )
        ends = found[["kappa_low", "kappa_high", "kappa_se"]]
        assert ends.notna().all() if found["kappa_n_valid"] == 2 else ends.isna().all()
        valid.add(int(found["kappa_n_valid"]))
    assert valid == {0, 1, 2}
    alone = frame[:1].ordinal.report(
        "y", "yhat", metrics=["mae"], ci=0.9, se=True, method="bootstrap", n_boot=9, classes=[0, 1]
    )
    assert alone[["mae_low", "mae_high", "mae_se"]].isna().all()
