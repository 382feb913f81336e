"""Combining frames and cubes: orders are merged where the result is unambiguous."""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import Any

import brute
import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr
from binned import EDGES, ROWS, binned, by_definition, counts_of
from hypothesis import given
from hypothesis import strategies as st
from labelled import COUNTED, DF, predictions
from measured import peak
from oracles.strategies import QUICK

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, UnknownClassError
from pandas_ordinal.classes.orders import merge_orders, share_classes


def dtype(classes: Any) -> pd.CategoricalDtype:
    return pd.CategoricalDtype(classes, ordered=True)


def ordered(labels: Any, classes: Any) -> pd.Categorical:
    return pd.Categorical(labels, classes, ordered=True)


def frame(y: Any, yhat: Any, classes: Any) -> pd.DataFrame:
    return pd.DataFrame({"y": ordered(y, classes), "yhat": ordered(yhat, classes)})


ABC = frame(["a", "b", "c"], ["a", "c", "c"], list("abc"))
BCD = frame(["b", "d"], ["d", "d"], list("bcd"))
ABD = frame(["a", "d"], ["b", "d"], list("abd"))
INF = np.inf
FRAME = brute.frame()


def cube_of(df: pd.DataFrame = FRAME, **options: Any) -> xr.DataArray:
    return df.ordinal.confusion("y", "yhat", **options)


CUBE = cube_of(by="g")


def table(df: pd.DataFrame, pred: str = "yhat", weights: Any = None) -> np.ndarray:
    return brute.counts(df["y"].cat.codes, df[pred].cat.codes, 4, weights)


CLASSES = FRAME["y"].cat.categories.tolist()


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
    breaks = [[0, 0.1 + 0.2, 1], [0, 0.3, 1]]
    with pytest.raises(ClassOrderError, match="0.30000000000000004"):
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
    combined = po.concat([ABC, BCD])
    for name in ("y", "yhat"):
        assert combined[name].dtype == dtype(list("abcd"))
        assert combined[name].tolist() == [*ABC[name], *BCD[name]]
    assert combined.index.tolist() == [0, 1, 2, 0, 1]
    assert combined.ordinal.mae("y", "yhat") == pytest.approx(3 / 5)


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
    numbers = [pd.Series([1, 2, 3, 4.0]), pd.Series([1, 2, 3, 9.0])]
    frames = [pd.DataFrame({"y": pd.qcut(part, 2)}) for part in numbers]
    with pytest.raises(ClassOrderError, match="overlap"):
        po.concat(frames)


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


# cubes one after another


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
    with pytest.raises(ValueError, match="dimension 'fold' already: give a list"):
        po.concat({"u": whole, "v": whole}, dim="fold")
    with pytest.raises(ValueError, match="dimension 'fold' already: give a list"):
        po.concat([whole, cubes["A"]], dim="fold")


def slowly_appended(cubes: list[xr.DataArray], dim: str) -> dict[tuple[object, ...], int]:
    """Each count by its labels, zeros left out."""
    counts: dict[tuple[object, ...], int] = {}
    for cube in cubes:
        for labels, count in cube.transpose(dim, "true", "pred").to_series().items():
            if count:
                assert labels not in counts
                counts[labels] = int(count)
    return counts


@QUICK
@given(st.data())
def test_cubes_along_a_dimension_that_they_have(data: st.DataObject) -> None:
    kinds = {
        "text": [*"abcdef"],
        "numbers": [5, 3, 1, 0, 7, 2],
        "times": [*pd.date_range("2026", periods=6, unit="ns")],
    }
    keys = data.draw(st.permutations(kinds[data.draw(st.sampled_from(list(kinds)))]))
    cuts = sorted(data.draw(st.lists(st.integers(0, 6), max_size=3)))
    orders = [["low", "mid"], ["mid", "high"], ["low", "mid", "high"]]
    cubes = []
    for start, stop in pairwise([0, *cuts, 6]):
        if start == stop:
            continue
        classes = data.draw(st.sampled_from(orders))
        rows = [(key, classes[0], data.draw(st.sampled_from(classes))) for key in keys[start:stop]]
        df = pd.DataFrame(rows, columns=["k", "y", "yhat"])
        cubes.append(df.ordinal.confusion("y", "yhat", by="k", classes=classes))
    if len({len(cube.indexes["true"]) for cube in cubes}) == 1:
        cubes[0] = po.concat([cubes[0], 0 * cubes[0]])
    try:
        counts = po.concat(cubes, dim="k")
    except ClassOrderError:
        return
    xr.testing.assert_identical(counts, po.add(*cubes))
    assert slowly_appended([counts], "k") == slowly_appended(cubes, "k")
    xr.testing.assert_identical(po.concat([c.chunk() for c in cubes], dim="k").compute(), counts)


