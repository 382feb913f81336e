"""Change the formulas and counts one place at a time, and see whether their tests notice.

A mutant is one change in one module: a comparison, a sign, a constant, an axis, `not`, `and`. It
runs against the tests of its module in a copy of the project; the sources themselves are never
written to. Survivors that no test could kill stand in `equivalent.txt`, each with the reason.

No library does this here: mutmut leaves out functions with decorators, which all metrics have,
and cosmic-ray runs one command for all modules.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import queue
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = "pandas_ordinal"
ROOMS = (
    "counting/*.py",
    "groups.py",
    "classes/gate.py",
    "classes/undeclared.py",
    "cube/layout.py",
    "metrics/*.py",
)
EQUIVALENT = Path(__file__).parent / "equivalent.txt"
TESTED_BESIDE = {  # modules that are tested with those that are built on them
    "pandas_ordinal/classes/gate.py": ["bins"],
    "pandas_ordinal/classes/undeclared.py": ["gate"],
    "pandas_ordinal/cube/layout.py": ["combine"],
    "pandas_ordinal/metrics/ascents.py": ["ranking"],
}
# what tests of all metrics are called, those of counts and those of rows
OF_COUNTS = ("registry", "invariances")
OF_ROWS = ("registry_of_rows", "invariances_of_rows")
ROOMS_OF_ROWS = (
    "ascents", "proba_kernel", "probability", "ranked_rows", "ranking", "score_kernel", "segments",
    "thresholds",
)  # fmt: skip
LIMIT = 1800  # seconds for all tests without a change; a mutant has the time that these took
PYTEST = ["-q", "-x", "--no-header", "--tb=no", "-p", "no:cacheprovider", "--hypothesis-seed=0"]

OTHER: dict[type[ast.AST], list[type[ast.AST]]] = {
    ast.Lt: [ast.LtE, ast.Gt],
    ast.LtE: [ast.Lt, ast.Gt],
    ast.Gt: [ast.GtE, ast.Lt],
    ast.GtE: [ast.Gt, ast.Lt],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.In: [ast.NotIn],
    ast.NotIn: [ast.In],
    ast.Is: [ast.IsNot],
    ast.IsNot: [ast.Is],
    ast.Add: [ast.Sub],
    ast.Sub: [ast.Add],
    ast.Mult: [ast.Add],
    ast.Div: [ast.Mult],
    ast.FloorDiv: [ast.Mult],
    ast.And: [ast.Or],
    ast.Or: [ast.And],
}


@dataclass(frozen=True)
class Mutant:
    """A change in one place of a module.

    Attributes
    ----------
    room : str
        The file, from the root of the project on.
    function : str
        The function that the place is in.
    line : int
        Its line.
    start, stop : int
        The bytes that are replaced.
    text : str
        What replaces them.
    """

    room: str
    function: str
    line: int
    start: int
    stop: int
    text: str

    def source(self) -> bytes:
        """Return the file with the change."""
        source = (ROOT / self.room).read_bytes()
        return source[: self.start] + self.text.encode() + source[self.stop :]

    def key(self) -> str:
        """Return what the mutant is called in the list of the equivalent ones."""
        source = (ROOT / self.room).read_bytes()
        before = source.rfind(b"\n", 0, self.start) + 1
        after = source.find(b"\n", self.stop)
        lines = (
            source[before:after],
            self.source()[before : after + len(self.source()) - len(source)],
        )
        old, new = (" ".join(line.decode().split()) for line in lines)
        return f"{self.room} {self.function}: {old}  ->  {new}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=300, help="how many (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the choice (default %(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time")
    parser.add_argument("--room", default="", help="only modules with this in their name")
    parser.add_argument("--list", action="store_true", help="list the mutants, and run none")
    given = parser.parse_args()
    found = [mutant for room in rooms() if given.room in room for mutant in mutants(room)]
    chosen = random.Random(given.seed).sample(found, min(given.mutants, len(found)))
    if given.list:
        print(*(f"{mutant.room}:{mutant.line}  {mutant.key()}" for mutant in chosen), sep="\n")
        return 0
    print(f"{len(chosen)} of {len(found):,} mutants, seed {given.seed}", file=sys.stderr)
    survivors, ends = run(chosen, given.jobs)
    known = equivalent()
    left = [mutant for mutant in survivors if mutant.key() not in known]
    print(", ".join(f"{count} {end}" for end, count in ends.most_common()), end="; ")
    print(f"survivors: {len(left)}, and {len(survivors) - len(left)} known to be equivalent")
    return 1 if left else 0


def rooms() -> list[str]:
    """Return the files whose places are changed."""
    paths = [path for room in ROOMS for path in sorted((ROOT / PACKAGE).glob(room))]
    return [str(path.relative_to(ROOT)) for path in paths if path.name != "__init__.py"]


def tests_of(room: str) -> list[str]:
    """Return the tests of a module: those of its name, those of all metrics, its docstrings."""
    path = Path(room)
    folder = ROOT / "tests" / path.parent.relative_to(PACKAGE)
    own = [*folder.glob(f"test_{path.stem}.py"), *sorted(folder.glob(f"test_{path.stem}_*.py"))]
    own += [folder / f"test_{name}.py" for name in TESTED_BESIDE.get(room, [])]
    if path.parent.name == "metrics":
        names = OF_ROWS if path.stem in ROOMS_OF_ROWS else OF_COUNTS
        of_all = [folder / f"test_{name}.py" for name in names]
        own += [test for test in of_all if test.exists() and test not in own]
    own = own or sorted(folder.glob("test_*.py"))
    # the module last: pytest would make a second one of what that nothing has imported yet
    return [*(str(test.relative_to(ROOT)) for test in own), room]


def mutants(room: str) -> list[Mutant]:
    """Return all mutants of a module."""
    source = (ROOT / room).read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    made = []
    for node, function in _places(ast.parse(source), "module"):
        for changed in _changes(node):
            start = starts[node.lineno - 1] + node.col_offset
            stop = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
            text = ast.unparse(changed)
            text = text if isinstance(node, ast.stmt) else f"({text})"
            made.append(Mutant(room, function, node.lineno, start, stop, text))
    return made


Place = ast.expr | ast.AugAssign


def _places(node: ast.AST, function: str) -> Iterator[tuple[Place, str]]:
    """Yield the nodes whose change a test should notice, but for annotations and messages."""
    if isinstance(node, (ast.JoinedStr, ast.Raise)):
        return
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        function = node.name
    if isinstance(node, (ast.expr, ast.AugAssign)):
        yield node, function
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            negative = isinstance(node, ast.UnaryOp) and isinstance(child, ast.Constant)
            if isinstance(child, ast.AST) and not negative:
                yield from _places(child, function)


def _changes(node: Place) -> Iterator[ast.AST]:
    """Yield what a node may become."""
    if isinstance(node, ast.Compare):
        for position, op in enumerate(node.ops):
            for kind in OTHER[type(op)]:
                changed = copy.deepcopy(node)
                changed.ops[position] = kind()  # type: ignore[call-overload]
                yield changed
    elif isinstance(node, (ast.BinOp, ast.BoolOp, ast.AugAssign)):
        for kind in OTHER.get(type(node.op), []):
            other = copy.deepcopy(node)
            other.op = kind()  # type: ignore[assignment]
            yield other
    elif isinstance(node, ast.UnaryOp):
        if isinstance(node.op, (ast.USub, ast.Not)):
            yield node.operand
        if ast.unparse(node) in ("-1", "-2"):  # the axes of the classes
            yield ast.parse("-3 - " + ast.unparse(node), mode="eval").body
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield ast.Constant(not node.value)
        elif isinstance(node.value, (int, float)):
            yield ast.Constant(node.value + 1)


def run(chosen: Sequence[Mutant], jobs: int) -> tuple[list[Mutant], Counter[str]]:
    """Run the tests of the modules against their mutants; return those that survived."""
    survivors: list[Mutant] = []
    ends: Counter[str] = Counter()
    known = equivalent()
    started = time.monotonic()
    with _copies(jobs) as copies, ThreadPoolExecutor(jobs) as pool:
        limit = _time_without_a_change(copies, chosen)
        waiting = {pool.submit(_tested, copies, one.room, limit, one): one for one in chosen}
        for done in as_completed(waiting):
            ends[done.result()] += 1
            if done.result() == "survived":
                survivor = waiting[done]
                survivors.append(survivor)
                if survivor.key() not in known:
                    print(f"{survivor.room}:{survivor.line}\n    {survivor.key()}", flush=True)
            _show(ends.total(), len(chosen), len(survivors), started)
    print(file=sys.stderr)
    return survivors, ends


def _time_without_a_change(copies: queue.Queue[Path], chosen: Sequence[Mutant]) -> float:
    """Run all tests that mutants will run, which have to pass; return the time that they took."""
    tests = [test for room in sorted({one.room for one in chosen}) for test in tests_of(room)]
    there, started = copies.get(), time.monotonic()
    end = _end(there, [*dict.fromkeys(sorted(tests, reverse=True))], LIMIT)
    copies.put(there)
    if end != "survived":
        raise SystemExit(f"without a change, the tests fail: {' '.join(dict.fromkeys(tests))}")
    print(f"{time.monotonic() - started:.0f} s without a change", file=sys.stderr)
    return time.monotonic() - started + 10


@contextmanager
def _copies(n: int) -> Iterator[queue.Queue[Path]]:
    """Make copies of the project, one for each test that runs at a time."""
    copies: queue.Queue[Path] = queue.Queue()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(n):
            there = Path(folder) / str(number)
            for part in (PACKAGE, "tests", "docs", "pyproject.toml"):
                if (ROOT / part).is_dir():
                    leave_out = shutil.ignore_patterns("__pycache__")
                    shutil.copytree(ROOT / part, there / part, ignore=leave_out)
                else:
                    shutil.copy(ROOT / part, there / part)
            copies.put(there)
        yield copies


def _tested(copies: queue.Queue[Path], room: str, limit: float, mutant: Mutant) -> str:
    """Run the tests of a module in a copy with a change."""
    there = copies.get()
    source = (there / room).read_bytes()
    try:
        (there / room).write_bytes(mutant.source())
        return _end(there, tests_of(room), limit)
    finally:
        (there / room).write_bytes(source)
        copies.put(there)


def _end(there: Path, tests: Sequence[str], limit: float) -> str:
    """Run tests; tell whether they noticed something."""
    # no bytecode, which would be taken for that of a file of the same size and second
    environment = {**os.environ, "PYTHONPATH": str(there), "PYTHONDONTWRITEBYTECODE": "1"}
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", *PYTEST, *tests],
        cwd=there,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return "survived" if process.wait(limit) == 0 else "killed"
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return "out of time"


def equivalent() -> set[str]:
    """Return the keys of the mutants that no test could kill; reasons are indented."""
    lines = EQUIVALENT.read_text().splitlines() if EQUIVALENT.exists() else []
    return {line for line in lines if line and not line.startswith((" ", "#"))}


def _show(n: int, whole: int, n_survivors: int, started: float) -> None:
    """Draw how far the run is."""
    left = (time.monotonic() - started) / n * (whole - n)
    bar = "#" * (30 * n // whole)
    said = f"\r[{bar:30}] {n}/{whole}  {n_survivors} survivors  {left / 60:.0f} min left "
    print(said, end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
