"""Arrays of any chunks, orders of dimensions, weights and masks, against loops over the cases."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr
from hypothesis import given
from hypothesis import strategies as st
from oracles import calibration, probability
from oracles.strategies import QUICK

import pandas_ordinal as po
from pandas_ordinal import MissingValueError
from pandas_ordinal.dataarrays import tiles as array_blocks
from pandas_ordinal.dataarrays.query import array_query
from pandas_ordinal.dataarrays.tiles import Key
from pandas_ordinal.metrics.metric import registry
from pandas_ordinal.query import Query

PARTS = ["mcb", "dsc", "unc"]

NAMES = ["a", "b", "c", "d"]
COUNTED = ["time", "lat", "lon"]
OF_PROBABILITIES = [name for name, one in registry.items() if one.needs == "probabilities"]
TILES = [1, 3, 2**19]


class Given:
    """Arrays, the dimensions to count over, and how to chunk them."""

    def __init__(self, draw: Any) -> None:
        self.sizes = {d: draw(st.integers(1, 3)) for d in (*COUNTED, "lead", "region")}
        self.sizes["lat"] = draw(st.integers(0, 3))
        self.rng = np.random.default_rng(draw(st.integers(0, 2**32)))
        self.n_classes = draw(st.integers(1, 4))
        self.classes = NAMES[: self.n_classes]
        self.dim = draw(st.permutations(COUNTED))[: draw(st.integers(1, 3))]
        self.tile = draw(st.sampled_from(TILES))
        self.chunked = draw(st.booleans())
        self.draw = draw

    def some(self, dims: list[str]) -> list[str]:
        return [d for d in self.draw(st.permutations(dims)) if self.draw(st.booleans())]

    def array(self, dims: list[str], make: Any) -> xr.DataArray:
        dims = self.draw(st.permutations(dims))
        return xr.DataArray(make([self.sizes[d] for d in dims]), dims=dims)

    def labels(self, dims: list[str]) -> xr.DataArray:
        dtype = self.draw(st.sampled_from([np.int8, np.int64]))
        return self.array(dims, lambda s: self.rng.integers(-1, self.n_classes, s).astype(dtype))

    def proba(self, dims: list[str]) -> xr.DataArray:
        def make(shape: list[int]) -> np.ndarray:
            drawn = self.rng.dirichlet(np.ones(self.n_classes), shape)
            drawn = np.where(self.rng.random(shape)[..., None] < 0.2, np.nan, drawn)
            return drawn.reshape(*shape, self.n_classes)

        dims = self.draw(st.permutations(dims))
        coords = {"class": self.draw(st.permutations(self.classes))}
        array = xr.DataArray(
            make([self.sizes[d] for d in dims]), dims=[*dims, "class"], coords=coords
        )
        return array.transpose(*self.draw(st.permutations([*dims, "class"])))

    def weight(self) -> xr.DataArray | None:
        kind = self.draw(st.sampled_from([None, "int", "float", "bool"]))
        if kind is None:
            return None
        dims = self.some([*COUNTED, "lead", "region"])
        if kind == "float":
            return self.array(dims, lambda s: self.rng.choice([0, 0.25, 1.5], s))
        made = self.array(dims, lambda s: self.rng.integers(0, 3, s))
        return made > 0 if kind == "bool" else made

    def in_chunks(self, array: xr.DataArray | None) -> Any:
        if array is None or not self.chunked or self.draw(st.integers(0, 3)) == 0:
            return array
        return array.chunk({d: self.draw(st.integers(1, 3)) for d in array.dims})

    def tiled(self) -> Any:
        return patch.multiple(
            array_blocks, CASES_PER_TILE=self.tile, PROBABLE_PER_TILE=self.tile, SMALL_TABLE=64
        )


drawn = st.composite(Given)()


def tables(
    dim: list[str], **arrays: xr.DataArray | None
) -> Iterator[tuple[dict[Hashable, int], list[dict[str, Any]]]]:
    """Yield each position along the kept dimensions, and the cases there."""
    there = {name: array for name, array in arrays.items() if array is not None}
    sizes = {d: n for array in there.values() for d, n in array.sizes.items() if d != "class"}
    values = {name: array.values for name, array in there.items()}

    def every(dims: list[Hashable]) -> Iterator[dict[Hashable, int]]:
        for position in itertools.product(*(range(sizes[d]) for d in dims)):
            yield dict(zip(dims, position, strict=True))

    for kept in every([d for d in sizes if d not in dim]):
        cases = []
        for inner in every(list(dim)):
            at: dict[Hashable, Any] = {**kept, **inner, "class": slice(None)}
            cases.append(
                {n: values[n][tuple(at[d] for d in array.dims)] for n, array in there.items()}
            )
        yield kept, cases


def selected(case: dict[str, Any]) -> bool:
    return case.get("weight") is None or case["weight"].dtype != bool or bool(case["weight"])


def weighs(case: dict[str, Any]) -> Any:
    weight = case.get("weight")
    return 1 if weight is None or weight.dtype == bool else weight


@QUICK
@given(drawn)
def test_counts(g: Given) -> None:
    true, pred, weight = g.labels(COUNTED), g.labels([*COUNTED, "lead"]), g.weight()
    query = [g.in_chunks(array) for array in (true, pred, weight)]
    with g.tiled():
        cube = (
            query[0]
            .ordinal.confusion(
                query[1], dim=g.dim, sample_weight=query[2], classes=g.classes, dropna=True
            )
            .compute()
        )
    as_floats = weight is not None and weight.dtype != bool
    assert cube.dtype == (np.float64 if as_floats else np.int64)
    n_tables = 0
    for kept, cases in tables(g.dim, true=true, pred=pred, weight=weight):
        expected = np.zeros((g.n_classes, g.n_classes))
        for case in cases:
            if case["true"] >= 0 and case["pred"] >= 0 and selected(case):
                expected[case["true"], case["pred"]] += weighs(case)
        npt.assert_array_equal(cube.isel(kept), expected)
        n_tables += 1
    assert cube.size == n_tables * g.n_classes**2


def literal(name: str) -> Any:
    """The oracle of a metric of probabilities, or of a part of one."""
    score, _, part = name.rpartition("_")
    if part not in PARTS:
        return getattr(probability, name)
    return lambda *rows, weights: calibration.parts(score, *rows, weights)[PARTS.index(part)]


@pytest.mark.parametrize("name", OF_PROBABILITIES)
@QUICK
@given(g=drawn)
def test_probabilities(name: str, g: Given) -> None:
    true, proba, weight = g.labels(COUNTED), g.proba([*COUNTED, "lead"]), g.weight()
    query = [g.in_chunks(array) for array in (true, proba, weight)]
    with g.tiled():
        dataset = xr.Dataset({"t": query[0], "p": query[1]})
        if weight is not None:
            dataset["w"] = query[2]
        reported = dataset.ordinal.report(
            "t", proba="p", metrics=[name], dim=g.dim, classes=g.classes, dropna=True,
            sample_weight=None if weight is None else "w",
        ).compute()  # fmt: skip
    for kept, cases in tables(g.dim, true=true, proba=proba, weight=weight):
        order = [proba["class"].values.tolist().index(label) for label in g.classes]
        there = [
            case
            for case in cases
            if case["true"] >= 0 and not np.isnan(case["proba"]).any() and selected(case)
        ]
        expected = literal(name)(
            [case["true"] for case in there],
            [case["proba"][order].tolist() for case in there],
            weights=[weighs(case) for case in there],
        )
        found = reported.isel({d: i for d, i in kept.items() if d in reported[name].dims})
        npt.assert_allclose(found[name], expected, rtol=1e-9, atol=1e-12)
        assert found["n"].isel({d: kept[d] for d in found["n"].dims}) == len(there)


@QUICK
@given(drawn)
def test_ranks(g: Given) -> None:
    true, weight = g.labels(COUNTED), g.weight()
    score = g.array([*COUNTED, "lead"], lambda s: g.rng.integers(0, 4, s) / 2)
    query = [g.in_chunks(array) for array in (true, score, weight)]
    arrays = array_query(
        Query(
            true=query[0], score=query[1], dim=g.dim, sample_weight=query[2], classes=g.classes,
            dropna=True,
        )
    )  # fmt: skip
    found, _ = arrays.score(registry["u_pairs"], {})
    for kept, cases in tables(g.dim, true=true, score=score, weight=weight):
        there = [case for case in cases if case["true"] >= 0 and selected(case)]
        expected = po.metrics.u_pairs(
            np.array([case["true"] for case in there], np.int64),
            [case["score"] for case in there],
            g.n_classes,
            [weighs(case) for case in there],
        )
        npt.assert_allclose(found.isel(kept), expected, rtol=1e-12)


@QUICK
@given(drawn)
def test_groups(g: Given) -> None:
    true, pred, weight = g.labels(COUNTED), g.labels([*COUNTED, "lead"]), g.weight()
    proba = g.proba(COUNTED)
    score = g.array(COUNTED, lambda s: g.rng.integers(0, 4, s) / 2)
    basin = g.array(g.some(list(g.dim)), lambda s: g.rng.integers(-1, 2, s))
    asked = array_query(
        Query(
            true=g.in_chunks(true), pred=g.in_chunks(pred), proba=g.in_chunks(proba), dim=g.dim,
            sample_weight=g.in_chunks(weight), classes=g.classes, dropna=True,
        )
    )  # fmt: skip
    by = {"basin": Key("basin", pd.Index(["east", "west"]), g.in_chunks(basin))}
    ranked = replace(asked, inputs={"score": score}, by=by)
    with g.tiled():
        cube = replace(asked, by=by).cube().compute()
        rps, n = (one.compute() for one in replace(asked, by=by).score(registry["rps"], {}))
        u_pairs, _ = ranked.score(registry["u_pairs"], {})
    assert cube.dims[-3:] == ("basin", "true", "pred")
    for kept, cases in tables(
        g.dim, true=true, pred=pred, proba=proba, score=score, weight=weight, basin=basin
    ):
        for number, label in enumerate(["east", "west"]):
            inside = [case for case in cases if case["basin"] == number and selected(case)]
            expected = np.zeros((g.n_classes, g.n_classes))
            for case in inside:
                if case["true"] >= 0 and case["pred"] >= 0:
                    expected[case["true"], case["pred"]] += weighs(case)
            npt.assert_array_equal(cube.isel(kept).sel(basin=label), expected)
            known = [case for case in inside if case["true"] >= 0]
            found = u_pairs.isel({d: i for d, i in kept.items() if d in u_pairs.dims})
            npt.assert_allclose(
                found.sel(basin=label),
                po.metrics.u_pairs(
                    np.array([case["true"] for case in known], np.int64),
                    [case["score"] for case in known],
                    g.n_classes,
                    [weighs(case) for case in known],
                ),
                rtol=1e-12,
            )
            order = [proba["class"].values.tolist().index(one) for one in g.classes]
            there = [case for case in known if not np.isnan(case["proba"]).any()]
            at = {d: i for d, i in kept.items() if d in rps.dims}
            expected_rps = probability.rps(
                [case["true"] for case in there],
                [case["proba"][order].tolist() for case in there],
                weights=[weighs(case) for case in there],
            )
            found = rps.isel(at).sel(basin=label)
            npt.assert_allclose(found, expected_rps, rtol=1e-9, atol=1e-12)
            assert n.isel(at).sel(basin=label) == len(there)


# what a mask leaves out


def test_what_a_mask_leaves_out_may_be_missing() -> None:
    true = xr.DataArray([0, -1, 1, 2], dims="i", name="y")
    pred = xr.DataArray([0, 1, -1, 1], dims="i", name="p")
    land = xr.DataArray([True, False, False, True], dims="i")
    sea = xr.DataArray([[True, False, False, False], [True, True, False, True]], dims=("r", "i"))
    for chunk in (False, True):
        t, p = (true.chunk(i=2), pred.chunk(i=3)) if chunk else (true, pred)
        cube = t.ordinal.confusion(p, sample_weight=land, classes=list("abc"))
        assert cube.values.tolist() == [[1, 0, 0], [0, 0, 0], [0, 1, 0]]
        with pytest.raises(MissingValueError, match="'y' holds 1 missing"):
            t.ordinal.confusion(p, sample_weight=sea, classes=list("abc")).compute()
        known = xr.DataArray([True, False, True, False], dims="i")
        with pytest.raises(MissingValueError, match="'p' holds 1 missing"):
            t.ordinal.confusion(p, sample_weight=known, classes=list("abc")).compute()
        proba = xr.DataArray(
            [[1, 0, 0], [0, 1, 0], [np.nan] * 3, [0, 1, 0.0]],
            dims=("i", "c"), coords={"c": list("abc")}, name="q",
        )  # fmt: skip
        score = xr.DataArray([0, 1, np.nan, 2], dims="i", name="s")
        rps = t.ordinal.rps(proba, sample_weight=land, classes=list("abc"))
        assert float(rps) == 0.5
        assert t.ordinal.u_ovo(score, sample_weight=land, classes=list("abc")) == 1
        for call, option in (("rps", proba), ("vus", score)):
            with pytest.raises(MissingValueError, match="'y' holds 1 missing"):
                getattr(t.ordinal, call)(
                    option, dim="i", sample_weight=sea[1], classes=list("abc")
                ).compute()
            known = xr.DataArray([True, False, True, True], dims="i")
            with pytest.raises(MissingValueError, match="'[qs]' holds 1 missing"):
                getattr(t.ordinal, call)(
                    option, dim="i", sample_weight=known, classes=list("abc")
                ).compute()


def test_classes_are_those_of_what_a_mask_selects() -> None:
    true = xr.DataArray([2, -1, 3], dims="i", name="y")
    mask = xr.DataArray([[True, False, False], [False, False, True]], dims=("r", "i"))
    cube = true.ordinal.confusion(true, sample_weight=mask)
    assert cube.dims == ("r", "true", "pred") and cube.indexes["true"].tolist() == [2, 3]
    with pytest.raises(po.ClassOrderError, match="classes="):
        true.ordinal.confusion(true, sample_weight=mask.chunk())


@pytest.mark.parametrize("missing", [None, np.nan])
def test_a_mask_with_something_missing(missing: Any) -> None:
    true = xr.DataArray([0, 1, 1], dims="i")
    mask = xr.DataArray(np.array([True, missing, False], object), dims="i", name="land")
    with pytest.raises(MissingValueError, match=r"sample_weight 'land'.* 1 of its values is"):
        true.ordinal.confusion(true, sample_weight=mask)
    told = mask.where(mask.notnull(), False)
    assert told.dtype == object
    cube = true.ordinal.confusion(true, sample_weight=told, classes=[0, 1])
    assert cube.values.tolist() == [[1, 0], [0, 0]] and cube.dtype == np.int64


@pytest.mark.parametrize("lazy", ["true", "pred", "mask"])
@pytest.mark.parametrize("rows", [2, 3, 4])
def test_coordinates_chunked_otherwise(lazy: str, rows: int) -> None:
    coordinate = xr.DataArray(np.arange(8.0).reshape(4, 2), dims=("i", "j")).chunk(i=rows, j=1)
    labels = xr.DataArray([[0, 9], [2, 1], [1, 1], [9, 2]], dims=("i", "j"))
    arrays = {"true": labels, "pred": (labels + 1).clip(max=2), "mask": labels != 9}
    arrays[lazy] = arrays[lazy].chunk(i=3).assign_coords(lat=coordinate)
    true, pred, mask = arrays.values()
    for options in ({"ignore": 9}, {"sample_weight": mask}):
        mae = true.ordinal.mae(pred, classes=range(3), **options)
        assert mae.compute() == pytest.approx(4 / 6)


def test_regions_keep_their_coordinate() -> None:
    true = xr.DataArray(np.arange(6).reshape(2, 3) % 3, dims=("lat", "lon"))
    regions = xr.DataArray(
        [[[1.0, 0, 0], [0, 0, 0.5]], [[0, 1, 1], [1, 1, 0]]],
        dims=("region", "lat", "lon"), coords={"region": ["north", "south"]},
    )  # fmt: skip
    cube = true.ordinal.confusion(true, sample_weight=regions)
    assert cube.dims == ("region", "true", "pred")
    assert cube.sel(region="north").values.tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 0.5]]
    masked = true.ordinal.confusion(true, sample_weight=regions > 0)
    assert masked.dtype == np.int64 and masked.sum(("true", "pred")).values.tolist() == [2, 4]
    report = xr.Dataset({"y": true, "w": regions, "m": regions > 0})
    weighted = report.ordinal.report("y", "y", sample_weight="w")
    assert "r_int" not in weighted and weighted["n"].item() == 6
    whole = report.ordinal.report("y", "y", sample_weight="m")
    assert "r_int" in whole and whole["n"].values.tolist() == [2, 4]


# memory and laziness


def test_labels_stay_as_small_as_they_are() -> None:
    labels = xr.DataArray(np.array([0, 2, 1], np.int8), dims="i")
    for array in (labels, labels.chunk(i=2)):
        for classes in (NAMES, range(3)):
            query = Query(true=array, pred=array, classes=classes)
            codes = array_query(query).codes["true"]
            assert codes.dtype == np.int8 and codes.compute().dtype == np.int8
    held = array_query(Query(true=labels, pred=labels, classes=NAMES)).codes["true"]
    assert np.shares_memory(held.values, labels.values)
    text = xr.DataArray(["b", "a"], dims="i")
    assert array_query(Query(true=text, pred=text, classes=NAMES)).codes["true"].dtype == np.int8
    many = xr.DataArray(np.array([200, 3], np.int64), dims="i") * 1.0
    query = Query(true=many, pred=many, classes=range(300))
    assert array_query(query).codes["true"].dtype == np.int16


def test_chunks_stay_and_nothing_is_computed() -> None:
    import dask

    def no_compute(*args: Any, **kwargs: Any) -> Any:
        raise AssertionError("computed")

    rng = np.random.default_rng(0)
    true = xr.DataArray(rng.integers(0, 3, (12, 4)), dims=("time", "lat"))
    proba = xr.DataArray(np.full((12, 4, 3), 1 / 3), dims=("time", "lat", "c"))
    proba = proba.assign_coords(c=range(3))
    weight = xr.DataArray([1.0, 2, 3, 4], dims="lat")
    chunked = true.chunk(time=5)
    with dask.config.set(scheduler=no_compute):
        results = [
            chunked.ordinal.confusion(true.chunk(time=4, lat=3), classes=range(3)),
            chunked.ordinal.confusion(true, classes=range(3), sample_weight=weight.chunk(lat=1)),
            chunked.ordinal.rps(proba.chunk(time=3, c=1), classes=range(3)),
            chunked.ordinal.rps_skill(proba, classes=range(3), sample_weight=weight > 2),
        ]
    for result in results:
        largest = max(
            math.prod(part.shape)
            for part in dask.compute(*result.data.to_delayed().ravel().tolist())
        )
        assert largest <= 9
    assert results[0].sum() == 48 and results[1].sum() == 120


def test_a_grid_of_many_chunks_gives_no_warning() -> None:
    true = xr.DataArray(np.zeros((12, 12), int), dims=("x", "y"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # twelve times as many chunks as before
        crossed = true.chunk(x=1).ordinal.confusion(true.chunk(y=1), classes=range(2))
    assert crossed.values.tolist() == [[144, 0], [0, 0]]
