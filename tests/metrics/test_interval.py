"""Classes that are intervals: costs and errors that know the lengths of the bins."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from oracles import interval
from oracles.strategies import QUICK, examples, matrices

import pandas_ordinal as po

INF, NAN = math.inf, math.nan
KERNELS: dict[str, tuple[str, dict[str, Any]]] = {
    "interval_total_cost": ("interval_total_cost", {}),
    "max_interval_total_cost": ("max_interval_total_cost", {}),
    "interval_stc": ("interval_stc", {}),
    "interval_cost_matrix": ("interval_cost_matrix", {}),
    "interval_lengths": ("interval_lengths", {}),
    "interval_mae": ("interval_mae", {}),
    "interval_mae-midpoint": ("interval_mae", {"distance": "midpoint"}),
    "interval_smae": ("interval_smae", {}),
    "interval_smae-midpoint": ("interval_smae", {"distance": "midpoint"}),
}
# The power of the unit of the edges in a value
UNITS = {name: int(name not in {"interval_stc"} and "smae" not in name) for name in KERNELS}
COUNTS = [[3, 1, 0], [0, 2, 1], [1, 0, 4]]
EDGES = [0, 1, 3, 7]
# Matrices A and B of the paper's toy example, with truth on the rows
TOY_A = [[3, 2, 0], [2, 2, 1], [1, 2, 2]]
TOY_B = [[3, 2, 0], [2, 2, 1], [2, 1, 2]]
every_kernel = pytest.mark.parametrize("name", KERNELS)


def value(name: str, counts: Any, edges: Any, **options: Any) -> Any:
    kernel, own = KERNELS[name]
    return getattr(po.metrics, kernel)(counts, edges, **own, **options)


def by_definition(name: str, counts: Any, edges: Any, **options: Any) -> Any:
    kernel, own = KERNELS[name]
    return getattr(interval, kernel)(counts, edges, **own, **options)


def assert_close(actual: Any, expected: Any, rtol: float = 1e-12) -> None:
    """Relatively close, with 0 and NaN in exactly the same places and infinity in none."""
    assert not np.isinf(actual).any()
    np.testing.assert_allclose(actual, expected, rtol=rtol, atol=0, equal_nan=True)


def open_last(edges: Any) -> list[float]:
    return [*edges[:-1], INF]


def open_first(edges: Any) -> list[float]:
    return [-INF, *edges[1:]]


def mirror(edges: Any) -> list[float]:
    return [-edge for edge in edges[::-1]]


def last_length(counts: Any, edges: Any, **options: Any) -> float:
    """The length of an open last bin."""
    lengths = po.metrics.interval_lengths(counts, open_last(edges), **options)
    return float(lengths[-1])


@st.composite
def edges_of(draw: st.DrawFn, n_classes: int) -> list[float]:
    """Bounded edges of bins that differ in length, in many units, left and right of zero."""
    steps = draw(st.lists(st.integers(1, 24), min_size=n_classes, max_size=n_classes))
    unit = draw(st.sampled_from([0.125, 1 / 3, 1, 7.1]))
    start = draw(st.integers(-60, 40))
    return [unit * (start + sum(steps[:position])) for position in range(n_classes + 1)]


@st.composite
def counts_and_edges(
    draw: st.DrawFn, min_classes: int = 1, max_classes: int = 5
) -> tuple[np.ndarray, list[float]]:
    """Small matrices, where empty classes are common, and edges."""
    counts = draw(matrices(min_classes, max_classes))
    return counts, draw(edges_of(len(counts)))


@st.composite
def imbalanced(draw: st.DrawFn, min_classes: int = 2, max_classes: int = 8) -> Any:
    """Matrices where each class has true rows, few or many, and edges."""
    k = draw(st.integers(min_classes, max_classes))
    sizes = draw(st.lists(st.sampled_from([1, 2, 3, 5, 20, 300]), min_size=k, max_size=k))
    predicted = draw(st.lists(st.integers(0, k - 1), min_size=k, max_size=k))
    counts = np.zeros((k, k), np.int64)
    for r, (size, c) in enumerate(zip(sizes, predicted, strict=True)):
        counts[r, c] += size - size // 2
        counts[r, r] += size // 2
    return counts, draw(edges_of(k))


def more_than(counts: np.ndarray, extra: list[int]) -> list[int]:
    """Class sizes of a larger data set; a class without rows may stay without."""
    return [int(own) + more for own, more in zip(counts.sum(axis=1), extra, strict=False)]


EXTRA = st.lists(st.integers(0, 4), min_size=8, max_size=8)


# Definitions --------------------------------------------------------------------------------


@QUICK
@given(setting=counts_and_edges())
def test_kernels_are_their_definitions(setting: Any) -> None:
    for name in KERNELS:
        assert_close(value(name, *setting), by_definition(name, *setting))


@QUICK
@given(setting=counts_and_edges(), extra=EXTRA)
def test_sizes_from_elsewhere(setting: Any, extra: list[int]) -> None:
    counts, edges = setting
    sizes = more_than(counts, extra)
    for name in KERNELS:
        expected = by_definition(name, counts, edges, class_sizes=sizes)
        assert_close(value(name, counts, edges, class_sizes=sizes), expected)
        assert_close(value(name, counts, edges, class_sizes=np.array(sizes, float)), expected)


@pytest.mark.parametrize("opened", [open_last, open_first])
@QUICK
@given(setting=counts_and_edges(), x=st.sampled_from([0.01, 0.7, 3, 44.5]))
def test_given_length_of_an_open_bin(opened: Any, setting: Any, x: float) -> None:
    counts, edges = setting[0], opened(setting[1])
    for name in KERNELS:
        expected = by_definition(name, counts, edges, unbounded=x)
        assert_close(value(name, counts, edges, unbounded=x), expected)


@QUICK
@given(setting=counts_and_edges(min_classes=2), x=st.sampled_from([(0.5, 3), (20.0, 1.5)]))
def test_given_lengths_of_two_open_bins(setting: Any, x: tuple[float, float]) -> None:
    counts, edges = setting[0], open_first(open_last(setting[1]))
    for name in KERNELS:
        expected = by_definition(name, counts, edges, unbounded=x)
        assert_close(value(name, counts, edges, unbounded=x), expected)


@examples(40)
@given(
    opened=st.sampled_from([open_last, open_first]),
    setting=counts_and_edges(),
    extra=EXTRA,
    from_elsewhere=st.booleans(),
)
def test_best_length_of_an_open_bin(
    opened: Any, setting: Any, extra: list[int], from_elsewhere: bool
) -> None:
    counts, edges = setting[0], opened(setting[1])
    sizes = more_than(counts, extra) if from_elsewhere else None
    lengths = po.metrics.interval_lengths(counts, edges, class_sizes=sizes)
    expected = interval.interval_lengths(counts, edges, class_sizes=sizes)
    assert_close(lengths, expected, rtol=1e-11)
    x = float(lengths[-1 if opened is open_last else 0])
    for name in set(KERNELS) - {"interval_lengths"}:
        expected = by_definition(
            name, counts, edges, class_sizes=sizes, unbounded=1 if math.isnan(x) else x
        )
        assert_close(value(name, counts, edges, class_sizes=sizes), expected)


@every_kernel
def test_rare_class_next_to_a_billion_rows(name: str) -> None:
    counts = [[10**9, 3, 10**5], [1, 1, 0], [0, 2, 1]]
    edges = [0, 0.001, 40, 41.5]
    assert_close(value(name, counts, edges), by_definition(name, counts, edges))


@QUICK
@given(setting=counts_and_edges(), extra=EXTRA)
def test_total_cost_is_counts_times_cost_matrix(setting: Any, extra: list[int]) -> None:
    counts, edges = setting
    sizes = [max(size, 1) for size in more_than(counts, extra)]
    for bins in (edges, open_first(edges), open_last(edges)):
        costs = po.metrics.interval_cost_matrix(counts, bins, class_sizes=sizes)
        expected = po.metrics.interval_total_cost(counts, bins, class_sizes=sizes)
        assert_close((counts * costs).sum(), expected)


# What is undefined --------------------------------------------------------------------------


@every_kernel
@pytest.mark.parametrize("edges", [EDGES, open_last(EDGES), open_first(EDGES)], ids=str)
@pytest.mark.parametrize("sizes", [None, [4, 3, 5]], ids=str)
def test_no_rows(name: str, edges: list[float], sizes: list[int] | None) -> None:
    assert np.isnan(value(name, np.zeros((3, 3)), edges, class_sizes=sizes)).all()
    stack = [np.zeros((3, 3)), COUNTS]
    assert_close(
        value(name, stack, edges, class_sizes=sizes)[1],
        value(name, COUNTS, edges, class_sizes=sizes),
    )


@pytest.mark.parametrize("edges", [EDGES, open_last(EDGES), open_first(EDGES)], ids=str)
def test_one_true_class(edges: list[float]) -> None:
    right, wrong = np.diag([0, 4, 0]), [[0, 0, 0], [0, 3, 1], [0, 0, 0]]
    for counts, total_cost in ((right, 0), (wrong, NAN)):
        assert_close(po.metrics.interval_total_cost(counts, edges), total_cost)
        assert_close(po.metrics.max_interval_total_cost(counts, edges), 0)
        assert_close(po.metrics.interval_stc(counts, edges), NAN)
    assert np.isnan(po.metrics.interval_cost_matrix(wrong, edges)).sum() == 8
    assert_close(po.metrics.interval_mae(right, edges), 0)
    assert_close(po.metrics.interval_smae(right, edges), 0)


def test_class_without_true_rows() -> None:
    counts = np.array([[3, 0, 1], [0, 0, 0], [1, 0, 5]])
    # δ = 4/1, 6/4; D = max(3, 6) = 6; the distance spans the empty class
    assert_close(po.metrics.interval_total_cost(counts, EDGES), 2 * 6 / 10)
    assert_close(po.metrics.max_interval_total_cost(counts, EDGES), 6)
    assert_close(po.metrics.interval_stc(counts, EDGES), 0.2)
    assert_close(po.metrics.interval_mae(counts, EDGES), 1.2)
    counts[0, 1] = 1  # predicted nevertheless
    assert_close(po.metrics.interval_total_cost(counts, EDGES), NAN)
    assert_close(po.metrics.max_interval_total_cost(counts, EDGES), 6)
    assert_close(po.metrics.interval_stc(counts, EDGES), NAN)
    assert_close(po.metrics.interval_mae(counts, EDGES), 14 / 11)


@pytest.mark.parametrize("edges", [[2, 5], [2, INF], [-INF, 2]], ids=str)
def test_one_class(edges: list[float]) -> None:
    length = 3 if np.isfinite(edges).all() else NAN
    expected = {
        "interval_total_cost": 0,
        "max_interval_total_cost": 0,
        "interval_stc": NAN,
        "interval_cost_matrix": [[0]],
        "interval_lengths": [length],
        "interval_mae": 0,
        "interval_smae": NAN,
    }
    for name in KERNELS:
        assert_close(value(name, [[7]], edges), expected[KERNELS[name][0]])


# The length of an open bin ------------------------------------------------------------------


@QUICK
@given(setting=imbalanced(max_classes=6))
@example(setting=(np.diag([3, 9, 6]), [1, 3, 7, 20]))  # longer than another bin
@example(setting=(np.diag([2, 10, 7]), [1, 3, 7, 20]))
def test_open_bin_has_the_length_of_least_highest_cost(setting: Any) -> None:
    counts, edges = setting[0], open_last(setting[1])
    sizes = counts.sum(axis=1).tolist()
    best = interval.optimal_length(sizes, edges)
    least = interval.highest_cost(interval.close(edges, best, best), sizes)
    for n, bins, opened in ((counts, edges, -1), (counts[::-1, ::-1], mirror(edges), 0)):
        x = float(po.metrics.interval_lengths(n, bins)[opened])
        reached = interval.highest_cost(interval.close(edges, x, x), sizes)
        assert float(reached / least) <= 1 + 1e-13
        assert_close(x, float(best), rtol=1e-11)
        assert_close(po.metrics.max_interval_total_cost(n, bins), float(least), rtol=1e-13)


@QUICK
@given(setting=counts_and_edges(), extra=EXTRA)
def test_first_bin_is_the_mirror_image_of_the_last(setting: Any, extra: list[int]) -> None:
    counts, edges = setting
    sizes = more_than(counts, extra)
    for name in KERNELS:
        last = value(name, counts, open_last(edges), class_sizes=sizes)
        first = value(name, counts[::-1, ::-1], mirror(open_last(edges)), class_sizes=sizes[::-1])
        assert_close(np.flip(first), last)


@QUICK
@given(setting=imbalanced(max_classes=6), factor=st.floats(0.01, 100))
def test_no_other_length_has_a_lower_highest_cost(setting: Any, factor: float) -> None:
    counts, edges = setting[0], open_last(setting[1])
    x = po.metrics.interval_lengths(counts, edges)[-1]
    least = po.metrics.max_interval_total_cost(counts, edges)
    for other in (x * factor, x * (1 - 1e-6), x * (1 + 1e-6)):
        highest = po.metrics.max_interval_total_cost(counts, edges, unbounded=other)
        assert least <= highest * (1 + 1e-14)
    for name in KERNELS:
        assert_close(value(name, counts, edges, unbounded=float(x)), value(name, counts, edges))


@QUICK
@given(
    setting=imbalanced(),
    x=st.lists(st.floats(0.01, 500), min_size=3, max_size=3, unique=True).map(sorted),
)
def test_highest_cost_is_convex(setting: Any, x: list[float]) -> None:
    counts, edges = setting[0], open_last(setting[1])
    low, middle, high = (
        po.metrics.max_interval_total_cost(counts, edges, unbounded=length) for length in x
    )
    share = (x[1] - x[0]) / (x[2] - x[0])
    assert middle <= ((1 - share) * low + share * high) * (1 + 1e-12)


@QUICK
@given(
    lengths=st.tuples(st.integers(1, 40), st.integers(1, 40)),
    counts=matrices(min_classes=2, max_classes=2),
)
def test_two_classes_where_the_highest_cost_is_level(
    lengths: tuple[int, int], counts: np.ndarray
) -> None:
    assume(counts.any())
    edges = [3, 3 + lengths[0], 3 + sum(lengths)]
    assert last_length(counts, edges) == lengths[0]
    opened = po.metrics.interval_lengths(counts, open_first(edges))
    assert opened.tolist() == [lengths[1], lengths[1]]


def test_two_classes_present_among_several() -> None:
    edges = [0, 5, 7, 8, 12, INF]
    for other, length in enumerate([5, 2, 1, 4]):
        counts = np.diag([0, 0, 0, 0, 7])
        counts[other, other], counts[other, 4] = 2, 3
        assert po.metrics.interval_lengths(counts, edges).tolist() == [5, 2, 1, 4, length]
        lengths = po.metrics.interval_lengths(counts[::-1, ::-1], mirror(edges))
        assert lengths.tolist() == [length, 4, 1, 2, 5]


@pytest.mark.parametrize("present", [[0, 1, 2], [0, 2], [1]], ids=str)
def test_open_class_without_true_rows_is_as_long_as_its_neighbour(present: list[int]) -> None:
    counts = np.zeros((4, 4), np.int64)
    counts[present, present] = 3
    edges = [0, 5, 7, 10, INF]
    assert last_length(counts, edges) == 3
    counts[present[0], 3] = 1  # predicted nevertheless
    assert last_length(counts, edges) == 3
    assert po.metrics.interval_lengths(counts[::-1, ::-1], mirror(edges))[0] == 3
    only = np.diag([0, 0, 0, 3])
    assert last_length(only, edges) == 3
    assert last_length(only, edges, class_sizes=[0, 0, 0, 9]) == 3
    assert last_length(np.diag([3, 3, 0, 0]), edges, class_sizes=[9, 9, 0, 0]) == 3


GOLDEN = (1 + math.sqrt(5)) / 2


def proposition_6(ratio: float) -> tuple[float, float]:
    """Best length of the last of three balanced classes and its highest cost; l1 = 1, l2 = L."""
    if ratio <= 1:
        return (
            math.sqrt(ratio / (ratio + 1)),
            (2 * math.sqrt((ratio + 1) / ratio) + 2 * ratio + 4 + 1 / ratio) / 3,
        )
    if ratio <= GOLDEN:
        return (
            ratio / math.sqrt(ratio + 1),
            (2 * math.sqrt(ratio + 1) + 3 * ratio + 3 + 1 / ratio) / 3,
        )
    if ratio <= GOLDEN + 1:
        return (
            ratio * (math.sqrt(5) - 1) / 2,
            ratio / 6 * ((math.sqrt(5) + 1) * ratio + math.sqrt(5) + 7),
        )
    return math.sqrt(ratio), ratio / 3 * (2 * math.sqrt(ratio) + ratio + 3)


@examples(100)
@given(
    ratio=st.sampled_from([0.1, 1, GOLDEN, 2, GOLDEN + 1, 10]) | st.floats(0.1, 10),
    unit=st.sampled_from([1, 3, 0.007]),
    size=st.integers(1, 30),
    pred=st.permutations(range(3)),
)
def test_proposition_6(ratio: float, unit: float, size: int, pred: list[int]) -> None:
    counts = np.eye(3)[pred] * size
    edges = [0, unit, unit + unit * ratio, INF]
    x, least = proposition_6(ratio)
    assert_close(po.metrics.interval_lengths(counts, edges)[-1], unit * x)
    assert_close(po.metrics.max_interval_total_cost(counts, edges), unit * least)
    assert_close(po.metrics.interval_lengths(counts, mirror(edges))[0], unit * x)
    assert_close(po.metrics.max_interval_total_cost(counts, mirror(edges)), unit * least)


def test_toy_example() -> None:
    edges, root = [0, 1, 2, INF], math.sqrt(2)
    assert_close(po.metrics.interval_stc(TOY_A, edges), (73 + 11 / root) / 205, rtol=1e-14)
    assert_close(po.metrics.interval_stc(TOY_B, edges), (87 + 3 / root) / 205, rtol=1e-14)
    for counts in (TOY_A, TOY_B):
        lengths = po.metrics.interval_lengths(counts, edges)
        assert_close(lengths, [1, 1, 1 / root], rtol=1e-14)
        assert_close(
            po.metrics.max_interval_total_cost(counts, edges), (2 * root + 7) / 3, rtol=1e-14
        )
    for x in (0.3, 1 / root, 1, 2.5):  # the paper's sums before x is chosen
        a, b = (
            po.metrics.interval_total_cost(counts, edges, unbounded=x) for counts in (TOY_A, TOY_B)
        )
        assert_close(a, (6 + 4 / x + (7 + x) * max(1, x)) / 15)
        assert_close(b - a, 2 / 15)


# Propositions and properties of the paper ---------------------------------------------------


@pytest.mark.parametrize("sizes", [(2, 1, 2), (1, 3, 1), (4, 1, 2), (1, 0, 3), (3, 2)], ids=str)
@pytest.mark.parametrize("opened", [list, open_last, open_first])
def test_highest_cost_is_the_highest_of_all_predictions(
    sizes: tuple[int, ...], opened: Callable[[list[float]], list[float]]
) -> None:
    edges = opened([-1, 1, 1.5, 5][: len(sizes) + 1])
    present = [k for k, size in enumerate(sizes) if size]
    lines = [
        [
            np.bincount(choice, minlength=len(sizes))
            for choice in itertools.combinations_with_replacement(present, size)
        ]
        for size in sizes
    ]
    stack = np.array(list(itertools.product(*lines)))
    costs = po.metrics.interval_total_cost(stack, edges)
    assert_close(po.metrics.max_interval_total_cost(stack, edges), np.full(len(stack), max(costs)))
    scores = po.metrics.interval_stc(stack, edges)
    assert ((scores == 0) == (stack * (1 - np.eye(len(sizes))) == 0).all(axis=(1, 2))).all()
    assert_close(scores.max(), 1)


@QUICK
@given(counts=matrices(2, 2), edges=edges_of(2))
def test_highest_cost_of_two_classes(counts: np.ndarray, edges: list[float]) -> None:
    assume((counts.sum(axis=1) > 0).all())
    highest = po.metrics.max_interval_total_cost(counts, edges)
    assert_close(highest, max(np.diff(edges)))


@pytest.mark.parametrize("k", range(2, 10))
@pytest.mark.parametrize("length", [1, 0.3])
def test_highest_cost_of_balanced_classes_of_equal_length(k: int, length: float) -> None:
    counts = 3 * np.roll(np.eye(k), 1, axis=1)
    expected = (k - 1) * (3 * k - 2) / 4 if k % 2 == 0 else (k - 1) ** 2 * (3 * k + 1) / (4 * k)
    highest = po.metrics.max_interval_total_cost(counts, length * np.arange(k + 1) - 2)
    assert_close(highest, length * expected)


@QUICK
@given(edges=edges_of(4), densities=st.lists(st.integers(1, 3), min_size=4, max_size=4))
def test_cost_matrix_is_symmetric_for_equal_densities_only(
    edges: list[float], densities: list[int]
) -> None:
    sizes = np.diff(edges) * densities
    costs = po.metrics.interval_cost_matrix(np.eye(4), edges, class_sizes=sizes)
    for r, c in itertools.combinations(range(4), 2):
        assert math.isclose(costs[r, c], costs[c, r]) == (densities[r] == densities[c])


@QUICK
@given(
    setting=counts_and_edges(),
    scale=st.sampled_from([0.125, 3, 1e4]),
    shift=st.integers(-900, 900),
)
def test_scale_and_shift_of_the_edges(setting: Any, scale: float, shift: int) -> None:
    counts, edges = setting
    for bins in (edges, open_last(edges), open_first(edges)):
        changed = [scale * (edge + shift) for edge in bins]
        for name in KERNELS:
            assert_close(
                value(name, counts, changed),
                scale ** UNITS[name] * np.asarray(value(name, counts, bins)),
                rtol=1e-11,
            )


@QUICK
@given(edges=edges_of(4), density=st.integers(1, 9))
def test_farther_costs_more_among_equal_densities(edges: list[float], density: int) -> None:
    sizes = density * np.diff(edges)
    edge = np.array(edges)
    costs = po.metrics.interval_cost_matrix(np.eye(4), edges, class_sizes=sizes)
    left, right = (abs(np.subtract.outer(ends, ends)) for ends in (edge[:-1], edge[1:]))
    distances = np.maximum(left, right)
    scores = np.full((4, 4), NAN)
    for r, c in itertools.product(range(4), repeat=2):
        counts = np.eye(4)
        counts[r, r] -= 0.5
        counts[r, c] += 0.5
        scores[r, c] = po.metrics.interval_stc(counts, edges, class_sizes=sizes)
    for values in (costs, scores):
        for r in range(4):
            for c, farther in itertools.permutations(range(4), 2):
                if distances[r, farther] > distances[r, c] * (1 + 1e-9):
                    assert values[r, farther] > values[r, c]


@QUICK
@given(
    length=st.sampled_from([0.5, 3]),
    sizes=st.lists(st.integers(1, 50), min_size=5, max_size=5, unique=True),
)
def test_thin_classes_cost_more(length: float, sizes: list[int]) -> None:
    """Property 3: two classes at one distance from a third; the difference is the paper's."""
    costs = po.metrics.interval_cost_matrix(np.diag(sizes), length * np.arange(6))
    n, density = sum(sizes), np.array(sizes) / length
    for middle, step in ((1, 1), (2, 1), (2, 2), (3, 1)):
        thin, dense = sorted([middle - step, middle + step], key=lambda k: sizes[k])
        d = step * length
        from_them = d / n * (density[dense] - density[thin]) / density[middle]
        assert_close(costs[thin, middle] - costs[dense, middle], from_them, rtol=1e-9)
        others = density.sum() - density[middle]
        to_them = d / n * others * (1 / density[thin] - 1 / density[dense])
        assert_close(costs[middle, thin] - costs[middle, dense], to_them, rtol=1e-9)
        assert from_them > 0 < to_them


