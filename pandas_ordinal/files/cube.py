"""How the values of a cube are laid out in a file: chunks and compression, which lose nothing."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from glob import glob, has_magic
from typing import Any, Literal, TypeAlias

import xarray as xr

from pandas_ordinal.cube.combine import concat
from pandas_ordinal.errors import ClassOrderError
from pandas_ordinal.files.dataset import decode, encode, names, read_layout
from pandas_ordinal.files.netcdf import open_netcdf, write_netcdf
from pandas_ordinal.files.seal import SEAL, refuse_damaged
from pandas_ordinal.files.writing import (
    KEY,
    PART,
    REPORT,
    FilePath,
    left_by_a_killed_process,
    needed,
    old_of,
    target_of,
    untrusted,
)
from pandas_ordinal.files.zarr import open_zarr, write_zarr

Encoding: TypeAlias = Mapping[str, Any]

NETCDF = ("zlib", "complevel", "shuffle", "chunksizes")
ZARR = ("chunks", "shards", "compressors")
SIZES = ("chunksizes", "chunks", "shards")


def refuse_encoding(encoding: Encoding, array: xr.DataArray, known: tuple[str, ...]) -> None:
    """Raise if an encoding is none, or is one that could change the values.

    Parameters
    ----------
    encoding : mapping
        What xarray is to lay the values out by.
    array : DataArray
        The values.
    known : tuple of str
        What the format has.
    """
    if not isinstance(encoding, Mapping):
        raise TypeError(f'encoding={encoding!r} must be a dict, such as {{"{known[0]}": ...}}')
    for name, value in encoding.items():
        if name not in known:
            raise ValueError(
                f"encoding= has {name!r}, which is none of {list(known)}: other options could "
                "change the counts, or are not those of this format"
            )
        if name in SIZES and not _are_sizes(value, array):
            raise ValueError(
                f"encoding={{{name!r}: {value!r}}} must give each of the dimensions "
                f"{dict(array.sizes)} a size from 1 to its own"
            )
        if name in ("zlib", "shuffle") and not isinstance(value, bool):
            raise ValueError(f"encoding={{{name!r}: {value!r}}} must be True or False")
        if name == "complevel" and value not in range(10):
            raise ValueError(f"encoding={{{name!r}: {value!r}}} must be an integer from 0 to 9")


def _are_sizes(value: Any, array: xr.DataArray) -> bool:
    """Tell whether a value is the size of a chunk along each dimension."""
    if not isinstance(value, (tuple, list)) or len(value) != array.ndim:
        return False
    return all(
        isinstance(size, int) and 1 <= size <= max(whole, 1)
        for size, whole in zip(value, array.shape, strict=True)
    )


def to_netcdf(
    array: xr.DataArray,
    path: FilePath,
    *,
    engine: Literal["netcdf4", "h5netcdf"] | None = None,
    encoding: Encoding | None = None,
) -> None:
    """Save a cube as a netCDF 4 file: `ArrayOrdinal.to_netcdf`."""
    write_netcdf(_laid_out(array, encoding, NETCDF), path, engine)


def to_zarr(
    array: xr.DataArray,
    store: Any,
    *,
    mode: Literal["w", "w-"] = "w-",
    zarr_format: Literal[2, 3] | None = None,
    encoding: Encoding | None = None,
) -> None:
    """Save a cube as a zarr store: `ArrayOrdinal.to_zarr`."""
    write_zarr(_laid_out(array, encoding, ZARR), store, mode, zarr_format)


def open_one(path: FilePath, chunks: Any = None) -> xr.DataArray:
    """Read the cube of one file or store, into memory or lazily in chunks."""
    dataset = opened(path, chunks)
    try:
        if REPORT in dataset.attrs:
            raise ClassOrderError(
                f"{os.fspath(path)!r} holds a report: read it by po.open_report(path)"
            )
        cube = decode(dataset)
    except BaseException:
        dataset.close()
        raise
    if chunks is None:
        dataset.close()
    else:
        cube.set_close(dataset.close)
    return cube


def opened(path: FilePath, chunks: Any = None) -> xr.Dataset:
    """Open the dataset of a file that is what was saved: in memory, or lazily if chunked."""
    if not os.path.exists(path):
        left = left_by_a_killed_process(path)
        raise FileNotFoundError(f"there is no file or zarr store {os.fspath(path)!r}{left}")
    refused = (
        f"{os.fspath(path)!r} is no file or store of a cube that pandas_ordinal saved, or a "
        "damaged one"
    )
    read = open_zarr if os.path.isdir(path) else open_netcdf
    with warnings.catch_warnings():
        # small chunks are asked for of the values; the checksums beside them lie in one
        warnings.filterwarnings("ignore", "The specified chunks separate", UserWarning)
        dataset = read(os.fspath(path), refused, chunks)
    try:
        with untrusted(refused):
            if chunks is None:
                unknown = set(dataset.data_vars) - names(read_layout(dataset.attrs))
                known = dataset.drop_vars(unknown)
                known.set_close(dataset.close)
                dataset = known.load()
        refuse_damaged(dataset)
    except BaseException:
        dataset.close()
        raise
    return dataset


def _laid_out(
    array: xr.DataArray, encoding: Encoding | None, known: tuple[str, ...]
) -> xr.Dataset:
    """Return the dataset of a cube whose values are to be laid out as asked for."""
    dataset = encode(array)
    if encoding:
        refuse_encoding(encoding, array, known)
        dataset.variables[str(array.name or "values")].encoding.update(encoding)
    return dataset


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
        return open_one(path, chunks)  # type: ignore[arg-type]
    if len(paths) == 1 and dim is None:
        (one,) = paths.values()
        return open_one(one, chunks)
    cubes: dict[Any, xr.DataArray] = {}
    try:
        for key, one in paths.items():
            cubes[key] = open_one(one, chunks)
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


NO_REPORT = "{path!r} holds no report that pandas_ordinal saved: a cube is read by po.open_cube"


def encode_report(report: xr.Dataset) -> xr.Dataset:
    """Return a report as a Dataset that netCDF and zarr can hold."""
    first = _of_all_dims(report)
    array = report[first]
    others = {name: report[name].variable for name in report.data_vars if name != first}
    encoded = encode(array.assign_coords({**report.coords, **others}))
    encoded = encoded.reset_coords([name for name in others if name in encoded.coords])
    names = json.dumps(list(report.data_vars))
    for name in report.attrs:
        if name in (KEY, SEAL, REPORT):
            raise ValueError(f"the attribute {name!r} is taken: rename it")
    return encoded.assign_attrs({**report.attrs, REPORT: names})


def decode_report(dataset: xr.Dataset, path: FilePath) -> xr.Dataset:
    """Return the report that `encode_report` turned into a Dataset."""
    attrs = dict(dataset.attrs)
    refused = NO_REPORT.format(path=str(path))
    array = decode(dataset)
    with untrusted(refused):
        names = json.loads(attrs.pop(REPORT))
        if array.name not in names or len(set(names)) < len(names):
            raise ClassOrderError(refused)
        others = {name: array.coords[name].variable for name in names if name != array.name}
        variables: dict[Any, Any] = {array.name: array.variable, **others}
        report = xr.Dataset(
            {name: variables[name] for name in names}, array.drop_vars(list(others)).coords
        )
    for own in (KEY, SEAL):
        attrs.pop(own, None)
    return report.assign_attrs(attrs)


def report_to_netcdf(
    report: xr.Dataset, path: FilePath, *, engine: Literal["netcdf4", "h5netcdf"] | None = None
) -> None:
    """Save a report as a netCDF 4 file: `DatasetOrdinal.to_netcdf`."""
    write_netcdf(encode_report(report), path, engine)


def report_to_zarr(
    report: xr.Dataset,
    store: Any,
    *,
    mode: Literal["w", "w-"] = "w-",
    zarr_format: Literal[2, 3] | None = None,
) -> None:
    """Save a report as a zarr store: `DatasetOrdinal.to_zarr`."""
    write_zarr(encode_report(report), store, mode, zarr_format)


def open_report(path: FilePath) -> xr.Dataset:
    """Read a report from a netCDF file or a zarr store into memory.

    Parameters
    ----------
    path : str or path
        The file, or the folder of a zarr store.

    Returns
    -------
    Dataset
        The report, as it was saved.

    Raises
    ------
    ClassOrderError
        If the file holds no report.

    Examples
    --------
    >>> import pandas as pd
    >>> from tempfile import TemporaryDirectory
    >>> import pandas_ordinal as po
    >>> df = pd.DataFrame({"model": ["a", "b"], "y": [3, 1], "yhat": [2, 1]})
    >>> report = df.ordinal.confusion("y", "yhat", by="model").ordinal.report()
    >>> with TemporaryDirectory() as folder:
    ...     report.ordinal.to_netcdf(f"{folder}/report.nc")
    ...     po.open_report(f"{folder}/report.nc").identical(report)
    True
    """
    with opened(path) as dataset:
        return decode_report(dataset, path)


def _of_all_dims(report: xr.Dataset) -> Any:
    """Return the name of a variable over all dimensions, which the others are saved beside."""
    for name, variable in report.data_vars.items():
        if set(variable.dims) == set(report.dims):
            return name
    dims = {str(name): variable.dims for name, variable in report.data_vars.items()}
    raise ValueError(
        f"no variable lies along all of the dimensions {list(report.dims)}: save those over the "
        f"same dimensions as one file each, {dims}"
    )
