"""Calls with wrong arguments: each gives a result, or an error of ours that names the "
"parameter."""

from __future__ import annotations

import dis
import os
import random
import re
import reprlib
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import xarray as xr
from sklearn.exceptions import DataConversionWarning

from fuzz.answers import Refused, Wrong
from fuzz.surfaces import SHARES, Name, names_by_surface
from pandas_ordinal.errors import PACKAGE, an, kind_of

mpl.use("agg")

LONG = "long " * 20_000
NAMED_AS = {"arrays": "count"}  # of an influence
MOST_LETTERS = 3_000  # of a message, which may list a dozen labels that are shortened

SERIES = pd.Series([0, 1, 2, 1], name="y")
FRAME = pd.DataFrame({"y": [0, 1, 2], None: [0.5, 0.2, 0.1]})


class Own:
    """A class of the user's own, which takes anything."""

    def __init__(self, *args: Any, **kwargs: Any) -> None: ...


POOL: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "True": lambda: True,
    "0": lambda: 0,
    "-99": lambda: -99,
    "2.5": lambda: 2.5,
    "10**400": lambda: 10**400,
    "-10**400": lambda: -(10**400),
    "1e308": lambda: 1e308,
    "nan": lambda: float("nan"),
    "inf": lambda: float("inf"),
    "1j": lambda: 1j,
    "''": lambda: "",
    "'text'": lambda: "text",
    "'y'": lambda: "y",
    "long text": lambda: LONG,
    "list of long text": lambda: [LONG, "y"],
    "b'y'": lambda: b"y",
    "np.str_": lambda: np.str_("yhat"),
    "np.int64": lambda: np.int64(1),
    "np.float32": lambda: np.float32(0.5),
    "lambda": lambda: lambda *args, **kwargs: None,
    "class": lambda: Own,
    "module": lambda: os,
    "object": object,
    "Ellipsis": lambda: ...,
    "NotImplemented": lambda: NotImplemented,
    "[]": list,
    "['y']": lambda: ["y"],
    "[None]": lambda: [None],
    "['y', 'y']": lambda: ["y", "y"],
    "['yhat', 1]": lambda: ["yhat", 1],
    "[['y'], ['yhat']]": lambda: [["y"], ["yhat"]],
    "[0, [1, [2]]]": lambda: [0, [1, [2]]],
    "[nan, inf]": lambda: [float("nan"), float("inf")],
    "()": tuple,
    "('y', 'yhat')": lambda: ("y", "yhat"),
    "{}": dict,
    "{'a': 1}": lambda: {"a": 1},
    "{0: [1]}": lambda: {0: [1], None: "y"},
    "set": lambda: {"y", 1},
    "frozenset": lambda: frozenset({"y"}),
    "slice": lambda: slice(0, 2),
    "range": lambda: range(3),
    "generator": lambda: (one for one in ["y", "yhat"]),
    "dict keys": lambda: {"y": 1}.keys(),
    "bytearray": lambda: bytearray(b"ab"),
    "0-d array": lambda: np.array("y"),
    "0-d array of numbers": lambda: np.array(1),
    "array": lambda: np.array([0, 1, 2]),
    "array of text": lambda: np.array(["y", "yhat"]),
    "array of objects": lambda: np.array(["y", None, 1], dtype=object),
    "2-d array": lambda: np.ones((3, 3)),
    "3-d array": lambda: np.zeros((2, 3, 3), int),
    "empty array": lambda: np.array([]),
    "structured array": lambda: np.zeros(2, [("a", int)]),
    "masked array": lambda: np.ma.masked_array([0, 1], [True, False]),
    "Series": lambda: SERIES.copy(),
    "Series of text": lambda: pd.Series(["y", "yhat"]),
    "DataFrame": lambda: FRAME.copy(),
    "empty DataFrame": pd.DataFrame,
    "Index": lambda: pd.Index(["y", "yhat"]),
    "MultiIndex": lambda: pd.MultiIndex.from_tuples([("y", 1), ("yhat", 2)]),
    "IntervalIndex": lambda: pd.interval_range(0, 3),
    "Categorical": lambda: pd.Categorical(["a", "b"], ordered=True),
    "CategoricalDtype": lambda: pd.CategoricalDtype([0, 1, 2], ordered=True),
    "Interval": lambda: pd.Interval(0, 1),
    "DataArray": lambda: xr.DataArray([0, 1, 2], dims="case"),
    "0-d DataArray": lambda: xr.DataArray(1),
    "Dataset": lambda: xr.Dataset({"y": ("case", [0, 1])}),
    "GroupBy": lambda: SERIES.to_frame().groupby("y"),
    "Grouper": lambda: pd.Grouper(key="y"),
    "pd.NA": lambda: pd.NA,
    "NaT": lambda: pd.NaT,
    "Timestamp": lambda: pd.Timestamp("2024-01-01"),
    "Timedelta": lambda: pd.Timedelta(1, "D"),
    "np.datetime64": lambda: np.datetime64("2024-01-01"),
    "date": lambda: date(2024, 1, 1),
    "Decimal": lambda: Decimal("0.5"),
    "Decimal nan": lambda: Decimal("NaN"),
    "Fraction": lambda: Fraction(1, 3),
    "Path": lambda: Path("missing.nc"),
}
"""Values that fit few parameters. No path among them lies outside the folder of the run."""


