"""Thresholds, ROC surfaces, curves and summaries of groups are those of their rows alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr
from labelled import DTYPE

from pandas_ordinal import UndefinedMetricWarning, metrics
from pandas_ordinal.rows import sample

CLASSES = [0, 1, 2]
COSTS = [[0, 5, 9], [1, 0, 2], [6, 1, 0]]


def frame(n_rows: int = 240) -> pd.DataFrame:
    rng = np.random.default_rng(27)
    true = rng.integers(0, 3, n_rows)
    noisy = true + rng.normal(0, 1, n_rows)
    proba = rng.multinomial(8, np.ones(3) / 3, n_rows) / 8
    return pd.DataFrame(
        {
            "a": rng.choice(["v", "u"], n_rows),
            "b": rng.integers(0, 3, n_rows),
            "c": pd.Categorical(rng.choice(["z", "m"], n_rows), categories=["z", "never", "m"]),
            "fold": rng.integers(0, 3, n_rows),
            "repeat": rng.integers(0, 2, n_rows),
            "y": true,
            "yhat": noisy.clip(0, 2).round().astype(int),
            "other": rng.integers(0, 3, n_rows),
            "score": noisy.round(1),
            "w": rng.integers(1, 4, n_rows) / 2,
            "even": rng.random(n_rows) < 0.7,
            **dict(zip(("p0", "p1", "p2"), proba.T, strict=True)),
        },
        index=pd.Index(rng.integers(0, 2, n_rows), name="site"),
    )


FRAME = frame()
LACKING = FRAME.assign(
    **{
        name: FRAME[name].where(np.arange(len(FRAME)) % 29 != missing)
        for name, missing in {"y": 3, "score": 5, "yhat": 7, "a": 11, "fold": 13}.items()
    }
)
IGNORED = FRAME.assign(y=FRAME["y"].where(np.arange(len(FRAME)) % 17 > 0, 9))

OPTIONS: dict[str, tuple[pd.DataFrame, dict[str, Any]]] = {
    "plain": (FRAME, {}),
    "weights": (FRAME, {"sample_weight": "w"}),
    "mask": (FRAME, {"sample_weight": "even"}),
    "dropna": (LACKING, {"dropna": True}),
    "ignore": (IGNORED, {"ignore": 9}),
    "all": (
        LACKING.assign(y=LACKING["y"].where(np.arange(len(FRAME)) % 17 > 0, 9)),
        {"dropna": True, "ignore": [9], "sample_weight": "even"},
    ),
}
PROBA = {0: "p0", 1: "p1", 2: "p2"}
kappa = partial(metrics.kappa, weights="linear")
METHODS: dict[str, tuple[str, list[Any], dict[str, Any]]] = {
    "best by a metric": ("best_thresholds", ["y", "score"], {"metric": "mae"}),
    "best by a partial": ("best_thresholds", ["y", "score"], {"metric": kappa}),
    "best by costs": ("best_thresholds", ["y", "score"], {"costs": COSTS}),
    "all points": ("roc_surface", ["y", "score"], {}),
    "one point": ("roc_surface", ["y", "score"], {"thresholds": [0.5, 1.5]}),
    "points": ("roc_surface", ["y", "score"], {"thresholds": [[0, 1], [1.5, np.inf]]}),
    "curve": ("accuracy_curve", ["y", "yhat"], {}),
    "curves": ("accuracy_curve", ["y", ["yhat", "other"]], {}),
    "summary": ("summary", ["y", "yhat"], {"over": "fold", "metrics": ["mae", "oci"]}),
    "summary of models": (
        "summary", ["y", ["yhat", "other"]], {"over": ["repeat", "fold"], "metrics": ["mae"]}
    ),
    "summary of rows": (
        "summary",
        ["y", "yhat"],
        {"over": "fold", "score": "score", "proba": PROBA, "metrics": ["mae", "vus", "rps"]},
    ),
}  # fmt: skip


def looped(groups: Any, call: Callable[[pd.DataFrame], Any]) -> Any:
    """The results of each group alone, below its key."""
    results = {key: call(rows) for key, rows in groups if len(rows)}
    one = next(iter(results.values()))
    if one.index.names == ["k"]:  # a curve is a row
        return pd.DataFrame(list(results.values()), list(results))
    return pd.concat(list(results.values()), keys=list(results))


def assert_same(found: Any, due: Any, keys: list[Any]) -> None:
    """Compare values and labels; a loop over groups of one key knows no names."""
    npt.assert_allclose(found.to_numpy(dtype=float), due.to_numpy(dtype=float), rtol=1e-12)
    assert list(found.index) == list(due.index)
    assert list(found.index.names[: len(keys)]) == keys
    if isinstance(found, pd.DataFrame):
        assert list(found.columns) == list(due.columns)


@pytest.mark.parametrize("keys", ["a", ["b"], ["a", "b"], ["site", "c"]], ids=str)
@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("name", METHODS)
def test_results_are_those_of_a_loop_over_the_groups(name: str, option: str, keys: Any) -> None:
    df, options = OPTIONS[option]
    method, args, own = METHODS[name]
    options = {"classes": CLASSES, **options, **own}
    names = [keys] if isinstance(keys, str) else keys
    grouped = df.groupby(names, observed=True)
    due = looped(
        ((key[0] if len(names) == 1 else key, rows) for key, rows in grouped),
        lambda rows: getattr(rows.ordinal, method)(*args, **options),
    )
    found = getattr(df.ordinal, method)(*args, by=keys, **options)
    assert_same(found, due, names)
    of_groupby = getattr(df.groupby(keys, observed=False).ordinal, method)(*args, **options)
    (pd.testing.assert_frame_equal if due.ndim == 2 else pd.testing.assert_series_equal)(
        of_groupby, found
    )


GROUPBYS: dict[str, Callable[[pd.DataFrame], Any]] = {
    "sort=False": lambda df: df.groupby(["b", "a"], sort=False),
    "dropna=False": lambda df: df.groupby("a", dropna=False),
    "dropna=False, two": lambda df: df.groupby(["a", "b"], dropna=False),
    "function": lambda df: df.groupby(lambda site: site + 1),
    "array": lambda df: df.groupby(np.arange(len(df)) % 3),
    "level": lambda df: df.groupby(level="site"),
    "selection": lambda df: df.groupby("b")[["y", "yhat"]],
}


@pytest.mark.parametrize("kind", GROUPBYS)
@pytest.mark.parametrize("name", METHODS)
def test_options_of_a_groupby(name: str, kind: str) -> None:
    method, args, own = METHODS[name]
    options = {"classes": CLASSES, "dropna": True, **own}
    grouped = GROUPBYS[kind](LACKING)
    numbers, sizes = grouped.ngroup(), grouped.size()
    parts = [(number, LACKING[(numbers == number).to_numpy()]) for number in range(len(sizes))]
    due = looped(parts, lambda rows: getattr(rows.ordinal, method)(*args, **options))
    found = getattr(grouped.ordinal, method)(*args, **options)
    npt.assert_allclose(found.to_numpy(dtype=float), due.to_numpy(dtype=float), rtol=1e-12)
    keys = found.index
    while keys.nlevels > sizes.index.nlevels:
        keys = keys.droplevel(-1)
    assert list(map(str, keys.unique())) == list(map(str, sizes.index))


@pytest.mark.parametrize("keys", ["a", ["b", "a"]], ids=str)
@pytest.mark.parametrize("name", METHODS)
def test_without_an_index_keys_are_columns(name: str, keys: Any) -> None:
    method, args, own = METHODS[name]
    found = getattr(FRAME.groupby(keys, as_index=False).ordinal, method)(*args, **own)
    indexed = getattr(FRAME.groupby(keys).ordinal, method)(*args, **own)
    if method == "roc_surface":
        indexed.columns = indexed.columns.astype(object)
    pd.testing.assert_frame_equal(found, indexed.reset_index())


def test_a_key_must_not_be_named_as_a_column_of_the_result() -> None:
    df = FRAME.rename(columns={"a": "class", "b": "0|1"})
    for by in ("class", "0|1"):
        with pytest.raises(ValueError, match=rf"two dimensions '{by.replace('|', '.')}'"):
            df.ordinal.roc_surface("y", "score", by=by)
    with pytest.raises(ValueError, match="two dimensions 'class'"):
        df.ordinal.best_thresholds("y", "score", metric="mae", by="class")
    for key, method, options in (
        ("mean", "summary", {"over": "fold"}),
        ("threshold", "best_thresholds", {"metric": "mae"}),
    ):
        groups = FRAME.rename(columns={"a": key}).groupby(key, as_index=False)
        with pytest.raises(ValueError, match=f"'{key}'.*rename the key"):
            getattr(groups.ordinal, method)(
                "y", "score" if key == "threshold" else "yhat", **options
            )
    with pytest.raises(ValueError, match="'fold' is a key of the groups"):
        FRAME.groupby("fold").ordinal.summary("y", "yhat", over="fold")
    named = FRAME.rename(columns={"a": "metric"}).groupby("metric")
    with pytest.raises(ValueError, match="'metric', as summary"):
        named.ordinal.summary("y", "yhat", over="fold")


@pytest.mark.parametrize("keys", ["a", ["a", "b"]], ids=str)
def test_thresholds_of_a_group_go_into_classify(keys: Any) -> None:
    df = FRAME.assign(y=pd.Categorical.from_codes(FRAME["y"], dtype=DTYPE))
    best = df.ordinal.best_thresholds("y", "score", metric="mae", by=keys)
    for key, rows in df.groupby(keys):
        alone = rows.ordinal.best_thresholds("y", "score", metric="mae")
        found = rows["score"].ordinal.classify(best.loc[key])
        pd.testing.assert_series_equal(found, rows["score"].ordinal.classify(alone))
        pd.testing.assert_frame_equal(
            rows.ordinal.roc_surface("y", "score", thresholds=best.loc[key]),
            rows.ordinal.roc_surface("y", "score", thresholds=alone),
        )
    first = "'u'" if keys == "a" else r"\('u', 0\)"
    for call in (
        lambda: df["score"].ordinal.classify(best),
        lambda: df["score"].ordinal.classify(best, classes=DTYPE),
        lambda: df.ordinal.roc_surface("y", "score", thresholds=best),
    ):
        with pytest.raises(ValueError, match=rf"of several groups.*thresholds\.loc\[{first}\]$"):
            call()


def test_groups_without_thresholds() -> None:
    df = FRAME.assign(y=FRAME["y"].where(FRAME["a"] == "u"))
    best = df.ordinal.best_thresholds("y", "score", metric="mae", by="a", dropna=True)
    due = FRAME[FRAME["a"] == "u"].ordinal.best_thresholds("y", "score", metric="mae")
    npt.assert_array_equal(best.loc["u"], due)
    assert best.loc["v"].isna().tolist() == [True, True]
    with pytest.raises(ValueError, match="no row counts"):
        df[df["a"] == "v"].ordinal.best_thresholds(
            "y", "score", metric="mae", dropna=True, classes=CLASSES
        )


@pytest.mark.parametrize("label", CLASSES)
def test_groups_of_a_single_class_have_no_thresholds(label: int) -> None:
    single = FRAME.assign(y=FRAME["y"].where(FRAME["a"] == "u", label))
    with pytest.raises(ValueError, match="undefined on these rows"):
        single[single["a"] == "v"].ordinal.best_thresholds(
            "y", "score", metric="kendall_tau", classes=CLASSES
        )
    for call in (
        partial(single.ordinal.best_thresholds, by="a"),
        single.groupby("a").ordinal.best_thresholds,
    ):
        with pytest.warns(UndefinedMetricWarning, match="^best_thresholds is undefined for 'v'"):
            found = call("y", "score", metric="kendall_tau")
        assert found.isna().tolist() == [False, False, True, True]


def test_bins_without_rows_have_no_thresholds_and_no_points() -> None:
    df = FRAME.assign(age=pd.cut(FRAME["b"], [-1, 0, 1, 5, 9]))
    best = df.ordinal.best_thresholds("y", "score", metric="mae", by="age")
    assert best.unstack().index.equals(
        df.ordinal.class_recall("y", "yhat", by="age").unstack().index
    )
    assert best.isna().tolist() == [False] * 6 + [True] * 2
    points = df.ordinal.roc_surface("y", "score", by="age", thresholds=[0, 1])
    assert len(points) == 3


OF_BOTH = {"score": "score", "metrics": ["mae", "vus"]}
OF_BINS: dict[str, tuple[str, list[Any], dict[str, Any]]] = {
    "a metric": ("mae", ["y", ["yhat", "other"]], {}),
    "a vector": ("class_recall", ["y", "yhat"], {}),
    "a report": ("report", ["y", "yhat"], {**OF_BOTH, "ci": 0.9, "cluster": "fold"}),
    "a report of models": ("report", ["y", ["yhat", "other"]], {"ci": 0.9}),
    "classes": ("class_report", ["y", "yhat"], {"ci": 0.9, "cluster": "fold"}),
    "cuts": ("cut_report", ["y", "yhat"], {"score": "score"}),
    "calibration": ("calibration", ["y", PROBA], {"n_draws": 2}),
    "counts": ("confusion", ["y", ["yhat", "other"]], {}),
    "a summary": ("summary", ["y", "yhat"], {"over": "fold", "metrics": ["mae"]}),
    "sets": ("report_sets", ["y"], {"low": "yhat", "high": "other", "ci": 0.9}),
}


@pytest.mark.parametrize("name", OF_BINS)
def test_bins_without_rows_have_counts_of_0_and_no_values(name: str) -> None:
    method, columns, options = OF_BINS[name]
    ends = FRAME[["yhat", "other"]].to_numpy()
    df = FRAME.assign(age=pd.cut(FRAME["b"], [-1, 0, 1, 5, 9]), fold=np.arange(len(FRAME)) % 5)
    df = df.assign(yhat=ends.min(axis=1), other=ends.max(axis=1))
    found = getattr(df.ordinal, method)(*columns, by="age", **options)
    if isinstance(found, xr.DataArray):
        found = found.to_series()
    table = pd.DataFrame(found)
    of_last = table.index.get_level_values("age") == table.index.unique("age")[-1]
    assert of_last.sum() * 4 == len(table)
    for column, values in table[of_last].items():
        is_number = table[column].dtype.kind == "i"
        assert (values == 0).all() if is_number else values.isna().all()
        assert not (table.loc[~of_last, column] == 0).all()
        assert table.loc[~of_last, column].notna().any()


@pytest.mark.parametrize("groups", [LACKING, LACKING.groupby("b")], ids=["frame", "groupby"])
def test_a_summary_takes_probabilities_of_all_rows_as_an_array(groups: Any) -> None:
    call = partial(
        groups.ordinal.summary, "y", over="fold", metrics=["rps"], classes=CLASSES, dropna=True,
        sample_weight="even",
    )  # fmt: skip
    pd.testing.assert_frame_equal(
        call(proba=FRAME[["p0", "p1", "p2"]].to_numpy()), call(proba=PROBA)
    )


def test_dominance_of_a_groupby_compares_the_groups() -> None:
    for pred in ("yhat", ["yhat", "other"]):
        due = FRAME.ordinal.dominance("y", pred, by=["a", "b"])
        for groups in (FRAME.groupby(["a", "b"]), FRAME.groupby(["a", "b"], as_index=False)):
            found = groups.ordinal.dominance("y", pred)
            pd.testing.assert_frame_equal(found.better, due.better)
            assert found.undominated == due.undominated


def test_a_frame_without_rows_has_no_groups() -> None:
    options = {"by": "a", "classes": CLASSES}
    best = FRAME[:0].ordinal.best_thresholds("y", "score", metric="mae", **options)
    assert len(best) == 0 and best.index.names == ["a", "class"]
    points = FRAME[:0].ordinal.roc_surface("y", "score", **options)
    assert points.shape == (0, 3) and points.index.names == ["a", "0|1", "1|2"]


@pytest.mark.parametrize(
    "name", ["to_parquet", "expected_class", "most_likely", "median_class", "least_costly"]
)
def test_methods_that_a_groupby_lacks(name: str) -> None:
    with pytest.raises(AttributeError, match=rf"call df\.ordinal\.{name}\(\.\.\.\)$"):
        getattr(FRAME.groupby("a").ordinal, name)
    assert callable(getattr(FRAME.ordinal, name))


@pytest.mark.parametrize("method", ["report", "class_report"])
def test_blocks_without_groups(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first and the last pairs of keys have rows, those between have none."""
    b = [0] * 6 + [*range(6)] * 2
    df = pd.DataFrame({"a": [0] * 6 + [1] * 12, "b": b, "y": [0, 1, 2] * 6, "yhat": [0, 2, 1] * 6})
    df["patient"] = df.index // 2
    asked: dict[str, Any] = {"by": ["a", "b"], "cluster": "patient", "ci": 0.9}
    expected = getattr(df.ordinal, method)("y", "yhat", **asked)
    monkeypatch.setattr(sample, "block_size", lambda n_classes: 2)
    found = getattr(df.ordinal, method)("y", "yhat", **asked)
    pd.testing.assert_frame_equal(found, expected)
