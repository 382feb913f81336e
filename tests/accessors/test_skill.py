"""Skill over references of all kinds: its intervals and comparisons, on every surface."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from scipy.stats import t

import pandas_ordinal as po

K, N_TIMES, N_CELLS = 3, 30, 3
N = N_TIMES * N_CELLS
RNG = np.random.default_rng(7)
Y = RNG.integers(0, K, N)
P, OTHER, CLIMATE = (RNG.dirichlet(np.full(K, a), N) for a in (1, 2, 4))
P = 0.6 * P + 0.4 * np.eye(K)[Y]
FRAME = pd.DataFrame(
    {
        "y": Y,
        "time": np.repeat(np.arange(N_TIMES), N_CELLS),
        "g": np.tile(list("abc"), N_TIMES),
        "w": RNG.lognormal(size=N),
        **{f"p{k}": P[:, k] for k in range(K)},
        **{f"q{k}": OTHER[:, k] for k in range(K)},
        **{f"r{k}": CLIMATE[:, k] for k in range(K)},
    }
)
PROBA, MODEL_Q, COLUMNS = ({k: f"{one}{k}" for k in range(K)} for one in "pqr")
FIXED = [0.2, 0.3, 0.5]
REFERENCES: dict[str, tuple[Any, Any]] = {
    "climatology": ("climatology", "climatology"),
    "fixed": (FIXED, FIXED),
    "by row": (COLUMNS, CLIMATE),
}


def skill(rows: Any, reference: Any, proba: np.ndarray = P, weights: Any = None) -> float:
    """Read the skill of some rows literally."""
    true, proba = Y[rows], proba[rows]
    w = np.ones(len(true)) if weights is None else weights[rows]
    if isinstance(reference, str):
        shares = [w[true == k].sum() / w.sum() for k in range(K)]
        given = np.tile(shares, (len(true), 1))
    else:
        given = reference[rows] if np.ndim(reference) == 2 else np.tile(reference, (len(true), 1))
    errors = []
    for forecast in (proba, given):
        total = 0.0
        for row, y in enumerate(true):
            total += w[row] * sum((forecast[row][: k + 1].sum() - (y <= k)) ** 2 for k in range(2))
        errors.append(total)
    return float(1 - errors[0] / errors[1])


def skill_se(reference: Any, clusters: np.ndarray, proba: np.ndarray = P) -> float:
    """Return the standard error of leaving out one cluster after the other."""
    left = [skill(clusters != one, reference, proba) for one in np.unique(clusters)]
    n = len(left)
    return float(np.sqrt((n - 1) / n * ((left - np.mean(left)) ** 2).sum()))


@pytest.mark.parametrize("kind", REFERENCES)
def test_the_influence_of_a_row_is_what_it_adds(kind: str) -> None:
    _, reference = REFERENCES[kind]
    found = po.influence(po.metrics.rps_skill, Y, P, reference=reference)
    everything = np.arange(N)
    change = [skill(everything != i, reference) for i in everything]
    due = (np.mean(change) - change) * (N - 1) / N
    np.testing.assert_allclose(found, due, atol=0.05 * np.abs(due).max())
    assert found.mean() == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("kind", REFERENCES)
@pytest.mark.parametrize("cluster", [None, "time"])
def test_intervals_lie_around_the_skill_on_the_scale_of_its_distance_to_one(
    kind: str, cluster: Any
) -> None:
    given, reference = REFERENCES[kind]
    metric = {"skill": partial(po.metrics.rps_skill, reference=given)}
    row = FRAME.ordinal.report("y", proba=PROBA, metrics=metric, ci=0.9, se=True, cluster=cluster)
    value = skill(np.arange(N), reference)
    units = np.arange(N) if cluster is None else FRAME.time.to_numpy()
    assert row["skill"] == pytest.approx(value, abs=1e-12)
    assert row["skill_se"] == pytest.approx(skill_se(reference, units), rel=0.05)
    half = t.ppf(0.95, len(np.unique(units)) - 1) * row["skill_se"]
    step = np.exp(half / (1 - value))
    bounds = [1 - (1 - value) * step, 1 - (1 - value) / step]
    # a pseudo-row with the uniform forecast widens them downwards
    width = bounds[1] - bounds[0]
    assert row["skill_low"] == pytest.approx(bounds[0], abs=0.2 * width)
    assert row["skill_high"] == pytest.approx(bounds[1], abs=0.2 * width)
    assert row["skill_low"] < value < row["skill_high"]


def test_groups_and_weights_have_the_intervals_of_their_rows() -> None:
    metric = {"skill": partial(po.metrics.rps_skill, reference=COLUMNS)}
    asked: dict[str, Any] = {"proba": PROBA, "metrics": metric, "ci": 0.95, "se": True}
    table = FRAME.ordinal.report("y", by="g", **asked)
    for key, rows in FRAME.groupby("g"):
        alone = rows.ordinal.report("y", **asked)
        np.testing.assert_allclose(table.loc[key], alone, rtol=1e-12)
    times = RNG.integers(0, 3, N)
    weighted = FRAME.assign(w=times.astype(float)).ordinal.report("y", sample_weight="w", **asked)
    assert weighted["skill"] == pytest.approx(
        skill(np.arange(N), CLIMATE, weights=times), abs=1e-12
    )
    assert weighted["skill_low"] < weighted["skill"] < weighted["skill_high"]
    one = FRAME.assign(w=2.5).ordinal.report("y", sample_weight="w", **asked)
    np.testing.assert_allclose(one, FRAME.ordinal.report("y", **asked), rtol=1e-12)


def test_perfect_forecasts_have_a_width() -> None:
    right = FRAME.assign(**{f"p{k}": (k == Y) * 1.0 for k in range(K)})
    row = right.ordinal.report("y", proba=PROBA, metrics=["rps", "rps_skill"], ci=0.95)
    assert row["rps_skill"] == row["rps_skill_high"] == 1
    # as far below 1 as the upper bound of the error is above 0, over that of thirds
    assert row["rps_skill_low"] == pytest.approx(1 - row["rps_high"] / (4 / 9), rel=0.1)


def on_grid(values: np.ndarray) -> xr.DataArray:
    dims = ("time", "cell", "grade")[: values.ndim + 1]
    coords = {"time": np.arange(N_TIMES), "grade": range(K)}
    shaped = values.reshape(N_TIMES, N_CELLS, *values.shape[1:])
    return xr.DataArray(shaped, {d: coords[d] for d in dims if d in coords}, dims)


GRID = xr.Dataset(
    {"y": on_grid(Y), "p": xr.concat([on_grid(P), on_grid(OTHER)], pd.Index(["a", "b"], name="m"))}
)


@pytest.mark.parametrize("kind", REFERENCES)
@pytest.mark.parametrize("in_chunks", [False, True])
def test_arrays_have_the_values_and_intervals_of_frames(kind: str, in_chunks: bool) -> None:
    given, reference = REFERENCES[kind]
    if kind == "by row":
        reference = on_grid(CLIMATE)
    grid = GRID.chunk(time=7) if in_chunks else GRID
    asked: dict[str, Any] = {"ci": 0.9, "se": True, "cluster": "time"}
    found = grid.ordinal.report(
        "y", proba="p", classes=range(K), **asked,
        metrics={"skill": partial(po.metrics.rps_skill, reference=reference)},
    )  # fmt: skip
    due = FRAME.ordinal.report(
        "y", proba={"a": PROBA, "b": MODEL_Q}, **asked,
        metrics={"skill": partial(po.metrics.rps_skill, reference=given)},
    )  # fmt: skip
    for column in ("skill", "skill_low", "skill_high", "skill_se"):
        np.testing.assert_allclose(found[column], due[column], rtol=1e-10, err_msg=column)


def test_a_climatology_of_cells_and_months_is_a_reference() -> None:
    month = xr.DataArray(np.arange(N_TIMES) % 6, dims="time", name="month")
    shares = xr.DataArray(
        RNG.dirichlet(np.ones(K), (6, N_CELLS)), {"grade": range(K)}, ("month", "cell", "grade")
    )
    reference = shares.isel(month=month)
    found = GRID.ordinal.rps_skill("y", "p", reference=reference)
    by_row = shares.values[np.repeat(month.values, N_CELLS), np.tile(range(N_CELLS), N_TIMES)]
    due = [skill(np.arange(N), by_row, proba) for proba in (P, OTHER)]
    np.testing.assert_allclose(found, due, atol=1e-12)
    of_cells = GRID.ordinal.rps_skill("y", "p", reference=shares.isel(month=0), dim="time")
    for cell in range(N_CELLS):
        rows = np.arange(N) % N_CELLS == cell
        one = skill(rows, shares.values[0, cell], P)
        assert float(of_cells.sel(m="a", cell=cell)) == pytest.approx(one, abs=1e-12)


@pytest.mark.parametrize("kind", REFERENCES)
def test_differences_of_skill(kind: str) -> None:
    given, reference = REFERENCES[kind]
    of_frame = FRAME.ordinal.compare(
        "y", proba={"a": PROBA, "b": MODEL_Q}, cluster="time",
        metrics={"skill": partial(po.metrics.rps_skill, reference=given)},
    )  # fmt: skip
    row = of_frame.iloc[0]
    values = [skill(np.arange(N), reference, proba) for proba in (P, OTHER)]
    assert [row.value_a, row.value_b] == pytest.approx(values, abs=1e-12)
    left = [
        skill(FRAME.time != one, reference, P) - skill(FRAME.time != one, reference, OTHER)
        for one in range(N_TIMES)
    ]
    due = np.sqrt((N_TIMES - 1) / N_TIMES * ((left - np.mean(left)) ** 2).sum())
    assert row.se == pytest.approx(due, rel=0.02)
    if kind == "by row":
        reference = on_grid(CLIMATE)
    of_grid = GRID.ordinal.compare(
        "y", proba="p", model="m", cluster="time",
        metrics={"skill": partial(po.metrics.rps_skill, reference=reference)},
    )  # fmt: skip
    np.testing.assert_allclose(
        of_grid.drop(columns="better").astype(float), of_frame.drop(columns="better").astype(float)
    )


def test_a_reference_in_long_format_is_that_of_the_case() -> None:
    metric = {"skill": partial(po.metrics.rps_skill, reference=COLUMNS)}
    wide = FRAME.ordinal.compare("y", proba={"a": PROBA, "b": MODEL_Q}, metrics=metric, by="g")
    one = FRAME.assign(row=range(N), model="a")
    other = one.assign(model="b", **{f"p{k}": OTHER[:, k] for k in range(K)})
    long = pd.concat([one, other]).sample(frac=1, random_state=0).reset_index(drop=True)
    asked: dict[str, Any] = {"model": "model", "id": "row", "metrics": metric, "by": "g"}
    pd.testing.assert_frame_equal(long.ordinal.compare("y", proba=PROBA, **asked), wide)
    long.loc[long.index[long.row == 3][0], ["r0", "r1"]] = [1.0, 0.0]
    long.loc[long.index[long.row == 3][0], "r2"] = 0.0
    with pytest.raises(ValueError, match="'reference' differs between models in 1 row"):
        long.ordinal.compare("y", proba=PROBA, **asked)


def test_wrong_references_are_refused_by_the_row() -> None:
    wrong = FRAME.assign(r0=FRAME.r0 + (FRAME.index == 4))
    metric = {"skill": partial(po.metrics.rps_skill, reference=COLUMNS)}
    for call in (
        lambda: wrong.ordinal.report("y", proba=PROBA, metrics=metric, ci=0.9),
        lambda: wrong.ordinal.compare("y", proba={"a": PROBA, "b": MODEL_Q}, metrics=metric),
    ):
        with pytest.raises(ValueError, match="reference=: 1 row lacks valid probabilities.*row 4"):
            call()
    grid = partial(po.metrics.rps_skill, reference=on_grid(CLIMATE * 2))
    with pytest.raises(ValueError, match="rows lack valid probabilities"):
        GRID.ordinal.compare("y", proba="p", model="m", metrics={"skill": grid})
