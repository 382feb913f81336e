"""Repeats of folds are not new rows: intervals and comparisons warn."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal.rows.repeats import are_repeated, repeated_folds

dask = pytest.importorskip("dask.dataframe")

K, N, REPEATS = 3, 30, 2
RNG = np.random.default_rng(8)
TRUTH = RNG.integers(0, K, N)


def folds(model: str) -> pd.DataFrame:
    """Return out-of-fold predictions as `cross_val_frame` writes them."""
    parts = []
    for repeat in range(1, REPEATS + 1):
        order = RNG.permutation(N)
        yhat = (TRUTH[order] + (RNG.random(N) < 0.3)).clip(0, K - 1)
        proba = RNG.dirichlet(np.ones(K), N)
        part = {"row": order, "model": model, "repeat": repeat, "fold": np.arange(N) % 3 + 1}
        labels = {"y": TRUTH[order], "yhat": yhat, "score": RNG.normal(size=N)}
        parts.append(pd.DataFrame({**part, **labels, **dict(enumerate(proba.T))}))
    return pd.concat(parts, ignore_index=True)


FRAME = pd.concat([folds("tree"), folds("forest")], ignore_index=True)
WIDE = FRAME.pivot(index=["row", "repeat", "y"], columns="model", values="yhat").reset_index()
CASE = {"model": "model", "id": ["row", "repeat"], "metrics": ["mae"]}
ASKED: dict[str, Any] = {"ci": 0.95, "metrics": ["mae"]}
PROBA: dict[str, Any] = {"proba": list(range(K)), "ci": 0.95}


def lazy(frame: pd.DataFrame) -> Any:
    return po.ordinal(dask.from_pandas(frame.assign(**{"all": 1}), npartitions=3))


TREE = FRAME[FRAME.model == "tree"]
FLAT = TREE.drop(columns="model").rename(columns=str).to_xarray()
GRID = TREE.set_index(["row", "repeat"])[["y", "yhat", "score"]].to_xarray()
GRID["key"] = "row", np.arange(N) % 2
MODELS = FRAME.set_index(["model", "row", "repeat"])[["yhat", "score"]].to_xarray()
MODELS["y"] = GRID.y
MODELS["proba"] = (
    FRAME.set_index(["model", "row", "repeat"])[list(range(K))].to_xarray().to_dataarray("class")
)
STACKED = GRID.stack(case=["row", "repeat"])


def of_dataset(ds: xr.Dataset, **asked: Any) -> Any:
    return ds.ordinal.report("y", "yhat", **{**ASKED, **asked})


def report(frame: pd.DataFrame = FRAME, **asked: Any) -> Any:
    return frame.ordinal.report("y", "yhat", **{"by": "model", **ASKED, **asked})


WARN: dict[str, tuple[Callable[..., Any], str]] = {
    "report": (report, 'cluster="row"'),
    "se": (lambda: report(ci=None, se=True), 'cluster="row"'),
    "without groups": (lambda: report(by=None), 'cluster="row"'),
    "by fold": (lambda: report(by=["model", "fold"]), 'cluster="row"'),
    "groupby": (
        lambda: FRAME.groupby("model").ordinal.report("y", "yhat", **ASKED), 'cluster="row"'
    ),
    "columns of models": (
        lambda: WIDE.ordinal.report("y", ["tree", "forest"], **ASKED), 'cluster="row"'
    ),
    "probabilities": (
        lambda: FRAME.ordinal.report("y", by="model", metrics=["rps"], **PROBA), 'cluster="row"'
    ),
    "scores": (
        lambda: FRAME.ordinal.report("y", score="score", metrics=["vus"], ci=0.9), 'cluster="row"'
    ),
    "bootstrap": (
        lambda: report(method="bootstrap", n_boot=9), 'cluster="row" instead of method="bootstrap"'
    ),
    "strata": (lambda: report(stratify="true"), 'cluster="row" instead of stratify='),
    "weights": (
        lambda: report(FRAME.assign(w=0.5), sample_weight="w"),
        'cluster="row"',
    ),
    "of a selection": (
        lambda: report(FRAME.assign(w=FRAME.row < 9), sample_weight="w"), 'cluster="row"'
    ),
    "categories": (
        lambda: report(FRAME.astype({"row": "category", "repeat": "category"})), 'cluster="row"'
    ),
    "levels of the index": (lambda: report(FRAME.set_index(["repeat", "row"])), 'cluster="row"'),
    "a level of the index": (lambda: report(FRAME.set_index("row")), 'cluster="row"'),
    "numbers with fractions": (
        lambda: report(FRAME.astype({"row": float, "repeat": float})), 'cluster="row"'
    ),
    "calibration": (
        lambda: FRAME.ordinal.calibration("y", PROBA["proba"], by="model", n_draws=2),
        'cluster="row"',
    ),
    "compare": (
        lambda: WIDE.ordinal.compare("y", ["tree", "forest"], metrics=["mae"]), 'cluster="row"'
    ),
    "compare, long": (lambda: FRAME.ordinal.compare("y", "yhat", **CASE), 'cluster="row"'),
    "compare, groupby": (
        lambda: FRAME.groupby("fold").ordinal.compare("y", "yhat", **CASE), 'cluster="row"'
    ),
    "compare, permutation": (
        lambda: FRAME.ordinal.compare(
            "y", "yhat", method="permutation", n_permutations=9, **CASE
        ),
        'cluster="row"',
    ),
    "compare, probabilities": (
        lambda: FRAME.ordinal.compare(
            "y", proba=PROBA["proba"], **{**CASE, "metrics": ["rps"]}
        ),
        'cluster="row"',
    ),
    "Dask": (
        lambda: lazy(FRAME).report("y", "yhat", by="model", classes=range(K), **ASKED),
        'cluster="row"',
    ),
    "Dask, no groups": (
        lambda: lazy(FRAME).report("y", "yhat", classes=range(K), **ASKED), 'cluster="row"'
    ),
    "Dask, categories": (
        lambda: lazy(FRAME.astype({"row": "category", "repeat": "category"})).report(
            "y", "yhat", classes=range(K), **ASKED
        ),
        'cluster="row"',
    ),
    "Dask, rows in the index": (
        lambda: lazy(FRAME.set_index("row").sort_index()).report(
            "y", "yhat", classes=range(K), **ASKED
        ),
        'cluster="row"',
    ),
    "Dask, key in the index": (
        lambda: lazy(FRAME.set_index("model").sort_index()).report(
            "y", "yhat", by="model", classes=range(K), **ASKED
        ),
        'cluster="row"',
    ),
    "Dataset": (lambda: of_dataset(FLAT), 'cluster="row"'),
    "Dataset, grid": (lambda: of_dataset(GRID), 'cluster="row"'),
    "Dataset, se": (lambda: of_dataset(GRID, ci=None, se=True), 'cluster="row"'),
    "Dataset, by": (lambda: of_dataset(GRID, by="key"), 'cluster="row"'),
    "Dataset, stacked": (lambda: of_dataset(STACKED), 'cluster="row"'),
    "Dataset, models": (lambda: of_dataset(MODELS), 'cluster="row"'),
    "Dataset, one of two models": (
        lambda: of_dataset(
            MODELS.assign(yhat=MODELS.yhat.where((MODELS.model == "tree") | (MODELS.repeat == 1))),
            dropna=True,
        ),
        'cluster="row"',
    ),
    "Dataset, bootstrap": (
        lambda: of_dataset(GRID, method="bootstrap", n_boot=9),
        'cluster="row" instead of method="bootstrap"',
    ),
    "Dataset, chunks": (
        lambda: of_dataset(GRID.chunk({"row": 7}), classes=range(K)), 'cluster="row"'
    ),
    "Dataset, the lowest class": (
        lambda: of_dataset(GRID.assign(yhat=GRID.yhat * 0)), 'cluster="row"'
    ),
    "Dataset, the lowest group": (
        lambda: of_dataset(GRID.assign(key=GRID.key * 0), by="key"), 'cluster="row"'
    ),
    "Dataset, weights": (
        lambda: of_dataset(GRID.assign(w=GRID.y * 0 + 0.5), sample_weight="w"), 'cluster="row"'
    ),
    "Dataset, scores": (
        lambda: MODELS.ordinal.report("y", score="score", metrics=["vus"], ci=0.9), 'cluster="row"'
    ),
    "Dataset, probabilities": (
        lambda: MODELS.ordinal.report("y", proba="proba", metrics=["rps"], ci=0.9),
        'cluster="row"',
    ),
    "Dataset, classes": (
        lambda: GRID.ordinal.class_report("y", "yhat", ci=0.9), 'cluster="row"'
    ),
    "Dataset, compare": (
        lambda: MODELS.ordinal.compare("y", "yhat", model="model", metrics=["mae"]),
        'cluster="row"',
    ),
    "Dataset, compare variables": (
        lambda: FLAT.assign(other=FLAT.y).ordinal.compare("y", ["yhat", "other"]),
        'cluster="row"',
    ),
    "DataArray": (lambda: GRID.y.ordinal.report(GRID.yhat, **ASKED), 'cluster="row"'),
    "DataArray, coordinates": (
        lambda: FLAT.set_coords(["row", "repeat"]).y.ordinal.report(FLAT.yhat, **ASKED),
        'cluster="row"',
    ),
}  # fmt: skip


@pytest.mark.parametrize("call", WARN)
def test_repeated_rows_warn_with_the_line_to_write(call: str) -> None:
    asked, remedy = WARN[call]
    with pytest.warns(po.RepeatedRowsWarning, match="'row' and 'repeat'") as caught:
        asked()
    assert [warning.filename for warning in caught] == [__file__]
    assert f"give {remedy}" in str(caught[0].message)


def one_of_each(frame: pd.DataFrame) -> pd.DataFrame:
    """Return rows of several repeats, none of them twice."""
    return frame[(frame.row % REPEATS) + 1 == frame.repeat]


SILENT: dict[str, Callable[..., Any]] = {
    "no interval": lambda: report(ci=None),
    "clusters": lambda: report(cluster="row"),
    "other clusters": lambda: report(cluster="fold"),
    "by repeat": lambda: report(by=["model", "repeat"]),
    "groupby repeat": lambda: FRAME.groupby(["repeat", "model"]).ordinal.report(
        "y", "yhat", **ASKED
    ),
    "one repeat": lambda: report(FRAME[FRAME.repeat == 2]),
    "each row once": lambda: report(one_of_each(FRAME)),
    "no repeat": lambda: report(FRAME.drop(columns="repeat")),
    "no row": lambda: report(FRAME.drop(columns="row")),
    "rows of an image": lambda: report(FRAME.assign(row=FRAME.row // 5)),
    "a row of one's own": lambda: report(FRAME.assign(row=range(len(FRAME)))),
    "names of rows": lambda: report(FRAME.assign(row=FRAME.row.astype(str))),
    "a selection": lambda: report(FRAME.assign(w=FRAME.repeat == 1), sample_weight="w"),
    "weights of one repeat": lambda: report(
        FRAME.assign(w=0.5 * (FRAME.repeat == 1)), sample_weight="w"
    ),
    "categories by name": lambda: report(
        FRAME.assign(row=FRAME.row.astype(str).astype("category"))
    ),
    "predictions of one repeat": lambda: report(
        FRAME.assign(yhat=FRAME.yhat.where(FRAME.repeat == 1)), dropna=True
    ),
    "labels of one repeat": lambda: report(
        FRAME.assign(yhat=FRAME.yhat.where(FRAME.repeat == 1, 9)), ignore=9
    ),
    "probabilities of one repeat": lambda: FRAME.assign(
        **{"p": FRAME[0].where(FRAME.repeat == 1)}
    ).ordinal.report(
        "y", proba={0: "p", 1: 1, 2: 2}, by="model", metrics=["rps"], ci=0.9, dropna=True
    ),
    "summary": lambda: FRAME.ordinal.summary("y", "yhat", over=["repeat", "fold"], by="model"),
    "compare with clusters": lambda: FRAME.ordinal.compare("y", "yhat", cluster="row", **CASE),
    "compare by repeat": lambda: FRAME.ordinal.compare("y", "yhat", by="repeat", **CASE),
    "compare, groupby": lambda: FRAME.groupby("repeat").ordinal.compare("y", "yhat", **CASE),
    "compare, one repeat": lambda: WIDE[WIDE.repeat == 1].ordinal.compare(
        "y", ["tree", "forest"], metrics=["mae"]
    ),
    "Dask by repeat": lambda: lazy(FRAME).report(
        "y", "yhat", by=["model", "repeat"], classes=range(K), **ASKED
    ),
    "Dask, one of each": lambda: lazy(one_of_each(FRAME)).report(
        "y", "yhat", by="model", classes=range(K), **ASKED
    ),
    "Dask, a selection": lambda: lazy(FRAME.assign(w=FRAME.repeat == 1)).report(
        "y", "yhat", by="model", sample_weight="w", classes=range(K), **ASKED
    ),
    "Dask, an image": lambda: lazy(FRAME.assign(row=FRAME.row // 5)).report(
        "y", "yhat", by="model", classes=range(K), **ASKED
    ),
    "Dask, no interval": lambda: lazy(FRAME).report(
        "y", "yhat", by="model", classes=range(K), metrics=["mae"]
    ),
    "Dataset with clusters": lambda: of_dataset(GRID, cluster="row"),
    "Dataset, flat, with clusters": lambda: of_dataset(FLAT, cluster="row"),
    "DataArray with clusters": lambda: GRID.y.ordinal.report(GRID.yhat, cluster="row", **ASKED),
    "Dataset, stacked, with clusters": lambda: of_dataset(STACKED, cluster="row"),
    "Dataset, chunks, with clusters": lambda: of_dataset(
        GRID.chunk({"row": 7}), cluster="row", classes=range(K)
    ),
    "Dataset, no interval": lambda: of_dataset(GRID, ci=None),
    "Dataset by repeat": lambda: of_dataset(GRID, by="repeat"),
    "Dataset, repeats kept": lambda: of_dataset(GRID, dim="row"),
    "Dataset, one repeat": lambda: of_dataset(GRID.isel(repeat=[1])),
    "Dataset, a selection": lambda: of_dataset(
        GRID.assign(w=(GRID.repeat == 1) & (GRID.y >= 0)), sample_weight="w"
    ),
    "Dataset, predictions of one repeat": lambda: of_dataset(
        GRID.assign(yhat=GRID.yhat.where(GRID.repeat == 1)), dropna=True
    ),
    "Dataset, no row": lambda: of_dataset(GRID.drop_vars("row")),
    "Dataset, no repeat": lambda: of_dataset(GRID.drop_vars("repeat")),
    "Dataset, a repeat that is selected": lambda: of_dataset(GRID.isel(repeat=0)),
    "Dataset, rows of something else": lambda: of_dataset(
        FLAT.drop_vars("row").assign(row=("other", [0, 1]))
    ),
    "Dataset, weights of one repeat": lambda: of_dataset(
        GRID.assign(w=0.5 * (GRID.repeat == 1) + 0 * GRID.y), sample_weight="w"
    ),
    "Dataset, repeats without a group": lambda: of_dataset(
        GRID.assign(
            key=GRID.key.where(GRID.key == 0),
            yhat=GRID.yhat.where((GRID.key == 1) | (GRID.repeat == 1)),
        ),
        by="key",
        dropna=True,
    ),
    "Dataset, a repeat at each site": lambda: of_dataset(
        GRID.assign(
            y=GRID.y.expand_dims(site=2),
            yhat=GRID.yhat.where(GRID.repeat == xr.DataArray([1, 2], dims="site")),
        ),
        dim=["row", "repeat"],
        dropna=True,
    ),
    "Dataset, an image": lambda: of_dataset(
        GRID.assign(y=GRID.y[:, ::-1].copy(data=RNG.integers(0, K, GRID.y.shape)))
    ),
    "Dataset, names of rows": lambda: of_dataset(GRID.assign_coords(row=[*map(str, range(N))])),
    "calibration, clusters": lambda: FRAME.ordinal.calibration(
        "y", PROBA["proba"], by="model", cluster="row", n_draws=2
    ),
    "Dataset, compare with clusters": lambda: MODELS.ordinal.compare(
        "y", "yhat", model="model", cluster="row"
    ),
    "Dataset, compare, repeats kept": lambda: MODELS.ordinal.compare(
        "y", "yhat", model="model", dim="row"
    ),
}


@pytest.mark.parametrize("call", SILENT)
def test_other_rows_do_not_warn(call: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", po.RepeatedRowsWarning)
        SILENT[call]()


@pytest.mark.parametrize(
    ("weights", "warn"),
    [
        (pd.Series([0.5, 0.5, 0.25, 0.25]), True),
        (pd.Series([0.5, 0, 0, 0.5]), False),
        (pd.Series([0.5, 0.5, None, 1], dtype="Float64"), True),
        (pd.Series([0.5, None, None, 0.5], dtype="Float64"), False),
        (pd.Series([True, True, None, False], dtype="boolean"), True),
        (pd.Series([True, None, None, True], dtype="boolean"), False),
    ],
)
def test_rows_without_a_weight_repeat_nothing(weights: pd.Series[Any], warn: bool) -> None:
    df = pd.DataFrame({"row": [0, 0, 1, 1], "repeat": [1, 2, 1, 2], "w": weights})
    df["y"] = df["row"]
    asked: dict[str, Any] = {"sample_weight": "w", "classes": [0, 1], **ASKED}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", po.RepeatedRowsWarning)
        lazy(df).report("y", "y", **asked)
    assert [one.category for one in caught] == [po.RepeatedRowsWarning] * warn


def test_the_line_that_is_written_works() -> None:
    """Twice the same predictions leave the standard error of one, not 1 / sqrt(2) of it."""
    once = FRAME[(FRAME.model == "tree") & (FRAME.repeat == 1)]
    twice = pd.concat([once, once.assign(repeat=2)])
    with pytest.warns(po.RepeatedRowsWarning):
        independent = report(twice, by=None, se=True)
    clustered = report(twice, by=None, se=True, cluster="row")
    alone = report(once, by=None, se=True)
    assert independent.mae == clustered.mae == alone.mae
    assert clustered.mae_se == pytest.approx(alone.mae_se, rel=0.1)
    assert independent.mae_se == pytest.approx(alone.mae_se / np.sqrt(2), rel=0.1)


@pytest.mark.parametrize("seed", range(30))
def test_are_repeated_is_a_loop(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 7))
    cases = pd.DataFrame(rng.integers(0, 2, (n, 3)), columns=["row", "repeat", "key"])
    cases["true"] = rng.integers(0, 2, 2)[cases.row] if seed % 3 else rng.integers(0, 2, n)
    rows = cases.to_dict("records")
    pairs = [(a, b) for a in rows for b in rows if a["row"] == b["row"]]
    several_truths = any(a["true"] != b["true"] for a, b in pairs)
    twice = any(a["key"] == b["key"] and a["repeat"] != b["repeat"] for a, b in pairs)
    assert are_repeated(cases) == (twice and not several_truths)


@pytest.mark.parametrize(
    ("columns", "are_folds"),
    [
        ({"row": [0, 1], "repeat": [1, 1]}, True),
        ({"row": [0.0, 1.0], "repeat": pd.Categorical([1, 2])}, True),
        ({"row": ["a", "b"], "repeat": [1, 1]}, False),
        ({"row": [0, 1], "repeat": pd.Categorical(["a", "b"])}, False),
        ({"row": [0, 1]}, False),
        ({"repeat": [0, 1]}, False),
        ({}, False),
    ],
)
def test_columns_of_repeated_folds_are_numbers(columns: dict[str, Any], are_folds: bool) -> None:
    frame = pd.DataFrame({"y": [0, 1], **columns})
    found = repeated_folds(frame)
    assert (found is not None) == are_folds
    if columns:
        levels = repeated_folds(frame.set_index([*columns], append=True))
        assert (levels is not None) == are_folds
    twice = pd.concat([frame, frame[[*columns][:1]]], axis=1)
    assert not columns or repeated_folds(twice) is None
