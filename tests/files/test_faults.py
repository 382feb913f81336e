"""Faults of files: interrupts, kills, full disks, lost and flipped bits, hostile files."""

from __future__ import annotations

import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any

import dask
import dask.array
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from hypothesis import given
from hypothesis import strategies as st
from oracles.strategies import examples

from pandas_ordinal import ClassOrderError, files
from pandas_ordinal.files import writing
from pandas_ordinal.files.dataset import cube_from_dataset, to_dataset

CLASSES = pd.CategoricalIndex(["low", "mid", "high"], ["low", "mid", "high"], ordered=True)
COUNTS = np.random.default_rng(0).integers(1, 2**60, (2, 3, 3))
OLD = xr.DataArray(
    COUNTS,
    {
        "g": ["a", "b"],
        "true": CLASSES,
        "pred": CLASSES[[2, 0, 1]],
        "age": ("g", pd.interval_range(0.5, periods=2)),
        "month": ("g", pd.DatetimeIndex(["2020-01-01", "2020-02-01"]).as_unit("ns")),
        "weight": ("g", [0.5, np.nan]),
    },
    ("g", "true", "pred"),
    "count",
    {"note": "é"},
)
NEW = OLD + np.uint8(1)
SAVES: dict[str, Callable[[xr.DataArray, Any], None]] = {
    "netcdf4": lambda cube, path: files.cube.to_netcdf(cube, path, engine="netcdf4"),
    "h5netcdf": lambda cube, path: files.cube.to_netcdf(cube, path, engine="h5netcdf"),
    "zarr2": lambda cube, path: files.cube.to_zarr(cube, path, mode="w", zarr_format=2),
    "zarr3": lambda cube, path: files.cube.to_zarr(cube, path, mode="w", zarr_format=3),
}


def lazy(cube: xr.DataArray) -> xr.DataArray:
    """Return a cube with a chunk for each group; xarray itself cannot chunk one with intervals."""
    return cube.copy(data=dask.array.from_array(cube.to_numpy(), (1, 3, 3)))


KINDS = pytest.mark.parametrize("kind", SAVES)
STORES = pytest.mark.parametrize("kind", ["zarr2", "zarr3"])


DAMAGED = (OSError, ValueError)  # ValueError if it is the marker of the file that is damaged


def stored(path: Path, chunks: Any = None) -> str:
    """Return which of both cubes a file holds."""
    with files.cube.open_cube(path, chunks=chunks) as opened:
        (name,) = [name for name, cube in (("old", OLD), ("new", NEW)) if opened.equals(cube)]
    return name


pytestmark = pytest.mark.slow


# interrupts


@contextmanager
def interrupted(line: int, error: type[BaseException]) -> Iterator[list[str]]:
    """Raise an error before the n-th line that runs while a file takes the place of another."""
    lines: list[str] = []

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != writing.__file__:
            return None
        if frame.f_code.co_name not in ("replacing", "_replace_file", "_replace_folder"):
            return None
        if event == "line":
            lines.append(f"{frame.f_code.co_name}:{frame.f_lineno}")
            if len(lines) == line:
                raise error
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield lines
    except error:
        pass
    finally:
        sys.settrace(before)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("replaces", [True, False])
def test_an_interrupt_before_each_line_leaves_the_old_or_the_new(
    tmp_path: Path, error: type[BaseException], replaces: bool
) -> None:
    def write(path: Path, text: str) -> None:
        if replaces:
            path.mkdir()
            path = path / "zarr.json"
        path.write_text(text)

    def read(path: Path) -> str:
        return (path / "zarr.json" if replaces else path).read_text()

    seen: set[str] = set()
    for line in range(1, 1000):
        folder = tmp_path / str(line)
        folder.mkdir()
        write(folder / "file", "old")
        with (
            interrupted(line, error) as lines,
            writing.replacing(folder / "file", replaces) as place,
        ):
            write(Path(place), "new")
        assert read(folder / "file") in ("old", "new")
        seen.add(read(folder / "file"))
        if len(lines) < line:
            break
    assert line > 10 and seen == {"old", "new"} and read(folder / "file") == "new"
    assert os.listdir(folder) == ["file"]


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("call", [1, 2])
def test_a_signal_between_the_renames_of_a_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: int, when: str
) -> None:
    files.cube.to_zarr(OLD, tmp_path / "cube")
    rename, calls = os.rename, []

    def handler(number: int, frame: Any) -> None:
        raise SystemExit

    def failing(one: str, other: str) -> None:
        calls.append(one)
        if len(calls) == call and when == "before":
            os.kill(os.getpid(), signal.SIGTERM)
        rename(one, other)
        if len(calls) == call and when == "after":
            os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(os, "rename", failing)
    former = signal.signal(signal.SIGTERM, handler)
    try:
        with pytest.raises(SystemExit):
            files.cube.to_zarr(NEW, tmp_path / "cube", mode="w")
    finally:
        signal.signal(signal.SIGTERM, former)
    assert stored(tmp_path / "cube") == ("new" if (call, when) == (2, "after") else "old")
    assert os.listdir(tmp_path) == ["cube"]


