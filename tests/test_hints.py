"""Errors about names of other libraries, and misspelt ones, suggest the name that is meant."""

from __future__ import annotations

import copy
import functools
import pickle
import re
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal.counterparts import (
    ANSWERS,
    CALLS,
    IN_METRICS,
    IN_PLOT,
    IN_SKLEARN,
    METHODS,
    METRICS,
    NOT_HERE,
    PARAMETERS,
)
from pandas_ordinal.errors import closest
from pandas_ordinal.query import Comparison, Query, Uncertainty

DF = pd.DataFrame({"g": list("aabb"), "y": [0, 1, 2, 2], "yhat": [0, 1, 1, 2]})
CUBE = DF.ordinal.confusion("y", "yhat", by="g")
OBJECTS: dict[str, Any] = {
    "frame": DF,
    "groupby": DF.groupby("g"),
    "series": DF["y"],
    "cube": CUBE,
    "array": xr.DataArray([0, 1, 2], dims="case"),
    "dataset": DF.to_xarray(),
}


# the tables


@pytest.mark.parametrize("name", METRICS)
def test_hints_lead_to_what_there_is(name: str) -> None:
    here, _, option = METRICS[name].partition("(")
    assert hasattr(DF.ordinal, here)
    if option:
        given, _, value = option.rstrip(")").partition("=")
        kernel = functools.partial(getattr(po.metrics, here), **{given: value.strip('"')})
        assert po.metrics.resolve(kernel).metric.name == here
        assert np.isfinite(kernel(CUBE.sum("g").to_numpy()))


def test_hints_at_other_names_lead_to_the_same_number() -> None:
    y, yhat = np.array([0, 0, 1, 2, 2, 2, 1]), np.array([0, 1, 1, 2, 1, 2, 0])
    frame = pd.DataFrame({"y": y, "yhat": yhat})
    apart = y.mean() - yhat.mean()
    concordance = 2 * np.cov(y, yhat, ddof=0)[0, 1] / (y.var() + yhat.var() + apart**2)
    assert frame.ordinal.kappa("y", "yhat", weights="quadratic") == pytest.approx(concordance)
    right, chance = (y == yhat).mean(), sum((y == k).mean() * (yhat == k).mean() for k in range(3))
    heidke = (right - chance) / (1 - chance)
    assert frame.ordinal.kappa("y", "yhat", weights="identity") == pytest.approx(heidke)
    pooled = sum((((y == k).mean() + (yhat == k).mean()) / 2) ** 2 for k in range(3))
    fleiss = (right - pooled) / (1 - pooled)
    assert frame.ordinal.scott_pi("y", "yhat", weights="identity") == pytest.approx(fleiss)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("auroc", "auroc is u_pairs here"),
        ("rpss", "rpss is rps_skill here"),
        ("heidke_score", 'heidke_score is kappa(weights="identity") here'),
        ("gmss", "gmss is gerrity here"),
        ("GSS", "GSS is gerrity here; the Gilbert skill score, of two classes, is not offered"),
        ("hanssen_kuipers", "hanssen_kuipers is peirce here"),
        ("true_skill_statistic", "true_skill_statistic is peirce here"),
        ("ac1", 'ac1 is gwet_ac(weights="identity") here'),
        ("ac2", "ac2 is gwet_ac here; for more raters call agreement([...])"),
        ("fleiss_kappa", 'call agreement([...], weights="identity")'),
        ("light_kappa", 'call agreement([...], weights="identity")'),
        ("conger_kappa", "call agreement([...])"),
        ("icc", "icc is not available: kappa, and for more raters agreement([...])"),
        ("kendall_w", "kendall_w is not a metric: po.friedman has it"),
        ("mamse", "mamse is not available: amae"),
        ("users_accuracy", "users_accuracy is class_precision here"),
        (
            "corp",
            "corp is not available as one number: rps_mcb, rps_dsc and rps_unc are the parts",
        ),
        ("brier_decomposition", "brier_decomposition is not available as one number: rps_mcb"),
    ],
)
def test_names_that_look_like_others(name: str, hint: str) -> None:
    with pytest.raises(AttributeError, match=re.escape(f"; {hint}")):
        getattr(DF.ordinal, name)


