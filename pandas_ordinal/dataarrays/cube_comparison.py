"""Models along a dimension of a cube, compared by the clusters along another one."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal import inference
from pandas_ordinal.classes.bins import BinsLike
from pandas_ordinal.counting.arrays import Array, Floats
from pandas_ordinal.cube.layout import CLASS_DIMS, product, sums_of
from pandas_ordinal.dataarrays.query import CLUSTER_DIM
from pandas_ordinal.dataarrays.scored import with_classes
from pandas_ordinal.errors import brief, did_you_mean
from pandas_ordinal.groups import levels_of
from pandas_ordinal.inference.paired import PairedClusters
from pandas_ordinal.metrics.stack import block_size
from pandas_ordinal.query import Comparison, Uncertainty
from pandas_ordinal.reports.metrics import MetricsLike
from pandas_ordinal.rows.compare import Coverage, refuse_taken_names, request_of, result_of


def compare_cube(
    cube: xr.DataArray,
    bins: BinsLike | None,
    model: Hashable,
    metrics: MetricsLike | None,
    comparison: Comparison,
) -> pd.DataFrame:
    """Compare the models of a cube for each position along the dimensions that are left."""
    cube, classes = with_classes(cube, bins)
    clusters = _dims_of_clusters(cube, model, comparison)
    others = [dim for dim in cube.dims if dim not in (model, *clusters, *CLASS_DIMS)]
    models = _index_along(cube, model)
    request = request_of(models, classes, ["pred"], metrics, comparison)
    refuse_taken_names(others)
    sizes = [[cube.sizes[dim] for dim in dims] for dims in (others, clusters)]
    tables = cube.transpose(*others, *clusters, model, *CLASS_DIMS).to_numpy()
    shape = *(int(np.prod(size)) for size in sizes), *tables.shape[-3:]
    tables = tables.reshape(shape)
    keys = levels_of(product([_index_along(cube, dim) for dim in others])) if others else []
    _refuse_other_rows(tables, models, keys)
    first = xr.DataArray(tables[:, :, 0], dims=("group", CLUSTER_DIM, *CLASS_DIMS))
    n_rows = sums_of(first, [CLUSTER_DIM, *CLASS_DIMS]).to_numpy()
    if not n_rows.any():
        raise ValueError("the cube has no rows, so there is nothing to compare")
    measures = inference.report.measures_of(request.requested, classes, Uncertainty())
    differences = inference.pairs.paired_differences(measures, _blocks(tables[n_rows > 0]))
    shares = np.where(n_rows > 0, 1.0, np.nan)[:, None].repeat(len(models), axis=1)
    n_clusters = tables[:, :, 0].any(axis=(2, 3)).sum(axis=1)
    coverage = Coverage(n_rows, shares, n_clusters)
    return result_of(request, differences, {}, coverage, keys)


def _index_along(cube: xr.DataArray, dim: Hashable) -> pd.Index[Any]:
    """Return the labels along a dimension, or its positions if it has none."""
    positions: pd.Index[Any] = pd.RangeIndex(cube.sizes[dim], name=dim)
    labels: pd.Index[Any] = cube.indexes.get(dim, positions)
    return labels


def _dims_of_clusters(
    cube: xr.DataArray, model: Hashable, comparison: Comparison
) -> list[Hashable]:
    """Return the dimensions of the clusters; raise for options that a cube does not support."""
    dims = [dim for dim in cube.dims if dim not in CLASS_DIMS]
    if model not in dims:
        raise ValueError(
            f"model={brief(model)} must be the dimension of the models, one of {dims}"
            f"{did_you_mean(model, dims)}"
        )
    if cube.sizes[model] < 2:
        raise ValueError(f"compare needs two or more models, and {model!r} has one position")
    if comparison.cluster is None:
        raise ValueError(
            "a cube has the counts of each model, but not which rows two models get wrong "
            "together: name the dimension of clusters, such as cluster='fold', or call "
            "df.ordinal.compare(...) on the rows"
        )
    if comparison.method == "permutation":
        raise ValueError(
            'method="permutation" swaps rows, and a cube holds counts: leave it out, or call '
            'df.ordinal.compare(..., method="permutation") on the rows'
        )
    clusters = comparison.cluster if isinstance(comparison.cluster, list) else [comparison.cluster]
    others = [dim for dim in dims if dim != model]
    for dim in clusters:
        if not isinstance(dim, Hashable) or dim not in others:
            raise ValueError(
                f"cluster={brief(comparison.cluster)} must name a dimension of the cube other "
                f"than that of the models, one of {others}{did_you_mean(dim, others)}"
            )
    return list(dict.fromkeys(clusters))


def _refuse_other_rows(tables: Array, models: pd.Index[Any], keys: list[pd.Index[Any]]) -> None:
    """Raise unless all models predict as many rows of each class in each cluster."""
    sizes = tables.sum(axis=-1, dtype=float)
    differ = ~np.isclose(sizes, sizes[:, :, :1]).all(axis=-1)
    if differ.any():
        group, cluster, model = (int(place) for place in np.argwhere(differ)[0])
        n, of_first = (int(sizes[group, cluster, one].sum()) for one in (model, 0))
        where = "".join(f"{key.name}={key[group]!r}, " for key in keys)
        raise ValueError(
            f"the models do not predict the same rows: in {where}cluster {cluster}, "
            f"{models[0]!r} has {of_first} and {models[model]!r} has {n}, or other true classes; "
            "count only rows that all models predict"
        )


def _blocks(tables: Array) -> Iterator[PairedClusters]:
    """Yield the clusters of a few groups at a time; the tables are (groups, clusters, models)."""
    n_groups, n_clusters, n_models, n_classes, _ = tables.shape
    size = max(1, block_size(n_classes) // (n_models * max(1, n_clusters)))
    for start in range(0, n_groups, size):
        block = tables[start : start + size]
        means = _mean_weights(block)
        if means is not None:
            block = block / means[:, *[None] * 4]
        group, cluster = np.nonzero(block[:, :, 0].any(axis=(2, 3)))
        counts = [block[group, cluster, model] for model in range(n_models)]
        yield PairedClusters(counts, group, len(block), n_classes, means=means)


def _mean_weights(tables: Array) -> Floats | None:
    """Return the mean weight of a row of each group; None for counts.

    There is at least one row in each cell of a cluster that is not empty: so many are assumed.
    """
    if tables.dtype.kind != "f":
        return None
    n_rows = (tables > 0).sum(axis=(1, 3, 4)).max(axis=1)
    means: Floats = tables[:, :, 0].sum(axis=(1, 2, 3)) / n_rows
    return means
