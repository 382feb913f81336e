"""One-sided comparisons, equivalence and simultaneous intervals, against rules and peers."""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from scipy import optimize, stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import ttost_paired

import pandas_ordinal as po
from pandas_ordinal.metrics.metric import registry

RNG = np.random.default_rng(28)
K, N = 4, 150
MODELS = ["a", "b", "c", "d"]
FRAME = pd.DataFrame(
    {
        "g": np.arange(N) % 2,
        "y": RNG.integers(0, K, N),
        "patient": RNG.integers(0, 25, N),
    }
)
for place, name in enumerate(MODELS):
    FRAME[name] = (FRAME.y + (RNG.random(N) < 0.08 + 0.1 * place)).clip(0, K - 1)
NAMES = ["accuracy", "mae", "kappa", "oci", "stc", "bias"]
UP = {metric: registry[metric].greater_is_better for metric in NAMES}
PARTS = ["difference", "se", "low", "high", "p_value", "p_adjusted"]


def compare(frame: pd.DataFrame = FRAME, **asked: Any) -> pd.DataFrame:
    return frame.ordinal.compare("y", MODELS, **{"metrics": NAMES, **asked})


class Ends(NamedTuple):
    """The lowest and the highest value that a difference is tested with, and its freedom."""

    least: float
    most: float
    df: float

    def ahead(self, metric: str) -> float:
        """How much better a is than b, at least."""
        return self.least if UP[metric] else -self.most


def ends_of(**asked: Any) -> dict[Any, Ends]:
    """What two-sided intervals of two levels are made of: their ends move with t."""
    wide, narrow = compare(ci=0.95, **asked), compare(ci=0.5, **asked)
    ends = {}
    for pair in wide.index:
        one, other = wide.loc[pair], narrow.loc[pair]
        apart = (one.high - other.high) / one.se

        def excess(df: float, apart: float = apart) -> float:
            return float(stats.t.ppf(0.975, df) - stats.t.ppf(0.75, df) - apart)

        df = float(optimize.brentq(excess, 1, 10**6, xtol=1e-10))
        half = stats.t.ppf(0.975, df) * one.se
        ends[pair] = Ends(one.low + half, one.high - half, df)
        assert (
            ends[pair].least <= one.difference + 1e-9 and one.difference <= ends[pair].most + 1e-9
        )
    return ends


def below_of(row: Any, metric: str) -> float:
    """The bound of how much better a is than b."""
    return float(row.low if UP[metric] else -row.high)


def test_a_margin_adds_two_one_sided_tests() -> None:
    plain, margin = compare(cluster="patient"), 0.05
    found = compare(cluster="patient", margin=margin)
    pd.testing.assert_frame_equal(found.drop(columns="p_equivalent"), plain)
    columns = found.columns.tolist()
    assert columns.index("p_equivalent") == columns.index("p_adjusted") + 1
    ends = ends_of(cluster="patient")
    for pair, row in found.iterrows():
        least, most, df = ends[pair]
        assert df == pytest.approx(FRAME.patient.nunique() - 1, rel=1e-6)
        above = stats.t.sf((least + margin) / row.se, df)
        below = stats.t.cdf((most - margin) / row.se, df)
        assert row.p_equivalent == pytest.approx(max(above, below), rel=1e-6), pair


def test_equivalence_is_an_interval_within_the_margin() -> None:
    for margin in (0.02, 0.1, 0.3):
        found = compare(margin=margin, ci=0.9)
        within = (found.low > -margin) & (found.high < margin)
        clipped = found.difference.abs() + margin > 1
        np.testing.assert_array_equal((found.p_equivalent <= 0.05)[~clipped], within[~clipped])
    assert within.any()


def test_equivalence_is_that_of_statsmodels_on_many_rows() -> None:
    rng = np.random.default_rng(1)
    n = 40_000
    y = rng.integers(0, K, n)
    frame = pd.DataFrame({"y": y, **{m: (y + (rng.random(n) < 0.3)).clip(0, K - 1) for m in "ab"}})
    losses = [(frame.y - frame[model]).abs() for model in "ab"]
    for margin in (0.005, 0.0085, 0.02):
        found = frame.ordinal.compare("y", ["a", "b"], metrics=["mae"], margin=margin).iloc[0]
        due = ttost_paired(*losses, -margin, margin)[0]
        assert found.p_equivalent == pytest.approx(due, rel=0.01)


