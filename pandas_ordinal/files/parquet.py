"""Frames as Parquet files that keep the classes of their Categorical columns.

The digest of a file stays the same when another tool writes its table in other row groups, or its
text without dictionaries. It changes with a name, a type, a value or a missing value.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from io import BytesIO
from typing import Any, BinaryIO

import numpy as np
import pandas as pd

from pandas_ordinal.classes.arrow import is_dictionary, refuse_joined
from pandas_ordinal.counting.arrays import Array
from pandas_ordinal.errors import ClassOrderError, UnreadableFileError, brief
from pandas_ordinal.files.label_json import labels_from_json, labels_to_json
from pandas_ordinal.files.parquet_limits import (
    attributes_to_json,
    fields_to_restore,
    refuse_frame,
    refuse_large,
    refuse_large_texts,
    refuse_lossy,
    restore_fields,
)
from pandas_ordinal.files.reading import (
    KEY,
    FilePath,
    Json,
    address_hint,
    changed_since_saved,
    errors_become,
    local_path,
    read_marker,
    refuse_special,
)
from pandas_ordinal.files.writing import leftover_hint, replacing
from pandas_ordinal.hints import explains_arguments, import_extra

PARQUET_FORMAT = 3  # older formats were never released
PANDAS_METADATA = (b"pandas", b"PANDAS_ATTRS")  # the index, the dtypes, and df.attrs


def to_parquet(frame: pd.DataFrame, path: FilePath) -> None:
    """Save a frame as a Parquet file that keeps its classes: `FrameOrdinal.to_parquet`."""
    pq = import_extra("pyarrow.parquet")
    refuse_frame(frame)
    attributes = attributes_to_json(frame.attrs)
    plain, columns = _with_texts(frame)
    table = _arrow_table(plain)
    refuse_large_texts(table, _text_columns(table.schema), ValueError, "save it in parts")
    metadata = dict(table.schema.metadata)
    if frame.attrs:  # where pandas keeps them
        metadata[b"PANDAS_ATTRS"] = attributes
    marker = {"format": PARQUET_FORMAT, "columns": columns, **fields_to_restore(frame)}
    table = table.replace_schema_metadata(metadata)
    digest = _digest(_as_read(table), json.dumps(marker))
    metadata[KEY.encode()] = json.dumps({**marker, "digest": digest}).encode()
    with replacing(path) as place:
        table = table.replace_schema_metadata(metadata)
        with open(place, "wb") as file:
            pq.write_table(table, file, write_page_checksum=True)
        refuse_lossy(frame, read_parquet(place))


@explains_arguments
def read_parquet(path: FilePath) -> pd.DataFrame:
    """Read a frame that `df.ordinal.to_parquet` saved, with its classes.

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
    OSError
        If the file is not a Parquet file, is damaged, or was changed by another tool; as a
        FileNotFoundError, if it does not exist.
    ClassOrderError
        If the file holds no class order, since another tool wrote it.
    ValueError
        If a newer version of pandas_ordinal wrote it.

    Examples
    --------
    >>> import pandas as pd
    >>> from tempfile import TemporaryDirectory
    >>> import pandas_ordinal as po
    >>> df = pd.DataFrame({"y": pd.Categorical([1, 3], [3, 2, 1], ordered=True)})
    >>> with TemporaryDirectory() as folder:
    ...     df.ordinal.to_parquet(f"{folder}/labels.parquet")
    ...     po.read_parquet(f"{folder}/labels.parquet")["y"].cat.categories.tolist()
    [3, 2, 1]
    """
    pq = import_extra("pyarrow.parquet")
    place = local_path(path)
    if not os.path.exists(place):
        left = leftover_hint(place) or address_hint(path)
        raise FileNotFoundError(f"no file {brief(os.fspath(path))}{left}")
    path = place
    without_classes = ClassOrderError(
        f"{path!r} holds no class order that pandas_ordinal can read: another tool wrote it, or "
        f"has changed it. Read it with pd.read_parquet({path!r}) and declare the order of each "
        'label column, lowest class first: df["y"].ordinal.as_ordered([...])'
    )
    damaged = changed_since_saved(path, f"pd.read_parquet({path!r})")
    refuse_special(path)
    with open(path, "rb") as file:
        with errors_become(UnreadableFileError(f"{path!r} is not a Parquet file, or is damaged")):
            stored = pq.read_metadata(file)
            metadata = stored.schema.to_arrow_schema().metadata or {}
        marker = read_marker(metadata.get(KEY.encode()), PARQUET_FORMAT, without_classes)
        size = stored.num_rows, stored.num_columns
        remedy = f"if you trust {path!r}, read it with pd.read_parquet({path!r})"
        refuse_large(*size, UnreadableFileError, remedy)
        with errors_become(damaged):
            _refuse_changed(file, marker, damaged, remedy)
            frame = pd.read_parquet(file, engine="pyarrow")
            for key, fields in marker["columns"].items():
                frame.isetitem(int(key), _with_classes(frame.iloc[:, int(key)], fields))
            return restore_fields(frame, marker)


def _refuse_changed(file: BinaryIO, marker: Json, damaged: Exception, remedy: str) -> None:
    """Raise if a table is not what was saved, or has texts that would not fit into memory.

    Each text is read once, since a small file can repeat a long one for millions of rows.
    """
    pq = import_extra("pyarrow.parquet")
    file.seek(0)
    texts = _text_columns(pq.read_schema(file))
    file.seek(0)
    table = pq.read_table(file, page_checksum_verification=True, read_dictionary=texts)
    refuse_large_texts(table, texts, UnreadableFileError, remedy)
    covered = {key: value for key, value in marker.items() if key != "digest"}
    if _digest(table, json.dumps(covered)) != marker["digest"]:
        raise damaged


def _text_columns(schema: Any) -> list[str]:
    """Return the names of the columns of texts."""
    return [field.name for field in schema if _is_text(field.type)]


def _is_text(kind: Any) -> bool:
    """Whether a type of Arrow is text."""
    pa = import_extra("pyarrow")
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _arrow_table(frame: pd.DataFrame) -> Any:
    """Return a frame as an Arrow table."""
    pa = import_extra("pyarrow")
    try:
        return pa.Table.from_pandas(frame)
    except (pa.ArrowException, OverflowError, TypeError) as error:
        match = re.search(r"column (.*?)(\)| with type)", str(error))
        name = next((name for name in frame.columns if match and str(name) == match[1]), None)
        remedy = "text in place of those labels"
        if name is not None:
            remedy = f"text, such as with df.assign(**{{{name!r}: df[{name!r}].astype(str)}})"
            dtype = frame[name].dtype
            if isinstance(dtype, np.dtype) and not dtype.isnative:
                plain = str(dtype.newbyteorder("="))
                remedy = f"df.assign(**{{{name!r}: df[{name!r}].astype({plain!r})}})"
        raise TypeError(f"Parquet cannot hold the frame: {error}; save {remedy}") from error


def _as_read(table: Any) -> Any:
    """Return a table with the types that it has once it is read: Parquet has no seconds."""
    pa, pq = import_extra("pyarrow"), import_extra("pyarrow.parquet")
    empty = BytesIO()
    pq.write_table(table.slice(0, 0), empty)
    for position, field in enumerate(pq.read_schema(empty)):
        column = table.column(position)
        if column.type != field.type and not pa.types.is_dictionary(column.type):
            table = table.set_column(position, field.name, column.cast(field.type))
    return table


def _digest(table: Any, marker: str) -> str:
    """Return the digest of a table as it is read from a file, and of the marker in the file."""
    metadata = table.schema.metadata or {}
    about = [marker, *(metadata.get(key) for key in PANDAS_METADATA), *table.schema.names]
    digest = hashlib.sha256(repr(about).encode())
    for column in table.columns:
        kind, values = _fixed_width_values(column)
        digest.update(f"{kind} {len(column)}".encode())
        digest.update(np.packbits(np.asarray(column.is_null())).data)
        digest.update(np.ascontiguousarray(values).view(np.uint8).data)
    return digest.hexdigest()


def _fixed_width_values(column: Any) -> tuple[str, Array]:
    """Return the type of an Arrow column, and its values that are not missing.

    The type is the same for all ways in which Arrow holds text. pandas hashes texts and objects,
    but not numbers: it hashes -0.0 differently from one version to the next.
    """
    pa = import_extra("pyarrow")
    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        return _fixed_width_values(column.cast(kind.storage_type))
    if _is_text(kind):
        return _fixed_width_values(column.dictionary_encode())
    if pa.types.is_dictionary(kind) and _is_text(kind.value_type):
        joined = column.unify_dictionaries().combine_chunks()
        texts = joined.dictionary.to_numpy(zero_copy_only=False)
        return "text", _hashes(texts)[joined.indices.drop_null().to_numpy()]
    if pa.types.is_dictionary(kind):
        return _fixed_width_values(column.cast(kind.value_type))
    present = column.drop_null()
    if pa.types.is_nested(kind):
        return "nested", _hashes(np.array(list(map(repr, present.to_pylist())), dtype=object))
    values = present.to_numpy()
    return str(kind), _hashes(values) if values.dtype == object else values


def _hashes(objects: Array) -> Array:
    """Return a number for each text, or for each object by its text."""
    return pd.util.hash_array(objects, categorize=False)


def _with_texts(frame: pd.DataFrame) -> tuple[pd.DataFrame, dict[int, Json]]:
    """Return a frame with texts in place of its classes, and the classes by column."""
    plain = frame.copy(deep=False)
    columns: dict[int, Json] = {}
    for position, name in enumerate(frame.columns):
        column = frame.iloc[:, position]
        if is_dictionary(column.dtype):
            codes, fields = _of_dictionary(name, column)
        elif isinstance(column.dtype, pd.CategoricalDtype):
            labels, ordered = column.dtype.categories, column.dtype.ordered
            remedy = f"df[{name!r}].cat.rename_categories(str)"
            fields = _classes_to_json(labels, ordered, name, remedy)
            codes = column.cat.codes.to_numpy()
        else:
            continue
        texts = pd.CategoricalDtype(fields["texts"], fields["ordered"])
        plain.isetitem(position, pd.Categorical.from_codes(codes, dtype=texts))
        columns[position] = fields
    return plain, columns


def _of_dictionary(name: Any, column: pd.Series[Any]) -> tuple[Array, Json]:
    """Return the codes and the classes of an Arrow dictionary."""
    stored: Any = column.array.__arrow_array__()
    refuse_joined(name, stored)
    joined = stored.unify_dictionaries().combine_chunks()
    kind: Any = pd.ArrowDtype(stored.type.value_type)
    labels = pd.Index(pd.array(joined.dictionary, dtype=kind))
    fields = _classes_to_json(labels, stored.type.ordered, name, f"df[{name!r}].astype(str)")
    codes = joined.indices.fill_null(0).to_numpy().astype(np.int64)
    codes[joined.indices.is_null()] = -1
    return codes, {**fields, "indices": str(stored.type.index_type)}


def _classes_to_json(labels: pd.Index[Any], ordered: bool | None, name: Any, remedy: str) -> Json:
    """Return the classes of a column as JSON, with the texts to save in their place."""
    fields = labels_to_json(labels, f"the column {name!r}", remedy)
    if "edges" in fields:
        fields["edges"] = fields["edges"].tolist()
    classes = labels.tolist()
    texts = list(map(str, classes))
    # for 1 and "1" as classes, and for a lone surrogate, which Parquet cannot hold
    if len(set(texts)) < len(texts) or any("\ud800" <= c <= "\udfff" for c in "".join(texts)):
        texts = [f"{position}: {label!a}" for position, label in enumerate(classes)]
    return {**fields, "ordered": bool(ordered), "texts": texts}


def _with_classes(column: pd.Series[Any], fields: Json) -> Any:
    """Return a column with the classes that its texts stand for."""
    stored = pd.Categorical(column)
    lookup = {text: position for position, text in enumerate(fields["texts"])}
    positions = np.array([*map(lookup.__getitem__, stored.categories), -1], np.intp)
    codes, labels = positions[stored.codes], labels_from_json(fields)
    if "indices" not in fields:
        dtype = pd.CategoricalDtype(labels, fields["ordered"])
        return pd.Categorical.from_codes(codes, dtype=dtype)
    pa = import_extra("pyarrow")
    indices = pa.array(codes, pa.type_for_alias(fields["indices"]), mask=codes < 0)
    dictionary = pa.array(labels.array)
    arrow = pa.DictionaryArray.from_arrays(indices, dictionary, ordered=fields["ordered"])
    return pd.array(arrow, dtype=pd.ArrowDtype(arrow.type))
