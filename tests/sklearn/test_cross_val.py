"""Out-of-fold predictions are those of a hand-written loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.linear_model import LinearRegression, RidgeClassifier
from sklearn.model_selection import (
    GroupKFold,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, MissingValueError, UnknownClassError

GRADES = ["low", "medium", "high"]
DTYPE = pd.CategoricalDtype(GRADES, ordered=True)
MODELS = {"tree": DecisionTreeClassifier(max_depth=2, random_state=0), "bayes": GaussianNB()}


def by_hand(rows: Any, cv: Any, n_folds: int, groups: Any = None) -> pd.DataFrame:
    lines = []
    for name, model in MODELS.items():
        for number, (train, test) in enumerate(cv.split(rows.X, rows.y, groups)):
            fitted = clone(model).fit(rows.X[train], rows.y[train])
            pred, proba = fitted.predict(rows.X[test]), fitted.predict_proba(rows.X[test])
            for row, label, shares in zip(test, pred, proba, strict=True):
                named = dict(zip(fitted.classes_, shares, strict=True))
                lines.append(
                    {
                        "row": row,
                        "model": name,
                        "repeat": number // n_folds + 1,
                        "fold": number % n_folds + 1,
                        **({} if groups is None else {"group": groups[row]}),
                        "y": rows.y[row],
                        "yhat": label,
                        "score": named.get("medium", 0) + 2 * named.get("high", 0),
                        **{grade: named.get(grade, 0.0) for grade in GRADES},
                    }
                )
    models = pd.CategoricalDtype(list(MODELS), ordered=True)
    return pd.DataFrame(lines).astype({"y": DTYPE, "yhat": DTYPE, "model": models})


def test_models_keep_the_order_of_the_dict(rows: Any) -> None:
    assert list(MODELS) == ["tree", "bayes"]  # not the order of the alphabet
    frame = po.sklearn.cross_val_frame(MODELS, rows.X, rows.y, 3, classes=GRADES)
    report = frame.ordinal.report("y", "yhat", by="model", metrics=["mae"])
    assert report.index.tolist() == ["tree", "bayes"]
    compared = frame.ordinal.compare("y", "yhat", model="model", id="row", metrics=["mae"])
    assert compared.index.tolist() == [("mae", "tree", "bayes")]
    assert frame.ordinal.confusion("y", "yhat", by="model")["model"].values.tolist() == [
        "tree",
        "bayes",
    ]


def test_repeats_and_folds(rows: Any) -> None:
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    frame = po.sklearn.cross_val_frame(MODELS, rows.X, rows.y, cv, classes=GRADES)
    pd.testing.assert_frame_equal(frame, by_hand(rows, cv, 3))


def test_groups_are_kept(rows: Any) -> None:
    groups = np.arange(90) % 7 * 10
    frame = po.sklearn.cross_val_frame(
        MODELS, rows.X, rows.y, GroupKFold(3), classes=GRADES, groups=groups
    )
    pd.testing.assert_frame_equal(frame, by_hand(rows, GroupKFold(3), 3, groups))


def test_a_number_of_folds_is_stratified(rows: Any) -> None:
    frame = po.sklearn.cross_val_frame(MODELS, rows.X, rows.y, 4, classes=GRADES)
    pd.testing.assert_frame_equal(frame, by_hand(rows, StratifiedKFold(4), 4))
    default = po.sklearn.cross_val_frame(MODELS, rows.X, rows.y, classes=GRADES)
    assert default["fold"].max() == 5 and default["repeat"].max() == 1


def test_splits_that_overlap_are_repeats(rows: Any) -> None:
    cv = StratifiedShuffleSplit(4, test_size=0.6, random_state=0)
    frame = po.sklearn.cross_val_frame(MODELS, rows.X, rows.y, cv, classes=GRADES)
    expected = by_hand(rows, cv, 1)
    pd.testing.assert_frame_equal(frame, expected)
    assert frame["repeat"].max() == 4


def test_masks_and_parts_of_the_rows(rows: Any) -> None:
    mask = np.arange(90) < 20
    frame = po.sklearn.cross_val_frame(
        {"bayes": GaussianNB()}, rows.X, rows.y, [(~mask, mask)], classes=GRADES
    )
    assert frame["row"].tolist() == list(range(20))


def test_an_ordered_series_declares_the_classes(rows: Any) -> None:
    y = pd.Series(rows.y, index=np.arange(90) // 2).astype(DTYPE)
    X = pd.DataFrame(rows.X, index=y.index, columns=list("abc"))
    plain = po.sklearn.cross_val_frame(MODELS, rows.X, rows.y, 3, classes=GRADES)
    frame = po.sklearn.cross_val_frame(MODELS, X, y, 3)
    pd.testing.assert_frame_equal(frame, plain)


def test_integers_declare_themselves(rows: Any) -> None:
    frame = po.sklearn.cross_val_frame(MODELS, rows.X, rows.codes, 3)
    assert frame["y"].cat.categories.tolist() == [0, 1, 2]
    np.testing.assert_allclose(frame[[0, 1, 2]].sum(axis=1), 1)


def test_a_class_that_no_fold_was_fitted_to(rows: Any) -> None:
    some = rows.codes != 1
    frame = po.sklearn.cross_val_frame(MODELS, rows.X[some], rows.y[some], 3, classes=GRADES)
    assert (frame["medium"] == 0).all()
    assert frame["y"].cat.categories.tolist() == GRADES


def test_models_without_probabilities_or_scores(rows: Any) -> None:
    models = {"ridge": RidgeClassifier(), "bayes": GaussianNB()}
    frame = po.sklearn.cross_val_frame(models, rows.X, rows.y, 3, classes=GRADES)
    ridge, bayes = (frame[frame["model"] == name] for name in models)
    assert ridge[["score", *GRADES]].isna().all(axis=None)
    assert bayes.notna().all(axis=None)
    alone = po.sklearn.cross_val_frame(
        {"ridge": RidgeClassifier()}, rows.X, rows.y, 3, classes=GRADES
    )
    assert alone.columns.tolist() == ["row", "model", "repeat", "fold", "y", "yhat"]


def test_two_classes_have_a_decision_as_score(rows: Any) -> None:
    y = np.where(rows.codes > 0, "high", "low")
    frame = po.sklearn.cross_val_frame(
        {"ridge": RidgeClassifier()}, rows.X, y, 3, classes=["low", "high"]
    )
    assert "high" not in frame and frame.ordinal.u_pairs("y", "score") > 0.75
    assert ((frame["score"] > 0) == (frame["yhat"] == "high")).all()


def test_the_score_of_thresholds(rows: Any) -> None:
    models = {"cut": po.sklearn.OrdinalThresholds(LinearRegression(), classes=GRADES, cv=3)}
    frame = po.sklearn.cross_val_frame(models, rows.X, rows.y, 3, classes=GRADES)
    assert frame.ordinal.u_pairs("y", "score") > 0.7
    assert frame["yhat"].notna().all()


def test_classifiers_learn_the_positions_of_bins(rows: Any) -> None:
    days = pd.Series(rows.X[:, 0]).ordinal.cut([-np.inf, -0.6, 0.6, 5, np.inf])
    models = {
        "tree": MODELS["tree"],
        "cut": po.sklearn.OrdinalThresholds(LinearRegression(), cv=3),
        "named": po.sklearn.OrdinalThresholds(GaussianNB(), cv=3, classes=days),
    }
    frame = po.sklearn.cross_val_frame(models, rows.X, days, 3)
    bins = days.cat.categories
    assert (frame["y"].cat.categories == bins).all() and (
        frame["yhat"].cat.categories == bins
    ).all()
    of_codes = po.sklearn.cross_val_frame(
        {"tree": MODELS["tree"]}, rows.X, days.cat.codes, 3, classes=range(4)
    )
    trees = frame[frame["model"] == "tree"]
    assert trees["yhat"].cat.codes.tolist() == of_codes["yhat"].tolist()
    np.testing.assert_array_equal(trees[bins.tolist()], of_codes[[0, 1, 2, 3]])
    assert (frame.ordinal.mae("y", "yhat", by="model") < 0.3).all()


@pytest.mark.parametrize("n_neighbors", [3, 7, 10])
def test_equal_sums_of_probabilities_tie(rows: Any, n_neighbors: int) -> None:
    neighbours = KNeighborsClassifier(n_neighbors)
    classes = ["low", "medium", "high", "top"]
    codes = np.digitize(rows.X[:, 0] + rows.X[:, 1], [-1, 0, 1])
    y = np.array(classes)[codes]
    frame = po.sklearn.cross_val_frame({"knn": neighbours}, rows.X, y, 3, classes=classes)
    votes = (frame[classes] * n_neighbors).round().astype(int) @ range(4)
    assert frame["score"].nunique() == votes.nunique()
    for metric in (po.metrics.vus, po.metrics.u_pairs):
        exact = metric(frame["y"].cat.codes.to_numpy(), votes.to_numpy(), 4)
        assert metric(frame["y"].cat.codes.to_numpy(), frame["score"].to_numpy(), 4) == exact
    fitted = clone(neighbours).fit(rows.X, y)
    model = po.sklearn.OrdinalThresholds(neighbours, classes=classes).fit(rows.X, y)
    proba = fitted.predict_proba(rows.X)[:, [1, 2, 0, 3]]  # high, low, medium, top
    votes = (proba * n_neighbors).round().astype(int) @ range(4)
    assert len(np.unique(model.predict_score(rows.X))) == len(np.unique(votes))
    scorer = po.sklearn.scorer("vus", classes=classes)
    assert scorer(fitted, rows.X, y) == po.metrics.vus(codes, votes, 4)


def test_precomputed_kernels(rows: Any) -> None:
    kernel = rows.X @ rows.X.T
    precomputed = {"kernel": SVC(kernel="precomputed")}
    linear = {"kernel": SVC(kernel="linear")}
    frame = po.sklearn.cross_val_frame(precomputed, kernel, rows.y, 3, classes=GRADES)
    expected = po.sklearn.cross_val_frame(linear, rows.X, rows.y, 3, classes=GRADES)
    pd.testing.assert_frame_equal(frame, expected)


def test_the_frame_suits_the_other_calls(rows: Any) -> None:
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    frame = po.sklearn.cross_val_frame(MODELS, rows.X, rows.y, cv, classes=GRADES)
    report = frame.ordinal.report(
        "y", "yhat", score="score", proba=GRADES, by="model", ci=0.95, cluster="row",
        metrics=["oci", "u_pairs"],
    )  # fmt: skip
    assert report.notna().all(axis=None) and (report["n"] == 180).all()
    compared = frame.ordinal.compare(
        "y", "yhat", model="model", id=["row", "repeat"], cluster="row", metrics=["mae"]
    )
    assert compared["n"].item() == 180
    summary = frame.ordinal.summary("y", "yhat", by="model", over=["repeat", "fold"])
    assert (summary["n_folds"] == 6).all()


@pytest.mark.slow
def test_two_processes(rows: Any) -> None:
    one, two = (
        po.sklearn.cross_val_frame(MODELS, rows.X, rows.y, 3, classes=GRADES, n_jobs=n_jobs)
        for n_jobs in (1, 2)
    )
    pd.testing.assert_frame_equal(one, two)


def test_progress(rows: Any, capsys: pytest.CaptureFixture[str]) -> None:
    po.sklearn.cross_val_frame(MODELS, rows.X, rows.y, 3, classes=GRADES, progress=True)
    assert "6/6" in capsys.readouterr().err
    po.sklearn.cross_val_frame(MODELS, rows.X, rows.y, 3, classes=GRADES)
    assert not capsys.readouterr().err


# errors


def test_a_target_without_order(rows: Any) -> None:
    with pytest.raises(ClassOrderError, match=r"^y \(.*declares no order.*\}: give classes="):
        po.sklearn.cross_val_frame(MODELS, rows.X, rows.y, 3)


def test_missing_and_unknown_labels(rows: Any) -> None:
    y = pd.Series(rows.y).astype(DTYPE).where(np.arange(90) > 0)
    with pytest.raises(MissingValueError, match="y holds 1 missing"):
        po.sklearn.cross_val_frame(MODELS, rows.X, y, 3)
    with pytest.raises(UnknownClassError, match="'medium'"):
        po.sklearn.cross_val_frame(MODELS, rows.X, rows.y, 3, classes=["low", "high"])


def test_a_regressor_predicts_no_classes(rows: Any) -> None:
    with pytest.raises(TypeError, match="'line' is a regressor.*OrdinalThresholds"):
        po.sklearn.cross_val_frame({"line": LinearRegression()}, rows.X, rows.codes, 3)


def test_estimators_that_are_not_a_dict(rows: Any) -> None:
    for given in (GaussianNB(), [GaussianNB()], {}):
        with pytest.raises(TypeError, match="must be a dict"):
            po.sklearn.cross_val_frame(given, rows.X, rows.codes)  # type: ignore[arg-type]


def test_a_class_named_like_a_column(rows: Any) -> None:
    two = np.array(["group", "other"])[(rows.codes > 0) * 1]
    frame = po.sklearn.cross_val_frame(MODELS, rows.X, two, 3, classes=["other", "group"])
    assert frame["group"].between(0, 1).all()
    with pytest.raises(ValueError, match="'group': rename the class"):
        po.sklearn.cross_val_frame(
            MODELS, rows.X, two, GroupKFold(3), classes=["other", "group"], groups=rows.codes
        )
    labels = np.array(["low", "score", "high"])
    with pytest.raises(ValueError, match="'score': rename the class"):
        po.sklearn.cross_val_frame(
            MODELS, rows.X, labels[rows.codes], classes=["low", "score", "high"]
        )


def test_names_of_scikit_learn_for_parameters(rows: Any) -> None:
    with pytest.raises(TypeError, match=r"^cross_val_frame\(\): .*labels= is classes= here"):
        po.sklearn.cross_val_frame(MODELS, rows.X, rows.y, labels=GRADES)  # type: ignore[call-arg]


def test_scores_of_the_opposite_order(rows: Any) -> None:
    models = {"cut": po.sklearn.OrdinalThresholds(LinearRegression(), classes=GRADES[::-1], cv=3)}
    with pytest.raises(ClassOrderError, match="orders the classes .'high'.*give both the same"):
        po.sklearn.cross_val_frame(models, rows.X, rows.y, 3, classes=GRADES)


@pytest.mark.parametrize("other", [["high", "low", "medium"], ["low", "high", "medium"]])
def test_scores_of_an_order_that_is_neither(rows: Any, other: list[str]) -> None:
    models = {"cut": po.sklearn.OrdinalThresholds(LinearRegression(), classes=other, cv=3)}
    with pytest.raises(ClassOrderError, match="orders the classes .*give both the same"):
        po.sklearn.cross_val_frame(models, rows.X, rows.y, 3, classes=GRADES)


def test_probabilities_of_other_classes(rows: Any) -> None:
    class Narrow(GaussianNB):
        def predict_proba(self, X: Any) -> Any:
            return super().predict_proba(X)[:, :2]

    with pytest.raises(ValueError, match=r"Narrow gives shape \(30, 2\), but its classes_ are"):
        po.sklearn.cross_val_frame({"narrow": Narrow()}, rows.X, rows.y, 3, classes=GRADES)
