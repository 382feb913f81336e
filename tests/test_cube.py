"""The cube: what it is made of, what it survives, and what is refused."""

from __future__ import annotations

import copy
import pickle
import tracemalloc
from typing import Any

import brute
import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError
from pandas_ordinal import cube as cube_module

FRAME = brute.frame()
CLASSES = FRAME["y"].cat.categories.tolist()
BINS = pd.IntervalIndex.from_breaks([0.0, 10, 20, np.inf])


def cube_of(df: pd.DataFrame = FRAME, **options: Any) -> xr.DataArray:
    return df.ordinal.confusion("y", "yhat", **options)


CUBE = cube_of(by="g")


def table(df: pd.DataFrame, pred: str = "yhat", weights: Any = None) -> np.ndarray:
    return brute.counts(df["y"].cat.codes, df[pred].cat.codes, 4, weights)


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
    for found in (cube, cube[::-1], cube.isel(pred=[2, 0, 1]), pickle.loads(pickle.dumps(cube))):
        pd.testing.assert_index_equal(found.indexes["true"].categories, BINS)
        assert found.ordinal.mae() == pytest.approx(1 / 3)


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
    if name == "true":
        with pytest.raises(ValueError, match="'true'"):
            df.ordinal.class_mae("y", "yhat", by=name)


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


@pytest.mark.parametrize("name", ["n", "mae", "stc"])
def test_keys_named_as_a_variable_of_the_report(name: str) -> None:
    df = FRAME.rename(columns={"g": name})
    report = df.ordinal.report("y", "yhat", by=name)
    npt.assert_array_equal(report["mae"], CUBE.ordinal.mae())
    with pytest.raises(ValueError, match=f"'{name}'.*rename"):
        cube_of(df, by=name).ordinal.report()
    with pytest.raises(ValueError, match=f"'{name}'.*rename"):
        cube_of(df, by=name).chunk().ordinal.report()
    npt.assert_array_equal(cube_of(df, by=name).ordinal.mae(), CUBE.ordinal.mae())


# what it survives


ALIKE = {
    "reversed": lambda c: c.isel(true=[3, 2, 1, 0]),
    "one axis permuted": lambda c: c.isel(pred=[1, 3, 0, 2]),
    "both axes permuted": lambda c: c.isel(true=[1, 3, 0, 2], pred=slice(None, None, -1)),
    "sorted": lambda c: c.sortby(["true", "pred"]),
    "labels": lambda c: c.sel(true=CLASSES[::-1]),
    "transposed": lambda c: c.transpose("pred", "g", "true"),
    "group": lambda c: c.isel(g=[0, 1, 2]),
    "reindexed groups": lambda c: c.reindex(g=["a", "b", "c"]),
    "concatenated": lambda c: xr.concat([c.isel(g=[0]), c.isel(g=[1, 2])], "g"),
    "stacked": lambda c: c.expand_dims(z=[0]).stack(zg=["z", "g"]).unstack("zg").isel(z=0),
    "pickled": lambda c: pickle.loads(pickle.dumps(c)),
    "copied": lambda c: copy.deepcopy(c),
    "chunked": lambda c: c.chunk(g=1),
    "chunked classes": lambda c: c.chunk(true=1, pred=3),
    "chunked and permuted": lambda c: c.chunk(true=2).isel(true=[3, 0, 1, 2]),
    "twice": lambda c: c + c,
    "scaled": lambda c: c * 0.5,
    "floats": lambda c: c.astype(float),
    "int8": lambda c: c.astype("int8"),
    "renamed": lambda c: c.rename("other"),
    "nameless": lambda c: c.rename(None),
    "attrs": lambda c: c.assign_attrs(a=1),
    "from a Dataset": lambda c: c.to_dataset(name="x")["x"],
    "scalar coordinate": lambda c: c.assign_coords(k=3),
}


