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


# calls that read no query, or look at its values before

CASES = xr.DataArray([[0, 1, 2], [1, 1, 2]], dims=("rater", "case"), name="y")
VARIABLES = xr.Dataset({"y": CASES[0], "a": CASES[1], "b": CASES[1], "w": CASES[0]})
FORECASTS = ["x", "y"]
DRAWS = {"n_draws": 7, "seed": 5}
OF_RATERS = {"classes": [0, 1, 2, 3], "bins": [0, 1, 2, 3, 4], "ignore": 3}
INTO: dict[str, tuple[Callable[..., Any], str, dict[str, Any]]] = {
    "array.agreement": (
        lambda **given: CASES.ordinal.agreement(rater="rater", **given),
        "accessors.array.Query", {**OF_RATERS, "dim": "case", "by": "k"},
    ),
    "array.probabilities": (
        lambda **given: CASES.ordinal.probabilities("rater", **given),
        "accessors.array.Query", OF_RATERS,
    ),
    "dataset.agreement": (
        lambda **given: VARIABLES.ordinal.agreement(["y", "a"], **given),
        "accessors.dataset.Query", {**OF_RATERS, "dim": "case"},
    ),
    "dataset.compare": (
        lambda **given: VARIABLES.ordinal.compare("y", ["a", "b"], **given),
        "accessors.dataset.Query", {**OF_RATERS, "dim": "case", "dropna": True, "atol": 0.5},
    ),
    "series.compare": (
        lambda **given: FRAME["y"].ordinal.compare(**given),
        "accessors.series.Query",
        {
            **OF_RATERS, "sample_weight": FRAME["g"], "dropna": True, "atol": 0.5,
            "score": {"a": 1, "b": 2}, "proba": {"a": 3, "b": 4},
        },
    ),
    "most_likely": (
        lambda **given: CASES.ordinal.most_likely("case", **given),
        "dataarrays.decided.decide", {"atol": 0.5},
    ),
    "median_class": (
        lambda **given: CASES.ordinal.median_class("case", **given),
        "dataarrays.decided.decide", {"atol": 0.5},
    ),
    "least_costly": (
        lambda **given: CASES.ordinal.least_costly(dim="case", **given),
        "dataarrays.decided.decide", {"atol": 0.5, "costs": [[0, 1], [1, 0]]},
    ),
    "calibration": (
        lambda **given: FRAME.ordinal.calibration("y", FORECASTS, **given),
        "accessors.calibration.Calibration", {**DRAWS, "thresholds": True, "cluster": "g"},
    ),
    "reliability_curve": (
        lambda **given: FRAME.ordinal.reliability_curve("y", FORECASTS, **given),
        "accessors.calibration.Reliability", {**DRAWS, "ci": 0.8, "progress": True},
    ),
    "plot_reliability": (
        lambda **given: FRAME.ordinal.plot_reliability("y", FORECASTS, **given),
        "accessors.calibration.Reliability", {**DRAWS, "ci": 0.8},
    ),
    "frame.report_sets": (
        lambda **given: FRAME.ordinal.report_sets("y", low="y", high="yhat", **given),
        "accessors.sets.Uncertainty", {"ci": 0.8, "se": True, "cluster": "g"},
    ),
    "groupby.report_sets": (
        lambda **given: FRAME.groupby("g").ordinal.report_sets("y", low="y", high="yhat", **given),
        "accessors.sets.Uncertainty", {"ci": 0.8, "se": True, "cluster": "g"},
    ),
    "array.to_netcdf": (
        lambda **given: CASES.ordinal.to_netcdf("cube.nc", **given),
        "files.cube.to_netcdf", {"engine": "h5netcdf", "encoding": {"count": {}}},
    ),
    "array.to_zarr": (
        lambda **given: CASES.ordinal.to_zarr("cube", **given),
        "files.cube.to_zarr", {"mode": "w", "zarr_format": 2, "encoding": {"count": {}}},
    ),
    "dataset.to_netcdf": (
        lambda **given: VARIABLES.ordinal.to_netcdf("report.nc", **given),
        "files.cube.report_to_netcdf", {"engine": "h5netcdf"},
    ),
    "dataset.to_zarr": (
        lambda **given: VARIABLES.ordinal.to_zarr("report", **given),
        "files.cube.report_to_zarr", {"mode": "w", "zarr_format": 2},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", INTO)
def test_options_reach_what_they_are_for(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    call, callee, given = INTO[name]
    monkeypatch.setattr(f"pandas_ordinal.{callee}", catch)
    with pytest.raises(Caught) as caught:
        call(**given)
    (found,) = caught.value.args
    assert {option: found.get(option) for option in given} == given
