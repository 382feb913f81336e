"""Calibration: tests without random numbers, intercepts and slopes, the table and the curve."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import moments as oracle
from oracles.calibration import isotonic
from scipy import optimize, special, stats

import pandas_ordinal as po

# Worked by hand: two thresholds, of which rows are separated at the second
HAND = pd.DataFrame(
    {
        "y": [0, 1, 1, 2, 1, 0],
        0: [0.7, 0.5, 0.2, 0.1, 0.2, 0.4],
        1: [0.2, 0.3, 0.5, 0.3, 0.2, 0.4],
        2: [0.1, 0.2, 0.3, 0.6, 0.6, 0.2],
    }
)
PARTS = ["mcb", "mcb_by_chance", "dsc", "unc"]


def drawn(n: int, n_classes: int, seed: int, power: float = 1.0) -> pd.DataFrame:
    """Forecasts, and true classes that are drawn from their powers."""
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet(np.ones(n_classes), n)
    right = proba**power / (proba**power).sum(axis=1, keepdims=True)
    y = (right.cumsum(axis=1)[:, :-1] < rng.random(n)[:, None]).sum(axis=1)
    return pd.DataFrame(proba).assign(y=y, w=rng.integers(1, 4, n), c=rng.integers(0, n // 3, n))


def table(df: pd.DataFrame, n_classes: int, **options: Any) -> Any:
    classes = list(range(n_classes))
    return po.ordinal(df).calibration("y", classes, classes=classes, **options)


def test_the_example_by_hand() -> None:
    found = table(HAND, 3)
    assert found[["rps", "mcb", "dsc", "unc"]].tolist() == pytest.approx(
        [0.131667 + 0.116667, 0.081667, 0.194444, 0.361111], abs=2e-6
    )
    assert found[["p_value", "p_large", "p_score"]].tolist() == pytest.approx(
        [0.595466, 0.537209, 0.301898], abs=1e-6
    )
    at = table(HAND, 3, thresholds=True)
    assert at["brier"].tolist() == pytest.approx([0.131667, 0.116667], abs=1e-6)
    assert at["mcb"].tolist() == pytest.approx([0.048333, 0.033333], abs=1e-6)
    assert at["dsc"].tolist() == pytest.approx([0.138889, 0.055556], abs=1e-6)
    assert at["unc"].tolist() == pytest.approx([0.222222, 0.138889], abs=1e-6)
    assert at["ece"].tolist() == pytest.approx([0.15, 0.166667], abs=1e-6)
    assert at.loc[0, ["slope", "slope_se"]].tolist() == pytest.approx(
        [2.292413, 1.847346], abs=1e-6
    )
    assert at.loc[1, ["slope", "slope_se"]].isna().all()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_tests_are_those_of_all_outcomes(n_classes: int, clustered: bool, weighted: bool) -> None:
    df = drawn(40, n_classes, n_classes)
    options = {"cluster": "c"} if clustered else {}
    options |= {"sample_weight": "w"} if weighted else {}
    found, at = table(df, n_classes, **options), table(df, n_classes, thresholds=True, **options)
    rows = (df["y"].tolist(), df[list(range(n_classes))].to_numpy().tolist())
    more = (df["w"].tolist() if weighted else None, df["c"].tolist() if clustered else None)
    for name, terms in {
        "p_value": oracle.recalibration, "p_large": oracle.large, "p_score": oracle.score,
    }.items():  # fmt: skip
        assert found[name] == pytest.approx(
            stats.chi2.sf(*oracle.chi_squared(terms, *rows, *more))
        )
    for k in range(n_classes - 1):
        due = oracle.chi_squared(oracle.at_threshold(k), *rows, *more)
        assert at["p_value"].iloc[k] == pytest.approx(stats.chi2.sf(*due))


def test_one_cluster_says_nothing_about_precision() -> None:
    df = drawn(60, 3, 5, 1.0).assign(c=1)
    found = table(df, 3, thresholds=True, cluster="c")
    assert np.isnan(found[["intercept_se", "slope_se"]].to_numpy(float)).all()


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0])
def test_intercept_and_slope_are_those_of_statsmodels(power: float) -> None:
    df = drawn(300, 4, 5, power)
    at = table(df, 4, thresholds=True)
    in_clusters = table(df, 4, thresholds=True, cluster="c")
    n_clusters = df["c"].nunique()
    robust = {
        "cov_type": "cluster",
        "cov_kwds": {"groups": df["c"].to_numpy(), "use_correction": False},
    }
    for k in range(3):
        forecast = df[list(range(k + 1))].sum(axis=1).to_numpy()
        logits, happens = np.log(forecast / (1 - forecast)), (df["y"] <= k).to_numpy(float)
        large = sm.GLM(happens, np.ones(len(df)), family=sm.families.Binomial(), offset=logits)
        line = sm.Logit(happens, sm.add_constant(logits))
        for found, options, factor in (
            (at, {}, 1.0),
            (in_clusters, robust, np.sqrt(n_clusters / (n_clusters - 1))),
        ):
            of_large, of_line = large.fit(**options), line.fit(disp=0, **options)
            due = [
                of_large.params[0], of_large.bse[0] * factor,
                of_line.params[1], of_line.bse[1] * factor,
            ]  # fmt: skip
            columns = ["intercept", "intercept_se", "slope", "slope_se"]
            assert found.loc[k, columns].tolist() == pytest.approx(due, rel=1e-6, abs=1e-7)


def test_standard_errors_of_weighted_rows_are_those_of_the_sandwich() -> None:
    df = drawn(200, 4, 8)
    at = table(df, 4, thresholds=True, sample_weight="w")
    weights = df["w"].to_numpy(float)
    for k in range(3):
        forecast = df[list(range(k + 1))].sum(axis=1).to_numpy()
        logits, happens = np.log(forecast / (1 - forecast)), (df["y"] <= k).to_numpy(float)
        one = np.ones((len(df), 1))
        for name, terms, offset in (
            ("intercept", one, logits), ("slope", sm.add_constant(logits), 0 * logits),
        ):  # fmt: skip
            family = sm.families.Binomial()
            model = sm.GLM(happens, terms, family=family, offset=offset, freq_weights=weights)
            fit = model.fit(tol=1e-12)
            due = np.zeros((2, terms.shape[1], terms.shape[1]))
            for row, weight, p in zip(terms, weights, fit.fittedvalues, strict=True):
                for power in (1, 2):
                    due[power - 1] += weight**power * p * (1 - p) * np.outer(row, row)
            bread = np.linalg.inv(due[0])
            error = np.sqrt((bread @ due[1] @ bread)[-1, -1])
            assert at.loc[k, [name, f"{name}_se"]].tolist() == pytest.approx(
                [fit.params[-1], error], rel=1e-6, abs=1e-7
            )


@pytest.mark.parametrize(
    ("happens", "logits"),
    [
        ([1, 1, 1, 1, 1, 0, 1, 1, 1, 0], [5.7, 2.7, 7, 16.5, 9.6, -9.4, 7.7, 2.3, 15.5, -9.3]),
        ([0, 1, 1, 1, 1, 0], [-0.7, 11, 2.8, 9.4, 7, -4.6]),
    ],
)
def test_intercepts_of_forecasts_next_to_certainty(happens: Any, logits: Any) -> None:
    forecast = special.expit(logits)
    df = pd.DataFrame({"y": 1 - np.array(happens), 0: forecast, 1: 1 - forecast})

    def missed(intercept: float) -> float:
        return float((special.expit(np.add(logits, intercept)) - happens).sum())

    due = optimize.brentq(missed, -30, 30, xtol=1e-12)
    assert table(df, 2, thresholds=True)["intercept"].tolist() == pytest.approx([due], rel=1e-6)


@pytest.mark.parametrize("turned", [False, True])
def test_forecasts_that_separate_the_classes_but_for_a_tie_have_no_slope(turned: bool) -> None:
    """A slope would be infinite where only rows of one forecast are of both classes."""
    at = [0.2, 0.5, 0.5, 0.8]
    df = pd.DataFrame(
        {0: at, 1: [1 - p for p in at], "y": [0, 0, 1, 1] if turned else [1, 1, 0, 0]}
    )
    found = table(df, 2, thresholds=True)
    assert found[["slope", "slope_se"]].isna().all(axis=None)
    np.testing.assert_allclose(found["intercept"], 0, atol=1e-12)
    overlapping = pd.concat([df, df.assign(y=1 - df["y"])])
    np.testing.assert_allclose(table(overlapping, 2, thresholds=True)["slope"], 0, atol=1e-12)


def test_forecasts_that_are_all_alike_have_an_intercept_alone() -> None:
    df = pd.DataFrame({0: [0.2] * 8, 1: [0.8] * 8, "y": [0] * 5 + [1] * 3, "g": "alike"})
    due = [special.logit(5 / 8) - special.logit(0.2), np.sqrt(1 / (8 * 5 / 8 * 3 / 8))]
    columns = ["intercept", "intercept_se", "slope", "slope_se"]
    found = table(df, 2, thresholds=True)[columns].iloc[0]
    np.testing.assert_allclose(found, [*due, np.nan, np.nan], rtol=1e-9)
    other = drawn(50, 2, 3).assign(g="other")
    both = table(pd.concat([df, other]), 2, thresholds=True, by="g")[columns]
    np.testing.assert_allclose(both.loc["alike"].iloc[0], found, rtol=1e-9)
    np.testing.assert_allclose(
        both.loc["other"], table(other, 2, thresholds=True)[columns], rtol=1e-7
    )


def test_certain_forecasts_count_as_those_of_a_billionth() -> None:
    forecast = np.array([0, 0, 0.3, 0.6, 0.4, 1, 1, 0.5, 0])
    df = pd.DataFrame({0: forecast, 1: 1 - forecast, "y": [1, 1, 1, 0, 0, 0, 1, 0, 0]})
    found = table(df, 2, thresholds=True).iloc[0]
    logits = special.logit(np.clip(forecast, 1e-9, 1 - 1e-9))
    happens = (df["y"] == 0).to_numpy(float)
    line = sm.GLM(happens, sm.add_constant(logits), family=sm.families.Binomial()).fit()
    assert found["slope"] == pytest.approx(line.params[1], rel=1e-5)
    assert found["slope_se"] == pytest.approx(line.bse[1], rel=1e-5)

    def missed(intercept: float) -> float:
        return float((special.expit(logits + intercept) - happens).sum())

    due = optimize.brentq(missed, -30, 30, xtol=1e-12)
    assert found["intercept"] == pytest.approx(due, rel=1e-5)


@given(st.integers(0, 10**6), st.integers(2, 5))
@settings(deadline=None)
def test_ece_and_parts_are_those_of_loops(seed: int, n_classes: int) -> None:
    rng = np.random.default_rng(seed)
    units = rng.multinomial(10, np.ones(n_classes) / n_classes, 12)
    df = pd.DataFrame(units / 10).assign(y=rng.integers(0, n_classes, 12))
    at = table(df, n_classes, thresholds=True)
    for k in range(n_classes - 1):
        forecast = (units[:, : k + 1].sum(axis=1) / 10).tolist()
        happens = (df["y"] <= k).astype(float).tolist()
        fit = oracle.calibrated(forecast, happens)
        f, o, c = np.array(forecast), np.array(happens), np.array(fit)
        due = [
            np.abs(f - c).mean(), ((f - o) ** 2).mean(), ((f - o) ** 2 - (c - o) ** 2).mean(),
            ((o.mean() - o) ** 2 - (c - o) ** 2).mean(),
        ]  # fmt: skip
        assert at.loc[k, ["ece", "brier", "mcb", "dsc"]].tolist() == pytest.approx(due, abs=1e-12)


def test_thresholds_add_up_to_the_whole() -> None:
    df = drawn(200, 5, 1).assign(g=np.arange(200) % 3)
    whole = table(df, 5, by="g")
    at = table(df, 5, by="g", thresholds=True)
    sums = at.groupby("g")[["brier", *PARTS]].sum()
    np.testing.assert_allclose(sums, whole[["rps", *PARTS]], atol=1e-12)
    np.testing.assert_allclose(at.groupby("g")["ece"].mean(), whole["ece"])
    np.testing.assert_allclose(whole.eval("mcb - dsc + unc"), whole["rps"], atol=1e-12)
    assert at.index.names == ["g", "class"] and at["n"].sum() == 200 * 4


def test_neither_the_order_of_rows_nor_other_groups_change_what_is_drawn() -> None:
    df = drawn(90, 4, 2).assign(g=np.arange(90) % 3)
    shuffled = df.sample(frac=1, random_state=1)
    one = df[df["g"] == 1]
    options: dict[str, Any] = {"by": "g", "sample_weight": "w"}
    due = table(df, 4, **options)
    assert table(shuffled, 4, **options)["mcb_by_chance"].tolist() == pytest.approx(
        due["mcb_by_chance"].tolist(), rel=1e-13
    )
    pd.testing.assert_frame_equal(table(one, 4, **options), due.loc[[1]], rtol=1e-13)
    classes = list(range(4))
    curve = df.ordinal.reliability_curve("y", classes, ci=0.9, n_draws=9, **options)
    again = shuffled.ordinal.reliability_curve("y", classes, ci=0.9, n_draws=9, **options)
    pd.testing.assert_frame_equal(curve, again, check_exact=True)
    alone = one.ordinal.reliability_curve("y", classes, ci=0.9, n_draws=9, sample_weight="w")
    assert np.array_equal(alone.to_numpy(), curve.loc[1].to_numpy())


def test_bands_show_their_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    asked: dict[str, Any] = {"ci": 0.9, "n_draws": 2}
    assert len(drawn(9, 2, 6).ordinal.reliability_curve("y", [0, 1], **asked)) > 1
    with pytest.raises(ImportError, match="tqdm is missing"):
        drawn(9, 2, 6).ordinal.reliability_curve("y", [0, 1], **asked, progress=True)


def test_progress_is_of_all_groups_and_models(capsys: pytest.CaptureFixture[str]) -> None:
    df = drawn(9, 2, 6).assign(g=np.arange(9) % 3)
    models = {"one": [0, 1], "two": [0, 1]}
    df.ordinal.reliability_curve("y", models, by="g", ci=0.9, n_draws=2, progress=True)
    assert "6/6" in capsys.readouterr().err


@pytest.mark.parametrize("ci", [0.5, 0.9])
def test_bands_are_quantiles_of_curves_of_drawn_classes(ci: float) -> None:
    df = drawn(40, 2, 6)
    found = df.ordinal.reliability_curve("y", [0, 1], ci=ci, n_draws=7, seed=3)
    falling, rng = np.sort(df[0])[::-1], np.random.default_rng(3)  # the last class ascends
    curves = []
    for _ in range(7):
        drawn_at = zip(rng.random(40), falling, strict=True)
        fits = isotonic([(p, bool(u < p), Fraction(1)) for u, p in drawn_at])
        curves.append(np.interp(found["forecast"], falling[::-1], list(map(float, fits[::-1]))))
    for column, share in (("band_low", (1 - ci) / 2), ("band_high", (1 + ci) / 2)):
        np.testing.assert_allclose(found[column], np.quantile(curves, share, axis=0), atol=1e-9)


def test_reversed_classes_mirror_the_thresholds() -> None:
    df = drawn(120, 4, 3)
    reverse = df.rename(columns={k: 3 - k for k in range(4)}).assign(y=3 - df["y"])
    there, back = (table(one, 4, thresholds=True) for one in (df, reverse))
    same = ["ece", "brier", "mcb", "dsc", "unc", "slope", "slope_se", "intercept_se", "p_value"]
    np.testing.assert_allclose(there[same], back[same][::-1], atol=1e-9)
    np.testing.assert_allclose(there["intercept"], -back["intercept"][::-1], atol=1e-9)
    columns = ["p_value", "p_large", "p_score", "rps", "mcb", "dsc"]
    np.testing.assert_allclose(table(df, 4)[columns], table(reverse, 4)[columns], atol=1e-9)


def test_unused_classes_at_the_ends_change_nothing() -> None:
    df = drawn(60, 3, 4)
    more = df.rename(columns={0: 1, 1: 2, 2: 3}).assign(y=df["y"] + 1, **{})
    more[0], more[4] = 0.0, 0.0
    due, found = table(df, 3), table(more, 5)
    columns = ["rps", "mcb", "mcb_by_chance", "dsc", "unc", "p_value", "p_large", "p_score"]
    np.testing.assert_allclose(found[columns], due[columns], atol=1e-12)


def test_weights_are_repetitions_but_for_what_is_uncertain() -> None:
    df = drawn(80, 3, 6)
    weighted = table(df, 3, thresholds=True, sample_weight="w")
    repeated = table(df.loc[df.index.repeat(df["w"])], 3, thresholds=True)
    same = ["share", "forecast", "intercept", "slope", "ece", "brier", "mcb", "dsc", "unc"]
    np.testing.assert_allclose(weighted[same], repeated[same], atol=1e-8)
    assert (weighted["n"] == 80).all()
    assert (weighted["slope_se"] > repeated["slope_se"]).all()
    doubled = table(df.assign(w=2 * df["w"]), 3, thresholds=True, sample_weight="w")
    np.testing.assert_allclose(doubled.drop(columns="n"), weighted.drop(columns="n"), atol=1e-8)


@pytest.mark.parametrize("unit", [1e-300, 1e-11, 1e7, 1e300])
def test_the_unit_of_weights_changes_nothing(unit: float) -> None:
    rng = np.random.default_rng(8)
    proba = rng.dirichlet([2, 2, 2], 80)
    df = pd.DataFrame(proba).assign(y=rng.integers(0, 3, 80), c=rng.integers(0, 20, 80))
    df["w"] = rng.integers(0, 4, 80)
    for options in ({}, {"cluster": "c"}, {"thresholds": True}):
        due, found = (
            one.ordinal.calibration("y", [0, 1, 2], sample_weight="w", n_draws=2, **options)
            for one in (df, df.assign(w=df["w"] * unit))
        )
        np.testing.assert_allclose(found, due, rtol=1e-7)


def test_extremes_give_numbers_or_nan() -> None:
    one_class = HAND.assign(y=1)
    at = table(one_class, 3, thresholds=True)
    assert at["share"].tolist() == [0, 1]
    assert at[["intercept", "slope", "p_value"]].isna().all(axis=None)
    found = table(one_class, 3)
    assert np.isnan(found["p_value"]) and found["unc"] == found["dsc"] == 0
    assert found["mcb"] == pytest.approx(found["rps"])
    certain = pd.DataFrame({"y": [0, 1, 1], 0: [1.0, 0, 1], 1: [0.0, 1, 0]})
    assert table(certain, 2)[["p_value", "p_large", "p_score"]].tolist() == [0, 0, 0]
    right = table(certain[:2], 2)
    assert right[["p_value", "p_large", "p_score"]].isna().all() and right["rps"] == 0
    few = table(HAND.assign(c=[0, 0, 0, 1, 1, 1]), 3, cluster="c")
    assert few[["p_value", "p_large"]].isna().all() and 0 < few["p_score"] < 1
    with pytest.raises(ValueError, match="calibration needs two classes or more"):
        pd.DataFrame({"y": [0, 0], 0: [1.0, 1.0]}).ordinal.calibration("y", {0: 0}, classes=[0])
    with pytest.raises(TypeError, match="give the columns of probabilities"):
        HAND.ordinal.calibration("y")
    with pytest.raises(ValueError, match="n_draws=0 must be an integer of at least 1"):
        table(HAND, 3, n_draws=0)


def test_groups_of_many_are_those_of_one() -> None:
    df = drawn(3000, 4, 7).assign(g=np.random.default_rng(0).integers(0, 200, 3000))
    many, at = table(df, 4, by="g"), table(df, 4, by="g", thresholds=True)
    for g in (0, 57, 199):
        one = df[df["g"] == g]
        np.testing.assert_allclose(table(one, 4), many.loc[g], rtol=1e-9)
        np.testing.assert_allclose(table(one, 4, thresholds=True), at.loc[g], rtol=1e-7)


def test_bins_without_rows_have_no_numbers() -> None:
    df = HAND.assign(bin=pd.cut([1, 1, 5, 1, 5, 5], [0, 2, 4, 6]))
    found = table(df, 3, by="bin", n_draws=3)
    assert found["n"].tolist() == [3, 0, 3] and found["n"].dtype.kind == "i"
    assert found.drop(columns="n").iloc[1].isna().all()
    assert found["rps"].iloc[[0, 2]].notna().all()


def test_what_was_called_impossible_is_found_among_many_uncertain_rows() -> None:
    df = pd.DataFrame({0: 0.5, 1: 0.5, 2: 0.0, "y": [0, 1] * 100})
    assert table(df, 3)["p_large"] > 0.5
    wrong = df.assign(y=[*df["y"][1:], 2])
    assert table(wrong, 3)[["p_value", "p_large"]].tolist() == [0, 0]
    both = table(pd.concat([df.assign(g="right"), wrong.assign(g="wrong")]), 3, by="g")
    pd.testing.assert_series_equal(both.loc["right"], table(df, 3), check_names=False)
    assert both.loc["wrong", ["p_value", "p_large"]].tolist() == [0, 0]


@pytest.mark.parametrize("options", [{}, {"cluster": "c"}, {"sample_weight": "w"}])
@pytest.mark.parametrize("thresholds", [False, True])
def test_the_last_groups_may_be_without_rows(options: dict[str, Any], thresholds: bool) -> None:
    df = drawn(60, 3, 11)
    df["g"] = pd.cut(df[0], [-2, -1, 0.1, 0.3, 0.6, 1, 2])
    groups = df["g"].cat.categories
    df["y"] = df["y"].where(df["g"].isin(groups[2:4]))  # the labels of others are missing
    asked = {"thresholds": thresholds, "dropna": True, **options}
    found = table(df, 3, by="g", **asked)
    for group in groups[2:4]:
        alone = table(df[df["g"] == group], 3, **asked)
        np.testing.assert_allclose(found.loc[group], alone, rtol=1e-7, atol=1e-12)
    nothing = found.loc[[groups[0], groups[1], groups[4], groups[5]]]
    assert (nothing.filter(regex="^n") == 0).all(axis=None)
    assert nothing.loc[:, ~nothing.columns.str.startswith("n")].isna().all(axis=None)


def test_surfaces_agree() -> None:
    due = table(HAND, 3)
    proba = HAND[[0, 1, 2]]
    pd.testing.assert_series_equal(HAND["y"].ordinal.calibration(proba), due)
    models = HAND.ordinal.calibration("y", {"a": {k: k for k in range(3)}, "b": [0, 1, 2]})
    assert models.index.tolist() == ["a", "b"] and models.loc["a"].tolist() == due.tolist()
    grouped = HAND.groupby(HAND["y"] > 5).ordinal.calibration("y", [0, 1, 2])
    assert grouped.loc[False].tolist() == due.tolist()
    curve = HAND.ordinal.reliability_curve("y", [0, 1, 2])
    assert curve.columns.tolist() == ["low", "high", "forecast", "calibrated", "n"]
    assert curve.loc[0, "calibrated"].tolist() == [0.0, 0.5, 1.0]
    pd.testing.assert_frame_equal(HAND["y"].ordinal.reliability_curve(proba), curve)


@pytest.mark.parametrize("name", ["calibration", "reliability_curve", "plot_reliability"])
def test_other_surfaces_say_where_it_is(name: str) -> None:
    with pytest.raises(AttributeError, match=f"call df.ordinal.{name}"):
        getattr(HAND.to_xarray().ordinal, name)
