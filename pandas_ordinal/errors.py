"""Exceptions and warnings for ordinal data, how errors name objects, and types of options."""

from __future__ import annotations

import ast
import difflib
import functools
import inspect
import os
import re
import sys
import unicodedata
import warnings
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeGuard, get_origin

import numpy as np
import pandas as pd

PACKAGE = str(Path(__file__).parent) + os.sep


class ClassOrderError(ValueError):
    """The order of the classes is not declared, or is declared in contradictory ways."""


class UnknownClassError(ValueError):
    """A label is not among the declared classes."""


class UnknownNameError(KeyError, ValueError):
    """No column, index level, variable or model has this name."""

    def __str__(self) -> str:
        """Return the message, which KeyError would show in quotes."""
        return Exception.__str__(self)


class MissingValueError(ValueError):
    """A label or a group key is missing."""


class UnreadableFileError(OSError):
    """A file is of another kind, is damaged, or was changed by another tool."""


class UndefinedMetricWarning(UserWarning):
    """A metric is undefined for a group that has rows."""


class PercentagesWarning(UserWarning):
    """A table of counts may hold percentages, which lack the number of rows."""


class RepeatedRowsWarning(UserWarning):
    """Intervals or p-values treat repeated predictions of the same rows as independent."""


def warn(message: str, category: type[Warning]) -> None:
    """Warn at the line of the user's call."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_code.co_filename.startswith(PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


def warn_undefined(name: str, groups: Sequence[str]) -> None:
    """Warn once about groups that have rows but no value."""
    more = f" and {len(groups) - SHOWN} more" * (len(groups) > SHOWN)
    shown = ", ".join(groups[:SHOWN]) + more
    warn(f"{name} is undefined for {shown or 'these rows'}: NaN", UndefinedMetricWarning)


SHOWN = 8
LONGEST = 300  # a value of more letters is shortened
LARGEST_WHOLE = 2**53  # larger floats have digits that nobody wrote
ALIKE = 0.75  # a lower cutoff would match most names of three letters

_Labels = Sequence[Any] | pd.Index


@dataclass(frozen=True, repr=False)
class Named:
    """The name of labels that are not a column of a frame.

    Attributes
    ----------
    name : str
        What errors call them.
    variable : str
        The variable that they are in, as code.
    code : str
        The expression that makes a Series of them, as code.
    """

    name: str
    variable: str
    code: str

    def __repr__(self) -> str:
        """Return what errors call the labels."""
        return self.name


def brief(value: Any) -> str:
    """Write a value as code, shortened if it is long."""
    try:
        return cut_short(repr(value))
    except Exception:  # such as for integers of too many digits
        return f"<{type(value).__name__}>"


def exactly(number: float) -> str:
    """Write a number as code that means the same number."""
    is_whole = abs(number) < LARGEST_WHOLE and number % 1 == 0
    return repr(int(number) if is_whole or isinstance(number, int) else float(number))


def cut_short(text: str) -> str:
    """Leave out the middle of a long text."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 50]}...{text[-47:]}"


def is_iterable(value: Any) -> TypeGuard[Iterable[Any]]:
    """Return whether a value holds others, unlike arrays without dimensions."""
    return isinstance(value, Iterable) and getattr(value, "ndim", 1) != 0


def called(name: Hashable) -> str:
    """Return what to call a column, which may be a Series without a name."""
    if isinstance(name, Named):
        return name.name
    return "the Series" if name is None else f"column {brief(name)}"


def in_code(name: Hashable) -> str:
    """Return a column as code."""
    if isinstance(name, Named):
        return name.code
    return "series" if name is None else f"df[{brief(name)}]"


def assigned(name: Hashable) -> str:
    """Return the target of an assignment to a column, as code."""
    return name.variable if isinstance(name, Named) else in_code(name)


def an(name: str) -> str:
    """Put the article before the name of a kind of object."""
    vowel = name[0] in "AEIOaeio" or name.startswith(("ndarray", "xarray"))
    return f"{'an' if vowel else 'a'} {name}"


def show(labels: _Labels) -> str:
    """Write the first labels as a list of Python objects."""
    return f"[{', '.join(first_labels(labels, brief))}]"


def closest(name: Hashable, names: Iterable[Hashable]) -> Hashable:
    """Return the name with the same letters, or the most similar one; None if none is close."""
    known = {str(candidate).lower(): candidate for candidate in names}
    written = str(name).lower()
    swapped = [candidate for candidate in known if sorted(candidate) == sorted(written)]
    close = difflib.get_close_matches(written, known, cutoff=ALIKE)
    return next((known[candidate] for candidate in swapped + close), None)


