"""`.ordinal` on every object: how it is registered, and what its methods are called with."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pickle
import re
import subprocess
import sys
import warnings
from functools import partial
from importlib.resources import files
from types import SimpleNamespace
from typing import Any, get_overloads

import brute
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from labelled import A01, DF, OF_LABELS

import pandas_ordinal as po
from pandas_ordinal import accessors
from pandas_ordinal.accessors import typing as methods
from pandas_ordinal.accessors.array import ArrayOrdinal
from pandas_ordinal.accessors.base import Ordinal
from pandas_ordinal.accessors.dask_frame import DaskOrdinal
from pandas_ordinal.accessors.dataset import DatasetOrdinal
from pandas_ordinal.accessors.frame import FrameOrdinal
from pandas_ordinal.accessors.groupby import GroupByOrdinal
from pandas_ordinal.accessors.lift import Composed, Lifted
from pandas_ordinal.accessors.series import SeriesOrdinal
from pandas_ordinal.metrics import registry


def run(code: str, *flags: str) -> str:
    done = subprocess.run([sys.executable, *flags, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


FRAME = brute.scored(480)
OBJECTS = [pd.DataFrame, pd.Series, pd.api.typing.DataFrameGroupBy, xr.DataArray, xr.Dataset]


def cube_of(df: pd.DataFrame = FRAME, **options: Any) -> xr.DataArray:
    return df.ordinal.confusion("y", "yhat", **options)


CLASSES = FRAME["y"].cat.categories.tolist()
MIXED = [CLASSES[position] for position in (2, 0, 3, 1)]


def dataset() -> xr.Dataset:
    """The rows of the frame along one dimension, and along two."""
    columns = {c: FRAME[c].to_numpy() for c in ("score", "second", "w")}
    rows = xr.Dataset({c: ("sample", values) for c, values in columns.items()})
    rows["y"] = ("sample", FRAME["y"].cat.codes.to_numpy())
    rows["scores"] = (("model", "sample"), np.stack([columns["score"], columns["second"]]))
    rows["proba"] = (("sample", "class"), FRAME[MIXED].to_numpy())
    rows = rows.assign_coords({"class": MIXED, "model": ["score", "second"]})
    return rows.assign(scores_last=rows["scores"].transpose("sample", "model"))


K = 4
Y, YHAT, OTHER = (FRAME[name].cat.codes.to_numpy() for name in ("y", "yhat", "other"))


def table(rows: Any = slice(None), pred: np.ndarray = YHAT, weights: Any = None) -> np.ndarray:
    weights = None if weights is None else weights[rows]
    return brute.counts(Y[rows], pred[rows], K, weights)


WHOLE = table()
ENDS = [-1, 0, 3, 4, np.inf]


# registering


def test_a_used_import_is_enough_and_reloading_is_silent() -> None:
    code = """
import importlib, pandas_ordinal as po
import pandas as pd
assert po.metrics.mae([[1, 1], [0, 2]]) == 0.25
assert pd.Series([0, 1]).ordinal.mae(pd.Series([1, 1])) == 0.5
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


@pytest.mark.parametrize("kind", OBJECTS, ids=lambda kind: kind.__name__)
def test_a_foreign_accessor_gets_one_warning(kind: type) -> None:
    class ForeignOrdinal:
        def __init__(self, obj: Any) -> None:
            pass

    ours = vars(kind)["ordinal"]
    try:
        kind.ordinal = ForeignOrdinal  # type: ignore[attr-defined]
        with pytest.warns(UserWarning, match="ForeignOrdinal") as caught:
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


MOST_ROOMS = 82


