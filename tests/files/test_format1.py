"""Files that were written before times had units and values a digest: they open as they were."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from pandas_ordinal import files

FORMAT1 = Path(__file__).parent / "format1"


def cube() -> xr.DataArray:
    y = pd.Categorical(["low", "two words"], ["low", "two words", "top"], ordered=True)
    df = pd.DataFrame(
        {
            "y": y,
            "yhat": y[::-1],
            "fold": ["a", "é"],
            "month": pd.to_datetime(["2020-01-01", "2020-02-01"]).as_unit("ns"),
            "age": pd.cut([3, 70], [0, 18, np.inf]),
        }
    )
    counted: xr.DataArray = df.ordinal.confusion("y", "yhat", by=["fold", "month", "age"])
    return counted.assign_coords(weight=("fold", [0.5, np.nan], {"note": "of a number"}))


@pytest.mark.parametrize("name", ["netcdf4.nc", "h5netcdf.nc", "zarr2.zarr.zip", "zarr3.zarr.zip"])
def test_a_file_of_format_1(name: str, tmp_path: Path) -> None:
    path = FORMAT1 / name
    if path.suffix == ".zip":
        shutil.unpack_archive(path, tmp_path / "store")
        path = tmp_path / "store"
    opened = files.open_cube(path)
    xr.testing.assert_identical(opened, cube())
    files.to_netcdf(opened, tmp_path / "new.nc")
    xr.testing.assert_identical(files.open_cube(tmp_path / "new.nc"), cube())
