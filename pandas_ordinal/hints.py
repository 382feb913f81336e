"""Hints in errors at the name or the argument that is meant; names that load when first used."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, ParamSpec, TypeVar

import lazy_loader

from pandas_ordinal.counterparts import (
    ANSWERS,
    CLUSTERS_OR_KEYS,
    FORGOTTEN,
    IN_MEMORY,
    INSTEAD_OF_BY,
    METRICS,
    NOT_HERE,
    OF_CUT,
    OF_FRAME,
    PARAMETERS,
    REMARKS,
)
from pandas_ordinal.errors import (
    brief,
    closest,
    did_you_mean,
    first_labels,
    refuse_wrong_values,
    signature_of,
)

_P = ParamSpec("_P")
_R = TypeVar("_R")

# Parameters that take several columns in a list
SEVERAL_COLUMNS = ("pred", "score", "proba")


def hint_at_name(name: str, names: Iterable[str]) -> str:
    """Return a hint at the name that is meant: by another library, or a similar one."""
    plain = name.lower().removeprefix("neg_")
    if plain in NOT_HERE:
        return f"; {name} {NOT_HERE[plain]}; list(po.metrics.registry) has all names"
    if name.lower() != plain and plain in names:
        return f"; {name} is {plain} here: a scorer negates errors by itself"
    here = METRICS.get(plain, "")
    if here.partition("(")[0] in names:
        return f"; {name} is {here} here{REMARKS.get(plain, '')}"
    return did_you_mean(name, names)


def unknown_name_error(
    module: str, name: str, names: Iterable[str], instead: str | None = None
) -> AttributeError:
    """Return the error for a name that a module lacks, with the one that is meant."""
    hint = ""
    if not name.startswith("_"):
        hint = f"; {instead}" if instead else hint_at_name(name, names)
    message = f"module {module!r} has no attribute {name!r}{hint}"
    return AttributeError(message, name=name, obj=None)  # or Python suggests a name again


def attach(
    module: str,
    file: str,
    others: Iterable[str] = (),
    instead: Callable[[str], str | None] = lambda name: None,
) -> tuple[Callable[[str], Any], list[str]]:
    """Load what the stub of a package names when it is first used.

    Parameters
    ----------
    module, file : str
        The package's `__name__` and `__file__`; its stub, `__init__.pyi`, stands next to it.
    others : iterable of str
        Names defined elsewhere that a wrong name may be close to.
    instead : callable
        Returns what to do instead of using a name that the package lacks, or None.

    Returns
    -------
    __getattr__ : callable
        The function that loads a name, or explains one that the package lacks.
    names : list of str
        The names in the stub.
    """
    load, _, names = lazy_loader.attach_stub(module, file)

    def __getattr__(name: str) -> Any:
        if name in names:
            return load(name)
        raise unknown_name_error(module, name, [*names, *others], instead(name))

    return __getattr__, names


def explains_arguments(
    function: Callable[_P, _R], signature: inspect.Signature | None = None
) -> Callable[_P, _R]:
    """Decorate a function so that wrong arguments raise an error with a hint.

    `signature` is the one to show, if it is not the function's own.
    """
    shown = signature or signature_of(function)

    @functools.wraps(function)
    def explained(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        bound(explained, shown, args, kwargs)
        return function(*args, **kwargs)

    explained.__signature__ = shown  # type: ignore[attr-defined]
    return explained


def bound(
    method: Callable[..., Any],
    signature: inspect.Signature,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    hint: str = "",
    of_reports: Mapping[str, str] | None = None,
    example: Callable[[], str] = str,
) -> dict[str, Any]:
    """Return the arguments of a call by parameter, or raise with a hint at the right one.

    `of_reports` has the calls for options of reports that the method lacks; `example` writes a
    correct call.
    """
    try:
        arguments = signature.bind(*args, **kwargs).arguments
    except TypeError as error:
        wrong = [name for name in kwargs if name not in signature.parameters]
        hints = [_instead(name, method, signature, of_reports or {}) for name in wrong]
        hints += [hint, _by_name(signature, args), _forgotten(str(error), example)]
        hint = next(filter(None, hints), "")
        raise TypeError(f"{method.__qualname__}(): {error}{hint}") from None
    refuse_wrong_values(signature.parameters, arguments)
    return arguments


def _by_name(signature: inspect.Signature, args: Sequence[Any]) -> str:
    """Return a hint at keyword-only options, if there are too many positional arguments."""
    parameters = list(signature.parameters.values())
    names = [f"{p.name}=" for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY]
    n_positional = len(parameters) - len(names)
    if len(args) <= n_positional:
        return ""
    last, several = parameters[n_positional - 1].name, list(args[n_positional - 1 :])
    are_columns = last in SEVERAL_COLUMNS and "metrics" not in signature.parameters
    by_name = f"; give options by name: {', '.join(first_labels(names))}" * bool(names)
    if last == "classes" or (are_columns and all(isinstance(one, str) for one in several)):
        return f"{by_name}; give several columns or classes as one list: {last}={brief(several)}"
    return by_name


def _forgotten(error: str, example: Callable[[], str]) -> str:
    """Return a hint at how to give a parameter that is missing."""
    if not error.startswith("missing a required argument"):
        return ""
    forgotten = (hint for name, hint in FORGOTTEN.items() if repr(name) in error)
    hint = example() or next(forgotten, "")
    return f"; {hint}" if hint else ""


def _instead(
    name: str,
    method: Callable[..., Any],
    signature: inspect.Signature,
    of_reports: Mapping[str, str],
) -> str:
    """Return a hint at what to give, or to call, instead of an unknown parameter."""
    if name == "groups" and {"by", "cluster"} <= signature.parameters.keys():
        return f"; {CLUSTERS_OR_KEYS}"
    if "edges" in signature.parameters and name in OF_CUT:
        return f"; {OF_CUT[name]}"
    here = PARAMETERS.get(name, name)
    if here in IN_MEMORY.get(method.__qualname__, ()):
        call = f"ddf[[...]].compute().ordinal.compare(..., {here}=...)"
        return f"; it needs the rows in memory: read the columns with {call}"
    if here == "metrics" and "estimators" in signature.parameters:
        return f"; {OF_FRAME}"
    if here in signature.parameters:
        return f"; {name}= is {here}= here"
    if here == "by" and "ignore" not in signature.parameters:
        return ""  # it scores no rows
    if here in of_reports:
        return f"; intervals and standard errors are part of a report: {of_reports[here]}"
    surface = method.__qualname__.partition(".")[0]
    if here == "by" and surface in INSTEAD_OF_BY:
        return f"; {INSTEAD_OF_BY[surface].format(method=method.__name__)}"
    if here in ANSWERS:
        return f"; {ANSWERS[here]}"
    close = closest(name, signature.parameters)
    return "" if close is None else f"; {name}= is {close}= here"


def import_extra(module: str, extra: str = "io") -> Any:
    """Import a library that `pip` installs with an extra."""
    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(f'{module} is missing: pip install "pandas_ordinal[{extra}]"') from error
