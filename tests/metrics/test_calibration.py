"""The parts of `rps` and `log_loss`: definitions, published values, what never changes them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import calibration as oracle
from oracles.samples import maybe_weighted, random_sample, samples
from oracles.strategies import QUICK
from scipy.optimize import isotonic_regression
from sklearn.isotonic import IsotonicRegression

from pandas_ordinal import metrics
from pandas_ordinal.counting.arrays import Floats
from pandas_ordinal.metrics import isotonic
from pandas_ordinal.metrics.decomposition import by_chance, drawn_classes, means_of_segments
from pandas_ordinal.metrics.isotonic import pools_of
from pandas_ordinal.metrics.segments import Segments

NAMES = ["rps", "log_loss"]
PARTS = ["mcb", "dsc", "unc"]
CORRECTED = [metrics.rps_mcb, metrics.rps_dsc]
# by hand: thresholds (brier, mcb, dsc, unc) .131667 .048333 .138889 .222222 and
# .116667 .033333 .055556 .138889
TRUE = [0, 1, 1, 2, 1, 0]
PROBA = np.array(
    [[7, 2, 1], [5, 3, 2], [2, 5, 3], [1, 3, 6], [2, 2, 6], [4, 4, 2]], float
) / 10  # fmt: skip


def approx(value: Any) -> Any:
    return pytest.approx(value, rel=0, abs=1e-12, nan_ok=True)


def parts(name: str, *arrays: Any, **options: Any) -> list[Any]:
    return [getattr(metrics, f"{name}_{part}")(*arrays, **options) for part in PARTS]


# Definitions --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@QUICK
@given(data=st.data())
def test_parts_are_their_definitions(name: str, data: st.DataObject) -> None:
    sample = maybe_weighted(data, data.draw(samples()))
    arrays = sample.true, sample.proba, sample.weights
    due = oracle.parts(name, *arrays)
    np.testing.assert_allclose(parts(name, *arrays), due, rtol=1e-12, atol=1e-12)
    if name == "rps":
        shares = np.array(due) / (sample.n_classes - 1) if sample.n_classes > 1 else [math.nan] * 3
        np.testing.assert_allclose(parts(name, *arrays, normalized=True), shares, atol=1e-12)


@pytest.mark.parametrize("name", NAMES)
@QUICK
@given(data=st.data())
def test_the_parts_make_up_the_score(name: str, data: st.DataObject) -> None:
    sample = maybe_weighted(data, data.draw(samples()))
    arrays = sample.true, sample.proba, sample.weights
    score = getattr(metrics, name)(*arrays)
    mcb, dsc, unc = parts(name, *arrays)
    assert mcb - dsc + unc == approx(score)
    assert not dsc > unc + 1e-12
    if name == "rps":
        mcb, dsc = (kernel(*arrays, corrected=True) for kernel in CORRECTED)
        assert mcb - dsc + unc == approx(score)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_what_chance_adds_is_its_definition(weighted: bool, seed: int) -> None:
    """Draws from sorted rows, by a generator of their own."""
    rng = np.random.default_rng(seed)
    k = int(rng.integers(1, 5))
    true, proba = rng.integers(0, k, 7), rng.dirichlet(np.ones(k), 7)
    proba[1] = proba[0]
    weights = rng.integers(1, 4, 7) / 2 if weighted else None
    chance = oracle.by_chance(proba, weights)
    for kernel in CORRECTED:
        raw = kernel(true, proba, weights)
        assert raw - kernel(true, proba, weights, corrected=True) == approx(chance)


def test_every_part_has_an_oracle() -> None:
    marked = {name for name, metric in metrics.registry.items() if metric.row_terms}
    assert marked == {f"{name}_{part}" for name in NAMES for part in PARTS}


# Values by hand and from other tools --------------------------------------------------------


def test_parts_by_hand() -> None:
    due = [0.048333 + 0.033333, 0.138889 + 0.055556, 0.222222 + 0.138889]
    assert parts("rps", TRUE, PROBA) == pytest.approx(due, abs=2e-6)
    assert parts("rps", TRUE, PROBA, normalized=True) == approx(
        np.array(parts("rps", TRUE, PROBA)) / 2
    )
    # the shares of the classes are 1/3, 1/2 and 1/6
    assert parts("log_loss", TRUE, PROBA) == pytest.approx(
        [0.419627, 0.549306, 1.011404], abs=5e-7
    )
    entropy = math.log(3) / 3 + math.log(2) / 2 + math.log(6) / 6
    assert metrics.log_loss_unc(TRUE, PROBA) == approx(entropy)


@pytest.mark.parametrize("weighted", [False, True])
def test_two_classes_by_scikit_learn(weighted: bool) -> None:
    rng = np.random.default_rng(3)
    higher = np.round(rng.uniform(0.02, 0.98, 80), 2)
    true = (rng.random(80) < higher**2).astype(int)
    weights = rng.uniform(0.1, 3, 80) if weighted else None
    fit = IsotonicRegression().fit_transform(higher, true, sample_weight=weights)
    share = np.average(true, weights=weights)
    proba = np.stack([1 - higher, higher], axis=1)

    def brier(p: Any) -> float:
        return float(np.average((p - true) ** 2, weights=weights))

    def loss(p: Any) -> float:
        return float(np.average(-np.log(np.where(true == 1, p, 1 - p)), weights=weights))

    for name, score in (("rps", brier), ("log_loss", loss)):
        with np.errstate(divide="ignore"):
            due = [score(higher) - score(fit), score(share) - score(fit), score(share)]
        assert parts(name, true, proba, weights) == approx(due)


def test_thresholds_are_those_of_model_diagnostics() -> None:
    """Each is `scoring.decompose` 1.5.0; the second one of the log loss has the 31 higher rows."""
    i = np.arange(60)
    ends = ((37 * i + 11) % 97 + 1) / 98, ((59 * i + 5) % 89 + 1) / 90
    low, high = np.sort(np.round(ends, 3), axis=0)
    level = (53 * i + 7) % 101 / 101
    true = (level >= low**0.7).astype(int) + (level >= high**0.7)
    proba = np.stack([low, high - low, 1 - high], axis=1)
    of_squares = [
        [0.059413569697, 0.066294191919, 0.249722222222],
        [0.032795692398, 0.044700292398, 0.1875],
    ]
    assert parts("rps", true, proba) == pytest.approx(np.sum(of_squares, axis=0), abs=2e-12)
    of_logarithms = [
        [0.15954615359, 0.166441941092, 0.692591522078],
        [0.123273737422, 0.198482945978, 0.692626798925],
    ]
    due = np.array([1, 31 / 60]) @ of_logarithms
    assert parts("log_loss", true, proba) == pytest.approx(due, abs=2e-12)


MEASURED = [0.1, 0.35, 0.2, 0.9, 0.6, 0.6, 0.45, 0.8, 0.05, 0.3, 0.7, 0.55, 0.25, 0.95, 0.4, 0.6]
MEASURED += [0.15, 0.75, 0.5, 0.85]
HAPPENED = [0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0]
WEIGHTS = [1, 2, 1, 3, 1, 1, 2, 0.5, 1, 1.5, 1, 2, 1, 1, 0.25, 1, 1, 2, 1, 0.5]


@pytest.mark.parametrize(
    ("name", "weights", "due"),
    [
        ("rps", None, [0.031124999999999958, 0.09249999999999997, 0.25]),
        ("rps", WEIGHTS, [0.03218558130322835, 0.10405630878001645, 0.24262830323436388]),
        ("log_loss", None, [0.10099893639171625, 0.2441743181315555, 0.6931471805599453]),
        ("log_loss", WEIGHTS, [0.10227105212257703, 0.2764228606868019, 0.6783304627955097]),
    ],
)
def test_two_classes_by_model_diagnostics(name: str, weights: Any, due: list[float]) -> None:
    """By decompose() of version 1.5.0, with SquaredError() and LogLoss()."""
    proba = np.stack([1 - np.array(MEASURED), MEASURED], axis=1)
    assert parts(name, HAPPENED, proba, weights) == approx(due)


# What never changes a number ----------------------------------------------------------------


@QUICK
@given(data=st.data())
def test_other_segments_and_the_order_of_rows_change_no_digit(data: st.DataObject) -> None:
    """The sums of rows depend on their order in the last digit; what is subtracted does not."""
    stack = random_sample(data.draw(st.integers(0, 99)), data.draw(st.integers(1, 4)), 3, 12)
    order = np.array(data.draw(st.permutations(range(12))))
    shuffled = stack.take(order)
    for kernel in CORRECTED:
        together = kernel(stack.true, stack.proba, corrected=True)
        alone = [
            kernel(true, proba, corrected=True)
            for true, proba in zip(stack.true, stack.proba, strict=True)
        ]
        np.testing.assert_array_equal(together, alone)
        other = kernel(shuffled.true, shuffled.proba, corrected=True)
        np.testing.assert_allclose(together, other, rtol=0, atol=1e-14)


@QUICK
@given(data=st.data())
def test_the_draws_depend_on_no_order(data: st.DataObject) -> None:
    """Bit for bit, with weights too."""
    sample = random_sample(data.draw(st.integers(0, 99)), 3, 12)
    weights = np.random.default_rng(0).uniform(0.1, 2, 12)
    segment = np.arange(12) % 2
    order = np.array(data.draw(st.permutations(range(12))))
    found = []
    for rows in (np.arange(12), order):
        segments = Segments(sample.true[rows], 3, segment[rows], 2, weights[rows])
        found.append(by_chance(segments, sample.proba[rows]))
    np.testing.assert_array_equal(*found)
    for one in (0, 1):
        rows = np.flatnonzero(segment == one)
        alone = Segments(sample.true[rows], 3, np.zeros(6, int), 1, weights[rows])
        of_one = by_chance(alone, sample.proba[rows])[:, 0]
        np.testing.assert_array_equal(of_one, found[0][:, one])


@QUICK
@given(sample=samples(min_classes=2, max_classes=2))
def test_an_increasing_map_changes_the_miscalibration_alone(sample: Any) -> None:
    mapped = np.stack([sample.proba[:, 0] ** 3, 1 - sample.proba[:, 0] ** 3], axis=1)
    for name in NAMES:
        before, after = parts(name, sample.true, sample.proba), parts(name, sample.true, mapped)
        assert after[1:] == approx(before[1:])


def test_forecasts_that_differ_by_rounding_tie() -> None:
    """0.1 + 0.2 and 0.3 differ in the last digit; so would a reversed scale."""
    proba = np.array([[0.1, 0.2, 0.7], [0.3, 0.0, 0.7], [0.2, 0.1, 0.7]])
    assert len(set(np.cumsum(proba, axis=1)[:, 1])) == 2
    true = [1, 2, 2]
    assert metrics.rps_dsc(true, proba) == approx(metrics.rps_dsc([1, 0, 0], proba[:, ::-1]))
    shares = metrics.rps_unc([0, 1, 1], np.full((3, 2), 0.5))
    first = metrics.rps_dsc([0, 1, 1], np.stack([proba[:, 0], 1 - proba[:, 0]], axis=1))
    assert metrics.rps_unc(true, proba) == approx(shares)
    assert first <= shares  # the second threshold, where all tie, discriminates nothing
    assert metrics.rps_dsc(true, proba) == approx(0)


def test_forecasts_tie_that_agree_in_twelve_decimals() -> None:
    near, far = 0.5 + 4e-13, 0.5 + 2e-12
    assert pools_of(np.array([0.5, near, far]), np.zeros(3, int)).of_rows.tolist() == [0, 0, 1]
    # of two rows, that with the higher forecast is the one of class 0: fits of 0 and 1, or of 1/2
    for forecast, mcb in ((near, 0), (far, 0.25)):
        proba = [[0.5, 0.5], [forecast, 1 - forecast]]
        assert metrics.rps_mcb([1, 0], proba) == pytest.approx(mcb, abs=1e-9)


def test_pools_and_blocks_are_in_the_order_of_segments_and_forecasts() -> None:
    pools = pools_of(np.array([0.5, 0.25, 0.5, 0.25, 0.25, 0.75]), np.array([1, 1, 0, 0, 1, 1]))
    assert pools.of_rows.tolist() == [3, 2, 1, 0, 2, 4]
    assert pools.segment.tolist() == [0, 0, 1, 1, 1]
    assert pools.forecast.tolist() == [0.25, 0.5, 0.25, 0.5, 0.75]
    fit = pools.fit(np.array([False, True, True, False, False, True]), None)
    # the outcomes 1 and 0 at 0.25 and 0 at 0.5 fall: a share of 1/3
    assert fit.segment.tolist() == [0, 0, 1, 1]
    assert fit.calibrated.tolist() == [0, 1, 1 / 3, 1]
    assert fit.block.tolist() == [2, 2, 1, 0, 2, 3]


# Edges --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_no_probability_at_the_truth(name: str) -> None:
    true, proba = [0, 1, 2, 2], [[0, 0.5, 0.5], [0.5, 0.5, 0], [0.2, 0.2, 0.6], [1, 0, 0]]
    mcb, dsc, unc = parts(name, true, proba)
    assert np.isfinite([dsc, unc]).all()
    assert np.isinf(mcb) == (name == "log_loss")
    assert np.isfinite(parts(name, true, proba, [0, 1, 1, 0])).all()


def test_a_row_without_probability_from_its_class_on_has_the_highest_forecast() -> None:
    """At the second threshold, between classes 1 and 2: above 1/2, and tied with a 1."""
    true, proba = [1, 2], [[1, 0, 0], [0, 0.5, 0.5]]
    assert parts("log_loss", true, proba) == approx([np.inf, np.log(2), np.log(2)])
    true, proba = [2, 1], [[1, 0, 0], [0, 1, 0]]
    assert parts("log_loss", true, proba) == approx([np.inf, 0, np.log(2)])


def test_classes_drawn_at_the_edges_of_their_probabilities(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A class begins at the sum of those below it, so that one of probability 0 is never drawn."""

    class Same:
        def random(self, size: int) -> np.ndarray:
            return np.array([0, 0.5, 0.25, 0.5])[:size]

    monkeypatch.setattr(np.random, "default_rng", lambda seed: Same())
    proba = np.array([[0, 1, 0], [0.5, 0, 0.5], [0.5, 0.25, 0.25], [0.25, 0.25, 0.5]])
    (codes,) = drawn_classes(proba, np.array([4]), 1, 0)
    assert codes.tolist() == [1, 2, 0, 2]


