"""Group keys: by= and groupby give the same results as a loop over pandas groups."""

from __future__ import annotations

import datetime
import itertools
import time
from typing import Any

import brute
import numpy as np
import pandas as pd
import pytest
from labelled import A01, N_ROWS, assert_size_index, grouped, score, unkeyed

import pandas_ordinal as po
from pandas_ordinal import MissingValueError


def keys(n_rows: int = N_ROWS) -> dict[str, Any]:
    rng = np.random.default_rng(5)
    small = rng.integers(0, 4, n_rows)
    days = pd.to_datetime(["2026-03-01", "2025-01-01", "2026-01-01", "2024-01-01"])
    levels = ["z", "never", "m", "a", "q"]
    return {
        "text": np.array(["b", "a", "d", "c"])[small],
        "objects": pd.Series(np.array(["b", "a", "d", "c"], object)[small]),
        "string": pd.array(np.array(["b", "a", "d", "c"])[small], "string"),
        "integers": small - 2,
        "integers with gaps": np.array([5, -100, 10**6, 7])[small],
        "far integers": np.array([0, 2**62, -(2**62), 7])[small],
        "one integer": np.full(n_rows, 7),
        "int8": (small * 80 - 128).astype("int8"),
        "uint64": small.astype("uint64") + np.uint64(2**63),
        "floats": small / 3,
        "datetimes": days[small],
        "time zones": days.tz_localize("Europe/Berlin")[small],
        "timedeltas": pd.to_timedelta(small, unit="h"),
        "booleans": small > 1,
        "Int64": pd.array(small, "Int64"),
        "boolean": pd.array(small > 1, "boolean"),
        "Categorical": pd.Categorical(np.array(["z", "m", "a", "q"])[small], categories=levels),
        "ordered": pd.Categorical(np.array(["z", "m", "a", "q"])[small], levels, ordered=True),
        "bins": pd.cut(small + 0.5, [0, 1, 2, 3, 4]),
        "a key a row": rng.permutation(n_rows),
    }


def loop(df: pd.DataFrame, grouper: Any, pred: str = "yhat") -> pd.Series:
    """Score each pandas group that has rows with plain NumPy."""
    sizes = grouper.size()
    scores, held = [], sizes[sizes > 0]
    numbers = grouper.ngroup()
    for number in np.sort(numbers[numbers >= 0].unique()):
        rows = df.loc[(numbers == number).to_numpy()]
        scores.append((rows["y"].cat.codes - rows[pred].cat.codes.astype(int)).abs().mean())
    return pd.Series(scores, held.index, name="mae")


def assert_same(result: pd.Series, expected: pd.Series) -> None:
    pd.testing.assert_series_equal(result, expected, check_categorical=False)


@pytest.mark.parametrize("kind", keys())
def test_one_key(kind: str) -> None:
    df = unkeyed().assign(key=keys()[kind])
    grouper = df.groupby("key", observed=True)
    expected = loop(df, grouper)
    by = df.ordinal.mae("y", "yhat", by="key")
    assert_same(by, expected)
    assert_size_index(by.index, grouper.size())
    assert_same(df.ordinal.mae("y", "yhat", by=["key"]), by)
    assert_same(df.groupby("key", observed=True).ordinal.mae("y", "yhat"), by)
    assert_same(df.groupby("key", observed=False).ordinal.mae("y", "yhat"), by)
    assert_same(df.set_index("key").ordinal.mae("y", "yhat", by="key"), by)
    assert_same(
        df.set_index("key").groupby(level="key", observed=True).ordinal.mae("y", "yhat"), by
    )


