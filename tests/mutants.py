"""Change the library one place at a time, and see whether its tests notice.

A mutant is one change in one module: a comparison, a sign, a constant, an axis, `not`, `and`,
`any`, `zeros`, `break`. The tests that are most likely to notice run in a copy of the project; the
sources themselves are never written to. First, these are the tests that `make test` runs, then
also the slow ones. Each module has as many mutants as any other. Survivors that no test could kill
stand in `equivalent.txt`, each with the reason.

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
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, count, zip_longest
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parent.parent
PACKAGE = "pandas_ordinal"
EQUIVALENT = Path(__file__).parent / "equivalent.txt"
# what tests of all metrics are called, those of counts and those of rows
OF_COUNTS = ["metrics/test_registry.py", "metrics/test_invariances.py"]
OF_ROWS = ["metrics/test_registry_of_rows.py", "metrics/test_invariances_of_rows.py"]
ROOMS_OF_ROWS = (
    "ascents", "proba_kernel", "probability", "ranked_rows", "ranking", "score_influence",
    "score_kernel", "segments", "thresholds",
)  # fmt: skip
CUBES_AND_FRAMES = ["accessors/test_report.py", "accessors/test_cubes.py"]
SURFACES_OF_ARRAYS = ["accessors/test_array.py", "accessors/test_dataset.py"]
INTERVALS = ["accessors/test_uncertainty.py", "accessors/test_uncertainty_of_rows.py"]
BY_CLASS = ["accessors/test_by_class.py", "inference/test_by_class.py"]
DASK = ["accessors/test_dask_frame.py", "accessors/test_dask_frame_of_rows.py"]
# The tests that notice changes in a room or in a module, in addition to those of its name
TESTS = {
    "__init__.py": ["test_hints.py", "accessors/test_base.py"],
    "accessors": ["accessors"],
    "accessors/groupby.py": ["rows/test_by_group.py", "accessors"],
    "accessors/__init__.py": ["accessors", "test_foreign.py"],
    "accessors/array.py": ["accessors", "dataarrays"],
    "accessors/dask_frame.py": DASK,
    "accessors/dataset.py": ["rows/test_compare.py", "accessors", "dataarrays"],
    "accessors/decisions.py": ["rows/test_thresholds.py", "rows/test_by_group.py", "accessors"],
    "accessors/frame.py": ["rows/test_thresholds.py", "rows/test_compare.py", "accessors"],
    "accessors/plots.py": ["plot"],
    "accessors/series.py": ["classes/test_bins.py", "rows/test_compare.py", "accessors"],
    "classes": ["classes"],
    "classes/labelled.py": [
        "accessors/test_class_labels.py",
        "metrics/test_labelled_arrays.py",
        "test_remedies.py",
    ],
    "classes/orders.py": ["rows/test_from_counts.py", "cube"],
    "counterparts.py": ["test_hints.py", "test_foreign.py", "accessors/test_help.py"],
    "counting": ["counting", "metrics/test_labelled_arrays.py", "metrics/test_proba_kernel.py"],
    "cube": ["cube", "test_floats.py", *CUBES_AND_FRAMES],
    "dataarrays": ["dataarrays", *SURFACES_OF_ARRAYS, *INTERVALS],
    "dataarrays/sample.py": ["rows/test_compare.py", *SURFACES_OF_ARRAYS],
    "dataarrays/by_class.py": BY_CLASS,
    "dataarrays/scored.py": [
        "dataarrays",
        "accessors/test_designs.py",
        *CUBES_AND_FRAMES,
        *INTERVALS,
    ],
    "errors.py": ["test_errors.py", "test_messages.py", "classes"],
    "files": ["files"],
    "groups.py": ["test_groups.py", *CUBES_AND_FRAMES],
    "hints.py": ["test_hints.py", "test_foreign.py", "accessors/test_help.py"],
    "inference": ["inference", *INTERVALS, "rows/test_compare.py"],
    "metrics": OF_COUNTS,
    "metrics/__init__.py": ["test_hints.py"],
    "metrics/metric.py": [*OF_COUNTS, "inference/test_influence.py"],
    "metrics/class_shares.py": [*OF_COUNTS, *BY_CLASS],
    **{f"metrics/{name}.py": OF_ROWS for name in ROOMS_OF_ROWS},
    "plot": ["plot"],
    "query.py": [
        "rows/test_alternatives.py",
        "test_query.py",
        "accessors/test_base.py",
        *INTERVALS,
        "rows/test_compare.py",
    ],
    "ratings": ["ratings"],
    "reports": ["reports", "accessors/test_report.py"],
    "reports/by_class.py": ["reports", *BY_CLASS],
    "rows": ["rows/test_sample.py", "rows/test_table.py", *CUBES_AND_FRAMES, *INTERVALS],
    "rows/by_class.py": BY_CLASS,
    "rows/compare.py": ["rows/test_long.py"],
    "rows/counter.py": ["rows/test_part_tables.py"],
    "rows/forecasts.py": ["rows/test_thresholds.py"],
    "rows/from_counts.py": ["cube"],
    "rows/gather.py": [
        "rows/test_absent_inputs.py",
        "accessors/test_masks.py",
        *CUBES_AND_FRAMES,
    ],
    "rows/long_format.py": ["rows/test_long.py", "rows/test_compare.py"],
    "rows/part_labels.py": ["rows/test_part_tables.py", *DASK],
    "rows/reference.py": ["accessors/test_options_by_label.py", "rows/test_sample.py", *DASK],
    "rows/results.py": ["rows/test_by_group.py", "accessors/test_designs.py", *DASK],
    "rows/summaries.py": [
        "rows/test_thresholds.py",
        "rows/test_by_group.py",
        "inference/test_dominance.py",
        "plot",
    ],
    "sklearn": ["sklearn"],
    "sklearn/__init__.py": ["sklearn", "test_hints.py"],
}
TESTS["metrics/agreement.py"] = [*OF_COUNTS, INTERVALS[0]]
TESTS["metrics/ascents.py"] = [
    "metrics/test_ranking.py", "inference/test_influence.py", *OF_ROWS,
]  # fmt: skip
TESTS["metrics/score_influence.py"] = ["inference/test_influence.py", INTERVALS[1], *OF_ROWS]
for name in ("partitions", "part_tables", "ranked_partitions", "score_ranges"):
    TESTS[f"rows/{name}.py"] = ["rows/test_part_tables.py", *DASK]
for name in ("calibration", "decomposition", "isotonic"):
    TESTS[f"metrics/{name}.py"] = [
        "metrics/test_calibration.py", "accessors/test_parts_of_scores.py",
    ]  # fmt: skip
for name in ("raters", "rating_table"):
    TESTS[f"metrics/{name}.py"] = ["ratings", *OF_COUNTS]
TESTS["rows/sums.py"] = ["accessors/test_designs.py", *TESTS["rows/partitions.py"]]
TESTS["rows/partitions.py"] += ["accessors/test_designs.py"]
PARTS = (PACKAGE, "tests", "docs", "examples", "README.md", "conftest.py", "pyproject.toml")
LIMIT = 3600  # seconds for all tests without a change
# Seconds for the tests of a mutant, in addition to so many times what they took without a change
LEAST, TIMES = 60, 4
# When mutants were written: the bytecode of a file is taken for that of another of the same second
SECONDS = count(1)
PYTEST = ["-q", "-x", "--no-header", "--tb=no", "-p", "no:cacheprovider", "--hypothesis-seed=0"]
FAST = ["-m", "not slow", "--hypothesis-profile=quick"]
NO_TESTS = 5  # how pytest ends if it finds none

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
OTHER_NAME = {"any": "all", "min": "max", "minimum": "maximum", "zeros": "ones", "fmin": "fmax"}
OTHER_AXIS = {"-1": -2, "-2": -1}
CHECKS = {"strict", "initial", "stacklevel"}  # of our own calls, and where warnings point to
OTHER_NAME |= {other: name for name, other in OTHER_NAME.items()}


@dataclass(frozen=True)
class Mutant:
    """A change in one place of a module.

    Attributes
    ----------
    room : str
        The module: its file, from the root of the project on.
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

    @property
    def folder(self) -> str:
        """The folder on the top level that the module is in, or its own name."""
        return Path(self.room).relative_to(PACKAGE).parts[0].removesuffix(".py")

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
    found = [mutants(room) for room in rooms() if given.room in room]
    chosen = drawn(found, given.mutants, given.seed)
    if given.list:
        print(*(f"{mutant.room}:{mutant.line}  {mutant.key()}" for mutant in chosen), sep="\n")
        return 0
    n_found = sum(map(len, found))
    print(f"{len(chosen)} of {n_found:,} mutants, seed {given.seed}", file=sys.stderr)
    survivors = run(chosen, given.jobs)
    known = equivalent()
    same = [mutant for mutant in chosen if mutant.key() in known]
    left = [mutant for mutant in survivors if mutant not in same]
    _print_shares([mutant for mutant in chosen if mutant not in same], left)
    return 1 if left else 0


