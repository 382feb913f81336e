"""How often intervals of scores and probabilities hold the truth, as `coverage.py` does."""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd

import pandas_ordinal  # noqa: F401

SCORES = ["vus", "u_pairs", "u_ovo", "u_cons"]
METRICS = [*SCORES, "rps", "brier", "log_loss"]
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


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=1000)
    found = table(parser.parse_args().times)
    mean = found.groupby(level=["K", "N"]).mean()
    print(mean.to_string(float_format="{:.3f}".format))
    print("\nleast:", found.min().round(3).to_dict())
    low = found.stack()
    print("\nbelow .90:", low[low < 0.90].round(3).to_dict())
