"""No test of a picture may show one, or change matplotlib's settings."""

from __future__ import annotations

from collections.abc import Iterator

import matplotlib as mpl
import pytest
from matplotlib import pyplot


@pytest.fixture(autouse=True)
def _no_traces(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail if a picture is shown, or changes how others look."""

    def shown(*_: object, **__: object) -> None:
        raise AssertionError("a picture was shown")

    monkeypatch.setattr(pyplot, "show", shown)
    before = looks()
    yield
    assert looks() == before


def looks() -> dict[str, object]:
    """Return the settings that decide how pictures look; matplotlib sets the backend itself."""
    return {name: mpl.rcParams[name] for name in mpl.rcParams if name != "backend"}
