"""How often intervals of miscalibration and discrimination hold the truth.

``PYTHONPATH=tests python tests/inference/calibrated.py``: of single models, corrected by chance,
and of differences of two models on the same rows, which need no correction.
"""

from __future__ import annotations

import argparse
from functools import partial

import numpy as np
import pandas as pd

from pandas_ordinal.metrics.metric import registry

PARTS = ["rps_mcb", "rps_dsc", "log_loss_mcb", "log_loss_dsc"]
BOUNDED = {
    **{name: partial(registry[name].kernel, corrected=True) for name in ("rps_mcb", "rps_dsc")},
    **{name: registry[name].kernel for name in ("rps_unc", "log_loss_unc")},
}
MODELS = ["right", "overconfident", "timid", "noisy", "noisy too"]
PAIRS = [
    ("right", "overconfident"), ("right", "noisy"), ("noisy", "noisy too"), ("timid", "noisy"),
]  # fmt: skip
POWER = {"overconfident": 1.5, "timid": 0.6}
LARGE = 1_000_000  # where chance adds next to nothing


def frame_of(
    n_rows: int, n_classes: int, seed: int, n_clusters: int | None = None
) -> tuple[pd.DataFrame, dict[str, dict[int, str]]]:
    """Rows whose classes are drawn from the right forecast, and the columns of each model.

    In clusters, rows share a part of what the class depends on, and of the errors of the models.
    """
    rng = np.random.default_rng([n_rows, n_classes, seed])
    cluster = np.arange(n_rows)
    if n_clusters is not None:
        cluster = np.repeat(np.arange(n_clusters), rng.integers(1, 20, n_clusters))[:n_rows]
    n = len(cluster)
    share = 0.0 if n_clusters is None else 0.7
    shared = rng.normal(size=(3, n))[:, cluster] * share
    centre, *noise = shared + rng.normal(size=(3, n)) * np.sqrt(1 - share**2)
    right = _cumulative_logit(1.5 * centre, n_classes)
    true = (rng.random(n)[:, None] > np.cumsum(right, axis=1)[:, :-1]).sum(axis=1)
    models = {"right": right}
    for name, power in POWER.items():
        raised = right**power
        models[name] = raised / raised.sum(axis=1, keepdims=True)
    for name, own in zip(("noisy", "noisy too"), noise, strict=True):
        models[name] = _cumulative_logit(1.5 * centre + own, n_classes)
    columns, names = {"y": true, "cluster": cluster}, {}
    for name, proba in models.items():
        names[name] = {k: f"{name} {k}" for k in range(n_classes)}
        columns |= {f"{name} {k}": proba[:, k] for k in range(n_classes)}
    return pd.DataFrame(columns), names


def _cumulative_logit(centre: np.ndarray, n_classes: int) -> np.ndarray:
    cuts = np.linspace(-2, 2, n_classes - 1) if n_classes > 2 else np.zeros(1)
    below = 1 / (1 + np.exp(centre[:, None] - cuts))
    edges = np.zeros((len(centre), 1))
    return np.diff(below, axis=1, prepend=edges, append=edges + 1)


def samples_of(
    n_rows: int, n_classes: int, n_times: int, n_clusters: int | None
) -> tuple[pd.DataFrame, dict[str, dict[int, str]]]:
    """Return many samples, one after the other in time."""
    each = [frame_of(n_rows, n_classes, 1 + n, n_clusters) for n in range(n_times)]
    frames = [one for one, _ in each]
    both = pd.concat(frames, keys=range(n_times), names=["time"]).reset_index("time")
    return both, each[0][1]


def coverage(
    n_rows: int, n_classes: int, n_times: int, n_clusters: int | None = None
) -> pd.DataFrame:
    """Share of the intervals that hold the value of the population, by model or pair and part."""
    large, names = frame_of(LARGE, n_classes, 0)
    asked = {"proba": names, "classes": range(n_classes)}
    truth = large.ordinal.report("y", metrics=BOUNDED, **asked)
    raw = large.ordinal.report("y", metrics=PARTS, **asked)
    frame, _ = samples_of(n_rows, n_classes, n_times, n_clusters)
    cluster = None if n_clusters is None else "cluster"
    report = frame.ordinal.report(
        "y", by="time", metrics=BOUNDED, ci=0.95, cluster=cluster, **asked
    )
    found: dict[str, pd.Series] = {}
    for model in MODELS:
        own = report.xs(model, level="model")
        held = {
            name: _held(own[f"{name}_low"], own[f"{name}_high"], truth.loc[model, name])
            for name in BOUNDED
        }
        found[model] = pd.Series(held)
    for a, b in PAIRS:
        compared = frame.ordinal.compare(
            "y", proba={a: names[a], b: names[b]}, by="time", metrics=PARTS, cluster=cluster,
            classes=range(n_classes),
        )  # fmt: skip
        held = {}
        for name in PARTS:
            own = compared.xs(name, level="metric")
            due = raw.loc[a, name] - raw.loc[b, name]
            held[name] = _held(own.low, own.high, due)
        found[f"{a} - {b}"] = pd.Series(held)
    return pd.DataFrame(found).T


def _held(low: pd.Series, high: pd.Series, truth: float) -> float:
    known = low.notna() & high.notna()
    held = (low <= truth + 1e-12) & (truth - 1e-12 <= high)
    return float(held[known].mean())


def table(
    n_times: int,
    classes: tuple[int, ...] = (3, 5, 7),
    rows: tuple[int, ...] = (100, 400, 1600),
) -> pd.DataFrame:
    """Coverage by number of classes and rows, model or pair, and part."""
    cells = {(k, n): coverage(n, k, n_times) for k in classes for n in rows}
    return pd.concat(cells, names=["K", "N", "model"])


def table_by_cluster(n_times: int, classes: tuple[int, ...] = (3, 5)) -> pd.DataFrame:
    """Coverage of rows in 30 or 100 clusters of 1 to 19."""
    cells = {(k, n): coverage(20 * n, k, n_times, n) for k in classes for n in (30, 100)}
    return pd.concat(cells, names=["K", "clusters", "model"])


def is_pair(found: pd.DataFrame) -> np.ndarray:
    """Which rows are of differences."""
    return found.index.get_level_values("model").str.contains(" - ").to_numpy()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=500)
    n_times = parser.parse_args().times
    for found in (table(n_times), table_by_cluster(n_times)):
        print(found.to_string(float_format="{:.3f}".format))
        for title, which in (("models", ~is_pair(found)), ("differences", is_pair(found))):
            ends = found[which].agg(["min", "mean", "max"])
            print(f"\n{title}\n{ends.to_string(float_format='{:.3f}'.format)}")
