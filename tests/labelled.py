"""Small labelled frames and arrays, and the metrics by what they need."""

from __future__ import annotations

import re
from typing import Any

import brute
import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.metrics import registry

OF_LABELS = [name for name, metric in registry.items() if metric.needs in ("counts", "edges")]
OF_ANY_CLASSES = [name for name in OF_LABELS if registry[name].n_classes is None]
OF_SCORES = [name for name, metric in registry.items() if metric.needs == "scores"]
OF_PROBABILITIES = [name for name, metric in registry.items() if metric.needs == "probabilities"]
FITTED = [name for name, metric in registry.items() if metric.row_terms]
BOTH = [*OF_SCORES, *OF_PROBABILITIES]
DEFAULT = ["accuracy", "accuracy_within", "mae", "amae", "mmae", "kappa", "kendall_tau", "r_int"]
DEFAULT += ["oci", "stc"]  # the report of labels

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

A01 = predictions(
    ordered(["low"] * 3 + ["mid"] * 2 + ["high"] * 3),
    ordered(["low", "low", "mid", "mid", "high", "high", "high", "mid"]),
)
DF = pd.DataFrame(
    {"y": [0, 1, 2, 2], "yhat": [0, 2, 2, 1], "g": ["a", "a", "b", "b"], "w": [1.0, 2, 3, 4]}
)
COUNTED = DF.ordinal.confusion("y", "yhat", by="g")
BIG = [2**53, 2**53 + 1, 2**53 + 2, 2**53 + 3, 2**53 + 4, 2**53 + 5]
NO_SCORES: dict[str, Any] = {
    "text": list("abcdef"),
    "numbers as text": list("122334"),
    "objects": pd.Series([1, 2, 2, 3, 3, 4], dtype=object),
    "dates": pd.date_range("2026", periods=6),
    "dates with a zone": pd.date_range("2026", periods=6, tz="UTC"),
    "spans": pd.to_timedelta(range(6), unit="D"),
    "unordered": pd.Categorical([1, 2, 2, 3, 3, 4]),
    "complex": np.arange(6) * 1j,
    "periods": pd.period_range("2026", periods=6, freq="D"),
    "intervals": pd.interval_range(0, 6),
}


def score(df: pd.DataFrame, name: str, **options: Any) -> Any:
    return getattr(df.ordinal, name)("y", "yhat", **options)


N_ROWS = 60


def unkeyed(n_rows: int = N_ROWS, seed: int = 3) -> pd.DataFrame:
    return brute.frame(n_rows, seed=seed)[["y", "yhat", "other", "w"]]


def grouped(n_groups: int, size: int) -> pd.DataFrame:
    df = brute.frame(n_groups * size, n_classes=5)
    return df.assign(g=np.repeat(np.arange(n_groups), size))


RNG = np.random.default_rng(4)
TRUE = RNG.integers(0, 3, (5, 7))
PRED = RNG.integers(0, 3, (2, 5, 7))
WEIGHT = RNG.integers(0, 4, (5, 7))


def arrays(chunks: Any = None) -> tuple[xr.DataArray, xr.DataArray, xr.DataArray]:
    coords = {"fold": [10, 20, 30, 40, 50], "case": list("abcdefg")}
    true = xr.DataArray(TRUE, coords, ("fold", "case"), name="y")
    pred = xr.DataArray(PRED, {"model": ["m", "k"], **coords}, ("model", "fold", "case"), name="p")
    weight = xr.DataArray(WEIGHT, coords, ("fold", "case"), name="w")
    made = true, pred, weight
    return made if chunks is None else tuple(a.chunk(chunks) for a in made)  # type: ignore[return-value]


def assert_size_index(index: pd.Index, sizes: pd.Series) -> None:
    expected = sizes.index
    if isinstance(expected, pd.DatetimeIndex):
        index.freq = expected.freq = None
    pd.testing.assert_index_equal(index, expected, exact="equiv", check_categorical=False)