def test_hints_are_no_synonyms() -> None:
    assert not METRICS.keys() & po.metrics.registry.keys()
    assert not any(hasattr(obj.ordinal, name) for obj in OBJECTS.values() for name in METRICS)
    known = vars(Query()).keys() | vars(Uncertainty()).keys() | vars(Comparison()).keys()
    assert set(PARAMETERS.values()) <= known | {"metrics", "id"}
    assert not NOT_HERE.keys() & (METRICS.keys() | po.metrics.registry.keys())
    for name in METHODS:
        assert hasattr(CUBE.ordinal, name) and not hasattr(DF.ordinal, name)
    assert not PARAMETERS.keys() & ANSWERS.keys()


@pytest.mark.slow
def test_scikit_learns_names_are_known() -> None:
    from sklearn import metrics

    of_scikit_learn = [
        "accuracy_score", "balanced_accuracy_score", "cohen_kappa_score", "mean_absolute_error",
        "mean_squared_error", "root_mean_squared_error", "recall_score", "zero_one_loss",
        "roc_auc_score", "brier_score_loss", "confusion_matrix", "classification_report",
    ]  # fmt: skip
    for name in of_scikit_learn:
        assert hasattr(metrics, name) and name in METRICS


# metrics by name


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("qwk", '; qwk is kappa(weights="quadratic") here'),
        ("QWK", '; QWK is kappa(weights="quadratic") here'),
        ("quadratic_weighted_kappa", 'is kappa(weights="quadratic") here'),
        (
            "cohen_kappa_score",
            "cohen_kappa_score is kappa here, whose weights are quadratic by default; "
            'scikit-learn\'s default is weights="identity"',
        ),
        ("weighted_kappa", 'is kappa(weights="linear") here'),
        ("mean_absolute_error", "is mae here"),
        ("neg_mean_absolute_error", "neg_mean_absolute_error is mae here"),
        ("average_mean_absolute_error", "is amae here"),
        ("maximum_mean_absolute_error", "is mmae here"),
        ("balanced_accuracy_score", "is balanced_accuracy here"),
        ("accuracy_score", "is accuracy here"),
        ("recall", "is class_recall here"),
        ("precision", "is class_precision here"),
        ("ppv", "is class_precision here"),
        ("npv", "is class_npv here"),
        ("maximum_mae", "is mmae here"),
        ("macro_mae", "is amae here"),
        ("ma_mae", "is amae here"),
        ("auc", "is u_pairs here"),
        ("gamma", "is goodman_kruskal_gamma here"),
        ("tau_b", "is kendall_tau here"),
        ("alpha", "is krippendorff_alpha here"),
        ("accuracy_1", "is accuracy_within here"),
        ("ranked_probability_score", "is rps here"),
        ("miscalibration", "is rps_mcb here"),
        ("dsc", "is rps_dsc here"),
        ("mea", "did you mean 'mae'"),
    ],
)
def test_metrics_of_a_report(name: str, hint: str) -> None:
    calls: list[Callable[[], object]] = [
        lambda: DF.ordinal.report("y", "yhat", metrics=["mae", name]),
        lambda: DF.ordinal.report("y", "yhat", metrics={"own": name}),
        lambda: CUBE.ordinal.report(metrics=[name]),
        lambda: DF.ordinal.compare("y", ["yhat", "y"], metrics=[name]),
        lambda: DF.ordinal.best_thresholds("y", "yhat", metric=name),
        lambda: po.metrics.resolve(name),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=f"unknown metric {name!r}.*{re.escape(hint)}"):
            call()


NEAR = {
    "f1": ["balanced_accuracy", "class_recall", "amae", "mmae"],
    "macro_f1": ["balanced_accuracy"],
    "mcc": ['kappa(weights="identity")'],
    "matthews_corrcoef": ["kappa"],
    "icc": ["kappa"],
}


