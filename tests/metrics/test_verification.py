"""Scores of forecasts of categories: against the papers, other libraries and brute force."""

from __future__ import annotations

import itertools
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from hypothesis import given
from oracles.cases import check
from oracles.close import approx, assert_same
from oracles.strategies import QUICK, matrices

import pandas_ordinal as po

LEVELS = ["dry", "light", "heavy"]
COUNTS = np.array([[20, 6, 1], [7, 12, 4], [2, 5, 8]])
SHARES = [0.4, 0.4, 0.2]


@QUICK
@given(counts=matrices())
def test_kernels_are_their_definitions(counts: np.ndarray) -> None:
    check("verification", counts)


def test_other_libraries() -> None:
    """Values that xskillscore 0.0.29 and scores 2.7.0 print."""
    assert po.metrics.gerrity(COUNTS) == approx(0.4686159844054581)
    assert po.metrics.peirce(COUNTS) == approx(0.3986141502552882)
    assert po.metrics.kappa(COUNTS, weights="identity") == approx(0.40213392200147174)
    assert po.metrics.seeps(COUNTS, reference=SHARES) == approx(0.5673076923076923)


# Identities ---------------------------------------------------------------------------------


def youden(counts: np.ndarray, k: int) -> float:
    """Sensitivity + specificity - 1 for the classes from k."""
    return counts[:k, :k].sum() / counts[:k].sum() + counts[k:, k:].sum() / counts[k:].sum() - 1


@pytest.mark.parametrize("k", [2, 3, 5])
def test_gerrity_is_the_mean_of_youdens_index_over_the_splits(k: int) -> None:
    counts = np.random.default_rng(k).integers(1, 9, (k, k))
    index = np.mean([youden(counts, split) for split in range(1, k)])
    assert po.metrics.gerrity(counts) == approx(index)
    if k == 2:
        assert po.metrics.peirce(counts) == approx(index)
    if k == 3:
        assert po.metrics.seeps(counts) == approx(1 - index)


@pytest.mark.parametrize("name", ["gerrity", "peirce"])
@pytest.mark.parametrize("k", [2, 3, 4])
def test_constant_and_random_forecasts_have_no_skill(name: str, k: int) -> None:
    sizes = np.arange(1, k + 1)
    constant = sizes[:, None] * np.eye(k, dtype=int)[:, None]
    assert_same(po.metrics.registry[name].kernel(constant), np.zeros(k))
    assert po.metrics.registry[name].kernel(np.outer(sizes, sizes[::-1])) == approx(0)


def test_the_unit_of_the_reference_does_not_matter() -> None:
    for kernel in (po.metrics.gerrity, po.metrics.seeps):
        of_rows = kernel(COUNTS)
        assert kernel(COUNTS, reference=COUNTS.sum(axis=1)) == approx(of_rows)
        assert kernel(COUNTS, reference=[40, 40, 20]) == approx(kernel(COUNTS, reference=SHARES))


# Ranges -------------------------------------------------------------------------------------


def small_tables(k: int, most: int) -> np.ndarray:
    return np.array(list(itertools.product(range(most + 1), repeat=k * k))).reshape(-1, k, k)


@pytest.mark.parametrize("name", ["gerrity", "peirce", "seeps"])
def test_ends_of_the_range_are_reached(name: str) -> None:
    metric = po.metrics.registry[name]
    values = np.concatenate([metric.kernel(small_tables(k, m)) for k, m in ((2, 3), (3, 2))])
    low, high = metric.bounds(3)
    found = np.nanmin(values), np.nanmax(values)
    # three classes are all observed unless the middle one is not
    assert found == pytest.approx((low, high), abs=0.1 if name == "peirce" else 1e-12)


@pytest.mark.parametrize("name", ["gerrity", "seeps"])
def test_limits_with_a_reference(name: str) -> None:
    """They are those of all forecasts of the same true classes."""
    metric, options = po.metrics.registry[name], {"reference": SHARES}
    sizes = [3, 1, 2]
    rows = [
        [line for line in itertools.product(range(n + 1), repeat=3) if sum(line) == n]
        for n in sizes
    ]
    counts = np.array(list(itertools.product(*rows)))
    values = metric.kernel(counts, **options)
    assert metric.limits is not None
    low, high = metric.limits(counts[0], options)
    assert values.max() == approx(high)
    assert values.min() == approx(low) if name == "seeps" else values.min() >= low
    assert metric.limits(counts[0], {}) == metric.bounds(3)


# Surfaces -----------------------------------------------------------------------------------