@QUICK
@given(counts=matrices(), length=st.sampled_from([0.1, 1, 12]), start=st.integers(-9, 9))
def test_bins_of_equal_length(counts: np.ndarray, length: float, start: int) -> None:
    m = po.metrics
    edges = length * (start + np.arange(len(counts) + 1))
    assert_close(m.interval_total_cost(counts, edges), length * m.total_cost(counts))
    assert_close(m.max_interval_total_cost(counts, edges), length * m.max_total_cost(counts))
    assert_close(m.interval_stc(counts, edges), m.stc(counts))
    assert_close(m.interval_cost_matrix(counts, edges), length * m.cost_matrix(counts), rtol=1e-11)
    for distance in ("hausdorff", "midpoint"):
        mae = m.interval_mae(counts, edges, distance=distance)
        assert_close(mae, length * m.mae(counts))


@QUICK
@given(setting=counts_and_edges())
def test_shares_are_from_0_to_1(setting: Any) -> None:
    counts, edges = setting
    for bins in (edges, open_last(edges), open_first(edges)):
        for name in ("interval_stc", "interval_smae", "interval_smae-midpoint"):
            score = value(name, counts, bins)
            assert math.isnan(score) or 0 <= score <= 1 + 1e-12


def test_errors_in_the_unit_of_the_edges() -> None:
    counts, edges = [[0, 1, 0], [0, 0, 1], [1, 0, 0]], [0, 10, 20, 50]
    assert_close(po.metrics.class_mae(counts), [1, 1, 2])
    assert_close(po.metrics.mae(counts), 4 / 3)
    assert_close(po.metrics.interval_mae(counts, edges, distance="midpoint"), 20)
    assert_close(po.metrics.interval_mae(counts, edges), 80 / 3)
    assert_close(po.metrics.interval_mae(counts, edges, distance="hausdorff"), 80 / 3)
    # farthest: 40, 30, 40; by the middles 5, 15, 35: 30, 20, 30
    assert_close(po.metrics.interval_smae(counts, edges), 80 / 110)
    assert_close(po.metrics.interval_smae(counts, edges, distance="midpoint"), 60 / 80)


