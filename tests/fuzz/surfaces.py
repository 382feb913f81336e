"""Public names by surface, each with arguments that it takes."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import dask.dataframe as dd
import numpy as np
import pandas as pd
import xarray as xr
from sklearn.dummy import DummyClassifier

import pandas_ordinal as po

CLASSES = [0, 1, 2]
CASES = np.arange(24)
PROBA = np.random.default_rng(0).dirichlet(np.ones(3), len(CASES))
FRAME = pd.DataFrame(
    {
        "y": CASES % 3,
        "yhat": CASES % 4 % 3,
        "other": CASES // 2 % 3,
        "score": CASES % 5 / 4,
        "low": PROBA[:, 0],
        "mid": PROBA[:, 1],
        "high": PROBA[:, 2],
        "model": np.array(["a", "b"])[CASES // 12],
        "fold": CASES // 3 % 2,
        "id": CASES % 12,
        "w": CASES % 3 + 1,
        "text": np.array(["lo", "hi"])[CASES % 2],
        "least": 0,
        "most": 2,
    }
)
LEVELS = ["low", "mid", "high"]
TEXT = FRAME.assign(
    **{
        name: pd.Categorical.from_codes(FRAME[name], LEVELS, ordered=True)
        for name in ("y", "yhat", "other", "least", "most")
    }
)

OPTIONS: Mapping[str, Any] = {
    "classes": CLASSES, "bins": [0, 1, 3, 7], "edges": [0, 1, 3, 7], "dropna": True, "ignore": 9,
    "metrics": ["mae"], "ci": 0.9, "se": True, "n_boot": 5, "n_permutations": 5, "seed": 1,
    "progress": False, "beta": 0.5, "beta1": 0.5, "beta2": 0.1, "gamma": 1, "k": 1, "scaled": True,
    "ties": "half", "costs": 1 - np.eye(3), "class_sizes": [8, 8, 8], "weights": "linear",
    "level": "ordinal", "variant": "b", "distance": "midpoint", "unbounded": "optimal",
    "reference": "climatology", "normalized": True, "corrected": True, "thresholds": [0.3, 0.6],
    "n_classes": 3,
    "alternative": "two-sided", "margin": 0.1, "adjust": "max-t", "n_draws": 5, "threshold": 0,
    "atol": 0.01, "coverage": 0.8, "by_class": True, "limits": [0.5, 0.5, 0.5],
}  # fmt: skip
"""What parameters of these names take on most surfaces."""
COLUMNS = OPTIONS | {
    "true": "y", "pred": "yhat", "score": "score", "proba": {0: "low", 1: "mid", 2: "high"},
    "by": "model", "sample_weight": "w", "count": "w", "over": "fold", "cluster": "fold",
    "path": "new.parquet", "ratings": ["y", "yhat", "other"],
    "low": "least", "high": "most",
}  # fmt: skip
TO_FILES = {
    "path": "new.nc", "store": "new.zarr", "engine": "h5netcdf", "mode": "w", "zarr_format": 3,
    "encoding": {"zlib": True},
}  # fmt: skip
SAVING = {"to_netcdf", "to_zarr"}
OF_PROBABILITIES = (
    "expected_class", "least_costly", "median_class", "most_likely", "prediction_sets"
)  # fmt: skip
OF_COLUMNS = {"as_ordered", "classify", "cut"}
RATINGS: Mapping[str, Any] = {"ratings": ["y", "yhat", "other"], "metrics": ["gwet_ac"]}
EDGES = xr.DataArray(
    [[-1, 0, 1, 2]] * FRAME["fold"].nunique(),
    {"fold": sorted(FRAME["fold"].unique())},
    ("fold", "edge"),
)
OF_CUT = {"classes": CLASSES, "right": True, "errors": "coerce", "edge_dim": "edge"}
SHARES = {
    "long frame": 0.1,
    "saved report": 0.2,
    "dask": 0.25,
    "pictures": 0.15,
    "files": 0.5,
    "plot": 0.15,
    "sklearn": 0.5,
}
"""How often the names of slow surfaces are called, next to 1 for others."""


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
    before : callable
        Makes the files that it reads.
    """

    label: str
    function: Callable[..., Any]
    valid: Mapping[str, Any]
    needed: frozenset[str]
    before: Callable[[], object] = lambda: None

    @functools.cached_property
    def parameters(self) -> list[inspect.Parameter]:
        every = inspect.signature(self.function).parameters.values()
        return [one for one in every if one.kind is not one.VAR_KEYWORD]

    def __call__(self, given: Mapping[str, Any]) -> None:
        many = any(one.kind is one.VAR_POSITIONAL for one in self.parameters)
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        for one in self.parameters:
            if one.name not in given:
                continue
            value = given[one.name]
            if one.kind is one.VAR_POSITIONAL:
                args += value if isinstance(value, list) else [value]
            elif one.kind is one.POSITIONAL_ONLY or many:
                args.append(value)
            else:
                kwargs[one.name] = value
        self.function(*args, **kwargs)


