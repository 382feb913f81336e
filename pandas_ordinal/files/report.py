"""Reports: Datasets of numbers, saved and opened as cubes are.

The variables of a report are saved as an array over all of its dimensions and its coordinates: so
all that holds for files of cubes holds for those of reports.
"""

from __future__ import annotations

import json
from typing import Any, Literal

import xarray as xr

from pandas_ordinal.errors import ClassOrderError
from pandas_ordinal.files.cube import opened
from pandas_ordinal.files.dataset import decode, encode
from pandas_ordinal.files.netcdf import write_netcdf
from pandas_ordinal.files.parts import KEY, REPORT, FilePath, untrusted
from pandas_ordinal.files.seal import SEAL
from pandas_ordinal.files.zarr import write_zarr

NO_REPORT = "{path!r} holds no report that pandas_ordinal saved: a cube is read by po.open_cube"


def encode_report(report: xr.Dataset) -> xr.Dataset:
    """Return a report as a Dataset that netCDF and zarr can hold."""
    first = _of_all_dims(report)
    array = report[first]
    others = {name: report[name].variable for name in report.data_vars if name != first}
    encoded = encode(array.assign_coords({**report.coords, **others}))
    encoded = encoded.reset_coords([name for name in others if name in encoded.coords])
    names = json.dumps(list(report.data_vars))
    for name in report.attrs:
        if name in (KEY, SEAL, REPORT):
            raise ValueError(f"the attribute {name!r} is taken: rename it")
    return encoded.assign_attrs({**report.attrs, REPORT: names})


def decode_report(dataset: xr.Dataset, path: FilePath) -> xr.Dataset:
    """Return the report that `encode_report` turned into a Dataset."""
    attrs = dict(dataset.attrs)
    refused = NO_REPORT.format(path=str(path))
    array = decode(dataset)
    with untrusted(refused):
        names = json.loads(attrs.pop(REPORT))
        if array.name not in names or len(set(names)) < len(names):
            raise ClassOrderError(refused)
        others = {name: array.coords[name].variable for name in names if name != array.name}
        variables: dict[Any, Any] = {array.name: array.variable, **others}
        report = xr.Dataset(
            {name: variables[name] for name in names}, array.drop_vars(list(others)).coords
        )
    for own in (KEY, SEAL):
        attrs.pop(own, None)
    return report.assign_attrs(attrs)


def report_to_netcdf(
    report: xr.Dataset, path: FilePath, *, engine: Literal["netcdf4", "h5netcdf"] | None = None
) -> None:
    """Save a report as a netCDF 4 file: `DatasetOrdinal.to_netcdf`."""
    write_netcdf(encode_report(report), path, engine)


def report_to_zarr(
    report: xr.Dataset,
    store: Any,
    *,
    mode: Literal["w", "w-"] = "w-",
    zarr_format: Literal[2, 3] | None = None,
) -> None:
    """Save a report as a zarr store: `DatasetOrdinal.to_zarr`."""
    write_zarr(encode_report(report), store, mode, zarr_format)


def open_report(path: FilePath) -> xr.Dataset:
    """Read a report from a netCDF file or a zarr store into memory.

    Parameters
    ----------
    path : str or path
        The file, or the folder of a zarr store.

    Returns
    -------
    Dataset
        The report, as it was saved.

    Raises
    ------
    ClassOrderError
        If the file holds no report.

    Examples
    --------
    >>> import pandas as pd
    >>> from tempfile import TemporaryDirectory
    >>> import pandas_ordinal as po
    >>> df = pd.DataFrame({"model": ["a", "b"], "y": [3, 1], "yhat": [2, 1]})
    >>> report = df.ordinal.confusion("y", "yhat", by="model").ordinal.report()
    >>> with TemporaryDirectory() as folder:
    ...     report.ordinal.to_netcdf(f"{folder}/report.nc")
    ...     po.open_report(f"{folder}/report.nc").identical(report)
    True
    """
    with opened(path) as dataset:
        return decode_report(dataset, path)


def _of_all_dims(report: xr.Dataset) -> Any:
    """Return the name of a variable over all dimensions, which the others are saved beside."""
    for name, variable in report.data_vars.items():
        if set(variable.dims) == set(report.dims):
            return name
    dims = {str(name): variable.dims for name, variable in report.data_vars.items()}
    raise ValueError(
        f"no variable lies along all of the dimensions {list(report.dims)}: save those over the "
        f"same dimensions as one file each, {dims}"
    )
