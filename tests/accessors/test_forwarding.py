"""Each option of a method reaches the query: none is lost on the way from a signature."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

import dask.dataframe as dd
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal.query import Query

FRAME = pd.DataFrame({"g": [0, 0, 1], "y": [0, 1, 2], "yhat": [0, 1, 1]})
ACCESSORS: dict[str, Any] = {
    "frame": FRAME.ordinal,
    "group": FRAME.groupby("g").ordinal,
    "series": FRAME["y"].ordinal,
    "array": xr.DataArray([0, 1, 2], dims="case").ordinal,
    "dataset": FRAME.to_xarray().ordinal,
    "dask": po.ordinal(dd.from_pandas(FRAME, npartitions=1)),
}
REQUIRED = {
    "low": "y", "high": "yhat", "coverage": 0.9, "over": "g", "ratings": "yhat", "edges": [0, 1],
    "rater": "case",
}  # fmt: skip
# Rules for forecasts read no query, and some calls look at their values before
OTHERS = {
    "expected_class", "least_costly", "median_class", "most_likely", "prediction_sets",
    "series.compare", "dataset.compare", "dataset.agreement", "array.cut", "array.probabilities",
    "array.agreement",
}  # fmt: skip
COMPOSED = set(po.metrics.registry) - {"mae", "rps", "vus"}  # as these are
OPTIONS = {field.name for field in fields(Query)}


class Caught(Exception):
    """The options of a query."""


def catch(*_: Any, **options: Any) -> None:
    raise Caught(options)


def methods() -> Iterator[Any]:
    for surface, accessor in ACCESSORS.items():
        for name in dir(accessor):
            call = getattr(accessor, name, None)
            if name.startswith("_") or not inspect.isroutine(call) or name in COMPOSED:
                continue
            if OTHERS & {name, f"{surface}.{name}"}:
                continue
            parameters = inspect.signature(call).parameters
            switches = {one for one in parameters if isinstance(parameters[one].default, bool)}
            given = {one: one in switches or object() for one in OPTIONS & parameters.keys()}
            if len(given) > 1:
                yield pytest.param(call, given, id=f"{surface}.{name}")


@pytest.mark.parametrize(("call", "given"), [*methods()])
def test_options_reach_the_query(
    call: Callable[..., Any], given: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, module in list(sys.modules.items()):
        if name.startswith("pandas_ordinal.") and hasattr(module, "Query"):
            monkeypatch.setattr(module, "Query", catch)
    needed = {
        name: REQUIRED[name] for name in REQUIRED.keys() & inspect.signature(call).parameters
    }
    with pytest.raises(Caught) as caught:
        call(**needed, **given)
    (found,) = caught.value.args
    assert {name: found.get(name) for name in given} == given