def test_the_import_is_light() -> None:
    code = """
import sys, pandas, xarray
before = set(sys.modules)
import pandas_ordinal
heavy = ["dask", "matplotlib", "sklearn", "scipy", "scipy.stats", "zarr", "netCDF4", "h5netcdf"]
print([name for name in heavy if name in sys.modules and name not in before])
print(sorted({m.split(".")[0] for m in set(sys.modules) - before if "." not in m}))
print(sorted(m for m in sys.modules if m.startswith("pandas_ordinal.")))
"""
    heavy, new, own = run(code).splitlines()
    assert heavy == "[]"
    others = {"pandas_ordinal", "difflib", "lazy_loader"}
    assert set(eval(new)) <= others | set(sys.stdlib_module_names)
    rooms = [name.removeprefix("pandas_ordinal.") for name in eval(own)]
    assert len(rooms) <= MOST_ROOMS
    later = ("dataarrays.", "files.", "plot.", "inference.", "sklearn", "accessors.dask_frame")
    assert [room for room in rooms if room.startswith(later)] == []


def test_threads_may_compose_a_method_at_the_same_time() -> None:
    code = """
import threading
import pandas as pd, pandas_ordinal as po
df = pd.DataFrame({"y": [0, 1, 2], "yhat": [0, 2, 2]})
gate = threading.Barrier(16)
results = []
def score():
    gate.wait()
    results.append((df.ordinal.mae("y", "yhat"), df.ordinal.report("y", "yhat", se=True)["mae"]))
threads = [threading.Thread(target=score) for _ in range(16)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(results), set(results) == {(1 / 3, 1 / 3)})
"""
    assert run(code).split() == ["16", "True"]


def test_methods_work_without_docstrings() -> None:
    code = """
import pandas as pd, pandas_ordinal as po
df = pd.DataFrame({"y": [0, 1, 2], "yhat": [0, 2, 2]})
print(df.ordinal.mae("y", "yhat") == df.ordinal.report("y", "yhat", ci=0.95)["mae"])
"""
    assert run(code, "-OO") == "True\n"


def test_a_method_that_has_not_been_used_can_be_mocked() -> None:
    code = """
from unittest import mock
import pandas as pd, pandas_ordinal as po
with mock.patch.object(pd.DataFrame.ordinal, "mae", autospec=True, return_value=7):
    print(pd.DataFrame().ordinal.mae("y", "yhat"))
"""
    assert run(code) == "7\n"


def test_all_that_is_loaded_later_is_there() -> None:
    code = """
import pandas_ordinal as po
from pandas_ordinal import dataarrays, files, inference
for module in (po, po.plot, dataarrays, files, inference):
    print(all(hasattr(module, name) for name in dir(module)))
"""
    assert run(code).split() == ["True"] * 5


# the object: looked at when called, and never changed


def test_the_accessor_of_a_class() -> None:
    for kind in OBJECTS:
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


def test_a_cube_has_no_state() -> None:
    cube = cube_of(by="g")
    again = cube.copy(deep=True)
    cube.ordinal.report()
    cube.ordinal.class_mae()
    xr.testing.assert_identical(cube, again)
    assert cube.ordinal.mae().attrs == {"long_name": "mae", "units": "1"}
    for found in (cube.ordinal.report(), cube.ordinal.normalize("true")):
        assert found.attrs == {}
    assert cube.ordinal is not cube.ordinal
    pickle.loads(pickle.dumps(cube.ordinal.mae()))


def test_a_subclass_may_override_a_metric() -> None:
    class Mine(type(DF.ordinal)):  # type: ignore[misc]
        def rmse(self, *args: Any, **kwargs: Any) -> Any:
            return "mine", super().rmse(*args, **kwargs)

    mine = Mine(DF)
    assert mine.rmse("y", "yhat") == mine.rmse("y", "yhat") == ("mine", 0.5**0.5)


# dir, hasattr and repr of anything


def test_dir_of_the_package_shows_public_names() -> None:
    assert dir(po) == sorted([*po.__all__, "__version__", "sklearn"])
    assert all(hasattr(po, name) for name in dir(po))
    assert importlib.import_module("pandas_ordinal.cube") is po.cube


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
            assert "ordinal" in dict(inspect.getmembers(obj))
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


