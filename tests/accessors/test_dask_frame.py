"""`.ordinal` on a Dask DataFrame: what pandas gives of the same rows, once it is computed."""

from __future__ import annotations

import io
import os
import pickle
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import brute
import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest
import xarray as xr
from dask.diagnostics import ProgressBar
from hypothesis import given, settings
from hypothesis import strategies as st
from labelled import OF_ANY_CLASSES
from oracles.strategies import QUICK
from parted import assert_same, cut, parted

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, MissingValueError, UnknownClassError
from pandas_ordinal.metrics import registry

FRAME = brute.frame()
CLASSES = FRAME["y"].cat.categories.tolist()
DECLARED = pd.CategoricalDtype(CLASSES, ordered=True)
SLOW = pytest.mark.slow
READS_FILES = pytest.mark.filterwarnings("ignore:The inplace keyword")  # Dask with pandas 3.1
KEY = pd.CategoricalDtype(["c", "nowhere", "a", "b"])


DDF = parted(cut(FRAME, [0, 60, 61, 150]))


def refuse(*args: Any, **kwargs: Any) -> None:
    raise AssertionError("something was computed")


def options_of(name: str) -> dict[str, Any]:
    values: dict[str, Any] = {"costs": np.ones((4, 4)), "beta2": 0.5, "edges": [0, 1, 3, 6, 10]}
    needed = {name: values[name] for name in registry[name].required if name in values}
    return {**needed, **({"bins": [0, 1, 3, 6, 10]} if registry[name].needs == "edges" else {})}


# what is computed


@pytest.mark.parametrize(
    "scheduler",
    ["threads", *(pytest.param(name, marks=SLOW) for name in ("synchronous", "processes"))],
)
def test_every_metric_gives_what_pandas_gives(scheduler: str) -> None:
    check_every_metric(scheduler=scheduler)


def check_every_metric(scheduler: Any) -> None:
    lazy, cubes, found = {}, {}, {}
    for name in OF_ANY_CLASSES:
        for by in (None, "fold"):
            asked = {"by": by, **options_of(name)}
            found[name, by] = getattr(FRAME.ordinal, name)("y", "yhat", **asked)
            of_arrays = len(registry[name].output) == 2  # which Dask computes apart
            one = getattr(po.ordinal(DDF), name)("y", "yhat", **asked)
            (cubes if of_arrays else lazy)[name, by] = one
    with dask.config.set(scheduler=scheduler):
        computed = dask.compute(lazy)[0] | dask.compute(cubes)[0]
    for case, value in found.items():
        assert_same(computed[case], value)


