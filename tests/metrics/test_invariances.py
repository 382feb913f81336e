"""The invariances that each metric of counts has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from oracles.of_matrices import (
    OF_MATRICES,
    call,
    some_edges,
)
from oracles.strategies import QUICK, matrices

from pandas_ordinal.metrics import registry

Relation = Literal["same", "negated", "complement", "undefined", None]
RELATIONS: dict[str, Callable[[Any], Any]] = {
    "same": lambda value: value,
    "negated": lambda value: -value,
    "complement": lambda value: 1 - value,
    "undefined": lambda value: np.full_like(value, np.nan),
}


@dataclass(frozen=True)
class States:
    """How a value changes with its counts; None if there is no rule.

    Results with class dimensions are reversed, or cut to the old classes, before they are
    compared.
    """

    reversal: Relation = "same"  # of the class order, in truth and prediction
    one_reversal: Relation = None  # of the class order, in the prediction alone
    transposition: Relation = "same"  # truth and prediction change places
    scale: Relation = "same"  # all counts times the same number
    unused_end: Relation = "same"  # one more class below or above all others
    unused_middle: Relation = None  # one more class between two others
    options: tuple[tuple[str, Any], ...] = ()
    of: str | None = None  # the metric, where it is not the key of the table


def with_options(of: str, states: dict[str, Relation], **options: Any) -> States:
    return States(**states, of=of, options=tuple(options.items()))


# where there are no rows at an end
EXTREMES = States(transposition=None, unused_end="undefined", unused_middle="same")
ORDER_ONLY: dict[str, Relation] = {"one_reversal": "negated", "unused_middle": "same"}
TABLE: dict[str, States] = {
    # errors
    "accuracy": States(unused_middle="same"),
    "error_rate": States(unused_middle="same"),
    "accuracy_within": States(),
    "accuracy_within-0": with_options("accuracy_within", {"unused_middle": "same"}, k=0),
    "mae": States(),
    "mse": States(),
    "rmse": States(),
    "bias": States(reversal="negated", transposition="negated"),
    "expected_cost": States(reversal=None, transposition=None),  # its costs are not symmetric
    "class_recall": States(transposition=None, unused_middle="same"),
    "class_specificity": States(transposition=None, unused_middle="same"),
    "class_precision": States(transposition=None, unused_middle="same"),
    "class_npv": States(transposition=None, unused_middle="same"),
    "class_off_by_one": States(transposition=None),
    "class_mae": States(transposition=None),
    "amae": States(transposition=None),
    "mmae": States(transposition=None),
    "min_mae": States(transposition=None),
    # association
    "pearson": States(one_reversal="negated"),
    "accuracy_pearson": States(),
    "spearman": States(**ORDER_ONLY),
    "kendall_tau": States(**ORDER_ONLY),
    "kendall_tau-c": with_options(
        "kendall_tau", {"one_reversal": "negated", "unused_end": None}, variant="c"
    ),
    "goodman_kruskal_gamma": States(**ORDER_ONLY),
    "somers_d": States(transposition=None, **ORDER_ONLY),
    "ndpm": States(transposition=None, one_reversal="complement", unused_middle="same"),
    "r_int": States(scale=None, unused_middle="same"),
    # index
    "oci": States(unused_end=None),
    "oci-2": with_options("oci", {"scale": None, "unused_end": None}, gamma=2),
    "oci-absolute": with_options("oci", {"scale": None}, beta=0.03, scaled=False),
    # a tie goes up rather than left, so that a reversed path may be another one
    "oci_path": States(reversal=None, transposition=None, unused_end=None),
    "uoc": States(transposition=None),
    "auoc": States(transposition=None),
    "oci_general": States(unused_end=None),
    # cost; the largest cost and the matrix depend on the true class sizes alone
    "total_cost": States(transposition=None),
    "max_total_cost": States(transposition=None, one_reversal="same"),
    "stc": States(transposition=None),
    "cost_matrix": States(transposition=None, one_reversal="same", scale=None),
    # of bins, which are reversed with the classes
    "interval_total_cost": States(transposition=None),
    "max_interval_total_cost": States(transposition=None, one_reversal="same"),
    "interval_stc": States(transposition=None),
    "interval_cost_matrix": States(transposition=None, one_reversal="same", scale=None),
    "interval_lengths": States(one_reversal="same", unused_middle="same"),
    "interval_mae": States(),
    "interval_mae-midpoint": with_options("interval_mae", {}, distance="midpoint"),
    "interval_smae": States(transposition=None, unused_end=None),
    "geometric_mean": States(transposition=None, unused_middle="same"),
    "min_sensitivity": States(transposition=None, unused_middle="same"),
    "balanced_accuracy": States(transposition=None, unused_middle="same"),
    "gmsec": EXTREMES,
    "mean_extreme_sensitivity": EXTREMES,
    # agreement; K - 1 cancels in all weights but the bipolar ones
    "kappa": States(),
    "kappa-identity": with_options("kappa", {"unused_middle": "same"}, weights="identity"),
    "kappa-linear": with_options("kappa", {}, weights="linear"),
    "kappa-ordinal": with_options("kappa", {}, weights="ordinal"),
    "kappa-radical": with_options("kappa", {}, weights="radical"),
    "scott_pi": States(),
    "scott_pi-identity": with_options("scott_pi", {"unused_middle": "same"}, weights="identity"),
    "gwet_ac": States(unused_end=None),
    "gwet_ac-identity": with_options("gwet_ac", {"unused_end": None}, weights="identity"),
    "brennan_prediger": States(unused_end=None),
    "krippendorff_alpha": States(scale=None, unused_middle="same"),
    "krippendorff_alpha-nominal": with_options(
        "krippendorff_alpha", {"scale": None, "unused_middle": "same"}, level="nominal"
    ),
    "krippendorff_alpha-interval": with_options(
        "krippendorff_alpha", {"scale": None}, level="interval"
    ),
    "krippendorff_alpha-linear": with_options(
        "krippendorff_alpha", {"scale": None}, weights="linear"
    ),
    "cem": States(transposition=None, unused_middle="same"),
    # of forecasts of categories; a split that leaves out no true row has no score
    "gerrity": States(transposition=None, unused_end="undefined"),
    "peirce": States(transposition=None, unused_middle="same"),
    "seeps": States(transposition=None, unused_end="undefined"),
    "kappa-bipolar": with_options("kappa", {"unused_end": None}, weights="bipolar"),
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


FACTORS = (2, 3, 0.1, 1e-60, 1e60)
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
