"""The invariances that each metric of scores and of class probabilities has."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from invariances import OF_ROWS as TABLE
from oracles.of_rows import (
    DRAWN,
    KEYS,
    assert_same,
    call,
    metric_of,
)
from oracles.samples import Sample, random_sample, samples, weights
from oracles.strategies import QUICK

from pandas_ordinal.metrics import registry

RELATIONS: dict[str, Callable[[Any], Any]] = {
    "same": lambda value: value,
    "negated": lambda value: -value,
    "complement": lambda value: 1 - value,
    "undefined": lambda value: np.full_like(value, np.nan),
}


def test_every_metric_of_rows_states_its_invariances() -> None:
    """A new metric needs an entry, and so does each option with named values."""
    named = {name for name, m in registry.items() if m.needs in ("scores", "probabilities")}
    assert {metric_of(key).name for key in KEYS} == named
    assert named <= KEYS.keys()
    assert TABLE.keys() == KEYS.keys()
    for name in named:
        stated = {option for key in KEYS if metric_of(key).name == name for option in KEYS[key][1]}
        parameters = inspect.signature(registry[name].kernel).parameters.values()
        optional = {p.name for p in parameters if p.default is not p.empty}
        assert stated == optional - {"sample_weight"}


def insert_class(sample: Sample, position: int) -> Sample:
    """Declare one more class, which no row has and none is predicted to have."""
    return replace(
        sample,
        true=sample.true + (sample.true >= position),
        proba=np.insert(sample.proba, position, 0, axis=-1),
    )


Change = Callable[[str, Sample], tuple[Any, Any]]


def negated(sample: Sample) -> Sample:
    return replace(sample, scores=-sample.scores, proba=sample.proba[..., ::-1])


def reversal(key: str, sample: Sample) -> tuple[Any, Any]:
    """Pair (k, l) becomes (K - 1 - l, K - 1 - k); the split after k that after K - 2 - k."""
    after = call(key, negated(replace(sample, true=sample.n_classes - 1 - sample.true)))
    output = metric_of(key).output
    if output == ("class",):
        after = np.roll(np.flip(after, axis=-1), -1, axis=-1)
    elif output == ("true", "pred"):
        after = np.flip(after, axis=(-2, -1)).swapaxes(-2, -1)
    return call(key, sample), after


def one_reversal(key: str, sample: Sample) -> tuple[Any, Any]:
    return call(key, sample), call(key, negated(sample))


def permutation(key: str, sample: Sample) -> tuple[Any, Any]:
    """The last class becomes the first one."""
    moved = np.roll(sample.proba, 1, axis=-1)
    true = (sample.true + 1) % sample.n_classes
    return call(key, sample), call(key, replace(sample, true=true, proba=moved))


def scale(factor: float) -> Change:
    def change(key: str, sample: Sample) -> tuple[Any, Any]:
        ours = np.ones(sample.true.shape) if sample.weights is None else sample.weights
        return call(key, sample.weighted(ours)), call(key, sample.weighted(ours * factor))

    return change


def unused_class(where: Callable[[int], int]) -> Change:
    def change(key: str, sample: Sample) -> tuple[Any, Any]:
        position = where(sample.n_classes)
        after = call(key, insert_class(sample, position))
        for axis in range(-len(metric_of(key).output), 0):
            after = np.delete(after, position, axis)
        return call(key, sample), after

    return change


CHANGES: dict[str, list[Change]] = {
    "reversal": [reversal],
    "one_reversal": [one_reversal],
    "permutation": [permutation],
    "scale": [scale(factor) for factor in (2, 3, 1.5)],
    "unused_end": [unused_class(lambda k: 0), unused_class(lambda k: k)],
    "unused_middle": [unused_class(lambda k: k // 2)],
}


@st.composite
def weighed(draw: st.DrawFn, min_classes: int = 1) -> Sample:
    """Rows, with whole weights or without."""
    sample = draw(samples(min_classes))
    return sample.weighted(draw(weights(len(sample.true)))) if draw(st.booleans()) else sample


@pytest.mark.parametrize("kind", CHANGES)
@QUICK
@given(
    # with a single class there is no middle, and K - 1 is zero
    sample=weighed(min_classes=2)
)
def test_stated_invariances(kind: str, sample: Sample) -> None:
    for key, states in TABLE.items():
        relation = getattr(states, kind)
        for change in CHANGES[kind] if relation else ():
            before, after = change(key, sample)
            assert_same(key, after, RELATIONS[relation](before))


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
    """Where the table has no rule, some rows break every relation."""
    sample = random_sample(0, 3, 100, 9)
    for change in CHANGES[kind]:
        before, after = change(key, sample)
        for relation in RELATIONS.values():
            close = np.isclose(after, relation(before), rtol=0, atol=1e-6, equal_nan=True)
            assert not close.all()


@pytest.mark.parametrize("key", [key for key, states in TABLE.items() if states.scale])
@pytest.mark.parametrize("factor", [1e-60, 0.1, 1e60])
def test_weights_of_any_size(key: str, factor: float) -> None:
    for k in (2, 4):
        before, after = scale(factor)(key, random_sample(k, k, 20, 12))
        assert_same(key, after, before)


# Rows and their weights ---------------------------------------------------------------------


@QUICK
@given(sample=weighed(), data=st.data())
def test_order_of_rows_does_not_matter(sample: Sample, data: st.DataObject) -> None:
    order = np.array(data.draw(st.permutations(range(len(sample.true)))), int)
    for key in KEYS:
        assert_same(key, call(key, sample.take(order)), call(key, sample))


@QUICK
@given(sample=samples(), data=st.data())
def test_weights_are_repetitions(sample: Sample, data: st.DataObject) -> None:
    times = data.draw(weights(len(sample.true)))
    repeated = sample.take(np.repeat(np.arange(len(times)), times))
    for key in KEYS.keys() - DRAWN:
        expected = call(key, repeated)
        for given_as in (int, float, np.uint8):
            assert_same(key, call(key, sample.weighted(times.astype(given_as))), expected)


@pytest.mark.parametrize("key", KEYS)
def test_weights_may_be_flags(key: str) -> None:
    sample = random_sample(4, 3, 14)
    keep = np.arange(14) % 5 != 2
    assert_same(key, call(key, sample.weighted(keep)), call(key, sample.take(keep)))


@QUICK
@given(sample=samples(), data=st.data())
def test_rows_that_do_not_count_are_not_there(sample: Sample, data: st.DataObject) -> None:
    """Even where their score or their probabilities are missing, and whatever their weight."""
    n_rows, more = len(sample.true), data.draw(st.integers(1, 4))
    source = sample if n_rows else random_sample(0, sample.n_classes, 1)
    longer = source.take(np.r_[np.arange(n_rows), np.zeros(more, int)])
    added = np.arange(n_rows, n_rows + more)
    nothing = data.draw(st.sampled_from([np.nan, 1e9, np.inf]))
    longer.true[added] = -1
    longer.scores[added] = nothing
    longer.proba[added] = nothing
    order = np.array(data.draw(st.permutations(range(n_rows + more))), int)
    times = data.draw(weights(n_rows + more))
    for key in KEYS:
        assert_same(key, call(key, longer.take(order)), call(key, sample))
        assert_same(
            key,
            call(key, longer.weighted(times).take(order)),
            call(key, sample.weighted(times[:n_rows])),
        )


@pytest.mark.parametrize("key", KEYS)
def test_only_rows_that_do_not_count(key: str) -> None:
    sample = replace(random_sample(0, 3, 4), true=np.full(4, -1))
    assert np.isnan(call(key, sample)).all()
    assert np.isnan(call(key, random_sample(0, 3, 4).weighted(np.zeros(4)))).all()
