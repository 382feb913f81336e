"""Cubes of one file or of many, which are put together as `po.concat` does."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from glob import glob, has_magic
from typing import Any, TypeAlias

import xarray as xr

from pandas_ordinal.combine import concat
from pandas_ordinal.files import cube
from pandas_ordinal.files.parts import (
    PART,
    FilePath,
    left_by_a_killed_process,
    needed,
    old_of,
    target_of,
)

FilePaths: TypeAlias = "FilePath | Sequence[FilePath] | Mapping[Any, FilePath]"
SHOWN = 5


def open_cube(path: FilePaths, *, dim: str | None = None, chunks: Any = None) -> xr.DataArray:
    """Read a cube from a netCDF file or a zarr store, or one cube from many of them.

    Parameters
    ----------
    path : str or path, sequence or dict of them
        The file, or the folder of a zarr store. Several, or a pattern such as
        ``"results/*.nc"``, are put together by `concat`: their classes and groups are merged, and
        coordinates beside those of the dimensions, and attributes, are not kept.
    dim : str, optional
        The dimension along which several files lie: a new one, whose labels are the keys of a
        dict or the coordinate of that name that each cube has; or one that all cubes have, of
        which no group is in two files. Without it the counts add.
    chunks : int, dict or "auto", optional
        Open the files lazily, with Dask, in chunks as `xarray.open_dataset` takes them; ``{}`` for
        those of the file. Labels are read at once; counts when they are computed. Default: read
        all into memory.

    Returns
    -------
    DataArray
        The cube, as it was saved. A lazy one keeps its files open until ``cube.close()``.

    Raises
    ------
    ClassOrderError
        If a file does not hold the classes, or the orders of two files contradict each other.
    ValueError
        If the dimensions or groups of the files do not fit together.
    FileNotFoundError
        If there is no such file, or none that matches the pattern.

    Examples
    --------
    >>> import pandas as pd
    >>> from tempfile import TemporaryDirectory
    >>> import pandas_ordinal as po
    >>> cube = pd.DataFrame({"y": [3, 1], "yhat": [2, 1]}).ordinal.confusion("y", "yhat")
    >>> with TemporaryDirectory() as folder:
    ...     cube.ordinal.to_netcdf(f"{folder}/monday.nc")
    ...     (cube + 1).ordinal.to_netcdf(f"{folder}/friday.nc")
    ...     one = po.open_cube(f"{folder}/monday.nc")
    ...     week = po.open_cube(f"{folder}/*.nc")
    >>> one.indexes["true"].tolist(), int(one.sum()), int(week.sum())
    ([1, 2, 3], 2, 13)
    """
    if chunks is not None:
        needed("dask.array", "dask")
        if not (chunks == "auto" or isinstance(chunks, (int, Mapping))):
            raise ValueError(
                f'chunks={chunks!r} must be "auto", an integer, or a dict of them by dimension'
            )
    paths = _paths(path)
    if paths is None:
        if dim is not None:
            raise ValueError(
                f"dim={dim!r} is what several files are put together along: give a list of paths, "
                'a dict or a pattern such as "results/*.nc"'
            )
        return cube.open_cube(path, chunks)  # type: ignore[arg-type]
    if len(paths) == 1 and dim is None:
        (one,) = paths.values()
        return cube.open_cube(one, chunks)
    cubes: dict[Any, xr.DataArray] = {}
    try:
        for key, one in paths.items():
            cubes[key] = cube.open_cube(one, chunks)
        opened = concat(cubes if isinstance(path, Mapping) else list(cubes.values()), dim)
    except (TypeError, ValueError) as error:
        _close(cubes)
        if len(cubes) < len(paths):  # which names its file
            raise
        raise type(error)(f"{_listed(paths)} do not fit together: {error}") from error
    opened.set_close(lambda: _close(cubes))
    return opened


def _paths(path: FilePaths) -> dict[Any, FilePath] | None:
    """Return the paths of several files by their labels, or None if it is one."""
    paths: dict[Any, FilePath]
    if isinstance(path, Mapping):
        paths = dict(path)
    elif isinstance(path, (str, os.PathLike)):
        pattern = os.fspath(path)
        if os.path.exists(pattern) or not has_magic(pattern) or left_by_a_killed_process(pattern):
            return None
        paths = dict(enumerate(_matching(pattern)))
    else:
        paths = dict(enumerate(path))
    if not paths:
        raise ValueError("there is no file to open: give one or more paths")
    return paths


def _matching(pattern: str) -> list[str]:
    """Return the files that match a pattern; none that is being replaced is left out."""
    partly = f"{pattern}.*{PART}"
    parts = set(glob(partly, recursive=True))  # before and after: a writer may come or go
    found = {path for path in glob(pattern, recursive=True) if not _is_within_a_part(path)}
    parts |= set(glob(partly, recursive=True))
    targets = {part: target_of(part) for part in sorted(parts)}
    name = os.path.basename(pattern)
    said = ""
    for part, path in targets.items():
        if not fnmatchcase(os.path.basename(path), name):
            continue
        is_there = os.path.exists(path)
        said = said or left_by_a_killed_process(path)
        if is_there or os.path.exists(path):
            found.add(path)
        elif os.path.exists(old_of(part)):
            left = left_by_a_killed_process(path)
            raise FileNotFoundError(f"there is no file or zarr store {path!r}{left}")
    if not found:
        raise FileNotFoundError(f"there is no file or zarr store that matches {pattern!r}{said}")
    return sorted(found)


def _is_within_a_part(path: str) -> bool:
    """Tell whether a path is a folder of what is not whole yet, or in one."""
    return any(name.endswith(PART) for name in path.split(os.sep))


def _close(cubes: Mapping[Any, xr.DataArray]) -> None:
    """Close the files of lazy cubes."""
    for one in cubes.values():
        one.close()


def _listed(paths: Mapping[Any, FilePath]) -> str:
    """Name some of the files."""
    names = [repr(os.fspath(path)) for path in paths.values()]
    more = f" and {len(names) - SHOWN} more files" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