def recoded(part: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """The same labels under other codes: categories in another order, those of no row left out."""
    part = part.copy()
    for name in ("y", "yhat", "other", "k"):
        labels = part[name].cat.remove_unused_categories() if rng.random() < 0.5 else part[name]
        order = rng.permutation(labels.cat.categories)
        part[name] = labels.cat.set_categories(order, ordered=bool(rng.random() < 0.5))
    return part


def check_partitions(
    seed: int, n_rows: int, n_classes: int, n_cuts: int, by: Any, models: Any, weight: Any,
    missing: bool, ignore: Any,
) -> None:  # fmt: skip
    """Cut random rows into partitions, code each in its own way, and compare with pandas."""
    rng = np.random.default_rng(seed)
    df = brute.frame(n_rows, n_classes, seed)
    df["k"] = pd.Categorical(rng.choice(["a", "b"], n_rows), dtype=KEY)
    df["f"] = rng.integers(0, 4, n_rows) / 4  # sums in any order are exact
    df["some"] = rng.random(n_rows) < 0.7
    df.index = pd.Index(rng.integers(0, 3, n_rows), name="i")
    if missing:
        for name in ("y", "other", "g", "k"):
            df[name] = df[name].where(rng.random(n_rows) < 0.9)
    parts = cut(df, rng.integers(0, n_rows + 1, n_cuts).tolist())
    asked = {"by": by, "sample_weight": weight, "dropna": missing, "ignore": ignore}
    if ignore is not None:
        asked["classes"] = [one for one in df["y"].cat.categories if one != ignore]
        if not asked["classes"]:
            return
    ddf = po.ordinal(parted([recoded(part, rng) for part in parts], df.iloc[:0]))
    metrics = ["accuracy", "mae", "oci", "kappa"]
    report = ddf.report("y", models, metrics=metrics, **asked)
    assert_same(report, df.ordinal.report("y", models, metrics=metrics, **asked))
    cube = ddf.confusion("y", models, **asked).compute()
    found = df.ordinal.confusion("y", models, **asked)
    if "k" in cube.dims:  # all categories of a key, not only those that occur
        assert cube["k"].values.tolist() == KEY.categories.tolist()
        assert cube.sum() == found.sum()
        cube = cube.sel(k=found["k"])
    xr.testing.assert_identical(cube, found)


ANY = given(
    seed=st.integers(0, 2**32 - 1),
    n_rows=st.integers(0, 40),
    n_classes=st.integers(1, 4),
    n_cuts=st.integers(0, 20),  # partitions are added up by eights
    by=st.sampled_from([None, "g", "fold", "k", "i", ["g", "k"], ["fold", "g", "i"]]),
    models=st.sampled_from(["yhat", ["yhat", "other"]]),
    weight=st.sampled_from([None, "w", "f", "some"]),
    missing=st.booleans(),
    ignore=st.sampled_from([None, "c9"]),
)


@settings(QUICK, max_examples=4)
@ANY
def test_any_partitions_of_any_rows(**case: Any) -> None:
    check_partitions(**case)


@SLOW
@settings(QUICK, max_examples=150)
@ANY
def test_many_partitions_of_any_rows(**case: Any) -> None:
    check_partitions(**case)


def test_classes_that_a_partition_lacks() -> None:
    """What a file of categories, read alone, makes of its labels."""
    parts = [
        part.assign(**{name: part[name].astype(str).astype("category") for name in ("y", "yhat")})
        for part in cut(FRAME, [7, 9, 120])
    ]
    whole = FRAME.ordinal.confusion("y", "yhat")
    for meta in (FRAME.iloc[:0], FRAME.iloc[:0].astype({"y": object, "yhat": object})):
        cube = po.ordinal(parted(parts, meta)).confusion("y", "yhat", classes=CLASSES)
        xr.testing.assert_identical(cube.compute(), whole)
    unknown = parted(parts).assign(y=lambda d: d["y"].cat.as_unknown())
    cube = po.ordinal(unknown).confusion("y", "yhat", classes=CLASSES)
    xr.testing.assert_identical(cube.compute(), whole)


@pytest.mark.parametrize("n_classes", [1, 15, 300])
def test_models_and_cells_that_need_more_bytes(n_classes: int) -> None:
    """A group has (K + 1)² cells: 256 of 15 classes, numbered from 0 to 255."""
    rng = np.random.default_rng(n_classes)
    codes = rng.integers(0, n_classes, (4, 60))
    codes[:, :10] = n_classes - 1
    df = pd.DataFrame(dict(zip("abcd", codes, strict=True)))
    asked: dict[str, Any] = {"classes": range(n_classes), "metrics": ["mae", "accuracy"]}
    found = po.ordinal(dd.from_pandas(df, npartitions=3)).report("a", ["b", "c", "d"], **asked)
    pd.testing.assert_frame_equal(
        found.compute(), df.ordinal.report("a", ["b", "c", "d"], **asked)
    )
    cube = po.ordinal(dd.from_pandas(df, npartitions=3)).confusion(
        "a", "d", classes=range(n_classes)
    )
    table = np.zeros((n_classes, n_classes), int)
    np.add.at(table, (codes[0], codes[3]), 1)
    assert np.array_equal(cube, table)


def test_integers_and_booleans() -> None:
    df = pd.DataFrame({"y": [0, 2, 1, 2], "yhat": [0, 1, 1, 2], "b": [True, True, False, True]})
    df["c"] = [True, False, False, True]
    ddf = po.ordinal(parted(cut(df, [1])))
    assert ddf.mae("y", "yhat", classes=range(3)).compute() == 0.25
    assert ddf.mae("b", "c").compute() == df.ordinal.mae("b", "c")


def test_labels_beside_ordered_ones_are_cast_by_label() -> None:
    df = FRAME.assign(yhat=FRAME["yhat"].astype(object))
    assert_same(po.ordinal(parted(cut(df, [80]))).mae("y", "yhat"), df.ordinal.mae("y", "yhat"))


def test_bins() -> None:
    edges = [0, 10, 20, 40]
    rng = np.random.default_rng(0)
    numbers = pd.DataFrame(rng.uniform(0.1, 40, (60, 3)), columns=["y", "yhat", "key"])
    df = numbers.apply(lambda column: column.ordinal.cut(edges))
    df = df[df["key"] != df["key"].cat.categories[1]]
    ddf = po.ordinal(parted(cut(df, [20])))
    assert_same(ddf.report("y", "yhat", by="key"), df.ordinal.report("y", "yhat", by="key"))
    assert_same(ddf.confusion("y", "yhat", by="key"), df.ordinal.confusion("y", "yhat", by="key"))
    assert_same(ddf.interval_mae("y", "yhat"), df.ordinal.interval_mae("y", "yhat"))
    codes = df[["y", "yhat"]].apply(lambda column: column.cat.codes)
    lazy = po.ordinal(parted(cut(codes, [20])))
    asked = {"classes": [0, 1, 2], "bins": edges}
    assert_same(
        lazy.confusion("y", "yhat", **asked), codes.ordinal.confusion("y", "yhat", **asked)
    )
    assert_same(lazy.report("y", "yhat", **asked), codes.ordinal.report("y", "yhat", **asked))


@pytest.mark.parametrize(
    "uncertainty",
    [
        {"ci": 0.9, "se": True},
        {"ci": 0.95, "stratify": "true"},
        {"ci": 0.95, "method": "bootstrap", "n_boot": 50},
    ],
    ids=["influence", "stratified", "bootstrap"],
)
def test_intervals_of_reports(uncertainty: dict[str, Any]) -> None:
    for asked in ({}, {"by": "g", "metrics": ["mae", "oci", "kappa"]}):
        report = po.ordinal(DDF).report("y", ["yhat", "other"], **asked, **uncertainty)
        assert_same(report, FRAME.ordinal.report("y", ["yhat", "other"], **asked, **uncertainty))


def test_functions_of_the_user() -> None:
    linear = partial(po.metrics.kappa, weights="linear")
    metrics = {"kappa": linear, "share": lambda c: np.trace(c, 0, -2, -1) / c.sum((-2, -1))}
    report = po.ordinal(DDF).report("y", "yhat", metrics=metrics, by="fold")
    assert_same(report, FRAME.ordinal.report("y", "yhat", metrics=metrics, by="fold"))


def test_a_group_without_a_value_gets_the_warning_of_pandas() -> None:
    df = pd.DataFrame({"y": [1, 1, 0], "yhat": [1, 1, 0], "g": [0, 0, 1]})
    lazy = po.ordinal(parted(cut(df, [1]))).kendall_tau("y", "yhat", by="g", classes=[0, 1])
    with pytest.warns(po.UndefinedMetricWarning, match="kendall_tau is undefined for 0, 1"):
        assert lazy.compute(scheduler="synchronous").isna().all()


# lazy


def test_nothing_is_computed_by_a_call() -> None:
    known = DDF.assign(k=DDF["g"].astype(KEY))
    with dask.config.set(scheduler=refuse):
        ordinal = po.ordinal(known)
        cube = ordinal.confusion("y", ["yhat", "other"], by="k")
        assert cube.shape == (4, 2, 4, 4) and cube.chunks is not None and cube.dtype == np.int64
        assert ordinal.confusion("y", "yhat", sample_weight="w").dtype == float
        declared = ordinal.confusion("y", "yhat", by="g", groups={"g": ["c", "b", "a"]})
        assert declared["g"].values.tolist() == ["c", "b", "a"]
        assert ordinal.cost_matrix("y", "yhat").chunks is not None
        assert type(ordinal.mae("y", "yhat")).__name__ == "Scalar"
        series = ordinal.mae("y", ["yhat", "other"], by=["g", "fold"])
        assert isinstance(series, dd.Series) and series.name == "mae"
        assert isinstance(ordinal.class_recall("y", "yhat"), dd.Series)
        assert isinstance(ordinal.report("y", "yhat", ci=0.95), dd.Series)
        report = ordinal.report("y", "yhat", by="g", metrics=["mae"], se=True)
        assert isinstance(report, dd.DataFrame)
        assert report.columns.tolist() == ["n", "n_classes", "mae", "mae_se"]
        assert (cube.sum("k").ordinal.oci()).chunks is not None
    lazy = {"report": report.dtypes, "computed": report.compute().dtypes}
    assert lazy["report"].equals(lazy["computed"])
    found = FRAME.ordinal.confusion("y", "yhat", by="g").sel(g=["c", "b", "a"])
    xr.testing.assert_identical(declared.compute(), found)


def test_results_are_dask_objects_like_any_other() -> None:
    oci = po.ordinal(DDF).oci("y", "yhat", by="fold")
    found = FRAME.ordinal.oci("y", "yhat", by="fold")
    assert (oci.max() - oci.min()).compute() == found.max() - found.min()
    cube = po.ordinal(DDF).confusion("y", "yhat", by="fold")
    xr.testing.assert_allclose(
        cube.ordinal.oci().compute(), FRAME.ordinal.confusion("y", "yhat", by="fold").ordinal.oci()
    )


def test_a_pass_over_the_keys_reads_nothing_else() -> None:
    read = []

    def part(number: int, columns: Any = None) -> pd.DataFrame:
        read.append(columns)
        return FRAME.iloc[number::2] if columns is None else FRAME.iloc[number::2][columns]

    ddf = dd.from_map(part, range(2), meta=FRAME.iloc[:0])
    cube = po.ordinal(ddf).confusion("y", "yhat", by=["g", "fold"])
    assert read == [["g", "fold"]] * 2
    xr.testing.assert_identical(
        cube.compute(), FRAME.ordinal.confusion("y", "yhat", by=["g", "fold"])
    )
    assert len(read) == 4 and set(read[-1]) == {"y", "yhat", "g", "fold"}


def test_labels_that_are_left_out_are_in_no_cell() -> None:
    """A prediction is missing beside "a", of which none is the last class, and a truth too."""
    df = pd.DataFrame({"y": ["a", "a", "b", None], "yhat": ["a", None, "b", "c"]})
    cube = po.ordinal(parted(cut(df, [1]))).confusion(
        "y", "yhat", classes=["a", "b", "c"], dropna=True
    )
    assert cube.values.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]


