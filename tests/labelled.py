"""Small labelled frames, and the metrics by what they need."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd

from pandas_ordinal.metrics import registry

OF_LABELS = [name for name, metric in registry.items() if metric.needs in ("counts", "edges")]
OF_SCORES = [name for name, metric in registry.items() if metric.needs == "scores"]
OF_PROBABILITIES = [name for name, metric in registry.items() if metric.needs == "probabilities"]
BOTH = [*OF_SCORES, *OF_PROBABILITIES]
SINGLE = [name for name in OF_SCORES if not registry[name].required]
LEVELS = ["low", "mid", "high"]
DTYPE = pd.CategoricalDtype(LEVELS, ordered=True)


def plain(value: Any) -> str:
    """Write a parameter alike in every process: no addresses, sets in order."""
    if isinstance(value, set):
        return f"{{{', '.join(sorted(map(repr, value)))}}}"
    return re.sub(r"<function (\S+) at 0x\w+>", r"\1", str(value))


def ordered(labels: Any, classes: Any = LEVELS) -> pd.Categorical:
    return pd.Categorical(labels, categories=classes, ordered=True)


def predictions(true: Any, pred: Any, **columns: Any) -> pd.DataFrame:
    return pd.DataFrame({"y": true, "yhat": pred, **columns})


# VUS 6 of 8 with halves: (1, 2, 3), (1, 2, 4), ... as the tests of the kernel count them
TIED = pd.DataFrame(
    {
        "y": pd.Categorical(["low", "low", "mid", "mid", "high", "high"], dtype=DTYPE),
        "score": [1, 2, 2, 3, 3, 4],
        "g": list("aabbab"),
        "w": 1,
    }
)
PROBA = pd.DataFrame(
    {
        "y": pd.Categorical(["high", "high"], dtype=DTYPE),
        "high": [0.3, 0.3],
        "low": [0.2, 0.5],
        "mid": [0.5, 0.2],
    },
    index=["first", "second"],
)
