"""How often intervals of clusters, weights and strata hold the truth, and where they stay low.

``python tests/inference/designs.py`` prints the tables.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr
from inference.coverage import LARGE, METRICS, population

import pandas_ordinal as po  # registers .ordinal
from pandas_ordinal.metrics.metric import registry

SMOOTH = [name for name in METRICS if name != "mmae"]  # extremes have no such intervals
Draws = tuple[pd.DataFrame, dict[str, Any]]


def held(
    frame: pd.DataFrame, shares: np.ndarray, metrics: list[str], **asked: Any
) -> pd.Series[float]:
    """Share of the intervals that hold the value of the population, by metric."""
    report = po.ordinal(frame).report(
        "y", "yhat", by="time", metrics=metrics, classes=range(len(shares)), ci=0.95, **asked
    )
    return pd.Series(
        {
            name: among(report[f"{name}_low"].values, report[f"{name}_high"].values, name, shares)
            for name in metrics
        }
    )


def among(low: np.ndarray, high: np.ndarray, name: str, shares: np.ndarray) -> float:
    """Share of the defined intervals that hold the value of the population; NaN if none is."""
    value = registry[name].kernel(np.rint(LARGE * shares).astype(int))
    there = ~np.isnan(low)
    holds = (low <= value + 1e-9) & (value - 1e-9 <= high)
    return float(holds[there].mean()) if there.any() else np.nan


def drawn(rng: np.random.Generator, shares: np.ndarray, n_rows: int) -> dict[str, np.ndarray]:
    """Draw rows of a population."""
    cells = rng.choice(shares.size, n_rows, p=shares.ravel())
    return {"y": cells // len(shares), "yhat": cells % len(shares)}


def clustered(sizes: list[int], k: int) -> Callable[[np.random.Generator, int], Draws]:
    """Clusters of these sizes in some order, each with a model that is good or bad there."""
    good, bad = population(k, 0.1), population(k, 0.5)

    def draw(rng: np.random.Generator, n_times: int) -> Draws:
        cluster = np.repeat(np.arange(n_times * len(sizes)), np.tile(sizes, n_times))
        is_bad = (rng.random(n_times * len(sizes)) < 0.5)[cluster]
        rows = pd.DataFrame(drawn(rng, good, len(cluster)))
        rows[is_bad] = pd.DataFrame(drawn(rng, bad, len(cluster)))[is_bad]
        return rows.assign(time=cluster // len(sizes), c=cluster), {"cluster": "c"}

    return draw


def weighted(sigma: float, k: int, n: int) -> Callable[[np.random.Generator, int], Draws]:
    """Lognormal weights."""

    def draw(rng: np.random.Generator, n_times: int) -> Draws:
        rows = pd.DataFrame(drawn(rng, population(k, 0.3), n * n_times))
        w = rng.lognormal(sigma=sigma, size=len(rows))
        return rows.assign(time=np.arange(len(rows)) // n, w=w), {"sample_weight": "w"}

    return draw


def stratified(k: int, n: int) -> Callable[[np.random.Generator, int], Draws]:
    """As many rows of each true class as its share says."""

    def draw(rng: np.random.Generator, n_times: int) -> Draws:
        shares = population(k, 0.3)
        sizes = class_sizes(k, n)
        true = np.tile(np.repeat(np.arange(k), sizes), n_times)
        pred = np.empty_like(true)
        for r in range(k):
            is_true = true == r
            pred[is_true] = rng.choice(k, is_true.sum(), p=shares[r] / shares[r].sum())
        time = np.arange(len(true)) // sizes.sum()
        return pd.DataFrame({"y": true, "yhat": pred, "time": time}), {"stratify": "true"}

    return draw


def class_sizes(k: int, n: int) -> np.ndarray:
    """How many rows of each class a design draws."""
    return np.maximum(np.rint(n * population(k, 0.3).sum(1)), 2).astype(int)


UNEVEN = [1, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 22, 27, 33, 40]
GIANTS = {  # of 16 clusters, by what two of them hold
    "14 clusters of 2, two of 60": [2] * 14 + [60] * 2,
    "14 clusters of 5, two of 60": [5] * 14 + [60] * 2,
    "14 clusters of 5, two of 30": [5] * 14 + [30] * 2,
}


def designs(k: int) -> dict[str, tuple[Callable[[np.random.Generator, int], Draws], np.ndarray]]:
    """Name the designs, with the population of each."""
    half = (population(k, 0.1) + population(k, 0.5)) / 2
    fixed = population(k, 0.3)
    rates = fixed / fixed.sum(1, keepdims=True)
    sizes = {n: class_sizes(k, n)[:, None] for n in (60, 200)}
    by_design = {n: rates * size / size.sum() for n, size in sizes.items()}
    return {
        "8 clusters of 10": (clustered([10] * 8, k), half),
        "16 clusters of 10": (clustered([10] * 16, k), half),
        "16 clusters of 1 to 40": (clustered(UNEVEN, k), half),
        "14 clusters of 2, two of 60": (clustered(GIANTS["14 clusters of 2, two of 60"], k), half),
        "64 clusters of 1 to 40": (clustered(UNEVEN * 4, k), half),
        "60 rows, weights": (weighted(0.7, k, 60), fixed),
        "200 rows, weights": (weighted(0.7, k, 200), fixed),
        "60 rows, strata": (stratified(k, 60), by_design[60]),
        "200 rows, strata": (stratified(k, 200), by_design[200]),
    }


def table(n_times: int, classes: tuple[int, ...] = (3, 5)) -> pd.DataFrame:
    """Coverage by number of classes and design."""
    rows = {}
    for k in classes:
        for number, (name, (draw, shares)) in enumerate(designs(k).items()):
            frame, asked = draw(np.random.default_rng([k, number]), n_times)
            rows[k, name] = held(frame, shares, SMOOTH, **asked)
    return pd.DataFrame(rows).T.rename_axis(index=["K", "design"])


def giants(n_times: int, k: int = 3) -> pd.DataFrame:
    """Coverage with two large clusters among 16, and that of the accuracy by sums over clusters.

    The latter is the sandwich, to tell by what both populations of a study have in common.
    """
    shares = (population(k, 0.1) + population(k, 0.5)) / 2
    rows = {}
    for number, (name, sizes) in enumerate(GIANTS.items()):
        frame, asked = clustered(sizes, k)(np.random.default_rng([15, number]), n_times)
        ours = held(frame, shares, SMOOTH, **asked)
        right = (frame.y == frame.yhat).astype(float)
        means = right.groupby(frame.time).transform("mean")
        sums = (right - means).groupby([frame.time, frame.c]).sum()
        se = np.sqrt((sums**2).groupby("time").sum() * len(sizes) / (len(sizes) - 1)) / sum(sizes)
        far = (right.groupby(frame.time).mean() - np.trace(shares)).abs()
        rows[name] = {
            "share of rows": sum(sizes[-2:]) / sum(sizes),
            "mean": ours.mean(),
            "least": ours.min(),
            "sandwich": (far <= 1.96 * se).mean(),
        }
    return pd.DataFrame(rows).T


def far_errors(k: int, share: float) -> np.ndarray:
    """A model that errs seldom, and then takes the lowest class for the highest."""
    shares = np.eye(k) / k
    shares[0, 0] -= share
    shares[0, -1] += share
    return shares


def rare_class(k: int, share: float) -> np.ndarray:
    """The highest class is rare, but often predicted; a tenth of the rows are wrong by one."""
    sizes = np.full(k, (1 - share) / (k - 1))
    sizes[-1] = share
    wrong = (np.eye(k, k=1) + np.eye(k, k=-1)) / 10
    return sizes[:, None] * (wrong + np.diag(1 - wrong.sum(1)))


def low(n_times: int) -> pd.Series[float]:
    """Coverage where it is known to be low."""
    chance = population(10, None)
    even = np.full((10, 10), 0.01)
    cases = {
        ("bias", 50, "one far error in 50 rows"): far_errors(10, 0.02),
        ("bias", 200, "one far error in 50 rows"): far_errors(10, 0.02),
        ("oci", 30, "chance, skewed"): chance,
        ("oci", 100, "chance, skewed"): chance,
        ("oci", 400, "chance, skewed"): chance,
        ("oci", 100, "chance, even"): even,
        ("amae", 30, "chance, skewed"): chance,
        ("total_cost", 50, "a class of 2 %, often predicted"): rare_class(5, 0.02),
        ("total_cost", 200, "a class of 2 %, often predicted"): rare_class(5, 0.02),
    }
    found = {}
    for number, ((name, n, what), shares) in enumerate(cases.items()):
        rng = np.random.default_rng([14, number])
        counts = rng.multinomial(n, shares.ravel(), n_times).reshape(n_times, *shares.shape)
        k = pd.CategoricalIndex(range(len(shares)), ordered=True)
        cube = xr.DataArray(counts, dims=("time", "true", "pred"), coords={"true": k, "pred": k})
        report = po.ordinal(cube).report(metrics=[name], ci=0.95)
        ends = report[f"{name}_low"].values, report[f"{name}_high"].values
        found[name, n, what] = among(*ends, name, shares)
    return pd.Series(found)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=2000)
    n_times = parser.parse_args().times
    print(table(n_times).to_string(float_format="{:.3f}".format))
    print(giants(n_times).to_string(float_format="{:.3f}".format))
    print(low(n_times).to_string(float_format="{:.3f}".format))