# processes that end

CHILD = """
import os, signal, sys
import xarray
from test_faults import NEW, OLD, SAVES
kind, path, call = sys.argv[1], sys.argv[2], int(sys.argv[3])
for name in ("rename", "replace"):
    def killing(one, other, move=getattr(os, name)):
        global call
        call -= os.path.basename(other) in ("cube", "cube.old")  # zarr renames chunks
        if call == 0 and os.path.basename(other) in ("cube", "cube.old"):
            os.kill(os.getpid(), signal.SIGKILL)
        move(one, other)
    setattr(os, name, killing)
print("ready", flush=True)
while True:
    for cube in (NEW, OLD):
        SAVES[kind](cube, path)
"""


def child(kind: str, path: Path, call: int) -> subprocess.Popen[str]:
    """Start a process that saves one cube after the other, and is killed at a call of rename."""
    here = Path(__file__).parent
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(here), *filter(None, sys.path)])}
    command = [sys.executable, "-W", "ignore", "-c", CHILD, kind, str(path), str(call)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)


def recovered(path: Path) -> str:
    """Open a cube as the error says, if it has been moved away."""
    try:
        return stored(path)
    except FileNotFoundError as error:
        (code,) = re.findall(r"os\.rename\(.*\)(?= brings back)", str(error))
        eval(code)
    return stored(path)


@pytest.mark.parametrize(
    ("kind", "call"), [("zarr3", 1), ("zarr3", 2), ("zarr3", 3), ("zarr2", 2), ("netcdf4", 1)]
)
def test_a_process_killed_at_a_rename(tmp_path: Path, kind: str, call: int) -> None:
    SAVES[kind](OLD, tmp_path / "cube")
    with child(kind, tmp_path / "cube", call) as process:
        process.wait(timeout=60)
    assert (tmp_path / "cube").exists() == (call != 2)
    assert len(os.listdir(tmp_path)) == (1 if call == 2 else 2)
    assert recovered(tmp_path / "cube") == ("new" if call == 3 else "old")


@KINDS
def test_a_process_killed_at_random(tmp_path: Path, kind: str) -> None:
    SAVES[kind](OLD, tmp_path / "cube")
    with child(kind, tmp_path / "cube", -1) as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        threading.Event().wait(random.uniform(0, 0.5))
        process.kill()
        process.wait(timeout=60)
    assert recovered(tmp_path / "cube") in ("old", "new")


@pytest.mark.parametrize("chunks", [None, {}])
@pytest.mark.parametrize("kind", ["netcdf4", "h5netcdf"])
def test_a_file_that_another_process_replaces(tmp_path: Path, kind: str, chunks: Any) -> None:
    """Each read gives the old cube or the new one, and none an error."""
    SAVES[kind](OLD, tmp_path / "cube")
    seen: Counter[str] = Counter()
    with child(kind, tmp_path / "cube", -1) as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        while seen.total() < 30 or (min(seen["old"], seen["new"]) < 4 and seen.total() < 8000):
            seen[stored(tmp_path / "cube", chunks)] += 1
        process.kill()
    assert min(seen["old"], seen["new"]) > 3


REPLACING = """
import os, shutil, sys
folder = sys.argv[1]
print("ready", flush=True)
while True:
    for name in ("new", "old"):
        shutil.copy(f"{folder}/{name}", f"{folder}/next")
        os.replace(f"{folder}/next", f"{folder}/frame")
"""


def test_a_frame_that_another_process_replaces(tmp_path: Path) -> None:
    frames = {"old": OLD.to_series().reset_index(), "new": NEW.to_series().reset_index()}
    for name, frame in frames.items():
        frame.ordinal.to_parquet(tmp_path / name)
    shutil.copy(tmp_path / "old", tmp_path / "frame")
    command = [sys.executable, "-c", REPLACING, str(tmp_path)]
    seen: Counter[str] = Counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        while seen.total() < 80 or (min(seen["old"], seen["new"]) < 4 and seen.total() < 8000):
            read = files.parquet.read_parquet(tmp_path / "frame")
            seen.update(name for name, frame in frames.items() if read.equals(frame))
        process.kill()
    assert min(seen["old"], seen["new"]) > 3


def test_a_first_save_that_was_killed(tmp_path: Path) -> None:
    (tmp_path / "cube.nc.abc.part").mkdir()
    with pytest.raises(FileNotFoundError, match=r"cube\.nc\.abc\.part.*delete it, and save"):
        files.cube.open_cube(tmp_path / "cube.nc")
    with pytest.raises(FileNotFoundError, match=r"other\.nc'$"):
        files.cube.open_cube(tmp_path / "other.nc")


