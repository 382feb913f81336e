"""What files of every kind share: optional packages are imported when first used."""

from __future__ import annotations

import os
import subprocess
import sys

import pandas_ordinal  # noqa: F401


def test_the_import_is_light() -> None:
    code = (
        "import sys, pandas, xarray; before = set(sys.modules); import pandas_ordinal.files\n"
        "heavy = {'pyarrow.parquet', 'zarr', 'netCDF4', 'h5netcdf', 'h5py'}\n"
        "print(heavy & (set(sys.modules) - before))"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env)
    assert done.stdout == "set()\n", done.stderr
