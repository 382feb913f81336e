"""Agreement of any number of raters: formulas, published values, surfaces and bad input."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from hypothesis import given
from hypothesis import strategies as st
from oracles import raters as literal
from oracles.strategies import QUICK
from oracles.uncertainty import hull
from scipy import stats

import pandas_ordinal as po
from pandas_ordinal.metrics import rating_table
from pandas_ordinal.metrics.rating_table import scale_of, table_of_matrix
from pandas_ordinal.ratings.left_out import leaving

NAMES = ["fleiss_kappa", "conger_kappa", "gwet_ac", "brennan_prediger", "krippendorff_alpha"]
KERNELS: dict[str, Callable[..., Any]] = {
    "fleiss_kappa": po.metrics.fleiss_kappa,
    "conger_kappa": po.metrics.conger_kappa,
    "gwet_ac": po.metrics.ratings_gwet_ac,
    "brennan_prediger": po.metrics.ratings_brennan_prediger,
    "krippendorff_alpha": po.metrics.ratings_krippendorff_alpha,
}
LEVELS = ["nominal", "ordinal", "interval", "ratio"]
SIZES = ["n_items", "n_paired", "n_raters", "n_ratings"]


def codes_of(text: str) -> np.ndarray:
    """Items as words, of a character per rater."""
    return np.array([[-1 if one in "-·" else int(one) for one in item] for item in text.split()])


def drawn(n_items: int, n_raters: int, n_classes: int, gaps: float, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    base = rng.integers(0, n_classes, (n_items, 1))
    rated = np.clip(base + rng.integers(-1, 2, (n_items, n_raters)), 0, n_classes - 1)
    return np.where(rng.random(rated.shape) < gaps, -1, rated)


def frame_of(codes: np.ndarray) -> pd.DataFrame:
    frame = pd.DataFrame(codes, columns=[f"r{g}" for g in range(codes.shape[1])])
    return frame.where(frame >= 0)


def coefficients(codes: np.ndarray, n_classes: int, weights: Any, level: str) -> dict[str, Any]:
    return {
        name: kernel(codes, n_classes, level=level)
        if name == "krippendorff_alpha"
        else kernel(codes, n_classes, weights=weights)
        for name, kernel in KERNELS.items()
    }


# Formulas


@QUICK
@given(
    st.integers(2, 4).flatmap(
        lambda n: st.lists(st.lists(st.integers(-1, 3), min_size=n, max_size=n), min_size=1)
    ),
    st.sampled_from(["identity", "linear", "quadratic"]),
    st.sampled_from(LEVELS),
)
def test_kernels_equal_their_formulas(table: list[list[int]], weights: str, level: str) -> None:
    for name, kernel in KERNELS.items():
        option = {"level": level} if name == "krippendorff_alpha" else {"weights": weights}
        due = (
            getattr(literal, name)(table, 4, *option.values()) if literal.rated(table) else np.nan
        )
        np.testing.assert_allclose(
            kernel(np.array(table), 4, **option), due, atol=1e-11, err_msg=name
        )


def test_published_values() -> None:
    by_letter = codes_of("001 11- 212 222 0-- 121 000 1-2")
    found = frame_of(by_letter).ordinal.agreement(["r0", "r1", "r2"])
    assert found[SIZES].tolist() == [8, 7, 3, 20]
    due = [0.6679796, 0.6785714, 0.6794063, 0.6785714, 0.6560150]
    np.testing.assert_allclose(found[NAMES], due, atol=5e-8)
    alphas = [po.metrics.ratings_krippendorff_alpha(by_letter, 3, level=one) for one in LEVELS]
    np.testing.assert_allclose(alphas, [0.3949580, 0.6560150, 0.6785714, 0.7150468], atol=5e-8)


def test_diagnoses_of_fleiss() -> None:
    df = pd.read_csv(Path(__file__).parents[2] / "examples/data/diagnoses.csv")
    kinds = ["depression", "personality disorder", "schizophrenia", "neurosis", "other"]
    raters = [f"r{g}" for g in range(1, 7)]
    found = df.ordinal.agreement(raters, classes=kinds, weights="identity")
    np.testing.assert_allclose(found[NAMES[:2]], [0.4302445, 0.4418085], atol=5e-8)  # R's irr
    pairs = [
        df.ordinal.kappa(one, other, classes=kinds, weights="identity")
        for one, other in itertools.combinations(raters, 2)
    ]
    assert np.mean(pairs) == pytest.approx(0.4594121, abs=5e-8)


# Of the R package irr, as statsmodels has it: a word per rater, a character per subject
ANXIETY = codes_of("33345523522615221243 36462424332333221334 21443216111233113322").T - 1
# Of Krippendorff
RELIABILITY = codes_of("123321412--- 1233224125-3 -3332342251- 12332441251-").T
RELIABILITY = np.where(RELIABILITY > 0, RELIABILITY - 1, -1)
# Of irrCAC, as cac.raw4raters
GWET = codes_of("123321412--- 1233224125-- -33323422513 12332441251-").T
GWET = np.where(GWET > 0, GWET - 1, -1)


def test_anxiety() -> None:
    found = coefficients(ANXIETY, 6, "identity", "ordinal")
    assert found["fleiss_kappa"] == pytest.approx(-0.04107649, abs=5e-9)
    assert found["conger_kappa"] == pytest.approx(-0.01871102, abs=5e-9)
    alphas = [po.metrics.ratings_krippendorff_alpha(ANXIETY, 6, level=one) for one in LEVELS]
    np.testing.assert_allclose(alphas, [-0.0237, 0.2284, 0.1701, 0.1418], atol=5e-5)


def test_krippendorffs_reliability_data() -> None:
    alphas = [po.metrics.ratings_krippendorff_alpha(RELIABILITY, 5, level=one) for one in LEVELS]
    np.testing.assert_allclose(alphas, [0.7434211, 0.8153875, 0.8491071, 0.7974028], atol=5e-8)


IRRCAC = {  # version 0.4.4
    "gwet_ac": [0.7754441, 0.8587391, 0.9140007, 0.8989398],
    "fleiss_kappa": [0.7611693, 0.8179448, 0.8649351, 0.8502062],
    "conger_kappa": [0.7628174, 0.8137763, 0.8577107, 0.8436595],
    "brennan_prediger": [0.7727273, 0.8484848, 0.9015152, 0.8863636],
}


@pytest.mark.parametrize("name", IRRCAC)
def test_values_of_irrcac(name: str) -> None:
    weights = ["identity", "linear", "quadratic", "ordinal"]
    found = [KERNELS[name](GWET, 5, weights=one) for one in weights]
    np.testing.assert_allclose(found, IRRCAC[name], atol=5.1e-8)


@pytest.mark.parametrize("weights", ["identity", "linear", "quadratic", "bipolar"])
def test_two_raters_without_gaps_are_a_table_of_counts(weights: str) -> None:
    for seed in range(20):
        codes = drawn(30, 2, 4, 0, seed)
        counts = po.confusion(*codes.T, classes=range(4))
        of_counts = ["scott_pi", "kappa", "gwet_ac", "brennan_prediger"]
        for name, other in zip(NAMES, of_counts, strict=False):
            due = getattr(po.metrics, other)(counts, weights=weights)
            np.testing.assert_allclose(KERNELS[name](codes, 4, weights=weights), due, rtol=1e-12)
        for level in LEVELS:
            due = po.metrics.krippendorff_alpha(counts, level=level)
            found = KERNELS["krippendorff_alpha"](codes, 4, level=level)
            np.testing.assert_allclose(found, due, rtol=1e-12)


# Invariances


@QUICK
@given(st.integers(0, 10**6), st.sampled_from(["identity", "quadratic"]))
def test_order_of_items_raters_and_classes(seed: int, weights: str) -> None:
    codes = drawn(25, 4, 4, 0.3, seed)
    rng = np.random.default_rng(seed)
    whole = coefficients(codes, 4, weights, "ordinal")
    for other in (
        rng.permutation(codes),
        codes[:, rng.permutation(4)],
        np.where(codes < 0, -1, 3 - codes),
        np.concatenate([codes, np.full((5, 4), -1)]),
    ):
        found = coefficients(other, 4, weights, "ordinal")
        np.testing.assert_allclose(
            [found[name] for name in NAMES], [whole[name] for name in NAMES], atol=1e-12
        )


def test_leading_dimensions() -> None:
    stack = np.stack([drawn(12, 3, 4, 0.3, seed) for seed in range(6)]).reshape(2, 3, 12, 3)
    for kernel in KERNELS.values():
        found = kernel(stack, 4)
        assert found.shape == (2, 3)
        each = [[kernel(one, 4) for one in row] for row in stack]
        np.testing.assert_allclose(found, each, atol=1e-13)
        assert isinstance(kernel(stack[0, 0], 4), float)
        assert kernel(np.empty((2, 0, 3), int), 4).shape == (2,)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("size", [1, 3])
def test_leaving_out_is_deleting(level: str, size: int) -> None:
    """Each item, or each cluster of three, within groups of different sizes."""
    codes = np.concatenate([drawn(n, 3, 4, 0.3, n) for n in (9, 30, 21)])
    group = np.repeat(range(3), [9, 30, 21])
    unit = np.arange(60) // size
    table = table_of_matrix(codes, np.bincount(group), 4, None if size == 1 else unit)
    left = leaving(table, scale_of(4, "linear", level), NAMES).without_each(NAMES)
    is_rated = (codes >= 0).any(axis=1)
    for place, one in enumerate(np.unique(unit[is_rated])):
        rest = codes[(unit != one) & (group == group[unit == one][0])]
        due = coefficients(rest, 4, "linear", level)
        for name in NAMES:
            np.testing.assert_allclose(left[name][place], due[name], atol=1e-12)


def test_leaving_out_with_more_raters_than_ratings_of_each() -> None:
    codes = np.full((40, 60), -1)
    rng = np.random.default_rng(0)
    for item in codes:
        item[rng.choice(60, 4, replace=False)] = rng.integers(0, 3, 4)
    codes[0] = 0  # each has rated something
    table = table_of_matrix(codes, np.array([40]), 3)
    left = leaving(table, scale_of(3, "linear", "ordinal"), NAMES).without_each(NAMES)
    due = [KERNELS["conger_kappa"](np.delete(codes, i, 0), 3, weights="linear") for i in range(40)]
    np.testing.assert_allclose(left["conger_kappa"], due, atol=1e-12)


# Intervals


def jackknifed(codes: np.ndarray, n_classes: int, name: str) -> float:
    """The standard error without a pseudo-item."""
    kernel = KERNELS[name]
    left = np.array([kernel(np.delete(codes, i, 0), n_classes) for i in range(len(codes))])
    n = len(codes)
    return float(np.sqrt((n - 1) / n * ((left - left.mean()) ** 2).sum()))


def test_the_standard_error_of_many_items_is_that_of_the_jackknife() -> None:
    codes = drawn(400, 3, 4, 0.2, 0)
    codes = codes[(codes >= 0).any(axis=1)]
    found = frame_of(codes).ordinal.agreement(["r0", "r1", "r2"], se=True, classes=range(4))
    for name in NAMES:
        assert found[f"{name}_se"] == pytest.approx(jackknifed(codes, 4, name), rel=0.02)


@pytest.mark.parametrize(("gaps", "n_raters"), [(0, 2), (0, 4), (0.3, 3), (0.5, 5)])
def test_standard_errors_are_those_of_the_jackknife_with_a_pseudo_item(
    gaps: float, n_raters: int
) -> None:
    codes = drawn(30, n_raters, 4, gaps, 5)
    raters = [f"r{g}" for g in range(n_raters)]
    found = frame_of(codes).ordinal.agreement(
        raters, se=True, classes=range(4), weights="linear", level="interval"
    )
    due = literal.standard_errors(codes.tolist(), 4, "linear")
    for name in NAMES:
        assert found[f"{name}_se"] == pytest.approx(due[name], rel=1e-9), name


def test_items_with_one_rating_do_not_make_an_interval() -> None:
    single = [[0, np.nan], [1, np.nan], [2, np.nan], [np.nan, 1]]
    options: dict[str, Any] = {"classes": range(3), "ci": 0.9}
    for paired, is_known in (([[1, 2]], False), ([[1, 2], [0, 0]], True)):
        rows = pd.DataFrame([*paired, *single], columns=["a", "b"])
        found = rows.ordinal.agreement(["a", "b"], **options)
        for name in NAMES:
            assert np.isfinite(found[f"{name}_low"]) == is_known, name


def test_intervals() -> None:
    perfect = np.repeat(np.arange(3), 10)[:, None] * np.ones((1, 3), int)
    found = frame_of(perfect).ordinal.agreement(["r0", "r1", "r2"], ci=0.95)
    for name in NAMES:
        assert found[name] == found[f"{name}_high"] == 1
        assert 0.5 < found[f"{name}_low"] < 0.99
    wider = frame_of(perfect).ordinal.agreement(["r0", "r1", "r2"], ci=0.99)
    assert (wider[[f"{n}_low" for n in NAMES]] < found[[f"{n}_low" for n in NAMES]]).all()
    one = frame_of(perfect[:1]).ordinal.agreement(["r0", "r1"], classes=range(3), ci=0.95)
    assert one[[f"{name}_low" for name in NAMES]].isna().all()


@pytest.mark.parametrize(
    ("words", "survives_loss"), [("00 11 01 00 11 10", True), ("00 11 02 00 11 10", False)]
)
def test_intervals_around_the_estimate_need_each_class_in_two_items(
    words: str, survives_loss: bool
) -> None:
    found = frame_of(codes_of(words)).ordinal.agreement(
        ["r0", "r1"], metrics=["brennan_prediger"], classes=range(3), weights="identity", ci=0.95
    )
    # of each item, and of a pseudo-item that half agrees
    agreed = np.array([one == other for one, other in words.split()] + [0.5]) * 1.5 - 0.5
    estimate = agreed[:6].mean()
    plain = stats.sem(agreed[:6]) if survives_loss else 0
    due = hull(estimate, agreed.mean(), stats.sem(agreed), 5, (-1, 1), 0.95, plain)
    columns = ["brennan_prediger", "brennan_prediger_low", "brennan_prediger_high"]
    np.testing.assert_allclose(found[columns], [estimate, *due], rtol=1e-9)


def test_intervals_without_width() -> None:
    columns = ["brennan_prediger", *(f"brennan_prediger_{end}" for end in ("se", "low", "high"))]

    def of(words: str, **options: Any) -> list[float]:
        codes = codes_of(words)
        raters = [f"r{g}" for g in range(codes.shape[1])]
        found = frame_of(codes).ordinal.agreement(raters, se=True, ci=0.9, **options)
        return list(found[columns])

    # half of the pairs of ratings agree, as those of the pseudo-item do
    assert of("0001 0111", classes=range(2), weights="identity") == [0, 0, 0, 0]
    # of a single class that agrees with all others
    alike = [[1, 1, 0], [1, 1, 1], [0, 1, 1]]
    assert of("11 11 11", classes=range(3), weights=alike) == pytest.approx(
        [1, np.nan, np.nan, np.nan], nan_ok=True
    )


def test_clusters_of_one_item_are_items() -> None:
    frame = frame_of(drawn(40, 3, 4, 0.3, 1)).assign(one=range(40), two=np.arange(40) // 2)
    raters = ["r0", "r1", "r2"]
    options = {"classes": range(4), "ci": 0.95, "se": True}
    plain = frame.ordinal.agreement(raters, **options)
    single = frame.ordinal.agreement(raters, cluster="one", **options)
    np.testing.assert_allclose(single[plain.index], plain, atol=1e-12)
    double = frame.ordinal.agreement(raters, cluster="two", **options)
    assert double["n_clusters"] == 20 or double["n_items"] < 40
    assert (double[NAMES] == plain[NAMES]).all()


# Surfaces


def surfaces(codes: np.ndarray, **options: Any) -> dict[str, pd.DataFrame]:
    """The agreement by group, as each surface has it."""
    rng = np.random.default_rng(0)
    wide = frame_of(codes).assign(
        g=rng.choice(list("abc"), len(codes)), c=rng.integers(0, 12, len(codes))
    )
    raters = [f"r{n}" for n in range(codes.shape[1])]
    long = wide.reset_index(names="item").melt(["item", "g", "c"], raters, "rater", "rating")
    shuffled = long.sample(frac=1, random_state=0)
    at_random = wide[[*raters[::-1], "g", "c"]].sample(frac=1, random_state=1)
    ds = wide.rename_axis("item").to_xarray()
    array = ds[raters].to_dataarray("rater")
    of_array = {**options, "by": ds["g"]}
    if "cluster" in options:
        of_array["cluster"] = ds["c"]
    in_long = {"item": "item", "rater": "rater", **options}
    return {
        "wide": wide.ordinal.agreement(raters, by="g", **options),
        "other order": at_random.ordinal.agreement(raters[::-1], by="g", **options),
        "names": wide.ordinal.agreement(dict(zip("xyz", raters, strict=False)), by="g", **options),
        "long": shuffled.ordinal.agreement("rating", by="g", **in_long),
        "long without gaps": shuffled.dropna().ordinal.agreement("rating", by="g", **in_long),
        "groupby": wide.groupby("g").ordinal.agreement(raters, **options),
        "groupby, long": long.groupby("g").ordinal.agreement("rating", **in_long),
        "dataset": ds.ordinal.agreement(raters, by="g", **options).to_dataframe(),
        "array": array.ordinal.agreement("rater", **of_array).to_dataframe(),
    }


@pytest.mark.parametrize(
    "options", [{}, {"ci": 0.9, "se": True}, {"ci": 0.95, "cluster": "c"}, {"weights": "linear"}]
)
def test_surfaces_agree(options: dict[str, Any]) -> None:
    found = surfaces(drawn(60, 3, 4, 0.3, 2), classes=range(4), **options)
    for name, table in found.items():
        pd.testing.assert_frame_equal(
            table.rename_axis("g"), found["wide"], check_index_type=False, obj=name
        )


def test_the_classes_are_those_of_all_raters() -> None:
    codes = np.array([[0, 0, 0], [1, 2, 3], [1, 1, 1], [0, 1, 2]] * 5)
    declared = surfaces(codes, classes=range(4))
    for name, table in surfaces(codes).items():
        pd.testing.assert_frame_equal(table, declared[name], obj=name)


def test_groups_are_scored_alone() -> None:
    frame = frame_of(drawn(60, 3, 4, 0.3, 3)).assign(g=list("abc") * 20)
    raters = ["r0", "r1", "r2"]
    table = frame.ordinal.agreement(raters, by="g", classes=range(4), ci=0.95)
    for key, rows in frame.groupby("g"):
        alone = rows.ordinal.agreement(raters, classes=range(4), ci=0.95)
        np.testing.assert_allclose(table.loc[key], alone, atol=1e-12)


def test_bins_without_items_are_shown() -> None:
    age = pd.cut(pd.Series([5, 7, 25, 28] * 5, name="age"), [0, 10, 20, 30])
    frame = frame_of(drawn(20, 2, 3, 0, 1)).assign(age=age)
    found = frame.ordinal.agreement(["r0", "r1"], by="age", classes=range(3), se=True)
    assert found.index.tolist() == age.cat.categories.tolist()
    assert found[SIZES].to_numpy().tolist() == [[10, 10, 2, 20], [0] * 4, [10, 10, 2, 20]]
    assert (found[SIZES].dtypes == np.int64).all()
    assert found.drop(columns=SIZES).isna().all(axis=1).tolist() == [False, True, False]
    assert found.drop(columns=SIZES).iloc[1].isna().all()
    for place in (0, 2):
        alone = frame[age == age.cat.categories[place]]
        due = alone.ordinal.agreement(["r0", "r1"], classes=range(3), se=True)
        np.testing.assert_allclose(found.iloc[place], due)


def test_items_of_long_tables_may_be_nested_in_groups_and_in_occasions() -> None:
    long = pd.DataFrame({
        "site": list("aabbaabb"), "item": [1, 1, 1, 1, 2, 2, 2, 2], "rater": list("xyxyxyxy"),
        "rating": [0, 0, 1, 2, 2, 2, 0, 1],
    })  # fmt: skip
    by = long.ordinal.agreement("rating", item="item", rater="rater", by="site")
    assert by["n_items"].tolist() == [2, 2]
    both = long.ordinal.agreement("rating", item=["item", "site"], rater="rater")
    assert both["n_items"] == 4


def test_results() -> None:
    frame = frame_of(drawn(30, 3, 4, 0.3, 4)).assign(g="a")
    raters = ["r0", "r1", "r2"]
    found = frame.ordinal.agreement(raters, metrics=["gwet_ac"], ci=0.95, se=True)
    parts = ["gwet_ac", "gwet_ac_low", "gwet_ac_high", "gwet_ac_se"]
    assert list(found.index) == [*SIZES, *parts]
    in_columns = frame.groupby("g", as_index=False).ordinal.agreement(raters)
    assert list(in_columns.columns) == ["g", *SIZES, *NAMES]
    assert frame.ordinal.agreement(raters, by="g").attrs == {}
    assert found.attrs == {"ci": 0.95}


def test_a_report_of_agreement_is_shown() -> None:
    frame = frame_of(drawn(30, 3, 4, 0.3, 4)).assign(g=list("ab") * 15)
    found = frame.ordinal.agreement(["r0", "r1", "r2"], by="g", ci=0.95)
    shown = po.style(found).to_html()
    assert all(f"{name.replace('_', ' ')} ↑" in shown for name in NAMES)
    sizes = po.style(frame.ordinal.agreement(["r0", "r1", "r2"])).to_string().splitlines()[1]
    n_ratings = frame[["r0", "r1", "r2"]].count().sum()
    n_items, n_paired = ((frame[["r0", "r1", "r2"]].count(axis=1) > n).sum() for n in (0, 1))
    assert sizes.split()[: len(SIZES)] == [str(n_items), str(n_paired), "3", str(n_ratings)]


def test_ignored_labels_are_not_there() -> None:
    codes = drawn(40, 3, 4, 0.3, 5)
    frame = frame_of(codes)
    nines = frame.fillna(9).astype(int)
    raters = ["r0", "r1", "r2"]
    due = frame.ordinal.agreement(raters, classes=range(4))
    found = nines.ordinal.agreement(raters, classes=range(4), ignore=9)
    pd.testing.assert_series_equal(found, due)
    ds = nines.rename_axis("item").to_xarray()
    other = ds.ordinal.agreement(raters, classes=range(4), ignore=9)
    np.testing.assert_allclose(other.to_array(), due)


@pytest.mark.parametrize("cluster", [None, "c"])
def test_dimensions_that_are_not_of_items_remain(cluster: str | None) -> None:
    stack = np.stack([drawn(20, 3, 4, 0.2, seed) for seed in range(2)]).astype(float)
    array = xr.DataArray(stack, {"model": list("ab")}, ("model", "item", "rater"))
    array = array.where(array >= 0).assign_coords(c=("item", np.arange(20) * 7 % 9))
    asked: dict[str, Any] = {"classes": range(4), "ci": 0.95, "cluster": cluster}
    found = array.ordinal.agreement("rater", dim="item", **asked)
    assert found.fleiss_kappa.dims == ("model",)
    for key in "ab":
        alone = array.sel(model=key, drop=True).ordinal.agreement("rater", **asked)
        np.testing.assert_allclose(found.sel(model=key).to_array(), alone.to_array(), atol=1e-12)


def test_coordinates_of_items_and_raters_are_none_of_the_result() -> None:
    codes = np.stack([drawn(5, 3, 3, 0.0, seed) for seed in (0, 1)])
    ratings = xr.DataArray(
        codes,
        dims=("site", "item", "rater"),
        coords={
            "site": [7, 8], "where": ("site", ["n", "s"]), "what": "risk", "item": list("vwxyz"),
            "who": ("rater", list("abc")), "when": (("site", "item"), np.ones((2, 5))),
            "each": (("site", "rater"), np.ones((2, 3))),
        },
    )  # fmt: skip
    found = ratings.ordinal.agreement(rater="rater", dim="item", metrics=["fleiss_kappa"])
    assert {*found.coords} == {"site", "where", "what"}
    assert found["site"].values.tolist() == [7, 8] and found["where"].values.tolist() == ["n", "s"]
    alone = [po.metrics.fleiss_kappa(one, 3) for one in codes]
    np.testing.assert_allclose(found["fleiss_kappa"], alone)


@pytest.mark.parametrize("several", [False, True])
def test_arrays_without_items(several: bool) -> None:
    ratings = xr.DataArray(
        np.zeros((2, 0, 3), int), dims=("site", "item", "rater"), coords={"site": [7, 8]}
    )
    options: dict[str, Any] = {"dim": "item", "classes": range(3), "ci": 0.9}
    if several:
        variables = xr.Dataset({name: ratings[..., n] for n, name in enumerate("abc")})
        found = variables.ordinal.agreement(list("abc"), **options)
    else:
        found = ratings.ordinal.agreement(rater="rater", **options)
    assert [found[name].values.tolist() for name in SIZES] == [[0, 0]] * 4
    assert found[[*NAMES]].isnull().all().to_array().all()
    none = ratings.isel(site=[]).ordinal.agreement(rater="rater", **options)
    assert dict(none.sizes) == {"site": 0}


def test_remaining_dimensions_and_several_keys_are_scored_alone() -> None:
    stack = np.stack([drawn(36, 3, 4, 0, seed) for seed in range(2)])
    array = xr.DataArray(stack, {"model": list("ab")}, ("model", "item", "rater"))
    keys = {"g": ("item", list("wxyz") * 9), "h": ("item", [1] * 18 + [2] * 18)}
    array = array.assign_coords(keys)
    found = array.ordinal.agreement("rater", dim="item", by=["g", "h"], classes=range(4))
    for model, g, h in itertools.product("ab", "wxyz", [1, 2]):
        rows = array.sel(model=model, drop=True)
        rows = rows[((rows.g == g) & (rows.h == h)).values].drop_vars(["g", "h"])
        alone = rows.ordinal.agreement("rater", dim="item", classes=range(4))
        np.testing.assert_allclose(
            found.sel(model=model, g=g, h=h).to_array(), alone.to_array(), atol=1e-12
        )


def test_weights_may_have_labels() -> None:
    level = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    codes = drawn(30, 3, 3, 0, 6)
    frame = pd.DataFrame({f"r{g}": pd.Categorical.from_codes(codes[:, g], dtype=level)
                          for g in range(3)})  # fmt: skip
    weights = pd.DataFrame(1 - np.abs(np.subtract.outer(range(3), range(3))) / 2,
                           level.categories, level.categories)  # fmt: skip
    backwards = weights.iloc[::-1, ::-1]
    raters = ["r0", "r1", "r2"]
    linear = frame.ordinal.agreement(raters, weights="linear")
    np.testing.assert_allclose(frame.ordinal.agreement(raters, weights=backwards), linear)


def test_keys_of_arrays_are_arrays_names_and_groupers() -> None:
    codes = drawn(30, 3, 4, 0, 9)
    array = xr.DataArray(codes, {"item": np.arange(30) * 2, "g": ("item", list("aab") * 10)},
                         ("item", "rater"), "x")  # fmt: skip
    due = array.ordinal.agreement("rater", by="g")
    given: list[Any] = [array["g"], array["g"].rename(None), {"g": xr.groupers.UniqueGrouper()}]
    for by, name in zip(given, ("g", "by", "g"), strict=True):
        found = array.ordinal.agreement("rater", by=by)
        xr.testing.assert_equal(found, due.rename({"g": name} if name != "g" else {}))
    shifted = array["g"].assign_coords(item=np.arange(30) * 2 + 1)
    for asked in ({"by": shifted}, {"cluster": shifted, "ci": 0.9}):
        with pytest.raises(ValueError, match=r"the coordinates of (by|cluster)='g' along 'item'"):
            array.ordinal.agreement("rater", **asked)


@pytest.mark.parametrize("dims", [("lon", "lat"), ("lat", "lon"), ("lon",), ("lat",)])
def test_keys_of_items_along_two_dimensions(dims: tuple[str, ...]) -> None:
    codes = drawn(30, 3, 4, 0, 9).reshape(5, 6, 3)
    array = xr.DataArray(codes, dims=("lat", "lon", "rater"))
    sizes = [array.sizes[dim] for dim in dims]
    key = xr.DataArray(np.arange(np.prod(sizes)).reshape(sizes) % 4, dims=dims, name="k")
    of_items = key.broadcast_like(array[..., 0]).transpose("lat", "lon").to_numpy().ravel()
    frame = frame_of(codes.reshape(30, 3)).assign(k=of_items)
    raters = ["r0", "r1", "r2"]
    found = array.ordinal.agreement("rater", by=key, classes=range(4)).to_dataframe()
    due = frame.ordinal.agreement(raters, by="k", classes=range(4))
    pd.testing.assert_frame_equal(found, due, check_index_type=False)
    in_clusters = array.ordinal.agreement("rater", cluster=key, se=True, classes=range(4))
    due = frame.ordinal.agreement(raters, cluster="k", se=True, classes=range(4))
    np.testing.assert_allclose(in_clusters.to_array(), due)


def test_codes_of_many_classes_fit() -> None:
    codes = np.where(drawn(40, 3, 2, 0.2, 8) < 0, -1, drawn(40, 3, 300, 0, 8))
    due = list(coefficients(codes, 300, "identity", "ordinal").values())
    asked: dict[str, Any] = {"classes": range(300), "weights": "identity", "ignore": 999}
    frame = pd.DataFrame(codes, columns=["r0", "r1", "r2"]).replace(-1, 999)
    for table in (frame, frame.astype(float), frame.rename_axis("item").to_xarray()):
        found = table.ordinal.agreement(["r0", "r1", "r2"], **asked)
        np.testing.assert_allclose([found[name] for name in NAMES], due, rtol=1e-9)


def test_names_of_variables_and_dimensions_are_free() -> None:
    codes = drawn(30, 3, 4, 0, 7)
    codes[0] = [0, 3, 1]
    names = ["pred", "true", "model"]
    frame = pd.DataFrame(codes, columns=names).rename_axis("class")
    due = frame.ordinal.agreement(names)
    found = frame.to_xarray().ordinal.agreement(names)
    np.testing.assert_allclose(found.to_array(), due)
    array = frame.to_xarray().to_dataarray("true")
    np.testing.assert_allclose(array.ordinal.agreement("true").to_array(), due)
    # the first rater alone has used the highest class
    first = xr.Dataset({"pred": ("i", [0, 2, 1]), "true": ("i", [0, 1, 1])})
    alike = first.to_dataframe().ordinal.agreement(["pred", "true"])
    np.testing.assert_allclose(first.ordinal.agreement(["pred", "true"]).to_array(), alike)


# Nothing to compare


def test_undefined() -> None:
    nothing = pd.DataFrame({"r1": [0.0, np.nan, 1], "r2": [np.nan, 1, np.nan], "g": list("aab")})
    found = nothing.ordinal.agreement(["r1", "r2"], classes=range(2), ci=0.95)
    assert found[SIZES].tolist() == [3, 0, 2, 3]
    assert found.drop(SIZES).isna().all()
    by = nothing.assign(r1=[0, 1, np.nan], r2=[0, 1, np.nan]).ordinal.agreement(
        ["r1", "r2"], by="g", classes=range(2), ci=0.95
    )
    assert by.loc["b", SIZES].tolist() == [0, 0, 0, 0]
    assert by.loc["b"].drop(SIZES).isna().all()
    assert by.loc["a", NAMES].notna().all()
    none = nothing[:0].ordinal.agreement(["r1", "r2"], classes=range(2), se=True)
    assert none[SIZES].tolist() == [0, 0, 0, 0]


def test_the_first_of_several_repeated_ratings_is_named() -> None:
    long = pd.DataFrame(
        {"item": [0, 1, 1, 2, 2, 2], "by": list("aaabbb"), "y": [0, 1, 1, 0, 1, 0]}
    )
    with pytest.raises(ValueError, match="rater 'a' rated item 1 twice: choose one"):
        long.ordinal.agreement("y", item="item", rater="by")


def test_a_group_at_the_end_without_ratings_has_none() -> None:
    long = pd.DataFrame(
        {
            "item": [0, 0, 1, 1, 0, 0], "by": list("ababab"), "g": list("uuuuvv"),
            "y": [0, 0, 1, 1, np.nan, np.nan],
        }
    )  # fmt: skip
    found = long.ordinal.agreement("y", item="item", rater="by", by="g")
    assert found.loc["u", SIZES].tolist() == [2, 2, 2, 4]
    assert found.loc["v", SIZES].tolist() == [0, 0, 0, 0]
    assert found.loc["u", NAMES].tolist() == [1] * 5
    assert found.loc["v", NAMES].isna().all()


def test_ratings_of_an_array_without_a_name_are_called_so() -> None:
    ratings = xr.DataArray([[0, 1, 5], [1, 1, 0]], dims=("rater", "item"))
    for name in (None, "score"):
        with pytest.raises(po.UnknownClassError, match=rf"\b{name or 'ratings'}\b.*\[5\]"):
            ratings.rename(name).ordinal.agreement(rater="rater", classes=[0, 1])


def test_one_class_and_a_rater_without_ratings() -> None:
    same = pd.DataFrame({"r1": [1, 1, 1], "r2": [1, 1, 1]})
    found = same.ordinal.agreement(["r1", "r2"], classes=range(3))
    assert found[["fleiss_kappa", "conger_kappa", "krippendorff_alpha"]].isna().all()
    assert found[["gwet_ac", "brennan_prediger"]].tolist() == [1, 1]
    lacking = same.assign(r1=[0, 1, 2], r3=np.nan)
    found = lacking.ordinal.agreement(["r1", "r2", "r3"], classes=range(3))
    assert np.isnan(found["conger_kappa"]) and not np.isnan(found["fleiss_kappa"])
    assert found["n_raters"] == 2


# Bad input

LONG = pd.DataFrame({"item": [7, 7, 8], "rater": list("aba"), "rating": [0, 1, 2], "c": [1, 2, 3]})
WIDE = pd.DataFrame({"r1": [0, 1, 2], "r2": [0, 1, 1], "key": ["x", None, "y"]})
IN_LONG = {"item": "item", "rater": "rater"}
BAD: dict[str, tuple[Callable[[], object], str]] = {
    "one rater": (lambda: WIDE.ordinal.agreement(["r1"]), "'r1' is the only one"),
    "no rater": (lambda: WIDE.ordinal.agreement([]), "two raters or more, but there is none"),
    "no variable": (
        lambda: WIDE.to_xarray().ordinal.agreement([]),
        "two raters or more, but there is none",
    ),
    "a class that is ignored": (
        lambda: WIDE.ordinal.agreement(["r1", "r2"], classes=range(3), ignore=2),
        r"\[2\] is in classes= and in ignore=",
    ),
    "a class of arrays that is ignored": (
        lambda: WIDE.to_xarray().ordinal.agreement(["r1", "r2"], classes=range(3), ignore=2),
        r"\[2\] is in classes= and in ignore=",
    ),
    "one rater, long": (
        lambda: LONG[:1].ordinal.agreement("rating", **IN_LONG),
        "agreement needs two raters or more, but 'a' is the only one",
    ),
    "twice": (
        lambda: pd.concat([LONG, LONG[1:2]]).ordinal.agreement("rating", **IN_LONG),
        "rater 'b' rated item 7 twice",
    ),
    "no item": (lambda: LONG.ordinal.agreement("rating"), "give item="),
    "list and item": (
        lambda: WIDE.ordinal.agreement(["r1", "r2"], item="key"),
        "one or the other",
    ),
    "list and rater": (
        lambda: WIDE.ordinal.agreement(["r1", "r2"], rater="key"),
        "one or the other",
    ),
    "missing item": (
        lambda: LONG.assign(item=[1, None, 2]).ordinal.agreement("rating", **IN_LONG),
        "column 'item' holds 1 missing value: .*dropna",
    ),
    "missing rater": (
        lambda: LONG.assign(rater=["a", None, "b"]).ordinal.agreement("rating", **IN_LONG),
        "column 'rater' holds 1 missing value",
    ),
    "missing group": (lambda: WIDE.ordinal.agreement(["r1", "r2"], by="key"), "column 'key'"),
    "missing cluster": (
        lambda: WIDE.ordinal.agreement(["r1", "r2"], ci=0.95, cluster="key"),
        "column 'key' holds 1 missing value",
    ),
    "two clusters": (
        lambda: LONG.ordinal.agreement("rating", **IN_LONG, ci=0.95, cluster="c"),
        "cluster= differs among the ratings of 'item' 7",
    ),
    "cluster alone": (
        lambda: WIDE.ordinal.agreement(["r1", "r2"], cluster="key"),
        "add ci=0.95 or se=True",
    ),
    "unknown class": (
        lambda: WIDE.ordinal.agreement(["r1", "r2"], classes=[0, 1]),
        "2",
    ),
    "no order": (
        lambda: WIDE.astype({"r1": str, "r2": str}).ordinal.agreement(["r1", "r2"]),
        "column 'r1'",
    ),
    "unknown column": (lambda: WIDE.ordinal.agreement(["r1", "r9"]), "no column 'r9'"),
    "same column": (lambda: WIDE.ordinal.agreement(["r1", "r1"]), "different columns"),
    "unknown metric": (
        lambda: WIDE.ordinal.agreement(["r1", "r2"], metrics=["fleis_kappa"]),
        "did you mean 'fleiss_kappa'",
    ),
    "metric as text": (
        lambda: WIDE.ordinal.agreement(["r1", "r2"], metrics="fleiss_kappa"),
        "must be a list",
    ),
    "level": (
        lambda: WIDE.ordinal.agreement(["r1", "r2"], level="linear"),
        "level='linear' must be \"nominal\"",
    ),
    "weights": (lambda: WIDE.ordinal.agreement(["r1", "r2"], weights="x"), "weights='x'"),
    "ci": (lambda: WIDE.ordinal.agreement(["r1", "r2"], ci=95), "ci=95"),
    "item alone": (
        lambda: WIDE.ordinal.agreement("r1", item="r2"),
        "'r1' is one column: with a row for each rating",
    ),
    "rater alone": (
        lambda: WIDE.ordinal.agreement("r1", rater="r2"),
        "'r1' is one column: with a row for each rating",
    ),
    "no dimension": (
        lambda: xr.DataArray([[0, 1]], dims=("a", "b")).ordinal.agreement("rater"),
        r"no dimension 'rater' of raters; their dimensions are \['a', 'b'\]",
    ),
    "two dimensions": (
        lambda: xr.DataArray([[0, 1]], dims=("a", "b")).ordinal.agreement(["b"]),
        r"no dimension \['b'\] of raters",
    ),
    "no counted dimension": (
        lambda: xr.DataArray([[0, 1]], dims=("item", "b")).ordinal.agreement("b", dim="itm"),
        r"^ratings has no dimension 'itm' to count over, only 'item'; did you mean 'item'\?",
    ),
    "raters are counted over": (
        lambda: xr.DataArray([[0, 1]], dims=("a", "b"), name="x").ordinal.agreement("b", dim="b"),
        "^x has no dimension 'b' to count over, only 'a': name others",
    ),
    "a variable without a dimension": (
        lambda: xr.Dataset({"r": ("a", [0, 1]), "s": ("b", [0, 1])}).ordinal.agreement(["r", "s"]),
        r"^s has no dimension 'a' to count over, only 'b': .* s\.broadcast_like\(r\)",
    ),
    "names that are written alike": (
        lambda: xr.Dataset({3: ("a", [0]), "3": ("a", [0])}).ordinal.agreement([3, "3"]),
        r"ratings=\[3, '3'\] must name different variables",
    ),
    "no flags": (
        lambda: WIDE.to_xarray().ordinal.agreement(["r1", "r2"], classes="flags"),
        "but 'r1' has no attributes",
    ),
    "a key called as a dimension": (
        lambda: xr.DataArray(
            np.eye(2, dtype=int)[None], dims=("g", "item", "r")
        ).ordinal.agreement("r", dim="item", by=xr.DataArray([0, 1], dims="item", name="g")),
        "the result would have two dimensions 'g'",
    ),
    "none along a dimension": (
        lambda: xr.DataArray(np.zeros((2, 0), int), dims=("a", "b")).ordinal.agreement("b"),
        "agreement needs two raters or more, but there is none",
    ),
    "one along a dimension": (
        lambda: xr.DataArray([[0], [1]], dims=("a", "b")).ordinal.agreement("b"),
        "is the only one",
    ),
    "chunks": (
        lambda: xr.DataArray([[0, 1]], dims=("a", "b")).chunk().ordinal.agreement("b"),
        "'ratings' is in chunks, but agreement needs the ratings in memory",
    ),
    "chunks of a variable": (
        lambda: WIDE.to_xarray().chunk().ordinal.agreement(["r1", "r2"], classes=range(3)),
        "'r1' is in chunks, but agreement needs the ratings in memory",
    ),
    "a cube": (
        lambda: WIDE.ordinal.confusion("r1", "r2").ordinal.agreement("true"),
        "a cube of confusion matrices",
    ),
    "variables": (
        lambda: WIDE.to_xarray().ordinal.agreement("r1"),
        "must be a list of variables",
    ),
    "one rater along a dimension": (
        lambda: xr.DataArray([[0], [1]], dims=("item", "r")).ordinal.agreement(rater="r"),
        "two raters or more, but 0 is the only one",
    ),
    "one variable": (
        lambda: WIDE.to_xarray().ordinal.agreement(["r1"]),
        "two raters or more",
    ),
    "same variable": (
        lambda: WIDE.to_xarray().ordinal.agreement(["r1", "r1"]),
        "different variables",
    ),
    "missing key of an array": (
        lambda: WIDE.to_xarray().ordinal.agreement(["r1", "r2"], by="key"),
        "'key' holds 1 missing value",
    ),
    "codes": (lambda: po.metrics.fleiss_kappa([[0, 3]], 3), "ratings hold 3"),
    "floats": (lambda: po.metrics.fleiss_kappa([[0.5, 1]], 3), "must be integers"),
    "labels": (lambda: po.metrics.fleiss_kappa(WIDE, 3), "plain array"),
    "classes": (lambda: po.metrics.fleiss_kappa([[0, 1]], 0), "n_classes=0"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(name: str) -> None:
    call, message = BAD[name]
    with pytest.raises((ValueError, TypeError, KeyError), match=message):
        call()


def test_what_cannot_do_it_says_so() -> None:
    with pytest.raises(AttributeError, match="needs the rows in memory"):
        _ = po.ordinal(dd.from_pandas(WIDE, npartitions=1)).agreement
    with pytest.raises(AttributeError, match="agreement takes the columns of a frame"):
        _ = WIDE["r1"].ordinal.agreement


def test_groups_in_which_no_two_raters_are_the_same() -> None:
    n_groups = 12  # each with two or three raters of its own, and none in the last
    rows = [
        {"g": g, "item": item, "rater": f"{g}-{rater}", "rating": (item + rater) % 3}
        for g in range(n_groups - 1)
        for item in range(2)
        for rater in range(2 + g % 2)
    ]
    long = pd.DataFrame(rows).assign(g=lambda df: pd.Categorical(df["g"], range(n_groups)))
    found = long.ordinal.agreement("rating", item="item", rater="rater", by="g")
    due = [2 + g % 2 for g in range(n_groups - 1)]
    assert found["n_raters"].tolist() == due
    assert found["n_ratings"].tolist() == [2 * n for n in due]


@pytest.mark.parametrize("first", [True, False])
def test_a_group_that_lacks_a_rater_changes_no_other(first: bool) -> None:
    whole = frame_of(drawn(12, 3, 3, 0.1, 5))
    lacking = frame_of(drawn(9, 3, 3, 0.1, 6)).assign(r2=np.nan)
    order = [lacking.assign(g=1), whole.assign(g=2)]
    both = pd.concat(order if first else [one.assign(g=-one["g"]) for one in order])
    asked: dict[str, Any] = {"classes": range(3), "ci": 0.9, "metrics": ["conger_kappa"]}
    found = both.ordinal.agreement(["r0", "r1", "r2"], by="g", **asked)
    alone = whole.ordinal.agreement(["r0", "r1", "r2"], **asked)
    columns = ["conger_kappa", "conger_kappa_low", "conger_kappa_high"]
    assert alone[columns].notna().all()
    np.testing.assert_allclose(
        found.loc[2 if first else -2, columns].to_numpy(float), alone[columns]
    )
    assert found.loc[1 if first else -1, columns].isna().all()


def test_an_item_without_ratings_may_be_the_last() -> None:
    """Also of few ratings of many classes, and in a cluster of its own."""
    codes = drawn(5, 3, 6, 0.0, 3)
    empty = np.full((1, 3), -1)
    asked: dict[str, Any] = {"classes": range(6), "ci": 0.9}
    found = [
        frame_of(rows).assign(c=range(6)).ordinal.agreement(["r0", "r1", "r2"], **asked, **cluster)
        for rows in (np.concatenate([codes, empty]), np.concatenate([empty, codes]))
        for cluster in ({}, {"cluster": "c"})
    ]
    for one in found:
        assert one[["n_items", "n_paired"]].tolist() == [5, 5]
        assert one[[*NAMES, *(f"{name}_low" for name in NAMES)]].notna().all()
        np.testing.assert_allclose(one.drop("n_clusters", errors="ignore"), found[0], rtol=1e-12)


def test_names_of_raters_may_be_tuples_of_any_length() -> None:
    codes = drawn(8, 2, 3, 0.0, 1)
    names = pd.Index([("a",), ("a", np.nan)], tupleize_cols=False)
    found = pd.DataFrame(codes, columns=names).ordinal.agreement([*names], classes=range(3))
    expected = frame_of(codes).ordinal.agreement(["r0", "r1"], classes=range(3))
    pd.testing.assert_series_equal(found, expected)
    with pytest.raises(ValueError, match="must name different columns"):
        pd.DataFrame(codes, columns=names).ordinal.agreement([("a",), ("a",)], classes=range(3))


def test_conger_needs_all_raters_in_a_group() -> None:
    codes = drawn(12, 3, 3, 0, 0)
    codes[:, 2] = -1
    codes[0, :] = [1, 1, -1]
    found = frame_of(codes).ordinal.agreement(
        ["r0", "r1", "r2"], classes=range(3), ci=0.9, se=True
    )
    conger = found[[name for name in found.index if str(name).startswith("conger")]]
    assert len(conger) == 4 and conger.isna().all()
    assert found[["fleiss_kappa_low", "gwet_ac_low", "krippendorff_alpha_low"]].notna().all()


def test_conger_of_as_few_ratings_as_can_be() -> None:
    """Two raters of one item: what they disagree is what they disagree by chance."""
    assert po.metrics.conger_kappa([[0, 1]], 2) == 0
    assert po.metrics.conger_kappa([[0, 2], [-1, -1]], 3) == 0
    # each of both rates one item: by chance 2 of 4 pairs disagree, and 1 of the 1 that there is
    found = po.metrics.conger_kappa([[[0, 0], [1, 1]], [[0, 1], [-1, 1]], [[0, -1], [1, -1]]], 2)
    np.testing.assert_allclose(found, [1, 0, np.nan], atol=1e-15)


def test_units_of_a_table_are_items_or_clusters_of_some() -> None:
    codes, sizes = np.array([[0, 1], [1, 1], [0, 0]]), np.array([2, 1])
    items = table_of_matrix(codes, sizes, 2)
    assert (items.n_units, items.n_groups, items.by_item) == (3, 2, True)
    assert items.group.tolist() == [0, 0, 1]
    clusters = table_of_matrix(codes, sizes, 2, np.array([4, 4, 5]))
    assert (clusters.n_units, clusters.n_groups, clusters.by_item) == (2, 2, False)
    assert clusters.group.tolist() == [0, 1]
    assert clusters.rating_starts.tolist() == items.rating_starts.tolist() == [0, 4, 6]


def test_sums_of_consecutive_values() -> None:
    values = np.array([[1.0, 10], [2, 20], [4, 40], [8, 80]])
    for starts, sums in (
        ([0, 4], [[15, 150]]),
        ([0, 1, 4], [[1, 10], [14, 140]]),
        ([0, 0, 3, 3, 4], [[0, 0], [7, 70], [0, 0], [8, 80]]),
        ([0, 2, 2, 2, 4, 4], [[3, 30], [0, 0], [0, 0], [12, 120], [0, 0]]),
    ):
        assert rating_table.sums_between(values, np.array(starts)).tolist() == sums
        column = rating_table.sums_between(values[:, 0], np.array(starts))
        assert column.tolist() == [line[0] for line in sums]
    assert rating_table.sums_between(values[:0], np.array([0, 0, 0])).tolist() == [[0, 0]] * 2


def test_an_item_in_two_clusters_is_named() -> None:
    long = pd.DataFrame(
        {
            "item": ["a", "a", "b", "b", "c", "c"],
            "rater": list("xyxyxy"),
            "rating": [0, 1, 0, 1, 2, 2],
            "cluster": [9, 9, 4, 5, 4, 4],
        }
    )
    for item in (["a", "b", "c"], ["b", "a", "c"], ["c", "a", "b"]):
        named = dict(zip("abc", item, strict=True))
        rows = long.assign(item=long["item"].map(named))
        with pytest.raises(
            ValueError, match=f"differs among the ratings of 'item' '{named['b']}'"
        ):
            rows.ordinal.agreement("rating", item="item", rater="rater", cluster="cluster", ci=0.9)


@pytest.mark.parametrize("size", [1, 2, 5])
def test_blocks_of_items_change_nothing(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = frame_of(drawn(40, 3, 4, 0.2, 2))
    frame = frame.assign(g=np.repeat([0, 1, 2], [13, 6, 21]), c=np.arange(40) // 3)
    asked: dict[str, Any] = {"classes": range(4), "ci": 0.9, "se": True, "by": "g"}
    for cluster in (None, "c"):
        whole = frame.ordinal.agreement(["r0", "r1", "r2"], cluster=cluster, **asked)
        with monkeypatch.context() as patch:
            patch.setattr(rating_table, "block_size", lambda n_classes: size)
            parts = frame.ordinal.agreement(["r0", "r1", "r2"], cluster=cluster, **asked)
        pd.testing.assert_frame_equal(parts, whole, rtol=1e-9)


@pytest.mark.parametrize("ratings", [[[-1, 5], [0, 1]], [[0, 1], [5, -2]], [[2, -1], [5, 3]]])
def test_the_wrong_code_is_named(ratings: Any) -> None:
    with pytest.raises(ValueError, match="ratings hold 5, which is not a code of 3 classes"):
        po.metrics.fleiss_kappa(ratings, 3)
    with pytest.raises(ValueError, match="ratings hold -2"):
        po.metrics.fleiss_kappa([[0, 2], [-1, -2]], 3)
    assert po.metrics.fleiss_kappa([[0, 2], [-1, -1]], 3) <= 0


def test_a_standard_error_alone_is_that_next_to_an_interval() -> None:
    frame = frame_of(drawn(15, 3, 3, 0, 3))
    both = frame.ordinal.agreement(["r0", "r1", "r2"], ci=0.5, se=True)
    alone = frame.ordinal.agreement(["r0", "r1", "r2"], se=True)
    assert [name for name in both.index if name not in alone.index] == [
        f"{name}_{end}" for name in NAMES for end in ("low", "high")
    ]
    pd.testing.assert_series_equal(alone, both[alone.index], check_names=False)
