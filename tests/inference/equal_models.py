"""How often equal models are told apart, by all metrics, where classes are rare too.

Run it by ``PYTHONPATH=tests python tests/inference/equal_models.py``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from pandas_ordinal.metrics.metric import registry


def metrics_of(n_classes: int) -> list[str]:
    """All metrics of counts that measure models and are defined for that many classes."""
    return [
        name
        for name, metric in registry.items()
        if metric.needs == "counts" and metric.of_a_model and metric.dtype is float
        and not metric.output and not metric.required and metric.n_classes in (None, n_classes)
    ]  # fmt: skip


SCORES = ["vus", "u_pairs", "u_ovo", "u_cons"]
ERRORS = {"good": 0.05, "fair": 0.4, "poor": 0.7}
MODELS = [*ERRORS, "chance", "modal", "shifted", "collapsed", "far"]


class Cell(NamedTuple):
    """A population and a kind of model.

    The classes, the rows, and the size of the rarest class, 0 for "balanced" and -1 for "skewed"
    ones; the model, and the share of the rows that it predicts independently of the other models.
    """

    n_classes: int
    n_rows: int
    rare: int
    model: str
    own: float


def sizes_of(cell: Cell) -> np.ndarray:
    """How many rows each true class has; the design fixes them."""
    k = cell.n_classes
    if cell.rare > 0:
        sizes = np.full(k, (cell.n_rows - cell.rare) // (k - 1))
        sizes[-1] = cell.rare
    else:
        shares = (0.55 if cell.rare else 1) ** np.arange(k)
        sizes = np.maximum(np.floor(shares / shares.sum() * cell.n_rows), 2).astype(int)
    sizes[0] += cell.n_rows - sizes.sum()
    return sizes


def predicted(n_classes: int, model: str) -> np.ndarray:
    """How a model predicts each true class, as shares."""
    far = np.abs(np.subtract.outer(range(n_classes), range(n_classes)))
    right = np.eye(n_classes)
    near = np.where(far > 0, 1 / np.maximum(far, 1) ** 2, 0)
    near /= near.sum(axis=1, keepdims=True)
    if model in ERRORS:
        return (1 - ERRORS[model]) * right + ERRORS[model] * near
    if model == "chance":
        return np.full_like(near, 1 / n_classes)
    if model == "modal":  # the same as at chance, but mostly one class
        return np.full_like(near, 0.3 / n_classes) + 0.7 * (np.arange(n_classes) == 0)
    if model == "shifted":  # mostly one class too high
        return 0.8 * right[np.minimum(np.arange(n_classes) + 1, n_classes - 1)] + 0.2 * near
    if model == "collapsed":  # never the last class
        shares = 0.8 * right + 0.2 * near
        shares[:, -2] += shares[:, -1]
        shares[:, -1] = 0
        return shares
    farthest = far == far.max(axis=1, keepdims=True)
    return 0.97 * right + 0.03 * farthest / farthest.sum(axis=1, keepdims=True)


def samples(cell: Cell, n_times: int, seed: int, models: str = "ab") -> pd.DataFrame:
    """Rows of many samples, in which all models err alike."""
    rng = np.random.default_rng([seed, cell.n_classes, cell.n_rows, int(100 * cell.own)])
    true = np.tile(np.repeat(np.arange(cell.n_classes), sizes_of(cell)), n_times)
    edges = predicted(cell.n_classes, cell.model).cumsum(axis=1)[true, :-1]

    def draw() -> np.ndarray:
        return (rng.random(len(true))[:, None] > edges).sum(axis=1)

    common = draw()
    columns = {m: np.where(rng.random(len(true)) < cell.own, draw(), common) for m in models}
    return pd.DataFrame({"time": np.repeat(np.arange(n_times), cell.n_rows), "y": true, **columns})


def type_1_errors(cell: Cell, n_times: int, seed: int = 1) -> pd.DataFrame:
    """Shares of the samples with a p-value of at most .05, and of at most .001, by metric."""
    frame = samples(cell, n_times, seed)
    found = frame.ordinal.compare(
        "y",
        ["a", "b"],
        by="time",
        metrics=metrics_of(cell.n_classes),
        classes=range(cell.n_classes),
    )
    return _shares(found)


def type_1_errors_of_scores(cell: Cell, n_times: int, seed: int = 2) -> pd.DataFrame:
    """The same for metrics of scores: the class, and noise of which both models share a part."""
    rng = np.random.default_rng([seed, cell.n_classes, cell.n_rows])
    frame = samples(cell, n_times, seed)
    spread = {"good": 0.4, "fair": 1, "poor": 3}[cell.model]
    common = rng.normal(0, spread, len(frame))
    for model in "ab":
        own = rng.normal(0, spread, len(frame))
        noise = np.sqrt(cell.own) * own + np.sqrt(1 - cell.own) * common
        frame[model] = (frame["y"] + noise).round(1)
    found = frame.ordinal.compare(
        "y", score=["a", "b"], by="time", metrics=SCORES, classes=range(cell.n_classes)
    )
    return _shares(found)


def _shares(found: pd.DataFrame) -> pd.DataFrame:
    p = found["p_value"]
    shares = {"p <= .05": p <= 0.05, "p <= .001": p <= 0.001, "no p-value": p.isna()}
    return pd.DataFrame(shares).groupby(level="metric").mean()


def told_apart(cell: Cell, n_times: int, seed: int = 3, **asked: str) -> pd.Series:
    """Share of the samples of five equal models in which any two are told apart, by metric."""
    frame = samples(cell, n_times, seed, "abcde")
    found = frame.ordinal.compare(
        "y",
        list("abcde"),
        by="time",
        metrics=metrics_of(cell.n_classes),
        classes=range(cell.n_classes),
        **asked,
    )
    is_real = found["p_adjusted"] <= 0.05
    return is_real.groupby(level=["time", "metric"]).any().groupby(level="metric").mean()


def cells(rare: int) -> Iterator[Cell]:
    """Yield all cells whose rarest class has so many rows."""
    for k in (2, 3, 5, 7):
        for n in (20, 60, 200, 1000):
            if n // k <= max(rare, 2) or (n == 1000 and (k > 3 or rare > 0)):
                continue
            for model in MODELS:
                if k == 2 and model in ("shifted", "collapsed"):
                    continue
                for own in (0.1, 0.6, 1) if model in ("fair", "chance") else (0.1, 1):
                    yield Cell(k, n, rare, model, own)


def errors(cell: Cell, n_times: int, seed: int) -> pd.DataFrame:
    """The type I errors of all metrics, in parts that fit into memory."""
    n_parts = -(-n_times * cell.n_rows // 1_000_000)
    parts = []
    for part in range(n_parts):
        found = [type_1_errors(cell, n_times // n_parts, seed + part)]
        if cell.model in ("good", "fair", "poor") and cell.n_rows <= 200:
            found.append(type_1_errors_of_scores(cell, n_times // n_parts, seed + part))
        parts.append(pd.concat(found))
    return pd.concat(parts).groupby(level="metric").mean()


def worst(rare: int, n_times: int) -> pd.DataFrame:
    """The largest type I error of each metric, and the cell that it is in.

    The largest of many samples are large by chance too: those of a first run are drawn again.
    """
    first = _of_cells(cells(rare), n_times // 10, seed=100)
    ranks = first["p <= .05"].groupby(level="metric").rank(ascending=False, method="first")
    found = first.index[ranks <= 3].droplevel("metric").unique()
    second = _of_cells(map(Cell._make, found), n_times, seed=200)
    by_metric = second.groupby(level="metric")
    result = by_metric.max()
    result["in"] = ["/".join(map(str, group["p <= .05"].idxmax()[:-1])) for _, group in by_metric]
    return result.sort_values("p <= .05")


def _of_cells(chosen: Iterable[Cell], n_times: int, seed: int) -> pd.DataFrame:
    every = {cell: errors(cell, n_times, seed) for cell in chosen}
    return pd.concat(every, names=[*Cell._fields])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=4000)
    times = parser.parse_args().times
    for rarest in (0, -1, 5, 3, 2):
        print(f"rarest class: {rarest} (0: balanced, -1: skewed)")
        print(worst(rarest, times).to_string(float_format="{:.3f}".format))
    for five in (
        Cell(2, 200, 0, "good", 1), Cell(4, 200, -1, "fair", 0.5), Cell(5, 100, 5, "fair", 1),
    ):  # fmt: skip
        for adjust in ("holm", "max-t"):
            print(five, adjust, f"{told_apart(five, times // 4, adjust=adjust).max():.3f}")
