"""How the labels of two arrays along a dimension differ, and the code that makes them equal.

Code refers to the arrays as `true` and by the name of the option that has the other one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.counting.arrays import Array, Floats, Positions
from pandas_ordinal.cube.layout import CLASS_DIMS, refuse_same_names
from pandas_ordinal.errors import brief, did_you_mean, show

# the same longitudes in another range: 0 to 360, or -180 to 180 without one of both ends
LONGITUDES: dict[str, Callable[[Floats], Floats]] = {
    "{} % 360": lambda x: x % 360,
    "({} + 180) % 360 - 180": lambda x: (x + 180) % 360 - 180,
    "180 - (180 - {}) % 360": lambda x: 180 - (180 - x) % 360,
}


def difference(name: str, dim: Hashable, other: pd.Index[Any], true: pd.Index[Any]) -> str:
    """Describe how labels differ from the true ones, with the code that makes them equal."""
    name = name if name.isidentifier() else "key"
    if not (other.is_unique and true.is_unique):
        repeated = (true if other.is_unique else other).duplicated()
        label = (true if other.is_unique else other)[repeated][0]
        return f"{label!r} occurs twice. {_if_the_same(name, dim, other, true)}"
    calendars = _calendar(other), _calendar(true)
    if all(calendars) and (len(set(calendars)) > 1 or _type(other) != _type(true)):
        return _of_calendars(name, dim, other, true)
    if {other.dtype.kind, true.dtype.kind} <= set("iuf") and not (other.hasnans or true.hasnans):
        return _of_numbers(name, dim, other, true) or _of_labels(name, dim, other, true)
    return _of_labels(name, dim, other, true)


def _of_numbers(name: str, dim: Hashable, other: pd.Index[Any], true: pd.Index[Any]) -> str:
    """Describe rounded numbers and longitudes in another range; empty for other differences."""
    if true.isin(other).all() or other.isin(true).all():
        return ""
    own, values = other.to_numpy(float), true.to_numpy(float)
    within = _rounding(own, values)
    if len(own) == len(values) and (np.abs(own - values) <= within).all():
        return (
            f"they differ by up to {np.abs(own - values).max():.1g}, as rounded numbers do. Give "
            f"{name}.assign_coords({{{dim!r}: true[{dim!r}]}})"
        )
    for source, reference, of_source, wanted in (
        (name, "true", other, values),
        ("true", name, true, own),
    ):
        place = _place(of_source.to_numpy(float), wanted, within)
        if place is not None:
            ordered = "" if _is_monotonic(of_source) else f".sortby({dim!r})"
            labels = place.format(f"{reference}[{dim!r}].values")
            kind = "rounded numbers" if place == "{}" else "longitudes in another range"
            return (
                f"they are {kind}, {_range(other)} and not {_range(true)}. Give {source}{ordered}"
                f".sel({{{dim!r}: {labels}}}, method='nearest', tolerance={within:g})"
                f".assign_coords({{{dim!r}: {reference}[{dim!r}]}})"
            )
    return ""


def _place(own: Floats, wanted: Floats, within: float) -> str | None:
    """Return the formula for labels that are near those that are wanted; None if there is none."""
    forms: dict[str, Callable[[Floats], Floats]] = {"{}": lambda x: x}
    if min(own.min(), wanted.min()) >= -180 and max(own.max(), wanted.max()) <= 360:
        forms |= LONGITUDES
    for form, function in forms.items():
        nearest = pd.Index(np.sort(own)).get_indexer(
            pd.Index(function(wanted)), method="nearest", tolerance=within
        )
        if (nearest >= 0).all() and len(set(nearest)) == len(nearest):
            return form
    return None


def _rounding(own: Floats, values: Floats) -> float:
    """Return the largest difference that is due to rounding: a hundredth of the shortest step."""
    steps: Array = np.concatenate([np.diff(np.sort(own)), np.diff(np.sort(values))])
    largest = float(np.abs(values).max(initial=1.0))
    return float(f"{steps.min() / 100 if len(steps) else largest * 1e-6:.1g}")


def _is_monotonic(index: pd.Index[Any]) -> bool:
    return index.is_monotonic_increasing or index.is_monotonic_decreasing


def _of_calendars(name: str, dim: Hashable, other: pd.Index[Any], true: pd.Index[Any]) -> str:
    """Describe dates of another calendar."""
    described = (
        f"they are dates of the calendar {_calendar(other)!r} ({_type(other)}), not of "
        f"{_calendar(true)!r} ({_type(true)}). "
    )
    conversions = []
    for source, index, target in ((name, other, true), ("true", true, other)):
        options: dict[str, Any] = {
            "dim": dim,
            "use_cftime": isinstance(target, xr.CFTimeIndex),
        }
        if "360_day" in (_calendar(index), _calendar(target)):
            options["align_on"] = "date"
        converted = _converted(index, _calendar(target), options)
        if converted is None:
            continue
        given = ", ".join(f"{option}={value!r}" for option, value in options.items())
        conversions.append((source, converted, target, f"{_calendar(target)!r}, {given}"))
    for source, converted, target, options_given in conversions:
        if converted.equals(target):
            return f"{described}Give {source}.convert_calendar({options_given})"
    for source, converted, target, options_given in conversions:
        if converted.isin(target).any():
            return (
                f"{described}Convert them, with {source} = {source}.convert_calendar("
                f"{options_given}); the next error describes what remains"
            )
    return described + _if_the_same(name, dim, other, true)


def _converted(index: pd.Index[Any], calendar: Any, options: dict[str, Any]) -> Any:
    """Return the labels that `convert_calendar` gives; None if it cannot."""
    dim = options["dim"]
    try:
        return xr.Dataset(coords={dim: index}).convert_calendar(calendar, **options).indexes[dim]
    except ValueError:
        return None


def _calendar(index: pd.Index[Any]) -> str:
    """Return the calendar of dates; empty for other labels."""
    if isinstance(index, xr.CFTimeIndex):
        return str(index.calendar)
    is_plain = isinstance(index, pd.DatetimeIndex) and index.tz is None
    return "standard" if is_plain else ""


def _type(index: pd.Index[Any]) -> str:
    return "cftime" if isinstance(index, xr.CFTimeIndex) else "datetime64"


def _of_labels(name: str, dim: Hashable, other: pd.Index[Any], true: pd.Index[Any]) -> str:
    """Describe labels in another order, more labels, fewer or others."""
    of_true, of_other = _positions(true, other), _positions(other, true)
    n_common = int((of_true >= 0).sum())
    if n_common == len(true) == len(other):
        if (np.diff(of_true) == 1).all():
            return (
                f"they are {other.dtype}, not {true.dtype}. Give "
                f"{name}.assign_coords({{{dim!r}: true[{dim!r}]}})"
            )
        return f"they are in another order. Give {_selected(name, 'true', dim, other)}"
    if n_common == len(true):
        more = other[of_other < 0]
        line = _selected(name, "true", dim, other)
        return f"{show(more)} {_verb(more)} not among the true labels. Give {line}"
    if n_common == len(other):
        fewer = true[of_true < 0]
        return f"they lack {show(fewer)}. Give {_selected('true', name, dim, other)}"
    if n_common:
        index = f"true.indexes[{dim!r}].isin({name}.indexes[{dim!r}])"
        return (
            f"{n_common} of {len(true)} true labels are among them. To score these alone, give "
            f"true = true.isel({{{dim!r}: {index}}}) and then "
            f"{name} = {_selected(name, 'true', dim, other)}"
        )
    return (
        f"none of them is a true label: they are {_range(other)}, not {_range(true)}. "
        f"{_if_the_same(name, dim, other, true)}"
    )


def _positions(labels: pd.Index[Any], among: pd.Index[Any]) -> Positions:
    """Return the positions of labels, -1 for none; pandas cannot do so for all kinds of labels."""
    places = {label: place for place, label in enumerate(among)}
    return np.array([places.get(label, -1) for label in labels], np.intp)


def _selected(source: str, reference: str, dim: Hashable, index: pd.Index[Any]) -> str:
    """Write code that selects the labels of another array."""
    if isinstance(index, pd.MultiIndex):
        labels = f"{source}.indexes[{dim!r}].get_indexer({reference}.indexes[{dim!r}])"
        return f"{source}.isel({{{dim!r}: {labels}}})"
    return f"{source}.sel({{{dim!r}: {reference}[{dim!r}]}})"


def _verb(labels: pd.Index[Any]) -> str:
    return "is" if len(labels) == 1 else "are"


def _range(index: pd.Index[Any]) -> str:
    """Return the first and the last label."""
    return f"{index[0]} to {index[-1]}" if len(index) else "none"


def _if_the_same(name: str, dim: Hashable, other: pd.Index[Any], true: pd.Index[Any]) -> str:
    """Return how to drop labels, if cases correspond by position."""
    if len(other) != len(true):
        return f"There are {len(other)} cases, but {len(true)} true labels: select the same cases"
    levels = other.names if isinstance(other, pd.MultiIndex) else []
    names = [dim, *levels] if levels else dim
    return f"If the cases are the same, in the same order, give {name}.drop_vars({names!r})"


def refuse_other_coordinates(arrays: dict[str, xr.DataArray], dims: Sequence[Hashable]) -> None:
    """Raise unless the arrays have the dimensions to count over, and agree on what they share."""
    true = arrays["true"]
    kept = {d: None for array in arrays.values() for d in array.dims if d not in dims}
    refuse_same_names([*kept, *dims, *CLASS_DIMS])
    for name, array in arrays.items():
        missing = [d for d in dims if d not in array.dims and name != "sample_weight"]
        if missing:
            having = [other for other, one in arrays.items() if missing[0] in one.dims]
            meant = did_you_mean(missing[0], [d for d in true.dims if d != missing[0]])
            remedy = f", or give {name}.broadcast_like({having[0]})" if having else ""
            own = ", ".join(map(repr, array.dims)) or "a single value"
            raise ValueError(
                f"{name} has no dimension {brief(missing[0])} to count over, only {own}{meant}: "
                f"name others with dim={remedy}"
            )
        for d in array.dims:
            both = d in true.indexes and d in array.indexes
            if d in true.dims and not both and true.sizes[d] != array.sizes[d]:
                raise ValueError(
                    f"{name} has {array.sizes[d]} cases along {d!r}, the true labels have "
                    f"{true.sizes[d]}: select the same cases in both"
                )
            if both and not true.indexes[d].equals(array.indexes[d]):
                raise ValueError(
                    f"the coordinates of {name} along {d!r} are not those of the true labels, "
                    "and cases are never aligned silently: "
                    f"{difference(name, d, array.indexes[d], true.indexes[d])}"
                )