def _print_shares(chosen: Sequence[Mutant], survivors: Sequence[Mutant]) -> None:
    """Print how many mutants were noticed, but for those that are known to be equivalent."""
    whole = Counter(mutant.folder for mutant in chosen)
    missed = Counter(mutant.folder for mutant in survivors)
    for name in [*sorted(whole), "all"]:
        n = whole[name] if name in whole else whole.total()
        noticed = n - (missed[name] if name in whole else missed.total())
        print(f"{name:12} {noticed:4} of {n:4} noticed, {noticed / max(n, 1):5.0%}")


def rooms() -> list[str]:
    """Return the files of all modules."""
    return [str(path.relative_to(ROOT)) for path in sorted((ROOT / PACKAGE).rglob("*.py"))]


def drawn(found: Sequence[Sequence[Mutant]], n: int, seed: int) -> list[Mutant]:
    """Draw mutants from the modules in turns, as long as a module has any."""
    rng = random.Random(seed)
    piles = [rng.sample(of_room, len(of_room)) for of_room in found]
    rng.shuffle(piles)
    in_turns = chain.from_iterable(zip_longest(*piles))
    return [mutant for mutant in in_turns if mutant is not None][:n]


def tests_of(room: str) -> list[str]:
    """Return the tests of a module: those of its name, those that also notice, its docstrings."""
    path = Path(room).relative_to(PACKAGE)
    folder, tests = ROOT / "tests" / path.parent, ROOT / "tests"
    stem = path.stem.lstrip("_")
    own = [*folder.glob(f"test_{stem}.py"), *sorted(folder.glob(f"test_{stem}_*.py"))]
    others = TESTS[str(path)] if str(path) in TESTS else TESTS.get(path.parts[0], [])
    for other in others:
        own += sorted((tests / other).glob("test_*.py")) or [tests / other]
    return [*dict.fromkeys(str(test.relative_to(ROOT)) for test in own), room]


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