def named(
    label: str,
    function: Callable[..., Any],
    valid: Mapping[str, Any],
    also: Mapping[str, Any] = {},
) -> Name:
    """Return a name; calls give what it requires, and `also`."""
    every = inspect.signature(function).parameters.values()
    required = {p.name for p in every if p.default is p.empty and p.kind is not p.VAR_KEYWORD}
    return Name(label, function, {**valid, **also}, frozenset({*required, *also}))


def methods(
    surface: str,
    ordinal: Any,
    valid: Mapping[str, Any],
    also: Mapping[str, Mapping[str, Any]] = {},
    without: Collection[str] = (),
) -> list[Name]:
    """Return the methods of an object; `also` has what calls give in addition, by method."""
    found = []
    for name in dir(ordinal):
        if name.startswith("_") or name in without or not callable(getattr(ordinal, name)):
            continue
        given = {"bins": [0, 1, 3, 7]} if "interval" in name else {}
        given |= also.get(name, also.get("any", {}))
        taken = {**valid, "thresholds": True} if name == "calibration" else valid
        found.append(named(f"{surface}.{name}", getattr(ordinal, name), taken, given))
    return found


def _frames() -> Iterator[tuple[str, list[Name]]]:
    models: dict[str, Any] = {"pred": ["yhat", "other"]}
    also: dict[str, dict[str, Any]] = {
        "report": {"pred": "yhat"}, "compare": models, "summary": {"pred": "yhat"},
        "dominance": models, "agreement": RATINGS,
        "best_thresholds": {"true": "y", "score": "score", "metric": "mae"},
    }  # fmt: skip
    also["prediction_sets"] = {"classes": CLASSES}
    ends = {"low": {"a": "least", "b": "y"}, "high": {"a": "most", "b": "y"}}
    also["compare_sets"] = {**ends, "by": "fold"}
    yield "frame", methods("df", po.ordinal(FRAME), COLUMNS, also)
    long = FRAME.assign(y=FRAME["id"] % 3)
    of_long = {"pred": "yhat", "model": "model", "id": "id"}
    yield "long frame", [named("long.compare", po.ordinal(long).compare, COLUMNS, of_long)]
    of_text = COLUMNS | {"classes": LEVELS, "proba": LEVELS, "threshold": "low"}
    ordered: dict[str, dict[str, Any]] = {name: {"classes": LEVELS} for name in OF_PROBABILITIES}
    yield "frame of text", methods("text", po.ordinal(TEXT), of_text, also | ordered)
    of_groups = also | {name: {"pred": "yhat"} for name in ("dominance", "accuracy_curve")}
    yield "groupby", methods("gb", FRAME.groupby("model").ordinal, COLUMNS, of_groups)
    ddf = po.ordinal(dd.from_pandas(FRAME, npartitions=2))
    of_dask = COLUMNS | {"groups": {"model": ["a", "b"]}}
    given: dict[str, Any] = {"classes": CLASSES}
    of_methods = {"any": given, "report": given | {"pred": "yhat"}, "compare": given | models}
    in_memory = {name for name, metric in po.metrics.registry.items() if metric.row_terms}
    yield "dask", methods("ddf", ddf, of_dask, of_methods, in_memory)


