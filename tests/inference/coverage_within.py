"""How often intervals of the accuracy within k hold the truth, and how wide they are.

``PYTHONPATH=tests python tests/inference/coverage_within.py`` prints the tables.
"""

from __future__ import annotations

import argparse
from functools import partial

import numpy as np
import pandas as pd
import xarray as xr
from inference.coverage import population
from inference.designs import clustered, stratified, weighted

import pandas_ordinal as po  # registers .ordinal

DISTANCES = (1, 2, 4)


def near(n_classes: int) -> np.ndarray:
    """A model that is wrong in 30 % of the rows, never by more than one class."""
    sizes = population(n_classes, 0).sum(1)
    beside = np.eye(n_classes, k=1) + np.eye(n_classes, k=-1)
    wrong = 0.3 * beside / beside.sum(1, keepdims=True)
    return sizes[:, None] * (wrong + 0.7 * np.eye(n_classes))


def rarely_far(n_classes: int) -> np.ndarray:
    """The same, but in one of a hundred rows the prediction is any class."""
    shares = near(n_classes)
    return 0.99 * shares + 0.01 * shares.sum(1, keepdims=True) / n_classes


def models(n_classes: int) -> dict[str, np.ndarray]:
    """Name the models, with their shares of cells."""
    return {
        "never far": near(n_classes),
        "rarely far": rarely_far(n_classes),
        "nearly perfect": population(n_classes, 0.03),
        "good": population(n_classes, 0.3),
        "chance": population(n_classes, None),
    }


def share_within(shares: np.ndarray, k: int) -> float:
    """The share of the rows that are at most k classes off."""
    true, pred = np.indices(shares.shape)
    return float(shares[np.abs(true - pred) <= k].sum() / shares.sum())


def measures(distances: tuple[int, ...]) -> dict[str, partial]:
    """Name the accuracy within each distance."""
    return {f"within {k}": partial(po.metrics.accuracy_within, k=k) for k in distances}


def coverage(shares: np.ndarray, n_rows: int, n_times: int, seed: list[int]) -> pd.DataFrame:
    """Share of the intervals that hold the truth, and their mean width, by distance."""
    n_classes = len(shares)
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(n_rows, shares.ravel(), n_times).reshape(-1, n_classes, n_classes)
    classes = pd.CategoricalIndex(range(n_classes), ordered=True)
    axes = {"true": classes, "pred": classes}
    cube = xr.DataArray(counts, axes, ("time", "true", "pred"))
    distances = tuple(k for k in DISTANCES if k < n_classes - 1)
    report = po.ordinal(cube).report(metrics=measures(distances), ci=0.95)
    rows = {}
    for k in distances:
        low, high = (report[f"within {k}_{end}"].values for end in ("low", "high"))
        truth, there = share_within(shares, k), ~np.isnan(low)
        held = (low <= truth + 1e-9) & (truth - 1e-9 <= high)
        rows[k] = {"held": held[there].mean(), "width": (high - low)[there].mean()}
    return pd.DataFrame(rows).T.rename_axis("k")


def table(
    n_times: int,
    classes: tuple[int, ...] = (3, 5, 7, 10),
    rows: tuple[int, ...] = (30, 100, 400),
) -> pd.DataFrame:
    """Coverage and width by number of classes, number of rows, model and distance."""
    found = {
        (n_classes, n_rows, model): coverage(shares, n_rows, n_times, [n_classes, n_rows, number])
        for n_classes in classes
        for n_rows in rows
        for number, (model, shares) in enumerate(models(n_classes).items())
    }
    return pd.concat(found, names=["K", "N", "model"])


def holds(report: pd.DataFrame, name: str, truth: float) -> float:
    """Share of the intervals that hold the truth."""
    return float(report[f"{name}_low"].le(truth).mul(report[f"{name}_high"].ge(truth)).mean())


