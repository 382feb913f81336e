"""Files that keep the classes: cubes and reports as netCDF and zarr, frames as Parquet."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