def _series() -> Iterator[tuple[str, list[Name]]]:
    models = {"a": FRAME["yhat"], "b": FRAME["other"]}
    valid = OPTIONS | {
        "pred": FRAME["yhat"], "score": FRAME["score"], "sample_weight": FRAME["w"],
        "proba": FRAME[LEVELS].set_axis(CLASSES, axis=1), "cluster": FRAME["fold"],
        "right": True, "errors": "coerce", "edges": [-1, 1, 3],
    }  # fmt: skip
    also: dict[str, dict[str, Any]] = {
        "report": {"pred": FRAME["yhat"]}, "compare": {"preds": models},
        "classify": {"classes": CLASSES},
    }  # fmt: skip
    yield "series", methods("s", po.ordinal(FRAME["y"]), valid, also)


def _arrays() -> Iterator[tuple[str, list[Name]]]:
    cube = FRAME.ordinal.confusion("y", "yhat", by=["model", "fold"])
    of_rows = {name for name, metric in po.metrics.registry.items() if metric.of_rows}
    of_cube = OPTIONS | TO_FILES | {"over": "true", "model": "model", "cluster": "fold"}
    without = {*of_rows, "confusion", "plot", "agreement", "probabilities"}
    without |= {*OF_COLUMNS, *OF_PROBABILITIES}
    of_models = {"compare": {"model": "model", "cluster": "fold"}}
    yield "cube", methods("cube", po.ordinal(cube), of_cube, of_models, without)
    report = po.ordinal(cube.ordinal.report(metrics=["mae"]))
    yield (
        "saved report",
        [named(f"report.{name}", getattr(report, name), of_cube) for name in SAVING],
    )
    arrays = {name: FRAME[name].to_xarray().rename(index="case") for name in FRAME}
    proba = xr.DataArray(PROBA, {"class": CLASSES}, ("case", "class"))
    true = arrays["y"].assign_coords(fold=("case", FRAME["fold"]))
    valid = OPTIONS | {
        "pred": arrays["yhat"], "score": arrays["score"], "proba": proba, "by": "fold",
        "dim": "case", "sample_weight": arrays["w"], "cluster": "fold",
    }  # fmt: skip
    of_proba = OPTIONS | {"dim": "class"}
    without = {*SAVING, "normalize", "to_dataset", "plot", "compare", "agreement"}
    without |= {"probabilities", *OF_COLUMNS, *OF_PROBABILITIES}
    labels = methods("labels", po.ordinal(true), valid, without=without)
    yield (
        "forecasts",
        [
            named("y.as_ordered", po.ordinal(true).as_ordered, {"classes": CLASSES}),
            named("y.classify", po.ordinal(true).classify, OPTIONS, {"classes": CLASSES}),
            named("y.cut", po.ordinal(true).cut, OF_CUT, {"edges": [-1, 0, 1, 2]}),
            named("y.cut", po.ordinal(true).cut, OF_CUT, {"edges": EDGES, "by": "fold"}),
            *(
                named(f"proba.{name}", getattr(po.ordinal(proba), name), of_proba)
                for name in OF_PROBABILITIES
            ),
        ],
    )
    needed = frozenset({"pred"})
    yield (
        "labels",
        [
            replace(one, needed=one.needed | needed) if one.label[7:] not in of_rows else one
            for one in labels
        ],
    )
    ratings: dict[str, Any] = {"rater": "rater", "metrics": ["gwet_ac"]}
    several = xr.DataArray(FRAME[["y", "yhat"]].to_numpy(), dims=("case", "rater"))
    agreement = po.ordinal(several).agreement
    yield "ratings", [named("ratings.agreement", agreement, OPTIONS | {"dim": "case"}, ratings)]
    members, in_members = OPTIONS | {"proba": several, "fair": True}, {"member_dim": "rater"}
    yield (
        "members",
        [
            named("members.probabilities", po.ordinal(several).probabilities, {"dim": "rater"}),
            named("true.rps", po.ordinal(true).rps, members, in_members),
            named("true.rps_skill", po.ordinal(true).rps_skill, members, in_members),
        ],
    )
    dataset = FRAME.drop(columns=LEVELS).rename_axis("case").to_xarray().assign(proba=proba)
    also: dict[str, Any] = {
        "report": {"pred": "yhat"}, "compare": {"pred": ["yhat", "other"]}, "agreement": RATINGS,
    }  # fmt: skip
    of_dataset = COLUMNS | {"proba": "proba", "dim": "case"}
    yield "dataset", methods("ds", po.ordinal(dataset), of_dataset, also, SAVING)


