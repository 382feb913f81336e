"""P-values of many tests, such as one per grid cell, adjusted for the false discovery rate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from pandas_ordinal.counting.arrays import Floats
from pandas_ordinal.errors import brief
from pandas_ordinal.hints import explains_arguments
from pandas_ordinal.metrics.stack import plain_array

ATTRS = {"long_name": "p-value, adjusted for the false discovery rate", "units": "1"}


@overload
def fdr(p_values: xr.DataArray) -> xr.DataArray: ...
@overload
def fdr(p_values: pd.Series[Any]) -> pd.Series[float]: ...
@overload
def fdr(p_values: pd.DataFrame) -> pd.DataFrame: ...
@overload
def fdr(p_values: npt.NDArray[Any] | Sequence[Any] | float) -> Floats: ...
@explains_arguments
def fdr(p_values: Any) -> Any:
    """Adjust p-values of many tests, such as one per grid cell, for the false discovery rate.

    If cells are called significant where the adjusted p-value is at most 0.1, then on average at
    most a tenth of them are false discoveries.

    Parameters
    ----------
    p_values : DataArray, Series, DataFrame or array_like, any shape
        The p-values of all tests, which are adjusted together. NaN and masked values stand for no
        test. A chunked DataArray is computed, since each result depends on all values.

    Returns
    -------
    DataArray, Series, DataFrame or ndarray
        The adjusted p-values, with the shape and the labels of the given ones; NaN stays NaN.

    Raises
    ------
    ValueError
        If values are not numbers from 0 to 1 or NaN.

    Notes
    -----
    Benjamini and Hochberg's method: of m p-values, the one of rank i becomes the smallest ``m *
    p[j] / j`` of any rank j from i to m. The rate is controlled if the tests are independent or
    positively dependent, as neighbouring cells are.

    References
    ----------
    D. S. Wilks, "The stippling shows statistically significant grid points", Bull. Am. Meteorol.
    Soc. 97 (2016) 2263-2273, doi:10.1175/BAMS-D-15-00267.1.

    Y. Benjamini and Y. Hochberg, Controlling the false discovery rate, J. R. Stat. Soc. B 57
    (1995) 289-300, doi:10.1111/j.2517-6161.1995.tb02031.x.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas_ordinal as po
    >>> po.fdr([0.04, 0.001, np.nan, 0.03, 0.5]).round(3).tolist()
    [0.053, 0.004, nan, 0.053, 0.5]
    """
    adjusted = _benjamini_hochberg(_checked(p_values))
    if isinstance(p_values, xr.DataArray):
        return p_values.copy(data=adjusted).assign_attrs(ATTRS)
    if isinstance(p_values, pd.Series):
        return pd.Series(adjusted, p_values.index, name=p_values.name)
    if isinstance(p_values, pd.DataFrame):
        return pd.DataFrame(adjusted, p_values.index, p_values.columns)
    return adjusted


def _checked(p_values: Any) -> Floats:
    """Return p-values as floats; raise for anything else."""
    if isinstance(p_values, xr.Dataset):
        raise ValueError("p_values= is a Dataset: give one variable, such as ds['p_value']")
    if isinstance(p_values, (pd.Series, pd.DataFrame)):
        p_values = np.where(p_values.isna(), np.nan, p_values.astype(object))
    if isinstance(p_values, np.ma.MaskedArray):
        p_values = np.ma.filled(p_values.astype(float), np.nan)
    values = plain_array("p_values", p_values, float)
    wrong = values[(values < 0) | (values > 1)]
    if wrong.size:
        raise ValueError(f"p_values= holds {brief(wrong[0].item())}, but p-values are from 0 to 1")
    return values


def _benjamini_hochberg(p: Floats) -> Floats:
    """Adjust p-values together; NaN stays and is not counted."""
    from scipy.stats import false_discovery_control  # slow to import, and not needed elsewhere

    adjusted, tested = np.full(p.shape, np.nan), ~np.isnan(p)
    if tested.any():
        adjusted[tested] = false_discovery_control(p[tested])
    return adjusted
