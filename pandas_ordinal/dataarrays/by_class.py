"""Tables by class and by cut, of cubes and of arrays: Datasets with a dimension `class`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal import inference
from pandas_ordinal.classes.bins import BinsLike
from pandas_ordinal.counting.arrays import Array
from pandas_ordinal.cube.layout import (
    CLASS_DIMS,
    VECTOR_DIM,
    class_index,
    sums_of,
    with_attributes,
)
from pandas_ordinal.dataarrays.query import CLUSTER_DIM, ArrayQuery, array_query
from pandas_ordinal.dataarrays.sample import warn_of_repeated_cases
from pandas_ordinal.dataarrays.scored import (
    as_report,
    clusters_of,
    clusters_of_cube,
    complete,
    core_dims,
    refuse_class_dim,
    refuse_floats,
    uncertainty_of_scores,
    with_classes,
    with_whole_tables,
)
from pandas_ordinal.query import Query
from pandas_ordinal.reports.by_class import AT_CUTS, AUC, OF_TWO, TableByClass
from pandas_ordinal.reports.metrics import Classes, classes_of

COLUMN_DIM = "column of a table by class"
OF_TWO_CLASSES = pd.CategoricalDtype(["up to the cut", "above"], ordered=True)


def table_of_cube(cube: xr.DataArray, bins: BinsLike | None, table: TableByClass) -> xr.Dataset:
    """Return the columns of a table over the other dimensions and the classes, or cuts."""
    cube, classes = with_classes(cube, bins)
    cubes = {"n": cube, "counts": cube}
    if table.uncertainty.cluster is not None:
        clusters = clusters_of_cube(cube, table.uncertainty.cluster)
        whole = sums_of(clusters, [CLUSTER_DIM])
        cubes = {"n": whole, "counts": whole, "clusters": clusters}
    elif table.uncertainty.is_requested:
        refuse_floats(cube)
    return as_report({}, _of_counts(cubes, classes, table), table.uncertainty)


def table_of_arrays(
    query: Query, table: TableByClass, holders: Sequence[xr.Dataset] = ()
) -> xr.Dataset:
    """Count arrays of labels, and return the columns of a table."""
    uncertainty = table.uncertainty
    arrays, of_inputs = complete(array_query(query, uncertainty.cluster, holders))
    with_auc, is_weighted = "score" in arrays.inputs, arrays.weight is not None
    cubes = {}
    if uncertainty.is_requested:
        inference.report.refuse_without_rule(
            {AUC: OF_TWO} if with_auc else {}, uncertainty, is_weighted
        )
        warn_of_repeated_cases(arrays, None)
        cubes = arrays.units()
    if arrays.clusters is None:
        cubes["counts"] = arrays.cube()
    else:
        cubes["clusters"] = arrays.clustered_cube()
        cubes["counts"] = cubes["clusters"].sum(CLUSTER_DIM)
    cubes["n"] = replace(arrays, weight=None).cube() if is_weighted else cubes["counts"]
    columns = _of_counts(cubes, arrays.classes, table)
    if with_auc:
        columns |= _auc(of_inputs["score"], table)
    return as_report({}, columns, table.uncertainty)


def _of_counts(
    cubes: Mapping[str, xr.DataArray], classes: Classes, table: TableByClass
) -> dict[str, xr.DataArray]:
    """Return the columns of counts, given cubes of what `drawn_tables` takes."""
    cube = cubes["counts"]
    refuse_class_dim(cube)
    core = {name: core_dims(one) for name, one in cubes.items()}
    names = [*table.sizes, *table.names(with_auc=False)]
    labels = class_index(classes.dtype, VECTOR_DIM)
    labels = labels[:-1] if table.at_cuts else labels
    values = xr.apply_ufunc(
        partial(_columns, table, {name: len(dims) for name, dims in core.items()}),
        *map(with_whole_tables, cubes.values()),
        input_core_dims=list(core.values()),
        output_core_dims=[[VECTOR_DIM, COLUMN_DIM]],
        dask="parallelized",
        dask_gufunc_kwargs={"output_sizes": {VECTOR_DIM: len(labels), COLUMN_DIM: len(names)}},
        output_dtypes=[float],
    )
    values = with_attributes(values, [cube]).assign_coords({VECTOR_DIM: labels})
    columns = {name: values[..., place] for place, name in enumerate(names)}
    if cubes["n"].dtype.kind in "iu":
        columns |= {name: columns[name].astype(np.int64) for name in table.sizes}
    return columns


def _columns(table: TableByClass, n_core: Mapping[str, int], *arrays: Array) -> Array:
    """Return all columns, as ``(..., classes, columns)``.

    `n_core` has the number of dimensions after the leading ones, by the name of each array.
    """
    given = dict(zip(n_core, arrays, strict=True))
    leading = np.broadcast_shapes(
        *(one.shape[: one.ndim - n_core[name]] for name, one in given.items())
    )
    flat = {}
    for name, one in given.items():
        core = one.shape[one.ndim - n_core[name] :]
        whole = np.broadcast_to(one, (*leading, *core))
        flat[name] = whole.reshape(-1, *(core or (1, 1)))
    n, counts = flat.pop("n"), flat.pop("counts")
    sums_of(xr.DataArray(n, dims=("group", *CLASS_DIMS)))  # raises if they are too large
    extra: dict[str, Any] = dict(flat)
    if "clusters" in flat:
        extra["clusters"] = clusters_of(flat["clusters"])
    drawn = inference.by_class.drawn_tables(n, counts, **extra)
    columns = inference.by_class.columns_of_table(drawn, table)
    stacked = np.stack([column.astype(float) for column in columns.values()], axis=-1)
    return stacked.reshape(*leading, *stacked.shape[1:])


def _auc(arrays: ArrayQuery, table: TableByClass) -> dict[str, xr.DataArray]:
    """Return the area under the ROC curve at each cut, and its bounds."""
    auc, _ = arrays.score(*AT_CUTS)
    auc = auc.isel({VECTOR_DIM: slice(-1)})
    if not table.uncertainty.is_requested:
        return {AUC: auc}
    of_cuts = []
    true = arrays.codes["true"]
    for k in range(auc.sizes[VECTOR_DIM]):
        above = (true > k).astype(np.intp).where(true >= 0, -1)
        of_cut = replace(
            arrays, codes={**arrays.codes, "true": above}, classes=classes_of(OF_TWO_CLASSES, None)
        )
        scored = auc.isel({VECTOR_DIM: k})
        of_cuts.append(uncertainty_of_scores(of_cut, AUC, OF_TWO, scored, table.uncertainty))
    return {AUC: auc} | {
        name: xr.concat([one[name] for one in of_cuts], auc[VECTOR_DIM]).transpose(..., VECTOR_DIM)
        for name in of_cuts[0]
    }
