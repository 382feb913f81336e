"""What saving must not replace: folders and files that are not ours, and what is not a file."""

from __future__ import annotations

import os
import shutil
import socket
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fsspec
import pandas as pd
import pytest
import xarray as xr
import zarr

import pandas_ordinal as po
from pandas_ordinal import files
from pandas_ordinal.files import overwriting, writing

FRAME = pd.DataFrame({"g": ["a", "b"], "y": [1, 2], "yhat": [2, 2]})
CUBE: xr.DataArray = FRAME.ordinal.confusion("y", "yhat", by="g")
REPORT: xr.Dataset = CUBE.ordinal.report()
STORES: dict[str, Callable[..., None]] = {
    f"{kind} in zarr {version}": lambda path, mode="w", result=result, version=version: (
        result.ordinal.to_zarr(path, mode=mode, zarr_format=version)
    )
    for kind, result in {"cube": CUBE, "report": REPORT}.items()
    for version in (2, 3)
}
FILES: dict[str, Callable[..., None]] = {
    "cube in netCDF": CUBE.ordinal.to_netcdf,
    "report in netCDF": REPORT.ordinal.to_netcdf,
    "frame in Parquet": FRAME.ordinal.to_parquet,
}
SAVES = STORES | FILES


def contents(folder: Path) -> dict[str, bytes | None]:
    """Return the content of each file in a folder, and None for other entries."""
    return {str(p): p.read_bytes() if p.is_file() else None for p in sorted(folder.rglob("*"))}


@pytest.fixture(params=STORES)
def save(request: pytest.FixtureRequest) -> Callable[..., None]:
    return STORES[request.param]