def designs(n_times: int, k: int = 5) -> pd.DataFrame:
    """Coverage with clusters, weights and strata."""
    half = (population(k, 0.1) + population(k, 0.5)) / 2
    fixed = population(k, 0.3)
    drawn = {
        "16 clusters of 10": (clustered([10] * 16, k), half),
        "60 rows, weights": (weighted(0.7, k, 60), fixed),
        "200 rows, weights": (weighted(0.7, k, 200), fixed),
        "60 rows, strata": (stratified(k, 60), fixed),
        "200 rows, strata": (stratified(k, 200), fixed),
    }
    rows = {}
    for number, (name, (draw, shares)) in enumerate(drawn.items()):
        frame, asked = draw(np.random.default_rng([21, number]), n_times)
        if "stratify" in asked:  # the class sizes are whole numbers
            sizes = frame.y.value_counts().sort_index().to_numpy()[:, None]
            shares = shares / shares.sum(1, keepdims=True) * sizes
        report = po.ordinal(frame).report(
            "y", "yhat", by="time", classes=range(k), metrics=measures((1, 2, 3)), ci=0.95, **asked
        )
        rows[name] = {
            distance: holds(report, f"within {distance}", share_within(shares, distance))
            for distance in (1, 2, 3)
        }
    return pd.DataFrame(rows).T.rename_axis("design")


def compared(
    n_rows: int, n_times: int, k: int, far: tuple[float, float], differ: float
) -> pd.Series[float]:
    """Share of the samples whose interval of a difference holds it, and that are told apart.

    Two models err by one class, and by any in so many of the rows. They draw their errors alike,
    but for a share of the rows.
    """
    rng = np.random.default_rng([22, n_rows, k, int(1000 * differ)])
    n = n_rows * n_times
    true = rng.choice(k, n, p=near(k).sum(1))
    common, own = _luck(rng, n), rng.random(n) < differ
    models = {}
    for model, share in zip("ab", far, strict=True):
        errs, step, strays, where = np.where(own, _luck(rng, n), common)
        beside = true + np.where(errs < 0.3, np.where(step < 0.5, -1, 1), 0)
        models[model] = np.where(strays < share, (where * k).astype(int), beside.clip(0, k - 1))
    frame = pd.DataFrame({"time": np.arange(n) // n_rows, "y": true, **models})
    found = po.ordinal(frame).compare(
        "y", ["a", "b"], by="time", classes=range(k), metrics=measures((1,))
    )
    beyond = np.abs(np.subtract.outer(np.arange(k), np.arange(k))) > 1
    truth = (far[1] - far[0]) * (near(k).sum(1) * beyond.mean(1)).sum()
    return pd.Series(
        {
            "held": ((found.low <= truth + 1e-9) & (truth - 1e-9 <= found.high)).mean(),
            "told apart": (found.p_value <= 0.05).mean(),
            "width": (found.high - found.low).mean(),
        }
    )


def _luck(rng: np.random.Generator, n: int) -> np.ndarray:
    return rng.random((4, n))


def comparisons(
    n_times: int, classes: tuple[int, ...] = (3, 5, 10), rows: tuple[int, ...] = (30, 100, 400)
) -> pd.DataFrame:
    """Coverage and type I error of comparisons; both models equal, or one rarely far off."""
    found = {
        (k, n_rows, far, differ): compared(n_rows, n_times, k, far, differ)
        for k in classes
        for n_rows in rows
        for far in ((0.0, 0.0), (0.02, 0.02), (0.2, 0.2), (0.02, 0.1), (0.1, 0.3))
        for differ in (0.15, 0.6)
    }
    return pd.DataFrame(found).T.rename_axis(index=["K", "N", "far", "differ"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=2000)
    n_times = parser.parse_args().times
    found = table(n_times)
    for levels in (["K", "N"], ["K", "N", "k"]):
        parts = found.groupby(level=levels)
        summary = parts.held.agg(["mean", "min"]).join(parts.width.mean())
        print(summary.to_string(float_format="{:.3f}".format))
    print("\nbelow .90:", found.held[found.held < 0.90].round(3).to_dict())
    print(designs(n_times).to_string(float_format="{:.3f}".format))
    print(comparisons(n_times).to_string(float_format="{:.3f}".format))
