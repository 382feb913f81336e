"""Frames as Parquet files that keep the classes of their Categorical columns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from class_sets import assert_same_labels, axes, frame
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pandas_ordinal  # noqa: F401
from pandas_ordinal import ClassOrderError, files

QUICK = settings(max_examples=80, deadline=None)


def there_and_back(df: pd.DataFrame, path: Path) -> pd.DataFrame:
    files.to_parquet(df, path)
    return files.read_parquet(path)


@st.composite
def frames(draw: st.DrawFn) -> pd.DataFrame:
    columns = draw(st.lists(axes(), min_size=1, max_size=3))
    n_rows = max(len(column) for column in columns)
    series = {}
    for number, column in enumerate(columns):
        codes = np.resize(column.codes, n_rows) if len(column) else np.full(n_rows, -1)
        series[f"c{number}"] = pd.Series(pd.Categorical.from_codes(codes, dtype=column.dtype))
    return pd.DataFrame({"before": range(n_rows), **series, "after": [str(1)] * n_rows})


@settings(QUICK, max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
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


def test_parquet_for_other_readers(tmp_path: Path) -> None:
    df = frame(bins=pd.cut(range(40), [-1, 7, np.inf]), number=pd.Categorical([2, 1] * 20))
    df["surrogate"] = pd.Categorical(pd.Index(["\ud800", "é"] * 20, dtype=object))
    df["alike"] = pd.Categorical(pd.Index([1, "1"] * 20, dtype=object), [1, "1"])
    pd.testing.assert_frame_equal(there_and_back(df, tmp_path / "file"), df)
    other = pd.read_parquet(tmp_path / "file")
    assert other["y"].tolist() == df["y"].tolist() and other["y"].cat.ordered
    assert other["bins"].tolist() == ["(-1.0, 7.0]"] * 8 + ["(7.0, inf]"] * 32
    assert other["number"].tolist() == ["2", "1"] * 20
    assert other["surrogate"].tolist() == ["0: '\\xe9'", "1: '\\ud800'"][::-1] * 20
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
    files.to_parquet(df, tmp_path / "file")
    pq.write_table(pq.read_table(tmp_path / "file"), tmp_path / "groups", row_group_size=1000)
    pd.testing.assert_frame_equal(files.read_parquet(tmp_path / "groups"), df)
    # as text, as tools write it that know no dictionaries
    table = pq.read_table(tmp_path / "file")
    text = table.set_column(0, "y", table.column("y").cast(pa.string()))
    pq.write_table(text, tmp_path / "text")
    pd.testing.assert_frame_equal(files.read_parquet(tmp_path / "text"), df)


def test_parquet_of_a_categorical_index(tmp_path: Path) -> None:
    df = frame()
    for lost in (
        df.set_index("y"),
        df.set_index(["y", "yhat"]),
        df.assign(x=1).set_index(["x", "y"]),
    ):
        with pytest.raises(TypeError, match=r"index.*df\.reset_index\(\)"):
            files.to_parquet(lost, tmp_path / "file")
    with pytest.raises(TypeError, match=r"column labels.*df\.set_axis"):
        files.to_parquet(df.set_axis(pd.CategoricalIndex(["a", "b"]), axis=1), tmp_path / "file")
    with pytest.raises(TypeError, match=r"column 'y'.*df\['y'\]\.cat\.rename_categories\(str\)"):
        files.to_parquet(df.assign(y=pd.Categorical([b"a"] * 40)), tmp_path / "file")
    with pytest.raises(ValueError, match="Duplicate column names"):
        files.to_parquet(df.set_axis(["a", "a"], axis=1), tmp_path / "file")
    assert not (tmp_path / "file").exists()


def test_parquet_of_labels_and_rows_that_it_cannot_hold(tmp_path: Path) -> None:
    for labels in ([1, "a"], [("a", 1), ("b", "c")], [True, "a"], [b"a", b"b"]):
        df = frame().set_axis(pd.Index(labels, tupleize_cols=False), axis=1)
        with pytest.raises(TypeError, match=r"the column labels .*, which Parquet does not keep"):
            files.to_parquet(df, tmp_path / "file")
        text = df.set_axis(list(map(str, df.columns)), axis=1)
        pd.testing.assert_frame_equal(there_and_back(text, tmp_path / "file"), text)
    with pytest.raises(ValueError, match=r"40 rows, but no columns.*df\.reset_index\(\)"):
        files.to_parquet(frame()[[]], tmp_path / "file")
    remedied = frame()[[]].reset_index()
    pd.testing.assert_frame_equal(there_and_back(remedied, tmp_path / "file"), remedied)
    labelled = frame()[[]].set_axis([f"r{row}" for row in range(40)], axis=0)
    assert there_and_back(labelled, tmp_path / "file").index.equals(labelled.index)


def test_foreign_parquet(tmp_path: Path) -> None:
    remedy = r"no class order.*pd\.read_parquet\(path\).*\.ordinal\.as_ordered\(\[\.\.\.\]\)"
    path = tmp_path / "file"
    frame().to_parquet(path)
    with pytest.raises(ClassOrderError, match=remedy):
        files.read_parquet(path)
    pq.write_table(pa.table({"y": ["low"]}), path)
    with pytest.raises(ClassOrderError, match=remedy):
        files.read_parquet(path)
    files.to_parquet(frame(), tmp_path / "ours")
    ours = pq.read_table(tmp_path / "ours")
    metadata = ours.schema.metadata
    other = pa.array(["low", "other"] * 20)
    for changed in (
        ours.select(["yhat"]),
        ours.select(["yhat", "y"]),
        ours.set_column(0, "y", other),
    ):
        pq.write_table(changed.replace_schema_metadata(metadata), path)
        with pytest.raises(ClassOrderError, match=remedy):
            files.read_parquet(path)
    newer = ours.replace_schema_metadata({**metadata, b"pandas_ordinal": '{"format": 2}'})
    pq.write_table(newer, path)
    with pytest.raises(ValueError, match="newer version"):
        files.read_parquet(path)
