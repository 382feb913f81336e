"""Counts by the shortest way, for comparison; nothing here comes from the package."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd


def counts(true: Any, pred: Any, n_classes: int, weights: Any = None) -> np.ndarray:
    """Count codes; a row with a negative code is left out."""
    true, pred = np.asarray(true, np.int64), np.asarray(pred, np.int64)
    table = np.zeros((n_classes, n_classes), np.int64 if weights is None else float)
    weights = np.ones(len(true), np.int64) if weights is None else np.asarray(weights)
    known = (true >= 0) & (pred >= 0)
    np.add.at(table, (true[known], pred[known]), weights[known])
    return table


def codes(labels: Any, classes: Sequence[Any]) -> list[int]:
    """Look each label up in the list of classes; -1 where it is missing."""
    return [-1 if pd.isna(label) else list(classes).index(label) for label in labels]


def frame(n_rows: int = 200, n_classes: int = 4, seed: int = 0) -> pd.DataFrame:
    """Make random predictions `yhat` and `other` of `y`, with keys and weights."""
    rng = np.random.default_rng(seed)
    classes = pd.CategoricalDtype([f"c{9 - i}" for i in range(n_classes)], ordered=True)
    labels = {
        name: pd.Categorical.from_codes(rng.integers(0, n_classes, n_rows), dtype=classes)
        for name in ("y", "yhat", "other")
    }
    keys = {"g": rng.choice(["b", "a", "c"], n_rows), "fold": rng.integers(3, 6, n_rows)}
    return pd.DataFrame({**labels, **keys, "w": rng.integers(1, 4, n_rows)})


def scored(n_rows: int = 200, n_classes: int = 4, seed: int = 0) -> pd.DataFrame:
    """Add to such predictions two scores with ties, and probabilities, the last class first."""
    df = frame(n_rows, n_classes, seed)
    rng = np.random.default_rng(seed + 1)
    for name in ("score", "second"):
        df[name] = (df["y"].cat.codes + rng.normal(0, 1.5, n_rows)).round(1)
    classes = df["y"].cat.categories[::-1]
    probabilities = rng.dirichlet(np.ones(n_classes), n_rows)
    return df.join(pd.DataFrame(probabilities, columns=classes.tolist()))
