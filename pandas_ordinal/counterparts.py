"""Our names for those of other libraries, and what to do instead of what is missing here."""

from __future__ import annotations

from collections.abc import Collection, Mapping

# Names of scikit-learn, its scorers (without neg_), imbalanced-learn, SciPy, skordinal, ORCA,
# xskillscore and those of papers
METRICS: Mapping[str, str] = {
    "accuracy_score": "accuracy",
    "ccr": "accuracy",
    "zero_one_loss": "error_rate",
    "mean_zero_one_error": "error_rate",
    "mze": "error_rate",
    "accuracy_off1": "accuracy_within",
    "accuracy_off1_score": "accuracy_within",
    "percent_agreement": "accuracy",
    "adjacent_accuracy": "accuracy_within",
    "adjacent_agreement": "accuracy_within",
    "off_by_one_accuracy": "accuracy_within",
    "accuracy_1": "accuracy_within",
    "off_by_one": "accuracy_within",
    "mean_absolute_error": "mae",
    "mean_squared_error": "mse",
    "root_mean_squared_error": "rmse",
    "average_mean_absolute_error": "amae",
    "macro_averaged_mean_absolute_error": "amae",
    "macro_averaged_mae": "amae",
    "macro_mae": "amae",
    "mae_macro": "amae",
    "ma_mae": "amae",
    "maximum_mean_absolute_error": "mmae",
    "maximum_mae": "mmae",
    "max_mae": "mmae",
    "minimum_mean_absolute_error": "min_mae",
    "minimum_mae": "min_mae",
    "balanced_accuracy_score": "balanced_accuracy",
    "recall_macro": "balanced_accuracy",
    "recall": "class_recall",
    "recall_score": "class_recall",
    "sensitivity": "class_recall",
    "producers_accuracy": "class_recall",
    "geometric_mean_score": "geometric_mean",
    "gmean": "geometric_mean",
    "g_mean": "geometric_mean",
    "gm": "geometric_mean",
    "minimum_sensitivity": "min_sensitivity",
    "ms": "min_sensitivity",
    "cohen_kappa_score": "kappa",
    "cohen_kappa": 'kappa(weights="identity")',
    "cohens_kappa": 'kappa(weights="identity")',
    "weighted_kappa": 'kappa(weights="linear")',
    "wkappa": 'kappa(weights="linear")',
    "linear_kappa": 'kappa(weights="linear")',
    "quadratic_kappa": 'kappa(weights="quadratic")',
    "ccc": 'kappa(weights="quadratic")',
    "concordance_correlation": 'kappa(weights="quadratic")',
    "hss": 'kappa(weights="identity")',
    "heidke": 'kappa(weights="identity")',
    "heidke_skill_score": 'kappa(weights="identity")',
    "heidke_score": 'kappa(weights="identity")',
    "gss": "gerrity",
    "gmss": "gerrity",
    "gerrity_score": "gerrity",
    "gerrity_skill_score": "gerrity",
    "gandin_murphy": "gerrity",
    "pss": "peirce",
    "peirce_score": "peirce",
    "peirce_skill_score": "peirce",
    "hk": "peirce",
    "hanssen_kuipers": "peirce",
    "hanssen_kuipers_score": "peirce",
    "kuipers": "peirce",
    "tss": "peirce",
    "true_skill_statistic": "peirce",
    "youden": "peirce",
    "youden_j": "peirce",
    "youdens_j": "peirce",
    "informedness": "peirce",
    "ac1": 'gwet_ac(weights="identity")',
    "ac2": "gwet_ac",
    "quadratic_weighted_kappa": 'kappa(weights="quadratic")',
    "qwk": 'kappa(weights="quadratic")',
    "alpha": "krippendorff_alpha",
    "krippendorffs_alpha": "krippendorff_alpha",
    "gamma": "goodman_kruskal_gamma",
    "tau": "kendall_tau",
    "tau_b": "kendall_tau",
    "kendalltau": "kendall_tau",
    "kendalls_tau": "kendall_tau",
    "tkendall": "kendall_tau",
    "somersd": "somers_d",
    "spearmanr": "spearman",
    "spearmans_rho": "spearman",
    "pearsonr": "pearson",
    "auc": "u_pairs",
    "roc_auc": "u_pairs",
    "auroc": "u_pairs",
    "roc_auc_score": "u_pairs",
    "roc_auc_ovo": "u_ovo",
    "concordance": "u_pairs",
    "concordance_index": "u_pairs",
    "c_index": "u_pairs",
    "ranked_probability_score": "rps",
    "rpss": "rps_skill",
    "ranked_probability_skill_score": "rps_skill",
    "miscalibration": "rps_mcb",
    "mcb": "rps_mcb",
    "discrimination": "rps_dsc",
    "dsc": "rps_dsc",
    "brier_score_loss": "brier",
    "brier_score": "brier",
    "confusion_matrix": "confusion",
    "crosstab": "confusion",
    "precision": "class_precision",
    "precision_score": "class_precision",
    "ppv": "class_precision",
    "users_accuracy": "class_precision",
    "npv": "class_npv",
    "specificity": "class_specificity",
    "classification_report": "class_report",
    "sensitivity_specificity": "cut_report",
    "sensitivity_specificity_support": "class_report",
}