def test_a_cube_whose_size_no_integer_holds_is_refused() -> None:
    """Eight keys have 2**64 combinations of their labels."""
    key = pd.Categorical.from_codes([3, 200], dtype=pd.CategoricalDtype(range(256)))
    df = pd.DataFrame({f"k{n}": key for n in range(8)} | {"y": [0, 1], "yhat": [0, 1]})
    with pytest.raises(ValueError, match="cells"):
        po.ordinal(parted([df])).confusion("y", "yhat", by=list(df)[:8], classes=[0, 1])


def test_few_of_many_combinations_of_labels_occur() -> None:
    labels = np.arange(400)
    frame = pd.DataFrame(
        {"y": labels % 3, "yhat": labels // 2 % 3, "k": labels, "l": 1000 - labels}
    )
    lazy = po.ordinal(dd.from_pandas(frame, npartitions=3))
    found = lazy.report("y", "yhat", by=["k", "l"], classes=range(3), metrics=["mae"]).compute()
    due = frame.ordinal.report("y", "yhat", by=["k", "l"], classes=range(3), metrics=["mae"])
    pd.testing.assert_frame_equal(found, due)
    np.testing.assert_array_equal(found["mae"], (frame["y"] - frame["yhat"]).abs())


def test_a_key_that_was_not_there_when_keys_were_looked_up() -> None:
    df = FRAME.copy()
    ddf = dd.from_map(lambda number: df.iloc[number::2], range(2), meta=FRAME.iloc[:0])
    cube = po.ordinal(ddf).confusion("y", "yhat", by="fold")
    df.loc[150, "fold"] = 9
    with pytest.raises(
        ValueError, match=r"data has changed.*'fold' has labels.*not among \[3, 4, 5\]"
    ):
        cube.compute()


def test_the_progress_bar_of_dask() -> None:
    shown = io.StringIO()
    with ProgressBar(out=shown):
        po.ordinal(DDF).report("y", "yhat").compute(scheduler="threads")
    assert "100%" in shown.getvalue()


# refused


@pytest.mark.parametrize("name", ["confusion", "mae", "report"])
def test_unknown_categories_are_refused_before_anything_is_read(name: str) -> None:
    ddf = DDF.assign(yhat=DDF["yhat"].cat.as_unknown())
    with (
        dask.config.set(scheduler=refuse),
        pytest.raises(ClassOrderError, match=r"'yhat' are not known.*CategoricalDtype") as error,
    ):
        getattr(po.ordinal(ddf), name)("y", "yhat")
    cast = str(error.value).partition("in order, ")[2].partition(", or give")[0]
    exec(cast.replace("[<lowest>, ..., <highest>]", repr(CLASSES)), {"ddf": ddf, "pd": pd})
    assert_same(
        getattr(po.ordinal(ddf), name)("y", "yhat"), getattr(FRAME.ordinal, name)("y", "yhat")
    )


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"y": [0, 1], "yhat": [0, 1]}, r"'y' \(int64\).*classes=range"),
        ({"y": ["a", "b"], "yhat": ["a", "b"]}, r"'y' .*classes=\[<lowest>, ..., <highest>\]"),
        ({"y": [0.0, 1], "yhat": [0.0, 1]}, r"'y' \(float64\)"),
        ({"y": [True, False], "yhat": [0, 1]}, r"'yhat' \(int64\)"),
    ],
    ids=["integers", "text", "floats", "mixed"],
)
def test_classes_that_only_the_rows_tell(columns: dict[str, Any], message: str) -> None:
    ddf = parted(cut(pd.DataFrame(columns), [1]))
    with dask.config.set(scheduler=refuse), pytest.raises(ClassOrderError, match=message):
        po.ordinal(ddf).mae("y", "yhat")


