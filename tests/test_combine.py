"""Putting frames and cubes together: orders are merged where they leave no doubt."""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from hypothesis import given
from hypothesis import strategies as st
from oracles.strategies import QUICK

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, UnknownClassError
from pandas_ordinal.combine import merge_orders

INF = np.inf


def ordered(labels: Any, classes: Any) -> pd.Categorical:
    return pd.Categorical(labels, classes, ordered=True)


def frame(y: Any, yhat: Any, classes: Any) -> pd.DataFrame:
    return pd.DataFrame({"y": ordered(y, classes), "yhat": ordered(yhat, classes)})


def dtype(classes: Any) -> pd.CategoricalDtype:
    return pd.CategoricalDtype(classes, ordered=True)


ABC = frame(["a", "b", "c"], ["a", "c", "c"], list("abc"))
BCD = frame(["b", "d"], ["d", "d"], list("bcd"))
ABD = frame(["a", "d"], ["b", "d"], list("abd"))


# merged orders


@QUICK
@given(
    st.lists(st.lists(st.sampled_from("abcde"), min_size=1, unique=True), min_size=1, max_size=4)
)
def test_the_merged_order_is_the_only_one_that_agrees(orders: list[list[str]]) -> None:
    """Against all orders of all labels, one by one."""
    labels = sorted({label for order in orders for label in order})
    agree = [
        line
        for line in permutations(labels)
        if all(line.index(a) < line.index(b) for order in orders for a, b in pairwise(order))
    ]
    if len(agree) == 1:
        merged = merge_orders([dtype(order) for order in orders])
        assert merged.ordered and merged.categories.tolist() == list(agree[0])
    else:
        with pytest.raises(ClassOrderError) as caught:
            merge_orders([dtype(order) for order in orders])
        message = str(caught.value)
        assert ("contradicting" if not agree else "is lower") in message
        assert all(" < ".join(order) in message for order in orders)


def test_bins_are_in_the_order_of_their_edges() -> None:
    low, high = pd.interval_range(0, 3), pd.interval_range(2, 6)
    merged = merge_orders([dtype(high), dtype(low)])
    assert merged.categories.equals(pd.interval_range(0, 6))
    far = pd.IntervalIndex.from_breaks([9, 10])
    with pytest.raises(ClassOrderError, match="gap"):
        merge_orders([dtype(low), dtype(far)])
    with pytest.raises(ClassOrderError, match=r"overlap.*\(0, 1\] < .* and \(0.0, 1.5\] < "):
        merge_orders([dtype(low), dtype(pd.IntervalIndex.from_breaks([0, 1.5, 3]))])
    with pytest.raises(ClassOrderError, match="closed right.*closed left"):
        merge_orders([dtype(low), dtype(low.set_closed("left"))])
    with pytest.raises(ClassOrderError, match="0.30000000000000004"):
        breaks = [[0, 0.1 + 0.2, 1], [0, 0.3, 1]]
        merge_orders([dtype(pd.IntervalIndex.from_breaks(edges)) for edges in breaks])
    with pytest.raises(ClassOrderError, match="other labels"):
        merge_orders([dtype(low), dtype(["a"])])


def test_true_is_not_one() -> None:
    assert merge_orders([dtype([1, 2]), dtype([2, 3])]).categories.tolist() == [1, 2, 3]
    with pytest.raises(ClassOrderError, match="which of"):
        merge_orders([dtype([0, 1]), dtype([False, True])])


# frames


def test_pandas_loses_the_order_and_concat_keeps_it() -> None:
    lost = pd.concat([ABC, BCD], ignore_index=True)
    assert not isinstance(lost["y"].dtype, pd.CategoricalDtype)
    with pytest.raises(ClassOrderError, match="'y'.*declares no order.*'a', 'b', 'c', 'd'"):
        lost.ordinal.mae("y", "yhat")
    kept = po.concat([ABC, BCD])
    for name in ("y", "yhat"):
        assert kept[name].dtype == dtype(list("abcd"))
        assert kept[name].tolist() == [*ABC[name], *BCD[name]]
    assert kept.index.tolist() == [0, 1, 2, 0, 1]
    assert kept.ordinal.mae("y", "yhat") == pytest.approx(3 / 5)


def test_an_open_order_is_refused_or_declared() -> None:
    with pytest.raises(ClassOrderError, match="a < b < c and a < b < d.*classes="):
        po.concat([ABC, ABD])
    both = po.concat([ABC, ABD], classes=list("abdc"))
    assert both["y"].cat.categories.tolist() == list("abdc")
    assert both["y"].tolist() == [*ABC["y"], *ABD["y"]]
    with pytest.raises(UnknownClassError, match="'d'"):
        po.concat([ABC, ABD], classes=list("abc"))
    with pytest.raises(ClassOrderError, match="contradicting"):
        po.concat([ABC, ABD], classes=list("bacd"))


