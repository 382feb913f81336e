"""`.ordinal` on pandas and xarray objects: registering, names, errors, the typed way."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys
import warnings
from typing import Any

import brute
import numpy as np
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal import accessors

FRAME = brute.frame(60)
KINDS = [pd.DataFrame, pd.Series, pd.api.typing.DataFrameGroupBy, xr.DataArray, xr.Dataset]


def run(code: str, *flags: str) -> str:
    done = subprocess.run([sys.executable, *flags, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


# registering


def test_reloading_is_silent() -> None:
    code = """
import importlib, pandas as pd, pandas_ordinal as po
for _ in range(2):
    importlib.reload(po)
    importlib.reload(po.accessors)
    po.accessors.register()
df = pd.DataFrame({"y": [0, 1], "yhat": [1, 1]})
assert df.ordinal.mae("y", "yhat") == 0.5
assert po.ordinal(df).mae("y", "yhat") == 0.5
"""
    assert run(code, "-W", "error") == ""


def test_reloading_here() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        importlib.reload(po)
        importlib.reload(po)
    assert FRAME.ordinal.mae("y", "yhat") >= 0


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_foreign_accessor_gets_one_warning(kind: type) -> None:
    class ForeignOrdinal:
        def __init__(self, obj: Any) -> None:
            pass

    ours = vars(kind)["ordinal"]
    try:
        kind.ordinal = ForeignOrdinal  # type: ignore[attr-defined]
        with pytest.warns(UserWarning) as caught:
            accessors.register()
        assert len(caught) == 1
        message = str(caught[0].message)
        assert "ForeignOrdinal" in message and kind.__name__ in message
        assert "pandas_ordinal" in message
        assert type(vars(kind)["ordinal"]) is type(ours)
    finally:
        kind.ordinal = ours  # type: ignore[attr-defined]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        accessors.register()


def test_foreign_accessors_on_two_kinds_get_one_warning() -> None:
    code = """
import warnings, pandas as pd, xarray as xr
@pd.api.extensions.register_dataframe_accessor("ordinal")
class Other:
    def __init__(self, obj): pass
@xr.register_dataarray_accessor("ordinal")
class Third:
    def __init__(self, obj): pass
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import pandas_ordinal as po
mine = [str(w.message) for w in caught if "ordinal" in str(w.message)]
assert len(mine) == 1, mine
assert "Other" in mine[0] and "Third" in mine[0], mine
assert pd.DataFrame({"y": [0], "p": [0]}).ordinal.mae("y", "p") == 0
with warnings.catch_warnings():
    warnings.simplefilter("error")
    po.accessors.register()
"""
    run(code)


def test_subclasses_have_the_accessor() -> None:
    class Frame(pd.DataFrame):
        pass

    assert Frame(FRAME).ordinal.mae("y", "yhat") == FRAME.ordinal.mae("y", "yhat")
    assert po.ordinal(Frame(FRAME)).mae("y", "yhat") == FRAME.ordinal.mae("y", "yhat")


def test_the_import_is_light() -> None:
    code = """
import sys, pandas, xarray
before = set(sys.modules)
import pandas_ordinal
heavy = ["dask", "matplotlib", "sklearn", "scipy", "scipy.stats", "zarr", "netCDF4", "h5netcdf"]
print([name for name in heavy if name in sys.modules and name not in before])
print(sorted({m.split(".")[0] for m in set(sys.modules) - before if "." not in m}))
"""
    heavy, new = run(code).splitlines()
    assert heavy == "[]"
    assert set(eval(new)) <= {"pandas_ordinal", "difflib"} | set(sys.stdlib_module_names)


def test_a_used_import_is_enough() -> None:
    code = """
