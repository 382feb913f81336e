"""Files that keep the classes: cubes as netCDF and zarr, frames as Parquet.

Classes, and other labels than numbers, are saved as positions; the labels themselves as JSON, the
edges of intervals as numbers. What is read back is what was saved, or an error: an order that a
file does not hold is never guessed.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from pandas_ordinal.errors import ClassOrderError

Labels: TypeAlias = "pd.Index[Any] | npt.NDArray[Any]"
Parts: TypeAlias = dict[str, Any]
FilePath: TypeAlias = "str | os.PathLike[str]"

KEY = "pandas_ordinal"
FORMAT = 1
RESERVED = ("coordinates", "dtype")  # attributes that xarray would take for its own
ENGINES = {"netcdf4": "netCDF4", "h5netcdf": "h5netcdf"}  # SciPy's netCDF 3 has no int64

NO_CLASSES = (
    "the dataset holds no class order: pandas_ordinal did not write it, or parts of it are lost. "
    "Take the array and give both class axes back, lowest class first: "
    "cube.assign_coords(true=pd.CategoricalIndex([...], [...], ordered=True), pred=...)"
)
NO_CATEGORIES = (
    "the file holds no class order: pandas_ordinal did not write it, or another tool has changed "
    "it. Read it with pd.read_parquet(path) and declare the order of each label column, lowest "
    'class first: df["y"].ordinal.as_ordered([...])'
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
        attribute, and a variable ``<dim>_bnds`` for the edges of each axis of intervals.

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
    >>> import pandas_ordinal
    >>> from pandas_ordinal.io import decode, encode
    >>> df = pd.DataFrame({"y": ["low", "high"], "yhat": ["low", "low"]})
    >>> cube = df.ordinal.confusion("y", "yhat", classes=["low", "high"])
    >>> encode(cube)["pred"].values
    array([0, 1], dtype=int32)
    >>> decode(encode(cube)).identical(cube)
    True
    """
    _refuse_array(array)
    variable = str(array.name or "values")
    taken = {*array.dims, *array.coords}
    _refuse_taken([variable, KEY], taken)
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
        "coords": list(array.coords),
        "labelled": labelled,
    }
    text = json.dumps(marker)
    variables[KEY] = xr.Variable((), _checksum(text, variables))
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
        The array, with its classes.

    Raises
    ------
    ClassOrderError
        If the dataset does not hold the classes.
    ValueError
        If a newer version of pandas_ordinal wrote it.

    Examples
    --------
    >>> import xarray as xr
    >>> from pandas_ordinal.io import decode
    >>> decode(xr.Dataset({"count": (("true", "pred"), [[3, 1], [0, 2]])}))
    Traceback (most recent call last):
    ...
    pandas_ordinal.errors.ClassOrderError: the dataset holds no class order: ...
    """
    if not isinstance(dataset, xr.Dataset):
        raise TypeError(f"only a Dataset can be decoded, not a {type(dataset).__name__}")
    marker = _marker(dataset.attrs.get(KEY), NO_CLASSES)
    if not _is_complete(dataset, marker):
        raise ClassOrderError(NO_CLASSES)
    if (dataset.variables[KEY] != _checksum(dataset.attrs[KEY], dataset.variables)).any():
        raise ClassOrderError(
            "the dataset was put together of cubes with other classes or groups, of which those "
            "of the first cube are left: decode each cube, and then use po.concat"
        )
    coords = {
        name: _decoded(dataset, name) if name in marker["labelled"] else dataset.variables[name]
        for name in marker["coords"]
    }
    stored = dataset.variables[marker["variable"]]
    return xr.DataArray(stored.data, coords, stored.dims, marker["name"], stored.attrs)


def to_netcdf(
    array: xr.DataArray, path: FilePath, *, engine: Literal["netcdf4", "h5netcdf"] | None = None
) -> None:
    """Save a cube as a netCDF 4 file, in place of one that is there.

    Parameters
    ----------
    array : DataArray
        What `encode` takes.
    path : str or path
        The file.
    engine : {"netcdf4", "h5netcdf"}, optional
        What writes it. Default: the first of these that is installed.

    Examples
    --------
    >>> import pandas as pd
    >>> from tempfile import TemporaryDirectory
    >>> import pandas_ordinal
    >>> from pandas_ordinal.io import open, to_netcdf
    >>> cube = pd.DataFrame({"y": [1, 2], "yhat": [2, 2]}).ordinal.confusion("y", "yhat")
    >>> with TemporaryDirectory() as folder:
    ...     to_netcdf(cube, f"{folder}/cube.nc")
    ...     open(f"{folder}/cube.nc").identical(cube)
    True
    """
    # a write that fails must not cost the file that is there
    beside = f"{os.fspath(path)}.{os.getpid()}.part"
    try:
        encode(array).to_netcdf(beside, engine=_engine(engine), format="NETCDF4")
        os.replace(beside, path)
    finally:
        if os.path.exists(beside):
            os.remove(beside)


def to_zarr(
    array: xr.DataArray,
    store: Any,
    *,
    mode: Literal["w", "w-"] = "w-",
    zarr_format: Literal[2, 3] | None = None,
) -> None:
    """Save a cube as a zarr store, a chunked one chunk by chunk.

    Parameters
    ----------
    array : DataArray
        What `encode` takes.
    store : str, path or zarr store
        The folder.
    mode : {"w-", "w"}, default "w-"
        Whether a store that is there is an error or replaced.
    zarr_format : {2, 3}, optional
        The format of the store. Default: that of the zarr library.

    Examples
    --------
    >>> import pandas as pd
    >>> from tempfile import TemporaryDirectory
    >>> import pandas_ordinal
    >>> from pandas_ordinal.io import open, to_zarr
    >>> cube = pd.DataFrame({"y": [1, 2], "yhat": [2, 2]}).ordinal.confusion("y", "yhat")
    >>> with TemporaryDirectory() as folder:
    ...     to_zarr(cube, f"{folder}/cube.zarr")
    ...     open(f"{folder}/cube.zarr").identical(cube)
    True
    """
    _needed("zarr")
    if mode == "w-" and isinstance(store, (str, os.PathLike)) and os.path.exists(store):
        raise FileExistsError(f'{os.fspath(store)!r} exists already: mode="w" replaces it')
    if zarr_format not in (None, 2, 3):
        raise ValueError(f"zarr_format={zarr_format!r} must be 2 or 3")
    if array.chunks is not None:  # zarr takes chunks of one size only
        array = array.chunk(dict(zip(array.dims, map(max, array.chunks), strict=True)))
    # consolidated metadata is no part of zarr's format 3, which warns of it
    encode(array).to_zarr(store, mode=mode, zarr_format=zarr_format, consolidated=False)


def open(path: FilePath) -> xr.DataArray:
    """Read a cube from a netCDF file or a zarr store into memory.

    Parameters
    ----------
    path : str or path
        The file, or the folder of a zarr store.

    Returns
    -------
    DataArray
        The cube, as it was saved.

    Raises
    ------
    ClassOrderError
        If the file does not hold the classes.

    Examples
    --------
    >>> import pandas as pd
    >>> from tempfile import TemporaryDirectory
    >>> import pandas_ordinal
    >>> from pandas_ordinal.io import open, to_netcdf
    >>> cube = pd.DataFrame({"y": [3, 1], "yhat": [2, 1]}).ordinal.confusion("y", "yhat")
    >>> with TemporaryDirectory() as folder:
    ...     to_netcdf(cube, f"{folder}/cube.nc")
    ...     open(f"{folder}/cube.nc").indexes["true"].tolist()
    [1, 2, 3]
    """
    if not os.path.exists(path):
        raise FileNotFoundError(f"there is no file or zarr store {os.fspath(path)!r}")
    options: dict[str, Any] = {"engine": "zarr", "consolidated": False}
    if not os.path.isdir(path):
        options = {"engine": _engine()}
    _needed(ENGINES.get(options["engine"], "zarr"))
    # nothing was packed, and attributes such as "units" are those of the array
    options |= dict.fromkeys(("mask_and_scale", "decode_times", "decode_timedelta"), False)
    try:
        dataset = xr.open_dataset(path, **options)
    except (KeyError, OSError, ValueError) as error:
        raise ClassOrderError(
            f"{os.fspath(path)!r} is no file or store of a cube that pandas_ordinal saved: {error}"
        ) from error
    with dataset:
        return decode(dataset.load())


def to_parquet(frame: pd.DataFrame, path: FilePath) -> None:
    """Save a frame as a Parquet file that keeps the classes of its Categorical columns.

    The labels are saved as text, for other readers of the file; the classes themselves, with their
    type, their order and the edges of intervals, are in its metadata.

    Parameters
    ----------
    frame : DataFrame
        Any frame whose index holds no Categorical.
    path : str or path
        The file.

    Raises
    ------
    TypeError
        If the index or the column labels are Categorical, or labels cannot be held exactly.

    Examples
    --------
    >>> import pandas as pd
    >>> from tempfile import TemporaryDirectory
    >>> from pandas_ordinal.io import read_parquet, to_parquet
    >>> df = pd.DataFrame({"y": pd.cut([1, 15], [0, 10, 20])})
    >>> with TemporaryDirectory() as folder:
    ...     to_parquet(df, f"{folder}/labels.parquet")
    ...     read_parquet(f"{folder}/labels.parquet").equals(df)
    True
    """
    pa, pq = _needed("pyarrow"), _needed("pyarrow.parquet")
    _refuse_frame(frame)
    plain = frame.copy(deep=False)
    columns: dict[int, Parts] = {}
    for position, name in enumerate(frame.columns):
        column = frame.iloc[:, position]
        if isinstance(column.dtype, pd.CategoricalDtype):
            parts = _classes(column.dtype, name)
            texts = pd.CategoricalDtype(parts["texts"], parts["ordered"])
            plain.isetitem(position, pd.Categorical.from_codes(column.cat.codes, dtype=texts))
            columns[position] = parts
    table = pa.Table.from_pandas(plain)
    for position, parts in columns.items():
        parts["column"] = table.schema.names[position]
    metadata = {**table.schema.metadata, KEY: json.dumps({"format": FORMAT, "columns": columns})}
    if frame.attrs:  # as pandas keeps them
        metadata["PANDAS_ATTRS"] = json.dumps(frame.attrs)
    pq.write_table(table.replace_schema_metadata(metadata), path)


def read_parquet(path: FilePath) -> pd.DataFrame:
    """Read a frame that `to_parquet` saved.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    DataFrame
        The frame, with the classes of its Categorical columns.

    Raises
    ------
    ClassOrderError
        If the file does not hold the classes, or another tool has changed its columns.
    ValueError
        If a newer version of pandas_ordinal wrote it.

    Examples
    --------
    >>> import pandas as pd
    >>> from tempfile import TemporaryDirectory
    >>> from pandas_ordinal.io import read_parquet, to_parquet
    >>> df = pd.DataFrame({"y": pd.Categorical([1, 3], [3, 2, 1], ordered=True)})
    >>> with TemporaryDirectory() as folder:
    ...     to_parquet(df, f"{folder}/labels.parquet")
    ...     read_parquet(f"{folder}/labels.parquet")["y"].cat.categories.tolist()
    [3, 2, 1]
    """
    parquet = _needed("pyarrow.parquet")
    if not os.path.exists(path):
        raise FileNotFoundError(f"there is no file {os.fspath(path)!r}")
    try:
        schema = parquet.read_schema(path)
    except (OSError, ValueError) as error:
        raise ClassOrderError(f"{os.fspath(path)!r} is no Parquet file: {error}") from error
    marker = _marker((schema.metadata or {}).get(KEY.encode()), NO_CATEGORIES)
    frame = pd.read_parquet(path, engine="pyarrow")
    for key, parts in marker["columns"].items():
        position = int(key)
        if schema.names[position : position + 1] != [parts["column"]]:
            raise ClassOrderError(NO_CATEGORIES)
        frame.isetitem(position, _from_texts(frame.iloc[:, position], parts))
    return frame


def _described(labels: Labels, what: str, remedy: str) -> Parts:
    """Return labels as parts that JSON holds exactly, but for the edges of intervals."""
    parts: Parts
    if isinstance(labels, pd.IntervalIndex):
        edges = np.stack([_numbers(labels.left), _numbers(labels.right)], axis=-1)
        parts = {"dtype": str(labels.left.dtype), "closed": labels.closed, "edges": edges}
    else:
        listed = _numbers(labels).ravel().tolist()
        bare = [label.item() if isinstance(label, np.generic) else label for label in listed]
        parts = {"dtype": _name(labels.dtype), "labels": bare}
    try:
        held = parts if "edges" in parts else json.loads(json.dumps(parts))
        # compared as text: there NaN is itself, and True is not 1
        exact = repr(held) == repr(parts) and str(_rebuilt(held).dtype) == str(labels.dtype)
    except (KeyError, NotImplementedError, TypeError, ValueError):
        exact = False
    if not exact:
        raise TypeError(
            f"the labels of {what} ({labels.dtype}) cannot be saved exactly, since they are not "
            f"all text, numbers or booleans: {remedy}"
        )
    return parts


def _rebuilt(parts: Parts) -> Any:
    """Return the labels that were described."""
    if "edges" not in parts:
        return _index(parts["labels"], parts["dtype"])
    left, right = (_index([edge[k] for edge in parts["edges"]], parts["dtype"]) for k in (0, 1))
    return pd.IntervalIndex.from_arrays(left, right, closed=parts["closed"])


def _numbers(labels: Labels) -> npt.NDArray[Any]:
    """Return labels as an array, in which times are whole numbers."""
    if isinstance(labels, (pd.DatetimeIndex, pd.TimedeltaIndex)):
        return labels.asi8
    array = np.asarray(labels)
    return array.view(np.int64) if array.dtype.kind in "mM" else array


def _index(values: Sequence[Any], name: str) -> Any:
    """Return labels of a dtype from what `_numbers` made of them."""
    dtype: Any = pd.api.types.pandas_dtype(name)
    if isinstance(dtype, np.dtype) and dtype.kind in "mM":
        return pd.Index(np.array(values, np.int64).view(dtype))
    if dtype.kind == "U":  # "str" of pandas 3 is NumPy's in pandas 2, whose text is of objects
        return pd.Index(values, dtype=object) if name == "str" else np.array(values, dtype)
    return pd.Index(values, dtype=dtype, tupleize_cols=False)


def _name(dtype: Any) -> str:
    """Return the name of a dtype from which pandas makes it again."""
    if isinstance(dtype, pd.StringDtype) and dtype.na_value is pd.NA:
        return f"string[{dtype.storage}]"
    return str(dtype)


def _labels(coord: xr.DataArray) -> Labels | None:
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


def _coded(coord: xr.DataArray, labels: Labels, taken: set[Any]) -> dict[str, xr.Variable]:
    """Return a coordinate as codes, and the edges of its intervals."""
    name = str(coord.name)
    what = f"the coordinate {name!r}"
    if isinstance(labels, pd.CategoricalIndex):
        remedy = f"array.assign_coords({name}=array.indexes[{name!r}].rename_categories(str))"
        parts = _described(labels.categories, what, remedy)
        codes, parts["ordered"] = np.asarray(labels.codes), bool(labels.ordered)
    else:
        remedy = f"array.assign_coords({name}=array[{name!r}].astype(str))"
        parts = _described(labels, what, remedy)
        codes = np.arange(coord.size).reshape(coord.shape)
    edges = parts.pop("edges", None)
    attrs = {**coord.attrs, KEY: json.dumps(parts)}
    variables = {name: xr.Variable(coord.dims, codes.astype(np.int32), attrs)}
    if edges is not None:
        bounds, dims = f"{name}_bnds", (f"{name}_class", "bnds")
        _refuse_taken([bounds, *dims], taken)
        variables[bounds] = xr.Variable(dims, edges)
    return variables


def _is_complete(dataset: xr.Dataset, marker: Parts) -> bool:
    """Tell whether a dataset still has all variables, labels and edges."""
    variables = dataset.variables
    if not {KEY, marker["variable"], *marker["coords"]} <= set(variables):
        return False
    for name in marker["labelled"]:
        parts = json.loads(variables[name].attrs.get(KEY, "{}"))
        if not parts or ("closed" in parts and f"{name}_bnds" not in variables):
            return False
    return True


def _checksum(marker: str, variables: Mapping[Any, xr.Variable]) -> np.int64:
    """Return a number that changes with any label or edge.

    xarray keeps the attributes of the first dataset when it puts several together, but all data.
    """
    digest = hashlib.sha256(marker.encode())
    for name in sorted(map(str, variables)):
        digest.update(str(variables[name].attrs.get(KEY, "")).encode())
        if name.endswith("_bnds"):
            digest.update(variables[name].to_numpy().astype("<f8").tobytes())
    return np.int64(int.from_bytes(digest.digest()[:7], "big"))


def _decoded(dataset: xr.Dataset, name: str) -> xr.Variable:
    """Return a coordinate with its labels in place of its codes."""
    stored, bounds = dataset.variables[name], f"{name}_bnds"
    attrs = dict(stored.attrs)
    parts = json.loads(attrs.pop(KEY, "{}"))
    if "closed" in parts:
        parts["edges"] = dataset.variables[bounds].to_numpy()
    labels, codes = _rebuilt(parts), stored.to_numpy()
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


def _classes(dtype: pd.CategoricalDtype, name: Any) -> Parts:
    """Return the classes of a column as JSON, and as texts to save in their place."""
    labels = dtype.categories.tolist()
    parts = _described(
        dtype.categories, f"the column {name!r}", f"df[{name!r}].cat.rename_categories(str)"
    )
    if "edges" in parts:
        parts["edges"] = parts["edges"].tolist()
    texts = list(map(str, labels))
    # of 1 and "1" as classes, and of a lone surrogate, which is no text for Parquet
    if len(set(texts)) < len(texts) or any("\ud800" <= c <= "\udfff" for c in "".join(texts)):
        texts = [f"{position}: {label!a}" for position, label in enumerate(labels)]
    return {**parts, "ordered": bool(dtype.ordered), "texts": texts}


def _from_texts(column: pd.Series[Any], parts: Parts) -> pd.Categorical:
    """Return a column with the classes that its texts stand for."""
    stored = pd.Categorical(column)
    lookup = {text: position for position, text in enumerate(parts["texts"])}
    if not set(stored.categories) <= set(lookup):
        raise ClassOrderError(NO_CATEGORIES)
    positions = np.array([*map(lookup.__getitem__, stored.categories), -1], np.intp)
    dtype = pd.CategoricalDtype(_rebuilt(parts), parts["ordered"])
    return pd.Categorical.from_codes(positions[stored.codes], dtype=dtype)


def _marker(text: Any, lost: str) -> Parts:
    """Return what pandas_ordinal wrote into a file about its layout."""
    try:
        marker: Parts = json.loads(text)
        version = int(marker["format"])
        if version <= FORMAT and not ("columns" in marker or "variable" in marker):
            raise KeyError
    except (KeyError, TypeError, ValueError) as error:
        raise ClassOrderError(lost) from error
    if version > FORMAT:
        raise ValueError(
            f"a newer version of pandas_ordinal wrote format {version}; this one reads {FORMAT}: "
            "pip install --upgrade pandas_ordinal"
        )
    return marker


def _needed(module: str) -> Any:
    """Import a library that only files need."""
    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(f'{module} is missing: pip install "pandas_ordinal[io]"') from error


def _engine(engine: str | None = None) -> Any:
    """Return the engine for netCDF 4 files, if it is installed."""
    if engine is None:
        engine = next((name for name, module in ENGINES.items() if find_spec(module)), "h5netcdf")
    if engine not in ENGINES:
        raise ValueError(f"engine={engine!r} must be one of {list(ENGINES)}")
    _needed(ENGINES[engine])
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


def _refuse_frame(frame: pd.DataFrame) -> None:
    """Raise if the classes of a frame are where Parquet cannot hold them."""
    levels = map(frame.index.get_level_values, range(frame.index.nlevels))
    if any(isinstance(level, pd.CategoricalIndex) for level in levels):
        raise TypeError(
            "the index of the frame is Categorical, and would lose its classes: save "
            "df.reset_index()"
        )
    if any(isinstance(name, (bool, np.bool_)) for name in frame.columns):
        raise TypeError("booleans as column labels would become text: rename the columns")
    if isinstance(frame.columns, pd.CategoricalIndex):
        raise TypeError(
            "the column labels are Categorical, which pandas cannot read back: save "
            "df.set_axis(list(df.columns), axis=1)"
        )
