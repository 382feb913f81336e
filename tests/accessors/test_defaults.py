"""An option has the same default on every surface, and in every method but for a few."""

from __future__ import annotations

import importlib
import inspect
from collections import defaultdict
from collections.abc import Iterator

import pytest

SURFACES = ["frame", "series", "groupby", "dataset", "array", "dask_frame"]
UNLIKE = {
    # intervals are asked for in a report, and stand in every comparison; bands in every picture
    "ci": {None, 0.9, 0.95},
    "level": {None, "ordinal"},
    "n_draws": {20, 200},  # a mean needs fewer than the ends of a band
    "reference": {None, "climatology"},
    "thresholds": {None, False},  # values to predict at, or whether to show each of them
    "weights": {None, "quadratic"},
}


def defaults() -> Iterator[tuple[str, str, object]]:
    """Yield the name of each method, its options, and their defaults."""
    for surface in SURFACES:
        module = importlib.import_module(f"pandas_ordinal.accessors.{surface}")
        for kind in vars(module).values():
            if not inspect.isclass(kind) or kind.__module__ != module.__name__:
                continue
            for name, method in inspect.getmembers(kind, callable):
                if name.startswith("_"):
                    continue
                for option in inspect.signature(method).parameters.values():
                    if option.default is not inspect.Parameter.empty:
                        yield name, option.name, option.default


def test_an_option_has_one_default_in_all_methods() -> None:
    found = defaultdict(set)
    for _, option, default in defaults():
        found[option].add(default)
    assert {"dropna", "progress", "classes", "n_boot"} < found.keys()
    assert {option: values for option, values in found.items() if len(values) > 1} == UNLIKE
    assert found["dropna"] == found["progress"] == {False}


@pytest.mark.parametrize("option", UNLIKE)
def test_a_method_has_the_same_defaults_on_all_surfaces(option: str) -> None:
    found = defaultdict(set)
    for method, name, default in defaults():
        if name == option:
            found[method].add(default)
    assert all(len(values) == 1 for values in found.values()), dict(found)
