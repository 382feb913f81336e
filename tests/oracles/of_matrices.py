"""Every registered metric of confusion matrices, called with what it needs."""

from __future__ import annotations

from typing import Any

import numpy as np

from pandas_ordinal.metrics import registry

METRICS = list(registry)
OF_MATRICES = [name for name in METRICS if registry[name].needs in ("counts", "edges")]
LENGTHS = [2.0, 1, 4, 3, 0.5, 7, 1, 2]


def some_options(name: str, k: int) -> dict[str, Any]:
    """Values of the options that have no default."""
    step = np.subtract.outer(np.arange(k), np.arange(k))
    values = {"costs": np.where(step > 0, 2.0 * step, -step), "beta2": 0.05}
    return {option: values[option] for option in registry[name].required}


def some_edges(k: int) -> np.ndarray:
    return np.cumsum([0, *LENGTHS[:k]])


def call(name: str, counts: Any, edges: Any = None, **options: Any) -> Any:
    """Score, on bins of different lengths where the metric needs edges."""
    k = np.shape(counts)[-1]
    if registry[name].needs == "edges":
        options["edges"] = some_edges(k) if edges is None else edges
    return registry[name].kernel(counts, **some_options(name, k), **options)


def examples(k: int, *leading: int) -> np.ndarray:
    """Random matrices, with empty cells, and one without any rows where there are several."""
    rng = np.random.default_rng(k)
    counts = rng.integers(0, 9, (*leading, k, k)) * rng.integers(0, 2, (*leading, k, k))
    if leading and counts.size:
        counts[(0,) * len(leading)] = 0
    return counts


def assert_same(actual: Any, expected: Any) -> None:
    np.testing.assert_allclose(actual, expected, rtol=1e-13, atol=1e-13, equal_nan=True)