def rows() -> pd.DataFrame:
    true, pred = np.nonzero(np.ones((3, 3)))
    frame = pd.DataFrame({"y": true, "yhat": pred}).loc[np.repeat(np.arange(9), COUNTS.ravel())]
    return frame.apply(lambda codes: pd.Categorical.from_codes(codes, LEVELS, ordered=True))


@pytest.mark.parametrize("name", ["gerrity", "seeps"])
@pytest.mark.parametrize(
    "reference",
    [
        SHARES,
        dict(zip(LEVELS[::-1], SHARES[::-1], strict=True)),
        pd.Series(SHARES, LEVELS)[::-1],
        xr.DataArray(SHARES[::-1], {"class": LEVELS[::-1]}),
    ],
    ids=lambda given: type(given).__name__,
)
def test_the_reference_is_read_by_its_labels(name: str, reference: Any) -> None:
    frame, kernel = rows(), po.metrics.registry[name].kernel
    due = kernel(COUNTS, reference=SHARES)
    frame.index = pd.RangeIndex(len(frame))
    options = {"reference": reference}
    assert getattr(frame.ordinal, name)("y", "yhat", **options) == approx(due)
    assert getattr(frame["y"].ordinal, name)(frame["yhat"], **options) == approx(due)
    cube = frame.ordinal.confusion("y", "yhat")
    assert getattr(cube.ordinal, name)(**options) == approx(due)
    report = frame.ordinal.report("y", "yhat", metrics=[partial(kernel, **options)], ci=0.95)
    assert report[name].item() == approx(due)
    assert report[f"{name}_low"].item() < due < report[f"{name}_high"].item()


def test_seeps_and_gerrity_compare_models_alike() -> None:
    frame = rows()
    frame["other"] = frame["yhat"].to_numpy()[::-1]
    names = ["gerrity", "seeps", "peirce"]
    found = frame.ordinal.compare("y", ["yhat", "other"], metrics=names).droplevel(["a", "b"])
    assert found.loc["gerrity", "value_a"] == approx(po.metrics.gerrity(COUNTS))
    assert found.loc["seeps", "difference"] == approx(-found.loc["gerrity", "difference"])
    assert found.loc["seeps", "p_value"] == approx(found.loc["gerrity", "p_value"])


@pytest.mark.parametrize("k", [2, 4])
def test_seeps_is_for_three_classes(k: int) -> None:
    frame = pd.DataFrame({"y": [*range(k)] * 3, "yhat": [0, 1] * (k * 3 // 2)})
    report = frame.ordinal.report("y", "yhat", classes=range(k), metrics="all")
    assert "seeps" not in report and np.isfinite(report["gerrity"])
    message = rf"^seeps is defined for 3 classes, but there are {k}: \["
    ds, cube = frame.to_xarray(), frame.ordinal.confusion("y", "yhat")
    for call in (
        lambda: frame.ordinal.seeps("y", "yhat"),
        lambda: frame.ordinal.report("y", "yhat", metrics=["seeps"], ci=0.9),
        lambda: frame.assign(a=frame.y).ordinal.compare("y", ["a", "yhat"], metrics=["seeps"]),
        lambda: ds.ordinal.seeps("y", "yhat"),
        lambda: ds.ordinal.report("y", "yhat", metrics=["seeps"]),
        cube.ordinal.seeps,
    ):
        with pytest.raises(ValueError, match=message):
            call()
    assert np.isnan(po.metrics.seeps(np.eye(k)))


@pytest.mark.parametrize("name", ["gerrity", "seeps"])
@pytest.mark.parametrize(
    "reference", [[0.5, 0.5], [0, 0.5, 0.5], [0.5, 0.5, 0], [0.6, -0.1, 0.5], 1, np.eye(3)]
)
def test_wrong_references(name: str, reference: Any) -> None:
    message = "(?s)^reference=.* must be 3 non-negative numbers, one per class, in the order"
    with pytest.raises(ValueError, match=message):
        po.metrics.registry[name].kernel(COUNTS, reference=reference)


@pytest.mark.parametrize("name", ["gerrity", "peirce", "seeps"])
def test_classes_that_have_no_true_rows(name: str) -> None:
    kernel = po.metrics.registry[name].kernel
    without = COUNTS * (np.arange(3) != np.arange(3)[:, None])[..., None]
    assert np.isfinite(kernel(without)).tolist() == [name == "peirce", True, name == "peirce"]
    if name != "peirce":
        assert np.isfinite(kernel(without, reference=SHARES)).all()
