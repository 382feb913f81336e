"""Variances of volumes and of their differences, against placements found by loops."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import ranking as oracle
from oracles import uncertainty
from oracles.close import assert_same
from oracles.samples import Sample, maybe_weighted, random_sample, samples
from oracles.strategies import QUICK

import pandas_ordinal as po
from pandas_ordinal import metrics

TIES = ["half", "strict"]
OWN = [0, 0, 0, 1, 1, 1, 2, 2, 2, 2], [0.1, 0.4, 0.35, 0.3, 0.5, 0.8, 0.6, 0.45, 0.9, 0.7]


def variance_in_report(true: Any, score: Any, n_classes: int, ties: str = "half") -> float:
    frame = pd.DataFrame({"y": true, "score": score})
    asked: dict[str, Any] = {"metrics": {"vus": partial(metrics.vus, ties=ties)}, "se": True}
    row = po.ordinal(frame).report("y", score="score", classes=range(n_classes), **asked)
    return row["vus_se"] ** 2


def difference(true: Any, one: Any, other: Any, n_classes: int, ties: str = "half") -> Any:
    frame = pd.DataFrame({"y": true, "a": one, "b": other})
    asked: dict[str, Any] = {"metrics": {"vus": partial(metrics.vus, ties=ties)}}
    found = po.ordinal(frame).compare("y", score=["a", "b"], classes=range(n_classes), **asked)
    return found.iloc[0]


@pytest.mark.parametrize("ties", TIES)
@QUICK
@given(sample=samples(min_classes=2, max_classes=3))
def test_the_variance_is_that_of_placements(ties: str, sample: Sample) -> None:
    true, scores, k = sample.true, sample.scores, sample.n_classes
    expected = oracle.vus_cov(true, scores, k, other=scores, ties=ties)
    if len(true):
        assert_same(variance_in_report(true, scores, k, ties), expected)


@pytest.mark.parametrize("ties", TIES)
@QUICK
@given(data=st.data())
def test_influences_make_the_covariance_of_two_volumes(ties: str, data: st.DataObject) -> None:
    sample = maybe_weighted(data, data.draw(samples(max_classes=3)))
    true, k, given = sample.true, sample.n_classes, sample.weights
    both = [sample.scores, sample.other]
    expected = oracle.vus_cov(true, both[0], k, other=both[1], ties=ties, weights=given)
    if math.isnan(expected):
        return
    asked: dict[str, Any] = {"sample_weight": given, "ties": ties}
    one, two = (po.influence(metrics.vus, true, scores, k, **asked) for scores in both)
    weights = np.ones(len(true)) if given is None else given
    sizes = np.bincount(true, weights, k)
    sums = np.bincount(true, weights * one * two, k)
    assert_same((sizes / (sizes - 1) * sums).sum(), expected)


@pytest.mark.slow
@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("sizes", [(2, 2, 2, 2), (2, 3, 2, 3), (3, 2, 2, 2)])
def test_the_variance_for_four_classes(ties: str, sizes: tuple[int, ...]) -> None:
    rng = np.random.default_rng(sum(sizes))
    true = np.repeat(np.arange(4), sizes)
    for n_scores in (1, 2, 3, 6):
        scores = rng.integers(0, n_scores, len(true)) + true
        expected = oracle.vus_cov(true, scores, 4, other=scores, ties=ties)
        assert_same(variance_in_report(true, scores, 4, ties), expected)


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("n_scores", [3, 50])
def test_the_variance_of_a_difference(ties: str, n_scores: int) -> None:
    """What rows add to either volume, subtracted, with a pseudo-row."""
    sample = random_sample(5, 3, 24, n_scores=n_scores)
    true, one, other = sample.true.tolist(), sample.scores.tolist(), sample.other.tolist()
    expected, _ = uncertainty.paired_se_of_vus(true, one, other, 3, ties)
    found = difference(true, one, other, 3, ties)
    assert found.se == pytest.approx(expected, rel=1e-9)
    again = difference(true, other, one, 3, ties)
    assert (again.se, again.difference) == pytest.approx((found.se, -found.difference))


@pytest.mark.parametrize("ties", TIES)
def test_ten_rows_of_three_classes(ties: str) -> None:
    """As the package VUROCS has the volume; there are no ties."""
    assert metrics.vus(*OWN, 3, ties=ties) == pytest.approx(0.444444444444, abs=1e-12)
    assert variance_in_report(*OWN, 3, ties) == pytest.approx(0.0547839506, abs=1e-10)


@QUICK
@given(sample=samples(min_classes=2))
def test_nothing_but_the_order_of_scores_and_classes_counts(sample: Sample) -> None:
    true, scores, k = sample.true, sample.scores, sample.n_classes
    if not len(true):
        return
    expected = variance_in_report(true, scores, k)
    for bent in (np.exp(scores), scores.astype(int) + 2**60):
        assert_same(variance_in_report(true, bent, k), expected)
    assert_same(variance_in_report(k - 1 - true, -scores, k), expected)
