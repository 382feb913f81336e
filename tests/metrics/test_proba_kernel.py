"""How true classes, probabilities and weights are checked; that every kernel checks them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import xarray as xr

from pandas_ordinal import metrics

NAN = math.nan
KERNELS = [name for name, m in metrics.registry.items() if m.needs == "probabilities"]
OF_ROWS = ["expected_class", "most_likely", "median_class"]
BAD_ROWS: dict[str, Any] = {
    "more than one": [0.5, 0.3, 0.2 + 2e-6],
    "less than one": [0.5, 0.3, 0.2 - 2e-6],
    "percent": [50, 30, 20],
    "nothing": [0, 0, 0],
    "negative": [0.5, 0.6, -0.1],
    "a little too negative": [0.5, 0.5 + 2e-6, -2e-6],
    "NaN": [0.5, NAN, 0.5],
    "infinite": [0.5, math.inf, 0.5],
    "opposite infinities": [math.inf, -math.inf, 1],
    "text": list("abc"),
    "numbers as text": ["0.5", "0.3", "0.2"],
    "complex": [0.5, 0.5j, 0.5],
    "objects": [0.5, None, 0.5],
}


@pytest.mark.parametrize("kind", BAD_ROWS)
@pytest.mark.parametrize("name", ["rps", "most_likely"])
def test_bad_probabilities(name: str, kind: str) -> None:
    """Of one kernel that `probability_metric` made, and of one of the functions of rows."""
    kernel = getattr(metrics, name)
    with pytest.raises(ValueError):
        if name in OF_ROWS:
            kernel(BAD_ROWS[kind])
        else:
            kernel([0], [BAD_ROWS[kind]])
    if kind in ("text", "numbers as text", "objects"):
        return
    stack = np.tile(np.array([0.2, 0.3, 0.5], complex if kind == "complex" else float), (4, 5, 1))
    stack[2, 3] = BAD_ROWS[kind]
    with pytest.raises(ValueError):
        kernel(stack) if name in OF_ROWS else kernel(np.zeros((4, 5), int), stack)


@pytest.mark.parametrize("name", KERNELS)
def test_every_kernel_checks_its_rows(name: str) -> None:
    """Each was made by `probability_metric`, which checks them before the formula is called."""
    assert metrics.registry[name].kernel.__code__ is metrics.rps.__code__


@pytest.mark.parametrize("name", OF_ROWS)
def test_every_function_of_rows_checks_them(name: str) -> None:
    for bad, message in (([0.5, 0.6], "sums to 1.1;"), (["a", "b"], "must be an array")):
        with pytest.raises(ValueError, match=message):
            getattr(metrics, name)(bad)


@pytest.mark.parametrize("off", [0, 5e-7, -5e-7])
@pytest.mark.parametrize("name", KERNELS + OF_ROWS)
def test_sums_that_are_close_to_one(name: str, off: float) -> None:
    row = [0.6, 0.2, 0.2 + off]
    kernel = getattr(metrics, name)
    rows = row if name in OF_ROWS else [row, row]
    exactly = np.round(rows, 1)
    value = kernel(rows) if name in OF_ROWS else kernel([1, 0], rows)
    exact = kernel(exactly) if name in OF_ROWS else kernel([1, 0], exactly)
    assert value == pytest.approx(exact, abs=1.1e-6)


@pytest.mark.parametrize("name", KERNELS)
def test_float32_probabilities_are_close_enough(name: str) -> None:
    proba = np.random.default_rng(0).dirichlet(np.ones(7), 500)
    true = np.arange(500) % 7
    kernel = getattr(metrics, name)
    assert kernel(true, proba.astype(np.float32)) == pytest.approx(kernel(true, proba), rel=1e-5)


@pytest.mark.parametrize("name", KERNELS)
def test_message_names_the_row_and_the_remedy(name: str) -> None:
    proba = [[0.2, 0.8], [0.5, 0.6], [0.4, 0.6], [0.3, 0.3]]
    with pytest.raises(ValueError, match="2 rows.*row 1.*1.1.*divide each row by its sum"):
        getattr(metrics, name)([0, 1, 0, 1], proba)


@pytest.mark.parametrize("name", KERNELS)
def test_message_counts_the_rows_that_do_not_count_too(name: str) -> None:
    proba = [[NAN, NAN], [0.2, 0.8], [5, 5], [0.5, 0.7], [0.4, 0.6]]
    with pytest.raises(ValueError, match="1 row .*row 3, "):
        getattr(metrics, name)([-1, 0, -1, 1, 0], proba)


GOOD = {"true": [0, 2, 1], "proba": np.eye(3)}
BAD: dict[str, dict[str, Any]] = {
    "too high a code": {"true": [0, 3, 1]},
    "too low a code": {"true": [0, -2, 1]},
    "float codes": {"true": [0.0, 2, 1]},
    "text codes": {"true": list("acb")},
    "a code": {"true": 0},
    "fewer codes": {"true": [0, 1]},
    "one code": {"true": [0]},
    "fewer rows": {"proba": np.eye(3)[:2]},
    "one row": {"proba": np.eye(3)[:1]},
    "a single row": {"proba": [0.2, 0.3, 0.5]},
    "a number": {"proba": 1.0},
    "no columns": {"proba": np.empty((3, 0))},
    "stacks that do not fit": {"true": [[0, 2, 1]] * 2, "proba": [np.eye(3)] * 4},
    "negative weight": {"sample_weight": [1, -1, 1]},
    "NaN weight": {"sample_weight": [1, NAN, 1]},
    "infinite weight": {"sample_weight": [1, math.inf, 1]},
    "weights as text": {"sample_weight": list("123")},
    "fewer weights": {"sample_weight": [1, 1]},
    "a weight": {"sample_weight": 2},
    "named dimensions": {"proba": xr.DataArray(np.eye(3), dims=("row", "class"))},
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_input(kind: str) -> None:
    given = GOOD | BAD[kind]
    arrays = [given.pop(key) for key in ("true", "proba")]
    metrics.rps(*GOOD.values())
    with pytest.raises(ValueError):
        metrics.rps(*arrays, **given)


@pytest.mark.parametrize("name", KERNELS)
def test_options_that_do_not_exist(name: str) -> None:
    for arrays in (GOOD.values(), ([], np.empty((0, 3)))):
        with pytest.raises(TypeError):
            getattr(metrics, name)(*arrays, nonsense=1)
        with pytest.raises(TypeError):
            getattr(metrics, name)(*arrays, None, 3)
