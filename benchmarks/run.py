"""Measure the package against floors and against what a user would call instead.

Run it as ``make bench``. Prints two tables and writes them to RESULTS.md.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import grids
import krippendorff
import many_classes
import numpy as np
import numpy.typing as npt
import pandas as pd
import peers
import scipy.optimize
import scipy.stats
import sklearn.metrics
import vus
import xarray as xr
from harness import Row, Work, clock, gain, machine, note, publish, race, same, share, table
from samples import (
    BY,
    CLASSES,
    ERRORS,
    MILLION,
    N_CLASSES,
    SAMPLE,
    codes,
    experiment,
    labels,
    matrices,
    predictions,
    ranked,
)

import pandas_ordinal as po

BOUNDED = [0, 1, 3, 6, 11, 21]
OPEN = [*BOUNDED[:-1], np.inf]

PART = "Against floors and peers"
SHOWN = [
    "pandas-ordinal",
    "numpy",
    "pandas",
    "xarray",
    "scipy",
    "numba",
    "scikit-learn",
    "imbalanced-learn",
    "skordinal",
    "krippendorff",
    "scores",
    "xskillscore",
]
TEXT = """Written by `make bench` on: {machine}.

Best times of several runs in turns; the ratios carry over to other machines, the times do not.
Against a floor (≤) a value is our time over its time, against a peer (≥) its time over ours; rows
without a target are for information. Every result is checked against that of the peer before it is
timed.

{table}

- Five classes, uneven, predictions mostly near the truth, rows in no particular order. The labels
  are ordered Categoricals in a DataFrame. The peers get integers: int64, as `predict` returns
  them, or int8, on which they are faster.
- A report has all {n_metrics} count metrics that give one number. In `groupby.apply` the peers
  compute those that they have: {metrics}.
- Key + `np.bincount` makes `((model * n_folds + fold) * K + true) * K + pred` from ready int64
  arrays and counts it. It does not check for missing labels, and computes no metric.
- 100,000 groups are 100 times as many: if time grew with groups alone, the one for a million rows
  would be 33 times as long. What grows with groups are the metrics: {n_metrics} of each table.
- The length of an open bin is solved for each matrix; that of 20 is checked against a search by
  SciPy.
- VUS of two classes: scikit-learn gets an int8 and a float64 array.
- The grid has 2,000 times × 360 × 180 cells × 5 leads, int8; peak memory is that beyond the grid.
  By hand: `np.bincount` of int64 keys, one row of cells at a time, and NumPy's `cumsum` of
  probabilities, ten time steps at a time. Neither checks for missing or wrong labels.
- The store of members has no compression; both ways read it chunk by chunk. Peak memory is that of
  all chunks in work, {cores} at a time.
- Intervals: of all {n_metrics} metrics; the work grows with the cells, K², times the size of a
  table, K². SciPy resamples the distances of the rows, 50 times at once.
- The p-values of MAE are checked against SciPy's paired t test.
- OCI: the same plain loop over int64 arrays compiled by Numba, and over lists in Python.

### VUS against argsort

VUS has to sort, so its floor is `np.argsort` of all scores, in groups too. NumPy sorts by AVX-512
where the processor has it, which is not always the fastest. Every case therefore runs twice, the
second time with AVX-512 switched off by `NPY_DISABLE_CPU_FEATURES`. A processor without it does
the same both times.

{vus}

