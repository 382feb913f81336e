"""Results by class are labelled `class`, those by cell `true` and `pred`, on every surface."""

from __future__ import annotations

from functools import partial
from typing import Any

import brute
import dask.dataframe as dd
import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal.metrics import registry

ENDS = [-1, 0, 3, 4, np.inf]
FRAME = brute.scored().rename_axis(index="row")
CLASSES = FRAME["y"].cat.categories.tolist()
BINS = pd.IntervalIndex.from_breaks(ENDS, closed="right").tolist()
VECTORS = [name for name, metric in registry.items() if metric.output == ("class",)]
MATRICES = [name for name, metric in registry.items() if len(metric.output) == 2]
OF_SCORES = ["consecutive_auc", "pairwise_auc"]
DATASET = xr.Dataset(
    {
        "y": ("row", FRAME["y"].cat.codes),
        "g": ("row", FRAME["g"].to_numpy(object)),
        "yhat": (("model", "row"), [FRAME[name].cat.codes for name in ("yhat", "other")]),
        "score": (("model", "row"), [FRAME[name] for name in ("score", "second")]),
    },
    coords={"model": ["one", "two"]},
)
CUBE = FRAME.ordinal.confusion("y", "yhat", by="g")


def results(name: str) -> dict[str, tuple[Any, list[str]]]:
    """What each surface returns, and the names that come before those of the classes."""
    of_scores = registry[name].needs == "scores"
    one, two = ("score", "second") if of_scores else ("yhat", "other")
    given: dict[str, Any] = {"bins": ENDS} if registry[name].needs == "edges" else {}
    of_arrays = {"classes": CLASSES, **given}
    wide = FRAME[["y", "g", one, two]].rename_axis(columns="tool")
    parted = po.ordinal(dd.from_pandas(wide, npartitions=3))

    def of(obj: Any) -> Any:
        return partial(getattr(po.ordinal(obj), name), **given)

    column = "score" if of_scores else "yhat"
    found: dict[str, tuple[Any, list[str]]] = {
        "frame": (of(FRAME)("y", one), []),
        "frame by": (of(FRAME)("y", one, by="g"), ["g"]),
        "frame by two": (of(wide)("y", [one, two], by=["g"]), ["g", "tool"]),
        "series": (of(FRAME["y"])(FRAME[one]), []),
        "groupby": (of(FRAME.groupby("g"))("y", [one, two]), ["g", "model"]),
        "dask frame": (getattr(parted, name)("y", one, **given), []),
        "dask frame by": (getattr(parted, name)("y", [one, two], by="g", **given), ["g", "tool"]),
    }
    for kind, ds in {"": DATASET, "dask ": DATASET.chunk(row=70, model=1)}.items():
        arrays = partial(getattr(ds["y"].ordinal, name), ds[column], dim="row", **of_arrays)
        found[f"{kind}arrays"] = arrays(), ["model"]
        found[f"{kind}arrays by"] = arrays(by=ds["g"]), ["g", "model"]
        dataset = partial(getattr(ds.ordinal, name), "y", column, dim="row", **of_arrays)
        found[f"{kind}dataset"] = dataset(), ["model"]
    if not of_scores:
        found["cube"] = of(CUBE)(), ["g"]
        found["dask cube"] = of(CUBE.chunk(g=1, true=2))(), ["g"]
        found["dask cube of one"] = of(CUBE.chunk(g=1).sum("g"))(), []
    return found