def test_each_metric_may_have_its_margin() -> None:
    margins = {"mae": 0.1, "kappa": 0.05}
    found = compare(margin=margins)
    for metric in NAMES:
        if metric in margins:
            due = compare(margin=margins[metric]).p_equivalent.loc[metric]
            pd.testing.assert_series_equal(found.p_equivalent.loc[metric], due)
        else:
            assert found.p_equivalent.loc[metric].isna().all()
    with pytest.raises(po.UnknownNameError, match="margin= names 'maee', .*did you mean 'mae'"):
        compare(margin={"maee": 0.1})


@pytest.mark.parametrize("cluster", [None, "patient"])
def test_better_has_a_single_side(cluster: str | None) -> None:
    ends, found = ends_of(cluster=cluster), compare(cluster=cluster, alternative="better")
    for (metric, a, b), row in found.iterrows():
        if UP[metric] is None:
            assert row[["low", "high", "p_value", "p_adjusted", "better"]].isna().all()
            continue
        of_pair = ends[(metric, a, b)]
        ahead = of_pair.ahead(metric)
        p = stats.t.sf(ahead / row.se, of_pair.df)
        assert row.p_value == pytest.approx(p, rel=1e-6) or min(row.p_value, p) >= 0.5
        half = stats.t.ppf(0.95, of_pair.df) * row.se
        assert below_of(row, metric) == pytest.approx(ahead - half)
        assert (below_of(row, metric) > 0) == (row.p_value <= 0.05)
        assert row.better == (a if row.p_adjusted <= 0.05 else "neither")
    for metric, rows in found.groupby(level="metric"):
        if UP[metric] is not None:
            due = multipletests(rows.p_value, method="holm")[1]
            np.testing.assert_allclose(rows.p_adjusted, due)
    assert {"a", "neither"} <= set(found.better.dropna())


def test_better_is_the_paired_t_test_on_many_rows() -> None:
    rng = np.random.default_rng(3)
    n = 20_000
    y = rng.integers(0, K, n)
    shares = {"a": 0.3, "b": 0.305}
    models = {m: (y + (rng.random(n) < s)).clip(0, K - 1) for m, s in shares.items()}
    frame = pd.DataFrame({"y": y, **models})
    losses = [(frame.y - frame[model]).abs() for model in "ab"]
    found = frame.ordinal.compare("y", ["a", "b"], metrics=["mae"], alternative="better").iloc[0]
    due = stats.ttest_rel(*losses, alternative="less")
    assert found.p_value == pytest.approx(due.pvalue, rel=0.01)
    interval = due.confidence_interval(0.95)
    assert found.high == pytest.approx(interval.high, rel=0.01)


@pytest.mark.parametrize("margin", [0.02, 0.2])
def test_not_worse_by_more_than_the_margin(margin: float) -> None:
    asked: dict[str, Any] = {"alternative": "non-inferior", "margin": margin}
    found, better, ends = compare(**asked), compare(alternative="better"), ends_of()
    assert "better" not in found and "p_equivalent" not in found
    pd.testing.assert_frame_equal(found[["low", "high"]], better[["low", "high"]])
    for (metric, a, b), row in found.iterrows():
        if UP[metric] is None:
            assert row[["low", "high", "p_value", "p_adjusted", "non_inferior"]].isna().all()
            continue
        of_pair = ends[(metric, a, b)]
        p = stats.t.sf((of_pair.ahead(metric) + margin) / row.se, of_pair.df)
        assert row.p_value == pytest.approx(p, rel=1e-5), (metric, a, b)
        assert (below_of(row, metric) > -margin) == (row.p_value <= 0.05)
        assert row.non_inferior == (row.p_adjusted <= 0.05)
    assert found.non_inferior.dtype == "boolean"
    assert found.non_inferior.nunique() == (2 if margin == 0.02 else 1)