The scores are normal around the class, float64 in groups. Those of 6 digits are between 0 and 1,
with many ties; each of the 500,000 integers occurs twice. Shuffled rows have to be sorted by
group first, which argsort of the scores does not do; `np.lexsort` by group and score takes more
than four times as long as VUS. Before VUS is timed, it is checked against a count of all ascending
sequences, score by score, for all rows or for 20 groups.
"""


def confusion(frame: pd.DataFrame) -> npt.NDArray[np.int64]:
    counts: npt.NDArray[np.int64] = po.ordinal(frame).confusion("y", "yhat").to_numpy()
    return counts


def report(frame: pd.DataFrame) -> pd.DataFrame:
    return po.ordinal(frame).report("y", "yhat", metrics="all", by=BY)


def key_and_bincount(frame: pd.DataFrame) -> Work:
    """Return what you would write by hand, from ready arrays of codes."""
    true, pred = codes(frame)
    model, fold = frame["model"].cat.codes.to_numpy(np.int64), frame["fold"].to_numpy()
    n_models, n_folds = int(model.max()) + 1, int(fold.max()) + 1

    def count() -> npt.NDArray[np.int64]:
        key = ((model * n_folds + fold) * N_CLASSES + true) * N_CLASSES + pred
        return np.bincount(key, minlength=n_models * n_folds * N_CLASSES**2)

    cube = po.ordinal(frame).confusion("y", "yhat", by=BY)
    same(cube.to_numpy().ravel(), count())
    return count


def counts_bincount() -> Row:
    frame = predictions(10 * MILLION)
    true, pred = codes(frame)
    key = true * N_CLASSES + pred
    same(confusion(frame).ravel(), np.bincount(key))
    times = race(lambda: confusion(frame), lambda: np.bincount(key), 15)
    return share("confusion, 10 M rows", "`np.bincount` of a ready key", times, 0.6)


def counts_sklearn() -> Row:
    frame = predictions(10 * MILLION)
    true, pred = codes(frame, np.int8)
    same(confusion(frame), sklearn.metrics.confusion_matrix(true, pred))
    times = race(lambda: confusion(frame), lambda: sklearn.metrics.confusion_matrix(true, pred), 5)
    return gain("confusion, 10 M rows", "scikit-learn `confusion_matrix`, int8", times, 15)


def counts_of_stacks() -> Row:
    true, pred = (one.reshape(-1, 100) for one in codes(predictions(MILLION // 5)))

    def loop() -> list[npt.NDArray[np.int64]]:
        pairs = zip(true, pred, strict=True)
        return [sklearn.metrics.confusion_matrix(*pair, labels=range(N_CLASSES)) for pair in pairs]

    def stacked() -> npt.NDArray[Any]:
        return po.confusion(true, pred, classes=range(N_CLASSES))

    same(stacked(), loop())
    times = race(stacked, loop, 2)
    return gain(
        "confusion, 2,000 arrays of 100 rows",
        "scikit-learn `confusion_matrix` in a loop",
        times,
        300,
    )


def counts_crosstab() -> Row:
    frame = predictions(10 * MILLION)
    same(confusion(frame), pd.crosstab(*labels(frame)))
    times = race(lambda: confusion(frame), lambda: pd.crosstab(*labels(frame)), 5)
    return gain("confusion, 10 M rows", "`pd.crosstab`", times, 40)


def report_groupby() -> Row:
    frame = experiment(50, 20, 1000)
    true, pred = codes(frame)
    coded = frame[BY].assign(true=true, pred=pred)
    first = (frame["model"] == "model 0").to_numpy()
    theirs = peers.report(coded[first])
    same(report(frame[first])[theirs.columns], theirs)
    times = race(lambda: report(frame), lambda: peers.report(coded), 2)
    return gain("report, 1,000 groups × 1,000 rows", "`groupby.apply` of the peers", times, 300)


def report_bincount() -> Row:
    frame = experiment(50, 20, 1000)
    times = race(lambda: report(frame), key_and_bincount(frame), 15)
    return share("report, 1,000 groups × 1,000 rows", "key + `np.bincount`", times, 3)


def small_groups_bincount() -> Row:
    frame = experiment(100, 1000, 30)
    times = race(lambda: report(frame), key_and_bincount(frame), 5)
    return share("report, 100,000 groups × 30 rows", "key + `np.bincount`", times, None)


def small_groups_growth() -> Row:
    large, small = experiment(50, 20, 1000), experiment(100, 1000, 30)
    ours, theirs = race(lambda: report(small), lambda: report(large), 5)
    per_million = ours / len(small) * MILLION, theirs / len(large) * MILLION
    work = "report, 100,000 groups × 30 rows, for a million rows"
    return share(work, "1,000 groups × 1,000 rows, for a million rows", per_million, None)


def small_groups_memory() -> Row:
    frame = experiment(100, 1000, 30)
    peak = peak_memory(lambda: report(frame))
    return note("report, 100,000 groups × 30 rows, peak memory", peak / 2**20, 200, "MiB")


def million_groups_memory() -> Row:
    frame = experiment(1000, 1000, 30)
    peak = peak_memory(lambda: po.ordinal(frame).report("y", "yhat", by=BY))
    return note(
        "default report, 1,000,000 groups of 30 rows, peak memory", peak / 2**20, 400, "MiB"
    )


def oci_numba() -> Row:
    counts, theirs = matrices(), peers.oci_numba()
    same(po.metrics.oci(counts), theirs(counts))
    times = race(lambda: po.metrics.oci(counts), lambda: theirs(counts), 15)
    return share("OCI of 100,000 matrices", "Numba", times, 2)


def oci_python() -> Row:
    counts = matrices()
    few = counts[: len(counts) // 20]
    lists = few.tolist()
    same(po.metrics.oci(few), peers.oci_python(lists))
    ours, theirs = race(lambda: po.metrics.oci(counts), lambda: peers.oci_python(lists), 15)
    against = "a Python loop over 5,000 of them, × 20"
    return gain("OCI of 100,000 matrices", against, (ours, theirs * 20), 100)


def open_bin() -> Row:
    counts = matrices()
    few = counts[:20]
    lowest = [lowest_highest_cost(table) for table in few]
    same(po.metrics.max_interval_total_cost(few, OPEN), lowest)
    times = race(
        lambda: po.metrics.interval_stc(counts, OPEN),
        lambda: po.metrics.interval_stc(counts, BOUNDED),
        15,
    )
    work = "interval STC of 100,000 matrices, last bin open"
    return share(work, "the same, last bin with a given end", times, 20)


def lowest_highest_cost(counts: npt.NDArray[np.int64]) -> float:
    """Search for the length of the open bin with SciPy."""

    def cost(length: float) -> float:
        return float(po.metrics.max_interval_total_cost(counts, OPEN, unbounded=length))

    found = scipy.optimize.minimize_scalar(
        cost, bounds=(1e-3, 1e3), method="bounded", options={"xatol": 1e-12}
    )
    return float(found.fun)


def open_bin_memory() -> Row:
    counts = matrices()
    all_matrices = peak_memory(lambda: po.metrics.interval_stc(counts, OPEN))
    a_tenth = peak_memory(lambda: po.metrics.interval_stc(counts[::10], OPEN))
    work = "interval STC of 100,000 matrices, last bin open, peak memory"
    sizes = mebibytes(all_matrices), mebibytes(a_tenth)
    return Row(work, "10,000 matrices", *sizes, all_matrices / a_tenth, "≤", 1.5)


def peak_memory(work: Work) -> float:
    """Return the largest number of bytes that some work has allocated at one time."""
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return float(peak)


def mebibytes(size: float) -> str:
    return f"{size / 2**20:.3g} MiB"


def correlation(name: str, against: str, at_least: float | None, dtype: type) -> Row:
    """Compare a metric of a million rows with that of a peer."""
    frame, peer = predictions(MILLION), peers.METRICS[name]
    true, pred = codes(frame, dtype)
    method = getattr(po.ordinal(frame), name)
    same(method("y", "yhat"), peer(true, pred))
    times = race(lambda: method("y", "yhat"), lambda: peer(true, pred), 15)
    return gain(f"{name}, 1 M rows", f"{against}, {dtype.__name__}", times, at_least)


def kendall_tau() -> Row:
    return correlation("kendall_tau", "SciPy `kendalltau`", 30, np.int64)


def kendall_tau_int8() -> Row:
    return correlation("kendall_tau", "SciPy `kendalltau`", None, np.int8)


def spearman() -> Row:
    return correlation("spearman", "SciPy `spearmanr`", 30, np.int64)


def spearman_int8() -> Row:
    return correlation("spearman", "SciPy `spearmanr`", None, np.int8)


def kappa() -> Row:
    return correlation("kappa", "scikit-learn `cohen_kappa_score`, quadratic", 50, np.int64)


def kappa_int8() -> Row:
    return correlation("kappa", "scikit-learn `cohen_kappa_score`, quadratic", None, np.int8)


def agreement() -> Iterator[Row]:
    """Agreement of five raters; the peer takes 1,000 items, and has one of the coefficients."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, N_CLASSES, (MILLION, 1))
    rated = np.clip(truth + rng.integers(-1, 2, (MILLION, 5)), 0, N_CLASSES - 1).astype(float)
    rated[rng.random(rated.shape) < 0.2] = np.nan
    raters = [f"r{g}" for g in range(5)]
    frame = pd.DataFrame(rated, columns=raters)
    few, scale = frame[:1000], range(N_CLASSES)

    def measure(rows: pd.DataFrame, ci: float | None = None) -> Any:
        return po.ordinal(rows).agreement(raters, classes=scale, ci=ci)

    def alpha() -> float:
        table = few.to_numpy().T + 1
        domain = [one + 1 for one in scale]
        return float(
            krippendorff.alpha(table, value_domain=domain, level_of_measurement="ordinal")
        )

    same(measure(few)["krippendorff_alpha"], alpha())
    work = "agreement of 5 raters, five coefficients"
    times = race(lambda: measure(few), alpha, 5)
    yield gain(f"{work}, 1,000 items", "krippendorff `alpha`, one of them", times, None)
    yield note(f"{work}, 1 M items", min(clock(lambda: measure(frame)) for _ in range(3)), 1, "s")
    with_intervals = min(clock(lambda: measure(frame, 0.95)) for _ in range(3))
    yield note(f"{work} with intervals, 1 M items", with_intervals, 4, "s")


