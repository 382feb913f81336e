"""Frames whose columns or keys a file would give back as others are refused by name."""

from __future__ import annotations

import datetime
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pandas_ordinal as po

BIG = 2**53 + 1  # which no float is
UTC = datetime.UTC


def objects(*values: Any) -> pd.Series[Any]:
    return pd.Series(list(values), dtype=object)


LOST = {
    "large integers, one missing": objects(BIG, None),
    "dicts": objects({"a": BIG}, {"b": 1}),
    "lists": objects([BIG, None], [1]),
    "sets": objects({1}, {2}),
    "nanoseconds": objects(pd.Timestamp(1), pd.Timestamp(999)),
    "durations": objects(pd.Timedelta(1), pd.Timedelta(999)),
    "times with zones": objects(datetime.time(9, tzinfo=UTC), datetime.time(8, tzinfo=UTC)),
    "two zones": objects(pd.Timestamp("2020", tz="UTC"), pd.Timestamp("2020", tz="Asia/Tokyo")),
    "datetimes": objects(datetime.datetime(2020, 1, 1), datetime.datetime(2021, 1, 1)),
    "decimals": objects(Decimal("1.10"), Decimal("2")),
    "integers and floats": objects(1, 2.5),
    "scalars of NumPy": objects(np.int8(1), np.int8(2)),
    "two kinds of missing": objects("a", None, np.nan),
}
KEPT = {
    "integers": objects(1, 2),
    "large integers": objects(BIG, 1),
    "booleans": objects(True, False),
    "floats": objects(1.5, None),
    "text": objects("a", "b"),
    "text and None": objects("a", None),
    "text and NaN": objects("a", np.nan),
    "None": objects(None, None),
    "dates": objects(datetime.date(2020, 1, 1), None),
    "bytes": objects(b"a", b"b"),
    "times": objects(pd.Timestamp("2020"), pd.NaT),
}


@pytest.mark.parametrize("name", LOST)
def test_a_column_that_would_change_is_refused(tmp_path: Path, name: str) -> None:
    df = pd.DataFrame({"x": LOST[name]})
    with pytest.raises(TypeError, match="the column 'x' .*come back as"):
        df.ordinal.to_parquet(tmp_path / "x.parquet")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", KEPT)
def test_objects_that_come_back_as_they_are(tmp_path: Path, name: str) -> None:
    df = pd.DataFrame({"x": KEPT[name]})
    df.ordinal.to_parquet(tmp_path / "x.parquet")
    read = po.read_parquet(tmp_path / "x.parquet")
    assert read["x"].dtype == df["x"].dtype
    assert list(map(repr, read["x"])) == list(map(repr, df["x"]))
    assert list(map(type, read["x"])) == list(map(type, df["x"]))


def test_missing_values_of_two_kinds(tmp_path: Path) -> None:
    both = pd.arrays.FloatingArray(np.array([np.nan, 1.0]), np.array([False, True]))
    with suppress(TypeError):  # of those pandas that take NaN for missing
        pd.DataFrame({"x": both}).ordinal.to_parquet(tmp_path / "x.parquet")
        assert po.read_parquet(tmp_path / "x.parquet")["x"].isna().tolist() == [False, True]


@pytest.mark.parametrize(
    "keys",
    [
        pd.Index([BIG, None], dtype=object, name="k"),
        pd.Index([pd.Timestamp(1), pd.Timestamp(999)], dtype=object, name="k"),
        pd.MultiIndex(levels=[[1, BIG], ["a", "b"]], codes=[[1, -1], [0, 1]], names=["k", "l"]),
        pd.MultiIndex(levels=[[1, BIG], ["a"]], codes=[[1, 0, -1], [0] * 3], names=["k", "l"]),
    ],
)
def test_a_key_that_would_change_is_refused(tmp_path: Path, keys: pd.Index[Any]) -> None:
    df = pd.DataFrame({"x": range(len(keys))}, index=keys)
    with pytest.raises(TypeError, match=r"the index level 'k' .*holds .* df\.reset_index\(\)"):
        df.ordinal.to_parquet(tmp_path / "x.parquet")


@pytest.mark.parametrize(
    "keys",
    [
        pd.Index([BIG, 1], dtype=object),
        pd.Index([1, 2], dtype="Int32"),
        pd.DatetimeIndex(["2020", "2021"]).as_unit("s"),
        pd.MultiIndex.from_tuples([(1, "a"), (np.nan, "b")]),
        pd.MultiIndex(levels=[[1, 2], ["a", "b"]], codes=[[1, -1], [0, 1]]),
    ],
)
def test_keys_that_come_back_as_they_are(tmp_path: Path, keys: pd.Index[Any]) -> None:
    df = pd.DataFrame({"x": [1, 2]}, index=keys)
    df.ordinal.to_parquet(tmp_path / "x.parquet")
    read: pd.Index[Any] = po.read_parquet(tmp_path / "x.parquet").index
    pd.testing.assert_index_equal(read, keys)


@pytest.mark.parametrize("name", [3, ("a", "b"), "__index_level_0__"])
def test_a_name_that_would_change_is_refused(tmp_path: Path, name: Any) -> None:
    df = pd.DataFrame({"x": [1, 2]}, index=pd.Index([1, 2], name=name))
    with pytest.raises(TypeError, match="would come back under another name"):
        df.ordinal.to_parquet(tmp_path / "x.parquet")


@pytest.mark.parametrize(
    "attrs", [{1: 2}, {"a": (1, 2)}, {"a": np.int64(1)}, {"a": pd.Timestamp("2020")}]
)
def test_attributes_that_would_change_are_refused(tmp_path: Path, attrs: dict[Any, Any]) -> None:
    df = pd.DataFrame({"x": [1, 2]})
    df.attrs = attrs
    with pytest.raises(TypeError, match=r"df\.attrs is .* come back as another"):
        df.ordinal.to_parquet(tmp_path / "x.parquet")


def test_labels_that_must_be_unique(tmp_path: Path) -> None:
    df = pd.DataFrame({"x": [1, 2]}).set_flags(allows_duplicate_labels=False)
    with pytest.raises(ValueError, match="allows_duplicate_labels=True"):
        df.ordinal.to_parquet(tmp_path / "x.parquet")


def test_zones_that_pandas_does_not_know_by_name(tmp_path: Path) -> None:
    zone = datetime.timezone(datetime.timedelta(hours=1), "here")
    times = pd.DatetimeIndex(["2020", "2021"], tz=zone, name="t")
    for df, what in (
        (pd.DataFrame({"t": times}), "the column 't'"),
        (pd.DataFrame({"x": [1, 2]}, index=times), "the index level 't'"),
    ):
        with pytest.raises(
            TypeError, match=rf"{what} is .*here\], and would come back as datetime64"
        ):
            df.ordinal.to_parquet(tmp_path / "x.parquet")
    assert not list(tmp_path.iterdir())