import pandas_ordinal as po
import pandas as pd
assert po.metrics.mae([[1, 1], [0, 2]]) == 0.25
assert pd.Series([0, 1]).ordinal.mae(pd.Series([1, 1])) == 0.5
"""
    run(code, "-W", "error")


# looking around


ODD_FRAMES = {
    "empty": pd.DataFrame(),
    "no rows": FRAME[:0],
    "no columns": FRAME[[]],
    "duplicate columns": pd.concat([FRAME, FRAME], axis=1),
    "MultiIndex": pd.concat({"a": FRAME, "b": FRAME}, axis=1),
    "integers": FRAME.set_axis(range(FRAME.shape[1]), axis=1),
    "missing label": FRAME.set_axis([np.nan, *FRAME.columns[1:]], axis=1),
    "text": pd.DataFrame({"y": ["a"], "ordinal": ["b"]}),
}


def test_dir_of_the_package_shows_public_names() -> None:
    assert dir(po) == sorted([*po.__all__, "__version__"])
    assert all(hasattr(po, name) for name in dir(po))
    assert importlib.import_module("pandas_ordinal.cube") is po.cube


@pytest.mark.parametrize("kind", ODD_FRAMES)
def test_dir_and_getmembers_of_frames(kind: str) -> None:
    df = ODD_FRAMES[kind]
    assert "ordinal" in dir(df)
    assert hasattr(df, "ordinal") and repr(df.ordinal)
    assert {"mae", "report", "confusion"} <= set(dir(df.ordinal))
    assert "mae" in dict(inspect.getmembers(df.ordinal))
    assert isinstance(df.ordinal, type(FRAME.ordinal))


@pytest.mark.parametrize(
    "array",
    [
        xr.DataArray(0),
        xr.DataArray(["a", "b"]),
        xr.DataArray([]),
        FRAME.ordinal.confusion("y", "yhat"),
        FRAME.ordinal.confusion("y", "yhat").isel(true=[0, 1]),
        FRAME.ordinal.confusion("y", "yhat").chunk(),
    ],
    ids=["scalar", "text", "empty", "cube", "subset", "dask"],
)
def test_dir_and_getmembers_of_arrays(array: xr.DataArray) -> None:
    for obj in (array, array.to_dataset(name="v")):
        assert "ordinal" in dir(obj)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # other attributes warn
            assert "ordinal" in dict(inspect.getmembers(obj, lambda value: not callable(value)))
        assert "report" in dict(inspect.getmembers(obj.ordinal))


@pytest.mark.parametrize("values", [[], ["a"], [0, 1], [None], [0.5]], ids=str)
def test_dir_of_series(values: list[Any]) -> None:
    series = pd.Series(values, dtype=None if values else object)
    assert "ordinal" in dir(series) and hasattr(series, "ordinal")
    assert {"mae", "classes", "as_ordered"} <= set(dir(series.ordinal))


def test_dir_of_a_groupby() -> None:
    grouper = FRAME.groupby("g")
    assert "ordinal" in dir(grouper) and hasattr(grouper, "ordinal")
    assert "report" in dir(grouper.ordinal)


def test_the_accessor_of_a_class() -> None:
    for kind in KINDS:
        assert inspect.isclass(kind.ordinal)
        assert "pandas_ordinal" in kind.ordinal.__module__


def test_accessors_read_the_object_as_it_is_now() -> None:
    df = pd.DataFrame({"y": [0, 1], "yhat": [0, 1]})
    accessor = df.ordinal
    assert accessor.mae("y", "yhat") == 0
    df.loc[0, "yhat"] = 1
    assert accessor.mae("y", "yhat") == 0.5
    df["third"] = [1, 0]
    assert df.ordinal.mae("y", "third") == accessor.mae("y", "third") == 1


def test_nothing_is_changed() -> None:
    df = FRAME.copy()
    df.ordinal.report("y", ["yhat", "other"], by=["g", "fold"], sample_weight="w")
    df.groupby("g").ordinal.report("y", "yhat")
    pd.testing.assert_frame_equal(df, FRAME)


# names


ODD_NAMES = ["ordinal", "count", "name", "size", "index", "columns", "model", "T", "values", "", 0]
ODD_NAMES += [1.5, ("a", "b"), pd.Timestamp("2026-01-01"), True]


@pytest.mark.parametrize("name", ODD_NAMES, ids=str)
@pytest.mark.parametrize("column", ["y", "yhat", "g", "fold"])
def test_columns_of_any_name(name: Any, column: str) -> None:
    labels = [name if label == column else label for label in FRAME.columns]
    df = FRAME.set_axis(pd.Index(labels, dtype=object, tupleize_cols=False), axis=1)
    true, pred, g, fold = (
        name if label == column else label for label in ("y", "yhat", "g", "fold")
    )
    report = df.ordinal.report(true, pred, by=[g, fold])
    expected = FRAME.ordinal.report("y", "yhat", by=["g", "fold"])
    pd.testing.assert_frame_equal(report, expected, check_names=False)
    assert report.index.names == [g, fold]
    assert (
        df.ordinal.mae(true, pred, by=g).tolist()
        == FRAME.ordinal.mae("y", "yhat", by="g").tolist()
    )
    grouped = df.groupby([g, fold]).ordinal.report(true, pred)
    pd.testing.assert_frame_equal(grouped, report)
    wide = df.ordinal.mae(true, [pred, "other"])
    assert wide.tolist() == FRAME.ordinal.mae("y", ["yhat", "other"]).tolist()
    assert list(wide.index) == [pred, "other"]


@pytest.mark.parametrize("name", ODD_NAMES, ids=str)
@pytest.mark.parametrize("column", ["yhat", "g", "fold"])
def test_cubes_of_columns_of_any_name(name: Any, column: str) -> None:
    labels = [name if label == column else label for label in FRAME.columns]
    df = FRAME.set_axis(pd.Index(labels, dtype=object, tupleize_cols=False), axis=1)
    pred, g, fold = (name if label == column else label for label in ("yhat", "g", "fold"))
    cube = df.ordinal.confusion("y", pred, by=[g, fold])
    expected = FRAME.ordinal.confusion("y", "yhat", by=["g", "fold"])
    np.testing.assert_array_equal(cube, expected)
    assert cube.dims == (str(g), str(fold), "true", "pred")
    assert cube.indexes[str(g)].tolist() == ["a", "b", "c"]
    one = df.ordinal.confusion("y", pred, by=g)
    np.testing.assert_array_equal(one, expected.sum("fold"))
    assert one.dims == (str(g), "true", "pred")


def test_multiindex_columns() -> None:
    df = pd.concat({"a": FRAME, "b": FRAME[::-1].reset_index(drop=True)}, axis=1)
    true = ("a", "y")
    expected = FRAME.ordinal.mae("y", "yhat")
    assert df.ordinal.mae(true, ("a", "yhat")) == expected
    found = df.ordinal.mae(true, [("a", "yhat"), ("a", "other")])
    assert found.tolist() == [expected, FRAME.ordinal.mae("y", "other")]
    assert list(found.index) == [("a", "yhat"), ("a", "other")]
    by = df.ordinal.report(true, ("a", "yhat"), by=[("a", "g"), ("a", "fold")])
    expected_by = FRAME.ordinal.report("y", "yhat", by=["g", "fold"])
    pd.testing.assert_frame_equal(by, expected_by, check_names=False)
    assert by.index.names == [("a", "g"), ("a", "fold")]
    one = df.ordinal.report(true, ("a", "yhat"), by=("a", "g"))
    assert one["n"].tolist() == FRAME.ordinal.report("y", "yhat", by="g")["n"].tolist()
    grouped = df.groupby([("a", "g")]).ordinal.mae(true, ("a", "yhat"))
    assert grouped.tolist() == FRAME.ordinal.mae("y", "yhat", by="g").tolist()


def test_cubes_of_multiindex_columns() -> None:
    df = pd.concat({"a": FRAME, "b": FRAME}, axis=1)
    wide = df.ordinal.confusion(("a", "y"), [("a", "yhat"), ("b", "other")])
    np.testing.assert_array_equal(wide, FRAME.ordinal.confusion("y", ["yhat", "other"]))
    assert wide.sel(model=("b", "other")).shape == (4, 4)
    cube = df.ordinal.confusion(("a", "y"), ("a", "yhat"), by=("a", "g"))
    np.testing.assert_array_equal(cube, FRAME.ordinal.confusion("y", "yhat", by="g"))
    assert cube.dims == ("('a', 'g')", "true", "pred")


@pytest.mark.parametrize("label", ["a", ("b", "none"), ("c", "y"), "y"])
def test_partial_and_unknown_multiindex_labels(label: Any) -> None:
    df = pd.concat({"a": FRAME, "b": FRAME}, axis=1)
    for call in (
        lambda: df.ordinal.mae(label, ("a", "yhat")),
        lambda: df.ordinal.mae(("a", "y"), label),
        lambda: df.ordinal.mae(("a", "y"), [("a", "yhat"), label]),
        lambda: df.ordinal.mae(("a", "y"), ("a", "yhat"), by=label),
        lambda: df.ordinal.mae(("a", "y"), ("a", "yhat"), sample_weight=label),
    ):
        with pytest.raises((ValueError, KeyError)) as caught:
            call()
        assert repr(label) in str(caught.value).replace("\\'", "'")


def test_duplicate_labels() -> None:
    df = pd.concat([FRAME, FRAME[["yhat", "g", "w"]]], axis=1)
    for options, name in [
        ({}, "yhat"),
        ({"pred": "other", "by": "g"}, "g"),
        ({"pred": "other", "sample_weight": "w"}, "w"),
    ]:
        call: dict[str, Any] = {"true": "y", "pred": "yhat"} | options
        with pytest.raises(ValueError, match=f"'{name}' names 2 columns"):
            df.ordinal.mae(**call)
    assert df.ordinal.mae("y", "other") == FRAME.ordinal.mae("y", "other")


# errors


BAD_CALLS = {
    "no column": lambda: FRAME.ordinal.mae("nope", "yhat"),
    "no columns": lambda: pd.DataFrame().ordinal.mae("y", "yhat"),
    "list as truth": lambda: FRAME.ordinal.mae(["y"], "yhat"),
    "dict": lambda: FRAME.ordinal.mae("y", {"yhat": 1}),
    "Series as pred": lambda: FRAME.ordinal.mae("y", FRAME["yhat"]),
    "None": lambda: FRAME.ordinal.mae(None, None),
    "number": lambda: FRAME.ordinal.mae("y", 3),
    "set": lambda: FRAME.ordinal.mae("y", {"yhat"}),
    "slice": lambda: FRAME.ordinal.mae(slice(None), "yhat"),
    "Series as weight": lambda: FRAME.ordinal.mae("y", "yhat", sample_weight=FRAME["w"]),
    "metrics": lambda: FRAME.ordinal.report("y", "yhat", metrics=[3]),
    "metrics None": lambda: FRAME.ordinal.report("y", "yhat", metrics=[None]),
    "metrics number": lambda: FRAME.ordinal.report("y", "yhat", metrics=3),
    "metrics functions": lambda: FRAME.ordinal.report("y", "yhat", metrics=[np.mean]),
    "classes": lambda: FRAME.ordinal.mae("y", "yhat", classes=5),
    "unhashable classes": lambda: FRAME.ordinal.mae("y", "yhat", classes=[["a"], ["b"]]),
    "Series": lambda: FRAME["y"].ordinal.mae("yhat"),
    "array": lambda: xr.DataArray([1]).ordinal.mae(),
    "array report": lambda: xr.DataArray([[1]]).ordinal.report(),
    "labels": lambda: xr.DataArray([1]).ordinal.confusion([1]),
    "Dataset": lambda: xr.Dataset().ordinal.mae("y", "yhat"),
    "unhashable labels": lambda: pd.DataFrame({"y": [[1]], "p": [[1]]}).ordinal.mae("y", "p"),
    "mixed labels": lambda: pd.DataFrame({"y": [1, "a"], "p": [1, "a"]}).ordinal.mae("y", "p"),
    "groupby": lambda: FRAME.groupby("g").ordinal.mae("y", "nope"),
    "groupby axis": lambda: FRAME.groupby("g").ordinal.mae(),
}


@pytest.mark.parametrize("name", BAD_CALLS)
def test_errors_are_of_three_kinds(name: str) -> None:
    with pytest.raises((ValueError, TypeError, KeyError)) as caught:
        BAD_CALLS[name]()
    assert str(caught.value).strip()


def test_errors_are_value_errors() -> None:
    for error in (po.ClassOrderError, po.UnknownClassError, po.MissingValueError):
        assert issubclass(error, ValueError)
    assert issubclass(po.UndefinedMetricWarning, UserWarning)


def test_frames_of_no_rows() -> None:
    empty = FRAME[:0]
    assert np.isnan(empty.ordinal.mae("y", "yhat"))
    report = empty.ordinal.report("y", "yhat")
    assert report["n"] == 0 and report.drop("n").isna().all()
    assert empty.ordinal.confusion("y", "yhat").values.tolist() == [[0] * 4] * 4
    assert empty["y"].ordinal.report(empty["yhat"])["n"] == 0
    assert np.isnan(empty.ordinal.class_mae("y", "yhat")).all()
    assert not empty.ordinal.oci_path("y", "yhat").any()
    wide = empty.ordinal.report("y", ["yhat", "other"])
    assert wide["n"].tolist() == [0, 0]
    assert len(empty.ordinal.mae("y", "yhat", by="g")) == 0
    assert len(empty.groupby("g").ordinal.class_mae("y", "yhat")) == 0
    assert empty.ordinal.cost_matrix("y", "yhat", by="g").shape == (0, 4, 4)


# the typed way


def test_ordinal_dispatches() -> None:
    cube = FRAME.ordinal.confusion("y", "yhat")
    expected = FRAME.ordinal.mae("y", "yhat")
    assert po.ordinal(FRAME).mae("y", "yhat") == expected
    assert po.ordinal(FRAME["y"]).mae(FRAME["yhat"]) == expected
    assert po.ordinal(FRAME.groupby("g")).mae("y", "yhat").index.name == "g"
    assert float(po.ordinal(cube).mae()) == pytest.approx(expected)
    for obj in (FRAME, FRAME["y"], FRAME.groupby("g"), cube, xr.Dataset()):
        assert type(po.ordinal(obj)) is type(obj.ordinal)


@pytest.mark.parametrize(
    "obj",
    [None, [[1, 0], [0, 1]], np.eye(2), "y", {}, pd.Index([0]), pd.Series([0]).groupby([0])],
    ids=lambda obj: type(obj).__name__,
)
def test_ordinal_of_other_objects(obj: Any) -> None:
    with pytest.raises(TypeError, match=f"{type(obj).__name__}.*DataFrame"):
        po.ordinal(obj)


def test_py_typed_is_there() -> None:
    from importlib.resources import files

    assert (files("pandas_ordinal") / "py.typed").is_file()