@pytest.mark.parametrize("kind", ALIKE)
def test_selections_that_keep_every_class(kind: str) -> None:
    other = ALIKE[kind](CUBE)
    for name, method in {"mae": {}, "stc": {}, "oci": {}, "kappa": {"weights": "linear"}}.items():
        expected = getattr(CUBE.ordinal, name)(**method)
        found = getattr(other.ordinal, name)(**method)
        npt.assert_allclose(found, expected, rtol=1e-12)
    found = other.ordinal.class_mae()
    assert found.indexes["true"].tolist() == CLASSES
    npt.assert_allclose(found.transpose("g", "true"), CUBE.ordinal.class_mae(), rtol=1e-12)
    npt.assert_allclose(other.ordinal.report()["mae"], CUBE.ordinal.mae(), rtol=1e-12)


REFUSED = {
    "subset": lambda c: c.isel(true=[0, 2]),
    "subset of both": lambda c: c.isel(true=[0, 2], pred=[0, 2]),
    "slice": lambda c: c.isel(true=slice(3), pred=slice(3)),
    "labels": lambda c: c.sel(true=CLASSES[:2]),
    "twice a class": lambda c: c.isel(true=[0, 1, 2, 2]),
    "fifth class": lambda c: c.isel(true=[0, 1, 2, 3, 3]),
    "reindexed": lambda c: c.reindex(true=CLASSES[::-1], fill_value=0),
    "padded": lambda c: c.pad(true=(0, 1), constant_values=0),
    "retyped": lambda c: c.assign_coords(true=CLASSES),
    "numbered": lambda c: c.assign_coords(true=range(4)),
    "unordered": lambda c: c.assign_coords(true=pd.CategoricalIndex(CLASSES, name="true")),
    "no coordinate": lambda c: c.drop_vars("true"),
    "no coordinates": lambda c: c.drop_vars(["true", "pred"]),
    "scalars, concatenated": lambda c: xr.concat([c.isel(true=i) for i in range(4)], "true"),
    "subset sum": lambda c: c + c.isel(true=[0, 1]),
    "another order": lambda c: c.assign_coords(
        pred=pd.CategoricalIndex(CLASSES, CLASSES[::-1], ordered=True)
    ),
    "other classes": lambda c: c.assign_coords(
        pred=pd.CategoricalIndex(list("abcd"), list("abcd"), ordered=True)
    ),
    "one class": lambda c: c.isel(true=0),
    "no axis": lambda c: c.sum("pred"),
    "renamed axis": lambda c: c.rename(pred="guess"),
}


@pytest.mark.parametrize("kind", REFUSED)
@pytest.mark.parametrize("chunks", [None, {"g": 1}], ids=["numpy", "dask"])
def test_selections_that_lose_classes_are_refused(kind: str, chunks: Any) -> None:
    try:
        other = REFUSED[kind](CUBE if chunks is None else CUBE.chunk(chunks))
    except (TypeError, ValueError, NotImplementedError):
        return  # some versions of xarray refuse it themselves
    for call in (
        other.ordinal.mae,
        other.ordinal.class_mae,
        other.ordinal.report,
        lambda: other.ordinal.normalize("true"),
        lambda: po.add(other, other),
    ):
        with pytest.raises(ValueError):
            call()


def test_refusals_say_what_to_do() -> None:
    with pytest.raises(ClassOrderError, match="'true'.*count again"):
        CUBE.isel(true=[0, 2]).ordinal.mae()
    with pytest.raises(
        ClassOrderError, match=r"'true' of the cube has lost.*assign_coords\(true="
    ):
        CUBE.drop_vars("true").ordinal.mae()
    with pytest.raises(ValueError, match="'true' and 'pred'.*ordinal.confusion"):
        xr.DataArray([1, 2]).ordinal.mae()


def test_coordinates_given_back() -> None:
    axes = {dim: pd.CategoricalIndex(CLASSES, CLASSES, ordered=True) for dim in ("true", "pred")}
    again = CUBE.drop_vars(["true", "pred"]).assign_coords(axes)
    npt.assert_array_equal(again.ordinal.mae(), CUBE.ordinal.mae())


def test_groups_by_selection() -> None:
    npt.assert_array_equal(CUBE.sel(g="b"), table(FRAME[FRAME.g == "b"]))
    pooled = FRAME[FRAME["g"].isin(["a", "c"])].ordinal.mae("y", "yhat")
    assert float(CUBE.sel(g=["a", "c"]).sum("g").ordinal.mae()) == pytest.approx(pooled)


# shares


