"""Cubes as netCDF files and zarr stores, and the dataset that both hold.

Classes, and other labels than numbers, are saved as positions; the labels themselves as JSON, the
edges of intervals as numbers. What is read back is what was saved, or an error: an order that a
file does not hold is never guessed.
"""

from __future__ import annotations

import hashlib
import json
import os
import warnings
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any, Literal

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.arrays import Array
from pandas_ordinal.errors import ClassOrderError
from pandas_ordinal.files.encoding import NETCDF, ZARR, Encoding, refuse_encoding
from pandas_ordinal.files.parts import (
    FORMAT,
    KEY,
    REPORT,
    FilePath,
    Parts,
    beside,
    described,
    needed,
    read_marker,
    rebuilt,
)

RESERVED = ("coordinates", "dtype")  # attributes that xarray would take for its own
ENGINES = {"netcdf4": "netCDF4", "h5netcdf": "h5netcdf"}  # SciPy's netCDF 3 has no int64

NO_CLASSES = (
    "the dataset holds no class order: pandas_ordinal did not write it, or parts of it are lost. "
    "Take the array and give both class axes back, lowest class first: "
    "cube.assign_coords(true=pd.CategoricalIndex([...], [...], ordered=True), pred=...)"
)
CHANGED = (
    "the dataset was put together of cubes with other classes or groups, or aggregated, after it "
    "was encoded, so that its codes are no longer those of its labels: open many files by "
    "po.open_cube([...]), not by xr.open_mfdataset, or decode each cube, and then use po.concat, "
    "or aggregate the cubes"
)
UNFINISHED = (
    "the dataset has lost its checksum, or was not written to its end: save the cube once more"
)


def encode(array: xr.DataArray) -> xr.Dataset:
    """Return a cube as a dataset that netCDF and zarr can hold.

    Parameters
    ----------
    array : DataArray
        A cube, or any other array of numbers whose coordinates are classes, intervals, text,
        times or numbers. A chunked one stays so.

    Returns
    -------
    Dataset
        The array and its coordinates, those that are not numbers as codes with their labels in an
        attribute, and a variable ``<dim>_bnds`` for the edges of each axis of intervals. A
        checksum of all labels is in ``pandas_ordinal``, and along each dimension in
        ``pandas_ordinal_<dim>``.

    Raises
    ------
    TypeError
        If the labels of a coordinate, or the values, cannot be held exactly.
    ValueError
        If two variables of the dataset would have one name, or xarray would take an attribute for
        its own.

    Examples
    --------
    >>> import pandas as pd
    >>> import pandas_ordinal as po
    >>> df = pd.DataFrame({"y": ["low", "high"], "yhat": ["low", "low"]})
    >>> cube = df.ordinal.confusion("y", "yhat", classes=["low", "high"])
    >>> dataset = cube.ordinal.encode()
    >>> dataset["pred"].values
    array([0, 1], dtype=int32)
    >>> po.decode(dataset).identical(cube)
    True
    """
    _refuse_array(array)
    variable = str(array.name or "values")
    taken = {*array.dims, *array.coords}
    _refuse_taken([variable], taken)
    _refuse_taken([KEY, *map(_check, array.dims)], taken | {variable})
    variables = {variable: array.variable.copy(deep=False)}
    labelled = []
    for name, coord in array.coords.items():
        labels = _labels(coord)
        if labels is None:
            variables[str(name)] = coord.variable.copy(deep=False)
        else:
            variables |= _coded(coord, labels, taken | {variable})
            labelled.append(name)
    for stored in variables.values():  # no fill value, no packing left over from another file
        stored.encoding = {"_FillValue": None}
    marker = {
        "format": FORMAT,
        "name": array.name,
        "variable": variable,
        "dims": list(array.dims),
        "coords": list(array.coords),
        "labelled": labelled,
    }
    text = json.dumps(marker)
    checksum = _checksum(text, variables)
    variables[KEY] = xr.Variable((), checksum)
    for dim, size in array.sizes.items():
        variables[_check(dim)] = xr.Variable(dim, np.full(size, checksum))
    dataset = xr.Dataset(variables, attrs={KEY: text})
    # xarray warns when it writes a coordinate with a space in its name: it stays a data variable
    return dataset.set_coords([name for name in array.coords if " " not in str(name)])


