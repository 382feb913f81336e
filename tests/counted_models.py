"""Random rows that several models predict, and tables of their counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

MODELS = ["a", "b", "c"]


def predicted(seed: int, n_rows: int, n_classes: int, missing: bool = False) -> pd.DataFrame:
    """Rows in groups and clusters, with models that agree in part."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, n_classes, n_rows)
    common = np.where(rng.random(n_rows) < 0.6, true, rng.integers(0, n_classes, n_rows))
    columns: dict[str, Any] = {"y": true, "g": rng.choice(["u", "v"], n_rows)}
    columns["site"] = rng.integers(0, 6, n_rows)
    for model in MODELS:
        own = np.where(rng.random(n_rows) < 0.7, true, rng.integers(0, n_classes, n_rows))
        columns[model] = np.where(rng.random(n_rows) < 0.5, common, own)
    df = pd.DataFrame(columns).astype(dict.fromkeys(["y", *MODELS], "Int64"))
    if missing:
        for name in ["y", *MODELS]:
            df[name] = df[name].where(rng.random(n_rows) < 0.9)
    return df


def counted(df: pd.DataFrame, keys: Sequence[str] = (), seed: int = 0) -> pd.DataFrame:
    """A row for each combination of labels and keys, in any order, and how often it occurs."""
    table = df.groupby([*keys, "y", *MODELS], dropna=False).size().reset_index(name="n")
    return table.sample(frac=1, random_state=seed)