@dataclass(frozen=True)
class Call:
    """A call with one or two wrong arguments.

    Attributes
    ----------
    name : Name
        What is called.
    values : dict
        The arguments that are not the valid ones, as they are in `POOL`, by parameter.
    given : dict
        All arguments.
    """

    name: Name
    values: Mapping[str, str]
    given: Mapping[str, Any]

    def __repr__(self) -> str:
        shown = [
            f"{one}={self.values.get(one, reprlib.repr(self.given[one]))}" for one in self.given
        ]
        return f"{self.name.label}({', '.join(shown)})"


def make_call(rng: random.Random) -> Call:
    """Draw a public name, valid arguments, and one or two wrong ones in their place."""
    surfaces = names_by_surface()
    (surface,) = rng.choices([*surfaces], [SHARES.get(one, 1) for one in surfaces])
    name = rng.choice(surfaces[surface])
    given = {
        one.name: name.valid[one.name]
        for one in name.parameters
        if one.name in name.needed or (one.name in name.valid and rng.random() < 0.15)
    }
    at = rng.sample(
        [one.name for one in name.parameters], min(len(name.parameters), rng.choice([1, 1, 2]))
    )
    values = {one: rng.choice([*POOL]) for one in at}
    order = [one.name for one in name.parameters]
    wrong = {one: POOL[value]() for one, value in values.items()}
    given = {one: wrong.get(one, given.get(one)) for one in order if one in wrong or one in given}
    return Call(name, values, given)


def check(rng: random.Random) -> None:
    """Call a name with wrong arguments; raise `Wrong` for an error that is not ours."""
    call = make_call(rng)
    with TemporaryDirectory() as folder, _inside(folder), warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", DataConversionWarning)  # of scikit-learn, for columns
        call.name.before()
        try:
            call.name(call.given)
        except Exception as error:
            fault = fault_of(error, call)
            if fault:
                raise Wrong(f"{call!r}: {fault} {_where(error)}") from None
            raise Refused(type(error).__name__) from error
        finally:
            plt.close("all")


@contextmanager
def _inside(folder: str) -> Iterator[None]:
    """Make a folder the one that relative paths are in."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def fault_of(error: BaseException, call: Call) -> str:
    """Return what is wrong about an error; empty if it is ours and explains the call."""
    message = str(error)
    kind = f"{type(error).__name__}: {message[:300]}"
    if not is_ours(error):
        return f"foreign {kind}"
    if len(message) > MOST_LETTERS:
        return f"{len(message):,} letters {kind}"
    names = [NAMED_AS.get(one.name, one.name.rstrip("s")) for one in call.name.parameters]
    parameters = any(re.search(rf"\b{name}", message, re.IGNORECASE) for name in names)
    parameters |= any(repr(one) in message for one in call.given.values() if isinstance(one, str))
    values = {one: POOL[value]() for one, value in call.values.items()}
    function = re.escape(call.name.label.split(".")[-1])
    takes = re.search(rf"\b{function} (takes|compares|draws)\b", message)
    explained = takes or parameters or any(_is_named(value, message) for value in values.values())
    if not explained and not isinstance(error, Warning):
        return f"unnamed {kind}"
    return ""


def is_ours(error: BaseException) -> bool:
    """Return whether a statement `raise` of the package raised an error.

    The frame of an error that Python or another library raises ends at another instruction, or in
    another file. `warn` calls for the package.
    """
    last = error.__traceback__
    assert last is not None
    while last.tb_next:
        last = last.tb_next
    code = last.tb_frame.f_code
    if not code.co_filename.startswith(PACKAGE):
        return False
    operation = dis.opname[code.co_code[last.tb_lasti]]
    return operation == "RAISE_VARARGS" or (code.co_name == "warn" and isinstance(error, Warning))


def _is_named(value: Any, message: str) -> bool:
    """Return whether a message has a value, what is in it, or its kind."""
    is_several = isinstance(value, Iterable) and getattr(value, "ndim", 1)
    several = [*islice(value, 9)] if is_several and not isinstance(value, str) else []
    texts = [repr(one)[:12] for one in (value, *several)]
    is_numeric = isinstance(value, (int, np.number, np.ndarray))
    numbers = np.asarray(value).ravel() if is_numeric else np.zeros(0)
    if numbers.dtype.kind in "iuf" and any(
        re.search(rf"\b{one:g}\b", message) for one in numbers[:9]
    ):
        return True
    texts += [str(one)[:12] for one in (value, *several) if len(str(one)) > 3]
    return any(text in message for text in (an(kind_of(value)), *texts))


def _where(error: BaseException) -> str:
    """Return the last line of the package that an error went through."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [one for one in frames if one.filename.startswith(PACKAGE)] or [frames[-1]]
    return f"(at {ours[-1].filename.removeprefix(PACKAGE)}:{ours[-1].lineno} {ours[-1].name})"