@pytest.mark.parametrize("name", NEAR)
def test_metrics_that_are_not_available(name: str) -> None:
    calls: list[Callable[[], object]] = [
        lambda: DF.ordinal.report("y", "yhat", metrics=[name]),
        lambda: po.metrics.resolve(name),
        lambda: getattr(DF.ordinal, name),
        lambda: getattr(CUBE.ordinal, name),
    ]
    for call in calls:
        with pytest.raises(
            (ValueError, AttributeError), match="not (available|offered)"
        ) as caught:
            call()
        message = str(caught.value)
        assert "did you mean" not in message
        assert ("ignores the order" in message) == ("not offered" in message)
        assert "list(po.metrics.registry)" in message
        assert all(near in message for near in NEAR[name])
        assert ("order of the classes" in message) == (name not in ("icc", "ece"))


@pytest.mark.parametrize("name", ["r2", "roc", "acc", "dice", "iou", "nll", "cem_ord"])
def test_short_names_are_not_guessed(name: str) -> None:
    with pytest.raises(ValueError, match=f"unknown metric {name!r}; the metrics are "):
        po.metrics.resolve(name)


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ("mae", r"for one metric give metrics=\['mae'\]"),
        ("mea", r"such as metrics=\['mae', 'oci'\]; did you mean 'mae'\?"),
        ("qwk", "; qwk is kappa"),
        ("default", r"such as metrics=\['mae', 'oci'\]$"),
    ],
)
def test_one_metric_where_a_list_is_due(given: Any, hint: str) -> None:
    with pytest.raises(ValueError, match=f"metrics='{given}' must be a list.*{hint}"):
        DF.ordinal.report("y", "yhat", metrics=given)


def test_a_report_of_other_names_says_which_metric_a_label_may_be() -> None:
    report = pd.DataFrame({"qwk": [0.5, 0.7]}, index=["a", "b"])
    with pytest.raises(ValueError, match="'qwk' is not a metric; qwk is kappa"):
        po.pareto(report)


# methods


@pytest.mark.parametrize("kind", OBJECTS)
def test_misspelt_methods(kind: str) -> None:
    accessor = OBJECTS[kind].ordinal
    for name, hint in {
        "qwk": 'qwk is kappa(weights="quadratic") here',
        "ocii": "did you mean 'oci'?",
        "balanced_accuracy_score": "balanced_accuracy_score is balanced_accuracy here",
        "confusion_matrix": "confusion_matrix is confusion here",
        "classification_report": "classification_report is class_report here",
        "sensitivity_specificity": "sensitivity_specificity is cut_report here",
        "reprot": "did you mean 'report'?",
    }.items():
        assert not hasattr(accessor, name)
        with pytest.raises(AttributeError) as caught:
            getattr(accessor, name)
        message = f"{type(accessor).__name__!r} object has no attribute {name!r}; {hint}"
        assert str(caught.value) == message
    with pytest.raises(AttributeError, match="has no attribute 'wxyz'$"):
        _ = accessor.wxyz


def test_a_traceback_suggests_a_name_once() -> None:
    with pytest.raises(AttributeError) as caught:
        _ = DF.ordinal.ocii
    written = "".join(traceback.format_exception(caught.value))
    assert written.lower().count("did you mean") == 1


def test_errors_of_names_have_the_name() -> None:
    for owner, name in (
        (po, "reprot"),
        (po.metrics, "ocii"),
        (po.plot, "rocs"),
        (DF.ordinal, "x"),
    ):
        with pytest.raises(AttributeError) as caught:
            getattr(owner, name)
        assert caught.value.name == name
        written = "".join(traceback.format_exception(caught.value))
        assert written.lower().count("did you mean") <= 1


@pytest.mark.parametrize("kind", OBJECTS)
def test_what_looks_for_attributes_that_are_not_there_still_works(kind: str) -> None:
    accessor = OBJECTS[kind].ordinal
    assert getattr(accessor, "_ipython_canary_method_should_not_exist_", None) is None
    with pytest.raises(AttributeError) as caught:
        _ = accessor._table_
    assert "did you mean" not in str(caught.value)
    assert {"oci", "kappa", "report", "confusion"} <= set(dir(accessor))
    for again in (copy.copy(accessor), copy.deepcopy(accessor)):
        assert repr(again) == repr(accessor)
    if kind != "groupby":  # pandas pickles none
        assert repr(pickle.loads(pickle.dumps(accessor))) == repr(accessor)


