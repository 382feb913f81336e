"""What a zarr store may replace: an empty folder, or a store of cubes or reports and no more."""

from __future__ import annotations

import os
import re
from collections.abc import Container
from pathlib import Path
from typing import Any

from pandas_ordinal.files.dataset import read_layout, variables_of
from pandas_ordinal.files.reading import FilePath, import_extra
from pandas_ordinal.files.writing import already_there

OF_STORE = {"zarr.json", ".zgroup", ".zattrs", ".zmetadata"}
OF_ARRAY = re.compile(r"zarr\.json|\.zarray|\.zattrs|c(/[0-9]+)*|[0-9]+(\.[0-9]+)*")
PARTIAL = re.compile(r".*\.[0-9a-f]{32}\.partial")  # of zarr, when it is killed


def refuse_path(path: FilePath, mode: str) -> None:
    """Raise if a store must not take the place of what is at a path."""
    while (found := _identity(path)) is not None:
        fault = _fault(path)
        if _identity(path) != found:  # another writer has just replaced it
            continue
        if fault:
            raise FileExistsError(f"{os.fspath(path)!r} {fault}")
        if mode == "w-":
            raise already_there(path)
        return


def overwrites(store: Any) -> bool:
    """Whether a store that is not given as a folder has a group; raise if it is not ours.

    Without a group, zarr need not delete anything.
    """
    zarr = import_extra("zarr")
    try:
        group = zarr.open_group(store, mode="r", use_consolidated=False)
    except FileNotFoundError:
        return False
    if fault := _fault_of_group(group, import_extra("zarr.core.sync").sync(_keys(group))):
        raise FileExistsError(f"{store} {fault}")
    return True


def _identity(path: FilePath) -> tuple[int, int] | None:
    """Return what stays the same until another writer replaces the store, or None for no file."""
    try:
        found = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
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
    keys = _entries(path)
    if not keys:
        return None
    try:
        options: dict[str, Any] = {"mode": "r", "use_consolidated": False}
        group = import_extra("zarr").open_group(os.fspath(path), **options)
    except Exception:  # whatever it is, it stays
        return "is not a zarr store: give another name"
    return _fault_of_group(group, keys)


def _fault_of_group(group: Any, keys: list[str]) -> str | None:
    """Return why a group must not be replaced, and the remedy."""
    try:
        names = variables_of(read_layout(group.attrs.asdict()))
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


def _entries(folder: FilePath) -> list[str]:
    """Return the files and folders in a folder; links, which no store has, with an arrow."""
    entries = []
    for parent, folders, files in os.walk(folder):
        for name in sorted([*folders, *files]):
            entry = Path(parent, name)
            arrow = f" -> {os.readlink(entry)}" if entry.is_symlink() else ""
            entries.append(f"{entry.relative_to(folder).as_posix()}{arrow}")
    return entries


async def _keys(group: Any) -> list[str]:
    """Return the keys of all files of a group."""
    prefix = f"{group.path}/" if group.path else ""
    return [key.removeprefix(prefix) async for key in group.store.list_prefix(prefix)]