def test_declared_classes_are_those_of_the_columns_that_have_them() -> None:
    sizes = [ordered(["S", "M", "M"], ["S", "M"]), ordered(["M", "L"], ["M", "L"])]
    parts = [part.assign(size=size) for part, size in zip([ABC, ABD], sizes, strict=True)]
    both = po.concat(parts, classes=list("abcd"))
    assert both["y"].cat.categories.tolist() == list("abcd")
    assert both["size"].cat.categories.tolist() == ["S", "M", "L"]


def test_contradicting_orders_are_printed() -> None:
    with pytest.raises(ClassOrderError, match="a < b < c and a < c < b"):
        po.concat([ABC, frame(["a"], ["a"], list("acb"))])


def test_columns_that_are_ordered_somewhere_are_cast_by_label() -> None:
    text = pd.DataFrame({"y": ["c", None], "yhat": pd.Categorical(["a", "b"])})
    both = po.concat([ABC, text])
    assert both["y"].dtype == both["yhat"].dtype == dtype(list("abc"))
    assert both["y"].isna().tolist() == [False] * 4 + [True]
    with pytest.raises(UnknownClassError, match="'yhat' holds \\['z'\\]"):
        po.concat([ABC, pd.DataFrame({"y": ["a"], "yhat": ["z"]})])


def test_a_column_that_a_frame_lacks_is_missing_there() -> None:
    both = po.concat([ABC, BCD[["y"]]])
    assert both["yhat"].dtype == dtype(list("abc"))
    assert both["yhat"].isna().tolist() == [False] * 3 + [True] * 2
    other_first = po.concat([BCD[["y"]], ABC])
    assert other_first["yhat"].isna().tolist() == [True] * 2 + [False] * 3


def test_other_columns_are_as_pandas_has_them() -> None:
    parts = [ABC.assign(x=[1, 2, 3], name="first"), BCD.assign(x=[1.5, 2], name="second")]
    before = [part.copy() for part in parts]
    both = po.concat(parts)
    pd.testing.assert_frame_equal(both[["x", "name"]], pd.concat(parts)[["x", "name"]])
    for part, copy in zip(parts, before, strict=True):
        pd.testing.assert_frame_equal(part, copy)


def test_bins_of_frames() -> None:
    low = pd.DataFrame({"y": pd.Series([1, 15]).ordinal.cut([0, 10, 20])})
    high = pd.DataFrame({"y": pd.Series([15, 99]).ordinal.cut([10, 20, INF])})
    both = po.concat([low, high])["y"]
    expected = pd.IntervalIndex.from_breaks([0, 10, 20, INF])
    assert both.cat.ordered and both.cat.categories.equals(expected)
    assert both.cat.codes.tolist() == [0, 1, 1, 2]
    with pytest.raises(ClassOrderError, match="overlap"):
        numbers = [pd.Series([1, 2, 3, 4.0]), pd.Series([1, 2, 3, 9.0])]
        po.concat([pd.DataFrame({"y": pd.qcut(part, 2)}) for part in numbers])


def test_classes_that_no_column_has_are_refused() -> None:
    with pytest.raises(UnknownClassError, match="no ordered column"):
        po.concat([ABC, BCD], classes=["x", "z"])
    with pytest.raises(TypeError, match="dim="):
        po.concat([ABC, BCD], dim=3)  # type: ignore[call-overload]


def test_keys_become_a_level() -> None:
    for parts, labels in (([ABC, BCD], [0, 1]), ({"A": ABC, "B": BCD}, ["A", "B"])):
        both = po.concat(parts, dim="fold")
        assert both.index.get_level_values("fold").unique().tolist() == labels
        scores = both.ordinal.mae("y", "yhat", by="fold")
        assert scores.tolist() == pytest.approx([1 / 3, 1])


def test_keys_that_are_no_one_level_are_refused() -> None:
    objs = {("A", 1): ABC, ("B", 2): BCD}
    with pytest.raises(TypeError, match="keys of the frames are tuples") as caught:
        po.concat(objs, dim="fold")
    remedy = str(caught.value).split("as with ")[1]
    both = eval(remedy, {"po": po, "objs": objs})
    assert both.index.get_level_values("fold").unique().tolist() == ["('A', 1)", "('B', 2)"]
    parts = [ABC, BCD.rename_axis(index="fold")]
    with pytest.raises(ValueError, match="an index level 'fold' already"):
        po.concat(parts, dim="fold")
    assert po.concat(parts, dim="part").index.names[0] == "part"


# cubes


def test_cubes_of_folds_that_lack_a_class() -> None:
    cubes = [part.ordinal.confusion("y", "yhat") for part in (ABC, ABD)]
    stacked = po.concat(cubes, dim="fold", classes=list("abcd"))
    assert dict(stacked.sizes) == {"fold": 2, "true": 4, "pred": 4}
    assert stacked.dtype == np.int64 and stacked.name == "count"
    for dim in ("true", "pred"):
        assert stacked.indexes[dim].ordered and stacked.indexes[dim].tolist() == list("abcd")
    expected = np.zeros((2, 4, 4), int)
    for fold, true, pred in [(0, 0, 0), (0, 1, 2), (0, 2, 2), (1, 0, 1), (1, 3, 3)]:
        expected[fold, true, pred] += 1
    np.testing.assert_array_equal(stacked, expected)
    assert stacked.ordinal.mae().values.tolist() == pytest.approx([1 / 3, 1 / 2])
    with pytest.raises(ClassOrderError, match="which of 'c' and 'd' is lower"):
        po.concat(cubes, dim="fold")


