"""The cube: its dimensions, its classes, its groups, and its size."""

from __future__ import annotations

import pickle
import tracemalloc
from typing import Any

import brute
import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr

from pandas_ordinal.cube import layout

FRAME = brute.frame()


def cube_of(df: pd.DataFrame = FRAME, **options: Any) -> xr.DataArray:
    return df.ordinal.confusion("y", "yhat", **options)


def table(df: pd.DataFrame, pred: str = "yhat", weights: Any = None) -> np.ndarray:
    return brute.counts(df["y"].cat.codes, df[pred].cat.codes, 4, weights)


CLASSES = FRAME["y"].cat.categories.tolist()
BINS = pd.IntervalIndex.from_breaks([0.0, 10, 20, np.inf])


# what it is made of


def test_dims_dtype_and_name() -> None:
    assert cube_of().dims == ("true", "pred")
    assert cube_of(by="g").dims == ("g", "true", "pred")
    assert cube_of(by=["fold", "g"]).dims == ("fold", "g", "true", "pred")
    wide = FRAME.ordinal.confusion("y", ["other", "yhat"], by=["fold", "g"])
    assert wide.dims == ("fold", "g", "model", "true", "pred")
    assert wide.shape == (3, 3, 2, 4, 4)
    assert wide.indexes["model"].tolist() == ["other", "yhat"]
    for cube in (cube_of(), wide):
        assert cube.dtype == np.int64 and cube.name == "count" and cube.attrs == {}
        assert all(coord.attrs == {} for coord in cube.coords.values())
    weighted = cube_of(by="g", sample_weight="w")
    assert weighted.dtype == np.float64 and weighted.name == "count"


def test_values() -> None:
    wide = FRAME.ordinal.confusion("y", ["other", "yhat"], by=["fold", "g"])
    for (fold, g), rows in FRAME.groupby(["fold", "g"]):
        for model in ("other", "yhat"):
            cell = wide.sel(fold=fold, g=g, model=model)
            npt.assert_array_equal(cell, table(rows, model))
    weighted = cube_of(sample_weight="w")
    npt.assert_array_equal(weighted, table(FRAME, weights=FRAME["w"]))


def test_class_axes() -> None:
    for cube in (cube_of(), cube_of(by="g"), FRAME["y"].ordinal.confusion(FRAME["yhat"])):
        for dim in ("true", "pred"):
            index = cube.indexes[dim]
            assert isinstance(index, pd.CategoricalIndex) and index.ordered
            assert index.tolist() == index.categories.tolist() == CLASSES
            assert index.name == dim


def test_bins_stay_intervals() -> None:
    df = pd.DataFrame({"y": pd.cut([5, 15, 40], BINS), "yhat": pd.cut([15, 15, 40], BINS)})
    cube = cube_of(df)
    for result in (cube, cube[::-1], cube.isel(pred=[2, 0, 1]), pickle.loads(pickle.dumps(cube))):
        pd.testing.assert_index_equal(result.indexes["true"].categories, BINS)
        assert result.ordinal.mae() == pytest.approx(1 / 3)


def test_dense_over_the_levels_that_occur() -> None:
    df = FRAME[(FRAME["g"] != "a") | (FRAME["fold"] == 3)]
    df = df.assign(c=pd.Categorical(df["g"], categories=["c", "zz", "a", "b"]))
    cube = cube_of(df, by=["c", "fold"])
    assert cube.indexes["c"].tolist() == ["c", "a", "b"]
    assert cube.indexes["fold"].tolist() == [3, 4, 5]
    assert cube.sel(c="a", fold=[4, 5]).sum() == 0
    assert cube.sel(c="a", fold=3).sum() == (df["c"] == "a").sum()
    report = cube.ordinal.report()
    assert report["n"].sel(c="a", fold=4) == 0
    assert np.isnan(report["mae"].sel(c="a", fold=4))
    assert len(df.ordinal.report("y", "yhat", by=["c", "fold"])) == 7