@pytest.mark.parametrize("name", VECTORS)
def test_vectors_are_labelled_class(name: str) -> None:
    classes = BINS if registry[name].needs == "edges" else CLASSES
    for surface, (found, leading) in results(name).items():
        if isinstance(found, xr.DataArray):
            assert set(found.dims) == {*leading, "class"}, surface
            found = found.transpose(..., "class")
            labels = found.indexes["class"]
            assert set(found.coords) <= {*leading, "class"}, surface
        else:
            held = found.compute() if isinstance(found, dd.Series) else found
            assert found.name == name and held.index.names == [*leading, "class"], surface
            labels = held.index
            if leading:
                labels = labels.levels[-1]
                n_classes = held.groupby(level=leading, observed=True).size()
                assert (n_classes == len(classes)).all(), surface
        assert isinstance(labels, pd.CategoricalIndex) and labels.ordered, surface
        assert labels.tolist() == labels.categories.tolist() == classes, surface


@pytest.mark.parametrize("name", MATRICES)
def test_matrices_are_labelled_true_and_pred(name: str) -> None:
    classes = BINS if registry[name].needs == "edges" else CLASSES
    for surface, (found, leading) in results(name).items():
        assert isinstance(found, xr.DataArray), surface
        assert set(found.dims) == {*leading, "true", "pred"}, surface
        assert found.dims[-2:] == ("true", "pred"), surface
        for dim in ("true", "pred"):
            labels = found.indexes[dim]
            assert isinstance(labels, pd.CategoricalIndex) and labels.ordered, surface
            assert labels.tolist() == labels.categories.tolist() == classes, surface


def test_the_meta_of_dask_says_class() -> None:
    ordinal = po.ordinal(dd.from_pandas(FRAME, npartitions=2))
    assert ordinal.class_recall("y", "yhat")._meta.index.name == "class"
    assert ordinal.class_mae("y", "yhat", by="g")._meta.index.names == ["g", "class"]
    assert ordinal.consecutive_auc("y", "score", by="g")._meta.index.names == ["g", "class"]


def test_thresholds_and_points_of_the_surface_are_labelled_class() -> None:
    best = FRAME.ordinal.best_thresholds("y", "score", metric="mae")
    points = FRAME.ordinal.roc_surface("y", "score", thresholds=best)
    assert best.index.name == points.columns.name == "class"


# names that clash


@pytest.mark.parametrize("name", VECTORS)
def test_a_key_or_model_dimension_called_class(name: str) -> None:
    column, other = ("score", "second") if name in OF_SCORES else ("yhat", "other")
    given: dict[str, Any] = {"bins": ENDS} if registry[name].needs == "edges" else {}
    df = FRAME.rename(columns={"g": "class"})
    wide = FRAME.rename_axis(columns="class")
    parted, wide_parts = (po.ordinal(dd.from_pandas(x, npartitions=2)) for x in (df, wide))
    ds = DATASET.rename(model="class")
    other_ds = DATASET.isel(model=0, drop=True)
    arrays: dict[str, Any] = {"dim": "row", "classes": CLASSES, **given}
    key = DATASET["g"].rename("class")
    calls = [
        lambda: getattr(df.ordinal, name)("y", column, by="class", **given),
        lambda: getattr(df.groupby("class").ordinal, name)("y", column, **given),
        lambda: getattr(wide.ordinal, name)("y", [column, other], **given),
        lambda: getattr(parted, name)("y", column, by="class", **given),
        lambda: getattr(wide_parts, name)("y", [column, other], **given),
    ]
    read = "score" if name in OF_SCORES else "yhat"
    for lazy in (False, True):
        models, one = (x.chunk(row=50) if lazy else x for x in (ds, other_ds))
        calls += [
            lambda models=models: getattr(models.ordinal, name)("y", read, **arrays),
            lambda one=one: getattr(one["y"].ordinal, name)(one[read], by=key, **arrays),
            lambda one=one: getattr(one.assign_coords({"class": "a"}).ordinal, name)(
                "y", read, **arrays
            ),
        ]
    if name not in OF_SCORES:
        cube = df.ordinal.confusion("y", "yhat", by="class")
        calls += [
            lambda: getattr(cube.ordinal, name)(**given),
            lambda: getattr(cube.chunk({"class": 1}).ordinal, name)(**given),
            lambda: getattr(cube.isel({"class": 0}).ordinal, name)(**given),
        ]
    for place, call in enumerate(calls):
        with pytest.raises(
            ValueError, match="two dimensions 'class'.*rename the key or coordinate 'class'"
        ):
            pytest.fail(f"call {place} returned {call()}")


