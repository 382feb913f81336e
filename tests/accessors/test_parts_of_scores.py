"""The parts of `rps` and `log_loss` on every surface, with intervals and in comparisons."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from scipy import stats

import pandas_ordinal as po
from pandas_ordinal.metrics.decomposition import RULES, row_parts
from pandas_ordinal.metrics.segments import Segments

K, N = 4, 120
NAMES = [name for name, metric in po.metrics.registry.items() if metric.row_terms]
RAW = ["rps_mcb", "rps_dsc", "log_loss_mcb", "log_loss_dsc"]
MCB, DSC = (partial(k, corrected=True) for k in (po.metrics.rps_mcb, po.metrics.rps_dsc))
RNG = np.random.default_rng(5)
TRUE = RNG.integers(0, K, N)


def forecasts(trust: float) -> np.ndarray:
    distance = np.abs(TRUE[:, None] + RNG.normal(size=N)[:, None] - np.arange(K))
    odds = np.exp(-trust * distance)
    return np.round(odds / odds.sum(axis=1, keepdims=True), 3)


FIRST, SECOND = (p / p.sum(axis=1, keepdims=True) for p in (forecasts(0.7), forecasts(2)))
FRAME = pd.DataFrame(
    {
        "y": pd.Categorical.from_codes(TRUE, list("abcd"), ordered=True),
        "g": RNG.integers(0, 3, N),
        "w": RNG.integers(0, 3, N),
        "cluster": np.arange(N) // 6,
        **dict(zip("abcd", FIRST.T, strict=True)),
        **{f"{k}2": column for k, column in zip("abcd", SECOND.T, strict=True)},
    }
)
A, B = list("abcd"), {k: f"{k}2" for k in "abcd"}
CUBE = {"x": range(4), "t": range(N // 4)}
Y = xr.DataArray(TRUE.reshape(4, -1), CUBE, name="y")
P = xr.DataArray(FIRST.reshape(4, -1, K), CUBE | {"k": range(K)}, name="p")


@pytest.mark.parametrize("name", NAMES)
def test_each_surface_has_the_number_of_the_kernel(name: str) -> None:
    kernel = po.metrics.registry[name].kernel
    for weights in (None, "w"):
        given: dict[str, Any] = {"sample_weight": weights}
        w = None if weights is None else FRAME["w"].to_numpy()
        due = kernel(TRUE, FIRST, w)
        assert getattr(FRAME.ordinal, name)("y", A, **given) == pytest.approx(due, rel=1e-13)
        of_groups = getattr(FRAME.ordinal, name)("y", A, by="g", **given)
        for group, value in of_groups.items():
            at = (FRAME["g"] == group).to_numpy()
            own = None if w is None else w[at]
            assert value == pytest.approx(kernel(TRUE[at], FIRST[at], own), rel=1e-13)
        again = getattr(FRAME.groupby("g").ordinal, name)("y", A, **given)
        pd.testing.assert_series_equal(again, of_groups)
    of_series = getattr(FRAME["y"].ordinal, name)(FRAME[A])
    assert of_series == pytest.approx(kernel(TRUE, FIRST), rel=1e-13)
    report = FRAME.ordinal.report("y", proba={"one": A, "two": B}, metrics=[name])
    for model, proba in (("one", FIRST), ("two", SECOND)):
        assert report.loc[model, name] == pytest.approx(kernel(TRUE, proba), rel=1e-13)


@pytest.mark.parametrize("chunks", [None, {"x": 3, "t": 7, "k": 2}])
@pytest.mark.parametrize("name", NAMES)
def test_arrays(name: str, chunks: dict[str, int] | None) -> None:
    kernel = po.metrics.registry[name].kernel
    options = [{}, {"corrected": True}] if name in ("rps_mcb", "rps_dsc") else [{}]
    true, proba = Y, P
    if chunks is not None:
        true, proba = Y.chunk(x=2, t=11), P.chunk(chunks)
    key = xr.DataArray(np.arange(N // 4) % 3, {"t": Y["t"]}, name="key")
    for given in options:
        every = getattr(true.ordinal, name)(proba, classes=range(K), **given)
        assert (every.chunks is None) == (chunks is None)
        assert float(every) == pytest.approx(kernel(TRUE, FIRST, **given), rel=1e-12)
        rows = getattr(true.ordinal, name)(proba, dim="t", classes=range(K), **given)
        np.testing.assert_allclose(rows, kernel(Y.values, P.values, **given), rtol=1e-12)
        dataset = xr.Dataset({"y": true, "p": proba})
        groups = getattr(dataset.ordinal, name)("y", "p", by=key, classes=range(K), **given)
        for group in range(3):
            at = key.values == group
            due = kernel(Y.values[:, at].ravel(), P.values[:, at].reshape(-1, K), **given)
            assert float(groups.sel(key=group)) == pytest.approx(due, rel=1e-12)


def test_arrays_that_hold_no_probabilities_are_refused() -> None:
    holed = P.where(P.isel(k=0) < 0.4)
    with pytest.raises(ValueError, match="sums to 2"):
        Y.ordinal.rps_mcb(P * 2, classes=range(K))
    with pytest.raises(ValueError, match="dropna=True"):
        Y.ordinal.rps_mcb(holed, classes=range(K))
    found = Y.ordinal.rps_dsc(holed, classes=range(K), dropna=True)
    there = FIRST[:, 0] < 0.4
    due = po.metrics.rps_dsc(TRUE[there], FIRST[there])
    assert float(found) == pytest.approx(due, rel=1e-12)


# Intervals ----------------------------------------------------------------------------------


def terms(proba: np.ndarray, part: str) -> np.ndarray:
    rows = Segments(TRUE, K, np.zeros(N, int), 1, None)
    found: np.ndarray = getattr(row_parts(RULES["rps"], rows, proba), part)
    return found


@pytest.mark.parametrize(("metric", "part"), [(MCB, "mcb"), (DSC, "dsc"), ("rps_unc", "unc")])
def test_intervals_are_those_of_a_mean(metric: Any, part: str) -> None:
    name = f"rps_{part}"
    row = FRAME.ordinal.report("y", proba=A, metrics=[metric], ci=0.9, se=True)
    se = terms(FIRST, part).std(ddof=1) / math.sqrt(N)
    assert row[f"{name}_se"] == pytest.approx(se, rel=1e-12)
    # the degrees of freedom of all rows, or fewer if a class adds most
    half = (row[f"{name}_high"] - row[f"{name}_low"]) / 2
    assert row[name] - row[f"{name}_low"] == pytest.approx(half, rel=1e-9)
    few, many = stats.t.ppf(0.95, [8, N - 1]) * se
    assert many * (1 - 1e-9) <= half[()] <= few
    of_clusters = FRAME.ordinal.report("y", proba=A, metrics=[metric], se=True, cluster="cluster")
    own = terms(FIRST, part)
    n = N // 6
    left_out = np.array([np.delete(own, np.arange(6 * c, 6 * c + 6)).mean() for c in range(n)])
    jackknife = math.sqrt((n - 1) / n * ((left_out - own.mean()) ** 2).sum())
    assert of_clusters[f"{name}_se"] == pytest.approx(jackknife, rel=1e-9)


def test_intervals_change_no_number() -> None:
    metrics = [MCB, DSC, "rps_unc", "log_loss_unc"]
    names = ["rps_mcb", "rps_dsc", "rps_unc", "log_loss_unc"]
    plain = FRAME.ordinal.report("y", proba=A, by="g", metrics=metrics)
    with_ci = FRAME.ordinal.report("y", proba=A, by="g", metrics=metrics, ci=0.95, se=True)
    pd.testing.assert_frame_equal(plain, with_ci[["n", *names]], check_exact=True)
    assert (with_ci["rps_mcb_low"] < with_ci["rps_mcb"]).all()
    one = FRAME[FRAME.g == 1].ordinal.report("y", proba=A, metrics=metrics)
    assert one[names].equals(plain.loc[1, names].rename(None))
    arrays = Y.ordinal.report(proba=P, classes=range(K), metrics=metrics, ci=0.95)
    row = FRAME.ordinal.report("y", proba=A, metrics=metrics, ci=0.95)
    for column in row.index:
        assert float(arrays[column]) == pytest.approx(row[column], rel=1e-12)


@pytest.mark.parametrize("name", RAW)
def test_single_values_without_correction_are_refused_by_name(name: str) -> None:
    due = f"{name} has no intervals: chance adds to it; "
    for asked in ({"ci": 0.95}, {"se": True}):
        with pytest.raises(ValueError, match=due):
            FRAME.ordinal.report("y", proba=A, metrics=[name], **asked)
        with pytest.raises(ValueError, match=due):
            Y.ordinal.report(proba=P, classes=range(K), metrics=[name], **asked)
    half = partial(po.metrics.rps_mcb, normalized=True)
    with pytest.raises(ValueError, match=r"normalized=True, corrected=True\)"):
        FRAME.ordinal.report("y", proba=A, metrics=[half], ci=0.95)


def test_all_metrics() -> None:
    every = FRAME.ordinal.report("y", proba=A, metrics="all")
    assert set(NAMES) <= set(every.index)
    with_ci = FRAME.ordinal.report("y", proba=A, metrics="all", ci=0.95)
    assert not set(RAW) & set(with_ci.index)
    assert {"rps_unc", "rps_unc_low", "log_loss_unc_high"} <= set(with_ci.index)


def test_a_single_class_has_no_width() -> None:
    same = FRAME[FRAME.y == "b"].ordinal.report("y", proba=A, metrics=[DSC, "rps_unc"], ci=0.95)
    assert same["rps_unc"] == 0 and same.filter(regex="_low|_high").isna().all()
    one = FRAME[:1].ordinal.report("y", proba=A, metrics=[MCB], ci=0.95)
    assert one.filter(regex="_low|_high").isna().all()


# Comparisons --------------------------------------------------------------------------------


@pytest.mark.parametrize("part", ["mcb", "dsc"])
def test_differences_are_means_over_rows(part: str) -> None:
    name = f"rps_{part}"
    found = FRAME.ordinal.compare("y", proba={"a": A, "b": B}, metrics=[name]).iloc[0]
    each = terms(FIRST, part) - terms(SECOND, part)
    assert found.difference == pytest.approx(each.mean(), rel=1e-9)
    assert found.se == pytest.approx(each.std(ddof=1) / math.sqrt(N), rel=1e-9)
    due = FRAME.ordinal.report("y", proba={"a": A, "b": B}, metrics=[name])[name]
    assert [found.value_a, found.value_b] == pytest.approx(due.tolist(), rel=1e-13)
    swapped = FRAME.ordinal.compare("y", proba={"b": B, "a": A}, metrics=[name]).iloc[0]
    assert swapped.p_value == pytest.approx(found.p_value, rel=1e-9)
    corrected = FRAME.ordinal.compare(
        "y", proba={"a": A, "b": B}, metrics=[MCB if part == "mcb" else DSC]
    ).iloc[0]
    assert corrected.se == pytest.approx(found.se, rel=1e-9)


def test_the_uncertainty_is_that_of_no_model() -> None:
    found = FRAME.ordinal.compare("y", proba={"a": A, "b": B}, metrics=["rps_unc"]).iloc[0]
    assert found.difference == 0 and np.isnan(found.p_value)


def test_weights_of_a_comparison() -> None:
    metrics = ["rps_mcb", "log_loss_dsc"]
    found = FRAME.ordinal.compare(
        "y", proba={"a": A, "b": B}, metrics=metrics, sample_weight="w", cluster="cluster"
    )
    repeated = FRAME.loc[FRAME.index.repeat(FRAME["w"])]
    due = repeated.ordinal.compare("y", proba={"a": A, "b": B}, metrics=metrics, cluster="cluster")
    for column in ("value_a", "value_b", "difference", "se"):
        np.testing.assert_allclose(found[column], due[column], rtol=1e-9)


def test_the_influence_of_rows() -> None:
    for name in NAMES:
        kernel = po.metrics.registry[name].kernel
        each = po.influence(kernel, TRUE, FIRST)
        assert each.sum() == pytest.approx(0, abs=1e-12)
        weights = FRAME["w"].to_numpy(float)
        weighted = po.influence(kernel, TRUE, FIRST, sample_weight=weights)
        assert (weighted[weights == 0] == 0).all()
        assert weights @ weighted == pytest.approx(0, abs=1e-12)
    by_row = po.influence(po.metrics.rps_mcb, TRUE, FIRST) * N
    np.testing.assert_allclose(by_row, terms(FIRST, "mcb") - terms(FIRST, "mcb").mean())


# Dask frames --------------------------------------------------------------------------------


def test_dask_frames_are_refused_by_name() -> None:
    ddf = po.ordinal(dd.from_pandas(FRAME, npartitions=3))
    for name in NAMES:
        due = rf"{name} needs the rows in memory.*\.compute\(\)\.ordinal\.{name}\(\.\.\.\)"
        with pytest.raises(ValueError, match=due):
            getattr(ddf, name)("y", A)
        with pytest.raises(ValueError, match=due):
            ddf.report("y", proba=A, metrics=["rps", name])
    every = ddf.report("y", proba=A, metrics="all").compute()
    assert not set(NAMES) & set(every.index)
