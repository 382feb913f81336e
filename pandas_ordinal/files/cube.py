"""Saving cubes and reports, and opening them: a cube also from many files."""

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
from pandas_ordinal.errors import ClassOrderError, UnreadableFileError, brief, is_iterable
from pandas_ordinal.files.dataset import cube_from_dataset, to_dataset
from pandas_ordinal.files.netcdf import open_netcdf, write_netcdf
from pandas_ordinal.files.reading import (
    KEY,
    REPORT,
    FilePath,
    address_hint,
    errors_become,
    local_path,
    refuse_special,
)
from pandas_ordinal.files.seal import SEAL, refuse_damaged
from pandas_ordinal.files.writing import (
    PART,
    backup_path,
    destination_of,
    leftover_hint,
)
from pandas_ordinal.files.zarr import open_zarr, write_zarr
from pandas_ordinal.hints import explains_arguments, import_extra

Encoding: TypeAlias = Mapping[str, Any]
FilePaths: TypeAlias = "FilePath | Sequence[FilePath] | Mapping[Any, FilePath]"

NETCDF_OPTIONS = ("zlib", "complevel", "shuffle", "chunksizes")
ZARR_OPTIONS = ("chunks", "shards", "compressors")
CHUNK_SIZES = ("chunksizes", "chunks", "shards")
MOST_FILES_NAMED = 5


def to_netcdf(
    array: xr.DataArray,
    path: FilePath,
    *,
    engine: Literal["netcdf4", "h5netcdf"] | None = None,
    encoding: Encoding | None = None,
) -> None:
    """Save a cube as a netCDF 4 file: `ArrayOrdinal.to_netcdf`."""
    write_netcdf(_with_encoding(array, encoding, NETCDF_OPTIONS), path, engine)


def to_zarr(
    array: xr.DataArray,
    store: Any,
    *,
    mode: Literal["w", "w-"] = "w-",
    zarr_format: Literal[2, 3] | None = None,
    encoding: Encoding | None = None,
) -> None:
    """Save a cube as a zarr store: `ArrayOrdinal.to_zarr`."""
    write_zarr(_with_encoding(array, encoding, ZARR_OPTIONS), store, mode, zarr_format)


def _with_encoding(
    array: xr.DataArray, encoding: Encoding | None, known: tuple[str, ...]
) -> xr.Dataset:
    """Return the Dataset of a cube, with the layout of its values in a file."""
    dataset = to_dataset(array)
    if encoding is not None:
        refuse_encoding(encoding, array, known)
        dataset.variables[str(array.name or "values")].encoding.update(encoding)
    return dataset


def refuse_encoding(encoding: Encoding, array: xr.DataArray, known: tuple[str, ...]) -> None:
    """Raise if an encoding is not a dict, or could change the values.

    Parameters
    ----------
    encoding : mapping
        The layout of the values in the file, as xarray takes it.
    array : DataArray
        The values.
    known : tuple of str
        The options of the format that change only the layout.
    """
    if not isinstance(encoding, Mapping):
        raise TypeError(
            f'encoding={brief(encoding)} must be a dict, such as {{"{known[0]}": ...}}'
        )
    for name, value in encoding.items():
        if name not in known:
            raise ValueError(
                f"encoding= has {name!r}, which is not one of {list(known)}: other options could "
                "change the counts, or belong to another format"
            )
        if name in CHUNK_SIZES and not _are_sizes(value, array):
            raise ValueError(
                f"encoding={{{name!r}: {value!r}}} must give each of the dimensions "
                f"{dict(array.sizes)} a size from 1 to its own"
            )
        if name in ("zlib", "shuffle") and not isinstance(value, bool):
            raise ValueError(f"encoding={{{name!r}: {value!r}}} must be True or False")
        if name == "complevel" and value not in range(10):
            raise ValueError(f"encoding={{{name!r}: {value!r}}} must be an integer from 0 to 9")


