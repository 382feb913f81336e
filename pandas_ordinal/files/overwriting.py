"""What a zarr store may replace: an empty folder, or a store of cubes or reports and no more."""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import Any

from pandas_ordinal.files.dataset import read_layout, variables_of
from pandas_ordinal.files.reading import FilePath, local_path
from pandas_ordinal.files.writing import already_there
from pandas_ordinal.hints import import_extra

OF_STORE = {"zarr.json", ".zgroup", ".zattrs", ".zmetadata"}
OF_ARRAY = re.compile(r"zarr\.json|\.zarray|\.zattrs|c(/[0-9]+)*|[0-9]+(\.[0-9]+)*")
PARTIAL = re.compile(r".*\.[0-9a-f]{32}\.partial")  # of zarr, when it is killed


def refuse_path(path: FilePath, mode: str) -> None:
    """Raise if a store must not take the place of what is at a path."""
    place = local_path(path)  # what is replaced, also after "missing/.."
    while (found := _identity(place)) is not None:
        fault = _fault(place)
        if _identity(place) != found:  # another writer has just replaced it
            continue
        if fault:
            raise FileExistsError(f"{os.fspath(path)!r} {fault}")
        if mode == "w-":
            raise already_there(path)
        return


def overwrites(store: Any, mode: str) -> bool:
    """Whether zarr must delete what is in a store that is not a path; raise if it must stay."""
    zarr = import_extra("zarr")
    try:
        node = zarr.open(store, mode="r+")
    except FileNotFoundError:
        return False
    if mode == "w-":
        raise already_there(str(store))
    keys = import_extra("zarr.core.sync").sync(_keys(node))
    if fault := _fault_of_node(node, keys):
        raise FileExistsError(f"{store} {fault}")
    return True


def _identity(path: FilePath) -> tuple[int, int] | None:
    """Return what stays the same until another writer replaces the store, or None for no file."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _fault(path: FilePath) -> str | None:
    """Return why a store must not take the place of what is at a path, and the remedy."""
    if not os.path.isdir(path):
        return "is not a zarr store: give another name"
    special = {"the current folder": os.curdir, "your home folder": os.path.expanduser("~")}
    for name, place in special.items():
        if _identity(path) == _identity(place):
            return f"is {name}: give the name of a folder in it"
    if os.path.ismount(os.path.realpath(path)):
        return "is a mount point: give the name of a folder in it"
    if next(_entries(path), None) is None:
        return None
    try:
        node = import_extra("zarr").open(Path(path), mode="r")
    except Exception:  # whatever it is, it stays
        return "is not a zarr store: give another name"
    return _fault_of_node(node, _entries(path))


def _fault_of_node(node: Any, keys: Iterable[str]) -> str | None:
    """Return why a group or array must not be replaced, and the remedy."""
    try:
        names = variables_of(read_layout(node.attrs.asdict()))
    except Exception:  # of another tool, damaged, or of a newer version
        return (
            "is not a zarr store that pandas_ordinal can read, and it stays: give another name, "
            "or delete it first"
        )
    for key in keys:
        if not _is_ours(key, names):
            return (
                f"holds {key!r}, which pandas_ordinal did not write: move it elsewhere, or give "
                "another name"
            )
    return None


def _is_ours(key: str, names: Container[str]) -> bool:
    """Whether a file or folder in a store belongs to one of the arrays, or to the whole."""
    name, _, rest = key.partition("/")
    if key in OF_STORE or PARTIAL.fullmatch(key):
        return True
    return name in names and (not rest or OF_ARRAY.fullmatch(rest) is not None)


def _entries(folder: FilePath) -> Iterator[str]:
    """Yield the files and folders in a folder; links, which no store has, are marked."""
    for parent, folders, files in os.walk(folder, onerror=_raise_unless_gone):
        for name in sorted([*folders, *files]):
            entry = Path(parent, name)
            link = " (a link)" if entry.is_symlink() else ""
            yield f"{entry.relative_to(folder).as_posix()}{link}"


def _raise_unless_gone(error: OSError) -> None:
    """Raise for a folder that cannot be read, unless another writer has replaced it."""
    if not isinstance(error, FileNotFoundError):
        raise error


async def _keys(node: Any) -> list[str]:
    """Return the keys of all files of a group or array."""
    prefix = f"{node.path}/" if node.path else ""
    return [key.removeprefix(prefix) async for key in node.store.list_prefix(prefix)]
