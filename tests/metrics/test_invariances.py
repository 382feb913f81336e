"""The invariances that each metric of counts has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from invariances import OF_COUNTS as TABLE
from oracles.of_matrices import (
    OF_MATRICES,
    call,
    some_edges,
)
from oracles.strategies import QUICK, matrices

from pandas_ordinal.metrics import registry

RELATIONS: dict[str, Callable[[Any], Any]] = {
    "same": lambda value: value,
    "negated": lambda value: -value,
    "complement": lambda value: 1 - value,
    "undefined": lambda value: np.full_like(value, np.nan),
}


def test_every_metric_states_its_invariances() -> None:
    """A new metric needs an entry."""
    assert {states.of or key for key, states in TABLE.items()} == set(OF_MATRICES)
    assert set(OF_MATRICES) <= TABLE.keys()


def scores(key: str, counts: Any, edges: Any = None) -> Any:
    states = TABLE[key]
    return np.asarray(call(states.of or key, counts, edges, **dict(states.options)), float)


def class_axes(key: str) -> tuple[int, ...]:
    output = registry[TABLE[key].of or key].output
    return tuple(range(-len(output), 0))


def insert_class(counts: np.ndarray, position: int) -> np.ndarray:
    """Declare one more class, which no row has."""
    wider = np.insert(counts, position, 0, axis=-1)
    return np.insert(wider, position, 0, axis=-2)


Change = Callable[[str, np.ndarray], tuple[Any, Any]]


def reversal(key: str, counts: np.ndarray) -> tuple[Any, Any]:
    turned = scores(key, counts[..., ::-1, ::-1], -some_edges(counts.shape[-1])[::-1])
    return scores(key, counts), np.flip(turned, class_axes(key))


def one_reversal(key: str, counts: np.ndarray) -> tuple[Any, Any]:
    return scores(key, counts), scores(key, counts[..., ::-1])


def transposition(key: str, counts: np.ndarray) -> tuple[Any, Any]:
    after = scores(key, counts.swapaxes(-1, -2))
    return scores(key, counts), after.swapaxes(-1, -2) if len(class_axes(key)) == 2 else after


def scale(*factors: float) -> Change:
    """Times each of the factors, as a stack if there are several."""

    def change(key: str, counts: np.ndarray) -> tuple[Any, Any]:
        after = scores(key, np.multiply.outer(factors, counts))
        return np.broadcast_to(scores(key, counts), after.shape), after

    return change


def unused_class(where: Callable[[int], int]) -> Change:
    def change(key: str, counts: np.ndarray) -> tuple[Any, Any]:
        position = where(counts.shape[-1])
        lengths = np.insert(np.diff(some_edges(counts.shape[-1])), position, 3)
        after = scores(key, insert_class(counts, position), np.cumsum([0, *lengths]))
        for axis in class_axes(key):
            after = np.delete(after, position, axis)
        return scores(key, counts), after

    return change


FACTORS = (2, 3, 0.1, 1e-300, 1e-60, 2**60, 1e300)
CHANGES: dict[str, list[Change]] = {
    "reversal": [reversal],
    "one_reversal": [one_reversal],
    "transposition": [transposition],
    "scale": [scale(factor) for factor in FACTORS],
    "unused_end": [unused_class(lambda k: 0), unused_class(lambda k: k)],
    "unused_middle": [unused_class(lambda k: k // 2)],
}


@pytest.mark.parametrize("kind", CHANGES)
@QUICK
@given(
    # with a single class there is no middle, and K - 1 is zero
    counts=matrices(min_classes=2)
)
def test_stated_invariances(kind: str, counts: np.ndarray) -> None:
    changes = CHANGES[kind] if kind != "scale" else [scale(*FACTORS)]
    for key, states in TABLE.items():
        relation = getattr(states, kind)
        for change in changes if relation else ():
            before, after = change(key, counts)
            np.testing.assert_allclose(
                after,
                RELATIONS[relation](before),
                rtol=1e-11,
                atol=1e-11,
                equal_nan=True,
                err_msg=key,
            )


SIZES = [(4, 300), (3, 50), (2, 50)]  # most metrics show it with 4 classes, `seeps` has none


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        (key, kind)
        for key, states in TABLE.items()
        for kind in CHANGES
        if not getattr(states, kind)
    ],
)
def test_nothing_is_left_unstated(key: str, kind: str) -> None:
    """Where the table has no rule, some matrix breaks every relation."""
    rng = np.random.default_rng(0)
    cubes = [rng.integers(0, 4, (n, k, k)) * rng.integers(0, 2, (n, k, k)) for k, n in SIZES]
    for change in CHANGES[kind]:
        pairs = [change(key, cube) for cube in cubes]
        for relation, related in RELATIONS.items():
            if (kind, relation) == ("scale", "undefined"):
                continue  # as parts of a row may be
            close = [
                np.isclose(after, related(before), rtol=0, atol=1e-6, equal_nan=True).all()
                for before, after in pairs
            ]
            assert not all(close)