@pytest.mark.parametrize("kind", ["frame", "groupby", "series"])
def test_methods_of_cubes(kind: str) -> None:
    with pytest.raises(AttributeError, match=r"call confusion\(\.\.\.\)\.ordinal\.plot\(\)$"):
        _ = OBJECTS[kind].ordinal.plot
    assert CUBE.ordinal.plot


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("forest", "call po.plot.forest(report)"),
        ("style", "call po.style(report)"),
        ("to_latex", "call po.style(report).to_latex()"),
        ("to_html", "call po.style(report).to_html()"),
        ("bootstrap", 'call report(..., method="bootstrap")'),
        (
            "save",
            'save a cube with confusion(...).ordinal.to_netcdf("cube.nc"), and predictions with '
            'df.ordinal.to_parquet("predictions.parquet")',
        ),
    ],
)
def test_what_is_done_with_reports(name: str, hint: str) -> None:
    assert name in CALLS
    for obj in OBJECTS.values():
        assert not hasattr(obj.ordinal, name)
        with pytest.raises(AttributeError, match=rf"{name!r}; {re.escape(hint)}$"):
            getattr(obj.ordinal, name)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("mae", "po.metrics.mae takes confusion matrices, and df.ordinal.mae columns"),
        ("vus", "po.metrics.vus takes arrays, and df.ordinal.vus columns"),
        ("report", "call df.ordinal.report(...)"),
        ("compare", "call df.ordinal.compare(...)"),
        ("qwk", 'qwk is kappa(weights="quadratic") here'),
        ("confusion_matrix", "confusion_matrix is confusion here"),
        ("open_cub", "did you mean 'open_cube'?"),
    ],
)
def test_what_is_looked_for_in_the_module(name: str, hint: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(po, name)
    assert str(caught.value) == f"module 'pandas_ordinal' has no attribute {name!r}; {hint}"
    assert not hasattr(po, "wxyz")


@pytest.mark.parametrize(
    ("module", "name", "hint"),
    [
        ("metrics", "qwk", 'qwk is kappa(weights="quadratic") here'),
        ("metrics", "neg_mean_absolute_error", "neg_mean_absolute_error is mae here"),
        ("metrics", "mea", "did you mean 'mae'?"),
        ("metrics", "confusion_matrix", "call po.confusion(true, pred)"),
        ("sklearn", "cross_val_fram", "did you mean 'cross_val_frame'?"),
        ("sklearn", "make_scorer", IN_SKLEARN["make_scorer"]),
        ("plot", "heatmap", "call cube.ordinal.plot()"),
        ("plot", "forrest", "did you mean 'forest'?"),
    ],
)
def test_names_that_a_module_lacks(module: str, name: str, hint: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(getattr(po, module), name)
    where = f"module 'pandas_ordinal.{module}' has no attribute"
    assert str(caught.value) == f"{where} {name!r}; {hint}"
    for unheard in ("wxyz", "_qwk", "__mae__"):
        with pytest.raises(AttributeError, match=f"{where} {unheard!r}$"):
            getattr(getattr(po, module), unheard)


def test_the_calibration_error_is_a_column() -> None:
    call = re.escape('calibration("y", proba=[...])')
    with pytest.raises(ValueError, match=f"unknown metric 'ece'; .*{call}"):
        DF.ordinal.report("y", "yhat", metrics=["ece"])
    with pytest.raises(AttributeError, match=call):
        _ = DF.ordinal.ece


def test_hints_of_modules_lead_to_what_there_is() -> None:
    tables = {po.metrics: IN_METRICS, po.sklearn: IN_SKLEARN, po.plot: IN_PLOT}
    roots = {"po": po, "df": DF, "cube": CUBE}
    for module, table in tables.items():
        assert pickle.loads(pickle.dumps(getattr(module, module.__all__[0])))
        for name, hint in table.items():
            assert not hasattr(module, name)
            [path] = re.findall(r"\b(?:po|df|cube)[.\w]+", hint)
            root, *names = path.split(".")
            assert callable(functools.reduce(getattr, names, roots[root])) or path == "po.metrics"


def test_private_names_are_never_meant() -> None:
    with pytest.raises(AttributeError) as caught:
        _ = DF.ordinal.table
    assert "_table" not in str(caught.value)


# keywords


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (lambda: DF.ordinal.mae("y", "yhat", labels=[0, 1, 2]), "labels= is classes= here"),
        (lambda: DF.ordinal.mae("y", "yhat", weights=None), "weights= is sample_weight= here"),
        (lambda: DF.ordinal.kappa("y", "yhat", weights=None), "the unweighted kappa.*'identity'"),
        (lambda: DF.ordinal.mae(y_true="y", y_pred="yhat"), "y_true= is true= here"),
        (lambda: DF.ordinal.mae("y", y_pred="yhat"), "y_pred= is pred= here"),
        (lambda: DF["y"].ordinal.mae(y_pred=DF["yhat"]), "y_pred= is pred= here"),
        (lambda: DF.ordinal.rps("y", y_prob=["a"]), "y_prob= is proba= here"),
        (lambda: DF.ordinal.vus("y", y_score="yhat"), "y_score= is score= here"),
        (lambda: DF.ordinal.class_recall("y", "yhat", average="macro"), "balanced_accuracy"),
        (lambda: DF.ordinal.confusion("y", "yhat", normalize="true"), r"normalize\(\"true\"\)"),
        (lambda: DF.ordinal.mae("y", "yhat", ci=0.95), r'report\(.*metrics=\["mae"\], ci=0.95\)'),
        (lambda: DF.ordinal.oci("y", "yhat", se=True), r'metrics=\["oci"\], se=\.\.\.'),
        (lambda: CUBE.ordinal.mae(ci=0.95), r'report\(.*metrics=\["mae"\], ci=0.95\)'),
        (lambda: DF.groupby("g").ordinal.mae("y", "yhat", by="g"), "already has keys"),
        (
            lambda: DF["y"].ordinal.mae(DF["yhat"], by="g"),
            r"of their frame, as in df\.ordinal\.mae\(\.\.\., by=\"model\"\)$",
        ),
        (lambda: DF.ordinal.most_likely(["y"], by="g"), "argument 'by'$"),
        (lambda: DF.ordinal.to_parquet("p", by="g"), "argument 'by'$"),
        (lambda: CUBE.ordinal.normalize("true", groups="g"), "argument 'groups'$"),
        (lambda: DF.ordinal.summary("y", "yhat", over="g", labels=[0, 1, 2]), "is classes= here"),
        (lambda: DF.ordinal.compare("y", ["yhat", "y"], labels=[0]), "labels= is classes= here"),
        (lambda: DF.ordinal.compare("y", ["yhat", "y"], metric="mae"), "metric= is metrics= here"),
        (lambda: DF.ordinal.accuracy_curve("y", "yhat", weights="g"), "is sample_weight= here"),
        (lambda: DF["y"].ordinal.as_ordered(labels=[0, 1, 2]), "labels= is classes= here"),
        (lambda: CUBE.ordinal.normalize(axis="true"), "normalize"),
        (lambda: DF.ordinal.compare("y", ["yhat", "y"], paired=True), "always compares models on"),
        (
            lambda: DF.ordinal.compare("y", ["yhat", "y"], alpha=0.1),
            "ci=0.95 stands for alpha=0.05",
        ),
        (lambda: DF.ordinal.mae("y", "yhat", alpha=0.1), "ci=0.95 stands for alpha=0.05"),
        (lambda: DF.ordinal.report("y", "yhat", confidence_level=0.9), "is ci= here"),
        (lambda: DF.ordinal.report("y", "yhat", confidence=0.9), "confidence= is ci= here"),
        (lambda: DF.ordinal.report("y", "yhat", nan_policy="omit"), "nan_policy= is dropna= here"),
        (
            lambda: DF.ordinal.compare("y", ["yhat", "y"], baseline="y"),
            "baseline= is reference= here",
        ),
        (lambda: DF.ordinal.report("y", "yhat", level=0.9), "level= is ci= here"),
        (lambda: DF.ordinal.mae("y", "yhat", level=0.9), r'metrics=\["mae"\], ci=0.95\)'),
        (lambda: DF.ordinal.mae("y", "yhat", categories=[0]), "categories= is classes= here"),
        (lambda: DF.ordinal.mae("y", "yhat", order=[0]), "order= is classes= here"),
        (lambda: DF.ordinal.report("y", "yhat", target_names=[0]), "is classes= here"),
        (lambda: DF.ordinal.report("y", "yhat", random_state=0), "random_state= is seed= here"),
        (lambda: DF.ordinal.compare("y", ["yhat"], random_state=0), "is seed= here"),
        (lambda: DF.ordinal.mae("y", "yhat", groups="g"), "groups= is by= here"),
        (
            lambda: DF.ordinal.report("y", "yhat", groups="g"),
            "; groups= is cluster= here for rows that belong together, such as those of "
            "GroupKFold, or by= for a result per group$",
        ),
        (lambda: DF.ordinal.compare("y", ["yhat", "y"], groups="g"), "is cluster= here.*or by="),
        (lambda: DF.ordinal.report("y", "yhat", scoring=["mae"]), "scoring= is metrics= here"),
        (
            lambda: po.sklearn.cross_val_frame({}, [], [], scoring="accuracy"),
            r'; score the returned frame: frame\.ordinal\.report\("y", "yhat", by="mode',
        ),
        (lambda: DF.groupby("g").ordinal.mae("y", "yhat", groups="g"), "already has keys"),
        (lambda: DF.ordinal.mae("y", "yhat", folds="g"), r'summary\(\.\.\., over="fold"\)'),
        (lambda: DF.ordinal.plot_roc("y", "yhat", figsize=(3, 4)), "set_size_inches"),
        (lambda: CUBE.ordinal.plot(figsize=(3, 4)), r"; set .*: axes\.figure\.set_size_inches\("),
        (
            lambda: CUBE.ordinal.plot(col="g", figsize=(3, 4)),
            r"panels\.flat\[0\]\.figure\.set_size_inches\(width, height\) with row= or col=$",
        ),
        (lambda: CUBE.ordinal.plot.class_mae(figsize=(3, 4)), "set_size_inches"),
        (lambda: po.style(pd.DataFrame({"mae": [1]}), caption="Models"), r"\.set_caption\("),
        (lambda: DF.ordinal.report("y", "yhat", cl=0.95), "unexpected keyword argument 'cl'$"),
    ],
)
def test_keywords_that_are_not_there(call: Callable[[], object], hint: str) -> None:
    with pytest.raises((TypeError, ValueError), match=hint):
        call()