def test_segments_without_rows_are_undefined_and_silent() -> None:
    segment = np.array([0, 2, 0])
    means = means_of_segments(np.array([1.0, 2, 5]), None, segment, 3)
    assert means == approx([3, np.nan, 2])
    weights = np.array([3.0, 1, 1])
    assert means_of_segments(np.array([1.0, 2, 5]), weights, segment, 4) == approx(
        [2, np.nan, 2, np.nan]
    )
    chance = by_chance(Segments(np.array([0, 1, 1]), 2, segment, 4, None), np.full((3, 2), 0.5))
    assert np.isnan(chance).tolist() == [[False, True, False, True]]


@pytest.mark.parametrize("name", NAMES)
def test_edges(name: str) -> None:
    assert parts(name, [0, 0], [[1], [1]]) == [0, 0, 0]
    assert np.isnan(parts(name, [], np.zeros((0, 3)))).all()
    one = [1, 1, 1], PROBA[:3]
    assert parts(name, *one) == approx([getattr(metrics, name)(*one), 0, 0])
    never = [0, 2, 0, 2], PROBA[:4]
    assert np.isfinite(parts(name, *never)).all()
    if name == "rps":
        assert np.isnan(parts(name, [0, 0], [[1], [1]], normalized=True)).all()


def test_sums_that_are_close_to_one_keep_the_identity() -> None:
    rng = np.random.default_rng(0)
    proba = rng.dirichlet(np.ones(4), 50).astype(np.float32)
    true = rng.integers(0, 4, 50)
    for name in NAMES:
        mcb, dsc, unc = parts(name, true, proba)
        assert mcb - dsc + unc == approx(getattr(metrics, name)(true, proba))