def test_what_the_gate_refuses_is_refused_before_anything_is_read() -> None:
    ordinal = po.ordinal(DDF)
    other = pd.CategoricalDtype(CLASSES[::-1], ordered=True)
    reverse = po.ordinal(DDF.assign(yhat=DDF["yhat"].astype(other)))
    with dask.config.set(scheduler=refuse):
        with pytest.raises(KeyError, match="no column 'yhta'; did you mean 'yhat'"):
            ordinal.mae("y", "yhta")
        with pytest.raises(TypeError, match="takes the label of a column"):
            ordinal.mae("y", FRAME["yhat"])
        with pytest.raises(TypeError, match="takes the label of a column"):
            ordinal.mae(DDF["y"], DDF["yhat"])
        with pytest.raises(TypeError, match=r"not a dask Series: .* ddf\.assign\("):
            ordinal.mae("y", "yhat", by=DDF["fold"])
        with pytest.raises(ClassOrderError, match="'yhat' declares the classes c6 < c7"):
            reverse.mae("y", "yhat")
        with pytest.raises(KeyError, match="no column 'nowhere'"):
            ordinal.confusion("y", "yhat", by="nowhere")
        with pytest.raises(ValueError, match="two dimensions 'true'"):
            po.ordinal(DDF.rename(columns={"g": "true"})).confusion("y", "yhat", by="true")
        with pytest.raises(ValueError, match="unknown metric 'mea'; did you mean"):
            ordinal.report("y", "yhat", metrics=["mea"])
        with pytest.raises(ValueError, match="metrics=5 must be a list"):
            ordinal.report("y", "yhat", metrics=5)
        with pytest.raises(ValueError, match="weights"):
            ordinal.kappa("y", "yhat", weights="cubic")
        with pytest.raises(ValueError, match="cannot be combined|ranges"):
            ordinal.report("y", "yhat", ci=0.95, cluster="g", stratify="true")
        with pytest.raises(TypeError, match="'fold' holds objects.*astype"):
            po.ordinal(DDF.astype({"fold": object})).mae("y", "yhat", sample_weight="fold")
        with pytest.raises(TypeError, match="compute"):
            ordinal.mae("y", "yhat", compute=True)
        many = {"fold": range(2**13), "w": range(2**13)}
        with pytest.raises(ValueError, match="2,147,483,648 cells"):
            ordinal.confusion("y", ["yhat", "other"], by=["fold", "w"], groups=many)
        with pytest.raises(
            TypeError, match=r"a dask Series: convert it .* \.compute.*ordinal\(ddf\)"
        ):
            po.ordinal(DDF["y"])
        with pytest.raises(TypeError, match=r"a dask GroupBy: name the keys in by="):
            po.ordinal(DDF.groupby("g"))


