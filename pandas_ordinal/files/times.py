"""Times as whole numbers with units and a calendar, as all readers of files take them."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.arrays import Array
from pandas_ordinal.files.parts import Parts, needed

EPOCH = "1970-01-01"
UNITS = {"s": "seconds", "ms": "milliseconds", "us": "microseconds", "ns": "nanoseconds"}
CFTIME = "cftime"
MISSING = int(np.iinfo(np.int64).min)  # NaT
ADDED = ("units", "calendar", "_FillValue")
TICK = timedelta(microseconds=1)


def time_parts(labels: pd.Index[Any] | Array) -> Parts | None:
    """Return how times are written as numbers, or None if labels are no times."""
    if labels.dtype.kind in "mM":
        return parts_of_dtype(str(labels.dtype))
    listed = np.asarray(labels).ravel().tolist() if labels.dtype.kind == "O" else []
    if not listed or {type(label).__module__.split(".")[0] for label in listed} != {CFTIME}:
        return None
    calendars = {(time.calendar, time.has_year_zero) for time in listed}
    if len(calendars) > 1 or not listed[0].calendar:
        return None
    ((calendar, year_zero),) = calendars
    units = f"{UNITS['us']} since {EPOCH}"
    return {"dtype": CFTIME, "units": units, "calendar": calendar, "has_year_zero": year_zero}


def parts_of_dtype(name: str) -> Parts:
    """Return how times of a dtype of pandas are written as numbers."""
    units = UNITS[_unit(name)]
    if name.startswith("timedelta"):
        return {"dtype": name, "units": units}
    return {
        "dtype": name,
        "units": f"{units} since {EPOCH}",
        "calendar": "proleptic_gregorian",
    }


def whole_numbers(times: Any, parts: Parts) -> Array:
    """Return times as numbers, also those that are numbers still."""
    values = np.asarray(times.asi8 if hasattr(times, "asi8") else times)
    if values.dtype.kind == "O":  # of cftime
        epoch = _epoch(parts if parts["dtype"] == CFTIME else {**parts, "has_year_zero": None})
        ticks = [(time - epoch) // TICK for time in values.ravel().tolist()]
        values = np.array(ticks, np.int64).reshape(values.shape).view("M8[us]")
    if values.dtype.kind in "mM":
        unit = "us" if parts["dtype"] == CFTIME else _unit(parts["dtype"])
        return values.astype(f"{values.dtype.kind}8[{unit}]").view(np.int64)
    return values


def from_whole_numbers(numbers: Array, parts: Parts) -> Any:
    """Return the times that `whole_numbers` made numbers of, as an index if they are a list."""
    if parts["dtype"] == CFTIME:
        epoch, times = _epoch(parts), np.empty(numbers.size, object)
        times[:] = [epoch + int(number) * TICK for number in numbers.ravel()]
        return xr.CFTimeIndex(times) if numbers.ndim == 1 else times.reshape(numbers.shape)
    dtype: Any = pd.api.types.pandas_dtype(parts["dtype"])
    if isinstance(dtype, pd.DatetimeTZDtype):
        return (
            pd.DatetimeIndex(numbers.view(f"M8[{dtype.unit}]"))
            .tz_localize("UTC")
            .tz_convert(dtype.tz)
        )
    times = numbers.astype(np.int64).view(dtype)
    return pd.Index(times) if times.ndim == 1 else times


def written(numbers: Array, dims: Any, parts: Parts, attrs: Any = None) -> xr.Variable:
    """Return numbers with the units and the calendar that other readers look for."""
    cf = {name: parts[name] for name in ("units", "calendar") if name in parts}
    missing = bool(cf) and (numbers == MISSING).any()
    encoding = {"_FillValue": np.int64(MISSING) if missing else None}
    return xr.Variable(dims, numbers, {**(attrs or {}), **cf}, encoding)


def _unit(name: str) -> str:
    found = re.match(r"(?:datetime|timedelta)64\[(s|ms|us|ns)\b", name)
    if found is None:
        raise ValueError(f"{name!r} is no dtype of times")
    return found[1]


def _epoch(parts: Parts) -> Any:
    """Return the time of number 0 in a calendar."""
    calendar, year_zero = parts["calendar"], parts["has_year_zero"]
    return needed(CFTIME).num2date(0, parts["units"], calendar, has_year_zero=year_zero)
