"""Slips that users make: each gets an error that says what to do instead."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, MissingValueError, UnknownClassError

DF = pd.DataFrame(
    {"y": [0, 1, 2, 2], "yhat": [0, 2, 2, 1], "g": ["a", "a", "b", "b"], "w": [1.0, 2, 3, 4]}
)
CUBE = DF.ordinal.confusion("y", "yhat", by="g")


@pytest.mark.parametrize(
    "call",
    [
        lambda: DF.ordinal.oci(DF.y, DF.yhat),
        lambda: DF.ordinal.oci("y", DF.yhat),
        lambda: DF.ordinal.oci(["y"], "yhat"),
        lambda: DF.ordinal.oci((["y"],), "yhat"),
        lambda: DF.ordinal.oci("y", "yhat", by=(["g"],)),
        lambda: DF.ordinal.oci("y", {"yhat"}),
        lambda: DF.ordinal.oci("y", "yhat", by=DF.g),
        lambda: DF.ordinal.oci("y", "yhat", by=[DF.g]),
        lambda: DF.ordinal.oci("y", "yhat", by=lambda row: row),
        lambda: DF.ordinal.oci("y", "yhat", sample_weight=DF.w),
        lambda: DF.ordinal.oci("y", "yhat", sample_weight=[1, 1, 1, 1]),
    ],
)
def test_data_where_a_label_is_due(call: Any) -> None:
    with pytest.raises(TypeError, match="takes the label of a column.*give its name"):
        call()


def test_names_of_labels_may_come_in_an_index() -> None:
    assert DF.ordinal.mae("y", "yhat", by=pd.Index(["g"])).to_dict() == {"a": 0.5, "b": 0.5}


def test_columns_are_suggested_whatever_their_case() -> None:
    with pytest.raises(KeyError, match="did you mean 'yhat'"):
        DF.ordinal.mae("y", "Yhat")
    with pytest.raises(KeyError, match="reset_index"):
        DF.set_index("y").ordinal.mae("y", "yhat")
    with pytest.raises(ValueError, match="did you mean 'mae'"):
        DF.ordinal.report("y", "yhat", metrics=["MAE"])


@pytest.mark.parametrize("metrics", [po.metrics.oci, [["mae"]], b"mae", 3, [len], {"x": 1}])
def test_metrics_are_names_or_functions(metrics: Any) -> None:
    with pytest.raises(ValueError, match="metrics.*=|give a name"):
        DF.ordinal.report("y", "yhat", metrics=metrics)


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("wrong", [CUBE - 1, CUBE.where(CUBE > 0), CUBE * np.inf])
def test_what_are_no_counts(wrong: xr.DataArray, chunked: bool) -> None:
    cube = wrong.chunk() if chunked else wrong
    with pytest.raises(ValueError, match="counts hold"):
        cube.ordinal.normalize("true").compute()
    with pytest.raises(ValueError, match="counts hold"):
        po.add(cube, CUBE).compute()
    with pytest.raises(ValueError, match="counts hold"):
        cube.ordinal.mae().compute()


def test_kernels_do_not_read_named_axes_by_position() -> None:
    labels = xr.DataArray([0, 1, 1], dims="case")
    rows = {
        "scores": (labels, [1, 2, 3], 2),
        "probabilities": (labels, [[0.5, 0.5]] * 3),
    }
    for name, metric in po.metrics.registry.items():
        values = {"costs": np.eye(3), "beta2": 0.1, "other": [1, 2, 3]}
        options = {option: values[option] for option in metric.required}
        with pytest.raises(ValueError, match=r"(cube|true)\.ordinal"):
            metric.kernel(*rows.get(metric.needs, (CUBE,)), **options)
        assert name in dir(CUBE.ordinal)
    with pytest.raises(ValueError, match=r"score is an array with named dimensions"):
        po.metrics.vus([0, 1, 1], labels, 2)


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


@pytest.mark.parametrize("sizes", [{0: 1, 1: 1, 2: 1}, "all", [[1], [2, 3]], [1, np.nan, 1]])
def test_options_that_are_no_arrays(sizes: Any) -> None:
    with pytest.raises(ValueError, match="class_sizes="):
        DF.ordinal.stc("y", "yhat", class_sizes=sizes)


def test_unweighted_kappa_is_called_identity() -> None:
    with pytest.raises(ValueError, match="identity"):
        DF.ordinal.kappa("y", "yhat", weights=None)


def test_errors_of_the_signature_name_the_method() -> None:
    with pytest.raises(TypeError, match=r"FrameOrdinal\.oci\(\).*'Beta'"):
        DF.ordinal.oci("y", "yhat", Beta=1)
    with pytest.raises(TypeError, match=r"GroupByOrdinal\.mae\(\).*'by'"):
        DF.groupby("g").ordinal.mae("y", "yhat", by="g")
    with pytest.raises(ValueError, match="confusion"):  # a cube takes bins first
        xr.DataArray([0, 1], dims="i").ordinal.mae(xr.DataArray([0, 1], dims="i"))


def test_a_missing_time_key_belongs_to_no_group() -> None:
    times = pd.to_datetime(["2024-01-05", "2024-02-05", None])
    df = pd.DataFrame({"t": times, "y": [0, 0, 0], "yhat": [0, 1, 2]})
    groups = df.groupby(pd.Grouper(key="t", freq="MS"), dropna=False)
    report = groups.ordinal.report("y", "yhat", metrics=["mae"])
    assert report["n"].tolist() == [1, 1]
    assert report["mae"].tolist() == [0, 1]


def test_a_users_metric_changes_nothing() -> None:
    def spoil(counts: Any) -> Any:
        counts[..., 0, 0] = 0
        return counts.sum((-1, -2))

    before = CUBE.copy(deep=True)
    for report in (CUBE.ordinal.report, lambda **o: DF.ordinal.report("y", "yhat", by="g", **o)):
        with pytest.raises(ValueError, match="read-only"):
            report(metrics={"spoil": spoil})
    assert CUBE.identical(before)


def test_a_label_array_with_a_missing_code_or_a_class() -> None:
    labels = xr.DataArray([0, -1, 2], dims="i")
    with pytest.raises(ClassOrderError, match="-1.*classes="):
        labels.ordinal.confusion(labels)
    with pytest.raises(MissingValueError):
        labels.ordinal.confusion(labels, classes=["a", "b", "c"])
    assert labels.ordinal.confusion(labels, classes=[-1, 0, 1, 2]).sum() == 3


def test_options_without_labels_are_taken_in_order() -> None:
    call = DF.ordinal.stc
    listed = call("y", "yhat", classes=[2, 1, 0], class_sizes=[10, 5, 1])
    bare = xr.DataArray([10, 5, 1], dims="true")
    assert call("y", "yhat", classes=[2, 1, 0], class_sizes=bare) == listed
    labelled = bare.assign_coords(true=[2, 1, 0])
    assert call("y", "yhat", classes=[2, 1, 0], class_sizes=labelled[::-1]) == listed
    with pytest.raises(ValueError, match="'pred'"):
        CUBE.ordinal.stc(class_sizes=CUBE.sum(["g", "true"]))


def test_class_dimensions_are_not_counted_over() -> None:
    with pytest.raises(ValueError, match="'true'.*rename"):
        CUBE.ordinal.confusion(CUBE)


@pytest.mark.parametrize("dim", [("s", "a"), ["s", "a"], ..., None])
def test_dimensions_are_named_as_in_xarray(dim: Any) -> None:
    labels = xr.DataArray([[0, 1], [2, 2]], dims=("s", "a"))
    assert labels.ordinal.confusion(labels, dim=dim).dims == ("true", "pred")
    with pytest.raises(ValueError, match="dim="):
        labels.ordinal.confusion(labels, dim=["s", "s"])


def test_the_printed_classes_are_those_of_all_columns() -> None:
    df = pd.DataFrame({"y": ["lo", "hi", "lo"], "yhat": ["lo", "mid", "hi"]})
    with pytest.raises(ClassOrderError, match=r"\['lo', 'hi', 'mid'\]"):
        df.ordinal.mae("y", "yhat")


def test_nan_in_a_nullable_column_is_missing() -> None:
    y = pd.array([0.0, 1, 0], "Float64") / pd.array([1.0, 1, 0], "Float64")
    df = pd.DataFrame({"y": y, "yhat": [0, 1, 1]})
    with pytest.raises(MissingValueError, match="1 missing"):
        df.ordinal.mae("y", "yhat")
    assert df.ordinal.report("y", "yhat", dropna=True, metrics=["mae"]).tolist() == [2, 0]


def test_the_same_classes_in_another_dtype_add_up() -> None:
    nullable = DF.astype({"y": "Int64", "yhat": "Int64"})
    other = nullable.ordinal.confusion("y", "yhat", by="g", classes=nullable["y"].unique()[:3])
    assert int(po.add(CUBE, other).sum()) == 8


def test_adding_what_is_no_cube() -> None:
    with pytest.raises(TypeError, match=r"po\.add\(\*cubes\)"):
        po.add([CUBE, CUBE])  # type: ignore[arg-type]


@pytest.mark.parametrize("scale", [1e-170, 1e160, 1e300])
@pytest.mark.parametrize(
    "name", ["kappa", "pearson", "somers_d", "goodman_kruskal_gamma", "ndpm", "kendall_tau"]
)
def test_no_scale_of_the_weights_is_too_extreme(name: str, scale: float) -> None:
    counts = np.array([[3.0, 1], [0, 4]])
    kernel = po.metrics.registry[name].kernel
    assert kernel(counts * scale) == pytest.approx(kernel(counts))


def test_unknown_label_of_an_array_of_codes() -> None:
    labels = xr.DataArray([0, 3], dims="i", name="grade")
    with pytest.raises(UnknownClassError, match="'grade' holds 3.*codes are 0 to 1"):
        labels.ordinal.confusion(labels, classes=["a", "b"])


def test_a_weight_array_is_called_by_its_name() -> None:
    labels = xr.DataArray([0, 1], dims="i")
    weight = xr.DataArray([1.0, -1.0], dims="i", name="ww")
    with pytest.raises(ValueError, match="sample_weight 'ww' holds 1 value"):
        labels.ordinal.confusion(labels, sample_weight=weight)


def test_half_a_label_is_none() -> None:
    costs = xr.DataArray(np.eye(3), {"pred": [2, 1, 0]}, dims=("true", "pred"))
    with pytest.raises(ValueError, match="'pred' only"):
        DF.ordinal.expected_cost("y", "yhat", costs=costs)
    both = costs.assign_coords(true=[0, 1, 2])
    assert DF.ordinal.expected_cost("y", "yhat", costs=both) == 0


def test_counts_beyond_floats() -> None:
    with pytest.raises(ValueError, match="add up"):
        po.metrics.accuracy([[1e308, 1e308], [0, 0]])


def test_names_of_metrics_may_come_in_an_index() -> None:
    report = DF.ordinal.report("y", "yhat", metrics=pd.Index(["mae"]))  # type: ignore[arg-type]
    assert list(report.index) == ["n", "mae"]


def test_a_subclass_may_override_a_metric() -> None:
    class Mine(type(DF.ordinal)):  # type: ignore[misc]
        def rmse(self, *args: Any, **kwargs: Any) -> Any:
            return "mine", super().rmse(*args, **kwargs)

    mine = Mine(DF)
    assert mine.rmse("y", "yhat") == mine.rmse("y", "yhat") == ("mine", 0.5**0.5)


def test_no_label_is_no_index_level() -> None:
    with pytest.raises(KeyError) as caught:
        DF.ordinal.mae("y", None)
    assert "reset_index" not in str(caught.value)