@pytest.fixture
def thesis(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a text, and a current folder with a text in it."""
    (tmp_path / "work" / "here").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "work" / "here")
    (tmp_path / "work" / "here" / "thesis.txt").write_text("text")
    (tmp_path / "work" / "thesis.txt").write_text("text")
    return tmp_path / "work"


@pytest.mark.parametrize("kind", SAVES)
@pytest.mark.parametrize("path", ["", ".", "./", "..", "../", "../here", "../here/."])
def test_the_current_folder_is_not_replaced(thesis: Path, kind: str, path: str) -> None:
    before = contents(thesis)
    with pytest.raises((OSError, ValueError), match=r"is empty|folder|is not a zarr store"):
        SAVES[kind](path)
    assert contents(thesis) == before and os.path.samefile(thesis / "here", ".")


def test_what_another_writer_puts_there_meanwhile_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, save: Callable[..., None]
) -> None:
    save(tmp_path / "store")
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "thesis.txt").write_text("text")
    fault = overwriting._fault

    def replaced(path: Any) -> str | None:
        found = fault(path)
        if (tmp_path / "thesis").exists():
            shutil.rmtree(tmp_path / "store")
            (tmp_path / "thesis").rename(tmp_path / "store")
        return found

    monkeypatch.setattr(overwriting, "_fault", replaced)
    with pytest.raises(FileExistsError, match="is not a zarr store"):
        overwriting.refuse_path(tmp_path / "store", "w")


def test_not_even_if_it_is_a_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, save: Callable[..., None]
) -> None:
    save(tmp_path / "store")
    monkeypatch.chdir(tmp_path / "store")
    for path in (".", "../store", tmp_path / "store"):
        with pytest.raises(FileExistsError, match="is the current folder: give the name of"):
            save(path)


def test_neither_a_home_nor_a_mount_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, save: Callable[..., None]
) -> None:
    for name in ("home", "disk"):
        (tmp_path / name).mkdir()
    (tmp_path / "link").symlink_to("disk")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(os.path, "ismount", lambda path: Path(path).name == "disk")
    with pytest.raises(FileExistsError, match="home' is your home folder: give"):
        save(tmp_path / "home")
    for name in ("disk", "link"):
        with pytest.raises(FileExistsError, match=f"{name}' is a mount point: give"):
            save(tmp_path / name)
    assert sorted(os.listdir(tmp_path)) == ["disk", "home", "link"]


def test_a_folder_called_tilde_is_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, save: Callable[..., None]
) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        save("~")
        assert os.listdir(tmp_path) == ["~"]


@pytest.mark.parametrize("mode", ["w", "w-"])
@pytest.mark.parametrize(
    "extra", ["thesis.txt", "count/thesis.txt", "g/notes/1.txt", "g/c/0.txt", "notes/", "g/notes/"]
)
def test_a_store_with_a_foreign_file_or_folder(
    tmp_path: Path, save: Callable[..., None], extra: str, mode: str
) -> None:
    store = tmp_path / "store"
    save(store)
    added = store / extra
    if extra.endswith("/"):
        added.mkdir(parents=True)
    else:
        added.parent.mkdir(parents=True, exist_ok=True)
        added.write_text("text")
    before = contents(tmp_path)
    with pytest.raises(FileExistsError, match=r"store' holds '.*', which .*: move it elsewhere"):
        save(store, mode)
    assert contents(tmp_path) == before
    shutil.rmtree(added) if extra.endswith("/") else added.unlink()
    if extra == "count/thesis.txt":
        shutil.rmtree(store / "count", ignore_errors=True)
    shutil.rmtree(store / "g")  # a damaged store of ours is one of ours
    save(store)
    assert os.listdir(tmp_path) == ["store"]


def test_links(tmp_path: Path, save: Callable[..., None]) -> None:
    """A link to a store is followed; one to another folder, or within a store, is not."""
    save(tmp_path / "store")
    (tmp_path / "link").symlink_to("store")
    save(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "thesis.txt").write_text("text")
    (tmp_path / "other").symlink_to("papers")
    with pytest.raises(FileExistsError, match="other' is not a zarr store: give another name"):
        save(tmp_path / "other")
    shutil.move(tmp_path / "store" / "g", tmp_path / "g")
    (tmp_path / "store" / "g").symlink_to(tmp_path / "g")
    with pytest.raises(FileExistsError, match=r"holds 'g \(a link\)'"):
        save(tmp_path / "link")
    assert sorted(os.listdir(tmp_path)) == ["g", "link", "other", "papers", "store"]


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("kind", ["group", "array", "newer"])
def test_a_store_of_another_tool(
    tmp_path: Path, save: Callable[..., None], kind: str, version: Any
) -> None:
    store = tmp_path / "store"
    if kind == "array":
        zarr.create_array(str(store), shape=(2,), dtype="i4", zarr_format=version)
    else:
        attributes = {"pandas_ordinal": '{"format": 99}'} if kind == "newer" else {}
        zarr.create_group(str(store), zarr_format=version, attributes=attributes)
    before = contents(tmp_path)
    for path in (store, zarr.storage.LocalStore(str(store)), f"file://{store}"):
        with pytest.raises(Exception, match=r"(?i)is not a zarr store|array"):
            save(path)
        assert contents(tmp_path) == before


def test_an_empty_folder(tmp_path: Path, save: Callable[..., None]) -> None:
    with pytest.raises(FileExistsError, match='exists already: mode="w" replaces it'):
        save(tmp_path, "w-")
    save(tmp_path)
    save(tmp_path)
    with pytest.raises(FileExistsError, match='exists already: mode="w" replaces it'):
        save(tmp_path, "w-")


@pytest.mark.skipif(
    tuple(map(int, xr.__version__.split(".")[:2])) < (2025, 3),
    reason="this xarray cannot write format 2 with zarr 3",
)
def test_a_store_that_xarray_wrote(tmp_path: Path, save: Callable[..., None]) -> None:
    CUBE.ordinal.to_dataset().to_zarr(tmp_path / "store", zarr_format=2, consolidated=True)
    save(tmp_path / "store")
    assert os.listdir(tmp_path) == ["store"]


def test_what_a_killed_writer_of_zarr_leaves(tmp_path: Path, save: Callable[..., None]) -> None:
    save(tmp_path / "store")
    for name in ("zarr", "pandas_ordinal/0"):
        (tmp_path / "store" / f"{name}.{'0f' * 16}.partial").write_text("half")
    (tmp_path / "store.abcdefgh.part").mkdir()
    save(tmp_path / "store")
    assert sorted(os.listdir(tmp_path)) == ["store", "store.abcdefgh.part"]


def test_stores_that_are_no_paths(tmp_path: Path, save: Callable[..., None]) -> None:
    """zarr would delete the whole folder, or all that is in a bucket."""
    memory = fsspec.filesystem("memory")
    memory.pipe_file(f"/{tmp_path.name}/thesis.txt", b"text")
    (tmp_path / "thesis.txt").write_text("text")
    bucket, local = f"memory://{tmp_path.name}", zarr.storage.LocalStore(str(tmp_path))
    for store in (local, bucket):
        save(store)
        with pytest.raises(FileExistsError, match=r"holds 'thesis\.txt', which"):
            save(store)
    assert (tmp_path / "thesis.txt").read_text() == "text"
    assert memory.cat_file(f"/{tmp_path.name}/thesis.txt") == b"text"
    (tmp_path / "thesis.txt").unlink()
    memory.rm_file(f"/{tmp_path.name}/thesis.txt")
    stores: list[Any] = [local, bucket, {}]
    for store in stores * 2:
        save(store)
    memory.rm(f"/{tmp_path.name}", recursive=True)


def test_a_folder_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, save: Callable[..., None]
) -> None:
    """It is not treated as an empty one."""
    locked = tmp_path / "locked"
    locked.mkdir()
    (locked / "thesis.txt").write_text("text")
    real = os.scandir

    def scandir(path: Any) -> Any:
        if str(path) == str(locked):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    with pytest.raises(PermissionError, match="locked"):
        save(locked)
    assert (locked / "thesis.txt").read_text() == "text"


@pytest.mark.parametrize("mode", ["w", "w-"])
def test_a_file_is_not_a_store(tmp_path: Path, save: Callable[..., None], mode: str) -> None:
    (tmp_path / "thesis.txt").write_text("text")
    with pytest.raises(FileExistsError, match=r"thesis\.txt' is not a zarr store: give another"):
        save(tmp_path / "thesis.txt", mode)
    assert (tmp_path / "thesis.txt").read_text() == "text"


@pytest.mark.parametrize("linked", [True, False])
@pytest.mark.parametrize("kind", SAVES)
def test_what_is_not_a_file_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, linked: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind("socket")
    for name, is_still in (("pipe", stat.S_ISFIFO), ("socket", stat.S_ISSOCK)):
        path = f"link to {name}" if linked else name
        if linked:
            os.symlink(name, path)
        with pytest.raises(FileExistsError, match=rf"^'{path}' is (a device|not a zarr store)"):
            SAVES[kind](path)
        assert is_still(os.stat(name).st_mode)


@pytest.mark.parametrize("kind", SAVES)
def test_a_device_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    path = tmp_path / "device"
    path.write_text("device")
    real = os.stat

    def of_device(asked: Any, *args: Any, **options: Any) -> Any:
        found = real(asked, *args, **options)
        if isinstance(asked, int) or os.fspath(asked) != os.fspath(path):
            return found
        return os.stat_result((stat.S_IFCHR | 0o666, *tuple(found)[1:]))

    monkeypatch.setattr(os, "stat", of_device)
    with pytest.raises(FileExistsError, match="device' is (a device|not a zarr store)"):
        SAVES[kind](path)
    assert path.read_text() == "device" and os.listdir(tmp_path) == ["device"]


@pytest.mark.parametrize("when", ["before", "after"])
def test_the_slower_of_two_first_writers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, save: Callable[..., None], when: str
) -> None:
    """Another writer is done before or after the last look at the place."""
    goal = tmp_path / "store"
    if when == "before":
        real = files.zarr.open_zarr

        def reading(place: str, *args: Any) -> xr.Dataset:
            if not goal.exists():
                shutil.copytree(place, goal)
            return real(place, *args)

        monkeypatch.setattr(files.zarr, "open_zarr", reading)
    else:
        replace = writing._replace_file

        def replacing(new: str, target: str) -> None:
            shutil.copytree(new, target)
            replace(new, target)

        monkeypatch.setattr(writing, "_replace_file", replacing)
    with pytest.raises(FileExistsError, match='store\' exists already: mode="w" replaces it'):
        save(goal, "w-")
    monkeypatch.undo()
    assert os.listdir(tmp_path) == ["store"]
    is_report = "pandas_ordinal_report" in zarr.open_group(str(goal), mode="r").attrs
    if is_report:
        xr.testing.assert_identical(po.open_report(goal), REPORT)
    else:
        xr.testing.assert_identical(po.open_cube(goal), CUBE)


def test_a_file_that_is_added_during_a_save(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, save: Callable[..., None]
) -> None:
    save(tmp_path / "store")
    real = files.zarr.open_zarr

    def reading(*args: Any) -> xr.Dataset:
        (tmp_path / "store" / "thesis.txt").write_text("text")
        return real(*args)

    monkeypatch.setattr(files.zarr, "open_zarr", reading)
    with pytest.raises(FileExistsError, match=r"holds 'thesis\.txt'"):
        save(tmp_path / "store")
    assert (tmp_path / "store" / "thesis.txt").read_text() == "text"
    assert os.listdir(tmp_path) == ["store"]


@pytest.mark.parametrize(
    "path", ["missing/..", "missing/../", "file.txt/..", "missing/../data", "file.txt/../data"]
)
def test_a_path_that_leaves_what_is_not_there_is_the_one_it_leads_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    for name in ("file.txt", "data/k"):
        (tmp_path / name).write_text("thesis")
    cube = po.from_counts([[1, 2], [3, 4]], classes=[0, 1])
    for given in (path, Path(path), f"{tmp_path}/{path}"):
        with pytest.raises(FileExistsError, match=r"give another name|is the current folder"):
            cube.ordinal.to_zarr(given, mode="w")
    assert (tmp_path / "file.txt").read_text() == (tmp_path / "data/k").read_text() == "thesis"


def test_a_pipe_behind_a_folder_that_is_missing_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    with pytest.raises(FileExistsError, match="a pipe"):
        po.from_counts([[1]], classes=[0]).ordinal.to_netcdf("missing/../pipe")
    with pytest.raises(FileExistsError, match="a pipe"):
        po.ordinal(pd.DataFrame({"y": [0]})).to_parquet("missing/../pipe")
    assert stat.S_ISFIFO(os.stat("pipe").st_mode)
