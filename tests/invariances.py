"""The invariances of each metric, which tests check and the page of the metric states."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

Relation = Literal["same", "negated", "complement", "undefined", None]


@dataclass(frozen=True)
class StatesOfCounts:
    """How a value changes with its counts; None if there is no rule.

    Results with class dimensions are reversed, or cut to the old classes, before they are
    compared.
    """

    reversal: Relation = "same"  # of the class order, in truth and prediction
    one_reversal: Relation = None  # of the class order, in the prediction alone
    transposition: Relation = "same"  # truth and prediction change places
    scale: Relation = "same"  # all counts times the same number
    unused_end: Relation = "same"  # one more class below or above all others
    unused_middle: Relation = None  # one more class between two others
    options: tuple[tuple[str, Any], ...] = ()
    of: str | None = None  # the metric, where it is not the key of the table


def with_options(of: str, states: dict[str, Relation], **options: Any) -> StatesOfCounts:
    return StatesOfCounts(**states, of=of, options=tuple(options.items()))


# where there are no rows at an end
EXTREMES = StatesOfCounts(transposition=None, unused_end="undefined", unused_middle="same")
ORDER_ONLY: dict[str, Relation] = {"one_reversal": "negated", "unused_middle": "same"}
OF_COUNTS: dict[str, StatesOfCounts] = {
    # errors
    "accuracy": StatesOfCounts(unused_middle="same"),
    "error_rate": StatesOfCounts(unused_middle="same"),
    "accuracy_within": StatesOfCounts(),
    "accuracy_within-0": with_options("accuracy_within", {"unused_middle": "same"}, k=0),
    "mae": StatesOfCounts(),
    "mse": StatesOfCounts(),
    "rmse": StatesOfCounts(),
    "bias": StatesOfCounts(reversal="negated", transposition="negated"),
    "expected_cost": StatesOfCounts(
        reversal=None, transposition=None
    ),  # its costs are not symmetric
    "class_recall": StatesOfCounts(transposition=None, unused_middle="same"),
    "class_specificity": StatesOfCounts(transposition=None, unused_middle="same"),
    "class_precision": StatesOfCounts(transposition=None, unused_middle="same"),
    "class_npv": StatesOfCounts(transposition=None, unused_middle="same"),
    "class_off_by_one": StatesOfCounts(transposition=None),
    "class_mae": StatesOfCounts(transposition=None),
    "amae": StatesOfCounts(transposition=None),
    "mmae": StatesOfCounts(transposition=None),
    "min_mae": StatesOfCounts(transposition=None),
    # association
    "pearson": StatesOfCounts(one_reversal="negated"),
    "accuracy_pearson": StatesOfCounts(),
    "spearman": StatesOfCounts(**ORDER_ONLY),
    "kendall_tau": StatesOfCounts(**ORDER_ONLY),
    "kendall_tau-c": with_options(
        "kendall_tau", {"one_reversal": "negated", "unused_end": None}, variant="c"
    ),
    "goodman_kruskal_gamma": StatesOfCounts(**ORDER_ONLY),
    "somers_d": StatesOfCounts(transposition=None, **ORDER_ONLY),
    "ndpm": StatesOfCounts(transposition=None, one_reversal="complement", unused_middle="same"),
    "r_int": StatesOfCounts(scale=None, unused_middle="same"),
    # index
    "oci": StatesOfCounts(unused_end=None),
    "oci-2": with_options("oci", {"scale": None, "unused_end": None}, gamma=2),
    "oci-absolute": with_options("oci", {"scale": None}, beta=0.03, scaled=False),
    # a tie goes up rather than left, so that a reversed path may be another one
    "oci_path": StatesOfCounts(reversal=None, transposition=None, unused_end=None),
    "uoc": StatesOfCounts(transposition=None),
    "auoc": StatesOfCounts(transposition=None),
    "oci_general": StatesOfCounts(unused_end=None),
    # cost; the largest cost and the matrix depend on the true class sizes alone
    "total_cost": StatesOfCounts(transposition=None),
    "max_total_cost": StatesOfCounts(transposition=None, one_reversal="same"),
    "stc": StatesOfCounts(transposition=None),
    "cost_matrix": StatesOfCounts(transposition=None, one_reversal="same", scale=None),
    # of bins, which are reversed with the classes
    "interval_total_cost": StatesOfCounts(transposition=None),
    "max_interval_total_cost": StatesOfCounts(transposition=None, one_reversal="same"),
    "interval_stc": StatesOfCounts(transposition=None),
    "interval_cost_matrix": StatesOfCounts(transposition=None, one_reversal="same", scale=None),
    "interval_lengths": StatesOfCounts(one_reversal="same", unused_middle="same"),
    "interval_mae": StatesOfCounts(),
    "interval_mae-midpoint": with_options("interval_mae", {}, distance="midpoint"),
    "interval_smae": StatesOfCounts(transposition=None, unused_end=None),
    "geometric_mean": StatesOfCounts(transposition=None, unused_middle="same"),
    "min_sensitivity": StatesOfCounts(transposition=None, unused_middle="same"),
    "balanced_accuracy": StatesOfCounts(transposition=None, unused_middle="same"),
    "gmsec": EXTREMES,
    "mean_extreme_sensitivity": EXTREMES,
    # agreement; K - 1 cancels in all weights but the bipolar ones
    "kappa": StatesOfCounts(),
    "kappa-identity": with_options("kappa", {"unused_middle": "same"}, weights="identity"),
    "kappa-linear": with_options("kappa", {}, weights="linear"),
    "kappa-ordinal": with_options("kappa", {}, weights="ordinal"),
    "kappa-radical": with_options("kappa", {}, weights="radical"),
    "scott_pi": StatesOfCounts(),
    "scott_pi-identity": with_options("scott_pi", {"unused_middle": "same"}, weights="identity"),
    "gwet_ac": StatesOfCounts(unused_end=None),
    "gwet_ac-identity": with_options("gwet_ac", {"unused_end": None}, weights="identity"),
    "brennan_prediger": StatesOfCounts(unused_end=None),
    "krippendorff_alpha": StatesOfCounts(scale=None, unused_middle="same"),
    "krippendorff_alpha-nominal": with_options(
        "krippendorff_alpha", {"scale": None, "unused_middle": "same"}, level="nominal"
    ),
    "krippendorff_alpha-interval": with_options(
        "krippendorff_alpha", {"scale": None}, level="interval"
    ),
    "krippendorff_alpha-linear": with_options(
        "krippendorff_alpha", {"scale": None}, weights="linear"
    ),
    "cem": StatesOfCounts(transposition=None, unused_middle="same"),
    # of forecasts of categories; a split that leaves out no true row has no score
    "gerrity": StatesOfCounts(transposition=None, unused_end="undefined"),
    "peirce": StatesOfCounts(transposition=None, unused_middle="same"),
    "seeps": StatesOfCounts(transposition=None, unused_end="undefined"),
    "kappa-bipolar": with_options("kappa", {"unused_end": None}, weights="bipolar"),
}


@dataclass(frozen=True)
class StatesOfRows:
    """How a value changes with its rows; None if there is no rule.

    Results with class dimensions are reversed, or cut to the old classes, before they are
    compared.
    """

    reversal: Relation = "same"  # of the class order, and of the scores or the columns
    one_reversal: Relation = None  # of the scores or the columns alone
    permutation: Relation = None  # of the classes, and of the columns
    scale: Relation = "same"  # all weights times the same number
    unused_end: Relation = "same"  # one more class below or above all others
    unused_middle: Relation = "same"  # one more class between two others


AREAS = ["pairwise_auc", "consecutive_auc", "u_ovo", "u_pairs", "u_cons"]
VOLUME = StatesOfRows(unused_end="undefined", unused_middle="undefined")
AREA = StatesOfRows(one_reversal="complement")
# a tie counts for nobody
STRICT_AREA = StatesOfRows()
# ignores the order of the classes
OF_CLASSES = StatesOfRows(permutation="same")
# a class between two others is one more place where the cumulative probability may be wrong
CUMULATIVE = StatesOfRows(unused_middle=None)

OF_ROWS: dict[str, StatesOfRows] = {
    "vus": VOLUME,
    "vus-strict": VOLUME,
    **dict.fromkeys(AREAS, AREA),
    **{f"{name}-strict": STRICT_AREA for name in AREAS},
    "rps": CUMULATIVE,
    "rps-normalized": replace(CUMULATIVE, unused_end=None),
    "rps_skill": CUMULATIVE,
    # the given probabilities stay as they are, one for each class
    "rps_skill-given": StatesOfRows(reversal=None, unused_end=None, unused_middle=None),
    "log_loss": OF_CLASSES,
    "brier": OF_CLASSES,
    **dict.fromkeys(["rps_mcb", "rps_dsc"], CUMULATIVE),
    **{
        f"{name}-normalized": replace(CUMULATIVE, unused_end=None)
        for name in ("rps_mcb", "rps_dsc")
    },
    # other classes are drawn if the columns are reversed
    **{f"{name}-corrected": replace(CUMULATIVE, reversal=None) for name in ("rps_mcb", "rps_dsc")},
    **{
        f"{name}-normalized-corrected": replace(CUMULATIVE, reversal=None, unused_end=None)
        for name in ("rps_mcb", "rps_dsc")
    },
    # from the lowest class up
    **dict.fromkeys(["log_loss_mcb", "log_loss_dsc"], StatesOfRows(reversal=None)),
    # of the true classes alone
    "rps_unc": replace(CUMULATIVE, one_reversal="same"),
    "rps_unc-normalized": replace(CUMULATIVE, one_reversal="same", unused_end=None),
    "log_loss_unc": replace(OF_CLASSES, one_reversal="same"),
}
