"""What a user would call instead: the peers' metrics, and the OCI as a plain loop."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pandas as pd
import sklearn.metrics
import skordinal.metrics
from imblearn.metrics import macro_averaged_mean_absolute_error
from scipy import stats

LABELS = list(range(5))

METRICS: dict[str, Callable[[Any, Any], Any]] = {
    "accuracy": sklearn.metrics.accuracy_score,
    "mae": sklearn.metrics.mean_absolute_error,
    "mse": sklearn.metrics.mean_squared_error,
    "rmse": sklearn.metrics.root_mean_squared_error,
    "kappa": lambda t, p: sklearn.metrics.cohen_kappa_score(t, p, weights="quadratic"),
    "kendall_tau": lambda t, p: stats.kendalltau(t, p).statistic,
    "pearson": lambda t, p: stats.pearsonr(t, p).statistic,
    "somers_d": lambda t, p: stats.somersd(t, p).statistic,
    "spearman": lambda t, p: stats.spearmanr(t, p).statistic,
    "amae": macro_averaged_mean_absolute_error,
    "accuracy_within": lambda t, p: skordinal.metrics.accuracy_off1_score(t, p, labels=LABELS),
    "mmae": lambda t, p: skordinal.metrics.maximum_mean_absolute_error(t, p, labels=LABELS),
}


def report(frame: pd.DataFrame) -> pd.DataFrame:
    """Score the integer columns `true` and `pred` of each group by every metric of the peers."""
    groups = frame.groupby(["model", "fold"], observed=True)[["true", "pred"]]
    return pd.DataFrame(groups.apply(_scores))


def _scores(rows: pd.DataFrame) -> pd.Series[float]:
    true, pred = rows["true"].to_numpy(), rows["pred"].to_numpy()
    return pd.Series({name: metric(true, pred) for name, metric in METRICS.items()})


def oci(counts: Any, costs: Any) -> Any:
    """Return the OCI of one matrix, beta 0.75, by plain loops; `costs` is scratch for K + 1.

    Python is fastest on lists, Numba on arrays.
    """
    n_classes = len(counts)
    rows, apart = 0.0, 0.0
    for r in range(n_classes):
        row = counts[r]
        for c in range(n_classes):
            rows += row[c]
            apart += row[c] * abs(r - c)
    hit, miss = 1 / (rows + apart), 0.75 / (rows * (n_classes - 1))
    costs[0] = 0.0
    for c in range(n_classes):
        costs[c + 1] = math.inf
    for r in range(n_classes):
        row = counts[r]
        corner, left = costs[0], math.inf
        costs[0] = math.inf
        for c in range(n_classes):
            above = costs[c + 1]
            left = min(left, above, corner) + row[c] * (miss * abs(r - c) - hit)
            corner, costs[c + 1] = above, left
    return 1 + costs[n_classes]


def oci_python(matrices: list[list[list[int]]]) -> list[float]:
    """Score matrices one by one in Python."""
    costs = [0.0] * (len(matrices[0]) + 1)
    return [oci(counts, costs) for counts in matrices]


def oci_numba() -> Callable[[Any], Any]:
    """Return a function that does the same, compiled."""
    compiled_oci = numba.njit(oci, inline="always", error_model="numpy")

    def score(matrices: Any) -> Any:
        results, costs = np.empty(len(matrices)), np.empty(matrices.shape[1] + 1)
        for i in range(len(matrices)):
            results[i] = compiled_oci(matrices[i], costs)
        return results

    compiled: Callable[[Any], Any] = numba.njit(score, error_model="numpy")
    return compiled
