"""A call goes down through the rooms and up once: no room calls one that calls it."""

from __future__ import annotations

import ast
import os
import sys
from collections import Counter
from collections.abc import Callable
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from types import FrameType
from typing import Any

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from sklearn.tree import DecisionTreeClassifier

import pandas_ordinal as po

PACKAGE = str(Path(po.__file__).parent) + os.sep
FRAME = pd.DataFrame(
    {
        "model": list("aabbab") * 5,
        "y": [0, 0, 1, 1, 2, 2] * 5,
        "yhat": [0, 1, 1, 2, 2, 2] * 5,
        "score": np.arange(30.0),
        **{f"p{k}": np.full(30, 1 / 3) for k in range(3)},
    }
)
WIDE = FRAME.assign(other=FRAME["y"])
LONG = pd.concat(
    [
        FRAME.assign(model="a", row=range(30)),
        FRAME.assign(model="b", yhat=FRAME["y"], row=range(30)),
    ]
)
PROBA = {0: "p0", 1: "p1", 2: "p2"}
OF_TEXT = {"0": "p0", "1": "p1", "2": "p2"}
DATASET = xr.Dataset({name: ("case", FRAME[name]) for name in ("y", "yhat", "score")})
KEY = xr.DataArray(FRAME["model"].to_numpy(object), dims="case", name="model")
FLAGGED = DATASET["y"].assign_attrs(flag_values=[0, 1, 2], flag_meanings="low mid high")
DASK = dd.from_pandas(FRAME.astype({"y": str, "yhat": str}), npartitions=2)
CUBE = FRAME.ordinal.confusion("y", "yhat", by="model")
TREE = DecisionTreeClassifier().fit([[1]] * 30, FRAME["y"])
CALLS: dict[str, Callable[[], object]] = {
    "frame": lambda: FRAME.ordinal.oci("y", "yhat", by="model"),
    "frame, matrix": lambda: FRAME.ordinal.cost_matrix("y", "yhat", by="model"),
    "frame, scores": lambda: FRAME.ordinal.u_pairs("y", "score", by="model"),
    "frame, probabilities": lambda: FRAME.ordinal.rps("y", PROBA, by="model"),
    "report": lambda: FRAME.ordinal.report(
        "y", "yhat", score="score", proba=PROBA, by="model", bins=[0, 1, 3, 9]
    ),
    "confusion": lambda: FRAME.ordinal.confusion("y", "yhat", by="model"),
    "thresholds": lambda: FRAME.ordinal.best_thresholds("y", "score", metric="mae"),
    "groupby": lambda: FRAME.groupby("model").ordinal.report("y", "yhat", score="score"),
    "series": lambda: FRAME["y"].ordinal.kappa(FRAME["yhat"]),
    "cube": lambda: CUBE.ordinal.report(),
    "arrays": lambda: DATASET["y"].ordinal.vus(DATASET["score"]),
    "pair of arrays": lambda: DATASET["y"].ordinal.mae(DATASET["yhat"], ignore=9),
    "arrays by key": lambda: DATASET.ordinal.report("y", "yhat", by=KEY),
    "arrays with flags": lambda: FLAGGED.ordinal.mae(FLAGGED, classes="flags"),
    "compare": lambda: WIDE.ordinal.compare("y", ["yhat", "other"], cluster="model"),
    "compare, long": lambda: LONG.ordinal.compare(
        "y", "yhat", model="model", id="row", method="permutation", n_permutations=9
    ),
    "compare, series": lambda: WIDE["y"].ordinal.compare(score={"a": WIDE["y"], "b": WIDE["p0"]}),
    "compare, dataset": lambda: DATASET.ordinal.compare(
        "y", ["yhat", "y"], score=["score", "y"], by=KEY, ignore=9
    ),
    "disagreements": lambda: po.disagreements(WIDE.ordinal.compare("y", ["yhat", "other"])),
    "summary": lambda: FRAME.ordinal.summary("y", "yhat", score="score", over="model"),
    "dominance": lambda: WIDE.ordinal.dominance("y", ["yhat", "other"]),
    "score ranges": lambda: rank_chunks(),
    "plot": lambda: CUBE.ordinal.plot(col="model", path=True),
    "plot of curves": lambda: CUBE.ordinal.plot.accuracy_within(ci=None),
    "plot of classes": lambda: CUBE.ordinal.plot.class_mae(ci=None),
    "style": lambda: po.style(FRAME.ordinal.report("y", "yhat", by="model")).to_html(),
    "scorer": lambda: po.sklearn.scorer("oci", classes=range(3))(TREE, [[1]] * 30, FRAME["y"]),
    "estimators": lambda: po.sklearn.cross_val_frame({"tree": TREE}, [[1]] * 30, FRAME["y"]),
    "estimator": lambda: po.sklearn.OrdinalThresholds(TREE).fit([[1]] * 30, FRAME["y"]),
    "dask": lambda: (
        po.ordinal(DASK)
        .report("y", "yhat", by="model", classes=["0", "1", "2"])
        .compute(scheduler="synchronous")
    ),
    "dask, cube": lambda: (
        po.ordinal(DASK)
        .confusion("y", "yhat", by="model", classes=["0", "1", "2"])
        .compute(scheduler="synchronous")
    ),
    "dask, scores": lambda: (
        po.ordinal(DASK)
        .report("y", "yhat", score="score", proba=OF_TEXT, classes=["0", "1", "2"])
        .compute(scheduler="synchronous")
    ),
    "dask, scores by key": lambda: (
        po.ordinal(DASK)
        .pairwise_auc("y", "score", by="model", classes=["0", "1", "2"])
        .compute(scheduler="synchronous")
    ),
    "dask, bounds": lambda: (
        po.ordinal(DASK)
        .score_bounds("y", "score", edges=[9], by="model", classes=["0", "1", "2"])
        .compute(scheduler="synchronous")
    ),
    "counter": lambda: count_parts(),
    "dataset": lambda: DATASET.ordinal.report("y", "yhat", score="score"),
    "intervals of a frame": lambda: FRAME.ordinal.report(
        "y", "yhat", score="score", proba=PROBA, by="model", ci=0.95
    ),
    "intervals of arrays": lambda: DATASET.ordinal.report("y", "yhat", score="score", ci=0.95),
}