def test_error_of_a_class_without_true_rows_is_defined() -> None:
    counts = [[2, 0, 2], [0, 4, 0], [0, 0, 0]]
    assert_close(po.metrics.interval_mae(counts, EDGES), 2 * 6 / 8)
    # the empty class is as far as any: (4 * 6 + 4 * 4) / 8
    assert_close(po.metrics.interval_smae(counts, EDGES), 1.5 / 5)


# Sizes from elsewhere, folds ----------------------------------------------------------------


@QUICK
@given(folds=st.lists(matrices(4, 4), min_size=2, max_size=4), edges=edges_of(4))
def test_folds_with_the_sizes_of_the_whole(folds: list[np.ndarray], edges: list[float]) -> None:
    stack = np.array([fold for fold in folds if fold.any()])
    assume(len(stack))
    pooled, n = stack.sum(axis=0), stack.sum(axis=(1, 2))
    sizes = pooled.sum(axis=1)
    for bins in (edges, open_last(edges), open_first(edges)):
        lengths = po.metrics.interval_lengths(stack, bins, class_sizes=sizes)
        assert (lengths == lengths[0]).all()
        assert_close(lengths[0], po.metrics.interval_lengths(pooled, bins))
        for name in ("interval_total_cost", "interval_stc", "interval_mae", "interval_smae"):
            scores = value(name, stack, bins, class_sizes=sizes)
            whole = value(name, pooled, bins)
            if not math.isnan(whole):
                assert_close((n * scores).sum() / n.sum(), whole)
            elif name == "interval_stc":
                assert np.isnan(scores).any()
        highest = po.metrics.max_interval_total_cost(stack, bins, class_sizes=sizes)
        assert_close(highest, np.full(len(stack), highest[0]))
        assert_close(highest[0], po.metrics.max_interval_total_cost(pooled, bins))


