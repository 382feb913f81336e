"""How true classes, scores and weights are checked; that every kernel of scores checks them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import xarray as xr

from pandas_ordinal import metrics

NAN = math.nan
OF_SCORES = [name for name, metric in metrics.registry.items() if metric.needs == "scores"]
CALLS = [*OF_SCORES, "vus_summary"]  # the last one is not made by `score_metric`
ROWS: dict[str, Any] = {"true": [0, 1, 2, 0], "score": [1.0, 2, 3, 4], "n_classes": 3}
BAD: dict[str, dict[str, Any]] = {
    "ties": {"ties": "x"},
    "ties in capitals": {"ties": "Half"},
    "no ties": {"ties": None},
    "NaN": {"score": [1, NAN, 2, 3]},
    "text": {"score": list("abcd")},
    "numbers as text": {"score": list("1234")},
    "complex scores": {"score": [1j, 2, 3, 4]},
    "dates": {"score": np.arange(4).astype("datetime64[D]")},
    "objects": {"score": [1, None, 2, 3]},
    "a score": {"score": 1},
    "too high a code": {"true": [0, 1, 3, 0]},
    "too low a code": {"true": [0, 1, -2, 0]},
    "float codes": {"true": [0.0, 1, 2, 0]},
    "NaN among codes": {"true": [0, 1, NAN, 0]},
    "text codes": {"true": list("aabc")},
    "a code": {"true": 1},
    "no classes": {"n_classes": 0},
    "fewer than no classes": {"n_classes": -3},
    "half a class": {"n_classes": 2.5},
    "float of classes": {"n_classes": 3.0},
    "classes as a flag": {"n_classes": True},
    "classes as text": {"n_classes": "3"},
    "one class for three": {"n_classes": 1},
    "fewer scores": {"score": [1, 2, 3]},
    "one score": {"score": [1]},
    "one code": {"true": [1]},
    "stacks that do not fit": {"true": [[0, 1, 2, 0]] * 2, "score": [[1, 2, 3, 4]] * 3},
    "negative weight": {"sample_weight": [1, -1, 1, 1]},
    "NaN weight": {"sample_weight": [1, NAN, 1, 1]},
    "infinite weight": {"sample_weight": [1, math.inf, 1, 1]},
    "weights as text": {"sample_weight": list("1234")},
    "fewer weights": {"sample_weight": [1, 1]},
    "a weight": {"sample_weight": 2},
    "weights that overflow": {"sample_weight": [1e308, 1e308, 1, 1]},
    "codes with named dimensions": {"true": xr.DataArray([0, 1, 2, 0], dims="row")},
    "scores with named dimensions": {"score": xr.DataArray([1.0, 2, 3, 4], dims="row")},
}


def call(name: str, **given: Any) -> Any:
    arrays = [given.pop(key) for key in ("true", "score", "n_classes")]
    return getattr(metrics, name)(*arrays, **given)


@pytest.mark.parametrize("name", CALLS)
def test_good_input(name: str) -> None:
    """The bad input differs from it in one thing."""
    call(name, **ROWS)
    call(name, **ROWS | {"n_classes": np.int64(3)}, sample_weight=[1, 2, 0, 1])


@pytest.mark.parametrize("name", ["vus", "vus_summary"])
@pytest.mark.parametrize("kind", BAD)
def test_bad_input(name: str, kind: str) -> None:
    """Of a kernel that `score_metric` made, and of the one that it did not make."""
    with pytest.raises(ValueError):
        call(name, **ROWS | BAD[kind])


@pytest.mark.parametrize("name", OF_SCORES)
def test_every_kernel_checks_its_rows(name: str) -> None:
    """All are made by `score_metric`, which checks rows before it calls the formula."""
    assert metrics.registry[name].kernel.__code__ is metrics.vus.__code__


@pytest.mark.parametrize("name", CALLS)
def test_messages_name_the_remedy(name: str) -> None:
    for kind, message in {
        "ties": '"half" or "strict"',
        "NaN": "class -1",
        "numbers as text": "astype",
        "too high a code": "0 to 2, or -1",
        "float codes": "codes",
        "half a class": "n_classes=2.5",
        "fewer scores": "last axis",
        "negative weight": "weight 0",
        "NaN weight": "the first is nan",
        "infinite weight": "the first is inf",
        "weights that overflow": "adds up to more than a float holds",
        "codes with named dimensions": "true must be .* give a plain array",
        "scores with named dimensions": "score must be .* give a plain array",
    }.items():
        with pytest.raises(ValueError, match=message):
            call(name, **ROWS | BAD[kind])


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("shape", [(0,), (2, 0), (0, 3)])
def test_bad_options_are_refused_without_rows_too(name: str, shape: tuple[int, ...]) -> None:
    nothing: dict[str, Any] = {"true": np.zeros(shape, int), "score": np.zeros(shape)}
    nothing |= {"n_classes": 3}
    with pytest.raises(ValueError):
        call(name, **nothing, ties="x")
    with pytest.raises(TypeError):
        call(name, **nothing, nonsense=1)


@pytest.mark.parametrize("name", CALLS)
def test_options_that_do_not_exist(name: str) -> None:
    with pytest.raises(TypeError):
        call(name, **ROWS, nonsense=1)
    with pytest.raises(TypeError):
        getattr(metrics, name)(ROWS["true"], ROWS["score"])
