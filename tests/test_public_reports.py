"""Faults that people reported of other tools in public, each with the right value."""

from __future__ import annotations

from typing import Any

import brute
import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
from labelled import A01, LEVELS, grouped, ordered, predictions, score
from scipy import stats

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, MissingValueError, UndefinedMetricWarning
from pandas_ordinal.metrics import registry

SIX = 1e-6  # the list prints six digits


def test_the_order_is_that_of_the_dtype() -> None:
    assert score(A01, "kappa") == pytest.approx(0.727273, abs=SIX)
    assert score(A01, "kappa", weights="linear") == pytest.approx(0.586207, abs=SIX)
    assert score(A01, "kendall_tau") == pytest.approx(0.666667, abs=SIX)
    assert score(A01, "mae") == 0.375
    cube = A01.ordinal.confusion("y", "yhat")
    assert cube.indexes["true"].tolist() == cube.indexes["pred"].tolist() == LEVELS


def test_text_has_no_order() -> None:
    df = A01.astype(str)
    with pytest.raises(ClassOrderError, match=r"'y'.*as_ordered\(\[<lowest>, \.\.\., "):
        score(df, "kappa")
    assert score(df, "kappa", classes=LEVELS) == pytest.approx(0.727273, abs=SIX)


def test_numbers_as_text() -> None:
    df = predictions(["1", "2", "5", "10"], ["2", "2", "1", "5"])
    with pytest.raises(ClassOrderError, match="'y'"):
        score(df, "kappa")
    assert score(df, "kappa", classes=["1", "2", "5", "10"]) == pytest.approx(0.25)


def test_categories_may_be_a_subset() -> None:
    df = predictions(ordered(["x", "y"], list("xyz")), ordered(["x", "y"], list("xy")))
    assert score(df, "accuracy") == 1.0
    assert df["y"].ordinal.accuracy(df["yhat"]) == 1.0


def test_unobserved_classes_stay() -> None:
    df = predictions(ordered(["low", "high"]), ordered(["low", "low"]))
    cube = df.ordinal.confusion("y", "yhat")
    assert cube.values.tolist() == [[1, 0, 0], [0, 0, 0], [1, 0, 0]]
    assert cube.indexes["true"].tolist() == cube.indexes["pred"].tolist() == LEVELS


def test_observed_groups_and_declared_classes() -> None:
    df = A01.assign(model=pd.Categorical(["A"] * len(A01), categories=["A", "B"]))
    df = df[df["y"] != "mid"]
    report = df.ordinal.report("y", "yhat", by="model")
    assert report.index.tolist() == ["A"]
    cube = df.ordinal.confusion("y", "yhat", by="model")
    assert dict(cube.sizes) == {"model": 1, "true": 3, "pred": 3}
    observed = df.groupby("model", observed=False).ordinal.report("y", "yhat")
    assert observed.index.tolist() == ["A"]


def test_rank_statistics_use_the_declared_order() -> None:
    true, pred = A01["y"].cat.codes, A01["yhat"].cat.codes
    assert score(A01, "kendall_tau") == pytest.approx(0.666667, abs=SIX)
    assert score(A01, "kendall_tau") == pytest.approx(stats.kendalltau(true, pred).statistic)
    assert score(A01, "spearman") == pytest.approx(stats.spearmanr(true, pred).statistic)


def test_pooled_is_not_the_mean_over_folds() -> None:
    df = predictions([0, 1, 2, 1, 0], [0, 1, 2, 1, 2], fold=list("AAAAB"))
    cube = df.ordinal.confusion("y", "yhat", by="fold")
    assert float(cube.sum("fold").ordinal.mae()) == pytest.approx(0.4)
    assert float(cube.ordinal.mae().mean("fold")) == 1.0
    assert score(df, "mae") == pytest.approx(0.4)


def test_values_as_they_are_and_the_direction_apart() -> None:
    # There are no scorers and there is no best(); the registry holds the direction.
    report = A01.ordinal.report("y", "yhat", metrics="all")
    assert report["mae"] == 0.375
    assert (report[["mae", "mse", "rmse", "amae", "oci", "stc"]] >= 0).all()
    lower = {"mae", "mse", "rmse", "amae", "mmae", "min_mae", "oci", "stc", "error_rate", "ndpm"}
    higher = {"accuracy", "accuracy_within", "kappa", "kendall_tau", "spearman", "r_int"}
    assert all(registry[name].greater_is_better is False for name in lower)
    assert all(registry[name].greater_is_better is True for name in higher)