def _are_sizes(value: Any, array: xr.DataArray) -> bool:
    """Whether a value is the size of a chunk along each dimension."""
    if not isinstance(value, (tuple, list)) or len(value) != array.ndim:
        return False
    return all(
        isinstance(size, int) and 1 <= size <= max(whole, 1)
        for size, whole in zip(value, array.shape, strict=True)
    )


@explains_arguments
def open_cube(path: FilePaths, *, dim: str | None = None, chunks: Any = None) -> xr.DataArray:
    """Read a cube from one or many files, into memory unless `chunks=` is given.

    Parameters
    ----------
    path : str or path, sequence or dict of them
        The netCDF file, or the folder of a zarr store. Several, or a pattern such as
        ``"results/*.nc"``, are combined by `concat`: it merges their classes and groups, and drops
        attributes and coordinates other than those of the dimensions.
    dim : str, optional
        The dimension along which to combine several files. Either a new one, with the keys of a
        dict as labels, or the coordinate of that name in each cube; or one that all cubes have,
        and no group may occur in two files. By default, counts of the same group add up.
    chunks : int, dict or "auto", optional
        Open the files lazily, with Dask, with chunks as for `xarray.open_dataset`; ``{}`` uses the
        chunks of the file. Labels are read at once, counts when they are computed. By default,
        everything is read into memory.

    Returns
    -------
    DataArray
        The cube, as it was saved. A lazy one keeps its files open until ``cube.close()``.

    Raises
    ------
    FileNotFoundError
        If a file does not exist, or no file matches the pattern.
    OSError
        If a file is not a netCDF file or zarr store, is damaged, or was changed by another tool.
    ClassOrderError
        If a file holds no class order, or the orders of two files contradict each other.
    ValueError
        If the dimensions or groups of the files do not match, if a file holds a report, or
        if a newer version of pandas_ordinal wrote it.

    Examples
    --------
    >>> import pandas as pd
    >>> from tempfile import TemporaryDirectory
    >>> import pandas_ordinal as po
    >>> cube = pd.DataFrame({"y": [3, 1], "yhat": [2, 1]}).ordinal.confusion("y", "yhat")
    >>> with TemporaryDirectory() as folder:
    ...     cube.ordinal.to_netcdf(f"{folder}/monday.nc")
    ...     (cube + 1).ordinal.to_netcdf(f"{folder}/friday.nc")
    ...     monday = po.open_cube(f"{folder}/monday.nc")
    ...     week = po.open_cube(f"{folder}/*.nc")
    >>> monday.indexes["true"].tolist(), int(monday.sum()), int(week.sum())
    ([1, 2, 3], 2, 13)
    """
    if chunks is not None:
        import_extra("dask.array", "dask")
        sizes = chunks.values() if isinstance(chunks, dict) else [chunks]
        parts = [one for size in sizes for one in (size if isinstance(size, tuple) else [size])]
        if isinstance(chunks, tuple) or not all(map(_is_size, parts)):
            raise ValueError(
                f'chunks={brief(chunks)} must be "auto", an integer, or a dict of them by '
                "dimension"
            )
    paths = _paths(path)
    if paths is None:
        if dim is not None:
            raise ValueError(
                f"dim={brief(dim)} is the dimension along which several files are combined: give "
                'a list of paths, a dict or a pattern such as "results/*.nc"'
            )
        return _open_file(path, chunks)  # type: ignore[arg-type]
    if len(paths) == 1 and dim is None:
        (file,) = paths.values()
        return _open_file(file, chunks)
    cubes: dict[Any, xr.DataArray] = {}
    try:
        for key, file in paths.items():
            cubes[key] = _open_file(file, chunks)
        combined = concat(cubes if isinstance(path, Mapping) else list(cubes.values()), dim)
    except (OSError, TypeError, ValueError) as error:
        _close(cubes)
        if len(cubes) < len(paths):  # the error names the file
            raise
        raise type(error)(f"{_listed(paths)} do not fit together: {error}") from error
    combined.set_close(lambda: _close(cubes))
    return combined


