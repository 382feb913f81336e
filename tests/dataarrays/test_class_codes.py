"""Codes of classes say in their attributes what the classes are, in memory and in files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr

from pandas_ordinal import ClassOrderError, MissingValueError, UnknownClassError

EDGES = [-np.inf, 1, 3, 10]
BINS = pd.IntervalIndex.from_breaks(EDGES)
NAMES = ["very dry", "mid", "wet"]
TRUE, PRED = [0, 1, 2, 2, -1], [0, 2, 2, 1, 1]
NUMBERS = {-1: np.nan, 0: 0.5, 1: 3.0, 2: 9.0}
MATRIX = [[1, 0, 0], [0, 0, 1], [0, 1, 1]]


def values(codes: list[int], name: str) -> xr.DataArray:
    return xr.DataArray([NUMBERS[k] for k in codes], dims="case", name=name)


def binned(**options: Any) -> tuple[xr.DataArray, xr.DataArray]:
    return tuple(  # type: ignore[return-value]
        values(codes, name).ordinal.cut(EDGES, **options)
        for codes, name in ((TRUE, "obs"), (PRED, "fc"))
    )


def test_attributes_of_bins() -> None:
    codes = binned()[0]
    assert codes.attrs.pop("_FillValue") == -1
    npt.assert_array_equal(codes.attrs.pop("flag_values"), [0, 1, 2])
    npt.assert_array_equal(codes.attrs.pop("bin_edges"), EDGES)
    assert codes.attrs == {
        "flag_meanings": "(-inf,_1.0] (1.0,_3.0] (3.0,_10.0]",
        "class_order": "flag_values",
        "bin_closed": "right",
    }
    named = binned(classes=NAMES, right=False)[0]
    assert named.attrs["flag_meanings"] == "very_dry mid wet"
    assert named.attrs["bin_closed"] == "left"


@pytest.mark.parametrize(("n", "dtype"), [(2, "int8"), (128, "int8"), (129, "int16")])
def test_the_smallest_type_holds_codes_and_missing(n: int, dtype: str) -> None:
    codes = xr.DataArray([0.5, n - 0.5, np.nan], dims="i").ordinal.cut(range(n + 1))
    assert codes.dtype == dtype == codes.attrs["_FillValue"].dtype
    assert codes.attrs["flag_values"].dtype == dtype
    assert codes.values.tolist() == [0, n - 1, -1]


@pytest.mark.parametrize("chunks", [None, 2])
def test_classes_are_known_without_more(chunks: Any) -> None:
    true, pred = (one if chunks is None else one.chunk(chunks) for one in binned())
    cube = true.ordinal.confusion(pred, dropna=True)
    npt.assert_array_equal(cube, MATRIX)
    assert cube.indexes["true"].equals(pd.CategoricalIndex(BINS, ordered=True))
    assert true.ordinal.classes.equals(BINS)
    with pytest.raises(MissingValueError, match=r"'obs' holds 1 missing value.*\[-1\]"):
        true.ordinal.mae(pred).compute()
    interval = true.ordinal.interval_mae(pred, dropna=True, unbounded=1)
    by_hand = cube.ordinal.interval_mae(bins=EDGES, unbounded=1)
    assert float(interval) == float(by_hand)


def test_names_are_the_classes() -> None:
    true, pred = binned(classes=NAMES)
    cube = true.ordinal.confusion(pred, dropna=True)
    npt.assert_array_equal(cube, MATRIX)
    assert cube.indexes["true"].tolist() == ["very_dry", "mid", "wet"]
    with_spaces = true.ordinal.confusion(pred, classes=NAMES, dropna=True)
    npt.assert_array_equal(with_spaces, MATRIX)
    assert with_spaces.indexes["true"].tolist() == NAMES
    with pytest.raises(ClassOrderError, match="declare the classes .* has the order wet < mid"):
        true.ordinal.mae(pred, classes=NAMES[::-1])
    more = true.ordinal.confusion(pred, classes=["none", *NAMES], dropna=True)
    npt.assert_array_equal(more[1:, 1:], MATRIX)


def test_numbers_may_be_named_later() -> None:
    edges = xr.DataArray([EDGES] * 5, dims=("case", "edge"))
    true, pred = (values(codes, "x").ordinal.cut(edges) for codes in (TRUE, PRED))
    assert true.attrs["flag_meanings"] == "0 1 2" and "bin_edges" not in true.attrs
    assert true.ordinal.classes.tolist() == [0, 1, 2]
    for classes in (None, range(3), NAMES):
        npt.assert_array_equal(true.ordinal.confusion(pred, classes=classes, dropna=True), MATRIX)
    with pytest.raises(UnknownClassError, match=r"declare \[0, 1, 2\], which are not classes"):
        true.ordinal.confusion(pred, classes=["low", "high"], dropna=True)


def test_classes_given_besides_are_checked() -> None:
    true, pred = binned()
    asked: dict[str, Any] = {"dropna": True}
    npt.assert_array_equal(true.ordinal.confusion(pred, classes=BINS, **asked), MATRIX)
    npt.assert_array_equal(true.ordinal.confusion(pred, bins=EDGES, **asked), MATRIX)
    npt.assert_array_equal(true.ordinal.confusion(pred, classes=range(3), **asked), MATRIX)
    wider = pd.IntervalIndex.from_breaks([*EDGES, 20])
    npt.assert_array_equal(true.ordinal.confusion(pred, classes=wider, **asked)[:3, :3], MATRIX)
    for other, told in (
        (pd.IntervalIndex.from_breaks([-np.inf, 1, 4, 10]), "'obs' has the bins .* but classes="),
        (pd.IntervalIndex.from_breaks([-np.inf, 1, 3.001, 10]), "edge at 3.0, but classes="),
        (BINS.set_closed("left"), "bins closed right, but classes="),
    ):
        with pytest.raises(ClassOrderError, match=told):
            true.ordinal.mae(pred, classes=other, **asked)
    with pytest.raises(UnknownClassError, match="flags of 'obs' declare"):
        true.ordinal.mae(pred, classes=NAMES, **asked)
    for codes in (true, binned(classes=NAMES)[0]):
        with pytest.raises(ClassOrderError, match="but bins= gives"):
            codes.ordinal.mae(codes, bins=[0, 1, 2, 3], **asked)


@pytest.mark.parametrize("names", [None, NAMES])
def test_other_edges_are_refused(names: Any) -> None:
    true = binned(classes=names)[0]
    pred = values(PRED, "fc").ordinal.cut([-np.inf, 1, 4, 10], classes=names)
    with pytest.raises(ClassOrderError, match=r"'fc' has the bins .*4\.0.* but 'obs' has .*3\.0"):
        true.ordinal.mae(pred, dropna=True)
    left = values(PRED, "fc").ordinal.cut(EDGES, classes=names, right=False)
    with pytest.raises(ClassOrderError, match="'fc' has bins closed left, but 'obs'"):
        true.ordinal.mae(left, dropna=True)


def test_plain_codes_beside_bins() -> None:
    true, pred = binned()
    for plain in (pred.drop_attrs(), pred.drop_attrs().astype("int64")):
        npt.assert_array_equal(true.ordinal.confusion(plain, dropna=True), MATRIX)
        npt.assert_array_equal(plain.ordinal.confusion(true, dropna=True), np.transpose(MATRIX))
    with pytest.raises(UnknownClassError, match="'fc' holds 3, which is not a code"):
        true.ordinal.mae(pred.drop_attrs() + 1, dropna=True)
    with pytest.raises(UnknownClassError, match=r"with fc\.ordinal\.cut"):
        true.ordinal.mae(values(PRED, "fc"), dropna=True)


def test_codes_out_of_range_are_refused() -> None:
    true, pred = binned()
    with pytest.raises(UnknownClassError, match="'fc' holds 3"):
        true.ordinal.mae(pred.copy(data=[3, 0, 0, 0, 0]).astype("int8"), dropna=True)


def test_a_bin_may_be_ignored() -> None:
    true, pred = binned()
    cube = true.ordinal.confusion(pred, ignore=[0, -1])
    npt.assert_array_equal(cube, np.array(MATRIX)[1:, 1:])
    assert cube.indexes["true"].tolist() == list(BINS[1:])
    assert true.ordinal.confusion(pred, ignore=-1).sum() == 4
    with pytest.raises(ClassOrderError, match="gap between the bins"):
        true.ordinal.confusion(pred, ignore=1, dropna=True)


def test_floats_that_were_computed_are_not_classes() -> None:
    true, pred = binned()
    masked = true.where(true >= 0)
    assert masked.ordinal.confusion(masked, dropna=True).indexes["true"].tolist() == [0, 1, 2]
    npt.assert_array_equal(masked.ordinal.confusion(pred, dropna=True), MATRIX)
    assert masked.ordinal.confusion(pred, dropna=True).indexes["true"].tolist() == list(BINS)
    with pytest.raises(UnknownClassError, match=r"holds 0.5, which is not a code"):
        (masked + 0.5).assign_attrs(masked.attrs).ordinal.mae(pred, dropna=True)


def test_flags_without_order_beside_classes() -> None:
    true, pred = binned(classes=NAMES)
    unordered = pred.drop_attrs().assign_attrs(
        flag_values=pred.attrs["flag_values"], flag_meanings="very_dry mid wet", _FillValue=-1
    )
    npt.assert_array_equal(true.ordinal.confusion(unordered, dropna=True), MATRIX)
    more = unordered.assign_attrs(
        flag_values=[0, 1, 2, 3], flag_meanings="very_dry mid wet no_data"
    )
    cube = true.ordinal.confusion(more, dropna=True)
    assert cube.indexes["true"].tolist() == [0, 1, 2, 3]


def test_classes_named_by_other_numbers() -> None:
    ratings = xr.DataArray([1, 3, 2], dims="i", name="rating")
    codes = ratings.ordinal.as_ordered([1, 2, 3])
    assert codes.values.tolist() == [0, 2, 1] and codes.ordinal.classes.tolist() == ["1", "2", "3"]
    with pytest.raises(
        ClassOrderError, match=r"'rating' holds numbers, but .*rating\.ordinal\.as_"
    ):
        codes.ordinal.mae(ratings)
    assert codes.ordinal.mae(codes) == 0


@pytest.mark.parametrize(
    ("attrs", "told"),
    [
        ({"bin_edges": [0, 1, 2]}, "3 flag_values and the bin_edges"),
        ({"bin_edges": [0, 2, 1, 3]}, "bin_edges=.* each higher"),
        ({"bin_edges": "2001-01-01 2002-01-01"}, "3 flag_values and the bin_edges"),
        ({"bin_edges": "0 to 3"}, "'0 to 3' and bin_closed='right', which must be numbers or"),
        ({"bin_closed": "up"}, "bin_closed='up', which must be .* one of .'right', 'left'"),
        ({"bin_closed": ["up", "down"]}, "bin_closed=.*: correct the attributes"),
    ],
)
def test_edges_that_do_not_fit(attrs: dict[str, Any], told: str) -> None:
    codes = binned()[0].assign_attrs(attrs)
    with pytest.raises(ValueError, match=told):
        codes.ordinal.mae(codes, dropna=True)


def test_flags_need_not_be_0_to_k() -> None:
    about = {"flag_values": [1, 2, 9], "flag_meanings": "a b c", "class_order": "flag_values"}
    true = xr.DataArray(
        np.array([1, 9, 2, -1], "int8"), dims="i", attrs=about | {"_FillValue": -1}
    )
    for one in (true, true.chunk(i=2)):
        cube = one.ordinal.confusion(one, dropna=True)
        npt.assert_array_equal(cube, np.eye(3))
        assert cube.indexes["true"].tolist() == ["a", "b", "c"]
        mixed = one.ordinal.confusion(one, dropna=True, classes=[1, 2, 9])
        npt.assert_array_equal(mixed, np.eye(3))


def test_minus_one_may_be_a_class() -> None:
    true = binned()[0].ordinal.as_ordered(BINS)
    edges = xr.DataArray([EDGES] * 5, dims=("case", "edge"))
    true = values(TRUE, "x").ordinal.cut(edges)
    cube = true.ordinal.confusion(true, classes=[-1, 0, 1, 2], dropna=True)
    npt.assert_array_equal(cube[1:, 1:], np.diag([1, 1, 2]))
    assert cube.sum() == 4


def test_models_of_a_dataset() -> None:
    true, pred = binned()
    ds = xr.Dataset({"y": true, "a": pred, "b": true})
    compared = ds.ordinal.compare("y", ["a", "b"], metrics=["mae"], dropna=True)
    assert compared["value_a"].item() == 0.5 and compared["value_b"].item() == 0
    other = ds.assign(b=values(TRUE, "b").ordinal.cut([-np.inf, 1, 4, 10]))
    with pytest.raises(ClassOrderError, match="bins"):
        other.ordinal.compare("y", ["a", "b"], metrics=["mae"], dropna=True)
    assert ds.ordinal.agreement(["y", "a", "b"])["n_items"] == 5


@pytest.mark.parametrize("lowest", [-1, 0, 5])
def test_missing_codes_of_models(lowest: int) -> None:
    about: dict[str, Any] = {"flag_meanings": "low mid high", "class_order": "flag_values"}
    about |= {"flag_values": np.arange(lowest, lowest + 3)}
    about |= {} if lowest == -1 else {"_FillValue": -1}
    codes = {"y": [0, 1, 2, 2], "a": [0, 1, 1, 2], "b": [2, 1, 2, 2]}
    ds = xr.Dataset({n: ("i", np.add(k, lowest), about) for n, k in codes.items()})
    whole = ds.ordinal.compare("y", ["a", "b"], metrics=["mae"])
    assert whole[["n", "value_a", "value_b"]].values.tolist() == [[4, 0.25, 0.5]]
    if lowest != -1:
        ds["b"][0] = -1
        known = ds.ordinal.compare("y", ["a", "b"], metrics=["mae"], dropna=True)
        assert known[["n", "value_a", "value_b"]].values.tolist() == [[3, 1 / 3, 0]]
        with pytest.raises(MissingValueError):
            ds.ordinal.compare("y", ["a", "b"], metrics=["mae"])


def saved() -> xr.Dataset:
    """Codes of each kind, along one dimension, with times as coordinates."""
    time = pd.date_range("2001-01-01", periods=5)
    case = xr.DataArray(time, {"case": time}, "case")
    rain = values(TRUE, "rain").assign_coords(case=time)
    edges = xr.DataArray([EDGES] * 5, {"case": time}, ("case", "edge"))
    when = case.where(case < time[4])
    days = pd.DatetimeIndex(["2000-12-31", "2001-01-02", "2001-01-03", "2001-02-01"])
    return xr.Dataset(
        {
            "bins": rain.ordinal.cut(EDGES),
            "left": rain.ordinal.cut([0, 1, 3, 10], right=False),
            "named": rain.ordinal.cut(EDGES, classes=NAMES),
            "numbers": rain.ordinal.cut(edges),
            "days": when.ordinal.cut(days),
            "hours": (when - days.values[0]).ordinal.cut(days - days[0]),
            "scores": rain.ordinal.classify([1, 3], classes=NAMES),
            "kept": case.dt.day,
        }
    )


@pytest.mark.filterwarnings("ignore:numpy.ndarray size changed")  # old netCDF4
@pytest.mark.filterwarnings("ignore::UserWarning")  # of zarr, about consolidated metadata
@pytest.mark.parametrize("is_masked", [True, False])
@pytest.mark.parametrize("kind", ["netcdf4", "h5netcdf", "scipy", "zarr"])
def test_files_keep_the_classes(kind: str, is_masked: bool, tmp_path: Path) -> None:
    pytest.importorskip({"netcdf4": "netCDF4"}.get(kind, kind))
    given, path = saved(), tmp_path / "codes"
    if kind == "zarr":
        if xr.__version__ < "2025.3":
            pytest.skip("this version of xarray writes no stores with zarr 3")
        given.to_zarr(path)
    else:
        given.to_netcdf(path, engine=kind)  # type: ignore[call-overload]
    options: dict[str, Any] = {"engine": kind, "mask_and_scale": is_masked, "chunks": {"case": 2}}
    for chunked in (True, False):
        with xr.open_dataset(path, **options) as opened:
            ds = opened if chunked else opened.load()
            for name in [*given][:-1]:
                before, after = given[name], ds[name]
                assert after.dtype.kind == ("f" if is_masked else "i")
                assert after.ordinal.classes.equals(before.ordinal.classes)
                due = before.ordinal.confusion(before, dropna=True)
                for pair in ((after, after), (after, before), (before, after)):
                    found = pair[0].ordinal.confusion(pair[1], dropna=True)
                    npt.assert_array_equal(found, due)
                    assert found.indexes["true"].equals(due.indexes["true"])
                with pytest.raises(MissingValueError):
                    after.ordinal.mae(before).compute()


@pytest.mark.filterwarnings("ignore:numpy.ndarray size changed")  # old netCDF4
def test_a_file_of_codes_may_be_saved_again(tmp_path: Path) -> None:
    pytest.importorskip("netCDF4")
    saved()["bins"].to_netcdf(tmp_path / "first.nc")
    with xr.open_dataset(tmp_path / "first.nc") as opened:
        opened.to_netcdf(tmp_path / "second.nc")
    with xr.open_dataset(tmp_path / "second.nc") as again:
        assert again["bins"].ordinal.classes.equals(BINS)
        assert float(again["bins"].ordinal.mae(saved()["bins"], dropna=True)) == 0


def test_a_repr_names_the_classes() -> None:
    true, pred = binned(classes=NAMES)
    assert "classes of 'obs': very_dry < mid < wet" in repr(true.ordinal)
    assert "classes of 'obs': (-inf, 1.0] < (1.0, 3.0]" in repr(binned()[0].ordinal)
    assert "very_dry < mid < wet" in repr(xr.Dataset({"y": true, "yhat": pred}).ordinal)
    wrong = true.assign_attrs(bin_edges=[2, 1])
    assert "no ordered Categorical" in repr(wrong.ordinal)


@pytest.mark.parametrize("names", [None, NAMES])
def test_codes_of_classes_as_keys(names: Any) -> None:
    true, pred = binned(classes=names)
    labels = list(BINS) if names is None else ["very_dry", "mid", "wet"]
    for key in (true, true.chunk(), true.where(true >= 0).assign_attrs(true.attrs)):
        report = true.ordinal.report(pred, by=key.rename("key"), metrics=["mae"], dropna=True)
        if key.dtype.kind == "i":
            assert report["key"].values.tolist() == labels
            assert not report["key"].attrs
        npt.assert_array_equal(report["mae"], [0, 1, 0.5])


def test_edges_of_named_classes_may_be_given_as_bins() -> None:
    for right in (True, False):
        true, pred = binned(classes=NAMES, right=right)
        found = true.ordinal.interval_mae(pred, bins=EDGES, dropna=True, unbounded=1)
        cube = true.ordinal.confusion(pred, dropna=True)
        assert float(found) == float(cube.ordinal.interval_mae(bins=EDGES, unbounded=1))
        with pytest.raises(ClassOrderError, match="but bins= gives"):
            true.ordinal.interval_mae(pred, bins=[-np.inf, 1, 4, 10], dropna=True)


def test_an_index_of_several_levels_is_kept() -> None:
    grid = xr.DataArray([[1.0, 2], [3, 4]], {"a": [1, 2], "b": [3, 4]}, ("a", "b"))
    stacked = grid.stack(case=("a", "b"))
    assert stacked.ordinal.cut([0, 2, 5]).indexes["case"].equals(stacked.indexes["case"])


@pytest.mark.parametrize("lazy", [False, True])
def test_classes_are_keys_by_their_names(lazy: bool, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    index = xr.DataArray(rng.normal(size=40), dims="time", name="phase").where(lambda x: x < 1.5)
    labels = ["La Nina", "neutral", "El Nino"]
    named = index.ordinal.cut([-np.inf, -0.5, 0.5, np.inf], classes=labels)
    named = named.assign_attrs(long_name="phase of ENSO")
    bins = index.ordinal.cut([-9, -0.5, 0.5, 1.5, 9]).rename("bin")
    ds = xr.Dataset({"phase": named, "bin": bins})
    ds["y"], ds["yhat"] = (("time", rng.integers(0, 3, 40)) for _ in range(2))
    ds.to_netcdf(tmp_path / "codes.nc")
    for one in (ds, xr.load_dataset(tmp_path / "codes.nc")):
        arrays = one.chunk(time=7) if lazy else one
        found = arrays.ordinal.mae("y", "yhat", by=["phase"], classes=range(3), dropna=True)
        assert found.indexes["phase"].tolist() == ["La_Nina", "neutral", "El_Nino"]
        assert found["phase"].attrs == {"long_name": "phase of ENSO"}
        errors = np.abs(ds["y"] - ds["yhat"]).values
        due = [errors[named.values == code].mean() for code in range(3)]
        npt.assert_allclose(found, due, rtol=1e-13)
        by_bin = arrays.ordinal.mae("y", "yhat", by="bin", classes=range(3), dropna=True)
        assert by_bin.indexes["bin"].equals(bins.ordinal.classes)
        npt.assert_allclose(by_bin, [*due, np.nan], rtol=1e-13)
    with pytest.raises(MissingValueError, match="the key 'phase' is missing in"):
        ds.ordinal.mae("y", "yhat", by="phase", classes=range(3))
    wrong = ds["phase"].copy(data=ds["phase"].values + 1)
    with pytest.raises(
        UnknownClassError, match="'phase' holds 3, which is not a code of the 3 classes"
    ):
        ds.ordinal.mae("y", "yhat", by=wrong, classes=range(3), dropna=True)
