"""The rows that a query asks about: shapes of results, and one count for all metrics."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import brute
import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr
from labelled import A01, DEFAULT, LEVELS, OF_ANY_CLASSES, predictions, score, unkeyed

import pandas_ordinal as po
from pandas_ordinal import UnknownClassError
from pandas_ordinal.counting import counts
from pandas_ordinal.cube import layout
from pandas_ordinal.metrics import registry

FRAME = brute.frame()
SCALARS = [name for name in OF_ANY_CLASSES if not registry[name].output]
SCALARS_OF_COUNTS = [name for name in SCALARS if registry[name].needs == "counts"]
REPORTED = [name for name in SCALARS_OF_COUNTS if not registry[name].required]


# shapes


def test_one_metric_is_a_float_or_a_series() -> None:
    one_group = FRAME.assign(key=1)
    assert type(FRAME.ordinal.mae("y", "yhat")) is float
    assert type(FRAME["y"].ordinal.mae(FRAME["yhat"])) is float
    for found, shape in [
        (one_group.ordinal.mae("y", "yhat", by="key"), (1,)),
        (one_group.ordinal.mae("y", "yhat", by=["key"]), (1,)),
        (one_group.ordinal.mae("y", ["yhat"]), (1,)),
        (one_group.groupby("key").ordinal.mae("y", "yhat"), (1,)),
        (one_group.ordinal.mae("y", "yhat", by=["g", "fold"]), (9,)),
    ]:
        assert isinstance(found, pd.Series)
        assert found.shape == shape and found.name == "mae" and found.dtype == float


def test_a_report_is_a_series_or_a_frame() -> None:
    one_group = FRAME.assign(key=1)
    for one in (FRAME.ordinal.report("y", "yhat"), FRAME["y"].ordinal.report(FRAME["yhat"])):
        assert isinstance(one, pd.Series) and one.index.tolist() == ["n", *DEFAULT]
        assert one["n"] == len(FRAME) and one.dtype == float
    for found, n_rows in [
        (one_group.ordinal.report("y", "yhat", by="key"), 1),
        (one_group.ordinal.report("y", ["yhat"]), 1),
        (one_group.groupby("key").ordinal.report("y", "yhat"), 1),
        (one_group.ordinal.report("y", ["yhat", "other"], by="g"), 6),
        (one_group.ordinal.report("y", "yhat", by="key", metrics=["mae"]), 1),
    ]:
        assert isinstance(found, pd.DataFrame) and len(found) == n_rows
        assert found["n"].dtype == np.int64
    assert FRAME.ordinal.report("y", "yhat", metrics=[]).tolist() == [len(FRAME)]


def test_scalars_in_a_table_and_matrices_in_a_cube() -> None:
    df = brute.frame().rename(columns={"g": "model"})
    for name in ("class_mae", "cost_matrix", "oci_path"):
        with pytest.raises(ValueError, match=f"{name}.*confusion"):
            df.ordinal.report("y", "yhat", metrics=["mae", name], by="model")
    cube = df.ordinal.confusion("y", "yhat", by=["model", "fold"])
    assert isinstance(cube, xr.DataArray) and cube.dims == ("model", "fold", "true", "pred")


def test_the_shape_is_that_of_the_declared_classes() -> None:
    empty = A01[:0]
    cube = empty.ordinal.confusion("y", "yhat")
    assert cube.dtype == np.int64 and cube.values.tolist() == [[0] * 3] * 3
    report = empty.ordinal.report("y", "yhat", metrics="all")
    assert report["n"] == 0 and report.drop("n").isna().all()
    with pytest.raises(UnknownClassError):
        score(predictions([0, 1], [0, 1]), "accuracy", classes=LEVELS)


# one count, all metrics


def test_counts_once_and_all_metrics_from_them() -> None:
    df = brute.frame()
    cube = df.ordinal.confusion("y", "yhat")
    of_cube = cube.ordinal.report(metrics="all")
    for name, value in df.ordinal.report("y", "yhat", metrics="all").items():
        assert float(of_cube[name]) == pytest.approx(value, rel=1e-12), name
    halves = [df[:77], df[77:]]
    total = po.add(*(half.ordinal.confusion("y", "yhat", by="g") for half in halves))
    rows = df.ordinal.confusion("y", "yhat", by="g")
    npt.assert_allclose(total.ordinal.kappa(), rows.ordinal.kappa(), rtol=1e-12)


@pytest.mark.parametrize("by", [None, "g", ["g", "fold"]])
@pytest.mark.parametrize("pred", ["yhat", ["yhat", "other"]], ids=str)
@pytest.mark.parametrize("weight", [None, "w"])
def test_a_report_of_rows_is_the_report_of_their_cube(by: Any, pred: Any, weight: Any) -> None:
    report = FRAME.ordinal.report("y", pred, by=by, metrics="all", sample_weight=weight)
    cube = FRAME.ordinal.confusion("y", pred, by=by, sample_weight=weight)
    of_cube = cube.ordinal.report(metrics="all")
    assert isinstance(of_cube, xr.Dataset) and list(of_cube) == ["n", *REPORTED]
    for name in REPORTED:
        npt.assert_allclose(report[name], np.ravel(of_cube[name]), rtol=1e-12, atol=1e-12)
    n = FRAME.ordinal.confusion("y", pred, by=by).sum(["true", "pred"])
    assert np.ravel(report["n"]).tolist() == np.ravel(n).tolist()
    if weight is None:
        npt.assert_array_equal(of_cube["n"], n)


def test_kernels_of_groups_do_not_mix() -> None:
    df = unkeyed(2000).assign(key=np.arange(2000) % 97)
    report = df.ordinal.report("y", "yhat", metrics="all", by="key")
    for key in (0, 50, 96):
        rows = df[df["key"] == key]
        table = brute.counts(rows["y"].cat.codes, rows["yhat"].cat.codes, 4)
        for name in report.columns.drop("n"):
            kernel = po.metrics.registry[name].kernel
            assert report.loc[key, name] == pytest.approx(kernel(table), rel=1e-12), name


# what must not matter


def test_index_and_name_proof() -> None:
    df = brute.frame()
    expected = df.ordinal.report("y", "yhat", by="g")
    shuffled = df.sample(frac=1, random_state=1)
    for other in (shuffled, shuffled.reset_index(drop=True), df.set_axis([7] * len(df))):
        pd.testing.assert_frame_equal(other.ordinal.report("y", "yhat", by="g"), expected)
    first = df.ordinal.report("y", "yhat", metrics=["kappa", "mae"], by="g")
    second = df.ordinal.report("y", "yhat", metrics=["mae", "kappa"], by="g")
    pd.testing.assert_frame_equal(first[second.columns], second)


def test_the_order_of_rows_does_not_matter() -> None:
    df = brute.frame()
    expected = df.ordinal.report("y", "yhat", metrics="all", by="g")
    for seed in range(3):
        shuffled = df.sample(frac=1, random_state=seed)
        found = shuffled.ordinal.report("y", "yhat", metrics="all", by="g")
        pd.testing.assert_frame_equal(found, expected, check_exact=True)
        text = shuffled.astype({"y": object, "yhat": object})
        classes = df["y"].cat.categories
        found = text.ordinal.report("y", "yhat", metrics="all", by="g", classes=classes)
        pd.testing.assert_frame_equal(found, expected, check_exact=True)
    codes = {name: ("i", df[name].cat.codes) for name in ("y", "yhat")}
    for chunks in (1, 7, 200):
        cube = xr.Dataset(codes).chunk(i=chunks).ordinal.confusion("y", "yhat", classes=classes)
        found = cube.compute().ordinal.kappa()
        assert float(found) == df.ordinal.kappa("y", "yhat")


@pytest.mark.parametrize("asked", [{"cluster": "c"}, {"sample_weight": "w"}], ids=str)
def test_bounds_without_a_group(asked: dict[str, Any]) -> None:
    """Rows that are all left out make no group, and no error."""
    df = predictions([0, 1, 2], [0, 2, 2], g=[None] * 3, c=[0, 1, 1], w=[1.0, 0.5, 2.0])
    for rows, options in ((df, {"dropna": True}), (df[:0], {})):
        found = rows.ordinal.report(
            "y", "yhat", by="g", metrics=["mae"], ci=0.9, classes=[0, 1, 2], **options, **asked
        )
        assert not len(found) and found.index.name == "g"
        sizes = ["n", *(["n_clusters"] if "cluster" in asked else []), "n_classes"]
        assert found.columns.tolist() == [*sizes, "mae", "mae_low", "mae_high"]


# many groups


@pytest.mark.parametrize("weight", [None, "w"])
def test_groups_that_are_counted_in_parts(
    weight: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, 4, (6000, 3)), columns=["y", "yhat", "other"])
    frame = frame.assign(g=rng.permutation(6000) // 6, w=rng.random(6000))
    given: dict[str, Any] = {"by": "g", "sample_weight": weight, "classes": range(4)}
    asked: dict[str, Any] = {"metrics": ["mae", "oci", "kappa"], "ci": 0.9}
    expected = frame.ordinal.report("y", ["yhat", "other"], **given, **asked)
    cube = frame.ordinal.confusion("y", ["yhat", "other"], **given)
    monkeypatch.setattr(counts, "LARGE_TABLE", 2**8)
    monkeypatch.setattr(counts, "CELLS_PER_ROW", 2**8)
    found = frame.ordinal.report("y", ["yhat", "other"], **given, **asked)
    pd.testing.assert_frame_equal(found, expected, rtol=1e-12)
    xr.testing.assert_allclose(frame.ordinal.confusion("y", ["yhat", "other"], **given), cube)
    with pytest.raises(po.MissingValueError, match="'yhat'"):
        frame.assign(yhat=frame["yhat"].replace(2, np.nan)).ordinal.mae("y", "yhat", **given)


def test_memory_follows_the_rows_and_not_the_tables_of_all_groups(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    n_groups, n_classes = 20_000, 9
    codes = np.tile(np.arange(n_classes), 3 * n_groups)
    frame = pd.DataFrame({"y": codes, "yhat": codes[::-1], "g": np.arange(len(codes)) % n_groups})
    monkeypatch.setattr(counts, "LARGE_TABLE", 2**16)
    tracemalloc.start()
    report = frame.ordinal.report("y", "yhat", by="g", metrics=["mae", "accuracy"])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(report) == n_groups
    assert peak < n_groups * (n_classes + 1) ** 2 * 8


def test_numbers_of_many_groups_are_no_cells_of_a_cube(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.DataFrame({"y": [0, 1] * 20, "yhat": [0, 0] * 20, "g": np.arange(40) // 2})
    monkeypatch.setattr(layout, "LARGEST_CUBE", 10)
    report = frame.ordinal.report("y", "yhat", by="g", metrics=["accuracy", "mae"])
    assert report.shape == (20, 3) and (report == [2, 0.5, 0.5]).all(axis=None)
    with pytest.raises(ValueError, match="40 cells"):
        frame.ordinal.class_mae("y", "yhat", by="g")


def test_cells_may_be_as_many_as_the_limit_says(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.DataFrame({"y": [0, 1] * 20, "a": [0, 0] * 20, "g": np.arange(40) // 2})
    given: Any = "y", {"one": "a", "two": "y"}
    calls: dict[int, Callable[[], Any]] = {
        20 * 2 * 2**2: lambda: frame.ordinal.confusion(*given, by="g"),
        2 * 2**2: lambda: frame.ordinal.confusion(*given),
        20 * 2 * 2: lambda: frame.ordinal.class_mae(*given, by="g"),
        2 * 2: lambda: frame.ordinal.class_mae(*given),
    }
    for n_cells, call in calls.items():
        monkeypatch.setattr(layout, "LARGEST_CUBE", n_cells)
        assert call().size == n_cells
        monkeypatch.setattr(layout, "LARGEST_CUBE", n_cells - 1)
        with pytest.raises(ValueError, match=rf"\b{n_cells} cells"):
            call()
    monkeypatch.setattr(layout, "LARGEST_CUBE", 0)
    assert frame.ordinal.report(*given, by="g", metrics=["accuracy", "mae"]).shape == (40, 3)
