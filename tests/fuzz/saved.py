"""Cubes, reports and frames that are saved and opened, and many cubes that are combined."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

import pandas_ordinal as po
from fuzz import literal
from fuzz.answers import Wrong, refuse_other, refuse_other_cube
from fuzz.frames import often
from fuzz.tables import Table, frame_of, make_table

METRICS = ["mae", "kappa"]


def check_files(rng: random.Random) -> None:
    """Save and open a cube, a report or a frame, or open the cubes of many files."""
    table = replace(make_table(rng, n_models=rng.choice([1, 2])), dropna=True)
    with TemporaryDirectory() as folder:
        rng.choice([_cube, _report, _frame, _many])(rng, table, Path(folder))


def check_parts(rng: random.Random) -> None:
    """Add and concatenate the cubes of many parts, which share some groups."""
    table = replace(make_table(rng, n_models=1), dropna=True)
    cubes = _cubes(rng, table)
    if cubes:
        _compare_parts(table, po.add(*cubes.values()), po.concat(cubes, "part"))


def _confusion(table: Table, rows: list[int] | None = None) -> xr.DataArray:
    """Count the rows of a table, or some of them."""
    models = list(table.preds)
    pred: Any = models if len(models) > 1 else models[0]
    given: dict[str, Any] = dict(table.options, by=list(table.keys) or None)
    given |= {} if table.weights is None else {"sample_weight": "w"}
    cube: xr.DataArray = frame_of(table, rows).ordinal.confusion("y", pred, **given)
    return cube


def _due(table: Table) -> dict[Any, list[literal.Row]]:
    ends = len(table.preds) > 1
    return {
        (*key, *([model] if ends else [])): rows
        for model in table.preds
        for key, rows in table.rows(model).items()
    }


def _save(rng: random.Random, found: Any, folder: Path, name: str = "one") -> Path:
    """Save a cube or a report as netCDF or zarr."""
    if often(rng, 0.6):
        path = folder / f"{name}.nc"
        found.ordinal.to_netcdf(path, engine=rng.choice(["netcdf4", "h5netcdf"]))
    else:
        path = folder / f"{name}.zarr"
        found.ordinal.to_zarr(path, zarr_format=rng.choice([2, 3]))
    return path


def _cube(rng: random.Random, table: Table, folder: Path) -> None:
    path = _save(rng, _confusion(table), folder)
    chunks: Any = {} if often(rng, 0.2) else None
    opened = po.open_cube(path, chunks=chunks)
    refuse_other_cube(opened, _due(table))
    opened.close()
    for dim, key in table.keys.items():
        if not opened.indexes[dim].equals(pd.Index(sorted(set(key)))):
            raise Wrong(f"along {dim!r} {opened.indexes[dim]}")


def _report(rng: random.Random, table: Table, folder: Path) -> None:
    cube = _confusion(table)
    path = _save(rng, cube.ordinal.report(metrics=METRICS), folder)
    opened = po.open_report(path)
    due = _due(table)
    for name in METRICS:
        formula: Any = literal.METRICS[name]
        for place in np.ndindex(opened[name].shape):
            indexes = [opened[name].indexes[dim] for dim in opened[name].dims]
            key = tuple(index[at] for index, at in zip(indexes, place, strict=True))
            value = float(opened[name].to_numpy()[place])
            refuse_other([value], [formula(due.get(key, []), len(table.classes))])


def _frame(rng: random.Random, table: Table, folder: Path) -> None:
    """Save a frame of Categoricals in any order."""
    frame, path = frame_of(table), folder / "one.parquet"
    declared = [
        *table.classes,
        *(one for one in table.ignored if type(one) is type(table.classes[0])),
    ]
    rng.shuffle(declared)
    for name in ["y", *table.preds]:
        frame[name] = frame[name].ordinal.as_ordered(declared)
    frame.ordinal.to_parquet(path)
    opened = po.read_parquet(path)
    for name, values in {"y": table.true, **table.preds, **table.keys}.items():
        there = [None if literal.is_lost(one) else one for one in opened[name]]
        if there != values or list(map(type, there)) != list(map(type, values)):
            raise Wrong(f"{name!r} holds {there}, due {values}")
    for name in ["y", *table.preds]:
        if opened[name].cat.categories.tolist() != declared or not opened[name].cat.ordered:
            raise Wrong(f"{name!r} has the classes {opened[name].cat.categories}")


def _cubes(rng: random.Random, table: Table) -> dict[str, xr.DataArray]:
    """Return the cubes of some parts of the rows."""
    n_parts = rng.choice([1, 2, 3, 8])
    part_of = [rng.randrange(n_parts) for _ in table.true]
    counted = {}
    for part in sorted(set(part_of)):
        rows = [row for row, one in enumerate(part_of) if one == part]
        counted[f"part {part}"] = _confusion(table, rows)
    return {name: cube for name, cube in counted.items() if cube.size}


def _compare_parts(table: Table, added: xr.DataArray, stacked: xr.DataArray) -> None:
    """Compare a sum of cubes, and the sum over the dimension along which they were stacked."""
    due = _due(table)
    refuse_other_cube(added, due)
    refuse_other_cube(stacked.sum("part"), due)
    if added.indexes["true"].tolist() != table.classes:
        raise Wrong(f"classes {added.indexes['true']}")


def _many(rng: random.Random, table: Table, folder: Path) -> None:
    paths = {name: _save(rng, cube, folder, name) for name, cube in _cubes(rng, table).items()}
    if paths:
        opened = po.open_cube(list(paths.values())), po.open_cube(paths, dim="part")
        _compare_parts(table, *opened)
