"""Rankings by ranges of the score: those of all rows, however these are cut up."""

from __future__ import annotations

from itertools import combinations, pairwise, product
from typing import Any

import dask
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import ranking as oracle
from parted import cut, parted

import pandas_ordinal as po
from pandas_ordinal.rows import ranked_partitions, score_ranges

NAMES = ["vus", "u_pairs", "u_ovo", "u_cons"]
HERE = {"scheduler": "synchronous"}


def kernels(true: Any, score: Any, n_classes: int, weights: Any = None, **o: Any) -> list[float]:
    return [
        float(getattr(po.metrics, name)(true, score, n_classes, sample_weight=weights, **o))
        for name in NAMES
    ]


@st.composite
def partitions(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray, int, list[int]]:
    """Rows with heavy ties in chunks of any length, empty ones too; some do not count."""
    sizes = draw(st.lists(st.integers(0, 40), min_size=1, max_size=6))
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    n, n_classes = sum(sizes), draw(st.integers(1, 4))
    true = rng.integers(-1, n_classes, n)
    score = rng.integers(0, draw(st.sampled_from([1, 3, 20, 10**6])), n) + true / 2
    if draw(st.booleans()):
        score = np.sort(score)
    if draw(st.booleans()):
        score[score > np.median(score) if n else []] = np.inf
    return true, score, rng.integers(0, 4, n) / 2, n_classes, sizes


def rows_of(sizes: list[int], true: Any, score: Any, weights: Any = None) -> list[Any]:
    """The rows of each partition that count."""
    parts = []
    for start, stop in pairwise(np.cumsum([0, *sizes])):
        counted = start + np.flatnonzero(true[start:stop] >= 0)
        of_part = None if weights is None else weights[counted]
        part = score_ranges.ScoredRows(true[counted], score[counted].astype(float), of_part)
        parts.append(dask.delayed(part))
    return parts


def by_ranges(
    sizes: list[int], true: Any, score: Any, n_classes: int, weights: Any = None, **options: Any
) -> Any:
    """The metrics of all rows, lazily: each a value of one group."""
    parts = rows_of(sizes, true, score, weights)
    return score_ranges.ranked_by_ranges(parts, n_classes, NAMES, **options)


def values_of(lazy: Any, **how: Any) -> list[float]:
    found = lazy.compute(**(how or HERE))
    assert list(found) == NAMES and all(values.shape == (1,) for values in found.values())
    return [float(values[0]) for values in found.values()]


def bounds_of(
    true: Any, score: Any, n_classes: int, edges: Any, weights: Any = None
) -> pd.DataFrame:
    """The bounds, from rows counted by class and by the edges that the score reaches."""
    table = np.zeros((n_classes, len(edges) + 1))
    for row in np.flatnonzero(true >= 0):
        reached = sum(score[row] >= edge for edge in edges)
        table[true[row], reached] += 1 if weights is None else weights[row]
    bounds = score_ranges.bounds_of(table[None])
    return pd.DataFrame({end: values[0] for end, values in bounds.items()}, NAMES)


@settings(max_examples=25, deadline=None)
@given(
    partitions(),
    st.sampled_from([None, 1, 2, 9, 100]),
    st.booleans(),
    st.sampled_from(["half", "strict"]),
)
def test_ranges_are_the_kernels(rows: Any, n_ranges: Any, weighted: bool, ties: Any) -> None:
    true, score, weight, n_classes, sizes = rows
    weights = weight if weighted else None
    lazy = by_ranges(sizes, true, score, n_classes, weights, n_ranges=n_ranges, ties=ties)
    expected = kernels(true, score, n_classes, weights, ties=ties)
    np.testing.assert_allclose(values_of(lazy), expected, rtol=1e-12, atol=1e-15)


