"""Intervals of groups of few rows, side by side, against literal readings of their rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
from oracles import differences, uncertainty
from scipy.stats import t

import pandas_ordinal as po
from pandas_ordinal.metrics import registry

K, LEVEL = 4, 0.9
MEANS: dict[str, tuple[float, float]] = {
    "mae": (0, K - 1),
    "mse": (0, (K - 1) ** 2),
    "bias": (1 - K, K - 1),
}
LIMITS = {**MEANS, "accuracy": (0, 1), "oci": (0, 1)}
SIZES = [1, 2, 3, 4, 5, 7]  # of groups
NAN = float("nan")


def few(size: int, seed: int) -> pd.DataFrame:
    """Rows of a group: clusters of up to three rows, and weights that are often alike."""
    rng = np.random.default_rng([size, seed])
    y = rng.integers(0, K, size) if seed % 3 else np.repeat(rng.integers(K), size)
    return pd.DataFrame(
        {
            "g": f"{size} {seed}",
            "y": y,
            "yhat": np.where(rng.random(size) < 0.5, y, rng.integers(0, K, size)),
            "patient": rng.integers(0, (size + 1) // 2 + 1, size),
            "w": rng.choice([0, 0.4, 0.4, 0.4, 1.2], size),
        }
    )


FRAME = pd.concat([few(size, seed) for size in SIZES for seed in range(4)], ignore_index=True)


def groups_of(frame: pd.DataFrame) -> Iterator[tuple[Any, pd.DataFrame]]:
    yield from frame.groupby("g")


def counts_of(rows: pd.DataFrame) -> np.ndarray:
    counts = np.zeros((K, K))
    for r, c in zip(rows["y"], rows["yhat"], strict=True):
        counts[r, c] += 1
    return counts


def ends(table: pd.DataFrame, key: Any, name: str) -> np.ndarray:
    return table.loc[key, [f"{name}_low", f"{name}_high"]].to_numpy(dtype=float)


def report(frame: pd.DataFrame, names: list[str], **asked: Any) -> Any:
    return frame.ordinal.report(
        "y", "yhat", by="g", classes=range(K), metrics=names, ci=LEVEL, se=True, **asked
    )


def check(table: pd.DataFrame, key: Any, name: str, due: Any) -> None:
    npt.assert_allclose(
        ends(table, key, name), due[:2], rtol=1e-9, atol=1e-12, err_msg=f"{name} of {key}"
    )


def test_rows() -> None:
    table = report(FRAME, list(LIMITS))
    for key, rows in groups_of(FRAME):
        counts = counts_of(rows)
        for name, limits in LIMITS.items():
            kernel = registry[name].kernel
            if len(rows) == 1:
                due: Any = [NAN] * 3
            elif name == "accuracy":
                due = uncertainty.share_interval(kernel, counts, LEVEL)
            else:
                due = uncertainty.interval(kernel, counts, limits, LEVEL, is_mean=name in MEANS)
            check(table, key, name, due)
            npt.assert_allclose(table.loc[key, f"{name}_se"], due[2], rtol=1e-9, atol=1e-12)


def says_enough(weights: np.ndarray) -> bool:
    """Whether rows say as much as two of equal weights, which an interval needs."""
    return bool(weights.sum() ** 2 >= (2 - 1e-12) * (weights**2).sum() > 0)


def test_rows_with_weights() -> None:
    table = report(FRAME, list(MEANS), sample_weight="w")
    n_undefined = 0
    for key, group in groups_of(FRAME):
        rows = group[group["w"] > 0]
        w, y, yhat = rows["w"].to_numpy(), rows["y"].tolist(), rows["yhat"].tolist()
        is_defined = says_enough(w)
        n_undefined += len(rows) > 1 and not is_defined
        for name, limits in MEANS.items():
            due: Any = [NAN] * 2
            if is_defined:
                kernel = registry[name].kernel
                due = uncertainty.weighted_interval(kernel, y, yhat, w, limits, LEVEL, K)
            check(table, key, name, due)
    assert n_undefined


def test_rows_that_were_drawn_by_true_class() -> None:
    table = report(FRAME, list(MEANS), stratify="true")
    for key, rows in groups_of(FRAME):
        for name, limits in MEANS.items():
            kernel, due = registry[name].kernel, [NAN] * 2
            if len(rows) > 1:
                due = uncertainty.stratified_interval(kernel, counts_of(rows), limits, LEVEL)
            check(table, key, name, due)


def test_clusters() -> None:
    table = report(FRAME, list(LIMITS), cluster="patient")
    for key, rows in groups_of(FRAME):
        clusters = [counts_of(part) for _, part in rows.groupby("patient")]
        assert table.loc[key, "n_clusters"] == len(clusters)
        for name, limits in LIMITS.items():
            kernel, due = registry[name].kernel, [NAN] * 2
            if len(clusters) > 1:
                due = uncertainty.clustered_interval(kernel, clusters, limits, LEVEL)
            check(table, key, name, due)


def test_up_to_fifty_clusters_are_left_out_one_by_one() -> None:
    frame = pd.concat(
        [few(n * 2, 1).assign(g=f"{n}", patient=np.arange(2 * n) // 2) for n in (49, 50, 51)]
    )
    table = report(frame, ["oci"], cluster="patient")
    for key, rows in groups_of(frame):
        clusters = [counts_of(part) for _, part in rows.groupby("patient")]
        due = uncertainty.clustered_interval(po.metrics.oci, clusters, (0, 1), LEVEL)
        check(table, key, "oci", due)


def test_extremes_over_classes() -> None:
    """A group of one row has no interval, and a class of one row has all that is possible."""
    names = {"mmae": False, "min_mae": True, "min_sensitivity": True}
    table = report(FRAME, [*names])
    far = np.abs(np.subtract.outer(np.arange(K), np.arange(K))).astype(float)
    for key, rows in groups_of(FRAME):
        for name, smallest in names.items():
            costs, due = np.eye(K) if "sens" in name else far, (NAN, NAN)
            if len(rows) > 1:
                due = uncertainty.extreme(counts_of(rows), costs, LEVEL, smallest)
            check(table, key, name, due)


PROBA = {k: f"p{k}" for k in range(K)}
LOSSES = {"rps": (0, K - 1), "brier": (0, 2), "log_loss": (0, np.inf)}
DRAWN = np.random.default_rng(5).dirichlet(np.ones(K), len(FRAME))
FORECASTS = FRAME.assign(**{column: DRAWN[:, k] for k, column in PROBA.items()})


def losses_of(name: str, rows: pd.DataFrame) -> np.ndarray:
    """The loss of each row."""
    kernel, proba = registry[name].kernel, rows[list(PROBA.values())].to_numpy()
    return np.array([kernel([y], [p]) for y, p in zip(rows["y"], proba, strict=True)])


@pytest.mark.parametrize("weight", [None, "w"])
def test_forecasts(weight: str | None) -> None:
    table = FORECASTS.ordinal.report(
        "y", proba=PROBA, by="g", metrics=list(LOSSES), ci=LEVEL, sample_weight=weight
    )
    for key, group in groups_of(FORECASTS):
        rows = group if weight is None else group[group["w"] > 0]
        w = np.ones(len(rows)) if weight is None else rows["w"].to_numpy()
        for name, limits in LOSSES.items():
            kernel, due = registry[name].kernel, [NAN] * 2
            guess = float(np.mean([kernel([k], [[1 / K] * K]) for k in range(K)]))
            if says_enough(w):
                true, losses = rows["y"].tolist(), losses_of(name, rows)
                due = uncertainty.mean_interval(true, losses, guess, limits, LEVEL, w)
            check(table, key, name, due)


def test_forecasts_in_clusters() -> None:
    table = FORECASTS.ordinal.report(
        "y", proba=PROBA, by="g", metrics=["brier"], ci=LEVEL, cluster="patient"
    )
    for key, rows in groups_of(FORECASTS):
        losses, clusters, due = losses_of("brier", rows), rows["patient"].to_numpy(), (NAN, NAN)
        guess, g = (K - 1) / K, len({*clusters.tolist()})
        if g > 1:
            se = uncertainty.clustered_mean_se(losses, guess, clusters)
            mean = float(np.mean([*losses, guess]))
            due = uncertainty.hull(losses.mean(), mean, se, g - 1, (0, 2), LEVEL)
        check(table, key, "brier", due)


def test_scores_of_two_classes() -> None:
    rng = np.random.default_rng(4)
    parts = [
        pd.DataFrame(
            {"g": f"{low} {high}", "y": [0] * low + [1] * high, "s": rng.random(low + high)}
        )
        for low, high in ((2, 2), (2, 3), (3, 2), (4, 3), (3, 0), (0, 2))
    ]
    frame = pd.concat(parts, ignore_index=True).round(1)
    table = frame.ordinal.report("y", score="s", by="g", metrics=["vus"], ci=LEVEL, se=True)
    for key, rows in groups_of(frame):
        due = (NAN, NAN, NAN)
        if rows["y"].nunique() > 1:
            lists = rows["y"].tolist(), rows["s"].tolist()
            due = uncertainty.score_interval(po.metrics.vus, *lists, 2, LEVEL)
        found = table.loc[key, ["vus_low", "vus_high", "vus_se"]].to_numpy(dtype=float)
        npt.assert_allclose(found, due, rtol=1e-6, atol=1e-7, err_msg=key)


@pytest.mark.parametrize("design", ["rows", "weights", "clusters"])
def test_differences(design: str) -> None:
    frame = FRAME.assign(other=np.random.default_rng(8).integers(0, K, len(FRAME)))
    asked = {"weights": {"sample_weight": "w"}, "clusters": {"cluster": "patient"}}.get(design, {})
    table = frame.ordinal.compare(
        "y", ["yhat", "other"], by="g", classes=range(K), metrics=list(MEANS), ci=LEVEL, **asked
    )
    for key, group in groups_of(frame):
        rows = group[group["w"] > 0] if design == "weights" else group
        w, clusters = rows["w"].to_numpy(), rows["patient"].tolist()
        is_enough = {
            "rows": len(rows) > 1, "weights": says_enough(w), "clusters": len({*clusters}) > 1,
        }[design]  # fmt: skip
        for name, limits in MEANS.items():
            found = table.loc[(key, name, "yhat", "other")]
            if not is_enough:
                assert found[["se", "low", "high", "p_value"]].isna().all()
                continue
            due = differences.difference(
                registry[name].kernel, rows["y"].tolist(),
                (rows["yhat"].tolist(), rows["other"].tolist()), K, limits, is_mean=True,
                weights=w.tolist() if design == "weights" else None,
                clusters=clusters if design == "clusters" else None,
            )  # fmt: skip
            where = f"{name} of {key}"
            npt.assert_allclose(found["se"], due.se, rtol=1e-9, atol=1e-12, err_msg=where)
            ends = due.interval(LEVEL, limits)
            npt.assert_allclose(
                found[["low", "high"]].astype(float), ends, rtol=1e-9, err_msg=where
            )
            npt.assert_allclose(found["p_value"], due.p, rtol=1e-6, err_msg=where)


def test_perfect_forecasts_do_not_differ() -> None:
    """Losses of 0 have no rounding tolerance."""
    y = np.tile([0, 1], 6)
    frame = pd.DataFrame({"y": y, "no": 1.0 - y, "yes": 1.0 * y})
    proba = {model: {0: "no", 1: "yes"} for model in "ab"}
    found = frame.ordinal.compare("y", proba=proba, metrics=["log_loss", "brier"])
    assert (found[["difference", "se", "low", "high"]] == 0).all(axis=None)
    assert (found["p_value"] == 1).all() and (found["better"] == "neither").all()


def test_differences_of_more_clusters_than_are_left_out() -> None:
    for n in (50, 51):
        frame = few(2 * n, 1).assign(patient=np.arange(2 * n) // 2)
        frame["other"] = np.random.default_rng(n).integers(0, K, 2 * n)
        table = frame.ordinal.compare(
            "y", ["yhat", "other"], classes=range(K), metrics=["oci", "kappa"], cluster="patient"
        )
        both = frame["yhat"].tolist(), frame["other"].tolist()
        for name, limits in {"oci": (0, 1), "kappa": (-1, 1)}.items():
            due = differences.difference(
                registry[name].kernel, frame["y"].tolist(), both, K, limits,
                clusters=frame["patient"].tolist(),
            )  # fmt: skip
            found = table.loc[name].iloc[0]
            npt.assert_allclose(found["se"], due.se, rtol=1e-9, err_msg=f"{name} of {n}")
            npt.assert_allclose(found["p_value"], due.p, rtol=1e-6, err_msg=f"{name} of {n}")


def test_differences_of_extremes() -> None:
    frame = FRAME.assign(other=np.random.default_rng(9).integers(0, K, len(FRAME)))
    losses: dict[str, tuple[Callable[[int, int], float], bool]] = {
        "mmae": (lambda y, pred: abs(y - pred), True),
        "min_mae": (lambda y, pred: abs(y - pred), False),
        "min_sensitivity": (lambda y, pred: float(y == pred), False),
    }
    models = ["yhat", "other", "y"]
    table = frame.ordinal.compare(
        "y", models, by="g", classes=range(K), metrics=list(losses), ci=LEVEL
    )
    n_defined = 0
    for (key, name, a, b), found in table.iterrows():
        rows = frame[frame["g"] == key]
        both = rows[a].tolist(), rows[b].tolist()
        due = differences.extremes(*losses[name], rows["y"].tolist(), both, K)
        npt.assert_allclose(found["difference"], due.plain, atol=1e-12)
        if due.freedom < 1:
            assert found[["se", "low", "high", "p_value"]].isna().all()
            continue
        n_defined += 1
        ends = due.interval(LEVEL, registry[name].bounds(K))
        npt.assert_allclose(found[["se", "low", "high"]].astype(float), [due.se, *ends], rtol=1e-9)
    assert n_defined > 9


def test_two_clusters_have_one_degree_of_freedom() -> None:
    frame = FRAME.assign(other=np.random.default_rng(8).integers(0, K, len(FRAME)))
    asked: dict[str, Any] = {
        "by": "g", "classes": range(K), "metrics": ["mae", "accuracy"], "ci": LEVEL,
        "cluster": "patient",
    }  # fmt: skip

    def compared(**more: Any) -> Any:
        table = frame.ordinal.compare("y", ["yhat", "other"], **asked, **more)
        return table[(table["n_clusters"] == 2) & (table["se"] > 0)]

    two_sided, better = compared(margin=0.4), compared(alternative="better")
    not_worse = compared(margin=0.4, alternative="non-inferior")
    assert len(two_sided) > 3 and len(two_sided) == len(better) == len(not_worse)
    ahead = np.where(two_sided.index.get_level_values("metric") == "mae", -1, 1)
    ahead = ahead * two_sided["difference"]
    se = two_sided["se"]
    npt.assert_allclose(two_sided["p_value"], 2 * t.sf(abs(ahead) / se, 1), rtol=1e-9)
    due = t.sf((0.4 - abs(ahead)) / se, 1)
    npt.assert_allclose(two_sided["p_equivalent"], due, rtol=1e-9)
    npt.assert_allclose(better["p_value"], t.sf(ahead / se, 1), rtol=1e-9)
    npt.assert_allclose(not_worse["p_value"], t.sf((ahead + 0.4) / se, 1), rtol=1e-9)


SURFACES: dict[str, Any] = {
    "report": lambda df, **asked: df.ordinal.report("y", "yhat", se=True, **asked),
    "proba": lambda df, **asked: df.ordinal.report("y", proba=PROBA, se=True, **asked),
    "class_report": lambda df, **asked: df.ordinal.class_report("y", "yhat", **asked),
    "cut_report": lambda df, **asked: df.ordinal.cut_report("y", "yhat", **asked),
}


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("design", ["rows", "clusters", "weights", "weighted clusters"])
def test_the_last_groups_may_be_without_rows(surface: str, design: str) -> None:
    frame = FORECASTS[FORECASTS["y"] < 3].assign(w=1 + FORECASTS["y"] % 2)
    sizes = frame.groupby("g")["g"].transform("size")
    frame["bin"] = pd.cut(sizes, [-1, 0, 1, 3, 5, 7, 9])
    bins = frame["bin"].cat.categories
    frame["y"] = frame["y"].where(frame["bin"].isin(bins[2:4]))  # the labels of others are missing
    asked: dict[str, Any] = {"classes": range(4), "ci": LEVEL, "dropna": True}
    asked |= {"cluster": "patient"} if "clusters" in design else {}
    asked |= {"sample_weight": "w"} if "weight" in design else {}
    find = SURFACES[surface]
    found = find(frame, by="bin", **asked)
    for one in bins[2:4]:
        alone = find(frame[frame["bin"] == one], **asked)
        npt.assert_allclose(
            found.loc[one].astype(float), alone.astype(float), rtol=1e-9, atol=1e-12
        )
    assert (found.loc[[bins[0], bins[1], bins[4], bins[5]], "n"] == 0).all()
