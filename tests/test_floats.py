"""Floats and integers near their limits, and NumPy set to raise errors."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po

RNG = np.random.default_rng(7)
TRUE = RNG.integers(0, 4, 80)
DF = pd.DataFrame(
    {
        "y": TRUE,
        "yhat": (TRUE + RNG.integers(-1, 2, 80)).clip(0, 3),
        "score": TRUE + RNG.normal(size=80),
        "w": RNG.random(80),
    }
).join(pd.DataFrame(RNG.dirichlet([1] * 4, 80)))
CUBE = po.from_counts(np.ones((3, 3), int), classes=range(3))
HUGE = "add up to .*too large for an integer below 2\\*\\*63: .*cube.astype\\(float\\)"


def with_counts(counts: Any) -> xr.DataArray:
    return CUBE.copy(data=np.asarray(counts))


@pytest.mark.parametrize("counts", [np.full((3, 3), 2**61), np.diag([2**62] * 3)])
@pytest.mark.parametrize("is_lazy", [False, True])
def test_counts_that_int64_cannot_add_up(counts: np.ndarray, is_lazy: bool) -> None:
    cube = with_counts(counts).chunk() if is_lazy else with_counts(counts)
    with pytest.raises(ValueError, match=HUGE):
        cube.ordinal.report().compute()
    with pytest.raises(ValueError, match=HUGE):
        cube.ordinal.normalize("all").compute()
    for table in (cube.ordinal.class_report, cube.ordinal.cut_report):
        with pytest.raises(ValueError, match=HUGE):
            table().compute()
    models = cube.expand_dims(model=["a", "b"], k=2)
    with pytest.raises(ValueError, match=HUGE):
        models.ordinal.compare("model", cluster="k")
    floats = cube.astype(float)
    share = 1 / 9 if counts[0, 1] else 1 / 3
    assert floats.ordinal.report()["n"] == float(counts[0, 0]) / share
    assert floats.ordinal.normalize("all")[0, 0] == pytest.approx(share)
    assert cube.ordinal.accuracy() == pytest.approx(3 * share)  # a share has no such limit


def test_the_largest_sum_of_integers_is_exact() -> None:
    largest = with_counts([[2**62, 0, 0], [0, 2**61, 0], [0, 0, 2**61 - 1024]])
    assert largest.ordinal.report()["n"].item() == 2**63 - 1024
    wide = with_counts(np.array([[2**62, 2**62, 0], [1, 1, 0], [0, 0, 1]]))
    with pytest.raises(ValueError, match=HUGE):
        wide.ordinal.normalize("true")
    assert with_counts(np.diag([2**62] * 3)).ordinal.normalize("true")[2, 2] == 1


def test_r_int_of_very_large_counts() -> None:
    """Pairs of a row with itself no longer matter, as exact fractions show."""
    counts = RNG.integers(0, 30, (4, 4))
    n = [[Fraction(int(count)) for count in row] for row in counts]
    both = true = pred = Fraction(0)
    for r in range(4):
        for c in range(4):
            for row in range(4):
                for column in range(4):
                    pairs = n[r][c] * n[row][column]
                    both += pairs * (r <= row and c <= column)
                    true += pairs * (r <= row)
                    pred += pairs * (c <= column)
    expected = -1 + 2 * float(both) / np.sqrt(float(true) * float(pred))
    for factor in (1e30, 1e150, 1e160, 1e300):
        assert po.metrics.r_int(counts * factor) == pytest.approx(expected, rel=1e-12)


EDGES = {"edges": [0.0, 1, 3, 4, 8]}
OPTIONS: dict[str, dict[str, Any]] = {
    "oci_general": {"beta2": 0.5}, "expected_cost": {"costs": 1 - np.eye(4)},
}  # fmt: skip
NOT_FREE = {"krippendorff_alpha", "r_int", "cost_matrix", "interval_cost_matrix"}


SCALE_FREE = [
    name for name, m in po.metrics.registry.items() if not m.of_rows and name not in NOT_FREE
]


@pytest.mark.parametrize("name", SCALE_FREE)
def test_metrics_of_tiny_and_huge_counts(name: str) -> None:
    metric = po.metrics.registry[name]
    options = OPTIONS.get(name, {}) | (EDGES if metric.needs == "edges" else {})
    counts = RNG.integers(0, 30, (4, 4))
    expected = metric.kernel(counts, **options)
    for factor in (1e-160, 1e160):
        npt.assert_allclose(metric.kernel(counts * factor, **options), expected, rtol=1e-9)


def scored(factor: float) -> np.ndarray:
    """Return all metrics, and their intervals, with weights times a factor."""
    df = DF.assign(w=DF["w"] * factor)
    weight: dict[str, Any] = {"sample_weight": "w"}
    others = ["oci", "kappa", "gwet_ac", "kendall_tau", "cem", "auoc"]
    reports = [
        df.ordinal.report("y", "yhat", ci=0.9, se=True, **weight),
        df.ordinal.report("y", "yhat", metrics=others, ci=0.9, **weight),
        df.ordinal.report("y", score="score", **weight),
        df.ordinal.report("y", proba=[0, 1, 2, 3], ci=0.9, **weight),
    ]
    limits = df.ordinal.best_thresholds("y", "score", metric="mae", **weight)
    return np.concatenate([*reports, limits])


@pytest.mark.parametrize("factor", [1e-160, 1e160])
def test_metrics_and_intervals_of_tiny_and_huge_weights(factor: float) -> None:
    npt.assert_allclose(scored(factor), scored(1), rtol=1e-9)


RAISES = """
import warnings

