"""Kernels of scores: against their definitions, published values and closed forms."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from oracles import ranking as oracle
from oracles.close import approx, assert_same
from oracles.rows import confusion
from oracles.samples import Sample, maybe_weighted, random_sample, samples, weights
from oracles.strategies import QUICK, matrices
from scipy import integrate, stats
from sklearn.metrics import roc_auc_score

from pandas_ordinal import metrics

NAN = math.nan
TIES = ["half", "strict"]
PLAIN = ["vus", "pairwise_auc", "consecutive_auc", "u_ovo", "u_pairs", "u_cons"]


def relative_error(actual: float, expected: Fraction) -> float:
    return abs(float(Fraction(float(actual)) / expected - 1))


# Definitions --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("ties", TIES)
@QUICK
@given(data=st.data())
def test_kernel_is_its_definition(name: str, ties: str, data: st.DataObject) -> None:
    sample = maybe_weighted(data, data.draw(samples()))
    actual = getattr(metrics, name)(
        sample.true, sample.scores, sample.n_classes, ties=ties, sample_weight=sample.weights
    )
    expected = getattr(oracle, name)(
        sample.true, sample.scores, sample.n_classes, ties=ties, weights=sample.weights
    )
    assert_same(actual, expected)


@pytest.mark.parametrize("ties", TIES)
@QUICK
@given(sample=samples())
def test_exact_oracle_is_the_definition(ties: str, sample: Sample) -> None:
    """The fast exact oracle, from counts at each score, of large samples."""
    assume(len(set(sample.true)) == sample.n_classes)
    counts = confusion(sample.true, sample.scores, sorted({*sample.true, *sample.scores}))
    table = [counts[i].tolist() for i in np.argwhere(counts.sum(axis=1) > 0)[:, 0]]
    arrays = sample.true, sample.scores, sample.n_classes
    assert oracle.exact_vus(table, ties) == oracle.vus(*arrays, ties=ties)
    if len(set(sample.scores)) == len(sample.scores):
        codes = sample.true[np.argsort(sample.scores)].tolist()
        assert oracle.exact_untied_vus(codes, sample.n_classes) == oracle.vus(*arrays)


ABSENT = [absent for n in (1, 2, 3) for absent in itertools.combinations(range(4), n)]


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("absent", ABSENT, ids=str)
@pytest.mark.parametrize("n_scores", [1, 2, 9])
def test_absent_classes(ties: str, absent: tuple[int, ...], n_scores: int) -> None:
    """With any number of different scores."""
    present = [k for k in range(4) if k not in absent]
    true = np.array(present * 3)
    scores = np.arange(len(true)) * 7 % n_scores
    renumbered = np.array(list(range(len(present))) * 3)
    given: dict[str, Any] = {"ties": ties}
    assert math.isnan(metrics.vus(true, scores, 4, **given))
    for name in ("u_ovo", "u_pairs", "u_cons"):
        kernel = getattr(metrics, name)
        assert kernel(true, scores, 4, **given) == approx(
            kernel(renumbered, scores, len(present), **given)
        )
    areas = metrics.pairwise_auc(true, scores, 4, **given)
    assert_same(
        areas[np.ix_(present, present)],
        metrics.pairwise_auc(renumbered, scores, len(present), **given),
    )
    assert np.isnan(areas[list(absent)]).all()
    assert np.isnan(areas[:, list(absent)]).all()
    assert_same(
        metrics.consecutive_auc(true, scores, 4, **given),
        oracle.consecutive_auc(true, scores, 4, ties=ties),
    )


def test_one_class() -> None:
    """Every sequence of one row ascends; there are no pairs."""
    for ties in TIES:
        assert metrics.vus([0, 0], [3, 1], 1, ties=ties) == 1
        for name in ("u_ovo", "u_pairs", "u_cons"):
            assert math.isnan(getattr(metrics, name)([0, 0], [3, 1], 1, ties=ties))
        assert np.isnan(metrics.pairwise_auc([0, 0], [3, 1], 1, ties=ties)).all()
        assert np.isnan(metrics.consecutive_auc([0, 0], [3, 1], 1, ties=ties)).all()


# Other implementations ----------------------------------------------------------------------


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_scores", [2, 5, 1000])
def test_two_classes_are_the_area_under_the_roc_curve(weighted: bool, n_scores: int) -> None:
    rng = np.random.default_rng(n_scores)
    true = rng.integers(0, 2, 200)
    scores = rng.integers(0, n_scores, 200) + n_scores * true / 5
    weight = rng.integers(0, 4, 200) / 2 if weighted else None
    expected = roc_auc_score(true, scores, sample_weight=weight)
    for name in ("vus", "u_ovo", "u_pairs", "u_cons"):
        actual = getattr(metrics, name)(true, scores, 2, sample_weight=weight)
        assert actual == approx(expected)
    areas = metrics.pairwise_auc(true, scores, 2, sample_weight=weight)
    assert_same(areas, [[NAN, expected], [NAN, NAN]])
    splits = metrics.consecutive_auc(true, scores, 2, sample_weight=weight)
    assert_same(splits, [expected, NAN])


@pytest.mark.parametrize("n_scores", [2, 6, 1000])
def test_pairs_and_splits_are_areas_under_roc_curves(n_scores: int) -> None:
    rng = np.random.default_rng(n_scores)
    true = rng.choice(4, 300, p=[0.5, 0.1, 0.1, 0.3])
    scores = rng.integers(0, n_scores, 300) + n_scores * true / 9
    pairs = {
        (k, m): roc_auc_score(
            true[(true == k) | (true == m)] == m, scores[(true == k) | (true == m)]
        )
        for k, m in itertools.combinations(range(4), 2)
    }
    splits = [roc_auc_score(true > k, scores) for k in range(3)]
    areas = metrics.pairwise_auc(true, scores, 4)
    assert {pair: areas[pair] for pair in pairs} == approx(pairs)
    assert metrics.u_ovo(true, scores, 4) == approx(np.mean(list(pairs.values())))
    assert_same(metrics.consecutive_auc(true, scores, 4), [*splits, NAN])
    assert metrics.u_cons(true, scores, 4) == approx(np.mean(splits))
    d = stats.somersd(true, scores).statistic
    assert metrics.u_pairs(true, scores, 4) == approx((d + 1) / 2)


# Published values ---------------------------------------------------------------------------


def test_classes_that_score_the_same() -> None:
    """As the package trinROC has it."""
    true, scores = np.repeat(np.arange(3), 5), np.tile(np.arange(1, 6), 3)
    assert metrics.vus(true, scores, 3) == pytest.approx(0.167, abs=5e-4)
    assert metrics.vus(true, scores, 3) == approx(1 / 6)
    assert metrics.vus(true, scores, 3, ties="strict") == approx(10 / 125)


def test_six_rows_and_their_extremes() -> None:
    true, scores = [0, 0, 1, 1, 2, 2], np.array([1, 2, 2, 3, 3, 4])
    assert metrics.vus(true, scores, 3) == approx(0.75)
    assert metrics.vus(true, scores, 3, ties="strict") == approx(0.5)
    assert metrics.vus(true, np.ones(6), 3) == approx(1 / 6)
    assert metrics.vus(true, np.ones(6), 3, ties="strict") == 0
    for ties in TIES:
        assert metrics.vus(true, true, 3, ties=ties) == 1
        assert metrics.vus(true, np.negative(true), 3, ties=ties) == 0
    assert math.isnan(metrics.vus(true, scores, 4))


@pytest.mark.parametrize(
    ("true", "weight"),
    [
        ([0, 0, 1, 1, 1, 2], [0.2, 0.1, 0.5, 0.9, 0.2, 0.5]),
        ([0, 0, 1, 1, 1, 2], [0.2, 0.3, 0.5, 0.2, 0.2, 0.4]),
        ([0, 1, 1, 1, 2, 2], [0.7, 0.6, 0.3, 0.1, 0.9, 0.5]),
    ],
)
def test_no_volume_exceeds_one_however_weights_are_rounded(
    true: list[int], weight: list[float]
) -> None:
    found = metrics.vus(true, np.arange(6), 3, weight)
    assert found == approx(1) and found <= 1


@pytest.mark.parametrize("k", range(1, 8))
def test_equal_scores(k: int) -> None:
    assert metrics.vus(range(k), np.zeros(k), k) == approx(1 / math.factorial(k))
    assert metrics.vus(range(k), np.zeros(k), k, ties="strict") == (k == 1)


@pytest.mark.parametrize("weight", [1e-309, 1e-300, 1e300, 1.6e308])
def test_equal_scores_of_rows_that_weigh_almost_nothing_or_very_much(weight: float) -> None:
    for pair in ([weight, 1], [1, weight], [weight, weight / 10]):
        assert metrics.vus([0, 1], [3, 3], 2, pair) == approx(1 / 2)
        assert metrics.vus_summary([0, 1], [3, 3], 2, sample_weight=pair)[0, 2] == approx(1 / 2)


def test_classes_are_not_put_in_the_order_of_their_scores() -> None:
    """As a public script does, which gives 0.5 for either."""
    true, scores = [0, 0, 1, 1, 2, 2], np.array([0.1, 0.5, 0.3, 0.6, 0.5, 0.9])
    assert metrics.vus(true, scores, 3, ties="strict") == approx(0.5)
    assert metrics.vus(true, -scores, 3, ties="strict") == 0


def test_jonckheere_terpstra() -> None:
    """As the package DescTools has it: the statistic over all pairs, with ties as a half."""
    groups = np.array([20, 25, 25, 25, 25, 30, 30, 30, 35, 35])
    x = [48, 33, 59, 48, 56, 60, 101, 67, 85, 107]
    sizes = [1, 4, 3, 2]
    n_pairs = sum(a * b for a, b in itertools.combinations(sizes, 2))
    assert metrics.u_pairs((groups - 20) // 5, x, 4) * n_pairs == approx(32.5)


# Relations ----------------------------------------------------------------------------------


@pytest.mark.parametrize("ties", TIES)
def test_all_pairs_weigh_the_pairs_of_classes_by_their_number(ties: str) -> None:
    """Eq. 19."""
    true = np.repeat(np.arange(4), [5, 1, 9, 3])
    scores = np.random.default_rng(0).integers(0, 6, (20, len(true)))
    sizes = np.bincount(true)
    upper = np.triu_indices(4, 1)
    areas = metrics.pairwise_auc(true, scores, 4, ties=ties)[:, *upper]
    expected = np.average(areas, axis=-1, weights=np.outer(sizes, sizes)[upper])
    actual = metrics.u_pairs(true, scores, 4, ties=ties)
    assert_same(actual, expected)
    assert (np.abs(actual - metrics.u_ovo(true, scores, 4, ties=ties)) > 1e-3).any()


@pytest.mark.parametrize("ties", TIES)
def test_all_pairs_are_the_mean_of_pairs_of_classes_if_balanced(ties: str) -> None:
    true = np.repeat(np.arange(4), 6)
    scores = np.random.default_rng(0).integers(0, 6, (20, len(true)))
    assert_same(
        metrics.u_pairs(true, scores, 4, ties=ties), metrics.u_ovo(true, scores, 4, ties=ties)
    )


@pytest.mark.parametrize("sizes", [(3, 3), (1, 4), (2, 2, 2), (1, 2, 3), (2, 1, 1, 2)], ids=str)
def test_expected_value_of_a_random_score(sizes: tuple[int, ...]) -> None:
    """Lemma 3.3, by all orders of the rows."""
    k, true = len(sizes), np.repeat(np.arange(len(sizes)), sizes)
    scores = np.array(list(itertools.permutations(range(len(true)))))
    for ties in TIES:
        volumes = metrics.vus(true, scores, k, ties=ties)
        assert volumes.mean() == approx(1 / math.factorial(k))
        for name in ("u_ovo", "u_pairs", "u_cons"):
            assert getattr(metrics, name)(true, scores, k, ties=ties).mean() == approx(0.5)
        areas = metrics.pairwise_auc(true, scores, k, ties=ties).mean(axis=0)
        assert areas[np.triu_indices(k, 1)] == approx(0.5)


@pytest.mark.parametrize("distance", range(6))
def test_gaussian_classes(distance: int) -> None:
    """Class k is N(k d, 1): figure 3 of the paper, by quantiles instead of random rows.

    The distribution of n such quantiles is nowhere further than 1 / (2 n) off the normal one, ties
    counting a half. Replacing the distributions in the probability of an ascending sequence, class
    by class, adds an error of that times the variation of the integrand: at most 2 for the middle
    one of three classes and 1 for any other, 2 / n in total.
    """
    n, d = 2000, distance
    quantiles = stats.norm.ppf((np.arange(n) + 0.5) / n)
    phi, density = stats.norm.cdf, stats.norm.pdf
    triples, _ = integrate.quad(lambda x: density(x) * phi(x + d) * phi(d - x), -12, 12)
    for k, expected in ((2, phi(d / math.sqrt(2))), (3, triples)):
        true = np.repeat(np.arange(k), n)
        scores = np.concatenate([quantiles + d * c for c in range(k)])
        assert metrics.vus(true, scores, k) == pytest.approx(expected, rel=0, abs=2 / n)
    splits = metrics.pairwise_auc(true, scores, 3)
    for k, m in itertools.combinations(range(3), 2):
        exact = phi((m - k) * d / math.sqrt(2))
        assert splits[k, m] == pytest.approx(exact, rel=0, abs=1 / n)


@QUICK
@given(counts=matrices(min_classes=2))
def test_predicted_classes_as_a_score(counts: np.ndarray) -> None:
    """Measures of association count the same pairs."""
    true, pred = np.repeat(np.argwhere(counts >= 0), counts.ravel(), axis=0).T
    k = len(counts)
    half = metrics.u_pairs(true, pred, k)
    right = metrics.u_pairs(true, pred, k, ties="strict")
    wrong = metrics.u_pairs(true, -pred, k, ties="strict")
    assert metrics.ndpm(counts) == approx(1 - half)
    assert metrics.somers_d(counts) == approx(2 * half - 1)
    if right + wrong > 0:
        gamma = (right - wrong) / (right + wrong)
        assert metrics.goodman_kruskal_gamma(counts) == approx(gamma)
    else:
        assert math.isnan(metrics.goodman_kruskal_gamma(counts))


# Large samples ------------------------------------------------------------------------------


@pytest.mark.parametrize("rows_a_class", [5_000, 50_000])
@pytest.mark.parametrize("sign", [1, -1])
def test_twelve_large_classes(rows_a_class: int, sign: int) -> None:
    """The negated score ascends in a share of the sequences that is far below 1e-16."""
    rng = np.random.default_rng(rows_a_class)
    true = np.repeat(np.arange(12, dtype=np.int8), rows_a_class)
    scores = sign * (true + rng.normal(scale=3, size=len(true)))
    assert len(np.unique(scores)) == len(scores)
    exact = oracle.exact_untied_vus(true[np.argsort(scores)].tolist(), 12)
    assert (exact < 1e-16) == (sign < 0)
    assert 0 < exact < 0.1
    for ties in TIES:
        assert relative_error(metrics.vus(true, scores, 12, ties=ties), exact) < 1e-12


@pytest.mark.parametrize("apart", [2, 4, 6])
def test_twelve_large_classes_that_are_well_apart(apart: int) -> None:
    """Thousands of nearly equal terms, each rounded the same way, must not add up to an error."""
    true = np.repeat(np.arange(12, dtype=np.int8), 20_000)
    scores = apart * true + np.random.default_rng(apart).normal(size=len(true))
    exact = oracle.exact_untied_vus(true[np.argsort(scores)].tolist(), 12)
    assert exact > 0.3
    assert relative_error(metrics.vus(true, scores, 12), exact) < 1e-13


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("scale", [1, 20])
def test_twelve_large_classes_with_heavy_ties(ties: str, sign: int, scale: int) -> None:
    """About 20 scores of a few thousand rows each, or some hundreds."""
    rng = np.random.default_rng(0)
    true = np.repeat(np.arange(12), 5000)
    scores = sign * np.round(scale * (true + rng.normal(scale=3, size=len(true)))).astype(int)
    table = np.zeros((12, np.ptp(scores) + 1), int)
    np.add.at(table, (true, scores - scores.min()), 1)
    exact = oracle.exact_vus(table.tolist(), ties)
    assert exact > 0
    assert relative_error(metrics.vus(true, scores, 12, ties=ties), exact) < 1e-12


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("n_scores", [170, 10**9])
def test_sizes_that_multiply_to_more_than_a_float_holds(ties: str, n_scores: int) -> None:
    n_classes, size = 160, 100
    assert size**n_classes > 1e308
    rng = np.random.default_rng(1)
    true = np.repeat(np.arange(n_classes), size)
    noisy = np.where(rng.random(len(true)) < 0.1, true + rng.uniform(-2, 2, len(true)), true)
    scores = np.round(noisy * n_scores / n_classes).astype(int)
    table = np.zeros((n_classes, len(np.unique(scores))), int)
    np.add.at(table, (true, np.searchsorted(np.unique(scores), scores)), 1)
    exact = oracle.exact_vus(table.tolist(), ties)
    assert 1e-300 < exact < 1
    assert relative_error(metrics.vus(true, scores, n_classes, ties=ties), exact) < 1e-12
    assert metrics.vus(true, true, n_classes, ties=ties) == 1
    assert metrics.vus(true, -true, n_classes, ties=ties) == 0


def test_pairs_of_large_samples() -> None:
    """Products of the sizes do not fit into 32-bit integers."""
    true = np.repeat(np.arange(3, dtype=np.int8), 100_000)
    scores = true.astype(np.int8)
    assert metrics.u_pairs(true, scores, 3) == 1
    assert metrics.u_pairs(true, np.zeros(len(true), np.int8), 3) == 0.5
    assert metrics.u_ovo(true, -scores, 3) == 0
    # 1,000 rows of the highest class score like the lowest one: half their pairs with it are lost
    scores[-1000:] = 0
    lost = Fraction(1000 * 100_000 // 2 + 1000 * 100_000, 3 * 100_000**2)
    assert metrics.u_pairs(true, scores, 3) == approx(float(1 - lost))


# Summaries ----------------------------------------------------------------------------------


@pytest.mark.parametrize("ties", TIES)
@QUICK
@given(data=st.data())
def test_summaries_of_ranges_multiply(ties: str, data: st.DataObject) -> None:
    """Split at every single place between different scores, and at all of them at once."""
    sample = data.draw(samples())
    k, weight = sample.n_classes, np.ones(len(sample.true))
    if data.draw(st.booleans()):
        weight = data.draw(weights(len(sample.true), 6)) / 2
    sizes = np.bincount(sample.true, weight, k)
    assume((sizes > 0).all())
    whole = oracle.summary(sample.true, sample.scores, sizes, ties=ties, weights=weight)
    volume = oracle.vus(sample.true, sample.scores, k, ties=ties, weights=weight)
    assert whole[0][-1] == volume

    def of(low: float, high: float) -> np.ndarray:
        rows = (low <= sample.scores) & (sample.scores < high)
        return metrics.vus_summary(
            sample.true[rows],
            sample.scores[rows],
            k,
            class_sizes=sizes,
            ties=ties,
            sample_weight=weight[rows],
        )

    different = np.unique(sample.scores)
    places = [-math.inf, *different[1:], math.inf]
    for cut in places:
        assert_same(of(-math.inf, cut) @ of(cut, math.inf), whole)
    product = np.eye(k + 1)
    for low, high in itertools.pairwise(places):
        summary = of(low, high)
        assert_same(summary, np.triu(summary), 0)
        assert (np.diag(summary) == 1).all()
        product = product @ summary
    assert_same(product, whole)
    assert metrics.vus_summary(sample.true, sample.scores, k, ties=ties, sample_weight=weight)[
        0, -1
    ] == approx(float(volume))


def test_summary_of_the_rows_there_are() -> None:
    """By hand: classes 0, 1 at scores 1 and 2, one row of class 1 at score 1 too."""
    expected = [[1, 1, 0.75], [0, 1, 1], [0, 0, 1]]
    assert_same(metrics.vus_summary([0, 1, 1], [1, 1, 2], 2), expected)
    strict = [[1, 1, 0.5], [0, 1, 1], [0, 0, 1]]
    assert_same(metrics.vus_summary([0, 1, 1], [1, 1, 2], 2, ties="strict"), strict)
    parts = [[1, 0.25, 0.75 / 8], [0, 1, 0.5], [0, 0, 1]]
    assert_same(metrics.vus_summary([0, 1, 1], [1, 1, 2], 2, class_sizes=[4, 4]), parts)
    wrong: list[Any] = [[4], [4, 4, 4], [-1, 4], [-1, -4], [[4, 4]]]
    for sizes in wrong:
        with pytest.raises(ValueError, match="must be 2 non-negative numbers, one per class"):
            metrics.vus_summary([0, 1, 1], [1, 1, 2], 2, class_sizes=sizes)


def test_summary_of_a_class_without_rows() -> None:
    """No sequence runs through it; those of the classes on either side are counted."""
    summary = metrics.vus_summary([0, 0, 2], [1, 2, 3], 3, class_sizes=[4, 0, 1])
    nan = np.nan
    due = [[1, 0.5, nan, nan], [0, 1, nan, nan], [0, 0, 1, 1], [0, 0, 0, 1]]
    np.testing.assert_array_equal(summary, due)


@pytest.mark.parametrize("ties", TIES)
def test_a_range_without_rows_is_the_identity(ties: str) -> None:
    for sizes in (None, [3, 1, 2]):
        given: dict[str, Any] = {"class_sizes": sizes, "ties": ties}
        assert_same(metrics.vus_summary([], [], 3, **given), np.eye(4), 0)
        nobody = metrics.vus_summary([[-1, -1], [0, 2]], [[1, NAN], [4, 3]], 3, **given)
        assert nobody.shape == (2, 4, 4)
        assert_same(nobody[0], np.eye(4), 0)
        assert not np.array_equal(nobody[1], np.eye(4), equal_nan=True)


@pytest.mark.parametrize("leading", [(), (3,), (2, 3), (0,), (2, 0)])
def test_leading_dimensions_of_summaries(leading: tuple[int, ...]) -> None:
    sample = random_sample(0, 3, *leading, 12)
    before = sample.true.copy(), sample.scores.copy()
    actual = metrics.vus_summary(sample.true, sample.scores, 3, class_sizes=[9, 9, 9])
    assert actual.shape == (*leading, 4, 4)
    assert actual.dtype == float
    for position in np.ndindex(leading):
        alone = sample.at(position)
        one = metrics.vus_summary(alone.true, alone.scores, 3, class_sizes=[9, 9, 9])
        assert_same(actual[position], one)
        assert_same(one, oracle.summary(alone.true, alone.scores, [9, 9, 9]))
    assert np.array_equal(before[0], sample.true)
    assert np.array_equal(before[1], sample.scores)


def test_summaries_of_many_rows_multiply() -> None:
    """More rows than are summarized at once, in ranges of very different lengths."""
    rng = np.random.default_rng(3)
    true = rng.integers(0, 5, 60_000)
    scores = np.round(true + rng.normal(scale=2, size=len(true)), 2)
    sizes = np.bincount(true)
    for ties in TIES:
        product = np.eye(6)
        for low, high in itertools.pairwise([-math.inf, -3, 0, 0.5, 4, 7, math.inf]):
            rows = (low <= scores) & (scores < high)
            product = product @ metrics.vus_summary(
                true[rows], scores[rows], 5, class_sizes=sizes, ties=ties
            )
        assert product[0, -1] == pytest.approx(metrics.vus(true, scores, 5, ties=ties), rel=1e-12)


@pytest.mark.parametrize("sizes", [[1, 2], [1, 2, 3, 4], [[1, 2, 3]], 3, [1, NAN, 2], list("abc")])
def test_bad_class_sizes(sizes: Any) -> None:
    with pytest.raises(ValueError, match="class_sizes"):
        metrics.vus_summary([0, 1, 2, 0], [1.0, 2, 3, 4], 3, class_sizes=sizes)