def decode(dataset: xr.Dataset) -> xr.DataArray:
    """Return the array that `encode` turned into a dataset.

    Parameters
    ----------
    dataset : Dataset
        What `encode` returned, also after a way through netCDF or zarr.

    Returns
    -------
    DataArray
        The array, with its classes, and with coordinates that the dataset has got since.

    Raises
    ------
    ClassOrderError
        If the dataset does not hold the classes, or was put together of several with other
        labels, aggregated, or not written to its end.
    ValueError
        If a newer version of pandas_ordinal wrote it, or dimensions were stacked since.

    Examples
    --------
    >>> import xarray as xr
    >>> import pandas_ordinal as po
    >>> po.decode(xr.Dataset({"count": (("true", "pred"), [[3, 1], [0, 2]])}))
    Traceback (most recent call last):
    ...
    pandas_ordinal.errors.ClassOrderError: the dataset holds no class order: ...
    """
    if not isinstance(dataset, xr.Dataset):
        raise TypeError(f"only a Dataset can be decoded, not a {type(dataset).__name__}")
    marker = read_marker(dataset.attrs.get(KEY), NO_CLASSES)
    if not _is_complete(dataset, marker):
        raise ClassOrderError(NO_CLASSES)
    _refuse_changed(dataset, marker)
    coords = {
        name: _decoded(dataset, name) if name in marker["labelled"] else dataset.variables[name]
        for name in marker["coords"]
    }
    stored = dataset.variables[marker["variable"]]
    own = {*marker["coords"], KEY, *map(_check, marker["dims"])}
    for name, added in dataset.coords.items():
        if name not in own and set(added.dims) <= set(stored.dims):
            if isinstance(dataset.indexes.get(name), pd.MultiIndex):
                raise ValueError(
                    f"the dimension {name!r} was stacked after the cube was encoded: decode it "
                    "first, then stack"
                )
            coords[name] = added.variable
    return xr.DataArray(stored.data, coords, stored.dims, marker["name"], stored.attrs)


def to_netcdf(
    array: xr.DataArray,
    path: FilePath,
    *,
    engine: Literal["netcdf4", "h5netcdf"] | None = None,
    encoding: Encoding | None = None,
) -> None:
    """Save a cube as a netCDF 4 file: `ArrayOrdinal.to_netcdf`."""
    dataset = encode(array)
    if encoding:
        refuse_encoding(encoding, array, NETCDF)
        dataset.variables[str(array.name or "values")].encoding.update(encoding)
    write_netcdf(dataset, path, engine)


def write_netcdf(dataset: xr.Dataset, path: FilePath, engine: str | None) -> None:
    """Write what was encoded as a netCDF 4 file, in place of one that is there."""
    with beside(path) as place:
        dataset.to_netcdf(place, engine=_engine(engine), format="NETCDF4")


def to_zarr(
    array: xr.DataArray,
    store: Any,
    *,
    mode: Literal["w", "w-"] = "w-",
    zarr_format: Literal[2, 3] | None = None,
    encoding: Encoding | None = None,
) -> None:
    """Save a cube as a zarr store: `ArrayOrdinal.to_zarr`."""
    needed("zarr")
    encoding = encoding or {}
    refuse_encoding(encoding, array, ZARR)
    if array.chunks is not None:  # zarr takes chunks of one size only
        sizes = encoding.get("shards", encoding.get("chunks", map(max, array.chunks)))
        array = array.chunk(dict(zip(array.dims, sizes, strict=True)))
    dataset = encode(array)
    dataset.variables[str(array.name or "values")].encoding.update(encoding)
    write_zarr(dataset, store, mode, zarr_format)