def test_groups_that_two_cubes_have_are_not_appended() -> None:
    df = pd.DataFrame({"k": ["a", "b"], "y": [0, 1], "yhat": [1, 1]})
    cube = df.ordinal.confusion("y", "yhat", by="k")
    with pytest.raises(ValueError, match=r"group 'b' along 'k' is in two.*leave dim= out"):
        po.concat([cube, cube.isel(k=[1])], dim="k")
    with pytest.raises(ValueError, match="'true' are the classes of the cubes"):
        po.concat([cube, cube], dim="true")
    bare = cube.drop_vars("k")
    assert po.concat([bare, bare], dim="k").sizes["k"] == 4
    with pytest.raises(ValueError, match="no labels in some"):
        po.concat([cube, bare], dim="k")
    ages = pd.cut([3, 31], [0, 18, 65])
    young, old = (
        df.assign(k=ages).iloc[[row]].ordinal.confusion("y", "yhat", by="k", classes=[0, 1])
        for row in (0, 1)
    )
    both = po.concat([old.isel(k=[1]), young.isel(k=[0])], dim="k")
    assert both.indexes["k"].tolist() == ages.categories.tolist()


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


def test_labels_along_the_classes_or_of_several_kinds() -> None:
    cube = ABC.ordinal.confusion("y", "yhat")
    along = cube.assign_coords(fold=("true", [1, 2, 3]))
    with pytest.raises(ValueError, match=r"'fold' along \('true',\), not one label each"):
        po.concat([along, along], dim="fold")
    mixed = po.concat([cube.assign_coords(fold=fold) for fold in (1, "a")], dim="fold")
    assert mixed.indexes["fold"].tolist() == [1, "a"]


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


# cubes that are added


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


def stacked(frame: pd.DataFrame, *keys: str) -> xr.DataArray:
    cube = frame.ordinal.confusion("y", "yhat", by=["g", "fold"], classes=[0, 1, 2])
    return cube.stack(site=keys or ("g", "fold"))


def test_add_groups_of_several_levels() -> None:
    rows = predictions([0, 1, 2, 2], [0, 2, 2, 1], g=list("aabb"), fold=[0, 1, 0, 1])
    parts = [rows, rows[:3], rows.assign(g=list("aacc")), rows[:1]]
    cubes = [stacked(part) for part in parts]
    added = po.add(*cubes)
    assert added.dims == ("site", "true", "pred")
    assert list(added.indexes["site"].names) == ["g", "fold"]
    every = pd.concat(parts)
    sizes = every.groupby(["g", "fold"]).size()
    assert added.sum(["true", "pred"]).to_series().to_dict() == sizes.to_dict()
    apart = po.add(*(cube.unstack("site") for cube in cubes))
    for g, fold in sizes.index:
        one = added.sel(g=g, fold=fold)
        np.testing.assert_array_equal(one, apart.sel(g=g, fold=fold))
        np.testing.assert_array_equal(
            one,
            every.query("g == @g and fold == @fold").ordinal.confusion(
                "y", "yhat", classes=[0, 1, 2]
            ),
        )
    due = every.ordinal.mae("y", "yhat", by=["g", "fold"]).to_dict()
    assert added.ordinal.mae().to_series().to_dict() == due
    turned = po.add(cubes[0].transpose("pred", "site", "true"), *cubes[1:])
    np.testing.assert_array_equal(turned.transpose(*added.dims), added)
    again = po.add(added, added)
    np.testing.assert_array_equal(again, 2 * added)


def test_add_refuses_groups_of_other_levels() -> None:
    rows = predictions([0, 1, 2], [0, 2, 2], g=[0, 0, 1], fold=[0, 1, 1])
    one, other = stacked(rows), stacked(rows, "fold", "g")
    for cubes in ([one, other], [other, one], [one, one.reset_index("site", drop=True)]):
        with pytest.raises(ValueError, match="'site' have"):
            po.add(*cubes)
        with pytest.raises(ValueError, match="'site' have"):
            po.concat(cubes, "part")
    plain = rows.assign(site=[(0, 0), (0, 1), (1, 1)]).ordinal.confusion("y", "yhat", by="site")
    with pytest.raises(ValueError, match="'site' have the levels"):
        po.add(one, plain)
    right = po.add(one, other.reorder_levels({"site": ["g", "fold"]}))
    np.testing.assert_array_equal(right.transpose(*one.dims), 2 * one)


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
    with pytest.raises(ValueError, match="nothing to add"):
        po.add()
    with pytest.raises(ClassOrderError, match="the axis .true. of the cube holds"):
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


