"""Counters: of any parts in any order they hold what `confusion` counts of all rows."""

from __future__ import annotations

import copy
import functools
import pickle
import re
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import brute
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st

import pandas_ordinal as po

CLASSES = ["low", "mid", "high"]
KEYS: dict[str, Any] = {
    "none": None,
    "one": "g",
    "list": ["g"],
    "two": ["fold", "g"],
    "bins": "bin",
    "two, bins": ["g", "bin"],
    "level": "time",
}


def rows(seed: int, n: int, *extra: str) -> pd.DataFrame:
    """Rows with keys of all kinds, an index level that is one too, and small integer weights."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {name: rng.choice([*CLASSES, *extra], n) for name in ("y", "yhat", "other")}, dtype=object
    )
    frame["g"] = rng.choice(list("abc"), n).astype(object)
    frame["fold"] = rng.integers(0, 3, n)
    frame["w"] = rng.integers(0, 4, n)
    frame["bin"] = pd.cut(rng.random(n), [0, 0.3, 0.6, 1])
    times = pd.Timestamp("2024-02-28") + pd.to_timedelta(rng.integers(0, 3, n), "D")
    return frame.set_index(pd.DatetimeIndex(times, name="time"))


def split(data: st.DataObject, frame: pd.DataFrame) -> list[pd.DataFrame]:
    """Give each row to one of up to four parts, some of which may be empty."""
    part = np.array(
        data.draw(st.lists(st.integers(0, 3), min_size=len(frame), max_size=len(frame))), int
    )
    return [frame[part == number] for number in range(4)]


def counted(by: Any, parts: list[pd.DataFrame], pred: Any = "yhat", **options: Any) -> po.Counter:
    counter = po.Counter(classes=CLASSES, by=by)
    for part in parts:
        counter.update(part, "y", pred, **options)
    return counter


def assert_same(found: xr.DataArray, expected: xr.DataArray) -> None:
    xr.testing.assert_identical(found, expected)
    assert found.dtype == expected.dtype
    for dim in expected.dims:
        assert (dim in found.indexes) == (dim in expected.indexes)
        if dim in expected.indexes:
            assert found.indexes[dim].dtype == expected.indexes[dim].dtype


def check_parts(by: Any, data: st.DataObject) -> None:
    pred = data.draw(st.sampled_from(["yhat", ["yhat", "other"]]))
    given_ = data.draw(st.sampled_from([{}, {"sample_weight": "w"}, {"ignore": "?"}]))
    extra = "?" * ("ignore" in given_)
    frame = rows(data.draw(st.integers(0, 99)), data.draw(st.integers(1, 12)), *extra)
    expected = frame.ordinal.confusion("y", pred, by=by, classes=CLASSES, **given_)
    parts = data.draw(st.permutations(split(data, frame)))
    assert_same(counted(by, parts, pred, **given_).cube, expected)

    each = [counted(by, [part], pred, **given_) for part in parts]
    a, b, c, d = each
    for merged in (
        functools.reduce(po.Counter.merge, each),
        d.merge(b).merge(c.merge(a)),
        a.merge(b.merge(c.merge(d))),
        pickle.loads(pickle.dumps(a)).merge(po.Counter(classes=CLASSES, by=by)).merge(b)
        .merge(d).merge(c),
    ):  # fmt: skip
        assert_same(merged.cube, expected)


@pytest.mark.parametrize("by", list(KEYS.values())[:1], ids=list(KEYS)[:1])
@settings(max_examples=3, deadline=None)
@given(data=st.data())
def test_parts_in_any_order_are_the_whole(by: Any, data: st.DataObject) -> None:
    check_parts(by, data)


@pytest.mark.slow
@pytest.mark.parametrize("by", KEYS.values(), ids=KEYS)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_many_parts_in_any_order_are_the_whole(by: Any, data: st.DataObject) -> None:
    check_parts(by, data)


def test_merging_leaves_both_as_they_are() -> None:
    one, other = (counted("g", [rows(seed, 9)]) for seed in (0, 1))
    before = one.cube, other.cube
    merged = one.merge(other)
    merged.update(rows(2, 9), "y", "yhat")
    for counter, cube in zip((one, other), before, strict=True):
        assert_same(counter.cube, cube)
    one.cube[:] = 0  # nor is the cube the counter's own
    assert_same(one.cube, before[0])


def test_weights_add_up() -> None:
    frame = rows(0, 40).assign(w=np.random.default_rng(0).random(40))
    found = counted(["fold", "g"], [frame[:13], frame[13:]], sample_weight="w").cube
    expected = frame.ordinal.confusion(
        "y", "yhat", by=["fold", "g"], classes=CLASSES, sample_weight="w"
    )
    xr.testing.assert_allclose(found, expected, rtol=1e-14)
    mixed = counted("g", [frame[:13]])
    mixed.update(frame[13:], "y", "yhat", sample_weight="w")
    assert mixed.cube.dtype == float


WRONG: dict[str, Any] = {
    "no class": lambda f: f.assign(yhat="?"),
    "no class in the last row": lambda f: f.assign(yhat=[*f["yhat"][:-1], "?"]),
    "missing label": lambda f: f.assign(y=f["y"].where(np.arange(len(f)) != 3)),
    "missing key": lambda f: f.assign(g=f["g"].where(np.arange(len(f)) != 3)),
    "no such column": lambda f: f.drop(columns="yhat"),
    "weights": lambda f: f.assign(w=-1),
    "numbers": lambda f: f.assign(yhat=7),
    "not a frame": lambda f: f.to_numpy(),
}


@pytest.mark.parametrize("by", ["g", ["fold", "g"]], ids=["one key", "two keys"])
@pytest.mark.parametrize("wrong", WRONG)
def test_a_refused_part_leaves_the_counter_alone(wrong: str, by: Any) -> None:
    counter = counted(by, [rows(0, 9)], sample_weight="w")
    before = counter.cube
    with pytest.raises((ValueError, TypeError, KeyError)):
        counter.update(WRONG[wrong](rows(1, 9)), "y", "yhat", sample_weight="w")
    assert_same(counter.cube, before)
    counter.update(rows(2, 9), "y", "yhat", sample_weight="w")
    assert counter.cube.sum() > before.sum()


def test_one_model_and_several_are_told_apart() -> None:
    counter = counted(None, [rows(0, 9)])
    with pytest.raises(ValueError, match="pred= lists models in some calls"):
        counter.update(rows(0, 9), "y", ["yhat"])
    assert counter.cube.sum() == 9


def test_models_may_come_one_by_one() -> None:
    frame = rows(0, 9)
    counter = counted("g", [frame], ["yhat"])
    counter.update(frame, "y", ["other"])
    expected = frame.ordinal.confusion("y", ["yhat", "other"], by="g", classes=CLASSES)
    assert_same(counter.cube.sel(model=["yhat", "other"]), expected)


@pytest.mark.parametrize("by", KEYS.values(), ids=KEYS)
def test_no_rows_are_a_cube_of_none(by: Any) -> None:
    nothing = po.Counter(classes=CLASSES, by=by)
    dims = () if by is None else tuple(by) if isinstance(by, list) else (by,)
    assert nothing.cube.dims == (*dims, "true", "pred")
    assert nothing.cube.dtype == np.int64 and nothing.cube.sum() == 0
    assert nothing.cube.indexes["true"].tolist() == CLASSES
    frame = rows(0, 9)
    empty = counted(by, [frame[:0]])
    assert empty.cube.sum() == 0 and empty.cube.dims == nothing.cube.dims
    expected = counted(by, [frame]).cube
    for counter in (nothing.merge(empty), empty.merge(nothing)):
        assert_same(counter.merge(counted(by, [frame])).cube, expected)
        assert_same(counted(by, [frame]).merge(counter).cube, expected)


def test_memory_follows_the_keys_that_occur() -> None:
    """Keys that never meet: as a cube they would be 4 million matrices."""
    n = 2000
    frame = pd.DataFrame({"y": "low", "yhat": "mid", "user": range(n), "page": range(n)})
    counter = counted(["user", "page"], [frame[:1000], frame[500:]])
    assert len(pickle.dumps(counter)) < 20 * n * len(CLASSES) ** 2
    small = counted(["user", "page"], [frame[:3], frame[2:4]]).cube
    assert small.shape == (4, 4, 3, 3)
    assert small.sum(["true", "pred"]).to_numpy().diagonal().tolist() == [1, 1, 2, 1]


def sources() -> Iterator[tuple[str, Any]]:
    frame = rows(0, 20).reset_index(drop=True)[["y", "yhat", "g"]]
    yield "dict", {name: values.to_numpy() for name, values in frame.items()}
    yield "lists", frame.to_dict("list")
    yield "polars", pytest.importorskip("polars").from_pandas(frame)
    yield "arrow", pytest.importorskip("pyarrow").Table.from_pandas(frame)


def test_rows_may_come_from_anything() -> None:
    expected = counted("g", [rows(0, 20)]).cube
    for name, source in sources():
        counter = counted("g", [source])
        xr.testing.assert_identical(counter.cube, expected), name
    with pytest.raises(TypeError, match="is a Series, which a dict would align"):
        counted("g", [dict(rows(0, 20).items())])
    with pytest.raises(TypeError, match="must be a DataFrame or a dict of arrays, not a list$"):
        counted("g", [[1, 2]])
    lazy = pytest.importorskip("polars").LazyFrame({"y": ["low"]})
    with pytest.raises(TypeError, match=r"not a polars LazyFrame: .*\.collect.*part by part"):
        counted("g", [lazy])


def test_counters_that_count_otherwise_are_not_merged() -> None:
    one = counted("g", [rows(0, 9)])
    for other in (
        po.Counter(classes=CLASSES, by="fold"),
        po.Counter(classes=CLASSES),
        po.Counter(classes=CLASSES[::-1], by="g"),
        po.Counter(classes=CLASSES[:2], by="g"),
    ):
        with pytest.raises(ValueError, match=r"Counter\(classes=.* differ: give both the same"):
            one.merge(other)
    with pytest.raises(TypeError, match="must be a po.Counter, not a DataArray"):
        one.merge(one.cube)  # type: ignore[arg-type]
    with pytest.raises(po.ClassOrderError):
        po.Counter(classes={"low", "high"})  # type: ignore[arg-type]


def test_names_that_a_cube_cannot_have_are_refused_at_once() -> None:
    frame = brute.frame().assign(true=1)
    for by in ("true", ["true", "g"]):
        with pytest.raises(ValueError, match="two dimensions 'true'"):
            po.Counter(classes=frame["y"].dtype, by=by).update(frame, "y", "yhat")


LOOKALIKES: dict[str, Any] = {
    "integers": [0, 1, 2],
    "floats": [0.0, 1.0, 2.0],
    "objects": [True, "1", 2],
    "text": ["0", "1", "2"],
    "category": pd.Categorical(["2", "1", "0"]),
    "bins": pd.cut([0, 1, 2], [-1, 0, 1, 2]),
}


@pytest.mark.parametrize("by", ["g", ["h", "g"]], ids=["one key", "two keys"])
@pytest.mark.parametrize("second", LOOKALIKES)
@pytest.mark.parametrize("first", ["integers", "text"])
def test_keys_that_look_alike_add_up_as_merged_ones(first: str, second: str, by: Any) -> None:
    """Whether a part is added in place, as those of known keys are, cannot be told."""
    frame = pd.DataFrame({"y": CLASSES, "yhat": CLASSES, "h": "a"})
    parts = [frame.assign(g=LOOKALIKES[name]) for name in (first, second, second)]
    try:
        merged = functools.reduce(po.Counter.merge, (counted(by, [part]) for part in parts))
        expected = merged.cube
    except (TypeError, ValueError) as error:
        with pytest.raises(type(error), match=re.escape(str(error))):
            counted(by, parts)
    else:
        assert_same(counted(by, parts).cube, expected)


def test_keys_may_have_the_names_of_models() -> None:
    part = pd.DataFrame({"k": ["c", "b", "c"], "y": [0, 1, 1], "b": [1, 1, 0], "c": [0, 0, 1]})
    counter = po.Counter(classes=[0, 1], by="k")
    for _ in range(2):
        counter.update(part[1:], "y", ["c", "b"])
    counter.update(part[:1], "y", ["c", "b"])
    assert counter.cube.sel(k="b", model="b").values.tolist() == [[0, 0], [0, 2]]
    assert counter.cube.sel(k="b", model="c").values.tolist() == [[0, 0], [2, 0]]
    assert counter.cube.sel(k="c", model="b").values.tolist() == [[0, 1], [2, 0]]
    assert counter.cube.sel(k="c", model="c").values.tolist() == [[1, 0], [0, 2]]


def test_keys_may_be_intervals_that_overlap() -> None:
    keys = pd.arrays.IntervalArray.from_tuples([(0, 2), (1, 3), (0, 2)])
    part = pd.DataFrame({"k": keys, "y": [0, 1, 1], "yhat": [0, 1, 0]})
    counter = po.Counter(classes=[0, 1], by="k")
    for _ in range(2):
        counter.update(part, "y", "yhat")
    assert counter.cube.values.tolist() == [[[2, 0], [2, 0]], [[0, 0], [0, 2]]]


def test_a_merged_counter_shares_nothing_with_an_empty_one() -> None:
    one, nothing = counted("g", [rows(0, 9)]), po.Counter(classes=CLASSES, by="g")
    for merged in (one.merge(nothing), nothing.merge(one)):
        merged.update(rows(0, 9), "y", "yhat")
        assert one.cube.sum() == 9 and merged.cube.sum() == 18


def test_it_tells_what_it_counts() -> None:
    assert repr(po.Counter(classes=CLASSES, by="g")) == (
        "Counter(classes=['low', 'mid', 'high'], by=['g'])"
    )


def test_keys_of_several_kinds_are_kept_apart() -> None:
    """As one column of text and integers has them; with a single key too."""
    frame = rows(0, 12).assign(g=[1, "1", "a"] * 4)
    for by in ("g", ["g", "fold"]):
        for parts in ([frame[:5], frame[5:]], [frame[5:], frame[:5]]):
            found = counted(by, parts).cube
            assert set(found.indexes["g"]) == {1, "1", "a"}
            alone = frame[[key == "1" for key in frame["g"]]]
            assert found.sel(g="1").sum() == len(alone)


@pytest.fixture
def _busy() -> Iterator[None]:
    """Threads that take turns as often as possible."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("_busy")