def test_a_fold_without_a_class() -> None:
    # There is no column of missing classes: class_recall is NaN for exactly these.
    df = A01.assign(fold=[1, 1, 2, 1, 1, 2, 2, 1])
    df = df[(df["fold"] == 1) | (df["y"] != "mid")]
    recall = score(df, "class_recall", by="fold")
    missing = set(recall.index[recall.isna()])
    seen = set(zip(df["fold"], df["y"], strict=True))
    assert missing == {(f, c) for f in (1, 2) for c in LEVELS} - seen == {(2, "mid")}
    report = df.ordinal.report("y", "yhat", by="fold")
    assert report["n"].tolist() == [5, 3]
    assert report["mae"].notna().all()
    many = predictions([0] * 6, [0] * 6, fold=range(6))
    with pytest.warns(UndefinedMetricWarning) as caught:
        score(many, "kappa", by="fold", classes=[0, 1])
    assert len(caught) == 1


def test_a_predicted_class_that_is_never_true() -> None:
    df = predictions(ordered(["a", "a"], list("ab")), ordered(["a", "b"], list("ab")))
    assert score(df, "amae") == 0.5
    assert score(df, "mmae") == 0.5
    npt.assert_array_equal(score(df, "class_mae"), [0.5, np.nan])


def test_rare_classes_and_distances() -> None:
    df = predictions([1, 1, 1, 1, 1, 2], [1, 2, 1, 2, 1, 2])
    assert score(df, "mae") == pytest.approx(0.333333, abs=SIX)
    assert score(df, "amae") == pytest.approx(0.2)
    true = list("AAAAAAAABC")
    tools = {"B": (0.1, 0.041667, 0.883721, 1.0), "C": (0.2, 0.083333, 0.636364, 0.9)}
    for error, expected in tools.items():
        tool = predictions(true, [error, *true[1:]])
        names = ["mae", "amae", "kappa", "accuracy_within"]
        report = tool.ordinal.report(
            "y", "yhat", metrics=[*names, "accuracy"], classes=list("ABC")
        )
        assert report[names].tolist() == pytest.approx(expected, abs=SIX)
        assert report["accuracy"] == pytest.approx(0.9)


def test_one_class_in_both_columns() -> None:
    df = predictions(list("aaa"), list("aaa"))
    options: dict[str, Any] = {"classes": list("abc")}
    for weights in ("identity", "linear", "quadratic", "ordinal", "radical", "bipolar"):
        with pytest.warns(UndefinedMetricWarning):
            assert np.isnan(score(df, "kappa", weights=weights, **options))
    for name in ("kendall_tau", "spearman"):
        with pytest.warns(UndefinedMetricWarning, match=name):
            assert np.isnan(score(df, name, **options))
    values = {"accuracy": 1, "mae": 0, "amae": 0, "oci": 0}
    assert {name: score(df, name, **options) for name in values} == values
    assert np.isfinite(score(df, "r_int", **options))
    assert score(df.assign(g=1), "mae", by="g", **options).fillna(0).tolist() == [0]


def test_kappa_uses_declared_positions() -> None:
    df = predictions([1, 2, 5, 5, 1], [1, 5, 5, 2, 1])
    assert score(df, "kappa") == pytest.approx(0.464286, abs=SIX)
    assert score(df, "kappa", classes=[1, 2, 5]) == pytest.approx(0.75)
    for weights in ("quadratic", "linear"):
        five = score(df, "kappa", weights=weights, classes=range(1, 6))
        six = score(df, "kappa", weights=weights, classes=range(1, 7))
        assert six == pytest.approx(five, rel=1e-12)


def test_within_one_on_both_sides() -> None:
    df = predictions([1, 1, 1, 2], [0, 2, 1, 0])
    assert score(df, "accuracy_within") == 0.75
    assert score(df, "accuracy_within", k=0) == score(df, "accuracy") == 0.25
    assert score(df, "accuracy_within", k=2) == 1.0
    assert score(df, "accuracy_within", k=9) == 1.0


def test_tau_of_many_groups() -> None:
    df = grouped(1000, 20)
    df.loc[df.sample(500, random_state=0).index, "yhat"] = np.nan
    found = df.ordinal.confusion("y", "yhat", by="g", dropna=True).ordinal.kendall_tau()
    assert found.dims == ("g",) and len(found) == 1000
    for g in range(0, 1000, 37):
        rows = df[(df["g"] == g) & df["yhat"].notna()]
        expected = stats.kendalltau(rows["y"].cat.codes, rows["yhat"].cat.codes).statistic
        assert float(found.sel(g=g)) == pytest.approx(expected, rel=1e-12)


def test_names_of_tau() -> None:
    df = predictions([0, 0, 0, 1, 1, 1, 3, 3], [0, 0, 1, 1, 1, 3, 3, 3])
    assert score(df, "kendall_tau") == pytest.approx(0.809524, abs=SIX)
    assert score(df, "kendall_tau", variant="c") == pytest.approx(0.708333, abs=SIX)
    observed = score(df, "kendall_tau", variant="c", classes=[0, 1, 3])
    assert observed == pytest.approx(0.796875)
    perfect = predictions([0] * 7 + [1], [0] * 7 + [1])
    assert score(perfect, "kendall_tau", variant="c") == pytest.approx(0.4375)
    assert "SciPy" in po.metrics.kendall_tau.__doc__