def test_lazy_cubes_add_groups_that_are_not_plain_labels() -> None:
    """Missing keys are one group, and keys keep their levels."""
    rows = predictions([0, 1, 2, 2], [0, 2, 2, 1], g=list("aabb"), fold=[0, 1, 0, 1])
    levels = [stacked(rows[:2]), stacked(rows[2:])]
    missing = [keyed([key, 9.0]).assign_coords(k=[key, np.nan]) for key in (1.0, 2.0)]
    for one, other in (levels, missing):
        expected = po.add(one, other)
        lazy = po.add(one.chunk(), other.chunk())
        assert lazy.chunks is not None
        xr.testing.assert_identical(lazy.compute(), expected)
    assert expected.sizes["k"] == 3


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


def test_groups_without_labels_in_cubes_of_other_sizes() -> None:
    bare = keyed([1, 2]).drop_vars("k")
    for others in ([bare[:1]], [bare, bare[:1], bare]):
        with pytest.raises(ValueError, match="along 'k' have no labels in some of the cubes"):
            po.add(bare, *others)


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
    # without a common order: in the order of the cubes
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
    with pytest.raises(ValueError, match="such as 9007199254740993, and floats"):
        po.add(whole, keyed([0.5, 2.0**53]))
    assert po.add(whole, keyed([1, 2])).indexes["k"].tolist() == [1, 2, 2**53 + 1]
    assert po.add(keyed([1, 2]), keyed([0.5, 2])).indexes["k"].tolist() == [0.5, 1, 2]


@pytest.mark.parametrize("sign", [-1, 1])
def test_the_largest_integers_that_are_floats(sign: int) -> None:
    largest = keyed([0, sign * 2**53])
    found = po.add(keyed([0.5, 1]), largest).indexes["k"]
    assert found.tolist() == sorted([0.5, 1, 0, sign * 2.0**53])
    with pytest.raises(ValueError, match=f"such as {sign * (2**53 + 1)}, and floats"):
        po.add(keyed([0.5, 1]), keyed([0, sign * (2**53 + 1)]))


def test_attributes_are_those_of_the_first_cube() -> None:
    first = keyed([1, 2]).assign_attrs(source="monday")
    second = keyed([3, 4]).assign_attrs(source="tuesday")
    with xr.set_options(keep_attrs=True):  # which old versions do not by default
        for one in (first, first.chunk(k=1)):
            for found in (po.add(one), po.add(one, second), po.concat([one, second], dim="k")):
                assert found.attrs == {"source": "monday"} and found.name == "count"
    named = po.concat({"a": first.rename("x"), "b": second}, dim="day")
    assert named.name == "x"


def test_sums_of_cubes_are_concatenated_rows() -> None:
    first, second = FRAME[:120], FRAME[100:]
    options: dict[str, Any] = {"by": ["g", "fold"]}
    cubes = [part.ordinal.confusion("y", "yhat", **options) for part in (first, second)]
    both = pd.concat([first, second])
    total = po.add(*cubes)
    xr.testing.assert_identical(total, both.ordinal.confusion("y", "yhat", **options))
    report = total.ordinal.report(metrics="all").to_dataframe()
    expected = both.ordinal.report("y", "yhat", metrics="all", **options)
    pd.testing.assert_frame_equal(report[expected.columns], expected, rtol=1e-12)


def test_the_same_classes_in_another_dtype_add_up() -> None:
    nullable = DF.astype({"y": "Int64", "yhat": "Int64"})
    other = nullable.ordinal.confusion("y", "yhat", by="g", classes=nullable["y"].unique()[:3])
    assert int(po.add(COUNTED, other).sum()) == 8


def test_adding_what_is_no_cube() -> None:
    with pytest.raises(TypeError, match=r"po\.add\(\*cubes\)"):
        po.add([COUNTED, COUNTED])  # type: ignore[arg-type]


def test_cubes_of_other_bins_do_not_add() -> None:
    cube = binned(EDGES).ordinal.confusion("y", "yhat")
    left = binned(EDGES, "left").ordinal.confusion("y", "yhat")
    with pytest.raises(ClassOrderError, match="closed"):
        po.add(cube, left)
    near = binned([0, 10.0001, 20, 50]).ordinal.confusion("y", "yhat")
    with pytest.raises(ClassOrderError, match=r"10\.0001"):
        po.add(cube, near)
    twice = po.add(cube, binned(EDGES).ordinal.confusion("y", "yhat"))
    npt.assert_array_equal(twice, 2 * counts_of(ROWS))
    assert twice.ordinal.interval_stc() == pytest.approx(
        by_definition("interval_stc", counts_of(ROWS), EDGES), rel=1e-12
    )