def test_groups_that_are_wrong() -> None:
    ordinal = po.ordinal(DDF)
    with dask.config.set(scheduler=refuse):
        for groups in (["a", "b"], "g"):
            with pytest.raises(TypeError, match=r"groups= takes a dict .*; by= names the keys"):
                ordinal.mae("y", "yhat", by="g", groups=groups)
        with pytest.raises(ValueError, match="'fold', which is not in by='g'"):
            ordinal.mae("y", "yhat", by="g", groups={"fold": [3, 4]})
        with pytest.raises(ValueError, match="one or more different labels"):
            ordinal.mae("y", "yhat", by="g", groups={"g": ["a", "a"]})
    lazy = ordinal.mae("y", "yhat", by="g", groups={"g": ["c", "b"]})
    with pytest.raises(ValueError, match=r"'g' holds \['a'\].*groups="):
        lazy.compute()
    indexed = po.ordinal(DDF.rename_axis(index="i"))
    for by in ("i", ["g", "i"]):
        with pytest.raises(ValueError, match="'i' is the index.*reset_index"):
            indexed.mae("y", "yhat", by=by, groups={"i": [0, 1]})


def test_declared_groups_are_the_categories_of_a_key() -> None:
    groups = {"g": ["c", "nowhere", "a", "b"]}
    df = FRAME.assign(g=FRAME["g"].astype(pd.CategoricalDtype(groups["g"])))
    report = po.ordinal(DDF).report("y", "yhat", by=["g", "fold"], groups=groups)
    assert_same(report, df.ordinal.report("y", "yhat", by=["g", "fold"]))


def test_a_label_of_a_key_that_is_not_declared_is_found_in_the_pass_over_the_keys() -> None:
    with pytest.raises(ValueError, match=r"key 'g' holds \['c'\], which are not among its labels"):
        po.ordinal(DDF).confusion("y", "yhat", by=["g", "fold"], groups={"g": ["a", "b"]})


def test_keys_of_unknown_categories_go_by_label() -> None:
    ddf = DDF.assign(g=DDF["g"].astype("category"))
    assert not ddf["g"].cat.known
    found = FRAME.ordinal.mae("y", "yhat", by="g")
    mae = po.ordinal(ddf).mae("y", "yhat", by="g").compute()
    assert mae.to_dict() == found.to_dict() and mae.index.tolist() == found.index.tolist()
    cube = po.ordinal(ddf).confusion("y", "yhat", by="g").compute()
    assert cube["g"].values.tolist() == ["a", "b", "c"]
    assert (cube.values == FRAME.ordinal.confusion("y", "yhat", by="g").values).all()


@pytest.fixture
def of_dictionaries(tmp_path: Path) -> Any:
    """Files in which Arrow wrote all text as dictionaries, which Dask treats as known."""
    for number, part in enumerate(cut(FRAME, [50, 51, 120])):
        text = part.astype({"y": str, "yhat": str}).iloc[::-1]  # dictionaries of another order
        columns = {name: pa.array(text[name].tolist()) for name in ("y", "yhat", "g")}
        columns = {name: column.dictionary_encode() for name, column in columns.items()}
        table = pa.table({**columns, "fold": part["fold"].tolist()[::-1]})
        pyarrow.parquet.write_table(table, tmp_path / f"{number}.parquet")
    return dd.read_parquet(tmp_path)


