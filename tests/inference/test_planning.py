"""Rows that a difference needs: against the formula in a loop, and tests of as many rows."""

from __future__ import annotations

import math
from typing import Any

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from inference.planned import MODELS, anes96, as_planned, expected, seen
from scipy.stats import norm

import pandas_ordinal as po

NAN = float("nan")
ASKED: dict[str, Any] = {"metrics": ["accuracy", "mae", "bias", "kappa"]}


def frame(n: int = 90) -> pd.DataFrame:
    """Rows of three models in two groups and fifteen clusters."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 4, n)
    models = {
        name: np.where(rng.random(n) < right, y, rng.integers(0, 4, n))
        for name, right in {"a": 0.7, "b": 0.5, "c": 0.4}.items()
    }
    return pd.DataFrame({"y": y, **models, "g": np.arange(n) % 2, "cluster": np.arange(n) % 15})


def literal(row: Any, power: float, ci: float, of: str = "n") -> float:
    """The formula for one two-sided difference."""
    if math.isnan(row.se) or row.difference == 0:
        return NAN
    quantiles = norm.ppf(1 - (1 - ci) / 2) + norm.ppf(power)
    return math.ceil(getattr(row, of) * (quantiles * row.se / row.difference) ** 2)


@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("ci", [0.8, 0.95])
def test_each_row_follows_the_formula(power: float, ci: float) -> None:
    found = frame().ordinal.compare("y", ["a", "b", "c"], ci=ci, **ASKED)
    due = [literal(row, power, ci) for row in found.itertuples()]
    expected = pd.Series(due, found.index, name="rows_needed", dtype=float)
    pd.testing.assert_series_equal(po.rows_needed(found, power), expected)
    bare = found.copy()
    bare.attrs = {}
    pd.testing.assert_series_equal(po.rows_needed(bare, power, ci=ci), expected)


def test_clusters_are_counted_where_rows_belong_together() -> None:
    found = frame().ordinal.compare("y", ["a", "b"], cluster="cluster", **ASKED)
    due = [literal(row, 0.8, 0.95, "n_clusters") for row in found.itertuples()]
    expected = pd.Series(due, found.index, name="clusters_needed", dtype=float)
    pd.testing.assert_series_equal(po.rows_needed(found), expected)
    cube = frame().ordinal.confusion("y", ["a", "b"], by="cluster")
    of_cube = cube.ordinal.compare("model", cluster="cluster", **ASKED)
    pd.testing.assert_series_equal(po.rows_needed(of_cube), expected)


def test_groups_are_planned_one_by_one() -> None:
    df = frame()
    grouped = po.rows_needed(df.groupby("g").ordinal.compare("y", ["a", "b"], **ASKED))
    for key, rows in df.groupby("g"):
        alone = po.rows_needed(rows.ordinal.compare("y", ["a", "b"], **ASKED))
        pd.testing.assert_series_equal(grouped.xs(key), alone)


def test_all_inputs_have_the_same_plan() -> None:
    df = frame().astype(dict.fromkeys("yab", str))
    options = {"classes": list("0123"), **ASKED}
    due = po.rows_needed(df.ordinal.compare("y", ["a", "b"], **options))
    parts = po.ordinal(dd.from_pandas(df, npartitions=2))
    models = {name: df[name] for name in "ab"}
    counted = df.groupby(["y", "a", "b"]).size().reset_index(name="n")
    for found in (
        parts.compare("y", ["a", "b"], **options).compute(),
        df["y"].ordinal.compare(models, **options),
        df[["y", "a", "b"]].to_xarray().ordinal.compare("y", ["a", "b"], **options),
        counted.ordinal.compare("y", ["a", "b"], count="n", **options),
    ):
        pd.testing.assert_series_equal(po.rows_needed(found), due)


def test_some_rows_are_enough_and_pandas_keeps_the_level() -> None:
    found = frame().ordinal.compare("y", ["a", "b", "c"], ci=0.9, **ASKED)
    due = po.rows_needed(found)
    pd.testing.assert_series_equal(po.rows_needed(found.loc["mae"]), due["mae"])
    pd.testing.assert_series_equal(
        po.rows_needed(found[::2].sort_values("se")),
        due[::2].reindex(found[::2].sort_values("se").index),
    )
    assert po.rows_needed(found[:0]).empty


def test_equal_models_need_no_number_of_rows() -> None:
    df = frame().assign(same=lambda df: df["a"])
    found = df.ordinal.compare("y", ["a", "same"], metrics=["mae", "kappa", "max_total_cost"])
    assert po.rows_needed(found).isna().all()
    df = pd.DataFrame({"y": [0, 1, 2] * 10, "a": [0, 1, 1] * 10, "b": [1, 1, 2] * 10})
    assert (
        po.rows_needed(df.ordinal.compare("y", ["a", "b"], metrics=["mae", "kappa"])).isna().all()
    )


def test_a_standard_error_that_was_rounded_to_zero_is_unknown() -> None:
    found = frame().ordinal.compare("y", ["a", "b"], metrics=["mae"])
    assert po.rows_needed(found.round(2)).notna().all()
    assert po.rows_needed(found.round(0).assign(difference=1.0)).isna().all()


def test_a_one_sided_test_has_its_own_quantile_and_favours_a() -> None:
    df = frame()
    found = df.ordinal.compare("y", ["b", "a", "c"], alternative="better", reference="b", **ASKED)
    needed = po.rows_needed(found)
    for place, row in enumerate(found.itertuples()):
        metric, a, _ = row.Index
        times = (norm.ppf(0.95) + norm.ppf(0.8)) * row.se / row.difference
        is_ahead = metric != "bias" and a == "a"
        due = math.ceil(row.n * times**2) if is_ahead else NAN
        assert needed.iloc[place] == due or (math.isnan(due) and math.isnan(needed.iloc[place]))
    assert needed.notna().any()


def test_a_difference_of_ones_own_is_planned_for() -> None:
    found = frame().ordinal.compare("y", ["a", "b"], metrics=["mae"])
    planned = po.rows_needed(found.assign(difference=0.02))
    times = (norm.ppf(0.975) + norm.ppf(0.8)) * found["se"].iloc[0] / 0.02
    assert planned.tolist() == [math.ceil(90 * times**2)]


def test_a_difference_that_rounding_may_make_is_none() -> None:
    found = frame().ordinal.compare("y", ["a", "b"], metrics=["mae"])
    assert 0 < found["value_a"].item() < found["value_b"].item() < 1  # with a trillionth each
    assert np.isnan(po.rows_needed(found.assign(difference=2e-12)).item())
    assert po.rows_needed(found.assign(difference=-2.1e-12)).item() > 1e18


@pytest.mark.parametrize("kind", ["Float64", object])
@pytest.mark.parametrize("cluster", [None, "cluster"])
def test_numbers_may_be_held_otherwise(kind: Any, cluster: str | None) -> None:
    """As where a table was written and read."""
    asked = {**ASKED, "metrics": ["mae", "max_total_cost"]}
    found = frame().ordinal.compare("y", ["a", "b"], cluster=cluster, **asked)
    numbers = list(found.select_dtypes("number"))
    assert found["p_value"].isna().any() and {"n", "se", "p_value"} <= {*numbers}
    held = found.astype(dict.fromkeys(numbers, kind))
    pd.testing.assert_series_equal(po.rows_needed(held), po.rows_needed(found))


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"power": 0}, "between the level of the test, 0.05, and 1"),
        ({"power": 1}, "between the level"),
        ({"power": 0.05}, "between the level"),
        ({"power": 0.5, "ci": 0.5}, "between the level"),
        ({"power": 80}, "power=80 must"),
        ({"power": "0.8"}, "power='0.8' must"),
        ({"power": NAN}, "power=nan must"),
        ({"ci": 95}, "ci=95 must"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], error: str) -> None:
    found = frame().ordinal.compare("y", ["a", "b"], metrics=["mae"])
    with pytest.raises(ValueError, match=error):
        po.rows_needed(found, **options)


def test_other_tables_are_refused() -> None:
    found = frame().ordinal.compare("y", ["a", "b"], metrics=["mae"])
    with pytest.raises(ValueError, match="no column 'se', 'low'"):
        po.rows_needed(found.drop(columns=["se", "low"]))
    with pytest.raises(ValueError, match="no column 'value_a'"):
        po.rows_needed(frame())
    df = frame().assign(patient=np.arange(90) // 3)
    clustered = df.ordinal.compare("y", ["a", "b"], metrics=["mae"], cluster="patient")
    with pytest.raises(ValueError, match="some rows of the comparison have clusters"):
        po.rows_needed(pd.concat([found, clustered], keys=["rows", "patients"]), ci=0.95)
    for other in (found["difference"], found.iloc[0], {"a": 1}, found.to_xarray(), None):
        with pytest.raises(TypeError, match="rows_needed takes what"):
            po.rows_needed(other)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize(("n_repeats", "n_times"), [(1, 1000), (3, 400)])
def test_samples_as_large_as_planned_find_differences_as_often(
    n_repeats: int, n_times: int
) -> None:
    population = anes96(n_repeats)
    found, n_voters = population.compared(MODELS), 400
    gap = seen(population, MODELS, n_voters, n_times) - expected(found, n_voters)
    assert gap.abs().max() <= 4 * np.sqrt(0.25 / n_times) + 0.02
    powers = [power for *_, power in as_planned(population, n_times, most=800)]
    assert len(powers) == 6
    assert max(abs(power - 0.8) for power in powers) <= 4 * np.sqrt(0.16 / n_times) + 0.02
