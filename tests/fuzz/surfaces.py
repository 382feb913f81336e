"""Public names by surface, each with arguments that it takes."""

from __future__ import annotations

import functools
import inspect
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dask.dataframe as dd
import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import xarray as xr
from sklearn.dummy import DummyClassifier

import pandas_ordinal as po
import pandas_ordinal.sklearn

mpl.use("agg")

CLASSES = [0, 1, 2]
N_ROWS = 24
CASES = np.arange(N_ROWS)
PROBA = np.random.default_rng(0).dirichlet(np.ones(3), N_ROWS)

FRAME = pd.DataFrame(
    {
        "y": CASES % 3,
        "yhat": CASES % 4 % 3,
        "other": CASES // 2 % 3,
        "score": CASES % 5 / 4,
        "score2": CASES % 7 / 4,
        "low": PROBA[:, 0],
        "mid": PROBA[:, 1],
        "high": PROBA[:, 2],
        "model": np.array(["a", "b"])[CASES // 12],
        "fold": CASES // 3 % 2,
        "id": CASES % 12,
        "w": CASES % 3 + 1,
        "text": np.array(["lo", "hi"])[CASES % 2],
    }
)
LONG = FRAME.assign(id=CASES % 12, y=FRAME["id"] % 3)
SHARED: Mapping[str, Any] = {
    "classes": CLASSES, "bins": [0, 1, 3, 7], "dropna": True, "ignore": 9, "metrics": ["mae"],
    "ci": 0.9, "se": True, "n_boot": 5, "n_permutations": 5, "seed": 1, "progress": False,
    "beta": 0.5, "beta1": 0.5, "beta2": 0.1, "gamma": 1, "k": 1, "scaled": True, "ties": "half",
    "costs": [[0, 1, 2], [1, 0, 1], [2, 1, 0]], "class_sizes": [8, 8, 8], "weights": "linear",
    "level": "ordinal", "variant": "b", "distance": "midpoint", "unbounded": "optimal",
    "reference": "climatology", "normalized": True, "thresholds": [0.3, 0.6], "n_classes": 3,
    "edges": [0, 1, 3, 7],
}  # fmt: skip
"""What parameters of these names take on most surfaces."""

OF_FRAME = SHARED | {
    "true": "y", "pred": "yhat", "score": "score", "proba": {0: "low", 1: "mid", 2: "high"},
    "by": "model", "sample_weight": "w", "over": "fold", "cluster": "fold", "path": "new.parquet",
}  # fmt: skip
INPUTS = {"pred", "score", "proba", "preds"}


@dataclass(frozen=True)
class Name:
    """A public name.

    Attributes
    ----------
    label : str
        How faults call it.
    function : callable
        What it is.
    valid : dict
        What its parameters take.
    needed : set of str
        Those that each call gives.
    share : float
        How often calls draw its surface, as a weight.
    """

    label: str
    function: Callable[..., Any]
    valid: Mapping[str, Any]
    needed: frozenset[str]
    share: float

    @functools.cached_property
    def parameters(self) -> list[inspect.Parameter]:
        every = inspect.signature(self.function).parameters.values()
        return [one for one in every if one.kind is not one.VAR_KEYWORD]

    @property
    def takes_many(self) -> bool:
        return any(one.kind is one.VAR_POSITIONAL for one in self.parameters)

    def __call__(self, given: Mapping[str, Any]) -> None:
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        for one in self.parameters:
            if one.name not in given:
                continue
            value = given[one.name]
            if one.kind is one.VAR_POSITIONAL:
                args += value if isinstance(value, list) else [value]
            elif one.kind is one.POSITIONAL_ONLY or self.takes_many:
                args.append(value)
            else:
                kwargs[one.name] = value
        found = self.function(*args, **kwargs)
        if "plot" in self.label or "axes" in type(found).__name__.lower():
            plt.close("all")


def named(
    label: str,
    function: Callable[..., Any],
    valid: Mapping[str, Any],
    also: Mapping[str, Any] | None = None,
    share: float = 1,
) -> Name:
    """Return a name; calls give what it requires, and `also`."""
    parameters = inspect.signature(function).parameters.values()
    required = {one.name for one in parameters if one.default is one.empty}
    required -= {one.name for one in parameters if one.kind in (one.VAR_KEYWORD,)}
    return Name(
        label, function, {**valid, **(also or {})}, frozenset(required | {*(also or {})}), share
    )


def methods(
    surface: str,
    ordinal: Any,
    valid: Mapping[str, Any],
    also: Mapping[str, Mapping[str, Any]],
    share: float = 1,
) -> list[Name]:
    """Return the methods of an object, and the pictures among them."""
    found = []
    for name in dir(ordinal):
        method = None if name.startswith("_") or name == "plot" else getattr(ordinal, name)
        if callable(method):
            given = {**(also.get(name) or {}), **_declared(surface, name)}
            found.append(named(f"{surface}.{name}", method, valid, given, share))
    return found


def _declared(surface: str, name: str) -> dict[str, Any]:
    """Return what a method needs to know about the classes, other than from their labels."""
    if name in ("classify", "as_ordered") or (surface == "ddf" and name != "score_bounds"):
        return {"classes": CLASSES}
    return {"bins": [0, 1, 3, 7]} if "interval" in name else {}


def _frame_names() -> Iterator[tuple[str, list[Name]]]:
    models: dict[str, Any] = {"pred": ["yhat", "other"]}
    also = {
        "report": {"pred": "yhat"}, "compare": models, "summary": {"pred": "yhat"},
        "dominance": models, "best_thresholds": {"metric": "mae"},
    }  # fmt: skip
    yield "frame", methods("df", po.ordinal(FRAME), OF_FRAME, also, 4)
    text = FRAME.assign(
        **{
            n: pd.Categorical.from_codes(FRAME[n], ["lo", "mid", "hi"], ordered=True)
            for n in ["y", "yhat", "other"]
        }
    )
    of_text = OF_FRAME | {"classes": ["lo", "mid", "hi"], "proba": ["lo", "mid", "hi"]}
    text = text.rename(columns={"low": "lo", "high": "hi", "mid": "mid"})
    yield "text frame", methods("text", po.ordinal(text), of_text, also, 2)
    in_long = {"compare": {"pred": "yhat", "model": "model", "id": "id"}}
    yield (
        "long frame",
        [
            one
            for one in methods("long", po.ordinal(LONG), OF_FRAME, in_long, 0.3)
            if "compare" in one.label
        ],
    )
    yield "groupby", methods("gb", FRAME.groupby("model").ordinal, OF_FRAME, also, 2)
    ddf = dd.from_pandas(FRAME, npartitions=2)
    of_dask = OF_FRAME | {"groups": {"model": ["a", "b"]}, "metrics": ["mae"]}
    yield "dask", methods("ddf", po.ordinal(ddf), of_dask, {"report": {"pred": "yhat"}}, 0.25)


def _series_names() -> Iterator[tuple[str, list[Name]]]:
    proba = FRAME[["low", "mid", "high"]].set_axis(CLASSES, axis=1)
    valid = SHARED | {
        "pred": FRAME["yhat"], "score": FRAME["score"], "proba": proba,
        "sample_weight": FRAME["w"],
        "cluster": FRAME["fold"], "right": True, "errors": "coerce", "edges": [-1, 1, 3],
    }  # fmt: skip
    also = {
        "report": {"pred": FRAME["yhat"]},
        "compare": {"preds": {"a": FRAME["yhat"], "b": FRAME["other"]}},
    }
    yield "series", methods("s", po.ordinal(FRAME["y"]), valid, also, 2)


def _array_names() -> Iterator[tuple[str, list[Name]]]:
    cube = FRAME.ordinal.confusion("y", "yhat", by=["model", "fold"])
    of_cube = SHARED | {"by": None, "over": "true", "path": "new.nc", "store": "new.zarr"}
    of_cube |= {"engine": "h5netcdf", "mode": "w", "zarr_format": 3, "encoding": {"zlib": True}}
    rows = {one for one in po.metrics.registry if po.metrics.registry[one].of_rows}
    counted = [
        one
        for one in methods("cube", po.ordinal(cube), of_cube, {}, 2)
        if one.label[5:] not in rows | {"confusion"}
    ]
    yield "cube", counted
    one_key: Any = po.ordinal(FRAME.ordinal.confusion("y", "yhat", by="model"))
    pictures = {
        "row": None,
        "col": "model",
        "a": "a",
        "b": "b",
        "normalize": "true",
        "ci": 0.9,
        "path": True,
    }
    drawn = {
        name: getattr(one_key.plot, name) for name in dir(one_key.plot) if not name.startswith("_")
    }
    yield (
        "pictures",
        [named("cube.plot", one_key.plot, pictures, {"col": "model"}, share=0.15)]
        + [
            named(
                f"cube.plot.{name}",
                drawn[name],
                pictures,
                {"path": False} if name == "intervals" else None,
                share=0.15,
            )
            for name in drawn
        ],
    )
    labels = {name: xr.DataArray(FRAME[name].to_numpy(), dims="case", name=name) for name in FRAME}
    proba = xr.DataArray(PROBA, {"class": CLASSES}, ("case", "class"))
    fold = labels["y"].assign_coords(fold=("case", FRAME["fold"]))
    of_labels = SHARED | {
        "pred": labels["yhat"], "score": labels["score"], "proba": proba, "by": "fold",
        "dim": "case", "sample_weight": labels["w"], "cluster": "fold",
    }  # fmt: skip
    every = methods("labels", po.ordinal(fold), of_labels, {"report": {"pred": labels["yhat"]}}, 2)
    also = {"pred": labels["yhat"]}
    yield (
        "labels",
        [
            one
            if one.label in ("labels.report", "labels.confusion")
            or "pred" not in {p.name for p in one.parameters}
            else named(one.label, one.function, of_labels, also, 2)
            for one in every
            if one.label[7:] not in ("normalize", "to_netcdf", "to_zarr", "to_dataset")
        ],
    )
    dataset = FRAME.drop(columns=["low", "mid", "high"]).rename_axis("case").to_xarray()
    dataset = dataset.assign(
        proba=proba, models=xr.concat([dataset["yhat"], dataset["other"]], "m")
    )
    of_dataset = OF_FRAME | {"proba": "proba", "dim": "case"}
    compared = {"pred": ["yhat", "other"]}
    also_dataset = {"report": {"pred": "yhat"}, "compare": compared}
    named_so = methods("ds", po.ordinal(dataset), of_dataset, also_dataset, 2)
    yield "dataset", [one for one in named_so if one.label not in ("ds.to_netcdf", "ds.to_zarr")]
    report = cube.ordinal.report(metrics=["mae"])
    saved = [
        one
        for one in methods("report", po.ordinal(report), of_cube, {}, 0.5)
        if one.label in ("report.to_netcdf", "report.to_zarr")
    ]
    yield "saved report", saved


def _functions() -> Iterator[tuple[str, list[Name]]]:
    table = FRAME.ordinal.report(
        "y", ["yhat", "other", "text"][:2], metrics=["mae", "oci"], ci=0.9
    )
    cube = FRAME.ordinal.confusion("y", "yhat", by="model")
    compared = FRAME.ordinal.compare("y", ["yhat", "other"], metrics=["mae", "oci"])
    scores = pd.DataFrame({"a": [1.0, 2, 3, 5], "b": [2.0, 2, 1, 6], "c": [0.0, 1, 2, 3]})
    tested = po.friedman(scores, greater_is_better=True)
    folder = Path(_FOLDER.name)
    cube.ordinal.to_netcdf(folder / "cube.nc")
    cube.ordinal.report(metrics=["mae"]).ordinal.to_netcdf(folder / "report.nc")
    FRAME.ordinal.to_parquet(folder / "frame.parquet")
    yield (
        "functions",
        [
            named("po.ordinal", po.ordinal, {"obj": FRAME}),
            named("po.add", po.add, {"cubes": [cube, cube]}),
            named(
                "po.concat", po.concat, {"objs": {"x": cube, "z": cube}, "dim": "part", **SHARED}
            ),
            named(
                "po.confusion",
                po.confusion,
                SHARED | {"true": FRAME["y"], "pred": FRAME["yhat"], "sample_weight": FRAME["w"]},
            ),
            named(
                "po.from_counts",
                po.from_counts,
                SHARED | {"table": pd.DataFrame(np.eye(3, dtype=int))},
            ),
            named(
                "po.from_counts",
                po.from_counts,
                SHARED,
                {"table": FRAME.assign(n=1), "true": "y", "pred": "yhat", "count": "n"},
            ),
            named(
                "po.parse_intervals",
                po.parse_intervals,
                {"labels": ["(0, 1]", "(1, 2]"], "edges": [0, 1, 2]},
            ),
            named(
                "po.cube_from_dataset",
                po.cube_from_dataset,
                {"dataset": cube.ordinal.to_dataset()},
            ),
            named(
                "po.style",
                po.style,
                {"report": table, "metrics": {"mae": "mae"}, "escape": "html"},
            ),
            named("po.pareto", po.pareto, {"report": table, "metrics": ["mae", "oci"]}),
            named(
                "po.metric_correlation",
                po.metric_correlation,
                {"report": table, "metrics": ["mae", "oci"], "method": "kendall"},
            ),
            named(
                "po.disagreements",
                po.disagreements,
                {"comparison": compared, "metrics": {"mae": "mae"}},
            ),
            named(
                "po.corrected_t_test",
                po.corrected_t_test,
                {"differences": [0.1, 0.2, 0.15], "test_train_ratio": 0.25},
            ),
            named(
                "po.friedman",
                po.friedman,
                {"table": scores, "greater_is_better": True, "alpha": 0.1, "posthoc": "holm"},
            ),
            named("po.influence", po.influence, {"kernel": po.metrics.mae, "arrays": [np.eye(3)]}),
            named("Counter", po.Counter, {"classes": CLASSES, "by": "model"}),
            named(
                "Counter.update",
                po.Counter(CLASSES, by="model").update,
                OF_FRAME | {"frame": FRAME},
            ),
            named("Counter.merge", po.Counter(CLASSES).merge, {"other": po.Counter(CLASSES)}),
        ],
    )
    yield (
        "files",
        [
            named(
                "po.open_cube",
                po.open_cube,
                {"path": folder / "cube.nc", "dim": "part", "chunks": {}},
            ),
            named(
                "po.open_cube",
                po.open_cube,
                {},
                {"path": {"x": folder / "cube.nc", "z": folder / "cube.nc"}, "dim": "part"},
            ),
            named("po.open_report", po.open_report, {"path": folder / "report.nc"}),
            named("po.read_parquet", po.read_parquet, {"path": folder / "frame.parquet"}),
        ],
    )
    yield (
        "plot",
        [
            named(
                "po.plot.forest",
                po.plot.forest,
                {"report": table, "metrics": {"mae": "mae"}},
                share=0.15,
            ),
            named("po.plot.critical_difference", po.plot.critical_difference, {"result": tested}),
        ],
    )


def _kernels() -> Iterator[tuple[str, list[Name]]]:
    valid = SHARED | {
        "counts": np.eye(3, dtype=int), "true": FRAME["y"].to_numpy(), "proba": PROBA,
        "score": FRAME["score"].to_numpy(), "sample_weight": FRAME["w"].to_numpy(), "which": "mae",
    }  # fmt: skip
    also = {"best_thresholds": {"metric": "mae"}, "roc_surface": {"thresholds": None}}
    yield (
        "kernels",
        [
            named(f"po.metrics.{name}", getattr(po.metrics, name), valid, also.get(name), 3)
            for name in po.metrics.__all__
            if inspect.isfunction(getattr(po.metrics, name))
        ],
    )


def _sklearn_names() -> Iterator[tuple[str, list[Name]]]:
    sk: Any = po.sklearn
    X, y = FRAME[["score", "score2"]], FRAME["y"]
    model = DummyClassifier(strategy="stratified", random_state=0)
    valid = {
        "estimators": {"a": model}, "X": X, "y": y, "cv": 2, "classes": CLASSES, "metric": "mae",
        "response_method": "auto", "estimator": model, "n_jobs": 1, "bins": [0, 1, 3, 7],
        "groups": None,
    }  # fmt: skip

    def fit(
        estimator: Any,
        *,
        metric: Any = "mae",
        classes: Any = None,
        response_method: Any = "auto",
        cv: Any = None,
        n_jobs: Any = None,
    ) -> None:
        given = {"metric": metric, "classes": classes, "response_method": response_method}
        sk.OrdinalThresholds(estimator, **given, cv=cv, n_jobs=n_jobs).fit(X, y)

    def score(metric: Any, y: Any, sample_weight: Any = None) -> None:
        scorer = sk.scorer(metric, classes=CLASSES)
        scorer(DummyClassifier().fit(X, FRAME["y"]), X, y, sample_weight=sample_weight)

    yield (
        "sklearn",
        [
            named("po.sklearn.scorer", sk.scorer, valid, {"classes": CLASSES}, 0.2),
            named("po.sklearn.cross_val_frame", sk.cross_val_frame, valid, {"cv": 2}, 0.2),
            named("po.sklearn.OrdinalThresholds(...).fit", fit, valid, {"cv": 2}, 0.2),
            named(
                "po.sklearn.OrdinalThresholds.fit", sk.OrdinalThresholds(model, cv=2).fit, valid
            ),
            named("po.sklearn.scorer(...)", score, valid),
        ],
    )


_FOLDER = tempfile.TemporaryDirectory(prefix=f"misuse-{os.getpid()}-")
NAMES: dict[str, list[Name]] = {
    surface: names
    for make in (_frame_names, _series_names, _array_names, _functions, _kernels, _sklearn_names)
    for surface, names in make()
}