def write_zarr(dataset: xr.Dataset, store: Any, mode: str, zarr_format: int | None) -> None:
    """Write what was encoded as a zarr store."""
    needed("zarr")
    if mode not in ("w", "w-"):
        raise ValueError(f'mode={mode!r} must be "w" or "w-"')
    if zarr_format not in (None, 2, 3):
        raise ValueError(f"zarr_format={zarr_format!r} must be 2 or 3")
    if not isinstance(store, (str, os.PathLike)) or "://" in os.fspath(store):
        _write_zarr(dataset, store, mode, zarr_format)
        return
    _refuse_folder(store, mode)
    with beside(store, replaces=os.path.isdir(store)) as place:
        _write_zarr(dataset, place, mode, zarr_format)


def open_cube(path: FilePath, chunks: Any = None) -> xr.DataArray:
    """Read the cube of one file or store, into memory or lazily in chunks."""
    dataset = opened(path, chunks)
    if REPORT in dataset.attrs:
        dataset.close()
        raise ClassOrderError(
            f"{os.fspath(path)!r} holds a report: read it by po.open_report(path)"
        )
    if chunks is None:
        with dataset:
            return decode(dataset.load())
    try:
        cube = decode(dataset)
    except BaseException:
        dataset.close()
        raise
    cube.set_close(dataset.close)
    return cube


def opened(path: FilePath, chunks: Any = None) -> xr.Dataset:
    """Open a netCDF file or a zarr store of what was encoded."""
    if not os.path.exists(path):
        raise FileNotFoundError(f"there is no file or zarr store {os.fspath(path)!r}")
    options: dict[str, Any] = {"engine": "zarr", "consolidated": False}
    if not os.path.isdir(path):
        options = {"engine": _engine()}
    needed(ENGINES.get(options["engine"], "zarr"))
    # nothing was packed, and attributes such as "units" are those of the array
    options |= dict.fromkeys(("mask_and_scale", "decode_times", "decode_timedelta"), False)
    try:
        with warnings.catch_warnings():
            # small chunks are asked for of the values; the checksums beside them lie in one
            warnings.filterwarnings("ignore", "The specified chunks separate", UserWarning)
            return xr.open_dataset(path, chunks=chunks, **options)
    except (KeyError, OSError, ValueError) as error:
        raise ClassOrderError(
            f"{os.fspath(path)!r} is no file or store of a cube that pandas_ordinal saved: {error}"
        ) from error


def _labels(coord: xr.DataArray) -> pd.Index[Any] | Array | None:
    """Return the labels of a coordinate, or None if they are numbers, which any file can hold."""
    if coord.chunks is not None and _is_number(coord.dtype):
        return None
    if coord.ndim == 0 and isinstance(coord.item(), pd.Interval):
        return pd.IntervalIndex([coord.item()])
    labels = coord.to_index() if coord.ndim == 1 and coord.dtype.kind != "U" else coord.to_numpy()
    if isinstance(labels, pd.MultiIndex):
        raise TypeError(
            f"the dimension {coord.name!r} has a MultiIndex, which files cannot hold: save "
            f"array.reset_index({coord.name!r})"
        )
    return None if _is_number(labels.dtype) else labels


def _is_number(dtype: Any) -> bool:
    """Tell whether netCDF and zarr both hold a dtype as it is: float16 would crash netCDF4."""
    floats = dtype.kind == "f" and dtype.itemsize in (4, 8)
    return isinstance(dtype, np.dtype) and (dtype.kind in "biu" or floats)