def test_coordinates_keep_their_type() -> None:
    days = pd.to_datetime(["2026-01-01", "2025-01-01"])[np.arange(len(FRAME)) % 2]
    df = FRAME.assign(day=days, flag=FRAME["fold"] > 3, bin=pd.cut(FRAME["fold"], [2, 3, 4, 5]))
    assert isinstance(cube_of(df, by="day").indexes["day"], pd.DatetimeIndex)
    assert cube_of(df, by="flag").indexes["flag"].tolist() == [False, True]
    assert isinstance(cube_of(df, by="bin").indexes["bin"], pd.IntervalIndex)
    assert cube_of(df, by="fold").indexes["fold"].dtype == np.int64
    two = cube_of(df, by=["day", "bin"])
    assert isinstance(two.indexes["day"], pd.DatetimeIndex)
    assert isinstance(two.indexes["bin"], pd.IntervalIndex)
    assert (
        two.sel(day="2026-01-01", bin=3).sum()
        == ((df["day"].dt.year == 2026) & (df.fold == 3)).sum()
    )


def test_dimension_names_are_strings_and_table_names_are_not() -> None:
    df = FRAME.rename(columns={"fold": 7})
    assert cube_of(df, by=7).dims == ("7", "true", "pred")
    assert df.ordinal.mae("y", "yhat", by=7).index.name == 7
    assert df.ordinal.report("y", "yhat", by=[7, "w"]).index.names == [7, "w"]


# names that clash


@pytest.mark.parametrize("name", ["true", "pred"])
def test_keys_named_as_the_classes(name: str) -> None:
    df = FRAME.rename(columns={"g": name})
    with pytest.raises(ValueError, match=f"'{name}'.*rename"):
        cube_of(df, by=name)
    with pytest.raises(ValueError, match=f"'{name}'"):
        df.ordinal.oci_path("y", "yhat", by=name)
    assert df.ordinal.mae("y", "yhat", by=name).index.name == name
    assert df.ordinal.class_mae("y", "yhat", by=name).index.names == [name, "class"]


@pytest.mark.parametrize(("key", "columns"), [("model", None), ("method", "method")])
def test_keys_named_as_the_model_dimension(key: str, columns: str | None) -> None:
    df = FRAME.rename(columns={"g": key}).rename_axis(columns=columns)
    for call in (df.ordinal.confusion, df.ordinal.mae, df.ordinal.report):
        with pytest.raises(ValueError, match=f"'{key}'.*rename"):
            call("y", ["yhat", "other"], by=key)
        call("y", "yhat", by=key)
    with pytest.raises(ValueError, match=f"'{key}'"):
        df.groupby(key).ordinal.mae("y", ["yhat", "other"])


def test_keys_of_one_name_as_text() -> None:
    df = FRAME.rename(columns={"g": 1, "fold": "1"})
    with pytest.raises(ValueError, match="'1'"):
        cube_of(df, by=[1, "1"])
    assert df.ordinal.mae("y", "yhat", by=[1, "1"]).index.names == [1, "1"]


def test_columns_named_true_and_pred() -> None:
    df = FRAME.rename(columns={"y": "true", "yhat": "pred"})
    npt.assert_array_equal(df.ordinal.confusion("true", "pred"), cube_of())
    cube = df.ordinal.confusion("true", ["pred"], by="g")
    assert cube.dims == ("g", "model", "true", "pred")


# size


def test_a_cube_too_large_is_refused_before_it_is_made() -> None:
    n_rows = 20_000
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, (2, n_rows))
    keys = {"a": rng.permutation(n_rows), "b": rng.permutation(n_rows)}
    df = pd.DataFrame({"y": labels[0], "yhat": labels[1], **keys})
    tracemalloc.start()
    with pytest.raises(ValueError, match=r"cells.*GiB.*report"):
        df.ordinal.confusion("y", "yhat", by=["a", "b"])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2**26
    report = df.ordinal.report("y", "yhat", by=["a", "b"], metrics=["mae"])
    assert len(report) == n_rows
    assert report["mae"].mean() == pytest.approx(np.abs(labels[0] - labels[1]).mean())