Place = ast.expr | ast.AugAssign | ast.Break | ast.Continue


def _places(node: ast.AST, function: str) -> Iterator[tuple[Place, str]]:
    """Yield the nodes whose change a test should notice, but for types and messages."""
    if isinstance(node, (ast.JoinedStr, ast.Raise)) or _is_for_type_checkers(node):
        return
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        function = node.name
    if isinstance(node, Place):
        yield node, function
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            negative = isinstance(node, ast.UnaryOp) and isinstance(child, ast.Constant)
            if isinstance(child, ast.AST) and not negative:
                yield from _places(child, function)


def _is_for_type_checkers(node: ast.AST) -> bool:
    """Return whether nothing runs a node, or only to make a type or to check our own calls."""
    match node:
        case ast.If():
            return ast.unparse(node.test) == "TYPE_CHECKING"
        case ast.FunctionDef():
            return "overload" in map(ast.unparse, node.decorator_list)
        case ast.ClassDef():
            bases = [ast.unparse(base).split("[")[0] for base in node.bases]
            return bool({"Protocol", "TypedDict"} & {*bases})
        case ast.Call():
            return ast.unparse(node.func) in ("TypeVar", "dataclass")
        case ast.keyword():
            return node.arg in CHECKS
    return isinstance(node, ast.Assert)


def _axes(node: Place) -> Iterator[ast.AST]:
    """Yield a place with another axis of the classes."""
    match node:
        case ast.Call(keywords=keywords):
            for number, keyword in enumerate(keywords):
                if keyword.arg == "axis" and (axis := OTHER_AXIS.get(ast.unparse(keyword.value))):
                    changed = copy.deepcopy(node)
                    changed.keywords[number].value = ast.Constant(axis)
                    yield changed
        case ast.Subscript(value=ast.Attribute(attr="shape"), slice=place):
            if axis := OTHER_AXIS.get(ast.unparse(place)):
                changed_slice = copy.deepcopy(node)
                changed_slice.slice = ast.Constant(axis)
                yield changed_slice


