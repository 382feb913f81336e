"""Every metric of labels, on every object that holds them, gives the number of its kernel."""

from __future__ import annotations

from functools import partial
from typing import Any

import brute
import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr
from labelled import COUNTED, DF, LEVELS, OF_ANY_CLASSES, OF_LABELS, ordered, predictions

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, MissingValueError, UnknownClassError
from pandas_ordinal.metrics import registry

ENDS = [-1, 0, 3, 4, np.inf]
COSTS = [[0, 1, 2, 9], [2, 0, 1, 4], [3, 2, 0, 1], [7, 3, 2, 0]]


def options(name: str) -> dict[str, Any]:
    """What a surface needs besides the labels."""
    bins = {"bins": ENDS} if registry[name].needs == "edges" else {}
    values = {"costs": COSTS, "beta2": 0.02}
    return {option: values[option] for option in registry[name].required} or bins


def kernel(name: str, counts: Any, **chosen: Any) -> Any:
    given = {"edges" if option == "bins" else option: v for option, v in options(name).items()}
    return registry[name].kernel(np.asarray(counts), **given | chosen)


FRAME = brute.frame()
CLASSES = FRAME["y"].cat.categories.tolist()
Y, YHAT, OTHER = (FRAME[name].cat.codes.to_numpy() for name in ("y", "yhat", "other"))
K = 4


def table(rows: Any = slice(None), pred: np.ndarray = YHAT, weights: Any = None) -> np.ndarray:
    weights = None if weights is None else weights[rows]
    return brute.counts(Y[rows], pred[rows], K, weights)


WHOLE = table()
GROUPS = sorted(FRAME["g"].unique())
BY_GROUP = np.stack([table((FRAME["g"] == g).to_numpy()) for g in GROUPS])
WIDE = np.stack([WHOLE, table(pred=OTHER)])
LABELS: dict[str, Any] = {"dim": "row", "classes": CLASSES}
DATASET = xr.Dataset(
    {
        "y": ("row", Y),
        "yhat": (("model", "row"), np.stack([YHAT, OTHER])),
        "one": ("row", YHAT),
        "w": ("row", FRAME["w"]),
        "g": ("row", FRAME["g"].to_numpy(object)),
    }
)
LAZY = DATASET.chunk(row=90, model=1)
CUBE = FRAME.ordinal.confusion("y", "yhat", by="g")
LABEL_CUBE, LAZY_CUBE = (ds["y"].ordinal.confusion(ds["yhat"], **LABELS) for ds in (DATASET, LAZY))


