"""Cubes as Datasets that netCDF and zarr can hold: codes, and labels in attributes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.classes.bins import of_objects
from pandas_ordinal.counting.arrays import Array
from pandas_ordinal.cube.layout import without_arrow
from pandas_ordinal.errors import ClassOrderError, an
from pandas_ordinal.files.label_json import labels_from_json, labels_to_json
from pandas_ordinal.files.reading import KEY, Json, errors_become, read_marker
from pandas_ordinal.files.times import (
    TIME_ATTRIBUTES,
    coarsest_units,
    ticks_of,
    time_variable,
    times_from_ticks,
    times_to_json,
)
from pandas_ordinal.hints import explains_arguments

CUBE_FORMAT = 2
RESERVED = ("coordinates", "dtype", KEY)  # attributes that xarray or we give a meaning of our own
LONGEST_NAME = 200  # netCDF and folders have 255, and names of checksums are longer
FLAGS = ("flag_values", "flag_meanings")
UNFILLED: dict[str, Any] = {"_FillValue": None}

REGROUPED = (
    "the codes of the Dataset may no longer belong to its labels: it was combined from cubes with "
    "other classes or groups, or aggregated, or has lost its checksums. Open many files with "
    "po.open_cube([...]), not with xr.open_mfdataset. Convert each Dataset with "
    "po.cube_from_dataset before you combine cubes with po.concat, or aggregate them"
)


def to_dataset(array: xr.DataArray) -> xr.Dataset:
    """Return a cube as a Dataset that netCDF and zarr can hold: `ArrayOrdinal.to_dataset`."""
    _refuse_array(array)
    variable = str(array.name or "values")
    taken = {*array.dims, *array.coords}
    _refuse_taken([variable], taken)
    _refuse_taken([KEY, *map(_checksum_along, array.dims)], taken | {variable})
    variables = {variable: _unpacked(array)}
    labelled = []
    for name, coord in array.coords.items():
        labels = _labels(coord)
        if labels is None:
            variables[str(name)] = _unpacked(coord)
        else:
            variables |= _encoded(coord, labels, taken | {variable})
            labelled.append(name)
    marker = {
        "format": CUBE_FORMAT,
        "name": array.name,
        "variable": variable,
        "dims": list(array.dims),
        "coords": list(array.coords),
        "labelled": labelled,
    }
    text = json.dumps(marker)
    number = checksum(text, variables)
    variables[KEY] = xr.Variable((), number)
    for dim, size in array.sizes.items():
        variables[_checksum_along(dim)] = xr.Variable(dim, np.full(size, number), None, UNFILLED)
    dataset = xr.Dataset(variables, attrs={KEY: text})
    # xarray warns when it writes a coordinate with a space in its name: it stays a data variable
    return dataset.set_coords([name for name in array.coords if " " not in str(name)])


@explains_arguments
def cube_from_dataset(dataset: xr.Dataset) -> xr.DataArray:
    """Return the cube that `cube.ordinal.to_dataset()` made a Dataset of.

    Parameters
    ----------
    dataset : Dataset
        A Dataset from `to_dataset`, also one that was written to a file and opened by xarray.

    Returns
    -------
    DataArray
        The cube, with its classes, and with coordinates that were added to the Dataset.

    Raises
    ------
    ClassOrderError
        If the Dataset does not hold the classes, was combined from several with other labels, or
        was aggregated.
    ValueError
        If a newer version of pandas_ordinal wrote it, or its dimensions were stacked.

    Examples
    --------
    >>> import pandas as pd
    >>> import pandas_ordinal as po
    >>> df = pd.DataFrame({"y": ["low", "high"], "yhat": ["low", "low"]})
    >>> cube = df.ordinal.confusion("y", "yhat", classes=["low", "high"])
    >>> dataset = cube.ordinal.to_dataset()
    >>> po.cube_from_dataset(dataset).identical(cube)
    True
    """
    if not isinstance(dataset, xr.Dataset):
        raise TypeError(
            f"po.cube_from_dataset takes a Dataset, not {an(type(dataset).__name__)}: "
            "cube.ordinal.to_dataset() makes one"
        )
    marker = read_layout(dataset.attrs)
    lost = without_classes()
    with errors_become(lost):
        if not _is_complete(dataset, marker):
            raise lost
        _refuse_regrouped(dataset, marker)
        coords = {
            name: _decoded(dataset, name)
            if name in marker["labelled"]
            else dataset.variables[name]
            for name in marker["coords"]
        }
        stored = dataset.variables[marker["variable"]]
    own = {*marker["coords"], *checksum_names(marker)}
    for name, added in dataset.coords.items():
        if name not in own and set(added.dims) <= set(stored.dims):
            if isinstance(dataset.indexes.get(name), pd.MultiIndex):
                raise ValueError(
                    f"the dimension {name!r} of the Dataset was stacked: make it a cube by "
                    "po.cube_from_dataset first, then stack"
                )
            coords[name] = added.variable
    with errors_become(lost):
        return xr.DataArray(stored.data, coords, stored.dims, marker["name"], stored.attrs)


def without_classes(owner: str = "the Dataset") -> ClassOrderError:
    """Return the error for a Dataset or file that holds no class order."""
    return ClassOrderError(
        f"{owner} holds no class order that pandas_ordinal can read: another tool wrote it, or "
        "parts of it are lost. Take the array and give both class axes back, lowest class first: "
        "cube.assign_coords(true=pd.CategoricalIndex([...], [...], ordered=True), pred=...)"
    )


def read_layout(attrs: Mapping[Any, Any], owner: str = "the Dataset") -> Json:
    """Return what the attributes of a Dataset or file describe of its layout."""
    lost = without_classes(owner)
    marker = read_marker(attrs.get(KEY), CUBE_FORMAT, lost)
    with errors_become(lost):
        names = [marker["variable"], *marker["dims"], *marker["coords"], *marker["labelled"]]
        names.append(marker["name"] or "")
        if not all(isinstance(name, str) for name in names):
            raise lost
    return marker


def checksum_names(marker: Json) -> list[str]:
    """Return the names of the checksums: one of the whole, and one along each dimension."""
    return [KEY, *map(_checksum_along, marker["dims"])]


def variables_of(marker: Json) -> set[str]:
    """Return the names of all variables that belong to a cube."""
    coords = marker["coords"]
    return {marker["variable"], *coords, *map(_bounds, coords), *checksum_names(marker)}


def checksum(marker: str, variables: Mapping[Any, xr.Variable]) -> np.int64:
    """Return a number that changes with any label or edge."""
    digest = hashlib.sha256(marker.encode())
    for name in json.loads(marker)["labelled"]:
        digest.update(repr(_fields_and_edges(variables, name)).encode())
    return np.int64(int.from_bytes(digest.digest()[:7], "big"))


def _labels(coord: xr.DataArray) -> pd.Index[Any] | Array | None:
    """Return the labels of a coordinate, or None if they are numbers, which any file can hold."""
    if (
        isinstance(coord.dtype, np.dtype)
        and coord.dtype.kind == "f"
        and not _is_number(coord.dtype)
    ):
        raise TypeError(
            f"the coordinate {coord.name!r} is {coord.dtype}, which files cannot hold: save "
            f'array.assign_coords({{{coord.name!r}: array[{coord.name!r}].astype("float64")}})'
        )
    if coord.chunks is not None and _is_number(coord.dtype):
        return None
    if coord.ndim == 0 and isinstance(coord.item(), pd.Interval):
        return pd.IntervalIndex([coord.item()])
    if coord.ndim == 0 and isinstance(coord.item(), pd.Period):
        return pd.PeriodIndex([coord.item()])
    is_index = coord.ndim == 1 and coord.dtype.kind != "U"
    labels = without_arrow(coord.to_index()) if is_index else coord.to_numpy()
    if isinstance(labels, pd.MultiIndex):
        raise TypeError(
            f"the dimension {coord.name!r} has a MultiIndex, which files cannot hold: save "
            f"array.reset_index({coord.name!r})"
        )
    return None if _is_number(coord.dtype) and _is_number(labels.dtype) else labels


def _is_number(dtype: Any) -> bool:
    """Whether netCDF and zarr both hold a dtype as it is: float16 would crash netCDF4."""
    floats = dtype.kind == "f" and dtype.itemsize in (4, 8)
    return isinstance(dtype, np.dtype) and (dtype.kind in "biu" or floats)


def _encoded(
    coord: xr.DataArray, labels: pd.Index[Any] | Array, taken: set[Any]
) -> dict[str, xr.Variable]:
    """Return a coordinate as codes, and the edges of its intervals."""
    name = str(coord.name)
    owner, attrs = f"the coordinate {name!r}", dict(coord.attrs)
    if isinstance(labels, pd.CategoricalIndex):
        text = f"({coord.dims[0]!r}, array[{name!r}].to_index().rename_categories(str))"
        remedy = f"array.assign_coords({{{name!r}: {text}}})"
        fields = labels_to_json(of_objects(labels.categories), owner, remedy)
        codes, fields["ordered"] = np.asarray(labels.codes), bool(labels.ordered)
        flags = {} if set(FLAGS) & set(attrs) else _flags(labels.categories)
        if flags:
            fields["flags"] = True
            attrs |= flags
    elif times := times_to_json(labels):
        _refuse_attributes(coord, TIME_ATTRIBUTES)
        ticks = ticks_of(labels, times).reshape(coord.shape)
        return {name: time_variable(ticks, coord.dims, times, {**attrs, KEY: json.dumps(times)})}
    else:
        text = f"array[{name!r}].astype(str)"
        if coord.ndim == 1:  # tuples have no astype
            text = f"({coord.dims[0]!r}, list(map(str, array[{name!r}].values)))"
        fields = labels_to_json(labels, owner, f"array.assign_coords({{{name!r}: {text}}})")
        codes = np.arange(coord.size).reshape(coord.shape)
    edges, units = fields.pop("edges", None), None
    if edges is not None and "64[" in fields["dtype"]:
        units = coarsest_units(fields["dtype"], edges)
        fields["ticks"] = units["ticks"]
    attrs[KEY] = json.dumps(fields)
    variables = {name: xr.Variable(coord.dims, codes.astype(np.int32), attrs, UNFILLED)}
    if edges is not None:
        dims = (f"{name}_class", "bnds")
        _refuse_taken([_bounds(name), *dims], taken)
        about = {"long_name": f"edges of {name}, closed: {fields['closed']}"}
        plain = xr.Variable(dims, edges, about, UNFILLED)
        variables[_bounds(name)] = time_variable(edges, dims, units, about) if units else plain
    return variables


def _unpacked(array: xr.DataArray) -> xr.Variable:
    """Return numbers without a fill value, packing or byte order left over from another file."""
    variable = array.variable.astype(array.dtype.newbyteorder("="), copy=False)
    variable.encoding = dict(UNFILLED)
    return variable


def _flags(classes: pd.Index[Any]) -> dict[str, Any]:
    """Return classes as other readers expect them, if each one is a word."""
    words = list(map(str, classes))
    if not words or len(set(words)) < len(words):
        return {}
    if not all(word.isprintable() and word.split() == [word] for word in words):
        return {}
    return {"flag_values": np.arange(len(words), dtype=np.int32), "flag_meanings": " ".join(words)}


def _checksum_along(dim: Any) -> str:
    """Return the name of the checksums along a dimension."""
    return f"{KEY}_{dim}"


def _bounds(name: str) -> str:
    """Return the name of the edges of a coordinate of intervals."""
    return f"{name}_bnds"


def _is_complete(dataset: xr.Dataset, marker: Json) -> bool:
    """Whether a Dataset still has all variables, labels and edges."""
    variables = dataset.variables
    if not {marker["variable"], *marker["coords"]} <= set(variables):
        return False
    for name in marker["labelled"]:
        fields = _fields(variables, name)
        if not fields or ("closed" in fields and _bounds(name) not in variables):
            return False
    return True


def _refuse_regrouped(dataset: xr.Dataset, marker: Json) -> None:
    """Raise if the codes of a Dataset may stand for other labels than those it describes.

    When xarray combines several Datasets, it keeps the attributes of the first one, and all data
    only along the dimension on which it combines them: hence a checksum along each dimension.
    """
    names = checksum_names(marker)
    if not set(names) <= set(dataset.variables) or not dataset.variables[KEY].size:
        raise ClassOrderError(REGROUPED)
    if set(dataset.variables[KEY].dims) & set(marker["dims"]):
        # xr.open_mfdataset leaves files out whose coordinates start as those of another
        raise ClassOrderError(REGROUPED)
    number = checksum(dataset.attrs[KEY], dataset.variables)
    for stored in map(dataset.variables.__getitem__, names):
        # a mean, or a place that was filled in, has made floats of the checksums
        if stored.dtype.kind != "i" or (stored.to_numpy() != number).any():
            raise ClassOrderError(REGROUPED)
    dims = set(dataset.variables[marker["variable"]].dims)
    for name in marker["coords"]:
        stored = dataset.variables[name]
        kinds = "iMmO" if "units" in _fields(dataset.variables, name) else "i"
        averaged = name in marker["labelled"] and stored.dtype.kind not in kinds
        if averaged or not set(stored.dims) <= dims:
            raise ClassOrderError(REGROUPED)


def _fields(variables: Mapping[Any, xr.Variable], name: str) -> Json:
    """Return the attribute of a coordinate that describes its labels."""
    fields: Json = json.loads(variables[name].attrs.get(KEY, "{}"))
    return fields


def _fields_and_edges(variables: Mapping[Any, xr.Variable], name: str) -> Json:
    """Return the description of the labels of a coordinate, with the edges of intervals."""
    fields = _fields(variables, name)
    if "closed" in fields:
        # transposed, or along new dimensions too
        stored, dims = variables[_bounds(name)], (f"{name}_class", "bnds")
        first = stored.isel({dim: 0 for dim in stored.dims if dim not in dims})
        edges = first.transpose(*dims).to_numpy()
        fields["edges"] = (ticks_of(edges, fields) if "ticks" in fields else edges).tolist()
    return fields


def _decoded(dataset: xr.Dataset, name: str) -> xr.Variable:
    """Return a coordinate with its labels in place of its codes."""
    stored = dataset.variables[name]
    fields = _fields_and_edges(dataset.variables, name)
    own = {KEY}
    own |= {*TIME_ATTRIBUTES} if "units" in fields else set()
    own |= {*FLAGS} if "flags" in fields else set()
    attrs = {key: value for key, value in stored.attrs.items() if key not in own}
    if "units" in fields:
        ticks = ticks_of(stored.to_numpy(), fields)
        return xr.Variable(stored.dims, times_from_ticks(ticks, fields), attrs)
    labels, codes = labels_from_json(fields), stored.to_numpy()
    values: Any
    if "ordered" in fields:  # in which -1 stands for no class
        dtype = pd.CategoricalDtype(labels, fields["ordered"])
        classes = pd.Categorical.from_codes(codes.ravel(), dtype=dtype)
        is_index = codes.ndim == 1
        values = pd.Index(classes) if is_index else np.asarray(classes).reshape(codes.shape)
    elif codes.size and codes.min() < 0:
        raise without_classes()
    elif codes.ndim == 1 and isinstance(labels, pd.Index):
        values = labels.take(codes)
    else:
        values = np.asarray(labels)[codes.ravel()].reshape(codes.shape)
    return xr.Variable(stored.dims, values, attrs)


def _refuse_array(array: xr.DataArray) -> None:
    """Raise if an array cannot be held by files."""
    if not isinstance(array, xr.DataArray):
        raise TypeError(f"only a DataArray can be saved, not {an(type(array).__name__)}")
    if not _is_number(array.dtype):
        raise TypeError(
            f"the values are {array.dtype}: only integers, float32, float64 and booleans can be "
            "saved, such as a cube of counts"
        )
    for name in (array.name or "", *array.dims, *array.coords):
        if not isinstance(name, str) or "/" in name:
            raise TypeError(f"the name {name!r} is not text, or has a slash: rename it")
        if len(name.encode()) > LONGEST_NAME or name.startswith(".") or not name.isprintable():
            raise ValueError(
                f"the name {name[:40]!r} begins with a dot, or has more than {LONGEST_NAME} bytes "
                "or a character that cannot be printed, which files cannot hold: rename it"
            )
    for variable in (array, *array.coords.values()):
        _refuse_attributes(variable, RESERVED)


def _refuse_attributes(variable: xr.DataArray, reserved: Sequence[str]) -> None:
    """Raise if an attribute has a name that the file needs."""
    for name in reserved:
        if name in variable.attrs:
            raise ValueError(
                f"the attribute {name!r} of {variable.name!r} would be lost, since the "
                "file needs one of that name: rename it"
            )
    for name, value in variable.attrs.items():
        if isinstance(value, complex):
            raise TypeError(
                f"the attribute {name!r} of {variable.name!r} is complex, which files cannot "
                "hold: save its real and imaginary parts"
            )


def _refuse_taken(new: Sequence[str], taken: set[Any]) -> None:
    """Raise if two variables or dimensions of a Dataset would have the same name."""
    for name in new:
        if name in taken:
            raise ValueError(
                f"the file would hold {name!r} twice: rename the array, or its dimension or "
                "coordinate of that name"
            )