@STORES
def test_a_pattern_names_a_store_that_was_being_replaced(tmp_path: Path, kind: str) -> None:
    for name in ("a.zarr", "b.zarr", "x[1].zarr"):
        SAVES[kind](OLD, tmp_path / name)
    for name in ("b.zarr", "x[1].zarr"):
        part = tmp_path / f"{name}.abcdefgh.part"  # as a writer that is killed leaves it
        part.mkdir()
        (tmp_path / name).rename(part / f"{name}.old")
    for pattern in ("*.zarr", "?.zarr", "*"):
        with pytest.raises(FileNotFoundError, match=r"b\.zarr'.*os\.rename\(.*brings back"):
            files.cube.open_cube(tmp_path / pattern)
    with pytest.raises(FileNotFoundError, match=r"x\[1\]\.zarr'.*os\.rename\(.*brings back"):
        files.cube.open_cube(tmp_path / "x[1].zarr")
    assert recovered(tmp_path / "b.zarr") == recovered(tmp_path / "x[1].zarr") == "old"
    np.testing.assert_array_equal(
        files.cube.open_cube(tmp_path / "?.zarr"), 2 * OLD.sel(pred=OLD["true"].values)
    )


def test_a_pattern_leaves_out_what_is_not_whole(tmp_path: Path) -> None:
    (tmp_path / "new.nc.abc.part").mkdir()
    (tmp_path / "new.nc.abc.part" / "new.nc").write_text("half")
    with pytest.raises(FileNotFoundError, match=r"matches.*new\.nc\.abc\.part.*delete it"):
        files.cube.open_cube(tmp_path / "*.nc")
    files.cube.to_netcdf(OLD, tmp_path / "old.nc")
    for pattern in ("*.nc", "*", "**/*.nc"):
        assert stored(tmp_path / pattern) == "old"


# full disks

LARGE = xr.DataArray(
    np.random.default_rng(1).integers(0, 2**60, (400, 3, 3)),
    {"g": np.arange(400), "true": CLASSES, "pred": CLASSES},
    ("g", "true", "pred"),
    "count",
)


@pytest.mark.parametrize("chunks", [None, {"g": 40}])
@pytest.mark.parametrize("kind", ["netcdf4", "zarr2", "zarr3"])
def test_a_file_that_may_not_grow(tmp_path: Path, kind: str, chunks: Any) -> None:
    SAVES[kind](OLD, tmp_path / "cube")
    large = LARGE if chunks is None else LARGE.chunk(chunks)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1500, limits[1]))
    try:
        # one chunk after the other, so that none is still written after the failure
        one_by_one = dask.config.set(scheduler="synchronous")
        # netCDF4 says "HDF error"
        message = "disk may be full" if kind == "netcdf4" else "."
        with one_by_one, pytest.raises(OSError, match=message):
            SAVES[kind](large, tmp_path / "cube")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert stored(tmp_path / "cube") == "old"
    assert os.listdir(tmp_path) == ["cube"]


def test_a_file_that_may_not_grow_under_h5netcdf(tmp_path: Path) -> None:
    """HDF5 ends the process when h5py closes such a file; the old one stays."""
    SAVES["h5netcdf"](OLD, tmp_path / "cube")
    code = (
        "import resource, sys; import xarray; from test_faults import LARGE, SAVES\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1500, -1))\n"
        "SAVES['h5netcdf'](LARGE, sys.argv[1])"
    )
    here = str(Path(__file__).parent)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([here, *filter(None, sys.path)])}
    command = [sys.executable, "-W", "ignore", "-c", code, str(tmp_path / "cube")]
    assert subprocess.run(command, env=env, capture_output=True).returncode != 0
    assert stored(tmp_path / "cube") == "old"


# lost and flipped bits


@KINDS
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of h5netcdf
def test_flipped_bits(tmp_path: Path, kind: str) -> None:
    SAVES[kind](OLD, tmp_path / "cube")
    paths = [path for path in [tmp_path / "cube", *tmp_path.rglob("*")] if path.is_file()]
    places = [(path, n) for path in paths for n, byte in enumerate(path.read_bytes()) if byte]
    refused = 0
    for number, (path, place) in enumerate(random.Random(0).sample(places, 120)):
        flipped = bytearray(path.read_bytes())
        flipped[place] ^= 1 << random.Random(place).randrange(8)
        # another file each time: HDF5 takes one of the same inode for one that it has open
        broken = copied(tmp_path / "cube", tmp_path / str(number))
        (broken / path.relative_to(tmp_path / "cube")).write_bytes(flipped)
        try:
            xr.testing.assert_identical(files.cube.open_cube(broken), OLD)
        except DAMAGED:
            refused += 1
    assert refused > 5 and stored(tmp_path / "cube") == "old"


