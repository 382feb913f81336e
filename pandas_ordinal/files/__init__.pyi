from . import cube as cube
from . import dataset as dataset
from . import netcdf as netcdf
from . import parquet as parquet
from . import seal as seal
from . import writing as writing
from . import zarr as zarr