# What else differs in a metric that has another name here
REMARKS: Mapping[str, str] = {
    "cohen_kappa_score": ", whose weights are quadratic by default; scikit-learn's default is "
    'weights="identity"',
    "gss": "; the Gilbert skill score, of two classes, is not offered",
    **dict.fromkeys(("ac1", "ac2", "cohen_kappa"), "; for more raters call agreement([...])"),
}

NOMINAL = "ignores the order of the classes and is not offered"
BY_CLASS = (
    f"{NOMINAL}: balanced_accuracy, class_recall and class_precision show how often each class is "
    "right, amae and mmae how far off it is"
)
BY_CHANCE = f'{NOMINAL}: kappa(weights="identity") is similar'

# Metrics that are missing here, and similar ones
NOT_HERE: Mapping[str, str] = {
    "f1": BY_CLASS,
    "f1_score": BY_CLASS,
    "f1_macro": BY_CLASS,
    "f1_weighted": BY_CLASS,
    "macro_f1": BY_CLASS,
    "weighted_f1": BY_CLASS,
    "mcc": BY_CHANCE,
    "matthews_corrcoef": BY_CHANCE,
    "icc": "is not available: kappa, and for more raters agreement([...]), are close to it",
    "kendall_w": "is not a metric: po.friedman has it, and kendall_tau compares two rankings",
    "mamse": "is not available: amae and mmae weigh the classes equally, with absolute errors",
    **dict.fromkeys(
        (
            "brier_decomposition",
            "murphy_decomposition",
            "score_decomposition",
            "reliabilitydiag",
            "corp",
        ),
        "is not available as one number: rps_mcb, rps_dsc and rps_unc are the parts of rps",
    ),
    "ece": 'is a column of calibration("y", proba=[...]); rps, brier and log_loss score '
    "probabilities",
}

# Functions of reports, methods that are options of a report, and what saves results
CALLS: Mapping[str, str] = {
    **dict.fromkeys(("fleiss_kappa", "light_kappa"), 'call agreement([...], weights="identity")'),
    **dict.fromkeys(("conger_kappa", "conger", "raters"), "call agreement([...])"),
    "agreement": "agreement takes the columns of a frame: call df.ordinal.agreement([...])",
    **{
        name: f"{name} takes the columns of a frame: call df.ordinal.{name}(...), of a Dask frame "
        f"ddf[[...]].compute().ordinal.{name}(...)"
        for name in ("calibration", "reliability_curve", "plot_reliability")
    },
    **dict.fromkeys(
        (
            "ece",
            "expected_calibration_error",
            "calibration_error",
            "hosmer_lemeshow",
            "spiegelhalter",
            "calibration_slope",
            "calibration_intercept",
            "calibration_in_the_large",
        ),
        'call df.ordinal.calibration("y", proba=[...]), or with thresholds=True',
    ),
    **dict.fromkeys(
        ("calibration_curve", "calibration_display"),
        'call df.ordinal.reliability_curve("y", proba=[...])',
    ),
    **dict.fromkeys(
        (
            "reliability_diagram",
            "calibration_plot",
            "plot_calibration",
            "plot_calibration_curve",
            "CalibrationDisplay",
        ),
        'call df.ordinal.plot_reliability("y", proba=[...])',
    ),
    **dict.fromkeys(
        ("optimized_rounder", "OptimizedRounder", "optimize_thresholds", "tune_thresholds"),
        'call df.ordinal.best_thresholds("y", proba=[...], metric="kappa")',
    ),
    "argmax": "call df.ordinal.most_likely([...], classes=[...])",
    "forest": "call po.plot.forest(report)",
    "style": "call po.style(report)",
    "describe": "call po.describe(comparison)",
    **{
        name: f"{name} takes the columns of a frame: call df.ordinal.{name}(...), of a Dask frame "
        f"ddf[[...]].compute().ordinal.{name}(...)"
        for name in ("set_limits", "report_sets", "compare_sets", "plot_sets")
    },
    "prediction_sets": "prediction_sets takes the probabilities of a frame or an array: call "
    "df.ordinal.prediction_sets([...], limits) or proba.ordinal.prediction_sets(limits)",
    **dict.fromkeys(
        (
            "conformal",
            "conformal_prediction",
            "conformalize",
            "prediction_intervals",
            "predict_interval",
            "predict_set",
        ),
        'call known.ordinal.set_limits("y", proba=[...], coverage=0.9), and then '
        "new.ordinal.prediction_sets([...], limits)",
    ),
    **dict.fromkeys(
        (
            "coverage",
            "coverage_score",
            "classification_coverage_score",
            "empirical_coverage",
            "interval_score",
            "mean_width",
            "classification_mean_width_score",
            "winkler_score",
        ),
        'call df.ordinal.report_sets("y", low="low", high="high", coverage=0.9)',
    ),
    **dict.fromkeys(("rows_needed", "sample_size", "power"), "call po.rows_needed(comparison)"),
    "differences": "call po.plot.differences(comparison)",
    "to_latex": "call po.style(report).to_latex()",
    "to_html": "call po.style(report).to_html()",
    "bootstrap": 'call report(..., method="bootstrap")',
    "save": 'save a cube with confusion(...).ordinal.to_netcdf("cube.nc"), and predictions with '
    'df.ordinal.to_parquet("predictions.parquet")',
}