@settings(max_examples=25, deadline=None)
@given(partitions(), st.lists(st.integers(-1, 21), unique=True, max_size=6), st.booleans())
def test_bounds_hold(rows: Any, edges: list[int], weighted: bool) -> None:
    true, score, weight, n_classes, _ = rows
    weights = weight if weighted else None
    bounds = bounds_of(true, score, n_classes, sorted(edges), weights)
    for ties in ("half", "strict"):
        exact = kernels(true, score, n_classes, weights, ties=ties)
        assert (np.isnan(exact) == bounds["low"].isna()).all()
        assert (np.isnan(exact) == bounds["high"].isna()).all()
        low, high = bounds["low"].to_numpy(), bounds["high"].to_numpy()
        known = ~np.isnan(exact)
        assert (low[known] <= np.array(exact)[known] + 1e-12).all()
        assert (high[known] >= np.array(exact)[known] - 1e-12).all()
    every = np.unique(score[true >= 0])
    if len(every):  # a bin for each score: the bounds are strict ties and all of each tie
        finest = bounds_of(true, score, n_classes, every, weights)
        strict = kernels(true, score, n_classes, weights, ties="strict")
        np.testing.assert_allclose(finest["low"], strict, rtol=1e-12, atol=1e-15)


def test_bounds_are_those_of_sequences() -> None:
    """The lowest and the highest, sequence by sequence, of rows known by their bins alone."""
    rng = np.random.default_rng(1)
    true, score = rng.integers(0, 3, 30), rng.normal(size=30)
    bins = np.searchsorted([-0.5, 0, 1], score, side="right")
    bounds = bounds_of(true, score, 3, [-0.5, 0, 1])
    rows = [bins[true == k].tolist() for k in range(3)]
    sequences = [(a, b, c) for a in rows[0] for b in rows[1] for c in rows[2]]
    low = sum(a < b < c for a, b, c in sequences) / len(sequences)
    high = sum(a <= b <= c for a, b, c in sequences) / len(sequences)
    assert bounds.loc["vus"].tolist() == pytest.approx([low, high], rel=1e-12)
    strict = float(oracle.vus(true, bins, 3, ties="strict"))
    assert bounds.loc["vus", "low"] == pytest.approx(strict, rel=1e-12)


@pytest.mark.parametrize("tables_at_once", [1, 2, 3, 100])
def test_bounds_of_groups_that_are_counted_in_parts(
    monkeypatch: pytest.MonkeyPatch, tables_at_once: int
) -> None:
    """The share of the pairs, and of the sequences of rows, that ascend by bins of the score."""
    rng = np.random.default_rng(3)
    df = pd.DataFrame(rng.integers(0, 3, (150, 3)), columns=["y", "s", "t"])
    df["g"] = rng.choice(list("edcba"), 150)
    monkeypatch.setattr(ranked_partitions, "CELLS_AT_ONCE", 9 * tables_at_once)
    lazy = po.ordinal(parted(cut(df, [7, 70]))).score_bounds(
        "y", ["s", "t"], edges=[1, 2], by="g", classes=range(3)
    )
    found = lazy.compute(**HERE)
    assert len(found) == 5 * 2 * 4
    for g, score in product("abcde", ["s", "t"]):
        of_group = df[df["g"] == g]
        bins = [of_group.loc[of_group["y"] == k, score].tolist() for k in range(3)]
        sequences: list[Any] = list(product(*bins))
        pairs: list[Any] = [
            two for low, high in combinations(bins, 2) for two in product(low, high)
        ]
        for metric, those in (("vus", sequences), ("u_pairs", pairs)):
            bounds = found.loc[(g, score, metric)]
            low = np.mean([all(a < b for a, b in pairwise(one)) for one in those])
            high = np.mean([all(a <= b for a, b in pairwise(one)) for one in those])
            assert bounds.tolist() == pytest.approx([low, high], rel=1e-12)


def test_finer_edges_bound_closer() -> None:
    rng = np.random.default_rng(0)
    true = rng.integers(0, 4, 5000)
    score = true + rng.normal(size=5000)
    exact, widths = kernels(true, score, 4), []
    for n_edges in (10, 100, 1000):
        edges = np.linspace(-3, 6, n_edges)
        bounds = bounds_of(true, score, 4, edges)
        assert (bounds["low"] < exact).all() and (exact < bounds["high"]).all()
        widths.append(bounds["high"] - bounds["low"])
    assert (widths[1] < widths[0] / 5).all() and (widths[2] < widths[1] / 5).all()