NORMALIZED = {  # of [[4, 1, 0], [0, 0, 0], [0, 2, 3]]
    "true": [[0.8, 0.2, 0], [np.nan] * 3, [0, 0.4, 0.6]],
    "pred": [[1, 1 / 3, 0], [0, 0, 0], [0, 2 / 3, 1]],
    "all": [[0.4, 0.1, 0], [0, 0, 0], [0, 0.2, 0.3]],
}


@pytest.mark.parametrize("over", NORMALIZED)
@pytest.mark.parametrize("lazy", [False, True])
def test_normalize(over: Any, lazy: bool) -> None:
    true, pred = [0] * 5 + [2] * 5, [0] * 4 + [1] * 3 + [2] * 3
    cube = pd.DataFrame({"y": true, "yhat": pred}).ordinal.confusion("y", "yhat")
    assert cube.values.tolist() == [[4, 1, 0], [0, 0, 0], [0, 2, 3]]
    share = (cube.chunk() if lazy else cube).ordinal.normalize(over)
    npt.assert_allclose(share, NORMALIZED[over], rtol=1e-12)
    assert share.dims == ("true", "pred") and share.indexes["true"].ordered
    assert cube.dtype == np.int64


def test_normalize_stacks_and_nothing() -> None:
    empty = CUBE * 0
    for over in ("true", "pred", "all"):
        assert np.isnan(empty.ordinal.normalize(over)).all()
    assert np.allclose(CUBE.ordinal.normalize("pred").sum("true"), 1)
    assert np.allclose(
        CUBE.isel(true=[2, 0, 1, 3]).ordinal.normalize("all").sum(["true", "pred"]), 1
    )
    for over in ("rows", None, ["true"]):
        with pytest.raises((ValueError, TypeError)):
            CUBE.ordinal.normalize(over)


# sums


def test_add_makes_the_union_of_groups() -> None:
    parts = [FRAME[FRAME["g"] != "a"], FRAME[FRAME["g"] != "b"]]
    total = po.add(*(cube_of(part, by="g") for part in parts))
    assert total.dtype == np.int64 and total.name == "count"
    assert total.dims == ("g", "true", "pred")
    assert sorted(total.indexes["g"]) == ["a", "b", "c"]
    for g, times in {"a": 1, "b": 1, "c": 2}.items():
        npt.assert_array_equal(total.sel(g=g), times * table(FRAME[FRAME.g == g]))
    xr.testing.assert_identical(po.add(CUBE), CUBE)


def test_add_in_any_order_of_axes() -> None:
    other = CUBE.transpose("pred", "true", "g").isel(true=[3, 1, 0, 2], g=[2, 0, 1])
    total = po.add(CUBE, other, CUBE.chunk(g=1))
    npt.assert_array_equal(total.sel(g=CUBE.indexes["g"]), 3 * CUBE)
    weighted = po.add(CUBE, cube_of(by="g", sample_weight="w"))
    assert weighted.dtype == np.float64
    assert float(weighted.sum()) == len(FRAME) + FRAME["w"].sum()


def test_add_two_dimensions() -> None:
    parts = [FRAME[:40], FRAME[40:]]
    parts[0] = parts[0][parts[0]["fold"] != 4]
    total = po.add(*(cube_of(part, by=["g", "fold"]) for part in parts))
    xr.testing.assert_identical(total, cube_of(pd.concat(parts), by=["g", "fold"]))


def test_plain_plus_agrees_where_the_groups_are_equal() -> None:
    xr.testing.assert_identical(po.add(CUBE, CUBE), (CUBE + CUBE).rename("count"))


def test_add_refuses_other_classes_and_dimensions() -> None:
    other = cube_of(by="g").assign_coords(
        {
            dim: pd.CategoricalIndex(labels := [*CLASSES[:-1], "c0"], labels, ordered=True)
            for dim in ("true", "pred")
        }
    )
    with pytest.raises(ClassOrderError, match="which of 'c6' and 'c0' is lower"):
        po.add(CUBE, other)
    reordered = FRAME.astype({"y": str, "yhat": str})
    with pytest.raises(ClassOrderError):
        po.add(CUBE, cube_of(reordered, by="g", classes=CLASSES[::-1]))
    with pytest.raises(ValueError, match="dimensions.*'g'"):
        po.add(CUBE, cube_of())
    with pytest.raises(ValueError):
        po.add()
    with pytest.raises(ValueError):
        po.add(CUBE.isel(true=[0, 1]), CUBE)


