"""Every metric of scores or probabilities, on every object, gives the number of its kernel."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import brute
import dask
import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr
from hypothesis import given
from hypothesis import strategies as st
from labelled import BOTH, OF_PROBABILITIES, OF_SCORES
from oracles import probability, ranking
from oracles.strategies import examples

from pandas_ordinal import ClassOrderError, MissingValueError, UndefinedMetricWarning
from pandas_ordinal.metrics import registry

FRAME = brute.scored(480)
K = 4
CLASSES = FRAME["y"].cat.categories.tolist()


def kernel(
    name: str,
    rows: Any = slice(None),
    score: str = "score",
    weight: str | None = None,
    **chosen: Any,
) -> Any:
    """What the kernel says of these rows."""
    df = FRAME[rows]
    metric = registry[name]
    true = df["y"].cat.codes.to_numpy()
    if weight:
        chosen["sample_weight"] = df[weight].to_numpy()
    if metric.needs == "probabilities":
        return metric.kernel(true, df[CLASSES].to_numpy(), **chosen)
    return metric.kernel(true, df[score].to_numpy(), K, **chosen)


GROUPS = sorted(FRAME["g"].unique())


def by_group(name: str, **chosen: Any) -> np.ndarray:
    return np.stack([kernel(name, FRAME["g"] == g, **chosen) for g in GROUPS])


FOLDS = sorted(FRAME["fold"].unique())
CELLS = list(itertools.product(GROUPS, FOLDS))


def by_cell(name: str, **chosen: Any) -> np.ndarray:
    rows = [(FRAME["g"] == g) & (FRAME["fold"] == fold) for g, fold in CELLS]
    values = np.stack([kernel(name, mask, **chosen) for mask in rows])
    return values.reshape(len(GROUPS), len(FOLDS), *values.shape[1:])


MIXED = [CLASSES[position] for position in (2, 0, 3, 1)]


def own(name: str) -> Any:
    """The second thing that a frame takes."""
    return "score" if name in OF_SCORES else MIXED


def call(obj: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    return getattr(obj.ordinal, name)(*args, **kwargs)


def assert_values(found: Any, expected: Any, label: str = "") -> None:
    values = np.asarray(found, float)
    if isinstance(found, pd.Series):
        expected = np.ravel(expected)
    assert values.shape == np.shape(expected), label
    npt.assert_allclose(values, expected, rtol=1e-12, atol=1e-12, err_msg=label)


def by_model(name: str, rows: Any = slice(None), **chosen: Any) -> np.ndarray:
    return np.stack([kernel(name, rows, score, **chosen) for score in ("score", "second")])


def dataset() -> xr.Dataset:
    """The rows of the frame along one dimension, and along two."""
    columns = {c: FRAME[c].to_numpy() for c in ("score", "second", "w")}
    rows = xr.Dataset({c: ("sample", values) for c, values in columns.items()})
    rows["y"] = ("sample", FRAME["y"].cat.codes.to_numpy())
    rows["scores"] = (("model", "sample"), np.stack([columns["score"], columns["second"]]))
    rows["proba"] = (("sample", "class"), FRAME[MIXED].to_numpy())
    rows = rows.assign_coords({"class": MIXED, "model": ["score", "second"]})
    return rows.assign(scores_last=rows["scores"].transpose("sample", "model"))


def folded(ds: xr.Dataset) -> xr.Dataset:
    """The same rows as four blocks of 120."""
    index = pd.MultiIndex.from_product([range(4), range(120)], names=["block", "part"])
    coords = xr.Coordinates.from_pandas_multiindex(index, "sample")
    return ds.assign_coords(coords).unstack("sample").drop_vars(["block", "part"])


SCALARS = [name for name in BOTH if not registry[name].output]


# every surface


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("name", BOTH)
def test_pandas_objects_give_the_number_of_the_kernel(name: str, weight: str | None) -> None:
    second = own(name)
    given: dict[str, Any] = {"sample_weight": weight}
    levels = FRAME.set_index(["g", "fold"])
    whole, groups = kernel(name, weight=weight), by_group(name, weight=weight)
    cells = by_cell(name, weight=weight)
    for label, obj, options, expected in [
        ("frame", FRAME, {}, whole),
        ("by", FRAME, {"by": "g"}, groups),
        ("by a list", FRAME, {"by": ["g"]}, groups),
        ("by two", FRAME, {"by": ["g", "fold"]}, cells),
        ("by levels", levels, {"by": ["g", "fold"]}, cells),
        ("groupby", FRAME.groupby("g"), {}, groups),
        ("groupby two", FRAME.groupby(["g", "fold"]), {}, cells),
        ("groupby levels", levels.groupby(level=["g", "fold"]), {}, cells),
        ("groupby a level", levels.groupby(level="g"), {}, groups),
        ("groupby a Series", FRAME.groupby(FRAME["g"].rename("key")), {}, groups),
        ("groupby a function", FRAME.groupby(lambda row: FRAME["g"][row]), {}, groups),
    ]:
        found = call(obj, name, "y", second, **given, **options)
        assert_values(found, expected, label)


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("name", OF_SCORES)
def test_a_list_of_scores_is_its_columns(name: str, weight: str | None) -> None:
    given: dict[str, Any] = {"sample_weight": weight}
    wide = call(FRAME, name, "y", ["score", "second"], **given)
    assert_values(wide, by_model(name, weight=weight))
    expected = np.stack([by_model(name, FRAME["g"] == g, weight=weight) for g in GROUPS])
    for found in (
        call(FRAME, name, "y", ["score", "second"], by="g", **given),
        call(FRAME, name, "y", pd.Index(["score", "second"]), by=["g"], **given),
        call(FRAME.groupby("g"), name, "y", np.array(["score", "second"]), **given),
    ):
        assert_values(found, expected)


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("name", BOTH)
def test_series_give_the_number_of_the_kernel(name: str, weight: str | None) -> None:
    second = FRAME["score"] if name in OF_SCORES else FRAME[MIXED]
    weights = None if weight is None else FRAME[weight]
    found = call(FRAME["y"], name, second, sample_weight=weights)
    assert_values(found, kernel(name, weight=weight))


def refuse(*args: Any, **kwargs: Any) -> None:
    raise AssertionError("computed")


CHUNKS: dict[str, Any] = {
    "numpy": None,
    "in one": -1,
    "rows": {"sample": 37},
    "models": {"model": 1},
    "all": {"sample": (100, 1, 379), "model": 1, "class": 3},
}
KINDS = ["vus", "consecutive_auc", "pairwise_auc", "rps"]  # of result, of input


def chunked(ds: xr.Dataset, sizes: Any) -> xr.Dataset:
    if sizes is None:
        return ds
    return ds.chunk(sizes if sizes == -1 else {d: n for d, n in sizes.items() if d in ds.dims})


def assert_arrays(ds: xr.Dataset, name: str, dim: Any, weight: str | None) -> None:
    """Compare what arrays and the dataset say, lazily if they are chunked, with the kernel."""
    variables = {"proba": kernel(name, weight=weight)}
    if name in OF_SCORES:
        models = by_model(name, weight=weight)
        variables = {"score": models[0], "scores": models, "scores_last": models}
    o: dict[str, Any] = {"dim": dim, "classes": CLASSES}
    weights = None if weight is None else ds[weight]
    for variable, values in variables.items():
        with dask.config.set(scheduler=refuse):
            of_arrays = call(ds["y"], name, ds[variable], sample_weight=weights, **o)
            of_dataset = call(ds, name, "y", variable, sample_weight=weight, **o)
        leading = ("model",) * (np.ndim(values) - len(registry[name].output))
        for found in (of_arrays, of_dataset):
            assert isinstance(found, xr.DataArray) and found.name == name
            assert (found.chunks is not None) == (ds[variable].chunks is not None)
            assert_values(found, values)
            assert found.dims == (*leading, *registry[name].output)
            if leading:
                assert found.indexes["model"].tolist() == ["score", "second"]


@pytest.mark.parametrize("chunks", ["numpy", "all"])
@pytest.mark.parametrize("name", BOTH)
def test_arrays_give_the_number_of_the_kernel(name: str, chunks: str) -> None:
    ds = chunked(dataset(), CHUNKS[chunks])
    assert_arrays(ds, name, "sample", None)
    assert_arrays(ds, name, "sample", "w")


@pytest.mark.slow
@pytest.mark.parametrize("chunks", ["in one", "rows", "models"])
@pytest.mark.parametrize("name", KINDS)
def test_arrays_in_any_chunks(name: str, chunks: str) -> None:
    assert_arrays(chunked(dataset(), CHUNKS[chunks]), name, None, "w")


@pytest.mark.slow
@pytest.mark.parametrize("dim", ["sample", None, ["sample"], ...], ids=str)
@pytest.mark.parametrize("name", ["vus", "rps"])
def test_dimensions_in_any_words(name: str, dim: Any) -> None:
    for chunks in ("numpy", "rows"):
        assert_arrays(chunked(dataset(), CHUNKS[chunks]), name, dim, None)


@pytest.mark.slow
@pytest.mark.parametrize("chunks", [None, {"block": 3, "part": 50}], ids=str)
@pytest.mark.parametrize("name", BOTH)
def test_arrays_over_several_dimensions(name: str, chunks: Any) -> None:
    flat = dataset()
    ds = folded(flat) if chunks is None else folded(flat).chunk(chunks)
    blocks = [slice(120 * b, 120 * b + 120) for b in range(4)]
    if name in OF_SCORES:
        variable, whole = "scores", by_model(name)
        each = np.stack([by_model(name, rows) for rows in blocks])
    else:
        variable, whole = "proba", kernel(name)
        each = np.stack([kernel(name, rows) for rows in blocks])
    second = ds[variable].transpose("part", ..., "block")
    given: dict[str, Any] = {"classes": CLASSES}
    for dim in (["part", "block"], ["block", "part"], ("block", "part"), None):
        found = call(ds["y"], name, second, dim=dim, **given)
        assert_values(found, whole, str(dim))
    found = call(ds["y"], name, second, dim="part", **given)
    assert found.sizes["block"] == 4
    assert_values(found.transpose("block", ...), each)


@pytest.mark.parametrize("weight", ["w", pytest.param(None, marks=pytest.mark.slow)])
@pytest.mark.parametrize("chunks", [None, {"sample": 70}])
@pytest.mark.parametrize("name", BOTH)
def test_keys_of_arrays(name: str, chunks: Any, weight: str | None) -> None:
    ds = dataset().assign(
        g=("sample", FRAME["g"].to_numpy(object)), fold=("sample", FRAME["fold"])
    )
    ds = ds if chunks is None else ds.chunk(chunks)
    second = "score" if name in OF_SCORES else "proba"
    given: dict[str, Any] = {"classes": CLASSES, "sample_weight": weight}
    found = call(ds, name, "y", second, by="g", **given)
    assert_values(found, by_group(name, weight=weight), "dataset")
    assert (found.chunks is None) == (chunks is None)
    cells = by_cell(name, weight=weight)
    assert_values(call(ds, name, "y", second, by=["g", "fold"], **given), cells, "two keys")
    arrays = {"sample_weight": None if weight is None else ds[weight]}
    pair = call(ds["y"], name, ds[second], by=ds["g"], **given | arrays)
    xr.testing.assert_identical(pair.compute(), found.compute())


@pytest.mark.parametrize("name", BOTH)
def test_truths_of_several_raters(name: str) -> None:
    ds = dataset()
    true = xr.concat([ds["y"], ds["y"][::-1]], "rater")
    variable = "scores_last" if name in OF_SCORES else "proba"
    found = call(true, name, ds[variable], dim="sample", classes=CLASSES)
    reverse = FRAME.assign(y=FRAME["y"].array[::-1])
    for rater, df in enumerate((FRAME, reverse)):
        for model in ("score", "second") if name in OF_SCORES else (None,):
            part = found.isel(rater=rater)
            if model:
                part = part.sel(model=model)
            expected = call(df, name, "y", model or MIXED)
            assert_values(part, np.asarray(expected).reshape(part.shape))


# the gate stands before every metric


@pytest.mark.parametrize("name", BOTH)
def test_every_metric_passes_the_gate(name: str) -> None:
    first = "score" if name in OF_SCORES else MIXED[1]
    ds = dataset()
    wrong: list[tuple[str, Any, type[Exception], str]] = [
        (first, "a", ClassOrderError, rf"'{first}' .*is not numeric, but scores must be numbers"),
        (first, np.nan, MissingValueError, f"'{first}' holds 480 missing values: .*dropna"),
        ("y", np.nan, MissingValueError, "'y' holds 480 missing values: .*dropna"),
        ("w", -1.0, ValueError, "sample_weight 'w' holds 480 values"),
    ]
    if name in OF_PROBABILITIES:
        wrong.append((first, 2.0, ValueError, "sum to 1"))
    for column, value, error, message in wrong:
        df = FRAME.assign(**{column: value})
        if column == "y":
            df["y"] = pd.Categorical(df["y"], CLASSES, ordered=True)
        beside = df["score"] if name in OF_SCORES else df[MIXED]
        calls = [
            partial(call, df, name, "y", own(name), sample_weight="w"),
            partial(call, df, name, "y", own(name), by="g", sample_weight="w"),
            partial(call, df.groupby("g"), name, "y", own(name), sample_weight="w"),
            partial(call, df["y"], name, beside, sample_weight=df["w"]),
        ]
        for one in calls:
            with pytest.raises(error, match=message):
                one()
    text = FRAME.astype({"y": object})
    with pytest.raises(ClassOrderError, match="'y'.*declares no order"):
        call(text, name, "y", own(name))
    variable = "scores" if name in OF_SCORES else "proba"
    for bad, error in ((ds[variable].where(ds["y"] > 1), MissingValueError),
                       (ds[variable].astype(str), ClassOrderError)):  # fmt: skip
        with pytest.raises(error, match=f"'{variable}' holds"):
            call(ds.assign({variable: bad}), name, "y", variable, dim="sample", classes=CLASSES)


# options


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        *((name, {"ties": "strict"}) for name in OF_SCORES),
        ("rps", {"normalized": True}),
    ],
    ids=str,
)
def test_options_reach_the_kernel(name: str, chosen: dict[str, Any]) -> None:
    ds = dataset()
    second = own(name)
    of_series = FRAME["score"] if name in OF_SCORES else FRAME[MIXED]
    variable = "score" if name in OF_SCORES else "proba"
    whole, groups = kernel(name, **chosen), by_group(name, **chosen)
    assert not np.allclose(whole, kernel(name), equal_nan=True, rtol=1e-9)
    for found, expected in [
        (call(FRAME, name, "y", second, **chosen), whole),
        (call(FRAME, name, "y", second, by="g", **chosen), groups),
        (call(FRAME.groupby("g"), name, "y", second, **chosen), groups),
        (call(FRAME["y"], name, of_series, **chosen), whole),
        (call(ds, name, "y", variable, classes=CLASSES, **chosen), whole),
        (call(ds["y"], name, ds[variable], classes=CLASSES, **chosen), whole),
        (call(ds.chunk(sample=50), name, "y", variable, classes=CLASSES, **chosen), whole),
    ]:
        assert_values(found, expected)


@pytest.mark.parametrize("name", OF_SCORES)
def test_wrong_options_are_value_errors(name: str) -> None:
    ds = dataset()
    for obj, args in [
        (FRAME, ("y", "score")),
        (FRAME.groupby("g"), ("y", "score")),
        (FRAME["y"], (FRAME["score"],)),
        (ds["y"], (ds["score"],)),
    ]:
        with pytest.raises(ValueError, match="ties='none'"):
            call(obj, name, *args, ties="none")


# shapes and names


@pytest.mark.parametrize("name", SCALARS)
def test_one_metric_is_a_float_or_a_series(name: str) -> None:
    df, second = FRAME.assign(key=1), own(name)
    assert type(call(df, name, "y", second)) is float
    for found in (
        call(df, name, "y", second, by="key"),
        call(df, name, "y", second, by=["key"]),
        call(df.groupby("key"), name, "y", second),
    ):
        assert isinstance(found, pd.Series) and found.shape == (1,) and found.dtype == float
        assert found.name == name and found.index.name == "key"
        assert found.tolist() == [pytest.approx(float(kernel(name)), rel=1e-12)]


def test_a_list_of_scores_names_its_level() -> None:
    wide = FRAME.rename_axis(columns="method")
    one = FRAME.ordinal.vus("y", ["score"])
    assert isinstance(one, pd.Series) and one.index.name == "model"
    assert one.index.tolist() == ["score"]
    assert wide.ordinal.vus("y", ["score"]).index.name == "method"
    assert FRAME.ordinal.vus("y", ["second", "score"]).index.tolist() == ["second", "score"]
    by = wide.ordinal.vus("y", ["second", "score"], by=["g", "fold"])
    assert by.index.names == ["g", "fold", "method"]
    grouped = wide.groupby(["g", "fold"]).ordinal.vus("y", ["second", "score"])
    pd.testing.assert_series_equal(grouped, by)
    assert wide.ordinal.pairwise_auc("y", ["score"], by="g").dims == (
        "g",
        "method",
        "true",
        "pred",
    )
    assert FRAME.ordinal.pairwise_auc("y", ["score"]).dims == ("model", "true", "pred")


def test_results_by_class_have_the_level_class() -> None:
    one = FRAME.ordinal.consecutive_auc("y", "score")
    assert one.name == "consecutive_auc" and one.index.name == "class"
    assert one.index.ordered and one.index.categories.tolist() == CLASSES
    assert one.index.tolist() == CLASSES and np.isnan(one[CLASSES[-1]])
    wide = FRAME.ordinal.consecutive_auc("y", ["score", "second"], by=["g", "fold"])
    assert wide.index.names == ["g", "fold", "model", "class"]
    assert len(wide) == 9 * 2 * K
    rows = (FRAME["g"] == "b") & (FRAME["fold"] == FOLDS[2])
    cell = wide.loc[("b", FOLDS[2], "second")]
    npt.assert_allclose(cell, kernel("consecutive_auc", rows, "second"), rtol=1e-12)
    of_array = dataset().ordinal.consecutive_auc("y", "scores", classes=CLASSES)
    assert of_array.dims == ("model", "class")
    assert of_array.indexes["class"].ordered and of_array.indexes["class"].tolist() == CLASSES


def test_matrices_are_arrays_over_the_classes() -> None:
    ds = dataset()
    for found, dims in [
        (FRAME.ordinal.pairwise_auc("y", "score"), ()),
        (FRAME.ordinal.pairwise_auc("y", "score", by="g"), ("g",)),
        (FRAME.ordinal.pairwise_auc("y", ["score"], by=["g", "fold"]), ("g", "fold", "model")),
        (FRAME.groupby("g").ordinal.pairwise_auc("y", "score"), ("g",)),
        (FRAME["y"].ordinal.pairwise_auc(FRAME["score"]), ()),
        (ds.ordinal.pairwise_auc("y", "scores", classes=CLASSES), ("model",)),
        (ds["y"].ordinal.pairwise_auc(ds["scores_last"], classes=CLASSES), ("model",)),
    ]:
        assert isinstance(found, xr.DataArray) and found.name == "pairwise_auc"
        assert found.dims == (*dims, "true", "pred") and found.dtype == float
        for dim in ("true", "pred"):
            assert found.indexes[dim].ordered and found.indexes[dim].tolist() == CLASSES
    assert float(found.sel(true=CLASSES[0], pred=CLASSES[3], model="score")) == pytest.approx(
        kernel("pairwise_auc")[0, 3], rel=1e-12
    )


def test_cells_without_rows_are_nan_in_a_matrix() -> None:
    df = FRAME[(FRAME["g"] != "a") | (FRAME["fold"] != FOLDS[0])]
    found = df.ordinal.pairwise_auc("y", "score", by=["g", "fold"])
    assert found.sel(g="a", fold=FOLDS[0]).isnull().all()
    assert found.sel(g="b", fold=FOLDS[0]).notnull().sum() == K * (K - 1) / 2


# groups


def test_groups_are_in_the_order_of_their_keys() -> None:
    keys = pd.Categorical(FRAME["g"], ["none", "c", "a", "b"])
    df = FRAME.assign(g=keys)
    first = df.iloc[::-1]
    expected = {g: float(kernel("vus", FRAME["g"] == g)) for g in GROUPS}
    for found, order in [
        (df.ordinal.vus("y", "score", by="g"), ["c", "a", "b"]),
        (df.groupby("g", observed=True).ordinal.vus("y", "score"), ["c", "a", "b"]),
        (df.groupby("g", observed=False).ordinal.vus("y", "score"), ["c", "a", "b"]),
        (FRAME.ordinal.vus("y", "score", by="g"), ["a", "b", "c"]),
        (
            FRAME[::-1].groupby("g", sort=False).ordinal.vus("y", "score"),
            list(dict.fromkeys(first["g"])),
        ),
    ]:
        assert found.index.tolist() == order
        assert found.tolist() == pytest.approx([expected[g] for g in order], rel=1e-12)


def test_bins_without_rows_keep_their_place() -> None:
    edges = [0, 160, 320, 480, 600]
    df = FRAME.assign(bin=pd.cut(np.arange(1, 481), edges))
    bins = df["bin"].cat.categories
    masks = [(df["bin"] == b).to_numpy() for b in bins]
    expected = [float(kernel("vus", mask)) if mask.any() else np.nan for mask in masks]
    assert np.isnan(expected).tolist() == [False, False, False, True]
    for found in (
        df.ordinal.vus("y", "score", by="bin"),
        df.groupby("bin", observed=True).ordinal.vus("y", "score"),
    ):
        assert found.index.tolist() == bins.tolist()
        npt.assert_allclose(found, expected, rtol=1e-12)
    wide = df.ordinal.vus("y", ["score", "second"], by="bin")
    assert len(wide) == 8 and wide.iloc[-2:].isna().all()
    matrices = df.ordinal.pairwise_auc("y", "score", by="bin")
    assert matrices.sizes["bin"] == 4 and matrices.isel(bin=3).isnull().all()
    assert df.ordinal.rps("y", MIXED, by="bin").isna().tolist() == [False, False, False, True]


def test_missing_keys_of_a_groupby_follow_its_dropna() -> None:
    df = FRAME.assign(g=FRAME["g"].replace("a", np.nan))
    left = df.groupby("g").ordinal.vus("y", "score")
    assert left.index.tolist() == ["b", "c"]
    kept = df.groupby("g", dropna=False).ordinal.vus("y", "score")
    assert kept.tolist() == pytest.approx(by_group("vus")[[1, 2, 0]].tolist(), rel=1e-12)


ORACLES: dict[str, Callable[..., Any]] = {
    "vus": ranking.vus,
    "u_pairs": ranking.u_pairs,
    "u_ovo": ranking.u_ovo,
    "rps": probability.rps,
    "log_loss": probability.log_loss,
    "brier": probability.brier,
}


@st.composite
def keyed_frames(draw: st.DrawFn) -> tuple[pd.DataFrame, list[str]]:
    """A small frame with ties, missing values, keys and weights, and its classes."""
    n_classes = draw(st.integers(2, 4))
    classes = [f"c{9 - k}" for k in range(n_classes)]
    cuts = st.lists(st.integers(0, 8), min_size=n_classes - 1, max_size=n_classes - 1)
    row = st.fixed_dictionaries(
        {
            "y": st.integers(draw(st.sampled_from([-1, 0])), n_classes - 1),
            "score": st.sampled_from([-np.inf, -1, 0, 0.5, 2, np.inf, np.nan]),
            "w": st.integers(0, 3).map(lambda n: n / 2),
            "g": st.sampled_from(["b", "b", "a", None]),
            "h": st.sampled_from([3, 1]),
            "cuts": st.none() | cuts.map(lambda c: [0, *sorted(c), 8]),
            "index": st.integers(0, 4),
        }
    )
    rows = draw(st.lists(row, max_size=25))
    df = pd.DataFrame(rows, columns=["score", "w", "g", "h"], index=[r["index"] for r in rows])
    df = df.astype({"score": float, "w": float, "g": object, "h": int})
    df["y"] = pd.Categorical.from_codes([r["y"] for r in rows], classes, ordered=True)
    for k in draw(st.permutations(range(n_classes))):
        df[classes[k]] = [
            np.nan if r["cuts"] is None else (r["cuts"][k + 1] - r["cuts"][k]) / 8 for r in rows
        ]
    return df, classes


def by_a_loop(df: pd.DataFrame, classes: list[str], name: str, by: list[str], weight: Any) -> Any:
    """Rows put into lists by key, one by one, then scored by the oracle; and their numbers."""
    groups: dict[tuple[Any, ...], list[dict[Any, Any]]] = {}
    for row in df.to_dict("records"):
        key = tuple(row[label] for label in by)
        if not any(pd.isna(part) for part in key):
            groups.setdefault(key, []).append(row)
    scores, sizes = {}, {}
    for key in sorted(groups):
        true, beside, weights = [], [], []
        for row in groups[key]:
            given = [row[c] for c in classes] if name in OF_PROBABILITIES else row["score"]
            if not pd.isna(row["y"]) and not np.isnan(given).any():
                true.append(classes.index(row["y"]))
                beside.append(given)
                weights.append(row["w"])
        args = [true, beside] + ([] if name in OF_PROBABILITIES else [len(classes)])
        scores[key] = float(ORACLES[name](*args, weights=weights if weight else None))
        sizes[key] = len(true)
    return scores, sizes


@examples(150)
@given(keyed_frames(), st.data())
def test_any_frame_against_a_loop_over_groups(
    made: tuple[pd.DataFrame, list[str]], data: st.DataObject
) -> None:
    df, classes = made
    name = data.draw(st.sampled_from(list(ORACLES)))
    by = data.draw(st.sampled_from([["g"], ["h"], ["g", "h"], ["h", "g"]]))
    weight = data.draw(st.sampled_from([None, "w"]))
    second = "score" if name in OF_SCORES else data.draw(st.permutations(classes))
    scores, sizes = by_a_loop(df, classes, name, by, weight)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = call(df, name, "y", second, by=by, sample_weight=weight, dropna=True)
    keys = list(scores) if len(by) > 1 else [key[0] for key in scores]
    assert found.index.tolist() == keys and found.index.names == by
    npt.assert_allclose(found, list(scores.values()), rtol=1e-10, atol=1e-12)
    undefined = [key for key, value in scores.items() if math.isnan(value) and sizes[key]]
    assert [w.category for w in caught] == [UndefinedMetricWarning] * bool(undefined)
    names = [repr(key if len(by) > 1 else key[0]) for key in undefined]
    assert all(any(name in str(w.message) for name in names) for w in caught)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        grouped = call(df.groupby(by), name, "y", second, sample_weight=weight, dropna=True)
    pd.testing.assert_series_equal(grouped, found, check_index_type=False)


def test_keys_that_rarely_meet() -> None:
    rng = np.random.default_rng(0)
    n_rows = 600
    df = pd.DataFrame(
        {
            "one": rng.integers(0, 10**6, 100)[rng.integers(0, 100, n_rows)],
            "two": rng.integers(0, 10**6, 3)[rng.integers(0, 3, n_rows)],
            "y": rng.integers(0, 2, n_rows),
            "score": rng.integers(0, 4, n_rows),
        }
    )
    groups: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for one, two, y, score in df.itertuples(index=False):
        groups.setdefault((one, two), []).append((y, score))
    expected = {}
    for key in sorted(groups):
        true, scores = zip(*groups[key], strict=True)
        expected[key] = float(ranking.vus(true, scores, 2))
    with pytest.warns(UndefinedMetricWarning, match="more"):
        found = df.ordinal.vus("y", "score", by=["one", "two"])
    assert found.index.tolist() == list(expected)
    npt.assert_allclose(found, list(expected.values()), rtol=1e-12)


def test_keys_that_are_the_truth_or_the_score() -> None:
    df = FRAME.assign(rounded=FRAME["score"].round())
    masks = [(df["y"] == c).to_numpy() for c in CLASSES]
    found = df.ordinal.rps("y", MIXED, by="y")
    assert found.index.tolist() == CLASSES
    npt.assert_allclose(found, [kernel("rps", mask) for mask in masks], rtol=1e-12)
    by_score = df.ordinal.rps("y", MIXED, by="rounded")
    assert by_score.index.tolist() == sorted(df["rounded"].unique())
    with pytest.warns(UndefinedMetricWarning):
        assert df.ordinal.u_pairs("y", "score", by="y").isna().all()


# what must not matter


@pytest.mark.parametrize("name", BOTH)
def test_the_order_of_rows_and_the_index_do_not_matter(name: str) -> None:
    second = own(name)
    expected = call(FRAME, name, "y", second, by="g")
    odd = pd.Index([np.nan, "a", ("b", 1)] * 160, tupleize_cols=False)
    for df in (FRAME.set_axis(odd), FRAME.set_axis(np.zeros(480)), FRAME[FRAME.columns[::-1]]):
        found = call(df, name, "y", second, by="g")
        npt.assert_array_equal(found, expected)
    for seed in range(3):
        shuffled = FRAME.sample(frac=1, random_state=seed)
        found = call(shuffled, name, "y", second, by="g")
        npt.assert_allclose(found, expected, rtol=1e-13, atol=1e-15)
    texts = FRAME.sample(frac=1, random_state=0).astype({"y": object})
    found = call(texts, name, "y", second, by="g", classes=CLASSES)
    npt.assert_allclose(found, expected, rtol=1e-13, atol=1e-15)


@pytest.mark.slow
@pytest.mark.parametrize("name", BOTH)
def test_chunks_do_not_matter(name: str) -> None:
    ds = dataset().isel(sample=slice(60))
    variable = "scores" if name in OF_SCORES else "proba"
    given: dict[str, Any] = {"classes": CLASSES}
    expected = call(ds, name, "y", variable, **given)
    for size in (1, 7, 60):
        found = call(ds.chunk(sample=size), name, "y", variable, **given)
        xr.testing.assert_allclose(found.compute(), expected, rtol=1e-14)


@pytest.mark.parametrize("name", OF_SCORES)
def test_an_increasing_transformation_does_not_matter(name: str) -> None:
    bent = FRAME.assign(score=np.exp(FRAME["score"]), second=FRAME["second"] ** 3)
    npt.assert_array_equal(
        call(bent, name, "y", "score", by="g"), call(FRAME, name, "y", "score", by="g")
    )


@pytest.mark.parametrize("name", BOTH)
def test_weights_are_repetitions(name: str) -> None:
    second = own(name)
    repeated = FRAME.loc[FRAME.index.repeat(FRAME["w"])]
    weighted = call(FRAME, name, "y", second, by="g", sample_weight="w")
    assert_values(call(repeated, name, "y", second, by="g"), np.asarray(weighted))


@pytest.mark.parametrize("name", BOTH)
def test_nothing_is_changed(name: str) -> None:
    df, ds = FRAME.copy(), dataset()
    df.loc[:3, ["y", "score", *CLASSES]] = np.nan
    before, before_ds = df.copy(), ds.copy(deep=True)
    second = own(name)
    given: dict[str, Any] = {"sample_weight": "w", "dropna": True}
    call(df, name, "y", second, by=["g", "fold"], **given)
    call(df.groupby("g"), name, "y", second, **given)
    beside = df["score"] if name in OF_SCORES else df[MIXED]
    call(df["y"], name, beside, sample_weight=df["w"], dropna=True)
    call(ds, name, "y", "score" if name in OF_SCORES else "proba", classes=CLASSES)
    pd.testing.assert_frame_equal(df, before)
    xr.testing.assert_identical(ds, before_ds)


@pytest.mark.parametrize("name", BOTH)
def test_read_only_columns(name: str) -> None:
    ds = dataset()
    for variable in ds.variables.values():
        if variable.dims == ("sample",):
            variable.values.flags.writeable = False
    given: dict[str, Any] = {"classes": CLASSES}
    variable_name = "score" if name in OF_SCORES else "proba"
    assert_values(call(ds, name, "y", variable_name, **given), kernel(name))


# frames without rows


@pytest.mark.parametrize("name", BOTH)
def test_frames_of_no_rows(name: str) -> None:
    empty, second = FRAME[:0], own(name)
    assert np.isnan(call(empty, name, "y", second)).all()
    for found in (
        call(empty, name, "y", second, by="g"),
        call(empty.groupby("g"), name, "y", second),
        call(empty, name, "y", second, by=["g", "fold"]),
    ):
        assert np.size(found) == 0
    beside = empty["score"] if name in OF_SCORES else empty[MIXED]
    assert np.isnan(call(empty["y"], name, beside)).all()
    ds = dataset().isel(sample=slice(0))
    variable = "score" if name in OF_SCORES else "proba"
    for arrays in (ds, ds.chunk()):
        assert call(arrays, name, "y", variable, classes=CLASSES).isnull().all()
