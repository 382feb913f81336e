"""Scorers know the order of the classes, whichever classes a fold has."""

from __future__ import annotations

import functools
import pickle
import re
from collections.abc import Iterator
from typing import Any

import brute
import numpy as np
import pandas as pd
import pytest
import sklearn
from oracles import errors, kappa, oci, of_matrices, probability
from oracles.close import assert_same
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.model_selection import (
    GridSearchCV,
    ParameterGrid,
    StratifiedKFold,
    cross_val_score,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, UnknownClassError

GRADES = ["low", "medium", "high"]
TREE = DecisionTreeClassifier(max_depth=2, random_state=0)
REGISTRY = po.metrics.registry
HAVE_NO_SCORER = {
    "bias": "no direction",
    "class_recall": "one number per class",
    "class_mae": "one number per class",
    "class_npv": "one number per class",
    "class_off_by_one": "one number per class",
    "class_precision": "one number per class",
    "class_specificity": "one number per class",
    "max_total_cost": "no direction",
    "rps_unc": "no direction",
    "log_loss_unc": "no direction",
    "cost_matrix": "one number per class",
    "max_interval_total_cost": "no direction",
    "interval_cost_matrix": "one number per class",
    "interval_lengths": "one number per class",
    "oci_path": "one number per class",
    "pairwise_auc": "one number per class",
    "consecutive_auc": "one number per class",
}


class Fixed(BaseEstimator):
    """Predicts the given labels, whatever it was fitted to."""

    def __init__(self, pred: Any = None, proba: Any = None, classes: Any = None) -> None:
        self.pred, self.proba, self.classes = pred, proba, classes

    def fit(self, X: Any, y: Any) -> Fixed:
        return self

    def predict(self, X: Any) -> Any:
        return self.pred

    def predict_proba(self, X: Any) -> Any:
        return self.proba

    @property
    def classes_(self) -> Any:
        return np.array(self.classes)


class Labels(ClassifierMixin, BaseEstimator):
    """Has labels only, and no score."""


def splits(rows: Any) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Two folds: one has no medium grade among its test rows, one none among its training rows."""
    medium = rows.codes == 1
    where = np.arange(len(rows.codes))
    yield where[::2], where[1::2][~medium[1::2]]
    yield where[1::2][~medium[1::2]], where[::2]


def counts(rows: Any, model: Any, train: Any, test: Any) -> np.ndarray:
    pred = clone(model).fit(rows.X[train], rows.y[train]).predict(rows.X[test])
    return brute.counts(rows.codes[test], brute.codes(pred, GRADES), 3)


# values


@pytest.mark.parametrize(
    ("name", "sign", "oracle"),
    [("kappa", 1, kappa.kappa), ("oci", -1, oci.oci), ("amae", -1, errors.amae)],
)
def test_folds_that_lack_a_class(rows: Any, name: str, sign: int, oracle: Any) -> None:
    scorer = po.sklearn.scorer(name, classes=GRADES)
    result = cross_val_score(
        TREE, rows.X, rows.y, scoring=scorer, cv=splits(rows), error_score="raise"
    )
    expected = [sign * oracle(counts(rows, TREE, *fold)) for fold in splits(rows)]
    assert_same(result, expected)


def test_a_dict_of_scorers(rows: Any) -> None:
    metrics = ["oci", po.metrics.kappa, functools.partial(po.metrics.kappa, weights="linear")]
    scoring = {str(i): po.sklearn.scorer(name, classes=GRADES) for i, name in enumerate(metrics)}
    result = cross_validate(TREE, rows.X, rows.y, scoring=scoring, cv=splits(rows))
    tables = [counts(rows, TREE, *fold) for fold in splits(rows)]
    assert_same(result["test_0"], [-oci.oci(table) for table in tables])
    assert_same(result["test_1"], [kappa.kappa(table) for table in tables])
    assert_same(result["test_2"], [kappa.kappa(table, weights="linear") for table in tables])


def test_scikit_learns_names_of_negated_errors() -> None:
    with pytest.raises(
        ValueError, match="; neg_oci is oci here: a scorer negates errors by itsel"
    ):
        po.sklearn.scorer("neg_oci", classes=GRADES)


def test_errors_are_negated_and_named_so() -> None:
    true, pred = np.array(GRADES), np.array(["low", "high", "high"])
    by_mae = po.sklearn.scorer("mae", classes=GRADES)
    assert by_mae.name == "neg_mae"
    assert repr(by_mae) == "neg_mae(classes=['low', 'medium', 'high'])"
    assert by_mae(Fixed(pred), None, true) == pytest.approx(-1 / 3)
    by_accuracy = po.sklearn.scorer("accuracy", classes=GRADES)
    assert by_accuracy.name == "accuracy"
    assert by_accuracy(Fixed(pred), None, true) == pytest.approx(2 / 3)


@pytest.mark.parametrize("name", REGISTRY)
def test_each_metric_makes_a_scorer_or_is_refused(rows: Any, name: str) -> None:
    metric = REGISTRY[name]
    if name in HAVE_NO_SCORER:
        with pytest.raises(ValueError, match=f"{name} .*{HAVE_NO_SCORER[name]}"):
            po.sklearn.scorer(name, classes=GRADES)
        return
    options = {} if metric.of_rows else of_matrices.some_options(name, 3)
    partial = functools.partial(metric.kernel, **options)
    bins = [0, 1, 3, 9] if metric.needs == "edges" else None
    scorer = pickle.loads(pickle.dumps(po.sklearn.scorer(partial, classes=GRADES, bins=bins)))
    model = GaussianNB().fit(rows.X, rows.y)
    proba = model.predict_proba(rows.X)[:, [1, 2, 0]]  # high, low, medium
    value: Any
    if metric.needs == "scores":
        score = proba @ [0, 1, 2]
        value = metric.kernel(rows.codes, score, 3)  # type: ignore[call-arg]
    elif metric.needs == "probabilities":
        value = metric.kernel(rows.codes, proba)
    else:
        table = brute.counts(rows.codes, proba.argmax(axis=1), 3)
        value = of_matrices.call(name, table, np.array([0.0, 1, 3, 9]))
    sign = 1 if metric.greater_is_better else -1
    assert_same(scorer(model, rows.X, rows.y), sign * value)


def test_a_scorer_can_be_looked_up(rows: Any) -> None:
    scorer = po.sklearn.scorer("oci", classes=GRADES)
    model = HistGradientBoostingClassifier(scoring=scorer, early_stopping=True, max_iter=1)
    assert np.isfinite(model.fit(rows.X, rows.y).validation_score_).all()


def test_an_undefined_metric_is_nan() -> None:
    scorer = po.sklearn.scorer("kappa", classes=GRADES)
    assert np.isnan(scorer(Fixed(["low", "low"]), None, ["low", "low"]))


def test_predictions_and_targets_in_a_column() -> None:
    scorer = po.sklearn.scorer("mae", classes=GRADES)
    pred = np.array([["low"], ["high"]])
    with pytest.warns(sklearn.exceptions.DataConversionWarning):
        assert scorer(Fixed(pred), None, np.array([["low"], ["medium"]])) == -0.5


def test_an_ordered_target(rows: Any) -> None:
    dtype = pd.CategoricalDtype(GRADES, ordered=True)
    y = pd.Series(rows.y, index=np.arange(90) // 2).astype(dtype)
    scorer = po.sklearn.scorer("oci", classes=y)
    plain = po.sklearn.scorer("oci", classes=GRADES)
    result = [
        cross_val_score(TREE, rows.X, target, scoring=scoring, cv=3, error_score="raise")
        for target, scoring in [(y, scorer), (rows.y, plain)]
    ]
    np.testing.assert_array_equal(*result)
    other = y.astype(pd.CategoricalDtype(GRADES[::-1], ordered=True))
    with pytest.raises(ClassOrderError, match="'y' declares"):
        scorer(TREE.fit(rows.X, rows.y), rows.X, other)


# probabilities and scores


def test_probabilities_are_matched_by_name(rows: Any) -> None:
    train, test = list(splits(rows))[1]
    model = GaussianNB().fit(rows.X[train], rows.y[train])
    assert model.classes_.tolist() == ["high", "low"]
    seen = model.predict_proba(rows.X[test])
    proba = np.column_stack([seen[:, 1], np.zeros(len(test)), seen[:, 0]])
    for name in ("rps", "brier", "log_loss"):
        scorer = po.sklearn.scorer(name, classes=GRADES)
        expected = -getattr(probability, name)(rows.codes[test].tolist(), proba.tolist())
        assert_same(scorer(model, rows.X[test], rows.y[test]), expected)


def test_the_score_of_two_classes_points_upwards(rows: Any) -> None:
    y = np.where(rows.codes > 0, "some", "none_at_all")
    for classes in (["none_at_all", "some"], ["some", "none_at_all"]):
        scorer = po.sklearn.scorer("u_pairs", classes=classes)
        decision = po.sklearn.scorer(
            "u_pairs", classes=classes, response_method="decision_function"
        )
        model = LogisticRegression().fit(rows.X, y)
        assert decision(model, rows.X, y) == scorer(model, rows.X, y) > 0.8
        assert scorer(RidgeClassifier().fit(rows.X, y), rows.X, y) > 0.8


def test_the_score_of_a_regressor(rows: Any) -> None:
    model = LinearRegression().fit(rows.X, rows.codes)
    scorer = po.sklearn.scorer("u_pairs", classes=range(3))
    expected = po.metrics.u_pairs(rows.codes, model.predict(rows.X), 3)
    assert scorer(model, rows.X, rows.codes) == expected


def test_no_score(rows: Any) -> None:
    scorer = po.sklearn.scorer("vus", classes=GRADES)
    with pytest.raises(ValueError, match="RidgeClassifier gives no score.*one number per row"):
        scorer(RidgeClassifier().fit(rows.X, rows.y), rows.X, rows.y)
    with pytest.raises(ValueError, match="Labels gives no score"):
        scorer(Labels(), rows.X, rows.y)
    by_label = po.sklearn.scorer("vus", classes=GRADES, response_method="predict")
    with pytest.raises(ValueError, match="DecisionTreeClassifier gives no score"):
        by_label(TREE.fit(rows.X, rows.y), rows.X, rows.y)
    with pytest.raises(ValueError, match="response_method='proba' must be \"auto\""):
        po.sklearn.scorer("vus", classes=GRADES, response_method="proba")  # type: ignore[arg-type]
    with pytest.raises(
        ValueError, match="is for metrics of scores, but oci is a metric of counts"
    ):
        po.sklearn.scorer("oci", classes=GRADES, response_method="predict")


def test_missing_methods(rows: Any) -> None:
    by_rps = po.sklearn.scorer("rps", classes=GRADES)
    with pytest.raises(ValueError, match="RidgeClassifier has no predict_proba"):
        by_rps(RidgeClassifier().fit(rows.X, rows.y), rows.X, rows.y)
    by_decision = po.sklearn.scorer("vus", classes=GRADES, response_method="decision_function")
    with pytest.raises(ValueError, match="DecisionTreeClassifier gives no score"):
        by_decision(TREE.fit(rows.X, rows.y), rows.X, rows.y)


# errors


@pytest.mark.parametrize(
    ("kernel", "options", "match"),
    [
        (po.metrics.kappa, {"weigths": "linear"}, "weigths"),
        (po.metrics.kappa, {"weights": "lin"}, "'lin'"),
        (po.metrics.expected_cost, {"costs": np.eye(2)}, r"\(2, 2\) must be 3 x 3"),
        (po.metrics.rps, {"normalised": True}, "normalised"),
        (po.metrics.rps_skill, {"reference": [1, 2]}, "reference"),
    ],
)
def test_wrong_options(kernel: Any, options: dict[str, Any], match: str) -> None:
    with pytest.raises((TypeError, ValueError), match=match):
        po.sklearn.scorer(functools.partial(kernel, **options), classes=GRADES)


def test_no_classes() -> None:
    with pytest.raises(
        ClassOrderError, match=r"needs classes=\[\.\.\.\].*a fold may lack a class"
    ):
        po.sklearn.scorer("oci")
    with pytest.raises(ClassOrderError, match="no order"):
        po.sklearn.scorer("oci", classes=set(GRADES))


def test_labels_that_are_not_classes(rows: Any) -> None:
    scorer = po.sklearn.scorer("oci", classes=["low", "high"])
    with pytest.raises(UnknownClassError, match="'y' holds .'medium'."):
        scorer(TREE.fit(rows.X, rows.y), rows.X, rows.y)
    by_rps = po.sklearn.scorer("rps", classes=["low", "high"])
    with pytest.raises(UnknownClassError, match="fitted to .'medium'., which classes="):
        by_rps(TREE, rows.X, rows.y)


def test_metrics_that_lack_an_option() -> None:
    with pytest.raises(ValueError, match="expected_cost needs costs="):
        po.sklearn.scorer("expected_cost", classes=GRADES)
    with pytest.raises(ValueError, match="bins="):
        po.sklearn.scorer("interval_stc", classes=GRADES)
    with pytest.raises(ValueError, match=re.escape("unbounded=(first, last)")):
        po.sklearn.scorer("interval_stc", classes=GRADES, bins=[-np.inf, 0, 1, np.inf])
    edged = functools.partial(po.metrics.interval_stc, edges=[0, 1, 3, 9])
    assert po.sklearn.scorer(edged, classes=GRADES).name == "neg_interval_stc"
    with pytest.raises(ValueError, match="not a known metric"):
        po.sklearn.scorer(lambda table: 1.0, classes=GRADES)


# the search


def by_hand(rows: Any, model: Any, grid: dict[str, list[Any]]) -> dict[str, Any]:
    """The parameters with the lowest mean OCI over folds, by a loop."""
    best, lowest = {}, np.inf
    for parameters in ParameterGrid(grid):
        result = [
            oci.oci(counts(rows, clone(model).set_params(**parameters), train, test))
            for train, test in StratifiedKFold(3).split(rows.X, rows.y)
        ]
        if np.mean(result) < lowest:
            best, lowest = parameters, np.mean(result)
    return best


GRID = {"max_depth": [1, 2, 3, 5], "min_samples_leaf": [1, 8]}


def test_a_search_agrees_with_a_loop(rows: Any) -> None:
    scorer = po.sklearn.scorer("oci", classes=GRADES)
    search = GridSearchCV(TREE, GRID, scoring=scorer, cv=3, error_score="raise")
    assert clone(search).fit(rows.X, rows.y).best_params_ == by_hand(rows, TREE, GRID)


@pytest.mark.slow
def test_a_search_on_two_processes(rows: Any) -> None:
    scorer = po.sklearn.scorer("oci", classes=GRADES)
    search = GridSearchCV(TREE, GRID, scoring=scorer, cv=3, n_jobs=2, error_score="raise")
    assert search.fit(rows.X, rows.y).best_params_ == by_hand(rows, TREE, GRID)


# weights


def test_weights(rows: Any) -> None:
    weights = np.arange(90) % 4
    model = TREE.fit(rows.X, rows.y)
    table = brute.counts(rows.codes, brute.codes(model.predict(rows.X), GRADES), 3, weights)
    scorer = po.sklearn.scorer("mae", classes=GRADES)
    expected = -errors.mae(table)
    assert_same(scorer(model, rows.X, rows.y, sample_weight=weights), expected)
    search = GridSearchCV(TREE, {}, scoring={"mae": scorer}, refit="mae", cv=3)
    search.fit(rows.X, rows.y, sample_weight=weights)


def test_weights_are_routed(rows: Any) -> None:
    weights = np.arange(90) % 4
    model = DummyClassifier(strategy="constant", constant="low")
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = po.sklearn.scorer("mae", classes=GRADES).set_score_request(sample_weight=True)
        result = cross_validate(
            model.set_fit_request(sample_weight=False), rows.X, rows.y, scoring=scorer,
            cv=splits(rows), params={"sample_weight": weights}, error_score="raise",
        )  # fmt: skip
    expected = [-np.average(rows.codes[t], weights=weights[t]) for _, t in splits(rows)]
    assert_same(result["test_score"], expected)


@pytest.mark.parametrize("name", ["oci", "vus", "rps"])
def test_a_kernel_is_not_a_scorer(rows: Any, name: str) -> None:
    kernel = getattr(po.metrics, name)
    way = re.escape(f'as scoring= give po.sklearn.scorer("{name}", classes=[')
    with pytest.raises(TypeError, match=f"^{name} does not take an estimator.*{way}"):
        cross_val_score(TREE, rows.X, rows.y, scoring=kernel, error_score="raise")
    with pytest.warns(UserWarning, match=way):
        assert np.isnan(cross_val_score(TREE, rows.X, rows.y, scoring=kernel, cv=2)).all()
    by_name = po.sklearn.scorer(name, classes=GRADES)
    assert np.isfinite(cross_val_score(TREE, rows.X, rows.y, scoring=by_name, cv=2)).all()
