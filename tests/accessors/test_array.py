"""`.ordinal` on a DataArray that holds true labels, or a cube."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import brute
import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr
from labelled import COUNTED, TIED

import pandas_ordinal as po

FRAME = brute.frame()


def cube_of(df: pd.DataFrame = FRAME, **options: Any) -> xr.DataArray:
    return df.ordinal.confusion("y", "yhat", **options)


CUBE = cube_of(by="g")
Y, YHAT, OTHER = (FRAME[name].cat.codes.to_numpy() for name in ("y", "yhat", "other"))


# shares of a cube


NORMALIZED = {  # of [[4, 1, 0], [0, 0, 0], [0, 2, 3]]
    "true": [[0.8, 0.2, 0], [np.nan] * 3, [0, 0.4, 0.6]],
    "pred": [[1, 1 / 3, 0], [0, 0, 0], [0, 2 / 3, 1]],
    "all": [[0.4, 0.1, 0], [0, 0, 0], [0, 0.2, 0.3]],
}


@pytest.mark.parametrize("over", NORMALIZED)
@pytest.mark.parametrize("lazy", [False, True])
def test_normalize(over: Any, lazy: bool) -> None:
    true, pred = [0] * 5 + [2] * 5, [0] * 4 + [1] * 3 + [2] * 3
    cube = pd.DataFrame({"y": true, "yhat": pred}).ordinal.confusion("y", "yhat")
    assert cube.values.tolist() == [[4, 1, 0], [0, 0, 0], [0, 2, 3]]
    share = (cube.chunk() if lazy else cube).ordinal.normalize(over)
    npt.assert_allclose(share, NORMALIZED[over], rtol=1e-12)
    assert share.dims == ("true", "pred") and share.indexes["true"].ordered
    assert cube.dtype == np.int64


def test_normalize_stacks_and_nothing() -> None:
    empty = CUBE * 0
    for over in ("true", "pred", "all"):
        assert np.isnan(empty.ordinal.normalize(over)).all()
    assert np.allclose(CUBE.ordinal.normalize("pred").sum("true"), 1)
    assert np.allclose(
        CUBE.isel(true=[2, 0, 1, 3]).ordinal.normalize("all").sum(["true", "pred"]), 1
    )
    for over in ("rows", None, ["true"]):
        with pytest.raises((ValueError, TypeError)):
            CUBE.ordinal.normalize(over)


# calls that are wrong


def test_wrong_calls_of_a_cube_say_what_to_call() -> None:
    cube = FRAME.ordinal.confusion("y", "yhat")
    true = xr.DataArray(Y, dims="i")
    with pytest.raises(TypeError, match="a cube takes options only"):
        cube.ordinal.oci("y", "yhat")
    assert float(true.ordinal.oci(true, dim="i", classes=range(4))) == 0
    with pytest.raises(TypeError, match=r"a cube takes options only, not pred=.*cube\.sum"):
        cube.ordinal.oci(cube)
    with pytest.raises(TypeError, match="a cube takes options only, not dim="):
        cube.ordinal.report(dim="true")
    for call in (true.ordinal.oci, true.ordinal.report):
        with pytest.raises(ValueError, match=r"array of true labels.*true\.ordinal\.\w+\(pred, d"):
            call()
    with pytest.raises(TypeError, match=r"true\.ordinal\.rps\(proba\)"):
        cube.ordinal.rps()


def test_a_cube_has_no_scores() -> None:
    cube = TIED.ordinal.confusion("y", "y")
    with pytest.raises(TypeError, match=r"true\.ordinal\.vus\(score\)"):
        cube.ordinal.vus()
    with pytest.raises(ValueError, match=r"vus needs scores, and a cube holds counts"):
        cube.ordinal.vus(xr.DataArray([1, 2, 3], dims="true"))


def test_class_dimensions_are_not_counted_over() -> None:
    with pytest.raises(ValueError, match="'true'.*rename"):
        COUNTED.ordinal.confusion(COUNTED)


# files


def test_a_cube_saves_itself(tmp_path: Path) -> None:
    CUBE.ordinal.to_netcdf(tmp_path / "cube.nc", engine="h5netcdf")
    CUBE.ordinal.to_zarr(tmp_path / "cube.zarr")
    with pytest.raises(Exception, match="(?i)exist|contains"):
        CUBE.ordinal.to_zarr(tmp_path / "cube.zarr")
    CUBE.ordinal.to_zarr(tmp_path / "cube.zarr", mode="w", zarr_format=2)
    assert (tmp_path / "cube.zarr" / ".zattrs").is_file()
    for name in ("cube.nc", "cube.zarr"):
        xr.testing.assert_identical(po.open_cube(tmp_path / name), CUBE)