def _pictures() -> Iterator[tuple[str, list[Name]]]:
    cube = FRAME.ordinal.confusion("y", "yhat", by="model")
    plot = cube.ordinal.plot
    valid = OPTIONS | {"a": "a", "b": "b", "normalize": "true", "path": False, "col": "model"}
    also: dict[str, dict[str, Any]] = {"intervals": {"col": "model"}}
    bins = FRAME.assign(y=FRAME["y"] + 0.5)["y"].ordinal.cut([0, 1, 2, 3])
    binned: Any = bins.ordinal.confusion(bins).ordinal.plot
    yield (
        "pictures",
        [
            named("cube.plot", plot, valid, {"col": "model"}),
            named("cube.plot.intervals", binned.intervals, valid | {"col": None}),
            *methods("cube.plot", plot, valid, also, {"intervals"}),
        ],
    )


def _functions() -> Iterator[tuple[str, list[Name]]]:
    table = FRAME.ordinal.report("y", ["yhat", "other"], metrics=["mae", "oci"], ci=0.9)
    cube = FRAME.ordinal.confusion("y", "yhat", by="model")
    compared = FRAME.ordinal.compare("y", ["yhat", "other"], metrics=["mae", "oci"])
    scores = pd.DataFrame({"a": [1.0, 2, 3, 5], "b": [2.0, 2, 1, 6], "c": [0.0, 1, 2, 3]})
    metrics = {"mae": "mae"}
    taken: dict[Callable[..., Any], dict[str, Any]] = {
        po.ordinal: {"obj": FRAME},
        po.add: {"cubes": [cube, cube]},
        po.concat: OPTIONS | {"objs": {"x": cube, "z": cube}, "dim": "part"},
        po.confusion: OPTIONS
        | {"true": FRAME["y"], "pred": FRAME["yhat"], "sample_weight": FRAME["w"]},
        po.from_counts: OPTIONS | {"table": pd.DataFrame(np.eye(3, dtype=int))},
        po.parse_intervals: {"labels": ["(0, 1]", "(1, 2]"], "edges": [0, 1, 2]},
        po.cube_from_dataset: {"dataset": cube.ordinal.to_dataset()},
        po.style: {"report": table, "metrics": metrics, "escape": "html"},
        po.pareto: {"report": table, "metrics": ["mae", "oci"]},
        po.metric_correlation: {"report": table, "metrics": ["mae", "oci"], "method": "kendall"},
        po.disagreements: {"comparison": compared, "metrics": metrics},
        po.rows_needed: OPTIONS | {"found": compared, "power": 0.95},
        po.climatology_edges: {
            "values": xr.DataArray(FRAME["score"], dims="time"), "q": [0.3, 0.6], "dim": "time",
            "by": xr.DataArray(FRAME["model"], dims="time", name="model"),
            "leave_out": xr.DataArray(FRAME["fold"], dims="time", name="fold"),
        },
        po.corrected_t_test: {"differences": [0.1, 0.2, 0.15], "test_train_ratio": 0.25},
        po.friedman: {
            "table": scores, "greater_is_better": True, "alpha": 0.1, "posthoc": "holm"
        },
        po.influence: {"kernel": po.metrics.mae, "arrays": [np.eye(3)]},
        po.Counter: {"classes": CLASSES, "by": "model"},
    }  # fmt: skip
    in_long = {"table": FRAME.assign(n=1), "true": "y", "pred": "yhat", "count": "n"}
    counter = po.Counter(CLASSES, by="model")
    yield (
        "functions",
        [
            *(named(f"po.{one.__name__}", one, valid) for one, valid in taken.items()),
            named("po.from_counts", po.from_counts, OPTIONS, in_long),
            named("po.Counter.update", counter.update, COLUMNS | {"frame": FRAME}),
            named("po.Counter.merge", po.Counter(CLASSES).merge, {"other": po.Counter(CLASSES)}),
        ],
    )
    result = po.friedman(scores, greater_is_better=True)
    yield (
        "plot",
        [
            named("po.plot.forest", po.plot.forest, {"report": table, "metrics": metrics}),
            named("po.plot.critical_difference", po.plot.critical_difference, {"result": result}),
        ],
    )


