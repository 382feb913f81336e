"""How counts are checked before a formula sees them; that every kernel of counts checks them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import xarray as xr
from oracles.of_matrices import (
    OF_MATRICES,
    assert_same,
    call,
    examples,
)

from pandas_ordinal import metrics
from pandas_ordinal.metrics import count_kernel, registry
from pandas_ordinal.metrics.stack import block_size

COUNTS = [[3, 1, 0], [0, 2, 1], [1, 0, 4]]


def in_a_stack(bad: float) -> np.ndarray:
    """One bad cell among many good ones."""
    cube = np.tile(np.array(COUNTS, float), (2, 5, 1, 1))
    cube[1, 3, 2, 0] = bad
    return cube


BAD_COUNTS = {
    "negative": [[1, 0, 0], [0, -1, 0], [0, 0, 2]],
    "negative float": [[1, 0, 0], [0, -1e-9, 0], [0, 0, 2]],
    "NaN": [[1, 0, 0], [0, math.nan, 0], [0, 0, 2]],
    "infinite": [[1, 0, 0], [0, math.inf, 0], [0, 0, 2]],
    "negative in a stack": in_a_stack(-2),
    "NaN in a stack": in_a_stack(math.nan),
    "infinite in a stack": in_a_stack(math.inf),
    "minus infinity in a stack": in_a_stack(-math.inf),
    "not square": np.ones((2, 3)),
    "a stack of matrices that are not square": np.ones((4, 3, 2)),
    "a vector": [1, 2, 3],
    "a number": 3,
    "nothing": [],
    "no classes": np.ones((0, 0)),
    "a stack without classes": np.ones((4, 0, 0)),
    "text": [["a", "b", "c"]] * 3,
    "numbers as text": [["1", "2", "3"]] * 3,
    "objects": [[None, 1, 2], [1, 2, 3], [1, 2, 3]],
    "dates": np.full((3, 3), np.datetime64("2026-01-01")),
    "lines of unequal length": [[1, 2, 3], [4, 5], [6]],
}


@pytest.mark.parametrize("kind", BAD_COUNTS)
def test_bad_counts(kind: str) -> None:
    """For a kernel without options, and for one whose formula divides by counts."""
    for kernel in (metrics.mae, metrics.kappa):
        with pytest.raises(ValueError):
            kernel(BAD_COUNTS[kind])


NOT_SQUARE = [(), (3,), (2, 3), (4, 3, 2), (9, 2, 3), (0, 3, 2), (3, 3, 3, 2), (2, 2, 3, 2)]
WITHOUT_CLASSES = [(0, 0), (3, 0, 0), (2, 3, 0, 0)]


@pytest.mark.parametrize("shape", [*NOT_SQUARE, *WITHOUT_CLASSES], ids=str)
def test_shapes_other_than_of_square_matrices(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError) as caught:
        metrics.mae(np.ones(shape))
    assert str(caught.value).startswith(
        f"Expected confusion matrices of shape (..., K, K), got {shape}; for labels call "
    )


def test_counts_with_named_dimensions() -> None:
    """A kernel would read them by position."""
    with pytest.raises(ValueError, match="counts must be a plain array, not an array with named"):
        metrics.mae(xr.DataArray(COUNTS, dims=("pred", "true")))


def test_counts_that_add_up_to_more_than_formulas_can_add() -> None:
    for counts in (np.full((2, 2), 1e308), [COUNTS, np.full((3, 3), 1e308)], np.eye(3) * 1e307):
        with pytest.raises(ValueError, match=r"add up to (inf|3e\+307), but .* below 2\.25e\+307"):
            metrics.mae(counts)


def test_the_largest_sum_of_counts() -> None:
    limit = 2.0**1021
    assert metrics.accuracy([[np.nextafter(limit, 0)]]) == 1
    for counts in ([[limit]], [[limit / 2, 0], [limit / 4, limit / 4]]):
        with pytest.raises(ValueError, match=r"add up to 2\.25e\+307"):
            metrics.accuracy(counts)


@pytest.mark.parametrize("method", ["fit", "predict"])
def test_counts_that_only_fit_or_only_predict_are_no_estimator(method: str) -> None:
    kind = type("Own", (np.ndarray,), {method: lambda self: self})
    assert metrics.mae(np.array(COUNTS).view(kind)) == metrics.mae(COUNTS)


# Kernels ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OF_MATRICES)
def test_every_kernel_checks_its_counts(name: str) -> None:
    """All are made by `metric`, which checks counts before it calls the formula."""
    assert registry[name].kernel.__code__ is metrics.mae.__code__
    negative = np.array(COUNTS, float)
    negative[1, 2] = -1
    with pytest.raises(ValueError, match="counts hold -1"):
        call(name, negative)
    with pytest.raises(
        ValueError, match=r"of shape \(\.\.\., K, K\), got \(2, 3\); .*po\.confusion\("
    ):
        call(name, np.ones((2, 3)))


@pytest.mark.parametrize("name", OF_MATRICES)
def test_blocks_do_not_matter(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = examples(3, 50)
    expected = call(name, counts)
    sizes = []
    blocks = count_kernel._blocks

    def counted(flat: np.ndarray) -> Any:
        for rows, stack, sums in blocks(flat):
            sizes.append(stack.shape[-1])
            yield rows, stack, sums

    monkeypatch.setattr(count_kernel, "_blocks", counted)
    monkeypatch.setattr(count_kernel, "block_size", lambda n_classes: 7)
    assert_same(call(name, counts), expected)
    assert sizes == [7] * 7 + [1]


def test_more_matrices_than_a_block() -> None:
    counts = examples(3, 2 * block_size(3) + 5)
    values = metrics.mae(counts)
    for position in (1, block_size(3) - 1, block_size(3), 2 * block_size(3), -1):
        assert_same(values[position], metrics.mae(counts[position]))