@READS_FILES
@pytest.mark.parametrize("by", ["g", ["fold", "g"]])
def test_keys_that_arrow_wrote_as_dictionaries_go_by_label(by: Any, of_dictionaries: Any) -> None:
    ddf = of_dictionaries
    assert not len(ddf._meta["g"].cat.categories)
    df = FRAME.astype({"g": str})
    ordinal = po.ordinal(ddf)
    mae = ordinal.mae("y", "yhat", by=by, classes=CLASSES).compute()
    errors = (FRAME["y"].cat.codes - FRAME["yhat"].cat.codes).abs()
    assert mae.to_dict() == pytest.approx(
        errors.groupby([df[key] for key in np.atleast_1d(by)]).mean().to_dict()
    )
    cube = ordinal.confusion("y", "yhat", by=by, classes=CLASSES).compute()
    assert cube["g"].values.tolist() == ["a", "b", "c"]
    assert (cube.values == df.ordinal.confusion("y", "yhat", by=by).values).all()
    declared = {"g": ["c", "a", "b"]}
    report = ordinal.report("y", "yhat", by=by, classes=CLASSES, groups=declared).compute()
    found = df.astype({"g": pd.CategoricalDtype(declared["g"])}).ordinal.report("y", "yhat", by=by)
    pd.testing.assert_frame_equal(report, found)


def test_keys_that_stay_arrow_dictionaries_go_by_label() -> None:
    parts = []
    for keys, labels in ((["c", "a", "c"], ["c", "a"]), (["b", "c", "b"], ["b", "c", "none"])):
        codes = pa.array([labels.index(key) for key in keys])
        stored = pa.DictionaryArray.from_arrays(codes, labels)
        column = pd.Series(stored, dtype=pd.ArrowDtype(stored.type))
        parts.append(pd.DataFrame({"g": column, "y": [0, 0, 1], "yhat": [1, 0, 1]}))
    for asked in ({}, {"groups": {"g": ["c", "b", "a"]}}):
        cube = po.ordinal(parted(parts)).confusion("y", "yhat", by="g", classes=[0, 1], **asked)
        counted = {key: cube.compute().sel(g=key).values.tolist() for key in "abc"}
        assert counted == {
            "a": [[1, 0], [0, 0]],
            "b": [[0, 1], [0, 1]],
            "c": [[1, 1], [0, 1]],
        }


@READS_FILES
def test_labels_that_arrow_wrote_as_dictionaries_have_to_be_declared(of_dictionaries: Any) -> None:
    ordinal = po.ordinal(of_dictionaries)
    assert "no ordered Categorical whose classes are known" in repr(ordinal)
    with pytest.raises(
        ClassOrderError, match="categories of column 'y' are not known.*ddf\\['y'\\]"
    ):
        ordinal.mae("y", "yhat")
    declared = of_dictionaries.astype({"y": DECLARED, "yhat": DECLARED})
    for lazy in (po.ordinal(declared).mae("y", "yhat"), ordinal.mae("y", "yhat", classes=CLASSES)):
        assert lazy.compute() == FRAME.ordinal.mae("y", "yhat")


@pytest.mark.parametrize("name", ["mae", "report", "confusion", "score_bounds", "vus"])
def test_no_task_has_the_tables_of_many_partitions(name: str) -> None:
    ordinal = po.ordinal(parted(cut(FRAME, [*range(20, 150, 10)])))
    options: dict[str, Any] = {"edges": [0.5]} if name == "score_bounds" else {}
    column = "yhat" if name in ("mae", "report", "confusion") else "w"
    lazy = getattr(ordinal, name)("y", column, by="g", **options)
    inputs, _ = dask.core.get_deps(dict(lazy.__dask_graph__()))
    adding = {key: of_task for key, of_task in inputs.items() if "_sum_tables" in str(key)}
    n_tables = [len(of_task) for of_task in (adding if name == "vus" else inputs).values()]
    assert max(n_tables) == 2


@pytest.mark.parametrize("by", ["key", ["key", "fold"], ["fold", "key"]])
def test_categories_of_parts_are_labels(by: str | list[str]) -> None:
    """Each part has categories of its own, in its own order, some without rows, some missing."""
    numbers = [[3, 1], [2, 1, 9], [2]]
    parts = [
        FRAME.assign(
            key=pd.Categorical(np.resize([*labels[:2], np.nan], len(FRAME)), categories=labels)
        )
        for labels in numbers
    ]
    declared = pd.Categorical([], categories=["__UNKNOWN_CATEGORIES__"])
    meta = FRAME.iloc[:0].assign(key=declared)
    ddf = parted(parts, meta)
    assert not ddf["key"].cat.known
    df = pd.concat(parts).dropna(subset="key").astype({"key": int})
    for name in ("mae", "report"):
        found = getattr(po.ordinal(ddf), name)("y", "yhat", by=by, dropna=True)
        assert_same(found, getattr(df.ordinal, name)("y", "yhat", by=by, dropna=True))


