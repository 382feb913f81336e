"""Thresholds are chosen on out-of-fold scores."""

from __future__ import annotations

import functools
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn
from oracles import errors, oci, thresholds
from scipy import sparse
from sklearn.base import clone
from sklearn.ensemble import BaggingClassifier, StackingClassifier, VotingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, UnknownClassError

GRADES = ["low", "medium", "high"]
EXPECTED = {"check_classifiers_classes": "text has no order: it needs classes="}


@pytest.mark.filterwarnings("ignore:invalid value encountered in cast")  # of an infinite target
@pytest.mark.parametrize(
    "estimator", [GaussianNB(), pytest.param(KNeighborsRegressor(), marks=pytest.mark.slow)]
)
def test_it_is_an_estimator(estimator: Any) -> None:
    model = po.sklearn.OrdinalThresholds(estimator, cv=2)
    checks = check_estimator(model, on_skip=None, expected_failed_checks=EXPECTED)
    assert {c["check_name"] for c in checks if c["status"] == "xfail"} == set(EXPECTED)


@pytest.mark.parametrize(("metric", "loss"), [("mae", errors.mae), ("oci", oci.oci)])
@pytest.mark.parametrize("kind", ["regressor", "probabilities"])
def test_the_thresholds_are_best_out_of_fold(rows: Any, metric: str, loss: Any, kind: str) -> None:
    estimator = LinearRegression() if kind == "regressor" else GaussianNB()
    X, codes, y = (column[:20] for column in rows)
    model = po.sklearn.OrdinalThresholds(estimator, metric=metric, classes=GRADES, cv=3)
    model.fit(X, y)
    scores = np.empty(20)
    for train, test in StratifiedKFold(3).split(X, y):
        if kind == "regressor":
            scores[test] = LinearRegression().fit(X[train], codes[train]).predict(X[test])
        else:
            proba = GaussianNB().fit(X[train], y[train]).predict_proba(X[test])
            scores[test] = proba @ [2, 0, 1]  # high, low, medium
    _, lowest = thresholds.best(codes, scores, 3, loss)
    result = loss(thresholds.confusion(codes, scores, model.thresholds_, 3))
    assert float(result) == pytest.approx(float(lowest))


def test_it_is_refitted_to_all_rows(rows: Any) -> None:
    model = po.sklearn.OrdinalThresholds(LinearRegression(), classes=GRADES).fit(rows.X, rows.y)
    score = LinearRegression().fit(rows.X, rows.codes).predict(rows.X)
    np.testing.assert_allclose(model.predict_score(rows.X), score)
    expected = [GRADES[thresholds.predict(value, model.thresholds_)] for value in score]
    assert model.predict(rows.X).tolist() == expected
    assert model.classes_.tolist() == GRADES
    assert model.n_features_in_ == 3
    again = pickle.loads(pickle.dumps(model))
    assert again.predict(rows.X).tolist() == expected


def test_bins_are_a_target_of_regressions(rows: Any) -> None:
    days = pd.Series(np.exp(rows.X[:, 0])).ordinal.cut([0, 0.5, 2, np.inf])
    model = po.sklearn.OrdinalThresholds(LinearRegression(), cv=3).fit(rows.X, days)
    assert pd.Series(model.predict(rows.X)).isin(days.cat.categories).all()
    assert days.ordinal.mae(pd.Series(model.predict(rows.X), name="yhat")) < 0.3


def test_integers_with_a_gap_need_classes(rows: Any) -> None:
    model = po.sklearn.OrdinalThresholds(LinearRegression())
    with pytest.raises(ClassOrderError, match=r"holds \[0, 10, 20\].*give classes="):
        model.fit(rows.X, rows.codes * 10)
    declared = clone(model).set_params(classes=[0, 10, 20]).fit(rows.X, rows.codes * 10)
    codes = clone(model).fit(rows.X, rows.codes)
    np.testing.assert_array_equal(declared.predict(rows.X), 10 * codes.predict(rows.X))


def test_a_decision_of_two_classes(rows: Any) -> None:
    y = np.where(rows.codes > 0, "high", "low")
    model = po.sklearn.OrdinalThresholds(
        LogisticRegression(), classes=["low", "high"], response_method="decision_function"
    ).fit(rows.X, y)
    assert (model.predict(rows.X) == y).mean() > 0.75


def test_estimators_without_a_score(rows: Any) -> None:
    model = po.sklearn.OrdinalThresholds(RidgeClassifier(), classes=GRADES)
    with pytest.raises(ValueError, match="RidgeClassifier gives no score"):
        model.fit(rows.X, rows.y)
    with pytest.raises(ValueError, match="response_method='proba' must be"):
        clone(model).set_params(response_method="proba").fit(rows.X, rows.y)