def keyed(keys: Any) -> xr.DataArray:
    y = pd.Categorical(["a", "b"], ordered=True)
    return pd.DataFrame({"y": y, "k": keys}).ordinal.confusion("y", "y", by="k")


def test_add_small_integers() -> None:
    small = (keyed([1, 2]) * 100).astype("uint8")
    total = po.add(small, small, small)
    assert total.dtype == np.int64 and int(total.max()) == 300


def test_add_keys_of_bins_with_a_missing_one() -> None:
    age = pd.Series([25, 70, np.nan]).ordinal.cut([0, 30, np.inf])
    df = pd.DataFrame({"age": age, "y": [0, 1, 1]})
    cube = df.groupby("age", observed=True, dropna=False).ordinal.confusion("y", "y")
    assert int(po.add(cube, cube).sum()) == 6


def test_add_refuses_groups_that_do_not_fit_together() -> None:
    days = pd.to_datetime(["2026-01-01", "2026-01-02"])
    ages = pd.Series([5, 50])
    plain = keyed([1, 2])
    for one, other, message in [
        (keyed(days), keyed(days.tz_localize("UTC")), "UTC"),
        (keyed(pd.cut(ages, [0, 10, 90])), keyed(pd.cut(ages, [0, 20, 90])), "overlap"),
        (
            keyed(pd.cut(ages, [0, 10, 90])),
            keyed(pd.cut(ages, [0, 10, 90], right=False)),
            "closed",
        ),
        (keyed(pd.cut(ages, [0, 10, 90])), plain, "'k' are labelled"),
        (plain, keyed(["p", "q"]).drop_vars("k"), "no labels in some"),
        (plain.isel(k=[0, 0]), plain, "twice along 'k'"),
    ]:
        with pytest.raises(ValueError, match=message):
            po.add(one, other)
    bare = plain.drop_vars("k")
    npt.assert_array_equal(po.add(bare, bare), 2 * bare)


def test_add_does_not_wrap_around() -> None:
    cube = keyed([1, 2])
    for big in (cube * 2**62, cube.astype("uint64") * np.uint64(2**63 + 1)):
        for lazy in (big, big.chunk(k=1)):
            with pytest.raises(ValueError, match=r"count of \d+, too large.*astype\(float\)"):
                po.add(lazy, big).compute()
        assert float(po.add(big.astype(float), big.astype(float)).max()) == 2.0 * int(big.max())
    assert int(po.add(cube * (2**62 - 1), cube).max()) == 2**62
    assert int(po.concat([cube * 2**62] * 3, dim="fold").max()) == 2**62
    with pytest.raises(ValueError, match="too large"):
        po.concat([cube.astype("uint64") * np.uint64(2**63)] * 2, dim="fold")


def test_add_merges_the_orders_of_groups() -> None:
    def sizes(labels: list[str]) -> xr.DataArray:
        return keyed(pd.Categorical(labels, labels, ordered=True))

    low, high = sizes(["low", "mid"]), sizes(["mid", "high"])
    total = po.add(low, high)
    assert total.indexes["k"].tolist() == ["low", "mid", "high"]
    assert total.sum(["true", "pred"]).values.tolist() == [1, 2, 1]
    xr.testing.assert_identical(po.add(high, low), total)
    assert po.add(keyed([3, 2]), keyed([2, 1])).indexes["k"].tolist() == [1, 2, 3]
    # other orders than one: as they come
    assert po.add(high, sizes(["high", "mid"])).indexes["k"].tolist() == ["mid", "high"]
    stacked = po.concat({"A": low, "B": high}, dim="fold")
    assert stacked.indexes["k"].tolist() == ["low", "mid", "high"]


