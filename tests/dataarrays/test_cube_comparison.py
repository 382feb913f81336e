"""Models along a dimension of a cube are compared by the clusters along another one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from counted_models import MODELS, predicted
from oracles import uncertainty

import pandas_ordinal as po

METRICS = ["accuracy", "mae", "amae", "kappa", "oci", "stc"]
DF = predicted(8, 300, 4).astype(dict.fromkeys(["y", *MODELS], int))
CUBE = DF.ordinal.confusion("y", MODELS, by=["g", "site"])


def same(found: pd.DataFrame, expected: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(found, expected, check_index_type=False, rtol=1e-9)


@pytest.mark.parametrize("adjust", ["holm", "max-t"])
def test_clusters_of_a_cube_are_those_of_its_rows(adjust: Any) -> None:
    asked: dict[str, Any] = {"metrics": METRICS, "cluster": "site", "adjust": adjust}
    same(CUBE.ordinal.compare("model", **asked), DF.ordinal.compare("y", MODELS, by="g", **asked))
    alone = CUBE.sum("g").ordinal.compare("model", **asked)
    same(alone, DF.ordinal.compare("y", MODELS, **asked))
    lazy = CUBE.chunk(site=2).transpose("pred", "site", ..., "model").ordinal
    same(lazy.compare("model", **asked), CUBE.ordinal.compare("model", **asked))


def test_clusters_along_two_dimensions() -> None:
    both = DF.assign(both=DF["g"] + DF["site"].astype(str))
    asked: dict[str, Any] = {"metrics": METRICS}
    found = CUBE.ordinal.compare("model", cluster=["g", "site"], **asked)
    same(found, both.ordinal.compare("y", MODELS, cluster="both", **asked))


def test_one_cluster_after_the_other_is_left_out() -> None:
    found = CUBE.sum("g").ordinal.compare("model", cluster="site", metrics=["mae", "kappa"])
    true, clusters = DF["y"].tolist(), DF["site"].tolist()
    for (metric, a, b), row in found.iterrows():
        kernel, preds = getattr(po.metrics, metric), (DF[a].tolist(), DF[b].tolist())
        se = uncertainty.paired_clustered_se(kernel, true, *preds, clusters, 4)
        assert row.se == pytest.approx(se, rel=1e-9)
    assert (found["n_clusters"] == DF["site"].nunique()).all()


def test_groups_without_rows_and_clusters_without_some() -> None:
    cube = CUBE.copy()
    cube.loc[{"g": "u"}] = 0
    cube.loc[{"g": "v", "site": [0, 3]}] = 0
    found = cube.ordinal.compare("model", cluster="site", metrics=["mae"])
    assert (found.loc["u", "n"] == 0).all() and found.loc["u", "se"].isna().all()
    assert (found.loc["u", "n_clusters"] == 0).all() and (found.loc["v", "n_clusters"] > 0).all()
    twice = cube.ordinal.compare("model", cluster=["site", "site"], metrics=["mae"])
    pd.testing.assert_frame_equal(twice, found)
    rest = DF[(DF["g"] == "v") & ~DF["site"].isin([0, 3])]
    due = rest.ordinal.compare("y", MODELS, cluster="site", metrics=["mae"])
    same(found.loc["v"], due)


def test_weights_have_no_unit() -> None:
    weights = CUBE * np.linspace(0.5, 2, CUBE.sizes["site"])[:, None, None, None]
    asked: dict[str, Any] = {"cluster": "site", "metrics": METRICS}
    found = weights.ordinal.compare("model", **asked)
    again = (1e-6 * weights).ordinal.compare("model", **asked)
    pd.testing.assert_frame_equal(again.drop(columns="n"), found.drop(columns="n"), rtol=1e-9)
    of_a = weights.sel(g="v", model="a")
    np.testing.assert_allclose(found["n"].xs("v").iloc[0], of_a.sum())
    total = weights.ordinal.compare("model", cluster="site", metrics=["total_cost"])
    cost = of_a.sum("site").ordinal.total_cost()
    np.testing.assert_allclose(total["value_a"].xs("v").iloc[0], cost)


def test_groups_of_weights_are_compared_alone() -> None:
    weights = CUBE * np.linspace(0.5, 2, CUBE.sizes["site"])[:, None, None, None]
    weights[0, 2:] = 0
    asked: dict[str, Any] = {"cluster": "site", "metrics": METRICS}
    found = weights.ordinal.compare("model", **asked)
    for g in ("u", "v"):
        same(found.loc[g], weights.sel(g=g).ordinal.compare("model", **asked))


def test_weights_of_one_row_each_are_counts() -> None:
    """Of model a, which has at most one row in a cell; model b has several in some."""
    rng = np.random.default_rng(3)
    pairs = pd.MultiIndex.from_product([range(4), range(3), range(3)], names=["site", "y", "a"])
    df = pairs.to_frame(index=False).sample(frac=0.7, random_state=0)
    for models in (["a", "b"], ["b", "a"]):
        cube = df.assign(b=rng.integers(0, 3, len(df))).ordinal.confusion("y", models, by="site")
        asked: dict[str, Any] = {"cluster": "site", "metrics": ["mae", "kappa"]}
        due = cube.ordinal.compare("model", **asked)
        same(cube.astype(float).ordinal.compare("model", **asked), due.astype({"n": float}))


def test_positions_without_labels() -> None:
    bare = CUBE.drop_vars(["g", "site"])
    found = bare.ordinal.compare("model", cluster="site", metrics=["mae"])
    assert found.index.get_level_values("g").unique().tolist() == [0, 1]


@pytest.mark.parametrize(
    ("cube", "asked", "message"),
    [
        (CUBE, {}, "not which rows two models get wrong together: .*cluster='fold'"),
        (CUBE, {"cluster": "sites"}, "cluster='sites' must name a dimension .*'site'"),
        (CUBE, {"cluster": "model"}, "other than that of the models"),
        (CUBE, {"cluster": "site", "model": "models"}, "model='models' must be the dimension"),
        (CUBE, {"cluster": "site", "model": "true"}, "model='true' must be the dimension"),
        (CUBE, {"cluster": "true"}, "cluster='true' must name a dimension"),
        (CUBE, {"cluster": "site", "method": "permutation"}, "swaps rows"),
        (CUBE.isel(model=[0]), {"cluster": "site"}, "'model' has one position"),
        (CUBE.rename(g="metric"), {"cluster": "site"}, "by= names a key 'metric'"),
        (0 * CUBE, {"cluster": "site"}, "the cube has no rows"),
        (CUBE.isel(site=[]), {"cluster": "site"}, "the cube has no rows"),
        (xr.DataArray([0, 1], dims="case"), {"cluster": "site"}, "compare is for cubes"),
    ],
)
def test_what_a_cube_cannot_answer(cube: Any, asked: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        cube.ordinal.compare(**{"model": "model", **asked})


def test_models_of_other_rows_are_refused() -> None:
    sizes = CUBE[1, 2].sum(["true", "pred"]).values.tolist()
    for model in range(1, CUBE.sizes["model"]):
        other = CUBE.copy()
        other[1, 2, model, 0, 0] += 1
        names = CUBE.indexes["model"]
        told = f"in g='v', cluster 2, {names[0]!r} has {sizes[0]} and {names[model]!r} has "
        with pytest.raises(ValueError, match=f"{told}{sizes[model] + 1}, or other true classes"):
            other.ordinal.compare("model", cluster="site")
