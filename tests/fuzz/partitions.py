"""Dask frames whose partitions hold keys in other dtypes, or come from Parquet files."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

import pandas_ordinal as po
from fuzz import literal
from fuzz.answers import Wrong, plain, refuse_other, refuse_other_cube, result_of
from fuzz.frames import often
from fuzz.tables import Table, frame_of, make_table

NUMBERS = [[2**53, 2**53 + 1, 0.5], [1, 2, 2.5], [2**63, 2**63 - 1, 7], [0, 1, True], [3, 1, 2]]
DTYPES = ["int64", "int64", "int32", "uint64", "float64", "Int64", "bool"]


def check(rng: random.Random) -> None:
    """Count, score or report a Dask frame."""
    table = make_table(rng, n_models=rng.choice([1, 1, 2]))
    ends = sorted(rng.randint(0, len(table.true)) for _ in range(rng.choice([1, 2, 3])))
    spans = [
        range(start, stop)
        for start, stop in zip([0, *ends], [*ends, len(table.true)], strict=True)
    ]
    parts = [frame_of(table, span) for span in spans]
    if table.keys and often(rng, 0.5):
        table, parts = _with_numbers(rng, table, parts)
    elif often(rng, 0.4):
        with TemporaryDirectory() as folder:
            _write(rng, table, parts, Path(folder))
            _compare(rng, table, dd.read_parquet(folder), may=False)
        return
    steady = parts[0].dtypes
    with dask.config.set({"dataframe.convert-string": False}):
        ddf = dd.from_map(pd.DataFrame.copy, parts, meta=steady_meta(steady))
    _compare(rng, table, ddf, _may_be_refused(parts))


def steady_meta(dtypes: Any) -> pd.DataFrame:
    return pd.DataFrame({name: pd.Series(dtype=dtype) for name, dtype in dtypes.items()})


def _with_numbers(
    rng: random.Random, table: Table, parts: list[pd.DataFrame]
) -> tuple[Table, list[pd.DataFrame]]:
    """Give each partition a key of numbers in a dtype of its own."""
    name, choices = rng.choice([*table.keys]), rng.choice(NUMBERS)
    dtypes = rng.sample(DTYPES, 2)
    again = []
    for part in parts:
        values = [rng.choice(choices) for _ in range(len(part))]
        again.append(part.assign(**{name: _numbers(rng.choice(dtypes), values)}))
    held = [one for part in again for one in part[name].tolist()]
    return replace(table, keys={**table.keys, name: held}), again


def _numbers(dtype: str, values: Sequence[Any]) -> Any:
    """Return numbers in this dtype, as far as it has them."""
    if dtype == "float64":
        return np.array(values, dtype)
    if dtype == "bool":
        return np.array([value in (1, True) for value in values], bool)
    lowest, highest = {"int32": (0, 2**31 - 1), "uint64": (0, 2**64 - 1)}.get(
        dtype, (0, 2**63 - 1)
    )
    whole = [min(max(int(value), lowest), highest) for value in values]
    return pd.array(whole, dtype) if dtype == "Int64" else np.array(whole, dtype)


def _may_be_refused(parts: Sequence[pd.DataFrame]) -> bool:
    """Whether a key has booleans and numbers, or large integers and floats, in two partitions."""
    for name in [column for column in parts[0] if column.startswith("key")]:
        kinds = {part[name].dtype.kind for part in parts if len(part)}
        kinds |= {parts[0][name].dtype.kind}
        values = [one for part in parts for one in part[name].tolist() if isinstance(one, int)]
        if "b" in kinds and len(kinds) > 1:
            return True
        if "f" in kinds and kinds & set("iu") and max(values, default=0) > 2**53:
            return True
    return False


def _write(rng: random.Random, table: Table, parts: Sequence[pd.DataFrame], folder: Path) -> None:
    """Write each partition as a file, text keys as dictionaries, by pyarrow or Polars."""
    text = [name for name, key in table.keys.items() if all(isinstance(one, str) for one in key)]
    for number, part in enumerate(parts):
        path, made = folder / f"{number}.parquet", pa.Table.from_pandas(part, preserve_index=False)
        for name in text:
            column = made.column(name).cast(pa.string()).combine_chunks().dictionary_encode()
            made = made.set_column(made.column_names.index(name), name, column)
        made = made.replace_schema_metadata(None)
        if often(rng, 0.5):
            import polars as pl

            frame: Any = pl.from_arrow(made)
            frame.write_parquet(path)
        else:
            pq.write_table(made, path)


def _compare(rng: random.Random, table: Table, ddf: Any, may: bool) -> None:
    """Compare a cube, a score or a report."""
    models = list(table.preds)
    pred: Any = models if len(models) > 1 else models[0]
    given: dict[str, Any] = dict(table.options)
    given |= {"by": list(table.keys)} if table.keys else {}
    given |= {} if table.weights is None else {"sample_weight": "w"}
    name, option = rng.choice([*literal.METRICS]), rng.choice(["count", "score", "report"])
    calls: dict[str, Callable[[], Any]] = {
        "count": lambda: po.ordinal(ddf).confusion("y", pred, **given).compute(),
        "score": lambda: getattr(po.ordinal(ddf), name)("y", pred, **given).compute(),
        "report": lambda: po.ordinal(ddf).report("y", pred, metrics=[name], **given).compute(),
    }
    refused = table.refused | ({ValueError} if may else set())
    with dask.config.set(scheduler="synchronous"):
        found = result_of(refused, calls[option], undefined=None, may=may and not table.refused)
    rows = {model: table.rows(model) for model in models}
    if option == "count":
        ends = len(models) > 1
        due = {
            (*key, *([model] if ends else [])): of_group
            for model in models
            for key, of_group in rows[model].items()
        }
        refuse_other_cube(found, due)
        return
    cells = list(_cells(table, models))
    if table.keys or len(models) > 1:
        labels = [(*key, *([model] if len(models) > 1 else [])) for key, model in cells]
        index = [one if isinstance(one, tuple) else (one,) for one in map(plain, found.index)]
        if index != labels:
            raise Wrong(f"rows {index}, due {labels}")
    scored = found if option == "score" else found[name]
    for metric, values in {name: scored, "n": found["n"] if option == "report" else None}.items():
        formula: Any = literal.n if metric == "n" else literal.METRICS[metric]
        if values is not None:
            of_cells = [rows[model].get(key, []) for key, model in cells]
            due_values = [formula(of_cell, len(table.classes)) for of_cell in of_cells]
            refuse_other(np.atleast_1d(values).tolist(), due_values)


def _cells(table: Table, models: Sequence[str]) -> Iterator[tuple[tuple[Any, ...], str]]:
    """Yield the groups in order, each with every model."""
    groups = sorted({key for key in table.groups() if key is not None}) if table.keys else [()]
    for key in groups:
        for model in models:
            yield key, model
