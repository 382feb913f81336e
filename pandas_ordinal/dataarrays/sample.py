"""Arrays as rows: cases one below the other, and beside them what each model says of them."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.counting.arrays import Array, Probabilities, tolerance
from pandas_ordinal.counting.counts import Factor
from pandas_ordinal.dataarrays.keys import keys_of
from pandas_ordinal.dataarrays.query import ArrayQuery
from pandas_ordinal.dataarrays.tiles import CLASS_DIM, numbers_of
from pandas_ordinal.groups import ALL_ROWS, Groups
from pandas_ordinal.rows.gather import counted_by, refuse_wrong
from pandas_ordinal.rows.sample import Inputs, LabelColumn, Sample

Arrays = Mapping[str, xr.DataArray]
Sizes = Mapping[Hashable, int]


def sample_of_arrays(arrays: ArrayQuery, model: Hashable, cluster: xr.DataArray | None) -> Sample:
    """Put the cases of arrays below one another, beside what each model says of them."""
    true, inputs = arrays.codes["true"], arrays.inputs
    said = {**{name: one for name, one in arrays.codes.items() if name != "true"}, **inputs}
    models = _models(true, said, model)
    sizes = _sizes(true, said, arrays.dims, model)
    beside = {f"by={name!r}": key.codes for name, key in arrays.by.items()}
    beside |= {f"mask {n}": mask for n, mask in enumerate(arrays.masks)}
    if cluster is not None:
        (key,) = keys_of([cluster], list(sizes), arrays.dropna, "cluster").values()
        beside["cluster"] = key.codes
    every = {"true": true, **said, **beside}
    flat = {name: _flat(one, sizes, model) for name, one in _loaded(every).items()}
    groups = None
    if len(sizes) > len(arrays.dims) or arrays.by:
        groups = _groups(arrays, flat, sizes, every)
        flat = {name: one[..., groups.keep] for name, one in flat.items()}
    codes = flat["true"].astype(np.intp)
    if cluster is not None:
        codes = np.where(flat["cluster"] < 0, -1, codes)
    left_out = np.zeros((len(models), len(codes)), bool)
    for n in range(len(arrays.masks)):
        left_out |= ~flat[f"mask {n}"]
    labels = LabelColumn(true.name, codes)
    preds = [LabelColumn(said["pred"].name, one) for one in flat.get("pred", [])]
    read = {name: [_inputs(one.name, part) for part in flat[name]] for name, one in inputs.items()}
    counted = counted_by(labels, preds, read, [None, *left_out], len(models), arrays.dropna)
    if "proba" in read:
        refuse_wrong(counted, read["proba"], pd.RangeIndex(len(codes)))
    return Sample(
        classes=arrays.classes,
        true=labels,
        counted=counted,
        preds=preds,
        inputs=read,
        weights=None,
        in_fractions=False,
        groups=groups,
        models=models,
        dropna=True,  # missing labels have been refused above
        clusters=flat.get("cluster"),
    )


def _models(true: xr.DataArray, said: Arrays, model: Hashable) -> pd.Index[Any]:
    """Return the labels along the dimension of the models."""
    for option, array in said.items():
        if model not in array.dims or model in true.dims:
            raise ValueError(
                f"model={model!r} must be a dimension that the true labels lack and {option} has: "
                f"true has {true.dims}, {option} {array.dims}"
            )
    first = next(iter(said.values()))
    return pd.Index(first[model].values, name=model, tupleize_cols=False)


def _sizes(
    true: xr.DataArray, said: Arrays, dims: Sequence[Hashable], model: Hashable
) -> dict[Hashable, int]:
    """Return the sizes of the dimensions of the cases, those first that are not counted over."""
    sizes = {d: n for one in (true, *said.values()) for d, n in one.sizes.items()}
    kept = [d for d in sizes if d not in (*dims, model, CLASS_DIM)]
    return {d: sizes[d] for d in (*kept, *dims)}


def _loaded(arrays: Arrays) -> dict[str, xr.DataArray]:
    """Compute what is chunked, all in one pass; refuse arrays of other coordinates."""
    xr.align(*arrays.values(), join="exact", copy=False)
    names = {name: f"pandas_ordinal_{n}" for n, name in enumerate(arrays)}
    alone = {names[name]: one.reset_coords(drop=True) for name, one in arrays.items()}
    loaded = xr.Dataset(alone).compute()
    return {name: loaded[of] for name, of in names.items()}


def _flat(array: xr.DataArray, sizes: Sizes, model: Hashable) -> Array:
    """Return values ``(n_models, n_classes, n_cases)``, without the axes that an array lacks."""
    before = [d for d in (model, CLASS_DIM) if d in array.dims]
    whole = array.expand_dims({d: n for d, n in sizes.items() if d not in array.dims})
    shape = [*(array.sizes[d] for d in before), math.prod(sizes.values())]
    return whole.transpose(*before, *sizes).values.reshape(shape)


def _groups(arrays: ArrayQuery, flat: Mapping[str, Array], sizes: Sizes, every: Arrays) -> Groups:
    """Return the groups of the cases: by place along the dimensions that are kept, and by key."""
    kept = [d for d in sizes if d not in arrays.dims]
    factors, levels = [], []
    places = np.unravel_index(np.arange(math.prod(sizes.values())), list(sizes.values()))
    for d, place in zip(kept, places, strict=False):
        of = next(one for one in every.values() if d in one.dims)
        factors.append(Factor(place, sizes[d]))
        levels.append(pd.Index(of[d].values, name=d))
    keep = np.ones(math.prod(sizes.values()), bool)
    for name, key in arrays.by.items():
        codes = flat[f"by={name!r}"]
        factors.append(Factor(codes, len(key.labels)))
        levels.append(key.labels.rename(name))
        keep &= codes >= 0
    if keep.all():
        return Groups(factors, levels, ALL_ROWS)
    return Groups([Factor(f.codes[keep], f.size) for f in factors], levels, keep)


def _inputs(name: Hashable, values: Array) -> Inputs:
    """Return scores ``(n_cases,)`` or probabilities ``(n_classes, n_cases)`` of a model."""
    numbers = numbers_of(str(name), values)
    if values.ndim == 1:
        return Inputs([name], numbers)
    within = tolerance(len(values), values.dtype)
    return Inputs([name] * len(values), Probabilities(list(numbers), within))
