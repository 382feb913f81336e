"""Time two ways of doing the same work in turns, and lay out the results as a table."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

Work = Callable[[], object]
Times = tuple[float, float]
HEADER = ["work", "against", "ours", "theirs", "value", "target", "met"]
RESULTS = Path(__file__).with_name("RESULTS.md")


@dataclass(frozen=True)
class Row:
    """One line of the table: a value, by default a ratio of two times, and its target."""

    work: str
    against: str
    ours: str
    theirs: str
    value: float
    bound: Literal["≤", "≥"]
    limit: float | None
    unit: str = "×"

    def cells(self) -> list[str]:
        """Return the row as text."""
        target, met = "", ""
        if self.limit is not None:
            target = f"{self.bound} {self.limit:g} {self.unit}"
            far = self.value - self.limit if self.bound == "≤" else self.limit - self.value
            met = "yes" if far <= 0 else "**no**"
        digits = f"{self.value:.3g}" if self.value < 1000 else f"{self.value:,.0f}"
        value = f"{digits} {self.unit}"
        return [self.work, self.against, self.ours, self.theirs, value, target, met]


def race(ours: Work, theirs: Work, repeats: int) -> Times:
    """Return the best time of each, in seconds, taken in turns so that noise hits both alike."""
    times = [(clock(ours), clock(theirs)) for _ in range(repeats)]
    return min(time for time, _ in times), min(time for _, time in times)


def clock(work: Work) -> float:
    """Return the seconds that some work takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def share(work: str, against: str, times: Times, at_most: float | None) -> Row:
    """Compare with a floor: our time over its time."""
    ours, theirs = times
    return Row(work, against, duration(ours), duration(theirs), ours / theirs, "≤", at_most)


def gain(work: str, against: str, times: Times, at_least: float | None) -> Row:
    """Compare with a peer: its time over our time."""
    ours, theirs = times
    return Row(work, against, duration(ours), duration(theirs), theirs / ours, "≥", at_least)


def note(work: str, value: float, at_most: float, unit: str) -> Row:
    """Compare with a limit that is not a ratio."""
    return Row(work, "", "", "", value, "≤", at_most, unit)


def duration(seconds: float) -> str:
    """Write a time in a suitable unit."""
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms"


def same(ours: npt.ArrayLike, theirs: npt.ArrayLike) -> None:
    """Assert that two ways give the same numbers before they are timed."""
    np.testing.assert_allclose(np.asarray(ours), np.asarray(theirs), rtol=1e-9, atol=1e-12)


def table(rows: Sequence[Row]) -> str:
    """Lay out rows as a Markdown table."""
    return laid_out(HEADER, [row.cells() for row in rows])


def laid_out(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Lay out texts as a Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def publish(part: str, text: str) -> None:
    """Print one part of RESULTS.md, and rewrite it there up to the next heading of its level."""
    print(text)
    before, heading, old = RESULTS.read_text("utf-8").partition(f"\n## {part}\n")
    assert heading, part
    _, following, after = old.partition("\n## ")
    RESULTS.write_text(f"{before}{heading}\n{text}{following}{after}", "utf-8")


def machine(packages: Sequence[str]) -> str:
    """Return the processor, and the versions of the packages that were timed."""
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    cores = f"{processor()}, {os.cpu_count()} cores"
    return f"{cores}; Python {platform.python_version()}, {versions}"


def processor() -> str:
    """Return the model of the processor."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()
