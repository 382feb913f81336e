"""Frames in partitions, and what is computed of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
import xarray as xr


def parted(frames: Sequence[pd.DataFrame], meta: pd.DataFrame | None = None) -> Any:
    """A Dask frame of these partitions, as they are: Dask makes Arrow text of text."""
    empty = frames[0].iloc[:0] if meta is None else meta
    with dask.config.set({"dataframe.convert-string": False}):
        return dd.from_map(pd.DataFrame.copy, list(frames), meta=empty)


def cut(df: pd.DataFrame, ends: Sequence[int]) -> list[pd.DataFrame]:
    bounds = [0, *sorted(ends), len(df)]
    return [df.iloc[a:b] for a, b in pairwise(bounds)]


def assert_same(lazy: Any, found: Any, **closely: float) -> None:
    """What is computed is what pandas gives, the dtype of its index too."""
    (computed,) = dask.compute(lazy)
    if isinstance(found, float):
        assert isinstance(computed, float)
        np.testing.assert_allclose(computed, found, **(closely or {"rtol": 0}))
    elif isinstance(found, xr.DataArray):
        (xr.testing.assert_allclose if closely else xr.testing.assert_identical)(
            computed, found, **closely
        )
        assert computed.name == found.name
    else:
        assert type(computed) is type(found)
        pd.testing.assert_index_equal(computed.index, found.index)
        (pd.testing.assert_frame_equal if found.ndim == 2 else pd.testing.assert_series_equal)(
            computed, found, **closely
        )
