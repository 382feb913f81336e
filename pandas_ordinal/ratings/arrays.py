"""Ratings in arrays: a dimension of raters, or a variable for each rater."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import xarray as xr

from pandas_ordinal.classes.gate import refuse_missing, smallest
from pandas_ordinal.counting.arrays import Array, Positions
from pandas_ordinal.cube.layout import refuse_same_names, with_attributes
from pandas_ordinal.dataarrays.coordinates import refuse_other_coordinates, refuse_without
from pandas_ordinal.dataarrays.flags import described
from pandas_ordinal.dataarrays.keys import dims_of, keys_among, keys_of
from pandas_ordinal.dataarrays.labels import LabelReader, label_reader
from pandas_ordinal.dataarrays.scored import as_report
from pandas_ordinal.dataarrays.tiles import Key
from pandas_ordinal.errors import UnknownNameError, brief, did_you_mean
from pandas_ordinal.query import Agreement, Query, Uncertainty
from pandas_ordinal.ratings.frames import table_of_rows
from pandas_ordinal.ratings.request import agreement_columns, facts_about, refuse_one_rater
from pandas_ordinal.reports.metrics import classes_of

RATER_DIM = "pandas_ordinal_rater"


def agreement_along(array: xr.DataArray, rater: Hashable, query: Query, asked: Agreement) -> Any:
    """Return the agreement of raters along a dimension of an array."""
    if not isinstance(rater, Hashable) or rater not in {*array.dims}:
        dims = list(array.dims)
        raise UnknownNameError(
            f"the ratings have no dimension {brief(rater)} of raters"
            f"{did_you_mean(rater, dims)}; their dimensions are {dims}"
        )
    refuse_one_rater(array.get_index(rater))
    name = str(array.name or "ratings")
    return _agreement({name: array.rename({rater: RATER_DIM})}, query, asked)


def agreement_of_variables(
    arrays: Mapping[str, xr.DataArray], query: Query, asked: Agreement
) -> Any:
    """Return the agreement of raters with an array each."""
    refuse_one_rater(arrays)
    return _agreement(arrays, query, asked)


def _agreement(given: Mapping[str, xr.DataArray], query: Query, asked: Agreement) -> xr.Dataset:
    _refuse_chunks(given)
    sources = list(given.values())
    labels, flags = described(
        {name: array.rename(name) for name, array in given.items()}, query.ignore
    )
    items = {
        name: array.isel({RATER_DIM: 0}, missing_dims="ignore") for name, array in labels.items()
    }
    first = next(iter(items.values()))
    dims = dims_of(first, query.dim)
    refuse_without(items, dims)
    reader = label_reader(labels, flags, query, None)
    codes = [_codes(reader, name, array) for name, array in labels.items()]
    ratings = codes[0] if RATER_DIM in codes[0].dims else xr.concat(
        codes, RATER_DIM, coords="minimal", compat="override", join="exact"
    )  # fmt: skip
    remaining = [dim for dim in ratings.dims if dim not in (*dims, RATER_DIM)]
    ratings = ratings.transpose(*remaining, *dims, RATER_DIM)
    by = _keys(query.by, sources, first, dims, "by")
    clusters = None
    if asked.cluster is not None:
        (key,) = _keys(asked.cluster, sources, first, dims, "cluster").values()
        clusters = _of_items(key, ratings, dims)
    refuse_same_names([*remaining, *by])
    kept = [ratings.sizes[dim] for dim in remaining]
    shape = (*kept, *(len(key.labels) for key in by.values()))
    segment = _segments(by, ratings, dims, math.prod(kept))
    sizes = np.bincount(segment, minlength=int(np.prod(shape)))
    n_raters = ratings.sizes[RATER_DIM]
    classes = classes_of(reader.classes, query.bins)
    matrix = ratings.values.reshape(-1, n_raters)
    if clusters is not None:
        clusters = np.tile(clusters, math.prod(kept))
    table = table_of_rows(matrix, segment, sizes, clusters, len(classes))
    coords = {name: one for name, one in ratings.coords.items() if {*one.dims} <= {*remaining}}
    coords |= {name: key.labels.rename(name) for name, key in by.items()}
    variables = {
        name: with_attributes(
            xr.DataArray(values.reshape(shape), coords, [*remaining, *by]), sources
        )
        for name, values in agreement_columns(asked, table, classes).items()
    }
    return as_report({}, variables, Uncertainty()).assign_attrs(facts_about(asked))


def _codes(reader: LabelReader, name: str, array: xr.DataArray) -> xr.DataArray:
    """Read labels as codes, -1 where one is missing or ignored."""
    if not reader.ignored:
        return reader.coded(array, name, [])
    selected = reader.selected(array)
    codes = reader.coded(array, name, [selected])
    dtype = smallest(reader.classes)
    return codes.astype(dtype).where(selected, dtype.type(-1))


def _keys(
    given: Any, sources: Sequence[xr.DataArray], first: xr.DataArray, dims: Sequence[Hashable],
    option: str,
) -> dict[str, Key]:  # fmt: skip
    """Read keys of the items; raise if one is missing."""
    if given is None:
        return {}
    labels = [
        one.rename(one.name or option) if isinstance(one, xr.DataArray) else one
        for one in keys_among(given, sources, option)
    ]
    keys = keys_of(labels, dims, True, option)
    for name, key in keys.items():
        n_missing = int((key.codes < 0).sum())
        refuse_missing(name, n_missing, "ratings.where(key.notnull(), drop=True)")
        refuse_other_coordinates({"true": first, f"{option}={name!r}": key.codes}, [])
    return keys


def _of_items(key: Key, ratings: xr.DataArray, dims: Sequence[Hashable]) -> Positions:
    """Return the place of the key of each item."""
    sizes = {dim: ratings.sizes[dim] for dim in dims}
    missing = {dim: size for dim, size in sizes.items() if dim not in key.codes.dims}
    return key.codes.expand_dims(missing).transpose(*dims).values.ravel()


def _segments(
    by: Mapping[str, Key], ratings: xr.DataArray, dims: Sequence[Hashable], n_kept: int
) -> Positions:
    """Return the place of each item in the result."""
    n_items = int(np.prod([ratings.sizes[dim] for dim in dims]))
    group: Array = np.zeros(n_items, np.intp)
    n_groups = 1
    for key in by.values():
        group = group * len(key.labels) + _of_items(key, ratings, dims)
        n_groups *= len(key.labels)
    segments: Positions = (np.arange(n_kept)[:, None] * n_groups + group).ravel()
    return segments


def _refuse_chunks(arrays: Mapping[str, xr.DataArray]) -> None:
    """Raise for arrays in chunks, whose items would have to be left out chunk by chunk."""
    for name, array in arrays.items():
        if array.chunks is not None:
            raise ValueError(
                f"{name!r} is in chunks, but agreement needs the ratings in memory: call "
                ".compute() first"
            )