@pytest.mark.parametrize(
    ("kind", "other"),
    [
        *((kind, "text") for kind in keys()),
        *itertools.product(["integers", "Categorical", "floats"], ["integers", "Categorical"]),
    ],
)
def test_two_keys(kind: str, other: str) -> None:
    second = pd.Series(keys()[other]).take(np.roll(np.arange(N_ROWS), 7)).array
    df = unkeyed().assign(key=keys()[kind], other_key=second)
    names = ["key", "other_key"]
    grouper = df.groupby(names, observed=True)
    by = df.ordinal.mae("y", "yhat", by=names)
    assert_same(by, loop(df, grouper))
    assert_size_index(by.index, grouper.size())
    assert_same(df.groupby(names, observed=True).ordinal.mae("y", "yhat"), by)
    mixed = df.set_index("key")
    assert_same(mixed.ordinal.mae("y", "yhat", by=names), by)
    assert_same(df.set_index(names).ordinal.mae("y", "yhat", by=names), by)


def test_key_order_follows_by() -> None:
    df = unkeyed().assign(a=keys()["text"], b=keys()["integers"])
    swapped = df.ordinal.mae("y", "yhat", by=["b", "a"])
    assert swapped.index.names == ["b", "a"]
    assert_same(swapped, loop(df, df.groupby(["b", "a"])))


@pytest.mark.parametrize("kind", ["Categorical", "ordered"])
def test_observed_categories_only_in_their_order(kind: str) -> None:
    df = unkeyed().assign(key=keys()[kind])
    assert df.ordinal.report("y", "yhat", by="key").index.tolist() == ["z", "m", "a", "q"]
    some = df[df["key"] != "m"]
    assert some.ordinal.mae("y", "yhat", by="key").index.tolist() == ["z", "a", "q"]


def test_many_keys_than_fit_a_table() -> None:
    n_rows = 300
    rng = np.random.default_rng(0)
    df = unkeyed(n_rows).assign(
        a=rng.integers(0, 250, n_rows), b=rng.choice(list("xyz"), n_rows), c=rng.random(n_rows)
    )
    for names in (["a", "b", "c"], ["c"], ["b", "c"], ["a", "b"]):
        assert_same(df.ordinal.mae("y", "yhat", by=names), loop(df, df.groupby(names)))


def test_missing_key_in_a_large_product() -> None:
    n_rows = 300
    rng = np.random.default_rng(0)
    df = unkeyed(n_rows).assign(a=rng.random(n_rows), b=rng.random(n_rows))
    df.loc[[5, 17], "a"] = np.nan
    df.loc[[17, 18, 19], "b"] = np.nan
    with pytest.raises(MissingValueError, match="'a' is missing in 2 rows"):
        df.ordinal.mae("y", "yhat", by=["a", "b"])
    with pytest.raises(MissingValueError, match="'b' is missing in 3 rows"):
        df.ordinal.mae("y", "yhat", by=["b", "a"])
    result = df.ordinal.mae("y", "yhat", by=["a", "b"], dropna=True)
    assert_same(result, loop(df, df.groupby(["a", "b"])))


# missing keys


MISSING = {
    "text": ["a", None, "b", "a", None, "b"],
    "floats": [1.5, np.nan, 0.5, 1.5, np.nan, 0.5],
    "datetimes": pd.to_datetime(
        ["2026-01-01", None, "2025-01-01", "2026-01-01", None, "2025-01-01"]
    ),
    "Int64": pd.array([1, None, 0, 1, None, 0], "Int64"),
    "boolean": pd.array([True, None, False, True, None, False], "boolean"),
    "Categorical": pd.Categorical(["z", None, "a", "z", None, "a"], categories=["z", "n", "a"]),
    "bins": pd.cut([25, np.nan, 5, 25, np.nan, 5], [0, 10, 30]),
    "Categorical dates": pd.Categorical(pd.to_datetime(["2026-01-01", None, "2025-01-01"] * 2)),
    "Categorical integers": pd.Categorical([3, None, 1] * 2, categories=[3, 2, 1]),
}