def test_a_reference_is_what_others_are_better_than() -> None:
    pairs = [(other, "c") for other in "abd"]
    for asked in ({"alternative": "better"}, {"alternative": "non-inferior", "margin": 0.1}):
        found = compare(reference="c", metrics=["mae"], **asked)
        assert found.loc["mae"].index.tolist() == pairs
        alone = FRAME.ordinal.compare("y", ["d", "c"], metrics=["mae"], **asked)
        columns = ["value_a", "difference", "low", "high", "p_value"]
        row = found.loc[("mae", "d", "c"), columns].astype(float)
        np.testing.assert_allclose(row, alone.iloc[0][columns].astype(float))
    assert compare(reference="c").loc["mae"].index.tolist() == [pair[::-1] for pair in pairs]


def test_a_permutation_is_one_sided_by_half() -> None:
    small = FRAME[:24]
    two, one = (
        compare(small, metrics=["mae"], method="permutation", **asked)
        for asked in ({}, {"alternative": "better"})
    )
    y, k = small.y.to_numpy(), 0
    for (_, a, b), row in one.iterrows():
        p = two.p_value.loc[("mae", a, b)]
        assert row.p_value == pytest.approx(p / 2 if row.difference < 0 else 1 - p / 2)
        loss = np.abs(y - small[b]) - np.abs(y - small[a])
        moves = loss[loss != 0].to_numpy()
        if row.difference < 0 and len(moves) <= 12:
            signs = np.array(list(itertools.product([1, -1], repeat=len(moves))))
            assert row.p_value == pytest.approx(((signs @ moves) >= moves.sum()).mean())
            k += 1
    assert k > 2


def simulated(frame: pd.DataFrame, pairs: list[tuple[str, str]], t: float, sides: int) -> float:
    """How often the largest t of equal models is as large, from losses of rows."""
    losses = np.array([np.abs(frame.y - frame[b]) - np.abs(frame.y - frame[a]) for a, b in pairs])
    rng = np.random.default_rng(0)
    draws = rng.multivariate_normal(np.zeros(len(pairs)), np.corrcoef(losses), 200_000)
    draws /= np.sqrt(rng.chisquare(len(frame) - 1, (len(draws), 1)) / (len(frame) - 1))
    return float(((np.abs(draws) if sides == 2 else draws).max(axis=1) >= t).mean())


@pytest.mark.parametrize("alternative", ["two-sided", "better"])
@pytest.mark.parametrize("reference", [None, "b"])
def test_max_t_is_the_largest_t_of_equal_models(alternative: Any, reference: str | None) -> None:
    rng = np.random.default_rng(6)
    n = 4000
    y = rng.integers(0, K, n)
    common = rng.random(n)
    frame = pd.DataFrame({"y": y})
    for model, own in zip(MODELS, (0.1, 0.4, 0.7, 1), strict=True):
        chance = np.where(rng.random(n) < own, rng.random(n), common)
        frame[model] = (y + (chance < 0.3)).clip(0, K - 1)
    asked: dict[str, Any] = {"alternative": alternative, "reference": reference}
    found = compare(frame, metrics=["mae"], adjust="max-t", **asked).loc["mae"]
    sides = 2 if alternative == "two-sided" else 1
    for row in found.itertuples():
        t = -row.difference / row.se
        due = simulated(frame, found.index.tolist(), abs(t) if sides == 2 else t, sides)
        assert row.p_adjusted == pytest.approx(due, rel=0.03, abs=0.003)
    plain = compare(frame, metrics=["mae"], **asked).loc["mae"]
    pd.testing.assert_frame_equal(
        found.drop(columns=["low", "high", "p_adjusted", "better"]),
        plain.drop(columns=["low", "high", "p_adjusted", "better"]),
    )


@pytest.mark.parametrize("alternative", ["two-sided", "better", "non-inferior"])
@pytest.mark.parametrize("cluster", [None, "patient"])
@pytest.mark.parametrize("ci", [0.7, 0.95])
def test_simultaneous_intervals_agree_with_adjusted_p_values(
    alternative: Any, cluster: str | None, ci: float
) -> None:
    margin = 0.05 if alternative == "non-inferior" else None
    found = compare(
        by="g", cluster=cluster, ci=ci, alternative=alternative, margin=margin, adjust="max-t"
    )
    zero = -(margin or 0)
    tested = found.p_adjusted.notna().to_numpy()
    metrics = found.index.get_level_values("metric")
    if alternative == "two-sided":
        excluded = (found.low > 0) | (found.high < 0)
    else:
        up = np.array([UP[metric] is True for metric in metrics])
        excluded = pd.Series(np.where(up, found.low, -found.high) > zero, found.index)
    np.testing.assert_array_equal(excluded[tested], (found.p_adjusted <= 1 - ci)[tested])
    verdict = found.get("better", found.get("non_inferior"))
    decided = verdict.isin(MODELS) if alternative != "non-inferior" else verdict.fillna(False)
    known = tested & (metrics != "bias")
    np.testing.assert_array_equal(decided[known], excluded[known])
    assert (found.p_adjusted >= found.p_value)[tested].all()
    assert (found.p_adjusted <= np.minimum(6 * found.p_value, 1))[tested].all()
    assert tested.any() and excluded.any()


