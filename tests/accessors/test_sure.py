"""Intervals and standard errors in reports, against literal readings of their rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from oracles import sureness

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
            expected = sureness.interval(registry[name].kernel, counts, LIMITS[name], level)
            found = table.loc[key, [f"{name}_low", f"{name}_high", f"{name}_se"]]
            np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12, err_msg=name)


def test_mmae_has_an_interval_of_its_classes() -> None:
    table = FRAME.ordinal.report("y", "yhat", by="g", metrics=["mmae"], ci=0.9)
    costs = np.abs(np.subtract.outer(np.arange(K), np.arange(K))).astype(float)
    for key, frame in FRAME.groupby("g"):
        expected = sureness.largest(counts_of(frame), costs, 0.9)
        np.testing.assert_allclose(table.loc[key, ["mmae_low", "mmae_high"]], expected)


@pytest.mark.parametrize("name", NAMES)
def test_standard_errors_of_weights_strata_and_clusters(name: str) -> None:
    kernel = registry[name].kernel

    def se(**asked: Any) -> float:
        return FRAME.ordinal.report("y", "yhat", metrics=[name], se=True, **asked)[f"{name}_se"]

    weights = FRAME.w.to_numpy()
    expected = sureness.weighted_se(kernel, list(FRAME.y), list(FRAME.yhat), weights, K)
    assert se(sample_weight="w") == pytest.approx(expected, rel=1e-9)
    expected = sureness.stratified_se(kernel, counts_of(FRAME))
    assert se(stratify="true") == pytest.approx(expected, rel=1e-9)
    for cluster in ("patient", "visit"):
        tables = [counts_of(frame) for _, frame in FRAME.groupby(cluster)]
        expected = sureness.clustered_se(kernel, tables)
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
    np.testing.assert_allclose(
        row[["right_low", "right_high"]], row[["accuracy_low", "accuracy_high"]], rtol=1e-12
    )
    free = FRAME.ordinal.report("y", "yhat", metrics={"right": right}, ci=0.95)
    assert free["right_low"] < free["right"] < free["right_high"]


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
        ({"ci": 0.95, "cluster": "patient", "stratify": "true"}, "no rule"),
        ({"ci": 0.95, "cluster": "patient", "sample_weight": "w"}, "no intervals with both"),
        ({"ci": 0.95, "ranges": {"mae": (0, 1)}}, "none of your own functions"),
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
    with pytest.raises(ValueError, match="holds no rows"):
        cube.ordinal.report(ci=0.95, cluster="patient")
    with pytest.raises(ValueError, match="astype"):
        cube.astype(float).ordinal.report(ci=0.95)
    with pytest.raises(ValueError, match="which ci= or se= adds"):
        cube.ordinal.report(ci=0.95, metrics={"a": "mae", "a_low": "mae"})