# Shapes and kinds of input ------------------------------------------------------------------


@every_kernel
@pytest.mark.parametrize("edges", [EDGES, open_last(EDGES), open_first(EDGES)], ids=str)
def test_stacks(name: str, edges: list[float]) -> None:
    rng = np.random.default_rng(7)
    stack = rng.integers(0, 4, (6, 5, 3, 3)) * rng.integers(0, 2, (6, 5, 3, 1))
    one_by_one = np.array([[value(name, counts, edges) for counts in line] for line in stack])
    assert_close(value(name, stack, edges), one_by_one)
    assert_close(value(name, stack[2], edges), one_by_one[2])
    empty = value(name, stack[0, :0], edges)
    assert empty.shape == (0, *one_by_one.shape[2:])
    assert empty.dtype == np.float64
    if one_by_one.ndim == 2:
        assert isinstance(value(name, stack[0, 0], edges), np.float64)


@every_kernel
@pytest.mark.parametrize("edges", [EDGES, open_last(EDGES), open_first(EDGES)], ids=str)
def test_kinds_of_input(name: str, edges: list[float]) -> None:
    expected = value(name, COUNTS, edges)
    for dtype in (np.int8, np.uint16, np.int64, np.float32, np.float64):
        assert_close(value(name, np.array(COUNTS, dtype), np.array(edges)), expected)
    assert_close(value(name, COUNTS, tuple(edges)), expected)
    assert_close(value(name, COUNTS, pd.Index(edges)), expected)