def test_all_surfaces_take_these_options() -> None:
    ds = xr.Dataset({name: ("case", FRAME[name]) for name in ["y", *MODELS]})
    options: list[dict[str, Any]] = [
        {"margin": {"mae": 0.1}},
        {"alternative": "better", "adjust": "max-t"},
        {"alternative": "non-inferior", "margin": 0.1, "reference": "a"},
    ]
    for asked in options:
        asked["metrics"] = ["mae", "kappa"]
        due = compare(**asked)
        preds = {model: FRAME[model] for model in MODELS}
        pd.testing.assert_frame_equal(FRAME["y"].ordinal.compare(preds, **asked), due)
        pd.testing.assert_frame_equal(ds.ordinal.compare("y", MODELS, **asked), due)
        grouped = FRAME.groupby("g").ordinal.compare("y", MODELS, **asked)
        pd.testing.assert_frame_equal(grouped, compare(by="g", **asked))
        dask = po.ordinal(dd.from_pandas(FRAME, npartitions=3))
        lazy = dask.compare("y", MODELS, classes=range(K), **asked)
        pd.testing.assert_frame_equal(lazy.compute(), due, check_index_type=False)
        long = FRAME.assign(row=range(N)).melt(["y", "row"], MODELS, "model", "yhat")
        long = long.ordinal.compare("y", "yhat", model="model", id="row", **asked)
        pd.testing.assert_frame_equal(long, due, check_index_type=False)


def test_scores_have_them_too() -> None:
    rng = np.random.default_rng(2)
    scores = {f"s{m}": FRAME.y + rng.normal(0, 1 + 0.2 * m, N) for m in range(3)}
    frame = FRAME.assign(**scores)
    found = frame.ordinal.compare(
        "y", score=list(scores), metrics=["vus"], adjust="max-t", margin=0.1
    )
    assert found.p_equivalent.between(0, 1).all()
    assert ((found.low > 0) == (found.p_adjusted <= 0.05)).all()


def test_options_that_cannot_be_combined_are_refused() -> None:
    def refused(match: str, **asked: Any) -> None:
        with pytest.raises(ValueError, match=match):
            compare(**asked)

    refused("needs the largest loss .* give margin=0.02", alternative="non-inferior")
    refused('"better" has no margin=', alternative="better", margin=0.1)
    refused('"permutation" cannot be combined with margin=', method="permutation", margin=0.1)
    refused('cannot be combined with adjust="max-t"', method="permutation", adjust="max-t")
    refused("alternative=", alternative="worse")
    refused("adjust=", adjust="bonferroni")
    for margin in (0, -0.1, np.nan, np.inf, "0.1", True, [0.1]):
        refused("margin=", margin=margin)
    refused(r"margin\['mae'\]=-1", margin={"mae": -1})


def test_two_clusters_leave_one_degree_of_freedom() -> None:
    frame = FRAME.assign(half=np.arange(N) // (N // 2))
    found = compare(frame, metrics=["mae"], cluster="half", alternative="better")
    both = compare(frame, metrics=["mae"], cluster="half", margin=0.2)
    for pair, row in found.iterrows():
        t = abs(row.difference) / row.se
        due = stats.t.sf(t if row.difference < 0 else -t, 1)
        assert row.p_value == pytest.approx(due, rel=1e-6)
        assert both.p_value[pair] == pytest.approx(2 * stats.t.sf(t, 1), rel=1e-6)
        within = stats.t.sf((0.2 - abs(row.difference)) / row.se, 1)
        assert both.p_equivalent[pair] == pytest.approx(within, rel=1e-6)
