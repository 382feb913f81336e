"""Every kernel against its literal definition, against SciPy and against scikit-learn."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from oracles import cost, errors, kappa, oci, pairs
from oracles.rows import Counts, class_sizes, rows, total
from oracles.strategies import QUICK, matrices
from scipy import stats
from sklearn import metrics as sklearn_metrics

import pandas_ordinal as po

KAPPA_WEIGHTS = ["identity", "linear", "quadratic", "ordinal", "radical", "bipolar"]


def assert_same(actual: Any, expected: Any) -> None:
    """Equal to 1e-12, with NaN in exactly the same places."""
    np.testing.assert_allclose(actual, expected, rtol=1e-12, atol=1e-12, equal_nan=True)


def some_costs(k: int) -> list[list[float]]:
    """Costs without any symmetry."""
    return [[abs(r - c) * (1.5 + r) + 0.25 * (r > c) for c in range(k)] for r in range(k)]


def some_weights(k: int) -> list[list[float]]:
    """Agreement weights without any symmetry."""
    return [
        [1 / (1 + abs(r - c) + (r > c)) if r != c else 1.0 for c in range(k)] for r in range(k)
    ]


class Case(NamedTuple):
    """A kernel, its oracle and the options of a call, which may depend on K."""

    kernel: str
    oracle: Callable[..., Any]
    options: Callable[[int], dict[str, Any]] = lambda k: {}


def case(kernel: str, oracle: Callable[..., Any], **options: Any) -> Case:
    return Case(kernel, oracle, lambda k: options)


CASES = {
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
    "oci_general": case("oci_general", oci.oci_general, beta2=0.05),
    "oci_general-free": case("oci_general", oci.oci_general, beta2=0),
    "oci_general-dear": case("oci_general", oci.oci_general, beta2=1),
    "oci_general-beta0": case("oci_general", oci.oci_general, beta1=0, beta2=0.1),
    "oci_general-gamma2": case("oci_general", oci.oci_general, beta2=0.02, gamma=2),
    "oci_general-inf": case("oci_general", oci.oci_general, beta2=0.02, gamma=math.inf),
    "oci_general-unscaled": case(
        "oci_general", oci.oci_general, beta1=0.03, beta2=0.01, scaled=False
    ),
    "uoc": case("uoc", oci.uoc),
    "uoc-beta0": case("uoc", oci.uoc, beta=0),
    "uoc-beta0.25": case("uoc", oci.uoc, beta=0.25),
    "uoc-beta1": case("uoc", oci.uoc, beta=1),
    "auoc": case("auoc", oci.auoc),
    "cost_matrix": case("cost_matrix", cost.cost_matrix),
    "stc": case("stc", cost.stc),
    "kappa": case("kappa", kappa.kappa),
    **{f"kappa-{name}": case("kappa", kappa.kappa, weights=name) for name in KAPPA_WEIGHTS},
    **{
        f"{name}-{weights}": case(name, getattr(kappa, name), weights=weights)
        for name in ("scott_pi", "gwet_ac", "brennan_prediger", "krippendorff_alpha")
        for weights in KAPPA_WEIGHTS
    },
    "cem": case("cem", errors.cem),
    "geometric_mean": case("geometric_mean", errors.geometric_mean),
    "min_sensitivity": case("min_sensitivity", errors.min_sensitivity),
    "kappa-matrix": Case("kappa", kappa.kappa, lambda k: {"weights": some_weights(k)}),
}
# Where there is one true class only, or a class is predicted that has no true rows, METRICS
# speaks of the ratio alone: `test_total_costs` leaves those cases out.
ELSEWHERE = {"total_cost", "max_total_cost"}


@pytest.mark.parametrize("name", CASES)
@QUICK
@given(data=st.data())
def test_kernel_is_its_definition(name: str, data: st.DataObject) -> None:
    kernel, oracle, options = CASES[name]
    counts = data.draw(matrices(max_classes=4 if "oci" in name else 5))
    options = options(len(counts))
    assert_same(getattr(po.metrics, kernel)(counts, **options), oracle(counts, **options))


def test_every_count_metric_has_an_oracle() -> None:
    named = {name for name, metric in po.metrics.registry.items() if metric.needs == "counts"}
    assert {case.kernel for case in CASES.values()} | ELSEWHERE == named


# Paths --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [{}, {"beta": 0.1}, {"gamma": 1.5}, {"gamma": 2, "beta": 0.2}, {"gamma": 2000}],
    ids=str,
)
@QUICK
@given(counts=matrices(min_classes=2, max_classes=5))
def test_oci_path_is_a_path_of_least_cost(options: dict[str, float], counts: np.ndarray) -> None:
    assume(counts.any())
    path = [(int(r), int(c)) for r, c in np.argwhere(po.metrics.oci_path(counts, **options))]
    assert path[0] == (0, 0)
    assert path[-1] == (len(counts) - 1, len(counts) - 1)
    for (r, c), (r_next, c_next) in zip(path, path[1:], strict=False):
        assert (r_next - r, c_next - c) in oci.STEPS_BACK
    best, _ = oci.best_path(counts, **options)
    assert float(oci.path_cost(counts, path, **options)) == pytest.approx(float(best), abs=1e-12)
    assert po.metrics.oci(counts, **options) == pytest.approx(float(best), abs=1e-12)


@QUICK
@given(counts=matrices(min_classes=2, max_classes=4), gamma=st.floats(1, 50))
def test_oci_for_any_gamma(counts: np.ndarray, gamma: float) -> None:
    assert_same(po.metrics.oci(counts, gamma=gamma), oci.oci(counts, gamma=gamma))


@pytest.mark.parametrize("gamma", [1, 2, 20, 200])
@QUICK
@given(counts=matrices(min_classes=2, max_classes=4), beta=st.sampled_from([0.1, 0.25, 0.75]))
def test_oci_beta_is_a_share_of_the_largest_penalty(
    gamma: int, counts: np.ndarray, beta: float
) -> None:
    assume(counts.any())
    absolute = beta / (total(counts) * (len(counts) - 1) ** gamma)
    assert_same(
        po.metrics.oci(counts, beta=absolute, gamma=gamma, scaled=False),
        po.metrics.oci(counts, beta=beta, gamma=gamma),
    )


@QUICK
@given(counts=matrices(max_classes=4))
def test_oci_at_infinite_gamma_is_the_limit(counts: np.ndarray) -> None:
    limit = po.metrics.oci(counts, gamma=math.inf)
    near = po.metrics.oci(counts, gamma=1e9)
    np.testing.assert_allclose(near, limit, rtol=0, atol=1e-6, equal_nan=True)


@QUICK
@given(
    counts=matrices(min_classes=2, max_classes=4),
    beta1=st.floats(0, 1),
    beta2=st.floats(0.001, 0.999),
)
def test_general_oci_for_any_weights(counts: np.ndarray, beta1: float, beta2: float) -> None:
    options = {"beta1": beta1, "beta2": beta2}
    general = po.metrics.oci_general(counts, **options)
    assert_same(general, oci.oci_general(counts, **options))
    if counts.any():
        assert general <= po.metrics.oci(counts, beta=beta1) + 1e-12


@QUICK
@given(counts=matrices(max_classes=5), beta=st.floats(0, 1))
def test_general_oci_without_search(counts: np.ndarray, beta: float) -> None:
    assert_same(
        po.metrics.oci_general(counts, beta1=beta, beta2=1), po.metrics.oci(counts, beta=beta)
    )
    mae = po.metrics.mae(counts)
    assert_same(po.metrics.oci_general(counts, beta1=0, beta2=0), mae / (1 + mae))


@QUICK
@given(counts=matrices(max_classes=5), beta=st.floats(0, 1))
def test_uoc_for_any_beta(counts: np.ndarray, beta: float) -> None:
    assert_same(po.metrics.uoc(counts, beta=beta), oci.uoc(counts, beta=beta))


# Total cost ---------------------------------------------------------------------------------


@QUICK
@given(counts=matrices())
def test_total_costs(counts: np.ndarray) -> None:
    sizes = class_sizes(counts)
    predicted = counts.sum(axis=0)
    assume(sum(size > 0 for size in sizes) != 1)
    assert_same(po.metrics.total_cost(counts), cost.total_cost(counts))
    assume(all(size > 0 for size, n in zip(sizes, predicted, strict=True) if n > 0))
    assert_same(po.metrics.max_total_cost(counts), cost.max_total_cost(counts))


@pytest.mark.parametrize("name", ["total_cost", "max_total_cost", "stc", "cost_matrix"])
@QUICK
@given(counts=matrices(min_classes=2), more=st.lists(st.integers(0, 4), min_size=5, max_size=5))
def test_costs_with_sizes_from_elsewhere(name: str, counts: np.ndarray, more: list[int]) -> None:
    own = class_sizes(counts)
    sizes = [size + extra for size, extra in zip(own, more, strict=False)]
    predicted = counts.sum(axis=0)
    if name != "stc":
        assume(sum(size > 0 for size in sizes) > 1)
    if name == "max_total_cost":
        assume(all(size > 0 for size, n in zip(sizes, predicted, strict=True) if n > 0))
    actual = getattr(po.metrics, name)(counts, class_sizes=sizes)
    assert_same(actual, getattr(cost, name)(counts, class_sizes=sizes))
    assert_same(getattr(po.metrics, name)(counts, class_sizes=np.array(sizes, float)), actual)


@QUICK
@given(counts=matrices(min_classes=2))
def test_total_cost_is_counts_times_cost_matrix(counts: np.ndarray) -> None:
    assume((counts.sum(axis=1) > 0).all())
    cells = counts * po.metrics.cost_matrix(counts)
    assert_same(po.metrics.total_cost(counts), cells.sum())


# Identities between metrics -----------------------------------------------------------------


@QUICK
@given(counts=matrices())
def test_identities(counts: np.ndarray) -> None:
    m = po.metrics
    assert_same(m.ndpm(counts), (1 - m.somers_d(counts)) / 2)
    assert_same(m.error_rate(counts), 1 - m.accuracy(counts))
    assert_same(m.accuracy_within(counts, k=0), m.accuracy(counts))
    assert_same(m.rmse(counts) ** 2, m.mse(counts))
    assert_same(m.accuracy_pearson(counts), (m.accuracy(counts) + m.pearson(counts)) / 2)
    distance = np.abs(np.subtract.outer(np.arange(len(counts)), np.arange(len(counts))))
    assert_same(m.expected_cost(counts, costs=distance), m.mae(counts))
    # τ b over ordered pairs: (N² - T_obs)(N² - T_pred) under the root, where a paper errs
    n, ties_true, ties_pred = (
        counts.sum() ** 2,
        (counts.sum(axis=1) ** 2).sum(),
        (counts.sum(axis=0) ** 2).sum(),
    )
    if n > ties_true and n > ties_pred:
        kinds = pairs.count_pairs(counts)
        difference = 2 * (kinds.concordant - kinds.discordant)
        expected = difference / math.sqrt((n - ties_true) * (n - ties_pred))
        assert_same(m.kendall_tau(counts), expected)


# SciPy and scikit-learn ---------------------------------------------------------------------


def labels(counts: Counts) -> tuple[list[int], list[int]]:
    data = rows(counts)
    return [row.true for row in data], [row.pred for row in data]


def observed(counts: np.ndarray) -> tuple[int, int]:
    """Numbers of distinct true and predicted classes."""
    return np.count_nonzero(counts.sum(axis=1)), np.count_nonzero(counts.sum(axis=0))


@QUICK
@given(counts=matrices(min_classes=2))
def test_rank_statistics_of_scipy(counts: np.ndarray) -> None:
    assume(min(observed(counts)) > 1)
    true, pred = labels(counts)
    assert_same(po.metrics.kendall_tau(counts), stats.kendalltau(true, pred).statistic)
    assert_same(po.metrics.spearman(counts), stats.spearmanr(true, pred).statistic)
    assert_same(po.metrics.pearson(counts), stats.pearsonr(true, pred).statistic)
    assert_same(po.metrics.somers_d(counts), stats.somersd(counts).statistic)
    if min(observed(counts)) == len(counts):  # SciPy takes m from what occurs
        tau_c = stats.kendalltau(true, pred, variant="c").statistic
        assert_same(po.metrics.kendall_tau(counts, variant="c"), tau_c)


def test_kendall_tau_of_scipy_in_a_thousand_groups() -> None:
    rng = np.random.default_rng(0)
    cube = rng.integers(0, 4, (1000, 4, 4)) * rng.integers(0, 2, (1000, 4, 4))
    expected = [
        stats.kendalltau(*labels(counts)).statistic if min(observed(counts)) > 1 else math.nan
        for counts in cube
    ]
    assert_same(po.metrics.kendall_tau(cube), expected)


@QUICK
@given(counts=matrices(min_classes=2))
def test_errors_and_kappa_of_sklearn(counts: np.ndarray) -> None:
    assume(total(counts) > 0)
    true, pred = labels(counts)
    assert_same(po.metrics.accuracy(counts), sklearn_metrics.accuracy_score(true, pred))
    assert_same(po.metrics.mae(counts), sklearn_metrics.mean_absolute_error(true, pred))
    assert_same(po.metrics.mse(counts), sklearn_metrics.mean_squared_error(true, pred))
    assume(len(set(true + pred)) > 1)  # κ is 0/0 otherwise
    classes = list(range(len(counts)))
    for ours, theirs in {"identity": None, "linear": "linear", "quadratic": "quadratic"}.items():
        expected = sklearn_metrics.cohen_kappa_score(true, pred, labels=classes, weights=theirs)
        assert_same(po.metrics.kappa(counts, weights=ours), expected)
