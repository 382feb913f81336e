"""A digest of Arrow tables: the same however they are written, another with any value."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pandas_ordinal.files.parquet import digest_of

KINDS: dict[Any, tuple[Any, Any]] = {
    pa.int8(): (1, 2),
    pa.uint64(): (0, 2**64 - 1),
    pa.float32(): (0.0, -0.0),
    pa.float64(): (1.5, float("nan")),
    pa.bool_(): (True, False),
    pa.string(): ("ab", "a"),
    pa.large_string(): ("é", ""),
    pa.binary(): (b"", b"\0"),
    pa.binary(2): (b"ab", b"ba"),
    pa.date32(): (datetime.date(2020, 1, 1), datetime.date(2020, 1, 2)),
    pa.timestamp("us", "UTC"): (1, 2),
    pa.duration("ns"): (1, 2),
    pa.decimal128(9, 2): (Decimal("1.10"), Decimal("1.11")),
    pa.list_(pa.string()): (["a", None], ["a"]),
    pa.large_list(pa.int8()): ([], [0]),
    pa.struct({"x": pa.int8(), "y": pa.string()}): ({"x": 1, "y": None}, {"x": None, "y": "a"}),
    pa.map_(pa.string(), pa.int8()): ([("a", 1)], [("a", 2)]),
    pa.dictionary(pa.int8(), pa.string()): ("a", "b"),
}


def table(values: list[Any], kind: Any) -> pa.Table:
    return pa.table({"x": pa.array(values, kind)})


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_each_value_counts(kind: Any) -> None:
    one, other = KINDS[kind]
    lists = [[], [one], [other], [None], [one, other], [other, one], [one, None], [None, one]]
    digests = {digest_of(table(values, kind), "") for values in lists}
    assert len(digests) == len(lists)


@given(st.data())
def test_chunks_and_garbage_do_not_count(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(list(KINDS)))
    values = data.draw(st.lists(st.sampled_from([*KINDS[kind], None]), min_size=1, max_size=20))
    whole = table(values, kind)
    cut = data.draw(st.integers(0, len(values)))
    parts = [pa.array(part, kind) for part in (values[:cut], values[cut:])]
    chunked = pa.table({"x": pa.chunked_array(parts, kind)})
    padded = table([KINDS[kind][0], *values, None], kind).slice(1, len(values))
    assert digest_of(chunked, "") == digest_of(padded, "") == digest_of(whole, "")


def test_what_is_missing_may_hold_anything() -> None:
    valid = pa.py_buffer(b"\x05")
    one, other = (
        pa.Array.from_buffers(pa.int8(), 3, [valid, pa.py_buffer(bytes([1, hidden, 3]))])
        for hidden in (0, 9)
    )
    assert one.to_pylist() == [1, None, 3]
    assert digest_of(pa.table({"x": one}), "") == digest_of(pa.table({"x": other}), "")


def test_text_is_text() -> None:
    values = ["b", None, "a", "b"]
    kinds = [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())]
    assert len({digest_of(table(values, kind), "") for kind in kinds}) == 1
    assert digest_of(table([b"b"], pa.binary()), "") != digest_of(table(["b"], pa.string()), "")


def test_names_types_and_notes_count() -> None:
    base = table([1, 2], pa.int8())
    others = [
        base.rename_columns(["y"]),
        base.cast(pa.schema({"x": pa.int16()})),
        base.append_column("y", base.column(0)),
        base.replace_schema_metadata({b"pandas": b"{}"}),
        base.replace_schema_metadata({b"PANDAS_ATTRS": b"{}"}),
    ]
    digests = {digest_of(one, "") for one in (base, *others)} | {digest_of(base, "a")}
    assert len(digests) == len(others) + 2
    assert digest_of(base.replace_schema_metadata({b"other": b"1"}), "") == digest_of(base, "")