@functools.cache
def _contents() -> dict[str, bytes]:
    """Return the bytes of a cube, a report and a frame in files, by their names."""
    cube = FRAME.ordinal.confusion("y", "yhat", by="model")
    with TemporaryDirectory() as folder:
        cube.ordinal.to_netcdf(f"{folder}/cube.nc")
        cube.ordinal.report(metrics=["mae"]).ordinal.to_netcdf(f"{folder}/report.nc")
        FRAME.ordinal.to_parquet(f"{folder}/frame.parquet")
        return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


def _save() -> None:
    for name, content in _contents().items():
        Path(name).write_bytes(content)


def _files() -> Iterator[tuple[str, list[Name]]]:
    several = {"path": {"x": "cube.nc", "z": "cube.nc"}, "dim": "part"}
    names = [
        named("po.open_cube", po.open_cube, {"path": "cube.nc", "dim": "part", "chunks": {}}),
        named("po.open_cube", po.open_cube, {}, several),
        named("po.open_report", po.open_report, {"path": "report.nc"}),
        named("po.read_parquet", po.read_parquet, {"path": "frame.parquet"}),
    ]
    yield "files", [replace(one, before=_save) for one in names]


def _kernels() -> Iterator[tuple[str, list[Name]]]:
    rows = {
        name: FRAME[column].to_numpy()
        for name, column in {"true": "y", "score": "score", "sample_weight": "w"}.items()
    }
    counts = np.eye(3, dtype=int)
    valid = OPTIONS | rows | {"counts": counts, "ratings": counts, "proba": PROBA, "which": "mae"}
    valid |= {"low": FRAME["least"].to_numpy(), "high": FRAME["most"].to_numpy()}
    also = {"best_thresholds": {"metric": "mae"}}
    without = [name for name in dir(po.metrics) if isinstance(getattr(po.metrics, name), type)]
    yield "kernels", methods("po.metrics", po.metrics, valid, also, without)


def _sklearn() -> Iterator[tuple[str, list[Name]]]:
    sk: Any = po.sklearn
    X, y = FRAME[["score", "low"]], FRAME["y"]
    model = DummyClassifier(strategy="stratified", random_state=0)
    fitted = DummyClassifier().fit(X, y)
    valid = {
        "estimators": {"a": model}, "estimator": model, "X": X, "y": y, "cv": 2, "n_jobs": 1,
        "classes": CLASSES, "metric": "mae", "response_method": "auto", "bins": [0, 1, 3, 7],
        "sample_weight": FRAME["w"],
    }  # fmt: skip

    @functools.wraps(sk.OrdinalThresholds.__init__)
    def fit(*args: Any, **kwargs: Any) -> None:
        sk.OrdinalThresholds(*args, **kwargs).fit(X, y)

    def score(y: Any, sample_weight: Any = None) -> None:
        sk.scorer("mae", classes=CLASSES)(fitted, X, y, sample_weight=sample_weight)

    init = inspect.signature(sk.OrdinalThresholds)
    fit.__signature__ = init  # type: ignore[attr-defined]
    yield (
        "sklearn",
        [
            named("po.sklearn.scorer", sk.scorer, valid, {"classes": CLASSES}),
            named("po.sklearn.scorer(...)", score, valid),
            named("po.sklearn.cross_val_frame", sk.cross_val_frame, valid, {"cv": 2}),
            named("po.sklearn.OrdinalThresholds", fit, valid, {"cv": 2}),
            named(
                "po.sklearn.OrdinalThresholds.fit", sk.OrdinalThresholds(model, cv=2).fit, valid
            ),
        ],
    )


MAKERS = _frames, _series, _arrays, _pictures, _functions, _files, _kernels, _sklearn


@functools.cache
def names_by_surface() -> dict[str, list[Name]]:
    """Return all names."""
    return {surface: names for make in MAKERS for surface, names in make()}