@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("by", ["k", ["k", "h"], None], ids=["one key", "two keys", "no key"])
@pytest.mark.parametrize("are_known", [False, True], ids=["new groups", "known groups"])
def test_threads_share_a_counter(are_known: bool, by: Any, weight: str | None) -> None:
    counter = po.Counter(classes=[0, 1], by=by)

    def update(i: int) -> None:
        keys = [0, 1] if are_known else [i, i + 1]
        part = {"y": [0, 1], "p": [0, 1], "k": keys, "h": ["a", "b"], "w": [1.0, 1.0]}
        counter.update(part, "y", "p", sample_weight=weight)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(update, range(100)))
    assert counter.cube.sum() == 200
    assert counter.cube.sel(true=1, pred=0).sum() == 0
    if by is not None:
        assert set(counter.cube.indexes["k"]) == (set(range(2)) if are_known else set(range(101)))


@pytest.mark.usefixtures("_busy")
def test_threads_merge_and_read_while_others_count() -> None:
    one, other = counted("g", [rows(0, 9)]), counted("g", [rows(1, 9)])

    def work(i: int) -> None:
        first, second = (one, other) if i % 2 else (other, one)
        first.update(rows(i % 2, 9), "y", "yhat")
        for found in (first.merge(second), copy.copy(first), pickle.loads(pickle.dumps(first))):
            assert found.cube.sum() % 9 == 0

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(60)))
    assert one.merge(other).cube.sum() == 9 * 62
    assert one.merge(one).cube.sum() == 2 * one.cube.sum()


