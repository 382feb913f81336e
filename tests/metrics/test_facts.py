"""What the registry says of each metric: every fact, with all metrics that have it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pandas_ordinal.metrics import registry
from pandas_ordinal.metrics.metric import Metric

INF = np.inf

# Needs, the lowest and the highest value, and the better end
ENDS: dict[str, tuple[str, Any, Any, str]] = {
    "accuracy": ("counts", 0, 1, "higher"),
    "error_rate": ("counts", 0, 1, "lower"),
    "accuracy_within": ("counts", 0, 1, "higher"),
    "mae": ("counts", 0, "K-1", "lower"),
    "mse": ("counts", 0, INF, "lower"),
    "rmse": ("counts", 0, "K-1", "lower"),
    "bias": ("counts", "1-K", "K-1", ""),
    "expected_cost": ("counts", -INF, INF, "lower"),
    "class_recall": ("counts", 0, 1, "higher"),
    "class_specificity": ("counts", 0, 1, "higher"),
    "class_precision": ("counts", 0, 1, "higher"),
    "class_npv": ("counts", 0, 1, "higher"),
    "class_off_by_one": ("counts", 0, 1, ""),
    "class_mae": ("counts", 0, "K-1", "lower"),
    "geometric_mean": ("counts", 0, 1, "higher"),
    "min_sensitivity": ("counts", 0, 1, "higher"),
    "amae": ("counts", 0, "K-1", "lower"),
    "mmae": ("counts", 0, "K-1", "lower"),
    "min_mae": ("counts", 0, "K-1", "lower"),
    "balanced_accuracy": ("counts", 0, 1, "higher"),
    "gmsec": ("counts", 0, 1, "higher"),
    "mean_extreme_sensitivity": ("counts", 0, 1, "higher"),
    "kappa": ("counts", -INF, 1, "higher"),
    "scott_pi": ("counts", -INF, 1, "higher"),
    "gwet_ac": ("counts", -INF, 1, "higher"),
    "brennan_prediger": ("counts", -INF, 1, "higher"),
    "krippendorff_alpha": ("counts", -INF, 1, "higher"),
    "cem": ("counts", 0, 1, "higher"),
    "gerrity": ("counts", -1, 1, "higher"),
    "peirce": ("counts", -1, 1, "higher"),
    "seeps": ("counts", 0, 2, "lower"),
    "pearson": ("counts", -1, 1, "higher"),
    "accuracy_pearson": ("counts", -0.5, 1, "higher"),
    "spearman": ("counts", -1, 1, "higher"),
    "kendall_tau": ("counts", -1, 1, "higher"),
    "goodman_kruskal_gamma": ("counts", -1, 1, "higher"),
    "somers_d": ("counts", -1, 1, "higher"),
    "r_int": ("counts", -1, 1, "higher"),
    "ndpm": ("counts", 0, 1, "lower"),
    "oci": ("counts", 0, 1, "lower"),
    "oci_general": ("counts", 0, 1, "lower"),
    "oci_path": ("counts", 0, 1, ""),
    "uoc": ("counts", 0, 1, "lower"),
    "auoc": ("counts", 0, 1, "lower"),
    "total_cost": ("counts", 0, INF, "lower"),
    "max_total_cost": ("counts", 0, INF, ""),
    "cost_matrix": ("counts", 0, INF, ""),
    "stc": ("counts", 0, 1, "lower"),
    "interval_total_cost": ("edges", 0, INF, "lower"),
    "max_interval_total_cost": ("edges", 0, INF, ""),
    "interval_cost_matrix": ("edges", 0, INF, ""),
    "interval_lengths": ("edges", 0, INF, ""),
    "interval_stc": ("edges", 0, 1, "lower"),
    "interval_mae": ("edges", 0, INF, "lower"),
    "interval_smae": ("edges", 0, 1, "lower"),
    "vus": ("scores", 0, 1, "higher"),
    "u_ovo": ("scores", 0, 1, "higher"),
    "u_pairs": ("scores", 0, 1, "higher"),
    "u_cons": ("scores", 0, 1, "higher"),
    "pairwise_auc": ("scores", 0, 1, "higher"),
    "consecutive_auc": ("scores", 0, 1, "higher"),
    "rps": ("probabilities", 0, "K-1", "lower"),
    "rps_mcb": ("probabilities", 0, "K-1", "lower"),
    "rps_dsc": ("probabilities", 0, "K-1", "higher"),
    "rps_unc": ("probabilities", 0, "K-1", ""),
    "rps_skill": ("probabilities", -INF, 1, "higher"),
    "brier": ("probabilities", 0, 2, "lower"),
    "log_loss": ("probabilities", 0, INF, "lower"),
    "log_loss_mcb": ("probabilities", 0, INF, "lower"),
    "log_loss_dsc": ("probabilities", 0, INF, "higher"),
    "log_loss_unc": ("probabilities", 0, INF, ""),
}
DIRECTIONS = {"higher": True, "lower": False, "": None}


@pytest.mark.parametrize("name", registry)
def test_ends(name: str) -> None:
    needs, low, high, direction = ENDS[name]
    metric = registry[name]
    assert (metric.needs, metric.range) == (needs, (low, high))
    assert metric.greater_is_better is DIRECTIONS[direction]


@pytest.mark.parametrize(
    ("name", "due"),
    [
        ("accuracy", (0, 1)),
        ("mae", (0, 3)),
        ("bias", (-3, 3)),
        ("accuracy_pearson", (-0.5, 1)),
        ("kappa", (-INF, 1)),
        ("interval_mae", (0, INF)),
        ("brier", (0, 2)),
    ],
)
def test_ends_for_four_classes(name: str, due: tuple[float, float]) -> None:
    assert registry[name].bounds(4) == due


# What only some metrics have; all others have nothing there
CLASS_WISE = dict.fromkeys(
    [
        "class_recall",
        "class_mae",
        "class_specificity",
        "class_precision",
        "class_npv",
        "class_off_by_one",
        "interval_lengths",
        "consecutive_auc",
    ],
    ("class",),
)
CELL_WISE = dict.fromkeys(
    ["cost_matrix", "interval_cost_matrix", "oci_path", "pairwise_auc"], ("true", "pred")
)
NOT_OF_A_MODEL = ["max_total_cost", "max_interval_total_cost", "rps_unc", "log_loss_unc"]
READING_LEFT_OUT = [
    "accuracy",
    "error_rate",
    "accuracy_within",
    "mae",
    "mse",
    "rmse",
    "bias",
    "expected_cost",
    "geometric_mean",
    "min_sensitivity",
    "amae",
    "mmae",
    "min_mae",
    "balanced_accuracy",
    "gmsec",
    "mean_extreme_sensitivity",
    "kappa",
    "scott_pi",
    "gwet_ac",
    "brennan_prediger",
    "krippendorff_alpha",
    "cem",
    "pearson",
    "accuracy_pearson",
    "spearman",
    "kendall_tau",
    "goodman_kruskal_gamma",
    "somers_d",
    "ndpm",
    "total_cost",
    "max_total_cost",
    "stc",
]
ROW_MEANS = [
    "accuracy",
    "error_rate",
    "accuracy_within",
    "mae",
    "mse",
    "bias",
    "expected_cost",
    "brennan_prediger",
    "rps",
    "log_loss",
    "brier",
]
OF_PROBABILITIES = [name for name, (needs, *_) in ENDS.items() if needs == "probabilities"]
PARTS = ["rps_mcb", "rps_dsc", "rps_unc", "log_loss_mcb", "log_loss_dsc", "log_loss_unc"]

FACTS: dict[str, tuple[Callable[[Metric], Any], dict[str, Any]]] = {
    "output": (lambda one: one.output, {**CLASS_WISE, **CELL_WISE}),
    "truth": (lambda one: not one.of_a_model, dict.fromkeys(NOT_OF_A_MODEL, True)),
    "dtype": (lambda one: one.dtype is bool, {"oci_path": True}),
    "required": (
        lambda one: one.required,
        {"expected_cost": ("costs",), "oci_general": ("beta2",)},
    ),
    "extreme": (
        lambda one: one.extreme_of,
        {
            "min_sensitivity": ("class_recall", np.min),
            "min_mae": ("class_mae", np.min),
            "mmae": ("class_mae", np.max),
        },
    ),
    "mean": (
        lambda one: one.mean_of,
        {
            "geometric_mean": "class_recall",
            "amae": "class_mae",
            "balanced_accuracy": "class_recall",
            "gmsec": "class_recall",
            "mean_extreme_sensitivity": "class_recall",
        },
    ),
    "right within": (lambda one: one.right_within, {"accuracy_within": "k"}),
    "number of classes": (lambda one: one.n_classes, {"seeps": 3}),
    "row mean": (lambda one: one.is_row_mean, dict.fromkeys(ROW_MEANS, True)),
    "root of mean": (lambda one: one.is_root_of_mean, {"rmse": True}),
    "left out": (
        lambda one: getattr(one.kernel, "reads_left_out", False),
        dict.fromkeys(READING_LEFT_OUT, True),
    ),
    "fractions": (lambda one: getattr(one.of_fractions, "reads_left_out", False), {"r_int": True}),
    "trials": (
        lambda one: one.trials is not None,
        dict.fromkeys(
            [
                "class_recall",
                "class_specificity",
                "class_precision",
                "class_npv",
                "class_off_by_one",
            ],
            True,
        ),
    ),
    "means": (
        lambda one: one.means is not None,
        dict.fromkeys(["rps", "rps_skill", "log_loss", "brier"], True),
    ),
    "guesses": (lambda one: one.guesses is not None, dict.fromkeys(OF_PROBABILITIES, True)),
    "row terms": (lambda one: one.row_terms is not None, dict.fromkeys(PARTS, True)),
    "influence of scores": (
        lambda one: one.score_influence is not None,
        dict.fromkeys(["vus", "u_ovo", "u_pairs", "u_cons"], True),
    ),
    "skill": (lambda one: one.skill_of and one.skill_of[0], {"rps_skill": "rps"}),
    "fair": (lambda one: one.fair is not None, dict.fromkeys(["rps", "rps_skill"], True)),
    "bounded": (
        lambda one: one.bounded_with is not None and (one.bounded_with,),
        {
            "rps_mcb": ("corrected",),
            "rps_dsc": ("corrected",),
            "log_loss_mcb": ("",),
            "log_loss_dsc": ("",),
        },
    ),
}


@pytest.mark.parametrize("fact", FACTS)
def test_facts(fact: str) -> None:
    of_metric, due = FACTS[fact]
    found = {name: of_metric(metric) for name, metric in registry.items()}
    assert {name: value for name, value in found.items() if value} == due


# Limits that depend on options or counts ------------------------------------------------------

COUNTS = np.diag([2.0, 1, 1])
COSTS = [[0, 1, 5], [1, -2, 1], [4, 1, 0]]
LIMITS: list[tuple[str, dict[str, Any], tuple[float, float]]] = [
    ("mse", {}, (0, 4)),
    ("expected_cost", {"costs": COSTS}, (-2, 5)),
    *((name, {}, (-1, 1)) for name in ("kappa", "scott_pi", "krippendorff_alpha")),
    ("kappa", {"weights": "linear"}, (-1, 1)),
    ("scott_pi", {"weights": np.eye(3)}, (-INF, 1)),
    ("gerrity", {}, (-1, 1)),
    ("seeps", {}, (0, 2)),
    # 2 · 2 · 2 / 1 for class 0, 1 · 3 · 1 / 1 for class 1, 1 · 3 · 2 / 2 for class 2; of 4 rows
    ("total_cost", {}, (0, 14 / 4)),
    # 1 · 3 · 2 / 2 for class 0, 1 · 3 · 1 / 1 for class 1, 2 · 2 · 2 / 1 for class 2; of 4 rows
    ("total_cost", {"class_sizes": [1, 1, 2]}, (0, 14 / 4)),
    ("rps", {}, (0, 2)),
    ("rps", {"normalized": True}, (0, 1)),
    ("rps_mcb", {}, (0, 2)),
    ("rps_mcb", {"corrected": True}, (-2, 2)),
    ("rps_dsc", {"normalized": True}, (0, 1)),
    ("rps_dsc", {"normalized": True, "corrected": True}, (-1, 1)),
    ("rps_unc", {}, (0, 2)),
    *((f"log_loss_{part}", {}, (0, INF)) for part in ("mcb", "dsc", "unc")),
]


@pytest.mark.parametrize(("name", "options", "due"), LIMITS)
def test_limits(name: str, options: dict[str, Any], due: tuple[float, float]) -> None:
    limits = registry[name].limits
    assert limits is not None
    assert limits(COUNTS, options) == due
    for end, of_stack in zip(due, limits(np.tile(COUNTS, (2, 5, 1, 1)), options), strict=True):
        assert np.shape(of_stack) in [(), (2, 5)] and np.all(of_stack == end)


def test_all_other_metrics_have_the_limits_of_their_range() -> None:
    having = {name for name, metric in registry.items() if metric.limits is not None}
    assert having == {name for name, *_ in LIMITS}


# Texts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", registry)
def test_texts(name: str) -> None:
    """All metrics have a formula; measures of a model also say what they are blind to."""
    metric = registry[name]
    assert metric.formula and metric.reference
    is_measure = ENDS[name][3] != "" or name in ("bias", "class_off_by_one")
    assert bool(metric.blind_to) == is_measure


def test_formulas_with_letters_of_their_own() -> None:
    assert [name for name, metric in registry.items() if metric.letters] == [
        "accuracy_within",
        "expected_cost",
        "kappa",
        "scott_pi",
        "gwet_ac",
        "brennan_prediger",
        "krippendorff_alpha",
        "pearson",
        "accuracy_pearson",
        "kendall_tau",
        "goodman_kruskal_gamma",
        "somers_d",
        "ndpm",
        "rps_skill",
        "rps_mcb",
        "rps_dsc",
        "log_loss_mcb",
        "log_loss_dsc",
        "log_loss_unc",
        "oci",
        "oci_path",
        "uoc",
        "auoc",
        "oci_general",
        "vus",
        "consecutive_auc",
        "u_cons",
        "gerrity",
        "seeps",
    ]