def test_problems_surface_at_the_call() -> None:
    for df in (pd.DataFrame(), pd.DataFrame({"y": ["a"]})):
        assert "ordinal" in dir(df) and hasattr(df, "ordinal")
        assert repr(df.ordinal)
        with pytest.raises(KeyError, match="'yhat'|'y'"):
            df.ordinal.mae("y", "yhat")
    array = xr.DataArray(["a"], dims="x")
    assert repr(array.ordinal)
    with pytest.raises(ValueError, match="true"):
        array.ordinal.mae()


# po.ordinal, the typed way


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


def test_a_typed_entry_point() -> None:
    # tests/typing/ has what the checkers see
    assert (files("pandas_ordinal") / "py.typed").is_file()
    assert po.ordinal(A01).mae("y", "yhat") == A01.ordinal.mae("y", "yhat")
    assert all(callable(getattr(po.metrics, name)) for name in registry)
    assert all(hasattr(po.ordinal(A01), name) for name in registry)


def test_the_typed_way_to_scores_and_probabilities() -> None:
    ds = dataset()
    assert po.ordinal(FRAME).vus("y", "score") == FRAME.ordinal.vus("y", "score")
    assert po.ordinal(FRAME["y"]).vus(FRAME["score"]) == FRAME.ordinal.vus("y", "score")
    xr.testing.assert_identical(
        po.ordinal(ds).rps("y", "proba", classes=CLASSES),
        po.ordinal(ds["y"]).rps(ds["proba"], classes=CLASSES),
    )


# methods, signatures and docstrings


def test_the_registry_and_the_surfaces_have_the_same_metrics() -> None:
    assert {name for name, value in vars(Ordinal).items() if isinstance(value, Lifted)} == set(
        registry
    )
    for obj in (FRAME, FRAME["y"], FRAME.groupby("g"), xr.DataArray(WHOLE), xr.Dataset()):
        accessor = obj.ordinal
        assert set(registry) <= set(dir(accessor))
        assert {"report", "confusion"} <= set(dir(accessor))
        assert all(callable(getattr(accessor, name)) for name in registry)
    assert set(registry) <= set(po.metrics.__all__)


SURFACE = {
    "frame": FRAME,
    "groupby": FRAME.groupby("g"),
    "series": FRAME["y"],
    "array": xr.DataArray(WHOLE),
    "dataset": xr.Dataset(),
}
ARRAYS = ["counts", "edges", "true", "score", "n_classes", "proba", "sample_weight"]
POSITIONAL = {
    "frame": ["true"],
    "groupby": ["true"],
    "series": [],
    "array": [],
    "dataset": ["true"],
}
EXTRA = {
    "frame": ["by"],
    "groupby": [],
    "series": [],
    "array": ["dim", "by"],
    "dataset": ["dim", "by"],
}
BESIDE = {"counts": "pred", "edges": "pred", "scores": "score", "probabilities": "proba"}


def own_parameters(name: str, surface: str) -> tuple[list[str], list[str]]:
    """The parameters of a surface before the options of the kernel: required, optional."""
    needs = registry[name].needs
    bins = ["bins"] if name in OF_LABELS else []
    within = ["atol"] if needs == "probabilities" else []
    keywords = [*EXTRA[surface], "sample_weight", "classes", *bins, "dropna", "ignore", *within]
    if within and "dim" in keywords:
        keywords += ["member_dim", "fair"]
    return [*POSITIONAL[surface], BESIDE[needs]], keywords


