"""Attributes of results are those that a reduction of xarray would keep."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xarray as xr

import pandas_ordinal as po


def labelled() -> xr.Dataset:
    time = xr.Variable("time", [1, 2, 3])
    place = xr.Variable("time", list("abc"), {"standard_name": "region"})
    region = xr.Variable("x", list("rs"), {"standard_name": "area"})
    ds = xr.Dataset(
        {
            "y": (("time", "x"), [[0, 1], [1, 2], [2, 0]], {"units": "1", "long_name": "truth"}),
            "p": (("time", "x"), [[0, 1], [1, 1], [2, 1]], {"units": "1", "long_name": "model"}),
        },
        {"time": time, "place": place, "region": region},
        {"title": "grades"},
    )
    ds["proba"] = xr.DataArray(np.full((3, 2, 3), 1 / 3), {"c": [0, 1, 2]}, ("time", "x", "c"))
    ds["time"].attrs["long_name"] = "lead time"  # which old versions lose before
    return ds


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("keep", ["default", True, False])
def test_attributes_of_results(keep: Any, chunked: bool) -> None:
    ds = labelled().chunk() if chunked else labelled()
    y, p = ds["y"], ds["p"]
    with xr.set_options(keep_attrs=keep):
        reduced = y.mean("x")
        given: dict[str, Any] = {"dim": "x", "classes": [0, 1, 2]}
        cube = y.ordinal.confusion(p, **given)
        report = y.ordinal.report(p, metrics=["mae", "oci"], **given)
        result = {
            "cube": cube,
            "metric": y.ordinal.mae(p, **given),
            "metric of a cube": po.ordinal(cube).mae(),
            "variable": report["oci"],
            "n": report["n"],
            "probabilities": y.ordinal.rps(ds["proba"], **given),
            "dataset": ds.ordinal.mae("y", "p", **given),
            "classes": y.ordinal.class_mae(p, **given),
        }
        kept = keep is True or (keep == "default" and bool(reduced.attrs))
        for name, array in result.items():
            for coord in ("time", "place"):
                assert array[coord].attrs == ds[coord].attrs, (name, coord)
            shared = {"units": "1"} if kept else {}  # the long names differ
            own = reduced.attrs if name == "probabilities" else shared
            assert array.attrs == own, name
        whole = ds.ordinal.report("y", "p", **given)
        assert whole.attrs == ds.mean("x").attrs
    assert y.attrs["long_name"] == "truth" and ds["time"].attrs == {"long_name": "lead time"}


def test_a_key_keeps_its_attributes() -> None:
    ds = labelled()
    for result in (
        ds.ordinal.mae("y", "p", by="region"),
        ds["y"].ordinal.report(ds["p"], by=ds["region"], metrics=["mae"]),
    ):
        assert result["region"].attrs == {"standard_name": "area"}


@pytest.mark.parametrize("keep", ["default", True])
def test_a_key_gives_its_attributes_to_its_coordinate_alone(keep: Any) -> None:
    ds = labelled()
    basin = xr.DataArray(["n", "s"], dims="x", name="basin", attrs={"source": "a survey"})
    with xr.set_options(keep_attrs=keep):
        due = ds["y"].mean("x").attrs and {"units": "1"}
        for by, attrs in ((basin, {"source": "a survey"}), ("region", {"standard_name": "area"})):
            result = ds["y"].ordinal.mae(ds["p"], by=by, classes=[0, 1, 2])
            name = by if isinstance(by, str) else by.name
            assert result.attrs == due
            assert result.coords[name].attrs == attrs
        report = ds.assign(basin=basin).ordinal.report("y", "p", by="basin", classes=[0, 1, 2])
        assert report["basin"].attrs == {"source": "a survey"}
