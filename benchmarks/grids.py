"""Grids of forecasts for the benchmark, and hand-written code that scores them.

The hand-written code goes through the time steps in blocks, and does not check for missing or
wrong labels.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

import pandas_ordinal as po

N_CLASSES = 5
N_TIMES, N_LATS, N_LONS, N_LEADS = 2_000, 360, 180, 5
STEPS = 10
N_MEMBERS = 5
EDGES = [-np.inf, 0.25, 0.75, 1.25, 2, np.inf]  # which are the same in float32

Counts = npt.NDArray[Any]
Scored = Callable[[], Any]


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


def write_rain(folder: Path, n_times: int = N_TIMES) -> xr.Dataset:
    """Write observed rain, and five members that forecast it, to a store; return it in chunks."""
    rng = np.random.default_rng(2)
    dims, step = ("time", "lat", "lon", "member"), 20
    for start in range(0, n_times, step):
        true = rng.standard_gamma(1, (min(step, n_times - start), N_LATS, N_LONS), np.float32)
        noise = rng.standard_gamma(1, (*true.shape, N_MEMBERS), np.float32)
        part = xr.Dataset(
            {"observed": (dims[:3], true), "forecast": (dims, (true[..., None] + noise) / 2)}
        )
        if start:
            part.to_zarr(folder, append_dim="time")
        else:
            whole = {
                name: {"compressors": None, "chunks": (step, *part[name].shape[1:])}
                for name in part
            }
            part.to_zarr(folder, encoding=whole)
    rain: xr.Dataset = xr.open_zarr(folder)
    return rain


def fair_rps(rain: xr.Dataset) -> xr.DataArray:
    """Return the fair RPS of the members in each cell; an edge belongs to the bin above it."""
    true, members = (
        rain[name].ordinal.cut(EDGES, right=False) for name in ("observed", "forecast")
    )
    scored: xr.DataArray = po.ordinal(true).rps(
        members, member_dim="member", fair=True, dim="time"
    )
    return scored.compute()


def fair_rps_by_hand(rain: xr.Dataset) -> Any:
    """Return the same, summing over the times of each chunk and then over the chunks."""
    import dask.array

    da: Any = dask.array  # untyped
    true, members = rain["observed"].data, rain["forecast"].data

    def total(true: Counts, members: Counts) -> Counts:
        summed, m = np.zeros(true.shape[1:]), members.shape[-1]
        for start in range(0, len(true), STEPS):
            steps = slice(start, start + STEPS)
            for edge in np.array(EDGES[1:-1], np.float32):
                share = (members[steps] < edge).sum(axis=-1) / m
                error = share - (true[steps] < edge)
                summed += (error**2 - share * (1 - share) / (m - 1)).sum(axis=0)
        return summed[None]

    chunks = ((1,) * len(true.chunks[0]), *true.chunks[1:])
    parts = da.map_blocks(
        lambda true, members: total(true[..., 0], members),
        true[..., None], members, drop_axis=3, chunks=chunks, dtype=float,
    )  # fmt: skip
    return (parts.sum(axis=0) / len(true)).compute()


def contingency(true: xr.DataArray, pred: xr.DataArray) -> Any:
    """Return xskillscore's tables of classes over time."""
    import xskillscore

    edges = np.arange(-0.5, N_CLASSES)
    return xskillscore.Contingency(true, pred, edges, edges, dim="time")


def peers_of_forecasts(rain: xr.Dataset) -> Iterator[tuple[str, str, Scored, Scored]]:
    """Yield a name, the peer, our work and that of the peer, on arrays in memory."""
    import scores
    import xskillscore

    observed, members = rain["observed"], rain["forecast"]
    true, pred = observed.ordinal.cut(EDGES), members.isel(member=0).ordinal.cut(EDGES)
    codes = true.drop_attrs(), pred.drop_attrs()
    yield (
        "members, fair RPS",
        "xskillscore `rps`",
        lambda: fair_rps(rain),
        lambda: xskillscore.rps(
            observed, members, np.array(EDGES[1:-1]), dim="time", fair=True, member_dim="member"
        ),
    )
    yield (
        "classes, Gerrity's score",
        "xskillscore `gerrity_score`",
        lambda: po.ordinal(true).gerrity(pred, dim="time"),
        lambda: contingency(*codes).gerrity_score(),
    )
    yield (
        "classes, Peirce's score",
        "xskillscore `peirce_score`",
        lambda: po.ordinal(true).peirce(pred, dim="time"),
        lambda: contingency(*codes).peirce_score(),
    )
    yield (
        "classes, Heidke's score",
        "xskillscore `heidke_score`",
        lambda: po.ordinal(true).kappa(pred, dim="time", weights="identity"),
        lambda: contingency(*codes).heidke_score(),
    )
    dry = xr.full_like(observed.isel(time=0, drop=True), 0.4, float)
    three = [-np.inf, 0.25, 1.25, np.inf]
    yield (
        "numbers in three classes, SEEPS",
        "scores `seeps`",
        lambda: observed.ordinal.cut(three).ordinal.seeps(
            members.isel(member=0).ordinal.cut(three), dim="time", reference=[0.4, 0.4, 0.2]
        ),
        lambda: scores.categorical.seeps(
            members.isel(member=0), observed, dry, xr.full_like(dry, 1.25),
            dry_light_threshold=0.25, reduce_dims=["time"],
        ),
    )  # fmt: skip
    yield (
        "codes as floats with NaN, MAE",
        "scores `mae`",
        lambda: po.ordinal(floats(true)).mae(floats(pred), dim="time", dropna=True),
        lambda: scores.continuous.mae(floats(pred), floats(true), reduce_dims=["time"]),
    )


def floats(codes: xr.DataArray) -> xr.DataArray:
    """Return codes as a masked grid holds them: floats, NaN in a tenth of the cells."""
    return codes.drop_attrs().astype(float).where(codes["lat"] % 10 > 0)
