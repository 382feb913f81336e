"""How the methods of a surface are composed: signature, help and errors of each.

A metric, or a table by class, has the parameters of `confusion` and its own options.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Literal, get_origin, get_type_hints

from pandas_ordinal.errors import signature_of
from pandas_ordinal.hints import bound, explains_arguments
from pandas_ordinal.metrics.metric import Metric, sections_of
from pandas_ordinal.query import (
    Agreement,
    Comparison,
    Query,
    Uncertainty,
    if_given,
)
from pandas_ordinal.reports.by_class import METRICS_BY_CLASS, TableByClass

if TYPE_CHECKING:
    from pandas_ordinal.accessors.base import ExtraParameter, Ordinal, RowsOrdinal
    from pandas_ordinal.accessors.calibration import OfForecasts

QUERY_OPTIONS = frozenset(field.name for field in fields(Query))
OF_COUNTS = frozenset({"bins"})  # what rows with scores or probabilities have no use for

# The options behind the ** of a method, by its name there
UNPACKED: Mapping[str, type] = {
    "uncertainty": Uncertainty,
    "comparison": Comparison,
    "agreement": Agreement,
}

ENTRY = re.compile(r"\n(?=\S)")

# What only probabilities have
ATOL = inspect.Parameter(
    "atol", inspect.Parameter.KEYWORD_ONLY, default=None, annotation="float | None"
)
DESCRIBED = {
    "atol": """atol : float, optional
    By how much the probabilities of a row may differ from a sum of 1, such as 0.002 for three
    decimals. They are not rescaled. Default: 1e-6."""
}

WRONG_ORDER = """ClassOrderError
    If the labels declare no order of the classes, or contradicting ones"""
UNKNOWN_CLASS = """UnknownClassError
    If a label is not a class"""
MISSING_LABEL = """MissingValueError
    If a label, weight or key is missing, unless dropna=True."""
MISSING_VALUE = """MissingValueError
    If a label, score, probability, weight or key is missing, unless dropna=True."""
RAISES = {
    "pred": f"{WRONG_ORDER}.\n{UNKNOWN_CLASS}.\n{MISSING_LABEL}\n",
    "score": f"""{WRONG_ORDER}, or the scores are not numbers.
{UNKNOWN_CLASS}.
{MISSING_VALUE}
ValueError
    If weights are negative or not finite, or an option has an unknown value.""",
    "proba": f"""{WRONG_ORDER}.
{UNKNOWN_CLASS}, or a class has no column of probabilities.
{MISSING_VALUE}
ValueError
    If weights are negative or not finite, or probabilities are negative or do not sum to 1 within
    1e-6, or `atol`.""",
}


NO_INTERVALS = """ValueError
    If weights are negative or not finite, or if there are no intervals for rows that are weighted
    and in clusters, or for weighted scores."""


def _taken(surface: type[Ordinal], takes: str) -> list[inspect.Parameter]:
    """Return the parameters of a method before its options: those of `confusion`, adapted."""
    parameters = [*inspect.signature(surface.confusion).parameters.values()]
    if takes == "pred":
        return _of_labels(surface, parameters)
    annotation = surface._extra[takes].annotation
    adapted = [
        parameter.replace(name=takes, annotation=annotation)
        if parameter.name == "pred"
        else parameter
        for parameter in parameters
        if parameter.name not in OF_COUNTS
    ]
    if takes == "proba":
        place = [parameter.name for parameter in adapted].index("ignore") + 1
        adapted.insert(place, ATOL)
    return [*adapted, *(surface._of_proba if takes == "proba" else ())]


def _of_labels(
    surface: type[Ordinal], parameters: Sequence[inspect.Parameter]
) -> list[inspect.Parameter]:
    """Return the parameters of `confusion`, with `pred` optional where metrics need none."""
    optional = surface._extra.get("pred")
    return [
        parameter.replace(default=None, annotation=optional.annotation)
        if optional and parameter.name == "pred"
        else parameter
        for parameter in parameters
    ]


def explained(surface: type[Ordinal], method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that is written out, with its options in its help and in its errors."""
    signature, help_text = _with_options(method, surface._extra)
    wrapped = explains_arguments(method, signature)
    wrapped.__doc__ = help_text
    wrapped.__qualname__ = f"{surface.__qualname__}.{method.__name__}"
    return wrapped