def test_add_groups_that_are_an_ordered_categorical() -> None:
    def ordered(
        labels: list[str], keys: list[str | None], is_ordered: bool = True
    ) -> xr.DataArray:
        index = pd.CategoricalIndex(keys, labels, ordered=is_ordered)
        return keyed([1, 2]).assign_coords(k=index)

    low, high = ordered(["low", "mid"], ["mid", "low"]), ordered(["mid", "high"], ["mid", None])
    total = po.add(low, high)
    index = total.indexes["k"]
    assert isinstance(index, pd.CategoricalIndex) and index.ordered
    assert index.categories.tolist() == ["low", "mid", "high"]
    assert index.tolist()[:2] == ["low", "mid"] and index.isna().tolist() == [False, False, True]
    assert total.sum(["true", "pred"]).values.tolist() == [1, 2, 1]
    for other in (
        ordered(["mid", "low"], ["mid", "low"]),
        ordered(["low", "top"], ["low", "top"]),
    ):
        with pytest.raises(ClassOrderError, match="groups along 'k' are ordered.*set_categories"):
            po.add(low, other)
    unordered = [ordered(["b", "a"], [key, None], is_ordered=False) for key in ("a", "b")]
    index = po.add(*unordered).indexes["k"]
    assert isinstance(index, pd.CategoricalIndex) and not index.ordered
    assert index.categories.tolist() == ["b", "a"] and index.tolist()[:2] == ["b", "a"]
    mixed = po.add(low, unordered[0])
    assert mixed.sizes["k"] == 4 and not isinstance(mixed.indexes["k"], pd.CategoricalIndex)


def test_add_refuses_keys_that_would_become_others() -> None:
    days, delta = pd.to_datetime(["2026", "2027"]), pd.to_timedelta([1, 2], unit="D")
    for one, other in ([days, [1, 2]], [days, delta], [delta, [0.5, 1]], [[False, True], [0, 1]]):
        with pytest.raises(ValueError, match="'k' are labelled .* group all by the same keys"):
            po.add(keyed(one), keyed(other))
    with pytest.raises(ValueError, match="datetime64.* in one cube and int64"):
        po.add(keyed(["a", "b"]), keyed(days), keyed([1, 2]))
    whole = keyed([1, 2**53 + 1])
    with pytest.raises(ValueError, match="9007199254740993 for one, and floats"):
        po.add(whole, keyed([0.5, 2.0**53]))
    assert po.add(whole, keyed([1, 2])).indexes["k"].tolist() == [1, 2, 2**53 + 1]
    assert po.add(keyed([1, 2]), keyed([0.5, 2])).indexes["k"].tolist() == [0.5, 1, 2]


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


def test_many_groups_times_many_classes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cube_module, "LARGEST_CUBE", 3 * 16 - 1)
    with pytest.raises(ValueError, match="48 cells"):
        cube_of(by="g")
    monkeypatch.setattr(cube_module, "LARGEST_CUBE", 3 * 16)
    assert cube_of(by="g").size == 48


def test_one_table_of_many_classes_is_refused_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cube_module, "LARGEST_CUBE", 2**16)
    df = pd.DataFrame({"y": [0, 1], "yhat": [1, 0]})
    tracemalloc.start()
    with pytest.raises(ValueError, match="9,000,000 cells"):
        df.ordinal.confusion("y", "yhat", classes=range(3000))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 * 3000**2


# nothing hidden


def test_no_state() -> None:
    cube = cube_of(by="g")
    again = cube.copy(deep=True)
    cube.ordinal.report()
    cube.ordinal.class_mae()
    xr.testing.assert_identical(cube, again)
    for found in (cube.ordinal.mae(), cube.ordinal.report(), cube.ordinal.normalize("true")):
        assert found.attrs == {}
    assert cube.ordinal is not cube.ordinal
    pickle.loads(pickle.dumps(cube.ordinal.mae()))


def test_results_keep_coordinates() -> None:
    found = cube_of(by=["g", "fold"]).ordinal.mae()
    assert found.name == "mae" and found.dims == ("g", "fold")
    assert found.indexes["g"].tolist() == ["a", "b", "c"]
    assert found.indexes["fold"].tolist() == [3, 4, 5]
    assert not {"true", "pred"} & set(found.coords)


def test_kernels_check_counts_of_a_cube() -> None:
    with pytest.raises(ValueError, match="-"):
        (CUBE - 1000).ordinal.mae()
    with pytest.raises(ValueError, match="nan"):
        CUBE.where(CUBE > 1).ordinal.mae()