@pytest.mark.parametrize("name", registry)
def test_signature_and_docstring(name: str) -> None:
    kernel = registry[name].kernel
    options = [o for o in inspect.signature(kernel).parameters if o not in ARRAYS]
    for surface, obj in SURFACE.items():
        assert name in dir(obj.ordinal), surface
        method = getattr(obj.ordinal, name)
        parameters = inspect.signature(method).parameters
        by_position, by_keyword = own_parameters(name, surface)
        assert list(parameters) == [*by_position, *by_keyword, *options], surface
        for parameter in parameters.values():
            assert (parameter.kind is inspect.Parameter.KEYWORD_ONLY) == (
                parameter.name not in by_position
            )
        assert method.__name__ == name
        text = inspect.getdoc(method)
        assert text and text.splitlines()[0] == kernel.__doc__.splitlines()[0], surface
        documented = text.split("Parameters\n----------\n")[1].split("\nReturns\n")[0]
        entries = re.findall(r"^(\w+) : ", documented, re.MULTILINE)
        assert entries == list(parameters), surface
        assert "array_like of int, shape (..., n)" not in documented
        for section in ("Returns", "Notes", "References", "Examples"):
            assert text.count(f"\n{section}\n{'-' * len(section)}\n") == 1, surface


@pytest.mark.parametrize("name", registry)
def test_the_example_is_a_call_of_the_surface(name: str) -> None:
    for surface, obj in SURFACE.items():
        method = getattr(obj.ordinal, name)
        example = inspect.getdoc(method).split("Examples\n--------\n")[1]
        assert f".ordinal.{name}(" in example.splitlines()[-1], surface
        failures: list[str] = []
        (test,) = doctest.DocTestFinder(recurse=False).find(method, name, False, globs={})
        *_, call = test.examples
        call.source = f"value = {call.source}"
        runner = doctest.DocTestRunner(verbose=False)
        result = runner.run(test, out=failures.append, clear_globs=False)
        assert result.attempted >= 4 and not result.failed, (surface, failures)
        value = test.globs["value"]
        assert isinstance(value, (float, pd.Series, xr.DataArray)), surface
        assert np.isfinite(np.asarray(value, float)).any(), surface


@pytest.mark.parametrize("surface", SURFACE)
@pytest.mark.parametrize("name", ["confusion", "report"])
def test_confusion_and_report_are_documented(name: str, surface: str) -> None:
    method = getattr(SURFACE[surface].ordinal, name)
    text = inspect.getdoc(method)
    assert text
    for parameter in inspect.signature(method).parameters:
        assert f"\n{parameter} : " in text.replace("**", "")


ACCESSORS = {
    "frame": FrameOrdinal,
    "series": SeriesOrdinal,
    "groupby": GroupByOrdinal,
    "array": ArrayOrdinal,
    "dataset": DatasetOrdinal,
    "dask": DaskOrdinal,
}
TYPED = [surface for surface in ACCESSORS if surface != "dask"]  # whose results are untyped
PROTOCOLS = {"mae": "Method", "vus": "ScoreMethod", "rps": "ProbaMethod"}


@pytest.mark.parametrize("surface", TYPED)
def test_types_have_the_parameters_of_the_methods(surface: str) -> None:
    accessor = ACCESSORS[surface]
    for name, kind in PROTOCOLS.items():
        protocol = getattr(methods, accessor.__name__.removesuffix("Ordinal") + kind)
        options = {option.name for option in registry[name].options}
        method = inspect.signature(getattr(accessor, name)).parameters
        own = {p.name: p.default for p in method.values() if p.name not in options}
        by_position = [p.name for p in method.values() if p.kind is not p.KEYWORD_ONLY]
        # at run time an overloaded function does not know its own name
        named = SimpleNamespace(
            __module__=protocol.__module__, __qualname__=f"{protocol.__name__}.__call__"
        )
        for call in get_overloads(named) or [protocol.__call__]:
            typed = list(inspect.signature(call).parameters.values())
            barrier = typed.pop(len(by_position))  # no argument has its type
            assert (barrier.name, barrier.annotation) == ("_options_by_name", "Never")
            assert [p.name for p in typed] == [*own, "args", "kwargs"]
            for parameter in typed[1:-2]:  # an overload may ask for what is optional
                allowed = (own[parameter.name], inspect.Parameter.empty, ...)
                assert parameter.default in allowed


