"""Files that keep the classes: cubes and reports as netCDF and zarr, frames as Parquet."""

from pandas_ordinal.files.cube import (
    Encoding,
    FilePaths,
    open_cube,
    open_report,
    report_to_netcdf,
    report_to_zarr,
    to_netcdf,
    to_zarr,
)
from pandas_ordinal.files.dataset import cube_from_dataset, to_dataset
from pandas_ordinal.files.parquet import read_parquet, to_parquet
from pandas_ordinal.files.reading import FilePath

__all__ = [
    "Encoding",
    "FilePath",
    "FilePaths",
    "cube_from_dataset",
    "open_cube",
    "open_report",
    "read_parquet",
    "report_to_netcdf",
    "report_to_zarr",
    "to_dataset",
    "to_netcdf",
    "to_parquet",
    "to_zarr",
]
