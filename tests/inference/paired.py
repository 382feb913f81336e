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
MOVES = np.array([-2, -1, 1, 2])
SHARES = np.array([0.125, 0.375, 0.375, 0.125])
ERRORS = 0.4
CELLS = [(0.03, 0), (0.15, 0), (0.6, 0), (0.03, 0.5), (0.15, 0.5), (0.03, 0.9)]
"""Shares of rows that differ, and correlations of errors, that are possible together."""


def pairs_of(
    n_rows: int, n_times: int, gain: float, seed: int, *, own: float, errors: float = ERRORS
) -> pd.DataFrame:
    """Rows of many samples, in which two models differ in some of the rows.

    A model predicts a share of the rows by its own draw, and the others by one that both share.
    The first repairs a share of the errors of the second.
    """
    rng = np.random.default_rng([seed, n_rows, int(1000 * own), int(1000 * errors)])
    n = n_rows * n_times
    true = rng.choice(K, n, p=SIZES)
    common = _predict(true, rng, errors)
    models = {}
    for name in "ab":
        drawn = _predict(true, rng, errors)
        models[name] = np.where(rng.random(n) < own, drawn, common)
    models["a"] = np.where(rng.random(n) < gain, true, models["a"])
    return pd.DataFrame({"time": np.repeat(np.arange(n_times), n_rows), "y": true, **models})


def design(differ: float, correlation: float | None = None) -> dict[str, float]:
    """How models err, so that so many rows differ and their errors correlate so much.

    Errors are as frequent as `ERRORS`, if no correlation is asked for and so many rows can differ.
    """
    shared = max(0, 1 - differ / _differ(1, ERRORS))
    if correlation is None and shared:
        return {"own": 1 - np.sqrt(shared), "errors": ERRORS}
    own = 1 - np.sqrt(correlation or 0)
    low, high = 0.0, 0.9
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if _differ(own, middle) < differ else (low, middle)
    return {"own": own, "errors": middle}


def _differ(own: float, errors: float) -> float:
    """The share of rows that differ: one at least is drawn anew, and falls into another class."""
    moves, shares = np.append(MOVES, 0), np.append(errors * SHARES, 1 - errors)
    differ = 0.0
    for true, size in enumerate(SIZES):
        drawn = np.bincount((true + moves).clip(0, K - 1), shares, K)
        differ += size * (1 - (drawn**2).sum())
    return float((1 - (1 - own) ** 2) * differ)


def _predict(true: np.ndarray, rng: np.random.Generator, errors: float = ERRORS) -> np.ndarray:
    moved = rng.choice([*MOVES, 0], len(true), p=[*errors * SHARES, 1 - errors])
    return (true + moved).clip(0, K - 1)


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
    said = {
        "better": found.better != "neither",
        "interval": (found.low > 0) | (found.high < 0),
    }
    by_sample = pd.DataFrame(said).groupby(level=["time", "metric"]).any()
    return by_sample.groupby(level="metric").mean()


def _compare(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.ordinal.compare("y", ["a", "b"], by="time", metrics=METRICS, classes=range(K))


def table(n_times: int) -> pd.DataFrame:
    """Type I error and coverage by the number of rows and the share of rows that differ."""
    columns = {}
    for n_rows in (20, 60, 200):
        for differ in (0.03, 0.15, 0.6):
            errors = rejected(n_rows, n_times, **design(differ))
            shares = covered(n_rows, n_times, **design(differ))
            columns[n_rows, differ] = [errors.max(), shares.mean(), shares.min()]
    index = ["type I error, largest", "coverage, mean", "coverage, least"]
    return pd.DataFrame(columns, index).T.rename_axis(index=["N", "differ"])


def type_1_errors(n_times: int) -> pd.DataFrame:
    """Largest type I error of all metrics, by correlation and share of rows that differ."""
    rows = {
        cell: [rejected(n_rows, n_times, **design(*cell)).max() for n_rows in (20, 60, 200)]
        for cell in CELLS
    }
    return pd.DataFrame(rows, [20, 60, 200]).T.rename_axis(index=["differ", "correlation"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=10_000)
    times = parser.parse_args().times
    print(table(times).to_string(float_format="{:.3f}".format))
    print(told_apart(200, times).to_string(float_format="{:.3f}".format))
    print(type_1_errors(times).to_string(float_format="{:.3f}".format))