def auc_sklearn() -> Row:
    frame = ranked(1, 1, MILLION)
    high = frame.assign(y=(frame["y"].cat.codes > 1).astype(np.int8))
    true, scores = high["y"].to_numpy(), high["score"].to_numpy()
    same(po.ordinal(high).vus("y", "score"), sklearn.metrics.roc_auc_score(true, scores))
    times = race(
        lambda: po.ordinal(high).vus("y", "score"),
        lambda: sklearn.metrics.roc_auc_score(true, scores),
        5,
    )
    return gain("VUS, 1 M rows, two classes", "scikit-learn `roc_auc_score`", times, None)


def grid_counts() -> Iterator[Row]:
    """Count the grid over time in each cell, and measure memory beyond the grid as well."""
    true, pred = grids.labels()
    yield from against_hand(
        "grid of 648 M labels, confusion over time",
        lambda: grid_confusion(true, pred),
        lambda: grids.count_by_hand(true.to_numpy(), pred.to_numpy()),
    )
    area = grids.area()
    yield from against_hand(
        "grid of 648 M labels, confusion over time, weights of latitude",
        lambda: grid_confusion(true, pred, sample_weight=area),
        lambda: grids.count_by_hand(true.to_numpy(), pred.to_numpy(), area.to_numpy()),
    )
    chunks = {"time": 200, "lat": 90}
    in_chunks = true.chunk(chunks), pred.chunk(chunks)
    yield from against_hand(
        "grid of 648 M labels in 40 chunks, confusion over time",
        lambda: grid_confusion(*in_chunks),
        lambda: grids.count_chunks_by_hand(*in_chunks),
    )


