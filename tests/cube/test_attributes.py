"""Results have attributes of their own; coordinates and Datasets keep theirs."""

from __future__ import annotations

from pathlib import Path
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
        for name, array in result.items():
            for coord in ("time", "place"):
                assert array[coord].attrs == ds[coord].attrs, (name, coord)
            named = {"long_name": array.name, "units": "1"}
            assert array.attrs == ({} if name == "cube" else named), name
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


def test_a_key_gives_its_attributes_to_its_coordinate_alone() -> None:
    ds = labelled()
    basin = xr.DataArray(["n", "s"], dims="x", name="basin", attrs={"source": "a survey"})
    for by, attrs in ((basin, {"source": "a survey"}), ("region", {"standard_name": "area"})):
        result = ds["y"].ordinal.mae(ds["p"], by=by, classes=[0, 1, 2])
        name = by if isinstance(by, str) else by.name
        assert result.attrs == {"long_name": "mae", "units": "1"}
        assert result.coords[name].attrs == attrs
    report = ds.assign(basin=basin).ordinal.report("y", "p", by="basin", classes=[0, 1, 2])
    assert report["basin"].attrs == {"source": "a survey"}


OF_LABELS = {
    "valid_range": [0, 4],
    "_FillValue": 9,
    "missing_value": 9,
    "standard_name": "severity",
    "long_name": "drought severity",
    "units": "class",
    "flag_values": [0, 1, 2],
    "flag_meanings": "none dry severe",
}


@pytest.mark.parametrize("chunked", [False, True])
def test_nothing_of_the_labels_is_in_a_file(chunked: bool, tmp_path: Path) -> None:
    rows = [(y, p) for y in range(3) for p in range(3) for _ in range(20)]
    y, p = (xr.DataArray([row[i] for row in rows], dims="i", attrs=OF_LABELS) for i in (0, 1))
    if chunked:
        y, p = y.chunk(i=50), p.chunk(i=50)
    score = p.astype(float).assign_attrs(OF_LABELS)
    with xr.set_options(keep_attrs=True):
        cube = y.ordinal.confusion(p, classes=[0, 1, 2])
        report = y.ordinal.report(
            p, score=score, classes=[0, 1, 2], ci=0.9, metrics=["mae", "vus"]
        )
        assert y.ordinal.vus(score, classes=[0, 1, 2]).attrs["long_name"] == "vus"
    assert cube.attrs == {}
    for name, one in report.items():
        assert one.attrs == {"long_name": name, "units": "1"}
    report.ordinal.to_netcdf(tmp_path / "report.nc")
    cube.ordinal.to_netcdf(tmp_path / "cube.nc")
    with xr.open_dataset(tmp_path / "report.nc") as read:
        assert int(read["n"]) == 180
    with xr.open_dataset(tmp_path / "cube.nc") as read:
        assert read["count"].values.tolist() == [[20] * 3] * 3
