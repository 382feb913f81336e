"""Every registered metric of scores and of class probabilities, called in each of its ways."""

from __future__ import annotations

from typing import Any

import numpy as np
from invariances import AREAS

from oracles.samples import Sample, shares
from pandas_ordinal.metrics import registry
from pandas_ordinal.metrics.metric import Metric

TIES: list[dict[str, Any]] = [{}, {"ties": "strict"}]

# The ways to call each metric: a new one needs an entry, and so do its options with named values
NORMALIZED: list[dict[str, Any]] = [{}, {"normalized": True}]
CORRECTED: list[dict[str, Any]] = [{}, {"corrected": True}]
BOTH = [{**one, **other} for one in NORMALIZED for other in CORRECTED]
WAYS: dict[str, list[dict[str, Any]]] = {
    "vus": TIES,
    **dict.fromkeys(AREAS, TIES),
    "rps": NORMALIZED,
    "rps_skill": [{}, {"reference": "given"}],
    "log_loss": [{}],
    "brier": [{}],
    "rps_mcb": BOTH,
    "rps_dsc": BOTH,
    "rps_unc": NORMALIZED,
    "log_loss_mcb": [{}],
    "log_loss_dsc": [{}],
    "log_loss_unc": [{}],
}


def _key(name: str, options: dict[str, Any]) -> str:
    """Such as "vus-strict"; a flag by its own name."""
    return "-".join([name, *(o if value is True else value for o, value in options.items())])


KEYS = {_key(name, way): (name, way) for name, ways in WAYS.items() for way in ways}


def rising_shares(n_classes: int) -> np.ndarray:
    """Probabilities without any symmetry."""
    return shares(np.arange(1, n_classes + 1))


def metric_of(key: str) -> Metric:
    return registry[KEYS[key][0]]


def options(key: str, n_classes: int) -> dict[str, Any]:
    given = dict(KEYS[key][1])
    if given.get("reference") == "given":
        given["reference"] = rising_shares(n_classes)
    return given


# Classes are drawn for rows, so that a row with weight 2 is not two rows
DRAWN = [key for key, (_, way) in KEYS.items() if "corrected" in way]
OF_SCORES = [key for key in KEYS if metric_of(key).needs == "scores"]
OF_PROBABILITIES = [key for key in KEYS if metric_of(key).needs == "probabilities"]


def call(key: str, sample: Sample) -> Any:
    metric, given = metric_of(key), options(key, sample.n_classes)
    arrays = [sample.true, sample.proba]
    if metric.needs == "scores":
        arrays = [sample.true, sample.scores, sample.n_classes]
    if sample.weights is not None:
        given["sample_weight"] = sample.weights
    return metric.kernel(*arrays, **given)


def assert_same(key: str, actual: Any, expected: Any) -> None:
    np.testing.assert_allclose(
        actual, expected, rtol=1e-11, atol=1e-11, equal_nan=True, err_msg=key
    )
