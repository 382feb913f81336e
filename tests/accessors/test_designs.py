"""Clusters, weights and strata: counts hold all that intervals need, on every surface."""

from __future__ import annotations

from typing import Any

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from oracles import uncertainty

import pandas_ordinal as po
from pandas_ordinal.metrics.metric import registry

RNG = np.random.default_rng(12)
K, N = 4, 160
LIMITS: dict[str, tuple[float, float]] = {
    "accuracy": (0, 1),
    "amae": (0, K - 1),
    "kappa": (-1, 1),
    "oci": (0, 1),
}
NAMES = list(LIMITS)
FRAME = pd.DataFrame(
    {
        "g": np.repeat([1, 2], N // 2),
        "y": RNG.integers(0, K, N),
        "few": RNG.integers(0, 9, N),
        "many": RNG.integers(0, 70, N),
        "w": RNG.lognormal(size=N),
    }
)
FRAME["yhat"] = (FRAME.y + RNG.integers(-1, 2, N)).clip(0, K - 1)
FRAME["other"] = (FRAME.y + (RNG.random(N) < 0.1)).clip(0, K - 1)
FRAME.loc[FRAME.few == 3, "w"] = 0.0  # a cluster that does not count
PREDS = ["yhat", "other"]
ASKED: dict[str, Any] = {"metrics": [*NAMES, "mmae"], "ci": 0.9, "se": True}
CLUSTERS = ["few", "many"]


def tables_of(frame: pd.DataFrame, cluster: str, pred: str = "yhat") -> list[np.ndarray]:
    """The sums of the weights in each cluster with rows of positive weight."""
    tables = {}
    there = frame[frame.w > 0]
    for c, r, k, w in zip(there[cluster], there.y, there[pred], there.w, strict=True):
        tables.setdefault(c, np.zeros((K, K)))[r, k] += w
    return [*tables.values()]


def ends(
    name: str, counts: np.ndarray, smoothed: float, se: float, freedom: float
) -> tuple[float, float, float]:
    """The interval on the scale of the metric, and its standard error."""
    estimate = float(registry[name].kernel(counts))
    found = uncertainty.hull(estimate, smoothed, se, freedom, LIMITS[name], 0.9)
    return (*found, se)


def found_in(report: Any, name: str) -> list[float]:
    return [float(report[f"{name}_{part}"]) for part in ("low", "high", "se")]


# clusters of weighted rows


@pytest.mark.parametrize("cluster", CLUSTERS)
@pytest.mark.parametrize("name", NAMES)
def test_weighted_rows_in_clusters_follow_the_literal_rule(name: str, cluster: str) -> None:
    tables, weights = tables_of(FRAME, cluster), FRAME.w[FRAME.w > 0]
    scaled = weights / weights.mean()
    mass = (scaled**2).sum() / scaled.sum()
    smoothed, se = uncertainty.weighted_clusters_se(
        registry[name].kernel, tables, len(weights), mass
    )
    row = FRAME.ordinal.report("y", "yhat", **ASKED, cluster=cluster, sample_weight="w")
    expected = ends(name, sum(tables), smoothed, se, len(tables) - 1)  # type: ignore[arg-type]
    np.testing.assert_allclose(found_in(row, name), expected, rtol=1e-9)


def test_equal_weights_change_no_interval() -> None:
    for cluster in CLUSTERS:
        one = FRAME.assign(w=0.3).ordinal.report(
            "y", PREDS, by="g", **ASKED, cluster=cluster, sample_weight="w"
        )
        none = FRAME.ordinal.report("y", PREDS, by="g", **ASKED, cluster=cluster)
        pd.testing.assert_frame_equal(one, none, rtol=1e-9)


def test_a_class_of_one_cluster_is_gone_without_it_however_weights_are_rounded() -> None:
    weights = np.full(40, 0.1)
    frame = pd.DataFrame({"y": [0, 1] * 20, "c": np.arange(40) // 10, "w": weights})
    frame.loc[frame.c == 3, "y"] += 1  # the only cluster with the class 2
    frame["yhat"] = np.roll(frame.y, 1) * (frame.index % 3 == 0) + frame.y * (frame.index % 3 > 0)
    asked: dict[str, Any] = {"metrics": ["amae"], "se": True, "cluster": "c"}
    weighted = frame.ordinal.report("y", "yhat", sample_weight="w", **asked)
    assert weighted.amae_se == pytest.approx(frame.ordinal.report("y", "yhat", **asked).amae_se)


def test_a_group_without_weight_has_nothing_to_compare() -> None:
    frame = FRAME.assign(w=FRAME.w.where(FRAME.g == 1, 0))
    for cluster in (None, "few"):
        asked: dict[str, Any] = {"cluster": cluster, "metrics": NAMES, "sample_weight": "w"}
        found = frame.ordinal.compare("y", PREDS, by="g", **asked)
        columns = found.columns[: found.columns.get_loc("better")]
        assert found.loc[2, columns].isna().all(axis=None)
        only = frame[frame.g == 1].ordinal.compare("y", PREDS, **asked)
        pd.testing.assert_frame_equal(found.loc[1], only, rtol=1e-9)


@pytest.mark.parametrize("factor", [1e-305, 1e-160, 1e160, 1e300])
def test_weights_of_any_magnitude_give_the_same_intervals_of_clusters(factor: float) -> None:
    options: dict[str, Any] = {"sample_weight": "w", "cluster": "few", "by": "g", **ASKED}
    table = FRAME.ordinal.report("y", "yhat", **options)
    scaled = FRAME.assign(w=FRAME.w * factor)
    pd.testing.assert_frame_equal(scaled.ordinal.report("y", "yhat", **options), table, rtol=1e-9)
    lazy = po.ordinal(dd.from_pandas(scaled, npartitions=3))
    found = lazy.report("y", "yhat", classes=range(K), **options).compute()
    pd.testing.assert_frame_equal(found, table, rtol=1e-9)
    ds = dataset(scaled).chunk(case=50).assign(dataset(scaled)[["g", "few"]])
    report = ds.ordinal.report("y", "yhat", classes=range(K), **options)
    np.testing.assert_allclose(report.to_array().T, table, rtol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("k", [3, 5])
def test_weighted_clusters_have_the_standard_errors_of_a_bootstrap(k: int) -> None:
    rng = np.random.default_rng(k)
    cluster = np.repeat(np.arange(300), rng.integers(1, 30, 300))
    y = rng.integers(0, k, len(cluster))
    right = rng.random(len(cluster)) < rng.uniform(0.4, 0.95, 300)[cluster]
    yhat = np.where(right, y, (y + rng.choice([-1, 1], len(y))).clip(0, k - 1))
    frame = pd.DataFrame({"y": y, "yhat": yhat, "c": cluster, "w": rng.lognormal(0, 0.7, len(y))})
    names = ["accuracy", "mae", "kappa", "amae", "stc"]
    row = frame.ordinal.report("y", "yhat", metrics=names, se=True, cluster="c", sample_weight="w")
    tables = frame.ordinal.confusion("y", "yhat", by="c", sample_weight="w").to_numpy()
    times = rng.multinomial(300, np.full(300, 1 / 300), 20_000)
    drawn = np.einsum("bg,grc->brc", times, tables)
    for name in names:
        peer = registry[name].kernel(drawn).std()  # type: ignore[union-attr]
        assert row[f"{name}_se"] == pytest.approx(peer, rel=0.04), name


# every surface


def dataset(frame: pd.DataFrame) -> xr.Dataset:
    return xr.Dataset({name: ("case", frame[name].to_numpy()) for name in frame})


DESIGNS: list[dict[str, Any]] = [
    {"cluster": "few"},
    {"cluster": "many"},
    {"sample_weight": "w"},
    {"sample_weight": "w", "cluster": "few"},
    {"sample_weight": "w", "cluster": "many"},
    {"sample_weight": "w", "stratify": "true"},
    {"stratify": "pred"},
    {"sample_weight": "w", "stratify": "pred"},
    {"stratify": "pred", "stratum_shares": {3: 4, 2: 3, 1: 1, 0: 2}},
]


@pytest.mark.parametrize("by", [None, "g"])
@pytest.mark.parametrize("asked", DESIGNS, ids=str)
def test_surfaces_say_the_same(asked: dict[str, Any], by: str | None) -> None:
    options: dict[str, Any] = {"by": by, **ASKED, **asked}
    table = FRAME.ordinal.report("y", "yhat", **options)
    ddf = po.ordinal(dd.from_pandas(FRAME, npartitions=4))
    lazy = ddf.report("y", "yhat", classes=range(K), **options).compute()
    same = pd.testing.assert_frame_equal if by else pd.testing.assert_series_equal
    same(lazy, table, rtol=1e-9)
    ds = dataset(FRAME)
    keys = ds[["g", "few", "many"]]
    for one in (ds, ds.chunk(case=50).assign(keys)):
        report = one.ordinal.report("y", "yhat", classes=range(K), **options)
        assert list(report.data_vars) == list(table.columns if by else table.index)
        for name in report.data_vars:
            expected = np.asarray(table[name], float)
            np.testing.assert_allclose(report[name], expected, rtol=1e-9, err_msg=str(name))
    if by:
        grouped = FRAME.groupby("g").ordinal.report("y", "yhat", **ASKED, **asked)
        pd.testing.assert_frame_equal(grouped, table)
    else:
        of_series = {
            option: FRAME[one] if option in ("cluster", "sample_weight") else one
            for option, one in asked.items()
        }
        series = FRAME["y"].ordinal.report(FRAME["yhat"], **ASKED, **of_series)
        pd.testing.assert_series_equal(series, table)


@pytest.mark.parametrize("asked", DESIGNS[:-1], ids=str)
def test_ignored_cases_of_arrays_are_not_there(asked: dict[str, Any]) -> None:
    ignored = FRAME.index % 3 == 0
    ds = dataset(FRAME.assign(y=FRAME.y.mask(ignored, 99)))
    options: dict[str, Any] = {"classes": range(K), **ASKED, **asked}
    report = ds.ordinal.report("y", "yhat", ignore=99, **options)
    row = FRAME[~ignored].ordinal.report("y", "yhat", **options)
    np.testing.assert_allclose(report.to_array(), row, rtol=1e-9)


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_wide_dask_frames_have_clusters_of_each_model(cluster: str) -> None:
    ddf = po.ordinal(dd.from_pandas(FRAME, npartitions=4))
    for asked in ({}, {"sample_weight": "w"}):
        options: dict[str, Any] = {"by": "g", **ASKED, **asked, "cluster": cluster}
        lazy = ddf.report("y", PREDS, classes=range(K), **options)
        table = FRAME.ordinal.report("y", PREDS, **options)
        pd.testing.assert_frame_equal(lazy.compute(), table, rtol=1e-9)


def test_dask_frames_leave_out_rows_without_cluster_and_name_wrong_columns() -> None:
    gaps = FRAME.assign(few=FRAME.few.astype(float).where(FRAME.few != 2))
    ddf = po.ordinal(dd.from_pandas(gaps, npartitions=3))
    options: dict[str, Any] = {"classes": range(K), "cluster": "few", **ASKED}
    lazy = ddf.report("y", "yhat", dropna=True, **options)
    pd.testing.assert_series_equal(
        lazy.compute(), gaps.ordinal.report("y", "yhat", dropna=True, **options)
    )
    with pytest.raises(ValueError, match="'few' is missing"):
        ddf.report("y", "yhat", **options).compute()
    with pytest.raises(KeyError, match="did you mean 'few'"):
        ddf.report("y", "yhat", **{**options, "cluster": "fw"})
    with pytest.raises(TypeError, match=r"cluster= takes the label of a column.*ddf\.assign"):
        ddf.report("y", "yhat", **{**options, "cluster": np.arange(3)})


def test_a_key_of_dask_groups_may_be_the_cluster() -> None:
    ddf = po.ordinal(dd.from_pandas(FRAME, npartitions=3))
    lazy = ddf.report("y", "yhat", by=["g", "few"], classes=range(K), **ASKED, cluster="g")
    table = FRAME.ordinal.report("y", "yhat", by=["g", "few"], **ASKED, cluster="g")
    pd.testing.assert_frame_equal(lazy.compute(), table)
    assert table.accuracy_low.isna().all()


def test_clusters_of_text_and_of_unknown_categories() -> None:
    frame = FRAME.assign(few="patient " + FRAME.few.astype(str))
    options: dict[str, Any] = {"classes": range(K), "by": "g", "cluster": "few", **ASKED}
    table = frame.ordinal.report("y", "yhat", **options)
    ddf = dd.from_pandas(frame, npartitions=3)
    for one in (ddf, ddf.astype({"few": "category"})):
        lazy = po.ordinal(one).report("y", "yhat", **options)
        pd.testing.assert_frame_equal(lazy.compute(), table)


# cubes


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_a_dimension_of_a_cube_is_that_of_clusters(cluster: str) -> None:
    cube = FRAME.ordinal.confusion("y", PREDS, by=["g", cluster])
    table = FRAME.ordinal.report("y", PREDS, by="g", **ASKED, cluster=cluster)
    for one in (cube, cube.chunk({"g": 1, cluster: 4}), cube.transpose(..., cluster, "g")):
        report = one.ordinal.report(**ASKED, cluster=cluster)
        frame = report.compute().to_dataframe().reorder_levels(["g", "model"]).loc[table.index]
        pd.testing.assert_frame_equal(frame[table.columns], table, check_dtype=False, rtol=1e-9)
    plain = cube.sum(cluster).ordinal.report(metrics=ASKED["metrics"])
    xr.testing.assert_equal(cube.ordinal.report(**ASKED, cluster=cluster)[[*plain]], plain)


def test_several_dimensions_of_a_cube_are_clusters() -> None:
    cube = FRAME.ordinal.confusion("y", "yhat", by=["g", "few"])
    both = FRAME.assign(both=10 * FRAME.g + FRAME.few)
    row = both.ordinal.report("y", "yhat", **ASKED, cluster="both")
    for one in (cube, cube.chunk(g=1)):
        report = one.ordinal.report(**ASKED, cluster=["few", "g"])
        np.testing.assert_allclose(report.to_array(), row, rtol=1e-9)
    levels = cube.stack(part=["g", "few"])
    report = levels.ordinal.report(**ASKED, cluster="part")
    np.testing.assert_allclose(report.to_array(), row, rtol=1e-9)


@pytest.mark.parametrize("cluster", CLUSTERS)
@pytest.mark.parametrize("name", NAMES)
def test_a_cube_of_weights_has_a_row_in_each_cell_that_is_not_empty(
    name: str, cluster: str
) -> None:
    cube = FRAME.ordinal.confusion("y", "yhat", by=["g", cluster], sample_weight="w")
    report = cube.ordinal.report(**ASKED, cluster=cluster)
    lazy = cube.chunk({cluster: 5}).ordinal.report(**ASKED, cluster=cluster).compute()
    xr.testing.assert_allclose(lazy, report, rtol=1e-9)
    scaled = (1000 * cube).ordinal.report(**ASKED, cluster=cluster)
    xr.testing.assert_allclose(scaled.drop_vars("n"), report.drop_vars("n"), rtol=1e-9)
    for g in (1, 2):
        tables = tables_of(FRAME[FRAME.g == g], cluster)
        n = sum(np.count_nonzero(table) for table in tables)
        smoothed, se = uncertainty.weighted_clusters_se(registry[name].kernel, tables, n, 1)
        expected = ends(name, sum(tables), smoothed, se, len(tables) - 1)  # type: ignore[arg-type]
        np.testing.assert_allclose(found_in(report.sel(g=g), name), expected, rtol=1e-9)


def test_rows_that_are_their_own_clusters_need_no_cube_of_integers() -> None:
    frame = FRAME.assign(c=np.arange(N), w=1.0)
    cube = frame.ordinal.confusion("y", "yhat", by="c", sample_weight="w")
    report = cube.ordinal.report(**ASKED, cluster="c")
    row = FRAME.assign(c=np.arange(N)).ordinal.report("y", "yhat", **ASKED, cluster="c")
    np.testing.assert_allclose(report.to_array(), row, rtol=1e-9)


def test_counts_from_elsewhere_have_clusters() -> None:
    long = FRAME.groupby(["g", "few", "y", "yhat"]).size().reset_index(name="n")
    cube = po.from_counts(
        long, true="y", pred="yhat", count="n", by=["g", "few"], classes=range(K)
    )
    counter = po.Counter(range(K), by=["g", "few"])
    for start in range(0, N, 50):
        counter.update(FRAME[start : start + 50], "y", "yhat")
    table = FRAME.ordinal.report("y", "yhat", by="g", **ASKED, cluster="few")
    for one in (cube, counter.cube):
        report = one.ordinal.report(**ASKED, cluster="few").to_dataframe()
        pd.testing.assert_frame_equal(report[table.columns], table, check_dtype=False)


def test_one_cluster_has_no_bounds() -> None:
    cube = FRAME.assign(c=1).ordinal.confusion("y", "yhat", by="c")
    for one in (cube, cube.astype(float)):
        report = one.ordinal.report(**ASKED, cluster="c")
        assert np.isnan([report.accuracy_low, report.accuracy_high, report.accuracy_se]).all()
        assert 0 < report.accuracy < 1


@pytest.mark.parametrize(
    ("cluster", "says"),
    [
        ("fold", r"'fold' is none of \['g', 'few'\]"),
        ("fwe", "did you mean 'few'"),
        ("true", "'true' is none of"),
        (["few", "pred"], "'pred' is none of"),
        ([], "must name different dimensions"),
        (["few", "few"], "must name different dimensions"),
        (FRAME["few"], "must name a dimension of the cube"),
        (None, "give a dimension of the cube as cluster="),
    ],
    ids=str,
)
def test_cubes_refuse_clusters_that_are_no_dimension(cluster: Any, says: str) -> None:
    cube = FRAME.ordinal.confusion("y", "yhat", by=["g", "few"], sample_weight="w")
    with pytest.raises(ValueError, match=says):
        cube.ordinal.report(**ASKED, cluster=cluster)


def test_cubes_with_gaps_are_refused() -> None:
    cube = FRAME.ordinal.confusion("y", "yhat", by="few", sample_weight="w")
    with pytest.raises(ValueError, match="counts hold nan"):
        cube.where(cube.few != 1).ordinal.report(**ASKED, cluster="few")


# metrics of probabilities


def with_proba() -> tuple[pd.DataFrame, dict[int, str]]:
    proba = RNG.dirichlet(np.ones(K), N)
    columns = {f"p{k}": proba[:, k] for k in range(K)}
    return FRAME.assign(**columns), {k: f"p{k}" for k in range(K)}


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_weighted_means_leave_out_clusters(cluster: str) -> None:
    frame, proba = with_proba()
    asked: dict[str, Any] = {"metrics": ["rps"], "se": True, "ci": 0.9, "sample_weight": "w"}
    row = frame.ordinal.report("y", proba=proba, cluster=cluster, **asked)
    rows = frame[frame.w > 0]
    w = (rows.w / rows.w.mean()).to_numpy()
    values = zip(rows.y, rows[[*proba.values()]].to_numpy(), strict=True)
    losses = np.array([po.metrics.rps([y], [p]) for y, p in values])
    guess = np.mean([po.metrics.rps([k], [[1 / K] * K]) for k in range(K)])
    q = (w**2).sum() / w.sum()

    def mean(kept: np.ndarray) -> float:
        return float(((w * losses)[kept].sum() + q * guess) / (w[kept].sum() + q))

    clusters = rows[cluster].to_numpy()
    full, g = mean(clusters == clusters), len(set(clusters))
    changes = np.array([full - mean(clusters != one) for one in set(clusters)])
    of_row = (q * (guess - full) / (w.sum() + q)) ** 2
    se = np.sqrt((g - 1) / g * (changes**2).sum() + of_row)
    assert row.rps_se == pytest.approx(se, rel=1e-9)
    estimate = (w * losses).sum() / w.sum()
    expected = uncertainty.hull(estimate, full, se, g - 1, (0, K - 1), 0.9)
    np.testing.assert_allclose(row[["rps_low", "rps_high"]], expected, rtol=1e-9)
    ds = dataset(FRAME).assign(
        proba=(("case", "grade"), frame[[*proba.values()]].to_numpy()), grade=range(K)
    )
    report = ds.ordinal.report("y", proba="proba", classes=range(K), cluster=cluster, **asked)
    np.testing.assert_allclose(report.to_array(), row, rtol=1e-9)
    lazy = ds.chunk(case=40).assign(ds[[cluster]])
    report = lazy.ordinal.report("y", proba="proba", classes=range(K), cluster=cluster, **asked)
    np.testing.assert_allclose(report.to_array(), row, rtol=1e-9)


def test_what_has_no_rule_is_refused_by_name() -> None:
    frame, proba = with_proba()
    frame = frame.assign(score=frame.y)
    for asked, says in (
        ({"cluster": "few", "sample_weight": "w"}, "^vus .* sample_weight="),
        ({"stratify": "pred"}, '^vus .* stratify="pred"'),
        ({"stratify": "pred", "proba": proba, "metrics": ["rps"]}, '^rps .* stratify="pred"'),
    ):
        options: dict[str, Any] = {"score": "score", "metrics": ["vus"], "ci": 0.9, **asked}
        with pytest.raises(ValueError, match=says):
            frame.ordinal.report("y", "yhat", **options)
    ddf = po.ordinal(dd.from_pandas(frame, npartitions=2))
    with pytest.raises(ValueError, match="se= of vus need the rows in memory"):
        ddf.report("y", score="score", se=True, cluster="few", classes=range(K))


# rows that were drawn by class


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("weights", [None, "w", "share"])
@pytest.mark.parametrize("stratify", ["true", "pred"])
def test_strata_follow_the_literal_rule(name: str, weights: str | None, stratify: str) -> None:
    rows = FRAME[FRAME.w > 0].assign(share=np.array([3.0, 1, 2, 1])[FRAME.yhat[FRAME.w > 0]])
    asked: dict[str, Any] = {"sample_weight": weights, "stratify": stratify}
    row = rows.ordinal.report("y", "yhat", **ASKED, **asked)
    strata = rows.y if stratify == "true" else rows.yhat
    w = np.ones(len(rows)) if weights is None else rows[weights].to_numpy()
    expected = uncertainty.se_of_strata(
        registry[name].kernel, list(rows.y), list(rows.yhat), w, list(strata), K
    )
    assert row[f"{name}_se"] == pytest.approx(expected, rel=1e-9)
    assert row[f"{name}_low"] < row[name] < row[f"{name}_high"]


def test_rows_drawn_by_predicted_class_vary_within_it() -> None:
    cube = po.from_counts([[50, 25], [0, 25]], classes=[0, 1])
    report = cube.ordinal.report(metrics=["accuracy"], se=True, stratify="pred")
    assert report.accuracy == 0.75
    assert report.accuracy_se == pytest.approx((0.5**2 * 0.25 / 49) ** 0.5, rel=0.01)
    same = cube.ordinal.report(
        metrics=["accuracy"], se=True, stratify="pred", stratum_shares={1: 7, 0: 7}
    )
    xr.testing.assert_allclose(same, report)


CLASSES = ["deforestation", "forest gain", "stable forest", "stable non-forest"]
MAP = [[66, 0, 5, 4], [0, 55, 8, 12], [1, 0, 153, 11], [2, 1, 9, 313]]  # map classes on the rows
PIXELS = [200_000, 150_000, 3_200_000, 6_450_000]


def test_the_published_example_of_a_map() -> None:
    """Olofsson et al. (2014), table 8 and page 54: values, and 1.96 standard errors."""
    cube = po.from_counts(np.transpose(MAP), classes=CLASSES)
    users, producers = (
        {
            f"{kind} {label}": lambda t, k=k, axis=axis: t[:, k, k] / t.sum(axis=axis)[:, k]
            for k, label in enumerate(CLASSES)
        }
        for kind, axis in (("user", 1), ("producer", 2))
    )
    shares = dict(zip(reversed(CLASSES), reversed(PIXELS), strict=True))
    report = cube.ordinal.report(
        metrics={"accuracy": "accuracy", **users, **producers}, ci=0.95, se=True,
        stratify="pred", stratum_shares=shares,
    )  # fmt: skip
    published = [0.95, 0.88, 0.73, 0.93, 0.96, 0.75, 0.85, 0.93, 0.96]
    names = ["accuracy", *users, *producers]
    np.testing.assert_allclose([report[name] for name in names], published, atol=0.005)
    margins = [0.0185, 0.0740, 0.1008, 0.0398, 0.0205, 0.2133, 0.2544, 0.0343, 0.0184]
    found = np.array([1.96 * report[f"{name}_se"] for name in names])
    np.testing.assert_allclose(found, margins, rtol=0.15)  # a pseudo-row widens small strata
    assert found[0] == pytest.approx(margins[0], rel=0.01)
    assert report.accuracy_low < 0.93
    assert report.accuracy_high > 0.96
    assert int(report.n) == 640


def test_shares_are_those_of_each_group() -> None:
    asked: dict[str, Any] = {"stratify": "pred", "stratum_shares": pd.Series([4, 3, 2, 1])}
    table = FRAME.ordinal.report("y", "yhat", by="g", **ASKED, **asked)
    for g, frame in FRAME.groupby("g"):
        sizes = frame.yhat.value_counts()
        weighted = frame.assign(w=(4 - frame.yhat) / sizes[frame.yhat].to_numpy())
        row = weighted.ordinal.report("y", "yhat", sample_weight="w", stratify="pred", **ASKED)
        pd.testing.assert_series_equal(row, table.loc[g], check_names=False, rtol=1e-9)
    assert table.n.tolist() == [N / 2, N / 2]
    default = FRAME.ordinal.report("y", "yhat", ci=0.9, **asked)
    assert "r_int" not in default  # undefined for fractions


@pytest.mark.parametrize(
    ("asked", "error", "says"),
    [
        ({"stratum_shares": {0: 1}, "stratify": None}, ValueError, 'add stratify="pred"'),
        ({"stratum_shares": {0: 1}, "stratify": "true"}, ValueError, 'add stratify="pred"'),
        ({"stratum_shares": {0: 1, 1: 1}}, po.UnknownClassError, "one value for each class"),
        ({"stratum_shares": [1, 1]}, ValueError, "a share for each of the 4 classes"),
        ({"stratum_shares": [1, 1, 1, -1]}, ValueError, "not negative"),
        ({"stratum_shares": [0, 0, 0, 0]}, ValueError, "a share for each"),
        ({"stratum_shares": ["a"] * 4}, ValueError, "array of numbers"),
        ({"stratum_shares": [1, 1, 1, 0]}, ValueError, "gives 3 no share"),
        (
            {"stratum_shares": [1] * 4, "sample_weight": "w"},
            ValueError,
            "sample_weight= and stratum_shares= weigh",
        ),
        (
            {"stratum_shares": [1] * 4, "method": "bootstrap"},
            ValueError,
            'stratum_shares= and method="bootstrap"',
        ),
        ({"cluster": "few"}, ValueError, "cannot be combined with stratify="),
    ],
)
def test_shares_that_cannot_be(asked: dict[str, Any], error: type[Exception], says: str) -> None:
    options: dict[str, Any] = {"stratify": "pred", **ASKED, **asked}
    ddf = po.ordinal(dd.from_pandas(FRAME, npartitions=2))
    for call in (
        lambda: FRAME.ordinal.report("y", "yhat", **options),
        lambda: dataset(FRAME).ordinal.report("y", "yhat", **options),
        lambda: ddf.report("y", "yhat", classes=range(K), **options).compute(),
    ):
        with pytest.raises(error, match=says):
            call()


def test_a_stratum_without_rows_has_no_share() -> None:
    rows = FRAME.assign(yhat=FRAME.yhat.where((FRAME.yhat != 3) | (FRAME.g == 2), 2))
    asked: dict[str, Any] = {"stratify": "pred", "classes": range(K), **ASKED}
    shares = {"stratum_shares": [1, 1, 1, 1]}
    with pytest.raises(ValueError, match="no row is predicted as 3 in some group"):
        rows.ordinal.report("y", "yhat", by="g", **asked, **shares)
    one_row = pd.concat([FRAME[FRAME.g == 1], FRAME[(FRAME.g == 2) & (FRAME.yhat == 0)][:1]])
    with pytest.raises(ValueError, match="no row is predicted as 1 in some group"):
        one_row.ordinal.report("y", "yhat", by="g", **asked, **shares)
    rows = rows[rows.g == 1]
    with pytest.raises(ValueError, match="no row is predicted as 3:"):
        rows.ordinal.report("y", "yhat", **asked, **shares)
    row = rows.ordinal.report("y", "yhat", **asked, stratum_shares=[1, 1, 1, 0])
    assert row.notna().drop(["mmae_low", "mmae_high", "mmae_se"]).all()


def test_a_class_that_only_some_groups_predict_needs_a_share() -> None:
    rows = FRAME.assign(yhat=FRAME.yhat.where((FRAME.yhat != 3) | (FRAME.g == 2), 2))
    asked: dict[str, Any] = {"stratify": "pred", "classes": range(K), **ASKED}
    with pytest.raises(ValueError, match="gives 3 no share, but rows are predicted as 3"):
        rows.ordinal.report("y", "yhat", by="g", **asked, stratum_shares=[1, 1, 1, 0])


def test_groups_without_rows_need_no_rows_of_each_stratum() -> None:
    asked: dict[str, Any] = {"metrics": ["accuracy"], "se": True, "stratify": "pred"}
    counts = np.array([[[8, 2], [1, 9]], [[0, 0], [0, 0]]])
    cube = xr.concat([po.from_counts(one, classes=[0, 1]) for one in counts], pd.Index([1, 2]))
    report = cube.ordinal.report(**asked, stratum_shares=[1, 3])
    assert report.accuracy[0] == pytest.approx(0.25 * 8 / 9 + 0.75 * 9 / 11)
    assert np.isnan(report.accuracy[1])


def test_rows_are_drawn_by_the_predictions_of_one_model() -> None:
    with pytest.raises(ValueError, match=r"not of \['yhat', 'other'\]: give one"):
        FRAME.ordinal.report("y", PREDS, stratify="pred", **ASKED)


def test_the_bootstrap_draws_within_predicted_classes() -> None:
    cube = po.from_counts([[50, 25], [0, 25]], classes=[0, 1])
    asked: dict[str, Any] = {"metrics": ["accuracy"], "se": True, "method": "bootstrap"}
    report = cube.ordinal.report(stratify="pred", n_boot=4000, **asked)
    assert report.accuracy_se == pytest.approx((0.5**2 * 0.25 / 50) ** 0.5, rel=0.05)


def test_clusters_count_if_any_of_their_rows_has_a_weight() -> None:
    frame = pd.DataFrame({"y": [0, 1, 0, 1] * 3, "p": [0, 1, 1, 1] * 3})
    frame = frame.assign(c=np.repeat(list("uvw"), 4), w=np.repeat([0.5, 0.25, 0], 4))
    report = frame.ordinal.report("y", "p", sample_weight="w", cluster="c", ci=0.95)
    assert report["n_clusters"] == 2


def test_shares_of_strata_have_any_sum() -> None:
    cube = po.from_counts([[50, 25], [5, 25]], classes=[0, 1])
    asked: dict[str, Any] = {"metrics": ["accuracy"], "ci": 0.9, "stratify": "pred"}
    one = cube.ordinal.report(stratum_shares=[1, 3], **asked)
    # of predicted classes: 50 of 55 and 25 of 50 rows are right
    assert one.accuracy == pytest.approx(0.25 * 50 / 55 + 0.75 * 0.5)
    for unit in (0.25, 0.1, 1e-9, 1e6):
        xr.testing.assert_allclose(
            cube.ordinal.report(stratum_shares=[unit, 3 * unit], **asked), one
        )
    for wrong in ([0, 0], [-1, 2], [1], [1, 1, 1]):
        with pytest.raises(ValueError, match="must have a share for each of the 2 classes"):
            cube.ordinal.report(stratum_shares=wrong, **asked)
