"""Time and memory of reports in memory, over rows, groups, classes and models.

Run it as ``make bench-large``. Prints tables, writes them to RESULTS.md, and draws large.png for
it.
"""

from __future__ import annotations

import argparse
import gc
import time
import tracemalloc
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from harness import laid_out, machine, publish

import pandas_ordinal as po

N_ROWS, TURNS = 10_000_000, 3
ENOUGH = 0.5  # seconds after which a call is not repeated
FEW = 10  # rows of a call that has next to nothing to count
SHOWN = ["pandas-ordinal", "numpy", "pandas"]
PICTURE = Path(__file__).with_name("large.png")
PART = "Reports in memory"
TEXT = """Written by `make bench-large` on: {machine}.

The processor time of a call, best of {turns} or more, and the highest memory that it takes beyond
its frame. Labels are integers, int8, with `classes=` declared, unless Categoricals are named;
reports have the ten default metrics.

Slopes are fitted to the logarithms of both: 1 means proportional, 0 no growth at all. Time should
have a slope of 1.0 ± 0.1 over rows, and one below 0.2 over groups. A call takes up to a
millisecond whatever it counts, which is as long as counting a million rows; a call with {few}
rows shows how long. The slope beyond {few} rows is that of the time without this, and the last
slope is that of the two largest sizes. Where rows are sorted, a slope exceeds 1.

![Processor time and memory over rows, groups, classes and models](large.png)

{tables}
"""


class Point(NamedTuple):
    """What a call takes: seconds of processor time, and MiB of memory."""

    size: int
    seconds: float
    memory: float


class Curve(NamedTuple):
    """A call on frames of several sizes, and on one with a few rows."""

    title: str
    axis: str
    points: list[Point]
    few: Point | None = None

    def beyond(self) -> list[Point]:
        """Return the points without the fixed time of a call."""
        fixed = 0 if self.few is None else self.few.seconds
        return [point._replace(seconds=point.seconds - fixed) for point in self.points]


def measured(size: int, call: Callable[..., object], *args: Any, **options: Any) -> Point:
    """Measure time, and then memory in another run, since tracing it takes time."""
    seconds: list[float] = []
    while len(seconds) < TURNS or sum(seconds) < ENOUGH:
        start = time.process_time()
        call(*args, **options)
        seconds.append(time.process_time() - start)
    gc.collect()
    tracemalloc.start()
    call(*args, **options)
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    return Point(size, min(seconds), peak)


def frame(n_rows: int, n_classes: int = 5, n_models: int = 1, n_groups: int = 1) -> pd.DataFrame:
    """Make predictions near the truth."""
    rng = np.random.default_rng(0)
    true = rng.integers(0, n_classes, n_rows, dtype=np.int8)
    preds = {
        f"model {number}": (true + rng.integers(-1, 2, n_rows, dtype=np.int8)).clip(
            0, n_classes - 1
        )
        for number in range(n_models)
    }
    return pd.DataFrame({"y": true, **preds, "group": rng.integers(0, n_groups, n_rows)})


def labels(sizes: Iterable[int], most: int, method: str, ordered: bool = False) -> Iterator[Point]:
    df = frame(most)
    if ordered:
        dtype = pd.CategoricalDtype(list(range(5)), ordered=True)
        for name in ("y", "model 0"):
            df[name] = pd.Categorical.from_codes(df[name], dtype=dtype)
    for size in sizes:
        part = po.ordinal(df.iloc[:size])
        yield measured(size, getattr(part, method), "y", "model 0", classes=range(5))


def probabilities(sizes: Iterable[int], most: int) -> Iterator[Point]:
    rng = np.random.default_rng(0)
    odds = rng.random((most, 5))
    odds /= odds.sum(axis=1, keepdims=True)
    df = pd.DataFrame(odds, copy=False)
    df["y"] = rng.integers(0, 5, most, dtype=np.int8)
    for size in sizes:
        part = po.ordinal(df.iloc[:size])
        yield measured(size, part.rps, "y", list(range(5)), classes=list(range(5)))


def scores(sizes: Iterable[int], most: int) -> Iterator[Point]:
    df = frame(most)
    df["score"] = df["y"] + np.random.default_rng(0).normal(size=most)
    for size in sizes:
        part = po.ordinal(df.iloc[:size])
        yield measured(size, part.vus, "y", "score", classes=range(5))


