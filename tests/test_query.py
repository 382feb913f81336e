"""What a call asks about: options that are kept apart from those of kernels."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
from functools import partial
from typing import Any

import brute
import pandas as pd
import pytest
import xarray as xr

from pandas_ordinal.accessors.array import ArrayOrdinal
from pandas_ordinal.accessors.dask_frame import DaskOrdinal
from pandas_ordinal.accessors.dataset import DatasetOrdinal
from pandas_ordinal.accessors.frame import FrameOrdinal
from pandas_ordinal.accessors.groupby import GroupByOrdinal
from pandas_ordinal.accessors.series import SeriesOrdinal
from pandas_ordinal.metrics.metric import SURFACE_PARAMETERS
from pandas_ordinal.query import Agreement, Comparison, Query, Uncertainty

FRAME = brute.frame()
CLASSES = FRAME["y"].cat.categories.tolist()
Y, YHAT, OTHER = (FRAME[name].cat.codes.to_numpy() for name in ("y", "yhat", "other"))
ACCESSORS = {
    "frame": FrameOrdinal,
    "series": SeriesOrdinal,
    "groupby": GroupByOrdinal,
    "array": ArrayOrdinal,
    "dataset": DatasetOrdinal,
    "dask": DaskOrdinal,
}


def test_kernels_have_no_option_that_a_query_has() -> None:
    asked = {field.name for field in dataclasses.fields(Query)}
    assert asked | {"metrics"} == SURFACE_PARAMETERS
    for accessor in ACCESSORS.values():
        assert set(inspect.signature(accessor.confusion).parameters) - {"self"} <= asked


@pytest.mark.parametrize("options", [Uncertainty, Comparison, Agreement])
def test_defaults_are_those_that_the_help_states(options: Any) -> None:
    stated = re.findall(r"^    (\w+) : .*, default (\S+)$", options.__doc__, re.MULTILINE)
    given = {field.name: field.default for field in dataclasses.fields(options)}
    others = {name: default for name, default in given.items() if default is not None}
    assert {name: ast.literal_eval(text) for name, text in stated} == others


def test_nothing_to_score_is_an_error_on_every_surface() -> None:
    dataset = xr.Dataset({"y": ("i", Y)})
    for report in (
        partial(FRAME.ordinal.report, "y"),
        partial(FRAME.groupby("g").ordinal.report, "y"),
        FRAME["y"].ordinal.report,
        partial(dataset.ordinal.report, "y", classes=CLASSES),
    ):
        with pytest.raises(ValueError, match="give pred=, score= or proba="):
            report()


def test_a_column_labelled_none_is_not_left_out_in_silence() -> None:
    df = pd.DataFrame({"y": [0, 1, 2, 1], None: [0, 2, 2, 1], "s": [1.0, 2, 3, 4]})
    assert df.ordinal.mae("y", None) == 0.25
    assert df.ordinal.report("y", [None], metrics=["mae"])["mae"].tolist() == [0.25]
    for report in (df.ordinal.report, df.assign(g=1).groupby("g").ordinal.report):
        with pytest.raises(ValueError, match=r"pred=\[None\]"):
            report("y", score="s")


@pytest.mark.parametrize(
    "option",
    [{"cluster": "g"}, {"stratify": "true"}, {"ranges": {"a": (0, 1)}}, {"method": "bootstrap"}],
)
def test_what_belongs_to_intervals_is_not_dropped(option: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"belongs to intervals.*add ci=0\.95 or se=True"):
        Uncertainty(**option)
