"""Reports and class-by-class results as files: what is written comes back, or is refused."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from class_sets import CLASSES, frame
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from oracles.strategies import examples

import pandas_ordinal as po
from pandas_ordinal.files.cube import report_from_dataset

Save = Callable[[xr.Dataset, Path], None]
SAVES: dict[str, Save] = {
    "netcdf4": lambda report, path: report.ordinal.to_netcdf(path, engine="netcdf4"),
    "h5netcdf": lambda report, path: report.ordinal.to_netcdf(path, engine="h5netcdf"),
    "zarr": lambda report, path: report.ordinal.to_zarr(path),
}
CUBE: xr.DataArray = frame(g=["a", "b"] * 20).ordinal.confusion("y", "yhat", by="g")
BINNED = frame(g=pd.cut(range(40), [-1, 7, np.inf])).ordinal.confusion("y", "yhat", by="g")


@pytest.fixture(params=["netcdf4", "zarr", pytest.param("h5netcdf", marks=pytest.mark.slow)])
def save(request: pytest.FixtureRequest) -> Save:
    return SAVES[request.param]


@pytest.mark.parametrize(
    "report",
    [
        CUBE.ordinal.report(),
        BINNED.ordinal.report(metrics="all"),
        CUBE.sum("g").ordinal.report(),
        CUBE.isel(g=0).ordinal.report(metrics=["oci"]).assign_attrs(source="é", n=3),
        xr.Dataset({"oci": CUBE.ordinal.oci(), "recall": CUBE.ordinal.class_recall()}),
        CUBE.ordinal.report().chunk(g=1),
        CUBE.ordinal.report().assign_coords(month=("g", pd.date_range("2026", periods=2))),
        CUBE.ordinal.report().assign(best=("g", ["oci", "mae"])),
    ],
    ids=["report", "bins", "one", "attributes", "classes", "chunked", "times", "text"],
)
def test_reports(save: Save, tmp_path: Path, report: xr.Dataset) -> None:
    before = report.copy(deep=True)
    save(report, tmp_path / "file")
    read = po.open_report(tmp_path / "file")
    xr.testing.assert_identical(read, report.compute())
    xr.testing.assert_identical(report, before)
    assert list(read) == list(report)
    assert {name: read[name].dtype for name in read} == {n: report[n].dtype for n in report}
    assert list(read.indexes) == list(report.indexes)


@examples(20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_random_reports(
    save: Save, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    keys = data.draw(CLASSES)
    names = st.text("abcé_", min_size=1, max_size=3).map(lambda name: f"v{name}")
    listed = data.draw(st.lists(names, min_size=1, max_size=4, unique=True))
    rng = np.random.default_rng(0)
    kinds = st.sampled_from(["int64", "float64", "float32", "bool"])
    report = xr.Dataset(
        {name: ("g", rng.normal(0, 9, len(keys)).astype(data.draw(kinds))) for name in listed},
        {"g": keys},
    )
    path = tmp_path_factory.mktemp("reports") / "file"
    save(report, path)
    read = po.open_report(path)
    assert list(read) == listed and read.indexes["g"].dtype == keys.dtype
    assert repr(read.indexes["g"].tolist()) == repr(keys.tolist())
    for name in listed:
        assert read[name].dtype == report[name].dtype
        assert read[name].values.tobytes() == report[name].values.tobytes()


def test_class_by_class(tmp_path: Path) -> None:
    for number, array in enumerate((CUBE.ordinal.class_recall(), CUBE.ordinal.cost_matrix())):
        array.ordinal.to_netcdf(tmp_path / f"{number}.nc")
        xr.testing.assert_identical(po.open_cube(tmp_path / f"{number}.nc"), array)


def test_other_readers_see_variables(save: Save, tmp_path: Path) -> None:
    report = CUBE.ordinal.report()
    save(report, tmp_path / "file")
    options: dict[str, Any] = {}
    if (tmp_path / "file").is_dir():
        options = {"engine": "zarr", "consolidated": False}
    with xr.open_dataset(tmp_path / "file", **options) as plain:
        assert set(report) <= set(plain.data_vars)
        np.testing.assert_array_equal(plain["oci"], report["oci"])


def test_refused(tmp_path: Path) -> None:
    report = CUBE.ordinal.report()
    both = xr.Dataset({"a": ("x", [1]), "b": ("y", [2])})
    with pytest.raises(ValueError, match=r"no variable has all of the dimensions"):
        both.ordinal.to_netcdf(tmp_path / "file")
    with pytest.raises(ValueError, match=r"no variable has all of"):
        xr.Dataset().ordinal.to_netcdf(tmp_path / "file")
    with pytest.raises(ValueError, match=r"attribute 'pandas_ordinal' is taken"):
        report.assign_attrs(pandas_ordinal=1).ordinal.to_netcdf(tmp_path / "file")
    assert not list(tmp_path.iterdir())
    report.ordinal.to_netcdf(tmp_path / "report.nc")
    CUBE.ordinal.to_netcdf(tmp_path / "cube.nc")
    with pytest.raises(ValueError, match=r"cube\.nc' does not hold a report.*po\.open_cube"):
        po.open_report(tmp_path / "cube.nc")
    with pytest.raises(ValueError, match=r"holds a report.*po\.open_report"):
        po.open_cube(tmp_path / "report.nc")
    xr.Dataset({"x": ("n", [1])}).to_netcdf(tmp_path / "foreign.nc")
    with pytest.raises(ValueError, match=r"foreign\.nc' does not hold a report"):
        po.open_report(tmp_path / "foreign.nc")
    with pytest.raises(FileNotFoundError):
        po.open_report(tmp_path / "nothing.nc")
    with xr.open_dataset(tmp_path / "report.nc") as dataset:
        held = dataset.load()
    names = json.loads(held.attrs["pandas_ordinal_report"])
    other = [[*names, "other"], [*names, names[0]], [*names, names[-1]], names[1:]]
    for tampered in ("", "{", "1", "[]", "null", "[" * 100_000, *map(json.dumps, other)):
        changed = held.assign_attrs(pandas_ordinal_report=tampered)
        with pytest.raises(ValueError, match="does not hold a report"):
            report_from_dataset(changed, "report.nc")
        changed.to_netcdf(tmp_path / "tampered.nc")
        with pytest.raises(OSError, match="not what pandas_ordinal saved"):
            po.open_report(tmp_path / "tampered.nc")


@pytest.mark.slow
def test_flipped_bits(save: Save, tmp_path: Path) -> None:
    report = BINNED.ordinal.report().assign_attrs(source="a test")
    save(report, tmp_path / "file")
    path = tmp_path / "file"
    paths = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    rng = random.Random(0)
    refused = 0
    for _ in range(60):
        flipped = rng.choice(paths)
        whole = bytearray(flipped.read_bytes())
        changed = whole.copy()
        changed[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
        flipped.write_bytes(changed)
        try:
            xr.testing.assert_identical(po.open_report(path), report)
        except (OSError, ValueError):
            refused += 1
        flipped.write_bytes(whole)
    assert refused > 5
    xr.testing.assert_identical(po.open_report(path), report)


def test_attributes_of_reports_that_would_change(tmp_path: Path) -> None:
    """netCDF4 ends text at a null character."""
    report = CUBE.ordinal.report().assign_attrs(note="a\0b")
    with pytest.raises(TypeError, match="the attribute 'note' of the dataset would come back as"):
        report.ordinal.to_netcdf(tmp_path / "report.nc", engine="netcdf4")
    assert not list(tmp_path.iterdir())
