"""How often statements about several models err: ``python tests/inference/statements.py``.

Run it with ``PYTHONPATH=tests``.
"""

from __future__ import annotations

import argparse
import itertools
from typing import Any

import numpy as np
import pandas as pd

import pandas_ordinal as po

METRICS = ["accuracy", "mae", "mse", "kappa", "oci", "stc", "amae"]
SIZES = {"even": [0.25, 0.25, 0.25, 0.25], "skewed": [0.6, 0.25, 0.1, 0.05]}
CELLS = list(itertools.product(SIZES, [0.1, 0.5], [0.1, 1.0], [50, 200]))
"""Sizes of the classes, shares of errors, shares of rows that each model predicts alone, rows."""
MARGIN = 0.1


def equal_models(
    sizes: str, errors: float, own: float, n_rows: int, n_times: int, n_models: int = 5
) -> pd.DataFrame:
    """Rows of many samples, in which all models err equally often."""
    rng = np.random.default_rng([7, n_rows, int(100 * errors), int(100 * own), n_models])
    n, shares = n_rows * n_times, np.array(SIZES[sizes])
    true = rng.choice(len(shares), n, p=shares)

    def predict() -> np.ndarray:
        moved = np.where(rng.random(n) < errors, rng.choice([-2, -1, 1, 2], n), 0)
        return (true + moved).clip(0, len(shares) - 1)

    common = predict()
    models = {f"m{m}": np.where(rng.random(n) < own, predict(), common) for m in range(n_models)}
    return pd.DataFrame({"time": np.repeat(np.arange(n_times), n_rows), "y": true, **models})


def told_apart(
    sizes: str, errors: float, own: float, n_rows: int, n_times: int, n_models: int = 5
) -> pd.Series:
    """Share of the samples in which any two of several equal models are told apart, by metric.

    By simultaneous intervals, with which `better` agrees.
    """
    frame = equal_models(sizes, errors, own, n_rows, n_times, n_models)
    found = _compare(frame, adjust="max-t")
    excluded = (found.low > 0) | (found.high < 0)
    assert (excluded == (found.better != "neither"))[found.better.notna()].all()
    return excluded.groupby(level=["time", "metric"]).any().groupby(level="metric").mean()


def wrong_within_margin(n_rows: int, n_times: int, own: float) -> pd.Series:
    """Share of the samples that call two models equivalent, or a not inferior, by mistake.

    The accuracy of a is lower than that of b by the margin.
    """
    rng = np.random.default_rng([8, n_rows, int(100 * own)])
    n = n_rows * n_times
    true, common = rng.choice(4, n), rng.random(n)
    chance = {m: np.where(rng.random(n) < own, rng.random(n), common) for m in "ab"}
    wrong = {"a": 0.3 + MARGIN, "b": 0.3}
    models = {m: (true + (chance[m] < wrong[m])) % 4 for m in "ab"}
    frame = pd.DataFrame({"time": np.repeat(np.arange(n_times), n_rows), "y": true, **models})
    asked: dict[str, Any] = {"metrics": ["accuracy"], "margin": MARGIN}
    equivalent = _compare(frame, **asked)
    not_inferior = _compare(frame, alternative="non-inferior", **asked)
    shares = {
        "equivalent": (equivalent.p_equivalent <= 0.05).mean(),
        "not inferior": (not_inferior.p_value <= 0.05).mean(),
    }
    return pd.Series(shares)


def _compare(frame: pd.DataFrame, **asked: Any) -> pd.DataFrame:
    models = list(frame.columns[2:])
    asked = {"by": "time", "metrics": METRICS, "classes": range(4), **asked}
    return po.ordinal(frame).compare("y", models, **asked)


def simultaneous(n_times: int) -> pd.DataFrame:
    """The share of samples in which five equal models are told apart, by cell and metric."""
    rows = {cell: told_apart(*cell, n_times) for cell in CELLS}
    names = ["sizes", "errors", "own", "N"]
    return pd.DataFrame(rows).T.rename_axis(index=names)


def margins(n_times: int) -> pd.DataFrame:
    """The share of samples that miss a difference as large as the margin."""
    cells = itertools.product([50, 200, 1000], [0.1, 0.5, 1.0])
    rows = {cell: wrong_within_margin(cell[0], n_times, cell[1]) for cell in cells}
    return pd.DataFrame(rows).T.rename_axis(index=["N", "own"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=4000)
    times = parser.parse_args().times
    print(simultaneous(times).to_string(float_format="{:.3f}".format))
    print(margins(times).to_string(float_format="{:.3f}".format))
