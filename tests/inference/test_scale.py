"""Intervals on a scale without bounds, value by value, and how two of them are joined."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.testing as npt
import pytest
from scipy.special import expit, logit
from scipy.stats import t as student

from pandas_ordinal.inference.scale import Interval, hull, quantile, to_interval

INF = float("inf")
NAN = float("nan")


def on_logits(value: float, se: float, t: float, low: float, high: float) -> list[float]:
    """The bounds of a value between two limits, whose share of the way has a logit."""
    span = high - low
    share = (value - low) / span
    half = t * (se / span) / (share * (1 - share))
    return [low + span * float(expit(logit(share) + side * half)) for side in (-1, 1)]


# value, standard error, lower limit, upper limit, and the bounds two standard errors away
CASES: list[tuple[float, float, float, float, list[float]]] = [
    (0.2, 0.05, 0, 1, on_logits(0.2, 0.05, 2, 0, 1)),
    (0.5, 0.3, -1, 1, on_logits(0.5, 0.3, 2, -1, 1)),
    (3, 0.6, 0, INF, [3 * np.exp(-0.4), 3 * np.exp(0.4)]),
    (5, 0.6, 2, INF, [2 + 3 * np.exp(-0.4), 2 + 3 * np.exp(0.4)]),
    (-1, 0.6, -INF, 2, [2 - 3 * np.exp(0.4), 2 - 3 * np.exp(-0.4)]),
    (7, 0.5, -INF, INF, [6, 8]),
    # on a limit, where the interval is cut off
    (0, 0.1, 0, 1, [0, 0.2]),
    (1, 0.1, 0, 1, [0.8, 1]),
    (1 - 1e-13, 0.1, 0, 1, [0.8, 1]),
    (0, 0.1, 0, INF, [0, 0.2]),
    (2, 0.1, -INF, 2, [1.8, 2]),
    # outside the limits, where nothing changes
    (1.3, 0.1, 0, 1, [1.1, 1.5]),
    (-0.2, 0.05, 0, 1, [-0.3, -0.1]),
    (-0.2, 0.05, 0, INF, [-0.3, -0.1]),
    (2.5, 0.1, -INF, 2, [2.3, 2.7]),
    # a standard error that rounding makes
    (0.5, 1e-12, 0, 1, [0.5, 0.5]),
    (2e-12, 1e-12, 0, 1, [2e-12, 2e-12]),
]


def test_bounds_are_found_on_the_scale_of_each_value() -> None:
    value, se, low, high = (np.array(one, float) for one in list(zip(*CASES, strict=True))[:4])
    with np.errstate(all="ignore"):
        found = to_interval(value, se, np.full(len(value), 2.0), (low, high))
    npt.assert_allclose(np.transpose(found), [case[4] for case in CASES], rtol=1e-12, atol=1e-16)


@pytest.mark.parametrize("case", CASES)
def test_bounds_of_a_single_value(case: tuple[float, float, float, float, list[float]]) -> None:
    value, se, low, high, due = case
    found = to_interval(np.array([value]), np.array([se]), np.array([2.0]), (low, high))
    npt.assert_allclose(np.ravel(found), due, rtol=1e-12, atol=1e-16)


def test_a_standard_error_beyond_rounding_counts() -> None:
    low, high = to_interval(np.array([0.5]), np.array([1.5e-12]), np.array([2.0]), (0, 1))
    assert low < 0.5 < high


def test_quantiles_of_each_level_and_degrees_of_freedom() -> None:
    df = np.array([[1.0, 5, 5], [0.99, NAN, 1e9]])
    found = quantile(df, 0.9)
    npt.assert_allclose(found, np.where(df >= 1, student.ppf(0.95, df), NAN), rtol=1e-9)
    levels = np.array([[0.5], [0.8]])
    due = student.ppf((1 + levels) / 2, [3.0, 4])
    npt.assert_allclose(quantile(np.array([3.0, 4]), levels), due, rtol=1e-9)


def joined(
    plain: tuple[float, float, float],
    smoothed: tuple[float, float, float],
    estimate: float = 0.5,
    **asked: bool,
) -> list[float]:
    """The bounds and the standard error of an interval that holds both, between 0 and 1."""
    one, other = (Interval(*(np.array([part]) for part in ends)) for ends in (plain, smoothed))
    flags = {"survives_loss": True, "several_classes": True, "undefined": False, **asked}
    arrays: dict[str, Any] = {name: np.array([flag]) for name, flag in flags.items()}
    found = hull(one, other, np.array([estimate]), (0, 1), **arrays)
    return [float(part.item()) for part in found]


WIDE, NARROW = (0.2, 0.8, 0.1), (0.4, 0.6, 0.05)


def test_an_interval_holds_both_that_are_used() -> None:
    assert joined(WIDE, NARROW) == [0.2, 0.8, 0.05]
    assert joined(NARROW, WIDE) == [0.2, 0.8, 0.1]
    assert joined(NARROW, (0.6, 0.7, 0.1)) == [0.4, 0.7, 0.1]
    assert joined((0.6, 0.7, 0.1), (0.8, 0.9, 0.1)) == [0.5, 0.9, 0.1]
    assert joined(WIDE, NARROW, undefined=True) == pytest.approx([NAN] * 3, nan_ok=True)
    assert joined(WIDE, NARROW, estimate=NAN) == pytest.approx([NAN] * 3, nan_ok=True)


def test_the_plain_interval_needs_a_width_and_classes_that_survive() -> None:
    assert joined(WIDE, NARROW, survives_loss=False) == [0.4, 0.6, 0.05]
    assert joined((0.2, 0.8, INF), NARROW) == [0.4, 0.6, 0.05]
    assert joined((0.2, 0.8, NAN), NARROW) == [0.4, 0.6, 0.05]
    assert joined((0.2, 0.8, 1e-12), NARROW) == [0.4, 0.6, 0.05]  # that is rounding
    assert joined((0.2, 0.8, 1.5e-12), NARROW) == [0.2, 0.8, 0.05]


@pytest.mark.parametrize("lost", [NAN, INF])
def test_the_plain_interval_stands_in_for_a_missing_one(lost: float) -> None:
    for survives in (True, False):
        assert joined(WIDE, (0.4, 0.6, lost), survives_loss=survives) == [0.2, 0.8, 0.1]
    assert joined((0.5, 0.5, 0.0), (0.4, 0.6, lost)) == [0.5, 0.5, 0]
    assert joined((0.2, 0.8, INF), (0.4, 0.6, lost)) == pytest.approx([NAN] * 3, nan_ok=True)


def test_no_width_says_something_only_of_several_classes() -> None:
    for se in (0.0, 1e-12):
        point = (0.5, 0.5, se)
        assert joined(point, point) == [0.5, 0.5, 0]
        due = [NAN] * 3
        assert joined(point, point, several_classes=False) == pytest.approx(due, nan_ok=True)
    assert joined(NARROW, NARROW, several_classes=False) == [0.4, 0.6, 0.05]


def test_ends_that_rounding_moves_are_at_the_estimate_or_a_limit() -> None:
    near = (1e-12, 1 - 1e-13, 0.1)
    assert joined(near, near) == [0, 1, 0.1]
    off = (-1e-12, 0.5, 0.1)
    assert joined(off, off, estimate=0.0) == [0, 0.5, 0.1]
    off = (0.5 - 0.9e-12, 0.5 + 0.9e-12, 0.1)
    assert joined(off, off) == [0.5, 0.5, 0.1]
    off = (0.5 - 2e-12, 0.5 + 2e-12, 0.1)
    assert joined(off, off) == [*off]
