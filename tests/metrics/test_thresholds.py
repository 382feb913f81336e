"""Thresholds on scores: classes, the ROC surface, and the best thresholds."""

from __future__ import annotations

import functools
import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from oracles import thresholds as oracle
from oracles.strategies import QUICK, examples
from sklearn.metrics import roc_curve

import pandas_ordinal as po
from pandas_ordinal.metrics import thresholds as module
from pandas_ordinal.metrics.thresholds import best_thresholds, classify, roc_surface

INF, NAN = math.inf, math.nan
TRUE, SCORES = [0, 0, 1, 1, 2], [0.1, 0.4, 0.3, 0.6, 0.8]
KAPPA = functools.partial(po.metrics.kappa, weights="linear")
WITHIN = functools.partial(po.metrics.accuracy_within, k=0)
OWN_COSTS = functools.partial(
    po.metrics.expected_cost, costs=[[0, 2, 1, 4], [1, 0, 3, 1], [5, 1, 0, 1], [2, 2, 2, 0]]
)
ADDITIVE = ["accuracy", "error_rate", "accuracy_within", "mae", "mse", "rmse", "amae"]
ADDITIVE += ["brennan_prediger", "cem", "total_cost", "stc"]
OTHERS = ["kappa", "min_sensitivity", "geometric_mean", "kendall_tau", "pearson", "mmae", "cem"]


@st.composite
def samples(draw: st.DrawFn, n_classes: int, max_rows: int = 8) -> tuple[Any, Any]:
    """Codes and tied scores, some infinite, with absent classes and rows that do not count."""
    score = st.sampled_from([-INF, -1.0, 0.0, 0.5, 1.0, 2.0, INF])
    rows = st.tuples(st.integers(-1, n_classes - 1), score)
    drawn = draw(st.lists(rows, min_size=1, max_size=max_rows))
    return [k for k, _ in drawn] + [0], [f for _, f in drawn] + [draw(score)]


def counted(true: Any, scores: Any) -> tuple[list[int], list[float]]:
    pairs = [(k, f) for k, f in zip(true, scores, strict=True) if k >= 0]
    return [k for k, _ in pairs], [f for _, f in pairs]


