"""What the xarray surfaces share: cubes and arrays of labels, scored and reported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.arrays import Array, Floats
from pandas_ordinal.cube import CLASS_DIMS, checked, class_coords
from pandas_ordinal.errors import warn_undefined
from pandas_ordinal.inference.measures import measures_of, surely
from pandas_ordinal.intervals import BinsLike
from pandas_ordinal.label_arrays import label_arrays
from pandas_ordinal.metrics.metric import Metric, Resolved
from pandas_ordinal.query import Query, Sureness
from pandas_ordinal.scale import Scale, scale_of


def is_cube(array: xr.DataArray) -> bool:
    """Tell whether an array has both class axes."""
    return set(CLASS_DIMS) <= set(array.dims)


def with_scale(cube: xr.DataArray, bins: BinsLike | None) -> tuple[xr.DataArray, Scale]:
    """Return a checked cube and its classes, as bins if edges are given."""
    cube, labels = checked(cube)
    scale = scale_of(labels, bins)
    return cube if bins is None else cube.assign_coords(class_coords(scale.classes)), scale


def score_cube(
    cube: xr.DataArray, scale: Scale, metric: Metric, options: Mapping[str, Any]
) -> xr.DataArray:
    """Score a cube, and warn of the groups in memory that hold rows and have no value."""
    (scored,) = score_each(cube, scale, {metric.name: Resolved(metric, dict(options))}).values()
    if cube.chunks is None:
        _warn_of_groups(metric, cube.sum(CLASS_DIMS), scored)
    return scored.rename(metric.name)


def score_each(
    cube: xr.DataArray, scale: Scale, wanted: Mapping[str, Resolved]
) -> dict[str, xr.DataArray]:
    """Score a cube by metrics of counts, chunk by chunk if it is chunked."""
    if cube.chunks is not None:
        cube = cube.chunk(dict.fromkeys(CLASS_DIMS, -1))
    return {
        name: xr.apply_ufunc(
            scale.function(metric, options),
            cube,
            input_core_dims=[CLASS_DIMS],
            output_core_dims=[metric.output],
            dask="parallelized",
            output_dtypes=[metric.dtype],
            keep_attrs=False,
        )
        for name, (metric, options) in wanted.items()
    }


def refuse_clusters(sure: Sureness) -> None:
    """Raise if clusters are asked for, which only rows have."""
    if sure.cluster is not None:
        raise ValueError(
            "a cube holds no rows, of which cluster= would say which belong together: call "
            "df.ordinal.report(..., cluster=...) on the rows"
        )


def sure_of_cube(
    cube: xr.DataArray,
    scale: Scale,
    wanted: Mapping[str, Resolved],
    scored: Mapping[str, xr.DataArray],
    sure: Sureness,
) -> dict[str, xr.DataArray]:
    """Return bounds and standard errors of the scores of a cube by their names."""
    if cube.dtype.kind == "f":
        raise ValueError(
            "a cube of floats does not say how many rows there are, which ci= and se= need: call "
            "df.ordinal.report(..., sample_weight=...) on the rows, or say that cells are counts "
            "with cube.astype(int)"
        )
    measures = measures_of(wanted, scale, sure)
    size = len(sure.shown)

    def function(counts: Array, *estimates: Floats) -> Array:
        leading = counts.shape[:-2]
        by_name = {name: one.ravel() for name, one in zip(wanted, estimates, strict=True)}
        found = surely(measures, counts.reshape(-1, *counts.shape[-2:]), by_name, sure)
        return np.stack([found[name].T for name in wanted], axis=1).reshape(
            *leading, len(wanted), size
        )

    if cube.chunks is not None:
        cube = cube.chunk(dict.fromkeys(CLASS_DIMS, -1))
    dims = [("metric of a report", "part of a report")]
    values = xr.apply_ufunc(
        function,
        cube,
        *(
            scored[name].transpose(*(dim for dim in cube.dims if dim not in CLASS_DIMS))
            for name in wanted
        ),
        input_core_dims=[CLASS_DIMS, *[[]] * len(wanted)],
        output_core_dims=dims,
        dask="parallelized",
        dask_gufunc_kwargs={"output_sizes": dict(zip(dims[0], (len(wanted), size), strict=True))},
        output_dtypes=[float],
    )
    return {
        f"{name}_{part}": values[..., place, which]
        for place, name in enumerate(wanted)
        for which, part in enumerate(sure.shown)
    }


def score_arrays(query: Query, metric: Metric, options: Mapping[str, Any]) -> xr.DataArray:
    """Score arrays of labels by a metric of rows, and warn as for a cube."""
    scored, n_cases = label_arrays(query).score(metric, options)
    if scored.chunks is None:
        _warn_of_groups(metric, n_cases, scored)
    return scored


def as_report(n: xr.DataArray, scored: Mapping[str, xr.DataArray]) -> xr.Dataset:
    """Put the number of rows and scores side by side."""
    taken = {name for array in (n, *scored.values()) for name in (*array.dims, *array.coords)}
    for name in ("n", *scored):
        if name in taken:
            raise ValueError(
                f"the report would have a variable {name!r} beside the dimension or coordinate "
                f"{name!r}: rename one, as with .rename({{{name!r}: ...}})"
            )
    return xr.Dataset({"n": n, **scored})


def _warn_of_groups(metric: Metric, n_rows: xr.DataArray, scored: xr.DataArray) -> None:
    undefined = scored.isnull().all(metric.output) & (n_rows > 0)
    if undefined.any():
        stacked = undefined.to_series() if undefined.ndim else pd.Series(dtype=bool)
        warn_undefined(metric.name, [repr(label) for label in stacked.index[stacked]])
