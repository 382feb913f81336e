"""The oracle of each kernel of counts, module by module."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from oracles import cost, errors, kappa, oci, pairs, verification
from oracles.close import assert_same
from pandas_ordinal import metrics

KAPPA_WEIGHTS = ["identity", "linear", "quadratic", "ordinal", "radical", "bipolar"]
LEVELS = ["nominal", "ordinal", "interval", "ratio"]


def some_costs(k: int) -> list[list[float]]:
    """Costs without any symmetry."""
    return [[abs(r - c) * (1.5 + r) + 0.25 * (r > c) for c in range(k)] for r in range(k)]


def some_weights(k: int) -> list[list[float]]:
    """Agreement weights without any symmetry."""
    return [
        [1 / (1 + abs(r - c) + (r > c)) if r != c else 1.0 for c in range(k)] for r in range(k)
    ]


def some_values(level: str) -> Callable[[int], dict[str, Any]]:
    """Values of the classes, at unequal distances, the lowest 0."""
    return lambda k: {"level": level, "values": [0, 0.5, 4, 4.5, 19][:k]}


def some_climatology(k: int) -> dict[str, Any]:
    """Shares of the classes that differ from those of the rows."""
    return {"reference": [1 / (1 + r + (r > 1)) for r in range(k)]}


class Case(NamedTuple):
    """A kernel, its oracle and the options of a call, which may depend on K."""

    kernel: str
    oracle: Callable[..., Any]
    options: Callable[[int], dict[str, Any]] = lambda k: {}


def case(kernel: str, oracle: Callable[..., Any], **options: Any) -> Case:
    return Case(kernel, oracle, lambda k: options)


CASES = {
    "error": {
        "accuracy": case("accuracy", errors.accuracy),
        "error_rate": case("error_rate", errors.error_rate),
        "accuracy_within": case("accuracy_within", errors.accuracy_within),
        "accuracy_within-k0": case("accuracy_within", errors.accuracy_within, k=0),
        "accuracy_within-k2": case("accuracy_within", errors.accuracy_within, k=2),
        "accuracy_within-k9": case("accuracy_within", errors.accuracy_within, k=9),
        "mae": case("mae", errors.mae),
        "mse": case("mse", errors.mse),
        "rmse": case("rmse", errors.rmse),
        "bias": case("bias", errors.bias),
        "expected_cost": Case(
            "expected_cost", errors.expected_cost, lambda k: {"costs": some_costs(k)}
        ),
        "class_recall": case("class_recall", errors.class_recall),
        "class_mae": case("class_mae", errors.class_mae),
        "amae": case("amae", errors.amae),
        "mmae": case("mmae", errors.mmae),
        "min_mae": case("min_mae", errors.min_mae),
        "geometric_mean": case("geometric_mean", errors.geometric_mean),
        "min_sensitivity": case("min_sensitivity", errors.min_sensitivity),
        "balanced_accuracy": case("balanced_accuracy", errors.balanced_accuracy),
        "gmsec": case("gmsec", errors.gmsec),
        "mean_extreme_sensitivity": case(
            "mean_extreme_sensitivity", errors.mean_extreme_sensitivity
        ),
    },
    "class_shares": {
        name: case(name, getattr(errors, name))
        for name in ("class_specificity", "class_precision", "class_npv", "class_off_by_one")
    },
    "association": {
        "pearson": case("pearson", errors.pearson),
        "accuracy_pearson": case("accuracy_pearson", errors.accuracy_pearson),
        "spearman": case("spearman", errors.spearman),
        "kendall_tau": case("kendall_tau", pairs.kendall_tau),
        "kendall_tau-b": case("kendall_tau", pairs.kendall_tau, variant="b"),
        "kendall_tau-c": case("kendall_tau", pairs.kendall_tau, variant="c"),
        "goodman_kruskal_gamma": case("goodman_kruskal_gamma", pairs.goodman_kruskal_gamma),
        "somers_d": case("somers_d", pairs.somers_d),
        "r_int": case("r_int", pairs.r_int),
        "ndpm": case("ndpm", pairs.ndpm),
    },
    "agreement": {
        "kappa": case("kappa", kappa.kappa),
        "kappa-matrix": Case("kappa", kappa.kappa, lambda k: {"weights": some_weights(k)}),
        **{
            f"{name}-matrix": Case(
                name, getattr(kappa, name), lambda k: {"weights": some_weights(k)}
            )
            for name in ("scott_pi", "gwet_ac", "brennan_prediger", "krippendorff_alpha")
        },
        **{f"kappa-{name}": case("kappa", kappa.kappa, weights=name) for name in KAPPA_WEIGHTS},
        **{
            f"{name}-{weights}": case(name, getattr(kappa, name), weights=weights)
            for name in ("scott_pi", "gwet_ac", "brennan_prediger", "krippendorff_alpha")
            for weights in KAPPA_WEIGHTS
        },
        "krippendorff_alpha": case("krippendorff_alpha", kappa.krippendorff_alpha),
        **{
            f"krippendorff_alpha-{level}": case(
                "krippendorff_alpha", kappa.krippendorff_alpha, level=level
            )
            for level in LEVELS
        },
        **{
            f"krippendorff_alpha-{level}-values": Case(
                "krippendorff_alpha", kappa.krippendorff_alpha, some_values(level)
            )
            for level in ("interval", "ratio")
        },
        "cem": case("cem", errors.cem),
    },
    "verification": {
        "gerrity": case("gerrity", verification.gerrity),
        "gerrity-reference": Case("gerrity", verification.gerrity, some_climatology),
        "peirce": case("peirce", verification.peirce),
        "seeps": case("seeps", verification.seeps),
        "seeps-reference": Case("seeps", verification.seeps, some_climatology),
    },
    # `total_cost` and `max_total_cost` have tests of their own, which leave out where METRICS
    # has their ratio alone: one true class only, or a predicted class without true rows
    "cost": {
        "cost_matrix": case("cost_matrix", cost.cost_matrix),
        "stc": case("stc", cost.stc),
    },
    "ordinal_index": {
        "oci": case("oci", oci.oci),
        "oci-beta0": case("oci", oci.oci, beta=0),
        "oci-beta0.25": case("oci", oci.oci, beta=0.25),
        "oci-gamma1.5": case("oci", oci.oci, gamma=1.5),
        "oci-gamma2": case("oci", oci.oci, gamma=2),
        "oci-gamma2000": case("oci", oci.oci, gamma=2000),
        "oci-inf": case("oci", oci.oci, gamma=math.inf),
        "oci-unscaled": case("oci", oci.oci, beta=0.03, scaled=False),
        "oci-unscaled-gamma2": case("oci", oci.oci, beta=0.01, gamma=2, scaled=False),
        "oci-unscaled-gamma2000": case("oci", oci.oci, beta=0.01, gamma=2000, scaled=False),
        "oci_path": case("oci_path", oci.oci_path),
        "oci_path-beta0": case("oci_path", oci.oci_path, beta=0),
        "oci_path-beta0.25": case("oci_path", oci.oci_path, beta=0.25),
        "oci_path-inf": case("oci_path", oci.oci_path, gamma=math.inf),
        "oci_path-unscaled": case("oci_path", oci.oci_path, beta=0.0625, scaled=False),
        "uoc": case("uoc", oci.uoc),
        "uoc-beta0": case("uoc", oci.uoc, beta=0),
        "uoc-beta0.25": case("uoc", oci.uoc, beta=0.25),
        "uoc-beta1": case("uoc", oci.uoc, beta=1),
        "auoc": case("auoc", oci.auoc),
        "oci_general": case("oci_general", oci.oci_general, beta2=0.05),
        "oci_general-free": case("oci_general", oci.oci_general, beta2=0),
        "oci_general-dear": case("oci_general", oci.oci_general, beta2=1),
        "oci_general-beta0": case("oci_general", oci.oci_general, beta1=0, beta2=0.1),
        "oci_general-gamma2": case("oci_general", oci.oci_general, beta2=0.02, gamma=2),
        "oci_general-inf": case("oci_general", oci.oci_general, beta2=0.02, gamma=math.inf),
        "oci_general-unscaled": case(
            "oci_general", oci.oci_general, beta1=0.03, beta2=0.01, scaled=False
        ),
    },
}
ELSEWHERE = {"total_cost", "max_total_cost"}


def check(room: str, counts: np.ndarray) -> None:
    """Compare all kernels of a module, each with its oracle."""
    for name, (kernel, oracle, options) in CASES[room].items():
        given = options(len(counts))
        actual = getattr(metrics, kernel)(counts, **given)
        assert_same(actual, oracle(counts, **given), of=name)
