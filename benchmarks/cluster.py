"""Score a grid that no worker could hold: 0.78 GB of labels on two workers of 1.5 GB.

Run it as ``make cluster``. Workers make the grid chunk by chunk, as they count it. Chunks cut
time, which is counted over, and latitude, which is counted over in the first jobs and kept in the
last: each chunk is counted by itself, and the counts are added. Prints the time and the highest
memory of a worker. ``--times 200`` takes a tenth of the grid.
"""

from __future__ import annotations

import argparse
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


def grid(n_times: int) -> xr.Dataset:
    """Make observed classes, and forecasts of them at each lead, lazily."""
    da: Any = array  # untyped
    rng = da.random.default_rng(0)
    shape = (n_times, N_LATS, N_LONS)
    true = rng.integers(0, len(CLASSES), shape, dtype=np.int8, chunks=CHUNKS)
    errors = rng.integers(-1, 2, (*shape, N_LEADS), dtype=np.int8, chunks=(*CHUNKS, N_LEADS))
    pred = (true[..., None] + errors).clip(0, len(CLASSES) - 1)
    dims = ("time", "lat", "lon")
    coords = {
        "time": pd.date_range("2000-01-01", periods=n_times),
        "lat": np.linspace(-89.75, 89.75, N_LATS),
    }
    return xr.Dataset({"true": (dims, true), "pred": ((*dims, "lead"), pred)}, coords=coords)


def by_lead_and_season(ds: xr.Dataset) -> xr.Dataset:
    """Report by lead and season, weighted by area."""
    weighted = ds.assign(area=np.cos(np.deg2rad(ds["lat"])))
    return po.ordinal(weighted).report(
        "true", "pred", dim=["time", "lat", "lon"], by="time.season", sample_weight="area",
        classes=CLASSES,
    )  # fmt: skip


def by_lead(ds: xr.Dataset, **uncertainty: Any) -> xr.Dataset:
    """Report by lead, weighted by area, with or without intervals."""
    weighted = ds.assign(area=np.cos(np.deg2rad(ds["lat"])))
    return po.ordinal(weighted).report(
        "true", "pred", dim=["time", "lat", "lon"], sample_weight="area", classes=CLASSES,
        **uncertainty,
    )  # fmt: skip


def run(client: Any, name: str, job: xr.Dataset | xr.DataArray) -> None:
    """Compute a job, and print its time and the highest memory of a worker so far."""
    start = time.perf_counter()
    result = job.compute()
    seconds = time.perf_counter() - start
    peaks = client.run(highest_memory)
    print(f"{name}: {seconds:.3g} s, at most {max(peaks.values()):.0f} MiB per worker")
    print(result)


def highest_memory() -> float:
    """Return the highest memory of this process, in MiB."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10


def main(n_times: int) -> None:
    dd: Any = distributed  # untyped
    cluster = dd.LocalCluster(
        n_workers=2, threads_per_worker=1, memory_limit="1.5GB", dashboard_address=None
    )
    client = dd.Client(cluster)
    with cluster, client:
        ds = grid(n_times)
        run(client, "by lead and season, weighted by area", by_lead_and_season(ds))
        run(client, "by lead, weighted by area", by_lead(ds))
        clustered = by_lead(ds, ci=0.95, cluster="time")
        run(client, "the same, with intervals from clusters of one time", clustered)
        cell = po.ordinal(ds).mae("true", "pred", dim="time", classes=CLASSES)
        run(client, "mae over time of each cell at each lead", cell.mean(("lat", "lon")))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=N_TIMES)
    main(parser.parse_args().times)