def test_integer_edges_do_not_wrap() -> None:
    for name in KERNELS:
        expected = value(name, COUNTS, [-100.0, 0, 50, 127])
        assert_close(value(name, COUNTS, np.array([-100, 0, 50, 127], np.int8)), expected)
        assert_close(value(name, COUNTS, pd.Index([-100, 0, 50, 127], dtype="int8")), expected)
        assert_close(value(name, COUNTS, 2**60 + np.array(EDGES)), value(name, COUNTS, EDGES))
        small = np.array([0, 10, 200, 255], np.uint8)
        assert_close(value(name, COUNTS, small), value(name, COUNTS, small.astype(float)))


@every_kernel
def test_edges_as_far_apart_as_can_be(name: str) -> None:
    far = 2.0**63
    expected = value(name, COUNTS, [-far, 0, 50, far])
    bounds = np.iinfo(np.int64)
    assert_close(value(name, COUNTS, np.array([bounds.min, 0, 50, bounds.max])), expected)
    times = pd.DatetimeIndex([pd.Timestamp.min, "1970-01-01", "1970-01-02", pd.Timestamp.max])
    nanoseconds = [-far, 0, 86400e9, far]
    expected = value(name, COUNTS, [edge / 1e9 for edge in nanoseconds])
    assert_close(value(name, COUNTS, times), expected)
    assert_close(value(name, COUNTS, times.to_numpy()), expected)
    assert_close(value(name, COUNTS, pd.IntervalIndex.from_breaks(times)), expected)
    durations = times.to_numpy().view("timedelta64[ns]")
    assert_close(value(name, COUNTS, durations), expected)


