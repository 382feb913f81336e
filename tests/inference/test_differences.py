"""Differences between models, against literal readings of their rules."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from oracles import differences, uncertainty
from scipy import stats

import pandas_ordinal as po
from pandas_ordinal.inference.scale import variance_of_differences
from pandas_ordinal.metrics.metric import registry

RNG = np.random.default_rng(16)
K, N = 4, 46
FRAME = pd.DataFrame(
    {
        "y": RNG.choice(K, N, p=[0.5, 0.3, 0.15, 0.05]),
        "patient": RNG.integers(0, 12, N),
        "visit": np.arange(N) // 2,
        "w": RNG.lognormal(0, 0.8, N).round(2) + 0.01,
    }
)
for place, name in enumerate("abc"):
    FRAME[name] = (FRAME.y + (RNG.random(N) < 0.03 + 0.2 * place)).clip(0, K - 1)
FRAME["c"] = np.where(RNG.random(N) < 0.4, K - 1 - FRAME.y, FRAME.c)
FRAME["same"] = FRAME.c
MODELS = ["a", "b", "c", "same"]
MEANS = ["accuracy", "mae", "mse", "bias"]
NAMES = [*MEANS, "rmse", "kappa", "kendall_tau", "goodman_kruskal_gamma", "oci", "stc", "amae"]
LOSSES: dict[str, tuple[Callable[[int, int], float], bool]] = {
    "mmae": (lambda y, pred: abs(y - pred), True),
    "min_mae": (lambda y, pred: abs(y - pred), False),
    "min_sensitivity": (lambda y, pred: float(y == pred), False),
}


def compare(frame: pd.DataFrame = FRAME, **asked: Any) -> pd.DataFrame:
    return frame.ordinal.compare("y", MODELS, **{"metrics": NAMES, "classes": range(K), **asked})


def limits_of(name: str) -> tuple[float, float]:
    return (-1, 1) if name == "kappa" else registry[name].bounds(K)


@pytest.mark.parametrize("weights", [None, "w"])
@pytest.mark.parametrize("cluster", [None, "patient", "visit"])
def test_differences_follow_the_literal_rule(weights: str | None, cluster: str | None) -> None:
    table = compare(sample_weight=weights, cluster=cluster, ci=0.9)
    asked: dict[str, Any] = {
        "weights": None if weights is None else FRAME[weights].tolist(),
        "clusters": None if cluster is None else FRAME[cluster].tolist(),
    }
    for (name, a, b), row in table.iterrows():
        preds, limits = (FRAME[a].tolist(), FRAME[b].tolist()), limits_of(name)
        due = differences.difference(
            registry[name].kernel,
            FRAME.y.tolist(),
            preds,
            K,
            limits,
            is_mean=name in MEANS,
            is_root=name == "rmse",
            **asked,
        )
        where = f"{name}, {a}, {b}"
        assert row.difference == pytest.approx(due.plain, rel=1e-9, abs=1e-12), where
        assert row.se == pytest.approx(due.se, rel=1e-9), where
        ends = due.interval(0.9, limits)
        np.testing.assert_allclose([row.low, row.high], ends, rtol=1e-9, err_msg=where)
        assert row.p_value == pytest.approx(due.p, rel=1e-6), where


def test_weights_of_all_one_change_nothing() -> None:
    frame = FRAME.assign(one=1, seven=7.0)
    table = compare(frame)
    for weight in ("one", "seven"):
        pd.testing.assert_frame_equal(compare(frame, sample_weight=weight), table, rtol=1e-9)
    extreme = {"metrics": [*LOSSES]}
    assert compare(**extreme).p_value.notna().all()
    weighted = compare(frame, sample_weight="one", **extreme)
    assert weighted[["se", "low", "high", "p_value", "better"]].isna().all(axis=None)
    np.testing.assert_array_equal(weighted.difference, compare(**extreme).difference)


def test_rows_without_weight_are_left_out_but_counted() -> None:
    frame = FRAME.assign(w=FRAME.w.where(np.arange(N) % 3 > 0, 0))
    table = compare(frame, sample_weight="w")
    rest = compare(frame[frame.w > 0], sample_weight="w")
    assert (table.n == N).all()
    pd.testing.assert_frame_equal(table.drop(columns="n"), rest.drop(columns="n"), rtol=1e-9)
    nothing = compare(frame.assign(w=0.0), sample_weight="w")
    assert nothing.drop(columns=["n", "share_a", "share_b"]).isna().all(axis=None)
    selected = compare(frame.assign(w=frame.w > 0), sample_weight="w")
    pd.testing.assert_frame_equal(selected, compare(frame[frame.w > 0]))


def test_huge_and_tiny_weights_are_scaled() -> None:
    table = compare(sample_weight="w")
    for scale in (1e-200, 1e200):
        found = compare(FRAME.assign(w=FRAME.w * scale), sample_weight="w")
        pd.testing.assert_frame_equal(found, table, rtol=1e-6)


def test_all_surfaces_take_weights() -> None:
    frame = FRAME.assign(g=np.repeat(["u", "v"], N // 2), row=np.arange(N))
    asked: dict[str, Any] = {"metrics": NAMES, "classes": range(K)}
    table = compare(frame, sample_weight="w")
    preds = {m: frame[m] for m in MODELS}
    of_series = frame.y.ordinal.compare(preds, sample_weight=frame.w, **asked)
    pd.testing.assert_frame_equal(of_series, table)
    ds = frame.rename_axis("case").to_xarray()
    of_arrays = ds.ordinal.compare("y", MODELS, sample_weight="w", **asked)
    pd.testing.assert_frame_equal(of_arrays, table, check_index_type=False)
    for weights in (ds.w > 1, ds.w):
        of_arrays = ds.assign(w=weights).ordinal.compare("y", MODELS, sample_weight="w", **asked)
        alike = compare(frame.assign(w=weights.to_numpy()), sample_weight="w")
        pd.testing.assert_frame_equal(of_arrays, alike, check_index_type=False)
    by = compare(frame, sample_weight="w", by="g")
    grouped = frame.groupby("g").ordinal.compare("y", MODELS, sample_weight="w", **asked)
    pd.testing.assert_frame_equal(grouped, by)
    alone = compare(frame[frame.g == "v"], sample_weight="w")
    pd.testing.assert_frame_equal(by.loc["v"], alone, rtol=1e-9)
    long = frame.melt(["g", "y", "w", "row"], MODELS, "model", "yhat")
    asked |= {"model": "model", "id": "row", "sample_weight": "w"}
    of_long = long.ordinal.compare("y", "yhat", **asked)
    pd.testing.assert_frame_equal(of_long, table)
    wrong = long.assign(w=long.w.where(long.index != 7, 99))
    with pytest.raises(ValueError, match="'w' differs between models in"):
        wrong.ordinal.compare("y", "yhat", **asked)


def test_weights_along_a_dimension_of_their_own_are_compared_one_by_one() -> None:
    ds = FRAME.rename_axis("case").to_xarray()
    ds["w"] = ds.w * (1 + ds.case % 2 * ds.w.expand_dims(kind=["even", "odd"]).cumsum("kind"))
    found = ds.ordinal.compare("y", MODELS, sample_weight="w", metrics=["mae"])
    assert found.index.names == ["kind", "metric", "a", "b"]
    for kind in ("even", "odd"):
        alone = ds.sel(kind=kind).ordinal.compare("y", MODELS, sample_weight="w", metrics=["mae"])
        pd.testing.assert_frame_equal(found.loc[kind], alone, rtol=1e-9)


def test_weights_of_probabilities_follow_the_literal_rule() -> None:
    rng = np.random.default_rng(3)
    proba = {m: rng.dirichlet(np.ones(K), N) for m in "ab"}
    found = FRAME.y.ordinal.compare(
        proba=proba, sample_weight=FRAME.w, metrics=["brier"], classes=range(K)
    )
    w = (FRAME.w / FRAME.w.mean()).to_numpy()
    losses = [((forecast - np.eye(K)[FRAME.y]) ** 2).sum(1) for forecast in proba.values()]
    q, guess, added = (w**2).sum() / N, 1 - 1 / K, []
    for loss in losses:
        mean = ((w * loss).sum() + q * guess) / (N + q)
        added.append(np.append(w * (loss - mean), q * (guess - mean)) / (N + q))
    se = np.sqrt((N + 1) / N * ((added[0] - added[1]) ** 2).sum())
    assert found["se"].item() == pytest.approx(se, rel=1e-9)
    means = [(w * loss).sum() / N for loss in losses]
    assert found["difference"].item() == pytest.approx(means[0] - means[1])
    score = {m: FRAME[m] for m in "ab"}
    with pytest.raises(ValueError, match="u_pairs .*cannot be compared with sample_weight="):
        FRAME.y.ordinal.compare(
            score=score, sample_weight=FRAME.w, metrics=["u_pairs"], classes=range(K)
        )
    with pytest.raises(ValueError, match='drop sample_weight= or method="permutation"'):
        compare(sample_weight="w", method="permutation")


@pytest.mark.parametrize("n", [9, 25, 60])
def test_differences_of_extremes_follow_the_literal_rule(n: int) -> None:
    rng = np.random.default_rng(n)
    for _ in range(20):
        true = np.sort(rng.choice(5, n, p=[0.4, 0.3, 0.2, 0.1, 0]))
        preds = [(true + rng.choice([-1, 0, 2], n, p=[0.2, 0.7, 0.1])).clip(0, 4) for _ in "ab"]
        frame = pd.DataFrame({"y": true, "a": preds[0], "b": preds[1]})
        found = frame.ordinal.compare("y", ["a", "b"], metrics=[*LOSSES], classes=range(5))
        for (name, _, _), row in found.iterrows():
            both = preds[0].tolist(), preds[1].tolist()
            due = differences.extremes(*LOSSES[name], true.tolist(), both, 5)
            assert row.difference == pytest.approx(due.plain, abs=1e-12)
            if due.freedom < 1:
                assert np.isnan([row.se, row.low, row.high, row.p_value]).all()
                continue
            assert row.se == pytest.approx(due.se, rel=1e-9)
            assert row.p_value == pytest.approx(due.p, rel=1e-9)
            limits = registry[name].bounds(5)
            np.testing.assert_allclose([row.low, row.high], due.interval(0.95, limits))


def test_classes_that_tie_leave_extremes_uncertain() -> None:
    y = np.repeat([0, 1], 50)
    a, b = y.copy(), y.copy()
    a[[0, 50]] = 1 - a[[0, 50]]
    b[[10, 11, 60, 61]] = 1 - b[[10, 11, 60, 61]]
    frame = pd.DataFrame({"y": y, "a": a, "b": b})
    found = frame.ordinal.compare("y", ["a", "b"], metrics=[*LOSSES])
    assert found["p_value"].round(2).tolist() == [0.61] * 3
    drawn = frame.ordinal.compare("y", ["a", "b"], method="permutation", metrics=[*LOSSES])
    assert drawn["p_value"].round(2).tolist() == [0.69] * 3
    clustered = compare(cluster="patient", metrics=[*LOSSES])
    assert clustered[["se", "low", "high", "p_value", "p_adjusted"]].isna().all(axis=None)
    assert clustered["difference"].notna().all()


def test_an_extreme_of_a_rare_class_is_not_known_by_that_of_a_large_one() -> None:
    """One more error in the class of 5 rows, and the smallest error is that of the other class."""
    y = np.repeat([0, 1], [195, 5])
    a = y.copy()
    a[:10] = 1
    b = a.copy()
    b[-1] = 0
    frame = pd.DataFrame({"y": y, "a": a, "b": b})
    (row,) = frame.ordinal.compare("y", ["a", "b"], metrics=["min_mae"]).itertuples()
    assert (row.value_a, row.value_b) == (0, pytest.approx(10 / 195))
    assert row.p_value > 0.5


def test_a_rare_class_may_be_the_worst_although_its_rows_do_not_show_it() -> None:
    """Of two models with the largest error in different classes, one has it in a class of 5."""
    y, rng = np.repeat([0, 1], [5, 200]), np.random.default_rng(1)
    samples = np.arange(400).repeat(len(y))
    frame = pd.DataFrame({"sample": samples, "y": np.tile(y, 400)})
    for model, rates in (("a", [0.3, 0.1]), ("b", [0.1, 0.3])):
        is_wrong = rng.random(len(frame)) < np.array(rates)[frame["y"]]
        frame[model] = np.where(is_wrong, 1 - frame["y"], frame["y"])
    found = frame.ordinal.compare("y", ["a", "b"], by="sample", metrics=[*LOSSES])
    p = found["p_value"].groupby("metric")
    assert (p.agg(lambda p: (p <= 0.05).mean()) < 0.03).all()
    assert (p.min() > 0.001).all()


def test_intervals_hold_no_difference_that_cannot_be() -> None:
    y = np.tile([0, 1, 2], 5)
    frame = pd.DataFrame({"y": y, "a": y, "b": np.where(np.arange(15) < 13, 2 - y, y)})
    limits = {"accuracy": 1, "mae": 2, "mse": 4, "kappa": 2}
    for rows, ci in ((frame, 0.95), (frame[:6], 0.999)):
        found = rows.ordinal.compare("y", ["a", "b"], metrics=[*limits], ci=ci)
        for (name, _, _), row in found.iterrows():
            assert -limits[name] <= row.low < row.difference <= row.high <= limits[name]
            assert row.difference < row.high or row.difference == limits[name]
    assert found["high"]["accuracy"].item() == 1


@pytest.mark.parametrize("n", [20, 400])
def test_permutations_of_shares_have_the_p_value_of_the_binomial(n: int) -> None:
    rng = np.random.default_rng(n)
    frame = pd.DataFrame({"y": rng.integers(0, 4, n)})
    for name, errors in (("a", 0.3), ("b", 0.45)):
        moved = (frame.y + rng.integers(-2, 3, n)).clip(0, 3)
        frame[name] = np.where(rng.random(n) < errors, moved, frame.y)
    within = partial(po.metrics.accuracy_within, k=1)
    asked = {"metrics": {"accuracy": "accuracy", "error_rate": "error_rate", "within": within}}
    drawn = frame.ordinal.compare("y", ["a", "b"], method="permutation", n_permutations=2, **asked)
    assert drawn[["se", "low", "high"]].isna().all(axis=None)
    off = {m: (frame[m] - frame.y).abs() for m in "ab"}
    for name, k in (("accuracy", 0), ("error_rate", 0), ("within", 1)):
        only_a = int(((off["a"] <= k) & (off["b"] > k)).sum())
        only_b = int(((off["a"] > k) & (off["b"] <= k)).sum())
        expected = stats.binomtest(only_a, only_a + only_b).pvalue if only_a + only_b else 1
        assert drawn.loc[name, "p_value"].item() == pytest.approx(expected, rel=1e-9)


def test_a_metric_that_no_row_moves_says_nothing_of_its_difference() -> None:
    def median_error(counts: np.ndarray) -> np.ndarray:
        k = counts.shape[-1]
        far = np.abs(np.subtract.outer(range(k), range(k)))
        by_error = np.stack([(counts * (far == d)).sum((-1, -2)) for d in range(k)], axis=-1)
        half = by_error.sum(axis=-1, keepdims=True) / 2
        return (by_error.cumsum(axis=-1) < half).sum(axis=-1).astype(float)

    y = np.tile([0, 1, 2], 5)
    frame = pd.DataFrame({"y": y, "a": y, "b": (y + 1) % 3})
    frame.loc[:2, "b"] = y[:3]
    frame.loc[:2, "a"] = (y[:3] + 1) % 3
    asked: dict[str, Any] = {"metrics": {"median": median_error, "mae": "mae"}}
    found = frame.ordinal.compare("y", ["a", "b"], **asked)
    drawn = frame.ordinal.compare("y", ["a", "b"], method="permutation", **asked)
    assert found.loc["median", "difference"].item() != 0
    said = ["se", "low", "high", "p_value", "p_adjusted"]
    assert found.loc["median", said].isna().all(axis=None)
    assert found.loc["mae", said].notna().all(axis=None)
    assert 0 < drawn.loc["median", "p_value"].item() <= 1


def test_values_near_opposite_limits_are_not_told_apart_by_their_small_variances() -> None:
    """Gamma of models at chance: the largest possible difference between 20 rows."""
    tables = {"a": [[7, 3], [10, 0]], "b": [[10, 0], [8, 2]]}
    y = np.repeat([0, 1], 10)
    preds = {m: np.repeat([0, 1, 0, 1], np.ravel(table)) for m, table in tables.items()}
    frame = pd.DataFrame({"y": y, **preds})
    (row,) = frame.ordinal.compare("y", ["a", "b"], metrics=["goodman_kruskal_gamma"]).itertuples()
    assert (row.value_a, row.value_b) == (-1, 1)
    assert row.p_value > 0.01


def test_the_oracle_of_means_is_that_of_the_paired_t_test() -> None:
    """For large samples, where the pseudo-row does not matter."""
    rng = np.random.default_rng(0)
    true = rng.integers(0, K, 3000)
    preds = [np.where(rng.random(3000) < 0.6, true, rng.integers(0, K, 3000)) for _ in "ab"]
    both = preds[0].tolist(), preds[1].tolist()
    due = differences.difference(
        uncertainty.Within(0), true.tolist(), both, K, (0, 1), is_mean=True
    )
    right = [(pred == true) * 1.0 for pred in preds]
    expected = stats.ttest_rel(*right)
    assert due.p == pytest.approx(expected.pvalue, rel=0.01)


def test_a_value_in_the_middle_but_for_rounding_is_on_neither_side() -> None:
    values = np.array([[0.9, 4e-16], [0.9, -4e-16], [0.9, 0.0]])
    with np.errstate(all="ignore"):
        found = variance_of_differences(values, np.tile(np.eye(2), (3, 1, 1)), (-1, 1))
    np.testing.assert_array_equal(found, np.tile([[0, 2], [2, 0]], (3, 1, 1)))


def test_an_undefined_difference_has_no_p_value_of_swaps() -> None:
    frame = pd.DataFrame({"y": [1] * 6, "a": [1] * 6, "b": [1, 1, 0, 1, 2, 1]})
    found = frame.ordinal.compare(
        "y", ["a", "b"], metrics=["kappa", "mae"], method="permutation", n_permutations=20,
        classes=range(3),
    )  # fmt: skip
    undefined = found.loc[("kappa", "a", "b"), ["value_a", "difference", "p_value"]]
    assert undefined.isna().all()
    assert 0 < found.loc[("mae", "a", "b"), "p_value"] <= 1
