"""Tests over folds and data sets, against published constants and peers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

import pandas_ordinal as po

FOLDS = [0.10, 0.20, 0.15, 0.05, 0.10]
RNG = np.random.default_rng(7)
TABLE = pd.DataFrame(
    RNG.integers(0, 12, (14, 4)) + np.array([0, 1, 3, 6]),
    columns=["forest", "logit", "svm", "boosting"],
)


def test_the_corrected_test_has_its_square_root() -> None:
    found = po.corrected_t_test(FOLDS, test_train_ratio=0.25)
    assert found["statistic"] == pytest.approx(3.137858, abs=1e-6)
    assert found["p_value"] == pytest.approx(0.034920, abs=1e-6)
    assert found["df"] == 4
    assert found["difference"] == pytest.approx(0.12)
    negated = po.corrected_t_test([-d for d in FOLDS], test_train_ratio=0.25)
    assert negated["p_value"] == found["p_value"]
    assert negated["statistic"] == -found["statistic"]


@pytest.mark.parametrize("exponent", [-1065, -1000, 900, 1025])
def test_the_unit_of_the_differences_changes_no_test(exponent: int) -> None:
    folds = np.array([8.0, 16, 12, 4, 8]) / 8
    one = po.corrected_t_test(folds, test_train_ratio=0.25)
    other = po.corrected_t_test(np.ldexp(folds / 8, exponent), test_train_ratio=0.25)
    assert other["difference"] == np.ldexp(one["difference"] / 8, exponent)
    same = ["statistic", "df", "p_value"]
    assert other[same].tolist() == pytest.approx(one[same].tolist(), rel=1e-12)


def test_a_standard_error_beyond_what_floats_hold_is_infinite() -> None:
    found = po.corrected_t_test([1.7e308, -1.7e308], test_train_ratio=4)
    assert found["se"] == np.inf and found["statistic"] == 0 and found["p_value"] == 1


def test_without_shared_rows_it_is_the_plain_test() -> None:
    found = po.corrected_t_test(pd.Series(FOLDS), test_train_ratio=1e-12)
    peer = stats.ttest_1samp(FOLDS, 0)
    assert found["statistic"] == pytest.approx(peer.statistic) == pytest.approx(4.706787)
    assert found["p_value"] == pytest.approx(peer.pvalue) == pytest.approx(0.009262, abs=1e-6)


def test_equal_differences_have_no_test() -> None:
    with pytest.warns(po.UndefinedMetricWarning, match="all equal"):
        found = po.corrected_t_test([0.1] * 4, test_train_ratio=0.25, rope=0.01)
    assert np.isnan(found.drop(["difference", "se", "df"])).all()


def with_moments(n: int, mean: float, variance: float) -> np.ndarray:
    """Numbers with this mean and variance."""
    values = np.arange(n, dtype=float)
    return mean + (values - values.mean()) * np.sqrt(variance / values.var(ddof=1))


def test_probabilities_are_those_that_scikit_learn_publishes() -> None:
    """Its gallery compares two support vector machines on 10 times 10 folds."""
    mean, half = 0.0100, (0.0364 + 0.0164) / 2
    se = half / stats.t.ppf(0.975, 99)
    folds = with_moments(100, 0.7503 * se, se**2 / (1 / 100 + 1 / 9))
    found = po.corrected_t_test(folds, test_train_ratio=1 / 9, rope=0.01)
    assert found["statistic"] == pytest.approx(0.7503, abs=1e-4)
    assert found["difference"] == pytest.approx(mean, abs=1e-4)
    assert found["prob_equivalent"] == pytest.approx(0.4317, abs=1e-3)
    found = po.corrected_t_test(folds, test_train_ratio=1 / 9, rope=0)
    assert found["prob_above"] == pytest.approx(0.7726, abs=1e-4)
    assert found["prob_equivalent"] == 0


@pytest.mark.parametrize("rope", [0, 0.5, 3, 1e300])
def test_probabilities_are_areas_of_the_posterior_distribution(rope: float) -> None:
    found = po.corrected_t_test([1, 5, -3], test_train_ratio=0.5, rope=rope)
    posterior = stats.t(2, 1, np.sqrt(40 / 3))
    assert found["se"] ** 2 == pytest.approx(40 / 3)
    due = [posterior.cdf(-rope), posterior.cdf(rope) - posterior.cdf(-rope), posterior.sf(rope)]
    probabilities = found[["prob_below", "prob_equivalent", "prob_above"]]
    np.testing.assert_allclose(probabilities, due, atol=1e-12)
    plain = po.corrected_t_test([1, 5, -3], test_train_ratio=0.5)
    assert plain.equals(found[:5])
    negated = po.corrected_t_test([-1, -5, 3], test_train_ratio=0.5, rope=rope)
    assert negated["prob_below"] == found["prob_above"]


@pytest.mark.parametrize("rope", [-0.01, np.inf, np.nan, "0.01", True])
def test_the_rope_is_a_size(rope: Any) -> None:
    with pytest.raises(ValueError, match="^rope="):
        po.corrected_t_test(FOLDS, test_train_ratio=0.25, rope=rope)


@pytest.mark.parametrize("differences", [[0.1], [0.1, np.nan], [[0.1, 0.2]], [0.1, np.inf]])
def test_differences_are_a_finite_number_a_fold(differences: Any) -> None:
    with pytest.raises(ValueError, match="differences="):
        po.corrected_t_test(differences, test_train_ratio=0.25)


@pytest.mark.parametrize("ratio", [0, -1, np.inf, np.nan, "0.25"])
def test_the_ratio_is_positive(ratio: Any) -> None:
    with pytest.raises(ValueError, match="test_train_ratio="):
        po.corrected_t_test(FOLDS, test_train_ratio=ratio)


def test_the_critical_difference_is_that_of_published_tables() -> None:
    found = po.friedman(TABLE, greater_is_better=True)
    assert found.critical_difference == pytest.approx(1.253559, abs=1e-6)
    found = po.friedman(TABLE, greater_is_better=True, alpha=0.1)
    assert found.critical_difference == pytest.approx(2.291 * np.sqrt(4 * 5 / (6 * 14)), abs=1e-3)


DEMSAR = """
    .763 .768 .771 .798  .599 .591 .590 .569  .954 .971 .968 .967  .628 .661 .654 .657
    .882 .888 .886 .898  .936 .931 .916 .931  .661 .668 .609 .685  .583 .583 .563 .625
    .775 .838 .866 .875  1 1 1 1              .940 .962 .965 .962  .619 .666 .614 .669
    .972 .981 .9752 .9748 .957 .978 .946 .970"""
"""Areas under the curve of four classifiers on 14 data sets; .975 and .975 rank 2 and 3 there."""


def test_f_is_that_of_iman_and_davenport() -> None:
    """Demsar publishes a chi-squared of 9.28, not corrected for ties, and F 3.69."""

    def f_of(chi_squared: float) -> float:
        return 13 * chi_squared / (14 * 3 - chi_squared)

    table = pd.DataFrame(np.array(DEMSAR.split(), float).reshape(14, 4))
    found = po.friedman(table, greater_is_better=True)
    np.testing.assert_allclose(found.ranks, [3.143, 2, 2.893, 1.964], atol=5e-4)
    spread = ((table.rank(axis=1) - 2.5) ** 2).to_numpy().sum()
    uncorrected = found.statistic * spread / (14 * 5)
    assert uncorrected == pytest.approx(9.28, abs=0.005)
    assert f_of(uncorrected) == pytest.approx(3.69, abs=0.005)
    assert found.f_statistic == pytest.approx(f_of(found.statistic))
    assert found.f_df == (3, 39)
    assert f"F {found.f_statistic:.2f}, df 3 and 39" in repr(found)


@pytest.mark.parametrize("seed", range(5))
def test_f_is_the_analysis_of_variance_of_ranks_with_ties(seed: int) -> None:
    n, k = 9, 5
    table = pd.DataFrame(np.random.default_rng(seed).integers(0, 4, (n, k)))
    ranks = table.rank(axis=1).to_numpy()
    grand = (k + 1) / 2
    between = sum(n * (ranks[:, j].mean() - grand) ** 2 for j in range(k))
    within = sum((ranks[i, j] - grand) ** 2 for i in range(n) for j in range(k)) - between
    due = (between / (k - 1)) / (within / ((k - 1) * (n - 1)))
    found = po.friedman(table, greater_is_better=False)
    assert found.f_statistic == pytest.approx(due)
    assert found.f_p_value == pytest.approx(stats.f.sf(due, k - 1, (k - 1) * (n - 1)))
    pairs = [(a, b) for a in range(n) for b in range(a)]
    untied = pd.DataFrame(np.random.default_rng(seed).random((n, k)))
    rho = np.mean([stats.spearmanr(untied.loc[a], untied.loc[b])[0] for a, b in pairs])
    w = po.friedman(untied, greater_is_better=False).kendall_w
    assert (n * w - 1) / (n - 1) == pytest.approx(rho)


@pytest.mark.parametrize(("n", "k"), [(2, 3), (7, 4), (3000, 8)])
def test_data_sets_that_rank_alike_have_the_smallest_p_value(n: int, k: int) -> None:
    found = po.friedman(pd.DataFrame([range(k)] * n), greater_is_better=True)
    assert (found.f_statistic, found.kendall_w) == (np.inf, 1)
    assert found.f_p_value == pytest.approx(max(1 / math.factorial(k) ** (n - 1), math.ulp(0)))


@pytest.mark.parametrize("greater", [True, False])
def test_ranks_statistic_and_pairs_are_those_of_peers(greater: bool) -> None:
    posthocs = pytest.importorskip("scikit_posthocs")
    found = po.friedman(TABLE, greater_is_better=greater)
    peer = stats.friedmanchisquare(*(TABLE[name] for name in TABLE))
    assert found.statistic == pytest.approx(peer.statistic)
    assert found.p_value == pytest.approx(peer.pvalue)
    assert found.df == 3
    ranks = TABLE.rank(axis=1, ascending=not greater).mean()
    pd.testing.assert_series_equal(found.ranks, ranks.rename("rank"))
    expected = posthocs.posthoc_nemenyi_friedman(TABLE)
    for (a, b), row in found.pairs.iterrows():
        assert row.difference == pytest.approx(ranks[a] - ranks[b])
        assert row.p_adjusted == pytest.approx(expected.loc[a, b], rel=1e-6)
        real = abs(row.difference) >= found.critical_difference
        assert (row.p_adjusted <= 0.05) == real
        best = a if ranks[a] < ranks[b] else b
        assert row.better == (best if real else "neither")
    assert set(found.pairs.better) > {"neither"}


def test_holm_adjusts_p_values_of_the_normal_distribution() -> None:
    found = po.friedman(TABLE, greater_is_better=True, posthoc="holm")
    z = found.pairs.difference.abs() / np.sqrt(4 * 5 / (6 * 14))
    expected = multipletests(2 * stats.norm.sf(z), method="holm")[1]
    np.testing.assert_allclose(found.pairs.p_adjusted, expected)
    assert np.isnan(found.critical_difference)


def test_equal_models_cannot_be_told_apart() -> None:
    found = po.friedman(pd.DataFrame(np.ones((5, 3))), greater_is_better=True)
    assert (found.statistic, found.p_value) == (0, 1)
    assert (found.f_statistic, found.f_p_value, found.kendall_w) == (0, 1, 0)
    assert (found.ranks == 2).all() and (found.pairs.p_adjusted == 1).all()
    assert (found.pairs.better == "neither").all()


def test_models_whose_mean_ranks_differ_little_are_told_apart_on_many_data_sets() -> None:
    """Of two models, one has rank 1 on 125 of 200 data sets, and the other on 75."""
    table = pd.DataFrame([[1, 2, 9]] * 125 + [[2, 1, 9]] * 75, columns=["a", "b", "c"])
    found = po.friedman(table, greater_is_better=False)
    assert found.ranks.to_dict() == {"a": 1.375, "b": 1.625, "c": 3}
    assert found.pairs["better"].tolist() == ["a", "a", "b"]
    turned = po.friedman(table[["b", "a", "c"]], greater_is_better=False).pairs
    assert turned["difference"].tolist() == [0.25, -1.375, -1.625]
    assert turned["better"].tolist() == ["a", "b", "a"]


def test_a_p_value_at_the_level_is_significant() -> None:
    for posthoc in ("nemenyi", "holm"):
        found = po.friedman(TABLE, greater_is_better=True, posthoc=posthoc)
        for pair, p in found.pairs["p_adjusted"].items():
            at_level = po.friedman(TABLE, greater_is_better=True, posthoc=posthoc, alpha=p)
            assert at_level.pairs.loc[pair, "better"] != "neither"
            below = po.friedman(TABLE, greater_is_better=True, posthoc=posthoc, alpha=p * 0.999)
            assert below.pairs.loc[pair, "better"] == "neither"


def test_refusals_count_the_data_sets_without_a_value() -> None:
    table = TABLE.astype(float).set_axis([f"set {n}" for n in range(14)])
    table.iloc[3, 0] = np.nan
    with pytest.raises(ValueError, match="missing in 1 row 'set 3': leave"):
        po.friedman(table, greater_is_better=True)
    table.iloc[8, :2] = np.nan
    with pytest.raises(ValueError, match="missing in 2 rows, such as 'set 3': leave"):
        po.friedman(table, greater_is_better=True)


def test_bad_tables_are_refused() -> None:
    def refused(table: Any, match: str, **options: Any) -> None:
        with pytest.raises((TypeError, ValueError), match=match):
            po.friedman(table, **{"greater_is_better": True, **options})

    refused(TABLE.to_numpy(), "must be a DataFrame")
    refused(TABLE[["forest", "svm"]], "three or more models")
    refused(TABLE[:1], "two or more data sets")
    refused(TABLE.astype(float).replace(TABLE.iloc[3, 0], np.nan), "missing")
    twice = TABLE.set_axis(["svm", "svm", "b", "c"], axis=1)
    refused(twice, "several columns 'svm'")
    refused(TABLE.rename(columns={"svm": "neither"}), "called 'neither', .* rename the model")
    refused(TABLE.astype({"svm": str}), "'svm' of table holds .*not numbers.*astype")
    nullable = TABLE.astype("Float64")
    refused(nullable.replace(nullable.iloc[3, 0], pd.NA), "missing")
    refused(TABLE, "posthoc=", posthoc="tukey")
    for alpha in (0, 1):
        refused(TABLE, "alpha=", alpha=alpha)
    refused(TABLE, "greater_is_better=", greater_is_better="yes")


@pytest.mark.parametrize("texts", [["0.1", "0.2"], ["a", "b"], [None, 0.1], [True, False]])
def test_differences_are_numbers(texts: list[Any]) -> None:
    with pytest.raises(ValueError, match="must be numbers"):
        po.corrected_t_test(texts, test_train_ratio=0.25)
    with pytest.raises(ValueError, match="must be numbers"):
        po.corrected_t_test(pd.Series(texts, dtype=object), test_train_ratio=0.25)


def test_models_are_named_by_their_columns_whatever_holds_these() -> None:
    table = pd.DataFrame({"c": [3] * 8, "a": [1] * 8, "b": [2] * 8})
    due = po.friedman(table, greater_is_better=False).pairs["better"].astype(object)
    columns = pd.CategoricalIndex(["c", "a", "b"], categories=["a", "b", "c"])
    found = po.friedman(table.set_axis(columns, axis=1), greater_is_better=False).pairs["better"]
    assert found[("c", "a")] == due[("c", "a")] == "a"


def test_models_whose_names_are_tuples_have_one_level() -> None:
    names: list[Any] = [("tree", 1), ("tree", 2), ("svm", 1)]
    columns = pd.Index(names, tupleize_cols=False, name="model")
    table = pd.DataFrame([[3, 1, 2]] * 8, columns=columns)
    found = po.friedman(table, greater_is_better=False)
    assert found.ranks.index.nlevels == 1 and found.ranks.index.name == "model"
    assert found.ranks.index.tolist() == names and found.ranks.tolist() == [3, 1, 2]
    assert found.pairs.index.tolist() == [
        (names[0], names[1]), (names[0], names[2]), (names[1], names[2]),
    ]  # fmt: skip


def test_differences_that_are_equal_but_for_rounding() -> None:
    differences = pd.Series([0.5, 0.6, 0.7, 0.8]) - pd.Series([0.4, 0.5, 0.6, 0.7])
    with pytest.warns(po.UndefinedMetricWarning, match="all equal"):
        found = po.corrected_t_test(differences, test_train_ratio=0.25)
    assert np.isnan(found["p_value"])


def test_a_test_of_friedman_is_shown_as_a_table() -> None:
    found = po.friedman(TABLE.rename(columns={"svm": "<svm>"}), greater_is_better=True)
    page = found._repr_html_()
    assert page.startswith("<p>Friedman: chi-squared ") and "mean ranks forest " in page
    assert "&lt;svm&gt; " in page and "<svm>" not in page
    assert f"<td>{found.pairs['p_adjusted'].iloc[0]:.3f}</td>" in page


def test_p_values_are_never_zero() -> None:
    sure = pd.DataFrame(np.arange(4.0) + 1e-9 * RNG.random((2000, 4)))
    for posthoc in ("nemenyi", "holm"):
        found = po.friedman(sure, greater_is_better=True, posthoc=posthoc)
        assert 0 < found.p_value < 1e-100 and 0 < found.f_p_value < 1e-100
        assert (found.pairs["p_adjusted"] > 0).all() and (found.pairs["p_adjusted"] < 1e-12).all()
    many = po.corrected_t_test(1 + 1e-9 * RNG.random(200), test_train_ratio=0.25)
    assert 0 < many["p_value"] < 1e-100
