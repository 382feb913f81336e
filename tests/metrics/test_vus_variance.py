"""Variances of volumes: their definitions, published values, what is refused, and their rows."""

from __future__ import annotations

import itertools
import math
import warnings
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import ranking as oracle
from oracles.close import approx, assert_same
from oracles.samples import Sample, maybe_weighted, random_sample, samples, weights
from oracles.strategies import QUICK

from pandas_ordinal import metrics
from pandas_ordinal.metrics import vus_variance

NAN = math.nan
TIES = ["half", "strict"]
METHODS = ["first_order", "u_statistic"]


# Definitions --------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("ties", TIES)
@QUICK
@given(data=st.data())
def test_covariance_is_its_definition(method: str, ties: str, data: st.DataObject) -> None:
    sample = maybe_weighted(data, data.draw(samples(max_classes=3)))
    given: dict[str, Any] = {"ties": ties, "method": method}
    arrays = sample.true, sample.scores, sample.n_classes
    covariance = oracle.vus_cov(*arrays, other=sample.other, weights=sample.weights, **given)
    variance = oracle.vus_cov(*arrays, other=sample.scores, weights=sample.weights, **given)
    given["sample_weight"] = sample.weights
    assert_same(metrics.vus_cov(*arrays, other=sample.other, **given), covariance)
    error = metrics.vus_se(*arrays, **given)
    assert_same(error**2, variance if math.isnan(variance) else max(variance, Fraction(0)))


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("sizes", [(2, 2, 2, 2), (2, 3, 1, 3), (3, 2, 2, 2)])
def test_covariance_for_four_classes(method: str, ties: str, sizes: tuple[int, ...]) -> None:
    rng = np.random.default_rng(sum(sizes))
    true = np.repeat(np.arange(4), sizes)
    for n_scores, informative in itertools.product((1, 2, 3, 6), (0, 1)):
        one, two = rng.integers(0, n_scores, (2, len(true))) + informative * true
        actual = metrics.vus_cov(true, one, 4, other=two, ties=ties, method=method)
        assert_same(actual, oracle.vus_cov(true, one, 4, other=two, ties=ties, method=method))


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("sizes", [(2, 2), (3, 3), (2, 1, 2), (2, 2, 2), (1, 3, 2)])
def test_u_statistic_is_the_covariance_over_all_bootstrap_samples(
    ties: str, sizes: tuple[int, ...]
) -> None:
    rng = np.random.default_rng(sum(sizes))
    k, true = len(sizes), np.repeat(np.arange(len(sizes)), sizes)
    for n_scores in (2, 4):
        one, two = rng.integers(0, n_scores, (2, len(true))) + true
        own = oracle.by_class(true, one.tolist(), k, other=two.tolist())
        expected = oracle.bootstrap_covariance(own, ties)
        assert oracle.u_statistic(own, ties) == expected
        options: dict[str, Any] = {"ties": ties, "method": "u_statistic"}
        assert metrics.vus_cov(true, one, k, other=two, **options) == approx(float(expected))


