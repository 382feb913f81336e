"""The registry: what is known about each metric, and which one a name refers to."""

from __future__ import annotations

import copy
import dataclasses
import functools
import pickle
from typing import Any

import numpy as np
import pytest
from oracles.of_matrices import METRICS, OF_MATRICES

import pandas_ordinal as po
from pandas_ordinal import errors as messages
from pandas_ordinal.metrics import registry
from pandas_ordinal.metrics.count_kernel import metric
from pandas_ordinal.metrics.metric import SURFACE_PARAMETERS, metric_of_kernel


def test_options() -> None:
    options = {name: [option.name for option in registry[name].options] for name in METRICS}
    assert options["oci"] == ["beta", "gamma", "scaled"]
    assert options["interval_mae"] == ["distance", "unbounded", "class_sizes"]
    assert options["rps"] == ["normalized"]
    assert options["rps_skill"] == ["reference"]
    assert options["krippendorff_alpha"] == ["level", "weights", "values"]
    assert options["mae"] == []
    beta = registry["oci"].options[0]
    assert (beta.default, beta.annotation) == (0.75, "float")


def test_metrics_are_pickled_by_name() -> None:
    assert pickle.loads(pickle.dumps(registry)) is registry
    for name in registry:
        assert pickle.loads(pickle.dumps(registry[name])) is registry[name]
    fair = {name: registry[name].fair for name in ("rps", "rps_skill")}
    assert {name: one.fair for name, one in registry.items() if one.fair} == fair
    for form in fair.values():
        assert pickle.loads(pickle.dumps(form)) is form
        assert copy.deepcopy(registry[name]) is registry[name]


def test_undefined() -> None:
    assert registry["oci_path"].undefined is False
    assert all(np.isnan(registry[name].undefined) for name in METRICS if name != "oci_path")


def test_what_a_surface_takes() -> None:
    assert {name for name in METRICS if not registry[name].of_rows} == set(OF_MATRICES)
    taken = {name: registry[name].takes for name in ("mae", "interval_mae", "vus", "rps")}
    assert taken == {"mae": "pred", "interval_mae": "pred", "vus": "score", "rps": "proba"}


def test_help() -> None:
    title, sections = registry["oci"].help
    assert title.startswith("Ordinal classification index")
    assert list(sections) == ["Parameters", "Returns", "Raises", "Notes", "References", "Examples"]
    assert sections["Parameters"].startswith("counts : array_like")


@pytest.mark.parametrize("option", sorted(SURFACE_PARAMETERS))
def test_options_named_as_those_of_a_surface(option: str) -> None:
    space: dict[str, Any] = {}
    exec(f"def own(counts, *, {option}=1): ...", space)
    before = dict(registry)
    with pytest.raises(
        TypeError, match=f"own has options named like surface parameters: .*{option}"
    ):
        metric(range=(0, 1), greater_is_better=None, reference="own")(space["own"])
    assert dict(registry) == before


# Names and kernels --------------------------------------------------------------------------


class TestResolve:
    @pytest.mark.parametrize("name", METRICS)
    def test_name_and_kernel(self, name: str) -> None:
        for which in (name, getattr(po.metrics, name)):
            assert po.metrics.resolve(which) == (registry[name], {})

    def test_partial(self) -> None:
        metric, options = po.metrics.resolve(functools.partial(po.metrics.oci, beta=0.25))
        assert metric is registry["oci"]
        assert options == {"beta": 0.25}
        twice = functools.partial(functools.partial(po.metrics.oci, beta=0.25), gamma=2)
        assert po.metrics.resolve(twice).options == {"beta": 0.25, "gamma": 2}

    def test_options_are_a_copy(self) -> None:
        which = functools.partial(po.metrics.oci, beta=0.25)
        po.metrics.resolve(which).options.clear()
        assert which.keywords == {"beta": 0.25}

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("ocii", "unknown metric 'ocii'; did you mean 'oci'?"),
            ("MAE", "unknown metric 'MAE'; did you mean 'mae'?"),
            ("", f"unknown metric ''; the metrics are {messages.show(METRICS)}"),
            ("7 + 7", f"unknown metric '7 + 7'; the metrics are {messages.show(METRICS)}"),
        ],
    )
    def test_unknown_names(self, name: str, message: str) -> None:
        with pytest.raises(ValueError) as caught:
            po.metrics.resolve(name)
        assert str(caught.value) == message

    @pytest.mark.parametrize(
        "which",
        [
            max,
            functools.partial(max, key=len),
            functools.partial(po.metrics.oci, np.eye(3)),
            lambda counts: counts.sum(axis=(-1, -2)),
            3,
            None,
        ],
    )
    def test_what_is_not_a_metric(self, which: Any) -> None:
        with pytest.raises(ValueError, match=r"is not a known metric: give a name such as 'oci'"):
            po.metrics.resolve(which)
        assert metric_of_kernel(which) is None


def test_completion_offers_metrics() -> None:
    assert dir(po.metrics) == sorted(po.metrics.__all__)
    assert set(METRICS) <= set(dir(po.metrics))
    assert po.metrics.count_kernel.metric  # modules stay where they are


def test_a_metric_that_is_not_registered_is_pickled_whole() -> None:
    own = dataclasses.replace(registry["mae"], name="own")
    again = copy.copy(own)
    assert again is not own and again == own and again.name == "own"
    assert again.kernel is registry["mae"].kernel
