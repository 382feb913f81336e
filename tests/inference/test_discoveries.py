"""The false discovery rate: against SciPy, and on a grid against a loop over its cells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from hypothesis import given
from hypothesis import strategies as st
from oracles.strategies import QUICK
from scipy.stats import false_discovery_control

import pandas_ordinal as po

P = np.array([[0.04, 0.001, np.nan], [0.03, 0.5, 0.03]])


def adjusted(p: Any) -> np.ndarray:
    """SciPy's values of the tests that there are."""
    p = np.array(p, float)
    p[~np.isnan(p)] = false_discovery_control(p[~np.isnan(p)])
    return p


@QUICK
@given(st.lists(st.floats(0, 1) | st.sampled_from([0.01, 0.05, np.nan])))
def test_scipy(p: list[float]) -> None:
    np.testing.assert_allclose(po.fdr(p), adjusted(p), rtol=1e-13)


def test_the_kind_and_the_labels_stay() -> None:
    array = xr.DataArray(P, {"lat": [1, 2]}, ("lat", "lon"), "p_value", {"long_name": "p-value"})
    due = adjusted(P)
    for given_array in (array, array.chunk(lat=1)):
        found = po.fdr(given_array)
        expected = array.copy(data=due).assign_attrs(
            long_name="p-value, adjusted for the false discovery rate", units="1"
        )
        xr.testing.assert_allclose(found, expected)
        assert found.attrs == expected.attrs and found.name == "p_value"
    assert array.attrs == {"long_name": "p-value"}
    frame = pd.DataFrame(P, ["a", "b"], pd.Index([1, 2, 3], name="lon"))
    pd.testing.assert_frame_equal(po.fdr(frame), frame * 0 + due)
    for dtype in ("float64", "Float64", object):
        column = pd.Series([0.04, 0.001, None], [3, 1, 2], name="p").astype(dtype)
        expected_column = pd.Series(adjusted([0.04, 0.001, np.nan]), [3, 1, 2], name="p")
        pd.testing.assert_series_equal(po.fdr(column), expected_column)
    assert po.fdr(0.3) == 0.3 and po.fdr([]).shape == (0,)
    masked = po.fdr(np.ma.masked_invalid(P))
    assert type(masked) is np.ndarray
    np.testing.assert_array_equal(masked, due)
    tests = np.ma.masked_array([0, 1, 1], [False, True, False])
    assert po.fdr(tests).tolist()[::2] == [0, 1] and np.isnan(po.fdr(tests)[1])


def test_a_grid_of_comparisons() -> None:
    rng = np.random.default_rng(0)
    true = rng.integers(0, 3, (30, 2, 3)).astype(float)
    true[:, 1, 2] = np.nan  # the sea
    ds = xr.Dataset({"y": (("time", "lat", "lon"), true)}, {"lat": [-5.0, 5], "lon": [0, 1, 2]})
    for name, right in {"a": 0.9, "b": 0.6}.items():
        ds[name] = ds["y"].dims, np.where(rng.random(true.shape) < right, true, 2 - true)
    options: dict[str, Any] = {"metrics": ["mae"], "classes": range(3), "dropna": True}
    compared = ds.ordinal.compare("y", ["a", "b"], dim="time", **options)
    found = po.fdr(compared["p_value"].to_xarray()).squeeze(drop=True)
    assert found.dims == ("lat", "lon")
    p = np.full((2, 3), np.nan)
    for lat, lon in np.ndindex(2, 3):
        cell = ds.isel(lat=lat, lon=lon).to_dataframe()[["y", "a", "b"]].dropna()
        if len(cell):
            one = cell.astype(int).ordinal.compare("y", ["a", "b"], **options)
            p[lat, lon] = one["p_value"].item()
    np.testing.assert_allclose(found, adjusted(p), rtol=1e-12)


@pytest.mark.parametrize("wrong", [[0.5, 1.2], [-0.1], [np.inf], pd.Series([2.0])])
def test_what_is_no_p_value(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"p_values= holds [-\d.inf]+, but p-values are from 0"):
        po.fdr(wrong)


@pytest.mark.parametrize("wrong", [["a"], pd.Series(["a"]), {"a": 0.1}])
def test_what_is_no_number(wrong: Any) -> None:
    with pytest.raises(ValueError, match="p_values"):
        po.fdr(wrong)
    with pytest.raises(ValueError, match=r"p_values= is a Dataset: give one variable, such as"):
        po.fdr(xr.Dataset({"p_value": ("x", [0.5])}))
