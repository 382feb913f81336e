"""Files that keep the classes: cubes and reports as netCDF and zarr, frames as Parquet."""

from pandas_ordinal.files.cube import to_netcdf, to_zarr
from pandas_ordinal.files.dataset import decode, encode
from pandas_ordinal.files.encoding import Encoding
from pandas_ordinal.files.many import FilePaths, open_cube
from pandas_ordinal.files.parquet import read_parquet, to_parquet
from pandas_ordinal.files.parts import FilePath
from pandas_ordinal.files.report import open_report, report_to_netcdf, report_to_zarr

__all__ = [
    "Encoding",
    "FilePath",
    "FilePaths",
    "decode",
    "encode",
    "open_cube",
    "open_report",
    "read_parquet",
    "report_to_netcdf",
    "report_to_zarr",
    "to_netcdf",
    "to_parquet",
    "to_zarr",
]
