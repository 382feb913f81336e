"""What mutants change: comparisons, signs, constants, options, axes, `not`, `any`, `break`."""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = "pandas_ordinal"
EQUIVALENT = Path(__file__).parent / "equivalent.txt"

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
    lines, statement : range
        Its lines, and those of the statement that it is in, without the body of that.
    start, stop : int
        The bytes that are replaced.
    text : str
        What replaces them.
    """

    room: str
    function: str
    lines: range
    statement: range
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


def changes_of(room: str) -> list[Mutant]:
    """Return all mutants of a module."""
    source = (ROOT / room).read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    made = []
    for node, function, statement in _places(ast.parse(source), "module", range(0)):
        for changed in _changes(node):
            start = starts[node.lineno - 1] + node.col_offset
            stop = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
            text = ast.unparse(changed)
            text = text if isinstance(node, ast.stmt) else f"({text})"
            lines = range(node.lineno, (node.end_lineno or 0) + 1)
            made.append(Mutant(room, function, lines, statement, start, stop, text))
    return made


Place = ast.expr | ast.AugAssign | ast.Break | ast.Continue


def _places(node: ast.AST, function: str, statement: range) -> Iterator[tuple[Place, str, range]]:
    """Yield the nodes whose change a test should notice, but for types and messages."""
    if isinstance(node, (ast.JoinedStr, ast.Raise)) or _is_for_type_checkers(node):
        return
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        function = node.name
    if isinstance(node, ast.stmt):
        body = getattr(node, "body", None)
        statement = range(node.lineno, body[0].lineno if body else (node.end_lineno or 0) + 1)
    if isinstance(node, Place):
        yield node, function, statement
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            negative = isinstance(node, ast.UnaryOp) and isinstance(child, ast.Constant)
            if isinstance(child, ast.AST) and not negative:
                yield from _places(child, function, statement)


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


def _without_an_option(node: ast.Call) -> Iterator[ast.AST]:
    """Yield a call with one option less."""
    for number, keyword in enumerate(node.keywords):
        if keyword.arg is not None and keyword.arg not in CHECKS:
            changed = copy.deepcopy(node)
            del changed.keywords[number]
            yield changed


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
        yield from _without_an_option(node)
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


def equivalent() -> set[str]:
    """Return the keys of the mutants that no test could kill; reasons are indented."""
    lines = EQUIVALENT.read_text().splitlines() if EQUIVALENT.exists() else []
    return {line for line in lines if line and not line.startswith((" ", "#"))}