def scores(name: str) -> dict[str, tuple[Any, np.ndarray]]:
    """What each object says, and the counts that it is about."""

    def call(obj: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(obj.ordinal, name)(*args, **kwargs, **options(name))

    return {
        "frame": (call(FRAME, "y", "yhat"), WHOLE),
        "frame by": (call(FRAME, "y", "yhat", by="g"), BY_GROUP),
        "frame wide": (call(FRAME, "y", ["yhat", "other"]), WIDE),
        "series": (call(FRAME["y"], FRAME["yhat"]), WHOLE),
        "groupby": (call(FRAME.groupby("g"), "y", "yhat"), BY_GROUP),
        "cube": (call(CUBE), BY_GROUP),
        "cube of one": (call(CUBE.sum("g")), WHOLE),
        "dask cube": (call(CUBE.chunk(g=1)), BY_GROUP),
        "dask cube of one": (call(CUBE.chunk(true=2, pred=3).sum("g")), WHOLE),
        "labels": (call(LABEL_CUBE), WIDE),
        "dask labels": (call(LAZY_CUBE), WIDE),
        "dataset": (call(DATASET, "y", "yhat", **LABELS), WIDE),
        "dataset, one": (call(DATASET, "y", "one", classes=CLASSES), WHOLE),
        "dask dataset": (call(LAZY, "y", "one", **LABELS), WHOLE),
        "dataset by": (call(DATASET, "y", "one", by="g", **LABELS), BY_GROUP),
        "dask dataset by": (call(LAZY, "y", "one", by="g", **LABELS), BY_GROUP),
        "arrays": (call(DATASET["y"], DATASET["yhat"], **LABELS), WIDE),
        "dask arrays": (call(LAZY["y"], LAZY["yhat"], **LABELS), WIDE),
        "arrays by": (call(DATASET["y"], DATASET["one"], by=DATASET["g"], **LABELS), BY_GROUP),
        "dask arrays by": (call(LAZY["y"], LAZY["one"], by=DATASET["g"], **LABELS), BY_GROUP),
    }


VECTORS = [name for name in OF_LABELS if registry[name].output == ("class",)]
BINS = pd.IntervalIndex.from_breaks(ENDS).tolist()


def classes_of(name: str) -> list[Any]:
    return BINS if registry[name].needs == "edges" else CLASSES


MATRICES = [name for name in OF_LABELS if registry[name].output == ("true", "pred")]

# every surface


@pytest.mark.parametrize("name", OF_ANY_CLASSES)
def test_every_surface_gives_the_number_of_the_kernel(name: str) -> None:
    for surface, (found, counts) in scores(name).items():
        expected = kernel(name, counts)
        assert surface.startswith("dask") == (getattr(found, "chunks", None) is not None), surface
        values = np.asarray(found, registry[name].dtype)
        npt.assert_allclose(
            values, np.ravel(expected) if isinstance(found, pd.Series) else expected,
            rtol=1e-12, err_msg=surface,
        )  # fmt: skip


@pytest.mark.parametrize("name", OF_ANY_CLASSES)
def test_weights_on_every_surface(name: str) -> None:
    weights = FRAME["w"].to_numpy()
    expected = np.ravel(kernel(name, table(weights=weights)))
    o = options(name)
    for found in (
        getattr(FRAME.ordinal, name)("y", "yhat", sample_weight="w", **o),
        getattr(FRAME.assign(k=0).groupby("k").ordinal, name)("y", "yhat", sample_weight="w", **o),
        getattr(FRAME["y"].ordinal, name)(FRAME["yhat"], sample_weight=FRAME["w"], **o),
        getattr(DATASET.ordinal, name)("y", "one", sample_weight="w", classes=CLASSES, **o),
        getattr(DATASET["y"].ordinal, name)(
            DATASET["one"], sample_weight=DATASET["w"], classes=CLASSES, **o
        ),
    ):
        npt.assert_allclose(np.ravel(found), expected, rtol=1e-12)


# the class gate stands before every metric


@pytest.mark.parametrize("name", OF_LABELS)
def test_every_metric_passes_the_class_gate(name: str) -> None:
    values = {"costs": np.eye(3), "beta2": 0.1}
    o: dict[str, Any] = {option: values[option] for option in registry[name].required}
    if registry[name].needs == "edges":
        o["bins"] = [0, 1, 2, 9]
    true = ordered(["low", "mid", "high"])
    for pred, error, message in [
        ([0, 1, 2], UnknownClassError, r"'yhat' holds .*pd\.Categorical\.from_codes"),
        (ordered(["low", None, "mid"]), MissingValueError, "'yhat' holds 1 missing value:"),
        (ordered(["mid", "low"] * 2, ["mid", "low"])[:3], ClassOrderError, "mid < low"),
    ]:
        df = predictions(true, pred, g=1)
        for call in (
            partial(getattr(df.ordinal, name), "y", "yhat"),
            partial(getattr(df.ordinal, name), "y", ["yhat"], by="g"),
            partial(getattr(df.groupby("g").ordinal, name), "y", "yhat"),
            partial(getattr(df["y"].ordinal, name), df["yhat"]),
        ):
            with pytest.raises(error, match=message):
                call(**o)
    codes = xr.Dataset({"y": ("i", [0, 3]), "yhat": ("i", [0, 1])})
    with pytest.raises(UnknownClassError, match="'y' holds 3"):
        getattr(codes.ordinal, name)("y", "yhat", classes=LEVELS, **o)


# options


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("accuracy_within", {"k": 2}),
        ("kappa", {"weights": "linear"}),
        ("kappa", {"weights": np.eye(K)}),
        ("kendall_tau", {"variant": "c"}),
        ("oci", {"beta": 0.25, "gamma": 2}),
        ("oci_path", {"beta": 0.25}),
        ("oci_general", {"beta1": 0.25, "beta2": 0.05, "gamma": 2}),
        ("uoc", {"beta": 0.25}),
        ("stc", {"class_sizes": [9, 5, 7, 1]}),
        ("cost_matrix", {"class_sizes": [9, 5, 7, 1]}),
        ("expected_cost", {"costs": COSTS}),
        ("interval_stc", {"unbounded": 7}),
        ("interval_stc", {"class_sizes": [90, 50, 70, 10]}),
        ("interval_mae", {"distance": "midpoint"}),
        ("interval_lengths", {"class_sizes": [90, 50, 70, 10]}),
    ],
    ids=str,
)
def test_options_reach_the_kernel(name: str, chosen: dict[str, Any]) -> None:
    whole, groups = kernel(name, WHOLE, **chosen), kernel(name, BY_GROUP, **chosen)
    chosen = options(name) | chosen
    for found, expected in [
        (getattr(FRAME.ordinal, name)("y", "yhat", **chosen), whole),
        (getattr(FRAME["y"].ordinal, name)(FRAME["yhat"], **chosen), whole),
        (getattr(FRAME.groupby("g").ordinal, name)("y", "yhat", **chosen), groups),
        (getattr(CUBE.ordinal, name)(**chosen), groups),
        (getattr(CUBE.chunk(g=2).ordinal, name)(**chosen), groups),
    ]:
        npt.assert_allclose(np.ravel(found), np.ravel(expected), rtol=1e-12)


