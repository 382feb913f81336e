"""Labels in DataArrays and Datasets, over one or two dimensions, with groups along them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from fuzz import literal
from fuzz.answers import Wrong, plain, refuse_other, result_of
from fuzz.frames import often
from fuzz.tables import KEYS, Table, make_table

OPTIONS = ["count", "score", "report"]


def check(rng: random.Random) -> None:
    """Count, score or report some arrays."""
    shape = rng.choice([(rng.choice([0, 1, 4, 9, 20]),), (2, 3), (4, 5), (3, 1), (5, 0)])
    dims = ["a", "b"][: len(shape)]
    table = make_table(rng, int(np.prod(shape)), n_models=rng.choice([1, 2]))
    counted = dims if often(rng, 0.7) else dims[1:] or dims
    arrays = {name: _array(values, shape, dims) for name, values in _columns(table).items()}
    keys: dict[str, xr.DataArray] = {}
    for name in table.keys:
        along = rng.choice([[dim] for dim in counted] + [list(counted)])
        sizes = [shape[dims.index(dim)] for dim in along]
        drawn = rng.choice(KEYS)
        labels = [rng.choice(drawn) for _ in range(int(np.prod(sizes)))]
        keys[name] = _array(labels, tuple(sizes), along).rename(name)
    places = list(product(*map(range, shape)))
    left = [dim for dim in dims if dim not in counted]
    on_rows = {dim: [place[dims.index(dim)] for place in places] for dim in left}
    for name, key in keys.items():
        flat = key.broadcast_like(arrays["y"]).transpose(*dims).to_numpy().ravel()
        on_rows[name] = pd.Series(flat).tolist()
    table = replace(table, keys=on_rows)
    levels = {dim: list(range(shape[dims.index(dim)])) for dim in left}
    levels |= {name: sorted(set(pd.Series(key.to_numpy().ravel()))) for name, key in keys.items()}
    _compare(rng, table, arrays, keys, levels, counted)


def _columns(table: Table) -> dict[str, Sequence[Any]]:
    weights = {} if table.weights is None else {"w": table.weights}
    return {"y": table.true, **table.preds, **weights}


def _array(values: Sequence[Any], shape: tuple[int, ...], dims: Sequence[str]) -> xr.DataArray:
    """Put values into an array: NaN is missing among numbers, None among objects."""
    kinds = {type(value) for value in values} - {type(None)}
    if None not in values and len(kinds) == 1:
        flat = np.array(values)
    elif kinds and kinds <= {int, float}:
        flat = np.array([np.nan if value is None else value for value in values], float)
    else:
        flat = np.empty(len(values), object)
        flat[:] = values
    return xr.DataArray(flat.reshape(shape), dims=dims)


def _compare(
    rng: random.Random,
    table: Table,
    arrays: dict[str, xr.DataArray],
    keys: dict[str, xr.DataArray],
    levels: dict[str, list[Any]],
    counted: list[str],
) -> None:
    """Call one of the surfaces, and compare each of its numbers."""
    models = list(table.preds)
    pred = arrays[models[0]]
    if len(models) > 1:
        pred = xr.concat([arrays[model] for model in models], pd.Index(models, name="model"))
        levels = {"model": models, **levels}
    ds = xr.Dataset({"y": arrays["y"], "yhat": pred, "w": arrays.get("w", arrays["y"])})
    ds = ds.assign_coords({name: key for name, key in keys.items() if len(key.dims) == 1})
    if often(rng, 0.12) and all(ds.sizes.values()):
        ds = ds.chunk({dim: rng.randint(1, 4) for dim in ds.sizes})
    given: dict[str, Any] = dict(table.options, dim=counted)
    if keys:
        given["by"] = [
            name if name in ds.coords and often(rng, 0.5) else key for name, key in keys.items()
        ]
    on_dataset = often(rng, 0.5)
    if table.weights is not None:
        given["sample_weight"] = "w" if on_dataset else ds["w"]
    surface: Any = ds.ordinal if on_dataset else ds["y"].ordinal
    asked = ("y", "yhat") if on_dataset else (ds["yhat"],)
    name = rng.choice([*literal.METRICS])
    option = rng.choice(OPTIONS)
    rows = {model: table.rows(model) for model in models}
    n_classes = len(table.classes)

    def due(at: dict[str, Any]) -> list[literal.Row]:
        model = at.get("model", models[0])
        return rows[model].get(tuple(at[key] for key in table.keys), [])

    if option == "count":
        cube = result_of(table.refused, lambda: surface.confusion(*asked, **given).compute())
        if cube.dims[-2:] != ("true", "pred"):
            raise Wrong(f"dimensions {cube.dims}")
        for at, part in _cells(cube, levels):
            if part.tolist() != literal.confusion(due(at), n_classes):
                raise Wrong(f"counts of {at}: {part.tolist()}")
        return
    if option == "score":
        call = lambda: getattr(surface, name)(*asked, **given).compute()  # noqa: E731
        scores = {name: result_of(table.refused, call, undefined=None)}
    else:
        report = result_of(
            table.refused, lambda: surface.report(*asked, metrics=[name], **given).compute()
        )
        scores = {name: report[name], "n": report["n"]}
    for metric, values in scores.items():
        formula: Any = literal.n if metric == "n" else literal.METRICS[metric]
        for at, value in _cells(values, levels):
            refuse_other([float(value)], [formula(due(at), n_classes)])


def _cells(values: xr.DataArray, levels: dict[str, list[Any]]) -> list[tuple[dict[str, Any], Any]]:
    """Return the values at each position along the dimensions of groups, and its labels."""
    dims = [str(dim) for dim in values.dims if dim not in ("true", "pred")]
    if set(dims) != set(levels):
        raise Wrong(f"dimensions {dims}, due {list(levels)}")
    for dim in dims:
        if dim in values.indexes and list(map(plain, values.indexes[dim])) != levels[dim]:
            raise Wrong(f"along {dim!r} {list(values.indexes[dim])}, due {levels[dim]}")
        if values.sizes[dim] != len(levels[dim]):
            raise Wrong(f"{values.sizes[dim]} labels along {dim!r}, due {levels[dim]}")
    sizes = [range(len(levels[dim])) for dim in dims]
    flat = values.to_numpy()
    return [
        ({dim: levels[dim][at] for dim, at in zip(dims, place, strict=True)}, flat[place])
        for place in product(*sizes)
    ]