COPIES: dict[str, Callable[[po.Counter], po.Counter]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda counter: pickle.loads(pickle.dumps(counter)),
    "merge": lambda counter: counter.merge(po.Counter(classes=CLASSES, by=counter._by)),
    "merge into nothing": lambda counter: po.Counter(classes=CLASSES, by=counter._by).merge(
        counter
    ),
}


@pytest.mark.parametrize("by", KEYS.values(), ids=KEYS)
@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("options", [{}, {"sample_weight": "w"}], ids=["rows", "weights"])
def test_copies_and_cubes_are_independent(copied: Any, by: Any, options: dict[str, Any]) -> None:
    part = rows(0, 9)
    counter = counted(by, [part], **options)
    cube, snapshot = counter.cube, copied(counter)
    before = cube.copy(deep=True)
    counter.update(part, "y", "yhat", **options)
    assert_same(cube, before)
    assert_same(snapshot.cube, before)
    for _ in range(2):
        snapshot.update(part, "y", "yhat", **options)
    assert_same(counter.cube, counted(by, [part] * 2, **options).cube)
    assert_same(snapshot.cube, counted(by, [part] * 3, **options).cube)
    cube[...] = 7
    assert counter.cube.sum() == 2 * before.sum()


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_a_copy_of_an_empty_counter_counts(copied: Any) -> None:
    counter = po.Counter(classes=CLASSES, by="g")
    snapshot = copied(counter)
    snapshot.update(rows(0, 9), "y", "yhat")
    assert snapshot.cube.sum() == 9 and counter.cube.sum() == 0


class OfAnotherLibrary:
    """A table with a method that converts it."""

    def to_pandas(self) -> pd.DataFrame:
        return pd.DataFrame({"y": [0, 1], "p": [0, 1]})


def test_tables_that_convert_themselves_and_dicts_of_no_columns() -> None:
    counter = po.Counter([0, 1])
    counter.update(OfAnotherLibrary(), "y", "p")
    assert counter.cube.values.tolist() == [[1, 0], [0, 1]]
    with pytest.raises(ValueError, match="frame= is a dict, but not of arrays"):
        counter.update({"y": [0, 1], "p": [0]}, "y", "p")


def test_several_models_by_several_keys() -> None:
    frame = pd.DataFrame({"y": [0, 1, 1], "p": [0, 1, 0], "q": 1, "g": [1, 1, 2], "h": [3, 4, 3]})
    counter = po.Counter([0, 1], by=["g", "h"])
    for part in (frame.iloc[:2], frame.iloc[2:]):
        counter.update(part, "y", ["p", "q"])
    expected = frame.ordinal.confusion("y", ["p", "q"], by=["g", "h"], classes=[0, 1])
    xr.testing.assert_identical(counter.cube, expected)