@pytest.mark.parametrize("chunked", [False, True])
def test_cubes_add_on_the_merged_grid(chunked: bool) -> None:
    cubes = [part.ordinal.confusion("y", "yhat") for part in (ABC, BCD)]
    if chunked:
        cubes = [cube.chunk(true=1) for cube in cubes]
    expected = po.concat([ABC, BCD]).ordinal.confusion("y", "yhat")
    for total in (po.concat(cubes), po.add(*cubes), po.add(*cubes[::-1])):
        assert (total.chunks is not None) == chunked
        xr.testing.assert_identical(total.compute(), expected)


def test_labels_of_a_new_dimension() -> None:
    both = po.concat({"A": ABC, "B": BCD}, dim="fold")
    whole = both.ordinal.confusion("y", "yhat", by="fold")
    cubes = {fold: whole.sel(fold=fold) for fold in ("A", "B")}
    for parts in (cubes, list(cubes.values())):
        xr.testing.assert_identical(po.concat(parts, dim="fold"), whole)
    bare = [cube.drop_vars("fold") for cube in cubes.values()]
    assert "fold" not in po.concat(bare, dim="fold").coords
    with pytest.raises(ValueError, match="only some of the cubes have a label 'fold'"):
        po.concat([cubes["A"], bare[1]], dim="fold")
    with pytest.raises(ValueError, match="'A', 'A'.*twice"):
        po.concat([cubes["A"], cubes["A"]], dim="fold")
    with pytest.raises(ValueError, match="dimension 'fold' already"):
        po.concat([whole, whole], dim="fold")


@pytest.mark.parametrize(
    "keys",
    [
        pd.to_datetime(["2026-01-01", "2026-01-02"]).as_unit("ns"),
        pd.to_datetime(["2026-01-01", "2026-01-02"]).tz_localize("Europe/Berlin"),
        pd.to_timedelta([1, 2], unit="h"),
        pd.cut([1, 5], [0, 3, 9]),
        ["x", "y"],
        [1.5, 2.5],
    ],
    ids=["days", "time zone", "hours", "bins", "text", "floats"],
)
def test_labels_of_any_kind_stay(keys: Any) -> None:
    whole = pd.DataFrame({"y": [0, 1], "k": keys}).ordinal.confusion("y", "y", by="k")
    labels = whole.indexes["k"]
    parts = [whole.isel(k=0), whole.isel(k=1)]
    by_label = dict(zip(labels, parts, strict=True))
    # xarray drops the time zone of a single label
    for objs in [by_label] if getattr(labels, "tz", None) else [by_label, parts]:
        stacked = po.concat(objs, dim="k")
        assert stacked.indexes["k"].tolist() == labels.tolist()
        assert stacked.indexes["k"].dtype.kind == labels.dtype.kind
        np.testing.assert_array_equal(stacked, whole)


def test_cubes_of_other_groups() -> None:
    first = ABC.assign(g=[1, 1, 2]).ordinal.confusion("y", "yhat", by="g")
    second = BCD.assign(g=[3, 2]).ordinal.confusion("y", "yhat", by="g")
    stacked = po.concat({"A": first, "B": second}, dim="fold")
    assert stacked.dims == ("fold", "g", "true", "pred") and stacked.dtype == np.int64
    assert stacked.sum(["true", "pred"]).values.tolist() == [[2, 1, 0], [0, 1, 1]]
    with pytest.raises(ValueError, match="different dimensions"):
        po.concat([first, second.sum("g")])


def test_cubes_of_bins() -> None:
    edges = [[0, 10, 20], [10, 20, INF]]
    cubes = [
        pd.Series([15]).ordinal.cut(e).ordinal.confusion(pd.Series([15]).ordinal.cut(e))
        for e in edges
    ]
    total = po.concat(cubes)
    assert total.indexes["true"].categories.equals(pd.IntervalIndex.from_breaks([0, 10, 20, INF]))
    assert total.values.tolist() == [[0, 0, 0], [0, 2, 0], [0, 0, 0]]


@pytest.mark.parametrize(
    ("parts", "error", "message"),
    [
        ([], ValueError, "nothing"),
        ({}, ValueError, "nothing"),
        ([ABC, ABC.ordinal.confusion("y", "yhat")], TypeError, "DataArray, DataFrame"),
        ([ABC["y"]], TypeError, "Series"),
        (ABC, TypeError, "not one DataFrame"),
        (ABC.ordinal.confusion("y", "yhat"), TypeError, "not one DataArray"),
        ([xr.DataArray([1, 2], dims="x")], ValueError, "'true' and 'pred'"),
        ([ABC, ABC.set_axis(["y", "y"], axis=1)], ValueError, "names 2 columns"),
    ],
    ids=["none", "no keys", "both", "Series", "a frame", "a cube", "no cube", "duplicates"],
)
def test_refused_parts(parts: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        po.concat(parts)