# memory


def test_memory_follows_the_sum_of_cubes_with_a_group_each() -> None:
    tables = np.arange(10).repeat(10).reshape(10, 10)
    cubes = [
        po.from_counts(tables, classes=range(10)).expand_dims(g=[number]) for number in range(200)
    ]
    half, whole = (peak(lambda n=n: po.add(*cubes[:n])) for n in (100, 200))
    assert whole < 3 * half
    total = po.add(*cubes[::-1])
    assert total.indexes["g"].tolist() == list(range(200))
    assert (total.values == tables).all()
    assert po.add(*cubes, cubes[7]).sel(g=[6, 7])[:, 3, 3].values.tolist() == [3, 6]


@pytest.mark.parametrize(
    ("orders", "classes", "share"),
    [
        ([["a", "b"], ["c"]], ["c"], True),
        ([["a", "b"]], ["b", "z"], True),
        ([["a", "b"]], ["a"], True),
        ([["a", "b"]], ["z", "a"], True),
        ([["a", "b"], ["c"]], ["d"], False),
        ([[1, 2]], ["1"], False),
        ([], ["a"], False),
    ],
)
def test_orders_that_share_a_class(orders: list[Any], classes: list[Any], share: bool) -> None:
    assert share_classes([dtype(order) for order in orders], dtype(classes)) == share


def test_classes_that_are_tuples_are_no_levels() -> None:
    one, two = [("a", 1), ("a", 2)], [("a", 2), ("b", 1)]
    labels = pd.Index([*one, ("b", 1)], tupleize_cols=False)
    merged = merge_orders([dtype(pd.Index(labels, tupleize_cols=False)) for labels in (one, two)])
    assert not isinstance(merged.categories, pd.MultiIndex)
    assert merged.categories.equals(labels)


@pytest.mark.parametrize(
    "keys", [[("a", 1), ("b", 2)], [("a",), ("b", 2)], [pd.Timestamp("2020"), "a"]], ids=str
)
def test_labels_along_a_new_dimension_stay_single_labels(keys: list[Any]) -> None:
    cubes = []
    for key in keys:
        label = np.empty((), object)
        label[()] = key
        cubes.append(cube_of().assign_coords(k=xr.Variable((), label)))
    found = po.concat(cubes, "k")
    assert not isinstance(found.indexes["k"], pd.MultiIndex)
    assert found.indexes["k"].tolist() == keys


def test_keys_in_another_byte_order_are_those_of_the_machine() -> None:
    swapped = np.array([1, 2, 1, 2], np.dtype("int64").newbyteorder())
    df = pd.DataFrame({"k": [1, 2, 1, 2], "y": [0, 1, 1, 0], "yhat": [0, 1, 0, 0]})
    cube = df.ordinal.confusion("y", "yhat", by="k")
    other = cube.assign_coords(k=swapped[:2])
    added = po.add(cube, other)
    xr.testing.assert_identical(added, cube * 2)
    assert added["k"].dtype.isnative


def test_sums_of_lazy_cubes_of_other_groups_and_classes() -> None:
    """They are appended along the groups, on the merged classes."""
    one = pd.DataFrame({"g": [1, 1, 2], "y": [0, 1, 0], "yhat": [0, 1, 1]})
    two = pd.DataFrame({"g": [3, 4], "y": [1, 2], "yhat": [2, 2]})
    cubes = [df.ordinal.confusion("y", "yhat", by="g").chunk(g=1) for df in (one, two)]
    whole = pd.concat([one, two]).ordinal.confusion("y", "yhat", by="g")
    xr.testing.assert_identical(po.add(*cubes).compute(), whole)
    assert po.add(*cubes).chunks is not None
    added = po.add(*cubes, cubes[1]).compute()
    npt.assert_array_equal(added.sel(g=[1, 2]), whole.sel(g=[1, 2]))
    npt.assert_array_equal(added.sel(g=[3, 4]), 2 * whole.sel(g=[3, 4]))


@pytest.mark.parametrize("is_ordered", [False, True])
def test_one_cube_keeps_the_categories_of_its_groups(is_ordered: bool) -> None:
    labels = pd.CategoricalIndex(["b", "a"], ["b", "a"], ordered=is_ordered)
    cube = keyed([1, 2]).assign_coords(k=labels)
    assert po.add(cube).indexes["k"].equals(labels)
    assert po.add(cube).indexes["k"].dtype == labels.dtype
