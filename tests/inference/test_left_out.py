"""Influences with many classes: tables without a row, of which no copies are made."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_ordinal.inference import influence
from pandas_ordinal.metrics.left_out import FEWEST_CLASSES
from pandas_ordinal.metrics.metric import registry

K = 4
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "expected_cost": [{"costs": np.abs(np.subtract.outer(range(K), range(K))) ** 1.5}],
    "accuracy_within": [{}, {"k": 2}],
    "kappa": [{}, {"weights": "linear"}, {"weights": np.eye(K)}],
    "kendall_tau": [{}, {"variant": "c"}],
    "krippendorff_alpha": [
        *({"level": level} for level in ("ordinal", "nominal", "interval", "ratio")),
        {"weights": "radical"},
    ],
    "total_cost": [{}, {"class_sizes": [9, 5, 1, 7]}],
    "stc": [{}, {"class_sizes": [9, 5, 1, 7]}],
}
FAST = {
    name: metric.of_fractions or metric.kernel
    for name, metric in registry.items()
    if getattr(metric.of_fractions or metric.kernel, "reads_left_out", False)
}


def tables() -> np.ndarray:
    """Counts, sums of weights, classes without rows, and tables that lose a class with a row."""
    rng = np.random.default_rng(3)
    counts = rng.integers(0, 4, (8, K, K)).astype(float)
    counts[1] = np.diag([1, 3, 1, 2])
    counts[2] *= rng.random((K, K))
    counts[3, 2], counts[3, :, 1] = 0, 0
    counts[4, :, 1:] = 0
    counts[5, 1:] = 0
    counts[6] *= 1e150
    counts[7] = np.where(counts[7] > 2, 1e-3, 0)
    counts[:, 0, 0] += counts.max(axis=(1, 2))
    return counts


def cell_by_cell(value: Any, counts: np.ndarray) -> np.ndarray:
    """Leave out a row of each cell of a copy of the table, or what a row at most holds."""
    n, full, found = counts.sum(), float(value(counts)), np.zeros(counts.shape)
    for cell in zip(*np.nonzero(counts), strict=True):
        most = 1 if n <= 1e9 else max(1, n * 1e-6)
        weight = min(most, counts[cell])
        left = counts.copy()
        left[cell] -= weight
        found[cell] = (n - weight) / n * (full - float(value(left))) / weight
    return np.where(counts > 0, found - (counts * found).sum() / n, 0)


@pytest.mark.parametrize("name", FAST)
def test_they_are_those_of_copies(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(influence, "FEWEST_CLASSES", 1)
    monkeypatch.delattr(influence, "_without")
    for options in OPTIONS.get(name, [{}]):
        value = functools.partial(FAST[name], **options)
        (found,) = influence.influences({"": value}, tables()).values()
        for table, by_cell in zip(tables(), found.by_cell, strict=True):
            size = table[table > 0].min()
            expected = cell_by_cell(value, table)
            np.testing.assert_allclose(
                by_cell, expected, rtol=1e-9, atol=1e-12 / min(size, 1), err_msg=str(options)
            )


def test_a_report_with_many_classes_makes_no_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    n_classes = FEWEST_CLASSES + 4
    rng = np.random.default_rng(0)
    true = rng.integers(0, n_classes, 200)
    preds = {name: np.clip(true + rng.integers(-2, 3, 200), 0, n_classes - 1) for name in "ab"}
    frame = pd.DataFrame({"y": true, **preds}).astype(
        pd.CategoricalDtype(range(n_classes), ordered=True)
    )
    metrics = [name for name in FAST if not registry[name].required and registry[name].of_a_model]
    wide = frame.assign(patient=np.arange(200) // 4)

    def results() -> list[Any]:
        return [
            frame.ordinal.report("y", "a", metrics=metrics, ci=0.9),
            frame.ordinal.compare("y", ["a", "b"], metrics=metrics).drop(columns="better"),
            wide.ordinal.report("y", "a", metrics=["mae", "kappa"], ci=0.9, cluster="patient"),
            frame.ordinal.confusion("y", ["a", "b"]).ordinal.report(ci=0.9, metrics=metrics),
        ]

    with monkeypatch.context() as by_copies:
        by_copies.setattr(influence, "FEWEST_CLASSES", n_classes + 1)
        expected = results()
    monkeypatch.delattr(influence, "_without")
    for found, due in zip(results(), expected, strict=True):
        if hasattr(found, "to_dataframe"):
            found, due = found.to_dataframe(), due.to_dataframe()
        np.testing.assert_allclose(
            found.to_numpy(dtype=float), due.to_numpy(dtype=float), rtol=1e-11, atol=1e-12
        )