def did_you_mean(name: Hashable, names: Iterable[Hashable]) -> str:
    """Suggest a name that is close, if there is one."""
    close = closest(name, names)
    return "" if close is None else f"; did you mean {close!r}?"


def first_labels(labels: _Labels, write: Any = str) -> list[str]:
    """Write the first labels, and an ellipsis if there are more."""
    shown = labels[:SHOWN]
    listed = shown.tolist() if isinstance(shown, pd.Index) else list(shown)
    return [*(cut_short(write(label)) for label in listed), *["..."] * (len(labels) > SHOWN)]


MENDED: dict[str, Callable[[str], str]] = {
    ".str.normalize('NFC')": functools.partial(unicodedata.normalize, "NFC"),
    ".str.normalize('NFD')": functools.partial(unicodedata.normalize, "NFD"),
    ".str.strip()": str.strip,
    ".str.normalize('NFKC')": functools.partial(unicodedata.normalize, "NFKC"),  # also spaces
}


def lookalike(labels: _Labels, others: Iterable[Any]) -> tuple[Any, Any, str] | None:
    """Return a label that looks like another one, that one, and the method that mends the first.

    The method is empty if the other one has to be mended.
    """
    others = list(others)
    texts = [other for other in others if isinstance(other, str)]
    unknown = [label for label in labels if isinstance(label, str) and label not in texts]
    for label in unknown[:SHOWN]:
        for method, mended in MENDED.items():
            if mended(label) in texts:
                return label, mended(label), method
        for other in texts:
            if any(mended(other) == label for mended in MENDED.values()):
                return label, other, ""
    return _same_number(labels, others)


def _same_number(labels: _Labels, others: Sequence[Any]) -> tuple[Any, Any, str] | None:
    """Return text of a number and that number, or the reverse, as `lookalike` does."""
    texts = [other for other in others if isinstance(other, str)]
    numbers = {_number_in(other): other for other in others if not isinstance(other, str)}
    of_labels = {label: _number_in(label) for label in labels}
    for label, number in of_labels.items():
        if number is None:
            continue
        if isinstance(label, str) and number in numbers and None not in of_labels.values():
            return label, numbers[number], ".astype(float)"
        if not isinstance(label, str) and exactly(number) in texts:
            is_float = isinstance(label, (float, np.floating))
            method = ".astype('Int64').astype('string')" if is_float else ".astype(str)"
            return label, exactly(number), method
    return None


def _number_in(label: Any) -> float | None:
    """Return the number that a label is, or that a text consists of; None without one."""
    try:
        return None if isinstance(label, (bool, np.bool_)) else float(label)
    except (TypeError, ValueError, OverflowError):
        return None


def unlike(labels: _Labels, others: Iterable[Any]) -> str:
    """Show that a text is not another one that looks like it, if there is such a one."""
    found = lookalike(labels, others)
    return "" if found is None else f"; {found[0]!a} is not {found[1]!a}"


# Windows of xarray
TOGETHER = "put both arrays into a Dataset, as in ds = xr.Dataset({'y': true, 'yhat': pred}); "
RESAMPLED = (
    'give the grouper in by=, as in ds.ordinal.oci("y", "yhat", '
    'by={"time": xr.groupers.TimeResampler("YS")})'
)
COARSENED = (
    'make the windows a dimension, as in ds.coarsen(time=12).construct(time=("year", "month"))'
    '.ordinal.oci("y", "yhat", dim="month")'
)
ROLLED = (
    'make the windows a dimension, as in ds.rolling(time=12).construct("window")'
    '.ordinal.oci("y", "yhat", dim="window", dropna=True)'
)

