"""The changelog and the citation are those of this version, and name what there is."""

from __future__ import annotations

import operator
import re
import tomllib
from pathlib import Path

import pandas as pd
import pytest

import pandas_ordinal as po

ROOT = Path(__file__).parents[1]
CHANGES = (ROOT / "CHANGELOG.md").read_text("utf-8")
SURFACES = [po.ordinal(pd.DataFrame({"y": [0, 1]})), po.ordinal(pd.Series([0, 1]))]


def test_the_changelog_and_the_citation_are_of_this_version() -> None:
    released = re.search(r"^## (\S+), (\S+)$", CHANGES, re.MULTILINE)
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    cited = dict(re.findall(r"^([\w-]+): (\S+)$", citation, re.MULTILINE))
    assert released is not None
    assert released.groups() == (po.__version__, cited["date-released"])
    assert cited["version"] == po.__version__


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`(po\.[\w.]+|[a-z_]+)`", CHANGES))))
def test_the_changelog_names_what_there_is(name: str) -> None:
    if name.startswith("po."):
        assert operator.attrgetter(name.removeprefix("po."))(po)
    else:
        assert any(hasattr(surface, name) for surface in SURFACES)


def test_the_changelog_counts_the_metrics() -> None:
    assert f"- {len(po.metrics.registry)} metrics " in CHANGES


def test_the_changelog_names_the_lowest_versions() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    stated = " ".join(CHANGES.split())
    assert f"Python {project['requires-python'].removeprefix('>=')} or newer" in stated
    names = {"numpy": "NumPy", "pandas": "pandas", "xarray": "xarray", "scipy": "SciPy"}
    for one in project["dependencies"]:
        library, _, lowest = one.partition(">=")
        if library in names:
            assert f"{names[library]} {lowest}" in stated
