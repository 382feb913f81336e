"""Rankings by ranges of the score: those of all rows, however these are cut up."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import ranking as oracle

import pandas_ordinal as po
from pandas_ordinal.rows import score_ranges

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


def chunked(sizes: list[int], *arrays: np.ndarray) -> list[Any]:
    return [da.from_array(array, chunks=(tuple(sizes),)) for array in arrays]


@settings(max_examples=25, deadline=None)
@given(
    partitions(),
    st.sampled_from([None, 1, 2, 9, 100]),
    st.booleans(),
    st.sampled_from(["half", "strict"]),
)
def test_ranges_are_the_kernels(rows: Any, n_ranges: Any, weighted: bool, ties: Any) -> None:
    true, score, weight, n_classes, sizes = rows
    lazy_true, lazy_score, lazy_weight = chunked(sizes, true, score, weight)
    found = po.by_score_ranges(
        lazy_true, lazy_score, n_classes, n_ranges=n_ranges, ties=ties,
        sample_weight=lazy_weight if weighted else None,
    ).compute(**HERE)  # fmt: skip
    expected = kernels(true, score, n_classes, weight if weighted else None, ties=ties)
    assert found.index.tolist() == NAMES
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-15)


@settings(max_examples=25, deadline=None)
@given(partitions(), st.lists(st.integers(-1, 21), unique=True, max_size=6), st.booleans())
def test_bounds_hold(rows: Any, edges: list[int], weighted: bool) -> None:
    true, score, weight, n_classes, sizes = rows
    arrays = chunked(sizes, true, score)
    given_ = {"sample_weight": chunked(sizes, weight)[0] if weighted else None}
    bounds = po.score_bounds(*arrays, n_classes, sorted(edges), **given_).compute(**HERE)
    for ties in ("half", "strict"):
        exact = kernels(true, score, n_classes, weight if weighted else None, ties=ties)
        assert (np.isnan(exact) == bounds["low"].isna()).all()
        assert (np.isnan(exact) == bounds["high"].isna()).all()
        low, high = bounds["low"].to_numpy(), bounds["high"].to_numpy()
        known = ~np.isnan(exact)
        assert (low[known] <= np.array(exact)[known] + 1e-12).all()
        assert (high[known] >= np.array(exact)[known] - 1e-12).all()
    every = np.unique(score[true >= 0])
    if len(every):  # a bin for each score: the bounds are strict ties and all of each tie
        finest = po.score_bounds(*arrays, n_classes, every, **given_).compute(**HERE)
        strict = kernels(true, score, n_classes, weight if weighted else None, ties="strict")
        np.testing.assert_allclose(finest["low"], strict, rtol=1e-12, atol=1e-15)


def test_bounds_are_those_of_sequences() -> None:
    """The lowest and the highest, sequence by sequence, of rows known by their bins alone."""
    rng = np.random.default_rng(1)
    true, score = rng.integers(0, 3, 30), rng.normal(size=30)
    bins = np.searchsorted([-0.5, 0, 1], score, side="right")
    bounds = po.score_bounds(*chunked([9, 0, 21], true, score), 3, [-0.5, 0, 1]).compute(**HERE)
    rows = [bins[true == k].tolist() for k in range(3)]
    sequences = [(a, b, c) for a in rows[0] for b in rows[1] for c in rows[2]]
    low = sum(a < b < c for a, b, c in sequences) / len(sequences)
    high = sum(a <= b <= c for a, b, c in sequences) / len(sequences)
    assert bounds.loc["vus"].tolist() == pytest.approx([low, high], rel=1e-12)
    strict = float(oracle.vus(true, bins, 3, ties="strict"))
    assert bounds.loc["vus", "low"] == pytest.approx(strict, rel=1e-12)


def test_finer_edges_bound_closer() -> None:
    rng = np.random.default_rng(0)
    true = rng.integers(0, 4, 5000)
    score = true + rng.normal(size=5000)
    arrays = chunked([1000] * 5, true, score)
    exact, widths = kernels(true, score, 4), []
    for n_edges in (10, 100, 1000):
        edges = np.linspace(-3, 6, n_edges)
        bounds = po.score_bounds(*arrays, 4, edges).compute(**HERE)
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
    lazy = po.by_score_ranges(*chunked([6000, 0, 8000, 6000], true, score), 5)
    found = lazy.compute(
        scheduler=scheduler, **{"num_workers": 2} if scheduler == "processes" else {}
    )
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
    parts = [score_ranges.Part(group[of], scores[of], None, group[of]) for of in slices]
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


def test_nothing_is_computed_by_the_call() -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise AssertionError("computed")

    arrays = chunked([3, 3], np.array([0, 1, 1, 0, 1, 0]), np.arange(6.0))
    with dask.config.set(scheduler=fail):
        po.by_score_ranges(*arrays, 2)
        po.score_bounds(*arrays, 2, [2.5])


def test_chunks_may_differ_or_be_of_unknown_length() -> None:
    true, score = np.array([0, 1, 1, 0, 1, 0]), np.array([1.0, 2, 3, 2, 1, 1])
    expected = kernels(true, score, 2)
    other = [da.from_array(true, chunks=4), da.from_array(score, chunks=(1, 5))]
    pieces = [dask.delayed(score[a:b]) for a, b in ((0, 3), (3, 6))]
    unknown = da.concatenate([da.from_delayed(p, (np.nan,), float) for p in pieces])
    for arrays in (other, [da.from_array(true, chunks=3), unknown]):
        found = po.by_score_ranges(*arrays, 2).compute(**HERE)
        np.testing.assert_allclose(found, expected, rtol=1e-12)
    with pytest.raises(ValueError, match="{'true': 1, 'score': 2} chunks of unknown lengths"):
        po.by_score_ranges(da.from_array(true), unknown, 2)


def test_wrong_rows_are_refused() -> None:
    true, score = chunked([3, 3], np.array([0, 1, 1, 0, 1, 7]), np.arange(6.0))
    gap = da.where(score == 4, np.nan, score)
    short = score[:4]
    with pytest.raises(ValueError, match="hold 7, which is not a code"):
        po.by_score_ranges(true, score, 2).compute(**HERE)
    with pytest.raises(ValueError, match="NaN in 1 row"):
        po.score_bounds(true, gap, 8, [1]).compute(**HERE)
    with pytest.raises(ValueError, match="equally many numbers"):
        po.by_score_ranges(true, short, 8)
    with pytest.raises(ValueError, match="equally many numbers"):
        po.by_score_ranges(true[None], score[None], 8)
    with pytest.raises(ValueError, match="must be numbers that ascend"):
        po.score_bounds(true, score, 8, [1, 1])
    with pytest.raises(ValueError, match="must be numbers that ascend"):
        po.score_bounds(true, score, 8, [np.nan])
    with pytest.raises(ValueError, match="edges=5 must be a list of numbers that ascend"):
        po.score_bounds(true, score, 8, 5)
    with pytest.raises(ValueError, match="ties='some'"):
        po.by_score_ranges(true, score, 8, ties="some")  # type: ignore[arg-type]


def test_a_class_without_rows_has_no_volume() -> None:
    true, score = chunked([2, 2], np.array([0, 2, 0, 2]), np.arange(4.0))
    found = po.by_score_ranges(true, score, 3).compute(**HERE)
    assert np.isnan(found["vus"]) and found["u_pairs"] == 0.75
    pd.testing.assert_series_equal(
        found, pd.Series(kernels([0, 2, 0, 2], range(4), 3), NAMES), rtol=1e-12
    )


@pytest.mark.parametrize("n_ranges", [0, -1, 2.5, "3"])
def test_ranges_are_one_or_more(n_ranges: Any) -> None:
    arrays = chunked([2, 2], np.array([0, 1, 0, 1]), np.arange(4.0))
    with pytest.raises(ValueError, match="n_ranges=.* must be an integer from 1 on"):
        po.by_score_ranges(*arrays, 2, n_ranges=n_ranges)


def test_rows_in_memory_and_columns_are_no_arrays_of_dask() -> None:
    df = pd.DataFrame({"true": [0, 1, 0, 1], "score": [1.0, 2.0, 3.0, 4.0]})
    ddf = dd.from_pandas(df, npartitions=2)
    arrays = chunked([2, 2], df["true"].to_numpy(), df["score"].to_numpy())
    for name, other in (("score", df["score"]), ("score", ddf["score"]), ("score", [1, 2, 3, 4])):
        with pytest.raises(TypeError, match=f"{name} must be a dask array, not a"):
            po.by_score_ranges(arrays[0], other, 2)
        with pytest.raises(TypeError, match=f"{name} must be a dask array, not a"):
            po.score_bounds(arrays[0], other, 2, [2])
    found = po.by_score_ranges(ddf["true"].values, ddf["score"].values, 2).compute(**HERE)
    np.testing.assert_allclose(found, kernels(df["true"], df["score"], 2), rtol=1e-12)


def test_weights_may_be_as_small_as_floats_are() -> None:
    true, score = np.array([0, 1, 0, 1, 2, 2]), np.array([1.0, 2, 2, 1, 1, 3])
    arrays, small = chunked([3, 3], true, score), np.full(6, 1e-310)
    weights = chunked([3, 3], small)[0]
    expected = kernels(true, score, 3)
    np.testing.assert_allclose(kernels(true, score, 3, small), expected, rtol=1e-10)
    found = po.by_score_ranges(*arrays, 3, sample_weight=weights).compute(**HERE)
    np.testing.assert_allclose(found, expected, rtol=1e-10)
    bounds = po.score_bounds(*arrays, 3, [2], sample_weight=weights).compute(**HERE)
    unweighted = po.score_bounds(*arrays, 3, [2]).compute(**HERE)
    pd.testing.assert_frame_equal(bounds, unweighted, rtol=1e-10)


def test_tasks_grow_in_line_with_many_chunks() -> None:
    def tasks(n_chunks: int) -> int:
        true, score = np.arange(n_chunks) % 2, np.arange(n_chunks) % 3
        lazy = po.by_score_ranges(*chunked([1] * n_chunks, true, score), 2)
        return len(lazy.__dask_graph__())

    few, many, more = (tasks(n) for n in (130, 150, 170))
    assert more - many == many - few