@pytest.mark.parametrize("surface", ACCESSORS)
def test_reports_have_the_parameters_of_confusion(surface: str) -> None:
    accessor = ACCESSORS[surface]
    report = set(inspect.signature(accessor.report).parameters)
    confusion = set(inspect.signature(accessor.confusion).parameters)
    assert confusion <= report


def test_what_is_scored_has_its_own_type_in_the_help() -> None:
    annotations = {
        (surface, name): inspect.signature(getattr(accessor, name)).parameters
        for surface, accessor in ACCESSORS.items()
        for name in ("vus", "rps")
    }
    assert annotations["series", "rps"]["proba"].annotation.startswith("ForecastLike")
    assert annotations["frame", "rps"]["proba"].annotation == "ProbaLike"
    assert annotations["frame", "vus"]["score"].annotation == "Hashable | ColumnsLike"


@pytest.mark.parametrize("name", ["mae", "kappa", "vus", "rps", "interval_stc"])
def test_help_says_what_a_surface_refuses(name: str) -> None:
    for surface, accessor in ACCESSORS.items():
        of_cube = surface == "array" and name in OF_LABELS
        text = inspect.getdoc(getattr(accessor, name)).split("\nRaises\n")[1]
        for error in ("ClassOrderError", "UnknownClassError", "MissingValueError"):
            assert error in text
        assert ("counts are negative" in text) == of_cube
        assert ("a label, score, probability, weight or key" in text) == (name in ("vus", "rps"))
    assert "`weights` have an unknown name" in inspect.getdoc(FrameOrdinal.kappa)


# calls that are wrong


@pytest.mark.parametrize("name", registry)
def test_unknown_options_are_type_errors(name: str) -> None:
    given: dict[str, Any] = dict.fromkeys(registry[name].required)
    of_array = () if name in OF_LABELS else ("yhat",)
    for call in (
        partial(getattr(FRAME.ordinal, name), "y", "yhat"),
        partial(getattr(FRAME["y"].ordinal, name), FRAME["yhat"]),
        partial(getattr(FRAME.groupby("g").ordinal, name), "y", "yhat"),
        partial(getattr(FRAME.ordinal.confusion("y", "yhat").ordinal, name), *of_array),
        partial(getattr(xr.Dataset({"y": 0}).ordinal, name), "y", "yhat"),
    ):
        with pytest.raises(TypeError, match="colour"):
            call(**given, colour="red")


def test_required_arguments_are_type_errors() -> None:
    with pytest.raises(TypeError, match="costs"):
        FRAME.ordinal.expected_cost("y", "yhat")
    with pytest.raises(TypeError, match="beta2"):
        FRAME.ordinal.oci_general("y", "yhat")
    with pytest.raises(TypeError, match="pred"):
        FRAME.ordinal.mae("y")


LABELS = xr.DataArray(Y, dims="case")
BY_POSITION: dict[str, tuple[Any, list[Any], str]] = {
    "frame": (FRAME.ordinal, ["y", "yhat", "w"], "by=, sample_weight=, classes="),
    "groupby": (FRAME.groupby("g").ordinal, ["y", "yhat", "w"], "sample_weight=, classes="),
    "series": (FRAME["y"].ordinal, [FRAME["yhat"], FRAME["w"]], "sample_weight=, classes="),
    "array": (LABELS.ordinal, [LABELS, "case"], "dim=, by=, sample_weight=, classes="),
    "dataset": (dataset().ordinal, ["y", "y", "sample"], "dim=, by=, sample_weight=, classes="),
    "dask": (
        po.ordinal(dd.from_pandas(FRAME[["y", "yhat", "w"]], npartitions=2)),
        ["y", "yhat", "w"],
        "by=, sample_weight=, classes=",
    ),
}


@pytest.mark.parametrize("surface", BY_POSITION)
@pytest.mark.parametrize("name", ["mae", "kappa", "vus", "rps", "confusion", "report", "compare"])
def test_options_go_by_name(surface: str, name: str) -> None:
    accessor, given, options = BY_POSITION[surface]
    if name == "compare" and not hasattr(accessor, name):
        return
    named = "" if name in ("report", "compare") else options
    with pytest.raises(TypeError, match=f"too many positional.*; give options by name: {named}"):
        getattr(accessor, name)(*given)


