"""Libraries of files are imported before warnings are errors."""

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # that netCDF4 was built for another NumPy
    import netCDF4  # noqa: F401
