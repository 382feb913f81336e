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
