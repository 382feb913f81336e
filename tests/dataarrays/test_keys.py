"""`by=` on arrays counts cases by key, as it counts rows on frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr
from hypothesis import given
from hypothesis import strategies as st
from oracles.strategies import examples
from xarray.groupers import BinGrouper, TimeResampler, UniqueGrouper

import pandas_ordinal as po
from pandas_ordinal import MissingValueError, UnknownNameError

SIZES = {"time": 12, "lat": 3, "lon": 4}
CLASSES = list(range(4))


def grid(seed: int = 0, chunks: Any = None) -> xr.Dataset:
    """Make labels over time and space, predicted at two leads, scores and probabilities."""
    rng = np.random.default_rng(seed)
    shape = tuple(SIZES.values())
    space = ("lat", "lon")
    ds = xr.Dataset(
        {
            "y": (("time", *space), rng.integers(0, 4, shape)),
            "yhat": (("lead", "time", *space), rng.integers(0, 3, (2, *shape))),
            "score": (("time", *space), rng.normal(size=shape).round(1)),
            "proba": (("time", *space, "grade"), rng.dirichlet(np.ones(4), shape)),
            "w": (("time", *space), rng.integers(1, 4, shape)),
            "region": (space, rng.choice(["sea", "hill", "plain"], shape[1:])),
        },
        {
            "time": pd.date_range("2026-01-15", periods=12, freq="31D"),
            "lead": [1, 2],
            "lat": [10.0, 20.0, 30.0],
            "grade": CLASSES,
            "basin": ("lon", [3, 1, 1, 3]),
        },
    )
    return ds if chunks is None else ds.chunk(chunks)


def frame(ds: xr.Dataset) -> pd.DataFrame:
    """Lay the cases out as rows, in any order."""
    wide = ds.drop_vars(["proba", "grade"]).to_dataframe().reset_index()
    proba = (
        ds["proba"]
        .to_dataset("grade")
        .to_dataframe()
        .reset_index()[["time", "lat", "lon", *CLASSES]]
    )
    wide = wide.merge(proba, on=["time", "lat", "lon"])
    return wide.assign(season=wide["time"].dt.month.map(season)).sample(frac=1, random_state=0)


def season(month: int) -> str:
    return {0: "DJF", 1: "MAM", 2: "JJA", 3: "SON"}[month % 12 // 3]


GRID = grid()
FRAME = frame(GRID)
KEYS: dict[str, tuple[Any, list[str]]] = {
    "variable": ("region", ["region"]),
    "coordinate": ("basin", ["basin"]),
    "dimension": ("lat", ["lat"]),
    "component": ("time.season", ["season"]),
    "array": (GRID["region"].rename("place"), ["region"]),
    "several": (["time.season", "region"], ["season", "region"]),
    "three": (["basin", "time.season", "region"], ["basin", "season", "region"]),
}
CHUNKS = [
    None,
    pytest.param({"time": 5, "lat": 2}, marks=pytest.mark.slow),
    pytest.param({"lead": 1, "lon": 3}, marks=pytest.mark.slow),
]


def assert_equals_frame(found: xr.DataArray, expected: pd.Series) -> None:
    """Compare with a Series over keys that occur; groups without cases are NaN."""
    found = found.compute()
    names = dict(zip(found.dims, expected.index.names, strict=True))
    series = found.rename(names).to_series() if found.name else found.to_series()
    series = series[series.notna()].sort_index()
    expected = expected[expected.notna()].sort_index()
    pd.testing.assert_index_equal(
        series.index, expected.index, exact=False, check_names=False, check_categorical=False
    )
    npt.assert_allclose(series, expected, rtol=1e-12)


@pytest.mark.filterwarnings("ignore::pandas_ordinal.UndefinedMetricWarning")
@pytest.mark.parametrize("chunks", CHUNKS, ids=str)
@pytest.mark.parametrize("kind", KEYS)
def test_keys_of_arrays_are_those_of_a_frame(kind: str, chunks: Any) -> None:
    by, names = KEYS[kind]
    ds = grid(chunks=chunks)
    for weight in (None, "w"):
        options: dict[str, Any] = {"sample_weight": weight, "classes": CLASSES}
        for metric in ("mae", "kappa", "stc"):
            expected = getattr(FRAME.ordinal, metric)("y", "yhat", by=["lead", *names], **options)
            found = getattr(ds.ordinal, metric)("y", "yhat", by=by, **options)
            assert (found.chunks is None) == (chunks is None)
            assert_equals_frame(found, expected)
        first = FRAME[FRAME["lead"] == 1]
        for metric, given_ in (("u_pairs", ("score", "score")), ("rps", ("proba", CLASSES))):
            expected = getattr(first.ordinal, metric)("y", given_[1], by=names, **options)
            assert_equals_frame(
                getattr(ds.ordinal, metric)("y", given_[0], by=by, **options), expected
            )


def test_pairs_of_arrays_have_keys_too() -> None:
    y, yhat = GRID["y"], GRID["yhat"]
    by = ["time.season", "basin", GRID["region"]]
    xr.testing.assert_identical(
        y.ordinal.mae(yhat, by=by),
        GRID.ordinal.mae("y", "yhat", by=["time.season", "basin", "region"]),
    )
    report = y.ordinal.report(yhat, by="time.season", metrics=["mae", "class_size"][:1])
    xr.testing.assert_identical(report["mae"], y.ordinal.mae(yhat, by="time.season").rename("mae"))
    assert report["n"].sum("season").values.tolist() == [144, 144]


def test_other_dimensions_are_kept() -> None:
    found = GRID.ordinal.confusion("y", "yhat", dim=["lat", "lon"], by="region")
    assert found.dims == ("time", "lead", "region", "true", "pred")
    one = GRID.isel(time=3).ordinal.confusion("y", "yhat", by="region", classes=CLASSES)
    npt.assert_array_equal(found.isel(time=3), one)


def test_the_classes_are_those_of_the_whole() -> None:
    ds = xr.Dataset(
        {"y": ("i", [0, 0, 0, 3, 2, 0]), "yhat": ("i", [0, 0, 1, 3, 2, 1])},
        {"g": ("i", list("aaabbb"))},
    )
    found = ds.ordinal.brennan_prediger("y", "yhat", by="g")
    expected = ds.to_dataframe().ordinal.brennan_prediger("y", "yhat", by="g")
    npt.assert_allclose(found, expected)
    guessed = ds.groupby("g").map(lambda part: part.ordinal.brennan_prediger("y", "yhat"))
    assert not np.allclose(guessed, expected)


def test_seasons_are_in_the_order_of_xarray() -> None:
    expected = GRID["y"].groupby("time.season").mean(...)
    found = GRID.ordinal.mae("y", "yhat", by="time.season")
    assert found["season"].values.tolist() == expected["season"].values.tolist()


@pytest.mark.parametrize("chunks", [None, 2])
def test_keys_in_declared_order(chunks: Any) -> None:
    levels = pd.CategoricalIndex(["wet", "dry", "wet", "mid"], ["wet", "mid", "dry", "off"])
    y = xr.DataArray([0, 1, 1, 0], {"level": levels}, "level", "y")
    ds = xr.Dataset({"y": y, "yhat": ("level", [0, 1, 0, 1])})
    if chunks:
        ds = ds.chunk(level=chunks)
    found = ds.ordinal.mae("y", "yhat", by="level", classes=[0, 1])
    assert found["level"].values.tolist() == ["wet", "mid", "dry"]
    assert found.values.tolist() == [0.5, 1, 0]


def test_keys_that_are_a_categorical_beside_the_dimensions() -> None:
    levels = pd.Categorical(["wet", "dry", "wet", "mid"], ["wet", "mid", "dry", "off"])
    ds = xr.Dataset(
        {"y": ("i", [0, 1, 1, 0]), "yhat": ("i", [0, 1, 0, 1]), "level": ("i", levels)}
    )
    found = ds.ordinal.mae("y", "yhat", by="level", classes=[0, 1])
    assert found["level"].values.tolist() == ["wet", "mid", "dry"]
    assert found.values.tolist() == [0.5, 1, 0]


def test_bins_are_shown_all() -> None:
    days = pd.Series([1, 9, 2]).ordinal.cut([0, 3, 6, 10])
    ds = xr.Dataset({"y": ("i", [0, 1, 1]), "yhat": ("i", [0, 1, 0])})
    ds = ds.assign_coords(i=pd.CategoricalIndex(days, name="i"))
    found = ds.ordinal.mae("y", "yhat", by="i")
    npt.assert_array_equal(found, [0.5, np.nan, 0])
    expected = pd.DataFrame({"y": [0, 1, 1], "yhat": [0, 1, 0], "i": days})
    npt.assert_array_equal(found, expected.ordinal.mae("y", "yhat", by="i"))


@pytest.mark.parametrize("chunks", [None, {"lat": 1}])
def test_missing_keys(chunks: Any) -> None:
    ds = grid(chunks=chunks)
    region = GRID["region"].astype(object).copy()
    region[0, 0] = None
    for by in (region, GRID["basin"].where(GRID["basin"] > 1)):
        with pytest.raises(MissingValueError, match=f"key '{by.name}' is missing"):
            ds.ordinal.mae("y", "yhat", by=by, classes=CLASSES)
        found = ds.ordinal.report(
            "y", "yhat", by=by, classes=CLASSES, dropna=True, metrics=["mae"]
        )
        rows = GRID[["y", "yhat"]].assign(key=by).to_dataframe().reset_index()
        expected = rows.ordinal.report(
            "y", "yhat", by=["lead", "key"], dropna=True, metrics=["mae"]
        )
        npt.assert_array_equal(found["n"].values.ravel(), expected["n"])
        npt.assert_allclose(found["mae"].values.ravel(), expected["mae"])


def test_keys_that_cannot_be() -> None:
    y, region = GRID["y"], GRID["region"]

    def call(by: Any, **options: Any) -> Any:
        return y.ordinal.mae(GRID["yhat"], by=by, **options)

    for by, error, told in [
        ("basni", KeyError, "did you mean 'basin'"),
        ("time.saison", KeyError, "'time.saison'"),
        (3, KeyError, "no variable or coordinate 3"),
        ([], ValueError, "one or more"),
        (["basin", "basin"], ValueError, "the key 'basin' twice"),
        ("lead", ValueError, r"'lead' has the dimensions \('lead',\), but the cases are counted"),
        (region.rename("true"), ValueError, "'true'.*rename"),
        (region.rename("lead"), ValueError, "'lead'.*rename"),
        (region.rename(None), ValueError, r"without a name.*\.rename\('region'\)"),
        (region[:2], ValueError, "by='region' along 'lat' are not those"),
        (region.assign_coords(lat=[1, 2, 3]), ValueError, "by='region' along 'lat' are not"),
        (xr.DataArray(1, name="one"), ValueError, "'one' has the dimensions"),
        (dict, TypeError, "by= takes a name"),
        ([["region"]], TypeError, "by= takes a name"),
    ]:
        with pytest.raises(error, match=told):
            call(by)
    with pytest.raises(ValueError, match="'region'.*counted over"):
        call(region, dim="lat")


@examples(40)
@given(data=st.data())
def test_keys_equal_loops(data: st.DataObject) -> None:
    integers = st.integers(0, 2)
    true, pred, key = (
        np.array(data.draw(st.lists(integers, min_size=12, max_size=12))).reshape(3, 4)
        for _ in range(3)
    )
    along = data.draw(st.sampled_from(["both", "a", "b"]))
    key = {"both": key, "a": key[:, 0], "b": key[0]}[along]
    dims = {"both": ("a", "b"), "a": ("a",), "b": ("b",)}[along]
    ds = xr.Dataset({"y": (("a", "b"), true), "p": (("a", "b"), pred), "k": (dims, key)})
    if data.draw(st.booleans()):
        ds = ds.chunk(a=data.draw(st.integers(1, 3)), b=data.draw(st.integers(1, 4)))
    found = ds.ordinal.confusion("y", "p", by="k", classes=[0, 1, 2]).compute()
    spread = np.broadcast_to(key if along != "a" else key[:, None], (3, 4))
    assert found["k"].values.tolist() == sorted(set(key.ravel().tolist()))
    for k in found["k"].values:
        expected = np.zeros((3, 3), int)
        for i in range(3):
            for j in range(4):
                expected[true[i, j], pred[i, j]] += spread[i, j] == k
        npt.assert_array_equal(found.sel(k=k), expected)


def test_labels_are_not_computed_for_keys() -> None:
    import dask

    def no_compute(*args: Any, **kwargs: Any) -> Any:
        raise AssertionError("computed")

    ds = grid(chunks={"time": 4}).assign(region=GRID["region"])
    with dask.config.set(scheduler=no_compute):
        found = ds.ordinal.mae("y", "yhat", by=["region", "time.season"], classes=CLASSES)
    xr.testing.assert_allclose(
        found.compute(), GRID.ordinal.mae("y", "yhat", by=["region", "time.season"])
    )


def test_keys_that_are_refused_by_name() -> None:
    y = xr.DataArray([[0, 1], [1, 1]], {"x": [1, 2]}, ("t", "x"), "y")
    with pytest.raises(ValueError, match="the key 'x' twice"):
        y.ordinal.mae(y, by=["x", "x"])
    stacked = xr.Dataset({"y": y, "p": y}).assign_coords(t=[0, 1]).stack(s=("t", "x"))
    with pytest.raises(TypeError, match=r"by=\['t', 'x'\]"):
        stacked.ordinal.mae("y", "p", by="s")
    assert stacked.ordinal.mae("y", "p", by="x").values.tolist() == [0, 0]


def numbered_dims(*, chunked: bool) -> dict[str, xr.DataArray]:
    given = {
        "true": xr.DataArray([[0, 1, 2], [1, 2, 0]], dims=(0, 1)),
        "pred": xr.DataArray([[0, 1, 1], [1, 2, 1]], dims=(0, 1)),
        "score": xr.DataArray([[0.0, 1, 4], [3, 2, 1]], dims=(0, 1)),
    }
    return {name: array.chunk() for name, array in given.items()} if chunked else given


@pytest.mark.parametrize("chunked", [False, True])
def test_dimensions_that_are_numbers(chunked: bool) -> None:
    given = numbered_dims(chunked=chunked)
    key = xr.DataArray(["a", "b"], dims=(0,), name="key")
    for by in (None, key):
        found = given["true"].ordinal.mae(given["pred"], by=by, classes=range(3))
        named = None if by is None else by.rename({0: "i"})
        true, pred = (given[name].rename({0: "i", 1: "j"}) for name in ("true", "pred"))
        xr.testing.assert_identical(
            found.compute(), true.ordinal.mae(pred, by=named, classes=range(3)).compute()
        )
    per_row = given["true"].ordinal.mae(given["pred"], dim=1, classes=range(3))
    assert per_row.dims == (0,)
    npt.assert_allclose(per_row, [1 / 3, 1 / 3])


@pytest.mark.parametrize("chunked", [True, False])
def test_scores_along_numbers(chunked: bool) -> None:
    given = numbered_dims(chunked=chunked)
    key = xr.DataArray(["a", "b"], dims=(0,), name="key")
    true, score = (given[name].rename({0: "i", 1: "j"}) for name in ("true", "score"))
    by = key.rename({0: "i"})
    found = given["true"].ordinal.u_pairs(given["score"], by=key, classes=range(3))
    due = true.ordinal.u_pairs(score, by=by, classes=range(3))
    xr.testing.assert_identical(found.compute(), due.compute())
    o: dict[str, Any] = {"classes": range(3), "ci": 0.9}
    report = given["true"].ordinal.report(score=given["score"], by=key, **o)
    due = true.ordinal.report(score=score, by=by, **o)
    xr.testing.assert_identical(report.compute(), due.compute())
    per_row = given["true"].ordinal.report(score=given["score"], dim=1, **o).compute()
    due = true.ordinal.report(score=score, dim="j", **o)
    xr.testing.assert_identical(per_row.rename({0: "i"}), due.compute())


@pytest.mark.parametrize("chunked", [True, False])
def test_members_and_edges_along_numbers(chunked: bool) -> None:
    rng = np.random.default_rng(5)
    named = xr.DataArray(rng.integers(0, 3, (6, 4)), dims=("case", "member"))
    true = xr.DataArray(rng.integers(0, 3, 6), dims="case")
    values = xr.DataArray(rng.random((6, 8)), dims=("case", "time"))
    month = xr.DataArray(np.arange(8) % 2, dims="time", name="month")
    if chunked:
        named, true, values = (a.chunk({"case": 2}) for a in (named, true, values))
    time_of = ("t", 1)
    for names in (
        {"case": 0},
        {"member": 1, "time": 1},
        {"case": 0, "member": 1, "time": time_of},
    ):
        members, y, x, key = (
            a.rename({d: names[d] for d in a.dims if d in names})
            for a in (named, true, values, month)
        )
        member, time = names.get("member", "member"), names.get("time", "time")
        o: dict[str, Any] = {"classes": range(3)}
        edges = po.climatology_edges(x, [0.3, 0.6], dim=time, by=key)
        edges_due = po.climatology_edges(values, [0.3, 0.6], dim="time", by=month)
        for found, due in (
            (edges, edges_due),
            (
                members.ordinal.probabilities(member, **o),
                named.ordinal.probabilities("member", **o),
            ),
            (
                y.ordinal.rps(members, member_dim=member, **o),
                true.ordinal.rps(named, member_dim="member", **o),
            ),
            (
                x.ordinal.cut(edges.rename(edge=2), by=key, edge_dim=2),
                values.ordinal.cut(edges_due, by=month),
            ),
        ):
            renamed = found.rename({new: old for old, new in names.items() if new in found.dims})
            xr.testing.assert_identical(renamed.compute(), due.compute())


@pytest.mark.parametrize("chunked", [True, False])
def test_models_along_numbers(chunked: bool) -> None:
    rng = np.random.default_rng(6)
    true = xr.DataArray(rng.integers(0, 3, (2, 20)), dims=("place", "case"))
    pred = xr.DataArray(rng.integers(0, 3, (2, 20, 3)), dims=("place", "case", "model"))
    ds = xr.Dataset({"y": true, "yhat": pred})
    ds = ds.chunk({"case": 5}) if chunked else ds
    numbered = ds.rename({"place": 0, "case": 1, "model": 2})
    o: dict[str, Any] = {"classes": range(3), "metrics": ["mae"]}
    found = numbered.ordinal.compare("y", "yhat", model=2, dim=1, **o)
    due = ds.ordinal.compare("y", "yhat", model="model", dim="case", **o)
    pd.testing.assert_frame_equal(found, due, check_names=False)


# groupers of xarray


SEASONS = ["JJA", "SON", "DJF", "MAM"]
GROUPERS: dict[str, tuple[Any, list[str], Callable[[], dict[str, Any]]]] = {
    "labels": ({"region": UniqueGrouper()}, ["region"], dict),
    "some labels": (
        {"basin": UniqueGrouper(labels=np.array([3, 1]))},
        ["basin"],
        lambda: {"basin": [3, 1]},
    ),
    "bins": (
        {"score": BinGrouper(bins=[-9, -0.5, 0.5, 9])},
        ["score_bins"],
        lambda: {"score_bins": pd.IntervalIndex.from_breaks([-9, -0.5, 0.5, 9])},
    ),
    "two": (
        {"basin": UniqueGrouper(), "region": UniqueGrouper()},
        ["basin", "region"],
        lambda: {"basin": [1, 3]},
    ),
    "beside a name": ([{"basin": UniqueGrouper()}, "region"], ["basin", "region"], dict),
    "periods": (
        {"time": TimeResampler("QS-DEC")},
        ["time"],
        lambda: {"time": pd.date_range("2025-12", periods=5, freq="QS-DEC")},
    ),
    "seasons": ("seasons", ["season"], lambda: {"season": SEASONS}),
}


def keys_of_frame(rows: pd.DataFrame) -> pd.DataFrame:
    """The groups of the groupers as columns."""
    return rows.assign(
        score_bins=pd.cut(rows["score"], [-9, -0.5, 0.5, 9]),
        time=rows["time"].map(lambda t: t.to_period("M").asfreq("Q-NOV").start_time),
    )


def grouper_of(kind: str) -> Any:
    if kind != "seasons":
        return GROUPERS[kind][0]
    groupers: Any = pytest.importorskip("xarray.groupers")
    if not hasattr(groupers, "SeasonGrouper"):
        pytest.skip("this xarray has no SeasonGrouper")
    return {"time": groupers.SeasonGrouper(SEASONS)}


@pytest.mark.parametrize("chunks", [None, {"time": 5, "lat": 2}], ids=str)
@pytest.mark.parametrize("kind", GROUPERS)
def test_groupers(kind: str, chunks: Any) -> None:
    by, (_, names, order) = grouper_of(kind), GROUPERS[kind]
    ds = grid(chunks=chunks)
    expected = keys_of_frame(FRAME).ordinal.mae("y", "yhat", by=["lead", *names], classes=CLASSES)
    found = ds.ordinal.mae("y", "yhat", by=by, classes=CLASSES)
    assert set(found.dims) == {"lead", *names}
    for name, labels in order().items():
        assert found.indexes[name].tolist() == list(labels)
    series = found.compute().to_series().dropna()
    for key, value in expected.dropna().items():
        assert series[key] == pytest.approx(value, rel=1e-12)
    assert len(series) == len(expected.dropna())
    of_arrays = (
        ds["y"]
        .assign_coords({n: ds[n] for n in ("region", "score")})
        .ordinal.mae(ds["yhat"], by=by, classes=CLASSES)
    )
    xr.testing.assert_allclose(of_arrays.compute(), found.compute())


def test_groups_that_overlap() -> None:
    groupers: Any = pytest.importorskip("xarray.groupers")
    if not hasattr(groupers, "SeasonGrouper"):
        pytest.skip("this xarray has no SeasonGrouper")
    by = {"time": groupers.SeasonGrouper(["DJFM", "MAMJ"])}
    with pytest.raises(ValueError, match="the SeasonGrouper of 'time' has groups that"):
        GRID.ordinal.mae("y", "yhat", by=by, classes=CLASSES, dropna=True)


def test_a_case_without_a_group() -> None:
    by, inside = {"score": BinGrouper(bins=[-0.5, 9])}, GRID["score"] > -0.5
    with pytest.raises(MissingValueError, match="the key 'score_bins' is missing in"):
        GRID.ordinal.mae("y", "yhat", by=by, classes=CLASSES)
    found = GRID.ordinal.mae("y", "yhat", by=by, classes=CLASSES, dropna=True)
    expected = GRID.assign(inside=inside).ordinal.mae(
        "y", "yhat", sample_weight="inside", classes=CLASSES
    )
    npt.assert_allclose(found.squeeze(), expected)


def test_the_grouper_stays_as_it_was() -> None:
    grouper = UniqueGrouper()
    before = repr(grouper)
    GRID.ordinal.mae("y", "yhat", by={"region": grouper}, classes=CLASSES)
    assert repr(grouper) == before


def test_what_is_no_grouper() -> None:
    with pytest.raises(TypeError, match=r"by=\{'region': ...\} takes a grouper of xarray.*a str"):
        GRID.ordinal.mae("y", "yhat", by={"region": "sea"}, classes=CLASSES)
    with pytest.raises(TypeError, match=r"not a UniqueGrouper; name what it groups, such as"):
        GRID.ordinal.mae("y", "yhat", by=UniqueGrouper(), classes=CLASSES)
    with pytest.raises(UnknownNameError, match="there is no variable or coordinate 'place'"):
        GRID.ordinal.mae("y", "yhat", by={"place": UniqueGrouper()}, classes=CLASSES)


def test_a_component_of_a_coordinate_that_only_predictions_have() -> None:
    true = xr.DataArray([0, 1, 1], dims="time")
    months = pd.to_datetime(["2001-01-05", "2001-02-01", "2001-02-09"])
    pred = xr.DataArray([0, 0, 1], {"time": months}, "time")
    found = true.ordinal.mae(pred, by="time.month")
    assert found.indexes["month"].tolist() == [1, 2] and found.values.tolist() == [0, 0.5]
