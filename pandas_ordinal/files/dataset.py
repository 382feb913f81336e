"""Times as whole numbers with units and a calendar, as all readers of files take them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.counting.arrays import Array
from pandas_ordinal.errors import ClassOrderError, an
from pandas_ordinal.files.writing import (
    KEY,
    Parts,
    described,
    needed,
    read_marker,
    rebuilt,
    untrusted,
)

EPOCH = "1970-01-01"
PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
FRACTIONS = {"milliseconds": 10**3, "microseconds": 10**6, "nanoseconds": 10**9}
CFTIME = "cftime"
MISSING = int(np.iinfo(np.int64).min)  # NaT
ADDED = ("units", "calendar", "_FillValue")
TICK = timedelta(microseconds=1)


def time_parts(labels: pd.Index[Any] | Array) -> Parts | None:
    """Return how times are written as numbers, or None if labels are no times."""
    if labels.dtype.kind in "mM":
        name = str(labels.dtype)
        return numbered(name, ticks_of(labels, {"dtype": name}))
    listed = np.asarray(labels).ravel().tolist() if labels.dtype.kind == "O" else []
    if not listed or {type(label).__module__.split(".")[0] for label in listed} != {CFTIME}:
        return None
    calendars = {(time.calendar, time.has_year_zero) for time in listed}
    if len(calendars) > 1 or not listed[0].calendar:
        return None
    ((calendar, year_zero),) = calendars
    parts = {"dtype": CFTIME, "calendar": calendar, "has_year_zero": year_zero}
    try:
        ticks = ticks_of(labels, parts)
        # of the base class, or with another year zero, they would come back as others
        exact = repr(from_ticks(ticks.ravel(), parts).tolist()) == repr(listed)
    except (OverflowError, TypeError, ValueError):
        return None
    return {**numbered(CFTIME, ticks), **parts} if exact else None


def numbered(name: str, ticks: Array) -> Parts:
    """Return the coarsest units that times are whole numbers of, and how many ticks one has.

    A tick is the unit of the dtype. Other readers know no nanoseconds, or round them.
    """
    per_second, present = PER_SECOND[_unit(name)], ticks[ticks != MISSING]
    sizes = {"days": 86400 * per_second, "hours": 3600 * per_second, "seconds": per_second}
    sizes |= {unit: per_second // n for unit, n in FRACTIONS.items() if n <= per_second}
    units, size = next(one for one in sizes.items() if not (present % one[1]).any())
    if name.startswith("timedelta"):
        return {"dtype": name, "units": units, "ticks": size}
    calendar = "proleptic_gregorian"
    return {"dtype": name, "units": f"{units} since {EPOCH}", "calendar": calendar, "ticks": size}


def ticks_of(times: Any, parts: Parts) -> Array:
    """Return times as whole numbers of ticks, also those that are numbers of larger units."""
    values = np.asarray(times.asi8 if hasattr(times, "asi8") else times)
    if isinstance(times, pd.Index) and values.dtype.kind == "i":
        return values  # of pandas, in ticks
    if values.dtype.kind == "i":
        size = parts.get("ticks", 1)
        return np.where(values == MISSING, MISSING, values.astype(np.int64) * size)
    if values.dtype.kind == "O":  # of cftime
        epoch = _epoch({"calendar": "proleptic_gregorian", "has_year_zero": None, **parts})
        ticks = [(time - epoch) // TICK for time in values.ravel().tolist()]
        values = np.array(ticks, np.int64).reshape(values.shape).view("M8[us]")
    return values.astype(f"{values.dtype.kind}8[{_unit(parts['dtype'])}]").view(np.int64)


def from_ticks(ticks: Array, parts: Parts) -> Any:
    """Return the times that `ticks_of` made numbers of, as an index if they are a list."""
    if parts["dtype"] == CFTIME:
        epoch, times = _epoch(parts), np.empty(ticks.size, object)
        times[:] = [epoch + int(number) * TICK for number in ticks.ravel()]
        index: Any = xr.CFTimeIndex  # which has no types
        return index(times) if ticks.ndim == 1 else times.reshape(ticks.shape)
    dtype: Any = pd.api.types.pandas_dtype(parts["dtype"])
    if isinstance(dtype, pd.DatetimeTZDtype):
        utc = pd.DatetimeIndex(ticks.view(f"M8[{dtype.unit}]")).tz_localize("UTC")
        return utc.tz_convert(dtype.tz)
    found = ticks.view(dtype)
    return pd.Index(found) if found.ndim == 1 else found


def written(ticks: Array, dims: Any, parts: Parts, attrs: Any = None) -> xr.Variable:
    """Return times as numbers with the units and the calendar that other readers look for."""
    numbers = np.where(ticks == MISSING, MISSING, ticks // parts["ticks"])
    cf = {name: parts[name] for name in ("units", "calendar") if name in parts}
    missing = (numbers == MISSING).any()
    encoding = {"_FillValue": np.int64(MISSING) if missing else None}
    return xr.Variable(dims, numbers, {**(attrs or {}), **cf}, encoding)


def _unit(name: str) -> str:
    """Return the unit of a dtype of times, as NumPy calls it."""
    found = re.match(r"(?:datetime|timedelta)64\[(s|ms|us|ns)\b", name)
    if found is None and name != CFTIME:
        raise ValueError(f"{name!r} is no dtype of times")
    return found[1] if found else "us"


def _epoch(parts: Parts) -> Any:
    """Return the time of number 0 in a calendar."""
    calendar, year_zero = parts["calendar"], parts["has_year_zero"]
    return needed(CFTIME).num2date(0, f"days since {EPOCH}", calendar, has_year_zero=year_zero)


FORMAT = 2  # format 1 had times as positions, and no digest of values
# xarray, or we, would take these attributes for our own
RESERVED = ("coordinates", "dtype", KEY)
LONGEST_NAME = 200  # netCDF and folders have 255, and names of checksums are longer
FLAGS = ("flag_values", "flag_meanings")
UNFILLED: dict[str, Any] = {"_FillValue": None}

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
        The array and its coordinates: numbers as they are, times as numbers with units and a
        calendar, others as codes with their labels in an attribute, those of classes in
        ``flag_values`` and ``flag_meanings`` too; and a variable ``<dim>_bnds`` for the edges of
        each axis of intervals. A checksum of all labels is in ``pandas_ordinal``, and along each
        dimension in ``pandas_ordinal_<dim>``.

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
    variables = {variable: _plain(array)}
    labelled = []
    for name, coord in array.coords.items():
        labels = _labels(coord)
        if labels is None:
            variables[str(name)] = _plain(coord)
        else:
            variables |= _coded(coord, labels, taken | {variable})
            labelled.append(name)
    marker = {
        "format": FORMAT,
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
        variables[_check(dim)] = xr.Variable(dim, np.full(size, number), None, UNFILLED)
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
        raise TypeError(f"only a Dataset can be decoded, not {an(type(dataset).__name__)}")
    marker = read_layout(dataset.attrs)
    with untrusted(NO_CLASSES):
        if not _is_complete(dataset, marker):
            raise ClassOrderError(NO_CLASSES)
        _refuse_changed(dataset, marker)
        coords = {
            name: _decoded(dataset, name)
            if name in marker["labelled"]
            else dataset.variables[name]
            for name in marker["coords"]
        }
        stored = dataset.variables[marker["variable"]]
    own = {*marker["coords"], *checks(marker)}
    for name, added in dataset.coords.items():
        if name not in own and set(added.dims) <= set(stored.dims):
            if isinstance(dataset.indexes.get(name), pd.MultiIndex):
                raise ValueError(
                    f"the dimension {name!r} was stacked after the cube was encoded: decode it "
                    "first, then stack"
                )
            coords[name] = added.variable
    with untrusted(NO_CLASSES):
        return xr.DataArray(stored.data, coords, stored.dims, marker["name"], stored.attrs)


def read_layout(attrs: Mapping[Any, Any]) -> Parts:
    """Return what a dataset says about its layout."""
    marker = read_marker(attrs.get(KEY), NO_CLASSES, FORMAT)
    with untrusted(NO_CLASSES):
        names = [marker["variable"], *marker["dims"], *marker["coords"], *marker["labelled"]]
        names.append(marker["name"] or "")
        if not all(isinstance(name, str) for name in names):
            raise ClassOrderError(NO_CLASSES)
    return marker


def checks(marker: Parts) -> list[str]:
    """Return the names of the checksums: one of the whole, and one along each dimension."""
    return [KEY, *map(_check, marker["dims"])]


def names(marker: Parts) -> set[str]:
    """Return the names of all variables that belong to a cube."""
    coords = marker["coords"]
    return {marker["variable"], *coords, *map(_bounds, coords), *checks(marker)}


def checksum(marker: str, variables: Mapping[Any, xr.Variable]) -> np.int64:
    """Return a number that changes with any label or edge."""
    digest = hashlib.sha256(marker.encode())
    for name in json.loads(marker)["labelled"]:
        digest.update(repr(_parts(variables, name)).encode())
    return np.int64(int.from_bytes(digest.digest()[:7], "big"))


def _labels(coord: xr.DataArray) -> pd.Index[Any] | Array | None:
    """Return the labels of a coordinate, or None if they are numbers, which any file can hold."""
    if (
        isinstance(coord.dtype, np.dtype)
        and coord.dtype.kind in "fc"
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
    what, attrs = f"the coordinate {name!r}", dict(coord.attrs)
    if isinstance(labels, pd.CategoricalIndex):
        text = f"({coord.dims[0]!r}, array[{name!r}].to_index().rename_categories(str))"
        parts = described(labels.categories, what, f"array.assign_coords({{{name!r}: {text}}})")
        codes, parts["ordered"] = np.asarray(labels.codes), bool(labels.ordered)
        flags = {} if set(FLAGS) & set(attrs) else _flags(labels.categories)
        if flags:
            parts["flags"] = True
            attrs |= flags
    elif times := time_parts(labels):
        _refuse_attributes(coord, ADDED)
        ticks = ticks_of(labels, times).reshape(coord.shape)
        return {name: written(ticks, coord.dims, times, {**attrs, KEY: json.dumps(times)})}
    else:
        text = f"array[{name!r}].astype(str)"
        if coord.ndim == 1:  # tuples have no astype
            text = f"({coord.dims[0]!r}, list(map(str, array[{name!r}].values)))"
        parts = described(labels, what, f"array.assign_coords({{{name!r}: {text}}})")
        codes = np.arange(coord.size).reshape(coord.shape)
    edges, cf = parts.pop("edges", None), None
    if edges is not None and "64[" in parts["dtype"]:
        cf = numbered(parts["dtype"], edges)
        parts["ticks"] = cf["ticks"]
    attrs[KEY] = json.dumps(parts)
    variables = {name: xr.Variable(coord.dims, codes.astype(np.int32), attrs, UNFILLED)}
    if edges is not None:
        dims = (f"{name}_class", "bnds")
        _refuse_taken([_bounds(name), *dims], taken)
        about = {"long_name": f"edges of {name}, closed: {parts['closed']}"}
        plain = xr.Variable(dims, edges, about, UNFILLED)
        variables[_bounds(name)] = written(edges, dims, cf, about) if cf else plain
    return variables


def _plain(array: xr.DataArray) -> xr.Variable:
    """Return numbers without a fill value or packing left over from another file."""
    variable = array.variable.copy(deep=False)
    variable.encoding = dict(UNFILLED)
    return variable


def _flags(classes: pd.Index[Any]) -> dict[str, Any]:
    """Return classes as other readers know them, if each one is a word."""
    words = list(map(str, classes))
    if not words or len(set(words)) < len(words):
        return {}
    if not all(word.isprintable() and word.split() == [word] for word in words):
        return {}
    return {"flag_values": np.arange(len(words), dtype=np.int32), "flag_meanings": " ".join(words)}


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
        parts = _described(variables, name)
        if not parts or ("closed" in parts and _bounds(name) not in variables):
            return False
    return True


def _refuse_changed(dataset: xr.Dataset, marker: Parts) -> None:
    """Raise if a dataset has other labels somewhere than those that its codes stood for.

    xarray keeps the attributes of the first dataset when it puts several together, and all data
    only along the dimension that it puts them together on: hence a checksum along each one.
    """
    names = checks(marker)
    if not set(names) <= set(dataset.variables) or not dataset.variables[KEY].size:
        raise ClassOrderError(UNFINISHED)
    if set(dataset.variables[KEY].dims) & set(marker["dims"]):
        # xr.open_mfdataset leaves files out whose coordinates start as those of another
        raise ClassOrderError(CHANGED)
    number = checksum(dataset.attrs[KEY], dataset.variables)
    for stored in map(dataset.variables.__getitem__, names):
        # a mean, or a place that was filled in, has made floats of the checksums
        if stored.dtype.kind != "i" or (stored.to_numpy() != number).any():
            raise ClassOrderError(CHANGED)
    dims = set(dataset.variables[marker["variable"]].dims)
    for name in marker["coords"]:
        stored = dataset.variables[name]
        kinds = "iMmO" if "units" in _described(dataset.variables, name) else "i"
        averaged = name in marker["labelled"] and stored.dtype.kind not in kinds
        if averaged or not set(stored.dims) <= dims:
            raise ClassOrderError(CHANGED)


def _parts(variables: Mapping[Any, xr.Variable], name: str) -> Parts:
    """Return the labels of a coordinate as they were described."""
    parts = _described(variables, name)
    if "closed" in parts:
        # transposed, or along new dimensions too
        stored, dims = variables[_bounds(name)], (f"{name}_class", "bnds")
        first = stored.isel({dim: 0 for dim in stored.dims if dim not in dims})
        edges = first.transpose(*dims).to_numpy()
        parts["edges"] = (ticks_of(edges, parts) if "ticks" in parts else edges).tolist()
    return parts


def _described(variables: Mapping[Any, xr.Variable], name: str) -> Parts:
    """Return what the attribute of a coordinate says about its labels."""
    parts: Parts = json.loads(variables[name].attrs.get(KEY, "{}"))
    return parts


def _decoded(dataset: xr.Dataset, name: str) -> xr.Variable:
    """Return a coordinate with its labels in place of its codes."""
    stored = dataset.variables[name]
    parts = _parts(dataset.variables, name)
    added = (KEY, *(ADDED if "units" in parts else ()), *(FLAGS if "flags" in parts else ()))
    attrs = {key: value for key, value in stored.attrs.items() if key not in added}
    if "units" in parts:
        ticks = ticks_of(stored.to_numpy(), parts)
        return xr.Variable(stored.dims, from_ticks(ticks, parts), attrs)
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


def _refuse_array(array: xr.DataArray) -> None:
    """Raise if something is no array that files can hold."""
    if not isinstance(array, xr.DataArray):
        raise TypeError(f"only a DataArray can be saved, not {an(type(array).__name__)}")
    if not _is_number(array.dtype):
        raise TypeError(
            f"the values are {array.dtype}: only integers, float32, float64 and booleans can be "
            "saved, such as a cube of counts"
        )
    for name in (array.name or "", *array.dims, *array.coords):
        if not isinstance(name, str) or "/" in name:
            raise TypeError(f"the name {name!r} is no text, or has a slash: rename it")
        if len(name.encode()) > LONGEST_NAME or name.startswith(".") or not name.isprintable():
            raise ValueError(
                f"the name {name[:40]!r} begins with a dot, or has more than {LONGEST_NAME} bytes "
                "or a character that cannot be printed, which files cannot hold: rename it"
            )
    for variable in (array, *array.coords.values()):
        _refuse_attributes(variable, RESERVED)


def _refuse_attributes(variable: xr.DataArray, reserved: Sequence[str]) -> None:
    """Raise if an attribute would be taken for one that the file needs."""
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
                "hold: save its parts"
            )


def _refuse_taken(new: Sequence[str], taken: set[Any]) -> None:
    """Raise if two variables or dimensions of a dataset would have one name."""
    for name in new:
        if name in taken:
            raise ValueError(
                f"the file would hold {name!r} twice: rename the array, or its dimension or "
                "coordinate of that name"
            )
