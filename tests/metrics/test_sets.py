"""Prediction sets of arrays: definitions, the guarantee, runs of classes, errors."""

from __future__ import annotations

import math
import tracemalloc
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import sets as oracle
from oracles.strategies import QUICK

import pandas_ordinal as po
from pandas_ordinal import metrics
from pandas_ordinal.metrics.set_scores import OF_SETS, nearest_in_set

SCORES = ["set_coverage", "set_size", "set_least_coverage", "set_distance", "set_interval_score"]


def forecasts(rng: np.random.Generator, n_rows: int, n_classes: int, trust: float = 1) -> Any:
    """True classes, and forecasts that are too sure if `trust` is above 1."""
    true = rng.integers(0, n_classes, n_rows)
    seen = true + rng.normal(size=n_rows)
    proba = np.exp(-trust * (seen[:, None] - np.arange(n_classes)) ** 2 / 2)
    return true, proba / proba.sum(axis=1, keepdims=True)


@st.composite
def known_rows(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    n_classes, n_rows = draw(st.integers(1, 5)), draw(st.integers(0, 12))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    true = rng.integers(-1, n_classes, n_rows)
    tenths = rng.multinomial(10, np.full(n_classes, 1 / n_classes), n_rows) / 10  # which tie
    return true, tenths if draw(st.booleans()) else rng.dirichlet(np.ones(n_classes), n_rows)


@QUICK
@given(
    rows=known_rows(), coverage=st.sampled_from([0.05, 0.5, 0.55, 0.75, 0.9]), each=st.booleans()
)
def test_limits_are_errors_at_a_rank(rows: Any, coverage: float, each: bool) -> None:
    true, proba = rows
    expected = oracle.limits(true.tolist(), proba.tolist(), proba.shape[1], coverage, each)
    found = metrics.set_limits(true, proba, coverage=coverage, by_class=each)
    assert found.tolist() == pytest.approx(expected, abs=1e-12)


@QUICK
@given(rows=known_rows(), coverage=st.sampled_from([0.3, 0.75]), each=st.booleans())
def test_sets_are_the_classes_within_their_limits(rows: Any, coverage: float, each: bool) -> None:
    true, proba = rows
    limits = metrics.set_limits(true, proba, coverage=coverage, by_class=each)
    low, high = metrics.prediction_sets(proba, limits)
    expected = [oracle.ends(row, limits.tolist()) for row in proba.tolist()]
    assert list(zip(low.tolist(), high.tolist(), strict=True)) == expected


@pytest.mark.parametrize("n_rows", [9, 19, 99, 999])
def test_the_rank_is_exact_in_spite_of_rounding(n_rows: int) -> None:
    proba = np.linspace(0, 1, n_rows + 2)[1:-1]
    both = np.column_stack([proba, 1 - proba])  # true class 0: errors (1 - p)^2
    errors = np.sort((1 - proba) ** 2)
    for percent in range(1, 100):
        rank = -(-(n_rows + 1) * percent // 100)  # (99 + 1) * .55 is 55.00000000000001
        found = metrics.set_limits(np.zeros(n_rows, int), both, coverage=percent / 100)
        expected = errors[rank - 1] if rank <= n_rows else np.inf
        assert found.tolist() == pytest.approx([expected] * 2, abs=1e-15)


def test_sets_are_runs_around_the_median_class() -> None:
    rng = np.random.default_rng(0)
    for n_classes, n_rows in ((2, 20_000), (5, 50_000), (11, 30_000)):
        proba = rng.dirichlet(np.full(n_classes, 0.5), n_rows)
        errors = np.stack(
            [((np.cumsum(proba, axis=1) - (np.arange(n_classes) >= k))[:, :-1] ** 2).sum(axis=1)
             for k in range(n_classes)], axis=1,
        )  # fmt: skip
        limit = float(np.quantile(errors, 0.4))
        inside = errors <= limit
        n_runs = (np.diff(inside.astype(int), axis=1, prepend=0) == 1).sum(axis=1)
        assert n_runs.max() == 1
        low, high = metrics.prediction_sets(proba, [limit] * n_classes)
        filled = inside.any(axis=1)
        assert 0 < filled.mean() < 1
        sizes = (high - low + 1)[filled]
        assert (sizes == inside.sum(axis=1)[filled]).all()
        median = metrics.median_class(proba)
        assert ((low <= median) & (median <= high)).all()
        assert (low[~filled] == median[~filled]).all()
        assert (high[~filled] == median[~filled]).all()


@pytest.mark.parametrize("n_rows", [9, 19, 99, 999])
@pytest.mark.parametrize("coverage", [0.8, 0.9])
def test_exchangeable_rows_are_covered_as_often_as_asked(n_rows: int, coverage: float) -> None:
    rng = np.random.default_rng([n_rows, int(100 * coverage)])
    n_times = 200_000 // (n_rows + 1)
    true, proba = forecasts(rng, n_times * (n_rows + 1), 5, trust=4)
    true, proba = true.reshape(n_times, -1), proba.reshape(n_times, -1, 5)
    limits = metrics.set_limits(true[:, 1:], proba[:, 1:], coverage=coverage)
    held = metrics.rps(true[:, :1], proba[:, :1]) <= limits[:, 0] + 1e-12
    noise = 3 * math.sqrt(coverage * (1 - coverage) / n_times)
    assert coverage - noise <= held.mean() <= coverage + 1 / (n_rows + 1) + noise


def test_by_class_each_class_is_covered() -> None:
    rng = np.random.default_rng(1)
    shares, n_times, n_known, n_new = [0.5, 0.3, 0.15, 0.05], 400, 300, 100
    hits, sizes = np.zeros((2, 4))
    plain = np.zeros(4)
    for _ in range(n_times):
        true = rng.choice(4, n_known + n_new, p=shares)
        seen = true + rng.normal(size=len(true)) * (1 + (true == 3))
        proba = np.array(shares) * np.exp(-2 * (seen[:, None] - np.arange(4)) ** 2)
        proba = (proba + 1e-9) / (proba + 1e-9).sum(axis=1, keepdims=True)
        new = slice(n_known, None)
        for by_class, total in ((True, hits), (False, plain)):
            limits = metrics.set_limits(
                true[:n_known], proba[:n_known], coverage=0.8, by_class=by_class
            )
            low, high = metrics.prediction_sets(proba[new], limits)
            held = (low <= true[new]) & (true[new] <= high)
            total += np.bincount(true[new], held, 4)
        sizes += np.bincount(true[new], minlength=4)
    noise = 3 * np.sqrt(0.16 / sizes)
    assert (hits / sizes >= 0.8 - noise).all()
    assert (plain / sizes).min() < 0.7  # without by_class=True, the rare class pays


def test_two_classes_have_the_classic_threshold() -> None:
    rng = np.random.default_rng(2)
    true = rng.integers(0, 2, 500)
    higher = rng.beta(2 + true, 3 - true)
    proba = np.column_stack([1 - higher, higher])
    of_true = proba[np.arange(500), true]
    k = math.ceil(501 * 0.9)
    threshold = np.sort(1 - of_true)[k - 1]  # least ambiguous set: 1 - p up to it
    low, high = metrics.prediction_sets(proba, metrics.set_limits(true, proba, coverage=0.9))
    inside = 1 - proba <= threshold + 1e-12
    assert (inside.any(axis=1)).all()
    assert (low == np.argmax(inside, axis=1)).all()
    assert (high == inside[:, 1]).all()


def test_too_few_rows_admit_all_classes() -> None:
    proba = np.full((4, 3), 1 / 3)
    assert metrics.set_limits([0, 1, 2, 0], proba, coverage=0.9).tolist() == [np.inf] * 3
    by_class = metrics.set_limits([0, 1, 1, 0], proba, coverage=0.6, by_class=True)
    assert np.isfinite(by_class).tolist() == [True, True, False]
    assert metrics.set_limits([], np.zeros((0, 3)), coverage=0.5).tolist() == [np.inf] * 3
    low, high = metrics.prediction_sets(proba, [np.inf] * 3)
    assert (low.tolist(), high.tolist()) == ([0] * 4, [2] * 4)


def test_a_weight_counts_as_that_many_rows() -> None:
    rng = np.random.default_rng(3)
    true, proba = forecasts(rng, 40, 4)
    times = rng.integers(0, 4, 40)
    for by_class in (False, True):
        asked: dict[str, Any] = {"coverage": 0.7, "by_class": by_class}
        weighted = metrics.set_limits(true, proba, times, **asked)
        repeated = metrics.set_limits(np.repeat(true, times), np.repeat(proba, times, 0), **asked)
        assert weighted.tolist() == repeated.tolist()


@pytest.mark.parametrize(
    "proba", [[0.498, 0.495], [0.4, 0.1, 0.5], [0.1, 0.2, 0.2, 0.4, 0.1], [1 / 3, 1 / 6, 1 / 2]]
)
@pytest.mark.parametrize("kind", ["f8", "f4"])
def test_an_empty_set_is_the_median_class_however_rounded(proba: Any, kind: str) -> None:
    rows = np.array([proba, proba[::-1]], kind)
    low, high = metrics.prediction_sets(rows, np.zeros(len(proba)), atol=0.01)
    median = metrics.median_class(rows, atol=0.01)
    assert low.tolist() == high.tolist() == median.tolist()


@pytest.mark.parametrize("seed", range(4))
def test_rounded_sums_of_weights_stay_in_their_class(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_heavy, n_light = 20_000, 90
    proba = rng.dirichlet(np.ones(3), n_heavy + n_light + 5)
    true = np.repeat([0, 1, 2], [n_heavy, n_light, 5])
    weights = np.concatenate([rng.random(n_heavy) * 1e4, np.full(n_light, 0.1), np.ones(5)])
    for n_rows in (n_heavy + n_light, len(true)):  # the light class is the last one, or is not
        rows = true[:n_rows], proba[:n_rows], weights[:n_rows]
        limits = metrics.set_limits(*rows, coverage=0.9, by_class=True)
        alone = (one[n_heavy : n_heavy + n_light] for one in (true, proba, weights))
        assert limits[1] == metrics.set_limits(*alone, coverage=0.9, by_class=True)[1]


def test_classes_in_reverse_have_the_limits_and_the_sets_in_reverse() -> None:
    rng = np.random.default_rng(4)
    true, proba = forecasts(rng, 99, 5)
    for by_class in (False, True):
        limits = metrics.set_limits(true, proba, coverage=0.8, by_class=by_class)
        turned = metrics.set_limits(4 - true, proba[:, ::-1], coverage=0.8, by_class=by_class)
        assert turned == pytest.approx(limits[::-1], abs=1e-12)
        low, high = metrics.prediction_sets(proba, limits)
        down, up = metrics.prediction_sets(proba[:, ::-1], limits[::-1])
        assert (low == 4 - up).all()
        assert (high == 4 - down).all()


def test_leading_dimensions() -> None:
    rng = np.random.default_rng(5)
    true, proba = forecasts(rng, 60, 3)
    true, proba = true.reshape(2, 3, 10), proba.reshape(2, 3, 10, 3)
    limits = metrics.set_limits(true, proba, coverage=0.7)
    assert limits.shape == (2, 3, 3)
    assert (
        limits[1, 2].tolist() == metrics.set_limits(true[1, 2], proba[1, 2], coverage=0.7).tolist()
    )
    low, high = metrics.prediction_sets(proba, limits[0, 0])
    assert low.shape == high.shape == (2, 3, 10)
    one = metrics.prediction_sets(proba[1, 2, 3], limits[0, 0])
    assert one == (low[1, 2, 3], high[1, 2, 3])
    assert metrics.set_limits(true[:0], proba[:0], coverage=0.7).shape == (0, 3, 3)
    for name in SCORES:
        options = {"coverage": 0.7} if name == "set_interval_score" else {}
        kernel = getattr(metrics, name)
        values = kernel(true, low, high, **options)
        assert values.shape == (2, 3)
        assert values[0, 1] == kernel(true[0, 1], low[0, 1], high[0, 1], **options)
        assert kernel(true[:0], low[:0], high[:0], **options).shape == (0, 3)
    assert metrics.set_class_coverage(true, low, high, 3).shape == (2, 3, 3)


def test_a_single_class_is_always_held() -> None:
    assert metrics.set_limits([0, 0], [[1.0], [1.0]], coverage=0.5).tolist() == [0]
    assert metrics.prediction_sets([[1.0]], [0.0]) == ([0], [0])


@QUICK
@given(data=st.data())
def test_scores_are_loops_over_rows(data: st.DataObject) -> None:
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    n_rows, n_classes = data.draw(st.integers(1, 12)), data.draw(st.integers(1, 5))
    true, low, high = rng.integers(0, n_classes, (3, n_rows))
    low, high = np.minimum(low, high), np.maximum(low, high)
    weights = rng.integers(0, 3, n_rows) + np.eye(n_rows)[0] if data.draw(st.booleans()) else None
    expected = oracle.report(
        true.tolist(), low.tolist(), high.tolist(), 0.8,
        None if weights is None else weights.tolist(),
    )  # fmt: skip
    for name, value in expected.items():
        options = {"coverage": 0.8} if name == "interval_score" else {}
        found = getattr(metrics, f"set_{name}")(true, low, high, weights, **options)
        assert found == pytest.approx(value, rel=1e-12)
    of_class = metrics.set_class_coverage(true, low, high, n_classes, weights)
    assert np.nanmin(of_class) == pytest.approx(expected["least_coverage"])
    weight = np.ones(n_rows) if weights is None else weights
    present = [weight[true == k].sum() > 0 for k in range(n_classes)]
    assert (~np.isnan(of_class)).tolist() == present


def test_a_high_code_needs_no_table_of_all_classes() -> None:
    far = 999_999
    rows = [0, far, far], [0, 5, far - 1], [1, 6, far]
    tracemalloc.start()
    found = [getattr(metrics, name)(*rows) for name in SCORES[:4]]
    by_class = metrics.set_class_coverage(*rows, far + 1)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found == pytest.approx([2 / 3, 2, 0.5, (far - 6) / 3])
    assert [by_class[0], by_class[far]] == [1, 0.5]
    assert np.isnan(by_class[1:far]).all()
    assert peak < 2**26


@pytest.mark.parametrize("name", SCORES)
def test_rows_without_a_label_do_not_count(name: str) -> None:
    options = {"coverage": 0.9} if name == "set_interval_score" else {}
    kernel = getattr(metrics, name)
    true, low, high = np.array([[0, -1, 2, 1], [1, 0, -1, 0], [2, 2, 2, -1]])
    assert kernel(true, low, high, **options) == kernel([0], [1], [2], **options)
    assert np.isnan(kernel([-1], [0], [1], **options))
    assert np.isnan(kernel([], [], [], **options))


@pytest.mark.parametrize("coverage", [0, 1, 90, -0.1, True, "0.9", None, math.nan])
def test_a_coverage_is_a_share(coverage: Any) -> None:
    for call in (
        lambda: metrics.set_limits([0], [[1.0, 0]], coverage=coverage),
        lambda: metrics.set_interval_score([0], [0], [0], coverage=coverage),
    ):
        with pytest.raises((ValueError, TypeError), match=r"coverage"):
            call()


def test_errors() -> None:
    with pytest.raises(ValueError, match=r"low is above high in 2 rows, first in row 1: "):
        metrics.set_coverage([0, 0, 1], [0, 2, 2], [1, 1, 0])
    with pytest.raises(ValueError, match=r"low is above high in 1 row, first in row 2: "):
        metrics.set_size([-1, 0, 1, -1], [1, -1, 2, 2], [0, 0, 1, 1])
    with pytest.raises(ValueError, match=r"low must be an array .* of integers .* float64"):
        metrics.set_size([0], [0.5], [1])
    with pytest.raises(ValueError, match=r"high must be an array .* of integers from -1"):
        metrics.set_size([0], [0], [-2])
    with pytest.raises(ValueError, match=r"high holds 3, which is not a code of 3 classes"):
        metrics.set_class_coverage([0], [0], [3], 3)
    with pytest.raises(ValueError, match=r"do not match"):
        metrics.set_distance([0, 1], [0], [1])
    with pytest.raises(ValueError, match=r"must be 3 numbers, one for each class"):
        metrics.prediction_sets([[0.2, 0.3, 0.5]], [0.1, 0.1])
    for wrong in ([-0.1, 0, 0], [0, math.nan, 0]):
        with pytest.raises(ValueError, match=r"must be 0 or more, or infinite"):
            metrics.prediction_sets([[0.2, 0.3, 0.5]], wrong)
    with pytest.raises(ValueError, match=r"1 row lacks valid probabilities"):
        metrics.prediction_sets([[0.2, 0.3, 0.6]], [0.1] * 3)
    labelled = pd.Series([0.1] * 3, ["a", "b", "c"])
    with pytest.raises(ValueError, match=r"limits must be a plain array, not a Series"):
        metrics.prediction_sets([[0.2, 0.3, 0.5]], labelled)
    rows = pd.Series([0, 1], index=[5, 6])
    with pytest.raises(ValueError, match=r"the rows of true and low have different labels"):
        metrics.set_coverage(rows, rows.set_axis([6, 5]), rows)


def test_pixels_of_small_types_and_floats_of_half_precision() -> None:
    rng = np.random.default_rng(6)
    true, proba = forecasts(rng, 300, 4)
    expected = metrics.set_limits(true, proba, coverage=0.9)
    for codes in (true.astype(np.int8), true.astype(np.uint8)):
        assert (metrics.set_limits(codes, proba, coverage=0.9) == expected).all()
    rough = metrics.set_limits(true, proba.astype(np.float32), coverage=0.9)
    assert rough == pytest.approx(expected, abs=1e-6)
    low, high = (one.astype(np.uint8) for one in metrics.prediction_sets(proba, expected))
    assert po.metrics.set_size(true.astype(np.uint8), low, high) == pytest.approx(
        (high.astype(int) - low + 1).mean()
    )


def test_the_class_of_a_set_that_is_nearest_to_the_true_one() -> None:
    """Without one of the three classes there is none."""
    true = np.array([0, 1, 2, 3, 4, -1, 2, 2, -1, 0])
    low = np.array([1, 1, 1, 1, 1, 0, -1, 2, -1, 0])
    high = np.array([3, 3, 3, 3, 3, 1, 3, -1, -1, 0])
    nearest = [1, 1, 2, 3, 3, -1, -1, -1, -1, 0]
    assert nearest_in_set(true, low, high).tolist() == nearest


def test_a_row_counts_only_with_both_ends_of_its_set() -> None:
    assert metrics.set_size([0, 1, 0], [-1, 0, 0], [1, 1, -1]) == 2
    with pytest.raises(ValueError, match="low must be an array .* of integers from -1"):
        metrics.set_size([0, 1], [-2, 1], [1, 1])


def test_limits_of_two_classes_whose_rows_take_turns() -> None:
    """The errors are squares of 1 - p: the second of two rows is the limit of its class."""
    proba = [[0.5, 0.5], [0.25, 0.75], [0.75, 0.25], [0, 1]]
    limits = metrics.set_limits([0, 1, 0, 1], proba, coverage=0.6, by_class=True)
    assert limits.tolist() == [0.25, 0.0625]
    both = metrics.set_limits([0, 1, 0, 1], proba, coverage=0.6)
    assert both.tolist() == [0.0625, 0.0625]


def test_facts_of_the_metrics_of_sets() -> None:
    facts = {
        name: (one.name, one.needs, one.range, one.greater_is_better, one.is_row_mean)
        for name, one in OF_SETS.items()
    }
    assert facts == {
        "set_size": ("set_size", "sets", (1, "K"), False, True),
        "set_interval_score": ("set_interval_score", "sets", (0, np.inf), False, True),
    }
    size, score = OF_SETS.values()
    assert (size.kernel, score.kernel) == (metrics.set_size, metrics.set_interval_score)
    assert "doi:10.1007/b106715" in size.reference and "Vovk" in size.reference
    assert "doi:10.1080/01621459.1972.10481224" in score.reference and "Winkler" in score.reference
    assert [[option.name for option in one.options] for one in (size, score)] == [[], ["coverage"]]
    for one in (size, score):
        assert one.guesses is not None
        true, sets = one.guesses(2)
        assert true.tolist() == [0, 0, 1, 1]
        assert sets.tolist() == [[0, 0], [0, 1], [0, 0], [0, 1]]