def _is_size(size: Any) -> bool:
    """Return whether Dask takes this as the size of chunks."""
    if isinstance(size, int):
        return -1 <= size < 2**63 and size != 0
    return size is None or (isinstance(size, str) and size == "auto")


def _open_file(path: FilePath, chunks: Any = None) -> xr.DataArray:
    """Read the cube of one file or store, into memory or lazily in chunks."""
    dataset = open_verified(path, chunks)
    try:
        if REPORT in dataset.attrs:
            raise ValueError(
                f"{os.fspath(path)!r} holds a report: read it with po.open_report(path)"
            )
        cube = cube_from_dataset(dataset)
    except BaseException:
        dataset.close()
        raise
    if chunks is None:
        dataset.close()
    else:
        cube.set_close(dataset.close)
    return cube


def open_verified(path: FilePath, chunks: Any = None) -> xr.Dataset:
    """Return the Dataset in a file, in memory or in chunks, once its digest is verified."""
    place = local_path(path)
    if not os.path.exists(place):
        left = leftover_hint(place) or address_hint(path)
        raise FileNotFoundError(f"no file or zarr store {brief(os.fspath(path))}{left}")
    is_store = os.path.isdir(place)
    if not is_store:
        refuse_special(place)
    kind = "zarr store" if is_store else "netCDF 4 file"
    unreadable = UnreadableFileError(f"{place!r} is not a {kind}, or is damaged")
    read = open_zarr if is_store else open_netcdf
    with warnings.catch_warnings():
        # the chunks are meant for the values; the checksums are stored in one chunk
        warnings.filterwarnings("ignore", "The specified chunks separate", UserWarning)
        dataset = read(place, unreadable, chunks)
    try:
        with errors_become(unreadable):
            if chunks is None:
                dataset.load()
        refuse_damaged(dataset, place)
    except BaseException:
        dataset.close()
        raise
    return dataset


def _paths(path: FilePaths) -> dict[Any, FilePath] | None:
    """Return the paths of several files by their labels, or None for a single path."""
    paths: dict[Any, FilePath]
    if isinstance(path, bytes):
        raise TypeError(f"{path=} must be text or a pathlib.Path, such as os.fsdecode(path)")
    if isinstance(path, Mapping):
        paths = dict(path)
    elif isinstance(path, (str, os.PathLike)):
        pattern = os.fspath(path)
        if os.path.exists(pattern) or not has_magic(pattern) or leftover_hint(pattern):
            return None
        paths = dict(enumerate(_matching(pattern)))
    elif is_iterable(path):
        paths = dict(enumerate(path))
    else:
        raise TypeError(
            f"path={brief(path)} must be a path, a pattern, or a list or dict of paths"
        )
    if not paths:
        raise ValueError("no path is given: give one or more")
    return paths


def _matching(pattern: str) -> list[str]:
    """Return the files that match a pattern, including one that is being replaced."""
    part_pattern = f"{pattern}.*{PART}"
    parts = set(glob(part_pattern, recursive=True))  # before and after: a writer may come or go
    matches = {path for path in glob(pattern, recursive=True) if not _is_within_a_part(path)}
    parts |= set(glob(part_pattern, recursive=True))
    targets = {part: destination_of(part) for part in sorted(parts)}
    name = os.path.basename(pattern)
    leftovers = ""
    for part, path in targets.items():
        if not fnmatchcase(os.path.basename(path), name):
            continue
        is_there = os.path.exists(path)
        leftovers = leftovers or leftover_hint(path)
        if is_there or os.path.exists(path):
            matches.add(path)
        elif os.path.exists(backup_path(part)):
            left = leftover_hint(path)
            raise FileNotFoundError(f"no file or zarr store {path!r}{left}")
    if not matches:
        hint = leftovers or address_hint(pattern)
        raise FileNotFoundError(f"no file or zarr store matches {pattern!r}{hint}")
    return sorted(matches)


def _is_within_a_part(path: str) -> bool:
    """Whether a path is, or lies in, a folder of a file that is being written."""
    return any(name.endswith(PART) for name in path.split(os.sep))


