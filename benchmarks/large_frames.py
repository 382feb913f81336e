"""Count and score 100 M rows of 20 Parquet files; count them by pandas, Dask, Polars and DuckDB.

Run it as ``make bench-large``. Each way runs in a process of its own, in turns with the others,
and its counts are compared with those of the rest. Prints a table and writes it to LARGE.md.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
from harness import processor

import pandas_ordinal as po

CLASSES = pd.CategoricalDtype(["none", "mild", "moderate", "severe", "extreme"], ordered=True)
SHARES = [0.35, 0.3, 0.2, 0.1, 0.05]
MODELS = pd.CategoricalDtype([f"model {number}" for number in range(10)])
KEYS = ["model", "y", "yhat"]
N_FILES, N_ROWS, TURNS = 20, 5_000_000, 3
SHOWN = ["pandas-ordinal", "numpy", "pandas", "dask", "pyarrow", "polars", "duckdb"]
RESULTS = Path(__file__).with_name("LARGE.md")
PAGE = """# Frames that no memory should hold

Written by `make bench-large`: {rows:,} rows of two label columns of five classes and a key of ten
models, in {files} Parquet files, {size:,.0f} MiB. Best of {turns} runs in turns, each in a process
of its own, imports left out; highest memory of the whole process. The processor time is that of
all cores, which other work on the machine disturbs less; the ratio is one of these. The files are
in the cache of the system. All ways give the same counts.

{table}

The report has ten metrics by model. Arrow has one thread a task of Dask.

{ranking}

[CURVES.md](CURVES.md) has what reports in memory take, by rows, groups, classes and models.

