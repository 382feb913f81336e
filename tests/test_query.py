"""What a call asks about: options that are kept apart from those of kernels."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
from functools import partial
from typing import Any

import brute
import numpy as np
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
from pandas_ordinal.query import Agreement, Comparison, Query, Reliability, Uncertainty

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


TINY, NEAR_ONE = np.nextafter(0, 1), np.nextafter(1, 0)
ACCEPTED: list[tuple[Any, dict[str, Any]]] = [
    *((Uncertainty, {"ci": ci}) for ci in (TINY, NEAR_ONE, np.float32(0.5))),
    (Uncertainty, {"ci": 0.9, "method": "bootstrap", "n_boot": 2, "seed": 0}),
    (Uncertainty, {"se": True, "method": "bootstrap", "n_boot": np.int64(2), "seed": np.int8(0)}),
    (Uncertainty, {"se": True, "ranges": {"a": (0, 1), "b": [-1.5, 2], "c": np.array([0, 1])}}),
    (Uncertainty, {"se": True, "cluster": "g"}),
    (Uncertainty, {"ci": 0.9, "stratify": "true"}),
    (Uncertainty, {"se": True, "stratify": "pred", "stratum_shares": {"a": 1}}),
    (Comparison, {"ci": NEAR_ONE, "method": "permutation", "n_permutations": 1, "seed": 0}),
    (Comparison, {"margin": TINY}),
    (Comparison, {"margin": {"mae": 1, "kappa": np.float32(0.1)}}),
    (Comparison, {"alternative": "non-inferior", "margin": 1e300}),
    (Comparison, {"alternative": "better"}),
    (Comparison, {"adjust": "max-t", "margin": 0.1}),
    (Reliability, {"ci": None, "n_draws": 1, "seed": 0}),
    (Reliability, {"ci": 0.9, "n_draws": 10_000, "seed": 0}),
]
LEVEL, PAIR, POSITIVE = (
    "must be a level between 0",
    r"must be a pair \(lowest",
    "must be a positive",
)
REFUSED: list[tuple[Any, dict[str, Any], str]] = [
    *((Uncertainty, {"ci": ci}, f"^ci=.* {LEVEL}") for ci in (0, 1, True, "0.9", np.nan, -0.5)),
    *((Comparison, {"ci": ci}, f"^ci=.* {LEVEL}") for ci in (0, 1, None)),
    *((Uncertainty, {"n_boot": n}, "^n_boot=.* at least 2") for n in (1, 2.0, True, "2")),
    *((Uncertainty, {"seed": seed}, "^seed=.* at least 0") for seed in (-1, 0.0, False)),
    *((Comparison, {"seed": seed}, "^seed=.* at least 0") for seed in (-1, None)),
    *((Comparison, {"n_permutations": n}, "^n_permutations=.* at least 1") for n in (0, 1.0)),
    (Reliability, {"ci": 1, "n_draws": 1, "seed": 0}, LEVEL),
    (Reliability, {"ci": None, "n_draws": 0, "seed": 0}, "^n_draws=0 .* at least 1"),
    (Reliability, {"ci": None, "n_draws": 10_001, "seed": 0}, "^n_draws=.* at most 10,000"),
    (Reliability, {"ci": None, "n_draws": 1, "seed": -1}, "^seed=-1 .* at least 0"),
    (Uncertainty, {"se": True, "ranges": [(0, 1)]}, "^ranges=.* must be a dict"),
    *(
        (Uncertainty, {"se": True, "ranges": {"b": (0, 1), "a": one}}, rf"^ranges\['a'\]=.*{PAIR}")
        for one in ((1, 1), (2, 1), (0, 1, 2), (0,), 1, ("0", "1"), (0, "1"), [[0, 1]], None)
    ),
    (Uncertainty, {"se": True, "cluster": "g", "stratify": "true"}, "combined with stratify="),
    (Uncertainty, {"se": True, "cluster": "g", "method": "bootstrap"}, 'with method="bootstrap"'),
    (Uncertainty, {"se": True, "stratum_shares": {}}, 'add stratify="pred"'),
    (Uncertainty, {"se": True, "stratum_shares": {}, "stratify": "true"}, 'add stratify="pred"'),
    (
        Uncertainty,
        {"se": True, "stratum_shares": {}, "stratify": "pred", "method": "bootstrap"},
        "both stratum_shares= and method=",
    ),
    (Uncertainty, {"stratum_shares": {}, "stratify": "pred"}, "belongs to intervals"),
    *(
        (Comparison, {"margin": one}, rf"^margin=.* {POSITIVE}")
        for one in (0, -1, np.inf, np.nan, True, "1")
    ),
    (Comparison, {"margin": {"kappa": 1, "mae": 0}}, rf"^margin\['mae'\]=0 {POSITIVE}"),
    (Comparison, {"alternative": "non-inferior"}, "^alternative=.*margin=0.02"),
    (Comparison, {"alternative": "better", "margin": 0.1}, "^alternative=.* has no margin="),
    (Comparison, {"method": "permutation", "margin": 0.1}, "combined with margin="),
    (Comparison, {"method": "permutation", "adjust": "max-t"}, 'combined with adjust="max-t"'),
    (Agreement, {"ci": 1}, LEVEL),
    (Agreement, {"cluster": "g"}, "^cluster= belongs to intervals"),
]


@pytest.mark.parametrize(("options", "given"), ACCEPTED)
def test_options_at_their_limits(options: Any, given: dict[str, Any]) -> None:
    asked = options(**given)
    assert {name: getattr(asked, name) for name in given} == given


@pytest.mark.parametrize(("options", "given", "message"), REFUSED)
def test_options_beyond_their_limits(options: Any, given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        options(**given)


def test_what_cannot_be_combined_with_weights() -> None:
    Uncertainty(ci=0.9, stratify="true").refuse_weights()
    Comparison(margin=1).refuse_weights()
    refused: list[tuple[Any, str]] = [
        (Uncertainty(ci=0.9, method="bootstrap"), 'both sample_weight= and method="bootstrap"'),
        (
            Uncertainty(ci=0.9, stratify="pred", stratum_shares={"a": 1}),
            "both sample_weight= and stratum_shares=",
        ),
        (Comparison(method="permutation"), "cannot be swapped"),
    ]
    for asked, message in refused:
        with pytest.raises(ValueError, match=message):
            asked.refuse_weights()


@pytest.mark.parametrize(
    ("asked", "columns"),
    [
        ({}, ["mae"]),
        ({"ci": 0.9}, ["mae", "mae_low", "mae_high"]),
        ({"se": True}, ["mae", "mae_se"]),
        ({"ci": 0.9, "se": True}, ["mae", "mae_low", "mae_high", "mae_se"]),
        ({"se": True, "method": "bootstrap"}, ["mae", "mae_se", "mae_n_valid"]),
        (
            {"ci": 0.9, "method": "bootstrap"},
            ["mae", "mae_low", "mae_high", "mae_n_valid"],
        ),
    ],
)
def test_columns_after_each_metric(asked: dict[str, Any], columns: list[str]) -> None:
    uncertainty = Uncertainty(**asked)
    assert uncertainty.columns_of(["mae"]) == columns
    assert uncertainty.columns_of(["mae", "mae"]) == columns * 2
    assert uncertainty.is_requested == bool(asked)


def test_margins_of_metrics() -> None:
    assert Comparison(margin=0.25).margin_of("mae") == 0.25
    assert Comparison(margin={"mae": 2}).margin_of("mae") == 2
    assert np.isnan(Comparison(margin={"mae": 2}).margin_of("kappa"))
    assert np.isnan(Comparison().margin_of("mae"))
    kinds = {"two-sided": False, "better": True, "non-inferior": True}
    for alternative, is_one_sided in kinds.items():
        margin = 1 if alternative == "non-inferior" else None
        asked: dict[str, Any] = {"alternative": alternative, "margin": margin}
        assert Comparison(**asked).is_one_sided == is_one_sided


def test_what_is_given_and_what_is_scored() -> None:
    assert Query(true="y", pred="p", dropna=True).given == ["true", "pred", "dropna"]
    assert Query(true="y", by=0, atol=0, fair=False).given == ["true", "by", "atol"]
    assert Query(true="y", score=None, proba=["a"]).scored == {"score": None, "proba": ["a"]}