def test_more_cells_than_an_integer_of_64_bits_counts() -> None:
    keys = {f"key {n}": np.arange(256) for n in range(8)}
    df = pd.DataFrame({"y": [0, 1] * 128, **keys})
    with pytest.raises(ValueError, match="would have 73,786,976,294,838,206,464 cells"):
        df.ordinal.confusion("y", "y", by=list(keys))
    report = df.ordinal.report("y", "y", by=list(keys), metrics=["accuracy"])
    assert len(report) == 256 and (report == 1).all(axis=None)


def test_many_groups_times_many_classes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "LARGEST_CUBE", 3 * 16 - 1)
    with pytest.raises(ValueError, match="48 cells"):
        cube_of(by="g")
    monkeypatch.setattr(layout, "LARGEST_CUBE", 3 * 16)
    assert cube_of(by="g").size == 48


def test_a_cube_has_a_billion_cells_at_most() -> None:
    layout.refuse_size(2**30)
    with pytest.raises(ValueError, match="1,073,741,825 cells, 8 GiB"):
        layout.refuse_size(2**30 + 1)


def test_one_table_of_many_classes_is_refused_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "LARGEST_CUBE", 2**16)
    df = pd.DataFrame({"y": [0, 1], "yhat": [1, 0]})
    tracemalloc.start()
    with pytest.raises(ValueError, match="9,000,000 cells"):
        df.ordinal.confusion("y", "yhat", classes=range(3000))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 * 3000**2


@pytest.mark.parametrize("dtype", [int, float, "int8"])
def test_counts_within_a_limit_or_without_one(dtype: Any) -> None:
    cube = xr.DataArray(np.array([[1, 0], [3, 7]], dtype), dims=("true", "pred"))
    for limit in (None, 7, 8):
        xr.testing.assert_identical(layout.checked_counts(cube, limit), cube)
    if np.dtype(dtype).kind == "i":
        with pytest.raises(ValueError, match="a count of 7, too large"):
            layout.checked_counts(cube, 6)
    empty = cube[:0, :0]
    xr.testing.assert_identical(layout.checked_counts(empty, 0), empty)
    with pytest.raises(ValueError, match="counts hold -1"):
        layout.checked_counts(cube - 2)


def test_sums_that_int64_does_not_hold() -> None:
    labels = pd.CategoricalIndex(["a", "b"], ordered=True)
    coords = {"true": labels, "pred": labels}
    largest = xr.DataArray([[2**62, 2**62], [0, 0]], coords, ("true", "pred"), "count")
    for cube in (largest, largest.chunk(), largest.expand_dims(g=[1, 2])):
        with pytest.raises(ValueError, match=r"add up to 9\.22e\+18, too large"):
            cube.ordinal.report(metrics=["mae"]).compute()
        with pytest.raises(ValueError, match="too large"):  # four equal counts
            cube.copy(data=cube.data * 0 + 2**61).ordinal.report(metrics=["mae"]).compute()
        halved = (cube // 2).ordinal.report(metrics=["mae"])
        assert (halved["n"] == 2**62).all() and (halved["mae"] == 0.5).all()


def test_keys_of_a_frame_in_another_byte_order() -> None:
    swapped = pd.Index(np.array([1, 2], np.dtype("int64").newbyteorder()))
    found = layout.as_coordinate(swapped)
    assert found.dtype.isnative and found.tolist() == [1, 2]
    assert layout.as_coordinate(pd.CategoricalIndex(["b", "a"])).tolist() == ["b", "a"]


@pytest.mark.parametrize(
    ("kind", "labels", "dtype"),
    [
        ("int64", [2**53 + 1, -3], "int64"),
        ("int64", [2**53 + 1, None], "Int64"),
        ("uint64", [2**64 - 1, None], "UInt64"),
        ("uint8", [255, None], "UInt64"),
        ("double", [0.5, None], "float64"),
        ("bool", [True, False], "bool"),
    ],
)
def test_keys_of_arrow(kind: str, labels: list[Any], dtype: str) -> None:
    of_arrow: Any = f"{kind}[pyarrow]"
    found = layout.as_coordinate(pd.Index(pd.array(labels, dtype=of_arrow)))
    assert found.dtype == dtype
    assert [None if pd.isna(label) else label for label in found] == labels