# Isotonic fits ------------------------------------------------------------------------------


def fitted(forecasts: Floats, outcomes: Any, weights: Any, segment: Any) -> Floats:
    return pools_of(forecasts, segment).fit(outcomes, weights).of_rows()


@QUICK
@given(data=st.data())
def test_fits_of_many_segments(data: st.DataObject) -> None:
    """Each is fitted as if it were alone, to the last digit."""
    rng = np.random.default_rng(data.draw(st.integers(0, 10_000)))
    n = int(rng.integers(1, 60))
    forecasts, segment = rng.integers(0, 9, n) / 8, rng.integers(0, 4, n)
    outcomes = rng.random(n) < forecasts
    for weights in (None, rng.random(n) + 0.01):
        found = fitted(forecasts, outcomes, weights, segment)
        for one in np.unique(segment):
            at = segment == one
            own = None if weights is None else weights[at]
            alone = fitted(forecasts[at], outcomes[at], own, np.zeros(at.sum(), int))
            np.testing.assert_array_equal(found[at], alone)
            due = IsotonicRegression().fit_transform(
                forecasts[at], outcomes[at], sample_weight=own
            )
            np.testing.assert_allclose(alone, due, rtol=0, atol=1e-12)


def staircase(n_steps: int) -> tuple[Floats, Floats]:
    """Shares that rise step by step, and fall into one block at the last."""
    mass = np.ones(n_steps)
    hits = np.arange(1, n_steps + 1.0) / (n_steps + 1)
    hits[-1], mass[-1] = 0, 1e6
    return hits, mass


def test_staircases_are_pooled_in_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    hits, mass = staircase(500)
    segment = np.repeat([0, 1], 500)
    hits, mass = np.r_[hits, np.linspace(0, 1, 500)], np.r_[mass, np.ones(500)]
    first, share = isotonic._pooled(hits, mass, segment)
    due = isotonic_regression(hits[:500] / mass[:500], weights=mass[:500])
    assert first.tolist() == [0, *range(500, 1000)]
    np.testing.assert_allclose(share[0], due.x[0], rtol=1e-12)
    monkeypatch.setattr(isotonic, "MOST_ROUNDS", 10_000)
    same, by_rounds = isotonic._pooled(hits, mass, segment)
    assert same.tolist() == first.tolist()
    np.testing.assert_allclose(share, by_rounds, rtol=1e-12)
