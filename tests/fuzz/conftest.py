"""Libraries whose first import warns that they were built for another NumPy."""

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import netCDF4  # noqa: F401
