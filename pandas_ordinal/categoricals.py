"""Arrays that are a Categorical, as `df.to_xarray()` makes them."""

from __future__ import annotations

from typing import Any

import pandas as pd
import xarray as xr


def is_categorical(array: xr.DataArray) -> bool:
    """Tell whether an array holds a Categorical."""
    dtype: Any = array.dtype
    return isinstance(dtype, pd.CategoricalDtype)


def categorical_of(array: xr.DataArray) -> pd.Series[Any]:
    """Return the Categorical that an array holds, which has one dimension, without its index."""
    held: Any = array.to_pandas()
    return pd.Series(held.array)