def test_intervals_of_a_selection() -> None:
    selected = DDF.assign(some=DDF["fold"] == 3)
    assert_same(
        po.ordinal(selected).report("y", "yhat", se=True, sample_weight="some"),
        FRAME[FRAME["fold"] == 3].ordinal.report("y", "yhat", se=True),
    )


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"y": None}, MissingValueError, "column 'y' holds 1 missing value"),
        ({"yhat": "c1"}, UnknownClassError, r"column 'yhat' holds \['c1'\]"),
        ({"g": None}, MissingValueError, "key 'g' is missing in 1 row"),
        ({"w": -1}, ValueError, "'w'.*negative"),
    ],
    ids=["missing", "unknown", "key", "weight"],
)
def test_a_bad_row_of_any_partition_is_an_error(
    change: dict[str, Any], error: type[Exception], message: str
) -> None:
    (name, value), *_ = change.items()
    df = FRAME.astype({name: object})
    df.iloc[170, df.columns.get_loc(name)] = value
    df = df.astype({"w": float})
    ddf = po.ordinal(parted(cut(df, [50, 100, 150])))
    lazy = ddf.report("y", "yhat", by="g", sample_weight="w", classes=CLASSES)
    with pytest.raises(error, match=message):
        lazy.compute()


# files


def folder_of(path: Path) -> list[str]:
    files = [str(path / f"part {number}.parquet") for number in range(4)]
    for file, part in zip(files, cut(FRAME, [50, 100, 150]), strict=True):
        po.ordinal(part).to_parquet(file)
    return files


def test_files_of_parquet(tmp_path: Path) -> None:
    ddf = dd.from_map(po.read_parquet, folder_of(tmp_path))
    assert_same(po.ordinal(ddf).report("y", "yhat"), FRAME.ordinal.report("y", "yhat"))
    plain = dd.read_parquet(tmp_path)
    with pytest.raises(ClassOrderError, match="'y' are not known"):
        po.ordinal(plain).mae("y", "yhat")
    lazy = po.ordinal(plain).report("y", "yhat", classes=CLASSES)
    assert_same(lazy, FRAME.ordinal.report("y", "yhat"))


def cut_off(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:2000])


def flip(file: Path) -> None:
    held = bytearray(file.read_bytes())
    held[60] ^= 255
    file.write_bytes(held)


@pytest.mark.parametrize("damage", [cut_off, flip])
def test_a_damaged_file_fails_with_its_name(damage: Any, tmp_path: Path) -> None:
    files = folder_of(tmp_path)
    ordinal = po.ordinal(dd.from_map(po.read_parquet, files))
    lazy = [ordinal.mae("y", "yhat"), ordinal.report("y", "yhat", by="g")]
    lazy.append(ordinal.confusion("y", "yhat"))
    damage(Path(files[2]))
    for one in lazy:
        with pytest.raises(OSError, match=r"part 2\.parquet"):
            one.compute()


# registered