{machine}.
"""


def write(folder: Path, n_files: int, n_rows: int) -> None:
    """Write files of predictions, near the truth."""
    for number in range(n_files):
        frame(n_rows, len(MODELS.categories), number).assign(
            model=lambda df: pd.Categorical.from_codes(df["group"], dtype=MODELS)
        ).drop(columns="group").to_parquet(folder / f"part-{number:03}.parquet")


def frame(n_rows: int, n_groups: int, seed: int) -> pd.DataFrame:
    """Make predictions in groups."""
    rng = np.random.default_rng(seed)
    true = rng.choice(len(SHARES), n_rows, p=SHARES).astype(np.int8)
    pred = (true + rng.choice([-1, 0, 0, 0, 1], n_rows)).clip(0, len(SHARES) - 1)
    labels = {
        name: pd.Categorical.from_codes(codes, dtype=CLASSES)
        for name, codes in {"y": true, "yhat": pred}.items()
    }
    return pd.DataFrame({**labels, "group": rng.integers(0, n_groups, n_rows)})


def partitions(folder: Path) -> Any:
    """Read the files as a Dask frame that knows its categories."""
    import dask.dataframe
    import pyarrow

    dd: Any = dask.dataframe  # untyped
    pyarrow.set_cpu_count(1)
    ddf = dd.read_parquet(folder, columns=KEYS)
    return ddf.astype({"y": CLASSES, "yhat": CLASSES, "model": MODELS})


def reading(folder: Path) -> None:
    partitions(folder).map_partitions(len, meta=("rows", int)).compute()


def counts(folder: Path) -> Any:
    return po.ordinal(partitions(folder)).confusion("y", "yhat", by="model").compute().to_series()


def report(folder: Path) -> None:
    po.ordinal(partitions(folder)).report("y", "yhat", by="model").compute()


def file_by_file(folder: Path) -> Any:
    parts = [
        pd.read_parquet(file, columns=KEYS).groupby(KEYS, observed=True).size()
        for file in sorted(folder.iterdir())
    ]
    return pd.concat(parts).groupby(level=[0, 1, 2]).sum()


def whole(folder: Path) -> Any:
    return pd.read_parquet(folder, columns=KEYS).groupby(KEYS, observed=True).size()


def dask_groupby(folder: Path) -> Any:
    return partitions(folder).groupby(KEYS, observed=True).size().compute()


def by_polars(folder: Path) -> Any:
    import polars as pl

    found = pl.scan_parquet(folder / "*.parquet").group_by(KEYS).len().collect()
    return found.cast(dict.fromkeys(KEYS, pl.String)).to_pandas().set_index(KEYS)["len"]


def by_duckdb(folder: Path) -> Any:
    import duckdb

    keys = ", ".join(KEYS)
    found: Any = duckdb.sql(f"select {keys}, count(*) n from '{folder}/*.parquet' group by {keys}")
    return found.df().set_index(KEYS)["n"]


WAYS: dict[str, Callable[[Path], Any]] = {
    "reading alone, Dask": reading,
    "`ddf.ordinal.confusion`": counts,
    "`ddf.ordinal.report`": report,
    "pandas `groupby.size`, file by file": file_by_file,
    "pandas `groupby.size`, all files at once": whole,
    "Dask `groupby.size`": dask_groupby,
    "Polars `group_by.len`": by_polars,
    "DuckDB `group by`": by_duckdb,
}


def run(name: str, folder: Path) -> None:
    """Run one way in this process, and print its time, its memory and what it counted."""
    for module in ("dask.dataframe", "pyarrow.parquet", "polars", "duckdb"):
        __import__(module)
    start, before = time.perf_counter(), time.process_time()
    found = WAYS[name](folder)
    seconds, work = time.perf_counter() - start, time.process_time() - before
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    counted = None
    if found is not None:
        counted = {" ".join(map(str, key)): int(n) for key, n in found.items() if n}
    print(json.dumps({"seconds": seconds, "work": work, "memory": memory, "counted": counted}))


def measured(name: str, folder: Path) -> dict[str, Any]:
    """Run one way in a process of its own."""
    command = [sys.executable, __file__, "--way", name, "--folder", str(folder)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def best(results: Sequence[dict[str, Any]], what: str) -> float:
    return float(min(one[what] for one in results))


def race(folder: Path) -> str:
    """Run all ways in turns, and lay out their times as a table."""
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in WAYS}
    for _ in range(TURNS):
        for name, results in runs.items():
            results.append(measured(name, folder))
    counted = [one["counted"] for results in runs.values() for one in results if one["counted"]]
    assert all(one == counted[0] for one in counted)
    floor = best(runs["reading alone, Dask"], "work")
    rows = [
        [
            name,
            f"{best(results, 'seconds'):.2f} s",
            f"{best(results, 'work'):.2f} s",
            f"{best(results, 'work') / floor:.2f} ×",
            f"{max(one['memory'] for one in results):,.0f} MiB",
        ]
        for name, results in runs.items()
    ]
    return laid_out(["way", "time", "processor time", "of reading alone", "memory"], rows)


def ranking(n_rows: int) -> str:
    """Compare VUS by ranges of the score with Dask's sort of the frame by the score."""
    import dask.dataframe

    dd: Any = dask.dataframe  # untyped
    df = frame(n_rows, 1, 0)[["y"]]
    df["score"] = df["y"].cat.codes + np.random.default_rng(0).normal(size=n_rows) * 2
    ddf = dd.from_pandas(df, npartitions=N_FILES, sort=False)
    times: dict[str, list[float]] = {"vus": [], "set_index": []}
    for _ in range(TURNS):
        for name, lazy in {
            "vus": po.ordinal(ddf).vus("y", "score"),
            "set_index": ddf.set_index("score").map_partitions(len),
        }.items():
            start = time.process_time()
            lazy.compute(scheduler="threads")
            times[name].append(time.process_time() - start)
    ours, theirs = min(times["vus"]), min(times["set_index"])
    return (
        f"`ddf.ordinal.vus` of {n_rows:,} rows in memory takes {ours:.2f} s of the processor, "
        f"{ours / theirs:.2f} × of what\n`ddf.set_index(score)` takes, {theirs:.2f} s."
    )


def laid_out(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--way")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--files", type=int, default=N_FILES)
    parser.add_argument("--rows", type=int, default=N_ROWS, help="of each file")
    asked = parser.parse_args()
    if asked.way:
        run(asked.way, asked.folder)
        return
    with TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, asked.files, asked.rows)
        table = race(folder)
        size = sum(file.stat().st_size for file in folder.iterdir()) / 2**20
    versions = ", ".join(f"{one} {version(one)}" for one in SHOWN)
    text = PAGE.format(
        ranking=ranking(asked.files * asked.rows // 5),
        rows=asked.files * asked.rows, files=asked.files, size=size, turns=TURNS, table=table,
        machine=f"{processor()}; {versions}",
    )  # fmt: skip
    RESULTS.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