def _coded(
    coord: xr.DataArray, labels: pd.Index[Any] | Array, taken: set[Any]
) -> dict[str, xr.Variable]:
    """Return a coordinate as codes, and the edges of its intervals."""
    name = str(coord.name)
    what = f"the coordinate {name!r}"
    if isinstance(labels, pd.CategoricalIndex):
        text = f"({coord.dims[0]!r}, array[{name!r}].to_index().rename_categories(str))"
        parts = described(labels.categories, what, f"array.assign_coords({{{name!r}: {text}}})")
        codes, parts["ordered"] = np.asarray(labels.codes), bool(labels.ordered)
    else:
        text = f"array[{name!r}].astype(str)"
        if coord.ndim == 1:  # tuples have no astype
            text = f"({coord.dims[0]!r}, list(map(str, array[{name!r}].values)))"
        parts = described(labels, what, f"array.assign_coords({{{name!r}: {text}}})")
        codes = np.arange(coord.size).reshape(coord.shape)
    edges = parts.pop("edges", None)
    attrs = {**coord.attrs, KEY: json.dumps(parts)}
    variables = {name: xr.Variable(coord.dims, codes.astype(np.int32), attrs)}
    if edges is not None:
        dims = (f"{name}_class", "bnds")
        _refuse_taken([_bounds(name), *dims], taken)
        variables[_bounds(name)] = xr.Variable(dims, edges)
    return variables


def _check(dim: Any) -> str:
    """Return the name of the checksums along a dimension."""
    return f"{KEY}_{dim}"


def _bounds(name: str) -> str:
    """Return the name of the edges of a coordinate of intervals."""
    return f"{name}_bnds"


def _is_complete(dataset: xr.Dataset, marker: Parts) -> bool:
    """Tell whether a dataset still has all variables, labels and edges."""
    variables = dataset.variables
    if not {marker["variable"], *marker["coords"]} <= set(variables):
        return False
    for name in marker["labelled"]:
        parts = json.loads(variables[name].attrs.get(KEY, "{}"))
        if not parts or ("closed" in parts and _bounds(name) not in variables):
            return False
    return True


def _refuse_changed(dataset: xr.Dataset, marker: Parts) -> None:
    """Raise if a dataset has other labels somewhere than those that its codes stood for.

    xarray keeps the attributes of the first dataset when it puts several together, and all data
    only along the dimension that it puts them together on: hence a checksum along each one.
    """
    checks = [KEY, *map(_check, marker["dims"])]
    if not set(checks) <= set(dataset.variables) or not dataset.variables[KEY].size:
        raise ClassOrderError(UNFINISHED)
    if set(dataset.variables[KEY].dims) & set(marker["dims"]):
        # xr.open_mfdataset leaves files out whose codes start as those of another
        raise ClassOrderError(CHANGED)
    checksum = _checksum(dataset.attrs[KEY], dataset.variables)
    for stored in map(dataset.variables.__getitem__, checks):
        # a mean, or a place that was filled in, has made floats of the checksums
        if stored.dtype.kind != "i" or (stored.to_numpy() != checksum).any():
            raise ClassOrderError(CHANGED)
    dims = set(dataset.variables[marker["variable"]].dims)
    for name in marker["coords"]:
        stored = dataset.variables[name]
        averaged = name in marker["labelled"] and stored.dtype.kind != "i"
        if averaged or not set(stored.dims) <= dims:
            raise ClassOrderError(CHANGED)


def _checksum(marker: str, variables: Mapping[Any, xr.Variable]) -> np.int64:
    """Return a number that changes with any label or edge."""
    digest = hashlib.sha256(marker.encode())
    for name in json.loads(marker)["labelled"]:
        digest.update(repr(_parts(variables, name)).encode())
    return np.int64(int.from_bytes(digest.digest()[:7], "big"))


def _parts(variables: Mapping[Any, xr.Variable], name: str) -> Parts:
    """Return the labels of a coordinate as they were described."""
    parts: Parts = json.loads(variables[name].attrs[KEY])
    if "closed" in parts:
        # transposed, or along new dimensions too
        stored, dims = variables[_bounds(name)], (f"{name}_class", "bnds")
        first = stored.isel({dim: 0 for dim in stored.dims if dim not in dims})
        parts["edges"] = first.transpose(*dims).to_numpy().tolist()
    return parts