import numpy as np

np.seterr(all="raise")
warnings.simplefilter("error")

import pandas as pd
import pandas_ordinal as po

warnings.simplefilter("ignore", po.UndefinedMetricWarning)
rng = np.random.default_rng(0)
y = rng.integers(0, 4, 80)
df = pd.DataFrame({"y": y, "yhat": (y + rng.integers(-1, 2, 80)).clip(0, 3), "score": y / 3.0})
df = df.assign(other=y[::-1], g=np.arange(80) % 2, w=rng.random(80))
df = df.join(pd.DataFrame(rng.dirichlet([0.1] * 4, 80)))
PROBA = [0, 1, 2, 3]
cube = df.ordinal.confusion("y", "yhat", by="g")
for metric in po.metrics.registry.values():
    if metric.required or metric.n_classes not in (None, 4):
        continue
    call = getattr(df.ordinal, metric.name)
    what = {"pred": "yhat", "score": "score", "proba": PROBA}[metric.takes]
    bins = {"bins": [0, 1, 2, 3, 4]} if metric.needs == "edges" else {}
    call("y", what, by="g", sample_weight="w", classes=range(4), **bins)
    if metric.takes == "pred":
        edges = {"edges": [0, 1, 2, 3]} if metric.needs == "edges" else {}
        for counts in (np.full((3, 3), 1e160), np.full((3, 3), 1e-300), np.zeros((3, 3))):
            metric.kernel(counts, **edges)
for rows in (df, df[:5], df[:1]):
    for options in (
        {}, {"cluster": "g"}, {"stratify": "true"}, {"method": "bootstrap", "n_boot": 50},
        {"sample_weight": "w"},
    ):
        rows.ordinal.report("y", "yhat", ci=0.9, se=True, classes=range(4), **options)
    rows.ordinal.report("y", proba=PROBA, score="score", ci=0.9, classes=range(4))
    rows.ordinal.compare("y", ["yhat", "other"], classes=range(4))
df.ordinal.compare("y", ["yhat", "other"], method="permutation", n_permutations=99)
df.ordinal.summary("y", "yhat", over="g")
df.ordinal.dominance("y", ["yhat", "other"])
df.ordinal.best_thresholds("y", "score", metric="kappa")
cube.ordinal.report(ci=0.9)
(0 * cube).ordinal.normalize("true")
po.add(cube, cube)
df.to_xarray().ordinal.report("y", "yhat", dim="index", ci=0.9)
report = df.ordinal.report("y", ["yhat", "other"], by="g")
po.pareto(report), po.metric_correlation(report)
po.friedman(pd.DataFrame(rng.random((9, 4))), greater_is_better=True)
po.friedman(pd.DataFrame(rng.random((9, 4))), greater_is_better=True, posthoc="holm")
po.corrected_t_test([0.1, 0.2, 0.1], test_train_ratio=0.25)
po.influence(po.metrics.oci, [[1, 0], [2, 3]])
print("done")
"""


def test_numpy_that_raises_and_warnings_that_are_errors() -> None:
    command = [sys.executable, "-c", RAISES]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert run.stdout.strip() == "done", run.stderr


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_sums_of_narrow_floats_are_exact(dtype: str) -> None:
    counts = {"float16": [[40000, 30016], [1, 1]], "float32": [[2**24, 1], [1, 1]]}[dtype]
    cube = po.from_counts(counts, classes=[0, 1])
    narrow = cube.astype(dtype).ordinal
    assert narrow.report(metrics=["mae"])["n"].item() == np.sum(counts)
    shares, expected = narrow.normalize("all"), cube.ordinal.normalize("all")
    np.testing.assert_allclose(shares, expected, rtol=1e-6)


def test_underflow_is_no_error() -> None:
    frame = pd.DataFrame({"y": [0, 1, 0, 1], "p": [0, 0, 1, 1], "w": [1e-200, 1, 1, 1]})
    short = pd.Series([0.3, 0.7], dtype="float16")
    with np.errstate(all="raise"):
        report = frame.ordinal.report("y", "p", sample_weight="w", ci=0.9)
        bins = short.ordinal.cut([0, 1e-9, 0.5, 1])
    assert bins.cat.codes.tolist() == [1, 2]
    expected = frame.iloc[1:].ordinal.report("y", "p", sample_weight="w", metrics=["mae"])
    assert report["mae"] == pytest.approx(expected["mae"])