@pytest.mark.parametrize(
    "scheduler", ["synchronous", "threads", pytest.param("processes", marks=pytest.mark.slow)]
)
def test_schedulers_do_not_matter(scheduler: str) -> None:
    rng = np.random.default_rng(2)
    true = rng.integers(0, 5, 20_000)
    score = np.round(true + rng.normal(size=20_000), 1)
    lazy = by_ranges([6000, 0, 8000, 6000], true, score, 5)
    workers = {"num_workers": 2} if scheduler == "processes" else {}
    found = values_of(lazy, scheduler=scheduler, **workers)
    np.testing.assert_allclose(found, kernels(true, score, 5), rtol=1e-12)


@pytest.mark.parametrize("takes_turns", [False, True])
@pytest.mark.parametrize("n_groups", [1, 3, 41, 1000])
def test_ranges_hold_about_equally_many_rows(n_groups: int, takes_turns: bool) -> None:
    """Of rows that came in the order of their scores, in chunks of very different lengths."""
    rng = np.random.default_rng(0)
    scores, group = np.sort(rng.normal(size=50_000)), rng.integers(0, n_groups, 50_000)
    if takes_turns:
        group = np.arange(50_000) % n_groups
    ends = [0, 200, 9000, 50_000]
    slices = [np.s_[a:b] for a, b in pairwise(ends)]
    parts = [score_ranges.ScoredRows(group[of], scores[of], None, group[of]) for of in slices]
    numbering = score_ranges.Numbering([np.arange(n_groups)] * 3, n_groups)
    samples = [score_ranges._sampled(part) for part in parts]
    cuts = score_ranges._cuts(samples, numbering, 8)
    split = [
        score_ranges._split(part, cuts, numbering, number, 8) for number, part in enumerate(parts)
    ]
    ranges = [score_ranges._concatenated(pieces) for pieces in zip(*split, strict=True)]
    found = [len(rows.scores) for rows in ranges]
    assert len(found) == 8 and sum(found) == 50_000 and max(found) < 50_000 / 8 * 1.3
    highest = -np.inf
    for rows in ranges:
        place = 100.0 * rows.group + rows.scores
        assert place.min() > highest
        highest = place.max()


def test_a_class_without_rows_has_no_volume() -> None:
    true, score = np.array([0, 2, 0, 2]), np.arange(4.0)
    found = values_of(by_ranges([2, 2], true, score, 3))
    assert np.isnan(found[0]) and found[1] == 0.75
    np.testing.assert_allclose(found, kernels(true, score, 3), rtol=1e-12)


@pytest.mark.parametrize(
    "edges", [[1, 1], [2, 1], [0, 3, 1], [2, 0, 1], [np.nan], [0, np.nan], 5, [[0, 1]]]
)
def test_edges_ascend(edges: Any) -> None:
    with pytest.raises(ValueError, match=r"edges=.* numbers that ascend"):
        score_ranges.checked_edges(edges)


def test_weights_may_be_as_small_as_floats_are() -> None:
    true, score = np.array([0, 1, 0, 1, 2, 2]), np.array([1.0, 2, 2, 1, 1, 3])
    small, expected = np.full(6, 1e-310), kernels(true, score, 3)
    np.testing.assert_allclose(kernels(true, score, 3, small), expected, rtol=1e-10)
    found = values_of(by_ranges([3, 3], true, score, 3, small))
    np.testing.assert_allclose(found, expected, rtol=1e-10)
    bounds, unweighted = (bounds_of(true, score, 3, [2], weights) for weights in (small, None))
    pd.testing.assert_frame_equal(bounds, unweighted, rtol=1e-10)


def test_tasks_grow_in_line_with_many_chunks() -> None:
    def tasks(n_chunks: int) -> int:
        true, score = np.arange(n_chunks) % 2, np.arange(n_chunks) % 3
        lazy = by_ranges([1] * n_chunks, true, score, 2)
        return len(lazy.__dask_graph__())

    few, many, more = (tasks(n) for n in (130, 150, 170))
    assert more - many == many - few


@pytest.mark.parametrize("n_steps", [0, 1, 64, 65, 200, 300])
def test_scores_reach_steps(n_steps: int) -> None:
    """Few steps are compared, and many are looked up."""
    steps, scores = np.arange(n_steps) * 1.0, np.arange(-1, n_steps + 1, 0.5)
    expected = [sum(score >= step for step in steps) for score in scores]
    assert score_ranges._steps(scores, steps).tolist() == expected
