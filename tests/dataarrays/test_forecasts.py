"""The jobs of a forecaster, as the page about grids does them, against loops over cases."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from scipy.stats import false_discovery_control, rankdata

import pandas_ordinal as po

N_LEADS, N_MEMBERS, N_YEARS, N_LATS, N_LONS = 2, 5, 6, 2, 3
N_TIMES = 12 * N_YEARS
RNG = np.random.default_rng(12)
TIME = pd.date_range("2001-01", periods=N_TIMES, freq="MS")
COORDS = {"time": TIME, "lat": [-60.0, 30.0], "lon": [0.0, 120.0, 240.0]}
RAIN = xr.DataArray(
    RNG.gamma(2, 1, (N_TIMES, N_LATS, N_LONS)), COORDS, ("time", "lat", "lon"), name="rain"
)
SEA = (RAIN["lat"] == 30) & (RAIN["lon"] == 240)
LEADS = xr.DataArray([1.0, 2.0], dims="lead", coords={"lead": [1, 2]})
NOISE = xr.DataArray(
    RNG.normal(size=(N_LEADS, N_MEMBERS, *RAIN.shape)), COORDS, ("lead", "member", *RAIN.dims)
)
MEMBERS = (RAIN + LEADS * NOISE).transpose("lead", "member", ...).rename("members")
EDGES = [-np.inf, 1, 2.5, np.inf]
NAMES = ["dry", "wet", "flood"]
REGION = xr.DataArray(
    ["west", "west", "east"], dims="lon", coords={"lon": RAIN.lon}, name="region"
)


def graded(values: np.ndarray) -> np.ndarray:
    """Grade by loops; -1 for NaN."""
    grades = [sum(v > e for e in EDGES[1:-1]) if v == v else -1 for v in values.ravel()]
    return np.array(grades).reshape(values.shape)


TRUE = RAIN.where(~SEA).ordinal.cut(EDGES, classes=NAMES)
PRED = MEMBERS.where(~SEA).ordinal.cut(EDGES, classes=NAMES)
Y, YHAT = graded(RAIN.where(~SEA).values), graded(MEMBERS.where(~SEA).values)
WHERE = list(np.ndindex(N_TIMES, N_LATS, N_LONS))


def cases(lead: int, member: int = 0, keep: Any = lambda t, i, j: True) -> np.ndarray:
    """Return the pairs of classes of the cases that a loop keeps, ``(n, 2)``."""
    pairs = [(Y[w], YHAT[(lead, member, *w)]) for w in WHERE if keep(*w) and Y[w] >= 0]
    return np.array(pairs)


def mae(pairs: np.ndarray) -> float:
    return float(np.mean([abs(int(y) - int(p)) for y, p in pairs]))


def test_grades_are_those_of_a_loop() -> None:
    np.testing.assert_array_equal(TRUE, Y)
    np.testing.assert_array_equal(PRED, YHAT)


@pytest.mark.parametrize("in_chunks", [False, True])
def test_leads_by_seasons_and_regions(in_chunks: bool) -> None:
    true, pred = (TRUE.chunk(time=9), PRED.chunk(time=7)) if in_chunks else (TRUE, PRED)
    found = true.ordinal.mae(
        pred.isel(member=0), by=["time.season", REGION], dropna=True
    ).compute()
    for lead in range(N_LEADS):
        for season, months in (("DJF", (12, 1, 2)), ("JJA", (6, 7, 8))):
            for region, lons in (("west", (0, 1)), ("east", (2,))):

                def keep(t: int, i: int, j: int, m: Any = months, n: Any = lons) -> bool:
                    return TIME[t].month in m and j in n

                one = found.isel(lead=lead).sel(season=season, region=region)
                assert float(one) == pytest.approx(mae(cases(lead, keep=keep)))


def test_maps_have_nan_at_sea_and_weights_of_area_average_them() -> None:
    found = TRUE.ordinal.mae(PRED.isel(member=0), dim="time", dropna=True)
    area = np.cos(np.deg2rad(RAIN["lat"]))
    whole = TRUE.ordinal.mae(PRED.isel(member=0), sample_weight=area, dropna=True)
    for lead in range(N_LEADS):
        above = below = 0.0
        for i, j in np.ndindex(N_LATS, N_LONS):
            pairs = cases(lead, keep=lambda t, a, b, i=i, j=j: (a, b) == (i, j))
            one = float(found.isel(lead=lead, lat=i, lon=j))
            assert (one != one) == (len(pairs) == 0)
            if len(pairs):
                assert one == pytest.approx(mae(pairs))
                above += float(area[i]) * mae(pairs) * len(pairs)
                below += float(area[i]) * len(pairs)
        assert float(whole[lead]) == pytest.approx(above / below)


def test_the_roc_of_members_is_the_share_of_ordered_pairs() -> None:
    shares = PRED.ordinal.probabilities("member")
    found = (
        (TRUE == 2)
        .where(TRUE >= 0)
        .drop_attrs()
        .ordinal.vus(shares.sel({"class": "flood"}), classes=[0, 1], dropna=True)
    )
    for lead in range(N_LEADS):
        share = np.array([np.mean(YHAT[(lead, slice(None), *w)] == 2) for w in WHERE if Y[w] >= 0])
        event = np.array([Y[w] == 2 for w in WHERE if Y[w] >= 0])
        ranks, n = rankdata(share), event.sum()
        due = (ranks[event].sum() - n * (n + 1) / 2) / (n * (~event).sum())
        assert float(found[lead]) == pytest.approx(due)


def test_skill_over_the_climatology_of_each_cell_and_month() -> None:
    of_month = TRUE.groupby("time.month").map(lambda one: one.ordinal.probabilities("time"))
    climate = of_month.sel(month=RAIN["time.month"], drop=True)
    found = TRUE.ordinal.rps_skill(PRED, member_dim="member", reference=climate, dropna=True)
    for lead in range(N_LEADS):
        errors = []
        for t, i, j in WHERE:
            if Y[t, i, j] < 0:
                continue
            same = [Y[u, i, j] for u in range(N_TIMES) if TIME[u].month == TIME[t].month]
            both = []
            for classes in (YHAT[lead, :, t, i, j], np.array(same)):
                steps = [(np.mean(classes <= k) - (Y[t, i, j] <= k)) ** 2 for k in range(2)]
                both.append(sum(steps))
            errors.append(both)
        own, reference = np.mean(errors, axis=0)
        assert float(found[lead]) == pytest.approx(1 - own / reference)


def test_a_map_of_p_values_and_its_false_discoveries() -> None:
    a, b = (PRED[n, n].drop_vars("lead") for n in range(2))
    ds = xr.Dataset({"y": TRUE, "a": a, "b": b})
    compared = ds.ordinal.compare("y", ["a", "b"], dim="time", metrics=["mae"], dropna=True)
    p = compared["p_value"].to_xarray().squeeze(["metric", "a", "b"])
    adjusted = po.fdr(p)
    assert bool(p.sel(lat=30.0, lon=240.0).isnull())
    known = ~np.isnan(p.values)
    assert known.sum() == N_LATS * N_LONS - 1
    for i, j in np.argwhere(known):
        one = ds.isel(lat=i, lon=j).to_dataframe()
        row = one.ordinal.compare("y", ["a", "b"], metrics=["mae"], classes=range(3)).iloc[0]
        assert float(p[i, j]) == pytest.approx(row.p_value)
    np.testing.assert_allclose(adjusted.values[known], false_discovery_control(p.values[known]))
    np.testing.assert_array_equal(np.isnan(adjusted), ~known)


def test_scores_of_categories_of_each_cell() -> None:
    scores = {"heidke": partial(po.metrics.kappa, weights="identity"), "peirce": "peirce"}
    found = TRUE.ordinal.report(PRED[:, 0], dim="time", metrics=scores, dropna=True)
    for lead in range(N_LEADS):
        for i, j in ((0, 0), (1, 1)):
            pairs = cases(lead, keep=lambda t, a, b, i=i, j=j: (a, b) == (i, j))
            p = np.zeros((3, 3))
            for y, yhat in pairs:
                p[y, yhat] += 1 / len(pairs)
            right, true, pred = np.trace(p), p.sum(axis=1), p.sum(axis=0)
            one = found.isel(lead=lead, lat=i, lon=j)
            chance = true @ pred
            assert float(one.heidke) == pytest.approx((right - chance) / (1 - chance))
            assert float(one.peirce) == pytest.approx((right - chance) / (1 - true @ true))


@pytest.mark.parametrize("masked", [True, False])
def test_maps_and_classes_are_kept_in_netcdf(tmp_path: Path, masked: bool) -> None:
    report = TRUE.ordinal.report(PRED[:, 0], dim="time", metrics=["mae", "rmse"], dropna=True)
    report.ordinal.to_netcdf(tmp_path / "report.nc")
    assert po.open_report(tmp_path / "report.nc").identical(report)
    xr.Dataset({"y": TRUE, "yhat": PRED}).to_netcdf(tmp_path / "classes.nc")
    kept = xr.load_dataset(tmp_path / "classes.nc", mask_and_scale=masked)
    again = kept.ordinal.report(
        "y", "yhat", metrics=["mae", "rmse"], dim="time", dropna=True
    ).isel(member=0)
    for name in ("n", "mae", "rmse"):
        np.testing.assert_array_equal(again[name], report[name])
    assert kept["y"].ordinal.classes.tolist() == NAMES