def method_of_metric(surface: type[Ordinal], metric: Metric) -> Callable[..., Any]:
    """Return the method of a metric on a surface."""
    signature = inspect.Signature([*_taken(surface, metric.takes), *metric.options])

    reports = _reports(metric)

    def method(self: Ordinal, *args: Any, **kwargs: Any) -> Any:
        hint = self._hint(metric)
        example = functools.partial(_call, surface, metric)
        arguments = bound(method, signature, (self, *args), kwargs, hint, reports, example)
        del arguments["self"]
        query = Query(**{name: arguments.pop(name) for name in QUERY_OPTIONS & arguments.keys()})
        return self._score(metric, arguments, query)

    _name(method, surface, metric.name, signature)
    if surface.confusion.__doc__:  # which Python leaves out with -OO
        method.__doc__ = _docstring(surface, metric, [*signature.parameters][1:])
    return method


def _reports(metric: Metric) -> dict[str, str]:
    """Return the call of a report that shows a metric with each option of intervals."""
    calls = {}
    for option in (field.name for field in fields(Uncertainty)):
        given = f"{option}=0.95" if option == "ci" else f"{option}=..."
        calls[option] = f'report(..., metrics=["{metric.name}"], {given})'
        for name, shown in METRICS_BY_CLASS.items():
            if metric in shown:
                calls[option] = f"{name}(..., {given})"
    return calls


def method_of_table(
    surface: type[Ordinal], request: Callable[..., TableByClass]
) -> Callable[..., Any]:
    """Return the method of a table by class on a surface: `request` reads its own options."""
    signature = _signature(surface, request, "pred")

    def method(self: Ordinal, *args: Any, **kwargs: Any) -> Any:
        options, query = _bound(method, signature, (self, *args), kwargs)
        return self._table_by_class(request(**options), query)

    _name(method, surface, request.__name__, signature)
    if surface.confusion.__doc__:
        title, sections = sections_of(request)
        _, _, value = sections["Returns"].partition("\n")
        returns, raises = f"{surface._tables}\n{value}", RAISES["pred"] + NO_INTERVALS
        sections |= {"Returns": returns, "Raises": raises}
        method.__doc__ = _written(title, _described(method, surface, sections, "pred", "ci=0.95"))
    return method


def method_of_forecasts(
    surface: type[Ordinal], name: str, request: Callable[..., OfForecasts[Any, Any]]
) -> Callable[..., Any]:
    """Return a method of forecasts on a surface: `request` reads its own options."""
    signature = _signature(surface, request, "proba")

    def method(self: RowsOrdinal[Any], *args: Any, **kwargs: Any) -> Any:
        options, query = _bound(method, signature, (self, *args), kwargs)
        return self._of_forecasts(request(**options), query)

    _name(method, surface, name, signature)
    if surface.confusion.__doc__:
        title, sections = sections_of(request)
        raises = f"{RAISES['proba']}\n{sections['Raises']}"
        options = "coverage=0.5" if "coverage" in signature.parameters else ""
        method.__doc__ = _written(
            title, _described(method, surface, sections | {"Raises": raises}, "proba", options)
        )
    return method


def _signature(
    surface: type[Ordinal], request: Callable[..., Any], takes: str
) -> inspect.Signature:
    """Return the parameters of `confusion`, adapted, and those of a request."""
    own = [
        option.replace(annotation=_optional(surface._extra[option.name].annotation))
        if option.name in surface._extra
        else option
        for option in signature_of(request).parameters.values()
    ]
    return inspect.Signature([*_taken(surface, takes), *own])


def _bound(
    method: Callable[..., Any], signature: inspect.Signature, args: Any, kwargs: Mapping[str, Any]
) -> tuple[dict[str, Any], Query]:
    """Return the options of a request that a call gives, and its query."""
    arguments = bound(method, signature, args, kwargs)
    del arguments["self"]
    given = {name: arguments.pop(name) for name in QUERY_OPTIONS & arguments.keys()}
    return arguments, Query(**given | {"score": if_given(given.get("score"))})


def _described(
    method: Callable[..., Any],
    surface: type[Ordinal],
    sections: Mapping[str, str],
    takes: str,
    options: str = "",
) -> dict[str, str]:
    """Return the sections of the help of a request for a surface, in their order."""
    described = {
        **DESCRIBED,
        **_entries(sections["Parameters"]),
        **_entries(sections_of(surface.confusion)[1]["Parameters"]),
        **{name: extra.text for name, extra in surface._extra.items()},
    }
    if takes == "pred":
        described |= {name: _as_optional(extra.text) for name, extra in surface._extra.items()}
    parameters = [*inspect.signature(method).parameters][1:]
    code = surface._examples[takes].format(metric=method.__name__, options=options)
    composed = {
        **sections,
        "Parameters": "\n".join(described[name] for name in parameters),
        "Examples": code.replace("(, ", "(").replace(", )", ")"),
    }
    order = ("Parameters", "Returns", "Raises", "See Also", "Notes", "References", "Examples")
    return {part: composed[part] for part in order if part in composed}