def test_missing_methods(rows: Any) -> None:
    model = po.sklearn.OrdinalThresholds(LinearRegression(), response_method="predict_proba")
    with pytest.raises(ValueError, match="LinearRegression gives no score"):
        model.fit(rows.X, rows.codes)


def test_it_takes_no_weights(rows: Any) -> None:
    model = po.sklearn.OrdinalThresholds(LinearRegression())
    with pytest.raises(TypeError, match="'sample_weight'.*weights are not supported"):
        model.fit(rows.X, rows.codes, sample_weight=np.ones(90))


def test_bins_are_a_target_of_classifiers(rows: Any) -> None:
    days = pd.Series(rows.X[:, 0]).ordinal.cut([-np.inf, -0.6, 0.6, np.inf])
    fitted = po.sklearn.OrdinalThresholds(GaussianNB(), cv=3).fit(rows.X, days)
    of_codes = po.sklearn.OrdinalThresholds(GaussianNB(), cv=3).fit(rows.X, days.cat.codes)
    expected = days.cat.categories[of_codes.predict(rows.X)]
    assert fitted.predict(rows.X).tolist() == expected.tolist()


@pytest.mark.parametrize(
    "ensemble",
    [
        lambda model: BaggingClassifier(model, 2, random_state=0),
        lambda model: VotingClassifier([("one", model)]),
        lambda model: StackingClassifier([("one", model)], cv=2),
    ],
)
def test_ensembles_put_text_in_alphabetical_order(rows: Any, ensemble: Any) -> None:
    model = po.sklearn.OrdinalThresholds(LinearRegression(), classes=GRADES, cv=2)
    with pytest.raises(UnknownClassError, match="which are not classes"):
        ensemble(model).fit(rows.X, rows.y)
    fitted = ensemble(model.set_params(classes=range(3))).fit(rows.X, rows.codes)
    assert np.abs(fitted.predict(rows.X) - rows.codes).mean() < 0.5


def test_a_missing_score(rows: Any) -> None:
    model = po.sklearn.OrdinalThresholds(LinearRegression()).fit(rows.X, rows.codes)
    model.estimator_.intercept_ = np.nan
    with pytest.raises(ValueError, match="LinearRegression gives a score of NaN"):
        model.predict(rows.X)


def test_one_of_several_scores_is_missing(rows: Any) -> None:
    class Gaps(LinearRegression):  # type: ignore[misc]
        def predict(self, X: Any) -> Any:
            return np.where(X[:, 0] > 1, np.nan, super().predict(X))

    with pytest.raises(ValueError, match="^Gaps gives a score of NaN, which is in no class$"):
        po.sklearn.OrdinalThresholds(Gaps()).fit(rows.X, rows.codes)


def test_metrics_without_thresholds(rows: Any) -> None:
    for metric, match in [("bias", "bias"), ("vus", "vus"), ("qwk", "qwk")]:
        model = po.sklearn.OrdinalThresholds(LinearRegression(), metric=metric)
        with pytest.raises(ValueError, match=match):
            model.fit(rows.X, rows.codes)


def test_frames_sparse_matrices_and_pipelines(rows: Any) -> None:
    frame = pd.DataFrame(rows.X, columns=list("abc"))
    pipeline = make_pipeline(StandardScaler(with_mean=False), LinearRegression())
    model = po.sklearn.OrdinalThresholds(pipeline, classes=GRADES, cv=3)
    fitted = clone(model).fit(frame, pd.Series(rows.y))
    assert fitted.feature_names_in_.tolist() == list("abc")
    expected = clone(model).fit(rows.X, rows.y).predict(rows.X)
    assert fitted.predict(frame).tolist() == expected.tolist()
    of_sparse = clone(model).fit(sparse.csr_array(rows.X), rows.y)
    assert of_sparse.predict(sparse.csr_array(rows.X)).tolist() == expected.tolist()


def test_a_search_over_the_metric(rows: Any) -> None:
    model = po.sklearn.OrdinalThresholds(GaussianNB(), classes=GRADES, cv=3)
    linear = functools.partial(po.metrics.kappa, weights="linear")
    search = GridSearchCV(
        model,
        {"metric": ["mae", linear], "estimator__var_smoothing": [1e-9, 1e-2]},
        scoring=po.sklearn.scorer("oci", classes=GRADES),
        cv=3,
        error_score="raise",
    )
    assert -1 < search.fit(rows.X, rows.y).best_score_ < 0


def test_before_it_is_fitted(rows: Any) -> None:
    model = po.sklearn.OrdinalThresholds(LinearRegression())
    for method in (model.predict, model.predict_score):
        with pytest.raises(sklearn.exceptions.NotFittedError):
            method(rows.X)
