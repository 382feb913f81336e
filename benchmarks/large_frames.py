"""Count and score 100 M rows of 20 Parquet files; count them by pandas, Dask, Polars and DuckDB.

Then compare three models on as many rows, and rank 20 M rows by score. Run it as
``make bench-large``. Each way runs in a separate process, in turns with the others, and the
results of all ways are compared. Prints tables and writes them to RESULTS.md.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
from harness import laid_out, machine, publish, same

import pandas_ordinal as po

CLASSES = pd.CategoricalDtype(["none", "mild", "moderate", "severe", "extreme"], ordered=True)
SHARES = [0.35, 0.3, 0.2, 0.1, 0.05]
MODELS = pd.CategoricalDtype([f"model {number}" for number in range(10)])
KEYS = ["model", "y", "yhat"]
COMPARED = ["a", "b", "c"]
N_FILES, N_ROWS, TURNS = 20, 5_000_000, 3
SHOWN = ["pandas-ordinal", "numpy", "pandas", "dask", "pyarrow", "polars", "duckdb"]
PART = "Frames that no memory should hold"
TEXT = """Written by `make bench-large` on: {machine}.

{rows:,} rows of two label columns of five classes and a key of ten models, in {files} Parquet
files, {size:,.0f} MiB. Best of {turns} runs in turns, each in a separate process, without imports;
highest memory of the whole process. The processor time is that of all cores, which other work on
the machine disturbs less. The files are in the cache of the system. All ways give the same
counts. Counts and report should take at most 1.3 × as long as reading alone, in less than 1 GiB.

{counting}

The report has ten metrics by model. Arrow has one thread per task of Dask.

### Three models on the same rows

{rows:,} rows of four label columns and a key of 1,000 sites: `ddf.ordinal.compare` by ten metrics,
and with sites as clusters, against reading the same columns. It should take less than 1 GiB.

{comparing}

### VUS by ranges of the score

{ranked:,} rows of a label column and a score, in {files} partitions: `ddf.ordinal.vus` in ranges
of the score against Dask's sort of the same frame by the score, from memory and from Parquet
files, in turns and processes as above. It should take less than half as long. All ways give the
same volume.

