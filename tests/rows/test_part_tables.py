"""Keys whose dtype differs between partitions: groups that differ stay apart, or raise."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import permutations, product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from parted import assert_same, parted

import pandas_ordinal as po
from pandas_ordinal.rows import part_tables

LARGE = 2**53
RESULTS: dict[str, Callable[[Any, Any], Any]] = {
    "report": lambda ddf, by: ddf.report("y", "p", by=by, classes=[0, 1], metrics=["mae"]),
    "metric": lambda ddf, by: ddf.mae("y", "p", by=by, classes=[0, 1]),
    "confusion": lambda ddf, by: ddf.confusion("y", "p", by=by, classes=[0, 1]),
    "ranking": lambda ddf, by: ddf.u_pairs("y", "s", by=by, classes=[0, 1]),
    "matrices": lambda ddf, by: ddf.pairwise_auc("y", "s", by=by, classes=[0, 1]),
    "bounds": lambda ddf, by: ddf.score_bounds("y", "s", edges=[0], by=by, classes=[0, 1]),
}


def part(keys: list[Any], dtype: Any) -> pd.DataFrame:
    """Each key has two rows of the classes 0 and 1."""
    column = pd.Series(keys, dtype=dtype).repeat(2).reset_index(drop=True)
    y = np.tile([0, 1], len(keys))
    return pd.DataFrame({"k": column, "h": "a", "y": y, "p": y, "s": y})


def groups_of(
    parts: list[pd.DataFrame], result: str = "report", by: Any = "k", ddf: Any = None
) -> list[Any]:
    """The labels of `k`, of all groups in their order."""
    ddf = parted(parts) if ddf is None else ddf
    found = RESULTS[result](po.ordinal(ddf), by).compute()
    is_array = result in ("confusion", "matrices")
    return list(found.indexes["k"] if is_array else found.index.unique("k"))


@pytest.mark.parametrize("by", ["k", ["h", "k"]], ids=["one key", "two keys"])
@pytest.mark.parametrize("result", RESULTS)
@pytest.mark.parametrize(
    ("integers", "floats"),
    [
        ("int64", "float64"),
        ("Int64", "float64"),
        ("int64", "Float64"),
        ("int64[pyarrow]", "double[pyarrow]"),
    ],
)
def test_integers_that_floats_round_are_refused(
    integers: str, floats: str, result: str, by: Any
) -> None:
    expected = re.escape(
        "the key 'k' is int64 in some partitions, such as 9007199254740993, and float64 in "
        "others, which rounds such integers: convert it to integers with "
        "ddf.astype({'k': 'Int64'}), or to text with ddf.astype({'k': str})"
    )
    for parts in permutations([part([LARGE, LARGE + 1], integers), part([0.5], floats)]):
        with pytest.raises(ValueError, match=expected):
            groups_of(list(parts), result, by)


def test_integers_beyond_int64_are_called_uint64() -> None:
    kinds: list[tuple[int, str]] = [
        (2**63 + 1, "uint64"), (2**63, "uint64"), (2**63 - 1, "int64"), (-(2**63), "int64"),
    ]  # fmt: skip
    for key, kind in kinds:
        ddf = parted([part([5, key], kind), part([0.5], "float64")])
        with pytest.raises(ValueError, match=f"is {kind} in some partitions, such as {key}, and"):
            groups_of([], ddf=ddf)


def test_the_lines_of_the_error_keep_groups_apart() -> None:
    ddf = parted([part([LARGE, LARGE + 1], "int64"), part([3.0], "float64")])
    whole = po.ordinal(ddf.astype({"k": "Int64"})).mae("y", "p", by="k", classes=[0, 1])
    assert whole.compute().index.tolist() == [3, LARGE, LARGE + 1]
    ddf = parted([part([LARGE, LARGE + 1], "int64"), part([0.5], "float64")])
    text = po.ordinal(ddf.astype({"k": str})).mae("y", "p", by="k", classes=[0, 1])
    assert text.compute().index.tolist() == ["0.5", str(LARGE), str(LARGE + 1)]


@pytest.mark.parametrize("by", ["k", ["h", "k"]], ids=["one key", "two keys"])
@pytest.mark.parametrize("result", RESULTS)
@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (([LARGE, LARGE + 1], "uint64"), ([-1], "int64"), [-1, LARGE, LARGE + 1]),
        (([2**64 - 1, 2**64 - 2], "uint64"), ([-1], "int64"), [-1, 2**64 - 2, 2**64 - 1]),
        (([4, 5], "uint64"), ([4, 6], "int64"), [4, 5, 6]),
        (([4, 5], "int64"), ([0.5, 5.0], "float64"), [0.5, 4, 5]),
        (([4, 5], "Int64"), ([0.5, 5.0], "Float64"), [0.5, 4, 5]),
        (([-LARGE, LARGE], "int64"), ([0.5, 5.0], "float64"), [-LARGE, 0.5, 5, LARGE]),
        (([4, 5], "int8"), ([LARGE, LARGE + 1], "int64"), [4, 5, LARGE, LARGE + 1]),
        (([LARGE, LARGE + 1], "Int64"), ([4], "int64"), [4, LARGE, LARGE + 1]),
        (([LARGE, LARGE + 1], object), ([1], "uint64"), [1, LARGE, LARGE + 1]),
    ],
)
def test_keys_that_are_exact_in_all_parts_are_groups(
    one: Any, other: Any, expected: list[Any], result: str, by: Any
) -> None:
    first, second = part(*one), part(*other)
    for parts in ([first, second], [second, first], [first, second] * 9):
        assert groups_of(parts, result, by) == expected


@pytest.mark.parametrize("result", RESULTS)
@pytest.mark.parametrize(
    ("booleans", "numbers", "other"),
    [
        ("bool", ([1], "int64"), "int64"),
        ("boolean", ([1], "Int64"), "int64"),
        ("bool", ([0.5], "float64"), "float64"),
        ("bool", ([1], object), "int64"),
    ],
)
def test_booleans_next_to_numbers_are_refused(
    booleans: str, numbers: Any, other: str, result: str
) -> None:
    expected = f"the key 'k' is bool in some partitions, such as True, and {other} in others"
    for parts in permutations([part([True], booleans), part(*numbers)]):
        with pytest.raises(ValueError, match=expected):
            groups_of(list(parts), result)


def test_all_partitions_may_be_unlike_the_frame() -> None:
    parts = [part([LARGE], "int64"), part([LARGE + 1], "int64")]
    ddf = parted(parts, meta=part([], "float64"))
    found = po.ordinal(ddf).mae("y", "p", by="k", classes=[0, 1]).compute()
    assert found.index.tolist() == [LARGE, LARGE + 1]


def test_numbers_that_the_frame_declares_as_objects_stay_objects() -> None:
    parts = [part([1, 2], object), part([2, 3], object)]
    found = po.ordinal(parted(parts)).mae("y", "p", by="k", classes=[0, 1])
    assert_same(found, pd.concat(parts).ordinal.mae("y", "p", by="k", classes=[0, 1]))


def test_unknown_categories_of_unlike_numbers() -> None:
    def mean(*parts: pd.DataFrame) -> Any:
        frames = [frame.astype({"k": "category"}) for frame in parts]
        ddf = parted(frames).assign(k=lambda ddf: ddf["k"].cat.as_unknown())
        return po.ordinal(ddf).mae("y", "p", by="k", classes=[0, 1]).compute()

    small = mean(part([4, 5], "int64"), part([0.5, 5.0], "float64"))
    assert small.index.tolist() == [0.5, 4, 5]
    with pytest.raises(ValueError, match="which rounds such integers"):
        mean(part([LARGE, LARGE + 1], "int64"), part([-1.0], "float64"))


@pytest.mark.parametrize("by", ["k", ["h", "k"]], ids=["one key", "two keys"])
@pytest.mark.parametrize("result", ["report", "metric", "ranking", "bounds"])
@pytest.mark.parametrize("kind", ["datetime64", "timedelta64"])
def test_times_have_the_unit_that_the_frame_declares(kind: str, result: str, by: Any) -> None:
    first, second = (
        part(list(range(len(keys))), "int64").assign(k=np.array(keys, f"{kind}[{unit}]").repeat(2))
        for keys, unit in (([1, 2], "s"), ([2000, 3000], "ms"))
    )
    due = pd.Index(np.array([1, 2, 3], f"{kind}[s]"))
    for parts in permutations([first, second]):
        ddf = parted(list(parts), meta=first.iloc[:0])
        assert groups_of([], result, by, ddf) == due.tolist()


PANDAS_3 = pytest.mark.skipif(pd.__version__ < "3", reason="pandas 2 compares them otherwise")


@pytest.mark.parametrize("result", ["report", "confusion", "ranking"])
@pytest.mark.parametrize(
    ("kind", "other"),
    [
        pytest.param("timestamp[s][pyarrow]", "timestamp[us][pyarrow]", marks=PANDAS_3),
        pytest.param("timestamp[us][pyarrow]", "datetime64[s]", marks=PANDAS_3),
        ("timestamp[us, tz=UTC][pyarrow]", "timestamp[us, tz=UTC][pyarrow]"),
        pytest.param("duration[ms][pyarrow]", "duration[s][pyarrow]", marks=PANDAS_3),
        ("date32[day][pyarrow]", "date32[day][pyarrow]"),
    ],
)
def test_times_of_arrow(kind: str, other: str, result: str) -> None:
    """They have another unit in some partitions."""
    pytest.importorskip("pyarrow")
    seconds = np.array([86400, 3 * 86400, 2 * 86400])
    times = pd.Series(seconds.astype("m8[s]" if "duration" in kind else "M8[s]"))
    if "tz" in kind:
        times = times.dt.tz_localize("UTC")
    parts = [
        part([0] * len(keys), "int64").assign(k=keys.astype(dtype).repeat(2).to_numpy())
        if dtype.startswith("datetime64")
        else part([0] * len(keys), "int64").assign(k=keys.astype(dtype).repeat(2).array)
        for keys, dtype in ((times[:2], kind), (times[1:], other))
    ]
    found = groups_of([], result, "k", parted(parts, meta=parts[0].iloc[:0]))
    due = times.sort_values().astype(kind).tolist()
    assert [str(one)[:10] for one in found] == [str(one)[:10] for one in due]


def test_times_that_arrow_cannot_convert_are_refused() -> None:
    pytest.importorskip("pyarrow")
    first = part([0], "timestamp[s][pyarrow]")
    second = part([1_500], "timestamp[ms][pyarrow]")
    ddf = parted([first, second], meta=first.iloc[:0])
    with pytest.raises(ValueError, match=r"holds 1970-01-01 00:00:01\.500000 in some partitions"):
        po.ordinal(ddf).mae("y", "p", by="k", classes=[0, 1]).compute()


def test_times_that_the_frame_cannot_hold_are_refused() -> None:
    first, second = part([0], "datetime64[ns]"), part(["9999-01-01"], "datetime64[s]")
    expected = re.escape(
        "the key 'k' holds 9999-01-01 00:00:00 in some partitions, which datetime64[ns] of the "
        "frame cannot hold: give all of them one type, ddf.astype({'k': 'datetime64[s]'})"
    )
    ddf = parted([first, second], meta=first.iloc[:0])
    with pytest.raises(ValueError, match=expected):
        po.ordinal(ddf).mae("y", "p", by="k", classes=[0, 1]).compute()
    found = po.ordinal(ddf.astype({"k": "datetime64[s]"})).mae("y", "p", by="k", classes=[0, 1])
    assert found.compute().index.tolist() == [*first["k"].unique(), *second["k"].unique()]


def test_times_that_the_unit_of_the_frame_would_round_are_refused() -> None:
    first, second = part([0], "datetime64[s]"), part([5], "datetime64[ns]")
    ddf = parted([first, second], meta=first.iloc[:0])
    with pytest.raises(ValueError, match=r"holds 1970-01-01 00:00:00.000000005 in some"):
        po.ordinal(ddf).mae("y", "p", by="k", classes=[0, 1]).compute()


@pytest.mark.parametrize("classes", [None, ["low", "high"]])
def test_labels_of_plain_text_in_one_partition_are_those_of_the_frame(classes: Any) -> None:
    ordered = pd.CategoricalDtype(["low", "high"], ordered=True)
    labels = pd.Series(["low", "high"], dtype=ordered)
    first = pd.DataFrame({"y": labels, "p": labels})
    second = first.assign(y=first["y"].astype(object))
    found = po.ordinal(parted([first, second])).accuracy("y", "p", classes=classes)
    assert found.compute() == 1
    wrong = second.assign(y=pd.Series(["low", "other"], dtype=object))
    with pytest.raises(po.UnknownClassError, match=r"'y' holds \['other'\]"):
        po.ordinal(parted([first, wrong])).accuracy("y", "p", classes=classes).compute()


def test_the_first_of_equal_keys_stands_for_its_cell() -> None:
    keys = pd.Series([1] * 5 + [1.0] * 195, dtype=object)
    cells = {part_tables.MODEL: 0, part_tables.CELL: np.arange(200) % 5}
    found = part_tables.sum_parts(pd.DataFrame({"k": keys, **cells, part_tables.ROWS: 1}))
    assert [*map(type, found["k"])] == [int] * 5 and found["rows"].tolist() == [40] * 5


@pytest.mark.parametrize("largest", [1, 2**40, 2**58, 2**61])
@pytest.mark.parametrize("n_keys", [1, 2, 50])
def test_cells_of_several_partitions_are_summed_by_key(largest: int, n_keys: int) -> None:
    """Also if keys and cells together have more numbers than an integer holds."""
    cells = [*product(range(n_keys), [0, 1], [*range(70), largest])] * 2
    names = ["k", part_tables.MODEL, part_tables.CELL]
    table = pd.DataFrame(cells, columns=names).sample(frac=1, random_state=1)
    table["rows"] = np.arange(len(table))
    expected = table.groupby(names)["rows"].sum()
    found = part_tables.sum_parts(table)
    assert not found.duplicated(names).any()
    pd.testing.assert_series_equal(found.set_index(names)["rows"].sort_index(), expected)