@pytest.mark.parametrize("kind", MISSING)
@pytest.mark.parametrize("others", [[], ["second"]])
def test_missing_keys(kind: str, others: list[str]) -> None:
    df = unkeyed(6).assign(key=MISSING[kind], second=[1, 1, 1, 2, 2, 2])
    names = ["key", *others]
    with pytest.raises(MissingValueError, match=r"'key' is missing in 2 rows.*dropna=True"):
        df.ordinal.mae("y", "yhat", by=names)
    for dropna in (True, False):
        grouper = df.groupby(names, dropna=dropna, observed=True)
        result = grouper.ordinal.mae("y", "yhat")
        assert_same(result, loop(df, grouper))
        assert_size_index(result.index, grouper.size())
        if dropna:
            assert_same(df.ordinal.mae("y", "yhat", by=names, dropna=True), result)


@pytest.mark.parametrize("kind", MISSING)
@pytest.mark.parametrize("others", [[], ["second"]])
def test_a_missing_key_is_a_label_of_the_cube(kind: str, others: list[str]) -> None:
    df = unkeyed(6).assign(key=MISSING[kind], second=[1, 1, 1, 2, 2, 2])
    cube = df.groupby(["key", *others], dropna=False, observed=True).ordinal.confusion("y", "yhat")
    labels = cube.indexes["key"]
    assert labels.isna().sum() == 1
    assert cube.sizes["key"] == 3
    assert cube.isel(key=np.flatnonzero(labels.isna())).sum() == 2
    known = df[df["key"].notna()]
    expected = known.ordinal.confusion("y", "yhat", by=["key", *others])
    kept = cube.isel(key=np.flatnonzero(labels.notna()))
    np.testing.assert_array_equal(kept, expected)
    assert kept.indexes["key"].tolist() == expected.indexes["key"].tolist()


@pytest.mark.parametrize("kind", MISSING)
@pytest.mark.parametrize("names", [["key", "second"], ["second", "key"]], ids=str)
def test_two_keys_that_miss_in_different_rows(kind: str, names: list[str]) -> None:
    df = unkeyed(6).assign(key=MISSING[kind], second=[1, 1, 1, np.nan, 2, 2])
    counts = {"key": "'key' is missing in 2 rows", "second": "'second' is missing in 1 row:"}
    with pytest.raises(MissingValueError, match=counts[names[0]]):
        df.ordinal.mae("y", "yhat", by=names)
    with pytest.raises(MissingValueError, match=counts[names[1]]):  # the first one is whole
        df[df[names[0]].notna()].ordinal.mae("y", "yhat", by=names)
    whole = df.dropna(subset=names)
    assert len(whole) == 3
    result = df.ordinal.report("y", "yhat", by=names, dropna=True)
    expected = whole.ordinal.report("y", "yhat", by=names)
    pd.testing.assert_frame_equal(result, expected, check_index_type=False)
    for dropna in (True, False):
        grouper = df.groupby(names, dropna=dropna, observed=True)
        grouped = grouper.ordinal.mae("y", "yhat")
        assert_same(grouped, loop(df, grouper))
        assert_size_index(grouped.index, grouper.size())
        rows = grouper.ordinal.report("y", "yhat", metrics=[])["n"].sum()
        assert rows == (3 if dropna else 6)


def test_missing_keys_and_missing_labels() -> None:
    df = unkeyed(6).assign(key=MISSING["text"])
    df.loc[0, "yhat"] = np.nan
    report = df.groupby("key", dropna=False).ordinal.report("y", "yhat", dropna=True)
    assert report["n"].tolist() == [1, 2, 2]
    assert df.ordinal.report("y", "yhat", by="key", dropna=True)["n"].tolist() == [1, 2]
    with pytest.raises(MissingValueError, match="'yhat'"):
        df.groupby("key", dropna=False).ordinal.report("y", "yhat")


