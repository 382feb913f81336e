"""Metrics as pure functions of confusion matrices, ``(..., K, K) -> (...)``."""

from pandas_ordinal.metrics.agreement import kappa
from pandas_ordinal.metrics.association import (
    accuracy_pearson,
    goodman_kruskal_gamma,
    kendall_tau,
    ndpm,
    pearson,
    r_int,
    somers_d,
    spearman,
)
from pandas_ordinal.metrics.cost import cost_matrix, max_total_cost, stc, total_cost
from pandas_ordinal.metrics.error import (
    accuracy,
    accuracy_within,
    amae,
    bias,
    class_mae,
    class_recall,
    error_rate,
    expected_cost,
    mae,
    min_mae,
    mmae,
    mse,
    rmse,
)
from pandas_ordinal.metrics.index import oci, oci_path
from pandas_ordinal.metrics.kernel import Metric, registry

__all__ = [
    "Metric",
    "accuracy",
    "accuracy_pearson",
    "accuracy_within",
    "amae",
    "bias",
    "class_mae",
    "class_recall",
    "cost_matrix",
    "error_rate",
    "expected_cost",
    "goodman_kruskal_gamma",
    "kappa",
    "kendall_tau",
    "mae",
    "max_total_cost",
    "min_mae",
    "mmae",
    "mse",
    "ndpm",
    "oci",
    "oci_path",
    "pearson",
    "r_int",
    "registry",
    "rmse",
    "somers_d",
    "spearman",
    "stc",
    "total_cost",
]
