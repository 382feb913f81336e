"""Times as whole numbers with units and a calendar, as other readers of files expect them."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.counting.arrays import Array
from pandas_ordinal.files.reading import Json
from pandas_ordinal.hints import import_extra

EPOCH = "1970-01-01"
PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
FRACTIONS = {"milliseconds": 10**3, "microseconds": 10**6, "nanoseconds": 10**9}
CFTIME = "cftime"
NAT = int(np.iinfo(np.int64).min)
TIME_ATTRIBUTES = ("units", "calendar", "_FillValue")
TICK = timedelta(microseconds=1)


def times_to_json(labels: pd.Index[Any] | Array) -> Json | None:
    """Return the dtype, units and calendar of times as JSON, or None if labels are not times."""
    if labels.dtype.kind in "mM":
        name = str(labels.dtype)
        return coarsest_units(name, ticks_of(labels, {"dtype": name}))
    times = np.asarray(labels).ravel().tolist() if labels.dtype.kind == "O" else []
    if not times or {type(time).__module__.split(".")[0] for time in times} != {CFTIME}:
        return None
    calendars = {(time.calendar, time.has_year_zero) for time in times}
    if len(calendars) > 1 or not times[0].calendar:
        return None
    ((calendar, year_zero),) = calendars
    fields = {"dtype": CFTIME, "calendar": calendar, "has_year_zero": year_zero}
    try:
        ticks = ticks_of(labels, fields)
        # times of the base class, or with another year zero, would come back as others
        exact = repr(times_from_ticks(ticks.ravel(), fields).tolist()) == repr(times)
    except (OverflowError, TypeError, ValueError):
        return None
    return {**coarsest_units(CFTIME, ticks), **fields} if exact else None


def coarsest_units(name: str, ticks: Array) -> Json:
    """Return the coarsest units in which times are whole numbers, and the ticks in one of them.

    A tick is the unit of the dtype. Other readers have no nanoseconds, or round them.

    Parameters
    ----------
    name : str
        The name of the dtype.
    ticks : array
        The times, in ticks.
    """
    per_second, present = PER_SECOND[_unit(name)], ticks[ticks != NAT]
    sizes = {"days": 86400 * per_second, "hours": 3600 * per_second, "seconds": per_second}
    sizes |= {unit: per_second // n for unit, n in FRACTIONS.items() if n <= per_second}
    units, size = next(item for item in sizes.items() if not (present % item[1]).any())
    if name.startswith("timedelta"):
        return {"dtype": name, "units": units, "ticks": size}
    calendar = "proleptic_gregorian"
    return {"dtype": name, "units": f"{units} since {EPOCH}", "calendar": calendar, "ticks": size}


def ticks_of(times: Any, fields: Json) -> Array:
    """Return times as whole numbers of ticks, also those stored in larger units."""
    values = np.asarray(times.asi8 if hasattr(times, "asi8") else times)
    if isinstance(times, pd.Index) and values.dtype.kind == "i":
        return values  # of pandas, in ticks
    if values.dtype.kind == "i":
        return np.where(values == NAT, NAT, values.astype(np.int64) * fields["ticks"])
    if values.dtype.kind == "O":  # of cftime
        epoch = _epoch({"calendar": "proleptic_gregorian", "has_year_zero": None, **fields})
        ticks = [(time - epoch) // TICK for time in values.ravel().tolist()]
        values = np.array(ticks, np.int64).reshape(values.shape).view("M8[us]")
    return values.astype(f"{values.dtype.kind}8[{_unit(fields['dtype'])}]").view(np.int64)


def times_from_ticks(ticks: Array, fields: Json) -> Any:
    """Return the times that `ticks_of` turned into numbers: an index if they are a list."""
    if fields["dtype"] == CFTIME:
        epoch, times = _epoch(fields), np.empty(ticks.size, object)
        times[:] = [epoch + int(number) * TICK for number in ticks.ravel()]
        index: Any = xr.CFTimeIndex  # which has no types
        return index(times) if ticks.ndim == 1 else times.reshape(ticks.shape)
    dtype: Any = pd.api.types.pandas_dtype(fields["dtype"])
    if isinstance(dtype, pd.DatetimeTZDtype):
        utc = pd.DatetimeIndex(ticks.view(f"M8[{dtype.unit}]")).tz_localize("UTC")
        return utc.tz_convert(dtype.tz)
    values = ticks.view(dtype)
    return pd.Index(values) if values.ndim == 1 else values


def time_variable(ticks: Array, dims: Any, fields: Json, attrs: Any = None) -> xr.Variable:
    """Return times as numbers, with the units and the calendar that other readers look for."""
    numbers = np.where(ticks == NAT, NAT, ticks // fields["ticks"])
    cf = {name: fields[name] for name in ("units", "calendar") if name in fields}
    encoding = {"_FillValue": np.int64(NAT) if (numbers == NAT).any() else None}
    return xr.Variable(dims, numbers, {**(attrs or {}), **cf}, encoding)


def _unit(name: str) -> str:
    """Return the unit of a dtype of times, as NumPy calls it."""
    match = re.match(r"(?:datetime|timedelta)64\[(s|ms|us|ns)\b", name)
    if match is None and name != CFTIME:
        raise ValueError(f"{name!r} is not a dtype of times")
    return match[1] if match else "us"


def _epoch(fields: Json) -> Any:
    """Return the time of number 0 in a calendar."""
    calendar, year_zero = fields["calendar"], fields["has_year_zero"]
    num2date = import_extra(CFTIME).num2date
    return num2date(0, f"days since {EPOCH}", calendar, has_year_zero=year_zero)
