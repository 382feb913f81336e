"""Tables of other libraries through their Arrow streams, where a dictionary keeps its order."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError
from pandas_ordinal.classes.arrow import frame_of

LEVELS = ["low", "mid", "high"]  # not alphabetical
Y, YHAT = ["low", "mid", "high", "high"], ["low", "high", "high", "mid"]
COUNTS = [[1, 0, 0], [0, 0, 1], [0, 1, 1]]
MAE = 0.5  # two of four rows are one class off


class Stream:
    """A table that has an Arrow stream and nothing else, as any library may give it."""

    def __init__(self, *parts: pa.Table) -> None:
        self.table = pa.concat_tables(parts)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


def encoded(labels: list[str], levels: list[str], ordered: bool, kind: Any = None) -> Any:
    codes = pa.array([levels.index(label) for label in labels], kind or pa.int8())
    return pa.DictionaryArray.from_arrays(codes, levels, ordered=ordered)


def rows(levels: list[str], ordered: bool) -> pa.Table:
    columns = {"y": encoded(Y, levels, ordered), "yhat": encoded(YHAT, levels, ordered)}
    return pa.table(columns | {"n": [1, 1, 1, 1]})


def by_accessor(table: Any, **options: Any) -> Any:
    return po.ordinal(table).confusion("y", "yhat", **options)


def by_counts(table: Any, **options: Any) -> Any:
    return po.from_counts(table, true="y", pred="yhat", count="n", **options)


def by_counter(table: Any, classes: Any) -> Any:
    counter = po.Counter(classes=classes)
    counter.update(table, "y", "yhat")
    return counter.cube


WAYS = [by_accessor, by_counts, by_counter]
KINDS: dict[str, Callable[[pa.Table], Any]] = {
    "stream": Stream,
    "Table": lambda table: table,
    "RecordBatch": lambda table: table.to_batches()[0],
    "RecordBatchReader": lambda table: table.to_reader(),
}


@pytest.mark.parametrize("way", [by_accessor, by_counts])
@pytest.mark.parametrize("kind", KINDS)
def test_an_ordered_dictionary_declares_its_classes(kind: str, way: Callable[..., Any]) -> None:
    cube = way(KINDS[kind](rows(LEVELS, ordered=True)))
    assert cube.indexes["true"].categories.tolist() == LEVELS
    assert cube.to_numpy().tolist() == COUNTS
    assert float(cube.ordinal.mae()) == MAE


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
def test_an_unordered_dictionary_declares_none(kind: str, way: Callable[..., Any]) -> None:
    table = rows(sorted(LEVELS), ordered=False)
    assert way(KINDS[kind](table), classes=LEVELS).to_numpy().tolist() == COUNTS
    if way is not by_counter:
        with pytest.raises(ClassOrderError, match="column 'y' .* declares no order"):
            way(KINDS[kind](table))


@pytest.mark.parametrize("way", WAYS)
def test_dictionaries_that_declare_different_orders(way: Callable[..., Any]) -> None:
    """pandas would put the labels in order of appearance, and mark them as ordered."""
    table = Stream(rows(LEVELS, ordered=True), rows(LEVELS[::-1], ordered=True))
    with pytest.raises(ClassOrderError, match="'y' is joined from Arrow dictionaries"):
        way(table, classes=LEVELS)
    parts = Stream(rows(LEVELS, ordered=False), rows(LEVELS[::-1], ordered=False))
    doubled = [[2 * n for n in counts] for counts in COUNTS]
    assert way(parts, classes=LEVELS).to_numpy().tolist() == doubled


def test_columns_that_declare_different_orders() -> None:
    joined = pa.chunked_array([encoded(Y, LEVELS, True), encoded(Y, LEVELS[::-1], True)])
    for call in (
        lambda: po.confusion(joined, joined),
        lambda: po.confusion(Y, YHAT, classes=joined),
    ):
        with pytest.raises(ClassOrderError, match="is joined from Arrow dictionaries"):
            call()


def test_keys_that_are_not_floats_stay_exact_next_to_a_missing_one() -> None:
    keys = [2**53, 2**53 + 1, None, 2**53 + 1]
    table = Stream(pa.table({"y": [0, 1, 1, 1], "yhat": [0, 1, 1, 0], "k": keys}))
    n = po.ordinal(table).report("y", "yhat", by="k", dropna=True)["n"]
    assert n.to_dict() == {2**53: 1, 2**53 + 1: 2}
    unsigned = pa.table({"y": pa.array([1, None, 0], pa.uint8()), "yhat": [1, 1, 1]})
    assert po.ordinal(Stream(unsigned)).mae("y", "yhat", dropna=True) == 0.5


@pytest.mark.parametrize("kind", [pa.int32(), pa.uint8(), pa.uint32(), pa.uint64()])
def test_codes_of_any_type(kind: Any) -> None:
    labels = {"y": encoded(Y, LEVELS, True, kind), "yhat": encoded(YHAT, LEVELS, True, kind)}
    assert po.ordinal(Stream(pa.table(labels))).mae("y", "yhat") == MAE


def test_a_square_table_keeps_its_labels() -> None:
    y, yhat = pd.Series(Y, name="y"), pd.Series(YHAT, name="yhat")
    table = Stream(pa.Table.from_pandas(pd.crosstab(y, yhat)))
    assert po.from_counts(table, classes=LEVELS).to_numpy().tolist() == COUNTS


def test_a_reader_is_read_once() -> None:
    reader = rows(LEVELS, ordered=True).to_reader(max_chunksize=2)
    counter = po.Counter(classes=LEVELS)
    counter.update(reader.read_next_batch(), "y", "yhat")
    counter.update(reader, "y", "yhat")
    assert counter.cube.to_numpy().tolist() == COUNTS
    with pytest.raises(ValueError, match="the reader has no rows left"):
        counter.update(reader, "y", "yhat")


def test_a_column_is_not_a_table() -> None:
    column = rows(LEVELS, ordered=True)["y"]
    with pytest.raises(TypeError, match="no ordinal accessor for a pyarrow ChunkedArray: conv"):
        po.ordinal(column)
    with pytest.raises(TypeError, match="a Series of counts is a long table"):
        po.from_counts(column)


def test_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Stream(rows(LEVELS, ordered=True))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r'pyarrow is missing: pip install "pandas_ordinal\[io'):
        po.ordinal(table)


@pytest.mark.parametrize("way", WAYS)
def test_relations_of_duckdb(way: Callable[..., Any]) -> None:
    """`.df()` marks these categories as ordered, alphabetically: an MAE of 1.0."""
    duckdb = pytest.importorskip("duckdb")
    text = pd.DataFrame({"y": Y, "yhat": YHAT, "n": 1})
    category = text.astype({"y": "category", "yhat": "category"})
    levels = ", ".join(map(repr, LEVELS))
    for frame, columns in (
        (text, "y, yhat, n"),
        (category, "y, yhat, n"),
        (text, f"y::enum({levels}) as y, yhat::enum({levels}) as yhat, n"),
    ):
        con = duckdb.connect()
        con.register("labels", frame)
        relation = con.sql(f"select {columns} from labels")
        cube = way(relation, classes=LEVELS)
        assert cube.to_numpy().tolist() == COUNTS and float(cube.ordinal.mae()) == MAE
        if way is not by_counter:
            with pytest.raises(ClassOrderError, match="column 'y' .* declares no order"):
                way(con.sql(f"select {columns} from labels"))


def test_a_connection_of_duckdb_is_not_a_table() -> None:
    duckdb = pytest.importorskip("duckdb")
    query = "select 0 as y, 1 as yhat"
    with pytest.raises(TypeError, match="duckdb DuckDBPyConnection: give the relation that its"):
        po.ordinal(duckdb.connect().execute(query))
    assert po.ordinal(duckdb.connect().sql(query)).mae("y", "yhat") == 1


@pytest.mark.parametrize("way", WAYS)
def test_frames_of_polars(way: Callable[..., Any]) -> None:
    pl = pytest.importorskip("polars")
    text = pl.DataFrame({"y": Y, "yhat": YHAT, "n": [1, 1, 1, 1]})
    unordered = text.with_columns(pl.col("y", "yhat").cast(pl.Categorical))
    declared = text.with_columns(pl.col("y", "yhat").cast(pl.Enum(LEVELS)))
    for table in (text, unordered, declared):
        assert way(table, classes=LEVELS).to_numpy().tolist() == COUNTS
    if way is by_counter:
        return
    for table in (text, unordered):
        with pytest.raises(ClassOrderError, match="column 'y' .* declares no order"):
            way(table)
    if pa.table(declared).schema.field("y").type.ordered:  # not in all versions of Polars
        assert way(declared).indexes["true"].categories.tolist() == LEVELS


# the dtype of Polars that declares an order


def test_an_enum_of_polars_gives_its_classes() -> None:
    polars = pytest.importorskip("polars")
    kind = polars.Enum(LEVELS)
    frame = pd.DataFrame({"y": Y, "yhat": YHAT})
    table = polars.from_pandas(frame).with_columns(polars.col("y").cast(kind))
    for classes in (kind, kind.categories, table["y"], table.schema["y"]):
        assert frame.ordinal.mae("y", "yhat", classes=classes) == MAE
        assert frame["y"].ordinal.mae(frame["yhat"], classes=classes) == MAE
        assert by_accessor(table, classes=classes).to_numpy().tolist() == COUNTS
        assert po.confusion(Y, YHAT, classes=classes).tolist() == COUNTS
        assert by_counter(table, classes).to_numpy().tolist() == COUNTS
    with pytest.raises(ClassOrderError, match="must be a list of the classes, lowest first"):
        frame.ordinal.mae("y", "yhat", classes=polars.Categorical())


def test_only_integers_with_gaps_get_types_of_their_own() -> None:
    gap = pa.array([1, None], pa.int16())
    table = pa.table({"n": [1, 2], "gap": gap, "text": ["a", None], "x": [0.5, None]})
    read = frame_of(table)
    assert read.dtypes["n"] == np.dtype("int64") and read.dtypes["gap"] == pd.Int16Dtype()
    assert read.dtypes["x"] == np.dtype(float)
    assert read.dtypes["text"] == table.select(["text"]).to_pandas().dtypes["text"]
