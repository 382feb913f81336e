"""CF flags: integers are matched to classes by meaning, never by position."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, MissingValueError, UnknownClassError
from pandas_ordinal.dataarrays import flags

NAMES = ["none", "moderate", "severe", "extreme", "exceptional"]


def flagged(
    values: Any, first: int = 1, names: list[str] | str = NAMES, name: str = "drought"
) -> xr.DataArray:
    named = names.split() if isinstance(names, str) else names
    array = xr.DataArray(np.asarray(values), dims="i", name=name)
    dtype = array.dtype if array.dtype.kind in "iu" else np.dtype("int8")
    numbers = np.arange(first, first + len(named), dtype=dtype)
    return array.assign_attrs(flag_values=numbers, flag_meanings=" ".join(named))


TRUE, PRED = [0, 1, 2, 3, 3, 0], [0, 2, 2, 3, 1, 0]
EXPECTED = np.zeros((5, 5), int)
for t, p in zip(TRUE, PRED, strict=True):
    EXPECTED[t, p] += 1


@pytest.mark.parametrize("chunks", [None, 2])
@pytest.mark.parametrize("first", [0, 1, 10])
@pytest.mark.parametrize("kind", ["int8", "int64", "uint8", "float32"])
def test_names_are_matched_through_flags(kind: str, first: int, chunks: Any) -> None:
    true, pred = (flagged(np.add(x, first).astype(kind), first) for x in (TRUE, PRED))
    if chunks:
        true, pred = true.chunk(i=chunks), pred.chunk(i=chunks)
    for classes in (NAMES, "flags"):
        cube = true.ordinal.confusion(pred, classes=classes)
        npt.assert_array_equal(cube, EXPECTED)
        assert cube.indexes["true"].tolist() == NAMES
    order = [4, 2, 0, 1, 3]
    mixed = true.ordinal.confusion(pred, classes=[NAMES[k] for k in order])
    npt.assert_array_equal(mixed, EXPECTED[np.ix_(order, order)])
    bare = pred.assign_attrs(flag_values=None).drop_attrs()  # arithmetic loses attributes
    npt.assert_array_equal(true.ordinal.confusion(bare, classes="flags"), EXPECTED)
    ds = xr.Dataset({"y": true, "yhat": pred})
    assert ds.ordinal.mae("y", "yhat", classes="flags") == pytest.approx(3 / 6)


def test_classes_of_flags_are_ordered() -> None:
    cube = flagged(TRUE, 0).ordinal.confusion(flagged(PRED, 0), classes="flags")
    assert cube.indexes["true"].ordered and cube.indexes["pred"].ordered


def test_no_class_is_lost_that_flags_declare() -> None:
    true, pred = flagged(TRUE, 0), flagged(PRED, 0)
    assert true.ordinal.confusion(pred).indexes["true"].tolist() == [0, 1, 2, 3, 4]
    assert true.ordinal.confusion(pred.drop_attrs()).sizes["true"] == 5
    assert true.drop_attrs().ordinal.confusion(pred.drop_attrs()).sizes["true"] == 4
    for classes in (NAMES[:4], [0, 1, 2, 3]):
        with pytest.raises(
            UnknownClassError, match=r"declare \[.*\], which is not a class.*ignore="
        ):
            true.ordinal.confusion(pred, classes=classes)
    assert true.ordinal.confusion(pred, classes=NAMES[:4], ignore="exceptional").sum() == 6
    assert true.ordinal.confusion(pred, classes=NAMES[:4], ignore=4).sum() == 6


def test_an_order_is_not_taken_from_flags_unasked() -> None:
    names = ["water", "no_data", "ice"]
    true = flagged([1, 3, 1], names=names)
    assert true.ordinal.confusion(true).indexes["true"].tolist() == [1, 2, 3]
    cube = true.ordinal.confusion(true, classes=["ice", "water"], ignore="no_data")
    assert cube.values.tolist() == [[1, 0], [0, 2]]
    unsorted = true.assign_attrs(flag_values=[3, 1, 2])
    cube = unsorted.ordinal.confusion(unsorted, classes="flags")
    assert cube.indexes["true"].tolist() == ["no_data", "ice", "water"]


@pytest.mark.parametrize("chunks", [None, 2])
def test_flags_and_labels_that_mean_nothing(chunks: Any) -> None:
    true, pred = flagged([1, 2, 255, 9], names="low high"), flagged([1, 2, 2, 1], names="low high")
    if chunks:
        true, pred = true.chunk(i=chunks), pred.chunk(i=chunks)
    cube = true.ordinal.confusion(pred, classes="flags", ignore=[255, 9])
    assert cube.values.tolist() == [[1, 0], [0, 1]]
    with pytest.raises(UnknownClassError, match=r"holds 9, .*flag_values \[1, 2\].*ignore=9"):
        true.ordinal.confusion(pred, classes="flags", ignore=255).compute()
    for ignore in ("low", 1):
        assert pred.ordinal.confusion(pred, classes="flags", ignore=ignore).values.tolist() == [
            [2]
        ]
        with pytest.raises(ClassOrderError, match="'low'.*in classes= and in ignore="):
            pred.ordinal.confusion(pred, classes=["low", "high"], ignore=ignore)


def test_missing_labels_with_flags() -> None:
    true = flagged([1, np.nan, 2], names="low high")
    with pytest.raises(MissingValueError, match="'drought' holds 1 missing"):
        true.ordinal.confusion(true, classes="flags")
    cube = true.ordinal.confusion(true, classes="flags", dropna=True)
    assert cube.values.tolist() == [[1, 0], [0, 1]]


CONTRADICTING = {
    "another name": {"names": "low medium high"},
    "another order": {"names": "mid low high"},
    "another start": {"first": 0, "names": "low mid high"},
    "another number": {"first": 4, "names": "high"},
}


@pytest.mark.parametrize("kind", CONTRADICTING)
def test_contradicting_flags_are_refused(kind: str) -> None:
    true = flagged([1, 2, 2], names="low mid high", name="y")
    pred = flagged([1, 2, 2], name="yhat", **CONTRADICTING[kind])  # type: ignore[arg-type]
    for classes in (None, "flags", ["low", "mid", "high"]):
        with pytest.raises(ClassOrderError, match=r"flags of 'y'.*contradict those of 'yhat'"):
            true.ordinal.confusion(pred, classes=classes)
        with pytest.raises(ClassOrderError, match="contradict"):
            xr.Dataset({"y": true, "p": pred}).ordinal.report("y", "p", classes=classes)


def test_flags_of_one_array_may_be_more() -> None:
    true = flagged([1, 2, 3], names="low mid high")
    pred = flagged([1, 2, 2], names="low mid")
    for one, other in ((true, pred), (pred, true)):
        cube = one.ordinal.confusion(other, classes="flags")
        assert cube.indexes["true"].tolist() == ["low", "mid", "high"]


@pytest.mark.parametrize(
    ("attrs", "told"),
    [
        ({"flag_values": [1, 2, 3], "flag_meanings": "low high"}, "3 flag_values and .*'high'"),
        ({"flag_values": [1, 1], "flag_meanings": "low high"}, "different integers"),
        ({"flag_values": "1, 2", "flag_meanings": "low high"}, "different integers"),
        ({"flag_values": [1, 2], "flag_meanings": "low low"}, "different name"),
    ],
)
def test_flags_that_do_not_fit_together(attrs: dict[str, Any], told: str) -> None:
    true = xr.DataArray([1, 2], dims="i", attrs=attrs)
    with pytest.raises(ClassOrderError, match=told):
        true.ordinal.confusion(true, classes="flags")


def test_one_flag() -> None:
    true = xr.DataArray([1, 1], dims="i", attrs={"flag_values": 1, "flag_meanings": "all"})
    assert true.ordinal.confusion(true, classes="flags").values.tolist() == [[2]]


def test_flags_that_are_not_there() -> None:
    true = xr.DataArray([0, 1], dims="i", name="y", attrs={"units": "1"})
    for one in (true, true.chunk()):
        with pytest.raises(ClassOrderError, match=r"flag_meanings, but 'y' has \['units'\]"):
            one.ordinal.confusion(one, classes="flags")
    with pytest.raises(ClassOrderError, match="classes='flags' must be a list of the classes"):
        true.to_dataframe().ordinal.confusion("y", "y", classes="flags")
    with pytest.raises(ClassOrderError, match='classes="flags"'):
        flagged([1]).chunk().ordinal.confusion(flagged([1]))


def test_classes_as_bins_of_flags() -> None:
    true = flagged([1, 2, 2], names="low high")
    bins = pd.CategoricalDtype(pd.IntervalIndex.from_breaks([0, 5, 9]), ordered=True)
    with pytest.raises(UnknownClassError, match=r"\['low', 'high'\]"):
        true.ordinal.confusion(true, classes=bins)
    cube = true.ordinal.confusion(true, classes="flags", bins=[0, 5, 9])
    assert cube.sizes["true"] == 2


def test_probabilities_along_flags() -> None:
    true = flagged([1, 2], names="low high")
    proba = xr.DataArray([[0.2, 0.8], [0.5, 0.5]], {"c": ["high", "low"]}, ("i", "c"))
    found = true.ordinal.rps(proba, classes="flags", dim=[])
    npt.assert_allclose(found, [0.2**2, 0.5**2])


def test_fill_values_and_unsigned_bytes_of_keys() -> None:
    region = np.array([1, 1, 2, 2, 255, 255], "uint8")
    ds = xr.Dataset({
        "y": ("x", [0, 1, 2, 0, 1, 2]), "p": ("x", [0, 1, 1, 0, 2, 2]),
        "r": ("x", region, {"_FillValue": np.uint8(255)}),
        "s": ("x", region.view("int8"), {"_Unsigned": "true"}),
    })  # fmt: skip
    with pytest.raises(MissingValueError, match="'r'"):
        ds.ordinal.mae("y", "p", by="r")
    scores = ds.ordinal.mae("y", "p", by="r", dropna=True)
    assert scores["r"].values.tolist() == [1, 2] and scores.values.tolist() == [0, 0.5]
    assert ds.ordinal.mae("y", "p", by="s")["s"].values.tolist() == [1, 2, 255]


def test_values_without_meanings_and_meanings_of_text_are_no_flags() -> None:
    codes = xr.DataArray([0, 1, 2, 1], dims="x")
    plain = codes.assign_attrs(flag_values=[2, 1, 0])
    named = xr.DataArray(["b", "a", "c", "a"], dims="x", attrs={"flag_meanings": "c b a"})
    assert po.ordinal(plain).mae(codes, classes=range(3)) == 0
    assert po.ordinal(named).accuracy(named, classes=["a", "b", "c"]) == 1
    with pytest.raises(ClassOrderError):
        po.ordinal(named).accuracy(named)


@pytest.mark.parametrize("bits", [8, 16, 32])
def test_signed_and_unsigned_numbers_of_flags(bits: int) -> None:
    """-1 and the largest unsigned number are the same bits."""
    highest = 2**bits - 1
    for of_flags, number, line in (
        (highest, -1, f"make it unsigned, with x.astype('uint{bits}')"),
        (-1, highest, f"if these are unsigned, give x.assign_attrs(flag_values=[{highest}, 0])"),
        (5, -1, "leave it out with ignore=-1"),
        (5, highest, "leave it out with ignore="),
    ):
        x = xr.DataArray([0, number, 0], dims="i", name="x")
        values = sorted([of_flags, 0])
        x = x.assign_attrs(flag_values=values, flag_meanings="one other")
        with pytest.raises(UnknownClassError) as error:
            x.ordinal.confusion(x, classes="flags")
        assert line in str(error.value)


@pytest.mark.parametrize("fill", ["_FillValue", "missing_value"])
@pytest.mark.parametrize("opened", [False, True])
def test_fill_values_of_unsigned_bytes(fill: str, opened: bool) -> None:
    """xarray leaves a `missing_value` of unsigned bytes as it is, and moves it to the encoding."""
    unsigned = {"_Unsigned": "true", fill: np.int8(-1)}
    flag_values = np.array([10, 120, 200], "uint8").view("int8")
    about = {"flag_values": flag_values, "flag_meanings": "low mid high", **unsigned}
    bytes_ = np.array([10, 120, 200, 255, 200, 255], "uint8").view("int8")
    scores = np.array([1, 255, 150, 3, 200, 2], "uint8").view("int8")
    ds = xr.Dataset({
        "y": ("x", bytes_, about), "s": ("x", scores, unsigned),
        "p": ("x", np.array([10, 10, 200, 10, 10, 200], "uint8").view("int8"), about),
    })  # fmt: skip
    if opened:
        ds = xr.decode_cf(ds)
    for classes in ("flags", ["low", "mid", "high"]):
        with pytest.raises(MissingValueError, match="'y' holds 2 missing"):
            ds.ordinal.mae("y", "p", classes=classes)
        assert ds.ordinal.mae("y", "p", classes=classes, dropna=True) == 3 / 4
        assert ds.ordinal.u_pairs("y", "s", classes=classes, dropna=True) == 1  # 1 < 150, 200


def test_packed_numbers_are_not_compared_to_fill_values_of_bytes() -> None:
    attrs = {"_Unsigned": "true", "missing_value": np.int8(-1), "scale_factor": 2.0}
    packed = xr.Dataset({"s": ("x", np.array([100, -128], "int8"), attrs)})
    assert flags.decoded(xr.decode_cf(packed)["s"]).values.tolist() == [200, 256]


@pytest.mark.parametrize("fill", ["_FillValue", "missing_value"])
@pytest.mark.parametrize("packing", [{"scale_factor": np.float32(0.1)}, {"add_offset": 0.3}])
def test_fill_values_of_packed_unsigned_bytes(fill: str, packing: dict[str, Any]) -> None:
    """xarray unpacks a `missing_value` of unsigned bytes as if it were a number."""
    about = {"_Unsigned": "true", fill: np.int8(-1), **packing}
    scores = np.array([1, 255, 150, 3, 200, 2], "uint8").view("int8")
    file = xr.Dataset({"y": ("x", [0, 0, 1, 0, 1, 0]), "s": ("x", scores, about)})
    ds = xr.decode_cf(file)
    assert ds.ordinal.u_pairs("y", "s", classes=[0, 1], dropna=True) == 1
    with pytest.raises(MissingValueError, match="'s' holds 1 missing"):
        ds.ordinal.u_pairs("y", "s", classes=[0, 1])


@pytest.mark.parametrize("values", [[1, 2], [1, -1]])
def test_integers_stay_integers_unless_some_are_fill_values(values: list[int]) -> None:
    array = xr.DataArray(np.array(values, "int8"), dims="i", attrs={"_FillValue": -1})
    found = flags.decoded(array)
    assert found.dtype == ("int8" if -1 not in values else found.dtype)
    assert found.isnull().values.tolist() == [one == -1 for one in values]
    lazy = flags.decoded(array.chunk(i=1))
    assert lazy.chunks == ((1, 1),)
    assert lazy.isnull().values.tolist() == [one == -1 for one in values]


# enumerations of netCDF


RAIN = {"heavy": 2, "dry": 0, "light": 1}


@pytest.fixture
def enumerated(tmp_path: Path) -> Path:
    with warnings.catch_warnings():  # built for another NumPy, in the lowest versions
        warnings.simplefilter("ignore")
        netcdf = pytest.importorskip("netCDF4")
    path = tmp_path / "rain.nc"
    with netcdf.Dataset(path, "w") as file:
        file.createDimension("case", 6)
        plain = file.createEnumType(np.uint8, "rain", RAIN)
        filled = file.createEnumType(np.uint8, "rain_or_none", {**RAIN, "missing": 255})
        file.createVariable("y", filled, "case", fill_value=255)[:] = np.uint8(
            [0, 1, 2, 0, 1, 255]
        )
        file.createVariable("yhat", plain, "case")[:] = np.uint8([0, 1, 1, 0, 2, 2])
    return path


@pytest.mark.parametrize("chunks", [None, {"case": 2}], ids=str)
@pytest.mark.parametrize("options", [{}, {"mask_and_scale": False}], ids=str)
def test_enumerations_of_netcdf(enumerated: Path, options: Any, chunks: Any) -> None:
    with xr.open_dataset(enumerated, engine="netcdf4", chunks=chunks, **options) as ds:
        asked: dict[str, Any] = {"classes": "flags", "dropna": True}
        cube = ds.ordinal.confusion("y", "yhat", **asked).compute()
        assert cube.indexes["true"].tolist() == ["dry", "light", "heavy"]
        assert cube.values.tolist() == [[2, 0, 0], [0, 1, 1], [0, 1, 0]]
        assert ds.load().isel(case=slice(2)).ordinal.accuracy("y", "yhat", **asked) == 1