def run(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@SLOW
def test_registered_where_dask_is_imported_before() -> None:
    frame = 'ddf = dd.from_pandas(pd.DataFrame({"y": [True], "yhat": [True]}), npartitions=1)\n'
    score = 'assert po.ordinal(ddf).mae("y", "yhat").compute() == 0\n'
    run(
        "import dask.dataframe as dd, pandas as pd, pandas_ordinal as po\n"
        + frame
        + 'assert ddf.ordinal.mae("y", "yhat").compute() == 0\n'
        + score
    )
    run(
        "import sys, pandas_ordinal as po\nassert 'dask.dataframe' not in sys.modules\n"
        + "import dask.dataframe as dd, pandas as pd\n"
        + frame
        + "assert not hasattr(ddf, 'ordinal')\n"
        + score
    )


# other processes


def test_what_is_lazy_can_be_pickled() -> None:
    lazy = pickle.loads(pickle.dumps(po.ordinal(DDF).mae("y", "yhat", by="g")))
    assert_same(lazy, FRAME.ordinal.mae("y", "yhat", by="g"))


@SLOW
def test_a_cluster_gives_what_pandas_gives(client: Any) -> None:
    by = ["g", "fold"]
    share = {"share": lambda c: np.trace(c, 0, -2, -1) / c.sum((-2, -1)), "oci": "oci"}
    ordinal = po.ordinal(DDF)
    assert_same(
        ordinal.report("y", "yhat", by=by, metrics=share, ci=0.95),
        FRAME.ordinal.report("y", "yhat", by=by, metrics=share, ci=0.95),
    )
    cube = ordinal.confusion("y", ["yhat", "other"], by=by).persist()
    xr.testing.assert_identical(
        cube.compute(), FRAME.ordinal.confusion("y", ["yhat", "other"], by=by)
    )
    text = po.ordinal(DDF.astype({"y": object, "yhat": object}))
    with pytest.raises(UnknownClassError, match="'y' holds"):
        text.mae("y", "yhat", classes=["c6"]).compute()


@SLOW
def test_every_metric_on_a_cluster(client: Any) -> None:
    check_every_metric(scheduler=client)


@SLOW
def test_a_worker_killed_in_the_middle_loses_nothing(client: Any, tmp_path: Path) -> None:
    flag, parts = str(tmp_path / "killed"), cut(FRAME, range(20, 200, 20))

    def read(number: int) -> pd.DataFrame:
        if number == 5:
            try:
                os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                return parts[number]
            os.kill(os.getpid(), signal.SIGKILL)
        return parts[number]

    ddf = po.ordinal(dd.from_map(read, range(len(parts)), meta=FRAME.iloc[:0]))
    assert_same(ddf.confusion("y", "yhat"), FRAME.ordinal.confusion("y", "yhat"))
    assert os.path.exists(flag)
    os.remove(flag)
    assert_same(ddf.u_pairs("y", "yhat"), FRAME.ordinal.u_pairs("y", "yhat"), rtol=1e-12)
    assert os.path.exists(flag)


@SLOW
def test_the_example_runs_on_a_cluster_of_its_own() -> None:
    example = Path(__file__).parents[2] / "examples" / "large.py"
    command = [sys.executable, str(example), "--files", "3", "--rows", "1000"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "3,000 rows × 6 columns, 3 files" in done.stdout
    assert "\nequal" in done.stdout
    assert "M rows per second, at most" in done.stdout


@pytest.mark.parametrize("name", ["summary", "plot_roc", "best_thresholds"])
def test_methods_that_read_rows(name: str) -> None:
    ddf = dd.from_pandas(pd.DataFrame({"y": [0, 1], "a": [0, 1], "b": [1, 1]}), npartitions=2)
    with pytest.raises(
        AttributeError, match=rf"rows.*ddf\[\[.*\.compute\(\)\.ordinal\.{name}\("
    ) as e:
        getattr(po.ordinal(ddf), name)
    assert "did you mean" not in str(e.value)
    assert hasattr(ddf[["y", "a", "b"]].compute().ordinal, name)


def assert_told_before(lazy: Any) -> None:
    """What is lazy is known to have the kind, the names and the dtypes of what is computed."""
    empty, computed = lazy._meta, lazy.compute(scheduler="synchronous")
    assert len(empty) == 0 < len(computed)
    if computed.ndim == 1:
        assert (type(empty), empty.name, empty.dtype) == (
            pd.Series, computed.name, computed.dtype,
        )  # fmt: skip
    else:
        assert type(empty) is pd.DataFrame
        pd.testing.assert_series_equal(empty.dtypes, computed.dtypes)
    assert type(empty.index) is type(computed.index)
    assert empty.index.names == computed.index.names
    for place in range(computed.index.nlevels):
        told, found = (index.get_level_values(place) for index in (empty.index, computed.index))
        assert told.dtype == found.dtype


@pytest.mark.parametrize("by", [None, "g", "fold", ["fold", "k"]])
def test_what_is_lazy_tells_its_kind_before_it_is_computed(by: Any) -> None:
    frame = FRAME.assign(
        score=np.arange(200) % 7, k=FRAME["g"].astype("category"), half=np.arange(200) % 2
    )
    lazy = po.ordinal(parted(cut(frame, [60, 61])))
    models = ["yhat", "other"]
    reports: dict[str, Any] = {"by": by, "metrics": ["mae", "oci"], "ci": 0.9, "cluster": "half"}
    for found in (
        lazy.class_recall("y", "yhat", by=by),
        lazy.mae("y", models, by=by),
        lazy.class_report("y", models, by=by, ci=0.9),
        lazy.cut_report("y", "yhat", by=by),
        lazy.report("y", models, by=by),
        lazy.report("y", models, **reports),
        lazy.report("y", "yhat", **reports),
        lazy.compare("y", models, by=by, metrics=["mae"]),
        lazy.u_pairs("y", ["score", "half"], by=by),
        lazy.score_bounds("y", "score", edges=[2, 5], by=by),
    ):
        assert_told_before(found)


def test_a_number_is_told_to_be_one_before_it_is_computed() -> None:
    lazy = po.ordinal(parted(cut(FRAME.assign(score=np.arange(200) % 7), [60])))
    for number in (lazy.mae("y", "yhat"), lazy.u_pairs("y", "score")):
        assert isinstance(number._meta, float)
        assert isinstance(number.compute(), float)


def test_categories_of_columns_that_are_not_scored_do_not_matter() -> None:
    """Neither if they differ between the parts, nor if they come first."""
    parts = cut(FRAME, [60, 150])
    levels = [CLASSES, CLASSES[::-1], CLASSES[1:] + CLASSES[:1]]
    unlike = []
    for part, order in zip(parts, levels, strict=True):
        y, yhat = (part[name].cat.set_categories(order) for name in ("y", "yhat"))
        other = pd.Categorical(["x"] * len(part), [*order[:1], "x"])
        part = part.drop(columns=["y", "yhat"]).assign(y=y, yhat=yhat)
        part.insert(0, "aside", other)
        unlike.append(part)
    meta = FRAME.iloc[:0].copy()
    meta.insert(0, "aside", pd.Categorical([], ["x", "z"]))
    lazy = po.ordinal(parted([part[meta.columns] for part in unlike], meta))
    assert lazy.mae("y", "yhat").compute() == FRAME.ordinal.mae("y", "yhat")
    assert_same(lazy.confusion("y", "yhat", by="g"), FRAME.ordinal.confusion("y", "yhat", by="g"))