# Methods of cubes, which count first
METHODS: Mapping[str, str] = {
    "plot": "confusion(...).ordinal.plot()",
    "normalize": 'confusion(...).ordinal.normalize("true")',
}

# Methods of columns: what to do on a frame, a Dataset and a Dask frame
OF_COLUMNS: Mapping[str, str] = {
    "as_ordered": 'call df["y"].ordinal.as_ordered(["low", "mid", "high"])',
    "classes": 'call df["y"].ordinal.classes',
    "classify": 'call df["score"].ordinal.classify([...], classes=[...])',
    "cut": 'call df["days"].ordinal.cut([...])',
}
OF_DATASETS: Mapping[str, str] = {
    "as_ordered": 'give classes=[...], as in ds.ordinal.mae("y", "yhat", classes=[...])',
    "classes": 'call ds["y"].ordinal.classes',
    "classify": 'call ds["x"].ordinal.classify([...], classes=[...])',
    "cut": 'call ds["x"].ordinal.cut([...])',
}
IN_PARTITIONS = 'call ddf["x"].map_partitions(lambda x: x.ordinal.'
OF_DASK: Mapping[str, str] = {
    "as_ordered": 'call ddf["y"].astype(pd.CategoricalDtype([...], ordered=True))',
    "classes": 'look at ddf["y"].dtype',
    "classify": f"{IN_PARTITIONS}classify([...], classes=[...]))",
    "cut": f"{IN_PARTITIONS}cut([...]))",
}

# Parameters of pd.cut, and what `cut` does
OF_CUT: Mapping[str, str] = {
    "bins": "bins= is edges= here",
    "labels": "bins are their own labels; name them with .cat.rename_categories([...])",
    "include_lowest": "a value at the lowest edge is in the first bin with right=False, or if "
    "that edge is lower, such as -np.inf",
    "retbins": "the edges are those of the result's .cat.categories",
    "precision": "edges are not rounded: leave it out",
    "duplicates": "give each edge once",
    "ordered": "the result is always ordered: leave it out",
}