def _close(cubes: Mapping[Any, xr.DataArray]) -> None:
    """Close the files of lazy cubes."""
    for cube in cubes.values():
        cube.close()


def _listed(paths: Mapping[Any, FilePath]) -> str:
    """Return the names of the first few files."""
    names = [repr(os.fspath(path)) for path in paths.values()]
    n_more = len(names) - MOST_FILES_NAMED
    more = f" and {n_more} more files" if n_more > 0 else ""
    return ", ".join(names[:MOST_FILES_NAMED]) + more


def report_to_netcdf(
    report: xr.Dataset, path: FilePath, *, engine: Literal["netcdf4", "h5netcdf"] | None = None
) -> None:
    """Save a report as a netCDF 4 file: `DatasetOrdinal.to_netcdf`."""
    write_netcdf(dataset_from_report(report), path, engine)


def report_to_zarr(
    report: xr.Dataset,
    store: Any,
    *,
    mode: Literal["w", "w-"] = "w-",
    zarr_format: Literal[2, 3] | None = None,
) -> None:
    """Save a report as a zarr store: `DatasetOrdinal.to_zarr`."""
    write_zarr(dataset_from_report(report), store, mode, zarr_format)


@explains_arguments
def open_report(path: FilePath) -> xr.Dataset:
    """Read a report from a netCDF file or a zarr store, always into memory.

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
    FileNotFoundError
        If the file does not exist.
    OSError
        If the file is not a netCDF file or zarr store, is damaged, or was changed by another tool.
    ValueError
        If the file holds no report, or a newer version of pandas_ordinal wrote it.

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
    try:
        with open_verified(path) as dataset:
            return report_from_dataset(dataset, path)
    except ClassOrderError as error:
        raise _not_a_report(path) from error


def dataset_from_report(report: xr.Dataset) -> xr.Dataset:
    """Return a report as a Dataset that netCDF and zarr can hold."""
    first = _variable_of_all_dims(report)
    array = report[first]
    others = {name: report[name].variable for name in report.data_vars if name != first}
    dataset = to_dataset(array.assign_coords({**report.coords, **others}))
    dataset = dataset.reset_coords([name for name in others if name in dataset.coords])
    names = json.dumps(list(report.data_vars))
    for name in report.attrs:
        if name in (KEY, SEAL, REPORT):
            raise ValueError(f"the attribute {name!r} is taken: rename it")
    return dataset.assign_attrs({**report.attrs, REPORT: names})


def report_from_dataset(dataset: xr.Dataset, path: FilePath) -> xr.Dataset:
    """Return the report that `dataset_from_report` made a Dataset of."""
    attrs = dict(dataset.attrs)
    not_a_report = _not_a_report(path)
    array = cube_from_dataset(dataset)
    with errors_become(not_a_report):
        names = json.loads(attrs.pop(REPORT))
        if array.name not in names or len(set(names)) < len(names):
            raise not_a_report
        others = {name: array.coords[name].variable for name in names if name != array.name}
        variables: dict[Any, Any] = {array.name: array.variable, **others}
        report = xr.Dataset(
            {name: variables[name] for name in names}, array.drop_vars(list(others)).coords
        )
    for own in (KEY, SEAL):
        attrs.pop(own, None)
    return report.assign_attrs(attrs)


def _not_a_report(path: FilePath) -> ValueError:
    """Return the error for a file that holds a cube, or is from another tool."""
    return ValueError(
        f"{os.fspath(path)!r} does not hold a report that pandas_ordinal saved: po.open_cube "
        "reads a cube"
    )


def _variable_of_all_dims(report: xr.Dataset) -> Any:
    """Return the name of a variable over all dimensions; the others are saved as coordinates."""
    for name, variable in report.data_vars.items():
        if set(variable.dims) == set(report.dims):
            return name
    dims = {str(name): variable.dims for name, variable in report.data_vars.items()}
    raise ValueError(
        f"no variable has all of the dimensions {list(report.dims)}: save variables over "
        f"the same dimensions as one file each, {dims}"
    )
