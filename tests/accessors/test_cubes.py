"""What the xarray surfaces share: cubes that are checked and scored, and reports on them."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import brute
import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr
from labelled import COUNTED

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError

FRAME = brute.frame()
CLASSES = FRAME["y"].cat.categories.tolist()


def cube_of(df: pd.DataFrame = FRAME, **options: Any) -> xr.DataArray:
    return df.ordinal.confusion("y", "yhat", **options)


CUBE = cube_of(by="g")


def table(df: pd.DataFrame, pred: str = "yhat", weights: Any = None) -> np.ndarray:
    return brute.counts(df["y"].cat.codes, df[pred].cat.codes, 4, weights)


# classes that a selection lost


ALIKE = {
    "reversed": lambda c: c.isel(true=[3, 2, 1, 0]),
    "one axis permuted": lambda c: c.isel(pred=[1, 3, 0, 2]),
    "both axes permuted": lambda c: c.isel(true=[1, 3, 0, 2], pred=slice(None, None, -1)),
    "sorted": lambda c: c.sortby(["true", "pred"]),
    "labels": lambda c: c.sel(true=CLASSES[::-1]),
    "transposed": lambda c: c.transpose("pred", "g", "true"),
    "group": lambda c: c.isel(g=[0, 1, 2]),
    "reindexed groups": lambda c: c.reindex(g=["a", "b", "c"]),
    "concatenated": lambda c: xr.concat([c.isel(g=[0]), c.isel(g=[1, 2])], "g"),
    "stacked": lambda c: c.expand_dims(z=[0]).stack(zg=["z", "g"]).unstack("zg").isel(z=0),
    "pickled": lambda c: pickle.loads(pickle.dumps(c)),
    "copied": lambda c: copy.deepcopy(c),
    "chunked": lambda c: c.chunk(g=1),
    "chunked classes": lambda c: c.chunk(true=1, pred=3),
    "chunked and permuted": lambda c: c.chunk(true=2).isel(true=[3, 0, 1, 2]),
    "twice": lambda c: c + c,
    "scaled": lambda c: c * 0.5,
    "floats": lambda c: c.astype(float),
    "int8": lambda c: c.astype("int8"),
    "renamed": lambda c: c.rename("other"),
    "nameless": lambda c: c.rename(None),
    "attrs": lambda c: c.assign_attrs(a=1),
    "from a Dataset": lambda c: c.to_dataset(name="x")["x"],
    "scalar coordinate": lambda c: c.assign_coords(k=3),
}


@pytest.mark.parametrize("kind", ALIKE)
def test_selections_that_keep_every_class(kind: str) -> None:
    other = ALIKE[kind](CUBE)
    for name, method in {"mae": {}, "stc": {}, "oci": {}, "kappa": {"weights": "linear"}}.items():
        expected = getattr(CUBE.ordinal, name)(**method)
        found = getattr(other.ordinal, name)(**method)
        npt.assert_allclose(found, expected, rtol=1e-12)
    found = other.ordinal.class_mae()
    assert found.indexes["class"].tolist() == CLASSES
    npt.assert_allclose(found.transpose("g", "class"), CUBE.ordinal.class_mae(), rtol=1e-12)
    npt.assert_allclose(other.ordinal.report()["mae"], CUBE.ordinal.mae(), rtol=1e-12)


REFUSED = {
    "subset": lambda c: c.isel(true=[0, 2]),
    "subset of both": lambda c: c.isel(true=[0, 2], pred=[0, 2]),
    "slice": lambda c: c.isel(true=slice(3), pred=slice(3)),
    "labels": lambda c: c.sel(true=CLASSES[:2]),
    "twice a class": lambda c: c.isel(true=[0, 1, 2, 2]),
    "fifth class": lambda c: c.isel(true=[0, 1, 2, 3, 3]),
    "reindexed": lambda c: c.reindex(true=CLASSES[::-1], fill_value=0),
    "padded": lambda c: c.pad(true=(0, 1), constant_values=0),
    "retyped": lambda c: c.assign_coords(true=CLASSES),
    "numbered": lambda c: c.assign_coords(true=range(4)),
    "unordered": lambda c: c.assign_coords(true=pd.CategoricalIndex(CLASSES, name="true")),
    "no coordinate": lambda c: c.drop_vars("true"),
    "no coordinates": lambda c: c.drop_vars(["true", "pred"]),
    "scalars, concatenated": lambda c: xr.concat([c.isel(true=i) for i in range(4)], "true"),
    "subset sum": lambda c: c + c.isel(true=[0, 1]),
    "another order": lambda c: c.assign_coords(
        pred=pd.CategoricalIndex(CLASSES, CLASSES[::-1], ordered=True)
    ),
    "other classes": lambda c: c.assign_coords(
        pred=pd.CategoricalIndex(list("abcd"), list("abcd"), ordered=True)
    ),
    "one class": lambda c: c.isel(true=0),
    "no axis": lambda c: c.sum("pred"),
    "renamed axis": lambda c: c.rename(pred="guess"),
}


@pytest.mark.parametrize("kind", REFUSED)
@pytest.mark.parametrize("chunks", [None, {"g": 1}], ids=["numpy", "dask"])
def test_selections_that_lose_classes_are_refused(kind: str, chunks: Any) -> None:
    try:
        other = REFUSED[kind](CUBE if chunks is None else CUBE.chunk(chunks))
    except (TypeError, ValueError, NotImplementedError):
        return  # some versions of xarray refuse it themselves
    for call in (
        other.ordinal.mae,
        other.ordinal.class_mae,
        other.ordinal.report,
        lambda: other.ordinal.normalize("true"),
        lambda: po.add(other, other),
    ):
        with pytest.raises(ValueError, match="cube|class"):
            call()


def test_refusals_say_what_to_do() -> None:
    with pytest.raises(ClassOrderError, match="'true'.*count again"):
        CUBE.isel(true=[0, 2]).ordinal.mae()
    with pytest.raises(
        ClassOrderError, match=r"'true' of the cube has lost.*assign_coords\(true="
    ):
        CUBE.drop_vars("true").ordinal.mae()
    with pytest.raises(ValueError, match="'true' and 'pred'.*ordinal.confusion"):
        xr.DataArray([1, 2]).ordinal.mae()


def test_coordinates_given_back() -> None:
    axes = {dim: pd.CategoricalIndex(CLASSES, CLASSES, ordered=True) for dim in ("true", "pred")}
    again = CUBE.drop_vars(["true", "pred"]).assign_coords(axes)
    npt.assert_array_equal(again.ordinal.mae(), CUBE.ordinal.mae())


def test_groups_by_selection() -> None:
    npt.assert_array_equal(CUBE.sel(g="b"), table(FRAME[FRAME.g == "b"]))
    pooled = FRAME[FRAME["g"].isin(["a", "c"])].ordinal.mae("y", "yhat")
    assert float(CUBE.sel(g=["a", "c"]).sum("g").ordinal.mae()) == pytest.approx(pooled)


# counts


def test_kernels_check_counts_of_a_cube() -> None:
    with pytest.raises(ValueError, match="-"):
        (CUBE - 1000).ordinal.mae()
    with pytest.raises(ValueError, match="nan"):
        CUBE.where(CUBE > 1).ordinal.mae()


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("wrong", [COUNTED - 1, COUNTED.where(COUNTED > 0), COUNTED * np.inf])
def test_what_are_no_counts(wrong: xr.DataArray, chunked: bool) -> None:
    cube = wrong.chunk() if chunked else wrong
    with pytest.raises(ValueError, match="counts hold"):
        cube.ordinal.normalize("true").compute()
    with pytest.raises(ValueError, match="counts hold"):
        po.add(cube, COUNTED).compute()
    with pytest.raises(ValueError, match="counts hold"):
        cube.ordinal.mae().compute()


# results


def test_results_keep_coordinates() -> None:
    found = cube_of(by=["g", "fold"]).ordinal.mae()
    assert found.name == "mae" and found.dims == ("g", "fold")
    assert found.indexes["g"].tolist() == ["a", "b", "c"]
    assert found.indexes["fold"].tolist() == [3, 4, 5]
    assert not {"true", "pred"} & set(found.coords)


@pytest.mark.parametrize("name", ["n", "mae", "stc"])
def test_keys_named_as_a_variable_of_the_report(name: str) -> None:
    df = FRAME.rename(columns={"g": name})
    report = df.ordinal.report("y", "yhat", by=name)
    npt.assert_array_equal(report["mae"], CUBE.ordinal.mae())
    with pytest.raises(ValueError, match=f"'{name}'.*rename"):
        cube_of(df, by=name).ordinal.report()
    with pytest.raises(ValueError, match=f"'{name}'.*rename"):
        cube_of(df, by=name).chunk().ordinal.report()
    npt.assert_array_equal(cube_of(df, by=name).ordinal.mae(), CUBE.ordinal.mae())


def test_classes_of_a_cube_and_of_labels() -> None:
    frame = pd.DataFrame({"y": [0, 2, 2], "yhat": [0, 1, 2], "fold": [1, 1, 2]})
    cube = frame.ordinal.confusion("y", "yhat", by="fold", classes=[0, 1, 2])
    assert cube.ordinal.classes.tolist() == [0, 1, 2]
    assert cube.sel(fold=2).ordinal.classes.tolist() == [0, 1, 2]
    labels = xr.DataArray(np.array([3, 1, 2], "int8"), dims="case")
    assert labels.ordinal.classes.tolist() == [1, 2, 3]
    assert labels.assign_attrs(_FillValue=3).ordinal.classes.tolist() == [1, 2]
    flags = {"flag_values": np.array([0, 1, 2, 3], "int8"), "flag_meanings": "a b c d"}
    assert labels.assign_attrs(flags).ordinal.classes.tolist() == [0, 1, 2, 3]
    for undeclared in (xr.DataArray(["a", "b"], dims="case"), cube.sel(true=[1])):
        with pytest.raises(AttributeError, match="declare no order of classes: give classes="):
            _ = undeclared.ordinal.classes
