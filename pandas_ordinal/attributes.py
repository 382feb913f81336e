"""Attributes of results, kept as xarray's own reductions keep them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, TypeVar

import xarray as xr

Result = TypeVar("Result", xr.DataArray, xr.Dataset)


def kept(result: Result, sources: Sequence[xr.DataArray | xr.Dataset]) -> Result:
    """Give a result the attributes of what it is computed from.

    Its coordinates have theirs. It has those that the sources agree on, if xarray keeps attributes
    of reductions: a matter of its option `keep_attrs`, and by default of its version.
    """
    result = result.copy(deep=False)
    of_coords: dict[Hashable, Mapping[Any, Any]] = {}
    for source in reversed(sources):
        of_coords |= {name: dict(c.attrs) for name, c in source.coords.items() if c.attrs}
    for name in result.coords.keys() & of_coords.keys():
        result.coords[name].attrs = dict(of_coords[name])
    result.attrs = _shared(sources) if _keeps_attributes() else {}
    return result


def _keeps_attributes() -> bool:
    """Ask a reduction of xarray."""
    return bool(xr.DataArray(0, attrs={"kept": True}).sum().attrs)


def _shared(sources: Sequence[xr.DataArray | xr.Dataset]) -> dict[Any, Any]:
    holders = [xr.Dataset(attrs=source.attrs) for source in sources]
    return dict(xr.merge(holders, combine_attrs="drop_conflicts").attrs)