# Names that are not in a module, and what to do instead
IN_METRICS: Mapping[str, str] = {
    "confusion": "call po.confusion(true, pred)",
    "confusion_matrix": "call po.confusion(true, pred)",
    "report": "call df.ordinal.report(...)",
    "classification_report": "call df.ordinal.class_report(...)",
    "class_report": "call df.ordinal.class_report(...)",
    "cut_report": "call df.ordinal.cut_report(...)",
    "compare": "call df.ordinal.compare(...)",
}
A_SCORER = 'po.sklearn.scorer("oci", classes=[...]) turns a metric into a scorer'
CUT = "po.sklearn.OrdinalThresholds(estimator, metric=...) chooses thresholds"
FOLDS = 'call po.sklearn.cross_val_frame({"name": estimator}, X, y), and score its frame'
IN_SKLEARN: Mapping[str, str] = {
    "make_scorer": A_SCORER,
    "get_scorer": A_SCORER,
    **dict.fromkeys(("OptimizedRounder", "TunedThresholdClassifierCV"), CUT),
    "cross_validate": FOLDS,
    "cross_val_score": FOLDS,
    "cross_val_predict": FOLDS,
    "metrics": "metrics are in po.metrics",
}
MATRICES = "call cube.ordinal.plot()"
IN_PLOT: Mapping[str, str] = {
    "heatmap": MATRICES,
    "confusion": MATRICES,
    "confusion_matrix": MATRICES,
    "plot_confusion_matrix": MATRICES,
    "difference": "call cube.ordinal.plot.difference(...)",
    "compare": "call po.plot.differences(comparison)",
    "accuracy_within": "call cube.ordinal.plot.accuracy_within()",
    "class_mae": "call cube.ordinal.plot.class_mae()",
    "intervals": "call cube.ordinal.plot.intervals()",
    **dict.fromkeys(
        ("reliability_diagram", "plot_reliability", "calibration"),
        'call df.ordinal.plot_reliability("y", proba=[...])',
    ),
    "plot_roc": 'call df.ordinal.plot_roc("y", "score")',
    "style": "call po.style(report)",
}

PARAMETERS: Mapping[str, str] = {
    "weights": "sample_weight",
    "weight": "sample_weight",
    "skipna": "dropna",
    "dims": "dim",
    "axis": "dim",
    "groupby": "by",
    "group": "by",
    "groups": "by",
    "labels": "classes",
    "categories": "classes",
    "order": "classes",
    "target_names": "classes",
    "ignore_index": "ignore",
    "y_true": "true",
    "y_pred": "pred",
    "y_score": "score",
    "y_prob": "proba",
    "y_proba": "proba",
    "baseline": "reference",
    "nan_policy": "dropna",
    "confidence": "ci",
    "confidence_level": "ci",
    "level": "ci",
    "on": "id",
    "random_state": "seed",
    "scoring": "metrics",
}

# For calls that take both
CLUSTERS_OR_KEYS = (
    "groups= is cluster= here for rows that belong together, such as those of GroupKFold, or by= "
    "for a result per group"
)

# For calls that return a frame of predictions
OF_FRAME = (
    'score the returned frame: frame.ordinal.report("y", "yhat", by="model", metrics=["mae"])'
)

# What to do instead of giving by=, on surfaces that have no such parameter
INSTEAD_OF_BY: Mapping[str, str] = {
    "GroupByOrdinal": "a groupby already has keys: add others there, as in "
    'df.groupby(["model", "fold"])',
    "SeriesOrdinal": "two Series have no keys: name columns of their frame, as in "
    'df.ordinal.{method}(..., by="model")',
}

# Parameters that only rows in memory have, by method
IN_MEMORY: Mapping[str, Collection[str]] = {
    "DaskOrdinal.compare": ("model", "id", "score", "proba", "count"),
}

# Parameters without a default that are easily forgotten
FORGOTTEN: Mapping[str, str] = {
    "greater_is_better": "give greater_is_better=False if the table holds errors such as mae, "
    "else greater_is_better=True",
    "proba": "give the columns of probabilities, as in proba=['low', 'mid', 'high']",
    "over": 'name the column of the folds, as in over="fold"',
    "costs": "give a K x K table, true classes on its rows, such as costs=[[0, 1], [5, 0]]",
}

# What to do instead of giving a parameter that has no counterpart here
ANSWERS: Mapping[str, str] = {
    "average": "means over the classes are metrics of their own, such as amae and "
    "balanced_accuracy; class_report has all values per class",
    "normalize": 'normalize counts: .confusion(...).ordinal.normalize("true")',
    "sample_weight": "weights are not supported here",
    "cmap": "the colours are fixed, so that texts are readable; draw shares in others with "
    'plt.imshow(cube.ordinal.normalize("true"), cmap=...)',
    "zero_division": "an undefined metric is NaN",
    "alpha": "report(...) and compare(...) have intervals: ci=0.95 stands for alpha=0.05",
    "paired": "compare(...) always compares models on the same rows",
    "folds": 'by= scores each fold, and summary(..., over="fold") summarizes them',
    "figsize": "set the size of the figure: axes.figure.set_size_inches(width, height), or "
    "panels.flat[0].figure.set_size_inches(width, height) with row= or col=",
    "title": 'set it on the returned axes: axes.set_title("...")',
    "annot": "cells show their numbers wherever these fit",
    "col_wrap": "panels of col= fold into several lines by themselves",
    "caption": "call .set_caption(...) on the result",
    "multi_class": "u_ovo, u_pairs and u_cons are metrics of their own",
}