def count_parts() -> xr.DataArray:
    counter = po.Counter(classes=[0, 1, 2], by=["model", "y"])
    for part in (FRAME[:9], FRAME[9:]):
        counter.update(part, "y", "yhat")
    return counter.merge(counter).cube


def rank_chunks() -> pd.Series[float]:
    true, score = (da.from_array(FRAME[name].to_numpy(), chunks=9) for name in ("y", "score"))
    return po.by_score_ranges(true, score, 3).compute(scheduler="synchronous")


def room_of(frame: FrameType | None) -> str | None:
    """The file of the package that a frame runs in, or that which called it."""
    while frame:
        path = frame.f_code.co_filename
        if path.startswith(PACKAGE):
            return path.removeprefix(PACKAGE)
        frame = frame.f_back
    return None


def rooms_called(call: Callable[[], object]) -> dict[str, set[str]]:
    """Which rooms each room calls."""
    called: dict[str, set[str]] = {}

    def profile(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(PACKAGE):
            room, caller = room_of(frame), room_of(frame.f_back)
            if room and caller and room != caller:
                called.setdefault(caller, set()).add(room)

    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(None)
    return called


@pytest.mark.parametrize("name", CALLS)
def test_a_call_goes_down_through_the_rooms(name: str) -> None:
    called = rooms_called(CALLS[name])
    assert len(called) > 3
    assert list(TopologicalSorter(called).static_order())  # or a CycleError names the circle


def test_a_circle_of_rooms_is_seen() -> None:
    def own(counts: np.ndarray) -> np.ndarray:
        FRAME.ordinal.mae("y", "yhat")  # back to the top, in the middle of a report
        return counts.sum((-1, -2))

    called = rooms_called(lambda: CUBE.ordinal.report(metrics={"own": own}))
    with pytest.raises(CycleError):
        list(TopologicalSorter(called).static_order())


@pytest.mark.parametrize("room", sorted(Path(PACKAGE).rglob("*.py")), ids=str)
def test_a_constant_is_assigned_once(room: Path) -> None:
    assigned = Counter(
        name.id
        for statement in ast.parse(room.read_text("utf-8")).body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        for name in ast.walk(target)
        if isinstance(name, ast.Name)
    )
    assert not [name for name, n in assigned.items() if n > 1]