def test_a_key_called_class_is_fine_for_all_else() -> None:
    df = FRAME.rename(columns={"g": "class"})
    cube = df.ordinal.confusion("y", "yhat", by="class")
    assert cube.dims == ("class", "true", "pred")
    renamed = {"mae": FRAME.ordinal.mae("y", "yhat", by="g").to_list()}
    for found in (
        df.ordinal.mae("y", "yhat", by="class"),
        df.groupby("class").ordinal.mae("y", "yhat"),
        po.ordinal(dd.from_pandas(df, npartitions=2)).mae("y", "yhat", by="class").compute(),
        cube.ordinal.mae().to_series(),
        cube.chunk({"class": 1}).ordinal.mae().to_series(),
        df.ordinal.report("y", "yhat", by="class", metrics=["mae"])["mae"],
        cube.ordinal.report(metrics=["mae"])["mae"].to_series(),
    ):
        assert found.index.name == "class"
        npt.assert_allclose(found, renamed["mae"], rtol=1e-12)
    path = cube.ordinal.oci_path()
    assert path.dims == ("class", "true", "pred")
    assert df.ordinal.pairwise_auc("y", "score", by="class").dims == ("class", "true", "pred")
    assert cube.isel({"class": 0}).ordinal.cost_matrix().dims == ("true", "pred")


# results as options


def test_results_are_options() -> None:
    one = CUBE.sum("g")
    values = one.ordinal.class_mae()
    ordinal = partial(one.ordinal.krippendorff_alpha, level="interval")
    due = ordinal(values=np.sort(values))
    shuffled = values.copy(data=np.sort(values)).isel({"class": [2, 0, 3, 1]})
    assert float(ordinal(values=shuffled)) == pytest.approx(float(due), rel=1e-12)
    series = values.copy(data=np.sort(values)).to_series()
    assert float(ordinal(values=series)) == pytest.approx(float(due), rel=1e-12)

    costs = one.ordinal.cost_matrix()
    due = one.ordinal.expected_cost(costs=costs.to_numpy())
    skewed = costs + xr.DataArray(np.arange(4.0), dims="pred")
    dear = one.ordinal.expected_cost(costs=skewed.to_numpy())
    plain = xr.DataArray(skewed.to_numpy().T, dims=("pred", "true"))
    for given, of_given in ((costs.isel(true=[3, 1, 0, 2]), due), (skewed.T, dear), (plain, dear)):
        found = one.ordinal.expected_cost(costs=given)
        assert float(found) == pytest.approx(float(of_given), rel=1e-12)

    reference = FRAME.ordinal.class_recall("y", "yhat")
    reference = reference / reference.sum()
    due = FRAME.ordinal.rps_skill("y", CLASSES, reference=reference.to_numpy())
    for given in (reference[::-1], xr.DataArray(reference)[::-1]):
        found = FRAME.ordinal.rps_skill("y", CLASSES, reference=given)
        assert found == pytest.approx(due, rel=1e-12)


@pytest.mark.parametrize("dims", [("true",), ("pred",), ("k",), ("class", "g"), ("class", "true")])
def test_options_over_other_dimensions_are_refused(dims: tuple[str, ...]) -> None:
    sizes = xr.DataArray(np.ones([4] * len(dims)), dims=dims)
    for call in (
        partial(FRAME.ordinal.stc, "y", "yhat"),
        partial(FRAME.groupby("g").ordinal.stc, "y", "yhat"),
        CUBE.ordinal.stc,
    ):
        with pytest.raises(ValueError, match=r"class_sizes= has the dimensions \('.*over 'class'"):
            call(class_sizes=sizes)
