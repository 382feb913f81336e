"""What no picture may do."""

from __future__ import annotations

from collections.abc import Iterator

import matplotlib as mpl
import pytest
from matplotlib import pyplot


@pytest.fixture(autouse=True)
def _no_traces(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No picture is shown, and none changes how others look."""

    def shown(*_: object, **__: object) -> None:
        raise AssertionError("a picture was shown")

    monkeypatch.setattr(pyplot, "show", shown)
    before = looks()
    yield
    assert looks() == before


def looks() -> dict[str, object]:
    """Return how pictures look; matplotlib itself finds the backend when one is drawn."""
    return {name: mpl.rcParams[name] for name in mpl.rcParams if name != "backend"}
