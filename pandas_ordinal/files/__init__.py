"""Files that keep the classes: cubes as netCDF and zarr, frames as Parquet."""

from pandas_ordinal.files.cube import open_cube, to_netcdf, to_zarr
from pandas_ordinal.files.dataset import decode, encode
from pandas_ordinal.files.parquet import read_parquet, to_parquet
from pandas_ordinal.files.parts import FilePath

__all__ = [
    "FilePath",
    "decode",
    "encode",
    "open_cube",
    "read_parquet",
    "to_netcdf",
    "to_parquet",
    "to_zarr",
]
