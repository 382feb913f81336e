"""What files of every kind share: imports when first used, and writers at once."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal.files import reading, writing

FRAME = pd.DataFrame({"g": ["a", "b"], "y": [1, 2], "yhat": [2, 3]})
CUBE: xr.DataArray = FRAME.ordinal.confusion("y", "yhat", by="g")


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


@pytest.mark.parametrize("folders", [True, False])
def test_what_is_being_written_is_in_a_folder_next_to_its_place(
    tmp_path: Path, folders: bool
) -> None:
    """So that the move to its place is within a disk, and a reader knows whose part it is."""
    with writing.replacing(tmp_path / "cube.nc", folders) as place:
        (part,) = tmp_path.iterdir()
        assert Path(place) == part / "cube.nc"
        assert re.fullmatch(r"cube\.nc\.[^.]+\.part", part.name)
        assert writing.destination_of(str(part)) == str(tmp_path / "cube.nc")
        assert f"has left {str(part)!r}: delete it" in writing.leftover_hint(tmp_path / "cube.nc")
        Path(place).mkdir() if folders else Path(place).touch()
    assert os.listdir(tmp_path) == ["cube.nc"]


@pytest.mark.parametrize("stored", [1, 2, 3])
def test_formats(stored: int) -> None:
    """A newer one is left to a newer version; an older one, which never was, is unknown."""
    unknown = po.ClassOrderError("unknown")
    text = json.dumps({"format": stored})
    if stored == 2:
        assert reading.read_marker(text, 2, unknown) == {"format": 2}
    elif stored < 2:
        with pytest.raises(po.ClassOrderError, match="^unknown$"):
            reading.read_marker(text, 2, unknown)
    else:
        with pytest.raises(ValueError, match="wrote format 3; this one reads 2: upgrade"):
            reading.read_marker(text, 2, unknown)


@pytest.mark.parametrize("text", [None, "", "[]", "{}", '{"format": "two"}'])
def test_markers_of_others(text: Any) -> None:
    with pytest.raises(po.ClassOrderError, match="^unknown$"):
        reading.read_marker(text, 2, po.ClassOrderError("unknown"))


@pytest.mark.parametrize("field", ["variable", "dims", "coords", "labelled", "name"])
def test_layouts_whose_names_are_no_text(field: str) -> None:
    dataset = CUBE.ordinal.to_dataset()
    layout = json.loads(dataset.attrs["pandas_ordinal"])
    layout[field] = [1] if isinstance(layout[field], list) else 1
    with pytest.raises(po.ClassOrderError, match="the Dataset holds no class order"):
        po.cube_from_dataset(dataset.assign_attrs(pandas_ordinal=json.dumps(layout)))


def test_a_dataset_that_xarray_saves_has_no_seal(tmp_path: Path) -> None:
    CUBE.ordinal.to_dataset().to_netcdf(tmp_path / "cube.nc", engine="h5netcdf")
    xr.testing.assert_identical(po.open_cube(tmp_path / "cube.nc"), CUBE)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (".x", "begins with a dot"),
        ("a\nb", "a character that cannot be printed"),
        ("x" * 201, "more than 200 bytes"),
        ("é" * 101, "more than 200 bytes"),
    ],
)
def test_names_that_no_file_holds(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        CUBE.rename(name).ordinal.to_dataset()
    with pytest.raises(ValueError, match=message):
        CUBE.assign_coords({name: 1}).ordinal.to_dataset()
    with pytest.raises(TypeError, match="has a slash"):
        CUBE.rename("a/b").ordinal.to_dataset()
    longest = CUBE.rename("x" * 200)
    assert po.cube_from_dataset(longest.ordinal.to_dataset()).identical(longest)


@pytest.mark.parametrize("name", ["a\\b", "zarr.json"])
def test_names_that_zarr_does_not_hold(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="has a backslash, or is that of a file of zarr"):
        CUBE.rename(name).ordinal.to_zarr(tmp_path / "cube")
    with pytest.raises(ValueError, match="has a backslash, or is that of a file of zarr"):
        CUBE.expand_dims({name: 2}).ordinal.to_zarr(tmp_path / "cube")


@pytest.mark.parametrize("store", [None, 5, ["cube"]])
def test_what_is_no_store(store: Any) -> None:
    with pytest.raises(TypeError, match="store= takes a path or a store of zarr, not"):
        CUBE.ordinal.to_zarr(store)


def test_a_full_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for text, kind, told in (
        ("NetCDF: HDF error", OSError, "the disk may be full"),
        ("NetCDF: Name contains illegal characters", ValueError, "rename what has a name"),
    ):

        def failing(*args: Any, text: str = text, **options: Any) -> None:
            raise RuntimeError(text)

        monkeypatch.setattr(xr.Dataset, "to_netcdf", failing)
        with pytest.raises(kind, match=told):
            CUBE.ordinal.to_netcdf(tmp_path / "cube.nc")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("number", "error"),
    [
        (errno.EEXIST, FileExistsError),
        (errno.ENOTEMPTY, FileExistsError),
        (errno.ENOTDIR, FileExistsError),
        (errno.EIO, OSError),
    ],
)
def test_a_place_that_cannot_be_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, error: type[OSError]
) -> None:
    def replace(new: str, target: str) -> None:
        raise OSError(number, "not now")

    monkeypatch.setattr(writing.os, "replace", replace)
    with pytest.raises(error) as caught, writing.replacing(tmp_path / "file") as place:
        Path(place).touch()
    exists = number != errno.EIO
    assert ('exists already: mode="w" replaces it' in str(caught.value)) == exists
    assert exists or caught.value.errno == errno.EIO
    assert not list(tmp_path.iterdir())


def test_a_save_that_fails_says_why_if_its_files_are_gone(tmp_path: Path) -> None:
    def fail() -> None:
        with writing.replacing(tmp_path / "file") as place:
            Path(place).parent.rmdir()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert not list(tmp_path.iterdir())


def test_a_name_that_is_too_long(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="cannot write .*: File name too long"):
        CUBE.ordinal.to_netcdf(tmp_path / ("x" * 250))


def test_what_was_saved_stays_if_another_writer_then_moves_it(tmp_path: Path) -> None:
    """A place that is empty after a save is not filled with what the save has replaced."""
    target = tmp_path / "store"
    target.mkdir()

    def moved_away() -> None:
        target.rename(tmp_path / "moved")

    with (
        pytest.MonkeyPatch.context() as patch,
        writing.replacing(target, folders=True) as place,
    ):
        os.mkdir(place)
        (Path(place) / "new").touch()
        real = writing._replace_folder

        def replaced(*args: str) -> None:
            real(*args)
            moved_away()

        patch.setattr(writing, "_replace_folder", replaced)
    assert os.listdir(tmp_path) == ["moved"] and os.listdir(tmp_path / "moved") == ["new"]


def test_what_is_left_is_described(tmp_path: Path) -> None:
    target = tmp_path / "cube.zarr"
    assert writing.leftover_hint(target) == ""
    part = tmp_path / "cube.zarr.k3.part"
    part.mkdir()
    assert writing.destination_of(str(part)) == str(target)
    assert f"has left {str(part)!r}: delete it, and save once more" in writing.leftover_hint(
        target
    )
    (part / "cube.zarr.old").mkdir()
    hint = writing.leftover_hint(target)
    assert f"os.rename({str(part / 'cube.zarr.old')!r}, {str(target)!r}) brings back" in hint


def test_threads_save_netcdf_files_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """netCDF4 would end the process."""
    cube = po.from_counts([[1, 2], [3, 4]], classes=[0, 1])
    save, saving, most = xr.Dataset.to_netcdf, [0], [0]

    def counted(*args: Any, **kwargs: Any) -> Any:
        saving[0] += 1
        most[0] = max(most[0], saving[0])
        time.sleep(0.05)  # so that another thread can begin
        try:
            return save(*args, **kwargs)
        finally:
            saving[0] -= 1

    monkeypatch.setattr(xr.Dataset, "to_netcdf", counted)
    with ThreadPoolExecutor(3) as threads:
        list(threads.map(cube.ordinal.to_netcdf, [tmp_path / f"{n}.nc" for n in range(3)]))
    assert most == [1]
    assert all(po.open_cube(tmp_path / f"{n}.nc").identical(cube) for n in range(3))