def grid_classes() -> Row:
    true, pred = grids.labels()
    dims = ["time", "lat", "lon"]
    times = race(
        lambda: grid_confusion(true, pred, dims),
        lambda: grid_confusion(true, pred, dims, classes=range(N_CLASSES)),
        2,
    )
    return share("grid of 648 M labels, text `classes=`", "integer `classes=`", times, 1.3)


def grid_floats() -> Iterator[Row]:
    """Compare codes as a grid with missing cells holds them with those of int8."""

    def count(dtype: str, chunks: Any, classes: Any) -> xr.DataArray:
        true, pred = grids.codes(dtype)
        if chunks is not None:
            true, pred = true.chunk(chunks), pred.chunk(chunks)
        return grid_confusion(true, pred, None, classes=classes, dropna=True)

    for work, *options in (
        ("codes with NaN", None, range(N_CLASSES)),
        ("codes with NaN, no `classes=`", None, None),
        ("codes with NaN in 6 chunks", {"time": 10}, range(N_CLASSES)),
    ):
        for dtype in ("float32", "float64"):
            times = race(
                functools.partial(count, dtype, *options),
                functools.partial(count, "int8", *options),
                9,
            )
            yield share(f"grid of 3.9 M labels, {dtype} {work}", "int8", times, 3)


