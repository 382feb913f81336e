"""Files that keep the classes: cubes and reports as netCDF and zarr, frames as Parquet.

- `cube`: cubes and reports are saved and opened, one file or many.
- `dataset`: a cube as a Dataset, and back; `label_json` and `times` have its labels.
- `seal`: a digest of the content in the attributes; `netcdf` adds one of the bytes at the end of
  the file.
- `hdf5`, `zarr_chunks`, `expansion`: what files of others point to, and expand to.
- `netcdf`, `zarr`: the two formats of cubes; `overwriting` decides what a store may replace.
- `parquet`, `parquet_limits`: frames, and what Parquet cannot hold.
- `reading`, `writing`: what all formats share; a file is replaced as a whole or not at all.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