def test_a_group_whose_labels_are_all_missing_stays() -> None:
    df = unkeyed(4).assign(key=["a", "a", "b", "b"])
    df.loc[[2, 3], "yhat"] = np.nan
    report = df.ordinal.report("y", "yhat", by="key", dropna=True)
    assert report["n"].tolist() == [2, 0]
    assert report.loc["b"].drop("n").isna().all()


def test_missing_group_keys() -> None:
    df = A01.assign(g=["a", None, "b", "a", None, "b", np.nan, "c"])
    with pytest.raises(MissingValueError, match="'g' is missing in 3 rows"):
        score(df, "mae", by="g")
    dropped = df.ordinal.report("y", "yhat", by="g", dropna=True)
    assert dropped["n"].to_dict() == {"a": 2, "b": 2, "c": 1}
    kept = df.groupby("g", dropna=False).ordinal.report("y", "yhat")
    assert kept["n"].tolist() == [2, 2, 1, 3] and kept.index.isna().tolist() == [0, 0, 0, 1]
    assert "n" in df.ordinal.report("y", "yhat", metrics=["mae"], by="g", dropna=True)


# bins as keys


def test_an_empty_bin_keeps_its_place() -> None:
    df = unkeyed(6)
    age = pd.Series([1.0, 70, 15, 2, 80, 3], name="age")
    df["age"] = age.ordinal.cut([0, 10, 20, 50, np.inf])
    report = df.ordinal.report("y", "yhat", by="age", metrics=["mae", "oci"])
    bins = df["age"].cat.categories
    assert report.index.tolist() == bins.tolist()
    assert report["n"].tolist() == [3, 1, 0, 2]
    assert report.loc[bins[2]].drop("n").isna().all()
    for result in (
        df.ordinal.mae("y", "yhat", by="age"),
        df.groupby("age", observed=True).ordinal.mae("y", "yhat"),
        df.set_index("age").ordinal.mae("y", "yhat", by="age"),
        df.ordinal.confusion("y", "yhat", by="age").ordinal.mae().to_series(),
    ):
        assert result.index.tolist() == bins.tolist()
        for bin_, value in report["mae"].items():
            rows = df[df["age"] == bin_]
            expected = rows.ordinal.mae("y", "yhat") if len(rows) else np.nan
            assert value == pytest.approx(expected, nan_ok=True)
    wide = df.ordinal.report("y", ["yhat", "other"], by="age", metrics=["mae"])
    assert wide["n"].tolist() == [3, 3, 1, 1, 0, 0, 2, 2]
    by_class = df.ordinal.class_mae("y", "yhat", by="age")
    assert by_class.groupby(level="age", observed=False).size().tolist() == [4] * 4
    assert df.ordinal.confusion("y", "yhat", by="age").sum(["true", "pred"]).values.tolist() == [
        3, 1, 0, 2,
    ]  # fmt: skip


def test_several_keys_show_the_bins_that_meet() -> None:
    df = unkeyed(4).assign(key=[1, 1, 2, 2])
    df["age"] = pd.Series([1, 15, 1, 30]).ordinal.cut([0, 10, 20, 50])
    result = df.ordinal.mae("y", "yhat", by=["key", "age"])
    assert [(key, age.left) for key, age in result.index] == [(1, 0), (1, 10), (2, 0), (2, 20)]


def test_a_cube_has_every_bin_beside_other_keys() -> None:
    df = unkeyed(4).assign(key=[1, 1, 2, 2])
    df["age"] = pd.Series([1, 15, 1, 80]).ordinal.cut([0, 10, 20, 50, 90])
    for by in (["key", "age"], ["age", "key"]):
        for cube in (
            df.ordinal.confusion("y", "yhat", by=by),
            df.groupby(by, observed=True).ordinal.confusion("y", "yhat"),
        ):
            assert cube.dims == (*by, "true", "pred")
            assert cube.indexes["age"].tolist() == df["age"].cat.categories.tolist()
            n = cube.sum(["true", "pred"]).transpose("key", "age")
            assert n.values.tolist() == [[1, 1, 0, 0], [1, 0, 0, 1]]