def test_all_methods_answer_alike() -> None:
    for obj in OBJECTS.values():
        accessor = obj.ordinal
        for name in dir(accessor):
            if name.startswith("_") or not callable(getattr(type(accessor), name)):
                continue
            with pytest.raises(TypeError, match=rf"{type(accessor).__name__}\.{name}\(\): "):
                getattr(accessor, name)(colour="red")


def test_what_has_no_position_is_given_by_name() -> None:
    with pytest.raises(TypeError, match="too many .*by name: metrics=, score=, .*, ...$"):
        DF.ordinal.report("y", "yhat", "mae")
    with pytest.raises(TypeError, match=r"too many positional arguments; .*by name: row=, col="):
        CUBE.ordinal.plot("g")
    with pytest.raises(TypeError, match="missing a required argument: 'true'$"):
        DF.ordinal.report()


def test_swapped_letters_are_closest() -> None:
    assert closest("mea", ["mse", "mae"]) == "mae"
    assert closest("mea", ["mse"]) is None
    assert closest("xyz", ["mse"]) is None


def test_only_names_of_columns_become_one_list() -> None:
    for given, is_list in ((("yhat", "other"), True), (("yhat", 5), False), ((5, "yhat"), False)):
        with pytest.raises(TypeError, match="too many positional") as caught:
            DF.ordinal.mae("y", *given)
        assert ("give several columns or classes as one list" in str(caught.value)) == is_list


def test_a_long_name_given_by_position_is_shortened() -> None:
    for call in (
        lambda: DF.ordinal.mae("y", "yhat", "w" * 10_000),
        lambda: DF["y"].ordinal.as_ordered("low", "h" * 10_000),  # type: ignore[call-arg]
    ):
        with pytest.raises(TypeError, match="as one list") as caught:
            call()
        assert len(str(caught.value)) < 1000