{ranking}
"""


# What is prepared without being timed, and the work
Way = tuple[Callable[[Path], Any], Callable[[Any], Any]]


def write(folder: Path, n_files: int, n_rows: int) -> None:
    """Write files of predictions, near the truth, and a fifth as many rows with scores."""
    for name in ("labels", "scores", "compared"):
        (folder / name).mkdir()
    for number in range(n_files):
        frame(n_rows, len(MODELS.categories), number).assign(
            model=lambda df: pd.Categorical.from_codes(df["group"], dtype=MODELS)
        ).drop(columns="group").to_parquet(folder / f"labels/part-{number:03}.parquet")
        ranked = frame(n_rows // 5, 1, number)[["y"]]
        noise = np.random.default_rng(number).normal(0, 2, len(ranked))
        ranked["score"] = ranked["y"].cat.codes + noise
        ranked.to_parquet(folder / f"scores/part-{number:03}.parquet")
        compared(n_rows, number).to_parquet(folder / f"compared/part-{number:03}.parquet")


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


def compared(n_rows: int, seed: int) -> pd.DataFrame:
    """Make predictions of three models that err together in part."""
    rng = np.random.default_rng(seed)
    true = rng.choice(len(SHARES), n_rows, p=SHARES).astype(np.int8)
    moves = np.array([-1, 0, 0, 0, 1], np.int8)
    common, columns = rng.choice(moves, n_rows), {"y": true}
    for name in COMPARED:
        own = np.where(rng.random(n_rows) < 0.3, rng.choice(moves, n_rows), common)
        columns[name] = (true + own).clip(0, len(SHARES) - 1)
    labels = {name: pd.Categorical.from_codes(c, dtype=CLASSES) for name, c in columns.items()}
    return pd.DataFrame({**labels, "site": rng.integers(0, 1000, n_rows)})


def partitions(folder: Path) -> Any:
    """Read the labels as a Dask frame that knows its categories."""
    return read(folder / "labels").astype({"y": CLASSES, "yhat": CLASSES, "model": MODELS})


def read(folder: Path) -> Any:
    import dask.dataframe
    import pyarrow

    dd: Any = dask.dataframe  # untyped
    pyarrow.set_cpu_count(1)
    return dd.read_parquet(folder)


def reading(folder: Path) -> None:
    partitions(folder).map_partitions(len, meta=("rows", int)).compute()


def counts(folder: Path) -> Any:
    return po.ordinal(partitions(folder)).confusion("y", "yhat", by="model").compute().to_series()


def report(folder: Path) -> None:
    po.ordinal(partitions(folder)).report("y", "yhat", by="model").compute()


def side_by_side(folder: Path) -> Any:
    return read(folder / "compared").astype(dict.fromkeys(["y", *COMPARED], CLASSES))


def reading_models(ddf: Any) -> None:
    ddf.map_partitions(len, meta=("rows", int)).compute()


def compare(ddf: Any) -> None:
    po.ordinal(ddf).compare("y", COMPARED).compute()


def compare_by_cluster(ddf: Any) -> None:
    po.ordinal(ddf).compare("y", COMPARED, cluster="site").compute()


def file_by_file(folder: Path) -> Any:
    parts = [
        pd.read_parquet(file, columns=KEYS).groupby(KEYS, observed=True).size()
        for file in sorted((folder / "labels").iterdir())
    ]
    return pd.concat(parts).groupby(level=[0, 1, 2]).sum()


def whole(folder: Path) -> Any:
    return pd.read_parquet(folder / "labels", columns=KEYS).groupby(KEYS, observed=True).size()


def dask_groupby(folder: Path) -> Any:
    return partitions(folder).groupby(KEYS, observed=True).size().compute()


def by_polars(folder: Path) -> Any:
    import polars as pl

    counted = pl.scan_parquet(folder / "labels/*.parquet").group_by(KEYS).len().collect()
    return counted.cast(dict.fromkeys(KEYS, pl.String)).to_pandas().set_index(KEYS)["len"]


def by_duckdb(folder: Path) -> Any:
    import duckdb

    keys = ", ".join(KEYS)
    counted: Any = duckdb.sql(
        f"select {keys}, count(*) n from '{folder}/labels/*.parquet' group by {keys}"
    )
    return counted.df().set_index(KEYS)["n"]


def in_pandas(folder: Path) -> pd.DataFrame:
    return pd.read_parquet(folder / "scores").astype({"y": CLASSES})


def in_memory(folder: Path) -> Any:
    import dask.dataframe

    dd: Any = dask.dataframe  # untyped
    files = sorted((folder / "scores").iterdir())
    parts = [pd.read_parquet(file).astype({"y": CLASSES}) for file in files]
    return dd.from_map(lambda number: parts[number], range(len(parts)), meta=parts[0].iloc[:0])


def in_files(folder: Path) -> Any:
    return read(folder / "scores").astype({"y": CLASSES})


def set_index(ddf: Any) -> None:
    ddf.set_index("score").map_partitions(len).compute(scheduler="threads")


def vus(ddf: Any) -> float:
    return float(po.ordinal(ddf).vus("y", "score").compute(scheduler="threads"))


def vus_in_pandas(df: pd.DataFrame) -> float:
    return float(po.ordinal(df).vus("y", "score"))


COUNTING: dict[str, Way] = {
    "reading alone, Dask": (Path, reading),
    "`ddf.ordinal.confusion`": (Path, counts),
    "`ddf.ordinal.report`": (Path, report),
    "pandas `groupby.size`, file by file": (Path, file_by_file),
    "pandas `groupby.size`, all files at once": (Path, whole),
    "Dask `groupby.size`": (Path, dask_groupby),
    "Polars `group_by.len`": (Path, by_polars),
    "DuckDB `group by`": (Path, by_duckdb),
}
COMPARING: dict[str, Way] = {
    "reading alone": (side_by_side, reading_models),
    "`ddf.ordinal.compare`": (side_by_side, compare),
    '`ddf.ordinal.compare`, `cluster="site"`': (side_by_side, compare_by_cluster),
}
FROM_MEMORY: dict[str, Way] = {
    "`ddf.set_index`, from memory": (in_memory, set_index),
    "`ddf.ordinal.vus`, from memory": (in_memory, vus),
    "`df.ordinal.vus` of pandas": (in_pandas, vus_in_pandas),
}
FROM_FILES: dict[str, Way] = {
    "`ddf.set_index`, from files": (in_files, set_index),
    "`ddf.ordinal.vus`, from files": (in_files, vus),
}


def run(name: str, folder: Path) -> None:
    """Run one way in this process, and print its time, its memory and its result."""
    for module in ("dask.dataframe", "distributed", "pyarrow.parquet", "polars", "duckdb"):
        __import__(module)
    make, work = {**COUNTING, **COMPARING, **FROM_MEMORY, **FROM_FILES}[name]
    made = make(folder)
    start, before = time.perf_counter(), time.process_time()
    result = work(made)
    seconds, busy = time.perf_counter() - start, time.process_time() - before
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    if isinstance(result, pd.Series):
        result = tally(result)
    print(json.dumps({"seconds": seconds, "busy": busy, "memory": memory, "result": result}))


def tally(counted: Any) -> dict[str, int]:
    """Convert a Series of counts for JSON."""
    return {" ".join(map(str, key)): int(n) for key, n in counted.items() if n}


def measured(name: str, folder: Path) -> dict[str, Any]:
    """Run one way in a separate process."""
    command = [sys.executable, __file__, "--way", name, "--folder", str(folder)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def best(results: Sequence[dict[str, Any]], what: str) -> float:
    return float(min(result[what] for result in results))


def race(ways: Sequence[str], folder: Path) -> tuple[list[list[str]], list[Any]]:
    """Run ways in turns; return rows of a table, with ratios to the first, and the results."""
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in ways}
    for turn in range(1, TURNS + 1):
        for name, results in runs.items():
            print(f"{turn}/{TURNS} {name}", file=sys.stderr, flush=True)
            results.append(measured(name, folder))
    rows = []
    for name, results in runs.items():
        cells = [name]
        for what in ("seconds", "busy"):
            ours, floor = best(results, what), best(runs[ways[0]], what)
            cells += [f"{ours:.2f} s", f"{ours / floor:.2f} ×"]
        rows.append([*cells, f"{max(result['memory'] for result in results):,.0f} MiB"])
    values = [run["result"] for results in runs.values() for run in results]
    return rows, [value for value in values if value is not None]


def counting(folder: Path) -> str:
    """Compare counts and reports with reading alone, and with other engines."""
    rows, counts = race(list(COUNTING), folder)
    assert all(counted == counts[0] for counted in counts)
    return laid_out(header("reading alone"), rows)


def comparing(folder: Path) -> str:
    """Compare comparisons of models with reading alone."""
    return laid_out(header("reading alone"), race(list(COMPARING), folder)[0])


def ranking(folder: Path) -> str:
    """Compare VUS by ranges of the score with Dask's sort of the frame by the score."""
    rows, volumes = race(list(FROM_MEMORY), folder)
    more, other_volumes = race(list(FROM_FILES), folder)
    same([*volumes, *other_volumes], volumes[0])
    return laid_out(header("`set_index`"), rows + more)


def header(floor: str) -> list[str]:
    return ["way", "time", f"of {floor}", "processor time", f"of {floor}", "memory"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--way")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--files", type=int, default=N_FILES)
    parser.add_argument("--rows", type=int, default=N_ROWS, help="per file")
    options = parser.parse_args()
    if options.way:
        run(options.way, options.folder)
        return
    with TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, options.files, options.rows)
        text = TEXT.format(
            machine=machine(SHOWN),
            rows=options.files * options.rows,
            ranked=options.files * (options.rows // 5),
            files=options.files,
            size=sum(file.stat().st_size for file in (folder / "labels").iterdir()) / 2**20,
            turns=TURNS,
            counting=counting(folder),
            comparing=comparing(folder),
            ranking=ranking(folder),
        )
    publish(PART, text)


if __name__ == "__main__":
    main()
