"""Tests of mutants, each in a process that has imported what the tests need."""

from __future__ import annotations

import importlib
import os
import shutil
import signal
import sys
import time
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest

from mutants.changes import PACKAGE, ROOT, Mutant, equivalent
from mutants.reached import FAST, READERS, Reached

NEEDED = (
    "numpy", "pandas", "xarray", "scipy.stats", "sklearn.metrics", "hypothesis.strategies",
    "dask.dataframe", "pyarrow.parquet", "h5netcdf", "matplotlib.pyplot",
)  # fmt: skip
MOST_SECONDS = 90.0  # of the tests of a mutant
FILES = 4  # in each part of the tests
LEAST, TIMES = 30, 4  # seconds that tests may take, in addition to so many times what they took
# When mutants were written: the bytecode of a file is taken for that of another of the same second
SECONDS = count(1)
PYTEST = ["-q", "-x", "--no-header", "--tb=short", "-p", "no:cacheprovider", *FAST]
PYTEST += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # what is imported was not rewritten
NO_TESTS = 5  # how pytest ends if it finds none
IN_TESTS = "tests/mutants/__init__.py"  # without tests; pytest reads the settings beside it
PAUSE = 0.02
N_WITHOUT_A_CHANGE = 10  # mutants whose first tests have to pass without a change


@dataclass
class Trial:
    """Tests of a mutant in a copy of the project.

    Attributes
    ----------
    mutant : Mutant
        The mutant.
    there : Path
        The copy.
    parts : deque of list of str
        The tests that have not run yet.
    limit : float
        When those that run have to end.
    """

    mutant: Mutant
    there: Path
    parts: deque[list[str]]
    limit: float = field(default=0.0)

    def write(self) -> None:
        """Write the mutant into the copy."""
        second = next(SECONDS)
        (self.there / self.mutant.room).write_bytes(self.mutant.source())
        os.utime(self.there / self.mutant.room, (second, second))

    def start(self, reached: Reached) -> int:
        """Start the next part of the tests; return the process."""
        tests = self.parts.popleft()
        self.limit = time.monotonic() + LEAST + TIMES * sum(map(reached.seconds, tests))
        return _start(self.there, tests)

    def restore(self) -> None:
        """Write the module as it was."""
        shutil.copy2(ROOT / self.mutant.room, self.there / self.mutant.room)


def try_all(chosen: Sequence[Mutant], reached: Reached, folders: Sequence[Path]) -> list[Mutant]:
    """Test mutants, one in each copy at a time; return those that survived."""
    for name in NEEDED:
        importlib.import_module(name)
    by_room = sorted(chosen, key=lambda mutant: mutant.room)
    parts_of = {mutant: _parts(mutant, reached) for mutant in by_room}
    waiting = deque((mutant, parts_of[mutant]) for mutant in chosen)
    tried = list(waiting)[:: len(waiting) // N_WITHOUT_A_CHANGE + 1]
    _try_without_a_change(folders[0], [*(parts[0] for _, parts in tried if parts), READERS])
    free, running = list(folders), dict[int, Trial]()
    survivors: list[Mutant] = []
    ends: Counter[str] = Counter()
    known, started = equivalent(), time.monotonic()
    while waiting or running:
        while waiting and free:
            mutant, parts = waiting.popleft()
            trial = Trial(mutant, free.pop(), parts)
            trial.write()
            running[trial.start(reached)] = trial
        process, end = _next_end(running)
        trial = running.pop(process)
        if end == "survived" and trial.parts:
            running[trial.start(reached)] = trial
            continue
        trial.restore()
        free.append(trial.there)
        ends[end] += 1
        if end == "survived":
            survivors.append(trial.mutant)
            if trial.mutant.key() not in known:
                print(f"{trial.mutant.room}:{trial.mutant.lines.start}", flush=True)
                print(f"    {trial.mutant.key()}", flush=True)
        _show(ends.total(), len(chosen), len(survivors), started)
    print(file=sys.stderr)
    print(", ".join(f"{n} {end}" for end, n in ends.most_common()))
    return survivors


def _parts(mutant: Mutant, reached: Reached) -> deque[list[str]]:
    """Split tests into parts of few files: pytest imports all of them before the first test."""
    of_file: dict[str, list[str]] = {}
    seconds = 0.0
    for test in reached.tests_of(mutant):
        seconds += reached.seconds(test)
        if seconds > MOST_SECONDS:
            break
        of_file.setdefault(test.partition("::")[0], []).append(test)
    files = list(of_file.values())
    parts = [
        [test for tests in files[start : start + FILES] for test in tests]
        for start in range(0, len(files), FILES)
    ]
    readers = reached.readers_of(mutant)
    return deque([*parts, readers] if readers else parts)


def _try_without_a_change(there: Path, parts: Iterable[list[str]]) -> None:
    """Run tests that mutants will run, which have to pass."""
    tests = list(dict.fromkeys(test for part in parts for test in part))
    _, status = os.waitpid(_start(there, tests, shown=True), 0)
    if os.waitstatus_to_exitcode(status):
        raise SystemExit(f"without a change, some of {len(tests)} tests fail")


def _start(there: Path, tests: Sequence[str], *, shown: bool = False) -> int:
    """Run tests in a process of their own; return its number."""
    process = os.fork()
    if process:
        return process
    end: int = pytest.ExitCode.INTERNAL_ERROR
    try:
        os.setpgrp()
        os.chdir(there)
        sys.path.insert(0, str(there))
        os.environ["PYTHONPATH"] = str(there)
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0,) if shown else (0, 1, 2):
            os.dup2(null, stream)
        end = pytest.main([*PYTEST, *_imported_first(tests), *tests, IN_TESTS])
        sys.stdout.flush()
    finally:
        os._exit(end)


def _imported_first(tests: Iterable[str]) -> list[str]:
    """Import modules by name: pytest would make a second one of each that it finds as a file."""
    files = {test.partition("::")[0] for test in tests if test.startswith(PACKAGE)}
    names = [file.removesuffix(".py").replace("/", ".") for file in sorted(files)]
    return [option for name in names for option in ("-p", name.removesuffix(".__init__"))]


def _next_end(running: dict[int, Trial]) -> tuple[int, str]:
    """Wait for a process to end; return it, and what its tests found."""
    while True:
        for process, trial in running.items():
            ended, status = os.waitpid(process, os.WNOHANG)
            if ended:
                end = os.waitstatus_to_exitcode(status)
                if end == pytest.ExitCode.INTERNAL_ERROR:
                    raise SystemExit(f"the tests of {trial.mutant.key()} could not be run")
                return process, "survived" if end in (0, NO_TESTS) else "noticed"
            if time.monotonic() > trial.limit:
                os.killpg(process, signal.SIGKILL)
                os.waitpid(process, 0)
                return process, "out of time"
        time.sleep(PAUSE)


def _show(n: int, whole: int, n_survivors: int, started: float) -> None:
    """Draw how far the run is."""
    left = (time.monotonic() - started) / n * (whole - n)
    bar = "#" * (30 * n // whole)
    said = f"\r[{bar:30}] {n}/{whole}  {n_survivors} survivors  {left / 60:.0f} min left "
    print(said, end="", file=sys.stderr, flush=True)
