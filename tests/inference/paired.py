"""How often paired tests err: ``PYTHONPATH=tests python tests/inference/paired.py``."""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd

from pandas_ordinal.metrics.metric import registry

METRICS = ["accuracy", "mae", "kappa", "oci", "stc", "amae"]
K = 4
SIZES = np.array([0.4, 0.3, 0.2, 0.1])
LARGE = 10**6


def pairs_of(
    n_rows: int, n_times: int, differ: float, gain: float, seed: int, correlation: float = 0.5
) -> pd.DataFrame:
    """Rows of many samples, in which two models differ in a share of the rows.

    Both are wrong where a common draw or their own says so. The first repairs a share of the
    errors of the second.
    """
    rng = np.random.default_rng([seed, n_rows, int(1000 * differ), int(100 * correlation)])
    n = n_rows * n_times
    true = rng.choice(K, n, p=SIZES)
    common = _predict(true, rng)
    models = {}
    for name in "ab":
        own = _predict(true, rng)
        models[name] = np.where(rng.random(n) < _own(differ, correlation), own, common)
    models["a"] = np.where(rng.random(n) < gain, true, models["a"])
    return pd.DataFrame({"time": np.repeat(np.arange(n_times), n_rows), "y": true, **models})


def _own(differ: float, correlation: float) -> float:
    """The share of the rows that a model predicts by itself."""
    return min(differ / (1 - 0.45), 1) if differ else 1 - correlation


def _predict(true: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    moved = true + rng.choice([-2, -1, 0, 1, 2], len(true), p=[0.05, 0.15, 0.6, 0.15, 0.05])
    return moved.clip(0, K - 1)


def rejected(n_rows: int, n_times: int, **asked: float) -> pd.Series:
    """Share of the samples of two equal models that are found to differ, at .05."""
    found = _compare(pairs_of(n_rows, n_times, gain=0, seed=1, **asked))
    return (found.p_value <= 0.05).groupby(level="metric").mean()


def covered(n_rows: int, n_times: int, **asked: float) -> pd.Series:
    """Share of the intervals that hold the difference of a better model."""
    large = pairs_of(LARGE, 1, gain=0.1, seed=2, **asked)
    found = _compare(pairs_of(n_rows, n_times, gain=0.1, seed=3, **asked))
    counts = {m: pd.crosstab(large.y, large[m]).to_numpy() for m in "ab"}
    shares = {}
    for name in METRICS:
        kernel = registry[name].kernel
        truth = float(kernel(counts["a"])) - float(kernel(counts["b"]))
        rows = found.xs(name, level="metric").dropna(subset=["low"])
        shares[name] = ((rows.low <= truth) & (truth <= rows.high)).mean()
    return pd.Series(shares)


def told_apart(n_rows: int, n_times: int) -> pd.DataFrame:
    """Share of the samples of five equal models in which any two are told apart, by metric.

    By the adjusted p-values, and by intervals that do not hold 0.
    """
    rng = np.random.default_rng([4, n_rows])
    n = n_rows * n_times
    true = rng.choice(K, n, p=SIZES)
    common = _predict(true, rng)
    models = {m: np.where(rng.random(n) < 0.5, _predict(true, rng), common) for m in "abcde"}
    frame = pd.DataFrame({"time": np.repeat(np.arange(n_times), n_rows), "y": true, **models})
    found = frame.ordinal.compare("y", list(models), by="time", metrics=METRICS, classes=range(K))
    said = {"better": found.better.notna(), "interval": (found.low > 0) | (found.high < 0)}
    by_sample = pd.DataFrame(said).groupby(level=["time", "metric"]).any()
    return by_sample.groupby(level="metric").mean()


def _compare(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.ordinal.compare("y", ["a", "b"], by="time", metrics=METRICS, classes=range(K))


def table(n_times: int) -> pd.DataFrame:
    """Type I error and coverage by the number of rows and the share of rows that differ."""
    columns = {}
    for n_rows in (20, 60, 200):
        for differ in (0.03, 0.15, 0.6):
            errors = rejected(n_rows, n_times, differ=differ)
            shares = covered(n_rows, n_times, differ=differ)
            columns[n_rows, differ] = [errors.max(), shares.mean(), shares.min()]
    index = ["type I error, largest", "coverage, mean", "coverage, least"]
    return pd.DataFrame(columns, index).T.rename_axis(index=["N", "differ"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=2000)
    times = parser.parse_args().times
    print(table(times).to_string(float_format="{:.3f}".format))
    print(told_apart(200, times).to_string(float_format="{:.3f}".format))
    for correlation in (0, 0.5, 0.9):
        found = rejected(100, times, differ=0, correlation=correlation)
        print(f"correlation {correlation}: type I error {found.max():.3f}")
