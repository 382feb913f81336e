"""Score a grid that no worker could hold: 0.78 GB of labels on two workers of 1.5 GB.

Run it as ``make cluster``. The grid is made chunk by chunk where it is counted. Chunks lie along
time, which is counted over, and along latitude, which is kept in the first job and counted in the
second: each is counted alone and the counts are added. Prints the time and the highest memory of a
worker.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr
from dask import array, distributed

import pandas_ordinal as po

CLASSES = ["none", "mild", "moderate", "severe", "extreme"]
N_TIMES, N_LATS, N_LONS, N_LEADS = 2_000, 360, 180, 5
CHUNKS = (200, 90, 180)
SEASONS = {"DJF": (12, 1, 2), "MAM": (3, 4, 5), "JJA": (6, 7, 8), "SON": (9, 10, 11)}


def grid() -> xr.Dataset:
    """Make observed classes, and forecasts of them at each lead, when they are asked for."""
    da: Any = array  # untyped
    rng = da.random.default_rng(0)
    shape = (N_TIMES, N_LATS, N_LONS)
    true = rng.integers(0, len(CLASSES), shape, dtype=np.int8, chunks=CHUNKS)
    errors = rng.integers(-1, 2, (*shape, N_LEADS), dtype=np.int8, chunks=(*CHUNKS, N_LEADS))
    pred = (true[..., None] + errors).clip(0, len(CLASSES) - 1)
    dims = ("time", "lat", "lon")
    coords = {
        "time": pd.date_range("2000-01-01", periods=N_TIMES),
        "lat": np.linspace(-89.75, 89.75, N_LATS),
    }
    return xr.Dataset({"true": (dims, true), "pred": ((*dims, "lead"), pred)}, coords=coords)


def by_lead_and_season(ds: xr.Dataset) -> xr.Dataset:
    """Report by lead and season, weighted by area; a mask per season keeps it as a dimension."""
    seasons = xr.DataArray(
        [np.isin(ds["time"].dt.month, months) for months in SEASONS.values()],
        dims=("season", "time"),
        coords={"season": list(SEASONS), "time": ds["time"]},
    )
    area = xr.DataArray(np.cos(np.deg2rad(ds["lat"])))
    weighted = ds.assign(weight=seasons.chunk(time=CHUNKS[0]) * area.chunk())
    return po.ordinal(weighted).report(
        "true", "pred", dim=["time", "lat", "lon"], sample_weight="weight", classes=CLASSES
    )


def run(client: Any, name: str, job: xr.Dataset | xr.DataArray) -> None:
    """Compute a job, and print its time and the highest memory of a worker so far."""
    start = time.perf_counter()
    result = job.compute()
    seconds = time.perf_counter() - start
    peaks = client.run(highest_memory)
    print(f"{name}: {seconds:.3g} s, at most {max(peaks.values()):.0f} MiB a worker")
    print(result)


def highest_memory() -> float:
    """Return the highest memory of this process, in MiB."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10


def main() -> None:
    dd: Any = distributed  # untyped
    cluster = dd.LocalCluster(
        n_workers=2, threads_per_worker=1, memory_limit="1.5GB", dashboard_address=None
    )
    client = dd.Client(cluster)
    with cluster, client:
        ds = grid()
        run(client, "by lead and season, weighted by area", by_lead_and_season(ds))
        cell = po.ordinal(ds).mae("true", "pred", dim="time", classes=CLASSES)
        run(client, "mae over time of each cell at each lead", cell.mean(("lat", "lon")))


if __name__ == "__main__":
    main()