def test_wrong_options_are_value_errors() -> None:
    for surface in (FRAME, FRAME.groupby("g")):
        with pytest.raises(ValueError, match="k=-1"):
            surface.ordinal.accuracy_within("y", "yhat", k=-1)
        with pytest.raises(ValueError, match="quadratc"):
            surface.ordinal.kappa("y", "yhat", weights="quadratc")


@pytest.mark.parametrize(
    "option",
    [
        {"beta": None},
        {"beta": "a"},
        {"beta": [0.25, 0.75]},
        {"gamma": None},
        {"beta": True},
    ],
)
def test_options_that_are_no_numbers(option: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(option))}=.*number"):
        DF.ordinal.oci("y", "yhat", **option)


@pytest.mark.parametrize("sizes", [{0: 1, 1: 1}, "all", [[1], [2, 3]], [1, np.nan, 1]])
def test_options_that_are_no_arrays(sizes: Any) -> None:
    with pytest.raises(ValueError, match="class_sizes="):
        DF.ordinal.stc("y", "yhat", class_sizes=sizes)


def test_unweighted_kappa_is_called_identity() -> None:
    with pytest.raises(ValueError, match="identity"):
        DF.ordinal.kappa("y", "yhat", weights=None)


def test_kernels_do_not_read_named_axes_by_position() -> None:
    labels = xr.DataArray([0, 1, 1], dims="case")
    rows = {
        "scores": (labels, [1, 2, 3], 2),
        "probabilities": (labels, [[0.5, 0.5]] * 3),
    }
    for name, metric in po.metrics.registry.items():
        values = {"costs": np.eye(3), "beta2": 0.1}
        options = {option: values[option] for option in metric.required}
        with pytest.raises(ValueError, match=r"named dimensions.*\.ordinal"):
            metric.kernel(*rows.get(metric.needs, (COUNTED,)), **options)
        assert name in dir(COUNTED.ordinal)
    with pytest.raises(ValueError, match=r"score must be a plain array.*named dimensions"):
        po.metrics.vus([0, 1, 1], labels, 2)


# results by class


@pytest.mark.parametrize("name", VECTORS)
def test_vectors_have_the_level_class(name: str) -> None:
    score = partial(getattr(FRAME.ordinal, name), "y", **options(name))
    one = score("yhat")
    assert isinstance(one, pd.Series) and one.name == name
    assert one.index.name == "class" and one.index.tolist() == classes_of(name)
    assert one.index.ordered and one.index.categories.tolist() == classes_of(name)
    by = score("yhat", by="g")
    assert by.index.names == ["g", "class"]
    assert by["b"].tolist() == pytest.approx(kernel(name, BY_GROUP)[1].tolist())
    wide = score(["yhat", "other"], by=["g", "fold"])
    assert wide.index.names == ["g", "fold", "model", "class"]
    assert len(wide) == 3 * 3 * 2 * K
    assert getattr(CUBE.ordinal, name)(**options(name)).dims == ("g", "class")


@pytest.mark.parametrize("name", MATRICES)
def test_matrices_are_arrays(name: str) -> None:
    o = options(name)
    score = partial(getattr(FRAME.ordinal, name), "y", **o)
    for found, dims in [
        (score("yhat"), ("true", "pred")),
        (score("yhat", by="g"), ("g", "true", "pred")),
        (score(["yhat"], by="g"), ("g", "model", "true", "pred")),
        (getattr(FRAME.groupby("g").ordinal, name)("y", "yhat", **o), ("g", "true", "pred")),
        (getattr(FRAME["y"].ordinal, name)(FRAME["yhat"], **o), ("true", "pred")),
    ]:
        assert isinstance(found, xr.DataArray) and found.name == name
        assert found.dims == dims
        assert found.dtype == registry[name].dtype
        assert found.indexes["true"].ordered and found.indexes["true"].tolist() == classes_of(name)


# counts of any size


def test_counts_beyond_floats() -> None:
    with pytest.raises(ValueError, match="add up"):
        po.metrics.accuracy([[1e308, 1e308], [0, 0]])


@pytest.mark.parametrize("scale", [1e-170, 1e160, 1e300])
@pytest.mark.parametrize(
    "name", ["kappa", "pearson", "somers_d", "goodman_kruskal_gamma", "ndpm", "kendall_tau"]
)
def test_no_scale_of_the_weights_is_too_extreme(name: str, scale: float) -> None:
    counts = np.array([[3.0, 1], [0, 4]])
    kernel = po.metrics.registry[name].kernel
    assert kernel(counts * scale) == pytest.approx(kernel(counts))


def test_peers_large_counts_do_not_overflow() -> None:
    df = brute.frame()
    cube = df.ordinal.confusion("y", "yhat")
    large = (cube * 100_000).astype("int32")
    for name in ("kappa", "spearman", "kendall_tau", "mae", "stc"):
        found = float(getattr(large.ordinal, name)())
        assert found == pytest.approx(float(getattr(cube.ordinal, name)()), rel=1e-4)
