"""Grids of forecasts for the benchmark, and hand-written code that scores them.

The hand-written code goes through the time steps in blocks, and does not check for missing or
wrong labels.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

N_CLASSES = 5
N_TIMES, N_LATS, N_LONS, N_LEADS = 2_000, 360, 180, 5
STEPS = 10

Counts = npt.NDArray[Any]


@functools.cache
def labels() -> tuple[xr.DataArray, xr.DataArray]:
    """Make observed classes, and forecasts of them at each lead: int8, 0.78 GB."""
    rng = np.random.default_rng(0)
    true = rng.integers(0, N_CLASSES, (N_TIMES, N_LATS, N_LONS), np.int8)
    pred = np.empty((*true.shape, N_LEADS), np.int8)
    for lead in range(N_LEADS):
        errors = rng.integers(-1, 2, true.shape, np.int8)
        np.clip(true + errors, 0, N_CLASSES - 1, out=pred[..., lead])
    dims = ("time", "lat", "lon")
    return xr.DataArray(true, dims=dims), xr.DataArray(pred, dims=(*dims, "lead"))


@functools.cache
def probabilities() -> tuple[xr.DataArray, xr.DataArray]:
    """Make observed classes of a tenth of the times, and their probabilities: 0.5 GB."""
    rng = np.random.default_rng(1)
    true = labels()[0][: N_TIMES // 10]
    proba = rng.random((*true.shape, N_CLASSES))
    proba /= proba.sum(axis=-1, keepdims=True)
    coords = {"grade": range(N_CLASSES)}
    return true, xr.DataArray(proba, dims=(*true.dims, "grade"), coords=coords)


@functools.cache
def codes(dtype: str) -> tuple[xr.DataArray, xr.DataArray]:
    """Make observed classes and forecasts of 60 times; as floats, a third of the cells are NaN."""
    true, pred = (one[:60].copy() for one in (labels()[0], labels()[1][..., 0]))
    if dtype == "int8":
        return true, pred
    is_land = xr.DataArray(np.arange(N_LONS) < N_LONS * 2 // 3, dims="lon")
    return true.astype(dtype).where(is_land), pred.astype(dtype).where(is_land)


@functools.cache
def area() -> xr.DataArray:
    """Return the weight of each latitude."""
    return xr.DataArray(np.cos(np.deg2rad(np.linspace(-89.75, 89.75, N_LATS))), dims="lat")


def count_by_hand(
    true: npt.NDArray[np.int8], pred: npt.NDArray[np.int8], weight: Counts | None = None
) -> Counts:
    """Count over time, in each cell at each lead, one row of cells at a time."""
    n_times, n_lats, n_lons, n_leads = pred.shape
    n_cells = n_lons * n_leads
    size = n_cells * N_CLASSES**2
    rows = []
    for lat in range(n_lats):
        pairs = true[:, lat, :, None] * np.int8(N_CLASSES) + pred[:, lat]
        keys = pairs.reshape(n_times, n_cells) + np.arange(n_cells) * N_CLASSES**2
        weights = None if weight is None else np.full(keys.size, weight[lat])
        rows.append(np.bincount(keys.ravel(), weights, size))
    return np.stack(rows).reshape(n_lats, n_lons, n_leads, N_CLASSES, N_CLASSES)


def count_chunks_by_hand(true: xr.DataArray, pred: xr.DataArray) -> Any:
    """Count each chunk over time, and add up the counts."""
    import dask.array

    da: Any = dask.array  # untyped

    def count(true: Counts, pred: Counts) -> Counts:
        return count_by_hand(true[..., 0], pred).reshape(1, *pred.shape[1:], -1)

    chunks = ((1,) * len(pred.chunks[0]), *pred.chunks[1:], (N_CLASSES**2,))  # type: ignore[index]
    parts = da.map_blocks(
        count, true.data[..., None], pred.data, chunks=chunks, new_axis=4, dtype=int
    )
    summed = parts.sum(axis=0)
    return summed.reshape(*summed.shape[:-1], N_CLASSES, N_CLASSES).compute()


def rps_by_hand(true: npt.NDArray[np.int8], proba: Counts) -> Counts:
    """Average the ranked probability score over time in each cell."""
    total = np.zeros(true.shape[1:])
    levels = np.arange(N_CLASSES - 1)
    for start in range(0, len(true), STEPS):
        steps = slice(start, start + STEPS)
        below = np.cumsum(proba[steps], axis=-1)[..., :-1]
        total += ((below - (true[steps, ..., None] <= levels)) ** 2).sum(axis=(0, -1))
    return total / len(true)