# By library, or by a single class, which takes precedence
CONVERSIONS = {
    "polars": "convert it to pandas with .to_pandas()",
    "polars LazyFrame": "convert it to pandas with .collect().to_pandas()",
    "pyarrow": "convert it to pandas with .to_pandas(), or with "
    ".to_pandas(types_mapper=pd.ArrowDtype) to keep the types of Arrow",
    "pyarrow Dataset": "read it with .to_table().to_pandas()",
    "pyarrow Scanner": "read it with .to_table().to_pandas()",
    "pyarrow RecordBatchReader": "read it with .read_pandas()",
    "duckdb": "read it with .to_arrow_table().to_pandas()",
    "duckdb DuckDBPyConnection": "give the relation that its method sql returns",
    "pyspark": "convert it to pandas with .toPandas()",
    "dask": "convert it to pandas with .compute()",
    "dask Series": "convert it to pandas with .compute(), or name columns of its frame, as in "
    'po.ordinal(ddf).oci("y", "yhat")',
    "dask GroupBy": 'name the keys in by=, as in po.ordinal(ddf).oci("y", "yhat", by="model")',
    "pandas GroupBy": "group the DataFrame and name its columns, as in "
    'df.groupby("model").ordinal.oci("y", "yhat")',
    "xarray DatasetGroupBy": 'name the keys in by=, as in ds.ordinal.oci("y", "yhat", by="model")',
    "xarray DataArrayGroupBy": 'name the keys in by=, as in true.ordinal.oci(pred, by="model")',
    "xarray DatasetResample": RESAMPLED,
    "xarray DataArrayResample": f"{TOGETHER}{RESAMPLED}",
    "xarray DatasetCoarsen": COARSENED,
    "xarray DataArrayCoarsen": f"{TOGETHER}{COARSENED}",
    "xarray DatasetRolling": ROLLED,
    "xarray DataArrayRolling": f"{TOGETHER}{ROLLED}",
    "xarray DatasetWeighted": "name the weights in sample_weight=, as in "
    'ds.ordinal.oci("y", "yhat", sample_weight="w")',
    "xarray DataArrayWeighted": "give the weights as sample_weight=, as in "
    "true.ordinal.oci(pred, sample_weight=weights)",
}


def kind_of(obj: Any) -> str:
    """Return what to call an object: its class, after its library if a conversion is known."""
    library, name = _library_of(obj), type(obj).__name__
    return f"{library} {name}" if conversion_hint(obj) else name


def conversion_hint(obj: Any) -> str:
    """Describe how to convert an object of another library; empty if no conversion is known."""
    library = _library_of(obj)
    names = [f"{library} {kind.__name__}" for kind in type(obj).__mro__]
    return next((CONVERSIONS[name] for name in [*names, library] if name in CONVERSIONS), "")


def _library_of(obj: Any) -> str:
    return type(obj).__module__.partition(".")[0].removeprefix("_")


LITERAL = re.compile(r"(?:typing\.)?Literal\[([^]]*)\]")
ONE_VALUE = frozenset(["None", "bool", "float", "int", "str", "Literal"])


def signature_of(function: Callable[..., Any]) -> inspect.Signature:
    """Return a signature in which each alias of a `Literal` is written out."""
    signature = inspect.signature(function)
    known = inspect.unwrap(function).__globals__
    parameters = []
    for parameter in signature.parameters.values():
        kinds = str(parameter.annotation).split(" | ")
        aliases = {kind: known[kind] for kind in kinds if get_origin(known.get(kind)) is Literal}
        if aliases:
            spelled = " | ".join(str(aliases.get(kind, kind)) for kind in kinds)
            parameter = parameter.replace(annotation=spelled)
        parameters.append(parameter)
    return signature.replace(parameters=parameters)


def refuse_wrong_values(
    parameters: Mapping[str, inspect.Parameter], arguments: Mapping[str, Any]
) -> None:
    """Raise for values that the annotations of their parameters exclude.

    These are switches that are not bools, text that is not among the values of an option, and
    arrays where an option takes one value. Without this check, a switch would go by the truth of
    its value, so that "no" is True.
    """
    for name, value in arguments.items():
        annotation = str(parameters[name].annotation) if name in parameters else ""
        kinds, values = _kinds_of(annotation)
        if kinds <= ONE_VALUE and hasattr(value, "ndim") and not isinstance(value, np.generic):
            raise TypeError(f"{name}= takes a single value, not {an(type(value).__name__)}")
        if kinds == {"bool"} and not isinstance(value, (bool, np.bool_)):
            raise TypeError(f"{name}={brief(value)} must be True or False")
        if values and kinds <= {"None", "Literal"} and not _is_among(value, values, kinds):
            raise ValueError(f"{name}={brief(value)} must be {_alternatives(values, kinds)}")


@functools.cache
def _kinds_of(annotation: str) -> tuple[frozenset[str], tuple[str | int, ...]]:
    """Return the types that an annotation lists, and the values of a `Literal` among them."""
    literal = LITERAL.search(annotation)
    values = ast.literal_eval(f"({literal[1]},)") if literal else ()
    return frozenset(LITERAL.sub("Literal", annotation).split(" | ")), values


def _is_among(value: Any, values: Sequence[str | int], kinds: Collection[str]) -> bool:
    if isinstance(value, (str, int, np.integer)):
        return value in values
    return value is None and "None" in kinds


def _alternatives(values: Sequence[str | int], kinds: Collection[str]) -> str:
    """Write what an option takes, as code."""
    given = [f'"{one}"' if isinstance(one, str) else str(one) for one in values]
    *others, last = [*given, *["None"] * ("None" in kinds)]
    return f"{', '.join(others)} or {last}" if others else last