def test_errors_of_the_signature_name_the_method() -> None:
    with pytest.raises(TypeError, match=r"FrameOrdinal\.oci\(\).*'Beta'"):
        DF.ordinal.oci("y", "yhat", Beta=1)
    with pytest.raises(TypeError, match=r"GroupByOrdinal\.mae\(\).*'by'"):
        DF.groupby("g").ordinal.mae("y", "yhat", by="g")


# what another library calls it
CALLED = [
    ("weights", "sample_weight"),
    ("skipna", "dropna"),
    ("dims", "dim"),
    ("axis", "dim"),
    ("sample_weights", "sample_weight"),
    ("ignore_index", "ignore"),
    ("labels", "classes"),
]


@pytest.mark.parametrize(("name", "here"), CALLED)
def test_names_of_other_libraries_are_answered_with_the_name_used_here(
    name: str, here: str
) -> None:
    labels = xr.DataArray([0, 1, 2], dims="i", name="y")
    proba = xr.DataArray(np.eye(3), {"c": [0, 1, 2]}, ("i", "c"))
    ds = labels.to_dataset()
    calls = [
        labels.ordinal.mae, labels.ordinal.report, labels.ordinal.confusion, labels.ordinal.vus,
        partial(ds.ordinal.mae, "y"), partial(ds.ordinal.report, "y"),
        partial(ds.ordinal.confusion, "y"), partial(labels.ordinal.rps, proba),
    ]  # fmt: skip
    if here != "dim":
        calls += [partial(DF.ordinal.mae, "y", "yhat"), partial(DF.ordinal.report, "y", "yhat")]
        calls += [partial(DF["y"].ordinal.mae, DF["yhat"])]
    for call in calls:
        with pytest.raises(TypeError, match=rf"; {name}= is {here}= here"):
            call(**{name: True})


def test_a_metric_with_options_of_that_name_keeps_them() -> None:
    with pytest.raises(TypeError, match=r"; skipna= is dropna= here"):
        DF.ordinal.kappa("y", "yhat", weights="linear", skipna=True)
    with pytest.raises(TypeError, match=r"; Beta= is beta= here"):
        DF.ordinal.oci("y", "yhat", Beta=1)


def test_a_method_that_nothing_has_looked_up_yet_can_be_called() -> None:
    """As `unittest.mock` finds it, in `vars` of the class."""

    class Surface:
        factor = 2

    composed = Composed(Surface, "times", lambda: lambda self, n, more=0: self.factor * n + more)
    Surface.times = composed  # type: ignore[attr-defined]
    assert composed(Surface(), 4, more=1) == 9
    assert vars(Surface)["times"] is not composed


def test_public_names_of_the_package() -> None:
    assert "sklearn" not in po.__all__ and {"metrics", "plot", "ordinal", "pareto"} <= {
        *po.__all__
    }
    assert {*po.__all__, "sklearn", "__version__"} == {*dir(po)} and dir(po) == sorted(dir(po))


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("class_recall", "class_report"),
        ("mae", 'report(..., metrics=["mae"], '),
        ("kappa", 'report(..., metrics=["kappa"], '),
    ],
)
def test_options_of_intervals_are_those_of_the_report_that_shows_a_metric(
    name: str, instead: str
) -> None:
    frame = pd.DataFrame({"y": [0, 1], "yhat": [0, 1]})
    for option, given in (("ci", 0.95), ("cluster", "y")):
        with pytest.raises(TypeError) as raised:
            getattr(frame.ordinal, name)("y", "yhat", **{option: given})
        assert instead in str(raised.value)
        by_class = "class_report" in str(raised.value) or "cut_report" in str(raised.value)
        assert by_class == (instead == "class_report")
