"""What other libraries call what has another name here: hints of errors, never synonyms."""

from __future__ import annotations

from collections.abc import Mapping

# Names of scikit-learn, its scorers (without neg_), imbalanced-learn, SciPy, skordinal, ORCA
METRICS: Mapping[str, str] = {
    "accuracy_score": "accuracy",
    "ccr": "accuracy",
    "zero_one_loss": "error_rate",
    "mean_zero_one_error": "error_rate",
    "mze": "error_rate",
    "accuracy_off1": "accuracy_within",
    "accuracy_off1_score": "accuracy_within",
    "adjacent_accuracy": "accuracy_within",
    "mean_absolute_error": "mae",
    "mean_squared_error": "mse",
    "root_mean_squared_error": "rmse",
    "average_mean_absolute_error": "amae",
    "macro_averaged_mean_absolute_error": "amae",
    "maximum_mean_absolute_error": "mmae",
    "minimum_mean_absolute_error": "min_mae",
    "balanced_accuracy_score": "balanced_accuracy",
    "recall_macro": "balanced_accuracy",
    "recall": "class_recall",
    "recall_score": "class_recall",
    "sensitivity": "class_recall",
    "geometric_mean_score": "geometric_mean",
    "gmean": "geometric_mean",
    "gm": "geometric_mean",
    "minimum_sensitivity": "min_sensitivity",
    "ms": "min_sensitivity",
    "cohen_kappa_score": 'kappa(weights="identity")',
    "cohen_kappa": 'kappa(weights="identity")',
    "weighted_kappa": 'kappa(weights="linear")',
    "wkappa": 'kappa(weights="linear")',
    "quadratic_weighted_kappa": "kappa",
    "qwk": "kappa",
    "kendalltau": "kendall_tau",
    "kendalls_tau": "kendall_tau",
    "tkendall": "kendall_tau",
    "somersd": "somers_d",
    "spearmanr": "spearman",
    "spearmans_rho": "spearman",
    "pearsonr": "pearson",
    "roc_auc": "u_pairs",
    "roc_auc_score": "u_pairs",
    "roc_auc_ovo": "u_ovo",
    "concordance_index": "u_pairs",
    "c_index": "u_pairs",
    "ranked_probability_score": "rps",
    "brier_score_loss": "brier",
    "brier_score": "brier",
    "confusion_matrix": "confusion",
    "crosstab": "confusion",
    "classification_report": "report",
}

# What to call instead of a kernel that is no metric
KERNELS: Mapping[str, str] = {
    "vus_se": 'call report(..., metrics=["vus"], se=True), or the kernel po.metrics.vus_se',
    "vus_cov": 'call compare(..., metrics=["vus"]), or the kernel po.metrics.vus_cov',
}

PARAMETERS: Mapping[str, str] = {
    "weights": "sample_weight",
    "weight": "sample_weight",
    "skipna": "dropna",
    "dims": "dim",
    "axis": "dim",
    "groupby": "by",
    "group": "by",
    "labels": "classes",
    "ignore_index": "ignore",
    "y_true": "true",
    "y_pred": "pred",
    "y_score": "score",
    "y_prob": "proba",
    "y_proba": "proba",
}

# What to do instead of giving a parameter that has no like here
ANSWERS: Mapping[str, str] = {
    "average": "means over the classes are metrics of their own, as amae and balanced_accuracy; "
    "class_mae and class_recall have a number for each class",
    "normalize": 'shares are made of counts: .confusion(...).ordinal.normalize("true")',
    "by": "a groupby has keys of its own, and two Series have none: give by= to df.ordinal",
    "sample_weight": "rows have no weights here",
    "zero_division": "a metric that is undefined is NaN",
    "multi_class": "u_ovo, u_pairs and u_cons are metrics of their own",
}
