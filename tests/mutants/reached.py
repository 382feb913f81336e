"""Which lines the tests reach, and how long each test takes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from xml.etree import ElementTree

from coverage import CoverageData

from mutants.changes import PACKAGE, ROOT, Mutant
from mutants.copies import files

FAST = ["-m", "not slow", "--hypothesis-profile=quick", "--hypothesis-seed=0"]
WITH_LINES = [f"--cov={PACKAGE}", "--cov-context=test", "--cov-report="]
SECONDS = ["--junit-xml=times.xml", "-o", "junit_family=xunit1"]
MADE = (".coverage", "times.xml")
# They look at what is made once, when a module is imported or a method is first called
READERS = [
    "tests/accessors/test_base.py",
    "tests/accessors/test_defaults.py",
    "tests/accessors/test_help.py",
    "tests/metrics/test_facts.py",
    "tests/metrics/test_registry.py",
    "tests/metrics/test_registry_of_rows.py",
    "tests/test_options.py",
    "tests/test_query.py",
    "tests/test_remedies.py",
    "tests/test_site.py",
]
# Parameters of a function that are tested before other functions have their turn
OWN_IN_TURN, IN_TURN = 10, 3


class Reached:
    """Which tests reach a line.

    Parameters
    ----------
    kept : Path
        The folder with what they wrote.
    """

    def __init__(self, kept: Path) -> None:
        self._data = CoverageData(str(kept / ".coverage"))
        self._data.read()
        self._seconds: dict[tuple[str, str], float] = defaultdict(float)
        for test in ElementTree.parse(kept / "times.xml").iter("testcase"):
            file, name = test.attrib["file"], test.attrib["name"]
            for key in ((file, name), (file, "")):
                self._seconds[key] += float(test.attrib["time"])

    def seconds(self, test: str) -> float:
        """Return how long a test, or a file, took."""
        return self._seconds.get(_key(test), 0.0)

    def tests_of(self, mutant: Mutant) -> list[str]:
        """Return the tests that reach a mutant, those of its folder and the fastest ones first."""
        lines = self._lines(mutant.room)
        when_imported = range(min(lines, default=0), max(lines, default=0) + 1)
        for places in (mutant.lines, mutant.statement, when_imported):
            contexts = {context for line in places for context in lines.get(line, ())} - {""}
            if contexts:
                break
        tests = {_test(context) for context in contexts}
        known = {test for test in tests if _key(test) in self._seconds}  # not run by tests
        return self._in_turns(known, mutant.folder)

    def readers_of(self, mutant: Mutant) -> list[str]:
        """Return tests that notice what another test has reached for them, or an import."""
        lines = self._lines(mutant.room)
        is_imported = any("" in lines.get(line, ()) for line in mutant.lines)
        return READERS if is_imported or mutant.folder == "accessors" else []

    def _in_turns(self, tests: Iterable[str], folder: str) -> list[str]:
        """Order tests so that each function has its turn before any has its second."""
        of_function = defaultdict(list)
        for test in sorted(tests, key=lambda test: (self.seconds(test), test)):
            of_function[test.partition("[")[0]].append(test)
        turns = []
        for function, group in of_function.items():
            is_own = function.startswith(f"tests/{folder}/")
            in_turn = OWN_IN_TURN if is_own else IN_TURN
            turns += [
                (number // in_turn, not is_own, self.seconds(test), test)
                for number, test in enumerate(group)
            ]
        return [test for *_, test in sorted(turns)]

    @lru_cache(maxsize=1)  # noqa: B019 - mutants come by room
    def _lines(self, room: str) -> Mapping[int, list[str]]:
        return self._data.contexts_by_lineno(room)


def _key(test: str) -> tuple[str, str]:
    """Return the file and the name of a test, which lacks its class, as in times.xml."""
    file, _, name = test.partition("::")
    function, *parameters = name.partition("[")
    return file, "".join([function.rpartition("::")[2], *parameters])


def _test(context: str) -> str:
    """Return the test of a context; for docstrings, whose names depend on what ran, the module."""
    test = context.rpartition("|")[0]
    return test.partition("::")[0] if test.startswith(PACKAGE) else test


def reached(there: Path, kept: Path, jobs: int) -> Reached:
    """Run the tests of ``make test`` in a copy, unless a folder has what a run on it wrote."""
    changed = max((ROOT / file).stat().st_mtime for file in files())
    made = [kept / name for name in MADE]
    if not all(file.exists() and file.stat().st_mtime >= changed for file in made):
        print("which lines the tests reach, ten minutes", file=sys.stderr)
        environment = {**os.environ, "PYTHONPATH": str(there)}
        options = ["-q", "-n", str(jobs), "-p", "no:cacheprovider", *FAST, *WITH_LINES, *SECONDS]
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *options], cwd=there, env=environment
        )
        if done.returncode:
            raise SystemExit("without a change, the tests fail")
        kept.mkdir(exist_ok=True)
        for name in MADE:
            shutil.copy(there / name, kept)
    return Reached(kept)