def groups(sizes: Iterable[int], n_rows: int) -> Iterator[Point]:
    for size in sizes:
        df = po.ordinal(frame(n_rows, n_groups=size))
        yield measured(size, df.report, "y", "model 0", by="group", classes=range(5))


def classes(sizes: Iterable[int], n_rows: int) -> Iterator[Point]:
    for size in sizes:
        df = po.ordinal(frame(n_rows, n_classes=size))
        yield measured(size, df.report, "y", "model 0", classes=range(size))


def models(sizes: Sequence[int], n_rows: int) -> Iterator[Point]:
    df = frame(n_rows, n_models=max(sizes))
    for size in sizes:
        names = [f"model {number}" for number in range(size)]
        yield measured(size, po.ordinal(df).report, "y", names, classes=range(5))


def over_rows(title: str, points: Iterator[Point]) -> Curve:
    few, *others = points
    return Curve(title, "rows", others, few)


def curves(n_rows: int) -> list[Curve]:
    sizes = [FEW, n_rows // 100, n_rows // 10, n_rows, n_rows * 10]
    most, few = sizes[-1], n_rows // 10
    return [
        over_rows("confusion of integers", labels(sizes, most, "confusion")),
        over_rows("report of integers", labels(sizes, most, "report")),
        over_rows("report of Categoricals", labels(sizes, most, "report", True)),
        over_rows("`rps` of probabilities", probabilities(sizes, most)),
        over_rows("`vus` of scores", scores(sizes, most)),
        Curve(
            f"report of {n_rows:,} rows", "groups", list(groups([10, 100, 1000, 10_000], n_rows))
        ),
        Curve(
            f"report of {n_rows:,} rows", "classes", list(classes([2, 5, 10, 20, 50, 100], n_rows))
        ),
        Curve(f"report of {few:,} rows", "models", list(models([1, 3, 10, 30, 100], few))),
    ]


def slope(points: Sequence[Point], what: str) -> float:
    sizes, values = ([getattr(point, name) for point in points] for name in ("size", what))
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


def table(curve: Curve) -> str:
    """Lay out the measurements and the slopes as tables."""
    points = curve.points if curve.few is None else [curve.few, *curve.points]
    lines = [[f"{n:,}", f"{s:.4f} s", f"{memory:,.1f} MiB"] for n, s, memory in points]
    for name, points in (("slope", curve.points), ("last slope", curve.points[-2:])):
        lines.append([name, *(f"{slope(points, what):.2f}" for what in ("seconds", "memory"))])
    if curve.few is not None:
        lines.append([f"slope beyond {FEW} rows", f"{slope(curve.beyond(), 'seconds'):.2f}", ""])
    rows = laid_out([curve.axis, "time", "memory"], lines)
    return f"{curve.title[0].upper()}{curve.title[1:]}, by {curve.axis}:\n\n{rows}"


def draw(measurements: Sequence[Curve]) -> None:
    """Draw time and memory, with one column per axis."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    axes = list(dict.fromkeys(curve.axis for curve in measurements))
    figure, panels = plt.subplots(
        2, len(axes), figsize=(3 * len(axes), 6), sharex="col", sharey="row", layout="constrained"
    )
    quantities = {"seconds": "processor time, s", "memory": "memory, MiB"}
    for (what, label), row in zip(quantities.items(), panels, strict=True):
        for curve in measurements:
            panel: Any = row[axes.index(curve.axis)]
            points = curve.points
            title = f"{curve.title.replace('`', '')}, slope {slope(points, what):.2f}"
            sizes = [point.size for point in points]
            values = [getattr(point, what) for point in points]
            panel.loglog(sizes, values, marker="o", markersize=3, label=title)
            panel.legend(fontsize="x-small", frameon=False, loc="upper left")
        row[0].set_ylabel(label)
        row[0].set_ylim(top=row[0].get_ylim()[1] * 300)  # room for the legends
    for panel, axis in zip(panels[-1], axes, strict=True):
        panel.set_xlabel(axis)
    figure.savefig(PICTURE, dpi=72)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=N_ROWS, help="a tenth of the largest size")
    measurements = curves(parser.parse_args().rows)
    draw(measurements)
    tables = "\n\n".join(map(table, measurements))
    publish(PART, TEXT.format(machine=machine(SHOWN), turns=TURNS, few=FEW, tables=tables))


if __name__ == "__main__":
    main()
