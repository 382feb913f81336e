"""Score three models on more rows than a worker could hold: Parquet files, counted by a cluster.

Makes 20 files (or ``--files``) in a temporary folder: decisions of triage nurses, and predictions
of three models. Two workers with 1 GB each read them and compute a report with intervals,
confusion matrices and VUS by hospital, and a Counter per file. Prints how much was read, how fast,
and in how much memory. Run with ``make large``.
"""

from __future__ import annotations

import argparse
import resource
import time
from functools import reduce
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import dask.dataframe
import distributed
import numpy as np
import pandas as pd

import pandas_ordinal as po

URGENCY = pd.CategoricalDtype(
    ["non-urgent", "standard", "urgent", "very urgent", "immediate"], ordered=True
)
SHARES = [0.15, 0.4, 0.3, 0.12, 0.03]
ERRORS = {"rules": 0.8, "logistic": 0.6, "boosting": 0.5}  # standard deviation, in classes
SCORE = "boosting score"
HOSPITALS = pd.CategoricalDtype([f"hospital {number:02}" for number in range(1, 13)])


def write_part(path: Path, n_rows: int, seed: int) -> None:
    """Write one file of visits, with text labels: it does not record the order of the classes."""
    rng = np.random.default_rng(seed)
    true = rng.choice(len(SHARES), n_rows, p=SHARES)
    columns: dict[str, Any] = {"nurse": pd.Categorical.from_codes(true, dtype=URGENCY)}
    for model, error in ERRORS.items():
        score = true + rng.normal(0, error, n_rows)
        pred = np.rint(score).clip(0, len(SHARES) - 1).astype(int)
        columns[model] = pd.Categorical.from_codes(pred, dtype=URGENCY)
    columns[SCORE] = score.astype(np.float32)  # of the last model
    hospital = rng.integers(0, len(HOSPITALS.categories), n_rows)
    columns["hospital"] = pd.Categorical.from_codes(hospital, dtype=HOSPITALS)
    pd.DataFrame(columns).to_parquet(path)


def with_progress(client: Any, work: Any) -> tuple[Any, float]:
    """Compute on the cluster with a progress bar; return the result and the seconds."""
    start = time.perf_counter()
    running = client.persist(work)
    distributed.progress(running)  # type: ignore[no-untyped-call]
    print()
    return running.compute(), time.perf_counter() - start


def count_file(file: Path) -> po.Counter:
    """Count one file, as a worker of any kind could."""
    counter = po.Counter(classes=URGENCY, by="hospital")
    counter.update(pd.read_parquet(file), "nurse", list(ERRORS))
    return counter


def highest_memory() -> float:
    """Return the highest memory of this process so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10


def score(client: Any, folder: Path) -> None:
    """Read, count and score the files; print the time and memory that this takes."""
    dd: Any = dask.dataframe  # untyped
    labels = dict.fromkeys(["nurse", *ERRORS], URGENCY)
    visits = dd.read_parquet(folder).astype({**labels, "hospital": HOSPITALS})

    print("Reading alone:")
    rows, reading = with_progress(
        client, visits[list(labels)].map_partitions(len, meta=("rows", int)).sum()
    )
    print("A report of three models, with intervals:")
    report, seconds = with_progress(
        client, po.ordinal(visits).report("nurse", list(ERRORS), metrics=["mae", "oci"], ci=0.95)
    )
    print(report.round(4).to_string(), "\n")

    print("Confusion matrices by hospital:")
    cube, counting = with_progress(
        client, po.ordinal(visits).confusion("nurse", list(ERRORS), by="hospital")
    )
    kappa = po.ordinal(cube).kappa(weights="quadratic").to_series()
    print(kappa.unstack("model").agg(["min", "mean", "max"]).round(4).to_string(), "\n")

    print("VUS by hospital, by ranges of the score:")
    volumes, ranking = with_progress(
        client, po.ordinal(visits).vus("nurse", SCORE, by="hospital").to_frame()
    )
    print(volumes["vus"].agg(["min", "mean", "max"]).round(4).to_string(), "\n")

    print("The same matrices from one Counter per file, merged:")
    running = client.map(count_file, sorted(folder.iterdir()))
    distributed.progress(running)  # type: ignore[no-untyped-call]
    merged = reduce(po.Counter.merge, client.gather(running)).cube.reindex_like(cube)
    print("\nequal" if merged.equals(cube) else "\nnot equal", "\n")

    sizes = [file.stat().st_size / 2**20 for file in folder.iterdir()]
    memory = max(client.run(highest_memory).values())
    print(
        f"{rows:,} rows × {visits.shape[1]} columns, {len(sizes)} files, "
        f"{sum(sizes):,.1f} MiB on disk"
    )
    print(
        f"reading alone {reading:.1f} s, report {seconds:.1f} s, cube {counting:.1f} s, "
        f"VUS {ranking:.1f} s"
    )
    print(f"{rows / seconds / 1e6:.1f} M rows per second, at most {memory:.0f} MiB per worker")


def main() -> None:
    """Make the files, start the cluster, and score."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=20, help="how many (%(default)s)")
    parser.add_argument("--rows", type=int, default=1_000_000, help="per file (%(default)s)")
    options = parser.parse_args()
    print(f"Writing {options.files} files of {options.rows:,} rows ...", flush=True)
    with TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(options.files):
            write_part(folder / f"visits-{number:03}.parquet", options.rows, seed=number)
        cluster: Any = distributed.LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=2, threads_per_worker=1, memory_limit="1GB", dashboard_address=None
        )
        with cluster, distributed.Client(cluster) as client:  # type: ignore[no-untyped-call]
            score(client, folder)


if __name__ == "__main__":
    main()
