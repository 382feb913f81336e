"""Tables by class and by cut, of cubes and of arrays: Datasets with a dimension `class`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

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
    refuse_same_names,
    with_attributes,
)
from pandas_ordinal.dataarrays.query import CLUSTER_DIM, ArrayQuery, array_query
from pandas_ordinal.dataarrays.scored import (
    as_report,
    clusters_of,
    complete,
    refuse_chunks_without_names,
    refuse_clusters,
    refuse_floats,
    uncertainty_of_scores,
    with_classes,
)
from pandas_ordinal.inference.by_class import ClusterCounts, DrawnTables, WeightSums
from pandas_ordinal.query import Query
from pandas_ordinal.reports.by_class import AT_CUTS, AUC, OF_TWO, TableByClass
from pandas_ordinal.reports.metrics import Classes, classes_of

COLUMN_DIM = "column of a table by class"
OF_TWO_CLASSES = pd.CategoricalDtype(["up to the cut", "above"], ordered=True)


def table_of_cube(cube: xr.DataArray, bins: BinsLike | None, table: TableByClass) -> xr.Dataset:
    """Return the columns of a table over the other dimensions and the classes, or cuts."""
    refuse_clusters(table.uncertainty)
    cube, classes = with_classes(cube, bins)
    if table.uncertainty.is_requested:
        refuse_floats(cube)
    return _as_report(_of_counts({"rows": cube, "counts": cube}, classes, table))


def table_of_arrays(query: Query, table: TableByClass) -> xr.Dataset:
    """Count arrays of labels, and return the columns of a table."""
    arrays, of_inputs = complete(array_query(query, table.uncertainty.cluster))
    refuse_chunks_without_names(arrays)
    with_auc, is_weighted = "score" in arrays.inputs, arrays.weight is not None
    cubes = {"counts": arrays.cube()}
    cubes["rows"] = replace(arrays, weight=None).cube() if is_weighted else cubes["counts"]
    if table.uncertainty.is_requested:
        if is_weighted:
            table.uncertainty.refuse_weights()
        inference.report.refuse_without_rule(
            {AUC: OF_TWO} if with_auc else {}, table.uncertainty, is_weighted
        )
        cubes |= arrays.units()
    columns = _of_counts(cubes, arrays.classes, table)
    if with_auc:
        columns |= _auc(of_inputs["score"], table)
    return _as_report(columns)


def _as_report(columns: dict[str, xr.DataArray]) -> xr.Dataset:
    return as_report(columns.pop("n"), columns)


def _of_counts(
    cubes: Mapping[str, xr.DataArray], classes: Classes, table: TableByClass
) -> dict[str, xr.DataArray]:
    """Return the columns of counts, given cubes of what `DrawnTables` holds."""
    cube = cubes["counts"]
    others = [name for name in dict.fromkeys([*cube.dims, *cube.coords]) if name not in CLASS_DIMS]
    refuse_same_names([*others, VECTOR_DIM])
    core = (CLUSTER_DIM, *CLASS_DIMS)
    if cube.chunks is not None:
        cubes = {
            name: one.chunk({dim: -1 for dim in core if dim in one.dims})
            for name, one in cubes.items()
        }
    names = [*table.sizes, *table.names(with_auc=False)]
    labels = class_index(classes.dtype, VECTOR_DIM)
    labels = labels[:-1] if table.at_cuts else labels
    values = xr.apply_ufunc(
        partial(_columns, table, list(cubes)),
        *cubes.values(),
        input_core_dims=[[dim for dim in core if dim in one.dims] for one in cubes.values()],
        output_core_dims=[[VECTOR_DIM, COLUMN_DIM]],
        dask="parallelized",
        dask_gufunc_kwargs={"output_sizes": {VECTOR_DIM: len(labels), COLUMN_DIM: len(names)}},
        output_dtypes=[float],
        keep_attrs=False,
    )
    values = with_attributes(values, [cube]).assign_coords({VECTOR_DIM: labels})
    columns = {name: values[..., place] for place, name in enumerate(names)}
    if cubes["rows"].dtype.kind in "iu":
        columns |= {name: columns[name].astype(np.int64) for name in table.sizes}
    return columns


def _columns(table: TableByClass, names: Sequence[str], *arrays: Array) -> Array:
    """Return all columns of tables ``(..., K, K)``, as ``(..., classes, columns)``."""
    given = dict(zip(names, arrays, strict=True))
    n_core = {name: 3 if name == "clusters" else 2 for name in names}
    leading = np.broadcast_shapes(*(one.shape[: -n_core[name]] for name, one in given.items()))
    flat = {}
    for name, one in given.items():
        core = one.shape[-n_core[name] :]
        flat[name] = np.broadcast_to(one, (*leading, *core)).reshape(-1, *core)
    drawn = DrawnTables(
        flat["rows"],
        flat["counts"],
        WeightSums(flat["norms"], flat["n"]) if "norms" in flat else None,
        ClusterCounts(*clusters_of(flat["clusters"])) if "clusters" in flat else None,
    )
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
        scored = auc.isel({VECTOR_DIM: k}, drop=True)
        of_cuts.append(uncertainty_of_scores(of_cut, AUC, OF_TWO, scored, table.uncertainty))
    return {AUC: auc} | {
        name: xr.concat([one[name] for one in of_cuts], auc[VECTOR_DIM]).transpose(..., VECTOR_DIM)
        for name in of_cuts[0]
    }
