"""Frames as Parquet files that keep the classes of their Categorical columns."""

from __future__ import annotations

import datetime
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from class_sets import assert_same_labels, axes, frame
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from oracles.strategies import examples

import pandas_ordinal  # noqa: F401
from pandas_ordinal import ClassOrderError, files

DATA = Path(__file__).parent / "data"
QUICK = examples(80)


def there_and_back(df: pd.DataFrame, path: Path) -> pd.DataFrame:
    files.parquet.to_parquet(df, path)
    return files.parquet.read_parquet(path)


@st.composite
def frames(draw: st.DrawFn) -> pd.DataFrame:
    columns = draw(st.lists(axes(), min_size=1, max_size=3))
    n_rows = max(len(column) for column in columns)
    series = {}
    for number, column in enumerate(columns):
        codes = np.resize(column.codes, n_rows) if len(column) else np.full(n_rows, -1)
        series[f"c{number}"] = pd.Series(pd.Categorical.from_codes(codes, dtype=column.dtype))
    return pd.DataFrame({"before": range(n_rows), **series, "after": [str(1)] * n_rows})


@examples(100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(df=frames())
def test_parquet(tmp_path_factory: pytest.TempPathFactory, df: pd.DataFrame) -> None:
    before = df.copy()
    read = there_and_back(df, tmp_path_factory.getbasetemp() / "labels.parquet")
    pd.testing.assert_frame_equal(df, before)
    pd.testing.assert_frame_equal(read, df)
    for name in df.columns[1:-1]:
        assert_same_labels(pd.CategoricalIndex(read[name]), pd.CategoricalIndex(df[name]))


def test_parquet_of_bins(tmp_path: Path) -> None:
    bins = pd.Series(pd.cut([1, 5, 15, 40, np.nan], [0, 10, 20, np.inf]))
    read = there_and_back(pd.DataFrame({"y": bins}), tmp_path / "file")["y"]
    pd.testing.assert_series_equal(read, bins, check_names=False)
    assert read.isna().tolist() == [False] * 4 + [True] and read.cat.ordered
    assert read.cat.categories.closed == "right" and read.cat.categories.right[-1] == np.inf


def test_parquet_of_falling_integers(tmp_path: Path) -> None:
    falling = pd.DataFrame({"y": pd.Categorical([1, 3, 2], [3, 2, 1], ordered=True)})
    read = there_and_back(falling, tmp_path / "file")
    assert read["y"].cat.categories.tolist() == [3, 2, 1] and read["y"].max() == 1


@pytest.mark.parametrize("half", [chr(0xD800), chr(0xDFFF)])
def test_parquet_for_other_readers(tmp_path: Path, half: str) -> None:
    df = frame(bins=pd.cut(range(40), [-1, 7, np.inf]), number=pd.Categorical([2, 1] * 20))
    df["surrogate"] = pd.Categorical(pd.Index([half, "é"] * 20, dtype=object))
    df["alike"] = pd.Categorical(pd.Index([1, "1"] * 20, dtype=object), [1, "1"])
    pd.testing.assert_frame_equal(there_and_back(df, tmp_path / "file"), df)
    other = pd.read_parquet(tmp_path / "file")
    assert other["y"].tolist() == df["y"].tolist() and other["y"].cat.ordered
    assert other["bins"].tolist() == ["(-1.0, 7.0]"] * 8 + ["(7.0, inf]"] * 32
    assert other["number"].tolist() == ["2", "1"] * 20
    assert other["surrogate"].tolist() == [f"1: {half!r}", "0: '\\xe9'"] * 20
    assert other["alike"].tolist() == ["0: 1", "1: '1'"] * 20


def test_parquet_keeps_the_rest(tmp_path: Path) -> None:
    df = frame(number=range(40), time=pd.date_range("2020", periods=40), text=["a", None] * 20)
    df["interval"] = pd.Series(pd.arrays.IntervalArray.from_breaks(range(41)))
    df.attrs = {"source": "a test"}
    df.to_parquet(tmp_path / "pandas")
    pandas = pd.read_parquet(tmp_path / "pandas")
    read = there_and_back(df, tmp_path / "file")
    pd.testing.assert_frame_equal(read, pandas)
    assert read.attrs == pandas.attrs == df.attrs
    for index in (
        ["r"] * 40,
        pd.RangeIndex(5, 85, 2, name="i"),
        pd.MultiIndex.from_product([range(8), range(5)]),
    ):
        indexed = frame().set_axis(index, axis=0)
        pd.testing.assert_frame_equal(there_and_back(indexed, tmp_path / "file"), indexed)
    for labels in ([1, 2], [("a", 1), ("a", 2)], [1.5, 2.5]):
        columns = pd.MultiIndex.from_tuples(labels) if labels[0] == ("a", 1) else labels
        relabelled = frame().set_axis(columns, axis=1)
        pd.testing.assert_frame_equal(there_and_back(relabelled, tmp_path / "file"), relabelled)
    for empty in (frame().iloc[:0], pd.DataFrame(), pd.DataFrame({"x": [1.5]})):
        pd.testing.assert_frame_equal(there_and_back(empty, tmp_path / "file"), empty)


def test_parquet_in_row_groups(tmp_path: Path) -> None:
    codes = np.random.default_rng(0).integers(-1, 4, 10_000)
    classes = pd.CategoricalDtype(["d", "a", "unused", "c", "b"], ordered=True)
    df = pd.DataFrame({"y": pd.Categorical.from_codes(codes, dtype=classes)})
    files.parquet.to_parquet(df, tmp_path / "file")
    pq.write_table(pq.read_table(tmp_path / "file"), tmp_path / "groups", row_group_size=1000)
    pd.testing.assert_frame_equal(files.parquet.read_parquet(tmp_path / "groups"), df)
    # as text, as tools write it that know no dictionaries
    table = pq.read_table(tmp_path / "file")
    text = table.set_column(0, "y", table.column("y").cast(pa.string()))
    pq.write_table(text, tmp_path / "text")
    pd.testing.assert_frame_equal(files.parquet.read_parquet(tmp_path / "text"), df)


def test_parquet_of_a_categorical_index(tmp_path: Path) -> None:
    df = frame()
    for lost in (
        df.set_index("y"),
        df.set_index(["y", "yhat"]),
        df.assign(x=1).set_index(["x", "y"]),
    ):
        with pytest.raises(TypeError, match=r"index.*df\.reset_index\(\)"):
            files.parquet.to_parquet(lost, tmp_path / "file")
    with pytest.raises(TypeError, match=r"column labels.*df\.set_axis"):
        files.parquet.to_parquet(
            df.set_axis(pd.CategoricalIndex(["a", "b"]), axis=1), tmp_path / "file"
        )
    with pytest.raises(TypeError, match=r"column 'y'.*df\['y'\]\.cat\.rename_categories\(str\)"):
        files.parquet.to_parquet(df.assign(y=pd.Categorical([b"a"] * 40)), tmp_path / "file")
    with pytest.raises(ValueError, match="Duplicate column names"):
        files.parquet.to_parquet(df.set_axis(["a", "a"], axis=1), tmp_path / "file")
    assert not (tmp_path / "file").exists()


def test_parquet_of_labels_and_rows_that_it_cannot_hold(tmp_path: Path) -> None:
    for labels in ([1, "a"], [("a", 1), ("b", "c")], [True, "a"], [b"a", b"b"]):
        df = frame().set_axis(pd.Index(labels, tupleize_cols=False), axis=1)
        with pytest.raises(TypeError, match=r"the column labels .*, which Parquet does not keep"):
            files.parquet.to_parquet(df, tmp_path / "file")
        text = df.set_axis(list(map(str, df.columns)), axis=1)
        pd.testing.assert_frame_equal(there_and_back(text, tmp_path / "file"), text)
    with pytest.raises(ValueError, match=r"40 rows, but no columns.*df\.reset_index\(\)"):
        files.parquet.to_parquet(frame()[[]], tmp_path / "file")
    remedied = frame()[[]].reset_index()
    pd.testing.assert_frame_equal(there_and_back(remedied, tmp_path / "file"), remedied)
    labelled = frame()[[]].set_axis([f"r{row}" for row in range(40)], axis=0)
    assert there_and_back(labelled, tmp_path / "file").index.equals(labelled.index)


def test_foreign_parquet(tmp_path: Path) -> None:
    remedy = r"no class order.*pd\.read_parquet\('.*file'\).*\.ordinal\.as_ordered\(\[\.\.\.\]\)"
    path = tmp_path / "file"
    frame().to_parquet(path)
    with pytest.raises(ClassOrderError, match=remedy):
        files.parquet.read_parquet(path)
    pq.write_table(pa.table({"y": ["low"]}), path)
    with pytest.raises(ClassOrderError, match=remedy):
        files.parquet.read_parquet(path)
    files.parquet.to_parquet(frame(), tmp_path / "ours")
    ours = pq.read_table(tmp_path / "ours")
    metadata = ours.schema.metadata
    other = pa.array(["low", "other"] * 20)
    for changed in (
        ours.select(["yhat"]),
        ours.select(["yhat", "y"]),
        ours.set_column(0, "y", other),
        ours.slice(1),
        ours.rename_columns(["y", "z"]),
    ):
        pq.write_table(changed.replace_schema_metadata(metadata), path)
        with pytest.raises(OSError, match=r"file' is not what pandas_ordinal saved.*once more"):
            files.parquet.read_parquet(path)


def test_formats_of_other_versions(tmp_path: Path) -> None:
    files.parquet.to_parquet(frame(), tmp_path / "ours")
    table = pq.read_table(tmp_path / "ours")
    for number, error in ((1, "no class order"), (2, "no class order"), (4, "newer version")):
        marker = json.dumps({"format": number}).encode()
        metadata = {**table.schema.metadata, b"pandas_ordinal": marker}
        pq.write_table(table.replace_schema_metadata(metadata), tmp_path / "other")
        with pytest.raises(ValueError, match=error):
            files.parquet.read_parquet(tmp_path / "other")


# random frames, keys and dictionaries

COLUMNS: dict[str, st.SearchStrategy[Any]] = {
    "int8": st.integers(-128, 127),
    "uint64": st.integers(0, 2**64 - 1),
    "Int32": st.integers(-(2**31), 2**31 - 1) | st.none(),
    "float64": st.floats(),
    "float32": st.floats(width=32),
    "bool": st.booleans(),
    "boolean": st.booleans() | st.none(),
    "arrow string": st.text(st.characters(exclude_categories=["Cs"])) | st.none(),
    "large_string[pyarrow]": st.text(st.characters(exclude_categories=["Cs"])) | st.none(),
    "string": st.text(st.characters(exclude_categories=["Cs"])) | st.none(),
    "int64[pyarrow]": st.integers(-(2**63), 2**63 - 1) | st.none(),
    "datetime64[s]": st.integers(0, 10**10),
    "datetime64[ns]": st.integers(0, 2**62),
    "timedelta64[us]": st.integers(-(2**40), 2**40),
    "datetime64[ns, Europe/Berlin]": st.integers(0, 2**60),
    "period[M]": st.integers(0, 10**4).map(lambda month: pd.Period(ordinal=month, freq="M")),
    "period[Q-NOV]": st.integers(0, 400).map(lambda q: pd.Period(ordinal=q, freq="Q-NOV")),
    "date": st.dates(),
    "text": st.text(st.characters(exclude_categories=["Cs"])),
    "bytes": st.binary(),
}

NULLABLE = (
    "Int32",
    "boolean",
    "string",
    "int64[pyarrow]",
    "string[pyarrow]",
    "large_string[pyarrow]",
)


@st.composite
def columns(draw: st.DrawFn, n_rows: int) -> Any:
    """Return labels that are not classes: numbers, text, times, periods and dates."""
    dtype = draw(st.sampled_from(list(COLUMNS)))
    values = draw(st.lists(COLUMNS[dtype], min_size=n_rows, max_size=n_rows))
    if dtype in ("date", "bytes"):
        return pd.Series(values, dtype=object)
    if dtype == "arrow string":
        return pd.Series(values, dtype=pd.ArrowDtype(pa.string()))
    if dtype == "text":
        return pd.Series(values, dtype=pd.Series(["a"]).dtype)
    if "Berlin" in dtype:
        times = pd.Series(np.array(values, "M8[ns]"))
        return times.dt.tz_localize("UTC").dt.tz_convert("Europe/Berlin")
    if dtype.startswith(("datetime", "timedelta")):
        return pd.Series(np.array(values, np.int64).view(dtype))
    return pd.Series(values, dtype=dtype)


@st.composite
def anything(draw: st.DrawFn) -> pd.DataFrame:
    """Return a frame of columns of all kinds, classes among them, under keys of all kinds."""
    n_rows = draw(st.integers(1, 6))
    series = {}
    for number in range(draw(st.integers(1, 4))):
        classes = draw(axes())
        codes = np.resize(classes.codes, n_rows) if len(classes) else np.full(n_rows, -1)
        of_classes = pd.Series(pd.Categorical.from_codes(codes, dtype=classes.dtype))
        series[f"c{number}"] = of_classes if draw(st.booleans()) else draw(columns(n_rows))
    df = pd.DataFrame(series)
    keys = [draw(columns(n_rows)) for _ in range(draw(st.integers(0, 2)))]
    # pandas itself gives keys of seconds and float32 back as others, or keys of several levels
    keys = [key for key in keys if str(key.dtype) not in ("datetime64[s]", "float32")]
    if keys:
        df.index = pd.MultiIndex.from_arrays(keys, names=["k", "l"][: len(keys)])
        df.index = df.index.get_level_values(0) if len(keys) == 1 else df.index
    df.attrs = {"note": draw(st.text(st.characters(exclude_categories=["Cs"])))}
    return df


def keys_of(df: pd.DataFrame) -> list[list[Any]]:
    """Return the keys of the rows; None in place of NaN, which equals nothing."""
    keys = df.index.to_frame(index=False).astype(object)
    return keys.where(keys.notna(), None).to_numpy().tolist()


@examples(100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(df=anything())
def test_parquet_of_anything(tmp_path_factory: pytest.TempPathFactory, df: pd.DataFrame) -> None:
    path = tmp_path_factory.getbasetemp() / "anything.parquet"
    levels = [df.index.get_level_values(number) for number in range(df.index.nlevels)]
    if any(level.hasnans and str(level.dtype) in NULLABLE for level in levels):
        with pytest.raises(TypeError, match=r"index level .* is .* with missing.*reset_index"):
            files.parquet.to_parquet(df, path)
        df = df.reset_index()
    read = there_and_back(df, path)
    if any(str(level.dtype) in NULLABLE for level in levels):
        # pandas has Int32 keys back as int32, of which none is missing
        assert keys_of(read) == keys_of(df)
        read.index = df.index
    pd.testing.assert_frame_equal(read, df, check_exact=True)
    assert read.attrs == df.attrs
    for name in df.columns:
        if isinstance(df[name].dtype, pd.CategoricalDtype):
            assert_same_labels(pd.CategoricalIndex(read[name]), pd.CategoricalIndex(df[name]))


@st.composite
def dictionaries(draw: st.DrawFn) -> pd.Series:
    text = st.text(st.characters(exclude_categories=["Cs"]), max_size=3)
    kind, element = draw(
        st.sampled_from(
            [
                (pa.string(), text),
                (pa.large_string(), text),
                (pa.int16(), st.integers(-99, 99)),
                (pa.float64(), st.floats(allow_nan=False)),
                (pa.bool_(), st.booleans()),
            ]
        )
    )
    labels = draw(st.lists(element, unique=True, min_size=1, max_size=5))
    codes = draw(st.lists(st.integers(0, len(labels) - 1) | st.none(), max_size=8))
    indices = pa.array(codes, draw(st.sampled_from([pa.int8(), pa.int32(), pa.uint16()])))
    dictionary = pa.array(labels, kind)
    held = pa.DictionaryArray.from_arrays(indices, dictionary, ordered=draw(st.booleans()))
    return pd.Series(pd.array(held, dtype=pd.ArrowDtype(held.type)))


@examples(80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(column=dictionaries())
def test_parquet_of_arrow_dictionaries(
    tmp_path_factory: pytest.TempPathFactory, column: pd.Series
) -> None:
    read = there_and_back(column.to_frame("y"), tmp_path_factory.getbasetemp() / "dictionary")["y"]
    one, other = (part.array.__arrow_array__().combine_chunks() for part in (read, column))
    assert read.dtype == column.dtype and one.type == other.type
    assert one.to_pylist() == other.to_pylist()
    assert one.dictionary.to_pylist() == other.dictionary.to_pylist()


def test_parquet_of_arrow_dictionaries_of_parts(tmp_path: Path) -> None:
    parts = [pa.array(["b", "a"]).dictionary_encode(), pa.array(["c", None]).dictionary_encode()]
    joined = pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array(parts)))
    assert there_and_back(joined.to_frame("y"), tmp_path / "file")["y"].tolist() == joined.tolist()
    kind = pa.dictionary(pa.int32(), pa.string(), ordered=True)
    ordered = pa.chunked_array(
        pa.DictionaryArray.from_arrays(part.indices, part.dictionary, ordered=True)
        for part in parts
    )
    df = pd.DataFrame({"y": pd.Series(ordered, dtype=pd.ArrowDtype(kind))})
    with pytest.raises(ClassOrderError, match="'y' is joined from Arrow dictionaries"):
        files.parquet.to_parquet(df, tmp_path / "file")
    with pytest.raises(TypeError, match=r"index.*df\.reset_index\(\)"):
        files.parquet.to_parquet(joined.to_frame("y").set_index("y"), tmp_path / "file")


def test_parquet_of_an_arrow_dictionary_without_labels(tmp_path: Path) -> None:
    none = pa.DictionaryArray.from_arrays(
        pa.array([None, None], pa.int8()), pa.array([], pa.string())
    )
    column = pd.Series(pd.array(none, dtype=pd.ArrowDtype(none.type)))
    read = there_and_back(column.to_frame("y"), tmp_path / "file")["y"]
    assert read.dtype == column.dtype and read.isna().tolist() == [True, True]


def test_parquet_refuses_keys_by_name(tmp_path: Path) -> None:
    lost = pd.array([b"ab", b"cd"], dtype=pd.ArrowDtype(pa.binary(2)))
    for keys, message in (
        (pd.Index(lost, name="k"), r"level 'k' is .*binary.*cannot read back: save text in place"),
        (pd.Index([1j, 2j], name="k"), r"complex128.*; save text in place of those labels$"),
    ):
        df = pd.DataFrame({"x": [1, 2]}, index=keys)
        with pytest.raises(TypeError, match=message):
            files.parquet.to_parquet(df, tmp_path / "file")
        text = df.set_axis(keys.map(str))
        pd.testing.assert_frame_equal(there_and_back(text, tmp_path / "file"), text)


def test_parquet_of_classes_that_arrow_holds(tmp_path: Path) -> None:
    for kind in (pa.string(), pa.large_string(), pa.int8(), pa.float64()):
        values = pa.array(["b", "a"] if "string" in str(kind) else [2, 1], kind)
        labels = pd.Index(pd.array(values, dtype=pd.ArrowDtype(kind)))
        y = pd.Categorical.from_codes([1, 0, -1], labels, ordered=True)
        df = pd.DataFrame({"y": y})
        read = there_and_back(df, tmp_path / "file")
        pd.testing.assert_frame_equal(read, df)
        assert read["y"].cat.categories.dtype == labels.dtype


def test_parquet_of_periods_and_dates(tmp_path: Path) -> None:
    days = pd.period_range("2020", periods=3, freq="D")
    dates = [datetime.date(2020, 1, day) for day in (1, 2, 3)]
    for labels in (days, pd.period_range("2020", periods=3, freq="Q-NOV"), dates):
        classes = pd.CategoricalDtype(labels[::-1], ordered=True)
        df = pd.DataFrame({"y": pd.Categorical.from_codes([0, -1, 2], dtype=classes)})
        df["plain"] = labels
        for indexed in (df, df.set_index("plain"), df.set_index(["plain", df.index])):
            read = there_and_back(indexed, tmp_path / "file")
            pd.testing.assert_frame_equal(read, indexed)
            assert_same_labels(pd.CategoricalIndex(read["y"]), pd.CategoricalIndex(df["y"]))


def test_parquet_refuses_by_name(tmp_path: Path) -> None:
    days = pd.period_range("2020", periods=2, freq="D")
    dates = pd.Series([datetime.date(2020, 1, 1), datetime.date(2020, 1, 2)])
    for refused in (
        pd.Series(days.astype(object), dtype=object),
        pd.Series([1, "a"], dtype=object),
        pd.Series([1j, 2]),
        pd.Series(pd.arrays.SparseArray([1, 0])),
        pd.Series(pd.array(["1.50", "2.00"]).astype(pd.ArrowDtype(pa.string()))).astype(
            pd.ArrowDtype(pa.decimal128(9, 2))
        ),
        pd.Series(pd.arrays.ArrowExtensionArray(pa.array([["a"], None]))),
        pd.Series(pd.arrays.ArrowExtensionArray(pa.array([b"ab", b"cd"], pa.binary(2)))),
        pd.Series(
            pa.array(dates).dictionary_encode(),
            dtype=pd.ArrowDtype(pa.dictionary(pa.int32(), pa.date32())),
        ),
    ):
        df = pd.DataFrame({"n": [1, 2], "when": refused})
        with pytest.raises(TypeError, match="'when'") as caught:
            files.parquet.to_parquet(df, tmp_path / "file")
        remedy = eval(str(caught.value)[str(caught.value).index("df") :], {"df": df})
        remedied = remedy if isinstance(remedy, pd.DataFrame) else df.assign(when=remedy)
        read = there_and_back(remedied, tmp_path / "file")["when"]
        assert read.tolist() == list(map(str, refused))
    for labels in (days, dates):
        with pytest.raises(TypeError, match=r"column labels .* are (period|date)"):
            files.parquet.to_parquet(frame().set_axis(pd.Index(labels), axis=1), tmp_path / "file")


# faults


def one_of_each() -> pd.DataFrame:
    """Return a frame whose dtypes pandas hashes and reads back in different ways."""
    df = pd.DataFrame({"n": [1, 2, 3, 2**62], "score": [0.1, -0.0, np.nan, 1e300]})
    words = pd.Index(["low", "mid", "high", "top"], dtype=object)
    df["y"] = pd.Categorical.from_codes([0, 3, -1, 1], words, ordered=True)
    df["words"] = list(words)
    df["number"] = pd.Categorical.from_codes([2, 0, 1, 2], [3, 2, 1], ordered=True)
    df["bins"] = pd.cut([3, 10, 15, 99], [0, 10, 20, np.inf])
    df["plain"] = pd.Categorical.from_codes([1, 0, 1, 2], words[:3])
    df["text"] = pd.Series(["a", "é", None, ""], dtype=object)
    df["whole"] = pd.array([1, None, 2**53 + 1, -1], dtype="Int64")
    df["yes"] = pd.array([True, False, None, True], dtype="boolean")
    df["range"] = pd.arrays.IntervalArray.from_breaks([0.0, 1.5, 2.0, 4.0, 8.0])
    df["month"] = pd.period_range("2020-01", periods=4, freq="M")
    df["date"] = pd.Series([datetime.date(2020, 1, day) for day in range(1, 5)], dtype=object)
    df["time"] = pd.to_datetime(["2020-01-01", None, "2020-01-02", "1970-01-01"]).as_unit("ns")
    df["zone"] = df["time"].dt.tz_localize("Europe/Berlin")
    return df.set_axis([3, 1, 2, 0], axis=0)


@pytest.mark.parametrize("versions", ["lowest", "newest"])
def test_files_of_other_versions_of_pandas_and_arrow(versions: str) -> None:
    """`one_of_each`, written on the versions of ``lowest.txt``, and on pandas 3.1 and Arrow 26."""
    read, df = files.parquet.read_parquet(DATA / f"{versions}.parquet"), one_of_each()
    read["words"] = read["words"].astype(df["words"].dtype)  # objects in pandas 2
    pd.testing.assert_frame_equal(read, df, check_exact=True)
    assert_same_labels(pd.CategoricalIndex(read["bins"]), pd.CategoricalIndex(df["bins"]))


@pytest.mark.slow
def test_flipped_bits(tmp_path: Path) -> None:
    df = frame(bins=pd.cut(range(40), [-1, 7, np.inf]), score=np.linspace(0, 1, 40))
    df = df.assign(text=["a", None] * 20, when=pd.period_range("2020", periods=40, freq="M"))
    df = df.set_axis(pd.date_range("2020", periods=40, unit="ns"), axis=0)
    df.attrs = {"source": "a test"}
    path = tmp_path / "file"
    files.parquet.to_parquet(df, path)
    whole = path.read_bytes()
    rng = random.Random(0)
    refused = 0
    for number in range(500):
        flipped = bytearray(whole)
        for _ in range(1 if number % 2 else rng.randrange(2, 30)):
            flipped[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
        path.write_bytes(flipped)
        try:
            read = files.parquet.read_parquet(path)
        except (OSError, ValueError):  # ValueError if the marker has lost its name or number
            refused += 1
            continue
        pd.testing.assert_frame_equal(read, df, check_freq=False, check_exact=True)
        assert read.attrs == df.attrs
    assert refused > 300
    for stop in (0, 3, 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:stop])
        with pytest.raises(OSError, match="is not a Parquet file, or is damaged"):
            files.parquet.read_parquet(path)


def test_lost_row_groups(tmp_path: Path) -> None:
    files.parquet.to_parquet(frame(), tmp_path / "file")
    table = pq.read_table(tmp_path / "file")
    for kept in ([0, 1, 2], [1, 2, 3], [0, 2, 1, 3], [0, 1, 2, 3, 3], []):
        with pq.ParquetWriter(tmp_path / "groups", table.schema) as groups:
            for number in kept:
                groups.write_table(table.slice(10 * number, 10))
        with pytest.raises(OSError, match="is not what pandas_ordinal saved"):
            files.parquet.read_parquet(tmp_path / "groups")
    with pq.ParquetWriter(tmp_path / "groups", table.schema) as groups:
        for number in range(4):
            groups.write_table(table.slice(10 * number, 10))
    pd.testing.assert_frame_equal(files.parquet.read_parquet(tmp_path / "groups"), frame())


CHANGES: dict[str, tuple[Any, list[Any]]] = {  # a column, and others that differ in one value
    "int8": (
        pa.array([1, 2, None], "int8"),
        [[1, 2, 0], [1, None, 2], [1, 3, None], [2, 1, None]],
    ),
    "uint64": (pa.array([0, 2**64 - 1], "uint64"), [[0, 2**64 - 2], [0, None]]),
    "large": (pa.array([2**53 + 1, None], "int64"), [[2**53, None]]),
    "float": (pa.array([0.0, 1.5]), [[-0.0, 1.5], [0.0, np.nextafter(1.5, 2)], [0.0, None]]),
    "bool": (pa.array([True, None]), [[True, False], [False, None]]),
    "text": (pa.array(["ab", "c", ""]), [["a", "bc", ""], ["ab", "c", None], ["ab", "c", "nan"]]),
    "missing text": (pa.array(["a", None]), [["a", "nan"], ["a", "None"], ["a", ""]]),
    "bytes": (pa.array([b"a", b""]), [[b"a", b"\0"], [b"a", None]]),
    "date": (pa.array([datetime.date(2020, 1, 1)]), [[datetime.date(2020, 1, 2)], [None]]),
    "time": (pa.array([1, 2], pa.timestamp("us", "UTC")), [[1, 3], [1, None]]),
    "duration": (pa.array([1, None], pa.duration("ns")), [[2, None], [1, 0]]),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_another_tool_has_changed_a_value(tmp_path: Path, kind: str) -> None:
    column, changes = CHANGES[kind]
    df = frame().iloc[: len(column)].assign(x=column.to_pandas(date_as_object=True))
    if kind in ("int8", "large", "bool", "duration"):
        df["x"] = pd.array(column.to_pylist(), dtype=pd.ArrowDtype(column.type))
    files.parquet.to_parquet(df, tmp_path / "file")
    table = pq.read_table(tmp_path / "file")
    position = table.schema.names.index("x")

    def write(values: Any) -> None:
        changed = table.set_column(position, "x", pa.array(values, table.schema.field("x").type))
        pq.write_table(changed, tmp_path / "other")

    write(table.column("x").to_pylist())
    pd.testing.assert_frame_equal(files.parquet.read_parquet(tmp_path / "other"), df)
    for values in changes:
        write(values)
        with pytest.raises(OSError, match="is not what pandas_ordinal saved"):
            files.parquet.read_parquet(tmp_path / "other")


@pytest.mark.parametrize("kind", [pa.int16(), pa.int64(), pa.float64(), pa.string()], ids=str)
def test_another_tool_has_changed_a_type(tmp_path: Path, kind: Any) -> None:
    objects = pd.Series([1, 2], dtype=object)
    df = pd.DataFrame({"x": np.array([1, 2], "int8"), "o": objects, "y": pd.Categorical([1, 2])})
    files.parquet.to_parquet(df, tmp_path / "file")
    table = pq.read_table(tmp_path / "file")
    for name in ("x", "o"):
        position = table.schema.names.index(name)
        if table.schema.field(name).type == kind:
            continue
        changed = table.set_column(position, name, table.column(name).cast(kind))
        pq.write_table(changed, tmp_path / "other")
        with pytest.raises(OSError, match="is not what pandas_ordinal saved"):
            files.parquet.read_parquet(tmp_path / "other")


def test_pages_have_checksums(tmp_path: Path) -> None:
    files.parquet.to_parquet(frame(score=np.arange(40.0)), tmp_path / "file")
    whole = (tmp_path / "file").read_bytes()
    at = whole.index(np.arange(5.0).tobytes()) if np.arange(5.0).tobytes() in whole else 40
    flipped = bytearray(whole)
    flipped[at] ^= 1
    (tmp_path / "file").write_bytes(flipped)
    with pytest.raises(OSError, match=r"(?i)crc|checksum"):
        pq.read_table(tmp_path / "file", page_checksum_verification=True)


def hostile_markers(marker: dict[str, Any]) -> list[str]:
    texts = [
        "",
        "[]",
        "null",
        "1",
        "{",
        "\ud800",
        "[" * 100_000,
        '{"format": 1e999, "columns": {}}',
    ]
    parts: dict[str, Any] = marker["columns"]["0"]
    bins: dict[str, Any] = marker["columns"]["2"]
    for columns in (
        [],
        None,
        "y",
        {"0": None},
        {"0": []},
        {"-1": parts},
        {"99": parts},
        {"x": parts},
        {"0": {"column": "y"}},
        {"0": {**parts, "texts": None}},
        {"0": {**parts, "texts": [["low"]]}},
        {"0": {**parts, "texts": ["low"] * 4}},
        {"0": {**parts, "labels": 1}},
        {"0": {**parts, "labels": ["low"] * 4}},
        {"0": {**parts, "labels": ["low"]}},
        {"0": {**parts, "dtype": "object[object]"}},
        {"0": {**parts, "dtype": None}},
        {"0": {**parts, "ordered": []}},
        {"0": {**parts, "indices": "os.system"}},
        {"0": {**parts, "column": "number"}},
        {"2": {**bins, "edges": [[0]]}},
        {"2": {**bins, "edges": {}}},
        {"2": {**bins, "edges": [[10, 0], [1, 0], [1, 0]]}},
        {"2": {**bins, "closed": "ajar"}},
    ):
        fields = {**marker, "columns": columns}
        texts += [json.dumps({**fields, "format": format}) for format in (1, 3, "3", 0)]
    return texts


@pytest.mark.slow
def test_tampered_metadata(tmp_path: Path) -> None:
    path = tmp_path / "file"
    files.parquet.to_parquet(one_of_each()[["y", "score", "bins"]], path)
    table = pq.read_table(path)
    metadata = table.schema.metadata
    marker = json.loads(metadata[b"pandas_ordinal"])
    changes = [
        {b"pandas_ordinal": text.encode("utf-8", "replace")} for text in hostile_markers(marker)
    ]
    pandas = json.loads(metadata[b"pandas"])
    tampered = [
        {},
        [],
        {**pandas, "index_columns": ["nothing"]},
        {**pandas, "index_columns": [{"kind": "range"}]},
        {**pandas, "columns": None},
        {**pandas, "columns": [{"name": "y", "numpy_type": "nothing", "pandas_type": "x"}]},
        {**pandas, "column_indexes": 1},
    ]
    changes += [
        {b"pandas": json.dumps(metadata_of_pandas).encode()} for metadata_of_pandas in tampered
    ]
    changes += [{b"pandas": b"{"}, {b"PANDAS_ATTRS": b"{"}, {b"PANDAS_ATTRS": b"[" * 100_000}]
    for change in changes:
        pq.write_table(table.replace_schema_metadata({**metadata, **change}), path)
        with pytest.raises((OSError, ClassOrderError), match=re.escape(str(path))):
            files.parquet.read_parquet(path)


@pytest.mark.slow
def test_tampered_metadata_with_a_valid_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the digest were that of the metadata that were tampered with."""
    path = tmp_path / "file"
    df = one_of_each()[["y", "number", "bins"]]
    files.parquet.to_parquet(df, path)
    table = pq.read_table(path)
    metadata = table.schema.metadata
    marker = json.loads(metadata[b"pandas_ordinal"])
    monkeypatch.setattr(files.parquet, "_digest", lambda table, text: marker["digest"])
    for text in hostile_markers(marker):
        change = {b"pandas_ordinal": text.encode("utf-8", "replace")}
        pq.write_table(table.replace_schema_metadata({**metadata, **change}), path)
        with suppress(OSError, ClassOrderError):
            assert list(files.parquet.read_parquet(path)) == list(df)


@pytest.mark.slow
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, OSError, MemoryError])
def test_an_interrupted_save_leaves_the_file_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    path = tmp_path / "labels.parquet"
    files.parquet.to_parquet(frame(), path)

    def half(table: Any, file: Any, **options: Any) -> None:
        file.write(b"PAR1")
        raise error

    def interrupted(*args: Any) -> None:
        raise error

    whole = pq.write_table

    def half_written(table: Any, place: Any, **options: Any) -> None:
        (half if hasattr(place, "name") else whole)(table, place, **options)

    for module, name, replaced in (
        (pq, "write_table", half_written),
        (os, "replace", interrupted),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(module, name, replaced)
            with pytest.raises(error):
                files.parquet.to_parquet(frame(more=range(40)), path)
        assert os.listdir(tmp_path) == ["labels.parquet"]
        pd.testing.assert_frame_equal(files.parquet.read_parquet(path), frame())


WRITER = """
import sys, numpy as np, pandas as pd, pandas_ordinal
for number in range(int(sys.argv[2])):
    df = pd.DataFrame({"n": np.full(400_000, number), "x": np.arange(400_000.0)})
    df["y"] = pd.Categorical(["low"] * len(df), ["low", "high"], ordered=True)
    df.ordinal.to_parquet(sys.argv[1])
    print(number, flush=True)
"""


def writer(path: Path, times: int, **options: Any) -> subprocess.Popen[str]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    call = [sys.executable, "-c", WRITER, str(path), str(times)]
    pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(call, text=True, env=env, **pipes, **options)


@pytest.mark.slow
def test_a_killed_writer(tmp_path: Path) -> None:
    path = tmp_path / "labels.parquet"
    rng = random.Random(0)
    for _ in range(4):
        with writer(path, 1000) as process:
            assert process.stdout is not None and process.stdout.readline() == "0\n"
            time.sleep(rng.random() / 5)
            process.send_signal(signal.SIGKILL)
        read = files.parquet.read_parquet(path)
        assert read["n"].nunique() == 1 and read["x"].tolist() == list(range(400_000))


@pytest.mark.slow
def test_a_full_disk(tmp_path: Path) -> None:
    path = tmp_path / "labels.parquet"
    files.parquet.to_parquet(frame(), path)

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    with writer(path, 1, preexec_fn=limit) as process:
        _, errors = process.communicate()
    assert process.returncode == 1 and "OSError" in errors and "too large" in errors
    assert os.listdir(tmp_path) == ["labels.parquet"]
    pd.testing.assert_frame_equal(files.parquet.read_parquet(path), frame())


@pytest.mark.parametrize("kind", ["text", "category"])
def test_long_texts_of_many_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """A category holds each text once, however many rows have it; a column of text does not."""
    texts = pd.Series(["low" * 1000, None, "é"], dtype=object).repeat(50)
    column = texts.astype("category") if kind == "category" else texts.convert_dtypes()
    df = pd.DataFrame({"y": column})
    df.ordinal.to_parquet(tmp_path / "kept")
    monkeypatch.setattr(files.parquet_limits, "LARGEST_TEXTS", 50 * 3002)
    assert files.parquet.read_parquet(tmp_path / "kept").equals(df)
    monkeypatch.setattr(files.parquet_limits, "LARGEST_TEXTS", 50 * 3002 - 1)
    if kind == "category":
        df.ordinal.to_parquet(tmp_path / "again")
        assert files.parquet.read_parquet(tmp_path / "kept").equals(df)
    else:
        with pytest.raises(OSError, match=r"texts of 'y' have 150,100 bytes, .* if you trust"):
            files.parquet.read_parquet(tmp_path / "kept")
        with pytest.raises(ValueError, match=r"texts of 'y' have 150,100 bytes, .* in parts$"):
            df.ordinal.to_parquet(tmp_path / "again")


def test_what_a_killed_writer_leaves_is_named(tmp_path: Path) -> None:
    (tmp_path / "frame.abcdefgh.part").mkdir()
    with pytest.raises(FileNotFoundError, match=r"frame\.abcdefgh\.part': delete it"):
        files.parquet.read_parquet(tmp_path / "frame")