# several predictions


def test_wide_by() -> None:
    df = unkeyed().assign(a=keys()["text"], b=keys()["integers"])
    result = df.ordinal.mae("y", ["yhat", "other"], by=["a", "b"])
    assert result.index.names == ["a", "b", "model"]
    for pred in ("yhat", "other"):
        expected = loop(df, df.groupby(["a", "b"]), pred)
        assert_same(result.xs(pred, level="model"), expected)
    assert_same(df.groupby(["a", "b"]).ordinal.mae("y", ["yhat", "other"]), result)


# rows


def relabelled(df: pd.DataFrame) -> dict[str, pd.DataFrame]:
    return {
        "shuffled": df.sample(frac=1, random_state=0),
        "reversed": df[::-1],
        "shuffled index": df.set_axis(np.random.default_rng(0).permutation(len(df))),
        "duplicate index": df.set_axis(np.zeros(len(df), int)),
        "text index": df.set_axis([f"row {i}" for i in range(len(df))]),
        "MultiIndex": df.set_axis(pd.MultiIndex.from_product([range(len(df) // 2), ["a", "b"]])),
        "missing index": df.set_axis([np.nan] * len(df)),
        "other column order": df[df.columns[::-1]],
    }


@pytest.mark.parametrize("kind", relabelled(unkeyed()))
def test_rows_may_have_any_order_and_any_index(kind: str) -> None:
    df = unkeyed().assign(a=keys()["text"], c=keys()["Categorical"])
    other = relabelled(df)[kind]
    options: dict[str, Any] = {"by": ["a", "c"], "sample_weight": "w"}
    pd.testing.assert_frame_equal(
        other.ordinal.report("y", ["yhat", "other"], **options),
        df.ordinal.report("y", ["yhat", "other"], **options),
        rtol=1e-12,
    )
    assert other.ordinal.oci("y", "yhat") == df.ordinal.oci("y", "yhat")
    groups = other.groupby(["a", "c"], observed=True).ordinal.report("y", "yhat")
    expected = df.groupby(["a", "c"], observed=True).ordinal.report("y", "yhat")
    pd.testing.assert_frame_equal(groups, expected, rtol=1e-12)


def test_groups_of_one_row() -> None:
    df = unkeyed().assign(key=np.arange(N_ROWS)[::-1])
    result = df.ordinal.mae("y", "yhat", by="key")
    apart = (df["y"].cat.codes - df["yhat"].cat.codes.astype(int)).abs()
    assert result.index.tolist() == list(range(N_ROWS))
    assert result.tolist() == apart[::-1].tolist()
    assert (df.ordinal.report("y", "yhat", by="key")["n"] == 1).all()


def test_no_rows() -> None:
    df = unkeyed().assign(a=keys()["text"], b=keys()["integers"])[:0]
    result = df.ordinal.mae("y", "yhat", by="a")
    assert result.shape == (0,) and result.index.name == "a"
    report = df.ordinal.report("y", ["yhat", "other"], by=["a", "b"])
    assert report.shape == (0, 11) and report.index.names == ["a", "b", "model"]
    assert df.groupby(["a", "b"]).ordinal.report("y", "yhat").shape == (0, 11)
    assert df.ordinal.confusion("y", "yhat", by=["a", "b"]).shape == (0, 0, 4, 4)


def test_many_groups() -> None:
    df = grouped(20_000, 30)
    start = time.perf_counter()
    report = df.ordinal.report("y", "yhat", metrics=["kappa", "mae"], by="g")
    assert time.perf_counter() - start < 1
    assert len(report) == 20_000 and (report["n"] == 30).all()
    for g in (0, 7, 19_999):
        rows = df[df["g"] == g]
        table = brute.counts(rows["y"].cat.codes, rows["yhat"].cat.codes, 5)
        assert report.loc[g, "kappa"] == pytest.approx(po.metrics.kappa(table), rel=1e-12)


# names


@pytest.mark.parametrize("by", ["k", ["g", "k"]], ids=str)
def test_keys_without_a_common_order_are_refused_and_the_hint_works(by: Any) -> None:
    keys = [datetime.date(2026, 1, 1), 1, 1, datetime.date(2026, 1, 1)]
    df = pd.DataFrame({"k": keys, "g": "a", "y": [0, 1, 0, 1], "yhat": [0, 1, 1, 1]})
    message = r"the key 'k' holds .*without a common order.*as with df\['k'\]\.map\(str\)"
    with pytest.raises(TypeError, match=message):
        df.ordinal.mae("y", "yhat", by=by)
    result = df.assign(k=df["k"].map(str)).ordinal.mae("y", "yhat", by=by)
    assert result.tolist() == [0.5, 0]


def test_a_name_of_both_a_column_and_a_level() -> None:
    df = unkeyed().assign(a=keys()["text"]).rename_axis(index="a")
    with pytest.raises(ValueError, match="'a' is both a column and an index level"):
        df.ordinal.mae("y", "yhat", by="a")


@pytest.mark.parametrize("by", [[], ["w", "w"]])
def test_by_names_different_columns(by: list[str]) -> None:
    with pytest.raises(ValueError, match="by="):
        unkeyed().ordinal.mae("y", "yhat", by=by)


@pytest.mark.parametrize(
    "by",
    [{"w": 1}, {"w"}, pd.Series([1]), [["w"]], [{"w"}], pd.Grouper(key="w"), len],
    ids=lambda by: type(by).__name__,
)
def test_by_takes_labels(by: Any) -> None:
    with pytest.raises(TypeError):
        unkeyed().ordinal.mae("y", "yhat", by=by)


def test_a_key_may_be_the_truth() -> None:
    df = unkeyed()
    result = df.ordinal.mae("y", "yhat", by="y")
    class_mae = df.ordinal.class_mae("y", "yhat")
    assert result.tolist() == pytest.approx(class_mae.tolist())


def test_integer_keys_beyond_those_with_a_sign() -> None:
    sites = np.array([1, 2, 1, 2], "uint64") + np.uint64(2**63)
    frame = pd.DataFrame({"y": [0, 0, 1, 1], "yhat": [0, 1, 1, 2], "site": sites})
    assert frame.ordinal.mae("y", "yhat", by="site").to_dict() == {2**63 + 1: 0, 2**63 + 2: 1}
    volume = frame.ordinal.vus("y", "yhat", by="site")
    assert volume.index.tolist() == [2**63 + 1, 2**63 + 2]


@pytest.mark.parametrize("highest", [2**63 - 1, 2**63, 2**64 - 1])
def test_integer_keys_on_both_sides_of_the_largest_with_a_sign(highest: int) -> None:
    sites = np.array([highest - 1, highest, highest - 1, highest], "uint64")
    frame = pd.DataFrame({"y": [0, 0, 1, 1], "yhat": [0, 1, 1, 2], "site": sites})
    assert frame.ordinal.mae("y", "yhat", by="site").to_dict() == {highest - 1: 0, highest: 1}
    alone = frame.assign(site=np.array([highest] * 4, "uint64"))
    for scored in (alone.ordinal.mae, alone.ordinal.vus):
        assert scored("y", "yhat", by="site").index.tolist() == [highest]


def test_two_index_levels_of_one_name_are_refused() -> None:
    index = pd.MultiIndex.from_arrays([[1, 2], [3, 4]], names=["site", "site"])
    with pytest.raises(ValueError, match="by='site' names 2 index levels"):
        pd.DataFrame({"y": [0, 1], "yhat": [0, 0]}, index).ordinal.mae("y", "yhat", by="site")