def test_a_grid_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has a cell a pair of values that the scores take, and that for each pair of classes."""
    true, one, other = [0, 0, 0, 1, 1, 1], [0, 1, 2, 3, 4, 5], [0, 1, 2, 0, 1, 2]
    monkeypatch.setattr(vus_variance, "LARGEST_GRID", 6 * 3 * 2**2)
    metrics.vus_cov(true, one, 2, other=other, method="u_statistic")
    monkeypatch.setattr(vus_variance, "LARGEST_GRID", 6 * 3 * 2**2 - 1)
    with pytest.raises(ValueError, match="takes memory with the square of 6 rows"):
        metrics.vus_cov(true, one, 2, other=other, method="u_statistic")


def test_a_class_of_a_single_row() -> None:
    """Its placements have no variance to first order; the U-statistic has one."""
    true, scores = [0, 0, 1, 2, 2], [1, 4, 2, 3, 5]
    assert math.isnan(metrics.vus_se(true, scores, 3))
    assert math.isnan(metrics.vus_cov(true, scores, 3, other=scores))
    expected = oracle.vus_cov(true, scores, 3, other=scores, method="u_statistic")
    assert expected > 0
    assert metrics.vus_se(true, scores, 3, method="u_statistic") ** 2 == approx(float(expected))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("ties", TIES)
@QUICK
@given(data=st.data())
def test_difference_of_two_volumes(method: str, ties: str, data: st.DataObject) -> None:
    """Of a score with itself it has no variance; the covariance is symmetric."""
    sample = maybe_weighted(data, data.draw(samples(max_classes=3)))
    k, f, g = sample.n_classes, sample.scores, sample.other
    options: dict[str, Any] = {"ties": ties, "method": method, "sample_weight": sample.weights}
    both = metrics.vus_cov(sample.true, f, k, other=g, **options)
    assert both == approx(metrics.vus_cov(sample.true, g, k, other=f, **options))
    one, two = (metrics.vus_se(sample.true, x, k, **options) for x in (f, g))
    assert math.isnan(both) or method == "u_statistic" or abs(both) <= one * two + 1e-12
    own = metrics.vus_cov(sample.true, f, k, other=f, **options)
    assert math.isnan(own) == math.isnan(one)
    assert math.isnan(own) or max(own, 0) == approx(one**2)


# Published values ---------------------------------------------------------------------------


OWN = [0, 0, 0, 1, 1, 1, 2, 2, 2, 2], [0.1, 0.4, 0.35, 0.3, 0.5, 0.8, 0.6, 0.45, 0.9, 0.7]
FIVE = np.repeat(np.arange(5), 3), [1, 2, 3, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5]
SIX = [0, 1, 0, 2, 1, 2]


@pytest.mark.parametrize("ties", TIES)
def test_ten_rows_of_three_classes(ties: str) -> None:
    """As the package VUROCS has it; there are no ties."""
    assert metrics.vus(*OWN, 3, ties=ties) == pytest.approx(0.444444444444, abs=1e-12)
    exact = metrics.vus_se(*OWN, 3, ties=ties, method="u_statistic")
    assert exact**2 == pytest.approx(0.0493398491084, abs=1e-13)
    assert metrics.vus_se(*OWN, 3, ties=ties) ** 2 == pytest.approx(0.0547839506, abs=1e-10)


def test_two_scores_of_six_rows() -> None:
    """As the package VUROCS has it."""
    one, two = [1, 2, 3, 4, 5, 6], [1, 3, 2, 4, 6, 5]
    options: dict[str, Any] = {"ties": "strict", "method": "u_statistic"}
    assert metrics.vus(SIX, one, 3) == approx(0.5)
    assert metrics.vus(SIX, two, 3) == approx(0.5)
    assert metrics.vus_se(SIX, one, 3, **options) ** 2 == approx(0.09375)
    assert metrics.vus_cov(SIX, one, 3, other=two, **options) == approx(0)


def test_fifteen_rows_of_five_classes() -> None:
    """As the package VUROCS has it, to which ties count nothing."""
    assert metrics.vus(*FIVE, 5, ties="strict") == approx(1 / 3)
    assert metrics.vus(*FIVE, 5) == approx(1 / 2)
    error = metrics.vus_se(*FIVE, 5, ties="strict", method="u_statistic")
    assert error**2 == pytest.approx(0.0740740740741, abs=1e-12)


# What is refused ----------------------------------------------------------------------------

ROWS = [0, 1, 2, 0], [1.0, 2, 3, 4], 3


@pytest.mark.parametrize("method", ["x", "First_order", None])
def test_bad_method(method: Any) -> None:
    for rows in (ROWS, ([], [], 3)):
        with pytest.raises(ValueError, match='"first_order" or "u_statistic"'):
            metrics.vus_se(*rows, method=method)
        with pytest.raises(ValueError, match='"first_order" or "u_statistic"'):
            metrics.vus_cov(*rows, other=rows[1], method=method)


@pytest.mark.parametrize("rows", [ROWS, ([], [], 3)], ids=["rows", "no rows"])
def test_the_other_score_has_no_default(rows: Any) -> None:
    with pytest.raises(TypeError):
        metrics.vus_cov(*rows)  # type: ignore[call-arg]


@pytest.mark.parametrize("other", [[1, 2, 3], [1, NAN, 2, 3], list("abcd"), 1, None], ids=str)
def test_bad_other_score(other: Any) -> None:
    with pytest.raises(ValueError):
        metrics.vus_cov(*ROWS, other=other)


@pytest.mark.parametrize("name", ["vus_se", "vus_cov"])
def test_too_many_rows_for_the_u_statistic(name: str) -> None:
    """The grid of both scores would take gigabytes; a score with few values takes little."""
    rng = np.random.default_rng(0)
    true, scores = np.arange(30_000) % 3, rng.random(30_000)

    def error(scores: np.ndarray) -> Any:
        given = {"other": scores} if name == "vus_cov" else {}
        return getattr(metrics, name)(true, scores, 3, method="u_statistic", **given)

    with pytest.raises(ValueError, match="first_order"):
        error(scores)
    assert error(np.floor(scores * 20)) > 0


# Rows, and arrays of them -------------------------------------------------------------------


def call(name: str, sample: Sample, **given: Any) -> Any:
    if name == "vus_cov":
        given["other"] = sample.other
    arrays = sample.true, sample.scores, sample.n_classes, sample.weights
    value = getattr(metrics, name)(*arrays, **given)
    return value**2 if name == "vus_se" else value  # the root is right to half as many digits


WAYS = [
    pytest.param(name, {"method": method, "ties": ties}, id=f"{name}-{method}-{ties}")
    for name, method, ties in itertools.product(["vus_se", "vus_cov"], METHODS, TIES)
]
every_way = pytest.mark.parametrize(("name", "way"), WAYS)


@every_way
@pytest.mark.parametrize("n_rows", [0, 1, 11])
def test_leading_dimensions(name: str, way: dict[str, Any], n_rows: int) -> None:
    for k, leading in itertools.product((1, 3), [(), (2, 2), (0,), (2, 0)]):
        sample = random_sample(k, k, *leading, n_rows)
        weighted = sample.weighted(np.random.default_rng(0).integers(0, 3, sample.true.shape))
        for stack in (sample, weighted):
            actual = call(name, stack, **way)
            assert np.shape(actual) == leading and actual.dtype == np.float64
            for position in np.ndindex(leading):
                assert_same(actual[position], call(name, stack.at(position), **way))
            assert n_rows or np.isnan(actual).all()


@every_way
def test_broadcasting(name: str, way: dict[str, Any]) -> None:
    full = random_sample(3, 3, 4, 2, 12).weighted(np.ones((4, 2, 12)))
    for part in (
        {"true": full.true[0, 0]},
        {"scores": full.scores[0, :1], "other": full.other[:, :1]},
        {"true": full.true[:1], "weights": full.weights[:, :1]},
    ):
        repeated = {key: np.broadcast_to(one, full.true.shape) for key, one in part.items()}
        actual = call(name, replace(full, **part), **way)
        assert_same(actual, call(name, replace(full, **repeated), **way))


@every_way
@QUICK
@given(data=st.data())
def test_rows(name: str, way: dict[str, Any], data: st.DataObject) -> None:
    """Weights are repetitions; the order of the rows, and those of class -1, count nothing."""
    sample = data.draw(samples())
    times = data.draw(weights(len(sample.true)))
    repeated = sample.take(np.repeat(np.arange(len(times)), times))
    expected = call(name, repeated, **way)
    assert_same(call(name, sample.weighted(times), **way), expected)
    order = np.array(data.draw(st.permutations(range(len(times)))), int)
    assert_same(call(name, sample.weighted(times).take(order), **way), expected)
    left_out = replace(sample, true=np.where(times > 0, sample.true, -1))
    left_out.scores[times == 0] = left_out.other[times == 0] = NAN
    assert_same(call(name, left_out.weighted(times), **way), expected)


@every_way
@QUICK
@given(sample=samples(min_classes=2))
def test_nothing_but_the_order_of_scores_and_classes_counts(
    name: str, way: dict[str, Any], sample: Sample
) -> None:
    expected, k = call(name, sample, **way), sample.n_classes
    for function in (np.exp, lambda x: x.astype(np.int8), lambda x: x.astype(int) + 2**60):
        bent = replace(sample, scores=function(sample.scores), other=function(sample.other))
        assert_same(call(name, bent, **way), expected)
    turned = replace(sample, true=k - 1 - sample.true, scores=-sample.scores, other=-sample.other)
    assert_same(call(name, turned, **way), expected)
    one_more = replace(sample, proba=np.insert(sample.proba, k, 0, axis=-1))
    assert math.isnan(call(name, one_more, **way))


@every_way
def test_lists_series_and_what_is_read_only(name: str, way: dict[str, Any]) -> None:
    sample = random_sample(2, 3, 12).weighted(np.arange(12.0))
    expected = call(name, sample, **way)
    arrays = [sample.true, sample.scores, sample.other]
    for array in arrays:
        array.flags.writeable = False
    index = np.arange(12) * 3 + 5
    for kind in (np.asarray, np.ndarray.tolist, lambda one: pd.Series(one, index)):
        given = Sample(*map(kind, arrays), sample.proba, kind(sample.weights))
        assert_same(call(name, given, **way), expected)
    bad = Sample(*(pd.Series(one, index) for one in arrays), sample.proba)
    with pytest.raises(ValueError, match="different labels"):
        call(name, replace(bad, scores=bad.scores[::-1]), **way)


@every_way
def test_undefined_is_silent(name: str, way: dict[str, Any]) -> None:
    sample = random_sample(1, 3, 4, 8)
    sample.true[0], sample.true[1], sample.true[2] = 0, -1, [0, 0, 0, 0, 1, 1, 1, 2]
    sample.scores[3, ::2], sample.other[3, ::2] = np.inf, -np.inf
    heavy = np.resize([0, 1e-300, 1e150], (4, 8))
    with warnings.catch_warnings(), np.errstate(all="warn"):
        warnings.simplefilter("error")
        assert np.isnan(call(name, sample, **way)[:2]).all()
        call(name, sample.weighted(heavy), **way)


@every_way
def test_parts_and_blocks_do_not_matter(
    name: str, way: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    stacks = random_sample(4, 3, 90, n_scores=40), random_sample(4, 3, 40, 30)
    expected = [call(name, stack, **way) for stack in stacks]
    monkeypatch.setattr("pandas_ordinal.counting.arrays.ROWS_A_BLOCK", 8)
    for stack, value in zip(stacks, expected, strict=True):
        assert_same(call(name, stack, **way), value)


@every_way
def test_the_best_score_is_certain(name: str, way: dict[str, Any]) -> None:
    true = np.repeat(np.arange(3), [3, 2, 4])
    sample = Sample(true, true, 2 * true, np.eye(3)[true])
    assert call(name, sample, **way) == approx(0)