def grid_rps() -> Iterator[Row]:
    true, proba = grids.probabilities()
    yield from against_hand(
        "grid of 13 M × 5 probabilities, RPS over time",
        lambda: po.ordinal(true).rps(proba, dim="time", classes=range(N_CLASSES)),
        lambda: grids.rps_by_hand(true.to_numpy(), proba.to_numpy()),
    )


def grid_members() -> Iterator[Row]:
    """Cut rain and score the members, in chunks of a store, which is read each time."""
    with TemporaryDirectory() as folder:
        rain = grids.write_rain(Path(folder, "rain.zarr"))
        work = "grid of 648 M members in 100 chunks of a store, classes and fair RPS over time"
        ours: Callable[[], Any] = functools.partial(grids.fair_rps, rain)
        theirs: Callable[[], Any] = functools.partial(grids.fair_rps_by_hand, rain)
        same(ours(), theirs())
        yield share(work, "by hand, in blocks", race(ours, theirs, 2), 1.2)
        yield note(f"{work}, peak memory", peak_memory(ours) / 2**20, 1024, "MiB")
        in_memory = rain.isel(time=slice(0, 100)).load()
    for work, against, ours, theirs in grids.peers_of_forecasts(in_memory):
        same(ours(), theirs())
        yield gain(f"grid of 6.5 M cells, {work}", against, race(ours, theirs, 3), None)


def grid_confusion(
    true: xr.DataArray, pred: xr.DataArray, dim: Any = "time", **options: Any
) -> xr.DataArray:
    options = {"classes": list(CLASSES.categories), **options}
    return po.ordinal(true).confusion(pred, dim=dim, **options).compute()


def against_hand(work: str, ours: Callable[[], Any], theirs: Callable[[], Any]) -> Iterator[Row]:
    """Compare time and peak memory with a hand-written blockwise way."""
    same(ours(), theirs())
    yield share(work, "by hand, in blocks", race(ours, theirs, 2), 1.5)
    peaks = peak_memory(ours), peak_memory(theirs)
    sizes = mebibytes(peaks[0]), mebibytes(peaks[1])
    ratio = peaks[0] / peaks[1]
    yield Row(f"{work}, peak memory", "by hand, in blocks", *sizes, ratio, "≤", 1.5)