def _changes(node: Place) -> Iterator[ast.AST]:
    """Yield what a node may become."""
    yield from _axes(node)
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
    elif isinstance(node, (ast.Break, ast.Continue)):
        yield ast.Continue() if isinstance(node, ast.Break) else ast.Break()
    elif isinstance(node, ast.Call):
        other_call = copy.deepcopy(node)
        match other_call.func:
            case ast.Name(id=name) as function if name in OTHER_NAME:
                function.id = OTHER_NAME[name]
                yield other_call
            case ast.Attribute(attr=name) as function if name in OTHER_NAME:
                function.attr = OTHER_NAME[name]
                yield other_call
    elif isinstance(node, ast.UnaryOp):
        if isinstance(node.op, (ast.USub, ast.Not)):
            yield node.operand
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield ast.Constant(not node.value)
        elif isinstance(node.value, (int, float)):
            yield ast.Constant(node.value + 1)


def run(chosen: Sequence[Mutant], jobs: int) -> list[Mutant]:
    """Run the tests of the modules against their mutants; return those that survived."""
    survivors: list[Mutant] = []
    ends: Counter[str] = Counter()
    known = equivalent()
    with _copies(jobs) as copies, ThreadPoolExecutor(jobs) as pool:
        seconds = _seconds_without_a_change(copies, chosen)
        started = time.monotonic()
        waiting = {pool.submit(_tested, copies, seconds, one): one for one in chosen}
        for done in as_completed(waiting):
            ends[done.result()] += 1
            if done.result() == "survived":
                survivor = waiting[done]
                survivors.append(survivor)
                if survivor.key() not in known:
                    print(f"{survivor.room}:{survivor.line}\n    {survivor.key()}", flush=True)
            _show(ends.total(), len(chosen), len(survivors), started)
    print(file=sys.stderr)
    print(", ".join(f"{n} {end}" for end, n in ends.most_common()))
    return survivors


def _seconds_without_a_change(
    copies: queue.Queue[Path], chosen: Sequence[Mutant]
) -> dict[str, float]:
    """Run all tests that mutants will run, which have to pass; return the seconds of each file."""
    tests = {test for room in {one.room for one in chosen} for test in tests_of(room)}
    there = copies.get()
    options = ["--junit-xml=times.xml", "-o", "junit_family=xunit1"]
    end = _end(there, [*options, *sorted(tests, reverse=True)], LIMIT)
    copies.put(there)
    if end != "survived":
        raise SystemExit(f"without a change, the tests fail: {' '.join(sorted(tests))}")
    seconds: dict[str, float] = {}
    for test in ElementTree.parse(there / "times.xml").iter("testcase"):
        file = test.attrib["file"]
        seconds[file] = seconds.get(file, 0) + float(test.attrib["time"])
    print(f"{sum(seconds.values()):.0f} s without a change", file=sys.stderr)
    return seconds


@contextmanager
def _copies(n: int) -> Iterator[queue.Queue[Path]]:
    """Make copies of the project, one for each test that runs at a time."""
    copies: queue.Queue[Path] = queue.Queue()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(n):
            there = Path(folder) / str(number)
            for part in PARTS:
                if (ROOT / part).is_dir():
                    leave_out = shutil.ignore_patterns("__pycache__")
                    shutil.copytree(ROOT / part, there / part, ignore=leave_out)
                else:
                    shutil.copy(ROOT / part, there / part)
            copies.put(there)
        yield copies


def _tested(copies: queue.Queue[Path], seconds: Mapping[str, float], mutant: Mutant) -> str:
    """Run the tests of a module in a copy with a change: the fast ones, then all."""
    there, tests = copies.get(), tests_of(mutant.room)
    limit = LEAST + TIMES * sum(seconds.get(test, 0) for test in tests)
    module, second = there / mutant.room, next(SECONDS)
    try:
        module.write_bytes(mutant.source())
        os.utime(module, (second, second))
        end = _end(there, [*FAST, *tests], limit)
        return _end(there, tests, limit) if end == "survived" else end
    finally:
        shutil.copy2(ROOT / mutant.room, module)
        copies.put(there)


def _end(there: Path, tests: Sequence[str], limit: float) -> str:
    """Run tests; return whether they noticed something."""
    # pytest would make a second module of one that nothing has imported yet
    modules = [Path(test).with_suffix("") for test in tests if test.startswith(PACKAGE)]
    names = [".".join(module.parts).removesuffix(".__init__") for module in modules]
    imported = [option for name in names for option in ("-p", name)]
    environment = {**os.environ, "PYTHONPATH": str(there), "PYTHONDONTWRITEBYTECODE": ""}
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", *PYTEST, *imported, *tests],
        cwd=there,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return "survived" if process.wait(limit) in (0, NO_TESTS) else "noticed"
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
