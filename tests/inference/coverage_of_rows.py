"""How often intervals of scores and probabilities hold the truth, as `coverage.py` does."""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd

import pandas_ordinal  # noqa: F401

SCORES = ["vus", "u_pairs", "u_ovo", "u_cons"]
METRICS = [*SCORES, "rps", "rps_skill", "brier", "log_loss"]
MODELS = {
    "nearly perfect": (0.3, 0.3),
    "good": (1.0, 1.0),
    "overconfident, coarse": (1.0, 0.4),
    "chance": (np.inf, 1.0),
}
LARGE = 400_000


def rows_of(
    n_rows: int, n_classes: int, model: str, rng: np.random.Generator
) -> tuple[pd.DataFrame, dict[int, str]]:
    """Rows of a latent variable with noise, and forecasts that trust it more or less."""
    noise, trusted = MODELS[model]
    position = np.arange(n_classes)
    sizes = 0.75**position / (0.75**position).sum()
    true = rng.choice(n_classes, n_rows, p=sizes)
    centre = rng.choice(n_classes, n_rows, p=sizes) if np.isinf(noise) else true
    latent = centre + rng.normal(size=n_rows) * (1.0 if np.isinf(noise) else noise)
    logs = np.log(sizes) - (latent[:, None] - position) ** 2 / (2 * trusted**2)
    proba = np.exp(logs - logs.max(axis=1, keepdims=True))
    proba /= proba.sum(axis=1, keepdims=True)
    score = latent.round() if "coarse" in model else latent
    columns = {f"p{k}": proba[:, k] for k in position}
    names = {int(k): f"p{k}" for k in position}
    return pd.DataFrame({"y": true, "score": score, **columns}), names


def coverage(n_classes: int, n_rows: int, model: str, n_times: int) -> pd.Series:
    """Share of the intervals that hold the value of the population, by metric."""
    rng = np.random.default_rng([n_classes, n_rows, list(MODELS).index(model)])
    frame, proba = rows_of(LARGE, n_classes, model, np.random.default_rng(0))
    asked = {"score": "score", "proba": proba, "metrics": METRICS, "classes": range(n_classes)}
    truth = frame.ordinal.report("y", **asked)
    frame, _ = rows_of(n_rows * n_times, n_classes, model, rng)
    frame["time"] = np.repeat(np.arange(n_times), n_rows)
    report = frame.ordinal.report("y", by="time", ci=0.95, **asked)
    found = {}
    for name in METRICS:
        ours = report[[f"{name}_low", f"{name}_high"]].dropna()
        found[name] = ours.apply(lambda r, t=truth[name]: r.iloc[0] <= t <= r.iloc[1], axis=1)
    return pd.Series({name: one.mean() for name, one in found.items()})


def table(
    n_times: int,
    classes: tuple[int, ...] = (2, 3, 5, 10),
    rows: tuple[int, ...] = (30, 100, 200, 400),
) -> pd.DataFrame:
    """Coverage by number of classes, number of rows and model."""
    columns = {
        (n_classes, n_rows, model): coverage(n_classes, n_rows, model, n_times)
        for n_classes in classes
        for n_rows in rows
        for model in MODELS
    }
    return pd.DataFrame(columns).T.rename_axis(index=["K", "N", "model"])


def clustered(n_clusters: int, n_classes: int, noise: float, seed: int) -> pd.DataFrame:
    """Rows of clusters of 1 to 19, which share a part of the truth and of the error."""
    rng = np.random.default_rng([n_clusters, n_classes, seed])
    cluster = np.repeat(np.arange(n_clusters), rng.integers(1, 20, n_clusters))
    shared = 0.7 * rng.normal(size=(2, n_clusters))[:, cluster]
    position = np.arange(n_classes)
    truth = np.floor(shared[0] + rng.normal(size=len(cluster)) + n_classes / 2)
    true = truth.clip(0, n_classes - 1).astype(int)
    score = true + shared[1] + noise * rng.normal(size=len(cluster))
    proba = np.exp(-((score[:, None] - position) ** 2) / 2)
    proba /= proba.sum(axis=1, keepdims=True)
    columns = {f"p{k}": proba[:, k] for k in position}
    return pd.DataFrame({"y": true, "score": score, "cluster": cluster, **columns})


def coverage_by_cluster(
    n_clusters: int, n_classes: int, noise: float, n_times: int, cluster: str | None
) -> pd.Series:
    """Share of the intervals that hold the value of the population, of rows in clusters."""
    proba = {k: f"p{k}" for k in range(n_classes)}
    asked = {"score": "score", "proba": proba, "metrics": METRICS, "classes": range(n_classes)}
    truth = clustered(LARGE // 10, n_classes, noise, 0).ordinal.report("y", **asked)
    times = [clustered(n_clusters, n_classes, noise, 1 + n) for n in range(n_times)]
    frame = pd.concat(times, keys=range(n_times), names=["time"]).reset_index("time")
    report = frame.ordinal.report("y", by="time", ci=0.95, cluster=cluster, **asked)
    held = {}
    for name in METRICS:
        low, high = report[f"{name}_low"].dropna(), report[f"{name}_high"].dropna()
        held[name] = ((low <= truth[name]) & (truth[name] <= high)).mean()
    return pd.Series(held)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=1000)
    n_times = parser.parse_args().times
    found = table(n_times)
    mean = found.groupby(level=["K", "N"]).mean()
    print(mean.to_string(float_format="{:.3f}".format))
    print("\nleast:", found.min().round(3).to_dict())
    low = found.stack()
    print("\nbelow .90:", low[low < 0.90].round(3).to_dict())
    by_cluster = {
        (cluster or "independent", n_clusters, n_classes, noise): coverage_by_cluster(
            n_clusters, n_classes, noise, n_times // 2, cluster
        )
        for cluster in ("cluster", None)
        for n_clusters in (15, 30, 60)
        for n_classes in (2, 4)
        for noise in (0.4, 1.0)
    }
    cells = pd.DataFrame(by_cluster).T
    print("\nclusters: mean, least and largest of the cells")
    ours = cells.groupby(level=[0, 1])
    for name, part in (("mean", ours.mean()), ("least", ours.min()), ("largest", ours.max())):
        print(name, part.to_string(float_format="{:.3f}".format), sep="\n")