def test_input_stays_as_it_is() -> None:
    counts, edges = np.array(COUNTS, float), np.array(open_last(EDGES))
    for name in KERNELS:
        value(name, counts, edges, class_sizes=np.array([5.0, 4, 6]))
    assert counts.tolist() == COUNTS
    assert edges.tolist() == open_last(EDGES)


@QUICK
@given(setting=counts_and_edges(), scale=st.sampled_from([100, 1e-60, 1e60, 1e-300, 1e300]))
def test_scale_of_the_counts(setting: Any, scale: float) -> None:
    counts, edges = setting
    for bins, name in itertools.product((edges, open_last(edges), open_first(edges)), KERNELS):
        expected = np.asarray(value(name, counts, bins))
        if name == "interval_cost_matrix":  # a row's share of the whole
            expected = expected / scale
        assert_close(value(name, counts * scale, bins), expected, rtol=1e-11)


@QUICK
@given(
    setting=counts_and_edges(),
    scale=st.sampled_from([1e-145, 1e-60, 1e60, 1e145]),
    weight=st.sampled_from([1, 1e-60, 1e-140, 1e140]),
)
def test_scale_of_the_edges(setting: Any, scale: float, weight: float) -> None:
    counts, edges = setting
    for bins, name in itertools.product((edges, open_last(edges), open_first(edges)), KERNELS):
        changed = [edge * scale for edge in bins]
        expected = np.asarray(value(name, counts, bins)) * scale ** UNITS[name]
        if name == "interval_cost_matrix":
            expected = expected / weight
        assert_close(value(name, counts * weight, changed), expected, rtol=1e-11)