def copied(path: Path, to: Path) -> Path:
    """Copy a file or a store."""
    return Path((shutil.copytree if path.is_dir() else shutil.copy)(path, to))


@KINDS
@pytest.mark.parametrize("chunked", [True, False])
def test_flipped_values(tmp_path: Path, kind: str, chunked: bool) -> None:
    """Each byte of a group is in the file, and is covered by a checksum."""
    if kind.startswith("zarr"):
        SAVES[kind](lazy(OLD) if chunked else OLD, tmp_path / "cube")
        folder = tmp_path / "cube" / "count" / ("c" if kind == "zarr3" else "")
        path = folder / ("0/0/0" if kind == "zarr3" else "0.0.0")
        places = range(path.stat().st_size)
    else:
        SAVES[kind](lazy(OLD) if chunked else OLD, tmp_path / "cube")
        path = tmp_path / "cube"
        start = path.read_bytes().index(COUNTS[0].tobytes())
        places = range(start, start + COUNTS[0].nbytes)
    for place in places[:: max(1, len(places) // 30)]:
        flipped = bytearray(path.read_bytes())
        flipped[place] ^= 4
        broken = copied(tmp_path / "cube", tmp_path / str(place))
        (broken / path.relative_to(tmp_path / "cube")).write_bytes(flipped)
        try:
            opened = files.cube.open_cube(broken)
        except OSError:
            continue
        assert kind.startswith("zarr") and opened.identical(OLD)  # a bit that Zstandard ignores


@KINDS
def test_truncated(tmp_path: Path, kind: str) -> None:
    SAVES[kind](OLD, tmp_path / "cube")
    paths = [path for path in [tmp_path / "cube", *tmp_path.rglob("*")] if path.is_file()]
    for number, path in enumerate(paths):
        whole = path.read_bytes()
        for size in (0, len(whole) // 2, len(whole) - 1):
            broken = copied(tmp_path / "cube", tmp_path / f"{number} {size}")
            (broken / path.relative_to(tmp_path / "cube")).write_bytes(whole[:size])
            try:
                opened = files.cube.open_cube(broken)
            except OSError:
                continue
            assert opened.identical(OLD)


def chunk_files(store: Path) -> list[Path]:
    return [p for p in store.rglob("*") if p.is_file() and not p.name.startswith((".z", "zarr"))]


@STORES
def test_a_lost_chunk(tmp_path: Path, kind: str) -> None:
    cube = OLD.copy(data=np.zeros_like(COUNTS))  # which zarr by itself would not write
    for name, array in (("whole", cube), ("lazy", lazy(cube))):
        SAVES[kind](array, tmp_path / name)
        lost = chunk_files(tmp_path / name)
        assert len(lost) == (13 if name == "lazy" else 12)
        for path in lost:
            content = path.read_bytes()
            path.unlink()
            with pytest.raises(OSError, match=r"is lost|written to its end"):
                files.cube.open_cube(tmp_path / name)
            path.write_bytes(content)
        assert files.cube.open_cube(tmp_path / name).identical(cube)


@STORES
def test_many_lost_chunks(tmp_path: Path, kind: str) -> None:
    """Their number is noticed, and no file is looked for among many millions."""
    SAVES[kind](lazy(OLD), tmp_path / "cube")
    name = "zarr.json" if kind == "zarr3" else ".zarray"
    edit(tmp_path / "cube" / "count" / name, lambda meta: meta.update(shape=[10**8, 3, 3]))
    with pytest.raises(OSError, match="chunks of 'count' are lost"):
        files.cube.open_cube(tmp_path / "cube")


@STORES
def test_chunks_that_have_changed_places(tmp_path: Path, kind: str) -> None:
    SAVES[kind](OLD, tmp_path / "cube")
    key = "c/0" if kind == "zarr3" else "0"
    one, other = (tmp_path / "cube" / name / key for name in ("true", "pred"))
    one.rename(tmp_path / "moved")
    other.rename(one)
    (tmp_path / "moved").rename(other)
    with pytest.raises(OSError, match="is not what pandas_ordinal saved"):
        files.cube.open_cube(tmp_path / "cube")


def test_another_tool_has_changed_a_value(tmp_path: Path) -> None:
    import netCDF4

    files.cube.to_netcdf(OLD, tmp_path / "cube")
    with netCDF4.Dataset(tmp_path / "cube", "a") as dataset:
        dataset.history = "ncatted"
    assert stored(tmp_path / "cube") == "old"
    with netCDF4.Dataset(tmp_path / "cube", "a") as dataset:
        dataset["count"][0, 0, 0] += 1
    with pytest.raises(OSError, match="another tool has changed it"):
        files.cube.open_cube(tmp_path / "cube")


def test_a_netcdf_file_that_is_opened_lazily_is_verified(tmp_path: Path) -> None:
    """The index of chunks has no checksum in HDF5, and would lead to others."""
    files.cube.to_netcdf(OLD, tmp_path / "cube", encoding={"chunksizes": (1, 3, 3)})
    content = bytearray((tmp_path / "cube").read_bytes())
    assert b"TREE\x01" in content
    content[content.index(b"TREE\x01") + 60] ^= 1
    (tmp_path / "cube").write_bytes(content)
    with pytest.raises(OSError, match="bits have flipped"):
        files.cube.open_cube(tmp_path / "cube", chunks={})


@KINDS
def test_every_chunk_has_a_checksum(tmp_path: Path, kind: str) -> None:
    SAVES[kind](OLD, tmp_path / "cube")
    if kind.startswith("zarr"):
        name, codec = ("zarr.json", "crc32c") if kind == "zarr3" else (".zarray", "crc32")
        metadata = [p.read_text() for p in (tmp_path / "cube").glob(f"*/{name}")]
        assert len(metadata) == 12 and all(f'"{codec}"' in text for text in metadata)
        return
    import netCDF4

    with netCDF4.Dataset(tmp_path / "cube") as dataset:
        for variable in dataset.variables.values():
            assert not variable.ndim or variable.filters()["fletcher32"]


# hostile and tampered files


def edit(path: Path, change: Callable[[Any], Any]) -> None:
    meta = json.loads(path.read_text())
    change(meta)
    path.write_text(json.dumps(meta))


class Executed:
    """An object that makes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return (open, (str(self.path), "w"))


@pytest.mark.parametrize("marked", [True, False])
def test_a_pickle_is_not_loaded(tmp_path: Path, marked: bool) -> None:
    import pickle

    store = tmp_path / "cube"
    files.cube.to_zarr(OLD, store, zarr_format=2)
    if not marked:
        (store / ".zattrs").write_text("{}")
    for name in ("g", "count"):
        chunk = next(iter(chunk_files(store / name)))
        chunk.write_bytes(pickle.dumps(Executed(tmp_path / "executed")))
        change = {"dtype": "|O", "filters": [{"id": "pickle"}], "compressor": None}
        edit(store / name / ".zarray", lambda meta, change=change: meta.update(change))
        with pytest.raises(OSError if marked else ClassOrderError, match=re.escape(str(store))):
            files.cube.open_cube(store)
    assert not (tmp_path / "executed").exists()


BZ2 = {"name": "numcodecs.bz2", "configuration": {"level": 1}}  # zarr has it, and cubes do not


def sharded(*codecs: Any) -> dict[str, Any]:
    options = {"chunk_shape": [1], "codecs": codecs, "index_codecs": codecs[:1]}
    return {"name": "sharding_indexed", "configuration": options}


CHANGES: dict[str, Callable[[Any], Any]] = {
    "huge": lambda meta: meta.update(shape=[2**31]),
    "huge chunk": lambda meta: meta["chunk_grid"]["configuration"].update(chunk_shape=[2**31]),
    "endless": lambda meta: meta.update(shape=[10**30]),
    "negative": lambda meta: meta.update(shape=[-1]),
    "no shape": lambda meta: meta.pop("shape"),
    "text shape": lambda meta: meta.update(shape="2"),
    "other shape": lambda meta: meta.update(shape=[1]),
    "dtype": lambda meta: meta.update(data_type={"name": "fixed_length_utf32"}),
    "other dtype": lambda meta: meta.update(data_type="uint64"),
    "codec": lambda meta: meta["codecs"].append({"name": "numcodecs.pickle"}),
    "codec by name": lambda meta: meta["codecs"].append("numcodecs.pickle"),
    "known codec": lambda meta: meta["codecs"].insert(1, BZ2),
    "codec of shards": lambda meta: meta.update(codecs=[sharded(meta["codecs"][0], BZ2)]),
    "complex": lambda meta: meta.update(data_type="complex64", fill_value=[0.0, 0.0]),
    "no codecs": lambda meta: meta.pop("codecs"),
    "transformers": lambda meta: meta.update(storage_transformers=[{"name": "x"}]),
    "grid": lambda meta: meta["chunk_grid"].update(name="rectangular"),
    "keys": lambda meta: meta["chunk_key_encoding"].update(name="hashed"),
    "zero chunk": lambda meta: meta["chunk_grid"]["configuration"].update(chunk_shape=[0]),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_tampered_array_is_refused(tmp_path: Path, change: Callable[[Any], Any]) -> None:
    files.cube.to_zarr(OLD, tmp_path / "cube", zarr_format=3)
    edit(tmp_path / "cube" / "g" / "zarr.json", change)
    with pytest.raises(OSError, match="cube'"):
        files.cube.open_cube(tmp_path / "cube")


@pytest.mark.filterwarnings("ignore:Numcodecs codecs are not in the Zarr version 3")
@pytest.mark.parametrize("change", ["known codec", "codec of shards", "complex", "transformers"])
def test_what_zarr_reads_and_no_cube_needs_is_refused(tmp_path: Path, change: str) -> None:
    files.cube.to_zarr(OLD, tmp_path / "cube", zarr_format=3)
    edit(tmp_path / "cube" / "g" / "zarr.json", CHANGES[change])
    message = r"the array 'g' of .*cube' (is encoded by 'numcodecs\.bz2'|is complex|has storage)"
    with pytest.raises(OSError, match=message):
        files.cube.open_cube(tmp_path / "cube")


def test_a_codec_of_format_2_that_no_cube_needs_is_refused(tmp_path: Path) -> None:
    files.cube.to_zarr(OLD, tmp_path / "cube", zarr_format=2)
    bz2 = {"compressor": {"id": "bz2", "level": 1}}
    edit(tmp_path / "cube" / "g" / ".zarray", lambda meta: meta.update(bz2))
    with pytest.raises(OSError, match="the array 'g' of .*cube' is encoded by 'bz2'"):
        files.cube.open_cube(tmp_path / "cube")


def test_a_small_store_that_asks_for_much_is_refused(tmp_path: Path) -> None:
    (tmp_path / "g").mkdir()
    (tmp_path / ".zgroup").write_text('{"zarr_format": 2}')
    array = {"zarr_format": 2, "shape": [2**31], "chunks": [2**31], "dtype": "<i8"}
    array |= {"compressor": None, "filters": None, "fill_value": 0, "order": "C"}
    (tmp_path / "g" / ".zarray").write_text(json.dumps(array))
    (tmp_path / "g" / ".zattrs").write_text('{"_ARRAY_DIMENSIONS": ["g"]}')
    with pytest.raises(ClassOrderError, match="no class order"):
        files.cube.open_cube(tmp_path)
    (tmp_path / ".zattrs").write_text(json.dumps(to_dataset(OLD).attrs))
    with pytest.raises(OSError, match="not written to its end"):
        files.cube.open_cube(tmp_path)
    (tmp_path / "pandas_ordinal").mkdir()
    with pytest.raises(OSError, match="2,147,483,648 cells"):
        files.cube.open_cube(tmp_path)


@pytest.mark.parametrize("engine", ["netcdf4", "h5netcdf"])
def test_a_netcdf_file_that_asks_for_much_is_refused(tmp_path: Path, engine: str) -> None:
    import h5py
    import netCDF4

    with netCDF4.Dataset(tmp_path / "cube.nc", "w") as dataset:
        dataset.createDimension("g", 2**31)
        dataset.createVariable("g", "i8", ["g"], chunksizes=[2**20])
    with pytest.raises(ClassOrderError, match="no class order"):
        files.cube.open_cube(tmp_path / "cube.nc")
    with h5py.File(tmp_path / "cube.nc", "a") as file:
        file.attrs["pandas_ordinal"] = to_dataset(OLD).attrs["pandas_ordinal"]
    with pytest.raises(OSError, match="2,147,483,648 cells"):
        files.cube.open_cube(tmp_path / "cube.nc")


@pytest.mark.parametrize("kind", ["netcdf4", "zarr2", "zarr3"])
def test_what_others_have_added_is_not_read(tmp_path: Path, kind: str) -> None:
    dataset = to_dataset(OLD)
    added = dataset.assign(huge=("n", dask.array.zeros(2**20, chunks=2**20)))
    if kind == "netcdf4":
        added.to_netcdf(tmp_path / "cube", engine="netcdf4")
    else:
        try:
            added.to_zarr(tmp_path / "cube", zarr_format=int(kind[-1]), consolidated=False)
        except TypeError:
            pytest.skip("this version of xarray cannot write by this version of zarr")
    assert "n" not in files.cube.open_verified(tmp_path / "cube").dims
    assert stored(tmp_path / "cube") == "old"


def test_a_group_that_others_have_added_is_not_read(tmp_path: Path) -> None:
    import zarr

    files.cube.to_zarr(OLD, tmp_path / "cube", zarr_format=3)
    zarr.open_group(str(tmp_path / "cube"), mode="a").create_group("notes")
    assert stored(tmp_path / "cube") == "old"


def test_variables_that_are_too_large_together(tmp_path: Path) -> None:
    import netCDF4

    to_dataset(OLD).to_netcdf(tmp_path / "cube", engine="netcdf4")
    with netCDF4.Dataset(tmp_path / "cube", "a") as dataset:
        dataset.createDimension("n", 2**29)
        for name in ("x", "y"):
            dataset.createVariable(name, "i1", ["n"], chunksizes=[2**20])
    with pytest.raises(OSError, match="all variables together"):
        files.cube.open_cube(tmp_path / "cube")


DEEP = "[" * 200_000
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)


@pytest.mark.parametrize(
    "text", [DEEP, '{"format":' + DEEP, "null", "[]", '{"format": 1e999}', ""]
)
def test_metadata_that_cannot_be_read(tmp_path: Path, text: str) -> None:
    dataset = to_dataset(OLD)
    for broken in (dataset.assign_attrs(pandas_ordinal=text), dataset.copy()):
        if broken.attrs == dataset.attrs:
            broken["true"].attrs = {"pandas_ordinal": text}
        with pytest.raises(ClassOrderError):
            cube_from_dataset(broken)
    for kind, name in (("zarr2", ".zattrs"), ("zarr3", "zarr.json")):
        for folder in ("", "true"):
            SAVES[kind](OLD, tmp_path / kind)
            (tmp_path / kind / folder / name).write_text(text)
            with pytest.raises(DAMAGED):
                files.cube.open_cube(tmp_path / kind)
            shutil.rmtree(tmp_path / kind)


@examples(150)
@given(st.data(), JSON)
def test_tampered_metadata(data: st.DataObject, value: Any) -> None:
    """Also if the checksums are those of what was tampered with."""
    dataset = to_dataset(OLD)
    texts = [dataset.attrs, *(dataset[name].attrs for name in ("g", "true", "age", "month"))]
    attrs = data.draw(st.sampled_from(texts))
    fields = json.loads(attrs["pandas_ordinal"])
    key = data.draw(st.sampled_from([*fields, "units", "closed", "flags", "ordered"]))
    if data.draw(st.booleans()):
        fields[key] = value
    else:
        fields.pop(key, None)
    attrs["pandas_ordinal"] = json.dumps(fields)
    try:
        number = files.dataset.checksum(dataset.attrs["pandas_ordinal"], dataset.variables)
    except Exception:
        number = np.int64(0)
    for name in ("pandas_ordinal", *(f"pandas_ordinal_{dim}" for dim in OLD.dims)):
        dataset[name] = xr.full_like(dataset[name], number)
    with suppress(ClassOrderError):
        try:
            cube_from_dataset(dataset)
        except ValueError as error:
            if "newer version" not in str(error):
                raise


@KINDS
def test_a_lost_seal(tmp_path: Path, kind: str) -> None:
    import h5py

    SAVES[kind](OLD, tmp_path / "cube")
    if kind.startswith("zarr"):
        name = "zarr.json" if kind == "zarr3" else ".zattrs"
        root = (lambda meta: meta["attributes"]) if kind == "zarr3" else (lambda meta: meta)
        edit(tmp_path / "cube" / name, lambda meta: root(meta).pop("pandas_ordinal_sha256"))
    else:
        with h5py.File(tmp_path / "cube", "a") as file:
            del file.attrs["pandas_ordinal_sha256"]
    with pytest.raises(OSError, match="is not what pandas_ordinal saved"):
        files.cube.open_cube(tmp_path / "cube")


def test_attributes_that_would_change(tmp_path: Path) -> None:
    attrs = {"a": 1, "b": 0.1, "c": [1, 2], "d": np.float32(0.1), "e": ["x", "y"], "f": ""}
    for kind, save in SAVES.items():
        save(OLD.assign_attrs(attrs), tmp_path / kind)
        opened = files.cube.open_cube(tmp_path / kind)
        assert set(opened.attrs) == {"note", *attrs}
    with pytest.raises(TypeError, match="the attribute 'z' of 'count' would come back as"):
        files.cube.to_netcdf(OLD.assign_attrs(z="a\0b"), tmp_path / "netcdf4")
    assert set(files.cube.open_cube(tmp_path / "netcdf4").attrs) == {"note", *attrs}


@pytest.mark.parametrize("attrs", [{"z": [[1], [2]]}, {"z": 1 + 2j}, {"_Format": "v"}])
def test_what_another_engine_could_not_open_is_not_saved(tmp_path: Path, attrs: Any) -> None:
    with pytest.raises((ValueError, TypeError), match="come back as|cannot hold|is complex"):
        files.cube.to_netcdf(OLD.assign_attrs(attrs), tmp_path / "cube", engine="h5netcdf")
    assert not list(tmp_path.iterdir())


@KINDS
def test_an_attribute_of_ours_is_taken(tmp_path: Path, kind: str) -> None:
    cube = OLD.copy()
    cube["true"].attrs["pandas_ordinal"] = "mine"
    with pytest.raises(ValueError, match="the attribute 'pandas_ordinal' of 'true' would be lost"):
        SAVES[kind](cube, tmp_path / "cube")


@KINDS
@pytest.mark.parametrize("name", ["x" * 300, ".x", "a\nb"])
def test_names_that_files_cannot_hold(tmp_path: Path, kind: str, name: str) -> None:
    with pytest.raises(ValueError, match="which files cannot hold: rename it"):
        SAVES[kind](OLD.rename(g=name), tmp_path / "cube")


class Odd:
    """What no format knows."""


ATTRIBUTES: dict[str, tuple[Any, str]] = {  # and the formats that cannot hold it
    "ragged": ([[1], [2, 3]], "netCDF"),
    "nested": ([[1, 2], [3, 4]], "netCDF"),
    "table": (np.eye(2), "netCDF"),
    "mixed": ([1, "a"], "netCDF"),
    "nothing": (None, "netCDF"),
    "dict": ({"a": 1}, "netCDF"),
    "boolean": (True, "netCDF"),
    "large": (2**70, "netCDF"),
    "half a character": ("\ud800", "netCDF"),
    "set": ({1, 2}, "netCDF zarr"),
    "time": (pd.Timestamp("2020"), "netCDF zarr"),
    "object": (Odd(), "netCDF zarr"),
}


@KINDS
@pytest.mark.parametrize("name", ATTRIBUTES)
def test_attributes_that_a_format_cannot_hold(tmp_path: Path, kind: str, name: str) -> None:
    value, formats = ATTRIBUTES[name]
    written = "zarr" if kind.startswith("zarr") else "netCDF"
    of_coordinate = OLD.copy()
    of_coordinate["g"].attrs["note"] = value
    for cube, owner in ((OLD.assign_attrs(note=value), "count"), (of_coordinate, "g")):
        target = tmp_path / owner
        if written in formats:
            refused = f"the attribute 'note' of '{owner}' is .*, which {written} cannot hold: save"
            with pytest.raises(TypeError, match=re.compile(refused, re.DOTALL)):
                SAVES[kind](cube, target)
            assert not target.exists()
        else:
            SAVES[kind](cube, target)
            xr.testing.assert_equal(files.cube.open_cube(target), cube)


@pytest.mark.parametrize("name", ["a\\b", "zarr.json"])
def test_names_that_zarr_cannot_hold(tmp_path: Path, name: str) -> None:
    for cube in (OLD.rename(g=name), OLD.assign_coords({name: 1}), OLD.rename(name)):
        with pytest.raises(ValueError, match=f"the name {re.escape(repr(name))} .*: rename it"):
            files.cube.to_zarr(cube, tmp_path / "cube")
    files.cube.to_netcdf(OLD.rename(g=name), tmp_path / "cube")
    assert name in files.cube.open_cube(tmp_path / "cube").dims


# several at once


def test_a_writer_does_not_bring_back_what_it_has_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another writer has moved its store away when the first one cleans up."""
    target = tmp_path / "store"
    target.mkdir()
    (target / "old").touch()
    real = writing._replace_folder

    def moved_away(new: str, target: str, old: str) -> None:
        real(new, target, old)
        os.rename(target, tmp_path / "of another writer")

    monkeypatch.setattr(writing, "_replace_folder", moved_away)
    with writing.replacing(target, folders=True) as place:
        os.mkdir(place)
    assert os.listdir(tmp_path) == ["of another writer"]


@STORES
def test_two_writers_and_a_reader(tmp_path: Path, kind: str) -> None:
    """A reader gets the one or the other, or an error; in the end, there is one, whole."""
    SAVES[kind](OLD, tmp_path / "cube")
    failures: list[BaseException] = []

    def write(cube: xr.DataArray) -> None:
        try:
            for _ in range(8):
                SAVES[kind](cube, tmp_path / "cube")
        except BaseException as error:
            failures.append(error)

    writers = [threading.Thread(target=write, args=[cube]) for cube in (OLD, NEW)]
    for writer in writers:
        writer.start()
    seen = set()
    while any(writer.is_alive() for writer in writers):
        try:
            seen.add(stored(tmp_path / "cube"))
        except DAMAGED:
            continue
    for writer in writers:
        writer.join()
    assert not failures and seen <= {"old", "new"}
    assert stored(tmp_path / "cube") in ("old", "new")
    assert os.listdir(tmp_path) == ["cube"]


def test_two_first_writers(tmp_path: Path) -> None:
    """The second writer gets an error, and the store of the first one stays."""

    def second(replaces: bool) -> None:
        with writing.replacing(tmp_path / "cube", replaces) as place:
            files.cube.to_zarr(NEW, place)
            files.cube.to_zarr(OLD, tmp_path / "cube")

    with pytest.raises(FileExistsError, match=r'cube\' exists already: mode="w" replaces it'):
        second(replaces=False)
    assert stored(tmp_path / "cube") == "old"
    assert os.listdir(tmp_path) == ["cube"]
    shutil.rmtree(tmp_path / "cube")
    second(replaces=True)
    assert stored(tmp_path / "cube") == "new"
    assert os.listdir(tmp_path) == ["cube"]
