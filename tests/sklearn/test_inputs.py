"""Targets keep the order of their classes; wrong input raises an error that names it."""

from __future__ import annotations

import threading
from typing import Any, ClassVar

import dask.array as da
import joblib
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import xarray as xr
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    StratifiedGroupKFold,
)
from sklearn.tree import DecisionTreeClassifier

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError
from pandas_ordinal.sklearn import cross_val

TREE = DecisionTreeClassifier(random_state=0)
LINE = LinearRegression()
X = np.arange(12)[:, None]
CODES = np.repeat([0, 1, 2], 4)
DECLARED = [3, 1, 2, 7]  # neither sorted nor all used: no row has 7
SHUFFLED = pd.Categorical.from_codes(CODES, DECLARED, ordered=True)
NAMES = ["b", "c", "a"]
TEXT = np.array(NAMES)[CODES]
DICTIONARY = pa.DictionaryArray.from_arrays(pa.array(CODES), pa.array(NAMES), ordered=True)
ENUM = pl.Series("grade", TEXT.tolist(), dtype=pl.Enum(NAMES))

ORDERED = {
    "Categorical": (SHUFFLED, DECLARED),
    "CategoricalIndex": (pd.CategoricalIndex(SHUFFLED), DECLARED),
    "Series": (pd.Series(SHUFFLED, index=X[:, 0] // 2), DECLARED),
    "DataFrame": (pd.DataFrame({"grade": SHUFFLED}), DECLARED),
    "DataArray": (xr.DataArray(pd.Series(SHUFFLED)), DECLARED),
    "Polars Enum": (ENUM, NAMES),
    "Polars DataFrame": (pl.DataFrame({"grade": ENUM}), NAMES),
    "Arrow array": (DICTIONARY, NAMES),
    "Arrow chunks": (pa.chunked_array([DICTIONARY[:5], DICTIONARY[5:]]), NAMES),
    "Arrow in pandas": (
        pd.Series(pa.chunked_array([DICTIONARY]), dtype=pd.ArrowDtype(DICTIONARY.type)),
        NAMES,
    ),
}
INTEGERS = {
    "list": CODES.tolist(),
    "Index": pd.Index(CODES),
    "Int64": pd.array(CODES, dtype="Int64"),
    "Arrow in pandas": pd.array(CODES, dtype="int64[pyarrow]"),
    "Polars": pl.Series(CODES),
    "Arrow": pa.array(CODES),
    "DataArray": xr.DataArray(CODES),
}


@pytest.mark.parametrize("kind", ORDERED)
def test_a_target_keeps_its_order(kind: str) -> None:
    y, classes = ORDERED[kind]
    if kind.startswith("Polars") and not ENUM.to_pandas().cat.ordered:
        pytest.skip("this version of Polars gives pandas an Enum without its order")
    labels = [classes[code] for code in CODES]
    frame = po.sklearn.cross_val_frame({"tree": TREE}, X, y, 2)
    assert frame["y"].cat.categories.tolist() == classes
    assert frame["y"].tolist() == [labels[row] for row in frame["row"]]
    model = po.sklearn.OrdinalThresholds(LINE, cv=2).fit(X, y)
    assert model.classes_.tolist() == classes
    assert np.equal(model.predict(X), np.array(labels)).mean() > 0.7
    fitted = TREE.fit(X, labels)
    assert po.sklearn.scorer("mae", classes=classes)(fitted, X, y) == 0
    with pytest.raises(ClassOrderError, match="'?y'? declares"):
        po.sklearn.scorer("mae", classes=sorted(classes))(fitted, X, y)


@pytest.mark.parametrize("kind", INTEGERS)
def test_a_target_of_integers(kind: str) -> None:
    frame = po.sklearn.cross_val_frame({"tree": TREE}, X, INTEGERS[kind], 2)
    assert frame["y"].tolist() == CODES[frame["row"]].tolist()
    model = po.sklearn.OrdinalThresholds(LINE, cv=2).fit(X, INTEGERS[kind])
    assert np.abs(model.predict(X) - CODES).mean() < 0.3


def test_text_of_polars() -> None:
    y = pl.Series(TEXT.tolist())
    frame = po.sklearn.cross_val_frame({"tree": TREE}, X, y, 2, classes=NAMES)
    assert frame["y"].tolist() == TEXT[frame["row"]].tolist()


def test_targets_that_declare_no_order() -> None:
    joined = pa.chunked_array(
        [
            DICTIONARY[:6],
            pa.DictionaryArray.from_arrays(pa.array(CODES[6:]), pa.array("acb"), ordered=True),
        ]
    )
    for y, match in [
        (pd.Categorical(CODES), "declares no order"),
        (pd.Series(pd.Categorical(CODES)), "declares no order"),
        (pd.Index(TEXT), "declares no order"),
        (joined, "joined from Arrow dictionaries"),
    ]:
        with pytest.raises(ClassOrderError, match=match):
            po.sklearn.cross_val_frame({"tree": TREE}, X, y, 2)
        with pytest.raises(ClassOrderError, match=match):
            po.sklearn.OrdinalThresholds(LINE, cv=2).fit(X, y)


def test_masked_arrays_and_dask() -> None:
    masked = np.ma.array(CODES, mask=CODES == 0)
    scorer = po.sklearn.scorer("mae", classes=range(3))
    fitted = TREE.fit(X, CODES)
    for y, error, match in [
        (masked, ValueError, "y is a masked array"),
        (da.from_array(CODES), TypeError, r"y is a dask Array.*\.compute\(\)"),
    ]:
        with pytest.raises(error, match=match):
            po.sklearn.cross_val_frame({"tree": TREE}, X, y)
        with pytest.raises(error, match=match):
            po.sklearn.OrdinalThresholds(TREE).fit(X, y)
        with pytest.raises(error, match=match):
            scorer(fitted, X, y)
    with pytest.raises(TypeError, match=r"X is a dask Array.*\.compute\(\)"):
        po.sklearn.cross_val_frame({"tree": TREE}, da.from_array(X), CODES)


def test_labels_of_several_types() -> None:
    mixed = [0] * 6 + ["a"] * 6
    for y in (mixed, pd.Series(mixed, dtype=object)):
        with pytest.raises(ValueError, match="several types, such as 0 and 'a'"):
            po.sklearn.cross_val_frame({"tree": TREE}, X, y, classes=[0, "a"])
    ordered = pd.Series(pd.Categorical(mixed, [0, "a"], ordered=True))
    with pytest.raises(ValueError, match="several types, such as 0 and 'a'"):
        po.sklearn.OrdinalThresholds(TREE).fit(X, ordered)


def test_other_lengths() -> None:
    match = "y has 11 values, but X has 12 rows"
    fitted = TREE.fit(X, CODES)
    for call in (
        lambda: po.sklearn.cross_val_frame({"tree": TREE}, X, CODES[1:]),
        lambda: po.sklearn.OrdinalThresholds(TREE).fit(X, CODES[1:]),
        *(
            lambda metric=metric: po.sklearn.scorer(metric, classes=range(3))(fitted, X, CODES[1:])
            for metric in ("mae", "vus", "rps")
        ),
    ):
        with pytest.raises(ValueError, match=match):
            call()
    with pytest.raises(ValueError, match="groups has 2 values, but X has 12 rows"):
        po.sklearn.cross_val_frame({"tree": TREE}, X, CODES, GroupKFold(2), groups=[1, 2])
    with pytest.raises(ValueError, match="sample_weight has 2 values, but X has 12 rows"):
        po.sklearn.scorer("mae", classes=range(3))(fitted, X, CODES, sample_weight=[1, 2])


@pytest.mark.parametrize(
    "cv", [4, None, KFold(4), RepeatedStratifiedKFold(n_splits=4), PredefinedSplit(CODES)]
)
def test_folds_without_groups(cv: Any) -> None:
    groups = np.arange(12) % 4
    with pytest.raises(ValueError, match=r"cv=.*ignores groups=.*StratifiedGroupKFold"):
        po.sklearn.cross_val_frame({"tree": TREE}, X, CODES, cv, groups=groups)


def test_folds_with_groups() -> None:
    class Own:
        """A splitter that is not one of scikit-learn's."""

        def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
            return 2

        def split(self, X: Any, y: Any, groups: Any) -> Any:
            yield np.flatnonzero(groups < 2), np.flatnonzero(groups >= 2)

    groups = np.arange(12) % 4
    folds = list(GroupKFold(4).split(X, CODES, groups))
    for cv in (StratifiedGroupKFold(4), folds, Own()):
        frame = po.sklearn.cross_val_frame({"tree": TREE}, X, CODES, cv, groups=groups)
        assert frame["group"].tolist() == groups[frame["row"]].tolist()


def test_no_folds() -> None:
    with pytest.raises(ValueError, match=r"cv=\[\] makes no folds"):
        po.sklearn.cross_val_frame({"tree": TREE}, X, CODES, [])
    with pytest.raises(ValueError, match=r"cv=\[\] makes no folds"):
        po.sklearn.OrdinalThresholds(TREE, cv=[]).fit(X, CODES)


@pytest.mark.parametrize(
    ("given", "match"),
    [
        (DecisionTreeClassifier, r"is a class: give an instance of it, such as DecisionTree"),
        (LinearRegression, r"is a class: give an instance of it, such as LinearRegression\("),
        ("tree", "is 'tree', which cannot be fitted"),
        (None, "is None, which cannot be fitted"),
    ],
)
def test_objects_that_are_not_estimators(given: Any, match: str) -> None:
    with pytest.raises(TypeError, match=f"'tree' {match}"):
        po.sklearn.cross_val_frame({"tree": given}, X, CODES)
    with pytest.raises(TypeError, match=f"estimator {match}"):
        po.sklearn.OrdinalThresholds(given).fit(X, CODES)


class Splits:
    """A splitter that yields what it is given."""

    def __init__(self, *folds: Any) -> None:
        self.folds = folds

    def get_n_splits(self, *_: Any) -> int:
        return len(self.folds)

    def split(self, *_: Any) -> Any:
        return iter(self.folds)


def test_positions_that_are_no_list() -> None:
    for part in (np.arange(4)[None], 3):
        with pytest.raises(ValueError, match="positions of the rows of a fold are not a list"):
            po.sklearn.cross_val_frame({"tree": TREE}, X, CODES, Splits((np.arange(4, 12), part)))


def test_numbers_of_processes() -> None:
    for wrong in (0, 1000, -1000, 1.5, "all"):
        with pytest.raises(ValueError, match=r"^n_jobs=.* must be a number of processes, or -1"):
            po.sklearn.cross_val_frame({"tree": TREE}, X, CODES, 2, n_jobs=wrong)  # type: ignore[arg-type]
    for one in (1, -999, np.int64(1)):
        found = po.sklearn.cross_val_frame({"tree": TREE}, X, CODES, 2, n_jobs=one)
        assert len(found) == len(CODES)


class Watched(DecisionTreeClassifier):  # type: ignore[misc]
    """Notes the threads in which it is fitted."""

    threads: ClassVar[list[threading.Thread]] = []

    def fit(self, X: Any, y: Any) -> Any:
        self.threads.append(threading.current_thread())
        return super().fit(X, y)


@pytest.mark.parametrize("n_jobs", [None, 1, 2])
def test_fits_run_in_so_many_threads(n_jobs: int | None) -> None:
    Watched.threads.clear()
    with joblib.parallel_config(backend="threading"):
        po.sklearn.cross_val_frame({"tree": Watched()}, X, CODES, 2, n_jobs=n_jobs)
        model = po.sklearn.OrdinalThresholds(Watched(), cv=2, n_jobs=n_jobs).fit(X, CODES)
    *of_folds, of_all = Watched.threads
    is_main = {thread is threading.main_thread() for thread in of_folds}
    assert is_main == {n_jobs != 2} and len(of_folds) == 4
    assert of_all is threading.main_thread() and model.thresholds_.shape == (2,)


def test_predictions_of_a_fold_are_there_before_the_next_fit() -> None:
    fitted: list[Any] = []
    folds = cross_val.folds_of(4, X, CODES)
    fits = [
        cross_val.Fit(TREE, CODES, fold, lambda model, _: fitted.append(model)) for fold in folds
    ]
    for n, _ in enumerate(cross_val.predict_folds(fits, X, None), 1):
        assert len(fitted) == n
    assert len(fitted) == 4


def test_names_of_models_may_be_tuples() -> None:
    frame = po.sklearn.cross_val_frame({("tree", 1): TREE, ("tree", 2): TREE}, X, CODES, 2)
    assert frame["model"].cat.categories.tolist() == [("tree", 1), ("tree", 2)]
    assert frame["model"].tolist() == [("tree", 1)] * 12 + [("tree", 2)] * 12
    assert frame["model"].cat.ordered


def test_a_target_of_numbers_that_are_no_integers() -> None:
    """Without a warning of NumPy, which makes integers of them."""
    for value in (np.nan, np.inf, 1e300):
        y = np.where(CODES == 0, value, CODES)
        with pytest.raises(ValueError, match="^y must hold classes: "):
            po.sklearn.OrdinalThresholds(LINE, cv=2).fit(X, y)


def test_features_and_targets_without_rows() -> None:
    class Sized:
        """Has a length, but no rows that can be selected."""

        def __len__(self) -> int:
            return len(CODES)

    for wrong, match in ((Sized(), "X must be an array or a table"), (3, "not an? int")):
        with pytest.raises(TypeError, match=match):
            po.sklearn.cross_val_frame({"tree": TREE}, wrong, CODES)
    with pytest.raises(TypeError, match="groups must be an array or a table.*not an? int"):
        po.sklearn.cross_val_frame({"tree": TREE}, X, CODES, groups=3)
    several = (pd.MultiIndex.from_arrays([CODES, CODES]), np.zeros(12, [("a", int)]))
    for y in several:
        with pytest.raises(TypeError, match="^y must have one label per row, not several$"):
            po.sklearn.cross_val_frame({"tree": TREE}, X, y)