@pytest.mark.parametrize("weight", [1e-60, 1e-12, 1e12, 1e60])
def test_bins_and_classes_of_very_different_size(weight: float) -> None:
    counts = np.array(COUNTS) * [[weight], [1], [3]]
    for edges in ([-1, 0, 1e-9, 5e8], [-1, 0, 1e-9, INF], [-INF, 0, 1e-9, 5e8]):
        lengths = po.metrics.interval_lengths(counts, edges)
        assert_close(lengths, interval.interval_lengths(counts, edges), rtol=1e-11)
        x = float(lengths[0 if edges[0] == -INF else -1])
        for name in KERNELS:
            expected = by_definition(name, counts, edges, unbounded=x)
            assert_close(value(name, counts, edges), expected)


def moments(unit: str) -> np.ndarray:
    return np.array(
        ["2025-01-01", "2025-01-02", "2025-01-09", "2025-02-01"], f"datetime64[{unit}]"
    )


@every_kernel
@pytest.mark.parametrize("unit", ["D", "s", "ms", "us", "ns"])
def test_edges_in_time(name: str, unit: str) -> None:
    seconds = 86400 * np.array([0, 1, 8, 31])
    expected = value(name, COUNTS, seconds)
    assert_close(value(name, COUNTS, moments(unit)), expected)
    durations = moments(unit) - moments(unit)[0]
    assert durations.dtype == f"timedelta64[{unit}]"
    assert_close(value(name, COUNTS, durations), expected)
    if unit != "D":
        assert_close(value(name, COUNTS, pd.DatetimeIndex(moments(unit))), expected)
        assert_close(value(name, COUNTS, pd.TimedeltaIndex(durations)), expected)


