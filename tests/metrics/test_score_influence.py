"""Values and influences of metrics of scores, of several segments, with classes left out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pandas_ordinal import metrics
from pandas_ordinal.metrics import registry

# Classes, segments and scores: all classes; one in the middle missing; single rows; the first
# one missing; the last one missing; weights below one; all rows at one score
TABLE = np.array(
    [
        [[2, 1, 0, 1], [1, 0, 2, 0], [1, 0, 0, 0], [0] * 4, [1, 0, 1, 1], [0.5, 0, 0.2, 0.1]],
        [[0, 2, 0, 1], [0] * 4, [0, 1, 0, 0], [1, 2, 0, 1], [0, 2, 2, 1], [0.3, 0.2, 0, 0.1]],
        [[1, 0, 1, 3], [0, 1, 1, 0], [0, 1, 0, 0], [0, 1, 1, 0], [0, 0, 0, 1], [0, 0.4, 0, 0.2]],
        [[0, 0, 1, 0], [1, 1, 0, 2], [0, 0, 0, 1], [2, 0, 0, 1], [0] * 4, [0, 0, 0.1, 0.6]],
    ]
)
NAMES = [name for name, metric in registry.items() if metric.score_influence is not None]


def of_weights(name: str, table: np.ndarray, ties: str) -> Any:
    """The metric of a segment, of a row for each class and score of these weights."""
    true, score = (place.ravel() for place in np.indices(table.shape))
    kernel = getattr(metrics, name)
    return kernel(true, score, len(table), sample_weight=table.ravel(), ties=ties)


@pytest.mark.parametrize("ties", ["half", "strict"])
@pytest.mark.parametrize("name", NAMES)
def test_an_influence_is_a_derivative_by_a_weight(name: str, ties: str) -> None:
    assert NAMES == ["vus", "u_ovo", "u_pairs", "u_cons"]
    compute = registry[name].score_influence
    assert compute is not None
    with np.errstate(all="ignore"):
        values, influences = compute(TABLE, TABLE.sum(axis=-1), ties=ties)
    step = 1e-6
    for segment in range(TABLE.shape[1]):
        table = TABLE[:, segment]
        value = of_weights(name, table, ties)
        np.testing.assert_allclose(values[segment], value, rtol=1e-12)
        if np.isnan(value):
            continue
        for place in zip(*np.nonzero(table), strict=True):
            low, high = table.copy(), table.copy()
            low[place] -= step
            high[place] += step
            due = (of_weights(name, high, ties) - of_weights(name, low, ties)) / (2 * step)
            assert influences[:, segment][place] == pytest.approx(due, rel=1e-6, abs=1e-8)
    assert np.isnan(values).sum() == (3 if name == "vus" else 0)


@pytest.mark.parametrize("name", NAMES)
def test_counts_may_be_small_integers(name: str) -> None:
    compute = registry[name].score_influence
    assert compute is not None
    counts = np.array([[[90, 90]], [[30, 120]], [[1, 127]]], np.int8)
    sizes = counts.sum(axis=-1, dtype=float)
    for ties in ("half", "strict"):
        found = compute(counts, sizes, ties=ties)
        for one, due in zip(found, compute(counts.astype(float), sizes, ties=ties), strict=True):
            np.testing.assert_allclose(one, due, rtol=1e-12)
