"""Run many cases and report the results."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial

from fuzz.check import Figures, run

PIECE = 100


def main() -> int:
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000, help="how many (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the run (default %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many at a time")
    given = parser.parse_args()
    started, figures = time.monotonic(), Figures()
    numbers = range(given.first, given.first + given.cases)
    pieces = [numbers[start : start + PIECE] for start in range(0, given.cases, PIECE)]
    for part in _run(given.seed, pieces, given.jobs):
        figures.add(part)
        for fault in part.faults:
            print(f"\r{fault}", file=sys.stderr)
        _show(figures, given.cases, started)
    print(file=sys.stderr)
    refused = ", ".join(f"{kind} {count:,}" for kind, count in figures.refusals.most_common())
    print(f"seed {given.seed}: {figures.cases:,} cases, {figures.calls:,} calls")
    print(f"refused as due: {sum(figures.refusals.values()):,} ({refused})")
    print(f"faults: {len(figures.faults):,}")
    return 1 if figures.faults else 0


def _run(seed: int, pieces: Iterable[range], jobs: int) -> Iterable[Figures]:
    with ProcessPoolExecutor(jobs) as pool:
        for done in as_completed([pool.submit(partial(run, seed), piece) for piece in pieces]):
            yield done.result()


def _show(figures: Figures, whole: int, started: float) -> None:
    """Show the progress of the run."""
    share, passed = figures.cases / whole, time.monotonic() - started
    bar = "#" * int(30 * share)
    left = passed / share - passed
    faults = f"{len(figures.faults)} faults"
    print(
        f"\r[{bar:30}] {figures.cases:,}/{whole:,}  {faults}  {left:.0f} s left ",
        end="",
        file=sys.stderr,
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
