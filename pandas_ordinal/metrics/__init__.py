"""Metrics as pure functions: of confusion matrices, ``(..., K, K) -> (...)``, or of rows.

Each formula stands in the docstring of its kernel, in the module of its kind:

- `error`, `agreement`, `association`: counted errors, kappa and related coefficients, rank
  correlations.
- `class_shares`: shares of each class against all others.
- `cost`, `interval`: the formula of STC and total costs, and their forms for bins.
- `verification`: scores of forecasts of categories: Gerrity's, Peirce's and SEEPS.
- `ordinal_index`: OCI, UOC and the paths behind them.
- `ranking`, `probability`: metrics of scores and of class probabilities.
- `calibration`: the parts of scores of probabilities, miscalibration, discrimination and
  uncertainty, by `decomposition` and `isotonic` fits.
- `thresholds`: the cuts of a score that are best by a metric.
- `sets`, `set_scores`: sets of neighbouring classes, and how good they are.
- `raters`, `rating_table`: agreement of any number of raters, from the ratings themselves.

`metric` is the registry. `count_kernel`, `score_kernel` and `proba_kernel` make kernels of
formulas, by `stack` and `segments`; `left_out` spares copies of tables without a row;
`ranked_rows`, `ascents` and `score_influence` rank rows.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pandas_ordinal.counterparts import IN_METRICS
from pandas_ordinal.hints import unknown_name_error
from pandas_ordinal.metrics.agreement import (
    brennan_prediger,
    cem,
    gwet_ac,
    kappa,
    krippendorff_alpha,
    scott_pi,
)
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
from pandas_ordinal.metrics.calibration import (
    log_loss_dsc,
    log_loss_mcb,
    log_loss_unc,
    rps_dsc,
    rps_mcb,
    rps_unc,
)
from pandas_ordinal.metrics.class_shares import (
    class_npv,
    class_off_by_one,
    class_precision,
    class_specificity,
)
from pandas_ordinal.metrics.cost import cost_matrix, max_total_cost, stc, total_cost
from pandas_ordinal.metrics.error import (
    accuracy,
    accuracy_within,
    amae,
    balanced_accuracy,
    bias,
    class_mae,
    class_recall,
    error_rate,
    expected_cost,
    geometric_mean,
    gmsec,
    mae,
    mean_extreme_sensitivity,
    min_mae,
    min_sensitivity,
    mmae,
    mse,
    rmse,
)
from pandas_ordinal.metrics.interval import (
    interval_cost_matrix,
    interval_lengths,
    interval_mae,
    interval_smae,
    interval_stc,
    interval_total_cost,
    max_interval_total_cost,
)
from pandas_ordinal.metrics.metric import Metric, Resolved, registry, resolve
from pandas_ordinal.metrics.ordinal_index import auoc, oci, oci_general, oci_path, uoc
from pandas_ordinal.metrics.probability import (
    brier,
    expected_class,
    least_costly,
    log_loss,
    median_class,
    most_likely,
    rps,
    rps_skill,
)
from pandas_ordinal.metrics.ranking import (
    consecutive_auc,
    pairwise_auc,
    u_cons,
    u_ovo,
    u_pairs,
    vus,
    vus_summary,
)
from pandas_ordinal.metrics.thresholds import best_thresholds, classify, roc_surface
from pandas_ordinal.metrics.verification import gerrity, peirce, seeps

if TYPE_CHECKING:
    from pandas_ordinal.metrics.raters import (
        conger_kappa,
        fleiss_kappa,
        ratings_brennan_prediger,
        ratings_gwet_ac,
        ratings_krippendorff_alpha,
    )
    from pandas_ordinal.metrics.set_scores import (
        set_class_coverage,
        set_coverage,
        set_distance,
        set_interval_score,
        set_least_coverage,
        set_size,
    )
    from pandas_ordinal.metrics.sets import prediction_sets, set_limits

# The modules of kernels that are loaded when they are first used
LATER = {
    "conger_kappa": "raters",
    "fleiss_kappa": "raters",
    "prediction_sets": "sets",
    "ratings_brennan_prediger": "raters",
    "ratings_gwet_ac": "raters",
    "ratings_krippendorff_alpha": "raters",
    "set_class_coverage": "set_scores",
    "set_coverage": "set_scores",
    "set_distance": "set_scores",
    "set_interval_score": "set_scores",
    "set_least_coverage": "set_scores",
    "set_limits": "sets",
    "set_size": "set_scores",
}

__all__ = [
    "Metric",
    "Resolved",
    "accuracy",
    "accuracy_pearson",
    "accuracy_within",
    "amae",
    "auoc",
    "balanced_accuracy",
    "best_thresholds",
    "bias",
    "brennan_prediger",
    "brier",
    "cem",
    "class_mae",
    "class_npv",
    "class_off_by_one",
    "class_precision",
    "class_recall",
    "class_specificity",
    "classify",
    "conger_kappa",
    "consecutive_auc",
    "cost_matrix",
    "error_rate",
    "expected_class",
    "expected_cost",
    "fleiss_kappa",
    "geometric_mean",
    "gerrity",
    "gmsec",
    "goodman_kruskal_gamma",
    "gwet_ac",
    "interval_cost_matrix",
    "interval_lengths",
    "interval_mae",
    "interval_smae",
    "interval_stc",
    "interval_total_cost",
    "kappa",
    "kendall_tau",
    "krippendorff_alpha",
    "least_costly",
    "log_loss",
    "log_loss_dsc",
    "log_loss_mcb",
    "log_loss_unc",
    "mae",
    "max_interval_total_cost",
    "max_total_cost",
    "mean_extreme_sensitivity",
    "median_class",
    "min_mae",
    "min_sensitivity",
    "mmae",
    "most_likely",
    "mse",
    "ndpm",
    "oci",
    "oci_general",
    "oci_path",
    "pairwise_auc",
    "pearson",
    "peirce",
    "prediction_sets",
    "r_int",
    "ratings_brennan_prediger",
    "ratings_gwet_ac",
    "ratings_krippendorff_alpha",
    "registry",
    "resolve",
    "rmse",
    "roc_surface",
    "rps",
    "rps_dsc",
    "rps_mcb",
    "rps_skill",
    "rps_unc",
    "scott_pi",
    "seeps",
    "set_class_coverage",
    "set_coverage",
    "set_distance",
    "set_interval_score",
    "set_least_coverage",
    "set_limits",
    "set_size",
    "somers_d",
    "spearman",
    "stc",
    "total_cost",
    "u_cons",
    "u_ovo",
    "u_pairs",
    "uoc",
    "vus",
    "vus_summary",
]


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:  # a type checker would accept any name

    def __getattr__(name: str) -> Any:
        """Load a kernel of ratings or sets; raise for an unknown name, with a hint."""
        if name in LATER:
            return getattr(import_module(f"pandas_ordinal.metrics.{LATER[name]}"), name)
        raise unknown_name_error(__name__, name, __all__, IN_METRICS.get(name))
