"""What files of every kind share: imports when first used, and writers at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pandas_ordinal.files import writing


def test_the_import_is_light() -> None:
    code = (
        "import sys, pandas, xarray; before = set(sys.modules); import pandas_ordinal.files\n"
        "heavy = {'pyarrow.parquet', 'zarr', 'netCDF4', 'h5netcdf', 'h5py'}\n"
        "print(heavy & (set(sys.modules) - before))"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env)
    assert done.stdout == "set()\n", done.stderr


def test_a_second_writer_that_is_faster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its store is in the place that was just made free: it is replaced in its turn."""
    target = tmp_path / "store"
    target.mkdir()
    (target / "before").touch()
    real = os.rename
    others = ["second"]

    def rename(source: str, goal: str) -> None:
        if goal == str(target) and others:
            target.mkdir()
            (target / others.pop()).touch()
        real(source, goal)

    monkeypatch.setattr(writing.os, "rename", rename)
    with writing.replacing(target, folders=True) as place:
        os.mkdir(place)
        (Path(place) / "first").touch()
    assert not others
    assert os.listdir(target) == ["first"] and os.listdir(tmp_path) == ["store"]