def _decoded(dataset: xr.Dataset, name: str) -> xr.Variable:
    """Return a coordinate with its labels in place of its codes."""
    stored = dataset.variables[name]
    attrs = {key: value for key, value in stored.attrs.items() if key != KEY}
    parts = _parts(dataset.variables, name)
    labels, codes = rebuilt(parts), stored.to_numpy()
    lowest = -1 if "ordered" in parts else 0
    if codes.size and not (lowest <= codes.min() and codes.max() < np.size(labels)):
        raise ClassOrderError(NO_CLASSES)
    values: Any
    if "ordered" in parts and codes.ndim == 1:
        categories = pd.CategoricalDtype(labels, parts["ordered"])
        values = pd.CategoricalIndex(pd.Categorical.from_codes(codes, dtype=categories))
    elif codes.ndim == 1 and isinstance(labels, pd.Index):
        values = labels.take(codes)
    else:
        values = np.asarray(labels)[codes.ravel()].reshape(codes.shape)
    return xr.Variable(stored.dims, values, attrs)


def _write_zarr(dataset: xr.Dataset, store: Any, mode: Any, zarr_format: Any) -> None:
    """Write a zarr store, the checksum last: without it, nothing is read."""
    # consolidated metadata is no part of zarr's format 3, which warns of it
    options: dict[str, Any] = {"zarr_format": zarr_format, "consolidated": False}
    dataset.drop_vars(KEY).to_zarr(store, mode=mode, **options)
    dataset[[KEY]].reset_coords(drop=True).to_zarr(store, mode="a", **options)


def _engine(engine: str | None = None) -> Any:
    """Return the engine for netCDF 4 files, if it is installed."""
    if engine is None:
        engine = next((name for name, module in ENGINES.items() if find_spec(module)), "h5netcdf")
    if engine not in ENGINES:
        raise ValueError(f"engine={engine!r} must be one of {list(ENGINES)}")
    needed(ENGINES[engine])
    return engine


def _refuse_array(array: xr.DataArray) -> None:
    """Raise if something is no array that files can hold."""
    if not isinstance(array, xr.DataArray):
        raise TypeError(f"only a DataArray can be saved, not a {type(array).__name__}")
    if not _is_number(array.dtype):
        raise TypeError(
            f"the values are {array.dtype}: only integers, float32, float64 and booleans can be "
            "saved, such as a cube of counts"
        )
    for name in (array.name or "", *array.dims, *array.coords):
        if not isinstance(name, str) or "/" in name:
            raise TypeError(f"the name {name!r} is no text, or has a slash: rename it")
    for variable in (array, *array.coords.values()):
        for name in RESERVED:
            if name in variable.attrs:
                raise ValueError(
                    f"the attribute {name!r} of {variable.name!r} would be lost, since xarray "
                    "takes it for its own: rename it"
                )


def _refuse_taken(new: Sequence[str], taken: set[Any]) -> None:
    """Raise if two variables or dimensions of a dataset would have one name."""
    for name in new:
        if name in taken:
            raise ValueError(
                f"the file would hold {name!r} twice: rename the array, or its dimension or "
                "coordinate of that name"
            )


def _refuse_folder(store: FilePath, mode: str) -> None:
    """Raise if a zarr store must not take the place of what is there."""
    if not os.path.exists(store):
        return
    if mode == "w-":
        raise FileExistsError(f'{os.fspath(store)!r} exists already: mode="w" replaces it')
    names = set() if not os.path.isdir(store) else set(os.listdir(store))
    if os.path.isfile(store) or (names and not names & {".zgroup", "zarr.json"}):
        raise FileExistsError(f"{os.fspath(store)!r} is no zarr store: give another name")
