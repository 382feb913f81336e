"""Tests over folds and data sets, against published constants and peers."""

from __future__ import annotations

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
        found = po.corrected_t_test([0.1] * 4, test_train_ratio=0.25)
    assert np.isnan(found[["statistic", "p_value"]]).all()


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
    assert (found.ranks == 2).all() and (found.pairs.p_adjusted == 1).all()
    assert (found.pairs.better == "neither").all()


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
    refused(TABLE, "alpha=", alpha=1)
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


def test_differences_that_are_equal_but_for_rounding() -> None:
    differences = pd.Series([0.5, 0.6, 0.7, 0.8]) - pd.Series([0.4, 0.5, 0.6, 0.7])
    with pytest.warns(po.UndefinedMetricWarning, match="all equal"):
        found = po.corrected_t_test(differences, test_train_ratio=0.25)
    assert np.isnan(found["p_value"])
