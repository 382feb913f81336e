"""The reference forecast of a metric, whose probabilities may differ between cases."""

from __future__ import annotations

from typing import Any

import xarray as xr

from pandas_ordinal.cube.layout import VECTOR_DIM
from pandas_ordinal.dataarrays.labels import by_class
from pandas_ordinal.dataarrays.query import ArrayQuery, refuse_other_coordinates
from pandas_ordinal.dataarrays.tiles import CLASS_DIM
from pandas_ordinal.metrics.proba_kernel import BY_ROW


def read_reference(
    arrays: ArrayQuery, options: dict[str, Any]
) -> tuple[xr.DataArray | None, dict[str, Any]]:
    """Return the probabilities of a reference for each case, None if they do not differ.

    Those that do not differ remain among the options, in the order of the classes.
    """
    given, true = options.get(BY_ROW), arrays.codes["true"]
    if not isinstance(given, xr.DataArray) or given.dims == (VECTOR_DIM,):
        return None, options
    reference = by_class(BY_ROW, given.rename(BY_ROW), true, arrays.classes.labels)
    if reference.ndim == 1:
        return None, {**options, BY_ROW: reference.to_numpy()}
    refuse_other_coordinates({"true": true, BY_ROW: reference.isel({CLASS_DIM: 0})}, [])
    return reference, options
