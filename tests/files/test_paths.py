"""Paths that another layer could read as an address, a pattern, a folder or a home."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import xarray as xr
import zarr

import pandas_ordinal as po

FRAME = pd.DataFrame({"g": ["a", "b"], "y": [1, 2], "yhat": [2, 3]})
CUBE: xr.DataArray = FRAME.ordinal.confusion("y", "yhat", by="g")
REPORT: xr.Dataset = CUBE.ordinal.report()
WAYS: dict[str, tuple[Callable[[Any], None], Callable[[Any], Any], Any]] = {
    "netcdf4": (lambda p: CUBE.ordinal.to_netcdf(p, engine="netcdf4"), po.open_cube, CUBE),
    "h5netcdf": (lambda p: CUBE.ordinal.to_netcdf(p, engine="h5netcdf"), po.open_cube, CUBE),
    "report": (REPORT.ordinal.to_netcdf, po.open_report, REPORT),
    "zarr2": (lambda p: CUBE.ordinal.to_zarr(p, mode="w", zarr_format=2), po.open_cube, CUBE),
    "zarr3": (lambda p: CUBE.ordinal.to_zarr(p, mode="w", zarr_format=3), po.open_cube, CUBE),
    "parquet": (FRAME.ordinal.to_parquet, po.read_parquet, FRAME),
}
NAMES = [
    *(" lead", "trail ", "tab\t", "new\nline", "~", "~root", "~/x", "$HOME", "-x", ".hidden"),
    *("file:/z", "http:/x/c", "a::b", "zip::x", "C:", "C:x", "a:b", "[1]", "a*", "a?b", "{x}"),
    *("a%20b", "a#b", "a#mode=zarr", "[log]x", "a&b", "x=1", "a;b", "a'b", "é", "e\u0301"),
    *("slash/", "two//slashes", "./a", "../cwd/a", "x.zip", "x.part"),
]
ADDRESSES = ["http://x/c", "file:///z", "s3://bucket/c", "memory://c"]  # with a local folder
NOT_OF_NETCDF4 = ["q\\z", "\\\\host\\x", "half \udcff"]


@pytest.fixture
def cwd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "cwd").mkdir()
    monkeypatch.chdir(tmp_path / "cwd")

    def no_network(*args: Any) -> None:
        raise AssertionError(f"a connection to {args[1:]}")

    monkeypatch.setattr("socket.socket.connect", no_network)
    return tmp_path


SLOW = {"report", "h5netcdf", "zarr2"}
MARKED = [pytest.param(kind, marks=[pytest.mark.slow] * (kind in SLOW)) for kind in WAYS]


@pytest.mark.parametrize("kind", MARKED)
def test_what_is_saved_can_be_opened(
    cwd: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    save, read, saved = WAYS[kind]
    names = NAMES if kind.startswith("zarr") else NAMES + ADDRESSES
    names = names if kind in ("netcdf4", "report") else names + NOT_OF_NETCDF4
    for number, name in enumerate(names):
        folder = cwd / str(number) / "cwd"
        folder.mkdir(parents=True)
        monkeypatch.chdir(folder)
        path = os.path.realpath(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        save(name)
        assert os.path.exists(path) and read(Path(name)).equals(saved)
        save(Path(name))
        assert read(name).equals(saved) and read(path).equals(saved)
        assert not [entry for entry in os.listdir() if entry.count(".") > 1]


@pytest.mark.parametrize("name", NOT_OF_NETCDF4)
def test_what_netcdf4_cannot_find(cwd: Path, name: str) -> None:
    os.makedirs("folder " + name)
    for path in (name, f"folder {name}/cube.nc"):
        with pytest.raises(ValueError, match=r"^netCDF4 cannot find .* give engine=\"h5netcdf\"$"):
            CUBE.ordinal.to_netcdf(path, engine="netcdf4")
        CUBE.ordinal.to_netcdf(path, engine="h5netcdf")
        assert po.open_cube(path).identical(CUBE)


@pytest.mark.parametrize("kind", WAYS)
@pytest.mark.parametrize("path", [b"cube", 3, None, ["cube"]], ids=str)
def test_paths_that_are_no_text(cwd: Path, kind: str, path: Any) -> None:
    save, read, _ = WAYS[kind]
    if not kind.startswith("zarr"):  # which has stores of other kinds
        with pytest.raises(TypeError, match=r"path=.* must be text or a pathlib\.Path"):
            save(path)
    if read is not po.open_cube or not isinstance(path, list):
        with pytest.raises(TypeError, match=r"path=.* must be (text or a|a path, a pattern)"):
            read(path)
    assert not os.listdir()


@pytest.mark.parametrize("read", [po.open_cube, po.open_report, po.read_parquet])
def test_an_empty_path(cwd: Path, read: Callable[[Any], Any]) -> None:
    with pytest.raises(ValueError, match="the path '' is empty: give the name of a file"):
        read("")


@pytest.mark.parametrize("chunks", [None, {}])
@pytest.mark.parametrize("kind", ["netcdf4", "zarr3"])
def test_the_folder_may_change_after_opening(
    cwd: Path, kind: str, chunks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    WAYS[kind][0]("cube")
    with po.open_cube("cube", chunks=chunks) as opened:
        monkeypatch.chdir(cwd)
        assert opened.compute().identical(CUBE)


@pytest.mark.parametrize("kind", WAYS)
def test_a_link_and_its_parent(cwd: Path, kind: str) -> None:
    """The parent of a folder behind a link is not the parent of the link."""
    save, read, saved = WAYS[kind]
    (cwd / "data" / "inner").mkdir(parents=True)
    os.symlink(cwd / "data" / "inner", "link")
    save("link/../cube")
    assert os.listdir(".") == ["link"] and sorted(os.listdir(cwd / "data")) == ["cube", "inner"]
    assert read("link/../cube").equals(saved)


@pytest.mark.parametrize(
    "address", ["file:///x/c", "memory://c", "s3://b/c", "zip://c::file:///x"]
)
def test_what_looks_like_an_address(cwd: Path, address: str) -> None:
    hint = "; a path names a file on this machine, not an address$"
    for kind, (save, read, _) in WAYS.items():
        with pytest.raises(FileNotFoundError, match=f"no file .*{hint}"):
            read(address)
        if not kind.startswith("zarr"):
            with pytest.raises(FileNotFoundError, match=f"there is no folder .* to save .*{hint}"):
                save(address)
    with pytest.raises(FileNotFoundError, match=f"matches .*{hint}"):
        po.open_cube(f"{address}*")
    assert not os.listdir()


@pytest.mark.parametrize("scheme", ["file", "local"])
def test_the_address_of_a_folder_on_this_machine(cwd: Path, scheme: str) -> None:
    """It is written beside the old one, as if its path were given."""
    CUBE.ordinal.to_zarr(f"{scheme}://{cwd}/cwd/cube")
    assert po.open_cube("cube").identical(CUBE)
    with pytest.raises(FileExistsError, match=r'cwd/cube\' exists already: mode="w" replaces it'):
        CUBE.ordinal.to_zarr(f"{scheme}://{cwd}/cwd/cube")
    with pytest.raises(FileNotFoundError, match=r"there is no folder .* os\.makedirs"):
        CUBE.ordinal.to_zarr(f"{scheme}://{cwd}/missing/cube")
    (cwd / "cwd" / "cube" / "thesis.txt").write_text("text")
    with pytest.raises(FileExistsError, match=r"holds 'thesis\.txt'"):
        CUBE.ordinal.to_zarr(f"{scheme}://{cwd}/cwd/cube", mode="w")
    assert os.listdir() == ["cube"]


@pytest.mark.parametrize("kind", ["memory address", "dict", "LocalStore"])
def test_a_store_that_is_there(cwd: Path, kind: str) -> None:
    local = zarr.storage.LocalStore("cube")
    store = {"memory address": f"memory://{cwd.name}", "dict": {}, "LocalStore": local}[kind]
    CUBE.ordinal.to_zarr(store)
    with pytest.raises(FileExistsError, match='exists already: mode="w" replaces it$'):
        (CUBE + 1).ordinal.to_zarr(store)
    (CUBE + 1).ordinal.to_zarr(store, mode="w")
    with xr.open_dataset(store, engine="zarr", consolidated=False) as stored:
        assert po.cube_from_dataset(stored).identical(CUBE + 1)