def _optional(annotation: str) -> str:
    return annotation if annotation.endswith("None") else f"{annotation} | None"


def _as_optional(text: str) -> str:
    """Return the description of a parameter with its type as optional."""
    first, rest = text.split("\n", 1)
    return text if ", optional" in first else f"{first}, optional\n{rest}"


def _name(
    method: Callable[..., Any], surface: type[Ordinal], name: str, signature: inspect.Signature
) -> None:
    """Give a composed method its name, its place and its signature."""
    method.__name__ = name
    method.__qualname__ = f"{surface.__qualname__}.{name}"
    method.__module__ = surface.__module__
    method.__signature__ = signature  # type: ignore[attr-defined]


def _with_options(
    method: Callable[..., Any], extra: Mapping[str, ExtraParameter]
) -> tuple[inspect.Signature, str | None]:
    """Return the signature and the help of a method with each option behind its **."""
    signature = signature_of(method)
    *parameters, last = signature.parameters.values()
    if last.name not in UNPACKED:
        return signature, method.__doc__
    options = UNPACKED[last.name]
    types = get_type_hints(options)
    for field in fields(options):
        # the name of an alias would not show the values
        annotation = types[field.name] if get_origin(types[field.name]) is Literal else field.type
        if field.name in extra:
            annotation = extra[field.name].annotation
        parameters.append(
            inspect.Parameter(
                field.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=field.default,
                annotation=annotation,
            )
        )
    composed = signature.replace(parameters=parameters)
    if not method.__doc__:  # which Python leaves out with -OO
        return composed, None
    title, sections = sections_of(method)
    described = _entries(sections["Parameters"])
    del described[f"**{last.name}"]
    of_options = sections_of(options)[1]
    for name, text in _entries(of_options.pop("Attributes")).items():
        described[name] = extra[name].text if name in extra else text
    sections["Parameters"] = "\n".join(described.values())
    examples = {name: sections.pop(name) for name in ("Examples",) if name in sections}
    return composed, _written(title, sections | of_options | examples)


def _docstring(surface: type[Ordinal], metric: Metric, parameters: Sequence[str]) -> str:
    """Compose the help of a method from that of the kernel, of `confusion`, and of the surface."""
    title, sections = metric.help
    described = {
        **DESCRIBED,
        **_entries(sections["Parameters"]),
        **_entries(sections_of(surface.confusion)[1]["Parameters"]),
        **{name: extra.text for name, extra in surface._extra.items()},
    }
    _, _, value = sections["Returns"].partition("\n")
    composed = {
        **sections,
        "Parameters": "\n".join(described[name] for name in parameters),
        "Returns": f"{surface._returns[len(metric.output)]}\n{value}",
        "Raises": _raises(surface, metric),
        "Examples": _example(surface, metric),
    }
    return _written(title, composed)


def _written(title: str, sections: Mapping[str, str]) -> str:
    """Return a docstring of these sections."""
    texts = [f"{name}\n{'-' * len(name)}\n{text}" for name, text in sections.items()]
    return "\n\n".join([title, *texts])


def _raises(surface: type[Ordinal], metric: Metric) -> str:
    """Describe the errors of a surface, and those of the options of the kernel."""
    raised = metric.help[1]["Raises"]
    if metric.takes != "pred":
        return RAISES[metric.takes]
    counts, weights = "counts are negative, not finite or not square", "weights are negative or"
    refused = f"{counts}, {weights}" if "pred" in surface._extra else weights
    return RAISES["pred"] + raised.replace(counts, f"{refused} not finite")


def _example(surface: type[Ordinal], metric: Metric) -> str:
    """Return code that calls a metric on a surface."""
    bins = "bins=[0, 10, 20, 40]" if metric.needs == "edges" else ""
    options = ", ".join(filter(None, [metric.example, bins]))
    code = surface._examples.get(metric.name, surface._examples[metric.takes])
    code = code.format(metric=metric.name, options=options)
    return code.replace("(, ", "(").replace(", )", ")")


def _call(surface: type[Ordinal], metric: Metric) -> str:
    """Return a call of a metric on a surface, as a hint."""
    *_, call = _example(surface, metric).splitlines()
    return f"such as {call.removeprefix('>>> ')}"


def _entries(section: str) -> dict[str, str]:
    """Return the entries of a section of parameters by their names."""
    return {entry.partition(" :")[0]: entry for entry in ENTRY.split(section)}
