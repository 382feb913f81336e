"""Small random samples of rows: true classes with tied scores and with class probabilities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays


@dataclass(frozen=True)
class Sample:
    """Rows on the last axis; of `proba` on the last but one.

    Attributes
    ----------
    true : ndarray
        Codes of the true classes.
    scores, other : ndarray
        Two scores of each row.
    proba : ndarray
        Class probabilities of each row.
    weights : ndarray or None
        The weight of each row.
    """

    true: np.ndarray
    scores: np.ndarray
    other: np.ndarray
    proba: np.ndarray
    weights: np.ndarray | None = None

    @property
    def n_classes(self) -> int:
        return int(self.proba.shape[-1])

    def take(self, rows: Any) -> Sample:
        """Choose, repeat or reorder rows."""
        return Sample(
            self.true[..., rows],
            self.scores[..., rows],
            self.other[..., rows],
            self.proba[..., rows, :],
            None if self.weights is None else self.weights[..., rows],
        )

    def at(self, position: Any) -> Sample:
        """Choose from the leading dimensions, which all arrays must have."""
        weights = None if self.weights is None else self.weights[position]
        return Sample(
            self.true[position],
            self.scores[position],
            self.other[position],
            self.proba[position],
            weights,
        )

    def weighted(self, weights: Any) -> Sample:
        return replace(self, weights=np.asarray(weights))


def shares(numbers: np.ndarray) -> np.ndarray:
    """Probabilities in proportion to whole numbers, a row of zeros being evenly spread."""
    even = np.where(numbers.sum(axis=-1, keepdims=True) > 0, numbers, 1)
    return even / even.sum(axis=-1, keepdims=True)


def random_sample(seed: int, n_classes: int, *shape: int, n_scores: int = 5) -> Sample:
    """Rows of that shape, the scores being no better than chance."""
    rng = np.random.default_rng(seed)
    return Sample(
        rng.integers(0, n_classes, shape),
        rng.integers(0, n_scores, shape).astype(float),
        rng.integers(0, n_scores, shape).astype(float),
        shares(rng.integers(0, 5, (*shape, n_classes)) * rng.integers(0, 2, (*shape, n_classes))),
    )


@st.composite
def samples(
    draw: st.DrawFn, min_classes: int = 1, max_classes: int = 4, max_rows: int = 9
) -> Sample:
    """Up to that many rows; in half of the samples each class has at least two."""
    n_classes = draw(st.integers(min_classes, max_classes))
    every = draw(st.booleans()) and 2 * n_classes <= max_rows
    n_rows = draw(st.integers(2 * n_classes if every else 0, max_rows))
    true = draw(arrays(np.int64, n_rows, elements=st.integers(0, n_classes - 1)))
    if every:
        true[: 2 * n_classes] = np.repeat(np.arange(n_classes), 2)
        true = true[draw(st.permutations(range(n_rows)))]
    scores = arrays(np.int64, n_rows, elements=st.integers(-2, 2), fill=st.nothing())
    numbers = arrays(np.int64, (n_rows, n_classes), elements=st.integers(0, 4), fill=st.nothing())
    return Sample(
        true, draw(scores).astype(float), draw(scores).astype(float), shares(draw(numbers))
    )


def weights(n_rows: int, highest: int = 3) -> st.SearchStrategy[np.ndarray]:
    """Whole weights, 0 among them."""
    return arrays(np.int64, n_rows, elements=st.integers(0, highest), fill=st.nothing())


def maybe_weighted(data: st.DataObject, sample: Sample) -> Sample:
    """Halves make weights that are not repetitions; 0 is among them."""
    if data.draw(st.booleans()):
        return sample.weighted(data.draw(weights(len(sample.true), 6)) / 2)
    return sample
