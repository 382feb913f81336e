"""How often intervals and comparisons hold if a class is rare.

``PYTHONPATH=tests python tests/inference/rare.py`` prints the tables.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Sequence

import numpy as np
import pandas as pd
import xarray as xr

import pandas_ordinal as po  # registers .ordinal
from pandas_ordinal.metrics.metric import registry

MEANS = [
    "amae", "balanced_accuracy", "geometric_mean", "gmsec", "mean_extreme_sensitivity", "uoc",
    "auoc",
]  # fmt: skip
SCORES = ["vus", "u_ovo", "u_cons", "u_pairs"]
OTHERS = ["accuracy", "mae", "mmae", "min_sensitivity", "kappa", "kendall_tau", "oci", "stc"]
RARE = (2, 3, 5, 8, 12, 20)
LARGE = 10**7


def wrong(n_classes: int, share: float) -> np.ndarray:
    """How the rows of each class are predicted by a model that is wrong in this share of them."""
    far = np.abs(np.subtract.outer(np.arange(n_classes), np.arange(n_classes)))
    near = np.where(far > 0, 0.4**far, 0)
    return share * near / near.sum(1, keepdims=True) + (1 - share) * np.eye(n_classes)


def models(n_classes: int) -> dict[str, np.ndarray]:
    """Name the models, with the shares of predictions in each class."""
    collapsed = wrong(n_classes, 0.2)
    collapsed[:, -2] += collapsed[:, -1]
    collapsed[:, -1] = 0
    return {
        "good": wrong(n_classes, 0.2),
        "fair": wrong(n_classes, 0.5),
        "never the rare class": collapsed,
        "one class too high": np.eye(n_classes, k=1) + np.diag(np.eye(n_classes)[-1]),
        "sometimes any class": 0.7 * wrong(n_classes, 0.1) + 0.3 / n_classes,
    }


def sizes(n_classes: int, n_rows: int, rare: int) -> np.ndarray:
    """How many rows each class has: the highest few, the others as many as each other."""
    rest = n_rows - rare
    common = [rest // (n_classes - 1) + (r < rest % (n_classes - 1)) for r in range(n_classes - 1)]
    return np.array([*common, rare])


def cube_of(counts: np.ndarray) -> xr.DataArray:
    """Name the axes of tables."""
    classes = pd.CategoricalIndex(range(counts.shape[-1]), ordered=True)
    return xr.DataArray(counts, {"true": classes, "pred": classes}, ("time", "true", "pred"))


def coverage(
    n_classes: int, n_rows: int, rare: int, n_times: int, metrics: list[str]
) -> pd.DataFrame:
    """Share of the intervals that hold the truth, by model and metric."""
    n = sizes(n_classes, n_rows, rare)
    found = {}
    for number, (model, shares) in enumerate(models(n_classes).items()):
        rng = np.random.default_rng([n_classes, n_rows, rare, number])
        rows = [rng.multinomial(m, p, n_times) for m, p in zip(n, shares, strict=True)]
        report = cube_of(np.stack(rows, axis=1)).ordinal.report(metrics=metrics, ci=0.95)
        truth = np.rint(LARGE * shares * n[:, None]).astype(int)
        for name in metrics:
            low, high = report[f"{name}_low"].values, report[f"{name}_high"].values
            value = float(registry[name].kernel(truth))
            there = ~np.isnan(low)
            held = (low <= value + 1e-9) & (value - 1e-9 <= high)
            found[model, name] = held[there].mean(), (high - low)[there].mean(), there.mean()
    return pd.DataFrame(found, ["held", "width", "defined"]).T


def table(
    n_times: int,
    classes: tuple[int, ...] = (3, 5, 7, 10),
    rows: tuple[int, ...] = (100, 300, 1000),
    rare: tuple[int, ...] = RARE,
    metrics: list[str] = MEANS,
) -> pd.DataFrame:
    """Coverage by number of classes, number of rows, and rows of the rare class."""
    found = {
        (k, n, m): coverage(k, n, m, n_times, metrics)
        for k in classes
        for n in rows
        for m in rare
        if m <= n // k
    }
    return pd.concat(found, names=["K", "N", "rare", "model", "metric"])


def drawn(
    n_classes: int, n_rows: int, rare: int, model: str, n_times: int, alike: float
) -> pd.DataFrame:
    """Rows of two models that are as good as each other, and whose labels agree in this share.

    Their scores are the true class with noise, part of which both have.
    """
    rng = np.random.default_rng([n_classes, n_rows, rare, int(10 * alike)])
    true = np.tile(np.repeat(np.arange(n_classes), sizes(n_classes, n_rows, rare)), n_times)
    limits = models(n_classes)[model].cumsum(1)[true]
    a, own = ((rng.random((len(true), 1)) > limits).sum(1).clip(0, n_classes - 1) for _ in "ab")
    b = np.where(rng.random(len(true)) < alike, a, own)
    common = alike**0.5 * rng.normal(size=len(true))
    scores = {
        f"{name}_score": true + common + (1 - alike) ** 0.5 * rng.normal(size=len(true))
        for name in "ab"
    }
    return pd.DataFrame(
        {"time": np.arange(len(true)) // n_rows, "y": true, "a": a, "b": b, **scores}
    )


def told_apart(
    n_times: int,
    classes: tuple[int, ...] = (2, 3, 5),
    rows: tuple[int, ...] = (60, 200),
    rare: tuple[int, ...] = RARE,
    metrics: Sequence[str] = (*MEANS, *SCORES),
) -> pd.DataFrame:
    """Share of samples of equal models with p <= .05, and with p <= .001."""
    found = {}
    cells = itertools.product(classes, rows, rare, models(3), (0.0, 0.6))
    for k, n, m, model, alike in cells:
        if m > n // k:
            continue
        frame = drawn(k, n, m, model, n_times, alike)
        table = po.ordinal(frame).compare(
            "y", ["a", "b"], score=["a_score", "b_score"], by="time", classes=range(k),
            metrics=metrics,
        )  # fmt: skip
        for level in (0.05, 0.001):
            said = (table.p_value <= level).groupby(level="metric", observed=True)
            found[k, n, m, model, alike, level] = said.mean()
    names = ["K", "N", "rare", "model", "alike", "level"]
    return pd.DataFrame(found).T.rename_axis(index=names)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=2000)
    n_times = parser.parse_args().times
    found = table(n_times, metrics=MEANS + OTHERS)
    of_means = found[found.index.isin(MEANS, level="metric")]
    for part in (of_means, found.drop(MEANS, level="metric")):
        held = part.held.groupby(level=["metric", "rare"])
        print(held.mean().unstack().to_string(float_format="{:.3f}".format))
        print(held.min().unstack().to_string(float_format="{:.3f}".format))
    print("\nbelow .90:", found.held[found.held < 0.90].round(3).to_dict())
    apart = told_apart(n_times)
    print("\nequal models told apart, at most")
    print(apart.groupby(level=["level", "rare"]).max().to_string(float_format="{:.4f}".format))