@every_kernel
@pytest.mark.parametrize("closed", ["left", "right", "both", "neither"])
def test_edges_of_an_interval_index(name: str, closed: Any) -> None:
    for edges in (EDGES, open_last(EDGES), open_first(EDGES)):
        bins = pd.IntervalIndex.from_breaks(edges, closed=closed)
        assert_close(value(name, COUNTS, bins), value(name, COUNTS, edges))
    edges = moments("ns")
    expected = value(name, COUNTS, edges)
    bins = pd.IntervalIndex.from_breaks(pd.DatetimeIndex(edges), closed=closed)
    assert_close(value(name, COUNTS, bins), expected)
    zone = pd.DatetimeIndex(edges).tz_localize("UTC")
    bins = pd.IntervalIndex.from_breaks(zone, closed=closed)
    assert_close(value(name, COUNTS, bins), expected)
    bins = pd.IntervalIndex.from_breaks(pd.TimedeltaIndex(edges - edges[0]), closed=closed)
    assert_close(value(name, COUNTS, bins), expected)


# What is refused ----------------------------------------------------------------------------

INTERVALS = pd.IntervalIndex.from_tuples
BAD_EDGES: dict[str, Any] = {
    "zero length": [0, 1, 1, 7],
    "decreasing": [0, 3, 1, 7],
    "all decreasing": [7, 3, 1, 0],
    "NaN": [0, 1, NAN, 7],
    "NaN first": [NAN, 1, 3, 7],
    "NaN last": [0, 1, 3, NAN],
    "infinite inside": [0, 1, INF, 7],
    "two infinite at the end": [0, 1, INF, INF],
    "two infinite at the start": [-INF, -INF, 3, 7],
    "the first is +inf": [INF, 1, 3, 7],
    "the last is -inf": [0, 1, 3, -INF],
    "too few": [0, 1, 7],
    "too many": [0, 1, 3, 7, 9],
    "none": [],
    "a number": 3,
    "a matrix": [[0, 1, 3, 7]],
    "text": ["a", "b", "c", "d"],
    "equal moments": np.array(["2025-01-01"] * 4, "datetime64[D]"),
    "no moment": np.array(["2025-01-01", "NaT", "2025-01-03", "2025-01-04"], "datetime64[D]"),
    "no duration": np.array([0, 1, 2, "NaT"], "timedelta64[s]"),
    "gap": INTERVALS([(0, 1), (1, 3), (4, 7)]),
    "overlap": INTERVALS([(0, 1), (1, 3), (2, 7)]),
    "interval of no length": INTERVALS([(0, 1), (1, 1), (1, 7)]),
    "intervals in no order": INTERVALS([(1, 3), (0, 1), (3, 7)]),
    "a missing interval": INTERVALS([(0, 1), None, (3, 7)]),
    "too few intervals": INTERVALS([(0, 1), (1, 3)]),
}


@pytest.mark.parametrize("kind", BAD_EDGES)
def test_bad_edges(kind: str) -> None:
    stacks = (COUNTS, np.zeros((3, 3)), np.zeros((0, 3, 3)))
    for name, counts in itertools.product(KERNELS, stacks):
        with pytest.raises(ValueError, match="(?i)edge|bin|interval|length|increas"):
            value(name, counts, BAD_EDGES[kind])


@pytest.mark.parametrize(
    "unbounded",
    [0, -1, NAN, INF, -INF, "best", "", None, (1, 0), (1,), (1, 2, 3), (-1, 2)],
    ids=str,
)
def test_bad_unbounded(unbounded: Any) -> None:
    for name in KERNELS:
        with pytest.raises(ValueError, match="(?i)unbounded"):
            value(name, COUNTS, [-INF, 1, 3, INF], unbounded=unbounded)
        if not isinstance(unbounded, tuple):
            with pytest.raises(ValueError, match="(?i)unbounded"):
                value(name, COUNTS, open_last(EDGES), unbounded=unbounded)


@every_kernel
def test_open_ends_where_they_are_refused(name: str) -> None:
    for edges in (open_last(EDGES), open_first(EDGES), [-INF, 1, 3, INF]):
        with pytest.raises(ValueError, match="(?i)unbounded|open|infinite"):
            value(name, COUNTS, edges, unbounded="raise")
    with pytest.raises(ValueError, match="(?i)pair"):
        value(name, COUNTS, [-INF, 1, 3, INF])
    expected = value(name, COUNTS, EDGES)
    for unused in ("raise", 5, 0.5, "optimal"):
        assert_close(value(name, COUNTS, EDGES, unbounded=unused), expected)


@every_kernel
def test_true_rows_in_a_class_of_size_0(name: str) -> None:
    for edges in (EDGES, open_last(EDGES)):
        with pytest.raises(ValueError, match="(?i)size 0"):
            value(name, COUNTS, edges, class_sizes=[5, 0, 5])
        for sizes in ([5, 4], [5, 4, -1], [5, 4, NAN], [5, 4, INF], 3, "abc"):
            with pytest.raises(ValueError, match="class_sizes"):
                value(name, COUNTS, edges, class_sizes=sizes)


@pytest.mark.parametrize("distance", ["", "Hausdorff", "centre", None, 2])
def test_bad_distance(distance: Any) -> None:
    for kernel in (po.metrics.interval_mae, po.metrics.interval_smae):
        with pytest.raises(ValueError, match="distance"):
            kernel(COUNTS, EDGES, distance=distance)