def random_sample(n_rows: int, n_classes: int, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    true = rng.integers(0, n_classes, n_rows)
    return true, true + rng.normal(size=n_rows)


def absolute(n_classes: int) -> np.ndarray:
    return np.abs(np.subtract.outer(np.arange(n_classes), np.arange(n_classes)))


def value(metric: Any, true: Any, scores: Any, n_classes: int, thresholds: Any) -> float:
    kernel = po.metrics.registry[metric].kernel if isinstance(metric, str) else metric
    table = oracle.confusion(true, scores, thresholds, n_classes)
    return float(kernel(oracle.as_counts(table)))


@functools.cache
def tables_of_all_combinations() -> np.ndarray:
    true, scores = random_sample(12, 3, seed=7)
    tables = [oracle.confusion(true, scores, t, 3) for t in oracle.combinations(scores, 3)]
    return oracle.as_counts(tables)  # type: ignore[arg-type]


def loss_of(metric: str) -> Any:
    """A loss on counts as fractions, rounded so that equal values are equal."""
    known = po.metrics.registry[metric]
    sign = -1 if known.greater_is_better else 1
    return lambda table: round(sign * float(known.kernel(oracle.as_counts(table))), 12)


class TestClassify:
    @QUICK
    @given(
        st.lists(st.sampled_from([-INF, -1.0, 0.0, 0.5, 1.0, INF, NAN])),
        st.lists(st.sampled_from([-INF, -1.0, 0.0, 0.25, 1.0, INF]), max_size=4).map(sorted),
    )
    def test_definition(self, scores: Any, thresholds: Any) -> None:
        expected = [oracle.predict(score, thresholds) for score in scores]
        assert classify(np.array(scores, float), np.array(thresholds, float)).tolist() == expected

    def test_shapes(self) -> None:
        scores = np.arange(6.0).reshape(1, 2, 3)
        codes = classify(scores, [1, 3])
        assert codes.dtype == np.int64
        assert codes.tolist() == [[[0, 0, 1], [1, 2, 2]]]
        assert classify(np.empty((2, 0)), [1, 3]).shape == (2, 0)

    @pytest.mark.parametrize(
        "thresholds", [[1.0, 0.5], [0.0, 5.0, 3.0], [NAN, 1.0], [0.0, NAN], [NAN]]
    )
    def test_wrong_thresholds_are_named(self, thresholds: Any) -> None:
        with pytest.raises(ValueError, match=r"thresholds \[.*\] must be numbers that do not"):
            classify([1.0], thresholds)

    def test_other_input_is_refused(self) -> None:
        with pytest.raises(ValueError, match="one row"):
            classify([1.0], [[1.0, 2.0]])
        with pytest.raises(ValueError, match="score must be an array"):
            classify(["a"], [1.0])


@pytest.mark.parametrize("zeros", [[0.0, -0.0], [-0.0, 0.0]], ids=str)
def test_minus_zero_is_the_threshold_zero(zeros: list[float]) -> None:
    thresholds, _ = roc_surface([0, 1], zeros, 2)
    assert not np.signbit(thresholds[thresholds == 0]).any()


class TestRowsOfSeveralClasses:
    def test_the_order_of_rows_does_not_change_a_digit(self) -> None:
        rng = np.random.default_rng(0)
        scores = rng.integers(0, 3, 60).astype(float)
        shares = rng.random((60, 3)) * 10.0 ** rng.integers(-9, 9, (60, 1))
        expected = module._rank_shares(scores, shares)
        assert expected.scores.tolist() == [0, 1, 2]
        for _ in range(5):
            order = rng.permutation(60)
            found = module._rank_shares(scores[order], shares[order])
            assert found.below.tolist() == expected.below.tolist()

    @pytest.mark.parametrize("zero", [0.0, -0.0])
    def test_minus_zero_is_the_threshold_zero(self, zero: float) -> None:
        scores, shares = np.array([zero, 5e-324]), np.eye(2)
        found = module.best_by_shares(scores, shares, metric="accuracy")
        assert found.tolist() == [0] and not np.signbit(found[0])


class TestSurface:
    @QUICK
    @given(samples(4), st.data())
    def test_rates_of_given_thresholds(self, sample: Any, data: st.DataObject) -> None:
        place = st.sampled_from([-INF, -1.0, -0.5, 0.0, 0.5, 2.0, INF])
        rows = data.draw(st.lists(st.lists(place, min_size=3, max_size=3).map(sorted), min_size=1))
        thresholds, rates = roc_surface(*sample, 4, thresholds=rows)
        assert thresholds.tolist() == rows
        expected = [oracle.rates(*sample, row, 4) for row in rows]
        np.testing.assert_array_equal(rates, expected)
        one, rate = roc_surface(*sample, 4, thresholds=rows[0])
        assert one.shape == (3,)
        np.testing.assert_array_equal(rate, expected[0])

    @QUICK
    @given(st.integers(2, 3).flatmap(lambda k: st.tuples(st.just(k), samples(k))))
    def test_every_point(self, case: Any) -> None:
        n_classes, sample = case
        thresholds, rates = roc_surface(*sample, n_classes)
        expected = list(oracle.combinations(counted(*sample)[1], n_classes))
        assert thresholds.tolist() == [list(row) for row in expected]
        by_definition = [oracle.rates(*sample, row, n_classes) for row in expected]
        np.testing.assert_array_equal(rates, by_definition)

    def test_two_classes_give_the_roc_curve(self) -> None:
        rng = np.random.default_rng(1)
        true, weights = rng.integers(0, 2, 200), rng.integers(1, 4, 200)
        scores = np.round(true + rng.normal(size=200), 1)
        fpr, tpr, _ = roc_curve(true, scores, sample_weight=weights, drop_intermediate=False)
        _, rates = roc_surface(true, scores, 2, sample_weight=weights)
        np.testing.assert_allclose(rates[::-1], np.column_stack([1 - fpr, tpr]), atol=1e-15)

    @pytest.mark.parametrize(("n_classes", "seed"), list(itertools.product([2, 3, 4], range(3))))
    def test_volume_is_the_share_of_ordered_sequences(self, n_classes: int, seed: int) -> None:
        true, scores = random_sample(24, n_classes, seed)
        own = [np.flatnonzero(true == k) for k in range(n_classes - 1)]
        vectors = np.array([scores[list(rows)] for rows in itertools.product(*own)])
        ordered = (np.diff(vectors, axis=1) > 0).all(axis=1)
        _, rates = roc_surface(true, scores, n_classes, thresholds=vectors[ordered])
        volume = rates[:, -1].sum() / len(vectors)
        assert volume == pytest.approx(oracle.strict_vus(true, scores, n_classes), rel=1e-12)

    def test_weights_are_repetitions(self) -> None:
        true, scores = np.array([0, 1, 2, 2, 0, -1]), np.array([0.0, 1.0, 1.0, 2.0, 5.0, 9.0])
        times = np.array([2, 1, 3, 1, 0, 4])
        weighed = roc_surface(true, scores, 3, sample_weight=times)
        repeated = roc_surface(true.repeat(times), scores.repeat(times), 3)
        for actual, expected in zip(weighed, repeated, strict=True):
            np.testing.assert_array_equal(actual, expected)

    @QUICK
    @given(order=st.permutations(range(40)))
    def test_order_of_rows_does_not_change_a_digit(self, order: list[int]) -> None:
        rng = np.random.default_rng(0)
        true, scores = rng.integers(0, 3, 40), rng.integers(0, 4, 40)
        weights = rng.random(40) * 10.0 ** rng.integers(-6, 6, 40)
        _, expected = roc_surface(true, scores, 3, sample_weight=weights)
        _, rates = roc_surface(true[order], scores[order], 3, sample_weight=weights[order])
        np.testing.assert_array_equal(rates, expected)

    def test_no_rows(self) -> None:
        thresholds, rates = roc_surface([], [], 3)
        assert thresholds.tolist() == [[-INF, -INF]]
        assert np.isnan(rates).all() and rates.shape == (1, 3)
        assert np.isnan(roc_surface([-1], [NAN], 3, thresholds=[0, 1])[1]).all()

    def test_too_many_points(self) -> None:
        scores = np.arange(5792.0)
        true = np.arange(5792) % 3
        with pytest.raises(ValueError, match="16782321 points, more than 16777216: give thresh"):
            roc_surface(true, scores, 3)
        with pytest.raises(ValueError, match="not for 4: give thresholds="):
            roc_surface(true, scores, 4)
        assert len(roc_surface(true % 2, scores, 2)[0]) == 5793

    def test_as_many_points_as_are_listed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Three scores and -inf, in pairs with themselves, make ten points."""
        monkeypatch.setattr(module, "MOST_POINTS", 10)
        assert len(roc_surface([0, 1, 2], [1, 2, 3], 3)[0]) == 10
        with pytest.raises(ValueError, match="5 candidate thresholds make 15 points, more than"):
            roc_surface([0, 1, 2, 2], [1, 2, 3, 4], 3)

    @pytest.mark.parametrize("thresholds", [[1], [[1], [2]], [1, 2, 3], np.ones((1, 1, 2))])
    def test_wrong_shapes_of_thresholds(self, thresholds: Any) -> None:
        with pytest.raises(ValueError, match="must be 2 numbers for 3 classes"):
            roc_surface(TRUE, SCORES, 3, thresholds=thresholds)

    def test_wrong_order_of_thresholds(self) -> None:
        with pytest.raises(ValueError, match=r"thresholds \[3.0, 2.0\] must"):
            roc_surface(TRUE, SCORES, 3, thresholds=[[1, 2], [3, 2]])
        with pytest.raises(ValueError, match=r"thresholds \[4.0, nan\] must"):
            roc_surface(TRUE, SCORES, 3, thresholds=[[1, 2], [4, NAN], [3, 2]])
        with pytest.raises(ValueError, match=r"thresholds \[1.0, 3.0, 2.0\] must"):
            roc_surface(TRUE, SCORES, 4, thresholds=[[1, 2, 3], [1, 3, 2]])


class TestLowestCost:
    @examples(100)
    @given(
        st.integers(1, 4).flatmap(
            lambda k: st.tuples(
                st.just(k),
                samples(k),
                st.lists(
                    st.lists(st.integers(-2, 5), min_size=k, max_size=k), min_size=k, max_size=k
                ),
            )
        )
    )
    def test_all_combinations(self, case: Any) -> None:
        n_classes, sample, costs = case
        true, scores = counted(*sample)
        lowest, _ = oracle.best(true, scores, n_classes, lambda n: oracle.total_cost(n, costs))
        actual = best_thresholds(*sample, n_classes, costs=costs)
        assert actual.shape == (n_classes - 1,)
        assert not np.isnan(actual).any()
        # equal predictions: of several best thresholds the lowest are returned
        expected = [oracle.predict(score, lowest) for score in scores]
        assert classify(scores, actual).tolist() == expected

    @QUICK
    @given(
        rows=st.lists(
            st.tuples(st.integers(0, 2), st.integers(0, 5), st.floats(0.01, 1)),
            min_size=1,
            max_size=8,
        ),
        costs=arrays(float, (3, 3), elements=st.floats(-3, 3)),
    )
    def test_costs_that_are_not_integers(self, rows: Any, costs: np.ndarray) -> None:
        true, scores, weights = ([row[i] for row in rows] for i in range(3))
        thirds = [score / 3 for score in scores]
        _, expected = oracle.best(
            true, thirds, 3, lambda n: oracle.total_cost(n, costs), weights=weights
        )
        actual = best_thresholds(true, thirds, 3, costs=costs, sample_weight=weights)
        table = oracle.confusion(true, thirds, actual, 3, weights)
        cost = float(oracle.total_cost(table, costs))
        assert cost == pytest.approx(float(expected), rel=1e-12, abs=1e-14)

    @pytest.mark.parametrize("metric", [*ADDITIVE, WITHIN, OWN_COSTS])
    def test_metrics_that_are_costs(self, metric: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        true, scores = random_sample(24, 4)
        actual = best_thresholds(true, scores, 4, metric=metric)
        # as all combinations give
        monkeypatch.setattr(module, "costs_of", lambda *_: None)
        expected = best_thresholds(true, scores, 4, metric=metric)
        assert value(metric, true, scores, 4, actual) == pytest.approx(
            value(metric, true, scores, 4, expected), rel=1e-12
        )

    def test_thresholds_do_not_decrease(self) -> None:
        """The row is best of class 2, though of the lower two classes 0 is the better one."""
        costs = [[5, 6, 1], [0, 0, 0], [0, 0, 0]]
        assert best_thresholds([0], [1.0], 3, costs=costs).tolist() == [-INF, -INF]

    def test_costs_too_large_for_sums(self) -> None:
        with pytest.raises(ValueError, match="divide all by one number"):
            best_thresholds(TRUE, SCORES, 3, costs=absolute(3) * 5e307)
        with pytest.raises(ValueError, match="divide all by one number"):
            best_thresholds(TRUE, SCORES, 3, costs=[[1.7e308, -1.7e308, 1.7e308]] * 3)


class TestBestMetric:
    @pytest.mark.parametrize("metric", OTHERS)
    @examples(15)
    @given(sample=samples(3))
    def test_all_combinations(self, metric: str, sample: Any) -> None:
        true, scores = counted(*sample)
        best = oracle.best(true, scores, 3, loss_of(metric))
        if best is None:
            with pytest.raises(ValueError, match=f"{metric} is undefined on these rows"):
                best_thresholds(*sample, 3, metric=metric)
            return
        actual = best_thresholds(*sample, 3, metric=metric)
        table = oracle.confusion(true, scores, actual, 3)
        assert loss_of(metric)(table) == pytest.approx(best[1], abs=1e-11)

    @pytest.mark.parametrize("metric", OTHERS)
    @pytest.mark.parametrize("seed", range(3))
    def test_search_ends_where_no_threshold_can_be_improved(
        self, metric: str, seed: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        true, scores = random_sample(20, 4, seed)
        exact = best_thresholds(true, scores, 4, metric=metric)
        monkeypatch.setattr(module, "MOST_COMBINATIONS", 20)
        monkeypatch.setattr(module, "block_size", lambda n_classes: 7)
        actual = best_thresholds(true, scores, 4, metric=metric)
        sign = 1 if po.metrics.registry[metric].greater_is_better else -1
        reached = sign * value(metric, true, scores, 4, actual)
        assert reached <= sign * value(metric, true, scores, 4, exact) + 1e-12
        for k, threshold in itertools.product(range(3), [-INF, *scores]):
            moved = [*actual[:k], threshold, *actual[k + 1 :]]
            if moved == sorted(moved):
                other = sign * value(metric, true, scores, 4, moved)
                assert math.isnan(other) or other <= reached + 1e-12

    def test_search_starts_from_undefined_values(self, monkeypatch: pytest.MonkeyPatch) -> None:
        true, scores = [0, 0, 0, 0, 1], [0.0, 1.0, 2.0, 3.0, 1.0]
        monkeypatch.setattr(module, "MOST_COMBINATIONS", 1)
        actual = best_thresholds(true, scores, 2, metric="pearson")
        assert not math.isnan(value("pearson", true, scores, 2, actual))
        with pytest.raises(ValueError, match="pearson is undefined on these rows"):
            best_thresholds([0, 0, 0], [0, 1, 2], 2, metric="pearson")

    def test_blocks_do_not_matter(self, monkeypatch: pytest.MonkeyPatch) -> None:
        true, scores = random_sample(40, 3)
        expected = best_thresholds(true, scores, 3, metric="kappa")
        monkeypatch.setattr(module, "block_size", lambda n_classes: 3)
        assert best_thresholds(true, scores, 3, metric="kappa").tolist() == expected.tolist()

    @pytest.mark.parametrize(
        "name",
        [
            name
            for name, metric in po.metrics.registry.items()
            if metric.greater_is_better is not None and not metric.output
            if metric.needs == "counts" and not metric.required
        ],
    )
    def test_every_metric_with_a_better_end(self, name: str) -> None:
        true, scores = random_sample(12, 3, seed=7)
        metric = po.metrics.registry[name]
        actual = value(name, true, scores, 3, best_thresholds(true, scores, 3, metric=name))
        values = metric.kernel(tables_of_all_combinations())
        best = np.nanmax(values) if metric.greater_is_better else np.nanmin(values)
        assert actual == pytest.approx(best, rel=1e-12, abs=1e-15)

    def test_many_scores(self) -> None:
        true, scores = random_sample(3000, 4)
        by_name = best_thresholds(true, scores, 4, metric="kappa")
        assert (
            by_name.tolist() == best_thresholds(true, scores, 4, metric=po.metrics.kappa).tolist()
        )
        linear = best_thresholds(true, scores, 4, metric=KAPPA)
        assert KAPPA(self.counts(true, scores, linear)) >= KAPPA(
            self.counts(true, scores, by_name)
        )
        by_error = best_thresholds(true, scores, 4, costs=absolute(4))
        assert KAPPA(self.counts(true, scores, linear)) >= KAPPA(
            self.counts(true, scores, by_error)
        )

    @staticmethod
    def counts(true: Any, scores: Any, thresholds: Any) -> np.ndarray:
        table = np.zeros((4, 4))
        np.add.at(table, (true, classify(scores, thresholds)), 1)
        return table


class TestTies:
    """Of several best thresholds the lowest is returned, if values of the metric are exact."""

    @pytest.mark.parametrize("metric", ["min_sensitivity", "mmae"])
    @QUICK
    @given(sample=samples(3), block=st.sampled_from([1, 2, 1000]))
    def test_of_all_combinations_the_first(self, metric: str, sample: Any, block: int) -> None:
        true, scores = counted(*sample)
        known = po.metrics.registry[metric]
        sign = -1 if known.greater_is_better else 1
        lowest, _ = oracle.best(
            true, scores, 3, lambda n: sign * float(known.kernel(oracle.as_counts(n)))
        )
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "block_size", lambda n_classes: block)
            actual = best_thresholds(*sample, 3, metric=metric)
        expected = [oracle.predict(score, lowest) for score in scores]
        assert classify(scores, actual).tolist() == expected

    def test_by_hand(self) -> None:
        # any second threshold of 1 or more is as good for the classes that have rows
        actual = best_thresholds([0, 0, 1, 1], [0, 1, 2, 3], 3, metric="min_sensitivity")
        assert actual.tolist() == [1.5, INF]
        assert best_thresholds([0, 0], [0, 1], 3, costs=np.zeros((3, 3))).tolist() == [-INF, -INF]
        # one error at either threshold, and at 0.5 and 2.5
        true, scores = [0, 1, 0, 1], [0, 1, 2, 3]
        assert best_thresholds(true, scores, 2, metric="accuracy").tolist() == [0.5]
        assert best_thresholds(true, scores, 2, metric="min_sensitivity").tolist() == [0.5]

    BELOW = np.array([[0.0, 1, 1, 2, 2], [0, 0, 1, 1, 1], [0, 0, 0, 0, 1]])

    @pytest.mark.parametrize("block", [1, 2, 3, 1000])
    def test_of_places_that_are_equally_good(
        self, block: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(module, "block_size", lambda n_classes: block)

        def nothing(stack: np.ndarray) -> np.ndarray:
            return np.zeros(stack.shape[-1])

        def right(stack: np.ndarray) -> np.ndarray:
            """Rows of class 0 that are right: as many from place 3 on."""
            return stack[0, 0]

        for start in ([0, 0], [1, 3], [4, 4]):
            combinations = np.array([start, [0, 0], [4, 4]])
            places, value = module._best_of(combinations, self.BELOW, nothing)
            assert (places.tolist(), value) == (start, 0)
            # between its neighbours
            assert module._best_move(0, np.array(start), self.BELOW, nothing) == (0, 0)
            assert module._best_move(1, np.array(start), self.BELOW, nothing) == (start[0], 0)
            # no step where nothing is gained
            places, value = module._climb(np.array(start), self.BELOW, nothing)
            assert (places.tolist(), value) == (start, 0)
        assert module._best_move(0, np.array([1, 4]), self.BELOW, right) == (3, 2)
        assert module._best_move(0, np.array([1, 2]), self.BELOW, right) == (1, 1)
        assert module._climb(np.array([0, 4]), self.BELOW, right)[0].tolist() == [3, 4]

    def test_of_a_climb_that_starts_at_the_best_first_threshold(self) -> None:
        """The second one is moved nevertheless."""
        below = np.array([[0.0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]])

        def right(stack: np.ndarray) -> np.ndarray:
            return stack.trace()

        places, value = module._climb(np.array([1, 3]), below, right)
        assert (places.tolist(), value) == ([1, 2], 3)

    def test_of_the_starts_of_a_search(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """By absolute error, by the sizes of the classes, and the best of every other place."""

        def right(stack: np.ndarray) -> np.ndarray:
            return stack.trace()

        monkeypatch.setattr(module, "MOST_COMBINATIONS", 6)
        # the classes of the rows are 0, 1, 0 and 2, from the lowest score up
        starts = list(module._starts(self.BELOW, right))
        assert [start.tolist() for start in starts] == [[1, 3], [2, 3], [0, 2]]

    def test_of_searches_that_are_equally_good(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The first search wins: the one that started from the lowest absolute error."""
        true, scores = [0, 1, 0, 1, 1], [0.0, 1, 2, 3, 4]
        monkeypatch.setattr(module, "MOST_COMBINATIONS", 1)
        monkeypatch.setattr(module, "_climb", lambda start, below, merit: (start, 0.5))
        for starts, expected in (([1, 3], 0.5), ([3, 1], 2.5)):
            patched = [np.array([start]) for start in starts]
            monkeypatch.setattr(
                module, "_starts", lambda below, merit, starts=patched: iter(starts)
            )
            assert best_thresholds(true, scores, 2, metric="kappa").tolist() == [expected]

    def test_of_searches_the_best_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        true, scores = [0, 1, 0, 1, 1], [0.0, 1, 2, 3, 4]
        monkeypatch.setattr(module, "MOST_COMBINATIONS", 1)
        monkeypatch.setattr(module, "_climb", lambda start, below, merit: (start, start[0] / 4))
        for places in ([1, 3, 2], [3, 1, 2], [1, 2, 3]):
            starts = [np.array([place]) for place in places]
            monkeypatch.setattr(module, "_starts", lambda below, merit, s=starts: iter(s))
            assert best_thresholds(true, scores, 2, metric="kappa").tolist() == [2.5]


class TestNumberOfCombinations:
    """All are tried if there are few; this says how many there are, and how many are few."""

    @pytest.mark.parametrize(("n_places", "n_classes"), [(1, 2), (5, 2), (4, 3), (3, 5), (2, 6)])
    def test_of_places(self, n_places: int, n_classes: int) -> None:
        listed = list(itertools.combinations_with_replacement(range(n_places), n_classes - 1))
        assert module._n_combinations(n_places, n_classes) == len(listed)
        assert module._combinations(n_places, n_classes - 1).tolist() == [list(c) for c in listed]

    def test_that_are_few(self) -> None:
        """As many as make at most 200,000 matrices and 2**25 cells."""
        assert [module._most_combinations(k) for k in (2, 12)] == [200_000] * 2
        assert module._most_combinations(16) == 2**25 // 16**2 == 131_072


HOW = [{"costs": absolute(3)}, {"metric": "mae"}, {"metric": "kappa"}, {"metric": KAPPA}]


@pytest.mark.parametrize("how", HOW)
class TestInvariances:
    @pytest.fixture
    def sample(self) -> tuple[Any, Any]:
        true, scores = random_sample(60, 3, seed=3)
        return true, np.round(scores * 4) / 4

    @pytest.fixture(params=[True, False], ids=["exact", "search"], autouse=True)
    def exact(self, request: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        if not request.param:
            monkeypatch.setattr(module, "MOST_COMBINATIONS", 30)

    def test_order_of_rows(self, how: Any, sample: Any) -> None:
        true, scores = sample
        rng = np.random.default_rng(0)
        weights = rng.random(60)
        for _ in range(3):
            order = rng.permutation(60)
            for given_weights in (None, weights):
                shuffled = None if given_weights is None else weights[order]
                expected = best_thresholds(true, scores, 3, sample_weight=given_weights, **how)
                actual = best_thresholds(
                    true[order], scores[order], 3, sample_weight=shuffled, **how
                )
                assert actual.tolist() == expected.tolist()

    def test_weights_are_repetitions(self, how: Any, sample: Any) -> None:
        true, scores = sample
        times = np.random.default_rng(0).integers(0, 4, 60)
        expected = best_thresholds(true.repeat(times), scores.repeat(times), 3, **how)
        without = np.where(times > 0, scores, NAN)  # rows that do not count need no valid values
        actual = best_thresholds(true, without, 3, sample_weight=times, **how)
        assert actual.tolist() == expected.tolist()

    def test_shift(self, how: Any, sample: Any) -> None:
        true, scores = sample
        expected = best_thresholds(true, scores, 3, **how) + 16
        assert best_thresholds(true, scores + 16, 3, **how).tolist() == expected.tolist()

    def test_monotone_transforms(self, how: Any, sample: Any) -> None:
        true, scores = sample
        expected = classify(scores, best_thresholds(true, scores, 3, **how))
        for transformed in (np.exp(scores), scores**3, np.arctan(scores)):
            codes = classify(transformed, best_thresholds(true, transformed, 3, **how))
            assert codes.tolist() == expected.tolist()

    def test_rows_that_do_not_count(self, how: Any, sample: Any) -> None:
        true, scores = sample
        expected = best_thresholds(true, scores, 3, **how)
        more = [*true, -1, -1], [*scores, NAN, 0.01]
        assert best_thresholds(*more, 3, **how).tolist() == expected.tolist()

    def test_input_stays(self, how: Any, sample: Any) -> None:
        true, scores = sample
        before = true.copy(), scores.copy()
        true.flags.writeable = scores.flags.writeable = False
        best_thresholds(true, scores, 3, **how)
        assert (true == before[0]).all() and (scores == before[1]).all()

    def test_absent_classes(self, how: Any) -> None:
        actual = best_thresholds([0, 0, 2, 2], [0, 1, 2, 3], 3, **how)
        assert classify([0, 1, 2, 3], actual).tolist() == [0, 0, 2, 2]
        assert actual.tolist() == [1.5, 1.5]


@pytest.mark.parametrize("far", [2**53 + 1, -(2**53) - 1, 2**60])
def test_integers_that_floats_cannot_tell_apart(far: int) -> None:
    """As scores and as thresholds they raise an error; the largest exact floats do not."""
    for numbers in ([far, 0], np.array([far, 0])):
        with pytest.raises(ValueError, match=r"scores hold integers beyond 2\*\*53"):
            best_thresholds([0, 1], numbers, 2, metric="mae")
    with pytest.raises(ValueError, match=r"thresholds hold integers beyond 2\*\*53"):
        classify([0.5], sorted([0, far]))
    near = far // abs(far) * 2**53
    assert classify([near - 1.0, near + 2.0], [near]).tolist() == [0, 1]
    actual = best_thresholds([0, 1], sorted([0, near]), 2, metric="mae")
    assert actual.tolist() == [near / 2]


class TestPlaces:
    """Where the thresholds lie between two scores, of classes 0 and 1."""

    @staticmethod
    def between(low: float, high: float) -> float:
        actual = best_thresholds([0, 1], [low, high], 2, metric="accuracy")
        assert classify([low, high], actual).tolist() == [0, 1]
        return float(actual[0])

    @pytest.mark.parametrize(
        ("low", "high", "expected"),
        [
            (1.0, 2.0, 1.5),
            (-INF, 2.0, -INF),
            (2.0, INF, 2.0),
            (-INF, INF, -INF),
            (1.0, math.nextafter(1, 2), 1.0),
            (math.nextafter(1, 0), 1.0, math.nextafter(1, 0)),
            (1.5e308, 1.7e308, 1.6e308),
            (-1.7e308, 1.7e308, 0.0),
            (0.0, 5e-324, 0.0),
            (-5e-324, 0.0, -5e-324),
            (5e-324, 1e-323, 5e-324),
        ],
    )
    def test_between(self, low: float, high: float, expected: float) -> None:
        assert self.between(low, high) == expected

    def test_outside(self) -> None:
        assert best_thresholds([0, 0], [1, 2], 3, metric="mae").tolist() == [INF, INF]
        assert best_thresholds([2, 2], [1, 2], 3, metric="mae").tolist() == [-INF, -INF]
        assert best_thresholds([1, 1], [1, 2], 3, metric="mae").tolist() == [-INF, INF]

    def test_equal_scores(self) -> None:
        costs = absolute(3)
        assert best_thresholds([0, 1, 1, 2], [7] * 4, 3, costs=costs).tolist() == [-INF, INF]
        assert best_thresholds([0, 0, 2], [7] * 3, 3, costs=costs).tolist() == [INF, INF]

    def test_infinite_scores(self) -> None:
        # a score of -inf is of the lowest class, whatever the thresholds
        assert best_thresholds([1, 1], [-INF, -INF], 2, metric="accuracy").tolist() == [INF]
        assert best_thresholds([1, 1], [INF, INF], 2, metric="accuracy").tolist() == [-INF]
        assert best_thresholds([1, 1], [-INF, 3], 2, metric="accuracy").tolist() == [-INF]

    def test_one_class(self) -> None:
        assert best_thresholds([0, 0], [1, 2], 1, costs=[[3]]).tolist() == []
        assert best_thresholds([0, 0], [1, 2], 1, metric="mae").tolist() == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"true": TRUE[1:]}, "do not match"),
        ({"true": [TRUE], "score": [SCORES]}, "for one sample"),
        ({"true": [0, 1, 2, 3, 0]}, "hold 3, which is not a code of 3 classes"),
        ({"true": [0, 1, 2, -2, 0]}, "hold -2, which is not a code"),
        ({"true": [0.0, 1.0, 2.0, 1.0, 0.0]}, "of integers, the codes 0 to 2, not float64"),
        ({"score": [*SCORES[:-1], NAN]}, "scores hold NaN in 1 row:"),
        ({"score": [NAN] * 5}, "scores hold NaN in 5 rows:"),
        ({"score": list("abcde")}, "score must be an array"),
        ({"n_classes": 0}, "n_classes=0 must be 1 or more"),
        ({"n_classes": 3.0}, "n_classes=3.0 must be an integer"),
        ({"sample_weight": [1, 2]}, "do not match"),
        ({"sample_weight": [1, 1, 1, 1, -1]}, "the first is -1"),
        ({"sample_weight": [1, 1, 1, 1, NAN]}, "the first is nan"),
        ({"sample_weight": [1e308] * 5}, "more than a float holds"),
        ({"sample_weight": ["a"] * 5}, "sample_weight as given must hold numbers"),
    ],
)
def test_wrong_samples(changes: dict[str, Any], message: str) -> None:
    sample = {"true": TRUE, "score": SCORES, "n_classes": 3} | changes
    with pytest.raises(ValueError, match=message):
        best_thresholds(**sample, metric="mae")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=message):
        roc_surface(**sample, thresholds=[0.5] * 2)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({}, "give either costs="),
        ({"costs": absolute(3), "metric": "mae"}, "give either costs="),
        ({"costs": absolute(4)}, r"costs of shape \(4, 4\) must be 3 x 3"),
        ({"costs": [[0, 1, NAN]] * 3}, "must hold finite numbers only"),
        ({"metric": "MAE"}, "unknown metric 'MAE'; did you mean 'mae'?"),
        ({"metric": max}, "is not a known metric"),
        ({"metric": functools.partial(max, key=len)}, "is not a known metric"),
        ({"metric": "bias"}, "bias has no direction"),
        ({"metric": "class_recall"}, "class_recall gives one number per class"),
        ({"metric": "interval_mae"}, "interval_mae needs edges"),
        ({"metric": "expected_cost"}, "expected_cost needs costs="),
        ({"metric": functools.partial(po.metrics.accuracy_within, k=-1)}, "k=-1"),
        ({"metric": functools.partial(po.metrics.kappa, weights="cubic")}, "weights='cubic'"),
    ],
)
def test_wrong_aims(how: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        best_thresholds(TRUE, SCORES, 3, **how)


def test_no_rows() -> None:
    for sample, weights in [(([], []), None), (([-1], [1.0]), None), (([0], [1.0]), [0])]:
        with pytest.raises(ValueError, match="no row counts"):
            best_thresholds(*sample, 3, metric="mae", sample_weight=weights)
