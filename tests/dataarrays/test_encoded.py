"""Labels and scores as they are in a file: unsigned bytes, fill values, flags after arithmetic."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import xarray as xr

from pandas_ordinal import ClassOrderError, MissingValueError, UnknownClassError

COVER = {
    "_Unsigned": "true",
    "flag_values": np.array([10, 120, -56], "int8"),
    "flag_meanings": "low mid high",
}
NAMES = ["low", "mid", "high"]


def opened(
    values: Any, attrs: dict[str, Any], name: str, *, masked: bool, chunks: int | None = None
) -> xr.DataArray:
    """Open an array as `xr.open_dataset(..., mask_and_scale=masked)` does."""
    stored = xr.Dataset({name: xr.DataArray(values, dims="i", attrs=attrs)})
    array = xr.decode_cf(stored, mask_and_scale=masked)[name].load()
    return array if chunks is None else array.chunk(i=chunks)


def run(line: str, **arrays: xr.DataArray) -> xr.DataArray:
    """Execute a line that an error prints."""
    result: xr.DataArray = eval(line, {"np": np, "xr": xr} | arrays)
    return result


def line_in(error: pytest.ExceptionInfo[Exception], pattern: str) -> str:
    match = re.search(pattern, str(error.value))
    assert match, str(error.value)
    return match[0]


# unsigned bytes


@pytest.mark.parametrize("chunks", [None, 2])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("fill", [None, -1])
@pytest.mark.parametrize("classes", ["flags", NAMES])
def test_flags_of_unsigned_bytes(
    classes: Any, fill: int | None, masked: bool, chunks: int | None
) -> None:
    attrs = COVER if fill is None else COVER | {"_FillValue": np.int8(fill)}
    last = [] if fill is None else [fill]
    y = opened(np.array([10, 120, -56, -56, *last], "int8"), attrs, "y", masked=masked)
    p = opened(
        np.array([120, 120, -56, 10, *last], "int8"), attrs, "p", masked=masked, chunks=chunks
    )
    assert y.dtype == ("int8" if not masked else "uint8" if fill is None else "float32")
    options = {"classes": classes, "dropna": fill is not None}
    cube = y.ordinal.confusion(p, **options)
    assert cube.indexes["true"].tolist() == NAMES
    assert cube.values.tolist() == [[0, 1, 0], [0, 1, 0], [1, 0, 1]]
    assert (y.ordinal.mae(p, **options), y.ordinal.bias(p, **options)) == (0.75, -0.25)
    ds = xr.Dataset({"y": y, "p": p, "q": y})
    assert ds.ordinal.bias("y", "p", **options) == -0.25
    if chunks is None:
        comparison = ds.ordinal.compare("y", ["p", "q"], metrics=["bias"], **options)
        assert comparison["difference"].tolist() == [-0.25]


def test_unsigned_bytes_that_are_ignored() -> None:
    y = opened(np.array([10, -56, 120], "int8"), COVER, "y", masked=False)
    for ignore in ("high", 200):
        cube = y.ordinal.confusion(y, classes="flags", ignore=ignore)
        assert cube.indexes["true"].tolist() == ["low", "mid"]
        assert cube.values.tolist() == [[1, 0], [0, 1]]


def test_signed_bytes_that_are_stored_unsigned() -> None:
    attrs = {
        "_Unsigned": "false",
        "flag_values": np.array([200, 0, 1], "uint8"),
        "flag_meanings": "low mid high",
    }
    for masked in (False, True):
        y = opened(np.array([200, 0, 1, 1], "uint8"), attrs, "y", masked=masked)
        assert y.ordinal.confusion(y, classes="flags").values.diagonal().tolist() == [1, 1, 2]


def test_flags_that_may_be_unsigned() -> None:
    attrs = COVER | {"_FillValue": np.int8(-1)}
    y = opened(np.array([10, 120, -56], "int8"), attrs, "y", masked=True)
    y = y.where(y > 0)  # xarray loses `_Unsigned` there
    with pytest.raises(ClassOrderError, match="may be unsigned") as error:
        y.ordinal.confusion(y, classes="flags")
    y = run(line_in(error, r"y\.assign_attrs\(.*?\)"), y=y)
    assert y.ordinal.confusion(y, classes="flags").indexes["true"].tolist() == NAMES
    bare = opened(np.array([10, 120, -56], "int8"), {}, "p", masked=False)
    with pytest.raises(UnknownClassError, match="holds -56") as error:
        y.ordinal.mae(bare, classes="flags")
    p = run(line_in(error, r"p\.astype\('uint8'\)"), p=bare)
    assert y.ordinal.mae(p, classes="flags") == 0
    with pytest.raises(UnknownClassError, match="holds 200") as error:
        bare.assign_attrs(COVER | {"_Unsigned": "no"}).ordinal.mae(y.drop_attrs(), classes="flags")
    line = line_in(error, r"p\.assign_attrs\(.*?\)")
    assert run(line, p=bare).attrs["flag_values"] == [200, 10, 120]


# fill values

REF, MAP = [0, 0, 0, 1, 2, 3], [0, 0, 0, 2, 2, 3]


@pytest.mark.parametrize("chunks", [None, 4])
@pytest.mark.parametrize("kind", ["uint8", "int64", "float32"])
@pytest.mark.parametrize(
    "fill", [{"_FillValue": 0}, {"missing_value": 0}, {"_FillValue": 9, "missing_value": [7, 0]}]
)
def test_fill_values_are_missing(fill: dict[str, Any], kind: str, chunks: int | None) -> None:
    attrs = {key: np.array(value, kind) for key, value in fill.items()}
    y = opened(np.array(REF, kind), attrs, "y", masked=False, chunks=chunks)
    p = opened(np.array(MAP, kind), attrs, "p", masked=False, chunks=chunks)
    options: dict[str, Any] = {} if chunks is None else {"classes": [1, 2, 3]}
    told = "'[yp]' holds 3 missing .*_FillValue.*dropna=True"  # Dask reads either first
    with pytest.raises(MissingValueError, match=told) as error:
        y.ordinal.accuracy(p, **options).compute()
    assert y.ordinal.accuracy(p, dropna=True, **options) == pytest.approx(2 / 3)
    assert y.ordinal.accuracy(p, ignore=0, **options) == pytest.approx(2 / 3)
    report = xr.Dataset({"y": y, "p": p}).ordinal.report("y", "p", dropna=True, **options)
    assert report["n"] == 3
    line = line_in(error, r"[yp]\.drop_attrs\(\)")
    whole = run(line, y=y, p=y)
    accuracy = whole.ordinal.accuracy(p.drop_attrs(), classes=range(4))
    assert accuracy == pytest.approx(5 / 6)


def test_fill_values_that_do_not_occur() -> None:
    y = opened(np.array([1, 2, 2], "uint8"), {"_FillValue": np.uint8(255)}, "y", masked=False)
    assert y.ordinal.confusion(y).values.tolist() == [[1, 0], [0, 2]]
    text = xr.DataArray(["a", "b"], dims="i", attrs={"_FillValue": "b"})
    assert text.ordinal.confusion(text, classes=["a", "b"]).values.tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("masked", [False, True])
def test_fill_values_that_are_flags(masked: bool) -> None:
    attrs = {
        "flag_values": np.array([0, 1, 2, 3], "uint8"),
        "flag_meanings": "no_data low mid high",
        "_FillValue": np.uint8(0),
    }
    y = opened(np.array(REF, "uint8"), attrs, "y", masked=masked)
    p = opened(np.array(MAP, "uint8"), attrs, "p", masked=masked)
    for classes in ("flags", NAMES):
        cube = y.ordinal.confusion(p, classes=classes, dropna=True)
        assert cube.indexes["true"].tolist() == NAMES
        assert cube.values.tolist() == [[0, 1, 0], [0, 1, 0], [0, 0, 1]]
    if not masked:
        for ignore in (0, "no_data"):
            xr.testing.assert_equal(y.ordinal.confusion(p, classes="flags", ignore=ignore), cube)


def test_each_model_has_its_own_fill_value() -> None:
    flags = {"flag_values": np.array([1, 2], "uint8"), "flag_meanings": "low high"}
    ds = xr.Dataset(
        {
            "y": ("i", np.array([1, 2, 2, 1], "uint8"), flags),
            "a": ("i", np.array([1, 2, 1, 0], "uint8"), flags | {"_FillValue": np.uint8(0)}),
            "b": ("i", np.array([1, 1, 1, 9], "uint8"), flags | {"_FillValue": np.uint8(9)}),
        }
    )
    table = ds.ordinal.compare("y", ["a", "b"], metrics=["mae"], classes="flags", dropna=True)
    assert table["difference"].tolist() == pytest.approx([1 / 3 - 2 / 3])


def test_attributes_of_one_model_are_not_those_of_another() -> None:
    marked = {"_FillValue": np.int16(9)}
    ds = xr.Dataset(
        {
            "y": ("i", np.array([1, 2, 2, 9], "int16")),
            "a": ("i", np.array([1, 2, 1, 1], "int16"), marked),
            "b": ("i", np.array([1, 2, 9, 9], "int16")),
            "truth": ("i", np.array([0, 0, 1, 1], "int8")),
            "s": ("i", np.array([1, 2, 3, 8], "int16")),
            "t": ("i", np.array([1, 2, 8, 9], "int16"), marked),
            "u": ("i", np.array([10, 120, -56, -1], "int8"), {"_Unsigned": "true"}),
        }
    )
    for models in (["a", "b"], ["b", "a"]):
        table = ds.ordinal.compare("y", models, metrics=["accuracy"], classes=[1, 2, 9])
        assert table["n"].tolist() == [4]
    for scores, n in ((["s", "t"], 3), (["t", "s"], 3), (["s", "u"], 4), (["u", "s"], 4)):
        table = ds.ordinal.compare("truth", score=scores, metrics=["vus"], dropna=True)
        assert table[["n", "value_a", "value_b"]].values.tolist() == [[n, 1, 1]]


def test_scores_have_fill_values_and_unsigned_bytes_too() -> None:
    y = xr.DataArray([0, 1, 1, 0], dims="i")
    score = opened(
        np.array([0.1, 0.7, -9999, 0.2], "float32"), {"_FillValue": np.float32(-9999)}, "s",
        masked=False,
    )  # fmt: skip
    with pytest.raises(MissingValueError, match="'s' holds 1 missing"):
        y.ordinal.vus(score)
    assert y.ordinal.vus(score, dropna=True) == 1
    stored = opened(np.array([10, -56, 120, 5], "int8"), COVER, "s", masked=False)
    assert y.ordinal.vus(stored) == 1


def test_weights_have_fill_values_too() -> None:
    y = xr.DataArray([0, 1, 1], dims="i")
    weight = opened(np.array([1, 1e20, 2]), {"_FillValue": 1e20}, "area", masked=False)
    with pytest.raises(ValueError, match="'area'"):
        y.ordinal.mae(y, sample_weight=weight)


# flags of something else


@pytest.mark.parametrize("kind", ["int16", "int64", "uint16"])
def test_flags_of_computed_integers(kind: str) -> None:
    flags = {
        "flag_values": np.arange(1, 6, dtype="int8"),
        "flag_meanings": "none moderate severe extreme exceptional",
    }
    y = xr.DataArray(np.array([2, 3, 4, 5], kind), dims="i", name="y", attrs=flags)
    shifted = (y - 1).assign_attrs(flags)  # xarray keeps them in some versions
    names = flags["flag_meanings"].split()  # type: ignore[attr-defined]
    for one in (y, shifted):
        with pytest.raises(
            ClassOrderError, match=f"'y' holds {kind}.*are int8.*computed"
        ) as error:
            one.ordinal.confusion(one, classes=names)
    same = run(line_in(error, r"y\.assign_attrs\(.*?\)"), y=y)
    assert same.ordinal.confusion(same, classes=names).values.diagonal().tolist() == [
        0,
        1,
        1,
        1,
        1,
    ]
    codes = run(line_in(error, r"y\.drop_attrs\(\)"), y=shifted)
    cube = codes.ordinal.confusion(codes, classes=names)
    assert cube.values.diagonal().tolist() == [0, 1, 1, 1, 1]


@pytest.mark.parametrize("kind", ["int8", "float32"])
def test_codes_that_are_no_flags(kind: str) -> None:
    flags = {"flag_values": np.arange(1, 4, dtype="int8"), "flag_meanings": "low mid high"}
    y = xr.DataArray(np.array([1, 2, 3], kind), dims="i", name="y", attrs=flags)
    shifted = (y - 1).assign_attrs(flags)
    with pytest.raises(UnknownClassError, match=r"'y' holds 0, .*ignore=0.*computed") as error:
        shifted.ordinal.confusion(shifted, classes="flags")
    codes = run(line_in(error, r"y\.drop_attrs\(\)"), y=shifted)
    assert codes.ordinal.confusion(codes, classes=NAMES).values.diagonal().tolist() == [1, 1, 1]


def test_flags_that_are_wider_than_the_integers_or_a_list() -> None:
    for values in (np.array([1, 2]), [1, 2], (1, 2)):
        flags = {"flag_values": values, "flag_meanings": ["low", "high"]}
        for kind in ("uint8", "int8", "int64"):
            y = xr.DataArray(np.array([1, 2, 2], kind), dims="i", attrs=flags)
            cube = y.ordinal.confusion(y, classes="flags")
            assert cube.values.tolist() == [[1, 0], [0, 2]]


def test_bits_with_meanings() -> None:
    quality = {
        "flag_masks": np.array([3, 3, 3, 4], "uint8"),
        "flag_values": np.array([0, 1, 2, 4], "uint8"),
        "flag_meanings": "good fair bad cloud",
    }
    q = xr.DataArray(np.array([0, 1, 6], "uint8"), dims="i", name="q", attrs=quality)
    for classes in (None, "flags", ["good", "fair", "bad"]):
        with pytest.raises(ClassOrderError, match="flag_masks") as error:
            q.ordinal.confusion(q, classes=classes)
    bits = run(line_in(error, r"\(q & 3\)\.drop_attrs\(\)"), q=q)
    cube = bits.ordinal.confusion(bits, classes=["good", "fair", "bad"])
    assert cube.values.diagonal().tolist() == [1, 1, 1]