@functools.cache
def labelled(n_classes: int) -> pd.DataFrame:
    """Make 1,000 groups × 1,000 rows with this many classes."""
    rng = np.random.default_rng(n_classes)
    true = rng.integers(0, n_classes, MILLION)
    pred = (true + rng.choice(list(ERRORS), MILLION, p=list(ERRORS.values()))).clip(
        0, n_classes - 1
    )
    classes = pd.CategoricalDtype(list(range(n_classes)), ordered=True)
    columns = {"true": pd.Series(true, dtype=classes), "pred": pd.Series(pred, dtype=classes)}
    return pd.DataFrame({**columns, "group": np.arange(MILLION) // 1000})


def intervals_plain() -> Iterator[Row]:
    """Time intervals of all metrics: the work grows with the number of cells."""
    for n_classes, limit, times in ((3, None, 10), (5, 15, 10), (10, 60, 2)):
        frame = labelled(n_classes)
        ours = functools.partial(
            po.ordinal(frame).report, "true", "pred", by="group", metrics="all"
        )
        same(ours(ci=0.95)[ours().columns], ours())
        raced = race(functools.partial(ours, ci=0.95), ours, times)
        work = f"intervals, 1,000 groups × 1,000 rows, K = {n_classes}"
        yield share(work, "the report without", raced, limit)


def interval_scipy() -> Row:
    frame = predictions(SAMPLE)
    true, pred = codes(frame)
    distance = np.abs(true - pred)

    def ours() -> pd.Series[float]:
        return po.ordinal(frame).report("y", "yhat", metrics=["mae"], ci=0.95)

    def theirs() -> Any:
        return scipy.stats.bootstrap(
            (distance,), np.mean, n_resamples=2000, batch=50, method="percentile", rng=0
        )

    ends = theirs().confidence_interval
    report = ours()
    width = ends.high - ends.low
    assert abs(report["mae_low"] - ends.low) < 0.1 * width
    assert abs(report["mae_high"] - ends.high) < 0.1 * width
    times = race(ours, theirs, 2)
    return gain(
        "interval of MAE, 100,000 rows", "`scipy.stats.bootstrap`, 2,000 times", times, None
    )


def parts_of_scores() -> Iterator[Row]:
    """Split the RPS of a million rows, in one group and in 1,000, next to sorting forecasts."""
    rng = np.random.default_rng(6)
    proba = rng.dirichlet(np.ones(N_CLASSES), MILLION)
    below = np.ascontiguousarray(np.cumsum(proba, axis=1)[:, :-1].T)
    columns = list(range(N_CLASSES))
    frame = pd.DataFrame(dict(zip(columns, proba.T, strict=True)), copy=False)
    frame["y"] = rng.integers(0, N_CLASSES, MILLION)
    frame["group"] = rng.integers(0, 1000, MILLION)
    metrics = ["rps_mcb", "rps_dsc", "rps_unc"]
    mcb, dsc, unc = po.ordinal(frame).report("y", proba=columns, metrics=metrics)[metrics]
    same(mcb - dsc + unc, po.ordinal(frame).rps("y", columns))
    for by, groups in ((None, "one group"), ("group", "1,000 groups")):
        ours = functools.partial(
            po.ordinal(frame).report, "y", proba=columns, metrics=metrics, by=by
        )
        times = race(ours, lambda: [np.argsort(column) for column in below], 3)
        yield share(
            f"parts of RPS, 1 M × 5 probabilities, {groups}", "`np.argsort` of 4 columns", times, 6
        )


def compared() -> Row:
    """Compare all pairs of 20 models by ten metrics, on the same rows."""
    frame = predictions(SAMPLE)[["y"]]
    true = frame["y"].cat.codes.to_numpy()
    rng = np.random.default_rng(5)
    models = [f"model {number}" for number in range(20)]
    wrong = {}
    for model in models:
        errors = rng.choice(list(ERRORS), SAMPLE, p=list(ERRORS.values()))
        pred = np.clip(true + errors, 0, N_CLASSES - 1)
        frame = frame.assign(**{model: pd.Categorical.from_codes(pred, dtype=CLASSES)})
        wrong[model] = np.abs(true - pred)
    comparison = po.ordinal(frame).compare("y", models)
    metrics = comparison.index.unique("metric")
    assert len(metrics) == 10, metrics
    for a, b, p_value in comparison.loc["mae"].reset_index()[["a", "b", "p_value"]].to_numpy():
        assert abs(p_value - scipy.stats.ttest_rel(wrong[a], wrong[b]).pvalue) < 1e-3, (a, b)
    best = min(clock(lambda: po.ordinal(frame).compare("y", models)) for _ in range(3))
    return note("compare, 20 models × 10 metrics × 100,000 rows", best, 1, "s")


def decisions() -> Iterator[Row]:
    """Decide by costs and by the median, and choose thresholds with and without labels."""
    rng = np.random.default_rng(6)
    proba = rng.dirichlet(np.ones(N_CLASSES), MILLION)
    position = np.arange(N_CLASSES)
    costs = np.abs(position[:, None] - position)
    of_costs = functools.partial(po.metrics.least_costly, proba, costs)
    of_median = functools.partial(po.metrics.median_class, proba)
    same(of_costs(), of_median())
    times = race(of_costs, of_median, 15)
    yield share("least costly class, 1 M × 5 probabilities", "`median_class`", times, 1.2)
    true = (proba.cumsum(axis=1) < rng.random((MILLION, 1))).sum(axis=1)
    frame = pd.DataFrame(proba).assign(y=true)
    choose = functools.partial(
        po.ordinal(frame).best_thresholds, proba=list(position), metric="kappa"
    )
    times = race(choose, lambda: choose("y"), 3)
    work = "thresholds for kappa without labels, 1 M × 5 probabilities"
    yield share(work, "the same, with labels", times, 2)


def prediction_sets() -> Iterator[Row]:
    """Find the limits of prediction sets, and the sets."""
    rng = np.random.default_rng(7)
    classes = list(range(N_CLASSES))
    frame = pd.DataFrame(rng.dirichlet(np.ones(N_CLASSES), MILLION))
    frame["y"] = rng.integers(0, N_CLASSES, MILLION)
    find = functools.partial(
        po.ordinal(frame).set_limits, "y", classes, coverage=0.9, by_class=True
    )
    limits = find()
    apply = functools.partial(po.ordinal(frame).prediction_sets, classes, limits)
    for work, call in (("limits of prediction sets by class", find), ("prediction sets", apply)):
        best = min(clock(call) for _ in range(3))
        yield note(f"{work}, 1 M × 5 probabilities", best, 0.5, "s")


def small_call() -> Row:
    frame = predictions(100)
    true, pred = codes(frame)
    same(po.ordinal(frame).mae("y", "yhat"), np.abs(true - pred).mean())
    best = min(clock(lambda: po.ordinal(frame).mae("y", "yhat")) for _ in range(200))
    return note("mae, 100 rows", best * 1e3, 1, "ms")


def imports() -> Row:
    pairs = [import_times() for _ in range(9)]
    times = min(ours for ours, _ in pairs), min(theirs for _, theirs in pairs)
    return share("import", "`import pandas, xarray`", times, 1.1)


def import_times() -> tuple[float, float]:
    """Return the seconds until we are imported and until pandas and xarray are, in a new process.

    In one process, since these two take most of the time and vary by more than our own share.
    """
    timed = """
from time import perf_counter
start = perf_counter()
import pandas, xarray
theirs = perf_counter() - start
import pandas_ordinal
print(perf_counter() - start, theirs)
"""
    cached = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    done = subprocess.run(
        [sys.executable, "-c", timed], env=cached, stdout=subprocess.PIPE, text=True, check=True
    )
    ours, theirs = map(float, done.stdout.split())
    return ours, theirs


ROWS: list[Callable[[], Row | Iterator[Row]]] = [
    counts_bincount,
    counts_sklearn,
    counts_of_stacks,
    counts_crosstab,
    report_groupby,
    report_bincount,
    small_groups_bincount,
    small_groups_growth,
    small_groups_memory,
    million_groups_memory,
    oci_numba,
    oci_python,
    open_bin,
    open_bin_memory,
    kendall_tau,
    kendall_tau_int8,
    spearman,
    spearman_int8,
    kappa,
    kappa_int8,
    auc_sklearn,
    grid_counts,
    grid_classes,
    grid_floats,
    grid_rps,
    grid_members,
    intervals_plain,
    many_classes.rows,
    interval_scipy,
    parts_of_scores,
    compared,
    agreement,
    decisions,
    prediction_sets,
    small_call,
    imports,
]


def run() -> list[Row]:
    """Measure row by row, and show the progress on stderr."""
    rows: list[Row] = []
    for number, measure in enumerate(ROWS, 1):
        print(f"{number}/{len(ROWS)} {measure.__name__}", file=sys.stderr, flush=True)
        measured = measure()
        rows += [measured] if isinstance(measured, Row) else measured
    return rows


def main() -> None:
    every = report(experiment(1, 2, 100)).columns.drop("n")
    text = TEXT.format(
        table=table(run()),
        vus=table(vus.rows()),
        n_metrics=len(every),
        metrics=", ".join(f"`{name}`" for name in peers.METRICS),
        machine=machine(SHOWN),
        cores=os.cpu_count(),
    )
    publish(PART, text)


if __name__ == "__main__":
    main()
