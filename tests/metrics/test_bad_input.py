"""What is refused, and with which error."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from pandas_ordinal.metrics import registry

COUNT_METRICS = [name for name, metric in registry.items() if metric.needs == "counts"]
COUNTS = [[3, 1, 0], [0, 2, 1], [1, 0, 4]]


def call(name: str, counts: Any, **options: Any) -> Any:
    required = {"costs": np.zeros((3, 3)), "beta2": 0.1}
    given = {option: required[option] for option in registry[name].required}
    return registry[name].kernel(counts, **given | options)


def in_a_stack(bad: float) -> np.ndarray:
    """One bad cell among many good ones."""
    cube = np.tile(np.array(COUNTS, float), (2, 5, 1, 1))
    cube[1, 3, 2, 0] = bad
    return cube


BAD_COUNTS = {
    "negative": [[1, 0, 0], [0, -1, 0], [0, 0, 2]],
    "negative float": [[1, 0, 0], [0, -1e-9, 0], [0, 0, 2]],
    "NaN": [[1, 0, 0], [0, math.nan, 0], [0, 0, 2]],
    "infinite": [[1, 0, 0], [0, math.inf, 0], [0, 0, 2]],
    "negative in a stack": in_a_stack(-2),
    "NaN in a stack": in_a_stack(math.nan),
    "infinite in a stack": in_a_stack(math.inf),
    "minus infinity in a stack": in_a_stack(-math.inf),
    "not square": np.ones((2, 3)),
    "a stack of matrices that are not square": np.ones((4, 3, 2)),
    "a vector": [1, 2, 3],
    "a number": 3,
    "nothing": [],
    "no classes": np.ones((0, 0)),
    "a stack without classes": np.ones((4, 0, 0)),
    "text": [["a", "b", "c"]] * 3,
    "numbers as text": [["1", "2", "3"]] * 3,
    "objects": [[None, 1, 2], [1, 2, 3], [1, 2, 3]],
    "dates": np.full((3, 3), np.datetime64("2026-01-01")),
    "lines of unequal length": [[1, 2, 3], [4, 5], [6]],
}


@pytest.mark.parametrize("name", COUNT_METRICS)
@pytest.mark.parametrize("kind", BAD_COUNTS)
def test_bad_counts(name: str, kind: str) -> None:
    with pytest.raises(ValueError):
        call(name, BAD_COUNTS[kind])


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("accuracy_within", {"k": -1}),
        ("kendall_tau", {"variant": "a"}),
        ("kendall_tau", {"variant": ""}),
        ("kappa", {"weights": "cubic"}),
        ("kappa", {"weights": "Quadratic"}),
        ("kappa", {"weights": np.eye(2)}),
        ("kappa", {"weights": np.eye(4)}),
        ("kappa", {"weights": np.ones(3)}),
        ("kappa", {"weights": np.ones((3, 4))}),
        ("expected_cost", {"costs": np.ones((2, 2))}),
        ("expected_cost", {"costs": np.ones((4, 4))}),
        ("expected_cost", {"costs": np.ones(3)}),
        ("expected_cost", {"costs": 1.0}),
        *[
            (name, options)
            for name in ("oci", "oci_path")
            for options in [
                {"gamma": 0.5},
                {"gamma": 0},
                {"gamma": -1},
                {"gamma": math.nan},
                {"gamma": math.inf, "scaled": False},
            ]
        ],
        *[("uoc", {"beta": beta}) for beta in (-0.1, 1.1, math.nan, "low")],
        *[
            ("oci_general", {option: value})
            for option in ("beta1", "beta2")
            for value in (-0.1, math.inf, math.nan, "low", True)
        ],
        ("oci_general", {"gamma": 0.5}),
        ("oci_general", {"gamma": math.inf, "scaled": False}),
        *[
            (name, {"class_sizes": sizes})
            for name in ("total_cost", "max_total_cost", "stc", "cost_matrix")
            for sizes in ([4, 3], [4, 3, 5, 1], [[4], [3], [5]], 4, [0, 3, 5], [4, 3, 0])
        ],
    ],
    ids=str,
)
@pytest.mark.parametrize("leading", [(), (2,)])
def test_bad_options(name: str, options: dict[str, Any], leading: tuple[int, ...]) -> None:
    """In `COUNTS` every class has true rows, so that no class size may be 0."""
    with pytest.raises(ValueError):
        call(name, np.broadcast_to(COUNTS, (*leading, 3, 3)), **options)


@pytest.mark.parametrize("name", ["total_cost", "max_total_cost", "stc", "cost_matrix"])
@pytest.mark.parametrize("position", range(3))
def test_class_size_zero_names_the_class(name: str, position: int) -> None:
    """The class is the first one that has true rows but no size."""
    sizes = np.array([4, 3, 5])
    sizes[position] = 0
    with pytest.raises(ValueError, match=f"class {position}"):
        call(name, COUNTS, class_sizes=sizes)


@pytest.mark.parametrize("name", ["total_cost", "max_total_cost", "stc", "cost_matrix"])
def test_class_size_zero_is_fine_without_true_rows(name: str) -> None:
    counts = [[3, 1, 0], [0, 2, 0], [0, 0, 0]]
    value = call(name, counts, class_sizes=[4, 2, 0])
    assert np.shape(value) == ((3, 3) if name == "cost_matrix" else ())


def test_costs_have_no_default() -> None:
    for name in ("expected_cost", "oci_general"):
        with pytest.raises(TypeError):
            registry[name].kernel(COUNTS)


@pytest.mark.parametrize("name", COUNT_METRICS)
def test_unknown_option(name: str) -> None:
    with pytest.raises(TypeError):
        call(name, COUNTS, nonsense=1)