@pytest.mark.parametrize("name", ["kendall_tau", "spearman"])
def test_one_constant_model(name: str) -> None:
    constant = ordered(["mid"] * len(A01))
    df = A01.assign(constant=constant)
    with pytest.warns(UndefinedMetricWarning) as caught:
        found = getattr(df.ordinal, name)("y", ["yhat", "constant"])
    assert len(caught) == 1
    assert "'constant'" in str(caught[0].message) and "'yhat'" not in str(caught[0].message)
    assert np.isnan(found["constant"]) and found["yhat"] == score(A01, name)
    assert np.isfinite(df.ordinal.r_int("y", "constant"))


RANKS = ["kendall_tau", "spearman", "goodman_kruskal_gamma", "somers_d", "r_int", "ndpm"]


@pytest.mark.parametrize("name", [*RANKS, "kappa", "mae", "oci"])
def test_missing_values_are_never_ranked(name: str) -> None:
    df = brute.frame(60)
    df.loc[3:9, "yhat"] = np.nan
    df.loc[[5, 30], "y"] = np.nan
    kept = df.dropna(subset=["y", "yhat"])
    with pytest.raises(MissingValueError, match="'y' holds 2 missing values"):
        score(df, name)
    assert score(df, name, dropna=True) == score(kept, name)
    assert df.ordinal.report("y", "yhat", dropna=True)["n"] == len(kept) == 52


@pytest.mark.parametrize("name", ["kendall_tau", "spearman", "kappa", "mae"])
def test_reversed_orders(name: str) -> None:
    df = brute.frame(60)
    classes = df["y"].cat.categories.tolist()
    text = df.astype({"y": object, "yhat": object})
    both = score(text, name, classes=classes[::-1])
    assert both == pytest.approx(score(df, name), rel=1e-12)
    if name in ("kendall_tau", "spearman"):
        flipped = text.assign(
            yhat=text["yhat"].map(dict(zip(classes, classes[::-1], strict=True)))
        )
        assert score(flipped, name, classes=classes) == pytest.approx(-both, rel=1e-12)


def test_the_continuous_formula_of_quadratic_kappa() -> None:
    true, pred = np.array([0, 1, 2, 2, 0]), np.array([0, 2, 2, 0, 0])
    cov = np.mean((true - true.mean()) * (pred - pred.mean()))
    gap = true.mean() - pred.mean()
    continuous = 2 * cov / (true.var() + pred.var() + gap**2)
    assert continuous == pytest.approx(0.444444, abs=1e-6)
    df = pd.DataFrame({"y": true, "yhat": pred})
    assert df.ordinal.kappa("y", "yhat", weights="quadratic") == pytest.approx(
        continuous, rel=1e-12
    )


# what other tools return


@pytest.mark.parametrize(
    ("name", "true", "pred", "classes", "right"),
    [
        ("amae", [0, 0, 2, 2], [0, 1, 2, 1], None, 0.5),
        ("accuracy_within", [0, 0, 0, 1], [0, 3, 3, 1], None, 0.5),
        ("amae", [1, 1, 5, 5], [5, 5, 1, 1], range(1, 6), 4),
        ("accuracy_within", [1, 1, 5, 5], [5, 5, 1, 1], range(1, 6), 0),
        ("mae", [0, 3], [3, 0], [0, 1, 2, 3], 3),
        ("mse", np.array([0, 19], "int8"), np.array([19, 0], "int8"), range(20), 361),
    ],
)
def test_peers(name: str, true: Any, pred: Any, classes: Any, right: float) -> None:
    assert score(predictions(true, pred), name, classes=classes) == right


def test_peers_spearman_is_not_pearson() -> None:
    df = predictions([0, 0, 1, 2, 3, 0, 0], [0, 1, 1, 2, 3, 0, 1])
    assert score(df, "spearman") == pytest.approx(0.8465, abs=5e-5)
    assert score(df, "pearson") == pytest.approx(0.9165, abs=5e-5)


@pytest.mark.parametrize("column", ["y", "yhat"])
def test_peers_missing_categories_are_no_classes(column: str) -> None:
    df = A01.copy()
    df.loc[0, column] = np.nan
    assert (df[column].cat.codes == -1).sum() == 1
    with pytest.raises(MissingValueError, match=f"{column!r} holds 1 missing value:"):
        score(df, "amae")
    assert score(df, "amae", dropna=True) == score(A01[1:], "amae")
